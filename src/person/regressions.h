/* Where joints lie by landmarks and lengths, and how far they turn: published regressions and
 * ranges, for every module that knows a person by a few points. Facts with their sources, nothing
 * that was tuned here. Metres and radians unless said. Internal. */
#ifndef SNW_PERSON_REGRESSIONS_H
#define SNW_PERSON_REGRESSIONS_H

#include <sinew/math.h>

/* ---- hips ---------------------------------------------------------------------------------- */

/* From the middle of the front spines of the pelvis, forwards, outwards and up, by its depth and
 * width (Harrington et al. 2007, J Biomech 40, one variable for each direction). */
static inline snw_vec3 snw__hip_harrington(double depth, double width)
{
    return snw_vec3_make(-0.24 * depth - 0.0099, 0.33 * width + 0.0073, -0.30 * width - 0.0109);
}

/* Davis et al. 1991: 25 hips on radiographs, theta 28.4 degrees and beta 18 degrees; Plug-in-Gait
 * rounds both to radians as here. ASIS to trochanter by the leg's length, the same. */
#define SNW__HIP_DAVIS_THETA  0.5
#define SNW__HIP_DAVIS_BETA   0.314
#define SNW__TROCHANTER_SLOPE 0.1288
#define SNW__TROCHANTER_BASE  (-0.04856)

/* ---- legs and arms of whom nobody measured ------------------------------------------------- */

/* Leg length of ASIS - knee marker - ankle marker: mean of the captures that carry both (0.905 to
 * 0.985 in four Plug-in-Gait subjects); the line of the leg goes over the outside of the joints.
 * Widths of knee and ankle of the leg's length: mean of five such subjects (0.104 to 0.131, 0.069
 * to 0.088). The rest are Plug-in-Gait's usual values of an adult. */
#define SNW__LEG_OF_MARKERS  0.95
#define SNW__LEG_KNEE_WIDTH  0.118
#define SNW__LEG_ANKLE_WIDTH 0.08
#define SNW__SHOULDER_OFFSET 0.05
#define SNW__ELBOW_WIDTH     0.08
#define SNW__WRIST_WIDTH     0.05
#define SNW__HAND_THICKNESS  0.03
/* The ankle's axis is turned outwards from the knee's by 20 degrees (tibial torsion; Staheli et al.
 * 1985). */
#define SNW__TIBIAL_TORSION 0.35

/* ---- trunk and neck ------------------------------------------------------------------------ */

/* Lowest joint of the spine, behind and above the middle of the front spines in pelvis widths
 * (Reed, Manary & Schneider 1999, mean of both sexes, turned into the plane of the four spines);
 * the trunk bends all along the loins of 0.1 statures, an even spread. */
#define SNW__LOIN_BEHIND 0.30
#define SNW__LOIN_ABOVE  0.10
#define SNW__LOIN_EXTENT 0.029
/* Base of the neck: from C7 towards the notch of the breastbone by 0.55 of their distance, turned
 * upwards by 8 degrees; shoulder: from the acromion by 0.42 of that distance, turned downwards by
 * 67 degrees from the same line (the same, as Dumas et al. 2007 give them). Both bend in more than
 * one joint, the neck over an even spread of 0.07 statures. */
#define SNW__NECK_SHARE     0.55
#define SNW__NECK_TURN      0.140
#define SNW__NECK_EXTENT    0.020
#define SNW__SHOULDER_SHARE 0.42
#define SNW__SHOULDER_TURN  1.169
/* The inner end of a collar bone lies beside and behind the marker on the notch: the notch is 50 mm
 * wide, and skin and marker are 20 mm thick. */
#define SNW__CLAVICLE_ASIDE  0.025
#define SNW__CLAVICLE_BEHIND 0.020
/* T12/L1 lies on the line from C7/T1 to L5/S1 where the trunk is stretched: there the curve of the
 * chest becomes that of the loins (Roussouly et al. 2005). Its share of that line: spinous
 * processes lie at 54.1 (T10) and 70.9 % (L1) of the way from C7 to the spines of the pelvis (Ernst
 * et al. 2013), so T12 at 65.3; with C7/T1 at 3 and L5/S1 at 94 % that is 0.68, links of 0.165 and
 * 0.09 statures have 0.65. */
#define SNW__SPINE_CHEST_SHARE 0.66
#define SNW__SPINE_T12         65.3
/* The same joint from the skin of the back (Reed et al. 1999, as Dumas & Wojtusch 2018 give it,
 * mean of both sexes): from T12 by 0.51 of the chest's depth at C7, at 93 degrees from the line
 * T12-T8. T12 is found from a marker on the spine, as far beyond it as Ernst et al. (2013) say,
 * along a back that is turned forward from the line C7-T10 by its share of a kyphosis of 36 degrees
 * (Bernhardt & Bridwell 1989). */
#define SNW__SPINE_BACK_SHARE 0.51
#define SNW__SPINE_BACK_ANGLE 1.623
#define SNW__SPINE_BACK_TURN  0.35
/* Skull on neck: 23 mm below the ear's tragus (Reed et al. 1999); a head band goes round at the
 * brow, 40 to 50 mm above it. In statures of 1.75 m, straight below the middle of the band. */
#define SNW__SPINE_BAND_BELOW 0.040
/* The top of the head above that joint: 131 mm above the tragus (Gordon et al. 1989, men). */
#define SNW__SPINE_VERTEX_ABOVE 0.088
/* Lengths in statures: loins 0.286 of the 0.29 between C7 and the pelvis's spines (Ernst et al.
 * 2013: 509 mm), neck as in the preset humanoid. */
#define SNW__SPINE_LOIN_LENGTH 0.086
#define SNW__SPINE_NECK_LENGTH 0.068

/* Standard deviations: of the neck's base by C7 and the notch, metres (rules of men and women
 * differ by 8 mm, Reed et al. 1999; markers on these bones by 6 to 21, Della Croce et al. 2005); of
 * the lengths, a tenth of them. */
#define SNW__SPINE_NECK_DEVIATION   0.012
#define SNW__SPINE_LENGTH_DEVIATION 0.1

/* ---- how well landmarks and regressions tell a joint ---------------------------------------- */

/* Metres, one standard deviation in each direction. Examiners place a marker within 6 to 21 mm of
 * each other (Della Croce, Leardini, Chiari & Cappozzo 2005); hips of regressions are 12 mm off in
 * all, 7 in each direction, and skin and belts add (Mantovani et al. 2016, Gait & Posture 44),
 * which is the same. */
#define SNW__PLACE_PALPATED 0.010
/* Between two markers of a joint; regressions against imaging, 10 to 15 mm in all, in a direction
 * (Harrington 2007; Sangeux 2011); wands, placed to 10 degrees of 60 mm. */
#define SNW__PLACE_BETWEEN 0.008
/* Regressions of the shoulder and the loins, whose rules of men and women differ by 8 mm (Reed,
 * Manary & Schneider 1999); of joints that stand for many, neck and chest; and at a marker that
 * only says it is near, as at points of programs without markers, 30 to 50 mm beside those of
 * markers (Needham et al. 2021, Scientific Reports 11, 20673). */
#define SNW__PLACE_SHOULDER 0.015
#define SNW__PLACE_ROUGH    0.020
#define SNW__PLACE_NEAR     0.030
/* Harrington's hip against images, in all: mean and standard deviation (Mantovani et al. 2016). */
#define SNW__HIP_HARRINGTON_ERROR     0.0123
#define SNW__HIP_HARRINGTON_DEVIATION 0.0059
/* A hip that is farther off changes the moments about it by a fifth (Stagni et al. 2000). */
#define SNW__HIP_ERROR_MAX 0.030
/* Radians. Bones stand across the axis of the hinge between them: at the knee within 3 degrees of
 * varus or valgus (Moreland, Bassett & Hanker 1987), at the elbow less 10 to 15 of carrying angle;
 * the axis that skin shows is off by some degrees more. */
#define SNW__KNEE_ACROSS  0.07
#define SNW__ELBOW_ACROSS 0.20
/* Degrees. What wands and skin do to the smaller angles of a joint: 10 to 15 (Leardini et al.
 * 2005).
 */
#define SNW__ANGLE_SKIN 15.0

/* ---- skin, markers, speed ------------------------------------------------------------------ */

/* Metres. Skin carries markers by 10 mm on most segments and by up to 30 on thighs and shoulder
 * blades (Cappozzo et al. 1996; Leardini, Chiari, Della Croce & Cappozzo 2005, table 1). */
#define SNW__SKIN     0.010
#define SNW__SKIN_MAX 0.030
/* Metres a second: the fastest that anybody ran (Graubner & Nixdorf 2011, New Studies in Athletics
 * 26, 19-53). Steps a second of sprinters: 4.5 to 5 (Weyand et al. 2000). */
#define SNW__RUN_FASTEST   12.4
#define SNW__STEPS_FASTEST 5.0
#define SNW__STEP_LONGEST  2.45 /* metres, of the same */
/* Share of a stride that a step of the lame side has, at least (Hsu et al. 2003). */
#define SNW__STEP_LAMEST 0.3
/* The ball of a marker, metres: Plug-in-Gait's default. */
#define SNW__MARKER_DIAMETER 0.014

/* ---- ranges of motion, degrees: American Academy of Orthopaedic Surgeons (1965) ------------- */

#define SNW__HIP_FLEXION          120
#define SNW__HIP_EXTENSION        30
#define SNW__HIP_ABDUCTION        45
#define SNW__HIP_ADDUCTION        30
#define SNW__HIP_ROTATION         45
#define SNW__KNEE_FLEXION         135
#define SNW__KNEE_EXTENSION       10
#define SNW__KNEE_ROTATION        40 /* when bent */
#define SNW__ANKLE_PLANTAR        50
#define SNW__ANKLE_DORSAL         20
#define SNW__ANKLE_INVERSION      35
#define SNW__ELBOW_FLEXION        150
#define SNW__FOREARM_PRONATION    80
#define SNW__WRIST_FLEXION        80
#define SNW__WRIST_EXTENSION      70
#define SNW__SHOULDER_FLEXION     180
#define SNW__SHOULDER_ROTATION    (70 + 90) /* inwards and outwards */
#define SNW__CLAVICLE_ELEVATION   45
#define SNW__CLAVICLE_PROTRACTION 30
#define SNW__TRUNK_FLEXION        80
#define SNW__TRUNK_EXTENSION      20
#define SNW__TRUNK_ROTATION       45
#define SNW__NECK_FLEXION         45 /* and as much backwards */
#define SNW__NECK_ROTATION        60

#endif

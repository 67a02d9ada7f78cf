/* The sizes of people as constants, for tables that are written at compile time. Internal; the
 * rest asks snw_segment_size of sinew/person.h, which reads the same numbers. */
#ifndef SNW_PERSON_ANTHROPOMETRY_H
#define SNW_PERSON_ANTHROPOMETRY_H

#include <sinew/person.h>

/* Metres and kilograms. Between the means of women, 1.63, and men, 1.756 (ANSUR, Gordon et al.
 * 1989); the man that presets and avatars are, with the mass of de Leva's (1996). */
#define SNW__STATURE     1.70
#define SNW__STATURE_MAN 1.75
#define SNW__MASS_MAN    73.0
/* Boys and girls at birth, 0.50, and at two years, 0.87 and 0.86 with 0.03 of deviation (WHO Child
 * Growth Standards 2006); hardly anybody is taller than 2.4. */
#define SNW__STATURE_NEWBORN 0.5
#define SNW__STATURE_TODDLER 0.9
#define SNW__STATURE_TALLEST 2.4
/* Standard deviation of a length's share of stature between people, 4 to 6 % (Pheasant & Haslegrave
 * 2006); what left and right differ by, 1 to 3 %. */
#define SNW__LENGTH_DEVIATION 0.06
#define SNW__LENGTH_SIDES     0.02
/* Lengths in statures: Drillis & Contini 1966, as printed by Winter, Biomechanics and Motor Control
 * of Human Movement (2009), figure 4.1. */
#define SNW__LENGTH_THIGH     0.245
#define SNW__LENGTH_SHANK     0.246
#define SNW__LENGTH_UPPER_ARM 0.186
#define SNW__LENGTH_FOREARM   0.146
#define SNW__LENGTH_HAND      0.108
#define SNW__LENGTH_HEAD      0.130
#define SNW__LENGTH_FOOT      0.152
#define SNW__LENGTH_ANKLE     0.039 /* its centre above the sole */
#define SNW__LENGTH_LEG       0.491
#define SNW__LENGTH_ARM       0.332
/* Of the generic person with which the places of site_table.c are fitted: an upper arm from the
 * shoulder's centre, between de Leva's 0.162 (1996) and Drillis & Contini's 0.186 from the
 * acromion. With 0.186 and 0.246 instead, two captures without labels are recognised worse (a hand
 * lost). */
#define SNW__TEMPLATE_UPPER_ARM 0.172
#define SNW__TEMPLATE_SHANK     0.245
/* Between the centres of the hips (Harrington et al. 2007: 160 mm at 1.7 m, Bell, Pedersen & Brand
 * 1990) and of the shoulders; over the acromia it is 0.259 (Winter). */
#define SNW__LENGTH_HIPS      0.100
#define SNW__LENGTH_SHOULDERS 0.220

/* An avatar's: half the span from wrist to wrist and the chest's joint in statures, the shoulder's
 * of half the span, the forearm's of the arm; metres that shoulders are above the chest's joint.
 * Means over 13 arms of seven skeletons of the CMU database (avatar/body_plan_avatar.h). */
#define SNW__HALF_SPAN        0.38
#define SNW__CHEST_HEIGHT     0.675
#define SNW__SHOULDER_OF_SPAN 0.281
#define SNW__FOREARM_OF_ARM   0.383
#define SNW__SHOULDER_RISE    0.058
/* Head, arms and trunk: centre of mass on the way from hips to shoulders (Winter 2009, table 4.1).
 */
#define SNW__UPPER_CENTER 0.626

/* Breadths over the bones in statures: femur 95.2, ankle 66.8, humerus 64.8 mm at 1701.8 (Ross &
 * Wilson 1974, "A stratagem for proportional growth assessment"); standard deviations there are
 * 5 %. */
#define SNW__BREADTH_KNEE  0.0559
#define SNW__BREADTH_ANKLE 0.0393
#define SNW__BREADTH_ELBOW 0.0381
/* Girth of the head in metres with its standard deviation (there too), and stature's deviation.
 * Grown-up heads hardly follow stature, and a child's of five has nine tenths of it. */
#define SNW__GIRTH_HEAD           0.560
#define SNW__GIRTH_HEAD_DEVIATION 0.0144
#define SNW__STATURE_DEVIATION    0.0629

/* Shares of the body's mass: Dempster 1955, as printed by Winter 2009, table 4.1; they sum to one.
 * The trunk of 0.497 is divided into pelvis, abdomen and thorax. */
#define SNW__MASS_PELVIS    0.142
#define SNW__MASS_ABDOMEN   0.139
#define SNW__MASS_THORAX    0.216
#define SNW__MASS_HEAD      0.081 /* with the neck */
#define SNW__MASS_UPPER_ARM 0.028
#define SNW__MASS_FOREARM   0.016
#define SNW__MASS_HAND      0.006
#define SNW__MASS_THIGH     0.100
#define SNW__MASS_SHANK     0.0465
#define SNW__MASS_FOOT      0.0145

/* Metres: wrist to the tip of the middle finger, 0.108 statures of a man to the centimetre. */
#define SNW__HAND_LENGTH 0.19
/* Bones of index, middle, ring and little finger and of the thumb in hand lengths: metacarpal and
 * three phalanges (Buchholz, Armstrong & Goldstein, Ergonomics 35, 1992); the thumb's first is the
 * way from the wrist to its saddle joint, which is where Buchholz starts. */
#define SNW__HAND_INDEX            \
    {                              \
        0.463, 0.245, 0.143, 0.097 \
    }
#define SNW__HAND_MIDDLE           \
    {                              \
        0.446, 0.266, 0.170, 0.108 \
    }
#define SNW__HAND_RING             \
    {                              \
        0.421, 0.244, 0.165, 0.107 \
    }
#define SNW__HAND_LITTLE           \
    {                              \
        0.414, 0.204, 0.117, 0.093 \
    }
#define SNW__HAND_THUMB            \
    {                              \
        0.090, 0.251, 0.196, 0.158 \
    }

/* Half of what lies between a joint's two sides, with a marker's own radius, and how far from there
 * a single marker lets the centre be, metres. reach 0: nothing is known of this joint. */
typedef struct snw__joint_size {
    double half_width;
    double reach;
} snw__joint_size;

snw__joint_size snw__part_joint_size(snw_part joint);

#endif

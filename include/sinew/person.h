/* sinew/person.h - what is known of any person: sides, parts, and the landmarks that labels name.
 *
 *     snw_side side;
 *     snw_part part = snw_part_read("LeftUpLeg", &side);  // SNW_PART_UPLEG, SNW_SIDE_LEFT
 *     puts(snw_part_name(snw_part_parent(part), SNW_SIDE_NONE)); // "Hips"
 *
 * One table holds every landmark with all its spellings, one table the proportions and masses of
 * people with their sources; all modules ask them. Where a spelling is added: docs/marker-sets.md.
 * Plain data, any thread.
 */
#ifndef SINEW_PERSON_H
#define SINEW_PERSON_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LEFT and RIGHT count everything that comes twice ([SNW_SIDES]); what comes once is at [0]. */
typedef enum snw_side {
    SNW_SIDE_LEFT,
    SNW_SIDE_RIGHT,
    SNW_SIDE_NONE /* in the middle, or not known */
} snw_side;
#define SNW_SIDES 2

/* NONE is its own. */
SNW_INLINE snw_side snw_side_other(snw_side side)
{
    return side == SNW_SIDE_LEFT ? SNW_SIDE_RIGHT : side == SNW_SIDE_RIGHT ? SNW_SIDE_LEFT : side;
}

/* The parts of a body, parents first. X(part, parent, is_paired, name): a paired part has Left or
 * Right in front of its name. */
#define SNW_PART_MAP(X)               \
    X(HIPS, NONE, 0, "Hips")          \
    X(CHEST, HIPS, 0, "Chest")        \
    X(HEAD, CHEST, 0, "Head")         \
    X(SHOULDER, CHEST, 1, "Shoulder") \
    X(ARM, SHOULDER, 1, "Arm")        \
    X(FOREARM, ARM, 1, "ForeArm")     \
    X(HAND, FOREARM, 1, "Hand")       \
    X(THUMB, HAND, 1, "HandThumb")    \
    X(INDEX, HAND, 1, "HandIndex")    \
    X(MIDDLE, HAND, 1, "HandMiddle")  \
    X(RING, HAND, 1, "HandRing")      \
    X(PINKY, HAND, 1, "HandPinky")    \
    X(UPLEG, HIPS, 1, "UpLeg")        \
    X(LEG, UPLEG, 1, "Leg")           \
    X(FOOT, LEG, 1, "Foot")

typedef enum snw_part {
    SNW_PART_NONE,
#define SNW_PART_ENUM(part, parent, is_paired, name) SNW_PART_##part,
    SNW_PART_MAP(SNW_PART_ENUM)
#undef SNW_PART_ENUM
    /* What only bones of a rig are (sinew/rig.h); they have no name here. */
    SNW_PART_NECK,
    SNW_PART_FINGER, /* whichever */
    SNW_PART_TOE,
    SNW_PART_COUNT
} snw_part;

/* "LeftUpLeg"; lives as long as the program. */
SNW_API const char *snw_part_name(snw_part part, snw_side side);
/* The part and side of such a name; SNW_PART_NONE where it is not one. */
SNW_API snw_part snw_part_read(const char *name, snw_side *side);
SNW_API snw_part snw_part_parent(snw_part part);
SNW_API bool snw_part_is_paired(snw_part part);

/* Where about its joint a marker sits. */
typedef enum snw_spot {
    SNW_SPOT_BODY,    /* at no joint */
    SNW_SPOT_LATERAL, /* on the outer side: thumb side of a wrist */
    SNW_SPOT_MEDIAL,  /* on the inner side; with the outer one: the centre is between them */
    SNW_SPOT_NEAR,    /* beside, above or behind it, the label does not say */
    SNW_SPOT_CENTER   /* it is the joint's centre, as models give them */
} snw_spot;

/* What the three numbers of a point are. X(KIND, word, list): `list` is the parameter of C3D's
 * POINT group that names points of the kind, as Vicon's programs write it. */
#define SNW_POINT_KIND_MAP(X)                   \
    X(MARKER, "marker", NULL)                   \
    X(JOINT, "joint centre", "MODELED_MARKERS") \
    X(ANGLE, "angle", "ANGLES")                 \
    X(FORCE, "force", "FORCES")                 \
    X(MOMENT, "moment", "MOMENTS")              \
    X(POWER, "power", "POWERS")                 \
    X(SCALAR, "scalar", "SCALARS")              \
    X(OTHER, "other", NULL)

/* MARKER is seen, JOINT a place that a model computed (joint centres, ends of bones' axes, centres
 * of mass); both are positions in the trial's unit and axes. All others keep the unit that the file
 * says for them; OTHER is of a list that Sinew does not know. */
typedef enum snw_point_kind {
#define SNW_POINT_KIND_ENUM(kind, word, list) SNW_POINT_##kind,
    SNW_POINT_KIND_MAP(SNW_POINT_KIND_ENUM)
#undef SNW_POINT_KIND_ENUM
    SNW_POINT_KIND_COUNT
} snw_point_kind;

SNW_INLINE bool snw_point_is_position(snw_point_kind kind)
{
    return kind == SNW_POINT_MARKER || kind == SNW_POINT_JOINT;
}

/* The markers of the conventional gait model. X(enumerator, comes twice). */
#define SNW_GAIT_MARKER_MAP(X) \
    X(ASI, 1)                  \
    X(PSI, 1)                  \
    X(SACR, 0)                 \
    X(THI, 1)                  \
    X(KNE, 1)                  \
    X(KNM, 1)                  \
    X(TIB, 1)                  \
    X(ANK, 1)                  \
    X(MED, 1)                  \
    X(HEE, 1)                  \
    X(TOE, 1)                  \
    X(FMH, 1)                  \
    X(VMH, 1)                  \
    X(KAX, 1)                  \
    X(KD1, 1)                  \
    X(KD2, 1)                  \
    X(C7, 0)                   \
    X(T10, 0)                  \
    X(CLAV, 0)                 \
    X(STRN, 0)                 \
    X(SHO, 1)                  \
    X(ELB, 1)                  \
    X(ELM, 1)                  \
    X(WRA, 1)                  \
    X(WRB, 1)                  \
    X(FIN, 1)                  \
    X(FHD, 1)                  \
    X(BHD, 1)

typedef enum snw_gait_marker {
    SNW_GAIT_MARKER_NONE = -1,
#define SNW_GAIT_MARKER_ENUM(enumerator, is_paired) SNW_GAIT_MARKER_##enumerator,
    SNW_GAIT_MARKER_MAP(SNW_GAIT_MARKER_ENUM)
#undef SNW_GAIT_MARKER_ENUM
    SNW_GAIT_MARKER_COUNT
} snw_gait_marker;

/* ---- anthropometry -------------------------------------------------------------------------- */

/* Whose sizes. */
typedef enum snw_people {
    SNW_PEOPLE_ADULTS, /* lengths of Drillis & Contini (1966), masses, centres and radii of Dempster
                          (1955), as Winter (2009, figure 4.1 and table 4.1) prints them */
    SNW_PEOPLE_WOMEN,  /* Zatsiorsky & Seluyanov as adjusted by de Leva (1996, table 4) */
    SNW_PEOPLE_MEN,
    SNW_PEOPLE_COUNT
} snw_people;

/* What one segment of a person measures; 0 where the source does not say. Of the trunk HIPS is the
 * part below the navel or the fourth lumbar vertebra, CHEST all above it. */
typedef struct snw_segment_size {
    double length;    /* in statures, from joint to joint */
    double mass;      /* share of the body's */
    double center;    /* of mass: from the proximal end, share of the length */
    double radius[3]; /* of gyration about the centre: sagittal, transverse, longitudinal axis,
                         shares of the length */
} snw_segment_size;

/* False for parts that have no row: collar bones and single fingers. */
SNW_API bool snw_segment_size_of(snw_people people, snw_part part, snw_segment_size *out);
/* kg/m3 (Dempster 1955, as Winter prints it); 0 for parts that have no row. */
SNW_API double snw_part_density(snw_part part);

#ifdef __cplusplus
}
#endif
#endif

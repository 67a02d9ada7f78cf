/* A person as a function of space: negative inside. Internal to skin. */
#ifndef SNW_SKIN_FIGURE_SHAPE_H
#define SNW_SKIN_FIGURE_SHAPE_H

#include <sinew/skin.h>

enum {
    SNW__FIGURE_STATIONS = 8,
    SNW__FIGURE_LIMBS = 80,
    SNW__FIGURE_FINGERS = 5,
    SNW__FIGURE_FINGER_JOINTS = 6, /* with the tip */
    SNW__FIGURE_GROUPS = 6,        /* core, arms, legs */
    SNW__FIGURE_CUTS = 21,         /* of the middle plane, and ten of each half */
    SNW__FIGURE_CODES = SNW_PART_COUNT * (SNW_SIDES + 1)
};

/* A cross section: an ellipse with half axes u and v round a point of the limb's line. */
typedef struct snw__figure_station {
    double at; /* along the limb, 0 to 1 */
    double u, v;
    double shift_u, shift_v;
} snw__figure_station;

typedef struct snw__figure_profile {
    int count;
    snw__figure_station station[SNW__FIGURE_STATIONS];
} snw__figure_profile;

/* A stretch of flesh round a line. */
typedef struct snw__figure_limb {
    snw_vec3 from, axis, u, v; /* axis, u, v: unit, perpendicular */
    double length;
    const snw__figure_profile *profile;
    int station_count;
    snw__figure_station station[SNW__FIGURE_STATIONS];
    double slope[SNW__FIGURE_STATIONS][2]; /* of u and v over `at`, so that flesh has no rings */
    snw_part part;                         /* whose thickness scales it */
    snw_side side;
    double blend; /* metres over which it flows into its group; 0: a hard edge */
    double reach; /* largest radius, for the box */
    double floor; /* flesh ends at this height; -infinity: nowhere */
    int finger;   /* from 1: flows into its own and into the palm only; 0: none */
} snw__figure_limb;

typedef struct snw__figure_finger {
    int count;
    snw_vec3 joint[SNW__FIGURE_FINGER_JOINTS]; /* places from the base to the tip */
} snw__figure_finger;

/* A hand whose fingers have joints of their own. */
typedef struct snw__figure_hand {
    snw_vec3 wrist, along, back; /* unit: to the fingers, and out of the back of the hand */
    double length;               /* from the wrist to the farthest tip, when it is straight */
    int finger_count;            /* 0: there is none */
    snw__figure_finger finger[SNW__FIGURE_FINGERS]; /* index to little finger, then the thumb */
} snw__figure_hand;

/* Joints' places in the T-pose, by side. */
typedef struct snw__figure_plan {
    double stature;
    snw_vec3 hips, waist, neck, skull, crown; /* crown: top of the head */
    snw_vec3 shoulder[SNW_SIDES], elbow[SNW_SIDES], wrist[SNW_SIDES], fingertip[SNW_SIDES];
    snw_vec3 hip[SNW_SIDES], knee[SNW_SIDES], ankle[SNW_SIDES], toe[SNW_SIDES];
    double sole;
    bool has_fingers;
    snw__figure_hand hand[SNW_SIDES];
    bool is_hand; /* and nothing else: of that side */
    snw_side side;
    int cut_count;
    double girth[SNW_GIRTH_COUNT];      /* by how much flesh is thicker there than by its mass */
    snw_mass_cut cut[SNW__FIGURE_CUTS]; /* into parts: code part * (SNW_SIDES + 1) + side */
} snw__figure_plan;

typedef struct snw__figure_shape {
    snw__figure_plan plan;
    int limb_count;
    snw__figure_limb limb[SNW__FIGURE_LIMBS];
    int group_first[SNW__FIGURE_GROUPS + 1]; /* core, left arm, right arm, left leg, right leg */
    snw_vec3 low[SNW__FIGURE_GROUPS], high[SNW__FIGURE_GROUPS];
} snw__figure_shape;

/* Stature for which the half axes of profiles are given. */
extern const double snw__figure_stature;

typedef struct snw__figure_maker {
    snw__figure_shape *shape;
    const double *thick; /* (SNW_PART_COUNT) */
    double scale;        /* of lengths of the profiles */
} snw__figure_maker;

snw_status snw__figure_check_options(const snw_figure_options *how, snw_error *error);
/* Reads the plan off a skeleton at rest; what it does not have comes from proportions. */
snw_status snw__figure_plan_read(const snw_skeleton *skeleton, const snw_figure_options *how,
                                 snw__figure_plan *plan, snw_error *error);
snw_vec3 snw__figure_place(const snw_skeleton *skeleton, int joint);
snw_vec3 snw__figure_tip(const snw_skeleton *skeleton, int joint);
/* False where not five fingers of two bones each hang from one wrist. */
bool snw__figure_hand_read(const snw_skeleton *skeleton, snw_side side, snw__figure_hand *hand);
void snw__figure_hand_make(snw__figure_maker *maker, const snw__figure_hand *hand);
/* Flesh of one part round a line; `u` and `v`: which way the half axes lie. */
snw__figure_limb *snw__figure_add_flesh(snw__figure_maker *maker,
                                        const snw__figure_profile *profile, snw_part part,
                                        snw_vec3 from, snw_vec3 to, snw_vec3 u, snw_vec3 v);
/* The flesh of the plan; thick[side][part] multiplies the half axes. */
void snw__figure_shape_make(snw__figure_shape *shape, const snw__figure_plan *plan,
                            double thick[SNW_SIDES][SNW_PART_COUNT]);
/* About the distance to the surface in metres. */
double snw__figure_distance(const snw__figure_shape *shape, snw_vec3 point);
/* Round the surface as a tape goes, metres. */
double snw__figure_girth(const snw__figure_shape *shape, snw_girth girth);
/* Whether the thickness of a part follows from a girth that is asked for. */
bool snw__figure_is_measured(const snw_figure_options *how, snw_part part);
/* The part that a point inside belongs to. */
snw_part snw__figure_part(const snw__figure_plan *plan, snw_vec3 point, snw_side *side);

#endif

/* A person as a function of space: negative inside. Internal to skin. */
#ifndef SNW_SKIN_FIGURE_SHAPE_H
#define SNW_SKIN_FIGURE_SHAPE_H

#include <sinew/skin.h>

enum {
    SNW__FIGURE_STATIONS = 8,
    SNW__FIGURE_LIMBS = 40,
    SNW__FIGURE_GROUPS = 6, /* core, arms, legs */
    SNW__FIGURE_CUTS = 21,  /* of the middle plane, and ten of each half */
    SNW__FIGURE_CODES = SNW_PART_COUNT * (SNW_SIDES + 1)
};

/* A cross section: an ellipse with half axes u and v round a point of the limb's line. */
typedef struct snw__figure_station {
    double at; /* along the limb, 0 to 1 */
    double u, v;
    double shift_u, shift_v;
} snw__figure_station;

/* A stretch of flesh round a line. */
typedef struct snw__figure_limb {
    snw_vec3 from, axis, u, v; /* axis, u, v: unit, perpendicular */
    double length;
    const struct figure_profile *profile;
    int station_count;
    snw__figure_station station[SNW__FIGURE_STATIONS];
    double slope[SNW__FIGURE_STATIONS][2]; /* of u and v over `at`, so that flesh has no rings */
    snw_part part;                         /* whose thickness scales it */
    snw_side side;
    double blend; /* metres over which it flows into its group; 0: a hard edge */
    double reach; /* largest radius, for the box */
    double floor; /* flesh ends at this height; -infinity: nowhere */
} snw__figure_limb;

/* Joints' places in the T-pose, by side. */
typedef struct snw__figure_plan {
    double stature;
    snw_vec3 hips, waist, neck, skull, crown; /* crown: top of the head */
    snw_vec3 shoulder[SNW_SIDES], elbow[SNW_SIDES], wrist[SNW_SIDES], fingertip[SNW_SIDES];
    snw_vec3 hip[SNW_SIDES], knee[SNW_SIDES], ankle[SNW_SIDES], toe[SNW_SIDES];
    double sole;
    bool has_fingers;
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

snw_status snw__figure_check_options(const snw_figure_options *how, snw_error *error);
/* Reads the plan off a skeleton at rest; what it does not have comes from proportions. */
snw_status snw__figure_plan_read(const snw_skeleton *skeleton, const snw_figure_options *how,
                                 snw__figure_plan *plan, snw_error *error);
/* The flesh of the plan; thick[part] multiplies the half axes. */
void snw__figure_shape_make(snw__figure_shape *shape, const snw__figure_plan *plan,
                            const double thick[SNW_PART_COUNT]);
/* About the distance to the surface in metres. */
double snw__figure_distance(const snw__figure_shape *shape, snw_vec3 point);
/* Round the surface as a tape goes, metres. */
double snw__figure_girth(const snw__figure_shape *shape, snw_girth girth);
/* Whether the thickness of a part follows from a girth that is asked for. */
bool snw__figure_is_measured(const snw_figure_options *how, snw_part part);
/* The part that a point inside belongs to. */
snw_part snw__figure_part(const snw__figure_plan *plan, snw_vec3 point, snw_side *side);

#endif

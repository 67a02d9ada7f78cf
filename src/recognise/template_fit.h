/* The pose and stature of the generic person that bring its sites to points. Internal. */
#ifndef SNW_RECOGNISE_TEMPLATE_FIT_H
#define SNW_RECOGNISE_TEMPLATE_FIT_H

#include "recognise/body_template.h"

typedef struct snw__template_pose {
    snw_vec3 place;                    /* of the pelvis, metres */
    snw_quat turn[SNW__SEGMENT_COUNT]; /* against the parent; of the pelvis in the lab */
    double log_stature;                /* of metres */
} snw__template_pose;

/* Where the segments are. */
typedef struct snw__template_world {
    snw_xform segment[SNW__SEGMENT_COUNT];
    double stature;
} snw__template_world;

void snw__template_world_of(const snw__template_pose *pose, snw__template_world *world);

/* A point that belongs to a place of a segment. */
typedef struct snw__template_pair {
    int segment;
    snw_vec3 place;  /* in statures */
    snw_vec3 target; /* metres, the lab's axes */
    double weight;   /* inverse of the variance */
} snw__template_pair;

/* Unknowns: place, relative change of stature, three turns of each segment. */
enum {
    SNW__TEMPLATE_SIZE = 4 + 3 * SNW__SEGMENT_COUNT,
    SNW__TEMPLATE_WIDTH = 4 + 3 * SNW__SEGMENT_DEPTH
};
/* A segment's first unknown, and its column in the rows of what hangs from it. */
typedef struct snw__template_span {
    int at, column;
} snw__template_span;

typedef struct snw__template_problem {
    const snw__template_pair *pair;
    int pair_count;
    double robust;      /* metres: beyond it a distance counts less and less */
    double log_stature; /* expected */
    double stature_spread;
    snw__template_span span[SNW__SEGMENT_COUNT];
    /* The normal equations: an unknown's row has the columns of those above it, then its own. */
    double row[SNW__TEMPLATE_SIZE][SNW__TEMPLATE_WIDTH];
    int unknown[SNW__TEMPLATE_SIZE][SNW__TEMPLATE_WIDTH];
    int last[SNW__TEMPLATE_SIZE]; /* column of the row's own unknown */
    double step[SNW__TEMPLATE_SIZE];
    double right[SNW__TEMPLATE_SIZE];
} snw__template_problem;

/* At most `steps` steps of Levenberg and Marquardt from *pose. Returns the cost. */
double snw__template_fit(snw__template_problem *problem, snw__template_pose *pose, int steps);
/* How unusual the pose is: half the sum of squares. */
double snw__template_strain(const snw__template_pose *pose);

#endif

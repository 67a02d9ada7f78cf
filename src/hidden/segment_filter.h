/* The segments of a live predictor. Internal. */
#ifndef SNW_HIDDEN_SEGMENT_FILTER_H
#define SNW_HIDDEN_SEGMENT_FILTER_H

#include <sinew/geometry.h>
#include <sinew/hidden.h>

#include "hidden/turn_model.h"

/* One marker as the predictor knows it in this frame. */
typedef struct snw__live_marker {
    snw__marker_filter filter;
    bool is_seen;
    bool has_ray;
    snw_line ray;
    snw_vec3 place; /* seen, or predicted by the segment and smoothed by the marker's filter */
    snw_vec3 held;  /* seen, or as the segment alone has it: what the next frame builds upon, so
                       that a filter's momentum does not feed upon itself */
    snw_vec3 held_before; /* one frame ago */
    double uncertainty;   /* of the prediction, metres */
    int hidden;           /* frames since it was seen; -1: it never was */
    snw_vec3 slip;        /* how far off its place on the segment it was when it was last seen */
} snw__live_marker;

typedef struct snw__live_segment {
    int count;
    const int *marker; /* (count) */
    snw_vec3 *shape;   /* (count) mean places on the segment, about their centroid, metres */
    int shape_frames;  /* that the mean is of; 0: none yet */
    int seen_count;    /* in this frame */
    bool has_pose;
    snw_xform pose;               /* world_from_shape */
    snw_quat turn;                /* of the last step */
    double rigidity;              /* square metres: how far markers lie off the shape */
    int neighbour;                /* segment, or -1 */
    double sum_count;             /* frames in the sums below */
    snw_mat3 sum_turn;            /* of Rx^T Ry */
    snw_vec3 sum_x, sum_y;        /* of Rx^T b and Ry^T b */
    bool has_center;              /* arm_x and arm_y are known */
    double solved_count;          /* frames when they were */
    snw_vec3 arm_x, arm_y;        /* centre to centroid, in the shapes of segment and neighbour */
    snw_vec3 center, center_step; /* in this frame, and how it moved */
    bool is_center_placed;
    double adrift; /* seconds since the pose was last told by three markers */
} snw__live_segment;

typedef struct snw__live {
    int segment_count;
    snw__live_segment *segment; /* (segment_count) */
    int marker_count;
    snw__live_marker *marker; /* (marker_count) */
    snw_vec3 *from, *to;      /* (marker_count + segment_count + 1) work */
    snw__filter_kind kind;
    bool is_anchored; /* hidden markers follow the segment's pose, which all that is seen of the
                         body holds; else the five cases of the thesis */
    double step;      /* seconds */
} snw__live;

/* One frame: markers say what is seen; all others are placed. */
void snw__live_step(snw__live *live);
/* After hidden markers were moved: the poses and centres that follow from it. */
void snw__live_refit(snw__live *live);

/* ---- what is learned (segment_shape.c)
 * ------------------------------------------------------------
 */

/* The shape of the first frame that shows all markers; then its running mean. */
void snw__live_start_shape(snw__live *live, snw__live_segment *segment);
void snw__live_learn_shape(snw__live *live, snw__live_segment *segment);
/* The pose that carries the shape to the segment's markers; seen ones alone, or all as estimated.
 */
void snw__live_fit_pose(snw__live *live, snw__live_segment *segment, bool seen_alone,
                        snw_xform *pose);
/* Adds a frame that shows segment and neighbour, and solves for their centre now and then. */
void snw__live_learn_center(snw__live *live, snw__live_segment *segment);
/* The centre at the end of an arm: C = xbar - Rx a_x, or ybar - Ry a_y. */
snw_vec3 snw__live_center_from(snw_xform pose, snw_vec3 arm);
/* The centre between a segment and its neighbour from their poses. */
bool snw__live_center(const snw__live *live, int segment, snw_vec3 *center);

#endif

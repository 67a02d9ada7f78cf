/* Groups of markers taken as rigid bodies, and what a grouping is worth. Internal. */
#ifndef SNW_SEGMENT_SEGMENT_GROUP_H
#define SNW_SEGMENT_SEGMENT_GROUP_H

#include "rigid/sampling.h"
#include "segment/segment_distance.h"

/* How far a group is from rigid. */
typedef struct snw__stiffness {
    double variance; /* of a coordinate about the rigid body, square metres */
    double freedom;  /* coordinates that the body does not explain, in an average frame */
} snw__stiffness;

/* The yardstick for groupings. */
typedef struct snw__segment_scale {
    double pose;    /* variance that a coordinate of a pose is worth, square metres */
    double segment; /* what one segment more costs, nepers a frame */
    double finest;  /* no variance counts as less, square metres */
    double reach;   /* metres: markers farther apart than this are hardly on one segment */
    double stray;   /* variance up to which a marker that is worth nothing to any segment is put on
                       one   all the same, square metres */
} snw__segment_scale;

/* What it is worth to take a group as one segment, in units of nepers a frame: the more coordinates
 * it explains and the better it does, the more. A single marker is worth only its cost. */
double snw__segment_worth(snw__stiffness stiffness, const snw__segment_scale *scale);

/* Coordinates that a rigid body leaves open when so many of its markers are seen. */
static inline int snw__segment_freedom(int seen)
{
    return seen < 2 ? 0 : seen == 2 ? 1 : 3 * seen - 6;
}

/* Room for one group after the other. */
typedef struct snw__group_work {
    const snw__samples *samples;
    const snw__distances *distances;
    const snw__segment_scale *scale;
    double sample_count; /* samples that bodies were fitted to so far: the cost of a search */
    snw_vec3 *shape;     /* (marker_count) */
    snw_vec3 *to;        /* (marker_count) */
    snw_vec3 *sum;       /* (marker_count) */
    double *weight;      /* (marker_count) 1: seen and shaped */
    bool *is_shaped;     /* (marker_count) */
    int *count;          /* (marker_count) samples in sum */
    double *left;        /* (frames) squares that the body leaves over in a frame */
    double *freedom;     /* (frames) coordinates that it does not explain */
    double *ratio;       /* (frames) the first over the second, sorted */
} snw__group_work;

/* Of a snw__group_work whose samples are set. */
void snw__group_work_lay_out(void *object, snw__block *block);

/* The stiffness of the markers member[0..count - 1]. */
snw__stiffness snw__group_stiffness(snw__group_work *room, const int *member, int count);

/* The mean shape of the markers member[0..count - 1], three or more, in room->shape. */
void snw__group_shape(snw__group_work *room, const int *member, int count);
/* Where that shape is in a frame; false where fewer than three of its markers are seen. */
bool snw__group_pose(snw__group_work *room, const int *member, int count, int frame,
                     snw_xform *pose);

/* Frames that the stiffness of a group is taken from. */
int snw__group_frame_count(const snw__samples *samples);

/* Better groups by moving single markers, joining and splitting groups, until nothing is gained.
 * group_of (marker_count) holds any numbers below marker_count and is changed. */
snw_status snw__groups_improve(snw__group_work *room, int *group_of, snw_error *error);

/* The fourth power of a length over the reach of a segment: next to nothing within it, everything
 * beyond. Asked for every pair of markers: two products, no logarithm. */
static inline double snw__far_share(double length, double reach)
{
    double square = length / reach * (length / reach);
    return square * square;
}

#endif

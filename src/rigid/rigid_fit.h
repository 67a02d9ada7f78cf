/* The rigid pose of groups of markers in every frame. Internal. */
#ifndef SNW_RIGID_RIGID_FIT_H
#define SNW_RIGID_RIGID_FIT_H

#include "rigid/sampling.h"

/* [chosen] A fit whose rotation is this badly determined (relative gap of eigenvalues) is no pose:
 * a width of about a tenth of the length. */
#define SNW__SEPARATION_MIN 1e-2

/* Where a segment is in one frame, and how well its markers tell. A point a of the segment has the
 * variance noise^2 (I / seen_count + [d]x inertia_inverse [d]x^T), d = a - center. */
typedef struct snw__segment_pose {
    snw_xform world_from_segment;
    int seen_count; /* 0: no pose in this frame */
    snw_vec3 center;
    double inertia_inverse[6]; /* xx xy xz yy yz zz, per square metre; of the seen markers */
    double residual;           /* rms distance of the markers from the shape, metres */
} snw__segment_pose;

/* One segment over all frames of a capture. */
typedef struct snw__rigid {
    int own_count;           /* markers of the segment itself, which come first */
    int marker_count;        /* with markers of others that help it to a rotation */
    int *marker;             /* (marker_count) */
    snw_vec3 *shape;         /* (marker_count) in the segment's frame, mean 0 */
    snw__segment_pose *pose; /* (frame_count) */
    int posed_count;         /* frames with a pose */
    double noise;            /* standard deviation of one coordinate, metres */
} snw__rigid;

/* All segments of a capture. */
typedef struct snw__rigids {
    int segment_count;
    snw__rigid *segment; /* (segment_count) */
    snw_allocator allocator;
    size_t block_size;
} snw__rigids;

/* Markers to be taken as one rigid body. */
typedef struct snw__marker_group {
    int own_count;    /* these come first */
    int marker_count; /* with markers of others that help it to a rotation */
    int *marker;      /* (marker_count) */
} snw__marker_group;

/* The bodies of `count` groups, in their order. */
snw_status snw__rigids_create(const snw__samples *samples, const snw__marker_group *group,
                              int count, const snw_allocator *allocator, snw__rigids **out,
                              snw_error *error);
void snw__rigids_destroy(snw__rigids *rigids);

/* Has the segment enough markers, not in a line, to have a rotation of its own? */
static inline bool snw__rigid_has_rotation(const snw__rigid *rigid)
{
    return rigid->posed_count > 0;
}

/* center and inertia_inverse of a pose from the points of the shape with weight 1 (of 1 and 0), of
 * which there are pose->seen_count. */
void snw__segment_pose_spread(snw__segment_pose *pose, const snw_vec3 *shape, const double *weight,
                              int count);

#endif

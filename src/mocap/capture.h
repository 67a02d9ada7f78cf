/* The samples a calibration looks at, and the rigid pose of every limb in them. Internal. */
#ifndef SNW_MOCAP_CAPTURE_H
#define SNW_MOCAP_CAPTURE_H

#include <sinew/mocap.h>

#include "mocap/landmark.h"

/* A spread of frames of a trial as doubles, with samples that cannot be trusted left out. */
typedef struct snw__capture {
    int frame_count;
    int marker_count;
    int run_length;  /* frames that follow each other in the trial; frame_count is a multiple */
    int *frame;      /* (frame_count) which frame of the trial, ascending */
    snw_vec3 *point; /* (frame_count x marker_count) metres; undefined where not seen */
    uint8_t *seen;   /* (frame_count x marker_count) */
    snw_allocator allocator;
    size_t block_size;
} snw__capture;

/* At most frame_max frames, evenly spread. A sample is left out where it is missing, not finite,
 * absurdly far away, or next to a gap: the cameras lose and find a marker with its worst places. */
snw_status snw__capture_create(const snw_trial *trial, int frame_max,
                               const snw_allocator *allocator, snw__capture **out,
                               snw_error *error);
/* Frames of a run, at most: the mean of eight has a third of the noise, and nobody moves much in
 * 1/15 s. */
#define SNW__CAPTURE_RUN 8

/* The same with runs of frames that follow each other, for what needs neighbours in time. A short
 * trial has shorter runs, of one frame at last. */
snw_status snw__capture_create_runs(const snw_trial *trial, int run_max,
                                    const snw_allocator *allocator, snw__capture **out,
                                    snw_error *error);
void snw__capture_destroy(snw__capture *capture);

static inline const snw_vec3 *snw__capture_points(const snw__capture *capture, int frame)
{
    return capture->point + (size_t)frame * (size_t)capture->marker_count;
}

static inline const uint8_t *snw__capture_seen(const snw__capture *capture, int frame)
{
    return capture->seen + (size_t)frame * (size_t)capture->marker_count;
}

/* For qsort. */
int snw__compare_doubles(const void *a, const void *b);
/* The median, of an even number the upper one; 0 of none. Sorts the values. */
double snw__median(double *value, int count);

/* A sample that may be used at all: present, finite, within 10 km of the origin. */
bool snw__sample_is_usable(const snw_frame *frame, int marker);

/* Where a limb is in one frame, and how well its markers tell. A point a of the limb has the
 * variance noise^2 (I / seen_count + [d]x inertia_inverse [d]x^T), d = a - center. */
typedef struct snw__limb_pose {
    snw_xform world_from_limb;
    int seen_count; /* 0: no pose in this frame */
    snw_vec3 center;
    double inertia_inverse[6]; /* xx xy xz yy yz zz, per square metre; of the seen markers */
    double residual;           /* rms distance of the markers from the shape, metres */
} snw__limb_pose;

/* One limb over all frames of a capture. */
typedef struct snw__rigid {
    int own_count;    /* markers of the limb itself, which come first */
    int marker_count; /* with markers on its joint that help it to a rotation */
    int *marker;      /* (marker_count) */
    int joint_count;  /* markers known to sit on the joint to its parent; 0: none */
    int joint_marker[2];
    int joint_opposite;   /* the same marker of the other side; -1: none */
    double joint_inwards; /* the centre lies this far towards it, metres */
    double joint_reach;   /* and can be this far from there, metres */
    snw_vec3 *shape;      /* (marker_count) in the limb's frame, mean 0 */
    snw__limb_pose *pose; /* (frame_count) */
    int posed_count;      /* frames with a pose */
    double noise;         /* standard deviation of one coordinate, metres */
} snw__rigid;

/* All limbs of a capture. */
typedef struct snw__rigids {
    int limb_count;
    snw__rigid *limb;        /* (limb_count) */
    snw__landmark *landmark; /* (marker_count) what each label says */
    snw_allocator allocator;
    size_t block_size;
} snw__rigids;

/* trial tells the markers' names. */
snw_status snw__rigids_create(const snw__capture *capture, const snw_limbs *limbs,
                              const snw_trial *trial, const snw_allocator *allocator,
                              snw__rigids **out, snw_error *error);
void snw__rigids_destroy(snw__rigids *rigids);

/* Has the limb enough markers, not in a line, to have a rotation of its own? */
static inline bool snw__rigid_has_rotation(const snw__rigid *rigid)
{
    return rigid->posed_count > 0;
}

/* center and inertia_inverse of a pose from the points of the shape with weight 1 (of 1 and 0), of
 * which there are pose->seen_count. */
void snw__limb_pose_spread(snw__limb_pose *pose, const snw_vec3 *shape, const double *weight,
                           int count);

#endif

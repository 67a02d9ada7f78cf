/* The tracker's insides, for the calibration that runs it. Internal. */
#ifndef SNW_TRACK_TRACKER_H
#define SNW_TRACK_TRACKER_H

#include <sinew/ik.h>
#include <sinew/track.h>

struct snw_tracker {
    const snw_actor *actor;
    snw_tracker_options options;
    int source_count;    /* markers in a frame of the trial */
    int *source;         /* (marker_count) index in the frame, or -1 */
    int *first;          /* (joint_count + 1) markers of joint j: first[j] .. first[j + 1] - 1 */
    double noise;        /* of the markers, mean, metres */
    double *mass;        /* (marker_count) weight from noise, mean about 1 */
    double *bound;       /* (marker_count) distance at which a marker counts a quarter, metres */
    snw_vec3 *seen;      /* (marker_count) where it was seen, metres */
    double *is_seen;     /* (marker_count) 1 or 0: also the weights of the limb fits */
    snw_vec3 *from, *to; /* (marker_count) of one limb fit */
    bool *observed;      /* (joint_count) */
    snw_goal *goal;      /* (marker_count) each marker as a position to reach */
    snw_ik *ik;          /* the whole body under these goals, root free */
    snw_pose *pose;      /* the last one */
    snw_pose *held;      /* of this frame, inside the limits, while wider ones are tried */
    bool *is_held;       /* (joint_count) limbs that hang on a joint at its limit */
    snw_joint *limited;  /* (joint_count) the joints with limits meanwhile */
    double *cost;        /* (marker_count) of the held pose */
    bool has_pose;
    snw_allocator allocator;
    size_t block_size;
};

#endif

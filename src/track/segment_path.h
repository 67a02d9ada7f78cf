/* The poses of all segments in the world over some frames, and the body brought onto them.
 * Internal.
 *
 * Segments in the world and not joints, because errors of neighbouring joints belong together: a
 * root that is turned a little too far is made up for by all joints on it, and changing each by
 * itself would tear that apart. The body is brought onto its changed segments by least squares over
 * all joints (sinew/ik.h), each place and turn by its noise: bones keep their lengths, joints their
 * types. */
#ifndef SNW_TRACK_SEGMENT_PATH_H
#define SNW_TRACK_SEGMENT_PATH_H

#include <sinew/ik.h>
#include <sinew/track.h>

#include "base/memory.h"

typedef struct snw__segment_path {
    const snw_skeleton *skeleton;
    int frame_max;
    snw_xform *segment; /* (joint_count x frame_max) world poses */
    snw_goal *goal;     /* (joint_count) */
    snw_pose *pose;
    snw_ik_stepper *stepper;
} snw__segment_path;

/* Takes the arrays; skeleton and frame_max are set by the caller. */
void snw__segment_path_lay_out(snw__segment_path *path, snw__block *block);
/* Takes what else is needed; all of it is given back by snw__segment_path_end, also after a
 * failure.
 */
snw_status snw__segment_path_begin(snw__segment_path *path, const snw_allocator *allocator,
                                   snw_error *error);
void snw__segment_path_end(snw__segment_path *path);

/* One segment's poses, (frame_max). */
static inline snw_xform *snw__segment_path_of(const snw__segment_path *path, int joint)
{
    return path->segment + (size_t)joint * (size_t)path->frame_max;
}

/* A channel is the place of a joint (even) or the turn of its segment (odd), three or four
 * components.
 */
static inline int snw__channel_components(int channel)
{
    return channel % 2 ? 4 : 3;
}

double *snw__channel_component(snw_xform *segment, int channel, int component);

/* The poses in `count` frames from `first` on; quaternions go on without a change of sign. */
void snw__segment_path_look(snw__segment_path *path, const snw_motion *motion, int first,
                            int count);
/* Places and turns count by the noise that `told` (joint_count) says. */
void snw__segment_path_weigh(snw__segment_path *path, const snw_smoothing *told);
/* Frame `frame` of `motion` onto the poses `at` of the segments, from the pose that it has. */
void snw__segment_path_bring(snw__segment_path *path, int at, snw_motion *motion, int frame);

#endif

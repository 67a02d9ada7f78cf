/* The tracker's memory, and the three parts of a step that work on it. Internal: for tracker.c,
 * first_guess.c and whole_body.c. */
#ifndef SNW_TRACK_TRACKER_STATE_H
#define SNW_TRACK_TRACKER_STATE_H

#include <sinew/ik.h>
#include <sinew/track.h>

#include "track/live_continuity.h"
#include "track/motion_prior.h"
#include "track/observability.h"
#include "track/style_segment.h"
#include "track/track_constants.h"

struct snw_tracker {
    const snw_actor *actor;
    snw_tracker_options options;
    int *source;           /* (marker_count) index in the frame, or -1 */
    int *first;            /* (joint_count + 1) markers of joint j: first[j] .. first[j + 1] - 1 */
    double noise;          /* of the markers, mean, metres */
    double *noise_of;      /* (marker_count) of each, metres */
    double *mass;          /* (marker_count) weight of the sample, mean about 1 */
    double *bound;         /* (marker_count) distance at which it counts a quarter, metres */
    snw_vec3 *seen;        /* (marker_count) where it was seen, metres */
    double *sample_weight; /* (marker_count) weight in the fits of segments: 1 for a measured
                        sample, less for others, 0: there is none */
    bool *is_measured;     /* (marker_count) */
    double *stated2;       /* (marker_count) square of the sample's stated uncertainty */
    double excess2;        /* variance of this trial beyond the calibration's, square metres */
    double *work;          /* (markers or joints, whichever are more) */
    snw_vec3 *from, *to;   /* (marker_count) of one segment fit */
    snw__observability observability;
    snw__motion_prior prior;
    bool is_warm;            /* some joint is drawn to its last rotation */
    snw_goal *goal;          /* (marker_count) each marker as a position to reach */
    snw_ik_stepper *stepper; /* the whole body under these goals, root free */
    snw_pose *pose;          /* of this frame */
    snw_pose *last;          /* of the frame before: what a lost frame keeps */
    snw_pose *held;          /* of this frame, inside the limits, while wider ones are tried */
    bool *is_held;           /* (joint_count) segments that hang on a joint at its limit */
    bool *is_active;         /* (joint_count) joints at their limit */
    snw_joint *limited;      /* (joint_count) the joints with limits meanwhile */
    double *cost;            /* (marker_count) of the held pose */
    double *give;            /* (joint_count) how far limits may give way in this frame, radians */
    snw_pose *warm;          /* of this frame, while another guess is tried */
    double *warm_cost;       /* (marker_count) of the warm pose, in outliers */
    snw__live_continuity live; /* what was put out before */
    bool has_pose;
    bool is_lost;              /* the last frame was */
    snw__style_segments style; /* segments that nothing shows */
    snw_allocator allocator;
    size_t block_size;
};

/* first_guess.c: tracker->pose before the solve, from the last pose and the samples. */

/* Places the root; false where neither the last pose nor the markers tell. */
bool snw__guess_root(snw_tracker *tracker);
/* Does a segment show three markers, so that the frame could tell where the body is? */
bool snw__guess_shows_segment(const snw_tracker *tracker);
/* All other joints, from the root outwards; sets what draws them to their last rotations. */
void snw__guess_joints(snw_tracker *tracker);
/* For a pose that is there: keeps the joints that are known in full (snw__determinacy) where they
 * are, and sets what draws the others to their last rotations. */
void snw__guess_holds(snw_tracker *tracker, const uint8_t *known);

/* whole_body.c: tracker->pose onto the samples. */

/* After a first guess. Returns the number of iterations. */
int snw__whole_body_solve(snw_tracker *tracker);
/* The same where the pose is near its answer. */
int snw__whole_body_touch_up(snw_tracker *tracker);
/* tracker->pose as it would be if nothing had changed since the frame before but where the markers
 * are: they weigh what they weighed there, and what is hidden now goes on with its segment. From
 * tracker->last. Returns the number of iterations. */
int snw__whole_body_keep(snw_tracker *tracker);
/* What marker m costs in the pose as it stands: Geman & McClure's x^2 / (1 + x^2), in outliers. */
double snw__whole_body_cost(const snw_tracker *tracker, int m);
/* By how much the markers are better off in the pose as it stands than `before` (marker_count), in
 * the units of `cost`, all but the one that gains most: a single wild marker has no say. */
double snw__whole_body_gain(const snw_tracker *tracker, const double *before,
                            double (*cost)(const snw_tracker *tracker, int m));
/* True when at least two markers of segments that limits hold would rather be elsewhere. */
bool snw__whole_body_is_held_back(snw_tracker *tracker);
/* Solves without limits, and widens those that were too narrow. Returns the number of iterations.
 */
int snw__whole_body_look_beyond(snw_tracker *tracker);

#endif

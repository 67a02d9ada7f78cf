/* Segments that nothing shows, by a style: frame after frame, and over a whole trial. Internal. */
#ifndef SNW_TRACK_STYLE_SEGMENT_H
#define SNW_TRACK_STYLE_SEGMENT_H

#include <sinew/ik.h>

#include "track/style_judge.h"
#include "track/track_constants.h"

/* ---- how a body departs from its style --------------------------------------------------------
 */

/* The correlation of a joint's departure from what the style expects with itself `seconds` later
 * (out[0], 1 at 0), and its first two derivatives. */
void snw__departure_correlation(double seconds, double out[3]);

double snw__departure_slope_noise(void);
/* The share of the variance that value and slope leave open after a time. */
double snw__departure_open(double seconds);

/* ---- frame after frame -------------------------------------------------------------------------
 */

/* One joint's departure, as a rotation vector in the frame that the style expects. */
typedef struct snw__style_joint_state {
    snw_vec3 slow, slow_speed, fast, fast_speed;
    snw_quat held;    /* its turn in the style's frames when it was seen last */
    double share;     /* of the style, the rest is `held` */
    double seconds;   /* since the joint was seen */
    double deviation; /* of what was made up, radians; 0: it was seen */
    bool was_seen;    /* in any frame */
    bool is_hidden;
} snw__style_joint_state;

typedef struct snw__style_segments {
    snw__style_body body; /* body.style NULL: there is no style, and no arrays */
    snw__style_condition condition;
    snw__style_judge judge;
    double rate; /* frames per second */
    int64_t frame;
    snw__style_moment now, last, mark[2]; /* marks are SNW__DEPARTURE_SECONDS apart */
    bool *is_known;                       /* (feature_count) */
    double *mean, *variance, *mean_then;  /* (feature_count) */
    snw__style_joint_state *state;        /* (joint_count) */
    bool is_asleep;                       /* poses are left as they are */
} snw__style_segments;

void snw__style_segments_lay_out(snw__style_segments *segments, snw__block *block);
/* Finds the joints of the body, once all arrays are there. SNW_NOT_FOUND: it is another rig. */
snw_status snw__style_segments_begin(snw__style_segments *segments, const snw_allocator *allocator,
                                     snw_error *error);
/* Nothing was seen yet. */
void snw__style_segments_forget(snw__style_segments *segments);
/* Turns the joints of the pose of which the frame shows nothing (rank 0, snw__observability_rank).
 * They keep to the limits of the stepper. True where it did: world is to be filled anew. */
bool snw__style_segments_step(snw__style_segments *segments, const uint8_t *rank,
                              const snw_ik_stepper *stepper, snw_pose *pose);
/* A frame went by without a pose. */
void snw__style_segments_miss(snw__style_segments *segments);

/* ---- a whole trial -----------------------------------------------------------------------------
 */

/* Turns the joints of the motion in all frames that show nothing of them; known (frame_count x
 * joint_count) is of snw__determinacy. */
void snw__style_gaps_fill(snw__style_segments *segments, snw_motion *motion, const uint8_t *known);

#endif

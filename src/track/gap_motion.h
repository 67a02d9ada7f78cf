/* The motion of segments while they are hidden. Internal. */
#ifndef SNW_TRACK_GAP_MOTION_H
#define SNW_TRACK_GAP_MOTION_H

#include <sinew/body.h>

typedef struct snw__gap_curve {
    double seconds;    /* from the near end to the far one */
    snw_vec3 distance; /* of the far end from the near one */
    snw_vec3 near_speed, far_speed;
} snw__gap_curve;

/* How far from the near end after so many seconds. */
snw_vec3 snw__gap_curve_at(const snw__gap_curve *curve, double seconds);

/* The speed of a rotation vector a while the rotation turns at w in its own frame. */
snw_vec3 snw__gap_vector_speed(snw_vec3 a, snw_vec3 w);

/* Joins the two passes over a trial. forward holds poses that carry the past into hidden stretches
 * and receives the result, back those that carry the future; known is (frame_count x joint_count)
 * of snw__determinacy. Joints that a frame determines in full stay as forward
 * has them. */
void snw__gap_motion_fill(snw_motion *forward, const snw_motion *back, const uint8_t *known);

#endif

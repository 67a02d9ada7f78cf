/* Motion made up where limbs were hidden. Internal. */
#ifndef SNW_TRACK_BRIDGE_H
#define SNW_TRACK_BRIDGE_H

#include <sinew/body.h>

typedef struct snw__bridge {
    double seconds;    /* from the near end to the far one */
    snw_vec3 distance; /* of the far end from the near one */
    snw_vec3 near_speed, far_speed;
} snw__bridge;

/* How far from the near end after so many seconds. */
snw_vec3 snw__bridge_at(const snw__bridge *bridge, double seconds);

/* Joins the two passes over a trial. forward holds poses that carry the past into hidden stretches
 * and receives the result, back those that carry the future; hold is (frame_count x joint_count)
 * of snw__hold. Joints that a frame holds in full stay as forward has them. */
void snw__bridge_hidden(snw_motion *forward, const snw_motion *back, const uint8_t *hold);

#endif

/* How a joint turned, and what that leaves open about its centre. Internal.
 *
 * A centre that is off by d shows as w x d when the segment turns by the vector w: by
 *
 *     d^T (tr(S) 1 - S) d, S the mean of w w^T,
 *
 * in the mean square. Skin that slides in step with the turns hides as much, and no number of
 * frames helps: about the axis of a hinge the centre is open by the slip over the little that the
 * joint turns across it. */
#ifndef SNW_CALIBRATE_JOINT_TURNS_H
#define SNW_CALIBRATE_JOINT_TURNS_H

#include <sinew/math.h>

typedef struct snw__joint_turns {
    snw_quat reference; /* one of the rotations, child to parent */
    snw_mat3 spread;    /* of turns about their mean, square radians, in the child's frame */
} snw__joint_turns;

/* Of `count` rotations, `stride` apart in the array. */
snw__joint_turns snw__joint_turns_of(const snw_quat *rotation, int count, int stride);

/* The axis of most of the turning in the child's frame, as long as the arc (rms, radians); zero
 * where a second axis turns nearly as much. */
snw_vec3 snw__joint_turns_axis(const snw__joint_turns *turns);

/* Covariance of the centre in the child's frame, square metres, where `slip` metres (rms) between
 * the two segments' ideas of it are skin's. */
snw_mat3 snw__joint_turns_open(const snw__joint_turns *turns, double slip);

#endif

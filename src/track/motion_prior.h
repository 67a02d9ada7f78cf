/* How far a joint can have turned since the frame before: not farther than its markers travelled.
 * Internal. */
#ifndef SNW_TRACK_MOTION_PRIOR_H
#define SNW_TRACK_MOTION_PRIOR_H

#include <sinew/actor.h>

#include "base/memory.h"

typedef struct snw__motion_prior {
    const snw_actor *actor;
    const int *first;     /* (joint_count + 1) markers of joint j: first[j] .. first[j + 1] - 1 */
    const snw_vec3 *seen; /* (marker_count) of this frame, metres */
    const double *sample_weight; /* (marker_count) not 0 where there is a sample */
    snw_vec3 *before;            /* (marker_count) of the frame before */
    bool *was_seen;              /* (marker_count) */
} snw__motion_prior;

/* Takes the arrays; the other fields are set by the caller. */
void snw__motion_prior_lay_out(snw__motion_prior *prior, snw__block *block);
/* This frame is the frame before from now on. */
void snw__motion_prior_remember(snw__motion_prior *prior);
/* Nothing is known of the frame before. */
void snw__motion_prior_forget(snw__motion_prior *prior);
/* The mean square of the joint's turn since the frame before, square radians, as far as markers
 * travelled. `carry` is what the parent's segment did since then in the world. INFINITY where
 * markers do not tell. */
double snw__motion_prior_turn2(const snw__motion_prior *prior, int joint, snw_xform carry);
/* The same that noise pretends: noise2 is the variance of a marker's coordinate. */
double snw__motion_prior_noise2(const snw__motion_prior *prior, double noise2);

#endif

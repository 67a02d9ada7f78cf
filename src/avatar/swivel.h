/* The regression behind the method `auto`: where the elbow is across the arm, given the hand's
 * place and pose in the chest's frame. Internal. scripts/fit_swivel_prior says how the table was
 * made. */
#ifndef SNW_AVATAR_SWIVEL_H
#define SNW_AVATAR_SWIVEL_H

#include <sinew/avatar.h>

#define SNW__SWIVEL_INPUTS   SNW_AVATAR_SWIVEL_INPUTS
#define SNW__SWIVEL_FEATURES SNW_AVATAR_SWIVEL_FEATURES
#define SNW__SWIVEL_ROWS     SNW_AVATAR_SWIVEL_ROWS

extern const float snw__swivel_omega[SNW__SWIVEL_INPUTS][SNW__SWIVEL_FEATURES];
extern const float snw__swivel_phase[SNW__SWIVEL_FEATURES];
extern const float snw__swivel_weights[SNW__SWIVEL_ROWS][3];
extern const float snw__forearm_weights[SNW__SWIVEL_ROWS][3];

/* An arm as the regression sees it: a left one, in the chest's axes. */
typedef struct snw__swivel_input {
    snw_vec3 reach; /* wrist from shoulder, in arm lengths */
    snw_quat hand;  /* turn of the hand since the T-pose */
} snw__swivel_input;

/* The same for the other side: mirrored at the plane x = 0. */
static inline snw_vec3 snw__mirror_point(snw_vec3 v)
{
    return snw_vec3_make(-v.x, v.y, v.z);
}

static inline snw_quat snw__mirror_turn(snw_quat q)
{
    return snw_quat_make(q.w, q.x, -q.y, -q.z);
}

/* All rows of the regression for one arm: features, inputs, 1. */
void snw__swivel_rows(const snw__swivel_input *input, float rows[SNW__SWIVEL_ROWS]);
/* Elbow from the centre of its circle, in upper-arm lengths; only the part across the arm means
 * something. `extra` is added to the built-in weights, or NULL. */
snw_vec3 snw__swivel_predict(const snw__swivel_input *input, const float (*extra)[3]);
/* Direction of the forearm from elbow to wrist, in the chest's axes; unit. */
snw_vec3 snw__forearm_predict(const snw__swivel_input *input);

#endif

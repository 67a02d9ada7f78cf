/* Feet that no tracker shows: they stand until the body has left them, then step after it.
 * Internal.
 */
#ifndef SNW_AVATAR_LEGS_H
#define SNW_AVATAR_LEGS_H

#include <sinew/avatar.h>

typedef struct snw__legs {
    bool is_running;
    snw_vec3 foot[2];   /* ankles, world */
    snw_vec3 from[2];   /* of the step under way */
    double progress[2]; /* 0..1 of a step; 1 = stands */
    snw_vec3 velocity;  /* of the pelvis, along the floor, filtered */
    snw_vec3 last_pelvis;
} snw__legs;

typedef struct snw__legs_input {
    snw_xform pelvis;
    snw_vec3 up;
    double floor;
    double dt;
    double hip_width, ankle, leg_length;
} snw__legs_input;

/* Moves the ankles on by dt. */
void snw__legs_step(snw__legs *legs, const snw__legs_input *input);

#endif

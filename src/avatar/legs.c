/* A walk script: each foot has a place beside the body's middle; when the body has moved a third of
 * a leg away from where the feet stand, or turned off it, the foot that is farther from its place
 * steps there, a little ahead of the motion, in 0.35 s. One foot at a time. */
#include "avatar/legs.h"
#include "avatar/avatar_constants.h"

static snw_vec3 place_of(const snw__legs_input *input, int side, snw_vec3 ahead)
{
    snw_vec3 left = snw_quat_rotate(input->pelvis.rotation, snw_vec3_make(1, 0, 0));
    left = snw_vec3_add_scaled(left, -snw_vec3_dot(left, input->up), input->up);
    left = snw_vec3_unit(left, snw_vec3_perpendicular(input->up));
    double off = 0.5 * input->hip_width * (side ? -1.15 : 1.15);
    snw_vec3 place = snw_vec3_add(input->pelvis.translation, snw_vec3_scale(left, off));
    place = snw_vec3_add(place, ahead);
    double height = input->floor + input->ankle - snw_vec3_dot(place, input->up);
    return snw_vec3_add_scaled(place, height, input->up);
}

void snw__legs_step(snw__legs *legs, const snw__legs_input *input)
{
    snw_vec3 still = snw_vec3_make(0, 0, 0);
    if (!legs->is_running) {
        for (int side = 0; side < 2; side++) {
            legs->foot[side] = legs->from[side] = place_of(input, side, still);
            legs->progress[side] = 1;
        }
        legs->velocity = still;
        legs->last_pelvis = input->pelvis.translation;
        legs->is_running = true;
        return;
    }
    snw_vec3 way = snw_vec3_sub(input->pelvis.translation, legs->last_pelvis);
    way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, input->up), input->up);
    /* seconds */
    double share = input->dt / (input->dt + AVATAR_CHEST_LAG);
    if (input->dt > 0)
        legs->velocity = snw_vec3_lerp(legs->velocity, snw_vec3_scale(way, 1 / input->dt), share);
    legs->last_pelvis = input->pelvis.translation;
    snw_vec3 ahead = snw_vec3_scale(legs->velocity, 0.5 * LEGS_STEP_SECONDS);
    double off[2];
    for (int side = 0; side < 2; side++)
        off[side] = snw_vec3_distance(legs->foot[side], place_of(input, side, still));
    if (legs->progress[0] >= 1 && legs->progress[1] >= 1) {
        int side = off[1] > off[0];
        if (off[side] > LEGS_STRIDE * input->leg_length) {
            legs->progress[side] = 0;
            legs->from[side] = legs->foot[side];
        }
    }
    for (int side = 0; side < 2; side++) {
        if (legs->progress[side] >= 1) continue;
        legs->progress[side] = fmin(1, legs->progress[side] + input->dt / LEGS_STEP_SECONDS);
        double t = legs->progress[side], smooth = t * t * (3 - 2 * t);
        snw_vec3 to = place_of(input, side, ahead);
        snw_vec3 foot = snw_vec3_lerp(legs->from[side], to, smooth);
        double lift = LEGS_LIFT * input->leg_length * 4 * t * (1 - t);
        legs->foot[side] = snw_vec3_add_scaled(foot, lift, input->up);
    }
}

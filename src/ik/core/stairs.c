/* Stairs on the way of a motion, and the motion led over them: feet on the ground frame by frame
 * (character.c). */
#include <sinew/ik_character.h>

#include "base/fail.h"

double snw_stairs_height(const snw_stairs *stairs, snw_vec3 place)
{
    double way = snw_vec3_dot(snw_vec3_sub(place, stairs->from), stairs->along);
    double steps = stairs->run > 0 ? floor(way / stairs->run) : 0;
    return stairs->floor + stairs->rise * fmax(steps, 0);
}

static bool stair_at(void *context, snw_vec3 place, double *height, snw_vec3 *normal)
{
    *height = snw_stairs_height(context, place);
    *normal = snw_vec3_make(0, 1, 0);
    return true;
}

snw_terrain snw_stairs_terrain(snw_stairs *stairs)
{
    return (snw_terrain){stair_at, stairs};
}

snw_stairs snw_stairs_before(const snw_motion *motion, double rise, double run, snw_pose *pose)
{
    snw_stairs stairs = {.rise = rise, .run = run, .along = {0, 0, 1}};
    double lowest = INFINITY;
    if (motion->frame_count == 0) return stairs;
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 0; j < pose->skeleton->joint_count; j++) {
            lowest = fmin(lowest, pose->world[j].translation.y);
            if (pose->skeleton->has_tip[j]) lowest = fmin(lowest, snw_pose_tip(pose, j).y);
        }
    }
    stairs.floor = lowest;
    snw_motion_get(motion, (int)fmin(motion->rate, motion->frame_count - 1), pose);
    snw_vec3 end = pose->root.translation;
    snw_motion_get(motion, 0, pose);
    stairs.from = pose->root.translation;
    snw_vec3 way = snw_vec3_sub(end, stairs.from);
    way.y = 0;
    stairs.along = snw_vec3_unit(way, stairs.along);
    return stairs;
}

snw_status snw_motion_climb(const snw_motion *motion, double rise, double run,
                            const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    snw_pose *pose = NULL;
    snw_feet *feet = NULL;
    if (out) *out = NULL;
    if (!motion || !out || !(fabs(rise) <= 10) || !(run >= 0.05 && run <= 1000))
        return snw__fail(
            error, SNW_INVALID_ARGUMENT,
            "stairs for a motion rise by at most 10 m a step and run for 0.05 or more");
    snw_status status = snw_pose_create(motion->skeleton, allocator, &pose, error);
    snw_feet_options options = snw_feet_options_default();
    snw_stairs stairs = {0};
    if (status == SNW_OK) {
        stairs = snw_stairs_before(motion, rise, run, pose);
        options.floor = stairs.floor;
        options.drop_max = INFINITY; /* nobody else leads the root down */
        status = snw_feet_create(motion->skeleton, &options, allocator, &feet, error);
    }
    if (status == SNW_OK)
        status = snw_motion_create(motion->skeleton, motion->frame_count, motion->rate, allocator,
                                   out, error);
    snw_terrain ground = snw_stairs_terrain(&stairs);
    for (int f = 0; status == SNW_OK && f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        (void)snw_feet_place(feet, &ground, f > 0 ? 1 / motion->rate : 0, 1, pose);
        snw_motion_set(*out, f, pose);
    }
    snw_feet_destroy(feet);
    snw_pose_destroy(pose);
    return status;
}

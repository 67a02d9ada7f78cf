/* Segments in the world, and the body brought onto them; see the header. */
#include "track/segment_path.h"
#include "person/movement.h"
#include "track/track_constants.h"

void snw__segment_path_lay_out(snw__segment_path *path, snw__block *block)
{
    size_t frames = (size_t)path->frame_max, joints = (size_t)path->skeleton->joint_count;
    path->segment = snw__block_take(block, snw__size_mul(frames, joints), sizeof *path->segment);
    path->goal = snw__block_take(block, joints, sizeof *path->goal);
}

snw_status snw__segment_path_begin(snw__segment_path *path, const snw_allocator *allocator,
                                   snw_error *error)
{
    int joints = path->skeleton->joint_count;
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    options.use_limits = false; /* what was solved may lie beyond those of the skeleton */
    for (int j = 0; j < joints; j++)
        path->goal[j] =
            snw_goal_pose(j, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0), snw_quat_identity());
    snw_status status = snw_ik_stepper_create(&(snw_ik_problem){path->skeleton, path->goal, joints},
                                              &options, allocator, &path->stepper, error);
    if (status == SNW_OK) status = snw_pose_create(path->skeleton, allocator, &path->pose, error);
    return status;
}

void snw__segment_path_end(snw__segment_path *path)
{
    snw_pose_destroy(path->pose);
    snw_ik_stepper_destroy(path->stepper);
    path->pose = NULL;
    path->stepper = NULL;
}

double *snw__channel_component(snw_xform *segment, int channel, int component)
{
    double *place[3] = {&segment->translation.x, &segment->translation.y, &segment->translation.z};
    double *turn[4] = {&segment->rotation.w, &segment->rotation.x, &segment->rotation.y,
                       &segment->rotation.z};
    return channel % 2 ? turn[component] : place[component];
}

void snw__segment_path_look(snw__segment_path *path, const snw_motion *motion, int first, int count)
{
    for (int f = 0; f < count; f++) {
        snw_motion_get(motion, first + f, path->pose);
        snw_pose_forward(path->pose);
        for (int j = 0; j < path->skeleton->joint_count; j++) {
            snw_xform *segment = snw__segment_path_of(path, j) + f;
            *segment = path->pose->world[j];
            if (f > 0 && snw_quat_dot(segment->rotation, segment[-1].rotation) < 0)
                segment->rotation = snw_quat_neg(segment->rotation);
        }
    }
}

/* The heaviest place weighs 1. */
void snw__segment_path_weigh(snw__segment_path *path, const snw_smoothing *told)
{
    double least = INFINITY, size = path->skeleton->size > 0 ? path->skeleton->size : 1;
    for (int j = 0; j < path->skeleton->joint_count; j++)
        least = fmin(least, fmax(told[j].place_noise, SNW__FINEST));
    for (int j = 0; j < path->skeleton->joint_count; j++) {
        double place = fmax(told[j].place_noise, SNW__FINEST);
        /* Metres and radians. Least noise that places and turns are weighed by: of a motion without
         * any all count alike. */
        double turn = fmax(told[j].turn_noise, SNW__NOISE_MIN);
        path->goal[j].weight = least * least / (place * place);
        path->goal[j].turn_weight = place / (turn * size);
    }
}

void snw__segment_path_bring(snw__segment_path *path, int at, snw_motion *motion, int frame)
{
    snw_motion_get(motion, frame, path->pose);
    snw_pose_forward(path->pose);
    for (int j = 0; j < path->skeleton->joint_count; j++) {
        const snw_xform *segment = snw__segment_path_of(path, j) + at;
        path->goal[j].position = segment->translation;
        path->goal[j].orientation = snw_quat_normalize(segment->rotation);
    }
    snw_ik_stepper_restart(path->stepper);
    for (int k = 0; k < SEGMENT_PATH_STEPS; k++) {
        snw_ik_step step = snw_ik_stepper_step(path->stepper, path->goal, path->pose);
        if (step.largest_move < SEGMENT_PATH_STILL) break;
    }
    snw_motion_set(motion, frame, path->pose);
}

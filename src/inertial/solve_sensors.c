/* A body's motion from inertial sensors alone.
 *
 * In the pose at the beginning the segments' turns are known but for the way the person faces. With
 * headings put right, what a sensor turned by since then its segment turned by. Knees bend
 * backwards: the sum of the turns of the shanks against the thighs points to the person's left,
 * and that tells the facing. */
#include <math.h>
#include <string.h>

#include <sinew/rig.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "inertial/sensing.h"

typedef struct solve_job {
    const snw_inertial *in;
    const snw_skeleton *body;
    snw_inertial_options options;
    int pose_count;     /* frames */
    int *joint;         /* (sensor_count) */
    double *heading;    /* (frame_count x sensor_count) */
    double *sigma;      /* (sensor_count) */
    snw_quat *standing; /* (sensor_count) turn in the pose, heading put right */
    snw_quat *fixed;    /* (sensor_count) sensor_from_joint */
    uint8_t *is_turned; /* (joint_count) */
    snw_quat *world;    /* (joint_count) */
    snw_pose *pose;
} solve_job;

static void lay_out(void *object, snw__block *block)
{
    solve_job *job = object;
    size_t sensors = (size_t)job->in->sensor_count, joints = (size_t)job->body->joint_count;
    job->joint = snw__block_take(block, sensors, sizeof *job->joint);
    job->heading = snw__block_take(block, snw__size_mul(sensors, (size_t)job->in->frame_count),
                                   sizeof *job->heading);
    job->sigma = snw__block_take(block, sensors, sizeof *job->sigma);
    job->standing = snw__block_take(block, sensors, sizeof *job->standing);
    job->fixed = snw__block_take(block, sensors, sizeof *job->fixed);
    job->is_turned = snw__block_take(block, joints, sizeof *job->is_turned);
    job->world = snw__block_take(block, joints, sizeof *job->world);
}

snw_inertial_options snw_inertial_options_default(void)
{
    snw_inertial_options options;
    memset(&options, 0, sizeof options);
    options.pose_seconds = 1;
    return options;
}

/* With the heading put right. */
static snw_quat turn_of(const solve_job *job, int frame, int sensor)
{
    size_t at = (size_t)frame * (size_t)job->in->sensor_count + (size_t)sensor;
    return snw_quat_mul(snw_quat_from_axis_angle(job->in->up, job->heading[at]), job->in->turn[at]);
}

/* ---- the pose in the beginning --------------------------------------------------------------- */

static snw_status find_standing(solve_job *job, snw_error *error)
{
    int count =
        (int)fmin(fmax(round(job->options.pose_seconds * job->in->rate), 1), job->in->frame_count);
    for (int s = 0; s < job->in->sensor_count; s++) {
        snw__turn_mean mean = {{0}, 0};
        for (int f = 0; f < count; f++)
            if (snw__inertial_has(job->in, f, s)) snw__turn_add(&mean, turn_of(job, f, s), 1);
        if (job->joint[s] >= 0 && mean.weight == 0)
            return snw__fail_at(error, SNW_DEGENERATE, snw__at_name(s, job->in->name[s]),
                                "sensor %s is missing in the pose at the beginning (%d frames)",
                                job->in->name[s], count);
        job->standing[s] = snw__turn_of(&mean);
    }
    job->pose_count = count;
    return SNW_OK;
}

static int sensor_of(const solve_job *job, snw_part part, snw_side side)
{
    for (int s = 0; s < job->in->sensor_count; s++) {
        snw_side other;
        if (job->joint[s] >= 0 && snw_rig_part_of(job->body, job->joint[s], &other) == part &&
            other == side)
            return s;
    }
    return -1;
}

/* The way to the person's left, by the knees; its length: how much they tell. */
static snw_vec3 left_by_knees(const solve_job *job)
{
    snw_vec3 left = snw_vec3_make(0, 0, 0);
    for (int k = SNW_SIDE_LEFT; k <= SNW_SIDE_RIGHT; k++) {
        int thigh = sensor_of(job, SNW_PART_UPLEG, (snw_side)k);
        int shank = sensor_of(job, SNW_PART_LEG, (snw_side)k);
        if (thigh < 0 || shank < 0) continue;
        for (int f = job->pose_count; f < job->in->frame_count; f++) {
            if (!snw__inertial_has(job->in, f, thigh) || !snw__inertial_has(job->in, f, shank))
                continue;
            snw_quat upper =
                snw_quat_mul(turn_of(job, f, thigh), snw_quat_conjugate(job->standing[thigh]));
            snw_quat lower =
                snw_quat_mul(turn_of(job, f, shank), snw_quat_conjugate(job->standing[shank]));
            left = snw_vec3_add(left, snw_quat_log(snw_quat_mul(snw_quat_conjugate(upper), lower)));
        }
    }
    return snw_vec3_add_scaled(left, -snw_vec3_dot(left, job->in->up), job->in->up);
}

/* world_from_rest of the whole body in the pose. */
static snw_quat find_facing(const solve_job *job)
{
    snw_quat upright = snw_quat_between(snw_vec3_make(0, 1, 0), job->in->up);
    snw_vec3 left = left_by_knees(job), is = snw_quat_rotate(upright, snw_vec3_make(1, 0, 0));
    /* Knees that bent by a twentieth of a radian on average say which way. */
    double least = 0.05 * (job->in->frame_count - job->pose_count);
    if (!(snw_vec3_length(left) > least)) {
        snw__note(job->options.notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "no knee bends, so nothing tells which way the person faced in the pose: along "
                  "the sensors' first axis is assumed");
        return upright;
    }
    double angle =
        snw__atan2(snw_vec3_dot(snw_vec3_cross(is, left), job->in->up), snw_vec3_dot(is, left));
    return snw_quat_mul(snw_quat_from_axis_angle(job->in->up, angle), upright);
}

/* Arms that hang: by a quarter turn about the person's forward axis, palms to the thighs. */
static snw_quat arm_down(const solve_job *job, int joint)
{
    snw_side side = SNW_SIDE_NONE;
    snw_part part = snw_rig_part_of(job->body, joint, &side);
    bool is_arm = part == SNW_PART_ARM || part == SNW_PART_FOREARM || part == SNW_PART_HAND;
    if (!job->options.has_arms_down || !is_arm) return snw_quat_identity();
    return snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1),
                                    side == SNW_SIDE_LEFT ? -SNW_PI / 2 : SNW_PI / 2);
}

static void align(solve_job *job)
{
    snw_quat facing = find_facing(job);
    snw_pose_reset(job->pose);
    job->pose->root.rotation = facing;
    for (int s = 0; s < job->in->sensor_count; s++) {
        int j = job->joint[s];
        if (j < 0) continue;
        snw_quat rest = snw_quat_mul(arm_down(job, j), job->pose->world[j].rotation);
        snw_quat there = snw_quat_mul(facing, rest);
        job->fixed[s] = snw_quat_mul(snw_quat_conjugate(job->standing[s]), there);
        job->is_turned[j] = 1;
        job->world[j] = there; /* until it is first seen */
    }
}

/* ---- where it stands ------------------------------------------------------------------------- */

/* The ends of the feet: what is lowest of each. */
static snw_vec3 lowest_of(const solve_job *job, snw_side side, bool *is_there)
{
    snw_vec3 lowest = snw_vec3_make(0, 0, 0);
    *is_there = false;
    for (int j = 0; j < job->body->joint_count; j++) {
        snw_side other;
        snw_part part = snw_rig_part_of(job->body, j, &other);
        if (other != side || (part != SNW_PART_FOOT && part != SNW_PART_TOE)) continue;
        snw_vec3 at = snw_pose_tip(job->pose, j);
        if (*is_there && snw_vec3_dot(at, job->in->up) >= snw_vec3_dot(lowest, job->in->up))
            continue;
        lowest = at;
        *is_there = true;
    }
    return lowest;
}

/* The lower foot stays where it was and on the floor; the body goes over it. */
static void stand(solve_job *job, snw_vec3 before[2], bool *has_before)
{
    bool is_there[2];
    snw_vec3 foot[2] = {lowest_of(job, SNW_SIDE_LEFT, is_there),
                        lowest_of(job, SNW_SIDE_RIGHT, is_there + 1)};
    if (!is_there[0] || !is_there[1]) return;
    double height[2] = {snw_vec3_dot(foot[0], job->in->up), snw_vec3_dot(foot[1], job->in->up)};
    int lower = height[1] < height[0];
    snw_vec3 move = *has_before ? snw_vec3_sub(before[lower], foot[lower]) : snw_vec3_make(0, 0, 0);
    double level = height[lower] + snw_vec3_dot(move, job->in->up);
    move = snw_vec3_add_scaled(move, -level, job->in->up);
    job->pose->root.translation = snw_vec3_add(job->pose->root.translation, move);
    for (int k = 0; k < 2; k++)
        before[k] = snw_vec3_add(foot[k], move);
    *has_before = true;
}

static void write_frames(solve_job *job, snw_motion *motion)
{
    snw_vec3 before[2];
    bool has_before = false;
    snw_pose_reset(job->pose);
    for (int f = 0; f < job->in->frame_count; f++) {
        for (int s = 0; s < job->in->sensor_count; s++)
            if (job->joint[s] >= 0 && snw__inertial_has(job->in, f, s))
                job->world[job->joint[s]] = snw_quat_mul(turn_of(job, f, s), job->fixed[s]);
        snw__inertial_pose(job->body, job->is_turned, job->world, job->pose);
        stand(job, before, &has_before);
        snw_motion_set(motion, f, job->pose);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void report(const solve_job *job)
{
    snw_inertial_sensor *out = job->options.sensor;
    int frames = job->in->frame_count, sensors = job->in->sensor_count;
    for (int s = 0; out && s < sensors; s++) {
        double middle =
            frames ? job->heading[(size_t)(frames / 2) * (size_t)sensors + (size_t)s] : 0;
        out[s] = (snw_inertial_sensor){.joint = job->joint[s],
                                       .heading = middle,
                                       .sigma = job->sigma[s],
                                       .to_segment = snw_quat_log(job->fixed[s])};
        for (int f = 0; f < frames; f++)
            out[s].drift = fmax(
                out[s].drift, fabs(job->heading[(size_t)f * (size_t)sensors + (size_t)s] - middle));
    }
}

static snw_status check(const snw_inertial *in, const snw_skeleton *body, snw_motion **out,
                        snw_error *error)
{
    if (!in || !body || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "sensors, body or out is NULL");
    *out = NULL;
    if (!(in->rate > 0) || in->frame_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d frames at %g Hz are no recording",
                         in->frame_count, in->rate);
    if (!(fabs(snw_vec3_length(in->up) - 1) < 1e-6))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "up is no unit vector");
    return SNW_OK;
}

/* Joints and headings, which both ways begin with. */
static snw_status prepare(solve_job *job, snw_error *error)
{
    int known = 0;
    snw__inertial_joints(job->in, job->body, job->joint, job->options.notes);
    for (int s = 0; s < job->in->sensor_count; s++)
        known += job->joint[s] >= 0;
    if (!known)
        return snw__fail(error, SNW_NOT_FOUND,
                         "no sensor is called as a segment of the body: the first is \"%.60s\"",
                         job->in->name[0]);
    if (job->options.keeps_headings) return SNW_OK;
    return snw__inertial_headings(job->in, job->body, job->joint, job->heading, job->sigma, error);
}

snw_status snw_inertial_solve(const snw_inertial *sensors, const snw_skeleton *body,
                              const snw_inertial_options *options, const snw_allocator *allocator,
                              snw_motion **out, snw_error *error)
{
    snw_status status = check(sensors, body, out, error);
    if (status != SNW_OK) return status;
    solve_job job = {.in = sensors, .body = body};
    job.options = SNW__WANTS_DEFAULTS(options) ? snw_inertial_options_default() : *options;
    const snw__bounds bounds[] = {{"pose_seconds", job.options.pose_seconds, 0, 1e6}};
    status = snw__check_bounds(bounds, 1, error);
    if (status != SNW_OK) return status;
    const snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out, &job, &memory, "sensors", error);
    if (status != SNW_OK) return status;
    status = snw_pose_create(body, &memory, &job.pose, error);
    if (status == SNW_OK) status = prepare(&job, error);
    if (status == SNW_OK) status = find_standing(&job, error);
    if (status == SNW_OK)
        status = snw_motion_create(body, sensors->frame_count, sensors->rate, &memory, out, error);
    if (status == SNW_OK) {
        align(&job);
        write_frames(&job, *out);
        report(&job);
    }
    snw_pose_destroy(job.pose);
    snw__block_release(&memory, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

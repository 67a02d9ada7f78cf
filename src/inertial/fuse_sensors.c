/* Sensors together with a motion by markers or keypoints.
 *
 * A segment's turn by markers is M = G T S: T what its sensor says (heading put right), S how it is
 * strapped on, G the turn between the two worlds. G and S are each other's mean over the frames in
 * which the segment is seen (as in hand-eye calibration, Park & Martin 1994), from several starts,
 * since no pose tells. What is left, M (G T S)^-1, is the sensor's drift and the markers' noise: it
 * is averaged over a fifth of a second, and goes straight over frames in which nothing was seen. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "inertial/sensing.h"

enum {
    FUSE_FRAMES = 400, /* that G and S are found from */
    FUSE_HEADINGS = 8, /* starts */
    FUSE_ROUNDS = 20,
    FUSE_PARTS = 5 /* of a second, over which is averaged */
};

typedef struct fuse_job {
    const snw_inertial *in;
    const snw_motion *motion;
    snw_inertial_options options;
    int frame_count; /* that both have */
    int *joint;      /* (sensor_count) */
    double *heading; /* (frame_count x sensor_count) */
    double *sigma;
    snw_quat *world;   /* (frame_count x joint_count) by the markers, then by both */
    snw_vec3 *left;    /* (frame_count) M (G T S)^-1 of the sensor at hand */
    uint8_t *is_known; /* (frame_count) */
    snw_pose *pose;
} fuse_job;

static void lay_out(void *object, snw__block *block)
{
    fuse_job *job = object;
    size_t sensors = (size_t)job->in->sensor_count, frames = (size_t)job->in->frame_count;
    size_t joints = (size_t)job->motion->skeleton->joint_count;
    job->joint = snw__block_take(block, sensors, sizeof *job->joint);
    job->heading = snw__block_take(block, snw__size_mul(sensors, frames), sizeof *job->heading);
    job->sigma = snw__block_take(block, sensors, sizeof *job->sigma);
    job->world = snw__block_take(block, snw__size_mul(joints, (size_t)job->motion->frame_count),
                                 sizeof *job->world);
    job->left = snw__block_take(block, (size_t)job->motion->frame_count, sizeof *job->left);
    job->is_known = snw__block_take(block, (size_t)job->motion->frame_count, 1);
}

static snw_quat *world_of(const fuse_job *job, int frame, int joint)
{
    return job->world + (size_t)frame * (size_t)job->motion->skeleton->joint_count + (size_t)joint;
}

static snw_quat turn_of(const fuse_job *job, int frame, int sensor)
{
    size_t at = (size_t)frame * (size_t)job->in->sensor_count + (size_t)sensor;
    return snw_quat_mul(snw_quat_from_axis_angle(job->in->up, job->heading[at]), job->in->turn[at]);
}

static bool sees(const fuse_job *job, int frame, int sensor)
{
    int joint = job->joint[sensor];
    const uint8_t *seen = job->options.is_seen;
    return snw__inertial_has(job->in, frame, sensor) &&
           (!seen ||
            seen[(size_t)frame * (size_t)job->motion->skeleton->joint_count + (size_t)joint]);
}

/* ---- how a sensor sits ----------------------------------------------------------------------- */

typedef struct fuse_fit {
    snw_quat world, strap; /* G, S */
    double cost;
} fuse_fit;

/* One mean from the other; the cost is the mean square of what is left. */
static void improve(const fuse_job *job, int sensor, int step, fuse_fit *fit)
{
    for (int round = 0; round < FUSE_ROUNDS; round++) {
        snw__turn_mean strap = {{0}, 0}, world = {{0}, 0};
        for (int f = 0; f < job->frame_count; f += step) {
            if (!sees(job, f, sensor)) continue;
            snw_quat t = snw_quat_mul(fit->world, turn_of(job, f, sensor));
            snw__turn_add(
                &strap, snw_quat_mul(snw_quat_conjugate(t), *world_of(job, f, job->joint[sensor])),
                1);
        }
        fit->strap = snw__turn_of(&strap);
        for (int f = 0; f < job->frame_count; f += step) {
            if (!sees(job, f, sensor)) continue;
            snw_quat t = snw_quat_mul(turn_of(job, f, sensor), fit->strap);
            snw__turn_add(
                &world, snw_quat_mul(*world_of(job, f, job->joint[sensor]), snw_quat_conjugate(t)),
                1);
        }
        fit->world = snw__turn_of(&world);
    }
    double sum = 0, count = 0;
    for (int f = 0; f < job->frame_count; f += step) {
        if (!sees(job, f, sensor)) continue;
        snw_quat made = snw_quat_mul(snw_quat_mul(fit->world, turn_of(job, f, sensor)), fit->strap);
        double dot = snw_quat_dot(made, *world_of(job, f, job->joint[sensor]));
        sum += 1 - dot * dot;
        count++;
    }
    fit->cost = count > 0 ? sum / count : 1;
}

/* The best of starts in which the sensors' up is the body's y or z, either way, with any heading.
 */
static bool fit_sensor(const fuse_job *job, int sensor, fuse_fit *best)
{
    static const snw_vec3 ups[4] = {{0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}};
    int seen = 0;
    for (int f = 0; f < job->frame_count; f++)
        seen += sees(job, f, sensor);
    best->cost = 2;
    int step = seen / FUSE_FRAMES + 1;
    for (int n = 0; n < 4 * FUSE_HEADINGS && seen >= 2; n++) {
        double angle = 2 * SNW_PI * (n / 4) / FUSE_HEADINGS;
        fuse_fit fit = {.world = snw_quat_mul(snw_quat_from_axis_angle(ups[n % 4], angle),
                                              snw_quat_between(job->in->up, ups[n % 4]))};
        improve(job, sensor, step, &fit);
        if (fit.cost < best->cost) *best = fit;
    }
    return best->cost < 2;
}

/* ---- what is left ---------------------------------------------------------------------------- */

/* Averages over seen frames, forwards and backwards with a fading weight; then straight lines. */
static void smooth_left(fuse_job *job, double fade, snw_vec3 *sum, double *weight)
{
    int n = job->frame_count;
    snw_vec3 run = snw_vec3_make(0, 0, 0);
    double all = 0;
    for (int f = 0; f < n; f++) {
        run = snw_vec3_add(snw_vec3_scale(run, fade),
                           job->is_known[f] ? job->left[f] : snw_vec3_make(0, 0, 0));
        all = all * fade + job->is_known[f];
        sum[f] = run;
        weight[f] = all;
    }
    run = snw_vec3_make(0, 0, 0);
    all = 0;
    for (int f = n - 1; f >= 0; f--) { /* without the frame itself, which the sum has */
        run = snw_vec3_scale(run, fade), all *= fade;
        if (job->is_known[f])
            sum[f] = snw_vec3_scale(snw_vec3_add(sum[f], run), 1 / (weight[f] + all));
        if (job->is_known[f]) run = snw_vec3_add(run, job->left[f]), all += 1;
    }
    int before = -1;
    for (int f = 0; f < n; f++) {
        if (!job->is_known[f]) continue;
        for (int g = before + 1; g < f; g++)
            sum[g] = before < 0
                         ? sum[f]
                         : snw_vec3_lerp(sum[before], sum[f], (double)(g - before) / (f - before));
        before = f;
    }
    for (int g = before + 1; g < n && before >= 0; g++)
        sum[g] = sum[before];
}

static void fuse_sensor(fuse_job *job, int sensor, snw_vec3 *sum, double *weight)
{
    fuse_fit fit = {.cost = 2};
    int joint = job->joint[sensor];
    if (joint < 0 || !fit_sensor(job, sensor, &fit)) return;
    for (int f = 0; f < job->frame_count; f++) {
        job->is_known[f] = sees(job, f, sensor);
        snw_quat made = snw_quat_mul(snw_quat_mul(fit.world, turn_of(job, f, sensor)), fit.strap);
        job->left[f] =
            snw_quat_log(snw_quat_mul(*world_of(job, f, joint), snw_quat_conjugate(made)));
    }
    smooth_left(job, snw__exp(-FUSE_PARTS / job->motion->rate), sum, weight);
    for (int f = 0; f < job->frame_count; f++) {
        if (!snw__inertial_has(job->in, f, sensor)) continue;
        snw_quat made = snw_quat_mul(snw_quat_mul(fit.world, turn_of(job, f, sensor)), fit.strap);
        *world_of(job, f, joint) = snw_quat_mul(snw_quat_exp(sum[f]), made);
    }
    if (job->options.sensor) {
        job->options.sensor[sensor].joint = joint;
        job->options.sensor[sensor].to_segment = snw_quat_log(fit.strap);
        job->options.sensor[sensor].sigma = 2 * sqrt(fit.cost);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void read_worlds(fuse_job *job)
{
    for (int f = 0; f < job->motion->frame_count; f++) {
        snw_motion_get(job->motion, f, job->pose);
        snw_pose_forward(job->pose);
        for (int j = 0; j < job->motion->skeleton->joint_count; j++)
            *world_of(job, f, j) = job->pose->world[j].rotation;
    }
}

/* Joints with a sensor have their new turns, the others what the markers gave them. */
static void write_worlds(fuse_job *job, snw_motion *out)
{
    const snw_skeleton *body = job->motion->skeleton;
    for (int f = 0; f < job->motion->frame_count; f++) {
        snw_motion_get(job->motion, f, job->pose);
        snw_pose_forward(job->pose);
        for (int s = 0; s < job->in->sensor_count; s++) {
            int j = job->joint[s];
            if (j < 0 || f >= job->frame_count || !snw__inertial_has(job->in, f, s)) continue;
            if (j == 0)
                job->pose->root.rotation = snw_quat_mul(
                    *world_of(job, f, 0), snw_quat_conjugate(snw_quat_mul(body->rest[0].rotation,
                                                                          job->pose->rotation[0])));
        }
        for (int j = 1; j < body->joint_count; j++) {
            snw_pose_forward_from(job->pose, j - 1);
            for (int s = 0; s < job->in->sensor_count; s++)
                if (job->joint[s] == j && f < job->frame_count &&
                    snw__inertial_has(job->in, f, s)) {
                    snw_quat rest = snw_quat_mul(job->pose->world[body->parent[j]].rotation,
                                                 body->rest[j].rotation);
                    job->pose->rotation[j] = snw_quat_normalize(
                        snw_quat_mul(snw_quat_conjugate(rest), *world_of(job, f, j)));
                }
        }
        snw_motion_set(out, f, job->pose);
    }
}

static snw_status check(const snw_inertial *in, const snw_motion *motion, snw_error *error)
{
    if (!in || !motion) return snw__fail(error, SNW_INVALID_ARGUMENT, "sensors or motion is NULL");
    if (!(fabs(in->rate - motion->rate) <= 0.001 * motion->rate))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "sensors have %g frames per second, the motion %g: resample one of them",
                         in->rate, motion->rate);
    return SNW_OK;
}

static snw_status fuse(fuse_job *job, const snw_allocator *memory, snw_motion **out,
                       snw_error *error)
{
    const snw_skeleton *body = job->motion->skeleton;
    int known = 0, frames = job->motion->frame_count;
    snw__inertial_joints(job->in, body, job->joint, job->options.notes);
    for (int s = 0; s < job->in->sensor_count; s++)
        known += job->joint[s] >= 0;
    if (!known)
        return snw__fail(error, SNW_NOT_FOUND,
                         "no sensor is called as a segment of the body: the first is \"%.60s\"",
                         job->in->name[0]);
    snw_status status = SNW_OK;
    if (!job->options.keeps_headings)
        status = snw__inertial_headings(job->in, body, job->joint, job->heading, job->sigma, error);
    size_t size = (size_t)frames * (sizeof(snw_vec3) + sizeof(double));
    snw_vec3 *sum = status == SNW_OK ? snw__allocate(memory, size) : NULL;
    if (status == SNW_OK && !sum) status = snw__fail_memory(error, size, "sensors");
    if (status == SNW_OK)
        status = snw_motion_create(body, frames, job->motion->rate, memory, out, error);
    if (status == SNW_OK) {
        read_worlds(job);
        for (int s = 0; s < job->in->sensor_count; s++)
            fuse_sensor(job, s, sum, (double *)(void *)(sum + frames));
        write_worlds(job, *out);
    }
    snw__release(memory, sum, size);
    return status;
}

snw_status snw_inertial_fuse(const snw_inertial *sensors, const snw_motion *motion,
                             const snw_inertial_options *options, const snw_allocator *allocator,
                             snw_motion **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_status status = check(sensors, motion, error);
    if (status != SNW_OK) return status;
    fuse_job job = {.in = sensors, .motion = motion};
    job.options = SNW__WANTS_DEFAULTS(options) ? snw_inertial_options_default() : *options;
    job.frame_count =
        sensors->frame_count < motion->frame_count ? sensors->frame_count : motion->frame_count;
    const snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out, &job, &memory, "sensors", error);
    if (status != SNW_OK) return status;
    status = snw_pose_create(motion->skeleton, &memory, &job.pose, error);
    if (status == SNW_OK) status = fuse(&job, &memory, out, error);
    snw_pose_destroy(job.pose);
    snw__block_release(&memory, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

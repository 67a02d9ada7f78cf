/* Inertial sensors that ride on a body.
 *
 * Each sees its turn rate and specific force with noise and bias, and a north that iron in the room
 * bends: a sum of waves over the place, another one for each sensor's height. Its own filter makes
 * a turn of that, by integrating the rates and leading it slowly to what is up and to north
 * (Mahony, Hamel & Pflimlin 2008, the complementary filter without its integral). */
#include <math.h>
#include <string.h>

#include <sinew/rig.h>
#include <sinew/synth.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "synth/stage.h"

enum {
    SENSORS_MOST = 17,
    SENSORS_WAVES = 5
};

typedef struct sensors_row {
    const char *name;
    snw_part part;
    snw_side side;
} sensors_row;

static const sensors_row sensors_rows[SENSORS_MOST] = {
    {"pelvis", SNW_PART_HIPS, SNW_SIDE_NONE},
    {"chest", SNW_PART_CHEST, SNW_SIDE_NONE},
    {"head", SNW_PART_HEAD, SNW_SIDE_NONE},
    {"left_clavicle", SNW_PART_SHOULDER, SNW_SIDE_LEFT},
    {"left_upperarm", SNW_PART_ARM, SNW_SIDE_LEFT},
    {"left_forearm", SNW_PART_FOREARM, SNW_SIDE_LEFT},
    {"left_hand", SNW_PART_HAND, SNW_SIDE_LEFT},
    {"right_clavicle", SNW_PART_SHOULDER, SNW_SIDE_RIGHT},
    {"right_upperarm", SNW_PART_ARM, SNW_SIDE_RIGHT},
    {"right_forearm", SNW_PART_FOREARM, SNW_SIDE_RIGHT},
    {"right_hand", SNW_PART_HAND, SNW_SIDE_RIGHT},
    {"left_thigh", SNW_PART_UPLEG, SNW_SIDE_LEFT},
    {"left_shank", SNW_PART_LEG, SNW_SIDE_LEFT},
    {"left_foot", SNW_PART_FOOT, SNW_SIDE_LEFT},
    {"right_thigh", SNW_PART_UPLEG, SNW_SIDE_RIGHT},
    {"right_shank", SNW_PART_LEG, SNW_SIDE_RIGHT},
    {"right_foot", SNW_PART_FOOT, SNW_SIDE_RIGHT},
};

/* One sensor as it is strapped on, and what its filter knows. */
typedef struct sensors_one {
    int joint;
    snw_xform joint_from_sensor;
    snw_vec3 gyro_bias, acceleration_bias;
    double wave[SENSORS_WAVES][4]; /* of north: two wave numbers, phase, amplitude */
    snw_quat turn;
    snw_xform at[3]; /* the last, this and the next frame */
} sensors_one;

typedef struct sensors_job {
    snw_synth_sensor_options options;
    const snw_motion *motion;
    int count;
    sensors_one one[SENSORS_MOST];
    snw_random random;
    snw_pose *pose, *rest, *first;
} sensors_job;

snw_synth_sensor_options snw_synth_sensor_options_default(void)
{
    snw_synth_sensor_options options;
    memset(&options, 0, sizeof options);
    options.rest_seconds = 2;
    options.gyro_noise = 0.003;
    options.gyro_bias = 0.003;
    options.acceleration_noise = 0.05;
    options.acceleration_bias = 0.05;
    options.magnetic_trouble = 0.3;
    options.seed = 1;
    return options;
}

static snw_vec3 normal3(snw_random *random, double size)
{
    double x = snw_random_normal(random), y = snw_random_normal(random);
    return snw_vec3_make(size * x, size * y, size * snw_random_normal(random));
}

static void strap_on(sensors_job *job, const char *names[SENSORS_MOST])
{
    const snw_skeleton *body = job->motion->skeleton;
    for (int n = 0; n < SENSORS_MOST; n++) {
        sensors_one *one = job->one + job->count;
        one->joint = -1;
        for (int j = 0; j < body->joint_count; j++) {
            snw_side side;
            if (snw_rig_part_of(body, j, &side) == sensors_rows[n].part &&
                side == sensors_rows[n].side)
                one->joint = j;
        }
        if (one->joint < 0) continue;
        int child = body->first_child[one->joint];
        snw_vec3 end = body->has_tip[one->joint] ? body->tip[one->joint]
                       : child >= 0              ? body->rest[child].translation
                                                 : snw_vec3_make(0, 0, 0);
        one->joint_from_sensor =
            snw_xform_make(snw_random_rotation(&job->random),
                           snw_vec3_add(snw_vec3_scale(end, 0.5), normal3(&job->random, 0.03)));
        one->gyro_bias = normal3(&job->random, job->options.gyro_bias);
        one->acceleration_bias = normal3(&job->random, job->options.acceleration_bias);
        for (int w = 0; w < SENSORS_WAVES; w++) { /* waves of two to six metres */
            double direction = snw_random_range(&job->random, -SNW_PI, SNW_PI);
            double number = 2 * SNW_PI / snw_random_range(&job->random, 2, 6);
            one->wave[w][0] = number * snw__cos(direction);
            one->wave[w][1] = number * snw__sin(direction);
            one->wave[w][2] = snw_random_range(&job->random, -SNW_PI, SNW_PI);
            one->wave[w][3] = job->options.magnetic_trouble * sqrt(2.0 / SENSORS_WAVES);
        }
        names[job->count++] = sensors_rows[n].name;
    }
}

/* The world whose z is up from one whose y is. */
static snw_xform upright(void)
{
    return snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), SNW_PI / 2),
                          snw_vec3_make(0, 0, 0));
}

/* Rest, then a second of going over, then the motion. */
static void pose_at(sensors_job *job, int frame, int rest, int over)
{
    if (frame < rest) {
        snw_pose_copy(job->pose, job->rest);
    } else if (frame < rest + over) {
        snw_pose_interpolate(job->rest, job->first, snw__ease((double)(frame - rest) / over),
                             job->pose);
    } else {
        int last = job->motion->frame_count - 1, at = frame - rest - over;
        snw_motion_get(job->motion, at > last ? last : at, job->pose);
    }
    job->pose->root = snw_xform_mul(upright(), job->pose->root);
    snw_pose_forward(job->pose);
}

static double north_off(const sensors_one *one, snw_vec3 at)
{
    double sum = 0;
    for (int w = 0; w < SENSORS_WAVES; w++)
        sum += one->wave[w][3] *
               snw__sin(one->wave[w][0] * at.x + one->wave[w][1] * at.y + one->wave[w][2]);
    return sum;
}

/* A frame of one sensor: what it feels, and what its filter makes of it. */
static void sense(sensors_job *job, sensors_one *one, bool is_first, double dt, snw_vec3 *felt)
{
    const double lead = 0.2; /* 1/s: how fast the filter follows up and north at rest */
    const snw_vec3 up = snw_vec3_make(0, 0, 1);
    snw_quat now = one->at[1].rotation;
    snw_vec3 force =
        snw_vec3_scale(snw_vec3_add(snw_vec3_sub(one->at[0].translation,
                                                 snw_vec3_scale(one->at[1].translation, 2)),
                                    one->at[2].translation),
                       1 / (dt * dt));
    force.z += 9.81;
    *felt = snw_vec3_add(snw_vec3_add(snw_quat_unrotate(now, force), one->acceleration_bias),
                         normal3(&job->random, job->options.acceleration_noise));
    snw_vec3 rate = snw_vec3_scale(
        snw_quat_log(snw_quat_mul(snw_quat_conjugate(one->at[0].rotation), now)), 1 / dt);
    rate = snw_vec3_add(snw_vec3_add(rate, one->gyro_bias),
                        normal3(&job->random, job->options.gyro_noise));
    double off = north_off(one, one->at[1].translation);
    if (is_first) one->turn = snw_quat_mul(snw_quat_from_axis_angle(up, off), now);
    one->turn = snw_quat_mul(one->turn, snw_quat_exp(snw_vec3_scale(rate, dt)));
    snw_vec3 seen = snw_vec3_unit(snw_quat_rotate(one->turn, *felt), up);
    double heading = snw_quat_twist_angle(snw_quat_mul(one->turn, snw_quat_conjugate(now)), up);
    /* What moves does not say what is up: half as much at half a m/s2 from gravity. */
    double strange = (snw_vec3_length(*felt) - 9.81) / 0.5;
    snw_vec3 correct =
        snw_vec3_scale(snw_vec3_cross(seen, up), lead * dt / (1 + strange * strange));
    correct = snw_vec3_add_scaled(correct, lead * dt * remainder(off - heading, 2 * SNW_PI), up);
    one->turn = snw_quat_normalize(snw_quat_mul(snw_quat_exp(correct), one->turn));
}

static void record(sensors_job *job, snw_inertial *out, snw_motion *whole, int rest, int over)
{
    double dt = 1 / out->rate;
    for (int f = -1; f <= out->frame_count; f++) { /* sensing is of the frame before */
        pose_at(job, f < 0 ? 0 : f, rest, over);
        if (whole && f >= 0 && f < out->frame_count) snw_motion_set(whole, f, job->pose);
        for (int s = 0; s < job->count; s++) {
            sensors_one *one = job->one + s;
            one->at[0] = one->at[1];
            one->at[1] = one->at[2];
            one->at[2] = snw_xform_mul(job->pose->world[one->joint], one->joint_from_sensor);
            if (f < 0) one->at[1] = one->at[2];
            if (f < 1) continue;
            size_t at = (size_t)(f - 1) * (size_t)job->count + (size_t)s;
            sense(job, one, f == 1, dt, out->acceleration + at);
            out->turn[at] = one->turn;
        }
    }
}

snw_status snw_synth_sensors(const snw_motion *motion, const snw_synth_sensor_options *options,
                             const snw_allocator *allocator, snw_inertial **out, snw_motion **whole,
                             snw_error *error)
{
    if (!motion || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "motion or out is NULL");
    *out = NULL;
    if (whole) *whole = NULL;
    sensors_job job;
    memset(&job, 0, sizeof job);
    job.motion = motion;
    job.options = SNW__WANTS_DEFAULTS(options) ? snw_synth_sensor_options_default() : *options;
    const snw_synth_sensor_options *o = &job.options;
    const snw__bounds bounds[] = {{"rest_seconds", o->rest_seconds, 0, 1e4},
                                  {"gyro_noise", o->gyro_noise, 0, 100},
                                  {"gyro_bias", o->gyro_bias, 0, 100},
                                  {"acceleration_noise", o->acceleration_noise, 0, 1000},
                                  {"acceleration_bias", o->acceleration_bias, 0, 1000},
                                  {"magnetic_trouble", o->magnetic_trouble, 0, SNW_PI}};
    snw_status status = snw__check_bounds(bounds, 6, error);
    if (status != SNW_OK) return status;
    if (!(motion->rate > 0) || motion->frame_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the motion has no frames or no rate");
    const char *names[SENSORS_MOST];
    job.random = snw_random_seed(o->seed, 8);
    strap_on(&job, names);
    if (!job.count)
        return snw__fail(error, SNW_NOT_FOUND, "no joint of the body is called as a segment");
    int rest = (int)ceil(o->rest_seconds * motion->rate), over = (int)ceil(motion->rate);
    int frames = motion->frame_count + rest + over;
    status = snw_pose_create(motion->skeleton, allocator, &job.pose, error);
    if (status == SNW_OK) status = snw_pose_create(motion->skeleton, allocator, &job.rest, error);
    if (status == SNW_OK) status = snw_pose_create(motion->skeleton, allocator, &job.first, error);
    if (status == SNW_OK)
        status = snw_inertial_create(names, job.count, frames, allocator, out, error);
    if (status == SNW_OK && whole)
        status = snw_motion_create(motion->skeleton, frames, motion->rate, allocator, whole, error);
    if (status == SNW_OK) {
        snw_motion_get(motion, 0, job.first);
        snw_pose_reset(job.rest);
        double heading = snw_quat_twist_angle(job.first->root.rotation, snw_vec3_make(0, 1, 0));
        job.rest->root = snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), heading),
                                        job.first->root.translation);
        (*out)->rate = motion->rate;
        (*out)->has_acceleration = true;
        record(&job, *out, whole ? *whole : NULL, rest, over);
    } else {
        snw_inertial_destroy(*out);
        *out = NULL;
    }
    snw_pose_destroy(job.pose);
    snw_pose_destroy(job.rest);
    snw_pose_destroy(job.first);
    return status == SNW_OK ? snw__succeed(error) : status;
}

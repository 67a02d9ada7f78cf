/* Any small body, goals, limits in time and support: refused with a sentence, or stepped so that
 * what the header promises holds: finite, unit, inside ranges and speeds, nothing allocated; and
 * trajectories between the poses that were met. */
#include "fuzz_bodies.h"

#include <sinew/ik_servo.h>

#define DOF_MAX (6 * JOINTS_MAX)

typedef struct servo_limits {
    double velocity[DOF_MAX], acceleration[DOF_MAX], jerk[DOF_MAX];
} servo_limits;

/* From a thousandth to a thousand, or none; seldom any number. */
static void make_rates(fuzz_bytes *bytes, double *rates)
{
    for (int k = 0; k < DOF_MAX; k++) {
        unsigned byte = fuzz_byte(bytes);
        rates[k] = byte == 255   ? INFINITY
                   : byte == 254 ? fuzz_number(bytes)
                                 : 1e-3 * (1 + byte * byte);
    }
}

static snw_ik_servo_options make_servo_options(fuzz_bytes *bytes, servo_limits *limits,
                                               const snw_pose *pose, int goal_count)
{
    snw_ik_servo_options options = snw_ik_servo_options_default();
    unsigned more = fuzz_byte(bytes);
    options.root = more & 1 ? SNW_IK_ROOT_FREE : SNW_IK_ROOT_FIXED;
    options.use_limits = !(more & 2);
    if (more & 4) {
        make_rates(bytes, limits->velocity);
        options.limit.velocity = limits->velocity;
    }
    if (more & 8) {
        make_rates(bytes, limits->acceleration);
        options.limit.acceleration = limits->acceleration;
    }
    if (more & 16) {
        make_rates(bytes, limits->jerk);
        options.limit.jerk = limits->jerk;
    }
    if (more & 32) options.gain = fuzz_number(bytes);
    if (more & 64) options.posture = pose;
    if (more & 128) options.manipulability_goal = fuzz_below(bytes, goal_count + 1) - 1;
    return options;
}

static void check_step(const snw_ik_servo *servo, const snw_ik_servo_options *options,
                       const snw_pose *pose)
{
    fuzz_check_pose(pose);
    if (options->use_limits && !(snw_pose_violation(pose) <= 1e-6)) abort();
    const double *velocity = snw_ik_servo_velocity(servo);
    for (int k = 0; k < pose->skeleton->dof_count; k++) {
        if (!isfinite(velocity[k])) abort();
        bool is_bound = options->limit.velocity && pose->skeleton->follower_count == 0;
        if (is_bound && !(fabs(velocity[k]) <= options->limit.velocity[k] * (1 + 1e-9))) abort();
    }
}

static void try_trajectory(const snw_pose *from, const snw_pose *to,
                           const snw_ik_servo_options *servo)
{
    snw_trajectory_options options = snw_trajectory_options_default();
    snw_motion *motion = NULL, *along = NULL;
    snw_error error;
    options.limit = servo->limit;
    options.rate = 3;
    if (snw_trajectory_between(from, to, &options, NULL, &motion, &error) != SNW_OK) {
        if (!error.message[0]) abort();
        return;
    }
    if (motion->frame_count > 2 && motion->frame_count < 200 &&
        snw_trajectory_along(motion, &options, NULL, &along, &error) != SNW_OK && !error.message[0])
        abort();
    snw_motion_destroy(along);
    snw_motion_destroy(motion);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_skeleton *body = make_body(&bytes);
    if (!body) return 0;
    snw_goal goals[GOALS_MAX];
    int count = make_goals(&bytes, body->joint_count, goals);
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_pose *pose = NULL, *start = NULL;
    snw_ik_servo *servo = NULL;
    snw_error error;
    servo_limits limits;
    if (snw_pose_create(body, NULL, &pose, &error) != SNW_OK) abort();
    if (snw_pose_create(body, NULL, &start, &error) != SNW_OK) abort();
    snw_ik_servo_options options = make_servo_options(&bytes, &limits, start, count);
    snw_status status = snw_ik_servo_create(&(snw_ik_problem){body, goals, count}, &options,
                                            &allocator, &servo, &error);
    if (status != SNW_OK && !error.message[0]) abort();
    if (status == SNW_OK) {
        long before = counter.calls;
        unsigned more = fuzz_byte(&bytes);
        snw_vec3 corner[4] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, 0, 0}};
        if (more & 1) corner[3] = fuzz_vector(&bytes);
        if (more & 2)
            (void)snw_ik_servo_set_support(servo, corner, 4, snw_vec3_make(0, 1, 0), &error);
        double dt = more & 4 ? fabs(fuzz_number(&bytes)) : 0.01;
        for (int n = 0; n < 6; n++) {
            (void)snw_ik_servo_step(servo, goals, dt, pose);
            check_step(servo, &options, pose);
            if (n == 3) goals[0].position = fuzz_vector(&bytes);
        }
        if (counter.calls != before) abort();
        try_trajectory(start, pose, &options);
    }
    snw_ik_servo_destroy(servo);
    if (counter.live != 0) abort();
    snw_pose_destroy(start);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return 0;
}

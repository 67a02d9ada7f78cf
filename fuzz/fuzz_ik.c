/* Any small body, limits, goals and options: refused with a sentence, or solved so that what the
 * header promises holds: finite, unit, inside the limits, nothing allocated. */
#include "fuzz_numbers.h"

enum {
    JOINTS_MAX = 6,
    GOALS_MAX = 3
};

static void make_limit(fuzz_bytes *bytes, snw_joint *joint)
{
    snw_joint_limit *limit = &joint->limit;
    unsigned what = fuzz_byte(bytes);
    limit->has_range[0] = what & 1;
    limit->has_range[1] = what & 2;
    limit->has_twist = what & 4;
    limit->swing = (snw_swing_limit)(what >> 4 & 3);
    for (int k = 0; k < 2; k++) {
        limit->range[k][0] = -fabs(fuzz_number(bytes));
        limit->range[k][1] = fabs(fuzz_number(bytes));
    }
    for (int k = 0; k < 4; k++)
        limit->cone[k] = fabs(fuzz_number(bytes)) * 3;
    limit->twist[0] = -fabs(fuzz_number(bytes));
    limit->twist[1] = fabs(fuzz_number(bytes));
    limit->window_count = fuzz_below(bytes, 6);
    for (int k = 0; k < limit->window_count; k++)
        for (int c = 0; c < 2; c++)
            limit->window[k][c] = 2 * fuzz_number(bytes);
}

static snw_skeleton *make_body(fuzz_bytes *bytes)
{
    static const char *const names[JOINTS_MAX] = {"a", "b", "c", "d", "e", "f"};
    snw_joint_def defs[JOINTS_MAX];
    int count = 1 + fuzz_below(bytes, JOINTS_MAX);
    for (int j = 0; j < count; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j ? fuzz_below(bytes, j) : -1;
        defs[j].joint.type = (snw_joint_type)fuzz_below(bytes, 8);
        if (fuzz_byte(bytes) & 1) make_limit(bytes, &defs[j].joint);
        defs[j].rest.translation = fuzz_vector(bytes);
        defs[j].has_tip = fuzz_byte(bytes) & 1;
        defs[j].tip = defs[j].has_tip ? fuzz_vector(bytes) : snw_vec3_make(0, 0, 0);
    }
    snw_pin pin = {0, 0, {0, 0, 0}, {0, 0, 0}};
    int pins = fuzz_below(bytes, 8) == 7;
    if (pins) {
        pin.joint_a = fuzz_below(bytes, count);
        pin.joint_b = fuzz_below(bytes, count + 1) - 1;
        pin.point_a = fuzz_vector(bytes);
        pin.point_b = fuzz_vector(bytes);
    }
    snw_skeleton *body = NULL;
    snw_error error;
    if (snw_skeleton_create_pinned(defs, count, &pin, pins, NULL, &body, &error) != SNW_OK &&
        !error.message[0])
        abort();
    return body;
}

static snw_goal make_goal(fuzz_bytes *bytes, int joint_count)
{
    int joint = fuzz_below(bytes, joint_count);
    snw_vec3 place = fuzz_vector(bytes), none = {0, 0, 0}, up = {0, 1, 0};
    snw_goal goals[SNW_GOAL_KIND_COUNT + 1] = {
        snw_goal_position(joint, none, place),
        snw_goal_orientation(joint, snw_quat_identity()),
        snw_goal_pose(joint, none, place, snw_quat_identity()),
        snw_goal_aim(joint, none, up, place),
        snw_goal_pole(joint, 0, joint, place),
        snw_goal_line(joint, none, place, up),
        snw_goal_plane(joint, none, place, up),
        snw_goal_side(joint, none, place, up),
        snw_goal_value(joint, 0, 0),
        snw_goal_rest(joint)};
    int kind = fuzz_below(bytes, SNW_GOAL_KIND_COUNT + 1);
    snw_goal goal = goals[kind];
    goal.kind = (snw_goal_kind)kind;
    unsigned more = fuzz_byte(bytes);
    if (more & 1) goal.point = fuzz_vector(bytes);
    if (more & 2) goal.orientation = snw_quat_exp(fuzz_vector(bytes));
    if (more & 4) goal.direction = fuzz_vector(bytes);
    if (more & 8) goal.weight = fabs(fuzz_number(bytes));
    if (more & 16) goal.turn_weight = fabs(fuzz_number(bytes));
    goal.coordinate = fuzz_below(bytes, 4);
    goal.value = more & 32 ? fuzz_number(bytes) : 0;
    goal.chain_root = fuzz_below(bytes, joint_count);
    goal.chain_tip = fuzz_below(bytes, joint_count);
    goal.priority = more & 64 ? fuzz_below(bytes, 3) : 0;
    return goal;
}

static snw_ik_options make_options(fuzz_bytes *bytes)
{
    snw_ik_options options = snw_ik_options_default();
    unsigned more = fuzz_byte(bytes);
    options.solver = (snw_ik_solver)fuzz_below(bytes, SNW_IK_SOLVER_COUNT);
    options.root = more & 1 ? SNW_IK_ROOT_FREE : SNW_IK_ROOT_FIXED;
    options.use_limits = !(more & 2);
    /* Small: many runs a second. One byte in 32 lets methods come to what they do late. */
    unsigned iterations = fuzz_byte(bytes), restarts = fuzz_byte(bytes);
    options.iteration_max = iterations >= 0xf8 ? 130 : (int)(iterations % 24);
    options.restart_max = (int)(restarts >= 0xf8 ? 4 : restarts % 3);
    options.particle_count = 1 + fuzz_below(bytes, 8);
    if (more & 4) options.tolerance = fabs(fuzz_number(bytes));
    if (more & 8) options.turn_tolerance = fabs(fuzz_number(bytes));
    if (more & 16) options.damping = fuzz_number(bytes);
    if (more & 32) options.step_max = fuzz_number(bytes);
    if (more & 64) options.nearest_count = fuzz_below(bytes, 4);
    options.use_printed = more & 128;
    return options;
}

/* What auto, lm and the Jacobian methods take besides; stiffness: (JOINTS_MAX). */
static void make_posture(fuzz_bytes *bytes, const snw_pose *pose, double *stiffness,
                         snw_ik_options *options)
{
    unsigned more = fuzz_byte(bytes);
    options->posture = more & 1 ? SNW_IK_POSTURE_LIMBS : SNW_IK_POSTURE_ALL;
    options->prefer = (snw_ik_prefer)(more >> 1 & 3);
    if (options->prefer == SNW_IK_PREFER_GIVEN) options->preferred = pose;
    if (more & 8) options->chain_root = fuzz_below(bytes, JOINTS_MAX);
    if (more & 16) options->turn_max = fabs(fuzz_number(bytes));
    if (!(more & 32)) return;
    for (int j = 0; j < JOINTS_MAX; j++) {
        unsigned byte = fuzz_byte(bytes);
        stiffness[j] = byte == 255   ? INFINITY
                       : byte == 254 ? fuzz_number(bytes)
                                     : 0.1 + byte / 64.0;
    }
    options->stiffness = stiffness;
}

static void check_answer(const snw_ik *ik, const snw_ik_result *result, const snw_pose *pose,
                         const snw_ik_options *options)
{
    fuzz_check_pose(pose);
    if (isnan(result->worst_residual)) abort(); /* a goal at infinity is infinitely far */
    if (options->use_limits && !(snw_pose_violation(pose) <= 1e-6)) abort();
    int active = 0;
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        active += snw_ik_active_limit(ik)[j];
    if (active != result->active_limit_count) abort();
    if (result->worst_goal < 0) return;
    if (isnan(snw_ik_residual(ik)[result->worst_goal])) abort();
    if (isnan(snw_ik_turn_residual(ik)[result->worst_goal])) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_skeleton *body = make_body(&bytes);
    if (!body) return 0;
    snw_goal goals[GOALS_MAX];
    int count = 1 + fuzz_below(&bytes, GOALS_MAX);
    for (int g = 0; g < count; g++)
        goals[g] = make_goal(&bytes, body->joint_count);
    snw_ik_options options = make_options(&bytes);
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_error error;
    double stiffness[JOINTS_MAX];
    if (snw_pose_create(body, NULL, &pose, &error) != SNW_OK) abort();
    make_posture(&bytes, pose, stiffness, &options);
    snw_status status =
        snw_ik_create(&(snw_ik_problem){body, goals, count}, &options, &allocator, &ik, &error);
    if (status != SNW_OK && !error.message[0]) abort();
    if (status == SNW_OK) {
        for (int n = 0; n < 2; n++) { /* the second from where the first ended */
            long before = counter.calls;
            snw_ik_result result = snw_ik_solve(ik, goals, pose);
            if (counter.calls != before) abort();
            check_answer(ik, &result, pose, &options);
            goals[0].position = fuzz_vector(&bytes);
        }
    }
    snw_ik_destroy(ik);
    if (counter.live != 0) abort();
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return 0;
}

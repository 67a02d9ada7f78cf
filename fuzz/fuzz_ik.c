/* Any small body, limits, goals and options: refused with a sentence, or solved so that what the
 * header promises holds: finite, unit, inside the limits, nothing allocated. */
#include "fuzz_bodies.h"

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
    int count = make_goals(&bytes, body->joint_count, goals);
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

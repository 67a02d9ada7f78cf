/* Any small body, with links, Denavit-Hartenberg rows and pins, through what poses can do: limits
 * hold after they are applied and stay so, coordinates give the pose back, Jacobians are finite,
 * steps, batches and closed forms of arms end. */
#include "fuzz_numbers.h"

enum {
    BODY_JOINTS = 5,
    BODY_COLUMNS = 6 + 6 * BODY_JOINTS
};

static void define_joint(fuzz_bytes *bytes, int j, snw_joint_def *def)
{
    static const char *const names[BODY_JOINTS] = {"a", "b", "c", "d", "e"};
    *def = snw_joint_def_default();
    def->name = names[j];
    def->parent = j ? fuzz_below(bytes, j) : -1;
    def->joint.type = (snw_joint_type)fuzz_below(bytes, 7);
    def->rest.translation = fuzz_vector(bytes);
    if (fuzz_byte(bytes) & 1) fuzz_limit(bytes, &def->joint.limit);
}

static snw_skeleton *make_tree(fuzz_bytes *bytes)
{
    snw_joint_def defs[BODY_JOINTS];
    snw_pin pin = {0, 0, {0, 0, 0}, {0, 0, 0}};
    snw_skeleton *body = NULL;
    snw_error error;
    int count = 1 + fuzz_below(bytes, BODY_JOINTS), pins = fuzz_below(bytes, 4) == 3;
    for (int j = 0; j < count; j++)
        define_joint(bytes, j, &defs[j]);
    if (pins) {
        pin.joint_a = fuzz_below(bytes, BODY_JOINTS + 1) - 1;
        pin.joint_b = fuzz_below(bytes, BODY_JOINTS + 1) - 1;
        pin.point_a = fuzz_vector(bytes);
        pin.point_b = fuzz_vector(bytes);
    }
    if (fuzz_byte(bytes) > 250) defs[0].parent = count - 1; /* a circle */
    if (snw_skeleton_create_pinned(&(snw_skeleton_def){defs, count, &pin, pins}, NULL, &body,
                                   &error) != SNW_OK &&
        !error.message[0])
        abort();
    return body;
}

static snw_skeleton *make_arm(fuzz_bytes *bytes)
{
    snw_dh_row rows[6];
    snw_skeleton *body = NULL;
    snw_error error;
    int count = 1 + fuzz_below(bytes, 6);
    memset(rows, 0, sizeof rows);
    for (int r = 0; r < count; r++) {
        unsigned what = fuzz_byte(bytes);
        rows[r].a = what & 1 ? 0 : fuzz_number(bytes);
        rows[r].d = what & 2 ? 0 : fuzz_number(bytes);
        rows[r].alpha = ((int)(what >> 2 & 3) - 1) * SNW_PI / 2;
        rows[r].is_prismatic = what >= 250;
        rows[r].has_range = what & 64;
        rows[r].range[0] = -fabs(fuzz_number(bytes));
        rows[r].range[1] = fabs(fuzz_number(bytes));
    }
    if (snw_skeleton_from_dh(rows, count, (snw_dh_form)fuzz_below(bytes, 2), NULL, &body, &error) !=
            SNW_OK &&
        !error.message[0])
        abort();
    return body;
}

static snw_skeleton *make_links(fuzz_bytes *bytes)
{
    static const char *const words[] = {"T", "F", "FF", "FT", "S", "-", "FFT", "Q", ""};
    static const char *const names[BODY_JOINTS] = {"a", "b", "c", "d", "e"};
    snw_link_def links[BODY_JOINTS];
    snw_skeleton *body = NULL;
    snw_error error;
    int count = 1 + fuzz_below(bytes, BODY_JOINTS);
    for (int n = 0; n < count; n++)
        links[n] = (snw_link_def){names[n], words[fuzz_below(bytes, 9)], fuzz_number(bytes)};
    if (snw_skeleton_from_links(links, count, NULL, &body, &error) != SNW_OK && !error.message[0])
        abort();
    return body;
}

/* ---- one pose --------------------------------------------------------------------------------
 */

static bool is_small(const snw_skeleton *body)
{
    for (int j = 0; j < body->joint_count; j++)
        if (!(snw_vec3_length(body->rest[j].translation) < 1e6)) return false;
    return true;
}

static void check_values(const snw_skeleton *body, snw_pose *pose, snw_pose *other)
{
    double values[BODY_COLUMNS], step[BODY_COLUMNS], jacobian[3 * BODY_COLUMNS];
    int last = body->joint_count - 1;
    memset(values, 0, sizeof values);
    memset(step, 0, sizeof step);
    memset(jacobian, 0, sizeof jacobian);
    snw_pose_values(pose, values);
    snw_pose_copy(other, pose);
    snw_pose_set_values(other, values);
    snw_pose_forward(other);
    for (int j = 0; j < body->joint_count; j++)
        if (snw_quat_angle_between(pose->rotation[j], other->rotation[j]) > 1e-6) abort();
    snw_pose_jacobian_point(pose, last, snw_vec3_make(0, 0.1, 0), jacobian);
    for (int n = 0; n < 3 * body->dof_count; n++)
        if (!isfinite(jacobian[n])) abort();
    snw_pose_jacobian_turn(pose, last, jacobian);
    for (int n = 0; n < 3 * body->dof_count; n++)
        if (!isfinite(jacobian[n])) abort();
    for (int n = 0; n < body->dof_count; n++)
        step[n] = 0.01;
    snw_pose_step(other, step);
    snw_pose_forward(other);
    fuzz_check_pose(other);
}

/* Joints where another pose has them, moved a little, some of them unknown or anywhere. */
static void try_positions(const snw_skeleton *body, const snw_pose *truth, fuzz_bytes *bytes)
{
    snw_pose *found = NULL;
    snw_vec3 *place = malloc((size_t)body->joint_count * sizeof *place);
    if (!place || snw_pose_create(body, NULL, &found, NULL) != SNW_OK) abort();
    for (int j = 0; j < body->joint_count; j++) {
        snw_vec3 off = fuzz_vector(bytes);
        place[j] = snw_vec3_add_scaled(truth->world[j].translation, 0.05, off);
        if (fuzz_byte(bytes) >= 250) place[j] = snw_vec3_make(NAN, 0, 0);
    }
    snw_pose_from_positions(found, place,
                            fuzz_byte(bytes) & 1 ? SNW_TWIST_KEEP : SNW_TWIST_MINIMAL);
    fuzz_check_pose(found);
    snw_pose_destroy(found);
    free(place);
}

static void try_pose(const snw_skeleton *body, fuzz_bytes *bytes)
{
    snw_pose *pose = NULL, *other = NULL, *between = NULL;
    if (snw_pose_create(body, NULL, &pose, NULL) != SNW_OK ||
        snw_pose_create(body, NULL, &other, NULL) != SNW_OK ||
        snw_pose_create(body, NULL, &between, NULL) != SNW_OK)
        abort();
    for (int j = 0; j < body->joint_count; j++) {
        snw_vec3 turn = fuzz_vector(bytes), slide = fuzz_vector(bytes);
        if (snw_vec3_length(turn) < 1) pose->rotation[j] = snw_quat_exp(snw_vec3_scale(turn, 3));
        if (snw_vec3_length(slide) < 10) pose->slide[j] = slide;
        if (fuzz_byte(bytes) == 1) pose->rotation[j] = snw_quat_make(0, 0, 1, 0); /* behind */
    }
    (void)snw_pose_apply_limits(pose);
    if (!(snw_pose_violation(pose) <= 1e-6)) abort();
    if (snw_pose_apply_limits(pose) != 0) abort(); /* idempotent */
    snw_pose_forward(pose);
    fuzz_check_pose(pose);
    if (is_small(body)) check_values(body, pose, other);
    snw_pose_interpolate(pose, other, fuzz_byte(bytes) / 255.0, between);
    snw_pose_forward(between);
    fuzz_check_pose(between);
    try_positions(body, pose, bytes);
    snw_pose_destroy(between);
    snw_pose_destroy(other);
    snw_pose_destroy(pose);
}

/* ---- steps, batches, closed forms ---------------------------------------------------------------
 */

static void try_stepper(const snw_skeleton *body, fuzz_bytes *bytes)
{
    snw_goal goal = snw_goal_pose(body->joint_count - 1, snw_vec3_make(0, 0, 0),
                                  snw_vec3_make(0, 0, 0), snw_quat_identity());
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    snw_joint_limit none = snw_joint_limit_none();
    snw_ik_stepper *stepper = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    bool active[BODY_JOINTS + 3];
    options.root = fuzz_byte(bytes) & 1 ? SNW_IK_ROOT_FIXED : SNW_IK_ROOT_FREE;
    options.use_holds = body->pin_count == 0 && (fuzz_byte(bytes) & 1);
    if (snw_ik_stepper_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &stepper,
                              &error) != SNW_OK) {
        if (!error.message[0]) abort();
        return;
    }
    if (snw_pose_create(body, NULL, &pose, NULL) != SNW_OK) abort();
    snw_pose_forward(pose);
    goal.position = snw_vec3_make(fuzz_byte(bytes) / 256.0, 0.2, fuzz_byte(bytes) / 256.0);
    if (fuzz_byte(bytes) & 1) snw_ik_stepper_set_limit(stepper, 0, &none);
    if (options.use_holds) snw_ik_stepper_set_hold(stepper, 0, snw_quat_identity(), 0.1);
    snw_ik_stepper_restart(stepper);
    for (int n = 0; n < 3; n++)
        (void)snw_ik_stepper_step(stepper, &goal, pose);
    if (is_small(body)) fuzz_check_pose(pose);
    if (snw_ik_stepper_active_limits(stepper, pose, active) > body->joint_count) abort();
    (void)snw_ik_stepper_joint(stepper, 0);
    snw_ik_stepper_destroy(stepper);
    snw_pose_destroy(pose);
}

static void try_batch(const snw_skeleton *body, fuzz_bytes *bytes)
{
    enum {
        PROBLEMS = 40
    };
    snw_goal goal = snw_goal_position(body->joint_count - 1, snw_vec3_make(0, 0, 0),
                                      snw_vec3_make(0.1, 0.1, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    float target[3 * PROBLEMS], rotation[4 * PROBLEMS * (BODY_JOINTS + 3)], residual[PROBLEMS];
    float slide[3 * PROBLEMS * (BODY_JOINTS + 3)], orientation[4 * PROBLEMS];
    snw_ik_batch_job job = {0};
    snw_ik_batch *batch = NULL;
    snw_error error;
    int reached = 0;
    options.ik.iteration_max = 8;
    unsigned what = fuzz_byte(bytes);
    options.use_simd = what & 1;
    if (what & 2) goal.kind = what & 4 ? SNW_GOAL_POSE : SNW_GOAL_ORIENTATION;
    options.start_count = 1 + fuzz_below(bytes, 2);
    options.worker_count = fuzz_byte(bytes) == 1 ? 2 : 1; /* threads take time to start */
    memset(slide, 0, sizeof slide);
    for (int n = 0; n < 3 * PROBLEMS; n++)
        target[n] = (float)fuzz_number(bytes);
    for (int n = 0; n < 4 * PROBLEMS; n++) /* mostly no unit quaternions */
        orientation[n] = (float)(what & 8 ? fuzz_number(bytes) : n % 4 == n / 4 % 4);
    for (int n = 0; n < PROBLEMS * body->joint_count * 4; n++)
        rotation[n] = n % 4 == 0;
    job.problem_count = PROBLEMS;
    job.target = target;
    job.rotation = rotation;
    job.slide = slide;
    job.orientation = orientation;
    job.residual = residual;
    if (snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &batch, &error) !=
        SNW_OK) {
        if (!error.message[0]) abort();
        return;
    }
    if (snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, &error) == SNW_OK) {
        if (reached < 0 || reached > PROBLEMS) abort();
        for (int n = 0; n < PROBLEMS * body->joint_count * 4; n++)
            if (!isfinite(rotation[n])) abort();
    }
    if (!snw_ik_batch_path(batch)) abort();
    snw_ik_batch_destroy(batch);
}

static void try_arm(const snw_skeleton *body, fuzz_bytes *bytes)
{
    snw_ik_arm arm = {body->joint_count - 1, -1, 0};
    snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
    snw_vec3 place = fuzz_vector(bytes), turn = fuzz_vector(bytes);
    snw_error error;
    int count = 0;
    if (!(snw_vec3_length(turn) < 10)) turn = snw_vec3_make(0, 0, 0);
    snw_xform target = {snw_quat_exp(turn), place};
    (void)snw_ik_redundant_hinge(body, arm.joint);
    if (snw_ik_all_solutions(body, &arm, target, solutions, &count, &error) != SNW_OK) {
        if (!error.message[0]) abort();
        return;
    }
    if (count < 0 || count > SNW_IK_SOLUTIONS_MAX) abort();
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 6; k++)
            if (!isfinite(solutions[n].value[k])) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int kind = fuzz_below(&bytes, 5), what = fuzz_below(&bytes, 4);
    snw_skeleton *body = NULL;
    if (kind == 4)
        (void)snw_preset_create(snw_preset_name(fuzz_below(&bytes, snw_preset_count())), NULL,
                                &body, NULL);
    if (kind == 3) body = make_links(&bytes);
    if (kind == 2) body = make_arm(&bytes);
    if (kind < 2) body = make_tree(&bytes);
    if (!body) return 0;
    if (kind == 4 || (kind == 2 && what == 3))
        try_arm(body, &bytes);
    else if (what == 0)
        try_pose(body, &bytes);
    else if (what == 1)
        try_stepper(body, &bytes);
    else
        try_batch(body, &bytes);
    snw_skeleton_destroy(body);
    return 0;
}

/* Closed forms and coordinate descent: two-bone limbs with poles, triangulation, ccd. */
#include "ik_chains.h"

/* ---- two-bone ------------------------------------------------------------------------------- */

/* Ball shoulder, elbow of the given type, hand as tip. */
static snw_skeleton *limb_of_two(double upper, double lower, snw_joint_type elbow)
{
    double length[2] = {upper, lower};
    snw_skeleton *plain = chain_of(length, 2), *body = NULL;
    snw_joint_def defs[3];
    for (int i = 0; i < 2; i++)
        defs[i] = snw_skeleton_joint_def(plain, i);
    defs[1].joint.type = elbow;
    if (elbow == SNW_JOINT_HINGE) {
        defs[1].joint.axis = snw_vec3_make(0, 0, 1);
        defs[1].joint.limit.has_range[0] = true;
        defs[1].joint.limit.range[0][0] = 0;
        defs[1].joint.limit.range[0][1] = 2.8;
    }
    /* A hand joint, so that a pole can name the limb's end. */
    defs[2] = snw_joint_def_default();
    defs[2].name = "hand";
    defs[2].parent = 1;
    defs[2].rest.translation = snw_vec3_make(lower, 0, 0);
    assert_int_equal(snw_skeleton_create(defs, 3, NULL, &body, NULL), SNW_OK);
    snw_skeleton_destroy(plain);
    return body;
}

/* The textbook: m = 1.3, n = 0.9 to (1.261043, 1.403989) has the elbow angle 1.1 or -1.1. */
static void the_printed_triangle_is_found(void **state)
{
    snw_skeleton *body = limb_of_two(1.3, 0.9, SNW_JOINT_HINGE);
    snw_pose *pose = pose_of(body);
    snw_ik_options options = options_of(SNW_IK_TWO_BONE, 1e-9);
    snw_vec3 zero = {0, 0, 0};
    snw_goal goal = snw_goal_position(2, zero, snw_vec3_make(1.261043, 1.403989, 0));
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    double values[6];
    (void)state;
    assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
    (void)snw_joint_values(&body->joint[1], pose->rotation[1], pose->slide[1], values);
    check_near(values[0], 1.1, 1e-6); /* digits printed */
    snw_vec3 upper = snw_quat_rotate(pose->rotation[0], snw_vec3_make(1, 0, 0));
    check_near(atan2(upper.y, upper.x), 0.4, 1e-6);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void limbs_reach_with_the_elbow_at_the_pole(void **state)
{
    static const snw_joint_type elbows[] = {SNW_JOINT_HINGE, SNW_JOINT_BALL};
    snw_random random = snw_random_seed(21, 0);
    (void)state;
    for (int k = 0; k < 2; k++) {
        snw_skeleton *body = limb_of_two(0.31, 0.26, elbows[k]);
        snw_pose *pose = pose_of(body);
        snw_ik_options options = options_of(SNW_IK_TWO_BONE, 1e-7);
        snw_vec3 zero = {0, 0, 0};
        snw_goal goals[2] = {snw_goal_position(2, zero, zero), snw_goal_pole(1, 0, 2, zero)};
        snw_ik *ik = ik_of(body, goals, 2, &options);
        for (int trial = 0; trial < 500; trial++) {
            goals[0].position = random_target(&random, 0.13, 0.565);
            goals[1].position = random_target(&random, 0.2, 2);
            assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_REACHED);
            assert_true(snw_ik_residual(ik)[1] <= 1e-6);
            assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
            check_world_is_forward(pose);
        }
        /* Too far: stretched towards the target. */
        goals[0].position = snw_vec3_make(0, -3, 0);
        assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_UNREACHABLE);
        check_vec3_near(pose->world[2].translation, snw_vec3_make(0, -0.57, 0), 1e-9);
        snw_ik_destroy(ik);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

static void a_limb_of_three_hinges_is_refused(void **state)
{
    snw_skeleton *arm = preset("arm7");
    snw_ik_options options = options_of(SNW_IK_TWO_BONE, 1e-4);
    snw_goal goal = snw_goal_position(7, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 1));
    snw_error error;
    snw_ik *ik = NULL;
    (void)state;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){arm, &goal, 1}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "ball joint"));
    snw_skeleton_destroy(arm);
}

/* ---- triangulation -------------------------------------------------------------------------- */

static void one_pass_of_triangles_is_exact(void **state)
{
    snw_random random = snw_random_seed(22, 0);
    snw_ik_options options = options_of(SNW_IK_TRIANGULATION, 1e-10);
    chain_case c = chain_case_of(even_chain(9, 0.5), &options);
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        pose_scatter(c.pose, &random, 1);
        snw_ik_result result = chain_solve(&c, random_target(&random, 0, 4.5));
        assert_int_equal(result.outcome, SNW_IK_REACHED);
        assert_int_equal(result.iterations, 1);
    }
    assert_int_equal(chain_solve(&c, snw_vec3_make(9, 0, 0)).outcome, SNW_IK_UNREACHABLE);
    check_vec3_near(tip_of(&c), snw_vec3_make(4.5, 0, 0), 1e-12);
    chain_case_free(&c);
}

/* ---- ccd ------------------------------------------------------------------------------------ */

/* The angle CCD gives a single hinge about z with this tip; range NULL: no limit. */
static double hinge_angle_for(snw_vec3 tip, const double *range, snw_vec3 target)
{
    snw_joint_def def = snw_joint_def_default();
    snw_skeleton *body = NULL;
    snw_ik_options options = options_of(SNW_IK_CCD, 1e-9);
    double values[6];
    def.name = "hinge";
    def.joint.type = SNW_JOINT_HINGE;
    def.joint.limit.has_range[0] = range != NULL;
    if (range) memcpy(def.joint.limit.range[0], range, 2 * sizeof *range);
    def.has_tip = true;
    def.tip = tip;
    assert_int_equal(snw_skeleton_create(&def, 1, NULL, &body, NULL), SNW_OK);
    chain_case c = chain_case_of(body, &options);
    (void)chain_solve(&c, target);
    (void)snw_joint_values(&body->joint[0], c.pose->rotation[0], c.pose->slide[0], values);
    chain_case_free(&c);
    return values[0];
}

/* p = (0.5, -0.2, 0.3), t = (-0.1, 0.6, 0.2) about z: dphi = 2.116451381. */
static void the_printed_hinge_step_is_taken(void **state)
{
    (void)state;
    snw_vec3 target = snw_vec3_make(-0.1, 0.6, 0.2);
    double angle = hinge_angle_for(snw_vec3_make(0.5, -0.2, 0.3), NULL, target);
    check_near(angle, 2.116451381, 1e-9); /* digits printed */
}

/* Outside the range the bound that comes nearer to the target is taken, not the nearer angle: for a
 * target at +2.9 the bound -3 is 0.38 away round the back, the bound 0.5 is 2.4 away. */
static void the_better_bound_is_taken(void **state)
{
    (void)state;
    const double range[2] = {-3, 0.5};
    snw_vec3 target = snw_vec3_make(cos(2.9), sin(2.9), 0);
    check_near(hinge_angle_for(snw_vec3_make(1, 0, 0), range, target), -3, 1e-9);
}

static void ccd_reaches_with_slides_and_orientations(void **state)
{
    snw_skeleton *arm = preset("arm7");
    snw_pose *pose = pose_of(arm), *truth = pose_of(arm);
    snw_random random = snw_random_seed(23, 0);
    snw_ik_options options = options_of(SNW_IK_CCD, 1e-3);
    int last = arm->joint_count - 1, reached = 0;
    snw_goal goal =
        snw_goal_pose(last, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0), snw_quat_identity());
    options.turn_tolerance = 1e-2;
    snw_ik *ik = ik_of(arm, &goal, 1, &options);
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        pose_scatter(truth, &random, 1);
        snw_pose_copy(pose, truth);
        for (int j = 0; j < arm->joint_count; j++) /* a start nearby */
            pose->rotation[j] = snw_joint_limit_apply(
                &arm->joint[j],
                snw_quat_mul(pose->rotation[j],
                             snw_quat_from_axis_angle(arm->joint[j].axis,
                                                      snw_random_range(&random, -0.3, 0.3))));
        goal.position = truth->world[last].translation;
        goal.orientation = truth->world[last].rotation;
        reached += snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED;
    }
    /* Coordinate descent crawls in narrow valleys; most of them it gets through. */
    if (reached < 30) print_error("%d of 60 reached\n", reached);
    assert_true(reached >= 30);
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
}

static void ccd_leaves_a_straight_line(void **state)
{
    snw_ik_options options = options_of(SNW_IK_CCD, 1e-4);
    chain_case c = chain_case_of(even_chain(6, 1), &options);
    (void)state;
    assert_int_equal(chain_solve(&c, snw_vec3_make(3.3, 0, 0)).outcome, SNW_IK_REACHED);
    chain_case_free(&c);
}

/* A pole a hundredth of the way beside the line to the target: its side turns faster than the limb.
 */
static void poles_near_the_line_are_reached_as_others_are(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    int shoulder = snw_skeleton_find_joint(body, "left_shoulder");
    int elbow = snw_skeleton_find_joint(body, "left_elbow");
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_goal goals[2] = {snw_goal_position(wrist, zero, zero),
                         snw_goal_pole(elbow, shoulder, wrist, zero)};
    snw_ik_options options = snw_ik_options_default();
    snw_random random = snw_random_seed(77, 1);
    options.use_limits = false;
    snw_ik *ik = ik_of(body, goals, 2, &options);
    int count = CHECK_SAMPLES(100), reached = 0;
    for (int k = 0; k < count; k++) {
        pose_scatter(pose, &random, 0.8);
        snw_vec3 root = pose->world[shoulder].translation;
        snw_vec3 way = snw_vec3_sub(pose->world[wrist].translation, root);
        snw_vec3 side = snw_vec3_unit(snw_vec3_cross(way, snw_random_direction(&random)), zero);
        goals[0].position = snw_vec3_add(root, way);
        goals[1].position =
            snw_vec3_add(root, snw_vec3_add_scaled(way, 0.01 * snw_vec3_length(way), side));
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, goals, pose).outcome == SNW_IK_REACHED;
    }
    if (reached < count - count / 100) fail_msg("%d of %d", reached, count);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_triangle_is_found),
        cmocka_unit_test(limbs_reach_with_the_elbow_at_the_pole),
        cmocka_unit_test(poles_near_the_line_are_reached_as_others_are),
        cmocka_unit_test(a_limb_of_three_hinges_is_refused),
        cmocka_unit_test(one_pass_of_triangles_is_exact),
        cmocka_unit_test(the_printed_hinge_step_is_taken),
        cmocka_unit_test(the_better_bound_is_taken),
        cmocka_unit_test(ccd_reaches_with_slides_and_orientations),
        cmocka_unit_test(ccd_leaves_a_straight_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

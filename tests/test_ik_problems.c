/* Problems beyond one hand on one target: several goals, closed loops, a free root, rest in the
 * null space, tracking in and out of reach, the quick tree solve. */
#include "ik_bodies.h"

#include "ik/core/fast_tree.h"
#include "ik/core/system.h"

/* ---- closed loops ------------------------------------------------------------------------- */

static snw_joint_def hinge_at(const char *name, int parent, double x)
{
    snw_joint_def def = snw_joint_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.type = SNW_JOINT_HINGE;
    def.rest.translation = snw_vec3_make(x, 0, 0);
    return def;
}

/* Crank 1, coupler 2.5, rocker 2, ground 3: the crank can go all the way round (Grashof). */
static snw_skeleton *four_bar(double scale)
{
    snw_joint_def defs[3] = {hinge_at("crank", -1, 0), hinge_at("coupler", 0, scale),
                             hinge_at("rocker", 1, 2.5 * scale)};
    snw_pin pin = {2, -1, {2 * scale, 0, 0}, {3 * scale, 0, 0}};
    snw_skeleton *body = NULL;
    defs[2].has_tip = true;
    defs[2].tip = snw_vec3_make(2 * scale, 0, 0);
    assert_int_equal(
        snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 3, &pin, 1}, NULL, &body, NULL),
        SNW_OK);
    return body;
}

/* The coupler's end must be where two circles meet. */
static void check_four_bar(const snw_pose *pose, double angle, double scale)
{
    snw_vec3 crank = pose->world[1].translation, joint = pose->world[2].translation;
    snw_vec3 tip = snw_pose_tip(pose, 2), ground = snw_vec3_make(3 * scale, 0, 0);
    /* 1e-6 of the body's size, 5.5 scale, and the crank angle's own tolerance. */
    check_vec3_near(tip, ground, 5.5e-6 * scale);
    check_near(snw_vec3_distance(joint, ground), 2 * scale, 5.5e-6 * scale);
    check_near(snw_vec3_distance(joint, crank), 2.5 * scale, 1e-9 * scale);
    check_vec3_near(crank, snw_vec3_make(scale * cos(angle), scale * sin(angle), 0), 2e-6 * scale);
}

static void a_four_bar_linkage_closes_all_the_way_round(void **state)
{
    (void)state;
    static const snw_ik_solver solver[] = {SNW_IK_LM, SNW_IK_DLS, SNW_IK_PSEUDO_INVERSE,
                                           SNW_IK_GAUSS_NEWTON, SNW_IK_SVD_DLS};
    static const double scale[] = {1, 1000, 0.01};
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < 3; k++) {
            snw_skeleton *body = four_bar(scale[k]);
            snw_pose *pose = pose_of(body);
            snw_goal goal = snw_goal_value(0, 0, 0);
            snw_ik_options options = snw_ik_options_default();
            options.solver = solver[s];
            options.tolerance = 1e-6;
            options.turn_tolerance = 1e-6;
            snw_ik *ik = ik_of(body, &goal, 1, &options);
            for (int step = 0; step <= 72; step++) {
                goal.value = snw_wrap_angle(snw_radians(60 + 5 * step));
                snw_ik_result result = snw_ik_solve(ik, &goal, pose);
                assert_int_equal(result.outcome, SNW_IK_REACHED);
                check_four_bar(pose, goal.value, scale[k]);
            }
            snw_ik_destroy(ik);
            snw_pose_destroy(pose);
            snw_skeleton_destroy(body);
        }
}

static void lm_closes_the_four_bar_from_any_start(void **state)
{
    (void)state;
    snw_skeleton *body = four_bar(1);
    snw_pose *pose = pose_of(body);
    snw_random random = snw_random_seed(31, 1);
    snw_goal goal = snw_goal_value(0, 0, 0);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    options.tolerance = 1e-6;
    options.turn_tolerance = 1e-6;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    for (int i = 0; i < CHECK_SAMPLES(1000); i++) {
        pose_scatter(pose, &random, 3);
        goal.value = snw_random_range(&random, -3, 3);
        assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
        check_four_bar(pose, goal.value, 1);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* The humanoid with its palms held together. */
static snw_skeleton *with_held_hands(const snw_skeleton *plain)
{
    snw_joint_def defs[32];
    snw_skeleton *body = NULL;
    snw_pin pin = {snw_skeleton_find_joint(plain, "left_wrist"),
                   snw_skeleton_find_joint(plain, "right_wrist"),
                   {0.08, 0, 0},
                   {-0.08, 0, 0}};
    for (int i = 0; i < plain->joint_count; i++)
        defs[i] = snw_skeleton_joint_def(plain, i);
    assert_int_equal(snw_skeleton_create_pinned(
                         &(snw_skeleton_def){defs, plain->joint_count, &pin, 1}, NULL, &body, NULL),
                     SNW_OK);
    return body;
}

static void a_person_holds_their_own_hands(void **state)
{
    (void)state;
    snw_skeleton *plain = preset("humanoid"), *body = with_held_hands(plain);
    snw_pose *pose = pose_of(body);
    snw_random random = snw_random_seed(32, 1);
    const snw_pin *pin = &body->pin[0];
    snw_goal goal = snw_goal_position(pin->joint_a, pin->point_a, (snw_vec3){0, 0, 0});
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    options.tolerance = 1e-6;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    for (int i = 0; i < CHECK_SAMPLES(300); i++) {
        goal.position.z = snw_random_range(&random, 0.3, 0.42);
        goal.position.y = snw_random_range(&random, 0.15, 0.55);
        goal.position.x = snw_random_range(&random, -0.15, 0.15);
        snw_pose_reset(pose);
        assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
        check_vec3_near(snw_pose_point(pose, pin->joint_a, pin->point_a),
                        snw_pose_point(pose, pin->joint_b, pin->point_b), 1e-6 * body->size);
        assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(plain);
}

static void an_open_pin_is_not_called_reached(void **state)
{
    (void)state;
    snw_skeleton *body = four_bar(1);
    snw_pose *pose = pose_of(body);
    snw_goal goal = snw_goal_value(0, 0, 0);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_DLS;
    options.iteration_max = 0;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    /* At rest the crank is where it should be, the rocker's end is at 5.5 instead of 3. */
    assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_OUT_OF_ITERATIONS);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- free root ---------------------------------------------------------------------------- */

static void a_free_root_goes_where_its_limbs_cannot(void **state)
{
    (void)state;
    static const snw_ik_solver solver[] = {SNW_IK_LM,     SNW_IK_DLS,  SNW_IK_SDLS,
                                           SNW_IK_LBFGSB, SNW_IK_BFGS, SNW_IK_GAUSS_NEWTON};
    snw_skeleton *body = preset("humanoid");
    static const char *const name[] = {"left_wrist", "right_wrist", "left_ankle", "right_ankle",
                                       "head"};
    for (int s = 0; s < 6; s++) {
        snw_pose *truth = pose_of(body), *pose = pose_of(body);
        snw_random random = snw_random_seed(33, 1);
        snw_ik_options options = snw_ik_options_default();
        options.solver = solver[s];
        options.root = SNW_IK_ROOT_FREE;
        for (int i = 0; i < CHECK_SAMPLES(20) + 1; i++) {
            snw_goal goals[5];
            pose_scatter(truth, &random, 0.2);
            snw_vec3 away = snw_vec3_scale(snw_random_direction(&random), 3 * body->size);
            truth->root =
                snw_xform_make(snw_quat_from_axis_angle(snw_random_direction(&random), 1.5), away);
            snw_pose_forward(truth);
            for (int g = 0; g < 5; g++) {
                int joint = snw_skeleton_find_joint(body, name[g]);
                goals[g] =
                    snw_goal_position(joint, (snw_vec3){0, 0, 0}, truth->world[joint].translation);
            }
            snw_ik *ik = ik_of(body, goals, 5, &options);
            snw_pose_reset(pose);
            snw_ik_result result = snw_ik_solve(ik, goals, pose);
            /* Three body lengths away and turned by 1.5 rad: the root must have moved. */
            assert_true(snw_vec3_length(pose->root.translation) > body->size);
            assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
            if (solver[s] == SNW_IK_LM) assert_int_equal(result.outcome, SNW_IK_REACHED);
            snw_ik_destroy(ik);
        }
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
    }
    snw_skeleton_destroy(body);
}

/* ---- rest --------------------------------------------------------------------------------- */

static double distance_from_rest(const snw_pose *pose)
{
    double sum = 0;
    for (int i = 0; i < pose->skeleton->joint_count; i++) {
        double angle = snw_quat_angle_between(pose->rotation[i], snw_quat_identity());
        sum += angle * angle;
    }
    return sqrt(sum);
}

static void rest_straightens_what_the_goals_leave_free(void **state)
{
    (void)state;
    static const snw_ik_solver solver[] = {SNW_IK_LM, SNW_IK_DLS, SNW_IK_JACOBIAN_TRANSPOSE,
                                           SNW_IK_PARTICLE};
    snw_skeleton *body = preset("chain10");
    for (int s = 0; s < 4; s++) {
        snw_random random = snw_random_seed(34, 1);
        snw_pose *start = pose_of(body), *with = pose_of(body), *without = pose_of(body);
        snw_ik_options options = snw_ik_options_default();
        options.solver = solver[s];
        for (int i = 0; i < 20; i++) {
            pose_scatter(start, &random, 0.8);
            snw_goal goals[2] = {
                snw_goal_position(9, (snw_vec3){0, 0, 0},
                                  snw_vec3_scale(snw_random_direction(&random), 0.7)),
                snw_goal_rest(-1)};
            snw_pose_copy(with, start);
            snw_pose_copy(without, start);
            snw_ik *both = ik_of(body, goals, 2, &options);
            snw_ik *one = ik_of(body, goals, 1, &options);
            assert_int_equal(snw_ik_solve(both, goals, with).outcome, SNW_IK_REACHED);
            assert_int_equal(snw_ik_solve(one, goals, without).outcome, SNW_IK_REACHED);
            assert_true(distance_from_rest(with) < 0.8 * distance_from_rest(without));
            snw_ik_destroy(both);
            snw_ik_destroy(one);
        }
        snw_pose_destroy(start);
        snw_pose_destroy(with);
        snw_pose_destroy(without);
    }
    snw_skeleton_destroy(body);
}

static void rest_alone_gives_the_rest_pose(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    snw_random random = snw_random_seed(35, 1);
    snw_goal goal = snw_goal_rest(-1);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    pose_scatter(pose, &random, 0.5);
    assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
    /* Steps of at most half a radian, the last one whole. */
    check_near(distance_from_rest(pose), 0, 1e-6);
    check_near(snw_ik_residual(ik)[0], 0, 1e-6);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- several goals ------------------------------------------------------------------------ */

static void a_heavier_goal_wins_when_both_cannot(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_pose *pose = pose_of(body);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    options.restart_max = 0;
    snw_goal goals[2] = {snw_goal_position(9, (snw_vec3){0, 0, 0}, (snw_vec3){0.3, 0.4, 0}),
                         snw_goal_position(9, (snw_vec3){0, 0, 0}, (snw_vec3){0.3, 0.4, 0.2})};
    goals[1].weight = 3;
    snw_ik *ik = ik_of(body, goals, 2, &options);
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    assert_int_equal(result.outcome, SNW_IK_STALLED);
    assert_int_equal(result.worst_goal, 0);
    /* The least of w1 d1^2 + w2 d2^2 on a segment of 0.2 divides it 3 to 1. */
    check_near(snw_ik_residual(ik)[0], 0.15, 1e-3);
    check_near(snw_ik_residual(ik)[1], 0.05, 1e-3);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void a_floor_holds_only_from_below(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_pose *pose = pose_of(body);
    snw_vec3 zero = {0, 0, 0}, up = {0, 1, 0};
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    /* The tip goes under; the middle must stay at or above -0.05. */
    snw_goal goals[2] = {snw_goal_position(9, zero, (snw_vec3){0.5, -0.04, 0}),
                         snw_goal_side(5, zero, (snw_vec3){0, -0.05, 0}, up)};
    snw_ik *ik = ik_of(body, goals, 2, &options);
    assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_REACHED);
    assert_true(pose->world[5].translation.y >= -0.05 - options.tolerance * body->size);
    /* Far above it the floor does not pull. */
    goals[1].position.y = -5;
    snw_pose_reset(pose);
    assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_REACHED);
    check_near(snw_ik_residual(ik)[1], 0, 0);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- tracking ----------------------------------------------------------------------------- */

/* A target that swings in and out of reach: joints follow at its pace, and while it is out of reach
 * the body points at it and is still. */
static void tracking_in_and_out_of_reach_is_smooth(void **state)
{
    (void)state;
    static const snw_ik_solver solver[] = {SNW_IK_LM, SNW_IK_DLS};
    snw_skeleton *body = preset("chain10");
    for (int s = 0; s < 2; s++) {
        snw_pose *pose = pose_of(body), *before = pose_of(body);
        snw_goal goal = snw_goal_position(9, (snw_vec3){0, 0, 0}, (snw_vec3){0.6, 0.2, 0});
        snw_ik_options options = snw_ik_options_default();
        options.solver = solver[s];
        snw_ik *ik = ik_of(body, &goal, 1, &options);
        (void)snw_ik_solve(ik, &goal, pose);
        double worst = 0;
        for (int step = 0; step < 1000; step++) {
            double phase = 2 * SNW_PI * step / 250;
            /* 0.6 +- 0.4 of a reach of 0.9; at most 0.01 m, 1.1 degrees seen from the root. */
            double far = 0.6 + 0.4 * sin(phase), angle = 0.3 + 0.5 * sin(0.5 * phase);
            goal.position = snw_vec3_make(far * cos(angle), far * sin(angle), 0.1 * cos(phase));
            snw_pose_copy(before, pose);
            snw_ik_result result = snw_ik_solve(ik, &goal, pose);
            bool is_far = snw_vec3_length(goal.position) > 0.9 * (1 + 1e-3);
            if (is_far) assert_int_equal(result.outcome, SNW_IK_UNREACHABLE);
            for (int i = 0; i < 9; i++)
                worst = fmax(worst, snw_quat_angle_between(before->rotation[i], pose->rotation[i]));
        }
        /* Near full reach a joint turns faster than the target: d(angle)/d(distance) is unbounded
         * there, and 0.01 m of the 0.9 are the last 9 degrees. No jump comes near this bound. */
        assert_true(worst < 0.35);
        snw_ik_destroy(ik);
        snw_pose_destroy(pose);
        snw_pose_destroy(before);
    }
    snw_skeleton_destroy(body);
}

/* ---- the quick tree solve ----------------------------------------------------------------- */

typedef struct fast_fixture {
    snw_ik *ik;
    snw__block block;
    snw__ik_fast_tree *tree;
} fast_fixture;

static void lay_out_fast(void *object, snw__block *block)
{
    fast_fixture *f = object;
    f->tree = snw__ik_fast_tree_layout(f->ik, block);
}

static fast_fixture fast_of(const snw_skeleton *body, const snw_goal *goals, int count)
{
    fast_fixture f = {0};
    snw_ik_options options = snw_ik_options_default();
    snw_allocator allocator = snw_allocator_default();
    options.solver = SNW_IK_DLS;
    f.ik = ik_of(body, goals, count, &options);
    assert_true(snw__ik_fast_tree_fits(f.ik));
    assert_int_equal(snw__block_create(&f.block, lay_out_fast, &f, &allocator, "a tree", NULL),
                     SNW_OK);
    return f;
}

static void fast_free(fast_fixture *f)
{
    snw_ik_destroy(f->ik);
    snw_allocator allocator = snw_allocator_default();
    snw__block_release(&allocator, &f->block);
}

static void the_quick_tree_solve_reaches_and_keeps_the_rest_of_the_body(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid13");
    snw_pose *truth = pose_of(body), *pose = pose_of(body), *start = pose_of(body);
    snw_random random = snw_random_seed(36, 1);
    int last = body->joint_count - 1, middle = last / 2;
    for (int i = 0; i < CHECK_SAMPLES(400); i++) {
        pose_scatter(truth, &random, 0.4);
        pose_scatter(start, &random, 0.2);
        snw_vec3 point = snw_vec3_make(0.05, -0.02, 0.01);
        snw_goal goals[2] = {
            snw_goal_position(last, point, snw_pose_point(truth, last, point)),
            snw_goal_position(middle, (snw_vec3){0, 0, 0}, truth->world[middle].translation)};
        goals[1].weight = 2;
        fast_fixture f = fast_of(body, goals, 2);
        snw_pose_copy(pose, start);
        snw__ik_report report = snw__ik_fast_tree_solve(f.ik, f.tree, goals, pose, 100);
        assert_int_equal(report.outcome, SNW_IK_REACHED);
        check_world_is_forward(pose);
        assert_true(snw__ik_excess(f.ik, goals, pose) <= 1);
        for (int k = 0; k < body->joint_count; k++) {
            bool is_on_path = false;
            for (int g = 0; g < 2; g++)
                for (int j = goals[g].joint; j >= 0; j = body->parent[j])
                    is_on_path |= j == k;
            if (!is_on_path)
                assert_memory_equal(&pose->rotation[k], &start->rotation[k], sizeof(snw_quat));
        }
        fast_free(&f);
    }
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_pose_destroy(start);
    snw_skeleton_destroy(body);
}

/* Its first step, with the same damping, must be the one the general system gives: two derivations
 * of one J^T (J J^T + lambda)^-1 r. Turns differ in the third order only: 2 atan(w/2) against w. */
static void the_quick_tree_step_is_the_damped_step_of_the_general_system(void **state)
{
    (void)state;
    snw_skeleton *body = preset("y");
    snw_pose *pose = pose_of(body), *other = pose_of(body);
    snw_random random = snw_random_seed(37, 1);
    for (int i = 0; i < 20; i++) {
        pose_scatter(pose, &random, 0.5);
        snw_goal goals[2];
        for (int g = 0; g < 2; g++) {
            int joint = g ? 9 : 6;
            /* 2e-4 m away, more than the tolerance: turns of some 1e-3, whose cubes are 1e-9. */
            goals[g] = snw_goal_position(joint, (snw_vec3){0, 0, 0},
                                         snw_vec3_add_scaled(pose->world[joint].translation, 2e-4,
                                                             snw_random_direction(&random)));
        }
        fast_fixture f = fast_of(body, goals, 2);
        snw_pose_copy(other, pose);
        (void)snw__ik_fast_tree_solve(f.ik, f.tree, goals, pose, 1);
        snw__ik_system_build(f.ik->system, goals, other);
        /* FAST_DAMPING times the squared error, which is twice the energy. */
        double damping = 0.15 * 2 * f.ik->system->energy;
        snw__ik_system_solve_damped(f.ik->system, damping * snw__ik_system_scale(f.ik->system));
        (void)snw__ik_system_move(f.ik->system, 1, other);
        for (int k = 0; k < body->joint_count; k++)
            check_quat_near(pose->rotation[k], other->rotation[k], 5e-8);
        fast_free(&f);
    }
    snw_pose_destroy(pose);
    snw_pose_destroy(other);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_linkage_closes_all_the_way_round),
        cmocka_unit_test(lm_closes_the_four_bar_from_any_start),
        cmocka_unit_test(a_person_holds_their_own_hands),
        cmocka_unit_test(an_open_pin_is_not_called_reached),
        cmocka_unit_test(a_free_root_goes_where_its_limbs_cannot),
        cmocka_unit_test(rest_straightens_what_the_goals_leave_free),
        cmocka_unit_test(rest_alone_gives_the_rest_pose),
        cmocka_unit_test(a_heavier_goal_wins_when_both_cannot),
        cmocka_unit_test(a_floor_holds_only_from_below),
        cmocka_unit_test(tracking_in_and_out_of_reach_is_smooth),
        cmocka_unit_test(the_quick_tree_solve_reaches_and_keeps_the_rest_of_the_body),
        cmocka_unit_test(the_quick_tree_step_is_the_damped_step_of_the_general_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

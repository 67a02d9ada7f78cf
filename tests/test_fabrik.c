/* FABRIK: the printed iterations, the shapes plain FABRIK cannot leave, trees, loops, slides, and
 * the conformal form beside the Euclidean one. */
#include "ik_chains.h"

/* Rounding of the printed digits. */
#define PRINTED 1e-9

static void first_iterations_are_the_printed_ones(void **state)
{
    static const snw_vec3 first[3] = {{0.990651615, -0.096460816, -0.096460816},
                                      {1.614952164, 0.455919861, 0.455919861},
                                      {0.990631244, 1.008289025, 1.008289025}};
    (void)state;
    for (int iterations = 1; iterations <= 2; iterations++) {
        snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-9 / 3);
        options.iteration_max = iterations;
        chain_case c = chain_case_of(even_chain(3, 1), &options);
        snw_ik_result result = chain_solve(&c, snw_vec3_make(1, 1, 1));
        assert_int_equal(result.outcome, SNW_IK_OUT_OF_ITERATIONS);
        assert_int_equal(result.iterations, iterations);
        if (iterations == 1) {
            check_vec3_near(c.pose->world[1].translation, first[0], PRINTED);
            check_vec3_near(c.pose->world[2].translation, first[1], PRINTED);
            check_vec3_near(tip_of(&c), first[2], PRINTED);
        } else {
            check_vec3_near(tip_of(&c), snw_vec3_make(0.999886924, 1.000099869, 1.000099869),
                            PRINTED);
        }
        chain_case_free(&c);
    }
}

static void five_iterations_reach_one_billionth(void **state)
{
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-9 / 3);
    chain_case c = chain_case_of(even_chain(3, 1), &options);
    (void)state;
    snw_ik_result result = chain_solve(&c, snw_vec3_make(1, 1, 1));
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    assert_int_equal(result.iterations, 5);
    check_vec3_near(c.pose->world[1].translation,
                    snw_vec3_make(0.990271012, -0.098395432, -0.098395432), 2 * PRINTED);
    check_vec3_near(c.pose->world[2].translation,
                    snw_vec3_make(1.624996214, 0.448012803, 0.448012803), 2 * PRINTED);
    chain_case_free(&c);
}

static void out_of_reach_lies_on_the_ray(void **state)
{
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
    chain_case c = chain_case_of(even_chain(3, 1), &options);
    (void)state;
    snw_ik_result result = chain_solve(&c, snw_vec3_make(0, 4, 3));
    assert_int_equal(result.outcome, SNW_IK_UNREACHABLE);
    for (int i = 1; i < 3; i++)
        check_vec3_near(c.pose->world[i].translation, snw_vec3_make(0, 0.8 * i, 0.6 * i), 1e-14);
    check_vec3_near(tip_of(&c), snw_vec3_make(0, 2.4, 1.8), 1e-14);
    chain_case_free(&c);
}

static void inside_the_hole_comes_as_near_as_it_gets(void **state)
{
    const double length[3] = {5, 1, 1};
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
    chain_case c = chain_case_of(chain_of(length, 3), &options);
    (void)state;
    snw_ik_result result = chain_solve(&c, snw_vec3_make(0, 1, 0));
    assert_int_equal(result.outcome, SNW_IK_UNREACHABLE);
    check_vec3_near(tip_of(&c), snw_vec3_make(0, 3, 0), 1e-12);
    /* At the edge of the hole it is reached. */
    result = chain_solve(&c, snw_vec3_make(3, 0, 0));
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    chain_case_free(&c);
}

static void straight_chains_leave_their_line(void **state)
{
    static const snw_vec3 targets[] = {{1.5, 0, 0}, {-1.5, 0, 0}, {0.2, 0, 0}, {0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
        chain_case c = chain_case_of(even_chain(3, 1), &options);
        snw_ik_result result = chain_solve(&c, targets[i]);
        assert_int_equal(result.outcome, SNW_IK_REACHED);
        check_vec3_near(tip_of(&c), targets[i], 3e-6);
        chain_case_free(&c);
    }
}

/* Plain FABRIK needs 57, 515 and 4178 iterations for the first three (straight chain of nine bones,
 * target at a right angle, one millionth of the length). */
static void leaps_keep_full_reach_cheap(void **state)
{
    static const double part[] = {0.9, 0.99, 0.999, 0.9999};
    (void)state;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
        chain_case c = chain_case_of(even_chain(9, 1), &options);
        snw_ik_result result = chain_solve(&c, snw_vec3_make(0, 9 * part[i], 0));
        assert_int_equal(result.outcome, SNW_IK_REACHED);
        if (result.iterations > 120)
            print_error("%g of reach: %d iterations\n", part[i], result.iterations);
        assert_true(result.iterations <= 120);
        chain_case_free(&c);
    }
}

/* Table 3.1 of the thesis prints 15.46 iterations; 9 bones of 1000, bent 5 degrees per joint,
 * tolerance 1e-3, targets 6000 from the tip at 0.6 to 0.8 of reach give 15.65 without leaps. */
static void table_3_1_is_in_the_printed_range(void **state)
{
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-3 / 9000);
    chain_case c = chain_case_of(even_chain(9, 1000), &options);
    snw_random random = snw_random_seed(31, 0);
    double sum = 0;
    int count = 0;
    (void)state;
    while (count < 40) {
        snw_vec3 target = random_target(&random, 5400, 7200);
        snw_pose_reset(c.pose);
        for (int i = 1; i < 9; i++)
            c.pose->rotation[i] = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), snw_radians(5));
        snw_pose_forward(c.pose);
        if (fabs(snw_vec3_distance(tip_of(&c), target) - 6000) > 200) continue;
        snw_ik_result result = chain_solve(&c, target);
        assert_int_equal(result.outcome, SNW_IK_REACHED);
        sum += result.iterations;
        count++;
    }
    print_message("mean iterations %.2f (printed 15.46)\n", sum / count);
    assert_true(sum / count >= 8 && sum / count <= 30);
    chain_case_free(&c);
}

/* Smallest turn: the axis of every joint's change is across its bone, before and after. */
static void twist_is_kept(void **state)
{
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
    chain_case c = chain_case_of(even_chain(8, 1), &options);
    snw_random random = snw_random_seed(5, 5);
    snw_pose *before = pose_of(c.body);
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        pose_scatter(c.pose, &random, 0.6);
        snw_pose_copy(before, c.pose);
        (void)chain_solve(&c, random_target(&random, 1, 7));
        for (int i = 0; i < 8; i++) {
            snw_quat turn =
                snw_quat_mul(c.pose->rotation[i], snw_quat_conjugate(before->rotation[i]));
            snw_vec3 bone = snw_quat_rotate(before->rotation[i], snw_vec3_make(1, 0, 0));
            /* Round-off of a handful of products. */
            check_near(snw_vec3_dot(snw_quat_vector(turn), bone), 0, 1e-12);
        }
    }
    snw_pose_destroy(before);
    chain_case_free(&c);
}

/* ---- beside the conformal form -------------------------------------------------------------- */

static void compare_forms(snw_skeleton *body, const snw_goal *goals, int count,
                          const snw_ik_options *euclidean, const snw_pose *start)
{
    snw_ik_options conformal = *euclidean;
    conformal.solver = SNW_IK_FABRIK_CGA;
    snw_ik *a = ik_of(body, goals, count, euclidean), *b = ik_of(body, goals, count, &conformal);
    snw_pose *pa = pose_of(body), *pb = pose_of(body);
    snw_pose_copy(pa, start);
    snw_pose_copy(pb, start);
    snw_ik_result ra = snw_ik_solve(a, goals, pa), rb = snw_ik_solve(b, goals, pb);
    assert_int_equal(ra.outcome, rb.outcome);
    /* With limits round-off decides which of two sweeps comes next: both reach, elsewhere. */
    bool has_limits = a->limited_count > 0;
    if (!has_limits) assert_int_equal(ra.iterations, rb.iterations);
    for (int i = 0; i < body->joint_count && !has_limits; i++)
        check_vec3_near(pa->world[i].translation, pb->world[i].translation, 1e-9 * body->size);
    snw_pose_destroy(pa);
    snw_pose_destroy(pb);
    snw_ik_destroy(a);
    snw_ik_destroy(b);
}

static void conformal_form_gives_the_same(void **state)
{
    static const char *const names[] = {"chain10", "y", "humanoid"};
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
    snw_random random = snw_random_seed(77, 0);
    (void)state;
    options.iteration_max = 60;
    for (int n = 0; n < 3; n++) {
        snw_skeleton *body = preset(names[n]);
        snw_pose *truth = pose_of(body), *start = pose_of(body);
        int last = body->joint_count - 1;
        for (int trial = 0; trial < CHECK_SAMPLES(40); trial++) {
            pose_scatter(truth, &random, 0.6);
            pose_scatter(start, &random, 0.3);
            snw_vec3 tip = snw_pose_tip(truth, last), way = snw_random_direction(&random);
            snw_goal kinds[4] = {snw_goal_position(last, body->tip[last], tip),
                                 snw_goal_line(last, body->tip[last], tip, way),
                                 snw_goal_plane(last, body->tip[last], tip, way),
                                 snw_goal_side(last, body->tip[last], tip, way)};
            compare_forms(body, &kinds[trial % 4], 1, &options, start);
        }
        snw_pose_destroy(start);
        snw_pose_destroy(truth);
        snw_skeleton_destroy(body);
    }
}

/* ---- trees, loops, slides, roots ------------------------------------------------------------ */

static void both_arms_of_a_tree_reach(void **state)
{
    snw_skeleton *body = preset("y");
    snw_pose *pose = pose_of(body), *truth = pose_of(body);
    snw_random random = snw_random_seed(9, 2);
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    int tips[8], count = 0, reached = 0;
    snw_goal goals[8];
    (void)state;
    for (int j = 0; j < body->joint_count; j++) {
        bool is_leaf = true;
        for (int k = j + 1; k < body->joint_count; k++)
            is_leaf &= body->parent[k] != j;
        if (is_leaf) tips[count++] = j;
    }
    assert_true(count >= 2);
    for (int g = 0; g < count; g++)
        goals[g] = snw_goal_position(tips[g], body->tip[tips[g]], snw_vec3_make(0, 0, 0));
    snw_ik *ik = ik_of(body, goals, count, &options);
    for (int trial = 0; trial < 100; trial++) {
        pose_scatter(truth, &random, 0.8);
        for (int g = 0; g < count; g++)
            goals[g].position = snw_pose_tip(truth, tips[g]);
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, goals, pose).outcome == SNW_IK_REACHED;
    }
    /* Targets from a pose can be met; sweeps over means may settle short of a few. */
    if (reached < 95) print_error("%d of 100 reached\n", reached);
    assert_true(reached >= 95);
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void a_pinned_chain_closes(void **state)
{
    const double length = 0.25;
    snw_skeleton *open = even_chain(8, length), *body = NULL;
    snw_joint_def defs[8];
    snw_pin pin = {7, -1, {length, 0, 0}, {0.5, 0.6, 0.2}};
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
    (void)state;
    for (int i = 0; i < 8; i++)
        defs[i] = snw_skeleton_joint_def(open, i);
    assert_int_equal(
        snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 8, &pin, 1}, NULL, &body, NULL),
        SNW_OK);
    snw_pose *pose = pose_of(body);
    snw_goal goal = snw_goal_position(3, snw_vec3_make(length, 0, 0), snw_vec3_make(0, 0.8, 0));
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    snw_ik_result result = snw_ik_solve(ik, &goal, pose);
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    check_vec3_near(snw_pose_point(pose, 7, pin.point_a), pin.point_b, 2e-6);
    check_vec3_near(snw_pose_point(pose, 3, goal.point), goal.position, 2e-6);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(open);
}

static void a_slide_lengthens_the_reach(void **state)
{
    snw_skeleton *plain = even_chain(4, 1), *body = NULL;
    snw_joint_def defs[4];
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-5);
    (void)state;
    for (int i = 0; i < 4; i++)
        defs[i] = snw_skeleton_joint_def(plain, i);
    defs[2].joint.type = SNW_JOINT_PRISMATIC;
    defs[2].joint.limit.has_range[0] = true;
    defs[2].joint.limit.range[0][0] = 0;
    defs[2].joint.limit.range[0][1] = 1.5;
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, NULL), SNW_OK);
    chain_case c = chain_case_of(body, &options);
    snw_ik_result result = chain_solve(&c, snw_vec3_make(0.5, 4.8, 0.3));
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    assert_true(c.pose->slide[2].x > 0.5 && c.pose->slide[2].x <= 1.5);
    chain_case_free(&c);
    snw_skeleton_destroy(plain);
}

static void a_free_root_follows(void **state)
{
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-6);
    options.root = SNW_IK_ROOT_FREE;
    chain_case c = chain_case_of(even_chain(5, 1), &options);
    (void)state;
    snw_ik_result result = chain_solve(&c, snw_vec3_make(30, -20, 10));
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    assert_true(snw_vec3_length(c.pose->root.translation) > 20);
    chain_case_free(&c);
}

static void a_tip_takes_its_orientation(void **state)
{
    snw_skeleton *body = even_chain(7, 1);
    snw_pose *pose = pose_of(body), *truth = pose_of(body);
    snw_random random = snw_random_seed(4, 4);
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-5);
    snw_goal goal = snw_goal_pose(6, body->tip[6], snw_vec3_make(0, 0, 0), snw_quat_identity());
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        pose_scatter(truth, &random, 0.7);
        goal.position = snw_pose_tip(truth, 6);
        goal.orientation = truth->world[6].rotation;
        snw_pose_reset(pose);
        assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
        check_quat_near(pose->world[6].rotation, goal.orientation, 1e-3);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* A hinge whose bone lies on its axis moves no point: it is part of the limb above. */
static void joints_that_cannot_steer_do_not_stand_in_the_way(void **state)
{
    snw_skeleton *arm = preset("arm7");
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    snw_goal goal = snw_goal_position(arm->joint_count - 1, snw_vec3_make(0, 0, 0),
                                      snw_vec3_make(0.3, 0.2, 0.5));
    snw_ik *ik = ik_of(arm, &goal, 1, &options);
    snw_pose *pose = pose_of(arm);
    (void)state;
    assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
}

/* What cannot be reached is come near to once: solved again, the arm does not turn over. */
static void static_targets_out_of_reach_do_not_flip_a_limb(void **state)
{
    snw_skeleton *body = preset("humanoid");
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    int wrist = snw_skeleton_find_joint(body, "left_wrist"), flips = 0;
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_goal goal = snw_goal_position(wrist, zero, zero);
    options.iteration_max = 200;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    snw_pose *pose = pose_of(body), *first = pose_of(body);
    snw_random random = snw_random_seed(42, 1);
    (void)state;
    for (int k = 0; k < 40; k++) {
        double far = k % 2 ? 1.3 : 1.0;
        goal.position = snw_vec3_scale(snw_random_direction(&random), far * body->size);
        snw_pose_reset(pose);
        (void)snw_ik_solve(ik, &goal, pose);
        snw_pose_copy(first, pose);
        for (int again = 0; again < 3; again++)
            (void)snw_ik_solve(ik, &goal, pose);
        for (int j = 0; j < body->joint_count; j++)
            if (snw_quat_angle_between(first->rotation[j], pose->rotation[j]) > 0.5) {
                flips++;
                break;
            }
    }
    /* Where sweeps are slow one more solve may still come a hundredth nearer, by another way. */
    if (flips > 2) fail_msg("%d of 40 flip", flips);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_pose_destroy(first);
    snw_skeleton_destroy(body);
}

/* Places and frames of a robot's flange. What is missed runs out of iterations. */
static void an_arm_reaches_places_with_their_frames(void **state)
{
    snw_skeleton *arm = preset("arm7");
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    int tool = snw_skeleton_find_joint(arm, "tool"), reached = 0;
    snw_goal goal =
        snw_goal_pose(tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0), snw_quat_identity());
    options.iteration_max = 500;
    snw_ik *ik = ik_of(arm, &goal, 1, &options);
    snw_pose *truth = pose_of(arm), *pose = pose_of(arm);
    snw_random random = snw_random_seed(41, 1);
    (void)state;
    for (int k = 0; k < 200; k++) {
        pose_scatter(truth, &random, 0.8);
        goal.position = truth->world[tool].translation;
        goal.orientation = truth->world[tool].rotation;
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED;
    }
    if (reached < 195) fail_msg("%d of 200", reached);
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
}

/* A chain of ten bones of 0.1 m whose joints are all of one kind; the last is the end. */
static snw_skeleton *limited_chain(const char *kind)
{
    snw_skeleton *plain = NULL, *body = NULL;
    snw_joint_def defs[11];
    assert_int_equal(snw_preset_chain(11, 0.1, NULL, &plain, NULL), SNW_OK);
    for (int i = 0; i < 11; i++) {
        defs[i] = snw_skeleton_joint_def(plain, i);
        snw_joint *joint = &defs[i].joint;
        if (i == 10) break;
        if (strcmp(kind, "cone") == 0) joint->limit = cone_limit();
        if (strcmp(kind, "window") == 0) joint->limit = window_limit();
        if (strcmp(kind, "universal") == 0) {
            joint->type = SNW_JOINT_UNIVERSAL;
            joint->axis = snw_vec3_make(0, 0, 1);
            joint->axis2 = snw_vec3_make(0, 1, 0);
            for (int k = 0; k < 2; k++) {
                joint->limit.has_range[k] = true;
                joint->limit.range[k][0] = -0.6;
                joint->limit.range[k][1] = 0.6;
            }
        }
        bool is_hinge = strcmp(kind, "hinges") == 0;
        bool is_narrow = strcmp(kind, "narrow hinge at the end") == 0 && i == 9;
        if (is_hinge || is_narrow) {
            joint->type = SNW_JOINT_HINGE;
            joint->axis = i % 2 || is_narrow ? snw_vec3_make(0, 1, 0) : snw_vec3_make(0, 0, 1);
            joint->limit.has_range[0] = true;
            joint->limit.range[0][0] = is_narrow ? -0.1 : -1.2;
            joint->limit.range[0][1] = is_narrow ? 0.2 : 1.2;
        }
        if (strcmp(kind, "pivot on the bone") == 0 && i == 5) {
            joint->type = SNW_JOINT_PIVOT;
            joint->axis = snw_vec3_make(1, 0, 0);
            joint->limit.has_range[0] = true;
            joint->limit.range[0][0] = -1;
            joint->limit.range[0][1] = 1;
        }
    }
    assert_int_equal(snw_skeleton_create(defs, 11, NULL, &body, NULL), SNW_OK);
    snw_skeleton_destroy(plain);
    return body;
}

/* Places of random allowed poses, from rest: how many of them are reached. */
static double share_reached(snw_skeleton *body, const char *const *joints, int count, bool frames)
{
    snw_pose *truth = pose_of(body), *pose = pose_of(body);
    snw_goal goals[5];
    snw_random random = snw_random_seed(41, 1);
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    int samples = CHECK_SAMPLES(200), reached = 0;
    options.iteration_max = 500;
    for (int g = 0; g < count; g++) {
        int joint = joints ? snw_skeleton_find_joint(body, joints[g]) : body->joint_count - 1;
        goals[g] = snw_goal_position(joint, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
        if (frames) goals[g].kind = SNW_GOAL_POSE;
    }
    snw_ik *ik = ik_of(body, goals, count, &options);
    for (int k = 0; k < samples; k++) {
        pose_scatter(truth, &random, 0.8);
        for (int g = 0; g < count; g++) {
            goals[g].position = truth->world[goals[g].joint].translation;
            goals[g].orientation = truth->world[goals[g].joint].rotation;
        }
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, goals, pose).outcome == SNW_IK_REACHED;
        assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return (double)reached / samples;
}

/* Of the few samples that sanitizers take, one may miss. */
static double least_share(double share)
{
    return CHECK_SAMPLES(100) < 100 ? share - 0.1 : share;
}

static void every_kind_of_limit_is_reached_with(void **state)
{
    static const char *const kinds[] = {
        "cone", "window", "universal", "hinges", "narrow hinge at the end", "pivot on the bone"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        double share = share_reached(limited_chain(kinds[k]), NULL, 1, false);
        if (!(share >= least_share(0.99))) fail_msg("%s: %.3f reached", kinds[k], share);
    }
}

static void one_to_five_effectors_of_a_humanoid_reach(void **state)
{
    static const char *const joints[] = {"left_wrist", "head", "left_ankle", "right_wrist",
                                         "right_ankle"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        double share = share_reached(preset("humanoid"), joints + k, 1, false);
        if (!(share >= least_share(0.99))) fail_msg("%s: %.3f reached", joints[k], share);
    }
    for (int count = 3; count <= 5; count += 2) {
        double share = share_reached(preset("humanoid"), joints, count, false);
        if (!(share >= least_share(0.97))) fail_msg("%d effectors: %.3f reached", count, share);
    }
    double share = share_reached(preset("humanoid"), joints, 1, true);
    if (!(share >= least_share(0.99))) fail_msg("the wrist with its frame: %.3f reached", share);
}

/* Sweeps alone need tens of thousands of iterations here. */
static void two_hundred_links_reach_the_edge(void **state)
{
    (void)state;
    chain_case c;
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    options.iteration_max = 500;
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_chain(201, 0.1, NULL, &body, NULL), SNW_OK);
    c = chain_case_of(body, &options);
    snw_random random = snw_random_seed(42, 1);
    for (int k = 0; k < 10; k++) {
        snw_pose_reset(c.pose);
        snw_vec3 target =
            snw_vec3_scale(snw_random_direction(&random), (k % 2 ? 0.999 : 0.99) * 20);
        assert_int_equal(chain_solve(&c, target).outcome, SNW_IK_REACHED);
    }
    chain_case_free(&c);
}

/* Thesis, figure 3.22: a body of two arms, both targets on sinusoidal curves in and out of reach.
 * No joint goes farther in a step than some times the target's: on the two paths that stay away
 * from full stretch 4, on the others what the edge of reach asks of any method (`auto`: 6.5
 * and 9.7). */
static void two_moving_targets_do_not_make_joints_jump(void **state)
{
    (void)state;
    static const double bound[] = {4, 10, 10, 4};
    snw_skeleton *body = preset("y");
    snw_pose *pose = pose_of(body), *last = pose_of(body);
    static const int tip[] = {6, 9};
    snw_goal goals[2];
    for (int k = 0; k < 2; k++)
        goals[k] = snw_goal_position(tip[k], snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_options options = options_of(SNW_IK_FABRIK, 1e-4);
    options.iteration_max = 500;
    snw_ik *ik = ik_of(body, goals, 2, &options);
    for (int path = 0; path < 4; path++) {
        double size = body->size, farthest = 0, most = 0;
        snw_pose_reset(pose);
        snw_pose_forward(pose);
        for (int n = 0; n < 500; n++) {
            double a = 2 * SNW_PI * n / 500;
            snw_vec3 target[2] = {{size * (-0.35 + 0.35 * sin(a)),
                                   size * (0.75 + 0.35 * sin(2 * a + path)),
                                   size * 0.2 * sin(a + path)},
                                  {size * (0.35 + 0.3 * sin(a + 1 + path)),
                                   size * (0.75 + 0.35 * cos(2 * a)), size * 0.2 * cos(a)}};
            for (int k = 0; k < 2 && n > 0; k++)
                most = fmax(most, snw_vec3_distance(target[k], goals[k].position));
            goals[0].position = target[0];
            goals[1].position = target[1];
            snw_pose_copy(last, pose);
            (void)snw_ik_solve(ik, goals, pose);
            for (int j = 0; j < body->joint_count && n > 0; j++)
                farthest = fmax(farthest, snw_vec3_distance(pose->world[j].translation,
                                                            last->world[j].translation));
        }
        if (!(farthest <= bound[path] * most))
            fail_msg("path %d: a joint goes %.1f times as far as a target", path, farthest / most);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_pose_destroy(last);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_iterations_are_the_printed_ones),
        cmocka_unit_test(five_iterations_reach_one_billionth),
        cmocka_unit_test(out_of_reach_lies_on_the_ray),
        cmocka_unit_test(inside_the_hole_comes_as_near_as_it_gets),
        cmocka_unit_test(straight_chains_leave_their_line),
        cmocka_unit_test(leaps_keep_full_reach_cheap),
        cmocka_unit_test(table_3_1_is_in_the_printed_range),
        cmocka_unit_test(twist_is_kept),
        cmocka_unit_test(conformal_form_gives_the_same),
        cmocka_unit_test(both_arms_of_a_tree_reach),
        cmocka_unit_test(a_pinned_chain_closes),
        cmocka_unit_test(a_slide_lengthens_the_reach),
        cmocka_unit_test(a_free_root_follows),
        cmocka_unit_test(a_tip_takes_its_orientation),
        cmocka_unit_test(joints_that_cannot_steer_do_not_stand_in_the_way),
        cmocka_unit_test(an_arm_reaches_places_with_their_frames),
        cmocka_unit_test(static_targets_out_of_reach_do_not_flip_a_limb),
        cmocka_unit_test(every_kind_of_limit_is_reached_with),
        cmocka_unit_test(one_to_five_effectors_of_a_humanoid_reach),
        cmocka_unit_test(two_hundred_links_reach_the_edge),
        cmocka_unit_test(two_moving_targets_do_not_make_joints_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

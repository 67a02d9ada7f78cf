/* All answers in closed form: exact, the pose that made the target among them, and as many as
 * searching from many random poses finds; arms by presets and by descriptions that are rounded. */
#include "ik_bodies.h"

typedef struct arm_case {
    const char *name;
    const char *held; /* of seven hinges, or NULL */
    int most;
} arm_case;

static const arm_case arm_cases[] = {
    {"puma560", NULL, 8},  {"ur5", NULL, 8},       {"ur10", NULL, 8},      {"arm7", "joint3", 8},
    {"gen3", "joint3", 8}, {"panda", "joint7", 8}, {"xarm7", "joint7", 8},
};
#define ARM_CASES ((int)(sizeof arm_cases / sizeof *arm_cases))

typedef struct arm_setup {
    snw_skeleton *body;
    snw_pose *truth, *pose;
    snw_ik_arm arm;
    snw_random random;
} arm_setup;

/* UFACTORY xArm 7, modified Denavit-Hartenberg rows of its user manual. */
static snw_skeleton *xarm7(void)
{
    static const double rows[7][3] = {{0, 0, 0.267},      {0, -90, 0},          {0, 90, 0.293},
                                      {0.0525, 90, 0},    {0.0775, 90, 0.3425}, {0, 90, 0},
                                      {0.076, -90, 0.097}};
    snw_dh_row table[7] = {0};
    snw_skeleton *body = NULL;
    for (int k = 0; k < 7; k++) {
        table[k].a = rows[k][0];
        table[k].alpha = snw_radians(rows[k][1]);
        table[k].d = rows[k][2];
    }
    assert_int_equal(snw_skeleton_from_dh(table, 7, SNW_DH_MODIFIED, NULL, &body, NULL), SNW_OK);
    return body;
}

static snw_skeleton *arm_of(const char *name)
{
    return strcmp(name, "xarm7") == 0 ? xarm7() : preset(name);
}

static arm_setup setup_of(const arm_case *c)
{
    arm_setup s = {.body = arm_of(c->name), .random = snw_random_seed(3, 9)};
    s.truth = pose_of(s.body);
    s.pose = pose_of(s.body);
    s.arm.joint = s.body->joint_count - 1;
    s.arm.held = c->held ? snw_skeleton_find_joint(s.body, c->held) : -1;
    return s;
}

static void setup_free(arm_setup *s)
{
    snw_pose_destroy(s->truth);
    snw_pose_destroy(s->pose);
    snw_skeleton_destroy(s->body);
}

/* A random pose, limits or not, and the target it makes. */
static snw_xform next_target(arm_setup *s, double values[8])
{
    for (int k = 0; k < s->body->dof_count; k++)
        values[k] = snw_random_range(&s->random, -SNW_PI, SNW_PI);
    snw_pose_set_values(s->truth, values);
    snw_pose_forward(s->truth);
    if (s->arm.held >= 0) s->arm.held_value = values[s->body->dof_first[s->arm.held]];
    return s->truth->world[s->arm.joint];
}

static int solve(arm_setup *s, snw_xform target, snw_ik_solution *solutions)
{
    int count = -1;
    snw_error error;
    if (snw_ik_all_solutions(s->body, &s->arm, target, solutions, &count, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return count;
}

static void put_solution(arm_setup *s, const snw_ik_solution *solution)
{
    snw_pose_copy(s->pose, s->truth); /* the held joint */
    for (int k = 0; k < 6; k++) {
        const snw_joint *joint = &s->body->joint[solution->joint[k]];
        snw_vec3 slide;
        snw_joint_from_values(joint, &solution->value[k], &s->pose->rotation[solution->joint[k]],
                              &slide);
    }
    snw_pose_forward(s->pose);
}

static double farthest(const arm_setup *s, const snw_ik_solution *solution, const double *values)
{
    double largest = 0;
    for (int k = 0; k < 6; k++) {
        double own = values[s->body->dof_first[solution->joint[k]]];
        largest = fmax(largest, fabs(snw_wrap_angle(solution->value[k] - own)));
    }
    return largest;
}

static void every_answer_is_exact_and_the_truth_is_among_them(void **state)
{
    (void)state;
    for (int c = 0; c < ARM_CASES; c++) {
        arm_setup s = setup_of(&arm_cases[c]);
        for (int n = 0; n < 2000; n++) {
            double values[8], nearest = INFINITY;
            snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
            snw_xform target = next_target(&s, values);
            int count = solve(&s, target, solutions);
            assert_true(count >= 1 && count <= arm_cases[c].most);
            for (int k = 0; k < count; k++) {
                put_solution(&s, &solutions[k]);
                /* What the closed form promises: 1e-9 of the size and radians. */
                check_vec3_near(s.pose->world[s.arm.joint].translation, target.translation,
                                2e-9 * s.body->size);
                check_near(
                    snw_quat_angle_between(s.pose->world[s.arm.joint].rotation, target.rotation), 0,
                    3e-9);
                nearest = fmin(nearest, farthest(&s, &solutions[k], values));
            }
            /* Angles near a singular pose are the root of what doubles hold. */
            check_near(nearest, 0, 1e-4);
        }
        setup_free(&s);
    }
}

/* The same by search: single solves from random poses until nothing new turns up. */
static int search(arm_setup *s, snw_ik *ik, const snw_goal *goal, const snw_ik_solution *known,
                  int known_count)
{
    bool is_found[SNW_IK_SOLUTIONS_MAX] = {false};
    int found = 0;
    for (int n = 0; n < 400 && found < known_count; n++) {
        double values[8];
        for (int k = 0; k < s->body->dof_count; k++)
            values[k] = snw_random_range(&s->random, -SNW_PI, SNW_PI);
        if (s->arm.held >= 0) values[s->body->dof_first[s->arm.held]] = s->arm.held_value;
        snw_pose_set_values(s->pose, values);
        if (snw_ik_solve(ik, goal, s->pose).outcome != SNW_IK_REACHED) continue;
        snw_pose_values(s->pose, values);
        int which = -1;
        for (int k = 0; k < known_count; k++)
            if (farthest(s, &known[k], values) < 1e-3) which = k;
        if (which < 0) return -1; /* one that the closed form does not have */
        found += !is_found[which];
        is_found[which] = true;
    }
    return found;
}

static void a_search_from_many_poses_finds_the_same_answers(void **state)
{
    (void)state;
    int same = 0, all = 0;
    for (int c = 0; c < 3; c++) {
        arm_setup s = setup_of(&arm_cases[c]);
        snw_goal goal = snw_goal_pose(s.arm.joint, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0),
                                      snw_quat_identity());
        snw_ik_options options = snw_ik_options_default();
        options.solver = SNW_IK_LM;
        options.use_limits = false;
        options.restart_max = 0;
        options.tolerance = options.turn_tolerance = 1e-9;
        snw_ik *ik = ik_of(s.body, &goal, 1, &options);
        for (int n = 0; n < 25; n++) {
            double values[8];
            snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
            snw_xform target = next_target(&s, values);
            int count = solve(&s, target, solutions);
            goal.position = target.translation;
            goal.orientation = target.rotation;
            int found = search(&s, ik, &goal, solutions, count);
            assert_true(found >= 0); /* nothing is missing from the set */
            same += found == count;
            all++;
        }
        snw_ik_destroy(ik);
        setup_free(&s);
    }
    /* A basin may be too small for 400 starts. */
    assert_true(same >= all - 2);
}

static void limits_are_flagged_and_singular_poses_answered(void **state)
{
    (void)state;
    arm_setup s = setup_of(&arm_cases[0]);
    snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
    double values[8] = {0.1, 0.5, -0.3, 0.2, 0.4, -0.6};
    snw_pose_set_values(s.truth, values);
    snw_pose_forward(s.truth);
    int count = solve(&s, s.truth->world[s.arm.joint], solutions), allowed = 0;
    assert_int_equal(count, 8);
    for (int k = 0; k < count; k++) {
        put_solution(&s, &solutions[k]);
        assert_int_equal(solutions[k].is_allowed, snw_pose_violation(s.pose) <= 1e-9);
        allowed += solutions[k].is_allowed;
    }
    assert_true(allowed >= 1 && allowed < 8);
    values[4] = 0; /* the wrist stretched: one turn of two hinges stands for all */
    snw_pose_set_values(s.truth, values);
    snw_pose_forward(s.truth);
    assert_true(solve(&s, s.truth->world[s.arm.joint], solutions) >= 1);
    snw_xform far = snw_xform_make(snw_quat_identity(), snw_vec3_make(9, 0, 0));
    assert_int_equal(solve(&s, far, solutions), 0);
    setup_free(&s);
}

static void other_arms_are_refused_with_a_sentence(void **state)
{
    static const struct {
        const char *body, *part;
    } cases[] = {{"panda", "a curve; hold one hinge"}, {"humanoid", "closed forms are for hinges"}};
    (void)state;
    for (int n = 0; n < 2; n++) {
        snw_skeleton *body = preset(cases[n].body);
        snw_ik_arm arm = {body->joint_count - 1, -1, 0};
        snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
        snw_error error;
        int count = -1;
        assert_int_equal(
            snw_ik_all_solutions(body, &arm, snw_xform_identity(), solutions, &count, &error),
            SNW_UNSUPPORTED);
        if (!strstr(error.message, cases[n].part)) fail_msg("%s", error.message);
        assert_int_equal(count, 0);
        arm.held = 9999;
        assert_int_equal(
            snw_ik_all_solutions(body, &arm, snw_xform_identity(), solutions, &count, &error),
            SNW_INVALID_ARGUMENT);
        snw_skeleton_destroy(body);
    }
    snw_skeleton *panda = preset("panda");
    snw_ik_arm arm = {panda->joint_count - 1, 2, 0.3};
    snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
    snw_error error;
    int count;
    assert_int_equal(
        snw_ik_all_solutions(panda, &arm, snw_xform_identity(), solutions, &count, &error),
        SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "no closed form"));
    arm.held_value = NAN;
    assert_int_equal(
        snw_ik_all_solutions(panda, &arm, snw_xform_identity(), solutions, &count, &error),
        SNW_INVALID_ARGUMENT);
    snw_skeleton_destroy(panda);
}

/* Held at values along its range the hinge gives the curve: a little further on it moves every
 * joint little on some branch. */
static void a_redundant_arm_is_sampled_along_one_hinge(void **state)
{
    static const struct {
        const char *body, *hinge;
    } cases[] = {{"panda", "joint7"}, {"xarm7", "joint7"}, {"arm7", "joint3"},
                 {"gen3", "joint3"},  {"ur5", NULL},       {"humanoid", NULL}};
    (void)state;
    for (int c = 0; c < 6; c++) {
        snw_skeleton *body = arm_of(cases[c].body);
        int hinge = snw_ik_redundant_hinge(body, body->joint_count - 1);
        if (!cases[c].hinge)
            assert_int_equal(hinge, -1);
        else
            assert_string_equal(body->joint_name[hinge], cases[c].hinge);
        assert_int_equal(snw_ik_redundant_hinge(body, body->joint_count), -1);
        snw_skeleton_destroy(body);
        if (!cases[c].hinge) continue;
        arm_setup s = setup_of(&(arm_case){cases[c].body, cases[c].hinge, 8});
        int near = 0;
        for (int n = 0; n < 100; n++) {
            double values[8], nearest = INFINITY;
            snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
            snw_xform target = next_target(&s, values);
            s.arm.held_value += 1e-4;
            int count = solve(&s, target, solutions);
            for (int k = 0; k < count; k++)
                nearest = fmin(nearest, farthest(&s, &solutions[k], values));
            near += nearest < 0.05;
        }
        assert_true(near >= 97); /* a curve may turn back, or be steep, there */
        setup_free(&s);
    }
}

/* Descriptions round their angles: the arm as it is counts, not the ideal one. */
static void rounded_descriptions_have_their_answers_too(void **state)
{
    (void)state;
    snw_skeleton *ideal = preset("ur5"), *rounded = NULL;
    snw_joint_def defs[8];
    snw_random random = snw_random_seed(4, 4);
    int count = ideal->joint_count;
    for (int j = 0; j < count; j++) {
        defs[j] = snw_skeleton_joint_def(ideal, j);
        snw_quat off = snw_quat_from_axis_angle(snw_random_direction(&random), 4e-6);
        defs[j].rest.rotation = snw_quat_normalize(snw_quat_mul(defs[j].rest.rotation, off));
    }
    assert_int_equal(snw_skeleton_create(defs, count, NULL, &rounded, NULL), SNW_OK);
    snw_skeleton_destroy(ideal);
    arm_setup s = {.body = rounded, .random = random};
    s.truth = pose_of(rounded);
    s.pose = pose_of(rounded);
    s.arm = (snw_ik_arm){count - 1, -1, 0};
    int complete = 0;
    for (int n = 0; n < 200; n++) {
        double values[8], nearest = INFINITY;
        snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
        snw_xform target = next_target(&s, values);
        int found = solve(&s, target, solutions);
        for (int k = 0; k < found; k++) {
            put_solution(&s, &solutions[k]);
            check_vec3_near(s.pose->world[count - 1].translation, target.translation, 3e-9);
            nearest = fmin(nearest, farthest(&s, &solutions[k], values));
        }
        complete += nearest < 1e-4;
    }
    assert_true(complete >= 196); /* near the edge of reach the ideal arm may have none */
    setup_free(&s);
}

/* The wrist of the Gen3 as its maker describes it misses by 0.35 mm. */
static void a_wrist_that_nearly_meets_has_its_answers_too(void **state)
{
    (void)state;
    snw_skeleton *ideal = preset("gen3"), *made = NULL;
    snw_joint_def defs[9];
    int count = ideal->joint_count, held = snw_skeleton_find_joint(ideal, "joint3");
    for (int j = 0; j < count; j++)
        defs[j] = snw_skeleton_joint_def(ideal, j);
    for (int j = count - 3; j < count; j++)
        defs[j].rest.translation.x += 1.75e-4;
    assert_int_equal(snw_skeleton_create(defs, count, NULL, &made, NULL), SNW_OK);
    snw_skeleton_destroy(ideal);
    arm_setup s = {.body = made, .random = snw_random_seed(8, 4)};
    s.truth = pose_of(made);
    s.pose = pose_of(made);
    s.arm = (snw_ik_arm){count - 1, held, 0};
    int complete = 0;
    for (int n = 0; n < 200; n++) {
        double values[8], nearest = INFINITY;
        snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
        snw_xform target = next_target(&s, values);
        int found = solve(&s, target, solutions);
        for (int k = 0; k < found; k++)
            nearest = fmin(nearest, farthest(&s, &solutions[k], values));
        complete += nearest < 1e-4;
    }
    assert_true(complete >= 198); /* where two answers are about one, both may lead to the other */
    setup_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_exact_and_the_truth_is_among_them),
        cmocka_unit_test(a_search_from_many_poses_finds_the_same_answers),
        cmocka_unit_test(limits_are_flagged_and_singular_poses_answered),
        cmocka_unit_test(other_arms_are_refused_with_a_sentence),
        cmocka_unit_test(a_redundant_arm_is_sampled_along_one_hinge),
        cmocka_unit_test(a_wrist_that_nearly_meets_has_its_answers_too),
        cmocka_unit_test(rounded_descriptions_have_their_answers_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

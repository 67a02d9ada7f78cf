/* Preferred poses: the answer is the nearest that meets the goals, found in one solve, and depends
 * on the targets alone. */
#include <sinew/dense.h>

#include "../cli/bench/bench_poses.h"
#include "check.h"
#include "ik_bodies.h"

static snw_vec3 tip_of(const snw_skeleton *body, int joint)
{
    return body->has_tip[joint] ? body->tip[joint] : snw_vec3_make(0, 0, 0);
}

/* Of rotation vectors to the other pose; hinges by their angles, whose way inside the range may be
 * more than half a turn. */
static double distance2(const snw_pose *from, const snw_pose *to)
{
    double sum = 0;
    for (int j = 0; j < from->skeleton->joint_count; j++) {
        const snw_joint *joint = &from->skeleton->joint[j];
        double turn = snw_quat_angle_between(from->rotation[j], to->rotation[j]), a[6], b[6];
        bool is_hinge = joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_PIVOT;
        if (is_hinge && joint->limit.has_range[0]) {
            (void)snw_joint_values(joint, from->rotation[j], from->slide[j], a);
            (void)snw_joint_values(joint, to->rotation[j], to->slide[j], b);
            turn = a[0] - b[0];
        }
        sum += turn * turn;
    }
    return sum;
}

static void rest_is_settled_by_the_first_solve(void **state)
{
    (void)state;
    static const struct {
        const char *body, *joint;
        int others; /* of a hundred that a second solve moves by more than 1e-4 rad */
    } rows[] = {{"chain10", "joint10", 0},
                {"humanoid13", "left_wrist", 0},
                {"arm7", "tool", 0},
                {"humanoid", "left_wrist", 8},
                {"humanoid", "left_ankle", 8}};
    for (int n = 0; n < (int)(sizeof rows / sizeof *rows); n++) {
        snw_skeleton *body = preset(rows[n].body);
        int joint = snw_skeleton_find_joint(body, rows[n].joint), moved = 0;
        if (joint < 0) joint = body->joint_count - 1;
        snw_goal goals[2] = {snw_goal_position(joint, tip_of(body, joint), (snw_vec3){0, 0, 0}),
                             snw_goal_rest(-1)};
        snw_ik *ik = ik_of(body, goals, 2, NULL);
        snw_pose *truth = pose_of(body), *pose = pose_of(body), *first = pose_of(body);
        snw_random random = snw_random_seed(61, 1);
        int count = CHECK_SAMPLES(100);
        for (int k = 0; k < count; k++) {
            pose_scatter(truth, &random, 0.8);
            goals[0].position = snw_pose_point(truth, joint, goals[0].point);
            pose_scatter(pose, &random, 0.8);
            assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_REACHED);
            assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
            snw_pose_copy(first, pose);
            assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_REACHED);
            moved += bench_largest_turn(first, pose) > 1e-4;
        }
        if (moved * 100 > rows[n].others * count)
            fail_msg("%s %s: %d of %d move again", rows[n].body, rows[n].joint, moved, count);
        snw_ik_destroy(ik);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_pose_destroy(first);
        snw_skeleton_destroy(body);
    }
}

/* No pose that meets the goal is nearer: tried with many that were found from elsewhere, and with
 * small turns that are brought back to the goal. */
static void the_answer_is_the_nearest_to_the_preferred_pose(void **state)
{
    (void)state;
    static const snw_ik_prefer prefers[] = {SNW_IK_PREFER_START, SNW_IK_PREFER_REST,
                                            SNW_IK_PREFER_GIVEN};
    static const char *const bodies[] = {"chain10", "arm7", "humanoid"};
    for (int n = 0; n < 9; n++) {
        snw_skeleton *body = preset(bodies[n / 3]);
        int joint =
            n / 3 == 2 ? snw_skeleton_find_joint(body, "left_wrist") : body->joint_count - 1;
        snw_goal goal = snw_goal_position(joint, tip_of(body, joint), (snw_vec3){0, 0, 0});
        snw_pose *truth = pose_of(body), *pose = pose_of(body), *start = pose_of(body);
        snw_pose *other = pose_of(body), *preferred = pose_of(body);
        snw_random random = snw_random_seed(62, 1);
        snw_ik_options options = snw_ik_options_default();
        options.tolerance = 1e-7;
        snw_ik *plain = ik_of(body, &goal, 1, &options);
        if (prefers[n % 3] == SNW_IK_PREFER_GIVEN) pose_scatter(preferred, &random, 0.3);
        options.prefer = prefers[n % 3];
        options.preferred = preferred;
        snw_ik *ik = ik_of(body, &goal, 1, &options);
        int others = 0;
        for (int k = 0; k < 10; k++) {
            pose_scatter(start, &random, 0.4);
            if (options.prefer == SNW_IK_PREFER_START) snw_pose_copy(preferred, start);
            pose_scatter(truth, &random, 0.4);
            goal.position = snw_pose_point(truth, joint, goal.point);
            snw_pose_copy(pose, start);
            if (snw_ik_solve(ik, &goal, pose).outcome != SNW_IK_REACHED) continue;
            double best = distance2(pose, preferred);
            bool is_nearest = true;
            for (int t = 0; t < 20; t++) {
                snw_pose_copy(other, pose);
                for (int j = 0; j < body->joint_count; j++)
                    other->rotation[j] = snw_quat_mul(
                        pose->rotation[j],
                        snw_quat_exp(snw_vec3_scale(snw_random_direction(&random), 0.02)));
                if (snw_ik_solve(plain, &goal, other).outcome != SNW_IK_REACHED) continue;
                /* 1e-5: the tolerance of the goal, times how much a turn moves it. */
                is_nearest &= distance2(other, preferred) >= best - 1e-5;
            }
            others += !is_nearest;
        }
        if (others > 0) fail_msg("%s, prefer %d: %d of 10 are not", bodies[n / 3], n % 3, others);
        snw_ik_destroy(ik);
        snw_ik_destroy(plain);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_pose_destroy(start);
        snw_pose_destroy(other);
        snw_pose_destroy(preferred);
        snw_skeleton_destroy(body);
    }
}

/* Largest part of a joint's turn from rest that no forces at the goals explain: joints that are
 * drawn to rest are springs, and a spring holds the torque (target - origin) x force. The forces by
 * least squares; every joint above a goal is a ball. */
static double off_balance(const snw_pose *pose, const snw_goal *goals, int goal_count)
{
    const snw_skeleton *body = pose->skeleton;
    double gram[81] = {0}, force[9] = {0}, largest = 0;
    int rows = 3 * goal_count;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < body->joint_count; j++) {
            double lever[3][9] = {{0}}; /* torque = lever force */
            snw_vec3 turn =
                snw_quat_rotate(pose->world[j].rotation, snw_quat_log(pose->rotation[j]));
            double w[3] = {turn.x, turn.y, turn.z};
            for (int g = 0; g < goal_count; g++) {
                snw_vec3 a = snw_vec3_sub(goals[g].position, pose->world[j].translation);
                int i = goals[g].joint;
                while (i > j)
                    i = body->parent[i];
                if (i != j) continue;
                lever[0][3 * g + 1] = -a.z;
                lever[0][3 * g + 2] = a.y;
                lever[1][3 * g] = a.z;
                lever[1][3 * g + 2] = -a.x;
                lever[2][3 * g] = -a.y;
                lever[2][3 * g + 1] = a.x;
            }
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < rows; k++) {
                    if (pass == 1) w[r] -= lever[r][k] * force[k];
                    if (pass == 1) continue;
                    force[k] += lever[r][k] * w[r];
                    for (int l = 0; l < rows; l++)
                        gram[k * rows + l] += lever[r][k] * lever[r][l];
                }
            for (int r = 0; r < 3 && pass == 1; r++)
                largest = fmax(largest, fabs(w[r]));
        }
        if (pass == 1) break;
        assert_int_equal(snw_cholesky_factor(gram, rows), SNW_OK);
        assert_int_equal(snw_cholesky_solve(gram, rows, force), SNW_OK);
    }
    return largest;
}

static void a_free_body_at_rest_is_in_balance_with_forces_at_its_goals(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int goal_count;
    } rows[] = {{"chain10", 1}, {"humanoid13", 1}, {"humanoid13", 3}};
    for (int n = 0; n < 3; n++) {
        snw_skeleton *body = preset(rows[n].body);
        snw_pose *truth = pose_of(body), *pose = pose_of(body);
        snw_random random = snw_random_seed(64, 1);
        snw_goal goals[4];
        int count = 0;
        for (int j = 0; j < body->joint_count && count < rows[n].goal_count; j++)
            if (body->first_child[j] < 0)
                goals[count++] = snw_goal_position(j, tip_of(body, j), (snw_vec3){0, 0, 0});
        goals[count] = snw_goal_rest(-1);
        snw_ik *ik = ik_of(body, goals, count + 1, NULL);
        for (int k = 0; k < CHECK_SAMPLES(100); k++) {
            pose_scatter(truth, &random, 0.8);
            for (int g = 0; g < count; g++)
                goals[g].position = snw_pose_point(truth, goals[g].joint, goals[g].point);
            if (k % 2) pose_scatter(pose, &random, 0.8);
            assert_int_equal(snw_ik_solve(ik, goals, pose).outcome, SNW_IK_REACHED);
            /* 1e-5 rad: so far from balance a pose counts as its own answer. */
            check_near(off_balance(pose, goals, count), 0, 1e-5);
        }
        snw_ik_destroy(ik);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

/* Seven hinges for six coordinates of the flange: what is left over must not drift away. */
static void a_closed_path_ends_in_the_pose_it_began_with(void **state)
{
    (void)state;
    snw_skeleton *body = preset("arm7");
    snw_pose *pose = pose_of(body), *begin = pose_of(body), *preferred = pose_of(body);
    int tool = body->joint_count - 1;
    snw_random random = snw_random_seed(63, 1);
    for (int path = 0; path < CHECK_SAMPLES(5); path++) {
        snw_ik_options options = snw_ik_options_default();
        double elbow = 0;
        do { /* bent: away from the edge of reach */
            pose_scatter(preferred, &random, 0.5);
            for (int j = 0; j < body->joint_count; j++)
                preferred->rotation[j] =
                    snw_quat_slerp(snw_quat_identity(), preferred->rotation[j], 0.5);
            elbow = snw_quat_angle_between(preferred->rotation[3], snw_quat_identity());
        } while (elbow < 1);
        snw_pose_forward(preferred);
        options.prefer = SNW_IK_PREFER_GIVEN;
        options.preferred = preferred;
        snw_goal goal = snw_goal_pose(tool, (snw_vec3){0, 0, 0}, (snw_vec3){0, 0, 0},
                                      preferred->world[tool].rotation);
        snw_vec3 center = preferred->world[tool].translation;
        snw_ik *ik = ik_of(body, &goal, 1, &options);
        snw_pose_copy(pose, preferred);
        for (int step = 0; step <= 15 * 60; step++) {
            double angle = 2 * SNW_PI * step / 60;
            goal.position =
                snw_vec3_add(center, snw_vec3_make(0.04 * cos(angle) - 0.04, 0.04 * sin(angle), 0));
            assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
            if (step == 60) snw_pose_copy(begin, pose);
            if (step > 60 && step % 60 == 0)
                check_near(bench_largest_turn(begin, pose), 0, snw_radians(0.1));
        }
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_pose_destroy(begin);
    snw_pose_destroy(preferred);
    snw_skeleton_destroy(body);
}

static void a_preferred_pose_that_is_none_is_refused(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid"), *another = preset("chain10");
    snw_pose *pose = pose_of(body), *of_another = pose_of(another);
    snw_goal goal = snw_goal_position(9, (snw_vec3){0, 0, 0}, (snw_vec3){0.3, 0.2, 0.3});
    snw_ik_options options = snw_ik_options_default();
    snw_ik *ik = NULL;
    snw_error error;
    options.prefer = SNW_IK_PREFER_GIVEN;
    pose->rotation[3].x = (double)NAN;
    const snw_pose *bad[] = {NULL, of_another, pose};
    for (int k = 0; k < 3; k++) {
        options.preferred = bad[k];
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
            SNW_INVALID_ARGUMENT);
        assert_string_equal(error.name, "preferred");
    }
    options.prefer = (snw_ik_prefer)17;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
                     SNW_INVALID_ARGUMENT);
    assert_string_equal(error.name, "prefer");
    snw_pose_destroy(pose);
    snw_pose_destroy(of_another);
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(another);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_settled_by_the_first_solve),
        cmocka_unit_test(the_answer_is_the_nearest_to_the_preferred_pose),
        cmocka_unit_test(a_free_body_at_rest_is_in_balance_with_forces_at_its_goals),
        cmocka_unit_test(a_closed_path_ends_in_the_pose_it_began_with),
        cmocka_unit_test(a_preferred_pose_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

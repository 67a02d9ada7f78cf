/* directions, the method auto takes for chains and trees of ball joints: nearest poses, edges,
 * tracking, limits, trees. */
#include "ik_chains.h"

static void bend_at_random(chain_case *c, snw_random *random, double spread)
{
    pose_scatter(c->pose, random, spread);
}

/* Any lengths over three decades, any start, any target in reach: exact, and in few steps. */
static void every_target_in_reach_is_reached(void **state)
{
    snw_random random = snw_random_seed(1, 1);
    long steps = 0, count = 0;
    (void)state;
    for (int trial = 0; trial < CHECK_SAMPLES(4000); trial++) {
        double length[CHAIN_MAX], sum = 0, longest = 0;
        int bones = 2 + (int)snw_random_below(&random, 20);
        double scale = pow(10, snw_random_range(&random, -3, 3));
        for (int i = 0; i < bones; i++) {
            length[i] = scale * snw_random_range(&random, 0.1, 1);
            sum += length[i];
            longest = fmax(longest, length[i]);
        }
        snw_ik_options options = options_of(SNW_IK_DIRECTIONS, 1e-6);
        chain_case c = chain_case_of(chain_of(length, bones), &options);
        bend_at_random(&c, &random, 1.5);
        double hole = fmax(0, 2 * longest - sum);
        snw_vec3 target = random_target(&random, hole, sum);
        snw_ik_result result = chain_solve(&c, target);
        if (result.outcome != SNW_IK_REACHED)
            print_error("trial %d: %d bones, %g of reach, hole %g: %s after %d\n", trial, bones,
                        snw_vec3_length(target) / sum, hole / sum,
                        snw_ik_outcome_name(result.outcome), result.iterations);
        assert_int_equal(result.outcome, SNW_IK_REACHED);
        assert_true(snw_vec3_distance(tip_of(&c), target) <= 1.0001e-6 * c.body->size);
        check_world_is_forward(c.pose);
        steps += result.iterations;
        count++;
        chain_case_free(&c);
    }
    print_message("%.2f steps on average\n", (double)steps / (double)count);
    assert_true(steps < 12 * count);
}

static double likeness(const snw_vec3 *bone, const chain_case *c)
{
    double sum = 0;
    for (int i = 0; i < c->body->joint_count; i++)
        sum += snw_vec3_dot(bone[i],
                            snw_quat_rotate(c->pose->world[i].rotation, snw_vec3_make(1, 0, 0)));
    return sum;
}

/* The answer is the pose nearest to the start after the swing: nearer than any other pose that
 * reaches the same target. Others come from starts bent a little further. */
static void the_answer_is_the_nearest_pose(void **state)
{
    snw_random random = snw_random_seed(2, 1);
    snw_ik_options options = options_of(SNW_IK_DIRECTIONS, 1e-9);
    chain_case c = chain_case_of(even_chain(6, 1), &options);
    snw_pose *start = pose_of(c.body);
    (void)state;
    for (int trial = 0; trial < CHECK_SAMPLES(400); trial++) {
        snw_vec3 bone[6];
        bend_at_random(&c, &random, 0.5);
        snw_pose_copy(start, c.pose);
        /* On the ray through the tip, so that there is no swing. */
        snw_vec3 target = snw_vec3_scale(tip_of(&c), snw_random_range(&random, 0.8, 1.02));
        if (snw_vec3_length(target) > 5.9) continue;
        for (int i = 0; i < 6; i++)
            bone[i] = snw_quat_rotate(start->world[i].rotation, snw_vec3_make(1, 0, 0));
        assert_int_equal(chain_solve(&c, target).outcome, SNW_IK_REACHED);
        double best = likeness(bone, &c);
        for (int other = 0; other < 5; other++) {
            snw_pose_copy(c.pose, start);
            for (int i = 0; i < 6; i++)
                c.pose->rotation[i] =
                    snw_quat_mul(start->rotation[i],
                                 snw_quat_exp(snw_vec3_scale(snw_random_direction(&random), 0.05)));
            snw_pose_forward(c.pose);
            assert_int_equal(chain_solve(&c, target).outcome, SNW_IK_REACHED);
            /* 1e-8: what a gap of 1e-9 of the length can gain. */
            assert_true(likeness(bone, &c) <= best + 1e-8);
        }
    }
    snw_pose_destroy(start);
    chain_case_free(&c);
}

typedef struct edge_case {
    const char *name;
    snw_vec3 target;
    snw_ik_outcome outcome;
    double residual; /* that cannot be avoided */
} edge_case;

/* A straight chain of ten unit bones along +x. */
static const edge_case edges[] = {
    {"on the chain", {5.3, 0, 0}, SNW_IK_REACHED, 0},
    {"behind", {-5.3, 0, 0}, SNW_IK_REACHED, 0},
    {"at the root", {0, 0, 0}, SNW_IK_REACHED, 0},
    {"too far", {0, 12, 0}, SNW_IK_UNREACHABLE, 2},
    {"too far on the line", {12, 0, 0}, SNW_IK_UNREACHABLE, 2},
    {"near full reach", {0, 9.99, 0}, SNW_IK_REACHED, 0},
    {"just inside", {0, 9.999999, 0}, SNW_IK_REACHED, 0},
    {"just behind", {-9.99, 0, 0}, SNW_IK_REACHED, 0},
    {"where it is", {10, 0, 0}, SNW_IK_REACHED, 0},
};

static void edges_are_reached_or_named(void **state)
{
    static const snw_ik_solver solvers[] = {SNW_IK_AUTO, SNW_IK_DIRECTIONS};
    (void)state;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
            for (int exponent = 4; exponent <= 9; exponent++) {
                snw_ik_options options = options_of(solvers[s], pow(10, -exponent));
                chain_case c = chain_case_of(even_chain(10, 1), &options);
                snw_ik_result result = chain_solve(&c, edges[i].target);
                if (result.outcome != edges[i].outcome || result.iterations > 20)
                    print_error("%s at 1e-%d: %s, %d iterations, %g left\n", edges[i].name,
                                exponent, snw_ik_outcome_name(result.outcome), result.iterations,
                                result.worst_residual);
                assert_int_equal(result.outcome, edges[i].outcome);
                assert_true(result.iterations <= 20);
                check_near(result.worst_residual, edges[i].residual, 10 * pow(10, -exponent));
                chain_case_free(&c);
            }
}

/* The same body in other units and another place gives the same rotations. */
static void scale_and_place_do_not_matter(void **state)
{
    snw_random random = snw_random_seed(3, 1);
    snw_ik_options options = options_of(SNW_IK_DIRECTIONS, 1e-8);
    chain_case a = chain_case_of(even_chain(7, 1), &options);
    chain_case b = chain_case_of(even_chain(7, 1e-3), &options);
    snw_xform place = {snw_random_rotation(&random), {3, -2, 1}};
    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        pose_scatter(a.pose, &random, 0.7);
        snw_pose_copy(b.pose, a.pose);
        b.pose->skeleton = b.body;
        b.pose->root = snw_xform_make(place.rotation, snw_vec3_scale(place.translation, 1e-3));
        snw_pose_forward(b.pose);
        snw_vec3 target = random_target(&random, 1, 6.5);
        assert_int_equal(chain_solve(&a, target).outcome, SNW_IK_REACHED);
        snw_vec3 moved = snw_vec3_scale(snw_xform_point(place, target), 1e-3);
        assert_int_equal(chain_solve(&b, moved).outcome, SNW_IK_REACHED);
        /* Newton's last step squares the gap, so both end at round-off or stop at 1e-8. */
        assert_true(largest_turn(a.pose, b.pose) < 1e-6);
    }
    chain_case_free(&a);
    chain_case_free(&b);
}

/* ---- tracking ------------------------------------------------------------------------------- */

/* A target that circles while its distance swings from 0.6 to 1.2 of reach. Away from full reach
 * no joint turns more than three times as far as the target does, seen from the base or from the
 * chain's length. At full reach the bend goes with the root of the missing length, so a step of d
 * costs up to sqrt(24 d) of turn for any method that reaches; there the closed form is the bound.
 * Out of reach the chain points at the target and turns with it, no more. */
static void tracking_is_calm(void **state)
{
    snw_ik_options options = options_of(SNW_IK_AUTO, 1e-4);
    chain_case c = chain_case_of(even_chain(10, 1), &options);
    snw_pose *last = pose_of(c.body);
    snw_vec3 last_target = {8, 0, 0};
    double worst_inside = 0, worst_outside = 0;
    (void)state;
    for (int step = 0; step <= 1000; step++) {
        double phase = 2 * SNW_PI * step / 1000;
        double distance = 9 - 3 * cos(2 * phase), angle = phase;
        snw_vec3 target = snw_vec3_make(distance * cos(angle), distance * sin(angle),
                                        2 * sin(3 * phase) * distance / 12);
        snw_ik_result result = chain_solve(&c, target);
        double far = snw_vec3_length(target), before = snw_vec3_length(last_target);
        assert_int_equal(result.outcome, far > 10 + 1e-3 ? SNW_IK_UNREACHABLE : SNW_IK_REACHED);
        double target_step = snw_vec3_angle(target, last_target) + fabs(far - before) / far;
        double turn = largest_turn(c.pose, last);
        if (step > 1 && far < 9.5 && before < 9.5)
            worst_inside = fmax(worst_inside, turn / target_step);
        else if (step > 1 && far > 10 && before > 10)
            worst_outside = fmax(worst_outside, turn / snw_vec3_angle(target, last_target));
        else if (step > 1)
            assert_true(turn <= sqrt(24 * fabs(far - before) / 10) + 3 * target_step);
        snw_pose_copy(last, c.pose);
        last_target = target;
    }
    print_message("largest turn of a joint: %.2f of the target's inside, %.2f outside\n",
                  worst_inside, worst_outside);
    assert_true(worst_inside <= 3);
    assert_true(worst_outside <= 1.0001);
    snw_pose_destroy(last);
    chain_case_free(&c);
}

static void small_moves_give_small_turns(void **state)
{
    snw_random random = snw_random_seed(6, 1);
    snw_ik_options options = options_of(SNW_IK_DIRECTIONS, 1e-10);
    chain_case c = chain_case_of(even_chain(10, 1), &options);
    snw_pose *last = pose_of(c.body);
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        bend_at_random(&c, &random, 0.5);
        snw_vec3 target = tip_of(&c);
        if (snw_vec3_length(target) > 9 || snw_vec3_length(target) < 2) continue;
        (void)chain_solve(&c, target);
        snw_pose_copy(last, c.pose);
        (void)chain_solve(&c, snw_vec3_add_scaled(target, 1e-4, snw_random_direction(&random)));
        assert_true(largest_turn(c.pose, last) < 1e-3);
    }
    snw_pose_destroy(last);
    chain_case_free(&c);
}

/* ---- limits --------------------------------------------------------------------------------- */

static void limits_hold_and_allowed_targets_are_reached(void **state)
{
    snw_joint_limit limits[2] = {cone_limit(), window_limit()};
    snw_random random = snw_random_seed(8, 1);
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        snw_skeleton *body = chain_with_limit(&limits[kind], 1);
        snw_pose *pose = pose_of(body), *truth = pose_of(body);
        snw_ik_options options = options_of(SNW_IK_AUTO, 1e-4);
        snw_goal goal = snw_goal_position(10, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
        snw_ik *ik = ik_of(body, &goal, 1, &options);
        int reached = 0, count = CHECK_SAMPLES(1000);
        for (int trial = 0; trial < count; trial++) {
            pose_scatter(truth, &random, 0.6);
            goal.position = truth->world[10].translation;
            snw_pose_reset(pose);
            reached += snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED;
            assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
        }
        if (reached != count) print_error("%d of %d reached\n", reached, count);
        assert_int_equal(reached, count);
        snw_ik_destroy(ik);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

/* ---- honest answers ------------------------------------------------------------------------- */

static void the_same_input_gives_the_same_bits_without_memory(void **state)
{
    counting_allocator counter = {.fail_at = -1};
    snw_allocator allocator = counting_hook(&counter);
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(1, 7, 2));
    snw_ik_options options = snw_ik_options_default();
    snw_pose *pose[2] = {pose_of(body), pose_of(body)};
    snw_ik *ik = NULL;
    (void)state;
    assert_int_equal(
        snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, &allocator, &ik, NULL), SNW_OK);
    long calls = counter.calls;
    (void)snw_ik_solve(ik, &goal, pose[0]);
    goal.position.y = -goal.position.y; /* another one between */
    (void)snw_ik_solve(ik, &goal, pose[1]);
    goal.position.y = -goal.position.y;
    snw_pose_reset(pose[1]);
    (void)snw_ik_solve(ik, &goal, pose[1]);
    assert_memory_equal(pose[0]->rotation, pose[1]->rotation, 10 * sizeof(snw_quat));
    assert_int_equal(counter.calls, calls);
    snw_ik_destroy(ik);
    assert_int_equal(counter.live, 0);
    snw_pose_destroy(pose[0]);
    snw_pose_destroy(pose[1]);
    snw_skeleton_destroy(body);
}

/* A rest goal beside the position goal does not keep the tip from its target, wherever it stands.
 */
static void rest_goals_are_welcome(void **state)
{
    snw_skeleton *body = even_chain(8, 1);
    snw_pose *pose = pose_of(body);
    snw_ik_options options = options_of(SNW_IK_AUTO, 1e-4);
    snw_goal goals[2] = {snw_goal_rest(-1), tip_goal(body, snw_vec3_make(2, 5, 1))};
    snw_ik *ik = ik_of(body, goals, 2, &options);
    (void)state;
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    assert_true(snw_ik_residual(ik)[1] <= 8e-4);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void what_does_not_fit_is_refused(void **state)
{
    snw_skeleton *arm = preset("arm7"), *body = even_chain(3, 1);
    snw_goal goals[2] = {tip_goal(body, snw_vec3_make(1, 1, 1)),
                         snw_goal_orientation(2, snw_quat_identity())};
    snw_goal on_arm = snw_goal_position(7, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 1));
    snw_ik_options options = options_of(SNW_IK_DIRECTIONS, 1e-4);
    snw_error error;
    snw_ik *ik = NULL;
    (void)state;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){arm, &on_arm, 1}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "ball joints only"));
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "position goals only"));
    goals[1] = goals[0];
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "pull on one bone"));
    options.solver = SNW_IK_TRIANGULATION;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "one effector"));
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_target_in_reach_is_reached),
        cmocka_unit_test(the_answer_is_the_nearest_pose),
        cmocka_unit_test(edges_are_reached_or_named),
        cmocka_unit_test(scale_and_place_do_not_matter),
        cmocka_unit_test(tracking_is_calm),
        cmocka_unit_test(small_moves_give_small_turns),
        cmocka_unit_test(limits_hold_and_allowed_targets_are_reached),
        cmocka_unit_test(the_same_input_gives_the_same_bits_without_memory),
        cmocka_unit_test(rest_goals_are_welcome),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

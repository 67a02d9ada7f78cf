/* The method that docs/add-a-solver.md writes: it works, and the text shows this very code
 * (tests/check_docs_solver compares them). */
#include "ik_bodies.h"

/* [docs/add-a-solver.md] */
/* Pattern search (Hooke & Jeeves 1961): tries every coordinate both ways, keeps what helps, and
 * halves the step when nothing does. Slow, and needs no slopes at all. */
#include "ik/core/descend.h"

/* Moves one coordinate; false, with the pose as it was, when that does not help. */
static bool try_move(snw__ik_system *system, int column, double amount, const snw_goal *goals,
                     snw_pose *pose)
{
    double energy = system->energy;
    for (int c = 0; c < system->column_count; c++)
        system->step[c] = c == column ? amount : 0;
    snw__ik_snapshot_take(&system->before, pose);
    (void)snw__ik_system_move(system, 1, pose); /* limits applied, world filled */
    snw__ik_system_measure(system, goals, pose);
    if (system->energy < energy) return true;
    snw__ik_snapshot_restore(&system->before, pose);
    system->energy = energy;
    return false;
}

static snw__ik_report pattern_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                    snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    snw__ik_report report = {.outcome = SNW_IK_STALLED, .solver = ik->options.solver};
    double step = 0.5; /* radians, or body sizes for slides */
    (void)state;
    snw__ik_system_measure(system, goals, pose);
    while (step > 1e-9 && system->excess > 1 && report.iterations < ik->options.iteration_max) {
        bool has_moved = false;
        for (int c = 0; c < system->column_count; c++)
            has_moved |=
                try_move(system, c, step, goals, pose) || try_move(system, c, -step, goals, pose);
        if (!has_moved) step *= 0.5;
        snw_pose_forward(pose);
        snw__ik_system_measure(system, goals, pose);
        report.iterations++;
    }
    if (system->excess <= 1)
        report.outcome = SNW_IK_REACHED;
    else if (report.iterations >= ik->options.iteration_max)
        report.outcome = SNW_IK_OUT_OF_ITERATIONS;
    return report;
}

static const snw__ik_method pattern = {.solver = SNW_IK_DLS, /* its own name in the real thing */
                                       .uses_system = true,
                                       .check = snw__ik_check_nothing,
                                       .layout = snw__ik_layout_nothing,
                                       .solve = pattern_solve};
/* [end] */

static void the_method_of_the_docs_reaches(void **state)
{
    (void)state;
    static const char *const name[] = {"chain10", "arm7"};
    for (int b = 0; b < 2; b++) {
        snw_skeleton *body = preset(name[b]);
        snw_pose *truth = pose_of(body), *pose = pose_of(body);
        snw_random random = snw_random_seed(51, 1);
        int last = body->joint_count - 1, reached = 0;
        snw_goal goal = snw_goal_position(last, (snw_vec3){0, 0, 0}, (snw_vec3){0, 0, 0});
        snw_ik_options options = snw_ik_options_default();
        options.solver = SNW_IK_DLS;
        snw_ik *ik = ik_of(body, &goal, 1, &options);
        ik->method = &pattern;
        for (int i = 0; i < 20; i++) {
            pose_scatter(truth, &random, 0.5);
            pose_scatter(pose, &random, 0.5);
            goal.position = truth->world[last].translation;
            reached += snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED;
            assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
        }
        assert_true(reached >= 18);
        snw_ik_destroy(ik);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_method_of_the_docs_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

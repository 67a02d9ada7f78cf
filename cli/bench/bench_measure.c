/* Solves the targets of a case with one method: times, errors measured anew, limits, allocations.
 */
#include <stdlib.h>

#include "bench/bench.h"
#include "clock.h"

/* ---- errors --------------------------------------------------------------------------------- */

bool bench_pose_is_finite(const snw_pose *pose)
{
    bool is_finite =
        snw_quat_is_finite(pose->root.rotation) && snw_vec3_is_finite(pose->root.translation);
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        is_finite = is_finite && snw_quat_is_finite(pose->rotation[j]) &&
                    snw_vec3_is_finite(pose->slide[j]) &&
                    snw_quat_is_finite(pose->world[j].rotation) &&
                    snw_vec3_is_finite(pose->world[j].translation);
    return is_finite;
}

static double goal_error(const snw_goal *goal, const snw_pose *pose)
{
    double values[6];
    snw_vec3 point = snw_pose_point(pose, goal->joint, goal->point);
    double offset = snw_vec3_length(snw_vec3_sub(point, goal->position));
    if (goal->kind == SNW_GOAL_POSE)
        return fmax(offset,
                    snw_quat_angle_between(pose->world[goal->joint].rotation, goal->orientation));
    if (goal->kind != SNW_GOAL_VALUE) return offset;
    snw_joint_values(pose->skeleton->joint + goal->joint, pose->rotation[goal->joint],
                     pose->slide[goal->joint], values);
    return fabs(snw_wrap_angle(values[goal->coordinate] - goal->value));
}

static double pin_gap(const snw_pin *pin, const snw_pose *pose)
{
    snw_vec3 a = snw_pose_point(pose, pin->joint_a, pin->point_a);
    snw_vec3 b = pin->joint_b < 0 ? pin->point_b : snw_pose_point(pose, pin->joint_b, pin->point_b);
    return snw_vec3_length(snw_vec3_sub(a, b));
}

double bench_error(const bench_case *c, const snw_goal *goals, snw_pose *pose)
{
    double worst = 0;
    snw_pose_forward(pose);
    for (int g = 0; g < c->goal_count; g++)
        worst = fmax(worst, goal_error(goals + g, pose));
    for (int p = 0; p < c->body->pin_count; p++)
        worst = fmax(worst, pin_gap(c->body->pin + p, pose));
    return worst;
}

/* ---- measuring ------------------------------------------------------------------------------ */

typedef struct measuring {
    const bench_case *c;
    snw_ik *ik;
    snw_pose *pose;
    double *best_us;    /* (target_count) */
    double *iterations; /* (target_count) */
    int reached;
    bench_row *row;
} measuring;

static void judge(measuring *m, int n, snw_ik_result result)
{
    const bench_case *c = m->c;
    const snw_goal *goals = c->goals + (ptrdiff_t)n * c->goal_count;
    m->row->not_finite += !bench_pose_is_finite(m->pose);
    double excess = bench_error(c, goals, m->pose) - c->unavoidable[n];
    snw_ik_outcome right = c->unavoidable[n] > 0 ? SNW_IK_UNREACHABLE : SNW_IK_REACHED;
    /* 1e-9: the solver compares squares or sums in another order. */
    bool is_near = excess <= c->limit * (1 + 1e-9) + 1e-15;
    m->row->violations += c->options.use_limits && snw_pose_violation(m->pose) > 0;
    m->row->worst_error = fmax(m->row->worst_error, excess);
    m->iterations[n] = result.iterations;
    m->reached += is_near && result.outcome == right;
}

static void solve_target(measuring *m, int n, int repetitions)
{
    const bench_case *c = m->c;
    const snw_goal *goals = c->goals + (ptrdiff_t)n * c->goal_count;
    snw_ik_result result = {.iterations = 0};
    m->best_us[n] = INFINITY;
    for (int k = 0; k < repetitions; k++) {
        snw_pose_copy(m->pose, c->start);
        double before = cli_microseconds();
        result = snw_ik_solve(m->ik, goals, m->pose);
        m->best_us[n] = fmin(m->best_us[n], cli_microseconds() - before);
    }
    judge(m, n, result);
}

static int solve_targets(measuring *m, double budget_s)
{
    int solved = 0;
    double start = cli_microseconds();
    while (solved < m->c->target_count) {
        double used = (cli_microseconds() - start) * 1e-6;
        if (used > budget_s) break;
        /* A method that would not get through is asked once per target. */
        bool is_slow = used * m->c->target_count > budget_s * (solved + 1);
        solve_target(m, solved++, is_slow ? 1 : BENCH_REPETITIONS);
    }
    return solved;
}

static void fill_row(const measuring *m, int solved)
{
    bench_row *row = m->row;
    double sum = 0, iterations = 0;
    for (int n = 0; n < solved; n++) {
        sum += m->best_us[n];
        iterations += m->iterations[n];
    }
    row->target_count = solved;
    row->mean_us = sum / solved;
    row->p99_us = cli_quantile(m->best_us, solved, 0.99);
    row->median_us = cli_median(m->best_us, solved);
    row->iterations = iterations / solved;
    row->iterations_median = cli_median(m->iterations, solved);
    row->success = (double)m->reached / solved;
    if (solved < m->c->target_count) snw_format(row->note, sizeof row->note, "%d targets", solved);
}

snw_status bench_measure(const bench_case *c, snw_ik_solver solver, double budget_s, bench_row *row,
                         snw_error *error)
{
    cli_counter counter;
    snw_allocator allocator = cli_counting_allocator(&counter);
    snw_ik_options options = c->options;
    measuring m = {.c = c, .row = row};
    options.solver = solver;
    snw_status status = snw_ik_create(&(snw_ik_problem){c->body, c->goals, c->goal_count}, &options,
                                      &allocator, &m.ik, error);
    if (status == SNW_UNSUPPORTED)
        snw_format(row->note, sizeof row->note, "not for this problem: %.160s", error->message);
    if (status == SNW_OK) status = snw_pose_create(c->body, NULL, &m.pose, error);
    m.best_us = calloc((size_t)c->target_count + 1, sizeof *m.best_us);
    m.iterations = calloc((size_t)c->target_count + 1, sizeof *m.iterations);
    if (status == SNW_OK && m.best_us && m.iterations) {
        counter.allocations = 0;
        fill_row(&m, solve_targets(&m, budget_s));
        row->allocations = counter.allocations;
    }
    free(m.iterations);
    free(m.best_us);
    snw_pose_destroy(m.pose);
    snw_ik_destroy(m.ik);
    return status;
}

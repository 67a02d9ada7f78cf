/* Quasi-Newton descent on r.r / 2 over tangent steps.
 *
 * The coordinates move with the pose (rotation * exp(w)), so slopes of two poses are compared as if
 * their frames were the same: right to first order, and what is wrong with it is forgotten with the
 * next steps. Limits by active set: the step is P H P g with P the projection onto what is free
 * (Bertsekas 1982), projected onto the limits as it is taken. */
#include "ik/literature/quasi_newton.h"

#include <string.h>

#include "ik/core/descend.h"

static void curved_direction(snw__ik_system *system, void *context)
{
    const snw__ik_curvature *curvature = context;
    snw__ik_system_pull_back(system, system->residual, system->step);
    curvature->multiply(curvature->memory, system->column_count, system->step);
    snw__ik_system_project(system, system->step);
    snw__ik_limit_turn(system, 0.5 * SNW_PI);
}

/* The step length steepest descent would take: H at the beginning. */
static double first_scale(snw__ik_system *system)
{
    double slope2 = snw__ik_dot(system->gradient, system->gradient, system->column_count);
    snw__ik_steepest(system, NULL);
    double step2 = snw__ik_dot(system->step, system->step, system->column_count);
    return slope2 > 0 && step2 > 0 ? sqrt(step2 / slope2) : 1;
}

/* One step from a built system, which is built again where it ends. False when no step along H g
 * goes down. */
static bool advance(const snw__ik_curvature *curvature, snw__ik_system *system,
                    const snw_goal *goals, snw_pose *pose)
{
    int n = system->column_count;
    double energy = system->energy, scale = 0, turn = 0;
    memcpy(curvature->slope, system->gradient, (size_t)n * sizeof(double));
    if (!snw__ik_system_is_stationary(system)) {
        snw__ik_system_find_step(system, curved_direction, (void *)curvature, pose);
        turn = snw__ik_search_line(system, goals, pose, &scale);
    }
    bool has_moved = turn > 1e-12 && system->energy < energy * (1 - 1e-12);
    snw__ik_system_build(system, goals, pose);
    if (!has_moved) return false;
    for (int c = 0; c < n; c++) {
        system->step[c] *= scale;
        system->secondary[c] = curvature->slope[c] - system->gradient[c];
    }
    double sy = snw__ik_dot(system->step, system->secondary, n);
    /* Without curvature along the step there is nothing to learn, and H must stay positive. */
    if (sy > 1e-8 * snw__ik_dot(system->step, system->step, n))
        curvature->learn(curvature->memory, n, system->step, system->secondary);
    return true;
}

snw__ik_report snw__ik_quasi_newton(const snw_ik *ik, const snw__ik_curvature *curvature,
                                    const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    snw_random random = snw_random_seed(ik->options.seed, 3);
    snw__ik_report report = {
        .outcome = SNW_IK_OUT_OF_ITERATIONS, .solver = curvature->solver, .world_is_valid = true};
    int n = system->column_count, shake_left = snw__ik_is_out_of_reach(ik, goals, pose) ? 0 : 3;
    bool is_fresh = true; /* H holds nothing but a scale */
    snw__ik_system_build(system, goals, pose);
    curvature->forget(curvature->memory, n, first_scale(system));
    while (system->excess > 1 && report.iterations < ik->options.iteration_max) {
        report.iterations++;
        if (advance(curvature, system, goals, pose)) {
            is_fresh = false;
            continue;
        }
        if (is_fresh && shake_left-- <= 0) {
            report.outcome = SNW_IK_STALLED;
            return report;
        }
        if (is_fresh) {
            snw__ik_system_shake(system, &random, 0.05, pose);
            snw__ik_system_build(system, goals, pose);
        }
        curvature->forget(curvature->memory, n, first_scale(system));
        is_fresh = true;
    }
    if (system->excess <= 1) report.outcome = SNW_IK_REACHED;
    return report;
}

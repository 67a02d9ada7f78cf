/* Feedback inverse kinematics (Pechev 2008, "Inverse kinematics without matrix inversion").
 *
 * The inverse is what a feedback loop settles to. The error between the demanded goal motion r and
 * the motion J J^T y the joints make drives an integrator y with a leak:
 *
 *     dy/dt = r - (J J^T + beta^2 I) y,        step = J^T y.
 *
 * Its rest point is the damped least squares step, but nothing is inverted or decomposed: the loop
 * is run for a few ticks only, its state y lives on from one iteration to the next, and it is a
 * filter whose bandwidth falls off where J is nearly singular. */
#include "ik/core/descend.h"

#include <string.h>

typedef struct ik_fik_loop {
    double *state;    /* (row_count) y */
    double *feedback; /* (row_count) J J^T y */
    double leak;      /* beta relative to the mean singular value */
} ik_fik_loop;

static void *layout(const snw_ik *ik, snw__block *block)
{
    size_t rows = 3 * (size_t)ik->skeleton->pin_count + 6 * (size_t)ik->goal_count;
    ik_fik_loop *loop = snw__block_take(block, 1, sizeof *loop);
    double *state = snw__block_take(block, rows, sizeof(double));
    double *feedback = snw__block_take(block, rows, sizeof(double));
    if (!loop) return NULL;
    loop->state = state;
    loop->feedback = feedback;
    loop->leak = ik->options.damping;
    return loop;
}

/* step = J^T y, feedback = J step. */
static void close_loop(snw__ik_system *system, ik_fik_loop *loop)
{
    snw__ik_system_pull_back(system, loop->state, system->step);
    snw__ik_system_push(system, system->step, loop->feedback);
}

static void feedback_direction(snw__ik_system *system, void *context)
{
    ik_fik_loop *loop = context;
    double leak2 = loop->leak * loop->leak * snw__ik_system_scale(system);
    /* Largest row sum of |J J^T| is at most this: the loop is stable with its inverse as gain. */
    int side = system->row_count < system->column_count ? system->row_count : system->column_count;
    double bound = snw__ik_system_scale(system) * side + leak2; /* the trace, and the leak */
    close_loop(system, loop);
    for (int tick = 0; tick < SNW__IK_DESCENT && bound > 0; tick++) {
        for (int k = 0; k < system->row_count; k++)
            loop->state[k] +=
                (system->residual[k] - loop->feedback[k] - leak2 * loop->state[k]) / bound;
        close_loop(system, loop);
    }
    snw__ik_limit_turn(system, 0.5 * SNW_PI);
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ik_fik_loop *loop = state;
    snw__ik_descent descent = {SNW_IK_FIK, feedback_direction, loop, false};
    memset(loop->state, 0, (size_t)ik->system->row_count * sizeof *loop->state);
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_fik = {SNW_IK_FIK, true, snw__ik_check_nothing, layout, solve, false};

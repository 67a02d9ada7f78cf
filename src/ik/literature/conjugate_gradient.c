/* Conjugate gradients (Hestenes & Stiefel 1952; Polak & Ribiere 1969). The next direction is the
 * slope less its part along the last step, measured by the curvature seen there:
 *
 *     d = c (g - s (y.g) / (s.y)),  c = s.y / y.y
 *
 * With exact line searches beta = y.g / s.y is Polak's and Ribiere's; c is the length that the
 * curvature suggests. One vector pair is all it remembers. */
#include <string.h>

#include "ik/core/descend.h"
#include "ik/literature/quasi_newton.h"

typedef struct ik_conjugate {
    bool has_step;
    double scale, inverse_sy;
    double *s, *y, *slope; /* (n) */
} ik_conjugate;

static void *layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->dof_count + 6;
    ik_conjugate fields = {0}, *conjugate = snw__block_take(block, 1, sizeof *conjugate);
    fields.s = snw__block_take(block, n, sizeof(double));
    fields.y = snw__block_take(block, n, sizeof(double));
    fields.slope = snw__block_take(block, n, sizeof(double));
    if (conjugate) *conjugate = fields;
    return conjugate;
}

static void forget(void *memory, int n, double scale)
{
    ik_conjugate *conjugate = memory;
    (void)n;
    conjugate->has_step = false;
    conjugate->scale = scale;
}

static void multiply(void *memory, int n, double *vector)
{
    const ik_conjugate *conjugate = memory;
    double beta = 0;
    if (conjugate->has_step) beta = conjugate->inverse_sy * snw__ik_dot(conjugate->y, vector, n);
    for (int k = 0; k < n; k++)
        vector[k] =
            conjugate->scale * (vector[k] - (conjugate->has_step ? beta * conjugate->s[k] : 0));
}

static void learn(void *memory, int n, const double *s, const double *y)
{
    ik_conjugate *conjugate = memory;
    double sy = snw__ik_dot(s, y, n);
    memcpy(conjugate->s, s, (size_t)n * sizeof *s);
    memcpy(conjugate->y, y, (size_t)n * sizeof *y);
    conjugate->has_step = true;
    conjugate->inverse_sy = 1 / sy;
    conjugate->scale = sy / snw__ik_dot(y, y, n);
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ik_conjugate *conjugate = state;
    snw__ik_curvature curvature = {SNW_IK_CONJUGATE_GRADIENT, conjugate, multiply, learn, forget,
                                   conjugate->slope};
    return snw__ik_quasi_newton(ik, &curvature, goals, pose);
}

const snw__ik_method snw__ik_conjugate_gradient = {
    SNW_IK_CONJUGATE_GRADIENT, true, snw__ik_check_nothing, layout, solve, false};

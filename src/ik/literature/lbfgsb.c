/* BFGS with a short memory (Nocedal 1980: the two-loop recursion), its steps projected onto the
 * limits. Linear in joints. */
#include <string.h>

#include "ik/core/descend.h"
#include "ik/literature/quasi_newton.h"

/* Pairs remembered; more seldom pays (Nocedal & Wright 2006, section 7.2: 3 to 20). */
enum {
    IK_LBFGS_PAIRS = 8
};

typedef struct ik_lbfgs {
    int count;                                     /* pairs stored */
    int next;                                      /* where the next pair goes */
    double scale;                                  /* H between the two loops */
    double *s[IK_LBFGS_PAIRS], *y[IK_LBFGS_PAIRS]; /* (n) each */
    double inverse_sy[IK_LBFGS_PAIRS];
    double *slope; /* (n) */
} ik_lbfgs;

static void *layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->dof_count + 6;
    ik_lbfgs fields = {0};
    ik_lbfgs *lbfgs = snw__block_take(block, 1, sizeof *lbfgs);
    for (int k = 0; k < IK_LBFGS_PAIRS; k++) {
        fields.s[k] = snw__block_take(block, n, sizeof(double));
        fields.y[k] = snw__block_take(block, n, sizeof(double));
    }
    fields.slope = snw__block_take(block, n, sizeof(double));
    if (lbfgs) *lbfgs = fields;
    return lbfgs;
}

static void add_scaled(double *to, double factor, const double *v, int n)
{
    for (int k = 0; k < n; k++)
        to[k] += factor * v[k];
}

static void forget(void *memory, int n, double scale)
{
    ik_lbfgs *lbfgs = memory;
    (void)n;
    lbfgs->count = lbfgs->next = 0;
    lbfgs->scale = scale;
}

/* Index of the pair `age` steps ago, 0 = newest. */
static int pair_at(const ik_lbfgs *lbfgs, int age)
{
    return (lbfgs->next - 1 - age + 2 * IK_LBFGS_PAIRS) % IK_LBFGS_PAIRS;
}

static void multiply(void *memory, int n, double *vector)
{
    ik_lbfgs *lbfgs = memory;
    double alpha[IK_LBFGS_PAIRS];
    for (int age = 0; age < lbfgs->count; age++) {
        int k = pair_at(lbfgs, age);
        alpha[k] = lbfgs->inverse_sy[k] * snw__ik_dot(lbfgs->s[k], vector, n);
        add_scaled(vector, -alpha[k], lbfgs->y[k], n);
    }
    for (int i = 0; i < n; i++)
        vector[i] *= lbfgs->scale;
    for (int age = lbfgs->count - 1; age >= 0; age--) {
        int k = pair_at(lbfgs, age);
        double beta = lbfgs->inverse_sy[k] * snw__ik_dot(lbfgs->y[k], vector, n);
        add_scaled(vector, alpha[k] - beta, lbfgs->s[k], n);
    }
}

static void learn(void *memory, int n, const double *s, const double *y)
{
    ik_lbfgs *lbfgs = memory;
    int k = lbfgs->next;
    double sy = snw__ik_dot(s, y, n);
    memcpy(lbfgs->s[k], s, (size_t)n * sizeof *s);
    memcpy(lbfgs->y[k], y, (size_t)n * sizeof *y);
    lbfgs->inverse_sy[k] = 1 / sy;
    lbfgs->scale = sy / snw__ik_dot(y, y, n);
    lbfgs->next = (k + 1) % IK_LBFGS_PAIRS;
    if (lbfgs->count < IK_LBFGS_PAIRS) lbfgs->count++;
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ik_lbfgs *lbfgs = state;
    snw__ik_curvature curvature = {SNW_IK_LBFGSB, lbfgs, multiply, learn, forget, lbfgs->slope};
    return snw__ik_quasi_newton(ik, &curvature, goals, pose);
}

const snw__ik_method snw__ik_lbfgsb = {SNW_IK_LBFGSB, true,  snw__ik_check_nothing,
                                       layout,        solve, false};

/* The dual active-set method of Goldfarb & Idnani; see qp.h. Names follow the paper: J = L^-T Q is
 * `factor`, R the triangle of the active normals, d = J^T n, z the step in x, r that in the
 * multipliers. */
#include "ik/servo/qp.h"

#include <string.h>

#include "base/elementary.h"
#include "math/kernel.h"
#include "math/tolerance.h"

void snw__qp_layout(snw__qp *qp, int size, int row_max, snw__block *block)
{
    size_t n = (size_t)size, m = (size_t)row_max, square = snw__size_mul(n, n);
    qp->size = size;
    qp->row_max = row_max;
    qp->hessian = snw__block_take(block, square, sizeof(double));
    qp->linear = snw__block_take(block, n, sizeof(double));
    qp->low = snw__block_take(block, n, sizeof(double));
    qp->high = snw__block_take(block, n, sizeof(double));
    qp->row = snw__block_take(block, snw__size_mul(m, n), sizeof(double));
    qp->least = snw__block_take(block, m, sizeof(double));
    qp->x = snw__block_take(block, n, sizeof(double));
    qp->was_active = snw__block_take(block, 2 * n, sizeof(bool));
    qp->factor = snw__block_take(block, square, sizeof(double));
    qp->triangle = snw__block_take(block, square, sizeof(double));
    qp->multiplier = snw__block_take(block, n + 1, sizeof(double));
    qp->d = snw__block_take(block, n, sizeof(double));
    qp->z = snw__block_take(block, n, sizeof(double));
    qp->r = snw__block_take(block, n, sizeof(double));
    qp->active = snw__block_take(block, n, sizeof(int));
    qp->is_active = snw__block_take(block, 2 * n + m, sizeof(bool));
    qp->is_given_up = snw__block_take(block, m, sizeof(bool));
}

/* ---- factors -------------------------------------------------------------------------------- */

/* H = L L^T in the lower half, in place. */
static bool factor_hessian(snw__qp *qp)
{
    int n = qp->size;
    for (int j = 0; j < n; j++) {
        double *own = &qp->hessian[snw__entry(j, n, 0)];
        double pivot = own[j] - snw__dot(own, own, j);
        if (!(pivot > 0) || !isfinite(pivot)) return false;
        own[j] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            double *other = &qp->hessian[snw__entry(i, n, 0)];
            other[j] = (other[j] - snw__dot(other, own, j)) / own[j];
        }
    }
    return true;
}

/* J = L^-T: column k of it is row k of L^-1. */
static void invert_factor(snw__qp *qp)
{
    int n = qp->size;
    const double *l = qp->hessian;
    memset(qp->factor, 0, snw__entries(n, n) * sizeof(double));
    for (int k = 0; k < n; k++) {
        double *own = &qp->factor[snw__entry(k, n, 0)];
        own[k] = 1;
        for (int i = 0; i < k; i++)
            snw__axpy(-l[snw__entry(k, n, i)], &qp->factor[snw__entry(i, n, 0)], own, i + 1);
        for (int i = 0; i <= k; i++)
            own[i] /= l[snw__entry(k, n, k)];
    }
    qp->has_factor = true;
}

static double *column_of(const snw__qp *qp, int k)
{
    return &qp->factor[snw__entry(k, qp->size, 0)];
}

/* c, s such that (c a - s b) = 0 and s a + c b is their length, as snw__rotate turns. */
static double rotation_of(double a, double b, double *c, double *s)
{
    double length = snw__hypot(a, b);
    *c = length > 0 ? b / length : 1;
    *s = length > 0 ? a / length : 0;
    return length;
}

/* Takes the constraint of d in: the part of d behind the active ones becomes its first entry. */
static void add_active(snw__qp *qp, int constraint)
{
    int n = qp->size, q = qp->active_count;
    for (int i = n - 1; i > q; i--) {
        double c, s;
        if (qp->d[i] == 0) continue;
        qp->d[i - 1] = rotation_of(qp->d[i], qp->d[i - 1], &c, &s);
        qp->d[i] = 0;
        snw__rotate(column_of(qp, i), column_of(qp, i - 1), n, c, s);
    }
    memcpy(&qp->triangle[snw__entry(q, n, 0)], qp->d, ((size_t)q + 1) * sizeof(double));
    qp->active[q] = constraint;
    qp->is_active[constraint] = true;
    qp->active_count++;
}

static void drop_active(snw__qp *qp, int at)
{
    int n = qp->size, q = --qp->active_count;
    qp->is_active[qp->active[at]] = false;
    for (int k = at; k < q; k++) {
        double *own = &qp->triangle[snw__entry(k, n, 0)];
        memcpy(own, own + n, ((size_t)k + 2) * sizeof(double));
        qp->active[k] = qp->active[k + 1];
        qp->multiplier[k] = qp->multiplier[k + 1];
    }
    qp->multiplier[q] = qp->multiplier[q + 1];
    for (int k = at; k < q; k++) {
        double c, s, *own = &qp->triangle[snw__entry(k, n, 0)];
        own[k] = rotation_of(own[k + 1], own[k], &c, &s);
        own[k + 1] = 0;
        for (int j = k + 1; j < q; j++) {
            double *other = &qp->triangle[snw__entry(j, n, 0)];
            double low = other[k + 1], high = other[k];
            /* Two sums: gcc 12 fuses a difference beside a sum whatever fp-contract says. */
            other[k + 1] = c * low + (-s) * high;
            other[k] = s * low + c * high;
        }
        snw__rotate(column_of(qp, k + 1), column_of(qp, k), n, c, s);
    }
}

/* ---- constraints ---------------------------------------------------------------------------- */

/* n.x - b and the size of the normal. */
static double slack_of(const snw__qp *qp, int constraint, double *length)
{
    int n = qp->size, i = constraint / 2;
    *length = 1;
    if (constraint < 2 * n) return constraint % 2 ? qp->high[i] - qp->x[i] : qp->x[i] - qp->low[i];
    const double *row = &qp->row[snw__entry(constraint - 2 * n, n, 0)];
    *length = sqrt(snw__dot(row, row, n));
    return snw__dot(row, qp->x, n) - qp->least[constraint - 2 * n];
}

/* The violated constraint to take next, or -1: those of the last program first. */
static int most_violated(const snw__qp *qp)
{
    int n = qp->size, chosen = -1;
    double worst = 0;
    for (int c = 0; c < 2 * n + qp->row_count; c++) {
        double length, size;
        bool is_row = c >= 2 * n;
        if (qp->is_active[c] || (is_row && qp->is_given_up[c - 2 * n])) continue;
        double slack = slack_of(qp, c, &length);
        if (slack >= 0) continue;
        size = is_row ? fabs(qp->least[c - 2 * n]) + length : fabs(qp->x[c / 2]) + 1;
        double violation = -slack / size;
        if (violation <= SNW__SAME) continue;
        if (!is_row && qp->was_active[c]) violation += 1e30;
        if (violation > worst) {
            worst = violation;
            chosen = c;
        }
    }
    return chosen;
}

static bool is_equation(const snw__qp *qp, int constraint)
{
    return constraint >= 2 * qp->size && constraint - 2 * qp->size < qp->equal_count;
}

/* Adds one constraint, dropping what stops pushing; false when it cannot hold with the others. */
static bool take(snw__qp *qp, int constraint)
{
    double length, slack = slack_of(qp, constraint, &length);
    bool is_equal = is_equation(qp, constraint);
    qp->multiplier[qp->active_count] = 0;
    for (int round = 0; round <= 2 * qp->size; round++) {
        /* d = J^T n */
        int n = qp->size, q = qp->active_count;
        for (int k = 0; k < n; k++) {
            const double *own = column_of(qp, k);
            if (constraint < 2 * n)
                qp->d[k] = constraint % 2 ? -own[constraint / 2] : own[constraint / 2];
            else
                qp->d[k] = snw__dot(own, &qp->row[snw__entry(constraint - 2 * n, n, 0)], n);
        }
        double all = snw__dot(qp->d, qp->d, n), outside = 0;
        /* z = J2 d2, r = R^-1 d1; outside: z.n = |d2|^2. */
        memset(qp->z, 0, (size_t)n * sizeof(double));
        for (int k = q; k < n; k++) {
            snw__axpy(qp->d[k], column_of(qp, k), qp->z, n);
            outside += qp->d[k] * qp->d[k];
        }
        memcpy(qp->r, qp->d, (size_t)q * sizeof(double));
        for (int k = q - 1; k >= 0; k--) {
            const double *own = &qp->triangle[snw__entry(k, n, 0)];
            qp->r[k] /= own[k];
            snw__axpy(-qp->r[k], own, qp->r, k);
        }
        bool is_dependent = !(outside > SNW__SAME * SNW__SAME * all);
        double full = is_dependent ? INFINITY : -slack / outside, longest = INFINITY;
        int blocking = -1;
        for (int k = 0; k < qp->active_count && !is_equal; k++) {
            if (is_equation(qp, qp->active[k]) || !(qp->r[k] > 0)) continue;
            if (qp->multiplier[k] / qp->r[k] >= longest) continue;
            longest = qp->multiplier[k] / qp->r[k];
            blocking = k;
        }
        double step = is_equal || full < longest ? full : longest;
        if (!isfinite(step)) return false;
        for (int k = 0; k < qp->active_count; k++)
            qp->multiplier[k] -= step * qp->r[k];
        qp->multiplier[qp->active_count] += step;
        if (!is_dependent) {
            snw__axpy(step, qp->z, qp->x, qp->size);
            slack += step * outside;
        }
        if (step == full) {
            add_active(qp, constraint);
            return true;
        }
        drop_active(qp, blocking);
    }
    return false;
}

/* ---- the solve ------------------------------------------------------------------------------ */

static void keep_bounds(snw__qp *qp)
{
    for (int i = 0; i < qp->size; i++) {
        if (!(qp->x[i] >= qp->low[i])) qp->x[i] = qp->low[i];
        if (!(qp->x[i] <= qp->high[i])) qp->x[i] = qp->high[i];
    }
}

/* The minimum under the equations alone, from the factor of H. */
static void begin(snw__qp *qp)
{
    int n = qp->size;
    qp->active_count = 0;
    qp->has_factor = false;
    memset(qp->is_active, 0, (size_t)(2 * n + qp->row_max) * sizeof(bool));
    /* x = -H^-1 f */
    const double *l = qp->hessian;
    double *x = qp->x;
    for (int i = 0; i < n; i++)
        x[i] = (-qp->linear[i] - snw__dot(&l[snw__entry(i, n, 0)], x, i)) / l[snw__entry(i, n, i)];
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= l[snw__entry(i, n, i)];
        snw__axpy(-x[i], &l[snw__entry(i, n, 0)], x, i);
    }
    if (qp->equal_count > 0) invert_factor(qp);
    for (int k = 0; k < qp->equal_count; k++)
        if (!qp->is_given_up[k] && !take(qp, 2 * n + k)) qp->is_given_up[k] = true;
}

bool snw__qp_resume(snw__qp *qp)
{
    int n = qp->size, most = 10 * (2 * n + qp->row_count) + 10;
    bool is_done = false;
    for (int k = 0; k < most && !is_done; k++) {
        int constraint = most_violated(qp);
        is_done = constraint < 0;
        if (is_done) break;
        if (!qp->has_factor) invert_factor(qp);
        if (take(qp, constraint)) continue;
        if (constraint < 2 * n) break; /* round-off among equations: the bound is kept below */
        /* It cannot hold, and looking for a way has moved the others: begin again without. */
        qp->is_given_up[constraint - 2 * n] = true;
        qp->given_up_count++;
        begin(qp);
    }
    if (!is_done) memset(qp->x, 0, (size_t)n * sizeof(double));
    keep_bounds(qp);
    for (int c = 0; c < 2 * n; c++)
        qp->was_active[c] = qp->is_active[c];
    return is_done;
}

bool snw__qp_solve(snw__qp *qp)
{
    int n = qp->size;
    qp->given_up_count = 0;
    memset(qp->is_given_up, 0, (size_t)qp->row_max * sizeof(bool));
    if (!factor_hessian(qp)) {
        memset(qp->x, 0, (size_t)n * sizeof(double));
        keep_bounds(qp);
        return false;
    }
    begin(qp);
    return snw__qp_resume(qp);
}

bool snw__qp_relax_row(snw__qp *qp, int k)
{
    const double *row = &qp->row[snw__entry(k, qp->size, 0)];
    double most = 0;
    for (int i = 0; i < qp->size; i++)
        if (row[i] != 0) most += row[i] * (row[i] > 0 ? qp->high[i] : qp->low[i]);
    if (!(most < qp->least[k])) return false;
    qp->least[k] = most;
    return true;
}

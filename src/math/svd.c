/* Singular values by one-sided Jacobi rotations, truncated solves and the pseudo-inverse.
 *
 * The vectors (columns of A if rows >= columns, else its rows) are rotated in pairs until all are
 * orthogonal; their lengths are then the singular values (Hestenes 1958; de Rijk, "A one-sided
 * Jacobi algorithm for computing the singular value decomposition on a vector computer", SIAM J.
 * Sci. Stat. Comput. 10, 1989, for taking the longest vector first). Lengths may be scaled apart
 * without harm (Demmel and Veselic 1992). The vectors are kept as rows, so every loop walks through
 * memory in order, and the result arrays are all the workspace there is. */
#include <sinew/dense.h>

#include "math/kernel.h"
#include "math/tolerance.h"

/* [derived] Squared length, relative to the longest, below which a vector counts as zero (length
 * 1e-140). */
#define SVD_ZERO 1e-280

/* The vectors being made orthogonal, x (count x length), and the rotations so far, v (count x
 * count): x_now = v x_start. */
typedef struct svd_state {
    double *x, *v;
    double *lengths2; /* (count) */
    int count, length;
} svd_state;

static double *vector_of(const svd_state *svd, int i)
{
    return svd->x + snw__entries(i, svd->length);
}

static void bring_longest_to(svd_state *svd, int p)
{
    int longest = p;
    for (int q = p + 1; q < svd->count; q++)
        if (svd->lengths2[q] > svd->lengths2[longest]) longest = q;
    if (p == longest) return;
    snw__swap(svd->lengths2 + p, svd->lengths2 + longest, 1);
    snw__swap(vector_of(svd, p), vector_of(svd, longest), svd->length);
    snw__swap(svd->v + snw__entries(p, svd->count), svd->v + snw__entries(longest, svd->count),
              svd->count);
}

/* Makes vectors p (the longer) and q orthogonal; false when they already are. */
static bool rotate_pair(svd_state *svd, int p, int q, double tolerance)
{
    double *x = vector_of(svd, p), *y = vector_of(svd, q);
    double xx = svd->lengths2[p], yy = svd->lengths2[q];
    double xy = snw__dot(x, y, svd->length);
    if (!(fabs(xy) > tolerance * sqrt(xx) * sqrt(yy))) return false;
    double zeta = (xx - yy) / (2 * fabs(xy));
    /* Beyond 1e8 zeta^2 + 1 is zeta^2 to round-off; also avoids its overflow. */
    double t = zeta > 1e8 ? 0.5 / zeta : 1 / (fabs(zeta) + sqrt(zeta * zeta + 1));
    double gain = t * fabs(xy);
    t = -copysign(t, xy);
    double c = 1 / sqrt(t * t + 1), s = t * c;
    snw__rotate(x, y, svd->length, c, s);
    snw__rotate(svd->v + snw__entries(p, svd->count), svd->v + snw__entries(q, svd->count),
                svd->count, c, s);
    svd->lengths2[p] = xx + gain;
    svd->lengths2[q] = gain < 0.5 * yy ? yy - gain : snw__dot(y, y, svd->length);
    return true;
}

static bool make_orthogonal(svd_state *svd)
{
    double tolerance = DBL_EPSILON * sqrt(svd->length);
    for (int sweep = 0; sweep < SNW__ROUNDS_MAX; sweep++) {
        bool is_rotated = false;
        for (int i = 0; i < svd->count; i++)
            svd->lengths2[i] = snw__dot(vector_of(svd, i), vector_of(svd, i), svd->length);
        bring_longest_to(svd, 0);
        double zero = SVD_ZERO * svd->lengths2[0];
        for (int p = 0; p < svd->count - 1; p++) {
            bring_longest_to(svd, p);
            for (int q = p + 1; q < svd->count; q++)
                if (svd->lengths2[q] > zero && rotate_pair(svd, p, q, tolerance)) is_rotated = true;
        }
        if (!is_rotated) return true;
    }
    return false;
}

/* Vector i <- a unit vector orthogonal to the i unit vectors before it: from the axis that has the
 * largest part outside them, cleaned twice. */
static void complete_basis(svd_state *svd, int i)
{
    double *x = vector_of(svd, i), most_outside = -1;
    int axis = 0;
    for (int j = 0; j < svd->length; j++) {
        double outside = 1;
        for (int k = 0; k < i; k++)
            outside -= vector_of(svd, k)[j] * vector_of(svd, k)[j];
        if (outside > most_outside) {
            most_outside = outside;
            axis = j;
        }
        x[j] = 0;
    }
    x[axis] = 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < i; k++)
            snw__axpy(-snw__dot(x, vector_of(svd, k), svd->length), vector_of(svd, k), x,
                      svd->length);
        double norm = sqrt(snw__dot(x, x, svd->length));
        for (int j = 0; j < svd->length; j++)
            x[j] /= norm;
    }
}

snw_status snw_svd_factor(snw_svd *svd, const double *a, int rows, int columns)
{
    if (rows < 0 || columns < 0) return SNW_INVALID_ARGUMENT;
    size_t size = snw__entries(rows, columns);
    double largest = snw__max_abs(a, size);
    if (!isfinite(largest)) return SNW_INVALID_ARGUMENT;
    svd->rows = rows;
    svd->columns = columns;
    /* The vectors as rows: A itself when it is wide, its transpose when it is tall. */
    bool is_tall = rows >= columns;
    svd_state state = {is_tall ? svd->left : svd->right, is_tall ? svd->right : svd->left,
                       svd->sigma, is_tall ? columns : rows, is_tall ? rows : columns};
    for (int i = 0; i < state.count; i++)
        for (int j = 0; j < state.length; j++)
            vector_of(&state, i)[j] =
                is_tall ? a[snw__entry(j, columns, i)] : a[snw__entry(i, columns, j)];
    for (int i = 0; i < state.count; i++)
        for (int j = 0; j < state.count; j++)
            state.v[snw__entry(i, state.count, j)] = i == j;
    int exponent = snw__scale_exponent(largest);
    snw__scale_by_power(state.x, size, -exponent);
    if (state.count == 0) return SNW_OK;
    bool is_done = make_orthogonal(&state);
    /* Lengths to singular values, vectors to unit vectors, in descending order. */
    for (int i = 0; i < state.count; i++)
        state.lengths2[i] = snw__dot(vector_of(&state, i), vector_of(&state, i), state.length);
    for (int i = 0; i < state.count; i++)
        bring_longest_to(&state, i);
    double zero = state.count > 0 ? SVD_ZERO * state.lengths2[0] : 0;
    for (int i = 0; i < state.count; i++) {
        double sigma = state.lengths2[i] > zero ? sqrt(state.lengths2[i]) : 0;
        state.lengths2[i] = sigma;
        if (sigma > 0) {
            double *x = vector_of(&state, i);
            for (int j = 0; j < state.length; j++)
                x[j] /= sigma;
        } else {
            complete_basis(&state, i);
        }
    }
    snw__scale_by_power(svd->sigma, (size_t)state.count, exponent);
    if (!isfinite(svd->sigma[0])) return SNW_INVALID_ARGUMENT;
    return is_done ? SNW_OK : SNW_NOT_CONVERGED;
}

double snw_rank_threshold(int rows, int columns)
{
    return (rows > columns ? rows : columns) * DBL_EPSILON;
}

int snw_svd_rank(const snw_svd *svd, double relative_threshold)
{
    int count = svd->rows < svd->columns ? svd->rows : svd->columns, rank = 0;
    while (rank < count && svd->sigma[rank] > 0 &&
           svd->sigma[rank] > relative_threshold * svd->sigma[0])
        rank++;
    return rank;
}

snw_status snw_svd_solve(const snw_svd *svd, double relative_threshold, const double *b, double *x)
{
    int rank = snw_svd_rank(svd, relative_threshold);
    for (int j = 0; j < svd->columns; j++)
        x[j] = 0;
    for (int i = 0; i < rank; i++) {
        double part =
            snw__dot(svd->left + snw__entries(i, svd->rows), b, svd->rows) / svd->sigma[i];
        snw__axpy(part, svd->right + snw__entries(i, svd->columns), x, svd->columns);
    }
    return snw__solve_outcome(x, (size_t)svd->columns, snw__all_finite(b, (size_t)svd->rows));
}

snw_status snw_svd_pseudo_inverse(const snw_svd *svd, double relative_threshold, double *inverse)
{
    int rank = snw_svd_rank(svd, relative_threshold);
    for (int j = 0; j < svd->columns; j++) {
        double *row = inverse + snw__entries(j, svd->rows);
        for (int i = 0; i < svd->rows; i++)
            row[i] = 0;
        for (int i = 0; i < rank; i++)
            snw__axpy(svd->right[snw__entry(i, svd->columns, j)] / svd->sigma[i],
                      svd->left + snw__entries(i, svd->rows), row, svd->rows);
    }
    return snw__solve_outcome(inverse, snw__entries(svd->columns, svd->rows), true);
}

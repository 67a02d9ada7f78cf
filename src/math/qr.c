/* Householder QR with column pivoting and least squares (Businger and Golub, "Linear least squares
 * solutions by Householder transformations", Numer. Math. 7, 1965). Reflectors are applied row by
 * row, so all long loops walk through memory in order. Column norms are brought up to date instead
 * of computed afresh, with the safeguard of Drmac and Bujanovic, "On the failure of rank-revealing
 * QR factorization software", ACM Trans. Math. Softw. 35, 2008. */
#include <sinew/dense.h>

#include "base/elementary.h"
#include "math/kernel.h"

/* The factorization under way: pointers into the caller's arrays. */
typedef struct qr_state {
    double *a;
    int rows, columns;
    double *scales;    /* (min(rows, columns)) */
    double *norms;     /* (columns) of what is left of each column */
    double *reference; /* (columns) the norm when it was last computed afresh */
    double *product;   /* (columns) v^T A */
} qr_state;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

size_t snw_qr_work_size(int rows, int columns)
{
    if (rows < 0 || columns < 0) return 0;
    return (size_t)smaller(rows, columns) + 3 * (size_t)columns;
}

/* Norm of column j from row `start` down. */
static double column_norm(const qr_state *qr, int start, int j)
{
    double sum = 0, largest = 0;
    const double *entry = qr->a + snw__entry(start, qr->columns, j);
    for (int i = start; i < qr->rows; i++, entry += qr->columns)
        sum += *entry * *entry;
    if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
    entry = qr->a + snw__entry(start, qr->columns, j);
    for (int i = start; i < qr->rows; i++, entry += qr->columns)
        largest = fmax(largest, fabs(*entry));
    if (!(largest > 0)) return 0;
    sum = 0;
    entry = qr->a + snw__entry(start, qr->columns, j);
    for (int i = start; i < qr->rows; i++, entry += qr->columns)
        sum += (*entry / largest) * (*entry / largest);
    return largest * sqrt(sum);
}

static void bring_longest_column_to(qr_state *qr, int k, int *permutation)
{
    int longest = k;
    for (int j = k + 1; j < qr->columns; j++)
        if (qr->norms[j] > qr->norms[longest]) longest = j;
    if (longest == k) return;
    for (int i = 0; i < qr->rows; i++)
        snw__swap(qr->a + snw__entry(i, qr->columns, k),
                  qr->a + snw__entry(i, qr->columns, longest), 1);
    qr->norms[longest] = qr->norms[k];
    qr->reference[longest] = qr->reference[k];
    int kept = permutation[k];
    permutation[k] = permutation[longest];
    permutation[longest] = kept;
}

/* I - scale v v^T with v[0] = 1 maps column k below row k to (beta, 0, ...). */
static void make_reflector(qr_state *qr, int k)
{
    double *head = qr->a + snw__entry(k, qr->columns, k), alpha = *head;
    double below = k + 1 < qr->rows ? column_norm(qr, k + 1, k) : 0;
    qr->scales[k] = 0;
    if (!(below > 0)) return;
    double beta = -copysign(snw__hypot(alpha, below), alpha);
    qr->scales[k] = (beta - alpha) / beta;
    for (int i = k + 1; i < qr->rows; i++)
        head[snw__entries(i - k, qr->columns)] /= alpha - beta;
    *head = beta;
}

snw_status snw_qr_factor(snw_qr *qr, double *a, int rows, int columns, int *permutation,
                         double *work)
{
    if (rows < 0 || columns < 0) return SNW_INVALID_ARGUMENT;
    if (!snw__all_finite(a, snw__entries(rows, columns))) return SNW_INVALID_ARGUMENT;
    int steps = smaller(rows, columns);
    double *norms = work + steps;
    qr_state state = {a, rows, columns, work, norms, norms + columns, norms + 2 * (size_t)columns};
    for (int j = 0; j < columns; j++) {
        permutation[j] = j;
        state.norms[j] = state.reference[j] = column_norm(&state, 0, j);
    }
    for (int k = 0; k < steps; k++) {
        bring_longest_column_to(&state, k, permutation);
        make_reflector(&state, k);
        int width = state.columns - k - 1;
        double scale = state.scales[k], *product = state.product;
        if (!(scale == 0 || width == 0)) {
            double *top = state.a + snw__entry(k, state.columns, k) + 1;
            for (int j = 0; j < width; j++)
                product[j] = top[j];
            for (int i = k + 1; i < state.rows; i++) {
                const double *row = top + snw__entries(i - k, state.columns);
                snw__axpy(row[-1], row, product, width);
            }
            snw__axpy(-scale, product, top, width);
            for (int i = k + 1; i < state.rows; i++) {
                double *row = top + snw__entries(i - k, state.columns);
                snw__axpy(-scale * row[-1], product, row, width);
            }
        }
        const double *row = state.a + snw__entries(k, state.columns);
        for (int j = k + 1; j < state.columns; j++) {
            double norm = state.norms[j];
            if (norm == 0) continue;
            double ratio = fabs(row[j]) / norm, left = fmax(0, (1 - ratio) * (1 + ratio));
            double loss = norm / state.reference[j];
            /* sqrt(2^-52): beyond it the updated norm has lost half its digits. */
            if (left * loss * loss > 1.5e-8) {
                state.norms[j] = norm * sqrt(left);
            } else {
                state.norms[j] = k + 1 < state.rows ? column_norm(&state, k + 1, j) : 0;
                state.reference[j] = state.norms[j];
            }
        }
    }
    *qr = (snw_qr){rows, columns, a, work, permutation};
    return snw__all_finite(a, snw__entries(rows, columns)) ? SNW_OK : SNW_INVALID_ARGUMENT;
}

int snw_qr_rank(const snw_qr *qr, double relative_threshold)
{
    int steps = smaller(qr->rows, qr->columns), rank = 0;
    double first = steps > 0 ? fabs(qr->factors[0]) : 0;
    while (rank < steps) {
        double diagonal = fabs(qr->factors[snw__entry(rank, qr->columns, rank)]);
        if (!(diagonal > relative_threshold * first && diagonal > 0)) break;
        rank++;
    }
    return rank;
}

snw_status snw_qr_solve(const snw_qr *qr, double relative_threshold, double *b, double *x)
{
    int rank = snw_qr_rank(qr, relative_threshold);
    bool is_finite = snw__all_finite(b, (size_t)qr->rows);
    int steps = smaller(qr->rows, qr->columns);
    for (int k = 0; k < steps; k++) {
        const double *below = qr->factors + snw__entry(k + 1, qr->columns, k);
        double product = b[k];
        for (int i = k + 1; i < qr->rows; i++)
            product += below[snw__entries(i - k - 1, qr->columns)] * b[i];
        product *= qr->scales[k];
        b[k] -= product;
        for (int i = k + 1; i < qr->rows; i++)
            b[i] -= product * below[snw__entries(i - k - 1, qr->columns)];
    }
    /* Solve in place in b, then scatter. */
    for (int k = rank - 1; k >= 0; k--) {
        const double *row = qr->factors + snw__entries(k, qr->columns);
        b[k] = (b[k] - snw__dot(row + k + 1, b + k + 1, rank - k - 1)) / row[k];
    }
    for (int j = 0; j < qr->columns; j++)
        x[qr->permutation[j]] = j < rank ? b[j] : 0;
    return snw__solve_outcome(x, (size_t)qr->columns, is_finite);
}

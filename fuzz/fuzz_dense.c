/* Any small matrices and clouds of points through the dense kernels and the fits: a status, or
 * finite numbers. */
#include "fuzz_numbers.h"

enum {
    DENSE_SIDE = 5
};

static void check_finite(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) abort();
}

static void fill(fuzz_bytes *bytes, double *a, int count)
{
    for (int i = 0; i < count; i++)
        a[i] = fuzz_number(bytes);
}

static void try_square(fuzz_bytes *bytes, int n)
{
    double a[DENSE_SIDE * DENSE_SIDE], b[DENSE_SIDE * DENSE_SIDE], c[DENSE_SIDE * DENSE_SIDE];
    double x[DENSE_SIDE], y[DENSE_SIDE], values[DENSE_SIDE], vectors[DENSE_SIDE * DENSE_SIDE];
    int pivots[DENSE_SIDE];
    fill(bytes, a, n * n);
    fill(bytes, x, n);
    memcpy(b, a, sizeof a);
    memcpy(c, a, sizeof a);
    memcpy(y, x, sizeof x);
    if (snw_cholesky_factor(a, n) == SNW_OK && snw_cholesky_solve(a, n, x) == SNW_OK)
        check_finite(x, n);
    if (snw_ldlt_factor(b, n, pivots) == SNW_OK && snw_ldlt_solve(b, n, pivots, y) == SNW_OK)
        check_finite(y, n);
    if (snw_eigen_symmetric(c, n, values, vectors) == SNW_OK) {
        check_finite(values, n);
        check_finite(vectors, n * n);
    }
}

static void try_rectangle(fuzz_bytes *bytes, int rows, int columns)
{
    double a[DENSE_SIDE * DENSE_SIDE], q[DENSE_SIDE * DENSE_SIDE], left[DENSE_SIDE * DENSE_SIDE];
    double right[DENSE_SIDE * DENSE_SIDE], sigma[DENSE_SIDE], b[DENSE_SIDE], x[DENSE_SIDE];
    double work[4 * DENSE_SIDE];
    if (snw_qr_work_size(rows, columns) > sizeof work / sizeof *work) abort();
    int permutation[DENSE_SIDE];
    snw_svd svd = {0};
    snw_qr qr;
    svd.left = left;
    svd.right = right;
    svd.sigma = sigma;
    fill(bytes, a, rows * columns);
    fill(bytes, b, rows);
    memcpy(q, a, sizeof a);
    double threshold = fuzz_byte(bytes) & 1 ? snw_rank_threshold(rows, columns) : 0;
    if (snw_svd_factor(&svd, a, rows, columns) == SNW_OK) {
        if (snw_svd_solve(&svd, threshold, b, x) == SNW_OK) check_finite(x, columns);
        if (snw_svd_pseudo_inverse(&svd, threshold, q) == SNW_OK) check_finite(q, rows * columns);
        memcpy(q, a, sizeof a);
    }
    if (snw_qr_factor(&qr, q, rows, columns, permutation, work) == SNW_OK &&
        snw_qr_solve(&qr, threshold, b, x) == SNW_OK)
        check_finite(x, columns);
}

static void try_fit(fuzz_bytes *bytes)
{
    snw_vec3 from[6], to[6];
    double weights[6];
    snw_fit fit;
    int count = fuzz_below(bytes, 7);
    for (int n = 0; n < count; n++) {
        from[n] = fuzz_vector(bytes);
        to[n] = fuzz_vector(bytes);
        weights[n] = fabs(fuzz_number(bytes));
    }
    if (snw_fit_rigid(from, to, fuzz_byte(bytes) & 1 ? weights : NULL, count, &fit) == SNW_OK &&
        !(snw_quat_is_finite(fit.to_from.rotation) && snw_vec3_is_finite(fit.to_from.translation)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int what = fuzz_below(&bytes, 3), rows = 1 + fuzz_below(&bytes, DENSE_SIDE);
    if (what == 0) try_square(&bytes, rows);
    if (what == 1) try_rectangle(&bytes, rows, 1 + fuzz_below(&bytes, DENSE_SIDE));
    if (what == 2) try_fit(&bytes);
    return 0;
}

/* Cholesky, LDLt and pivoted QR against LAPACK and by their residuals. Tolerances are multiples of
 * n * 2^-52, the backward error these factorizations are proved to have. */
#include "matrices.h"

#include <float.h>
#include <lapacke.h>

static const int sizes[] = {0, 1, 2, 3, 4, 5, 8, 17, 40, 80};
enum {
    size_count = sizeof sizes / sizeof sizes[0]
};

static double a[MATRIX_MOST * MATRIX_MOST], kept[MATRIX_MOST * MATRIX_MOST],
    oracle[MATRIX_MOST * MATRIX_MOST];
static double x[MATRIX_MOST + 1], b[MATRIX_MOST + 1], y[MATRIX_MOST + 1];
static double work[4 * MATRIX_MOST];
static int pivots[MATRIX_MOST];

static void fill_right_side(int n, snw_random *random)
{
    for (int i = 0; i < n; i++)
        x[i] = y[i] = b[i] = snw_random_normal(random);
}

/* ---- Cholesky ----------------------------------------------------------------------------- */

/* kept = B B^T + shift I, scaled by D on both sides. */
static void fill_definite(int n, double decades, snw_random *random)
{
    matrix_fill(oracle, n, n, MATRIX_RANDOM, random);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j;
            for (int k = 0; k < n; k++)
                sum += oracle[i * n + k] * oracle[j * n + k];
            double grade = n < 2 ? 0 : decades * ((i + j) / (2.0 * (n - 1)) - 0.5);
            kept[i * n + j] = sum * pow(10, grade);
        }
}

static void cholesky_factors_equal_lapack_and_solve(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(41, 1);
    static const double decades[] = {0, 20, 250};
    for (int trial = 0; trial < 3 * size_count; trial++) {
        int n = sizes[trial % size_count];
        fill_definite(n, decades[trial / size_count], &random);
        memcpy(a, kept, sizeof a);
        memcpy(oracle, kept, sizeof a);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                a[i * n + j] = NAN; /* must not be read */
        fill_right_side(n, &random);
        assert_int_equal(snw_cholesky_factor(a, n), SNW_OK);
        if (n > 0) assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, oracle, n), 0);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (j > i) check_near(a[i * n + j], a[j * n + i], 0);
                /* The entry's scale is its row's diagonal of A; the factor's condition (~n^2
                 * here) multiplies the round-off. */
                if (j <= i)
                    check_near(a[i * n + j] / sqrt(kept[i * n + i]),
                               oracle[i * n + j] / sqrt(kept[i * n + i]), 1e-13 * (n + 1));
            }
        assert_int_equal(snw_cholesky_solve(a, n, x), SNW_OK);
        assert_true(matrix_backward_error(kept, n, n, x, b) <= 4 * DBL_EPSILON * (n + 2));
    }
}

static void cholesky_refuses_what_is_not_positive_definite(void **state)
{
    (void)state;
    double indefinite[4] = {1, 2, 2, 1}, zero[1] = {0}, negative[1] = {-1};
    double rank_one[9] = {1, 2, 3, 2, 4, 6, 3, 6, 9}, fine[1] = {1e-320};
    assert_int_equal(snw_cholesky_factor(indefinite, 2), SNW_SINGULAR);
    assert_int_equal(snw_cholesky_factor(zero, 1), SNW_SINGULAR);
    assert_int_equal(snw_cholesky_factor(negative, 1), SNW_SINGULAR);
    assert_int_equal(snw_cholesky_factor(rank_one, 3), SNW_SINGULAR);
    assert_int_equal(snw_cholesky_factor(fine, 1), SNW_OK);
    assert_int_equal(snw_cholesky_factor(fine, -1), SNW_INVALID_ARGUMENT);
    snw_random random = snw_random_seed(42, 1);
    for (int n = 3; n <= 80; n += 7) {
        /* A Gram matrix of rank n / 2: a pivot must vanish to round-off. */
        matrix_fill(oracle, n, n, MATRIX_RANDOM, &random);
        for (int i = 0; i < n * n; i++) {
            double sum = 0;
            for (int k = 0; k < n / 2; k++)
                sum += oracle[i / n * n + k] * oracle[i % n * n + k];
            a[i] = sum;
        }
        snw_status status = snw_cholesky_factor(a, n);
        assert_true(status == SNW_SINGULAR || status == SNW_OK);
        /* Round-off may leave a pivot just above the bound; then it must be tiny. */
        double smallest = INFINITY;
        for (int i = 0; status == SNW_OK && i < n; i++)
            smallest = fmin(smallest, a[i * n + i]);
        assert_true(status == SNW_SINGULAR || smallest < 1e-6);
    }
}

static void cholesky_solves_hilbert_while_it_can(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(43, 1);
    for (int n = 1; n <= 20; n++) {
        matrix_fill(a, n, n, MATRIX_HILBERT, &random);
        memcpy(kept, a, sizeof a);
        fill_right_side(n, &random);
        snw_status status = snw_cholesky_factor(a, n);
        assert_int_equal(status == SNW_OK || n > 11, 1); /* condition 5e14 at 11, 2e16 at 12 */
        assert_int_equal(status == SNW_SINGULAR || n < 15, 1);
        if (status != SNW_OK) continue;
        assert_int_equal(snw_cholesky_solve(a, n, x), SNW_OK);
        assert_true(matrix_backward_error(kept, n, n, x, b) <= 4 * DBL_EPSILON * (n + 2));
    }
}

/* ---- LDLt --------------------------------------------------------------------------------- */

static void ldlt_solves_every_regular_kind(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(44, 1);
    static const matrix_kind kinds[] = {MATRIX_RANDOM,  MATRIX_ROW_GRADED, MATRIX_BOTH_GRADED,
                                        MATRIX_INTEGER, MATRIX_TINY,       MATRIX_HUGE,
                                        MATRIX_LOW_RANK};
    int solved = 0, with_blocks = 0;
    for (int trial = 0; trial < 7 * size_count * 3; trial++) {
        int n = sizes[trial % size_count];
        matrix_kind kind = kinds[trial / size_count % 7];
        matrix_fill_symmetric(a, n, kind, &random);
        for (int i = 0; trial % 3 == 0 && i < n; i++)
            a[i * n + i] = 0; /* no usable 1x1 pivot at first */
        memcpy(kept, a, sizeof a);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                a[i * n + j] = NAN; /* must not be read */
        fill_right_side(n, &random);
        if (kind == MATRIX_HUGE)
            for (int i = 0; i < n; i++)
                x[i] = b[i] *= 1e300;
        if (kind == MATRIX_TINY)
            for (int i = 0; i < n; i++)
                x[i] = b[i] *= 1e-300;
        if (snw_ldlt_factor(a, n, pivots) != SNW_OK) continue;
        snw_status status = snw_ldlt_solve(a, n, pivots, x);
        if (status == SNW_SINGULAR) continue; /* the answer overflowed */
        assert_int_equal(status, SNW_OK);
        solved++;
        for (int i = 0; i < n; i++)
            with_blocks += pivots[i] < 0;
        /* Growth of Bunch-Kaufman is a small factor in practice. */
        assert_true(matrix_backward_error(kept, n, n, x, b) <= 32 * DBL_EPSILON * (n + 2));
    }
    assert_true(solved > 150);
    assert_true(with_blocks > 1000);
}

static void ldlt_agrees_with_lapack(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(45, 1);
    for (int trial = 0; trial < 60; trial++) {
        int n = 1 + trial % 30;
        lapack_int swaps[30];
        matrix_fill_symmetric(a, n, MATRIX_RANDOM, &random);
        memcpy(oracle, a, sizeof a);
        memcpy(kept, a, sizeof a);
        fill_right_side(n, &random);
        assert_int_equal(snw_ldlt_factor(a, n, pivots), SNW_OK);
        assert_int_equal(snw_ldlt_solve(a, n, pivots, x), SNW_OK);
        assert_int_equal(LAPACKE_dsysv(LAPACK_ROW_MAJOR, 'L', n, 1, oracle, n, swaps, y, 1), 0);
        double values[30];
        assert_int_equal(snw_eigen_symmetric(kept, n, values, NULL), SNW_OK);
        double largest = 0, smallest = INFINITY, size = 0;
        for (int i = 0; i < n; i++) {
            largest = fmax(largest, fabs(values[i]));
            smallest = fmin(smallest, fabs(values[i]));
            size = fmax(size, fabs(y[i]));
        }
        for (int i = 0; i < n; i++) /* condition number times round-off */
            check_near(x[i], y[i], 1e-14 * (n + 1) * size * largest / smallest);
    }
}

static void ldlt_handles_the_smallest_cases(void **state)
{
    (void)state;
    double swap[4] = {0, 9, 2, 0}, right[2] = {6, 10}, zero[1] = {0}, bad[1] = {NAN};
    assert_int_equal(snw_ldlt_factor(swap, 2, pivots), SNW_OK);
    assert_int_equal(snw_ldlt_solve(swap, 2, pivots, right), SNW_OK);
    check_near(right[0], 5, 1e-15);
    check_near(right[1], 3, 1e-15);
    assert_int_equal(snw_ldlt_factor(zero, 1, pivots), SNW_SINGULAR);
    assert_int_equal(snw_ldlt_factor(bad, 1, pivots), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_ldlt_factor(zero, -1, pivots), SNW_INVALID_ARGUMENT);
    double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(snw_ldlt_factor(ones, 3, pivots), SNW_SINGULAR);
    /* Overflows to NaN in the last row, which has no second row for a 2x2 block. */
    double huge[9] = {1e308, 0, 0, 1.5e308, -1e308, 0, -1.5e308, 1.5e308, 1};
    assert_int_equal(snw_ldlt_factor(huge, 3, pivots), SNW_SINGULAR);
}

/* ---- QR ----------------------------------------------------------------------------------- */

/* max |A P - Q R| / |A|, with Q applied to the columns of R in long double. */
static double qr_error(const snw_qr *qr, const double *original)
{
    int m = qr->rows, n = qr->columns, steps = m < n ? m : n;
    long double worst = 0, norm = matrix_norm(original, m * n), column[MATRIX_MOST];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            column[i] = i <= j ? qr->factors[i * n + j] : 0;
        for (int k = steps - 1; k >= 0; k--) {
            long double dot = column[k];
            for (int i = k + 1; i < m; i++)
                dot += qr->factors[i * n + k] * column[i];
            dot *= qr->scales[k];
            column[k] -= dot;
            for (int i = k + 1; i < m; i++)
                column[i] -= dot * qr->factors[i * n + k];
        }
        for (int i = 0; i < m; i++)
            worst = fmaxl(worst, fabsl(column[i] - original[i * n + qr->permutation[j]]));
    }
    return norm > 0 ? (double)(worst / norm) : (double)worst;
}

static void qr_reproduces_every_kind_and_shape(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(46, 1);
    for (int kind = 0; kind < MATRIX_KIND_COUNT; kind++)
        for (int s = 0; s < size_count; s++)
            for (int t = 0; t < size_count; t++) {
                int m = sizes[s], n = sizes[t], steps = m < n ? m : n;
                matrix_fill(a, m, n, (matrix_kind)kind, &random);
                memcpy(kept, a, sizeof a);
                snw_qr qr;
                assert_true(snw_qr_work_size(m, n) <= 4 * MATRIX_MOST);
                assert_int_equal(snw_qr_factor(&qr, a, m, n, pivots, work), SNW_OK);
                /* Subnormal entries are rounded to multiples of 5e-324, coarse to 1e-4. */
                double tolerance = kind == MATRIX_SUBNORMAL ? 1e-2 : 4 * DBL_EPSILON * (steps + 2);
                assert_true(qr_error(&qr, kept) <= tolerance);
                for (int k = 1; k < steps; k++)
                    assert_true(fabs(a[k * n + k]) <=
                                fabs(a[(k - 1) * n + k - 1]) * (1 + 1e-12) + 1e-322);
            }
}

static void qr_diagonal_agrees_with_lapack(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(47, 1);
    for (int trial = 0; trial < 40; trial++) {
        int m = 1 + (int)snw_random_below(&random, 30), n = 1 + (int)snw_random_below(&random, 30);
        lapack_int order[30] = {0};
        double tau[30];
        matrix_fill(a, m, n, trial % 2 ? MATRIX_LOW_RANK : MATRIX_RANDOM, &random);
        memcpy(oracle, a, sizeof a);
        snw_qr qr;
        assert_int_equal(snw_qr_factor(&qr, a, m, n, pivots, work), SNW_OK);
        assert_int_equal(LAPACKE_dgeqp3(LAPACK_ROW_MAJOR, m, n, oracle, n, order, tau), 0);
        int rank = snw_qr_rank(&qr, 1e-12);
        if (trial % 2) assert_true(rank <= 1 + (m < n ? m : n) / 3);
        for (int k = 0; k < rank; k++) {
            assert_int_equal(pivots[k], order[k] - 1);
            check_near(fabs(a[k * n + k]), fabs(oracle[k * n + k]), 1e-13 * fabs(a[0]));
        }
    }
}

static void qr_solves_least_squares_of_any_rank(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(48, 1);
    for (int trial = 0; trial < CHECK_SAMPLES(300); trial++) {
        int m = 1 + (int)snw_random_below(&random, 20), n = 1 + (int)snw_random_below(&random, 20);
        double sigma[20], left[400], right[400];
        matrix_fill(a, m, n, trial % 2 ? MATRIX_LOW_RANK : MATRIX_RANDOM, &random);
        memcpy(kept, a, sizeof a);
        fill_right_side(m, &random);
        snw_qr qr;
        assert_int_equal(snw_qr_factor(&qr, a, m, n, pivots, work), SNW_OK);
        assert_int_equal(snw_qr_solve(&qr, 1e-12, y, x), SNW_OK);
        snw_svd svd = {0, 0, sigma, left, right};
        assert_int_equal(snw_svd_factor(&svd, kept, m, n), SNW_OK);
        int rank = snw_svd_rank(&svd, 1e-12), nonzero = 0;
        assert_int_equal(snw_qr_rank(&qr, 1e-12), rank);
        for (int j = 0; j < n; j++)
            nonzero += x[j] != 0;
        assert_true(nonzero <= rank);
        /* What is left over is orthogonal to every column: A^T (A x - b) = 0. */
        double size = (double)matrix_norm(kept, m * n), length = (double)matrix_norm(x, n);
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < m; i++) {
                double rest = -b[i];
                for (int k = 0; k < n; k++)
                    rest += kept[i * n + k] * x[k];
                sum += kept[i * n + j] * rest;
            }
            check_near(sum, 0, 1e-13 * size * (size * length + 5));
        }
    }
}

static void qr_refuses_bad_input(void **state)
{
    (void)state;
    double bad[2] = {1, NAN}, fine[1] = {1e-300}, right[1] = {1e300}, answer[1];
    snw_qr qr;
    assert_int_equal(snw_qr_factor(&qr, bad, 2, 1, pivots, work), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_qr_factor(&qr, bad, -1, 1, pivots, work), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_qr_work_size(-1, 3), 0);
    assert_int_equal(snw_qr_factor(&qr, fine, 1, 1, pivots, work), SNW_OK);
    assert_int_equal(snw_qr_solve(&qr, 0, right, answer), SNW_SINGULAR);
    check_near(answer[0], 0, 0);
    right[0] = INFINITY;
    assert_int_equal(snw_qr_solve(&qr, 0, right, answer), SNW_INVALID_ARGUMENT);
    check_near(answer[0], 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cholesky_factors_equal_lapack_and_solve),
        cmocka_unit_test(cholesky_refuses_what_is_not_positive_definite),
        cmocka_unit_test(cholesky_solves_hilbert_while_it_can),
        cmocka_unit_test(ldlt_solves_every_regular_kind),
        cmocka_unit_test(ldlt_agrees_with_lapack),
        cmocka_unit_test(ldlt_handles_the_smallest_cases),
        cmocka_unit_test(qr_reproduces_every_kind_and_shape),
        cmocka_unit_test(qr_diagonal_agrees_with_lapack),
        cmocka_unit_test(qr_solves_least_squares_of_any_rank),
        cmocka_unit_test(qr_refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

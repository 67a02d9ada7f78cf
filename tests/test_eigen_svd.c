/* Jacobi eigenvalues, singular values, truncated solve and pseudo-inverse against LAPACK, closed
 * forms and the definitions. Tolerances are multiples of n * 2^-52: Jacobi's error grows like a
 * small multiple of n. */
#include "matrices.h"

#include <float.h>
#include <lapacke.h>

static const int sizes[] = {0, 1, 2, 3, 4, 5, 8, 17, 40, 80};
enum {
    size_count = sizeof sizes / sizeof sizes[0]
};

static double buffer[12][MATRIX_MOST * MATRIX_MOST];

/* ---- eigenvalues -------------------------------------------------------------------------- */

static void check_eigen(const double *a, int n, const double *values, const double *vectors)
{
    double tolerance = 4 * DBL_EPSILON * (n + 2);
    assert_true(matrix_orthonormality(vectors, n, n) <= tolerance);
    long double norm = matrix_norm(a, n * n);
    for (int i = 0; i < n; i++) {
        assert_true(i == 0 || values[i] <= values[i - 1]);
        for (int r = 0; r < n; r++) {
            long double left = -(long double)values[i] * vectors[i * n + r];
            for (int c = 0; c < n; c++)
                left += (long double)a[r * n + c] * vectors[i * n + c];
            /* 5e-324: nothing below it can be stored. */
            assert_true(fabsl(left) <= tolerance * norm + 5e-324L * n);
        }
    }
}

static void eigenvalues_agree_with_lapack_on_all_kinds(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(31, 1);
    for (int kind = 0; kind < MATRIX_KIND_COUNT; kind++)
        for (int s = 0; s < size_count; s++) {
            int n = sizes[s];
            double *a = buffer[0], *work = buffer[1], *vectors = buffer[2], *oracle = buffer[3];
            double values[MATRIX_MOST + 1], alone[MATRIX_MOST + 1], expected[MATRIX_MOST + 1];
            matrix_fill_symmetric(a, n, (matrix_kind)kind, &random);
            memcpy(work, a, sizeof buffer[0]);
            assert_int_equal(snw_eigen_symmetric(work, n, values, vectors), SNW_OK);
            check_eigen(a, n, values, vectors);
            memcpy(work, a, sizeof buffer[0]);
            assert_int_equal(snw_eigen_symmetric(work, n, alone, NULL), SNW_OK);
            if (n == 0) continue;
            memcpy(oracle, a, sizeof buffer[0]);
            assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'L', n, oracle, n, expected), 0);
            double scale = fmax(fabs(expected[0]), fabs(expected[n - 1]));
            for (int i = 0; i < n; i++) {
                check_near(values[i], expected[n - 1 - i],
                           8 * DBL_EPSILON * (n + 2) * scale + 2e-323);
                check_near(alone[i], values[i], 0);
            }
        }
}

static void only_the_lower_triangle_is_read(void **state)
{
    (void)state;
    double a[9] = {2, NAN, INFINITY, 1, 3, NAN, 0, 1, 2}, values[3];
    assert_int_equal(snw_eigen_symmetric(a, 3, values, NULL), SNW_OK);
    /* Characteristic polynomial (2 - x)((3 - x)(2 - x) - 2): roots 1, 2, 4. */
    check_near(values[0], 4, 4e-15);
    check_near(values[1], 2, 4e-15);
    check_near(values[2], 1, 4e-15);
}

/* D (I + 0.1 ones) D with D over 60 decades, A over 120: lambda = sigma(D L)^2 relative to itself.
 */
static void graded_positive_definite_keeps_relative_accuracy(void **state)
{
    (void)state;
    enum {
        n = 7
    };
    double a[n * n], l[n * n], values[n], left[n * n], right[n * n], sigma[n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            l[i * n + j] = (i == j) + 0.1;
    assert_int_equal(snw_cholesky_factor(l, n), SNW_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double di = pow(10, 30 - 10 * i), dj = pow(10, 30 - 10 * j);
            a[i * n + j] = ((i == j) + 0.1) * di * dj;
            l[i * n + j] = j <= i ? l[i * n + j] * di : 0;
        }
    double transposed[n * n];
    for (int i = 0; i < n * n; i++)
        transposed[i] = l[i % n * n + i / n];
    snw_svd svd = {0, 0, sigma, left, right};
    assert_int_equal(snw_svd_factor(&svd, transposed, n, n), SNW_OK);
    assert_int_equal(snw_eigen_symmetric(a, n, values, NULL), SNW_OK);
    for (int i = 0; i < n; i++)
        check_near(values[i] / (sigma[i] * sigma[i]), 1, 1e-14);
}

/* ---- singular values ---------------------------------------------------------------------- */

static void check_svd(const double *a, const snw_svd *svd)
{
    int m = svd->rows, n = svd->columns, k = m < n ? m : n;
    double tolerance = 4 * DBL_EPSILON * ((m > n ? m : n) + 2);
    assert_true(matrix_orthonormality(svd->left, k, m) <= tolerance);
    assert_true(matrix_orthonormality(svd->right, k, n) <= tolerance);
    for (int i = 0; i < k; i++)
        assert_true(svd->sigma[i] >= 0 && (i == 0 || svd->sigma[i] <= svd->sigma[i - 1]));
    long double sum = 0;
    for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++) {
            long double left = -(long double)a[r * n + c];
            for (int i = 0; i < k; i++)
                left += (long double)svd->left[i * m + r] * svd->sigma[i] * svd->right[i * n + c];
            sum += left * left;
        }
    assert_true(sqrtl(sum) <= tolerance * matrix_norm(a, m * n) + 5e-324L * m * n);
}

static void singular_values_agree_with_lapack_on_all_kinds_and_shapes(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(32, 1);
    for (int kind = 0; kind < MATRIX_KIND_COUNT; kind++)
        for (int s = 0; s < size_count; s++)
            for (int t = 0; t < size_count; t++) {
                int m = sizes[s], n = sizes[t], k = m < n ? m : n;
                if (m + n > 100 && m != n && kind % 3 != s % 3) continue; /* time */
                double sigma[MATRIX_MOST], expected[MATRIX_MOST], spare[MATRIX_MOST];
                snw_svd svd = {0, 0, sigma, buffer[1], buffer[2]};
                matrix_fill(buffer[0], m, n, (matrix_kind)kind, &random);
                assert_int_equal(snw_svd_factor(&svd, buffer[0], m, n), SNW_OK);
                check_svd(buffer[0], &svd);
                if (k == 0) continue;
                memcpy(buffer[3], buffer[0], sizeof buffer[0]);
                assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', m, n, buffer[3], n,
                                                expected, NULL, m, NULL, n, spare),
                                 0);
                for (int i = 0; i < k; i++)
                    check_near(sigma[i], expected[i],
                               8 * DBL_EPSILON * (m + n) * expected[0] + 2e-323);
            }
}

/* A = Q D with orthonormal Q has exactly the entries of D as singular values, however graded. */
static void graded_columns_keep_relative_accuracy(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(33, 1);
    for (int trial = 0; trial < 20; trial++) {
        int m = 12, n = 8;
        double sigma[12], left[144], right[144], d[8], a[96], wide[96], known[8];
        snw_svd q = {0, 0, sigma, left, right};
        matrix_fill(a, m, n, MATRIX_RANDOM, &random);
        assert_int_equal(snw_svd_factor(&q, a, m, n), SNW_OK);
        for (int j = 0; j < n; j++)
            d[j] = pow(10, 60 - 15 * ((j * 3 + trial) % n)) * snw_random_range(&random, 1, 2);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                a[i * n + j] = left[j * m + i] * d[j];
                wide[j * m + i] = a[i * n + j];
            }
        memcpy(known, d, sizeof d);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                if (known[j] > known[i]) {
                    double kept = known[i];
                    known[i] = known[j];
                    known[j] = kept;
                }
        assert_int_equal(snw_svd_factor(&q, a, m, n), SNW_OK);
        for (int i = 0; i < n; i++)
            check_near(sigma[i] / known[i], 1, 1e-14);
        assert_int_equal(snw_svd_factor(&q, wide, n, m), SNW_OK);
        for (int i = 0; i < n; i++)
            check_near(sigma[i] / known[i], 1, 1e-14);
    }
}

static void rank_is_counted_by_the_relative_threshold(void **state)
{
    (void)state;
    double sigma[4] = {8, 4, 1e-20, 0}, none[1];
    snw_svd svd = {4, 5, sigma, NULL, NULL};
    assert_int_equal(snw_svd_rank(&svd, snw_rank_threshold(4, 5)), 2);
    assert_int_equal(snw_svd_rank(&svd, 0), 3);
    assert_int_equal(snw_svd_rank(&svd, 0.5), 1);
    assert_int_equal(snw_svd_rank(&svd, 1), 0);
    snw_svd empty = {0, 3, none, none, none};
    assert_int_equal(snw_svd_rank(&empty, 0), 0);
}

/* ---- pseudo-inverse ----------------------------------------------------------------------- */

/* c (m x n) = a (m x k) b (k x n) */
static void multiply(const double *a, const double *b, double *c, int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            long double sum = 0;
            for (int p = 0; p < k; p++)
                sum += (long double)a[i * k + p] * b[p * n + j];
            c[i * n + j] = (double)sum;
        }
}

static void pseudo_inverse_meets_the_four_penrose_conditions(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(34, 1);
    static const int shapes[][2] = {{1, 1}, {1, 6}, {6, 1}, {3, 3}, {7, 4}, {4, 7}, {20, 30}};
    static const matrix_kind kinds[] = {MATRIX_RANDOM, MATRIX_LOW_RANK, MATRIX_ZERO, MATRIX_ONES,
                                        MATRIX_DIAGONAL};
    for (int trial = 0; trial < 7 * 5 * 4; trial++) {
        int m = shapes[trial % 7][0], n = shapes[trial % 7][1];
        double sigma[MATRIX_MOST], *a = buffer[0], *p = buffer[3];
        double *ap = buffer[4], *pa = buffer[5], *apa = buffer[6], *pap = buffer[7];
        snw_svd svd = {0, 0, sigma, buffer[1], buffer[2]};
        matrix_fill(a, m, n, kinds[trial / 7 % 5], &random);
        assert_int_equal(snw_svd_factor(&svd, a, m, n), SNW_OK);
        double threshold = 8 * snw_rank_threshold(m, n);
        assert_int_equal(snw_svd_pseudo_inverse(&svd, threshold, p), SNW_OK);
        multiply(a, p, ap, m, n, m);
        multiply(p, a, pa, n, m, n);
        multiply(ap, a, apa, m, m, n);
        multiply(pa, p, pap, n, n, m);
        /* Errors grow with the condition number of the part that is kept. */
        int rank = snw_svd_rank(&svd, threshold);
        double condition = rank ? sigma[0] / sigma[rank - 1] : 1, tolerance = 1e-14 * condition;
        double size_p = rank ? 1 / sigma[rank - 1] : 0;
        for (int i = 0; i < m * n; i++) {
            check_near(apa[i], a[i], tolerance * (1 + sigma[0]));
            check_near(pap[i], p[i], tolerance * (1 + size_p));
        }
        for (int i = 0; i < m * m; i++)
            check_near(ap[i], ap[i % m * m + i / m], tolerance);
        for (int i = 0; i < n * n; i++)
            check_near(pa[i], pa[i % n * n + i / n], tolerance);
    }
}

static void truncated_solve_is_the_shortest_least_squares_answer(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(35, 1);
    for (int trial = 0; trial < CHECK_SAMPLES(300); trial++) {
        int m = 1 + (int)snw_random_below(&random, 20), n = 1 + (int)snw_random_below(&random, 20);
        double sigma[20], b[20], x[20], oracle[20], spare[20];
        snw_svd svd = {0, 0, sigma, buffer[1], buffer[2]};
        matrix_fill(buffer[0], m, n, trial % 2 ? MATRIX_LOW_RANK : MATRIX_RANDOM, &random);
        for (int i = 0; i < 20; i++)
            oracle[i] = b[i] = snw_random_normal(&random);
        assert_int_equal(snw_svd_factor(&svd, buffer[0], m, n), SNW_OK);
        assert_int_equal(snw_svd_solve(&svd, 1e-12, b, x), SNW_OK);
        memcpy(buffer[3], buffer[0], sizeof buffer[0]);
        int rank;
        assert_int_equal(
            LAPACKE_dgelss(LAPACK_ROW_MAJOR, m, n, 1, buffer[3], n, oracle, 1, spare, 1e-12, &rank),
            0);
        assert_int_equal(snw_svd_rank(&svd, 1e-12), rank);
        double condition = sigma[0] / sigma[rank - 1];
        for (int j = 0; j < n; j++) /* least squares: condition squared */
            check_near(x[j], oracle[j], 1e-14 * condition * (condition + 1 / sigma[0]));
    }
}

/* ---- bad input ---------------------------------------------------------------------------- */

static void entries_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    double sigma[3], left[9], right[9], values[3];
    for (int n = 0; n < 9 * 3; n++) {
        double a[9] = {2, 1, 0, 1, 3, 1, 0, 1, 2};
        a[n % 9] = bad[n / 9];
        snw_svd svd = {0, 0, sigma, left, right};
        assert_int_equal(snw_svd_factor(&svd, a, 3, 3), SNW_INVALID_ARGUMENT);
        bool is_lower = n % 9 % 3 <= n % 9 / 3;
        assert_int_equal(snw_eigen_symmetric(a, 3, values, NULL),
                         is_lower ? SNW_INVALID_ARGUMENT : SNW_OK);
    }
    double a[1] = {2}, b[1] = {NAN}, x[1];
    snw_svd svd = {0, 0, sigma, left, right};
    assert_int_equal(snw_svd_factor(&svd, a, -1, 1), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_eigen_symmetric(a, -1, values, NULL), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_svd_factor(&svd, a, 1, 1), SNW_OK);
    assert_int_equal(snw_svd_solve(&svd, 0, b, x), SNW_INVALID_ARGUMENT);
    check_near(x[0], 0, 0);
    a[0] = 1e-300;
    b[0] = 1e300;
    assert_int_equal(snw_svd_factor(&svd, a, 1, 1), SNW_OK);
    assert_int_equal(snw_svd_solve(&svd, 0, b, x), SNW_SINGULAR);
    check_near(x[0], 0, 0);
    double big[4] = {1.5e308, 1.5e308, 1.5e308, 1.5e308};
    assert_int_equal(snw_svd_factor(&svd, big, 2, 2), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_eigen_symmetric(big, 2, values, NULL), SNW_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_agree_with_lapack_on_all_kinds),
        cmocka_unit_test(only_the_lower_triangle_is_read),
        cmocka_unit_test(graded_positive_definite_keeps_relative_accuracy),
        cmocka_unit_test(singular_values_agree_with_lapack_on_all_kinds_and_shapes),
        cmocka_unit_test(graded_columns_keep_relative_accuracy),
        cmocka_unit_test(rank_is_counted_by_the_relative_threshold),
        cmocka_unit_test(pseudo_inverse_meets_the_four_penrose_conditions),
        cmocka_unit_test(truncated_solve_is_the_shortest_least_squares_answer),
        cmocka_unit_test(entries_that_are_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

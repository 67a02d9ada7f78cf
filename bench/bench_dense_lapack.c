/* Microseconds per call of the dense kernels beside LAPACK's on the same matrices, at the sizes of
 * inverse kinematics. Prints the best of several rounds of each and the ratio (above 1: Sinew is
 * faster). Run with OPENBLAS_NUM_THREADS=1 to compare one core with one core. */
#include <lapacke.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <sinew/sinew.h>

enum {
    most = 80,
    round_count = 7
};

/* One problem: a general matrix (rows x columns), a definite one (columns x columns), and room for
 * whatever a kernel writes. */
typedef struct bench_problem {
    int rows, columns;
    double general[most * most], definite[most * most], right_side[most];
    double copy[most * most], x[most], sigma[most], left[most * most], right[most * most];
    double work[4 * most];
    int pivots[most];
} bench_problem;

typedef void bench_kernel(bench_problem *p);

static void copy_definite(bench_problem *p)
{
    memcpy(p->copy, p->definite, sizeof(double) * (size_t)(p->columns * p->columns));
    memcpy(p->x, p->right_side, sizeof p->x);
}

static void copy_general(bench_problem *p)
{
    memcpy(p->copy, p->general, sizeof(double) * (size_t)(p->rows * p->columns));
}

static void sinew_cholesky(bench_problem *p)
{
    copy_definite(p);
    snw_cholesky_factor(p->copy, p->columns);
    snw_cholesky_solve(p->copy, p->columns, p->x);
}

static void lapack_cholesky(bench_problem *p)
{
    copy_definite(p);
    LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', p->columns, 1, p->copy, p->columns, p->x, p->columns);
}

static void sinew_ldlt(bench_problem *p)
{
    copy_definite(p);
    snw_ldlt_factor(p->copy, p->columns, p->pivots);
    snw_ldlt_solve(p->copy, p->columns, p->pivots, p->x);
}

static void lapack_ldlt(bench_problem *p)
{
    copy_definite(p);
    LAPACKE_dsysv_work(LAPACK_COL_MAJOR, 'L', p->columns, 1, p->copy, p->columns, p->pivots, p->x,
                       p->columns, p->left, most * most);
}

static void sinew_qr(bench_problem *p)
{
    snw_qr qr;
    copy_general(p);
    snw_qr_factor(&qr, p->copy, p->rows, p->columns, p->pivots, p->work);
}

static void lapack_qr(bench_problem *p)
{
    copy_general(p);
    memset(p->pivots, 0, sizeof p->pivots);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, p->rows, p->columns, p->copy, p->rows, p->pivots, p->work,
                        p->left, most * most);
}

static void sinew_eigen(bench_problem *p)
{
    copy_definite(p);
    snw_eigen_symmetric(p->copy, p->columns, p->sigma, p->left);
}

static void lapack_eigen(bench_problem *p)
{
    copy_definite(p);
    LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', p->columns, p->copy, p->columns, p->sigma,
                       p->left, most * most);
}

static void sinew_svd(bench_problem *p)
{
    snw_svd svd = {0, 0, p->sigma, p->left, p->right};
    snw_svd_factor(&svd, p->general, p->rows, p->columns);
}

static void lapack_svd(bench_problem *p)
{
    static double work[most * most];
    int least = p->rows < p->columns ? p->rows : p->columns;
    copy_general(p);
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'S', 'S', p->rows, p->columns, p->copy, p->rows, p->sigma,
                        p->left, p->rows, p->right, least, work, most * most);
}

static double now_us(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double best_us(bench_kernel *kernel, bench_problem *p)
{
    double best = 1e300;
    int calls = 200000 / (p->columns * p->columns * p->rows) + 2;
    for (int round = 0; round < round_count; round++) {
        double start = now_us();
        for (int i = 0; i < calls; i++)
            kernel(p);
        double each = (now_us() - start) / calls;
        best = each < best ? each : best;
    }
    return best;
}

static void fill(bench_problem *p, int rows, int columns, snw_random *random)
{
    p->rows = rows;
    p->columns = columns;
    for (int i = 0; i < most * most; i++)
        p->general[i] = snw_random_normal(random);
    for (int i = 0; i < columns; i++) {
        p->right_side[i] = snw_random_normal(random);
        for (int j = 0; j < columns; j++) {
            double sum = i == j;
            for (int k = 0; k < columns; k++)
                sum += p->general[i * columns + k] * p->general[j * columns + k];
            p->definite[i * columns + j] = sum;
        }
    }
}

int main(void)
{
    static const struct {
        const char *name;
        bench_kernel *sinew, *lapack;
    } kernels[] = {
        {"cholesky + solve", sinew_cholesky, lapack_cholesky},
        {"ldlt + solve", sinew_ldlt, lapack_ldlt},
        {"pivoted qr", sinew_qr, lapack_qr},
        {"eigen, vectors", sinew_eigen, lapack_eigen},
        {"svd, vectors", sinew_svd, lapack_svd},
    };
    static const int shapes[][2] = {{3, 3},  {4, 4},   {6, 6},   {6, 20},
                                    {6, 80}, {20, 20}, {40, 40}, {80, 80}};
    static bench_problem problem;
    snw_random random = snw_random_seed(1, 1);
    printf("%-18s %9s %10s %10s %7s\n", "kernel", "shape", "sinew us", "lapack us", "ratio");
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            /* Only QR and SVD care for the rows. */
            if (shapes[s][0] != shapes[s][1] && k < 4 && k != 2) continue;
            fill(&problem, shapes[s][0], shapes[s][1], &random);
            double sinew = best_us(kernels[k].sinew, &problem);
            double lapack = best_us(kernels[k].lapack, &problem);
            printf("%-18s %4dx%-4d %10.3f %10.3f %7.2f\n", kernels[k].name, problem.rows,
                   problem.columns, sinew, lapack, lapack / sinew);
        }
    return 0;
}

/* The sparse factor against LAPACK's dense one, on random matrices and on the Laplacian of grids.
 */
#include <lapacke.h>

#include "check.h"

#include "math/sparse.h"

enum {
    MOST = 400
};

typedef struct matrix {
    int n, start[MOST + 1], row[20 * MOST];
    double value[20 * MOST], dense[MOST * MOST];
} matrix;

/* Column by column from the dense one. */
static void take_lower(matrix *m)
{
    int at = 0;
    for (int j = 0; j < m->n; j++) {
        m->start[j] = at;
        for (int i = j; i < m->n; i++)
            if (i == j || fabs(m->dense[i * m->n + j]) > 0) {
                m->row[at] = i;
                m->value[at++] = m->dense[i * m->n + j];
            }
    }
    m->start[m->n] = at;
}

static void join(matrix *m, int i, int j, double weight)
{
    m->dense[i * m->n + j] -= weight;
    m->dense[j * m->n + i] -= weight;
    m->dense[i * m->n + i] += weight;
    m->dense[j * m->n + j] += weight;
}

/* A grid, a path, a star, unconnected pieces, or any pairs. */
static void make(matrix *m, int shape, int n, snw_random *random)
{
    memset(m, 0, sizeof *m);
    m->n = n;
    int side = (int)sqrt((double)n);
    for (int v = 0; v < n; v++) {
        m->dense[v * n + v] += shape == 4 ? 1 : 0.01;
        if (shape == 0 && v % side + 1 < side && v + 1 < n) join(m, v, v + 1, 1);
        if (shape == 0 && v + side < n) join(m, v, v + side, 2);
        if (shape == 1 && v + 1 < n) join(m, v, v + 1, 1);
        if (shape == 2 && v) join(m, 0, v, 0.5);
        if (shape == 3 && v % 7 && v + 1 < n) join(m, v, v - 1, 3);
        if (shape == 4 && v) join(m, v, (int)snw_random_below(random, (uint32_t)v), 1);
        if (shape == 4 && v > 2) join(m, v, (int)snw_random_below(random, (uint32_t)v), 1);
    }
}

static void sparse_and_dense_solutions_are_one(void **state)
{
    (void)state;
    static matrix m;
    snw_random random = snw_random_seed(27, 9);
    for (int shape = 0; shape < 5; shape++)
        for (int n = 1; n <= MOST; n = n * 2 + 3) {
            make(&m, shape, n, &random);
            /* Joining at random may give more entries than there is room for. */
            take_lower(&m);
            snw__sparse a = {n, m.start, m.row, m.value};
            snw__sparse_factor factor;
            double x[MOST], y[MOST];
            for (int v = 0; v < n; v++)
                x[v] = y[v] = snw_random_normal(&random);
            assert_int_equal(snw__sparse_factor_create(&a, NULL, &factor, NULL), SNW_OK);
            snw__sparse_solve(&factor, x);
            snw__sparse_factor_release(&factor);
            assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, 1, m.dense, n, y, 1), 0);
            /* Condition up to 1e4: 1e-16 x 1e4 x some hundred rows. */
            for (int v = 0; v < n; v++)
                check_near(x[v], y[v], 1e-9);
        }
}

static void what_is_not_definite_is_refused(void **state)
{
    (void)state;
    static matrix m;
    snw_random random = snw_random_seed(27, 9);
    snw__sparse_factor factor;
    snw_error error;
    make(&m, 0, 49, &random);
    m.dense[0] = -1;
    take_lower(&m);
    snw__sparse a = {49, m.start, m.row, m.value};
    assert_int_equal(snw__sparse_factor_create(&a, NULL, &factor, &error), SNW_SINGULAR);
    for (long n = 0; n < 3; n++) {
        counting_allocator counter = {0, 0, 0, n};
        snw_allocator allocator = counting_hook(&counter);
        make(&m, 0, 49, &random);
        take_lower(&m);
        assert_int_equal(snw__sparse_factor_create(&a, &allocator, &factor, &error),
                         SNW_OUT_OF_MEMORY);
        assert_int_equal(counter.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_and_dense_solutions_are_one),
        cmocka_unit_test(what_is_not_definite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sparse symmetric positive definite systems: A = L D L^T with an order that keeps L sparse.
 * Internal.
 *
 *     snw__sparse a;                       lower triangle by columns, diagonal first
 *     snw__sparse_factor factor;
 *     status = snw__sparse_factor_create(&a, allocator, &factor, error);
 *     snw__sparse_solve(&factor, x);       x: right side in, solution out; any number of times
 *     snw__sparse_factor_release(&factor);
 *
 * For meshes: a surface of n vertices fills about 30 n numbers of L. */
#ifndef SNW_MATH_SPARSE_H
#define SNW_MATH_SPARSE_H

#include <sinew/base.h>

/* Column j holds row[start[j]] .. row[start[j + 1] - 1], all >= j, the diagonal among them, none
 * twice, in any order. */
typedef struct snw__sparse {
    int n;
    const int *start; /* (n + 1) */
    const int *row;
    const double *value;
} snw__sparse;

typedef struct snw__sparse_factor {
    int n;
    int *order;    /* (n) which row of A comes where */
    int *start;    /* (n + 1) of L by columns, without its diagonal of ones */
    int *row;      /* (start[n]) */
    double *value; /* (start[n]) */
    double *diagonal;
    double *work; /* (n) for solving */
    snw_allocator allocator;
    size_t size, entry_size; /* of the two blocks */
} snw__sparse_factor;

/* SNW_SINGULAR where a pivot is not above the round-off of its diagonal. */
snw_status snw__sparse_factor_create(const snw__sparse *a, const snw_allocator *allocator,
                                     snw__sparse_factor *factor, snw_error *error);
void snw__sparse_factor_release(snw__sparse_factor *factor);
/* Not for several threads at once: the factor has the room for the work. */
void snw__sparse_solve(snw__sparse_factor *factor, double *x);

#endif

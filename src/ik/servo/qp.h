/* A small strictly convex quadratic program, solved without taking memory. Internal to ik.
 *
 *     min 1/2 x^T H x + f^T x   where   low <= x <= high,  row x >= least,  equal rows row x =
 * least
 *
 * by the dual active-set method of Goldfarb & Idnani (1983, "A numerically stable dual method for
 * solving strictly convex quadratic programs"): from the minimum without constraints, violated ones
 * are added one at a time, and those that no longer push are dropped, each by rotations of the
 * factors. No first feasible point is needed, an answer without active constraints costs one
 * factorization, and rows may be added to a solved program, which goes on from where it was. */
#ifndef SNW_IK_QP_H
#define SNW_IK_QP_H

#include "base/memory.h"

typedef struct snw__qp {
    int size;      /* of x */
    int row_max;   /* rows there is room for */
    int row_count; /* rows in use; the first equal_count are equations */
    int equal_count;
    double *hessian; /* (size x size) in: H; only its lower half is read; lost in the solve */
    double *linear;  /* (size) f */
    double *low, *high;
    double *row;      /* (row_max x size) */
    double *least;    /* (row_max) */
    double *x;        /* (size) the answer */
    bool *was_active; /* (2 size) bounds that held in the last program: they are looked at first */
    /* Of the solve. */
    double *factor;     /* (size x size) columns of L^-T Q, one after the other */
    double *triangle;   /* (size x size) R, column by column */
    double *multiplier; /* (size + 1) of the active constraints */
    double *d, *z, *r;  /* (size each) */
    int *active;        /* (size) constraint: 2 i low of i, 2 i + 1 high, 2 size + k row k */
    bool *is_active;    /* (2 size + row_max) */
    bool *is_given_up;  /* (row_max) rows that cannot hold together with the others */
    int active_count;
    int given_up_count;
    bool has_factor;
} snw__qp;

void snw__qp_layout(snw__qp *qp, int size, int row_max, snw__block *block);
/* Answers; false when H was not positive definite or iterations ran out: x is then what is nearest
 * to zero inside the bounds. Bounds always hold exactly; rows that contradict bounds or rows before
 * them are given up. */
bool snw__qp_solve(snw__qp *qp);
/* Goes on after rows were added behind the others (inequalities). */
bool snw__qp_resume(snw__qp *qp);

/* Lowers what row k asks for to what the bounds alone allow; true when that was less. */
bool snw__qp_relax_row(snw__qp *qp, int k);

#endif

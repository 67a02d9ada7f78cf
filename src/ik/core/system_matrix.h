/* Symmetric matrices over the coordinates of the linear system: hessians. Internal.
 *
 * Two coordinates share an entry only where one is on the way from the root to the other: limbs
 * that end in different goals do not couple (branch-induced sparsity; Featherstone 2008, Rigid Body
 * Dynamics Algorithms, 6.5). Row c holds the coordinates above c, root first, and then c itself;
 * eliminating from the tips inwards fills nothing in. Pins, and poles over several limbs, couple
 * what they like: with them every row is a whole row of the lower triangle. */
#ifndef SNW_IK_SYSTEM_MATRIX_H
#define SNW_IK_SYSTEM_MATRIX_H

#include "ik/core/system.h"

/* Coordinates beyond which second order costs more than it brings. */
enum {
    SNW__IK_MATRIX_COLUMNS = 128
};

struct snw__ik_pattern {
    int entry_count;
    int *depth;  /* (columns) entries before the diagonal in the row; place of the column in rows */
    int *first;  /* (columns) of its row, into the entries of a matrix */
    int *column; /* (entry_count) of each entry */
    int *row_tip; /* (rows of the jacobian) the column whose row holds all that the row moves; -1 */
};

/* Twice, as methods' layouts are. NULL for a problem that is too large. */
snw__ik_pattern *snw__ik_pattern_layout(size_t rows, size_t columns, snw__block *block);
/* Room for a matrix of at most so many columns. */
double *snw__ik_matrix_layout(size_t columns, snw__block *block);
/* After the paths of the system are known. */
void snw__ik_pattern_plan(snw__ik_system *system);

/* The entry of a column and one that is above it or itself. */
static inline double *snw__ik_matrix_entry(const snw__ik_pattern *pattern, double *m, int column,
                                           int above)
{
    return &m[pattern->first[column] + pattern->depth[above]];
}

/* m += scale J^T J */
void snw__ik_matrix_add_rows(const snw__ik_system *system, double scale, double *m);
/* out = m v */
void snw__ik_matrix_multiply(const snw__ik_system *system, const double *m, const double *v,
                             double *out);
/* m = P m P, and the identity where limits hold. */
void snw__ik_matrix_project(const snw__ik_system *system, double *m);
/* The factor of m in its place, m made definite where it is not (Gill, Murray & Wright 1981,
 * Practical Optimization, 4.4.2.2): pivots count by their size, no less than `least` times the
 * largest diagonal. True when m was definite. */
bool snw__ik_matrix_factor(const snw__ik_system *system, double *m, double least);
/* v = m^-1 v */
void snw__ik_matrix_solve(const snw__ik_system *system, const double *factor, double *v);
/* Its two halves: v = L^-T v, from the tips inwards, and v = L^-1 D^-1 v, outwards. Rows of J have
 * J m^-1 J^T = Y^T D^-1 Y with Y = L^-T J^T. */
void snw__ik_matrix_solve_in(const snw__ik_system *system, const double *factor, double *v);
void snw__ik_matrix_solve_out(const snw__ik_system *system, const double *factor, double *v);
/* The first for a vector y that is nothing but on the way from the root to the column `tip`, given
 * by place on that way; so is the result. */
void snw__ik_matrix_solve_path_in(const snw__ik_system *system, const double *factor, int tip,
                                  double *y);

#endif

/* Symmetric 3x3 matrices: spectrum and outer products; and as six numbers, xx xy xz yy yz zz.
 * Internal. */
#ifndef SNW_MATH_SYMMETRIC3_H
#define SNW_MATH_SYMMETRIC3_H

#include <sinew/math.h>

/* [chosen] Condition numbers are reported up to here: infinity is no number for a report. */
#define SNW__CONDITION_MAX 1e16

/* Eigenvalues descend; vector[i] is the unit eigenvector of value[i], right-handed. */
typedef struct snw__spectrum3 {
    double value[3];
    snw_vec3 vector[3];
} snw__spectrum3;

snw__spectrum3 snw__spectrum3_of(snw_mat3 symmetric);
/* a += s v v^T */
void snw__add_outer(snw_mat3 *a, double s, snw_vec3 v);
double snw__mat3_trace(snw_mat3 a);
double snw__condition(double largest, double smallest);

/* ---- as six numbers ------------------------------------------------------------------------- */

static inline snw_vec3 snw__symmetric3_apply(const double a[6], snw_vec3 v)
{
    return snw_vec3_make(a[0] * v.x + a[1] * v.y + a[2] * v.z, a[1] * v.x + a[3] * v.y + a[4] * v.z,
                         a[2] * v.x + a[4] * v.y + a[5] * v.z);
}

/* The inverse of a positive definite matrix; false when it is singular to round-off. */
static inline bool snw__symmetric3_invert(const double a[6], double inverse[6])
{
    double c0 = a[3] * a[5] - a[4] * a[4];
    double c1 = a[2] * a[4] - a[1] * a[5];
    double c2 = a[1] * a[4] - a[2] * a[3];
    double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
    double scale = fabs(a[0]) + fabs(a[3]) + fabs(a[5]);
    if (!(determinant > 1e-14 * scale * scale * scale)) return false;
    double s = 1 / determinant;
    inverse[0] = c0 * s;
    inverse[1] = c1 * s;
    inverse[2] = c2 * s;
    inverse[3] = (a[0] * a[5] - a[2] * a[2]) * s;
    inverse[4] = (a[1] * a[2] - a[0] * a[4]) * s;
    inverse[5] = (a[0] * a[3] - a[1] * a[1]) * s;
    return true;
}

#endif

/* Leading principal components. Internal. */
#ifndef SNW_HIDDEN_PRINCIPAL_H
#define SNW_HIDDEN_PRINCIPAL_H

#include <stdbool.h>

enum {
    SNW__COMPONENTS = 20 /* at most: of a body's posture more are noise on captures of minutes */
};

/* The `count` leading eigenvectors of the symmetric a (n x n, both triangles), as orthonormal rows
 * of vectors (count x n), values descending; count <= SNW__COMPONENTS and n. work (count x n).
 * False when a is not finite. */
bool snw__principal(const double *a, int n, int count, double *values, double *vectors,
                    double *work);
/* a <- its inverse; a (n x n) symmetric positive definite, n <= SNW__COMPONENTS. */
bool snw__invert(double *a, int n);

#endif

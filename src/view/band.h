/* Symmetric positive systems whose rows reach eight places back: a path of points in space under
 * second differences. Internal. */
#ifndef SNW_VIEW_BAND_H
#define SNW_VIEW_BAND_H

#include <stdbool.h>

enum {
    SNW__BAND = 9
};

/* row[n][k] is the matrix' element (n, n - k); overwritten by its factors. x: the right side, then
 * the answer. False where the matrix is not positive. */
bool snw__band_solve(double (*row)[SNW__BAND], double *x, int count);

#endif

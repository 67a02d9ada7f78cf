#include "view/band.h"

/* L D L^T without pivots (Golub & Van Loan 2013, 4.3.5): work grows with count. Rows become those
 * of L, with the inverse of D in front. */
bool snw__band_solve(double (*row)[SNW__BAND], double *x, int count)
{
    for (int n = 0; n < count; n++) {
        int reach = n < SNW__BAND - 1 ? n : SNW__BAND - 1;
        double *own = row[n], raw[SNW__BAND]; /* of L times D */
        double pivot = own[0];
        for (int k = reach; k > 0; k--) { /* element (n, n - k), from the left */
            const double *other = row[n - k];
            double sum = own[k];
            for (int m = reach; m > k; m--)
                sum -= raw[m] * other[m - k];
            raw[k] = sum;
            own[k] = sum * other[0];
            pivot -= sum * own[k];
            x[n] -= own[k] * x[n - k];
        }
        if (!(pivot > 0)) return false;
        own[0] = 1 / pivot;
    }
    for (int n = count - 1; n >= 0; n--) {
        x[n] *= row[n][0];
        for (int k = 1; k < SNW__BAND && n + k < count; k++)
            x[n] -= row[n + k][k] * x[n + k];
    }
    return true;
}

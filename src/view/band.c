#include "view/band.h"

/* L D L^T without pivots (Golub & Van Loan 2013, 4.3.5): work grows with count. */
bool snw__band_solve(double (*row)[SNW__BAND], double *x, int count)
{
    for (int n = 0; n < count; n++) {
        int reach = n < SNW__BAND - 1 ? n : SNW__BAND - 1;
        for (int k = reach; k >= 0; k--) { /* element (n, n - k), from the left */
            int c = n - k;
            double sum = row[n][k];
            for (int m = reach; m > k; m--) { /* column n - m, left of c */
                int back = m - k;             /* c - (n - m) */
                if (back < SNW__BAND) sum -= row[n][m] * row[c][back] * row[n - m][0];
            }
            row[n][k] = k ? sum / row[c][0] : sum;
        }
        if (!(row[n][0] > 0)) return false;
        for (int k = 1; k <= reach; k++)
            x[n] -= row[n][k] * x[n - k];
    }
    for (int n = count - 1; n >= 0; n--) {
        x[n] /= row[n][0];
        for (int k = 1; k < SNW__BAND && n + k < count; k++)
            x[n] -= row[n + k][k] * x[n + k];
    }
    return true;
}

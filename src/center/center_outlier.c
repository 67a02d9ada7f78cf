/* Which residuals are outliers: a robust scale and the weight of a residual.
 *
 * The scale is a median. To need no memory that grows with the trial it is read off a histogram of
 * magnitudes whose bins are equally wide in the logarithm. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "center/center.h"

/* The histogram spans 1e-12 m to 1e1 m and more; beyond its ends everything falls in the end bins.
 * 3072 bins of 1 % reach from 1e-12 to 1.9e1. */
#define OUTLIER_SMALLEST 1e-12
#define OUTLIER_BIN_LOG  0.01

/* Huber's corner, in sigmas: 2.5 touches 1 % of normal residuals; 6 is never normal noise. */
#define OUTLIER_CORNER 2.5
#define OUTLIER_CUT    6.0

void snw__magnitudes_begin(snw__magnitudes *magnitudes)
{
    memset(magnitudes, 0, sizeof *magnitudes);
}

void snw__magnitudes_add(snw__magnitudes *magnitudes, double magnitude)
{
    double place = snw__log(fmax(magnitude, OUTLIER_SMALLEST) / OUTLIER_SMALLEST) / OUTLIER_BIN_LOG;
    magnitudes->bin[(int)fmin(place, SNW__SCALE_BINS - 1)]++;
    magnitudes->count++;
}

double snw__magnitudes_median(const snw__magnitudes *magnitudes)
{
    int below = 0;
    for (int n = 0; n < SNW__SCALE_BINS; n++) {
        below += magnitudes->bin[n];
        if (2 * (int64_t)below >= magnitudes->count && magnitudes->count > 0)
            return n == 0 ? 0 : OUTLIER_SMALLEST * snw__exp((n + 0.5) * OUTLIER_BIN_LOG);
    }
    return 0;
}

double snw__outlier_weight(double sigmas)
{
    if (sigmas <= OUTLIER_CORNER) return 1;
    return sigmas <= OUTLIER_CUT ? OUTLIER_CORNER / sigmas : 0;
}

/* Segments by spectral clustering (Kirk, O'Brien & Forsyth 2005; Ng, Jordan & Weiss 2002).
 *
 * Affinity A_ij = exp(-deviation_ij / s), 0 where two markers are hardly seen together; grouped by
 * math/spectral.h. k is where the eigenvalues fall most. */
#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/spectral.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"
#include "segment/segment_distance.h"
#include "segment/segment_methods.h"

/* Where the eigenvalues fall most, between 2 and half the markers. */
static int eigengap(const double *values, int n)
{
    int best = 1;
    double widest = 0;
    for (int k = 1; k <= n / 2; k++)
        if (values[k - 1] - values[k] > widest) {
            widest = values[k - 1] - values[k];
            best = k;
        }
    return best;
}

static snw_status cluster(snw__spectral *work, const snw__samples *samples, int wanted,
                          int *segment_of, int *segment_count, snw_error *error)
{
    int n = samples->marker_count;
    double *a = work->affinity;
    snw_status status = snw__marker_deviations(samples, a, error);
    if (status != SNW_OK) return status;
    /* The scale s is the usual noise: larger ones glue segments that move little (at 5 times it the
     * 23 segments of a dance become 13). */
    double scale = snw__usual_deviation(a, n, work->values);
    for (int i = 0; i < n * n; i++)
        a[i] = i / n == i % n ? 1 : snw__exp(-a[i] / scale);
    if (snw__spectral_decompose(work) != SNW_OK)
        return snw__fail(error, SNW_NOT_CONVERGED, "the affinities of %d markers have no spectrum",
                         n);
    int k = wanted > 0 && wanted < n ? wanted : wanted > 0 ? n : eigengap(work->values, n);
    snw__spectral_group(work, k, segment_of);
    *segment_count = snw__number_groups(segment_of, n, work->count);
    return SNW_OK;
}

snw_status snw__segments_by_spectrum(const snw__samples *samples, int wanted, int *segment_of,
                                     int *segment_count, snw_error *error)
{
    snw__spectral work = {.n = (size_t)samples->marker_count};
    snw__block block;
    snw_status status = snw__block_create(&block, snw__spectral_lay_out, &work, &samples->allocator,
                                          "the spectrum of markers", error);
    if (status != SNW_OK) return status;
    status = cluster(&work, samples, wanted, segment_of, segment_count, error);
    snw__block_release(&samples->allocator, &block);
    return status;
}

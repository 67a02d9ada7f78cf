/* Segments by spectral clustering (Kirk, O'Brien & Forsyth 2005; Ng, Jordan & Weiss 2002).
 *
 * Affinity A_ij = exp(-deviation_ij / s), 0 where two markers are hardly seen together. Of
 * N = D^-1/2 A D^-1/2 (so L_sym = I - N) the k largest eigenvectors are taken, rows scaled to unit
 * length, and grouped by k-means. k is where the eigenvalues fall most. The start of k-means is the
 * farthest-first choice from the marker with the largest degree, so the result is always the same.
 */
#include <stdlib.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"
#include "segment/segment_distance.h"
#include "segment/segment_methods.h"

typedef struct spectral_work {
    size_t n;          /* markers */
    double *deviation; /* (n x n), then N, destroyed by the eigenvalues */
    double *values;    /* (n) */
    double *vectors;   /* (n x n) row i is the eigenvector of values[i] */
    double *row;       /* (n x n) row m: marker m in k coordinates, unit */
    double *mean;      /* (n x n) row c: centre of cluster c */
    double *degree;    /* (n) */
    int *count;        /* (n) */
} spectral_work;

static void lay_out(void *object, snw__block *block)
{
    spectral_work *work = object;
    size_t n = work->n;
    size_t square = snw__size_mul(n, n);
    work->deviation = snw__block_take(block, square, sizeof(double));
    work->values = snw__block_take(block, n, sizeof(double));
    work->vectors = snw__block_take(block, square, sizeof(double));
    work->row = snw__block_take(block, square, sizeof(double));
    work->mean = snw__block_take(block, square, sizeof(double));
    work->degree = snw__block_take(block, n, sizeof(double));
    work->count = snw__block_take(block, n, sizeof(int));
}

/* Deviations to N. */
static void normalise(spectral_work *work, int n, double scale)
{
    for (int a = 0; a < n; a++) {
        work->degree[a] = 0;
        for (int b = 0; b < n; b++) {
            double *entry = work->deviation + a * n + b;
            *entry = a == b ? 1 : snw__exp(-*entry / scale);
            work->degree[a] += *entry;
        }
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            work->deviation[a * n + b] /= sqrt(work->degree[a] * work->degree[b]);
}

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

static void embed(spectral_work *work, int n, int k)
{
    for (int m = 0; m < n; m++) {
        double length2 = 0;
        for (int c = 0; c < k; c++) {
            work->row[m * k + c] = work->vectors[c * n + m];
            length2 += work->row[m * k + c] * work->row[m * k + c];
        }
        for (int c = 0; c < k && length2 > 0; c++)
            work->row[m * k + c] /= sqrt(length2);
    }
}

static double distance2(const double *a, const double *b, int k)
{
    double sum = 0;
    for (int c = 0; c < k; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/* The centre nearest to a marker among the first `centers`, and how far it is. */
static int nearest_center(const spectral_work *work, int k, int centers, int marker, double *far2)
{
    int best = 0;
    *far2 = HUGE_VAL;
    for (int c = 0; c < centers; c++) {
        double d = distance2(work->row + marker * k, work->mean + c * k, k);
        if (d >= *far2) continue;
        *far2 = d;
        best = c;
    }
    return best;
}

static void choose_start(spectral_work *work, int n, int k)
{
    int next = 0;
    for (int m = 1; m < n; m++)
        if (work->degree[m] > work->degree[next]) next = m;
    for (int c = 0; c < k; c++) {
        memcpy(work->mean + c * k, work->row + next * k, (size_t)k * sizeof(double));
        double farthest = -1;
        for (int m = 0; m < n; m++) {
            double far2;
            nearest_center(work, k, c + 1, m, &far2);
            if (far2 <= farthest) continue;
            farthest = far2;
            next = m;
        }
    }
}

/* Means of the clusters; an empty one keeps its place. */
static void move_centers(spectral_work *work, int n, int k, const int *segment_of)
{
    memset(work->count, 0, (size_t)k * sizeof(int));
    for (int m = 0; m < n; m++)
        work->count[segment_of[m]]++;
    for (int c = 0; c < k; c++)
        if (work->count[c]) memset(work->mean + c * k, 0, (size_t)k * sizeof(double));
    for (int m = 0; m < n; m++)
        for (int c = 0; c < k; c++)
            work->mean[segment_of[m] * k + c] += work->row[m * k + c] / work->count[segment_of[m]];
}

static void group(spectral_work *work, int n, int k, int *segment_of)
{
    choose_start(work, n, k);
    for (int m = 0; m < n; m++)
        segment_of[m] = -1;
    for (int round = 0; round < SNW__ROUNDS_MAX; round++) {
        bool has_changed = false;
        for (int m = 0; m < n; m++) {
            double far2;
            int home = nearest_center(work, k, k, m, &far2);
            has_changed |= home != segment_of[m];
            segment_of[m] = home;
        }
        if (!has_changed) return;
        move_centers(work, n, k, segment_of);
    }
}

static snw_status cluster(spectral_work *work, const snw__samples *samples, int wanted,
                          int *segment_of, int *segment_count, snw_error *error)
{
    int n = samples->marker_count;
    snw_status status = snw__marker_deviations(samples, work->deviation, error);
    if (status != SNW_OK) return status;
    normalise(work, n, SPECTRAL_SCALE * snw__usual_deviation(work->deviation, n, work->values));
    if (snw_eigen_symmetric(work->deviation, n, work->values, work->vectors) != SNW_OK)
        return snw__fail(error, SNW_NOT_CONVERGED, "the affinities of %d markers have no spectrum",
                         n);
    int k = wanted > 0 && wanted < n ? wanted : wanted > 0 ? n : eigengap(work->values, n);
    embed(work, n, k);
    group(work, n, k, segment_of);
    *segment_count = snw__number_groups(segment_of, n, work->count);
    return SNW_OK;
}

snw_status snw__segments_by_spectrum(const snw__samples *samples, int wanted, int *segment_of,
                                     int *segment_count, snw_error *error)
{
    spectral_work work = {.n = (size_t)samples->marker_count};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &work, &samples->allocator,
                                          "the spectrum of markers", error);
    if (status != SNW_OK) return status;
    status = cluster(&work, samples, wanted, segment_of, segment_count, error);
    snw__block_release(&samples->allocator, &block);
    return status;
}

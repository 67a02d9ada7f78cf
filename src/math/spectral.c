/* Spectral clustering: spectral.h says how. */
#include "math/spectral.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "math/tolerance.h"

void snw__spectral_lay_out(void *spectral, snw__block *block)
{
    snw__spectral *work = spectral;
    size_t n = work->n;
    size_t square = snw__size_mul(n, n);
    work->affinity = snw__block_take(block, square, sizeof(double));
    work->values = snw__block_take(block, n, sizeof(double));
    work->vectors = snw__block_take(block, square, sizeof(double));
    work->row = snw__block_take(block, square, sizeof(double));
    work->mean = snw__block_take(block, square, sizeof(double));
    work->degree = snw__block_take(block, n, sizeof(double));
    work->count = snw__block_take(block, n, sizeof(int));
}

snw_status snw__spectral_decompose(snw__spectral *work)
{
    int n = (int)work->n;
    for (int a = 0; a < n; a++) {
        work->degree[a] = 0;
        for (int b = 0; b < n; b++)
            work->degree[a] += work->affinity[a * n + b];
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            work->affinity[a * n + b] /= sqrt(work->degree[a] * work->degree[b]);
    return snw_eigen_symmetric(work->affinity, n, work->values, work->vectors);
}

/* The centre nearest to a thing among the first `centers`, and how far it is. */
static int nearest_center(const snw__spectral *work, int k, int centers, int thing, double *far2)
{
    int best = 0;
    *far2 = HUGE_VAL;
    for (int c = 0; c < centers; c++) {
        const double *a = work->row + thing * k;
        const double *b = work->mean + c * k;
        double d = 0;
        for (int m = 0; m < k; m++)
            d += (a[m] - b[m]) * (a[m] - b[m]);
        if (d >= *far2) continue;
        *far2 = d;
        best = c;
    }
    return best;
}

static void choose_start(snw__spectral *work, int n, int k)
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

void snw__spectral_group(snw__spectral *work, int k, int *group)
{
    int n = (int)work->n;
    /* Each thing's entries in the first k eigenvectors, brought to length 1. */
    for (int m = 0; m < n; m++) {
        double length2 = 0;
        for (int c = 0; c < k; c++) {
            work->row[m * k + c] = work->vectors[c * n + m];
            length2 += work->row[m * k + c] * work->row[m * k + c];
        }
        for (int c = 0; c < k && length2 > 0; c++)
            work->row[m * k + c] /= sqrt(length2);
    }
    choose_start(work, n, k);
    for (int m = 0; m < n; m++)
        group[m] = -1;
    for (int round = 0; round < SNW__ROUNDS_MAX; round++) {
        bool has_changed = false;
        for (int m = 0; m < n; m++) {
            double far2;
            int home = nearest_center(work, k, k, m, &far2);
            has_changed |= home != group[m];
            group[m] = home;
        }
        if (!has_changed) return;
        /* Means of the clusters; an empty one keeps its place. */
        memset(work->count, 0, (size_t)k * sizeof(int));
        for (int m = 0; m < n; m++)
            work->count[group[m]]++;
        for (int c = 0; c < k; c++)
            if (work->count[c]) memset(work->mean + c * k, 0, (size_t)k * sizeof(double));
        for (int m = 0; m < n; m++)
            for (int c = 0; c < k; c++)
                work->mean[group[m] * k + c] += work->row[m * k + c] / work->count[group[m]];
    }
}

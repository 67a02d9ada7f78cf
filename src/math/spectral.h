/* Spectral clustering of things that are more or less alike. Internal.
 *
 * Ng, Jordan & Weiss 2002: of N = D^-1/2 A D^-1/2 (so L_sym = I - N) the k largest eigenvectors are
 * taken, rows scaled to unit length, and grouped by k-means. */
#ifndef SNW_MATH_SPECTRAL_H
#define SNW_MATH_SPECTRAL_H

#include <sinew/base.h>

#include "base/memory.h"

typedef struct snw__spectral {
    size_t n;         /* things */
    double *affinity; /* (n x n) with 1 on the diagonal; destroyed by the eigenvalues */
    double *values;   /* (n) */
    double *vectors;  /* (n x n) row i is the eigenvector of values[i] */
    double *row;      /* (n x n) row m: thing m in k coordinates, unit */
    double *mean;     /* (n x n) row c: centre of cluster c */
    double *degree;   /* (n) */
    int *count;       /* (n) */
} snw__spectral;

void snw__spectral_lay_out(void *spectral, snw__block *block);
/* values and vectors from the affinities. */
snw_status snw__spectral_decompose(snw__spectral *spectral);
/* group (n): 0 to k - 1 of each, k from 1 to n. The start of k-means is the farthest-first choice
 * from the thing with the largest degree, so the result is always the same. */
void snw__spectral_group(snw__spectral *spectral, int k, int *group);

#endif

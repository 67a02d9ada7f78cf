/* Least squares with a penalty on jerk, of one sequence. Internal.
 *
 *     sum w_t (y_t - x_t)^2 + lambda sum (x_t - 3 x_(t-1) + 3 x_(t-2) - x_(t-3))^2
 *
 * (Whittaker 1923, "On a new method of graduation"; Eilers 2003, "A perfect smoother"): the
 * estimate from past and future together of a state whose jerk is white, what a Rauch-Tung-Striebel
 * smoother gives, by one banded factor W + lambda D^T D. */
#ifndef SNW_TRACK_JERK_FIT_H
#define SNW_TRACK_JERK_FIT_H

#include "base/memory.h"

typedef struct snw__jerk_fit {
    int count;      /* of samples: at most as many as when the memory was taken */
    double *weight; /* (count) of each sample, set by the caller */
    double *band[4];
} snw__jerk_fit;

void snw__jerk_fit_lay_out(snw__jerk_fit *fit, snw__block *block);
/* Factors the system of these weights. */
void snw__jerk_fit_factor(snw__jerk_fit *fit, double lambda);
/* Samples less the trace of the map from samples to fit: what is left to judge the noise by. */
double snw__jerk_fit_left(const snw__jerk_fit *fit);
/* x from y, (count) each; they may be one array. */
void snw__jerk_fit_solve(const snw__jerk_fit *fit, const double *y, double *x);

#endif

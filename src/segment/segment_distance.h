/* What the distances between markers tell. Internal. */
#ifndef SNW_SEGMENT_SEGMENT_DISTANCE_H
#define SNW_SEGMENT_SEGMENT_DISTANCE_H

#include "base/memory.h"
#include "rigid/sampling.h"

/* Distances of all pairs of markers, over the runs of a capture. Where two markers are seen
 * together in too few runs, the variances are infinite. */
typedef struct snw__distances {
    int marker_count;
    int run_count;
    int run_length;
    double *slow;   /* (n x n) variance of the distance's mean over a run, square metres: motion,
                       skin, and what noise is left in the mean */
    double *total;  /* (n x n) variance of a single distance */
    double *fast;   /* (n x n) the part of it that no motion explains: noise; 0 where runs are too
                       short to tell */
    double *length; /* (n x n) the mean, metres */
    double *share;  /* (n x n) of the frames that show both, 0..1 */
    snw__block block;
} snw__distances;

/* Measures them all; to be released after success. */
snw_status snw__distances_create(snw__distances *distances, const snw__samples *samples,
                                 snw_error *error);
void snw__distances_release(snw__distances *distances, const snw__samples *samples);

/* Standard deviation of the distance of every two markers (marker_count x marker_count), metres;
 * infinite where too few frames show both. */
snw_status snw__marker_deviations(const snw__samples *samples, double *deviation, snw_error *error);

#endif

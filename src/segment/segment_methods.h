/* Ways to find segments. Internal. Each fills segment_of (marker_count) with numbers 0.. or -1 and
 * returns how many segments there are. */
#ifndef SNW_SEGMENT_SEGMENT_METHODS_H
#define SNW_SEGMENT_SEGMENT_METHODS_H

#include <sinew/segment.h>

#include "label/label_grammar.h"
#include "rigid/sampling.h"

/* SNW_INVALID_ARGUMENT: the segments are of another trial. */
snw_status snw__segments_check(const snw_segments *segments, const snw_trial *trial,
                               snw_error *error);

/* By labels; 0 when they do not tell. name (marker_count) receives the segments' names. */
int snw__segments_by_names(const snw_trial *trial, const snw_label *landmark, int *segment_of,
                           snw__label_name *name);

/* By rigidity. tolerance in metres, negative: chosen from the data. */
snw_status snw__segments_by_rigidity(const snw__samples *samples, double tolerance, int *segment_of,
                                     int *segment_count, snw_error *error);

/* By the spectrum of affinities; wanted segments, negative: by the eigengap. */
snw_status snw__segments_by_spectrum(const snw__samples *samples, int wanted, int *segment_of,
                                     int *segment_count, snw_error *error);

/* The median over markers of the deviation to the steadiest other one. smallest (n) is room. */
double snw__usual_deviation(const double *deviation, int n, double *smallest);
/* Numbers groups 0.. in the order of their first markers; segment_of (n) holds any numbers below n.
 * number (n) is room. Returns how many there are. */
int snw__number_groups(int *segment_of, int n, int *number);

/* Where segments have been found in spite of labels (exchanged sides, a marker elsewhere), the
 * segments are right. */
void snw__labels_follow(const snw_segments *segments, snw_label *landmark);

#endif

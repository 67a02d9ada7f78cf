/* sinew/filter.h - low-pass filters without delay, and the cut-off that the data ask for.
 *
 *     snw_butterworth filter = snw_butterworth_make(6.0, 100.0, 2); // Hz, samples per second
 *     snw_filter_zero_lag(&filter, knee, frame_count);              // forwards and backwards
 *
 * Nothing in the library filters unless it is told to; what a capture was filtered with is the
 * caller's to say. Any thread, no state.
 */
#ifndef SINEW_FILTER_H
#define SINEW_FILTER_H

#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2] */
typedef struct snw_butterworth {
    double b[3], a[3]; /* a[0] is 1 */
} snw_butterworth;

/* Second-order low pass. `passes` is how often it will be run over the data (2 for zero lag): the
 * cut-off is corrected so that all passes together halve the power there (Winter 2009, section
 * 3.5). A cut-off at or above half the rate, or not above 0, gives the filter that changes nothing.
 */
SNW_API snw_butterworth snw_butterworth_make(double cutoff, double rate, int passes);

/* The high pass of the same kind. Of a cut-off that is not above 0, or at or above half the rate:
 * the filter that changes nothing. */
SNW_API snw_butterworth snw_butterworth_make_high(double cutoff, double rate, int passes);

/* Forwards, then backwards, in place: no delay, fourth order together. The ends are continued by
 * their point reflection, so a straight line stays one. All samples must be finite. */
SNW_API void snw_filter_zero_lag(const snw_butterworth *filter, double *sample, int count);

/* The linear envelope of an electromyogram, in place: high pass (motion of cables and skin),
 * full-wave rectification, low pass; all without delay. Cut-offs in Hz; all samples must be finite.
 */
SNW_API void snw_emg_envelope(double *sample, int count, double rate, double high, double low);

/* Winter's residual analysis (2009, section 3.4.4.3): the rms of what a filter takes away, against
 * its cut-off, is a straight line where it takes noise alone; the line, continued to 0 Hz, is the
 * noise, and the cut-off is where the residual has that size. Between 1 Hz and a quarter of the
 * rate. `work` (2 * count). 0 when the samples are too few (below 30) to say. */
SNW_API double snw_residual_cutoff(const double *sample, int count, double rate, double *work);

typedef struct snw_filter_report {
    int marker_count;             /* that were filtered */
    double lowest, highest, mean; /* cut-offs, Hz */
} snw_filter_report;

/* A copy of the trial whose markers are low-passed, each piece between two gaps by itself; pieces
 * shorter than 12 samples stay as they are. cutoff: Hz, or 0 for each coordinate's own by residual
 * analysis. States and everything else stay; report may be NULL. */
SNW_API snw_status snw_trial_filter(const snw_trial *trial, double cutoff,
                                    const snw_allocator *allocator, snw_trial **out,
                                    snw_filter_report *report, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

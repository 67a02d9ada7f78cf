/* What the methods for joint centres share. Internal. */
#ifndef SNW_CENTER_CENTER_H
#define SNW_CENTER_CENTER_H

#include <sinew/center.h>

#include "math/symmetric3.h"

/* Fewer frames than unknowns make no answer (Knight: N < 4). */
enum {
    SNW__CENTER_FRAMES_MIN = 4
};
/* [chosen] Metres. No centre is open by more: the breadth of a thigh, half a segment's length. */
#define SNW__CENTER_OPEN 0.15

/* [chosen] Radians. A joint that turned less, 15 degrees, hardly moved: what is said of its centre
 * rests on little. */
#define SNW__HARDLY_TURNED 0.26

/* Everything zero, axis x, axis not known, covariance zero. */
snw_center snw__center_none(snw_center_method method);

/* parent_from_child in frame k; false where a segment was not seen or is not finite. */
bool snw__center_relative(const snw_center_data *data, int k, snw_xform *parent_from_child);
/* The nth marker in frame k, false where missing. */
bool snw__center_marker(const snw_center_data *data, int k, int n, snw_vec3 *point);

void snw__center_sums_add_weighted(snw_center_sums *sums, snw_xform parent_from_child,
                                   double weight);

/* ---- outliers ------------------------------------------------------------------------------ */

/* Robust scale without memory: a histogram of magnitudes with bins 1 % wide. */
enum {
    SNW__SCALE_BINS = 3072
};
typedef struct snw__magnitudes {
    int count;
    int bin[SNW__SCALE_BINS];
} snw__magnitudes;

void snw__magnitudes_begin(snw__magnitudes *magnitudes);
void snw__magnitudes_add(snw__magnitudes *magnitudes, double magnitude);
/* The median to 1 %; 0 when empty. */
double snw__magnitudes_median(const snw__magnitudes *magnitudes);
/* Weight of a residual of that many sigmas: 1 within 2.5, falling as Huber's, 0 beyond 6. */
double snw__outlier_weight(double sigmas);

/* ---- words --------------------------------------------------------------------------------- */

/* Is a centre that is known to sigma metres uncertain, of a joint that turned by range radians? */
bool snw__center_is_uncertain(double sigma, double range);

/* ---- the steps of a solve ------------------------------------------------------------------- */

/* The principal spreads, type of motion and axes from the mean relative rotation. */
void snw__center_judge_motion(snw_center *center, snw_mat3 mean_rotation, double effective_count);
/* Exact ranges from the frames that were kept: those whose slip is at most `limit`. */
void snw__center_measure_range(const snw_center_data *data, double limit, snw_center *center);
/* Ends a solve: SNW_DEGENERATE and no centre where squares of huge positions overflowed. */
snw_status snw__center_finish(snw_center *center, snw_error *error);
/* How many independent frames `count` correlated ones are worth. */
double snw__effective_count(double count, double correlation);

snw_status snw__center_two_sided(const snw_center_data *data, const snw_center_options *options,
                                 snw_center *center, snw_error *error);
snw_status snw__center_from_markers(const snw_center_data *data, const snw_center_options *options,
                                    snw_center *center, snw_error *error);

#endif

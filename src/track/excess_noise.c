/* More noise than the calibration saw; see the header. */
#include "track/excess_noise.h"

#include <math.h>

#include <sinew/geometry.h>

#include "math/order.h"
#include "math/robust.h"
#include "track/track_constants.h"

double snw__excess_most(const snw_actor *actor)
{
    double most = EXCESS_MAX * actor->skeleton->size;
    return most * most;
}

/* What a robust estimate `variance` shows. Within the dead zone it is chance. */
static double excess_of(const snw__excess_frame *frame, double variance, double expected)
{
    /* Ratio of variances that chance explains: the median of twenty markers stays within 1 +- 0.5.
     */
    if (!(variance > SNW__UNUSUAL * expected)) return 0;
    return fmin(variance - expected, snw__excess_most(frame->actor));
}

/* The median over segments of three markers and more of what a rigid fit leaves, 3 n - 6 of 3 n
 * coordinates. */
double snw__excess_of_segments(const snw__excess_frame *frame)
{
    int count = 0;
    for (int j = 0; j < frame->actor->skeleton->joint_count; j++) {
        int first = frame->first[j], own = frame->first[j + 1] - first, seen = 0;
        double expected = 0;
        snw_fit fit;
        for (int m = 0; m < own; m++) {
            double noise = frame->noise_of[first + m];
            frame->from[m] = frame->actor->marker[first + m].offset;
            expected += noise * noise / own;
            seen += frame->sample_weight[first + m] > 0;
        }
        if (seen < 3 || snw_fit_rigid(frame->from, frame->seen + first,
                                      frame->sample_weight + first, own, &fit) != SNW_OK)
            continue;
        frame->work[count++] =
            excess_of(frame, fit.rms * fit.rms * seen / (3.0 * seen - 6), expected);
    }
    return snw__median(frame->work, count);
}

/* The pose has taken its share of the coordinates. */
double snw__excess_of_residuals(const snw__excess_frame *frame, const snw_pose *pose)
{
    int count = 0;
    for (int m = 0; m < frame->actor->marker_count; m++) {
        if (!frame->is_measured[m]) continue;
        const snw_actor_marker *marker = frame->actor->marker + m;
        snw_vec3 at = snw_xform_point(pose->world[marker->joint], marker->offset);
        double noise = frame->noise_of[m];
        frame->work[count++] = snw_vec3_length2(snw_vec3_sub(frame->seen[m], at)) / (noise * noise);
    }
    double left = 3.0 * count - frame->actor->skeleton->dof_count - 6;
    /* Fewer make no median. */
    if (count < SNW__SAMPLES_MEDIAN || left < count) return 0;
    /* Of a squared distance with three normal coordinates, in variances: the median of chi-squared
     * with three degrees of freedom. */
    double ratio = snw__median(frame->work, count) / SNW__CHI2_MEDIAN * (3.0 * count / left);
    double expected = frame->noise * frame->noise;
    return excess_of(frame, ratio * expected, expected);
}

/* Distances between markers, and how much of their variance is noise.
 *
 * Inside a segment a distance varies by the noise of the cameras and by moving skin, across a joint
 * by the motion. Noise changes from frame to frame, motion and skin do not: the mean of a distance
 * over a run of frames keeps what is slow and loses most of the noise, and the third differences
 * inside the run keep the noise and lose what is slow (x of variance s^2 gives them 20 s^2). */
#include "segment/segment_distance.h"

#include <sinew/segment.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/order.h"
#include "math/robust.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"

/* Variance without wild values; sorts. */
static double plain_variance(double *value, int count)
{
    double median = snw__median(value, count);
    double reach = DISTANCE_WILD * fmax(median - value[count / 10], value[count * 9 / 10] - median);
    int first = 0, last = count - 1, spare = (int)(SNW__STRAY_SHARE * count);
    for (; spare > 0; spare--) {
        double low = median - value[first], high = value[last] - median;
        if (fmax(low, high) <= reach) break;
        if (low > high)
            first++;
        else
            last--;
    }
    double mean = 0, sum = 0;
    for (int n = first; n <= last; n++)
        mean += (value[n] - median) / (last - first + 1);
    for (int n = first; n <= last; n++)
        sum += (value[n] - median - mean) * (value[n] - median - mean);
    return sum / (last - first);
}

/* ---- deviations --------------------------------------------------------------------------- */

static double pair_deviation(const snw__samples *samples, int a, int b, double *values)
{
    int count = 0;
    /* Frames that a deviation is taken from, at most: its own error is then 1 / sqrt(2 * 400) = 4
     * %. */
    int frames = samples->marker_count <= DISTANCE_MARKERS
                     ? SNW__SAMPLES_SPREAD
                     : SNW__SAMPLES_SPREAD * DISTANCE_MARKERS / samples->marker_count;
    /* Runs or frames that must show two markers, to say anything about their distance. */
    int stride =
        1 + samples->frame_count / (frames > SNW__SAMPLES_MEDIAN ? frames : SNW__SAMPLES_MEDIAN);
    for (int frame = 0; frame < samples->frame_count; frame += stride) {
        const uint8_t *seen = snw__samples_seen(samples, frame);
        const snw_vec3 *point = snw__samples_points(samples, frame);
        if (seen[a] && seen[b]) values[count++] = snw_vec3_distance(point[a], point[b]);
    }
    return count < SNW__SAMPLES_MEDIAN ? HUGE_VAL : sqrt(plain_variance(values, count));
}

snw_status snw__marker_deviations(const snw__samples *samples, double *deviation, snw_error *error)
{
    int n = samples->marker_count;
    size_t size = 2 * SNW__SAMPLES_SPREAD * sizeof(double);
    double *values = snw__allocate(&samples->allocator, size);
    if (!values) return snw__fail_memory(error, size, "distances between markers");
    for (int a = 0; a < n; a++) {
        deviation[a * n + a] = 0;
        for (int b = 0; b < a; b++)
            deviation[a * n + b] = deviation[b * n + a] = pair_deviation(samples, a, b, values);
    }
    snw__release(&samples->allocator, values, size);
    return SNW_OK;
}

/* ---- slow and fast ------------------------------------------------------------------------ */

static void lay_out_distances(void *object, snw__block *block)
{
    snw__distances *distances = object;
    size_t n = (size_t)distances->marker_count, square = snw__size_mul(n, n);
    distances->slow = snw__block_take(block, square, sizeof(double));
    distances->total = snw__block_take(block, square, sizeof(double));
    distances->fast = snw__block_take(block, square, sizeof(double));
    distances->length = snw__block_take(block, square, sizeof(double));
    distances->share = snw__block_take(block, square, sizeof(double));
}

typedef struct distance_pair {
    double slow, total, fast, length;
    int run_count;
} distance_pair;

/* The distance in every frame of a run; false where one of them is missing. */
static bool read_run(const snw__samples *samples, int run, int a, int b, double *distance)
{
    for (int k = 0; k < samples->run_length; k++) {
        int frame = run * samples->run_length + k;
        const uint8_t *seen = snw__samples_seen(samples, frame);
        const snw_vec3 *point = snw__samples_points(samples, frame);
        if (!seen[a] || !seen[b]) return false;
        distance[k] = snw_vec3_distance(point[a], point[b]);
    }
    return true;
}

static distance_pair measure_pair(const snw__samples *samples, int a, int b, double *mean)
{
    double distance[SNW__SAMPLES_RUN], fast = 0, within = 0;
    int length = samples->run_length, runs = samples->frame_count / length, count = 0;
    distance_pair pair = {HUGE_VAL, HUGE_VAL, 0, 0, 0};
    for (int run = 0; run < runs; run++) {
        if (!read_run(samples, run, a, b, distance)) continue;
        double average = 0;
        for (int k = 0; k < length; k++)
            average += distance[k] / length;
        for (int k = 0; k < length; k++)
            within += (distance[k] - average) * (distance[k] - average);
        for (int k = 3; k < length; k++) {
            double third =
                distance[k] - 3 * distance[k - 1] + 3 * distance[k - 2] - distance[k - 3];
            fast += third * third / 20;
        }
        mean[count++] = average;
        pair.length += average;
    }
    pair.run_count = count;
    if (count == 0) return pair;
    pair.length /= count;
    if (length > 3) pair.fast = fast / (count * (length - 3));
    if (count < SNW__SAMPLES_MEDIAN) return pair;
    pair.slow = plain_variance(mean, count);
    pair.total = pair.slow + within / (count * length);
    return pair;
}

static snw_status measure_distances(const snw__samples *samples, snw__distances *distances,
                                    snw_error *error)
{
    int n = distances->marker_count;
    size_t size = snw__size_mul((size_t)distances->run_count, sizeof(double));
    double *mean = snw__allocate(&samples->allocator, size);
    if (!mean) return snw__fail_memory(error, size, "distances between markers");
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            distance_pair pair = measure_pair(samples, a, b, mean);
            int ab = a * n + b, ba = b * n + a;
            distances->slow[ab] = distances->slow[ba] = pair.slow;
            distances->total[ab] = distances->total[ba] = pair.total;
            distances->fast[ab] = distances->fast[ba] = pair.fast;
            distances->length[ab] = distances->length[ba] = pair.length;
            distances->share[ab] = distances->share[ba] =
                (double)pair.run_count / distances->run_count;
        }
    snw__release(&samples->allocator, mean, size);
    return SNW_OK;
}

snw_status snw__distances_create(snw__distances *distances, const snw__samples *samples,
                                 snw_error *error)
{
    distances->marker_count = samples->marker_count;
    distances->run_length = samples->run_length;
    distances->run_count = samples->frame_count / samples->run_length;
    snw_status status = snw__block_create(&distances->block, lay_out_distances, distances,
                                          &samples->allocator, "distances between markers", error);
    if (status == SNW_OK) status = measure_distances(samples, distances, error);
    if (status != SNW_OK) snw__distances_release(distances, samples);
    return status;
}

void snw__distances_release(snw__distances *distances, const snw__samples *samples)
{
    snw__block_release(&samples->allocator, &distances->block);
}

/* ---- for those who want to look at them ------------------------------------------------ */

snw_status snw_marker_deviations(const snw_trial *trial, const snw_allocator *allocator,
                                 double *deviation, snw_error *error)
{
    snw__samples *samples = NULL;
    /* Frames, spread over the trial: as many as a calibration looks at. */
    snw_status status =
        snw__samples_create(trial, SNW__SAMPLES_CALIBRATE, allocator, &samples, error);
    if (status == SNW_OK) status = snw__marker_deviations(samples, deviation, error);
    snw__samples_destroy(samples);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* Limbs from motion alone: markers whose distances stay what they are.
 *
 * For every pair of markers the deviation of their distance is measured over the frames that show
 * both. Inside a limb it is the noise (skin included), across a joint it is the motion. Groups are
 * merged, nearest first, where the nearness of two groups is the largest deviation between their
 * members (complete linkage): a marker that happens to lie on a joint's axis then cannot glue two
 * limbs together. The heights of the merges tell where noise ends and motion begins. */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "mocap/limbs.h"

/* Frames that a deviation is taken from, at most: its own error is then 1 / sqrt(2 * 400) = 4 %. */
#define RIGIDITY_FRAMES 400
/* Common frames that two markers need at least, to say anything about their distance. */
#define RIGIDITY_COMMON 10
/* Share of the smallest and of the largest distances that does not count: swaps, wild samples. */
#define RIGIDITY_TRIM 0.02
/* Two neighbouring heights with this ratio between them mark the end of the noise. */
#define RIGIDITY_GAP 1.25
/* Heights above this many times the usual noise are motion, gap or not. */
#define RIGIDITY_HIGH 5.0

/* Metres. No camera is better; below it are the last digits of the file. */
#define RIGIDITY_FINEST 2e-5
/* Noise is white when nine tenths of the markers are within this ratio. */
#define RIGIDITY_WHITE 1.6

/* Standard deviation without the extremes; sorts the values. */
static double trimmed_deviation(double *values, int count)
{
    int trim = (int)(RIGIDITY_TRIM * count);
    double mean = 0, sum = 0;
    qsort(values, (size_t)count, sizeof *values, snw__compare_doubles);
    for (int n = trim; n < count - trim; n++)
        mean += values[n] / (count - 2 * trim);
    for (int n = trim; n < count - trim; n++)
        sum += (values[n] - mean) * (values[n] - mean);
    return sqrt(sum / (count - 2 * trim - 1));
}

static double pair_deviation(const snw__capture *capture, int a, int b, double *values)
{
    int count = 0;
    int stride = 1 + capture->frame_count / RIGIDITY_FRAMES;
    for (int frame = 0; frame < capture->frame_count; frame += stride) {
        const uint8_t *seen = snw__capture_seen(capture, frame);
        const snw_vec3 *point = snw__capture_points(capture, frame);
        if (seen[a] && seen[b]) values[count++] = snw_vec3_distance(point[a], point[b]);
    }
    if (count < RIGIDITY_COMMON) return HUGE_VAL;
    /* A pair seen together for a short time has a worse known deviation: in its favour. */
    double full = (capture->frame_count + stride - 1) / stride;
    return trimmed_deviation(values, count) * (1 + 3 / sqrt(2 * full)) /
           (1 + 3 / sqrt(2.0 * count));
}

snw_status snw__marker_deviations(const snw__capture *capture, double *deviation, snw_error *error)
{
    int n = capture->marker_count;
    size_t size = 2 * RIGIDITY_FRAMES * sizeof(double);
    double *values = snw__allocate(&capture->allocator, size);
    if (!values) return snw__fail_memory(error, size, "distances between markers");
    for (int a = 0; a < n; a++) {
        deviation[a * n + a] = 0;
        for (int b = 0; b < a; b++)
            deviation[a * n + b] = deviation[b * n + a] = pair_deviation(capture, a, b, values);
    }
    snw__release(&capture->allocator, values, size);
    return SNW_OK;
}

/* ---- merging ------------------------------------------------------------------------------ */

typedef struct rigidity_work {
    double *link;     /* (n x n) between groups; starts as the deviations */
    int *nearest;     /* (n) of each group's first marker: the group nearest to it */
    double *smallest; /* (n) per marker, then heights of the merges */
    bool *is_alive;   /* (n) group still exists; its number is its first marker */
} rigidity_work;

static size_t lay_out(rigidity_work *work, size_t n, void *memory)
{
    snw__block block = {(char *)memory, 0};
    work->link = snw__block_take(&block, snw__size_mul(n, n), sizeof(double));
    work->nearest = snw__block_take(&block, n, sizeof(int));
    work->smallest = snw__block_take(&block, n, sizeof(double));
    work->is_alive = snw__block_take(&block, n, sizeof(bool));
    return block.size;
}

static void find_nearest(rigidity_work *work, int n, int group)
{
    int best = -1;
    for (int k = 0; k < n; k++)
        if (k != group && work->is_alive[k] &&
            (best < 0 || work->link[group * n + k] < work->link[group * n + best]))
            best = k;
    work->nearest[group] = best;
}

/* Merges the two nearest groups over and over while they are nearer than `limit`; writes the height
 * of each merge and returns how many there were. Group numbers are followed in limb_of. */
static int merge(rigidity_work *work, int n, double limit, int *limb_of, double *heights)
{
    for (int k = 0; k < n; k++) {
        work->is_alive[k] = true;
        limb_of[k] = k;
    }
    for (int k = 0; k < n; k++)
        find_nearest(work, n, k);
    for (int count = 0;; count++) {
        int a = -1;
        for (int k = 0; k < n; k++)
            if (work->is_alive[k] && work->nearest[k] >= 0 &&
                (a < 0 ||
                 work->link[k * n + work->nearest[k]] < work->link[a * n + work->nearest[a]]))
                a = k;
        if (a < 0) return count;
        int b = work->nearest[a];
        double height = work->link[a * n + b];
        if (!(height < limit)) return count;
        heights[count] = height;
        work->is_alive[b] = false;
        for (int k = 0; k < n; k++) {
            if (limb_of[k] == b) limb_of[k] = a;
            double farther = fmax(work->link[a * n + k], work->link[b * n + k]);
            if (k != a) work->link[a * n + k] = work->link[k * n + a] = farther;
        }
        for (int k = 0; k < n; k++)
            if (work->is_alive[k] && (k == a || work->nearest[k] == a || work->nearest[k] == b))
                find_nearest(work, n, k);
    }
}

typedef struct rigidity_noise {
    double usual;  /* metres */
    bool is_white; /* all markers have about the same: cameras, not skin */
} rigidity_noise;

/* From the deviation of every marker to the steadiest other one: the median is the usual noise. */
static rigidity_noise usual_noise(const double *deviation, int n, double *smallest)
{
    int count = 0;
    rigidity_noise noise = {0, false};
    for (int a = 0; a < n; a++) {
        double least = HUGE_VAL;
        for (int b = 0; b < n; b++)
            if (b != a) least = fmin(least, deviation[a * n + b]);
        if (least < HUGE_VAL) smallest[count++] = least;
    }
    if (count == 0) return noise;
    qsort(smallest, (size_t)count, sizeof *smallest, snw__compare_doubles);
    noise.usual = fmax(smallest[count / 2], RIGIDITY_FINEST);
    noise.is_white =
        smallest[count * 9 / 10] < RIGIDITY_WHITE * fmax(smallest[count / 10], RIGIDITY_FINEST);
    return noise;
}

/* Where noise ends. White noise ends where its largest of some hundred deviations can be, each of
 * them good to 1 / sqrt(2 N); skin ends at the first clear gap in the heights above that. */
static double choose_tolerance(const double *heights, int count, rigidity_noise noise,
                               int frame_count)
{
    int frames = frame_count < RIGIDITY_FRAMES ? frame_count : RIGIDITY_FRAMES;
    double floor = noise.usual * (1.1 + 4 / sqrt(2.0 * frames));
    if (noise.is_white) return floor;
    for (int k = 0; k < count; k++) {
        double next = k + 1 < count ? heights[k + 1] : HUGE_VAL;
        if (next <= floor) continue;
        double low = fmax(heights[k], floor);
        if (low > RIGIDITY_HIGH * noise.usual) break;
        if (next > RIGIDITY_GAP * low) return sqrt(low * fmin(next, 4 * low));
    }
    return fmin(2 * floor, RIGIDITY_HIGH * noise.usual);
}

int snw__number_groups(int *limb_of, int n, int *number)
{
    int count = 0;
    for (int k = 0; k < n; k++)
        number[k] = -1;
    for (int k = 0; k < n; k++) {
        if (number[limb_of[k]] < 0) number[limb_of[k]] = count++;
    }
    for (int k = 0; k < n; k++)
        limb_of[k] = number[limb_of[k]];
    return count;
}

static int group_size(const int *limb_of, int n, int group)
{
    int size = 0;
    for (int k = 0; k < n; k++)
        size += limb_of[k] == group;
    return size;
}

/* The group of three and more to which a marker keeps all its distances, with the least mean
 * deviation; -1 if there is none. */
static int better_home(const double *deviation, int n, const int *limb_of, double tolerance,
                       int marker)
{
    int best = -1;
    double best_mean = HUGE_VAL;
    for (int group = 0; group < n; group++) {
        double sum = 0, largest = 0;
        int count = 0;
        for (int k = 0; k < n; k++) {
            if (limb_of[k] != group || k == marker) continue;
            sum += deviation[marker * n + k];
            largest = fmax(largest, deviation[marker * n + k]);
            count++;
        }
        if (count < 3 || !(largest < tolerance) || !(sum / count < best_mean)) continue;
        best_mean = sum / count;
        best = group;
    }
    return best;
}

/* Among deviations that are all noise the order of merging is chance: two markers on either side of
 * a joint that hardly moved may have found each other first. Each goes where it belongs. */
static void dissolve_couples(const double *deviation, int n, double tolerance, int *limb_of)
{
    for (int k = 0; k < n; k++) {
        if (group_size(limb_of, n, limb_of[k]) > 2) continue;
        int home = better_home(deviation, n, limb_of, tolerance, k);
        if (home >= 0) limb_of[k] = home;
    }
}

/* The median deviation inside the groups; 0 when all are single. `values` (n). */
static double noise_inside(const double *deviation, int n, const int *limb_of, double *values)
{
    int count = 0;
    for (int a = 0; a < n; a++) {
        double sum = 0;
        int mates = 0;
        for (int b = 0; b < n; b++)
            if (b != a && limb_of[a] == limb_of[b]) {
                sum += deviation[a * n + b];
                mates++;
            }
        if (mates) values[count++] = sum / mates;
    }
    qsort(values, (size_t)count, sizeof *values, snw__compare_doubles);
    return count ? values[count / 2] : 0;
}

/* The tolerance from the data: first from the steadiest pairs, which flatter the noise, then, where
 * it is white, from all pairs of the groups so found. */
static double find_tolerance(rigidity_work *work, const double *deviation, int n, int frame_count,
                             int *limb_of)
{
    size_t matrix = (size_t)n * (size_t)n * sizeof(double);
    rigidity_noise noise = usual_noise(deviation, n, work->smallest);
    memcpy(work->link, deviation, matrix);
    int merges = merge(work, n, HUGE_VAL, limb_of, work->smallest);
    double tolerance = choose_tolerance(work->smallest, merges, noise, frame_count);
    if (!noise.is_white) return tolerance;
    /* Nothing anywhere varies by more than noise: one thing that is still, or moves as one. */
    if (merges > 0 && work->smallest[merges - 1] < RIGIDITY_WHITE * noise.usual) return HUGE_VAL;
    int frames = frame_count < RIGIDITY_FRAMES ? frame_count : RIGIDITY_FRAMES;
    memcpy(work->link, deviation, matrix);
    merge(work, n, tolerance, limb_of, work->smallest);
    double inside = noise_inside(deviation, n, limb_of, work->smallest);
    return fmax(tolerance, inside * (1 + 5 / sqrt(2.0 * frames)));
}

double snw__usual_deviation(const double *deviation, int n, double *work)
{
    return usual_noise(deviation, n, work).usual;
}

snw_status snw__limbs_by_rigidity(const snw__capture *capture, double tolerance, int *limb_of,
                                  int *limb_count, snw_error *error)
{
    int n = capture->marker_count;
    rigidity_work work;
    size_t matrix = snw__size_mul(snw__size_mul((size_t)n, (size_t)n), sizeof(double));
    size_t size = lay_out(&work, (size_t)n, NULL);
    double *deviation = snw__allocate(&capture->allocator, matrix);
    void *memory = deviation ? snw__allocate(&capture->allocator, size) : NULL;
    snw_status status = memory ? snw__marker_deviations(capture, deviation, error)
                               : snw__fail_memory(error, matrix + size, "grouping markers");
    if (status == SNW_OK) {
        lay_out(&work, (size_t)n, memory);
        if (tolerance < 0)
            tolerance = find_tolerance(&work, deviation, n, capture->frame_count, limb_of);
        memcpy(work.link, deviation, matrix);
        merge(&work, n, tolerance, limb_of, work.smallest);
        dissolve_couples(deviation, n, tolerance, limb_of);
        *limb_count = snw__number_groups(limb_of, n, work.nearest);
    }
    snw__release(&capture->allocator, memory, size);
    snw__release(&capture->allocator, deviation, matrix);
    return status;
}

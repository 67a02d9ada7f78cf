/* Segments from motion alone: markers that keep their distances.
 *
 * Groups of markers are joined where one segment describes them better than two (segment_group.c),
 * first from the distances of all pairs, then, marker by marker, with rigid bodies in space
 * (segment_search.c). The only number that is needed is what the coordinate of a pose is worth:
 *
 * - Where the distances to the steadiest others vary by nothing but noise from frame to frame,
 *   segments are rigid to the noise, and any sign of motion parts them. Pooled over F frames the
 *   variance of a segment is known to 1 / sqrt(3 F) for the six coordinates that two segments have
 * more than one; a pose is worth the noise and a few of these.
 * - Otherwise markers move with the skin, by more or less from segment to segment. A pose is then
 * worth what a marker moves against its neighbours, those of the next segments included.
 *
 * With a tolerance, groups are merged nearest first while no distance inside varies by more
 * (complete linkage). */
#include <stdlib.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/kernel.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"
#include "segment/segment_group.h"
#include "segment/segment_many.h"
#include "segment/segment_methods.h"

int snw__number_groups(int *segment_of, int n, int *number)
{
    int count = 0;
    for (int k = 0; k < n; k++)
        number[k] = -1;
    for (int k = 0; k < n; k++) {
        if (number[segment_of[k]] < 0) number[segment_of[k]] = count++;
    }
    for (int k = 0; k < n; k++)
        segment_of[k] = number[segment_of[k]];
    return count;
}

/* ---- the scale ---------------------------------------------------------------------------- */

typedef struct rigidity_noise {
    double variance; /* of one coordinate in one frame, square metres */
    bool is_white;   /* it explains segments: there is no skin */
} rigidity_noise;

/* The kth steadiest partner of a marker, from 0; -1 where it has fewer. */
static int steadiest(const snw__distances *distances, int marker, int k, double *sorted)
{
    int n = distances->marker_count, count = 0;
    const double *slow = distances->slow + marker * n;
    for (int m = 0; m < n; m++)
        if (m != marker && slow[m] < HUGE_VAL) sorted[count++] = slow[m];
    if (count <= k) return -1;
    qsort(sorted, (size_t)count, sizeof *sorted, snw__compare_doubles);
    for (int m = 0; m < n; m++)
        if (m != marker && slow[m] == sorted[k]) return m;
    return -1;
}

/* Two partners make a segment: the second steadiest must vary by noise alone. */
static rigidity_noise find_noise(const snw__distances *distances, double *work)
{
    int n = distances->marker_count, count = 0;
    double *fast = work, *ratio = work + n, *sorted = work + 2 * n;
    for (int m = 0; m < n; m++) {
        int partner = steadiest(distances, m, 1, sorted);
        if (partner < 0) continue;
        int pair = m * n + partner;
        /* Metres. No camera is better; below it are the last digits of the file. */
        double noise = fmax(distances->fast[pair], 2 * SNW__FINEST * SNW__FINEST);
        fast[count] = noise;
        ratio[count++] = distances->slow[pair] / noise - 1.0 / distances->run_length;
    }
    rigidity_noise noise = {0.5 * snw__median(fast, count), false};
    noise.is_white =
        count > 0 && distances->run_length > 3 && snw__median(ratio, count) < RIGIDITY_WHITE;
    return noise;
}

static double median_length(const snw__distances *distances, double *work)
{
    int n = distances->marker_count, count = 0;
    for (int m = 0; m < n; m++) {
        int others = 0;
        for (int k = 0; k < n; k++)
            if (k != m && distances->slow[m * n + k] < HUGE_VAL)
                work[n + others++] = distances->length[m * n + k];
        if (others) work[count++] = snw__median(work + n, others);
    }
    return snw__median(work, count);
}

/* With x the excess of the variance over the noise, a group of freedom f loses f x / 2. Two
 * segments that are one have x = 0 in the six coordinates they have more, give or take sqrt(2 /
 * 6F), and so has a marker in its three, give or take sqrt(2 / 3F). The worth of a pose and the
 * cost of a segment are such that both must be RIGIDITY_SIGMAS of their own errors above the noise
 * to be parted. */
static void scale_to_noise(snw__segment_scale *scale, double noise, int frame_count)
{
    double limit = RIGIDITY_SIGMAS / sqrt(3.0 * frame_count);
    double excess = (2 - sqrt(2)) * limit;
    scale->pose = noise * (1 + excess);
    scale->segment = 3 * (limit - excess);
    scale->finest = 0.5 * noise;
    scale->reach = HUGE_VAL;
    scale->stray = 0;
}

/* ---- from distances ----------------------------------------------------------------------- */

typedef struct rigidity_merge {
    size_t n;       /* markers */
    double *sum;    /* (n x n) of variances between two groups, inside one on the diagonal */
    double *share;  /* (n x n) of frames, likewise */
    double *gain;   /* (n x n) what joining two groups is worth */
    double *worth;  /* (n) */
    double *sorted; /* (3 n) */
    int *size;      /* (n) 0: the group was joined to another */
    int *best;      /* (n) the group before it with which it gains most, -1: none */
} rigidity_merge;

static void lay_out_room(void *object, snw__block *block)
{
    rigidity_merge *room = object;
    size_t n = room->n;
    size_t square = snw__size_mul(n, n);
    room->sum = snw__block_take(block, square, sizeof(double));
    room->share = snw__block_take(block, square, sizeof(double));
    room->gain = snw__block_take(block, square, sizeof(double));
    room->worth = snw__block_take(block, n, sizeof(double));
    room->sorted = snw__block_take(block, snw__size_mul(3, n), sizeof(double));
    room->size = snw__block_take(block, n, sizeof(int));
    room->best = snw__block_take(block, n, sizeof(int));
}

/* The worth of so many markers whose pairs have these sums. */
static double pooled_worth(int size, double sum, double share, const snw__segment_scale *scale)
{
    double pairs = 0.5 * size * (size - 1);
    if (!(share > 0)) return -scale->segment;
    snw__stiffness stiffness = {sum / share, snw__segment_freedom(size) * share / pairs};
    return snw__segment_worth(stiffness, scale);
}

static double gain_of(const rigidity_merge *room, int n, int a, int b,
                      const snw__segment_scale *scale)
{
    double sum = room->sum[a * n + a] + room->sum[b * n + b] + room->sum[a * n + b];
    double share = room->share[a * n + a] + room->share[b * n + b] + room->share[a * n + b];
    if (!(room->share[a * n + b] > 0)) return -HUGE_VAL;
    return pooled_worth(room->size[a] + room->size[b], sum, share, scale) - room->worth[a] -
           room->worth[b];
}

/* The group before `a` with which it gains most, of equals the first. */
static void find_best(rigidity_merge *room, int n, int a)
{
    room->best[a] = -1;
    for (int b = 0; b < a && room->size[a] > 0; b++)
        if (room->size[b] > 0 &&
            (room->best[a] < 0 || room->gain[a * n + b] > room->gain[a * n + room->best[a]]))
            room->best[a] = b;
}

/* Group b was joined to a: what every group's best is now. */
static void follow_best(rigidity_merge *room, int n, int a, int b)
{
    for (int k = a; k < n; k++) {
        int best = room->best[k];
        if (k == a || best < 0 || best == a || best == b) {
            find_best(room, n, k);
            continue;
        }
        double gain = room->gain[k * n + a], known = room->gain[k * n + best];
        if (room->size[k] > 0 && (gain > known || (gain == known && a < best))) room->best[k] = a;
    }
}

/* Joins the two groups that gain most, until nothing gains. */
static void join_all(rigidity_merge *room, const snw__distances *distances,
                     const snw__segment_scale *scale, int *group_of)
{
    int n = distances->marker_count;
    for (int a = 0; a < n; a++) {
        group_of[a] = a;
        room->size[a] = 1;
        room->worth[a] = -scale->segment;
        room->sum[a * n + a] = room->share[a * n + a] = 0;
        for (int b = 0; b < n; b++) {
            int pair = a * n + b;
            if (b == a) continue;
            bool is_known = distances->slow[pair] < HUGE_VAL;
            double far = scale->pose * snw__far_share(distances->length[pair], scale->reach);
            room->share[pair] = is_known ? distances->share[pair] : 0;
            room->sum[pair] =
                is_known ? room->share[pair] * (0.5 * distances->slow[pair] + far) : 0;
        }
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (b != a) room->gain[a * n + b] = gain_of(room, n, a, b, scale);
    for (int a = 0; a < n; a++)
        find_best(room, n, a);
    for (;;) {
        int joined = -1;
        double best = 0;
        for (int a = 0; a < n; a++)
            if (room->size[a] > 0 && room->best[a] >= 0 &&
                room->gain[a * n + room->best[a]] > best) {
                best = room->gain[a * n + room->best[a]];
                joined = a;
            }
        if (joined < 0) return;
        int to = room->best[joined];
        double *sum = room->sum, *share = room->share;
        sum[to * n + to] += sum[joined * n + joined] + sum[to * n + joined];
        share[to * n + to] += share[joined * n + joined] + share[to * n + joined];
        room->size[to] += room->size[joined];
        room->size[joined] = 0;
        for (int k = 0; k < n; k++) {
            if (k == to || k == joined || room->size[k] == 0) continue;
            sum[k * n + to] = sum[to * n + k] += sum[joined * n + k];
            share[k * n + to] = share[to * n + k] += share[joined * n + k];
        }
        room->worth[to] = pooled_worth(room->size[to], sum[to * n + to], share[to * n + to], scale);
        for (int k = 0; k < n; k++)
            if (k != to && room->size[k] > 0)
                room->gain[to * n + k] = room->gain[k * n + to] = gain_of(room, n, to, k, scale);
        follow_best(room, n, to, joined);
        for (int k = 0; k < n; k++)
            if (group_of[k] == joined) group_of[k] = to;
    }
}

/* Markers in groups that have a rotation of their own. */
static int count_placed(const rigidity_merge *room, int n)
{
    int count = 0;
    for (int g = 0; g < n; g++)
        if (room->size[g] >= 3) count += room->size[g];
    return count;
}

/* Skin that is no worse than it must be: the least worth of a pose that still puts nearly as many
 * markers on segments of three and more. */
static void tighten(rigidity_merge *room, const snw__distances *distances,
                    snw__segment_scale *scale, int *group_of)
{
    double loosest = scale->pose;
    join_all(room, distances, scale, group_of);
    double enough = RIGIDITY_PLACED * count_placed(room, distances->marker_count);
    for (int step = RIGIDITY_STEPS; step >= 0; step--) {
        scale->pose = ldexp(loosest, -step);
        join_all(room, distances, scale, group_of);
        if (count_placed(room, distances->marker_count) >= enough) return;
    }
}

double snw__usual_deviation(const double *deviation, int n, double *smallest)
{
    int count = 0;
    for (int a = 0; a < n; a++) {
        double least = HUGE_VAL;
        for (int b = 0; b < n; b++)
            if (b != a) least = fmin(least, deviation[a * n + b]);
        if (least < HUGE_VAL) smallest[count++] = least;
    }
    return fmax(snw__median(smallest, count), SNW__FINEST);
}

/* ---- with a tolerance ------------------------------------------------------------------------ */

typedef struct rigidity_work {
    size_t n;       /* markers */
    double *link;   /* (n x n) between groups; starts as the deviations */
    int *nearest;   /* (n) of each group's first marker: the group nearest to it */
    bool *is_alive; /* (n) group still exists; its number is its first marker */
} rigidity_work;

static void lay_out(void *object, snw__block *block)
{
    rigidity_work *work = object;
    size_t n = work->n;
    work->link = snw__block_take(block, snw__size_mul(n, n), sizeof(double));
    work->nearest = snw__block_take(block, n, sizeof(int));
    work->is_alive = snw__block_take(block, n, sizeof(bool));
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

/* Merges the two nearest groups over and over while they are nearer than `limit`; group
 * numbers are followed in segment_of. */
static void merge(rigidity_work *work, int n, double limit, int *segment_of)
{
    for (int k = 0; k < n; k++) {
        work->is_alive[k] = true;
        segment_of[k] = k;
    }
    for (int k = 0; k < n; k++)
        find_nearest(work, n, k);
    for (;;) {
        int a = -1;
        for (int k = 0; k < n; k++)
            if (work->is_alive[k] && work->nearest[k] >= 0 &&
                (a < 0 ||
                 work->link[k * n + work->nearest[k]] < work->link[a * n + work->nearest[a]]))
                a = k;
        if (a < 0) return;
        int b = work->nearest[a];
        double height = work->link[a * n + b];
        if (!(height < limit)) return;
        work->is_alive[b] = false;
        for (int k = 0; k < n; k++) {
            if (segment_of[k] == b) segment_of[k] = a;
            double farther = fmax(work->link[a * n + k], work->link[b * n + k]);
            if (k != a) work->link[a * n + k] = work->link[k * n + a] = farther;
        }
        for (int k = 0; k < n; k++)
            if (work->is_alive[k] && (k == a || work->nearest[k] == a || work->nearest[k] == b))
                find_nearest(work, n, k);
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static int list_group(const int *group_of, int n, int group, int *member)
{
    int count = 0;
    for (int m = 0; m < n; m++)
        if (group_of[m] == group) member[count++] = m;
    return count;
}

/* The noise as the groups found so far have it; `otherwise` where there are none. */
static double noise_of_groups(snw__group_work *room, const int *group_of, double *variance,
                              int *member, double otherwise)
{
    int n = room->samples->marker_count, count = 0;
    for (int g = 0; g < n; g++) {
        int size = list_group(group_of, n, g, member);
        if (size >= 3) variance[count++] = snw__group_stiffness(room, member, size).variance;
    }
    return count ? fmax(snw__median(variance, count), SNW__FINEST * SNW__FINEST) : otherwise;
}

static snw_status group_markers(const snw__samples *samples, const snw__distances *distances,
                                rigidity_merge *room, int *group_of, snw__segment_scale *scale,
                                snw_error *error)
{
    rigidity_noise noise = find_noise(distances, room->sorted);
    if (noise.is_white)
        scale_to_noise(scale, noise.variance / distances->run_length, distances->run_count);
    else {
        /* Where skin moves: by the motion of neighbours and by the size of the body, their
         * geometric mean. Neighbours alone would make a person who stands still fall to pieces. */
        double finest = SNW__FINEST * SNW__FINEST, length = median_length(distances, room->sorted);
        /* Variance of a coordinate that a marker and its neighbours have against each other. */
        int n = distances->marker_count, count = 0;
        for (int m = 0; m < n; m++) {
            /* As many partners as make a frame are of its own segment: the next one is of another.
             */
            int partner = steadiest(distances, m, SNW__FRAME_POINTS, room->sorted + n);
            if (partner >= 0) room->sorted[count++] = 0.5 * distances->slow[m * n + partner];
        }
        double neighbour = SNW__UNUSUAL * sqrt(snw__median(room->sorted, count));
        scale->pose = fmax(neighbour * RIGIDITY_SKIN * length, 4 * finest);
        scale->segment = 0;
        scale->finest = finest;
        scale->reach = fmax(RIGIDITY_REACH * length, 1e-3);
        scale->stray = scale->pose;
    }
    if (noise.is_white)
        join_all(room, distances, scale, group_of);
    else
        tighten(room, distances, scale, group_of);
    snw__group_work bodies = {.samples = samples, .distances = distances, .scale = scale};
    snw__block block;
    snw_status status = snw__block_create(&block, snw__group_work_lay_out, &bodies,
                                          &samples->allocator, "rigid bodies", error);
    if (status != SNW_OK) return status;
    if (noise.is_white) {
        double found = noise_of_groups(&bodies, group_of, room->sorted, room->size, noise.variance);
        scale_to_noise(scale, found, snw__group_frame_count(samples));
    }
    status = snw__groups_improve(&bodies, group_of, error);
    snw__block_release(&samples->allocator, &block);
    return status;
}

snw_status snw__groups_find(const snw__samples *samples, int *group_of, snw__segment_scale *scale,
                            snw_error *error)
{
    snw__distances distances;
    rigidity_merge room = {.n = (size_t)samples->marker_count};
    snw__block block;
    snw_status status = snw__distances_create(&distances, samples, error);
    if (status != SNW_OK) return status;
    status = snw__block_create(&block, lay_out_room, &room, &samples->allocator, "grouping markers",
                               error);
    if (status == SNW_OK)
        status = group_markers(samples, &distances, &room, group_of, scale, error);
    snw__block_release(&samples->allocator, &block);
    snw__distances_release(&distances, samples);
    return status;
}

static snw_status group_by_worth(const snw__samples *samples, int *segment_of, int *segment_count,
                                 snw_error *error)
{
    size_t size = snw__size_mul((size_t)samples->marker_count, sizeof(int));
    int *number = snw__allocate(&samples->allocator, size);
    if (!number) return snw__fail_memory(error, size, "segments");
    snw__segment_scale scale;
    snw_status status = samples->marker_count > MANY_MARKERS
                            ? snw__groups_find_many(samples, segment_of, error)
                            : snw__groups_find(samples, segment_of, &scale, error);
    if (status == SNW_OK)
        *segment_count = snw__number_groups(segment_of, samples->marker_count, number);
    snw__release(&samples->allocator, number, size);
    return status;
}

static snw_status group_by_tolerance(const snw__samples *samples, double tolerance, int *segment_of,
                                     int *segment_count, snw_error *error)
{
    int n = samples->marker_count;
    rigidity_work work = {.n = (size_t)n};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &work, &samples->allocator, "grouping markers", error);
    if (status != SNW_OK) return status;
    status = snw__marker_deviations(samples, work.link, error);
    if (status == SNW_OK) {
        merge(&work, n, tolerance, segment_of);
        *segment_count = snw__number_groups(segment_of, n, work.nearest);
    }
    snw__block_release(&samples->allocator, &block);
    return status;
}

snw_status snw__segments_by_rigidity(const snw__samples *samples, double tolerance, int *segment_of,
                                     int *segment_count, snw_error *error)
{
    return tolerance < 0 ? group_by_worth(samples, segment_of, segment_count, error)
                         : group_by_tolerance(samples, tolerance, segment_of, segment_count, error);
}

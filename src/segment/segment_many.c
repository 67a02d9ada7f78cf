/* Segments of very many markers: some are grouped, the others follow.
 *
 * What a grouping costs grows faster than the markers. But a segment is known from a few of its
 * markers, and whether one more belongs to it is seen from its body alone. So markers are chosen
 * that move as differently from each other as any (farthest point first, Gonzalez 1985, "Clustering
 * to minimize the maximum intercluster distance"), each with the two whose distances to it are
 * steadiest, so that no segment is missed or seen by one marker only. These are grouped, and every
 * other marker goes to the body from which it strays least, if that explains it as well as its own
 * markers. What is left begins anew. */
#include "segment/segment_many.h"

#include <sinew/dense.h>
#include <sinew/geometry.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"

typedef struct many_room {
    const snw__samples *samples;
    size_t n;
    int *group_of;   /* (n) -1: not yet */
    int group_count; /* so far */
    int *left;       /* (n) markers that have no group yet */
    int *picked;     /* (MANY_MARKERS) of these */
    int *picked_of;  /* (MANY_MARKERS) their groups */
    int *member;     /* (n) of one group */
    bool *is_picked; /* (n) */
    double *apart;   /* (n) the least deviation to a chosen marker */
    double *row;     /* (n) deviations to one marker */
    double *gain;    /* (n) of the best group so far */
    int *home;       /* (n) that group */
    int *near;       /* (n) group from which it strays least, no more than skin; -1: none */
    double *least;   /* (n) how much it strays from there, square metres */
    snw_xform *pose; /* (SEGMENT_RUNS) of one group */
    bool *has_pose;  /* (SEGMENT_RUNS) */
    snw__block block;
} many_room;

static void lay_out_many(void *object, snw__block *block)
{
    many_room *room = object;
    size_t n = room->n;
    room->left = snw__block_take(block, n, sizeof(int));
    room->picked = snw__block_take(block, n, sizeof(int));
    room->picked_of = snw__block_take(block, n, sizeof(int));
    room->member = snw__block_take(block, n, sizeof(int));
    room->is_picked = snw__block_take(block, n, sizeof(bool));
    room->apart = snw__block_take(block, n, sizeof(double));
    room->row = snw__block_take(block, n, sizeof(double));
    room->gain = snw__block_take(block, n, sizeof(double));
    room->home = snw__block_take(block, n, sizeof(int));
    room->near = snw__block_take(block, n, sizeof(int));
    room->least = snw__block_take(block, n, sizeof(double));
    room->pose = snw__block_take(block, 2 * SEGMENT_RUNS, sizeof(snw_xform));
    room->has_pose = snw__block_take(block, 2 * SEGMENT_RUNS, sizeof(bool));
}

static int stride_of(const snw__samples *samples, int frames)
{
    return 1 + samples->frame_count / frames;
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Standard deviation of the distance of two markers over a few frames; infinite where too few show
 * both. */
static double deviation_of(const snw__samples *samples, int a, int b)
{
    /* Frames that markers are chosen by, and frames that the others' strays are taken from. */
    int count = 0, stride = stride_of(samples, SNW__SAMPLES_LOOK);
    double first = 0, sum = 0, square = 0;
    for (int f = 0; f < samples->frame_count; f += stride) {
        const uint8_t *seen = snw__samples_seen(samples, f);
        const snw_vec3 *point = snw__samples_points(samples, f);
        if (!seen[a] || !seen[b]) continue;
        double d = snw_vec3_distance(point[a], point[b]);
        if (count++ == 0) first = d;
        sum += d - first;
        square += (d - first) * (d - first);
    }
    if (count < SNW__SAMPLES_MEDIAN) return HUGE_VAL;
    return sqrt(fmax(square / count - sum / count * (sum / count), 0));
}

static int seen_frames(const snw__samples *samples, int marker)
{
    int count = 0;
    for (int f = 0; f < samples->frame_count; f++)
        count += snw__samples_seen(samples, f)[marker];
    return count;
}

static int pick(many_room *room, int marker, int count)
{
    room->is_picked[marker] = true;
    room->picked[count] = marker;
    return count + 1;
}

/* The two markers whose distances to the one of `row` are steadiest. */
static int pick_partners(many_room *room, int left_count, int count)
{
    for (int k = 0; k < 2 && count < MANY_MARKERS; k++) {
        int best = -1;
        for (int i = 0; i < left_count; i++) {
            int m = room->left[i];
            if (room->is_picked[m] || !(room->row[m] < HUGE_VAL)) continue;
            if (best < 0 || room->row[m] < room->row[best]) best = m;
        }
        if (best >= 0) count = pick(room, best, count);
    }
    return count;
}

/* ---- the others follow ---------------------------------------------------------------------- */

/* How much more a marker at x varies than its own noise says, because the pose of k markers does:
 * 1 / k + tr([x] I^-1 [x]^T) / 3 with their moments of inertia I (the covariance of a rigid fit).
 */
static double pose_excess(snw_vec3 x, snw_vec3 middle, const double inverse[9], int count)
{
    snw_vec3 d = snw_vec3_sub(x, middle);
    const double cross[3][3] = {{0, -d.z, d.y}, {d.z, 0, -d.x}, {-d.y, d.x, 0}};
    double trace = 0;
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                trace += cross[r][i] * inverse[3 * i + j] * cross[r][j];
    return 1.0 / count + trace / 3;
}

typedef struct many_stray {
    snw_vec3 mean;   /* of the marker in the body's axes */
    double variance; /* of a coordinate */
    double share;    /* of the frames that show both */
} many_stray;

/* Frames farther off than `limit` (squared) do not count. */
static many_stray stray_within(const many_room *room, int marker, snw_vec3 about, double limit)
{
    const snw__samples *samples = room->samples;
    int stride = stride_of(samples, SEGMENT_RUNS), count = 0, frames = 0;
    snw_vec3 sum = {0, 0, 0};
    double square = 0;
    for (int f = 0, k = 0; f < samples->frame_count; f += stride, k++, frames++) {
        if (!room->has_pose[k] || !snw__samples_seen(samples, f)[marker]) continue;
        snw_vec3 d = snw_vec3_sub(
            snw_xform_unpoint(room->pose[k], snw__samples_points(samples, f)[marker]), about);
        if (snw_vec3_length2(d) > limit) continue;
        sum = snw_vec3_add(sum, d);
        square += snw_vec3_length2(d);
        count++;
    }
    many_stray stray = {about, HUGE_VAL, 0};
    if (count < SNW__SAMPLES_MEDIAN) return stray;
    snw_vec3 mean = snw_vec3_scale(sum, 1.0 / count);
    stray.mean = snw_vec3_add(about, mean);
    stray.variance = fmax(square / count - snw_vec3_length2(mean), 0) / 3;
    stray.share = (double)count / frames;
    return stray;
}

/* What every marker that is left would gain from a group of the chosen ones. */
static void offer_group(many_room *room, snw__group_work *bodies, int count, int group,
                        int left_count)
{
    const snw__segment_scale *scale = bodies->scale;
    double inverse[9];
    snw_vec3 middle;
    snw__group_shape(bodies, room->member, count);
    /* The inverse of the moments of inertia of a shape about its middle; points in a line have
     * none. */
    double inertia[9] = {0};
    middle = snw_vec3_make(0, 0, 0);
    for (int k = 0; k < count; k++)
        middle = snw_vec3_add_scaled(middle, 1.0 / count, bodies->shape[k]);
    for (int k = 0; k < count; k++) {
        snw_vec3 d = snw_vec3_sub(bodies->shape[k], middle);
        const double a[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                inertia[3 * i + j] += (i == j ? snw_vec3_length2(d) : 0) - a[i] * a[j];
    }
    if (snw_cholesky_factor(inertia, 3) != SNW_OK) return;
    for (int i = 0; i < 3; i++) {
        double column[3] = {i == 0, i == 1, i == 2};
        if (snw_cholesky_solve(inertia, 3, column) != SNW_OK) return;
        for (int j = 0; j < 3; j++)
            inverse[3 * j + i] = column[j];
    }
    /* Poses of a group in the frames that strays are taken from. */
    int stride = stride_of(room->samples, SEGMENT_RUNS);
    for (int f = 0, k = 0; f < room->samples->frame_count; f += stride, k++)
        room->has_pose[k] = snw__group_pose(bodies, room->member, count, f, room->pose + k);
    for (int i = 0; i < left_count; i++) {
        int m = room->left[i];
        if (room->group_of[m] >= 0) continue;
        /* A few wild samples are left out. */
        many_stray all = stray_within(room, m, snw_vec3_make(0, 0, 0), HUGE_VAL);
        many_stray stray = all;
        if (all.variance < HUGE_VAL) {
            many_stray plain = stray_within(room, m, all.mean,
                                            3 * (RIGIDITY_SIGMAS * RIGIDITY_SIGMAS) * all.variance);
            stray = plain.share >= (1 - SNW__STRAY_SHARE) * all.share ? plain : all;
        }
        if (!(stray.variance < HUGE_VAL)) continue;
        double variance = stray.variance / (1 + pose_excess(stray.mean, middle, inverse, count));
        if (variance < fmin(scale->stray, room->least[m])) {
            room->least[m] = variance;
            room->near[m] = group;
        }
        double gain = 1.5 * snw__log(scale->pose / fmax(variance, scale->finest)) + scale->segment;
        if (!(gain > room->gain[m])) continue;
        room->gain[m] = gain;
        room->home[m] = group;
    }
}

/* Groups become segments; small ones wait for those that are left, unless this is all there is:
 * single markers and a few that move alike by chance. Returns how many chosen markers got a
 * segment. */
static int take_groups(many_room *room, int picked_count, bool is_all)
{
    int taken = 0;
    for (int a = 0; a < picked_count; a++) {
        int size = 0;
        if (room->group_of[room->picked[a]] >= 0) continue;
        for (int b = a; b < picked_count; b++)
            size += room->picked_of[b] == room->picked_of[a];
        if (size <= SEARCH_SMALL && !is_all) continue;
        for (int b = a; b < picked_count; b++)
            if (room->picked_of[b] == room->picked_of[a])
                room->group_of[room->picked[b]] = room->group_count;
        room->group_count++;
        taken += size;
    }
    return taken;
}

static snw_status attach_others(many_room *room, const snw__segment_scale *scale, int first_group,
                                int picked_count, int left_count, snw_error *error)
{
    snw__group_work bodies = {.samples = room->samples, .scale = scale};
    snw__block block;
    snw_status status = snw__block_create(&block, snw__group_work_lay_out, &bodies,
                                          &room->samples->allocator, "rigid bodies", error);
    if (status != SNW_OK) return status;
    for (int i = 0; i < left_count; i++) {
        room->gain[room->left[i]] = 0;
        room->home[room->left[i]] = -1;
    }
    for (int g = first_group; g < room->group_count; g++) {
        int count = 0;
        for (int a = 0; a < picked_count; a++)
            if (room->group_of[room->picked[a]] == g) room->member[count++] = room->picked[a];
        if (count >= 3) offer_group(room, &bodies, count, g, left_count);
    }
    for (int i = 0; i < left_count; i++)
        if (room->group_of[room->left[i]] < 0)
            room->group_of[room->left[i]] = room->home[room->left[i]];
    snw__block_release(&room->samples->allocator, &block);
    return SNW_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Groups the chosen markers; the others of those that are left follow where they fit. */
static snw_status group_some(many_room *room, int left_count, snw_error *error)
{
    bool is_all = left_count <= MANY_MARKERS;
    int picked_count = left_count, first_group = room->group_count;
    for (int i = 0; i < left_count && is_all; i++)
        room->picked[i] = room->left[i];
    if (!is_all) {
        /* Farthest first; a marker that is seldom seen is no start. */
        int count = 0, most = 0;
        for (int i = 0; i < left_count; i++) {
            int m = room->left[i], seen = seen_frames(room->samples, m);
            room->is_picked[m] = false;
            room->apart[m] = HUGE_VAL;
            room->home[m] = seen;
            if (seen > most) most = seen;
        }
        while (count < MANY_MARKERS) {
            int next = -1;
            for (int i = 0; i < left_count; i++) {
                int m = room->left[i];
                if (room->is_picked[m] || room->home[m] < MANY_SEEN * most) continue;
                if (next < 0 || room->apart[m] > room->apart[next]) next = m;
            }
            if (next < 0) break;
            count = pick(room, next, count);
            for (int i = 0; i < left_count; i++) {
                int m = room->left[i];
                room->row[m] = deviation_of(room->samples, m, next);
                room->apart[m] = fmin(room->apart[m], room->row[m]);
            }
            count = pick_partners(room, left_count, count);
        }
        picked_count = count;
    }
    snw__samples *some = NULL;
    snw__segment_scale scale;
    snw_status status = snw__samples_pick(room->samples, room->picked, picked_count, &some, error);
    if (status != SNW_OK) return status;
    status = snw__groups_find(some, room->picked_of, &scale, error);
    snw__samples_destroy(some);
    if (status != SNW_OK) return status;
    if (take_groups(room, picked_count, is_all) == 0) take_groups(room, picked_count, true);
    return is_all ? SNW_OK
                  : attach_others(room, &scale, first_group, picked_count, left_count, error);
}

static int list_left(many_room *room)
{
    int count = 0;
    for (int m = 0; m < (int)room->n; m++)
        if (room->group_of[m] < 0) room->left[count++] = m;
    return count;
}

snw_status snw__groups_find_many(const snw__samples *samples, int *group_of, snw_error *error)
{
    many_room room = {.samples = samples, .n = (size_t)samples->marker_count, .group_of = group_of};
    snw_status status = snw__block_create(&room.block, lay_out_many, &room, &samples->allocator,
                                          "grouping markers", error);
    if (status != SNW_OK) return status;
    for (int m = 0; m < samples->marker_count; m++) {
        group_of[m] = room.near[m] = -1;
        room.least[m] = HUGE_VAL;
    }
    status = group_some(&room, list_left(&room), error);
    int first_count = room.group_count;
    for (int left = list_left(&room); left > 0 && status == SNW_OK; left = list_left(&room))
        status = group_some(&room, left, error);
    if (status == SNW_OK) {
        /* Markers that were left and found each other may still be on one of the first segments:
         * skin that moves more there than elsewhere. They are, where each strays from the same one
         * by no more than skin. */
        for (int g = first_count; g < room.group_count; g++) {
            int home = -2;
            for (size_t m = 0; m < room.n; m++)
                if (room.group_of[m] == g)
                    home = home == -2 || home == room.near[m] ? room.near[m] : -1;
            for (size_t m = 0; m < room.n && home >= 0; m++)
                if (room.group_of[m] == g) room.group_of[m] = home;
        }
    }
    snw__block_release(&samples->allocator, &room.block);
    return status;
}

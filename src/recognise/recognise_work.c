/* What one search looks at: points, frames, memory, and which segments it expects. */
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/anthropometry.h"
#include "person/movement.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

/* ---- points and frames ---------------------------------------------------------------------- */

/* Share of the trial in which the marker is seen, and how far it went, metres: in all, and but for
 * a few frames in which it jumped. */
typedef struct point_life {
    double share;
    double way;
    double usual_way;
} point_life;

/* Between the outer frames of each axis, but for a share of them at either end. */
static double usual_way(const snw_trial *trial, int marker)
{
    double value[3][RECOGNISE_WAY_FRAMES];
    int count = 0, stride = 1 + trial->frame_count / RECOGNISE_WAY_FRAMES;
    for (int f = 0; f < trial->frame_count; f += stride) {
        if (!snw_trial_is_present(trial, f, marker)) continue;
        snw_vec3 x = snw_trial_position(trial, f, marker);
        value[0][count] = x.x, value[1][count] = x.y, value[2][count++] = x.z;
    }
    double square = 0;
    for (int i = 0; i < 3 && count; i++) {
        int low = (int)(RECOGNISE_WAY_JUMPS * count);
        snw__sort_doubles(value[i], count);
        double way = value[i][count - 1 - low] - value[i][low];
        square += way * way;
    }
    return sqrt(square);
}

static point_life life_of(const snw_trial *trial, int marker)
{
    int count = 0;
    snw_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int f = 0; f < trial->frame_count; f++) {
        if (!snw_trial_is_present(trial, f, marker)) continue;
        snw_vec3 x = snw_trial_position(trial, f, marker);
        low = snw_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = snw_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        count++;
    }
    point_life life = {count / fmax(1, trial->frame_count), 0, 0};
    if (count) life.way = snw_vec3_distance(low, high);
    life.usual_way = usual_way(trial, marker);
    return life;
}

static double median_usual_way(const snw_trial *trial, const snw_recognised *recognised)
{
    double way[SNW__RECOGNISE_POINTS];
    int count = 0, stride = 1 + trial->marker_count / SNW__RECOGNISE_POINTS;
    for (int m = 0; m < trial->marker_count; m += stride) {
        point_life life = life_of(trial, m);
        if (life.share >= SNW__SEEN_LEAST && !snw__is_computed(recognised, m))
            way[count++] = life.usual_way;
    }
    return snw__median(way, count);
}

int snw__recognise_points(const snw_trial *trial, const snw_recognised *recognised,
                          int marker[SNW__PEOPLE_POINTS], double *whole)
{
    int count = 0;
    *whole = 0;
    /* Do most markers stand? Then what stands is the person, too. */
    int still = 0, all = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        point_life life = life_of(trial, m);
        if (snw__is_computed(recognised, m)) continue;
        all += life.share >= SNW__SEEN_LEAST;
        /* A marker is looked at that is seen in this share of the frames and went this far, metres;
         * there must be so many, and this share of the trial's without a name. */
        still += life.share >= SNW__SEEN_LEAST && life.way < (2 * SNW__STILL);
    }
    bool is_still = 2 * still > all;
    double still_way = RECOGNISE_WAY_SHARE * median_usual_way(trial, recognised);
    for (int m = 0; m < trial->marker_count; m++) {
        point_life life = life_of(trial, m);
        if (life.share < SNW__SEEN_LEAST || snw__is_computed(recognised, m)) continue;
        if (life.way < (2 * SNW__STILL) && !is_still) continue;
        if (life.usual_way < still_way) continue;
        *whole += life.share;
        if (count < SNW__PEOPLE_POINTS) marker[count++] = m;
    }
    return count;
}

static void choose_frames(snw__recognise_work *work)
{
    const snw_trial *trial = work->trial;
    double rate = trial->rate > 0 ? trial->rate : 100;
    double wanted =
        snw_clamp(trial->frame_count / rate * RECOGNISE_RATE, 12, SNW__RECOGNISE_FRAMES);
    if (wanted > trial->frame_count) wanted = trial->frame_count;
    work->frame_count = (int)wanted;
    for (int n = 0; n < work->frame_count; n++)
        work->frame[n] = (int)((n + 0.5) * trial->frame_count / work->frame_count);
}

static void read_points(snw__recognise_work *work)
{
    for (int f = 0; f < work->frame_count; f++)
        for (int p = 0; p < work->point_count; p++) {
            int at = f * work->point_count + p;
            work->is_seen[at] = snw_trial_is_present(work->trial, work->frame[f], work->marker[p]);
            if (work->is_seen[at])
                work->position[at] =
                    snw_trial_position(work->trial, work->frame[f], work->marker[p]);
        }
}

/* ---- plans ---------------------------------------------------------------------------------- */

static bool plan_has(snw__plan plan, snw_part part)
{
    bool is_leg = part == SNW_PART_UPLEG || part == SNW_PART_LEG || part == SNW_PART_FOOT;
    bool is_arm = part == SNW_PART_ARM || part == SNW_PART_FOREARM || part == SNW_PART_HAND;
    if (plan == SNW__PLAN_LEGS) return is_leg || part == SNW_PART_HIPS;
    if (plan == SNW__PLAN_ARMLESS) return !is_arm;
    return plan == SNW__PLAN_BODY || !is_leg;
}

void snw__recognise_plan(snw__recognise_work *work, snw__plan plan)
{
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
        work->has_segment[s] = plan_has(plan, snw__segment_of(s)->part);
    for (int a = 0; a < work->site_count; a++)
        work->share[a] = work->has_segment[work->site[a].segment] ? work->site[a].row->share : 0;
}

double snw__recognise_unusual(snw__plan plan, double log_stature)
{
    static const double rare[SNW__PLAN_COUNT] = {
        [SNW__PLAN_ARMLESS] = SNW__EVIDENCE,
        [SNW__PLAN_UPPER_BODY] = RECOGNISE_UPPER_BODY,
    };
    double off = log_stature - snw__log(SNW__STATURE);
    off /= off > 0 ? TEMPLATE_TALL_SPREAD : (2 * TEMPLATE_TALL_SPREAD);
    return rare[plan] + off * off / 2;
}

double snw__recognise_overturned(const snw__recognise_work *work, snw_quat pelvis)
{
    snw_vec3 up = snw_quat_rotate(pelvis, snw_vec3_make(0, 0, 1));
    const double along[3] = {up.x, up.y, up.z};
    int axis = fabs(up.x) > fabs(up.y) ? 0 : 1;
    if (fabs(up.z) > fabs(along[axis])) axis = 2;
    double sign = 1;
    snw_up_axis known = work->trial->is_up_assumed ? SNW_UP_UNKNOWN : work->trial->up;
    if (known != SNW_UP_UNKNOWN) {
        axis = ((int)known - SNW_UP_X) % 3;
        sign = known >= SNW_UP_NEGATIVE_X ? -1 : 1;
    }
    return RECOGNISE_OVERTURNED * fmax(0, -sign * along[axis]);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lay_out_work(void *object, snw__block *block)
{
    snw__recognise_work *work = object;
    snw__block_take(block, 1, sizeof *work);
    size_t points = (size_t)work->point_count, frames = (size_t)work->frame_count;
    size_t columns = SNW__SITE_MAX + points;
    work->site = snw__block_take(block, SNW__SITE_MAX, sizeof *work->site);
    work->problem = snw__block_take(block, 1, sizeof *work->problem);
    work->start = snw__block_take(block, 1, sizeof *work->start);
    work->look = snw__block_take(block, 1, sizeof *work->look);
    work->position = snw__block_take(block, points * frames, sizeof(snw_vec3));
    work->is_seen = snw__block_take(block, points * frames, sizeof(bool));
    work->pair = snw__block_take(block, SNW__RECOGNISE_PAIRS, sizeof *work->pair);
    work->pose = snw__block_take(block, frames, sizeof *work->pose);
    work->local = snw__block_take(block, points, sizeof *work->local);
    work->loose = snw__block_take(block, points, sizeof *work->loose);
    work->hypothesis = snw__block_take(block, SNW__RECOGNISE_HYPOTHESES, sizeof *work->hypothesis);
    work->varies = snw__block_take(block, points * points, sizeof(double));
    work->is_apart = snw__block_take(block, points * points, sizeof(bool));
    work->cost = snw__block_take(block, points * columns, sizeof(double));
    work->assignment.row_dual = snw__block_take(block, points, sizeof(double));
    work->assignment.column_dual = snw__block_take(block, columns + 1, sizeof(double));
    work->assignment.distance = snw__block_take(block, columns + 1, sizeof(double));
    work->assignment.owner = snw__block_take(block, columns + 1, sizeof(int));
    work->assignment.from = snw__block_take(block, columns + 1, sizeof(int));
    work->assignment.is_done = snw__block_take(block, columns + 1, sizeof(bool));
}

snw_status snw__recognise_open(const snw_trial *trial, const int *marker, int point_count,
                               const snw_allocator *allocator, snw__recognise_work **out,
                               snw_error *error)
{
    snw__recognise_work sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.trial = trial;
    sketch.allocator = *allocator;
    sketch.point_count = point_count;
    memcpy(sketch.marker, marker, (size_t)point_count * sizeof *marker);
    choose_frames(&sketch);
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_work, &sketch, allocator,
                                          "the search for a person", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    *out = (void *)block.base;
    **out = sketch;
    (*out)->site_count = snw__sites_fill((*out)->site);
    read_points(*out);
    snw__recognise_work *work = *out;
    for (int p = 0; p < work->point_count; p++)
        for (int q = 0; q < p; q++) {
            int pq = p * work->point_count + q, qp = q * work->point_count + p;
            /* How much the distance of two points varies while both are seen, and whether they ever
             * are. */
            double sum = 0, square = 0;
            int count = 0;
            for (int f = 0; f < work->frame_count; f++) {
                if (!snw__point_is_seen(work, f, p) || !snw__point_is_seen(work, f, q)) continue;
                double d = snw_vec3_distance(snw__point_at(work, f, p), snw__point_at(work, f, q));
                sum += d;
                square += d * d;
                count++;
            }
            work->is_apart[pq] = count == 0;
            work->varies[pq] = work->varies[qp] =
                (count > 1 ? sqrt(fmax(0, square / count - sum / count * (sum / count))) : 0);
            work->is_apart[qp] = work->is_apart[pq];
        }
    return SNW_OK;
}

void snw__recognise_close(snw__recognise_work *work)
{
    snw_allocator allocator = work->allocator;
    snw__release(&allocator, work, work->block_size);
}

/* Clocks of cameras that run freely, from the motion that they film.
 *
 * Rays of two cameras to the same joint meet only where both are of the same instant. For pairs of
 * cameras the mean distance of the rays (robust: Geman & McClure) is looked at over all offsets of
 * whole frames, then between them, by how the distance changes from frame to frame. The
 * offsets of the pairs agree on one delay for each camera by least squares; what two ends of the
 * recording differ by is the drift. */
#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "view/sighting.h"

enum {
    CLOCK_PARTNERS = 3 /* of a camera: enough to find one that is wrong */
};

typedef struct clock_pair {
    int a, b;
    double offset; /* frames: of b after a */
    double weight; /* one over its variance */
} clock_pair;

typedef struct clock_work {
    const snw_views *views;
    const snw_cameras *cameras;
    int frame_first, frame_count; /* of the window at hand */
    int offset_max;
    snw_vec3 *ray;  /* (camera_count x window x point_count); zero: not seen */
    double *cost;   /* (2 offset_max + 1) */
    double *sorted; /* the same */
    int pair_count;
    clock_pair *pair; /* (camera_count x CLOCK_PARTNERS) */
    double *a;        /* (cameras x cameras) */
    double *delay[2]; /* (cameras) frames; of each end */
    double *sigma;    /* (cameras) */
    int window_max;
} clock_work;

static void lay_out(void *object, snw__block *block)
{
    clock_work *w = object;
    size_t cameras = (size_t)w->views->camera_count, offsets = 2 * (size_t)w->offset_max + 1;
    size_t seen =
        snw__size_mul(snw__size_mul(cameras, (size_t)w->window_max), (size_t)w->views->point_count);
    w->ray = snw__block_take(block, seen, sizeof *w->ray);
    w->cost = snw__block_take(block, offsets, sizeof *w->cost);
    w->sorted = snw__block_take(block, offsets, sizeof *w->sorted);
    w->pair = snw__block_take(block, cameras * CLOCK_PARTNERS, sizeof *w->pair);
    w->a = snw__block_take(block, cameras * cameras, sizeof *w->a);
    for (int k = 0; k < 2; k++)
        w->delay[k] = snw__block_take(block, cameras, sizeof *w->delay[k]);
    w->sigma = snw__block_take(block, cameras, sizeof *w->sigma);
}

/* ---- rays --------------------------------------------------------------------------------- */

static const snw_vec3 *rays_of(const clock_work *w, int camera, int frame)
{
    size_t at = (size_t)camera * (size_t)w->window_max + (size_t)frame;
    return w->ray + at * (size_t)w->views->point_count;
}

/* Of the surest detection in each picture. */
static void load(clock_work *w)
{
    const snw_views *views = w->views;
    memset(w->ray, 0,
           (size_t)views->camera_count * (size_t)w->window_max * (size_t)views->point_count *
               sizeof *w->ray);
    for (int c = 0; c < views->camera_count; c++)
        for (int f = 0; f < w->frame_count; f++) {
            int d = snw__views_surest(views, c, f + w->frame_first);
            snw_vec3 *ray = w->ray + (rays_of(w, c, f) - w->ray);
            for (int p = 0; d >= 0 && p < views->point_count; p++) {
                const snw_keypoint *seen =
                    views->keypoint + (size_t)d * (size_t)views->point_count + p;
                const double pixel[2] = {(double)seen->x, (double)seen->y};
                if (!(seen->confidence > (float)SNW__MINOR) ||
                    !snw_camera_ray(w->cameras->camera + c, pixel, ray + p))
                    ray[p] = (snw_vec3){0, 0, 0};
            }
        }
}

static bool is_seen(snw_vec3 ray)
{
    return ray.x != 0 || ray.y != 0 || ray.z != 0;
}

/* The signed distance of two rays; false where they are nearly along each other. */
static bool apart(snw_vec3 base, snw_vec3 from, snw_vec3 to, double *out)
{
    snw_vec3 across = snw_vec3_cross(from, to);
    double length2 = snw_vec3_length2(across);
    if (!(length2 > SNW__SINGLE)) return false;
    *out = snw_vec3_dot(base, across) / sqrt(length2);
    return true;
}

static snw_vec3 base_of(const clock_work *w, int a, int b)
{
    return snw_vec3_sub(snw_camera_place(w->cameras->camera + b),
                        snw_camera_place(w->cameras->camera + a));
}

/* Mean robust distance of the rays of a pair, where b's pictures are `offset` frames late; infinite
 * where few are of one instant. A decimetre counts half. */
static double cost_of(const clock_work *w, int a, int b, int offset, int stride)
{
    double sum = 0;
    int count = 0, tried = 0;
    snw_vec3 base = base_of(w, a, b);
    for (int f = 0; f < w->frame_count; f += stride) {
        int g = f - offset;
        tried++;
        if (g < 0 || g >= w->frame_count) continue;
        const snw_vec3 *from = rays_of(w, a, f), *to = rays_of(w, b, g);
        for (int p = 0; p < w->views->point_count; p++) {
            double off;
            if (!is_seen(from[p]) || !is_seen(to[p]) || !apart(base, from[p], to[p], &off))
                continue;
            sum += snw__geman_mcclure_cost(off * off / (SNW__FEW * SNW__FEW));
            count++;
        }
    }
    return count > tried ? sum / count : INFINITY;
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* The least cost over whole frames; false where none stands out: nobody moves. */
static bool search(clock_work *w, clock_pair *pair)
{
    int stride = w->frame_count / SNW__SAMPLES_JUDGE + 1, best = 0, count = 2 * w->offset_max + 1;
    int known = 0;
    for (int k = 0; k < count; k++) {
        w->cost[k] = cost_of(w, pair->a, pair->b, k - w->offset_max, stride);
        if (isfinite(w->cost[k])) w->sorted[known++] = w->cost[k];
        if (w->cost[k] < w->cost[best]) best = k;
    }
    double usual = snw__median(w->sorted, known);
    pair->offset = best - w->offset_max;
    return known > 2 && w->cost[best] < SNW__HALF * usual;
}

/* The part of a frame between: the distance s of the rays is nought where b's picture is of a's
 * instant, and changes by s' from frame to frame,
 *
 *     part = sum w s s' / sum w s'^2.
 *
 * s' over a twentieth of a second either way: its own noise would make the part too small. Pictures
 * are not blended, which would make their noise less in the middle between frames. */
static bool refine(const clock_work *w, clock_pair *pair)
{
    int reach = (int)fmax(1, SNW__HALF * SNW__BRIEF * w->views->rate);
    snw_vec3 base = base_of(w, pair->a, pair->b);
    for (int round = 0; round < SNW__ROUNDS_NEAR; round++) {
        double sum = 0, slope2 = 0, off2 = 0, whole = floor(pair->offset + SNW__HALF);
        double part = pair->offset - whole;
        int count = 0;
        for (int f = 0; f < w->frame_count; f++) {
            int g = f - (int)whole;
            if (g < reach || g >= w->frame_count - reach) continue;
            const snw_vec3 *from = rays_of(w, pair->a, f), *to = rays_of(w, pair->b, g),
                           *before = rays_of(w, pair->b, g - reach),
                           *after = rays_of(w, pair->b, g + reach);
            for (int p = 0; p < w->views->point_count; p++) {
                double s, low, high;
                if (!is_seen(from[p]) || !is_seen(to[p]) || !is_seen(before[p]) ||
                    !is_seen(after[p]) || !apart(base, from[p], to[p], &s) ||
                    !apart(base, from[p], before[p], &low) ||
                    !apart(base, from[p], after[p], &high))
                    continue;
                double slope = (high - low) / (2 * reach), left = s - part * slope;
                double weight = snw__geman_mcclure_weight(left * left / (SNW__FEW * SNW__FEW));
                sum += weight * s * slope;
                slope2 += weight * slope * slope;
                off2 += weight * left * left;
                count++;
            }
        }
        if (count < SNW__SAMPLES_MIN || !(slope2 > 0)) return false;
        pair->offset = whole + snw_clamp(sum / slope2, -1, 1);
        pair->weight = slope2 / fmax(off2 / count, SNW__SINGLE * SNW__SINGLE);
    }
    return true;
}

static int pair_up(clock_work *w)
{
    int cameras = w->views->camera_count, count = 0;
    for (int a = 0; a < cameras; a++)
        for (int k = 1; k <= CLOCK_PARTNERS; k++) {
            int b = (a + k) % cameras;
            bool is_twice = b < a && (b - a + cameras) % cameras > cameras - k;
            if (b == a || is_twice || (2 * k > cameras) || (2 * k == cameras && b < a)) continue;
            clock_pair *pair = w->pair + count;
            *pair = (clock_pair){a, b, 0, 0};
            if (search(w, pair) && refine(w, pair)) count++;
        }
    return count;
}

/* ---- delays ------------------------------------------------------------------------------- */

/* Least squares over the pairs, camera 0 is right; pairs that contradict the others count little.
 */
static snw_status settle(clock_work *w, double *delay, snw_error *error)
{
    int n = w->views->camera_count;
    memset(delay, 0, (size_t)n * sizeof *delay);
    for (int round = 0; round < SNW__ROUNDS_NEAR; round++) {
        double *a = w->a, *b = w->sigma;
        memset(a, 0, (size_t)(n * n) * sizeof *a);
        memset(b, 0, (size_t)n * sizeof *b);
        for (int k = 0; k < w->pair_count; k++) {
            const clock_pair *pair = w->pair + k;
            double off = pair->offset - (delay[pair->b] - delay[pair->a]);
            double weight = pair->weight;
            if (round) weight *= snw__geman_mcclure_weight(off * off);
            a[pair->a * n + pair->a] += weight;
            a[pair->b * n + pair->b] += weight;
            int low = pair->a > pair->b ? pair->a : pair->b, other = pair->a + pair->b - low;
            a[low * n + other] -= weight;
            b[pair->a] -= weight * pair->offset;
            b[pair->b] += weight * pair->offset;
        }
        for (int c = 1; c < n; c++)
            if (!(a[c * n + c] > 0))
                return snw__fail_at(error, SNW_DEGENERATE,
                                    snw__at_name(c, w->cameras->camera[c].name),
                                    "camera %s sees too little motion that others see: its clock "
                                    "can not be found",
                                    w->cameras->camera[c].name);
        double most = 0; /* camera 0 is held by a weight that leaves the rest as it is */
        for (int c = 0; c < n; c++)
            most = fmax(most, a[c * n + c]);
        a[0] += most;
        if (snw_cholesky_factor(a, n) != SNW_OK || snw_cholesky_solve(a, n, b) != SNW_OK)
            return snw__fail(error, SNW_DEGENERATE,
                             "cameras fall into groups that see no motion alike");
        for (int c = 0; c < n; c++)
            delay[c] = b[c] - b[0];
    }
    return SNW_OK;
}

/* What the pairs of a camera disagree by, over the square root of their number. */
static void tell_sigma(clock_work *w, const double *delay)
{
    for (int c = 0; c < w->views->camera_count; c++) {
        double sum = 0;
        int count = 0;
        for (int k = 0; k < w->pair_count; k++) {
            const clock_pair *pair = w->pair + k;
            if (pair->a != c && pair->b != c) continue;
            double off = pair->offset - (delay[pair->b] - delay[pair->a]);
            sum += fmin(1, off * off);
            count++;
        }
        w->sigma[c] = count ? sqrt(sum) / count : 1;
    }
}

static snw_status look(clock_work *w, int first, int count, double *delay, snw_error *error)
{
    w->frame_first = first;
    w->frame_count = count;
    load(w);
    w->pair_count = pair_up(w);
    return settle(w, delay, error);
}

static snw_status find(clock_work *w, snw_view_clock *clock, snw_error *error)
{
    int frames = w->views->frame_count, window = w->window_max;
    double rate = w->views->rate;
    snw_status status = look(w, 0, window, w->delay[0], error);
    if (status != SNW_OK) return status;
    tell_sigma(w, w->delay[0]);
    for (int c = 0; c < w->views->camera_count; c++)
        clock[c] = (snw_view_clock){w->delay[0][c] / rate, 0, w->sigma[c] / rate};
    /* The drift shows only over a long time. */
    if (frames < 2 * window) return SNW_OK;
    status = look(w, frames - window, window, w->delay[1], error);
    if (status != SNW_OK) return status;
    double apart = frames - window;
    for (int c = 0; c < w->views->camera_count; c++) {
        clock[c].drift = (w->delay[1][c] - w->delay[0][c]) / apart;
        /* The first window's delay is that of its middle. */
        clock[c].delay -= clock[c].drift * SNW__HALF * window / rate;
    }
    return SNW_OK;
}

snw_status snw_views_synchronise(const snw_views *views, const snw_cameras *cameras, double longest,
                                 const snw_allocator *allocator, snw_view_clock *clock,
                                 snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    clock_work w = {.views = views, .cameras = cameras};
    snw__block block;
    snw_status status = snw__views_check(views, cameras, error);
    if (status != SNW_OK) return status;
    if (views->point_count < 2)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "points that nobody named do not show whose motion is whose: clocks are "
                         "found from keypoints");
    if (!(views->rate > 0) || !(longest > 0 && longest * views->rate < views->frame_count))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "%g seconds are no longest delay for %d frames at %g per second", longest,
                         views->frame_count, views->rate);
    w.offset_max = (int)(longest * views->rate) + 1;
    int span = SNW__SAMPLES_SHAPE + 2 * w.offset_max;
    w.window_max = views->frame_count < span ? views->frame_count : span;
    status = snw__block_create(&block, lay_out, &w, &memory, "clocks of cameras", error);
    if (status != SNW_OK) return status;
    status = find(&w, clock, error);
    snw__block_release(&memory, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- one clock for all ------------------------------------------------------------------------
 */

/* The detection of another picture that is nearest to this one, over the points of both; -1: none
 * within the size of the detection itself. */
static int nearest_detection(const snw_views *views, int detection, const int *list)
{
    const snw_keypoint *one = views->keypoint + (size_t)detection * (size_t)views->point_count;
    double nearest = INFINITY, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    int best = -1;
    for (int d = list[0]; d < list[1]; d++) {
        const snw_keypoint *other = views->keypoint + (size_t)d * (size_t)views->point_count;
        double sum = 0;
        int count = 0;
        for (int p = 0; p < views->point_count; p++) {
            if (!(one[p].confidence > 0) || !(other[p].confidence > 0)) continue;
            double x = (double)(one[p].x - other[p].x), y = (double)(one[p].y - other[p].y);
            sum += sqrt(x * x + y * y);
            count++;
        }
        if (!count || !(sum / count < nearest)) continue;
        nearest = sum / count;
        best = d;
    }
    for (int p = 0; p < views->point_count; p++) {
        if (!(one[p].confidence > 0)) continue;
        const double at[2] = {(double)one[p].x, (double)one[p].y};
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], at[i]);
            high[i] = fmax(high[i], at[i]);
        }
    }
    return nearest < SNW__MINOR * (high[0] - low[0] + high[1] - low[1]) ? best : -1;
}

/* The picture of a camera as it was at frame `at` of its own, between two frames. */
static int blend(const snw_views *views, int camera, double at, snw_keypoint *out)
{
    int frame = (int)floor(at), count = 0;
    double part = at - frame;
    if (frame < 0 || frame >= views->frame_count) return 0;
    const int *now = views->first + (size_t)camera * (size_t)views->frame_count + frame;
    for (int d = now[0]; d < now[1]; d++, count++) {
        const snw_keypoint *one = views->keypoint + (size_t)d * (size_t)views->point_count;
        int next =
            frame + 1 < views->frame_count && part > 0 ? nearest_detection(views, d, now + 1) : -1;
        if (!out) continue;
        snw_keypoint *to = out + (size_t)count * (size_t)views->point_count;
        memcpy(to, one, (size_t)views->point_count * sizeof *to);
        if (next < 0) continue;
        const snw_keypoint *other = views->keypoint + (size_t)next * (size_t)views->point_count;
        for (int p = 0; p < views->point_count; p++) {
            if (!(one[p].confidence > 0) || !(other[p].confidence > 0)) continue;
            to[p].x += (float)part * (other[p].x - one[p].x);
            to[p].y += (float)part * (other[p].y - one[p].y);
            to[p].confidence = (float)fmin((double)one[p].confidence, (double)other[p].confidence);
        }
    }
    return count;
}

snw_status snw_views_shift(const snw_views *views, const snw_view_clock *clock,
                           const snw_allocator *allocator, snw_views **out, snw_error *error)
{
    *out = NULL;
    if (!(views->rate > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "views have no rate: delays mean nothing");
    int64_t count = 0;
    snw_views *made = NULL;
    snw_views_counts counts = {views->camera_count, views->frame_count, views->point_count, 0,
                               (const char *const *)views->point};
    for (int pass = 0; pass < 2; pass++) {
        int64_t n = 0;
        count = 0;
        for (int c = 0; c < views->camera_count; c++)
            for (int f = 0; f < views->frame_count; f++, n++) {
                double at = (f - clock[c].delay * views->rate) / (1 + clock[c].drift);
                if (!isfinite(at)) at = -1;
                if (made) made->first[n] = (int)count;
                snw_keypoint *to =
                    made ? made->keypoint + (size_t)count * (size_t)views->point_count : NULL;
                count += blend(views, c, at, to);
            }
        if (count > INT32_MAX) return snw__fail(error, SNW_TOO_LARGE, "too many detections");
        if (made) made->first[n] = (int)count;
        counts.detection_count = (int)count;
        snw_status status = pass ? SNW_OK : snw_views_create(&counts, allocator, &made, error);
        if (status != SNW_OK) return status;
    }
    made->rate = views->rate;
    made->first_frame = views->first_frame;
    *out = made;
    return snw__succeed(error);
}

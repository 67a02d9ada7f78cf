/* The least time along a path under limits of velocity and acceleration, by reachability analysis
 * (Pham & Pham 2018, "A new approach to time-optimal path parameterization based on reachability
 * analysis"): with x = (ds/dt)^2 and u = d2s/dt2 velocities are |q'| sqrt(x), accelerations
 * q' u + q'' x. Backwards along the path the largest x from which the end can still be reached,
 * then forwards the largest u that stays below it. The path is a natural cubic spline through the
 * frames in each coordinate. */
#include "ik/servo/trajectory.h"

#include <string.h>

#include "base/fail.h"
#include "math/kernel.h"
#include "math/tolerance.h"

/* [chosen] Points between two frames at which limits are looked at: many for few frames. */
#define PATH_POINTS_MOST  64
#define PATH_POINTS_TOTAL (PATH_POINTS_MOST * PATH_POINTS_MOST)
#define PATH_POINTS_LEAST 4
/* Squared speed where nothing moves and nothing bounds it, in frames per second squared. */
#define PATH_UNBOUNDED (1 / (SNW__SAME * SNW__SAME))

typedef struct path {
    const snw_motion *motion;
    snw__path_limit limit;
    int width, frames; /* frames: 2 or more */
    int points, count; /* between frames; in all */
    double *position;  /* (frames x width) summed ways */
    double *bend;      /* (frames x width) second derivatives of the spline */
    double *work;      /* (frames) */
    double *slope;     /* (width) q' at a point */
    double *curve;     /* (width) q'' */
    double *largest;   /* (count) x that can be stopped from */
    double *speed2;    /* (count) x */
    double *time;      /* (count) */
    snw_pose *a, *b;
} path;

static void lay_out_path(void *object, snw__block *block)
{
    path *p = object;
    size_t width = (size_t)p->width, frames = (size_t)p->frames, count = (size_t)p->count;
    size_t table = snw__size_mul(frames, width);
    p->limit.velocity = snw__block_take(block, width, sizeof(double));
    p->limit.acceleration = snw__block_take(block, width, sizeof(double));
    p->limit.jerk = snw__block_take(block, width, sizeof(double));
    p->position = snw__block_take(block, table, sizeof(double));
    p->bend = snw__block_take(block, table, sizeof(double));
    p->work = snw__block_take(block, frames, sizeof(double));
    p->slope = snw__block_take(block, width, sizeof(double));
    p->curve = snw__block_take(block, width, sizeof(double));
    p->largest = snw__block_take(block, count, sizeof(double));
    p->speed2 = snw__block_take(block, count, sizeof(double));
    p->time = snw__block_take(block, count, sizeof(double));
}

/* ---- the path ------------------------------------------------------------------------------- */

static snw_status fill_path(path *p, snw_error *error)
{
    for (int k = 0; k < p->width; k++)
        p->position[k] = 0;
    for (int f = 1; f < p->frames; f++) {
        double *own = &p->position[snw__entry(f, p->width, 0)];
        snw_motion_get(p->motion, f - 1, p->a);
        snw_motion_get(p->motion, f, p->b);
        if (!snw__ik_is_pose_of(p->a, p->a->skeleton) || !snw__ik_is_pose_of(p->b, p->b->skeleton))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "frame %d of the path is no pose", f);
        snw__path_way(p->a, p->b, own);
        snw_status status = snw__path_check(p->motion->skeleton, &p->limit, own, error);
        if (status != SNW_OK) return status;
        for (int k = 0; k < p->width; k++)
            own[k] += own[k - p->width];
    }
    for (int k = 0; k < p->width; k++) {
        /* Second derivatives of the natural spline through coordinate k (de Boor 1978): neighbours
         * by 1/6, itself by 4/6, natural at the ends. */
        int n = p->frames, w = p->width;
        const double *y = p->position + k;
        double *m = p->bend + k;
        m[0] = p->work[0] = 0;
        for (int f = 1; f + 1 < n; f++) {
            double second = y[(f + 1) * w] - 2 * y[f * w] + y[(f - 1) * w];
            double pivot = 4 - p->work[f - 1];
            p->work[f] = 1 / pivot;
            m[f * w] = (6 * second - m[(f - 1) * w]) / pivot;
        }
        m[(n - 1) * w] = 0;
        for (int f = n - 2; f > 0; f--)
            m[f * w] -= p->work[f] * m[(f + 1) * w];
    }
    return SNW_OK;
}

/* q' and q'' at point i, per frame. */
static void slope_at(path *p, int i)
{
    int frame = i / p->points;
    if (frame > p->frames - 2) frame = p->frames - 2;
    double t = (double)(i - frame * p->points) / p->points;
    const double *y = &p->position[snw__entry(frame, p->width, 0)];
    const double *m = &p->bend[snw__entry(frame, p->width, 0)];
    for (int k = 0; k < p->width; k++) {
        double y0 = y[k], y1 = y[k + p->width], m0 = m[k], m1 = m[k + p->width];
        p->slope[k] = y1 - y0 - (3 * (1 - t) * (1 - t) - 1) * m0 / 6 + (3 * t * t - 1) * m1 / 6;
        p->curve[k] = (1 - t) * m0 + t * m1;
    }
}

/* ---- the fastest way along it --------------------------------------------------------------- */

/* The accelerations u that are allowed at speed2 x; false: none. Needs slope_at. */
static bool allowed_push(const path *p, double x, double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    for (int k = 0; k < p->width; k++) {
        double slope = fabs(p->slope[k]), most = p->limit.acceleration[k];
        double curve = p->slope[k] < 0 ? -p->curve[k] : p->curve[k];
        if (!(most < INFINITY)) continue;
        if (slope > 1e-14) {
            *low = fmax(*low, (-most - curve * x) / slope);
            *high = fmin(*high, (most - curve * x) / slope);
        } else if (fabs(curve * x) > most * (1 + 1e-12)) {
            return false;
        }
    }
    return *low <= *high;
}

/* Can x come to between 0 and `next` in a step of `way`? */
static bool can_go_on(const path *p, double x, double next, double way)
{
    double low, high;
    if (!allowed_push(p, x, &low, &high)) return false;
    return fmax(low, -0.5 * x / way) <= fmin(high, 0.5 * (next - x) / way);
}

static bool run_path(path *p)
{
    double way = 1.0 / p->points;
    p->largest[p->count - 1] = 0;
    for (int i = p->count - 2; i >= 0; i--) {
        slope_at(p, i);
        double most = PATH_UNBOUNDED;
        for (int k = 0; k < p->width; k++) {
            double slope = fabs(p->slope[k]);
            if (slope > 1e-14 && p->limit.velocity[k] < INFINITY)
                most = fmin(most, (p->limit.velocity[k] / slope) * (p->limit.velocity[k] / slope));
        }
        double good = 0, bad = most, next = p->largest[i + 1];
        if (can_go_on(p, bad, next, way)) good = bad;
        for (int h = 0; h < SNW__ROUNDS_MAX && good < bad; h++) {
            double middle = 0.5 * (good + bad);
            if (can_go_on(p, middle, next, way))
                good = middle;
            else
                bad = middle;
        }
        p->largest[i] = good;
    }
    p->speed2[0] = p->time[0] = 0;
    for (int i = 0; i + 1 < p->count; i++) {
        double low, high, x = p->speed2[i];
        slope_at(p, i);
        if (!allowed_push(p, x, &low, &high)) return false;
        double push = fmin(high, 0.5 * (p->largest[i + 1] - x) / way);
        p->speed2[i + 1] = fmin(fmax(0, x + 2 * way * push), p->largest[i + 1]);
        double mean = 0.5 * (sqrt(x) + sqrt(p->speed2[i + 1]));
        if (!(mean > 0)) return false;
        p->time[i + 1] = p->time[i] + way / mean;
    }
    return true;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Frames of the whole time times `slower`. */
static snw_status fill_frames(path *p, double slower, const snw_trajectory_options *options,
                              const snw_allocator *memory, snw_motion **out, snw_error *error)
{
    double total = p->time[p->count - 1] * slower, frames = ceil(total * options->rate);
    int at = 0;
    if (!(frames < 1e8))
        return snw__fail(error, SNW_TOO_LARGE, "a trajectory of %g frames", frames);
    int count = (int)fmax(frames, 1) + 1;
    snw_status status =
        snw_motion_create(p->motion->skeleton, count, options->rate, memory, out, error);
    for (int f = 0; f < count && status == SNW_OK; f++) {
        /* Where the path is at time t; at: the point before, which moves on. */
        double t = p->time[p->count - 1] * f / (count - 1);
        while (at + 2 < p->count && p->time[at + 1] <= t)
            ++at;
        double way = 1.0 / p->points, v0 = sqrt(p->speed2[at]), v1 = sqrt(p->speed2[at + 1]);
        double span = p->time[at + 1] - p->time[at], part = snw_clamp(t - p->time[at], 0, span);
        double moved = v0 * part + 0.5 * (v1 - v0) / span * part * part;
        double place = (at + fmin(moved / way, 1)) * way;
        int frame = (int)place;
        if (frame > p->frames - 2) frame = p->frames - 2;
        double x = place - frame, rest = 1 - x;
        const double *y = &p->position[snw__entry(frame, p->width, 0)];
        const double *m = &p->bend[snw__entry(frame, p->width, 0)];
        for (int k = 0; k < p->width; k++)
            p->slope[k] = x * (y[k + p->width] - y[k]) + (rest * rest * rest - rest) * m[k] / 6 +
                          (x * x * x - x) * m[k + p->width] / 6;
        snw_motion_get(p->motion, frame, p->a);
        snw__path_pose(p->a, p->slope, p->b);
        snw_motion_set(*out, f, p->b);
    }
    if (status != SNW_OK) return status;
    snw_motion_get(p->motion, p->frames - 1, p->b);
    snw_motion_set(*out, count - 1, p->b);
    return SNW_OK;
}

static snw_status solve_path(path *p, const snw_trajectory_options *options,
                             const snw_allocator *memory, snw_motion **out, snw_error *error)
{
    double slower = 1;
    snw__path_fill_limit(p->motion->skeleton, options, &p->limit);
    snw_status status = fill_path(p, error);
    if (status != SNW_OK) return status;
    if (!run_path(p))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the path does not move, or stops midway");
    for (int round = 0; round < 4; round++) {
        status = fill_frames(p, slower, options, memory, out, error);
        if (status != SNW_OK) return status;
        /* By how much the frames are faster than allowed: points of the path are looked at, not
         * what lies between them. */
        const snw_motion *motion = *out;
        double worst = 1, *before = p->slope, *now = p->curve;
        for (int f = 0; f + 1 < motion->frame_count; f++) {
            snw_motion_get(motion, f, p->a);
            snw_motion_get(motion, f + 1, p->b);
            snw__path_way(p->a, p->b, now);
            for (int k = 0; k < p->width; k++) {
                double v = now[k] * motion->rate, last = f > 0 ? before[k] * motion->rate : 0;
                worst = fmax(worst, fabs(v) / p->limit.velocity[k]);
                worst = fmax(worst, sqrt(fabs(v - last) * motion->rate / p->limit.acceleration[k]));
                if (f + 2 == motion->frame_count)
                    worst = fmax(worst, sqrt(fabs(v) * motion->rate / p->limit.acceleration[k]));
                before[k] = now[k];
            }
        }
        if (worst <= 1 + 1e-9) return SNW_OK;
        snw_motion_destroy(*out);
        *out = NULL;
        slower *= worst * (1 + 1e-6);
    }
    return fill_frames(p, slower, options, memory, out, error);
}

snw_status snw_trajectory_along(const snw_motion *motion, const snw_trajectory_options *options,
                                const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a trajectory needs a place to be put");
    *out = NULL;
    if (!motion || motion->frame_count < 2)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a path has two frames or more");
    snw_trajectory_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_trajectory_options_default() : *options;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = snw__trajectory_check(&chosen, motion->skeleton, error);
    if (status != SNW_OK) return status;
    int between = motion->frame_count - 1;
    path p = {.motion = motion,
              .width = snw__path_width(motion->skeleton),
              .frames = motion->frame_count,
              .points = PATH_POINTS_TOTAL / between};
    if (p.points > PATH_POINTS_MOST) p.points = PATH_POINTS_MOST;
    if (p.points < PATH_POINTS_LEAST) p.points = PATH_POINTS_LEAST;
    if (between > (1 << 24) || (int64_t)p.frames * p.width > INT32_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "a path of %d frames", motion->frame_count);
    p.count = between * p.points + 1;
    snw__block block;
    status = snw__block_create(&block, lay_out_path, &p, &memory, "a path", error);
    if (status != SNW_OK) return status;
    status = snw_pose_create(motion->skeleton, &memory, &p.a, error);
    if (status == SNW_OK) status = snw_pose_create(motion->skeleton, &memory, &p.b, error);
    if (status == SNW_OK) status = solve_path(&p, &chosen, &memory, out, error);
    snw_pose_destroy(p.a);
    snw_pose_destroy(p.b);
    snw__block_release(&memory, &block);
    return status;
}

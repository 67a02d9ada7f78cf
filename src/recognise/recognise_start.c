/* Where the search begins: frames in which the body is stretched out and most points are seen, and
 * in each the generic person put there upright, lying, on its head, turned about its axis, arms
 * down or spread. The likeliest are improved by expectation and maximisation: every point is a
 * sample of a mixture of Gaussians, one for each site of the body and one for the flesh of each
 * segment, whose width shrinks as the pose becomes better (Horaud et al. 2011, "Rigid and
 * articulated point registration with expectation conditional maximization"). */
#include <stdlib.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

typedef struct start_place {
    double likelihood;
    int frame;
    snw__template_pose pose;
} start_place;

/* ---- the mixture ---------------------------------------------------------------------------- */

/* Squared distance in units of the width, plus three times twice its logarithm: twice the negative
 * logarithm of a Gaussian but for a constant. */
static double unlikeliness(snw_vec3 d, snw_vec3 spread, double width)
{
    double sum = 0, w2 = width * width;
    const double r[3] = {d.x, d.y, d.z}, s[3] = {spread.x, spread.y, spread.z};
    double volume = 1;
    for (int i = 0; i < 3; i++) {
        double v = s[i] * s[i] + w2;
        sum += r[i] * r[i] / v;
        volume *= v / w2;
    }
    return sum + snw__log(volume);
}

typedef struct mixture_part {
    int segment;
    snw_vec3 place;
    double share; /* of the mixture, against the width */
    double spread;
} mixture_part;

/* The negative logarithm of the likelihood of a frame's points; with pairs, the expectation step:
 * which point belongs to which part of the mixture by what share. Everything in statures. */
static double expect(snw__recognise_work *work, int frame, const snw__template_pose *pose,
                     double width, bool is_pairing)
{
    snw__template_world world;
    snw__template_world_of(pose, &world);
    double sum = 0, shares = 0, outlier = snw__exp(-START_OUTLIER * START_OUTLIER / 2);
    for (int a = 0; a < work->site_count; a++)
        shares += work->share[a];
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
        shares += work->has_segment[s] ? START_FLESH : 0;
    outlier *= shares / START_PARTS;
    work->problem.pair_count = 0;
    for (int p = 0; p < work->point_count; p++) {
        if (!snw__point_is_seen(work, frame, p)) continue;
        snw_vec3 local[SNW__SEGMENT_COUNT];
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
            local[s] =
                snw_vec3_scale(snw_xform_unpoint(world.segment[s], snw__point_at(work, frame, p)),
                               1 / world.stature);
        double total = outlier, part[SNW__SITE_MAX + SNW__SEGMENT_COUNT];
        int count = work->site_count + SNW__SEGMENT_COUNT;
        for (int a = 0; a < count; a++) {
            double d2;
            if (a < work->site_count) {
                const snw__site *site = work->site + a;
                part[a] = 0;
                if (!(work->share[a] > 0)) continue;
                if (snw_vec3_length2(snw_vec3_sub(local[site->segment], site->place)) >
                    START_REACH * START_REACH * (width * width + 0.0009))
                    continue;
                d2 = unlikeliness(snw_vec3_sub(local[site->segment], site->place),
                                  site->row->spread, width);
                part[a] = work->share[a] * snw__exp(-d2 / 2);
            } else {
                snw__segment_row row = snw__segment_of(a - work->site_count);
                part[a] = 0;
                if (!work->has_segment[a - work->site_count]) continue;
                d2 = unlikeliness(snw_vec3_sub(local[a - work->site_count], row.flesh), row.extent,
                                  width);
                part[a] = START_FLESH * snw__exp(-d2 / 2);
            }
            total += part[a];
        }
        sum -= snw__log(total / shares);
        if (!is_pairing) continue;
        for (int a = 0; a < count; a++) {
            double share = part[a] / total;
            if (share < 0.04 || work->problem.pair_count >= SNW__RECOGNISE_PAIRS) continue;
            snw__template_pair *pair = work->pair + work->problem.pair_count++;
            bool is_site = a < work->site_count;
            snw__segment_row row = snw__segment_of(is_site ? 0 : a - work->site_count);
            snw_vec3 spread = is_site ? work->site[a].row->spread : row.extent;
            double v = snw_vec3_length2(spread) / 3 + width * width;
            pair->segment = is_site ? work->site[a].segment : a - work->site_count;
            pair->place = is_site ? work->site[a].place : row.flesh;
            pair->target = snw__point_at(work, frame, p);
            pair->weight = share / (v * world.stature * world.stature);
        }
    }
    return sum;
}

static double improve(snw__recognise_work *work, start_place *start)
{
    double width = START_WIDTH;
    for (int n = 0; n < START_ROUNDS; n++) {
        expect(work, start->frame, &start->pose, width, true);
        work->problem.pair = work->pair;
        work->problem.robust = 10;
        work->problem.log_stature = snw__log(TEMPLATE_STATURE);
        work->problem.stature_spread = TEMPLATE_STATURE_SPREAD;
        snw__template_fit(&work->problem, &start->pose, 2);
        width = fmax(width * START_SHRINK, START_NARROW);
    }
    start->likelihood = expect(work, start->frame, &start->pose, START_NARROW, false) +
                        snw__template_strain(&start->pose);
    return start->likelihood;
}

/* ---- where it may stand --------------------------------------------------------------------- */

typedef struct start_axis {
    snw_vec3 up;
    double low, high;
    snw_vec3 middle;
} start_axis;

static int seen_count(const snw__recognise_work *work, int frame)
{
    int count = 0;
    for (int p = 0; p < work->point_count; p++)
        count += snw__point_is_seen(work, frame, p);
    return count;
}

static snw_vec3 middle_of(const snw__recognise_work *work, int frame)
{
    snw_vec3 sum = {0, 0, 0};
    for (int p = 0; p < work->point_count; p++)
        if (snw__point_is_seen(work, frame, p))
            sum = snw_vec3_add(sum, snw__point_at(work, frame, p));
    return snw_vec3_scale(sum, 1.0 / fmax(1, seen_count(work, frame)));
}

/* Along which the points spread most. */
static snw_vec3 long_axis(const snw__recognise_work *work, int frame, double *spread)
{
    double a[9] = {0}, value[3], vector[9];
    snw_vec3 middle = middle_of(work, frame);
    for (int p = 0; p < work->point_count; p++) {
        if (!snw__point_is_seen(work, frame, p)) continue;
        snw_vec3 d = snw_vec3_sub(snw__point_at(work, frame, p), middle);
        double v[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 9; i++)
            a[i] += v[i / 3] * v[i % 3];
    }
    *spread = 0;
    if (snw_eigen_symmetric(a, 3, value, vector) != SNW_OK) return snw_vec3_make(0, 0, 1);
    *spread = sqrt(value[0] / fmax(1, seen_count(work, frame)));
    return snw_vec3_make(vector[0], vector[1], vector[2]);
}

static start_axis axis_of(const snw__recognise_work *work, int frame, snw_vec3 up)
{
    start_axis axis = {up, INFINITY, -INFINITY, middle_of(work, frame)};
    for (int p = 0; p < work->point_count; p++) {
        if (!snw__point_is_seen(work, frame, p)) continue;
        double h = snw_vec3_dot(snw__point_at(work, frame, p), up);
        axis.low = fmin(axis.low, h);
        axis.high = fmax(axis.high, h);
    }
    return axis;
}

/* Which part of the stature the points span: a whole body, legs and pelvis, pelvis to head. */
static const struct {
    double bottom, top;
} start_spans[SNW__PLAN_COUNT] = {
    [SNW__PLAN_BODY] = {0.02, 0.97},
    [SNW__PLAN_LEGS] = {0.02, 0.60},
    [SNW__PLAN_ARMLESS] = {0.02, 0.92},
    [SNW__PLAN_UPPER_BODY] = {0.50, 0.97},
};

static snw__template_pose placed(const start_axis *axis, snw__plan span, int yaw, int arms)
{
    snw__template_pose pose;
    double stature = (axis->high - axis->low) / (start_spans[span].top - start_spans[span].bottom);
    stature = snw_clamp(stature, TEMPLATE_STATURE * 0.6, TEMPLATE_STATURE * 1.25);
    double top = axis->high - start_spans[span].top * stature;
    double bottom = axis->low - start_spans[span].bottom * stature;
    double height = (top + bottom) / 2 + 0.53 * stature;
    pose.log_stature = snw__log(stature);
    pose.place =
        snw_vec3_add_scaled(axis->middle, height - snw_vec3_dot(axis->middle, axis->up), axis->up);
    snw_vec3 z = {0, 0, 1};
    pose.turn[0] = snw_quat_mul(snw_quat_between(z, axis->up),
                                snw_quat_from_axis_angle(z, yaw * 2 * SNW_PI / START_YAWS));
    for (int s = 1; s < SNW__SEGMENT_COUNT; s++) {
        snw__segment_row row = snw__segment_of(s);
        snw_vec3 bend = snw_vec3_scale(row.usual, 0.3);
        if (arms && row.part == SNW_PART_ARM)
            bend.x = snw__segment_side(s) == SNW_SIDE_LEFT ? 1.5 : -1.5;
        pose.turn[s] = snw_quat_exp(bend);
    }
    return pose;
}

/* Keeps the best `max`, sorted. */
static void keep_best(start_place *best, int *count, int max, const start_place *next)
{
    if (*count == max && !(next->likelihood < best[max - 1].likelihood)) return;
    int at = *count < max ? (*count)++ : max - 1;
    for (; at > 0 && next->likelihood < best[at - 1].likelihood; at--)
        best[at] = best[at - 1];
    best[at] = *next;
}

static void try_axis(snw__recognise_work *work, snw__plan plan, int frame, snw_vec3 up,
                     start_place *best, int *count)
{
    start_axis axis = axis_of(work, frame, up);
    bool has_arms = work->has_segment[SNW__SEGMENT_ARM];
    for (int yaw = 0; yaw < START_YAWS; yaw++)
        for (int arms = 0; arms < (has_arms ? 2 : 1); arms++) {
            start_place next = {0, frame, placed(&axis, plan, yaw, arms)};
            next.likelihood = expect(work, frame, &next.pose, START_WIDTH, false);
            keep_best(best, count, START_TRIED, &next);
        }
}

/* Sampled frames with most points seen, stretched out, apart from each other. */
static int start_frames(const snw__recognise_work *work, int *out)
{
    double worth[SNW__RECOGNISE_FRAMES];
    int count = 0;
    for (int f = 0; f < work->frame_count; f++) {
        double spread;
        long_axis(work, f, &spread);
        double seen = seen_count(work, f) / (double)work->point_count;
        worth[f] = seen * seen * spread;
    }
    for (; count < START_FRAMES; count++) {
        int best = -1;
        for (int f = 0; f < work->frame_count; f++)
            if (worth[f] > 0 && (best < 0 || worth[f] > worth[best])) best = f;
        if (best < 0) break;
        out[count] = best;
        for (int f = 0; f < work->frame_count; f++)
            if (abs(f - best) <= work->frame_count / 8) worth[f] = 0;
        worth[best] = 0;
    }
    return count;
}

static bool is_same_start(const start_place *a, const start_place *b)
{
    return a->frame == b->frame && snw_quat_angle_between(a->pose.turn[0], b->pose.turn[0]) < 0.5 &&
           snw_vec3_distance(a->pose.place, b->pose.place) < 0.1 &&
           fabs(a->likelihood - b->likelihood) < 2;
}

int snw__recognise_starts(snw__recognise_work *work, snw__plan plan, snw__hypothesis *out, int max)
{
    static const double ups[6][3] = {{0, 0, 1},  {0, 1, 0},  {1, 0, 0},
                                     {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}};
    int frames[START_FRAMES], frame_count = start_frames(work, frames), count = 0;
    snw__recognise_plan(work, plan);
    start_place improved[START_TRIED * START_FRAMES];
    for (int n = 0; n < frame_count; n++) {
        start_place best[START_TRIED];
        int best_count = 0;
        double spread;
        snw_vec3 axis = long_axis(work, frames[n], &spread);
        for (int u = 0; u < 6; u++)
            try_axis(work, plan, frames[n], snw_vec3_make(ups[u][0], ups[u][1], ups[u][2]), best,
                     &best_count);
        try_axis(work, plan, frames[n], axis, best, &best_count);
        try_axis(work, plan, frames[n], snw_vec3_neg(axis), best, &best_count);
        for (int k = 0; k < best_count; k++) {
            improve(work, best + k);
            best[k].likelihood /= fmax(1, seen_count(work, frames[n]));
            best[k].likelihood *= work->point_count;
            keep_best(improved, &count, START_TRIED * START_FRAMES, best + k);
        }
    }
    int kept = 0;
    for (int k = 0; k < count && kept < max; k++) {
        bool is_new = true;
        for (int j = 0; j < k && is_new; j++)
            is_new = !is_same_start(improved + j, improved + k);
        if (!is_new) continue;
        out[kept].plan = plan;
        out[kept].start_frame = improved[k].frame;
        out[kept].likelihood = improved[k].likelihood;
        out[kept++].start = improved[k].pose;
    }
    return kept;
}

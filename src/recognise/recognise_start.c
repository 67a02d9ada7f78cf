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
#include "person/anthropometry.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

/* ---- the mixture ---------------------------------------------------------------------------- */

static void add_part(snw__start_mixture *of, int segment, snw_vec3 place, snw_vec3 spread,
                     double share, double width)
{
    snw__start_part *part = of->part + of->count++;
    const double s[3] = {spread.x, spread.y, spread.z};
    double volume = 1, sum = 0, w2 = width * width;
    for (int i = 0; i < 3; i++) {
        double v = s[i] * s[i] + w2;
        part->inverse[i] = 1 / v;
        volume *= w2 / v;
        sum += v / 3;
    }
    part->segment = segment;
    part->place = place;
    part->weight = share * sqrt(volume);
    part->pull = 1 / sum;
}

/* All widths in statures. */
static void mix(const snw__recognise_work *work, double width, snw__start_mixture *out)
{
    double shares = 0;
    out->count = 0;
    for (int a = 0; a < work->site_count; a++) {
        const snw__site *site = work->site + a;
        if (!(work->share[a] > 0)) continue;
        add_part(out, site->segment, site->place, site->row->spread, work->share[a], width);
        shares += work->share[a];
    }
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
        const snw__segment_row *row = snw__segment_of(s);
        if (!work->has_segment[s]) continue;
        add_part(out, s, row->flesh, row->extent, START_FLESH, width);
        shares += START_FLESH;
    }
    for (int a = 0; a < out->count; a++)
        out->part[a].weight /= shares;
    out->outlier = snw__exp(-START_OUTLIER * START_OUTLIER / 2) / START_PARTS;
}

static void add_pairs(snw__recognise_work *work, const snw__start_mixture *of, snw_vec3 target,
                      const double *share, double scale)
{
    for (int a = 0; a < of->count; a++) {
        if (share[a] * scale < START_SHARE) continue;
        if (work->problem->pair_count >= SNW__RECOGNISE_PAIRS) return;
        work->pair[work->problem->pair_count++] = (snw__template_pair){
            of->part[a].segment, of->part[a].place, target, share[a] * scale * of->part[a].pull};
    }
}

/* The negative logarithm of the likelihood of a frame's points; with pairs, the expectation step:
 * which point belongs to which part of the mixture by what share. */
static double expect(snw__recognise_work *work, const snw__start_place *start,
                     const snw__start_mixture *of, bool is_pairing)
{
    snw__template_world world;
    snw__template_world_of(&start->pose, &world);
    double sum = 0, likelihood[SNW__SITE_MAX + SNW__SEGMENT_COUNT];
    work->problem->pair_count = 0;
    for (int p = 0; p < work->point_count; p++) {
        if (!snw__point_is_seen(work, start->frame, p)) continue;
        snw_vec3 local[SNW__SEGMENT_COUNT], at = snw__point_at(work, start->frame, p);
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
            local[s] = snw_vec3_scale(snw_xform_unpoint(world.segment[s], at), 1 / world.stature);
        /* Likelihood of one point under every part, and the sum with that of nothing. */
        double total = of->outlier;
        for (int a = 0; a < of->count; a++) {
            const snw__start_part *part = of->part + a;
            snw_vec3 d = snw_vec3_sub(local[part->segment], part->place);
            double x2 = d.x * d.x * part->inverse[0] + d.y * d.y * part->inverse[1] +
                        d.z * d.z * part->inverse[2];
            likelihood[a] = x2 < START_REACH * START_REACH ? part->weight * snw__exp(-x2 / 2) : 0;
            total += likelihood[a];
        }
        sum -= snw__log(total);
        if (is_pairing) add_pairs(work, of, at, likelihood, 1 / total);
    }
    for (int k = 0; k < work->problem->pair_count; k++)
        work->pair[k].weight /= world.stature * world.stature;
    return sum;
}

/* From a wide mixture to a narrow one. */
static void improve(snw__recognise_work *work, snw__start_place *start, double width)
{
    snw__start_mixture *of = &work->start->mixture;
    work->problem->pair = work->pair;
    work->problem->robust = START_ROBUST;
    work->problem->log_stature = snw__log(SNW__STATURE);
    work->problem->stature_spread = (1.5 * TEMPLATE_TALL_SPREAD);
    for (; width > START_NARROW; width *= START_SHRINK) {
        mix(work, width, of);
        expect(work, start, of, true);
        snw__template_fit(work->problem, &start->pose, 2);
    }
    mix(work, START_NARROW, of);
    start->likelihood = expect(work, start, of, false) + snw__template_strain(&start->pose) +
                        snw__recognise_unusual(SNW__PLAN_BODY, start->pose.log_stature) +
                        snw__recognise_overturned(work, start->pose.turn[0]);
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
    stature = snw_clamp(stature, SNW__STATURE * 0.6, SNW__STATURE * 1.25);
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
        const snw__segment_row *row = snw__segment_of(s);
        snw_vec3 bend = snw_vec3_scale(row->usual, 0.3);
        if (arms && row->part == SNW_PART_ARM)
            bend.x = snw__segment_side(s) == SNW_SIDE_LEFT ? 1.5 : -1.5;
        pose.turn[s] = snw_quat_exp(bend);
    }
    return pose;
}

/* Keeps the best `max`, sorted. */
static void keep_best(snw__start_place *best, int *count, int max, const snw__start_place *next)
{
    if (*count == max && !(next->likelihood < best[max - 1].likelihood)) return;
    int at = *count < max ? (*count)++ : max - 1;
    for (; at > 0 && next->likelihood < best[at - 1].likelihood; at--)
        best[at] = best[at - 1];
    best[at] = *next;
}

static void try_axis(snw__recognise_work *work, const snw__start_mixture *of, snw__plan plan,
                     int frame, snw_vec3 up, snw__start_place *best, int *count)
{
    start_axis axis = {up, INFINITY, -INFINITY, middle_of(work, frame)};
    for (int p = 0; p < work->point_count; p++) {
        if (!snw__point_is_seen(work, frame, p)) continue;
        double h = snw_vec3_dot(snw__point_at(work, frame, p), up);
        axis.low = fmin(axis.low, h);
        axis.high = fmax(axis.high, h);
    }
    bool has_arms = work->has_segment[SNW__SEGMENT_ARM];
    for (int yaw = 0; yaw < START_YAWS; yaw++)
        for (int arms = 0; arms < (has_arms ? 2 : 1); arms++) {
            snw__start_place next = {0, frame, placed(&axis, plan, yaw, arms)};
            next.likelihood = expect(work, &next, of, false);
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

/* Arms hide best: an arm that hangs in the template and is raised in the frame finds no way there.
 * So each is put into other poses, and kept where the whole becomes likelier. */
static void reseed_arms(snw__recognise_work *work, snw__start_place *start, int pose_count)
{
    /* degrees: upper arm about x and y, elbow */
    static const double poses[START_ARMS_MORE][3] = {{20, 0, 22},  {85, 0, 22},   {160, 0, 22},
                                                     {0, -85, 22}, {30, -40, 22}, {20, 0, 110},
                                                     {85, 0, 100}, {0, -85, 110}, {30, 40, 90}};
    for (int side = 0; side < 2; side++) {
        snw__start_place best = *start;
        for (int n = 0; n < pose_count; n++) {
            snw__start_place next = *start;
            double sign = side ? -1 : 1;
            snw_vec3 turn = {sign * snw_radians(poses[n][0]), snw_radians(poses[n][1]), 0};
            snw_vec3 elbow = {0, -snw_radians(poses[n][2]), 0};
            next.pose.turn[SNW__SEGMENT_SHOULDER + side] = snw_quat_identity();
            next.pose.turn[SNW__SEGMENT_ARM + side] = snw_quat_exp(turn);
            next.pose.turn[SNW__SEGMENT_FOREARM + side] = snw_quat_exp(elbow);
            next.pose.turn[SNW__SEGMENT_HAND + side] = snw_quat_identity();
            improve(work, &next, START_RESEED);
            if (next.likelihood < best.likelihood) best = next;
        }
        *start = best;
    }
}

static bool is_same_start(const snw__start_place *a, const snw__start_place *b)
{
    return a->frame == b->frame && snw_quat_angle_between(a->pose.turn[0], b->pose.turn[0]) < 0.5 &&
           snw_vec3_distance(a->pose.place, b->pose.place) < 0.1 &&
           fabs(a->likelihood - b->likelihood) < SNW__NAT;
}

/* The improved starts of one frame, best first. */
static int starts_of_frame(snw__recognise_work *work, snw__plan plan, int frame,
                           snw__start_place *out)
{
    static const double ups[6][3] = {{0, 0, 1},  {0, 1, 0},  {1, 0, 0},
                                     {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}};
    snw__start_place *coarse = work->start->coarse;
    snw__start_mixture *of = &work->start->mixture;
    int coarse_count = 0, count = 0;
    double spread;
    mix(work, START_WIDTH, of);
    snw_vec3 axis = long_axis(work, frame, &spread);
    for (int u = 0; u < 6; u++)
        try_axis(work, of, plan, frame, snw_vec3_make(ups[u][0], ups[u][1], ups[u][2]), coarse,
                 &coarse_count);
    try_axis(work, of, plan, frame, axis, coarse, &coarse_count);
    try_axis(work, of, plan, frame, snw_vec3_neg(axis), coarse, &coarse_count);
    for (int k = 0; k < coarse_count; k++) {
        improve(work, coarse + k, START_WIDTH);
        bool is_new = true;
        for (int j = 0; j < count && is_new; j++)
            is_new = !is_same_start(out + j, coarse + k);
        if (is_new) keep_best(out, &count, START_TRIED, coarse + k);
    }
    return count;
}

void snw__recognise_restart(snw__recognise_work *work, snw__hypothesis *hypothesis, double width)
{
    snw__start_place start = {0, hypothesis->start_frame, hypothesis->start};
    snw__recognise_plan(work, hypothesis->plan);
    improve(work, &start, width);
    if (work->has_segment[SNW__SEGMENT_ARM]) reseed_arms(work, &start, START_ARMS_MORE);
    hypothesis->start = start.pose;
    hypothesis->likelihood = start.likelihood;
}

int snw__recognise_starts(snw__recognise_work *work, snw__plan plan, snw__hypothesis *out, int max)
{
    int frames[START_FRAMES], frame_count = start_frames(work, frames), count = 0;
    snw__start_place *best = work->start->best, *improved = work->start->improved;
    snw__recognise_plan(work, plan);
    for (int n = 0; n < frame_count; n++) {
        int improved_count = starts_of_frame(work, plan, frames[n], improved);
        double share = seen_count(work, frames[n]) / (double)work->point_count;
        for (int k = 0; k < improved_count && k < START_RESEEDED; k++) {
            snw__start_place other = improved[k];
            if (work->has_segment[SNW__SEGMENT_ARM]) reseed_arms(work, &other, START_ARMS);
            bool is_new = other.likelihood < improved[k].likelihood - SNW__NAT;
            improved[k].likelihood /= share; /* as if all were seen */
            other.likelihood /= share;
            keep_best(best, &count, max, improved + k);
            if (is_new) keep_best(best, &count, max, &other);
        }
    }
    for (int k = 0; k < count; k++) {
        out[k].plan = plan;
        out[k].start_frame = best[k].frame;
        out[k].likelihood = best[k].likelihood;
        out[k].start = best[k].pose;
    }
    return count;
}

/* What each point is: the person is followed through the trial by the points as they are understood
 * so far, every point is then looked at from every segment in all frames, and understood anew from
 * where it stays and how little it strays there. A few rounds settle. */
#include <string.h>

#include "base/elementary.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

static int segment_of_choice(const snw__recognise_work *work, int choice)
{
    return choice < work->site_count ? work->site[choice].segment : choice - work->site_count;
}

/* ---- places on the body --------------------------------------------------------------------- */

/* Only frames that have a pose count: `first` to `last`. */
static void look_from_segments(snw__recognise_work *work, int first, int last)
{
    snw_vec3 *at = work->look->at;
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
        snw_xform *segment = work->look->segment;
        double *stature = work->look->stature;
        for (int f = first; f <= last; f++) {
            snw__template_world world;
            snw__template_world_of(work->pose + f, &world);
            segment[f] = world.segment[s];
            stature[f] = world.stature;
        }
        for (int p = 0; p < work->point_count; p++) {
            int count = 0;
            for (int f = first; f <= last; f++)
                if (snw__point_is_seen(work, f, p))
                    at[count++] = snw_vec3_scale(
                        snw_xform_unpoint(segment[f], snw__point_at(work, f, p)), 1 / stature[f]);
            /* Mean and variance with frames far off counted less: two passes. */
            snw__local_place place = {{0, 0, 0}, 0};
            for (int pass = 0; pass < 3 && count > 0; pass++) {
                snw_vec3 sum = {0, 0, 0};
                double weight = 0, square = 0;
                for (int n = 0; n < count; n++) {
                    double d2 = pass ? snw_vec3_length2(snw_vec3_sub(at[n], place.mean)) : 0;
                    double x2 = pass ? d2 / (4 * place.variance + 1e-8) : 0;
                    double w = 1 / ((1 + x2) * (1 + x2));
                    if (!pass) w = 1;
                    sum = snw_vec3_add_scaled(sum, w, at[n]);
                    square += w * snw_vec3_length2(at[n]);
                    weight += w;
                }
                place.mean = snw_vec3_scale(sum, 1 / weight);
                place.variance = fmax(0, square / weight - snw_vec3_length2(place.mean));
            }
            work->local[p][s] = place;
            if (!count) work->local[p][s].variance = 1;
        }
    }
}

/* ---- what a point costs --------------------------------------------------------------------- */

typedef struct track_width {
    double stray; /* of a point on its segment */
    double pose;  /* of the segment itself */
    double frames;
} track_width;

static double place_cost(const snw__local_place *at, snw_vec3 place, snw_vec3 spread,
                         const track_width *width)
{
    const double d[3] = {at->mean.x - place.x, at->mean.y - place.y, at->mean.z - place.z};
    const double s[3] = {spread.x, spread.y, spread.z};
    double sum = width->frames * at->variance / (width->stray * width->stray), volume = 1;
    for (int i = 0; i < 3; i++) {
        double v = s[i] * s[i] + width->pose * width->pose;
        sum += d[i] * d[i] / v;
        volume *= v / (0.015 * 0.015 + width->pose * width->pose);
    }
    return (sum + snw__log(volume)) / 2;
}

/* How much a point's distances to the other points of a segment vary, in statures: the median;
 * those of a rigid segment do not. Fewer than two others say nothing. */
static double strain_on(const snw__recognise_work *work, const snw__hypothesis *hypothesis,
                        int point, int segment)
{
    double varies[SNW__RECOGNISE_POINTS];
    int count = 0;
    for (int q = 0; q < work->point_count; q++) {
        if (q == point || hypothesis->choice[q] < 0) continue;
        if (segment_of_choice(work, hypothesis->choice[q]) != segment) continue;
        varies[count++] = work->varies[point * work->point_count + q];
    }
    if (count < 2) return 0;
    return snw__median(varies, count) / snw__exp(hypothesis->log_stature);
}

/* What the points cost on each segment for not keeping their distances, as they are understood so
 * far. */
static void weigh_rigidity(snw__recognise_work *work, const snw__hypothesis *hypothesis)
{
    double stature = snw__exp(hypothesis->log_stature);
    for (int p = 0; p < work->point_count; p++) {
        /* How little the distances to its two best partners vary, in statures: what rigid means for
         * it. */
        double first = INFINITY, second = INFINITY;
        for (int q = 0; q < work->point_count; q++) {
            double varies = work->varies[p * work->point_count + q];
            if (q == p || !(varies < second)) continue;
            second = varies < first ? first : varies;
            first = fmin(first, varies);
        }
        double scale = snw_clamp(SNW__UNUSUAL * (second / stature), TRACK_RIGID_LEAST, TRACK_RIGID);
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
            double x = strain_on(work, hypothesis, p, s) / scale;
            work->loose[p][s] = fmin(x * x / 2, TRACK_LOOSE);
        }
    }
}

/* Sites come in pairs, left and right, and some only beside another one: without it they are rare.
 */
static double share_beside(const snw__recognise_work *work, const bool *is_used, int site)
{
    double share = work->share[site];
    int mirror = work->site[site].mirror, companion = work->site[site].companion;
    if (companion >= 0 && !is_used[companion]) share *= TRACK_ALONE;
    if (mirror < 0) return share;
    return is_used[mirror] ? 1 - (1 - share) * TRACK_ALONE : share * TRACK_ALONE;
}

/* One assignment of points to sites or to nothing but flesh, with the sites' shares. */
static void assign_points(snw__recognise_work *work, snw__hypothesis *hypothesis,
                          const double *share, const track_width *width)
{
    int columns = work->site_count + work->point_count;
    int choice[SNW__RECOGNISE_POINTS], column[SNW__RECOGNISE_POINTS];
    for (int p = 0; p < work->point_count; p++) {
        double *line = work->cost + (size_t)p * (size_t)columns;
        /* What it costs to be no site of any segment, and of which. */
        double least = TRACK_OUTLIER;
        choice[p] = -1;
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
            const snw__segment_row *row = snw__segment_of(s);
            if (!work->has_segment[s]) continue;
            double cost = place_cost(&work->local[p][s], row->flesh, row->extent, width) +
                          work->loose[p][s] + TRACK_FLESH;
            if (!(cost < least)) continue;
            least = cost;
            choice[p] = work->site_count + s;
        }
        for (int a = 0; a < work->site_count; a++) {
            const snw__site *site = work->site + a;
            line[a] = TRACK_FORBIDDEN;
            if (!(share[a] > 0)) continue;
            double cost =
                place_cost(&work->local[p][site->segment], site->place, site->row->spread, width) +
                work->loose[p][site->segment] - snw__log(share[a] / (1 - share[a]));
            line[a] = fmin(cost, TRACK_FORBIDDEN);
        }
        for (int q = 0; q < work->point_count; q++)
            line[work->site_count + q] = q == p ? least : TRACK_FORBIDDEN;
    }
    snw__assign(work->cost, work->point_count, columns, &work->assignment, column);
    for (int p = 0; p < work->point_count; p++) {
        bool is_site = column[p] >= 0 && column[p] < work->site_count;
        hypothesis->choice[p] = is_site ? column[p] : choice[p];
        hypothesis->price[p] = column[p] < 0
                                   ? TRACK_OUTLIER
                                   : work->cost[(size_t)p * (size_t)columns + (size_t)column[p]];
    }
}

/* Are all points at a site pieces of one marker with this one? No, where there is none. */
static bool is_piece_at(const snw__recognise_work *work, const snw__hypothesis *hypothesis,
                        int point, int site)
{
    bool is_any = false;
    for (int q = 0; q < work->point_count; q++) {
        if (q == point || hypothesis->choice[q] != site) continue;
        if (!work->is_apart[point * work->point_count + q]) return false;
        is_any = true;
    }
    return is_any;
}

/* A marker that was hidden may be left in pieces: points that are never seen together sit at one
 * site, which is there once. */
static void share_sites(snw__recognise_work *work, snw__hypothesis *hypothesis, const double *share)
{
    int columns = work->site_count + work->point_count;
    for (int p = 0; p < work->point_count; p++) {
        const double *line = work->cost + (size_t)p * (size_t)columns;
        for (int a = 0; a < work->site_count; a++) {
            if (!(share[a] > 0) || hypothesis->choice[p] == a) continue;
            double cost = line[a] + snw__log(share[a] / (1 - share[a]));
            if (!(cost < hypothesis->price[p]) || !is_piece_at(work, hypothesis, p, a)) continue;
            hypothesis->choice[p] = a;
            hypothesis->price[p] = cost;
        }
    }
}

/* The cost of the points as they are understood, with the sites that have none. */
static double understand(snw__recognise_work *work, snw__hypothesis *hypothesis,
                         const track_width *width)
{
    double share[SNW__SITE_MAX], cost = 0;
    memcpy(share, work->share, sizeof share);
    for (int pass = 0; pass < TRACK_PASSES; pass++) {
        bool is_used[SNW__SITE_MAX] = {false};
        assign_points(work, hypothesis, share, width);
        share_sites(work, hypothesis, share);
        for (int p = 0; p < work->point_count; p++)
            if (hypothesis->choice[p] >= 0 && hypothesis->choice[p] < work->site_count)
                is_used[hypothesis->choice[p]] = true;
        cost = 0;
        for (int a = 0; a < work->site_count; a++) {
            cost -= snw__log(1 - share[a]);
            share[a] = share_beside(work, is_used, a);
        }
        for (int p = 0; p < work->point_count; p++)
            cost += hypothesis->price[p];
    }
    return cost;
}

/* ---- following ------------------------------------------------------------------------------ */

static void fit_frame(snw__recognise_work *work, const snw__hypothesis *hypothesis, int frame,
                      int steps, double width)
{
    /* The place of a point on its segment: where it was seen, drawn towards where its site is. */
    double stature = snw__exp(hypothesis->log_stature);
    work->problem->pair_count = 0;
    work->problem->pair = work->pair;
    for (int p = 0; p < work->point_count; p++) {
        int choice = hypothesis->choice[p];
        if (choice < 0 || !snw__point_is_seen(work, frame, p)) continue;
        snw__template_pair *pair = work->pair + work->problem->pair_count++;
        pair->segment = segment_of_choice(work, choice);
        pair->place = work->local[p][pair->segment].mean;
        if (choice < work->site_count)
            pair->place = snw_vec3_lerp(work->site[choice].place, pair->place, 0.7);
        pair->target = snw__point_at(work, frame, p);
        pair->weight = 1 / (width * width * stature * stature);
    }
    work->problem->robust = 3 * width * snw__exp(hypothesis->log_stature);
    work->problem->log_stature = hypothesis->log_stature;
    work->problem->stature_spread = 0.02;
    snw__template_fit(work->problem, work->pose + frame, steps);
}

/* From the start to the first understanding of all points. */
static void begin_track(snw__recognise_work *work, snw__hypothesis *hypothesis)
{
    int start = hypothesis->start_frame;
    snw__recognise_plan(work, hypothesis->plan);
    memset(work->loose, 0, (size_t)work->point_count * sizeof *work->loose);
    hypothesis->log_stature = hypothesis->start.log_stature;
    work->pose[start] = hypothesis->start;
    track_width width = {TRACK_STRAY_FIRST, TRACK_LAST, 0};
    look_from_segments(work, start, start);
    understand(work, hypothesis, &width);
    for (int f = start + 1; f < work->frame_count; f++) {
        work->pose[f] = work->pose[f - 1];
        fit_frame(work, hypothesis, f, 12, TRACK_STRAY_FIRST);
    }
    for (int f = start - 1; f >= 0; f--) {
        work->pose[f] = work->pose[f + 1];
        fit_frame(work, hypothesis, f, 12, TRACK_STRAY_FIRST);
    }
}

/* Round n of understanding the points and fitting the poses to that; the cost before the fit. */
static double track_round(snw__recognise_work *work, snw__hypothesis *hypothesis, int n,
                          track_width *width)
{
    look_from_segments(work, 0, work->frame_count - 1);
    if (n > 0) weigh_rigidity(work, hypothesis);
    double cost = understand(work, hypothesis, width);
    for (int f = 0; f < work->frame_count; f++)
        fit_frame(work, hypothesis, f, 4, fmax(width->stray, 0.02));
    double sum = 0;
    for (int f = 0; f < work->frame_count; f++)
        sum += work->pose[f].log_stature;
    hypothesis->log_stature = sum / work->frame_count;
    width->stray = fmax(width->stray * 0.75, TRACK_LAST);
    width->pose = fmax(width->pose * 0.75, TRACK_LAST);
    return cost;
}

static void end_track(snw__recognise_work *work, snw__hypothesis *hypothesis,
                      const track_width *width)
{
    look_from_segments(work, 0, work->frame_count - 1);
    weigh_rigidity(work, hypothesis);
    hypothesis->cost = hypothesis->points_cost = understand(work, hypothesis, width);
    for (int p = 0; p < work->point_count; p++)
        if (hypothesis->choice[p] >= 0)
            hypothesis->at[p] = work->local[p][segment_of_choice(work, hypothesis->choice[p])].mean;
    double strain = 0, overturned = 0;
    for (int f = 0; f < work->frame_count; f++) {
        strain += snw__template_strain(work->pose + f);
        overturned += snw__recognise_overturned(work, work->pose[f].turn[0]);
    }
    hypothesis->cost += (TRACK_FREE_FRAMES * strain + overturned) / work->frame_count;
    hypothesis->cost += snw__recognise_unusual(hypothesis->plan, hypothesis->log_stature);
}

void snw__recognise_track(snw__recognise_work *work, snw__hypothesis *hypothesis, double enough)
{
    track_width width = {TRACK_STRAY_FIRST, TRACK_POSE_FIRST, TRACK_FREE_FRAMES};
    begin_track(work, hypothesis);
    for (int n = 0; n < TRACK_ROUNDS; n++) {
        double cost = track_round(work, hypothesis, n, &width);
        if (n == 0 || cost <= enough) continue;
        hypothesis->cost = cost;
        return;
    }
    end_track(work, hypothesis, &width);
}

void snw__recognise_settle(snw__recognise_work *work, snw__hypothesis *hypothesis)
{
    track_width width = {TRACK_STRAY_FIRST, TRACK_POSE_FIRST, TRACK_FREE_FRAMES};
    double before = INFINITY;
    begin_track(work, hypothesis);
    for (int n = 0; n < SNW__ROUNDS_MAX; n++) {
        double cost = track_round(work, hypothesis, n, &width);
        if (n < TRACK_ROUNDS || n % TRACK_ROUNDS) continue;
        if (!(cost < before - TRACK_FALLS)) break;
        before = cost;
    }
    end_track(work, hypothesis, &width);
}

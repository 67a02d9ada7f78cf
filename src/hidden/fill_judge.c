/* Fills one gap by all that is known, weighed by how each way does where the truth is known.
 *
 * A candidate is a base (what is predicted) with a bridge (how the residual beside the gap is
 * carried across it). The same marker is hidden again at other times, for as many frames, with the
 * same neighbours; every candidate fills these judged gaps, with the frames of each taken out of
 * what the regressions learned. The weights minimise the error of the mixture,
 *
 *     sum over judged gaps of |sum_j w_j e_j|^2 / s,   w_j >= 0,  sum_j w_j = 1       (Wolpert
 * 1992)
 *
 * with s the gap's own error (twice reweighted): what is minimised is then the mean error, and one
 * wild gap does not decide. The mixture's errors on the judged gaps are the uncertainty. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "hidden/fill.h"
#include "math/kernel.h"
#include "math/order.h"

/* ---- candidates ---------------------------------------------------------------------------------
 */

typedef enum judge_base {
    JUDGE_WORLD,       /* nothing: the path itself is bridged, in the room's axes */
    JUDGE_FRAME,       /* the mean place among the neighbours */
    JUDGE_PLACES,      /* regression on places, all neighbours */
    JUDGE_PLACES_FEW,  /* and the nearest */
    JUDGE_CHANGES,     /* regression on changes */
    JUDGE_CHANGES_FEW, /* and the nearest */
    JUDGE_BODY,        /* the solved body */
    JUDGE_BASES
} judge_base;

/* Correlation times in steps of about three cover skin (a tenth of a second) to posture (seconds);
 * a sample's noise is a thousandth of the variance of what it shows. The splines: one that trusts
 * the samples, one for noise of the size that 120 frames a second of arm motion have. */
enum {
    JUDGE_LINE,
    JUDGE_SPLINE,
    JUDGE_SMOOTH,
    JUDGE_SHORT,
    JUDGE_BRIEF,
    JUDGE_MIDDLE,
    JUDGE_LONG,
    JUDGE_BRIDGES
};
static const snw__bridge judge_bridge[JUDGE_BRIDGES] = {
    {SNW__BRIDGE_LINEAR, 0, 0},       {SNW__BRIDGE_SPLINE, 0, 0.05},
    {SNW__BRIDGE_SPLINE, 0, 30},      {SNW__BRIDGE_MATERN, 0.05, 1e-3},
    {SNW__BRIDGE_MATERN, 0.15, 1e-3}, {SNW__BRIDGE_MATERN, 0.5, 1e-3},
    {SNW__BRIDGE_MATERN, 2, 1e-3},
};

typedef struct judge_candidate {
    judge_base base;
    int bridge;
    snw_fill_method method; /* what it is called */
} judge_candidate;

/* Where a trial is too short for judged gaps of the same length, shorter ones are taken and the
 * errors grow with the length to this power. From the errors at 12 and 60 frames of seven captures:
 * 2.0-2.6, 0.7-1.2, 0.3-0.7, 0.5-0.9. */
static const double judge_growth[JUDGE_BASES] = {2.2, 1.0, 0.5, 0.5, 0.8, 0.8, 0.5};

static const judge_candidate judge_list[] = {
    {JUDGE_WORLD, JUDGE_LINE, SNW_FILL_LINEAR},
    {JUDGE_WORLD, JUDGE_SPLINE, SNW_FILL_SPLINE},
    {JUDGE_WORLD, JUDGE_SMOOTH, SNW_FILL_SPLINE},
    {JUDGE_FRAME, JUDGE_SPLINE, SNW_FILL_FRAME},
    {JUDGE_FRAME, JUDGE_SMOOTH, SNW_FILL_FRAME},
    {JUDGE_FRAME, JUDGE_MIDDLE, SNW_FILL_RIGID},
    {JUDGE_FRAME, JUDGE_LINE, SNW_FILL_RIGID},
    {JUDGE_FRAME, JUDGE_SHORT, SNW_FILL_RIGID},
    {JUDGE_FRAME, JUDGE_BRIEF, SNW_FILL_RIGID},
    {JUDGE_FRAME, JUDGE_LONG, SNW_FILL_RIGID},
    {JUDGE_PLACES, JUDGE_MIDDLE, SNW_FILL_LOCAL},
    {JUDGE_PLACES, JUDGE_LINE, SNW_FILL_LOCAL},
    {JUDGE_PLACES, JUDGE_SHORT, SNW_FILL_LOCAL},
    {JUDGE_PLACES, JUDGE_BRIEF, SNW_FILL_LOCAL},
    {JUDGE_PLACES, JUDGE_LONG, SNW_FILL_LOCAL},
    {JUDGE_PLACES_FEW, JUDGE_MIDDLE, SNW_FILL_LOCAL},
    {JUDGE_PLACES_FEW, JUDGE_LINE, SNW_FILL_LOCAL},
    {JUDGE_PLACES_FEW, JUDGE_SHORT, SNW_FILL_LOCAL},
    {JUDGE_PLACES_FEW, JUDGE_BRIEF, SNW_FILL_LOCAL},
    {JUDGE_PLACES_FEW, JUDGE_LONG, SNW_FILL_LOCAL},
    {JUDGE_CHANGES, JUDGE_LINE, SNW_FILL_LOCAL},
    {JUDGE_CHANGES, JUDGE_SMOOTH, SNW_FILL_LOCAL},
    {JUDGE_CHANGES, JUDGE_SHORT, SNW_FILL_LOCAL},
    {JUDGE_CHANGES, JUDGE_BRIEF, SNW_FILL_LOCAL},
    {JUDGE_CHANGES, JUDGE_MIDDLE, SNW_FILL_LOCAL},
    {JUDGE_CHANGES, JUDGE_LONG, SNW_FILL_LOCAL},
    {JUDGE_CHANGES_FEW, JUDGE_LINE, SNW_FILL_LOCAL},
    {JUDGE_CHANGES_FEW, JUDGE_SMOOTH, SNW_FILL_LOCAL},
    {JUDGE_CHANGES_FEW, JUDGE_SHORT, SNW_FILL_LOCAL},
    {JUDGE_CHANGES_FEW, JUDGE_BRIEF, SNW_FILL_LOCAL},
    {JUDGE_CHANGES_FEW, JUDGE_MIDDLE, SNW_FILL_LOCAL},
    {JUDGE_CHANGES_FEW, JUDGE_LONG, SNW_FILL_LOCAL},
    {JUDGE_BODY, JUDGE_MIDDLE, SNW_FILL_BODY},
};
enum {
    JUDGE_CANDIDATES = sizeof judge_list / sizeof *judge_list
};

/* Frames from a gap whose samples are built upon: dense at the gap, where speed is told, then
 * thinner, to average noise. */
static const int judge_offset[SNW__FILL_EDGE] = {0, 1, 2, 3, 5, 8, 12, 17};
/* Samples on each side that are themselves judged before they are built upon. */
#define JUDGE_ENDS 3
/* An end sample that lies twice as far off as any such sample of the judged gaps, and 2 mm more, is
 * not built upon: half the bound took honest samples of punches and steps for wrong ones. */
#define JUDGE_END_TIMES  2.0
#define JUDGE_END_METRES 2e-3
/* and the step to it is so many times the next one. */
#define JUDGE_END_JUMP 3.0
/* Fewer judged gaps than this decide nothing. */
#define JUDGE_ENOUGH 4
/* Share of the best candidate's error added to every candidate's own: draws the weights together
 * where the judged gaps do not tell the candidates apart. */
#define JUDGE_SHRINK 0.1
/* Weights below this are not computed. */
#define JUDGE_WEIGHT_MIN 1e-3
/* The weights are chosen on the judged gaps, so their errors there are a little too small. Set so
 * that the uncertainty covers 60 % of the errors once (docs/hidden-markers.md). */
#define JUDGE_OPTIMISM 1.15

struct snw__judge {
    snw__moments places, changes, less_places, less_changes;
    snw__regression regression[JUDGE_BASES]; /* of JUDGE_PLACES to JUDGE_CHANGES_FEW */
    bool has_places, has_changes;
    bool is_open[JUDGE_CANDIDATES];
    double growth[JUDGE_BASES];  /* of the errors, from judged gaps to this one */
    int half;                    /* frames between the rows of a change */
    int length;                  /* of the judged gaps */
    snw__gap_edges edges;        /* of a judged gap */
    int point[SNW__FILL_POINTS]; /* frames of it that are judged */
    int point_count;
    double share[JUDGE_BRIDGES][SNW__FILL_POINTS * SNW__FILL_EDGES];
    double end_share[2][JUDGE_ENDS * SNW__FILL_EDGES]; /* weights that tell end samples */
    int count;                                         /* judged gaps */
    double error[SNW__FILL_JUDGED][SNW__FILL_POINTS][JUDGE_CANDIDATES][3];
    double misfit[JUDGE_ENDS][2 * SNW__FILL_JUDGED]; /* of end samples */
    int misfit_count;
    double product[JUDGE_CANDIDATES * JUDGE_CANDIDATES];
    double weight[JUDGE_CANDIDATES];
    double profile[SNW__FILL_POINTS];      /* rms error of the mixture at each point, metres */
    double share_of_gap[SNW__FILL_JUDGED]; /* weight of a judged gap */
};

size_t snw__judge_size(void)
{
    return sizeof(snw__judge);
}

/* ---- bases --------------------------------------------------------------------------------------
 */

static snw_vec3 row_marker(const snw__gap_model *model, const double *row)
{
    const double *at = row + 12 + 3 * model->feature_count;
    return snw_vec3_make(at[0], at[1], at[2]);
}

static bool is_regression(judge_base base)
{
    return base >= JUDGE_PLACES && base <= JUDGE_CHANGES_FEW;
}

/* What the base says about a frame: local metres. WORLD says nothing. */
static snw_vec3 base_at(const snw__gap_model *model, judge_base base, int frame, const double *row)
{
    const snw__judge *judge = model->fill->judge;
    int size = 3 * model->feature_count + 3;
    if (base == JUDGE_WORLD) return snw_vec3_make(0, 0, 0);
    if (base == JUDGE_BODY)
        return snw__row_local(row, snw_trial_position(model->fill->body, frame, model->marker));
    if (is_regression(base)) return snw__regression_base(judge->regression + base, row + 12, size);
    const double *mean = judge->regression[JUDGE_PLACES].mean + size - 3;
    return snw_vec3_make(mean[0], mean[1], mean[2]);
}

/* What the base misses at a frame where the marker is seen. */
static snw_vec3 residual_at(const snw__gap_model *model, judge_base base, int frame,
                            const double *row)
{
    snw_vec3 seen = row_marker(model, row);
    if (base == JUDGE_WORLD) return snw__row_world(row, seen);
    return snw_vec3_sub(seen, base_at(model, base, frame, row));
}

/* The residuals of all open bases at the edges of a gap that starts at `from`. */
static void see_edges(const snw__gap_model *model, int from, const snw__gap_edges *edges,
                      const bool *is_used, snw_vec3 residual[JUDGE_BASES][SNW__FILL_EDGES])
{
    for (int e = 0; e < edges->count; e++) {
        int frame = from + edges->frame[e];
        const double *row = snw__gap_row(model, frame);
        for (int base = 0; base < JUDGE_BASES; base++)
            if (is_used[base]) residual[base][e] = residual_at(model, (judge_base)base, frame, row);
    }
}

static snw_vec3 carry(const snw_vec3 *residual, const double *share, int count)
{
    snw_vec3 sum = {0, 0, 0};
    for (int e = 0; e < count; e++)
        sum = snw_vec3_add_scaled(sum, share[e], residual[e]);
    return sum;
}

static void bases_in_use(const snw__judge *judge, bool is_used[JUDGE_BASES])
{
    memset(is_used, 0, JUDGE_BASES * sizeof *is_used);
    for (int c = 0; c < JUDGE_CANDIDATES; c++)
        if (judge->is_open[c]) is_used[judge_list[c].base] = true;
}

/* Regressions without the frames [from, to); from == to: with all. */
static void learn(const snw__gap_model *model, int from, int to)
{
    snw__judge *judge = model->fill->judge;
    snw__regression *r = judge->regression;
    int few = 3 * SNW__FILL_FEW;
    judge->less_places = judge->places;
    if (to > from) snw__moments_forget_places(model, from, to, &judge->less_places);
    for (int i = 0; i < judge->less_places.size; i++)
        r[JUDGE_PLACES].mean[i] = judge->less_places.sum[i] / fmax(judge->less_places.count, 1);
    if (judge->has_places)
        snw__regress(&judge->less_places, &judge->less_places, few, r + JUDGE_PLACES,
                     r + JUDGE_PLACES_FEW);
    if (!judge->has_changes) return;
    judge->less_changes = judge->changes;
    if (to > from) snw__moments_forget_changes(model, judge->half, from, to, &judge->less_changes);
    snw__regress(&judge->less_changes, &judge->less_places, few, r + JUDGE_CHANGES,
                 r + JUDGE_CHANGES_FEW);
}

/* ---- judged gaps --------------------------------------------------------------------------------
 */

static bool is_known(const snw__gap_model *model, int frame)
{
    if (frame < 0 || frame >= model->fill->frame_count ||
        !snw__fill_measured(model->fill, frame, model->marker))
        return false;
    return snw__gap_row(model, frame) != NULL;
}

static bool can_judge(const snw__gap_model *model, int from)
{
    const snw__judge *judge = model->fill->judge;
    if (from < model->to && from + judge->length > model->from) return false;
    for (int p = 0; p < judge->point_count; p++)
        if (!is_known(model, from + judge->point[p])) return false;
    for (int e = 0; e < judge->edges.count; e++)
        if (!is_known(model, from + judge->edges.frame[e])) return false;
    return true;
}

/* The base by which end samples are told: the surest that is there. */
static judge_base end_base(const snw__judge *judge, const snw__gap_model *model)
{
    if (judge->has_places) return JUDGE_PLACES_FEW;
    return model->has_frame ? JUDGE_FRAME : JUDGE_WORLD;
}

/* Side of an edge: 0 before, 1 behind the gap; rank: which of that side's offsets. */
static int edge_index(const snw__gap_edges *edges, int side, int rank, int length)
{
    int wanted = side == 0 ? -1 - judge_offset[rank] : length + judge_offset[rank];
    for (int e = 0; e < edges->count; e++)
        if (edges->frame[e] == wanted) return e;
    return -1;
}

/* How far the end samples lie from where the others put them; -1 where there are none. */
static void end_misfits(const snw__judge *judge, const snw_vec3 *residual,
                        const snw__gap_edges *edges, int length, int side,
                        double misfit[JUDGE_ENDS])
{
    for (int k = 0; k < JUDGE_ENDS; k++) {
        int e = edge_index(edges, side, k, length);
        misfit[k] =
            e < 0 ? -1
                  : snw_vec3_distance(
                        residual[e],
                        carry(residual, judge->end_share[side] + k * edges->count, edges->count));
    }
}

static void judge_gap(const snw__gap_model *model, int from, const bool *is_used)
{
    snw__judge *judge = model->fill->judge;
    snw_vec3 residual[JUDGE_BASES][SNW__FILL_EDGES];
    learn(model, from, from + judge->length);
    see_edges(model, from, &judge->edges, is_used, residual);
    for (int p = 0; p < judge->point_count; p++) {
        int frame = from + judge->point[p];
        const double *row = snw__gap_row(model, frame);
        snw_vec3 truth = row_marker(model, row), base[JUDGE_BASES];
        for (int b = 0; b < JUDGE_BASES; b++)
            if (is_used[b]) base[b] = base_at(model, (judge_base)b, frame, row);
        for (int c = 0; c < JUDGE_CANDIDATES; c++) {
            if (!judge->is_open[c]) continue;
            const judge_candidate *candidate = judge_list + c;
            const double *share =
                judge->share[candidate->bridge] + (size_t)p * (size_t)judge->edges.count;
            snw_vec3 guess = snw_vec3_add(
                base[candidate->base], carry(residual[candidate->base], share, judge->edges.count));
            if (candidate->base == JUDGE_WORLD) guess = snw__row_local(row, guess);
            snw_vec3 miss =
                snw_vec3_scale(snw_vec3_sub(guess, truth), judge->growth[candidate->base]);
            judge->error[judge->count][p][c][0] = miss.x;
            judge->error[judge->count][p][c][1] = miss.y;
            judge->error[judge->count][p][c][2] = miss.z;
        }
    }
    for (int side = 0; side < 2; side++) {
        double misfit[JUDGE_ENDS];
        end_misfits(judge, residual[end_base(judge, model)], &judge->edges, judge->length, side,
                    misfit);
        if (misfit[0] < 0) continue;
        for (int k = 0; k < JUDGE_ENDS; k++)
            judge->misfit[k][judge->misfit_count] = misfit[k];
        judge->misfit_count++;
    }
    judge->count++;
}

/* Half of the judged gaps lie as near to the gap as they can, the others are spread over the trial:
 * near ones tell of the same motion, far ones of more motions. */
static void judge_gaps(const snw__gap_model *model, const bool *is_used)
{
    snw__judge *judge = model->fill->judge;
    int length = judge->length, limit = SNW__FILL_JUDGED, frames = model->fill->frame_count;
    int step = length / 2 + judge_offset[SNW__FILL_EDGE - 1] / 2 + 1;
    judge->count = judge->misfit_count = 0;
    for (int n = 0; n < limit / 2 && judge->count < limit / 2; n++) {
        int before = model->from - length - n * step - 4, after = model->to + n * step + 4;
        if (can_judge(model, before)) judge_gap(model, before, is_used);
        if (can_judge(model, after)) judge_gap(model, after, is_used);
    }
    /* Multiples of the golden section fill an interval evenly, however many there are. */
    for (int n = 1; n <= 3 * limit && judge->count < limit; n++) {
        double place = n * 0.61803398874989484820;
        int from = (int)((place - floor(place)) * (frames - length));
        if (can_judge(model, from)) judge_gap(model, from, is_used);
    }
}

/* Points, edges and bridges of judged gaps of this length. */
static void prepare_judged(const snw__gap_model *model, int length, int edge_count, bool has_before,
                           bool has_after)
{
    snw__judge *judge = model->fill->judge;
    double rate = model->fill->rate;
    judge->length = length;
    judge->point_count = length < SNW__FILL_POINTS ? length : SNW__FILL_POINTS;
    for (int p = 0; p < judge->point_count; p++)
        judge->point[p] = (int)((p + 0.5) * length / judge->point_count);
    judge->edges.count = 0;
    for (int n = 0; n < edge_count; n++) {
        if (has_before) judge->edges.frame[judge->edges.count++] = -1 - judge_offset[n];
        if (has_after) judge->edges.frame[judge->edges.count++] = length + judge_offset[n];
    }
    for (int base = 0; base < JUDGE_BASES; base++)
        judge->growth[base] =
            snw__pow((double)(model->to - model->from) / length, judge_growth[base]);
    for (int b = 0; b < JUDGE_BRIDGES; b++)
        snw__bridge_weights(judge_bridge + b, &judge->edges, rate, judge->point, judge->point_count,
                            judge->share[b]);
}

/* Weights that tell each end sample of a side from all samples but the ends of that side. */
static void prepare_ends(snw__judge *judge, const snw__gap_edges *edges, int length, double rate)
{
    for (int side = 0; side < 2; side++) {
        snw__gap_edges others = {0, {0}};
        int from[SNW__FILL_EDGES], at[JUDGE_ENDS];
        double share[JUDGE_ENDS * SNW__FILL_EDGES];
        for (int e = 0; e < edges->count; e++) {
            bool is_end = false;
            for (int k = 0; k < JUDGE_ENDS; k++)
                is_end = is_end || edge_index(edges, side, k, length) == e;
            if (is_end) continue;
            from[others.count] = e;
            others.frame[others.count++] = edges->frame[e];
        }
        for (int k = 0; k < JUDGE_ENDS; k++)
            at[k] = side == 0 ? -1 - judge_offset[k] : length + judge_offset[k];
        memset(judge->end_share[side], 0, sizeof judge->end_share[side]);
        if (!snw__bridge_weights(judge_bridge + JUDGE_BRIEF, &others, rate, at, JUDGE_ENDS, share))
            continue;
        for (int k = 0; k < JUDGE_ENDS; k++)
            for (int n = 0; n < others.count; n++)
                judge->end_share[side][k * edges->count + from[n]] = share[k * others.count + n];
    }
}

/* ---- weights ------------------------------------------------------------------------------------
 */

/* The mixture's squared error in one judged gap, a point's mean. */
static double mixture_error(const snw__judge *judge, int gap, int first, int last)
{
    double square = 0;
    for (int p = first; p < last; p++)
        for (int axis = 0; axis < 3; axis++) {
            double sum = 0;
            for (int c = 0; c < JUDGE_CANDIDATES; c++)
                if (judge->weight[c] > 0) sum += judge->weight[c] * judge->error[gap][p][c][axis];
            square += sum * sum;
        }
    return square / (last - first);
}

static void sum_products(snw__judge *judge)
{
    memset(judge->product, 0, sizeof judge->product);
    for (int g = 0; g < judge->count; g++)
        for (int p = 0; p < judge->point_count; p++)
            for (int axis = 0; axis < 3; axis++) {
                double e[JUDGE_CANDIDATES];
                for (int c = 0; c < JUDGE_CANDIDATES; c++)
                    e[c] = judge->error[g][p][c][axis];
                for (int c = 0; c < JUDGE_CANDIDATES; c++)
                    snw__axpy(judge->share_of_gap[g] * e[c], e,
                              judge->product + (size_t)c * JUDGE_CANDIDATES, c + 1);
            }
    double least = INFINITY;
    for (int c = 0; c < JUDGE_CANDIDATES; c++)
        if (judge->is_open[c]) least = fmin(least, judge->product[c * (JUDGE_CANDIDATES + 1)]);
    for (int c = 0; c < JUDGE_CANDIDATES; c++) {
        judge->product[c * (JUDGE_CANDIDATES + 1)] += JUDGE_SHRINK * least;
        for (int d = 0; d < c; d++)
            judge->product[d * JUDGE_CANDIDATES + c] = judge->product[c * JUDGE_CANDIDATES + d];
    }
}

/* Least w^T Q w on the simplex: weight moves from the candidate with the largest gradient to the
 * one with the least, as far as is best, until they agree. */
static void balance(snw__judge *judge)
{
    double gradient[JUDGE_CANDIDATES];
    const double *q = judge->product;
    int start = -1;
    for (int c = 0; c < JUDGE_CANDIDATES; c++) {
        judge->weight[c] = 0;
        if (judge->is_open[c] &&
            (start < 0 || q[c * (JUDGE_CANDIDATES + 1)] < q[start * (JUDGE_CANDIDATES + 1)]))
            start = c;
    }
    if (start < 0) return;
    judge->weight[start] = 1;
    for (int c = 0; c < JUDGE_CANDIDATES; c++)
        gradient[c] = q[c * JUDGE_CANDIDATES + start];
    for (int round = 0; round < 200; round++) {
        int to = -1, from = -1;
        for (int c = 0; c < JUDGE_CANDIDATES; c++) {
            if (!judge->is_open[c]) continue;
            if (to < 0 || gradient[c] < gradient[to]) to = c;
            if (judge->weight[c] > 0 && (from < 0 || gradient[c] > gradient[from])) from = c;
        }
        double slope = gradient[from] - gradient[to];
        double bend = q[from * (JUDGE_CANDIDATES + 1)] + q[to * (JUDGE_CANDIDATES + 1)] -
                      2 * q[from * JUDGE_CANDIDATES + to];
        if (!(slope > 1e-6 * gradient[from]) || !(bend > 0)) break;
        double step = fmin(slope / bend, judge->weight[from]);
        judge->weight[from] -= step;
        judge->weight[to] += step;
        for (int c = 0; c < JUDGE_CANDIDATES; c++)
            gradient[c] += step * (q[c * JUDGE_CANDIDATES + to] - q[c * JUDGE_CANDIDATES + from]);
    }
}

static void reweigh_gaps(snw__judge *judge)
{
    double rms[SNW__FILL_JUDGED], sorted[SNW__FILL_JUDGED];
    for (int g = 0; g < judge->count; g++)
        sorted[g] = rms[g] = sqrt(mixture_error(judge, g, 0, judge->point_count));
    double floor_at = 0.3 * snw__median(sorted, judge->count) + 1e-6;
    for (int g = 0; g < judge->count; g++)
        judge->share_of_gap[g] = 1 / fmax(rms[g], floor_at);
}

static void keep_best(snw__judge *judge)
{
    double sum = 0;
    for (int c = 0; c < JUDGE_CANDIDATES; c++) {
        if (judge->weight[c] < JUDGE_WEIGHT_MIN) judge->weight[c] = 0;
        sum += judge->weight[c];
    }
    for (int c = 0; c < JUDGE_CANDIDATES && sum > 0; c++)
        judge->weight[c] /= sum;
}

static void weigh(snw__judge *judge)
{
    for (int g = 0; g < judge->count; g++)
        judge->share_of_gap[g] = 1;
    for (int round = 0; round < 3; round++) {
        sum_products(judge);
        balance(judge);
        reweigh_gaps(judge);
    }
    keep_best(judge);
    for (int p = 0; p < judge->point_count; p++) {
        double square = 0;
        for (int g = 0; g < judge->count; g++)
            square += mixture_error(judge, g, p, p + 1);
        judge->profile[p] = JUDGE_OPTIMISM * sqrt(square / judge->count);
    }
}

/* ---- the gap itself -----------------------------------------------------------------------------
 */

static void open_candidates(const snw__gap_model *model, snw_fill_method method)
{
    snw__judge *judge = model->fill->judge;
    for (int c = 0; c < JUDGE_CANDIDATES; c++) {
        judge_base base = judge_list[c].base;
        bool is_there = base == JUDGE_WORLD;
        if (base == JUDGE_FRAME) is_there = model->has_frame;
        if (base == JUDGE_PLACES || base == JUDGE_PLACES_FEW) is_there = judge->has_places;
        if (base == JUDGE_CHANGES || base == JUDGE_CHANGES_FEW) is_there = judge->has_changes;
        if (base == JUDGE_BODY) is_there = model->fill->body && method == SNW_FILL_BODY;
        bool is_twin = (base == JUDGE_PLACES_FEW || base == JUDGE_CHANGES_FEW) &&
                       model->feature_count <= SNW__FILL_FEW;
        judge->is_open[c] = is_there && !is_twin;
    }
    if (method == SNW_FILL_AUTO) return;
    /* One method: the first candidate of that name, or where it has nothing to build upon, of a
     * simpler one. */
    int only = -1;
    for (int want = (int)method; only < 0 && want > SNW_FILL_AUTO; want--)
        for (int c = 0; only < 0 && c < JUDGE_CANDIDATES; c++)
            if (judge->is_open[c] && (int)judge_list[c].method == want) only = c;
    for (int c = 0; c < JUDGE_CANDIDATES; c++)
        judge->is_open[c] = c == only;
}

static void find_edges(const snw__gap_model *model, snw__gap_edges *edges)
{
    int length = model->to - model->from;
    edges->count = 0;
    for (int n = 0; n < SNW__FILL_EDGE; n++) {
        if (is_known(model, model->from - 1 - judge_offset[n]))
            edges->frame[edges->count++] = -1 - judge_offset[n];
        if (is_known(model, model->to + judge_offset[n]))
            edges->frame[edges->count++] = length + judge_offset[n];
    }
}

/* Does the path of a side jump between its samples k and k + 1, as a wrong sample makes it? A quick
 * motion may lead far from what was expected too, but not in one frame. */
static bool jumps(const snw_vec3 *residual, const snw__gap_edges *edges, int length, int side,
                  int k)
{
    int at[3];
    for (int n = 0; n < 3; n++) {
        at[n] = edge_index(edges, side, k + n, length);
        if (at[n] < 0) return false;
    }
    return snw_vec3_distance(residual[at[0]], residual[at[1]]) >
           JUDGE_END_JUMP * snw_vec3_distance(residual[at[1]], residual[at[2]]);
}

/* Leaves out end samples that do not fit. */
static int distrust_ends(const snw__gap_model *model, snw__gap_edges *edges)
{
    snw__judge *judge = model->fill->judge;
    snw_vec3 residual[JUDGE_BASES][SNW__FILL_EDGES];
    bool is_used[JUDGE_BASES] = {false};
    int length = model->to - model->from, dropped = 0;
    judge_base base = end_base(judge, model);
    if (judge->misfit_count < JUDGE_ENOUGH) return 0;
    is_used[base] = true;
    see_edges(model, model->from, edges, is_used, residual);
    prepare_ends(judge, edges, length, model->fill->rate);
    for (int side = 0; side < 2; side++) {
        double misfit[JUDGE_ENDS];
        int bad = 0;
        end_misfits(judge, residual[base], edges, length, side, misfit);
        for (int k = 0; k < JUDGE_ENDS; k++) {
            double largest = 0;
            for (int n = 0; n < judge->misfit_count; n++)
                largest = fmax(largest, judge->misfit[k][n]);
            double bound = JUDGE_END_TIMES * largest;
            if (misfit[k] > bound + JUDGE_END_METRES &&
                jumps(residual[base], edges, length, side, k))
                bad = k + 1;
        }
        for (int k = 0; k < bad; k++) {
            int e = edge_index(edges, side, k, length);
            if (e < 0) continue;
            edges->frame[e] = edges->frame[--edges->count];
            dropped++;
        }
    }
    return dropped;
}

/* Adds what the candidates with bridge b say, local metres. */
static void mix_bridge(const snw__gap_model *model, const snw__gap_edges *edges, int b,
                       snw_vec3 residual[JUDGE_BASES][SNW__FILL_EDGES])
{
    const snw__fill *fill = model->fill;
    const snw__judge *judge = fill->judge;
    int length = model->to - model->from;
    snw__bridge_weights(judge_bridge + b, edges, fill->rate, fill->step, length, fill->share);
    for (int c = 0; c < JUDGE_CANDIDATES; c++) {
        const judge_candidate *candidate = judge_list + c;
        if (candidate->bridge != b || !(judge->weight[c] > 0)) continue;
        for (int n = 0; n < length; n++) {
            int frame = model->from + n;
            const double *row = snw__gap_row(model, frame);
            const double *share = fill->share + (size_t)n * (size_t)edges->count;
            snw_vec3 guess = snw_vec3_add(base_at(model, candidate->base, frame, row),
                                          carry(residual[candidate->base], share, edges->count));
            if (candidate->base == JUDGE_WORLD) guess = snw__row_local(row, guess);
            fill->answer[n] = snw_vec3_add_scaled(fill->answer[n], judge->weight[c], guess);
        }
    }
}

static void mix(const snw__gap_model *model, const snw__gap_edges *edges)
{
    const snw__judge *judge = model->fill->judge;
    snw_vec3 residual[JUDGE_BASES][SNW__FILL_EDGES];
    bool is_used[JUDGE_BASES];
    bases_in_use(judge, is_used);
    see_edges(model, model->from, edges, is_used, residual);
    for (int n = 0; n < model->to - model->from; n++)
        model->fill->answer[n] = snw_vec3_make(0, 0, 0);
    for (int b = 0; b < JUDGE_BRIDGES; b++) {
        bool is_wanted = false;
        for (int c = 0; c < JUDGE_CANDIDATES; c++)
            is_wanted = is_wanted || (judge_list[c].bridge == b && judge->weight[c] > 0);
        if (is_wanted) mix_bridge(model, edges, b, residual);
    }
}

/* ---- ends without a step ------------------------------------------------------------------------
 */

/* Frames over which a difference in velocity at an end is taken up. */
#define JUDGE_EASE 6

/* The second difference at an end may be this many times the largest of the samples beside it. */
#define JUDGE_BEND 2.0

/* The path beside the gap is y0 (nearest), y1, y2, ...; the answer starts at answer[first] and goes
 * on by `step`. Where it leaves the measured path with a kink, the part of the kink above what the
 * path itself shows is eased out over a few frames. */
static void ease_end(const snw_vec3 *y, int y_count, snw_vec3 *answer, int length, int step)
{
    double largest = 0;
    if (y_count < 4 || length < 2) return;
    for (int k = 0; k + 2 < y_count; k++)
        largest = fmax(largest, snw_vec3_length(snw_vec3_add(
                                    snw_vec3_sub(y[k], snw_vec3_scale(y[k + 1], 2)), y[k + 2])));
    double allowed = JUDGE_BEND * largest;
    snw_vec3 slope = snw_vec3_sub(y[0], y[1]);
    snw_vec3 kink = snw_vec3_sub(snw_vec3_add(y[0], slope), *answer);
    double size = snw_vec3_length(kink);
    if (!(size > allowed)) return;
    kink = snw_vec3_scale(kink, 1 - allowed / size);
    int reach = length < JUDGE_EASE ? length : JUDGE_EASE;
    for (int n = 0; n < reach; n++) {
        double left = 1 - (double)n / reach;
        answer[n * step] = snw_vec3_add_scaled(answer[n * step], left * left * (1 + n / 2.0), kink);
    }
}

static int path_beside(const snw__gap_model *model, int start, int step, snw_vec3 y[6])
{
    int count = 0;
    for (; count < 6 && is_known(model, start + count * step); count++)
        y[count] = row_marker(model, snw__gap_row(model, start + count * step));
    return count;
}

static void ease_ends(const snw__gap_model *model, const snw__gap_edges *edges)
{
    snw_vec3 y[6], *answer = model->fill->answer;
    int length = model->to - model->from;
    if (edge_index(edges, 0, 0, length) >= 0)
        ease_end(y, path_beside(model, model->from - 1, -1, y), answer, length, 1);
    if (edge_index(edges, 1, 0, length) >= 0)
        ease_end(y, path_beside(model, model->to, 1, y), answer + length - 1, length, -1);
}

/* ---- uncertainty --------------------------------------------------------------------------------
 */

static void spread_uncertainty(const snw__gap_model *model)
{
    const snw__judge *judge = model->fill->judge;
    int length = model->to - model->from, count = judge->point_count;
    for (int n = 0; n < length; n++) {
        double place = (n + 0.5) * count / length - 0.5;
        int low = place < 0 ? 0 : (int)place;
        int high = low + 1 < count ? low + 1 : low;
        if (low > count - 1) low = count - 1;
        double part = snw_clamp(place - low, 0, 1);
        model->fill->doubt[n] =
            (float)((1 - part) * judge->profile[low] + part * judge->profile[high]);
    }
}

/* Without judged gaps: as much as the marker moved beside the gap, growing with its length. */
static void guess_profile(const snw__gap_model *model, const snw__gap_edges *edges)
{
    snw__judge *judge = model->fill->judge;
    snw_vec3 residual[JUDGE_BASES][SNW__FILL_EDGES];
    bool is_used[JUDGE_BASES] = {false};
    int first = -1;
    for (int c = 0; c < JUDGE_CANDIDATES; c++) {
        judge->weight[c] = 0;
        bool is_preferred =
            judge->is_open[c] && (first < 0 || (judge_list[c].bridge == JUDGE_MIDDLE &&
                                                judge_list[c].base == JUDGE_PLACES));
        if (is_preferred ||
            (judge->is_open[c] && judge_list[c].base == JUDGE_FRAME &&
             judge_list[c].bridge == JUDGE_MIDDLE && judge_list[first].base == JUDGE_WORLD))
            first = c;
    }
    judge->weight[first] = 1;
    is_used[judge_list[first].base] = true;
    see_edges(model, model->from, edges, is_used, residual);
    double square = 0;
    for (int e = 1; e < edges->count; e++)
        square += snw_vec3_length2(
            snw_vec3_sub(residual[judge_list[first].base][e], residual[judge_list[first].base][0]));
    double spread = edges->count > 1 ? sqrt(square / (edges->count - 1)) : 0.05;
    for (int p = 0; p < judge->point_count; p++)
        judge->profile[p] =
            0.003 + spread * sqrt(1 + (double)judge->length / judge_offset[SNW__FILL_EDGE - 1]);
}

static void name_method(const snw__judge *judge, snw_filled_gap *gap)
{
    double share[SNW_FILL_METHOD_COUNT] = {0};
    for (int c = 0; c < JUDGE_CANDIDATES; c++)
        share[judge_list[c].method] += judge->weight[c];
    gap->method = SNW_FILL_AUTO;
    for (int m = 0; m < SNW_FILL_METHOD_COUNT; m++)
        if (share[m] > share[gap->method]) gap->method = (snw_fill_method)m;
    gap->share = share[gap->method];
}

void snw__gap_fill(const snw__gap_model *model, snw_fill_method method, snw_filled_gap *gap)
{
    const snw__fill *fill = model->fill;
    snw__judge *judge = fill->judge;
    int length = model->to - model->from;
    snw__gap_edges edges;
    find_edges(model, &edges);
    bool has_before = false, has_after = false, is_used[JUDGE_BASES];
    for (int e = 0; e < edges.count; e++) {
        has_before = has_before || edges.frame[e] < 0;
        has_after = has_after || edges.frame[e] >= length;
    }
    gap->outcome = SNW_GAP_ALONE;
    bool is_held = edges.count > 0 && (model->has_frame || (has_before && has_after));
    if (!is_held && method != SNW_FILL_BODY) return;
    judge->half = (length + 1) / 2 + 1;
    if (judge->half > fill->frame_count / 6) judge->half = fill->frame_count / 6;
    judge->has_places = snw__moments_of_places(model, &judge->places) && model->has_frame;
    judge->has_changes = judge->has_places && judge->half > 0 &&
                         snw__moments_of_changes(model, judge->half, &judge->changes);
    open_candidates(model, method);
    bases_in_use(judge, is_used);
    is_used[end_base(judge, model)] = true;
    judge->count = 0;
    for (int judged = length; judged > 0 && judge->count < JUDGE_ENOUGH; judged /= 2)
        for (int edge_count = SNW__FILL_EDGE; edge_count > 1 && judge->count < JUDGE_ENOUGH;
             edge_count /= 2) {
            prepare_judged(model, judged, edge_count, has_before, has_after);
            prepare_ends(judge, &judge->edges, judged, fill->rate);
            judge_gaps(model, is_used);
        }
    learn(model, 0, 0);
    gap->distrusted = distrust_ends(model, &edges);
    if (judge->count >= JUDGE_ENOUGH)
        weigh(judge);
    else
        guess_profile(model, &edges);
    mix(model, &edges);
    ease_ends(model, &edges);
    for (int n = 0; n < length; n++)
        fill->answer[n] = snw__row_world(snw__gap_row(model, model->from + n), fill->answer[n]);
    spread_uncertainty(model);
    name_method(judge, gap);
    gap->judged = judge->count;
    gap->outcome = SNW_GAP_FILLED;
}

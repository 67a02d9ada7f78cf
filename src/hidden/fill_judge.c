/* Judges the candidates where the truth is known, and weighs them.
 *
 * The same marker is hidden again at other times, for as many frames, with the same neighbours;
 * every candidate fills these judged gaps, with the frames of each taken out of what the
 * regressions learned. The weights minimise the error of the mixture,
 *
 *     sum over judged gaps of |sum_j w_j e_j|^2 / s,   w_j >= 0,  sum_j w_j = 1      (Wolpert 1992)
 *
 * with s the gap's own error (twice reweighted): what is minimised is then the mean error, and one
 * wild gap does not decide. The mixture's errors on the judged gaps are the uncertainty. */
#include "hidden/fill_judge.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "hidden/hidden_constants.h"
#include "math/kernel.h"
#include "math/order.h"

/* Where a trial is too short for judged gaps of the same length, shorter ones are taken and the
 * errors grow with the length to this power. From the errors at 12 and 60 frames of seven captures:
 * 2.0-2.6, 0.7-1.2, 0.3-0.7, 0.5-0.9. Captures differ by half of such a range, 0.2: with a power
 * that is normal about g the mean square of a growth r^g is r^2g exp(2 (0.2 ln r)^2). */
static const double judge_growth[SNW__BASES] = {2.2, 1.0, 0.5, 0.5, 0.8, 0.8, 0.5, 0.5, 0.5};
static const double judge_growth_spread = 0.2;

/* ---- judged gaps ------------------------------------------------------------------------------
 */

static bool can_judge(const snw__gap_model *model, int from)
{
    const snw__judge *judge = model->fill->judge;
    if (from < model->to && from + judge->length > model->from) return false;
    for (int p = 0; p < judge->point_count; p++)
        if (!snw__gap_knows(model, from + judge->point[p])) return false;
    for (int e = 0; e < judge->edges.count; e++)
        if (!snw__gap_knows(model, from + judge->edges.frame[e])) return false;
    return true;
}

static void judge_gap(const snw__gap_model *model, int from, const bool *is_used)
{
    snw__judge *judge = model->fill->judge;
    snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES];
    snw__bases_learn(model, from, from + judge->length);
    snw__bases_see(model, from, &judge->edges, is_used, residual);
    for (int p = 0; p < judge->point_count; p++) {
        int frame = from + judge->point[p];
        snw_vec3 truth = snw__row_marker(model, snw__gap_row(model, frame));
        for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
            if (!judge->is_open[c]) continue;
            const snw__fill_candidate *candidate = snw__fill_candidates + c;
            const double *share =
                judge->share[candidate->bridge] + (size_t)p * (size_t)judge->edges.count;
            snw_vec3 guess = snw__candidate_at(model, c, frame, residual[candidate->base], share,
                                               judge->edges.count);
            snw_vec3 miss =
                snw_vec3_scale(snw_vec3_sub(guess, truth), judge->growth[candidate->base]);
            judge->error[judge->count][p][c][0] = miss.x;
            judge->error[judge->count][p][c][1] = miss.y;
            judge->error[judge->count][p][c][2] = miss.z;
        }
    }
    for (int side = 0; side < 2; side++) {
        double misfit[SNW__ENDS];
        snw__end_misfits(judge, residual[snw__end_base(judge, model)], &judge->edges, judge->length,
                         side, misfit);
        if (misfit[0] < 0) continue;
        for (int k = 0; k < SNW__ENDS; k++)
            judge->misfit[k][judge->misfit_count] = misfit[k];
        judge->misfit_count++;
    }
    judge->from[judge->count++] = from;
}

/* Half of the judged gaps lie as near to the gap as they can, the others are spread over the trial:
 * near ones tell of the same motion, far ones of more motions. */
void snw__judge_gaps(const snw__gap_model *model, const bool *is_used)
{
    snw__judge *judge = model->fill->judge;
    int length = judge->length, limit = SNW__FILL_JUDGED, frames = model->fill->frame_count;
    int step = length / 2 + snw__edge_offset[SNW__FILL_EDGE - 1] / 2 + 1;
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

/* Of a gap that is longer than all that is seen of its marker, judged gaps show a part of the
 * motion only: what it does beyond is taken for a random walk, whose spread grows with the root of
 * time. */
static double doubt_of_unseen(const snw__gap_model *model)
{
    double seen = 1, hidden = model->to - model->from;
    for (int frame = 0; frame < model->fill->frame_count; frame++)
        seen += snw__fill_measured(model->fill, frame, model->marker);
    return sqrt(fmax(1, hidden / seen));
}

void snw__judge_prepare(const snw__gap_model *model, int length, int edge_count, bool has_before,
                        bool has_after)
{
    snw__judge *judge = model->fill->judge;
    double rate = model->fill->rate;
    judge->length = length;
    judge->whole = model->to - model->from;
    judge->point_count = length < SNW__FILL_POINTS ? length : SNW__FILL_POINTS;
    for (int p = 0; p < judge->point_count; p++)
        judge->point[p] = (int)((p + 0.5) * length / judge->point_count);
    judge->edges.count = 0;
    for (int n = 0; n < edge_count; n++) {
        if (has_before) judge->edges.frame[judge->edges.count++] = -1 - snw__edge_offset[n];
        if (has_after) judge->edges.frame[judge->edges.count++] = length + snw__edge_offset[n];
    }
    double longer = (double)(model->to - model->from) / length;
    double unsure = judge_growth_spread * snw__log(longer);
    judge->growth_doubt = snw__exp(unsure * unsure) * doubt_of_unseen(model);
    for (int base = 0; base < SNW__BASES; base++)
        judge->growth[base] = snw__pow(longer, judge_growth[base]);
    for (int b = 0; b < SNW__BRIDGES; b++)
        snw__bridge_weights(snw__bridge_list + b, &judge->edges, rate, judge->point,
                            judge->point_count, judge->share[b]);
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
            for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
                if (judge->weight[c] > 0) sum += judge->weight[c] * judge->error[gap][p][c][axis];
            square += sum * sum;
        }
    return square / (last - first);
}

/* In short trials judged gaps share frames, or lie within the length of the gap that they stand
 * for: gaps that say the same count as one (Kish 1965). */
static double effective_count(const snw__judge *judge)
{
    double count = 0;
    for (int g = 0; g < judge->count; g++) {
        double same = 0;
        /* Share of a gap's frames, begun where this judged one begins, that another has as well. */
        for (int h = 0; h < judge->count; h++)
            same += fmax(0, 1 - fabs((double)judge->from[g] - judge->from[h]) / judge->whole);
        count += 1 / same;
    }
    return count;
}

/* All weight to the best candidate by itself. */
static void start_at_best(snw__judge *judge)
{
    const double *q = judge->product;
    int best = -1;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        judge->weight[c] = 0;
        if (judge->is_open[c] &&
            (best < 0 || q[c * (SNW__FILL_CANDIDATES + 1)] < q[best * (SNW__FILL_CANDIDATES + 1)]))
            best = c;
    }
    if (best >= 0) judge->weight[best] = 1;
}

/* Least w^T Q w on the simplex, from the weights that are there: weight moves from the candidate
 * with the largest gradient to the one with the least, as far as is best, until they agree. */
static void balance(snw__judge *judge)
{
    double gradient[SNW__FILL_CANDIDATES] = {0};
    const double *q = judge->product;
    for (int d = 0; d < SNW__FILL_CANDIDATES; d++)
        if (judge->weight[d] > 0)
            snw__axpy(judge->weight[d], q + (size_t)d * SNW__FILL_CANDIDATES, gradient,
                      SNW__FILL_CANDIDATES);
    for (int round = 0; round < 200; round++) {
        int to = -1, from = -1;
        for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
            if (!judge->is_open[c]) continue;
            if (to < 0 || gradient[c] < gradient[to]) to = c;
            if (judge->weight[c] > 0 && (from < 0 || gradient[c] > gradient[from])) from = c;
        }
        if (from < 0) return;
        double slope = gradient[from] - gradient[to];
        double bend = q[from * (SNW__FILL_CANDIDATES + 1)] + q[to * (SNW__FILL_CANDIDATES + 1)] -
                      2 * q[from * SNW__FILL_CANDIDATES + to];
        if (!(slope > 1e-6 * gradient[from]) || !(bend > 0)) break;
        double step = fmin(slope / bend, judge->weight[from]);
        judge->weight[from] -= step;
        judge->weight[to] += step;
        for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
            gradient[c] +=
                step * (q[c * SNW__FILL_CANDIDATES + to] - q[c * SNW__FILL_CANDIDATES + from]);
    }
}

double snw__judge_ambiguity(const snw__judge *judge, const snw_vec3 *guess)
{
    snw_vec3 mixture = {0, 0, 0};
    double square = 0, trust = 0;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
        if (judge->weight[c] > 0)
            mixture = snw_vec3_add_scaled(mixture, judge->weight[c], guess[c]);
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        if (!judge->is_open[c]) continue;
        square += judge->trust[c] * snw_vec3_length2(snw_vec3_sub(guess[c], mixture));
        trust += judge->trust[c];
    }
    return trust > 0 ? square / trust : 0;
}

/* The ambiguity of a mixture (Krogh & Vedelsby 1995): candidates that differ more than they did in
 * judged gaps are in a motion that these did not show. Errors of candidates differ as the
 * candidates do. */
static void weigh_ambiguity(snw__judge *judge)
{
    double sum = 0;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        double square = 0;
        for (int g = 0; g < judge->count && judge->is_open[c]; g++)
            for (int p = 0; p < judge->point_count; p++)
                square += snw__dot(judge->error[g][p][c], judge->error[g][p][c], 3);
        judge->trust[c] = judge->is_open[c] && square > 0 ? 1 / square : 0;
    }
    for (int g = 0; g < judge->count; g++)
        for (int p = 0; p < judge->point_count; p++) {
            snw_vec3 miss[SNW__FILL_CANDIDATES];
            for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
                miss[c] = snw_vec3_make(judge->error[g][p][c][0], judge->error[g][p][c][1],
                                        judge->error[g][p][c][2]);
            sum += snw__judge_ambiguity(judge, miss);
        }
    judge->ambiguity = sqrt(sum / (judge->count * judge->point_count));
}

/* Adds the products of the candidates' errors in judged gaps, each gap so many times. */
static void add_products(snw__judge *judge, const double *times)
{
    for (int g = 0; g < judge->count; g++)
        for (int p = 0; p < judge->point_count && times[g] != 0; p++)
            for (int axis = 0; axis < 3; axis++) {
                double e[SNW__FILL_CANDIDATES];
                for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
                    e[c] = judge->error[g][p][c][axis];
                for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
                    snw__axpy(times[g] * e[c], e, judge->product + (size_t)c * SNW__FILL_CANDIDATES,
                              c + 1);
            }
}

/* Makes the products ready for weights. */
static void draw_together(snw__judge *judge)
{
    double least = INFINITY;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
        if (judge->is_open[c]) least = fmin(least, judge->product[c * (SNW__FILL_CANDIDATES + 1)]);
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        judge->product[c * (SNW__FILL_CANDIDATES + 1)] += JUDGE_SHRINK * least;
        for (int d = 0; d < c; d++)
            judge->product[d * SNW__FILL_CANDIDATES + c] =
                judge->product[c * SNW__FILL_CANDIDATES + d];
    }
}

/* A spread told by few gaps is itself unsure: by how much Student's t with so many degrees of
 * freedom reaches farther than a normal deviate where both hold what lies within two sigma; the
 * series is within 1 %. A gap's error is a curve in three axes, which hang together: it counts for
 * two (chosen on ten captures and pieces of eleven others, on which it was compared). */
static double doubt_of_few(double count)
{
    double each = 1 / (2 * count);
    return snw__exp(each * (1.3 + 0.64 * each));
}

/* Weights that were chosen on a judged gap flatter it: each is told by the weights that the others
 * give, without what they share with it (Stone 1974). */
static void spread_of_others(snw__judge *judge)
{
    double kept[SNW__FILL_CANDIDATES], square[SNW__FILL_POINTS] = {0};
    double whole[SNW__FILL_CANDIDATES * SNW__FILL_CANDIDATES], times[SNW__FILL_JUDGED];
    memcpy(kept, judge->weight, sizeof kept);
    memset(judge->product, 0, sizeof judge->product);
    add_products(judge, judge->share_of_gap);
    memcpy(whole, judge->product, sizeof whole);
    for (int g = 0; g < judge->count; g++) {
        for (int h = 0; h < judge->count; h++)
            times[h] = -judge->share_of_gap[h] *
                       fmax(0, 1 - fabs((double)judge->from[g] - judge->from[h]) / judge->length);
        memcpy(judge->product, whole, sizeof whole);
        add_products(judge, times);
        draw_together(judge);
        memcpy(judge->weight, kept, sizeof kept);
        balance(judge);
        for (int p = 0; p < judge->point_count; p++)
            square[p] += mixture_error(judge, g, p, p + 1);
    }
    memcpy(judge->weight, kept, sizeof kept);
    double few = doubt_of_few(effective_count(judge));
    for (int p = 0; p < judge->point_count; p++)
        judge->profile[p] = judge->growth_doubt * few * sqrt(square[p] / judge->count);
}

void snw__judge_weigh(snw__judge *judge)
{
    for (int g = 0; g < judge->count; g++)
        judge->share_of_gap[g] = 1;
    for (int round = 0; round < 3; round++) {
        memset(judge->product, 0, sizeof judge->product);
        add_products(judge, judge->share_of_gap);
        draw_together(judge);
        start_at_best(judge);
        balance(judge);
        double rms[SNW__FILL_JUDGED], sorted[SNW__FILL_JUDGED];
        for (int g = 0; g < judge->count; g++)
            sorted[g] = rms[g] = sqrt(mixture_error(judge, g, 0, judge->point_count));
        double floor_at = 0.3 * snw__median(sorted, judge->count) + 1e-6;
        for (int g = 0; g < judge->count; g++)
            judge->share_of_gap[g] = 1 / fmax(rms[g], floor_at);
    }
    double sum = 0;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        if (judge->weight[c] < JUDGE_WEIGHT_MIN) judge->weight[c] = 0;
        sum += judge->weight[c];
    }
    for (int c = 0; c < SNW__FILL_CANDIDATES && sum > 0; c++)
        judge->weight[c] /= sum;
    spread_of_others(judge);
    weigh_ambiguity(judge);
}

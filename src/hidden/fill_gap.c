/* Fills one gap by all that is known: finds what stands beside it, has the candidates judged, and
 * mixes them by their weights. */
#include <math.h>
#include <string.h>

#include "hidden/fill_judge.h"

size_t snw__judge_size(void)
{
    return sizeof(snw__judge);
}

static void find_edges(const snw__gap_model *model, snw__gap_edges *edges)
{
    int length = model->to - model->from;
    edges->count = 0;
    for (int n = 0; n < SNW__FILL_EDGE; n++) {
        if (snw__gap_knows(model, model->from - 1 - snw__edge_offset[n]))
            edges->frame[edges->count++] = -1 - snw__edge_offset[n];
        if (snw__gap_knows(model, model->to + snw__edge_offset[n]))
            edges->frame[edges->count++] = length + snw__edge_offset[n];
    }
}

/* Adds what the candidates with bridge b say, local metres. */
static void mix_bridge(const snw__gap_model *model, const snw__gap_edges *edges, int b,
                       snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES])
{
    const snw__fill *fill = model->fill;
    const snw__judge *judge = fill->judge;
    int length = model->to - model->from;
    snw__bridge_weights(snw__bridge_list + b, edges, fill->rate, fill->step, length, fill->share);
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        const snw__fill_candidate *candidate = snw__fill_candidates + c;
        if (candidate->bridge != b || !(judge->weight[c] > 0)) continue;
        for (int n = 0; n < length; n++) {
            int frame = model->from + n;
            const double *share = fill->share + (size_t)n * (size_t)edges->count;
            snw_vec3 guess =
                snw__candidate_at(model, c, frame, residual[candidate->base], share, edges->count);
            fill->answer[n] = snw_vec3_add_scaled(fill->answer[n], judge->weight[c], guess);
        }
    }
}

static void mix(const snw__gap_model *model, const snw__gap_edges *edges)
{
    const snw__judge *judge = model->fill->judge;
    snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES];
    bool is_used[SNW__BASES];
    snw__bases_in_use(judge, is_used);
    snw__bases_see(model, model->from, edges, is_used, residual);
    for (int n = 0; n < model->to - model->from; n++)
        model->fill->answer[n] = snw_vec3_make(0, 0, 0);
    for (int b = 0; b < SNW__BRIDGES; b++) {
        bool is_wanted = false;
        for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
            is_wanted = is_wanted || (snw__fill_candidates[c].bridge == b && judge->weight[c] > 0);
        if (is_wanted) mix_bridge(model, edges, b, residual);
    }
}

/* How far candidates differ in this gap: rms over its points, metres. */
static double ambiguity_of(const snw__gap_model *model, const snw__gap_edges *edges)
{
    const snw__fill *fill = model->fill;
    const snw__judge *judge = fill->judge;
    snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES], guess[SNW__FILL_POINTS][SNW__FILL_CANDIDATES];
    double share[SNW__FILL_POINTS * SNW__FILL_EDGES], sum = 0;
    int length = model->to - model->from, count = judge->point_count, point[SNW__FILL_POINTS];
    bool is_used[SNW__BASES];
    for (int p = 0; p < count; p++)
        point[p] = (int)((p + 0.5) * length / count);
    snw__bases_in_use(judge, is_used);
    snw__bases_see(model, model->from, edges, is_used, residual);
    for (int b = 0; b < SNW__BRIDGES; b++) {
        snw__bridge_weights(snw__bridge_list + b, edges, fill->rate, point, count, share);
        for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
            for (int p = 0; p < count && snw__fill_candidates[c].bridge == b; p++)
                if (judge->is_open[c])
                    guess[p][c] = snw__candidate_at(
                        model, c, model->from + point[p], residual[snw__fill_candidates[c].base],
                        share + (size_t)p * (size_t)edges->count, edges->count);
    }
    for (int p = 0; p < count; p++)
        sum += snw__judge_ambiguity(judge, guess[p]);
    return sqrt(sum / count);
}

/* Candidates that differ by a in this gap and by b in judged ones err by a / b as much here, and
 * that a is more than b shows a motion which judged gaps do not have: the mixture may be off by all
 * of it. */
static void spread_uncertainty(const snw__gap_model *model, const snw__gap_edges *edges)
{
    const snw__judge *judge = model->fill->judge;
    int length = model->to - model->from, count = judge->point_count;
    double times = 1, more = 0, usual = judge->ambiguity;
    double found = usual > 0 ? ambiguity_of(model, edges) : 0;
    if (found > usual) {
        times = found / usual;
        more = found * found - usual * usual;
    }
    for (int n = 0; n < length; n++) {
        double place = (n + 0.5) * count / length - 0.5;
        int low = place < 0 ? 0 : (int)place;
        int high = low + 1 < count ? low + 1 : low;
        if (low > count - 1) low = count - 1;
        double part = snw_clamp(place - low, 0, 1);
        double told = times * ((1 - part) * judge->profile[low] + part * judge->profile[high]);
        model->fill->doubt[n] = (float)sqrt(told * told + more);
    }
}

/* The components were smoothed with the marker where it is seen, so judged gaps flatter them. */
static void doubt_components(const snw__gap_model *model)
{
    const snw__fill *fill = model->fill;
    for (int n = 0; fill->low_rank && n < model->to - model->from; n++)
        fill->doubt[n] =
            fmaxf(fill->doubt[n],
                  fill->low_rank->doubt[snw__fill_at(fill, model->from + n, model->marker)]);
}

/* Without judged gaps: as much as the marker moved beside the gap, growing with its length. */
static void guess_profile(const snw__gap_model *model, const snw__gap_edges *edges)
{
    snw__judge *judge = model->fill->judge;
    snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES];
    bool is_used[SNW__BASES] = {false};
    int first = -1;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        judge->weight[c] = 0;
        bool is_preferred = judge->is_open[c] &&
                            (first < 0 || (snw__fill_candidates[c].bridge == SNW__BRIDGE_MIDDLE &&
                                           snw__fill_candidates[c].base == SNW__BASE_PLACES));
        if (is_preferred || (judge->is_open[c] && snw__fill_candidates[c].base == SNW__BASE_FRAME &&
                             snw__fill_candidates[c].bridge == SNW__BRIDGE_MIDDLE &&
                             snw__fill_candidates[first].base == SNW__BASE_WORLD))
            first = c;
    }
    judge->weight[first] = 1;
    judge->ambiguity = 0; /* nothing to compare with */
    is_used[snw__fill_candidates[first].base] = true;
    snw__bases_see(model, model->from, edges, is_used, residual);
    double square = 0;
    for (int e = 1; e < edges->count; e++)
        square += snw_vec3_length2(snw_vec3_sub(residual[snw__fill_candidates[first].base][e],
                                                residual[snw__fill_candidates[first].base][0]));
    double spread = edges->count > 1 ? sqrt(square / (edges->count - 1)) : 0.05;
    for (int p = 0; p < judge->point_count; p++)
        judge->profile[p] =
            0.003 + spread * sqrt(1 + (double)judge->length / snw__edge_offset[SNW__FILL_EDGE - 1]);
}

void snw__gap_fill(const snw__gap_model *model, snw_fill_method method, snw_filled_gap *gap)
{
    const snw__fill *fill = model->fill;
    snw__judge *judge = fill->judge;
    int length = model->to - model->from;
    snw__gap_edges edges;
    find_edges(model, &edges);
    bool has_before = false, has_after = false, is_used[SNW__BASES];
    for (int e = 0; e < edges.count; e++) {
        has_before = has_before || edges.frame[e] < 0;
        has_after = has_after || edges.frame[e] >= length;
    }
    gap->outcome = SNW_GAP_ALONE;
    bool is_held = edges.count > 0 && (model->has_frame || (has_before && has_after));
    if (!is_held && !snw__gap_has(model, method)) return;
    judge->half = (length + 1) / 2 + 1;
    if (judge->half > fill->frame_count / 6) judge->half = fill->frame_count / 6;
    judge->has_places = snw__moments_of_places(model, &judge->places) && model->has_frame;
    judge->has_changes = judge->has_places && judge->half > 0 &&
                         snw__moments_of_changes(model, judge->half, &judge->changes);
    judge->has_pca = fill->low_rank && snw__pca_learn(fill->low_rank, model, &judge->pca);
    snw__candidates_open(model, method);
    snw__bases_in_use(judge, is_used);
    is_used[snw__end_base(judge, model)] = true;
    judge->count = 0;
    for (int judged = length; judged > 0 && judge->count < SNW__JUDGE_ENOUGH; judged /= 2)
        for (int edge_count = SNW__FILL_EDGE; edge_count > 1 && judge->count < SNW__JUDGE_ENOUGH;
             edge_count /= 2) {
            snw__judge_prepare(model, judged, edge_count, has_before, has_after);
            snw__ends_prepare(judge, &judge->edges, judged, fill->rate);
            snw__judge_gaps(model, is_used);
        }
    snw__bases_learn(model, 0, 0);
    gap->distrusted = snw__ends_distrust(model, &edges);
    if (judge->count >= SNW__JUDGE_ENOUGH)
        snw__judge_weigh(judge);
    else
        guess_profile(model, &edges);
    mix(model, &edges);
    snw__ends_ease(model, &edges);
    for (int n = 0; n < length; n++)
        fill->answer[n] = snw__row_world(snw__gap_row(model, model->from + n), fill->answer[n]);
    spread_uncertainty(model, &edges);
    if (method == SNW_FILL_LOW_RANK) doubt_components(model);
    double share[SNW_FILL_METHOD_COUNT] = {0};
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
        share[snw__fill_candidates[c].method] += judge->weight[c];
    gap->method = SNW_FILL_AUTO;
    for (int m = 0; m < SNW_FILL_METHOD_COUNT; m++)
        if (share[m] > share[gap->method]) gap->method = (snw_fill_method)m;
    gap->share = share[gap->method];
    gap->judged = judge->count;
    gap->outcome = SNW_GAP_FILLED;
}

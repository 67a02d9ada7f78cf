/* The candidates that fill a gap: what each predicts, and what it misses where the marker is seen.
 *
 * The list is tried in full on judged gaps (fill_judge.c); a method asked for by name is the first
 * candidate of that name. */
#include <math.h>
#include <string.h>

#include "hidden/fill_judge.h"

const snw__bridge snw__bridge_list[SNW__BRIDGES] = {
    {SNW__BRIDGE_LINEAR, 0, 0},       {SNW__BRIDGE_SPLINE, 0, 0.05},
    {SNW__BRIDGE_SPLINE, 0, 30},      {SNW__BRIDGE_MATERN, 0.05, 1e-3},
    {SNW__BRIDGE_MATERN, 0.15, 1e-3}, {SNW__BRIDGE_MATERN, 0.5, 1e-3},
    {SNW__BRIDGE_MATERN, 2, 1e-3},
};

const snw__fill_candidate snw__fill_candidates[SNW__FILL_CANDIDATES] = {
    {SNW__BASE_WORLD, SNW__BRIDGE_OF_LINE, SNW_FILL_LINEAR},
    {SNW__BASE_WORLD, SNW__BRIDGE_TRUSTING, SNW_FILL_SPLINE},
    {SNW__BASE_WORLD, SNW__BRIDGE_SMOOTHING, SNW_FILL_SPLINE},
    {SNW__BASE_FRAME, SNW__BRIDGE_TRUSTING, SNW_FILL_FRAME},
    {SNW__BASE_FRAME, SNW__BRIDGE_SMOOTHING, SNW_FILL_FRAME},
    {SNW__BASE_FRAME, SNW__BRIDGE_MIDDLE, SNW_FILL_RIGID},
    {SNW__BASE_FRAME, SNW__BRIDGE_OF_LINE, SNW_FILL_RIGID},
    {SNW__BASE_FRAME, SNW__BRIDGE_SHORT, SNW_FILL_RIGID},
    {SNW__BASE_FRAME, SNW__BRIDGE_BRIEF, SNW_FILL_RIGID},
    {SNW__BASE_FRAME, SNW__BRIDGE_LONG, SNW_FILL_RIGID},
    {SNW__BASE_PLACES, SNW__BRIDGE_MIDDLE, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES, SNW__BRIDGE_OF_LINE, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES, SNW__BRIDGE_SHORT, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES, SNW__BRIDGE_BRIEF, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES, SNW__BRIDGE_LONG, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES_FEW, SNW__BRIDGE_MIDDLE, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES_FEW, SNW__BRIDGE_OF_LINE, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES_FEW, SNW__BRIDGE_SHORT, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES_FEW, SNW__BRIDGE_BRIEF, SNW_FILL_LOCAL},
    {SNW__BASE_PLACES_FEW, SNW__BRIDGE_LONG, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES, SNW__BRIDGE_OF_LINE, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES, SNW__BRIDGE_SMOOTHING, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES, SNW__BRIDGE_SHORT, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES, SNW__BRIDGE_BRIEF, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES, SNW__BRIDGE_MIDDLE, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES, SNW__BRIDGE_LONG, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES_FEW, SNW__BRIDGE_OF_LINE, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES_FEW, SNW__BRIDGE_SMOOTHING, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES_FEW, SNW__BRIDGE_SHORT, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES_FEW, SNW__BRIDGE_BRIEF, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES_FEW, SNW__BRIDGE_MIDDLE, SNW_FILL_LOCAL},
    {SNW__BASE_CHANGES_FEW, SNW__BRIDGE_LONG, SNW_FILL_LOCAL},
    {SNW__BASE_BODY, SNW__BRIDGE_MIDDLE, SNW_FILL_BODY},
    {SNW__BASE_PCA, SNW__BRIDGE_BRIEF, SNW_FILL_PCA},
    {SNW__BASE_LOW_RANK, SNW__BRIDGE_BRIEF, SNW_FILL_LOW_RANK},
};

const int snw__edge_offset[SNW__FILL_EDGE] = {0, 1, 2, 3, 5, 8, 12, 17};

snw_vec3 snw__row_marker(const snw__gap_model *model, const double *row)
{
    const double *at = row + 12 + 3 * model->feature_count;
    return snw_vec3_make(at[0], at[1], at[2]);
}

/* What the base says about a frame: local metres. WORLD says nothing. */
static snw_vec3 base_at(const snw__gap_model *model, snw__base base, int frame, const double *row)
{
    const snw__judge *judge = model->fill->judge;
    int size = 3 * model->feature_count + 3;
    if (base == SNW__BASE_WORLD) return snw_vec3_make(0, 0, 0);
    if (base == SNW__BASE_BODY)
        return snw__row_local(row, snw_trial_position(model->fill->body, frame, model->marker));
    if (base == SNW__BASE_PCA)
        return snw__row_local(row, snw__pca_at(model->fill->low_rank, &judge->pca, frame));
    if (base == SNW__BASE_LOW_RANK)
        return snw__row_local(
            row, model->fill->low_rank->model[snw__fill_at(model->fill, frame, model->marker)]);
    if (base >= SNW__BASE_PLACES && base <= SNW__BASE_CHANGES_FEW)
        return snw__regression_base(judge->regression + base, row + 12, size);
    const double *mean = judge->regression[SNW__BASE_PLACES].mean + size - 3;
    return snw_vec3_make(mean[0], mean[1], mean[2]);
}

/* What the base misses at a frame where the marker is seen. */
static snw_vec3 residual_at(const snw__gap_model *model, snw__base base, int frame,
                            const double *row)
{
    snw_vec3 seen = snw__row_marker(model, row);
    if (base == SNW__BASE_WORLD) return snw__row_world(row, seen);
    return snw_vec3_sub(seen, base_at(model, base, frame, row));
}

void snw__bases_see(const snw__gap_model *model, int from, const snw__gap_edges *edges,
                    const bool *is_used, snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES])
{
    for (int e = 0; e < edges->count; e++) {
        int frame = from + edges->frame[e];
        const double *row = snw__gap_row(model, frame);
        for (int base = 0; base < SNW__BASES; base++)
            if (is_used[base]) residual[base][e] = residual_at(model, (snw__base)base, frame, row);
    }
}

snw_vec3 snw__bridge_carry(const snw_vec3 *residual, const double *share, int count)
{
    snw_vec3 sum = {0, 0, 0};
    for (int e = 0; e < count; e++)
        sum = snw_vec3_add_scaled(sum, share[e], residual[e]);
    return sum;
}

snw_vec3 snw__candidate_at(const snw__gap_model *model, int candidate, int frame,
                           const snw_vec3 *residual, const double *share, int count)
{
    snw__base base = snw__fill_candidates[candidate].base;
    const double *row = snw__gap_row(model, frame);
    snw_vec3 guess =
        snw_vec3_add(base_at(model, base, frame, row), snw__bridge_carry(residual, share, count));
    return base == SNW__BASE_WORLD ? snw__row_local(row, guess) : guess;
}

void snw__bases_in_use(const snw__judge *judge, bool is_used[SNW__BASES])
{
    memset(is_used, 0, SNW__BASES * sizeof *is_used);
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
        if (judge->is_open[c]) is_used[snw__fill_candidates[c].base] = true;
}

void snw__bases_learn(const snw__gap_model *model, int from, int to)
{
    snw__judge *judge = model->fill->judge;
    snw__regression *r = judge->regression;
    int few = 3 * SNW__FILL_FEW;
    judge->less_places = judge->places;
    if (to > from) snw__moments_forget_places(model, from, to, &judge->less_places);
    for (int i = 0; i < judge->less_places.size; i++)
        r[SNW__BASE_PLACES].mean[i] = judge->less_places.sum[i] / fmax(judge->less_places.count, 1);
    if (judge->has_places)
        snw__regress(&judge->less_places, &judge->less_places, few, r + SNW__BASE_PLACES,
                     r + SNW__BASE_PLACES_FEW);
    if (!judge->has_changes) return;
    judge->less_changes = judge->changes;
    if (to > from) snw__moments_forget_changes(model, judge->half, from, to, &judge->less_changes);
    snw__regress(&judge->less_changes, &judge->less_places, few, r + SNW__BASE_CHANGES,
                 r + SNW__BASE_CHANGES_FEW);
}

bool snw__gap_knows(const snw__gap_model *model, int frame)
{
    if (frame < 0 || frame >= model->fill->frame_count ||
        !snw__fill_measured(model->fill, frame, model->marker))
        return false;
    return snw__gap_row(model, frame) != NULL;
}

bool snw__gap_has(const snw__gap_model *model, snw_fill_method method)
{
    const snw__fill *fill = model->fill;
    if (method == SNW_FILL_LOW_RANK) return fill->low_rank && fill->low_rank->is_in[model->marker];
    if (method != SNW_FILL_BODY || !fill->body) return false;
    for (int frame = 0; frame < fill->frame_count; frame++)
        if (!snw_trial_is_present(fill->body, frame, model->marker)) return false;
    return true;
}

void snw__candidates_open(const snw__gap_model *model, snw_fill_method method)
{
    snw__judge *judge = model->fill->judge;
    bool has_asked = snw__gap_has(model, method);
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++) {
        snw__base base = snw__fill_candidates[c].base;
        bool is_there = base == SNW__BASE_WORLD;
        if (base == SNW__BASE_FRAME) is_there = model->has_frame;
        if (base == SNW__BASE_PLACES || base == SNW__BASE_PLACES_FEW) is_there = judge->has_places;
        if (base == SNW__BASE_CHANGES || base == SNW__BASE_CHANGES_FEW)
            is_there = judge->has_changes;
        if (base == SNW__BASE_PCA) is_there = judge->has_pca;
        if (base == SNW__BASE_BODY) is_there = has_asked && method == SNW_FILL_BODY;
        if (base == SNW__BASE_LOW_RANK) is_there = has_asked && method == SNW_FILL_LOW_RANK;
        bool is_twin = (base == SNW__BASE_PLACES_FEW || base == SNW__BASE_CHANGES_FEW) &&
                       model->feature_count <= SNW__FILL_FEW;
        judge->is_open[c] = is_there && !is_twin;
    }
    if (method == SNW_FILL_AUTO) return;
    /* One method: the first candidate of that name, or where it has nothing to build upon, of a
     * simpler one. */
    int only = -1;
    for (int want = (int)method; only < 0 && want > SNW_FILL_AUTO; want--)
        for (int c = 0; only < 0 && c < SNW__FILL_CANDIDATES; c++)
            if (judge->is_open[c] && (int)snw__fill_candidates[c].method == want) only = c;
    for (int c = 0; c < SNW__FILL_CANDIDATES; c++)
        judge->is_open[c] = c == only;
}

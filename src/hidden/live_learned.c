/* Learns from the past how a marker follows its neighbours, and predicts it when it is hidden.
 *
 * The causal half of the offline filling: the same neighbours, the same frame of three of them, the
 * same ridge regression (fill_local.c, fill_regress.c). The past is kept thinned; when a marker
 * vanishes, or one of the neighbours it was told by, one regression is trained, at most one in a
 * frame. What the regression missed when the marker was last seen is carried on and forgotten. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "hidden/hidden_constants.h"
#include "hidden/live_learned.h"
#include "person/movement.h"

void snw__learned_lay_out(snw__learned *learned, int marker_count, int capacity, snw__block *block)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)marker_count, frames = (size_t)capacity + 1;
    past->marker_count = marker_count;
    past->frame_count = capacity + 1;
    learned->capacity = capacity;
    past->position = snw__block_take(block, snw__size_mul(frames, markers), sizeof(snw_vec3));
    past->span = snw__block_take(block, snw__size_mul(frames, markers), sizeof(uint16_t));
    past->cost = snw__block_take(block, snw__size_mul(markers, markers), sizeof(double));
    past->stamp = snw__block_take(block, frames, sizeof(int));
    past->row = snw__block_take(block, frames, SNW__FILL_STRIDE * sizeof(double));
    past->order = snw__block_take(block, markers, sizeof(int));
    past->train = snw__block_take(block, frames, sizeof(int));
    learned->moments = snw__block_take(block, 1, sizeof(snw__moments));
    learned->marker = snw__block_take(block, markers, sizeof(snw__learned_marker));
    snw_vec3 *vanished = snw__block_take(block, snw__size_mul(markers, markers), sizeof(snw_vec3));
    uint16_t *span = snw__block_take(block, snw__size_mul(markers, markers), sizeof(uint16_t));
    for (size_t m = 0; block->base && m < markers; m++) {
        learned->marker[m].vanished = vanished + m * markers;
        learned->marker[m].vanished_span = span + m * markers;
    }
}

void snw__learned_reset(snw__learned *learned)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)past->marker_count, samples = markers * (size_t)past->frame_count;
    for (size_t n = 0; n < samples; n++)
        past->span[n] = SNW__SPAN_MISSING;
    for (size_t n = 0; n < markers * markers; n++)
        past->cost[n] = INFINITY;
    for (size_t m = 0; m < markers; m++) {
        learned->marker[m].is_trained = false;
        for (size_t n = 0; n < markers; n++)
            learned->marker[m].vanished_span[n] = SNW__SPAN_MISSING;
    }
    learned->count = learned->next = learned->since = learned->cost_row = 0;
    learned->trained = 0;
}

/* ---- the past
 * ------------------------------------------------------------------------------------- */

static void keep_present(snw__learned *learned)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)past->marker_count;
    size_t from = snw__fill_at(past, learned->capacity, 0),
           to = snw__fill_at(past, learned->next, 0);
    memcpy(past->position + to, past->position + from, markers * sizeof *past->position);
    memcpy(past->span + to, past->span + from, markers * sizeof *past->span);
    past->stamp[learned->next] = 0;
    learned->next = (learned->next + 1) % learned->capacity;
    if (learned->count < learned->capacity) learned->count++;
    learned->cost_row = (learned->cost_row + 1) % past->marker_count;
    snw__fill_cost_row(past, learned->cost_row);
}

void snw__learned_see(snw__learned *learned, const snw_vec3 *place, const bool *is_seen)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)past->marker_count, now = snw__fill_at(past, learned->capacity, 0);
    /* A marker that vanishes: the frame before, which still stands there, is its last. */
    for (size_t m = 0; m < markers; m++) {
        if (is_seen[m] || past->span[now + m] != 0) continue;
        memcpy(learned->marker[m].vanished, past->position + now, markers * sizeof(snw_vec3));
        memcpy(learned->marker[m].vanished_span, past->span + now, markers * sizeof(uint16_t));
    }
    for (size_t m = 0; m < markers; m++) {
        past->span[now + m] = is_seen[m] ? 0 : SNW__SPAN_MISSING;
        if (is_seen[m]) past->position[now + m] = place[m];
        if (is_seen[m]) learned->marker[m].is_trained = false;
    }
    past->stamp[learned->capacity] = 0;
    learned->has_budget = true;
    if (++learned->since < learned->every) return;
    learned->since = 0;
    keep_present(learned);
}

/* ---- training
 * -------------------------------------------------------------------------------------- */

static snw_vec3 regressed(const snw__learned_marker *marker, const double *row)
{
    int size = 3 * marker->model.feature_count + 3;
    return snw_vec3_lerp(snw__regression_base(&marker->places, row + 12, size),
                         snw__regression_base(&marker->few, row + 12, size), 0.5);
}

static snw_vec3 row_tail(const snw__learned_marker *marker, const double *row)
{
    const double *at = row + 12 + 3 * marker->model.feature_count;
    return snw_vec3_make(at[0], at[1], at[2]);
}

static double training_residual(const snw__learned_marker *marker)
{
    double square = 0, count = 0;
    for (int n = 0; n < marker->model.train_count; n += 3) {
        const double *row = snw__gap_row(&marker->model, marker->model.train[n]);
        if (!row || !isfinite(row_tail(marker, row).x)) continue;
        square += snw_vec3_length2(snw_vec3_sub(row_tail(marker, row), regressed(marker, row)));
        count++;
    }
    return count > 0 ? sqrt(square / count) : INFINITY;
}

/* The frame in which the marker vanished stands in for the present, or the present is back. */
static void swap_present(snw__learned *learned, snw__learned_marker *marker)
{
    snw__fill *past = &learned->past;
    size_t now = snw__fill_at(past, learned->capacity, 0);
    for (size_t m = 0; m < (size_t)past->marker_count; m++) {
        snw_vec3 place = past->position[now + m];
        uint16_t span = past->span[now + m];
        past->position[now + m] = marker->vanished[m];
        past->span[now + m] = marker->vanished_span[m];
        marker->vanished[m] = place;
        marker->vanished_span[m] = span;
    }
    past->stamp[learned->capacity] = 0;
}

/* What the regression missed when the marker was last seen. */
static snw_vec3 last_slip(snw__learned *learned, snw__learned_marker *marker)
{
    snw_vec3 slip = {0, 0, 0};
    swap_present(learned, marker);
    const double *row = snw__gap_row(&marker->model, learned->capacity);
    if (row && isfinite(row_tail(marker, row).x))
        slip = snw_vec3_sub(row_tail(marker, row), regressed(marker, row));
    swap_present(learned, marker);
    return slip;
}

static void train(snw__learned *learned, int index)
{
    snw__learned_marker *marker = learned->marker + index;
    snw_filled_gap now;
    memset(&now, 0, sizeof now);
    now.marker = index;
    now.first = learned->capacity;
    now.length = 1;
    marker->is_trained = false;
    learned->has_budget = false;
    if (learned->trained > 1000000000) {
        memset(learned->past.stamp, 0, (size_t)learned->past.frame_count * sizeof(int));
        learned->trained = 0;
    }
    snw__gap_model_make(&marker->model, &learned->past, ++learned->trained, &now);
    if (!marker->model.has_frame || !snw__moments_of_places(&marker->model, learned->moments) ||
        !snw__regress(learned->moments, learned->moments, 3 * SNW__FILL_FEW, &marker->places,
                      &marker->few))
        return;
    marker->sigma = LEARNED_OPTIMISM * training_residual(marker);
    marker->slip = last_slip(learned, marker);
    marker->is_trained = isfinite(marker->sigma);
}

bool snw__learned_guess(snw__learned *learned, int index, double hidden_seconds, snw_vec3 *place,
                        double *sigma)
{
    snw__learned_marker *marker = learned->marker + index;
    const double *row = marker->is_trained ? snw__gap_row(&marker->model, learned->capacity) : NULL;
    if (!row && learned->has_budget) {
        train(learned, index);
        row = marker->is_trained ? snw__gap_row(&marker->model, learned->capacity) : NULL;
    }
    if (!row) return false;
    /* Seconds in which a residual is forgotten to a third; the middle one of the offline bridges.
     */
    double left = snw__exp(-hidden_seconds / SNW__SKIN_SECONDS);
    snw_vec3 local = snw_vec3_add_scaled(regressed(marker, row), left, marker->slip);
    *place = snw__row_world(row, local);
    *sigma =
        sqrt(marker->sigma * marker->sigma * (1 - left * left) + LEARNED_NOISE * LEARNED_NOISE);
    return snw_vec3_is_finite(*place) && isfinite(*sigma);
}

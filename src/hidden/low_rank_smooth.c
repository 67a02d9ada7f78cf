/* The scores of a capture's components from all frames: a Kalman filter forwards, the smoother of
 * Rauch, Tung and Striebel backwards. The model and its notation stand at the head of low_rank.c.
 */
#include "hidden/low_rank.h"

#include <math.h>
#include <string.h>

#include "math/kernel.h"

/* told[m] = V_m^T V_m / noise of m. */
void snw__low_rank_learn_information(snw__low_rank *low)
{
    int n = 3 * low->fill->marker_count, r = low->rank;
    for (int m = 0; m < low->fill->marker_count; m++)
        for (int k = 0; k < r; k++)
            for (int l = 0; l < r; l++) {
                const double *a = low->basis + (size_t)k * (size_t)n + 3 * m;
                const double *b = low->basis + (size_t)l * (size_t)n + 3 * m;
                low->told[((size_t)m * (size_t)r + (size_t)k) * (size_t)r + (size_t)l] =
                    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / low->noise[m];
            }
}

static void predict_scores(const snw__low_rank *low, snw__low_rank_state *state)
{
    int r = low->rank;
    for (int k = 0; k < r; k++) {
        state->x[k] *= low->keep[k];
        for (int l = 0; l < r; l++)
            state->p[k * r + l] *= low->keep[k] * low->keep[l];
        state->p[k * (r + 1)] += (1 - low->keep[k] * low->keep[k]) * low->variance[k];
    }
}

/* P^-1 <- P^-1 + sum V_m^T V_m / noise,  x <- P (P-^-1 x- + sum V_m^T d_m / noise). */
bool snw__low_rank_see(snw__low_rank *low, int frame, snw__low_rank_state *state)
{
    int n = 3 * low->fill->marker_count, r = low->rank;
    double right[SNW__COMPONENTS];
    if (!snw__invert(state->p, r)) return false;
    for (int k = 0; k < r; k++)
        right[k] = snw__dot(state->p + k * r, state->x, r);
    memset(low->deviation, 0, (size_t)n * sizeof(double));
    for (int m = 0; m < low->fill->marker_count; m++) {
        if (!low->is_in[m] || !snw__fill_measured(low->fill, frame, m)) continue;
        snw__axpy(1, low->told + (size_t)m * (size_t)(r * r), state->p, r * r);
        snw_vec3 d = snw_vec3_scale(snw__low_rank_deviation(low, frame, m), 1 / low->noise[m]);
        low->deviation[3 * m] = d.x;
        low->deviation[3 * m + 1] = d.y;
        low->deviation[3 * m + 2] = d.z;
    }
    for (int k = 0; k < r; k++)
        right[k] += snw__dot(low->basis + (size_t)k * (size_t)n, low->deviation, n);
    if (!snw__invert(state->p, r)) return false;
    for (int k = 0; k < r; k++)
        state->x[k] = snw__dot(state->p + k * r, right, r);
    return true;
}

/* x <- x + C (later - predicted),  C = P A P-^-1; the same for the covariance. */
static bool smooth_scores(const snw__low_rank *low, snw__low_rank_state *state,
                          const snw__low_rank_state *later)
{
    int r = low->rank;
    snw__low_rank_state ahead = *state;
    double gain[SNW__COMPONENTS * SNW__COMPONENTS], less[SNW__COMPONENTS * SNW__COMPONENTS];
    double change[SNW__COMPONENTS * SNW__COMPONENTS], off[SNW__COMPONENTS];
    predict_scores(low, &ahead);
    for (int k = 0; k < r; k++)
        off[k] = later->x[k] - ahead.x[k];
    for (int i = 0; i < r * r; i++)
        change[i] = later->p[i] - ahead.p[i];
    if (!snw__invert(ahead.p, r)) return false;
    for (int k = 0; k < r; k++) {
        double row[SNW__COMPONENTS];
        for (int l = 0; l < r; l++)
            row[l] = state->p[k * r + l] * low->keep[l];
        for (int l = 0; l < r; l++)
            gain[k * r + l] = snw__dot(row, ahead.p + l * r, r);
    }
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            less[k * r + l] = snw__dot(gain + k * r, change + l * r, r);
    for (int k = 0; k < r; k++) {
        state->x[k] += snw__dot(gain + k * r, off, r);
        for (int l = 0; l <= k; l++) {
            state->p[k * r + l] += snw__dot(less + k * r, gain + l * r, r);
            state->p[l * r + k] = state->p[k * r + l];
        }
    }
    return true;
}

/* V_m P V_m^T, square metres. */
void snw__low_rank_spread(const snw__low_rank *low, int m, const snw__low_rank_state *state,
                          double out[9])
{
    int n = 3 * low->fill->marker_count, r = low->rank;
    for (int axis = 0; axis < 3; axis++) {
        double row[SNW__COMPONENTS] = {0};
        for (int k = 0; k < r; k++)
            snw__axpy(low->basis[(size_t)k * (size_t)n + 3 * (size_t)m + (size_t)axis],
                      state->p + k * r, row, r);
        for (int other = 0; other < 3; other++) {
            out[3 * axis + other] = 0;
            for (int k = 0; k < r; k++)
                out[3 * axis + other] +=
                    row[k] * low->basis[(size_t)k * (size_t)n + 3 * (size_t)m + (size_t)other];
        }
    }
}

/* Where the components put every marker of a frame, and how sure that is. */
void snw__low_rank_write(snw__low_rank *low, int frame, const snw__low_rank_state *state)
{
    int n = 3 * low->fill->marker_count, r = low->rank;
    memset(low->deviation, 0, (size_t)n * sizeof(double));
    for (int k = 0; k < r; k++)
        snw__axpy(state->x[k], low->basis + (size_t)k * (size_t)n, low->deviation, n);
    for (int m = 0; m < low->fill->marker_count; m++) {
        size_t at = snw__fill_at(low->fill, frame, m);
        const double *d = low->deviation + 3 * m;
        low->model[at] = snw_xform_point(
            low->pose[frame], snw_vec3_add(low->mean[m], snw_vec3_make(d[0], d[1], d[2])));
        if (snw__fill_measured(low->fill, frame, m)) continue;
        double spread[9];
        snw__low_rank_spread(low, m, state, spread);
        low->doubt[at] = (float)(low->scale[m] * sqrt(fmax(spread[0] + spread[4] + spread[8], 0) +
                                                      3 * low->noise[m]));
        if (low->is_in[m]) low->place[at] = low->model[at];
    }
}

bool snw__low_rank_smooth(snw__low_rank *low)
{
    snw__low_rank_state state, later;
    int last = low->fill->frame_count - 1;
    memset(&state, 0, sizeof state);
    for (int k = 0; k < low->rank; k++)
        state.p[k * (low->rank + 1)] = low->variance[k];
    for (int frame = 0; frame <= last; frame++) {
        if (frame > 0) predict_scores(low, &state);
        if (!snw__low_rank_see(low, frame, &state)) return false;
        int r = low->rank;
        double *cover = low->cover + (size_t)frame * (size_t)(r * (r + 1) / 2);
        memcpy(low->score + (size_t)frame * (size_t)r, state.x, (size_t)r * sizeof(double));
        for (int k = 0; k < r; k++)
            for (int l = 0; l <= k; l++)
                *cover++ = state.p[k * r + l];
    }
    for (int frame = last; frame >= 0; frame--) {
        later = state;
        int r = low->rank;
        const double *cover = low->cover + (size_t)frame * (size_t)(r * (r + 1) / 2);
        memcpy(state.x, low->score + (size_t)frame * (size_t)r, (size_t)r * sizeof(double));
        for (int k = 0; k < r; k++)
            for (int l = 0; l <= k; l++)
                state.p[k * r + l] = state.p[l * r + k] = *cover++;
        if (frame < last && !smooth_scores(low, &state, &later)) return false;
        snw__low_rank_write(low, frame, &state);
    }
    return true;
}

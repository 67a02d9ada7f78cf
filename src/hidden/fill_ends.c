/* The samples beside a gap: which of them to build upon, and how the filled path leaves them.
 *
 * A marker that half vanishes is seen in the wrong place, so the samples nearest to a gap are told
 * from those farther away, and what lies farther off than on any judged gap is left out. Where the
 * filled path leaves the measured one with a kink that the path itself does not show, the kink is
 * eased out. */
#include "hidden/fill_judge.h"
#include "hidden/hidden_constants.h"
#include "math/robust.h"

#include <math.h>
#include <string.h>

snw__base snw__end_base(const snw__judge *judge, const snw__gap_model *model)
{
    if (judge->has_places) return SNW__BASE_PLACES_FEW;
    return model->has_frame ? SNW__BASE_FRAME : SNW__BASE_WORLD;
}

/* Side of an edge: 0 before, 1 behind the gap; rank: which of that side's offsets. -1: none. */
static int edge_index(const snw__gap_edges *edges, int side, int rank, int length)
{
    int wanted = side == 0 ? -1 - snw__edge_offset[rank] : length + snw__edge_offset[rank];
    for (int e = 0; e < edges->count; e++)
        if (edges->frame[e] == wanted) return e;
    return -1;
}

void snw__end_misfits(const snw__judge *judge, const snw_vec3 *residual,
                      const snw__gap_edges *edges, int length, int side, double misfit[SNW__ENDS])
{
    for (int k = 0; k < SNW__ENDS; k++) {
        int e = edge_index(edges, side, k, length);
        misfit[k] = e < 0
                        ? -1
                        : snw_vec3_distance(
                              residual[e],
                              snw__bridge_carry(residual, judge->end_share[side] + k * edges->count,
                                                edges->count));
    }
}

void snw__ends_prepare(snw__judge *judge, const snw__gap_edges *edges, int length, double rate)
{
    for (int side = 0; side < 2; side++) {
        snw__gap_edges others = {0, {0}};
        int from[SNW__FILL_EDGES], at[SNW__ENDS];
        double share[SNW__ENDS * SNW__FILL_EDGES];
        for (int e = 0; e < edges->count; e++) {
            bool is_end = false;
            for (int k = 0; k < SNW__ENDS; k++)
                is_end = is_end || edge_index(edges, side, k, length) == e;
            if (is_end) continue;
            from[others.count] = e;
            others.frame[others.count++] = edges->frame[e];
        }
        for (int k = 0; k < SNW__ENDS; k++)
            at[k] = side == 0 ? -1 - snw__edge_offset[k] : length + snw__edge_offset[k];
        memset(judge->end_share[side], 0, sizeof judge->end_share[side]);
        if (!snw__bridge_weights(snw__bridge_list + SNW__BRIDGE_BRIEF, &others, rate, at, SNW__ENDS,
                                 share))
            continue;
        for (int k = 0; k < SNW__ENDS; k++)
            for (int n = 0; n < others.count; n++)
                judge->end_share[side][k * edges->count + from[n]] = share[k * others.count + n];
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
    /* and the step to it is so many times the next one. */
    return snw_vec3_distance(residual[at[0]], residual[at[1]]) >
           SNW__UNUSUAL * snw_vec3_distance(residual[at[1]], residual[at[2]]);
}

int snw__ends_distrust(const snw__gap_model *model, snw__gap_edges *edges)
{
    snw__judge *judge = model->fill->judge;
    snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES];
    bool is_used[SNW__BASES] = {false};
    int length = model->to - model->from, dropped = 0;
    snw__base base = snw__end_base(judge, model);
    if (judge->misfit_count < SNW__JUDGE_ENOUGH) return 0;
    is_used[base] = true;
    snw__bases_see(model, model->from, edges, is_used, residual);
    snw__ends_prepare(judge, edges, length, model->fill->rate);
    for (int side = 0; side < 2; side++) {
        double misfit[SNW__ENDS];
        int bad = 0;
        snw__end_misfits(judge, residual[base], edges, length, side, misfit);
        for (int k = 0; k < SNW__ENDS; k++) {
            double largest = 0;
            for (int n = 0; n < judge->misfit_count; n++)
                largest = fmax(largest, judge->misfit[k][n]);
            double bound = ENDS_TIMES * largest;
            if (misfit[k] > bound + ENDS_METRES && jumps(residual[base], edges, length, side, k))
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

/* ---- ends without a step ------------------------------------------------------------------------
 */

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
    /* The second difference at an end may be this many times the largest of the samples beside it.
     */
    double allowed = ENDS_TIMES * largest;
    snw_vec3 slope = snw_vec3_sub(y[0], y[1]);
    snw_vec3 kink = snw_vec3_sub(snw_vec3_add(y[0], slope), *answer);
    double size = snw_vec3_length(kink);
    if (!(size > allowed)) return;
    kink = snw_vec3_scale(kink, 1 - allowed / size);
    int reach = length < ENDS_EASE ? length : ENDS_EASE;
    for (int n = 0; n < reach; n++) {
        double left = 1 - (double)n / reach;
        answer[n * step] = snw_vec3_add_scaled(answer[n * step], left * left * (1 + n / 2.0), kink);
    }
}

static int path_beside(const snw__gap_model *model, int start, int step, snw_vec3 y[6])
{
    int count = 0;
    for (; count < 6 && snw__gap_knows(model, start + count * step); count++)
        y[count] = snw__row_marker(model, snw__gap_row(model, start + count * step));
    return count;
}

void snw__ends_ease(const snw__gap_model *model, const snw__gap_edges *edges)
{
    snw_vec3 y[6], *answer = model->fill->answer;
    int length = model->to - model->from;
    if (edge_index(edges, 0, 0, length) >= 0)
        ease_end(y, path_beside(model, model->from - 1, -1, y), answer, length, 1);
    if (edge_index(edges, 1, 0, length) >= 0)
        ease_end(y, path_beside(model, model->to, 1, y), answer + length - 1, length, -1);
}

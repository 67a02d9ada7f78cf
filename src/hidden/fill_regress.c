/* Ridge regression of a marker on its neighbours, in their frame.
 *
 * Two sets of rows are learned from. Places: y about its mean on x about its mean. Changes: y less
 * the mean of y `half` frames before and after, on x less the same. A gap's ends are known, so what
 * a filling must tell is how the marker departs from a line between them, and that is what the
 * changes are at the middle of a gap of 2 half frames: on gaps of 12 frames they halve the error of
 * the places, on gaps of two seconds the places are better (docs/hidden-markers.md).
 *
 *     W = (X^T X + lambda n I)^-1 X^T Y
 *
 * The sums X^T X and X^T Y are kept, so that judging a gap of known truth only takes its own rows
 * out. One Cholesky factor serves the first `few` inputs too: the leading block of the factor is
 * the factor of the leading block. */
#include <math.h>
#include <string.h>

#include "hidden/fill.h"
#include "hidden/hidden_constants.h"
#include "math/kernel.h"
#include "person/movement.h"

static void moments_add(snw__moments *moments, const double *row, double sign)
{
    int size = moments->size;
    moments->count += sign;
    for (int i = 0; i < size; i++) {
        double scaled = sign * row[i];
        moments->sum[i] += scaled;
        snw__axpy(scaled, row, moments->product + (size_t)i * SNW__FILL_ROW, i + 1);
    }
}

static bool is_row_complete(const snw__gap_model *model, const double *row)
{
    return row && isfinite(row[12 + 3 * model->feature_count]);
}

static bool change_row(const snw__gap_model *model, int frame, int half, double *out)
{
    if (frame < half || frame + half >= model->fill->frame_count) return false;
    const double *row = snw__gap_row(model, frame);
    const double *before = is_row_complete(model, row) ? snw__gap_row(model, frame - half) : NULL;
    const double *after = is_row_complete(model, before) ? snw__gap_row(model, frame + half) : NULL;
    if (!is_row_complete(model, after)) return false;
    int size = 3 * model->feature_count + 3;
    for (int i = 12; i < 12 + size; i++)
        out[i - 12] = row[i] - 0.5 * (before[i] + after[i]);
    return true;
}

static void clear_moments(const snw__gap_model *model, snw__moments *moments)
{
    memset(moments, 0, sizeof *moments);
    moments->size = 3 * model->feature_count + 3;
}

/* First training frame at or behind `frame`. */
static int train_from(const snw__gap_model *model, int frame)
{
    int low = 0, high = model->train_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (model->train[middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool snw__moments_of_places(const snw__gap_model *model, snw__moments *moments)
{
    clear_moments(model, moments);
    for (int n = 0; n < model->train_count; n++) {
        const double *row = snw__gap_row(model, model->train[n]);
        if (is_row_complete(model, row)) moments_add(moments, row + 12, 1);
    }
    return moments->count >= REGRESS_ROWS_MIN;
}

bool snw__moments_of_changes(const snw__gap_model *model, int half, snw__moments *moments)
{
    double row[SNW__FILL_ROW];
    clear_moments(model, moments);
    for (int n = 0; n < model->train_count; n++)
        if (change_row(model, model->train[n], half, row)) moments_add(moments, row, 1);
    return moments->count >= REGRESS_ROWS_MIN;
}

void snw__moments_forget_places(const snw__gap_model *model, int from, int to, snw__moments *m)
{
    for (int n = train_from(model, from); n < model->train_count && model->train[n] < to; n++) {
        const double *row = snw__gap_row(model, model->train[n]);
        if (is_row_complete(model, row)) moments_add(m, row + 12, -1);
    }
}

/* A row of changes knows three frames; it goes when any of them lies in the gap. */
static void forget_centres(const snw__gap_model *model, int half, int from, int to, int skip_to,
                           snw__moments *moments)
{
    double row[SNW__FILL_ROW];
    int start = from > skip_to ? from : skip_to;
    for (int n = train_from(model, start); n < model->train_count && model->train[n] < to; n++)
        if (change_row(model, model->train[n], half, row)) moments_add(moments, row, -1);
}

void snw__moments_forget_changes(const snw__gap_model *model, int half, int from, int to,
                                 snw__moments *moments)
{
    forget_centres(model, half, from - half, to - half, 0, moments);
    forget_centres(model, half, from, to, to - half, moments);
    forget_centres(model, half, from + half, to + half, to, moments);
}

/* ---- solving ------------------------------------------------------------------------------------
 */

static void solve_back(const double *l, const double *half, int n, int axis,
                       snw__regression *regression)
{
    regression->inputs = n;
    for (int i = n - 1; i >= 0; i--) {
        double value = half[i];
        for (int j = i + 1; j < n; j++)
            value -= l[j * SNW__FILL_INPUTS + i] * regression->weight[j][axis];
        regression->weight[i][axis] = value / l[i * SNW__FILL_INPUTS + i];
    }
}

bool snw__regress(const snw__moments *moments, const snw__moments *places, int few,
                  snw__regression *all_inputs, snw__regression *few_inputs)
{
    double l[SNW__FILL_INPUTS * SNW__FILL_INPUTS], right[3 * SNW__FILL_INPUTS];
    int inputs = moments->size - 3;
    if (!(moments->count > 0) || !(places->count > 0)) return false;
    /* The lower triangle of the centred products with the ridge on it; `rest`: rows of X^T Y. */
    bool has_mean = moments == places;
    for (int i = 0; i < moments->size; i++) {
        double share = has_mean ? moments->sum[i] / moments->count : 0;
        double *out =
            i < inputs ? l + i * SNW__FILL_INPUTS : right + (i - inputs) * SNW__FILL_INPUTS;
        const double *product = moments->product + i * SNW__FILL_ROW;
        for (int j = 0; j <= i && j < inputs; j++)
            out[j] = product[j] - share * moments->sum[j];
        /* Square metres: the variance that noise and skin give a neighbour's coordinate, (1 mm)^2
         * for places; what is left of it in changes is less. 0.3 to 3 mm^2 are the same within 4 %
         * on seven captures. */
        if (i < inputs) out[i] += (SNW__NOISE_POOR * SNW__NOISE_POOR) * moments->count;
    }
    /* Cholesky's factor, in place. */
    for (int i = 0; i < inputs; i++) {
        double *row = l + i * SNW__FILL_INPUTS;
        for (int j = 0; j <= i; j++) {
            double value = row[j] - snw__dot(row, l + j * SNW__FILL_INPUTS, j);
            if (j < i)
                row[j] = value / l[j * SNW__FILL_INPUTS + j];
            else if (!(value > 0))
                return false;
            else
                row[i] = sqrt(value);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        double *half = right + axis * SNW__FILL_INPUTS;
        for (int i = 0; i < inputs; i++)
            half[i] = (half[i] - snw__dot(l + i * SNW__FILL_INPUTS, half, i)) /
                      l[i * SNW__FILL_INPUTS + i];
        solve_back(l, half, inputs, axis, all_inputs);
        solve_back(l, half, few < inputs ? few : inputs, axis, few_inputs);
    }
    for (int i = 0; i < places->size; i++)
        all_inputs->mean[i] = few_inputs->mean[i] = places->sum[i] / places->count;
    return true;
}

snw_vec3 snw__regression_base(const snw__regression *regression, const double *row, int size)
{
    const double *mean = regression->mean;
    double base[3] = {mean[size - 3], mean[size - 2], mean[size - 1]};
    for (int i = 0; i < regression->inputs; i++)
        for (int axis = 0; axis < 3; axis++)
            base[axis] += (row[i] - mean[i]) * regression->weight[i][axis];
    return snw_vec3_make(base[0], base[1], base[2]);
}

/* Expansions fitted to samples: windows that are halved until errors hold, least squares by
 * Householder in variables scaled to [-1, 1]. */
#include <sinew/dense.h>
#include <sinew/taylor.h>

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"

snw_taylor_options snw_taylor_options_default(void)
{
    snw_taylor_options options;
    memset(&options, 0, sizeof options);
    options.order = 5;
    return options;
}

typedef struct taylor_fit {
    const snw_taylor_samples *trial;
    int trial_count, variable_count, term_count, freedom_count;
    int row_count; /* of all trials */
    const double *allowed;
    double center[2], half[2]; /* of the window in hand */
    int used;                  /* rows of it */
    double *matrix;            /* (row_count x term_count) */
    double *design;            /* the same, kept */
    double *right, *work, *x;
    int *row;         /* (row_count x 2) trial and row in it */
    int *permutation; /* (term_count) */
    double *edge;     /* (row_count + 2) of windows found */
    double *waiting;  /* (64 x 2) windows to look at */
    snw__block block;
} taylor_fit;

static void lay_out(void *object, snw__block *block)
{
    taylor_fit *fit = (taylor_fit *)object;
    size_t rows = (size_t)fit->row_count, terms = (size_t)fit->term_count;
    fit->matrix = (double *)snw__block_take(block, rows * terms, sizeof(double));
    fit->design = (double *)snw__block_take(block, rows * terms, sizeof(double));
    fit->right = (double *)snw__block_take(block, rows, sizeof(double));
    fit->work = (double *)snw__block_take(block, snw_qr_work_size(fit->row_count, fit->term_count),
                                          sizeof(double));
    fit->x = (double *)snw__block_take(block, terms, sizeof(double));
    fit->row = (int *)snw__block_take(block, 2 * rows, sizeof(int));
    fit->permutation = (int *)snw__block_take(block, terms, sizeof(int));
    fit->edge = (double *)snw__block_take(block, rows + 2, sizeof(double));
    fit->waiting = (double *)snw__block_take(block, 2 * 64, sizeof(double));
}

/* Rows of the window, and the terms there. */
static void open_window(taylor_fit *fit, double from, double to)
{
    fit->center[0] = 0.5 * (from + to);
    fit->half[0] = fmax(0.5 * (to - from), 1e-12);
    fit->used = 0;
    for (int t = 0; t < fit->trial_count; t++) {
        const snw_taylor_samples *trial = fit->trial + t;
        int r = 0;
        for (int high = trial->row_count; r < high;) { /* the first row of the window */
            int middle = r + (high - r) / 2;
            if (trial->time[middle] < from)
                r = middle + 1;
            else
                high = middle;
        }
        for (; r < trial->row_count && trial->time[r] <= to; r++) {
            double *terms = fit->design + (size_t)fit->used * (size_t)fit->term_count;
            double u = (trial->time[r] - fit->center[0]) / fit->half[0];
            double v = (trial->parameter - fit->center[1]) / fit->half[1];
            for (int k = 0; k < fit->term_count; k++) {
                int power[2];
                snw_taylor_power(fit->variable_count, k, power);
                terms[k] = power[1] < fit->trial_count ? 1 : 0;
                for (int n = 0; n < power[0]; n++)
                    terms[k] *= u;
                for (int n = 0; n < power[1]; n++)
                    terms[k] *= v;
            }
            fit->row[2 * fit->used] = t;
            fit->row[2 * fit->used + 1] = r;
            fit->used++;
        }
    }
}

static double sample_of(const taylor_fit *fit, int used, int freedom)
{
    const snw_taylor_samples *trial = fit->trial + fit->row[2 * used];
    return trial
        ->value[(size_t)fit->row[2 * used + 1] * (size_t)fit->freedom_count + (size_t)freedom];
}

static snw_status factor(taylor_fit *fit, snw_qr *qr, snw_error *error)
{
    memcpy(fit->matrix, fit->design,
           (size_t)fit->used * (size_t)fit->term_count * sizeof *fit->matrix);
    if (snw_qr_factor(qr, fit->matrix, fit->used, fit->term_count, fit->permutation, fit->work) ==
        SNW_OK)
        return SNW_OK;
    return snw__fail(error, SNW_DEGENERATE, "the samples of a window cannot be fitted");
}

/* Scaled coefficients of one freedom in fit->x; the largest error. */
static double solve(taylor_fit *fit, const snw_qr *qr, int freedom)
{
    double largest = 0;
    for (int n = 0; n < fit->used; n++)
        fit->right[n] = sample_of(fit, n, freedom);
    if (snw_qr_solve(qr, SNW__SAME, fit->right, fit->x) != SNW_OK) return INFINITY;
    for (int n = 0; n < fit->used; n++) {
        const double *terms = fit->design + (size_t)n * (size_t)fit->term_count;
        double sum = 0;
        for (int k = 0; k < fit->term_count; k++)
            sum += terms[k] * fit->x[k];
        largest = fmax(largest, fabs(sum - sample_of(fit, n, freedom)));
    }
    return largest;
}

static bool holds(taylor_fit *fit, const snw_qr *qr)
{
    for (int f = 0; f < fit->freedom_count && fit->allowed; f++)
        if (!(solve(fit, qr, f) <= fit->allowed[f])) return false;
    return true;
}

/* Windows from the first time to the last: halves while errors are too large and both halves have
 * samples for all terms of time. */
static snw_status find_windows(taylor_fit *fit, double window, int *count, snw_error *error)
{
    double first = fit->trial[0].time[0], last = fit->trial[0].time[fit->trial[0].row_count - 1];
    int parts = window > 0 ? (int)fmin(ceil((last - first) / window - 1e-9), fit->row_count) : 1;
    if (parts < 1) parts = 1;
    int least = fit->term_count + 2;
    *count = 0;
    fit->edge[0] = first;
    for (int part = 0; part < parts; part++) {
        int waiting = 1;
        fit->waiting[0] = first + (last - first) * part / parts;
        fit->waiting[1] = part == parts - 1 ? last : first + (last - first) * (part + 1) / parts;
        while (waiting) {
            double from = fit->waiting[2 * --waiting], to = fit->waiting[2 * waiting + 1];
            snw_qr qr;
            open_window(fit, from, to);
            snw_status status = factor(fit, &qr, error);
            if (status != SNW_OK) return status;
            double middle = 0.5 * (from + to);
            bool is_done = fit->used < 2 * least || waiting > 60 || *count >= fit->row_count;
            if (!is_done) is_done = holds(fit, &qr);
            if (is_done) {
                fit->edge[++*count] = to;
                continue;
            }
            fit->waiting[2 * waiting] = middle;
            fit->waiting[2 * waiting++ + 1] = to;
            fit->waiting[2 * waiting] = from;
            fit->waiting[2 * waiting++ + 1] = middle;
        }
    }
    return SNW_OK;
}

/* From scaled variables to the file's: each term by the halves to its powers. */
static snw_status fill_window(taylor_fit *fit, snw_taylor *out, int window, snw_error *error)
{
    snw_qr qr;
    out->from[window] = fit->edge[window];
    out->to[window] = fit->edge[window + 1];
    open_window(fit, out->from[window], out->to[window]);
    snw_status status = factor(fit, &qr, error);
    if (status != SNW_OK) return status;
    memcpy(out->center + (size_t)window * (size_t)fit->variable_count, fit->center,
           (size_t)fit->variable_count * sizeof(double));
    for (int f = 0; f < fit->freedom_count; f++) {
        size_t cell = (size_t)window * (size_t)fit->freedom_count + (size_t)f;
        out->error[cell] = solve(fit, &qr, f);
        for (int k = 0; k < fit->term_count; k++) {
            int power[2];
            double scaled = fit->x[k];
            snw_taylor_power(fit->variable_count, k, power);
            for (int n = 0; n < power[0]; n++)
                scaled /= fit->half[0];
            for (int n = 0; n < power[1]; n++)
                scaled /= fit->half[1];
            out->coefficient[cell * (size_t)fit->term_count + (size_t)k] = scaled;
        }
    }
    return SNW_OK;
}

static snw_status check_trials(taylor_fit *fit, snw_error *error)
{
    double low = INFINITY, high = -INFINITY;
    for (int t = 0; t < fit->trial_count; t++) {
        const snw_taylor_samples *trial = fit->trial + t;
        const snw_taylor_samples *first = fit->trial;
        bool is_same = trial->freedom_count == first->freedom_count;
        for (int f = 0; f < first->freedom_count && is_same; f++)
            is_same = strcmp(trial->freedom[f], first->freedom[f]) == 0;
        if (!is_same || trial->freedom_count < 1)
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the trials do not have the same freedoms");
        for (int r = 0; r < trial->row_count; r++)
            if (!isfinite(trial->time[r]) || (r && !(trial->time[r] > trial->time[r - 1])))
                return snw__fail(error, SNW_INVALID_ARGUMENT, "times do not rise at row %d", r + 1);
        size_t count = (size_t)trial->row_count * (size_t)trial->freedom_count;
        for (size_t n = 0; n < count; n++)
            if (!isfinite(trial->value[n]))
                return snw__fail(error, SNW_INVALID_ARGUMENT, "%s is not a number in row %d",
                                 trial->freedom[n % (size_t)trial->freedom_count],
                                 (int)(n / (size_t)trial->freedom_count) + 1);
        if (trial->row_count < 2 || trial->row_count > INT32_MAX / 4 - fit->row_count)
            return snw__fail(error, SNW_DEGENERATE, "a trial of %d samples cannot be fitted",
                             trial->row_count);
        fit->row_count += trial->row_count;
        low = fmin(low, trial->parameter);
        high = fmax(high, trial->parameter);
        for (int k = 0; k < t; k++)
            if (!(fabs(fit->trial[k].parameter - trial->parameter) > 0))
                return snw__fail(error, SNW_INVALID_ARGUMENT, "two trials have the parameter %g",
                                 trial->parameter);
    }
    fit->center[1] = 0.5 * (low + high);
    fit->half[1] = high > low ? 0.5 * (high - low) : 1;
    return SNW_OK;
}

snw_status snw_taylor_fit(const snw_taylor_samples *trials, int trial_count,
                          const snw_taylor_options *options, const snw_allocator *allocator,
                          snw_taylor **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!trials || trial_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no trial to fit");
    snw_taylor_options how = SNW__WANTS_DEFAULTS(options) ? snw_taylor_options_default() : *options;
    const snw__bounds bounds[] = {
        {"order of the expansion", how.order, 0, SNW_TAYLOR_ORDER_MAX},
        {"window of the expansion", how.window, 0, 1e9},
    };
    taylor_fit fit = {.trial = trials, .trial_count = trial_count, .allowed = how.allowed};
    snw_status status = snw__check_bounds(bounds, 2, error);
    if (status == SNW_OK) status = check_trials(&fit, error);
    if (status != SNW_OK) return status;
    fit.variable_count = trial_count > 1 ? 2 : 1;
    fit.freedom_count = trials[0].freedom_count;
    fit.term_count = snw_taylor_term_count(how.order, fit.variable_count);
    if (fit.row_count < fit.term_count)
        return snw__fail(error, SNW_DEGENERATE, "%d samples are too few for %d terms",
                         fit.row_count, fit.term_count);
    snw_allocator from = snw__allocator_or_default(allocator);
    status = snw__block_create(&fit.block, lay_out, &fit, &from, "a fit", error);
    if (status != SNW_OK) return status;
    snw_taylor_sizes size = {fit.variable_count, how.order, fit.freedom_count, 0};
    status = find_windows(&fit, how.window, &size.window_count, error);
    if (status == SNW_OK) status = snw_taylor_create(&size, trials[0].freedom, &from, out, error);
    for (int n = 0; n < size.window_count && status == SNW_OK; n++)
        status = fill_window(&fit, *out, n, error);
    snw__block_release(&from, &fit.block);
    if (status != SNW_OK) {
        snw_taylor_destroy(*out);
        *out = NULL;
        return status;
    }
    return snw__succeed(error);
}

/* Expansions in one or two variables: terms, evaluation, joining. */
#include <sinew/taylor.h>

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

int snw_taylor_term_count(int order, int variable_count)
{
    if (order < 0 || order > SNW_TAYLOR_ORDER_MAX || variable_count < 1 ||
        variable_count > SNW_TAYLOR_VARIABLES_MAX)
        return 0;
    return variable_count == 1 ? order + 1 : (order + 1) * (order + 2) / 2;
}

void snw_taylor_power(int variable_count, int term, int power[SNW_TAYLOR_VARIABLES_MAX])
{
    int sum = 0;
    power[1] = 0;
    power[0] = term;
    if (variable_count == 1) return;
    while (term > sum)
        term -= ++sum;
    power[0] = sum - term;
    power[1] = term;
}

/* ---- memory -------------------------------------------------------------------------------- */

typedef struct taylor_sketch {
    snw_taylor taylor;
    size_t text_size;
    char **names, *text;
} taylor_sketch;

static void lay_out(void *object, snw__block *block)
{
    taylor_sketch *sketch = (taylor_sketch *)object;
    snw_taylor *t = &sketch->taylor;
    size_t windows = (size_t)t->size.window_count, freedoms = (size_t)t->size.freedom_count;
    size_t cells = snw__size_mul(windows, freedoms);
    snw__block_take(block, 1, sizeof *t);
    t->from = (double *)snw__block_take(block, windows, sizeof(double));
    t->to = (double *)snw__block_take(block, windows, sizeof(double));
    t->center =
        (double *)snw__block_take(block, windows * (size_t)t->size.variable_count, sizeof(double));
    t->coefficient = (double *)snw__block_take(block, snw__size_mul(cells, (size_t)t->term_count),
                                               sizeof(double));
    t->error = (double *)snw__block_take(block, cells, sizeof(double));
    sketch->names = (char **)snw__block_take(block, freedoms, sizeof(char *));
    sketch->text = (char *)snw__block_take(block, sketch->text_size, 1);
}

snw_status snw_taylor_create(const snw_taylor_sizes *size, const char *const *freedoms,
                             const snw_allocator *allocator, snw_taylor **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    taylor_sketch sketch;
    memset(&sketch, 0, sizeof sketch);
    snw_taylor *t = &sketch.taylor;
    t->size = *size;
    t->term_count = snw_taylor_term_count(size->order, size->variable_count);
    if (!t->term_count || size->freedom_count < 1 || size->window_count < 1 || !freedoms)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "an expansion of order %d in %d variables, %d freedoms, %d windows",
                         size->order, size->variable_count, size->freedom_count,
                         size->window_count);
    t->allocator = snw__allocator_or_default(allocator);
    for (int n = 0; n < size->freedom_count; n++)
        sketch.text_size += strlen(freedoms[n]) + 1;
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &t->allocator, "expansions", error);
    if (status != SNW_OK) return status;
    t->block_size = block.size;
    char *text = sketch.text;
    for (int n = 0; n < size->freedom_count; n++) {
        size_t length = strlen(freedoms[n]) + 1;
        sketch.names[n] = (char *)memcpy(text, freedoms[n], length);
        text += length;
    }
    t->freedom = (const char *const *)sketch.names;
    *out = (snw_taylor *)memcpy(block.base, t, sizeof *t);
    return snw__succeed(error);
}

void snw_taylor_destroy(snw_taylor *taylor)
{
    if (!taylor) return;
    snw_allocator allocator = taylor->allocator;
    snw__release(&allocator, taylor, taylor->block_size);
}

/* ---- values -------------------------------------------------------------------------------- */

/* x^power derived so many times. */
static double derived_power(double x, int power, int derivative)
{
    double value = 1;
    if (derivative > power) return 0;
    for (int n = 0; n < derivative; n++)
        value *= power - n;
    for (int n = derivative; n < power; n++)
        value *= x;
    return value;
}

static double value_in(const snw_taylor *taylor, int window, int freedom, const double at[2],
                       int derivative)
{
    int variables = taylor->size.variable_count;
    size_t cell = (size_t)window * (size_t)taylor->size.freedom_count + (size_t)freedom;
    const double *c = taylor->coefficient + cell * (size_t)taylor->term_count;
    const double *center = taylor->center + (size_t)window * (size_t)variables;
    double sum = 0;
    for (int k = taylor->term_count - 1; k >= 0; k--) {
        int power[SNW_TAYLOR_VARIABLES_MAX];
        snw_taylor_power(variables, k, power);
        double part = c[k] * derived_power(at[0] - center[0], power[0], derivative);
        if (variables > 1) part *= derived_power(at[1] - center[1], power[1], 0);
        sum += part;
    }
    return sum;
}

double snw_taylor_value(const snw_taylor *taylor, int freedom, double time, double parameter,
                        int derivative)
{
    const double at[2] = {time, parameter};
    int low = 0, high = taylor->size.window_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (taylor->from[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return value_in(taylor, low, freedom, at, derivative);
}

double snw_taylor_jump(const snw_taylor *taylor, int freedom, double parameter)
{
    double largest = 0;
    for (int n = 1; n < taylor->size.window_count; n++) {
        const double at[2] = {taylor->from[n], parameter};
        largest = fmax(largest, fabs(value_in(taylor, n, freedom, at, 0) -
                                     value_in(taylor, n - 1, freedom, at, 0)));
    }
    return largest;
}

/* ---- joining ------------------------------------------------------------------------------- */

/* Copies windows of `part`, of the same or a lower order, moved in time. */
static void copy_windows(const snw_taylor *part, double shift, int first, snw_taylor *out)
{
    int freedoms = part->size.freedom_count;
    for (int n = 0; n < part->size.window_count; n++) {
        out->from[first + n] = part->from[n] + shift;
        out->to[first + n] = part->to[n] + shift;
        out->center[first + n] = part->center[n] + shift;
        for (int f = 0; f < freedoms; f++) {
            size_t own = (size_t)n * (size_t)freedoms + (size_t)f;
            size_t other = (size_t)(first + n) * (size_t)freedoms + (size_t)f;
            memcpy(out->coefficient + other * (size_t)out->term_count,
                   part->coefficient + own * (size_t)part->term_count,
                   (size_t)part->term_count * sizeof(double));
            out->error[other] = part->error[own];
        }
    }
}

/* Values and speeds of both ends: Hermite's cubic from the first of them. */
static void bridge(const snw_taylor *a, const snw_taylor *b, double seconds, snw_taylor *out)
{
    int at = a->size.window_count, last = at - 1;
    out->from[at] = a->to[last];
    out->to[at] = a->to[last] + seconds;
    out->center[at] = a->to[last];
    for (int f = 0; f < a->size.freedom_count; f++) {
        double p = snw_taylor_value(a, f, a->to[last], 0, 0);
        double v = snw_taylor_value(a, f, a->to[last], 0, 1);
        double q = snw_taylor_value(b, f, b->from[0], 0, 0);
        double w = snw_taylor_value(b, f, b->from[0], 0, 1);
        size_t cell = (size_t)at * (size_t)a->size.freedom_count + (size_t)f;
        double *c = out->coefficient + cell * (size_t)out->term_count;
        double s = seconds;
        c[0] = p;
        c[1] = v;
        c[2] = (3 * (q - p) - (2 * v + w) * s) / (s * s);
        c[3] = (2 * (p - q) + (v + w) * s) / (s * s * s);
    }
}

snw_status snw_taylor_join(const snw_taylor *a, const snw_taylor *b, double seconds,
                           const snw_allocator *allocator, snw_taylor **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    if (a->size.variable_count != 1 || b->size.variable_count != 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "only expansions in time alone can be joined: choose the trial first");
    if (a->size.order < 3 || b->size.order < 3)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "joining needs orders of 3 or more");
    if (!(seconds > 0 && seconds < 1e6))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%g seconds between motions", seconds);
    bool is_same = a->size.freedom_count == b->size.freedom_count;
    for (int f = 0; f < a->size.freedom_count && is_same; f++)
        is_same = strcmp(a->freedom[f], b->freedom[f]) == 0;
    snw_status status = is_same ? SNW_OK
                                : snw__fail(error, SNW_INVALID_ARGUMENT,
                                            "the two motions do not have the same freedoms");
    if (status != SNW_OK) return status;
    snw_taylor_sizes size = a->size;
    if (b->size.order > size.order) size.order = b->size.order;
    if (b->size.window_count > INT32_MAX - 1 - a->size.window_count)
        return snw__fail(error, SNW_TOO_LARGE, "there are too many windows");
    size.window_count = a->size.window_count + 1 + b->size.window_count;
    status = snw_taylor_create(&size, a->freedom, allocator, out, error);
    if (status != SNW_OK) return status;
    copy_windows(a, 0, 0, *out);
    bridge(a, b, seconds, *out);
    copy_windows(b, (*out)->to[a->size.window_count] - b->from[0], a->size.window_count + 1, *out);
    return snw__succeed(error);
}

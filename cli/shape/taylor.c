/* `sinew taylor`: motions as Taylor expansions, Knight's way: fitted, looked at, joined, blended,
 * and made motions or tables again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "output.h"
#include "shape/shape_body.h"
#include "text.h"

/* ---- in and out ---------------------------------------------------------------------------- */

static bool is_place(const char *column)
{
    static const char *const endings[] = {"_tx", "_ty", "_tz", "_slide"};
    size_t length = strlen(column);
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++) {
        size_t end = strlen(endings[n]);
        if (length > end && strcmp(column + length - end, endings[n]) == 0) return true;
    }
    return false;
}

static snw_taylor *read_taylor(const cli_arguments *arguments, const char *path)
{
    snw_taylor *taylor = NULL;
    snw_error error;
    if (snw_read_taylor_file(path, NULL, NULL, &taylor, &error) == SNW_OK) return taylor;
    cli_fail(arguments, "%s", error.message);
    return NULL;
}

static int need_output(const cli_arguments *arguments, const char **out)
{
    static const char *const outputs[] = {"--output", NULL};
    *out = cli_value(arguments, "--output", NULL);
    if (!*out) return cli_misuse(arguments, "it needs a file to write: -o OUT");
    int status = cli_check_output_options(arguments, outputs);
    return status == CLI_DONE ? cli_check_not_input(arguments, *out, false, outputs) : status;
}

static int write_taylor(const cli_arguments *arguments, const char *out, const snw_taylor *taylor)
{
    snw_error error;
    if (snw_write_taylor_file(out, cli_flag(arguments, "--force"), taylor, &error) != SNW_OK)
        return cli_fail_writing(arguments, &error);
    return CLI_DONE;
}

/* Largest error of places or turns, in millimetres or degrees, and the largest jump. */
static void find_worst(const snw_taylor *taylor, double error[2], double jump[2])
{
    int freedoms = taylor->size.freedom_count;
    error[0] = error[1] = jump[0] = jump[1] = 0;
    for (int f = 0; f < freedoms; f++) {
        int kind = is_place(taylor->freedom[f]) ? 0 : 1;
        double scale = kind ? 1 : 1000;
        for (int n = 0; n < taylor->size.window_count; n++) {
            double here = taylor->error[(size_t)n * (size_t)freedoms + (size_t)f];
            error[kind] = fmax(error[kind], scale * here);
        }
        double parameter = taylor->size.variable_count > 1 ? taylor->center[1] : 0;
        jump[kind] = fmax(jump[kind], scale * snw_taylor_jump(taylor, f, parameter));
    }
}

static int show(const cli_arguments *arguments, const char *path, const snw_taylor *taylor)
{
    double error[2], jump[2], from = taylor->from[0];
    double to = taylor->to[taylor->size.window_count - 1];
    find_worst(taylor, error, jump);
    if (!cli_flag(arguments, "--json")) {
        cli_print_path(path);
        printf(
            "%d freedoms, %d window%s from %g to %g s, order %d in %d variable%s: %d terms each\n",
            taylor->size.freedom_count, taylor->size.window_count, cli_s(taylor->size.window_count),
            from, to, taylor->size.order, taylor->size.variable_count,
            cli_s(taylor->size.variable_count), taylor->term_count);
        printf("  largest error %.3g mm and %.3g degrees, largest jump between windows %.3g mm and "
               "%.3g degrees\n",
               error[0], error[1], jump[0], jump[1]);
        return CLI_DONE;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "freedoms", taylor->size.freedom_count);
    cli_json_integer(&json, "windows", taylor->size.window_count);
    cli_json_integer(&json, "order", taylor->size.order);
    cli_json_integer(&json, "variables", taylor->size.variable_count);
    cli_json_integer(&json, "terms", taylor->term_count);
    cli_json_number(&json, "from_s", from);
    cli_json_number(&json, "to_s", to);
    cli_json_number(&json, "error_mm", error[0]);
    cli_json_number(&json, "error_deg", error[1]);
    cli_json_number(&json, "jump_mm", jump[0]);
    cli_json_number(&json, "jump_deg", jump[1]);
    cli_json_end_object(&json);
    return CLI_DONE;
}

/* ---- fit ----------------------------------------------------------------------------------- */

/* Turns without steps of a full turn, so that polynomials can follow them. */
static void unwrap(snw_table *table)
{
    for (int c = 0; c < table->column_count; c++)
        for (int r = 1; r < table->row_count && !is_place(table->column[c]); r++) {
            double *v = table->value + (size_t)r * (size_t)table->column_count + (size_t)c;
            v[0] -= 360 * round((v[0] - v[-table->column_count]) / 360);
        }
}

static snw_table *read_table(const cli_arguments *arguments, const char *path)
{
    static cli_content content; /* 19 kB of notes: not on a stack */
    snw_table *table = NULL;
    snw_error error;
    memset(&content, 0, sizeof content);
    if (!cli_read_content(arguments, path, cli_value(arguments, "--asf", NULL), &content))
        return NULL;
    cli_print_notes(arguments, &content.notes);
    if (content.table) {
        table = content.table;
        content.table = NULL;
    } else if (!content.motion) {
        cli_fail(arguments, "%s holds no motion; solve it first", path);
    } else if (snw_table_from_motion(content.motion, SNW_UP_Y, NULL, &table, &error) != SNW_OK) {
        cli_fail(arguments, "%s: %s", path, error.message);
    }
    cli_release_content(&content);
    if (table) unwrap(table);
    return table;
}

/* Trials of other lengths are stretched to the first one's. */
static void stretch(snw_table *table, const snw_table *first)
{
    double own = table->time[table->row_count - 1] - table->time[0];
    double wanted = first->time[first->row_count - 1] - first->time[0], start = table->time[0];
    for (int r = 0; r < table->row_count && own > 0; r++)
        table->time[r] = first->time[0] + (table->time[r] - start) * wanted / own;
}

enum {
    TAYLOR_TRIALS = 8
};

static int fit_tables(const cli_arguments *arguments, snw_table *const *table, int count,
                      const char *out)
{
    snw_taylor_samples trial[TAYLOR_TRIALS];
    snw_taylor_options options = snw_taylor_options_default();
    double degrees = 1, millimetres = 5;
    int64_t order = options.order;
    if (!cli_integer(arguments, "--order", 0, SNW_TAYLOR_ORDER_MAX, &order) ||
        !cli_number(arguments, "--window", 0, 1e6, &options.window) ||
        !cli_number(arguments, "--error", 1e-9, 1e9, &degrees) ||
        !cli_number(arguments, "--error-mm", 1e-9, 1e9, &millimetres))
        return CLI_USAGE;
    double *allowed = calloc((size_t)table[0]->column_count + 1, sizeof *allowed);
    if (!allowed) return cli_fail(arguments, "no memory for %d freedoms", table[0]->column_count);
    for (int c = 0; c < table[0]->column_count; c++)
        allowed[c] = is_place(table[0]->column[c]) ? millimetres / 1000 : degrees;
    options.order = (int)order;
    options.allowed = allowed;
    for (int n = 0; n < count; n++) {
        if (n && table[n]->row_count) stretch(table[n], table[0]);
        trial[n] = (snw_taylor_samples){
            table[n]->row_count, table[n]->column_count, table[n]->column,
            table[n]->time,      table[n]->value,        count > 1 ? (double)n / (count - 1) : 0};
    }
    snw_taylor *taylor = NULL;
    snw_error error;
    int status = CLI_DONE;
    if (snw_taylor_fit(trial, count, &options, NULL, &taylor, &error) != SNW_OK)
        status = cli_fail(arguments, "%s: %s", arguments->operand[1], error.message);
    free(allowed);
    if (status == CLI_DONE) status = write_taylor(arguments, out, taylor);
    if (status == CLI_DONE) status = show(arguments, out, taylor);
    snw_taylor_destroy(taylor);
    return status;
}

static int fit(const cli_arguments *arguments)
{
    snw_table *table[TAYLOR_TRIALS] = {NULL};
    const char *out;
    int count = arguments->operand_count - 1, status = need_output(arguments, &out);
    if (status != CLI_DONE) return status;
    for (int n = 0; n < count && status == CLI_DONE; n++) {
        table[n] = read_table(arguments, arguments->operand[n + 1]);
        if (!table[n]) status = CLI_FAILED;
    }
    if (status == CLI_DONE) status = fit_tables(arguments, table, count, out);
    for (int n = 0; n < count; n++)
        snw_table_destroy(table[n]);
    return status;
}

/* ---- other jobs ---------------------------------------------------------------------------- */

static int info(const cli_arguments *arguments)
{
    snw_taylor *taylor = read_taylor(arguments, arguments->operand[1]);
    int status = taylor ? show(arguments, arguments->operand[1], taylor) : CLI_FAILED;
    snw_taylor_destroy(taylor);
    return status;
}

/* Rows at a rate; NULL and a complaint on failure. */
static snw_table *sample(const cli_arguments *arguments, const snw_taylor *taylor)
{
    double rate = 60, between = 0;
    int64_t derivative = 0;
    if (!cli_number(arguments, "--rate", 0.01, 1e5, &rate) ||
        !cli_number(arguments, "--between", 0, 1, &between) ||
        !cli_integer(arguments, "--derivative", 0, SNW_TAYLOR_ORDER_MAX, &derivative))
        return NULL;
    double from = taylor->from[0], to = taylor->to[taylor->size.window_count - 1];
    double rows = floor((to - from) * rate + 1e-6) + 1;
    snw_table *table = NULL;
    snw_error error;
    if (!(rows * taylor->size.freedom_count < 1e9)) {
        cli_fail(arguments, "%g rows are too many", rows);
        return NULL;
    }
    if (snw_table_create((int)rows, taylor->freedom, taylor->size.freedom_count, NULL, &table,
                         &error) != SNW_OK ||
        snw_table_set_rate(table, rate, &error) != SNW_OK) {
        cli_fail(arguments, "%s", error.message);
        snw_table_destroy(table);
        return NULL;
    }
    table->is_in_degrees = true;
    for (int r = 0; r < table->row_count; r++)
        for (int f = 0; f < table->column_count; f++)
            table->value[(size_t)r * (size_t)table->column_count + (size_t)f] =
                snw_taylor_value(taylor, f, from + table->time[r], between, (int)derivative);
    return table;
}

static int tabulate(const cli_arguments *arguments)
{
    const char *out;
    snw_error error;
    int status = need_output(arguments, &out);
    snw_taylor *taylor = status == CLI_DONE ? read_taylor(arguments, arguments->operand[1]) : NULL;
    snw_table *table = taylor ? sample(arguments, taylor) : NULL;
    if (status == CLI_DONE && !table) status = CLI_FAILED;
    if (status == CLI_DONE &&
        snw_write_table_file(out, cli_flag(arguments, "--force"), table, NULL, &error) != SNW_OK)
        status = cli_fail_writing(arguments, &error);
    if (status == CLI_DONE && !cli_flag(arguments, "--json")) {
        cli_print_path(out);
        printf("%d columns, %d rows\n", table->column_count, table->row_count);
    } else if (status == CLI_DONE) {
        status = show(arguments, out, taylor);
    }
    snw_table_destroy(table);
    snw_taylor_destroy(taylor);
    return status;
}

static int move(const cli_arguments *arguments)
{
    static cli_content content;
    static snw_notes notes;
    const char *out;
    snw_error error;
    snw_motion *motion = NULL;
    memset(&notes, 0, sizeof notes);
    memset(&content, 0, sizeof content);
    if (arguments->operand_count < 3)
        return cli_misuse(arguments, "motion takes a file of expansions and a body");
    int status = need_output(arguments, &out);
    if (status == CLI_DONE && cli_flag(arguments, "--derivative"))
        status = cli_misuse(arguments, "--derivative is for table: a body has no speeds");
    snw_taylor *taylor = status == CLI_DONE ? read_taylor(arguments, arguments->operand[1]) : NULL;
    snw_table *table = taylor ? sample(arguments, taylor) : NULL;
    snw_motion *body = table ? cli_read_body(arguments, arguments->operand[2], &content) : NULL;
    if (status == CLI_DONE && !body) status = CLI_FAILED;
    if (status == CLI_DONE &&
        snw_motion_from_table(table, body->skeleton, NULL, &motion, &notes, &error) != SNW_OK)
        status = cli_fail(arguments, "%s on %s: %s", arguments->operand[1], arguments->operand[2],
                          error.message);
    cli_print_notes(arguments, &notes);
    if (status == CLI_DONE) {
        motion->metres_per_unit = body->metres_per_unit;
        if (snw_write_motion_file(out, cli_flag(arguments, "--force"), motion, NULL, &error) !=
            SNW_OK)
            status = cli_fail_writing(arguments, &error);
    }
    if (status == CLI_DONE && !cli_flag(arguments, "--json")) {
        cli_print_path(out);
        printf("%d frames at %g per second\n", motion->frame_count, motion->rate);
    } else if (status == CLI_DONE) {
        status = show(arguments, out, taylor);
    }
    snw_motion_destroy(motion);
    cli_release_content(&content);
    snw_table_destroy(table);
    snw_taylor_destroy(taylor);
    return status;
}

static int join(const cli_arguments *arguments)
{
    const char *out;
    double seconds = 0.3;
    snw_taylor *b = NULL, *joined = NULL;
    snw_error error;
    if (arguments->operand_count != 3) return cli_misuse(arguments, "join takes two files");
    if (!cli_number(arguments, "--over", 1e-3, 1e3, &seconds)) return CLI_USAGE;
    int status = need_output(arguments, &out);
    snw_taylor *a = status == CLI_DONE ? read_taylor(arguments, arguments->operand[1]) : NULL;
    if (a) b = read_taylor(arguments, arguments->operand[2]);
    if (status == CLI_DONE && !b) status = CLI_FAILED;
    if (status == CLI_DONE && snw_taylor_join(a, b, seconds, NULL, &joined, &error) != SNW_OK)
        status = cli_fail(arguments, "%s and %s: %s", arguments->operand[1], arguments->operand[2],
                          error.message);
    if (status == CLI_DONE) status = write_taylor(arguments, out, joined);
    if (status == CLI_DONE) status = show(arguments, out, joined);
    snw_taylor_destroy(joined);
    snw_taylor_destroy(b);
    snw_taylor_destroy(a);
    return status;
}

/* ---- the command --------------------------------------------------------------------------- */

static int run_taylor(const cli_arguments *arguments)
{
    static const struct {
        const char *word;
        int (*run)(const cli_arguments *arguments);
    } jobs[] = {
        {"fit", fit}, {"info", info}, {"motion", move}, {"table", tabulate}, {"join", join}};
    for (size_t n = 0; n < sizeof jobs / sizeof *jobs; n++)
        if (strcmp(arguments->operand[0], jobs[n].word) == 0) return jobs[n].run(arguments);
    return cli_misuse(arguments, "it does fit, info, motion, table or join, not \"%s\"",
                      arguments->operand[0]);
}

static const cli_option taylor_options[] = {
    {"--output", "-o", "OUT", "fit, join: .taylor; motion: .bvh, .glb, .mot; table: .mot"},
    {"--order", NULL, "W", "fit: highest power, 0 to 12 (default: 5)"},
    {"--error", NULL, "DEG", "fit: windows are halved until turns are within (default: 1)"},
    {"--error-mm", NULL, "MM", "fit: the same for places (default: 5)"},
    {"--window", NULL, "S", "fit: windows of at most so many seconds"},
    {"--between", NULL, "SHARE", "motion, table: between the trials, 0 the first, 1 the last"},
    {"--rate", NULL, "HZ", "motion, table: frames per second (default: 60)"},
    {"--derivative", NULL, "N", "table: that derivative in time (default: 0)"},
    {"--over", NULL, "S", "join: seconds between the motions (default: 0.3)"},
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_INPUT_UNIT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_taylor_command = {
    "taylor",
    "motions as Taylor expansions: fit, evaluate, join, blend",
    "fit|info|motion|table|join FILE...",
    "fit makes expansions of every freedom of a motion (BVH, GLB, MOT): a polynomial for each "
    "window of\n"
    "time, N = C(w+m, m) terms of order w in m variables. Of several trials, up to 8, stretched to "
    "one\n"
    "length, it makes expansions in time and in what lies between them. motion puts them on a "
    "body, "
    "table\n"
    "writes values or derivatives, join makes one motion of two. The format: docs/knight.md.\n\n"
    "examples:\n"
    "  sinew taylor fit walk.bvh -o walk.taylor --order 5 --error 0.5\n"
    "  sinew taylor motion walk.taylor walk.bvh -o again.bvh --rate 120\n"
    "  sinew taylor table walk.taylor -o speeds.mot --derivative 1\n"
    "  sinew taylor join walk.taylor run.taylor -o both.taylor --over 0.5\n"
    "  sinew taylor fit slow.bvh fast.bvh -o pace.taylor\n"
    "  sinew taylor motion pace.taylor slow.bvh -o half.bvh --between 0.5",
    taylor_options,
    2,
    TAYLOR_TRIALS + 1,
    run_taylor,
};

#include "walk.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "output.h"
#include "verdict.h"

const char *const cli_side_name[2] = {"left", "right"};

/* ---- reading --------------------------------------------------------------------------------- */

int cli_walk_read(cli_walk *walk, const cli_arguments *arguments, const char *const *outputs,
                  cli_trial_reader read)
{
    const char *still = cli_value(arguments, "--static", NULL);
    memset(walk, 0, sizeof *walk);
    walk->arguments = arguments;
    walk->path = arguments->operand[0];
    int status = cli_check_output_options(arguments, outputs);
    if (status != CLI_DONE) return status;
    walk->trial = read(arguments, walk->path, NULL);
    if (walk->trial && still) walk->still = cli_read_capture(arguments, still, NULL);
    return walk->trial && (!still || walk->still) ? CLI_DONE : CLI_FAILED;
}

int cli_walk_judge(cli_walk *walk)
{
    snw_error error;
    if (snw_solve_judge(walk->trial, NULL, &walk->judgements, &error) != SNW_OK)
        return cli_fail(walk->arguments, "%s", error.message);
    cli_print_verdict(walk->arguments, &walk->judgements);
    return CLI_DONE;
}

int cli_walk_write(const cli_walk *walk, const char *path, snw_trial *made, snw_status status,
                   snw_error *error)
{
    if (status != SNW_OK) return cli_fail(walk->arguments, "%s", error->message);
    status = snw_write_trial_file(path, cli_flag(walk->arguments, "--force"), made, NULL, error);
    snw_trial_destroy(made);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(walk->arguments, error);
}

int cli_walk_functional(const cli_walk *walk, snw_functional *out)
{
    const char *path;
    memset(out, 0, sizeof *out);
    for (int n = 0; (path = cli_value_at(walk->arguments, "--functional", n)); n++) {
        static snw_notes notes; /* 19 kB: not on a stack */
        memset(&notes, 0, sizeof notes);
        snw_error error;
        snw_trial *trial = cli_read_capture(walk->arguments, path, NULL);
        if (!trial) return CLI_FAILED;
        snw_status status = snw_functional_add(out, trial, &notes, &error);
        snw_trial_destroy(trial);
        cli_print_notes(walk->arguments, &notes);
        if (status != SNW_OK) return cli_fail(walk->arguments, "%s: %s", path, error.message);
    }
    return CLI_DONE;
}

int cli_walk_measures(const cli_walk *walk, snw_subject *subject)
{
    const char *path;
    for (int n = 0; (path = cli_value_at(walk->arguments, "--measures", n)); n++) {
        static snw_notes notes; /* 19 kB: not on a stack */
        memset(&notes, 0, sizeof notes);
        size_t size;
        char *text = cli_read_whole(path, &size);
        if (!text)
            return cli_fail(walk->arguments, "%s could not be opened: %s", path, strerror(errno));
        int count = snw_subject_read_text(subject, text, size, &notes);
        free(text);
        cli_print_notes(walk->arguments, &notes);
        if (count == 0)
            return cli_fail(walk->arguments,
                            "%s has no measure of a subject: neither $LKneeWidth = 105 nor "
                            "<Parameter NAME=\"LKneeWidth\" VALUE=\"105\"/>",
                            path);
    }
    return CLI_DONE;
}

void cli_walk_fill_row(const cli_walk *walk)
{
    cli_row *row = walk->arguments->row;
    if (!row) return;
    cli_row_take_trial(row, walk->trial);
    snw_format(row->verdict, sizeof row->verdict, "%s", snw_verdict_name(walk->judgements.verdict));
    if (walk->judgements.verdict != SNW_VERDICT_GREEN)
        snw_format(row->message, sizeof row->message, "%s", walk->judgements.item[0].sentence);
}

void cli_walk_release(cli_walk *walk)
{
    snw_trial_destroy(walk->still);
    snw_trial_destroy(walk->trial);
}

int cli_walk_fail(const cli_walk *walk, const snw_error *error)
{
    return cli_fail(walk->arguments, "%s: %s", walk->path, error->message);
}

/* ---- strides --------------------------------------------------------------------------------- */

#define STRIDE_NUMBER(field, title, unit, factor)                \
    {                                                            \
#field, title, unit, offsetof(snw_stride, field), factor \
    }

const cli_stride_number cli_stride_numbers[CLI_STRIDE_NUMBERS] = {
    STRIDE_NUMBER(time, "Stride time", "s", 1),
    STRIDE_NUMBER(cadence, "Cadence", "steps/min", 1),
    STRIDE_NUMBER(speed, "Walking speed", "m/s", 1),
    STRIDE_NUMBER(length, "Stride length", "m", 1),
    STRIDE_NUMBER(step_length, "Step length", "m", 1),
    STRIDE_NUMBER(step_time, "Step time", "s", 1),
    STRIDE_NUMBER(step_width, "Step width", "m", 1),
    STRIDE_NUMBER(foot_off, "Foot off", "%", 100),
    STRIDE_NUMBER(opposite_off, "Opposite foot off", "%", 100),
    STRIDE_NUMBER(opposite_strike, "Opposite foot strike", "%", 100),
    STRIDE_NUMBER(single_support, "Single support", "s", 1),
    STRIDE_NUMBER(double_support, "Double support", "s", 1),
};

double cli_stride_number_of(const snw_stride *stride, int number)
{
    double value;
    memcpy(&value, (const char *)stride + cli_stride_numbers[number].offset, sizeof value);
    return cli_stride_numbers[number].factor * value;
}

/* ---- columns over time ----------------------------------------------------------------------- */

static double unit_of(const snw_angles *columns, int column)
{
    return columns->column[column].is_length ? 1 : 180 / SNW_PI;
}

double cli_column_at(const snw_angles *columns, int frame, int column)
{
    return unit_of(columns, column) * snw_angles_at(columns, frame, column);
}

int cli_column_range(const snw_angles *columns, int column, double range[3])
{
    double sum = 0;
    int known = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int f = 0; f < columns->frame_count; f++) {
        double value = cli_column_at(columns, f, column);
        if (!isfinite(value)) continue;
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
        sum += value;
        known++;
    }
    if (known) range[2] = sum / known;
    return known;
}

void cli_put_columns(const snw_angles *columns, const snw_trial *trial, FILE *out)
{
    fputs("time", out);
    for (int c = 0; c < columns->column_count; c++)
        fprintf(out, ",%s", columns->column[c].name);
    for (int f = 0; f < columns->frame_count; f++) {
        fprintf(out, "\n%.9g", snw_trial_time(trial, f));
        for (int c = 0; c < columns->column_count; c++) {
            double value = cli_column_at(columns, f, c);
            if (isfinite(value))
                fprintf(out, ",%.5f", value);
            else
                fputc(',', out);
        }
    }
    fputc('\n', out);
}

int cli_write_columns(const cli_walk *walk, const snw_angles *columns, bool is_in_degrees,
                      const char *path)
{
    size_t count = (size_t)columns->column_count;
    const char **names = malloc(sizeof *names * (count + 1));
    snw_table *table = NULL;
    snw_error error;
    if (!names) return cli_fail(walk->arguments, "no memory for %d names", columns->column_count);
    for (size_t c = 0; c < count; c++)
        names[c] = columns->column[c].name;
    snw_status status =
        snw_table_create(columns->frame_count, names, columns->column_count, NULL, &table, &error);
    if (status == SNW_OK) status = snw_table_set_rate(table, columns->rate, &error);
    free(names);
    if (status == SNW_OK) {
        table->is_in_degrees = is_in_degrees;
        for (int f = 0; f < columns->frame_count; f++) {
            table->time[f] = snw_trial_time(walk->trial, f);
            for (size_t c = 0; c < count; c++)
                table->value[(size_t)f * count + c] = cli_column_at(columns, f, (int)c);
        }
        status =
            snw_write_table_file(path, cli_flag(walk->arguments, "--force"), table, NULL, &error);
    }
    snw_table_destroy(table);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(walk->arguments, &error);
}

/* ---- columns over the cycle ------------------------------------------------------------------ */

bool cli_is_in_cycles(const char *name, int side)
{
    size_t length = strlen(name);
    const char *end = length > 2 ? name + length - 2 : "";
    bool is_left = strncmp(name, "left_", 5) == 0 || strcmp(end, "_l") == 0;
    bool is_right = strncmp(name, "right_", 6) == 0 || strcmp(end, "_r") == 0;
    if (strncmp(name, "center_of_mass", 14) == 0) return false;
    return side == SNW_SIDE_LEFT ? !is_right : !is_left;
}

bool cli_put_cycles(const snw_angles *columns, const snw_strides *strides, FILE *out)
{
    int count = columns->column_count;
    snw_cycle *cycle = calloc((size_t)count * 2 + 1, sizeof *cycle);
    if (!cycle) return false;
    fputs("percent", out);
    for (int side = 0; side < SNW_SIDES; side++)
        for (int c = 0; c < count; c++) {
            const char *name = columns->column[c].name;
            snw_cycle *one = cycle + side * count + c;
            if (!cli_is_in_cycles(name, side)) continue;
            snw_cycle_mean(columns, c, strides, (snw_side)side, one);
            bool is_shared = cli_is_in_cycles(name, 1 - side);
            if (one->count)
                fprintf(out, ",%s%s%s_mean,%s%s%s_sd", is_shared ? cli_side_name[side] : "",
                        is_shared ? "_" : "", name, is_shared ? cli_side_name[side] : "",
                        is_shared ? "_" : "", name);
        }
    for (int p = 0; p < SNW_CYCLE_POINTS; p++) {
        fprintf(out, "\n%d", p);
        for (int n = 0; n < 2 * count; n++) {
            double unit = unit_of(columns, n % count);
            if (cycle[n].count)
                fprintf(out, ",%.4f,%.4f", unit * cycle[n].mean[p], unit * cycle[n].deviation[p]);
        }
    }
    fputc('\n', out);
    free(cycle);
    return true;
}

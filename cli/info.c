/* `sinew info`: what a file holds, where its gaps are, and what had to be repaired to read it. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "text.h"

/* ---- gaps as a picture -------------------------------------------------------------------- */

#define GAP_CELLS 40

/* One cell per stretch of frames: full, partly or not at all seen. */
static void draw_gaps(const snw_trial *trial, int marker, char *text, size_t size)
{
    static const char *const cells[] = {" ", "\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93",
                                        "\xe2\x96\x88"};
    size_t length = 0;
    text[0] = 0;
    int cell_count = trial->frame_count < GAP_CELLS ? trial->frame_count : GAP_CELLS;
    for (int c = 0; c < cell_count; c++) {
        int first = (int)((int64_t)trial->frame_count * c / cell_count);
        int end = (int)((int64_t)trial->frame_count * (c + 1) / cell_count);
        int present = 0;
        for (int f = first; f < end; f++)
            present += snw_trial_is_present(trial, f, marker);
        /* Full only when nothing is missing, empty only when nothing is there. */
        int all = end - first;
        int level = present == 0 ? 0 : present == all ? 4 : 1 + 3 * present / all;
        length += (size_t)snw_format(text + length, size - length, "%s", cells[level]);
    }
}

/* The points of one kind, with a title where there are any. */
static void print_point_rows(const snw_trial *trial, snw_point_kind kind)
{
    if (snw_trial_count_kind(trial, kind) == 0) return;
    printf("\n  %-20s %8s %6s %8s  %s over time\n", snw_point_kind_name(kind), "missing", "gaps",
           "longest", kind == SNW_POINT_MARKER ? "seen" : "known");
    for (int m = 0; m < trial->marker_count; m++) {
        if (trial->marker[m].kind != kind) continue;
        char picture[GAP_CELLS * 4 + 1];
        snw_gap_summary gaps = snw_trial_gaps(trial, m);
        draw_gaps(trial, m, picture, sizeof picture);
        double percent = trial->frame_count ? 100.0 * gaps.missing_count / trial->frame_count : 0;
        printf("  ");
        cli_print_text(stdout, trial->marker[m].name, 20);
        printf(" %7.1f%% %6d %8d  |%s|\n", percent, gaps.interior_count, gaps.longest, picture);
    }
}

/* ---- captures ----------------------------------------------------------------------------- */

static const char *up_word(snw_up_axis up)
{
    static const char *const words[] = {"unknown", "x", "y", "z", "-x", "-y", "-z"};
    return words[(unsigned)up <= SNW_UP_NEGATIVE_Z ? (unsigned)up : 0];
}

static void print_storage(const snw_trial *trial, snw_format_kind format)
{
    static const char *const orders[] = {"?", "Intel", "DEC", "MIPS"};
    printf("%s", snw_format_name(format));
    if (format == SNW_FORMAT_C3D)
        printf(", %s byte order, %s",
               orders[(unsigned)trial->storage.order < 4 ? (unsigned)trial->storage.order : 0],
               trial->storage.is_integer ? "integers" : "floats");
    printf("\n");
}

/* So many and no more: the markers should not scroll away under a long walk's steps. */
#define EVENTS_SHOWN 12

/* NaN comes last. */
static bool is_earlier(const snw_trial *trial, int a, int b)
{
    double left = trial->event[a].time, right = trial->event[b].time;
    return left < right || (!isnan(left) && isnan(right)) ||
           (!(left > right) && isnan(left) == isnan(right) && a < b);
}

/* The event that follows `last` in time, which need not be the order of the file; -1: the first. */
static int next_event(const snw_trial *trial, int last)
{
    int next = -1;
    for (int e = 0; e < trial->event_count; e++)
        if ((last < 0 || is_earlier(trial, last, e)) && (next < 0 || is_earlier(trial, e, next)))
            next = e;
    return next;
}

/* Number of the frame nearest to an event, on the clock that the file's times share. */
static double event_frame(const snw_trial *trial, int event)
{
    double start = snw_trial_time(trial, 0) - trial->clock_start;
    double frame = (trial->event[event].time - start) * trial->rate;
    return floor(frame + 0.5) + trial->first_frame;
}

static void print_events(const snw_trial *trial)
{
    int shown = trial->event_count <= EVENTS_SHOWN ? trial->event_count : EVENTS_SHOWN - 1;
    for (int n = 0, e = -1; n < shown; n++) {
        e = next_event(trial, e);
        if (isfinite(trial->event[e].time))
            printf("  event at %8.3f s, frame %5.0f  ", trial->event[e].time,
                   event_frame(trial, e));
        else
            printf("  event without a time          ");
        cli_print_text(stdout, trial->event[e].context, 0);
        printf(" ");
        cli_print_text(stdout, trial->event[e].label, 0);
        printf("\n");
    }
    if (trial->event_count > shown)
        printf("  and %d more events (--json lists all)\n", trial->event_count - shown);
}

static void print_trial(const char *path, const cli_content *content)
{
    const snw_trial *trial = content->trial;
    cli_print_path(path);
    print_storage(trial, content->format);
    printf("  ");
    cli_print_point_counts(trial);
    printf(", %d frame%s from number %d, %g per second (%.2f s)\n", trial->frame_count,
           cli_s(trial->frame_count), trial->first_frame, trial->rate,
           trial->rate > 0 ? trial->frame_count / trial->rate : 0);
    printf("  unit ");
    cli_print_text(stdout, trial->unit[0] ? trial->unit : "none", 0);
    printf(", up %s, %.2f%% of samples missing\n", up_word(trial->up),
           100 * cli_missing_share(trial));
    if (trial->analog_count)
        printf("  %d analog channel%s, %d sample%s in each frame\n", trial->analog_count,
               cli_s(trial->analog_count), trial->analog_per_frame, cli_s(trial->analog_per_frame));
    int plates = snw_force_plate_count(trial);
    if (plates) printf("  %d force plate%s\n", plates, cli_s(plates));
    if (trial->rotation_count)
        printf("  %d rotation%s, %d in each frame\n", trial->rotation_count,
               cli_s(trial->rotation_count), trial->rotations_per_frame);
    print_events(trial);
    for (int kind = 0; kind < SNW_POINT_KIND_COUNT; kind++)
        print_point_rows(trial, (snw_point_kind)kind);
}

static void write_marker(cli_json *json, const snw_trial *trial, int marker)
{
    snw_gap_summary gaps = snw_trial_gaps(trial, marker);
    cli_json_object(json, NULL);
    cli_json_string(json, "name", trial->marker[marker].name);
    if (!snw_trial_is_marker(trial, marker))
        cli_json_string(json, "kind", snw_point_kind_name(trial->marker[marker].kind));
    cli_json_integer(json, "missing", gaps.missing_count);
    cli_json_integer(json, "gaps", gaps.interior_count);
    cli_json_integer(json, "longest_gap", gaps.longest);
    cli_json_boolean(json, "never_seen", gaps.is_never_seen);
    cli_json_end_object(json);
}

static void write_events(cli_json *json, const snw_trial *trial)
{
    cli_json_array(json, "events");
    for (int n = 0, e = -1; n < trial->event_count; n++) {
        e = next_event(trial, e);
        cli_json_object(json, NULL);
        cli_json_number(json, "time", trial->event[e].time);
        cli_json_number(json, "frame", event_frame(trial, e));
        cli_json_string(json, "label", trial->event[e].label);
        cli_json_string(json, "context", trial->event[e].context);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

static void write_trial(const char *path, const cli_content *content)
{
    const snw_trial *trial = content->trial;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", path);
    cli_json_string(&json, "format", snw_format_name(content->format));
    cli_json_integer(&json, "frames", trial->frame_count);
    cli_json_integer(&json, "first_frame", trial->first_frame);
    cli_json_number(&json, "rate", trial->rate);
    cli_json_string(&json, "units", trial->unit);
    cli_json_string(&json, "up", up_word(trial->up));
    cli_json_number(&json, "missing_percent", 100 * cli_missing_share(trial));
    cli_json_integer(&json, "analog_channels", trial->analog_count);
    cli_json_integer(&json, "analog_per_frame", trial->analog_per_frame);
    cli_json_integer(&json, "force_plates", snw_force_plate_count(trial));
    cli_json_integer(&json, "rotations", trial->rotation_count);
    write_events(&json, trial);
    for (int is_other = 0; is_other < 2; is_other++) {
        cli_json_array(&json, is_other ? "computed_points" : "markers");
        for (int m = 0; m < trial->marker_count; m++)
            if (snw_trial_is_marker(trial, m) != is_other) write_marker(&json, trial, m);
        cli_json_end_array(&json);
    }
    cli_json_notes(&json, &content->notes);
    cli_json_end_object(&json);
}

/* ---- motions ------------------------------------------------------------------------------ */

static void print_motion(const char *path, const cli_content *content)
{
    const snw_skeleton *body = content->motion->skeleton;
    cli_print_path(path);
    printf("%s\n  %d joint%s, %d degrees of freedom, %.3f m from root to farthest tip\n",
           snw_format_name(content->format), body->joint_count, cli_s(body->joint_count),
           body->dof_count, body->size);
    if (content->motion)
        printf("  %d frame%s, %g per second (%.2f s)\n", content->motion->frame_count,
               cli_s(content->motion->frame_count), content->motion->rate,
               content->motion->frame_count / content->motion->rate);
    printf("\n  %-22s %-22s %-10s %9s\n", "joint", "parent", "type", "bone mm");
    for (int j = 0; j < body->joint_count; j++) {
        printf("  ");
        cli_print_text(stdout, body->name[j], 23);
        cli_print_text(stdout, body->parent[j] >= 0 ? body->name[body->parent[j]] : "-", 23);
        printf("%-10s %9.1f\n", snw_joint_type_name(body->joint[j].type),
               1000 * body->bone_length[j]);
    }
}

static void write_motion(const char *path, const cli_content *content)
{
    const snw_skeleton *body = content->motion->skeleton;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", path);
    cli_json_string(&json, "format", snw_format_name(content->format));
    cli_json_integer(&json, "frames", content->motion ? content->motion->frame_count : 0);
    cli_json_number(&json, "rate", content->motion ? content->motion->rate : 0);
    cli_json_string(&json, "units", "m");
    cli_json_array(&json, "markers");
    cli_json_end_array(&json);
    cli_json_array(&json, "joints");
    for (int j = 0; j < body->joint_count; j++) {
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", body->name[j]);
        cli_json_integer(&json, "parent", body->parent[j]);
        cli_json_string(&json, "type", snw_joint_type_name(body->joint[j].type));
        cli_json_number(&json, "bone_length_m", body->bone_length[j]);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_notes(&json, &content->notes);
    cli_json_end_object(&json);
}

/* ---- tables ------------------------------------------------------------------------------- */

/* False when the column holds no number at all. */
static bool column_range(const snw_table *table, int column, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int row = 0; row < table->row_count; row++) {
        double value = table->value[(size_t)row * (size_t)table->column_count + (size_t)column];
        if (value < *low) *low = value;
        if (value > *high) *high = value;
    }
    return *low <= *high;
}

static void print_table(const char *path, const snw_table *table)
{
    cli_print_path(path);
    printf("MOT, named coordinates over time\n  %d column%s, %d row%s, %g per second, angles in "
           "%s\n\n  %-32s %14s %14s\n",
           table->column_count, cli_s(table->column_count), table->row_count,
           cli_s(table->row_count), table->rate, table->is_in_degrees ? "degrees" : "radians",
           "column", "lowest", "highest");
    for (int c = 0; c < table->column_count; c++) {
        double low, high;
        bool has_numbers = column_range(table, c, &low, &high);
        printf("  ");
        cli_print_text(stdout, table->column[c], 32);
        if (has_numbers)
            printf(" %14.6g %14.6g\n", low, high);
        else
            printf(" %14s %14s\n", "-", "-");
    }
}

static void write_table(const char *path, const cli_content *content)
{
    const snw_table *table = content->table;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", path);
    cli_json_string(&json, "format", snw_format_name(content->format));
    cli_json_integer(&json, "frames", table->row_count);
    cli_json_number(&json, "rate", table->rate);
    cli_json_string(&json, "units", table->is_in_degrees ? "degrees" : "radians");
    cli_json_array(&json, "markers");
    cli_json_end_array(&json);
    cli_json_array(&json, "columns");
    for (int c = 0; c < table->column_count; c++)
        cli_json_string(&json, NULL, table->column[c]);
    cli_json_end_array(&json);
    cli_json_notes(&json, &content->notes);
    cli_json_end_object(&json);
}

static void print_note(const char *text)
{
    printf("  - ");
    cli_print_text(stdout, text, 0);
    printf("\n");
}

/* What one file gives to the table of many. */
static void fill_row(const cli_content *content, cli_row *row)
{
    snw_format(row->kind, sizeof row->kind, "%s", snw_format_name(content->format));
    if (content->trial) cli_row_take_trial(row, content->trial);
    if (content->motion) row->joint_count = content->motion->skeleton->joint_count;
    if (content->motion) row->frame_count = content->motion->frame_count;
    if (content->table) row->frame_count = content->table->row_count;
    row->rate = content->trial    ? content->trial->rate
                : content->motion ? content->motion->rate
                : content->table  ? content->table->rate
                                  : NAN;
    if (content->notes.count)
        snw_format(row->message, sizeof row->message, "%s", content->notes.note[0].text);
}

static int show_file(const cli_arguments *arguments, const char *path)
{
    static cli_content content; /* its notes: 19 kB */
    if (!cli_read_content(arguments, path, cli_value(arguments, "--asf", NULL), &content))
        return CLI_FAILED;
    bool is_json = cli_flag(arguments, "--json");
    if (arguments->row) fill_row(&content, arguments->row);
    if (content.trial && is_json)
        write_trial(path, &content);
    else if (content.trial)
        print_trial(path, &content);
    else if (content.table && is_json)
        write_table(path, &content);
    else if (content.table)
        print_table(path, content.table);
    else if (is_json)
        write_motion(path, &content);
    else
        print_motion(path, &content);
    if (!is_json) {
        if (content.notes.count) printf("\n  repaired or noticed while reading:\n");
        for (int n = 0; n < content.notes.count; n++)
            print_note(content.notes.note[n].text);
        if (content.notes.dropped) printf("  - and %d more\n", content.notes.dropped);
    }
    cli_release_content(&content);
    return CLI_DONE;
}

static bool is_known_format(snw_format_kind kind)
{
    return kind != SNW_FORMAT_UNKNOWN;
}

static int run_info(const cli_arguments *arguments)
{
    static const cli_many_kind many = {NULL, false, is_known_format, false};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    return show_file(arguments, arguments->operand[0]);
}

static const cli_option info_options[] = {
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_UP_OPTION,
    CLI_INPUT_UNIT_OPTION,
    CLI_LENIENT_OPTION,
    {"--report", "-r", "FOLDER", "many files: the folder of the summary, HTML and CSV"},
    CLI_JOBS_OPTION,
    CLI_SHARD_OPTION,
    CLI_FILES_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_info_command = {
    "info",
    "say what a file holds, where its gaps are and what had to be repaired",
    "FILE | FOLDER | FILES...",
    "Reads C3D, TRC, CSV, BVH, ASF, AMC and MOT/STO by their content, whatever the name; - is\n"
    "standard input.\n"
    "In the picture a full block means seen in every frame of that stretch, a blank means "
    "never.\n\n"
    "examples:\n"
    "  sinew info walk.c3d\n"
    "  sinew info walk.c3d --json | jq '.markers[] | select(.missing > 0)'\n"
    "  sinew info 02_01.amc --asf 02.asf\n"
    "  sinew info study/ --report overview/    one line for each file, and a page that sorts",
    info_options,
    1,
    CLI_OPERANDS_MAX,
    run_info,
};

/* `sinew convert`: one format to another, with units, axes, frames, markers and rate changed on the
 * way. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "many/many.h"
#include "nearest.h"
#include "output.h"
#include "pattern.h"
#include "rig.h"
#include "text.h"

/* Slow motion of a camera at 24 frames from one at 2400. */
#define CONVERT_RATE_TIMES 100.0

/* Replaces *trial by `next` when there is one. */
static bool replace_trial(const cli_arguments *arguments, snw_trial **trial, snw_status status,
                          snw_trial *next, const snw_error *error)
{
    if (status != SNW_OK) {
        cli_fail(arguments, "%s", error->message);
        return false;
    }
    snw_trial_destroy(*trial);
    *trial = next;
    return true;
}

/* --frames 100-200, 100-, -200 or 100, in the file's own numbers. False when it is none of that. */
static bool parse_frames(const char *text, int64_t *first, int64_t *last)
{
    const char *end = text + strlen(text), *at = text;
    if (*at != '-') {
        at = snw_parse_int64(at, end, first);
        if (!at) return false;
        *last = *at ? *last : *first;
    }
    if (at == end) return true;
    if (*at++ != '-') return false;
    if (at == end) return true;
    at = snw_parse_int64(at, end, last);
    return at == end;
}

/* Frames to keep, from 0, clipped to what is there. */
static bool chosen_frames(const cli_arguments *arguments, int first_number, int frame_count,
                          int *first, int *count)
{
    const char *text = cli_value(arguments, "--frames", NULL);
    int64_t last_number = (int64_t)first_number + frame_count - 1;
    int64_t from = first_number, to = last_number;
    if (text && !parse_frames(text, &from, &to)) {
        cli_misuse(arguments, "--frames takes FIRST-LAST, FIRST- or -LAST, not \"%s\"", text);
        return false;
    }
    bool is_beyond = from < first_number || to > last_number;
    if (from < first_number) from = first_number;
    if (to > last_number) to = last_number;
    if (is_beyond && from <= to)
        cli_note(arguments, "--frames %s reaches beyond the file, which has %d to %lld", text,
                 first_number, (long long)last_number);
    if (text && to < from) {
        cli_fail(arguments, "frames %s are not in the file, which has %d to %lld", text,
                 first_number, (long long)last_number);
        return false;
    }
    *first = (int)(from - first_number);
    *count = (int)(to - from + 1);
    return true;
}

static bool cut_frames(const cli_arguments *arguments, snw_trial **trial)
{
    if (!cli_flag(arguments, "--frames")) return true;
    int first, count;
    if (!chosen_frames(arguments, (*trial)->first_frame, (*trial)->frame_count, &first, &count))
        return false;
    snw_trial window = snw_trial_window(*trial, first, count);
    snw_error error;
    snw_trial *next = NULL;
    snw_status status = snw_trial_copy(&window, NULL, &next, &error);
    return replace_trial(arguments, trial, status, next, &error);
}

static bool join_markers(const cli_arguments *arguments, snw_trial **trial)
{
    snw_solve_options options = snw_solve_options_default();
    options.keeps_zeros = options.keeps_swaps = options.keeps_slips = true;
    options.skips_join = !cli_flag(arguments, "--join");
    options.skips_recognition = !cli_flag(arguments, "--recognise");
    if (options.skips_join && options.skips_recognition) return true;
    return cli_prepare_trial(arguments, &options, trial, NULL);
}

static void miss_marker(const cli_arguments *arguments, const snw_trial *trial, const char *word,
                        size_t length)
{
    char name[128], hint[160];
    snw_format(name, sizeof name, "%.*s", (int)length, word);
    cli_nearest nearest = {name, NULL, 0};
    for (int m = 0; m < trial->marker_count; m++)
        cli_nearest_offer(&nearest, trial->marker[m].name);
    cli_fail(arguments, "no marker is called %s%s (sinew info lists them)", name,
             cli_nearest_hint(&nearest, hint, sizeof hint));
}

/* True when every name of the list stands for a marker; complains about the first that does not. */
static bool check_names(const cli_arguments *arguments, const snw_trial *trial, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        int m = 0;
        while (m < trial->marker_count &&
               !cli_pattern_names_marker(list, length, trial->marker[m].name))
            m++;
        if (length && m == trial->marker_count) {
            miss_marker(arguments, trial, list, length);
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

static bool pick_markers(const cli_arguments *arguments, snw_trial **trial)
{
    const char *list = cli_value(arguments, "--markers", NULL);
    if (!list) return true;
    if (!check_names(arguments, *trial, list)) return false;
    int *chosen = calloc((size_t)(*trial)->marker_count + 1, sizeof *chosen);
    if (!chosen) {
        cli_fail(arguments, "no memory for a list of markers");
        return false;
    }
    int count = 0;
    for (int m = 0; m < (*trial)->marker_count; m++)
        if (cli_pattern_list_matches(list, (*trial)->marker[m].name)) chosen[count++] = m;
    snw_error error;
    snw_trial *next = NULL;
    snw_status status = snw_trial_pick(*trial, chosen, count, NULL, &next, &error);
    free(chosen);
    return replace_trial(arguments, trial, status, next, &error);
}

/* The one marker that a word stands for; complains and returns -1 when there is none or several. */
static int find_marker(const cli_arguments *arguments, const snw_trial *trial, const char *word,
                       size_t length)
{
    int found = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        const char *name = trial->marker[m].name;
        if (!cli_pattern_names_marker(word, length, name)) continue;
        /* The whole label, letter by letter, is meant before any other reading of the word. */
        if (strlen(name) == length && strncmp(name, word, length) == 0) return m;
        if (found >= 0) {
            cli_fail(arguments, "%.*s is more than one marker: %s and %s", (int)length, word,
                     trial->marker[found].name, name);
            return -1;
        }
        found = m;
    }
    if (found < 0) miss_marker(arguments, trial, word, length);
    return found;
}

static bool rename_one(const cli_arguments *arguments, snw_trial *trial, const char *rule)
{
    const char *equals = strchr(rule, '=');
    if (!equals || equals == rule) {
        cli_misuse(arguments, "--rename takes OLD=NEW, not \"%s\"", rule);
        return false;
    }
    int marker = find_marker(arguments, trial, rule, (size_t)(equals - rule));
    snw_error error;
    if (marker < 0) return false;
    if (snw_trial_set_marker_name(trial, marker, equals + 1, &error) != SNW_OK) {
        cli_fail(arguments, "%s", error.message);
        return false;
    }
    return true;
}

static bool rename_markers(const cli_arguments *arguments, snw_trial *trial)
{
    const char *rule;
    for (int n = 0; (rule = cli_value_at(arguments, "--rename", n)) != NULL; n++)
        if (!rename_one(arguments, trial, rule)) return false;
    return true;
}

/* Between two frames there is nothing more to see: a small file must not become a huge one by a
 * digit too many. */
static bool may_have_rate(const cli_arguments *arguments, double rate, double own)
{
    if (!(own > 0) || rate <= CONVERT_RATE_TIMES * own) return true;
    cli_misuse(arguments, "--rate %g is more than %g times the %g frames per second of the file",
               rate, CONVERT_RATE_TIMES, own);
    return false;
}

static bool change_rate(const cli_arguments *arguments, snw_trial **trial)
{
    double rate = 0;
    if (!cli_number(arguments, "--rate", 1e-3, 1e6, &rate) ||
        !may_have_rate(arguments, rate, (*trial)->rate))
        return false;
    if (rate == 0 || rate == (*trial)->rate) return true;
    snw_error error;
    snw_trial *next = NULL;
    snw_status status = snw_trial_resample(*trial, rate, NULL, &next, &error);
    return replace_trial(arguments, trial, status, next, &error);
}

static bool change_axes(const cli_arguments *arguments, snw_trial *trial)
{
    snw_up_axis wanted = SNW_UP_UNKNOWN;
    if (!cli_parse_up(arguments, "--to-up", &wanted)) return false;
    snw_error error;
    if (wanted == SNW_UP_UNKNOWN || snw_trial_turn_up(trial, wanted, &error) == SNW_OK) return true;
    cli_fail(arguments, "%s (say it with --up)", error.message);
    return false;
}

static bool change_units(const cli_arguments *arguments, snw_trial *trial)
{
    const char *unit = cli_value(arguments, "--units", NULL);
    if (!unit) return true;
    double length;
    if (!cli_parse_unit(arguments, "--units", unit, &length)) return false;
    snw_trial_set_unit(trial, unit, length);
    return true;
}

static bool write_options_of(const cli_arguments *arguments, snw_write_options *options)
{
    *options = snw_write_options_default();
    bool is_chosen = cli_flag(arguments, "--markers");
    if (is_chosen || cli_flag(arguments, "--all-points")) options->points = SNW_POINTS_ALL;
    int64_t decimals = -1;
    if (!cli_integer(arguments, "--decimals", 0, 17, &decimals)) return false;
    options->decimals = decimals == 0 ? SNW_DECIMALS_NONE : (int)decimals;
    const char *unit = cli_value(arguments, "--units", NULL);
    return !unit || cli_parse_unit(arguments, "--units", unit, &options->metres_per_unit);
}

static int convert_trial(const cli_arguments *arguments, snw_trial **trial, const char *path)
{
    snw_write_options options;
    snw_format_kind kind = snw_format_from_name(path);
    if (snw_format_writes_motion(kind) && !snw_format_writes_trial(kind))
        return cli_fail(arguments, "%s holds markers, %s holds a moving body: sinew solve finds it",
                        arguments->operand[0], snw_format_name(kind));
    if (!join_markers(arguments, trial) || !cut_frames(arguments, trial) ||
        !pick_markers(arguments, trial) || !rename_markers(arguments, *trial) ||
        !change_rate(arguments, trial) || !change_axes(arguments, *trial) ||
        !change_units(arguments, *trial) || !write_options_of(arguments, &options))
        return CLI_FAILED;
    snw_error error;
    bool overwrite = cli_flag(arguments, "--force");
    if (snw_write_trial_file(path, overwrite, *trial, &options, &error) != SNW_OK)
        return cli_fail_writing(arguments, &error);
    cli_note_losses(arguments, *trial, options.points, path);
    if (cli_flag(arguments, "--json")) return CLI_DONE;
    cli_print_path(path);
    cli_print_point_counts(*trial);
    printf(", %d frame%s at %g per second\n", (*trial)->frame_count, cli_s((*trial)->frame_count),
           (*trial)->rate);
    return CLI_DONE;
}

/* The motion, or the part of it and the rate that are asked for, in a motion format. */
static int write_motion(const cli_arguments *arguments, const snw_motion *part, snw_up_axis up,
                        const char *path)
{
    snw_write_options options;
    snw_error error;
    cli_rigged rigged = {.actor = NULL};
    if (!write_options_of(arguments, &options)) return CLI_USAGE;
    int code = cli_rig(arguments, path, part, up, false, &rigged);
    options.up = rigged.up;
    if (code == CLI_DONE && snw_write_motion_file(path, cli_flag(arguments, "--force"),
                                                  rigged.motion, &options, &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    cli_rig_release(&rigged);
    if (code != CLI_DONE || cli_flag(arguments, "--json")) return code;
    cli_print_path(path);
    printf("%d joint%s, %d frame%s at %g per second\n", part->skeleton->joint_count,
           cli_s(part->skeleton->joint_count), part->frame_count, cli_s(part->frame_count),
           part->rate);
    return CLI_DONE;
}

/* Joints become markers, and a capture is written. */
static int write_joints(const cli_arguments *arguments, const snw_motion *motion, snw_trial **trial,
                        const char *path)
{
    snw_error error;
    if (snw_trial_from_motion(motion, SNW_UP_Y, NULL, trial, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    return convert_trial(arguments, trial, path);
}

static int convert_motion(const cli_arguments *arguments, cli_content *content, const char *path)
{
    snw_format_kind kind = snw_format_from_name(path);
    bool is_capture = snw_format_writes_trial(kind) && !snw_format_writes_motion(kind);
    static const char *const for_markers[] = {"--markers", "--all-points", "--rename",
                                              "--to-up",   "--join",       "--recognise"};
    for (int n = 0; n < 6 && !is_capture; n++)
        if (cli_flag(arguments, for_markers[n]))
            return cli_misuse(arguments, "%s is for captures of markers", for_markers[n]);
    if (is_capture) return write_joints(arguments, content->motion, &content->trial, path);
    double rate = content->motion->rate;
    int first, count;
    if (!cli_number(arguments, "--rate", 1e-3, 1e6, &rate) ||
        !may_have_rate(arguments, rate, content->motion->rate) ||
        !chosen_frames(arguments, 1, content->motion->frame_count, &first, &count))
        return CLI_FAILED;
    snw_error error;
    snw_motion *cut = NULL, *part = NULL;
    snw_status status = snw_motion_part(content->motion, first, count, NULL, &cut, &error);
    if (status == SNW_OK) status = snw_motion_resample(cut, rate, NULL, &part, &error);
    snw_motion_destroy(cut);
    if (status != SNW_OK) return cli_fail(arguments, "%s", error.message);
    part->own_skeleton = content->motion->own_skeleton; /* the body goes with it */
    content->motion->own_skeleton = NULL;
    snw_motion_destroy(content->motion);
    content->motion = part;
    return write_motion(arguments, part, SNW_UP_UNKNOWN, path);
}

/* Rotations of segments, as markerless and inertial systems write them, are a body in motion. */
static int convert_rotations(const cli_arguments *arguments, cli_content *content, const char *path)
{
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    if (snw_motion_from_rotations(content->trial, NULL, &content->motion, &notes, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    cli_print_notes(arguments, &notes);
    snw_up_axis up = content->trial->up;
    if (up == SNW_UP_UNKNOWN) {
        cli_note(arguments,
                 "the file does not say which axis is up; z is taken (say it with --up)");
        up = SNW_UP_Z;
    }
    return write_motion(arguments, content->motion, up, path);
}

/* A table has no body: it can only become another table. */
static int convert_table(const cli_arguments *arguments, const snw_table *table, const char *path)
{
    if (snw_format_from_name(path) != SNW_FORMAT_MOT)
        return cli_fail(arguments,
                        "%s holds coordinates without a body, which only .mot and .sto can carry",
                        arguments->operand[0]);
    snw_write_options options;
    snw_error error;
    if (!write_options_of(arguments, &options)) return CLI_FAILED;
    if (snw_write_table_file(path, cli_flag(arguments, "--force"), table, &options, &error) !=
        SNW_OK)
        return cli_fail_writing(arguments, &error);
    if (cli_flag(arguments, "--json")) return CLI_DONE;
    cli_print_path(path);
    printf("%d column%s, %d row%s\n", table->column_count, cli_s(table->column_count),
           table->row_count, cli_s(table->row_count));
    return CLI_DONE;
}

static void report_json(const char *path, const cli_content *content)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "output", path);
    if (content->trial) {
        cli_json_integer(&json, "frames", content->trial->frame_count);
        cli_json_number(&json, "rate", content->trial->rate);
        cli_json_integer(&json, "markers", content->trial->marker_count);
    } else if (content->table) {
        cli_json_integer(&json, "frames", content->table->row_count);
        cli_json_number(&json, "rate", content->table->rate);
        cli_json_integer(&json, "columns", content->table->column_count);
    } else {
        cli_json_integer(&json, "frames", content->motion->frame_count);
        cli_json_number(&json, "rate", content->motion->rate);
        cli_json_integer(&json, "joints", content->motion->skeleton->joint_count);
    }
    cli_json_end_object(&json);
}

static bool is_known_format(snw_format_kind kind)
{
    return kind != SNW_FORMAT_UNKNOWN && kind != SNW_FORMAT_AMC;
}

static int run_convert(const cli_arguments *arguments)
{
    static const cli_many_kind many = {NULL, true, is_known_format, false};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    if (arguments->operand_count < 1) return cli_misuse(arguments, "it needs IN and OUT");
    const char *in = arguments->operand[0], *out = cli_value(arguments, "--output", NULL);
    if (!out && arguments->operand_count > 1) out = arguments->operand[1];
    if (!out) return cli_misuse(arguments, "it needs IN and OUT");
    static cli_content content; /* its notes: 19 kB */
    if (!cli_read_content(arguments, in, cli_value(arguments, "--asf", NULL), &content))
        return CLI_FAILED;
    cli_print_notes(arguments, &content.notes);
    int status;
    snw_format_kind kind = snw_format_from_name(out);
    bool is_motion = snw_format_writes_motion(kind) && !snw_format_writes_trial(kind);
    if (content.trial && content.trial->rotation_count && is_motion)
        status = convert_rotations(arguments, &content, out);
    else if (content.trial)
        status = convert_trial(arguments, &content.trial, out);
    else if (content.table)
        status = convert_table(arguments, content.table, out);
    else
        status = convert_motion(arguments, &content, out);
    if (status == CLI_DONE && cli_flag(arguments, "--json")) report_json(out, &content);
    if (status == CLI_DONE && arguments->row && content.trial)
        cli_row_take_trial(arguments->row, content.trial);
    cli_release_content(&content);
    return status;
}

static const cli_option convert_options[] = {
    {"--units", NULL, "UNIT", "numbers in the output: mm, cm, m, in, ft"},
    CLI_UP_OPTION,
    {"--to-up", NULL, "AXIS", "turn the capture so that AXIS points up"},
    {"--join", NULL, NULL, "unlabelled pieces of trajectories become whole markers"},
    {"--recognise", NULL, NULL, "markers that nobody named get the names of a person's marker set"},
    {"--frames", NULL, "A-B", "only these frames, in the file's own numbers"},
    {"--markers", NULL, "LIST", "only these markers: names with * and ?, commas between"},
    {"--all-points", NULL, NULL, "TRC: joint centres, angles, forces, ... too, not markers alone"},
    {"--rename", NULL, "OLD=NEW", "rename a marker (may be repeated)"},
    {"--rate", NULL, "HZ", "resample to this many frames per second"},
    {"--decimals", NULL, "N", "digits after the point in text formats (default: all that count)"},
    CLI_RIG_OPTIONS,
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_INPUT_UNIT_OPTION,
    CLI_LENIENT_OPTION,
    {"--output", "-o", "OUT", "the same as OUT; for many files the folder, and --to says as what"},
    CLI_MANY_OPTIONS,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_convert_command = {
    "convert",
    "turn a file into another format, unit, axis, rate or part",
    "IN OUT | FOLDER -o FOLDER | FILES... -o FOLDER",
    "The ending of OUT chooses the format: .c3d .trc .csv for captures, .bvh .asf .amc .mot .sto "
    ".atm "
    ".glb\n"
    "for motions. What is not changed is kept: every parameter, analog sample and event of a C3D\n"
    "file comes out again in C3D, and untouched samples bit for bit.\n\n"
    "examples:\n"
    "  sinew convert walk.c3d walk.trc --units m --to-up y\n"
    "  sinew convert walk.c3d leg.c3d --markers 'R*' --frames 100-400\n"
    "  sinew convert raw.c3d whole.c3d --join\n"
    "  sinew convert raw.c3d named.c3d --join --recognise\n"
    "  sinew convert run.bvh run.glb --rate 60\n"
    "  sinew convert 02_01.amc walk.bvh --asf 02.asf\n"
    "  sinew convert run.bvh joints.trc                 where every joint is\n"
    "  sinew convert run.bvh rig.glb --names unreal     rests in a T, with other names\n"
    "  sinew convert study/ -o tables/ --to trc --units m",
    convert_options,
    1,
    CLI_OPERANDS_MAX,
    run_convert,
};

#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "nearest.h"
#include "output.h"

bool cli_parse_up(const cli_arguments *arguments, const char *option, snw_up_axis *up)
{
    static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    const char *text = cli_value(arguments, option, NULL);
    if (!text) return true;
    for (int n = 0; n < 6; n++)
        if (strcasecmp(text + (*text == '+'), words[n]) == 0) {
            *up = (snw_up_axis)(SNW_UP_X + n);
            return true;
        }
    cli_misuse(arguments, "%s takes x, y, z, -x, -y or -z, not \"%s\"", option, text);
    return false;
}

bool cli_parse_unit(const cli_arguments *arguments, const char *option, const char *text,
                    double *metres)
{
    *metres = snw_unit_length(text);
    if (*metres > 0) return true;
    cli_misuse(arguments, "%s takes mm, cm, m, in or ft, not \"%s\"", option, text);
    return false;
}

bool cli_read_options(const cli_arguments *arguments, snw_read_options *options)
{
    *options = snw_read_options_default();
    options->is_lenient = cli_flag(arguments, "--lenient");
    double millimetres_per_unit = 0;
    if (!cli_number(arguments, "--unit", 1e-6, 1e6, &millimetres_per_unit)) return false;
    options->metres_per_unit = millimetres_per_unit / 1000;
    const char *unit = cli_value(arguments, "--input-unit", NULL);
    if (unit && !cli_parse_unit(arguments, "--input-unit", unit, &options->metres_per_unit))
        return false;
    return cli_parse_up(arguments, "--up", &options->up);
}

void cli_print_notes(const cli_arguments *arguments, const snw_notes *notes)
{
    for (int n = 0; n < notes->count; n++)
        cli_note(arguments, "%s", notes->note[n].text);
    if (notes->dropped) cli_note(arguments, "and %d more", notes->dropped);
}

/* ---- standard input and other pipes ------------------------------------------------------- */

static const char *path_of(const char *operand)
{
    return strcmp(operand, "-") == 0 ? "/dev/stdin" : operand;
}

/* Cannot be looked at first and read again. */
static bool is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* A whole stream in memory, as a source. */
typedef struct loaded_stream {
    snw_memory_sink bytes;
    snw_memory_source state;
    snw_source source;
} loaded_stream;

static bool is_known(const snw_memory_sink *bytes)
{
    snw_memory_source state;
    snw_source source = snw_source_from_memory(&state, bytes->bytes, bytes->size);
    return snw_detect_format(&source) != SNW_FORMAT_UNKNOWN;
}

static snw_status load_stream(const char *path, loaded_stream *stream, snw_error *error)
{
    snw_sink sink = snw_sink_to_memory(&stream->bytes, NULL);
    *error = snw_error_none();
    FILE *file = fopen(path, "rb");
    int failed = file ? 0 : errno;
    char part[1 << 16];
    size_t size;
    while (file && !failed && (size = fread(part, 1, sizeof part, file)) > 0) {
        bool is_first = stream->bytes.size == 0;
        if (sink.write(sink.context, part, size) != 0) failed = ENOMEM;
        /* /dev/zero never ends: what starts like nothing is not read on, and refused later. */
        if (is_first && !failed && !is_known(&stream->bytes)) break;
    }
    if (file && !failed && ferror(file)) failed = EIO;
    if (file) fclose(file);
    stream->source =
        snw_source_from_memory(&stream->state, stream->bytes.bytes, stream->bytes.size);
    stream->source.name = path;
    if (!failed) return SNW_OK;
    snw_format(error->message, sizeof error->message, "%s could not be read: %s", path,
               strerror(failed));
    return SNW_IO;
}

/* ---- captures and whatever else a file holds ---------------------------------------------- */

snw_trial *cli_read_trial(const cli_arguments *arguments, const char *path, snw_notes *notes)
{
    snw_read_options options;
    if (!cli_read_options(arguments, &options)) return NULL;
    snw_trial *trial = NULL;
    snw_error error;
    snw_notes *own = notes ? NULL : calloc(1, sizeof *own), *used = notes ? notes : own;
    snw_status status;
    if (is_pipe(path_of(path))) {
        loaded_stream stream;
        status = load_stream(path_of(path), &stream, &error);
        if (status == SNW_OK)
            status = snw_read_trial(&stream.source, &options, NULL, &trial, used, &error);
        snw_memory_sink_release(&stream.bytes);
    } else {
        status = snw_read_trial_file(path_of(path), &options, NULL, &trial, used, &error);
    }
    if (status != SNW_OK) cli_fail(arguments, "%s", error.message);
    if (status == SNW_OK && own) cli_print_notes(arguments, own);
    free(own);
    return trial;
}

snw_trial *cli_read_capture(const cli_arguments *arguments, const char *path, snw_notes *notes)
{
    snw_trial *trial = cli_read_trial(arguments, path, notes);
    if (!trial || cli_flag(arguments, "--keep-zeros")) return trial;
    snw_notes *own = notes ? NULL : calloc(1, sizeof *own);
    snw_trial_drop_zeros(trial, notes ? notes : own);
    if (own) cli_print_notes(arguments, own);
    free(own);
    return trial;
}

snw_solve_options cli_prepare_options(const cli_arguments *arguments)
{
    snw_solve_options options = snw_solve_options_default();
    options.keeps_zeros = cli_flag(arguments, "--keep-zeros");
    options.skips_join = cli_flag(arguments, "--no-join");
    options.skips_recognition = cli_flag(arguments, "--no-recognise");
    return options;
}

void cli_add_notes(snw_notes *notes, const snw_notes *more)
{
    for (int n = 0; n < more->count; n++) {
        if (notes->count < SNW_NOTES_MAX)
            notes->note[notes->count++] = more->note[n];
        else
            notes->dropped++;
    }
    notes->dropped += more->dropped;
}

bool cli_prepare_trial(const cli_arguments *arguments, const snw_solve_options *options,
                       snw_trial **trial, snw_notes *notes)
{
    snw_solution *prepared = NULL;
    snw_solve_options used = *options;
    snw_error error;
    used.stops_after = SNW_SOLVE_PREPARED;
    if (snw_solve(*trial, &used, NULL, &prepared, &error) != SNW_OK) {
        cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
        return false;
    }
    snw_trial_destroy(*trial);
    *trial = prepared->trial;
    prepared->trial = NULL;
    if (notes)
        cli_add_notes(notes, prepared->notes);
    else
        cli_print_notes(arguments, prepared->notes);
    snw_solution_destroy(prepared);
    return true;
}

snw_trial *cli_read_markers(const cli_arguments *arguments, const char *path, snw_notes *notes)
{
    snw_trial *trial = cli_read_trial(arguments, path, notes);
    snw_solve_options options = cli_prepare_options(arguments);
    options.keeps_swaps = options.keeps_slips = true;
    if (trial && cli_prepare_trial(arguments, &options, &trial, notes)) return trial;
    snw_trial_destroy(trial);
    return NULL;
}

static snw_status read_file(const char *path, const char *asf, const snw_read_options *options,
                            cli_content *content, snw_error *error)
{
    snw_notes *notes = &content->notes;
    if (content->format == SNW_FORMAT_AMC)
        return snw_read_acclaim_file(&(snw_acclaim_paths){asf, path}, options, NULL,
                                     &content->motion, notes, error);
    if (content->format == SNW_FORMAT_MOT)
        return snw_read_table_file(path, options, NULL, &content->table, notes, error);
    if (snw_format_reads_motion(content->format))
        return snw_read_motion_file(path, options, NULL, &content->motion, notes, error);
    return snw_read_trial_file(path, options, NULL, &content->trial, notes, error);
}

static snw_status read_stream(const snw_source *source, const char *asf,
                              const snw_read_options *options, cli_content *content,
                              snw_error *error)
{
    snw_notes *notes = &content->notes;
    if (content->format == SNW_FORMAT_MOT)
        return snw_read_table(source, options, NULL, &content->table, notes, error);
    if (content->format != SNW_FORMAT_AMC && snw_format_reads_motion(content->format))
        return snw_read_motion(source, options, NULL, &content->motion, notes, error);
    if (content->format != SNW_FORMAT_AMC)
        return snw_read_trial(source, options, NULL, &content->trial, notes, error);
    loaded_stream body;
    snw_status status = load_stream(asf, &body, error);
    if (status == SNW_OK)
        status = snw_read_acclaim(&(snw_acclaim_sources){&body.source, source, NULL}, options, NULL,
                                  &content->motion, notes, error);
    snw_memory_sink_release(&body.bytes);
    return status;
}

bool cli_read_content(const cli_arguments *arguments, const char *operand, const char *asf,
                      cli_content *content)
{
    const char *path = path_of(operand);
    memset(content, 0, sizeof *content);
    snw_read_options options;
    if (!cli_read_options(arguments, &options)) return false;
    loaded_stream stream = {0};
    snw_error error;
    snw_status status = SNW_OK;
    bool is_stream = is_pipe(path);
    if (is_stream) status = load_stream(path, &stream, &error);
    content->format = is_stream ? snw_detect_format(&stream.source) : snw_detect_file(path);
    bool has_body = content->format != SNW_FORMAT_AMC || asf;
    if (!has_body)
        cli_misuse(arguments, "%s is a motion without its body: name the body with --asf FILE",
                   operand);
    else if (status == SNW_OK)
        status = is_stream ? read_stream(&stream.source, asf, &options, content, &error)
                           : read_file(path, asf, &options, content, &error);
    if (is_stream) snw_memory_sink_release(&stream.bytes);
    if (status == SNW_OK && has_body) return true;
    if (has_body) cli_fail(arguments, "%s", error.message);
    cli_release_content(content);
    return false;
}

snw_actor *cli_read_actor(const cli_arguments *arguments, const char *path)
{
    size_t size = 0;
    snw_actor *actor = NULL;
    snw_error error;
    char *text = cli_read_whole(path, &size);
    if (!text)
        cli_fail(arguments, "%s could not be read", path);
    else if (snw_actor_parse(text, size, NULL, &actor, &error) != SNW_OK)
        cli_fail(arguments, "%s: %s", path, error.message);
    free(text);
    return actor;
}

snw_style *cli_read_style(const cli_arguments *arguments, const char *path)
{
    size_t size = 0;
    snw_style *style = NULL;
    snw_error error;
    char *text = cli_read_whole(path, &size);
    if (!text)
        cli_fail(arguments, "%s could not be read", path);
    else if (snw_style_parse(text, size, NULL, &style, &error) != SNW_OK)
        cli_fail(arguments, "%s: %s", path, error.message);
    free(text);
    return style;
}

snw_skeleton *cli_make_body(const cli_arguments *arguments, const char *name)
{
    snw_skeleton *body = NULL;
    snw_error error;
    snw_status status = snw_preset_create(name, NULL, &body, &error);
    cli_nearest nearest = {name, NULL, 0};
    for (int n = 0; status == SNW_NOT_FOUND && n < snw_preset_count(); n++)
        cli_nearest_offer(&nearest, snw_preset_name(n));
    char hint[80];
    if (status == SNW_NOT_FOUND)
        cli_fail(arguments, "%s%s (sinew body lists them)", error.message,
                 cli_nearest_hint(&nearest, hint, sizeof hint));
    else if (status != SNW_OK)
        cli_fail(arguments, "%s", error.message);
    return body;
}

void cli_release_content(cli_content *content)
{
    snw_trial_destroy(content->trial);
    snw_table_destroy(content->table);
    snw_motion_destroy(content->motion);
    memset(content, 0, sizeof *content);
}

int cli_filter_trial(const cli_arguments *arguments, snw_trial **trial)
{
    const char *text = cli_value(arguments, "--filter", NULL);
    double cutoff = 0;
    snw_filter_report report;
    snw_trial *filtered = NULL;
    snw_error error;
    if (!text) return CLI_DONE;
    if (strcmp(text, "auto") != 0 && (!cli_number_list(text, 1, &cutoff) || !(cutoff > 0)))
        return cli_misuse(arguments, "--filter takes a cut-off in Hz, or auto");
    if (snw_trial_filter(*trial, cutoff, NULL, &filtered, &report, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    snw_trial_destroy(*trial);
    *trial = filtered;
    cli_note(arguments,
             "%d markers low-passed (zero-lag Butterworth, fourth order) at %.1f to %.1f Hz, mean "
             "%.1f%s",
             report.marker_count, report.lowest, report.highest, report.mean,
             cutoff > 0 ? "" : ", by residual analysis");
    return CLI_DONE;
}

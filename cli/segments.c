/* `sinew segments`: which markers move together. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "draw/matrix.h"
#include "input.h"
#include "output.h"
#include "text.h"

typedef struct segments_job {
    snw_trial *trial;
    snw_segments *segments;
    double *deviation; /* (marker_count x marker_count) metres */
    snw_notes *notes;
} segments_job;

static void release_job(segments_job *job)
{
    free(job->deviation);
    snw_segments_destroy(job->segments);
    snw_trial_destroy(job->trial);
    free(job->notes);
}

/* The largest deviation of a distance inside a segment; 0 for a single marker, infinite where two
 * of its markers are never seen together. */
static double segment_deviation(const segments_job *job, const snw_segment *segment)
{
    size_t markers = (size_t)job->segments->marker_count;
    double largest = 0;
    for (int a = 0; a < segment->marker_count; a++)
        for (int b = 0; b < a; b++)
            largest = fmax(
                largest,
                job->deviation[(size_t)segment->marker[a] * markers + (size_t)segment->marker[b]]);
    return largest;
}

static int alone_count(const snw_segments *segments)
{
    int count = 0;
    for (int m = 0; m < segments->marker_count; m++)
        count += segments->segment_of[m] < 0;
    return count;
}

/* ---- output --------------------------------------------------------------------------------- */

static void print_segment(const segments_job *job, const snw_segment *segment)
{
    double deviation = segment_deviation(job, segment);
    cli_print_text(stdout, segment->name, 20);
    printf(" %3d ", segment->marker_count);
    if (segment->marker_count == 1)
        printf("%9s ", "-");
    else if (isfinite(deviation))
        printf("%9.2f ", 1000 * deviation);
    else
        printf("%9s ", "unknown");
    for (int m = 0; m < segment->marker_count; m++) {
        fputc(' ', stdout);
        cli_print_text(stdout, job->trial->marker[segment->marker[m]].name, 0);
    }
    printf("\n");
}

static void print_table(const segments_job *job)
{
    const snw_segments *segments = job->segments;
    int alone = alone_count(segments);
    printf("%d segment%s of %d markers\n\n%-20s %3s %9s  markers\n", segments->segment_count,
           cli_s(segments->segment_count), segments->marker_count, "segment", "n", "varies mm");
    for (int l = 0; l < segments->segment_count; l++)
        print_segment(job, segments->segment + l);
    printf("\nvaries: the largest standard deviation of a distance inside the segment\n");
    if (alone) printf("on no segment:");
    for (int m = 0; m < segments->marker_count; m++) {
        if (segments->segment_of[m] >= 0) continue;
        fputc(' ', stdout);
        cli_print_text(stdout, job->trial->marker[m].name, 0);
    }
    if (alone) printf("\n");
}

static void print_json(const segments_job *job)
{
    const snw_segments *segments = job->segments;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_array(&json, "segments");
    for (int l = 0; l < segments->segment_count; l++) {
        const snw_segment *segment = segments->segment + l;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", segment->name);
        cli_json_number(&json, "deviation_m", segment_deviation(job, segment));
        cli_json_array(&json, "markers");
        for (int m = 0; m < segment->marker_count; m++)
            cli_json_string(&json, NULL, job->trial->marker[segment->marker[m]].name);
        cli_json_end_array(&json);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_array(&json, "alone");
    for (int m = 0; m < segments->marker_count; m++)
        if (segments->segment_of[m] < 0) cli_json_string(&json, NULL, job->trial->marker[m].name);
    cli_json_end_array(&json);
    cli_json_notes(&json, job->notes);
    cli_json_end_object(&json);
}

/* The segments as --markerset reads them. */
static bool write_list(FILE *file, const void *context)
{
    const segments_job *job = context;
    size_t size = snw_segments_print(job->segments, job->trial, NULL, 0) + 1;
    char *text = malloc(size);
    if (!text) return false;
    snw_segments_print(job->segments, job->trial, text, size);
    bool is_written = fwrite(text, 1, size - 1, file) == size - 1;
    free(text);
    return is_written;
}

/* A name as one word of Knight's files. */
static void put_word(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc((unsigned char)*name <= ' ' || *name == '=' ? '_' : *name, file);
}

/* The label without the actor's name: JOE::LTHI is LTHI. */
static const char *bare(const char *label)
{
    const char *colon = strrchr(label, ':');
    return colon && colon[1] ? colon + 1 : label;
}

/* The marker set beside a correlation file: its name with -set before the ending. */
static void set_path(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash)) dot = path + strlen(path);
    snw_format(out, size, "%.*s-set%s", (int)(dot - path), path, *dot ? dot : ".txt");
}

typedef struct correlation_job {
    const segments_job *job;
    const char *set; /* path of the marker set */
} correlation_job;

/* Knight's correlation file (2.3.3): which label is which marker of the set; what is on no segment
 * is Unknown, as he has it. */
static bool write_correlation(FILE *file, const void *context)
{
    const correlation_job *c = context;
    const snw_trial *trial = c->job->trial;
    const char *slash = strrchr(c->set, '/');
    fprintf(file, "%d WANDS\nMARKERSET ", trial->marker_count);
    put_word(file, slash ? slash + 1 : c->set);
    fputc('\n', file);
    for (int m = 0; m < trial->marker_count; m++) {
        int segment = c->job->segments->segment_of[m];
        put_word(file, trial->marker[m].name);
        fputs(" = ", file);
        put_word(file, segment < 0 ? "Unknown" : bare(trial->marker[m].name));
        if (segment >= 0) fprintf(file, " on %s", c->job->segments->segment[segment].name);
        fputc('\n', file);
    }
    return true;
}

static bool write_set(FILE *file, const void *context)
{
    const correlation_job *c = context;
    const snw_trial *trial = c->job->trial;
    int count = 0;
    for (int m = 0; m < trial->marker_count; m++)
        count += c->job->segments->segment_of[m] >= 0;
    fprintf(file, "%d WANDS\n", count);
    for (int m = 0; m < trial->marker_count; m++) {
        int segment = c->job->segments->segment_of[m];
        if (segment < 0) continue;
        fputs("\nWAND ", file);
        put_word(file, bare(trial->marker[m].name));
        fputs("\nSEGMENT ", file);
        put_word(file, c->job->segments->segment[segment].name);
        fputs("\nLENGTH 0.0\n", file);
    }
    return true;
}

/* Both files of a template to edit. */
static int write_template(const cli_arguments *arguments, const segments_job *job, const char *path)
{
    char set[1024];
    set_path(path, set, sizeof set);
    const correlation_job c = {job, set};
    const char *const beside = set;
    int code = cli_check_outputs(arguments, &beside, 1);
    if (code == CLI_DONE) code = cli_write_whole(arguments, set, write_set, &c);
    return code == CLI_DONE ? cli_write_whole(arguments, path, write_correlation, &c) : code;
}

/* ---- running -------------------------------------------------------------------------------- */

static int read_words(const cli_arguments *arguments, snw_segment_options *options)
{
    const char *method = cli_value(arguments, "--segments", "auto");
    *options = snw_segment_options_default();
    int found = snw_segment_method_find(method);
    if (found < 0)
        return cli_misuse(arguments, "there is no way to find segments called \"%s\"", method);
    options->method = (snw_segment_method)found;
    double tolerance_mm = -1;
    int64_t count = -1;
    if (!cli_number(arguments, "--tolerance", 1e-6, 1000, &tolerance_mm) ||
        !cli_integer(arguments, "--count", 1, 1000, &count))
        return CLI_USAGE;
    options->tolerance = tolerance_mm / 1000;
    options->segment_count = (int)count;
    if (count > 0 && !cli_flag(arguments, "--segments")) options->method = SNW_SEGMENTS_BY_SPECTRAL;
    if (count > 0 && options->method != SNW_SEGMENTS_BY_SPECTRAL)
        return cli_misuse(arguments, "--count goes with --segments spectral, not with %s", method);
    return CLI_DONE;
}

static int find_segments(const cli_arguments *arguments, const snw_segment_options *options,
                         segments_job *job)
{
    const char *path = arguments->operand[0];
    job->trial = cli_read_markers(arguments, path, job->notes);
    if (!job->trial) return CLI_FAILED;
    size_t markers = (size_t)job->trial->marker_count;
    job->deviation = malloc((markers * markers + 1) * sizeof(double));
    if (!job->deviation) return cli_fail(arguments, "%s: no memory for its distances", path);
    snw_error error = snw_error_none();
    if (snw_segments_find(job->trial, options, NULL, &job->segments, job->notes, &error) !=
            SNW_OK ||
        snw_marker_deviations(job->trial, NULL, job->deviation, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", path, error.message);
    return CLI_DONE;
}

static int run_segments(const cli_arguments *arguments)
{
    snw_segment_options options;
    static const char *const outputs[] = {"--svg", "--list", "--correlation", NULL};
    int code = read_words(arguments, &options);
    if (code == CLI_DONE) code = cli_check_output_options(arguments, outputs);
    if (code != CLI_DONE) return code;
    segments_job job;
    memset(&job, 0, sizeof job);
    job.notes = calloc(1, sizeof *job.notes);
    if (!job.notes) return cli_fail(arguments, "no memory for notes");
    code = find_segments(arguments, &options, &job);
    const char *picture = cli_value(arguments, "--svg", NULL);
    if (code == CLI_DONE && picture) {
        cli_matrix matrix = {job.trial, job.segments, job.deviation};
        code = cli_write_whole(arguments, picture, cli_matrix_draw, &matrix);
    }
    const char *list = cli_value(arguments, "--list", NULL);
    if (code == CLI_DONE && list) code = cli_write_whole(arguments, list, write_list, &job);
    const char *correlation = cli_value(arguments, "--correlation", NULL);
    if (code == CLI_DONE && correlation) code = write_template(arguments, &job, correlation);
    if (code == CLI_DONE && cli_flag(arguments, "--json")) {
        print_json(&job);
    } else if (code == CLI_DONE) {
        cli_print_notes(arguments, job.notes);
        print_table(&job);
    }
    release_job(&job);
    return code;
}

static const cli_option segments_options[] = {
    {"--segments", "--method", "HOW", "auto, names, rigidity, spectral"},
    {"--tolerance", NULL, "MM", "rigidity: how much a distance inside a segment may vary"},
    {"--count", NULL, "N", "so many segments, found by --segments spectral"},
    CLI_NO_JOIN_OPTION,
    CLI_NO_RECOGNISE_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    {"--list", NULL, "FILE",
     "write the segments as a list to change and to solve with (--markerset)"},
    {"--correlation", NULL, "FILE",
     "write Knight's correlation file and, beside it, the marker set, to edit and solve with"},
    {"--svg", NULL, "FILE", "draw how much the distance of every two markers varies"},
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_segments_command = {
    "segments",
    "which markers of a capture move together",
    "IN",
    "examples:\n"
    "  sinew segments walk.c3d                     segments, by names or by motion\n"
    "  sinew segments walk.c3d --segments rigidity    by motion alone\n"
    "  sinew segments walk.c3d --svg walk.svg      see it\n"
    "  sinew segments walk.c3d --list segments.txt    then: sinew solve walk.c3d --markerset "
    "segments.txt\n"
    "  sinew segments walk.c3d --correlation walk-correlation.txt    Knight's two files, "
    "walk-correlation-set.txt too",
    segments_options,
    1,
    1,
    run_segments,
};

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
    snw_limbs *limbs;
    double *deviation; /* (marker_count x marker_count) metres */
    snw_notes notes;
} segments_job;

static void release_job(segments_job *job)
{
    free(job->deviation);
    snw_limbs_destroy(job->limbs);
    snw_trial_destroy(job->trial);
}

/* The largest deviation of a distance inside a limb; 0 for a single marker, infinite where two of
 * its markers are never seen together. */
static double limb_deviation(const segments_job *job, const snw_limb *limb)
{
    size_t markers = (size_t)job->limbs->marker_count;
    double largest = 0;
    for (int a = 0; a < limb->marker_count; a++)
        for (int b = 0; b < a; b++)
            largest =
                fmax(largest,
                     job->deviation[(size_t)limb->marker[a] * markers + (size_t)limb->marker[b]]);
    return largest;
}

static int alone_count(const snw_limbs *limbs)
{
    int count = 0;
    for (int m = 0; m < limbs->marker_count; m++)
        count += limbs->limb_of[m] < 0;
    return count;
}

/* ---- output --------------------------------------------------------------------------------- */

static void print_limb(const segments_job *job, const snw_limb *limb)
{
    double deviation = limb_deviation(job, limb);
    cli_print_text(stdout, limb->name, 20);
    printf(" %3d ", limb->marker_count);
    if (limb->marker_count == 1)
        printf("%9s ", "-");
    else if (isfinite(deviation))
        printf("%9.2f ", 1000 * deviation);
    else
        printf("%9s ", "unknown");
    for (int m = 0; m < limb->marker_count; m++) {
        fputc(' ', stdout);
        cli_print_text(stdout, job->trial->marker[limb->marker[m]].name, 0);
    }
    printf("\n");
}

static void print_table(const segments_job *job)
{
    const snw_limbs *limbs = job->limbs;
    int alone = alone_count(limbs);
    printf("%d limb%s of %d markers\n\n%-20s %3s %9s  markers\n", limbs->limb_count,
           cli_s(limbs->limb_count), limbs->marker_count, "limb", "n", "varies mm");
    for (int l = 0; l < limbs->limb_count; l++)
        print_limb(job, limbs->limb + l);
    printf("\nvaries: the largest standard deviation of a distance inside the limb\n");
    if (alone) printf("on no limb:");
    for (int m = 0; m < limbs->marker_count; m++) {
        if (limbs->limb_of[m] >= 0) continue;
        fputc(' ', stdout);
        cli_print_text(stdout, job->trial->marker[m].name, 0);
    }
    if (alone) printf("\n");
}

static void print_json(const segments_job *job)
{
    const snw_limbs *limbs = job->limbs;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_array(&json, "limbs");
    for (int l = 0; l < limbs->limb_count; l++) {
        const snw_limb *limb = limbs->limb + l;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", limb->name);
        cli_json_number(&json, "deviation_m", limb_deviation(job, limb));
        cli_json_array(&json, "markers");
        for (int m = 0; m < limb->marker_count; m++)
            cli_json_string(&json, NULL, job->trial->marker[limb->marker[m]].name);
        cli_json_end_array(&json);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_array(&json, "alone");
    for (int m = 0; m < limbs->marker_count; m++)
        if (limbs->limb_of[m] < 0) cli_json_string(&json, NULL, job->trial->marker[m].name);
    cli_json_end_array(&json);
    cli_json_notes(&json, &job->notes);
    cli_json_end_object(&json);
}

/* The limbs as --markerset reads them. */
static bool write_list(FILE *file, const void *context)
{
    const segments_job *job = context;
    size_t size = snw_limbs_print(job->limbs, job->trial, NULL, 0) + 1;
    char *text = malloc(size);
    if (!text) return false;
    snw_limbs_print(job->limbs, job->trial, text, size);
    bool is_written = fwrite(text, 1, size - 1, file) == size - 1;
    free(text);
    return is_written;
}

/* ---- running -------------------------------------------------------------------------------- */

static int read_words(const cli_arguments *arguments, snw_limb_options *options)
{
    const char *method = cli_value(arguments, "--limbs", "auto");
    *options = snw_limb_options_default();
    int found = snw_limb_method_find(method);
    if (found < 0)
        return cli_misuse(arguments, "there is no way to find limbs called \"%s\"", method);
    options->method = (snw_limb_method)found;
    double tolerance_mm = -1;
    int64_t count = -1;
    if (!cli_number(arguments, "--tolerance", 1e-6, 1000, &tolerance_mm) ||
        !cli_integer(arguments, "--count", 1, 1000, &count))
        return CLI_USAGE;
    options->tolerance = tolerance_mm / 1000;
    options->limb_count = (int)count;
    if (count > 0 && !cli_flag(arguments, "--limbs")) options->method = SNW_LIMBS_BY_SPECTRAL;
    if (count > 0 && options->method != SNW_LIMBS_BY_SPECTRAL)
        return cli_misuse(arguments, "--count goes with --limbs spectral, not with %s", method);
    return CLI_DONE;
}

static int find_limbs(const cli_arguments *arguments, const snw_limb_options *options,
                      segments_job *job)
{
    const char *path = arguments->operand[0];
    job->trial = cli_read_markers(arguments, path, &job->notes, NULL);
    if (!job->trial) return CLI_FAILED;
    size_t markers = (size_t)job->trial->marker_count;
    job->deviation = malloc((markers * markers + 1) * sizeof(double));
    if (!job->deviation) return cli_fail(arguments, "%s: no memory for its distances", path);
    snw_error error = snw_error_none();
    if (snw_limbs_find(job->trial, options, NULL, &job->limbs, &job->notes, &error) != SNW_OK ||
        snw_marker_deviations(job->trial, NULL, job->deviation, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", path, error.message);
    return CLI_DONE;
}

static int run_segments(const cli_arguments *arguments)
{
    snw_limb_options options;
    static const char *const outputs[] = {"--svg", "--list", NULL};
    int code = read_words(arguments, &options);
    if (code == CLI_DONE) code = cli_check_output_options(arguments, outputs);
    if (code != CLI_DONE) return code;
    segments_job job;
    memset(&job, 0, sizeof job);
    job.notes = snw_notes_none();
    code = find_limbs(arguments, &options, &job);
    const char *picture = cli_value(arguments, "--svg", NULL);
    if (code == CLI_DONE && picture) {
        cli_matrix matrix = {job.trial, job.limbs, job.deviation};
        code = cli_write_whole(arguments, picture, cli_matrix_draw, &matrix);
    }
    const char *list = cli_value(arguments, "--list", NULL);
    if (code == CLI_DONE && list) code = cli_write_whole(arguments, list, write_list, &job);
    if (code == CLI_DONE && cli_flag(arguments, "--json")) {
        print_json(&job);
    } else if (code == CLI_DONE) {
        cli_print_notes(arguments, &job.notes);
        print_table(&job);
    }
    release_job(&job);
    return code;
}

static const cli_option segments_options[] = {
    {"--limbs", "--method", "HOW", "auto, names, rigidity, spectral"},
    {"--tolerance", NULL, "MM", "rigidity: how much a distance inside a limb may vary"},
    {"--count", NULL, "N", "so many limbs, found by --limbs spectral"},
    CLI_NO_JOIN_OPTION,
    CLI_NO_RECOGNISE_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    {"--list", NULL, "FILE", "write the limbs as a list to change and to solve with (--markerset)"},
    {"--svg", NULL, "FILE", "draw how much the distance of every two markers varies"},
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_segments_command = {
    "segments",
    "which markers of a capture move together",
    "IN",
    "examples:\n"
    "  sinew segments walk.c3d                     limbs, by names or by motion\n"
    "  sinew segments walk.c3d --limbs rigidity    by motion alone\n"
    "  sinew segments walk.c3d --svg walk.svg      see it\n"
    "  sinew segments walk.c3d --list limbs.txt    then: sinew solve walk.c3d --markerset "
    "limbs.txt",
    segments_options,
    1,
    1,
    run_segments,
};

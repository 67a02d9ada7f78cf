/* `sinew fill`: where were the markers that the cameras did not see. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fill/fill_report.h"
#include "fill/rays.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "text.h"

typedef struct fill_run {
    snw_trial *trial;
    snw_filled *filled;   /* offline */
    snw_trial *predicted; /* by the live predictor */
    snw_notes notes;
} fill_run;

static const snw_trial *result_of(const fill_run *run)
{
    return run->filled ? run->filled->trial : run->predicted;
}

static void release_run(fill_run *run)
{
    snw_filled_destroy(run->filled);
    snw_trial_destroy(run->predicted);
    snw_trial_destroy(run->trial);
}

static int read_fill_options(const cli_arguments *arguments, snw_fill_options *options)
{
    const char *method = cli_value(arguments, "--method", "auto");
    int64_t gap_max = 0;
    double unsure_mm = 0;
    *options = snw_fill_options_default();
    unsure_mm = 1000 * options->uncertainty_max;
    int found = snw_fill_method_find(method);
    if (found < 0)
        return cli_misuse(arguments, "there is no way to fill gaps called \"%s\"", method);
    options->method = (snw_fill_method)found;
    if (!cli_integer(arguments, "--max-gap", 0, 1000000000, &gap_max) ||
        !cli_number(arguments, "--unsure", 0, 1e6, &unsure_mm))
        return CLI_USAGE;
    options->gap_max = (int)gap_max;
    options->uncertainty_max = unsure_mm / 1000;
    return CLI_DONE;
}

/* One row for each sample that was not measured. */
static bool write_uncertainty(FILE *out, const void *context)
{
    const snw_trial *trial = context;
    fputs("marker,frame,state,uncertainty_mm\n", out);
    for (int m = 0; m < trial->marker_count; m++)
        for (int frame = 0; frame < trial->frame_count; frame++) {
            size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)m;
            if (trial->state[at] != SNW_SAMPLE_FILLED && trial->state[at] != SNW_SAMPLE_PREDICTED)
                continue;
            char number[SNW_NUMBER_SIZE];
            snw_print_fixed(number, 1000.0 * (double)trial->uncertainty[at], 3);
            cli_print_text(out, trial->marker[m].name, 0);
            fprintf(out, ",%d,%s,%s\n", frame + trial->first_frame,
                    trial->state[at] == SNW_SAMPLE_FILLED ? "filled" : "predicted", number);
        }
    return true;
}

/* ---- what was found ---------------------------------------------------------------------------
 */

typedef struct fill_sum {
    int gap_count, filled_count, longest;
    int64_t missing, filled;
    double uncertainty; /* the largest, metres */
} fill_sum;

static fill_sum sum_marker(const snw_filled *filled, int marker)
{
    fill_sum sum;
    memset(&sum, 0, sizeof sum);
    for (int g = 0; g < filled->gap_count; g++) {
        const snw_filled_gap *gap = filled->gap + g;
        if (gap->marker != marker) continue;
        sum.gap_count++;
        sum.missing += gap->length;
        if (gap->length > sum.longest) sum.longest = gap->length;
        if (gap->outcome != SNW_GAP_FILLED) continue;
        sum.filled_count++;
        sum.filled += gap->length;
        if (gap->uncertainty > sum.uncertainty) sum.uncertainty = gap->uncertainty;
    }
    return sum;
}

static int64_t missing_samples(const snw_filled *filled)
{
    int64_t count = 0;
    for (int g = 0; g < filled->gap_count; g++)
        count += filled->gap[g].length;
    return count;
}

static void print_table(const snw_filled *filled)
{
    const snw_trial *trial = filled->trial;
    printf("%d of %d gap%s filled, %lld of %lld samples\n", filled->filled_count, filled->gap_count,
           cli_s(filled->gap_count), (long long)filled->sample_count,
           (long long)missing_samples(filled));
    if (filled->gap_count == 0) return;
    printf("\n%-20s %5s %7s %8s %8s  %s\n", "marker", "gaps", "filled", "samples", "longest",
           "least sure mm");
    for (int m = 0; m < trial->marker_count; m++) {
        fill_sum sum = sum_marker(filled, m);
        if (sum.gap_count == 0) continue;
        cli_print_text(stdout, trial->marker[m].name, 20);
        printf(" %5d %7d %8lld %8d  ", sum.gap_count, sum.filled_count, (long long)sum.missing,
               sum.longest);
        if (sum.filled_count > 0)
            printf("%.1f\n", 1000 * sum.uncertainty);
        else
            printf("-\n");
    }
    printf("\nleast sure: the largest root mean square error expected of a filled sample\n");
}

static void print_json(const snw_filled *filled, const snw_notes *notes)
{
    const snw_trial *trial = filled->trial;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "gap_count", filled->gap_count);
    cli_json_integer(&json, "filled_count", filled->filled_count);
    cli_json_integer(&json, "missing_samples", missing_samples(filled));
    cli_json_integer(&json, "filled_samples", filled->sample_count);
    cli_json_array(&json, "gaps");
    for (int g = 0; g < filled->gap_count; g++) {
        const snw_filled_gap *gap = filled->gap + g;
        bool is_filled = gap->outcome == SNW_GAP_FILLED;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "marker", trial->marker[gap->marker].name);
        cli_json_integer(&json, "first_frame", gap->first + trial->first_frame);
        cli_json_integer(&json, "frame_count", gap->length);
        cli_json_string(&json, "outcome", snw_fill_outcome_text(gap->outcome));
        if (is_filled) cli_json_string(&json, "method", snw_fill_method_name(gap->method));
        if (is_filled) cli_json_number(&json, "method_share", gap->share);
        if (is_filled) cli_json_number(&json, "uncertainty_m", gap->uncertainty);
        if (is_filled) cli_json_integer(&json, "distrusted_samples", gap->distrusted);
        if (is_filled) cli_json_integer(&json, "judged_gaps", gap->judged);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_notes(&json, notes);
    cli_json_end_object(&json);
}

/* ---- running ------------------------------------------------------------------------------------
 */

/* Formats other than C3D have no place for an uncertainty: it goes beside them. */
static int write_outputs(const cli_arguments *arguments, const fill_run *run)
{
    const char *out = cli_value(arguments, "--output", NULL);
    const char *table = cli_value(arguments, "--uncertainty", NULL);
    snw_error error = snw_error_none();
    cli_note_losses(arguments, result_of(run), out);
    if (snw_write_trial_file(out, cli_flag(arguments, "--force"), result_of(run), NULL, &error) !=
        SNW_OK)
        return cli_fail_writing(arguments, &error);
    int code = CLI_DONE;
    if (table) code = cli_write_whole(arguments, table, write_uncertainty, result_of(run));
    const char *report = cli_value(arguments, "--report", NULL);
    if (code != CLI_DONE || !report) return code;
    cli_fill_page page = {arguments->operand[0], run->trial, run->filled, &run->notes};
    return cli_fill_report(arguments, report, &page);
}

static int fill_offline(const cli_arguments *arguments, fill_run *run)
{
    snw_fill_options options;
    snw_error error = snw_error_none();
    int code = read_fill_options(arguments, &options);
    if (code != CLI_DONE) return code;
    if (snw_trial_fill(run->trial, &options, NULL, &run->filled, &run->notes, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    return CLI_DONE;
}

/* Limbs by names or motion; who is joined to whom by the distances that vary least. */
static int fill_live(const cli_arguments *arguments, fill_run *run, snw_predict_method method)
{
    snw_predict_options options = snw_predict_options_default();
    snw_predict_job job;
    snw_limbs *limbs = NULL;
    cli_rays rays = {0, NULL};
    snw_error error = snw_error_none();
    int *neighbour = NULL, code = CLI_DONE;
    memset(&job, 0, sizeof job);
    options.method = method;
    if (!cli_number(arguments, "--blend", 0, 1000, &options.blend_seconds)) return CLI_USAGE;
    const char *path = cli_value(arguments, "--rays", NULL);
    if (path) code = cli_rays_read(arguments, path, run->trial, &rays);
    if (code == CLI_DONE &&
        snw_limbs_find(run->trial, NULL, NULL, &limbs, &run->notes, &error) != SNW_OK)
        code = cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    if (code == CLI_DONE) neighbour = malloc(((size_t)limbs->limb_count + 1) * sizeof(int));
    job.limbs = limbs;
    job.neighbour = neighbour;
    job.ray = rays.ray;
    job.ray_count = rays.count;
    job.both_ways = !cli_flag(arguments, "--realtime");
    if (code == CLI_DONE &&
        (!neighbour || snw_limb_neighbours(run->trial, limbs, NULL, neighbour, &error) != SNW_OK ||
         snw_trial_predict(run->trial, &job, &options, NULL, &run->predicted, &error) != SNW_OK))
        code = cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    free(neighbour);
    free(rays.ray);
    snw_limbs_destroy(limbs);
    return code;
}

static void print_predicted(const cli_arguments *arguments, const fill_run *run)
{
    int64_t missing = 0, made = 0;
    size_t count = (size_t)run->trial->frame_count * (size_t)run->trial->marker_count;
    for (size_t n = 0; n < count; n++) {
        missing += run->trial->state[n] == SNW_SAMPLE_MISSING;
        made += run->trial->state[n] == SNW_SAMPLE_MISSING &&
                run->predicted->state[n] != SNW_SAMPLE_MISSING;
    }
    if (!cli_flag(arguments, "--json")) {
        printf("%lld of %lld missing samples predicted\n", (long long)made, (long long)missing);
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "missing_samples", missing);
    cli_json_integer(&json, "predicted_samples", made);
    cli_json_notes(&json, &run->notes);
    cli_json_end_object(&json);
}

/* --method says which: the names of both lists; vtm-ukf and its like without --realtime run both
 * ways, as `smooth` does. */
static int choose_and_fill(const cli_arguments *arguments, fill_run *run)
{
    const char *name = cli_value(arguments, "--method", "auto");
    bool is_live = cli_flag(arguments, "--realtime");
    int live = snw_predict_method_find(name);
    if (strcmp(name, "smooth") == 0 && !is_live && !cli_flag(arguments, "--report"))
        return fill_live(arguments, run, SNW_PREDICT_AUTO);
    if (is_live && live < 0)
        return cli_misuse(arguments,
                          "--method %s looks at both sides of a gap; live there are auto, "
                          "vtm-ukf, ekf, extrapolate and circular",
                          name);
    bool is_offline = !is_live && snw_fill_method_find(name) >= 0;
    if (cli_flag(arguments, "--rays") && is_offline)
        return cli_misuse(arguments, "--rays needs --realtime or --method smooth");
    bool is_predicted = is_live || (live >= 0 && !is_offline);
    if (is_predicted && cli_flag(arguments, "--report"))
        return cli_misuse(arguments, "--report tells of gaps filled offline");
    if (is_predicted) return fill_live(arguments, run, live);
    return fill_offline(arguments, run);
}

static int run_fill(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", "--uncertainty", "--report", NULL};
    static const cli_many_kind many = {"c3d", false, snw_format_reads_trial};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    fill_run run;
    if (!cli_value(arguments, "--output", NULL))
        return cli_misuse(arguments, "say where to write with -o");
    int code = cli_check_output_options(arguments, outputs);
    if (code != CLI_DONE) return code;
    memset(&run, 0, sizeof run);
    run.notes = snw_notes_none();
    run.trial = cli_read_trial(arguments, arguments->operand[0], &run.notes);
    if (!run.trial) return CLI_FAILED;
    code = choose_and_fill(arguments, &run);
    if (code == CLI_DONE) code = write_outputs(arguments, &run);
    bool is_json = cli_flag(arguments, "--json");
    if (code == CLI_DONE && !is_json) cli_print_notes(arguments, &run.notes);
    if (code == CLI_DONE && run.predicted)
        print_predicted(arguments, &run);
    else if (code == CLI_DONE && is_json)
        print_json(run.filled, &run.notes);
    else if (code == CLI_DONE)
        print_table(run.filled);
    if (code == CLI_DONE && arguments->row) cli_row_take_trial(arguments->row, result_of(&run));
    release_run(&run);
    return code;
}

static const cli_option fill_options[] = {
    {"--output", "-o", "OUT", "the capture with its gaps filled"},
    {"--method", NULL, "HOW", "auto, linear, spline, frame, rigid, local, smooth (see below)"},
    {"--realtime", NULL, NULL, "frame by frame, from the past alone"},
    {"--rays", NULL, "CSV", "what single cameras saw of hidden markers, as synth --rays writes it"},
    {"--blend", NULL, "S", "realtime: lead a marker back to where it is seen in this time"},
    {"--max-gap", NULL, "N", "leave gaps of more frames missing"},
    {"--unsure", NULL, "MM", "leave missing what is less sure than this; 250"},
    {"--report", NULL, "HTML", "every gap, how sure, and the path of the least sure ones"},
    {"--uncertainty", NULL, "CSV", "how sure each filled sample is, as a table"},
    CLI_TO_OPTION,
    CLI_JOBS_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_fill_command = {
    "fill",
    "fill what the cameras did not see, and say how sure that is",
    "IN -o OUT | FOLDER -o FOLDER | FILES... -o FOLDER",
    "Measured samples are never changed. A filled sample has no camera in its C3D mask, and its\n"
    "residual is how sure it is; --uncertainty writes the same as a table, for other formats.\n"
    "What could not be filled is named and left missing.\n\n"
    "With --realtime the methods are auto, vtm-ukf, ekf, extrapolate and circular; without it the\n"
    "last four run forwards and backwards, and smooth does so with auto.\n\n"
    "examples:\n"
    "  sinew fill walk.c3d -o filled.c3d                 every gap, by what the data support\n"
    "  sinew fill walk.c3d -o filled.trc --uncertainty filled.csv\n"
    "  sinew fill walk.c3d -o page.c3d --report filled.html\n"
    "  sinew fill walk.c3d -o spline.c3d --method spline --max-gap 20\n"
    "  sinew fill walk.c3d -o live.c3d --realtime\n"
    "  sinew fill study/ -o filled/                      a whole study",
    fill_options,
    1,
    CLI_OPERANDS_MAX,
    run_fill,
};

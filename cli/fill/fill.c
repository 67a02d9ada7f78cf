/* `sinew fill`: where were the markers that the cameras did not see. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fill/fill.h"
#include "fill/fill_report.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "verdict.h"

typedef struct fill_run {
    snw_trial *trial;
    snw_filled *filled;
    snw_trial *given; /* what the predictor or the body says; NULL: neither was asked */
    snw_notes *notes;
} fill_run;

static void release_run(fill_run *run)
{
    snw_filled_destroy(run->filled);
    snw_trial_destroy(run->given);
    snw_trial_destroy(run->trial);
    free(run->notes);
}

static int read_fill_options(const cli_arguments *arguments, snw_fill_options *options)
{
    int64_t gap_max = 0;
    double unsure_mm = 0;
    *options = snw_fill_options_default();
    unsure_mm = 1000 * options->uncertainty_max;
    if (!cli_integer(arguments, "--max-gap", 0, 1000000000, &gap_max) ||
        !cli_number(arguments, "--unsure", 0, 1e6, &unsure_mm))
        return CLI_USAGE;
    options->gap_max = (int)gap_max;
    options->uncertainty_max = unsure_mm / 1000;
    return CLI_DONE;
}

/* ---- running ------------------------------------------------------------------------------------
 */

/* Formats other than C3D have no place for an uncertainty: it goes beside them. */
static int write_outputs(const cli_arguments *arguments, const fill_run *run)
{
    const char *out = cli_value(arguments, "--output", NULL);
    const char *table = cli_value(arguments, "--uncertainty", NULL);
    snw_error error = snw_error_none();
    cli_note_losses(arguments, run->filled->trial, SNW_POINTS_MARKERS, out);
    if (snw_write_trial_file(out, cli_flag(arguments, "--force"), run->filled->trial, NULL,
                             &error) != SNW_OK)
        return cli_fail_writing(arguments, &error);
    int code = CLI_DONE;
    if (table)
        code = cli_write_whole(arguments, table, cli_fill_write_uncertainty, run->filled->trial);
    const char *report = cli_value(arguments, "--report", NULL);
    if (code != CLI_DONE || !report) return code;
    cli_fill_page page = {arguments->operand[0], run->trial, run->filled, run->notes};
    return cli_fill_report(arguments, report, &page);
}

/* What --method names: a way to fill, or a way to predict, which then runs forwards and backwards;
 * with --realtime a way to predict. */
typedef struct fill_choice {
    snw_fill_method fill;
    snw_predict_method predict; /* where fill is SNW_FILL_SMOOTH */
} fill_choice;

static int choose(const cli_arguments *arguments, fill_choice *choice)
{
    const char *name = cli_value(arguments, "--method", "auto");
    bool is_live = cli_flag(arguments, "--realtime");
    int fill = snw_fill_method_find(name), predict = snw_predict_method_find(name);
    if (fill < 0 && predict < 0)
        return cli_misuse(arguments, "there is no way to fill gaps called \"%s\"", name);
    if (is_live && predict < 0)
        return cli_misuse(arguments,
                          "--method %s looks at both sides of a gap; live there are auto, "
                          "vtm-ukf, ekf, extrapolate and circular",
                          name);
    choice->fill = is_live || fill < 0 ? SNW_FILL_SMOOTH : (snw_fill_method)fill;
    choice->predict = predict < 0 ? SNW_PREDICT_AUTO : (snw_predict_method)predict;
    if (cli_flag(arguments, "--rays") && choice->fill != SNW_FILL_SMOOTH)
        return cli_misuse(arguments, "--rays needs --realtime or --method smooth");
    if (cli_flag(arguments, "--actor") && choice->fill != SNW_FILL_SMOOTH &&
        choice->fill != SNW_FILL_BODY)
        return cli_misuse(arguments, "--actor needs --realtime, --method smooth or --method body");
    if (!is_live && (cli_flag(arguments, "--calibrate") || cli_flag(arguments, "--blend")))
        return cli_misuse(arguments, "%s needs --realtime",
                          cli_flag(arguments, "--blend") ? "--blend" : "--calibrate");
    return CLI_DONE;
}

/* Samples that were led back to where they are seen: measured, but not told as they are. */
static void take_blended(fill_run *run)
{
    size_t count = (size_t)run->trial->frame_count * (size_t)run->trial->marker_count;
    snw_trial *out = run->filled->trial;
    for (size_t n = 0; n < count; n++) {
        if (run->trial->state[n] == SNW_SAMPLE_MISSING ||
            run->given->state[n] != SNW_SAMPLE_PREDICTED)
            continue;
        out->sample[n] = run->given->sample[n];
        out->state[n] = run->given->state[n];
        out->uncertainty[n] = run->given->uncertainty[n];
    }
}

static int choose_and_fill(const cli_arguments *arguments, fill_run *run)
{
    fill_choice choice = {SNW_FILL_AUTO, SNW_PREDICT_AUTO};
    snw_fill_options options;
    snw_error error = snw_error_none();
    int code = choose(arguments, &choice);
    if (code == CLI_DONE) code = read_fill_options(arguments, &options);
    if (code != CLI_DONE) return code;
    /* Live nobody knows yet that two markers will change back. */
    bool as_labelled = cli_flag(arguments, "--as-labelled") || cli_flag(arguments, "--realtime");
    snw_solve_options prepare = cli_prepare_options(arguments);
    prepare.skips_join = prepare.skips_recognition = true;
    prepare.keeps_swaps = as_labelled;
    prepare.keeps_open_swaps = prepare.keeps_slips = true;
    if (!cli_prepare_trial(arguments, &prepare, &run->trial, run->notes)) return CLI_FAILED;
    code = cli_warn_of_red(arguments, run->trial);
    if (code != CLI_DONE) return code;
    if (choice.fill == SNW_FILL_SMOOTH)
        code = cli_fill_predict(arguments, run->trial, choice.predict, run->notes, &run->given);
    if (choice.fill == SNW_FILL_BODY)
        code = cli_fill_body(arguments, run->trial, run->notes, &run->given);
    if (code != CLI_DONE) return code;
    options.method = choice.fill;
    options.body = run->given;
    if (snw_trial_fill(run->trial, &options, NULL, &run->filled, run->notes, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    if (cli_flag(arguments, "--blend")) take_blended(run);
    return CLI_DONE;
}

static int run_fill(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", "--uncertainty", "--report", NULL};
    static const cli_many_kind many = {"c3d", false, snw_format_reads_trial, false};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    fill_run run;
    if (!cli_value(arguments, "--output", NULL))
        return cli_misuse(arguments, "say where to write with -o");
    int code = cli_check_output_options(arguments, outputs);
    if (code != CLI_DONE) return code;
    memset(&run, 0, sizeof run);
    run.notes = calloc(1, sizeof *run.notes);
    if (!run.notes) return cli_fail(arguments, "no memory for notes");
    run.trial = cli_read_trial(arguments, arguments->operand[0], run.notes);
    code = run.trial ? choose_and_fill(arguments, &run) : CLI_FAILED;
    if (code == CLI_DONE) code = write_outputs(arguments, &run);
    bool is_json = cli_flag(arguments, "--json");
    if (code == CLI_DONE && !is_json) cli_print_notes(arguments, run.notes);
    if (code == CLI_DONE && is_json)
        cli_fill_json(run.filled, run.notes);
    else if (code == CLI_DONE)
        cli_fill_print(run.filled);
    if (code == CLI_DONE && arguments->row) cli_row_take_trial(arguments->row, run.filled->trial);
    release_run(&run);
    return code;
}

static const cli_option fill_options[] = {
    {"--output", "-o", "OUT", "the capture with its gaps filled"},
    {"--method", NULL, "HOW", "auto; the others are listed below"},
    {"--realtime", NULL, NULL, "frame by frame, from the past alone"},
    {"--calibrate", NULL, "S",
     "realtime: the seconds at the start that tell segments and joints; 10"},
    {"--actor", NULL, "FILE", "realtime, smooth, body: a person kept by solve --save-actor"},
    {"--rays", NULL, "CSV", "what single cameras saw of hidden markers, as synth --rays writes it"},
    {"--blend", NULL, "S", "realtime: lead a marker back to where it is seen in this time"},
    {"--as-labelled", NULL, NULL, "leave markers that exchange their labels for a while"},
    {"--max-gap", NULL, "N", "leave gaps of more frames missing"},
    {"--unsure", NULL, "MM", "leave missing what is less sure than this; 250"},
    {"--report", NULL, "HTML", "every gap, how sure, and the path of the least sure ones"},
    {"--uncertainty", NULL, "CSV", "how sure each filled sample is, as a table"},
    CLI_MANY_OPTIONS,
    CLI_KEEP_ZEROS_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_fill_command = {
    "fill",
    "fill what the cameras did not see, and say how sure that is",
    "IN -o OUT | FOLDER -o FOLDER | FILES... -o FOLDER",
    "Measured samples are never changed. A filled sample has no camera in its C3D mask, and its\n"
    "residual is how sure it is; --uncertainty writes the same as a table, for other formats.\n"
    "What could not be filled is named and left missing.\n\n"
    "methods:\n"
    "  auto      all that the data support, weighted by how they do on gaps of the same length\n"
    "  linear, spline                    through the samples on both sides\n"
    "  frame, rigid, local               among the neighbours: spline, place, ridge regression\n"
    "  body                              where the solved body carries the marker\n"
    "  pca, lowrank                      by the components of the whole capture\n"
    "  vtm-ukf, ekf, extrapolate, circular   a segment's filter forwards and backwards\n"
    "  smooth                            the live auto forwards and backwards\n"
    "With --realtime there are auto, vtm-ukf, ekf, extrapolate and circular.\n\n"
    "examples:\n"
    "  sinew fill walk.c3d -o filled.c3d                 every gap, by what the data support\n"
    "  sinew fill walk.c3d -o filled.trc --uncertainty filled.csv\n"
    "  sinew fill walk.c3d -o page.c3d --report filled.html\n"
    "  sinew fill walk.c3d -o spline.c3d --method spline --max-gap 20\n"
    "  sinew fill walk.c3d -o live.c3d --realtime        as if it came from cameras now\n"
    "  sinew fill study/ -o filled/                      a whole study",
    fill_options,
    1,
    CLI_OPERANDS_MAX,
    run_fill,
};

/* `sinew kinetics`: moments, powers and forces in the joints of the legs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "many/many.h"
#include "output.h"
#include "verdict.h"

typedef struct kinetics_job {
    const cli_arguments *arguments;
    snw_trial *trial, *still;
    snw_kinetics *kinetics;
    snw_gait_events *events;
    snw_strides *strides;
    snw_judgements judgements;
} kinetics_job;

static const char *const kinetics_side[2] = {"left", "right"};

static int measure(kinetics_job *job)
{
    const cli_arguments *arguments = job->arguments;
    snw_gait_options model_options = snw_gait_options_default();
    snw_kinetics_options options = snw_kinetics_options_default();
    snw_gait_model model;
    snw_notes notes = snw_notes_none();
    snw_error error;
    if (!cli_number(arguments, "--mass", 5, 300, &options.mass) ||
        !cli_number(arguments, "--cutoff", 1, 1000, &options.cutoff))
        return CLI_USAGE;
    snw_status status =
        snw_gait_model_make(job->trial, job->still, &model_options, &model, &notes, &error);
    cli_print_notes(arguments, &notes);
    if (status == SNW_OK)
        status = snw_kinetics_measure(job->trial, &model, &options, NULL, &job->kinetics, &error);
    if (status == SNW_OK)
        status = snw_gait_events_find(job->trial, NULL, NULL, &job->events, NULL, &error);
    if (status == SNW_OK)
        status = snw_strides_measure(job->trial, job->events, NULL, &job->strides, &error);
    if (status != SNW_OK)
        return cli_fail(arguments, "%s: %s%s", arguments->operand[0], error.message,
                        strstr(error.message, "mass is not known") ? " (--mass KG)" : "");
    cli_note(arguments,
             "markers and forces low-passed at %g Hz, without delay; mass %g kg; internal moments "
             "in the distal segment's axes",
             job->kinetics->cutoff, job->kinetics->mass);
    for (int n = 0; n < job->kinetics->contact_count; n++) {
        const snw_plate_contact *contact = job->kinetics->contact + n;
        if (!contact->is_whole)
            cli_note(arguments, "plate %d, %.2f to %.2f s, is not used: %s", contact->plate + 1,
                     snw_trial_time(job->trial, contact->first),
                     snw_trial_time(job->trial, contact->last), contact->why);
    }
    return CLI_DONE;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6g", value);
    else
        fputc(',', out);
}

static bool draw_csv(FILE *out, const void *context)
{
    const kinetics_job *job = context;
    const snw_angles *columns = &job->kinetics->columns;
    fputs("time", out);
    for (int c = 0; c < columns->column_count; c++)
        fprintf(out, ",%s", columns->column[c].name);
    for (int f = 0; f < columns->frame_count; f++) {
        fprintf(out, "\n%.9g", snw_trial_time(job->trial, f));
        for (int c = 0; c < columns->column_count; c++)
            put_number(out, snw_angles_at(columns, f, c));
    }
    fputc('\n', out);
    return true;
}

static bool draw_cycles(FILE *out, const void *context)
{
    const kinetics_job *job = context;
    const snw_angles *columns = &job->kinetics->columns;
    snw_cycle *cycle = calloc((size_t)columns->column_count, sizeof *cycle);
    if (!cycle) return false;
    fputs("percent", out);
    for (int c = 0; c < columns->column_count; c++) {
        const char *name = columns->column[c].name;
        bool is_left = strncmp(name, "left_", 5) == 0;
        if (!is_left && strncmp(name, "right_", 6) != 0) continue;
        snw_cycle_mean(columns, c, job->strides, is_left ? SNW_GAIT_LEFT : SNW_GAIT_RIGHT,
                       cycle + c);
        if (cycle[c].count) fprintf(out, ",%s_mean,%s_sd", name, name);
    }
    for (int p = 0; p < SNW_CYCLE_POINTS; p++) {
        fprintf(out, "\n%d", p);
        for (int c = 0; c < columns->column_count; c++) {
            if (!cycle[c].count) continue;
            put_number(out, cycle[c].mean[p]);
            put_number(out, cycle[c].deviation[p]);
        }
    }
    fputc('\n', out);
    free(cycle);
    return true;
}

/* ---- telling --------------------------------------------------------------------------------- */

static bool column_range(const snw_angles *columns, int c, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int f = 0; f < columns->frame_count; f++) {
        double value = snw_angles_at(columns, f, c);
        if (!isfinite(value)) continue;
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
    return range[0] <= range[1];
}

static void print_ranges(const kinetics_job *job)
{
    const snw_angles *columns = &job->kinetics->columns;
    printf("%-36s %9s %9s\n", "N m/kg, W/kg, N/kg, m", "least", "greatest");
    for (int c = 0; c < columns->column_count; c++) {
        double range[2];
        if (column_range(columns, c, range))
            printf("%-36s %9.3f %9.3f\n", columns->column[c].name, range[0], range[1]);
    }
    if (isfinite(job->kinetics->residual))
        printf("residual force at the pelvis: %.0f N (rms), where both feet are known\n",
               job->kinetics->residual);
}

static void print_json(const kinetics_job *job)
{
    const snw_kinetics *kinetics = job->kinetics;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_verdict(&json, &job->judgements);
    cli_json_number(&json, "mass_kg", kinetics->mass);
    cli_json_number(&json, "cutoff_hz", kinetics->cutoff);
    cli_json_number(&json, "residual_n", kinetics->residual);
    cli_json_array(&json, "contacts");
    for (int n = 0; n < kinetics->contact_count; n++) {
        const snw_plate_contact *contact = kinetics->contact + n;
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "plate", contact->plate + 1);
        cli_json_string(&json, "side", contact->side < 0 ? "" : kinetics_side[contact->side]);
        cli_json_number(&json, "start_s", snw_trial_time(job->trial, contact->first));
        cli_json_number(&json, "end_s", snw_trial_time(job->trial, contact->last));
        cli_json_boolean(&json, "whole", contact->is_whole);
        cli_json_string(&json, "why", contact->why);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_array(&json, "columns");
    for (int c = 0; c < kinetics->columns.column_count; c++) {
        double range[2];
        if (!column_range(&kinetics->columns, c, range)) continue;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", kinetics->columns.column[c].name);
        cli_json_numbers(&json, "least_greatest", range, 2);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

/* ---- running --------------------------------------------------------------------------------- */

static int measure_and_tell(kinetics_job *job)
{
    const cli_arguments *arguments = job->arguments;
    const char *out = cli_value(arguments, "--output", NULL);
    const char *cycles = cli_value(arguments, "--cycles", NULL);
    int status = cli_judge_capture(arguments, job->trial, &job->judgements);
    if (status != CLI_DONE) return status;
    cli_print_verdict(arguments, &job->judgements);
    status = measure(job);
    if (status == CLI_DONE && out && snw_format_from_name(out) != SNW_FORMAT_CSV)
        return cli_misuse(arguments, "%s: kinetics go to .csv", out);
    if (status == CLI_DONE && out) status = cli_write_whole(arguments, out, draw_csv, job);
    if (status == CLI_DONE && cycles && job->strides->count == 0)
        return cli_fail(arguments, "%s has no whole stride: there is no mean cycle",
                        arguments->operand[0]);
    if (status == CLI_DONE && cycles) status = cli_write_whole(arguments, cycles, draw_cycles, job);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(job);
    else if (status == CLI_DONE && !out)
        print_ranges(job);
    return status;
}

static void fill_row(const kinetics_job *job, cli_row *row)
{
    cli_row_take_trial(row, job->trial);
    snw_format(row->verdict, sizeof row->verdict, "%s", snw_verdict_name(job->judgements.verdict));
}

static int run_kinetics(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"csv", false, snw_format_reads_trial};
    static const char *const outputs[] = {"--output", "--cycles", NULL};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    const char *still = cli_value(arguments, "--static", NULL);
    kinetics_job job;
    memset(&job, 0, sizeof job);
    job.arguments = arguments;
    int status = cli_check_output_options(arguments, outputs);
    if (status != CLI_DONE) return status;
    status = CLI_FAILED;
    job.trial = cli_read_capture(arguments, arguments->operand[0], NULL);
    if (job.trial && still) job.still = cli_read_capture(arguments, still, NULL);
    if (job.trial && (!still || job.still)) status = measure_and_tell(&job);
    if (status == CLI_DONE && arguments->row) fill_row(&job, arguments->row);
    snw_strides_destroy(job.strides);
    snw_gait_events_destroy(job.events);
    snw_kinetics_destroy(job.kinetics);
    snw_trial_destroy(job.still);
    snw_trial_destroy(job.trial);
    return status;
}

static const cli_option kinetics_options[] = {
    {"--output", "-o", "FILE", "every frame; .csv. Without it: the ranges"},
    {"--cycles", NULL, "FILE", "mean cycle of every column, 0 to 100 %, with deviation; .csv"},
    {"--static", NULL, "FILE", "a trial of the same person standing still"},
    {"--mass", NULL, "KG", "of the person (default: the file's BodyMass)"},
    {"--cutoff", NULL, "HZ", "low pass over markers and forces alike (default 10)"},
    CLI_LENIENT_OPTION,
    CLI_UP_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_TO_OPTION,
    CLI_JOBS_OPTION,
    CLI_SHARD_OPTION,
    CLI_FILES_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_kinetics_command = {
    "kinetics",
    "moments, powers and forces in hips, knees and ankles",
    "IN | FOLDER | FILES...",
    "Inverse dynamics from the gait model's segments, the person's mass and the force plates: "
    "internal\n"
    "moments in N m/kg, powers in W/kg, joint forces in N/kg, in the distal segment's axes; the "
    "centre\n"
    "of mass in metres. Empty where a foot stands and no plate carries it alone and whole; why a "
    "plate\n"
    "is not used is said.\n\n"
    "examples:\n"
    "  sinew kinetics steps.c3d --mass 72 -o kinetics.csv\n"
    "  sinew kinetics steps.c3d --static standing.c3d --mass 72 --cycles cycles.csv",
    kinetics_options,
    1,
    CLI_OPERANDS_MAX,
    run_kinetics,
};

/* `sinew kinetics`: moments, powers and forces in the joints of the legs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "output.h"
#include "verdict.h"
#include "walk.h"

typedef struct kinetics_job {
    cli_walk walk;
    snw_kinetics *kinetics;
    snw_gait_events *events;
    snw_strides *strides;
} kinetics_job;

static int measure(kinetics_job *job)
{
    const cli_arguments *arguments = job->walk.arguments;
    snw_gait_options model_options = snw_gait_options_default();
    snw_kinetics_options options = snw_kinetics_options_default();
    snw_functional functional;
    snw_gait_model model;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    const char *axes = cli_value(arguments, "--axes", "distal");
    const char *inertia = cli_value(arguments, "--inertia", "dempster");
    int found = snw_moment_axes_find(axes);
    options.axes = (snw_moment_axes)found;
    options.is_inertia_pig = strcmp(inertia, "pig") == 0;
    options.zeroes_plates = cli_flag(arguments, "--zero-plates");
    if (found < 0)
        return cli_misuse(arguments, "there are no axes %s; there are distal, proximal, joint",
                          axes);
    if (!options.is_inertia_pig && strcmp(inertia, "dempster") != 0)
        return cli_misuse(arguments, "there is no inertia %s; there are dempster, pig", inertia);
    if (!cli_number(arguments, "--mass", 5, 300, &options.mass) ||
        !cli_number(arguments, "--cutoff", 1, 1000, &options.cutoff))
        return CLI_USAGE;
    int code = cli_walk_functional(&job->walk, &functional);
    if (code == CLI_DONE) code = cli_walk_measures(&job->walk, &model_options.subject);
    if (code != CLI_DONE) return code;
    model_options.functional = &functional;
    snw_status status = snw_gait_model_make(job->walk.trial, job->walk.still, &model_options,
                                            &model, &notes, &error);
    cli_print_notes(arguments, &notes);
    if (status == SNW_OK)
        status =
            snw_kinetics_measure(job->walk.trial, &model, &options, NULL, &job->kinetics, &error);
    if (status == SNW_OK)
        status = snw_gait_events_find(job->walk.trial, NULL, NULL, &job->events, NULL, &error);
    if (status == SNW_OK)
        status = snw_strides_measure(job->walk.trial, job->events, NULL, &job->strides, &error);
    if (status != SNW_OK)
        return cli_fail(arguments, "%s: %s%s", arguments->operand[0], error.message,
                        strstr(error.message, "mass is not known") ? " (--mass KG)" : "");
    cli_note(arguments,
             "markers and forces low-passed at %g Hz, without delay; mass %g kg; internal moments "
             "in the %s axes; radii of gyration %s",
             job->kinetics->cutoff, job->kinetics->mass,
             options.axes == SNW_MOMENT_JOINT      ? "joint's"
             : options.axes == SNW_MOMENT_PROXIMAL ? "proximal segment's"
                                                   : "distal segment's",
             options.is_inertia_pig ? "as Plug-in-Gait takes them" : "by Dempster");
    for (int n = 0; n < job->kinetics->contact_count; n++) {
        const snw_plate_contact *contact = job->kinetics->contact + n;
        if (!contact->is_whole)
            cli_note(arguments, "plate %d, %.2f to %.2f s, is not used: %s", contact->plate + 1,
                     snw_trial_time(job->walk.trial, contact->first),
                     snw_trial_time(job->walk.trial, contact->last), contact->why);
    }
    return CLI_DONE;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool draw_csv(FILE *out, const void *context)
{
    const kinetics_job *job = context;
    cli_put_columns(&job->kinetics->columns, job->walk.trial, out);
    return true;
}

static bool draw_cycles(FILE *out, const void *context)
{
    const kinetics_job *job = context;
    return cli_put_cycles(&job->kinetics->columns, job->strides, out);
}

static int write_c3d(const kinetics_job *job, const char *path)
{
    snw_trial *with = NULL;
    snw_error error;
    snw_status status = snw_kinetics_to_trial(job->kinetics, job->walk.trial, NULL, &with, &error);
    return cli_walk_write(&job->walk, path, with, status, &error);
}

static int write_output(const kinetics_job *job, const char *path)
{
    switch (snw_format_from_name(path)) {
    case SNW_FORMAT_CSV:
        return cli_write_whole(job->walk.arguments, path, draw_csv, job);
    case SNW_FORMAT_MOT:
        return cli_write_columns(&job->walk, &job->kinetics->columns, false, path);
    case SNW_FORMAT_C3D:
        return write_c3d(job, path);
    default:
        return cli_misuse(job->walk.arguments, "%s: kinetics go to .csv, .sto, .mot or .c3d", path);
    }
}

/* ---- telling --------------------------------------------------------------------------------- */

static void print_ranges(const kinetics_job *job)
{
    const snw_angles *columns = &job->kinetics->columns;
    printf("%-36s %9s %9s\n", "N m/kg, W/kg, N/kg, m", "least", "greatest");
    for (int c = 0; c < columns->column_count; c++) {
        double range[3];
        if (cli_column_range(columns, c, range))
            printf("%-36s %9.3f %9.3f\n", columns->column[c].name, range[0], range[1]);
    }
    if (isfinite(job->kinetics->residual))
        printf("residual force at the pelvis: %.0f N (rms), where both feet are known\n",
               job->kinetics->residual);
}

/* Mean work of a column over its side's strides; false: it is no power, or no stride is whole. */
static bool mean_work(const kinetics_job *job, int column, double work[2])
{
    const char *name = job->kinetics->columns.column[column].name;
    int count = 0;
    work[0] = work[1] = 0;
    if (!strstr(name, "_power")) return false;
    for (int n = 0; n < job->strides->count; n++) {
        const snw_stride *stride = job->strides->stride + n;
        double one[2];
        if (!cli_is_in_cycles(name, (int)stride->side) ||
            !snw_stride_work(&job->kinetics->columns, column, stride, one))
            continue;
        work[0] += one[0];
        work[1] += one[1];
        count++;
    }
    work[0] /= count ? count : 1;
    work[1] /= count ? count : 1;
    return count > 0;
}

static void print_work(const kinetics_job *job)
{
    bool is_first = true;
    for (int c = 0; c < job->kinetics->columns.column_count; c++) {
        double work[2];
        if (!mean_work(job, c, work)) continue;
        if (is_first) printf("\n%-36s %9s %9s\n", "work, J/kg per stride", "done", "taken");
        is_first = false;
        printf("%-36s %9.3f %9.3f\n", job->kinetics->columns.column[c].name, work[0], work[1]);
    }
}

static void print_json(const kinetics_job *job)
{
    const snw_kinetics *kinetics = job->kinetics;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_verdict(&json, &job->walk.judgements);
    cli_json_number(&json, "mass_kg", kinetics->mass);
    cli_json_number(&json, "cutoff_hz", kinetics->cutoff);
    cli_json_number(&json, "residual_n", kinetics->residual);
    cli_json_array(&json, "contacts");
    for (int n = 0; n < kinetics->contact_count; n++) {
        const snw_plate_contact *contact = kinetics->contact + n;
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "plate", contact->plate + 1);
        cli_json_string(&json, "side",
                        contact->side == SNW_SIDE_NONE ? "" : cli_side_name[contact->side]);
        cli_json_number(&json, "start_s", snw_trial_time(job->walk.trial, contact->first));
        cli_json_number(&json, "end_s", snw_trial_time(job->walk.trial, contact->last));
        cli_json_boolean(&json, "whole", contact->is_whole);
        cli_json_string(&json, "why", contact->why);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_array(&json, "columns");
    for (int c = 0; c < kinetics->columns.column_count; c++) {
        double range[3];
        if (!cli_column_range(&kinetics->columns, c, range)) continue;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", kinetics->columns.column[c].name);
        cli_json_numbers(&json, "least_greatest", range, 2);
        double work[2];
        if (mean_work(job, c, work)) cli_json_numbers(&json, "work_done_taken", work, 2);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

/* ---- running --------------------------------------------------------------------------------- */

static int measure_and_tell(kinetics_job *job)
{
    const cli_arguments *arguments = job->walk.arguments;
    const char *out = cli_value(arguments, "--output", NULL);
    const char *cycles = cli_value(arguments, "--cycles", NULL);
    int status = cli_walk_judge(&job->walk);
    if (status == CLI_DONE) status = measure(job);
    if (status == CLI_DONE && out) status = write_output(job, out);
    if (status == CLI_DONE && cycles && job->strides->count == 0)
        return cli_fail(arguments, "%s has no whole stride: there is no mean cycle",
                        arguments->operand[0]);
    if (status == CLI_DONE && cycles) status = cli_write_whole(arguments, cycles, draw_cycles, job);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(job);
    else if (status == CLI_DONE && !out)
        print_ranges(job);
    if (status == CLI_DONE && !out && !cli_flag(arguments, "--json")) print_work(job);
    return status;
}

static int run_kinetics(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"csv", false, snw_format_reads_trial, false};
    static const char *const outputs[] = {"--output", "--cycles", NULL};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    static kinetics_job job; /* its judgements: 26 kB */
    memset(&job, 0, sizeof job);
    int status = cli_walk_read(&job.walk, arguments, outputs, cli_read_capture);
    if (status == CLI_DONE) status = measure_and_tell(&job);
    if (status == CLI_DONE) cli_walk_fill_row(&job.walk);
    snw_strides_destroy(job.strides);
    snw_gait_events_destroy(job.events);
    snw_kinetics_destroy(job.kinetics);
    cli_walk_release(&job.walk);
    return status;
}

static const cli_option kinetics_options[] = {
    {"--output", "-o", "FILE", "every frame; .csv, .sto, .mot, .c3d. Without it: the ranges"},
    {"--cycles", NULL, "FILE", "mean cycle of every column, 0 to 100 %, with deviation; .csv"},
    CLI_MODEL_OPTIONS,
    {"--mass", NULL, "KG", "of the person (default: the file's BodyMass)"},
    {"--cutoff", NULL, "HZ", "low pass over markers and forces alike (default 15)"},
    {"--zero-plates", NULL, NULL, "take off the mean of frames FORCE_PLATFORM:ZERO"},
    {"--axes", NULL, "NAME", "of the moments: distal (default), proximal, joint"},
    {"--inertia", NULL, "NAME", "dempster (default), or pig: as Plug-in-Gait, which is too large"},
    CLI_LENIENT_OPTION,
    CLI_UP_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_MANY_OPTIONS,
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

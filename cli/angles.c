/* `sinew angles`: clinical joint angles of a capture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "angles_osim.h"
#include "input.h"
#include "output.h"
#include "verdict.h"
#include "walk.h"

typedef struct angles_job {
    cli_walk walk; /* judgements: of the capture and of the angles */
    snw_functional functional;
    snw_gait_model model;
    bool has_model; /* false: functional */
    snw_angles *angles;
} angles_job;

/* ---- options -------------------------------------------------------------------------------- */

/* --parameter LKneeWidth=105 */
static int take_parameters(const cli_arguments *arguments, snw_subject *subject)
{
    const char *text;
    for (int n = 0; (text = cli_value_at(arguments, "--parameter", n)); n++) {
        char name[64];
        const char *equals = strchr(text, '=');
        double value;
        snw_error error;
        if (!equals || equals == text || equals - text >= (int)sizeof name ||
            !cli_number_list(equals + 1, 1, &value))
            return cli_misuse(arguments, "--parameter takes NAME=NUMBER, as in LKneeWidth=105");
        memcpy(name, text, (size_t)(equals - text));
        name[equals - text] = 0;
        if (snw_subject_set(subject, name, value, &error) != SNW_OK)
            return cli_misuse(arguments, "--parameter: %s", error.message);
    }
    return CLI_DONE;
}

static int take_options(const cli_arguments *arguments, snw_angle_convention convention,
                        snw_gait_options *options)
{
    bool is_pig = convention == SNW_ANGLES_PIG;
    const char *hip = cli_value(arguments, "--hip", is_pig ? "davis" : "harrington");
    *options = snw_gait_options_default();
    options->is_medial_used = !is_pig;
    bool is_functional = strcmp(hip, "functional") == 0;
    if (is_functional) hip = "harrington"; /* of a side that did not move */
    if (is_functional && !cli_flag(arguments, "--functional"))
        return cli_misuse(arguments, "--hip functional needs a trial: --functional FILE");
    int regression = snw_hip_regression_find(hip);
    options->is_foot_tilted = cli_flag(arguments, "--no-flat-foot");
    if (regression < 0)
        return cli_misuse(arguments,
                          "there is no hip %s; there are davis, harrington, bell, functional", hip);
    options->hip = (snw_hip_regression)regression;
    return CLI_DONE;
}

/* ---- measuring ------------------------------------------------------------------------------ */

static bool has_medial_knee(const snw_gait_markers *markers)
{
    return markers->at[SNW_GAIT_MARKER_KNM][0] >= 0 || markers->at[SNW_GAIT_MARKER_KNM][1] >= 0;
}

static bool has_wand(const snw_gait_markers *markers)
{
    return markers->at[SNW_GAIT_MARKER_THI][0] >= 0 || markers->at[SNW_GAIT_MARKER_THI][1] >= 0;
}

/* Without --convention: Plug-in-Gait's where the knees have no medial marker, since ISB's axes need
 * one; functional where the gait model's markers are not there, or no knee has an axis. */
static snw_angle_convention usual_convention(const angles_job *job)
{
    snw_gait_markers markers;
    snw_gait_markers_find(job->walk.trial, &markers);
    if (!snw_gait_markers_suffice(&markers)) return SNW_ANGLES_FUNCTIONAL;
    if (has_medial_knee(&markers)) return SNW_ANGLES_ISB;
    if (has_wand(&markers)) return SNW_ANGLES_PIG;
    cli_note(job->walk.arguments,
             "pig and isb would tell the pelvis alone: there is no wand on a thigh (THI) and no "
             "medial marker on a knee (KNM)");
    return SNW_ANGLES_FUNCTIONAL;
}

static int choose_convention(const angles_job *job, snw_angle_convention *convention)
{
    const char *name = cli_value(job->walk.arguments, "--convention", NULL);
    if (!name) {
        *convention = usual_convention(job);
        cli_note(job->walk.arguments, "convention %s (%s)", snw_angle_convention_name(*convention),
                 snw_angle_convention_text(*convention));
        return CLI_DONE;
    }
    int found = snw_angle_convention_find(name);
    if (found < 0)
        return cli_misuse(job->walk.arguments,
                          "there is no convention %s; there are isb, pig, opensim, gait2392, "
                          "functional",
                          name);
    *convention = (snw_angle_convention)found;
    return CLI_DONE;
}

/* The markers are ready but for their labels. */
static int measure_functional(angles_job *job)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    snw_error error;
    options.keeps_zeros = options.skips_join = options.skips_recognition = true;
    options.part = 1;
    snw_status status = snw_solve(job->walk.trial, &options, NULL, &solution, &error);
    if (status == SNW_OK)
        status = snw_angles_from_motion(solution->body->motion, NULL, &job->angles, &error);
    snw_solution_destroy(solution);
    return status == SNW_OK ? CLI_DONE : cli_walk_fail(&job->walk, &error);
}

static int measure_markers(angles_job *job, snw_angle_convention convention)
{
    snw_gait_options options;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    int status = take_options(job->walk.arguments, convention, &options);
    if (status == CLI_DONE) status = cli_walk_measures(&job->walk, &options.subject);
    if (status == CLI_DONE) status = take_parameters(job->walk.arguments, &options.subject);
    if (status == CLI_DONE) status = cli_walk_functional(&job->walk, &job->functional);
    if (status != CLI_DONE) return status;
    options.functional = &job->functional;
    if (snw_gait_model_make(job->walk.trial, job->walk.still, &options, &job->model, &notes,
                            &error) != SNW_OK ||
        snw_angles_measure(job->walk.trial, &job->model, convention, NULL, &job->angles, &error) !=
            SNW_OK)
        return cli_walk_fail(&job->walk, &error);
    job->has_model = true;
    cli_print_notes(job->walk.arguments, &notes);
    return CLI_DONE;
}

static int add_velocity(angles_job *job)
{
    snw_angles *both = NULL;
    snw_error error;
    if (snw_angles_with_velocity(job->angles, NULL, &both, &error) != SNW_OK)
        return cli_fail(job->walk.arguments, "%s", error.message);
    snw_angles_destroy(job->angles);
    job->angles = both;
    return CLI_DONE;
}

static int measure_by(angles_job *job, snw_angle_convention convention)
{
    return convention == SNW_ANGLES_FUNCTIONAL ? measure_functional(job)
                                               : measure_markers(job, convention);
}

/* Angles that no person has by a convention that nobody asked for: wands in front of the thigh, as
 * some sets have them, and the like. Functional ones where they are better. */
static int try_functional(angles_job *job, snw_judgements *judged)
{
    snw_angles *first = job->angles;
    static snw_judgements better; /* 26 kB: not on a stack */
    memset(&better, 0, sizeof better);
    job->angles = NULL;
    if (measure_by(job, SNW_ANGLES_FUNCTIONAL) == CLI_DONE) snw_angles_judge(job->angles, &better);
    if (!job->angles || better.verdict >= judged->verdict) {
        snw_angles_destroy(job->angles);
        job->angles = first;
        return CLI_DONE;
    }
    cli_note(job->walk.arguments, "%s gives angles that nobody has (%s): functional ones instead",
             snw_angle_convention_name(first->convention), judged->item[0].sentence);
    snw_angles_destroy(first);
    job->has_model = false;
    *judged = better;
    return CLI_DONE;
}

static int measure(angles_job *job)
{
    snw_angle_convention convention = SNW_ANGLES_FUNCTIONAL;
    static snw_judgements judged; /* 26 kB: not on a stack */
    memset(&judged, 0, sizeof judged);
    int status = cli_walk_judge(&job->walk);
    if (status != CLI_DONE) return status;
    status = choose_convention(job, &convention);
    if (status == CLI_DONE) status = measure_by(job, convention);
    if (status != CLI_DONE) return status;
    snw_angles_judge(job->angles, &judged);
    if (judged.verdict == SNW_VERDICT_RED && job->has_model &&
        !cli_flag(job->walk.arguments, "--convention"))
        status = try_functional(job, &judged);
    cli_print_verdict(job->walk.arguments, &judged);
    for (int n = 0; n < judged.count; n++)
        snw_judgements_add(&job->walk.judgements, judged.item + n);
    if (status == CLI_DONE && cli_flag(job->walk.arguments, "--velocity"))
        status = add_velocity(job);
    return status;
}

/* ---- telling -------------------------------------------------------------------------------- */

static bool draw_csv(FILE *out, const void *context)
{
    const angles_job *job = context;
    cli_put_columns(job->angles, job->walk.trial, out);
    return true;
}

static int write_c3d(const angles_job *job, const char *path)
{
    snw_trial *with = NULL;
    snw_error error;
    snw_status status = snw_angles_to_trial(job->angles, job->walk.trial, NULL, &with, &error);
    return cli_walk_write(&job->walk, path, with, status, &error);
}

/* walk.mot has walk.osim beside it. */
static bool model_path(const char *path, char out[1024])
{
    const char *dot = strrchr(path, '.');
    int length = dot ? (int)(dot - path) : (int)strlen(path);
    return snw_format(out, 1024, "%.*s.osim", length, path) < 1024;
}

static bool has_coordinates(snw_angle_convention convention)
{
    return convention == SNW_ANGLES_OPENSIM || convention == SNW_ANGLES_GAIT2392;
}

static int write_opensim(const angles_job *job, const char *path)
{
    char beside[1024];
    const char *const model = beside;
    bool has_model = has_coordinates(job->angles->convention);
    if (!model_path(path, beside))
        return cli_fail(job->walk.arguments, "%s: the name is too long", path);
    int status = has_model ? cli_check_outputs(job->walk.arguments, &model, 1) : CLI_DONE;
    if (status == CLI_DONE) status = cli_write_columns(&job->walk, job->angles, true, path);
    if (status != CLI_DONE || !has_model) return status;
    return cli_write_osim(job->walk.arguments, beside, job->walk.trial, &job->model,
                          job->angles->convention == SNW_ANGLES_GAIT2392);
}

static int write_output(const angles_job *job, const char *path)
{
    switch (snw_format_from_name(path)) {
    case SNW_FORMAT_CSV:
        return cli_write_whole(job->walk.arguments, path, draw_csv, job);
    case SNW_FORMAT_MOT:
        return write_opensim(job, path);
    case SNW_FORMAT_C3D:
        return write_c3d(job, path);
    default:
        return cli_misuse(job->walk.arguments, "%s: angles go to .csv, .mot, .sto or .c3d", path);
    }
}

static void print_ranges(const snw_angles *angles)
{
    printf("%-28s %9s %9s %9s %7s\n", "degrees", "least", "greatest", "mean", "known");
    for (int c = 0; c < angles->column_count; c++) {
        double range[3];
        int known = cli_column_range(angles, c, range);
        if (!known) continue;
        printf("%-28s %9.2f %9.2f %9.2f %6.1f%%\n", angles->column[c].name, range[0], range[1],
               range[2], 100.0 * known / angles->frame_count);
    }
}

static void json_subject(cli_json *json, const snw_subject *subject)
{
    static const char *const side_name[2] = {"L", "R"};
    cli_json_array(json, "subject");
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++) {
        bool is_paired = snw_subject_is_paired((snw_subject_parameter)p);
        for (int side = 0; side <= (int)is_paired; side++) {
            char name[64];
            snw_format(name, sizeof name, "%s%s", is_paired ? side_name[side] : "",
                       snw_subject_parameter_name((snw_subject_parameter)p));
            cli_json_object(json, NULL);
            cli_json_string(json, "name", name);
            cli_json_number(json, "value", subject->value[p][side]);
            cli_json_string(json, "source",
                            snw_subject_source_name((snw_subject_source)subject->source[p][side]));
            cli_json_end_object(json);
        }
    }
    cli_json_end_array(json);
}

static void print_json(const angles_job *job)
{
    const snw_angles *angles = job->angles;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_verdict(&json, &job->walk.judgements);
    cli_json_string(&json, "convention", snw_angle_convention_name(angles->convention));
    cli_json_integer(&json, "frames", angles->frame_count);
    cli_json_number(&json, "rate", angles->rate);
    cli_json_number(&json, "start_s", snw_trial_time(job->walk.trial, 0));
    if (job->has_model) json_subject(&json, &job->model.subject);
    cli_json_array(&json, "columns");
    for (int c = 0; c < angles->column_count; c++) {
        double range[3] = {0, 0, 0};
        int known = cli_column_range(angles, c, range);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", angles->column[c].name);
        cli_json_numbers(&json, "least_greatest_mean", range, 3);
        cli_json_integer(&json, "known_frames", known);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

/* ---- running -------------------------------------------------------------------------------- */

static int run_angles(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"csv", false, snw_format_reads_trial, false};
    static const char *const outputs[] = {"--output", NULL};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    static angles_job job; /* its judgements: 26 kB */
    const char *out = cli_value(arguments, "--output", NULL);
    memset(&job, 0, sizeof job);
    int status = cli_walk_read(&job.walk, arguments, outputs, cli_read_markers);
    if (status == CLI_DONE) status = cli_filter_trial(arguments, &job.walk.trial);
    if (status == CLI_DONE) status = measure(&job);
    if (status == CLI_DONE && out) status = write_output(&job, out);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(&job);
    else if (status == CLI_DONE && !out)
        print_ranges(job.angles);
    if (status == CLI_DONE) cli_walk_fill_row(&job.walk);
    snw_angles_destroy(job.angles);
    cli_walk_release(&job.walk);
    return status;
}

static const cli_option angles_options[] = {
    {"--output", "-o", "FILE", ".csv, .mot (with an .osim), .sto, .c3d; without it: the ranges"},
    CLI_MODEL_OPTIONS,
    {"--convention", NULL, "NAME", "isb, pig, opensim, gait2392, functional"},
    {"--parameter", NULL, "NAME=N", "a measure of the subject: LKneeWidth=105 (mm, degrees, kg)"},
    {"--hip", NULL, "NAME",
     "hip by regression: davis (default of pig), harrington (of others), bell; functional"},
    {"--no-flat-foot", NULL, NULL, "the heel marker of the static counts at its own height"},
    {"--velocity", NULL, NULL, "rates behind the angles, degrees per second"},
    CLI_FILTER_OPTION,
    CLI_LENIENT_OPTION,
    CLI_NO_JOIN_OPTION,
    CLI_NO_RECOGNISE_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_UP_OPTION,
    CLI_MANY_OPTIONS,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_angles_command = {
    "angles",
    "clinical joint angles by ISB, Plug-in-Gait or OpenSim",
    "IN | FOLDER | FILES...",
    "columns: time, then SIDE_JOINT_PLANE in degrees: left_knee_flexion, right_hip_abduction, ...\n"
    "Flexion, abduction and internal rotation are positive on both sides, dorsiflexion too.\n\n"
    "Without --convention: pig where the gait model's markers are there, isb where the knees have\n"
    "medial markers as well, else functional (from the solved body's own axes). With opensim and\n"
    "gait2392 a .mot has the person's model beside it, OUT.osim. Measures of the\n"
    "subject come from --parameter, the file, the static, the markers, in this order; what was "
    "not\n"
    "measured is said. --json tells every value with its source.\n\n"
    "examples:\n"
    "  sinew angles walk.c3d --static standing.c3d -o angles.csv\n"
    "  sinew angles walk.c3d --convention opensim -o walk.mot\n"
    "  sinew angles walk.c3d --parameter LKneeWidth=105 --parameter RKneeWidth=104 --velocity",
    angles_options,
    1,
    CLI_OPERANDS_MAX,
    run_angles,
};

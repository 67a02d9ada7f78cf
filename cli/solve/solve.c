/* `sinew solve`: from a capture to a moving skeleton. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "report/report.h"
#include "rig.h"
#include "shape/figure.h"
#include "solve/solve.h"
#include "text.h"
#include "views/views.h"

/* ---- what is asked for --------------------------------------------------------------------- */

/* What the words of the command line ask of the solve, and the files that they name. */
typedef struct solve_request {
    snw_solve_options options;
    snw_center_method method;
    snw_actor *actor;
    snw_trial *still; /* --static; NULL */
    snw_style *style;
    char *set, *correlation; /* texts of --markerset */
    solve_clock clock;
    snw_allocator counted; /* where the clock runs */
} solve_request;

static void release_request(solve_request *asked)
{
    snw_actor_destroy(asked->actor);
    snw_trial_destroy(asked->still);
    snw_style_destroy(asked->style);
    free(asked->set);
    free(asked->correlation);
    free(asked->clock.seconds);
}

/* The set that a correlation file names lies beside it. */
static void path_beside(const char *path, const char *name, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    snw_format(out, size, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name);
}

static int read_set(const cli_arguments *arguments, const char *path, solve_request *asked)
{
    char name[SNW_LABEL_SIZE], beside[1024];
    snw_text *set = &asked->options.marker_set;
    asked->set = cli_read_whole(path, &set->size);
    if (!asked->set) return cli_fail(arguments, "%s could not be read", path);
    set->bytes = asked->set;
    if (!snw_correlation_set_name(*set, name)) return CLI_DONE;
    asked->options.correlation = *set;
    path_beside(path, name, beside, sizeof beside);
    asked->correlation = asked->set;
    asked->set = cli_read_whole(beside, &set->size);
    set->bytes = asked->set;
    return asked->set ? CLI_DONE : cli_fail(arguments, "%s could not be read", beside);
}

static int choose_method(const cli_arguments *arguments, solve_request *asked)
{
    const char *name = cli_value(arguments, "--method", "auto");
    if (strcmp(name, "auto") == 0) return CLI_DONE;
    int method = snw_center_method_find(name);
    if (method >= 0) {
        asked->method = (snw_center_method)method;
        asked->options.method = &asked->method;
        return CLI_DONE;
    }
    char known[256] = "auto";
    for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++) {
        size_t length = strlen(known);
        snw_format(known + length, sizeof known - length, ", %s",
                   snw_center_method_name((snw_center_method)m));
    }
    return cli_misuse(arguments, "there is no method \"%s\" for joint centres; there are %s", name,
                      known);
}

static int choose_steps(const cli_arguments *arguments, solve_request *asked)
{
    snw_solve_options *options = &asked->options;
    int64_t part = 0;
    const char *method = cli_value(arguments, "--segments", "auto");
    int segments = snw_segment_method_find(method);
    if (segments < 0)
        return cli_misuse(arguments, "there is no way to find segments called \"%s\"", method);
    *options = cli_prepare_options(arguments);
    options->segment_method = (snw_segment_method)segments;
    options->keeps_slips = cli_flag(arguments, "--keep-slips");
    options->is_live = cli_flag(arguments, "--realtime");
    options->is_smooth = cli_flag(arguments, "--smooth");
    options->root = cli_value(arguments, "--root", NULL);
    if (!cli_integer(arguments, "--part", 1, 1000, &part) ||
        !cli_number(arguments, "--calibrate", 0.01, 1e6, &options->calibrate_seconds))
        return CLI_USAGE;
    options->part = (int)part;
    return choose_method(arguments, asked);
}

/* Files that the solve needs besides the capture. */
static int read_files(const cli_arguments *arguments, solve_request *asked)
{
    const char *set = cli_value(arguments, "--markerset", NULL);
    const char *actor = cli_value(arguments, "--actor", NULL);
    const char *style = cli_value(arguments, "--style", NULL);
    if (style && !(asked->style = cli_read_style(arguments, style))) return CLI_FAILED;
    if (actor && !(asked->actor = cli_read_actor(arguments, actor))) return CLI_FAILED;
    asked->options.style = asked->clock.style = asked->style;
    asked->options.actor = asked->actor;
    const char *still = cli_value(arguments, "--static", NULL);
    if (still && !(asked->still = cli_read_capture(arguments, still, NULL))) return CLI_FAILED;
    asked->options.still = asked->still;
    return set ? read_set(arguments, set, asked) : CLI_DONE;
}

/* ---- what is done -------------------------------------------------------------------------- */

static int save_actor(const cli_arguments *arguments, const solve_job *job)
{
    char buffer[SOLVE_PATH_SIZE];
    const char *path = cli_solve_path(arguments, job, "--save-actor", buffer);
    return path ? cli_write_actor(arguments, path, job->body->kept) : CLI_DONE;
}

static bool draw_moments(FILE *out, const void *context)
{
    return cli_report_moments(context, out);
}

/* The report, the picture and the comparison with the truth, as far as they are asked for. */
static int tell_more(const cli_arguments *arguments, solve_job *job)
{
    char report_buffer[SOLVE_PATH_SIZE], picture_buffer[SOLVE_PATH_SIZE];
    const char *report = cli_solve_path(arguments, job, "--report", report_buffer);
    const char *picture = cli_solve_path(arguments, job, "--svg", picture_buffer);
    const char *truth = cli_value(arguments, "--truth", NULL);
    if (!report && !picture && !truth) return CLI_DONE;
    cli_solution solution = {.arguments = arguments,
                             .is_alone = job->solution->body_count == 1,
                             .path = arguments->operand[0],
                             .trial = job->solution->trial,
                             .actor = job->body->actor,
                             .motion = job->body->motion,
                             .notes = job->notes,
                             .report = &job->body->report,
                             .residuals = job->body->residuals,
                             .judgements = job->body->judgements};
    int code = CLI_DONE;
    if (truth) code = cli_truth_measure(arguments, truth, &solution, &job->truth);
    if (truth) solution.truth = &job->truth;
    if (code == CLI_DONE && report) code = cli_report_write(arguments, report, &solution);
    if (code == CLI_DONE && picture)
        code = cli_write_whole(arguments, picture, draw_moments, &solution);
    return code;
}

static void tell_bodies(const cli_arguments *arguments, const solve_bodies *bodies)
{
    if (cli_flag(arguments, "--json")) {
        cli_solve_json(arguments, bodies);
        return;
    }
    for (int b = 0; b < bodies->count; b++)
        cli_print_notes(arguments, bodies->job[b].notes);
    cli_solve_print(arguments, bodies);
}

/* What one file gives to the table of many. */
static void fill_row(const solve_job *job, cli_row *row)
{
    const snw_solved_body *body = job->body;
    cli_row_take_trial(row, job->solution->trial);
    row->joint_count = body->joint_count;
    row->lost_count = body->report.lost_count;
    row->residual = body->report.residual;
    row->outlier_share = body->report.outlier_share;
    snw_format(row->verdict, sizeof row->verdict, "%s",
               snw_verdict_name(body->judgements->verdict));
    if (body->judgements->verdict != SNW_VERDICT_GREEN)
        snw_format(row->message, sizeof row->message, "%s", body->judgements->item[0].sentence);
    row->uncertain_count = 0;
    for (int j = 1; j < body->joint_count; j++)
        row->uncertain_count += body->actor->estimate[j].is_uncertain;
}

/* A motion most of which is not this body's is written and shown, but it is no success. */
static int refuse_lost(const cli_arguments *arguments, const snw_solved_body *body)
{
    if (body->refusal < 0) return CLI_DONE;
    return cli_fail(arguments, "%s: %s", arguments->operand[0],
                    body->judgements->item[body->refusal].sentence);
}

/* Everything that was asked for, of every body. */
static int write_bodies(const cli_arguments *arguments, solve_bodies *bodies)
{
    int code = cli_solve_check_more(arguments, bodies);
    if (code == CLI_DONE) code = cli_solve_write(arguments, bodies);
    for (int b = 0; b < bodies->count; b++) {
        if (code == CLI_DONE) code = save_actor(arguments, bodies->job + b);
        if (code == CLI_DONE) code = tell_more(arguments, bodies->job + b);
    }
    if (code == CLI_DONE && arguments->row)
        fill_row(bodies->job + bodies->solution->gravest, arguments->row);
    if (code != CLI_DONE) return code;
    tell_bodies(arguments, bodies);
    for (int b = 0; b < bodies->count && code == CLI_DONE; b++)
        code = refuse_lost(arguments, bodies->job[b].body);
    return code;
}

/* An actor is not made again. */
static int check_actor(const cli_arguments *arguments)
{
    static const char *const making[] = {"--calibrate", "--markerset", "--segments",
                                         "--method",    "--root",      "--static"};
    for (size_t n = 0; n < sizeof making / sizeof *making; n++)
        if (cli_flag(arguments, "--actor") && cli_flag(arguments, making[n]))
            return cli_misuse(arguments, "%s makes a skeleton, --actor brings one", making[n]);
    return CLI_DONE;
}

static void release_bodies(solve_bodies *bodies)
{
    for (int b = 0; b < bodies->count; b++)
        cli_truth_release(&bodies->job[b].truth);
    free(bodies->job);
    snw_solution_destroy(bodies->solution);
}

/* A job for each body of the solution; the first tells the notes of the capture. */
static int lay_out_jobs(const cli_arguments *arguments, solve_request *asked,
                        const snw_notes *notes, solve_bodies *bodies)
{
    const snw_solution *solution = bodies->solution;
    bodies->job = calloc((size_t)solution->body_count, sizeof *bodies->job);
    if (!bodies->job) return cli_fail(arguments, "no memory for %d bodies", solution->body_count);
    bodies->count = solution->body_count;
    for (int b = 0; b < bodies->count; b++) {
        solve_job *job = bodies->job + b;
        job->number = b + 1;
        job->solution = solution;
        job->body = solution->body + b;
        job->notes = b ? job->body->notes : notes;
        if ((asked->options.is_live && !cli_solve_judge_times(job, &asked->clock)) ||
            (job->body->smoothing && !cli_solve_sum_smoothing(job)))
            return cli_fail(arguments, "no memory to keep what a body took");
    }
    return CLI_DONE;
}

/* The capture, or with --cameras what the views of the operand show. */
static snw_trial *read_capture(const cli_arguments *arguments, snw_notes *notes,
                               snw_view_sights **sights)
{
    const char *calibration = cli_value(arguments, "--cameras", NULL);
    if (!calibration) return cli_read_trial(arguments, arguments->operand[0], notes);
    snw_view_options options = snw_view_options_default();
    double rate = 60;
    if (!cli_number(arguments, "--camera-rate", 0.001, 1e6, &rate)) return NULL;
    bool is_told = cli_flag(arguments, "--camera-rate"), are_points = cli_are_points(arguments);
    if (are_points && !is_told) rate = 0; /* the file may say it */
    if (!are_points && !is_told)
        cli_note(arguments,
                 "keypoints have no clock: 60 frames per second are assumed (--camera-rate)");
    options.notes = notes;
    options.sights = sights;
    snw_cameras *cameras = cli_read_cameras(arguments, calibration);
    snw_trial *trial = cameras ? cli_triangulate(arguments, cameras, rate, &options) : NULL;
    snw_cameras_destroy(cameras);
    return trial;
}

/* Reads, solves, writes and tells. `notes`: room for those of reading and of the capture. */
static int solve_capture(const cli_arguments *arguments, solve_request *asked, snw_notes *notes)
{
    solve_bodies bodies = {NULL, 0, NULL};
    snw_error error;
    snw_view_sights *sights = NULL;
    snw_trial *trial = read_capture(arguments, notes, &sights);
    if (!trial) return CLI_FAILED;
    asked->options.sights = sights;
    if (asked->options.is_live) {
        asked->counted = cli_counting_allocator(&asked->clock.counter);
        asked->options.step = cli_solve_step;
        asked->options.step_context = &asked->clock;
    }
    snw_status status =
        snw_solve(trial, &asked->options, asked->options.is_live ? &asked->counted : NULL,
                  &bodies.solution, &error);
    snw_trial_destroy(trial);
    snw_view_sights_destroy(sights);
    if (status != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    cli_add_notes(notes, bodies.solution->notes);
    cli_add_notes(notes, bodies.solution->body->notes);
    int code = lay_out_jobs(arguments, asked, notes, &bodies);
    if (code == CLI_DONE) code = write_bodies(arguments, &bodies);
    release_bodies(&bodies);
    return code;
}

static int run_solve(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"bvh", false, snw_format_reads_trial, false};
    bool has_views = cli_flag(arguments, "--cameras");
    if (!has_views && cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    if (cli_flag(arguments, "--smooth") && cli_flag(arguments, "--realtime"))
        return cli_misuse(arguments,
                          "--smooth looks into the future, --realtime does not: one of them");
    if (check_actor(arguments) != CLI_DONE) return CLI_USAGE;
    solve_request asked;
    memset(&asked, 0, sizeof asked);
    snw_notes *notes = calloc(1, sizeof *notes);
    int code = notes ? choose_steps(arguments, &asked) : cli_fail(arguments, "no memory for notes");
    if (code == CLI_DONE) code = cli_solve_check_outputs(arguments);
    if (code == CLI_DONE) code = read_files(arguments, &asked);
    if (code == CLI_DONE) code = solve_capture(arguments, &asked, notes);
    release_request(&asked);
    free(notes);
    return code;
}

static const cli_option solve_options[] = {
    {"--output", "-o", "FILE", "write the motion, or the capture with gaps filled (see below)"},
    {"--segments", NULL, "HOW", "auto, names, rigidity, spectral: which markers move together"},
    {"--markerset", NULL, "FILE", "which labels are on which segment: docs/marker-sets.md"},
    {"--method", "-m", "NAME", "how joints are placed: auto, two-sided, mvm, ... (see centers)"},
    CLI_NO_JOIN_OPTION,
    CLI_NO_RECOGNISE_OPTION,
    CLI_UP_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    {"--keep-slips", NULL, NULL, "leave markers that slip on their segment where they are"},
    {"--root", NULL, "SEGMENT", "the segment from which the skeleton hangs"},
    {"--part", NULL, "N", "one body alone, where a capture holds several (default: all actors)"},
    {"--cameras", NULL, "FILE",
     "IN is a folder of keypoints (sinew triangulate), this their calibration"},
    {"--camera-rate", NULL, "HZ", "with --cameras: frames per second (default: 60)"},
    {"--synchronise", NULL, "S", "with --cameras: they ran freely, by up to S seconds apart"},
    {"--static", NULL, "FILE",
     "the same person standing still: hips, knees, ankles by the gait model"},
    {"--actor", NULL, "FILE", "the skeleton of an earlier trial of the same person"},
    {"--save-actor", NULL, "FILE", "keep the skeleton for the next trial"},
    {"--calibrate", NULL, "SECONDS", "make the skeleton from the start of the trial only"},
    {"--style", NULL, "STYLE",
     "segments that nothing shows: as learn learned them from other trials"},
    {"--realtime", NULL, NULL, "solve frame by frame as if live, and say how long it takes"},
    {"--smooth", NULL, NULL,
     "smooth the motion over the whole trial (default: raw); see docs/see.md"},
    {"--report", "-r", "FILE", "write a page (.html) with charts, verdicts and warnings"},
    {"--svg", NULL, "FILE", "draw the body at several times"},
    {"--truth", NULL, "FILE", "compare with true joint centres, as synth --truth writes them"},
    CLI_RIG_OPTIONS,
    {"--rate", NULL, "HZ", "BVH, GLB, MOT: the motion at this many frames per second"},
    {"--with-markers", NULL, NULL, "GLB: the markers too, as small marks that move"},
    {"--skin", NULL, NULL, "GLB: the person's surface instead of bones (sinew skin)"},
    CLI_FIGURE_OPTIONS,
    CLI_SKIN_OPTIONS,
    CLI_TO_OPTION,
    CLI_JOBS_OPTION,
    CLI_SHARD_OPTION,
    CLI_FILES_OPTION,
    {"--share-actor", NULL, NULL,
     "many files: trials of one person share one skeleton (see below)"},
    {"--force", "-f", NULL, "overwrite files that are there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_solve_command = {
    "solve",
    "find the skeleton in a capture and its motion",
    "IN | FOLDER | FILES...",
    "The ending of the output chooses what is written. .bvh .glb .mot: the skeleton and its "
    "motion;\n"
    "BVH and GLB rest in a T that faces +Z, feet on the floor (docs/blender.md).\n"
    ".c3d .trc .csv: the capture, its gaps filled where the body carries the markers, and every\n"
    "joint's centre as one more point of that name; what was measured stays as it was.\n\n"
    "Several actors: -o out.bvh writes the first to out.bvh, the second to out-2.bvh, and so with\n"
    "--report, --svg and --save-actor; .c3d .trc .csv hold all in one file (Hips, Hips_2). They\n"
    "count in the order of the file; --part N takes one alone, objects and leftovers too.\n\n"
    "Many files: -o, --report, --svg and --save-actor name folders; every file has a line, and "
    "the\n"
    "folder gets sinew-summary.html and .csv, worst first. A run that was stopped goes on where "
    "it\n"
    "was; a file that fails stops no other. --share-actor: files of one folder with the same "
    "marker\n"
    "names are of one person, whose skeleton the longest of them gives.\n\n"
    "examples:\n"
    "  sinew solve walk.c3d -o walk.bvh       skeleton and motion from markers alone\n"
    "  sinew solve walk.c3d -o walk.glb --names mixamo --foot-lock    for an animator\n"
    "  sinew solve walk.c3d -o filled.c3d     the markers without gaps, and joint centres\n"
    "  sinew solve walk.c3d --report walk.html  what to believe of it, for any browser\n"
    "  sinew solve walk.c3d --json            what was found, joint by joint\n"
    "  sinew solve rom.c3d --save-actor joe.actor, then\n"
    "  sinew solve jump.c3d --actor joe.actor -o jump.bvh\n"
    "  sinew solve jump.c3d --actor joe.actor --realtime   what a live session would give\n"
    "  sinew learn hop.c3d --actor joe.actor -o joe.style, then\n"
    "  sinew solve jump.c3d --actor joe.actor --style joe.style -o style.bvh   hidden segments "
    "too\n"
    "  sinew solve study/ -o solved/ --report solved/ --jobs 2    a whole study",
    solve_options,
    1,
    CLI_OPERANDS_MAX,
    run_solve,
};

/* `sinew solve`: from a capture to a moving skeleton. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "report/report.h"
#include "rig.h"
#include "solve/solve.h"
#include "text.h"

static void release_bodies(solve_bodies *bodies)
{
    for (int b = 0; b < bodies->count; b++) {
        solve_job *job = bodies->job + b;
        cli_truth_release(&job->truth);
        snw_residuals_destroy(job->residuals);
        snw_motion_destroy(job->motion);
        snw_actor_destroy(job->actor);
        snw_actor_destroy(job->kept);
        free(job->style_knows);
    }
    snw_style_destroy(bodies->job->style);
    snw_segments_destroy(bodies->job->segments);
    snw_trial_destroy(bodies->job->trial);
    free(bodies->job);
}

/* The set that a correlation file names lies beside it. */
static void path_beside(const char *path, const char *name, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    snw_format(out, size, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name);
}

static snw_status segments_from_files(const char *path, const snw_trial *trial, solve_job *job,
                                      snw_error *error)
{
    snw_status status = SNW_IO;
    char name[SNW_LABEL_SIZE], beside[1024];
    snw_text first = {NULL, 0}, set = {NULL, 0};
    char *text = cli_read_whole(path, &first.size), *more = NULL;
    first.bytes = text;
    bool is_correlation = text && snw_correlation_set_name(first, name);
    if (is_correlation) {
        path_beside(path, name, beside, sizeof beside);
        set.bytes = more = cli_read_whole(beside, &set.size);
    }
    if (!text || (is_correlation && !more)) {
        error->status = SNW_IO;
        snw_format(error->message, sizeof error->message, "%s could not be read",
                   text ? beside : path);
    } else {
        status = snw_segments_from_set(trial, is_correlation ? set : first,
                                       is_correlation ? &first : NULL, NULL, &job->segments, error);
    }
    free(more);
    free(text);
    return status;
}

/* What the words of the command line ask of the calibration. */
static bool actor_options_of(const cli_arguments *arguments, solve_job *job)
{
    int64_t part = 1;
    if (!cli_integer(arguments, "--part", 1, 1000, &part)) return false;
    job->actor_options = snw_actor_options_default();
    job->actor_options.root = cli_value(arguments, "--root", NULL);
    job->actor_options.part = (int)part - 1;
    const char *name = cli_value(arguments, "--method", "auto");
    if (strcmp(name, "auto") == 0) return true;
    if (snw_center_method_from_name(name, &job->method)) {
        job->actor_options.method = &job->method;
        return true;
    }
    char known[256] = "auto";
    for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++) {
        size_t length = strlen(known);
        snw_format(known + length, sizeof known - length, ", %s",
                   snw_center_method_name((snw_center_method)m));
    }
    cli_misuse(arguments, "there is no method \"%s\" for joint centres; there are %s", name, known);
    return false;
}

/* The first --calibrate seconds of the trial, or all of it. */
static bool calibration_part(const cli_arguments *arguments, const snw_trial *trial,
                             snw_trial *part)
{
    double seconds = HUGE_VAL;
    *part = *trial;
    if (!cli_number(arguments, "--calibrate", 0.01, 1e6, &seconds)) return false;
    if (!cli_flag(arguments, "--calibrate")) return true;
    double frames = fmin(ceil(seconds * trial->rate), trial->frame_count);
    *part = snw_trial_window(trial, 0, (int)frames);
    return true;
}

/* Live nobody knows what comes after. */
static bool looks_for_slips(const cli_arguments *arguments)
{
    return !cli_flag(arguments, "--keep-slips") && !cli_flag(arguments, "--realtime");
}

/* Segments and joints from the trial itself, or from its start. */
static snw_status calibrate(const cli_arguments *arguments, const snw_trial *part, solve_job *job,
                            snw_error *error)
{
    snw_segment_options segment_options = snw_segment_options_default();
    segment_options.method =
        (snw_segment_method)snw_segment_method_find(cli_value(arguments, "--segments", "auto"));
    const char *set = cli_value(arguments, "--markerset", NULL);
    job->calibrated = part->rate > 0 ? part->frame_count / part->rate : 0;
    snw_status status =
        job->segments ? SNW_OK : cli_undo_swaps(job->trial, true, &job->notes, error);
    if (status == SNW_OK && !job->segments && looks_for_slips(arguments))
        status = cli_undo_slips(job->trial, &job->slips, error);
    if (status == SNW_OK && !job->segments)
        status = set ? segments_from_files(set, part, job, error)
                     : snw_segments_find(part, &segment_options, NULL, &job->segments, &job->notes,
                                         error);
    if (status == SNW_OK)
        status = snw_actor_calibrate(part, job->segments, &job->actor_options, NULL, &job->actor,
                                     &job->notes, error);
    return status;
}

/* An actor kept from another trial. */
static snw_status load_actor(const char *path, solve_job *job, snw_error *error)
{
    size_t size = 0;
    char *text = cli_read_whole(path, &size);
    if (!text) {
        error->status = SNW_IO;
        snw_format(error->message, sizeof error->message, "%s could not be read", path);
        return SNW_IO;
    }
    snw_status status = snw_actor_parse(text, size, NULL, &job->actor, error);
    free(text);
    return status;
}

static snw_status solve_trial(const cli_arguments *arguments, const snw_trial *part, solve_job *job,
                              snw_error *error)
{
    const char *actor_path = cli_value(arguments, "--actor", NULL);
    snw_status status =
        actor_path ? load_actor(actor_path, job, error) : calibrate(arguments, part, job, error);
    if (status != SNW_OK) return status;
    if (cli_flag(arguments, "--realtime")) return cli_solve_live(job, error);
    snw_tracker_options options = cli_solve_tracker_options(job);
    status =
        snw_actor_solve(job->actor, job->trial, &options, NULL, &job->motion, &job->report, error);
    if (status == SNW_OK && cli_flag(arguments, "--smooth")) status = cli_solve_smooth(job, error);
    return status;
}

/* Where one person in ten that is recognised like this is another, no joint is certain. */
#define SOLVE_UNSURE_JOINTS 0.9

static void doubt_joints(const cli_recognition *told, snw_actor *actor)
{
    if (!told->is_person || told->confidence >= SOLVE_UNSURE_JOINTS) return;
    for (int j = 1; j < actor->skeleton->joint_count; j++) {
        snw_joint_estimate *estimate = actor->estimate + j;
        size_t length = strlen(estimate->verdict);
        estimate->is_uncertain = true;
        snw_format(estimate->verdict + length, sizeof estimate->verdict - length,
                   "; the person is not surely recognised");
    }
}

/* From here on the actor tells of this trial; the one that was calibrated is kept for the next. */
static snw_status describe(solve_job *job, snw_error *error)
{
    snw_actor *told = NULL;
    snw_status status = snw_actor_describe(job->actor, job->motion, NULL, &told, error);
    if (status != SNW_OK) return status;
    job->kept = job->actor;
    job->actor = told;
    doubt_joints(&job->recognition, told);
    return SNW_OK;
}

/* What was left out because no marker does what it does. */
static void judge_computed(const cli_recognition *told, snw_judgements *judgements)
{
    int count = told->computed_count;
    if (!count) return;
    snw_judgement item = {.code = SNW_JUDGEMENT_LEFT_OUT_MARKER,
                          .verdict = SNW_VERDICT_GREEN,
                          .joint = -1,
                          .marker = -1,
                          .frame = -1,
                          .number = count};
    snw_format(item.sentence, sizeof item.sentence,
               "%d unnamed point%s no marker%s: about the origin or away from the body, a "
               "coordinate that never changes, or axes at right angles, as models write angles, "
               "forces and bones",
               count, count == 1 ? " is" : "s are", cli_s(count));
    snw_judgements_add(judgements, &item);
}

/* Between these the person may be another one than told, or may have been declined wrongly. */
#define SOLVE_UNSURE_LEAST 0.05
#define SOLVE_UNSURE_MOST  0.95

/* Names that were guessed and not surely right are never green. */
static void judge_recognition(const cli_recognition *told, snw_judgements *judgements)
{
    if (!told->point_count || told->confidence < SOLVE_UNSURE_LEAST ||
        told->confidence > SOLVE_UNSURE_MOST)
        return;
    snw_judgement item = {.code = SNW_JUDGEMENT_UNSURE_PERSON,
                          .verdict = SNW_VERDICT_AMBER,
                          .joint = -1,
                          .marker = -1,
                          .frame = -1,
                          .number = told->confidence};
    snw_format(item.sentence, sizeof item.sentence,
               told->is_person
                   ? "names come from a person recognised with a confidence of %.0f %% only: "
                     "check the sides and the segments, or name the markers"
                   : "a person was suspected in the unnamed markers, but is not sure (%.0f %%): "
                     "segments come from the motion alone",
               100 * told->confidence);
    snw_judgements_add(judgements, &item);
}

static snw_status judge(solve_job *job, snw_error *error)
{
    snw_status status =
        snw_actor_residuals(job->actor, job->trial, job->motion, NULL, &job->residuals, error);
    snw_solution solution = {job->trial, job->actor, job->motion, &job->report, job->residuals};
    if (status == SNW_OK) status = snw_judge_solution(&solution, NULL, &job->judgements, error);
    if (status == SNW_OK) {
        judge_recognition(&job->recognition, &job->judgements);
        judge_computed(&job->recognition, &job->judgements);
    }
    if (status == SNW_OK) cli_judge_slips(&job->slips, job->trial, &job->judgements);
    return status;
}

static int save_actor(const cli_arguments *arguments, const solve_job *job)
{
    char buffer[SOLVE_PATH_SIZE];
    const char *path = cli_solve_path(arguments, job, "--save-actor", buffer);
    return path ? cli_write_actor(arguments, path, job->kept) : CLI_DONE;
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
                             .path = arguments->operand[0],
                             .trial = job->trial,
                             .actor = job->actor,
                             .motion = job->motion,
                             .notes = &job->notes,
                             .report = &job->report,
                             .residuals = job->residuals,
                             .judgements = &job->judgements};
    int code = CLI_DONE;
    if (truth) code = cli_truth_measure(arguments, truth, &solution, &job->truth);
    if (truth) solution.truth = &job->truth;
    if (code == CLI_DONE && report) code = cli_report_write(arguments, report, &solution);
    if (code == CLI_DONE && picture)
        code = cli_write_whole(arguments, picture, draw_moments, &solution);
    return code;
}

static void tell(const cli_arguments *arguments, const solve_bodies *bodies)
{
    if (cli_flag(arguments, "--json")) {
        cli_solve_json(arguments, bodies);
        return;
    }
    for (int b = 0; b < bodies->count; b++)
        cli_print_notes(arguments, &bodies->job[b].notes);
    cli_solve_print(arguments, bodies);
}

/* What one file gives to the table of many. */
static void fill_row(const solve_job *job, cli_row *row)
{
    cli_row_take_trial(row, job->trial);
    row->joint_count = job->actor->skeleton->joint_count;
    row->lost_count = job->report.lost_count;
    row->residual = job->report.residual;
    row->outlier_share = job->report.outlier_share;
    snw_format(row->verdict, sizeof row->verdict, "%s", snw_verdict_name(job->judgements.verdict));
    if (job->judgements.verdict != SNW_VERDICT_GREEN)
        snw_format(row->message, sizeof row->message, "%s", job->judgements.item[0].sentence);
    row->uncertain_count = 0;
    for (int j = 1; j < job->actor->skeleton->joint_count; j++)
        row->uncertain_count += job->actor->estimate[j].is_uncertain;
}

/* A motion most of which is not this body's is written and shown, but it is no success. */
static int refuse_lost(const cli_arguments *arguments, const solve_job *job)
{
    for (int n = 0; n < job->judgements.count; n++) {
        const snw_judgement *item = job->judgements.item + n;
        if (item->code == SNW_JUDGEMENT_LOST_FRAMES && item->verdict == SNW_VERDICT_RED)
            return cli_fail(arguments, "%s: %s", arguments->operand[0], item->sentence);
    }
    return CLI_DONE;
}

/* ---- all bodies --------------------------------------------------------------------------- */

/* The skeleton, the motion and the judgement of one body. */
static int solve_body(const cli_arguments *arguments, solve_job *job)
{
    snw_error error = snw_error_none();
    snw_trial start;
    if (!calibration_part(arguments, job->trial, &start)) return CLI_USAGE;
    if (solve_trial(arguments, &start, job, &error) != SNW_OK ||
        cli_solve_match_style(job, &error) != SNW_OK || describe(job, &error) != SNW_OK ||
        judge(job, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    return CLI_DONE;
}

/* How many actors the capture of the first body holds; 1 where one was asked for. */
static int count_actors(const cli_arguments *arguments, const solve_job *first)
{
    snw_tree *tree = NULL;
    snw_trial start;
    if (cli_flag(arguments, "--part") || cli_flag(arguments, "--root") || !first->segments ||
        snw_notes_find(&first->notes, SNW_NOTE_ACTORS, 0) < 0 ||
        !calibration_part(arguments, first->trial, &start) ||
        snw_tree_find(&start, first->segments, &first->actor_options, NULL, &tree, NULL) != SNW_OK)
        return 1;
    int count = tree->actor_count;
    snw_tree_destroy(tree);
    return count;
}

/* What was said of the capture is not said again with every body. */
static void drop_notes_of_capture(snw_notes *notes)
{
    int kept = 0;
    for (int n = 0; n < notes->count; n++) {
        snw_note_code code = notes->note[n].code;
        if (code != SNW_NOTE_ACTORS && code != SNW_NOTE_OBJECT && code != SNW_NOTE_SEGMENTS_APART)
            notes->note[kept++] = notes->note[n];
    }
    notes->count = kept;
}

/* The other actors, where the first one is not alone. */
static int solve_others(const cli_arguments *arguments, solve_bodies *bodies)
{
    int actors = count_actors(arguments, bodies->job), code = CLI_DONE;
    if (actors < 2) return CLI_DONE;
    solve_job *more = realloc(bodies->job, (size_t)actors * sizeof *more);
    if (!more) return cli_fail(arguments, "no memory for %d bodies", actors);
    bodies->job = more;
    while (bodies->count < actors && code == CLI_DONE) {
        solve_job *job = more + bodies->count;
        memset(job, 0, sizeof *job);
        job->number = ++bodies->count;
        job->trial = more->trial;
        job->segments = more->segments;
        job->style = more->style;
        job->notes = snw_notes_none();
        if (!actor_options_of(arguments, job)) return CLI_USAGE;
        job->actor_options.part = job->number - 1;
        code = solve_body(arguments, job);
        drop_notes_of_capture(&job->notes);
    }
    return code;
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
    if (code == CLI_DONE && arguments->row) fill_row(cli_solve_gravest(bodies), arguments->row);
    if (code != CLI_DONE) return code;
    tell(arguments, bodies);
    for (int b = 0; b < bodies->count && code == CLI_DONE; b++)
        code = refuse_lost(arguments, bodies->job + b);
    return code;
}

/* An actor is not made again. */
static int check_actor(const cli_arguments *arguments)
{
    static const char *const making[] = {"--calibrate", "--markerset", "--segments", "--method",
                                         "--root"};
    for (size_t n = 0; n < sizeof making / sizeof *making; n++)
        if (cli_flag(arguments, "--actor") && cli_flag(arguments, making[n]))
            return cli_misuse(arguments, "%s makes a skeleton, --actor brings one", making[n]);
    return CLI_DONE;
}

static int run_solve(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"bvh", false, snw_format_reads_trial};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    if (cli_flag(arguments, "--smooth") && cli_flag(arguments, "--realtime"))
        return cli_misuse(arguments,
                          "--smooth looks into the future, --realtime does not: one of them");
    if (check_actor(arguments) != CLI_DONE) return CLI_USAGE;
    const char *method = cli_value(arguments, "--segments", "auto");
    if (snw_segment_method_find(method) < 0)
        return cli_misuse(arguments, "there is no way to find segments called \"%s\"", method);
    solve_bodies bodies = {1, calloc(1, sizeof *bodies.job)};
    if (!bodies.job) return cli_fail(arguments, "no memory for a body");
    solve_job *first = bodies.job;
    first->number = 1;
    first->notes = snw_notes_none();
    int code = actor_options_of(arguments, first) ? CLI_DONE : CLI_USAGE;
    if (code == CLI_DONE) code = cli_solve_check_outputs(arguments);
    if (code == CLI_DONE && cli_flag(arguments, "--style")) {
        first->style = cli_read_style(arguments, cli_value(arguments, "--style", NULL));
        if (!first->style) code = CLI_FAILED;
    }
    if (code == CLI_DONE) {
        first->trial =
            cli_read_markers(arguments, arguments->operand[0], &first->notes, &first->recognition);
        code = first->trial ? solve_body(arguments, first) : CLI_FAILED;
    }
    if (code == CLI_DONE) code = solve_others(arguments, &bodies);
    if (code == CLI_DONE) code = write_bodies(arguments, &bodies);
    release_bodies(&bodies);
    return code;
}

static const cli_option solve_options[] = {
    {"--output", "-o", "FILE", "write the motion, or the capture with gaps filled (see below)"},
    {"--segments", NULL, "HOW", "auto, names, rigidity, spectral: which markers move together"},
    {"--markerset", NULL, "FILE", "which labels are on which segment: docs/marker-sets.md"},
    {"--method", "-m", "NAME", "how joints are placed: auto, two-sided, mvm, ... (see centers)"},
    CLI_NO_JOIN_OPTION,
    CLI_NO_RECOGNISE_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    {"--keep-slips", NULL, NULL, "leave markers that slip on their segment where they are"},
    {"--root", NULL, "SEGMENT", "the segment from which the skeleton hangs"},
    {"--part", NULL, "N", "one body alone, where a capture holds several (default: all actors)"},
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
    {"--with-markers", NULL, NULL, "GLB: the markers too, as small marks that move"},
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

/* `sinew learn`: a prior of poses from motions, for `sinew ik --style` and `sinew solve --style`.
 * Captures and tables of coordinates become motions on an actor's skeleton first, and are put on
 * the rig that `sinew solve` writes. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "output.h"

/* One file, and what was made of it where it holds no motion itself. */
typedef struct learn_file {
    cli_content content;
    snw_solution *solution; /* of a capture */
    snw_motion *told;       /* by a table */
    snw_motion *rigged;
} learn_file;

typedef struct learn_files {
    int count;
    snw_actor *actor;           /* of --actor, or NULL */
    learn_file *file;           /* (count) */
    const snw_motion **motions; /* (count) */
} learn_files;

static void release_files(learn_files *files)
{
    for (int n = 0; n < files->count && files->file; n++) {
        learn_file *file = files->file + n;
        snw_motion_destroy(file->rigged);
        snw_motion_destroy(file->told);
        snw_solution_destroy(file->solution);
        cli_release_content(&file->content);
    }
    snw_actor_destroy(files->actor);
    free(files->file);
    free(files->motions);
}

/* The motion of a capture or of a table on the actor, on its rig. */
static snw_status solve_on(const snw_actor *actor, learn_file *file, snw_error *error)
{
    const cli_content *content = &file->content;
    snw_rig_options options = snw_rig_options_default();
    snw_solve_options how = snw_solve_options_default();
    how.actor = actor;
    snw_status status = content->trial
                            ? snw_solve(content->trial, &how, NULL, &file->solution, error)
                            : snw_motion_from_table(content->table, actor->skeleton, NULL,
                                                    &file->told, NULL, error);
    if (status != SNW_OK) return status;
    const snw_motion *solved = file->solution ? file->solution->body->motion : file->told;
    /* Tables are written with +Y up. */
    if (content->trial && content->trial->up != SNW_UP_UNKNOWN)
        options.up = snw_up_direction(content->trial->up);
    status = snw_motion_to_rig(solved, &options, NULL, &file->rigged, NULL, error);
    options.has_t_pose = false;
    if (status == SNW_UNSUPPORTED)
        status = snw_motion_to_rig(solved, &options, NULL, &file->rigged, NULL, error);
    return status;
}

/* The motion of one file; NULL where it holds none, which is said. */
static const snw_motion *motion_of(const cli_arguments *arguments, const char *path,
                                   const snw_actor *actor, learn_file *file)
{
    const snw_motion *motion = file->content.motion;
    snw_error error;
    if (!motion && (file->content.trial || file->content.table)) {
        if (!actor) {
            cli_fail(arguments, "%s holds no motion; on the skeleton of a person it does: --actor",
                     path);
            return NULL;
        }
        if (solve_on(actor, file, &error) != SNW_OK) {
            cli_fail(arguments, "%s: %s", path, error.message);
            return NULL;
        }
        motion = file->rigged;
    }
    if (motion && motion->frame_count > 0) return motion;
    cli_fail(arguments, "%s holds no motion to learn from", path);
    return NULL;
}

static int read_motions(const cli_arguments *arguments, learn_files *files)
{
    size_t count = (size_t)arguments->operand_count;
    files->file = calloc(count, sizeof *files->file);
    files->motions = calloc(count, sizeof *files->motions);
    if (!files->file || !files->motions) return cli_fail(arguments, "no memory for the files");
    const char *asf = cli_value(arguments, "--asf", NULL);
    const char *actor = cli_value(arguments, "--actor", NULL);
    if (actor && !(files->actor = cli_read_actor(arguments, actor))) return CLI_FAILED;
    for (int n = 0; n < arguments->operand_count; n++) {
        const char *path = arguments->operand[n];
        if (!cli_read_content(arguments, path, asf, &files->file[n].content)) return CLI_FAILED;
        files->count++;
        files->motions[n] = motion_of(arguments, path, files->actor, &files->file[n]);
        if (!files->motions[n]) return CLI_FAILED;
    }
    return CLI_DONE;
}

static int write_style(const cli_arguments *arguments, const snw_style *style)
{
    size_t length = snw_style_print(style, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) return cli_fail(arguments, "no memory for the text");
    snw_error error;
    (void)snw_style_print(style, text, length + 1);
    snw_status status = snw_write_file(cli_value(arguments, "--output", NULL),
                                       cli_flag(arguments, "--force"), text, length, &error);
    free(text);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

static void print_style(const cli_arguments *arguments, const snw_style *style,
                        const snw_style_report *report)
{
    const char *path = cli_value(arguments, "--output", NULL);
    if (!cli_flag(arguments, "--json")) {
        printf("%s: %d joints, %d features, %d components of %d dimensions from %d poses%s\n", path,
               style->joint_count, style->feature_count, style->component_count,
               style->dimension_count, report->frame_count,
               report->mirrored_count ? ", half of them mirror images" : "");
        printf("log-likelihood %.2f a pose after %d iterations\n", report->log_likelihood,
               report->iterations);
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "style", path);
    cli_json_integer(&json, "joints", style->joint_count);
    cli_json_integer(&json, "features", style->feature_count);
    cli_json_integer(&json, "components", style->component_count);
    cli_json_integer(&json, "dimensions", style->dimension_count);
    cli_json_integer(&json, "poses", report->frame_count);
    cli_json_integer(&json, "mirrored", report->mirrored_count);
    cli_json_number(&json, "log_likelihood", report->log_likelihood);
    cli_json_integer(&json, "iterations", report->iterations);
    cli_json_end_object(&json);
}

/* Joints of the first motion that the style does not have: they stand still, or some other file has
 * none of that name. */
static void note_left_out(const cli_arguments *arguments, const snw_motion *first,
                          const snw_style *style)
{
    char names[400] = "";
    size_t length = 0;
    for (int j = 1; j < first->skeleton->joint_count && length + 1 < sizeof names; j++) {
        bool is_known = false;
        for (int s = 0; s < style->joint_count; s++)
            is_known |= strcmp(style->joint[s].name, first->skeleton->name[j]) == 0;
        if (!is_known)
            length += (size_t)snw_format(names + length, sizeof names - length, "%s%s",
                                         length ? ", " : "", first->skeleton->name[j]);
    }
    if (length > 0) cli_note(arguments, "left out, still or not in every file: %s", names);
}

static int run_learn(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", NULL};
    snw_style_options options = snw_style_options_default();
    int64_t components = options.component_count, dimensions = options.dimension_count;
    if (!cli_integer(arguments, "--components", 1, SNW_STYLE_COMPONENT_MAX, &components) ||
        !cli_integer(arguments, "--dimensions", 1, SNW_STYLE_DIMENSION_MAX, &dimensions) ||
        !cli_number(arguments, "--rate", 1e-3, 1e4, &options.rate) ||
        !cli_number(arguments, "--shrinkage", 0, 1e6, &options.shrinkage))
        return CLI_USAGE;
    options.is_mirrored = !cli_flag(arguments, "--no-mirror");
    if (!cli_flag(arguments, "--output"))
        return cli_misuse(arguments, "it needs a file for the style: -o STYLE");
    int status = cli_check_output_options(arguments, outputs);
    if (status != CLI_DONE) return status;
    options.component_count = (int)components;
    options.dimension_count = (int)dimensions;
    learn_files files = {0};
    snw_style *style = NULL;
    snw_style_report report = {0};
    options.report = &report;
    snw_error error;
    status = read_motions(arguments, &files);
    if (status == CLI_DONE &&
        snw_style_learn(files.motions, files.count, &options, NULL, &style, &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    if (status == CLI_DONE) status = write_style(arguments, style);
    if (status == CLI_DONE) note_left_out(arguments, files.motions[0], style);
    if (status == CLI_DONE) print_style(arguments, style, &report);
    snw_style_destroy(style);
    release_files(&files);
    return status;
}

static const cli_option learn_options[] = {
    {"--output", "-o", "STYLE", "the file to write"},
    {"--components", NULL, "N", "Gaussians in the mixture, up to 64 (default: 12)"},
    {"--dimensions", NULL, "N", "directions of each, up to 32 (default: 12)"},
    {"--rate", NULL, "HZ", "poses a second that are looked at (default: 20)"},
    {"--shrinkage", NULL, "N", "poses as which the spread of all counts in each (default: 30)"},
    {"--no-mirror", NULL, NULL, "do not learn the mirror image of every pose too"},
    {"--asf", NULL, "FILE", "the body of motions that are AMC"},
    {"--actor", NULL, "FILE", "the person of captures and .mot files (solve --save-actor)"},
    CLI_INPUT_UNIT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_learn_command = {
    "learn",
    "learn a style from motions: a prior of poses to reach and to solve with",
    "FILE...",
    "FILEs hold motions of one rig (BVH, AMC with --asf), or captures and .mot files of one "
    "person\n"
    "(--actor), which are put on the rig that sinew solve writes. The style is a mixture of "
    "probabilistic\n"
    "principal components of swing, twist and angles; joints are known by their names, so it "
    "serves\n"
    "bodies of other proportions too. Reach with it: sinew ik FILE --style STYLE; solve captures "
    "in\n"
    "which segments vanish: sinew solve FILE --style STYLE, with a style of what solve wrote. How "
    "well\n"
    "it tells joints that are not given: sinew bench style, sinew bench segments.\n\n"
    "examples:\n"
    "  sinew learn walk.bvh dance.bvh -o mover.style\n"
    "  sinew learn walk.bvh -o walker.style --components 4\n"
    "  sinew solve one.c3d --save-actor joe.actor, then\n"
    "  sinew learn one.c3d two.c3d --actor joe.actor -o joe.style, then\n"
    "  sinew solve three.c3d --actor joe.actor --style joe.style -o three.bvh",
    learn_options,
    1,
    CLI_OPERANDS_MAX,
    run_learn,
};

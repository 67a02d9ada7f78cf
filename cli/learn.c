/* `sinew learn`: a prior of poses from motions, for `sinew ik --style`. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "output.h"

typedef struct learn_files {
    int count;
    cli_content *content;       /* (count) */
    const snw_motion **motions; /* (count) */
} learn_files;

static void release_files(learn_files *files)
{
    for (int n = 0; n < files->count && files->content; n++)
        cli_release_content(&files->content[n]);
    free(files->content);
    free(files->motions);
}

static int read_motions(const cli_arguments *arguments, learn_files *files)
{
    size_t count = (size_t)arguments->operand_count;
    files->content = calloc(count, sizeof *files->content);
    files->motions = calloc(count, sizeof *files->motions);
    if (!files->content || !files->motions) return cli_fail(arguments, "no memory for the files");
    const char *asf = cli_value(arguments, "--asf", NULL);
    for (int n = 0; n < arguments->operand_count; n++) {
        if (!cli_read_content(arguments, arguments->operand[n], asf, &files->content[n]))
            return CLI_FAILED;
        files->count++;
        files->motions[n] = files->content[n].motion;
        if (!files->motions[n] || files->motions[n]->frame_count == 0)
            return cli_fail(arguments, "%s holds no motion to learn from", arguments->operand[n]);
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
    snw_style_report report;
    snw_error error;
    status = read_motions(arguments, &files);
    if (status == CLI_DONE && snw_style_learn(files.motions, files.count, &options, NULL, &style,
                                              &report, &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    if (status == CLI_DONE) status = write_style(arguments, style);
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
    CLI_INPUT_UNIT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_learn_command = {
    "learn",
    "learn a style from motions: a prior of poses to reach with",
    "FILE...",
    "FILEs hold motions of one rig (BVH, AMC with --asf). The style is a mixture of probabilistic\n"
    "principal components of swing, twist and angles; joints are known by their names, so it "
    "serves\n"
    "bodies of other proportions too. Reach with it: sinew ik FILE --style STYLE. How well it "
    "tells\n"
    "joints that are not given: sinew bench style.\n\n"
    "examples:\n"
    "  sinew learn walk.bvh dance.bvh -o mover.style\n"
    "  sinew learn walk.bvh -o walker.style --components 4",
    learn_options,
    1,
    CLI_OPERANDS_MAX,
    run_learn,
};

/* `sinew segments`: which markers move together. */
#include "command.h"

static void print_table(const snw_trial *trial, const snw_limbs *limbs)
{
    printf("%d limbs of %d markers\n\n", limbs->limb_count, limbs->marker_count);
    for (int l = 0; l < limbs->limb_count; l++) {
        const snw_limb *limb = limbs->limb + l;
        printf("%-20s", limb->name);
        for (int m = 0; m < limb->marker_count; m++)
            printf(" %s", trial->marker[limb->marker[m]].name);
        printf("\n");
    }
    for (int m = 0, count = 0; m < limbs->marker_count; m++)
        if (limbs->limb_of[m] < 0)
            printf("%s %s", count++ ? "" : "on no limb:", trial->marker[m].name);
    printf("\n");
}

static void print_json(const snw_trial *trial, const snw_limbs *limbs)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_array(&json, "limbs");
    for (int l = 0; l < limbs->limb_count; l++) {
        const snw_limb *limb = limbs->limb + l;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", limb->name);
        cli_json_array(&json, "markers");
        for (int m = 0; m < limb->marker_count; m++)
            cli_json_string(&json, NULL, trial->marker[limb->marker[m]].name);
        cli_json_end_array(&json);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static int run_segments(const cli_arguments *arguments)
{
    const char *path = arguments->operand[0], *method = cli_value(arguments, "--limbs", "auto");
    snw_limb_options options = snw_limb_options_default();
    options.method = snw_limb_method_find(method);
    if (options.method == SNW_LIMB_METHOD_COUNT)
        return cli_misuse(arguments, "there is no way to find limbs called \"%s\"", method);
    double tolerance_mm = -1;
    int64_t count = -1;
    if (!cli_number(arguments, "--tolerance", 1e-6, 1000, &tolerance_mm) ||
        !cli_integer(arguments, "--count", 1, 1000, &count))
        return CLI_USAGE;
    options.tolerance = tolerance_mm / 1000;
    options.limb_count = (int)count;
    snw_trial *trial = NULL;
    snw_limbs *limbs = NULL;
    snw_error error = snw_error_none();
    snw_status status = snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error);
    if (status == SNW_OK) status = snw_limbs_find(trial, &options, NULL, &limbs, NULL, &error);
    int code = CLI_DONE;
    if (status != SNW_OK)
        code = cli_fail(arguments, "%s: %s", path, error.message);
    else if (cli_flag(arguments, "--json"))
        print_json(trial, limbs);
    else
        print_table(trial, limbs);
    snw_limbs_destroy(limbs);
    snw_trial_destroy(trial);
    return code;
}

static const cli_option segments_options[] = {
    {"--limbs", NULL, "HOW", "auto, names, rigidity, spectral"},
    {"--tolerance", NULL, "MM", "rigidity: how much a distance inside a limb may vary"},
    {"--count", NULL, "N", "spectral: how many limbs"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_segments_command = {
    "segments",
    "which markers of a capture move together",
    "IN",
    "examples:\n"
    "  sinew segments walk.c3d                     limbs, by names or by motion\n"
    "  sinew segments walk.c3d --limbs rigidity    by motion alone",
    segments_options,
    1,
    1,
    run_segments,
};

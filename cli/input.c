#include "input.h"

#include <string.h>

bool cli_parse_up(const cli_arguments *arguments, const char *option, snw_up_axis *up)
{
    static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    const char *text = cli_value(arguments, option, NULL);
    if (!text) return true;
    for (int n = 0; n < 6; n++)
        if (strcmp(text, words[n]) == 0) {
            *up = (snw_up_axis)(SNW_UP_X + n);
            return true;
        }
    cli_misuse(arguments, "%s takes x, y, z, -x, -y or -z, not \"%s\"", option, text);
    return false;
}

bool cli_read_options(const cli_arguments *arguments, snw_read_options *options)
{
    *options = snw_read_options_default();
    options->is_lenient = cli_flag(arguments, "--lenient");
    double millimetres_per_unit = 0;
    if (!cli_number(arguments, "--unit", 1e-6, 1e6, &millimetres_per_unit)) return false;
    options->metres_per_unit = millimetres_per_unit / 1000;
    return cli_parse_up(arguments, "--up", &options->up);
}

void cli_print_notes(const cli_arguments *arguments, const snw_notes *notes)
{
    for (int n = 0; n < notes->count; n++)
        fprintf(stderr, "sinew %s: note: %s\n", arguments->command->name, notes->note[n].text);
    if (notes->dropped)
        fprintf(stderr, "sinew %s: note: and %d more\n", arguments->command->name, notes->dropped);
}

snw_trial *cli_read_trial(const cli_arguments *arguments, const char *path, snw_notes *notes)
{
    snw_read_options options;
    if (!cli_read_options(arguments, &options)) return NULL;
    snw_trial *trial = NULL;
    snw_error error;
    snw_notes own = snw_notes_none();
    if (snw_read_trial_file(path, &options, NULL, &trial, notes ? notes : &own, &error) != SNW_OK) {
        cli_fail(arguments, "%s", error.message);
        return NULL;
    }
    if (!notes) cli_print_notes(arguments, &own);
    return trial;
}

bool cli_read_content(const cli_arguments *arguments, const char *path, const char *asf,
                      cli_content *content)
{
    memset(content, 0, sizeof *content);
    snw_read_options options;
    if (!cli_read_options(arguments, &options)) return false;
    content->format = snw_detect_file(path);
    snw_error error;
    snw_status status;
    if (content->format == SNW_FORMAT_AMC && !asf) {
        cli_misuse(arguments, "%s is a motion without its body: name the body with --asf FILE",
                   path);
        return false;
    }
    if (content->format == SNW_FORMAT_AMC)
        status = snw_read_acclaim_file(asf, path, &options, NULL, &content->skeleton,
                                       &content->motion, &content->notes, &error);
    else if (content->format == SNW_FORMAT_MOT)
        status =
            snw_read_table_file(path, &options, NULL, &content->table, &content->notes, &error);
    else if (snw_format_reads_motion(content->format))
        status = snw_read_motion_file(path, &options, NULL, &content->skeleton, &content->motion,
                                      &content->notes, &error);
    else
        status =
            snw_read_trial_file(path, &options, NULL, &content->trial, &content->notes, &error);
    if (status == SNW_OK) return true;
    cli_fail(arguments, "%s", error.message);
    cli_release_content(content);
    return false;
}

void cli_release_content(cli_content *content)
{
    snw_trial_destroy(content->trial);
    snw_table_destroy(content->table);
    snw_motion_destroy(content->motion);
    snw_skeleton_destroy(content->skeleton);
    memset(content, 0, sizeof *content);
}

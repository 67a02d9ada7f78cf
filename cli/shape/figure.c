#include "shape/figure.h"

#include <string.h>

bool cli_holds_skin(const char *path)
{
    snw_format_kind kind = snw_format_from_name(path);
    return kind == SNW_FORMAT_GLB || kind == SNW_FORMAT_VRM;
}

int cli_figure_options(const cli_arguments *arguments, snw_figure_options *options)
{
    static const char *const words[] = {"adults", "women", "men"};
    *options = snw_figure_options_default();
    const char *whose = cli_value(arguments, "--people", "adults");
    double cell_mm = 1000 * options->cell;
    int people = -1;
    for (int n = 0; n < 3; n++)
        if (strcmp(whose, words[n]) == 0) people = n;
    if (people < 0)
        return cli_misuse(arguments, "--people takes adults, women or men, not \"%s\"", whose);
    bool has_cell = cli_value(arguments, "--cell", NULL) != NULL;
    if (!cli_number(arguments, "--stature", 0.4, 3, &options->stature) ||
        !cli_number(arguments, "--mass", 1, 500, &options->mass) ||
        !cli_number(arguments, "--cell", 3, 100, &cell_mm))
        return CLI_USAGE;
    options->people = (snw_people)people;
    if (has_cell) options->cell = cell_mm / 1000;
    return CLI_DONE;
}

int cli_make_figure(const cli_arguments *arguments, const snw_skeleton *skeleton, snw_mesh **mesh,
                    snw_figure_report *report)
{
    snw_figure_options options;
    int code = cli_figure_options(arguments, &options);
    if (code != CLI_DONE) return code;
    snw_error error;
    if (snw_figure_create(skeleton, &options, NULL, mesh, report, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    return CLI_DONE;
}

int cli_make_skin(const cli_arguments *arguments, const snw_skeleton *skeleton, snw_skin **skin)
{
    snw_mesh *mesh = NULL;
    snw_error error;
    snw_skin_options options = snw_skin_options_default();
    options.has_parts = true;
    int code = cli_make_figure(arguments, skeleton, &mesh, NULL);
    if (code == CLI_DONE && snw_skin_create(mesh, skeleton, &options, NULL, skin, &error) != SNW_OK)
        code = cli_fail(arguments, "%s", error.message);
    snw_mesh_destroy(mesh);
    return code;
}

#include "shape/figure.h"

#include <string.h>

#include "text.h"

bool cli_holds_skin(const char *path)
{
    snw_format_kind kind = snw_format_from_name(path);
    return kind == SNW_FORMAT_GLB || kind == SNW_FORMAT_VRM;
}

/* "waist=850" */
static int read_girths(const cli_arguments *arguments, double *girth)
{
    const char *text;
    for (int n = 0; (text = cli_value_at(arguments, "--girth", n)) != NULL; n++) {
        char name[16] = "";
        const char *at = strchr(text, '='), *end = text + strlen(text);
        double millimetres = 0;
        if (at && (size_t)(at - text) < sizeof name) memcpy(name, text, (size_t)(at - text));
        int found = snw_girth_find(name);
        if (found < 0 || snw_parse_double(at + 1, end, &millimetres) != end ||
            !(millimetres >= 50 && millimetres <= 3000))
            return cli_misuse(arguments,
                              "--girth takes a place of the list and 50 to 3000 mm, as waist=850, "
                              "not \"%s\"",
                              text);
        girth[found] = millimetres / 1000;
    }
    return CLI_DONE;
}

const snw_trial *cli_capture_of_one(const snw_solution *solution)
{
    return solution && solution->body_count == 1 ? solution->trial : NULL;
}

void cli_figure_know(const snw_trial *trial, snw_figure_options *options)
{
    snw_subject subject;
    memset(&subject, 0, sizeof subject);
    snw_subject_read(&subject, trial, SNW_SUBJECT_FROM_FILE, NULL);
    if (!(options->mass > 0)) options->mass = subject.value[SNW_SUBJECT_BODY_MASS][0];
    if (!(options->stature > 0)) options->stature = subject.value[SNW_SUBJECT_HEIGHT][0];
}

int cli_figure_options(const cli_arguments *arguments, const snw_trial *capture,
                       snw_figure_options *options)
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
    if (capture) cli_figure_know(capture, options);
    if (has_cell) options->cell = cell_mm / 1000;
    return read_girths(arguments, options->girth);
}

int cli_make_figure(const cli_arguments *arguments, const snw_trial *capture,
                    const snw_skeleton *skeleton, snw_mesh **mesh, snw_figure_report *report)
{
    snw_figure_options options;
    int code = cli_figure_options(arguments, capture, &options);
    if (code != CLI_DONE) return code;
    snw_error error;
    if (snw_figure_create(skeleton, &options, NULL, mesh, report, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    return CLI_DONE;
}

int cli_skin_options(const cli_arguments *arguments, snw_skin_options *options)
{
    int64_t joints = 4;
    *options = snw_skin_options_default();
    if (!cli_integer(arguments, "--joints", 4, 8, &joints)) return CLI_USAGE;
    if (joints != 4 && joints != 8)
        return cli_misuse(arguments, "--joints takes 4 or 8, not %d", (int)joints);
    options->joints = (int)joints;
    options->has_bends = cli_flag(arguments, "--bends");
    return CLI_DONE;
}

int cli_make_skin(const cli_arguments *arguments, const snw_trial *capture,
                  const snw_skeleton *skeleton, snw_skin **skin)
{
    snw_mesh *mesh = NULL;
    snw_error error;
    snw_skin_options options;
    int code = cli_skin_options(arguments, &options);
    options.has_parts = true;
    if (code == CLI_DONE) code = cli_make_figure(arguments, capture, skeleton, &mesh, NULL);
    if (code == CLI_DONE && snw_skin_create(mesh, skeleton, &options, NULL, skin, &error) != SNW_OK)
        code = cli_fail(arguments, "%s", error.message);
    snw_mesh_destroy(mesh);
    return code;
}

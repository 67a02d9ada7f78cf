/* `sinew cameras CALIBRATION --calibrate VIEWS`: where cameras stand, by what they see alike. */
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "output.h"
#include "text.h"
#include "views/folders.h"
#include "views/views.h"

/* A:B:METRES, two points of the set. */
static bool read_bone(const cli_arguments *arguments, const snw_views *views,
                      snw_cameras_calibrate_options *options)
{
    const char *text = cli_value(arguments, "--bone", NULL);
    if (!text) return true;
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    const char *end = text + strlen(text), *at = NULL;
    int found[2] = {-1, -1};
    for (int p = 0; second && p < views->point_count; p++) {
        size_t length = strlen(views->point[p]);
        if (length == (size_t)(first - text) && strncmp(text, views->point[p], length) == 0)
            found[0] = p;
        if (length == (size_t)(second - first - 1) &&
            strncmp(first + 1, views->point[p], length) == 0)
            found[1] = p;
    }
    if (second) at = snw_parse_double(second + 1, end, &options->length);
    memcpy(options->length_point, found, sizeof found);
    if (at && at == end && options->length > 0 && found[0] >= 0 && found[1] >= 0) return true;
    cli_fail(arguments, "--bone takes POINT:POINT:METRES with points of the set, not \"%s\"", text);
    return false;
}

static snw_views *read_views(const cli_arguments *arguments, const snw_cameras *cameras)
{
    const char *path = cli_value(arguments, "--calibrate", NULL);
    struct stat about;
    snw_views *views = NULL;
    snw_error error;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        const cli_folders folders = {&path, 1};
        return cli_read_views(arguments, &folders, cameras, -1);
    }
    if (snw_read_views_file(path, cameras, NULL, NULL, &views, &error) != SNW_OK)
        cli_fail(arguments, "%s", error.message);
    return views;
}

static void print_text(const cli_arguments *arguments, const snw_cameras_calibrated *made)
{
    cli_print_path(cli_value(arguments, "--calibrate", NULL));
    printf("%d points with %d sightings fit to %.2f pixels, %d are not believed\n",
           made->point_count, made->sighting_count, made->residual, made->far_count);
    for (int c = 0; c < made->cameras->count; c++) {
        const snw_view_camera *told = made->camera + c;
        fputs("  ", stdout);
        cli_print_text(stdout, made->cameras->camera[c].name, 20);
        printf(" %8d sightings, %6.2f pixels off", told->sighting_count, told->residual);
        if (!cli_flag(arguments, "--anew"))
            printf(", %.1f mm and %.3f degrees from before%s", 1000 * told->moved_by,
                   snw_degrees(told->turned_by), told->is_moved ? ": moved" : "");
        putchar('\n');
    }
}

static void print_json(const snw_cameras_calibrated *made, const snw_notes *notes)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "points", made->point_count);
    cli_json_integer(&json, "sightings", made->sighting_count);
    cli_json_integer(&json, "sightings_far", made->far_count);
    cli_json_number(&json, "residual_px", made->residual);
    cli_json_array(&json, "cameras");
    for (int c = 0; c < made->cameras->count; c++)
        cli_json_camera(&json, made->cameras->camera[c].name, made->camera + c);
    cli_json_end_array(&json);
    cli_json_notes(&json, notes);
    cli_json_end_object(&json);
}

int cli_calibrate_cameras(const cli_arguments *arguments, const snw_cameras *cameras,
                          snw_cameras **out)
{
    static snw_notes notes; /* 19 kB: not on a stack */
    snw_cameras_calibrate_options options = snw_cameras_calibrate_options_default();
    snw_cameras_calibrated *made = NULL;
    snw_error error;
    notes = snw_notes_none();
    options.notes = &notes;
    options.starts_anew = cli_flag(arguments, "--anew");
    options.finds_lens = cli_flag(arguments, "--lens");
    if (!cli_number(arguments, "--wand", 0.001, 100, &options.length) ||
        !cli_number(arguments, "--height", 0.3, 2.4, &options.height))
        return CLI_USAGE;
    snw_views *views = read_views(arguments, cameras);
    if (!views) return CLI_FAILED;
    int status = read_bone(arguments, views, &options) ? CLI_DONE : CLI_FAILED;
    if (status == CLI_DONE &&
        snw_cameras_calibrate(cameras, views, &options, NULL, &made, &error) != SNW_OK)
        status =
            cli_fail(arguments, "%s: %s", cli_value(arguments, "--calibrate", NULL), error.message);
    snw_views_destroy(views);
    if (!made) return status;
    cli_print_notes(arguments, &notes);
    if (cli_flag(arguments, "--json"))
        print_json(made, &notes);
    else
        print_text(arguments, made);
    *out = made->cameras;
    made->cameras = NULL;
    snw_cameras_calibrated_destroy(made);
    return CLI_DONE;
}

#include "views/synth_views.h"

#include <string.h>

#include "output.h"
#include "text.h"

/* CAMERA:DEGREES, the camera from 1. */
static bool read_knock(const cli_arguments *arguments, snw_synth_view_options *options)
{
    const char *text = cli_value(arguments, "--knock", NULL);
    if (!text) return true;
    const char *end = text + strlen(text);
    int64_t camera = 0;
    double degrees = 0;
    const char *at = snw_parse_int64(text, end, &camera);
    if (at && *at == ':') at = snw_parse_double(at + 1, end, &degrees);
    if (!at || *at || camera < 1 || camera > SNW_SYNTH_CAMERA_MAX ||
        !(degrees >= 0 && degrees <= 180)) {
        cli_misuse(arguments, "--knock takes CAMERA:DEGREES, not \"%s\"", text);
        return false;
    }
    options->knocked = (int)camera - 1;
    options->knock = snw_radians(degrees);
    return true;
}

int cli_synth_views_read(const cli_arguments *arguments, cli_synth_views *views)
{
    static const char *const with[] = {"--pixel-noise", "--lost",  "--false-points", "--picture",
                                       "--knock",       "--delay", "--drift"};
    views->options = snw_synth_view_options_default();
    views->path = cli_value(arguments, "--views", NULL);
    views->truth = cli_value(arguments, "--truth", NULL);
    for (size_t n = 0; !views->path && n < sizeof with / sizeof *with; n++)
        if (cli_flag(arguments, with[n]))
            return cli_misuse(arguments, "%s goes with --views", with[n]);
    if (!views->path) return CLI_DONE;
    int64_t cameras = 0, seed = (int64_t)views->options.seed;
    double lost = 0, drift = 0;
    if (!cli_integer(arguments, "--cameras", 0, SNW_SYNTH_CAMERA_MAX, &cameras) ||
        !cli_integer(arguments, "--seed", 0, INT64_MAX, &seed) ||
        !cli_number(arguments, "--pixel-noise", 0, 1000, &views->options.noise) ||
        !cli_number(arguments, "--picture", 16, 1e5, &views->options.width) ||
        !cli_number(arguments, "--lost", 0, 100, &lost) ||
        !cli_number(arguments, "--false-points", 0, 1e4, &views->options.false_count) ||
        !cli_number(arguments, "--delay", 0, 1e4, &views->options.delay) ||
        !cli_number(arguments, "--drift", 0, 1e4, &drift) ||
        !read_knock(arguments, &views->options))
        return CLI_USAGE;
    if (cameras < 1) return cli_misuse(arguments, "--views needs --cameras");
    if (views->options.knocked >= cameras)
        return cli_misuse(arguments, "--knock names camera %d of %d", views->options.knocked + 1,
                          (int)cameras);
    views->options.lost_share = lost / 100;
    views->options.drift = drift * 1e-6;
    views->options.seed = (uint64_t)seed;
    return CLI_DONE;
}

bool cli_synth_views_file(const cli_synth_views *views, int n, char path[CLI_VIEW_PATH])
{
    static const char *const ending[CLI_VIEW_FILES] = {"", ".toml", "-views.csv", "-cameras.toml",
                                                       "-clocks.csv"};
    const char *stem = n < 2 ? views->path : views->truth;
    if (!views->path || !stem || n >= CLI_VIEW_FILES) return false;
    const char *dot = strrchr(stem, '.'), *slash = strrchr(stem, '/');
    bool is_cut = n == 1 && dot && (!slash || dot > slash);
    snw_format(path, CLI_VIEW_PATH, "%.*s%s", (int)(is_cut ? dot - stem : (long)strlen(stem)), stem,
               ending[n]);
    return true;
}

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct made_views {
    const snw_synth *synth;
    const snw_synth_views *made;
} made_views;

static const char *name_of(const made_views *all, int marker)
{
    return marker == SNW_SYNTH_NOBODY ? "" : all->synth->marker[marker].name;
}

/* Whose point it is, in the order of the file. */
static bool print_points(FILE *out, const void *context)
{
    const made_views *all = context;
    const snw_views *views = all->made->views;
    fputs("frame,camera,x,y,marker,merged\n", out);
    for (int f = 0; f < views->frame_count; f++)
        for (int c = 0; c < views->camera_count; c++) {
            const int *first = views->first + (size_t)c * (size_t)views->frame_count + f;
            for (int d = first[0]; d < first[1]; d++) {
                char line[160];
                snw_format(line, sizeof line, "%d,%s,%.3f,%.3f,", f + views->first_frame,
                           all->made->cameras->camera[c].name, (double)views->keypoint[d].x,
                           (double)views->keypoint[d].y);
                fputs(line, out);
                cli_put_csv_field(name_of(all, all->made->marker[d]), out);
                fputc(',', out);
                cli_put_csv_field(name_of(all, all->made->merged[d]), out);
                fputc('\n', out);
            }
        }
    return true;
}

static bool print_clocks(FILE *out, const void *context)
{
    const made_views *all = context;
    fputs("camera,delay_s,drift_ppm\n", out);
    for (int c = 0; c < all->made->cameras->count; c++) {
        char line[160];
        snw_format(line, sizeof line, "%s,%.6f,%.3f\n", all->made->cameras->camera[c].name,
                   all->made->delay[c], 1e6 * all->made->drift[c]);
        fputs(line, out);
    }
    return true;
}

int cli_synth_views_write(const cli_arguments *arguments, const cli_synth_views *views,
                          const snw_synth *synth)
{
    bool overwrite = cli_flag(arguments, "--force");
    char path[CLI_VIEW_FILES][CLI_VIEW_PATH];
    snw_synth_views *made = NULL;
    snw_error error;
    if (snw_synth_views_create(synth, &views->options, NULL, &made, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    const made_views all = {synth, made};
    int count = 0;
    while (cli_synth_views_file(views, count, path[count]))
        count++;
    snw_status status =
        snw_write_views_file(path[0], overwrite, made->views, made->calibration, &error);
    if (status == SNW_OK)
        status = snw_write_cameras_file(path[1], overwrite, made->calibration, &error);
    if (status == SNW_OK && count > 2)
        status = snw_write_cameras_file(path[3], overwrite, made->cameras, &error);
    int done = status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
    if (done == CLI_DONE && count > 2)
        done = cli_write_whole(arguments, path[2], print_points, &all);
    if (done == CLI_DONE && count > 2)
        done = cli_write_whole(arguments, path[4], print_clocks, &all);
    if (done == CLI_DONE && !cli_flag(arguments, "--json")) {
        cli_print_path(path[0]);
        printf("%d points of %d camera%s\n", made->detection_count, made->cameras->count,
               cli_s(made->cameras->count));
    }
    snw_synth_views_destroy(made);
    return done;
}

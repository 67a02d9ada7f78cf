/* `sinew triangulate`: keypoints of several cameras become joints in space. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "output.h"
#include "text.h"
#include "views/folders.h"
#include "views/views.h"

snw_cameras *cli_read_cameras(const cli_arguments *arguments, const char *path)
{
    snw_read_options options = snw_read_options_default();
    snw_notes notes = snw_notes_none();
    snw_cameras *cameras = NULL;
    snw_error error;
    if (!cli_read_options(arguments, &options)) return NULL;
    if (snw_read_cameras_file(path, &options, NULL, &cameras, &notes, &error) != SNW_OK) {
        cli_fail(arguments, "%s", error.message);
        return NULL;
    }
    cli_print_notes(arguments, &notes);
    return cameras;
}

static void print_report(const snw_trial *trial, const snw_cameras *cameras,
                         const snw_view_report *report)
{
    printf("%d %s, %d points, %d frames at %g Hz; pictures fit to %.1f pixels\n",
           report->person_count, report->person_count == 1 ? "person" : "people",
           trial->marker_count / report->person_count, trial->frame_count, trial->rate,
           report->residual);
    for (int c = 0; c < cameras->count; c++) {
        const snw_view_camera *camera = report->camera + c;
        fputs("  ", stdout);
        cli_print_text(stdout, cameras->camera[c].name, 20);
        printf(" %8d sightings, %6.1f pixels off%s%s\n", camera->sighting_count, camera->residual,
               camera->is_left_out ? ", left out" : "",
               camera->is_moved && !camera->is_left_out ? ", moved" : "");
    }
    printf("  %d of %d sightings are not believed, %d limbs had left and right exchanged\n",
           report->far_count, report->sighting_count, report->exchanged_count);
}

void cli_json_camera(cli_json *json, const char *name, const snw_view_camera *camera)
{
    cli_json_object(json, NULL);
    cli_json_string(json, "name", name);
    cli_json_integer(json, "sightings", camera->sighting_count);
    cli_json_number(json, "residual_px", camera->residual);
    cli_json_boolean(json, "moved", camera->is_moved);
    cli_json_boolean(json, "left_out", camera->is_left_out);
    cli_json_number(json, "moved_by_m", camera->moved_by);
    cli_json_number(json, "turned_by_rad", camera->turned_by);
    cli_json_end_object(json);
}

static void print_json(const snw_trial *trial, const snw_cameras *cameras,
                       const snw_view_report *report, const snw_notes *notes)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "people", report->person_count);
    cli_json_integer(&json, "points", trial->marker_count / report->person_count);
    cli_json_integer(&json, "frames", trial->frame_count);
    cli_json_number(&json, "residual_px", report->residual);
    cli_json_integer(&json, "sightings", report->sighting_count);
    cli_json_integer(&json, "sightings_far", report->far_count);
    cli_json_integer(&json, "limbs_exchanged", report->exchanged_count);
    cli_json_array(&json, "cameras");
    for (int c = 0; c < cameras->count; c++)
        cli_json_camera(&json, cameras->camera[c].name, report->camera + c);
    cli_json_end_array(&json);
    cli_json_notes(&json, notes);
    cli_json_end_object(&json);
}

int cli_write_triangulated(const cli_arguments *arguments, const snw_trial *trial)
{
    const char *path = cli_value(arguments, "--output", NULL);
    snw_write_options options = snw_write_options_default();
    snw_error error;
    options.points = SNW_POINTS_POSITIONS;
    if (!path) return CLI_DONE;
    if (snw_write_trial_file(path, cli_flag(arguments, "--force"), trial, &options, &error) !=
        SNW_OK)
        return cli_fail_writing(arguments, &error);
    return CLI_DONE;
}

void cli_set_up(const cli_arguments *arguments, snw_trial *trial)
{
    trial->up = SNW_UP_Z;
    trial->is_up_assumed = true;
    if (!cli_value(arguments, "--up", NULL)) return;
    trial->is_up_assumed = false;
    cli_parse_up(arguments, "--up", &trial->up);
}

bool cli_are_points(const cli_arguments *arguments)
{
    struct stat about;
    return arguments->operand_count == 1 && stat(arguments->operand[0], &about) == 0 &&
           !S_ISDIR(about.st_mode);
}

/* The markers alone. */
static snw_trial *triangulate_points(const cli_arguments *arguments, const snw_cameras *cameras,
                                     double rate)
{
    snw_reconstruct_options options = snw_reconstruct_options_default();
    snw_reconstruction *made = cli_reconstruct(arguments, cameras, rate, &options);
    snw_trial *trial = NULL;
    if (made) {
        trial = made->trial;
        made->trial = NULL;
        cli_set_up(arguments, trial);
    }
    snw_reconstruction_destroy(made);
    return trial;
}

/* Cameras that ran freely are brought to the first one's clock, which is told. False: complained.
 */
static bool synchronise(const cli_arguments *arguments, const snw_cameras *cameras, double longest,
                        snw_views **views)
{
    snw_view_clock clock[SNW_CAMERAS_MAX];
    snw_views *shifted = NULL;
    snw_error error;
    if (snw_views_synchronise(*views, cameras, longest, NULL, clock, &error) != SNW_OK ||
        snw_views_shift(*views, clock, NULL, &shifted, &error) != SNW_OK) {
        cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
        return false;
    }
    for (int c = 1; c < cameras->count; c++)
        cli_note(
            arguments,
            "camera %s runs %.2f frames %s the first one (+-%.2f), its rate is off by %.0f ppm",
            cameras->camera[c].name, fabs(clock[c].delay) * (*views)->rate,
            clock[c].delay < 0 ? "before" : "behind", clock[c].sigma * (*views)->rate,
            1e6 * clock[c].drift);
    snw_views_destroy(*views);
    *views = shifted;
    return true;
}

snw_trial *cli_triangulate(const cli_arguments *arguments, const snw_cameras *cameras, double rate,
                           const snw_view_options *options)
{
    if (cli_are_points(arguments)) return triangulate_points(arguments, cameras, rate);
    const char *set = cli_value(arguments, "--points", NULL);
    snw_trial *trial = NULL;
    snw_error error;
    const cli_folders from = {arguments->operand, arguments->operand_count};
    snw_views *views =
        cli_read_views(arguments, &from, cameras, set ? snw_keypoint_set_find(set) : -1);
    if (!views) return NULL;
    views->rate = rate;
    double longest = 0;
    if (!cli_number(arguments, "--synchronise", 1e-3, 1e3, &longest) ||
        (longest > 0 && !synchronise(arguments, cameras, longest, &views))) {
        snw_views_destroy(views);
        return NULL;
    }
    if (snw_views_triangulate(views, cameras, options, NULL, &trial, &error) != SNW_OK)
        cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    snw_views_destroy(views);
    if (!trial) return NULL;
    cli_set_up(arguments, trial);
    return trial;
}

static int triangulate(const cli_arguments *arguments, const snw_cameras *cameras, double rate,
                       snw_view_options *options)
{
    snw_view_camera told[SNW_CAMERAS_MAX];
    snw_view_report report = {.camera = told};
    snw_notes notes = snw_notes_none();
    options->report = &report;
    options->notes = &notes;
    snw_trial *trial = cli_triangulate(arguments, cameras, rate, options);
    if (!trial) return CLI_FAILED;
    cli_print_notes(arguments, &notes);
    int status = cli_write_triangulated(arguments, trial);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(trial, cameras, &report, &notes);
    else if (status == CLI_DONE)
        print_report(trial, cameras, &report);
    snw_trial_destroy(trial);
    return status;
}

static int run_triangulate(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", "--rays", NULL};
    const char *calibration = cli_value(arguments, "--cameras", NULL);
    const char *set = cli_value(arguments, "--points", NULL);
    snw_view_options options = snw_view_options_default();
    int64_t people = 0;
    double rate = 60;
    snw_up_axis up = SNW_UP_UNKNOWN;
    if (!calibration) return cli_misuse(arguments, "--cameras FILE says where the cameras stand");
    if (!cli_integer(arguments, "--people", 1, 64, &people) ||
        !cli_number(arguments, "--rate", 0.001, 1e6, &rate))
        return CLI_USAGE;
    if (cli_value(arguments, "--up", NULL) && !cli_parse_up(arguments, "--up", &up))
        return CLI_USAGE;
    if (set && snw_keypoint_set_find(set) < 0) {
        char known[256];
        cli_keypoint_sets(known);
        return cli_misuse(arguments, "there is no set of points called \"%s\"; there are %s", set,
                          known);
    }
    int status = cli_check_output_options(arguments, outputs);
    if (status != CLI_DONE) return status;
    options.person_max = (int)people;
    options.is_smooth = cli_flag(arguments, "--smooth");
    options.keeps_cameras = cli_flag(arguments, "--keep-cameras");
    bool are_points = cli_are_points(arguments);
    if (!are_points && cli_value(arguments, "--rays", NULL))
        return cli_misuse(arguments, "--rays goes with points that nobody named");
    if (are_points && cli_flag(arguments, "--synchronise"))
        return cli_misuse(arguments, "--synchronise is for keypoints");
    if (!are_points && !cli_value(arguments, "--rate", NULL))
        cli_note(arguments, "keypoints have no clock: 60 frames per second are assumed (--rate)");
    snw_cameras *cameras = cli_read_cameras(arguments, calibration);
    if (!cameras)
        status = CLI_FAILED;
    else if (are_points)
        status = cli_triangulate_points(arguments, cameras,
                                        cli_value(arguments, "--rate", NULL) ? rate : 0);
    else
        status = triangulate(arguments, cameras, rate, &options);
    snw_cameras_destroy(cameras);
    return status;
}

static const cli_option triangulate_options[] = {
    {"--output", "-o", "FILE", "joints over time; .trc, .c3d, .csv"},
    {"--cameras", NULL, "FILE", "the calibration: any that `sinew cameras` reads"},
    {"--rate", NULL, "HZ", "frames per second (default: 60; of POINTS: what the file says)"},
    {"--points", NULL, "SET", "body_25, body_25b, coco_17, ... (default: by what is in the files)"},
    {"--people", NULL, "N", "so many at most (default: all whom three cameras see half the time)"},
    {"--smooth", NULL, NULL, "joints move as calmly as walking people do"},
    {"--keep-cameras", NULL, NULL, "do not put right a camera that was knocked"},
    {"--synchronise", NULL, "S", "cameras ran freely, by up to S seconds apart: the motion tells"},
    {"--rays", NULL, "FILE", "of POINTS: also write what single cameras saw, as CSV"},
    {"--up", NULL, "AXIS", "which axis points up: x, y, z, -x, -y, -z (default: z)"},
    {"--force", "-f", NULL, "overwrite a file that is there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_triangulate_command = {
    "triangulate",
    "what several cameras saw becomes joints or markers in space",
    "FOLDER | FOLDERS... | POINTS",
    "FOLDER has a folder for each camera, with a JSON file for each picture as OpenPose, "
    "AlphaPose\n"
    "and COCO write them; or name these folders. A folder belongs to the camera whose name it\n"
    "holds, else they go in their order. People are matched between views and over time, left and\n"
    "right put right, a camera that was knocked is found and put right, and every joint's path is\n"
    "the likeliest one by all pictures together. `sinew solve` makes a body of the result.\n"
    "POINTS is a file of what marker cameras saw: CSV (frame,camera,x,y) or JSON lines; its "
    "points\n"
    "are matched between cameras and followed over time, and become trajectories without names.\n\n"
    "examples:\n"
    "  sinew triangulate balance/ --cameras Calib.toml --rate 60 -o balance.trc\n"
    "  sinew solve balance.trc -o balance.bvh\n"
    "  sinew triangulate points.csv --cameras points.toml -o markers.c3d\n",
    triangulate_options,
    1,
    SNW_CAMERAS_MAX,
    run_triangulate,
};

/* `sinew cameras`: what a calibration says, drawn from above, converted. */
#include <math.h>
#include <string.h>

#include "input.h"
#include "output.h"
#include "text.h"
#include "views/views.h"

static snw_vec3 direction_of(const snw_camera *camera)
{
    return snw_quat_unrotate(camera->camera_from_world.rotation, snw_vec3_make(0, 0, 1));
}

static double field_of(const snw_camera *camera)
{
    snw_vec3 left, right;
    const double a[2] = {0, camera->center_y}, b[2] = {camera->width, camera->center_y};
    if (!(camera->width > 0) || !snw_camera_ray(camera, a, &left) ||
        !snw_camera_ray(camera, b, &right))
        return 0;
    return snw_vec3_angle(left, right);
}

static void print_cameras(const char *path, const snw_cameras *cameras)
{
    cli_print_path(path);
    printf("%d camera%s\n", cameras->count, cli_s(cameras->count));
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        snw_vec3 at = snw_camera_place(camera), to = direction_of(camera);
        fputs("  ", stdout);
        cli_print_text(stdout, camera->name, 20);
        printf(" %gx%g, %s, focal %.0f px (%.0f degrees wide), at %.3f %.3f %.3f m, looks "
               "%.2f %.2f %.2f\n",
               camera->width, camera->height, camera->is_fisheye ? "fisheye" : "pinhole",
               camera->focal_x, snw_degrees(field_of(camera)), at.x, at.y, at.z, to.x, to.y, to.z);
    }
}

static void print_json(const snw_cameras *cameras)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_array(&json, "cameras");
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        snw_vec3 at = snw_camera_place(camera), to = direction_of(camera);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", camera->name);
        cli_json_numbers(&json, "size_px", (double[]){camera->width, camera->height}, 2);
        cli_json_numbers(&json, "focal_px", (double[]){camera->focal_x, camera->focal_y}, 2);
        cli_json_numbers(&json, "center_px", (double[]){camera->center_x, camera->center_y}, 2);
        cli_json_boolean(&json, "fisheye", camera->is_fisheye);
        cli_json_numbers(&json, "distortion", camera->distortion, SNW_CAMERA_LENS);
        cli_json_numbers(&json, "place_m", (double[]){at.x, at.y, at.z}, 3);
        cli_json_numbers(&json, "looks", (double[]){to.x, to.y, to.z}, 3);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static int check_words(const cli_arguments *arguments)
{
    static const char *const with[] = {"--anew", "--lens", "--wand", "--bone", "--height"};
    for (size_t n = 0; n < sizeof with / sizeof *with; n++)
        if (cli_flag(arguments, with[n]) && !cli_flag(arguments, "--calibrate"))
            return cli_misuse(arguments, "%s goes with --calibrate", with[n]);
    bool has_size = cli_flag(arguments, "--wand") || cli_flag(arguments, "--bone") ||
                    cli_flag(arguments, "--height");
    if (cli_flag(arguments, "--anew") && !has_size)
        return cli_misuse(arguments, "--anew needs a size: --wand, --bone or --height");
    return CLI_DONE;
}

static int run_cameras(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", "--svg", NULL};
    const char *out = cli_value(arguments, "--output", NULL),
               *picture = cli_value(arguments, "--svg", NULL);
    bool calibrates = cli_flag(arguments, "--calibrate");
    snw_cameras *made = NULL;
    snw_error error;
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, out, true, outputs);
    if (status == CLI_DONE) status = check_words(arguments);
    if (status != CLI_DONE) return status;
    snw_cameras *cameras = cli_read_cameras(arguments, arguments->operand[0]);
    if (!cameras) return CLI_FAILED;
    if (calibrates) status = cli_calibrate_cameras(arguments, cameras, &made);
    const snw_cameras *shown = made ? made : cameras;
    if (status == CLI_DONE && out &&
        snw_write_cameras_file(out, cli_flag(arguments, "--force"), shown, &error) != SNW_OK)
        status = cli_fail_writing(arguments, &error);
    if (status == CLI_DONE && picture)
        status = cli_write_whole(arguments, picture, cli_draw_cameras, shown);
    if (status == CLI_DONE && !calibrates && cli_flag(arguments, "--json"))
        print_json(cameras);
    else if (status == CLI_DONE && !calibrates)
        print_cameras(arguments->operand[0], cameras);
    snw_cameras_destroy(made);
    snw_cameras_destroy(cameras);
    return status;
}

static const cli_option cameras_options[] = {
    {"--output", "-o", "FILE",
     "write it: .toml, .yml (OpenCV), .qca.txt, .xcp (Vicon), .mcal (OptiTrack)"},
    {"--svg", NULL, "FILE", "draw them from above and from the side"},
    {"--calibrate", NULL, "VIEWS",
     "where they stand by what they saw: a folder of keypoints, or points"},
    {"--anew", NULL, NULL, "their poses are not known, only their lenses; needs a size"},
    {"--lens", NULL, NULL, "find focal lengths and k1 too"},
    {"--wand", NULL, "M", "metres between the ends of a wand of three markers"},
    {"--bone", NULL, "A:B:M", "metres between two keypoints: LHip:LKnee:0.42"},
    {"--height", NULL, "M", "metres: how tall the person of the keypoints is"},
    CLI_INPUT_UNIT_OPTION,
    {"--force", "-f", NULL, "overwrite a file that is there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_cameras_command = {
    "cameras",
    "what a calibration of cameras says; convert it, draw it, make it from what they saw",
    "CALIBRATION",
    "CALIBRATION is TOML as Pose2Sim, Anipose and Caliscope write it, Qualisys' .qca.txt, "
    "OpenCV's\n"
    "YAML, Vicon's .xcp or OptiTrack's .mcal.\n"
    "With --calibrate poses follow from what the cameras see alike (bundle adjustment): a wand of\n"
    "one or three markers, markers of a capture, or somebody who walks. What moved since the\n"
    "calibration is told; with --anew they may stand anywhere.\n\n"
    "examples:\n"
    "  sinew cameras Calib.toml --svg cameras.svg\n"
    "  sinew cameras Calib.qca.txt -o lab.toml\n"
    "  sinew cameras lab.toml -o lab.yml\n"
    "  sinew cameras points.toml --calibrate points.csv -o today.toml\n",
    cameras_options,
    1,
    1,
    run_cameras,
};

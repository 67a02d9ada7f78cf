/* `sinew synth`: a capture with known truth. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "input.h"
#include "output.h"
#include "text.h"
#include "views/synth_views.h"

#define SYNTH_GAPS_MAX 64

/* What the words of the command line ask for. */
typedef struct synth_request {
    snw_synth_options options;
    snw_synth_gap gap[SYNTH_GAPS_MAX];
    int hand_gap_count; /* gaps of the eight markers of --hand */
    const char *body;
    const char *from;
    const char *asf; /* the body of an AMC file */
    const char *truth;
    const char *rays;
    const char *sensors;
    double magnetic; /* radians */
    cli_synth_views views;
} synth_request;

typedef struct synth_scene {
    snw_skeleton *skeleton;
    snw_motion *motion; /* of --from; NULL = built in */
    snw_synth *synth;
    snw_inertial *sensors; /* of --sensors, and the motion with the rest before it */
    snw_motion *whole;
} synth_scene;

/* ---- the words ---------------------------------------------------------------------------- */

static int read_motion(const cli_arguments *arguments, synth_request *request)
{
    const char *name = cli_value(arguments, "--motion", "walk");
    int motion = snw_synth_motion_find(name);
    if (motion < 0) return cli_misuse(arguments, "there is no motion \"%s\"", name);
    request->options.motion = (snw_synth_motion_kind)motion;
    request->from = cli_value(arguments, "--from", NULL);
    request->asf = cli_value(arguments, "--asf", NULL);
    if (request->asf && !request->from)
        return cli_misuse(arguments, "--asf is the body of an AMC file that --from names");
    bool is_hand = request->options.motion == SNW_SYNTH_GESTURES;
    request->body = cli_value(arguments, "--body", is_hand ? "hand25" : "humanoid");
    static const char *const built_in[] = {"--motion", "--seconds", "--rate", "--body", "--path"};
    for (size_t i = 0; request->from && i < sizeof built_in / sizeof built_in[0]; i++)
        if (cli_flag(arguments, built_in[i]))
            return cli_misuse(arguments, "%s does not go with --from, which brings its own",
                              built_in[i]);
    const char *path = cli_value(arguments, "--path", NULL);
    if (path && strcmp(path, "straight") == 0)
        request->options.path_radius = INFINITY;
    else if (!cli_number(arguments, "--path", 1.5, 1e6, &request->options.path_radius))
        return CLI_USAGE;
    return CLI_DONE;
}

static int read_markers(const cli_arguments *arguments, synth_request *request)
{
    snw_synth_options *options = &request->options;
    /* Landmarks are known for two bodies; elsewhere four markers sit on each segment. */
    bool has_landmarks = !request->from && (strcmp(request->body, "humanoid") == 0 ||
                                            strcmp(request->body, "hand25") == 0);
    const char *text = cli_value(arguments, "--markers", has_landmarks ? "anatomical" : "4");
    options->placement = SNW_SYNTH_ANATOMICAL;
    if (strcmp(text, "anatomical") == 0) return CLI_DONE;
    int64_t count;
    const char *end = snw_parse_int64(text, text + strlen(text), &count);
    if (!end || *end || count < 1 || count > 100)
        return cli_misuse(arguments, "--markers takes 1 to 100 or \"anatomical\", not \"%s\"",
                          text);
    options->placement = SNW_SYNTH_RANDOM;
    options->markers_per_segment = (int)count;
    return CLI_DONE;
}

static int read_gaps(const cli_arguments *arguments, synth_request *request)
{
    const char *text;
    snw_error error;
    int count = 0;
    for (; (text = cli_value_at(arguments, "--gaps", count)) != NULL; count++) {
        if (count == SYNTH_GAPS_MAX)
            return cli_misuse(arguments, "more than %d gaps", SYNTH_GAPS_MAX);
        if (snw_synth_gap_parse(text, &request->gap[count], &error) != SNW_OK)
            return cli_misuse(arguments, "%s", error.message);
    }
    request->options.gap_count = count;
    request->options.gap = request->gap;
    return CLI_DONE;
}

/* Millimetres and degrees end here. */
static int read_amounts(const cli_arguments *arguments, synth_request *request)
{
    snw_synth_options *options = &request->options;
    double noise_mm = 1000 * options->noise, wobble_mm = 1000 * options->wobble;
    int64_t cameras = options->camera_count, seed = (int64_t)options->seed;
    if (!cli_number(arguments, "--seconds", 0.001, 1e6, &options->seconds) ||
        !cli_number(arguments, "--rate", 0.001, 1e5, &options->rate) ||
        !cli_number(arguments, "--noise", 0, 1000, &noise_mm) ||
        !cli_number(arguments, "--wobble", 0, 1000, &wobble_mm) ||
        !cli_integer(arguments, "--cameras", 0, SNW_SYNTH_CAMERA_MAX, &cameras) ||
        !cli_integer(arguments, "--seed", 0, INT64_MAX, &seed))
        return CLI_USAGE;
    options->noise = noise_mm / 1000;
    options->wobble = wobble_mm / 1000;
    options->camera_count = (int)cameras;
    options->seed = (uint64_t)seed;
    const char *up = cli_value(arguments, "--up", "y");
    if (strcmp(up, "y") != 0 && strcmp(up, "z") != 0)
        return cli_misuse(arguments, "--up takes y or z, not \"%s\"", up);
    options->up = *up == 'z' ? SNW_UP_Z : SNW_UP_Y;
    return CLI_DONE;
}

static int read_request(const cli_arguments *arguments, synth_request *request)
{
    memset(request, 0, sizeof *request);
    request->options = snw_synth_options_default();
    request->truth = cli_value(arguments, "--truth", NULL);
    request->rays = cli_value(arguments, "--rays", NULL);
    request->sensors = cli_value(arguments, "--sensors", NULL);
    double magnetic = snw_degrees(snw_synth_sensor_options_default().magnetic_trouble);
    if (cli_flag(arguments, "--magnetic") && !request->sensors)
        return cli_misuse(arguments, "--magnetic goes with --sensors");
    if (!cli_number(arguments, "--magnetic", 0, 180, &magnetic)) return CLI_USAGE;
    request->magnetic = snw_radians(magnetic);
    int status = read_motion(arguments, request);
    if (status == CLI_DONE) status = read_markers(arguments, request);
    if (status == CLI_DONE) status = read_amounts(arguments, request);
    if (status == CLI_DONE) status = read_gaps(arguments, request);
    if (status == CLI_DONE) status = cli_synth_views_read(arguments, &request->views);
    if (status == CLI_DONE && !snw_format_writes_trial(snw_format_from_name(arguments->operand[0])))
        return cli_misuse(arguments, "%s: markers are not written in this format",
                          arguments->operand[0]);
    return status;
}

/* ---- making ------------------------------------------------------------------------------- */

/* Bodies and motions are read as their files have them: --up is about what comes out. */
static snw_status read_source(const cli_arguments *arguments, const synth_request *request,
                              synth_scene *scene, snw_error *error)
{
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_status status =
        request->asf
            ? snw_read_acclaim_file(&(snw_acclaim_paths){request->asf, request->from}, NULL, NULL,
                                    &scene->motion, &notes, error)
            : snw_read_motion_file(request->from, NULL, NULL, &scene->motion, &notes, error);
    cli_print_notes(arguments, &notes);
    return status;
}

/* What sensors say of the motion; the capture is then of the same frames, rest and all. */
static snw_status add_sensors(const synth_request *request, synth_scene *scene, snw_error *error)
{
    snw_synth *without = scene->synth;
    snw_synth_sensor_options options = snw_synth_sensor_options_default();
    options.seed = request->options.seed;
    options.magnetic_trouble = request->magnetic;
    snw_status status =
        snw_synth_sensors(without->motion, &options, NULL, &scene->sensors, &scene->whole, error);
    const snw_xform lie_down = snw_xform_make(
        snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), -SNW_PI / 2), snw_vec3_make(0, 0, 0));
    for (int f = 0; status == SNW_OK && f < scene->whole->frame_count; f++)
        scene->whole->root[f] = snw_xform_mul(lie_down, scene->whole->root[f]);
    if (status == SNW_OK)
        status = snw_synth_create(without->motion->skeleton, scene->whole, &request->options, NULL,
                                  &scene->synth, error);
    if (scene->synth == without) return status;
    snw_synth_destroy(without);
    return status;
}

static snw_status make_scene(const cli_arguments *arguments, const synth_request *request,
                             synth_scene *scene, snw_error *error)
{
    snw_status status = request->from
                            ? read_source(arguments, request, scene, error)
                            : snw_preset_create(request->body, NULL, &scene->skeleton, error);
    if (status != SNW_OK) return status;
    status = snw_synth_create(scene->motion ? scene->motion->skeleton : scene->skeleton,
                              scene->motion, &request->options, NULL, &scene->synth, error);
    return status == SNW_OK && request->sensors ? add_sensors(request, scene, error) : status;
}

static void destroy_scene(synth_scene *scene)
{
    snw_synth_destroy(scene->synth);
    snw_inertial_destroy(scene->sensors);
    snw_motion_destroy(scene->whole);
    snw_motion_destroy(scene->motion);
    snw_skeleton_destroy(scene->skeleton);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Millimetres in the axes of the capture; frames from 1, as in the C3D. */
static bool print_rays(FILE *out, const void *context)
{
    const snw_synth *synth = context;
    fputs(CLI_RAYS_HEAD, out);
    for (int i = 0; i < synth->ray_count; i++) {
        const snw_synth_ray *ray = synth->ray + i;
        cli_put_ray(out, synth->marker[ray->marker].name,
                    (int[]){ray->frame + synth->capture->first_frame, ray->camera + 1}, ray->origin,
                    ray->direction);
    }
    return true;
}

#define SYNTH_PATH_SIZE CLI_VIEW_PATH

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot : "";
}

/* The nth file that is written: the capture, three of truth, the rays. False when it is not. */
static bool file_number(const cli_arguments *arguments, const synth_request *request, int n,
                        char path[SYNTH_PATH_SIZE])
{
    static const char *const truth[] = {"-markers", "-joints", "-motion.bvh"};
    const char *out = arguments->operand[0];
    if (n == 0) snw_format(path, SYNTH_PATH_SIZE, "%s", out);
    if (n >= 1 && n <= 3 && request->truth)
        snw_format(path, SYNTH_PATH_SIZE, "%s%s%s", request->truth, truth[n - 1],
                   n < 3 ? ending_of(out) : "");
    if (n == 4 && request->rays) snw_format(path, SYNTH_PATH_SIZE, "%s", request->rays);
    return n == 0 || (n <= 3 ? request->truth : request->rays) != NULL;
}

/* Whether the folder of `path` is there and takes files. */
static bool can_write_beside(const char *path)
{
    char folder[SYNTH_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    snw_format(folder, sizeof folder, "%.*s", length, path);
    return access(length ? folder : slash ? "/" : ".", W_OK) == 0;
}

/* All or nothing: one file in the way stops the others from being written. */
static int check_files(const cli_arguments *arguments, const synth_request *request)
{
    char path[5 + CLI_VIEW_FILES][SYNTH_PATH_SIZE];
    const char *names[] = {arguments->operand[0], request->truth, request->rays,
                           request->views.path};
    for (int i = 0; i < 4; i++)
        if (names[i] && strlen(names[i]) > SYNTH_PATH_SIZE - 100)
            return cli_misuse(arguments, "a file name of %d letters is too long",
                              (int)strlen(names[i]));
    const char *files[6 + CLI_VIEW_FILES] = {NULL};
    files[5 + CLI_VIEW_FILES] = request->sensors;
    if (request->sensors && !can_write_beside(request->sensors))
        return cli_fail(arguments, "%s could not be written: %s", request->sensors,
                        strerror(errno));
    for (int n = 0; n < 5 + CLI_VIEW_FILES; n++) {
        if (n < 5 ? !file_number(arguments, request, n, path[n])
                  : !cli_synth_views_file(&request->views, n - 5, path[n]))
            continue;
        files[n] = path[n];
        if (!can_write_beside(path[n]))
            return cli_fail(arguments, "%s could not be written: %s", path[n], strerror(errno));
    }
    return cli_check_outputs(arguments, files, 6 + CLI_VIEW_FILES);
}

/* BVH has +Y up: the motion is turned back into the axes in which bodies are built. */
static void turn_up_to_y(snw_motion *motion)
{
    const snw_xform turn =
        snw_xform_make(snw_quat_make(0.5, -0.5, -0.5, -0.5), snw_vec3_make(0, 0, 0));
    for (int f = 0; f < motion->frame_count; f++)
        motion->root[f] = snw_xform_mul(turn, motion->root[f]);
}

static snw_status write_truth(const cli_arguments *arguments, const synth_request *request,
                              const snw_synth *synth, snw_error *error)
{
    bool overwrite = cli_flag(arguments, "--force");
    const snw_trial *trials[2] = {synth->marker_truth, synth->joint_truth};
    char path[SYNTH_PATH_SIZE];
    for (int i = 0; i < 2; i++) {
        file_number(arguments, request, i + 1, path);
        snw_status status = snw_write_trial_file(path, overwrite, trials[i], NULL, error);
        if (status != SNW_OK) return status;
    }
    if (request->options.up == SNW_UP_Z) turn_up_to_y(synth->motion);
    file_number(arguments, request, 3, path);
    return snw_write_motion_file(path, overwrite, synth->motion, NULL, error);
}

/* The capture loses its labels; what the truth says of them stays. */
static snw_status unlabel(snw_synth *synth, uint64_t seed, snw_error *error)
{
    snw_trial *raw = NULL;
    snw_status status = snw_synth_unlabel(synth->capture, seed, NULL, &raw, error);
    if (status != SNW_OK) return status;
    snw_trial_destroy(synth->capture);
    synth->capture = raw;
    return SNW_OK;
}

static int write_all(const cli_arguments *arguments, const synth_request *request,
                     const synth_scene *scene)
{
    snw_synth *synth = scene->synth;
    snw_error error;
    if (cli_flag(arguments, "--unlabelled") &&
        unlabel(synth, request->options.seed, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    bool overwrite = cli_flag(arguments, "--force");
    if (snw_write_trial_file(arguments->operand[0], overwrite, synth->capture, NULL, &error) !=
        SNW_OK)
        return cli_fail_writing(arguments, &error);
    if (request->truth && write_truth(arguments, request, synth, &error) != SNW_OK)
        return cli_fail_writing(arguments, &error);
    int status = CLI_DONE;
    if (request->rays) status = cli_write_whole(arguments, request->rays, print_rays, synth);
    if (status == CLI_DONE && request->sensors &&
        snw_write_inertial_file(request->sensors, overwrite, scene->sensors, &error) != SNW_OK)
        status = cli_fail_writing(arguments, &error);
    if (status == CLI_DONE && request->views.path)
        status = cli_synth_views_write(arguments, &request->views, synth);
    return status;
}

/* ---- saying what was made ----------------------------------------------------------------- */

static int count_missing(const snw_trial *trial)
{
    int missing = 0;
    for (int m = 0; m < trial->marker_count; m++)
        missing += snw_trial_gaps(trial, m).missing_count;
    return missing;
}

static void report_text(const cli_arguments *arguments, const synth_request *request,
                        const snw_synth *synth)
{
    const snw_trial *capture = synth->capture;
    double samples = (double)capture->frame_count * capture->marker_count;
    int missing = count_missing(capture);
    cli_print_path(arguments->operand[0]);
    printf("%d marker%s, %d frame%s at %g per second, %d sample%s missing (%.2f %%)",
           capture->marker_count, cli_s(capture->marker_count), capture->frame_count,
           cli_s(capture->frame_count), capture->rate, missing, cli_s(missing),
           100 * missing / samples);
    if (synth->camera_count > 0)
        printf(", %d of them seen by one of %d camera%s", synth->ray_count, synth->camera_count,
               cli_s(synth->camera_count));
    putchar('\n');
    char path[SYNTH_PATH_SIZE];
    for (int n = 1; n < 4; n++) {
        if (!file_number(arguments, request, n, path)) continue;
        cli_print_path(path);
        printf("the truth\n");
    }
    if (!request->rays) return;
    cli_print_path(request->rays);
    printf("%d rays\n", synth->ray_count);
}

static void report_json(const cli_arguments *arguments, const synth_request *request,
                        const snw_synth *synth)
{
    const snw_trial *capture = synth->capture;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", arguments->operand[0]);
    cli_json_string(&json, "motion",
                    request->from ? request->from : snw_synth_motion_name(request->options.motion));
    cli_json_integer(&json, "seed", (int64_t)request->options.seed);
    cli_json_integer(&json, "frames", capture->frame_count);
    cli_json_number(&json, "rate", capture->rate);
    cli_json_integer(&json, "missing", count_missing(capture));
    cli_json_integer(&json, "cameras", synth->camera_count);
    cli_json_integer(&json, "rays", synth->ray_count);
    cli_json_integer(&json, "events", capture->event_count);
    cli_json_array(&json, "markers");
    for (int m = 0; m < capture->marker_count; m++) {
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", capture->marker[m].name);
        if (!cli_flag(arguments, "--unlabelled"))
            cli_json_string(&json, "joint", synth->motion->skeleton->name[synth->marker[m].joint]);
        cli_json_integer(&json, "missing", snw_trial_gaps(capture, m).missing_count);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

/* ---- a hand ------------------------------------------------------------------------------- */

static int read_gesture(const cli_arguments *arguments, snw_synth_gesture *gesture)
{
    const char *name = cli_value(arguments, "--gesture", "all"),
               *side = cli_value(arguments, "--hand", "right");
    if (strcmp(side, "left") != 0 && strcmp(side, "right") != 0)
        return cli_misuse(arguments, "--hand takes left or right, not \"%s\"", side);
    for (int g = 0; g < SNW_SYNTH_GESTURE_COUNT; g++)
        if (strcmp(name, snw_synth_gesture_name((snw_synth_gesture)g)) == 0) {
            *gesture = (snw_synth_gesture)g;
            return CLI_DONE;
        }
    return cli_misuse(
        arguments, "there is no gesture \"%s\": all, open-close, count, pinch, wave, fist, letters",
        name);
}

/* The markers of --hand, and with --truth the joints. */
static int write_hand(const cli_arguments *arguments, const synth_request *request,
                      const snw_synth *synth)
{
    const char *side = cli_value(arguments, "--hand", "right");
    bool overwrite = cli_flag(arguments, "--force");
    double noise = cli_flag(arguments, "--noise") ? request->options.noise : 0.0005;
    char path[SYNTH_PATH_SIZE];
    snw_trial *markers = NULL, *joints = NULL;
    snw_error error;
    const snw_synth_hand_options hand = {.side = strcmp(side, "left") == 0 ? SNW_SIDE_LEFT
                                                                           : SNW_SIDE_RIGHT,
                                         .noise = noise,
                                         .seed = request->options.seed,
                                         .gap = request->gap,
                                         .gap_count = request->hand_gap_count};
    if (snw_synth_hand(synth->motion, &hand, NULL, &markers, &joints, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    markers->up = joints->up = request->options.up;
    snw_status status =
        snw_write_trial_file(arguments->operand[0], overwrite, markers, NULL, &error);
    if (status == SNW_OK && request->truth) {
        file_number(arguments, request, 2, path);
        status = snw_write_trial_file(path, overwrite, joints, NULL, &error);
    }
    if (status == SNW_OK) {
        cli_print_path(arguments->operand[0]);
        printf("a %s hand with %d markers, %d frames at %g per second\n", side,
               markers->marker_count, markers->frame_count, markers->rate);
    }
    snw_trial_destroy(markers);
    snw_trial_destroy(joints);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

/* ---- trackers instead of markers ------------------------------------------------------------ */

static int write_trackers(const cli_arguments *arguments, const synth_request *request,
                          const snw_synth *synth)
{
    snw_synth_tracker_options options = snw_synth_tracker_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    int64_t count = 4;
    if (!cli_integer(arguments, "--trackers", 3, 7, &count)) return CLI_USAGE;
    options.tracker_count = (int)count;
    options.has_elbows = cli_flag(arguments, "--elbows");
    options.seed = request->options.seed;
    if (cli_flag(arguments, "--noise")) options.noise = request->options.noise;
    if (snw_synth_trackers(synth->motion, &options, NULL, &trial, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    trial->up = request->options.up;
    snw_status status = snw_write_trial_file(arguments->operand[0], cli_flag(arguments, "--force"),
                                             trial, NULL, &error);
    if (status == SNW_OK && cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "file", arguments->operand[0]);
        cli_json_integer(&json, "trackers", trial->rotation_count);
        cli_json_integer(&json, "frames", trial->frame_count);
        cli_json_number(&json, "rate", trial->rate);
        cli_json_end_object(&json);
    } else if (status == SNW_OK) {
        cli_print_path(arguments->operand[0]);
        printf("%d trackers, %d frames at %g per second, the first second at rest\n",
               trial->rotation_count, trial->frame_count, trial->rate);
    }
    snw_trial_destroy(trial);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

static int run_synth(const cli_arguments *arguments)
{
    synth_request request;
    synth_scene scene = {NULL, NULL, NULL, NULL, NULL};
    snw_error error;
    bool is_tracked = cli_flag(arguments, "--trackers");
    bool is_hand = cli_flag(arguments, "--hand");
    int status = read_request(arguments, &request);
    if (status == CLI_DONE) status = read_gesture(arguments, &request.options.gesture);
    if (status == CLI_DONE && is_hand && request.options.motion != SNW_SYNTH_GESTURES)
        return cli_misuse(arguments, "--hand goes with --motion gestures");
    if (status == CLI_DONE && is_hand) {
        request.hand_gap_count = request.options.gap_count;
        request.options.gap_count = 0;
    }
    if (status == CLI_DONE && is_tracked) {
        snw_format_kind kind = snw_format_from_name(arguments->operand[0]);
        if (kind != SNW_FORMAT_CSV && kind != SNW_FORMAT_C3D)
            return cli_misuse(arguments, "trackers are written to .csv or .c3d");
        if (request.truth || request.rays)
            return cli_misuse(arguments, "--truth and --rays do not go with --trackers");
    }
    if (status == CLI_DONE && request.views.path && (is_tracked || is_hand))
        return cli_misuse(arguments, "--views does not go with --trackers and --hand");
    if (status == CLI_DONE && request.sensors && (is_tracked || is_hand))
        return cli_misuse(arguments, "--sensors does not go with --trackers and --hand");
    if (status == CLI_DONE && request.sensors && request.options.up != SNW_UP_Y)
        return cli_misuse(arguments, "--sensors goes with --up y: the sensors' own up is z");
    if (status == CLI_DONE && !is_tracked && cli_flag(arguments, "--elbows"))
        return cli_misuse(arguments, "--elbows goes with --trackers");
    if (status == CLI_DONE) status = check_files(arguments, &request);
    if (status != CLI_DONE) return status;
    if (make_scene(arguments, &request, &scene, &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    else
        status = is_tracked ? write_trackers(arguments, &request, scene.synth)
                 : is_hand  ? write_hand(arguments, &request, scene.synth)
                            : write_all(arguments, &request, &scene);
    bool is_told = is_tracked || is_hand; /* what was made, by the two themselves */
    if (status == CLI_DONE && cli_flag(arguments, "--json") && !is_told)
        report_json(arguments, &request, scene.synth);
    else if (status == CLI_DONE && !is_told)
        report_text(arguments, &request, scene.synth);
    destroy_scene(&scene);
    return status;
}

static const cli_option synth_options[] = {
    {"--motion", "-m", "NAME", "walk (default), run, dance, boxing, reach, range or gestures"},
    {"--seconds", NULL, "S", "how long (default: 10)"},
    {"--rate", NULL, "HZ", "frames per second (default: 120)"},
    {"--path", NULL, "M", "radius of the circle for walk and run, or \"straight\" (default: 4)"},
    {"--body", NULL, "PRESET", "who moves (default: humanoid, or hand25 for gestures)"},
    {"--from", NULL, "FILE", "the body and motion of a BVH or AMC file instead"},
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    {"--markers", NULL, "N", "so many on each segment at random, or \"anatomical\""},
    {"--noise", NULL, "MM", "standard deviation of a coordinate seen by two cameras (0.3)"},
    {"--wobble", NULL, "MM", "root mean square motion of the skin over the bone (2)"},
    {"--cameras", NULL, "N", "in a ring; segments hide markers (default: 0, all is seen)"},
    {"--gaps", NULL, "SPEC", "TARGET[/N]@FIRST+COUNT; may be repeated"},
    {"--unlabelled", NULL, NULL, "trajectories end at every gap and have no names: *1, *2, ..."},
    {"--up", NULL, "AXIS", "y (default) or z: which way is up in the capture"},
    {"--seed", NULL, "N", "the same number gives the same files (default: 1)"},
    {"--sensors", NULL, "FILE",
     "also write what 17 inertial sensors say, as CSV, a rest before it"},
    {"--magnetic", NULL, "DEG", "of --sensors: how far north is off in the room (default: 17)"},
    {"--truth", NULL, "PREFIX", "also write PREFIX-markers, PREFIX-joints and PREFIX-motion.bvh"},
    {"--gesture", NULL, "NAME",
     "of gestures: all (default), open-close, count, pinch, wave, fist, letters"},
    {"--hand", NULL, "SIDE",
     "with gestures: the 8 markers of `sinew hand` on a left or right hand"},
    {"--trackers", NULL, "N",
     "6-DoF trackers instead of markers: 3 (head, hands), 4 (and chest), 6, 7"},
    {"--elbows", NULL, NULL, "with --trackers: the true elbows too, to calibrate `sinew avatar`"},
    {"--rays", NULL, "FILE", "also write what single cameras saw, as CSV"},
    {"--views", NULL, "FILE",
     "also write what each camera saw, as CSV, and FILE.toml, where they stand"},
    {"--pixel-noise", NULL, "PX", "of --views: standard deviation of a coordinate (default: 0.3)"},
    {"--picture", NULL, "PX", "of --views: width of the square pictures (default: 2048)"},
    {"--lost", NULL, "PERCENT", "of --views: points that are seen and not reported (default: 0)"},
    {"--false-points", NULL, "N", "of --views: points of nothing in a picture (default: 0)"},
    {"--knock", NULL, "CAMERA:DEG", "of --views: a camera that was turned after the calibration"},
    {"--delay", NULL, "FRAMES", "of --views: clocks are off by up to so much (default: 0)"},
    {"--drift", NULL, "PPM", "of --views: and run too fast or slow by up to so much (default: 0)"},
    {"--force", "-f", NULL, "overwrite files that are there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_synth_command = {
    "synth",
    "make a capture with known truth: a body moves, markers ride along, cameras look",
    "OUT",
    "OUT may be any format that holds markers; its ending decides. A gap hides a marker (LKNE), N "
    "or\n"
    "all markers of a segment (left_knee/2 is two on the left shank) or of a segment (left_arm, "
    "right_arm,\nleft_leg, right_leg, head, trunk, body) for COUNT frames from frame FIRST, or "
    "from "
    "\"any\" frame.\n\n"
    "examples:\n"
    "  sinew synth walk.c3d --truth walk\n"
    "  sinew synth box.c3d --motion boxing --cameras 6 --rays box-rays.csv --truth box\n"
    "  sinew synth leg.trc --markers 4 --gaps left_knee/2@100+60 --gaps head/all@any+30\n"
    "  sinew synth hand.c3d --motion gestures --noise 0.1 --wobble 0.5\n"
    "  sinew synth take.c3d --from take.bvh --cameras 8\n"
    "  sinew synth gestures.c3d --motion gestures --hand right --gaps right_index_tip@240+120\n"
    "  sinew synth session.csv --motion boxing --trackers 4\n"
    "  sinew synth seen.c3d --cameras 8 --views points.csv --knock 3:1 --truth seen\n"
    "  sinew synth sensed.c3d --seconds 60 --sensors sensors.csv --truth sensed\n"
    "  sinew synth 02_01.c3d --from 02_01.amc --asf 02.asf",
    synth_options,
    1,
    1,
    run_synth,
};

/* `sinew sensors`: a body's motion from inertial sensors, alone or together with a capture. */
#include <stdlib.h>
#include <string.h>

#include "act/joint_points.h"
#include "command.h"
#include "input.h"
#include "output.h"
#include "text.h"
#include "verdict.h"

typedef struct sensors_job {
    const cli_arguments *arguments;
    snw_inertial *sensors;
    snw_inertial_options options;
    snw_inertial_sensor told[SNW_INERTIAL_MAX];
    snw_notes notes;
    snw_skeleton *body;     /* alone */
    snw_actor *actor;       /* alone, with --actor */
    snw_trial *capture;     /* together */
    snw_solution *solution; /* together */
    snw_motion *motion;
    snw_up_axis up;
} sensors_job;

static void release(sensors_job *job)
{
    snw_motion_destroy(job->motion);
    snw_solution_destroy(job->solution);
    snw_trial_destroy(job->capture);
    snw_actor_destroy(job->actor);
    snw_skeleton_destroy(job->body);
    snw_inertial_destroy(job->sensors);
    free(job);
}

/* ---- alone ----------------------------------------------------------------------------------- */

static snw_up_axis axis_of(snw_vec3 up)
{
    return up.x > 0.5    ? SNW_UP_X
           : up.y > 0.5  ? SNW_UP_Y
           : up.z > 0.5  ? SNW_UP_Z
           : up.x < -0.5 ? SNW_UP_NEGATIVE_X
           : up.y < -0.5 ? SNW_UP_NEGATIVE_Y
                         : SNW_UP_NEGATIVE_Z;
}

static int solve_alone(sensors_job *job)
{
    const char *actor = cli_value(job->arguments, "--actor", NULL);
    snw_error error;
    if (actor && !(job->actor = cli_read_actor(job->arguments, actor))) return CLI_FAILED;
    if (!actor && snw_preset_create("humanoid", NULL, &job->body, &error) != SNW_OK)
        return cli_fail(job->arguments, "%s", error.message);
    const snw_skeleton *body = job->actor ? job->actor->skeleton : job->body;
    if (snw_inertial_solve(job->sensors, body, &job->options, NULL, &job->motion, &error) != SNW_OK)
        return cli_fail(job->arguments, "%s: %s", job->arguments->operand[0], error.message);
    job->up = axis_of(job->sensors->up);
    return CLI_DONE;
}

/* ---- together -------------------------------------------------------------------------------- */

/* Which joints the markers of a frame show: two of the segment's own, or all where it has fewer. */
static uint8_t *find_seen(const snw_trial *trial, const snw_actor *actor)
{
    const int joints = actor->skeleton->joint_count;
    const char **names = calloc((size_t)trial->marker_count, sizeof *names);
    uint8_t *seen = calloc((size_t)trial->frame_count * (size_t)joints, 1);
    int *count = calloc(2 * (size_t)joints, sizeof *count), *of = NULL;
    if (names && seen && count) of = calloc((size_t)actor->marker_count + 1, sizeof *of);
    for (int m = 0; of && m < trial->marker_count; m++)
        names[m] = trial->marker[m].name;
    const snw_name_list list = {names, trial->marker_count};
    for (int m = 0; of && m < actor->marker_count; m++) {
        of[m] = snw_actor_find_marker(actor, &list, m);
        count[actor->marker[m].joint]++;
    }
    for (int f = 0; of && f < trial->frame_count; f++) {
        const snw_frame frame = snw_trial_frame(trial, f);
        memset(count + joints, 0, (size_t)joints * sizeof *count);
        for (int m = 0; m < actor->marker_count; m++)
            if (of[m] >= 0 && frame.state[of[m]] == SNW_SAMPLE_MEASURED)
                count[joints + actor->marker[m].joint]++;
        for (int j = 0; j < joints; j++) {
            int needed = count[j] < 2 ? count[j] : 2;
            seen[(size_t)f * (size_t)joints + (size_t)j] =
                count[j] > 0 && count[joints + j] >= needed;
        }
    }
    bool is_whole = of != NULL;
    free(names);
    free(count);
    free(of);
    if (is_whole) return seen;
    free(seen);
    return NULL;
}

static int solve_together(sensors_job *job, const char *path)
{
    snw_error error;
    if (!(job->capture = cli_read_trial(job->arguments, path, NULL))) return CLI_FAILED;
    if (snw_solve(job->capture, NULL, NULL, &job->solution, &error) != SNW_OK)
        return cli_fail(job->arguments, "%s: %s", path, error.message);
    cli_print_bodies_verdict(job->arguments, job->solution);
    if (!job->solution->body_count || !job->solution->body->motion)
        return cli_fail(job->arguments, "%s: no body was found", path);
    const snw_solved_body *body = job->solution->body;
    uint8_t *seen = find_seen(job->solution->trial, body->kept);
    if (!seen) return cli_fail(job->arguments, "there is no memory for what is seen");
    job->options.is_seen = seen;
    snw_status status =
        snw_inertial_fuse(job->sensors, body->motion, &job->options, NULL, &job->motion, &error);
    free(seen);
    job->up = job->solution->trial->up;
    return status == SNW_OK
               ? CLI_DONE
               : cli_fail(job->arguments, "%s: %s", job->arguments->operand[0], error.message);
}

/* ---- telling --------------------------------------------------------------------------------- */

static const char *joint_of(const sensors_job *job, int sensor)
{
    int joint = job->told[sensor].joint;
    return joint < 0 ? "-" : job->motion->skeleton->name[joint];
}

static void print_text(const sensors_job *job, bool is_alone)
{
    const snw_inertial *in = job->sensors;
    cli_print_path(job->arguments->operand[0]);
    printf("%d sensors, %d frames at %g Hz%s\n", in->sensor_count, in->frame_count, in->rate,
           in->has_acceleration ? "" : ", no accelerations: headings are as the sensors say them");
    for (int s = 0; s < in->sensor_count; s++) {
        const snw_inertial_sensor *told = job->told + s;
        fputs("  ", stdout);
        cli_print_text(stdout, in->name[s], 20);
        putchar(' ');
        cli_print_text(stdout, joint_of(job, s), 20);
        putchar(' ');
        if (told->joint < 0)
            printf("left out\n");
        else if (is_alone)
            printf("heading put right by %6.1f degrees, drifts by %5.1f, sure to %4.1f\n",
                   snw_degrees(told->heading), snw_degrees(told->drift), snw_degrees(told->sigma));
        else
            printf("%5.1f degrees (rms) from the markers\n", snw_degrees(told->sigma));
    }
}

static void print_json(const sensors_job *job)
{
    const snw_inertial *in = job->sensors;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "frames", in->frame_count);
    cli_json_number(&json, "rate", in->rate);
    cli_json_boolean(&json, "accelerations", in->has_acceleration);
    cli_json_array(&json, "sensors");
    for (int s = 0; s < in->sensor_count; s++) {
        const snw_inertial_sensor *told = job->told + s;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", in->name[s]);
        cli_json_string(&json, "joint", joint_of(job, s));
        cli_json_number(&json, "heading_rad", told->heading);
        cli_json_number(&json, "drift_rad", told->drift);
        cli_json_number(&json, "sigma_rad", told->sigma);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_notes(&json, &job->notes);
    cli_json_end_object(&json);
}

static int solve_and_tell(sensors_job *job, const char *capture, const char *out)
{
    int status = capture ? solve_together(job, capture) : solve_alone(job);
    if (status != CLI_DONE) return status;
    cli_print_notes(job->arguments, &job->notes);
    if (out) status = cli_write_motion_or_points(job->arguments, out, job->motion, job->up, false);
    if (status == CLI_DONE && cli_flag(job->arguments, "--json"))
        print_json(job);
    else if (status == CLI_DONE)
        print_text(job, !capture);
    return status;
}

static int run_sensors(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", NULL};
    static const char *const alone[] = {"--actor", "--pose", "--arms-down"};
    const char *capture = cli_value(arguments, "--capture", NULL);
    const char *out = cli_value(arguments, "--output", NULL);
    snw_inertial_options options = snw_inertial_options_default();
    snw_error error;
    for (size_t n = 0; n < sizeof alone / sizeof *alone && capture; n++)
        if (cli_flag(arguments, alone[n]))
            return cli_misuse(arguments, "%s does not go with --capture: no pose is needed",
                              alone[n]);
    if (!cli_number(arguments, "--pose", 0, 1e6, &options.pose_seconds)) return CLI_USAGE;
    int status = out ? cli_check_motion_or_points(arguments, outputs) : CLI_DONE;
    if (status == CLI_DONE) status = cli_check_not_input(arguments, out, true, outputs);
    if (status != CLI_DONE) return status;
    sensors_job *job = calloc(1, sizeof *job);
    if (!job) return cli_fail(arguments, "there is no memory for sensors");
    job->arguments = arguments;
    job->options = options;
    job->options.has_arms_down = cli_flag(arguments, "--arms-down");
    job->options.keeps_headings = cli_flag(arguments, "--keep-headings");
    job->options.sensor = job->told;
    job->options.notes = &job->notes;
    job->notes = snw_notes_none();
    if (snw_read_inertial_file(arguments->operand[0], NULL, NULL, &job->sensors, &job->notes,
                               &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    else
        status = solve_and_tell(job, capture, out);
    release(job);
    return status;
}

static const cli_option sensors_options[] = {
    {"--output", "-o", "FILE", "the motion; .bvh .glb .mot, or the joints' places; .c3d .trc .csv"},
    {"--capture", NULL, "FILE", "markers of the same seconds: both together, no pose is needed"},
    {"--actor", NULL, "FILE", "the body (default: a person of 1.75 m)"},
    {"--pose", NULL, "S", "seconds of standing in a T-pose at the beginning (default: 1)"},
    {"--arms-down", NULL, NULL, "the pose is with arms hanging, palms inward"},
    {"--keep-headings", NULL, NULL, "headings as the sensors say them"},
    {"--force", "-f", NULL, "overwrite a file that is there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_sensors_command = {
    "sensors",
    "a body's motion from inertial sensors, alone or together with markers",
    "SENSORS",
    "SENSORS are turns, and accelerations, of sensors called as their segments: .sto of OpenSim\n"
    "(quaternions), CSV (time, NAME_qw .. NAME_qz, NAME_ax .. NAME_az), Xsens' .mvnx. Headings "
    "that\n"
    "drift are put right where neighbours must feel the same acceleration, and told.\n\n"
    "examples:\n"
    "  sinew sensors walk.sto -o walk.bvh\n"
    "  sinew sensors walk.csv --capture walk.c3d -o both.bvh\n"
    "  sinew sensors take.mvnx --arms-down --pose 2 -o take.glb\n",
    sensors_options,
    1,
    1,
    run_sensors,
};

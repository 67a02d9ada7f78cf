/* `sinew avatar`: an upper body from a few trackers. */
#include <stdlib.h>
#include <string.h>

#include "act/act_part.h"
#include "act/joint_points.h"
#include "clock.h"
#include "draw/plot.h"
#include "input.h"
#include "output.h"
#include "report/report.h"
#include "rig.h"
#include "verdict.h"

typedef struct avatar_job {
    snw_avatar_capture *capture;
    snw_avatar_profile profile;
    snw_state_space *space;
    snw_avatar *avatar;
    snw_motion *motion;
    snw_up_axis up;
    double microseconds; /* in all steps */
    int lost[2], short_of_reach[2], inferred;
    double largest_jump;       /* of an elbow, over max(hand step, 2 mm) */
    double *elevation;         /* (2 x frames) of the elbows, degrees: left, then right */
    uint8_t *is_unsure;        /* (frames) a hand is lost or out of reach */
    snw_avatar_report *report; /* (frames) */
    snw_judgements judged;
    snw_notes notes;
} avatar_job;

static void release_job(avatar_job *job)
{
    snw_motion_destroy(job->motion);
    snw_avatar_destroy(job->avatar);
    snw_state_space_destroy(job->space);
    snw_avatar_capture_destroy(job->capture);
    free(job->elevation);
    free(job->is_unsure);
    free(job->report);
}

static snw_avatar_capture *read_capture(const cli_arguments *arguments, const char *path,
                                        avatar_job *job)
{
    snw_trial *trial = cli_read_trial(arguments, path, NULL);
    snw_avatar_capture *capture = NULL;
    snw_error error;
    if (!trial) return NULL;
    if (snw_avatar_capture_from_trial(trial, NULL, &capture, &job->notes, &error) != SNW_OK)
        cli_fail(arguments, "%s: %s", path, error.message);
    snw_trial_destroy(trial);
    return capture;
}

/* The axis that a unit vector along one is. */
static snw_up_axis up_axis_of(snw_vec3 up)
{
    for (int axis = SNW_UP_X; axis <= SNW_UP_NEGATIVE_Z; axis++)
        if (snw_vec3_dot(up, snw_up_direction((snw_up_axis)axis)) > 0.9) return (snw_up_axis)axis;
    return SNW_UP_UNKNOWN;
}

/* ---- who it is ------------------------------------------------------------------------------ */

static int load_profile(const cli_arguments *arguments, const char *path, avatar_job *job)
{
    snw_error error;
    snw_actor *actor = cli_read_actor(arguments, path);
    if (!actor) return CLI_FAILED;
    snw_status status = snw_avatar_profile_from_actor(actor, &job->profile, &error);
    snw_actor_destroy(actor);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s: %s", path, error.message);
}

static int calibrate(const cli_arguments *arguments, avatar_job *job)
{
    const char *rest_path = cli_value(arguments, "--rest", NULL);
    snw_avatar_calibration options = snw_avatar_calibration_default();
    snw_avatar_capture *rest = NULL;
    snw_error error;
    if (!cli_number(arguments, "--rest-seconds", 0.001, 1e4, &options.rest_seconds))
        return CLI_USAGE;
    if (rest_path && !(rest = read_capture(arguments, rest_path, job))) return CLI_FAILED;
    snw_status status = snw_avatar_calibrate(rest ? rest : job->capture, &options, &job->profile,
                                             &job->notes, &error);
    snw_avatar_capture_destroy(rest);
    if (status == SNW_OK) return CLI_DONE;
    return cli_fail(arguments, "%s: %s (--rest FILE takes it from another capture)",
                    rest_path ? rest_path : arguments->operand[0], error.message);
}

/* --calibrate: elbows teach the profile and, where it is asked for, fill the state space. */
static int learn(const cli_arguments *arguments, avatar_job *job)
{
    const char *path = cli_value(arguments, "--calibrate", NULL);
    snw_error error;
    if (!path) return CLI_DONE;
    snw_avatar_capture *capture = read_capture(arguments, path, job);
    if (!capture) return CLI_FAILED;
    snw_status status = snw_avatar_learn(&job->profile, capture, &job->notes, &error);
    if (status == SNW_OK)
        status = snw_state_space_create(&job->profile, capture, NULL, &job->space, &error);
    snw_avatar_capture_destroy(capture);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s: %s", path, error.message);
}

static bool draw_states(FILE *out, const void *context)
{
    size_t size = 0;
    snw_state_space_print(context, NULL, 0, &size, NULL);
    char *text = malloc(size + 1);
    if (!text) return false;
    snw_state_space_print(context, text, size + 1, &size, NULL);
    fwrite(text, 1, size, out);
    free(text);
    return true;
}

static int save(const cli_arguments *arguments, const avatar_job *job)
{
    const char *profile = cli_value(arguments, "--save-profile", NULL);
    const char *space = cli_value(arguments, "--save-states", NULL);
    snw_actor *actor = NULL;
    snw_error error;
    int code = CLI_DONE;
    if (profile && snw_avatar_profile_to_actor(&job->profile, NULL, &actor, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    if (profile) code = cli_write_actor(arguments, profile, actor);
    snw_actor_destroy(actor);
    if (code != CLI_DONE || !space) return code;
    if (!job->space)
        return cli_misuse(arguments, "--save-states needs a capture with elbows: --calibrate FILE");
    return cli_write_whole(arguments, space, draw_states, job->space);
}

static int load_states(const cli_arguments *arguments, avatar_job *job)
{
    const char *path = cli_value(arguments, "--states", NULL);
    size_t size;
    snw_error error;
    if (!path) return CLI_DONE;
    char *text = cli_read_whole(path, &size);
    if (!text) return cli_fail(arguments, "%s could not be read", path);
    snw_state_space_destroy(job->space);
    job->space = NULL;
    snw_status status = snw_state_space_parse(text, size, NULL, &job->space, &error);
    free(text);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s: %s", path, error.message);
}

static int settle_profile(const cli_arguments *arguments, avatar_job *job)
{
    const char *profile = cli_value(arguments, "--profile", NULL);
    if (profile && (cli_flag(arguments, "--rest") || cli_flag(arguments, "--rest-seconds")))
        return cli_misuse(arguments, "--profile brings what --rest would find");
    int code = profile ? load_profile(arguments, profile, job) : calibrate(arguments, job);
    if (code == CLI_DONE) code = learn(arguments, job);
    if (code == CLI_DONE) code = load_states(arguments, job);
    if (code == CLI_DONE) code = save(arguments, job);
    return code;
}

/* ---- the motion ----------------------------------------------------------------------------- */

static int take_options(const cli_arguments *arguments, const avatar_job *job,
                        snw_avatar_options *options)
{
    static const char *const filters[] = {"none", "one-euro", "kalman"};
    const char *method = cli_value(arguments, "--method", "auto");
    const char *shake = cli_value(arguments, "--shake", "none");
    *options = snw_avatar_options_default();
    int found = snw_avatar_method_find(method);
    options->method = (snw_avatar_method)found;
    if (found < 0) {
        char known[200] = "";
        for (int m = 0; m < SNW_AVATAR_METHOD_COUNT; m++)
            snw_format(known + strlen(known), sizeof known - strlen(known), "%s%s", m ? ", " : "",
                       snw_avatar_method_name((snw_avatar_method)m));
        return cli_misuse(arguments, "there is no method \"%s\"; there are %s", method, known);
    }
    int filter = 0;
    while (filter < 3 && strcmp(filters[filter], shake) != 0)
        filter++;
    if (filter == 3)
        return cli_misuse(arguments, "--shake takes none, one-euro or kalman, not \"%s\"", shake);
    options->shake = (snw_shake_filter)filter;
    options->has_legs = !cli_flag(arguments, "--no-legs");
    options->up = job->capture->up;
    options->state_space = job->space;
    if (options->method == SNW_AVATAR_STATE_SPACE && !job->space)
        return cli_misuse(arguments, "state-space needs --calibrate FILE or --states FILE");
    return CLI_DONE;
}

/* Straight out to the side the elbow's elevation has no zero. */
static bool is_arm_level_out(const snw_pose *pose, int side)
{
    static const char *const names[2][2] = {{"left_shoulder", "left_wrist"},
                                            {"right_shoulder", "right_wrist"}};
    const snw_skeleton *body = pose->skeleton;
    snw_vec3 from = pose->world[snw_skeleton_find_joint(body, names[side][0])].translation;
    snw_vec3 to = pose->world[snw_skeleton_find_joint(body, names[side][1])].translation;
    snw_quat chest = pose->world[snw_skeleton_find_joint(body, "chest")].rotation;
    snw_vec3 out = snw_quat_rotate(chest, snw_vec3_make(side ? -1 : 1, 0, 0));
    return snw_vec3_dot(snw_vec3_unit(snw_vec3_sub(to, from), out), out) > 0.97;
}

static void count_frame(avatar_job *job, int f, const snw_pose *pose,
                        const snw_avatar_report *report)
{
    job->inferred += report->is_chest_inferred;
    for (int side = 0; side < 2; side++) {
        int role = SNW_AVATAR_LEFT_HAND + side;
        job->lost[side] += report->is_hand_lost[side];
        job->short_of_reach[side] += report->is_out_of_reach[side];
        job->elevation[side * job->capture->frame_count + f] =
            is_arm_level_out(pose, side) ? NAN : snw_degrees(report->elevation[side]);
        if (report->is_hand_lost[side] || report->is_out_of_reach[side]) job->is_unsure[f] = 1;
        if (f == 0) continue;
        const snw_avatar_frame *now = job->capture->frame + f;
        double hand = snw_vec3_distance(now->world_from_tracker[role].translation,
                                        now[-1].world_from_tracker[role].translation);
        if (!now->is_present[role] || !now[-1].is_present[role]) continue;
        job->largest_jump = fmax(job->largest_jump, report->elbow_jump[side] / fmax(hand, 0.002));
    }
}

static int solve(const cli_arguments *arguments, avatar_job *job)
{
    snw_avatar_options options;
    snw_pose *pose = NULL;
    snw_error error;
    int code = take_options(arguments, job, &options);
    if (code != CLI_DONE) return code;
    size_t frames = (size_t)job->capture->frame_count;
    job->elevation = calloc(2 * frames + 1, sizeof *job->elevation);
    job->is_unsure = calloc(frames + 1, 1);
    job->report = calloc(frames + 1, sizeof *job->report);
    if (!job->elevation || !job->is_unsure || !job->report)
        return cli_fail(arguments, "out of memory");
    snw_status status = snw_avatar_create(&job->profile, &options, NULL, &job->avatar, &error);
    if (status == SNW_OK)
        status = snw_pose_create(snw_avatar_skeleton(job->avatar), NULL, &pose, &error);
    if (status == SNW_OK)
        status = snw_motion_create(snw_avatar_skeleton(job->avatar), job->capture->frame_count,
                                   job->capture->rate, NULL, &job->motion, &error);
    double start = cli_microseconds();
    for (int f = 0; status == SNW_OK && f < job->capture->frame_count; f++) {
        snw_avatar_step(job->avatar, job->capture->frame + f, pose, job->report + f);
        snw_motion_set(job->motion, f, pose);
        count_frame(job, f, pose, job->report + f);
    }
    job->microseconds = cli_microseconds() - start;
    if (status == SNW_OK)
        snw_judge_avatar(&job->profile, job->report, job->capture->frame_count, &job->judged);
    snw_pose_destroy(pose);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s", error.message);
}

/* ---- what was found ------------------------------------------------------------------------- */

static void print_job(const cli_arguments *arguments, const avatar_job *job)
{
    const snw_avatar_profile *p = &job->profile;
    int frames = job->capture->frame_count;
    printf("%d frames at %g Hz, %s; trackers:", frames, job->capture->rate,
           cli_value(arguments, "--method", "auto"));
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        if (p->has_tracker[role]) printf(" %s", snw_avatar_role_name((snw_avatar_role)role));
    printf("\n%-8s %12s %12s %14s %14s\n", "arm", "upper mm", "forearm mm", "out of reach",
           "hand lost");
    for (int side = 0; side < 2; side++)
        printf("%-8s %12.0f %12.0f %14d %14d\n", side ? "right" : "left", 1000 * p->upper_arm[side],
               1000 * p->forearm[side], job->short_of_reach[side], job->lost[side]);
    if (job->inferred) printf("the chest is inferred in %d frames\n", job->inferred);
    printf("largest elbow step over hand step (at least 2 mm): %.2f\n", job->largest_jump);
    printf("%.2f microseconds a frame\n", job->microseconds / (frames > 0 ? frames : 1));
}

static void json_job(const cli_arguments *arguments, const avatar_job *job)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "method", cli_value(arguments, "--method", "auto"));
    cli_json_integer(&json, "frames", job->capture->frame_count);
    cli_json_array(&json, "trackers");
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        if (job->profile.has_tracker[role])
            cli_json_string(&json, NULL, snw_avatar_role_name((snw_avatar_role)role));
    cli_json_end_array(&json);
    cli_json_integer(&json, "chest_inferred_frames", job->inferred);
    cli_json_array(&json, "arms");
    for (int side = 0; side < 2; side++) {
        cli_json_object(&json, NULL);
        cli_json_string(&json, "side", side ? "right" : "left");
        cli_json_number(&json, "upper_arm_m", job->profile.upper_arm[side]);
        cli_json_number(&json, "forearm_m", job->profile.forearm[side]);
        cli_json_integer(&json, "out_of_reach_frames", job->short_of_reach[side]);
        cli_json_integer(&json, "lost_frames", job->lost[side]);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_number(&json, "largest_step_ratio", job->largest_jump);
    cli_json_verdict(&json, &job->judged);
    cli_json_end_object(&json);
}

/* ---- pictures and the page ------------------------------------------------------------------ */

static bool avatar_marker(const void *context, int frame, int marker, snw_vec3 *place)
{
    const avatar_job *job = context;
    *place = job->capture->frame[frame].world_from_tracker[marker].translation;
    return job->capture->frame[frame].is_present[marker];
}

static void put_avatar_facts(const avatar_job *job, FILE *out)
{
    char text[64];
    fputs("<dl>\n", out);
    snw_format(text, sizeof text, "%d", job->capture->frame_count);
    cli_report_fact("frames", text, out);
    snw_format(text, sizeof text, "%.4g Hz", job->capture->rate);
    cli_report_fact("rate", text, out);
    snw_format(text, sizeof text, "%.2f", job->largest_jump);
    cli_report_fact("largest elbow step over hand step", text, out);
    snw_format(text, sizeof text, "%d frames", job->inferred);
    cli_report_fact("chest inferred", text, out);
    fputs("</dl>\n<h2>Arms</h2>\n<div class=\"wide\"><table><tr><th>arm</th><th class=\"n\">upper "
          "arm mm</th><th class=\"n\">forearm mm</th><th class=\"n\">out of reach, frames</th><th "
          "class=\"n\">hand lost, frames</th></tr>\n",
          out);
    for (int side = 0; side < 2; side++)
        fprintf(out,
                "<tr><td>%s</td><td class=\"n\">%.0f</td><td class=\"n\">%.0f</td><td "
                "class=\"n\">%d</td><td class=\"n\">%d</td></tr>\n",
                side ? "right" : "left", 1000 * job->profile.upper_arm[side],
                1000 * job->profile.forearm[side], job->short_of_reach[side], job->lost[side]);
    fputs("</table></div>\n", out);
}

static bool avatar_details(const void *context, FILE *out)
{
    const avatar_job *job = context;
    int frames = job->capture->frame_count;
    cli_plot plot = {
        .name = "elevation of the elbows over time",
        .unit = "\u00b0",
        .width = 900,
        .height = 190,
        .rate = job->capture->rate,
        .frame_count = frames,
        .curve_count = 2,
        .curve = {{"left", job->elevation, NULL}, {"right", job->elevation + frames, NULL}},
        .is_hidden = job->is_unsure,
        .least_span = 30};
    put_avatar_facts(job, out);
    fputs("<h2>Elbows</h2>\n<p class=\"soft\">Elevation on the elbow circle, degrees: 0 is level "
          "outward, -90 lowest; <span class=\"key left\"></span>left <span class=\"key "
          "right\"></span>right; shaded where a hand was lost or out of reach; nothing where the "
          "arm points straight out.</p>\n<div "
          "class=\"wide\">\n",
          out);
    cli_plot_draw(&plot, out);
    fputs("</div>\n", out);
    return true;
}

static int write_pictures(const cli_arguments *arguments, const avatar_job *job)
{
    const char *picture = cli_value(arguments, "--svg", NULL);
    const char *report = cli_value(arguments, "--report", NULL);
    int first = (int)fmin(ceil(1.2 * job->capture->rate), job->capture->frame_count - 1);
    cli_act_part part = {"Upper body",          job->motion,   job->up,        first,
                         SNW_AVATAR_ROLE_COUNT, avatar_marker, avatar_details, job};
    int code = picture ? cli_act_picture(arguments, picture, &part) : CLI_DONE;
    if (code == CLI_DONE && report) code = cli_act_report(arguments, report, &job->notes, &part, 1);
    return code;
}

static int run_avatar(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", "--save-profile", "--save-states",
                                          "--svg",    "--report",       NULL};
    static avatar_job job; /* its notes: 19 kB */
    memset(&job, 0, sizeof job);
    const char *path = cli_value(arguments, "--output", NULL);
    int code = cli_check_motion_or_points(arguments, outputs);
    if (code != CLI_DONE) return code;
    job.capture = read_capture(arguments, arguments->operand[0], &job);
    if (!job.capture) {
        cli_print_notes(arguments, &job.notes);
        return CLI_FAILED;
    }
    job.up = up_axis_of(job.capture->up);
    code = settle_profile(arguments, &job);
    if (code == CLI_DONE) code = solve(arguments, &job);
    if (code == CLI_DONE) cli_print_verdict(arguments, &job.judged);
    cli_print_notes(arguments, &job.notes);
    if (code == CLI_DONE && path)
        code = cli_write_motion_or_points(arguments, path, job.motion, job.up, true);
    if (code == CLI_DONE) code = write_pictures(arguments, &job);
    if (code == CLI_DONE && cli_flag(arguments, "--json")) json_job(arguments, &job);
    if (code == CLI_DONE && !cli_flag(arguments, "--json")) print_job(arguments, &job);
    release_job(&job);
    return code;
}

static const cli_option avatar_options[] = {
    {"--output", "-o", "FILE",
     "write the motion: .bvh .glb .mot, or a point for each joint: .c3d .trc .csv"},
    {"--method", "-m", "NAME",
     "auto, eliminate-dof, hand-elevation, state-space, palm-to-head, pole"},
    {"--rest", NULL, "FILE", "another capture of the same person that starts in the T-pose"},
    {"--rest-seconds", NULL, "S", "how long the T-pose is held (1)"},
    {"--calibrate", NULL, "FILE", "a capture that also has left_elbow and right_elbow"},
    {"--profile", NULL, "FILE", "a person calibrated before: an actor"},
    {"--save-profile", NULL, "FILE", "keep the calibration as an actor"},
    {"--states", NULL, "FILE", "a table for state-space"},
    {"--save-states", NULL, "FILE", "keep the table that --calibrate fills"},
    {"--shake", NULL, "FILTER",
     "none, one-euro (53 ms lag at rest), kalman: against trembling trackers"},
    {"--svg", NULL, "FILE", "draw six moments with the trackers"},
    {"--report", NULL, "FILE.html", "a page with the moving body, arms and elbows"},
    {"--no-legs", NULL, NULL, "leave the legs at rest"},
    CLI_PERSON_OPTIONS,
    CLI_UP_OPTION,
    CLI_LENIENT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_avatar_command = {
    "avatar",
    "move an upper body by head, chest and hand trackers",
    "IN",
    "IN holds trackers: CSV with NAME_x NAME_y NAME_z NAME_qw NAME_qx NAME_qy NAME_qz (head, "
    "chest,\n"
    "left_hand, right_hand; waist, left_foot, right_foot if there are), C3D with rotations, or\n"
    "three points each (NAME, NAMEY, NAMEZ: origin and points on the y and z axes). It starts with "
    "a\n"
    "second of T-pose. The chest may be left out.\n\n"
    "examples:\n"
    "  sinew avatar session.csv -o session.bvh\n"
    "  sinew avatar session.csv -o joints.c3d --calibrate elbows.csv --save-profile ann.actor\n"
    "  sinew avatar other.csv --profile ann.actor -o other.glb --names unreal\n"
    "  sinew avatar session.csv --method eliminate-dof --json",
    avatar_options,
    1,
    1,
    run_avatar,
};

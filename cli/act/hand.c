/* `sinew hand`: a hand of 25 joints from eight markers. */
#include <stdlib.h>
#include <string.h>

#include "act/act_part.h"
#include "act/joint_points.h"
#include "clock.h"
#include "draw/plot.h"
#include "input.h"
#include "output.h"
#include "report/report.h"
#include "shape/figure.h"
#include "verdict.h"

typedef struct hand_result {
    snw_hand_capture *capture;
    snw_hand_profile profile;
    snw_hand *hand;
    snw_motion *motion;
    snw_hand_report *report; /* (frame_count) of the steps */
    snw_judgements *judged;
    double microseconds; /* in all steps of the forward pass */
    double residual;     /* metres, mean of fingertips that are seen */
    double jump;         /* radians, largest between two frames */
    int hidden[SNW_HAND_FINGERS];
    snw_notes *notes;
} hand_result;

static void release_result(hand_result *result)
{
    snw_motion_destroy(result->motion);
    snw_hand_destroy(result->hand);
    snw_hand_capture_destroy(result->capture);
    free(result->report);
    free(result->judged);
}

static int load_profile(const cli_arguments *arguments, hand_result *result)
{
    const char *path = cli_value(arguments, "--profile", NULL);
    snw_error error;
    snw_actor *actor = cli_read_actor(arguments, path);
    if (!actor) return CLI_FAILED;
    snw_status status = snw_hand_profile_from_actor(actor, &result->profile, &error);
    snw_actor_destroy(actor);
    if (status != SNW_OK) return cli_fail(arguments, "%s: %s", path, error.message);
    result->profile.side = result->capture->side;
    return CLI_DONE;
}

/* The hand of that side in the capture of another option. */
static snw_hand_capture *read_other(const cli_arguments *arguments, const char *path, snw_side side)
{
    snw_hand_capture *capture = NULL;
    snw_error error;
    snw_trial *trial = cli_read_trial(arguments, path, NULL);
    if (trial && snw_hand_capture_from_trial(trial, side, NULL, &capture, NULL, &error) != SNW_OK &&
        snw_hand_capture_unlabelled(trial, NULL, &capture, NULL, &error) != SNW_OK)
        cli_fail(arguments, "%s: %s", path, error.message);
    snw_trial_destroy(trial);
    return capture;
}

static int calibrate(const cli_arguments *arguments, hand_result *result)
{
    const char *path =
        cli_value(arguments, "--rest", cli_value(arguments, "--calibrate", arguments->operand[0]));
    snw_hand_capture *other = NULL;
    snw_error error;
    bool has_rest = cli_flag(arguments, "--rest"), is_moving = cli_flag(arguments, "--calibrate");
    bool has_profile = cli_flag(arguments, "--profile");
    if (has_rest + is_moving + has_profile > 1)
        return cli_misuse(arguments,
                          "--rest, --calibrate and --profile tell the same: one of them");
    if (has_profile) return load_profile(arguments, result);
    if (path != arguments->operand[0]) {
        other = read_other(arguments, path, result->capture->side);
        if (!other) return CLI_FAILED;
    }
    snw_status status = snw_hand_calibrate(other ? other : result->capture, &result->profile,
                                           result->notes, &error);
    result->profile.side = result->capture->side;
    snw_hand_capture_destroy(other);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s: %s", path, error.message);
}

static int take_options(const cli_arguments *arguments, snw_hand_options *options)
{
    const char *method = cli_value(arguments, "--method", "auto");
    const char *without;
    *options = snw_hand_options_default();
    int m = 0;
    while (m < SNW_HAND_METHOD_COUNT &&
           strcmp(method, snw_hand_method_name((snw_hand_method)m)) != 0)
        m++;
    if (m == SNW_HAND_METHOD_COUNT)
        return cli_misuse(arguments, "there is no method \"%s\"; there are auto, fit and chain",
                          method);
    options->method = (snw_hand_method)m;
    const struct {
        const char *word;
        bool *is_on;
    } parts[] = {{"limits", &options->has_limits},
                 {"intradigital", &options->has_intradigital},
                 {"transdigital", &options->has_transdigital},
                 {"inertia", &options->has_inertia},
                 {"collision", &options->has_collision},
                 {"friction", &options->has_friction}};
    const size_t part_count = sizeof parts / sizeof *parts;
    for (int n = 0; (without = cli_value_at(arguments, "--without", n)) != NULL; n++) {
        size_t p = 0;
        while (p < part_count && strcmp(parts[p].word, without) != 0)
            p++;
        if (p == part_count)
            return cli_misuse(arguments,
                              "--without takes limits, intradigital, transdigital, inertia, "
                              "collision or friction, not \"%s\"",
                              without);
        *parts[p].is_on = false;
    }
    return CLI_DONE;
}

/* One forward pass as a live session would do it, timed. */
static snw_status measure(hand_result *result, snw_error *error)
{
    snw_pose *pose = NULL;
    snw_status status = snw_pose_create(snw_hand_skeleton(result->hand), NULL, &pose, error);
    int count = 0;
    double start = cli_microseconds();
    for (int f = 0; status == SNW_OK && f < result->capture->frame_count; f++) {
        snw_hand_report *report = result->report + f;
        snw_hand_step(result->hand, result->capture->frame + f, pose, report);
        if (f) result->jump = fmax(result->jump, report->largest_flexion_jump);
        for (int k = 0; k < SNW_HAND_FINGERS; k++) {
            result->hidden[k] += !report->is_tip_seen[k];
            result->residual += report->residual[k];
            count += report->is_tip_seen[k];
        }
    }
    result->microseconds = cli_microseconds() - start;
    if (status == SNW_OK)
        snw_judge_hand(&result->profile, result->report, result->capture->frame_count,
                       result->judged);
    result->residual /= count ? count : 1;
    snw_pose_destroy(pose);
    return status;
}

static int solve(const cli_arguments *arguments, hand_result *result)
{
    snw_hand_options options;
    snw_error error;
    int code = take_options(arguments, &options);
    if (code == CLI_DONE) code = calibrate(arguments, result);
    if (code != CLI_DONE) return code;
    result->report = calloc((size_t)result->capture->frame_count + 1, sizeof *result->report);
    result->judged = calloc(1, sizeof *result->judged);
    if (!result->report || !result->judged) return cli_fail(arguments, "out of memory");
    snw_status status = snw_hand_create(&result->profile, &options, NULL, &result->hand, &error);
    if (status == SNW_OK) status = measure(result, &error);
    if (status == SNW_OK && !cli_flag(arguments, "--realtime"))
        status = snw_hand_solve(result->hand, result->capture, NULL, &result->motion, &error);
    if (status == SNW_OK && cli_flag(arguments, "--realtime")) {
        snw_pose *pose = NULL;
        snw_hand_reset(result->hand);
        status = snw_pose_create(snw_hand_skeleton(result->hand), NULL, &pose, &error);
        if (status == SNW_OK)
            status =
                snw_motion_create(snw_hand_skeleton(result->hand), result->capture->frame_count,
                                  result->capture->rate, NULL, &result->motion, &error);
        for (int f = 0; status == SNW_OK && f < result->capture->frame_count; f++) {
            snw_hand_step(result->hand, result->capture->frame + f, pose, NULL);
            snw_motion_set(result->motion, f, pose);
        }
        snw_pose_destroy(pose);
    }
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s", error.message);
}

/* ---- output --------------------------------------------------------------------------------- */

/* Both hands as points of one trial. */
static int write_both(const cli_arguments *arguments, const char *path, hand_result results[2],
                      snw_up_axis up)
{
    snw_error error;
    snw_trial *a = cli_joint_points(results[0].motion, up, &error);
    snw_trial *b = a ? cli_joint_points(results[1].motion, up, &error) : NULL;
    snw_trial *both = NULL;
    int *markers = NULL;
    snw_status status = b ? SNW_OK : error.status;
    if (b) {
        int count = a->marker_count + b->marker_count;
        markers = malloc(sizeof *markers * (size_t)count);
        if (!markers) return cli_fail(arguments, "out of memory");
        for (int m = 0; m < count; m++)
            markers[m] = m < a->marker_count ? m : SNW_NEW_MARKER;
        status = snw_trial_pick(a, markers, count, NULL, &both, &error);
        for (int m = 0; status == SNW_OK && m < b->marker_count; m++) {
            status =
                snw_trial_set_marker_name(both, a->marker_count + m, b->marker[m].name, &error);
            for (int f = 0; f < b->frame_count && f < both->frame_count; f++)
                snw_trial_set(both, f, a->marker_count + m, snw_trial_position(b, f, m),
                              SNW_SAMPLE_MEASURED);
        }
    }
    if (status == SNW_OK)
        status = snw_write_trial_file(path, cli_flag(arguments, "--force"), both, NULL, &error);
    free(markers);
    snw_trial_destroy(a);
    snw_trial_destroy(b);
    snw_trial_destroy(both);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

static int save_profile(const cli_arguments *arguments, const snw_hand_profile *profile)
{
    const char *path = cli_value(arguments, "--save-profile", NULL);
    snw_actor *actor = NULL;
    snw_error error;
    if (!path) return CLI_DONE;
    if (snw_hand_profile_to_actor(profile, NULL, &actor, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    int code = cli_write_actor(arguments, path, actor);
    snw_actor_destroy(actor);
    return code;
}

static const char *const finger_words[] = {"thumb", "index", "middle", "ring", "little"};

/* ---- pictures and the page ------------------------------------------------------------------ */

static bool hand_marker(const void *context, int frame, int marker, snw_vec3 *place)
{
    const hand_result *result = context;
    *place = result->capture->frame[frame].place[marker];
    return result->capture->frame[frame].is_seen[marker];
}

/* Flexion of base, middle and outer joint of a finger over time. */
static bool draw_finger(const hand_result *result, int finger, FILE *out)
{
    static const char *const lines[3] = {"left", "right", "middle"};
    const snw_motion *motion = result->motion;
    int frames = motion->frame_count;
    double *value = malloc((size_t)(3 * frames + 1) * sizeof *value);
    uint8_t *is_hidden = malloc((size_t)frames + 1);
    for (int f = 0; value && is_hidden && f < frames; f++) {
        is_hidden[f] = !result->capture->frame[f].is_seen[snw_hand_tip_marker(finger)];
        for (int n = 0; n < 3; n++) {
            char name[32];
            snw_format(name, sizeof name, "%s_%s%d",
                       result->profile.side == SNW_SIDE_LEFT ? "left" : "right",
                       finger_words[finger], n + (finger == SNW_HAND_THUMB ? 1 : 2));
            int joint = snw_skeleton_find_joint(motion->skeleton, name);
            size_t at = (size_t)f * (size_t)motion->skeleton->joint_count + (size_t)joint;
            value[n * frames + f] =
                snw_degrees(snw_quat_twist_angle(motion->rotation[at], snw_vec3_make(1, 0, 0)));
        }
    }
    if (value && is_hidden) {
        cli_plot plot = {.name = "flexion of a finger's joints over time",
                         .unit = "\u00b0",
                         .width = 300,
                         .height = 130,
                         .rate = motion->rate,
                         .frame_count = frames,
                         .curve_count = 3,
                         .is_hidden = is_hidden,
                         .least_span = 30};
        for (int n = 0; n < 3; n++)
            plot.curve[n] = (cli_plot_curve){lines[n], value + n * frames, NULL};
        fprintf(out, "<figure><figcaption>%s <small>tip hidden in %d frames</small></figcaption>\n",
                finger_words[finger], result->hidden[finger]);
        cli_plot_draw(&plot, out);
        fputs("</figure>\n", out);
    }
    free(is_hidden);
    bool is_good = value && is_hidden;
    free(value);
    return is_good;
}

static bool hand_details(const void *context, FILE *out)
{
    const hand_result *result = context;
    char text[64];
    bool is_good = true;
    fputs("<dl>\n", out);
    snw_format(text, sizeof text, "%d", result->capture->frame_count);
    cli_report_fact("frames", text, out);
    snw_format(text, sizeof text, "%.4g Hz", result->capture->rate);
    cli_report_fact("rate", text, out);
    snw_format(text, sizeof text, "%.2f mm", 1000 * result->residual);
    cli_report_fact("fingertips to markers", text, out);
    snw_format(text, sizeof text, "%.1f degrees", snw_degrees(result->jump));
    cli_report_fact("largest change between frames", text, out);
    fputs("</dl>\n<h2>Bones</h2>\n<div class=\"wide\"><table><tr><th>finger</th><th "
          "class=\"n\">base mm</th><th class=\"n\">middle mm</th><th class=\"n\">outer mm</th><th "
          "class=\"n\">hidden frames</th></tr>\n",
          out);
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        fprintf(out,
                "<tr><td>%s</td><td class=\"n\">%.1f</td><td class=\"n\">%.1f</td><td "
                "class=\"n\">%.1f</td><td class=\"n\">%d</td></tr>\n",
                finger_words[k], 1000 * result->profile.bone[k][0],
                1000 * result->profile.bone[k][1], 1000 * result->profile.bone[k][2],
                result->hidden[k]);
    fputs("</table></div>\n<h2>Flexion</h2>\n<p class=\"soft\"><span class=\"key "
          "left\"></span>base <span class=\"key right\"></span>middle <span class=\"key "
          "middle\"></span>outer joint; shaded where the fingertip was hidden.</p>\n<div "
          "class=\"many\">\n",
          out);
    for (int k = 0; k < SNW_HAND_FINGERS && is_good; k++)
        is_good = draw_finger(result, k, out);
    fputs("</div>\n", out);
    return is_good;
}

static cli_act_part part_of(const hand_result *result, snw_up_axis up)
{
    cli_act_part part = {result->profile.side == SNW_SIDE_LEFT ? "Left hand" : "Right hand",
                         result->motion,
                         up,
                         0,
                         SNW_HAND_MARKERS,
                         hand_marker,
                         hand_details,
                         result};
    return part;
}

static int write_results(const cli_arguments *arguments, hand_result *results, int count,
                         snw_up_axis up)
{
    const char *path = cli_value(arguments, "--output", NULL);
    const char *picture = cli_value(arguments, "--svg", NULL);
    const char *report = cli_value(arguments, "--report", NULL);
    cli_act_part parts[2];
    for (int n = 0; n < count; n++)
        parts[n] = part_of(&results[n], up);
    int code = save_profile(arguments, &results[0].profile);
    if (code == CLI_DONE && picture) code = cli_act_picture(arguments, picture, &parts[0]);
    if (code == CLI_DONE && report)
        code = cli_act_report(arguments, report, results[0].notes, parts, count);
    if (code != CLI_DONE || !path) return code;
    if (count == 1)
        return cli_write_motion_or_points(arguments, path, results[0].motion, up, false);
    if (snw_format_writes_motion(snw_format_from_name(path)))
        return cli_misuse(arguments, "a skeleton is of one hand: choose with --side left or right");
    return write_both(arguments, path, results, up);
}

/* ---- what was found ------------------------------------------------------------------------- */

static void print_result(const hand_result *result)
{
    int frames = result->capture->frame_count;
    printf("%s hand: %d frames at %g Hz; fingertips %.2f mm from their markers on average\n",
           result->profile.side == SNW_SIDE_LEFT ? "left" : "right", frames, result->capture->rate,
           1000 * result->residual);
    printf("%-8s %10s %10s %10s %14s\n", "finger", "bone mm", "bone mm", "bone mm",
           "hidden frames");
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        printf("%-8s %10.1f %10.1f %10.1f %14d\n", finger_words[k],
               1000 * result->profile.bone[k][0], 1000 * result->profile.bone[k][1],
               1000 * result->profile.bone[k][2], result->hidden[k]);
    printf("largest change of a joint between frames: %.1f degrees; %.2f microseconds a frame\n",
           snw_degrees(result->jump), result->microseconds / (frames > 0 ? frames : 1));
}

static void json_result(cli_json *json, const hand_result *result)
{
    cli_json_object(json, NULL);
    cli_json_string(json, "side", result->profile.side == SNW_SIDE_LEFT ? "left" : "right");
    cli_json_integer(json, "frames", result->capture->frame_count);
    cli_json_number(json, "residual_m", result->residual);
    cli_json_number(json, "largest_change_rad", result->jump);
    cli_json_verdict(json, result->judged);
    cli_json_array(json, "fingers");
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        cli_json_object(json, NULL);
        cli_json_string(json, "name", finger_words[k]);
        cli_json_numbers(json, "bones_m", result->profile.bone[k], 3);
        cli_json_integer(json, "hidden_frames", result->hidden[k]);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

/* ---- the command ---------------------------------------------------------------------------- */

/* Hands of the trial: both sides by their labels, else one without. */
static int find_hands(const cli_arguments *arguments, const snw_trial *trial,
                      hand_result results[2])
{
    const char *side = cli_value(arguments, "--side", "");
    snw_error error = snw_error_none(), first = snw_error_none();
    int count = 0;
    if (*side && strcmp(side, "left") != 0 && strcmp(side, "right") != 0) {
        cli_misuse(arguments, "--side takes left or right, not \"%s\"", side);
        return 0;
    }
    for (int s = 0; s < 2; s++) {
        if (*side && (strcmp(side, "right") == 0) != (s == SNW_SIDE_RIGHT)) continue;
        if (snw_hand_capture_from_trial(trial, (snw_side)s, NULL, &results[count].capture,
                                        results[0].notes, &error) == SNW_OK)
            count++;
        else if (first.status == SNW_OK)
            first = error;
    }
    if (!count && snw_hand_capture_unlabelled(trial, NULL, &results[0].capture, results[0].notes,
                                              &error) == SNW_OK)
        count = 1;
    if (!count) cli_fail(arguments, "%s: %s", arguments->operand[0], first.message);
    return count;
}

static int run_hand(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", "--save-profile", "--svg", "--report", NULL};
    hand_result results[2];
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    memset(results, 0, sizeof results);
    results[0].notes = results[1].notes = &notes;
    int code = cli_check_motion_or_points(arguments, outputs);
    const char *out = cli_value(arguments, "--output", "");
    if (code == CLI_DONE && cli_flag(arguments, "--skin") && !cli_holds_skin(out))
        code = cli_misuse(arguments, "--skin is for GLB and VRM, not for %s",
                          *out ? out : "no output at all");
    if (code != CLI_DONE) return code;
    snw_trial *trial = cli_read_trial(arguments, arguments->operand[0], NULL);
    if (!trial) return CLI_FAILED;
    int count = find_hands(arguments, trial, results);
    code = count ? CLI_DONE : CLI_FAILED;
    for (int n = 0; n < count && code == CLI_DONE; n++)
        code = solve(arguments, &results[n]);
    for (int n = 0; n < count && code == CLI_DONE; n++)
        cli_print_verdict(arguments, results[n].judged);
    cli_print_notes(arguments, &notes);
    if (code == CLI_DONE) code = write_results(arguments, results, count, trial->up);
    if (code == CLI_DONE && cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_array(&json, NULL);
        for (int n = 0; n < count; n++)
            json_result(&json, &results[n]);
        cli_json_end_array(&json);
    }
    for (int n = 0; n < count && code == CLI_DONE && !cli_flag(arguments, "--json"); n++)
        print_result(&results[n]);
    for (int n = 0; n < 2; n++)
        release_result(&results[n]);
    snw_trial_destroy(trial);
    return code;
}

static const cli_option hand_options[] = {
    {"--output", "-o", "FILE",
     "write a point for each joint (.c3d .trc .csv) or the motion (.bvh .glb .mot)"},
    {"--skin", NULL, NULL, "GLB: with the surface of a hand that follows all joints"},
    {"--side", NULL, "SIDE", "left or right, where both are in the capture"},
    {"--method", "-m", "NAME", "auto, fit (least squares), chain (the thesis: planes and FABRIK)"},
    {"--without", NULL, "PART",
     "limits, intradigital, transdigital, inertia, collision, friction; may be repeated"},
    {"--realtime", NULL, NULL, "no look ahead: hidden fingers as a live session would have them"},
    {"--rest", NULL, "FILE", "another capture of the same hand, open, to calibrate from"},
    {"--calibrate", NULL, "FILE", "another capture of the same hand, moving, to calibrate from"},
    {"--profile", NULL, "FILE", "a hand calibrated before: an actor"},
    {"--save-profile", NULL, "FILE", "keep the calibration as an actor"},
    {"--svg", NULL, "FILE", "draw six moments with the markers"},
    {"--report", NULL, "FILE.html", "a page with the moving hand, bones and flexions"},
    {"--up", NULL, "AXIS", "which axis points up: x, y, z, -x, -y, -z"},
    CLI_LENIENT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_hand_command = {
    "hand",
    "find all joints of a hand from markers on its back and fingertips",
    "IN",
    "IN has SIDE_wrist, SIDE_back_index, SIDE_back_little and SIDE_FINGER_tip for thumb, index,\n"
    "middle, ring and little, SIDE being left or right; further joints (SIDE_FINGER_base, "
    "_middle,\n"
    "_outer) are used where they are. Eight trajectories without names are told apart by how they\n"
    "move. The hand should be open once.\n\n"
    "examples:\n"
    "  sinew hand gestures.c3d -o joints.c3d\n"
    "  sinew hand gestures.c3d -o hand.bvh --side right\n"
    "  sinew hand gestures.c3d -o hand.glb --side right --skin\n"
    "  sinew hand gestures.c3d --method chain --json\n"
    "  sinew hand gestures.c3d --save-profile ann.actor -o joints.csv, then\n"
    "  sinew hand gestures.c3d --profile ann.actor --realtime -o live.c3d",
    hand_options,
    1,
    1,
    run_hand,
};

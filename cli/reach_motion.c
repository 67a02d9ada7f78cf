/* `sinew ik FILE --stairs --gaze`: a whole motion over other ground, or with its eyes on something.
 */
#include <stdlib.h>
#include <string.h>

#include "draw/picture.h"
#include "input.h"
#include "output.h"
#include "reach.h"

typedef struct reach_over {
    snw_motion *motion, *answer;
    snw_pose *pose;
    snw_feet *feet;
    snw_stairs stairs;
    snw_look look;
    bool has_gaze;
    snw_vec3 gaze;
    int stood, asked;
    double worst, lowest, highest, off; /* metres, metres, metres, radians */
} reach_over;

static int read_stairs(const cli_arguments *arguments, reach_over *over)
{
    const char *text = cli_value(arguments, "--stairs", NULL);
    double mm[2];
    snw_error error;
    if (!text) return CLI_DONE;
    if (!cli_number_list(text, 2, mm) || !(fabs(mm[0]) <= 1000) || !(mm[1] >= 50))
        return cli_misuse(arguments,
                          "--stairs takes RISE,RUN in mm, a run of 50 or more, not \"%s\"", text);
    over->stairs = snw_stairs_before(over->motion, mm[0] / 1000, mm[1] / 1000, over->pose);
    snw_feet_options options = snw_feet_options_default();
    options.floor = over->stairs.floor;
    options.drop_max = INFINITY; /* nobody else leads the root down */
    if (snw_feet_create(over->motion->skeleton, &options, NULL, &over->feet, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    return CLI_DONE;
}

static int read_gaze(const cli_arguments *arguments, reach_over *over)
{
    static const double share[] = {0.1, 0.2, 0.3, 0.4}; /* the head's last */
    const char *text = cli_value(arguments, "--gaze", NULL);
    const snw_skeleton *body = over->motion->skeleton;
    double mm[3];
    if (!text) return CLI_DONE;
    if (!cli_number_list(text, 3, mm))
        return cli_misuse(arguments, "--gaze takes X,Y,Z in mm, not \"%s\"", text);
    over->gaze = snw_vec3_make(mm[0] / 1000, mm[1] / 1000, mm[2] / 1000);
    over->has_gaze = true;
    int joint[4], count = 0; /* from the head downwards */
    for (int j = body->joint_count - 1; j >= 0 && count < 4; j--) {
        snw_part part = snw_rig_part_of(body, j, NULL);
        bool is_above = part == SNW_PART_CHEST || part == SNW_PART_NECK;
        if (count == 0 ? part == SNW_PART_HEAD : is_above) joint[count++] = j;
    }
    if (count == 0) return reach_complain_joint(arguments, body, "--gaze", "head");
    over->look.joint_count = count;
    for (int k = 0; k < count; k++) {
        over->look.joint[k] = joint[count - 1 - k];
        over->look.share[k] = share[4 - count + k];
    }
    /* Bodies rest facing +Z: that is ahead in the head's frame at rest. */
    snw_pose_reset(over->pose);
    snw_pose_forward(over->pose);
    int head = over->look.joint[over->look.joint_count - 1];
    over->look.ahead = snw_quat_unrotate(over->pose->world[head].rotation, snw_vec3_make(0, 0, 1));
    return CLI_DONE;
}

static void solve_frame(reach_over *over, int frame, double blend)
{
    snw_terrain ground = snw_stairs_terrain(&over->stairs);
    snw_motion_get(over->motion, frame, over->pose);
    snw_pose_forward(over->pose);
    if (over->feet) {
        double dt = frame > 0 ? 1 / over->motion->rate : 0;
        snw_feet_result result = snw_feet_place(over->feet, &ground, dt, blend, over->pose);
        over->stood += result.reached_count;
        over->asked += 2;
        over->worst = fmax(over->worst, result.worst);
        over->lowest = fmin(over->lowest, -result.pelvis_drop);
        over->highest = fmax(over->highest, -result.pelvis_drop);
    }
    if (over->has_gaze)
        over->off = fmax(over->off, snw_look_at(&over->look, over->gaze, blend, over->pose));
    snw_motion_set(over->answer, frame, over->pose);
}

enum {
    OVER_MOMENTS = 9,
    OVER_EDGES = 7 /* places of the ground under each */
};

static bool draw_over(FILE *out, const void *context)
{
    const reach_over *over = context;
    cli_moment moment[OVER_MOMENTS] = {0};
    snw_pose *pose[OVER_MOMENTS] = {0};
    snw_vec3 edge[OVER_MOMENTS * OVER_EDGES];
    int count = over->answer->frame_count < OVER_MOMENTS ? over->answer->frame_count : OVER_MOMENTS;
    bool is_whole = true;
    for (int k = 0; k < count && is_whole; k++) {
        int frame = k * (over->answer->frame_count - 1) / (count > 1 ? count - 1 : 1);
        is_whole = snw_pose_create(over->answer->skeleton, NULL, &pose[k], NULL) == SNW_OK;
        if (!is_whole) break;
        snw_motion_get(over->answer, frame, pose[k]);
        snw_pose_forward(pose[k]);
        snw_vec3 here = pose[k]->root.translation;
        int edges = 0;
        for (int n = -3; n <= 3 && over->feet; n++) {
            snw_vec3 at = snw_vec3_add_scaled(here, 0.12 * n, over->stairs.along);
            at.y = snw_stairs_height(&over->stairs, at);
            edge[OVER_EDGES * k + edges++] = at;
        }
        moment[k] =
            (cli_moment){.pose = pose[k], .marker_count = edges, .marker = &edge[OVER_EDGES * k]};
        snw_format(moment[k].label, sizeof moment[k].label, "%.2f s", frame / over->answer->rate);
    }
    if (is_whole) cli_picture_draw_strip(moment, count, SNW_UP_Y, out);
    for (int k = 0; k < count; k++)
        snw_pose_destroy(pose[k]);
    return is_whole;
}

static void print_over(const cli_arguments *arguments, const reach_over *over)
{
    if (cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "frames", over->motion->frame_count);
        if (over->feet) {
            cli_json_integer(&json, "feet_placed", over->stood);
            cli_json_integer(&json, "feet", over->asked);
            cli_json_number(&json, "worst_mm", 1000 * over->worst);
            cli_json_number(&json, "pelvis_lowest_mm", 1000 * over->lowest);
            cli_json_number(&json, "pelvis_highest_mm", 1000 * over->highest);
        }
        if (over->has_gaze) cli_json_number(&json, "gaze_off_deg", snw_degrees(over->off));
        cli_json_end_object(&json);
        return;
    }
    printf("%d frames\n", over->motion->frame_count);
    if (over->feet)
        printf("  feet       %d of %d stand where the ground asks, the worst %.1f mm off\n"
               "  pelvis     %.0f to %.0f mm from where the motion has it\n",
               over->stood, over->asked, 1000 * over->worst, 1000 * over->lowest,
               1000 * over->highest);
    if (over->has_gaze) printf("  gaze       at most %.1f degrees off\n", snw_degrees(over->off));
}

static int run_over(const cli_arguments *arguments, reach_over *over)
{
    static const char *const outputs[] = {"--output", "--svg", NULL};
    const char *svg = cli_value(arguments, "--svg", NULL);
    double blend = 1;
    snw_error error;
    if (!cli_number(arguments, "--blend", 0, 1, &blend)) return CLI_USAGE;
    if (snw_pose_create(over->motion->skeleton, NULL, &over->pose, &error) != SNW_OK ||
        snw_motion_create(over->motion->skeleton, over->motion->frame_count, over->motion->rate,
                          NULL, &over->answer, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    int status = read_stairs(arguments, over);
    if (status == CLI_DONE) status = read_gaze(arguments, over);
    if (status == CLI_DONE) status = cli_check_output_options(arguments, outputs);
    for (int f = 0; f < over->motion->frame_count && status == CLI_DONE; f++)
        solve_frame(over, f, blend);
    if (status == CLI_DONE && svg) status = cli_write_whole(arguments, svg, draw_over, over);
    if (status == CLI_DONE) status = reach_write_motion(arguments, over->answer);
    if (status == CLI_DONE) print_over(arguments, over);
    return status;
}

int reach_over_motion(const cli_arguments *arguments)
{
    static cli_content content; /* its notes: 19 kB */
    reach_over over = {0};
    const char *path = arguments->operand_count ? arguments->operand[0] : NULL;
    if (!path || cli_flag(arguments, "--body"))
        return cli_misuse(arguments, "--stairs and --gaze need a FILE with a motion");
    if (!cli_read_content(arguments, path, cli_value(arguments, "--asf", NULL), &content))
        return CLI_FAILED;
    cli_print_notes(arguments, &content.notes);
    over.motion = content.motion;
    int status = over.motion && over.motion->frame_count > 0
                     ? run_over(arguments, &over)
                     : cli_fail(arguments, "%s holds no frames of a body", path);
    snw_feet_destroy(over.feet);
    snw_motion_destroy(over.answer);
    snw_pose_destroy(over.pose);
    cli_release_content(&content);
    return status;
}

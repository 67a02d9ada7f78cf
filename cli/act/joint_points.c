#include "act/joint_points.h"

#include "output.h"
#include "rig.h"
#include "shape/figure.h"

static int count_tips(const snw_skeleton *body)
{
    int count = 0;
    for (int j = 0; j < body->joint_count; j++)
        count += body->has_tip[j];
    return count;
}

static snw_status name_points(snw_trial *trial, const snw_skeleton *body, snw_error *error)
{
    snw_status status = SNW_OK;
    int tip = body->joint_count;
    for (int j = 0; j < body->joint_count && status == SNW_OK; j++) {
        char name[128];
        status = snw_trial_set_marker_name(trial, j, body->name[j], error);
        if (status != SNW_OK || !body->has_tip[j]) continue;
        snw_format(name, sizeof name, "%s_tip", body->name[j]);
        status = snw_trial_set_marker_name(trial, tip++, name, error);
    }
    return status;
}

static void set_points(snw_trial *trial, const snw_motion *motion, snw_pose *pose)
{
    const snw_skeleton *body = motion->skeleton;
    for (int f = 0; f < motion->frame_count; f++) {
        int tip = body->joint_count;
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 0; j < body->joint_count; j++) {
            snw_trial_set(trial, f, j, pose->world[j].translation, SNW_SAMPLE_MEASURED);
            if (body->has_tip[j])
                snw_trial_set(trial, f, tip++, snw_pose_tip(pose, j), SNW_SAMPLE_MEASURED);
        }
    }
}

snw_trial *cli_joint_points(const snw_motion *motion, snw_up_axis up, snw_error *error)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_pose *pose = NULL;
    options.marker_count = motion->skeleton->joint_count + count_tips(motion->skeleton);
    options.frame_count = motion->frame_count;
    options.rate = motion->rate;
    snw_status status = snw_pose_create(motion->skeleton, NULL, &pose, error);
    if (status == SNW_OK) status = snw_trial_create(&options, NULL, &trial, error);
    if (status == SNW_OK) status = name_points(trial, motion->skeleton, error);
    if (status == SNW_OK) {
        set_points(trial, motion, pose);
        trial->up = up;
    } else {
        snw_trial_destroy(trial);
        trial = NULL;
    }
    snw_pose_destroy(pose);
    return trial;
}

int cli_check_motion_or_points(const cli_arguments *arguments, const char *const *options)
{
    const char *path = cli_value(arguments, "--output", NULL);
    snw_format_kind kind = path ? snw_format_from_name(path) : SNW_FORMAT_BVH;
    if (!snw_format_writes_motion(kind) && !snw_format_writes_trial(kind))
        return cli_misuse(arguments,
                          "%s: the output must end in .bvh, .glb, .mot, .c3d, .trc or .csv", path);
    return cli_check_output_options(arguments, options);
}

/* The motion, of a person as `solve` writes it. */
static int write_motion(const cli_arguments *arguments, const char *path, const snw_motion *motion,
                        snw_up_axis up, bool is_person)
{
    snw_write_options options = snw_write_options_default();
    snw_error error;
    cli_rigged rigged = {motion, up, NULL, NULL};
    int code = is_person ? cli_rig(arguments, path, motion, up, true, &rigged) : CLI_DONE;
    options.up = rigged.up;
    snw_skin *skin = NULL;
    if (code == CLI_DONE && cli_flag(arguments, "--skin"))
        code = cli_make_skin(arguments, NULL, rigged.motion->skeleton, &skin);
    options.skin = skin;
    if (code == CLI_DONE && snw_write_motion_file(path, cli_flag(arguments, "--force"),
                                                  rigged.motion, &options, &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    snw_skin_destroy(skin);
    cli_rig_release(&rigged);
    return code;
}

int cli_write_motion_or_points(const cli_arguments *arguments, const char *path,
                               const snw_motion *motion, snw_up_axis up, bool is_person)
{
    bool overwrite = cli_flag(arguments, "--force");
    snw_format_kind kind = snw_format_from_name(path);
    snw_error error;
    if (snw_format_writes_motion(kind)) return write_motion(arguments, path, motion, up, is_person);
    snw_trial *points = cli_joint_points(motion, up, &error);
    if (!points) return cli_fail(arguments, "%s", error.message);
    snw_status status = snw_write_trial_file(path, overwrite, points, NULL, &error);
    snw_trial_destroy(points);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

/* `sinew demo`: the main job, on data made on the spot. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "output.h"
#include "picture.h"

typedef struct demo_reach {
    const snw_pose *before;
    const snw_pose *after;
} demo_reach;

static void draw_reach(FILE *out, const void *context)
{
    const demo_reach *reach = context;
    cli_picture_pose items[2] = {{reach->before, "at rest", "#b0bec5"},
                                 {reach->after, "bent, within limits", "#2c3e50"}};
    cli_picture picture = {"a humanoid", 2, items, 0, NULL};
    cli_picture_draw(&picture, out);
}

/* Turns every joint by a random rotation and lets the limits decide what of it is human. */
static void bend_within_limits(snw_pose *pose)
{
    snw_random random = snw_random_seed(7, 1);
    for (int j = 1; j < pose->skeleton->joint_count; j++) {
        snw_vec3 turn = snw_vec3_scale(snw_random_direction(&random), 0.6);
        pose->rotation[j] = snw_quat_exp(turn);
    }
    snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}

static int show_body(const cli_arguments *arguments, const char *folder)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *before = NULL, *after = NULL;
    int status = CLI_DONE;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &before, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &after, &error) != SNW_OK) {
        status = cli_fail(arguments, "%s", error.message);
    } else {
        char path[1024];
        snw_format(path, sizeof path, "%s/body.svg", folder);
        bend_within_limits(after);
        demo_reach reach = {before, after};
        status = cli_write_whole(arguments, path, draw_reach, &reach);
        if (status == CLI_DONE)
            printf("A humanoid of %d joints and %d degrees of freedom, bent at random, every joint "
                   "within its limits:\n  %s\n",
                   body->joint_count, body->dof_count, path);
    }
    snw_pose_destroy(after);
    snw_pose_destroy(before);
    snw_skeleton_destroy(body);
    return status;
}

static int show_gaps(const cli_arguments *arguments, const snw_synth *synth, const char *path)
{
    const snw_trial *capture = synth->capture;
    snw_error error;
    if (snw_write_trial_file(path, cli_flag(arguments, "--force"), capture, NULL, &error) != SNW_OK)
        return cli_fail_writing(arguments, &error);
    int missing = 0, longest = 0, worst = 0;
    for (int m = 0; m < capture->marker_count; m++) {
        snw_gap_summary gaps = snw_trial_gaps(capture, m);
        missing += gaps.missing_count;
        if (gaps.longest > longest) worst = m;
        if (gaps.longest > longest) longest = gaps.longest;
    }
    printf("\nA capture of a walk: %d markers, %d frames, %d samples missing, the longest gap %d "
           "frames of %s:\n  %s\n\nTry next:\n  sinew info %s\n  sinew synth --help\n",
           capture->marker_count, capture->frame_count, missing, longest,
           capture->marker[worst].name, path, path);
    return CLI_DONE;
}

/* Six seconds of walking before five cameras, with a limb hidden on purpose. */
static int show_capture(const cli_arguments *arguments, const char *folder)
{
    const snw_synth_gap gap = {"left_knee", SNW_SYNTH_GAP_ALL, 300, 40};
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_error error;
    char path[1024];
    snw_format(path, sizeof path, "%s/walk.c3d", folder);
    options.seconds = 6;
    options.camera_count = 5;
    options.gap_count = 1;
    options.gap = &gap;
    int status = CLI_DONE;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_synth_create(body, NULL, &options, NULL, &synth, &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    else
        status = show_gaps(arguments, synth, path);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return status;
}

static int run_demo(const cli_arguments *arguments)
{
    const char *folder = cli_value(arguments, "--output", "sinew-demo");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(arguments, "the folder %s cannot be made: %s", folder, strerror(errno));
    int status = show_body(arguments, folder);
    return status == CLI_DONE ? show_capture(arguments, folder) : status;
}

static const cli_option demo_options[] = {
    {"--output", "-o", "FOLDER", "where the files go (default: sinew-demo)"},
    {"--force", "-f", NULL, "overwrite files that are there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_demo_command = {
    "demo",
    "run the main job on data made on the spot, and say where to look",
    "",
    "example:\n  sinew demo --output /tmp/demo",
    demo_options,
    0,
    0,
    run_demo,
};

#include "shape/shape_body.h"

#include <string.h>

#include "verdict.h"

snw_motion *cli_read_body(const cli_arguments *arguments, const char *name, cli_content *content)
{
    memset(content, 0, sizeof *content);
    snw_error error;
    for (int n = 0; n < snw_preset_count(); n++) {
        if (strcmp(name, snw_preset_name(n)) != 0) continue;
        snw_skeleton *skeleton = cli_make_body(arguments, name);
        if (!skeleton) return NULL;
        if (snw_motion_create(skeleton, 1, 1, NULL, &content->motion, &error) != SNW_OK) {
            snw_skeleton_destroy(skeleton);
            cli_fail(arguments, "%s", error.message);
            return NULL;
        }
        content->motion->own_skeleton = skeleton;
        return content->motion;
    }
    if (!cli_read_content(arguments, name, cli_value(arguments, "--asf", NULL), content))
        return NULL;
    cli_print_notes(arguments, &content->notes);
    if (!content->motion) cli_fail(arguments, "%s holds no skeleton", name);
    return content->motion;
}

bool cli_is_robot(const char *path)
{
    snw_format_kind kind = snw_detect_file(path);
    return kind == SNW_FORMAT_URDF || kind == SNW_FORMAT_MJCF;
}

int cli_read_body_motion(const cli_arguments *arguments, const char *path, cli_body_motion *source)
{
    snw_error error;
    memset(source, 0, sizeof *source);
    source->up = snw_vec3_make(0, 1, 0);
    if (!cli_read_content(arguments, path, cli_value(arguments, "--asf", NULL), &source->content))
        return CLI_FAILED;
    cli_print_notes(arguments, &source->content.notes);
    source->motion = source->content.motion;
    if (source->content.trial) {
        if (snw_solve(source->content.trial, NULL, NULL, &source->solution, &error) != SNW_OK)
            return cli_fail(arguments, "%s: %s", path, error.message);
        cli_print_bodies_verdict(arguments, source->solution);
        if (source->solution->body_count) source->motion = source->solution->body->motion;
        snw_up_axis up = source->solution->trial->up;
        if (up != SNW_UP_UNKNOWN) source->up = snw_up_direction(up);
    }
    if (!source->motion || source->motion->frame_count < 1)
        return cli_fail(arguments, "%s holds no motion", path);
    return CLI_DONE;
}

void cli_release_body_motion(cli_body_motion *source)
{
    snw_solution_destroy(source->solution);
    cli_release_content(&source->content);
}

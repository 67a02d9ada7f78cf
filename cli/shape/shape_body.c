#include "shape/shape_body.h"

#include <string.h>

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

/* Motions on their way to animation programs: rest pose, names, floor and feet as the options say.
 */
#ifndef SINEW_CLI_RIG_H
#define SINEW_CLI_RIG_H

#include "command.h"

/* Rows for a command's option table; all of them, or those of a person that rests in a T anyway. */
#define CLI_PERSON_OPTIONS                                                                      \
    {"--names", NULL, "SCHEME", "BVH, GLB: keep, humanik, mixamo, unreal, blender, vrm"},       \
        {"--floor", NULL, NULL, "BVH, GLB: move the motion so that the feet are on the floor"}, \
        {"--symmetric", NULL, NULL, "BVH, GLB: both sides equal, bones as long as their mean"}, \
    {                                                                                           \
        "--foot-lock", NULL, NULL, "BVH, GLB: hold feet that stand where they stand"            \
    }
#define CLI_RIG_OPTIONS                                                                        \
    CLI_PERSON_OPTIONS,                                                                        \
    {                                                                                          \
        "--rest", NULL, "POSE", "BVH, GLB: t-pose, or captured: the rest pose as it was found" \
    }

/* A motion to write: the given one, or a rig made of it. */
typedef struct cli_rigged {
    const snw_motion *motion;
    snw_up_axis up; /* of that motion */
    snw_motion *own_motion;
    const snw_actor *actor; /* yours to set: of the motion, or NULL */
} cli_rigged;

/* Makes the rig that the options ask for and the format of `path` can carry. `is_wanted`: a T-pose
 * also where no option asks for one, if the body is a person's. Complains itself; an exit code.
 * Release in any case. */
int cli_rig(const cli_arguments *arguments, const char *path, const snw_motion *motion,
            snw_up_axis up, bool is_wanted, cli_rigged *out);
void cli_rig_release(cli_rigged *rigged);

#endif

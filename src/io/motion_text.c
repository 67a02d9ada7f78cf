/* What the motion formats share. */
#include "io/motion_text.h"

#include <string.h>

#include "base/fail.h"

static bool is_taken(char (*names)[SNW__NAME_SIZE], int count, const char *name)
{
    for (int n = 0; n < count; n++)
        if (strcmp(names[n], name) == 0) return true;
    return false;
}

void snw__joint_names_settle(char (*names)[SNW__NAME_SIZE], int joint_count, snw_notes *notes)
{
    for (int j = 0; j < joint_count; j++) {
        char fresh[SNW__NAME_SIZE];
        snw_format(fresh, sizeof fresh, "%s", names[j]);
        if (!fresh[0]) snw_format(fresh, sizeof fresh, "joint%d", j);
        /* Room for the number stays free, so that the loop ends. */
        for (int number = 2; is_taken(names, j, fresh); number++)
            snw_format(fresh, sizeof fresh, "%.*s#%d", SNW__NAME_SIZE - 16,
                       names[j][0] ? names[j] : "joint", number);
        if (strcmp(fresh, names[j]) == 0) continue;
        snw__note(notes, SNW_NOTE_LABEL_MADE, snw__at_name(j, fresh),
                  "joint %d named \"%.40s\" is called \"%.60s\"", j, names[j], fresh);
        memcpy(names[j], fresh, sizeof fresh);
    }
}

int snw__depth_first(const int *parent, int count, int *next, int *child, int *order)
{
    for (int n = 0; n < count; n++)
        next[n] = child[n] = -1;
    for (int n = count - 1; n > 0; n--) {
        if (parent[n] < 0) continue;
        next[n] = child[parent[n]];
        child[parent[n]] = n;
    }
    int visited = 0;
    for (int at = 0; at >= 0;) {
        order[visited++] = at;
        if (child[at] >= 0) {
            at = child[at];
            continue;
        }
        while (at > 0 && next[at] < 0)
            at = parent[at];
        at = at > 0 ? next[at] : -1;
    }
    return visited;
}

snw_quat snw__turn_up_to_y(snw_up_axis up)
{
    /* UNKNOWN counts as +Y: between gives the identity for a zero direction. */
    return snw_quat_between(snw_up_direction(up), snw_up_direction(SNW_UP_Y));
}

static snw_status fail_at_frame(const snw_motion *motion, int frame, int joint, snw_error *error)
{
    const char *name = motion->skeleton->name[joint];
    snw__place place = {-1, -1, frame, joint, name};
    return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                        "joint %s is not finite in frame %d and cannot be written", name, frame);
}

snw_status snw__motion_check(const snw_motion *motion, snw_error *error)
{
    int joint_count = motion->skeleton->joint_count;
    for (int frame = 0; frame < motion->frame_count; frame++) {
        const snw_xform *root = motion->root + frame;
        if (!snw_vec3_is_finite(root->translation) || !snw_quat_is_finite(root->rotation))
            return fail_at_frame(motion, frame, 0, error);
        for (int j = 0; j < joint_count; j++) {
            size_t at = (size_t)frame * (size_t)joint_count + (size_t)j;
            if (!snw_quat_is_finite(motion->rotation[at]) || !snw_vec3_is_finite(motion->slide[at]))
                return fail_at_frame(motion, frame, j, error);
        }
    }
    return SNW_OK;
}

snw_xform snw__motion_root_joint(const snw_motion *motion, int frame)
{
    size_t at = (size_t)frame * (size_t)motion->skeleton->joint_count;
    snw_xform moved = snw_xform_make(motion->rotation[at], motion->slide[at]);
    return snw_xform_mul(motion->root[frame], snw_xform_mul(motion->skeleton->rest[0], moved));
}

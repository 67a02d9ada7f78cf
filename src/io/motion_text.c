/* What the motion formats share. */
#include "io/motion_text.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"

/* Room for the number stays free, so that one is always found. */
#define MOTION_NAME_KEPT (SNW__NAME_SIZE - 16)

/* Names taken by earlier joints, and for each start of a name the numbers tried behind it: with
 * these, joints that all have one name cost no more than others. */
typedef struct motion_names {
    snw__name_set taken, started;
    int *number; /* (joint_count) last one tried, by place in `started` */
} motion_names;

static void settle_name(motion_names *names, char own[SNW__NAME_SIZE], int joint, snw_notes *notes)
{
    char fresh[SNW__NAME_SIZE];
    snw_format(fresh, sizeof fresh, "%s", own);
    if (!fresh[0]) snw_format(fresh, sizeof fresh, "joint%d", joint);
    if (snw__name_set_find(&names->taken, fresh, strlen(fresh)) >= 0) {
        /* The first free "NAME#2", "NAME#3" and so on. */
        const char *name = own[0] ? own : "joint";
        size_t kept = strlen(name) < MOTION_NAME_KEPT ? strlen(name) : MOTION_NAME_KEPT;
        int place = snw__name_set_add(&names->started, name, kept, names->started.count);
        if (place < 0) place = names->started.count - 1;
        int number = names->number[place] ? names->number[place] : 1;
        do
            snw_format(fresh, SNW__NAME_SIZE, "%.*s#%d", (int)kept, name, ++number);
        while (snw__name_set_find(&names->taken, fresh, strlen(fresh)) >= 0);
        names->number[place] = number;
    }
    if (strcmp(fresh, own) != 0) {
        snw__note(notes, SNW_NOTE_LABEL_MADE, snw__at_name(joint, fresh),
                  "joint %d named \"%.40s\" is called \"%.60s\"", joint, own, fresh);
        memcpy(own, fresh, sizeof fresh);
    }
    snw__name_set_add(&names->taken, own, strlen(own), joint);
}

snw_status snw__joint_names_settle(char (*names)[SNW__NAME_SIZE], int joint_count,
                                   const snw_allocator *allocator, snw_notes *notes,
                                   snw_error *error)
{
    motion_names job;
    size_t size = (size_t)joint_count * sizeof *job.number;
    job.number = (int *)snw__allocate(allocator, size);
    snw_status taken = snw__name_set_create(&job.taken, joint_count, allocator, error);
    snw_status started = snw__name_set_create(&job.started, joint_count, allocator, error);
    snw_status status = taken != SNW_OK ? taken : started;
    if (!job.number) status = snw__fail_memory(error, size, "the names");
    for (int j = 0; j < joint_count && status == SNW_OK; j++)
        settle_name(&job, names[j], j, notes);
    snw__name_set_release(&job.started);
    snw__name_set_release(&job.taken);
    snw__release(allocator, job.number, size);
    return status;
}

snw_status snw__body_check_size(const snw__text_input *text, int64_t joint_count)
{
    return snw__text_check_size(text, (double)joint_count * SNW__BODY_JOINT_BYTES, "the body");
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

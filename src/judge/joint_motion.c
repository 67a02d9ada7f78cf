/* What a motion shows of the joints: how far each turned, and the least limits that hold all of it.
 * Whatever trial the actor was calibrated on, these describe this one. */
#include <math.h>
#include <string.h>

#include <sinew/measure.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "judge/judge_constants.h"
#include "judge/judging.h"
#include "track/joint_range.h"

typedef struct motion_room {
    snw_joint_def *def; /* (joint_count) */
    snw_quat *rotation; /* (frame_count) of one joint */
    bool *is_shown;     /* (frame_count) */
    double *least;      /* (joint_count) uncertainty that a body like this leaves */
    const snw_motion *motion;
} motion_room;

static void lay_out_room(void *object, snw__block *block)
{
    motion_room *room = object;
    const snw_motion *motion = room->motion;
    room->def = snw__block_take(block, (size_t)motion->skeleton->joint_count, sizeof *room->def);
    room->rotation = snw__block_take(block, (size_t)motion->frame_count, sizeof(snw_quat));
    room->is_shown = snw__block_take(block, (size_t)motion->frame_count, sizeof(bool));
    room->least = snw__block_take(block, (size_t)motion->skeleton->joint_count, sizeof(double));
}

/* The largest angle between two rotations, found from end to end: not less than the diameter over
 * two, and the diameter itself for motions about one axis. */
static double largest_turn(const snw_quat *rotation, int count)
{
    int from = 0;
    double most = 0;
    for (int pass = 0; pass < JOINT_MOTION_PASSES; pass++) {
        int far = from;
        double angle = 0;
        for (int k = 0; k < count; k++) {
            double now = snw_quat_angle_between(rotation[from], rotation[k]);
            if (now <= angle) continue;
            angle = now;
            far = k;
        }
        most = fmax(most, angle);
        from = far;
    }
    return most;
}

static void gather_turns(const snw_motion *motion, int joint, motion_room *room)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    for (int k = 0; k < motion->frame_count; k++) {
        room->rotation[k] = motion->rotation[(size_t)k * joints + (size_t)joint];
        room->is_shown[k] = true;
    }
}

static snw_status build(const snw_actor *actor, const snw_motion *motion, motion_room *room,
                        const snw_allocator *allocator, snw_actor **out, snw_error *error)
{
    snw_skeleton *body = NULL;
    int joints = actor->skeleton->joint_count;
    for (int j = 0; j < joints; j++) {
        room->def[j] = snw_skeleton_joint_def(actor->skeleton, j);
        if (j > 0) {
            gather_turns(motion, j, room);
            snw__joint_seen seen = {motion->frame_count, room->rotation, room->is_shown, 0};
            room->def[j].joint.limit = snw_joint_limit_none();
            if (motion->frame_count > 0) snw__joint_range_find(&room->def[j].joint, &seen);
        }
    }
    snw_status status = snw_skeleton_create(room->def, joints, allocator, &body, error);
    const snw__actor_parts parts = {actor->marker, actor->marker_count, actor->value,
                                    actor->value_count};
    if (status == SNW_OK) status = snw__actor_assemble(body, &parts, allocator, out, error);
    snw_skeleton_destroy(body);
    snw__plausibility_doubt(actor, room->least);
    for (int j = 1; status == SNW_OK && j < joints; j++) {
        gather_turns(motion, j, room);
        /* The verdict with another range and at least this uncertainty; what was said of neighbours
         * stays.
         */
        const snw_joint_estimate *was = actor->estimate + j;
        snw_joint_estimate *now = (*out)->estimate + j;
        const char *neighbour = strstr(was->verdict, "; neighbour");
        *now = *was;
        now->range = largest_turn(room->rotation, motion->frame_count);
        if (was->type == SNW_JOINT_FIXED && was->uncertainty == 0)
            continue; /* given, not measured */
        now->uncertainty = fmax(was->uncertainty, room->least[j]);
        snw__joint_estimate_judge(now);
        now->alternative = was->alternative;
        if (!neighbour) continue;
        size_t length = strlen(now->verdict);
        snw_format(now->verdict + length, sizeof now->verdict - length, "%s", neighbour);
        now->is_uncertain = true;
    }
    return status;
}

snw_status snw_actor_describe(const snw_actor *actor, const snw_motion *motion,
                              const snw_allocator *allocator, snw_actor **out, snw_error *error)
{
    *out = NULL;
    snw_status status = snw__check_motion_of(actor, motion, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    motion_room room;
    memset(&room, 0, sizeof room);
    room.motion = motion;
    snw__block block;
    status = snw__block_create(&block, lay_out_room, &room, &memory, "describing a motion", error);
    if (status != SNW_OK) return status;
    status = build(actor, motion, &room, allocator, out, error);
    snw__block_release(&memory, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* A pose over time, frame-major, in one block of memory. */
#include <sinew/body.h>

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/resample.h"

static void lay_out(void *object, snw__block *block)
{
    snw_motion *motion = object;
    size_t frames = (size_t)motion->frame_count;
    size_t samples = snw__size_mul(frames, (size_t)motion->skeleton->joint_count);
    snw__block_take(block, 1, sizeof *motion);
    motion->root = snw__block_take(block, frames, sizeof *motion->root);
    motion->rotation = snw__block_take(block, samples, sizeof *motion->rotation);
    motion->slide = snw__block_take(block, samples, sizeof *motion->slide);
}

snw_status snw_motion_create(const snw_skeleton *skeleton, int frame_count, double rate,
                             const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    snw_motion fields = {0};
    snw__block block;
    *out = NULL;
    if (!skeleton) return snw__fail(error, SNW_INVALID_ARGUMENT, "a motion needs a skeleton");
    if (frame_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a motion cannot have %d frames",
                         frame_count);
    if (!(rate > 0) || !isfinite(rate))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the rate of a motion is %g frames per second: it must be above zero",
                         rate);
    fields.skeleton = skeleton;
    fields.rate = rate;
    fields.frame_count = frame_count;
    fields.allocator = snw__allocator_or_default(allocator);
    snw_status status =
        snw__block_create(&block, lay_out, &fields, &fields.allocator, "a motion", error);
    if (status != SNW_OK) return status;
    fields.block_size = block.size;
    *out = (void *)block.base;
    **out = fields;
    snw_motion *motion = *out;
    size_t samples = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (int f = 0; f < motion->frame_count; f++)
        motion->root[f] = snw_xform_identity();
    for (size_t i = 0; i < samples; i++)
        motion->rotation[i] = snw_quat_identity(); /* slides are zero: memory comes zeroed */
    return snw__succeed(error);
}

void snw_motion_destroy(snw_motion *motion)
{
    if (!motion) return;
    snw_allocator memory = motion->allocator; /* the block holds it */
    snw_skeleton_destroy(motion->own_skeleton);
    snw__release(&memory, motion, motion->block_size);
}

void snw_motion_get(const snw_motion *motion, int frame, snw_pose *pose)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    size_t first = (size_t)frame * joints;
    pose->root = motion->root[frame];
    memcpy(pose->rotation, motion->rotation + first, joints * sizeof *pose->rotation);
    memcpy(pose->slide, motion->slide + first, joints * sizeof *pose->slide);
}

void snw_motion_set(snw_motion *motion, int frame, const snw_pose *pose)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    size_t first = (size_t)frame * joints;
    motion->root[frame] = pose->root;
    memcpy(motion->rotation + first, pose->rotation, joints * sizeof *pose->rotation);
    memcpy(motion->slide + first, pose->slide, joints * sizeof *pose->slide);
}

static void blend_frames(const snw_motion *from, int k, double t, snw_motion *to, int frame)
{
    size_t joints = (size_t)from->skeleton->joint_count;
    int after = t > 0 ? k + 1 : k;
    to->root[frame] =
        t > 0 ? snw_xform_interpolate(from->root[k], from->root[after], t) : from->root[k];
    for (size_t j = 0; j < joints; j++) {
        size_t a = (size_t)k * joints + j, b = (size_t)after * joints + j;
        size_t at = (size_t)frame * joints + j;
        to->rotation[at] =
            t > 0 ? snw_quat_slerp(from->rotation[a], from->rotation[b], t) : from->rotation[a];
        to->slide[at] = snw_vec3_lerp(from->slide[a], from->slide[b], t);
    }
}

snw_status snw_motion_part(const snw_motion *motion, int first, int count,
                           const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    *out = NULL;
    if (first < 0) first = 0;
    if (first > motion->frame_count) first = motion->frame_count;
    if (count > motion->frame_count - first) count = motion->frame_count - first;
    snw_status status = snw_motion_create(motion->skeleton, count < 0 ? 0 : count, motion->rate,
                                          allocator, out, error);
    if (status != SNW_OK) return status;
    (*out)->metres_per_unit = motion->metres_per_unit;
    for (int frame = 0; frame < (*out)->frame_count; frame++)
        blend_frames(motion, first + frame, 0, *out, frame);
    return snw__succeed(error);
}

snw_status snw_motion_resample(const snw_motion *motion, double rate,
                               const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    *out = NULL;
    int count = motion->frame_count;
    if (!(rate > 0 && rate < 1e9))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a motion cannot have %g frames per second",
                         rate);
    double frames = snw__resample_count(count, motion->rate, rate);
    if (frames > INT32_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "%g frames are more than a motion can hold", frames);
    snw_status status =
        snw_motion_create(motion->skeleton, (int)frames, rate, allocator, out, error);
    if (status != SNW_OK) return status;
    (*out)->metres_per_unit = motion->metres_per_unit;
    for (int frame = 0; frame < (*out)->frame_count; frame++) {
        double t;
        int k = snw__resample_place(motion->rate / rate, frame, count, &t);
        blend_frames(motion, k, t, *out, frame);
    }
    return snw__succeed(error);
}

/* The list of built-in motions, and a motion made of one. */
#include "synth/stage.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

typedef struct synth_motion_entry {
    const char *name;
    const char *text;
    snw__motion_at *at;
    bool is_for_humanoid;
} synth_motion_entry;

static const synth_motion_entry synth_motions[SNW_SYNTH_MOTION_COUNT] = {
    {"walk", "humanoid: walks round a circle, feet planted from heel to toe", snw__walk_at, true},
    {"run", "humanoid: runs round a circle, with flight", snw__run_at, true},
    {"dance", "humanoid: side steps, swaying hips, waving arms", snw__dance_at, true},
    {"boxing", "humanoid: guard, jab, cross, hook, uppercut", snw__boxing_at, true},
    {"reach", "humanoid: stands and reaches for random targets", snw__reach_at, true},
    {"range", "any body: every joint through most of its range, in turn", snw__range_at, false},
    {"gestures", "hand25: fist, spread, point, two, three, pinch, thumb up", snw__gestures_at,
     false},
};

static bool is_listed(snw_synth_motion_kind kind)
{
    return (int)kind >= 0 && kind < SNW_SYNTH_MOTION_COUNT;
}

const char *snw_synth_motion_name(snw_synth_motion_kind kind)
{
    return is_listed(kind) ? synth_motions[kind].name : NULL;
}

const char *snw_synth_motion_text(snw_synth_motion_kind kind)
{
    return is_listed(kind) ? synth_motions[kind].text : NULL;
}

int snw_synth_motion_find(const char *name)
{
    int kind = 0;
    while (kind < SNW_SYNTH_MOTION_COUNT && (!name || strcmp(synth_motions[kind].name, name) != 0))
        kind++;
    return kind < SNW_SYNTH_MOTION_COUNT ? kind : -1;
}

/* ---- what a motion needs ------------------------------------------------------------------ */

/* Sizes of time that can be: also keeps frame counts inside an int. */
static snw_status check_time(const snw_synth_options *options, snw_error *error)
{
    if (!is_listed(options->motion))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no built-in motion number %d",
                         (int)options->motion);
    if (!(options->rate > 0 && options->rate <= 1e5))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a rate of %g frames per second is not possible: above 0, up to 100000",
                         options->rate);
    if (!(options->seconds > 0 && options->seconds * options->rate <= SNW_SYNTH_FRAME_MAX))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "%g seconds at %g frames per second cannot be made: 1 to %d frames",
                         options->seconds, options->rate, SNW_SYNTH_FRAME_MAX);
    double narrowest = options->motion == SNW_SYNTH_RUN ? 4 : 1.5; /* ankles tilt that far */
    if (!(options->path_radius >= narrowest))                      /* NaN too */
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a path of radius %g m is too narrow: %g m or more, or straight",
                         options->path_radius, narrowest);
    return SNW_OK;
}

static snw_status set_stage(const snw_skeleton *skeleton, const snw_synth_options *options,
                            snw__stage *stage, snw_error *error)
{
    memset(stage, 0, sizeof *stage);
    stage->skeleton = skeleton;
    stage->options = options;
    if (synth_motions[options->motion].is_for_humanoid)
        return snw__actor_find(skeleton, &stage->actor, error);
    if (options->motion == SNW_SYNTH_GESTURES) {
        static const char *const needed[] = {"index4", "middle4", "ring4", "little4", "thumb3"};
        for (int i = 0; i < 5; i++) {
            int joint = snw_skeleton_find_joint(skeleton, needed[i]);
            if (joint >= 0 && skeleton->joint[joint].type == SNW_JOINT_HINGE) continue;
            return snw__fail(error, SNW_UNSUPPORTED,
                             "the gestures need the body \"hand25\": here %s is not a hinge",
                             needed[i]);
        }
        return SNW_OK;
    }
    return SNW_OK;
}

/* The memory of the work, and the frames. */
static snw_status perform(snw__stage *stage, const snw_allocator *memory, snw_motion *motion,
                          snw_error *error)
{
    snw_pose *pose = NULL;
    size_t size = (size_t)stage->skeleton->joint_count * sizeof *stage->slot;
    snw_status status = snw_pose_create(stage->skeleton, memory, &pose, error);
    if (status != SNW_OK) return status;
    stage->slot = snw__allocate(memory, size);
    if (stage->slot) {
        /* Parents come before children, so theirs is known. */
        const snw_skeleton *skeleton = stage->skeleton;
        stage->slot_count = 1;
        for (int j = 1; j < skeleton->joint_count; j++) {
            int parent = skeleton->parent[j];
            stage->slot[j] = parent == 0 ? 0 : stage->slot[parent] + 1;
            if (skeleton->joint[j].type != SNW_JOINT_FIXED && stage->slot[j] >= stage->slot_count)
                stage->slot_count = stage->slot[j] + 1;
        }
        double lowest = 0;
        snw_pose_reset(pose);
        for (int j = 0; j < pose->skeleton->joint_count; j++) {
            lowest = fmin(lowest, pose->world[j].translation.y);
            lowest = fmin(lowest, snw_pose_tip(pose, j).y);
        }
        stage->standing = -lowest;
        snw__motion_at *at = synth_motions[stage->options->motion].at;
        for (int f = 0; f < motion->frame_count; f++) {
            snw_pose_reset(pose);
            at(stage, f / motion->rate, pose);
            snw_motion_set(motion, f, pose);
        }
    } else {
        status = snw__fail_memory(error, size, "the order of an exercise");
    }
    snw__release(memory, stage->slot, size);
    snw_pose_destroy(pose);
    return status;
}

snw_status snw_synth_motion_create(const snw_skeleton *skeleton, const snw_synth_options *options,
                                   const snw_allocator *allocator, snw_motion **out,
                                   snw_error *error)
{
    snw__stage stage;
    snw_motion *motion = NULL;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_synth_options defaults = snw_synth_options_default();
    *out = NULL;
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    if (!skeleton) return snw__fail(error, SNW_INVALID_ARGUMENT, "a motion needs a body");
    snw_status status = check_time(options, error);
    if (status == SNW_OK) status = set_stage(skeleton, options, &stage, error);
    if (status != SNW_OK) return status;
    int frames = (int)fmax(1, floor(options->seconds * options->rate + 0.5));
    status = snw_motion_create(skeleton, frames, options->rate, &memory, &motion, error);
    if (status == SNW_OK) status = perform(&stage, &memory, motion, error);
    if (status != SNW_OK) {
        snw_motion_destroy(motion);
        return status;
    }
    *out = motion;
    return snw__succeed(error);
}

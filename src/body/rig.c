/* A motion on a rig that other programs know.
 *
 * With A_j the rotation of joint j's frame in the T-pose, B_j that of the new joint's frame there
 * and R_j(t) the joint's rotation in the world, the new joint turns as R_j A_j~ B_j: at rest B_j,
 * and every vector fixed in the segment keeps its place in the world. New offsets are B_parent~
 * A_parent o, so all joints are where they were, unless both sides are to be made equal: then o is
 * the mean of both sides. */
#include "body/rig.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "body/body_constants.h"
#include "body/joint_types.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/anthropometry.h"

snw_rig_options snw_rig_options_default(void)
{
    snw_rig_options options = {.up = {0, 1, 0}, .has_t_pose = true};
    return options;
}

/* Everything of one call. */
typedef struct rig_job {
    const snw_motion *motion;
    const snw_rig_options *options;
    snw_quat turn; /* of the world: up becomes +Y */
    double lift;   /* metres, of the whole motion */
    double height; /* of the hips in the T-pose */
    int above;     /* joints above the hips: 1: "root" on the floor, else 0 */
    snw_allocator allocator;
    snw__rig_joint *rig;              /* (joint_count) */
    snw_joint_def *def;               /* (joint_count) */
    char (*name)[SNW__RIG_NAME_SIZE]; /* (joint_count) */
    double *lowest;                   /* (frame_count) of the feet */
    snw_vec3 *places;                 /* (SNW__RIG_LOCK_PLACES x frame_count) for the lock */
    snw_pose *pose;                   /* of the old skeleton */
} rig_job;

static void lay_out(void *object, snw__block *block)
{
    rig_job *job = object;
    size_t joints = (size_t)job->motion->skeleton->joint_count;
    size_t frames = (size_t)job->motion->frame_count;
    job->rig = snw__block_take(block, joints + 1, sizeof *job->rig);
    job->def = snw__block_take(block, joints + 1, sizeof *job->def);
    job->name = snw__block_take(block, joints, sizeof *job->name);
    job->lowest = snw__block_take(block, frames, sizeof *job->lowest);
    job->places =
        snw__block_take(block, snw__size_mul(SNW__RIG_LOCK_PLACES, frames), sizeof *job->places);
}

/* ---- the floor ------------------------------------------------------------------------------- */

static bool is_foot(const snw__rig_joint *joint)
{
    return joint->part == SNW_PART_FOOT || joint->part == SNW_PART_TOE;
}

/* Height of the lowest point of the feet that only SNW__STRAY_SHARE of the frames go below. */
static double find_floor(rig_job *job)
{
    const snw_skeleton *skeleton = job->motion->skeleton;
    int count = 0;
    for (int f = 0; f < job->motion->frame_count; f++) {
        double lowest = HUGE_VAL;
        snw_motion_get(job->motion, f, job->pose);
        snw_pose_forward(job->pose);
        for (int j = 0; j < skeleton->joint_count; j++) {
            if (!is_foot(job->rig + j)) continue;
            lowest = fmin(lowest, snw_vec3_dot(job->pose->world[j].translation, job->options->up));
            lowest = fmin(lowest, snw_vec3_dot(snw_pose_tip(job->pose, j), job->options->up));
        }
        if (isfinite(lowest)) job->lowest[count++] = lowest;
    }
    if (count == 0) return 0;
    (void)snw__median(job->lowest, count); /* sorts them */
    /* Share of the frames that may lie below the floor: single frames of a fall, or of noise. */
    return job->lowest[(int)(SNW__STRAY_SHARE * count)];
}

/* How high the hips are when the feet stand. A foot that is an ankle alone stands as high as ankles
 * do. */
static double hip_height(const rig_job *job)
{
    const snw_skeleton *skeleton = job->motion->skeleton;
    double lowest = 0;
    bool has_toe = false;
    for (int j = 0; j < skeleton->joint_count; j++) {
        const snw__rig_joint *joint = job->rig + j;
        lowest = fmin(lowest, joint->place.y);
        has_toe |= joint->part == SNW_PART_TOE || (is_foot(joint) && skeleton->has_tip[j]);
        if (skeleton->has_tip[j]) lowest = fmin(lowest, joint->place.y + joint->tip.y);
    }
    return -lowest + (has_toe ? 0 : SNW__LENGTH_ANKLE * SNW__STATURE_MAN);
}

/* ---- the new body ---------------------------------------------------------------------------- */

/* The new frame in the T-pose: `bone_axis` along the bone, another axis forward, or up where the
 * bone itself leads forward. */
static snw_quat frame_along_bone(const snw__rig_joint *joint, char bone_axis)
{
    snw_vec3 bone = snw_quat_rotate(joint->t_from_joint, joint->bone);
    double length = snw_vec3_length(bone);
    if (!bone_axis || !(length > 1e-9)) return snw_quat_identity();
    bone = snw_vec3_scale(bone, 1 / length);
    snw_vec3 forward = fabs(bone.z) < 0.7 ? snw_vec3_make(0, 0, 1) : snw_vec3_make(0, 1, 0);
    forward = snw_vec3_sub(forward, snw_vec3_scale(bone, snw_vec3_dot(forward, bone)));
    forward = snw_vec3_unit(forward, snw_vec3_make(0, 0, 1));
    snw_vec3 side = snw_vec3_cross(bone, forward);
    /* y along the bone, z forward, x = y x z; or x along it, z forward, y = z x x. */
    snw_vec3 x = bone_axis == 'x' ? bone : side;
    snw_vec3 y = bone_axis == 'x' ? snw_vec3_cross(forward, bone) : bone;
    snw_mat3 frame = {{{x.x, y.x, forward.x}, {x.y, y.y, forward.y}, {x.z, y.z, forward.z}}};
    return snw_quat_from_mat3(frame);
}

static bool is_name_taken(const rig_job *job, int joint, const char *name)
{
    for (int j = 0; j < joint; j++)
        if (strcmp(job->name[j], name) == 0) return true;
    return false;
}

/* What rounding leaves of a zero is no offset: 1e-12 m, a million times less than a float keeps. */
static double without_rounding(double metres)
{
    return fabs(metres) < 1e-12 ? 0 : metres;
}

/* A vector of the T-pose in the new joint's frame. */
static snw_vec3 into_new(const snw__rig_joint *joint, snw_vec3 vector)
{
    snw_vec3 v = snw_quat_unrotate(joint->t_from_new, vector);
    return snw_vec3_make(without_rounding(v.x), without_rounding(v.y), without_rounding(v.z));
}

static void define_joint(rig_job *job, int j)
{
    const snw_skeleton *skeleton = job->motion->skeleton;
    snw_joint_def *def = job->def + j + job->above;
    int parent = skeleton->parent[j];
    *def = snw_joint_def_default();
    const snw__rig_joint *rig = job->rig + j;
    char *name = job->name[j];
    bool is_last = rig->main_child < 0 || job->rig[rig->main_child].part != rig->part;
    bool is_named = snw__rig_name(job->options->names, rig, is_last, name);
    if (!is_named || is_name_taken(job, j, name))
        snw_format(name, SNW__RIG_NAME_SIZE, "%s", job->motion->skeleton->name[j]);
    for (int n = 2; is_name_taken(job, j, name); n++)
        snw_format(name, SNW__RIG_NAME_SIZE, "%.64s#%d", job->motion->skeleton->name[j], n);
    def->name = job->name[j];
    def->parent = parent + job->above;
    snw_joint_type type = skeleton->joint[j].type;
    bool slides = snw__joint_is_slide(type, 0);
    bool is_free = parent < 0 ? job->above > 0 : slides;
    def->joint.type = is_free ? SNW_JOINT_FREE : SNW_JOINT_BALL;
    def->mass = skeleton->mass[j];
    def->has_inertia = skeleton->has_inertia[j];
    if (def->has_inertia) {
        snw_quat turn = snw_quat_mul(snw_quat_conjugate(rig->t_from_new), rig->t_from_joint);
        snw_mat3 m = snw_mat3_from_quat(turn);
        def->mass_center = snw_quat_rotate(turn, skeleton->mass_center[j]);
        def->inertia = snw_mat3_mul(m, snw_mat3_mul(skeleton->inertia[j], snw_mat3_transpose(m)));
    }
    def->has_tip = skeleton->has_tip[j];
    def->tip = into_new(job->rig + j, job->rig[j].tip);
    if (parent < 0) {
        def->rest = snw_xform_make(job->rig[j].t_from_new, snw_vec3_make(0, job->height, 0));
        return;
    }
    def->rest.rotation =
        snw_quat_mul(snw_quat_conjugate(job->rig[parent].t_from_new), job->rig[j].t_from_new);
    def->rest.translation = into_new(job->rig + parent, job->rig[j].offset);
}

/* ---- the new motion -------------------------------------------------------------------------- */

/* How the new joint stands in the world. */
static snw_quat new_rotation(const rig_job *job, int joint)
{
    const snw__rig_joint *rig = job->rig + joint;
    snw_quat segment = snw_quat_mul(job->turn, job->pose->world[joint].rotation);
    return snw_quat_mul(snw_quat_mul(segment, snw_quat_conjugate(rig->t_from_joint)),
                        rig->t_from_new);
}

static snw_vec3 new_place(const rig_job *job, int joint)
{
    snw_vec3 place = snw_quat_rotate(job->turn, job->pose->world[joint].translation);
    place.y += job->lift;
    return place;
}

static void set_frame(const rig_job *job, snw_motion *out, int frame)
{
    const snw_skeleton *skeleton = out->skeleton;
    size_t row = (size_t)frame * (size_t)skeleton->joint_count;
    snw_motion_get(job->motion, frame, job->pose);
    snw_pose_forward(job->pose);
    out->root[frame] = snw_xform_identity();
    if (!job->above) {
        /* The root joint stays at rest; the whole body moves. */
        snw_quat turned = snw_quat_normalize(
            snw_quat_mul(new_rotation(job, 0), snw_quat_conjugate(skeleton->rest[0].rotation)));
        snw_vec3 to_joint = snw_quat_rotate(turned, skeleton->rest[0].translation);
        out->root[frame] = snw_xform_make(turned, snw_vec3_sub(new_place(job, 0), to_joint));
    }
    for (int j = job->above ? 0 : 1; j < job->motion->skeleton->joint_count; j++) {
        /* `j` is a joint of the motion; the new one has `above` more. */
        int parent = job->motion->skeleton->parent[j], own = j + job->above;
        snw_quat turn = parent < 0 ? snw_quat_identity() : new_rotation(job, parent);
        snw_vec3 from = parent < 0 ? snw_vec3_make(0, 0, 0) : new_place(job, parent);
        snw_quat above = snw_quat_mul(turn, skeleton->rest[own].rotation);
        out->rotation[row + (size_t)own] =
            snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(above), new_rotation(job, j)));
        if (skeleton->joint[own].type != SNW_JOINT_FREE) continue;
        snw_vec3 from_parent = snw_quat_unrotate(turn, snw_vec3_sub(new_place(job, j), from));
        out->slide[row + (size_t)own] =
            snw_quat_unrotate(skeleton->rest[own].rotation,
                              snw_vec3_sub(from_parent, skeleton->rest[own].translation));
    }
}

static snw_status make_rig(rig_job *job, snw_skeleton **skeleton, snw_motion **out,
                           snw_error *error)
{
    int joints = job->motion->skeleton->joint_count;
    for (int j = 0; j < joints; j++)
        job->rig[j].t_from_new = frame_along_bone(job->rig + j, job->options->bone_axis);
    job->above = job->options->has_root && job->rig[0].part == SNW_PART_HIPS;
    job->def[0] = snw_joint_def_default();
    job->def[0].name = "root";
    job->def[0].parent = -1;
    job->def[0].joint.type = SNW_JOINT_BALL;
    for (int j = 0; j < joints; j++)
        define_joint(job, j);
    snw_status status =
        snw_skeleton_create(job->def, joints + job->above, &job->allocator, skeleton, error);
    if (status == SNW_OK)
        status = snw_motion_create(*skeleton, job->motion->frame_count, job->motion->rate,
                                   &job->allocator, out, error);
    if (status != SNW_OK) return status;
    for (int f = 0; f < job->motion->frame_count; f++)
        set_frame(job, *out, f);
    if (!job->options->has_foot_lock) return status;
    snw_pose *pose = NULL;
    status = snw_pose_create(*skeleton, &job->allocator, &pose, error);
    if (status == SNW_OK && job->above) {
        /* Joints of the new body behind those of the old one, as the lock of the feet wants them.
         */
        memmove(job->rig + 1, job->rig, (size_t)joints * sizeof *job->rig);
        memset(job->rig, 0, sizeof *job->rig);
        job->rig[0].main_child = 1;
        for (int j = 1; j <= joints; j++)
            if (job->rig[j].main_child >= 0) job->rig[j].main_child++;
    }
    if (status == SNW_OK) snw__rig_lock_feet(*out, job->rig, pose, job->places);
    snw_pose_destroy(pose);
    return status;
}

static snw_status check_options(const snw_motion *motion, const snw_rig_options *options,
                                snw_error *error)
{
    if (!motion) return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no motion");
    if ((unsigned)options->names >= SNW_RIG_NAMES_COUNT)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d is no naming scheme",
                         (int)options->names);
    if (options->bone_axis && options->bone_axis != 'x' && options->bone_axis != 'y')
        return snw__fail(error, SNW_INVALID_ARGUMENT, "bones lie along x, y or no axis");
    if (options->is_symmetric && !options->has_t_pose)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "both sides are made equal in a T-pose only");
    if (!(fabs(snw_vec3_length(options->up) - 1) < 1e-6))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "up must be a direction of length 1");
    return SNW_OK;
}

/* Two sides that were estimated apart differ: told where one would see it, or made equal. */
static void compare_sides(rig_job *job, snw_notes *notes)
{
    const snw_skeleton *skeleton = job->motion->skeleton;
    double crooked = snw__rig_crookedness(skeleton, job->rig);
    double moved = job->options->is_symmetric ? snw__rig_make_equal(skeleton, job->rig) : 0;
    if (!notes) return;
    if (job->options->is_symmetric)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "both sides are made equal: joints move by up to %.0f mm", 1000 * moved);
    else if (crooked > 0.01) /* a centimetre is seen */
        snw__note(notes, SNW_NOTE_OTHER, SNW__NOWHERE,
                  "the T-pose is crooked by %.0f mm, because the two sides were estimated apart; "
                  "both can be made equal",
                  1000 * crooked);
}

static snw_status fill_job(rig_job *job, snw_notes *notes, snw_error *error)
{
    snw_status status = snw_pose_create(job->motion->skeleton, &job->allocator, &job->pose, error);
    if (status != SNW_OK) return status;
    snw__rig_look(job->motion->skeleton, job->options->thumb, job->rig);
    bool stands = snw__rig_stand(job->motion->skeleton, job->rig);
    if (job->options->has_t_pose && !stands)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "the names of the joints do not tell hips and both legs: no T-pose");
    if (!job->options->has_t_pose) {
        /* Frames as they rest, for bodies that keep their pose. */
        const snw_skeleton *skeleton = job->motion->skeleton;
        for (int j = 0; j < skeleton->joint_count; j++) {
            int parent = skeleton->parent[j];
            snw_quat rest = skeleton->rest[j].rotation;
            job->rig[j].t_from_joint =
                snw_quat_mul(parent < 0 ? job->turn : job->rig[parent].t_from_joint, rest);
        }
    }
    snw__rig_measure(job->motion->skeleton, job->rig);
    if (job->options->has_t_pose) compare_sides(job, notes);
    job->height = stands ? hip_height(job) : 0;
    if (job->options->is_on_floor) job->lift = -find_floor(job);
    if (job->options->is_on_floor && notes)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the motion is moved by %.1f mm so that the feet are on the floor",
                  1000 * job->lift);
    return SNW_OK;
}

snw_status snw_motion_to_rig(const snw_motion *motion, const snw_rig_options *options,
                             const snw_allocator *allocator, snw_motion **out, snw_notes *notes,
                             snw_error *error)
{
    snw_rig_options defaults = snw_rig_options_default();
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    snw_skeleton *skeleton = NULL;
    *out = NULL;
    snw_status status = check_options(motion, options, error);
    if (status != SNW_OK) return status;
    rig_job job = {.motion = motion, .options = options};
    job.turn = snw_quat_between(options->up, snw_vec3_make(0, 1, 0));
    job.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out, &job, &job.allocator, "a rig", error);
    if (status != SNW_OK) return status;
    status = fill_job(&job, notes, error);
    if (status == SNW_OK) status = make_rig(&job, &skeleton, out, error);
    if (status == SNW_OK) {
        (*out)->own_skeleton = skeleton;
    } else {
        snw_motion_destroy(*out);
        snw_skeleton_destroy(skeleton);
        *out = NULL;
    }
    snw_pose_destroy(job.pose);
    snw__block_release(&job.allocator, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- one pose at a time ---------------------------------------------------------------------- */

/* A motion of one frame, and its rig: the same numbers as for whole motions. */
struct snw_rig {
    rig_job job;
    snw__block block;
    snw_rig_options options;
    snw_motion *from, *to;
    snw_skeleton *skeleton;
    snw_allocator allocator;
};

snw_status snw_rig_create(const snw_skeleton *skeleton, const snw_rig_options *options,
                          const snw_allocator *allocator, snw_rig **out, snw_error *error)
{
    snw_rig_options defaults = snw_rig_options_default();
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    *out = NULL;
    if (options->is_on_floor || options->has_foot_lock)
        return snw__fail(
            error, SNW_INVALID_ARGUMENT,
            "floor and foot lock need the whole motion, a rig of single poses has none");
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_rig *rig = snw__allocate(&memory, sizeof *rig);
    if (!rig) return snw__fail(error, SNW_OUT_OF_MEMORY, "no memory for a rig");
    rig->allocator = memory;
    rig->options = *options;
    snw_status status = snw_motion_create(skeleton, 1, 1, &memory, &rig->from, error);
    if (status == SNW_OK) status = check_options(rig->from, options, error);
    rig->job = (rig_job){.motion = rig->from, .options = &rig->options, .allocator = memory};
    rig->job.turn = snw_quat_between(options->up, snw_vec3_make(0, 1, 0));
    if (status == SNW_OK)
        status = snw__block_create(&rig->block, lay_out, &rig->job, &memory, "a rig", error);
    if (status == SNW_OK) status = fill_job(&rig->job, NULL, error);
    if (status == SNW_OK) status = make_rig(&rig->job, &rig->skeleton, &rig->to, error);
    if (status != SNW_OK) {
        snw_rig_destroy(rig);
        return status;
    }
    *out = rig;
    return snw__succeed(error);
}

void snw_rig_destroy(snw_rig *rig)
{
    if (!rig) return;
    snw_allocator memory = rig->allocator;
    snw_pose_destroy(rig->job.pose);
    snw_motion_destroy(rig->to);
    snw_motion_destroy(rig->from);
    snw_skeleton_destroy(rig->skeleton);
    snw__block_release(&memory, &rig->block);
    snw__release(&memory, rig, sizeof *rig);
}

const snw_skeleton *snw_rig_skeleton(const snw_rig *rig)
{
    return rig->skeleton;
}

void snw_rig_step(snw_rig *rig, const snw_pose *pose, snw_pose *out)
{
    snw_motion_set(rig->from, 0, pose);
    set_frame(&rig->job, rig->to, 0);
    snw_motion_get(rig->to, 0, out);
    snw_pose_forward(out);
}

/* What the joints of an actor can do, from the trial that calibrates it.
 *
 * The trial is tracked in short moments spread over it, joints still being balls; the rotations of
 * each joint then tell its type (joint_type.c) and limits (joint_range.c). Joints must allow the
 * rest pose. The whole-body fit left that anywhere about the bones whose markers do not tell their
 * twist, so first all frames are turned to be parallel to the lab in one frame of the trial. Then
 * noise puts hinges and universal joints a little beside it: so the frame of such a joint and of
 * all joints below is turned again. With T the turn of a frame, new = old T, and M the rotation
 * there, or the rotation of the type's that is nearest to rest,
 *
 *     T_joint = M^-1 T_parent,  rotation_new = T_parent^-1 rotation T_joint,
 *
 * rest rotations stay the identity, and a, M b become axes of the new joint in T_parent. */
#include "calibrate/actor_joints.h"

#include <string.h>

#include <sinew/geometry.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/joint_type.h"
#include "label/label_grammar.h"
#include "math/kernel.h"
#include "math/symmetric3.h"
#include "person/regressions.h"
#include "rigid/rigid_fit.h"
#include "track/joint_range.h"
#include "track/tracker.h"
#include <sinew/body.h>
#include <sinew/label.h>

/* ---- anatomical range --------------------------------------------------------------------------
 */

/* Ranges of a person's joints, for those that a calibration did not see move.
 *
 * A static trial shows every joint within a degree. Limits of what was seen would then hold back
 * all that follows, so such joints get what anatomy allows: the ranges of person/regressions.h,
 * from one end to the other, since the rest pose may lie anywhere between, and a little more where
 * soft tissue gives way. Degrees: swing across the bone, twist about it. */

static const struct {
    snw_part part;
    double swing_deg, twist_deg;
} anatomical_ranges[] = {
    {SNW_PART_CHEST, SNW__TRUNK_FLEXION + SNW__TRUNK_EXTENSION, 2 * SNW__TRUNK_ROTATION - 10},
    {SNW_PART_HEAD, 2 * SNW__NECK_FLEXION, 2 * SNW__NECK_ROTATION},
    {SNW_PART_SHOULDER, SNW__CLAVICLE_ELEVATION + 15, 2 * SNW__CLAVICLE_PROTRACTION},
    {SNW_PART_ARM, SNW__SHOULDER_FLEXION - 5, SNW__SHOULDER_ROTATION}, /* a cone ends before 180 */
    {SNW_PART_FOREARM, SNW__ELBOW_FLEXION + 5, 2 * SNW__FOREARM_PRONATION},
    {SNW_PART_HAND, SNW__WRIST_FLEXION + SNW__WRIST_EXTENSION, 60},
    {SNW_PART_THUMB, 120, 60},
    {SNW_PART_INDEX, 175, 40},
    {SNW_PART_MIDDLE, 175, 40},
    {SNW_PART_RING, 175, 40},
    {SNW_PART_PINKY, 175, 40},
    {SNW_PART_UPLEG, SNW__HIP_FLEXION + SNW__HIP_EXTENSION, 2 * SNW__HIP_ROTATION},
    {SNW_PART_LEG, SNW__KNEE_FLEXION + SNW__KNEE_EXTENSION + 5, SNW__KNEE_ROTATION + 10},
    {SNW_PART_FOOT, SNW__ANKLE_PLANTAR + SNW__ANKLE_DORSAL + 10, 2 * SNW__ANKLE_INVERSION - 10},
};

/* Is `name` ("LeftLeg") a joint of a person? Then the joint, a ball, gets a swing and a twist to
 * either side that hold all that people do, wherever in their range the rest pose lies. */
static bool anatomical_range_set(const char *name, snw_joint *joint)
{
    snw_side side;
    snw_part part = snw_part_read(snw__bare_label(name), &side);
    for (size_t n = 0; n < sizeof anatomical_ranges / sizeof *anatomical_ranges; n++) {
        if (anatomical_ranges[n].part != part) continue;
        double swing = snw_radians(anatomical_ranges[n].swing_deg);
        double twist = snw_radians(anatomical_ranges[n].twist_deg);
        if (joint->type != SNW_JOINT_BALL) {
            joint->limit = snw_joint_limit_none();
            return true;
        }
        joint->limit = snw_joint_limit_none();
        joint->limit.swing = SNW_SWING_CONE;
        for (int side_of_cone = 0; side_of_cone < 4; side_of_cone++)
            joint->limit.cone[side_of_cone] = swing;
        joint->limit.has_twist = true;
        joint->limit.twist[0] = -twist;
        joint->limit.twist[1] = twist;
        return true;
    }
    return false;
}

typedef struct joints_job {
    snw_actor *actor;
    const snw_trial *trial;
    int sample_count;       /* three for each moment */
    snw_quat *rotation;     /* (joint_count x sample_count) */
    bool *is_shown;         /* (joint_count x sample_count) */
    snw_quat *root;         /* (sample_count) of the root in the lab */
    snw_quat *first;        /* (joint_count) of the segment in the lab, first time it was shown */
    double *went;           /* (joint_count) largest turn in the lab from there */
    snw_vec3 *turn;         /* (sample_count) */
    double *off;            /* (sample_count) */
    snw_quat *frame;        /* (joint_count) T */
    bool *is_segment_shown; /* (joint_count) in the present frame */
    snw_joint_def *def;     /* (joint_count) */
    snw_vec3 *from, *to;    /* (marker_count) of one segment's fit */
    snw_xform *own;         /* (joint_count) where a segment's own markers have it */
    bool *has_own;          /* (joint_count) */
    double *slip2;   /* (joint_count) sum of squared distances of the two segments' centres */
    int *slip_count; /* (joint_count) */
    snw_tracker *tracker;
    snw_pose *pose;
} joints_job;

static void lay_out(void *object, snw__block *block)
{
    joints_job *job = object;
    size_t joints = (size_t)job->actor->skeleton->joint_count;
    size_t samples = (size_t)job->sample_count, all = snw__size_mul(joints, samples);
    job->rotation = snw__block_take(block, all, sizeof(snw_quat));
    job->is_shown = snw__block_take(block, all, sizeof(bool));
    job->root = snw__block_take(block, samples, sizeof(snw_quat));
    job->first = snw__block_take(block, joints, sizeof(snw_quat));
    job->went = snw__block_take(block, joints, sizeof(double));
    job->turn = snw__block_take(block, samples, sizeof(snw_vec3));
    job->off = snw__block_take(block, samples, sizeof(double));
    job->frame = snw__block_take(block, joints, sizeof(snw_quat));
    job->is_segment_shown = snw__block_take(block, joints, sizeof(bool));
    job->def = snw__block_take(block, joints, sizeof(snw_joint_def));
    job->from = snw__block_take(block, (size_t)job->actor->marker_count, sizeof(snw_vec3));
    job->to = snw__block_take(block, (size_t)job->actor->marker_count, sizeof(snw_vec3));
    job->own = snw__block_take(block, joints, sizeof(snw_xform));
    job->has_own = snw__block_take(block, joints, sizeof(bool));
    job->slip2 = snw__block_take(block, joints, sizeof(double));
    job->slip_count = snw__block_take(block, joints, sizeof(int));
}

/* ---- looking ------------------------------------------------------------------------------ */

static int own_markers(const joints_job *job, int joint)
{
    int count = 0;
    for (int m = 0; m < job->actor->marker_count; m++)
        count += job->actor->marker[m].joint == joint;
    return count;
}

static void keep_sample(joints_job *job, int sample)
{
    const snw_skeleton *body = job->actor->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        /* Its markers, or three of them, are where the body has them. */
        int own = 0, good = 0;
        for (int m = 0; m < job->actor->marker_count; m++) {
            if (job->actor->marker[m].joint != j) continue;
            own++;
            snw__observation seen = snw__tracker_observation(job->tracker, m);
            if (seen.weight == 0) continue;
            snw_vec3 at = snw_xform_point(job->pose->world[j], job->actor->marker[m].offset);
            good += snw_vec3_distance(at, seen.position) < seen.bound;
        }
        /* Markers of a segment that tell a rotation by themselves. */
        job->is_segment_shown[j] =
            own > 0 && good >= (own < SNW__FRAME_POINTS ? own : SNW__FRAME_POINTS);
        if (!job->is_segment_shown[j]) continue;
        snw_quat world = job->pose->world[j].rotation;
        if (job->went[j] < 0) job->first[j] = world;
        job->went[j] = fmax(job->went[j], snw_quat_angle_between(job->first[j], world));
    }
    /* A segment without markers is shown by those that hang from it. */
    for (int j = body->joint_count - 1; j > 0; j--)
        if (job->is_segment_shown[j] && own_markers(job, body->parent[j]) == 0)
            job->is_segment_shown[body->parent[j]] = true;
    job->root[sample] = job->pose->world[0].rotation;
    for (int j = 1; j < body->joint_count; j++) {
        size_t at = (size_t)j * (size_t)job->sample_count + (size_t)sample;
        job->rotation[at] = job->pose->rotation[j];
        job->is_shown[at] = job->is_segment_shown[j] && job->is_segment_shown[body->parent[j]];
    }
}

/* Where the segment's own markers have it, whatever the joints say: three and more by a rigid fit,
 * fewer by the mean of their distances from where the body carries them. */
static bool find_own_pose(joints_job *job, int joint)
{
    snw_xform body = job->pose->world[joint];
    snw_vec3 off = {0, 0, 0};
    int count = 0;
    for (int m = 0; m < job->actor->marker_count; m++) {
        if (job->actor->marker[m].joint != joint) continue;
        snw__observation seen = snw__tracker_observation(job->tracker, m);
        snw_vec3 offset = job->actor->marker[m].offset;
        snw_vec3 away = snw_vec3_sub(seen.position, snw_xform_point(body, offset));
        if (seen.weight == 0 || !(snw_vec3_length(away) < seen.bound)) continue;
        job->from[count] = offset;
        job->to[count] = seen.position;
        off = snw_vec3_lerp(off, away, 1.0 / ++count);
    }
    if (count == 0) return false;
    snw_fit fit;
    job->own[joint] = snw_xform_make(body.rotation, snw_vec3_add(body.translation, off));
    /* A fit whose rotation is this badly determined (relative gap of eigenvalues) tells a place
     * only. */
    if (count >= SNW__FRAME_POINTS &&
        snw_fit_rigid(job->from, job->to, NULL, count, &fit) == SNW_OK &&
        fit.kind == SNW_FIT_UNIQUE && fit.separation >= SNW__SEPARATION_MIN)
        job->own[joint] = fit.to_from;
    return true;
}

/* Moments spread evenly; short trials are looked at whole. */
static void look_at_trial(joints_job *job)
{
    int moments = job->sample_count / 3, frames = job->trial->frame_count;
    for (int j = 0; j < job->actor->skeleton->joint_count; j++)
        job->went[j] = -1;
    for (int n = 0; n < moments; n++) {
        int first = moments > 1 ? (int)((int64_t)(frames - 3) * n / (moments - 1)) : 0;
        for (int k = 0; k < 3; k++) {
            snw_frame view = snw_trial_frame(job->trial, first + k);
            if (snw__tracker_solve(job->tracker, &view, job->pose).is_lost) continue;
            keep_sample(job, 3 * n + k);
            if (k == 0) {
                /* How far apart the two segments of a joint have its centre in the present frame.
                 */
                const snw_skeleton *body = job->actor->skeleton;
                for (int j = 0; j < body->joint_count; j++) {
                    job->has_own[j] = find_own_pose(job, j);
                    int parent = body->parent[j];
                    if (parent < 0 || !job->has_own[j] || !job->has_own[parent]) continue;
                    snw_vec3 above = snw_xform_point(job->own[parent], body->rest[j].translation);
                    double slip = snw_vec3_distance(above, job->own[j].translation);
                    job->slip2[j] += slip * slip;
                    job->slip_count[j]++;
                }
            }
        }
    }
}

/* ---- turning frames ----------------------------------------------------------------------- */

/* The samples of a joint, once the frames T of it and its parent are known. */
static void turn_samples(joints_job *job, int joint)
{
    snw_quat below = snw_quat_conjugate(job->frame[job->actor->skeleton->parent[joint]]);
    snw_quat *r = job->rotation + (size_t)joint * (size_t)job->sample_count;
    for (int k = 0; k < job->sample_count; k++)
        r[k] = snw_quat_normalize(snw_quat_mul(below, snw_quat_mul(r[k], job->frame[joint])));
}

/* The skeleton of the definitions, in the turned frames. */
static snw_status replace_skeleton(joints_job *job, snw_error *error)
{
    snw_actor *actor = job->actor;
    snw_skeleton *next = NULL;
    /* Everything that is written in the frame of a joint. */
    const snw_skeleton *body = job->actor->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        snw_joint_def *def = job->def + j;
        def->tip = snw_quat_unrotate(job->frame[j], def->tip);
        if (j > 0)
            def->rest.translation =
                snw_quat_unrotate(job->frame[def->parent], def->rest.translation);
    }
    for (int m = 0; m < job->actor->marker_count; m++) {
        snw_actor_marker *marker = job->actor->marker + m;
        marker->offset = snw_quat_unrotate(job->frame[marker->joint], marker->offset);
    }
    snw_status status = snw_skeleton_create(job->def, actor->skeleton->joint_count,
                                            &actor->allocator, &next, error);
    if (status != SNW_OK) return status;
    snw_skeleton_destroy(actor->skeleton);
    actor->skeleton = next;
    return SNW_OK;
}

/* Makes the pose of the fullest sample the rest pose. */
static snw_status level(joints_job *job, snw_error *error)
{
    /* The first sample that shows most joints; -1 if none shows any. */
    int rest = -1, most = 0;
    for (int k = 0; k < job->sample_count; k++) {
        int count = 0;
        for (int j = 1; j < job->actor->skeleton->joint_count; j++)
            count += job->is_shown[(size_t)j * (size_t)job->sample_count + (size_t)k];
        if (count <= most) continue;
        most = count;
        rest = k;
    }
    if (rest < 0) return SNW_OK;
    for (int j = 0; j < job->actor->skeleton->joint_count; j++) {
        job->def[j] = snw_skeleton_joint_def(job->actor->skeleton, j);
        if (j == 0) {
            job->frame[0] = snw_quat_conjugate(job->root[rest]);
            continue;
        }
        snw_quat above = job->frame[job->def[j].parent];
        snw_quat there = job->rotation[(size_t)j * (size_t)job->sample_count + (size_t)rest];
        snw_joint *joint = &job->def[j].joint;
        job->frame[j] = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(there), above));
        joint->axis = snw_quat_unrotate(above, joint->axis);
        joint->axis2 = snw_quat_unrotate(job->frame[j], joint->axis2);
        turn_samples(job, j);
    }
    return replace_skeleton(job, error);
}

/* ---- deciding ----------------------------------------------------------------------------- */

/* The largest turn of the joint from where it was first shown. */
static double turned(const joints_job *job, int joint)
{
    size_t at = (size_t)joint * (size_t)job->sample_count;
    const snw_quat *first = NULL;
    double most = 0;
    for (int k = 0; k < job->sample_count; k++) {
        if (!job->is_shown[at + (size_t)k]) continue;
        const snw_quat *now = job->rotation + at + (size_t)k;
        if (!first) first = now;
        most = fmax(most, snw_quat_angle_between(*first, *now));
    }
    return most;
}

/* The rms turns about the two main axes of the joint's motion, from its mean. */
static void measure_spread(const joints_job *job, int joint, double spread[2])
{
    size_t at = (size_t)joint * (size_t)job->sample_count;
    snw_quat mean = {0, 0, 0, 0};
    snw_mat3 square;
    int count = 0;
    memset(&square, 0, sizeof square);
    for (int k = 0; k < job->sample_count; k++) {
        if (!job->is_shown[at + (size_t)k]) continue;
        snw_quat q = job->rotation[at + (size_t)k];
        double sign = count > 0 && snw_quat_dot(mean, q) < 0 ? -1 : 1;
        mean = (snw_quat){mean.w + sign * q.w, mean.x + sign * q.x, mean.y + sign * q.y,
                          mean.z + sign * q.z};
        count++;
    }
    spread[0] = spread[1] = 0;
    if (count == 0) return;
    mean = snw_quat_normalize(mean);
    for (int k = 0; k < job->sample_count; k++)
        if (job->is_shown[at + (size_t)k])
            snw__add_outer(&square, 1.0 / count,
                           snw_quat_log(snw_quat_mul(snw_quat_conjugate(mean),
                                                     job->rotation[at + (size_t)k])));
    snw__spectrum3 spectrum = snw__spectrum3_of(square);
    for (int i = 0; i < 2; i++)
        spread[i] = sqrt(fmax(spectrum.value[i], 0));
}

/* Joints of a person that hardly moved: anatomy knows better than the trial what they can do. */
static bool stood_still(const joints_job *job, int joint)
{
    snw_joint probe = job->actor->skeleton->joint[joint];
    return turned(job, joint) < JOINTS_STOOD &&
           anatomical_range_set(job->actor->skeleton->name[joint], &probe);
}

static snw__joint_shape find_shape(const joints_job *job, int joint)
{
    const snw_joint *was = job->actor->skeleton->joint + joint;
    snw__joint_shape known = {was->type, was->axis, was->axis2, snw_quat_identity()};
    int parent = job->actor->skeleton->parent[joint];
    size_t at = (size_t)joint * (size_t)job->sample_count;
    snw__joint_track track = {job->sample_count, job->rotation + at, job->is_shown + at, job->turn,
                              job->off};
    /* Fewer markers leave turns open, which then look as if they did not happen. */
    if (was->type != SNW_JOINT_BALL || own_markers(job, joint) < SNW__FRAME_POINTS ||
        own_markers(job, parent) < SNW__FRAME_POINTS || stood_still(job, joint))
        return known;
    double went = fmin(job->went[joint], job->went[parent]);
    return snw__joint_shape_find(&track, went > JOINTS_WENT_ABOUT);
}

static snw_status settle(joints_job *job, snw_error *error)
{
    for (int j = 0; j < job->actor->skeleton->joint_count; j++) {
        job->def[j] = snw_skeleton_joint_def(job->actor->skeleton, j);
        job->frame[j] = snw_quat_identity();
        if (j > 0) {
            /* Type and axes of the joint in its new frame; its samples follow. */
            bool has_stood = stood_still(job, j);
            snw__joint_shape shape = find_shape(job, j);
            snw_quat above = job->frame[job->actor->skeleton->parent[j]];
            snw_quat own = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(shape.rest), above));
            size_t at = (size_t)j * (size_t)job->sample_count;
            snw_joint *to = &job->def[j].joint;
            job->frame[j] = own;
            to->type = shape.type;
            to->axis = snw_quat_unrotate(above, shape.axis);
            to->axis2 = snw_quat_unrotate(own, shape.axis2);
            if (shape.type == SNW_JOINT_BALL) {
                /* Where the bone of a joint points: to the joints below, or to its tip. */
                const snw_skeleton *body = job->actor->skeleton;
                snw_vec3 sum = {0, 0, 0};
                for (int c = body->first_child[j]; c >= 0; c = body->next_sibling[c])
                    sum = snw_vec3_add(sum, body->rest[c].translation);
                if (body->first_child[j] < 0 && body->has_tip[j]) sum = body->tip[j];
                to->axis = snw_quat_unrotate(own, snw_vec3_unit(sum, snw_vec3_make(0, 0, 1)));
            }
            turn_samples(job, j);
            to->axis = snw_vec3_unit(to->axis, snw_vec3_make(0, 0, 1));
            to->axis2 = snw_vec3_unit(to->axis2, snw_vec3_make(1, 0, 0));
            snw__joint_seen seen = {job->sample_count, job->rotation + at, job->is_shown + at,
                                    own_markers(job, j) > 1 ? SNW__JOINT_MARGIN
                                                            : SNW__JOINT_MARGIN_ALONE};
            snw__joint_range_find(to, &seen);
            if (has_stood) anatomical_range_set(job->actor->skeleton->name[j], to);
            /* Of a virtual joint alone no range is known; the one at the other end of its bone has
             * one. */
            if (own_markers(job, j) == 0 && turned(job, j) < JOINTS_STOOD)
                to->limit = snw_joint_limit_none();
        }
    }
    return replace_skeleton(job, error);
}

snw_status snw__actor_find_joints(snw_actor *actor, const snw_trial *trial, snw__joint_shown *shown,
                                  snw_error *error)
{
    joints_job job;
    memset(&job, 0, sizeof job);
    job.actor = actor;
    job.trial = trial;
    snw_tracker_options options = snw_tracker_options_default();
    options.is_continuous = false; /* moments lie apart */
    int moments = trial->frame_count / 3;
    job.sample_count = JOINTS_MOMENT_FRAMES * (moments < JOINTS_MOMENTS ? moments : JOINTS_MOMENTS);
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &job, &actor->allocator,
                                          "looking at the joints of an actor", error);
    if (status != SNW_OK) return status;
    status = snw_tracker_create_for_trial(actor, trial, &options, &actor->allocator, &job.tracker,
                                          error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, &actor->allocator, &job.pose, error);
    if (status == SNW_OK) {
        look_at_trial(&job);
        for (int j = 1; j < actor->skeleton->joint_count; j++) {
            if (job.slip_count[j] > 0) shown[j].residual = sqrt(job.slip2[j] / job.slip_count[j]);
            measure_spread(&job, j, shown[j].spread);
            shown[j].range = turned(&job, j);
        }
        status = level(&job, error);
    }
    if (status == SNW_OK) status = settle(&job, error);
    snw_pose_destroy(job.pose);
    snw_tracker_destroy(job.tracker);
    snw__block_release(&actor->allocator, &block);
    return status;
}

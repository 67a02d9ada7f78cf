/* Whole-body calibration: joint centres and marker offsets that bring all markers of many frames
 * nearest to the body.
 *
 * Every marker is where the bones t and its offset o put it,
 *
 *     x_m = x_root + sum over joints j on the way to m of R_parent(j) t_j + R_segment(m) o_m,
 *
 * in each frame with rotations of its own, and with shifts of its own where a joint is free: bones
 * without markers, of spines and shoulders, then lie between the two segments. One round tracks the
 * frames and takes a Gauss-Newton step in t and o with the poses of all frames eliminated
 * (refine_system.h).
 *
 * Beside the markers stand what anatomy expects of joints whose markers have names (anatomy.h), and
 * a proximal term that keeps each round near the last one: it holds what nothing determines, the
 * turn of a segment's own frame. */
#include "calibrate/refine.h"
#include "base/elementary.h"

#include <string.h>

#include <sinew/dense.h>

#include "actor/actor.h"
#include "actor/twist.h"
#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/anatomy.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/placement.h"
#include "calibrate/refine_job.h"
#include "center/center.h"
#include "label/label_grammar.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "person/movement.h"
#include "rigid/sampling.h"
#include "track/tracker.h"

/* Outlier scales of the rounds: wide at first, when the body is still off. Rounds before the last
 * scale look at half of the frames. */
static const double refine_scales[] = {40, 20, 12, 8, 6, 6, 6, 6};
/* ---- unknowns ----------------------------------------------------------------------------- */

static void put_block(snw__refine_work *work, int joint, int marker, bool is_bone)
{
    snw__refine_block block = {joint, marker, is_bone};
    if (work->block) work->block[work->block_count] = block;
    work->block_count++;
}

/* Do the segment's markers move as one? Not where skin is known to carry one of them away: the
 * shape that was fitted to them is then a compromise. */
static bool keeps_shape(const snw__refine_job *job, int joint)
{
    bool keeps = job->is_rigid[joint];
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->actor->marker[m].joint == joint && snw__anatomy_skin(&job->anatomy, m) > 0)
            keeps = false;
    return keeps;
}

/* Bones, then offsets. The root's segment holds still: it is what the others are measured from. */
static void list_blocks(snw__refine_job *job)
{
    snw__refine_work *work = &job->work;
    int joints = job->actor->skeleton->joint_count;
    work->block_count = 0;
    for (int j = 1; j < joints; j++)
        put_block(work, j, -1, true);
    for (int j = 1; j < joints; j++)
        if (keeps_shape(job, j)) put_block(work, j, -1, false);
    for (int m = 0; m < job->actor->marker_count; m++) {
        int joint = job->actor->marker[m].joint;
        if (joint > 0 && !keeps_shape(job, joint)) put_block(work, joint, m, false);
    }
}

static bool moves_marker(const snw__refine_block *block, const snw_actor *actor, int marker)
{
    if (block->is_bone) return false;
    return block->marker < 0 ? actor->marker[marker].joint == block->joint
                             : block->marker == marker;
}

/* Joints after this one that leave their segment free to slide: the unknowns of a frame end with
 * their shifts, those nearest to the root last. */
static int free_below(const snw_skeleton *body, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < body->joint_count; j++)
        count += body->joint[j].type == SNW_JOINT_FREE;
    return count;
}

static void lay_out(void *object, snw__block *block)
{
    snw__refine_job *job = object;
    snw__refine_work *work = &job->work;
    const snw_actor *actor = job->actor;
    size_t joints = (size_t)actor->skeleton->joint_count, markers = (size_t)actor->marker_count;
    size_t unknowns = 3 * (size_t)work->block_count;
    work->block = snw__block_take(block, (size_t)work->block_count, sizeof(snw__refine_block));
    work->bone = snw__block_take(block, joints, sizeof(int));
    work->offset = snw__block_take(block, markers, sizeof(int));
    work->sum2 = snw__block_take(block, markers, sizeof(double));
    work->sum = snw__block_take(block, markers, sizeof(double));
    work->normal = snw__block_take(block, snw__size_mul(unknowns, unknowns), sizeof(double));
    work->kept = snw__block_take(block, snw__size_mul(unknowns, unknowns), sizeof(double));
    work->turn = snw__block_take(block, snw__size_mul(joints, REFINE_FRAMES), sizeof(snw_quat));
    work->right = snw__block_take(block, unknowns, sizeof(double));
    work->moved = snw__block_take(block, unknowns, sizeof(double));
    size_t poses = 3 * joints + 3 + 3 * (size_t)free_below(actor->skeleton, -1);
    work->pose = snw__block_take(block, snw__size_mul(poses, poses), sizeof(double));
    work->column = snw__block_take(block, poses, sizeof(double));
    work->turn_known = snw__block_take(block, joints, sizeof *work->turn_known);
    work->share = snw__block_take(block, (size_t)work->block_count, sizeof(double));
    work->turns = snw__block_take(block, joints, sizeof(snw__joint_turns));
    work->stands = snw__block_take(block, joints, sizeof(bool));
    work->signal = snw__block_take(block, joints, sizeof(snw__joint_turns));
    work->is_surrounded = snw__block_take(block, joints, sizeof(bool));
    work->is_expected = snw__block_take(block, joints, sizeof(bool));
    work->is_weighed = snw__block_take(block, joints, sizeof(bool));
    work->extent = snw__block_take(block, joints, sizeof(double));
    work->def = snw__block_take(block, joints, sizeof(snw_joint_def));
    work->system.pose_count = (int)poses;
    work->system.constant_count = 3 * work->block_count;
    snw__refine_system_lay_out(&work->system, block);
}

/* ---- one frame ---------------------------------------------------------------------------- */

/* How the joint's turns move a point at `arm` from it: those that its type allows. A universal
 * joint has none about the normal of its two axes. */
static snw_mat3 joint_moves(const snw__refine_job *job, int joint, snw_vec3 arm)
{
    const snw_skeleton *body = job->actor->skeleton;
    const snw_joint *type = body->joint + joint;
    /* u -> u x arm. */
    snw_mat3 by = {{{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}}};
    if (joint == 0 || type->type != SNW_JOINT_UNIVERSAL) return by;
    snw_quat base =
        snw_quat_mul(job->pose->world[body->parent[joint]].rotation, body->rest[joint].rotation);
    snw_vec3 first = snw_quat_rotate(base, type->axis);
    snw_vec3 second = snw_quat_rotate(job->pose->world[joint].rotation, type->axis2);
    snw_vec3 n = snw_vec3_unit(snw_vec3_cross(first, second), snw_vec3_make(0, 0, 0));
    snw_mat3 open = snw_mat3_identity();
    snw__add_outer(&open, -1, n);
    return snw_mat3_mul(by, open);
}

static void bone_terms(snw__refine_job *job, int joint)
{
    const snw_skeleton *body = job->actor->skeleton;
    if (joint == 0) return;
    bone_terms(job, body->parent[joint]);
    snw_mat3 by = snw_mat3_from_quat(job->pose->world[body->parent[joint]].rotation);
    snw__refine_system *system = &job->work.system;
    snw__refine_system_term(system, system->pose_count + 3 * job->work.bone[joint], &by);
}

/* The markers of the tracked frame, each with the weight that the tracker gave it. is_typical: its
 * noise stands for that of others. */
static void add_frame(snw__refine_job *job, bool is_typical)
{
    snw__refine_system_begin_frame(&job->work.system);
    for (int m = 0; m < job->actor->marker_count; m++) {
        const snw_actor_marker *marker = job->actor->marker + m;
        snw__observation seen = snw__tracker_observation(job->tracker, m);
        if (seen.weight == 0) continue;
        snw_vec3 at = snw_xform_point(job->pose->world[marker->joint], marker->offset);
        snw_vec3 off = snw_vec3_sub(seen.position, at);
        double far2 = snw_vec3_length2(off) / (seen.bound * seen.bound);
        double share = snw__geman_mcclure_weight(far2);
        job->work.sum2[m] += share * snw_vec3_length2(off);
        job->work.sum[m] += share;
        /* What moves a marker: the joints from its segment to the root, the root's place, bones,
         * its offset.
         */
        const snw_skeleton *body = job->actor->skeleton;
        snw__refine_system *system = &job->work.system;
        int segment = job->actor->marker[m].joint;
        for (int j = segment; j >= 0; j = body->parent[j]) {
            snw_mat3 turn = joint_moves(job, j, snw_vec3_sub(at, job->pose->world[j].translation));
            snw__refine_system_term(system, 3 * (body->joint_count - 1 - j), &turn);
        }
        snw_mat3 shift = snw_mat3_identity();
        snw__refine_system_term(system, 3 * body->joint_count, &shift);
        for (int j = segment; j > 0; j = body->parent[j])
            if (body->joint[j].type == SNW_JOINT_FREE)
                snw__refine_system_term(system, 3 * (body->joint_count + 1 + free_below(body, j)),
                                        &shift);
        bone_terms(job, segment);
        if (!(job->work.offset[m] < 0)) {
            snw_mat3 by = snw_mat3_from_quat(job->pose->world[segment].rotation);
            snw__refine_system_term(system, system->pose_count + 3 * job->work.offset[m], &by);
        }
        double worth = job->work.stands[marker->joint] ? REFINE_WORTH_STANDING : 1;
        snw__refine_system_add(&job->work.system, worth * seen.weight * share, off);
    }
    if (is_typical) snw__refine_look_at_noise(job);
    /* Square metres. The tracker's own damping of joints. */
    snw__refine_system_end_frame(&job->work.system, (SNW__NOISE_POOR * SNW__NOISE_POOR));
}

static bool hardly_turns(const snw__refine_job *job, int joint)
{
    const snw_mat3 *spread = &job->work.turns[joint].spread;
    double turn2 = spread->m[0][0] + spread->m[1][1] + spread->m[2][2];
    return turn2 < TURN_SEEN * TURN_SEEN;
}

/* Skin that nothing moves shows no noise: good cameras see a thigh that stands as if it were wood.
 */
static bool legs_stand(const snw__refine_job *job)
{
    const snw__anatomy *anatomy = &job->anatomy;
    int standing = 0;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++)
        for (int part = SNW_PART_UPLEG; part <= SNW_PART_LEG; part++) {
            int joint = anatomy->joint[part][side];
            if (joint >= 0 && !hardly_turns(job, joint)) return false;
            standing += joint >= 0;
        }
    return standing > 0;
}

static double mean_noise(const snw_actor *actor)
{
    double noise = 0;
    for (int m = 0; m < actor->marker_count; m++)
        noise += actor->marker[m].noise / actor->marker_count;
    return noise;
}

/* Frames that a round looks at. Where errors are white the centres' variance falls with every frame
 * and rises with that of the noise: the last rounds of a noisy trial look at as many as make up for
 * it. */
static int frames_of_round(const snw__refine_job *job)
{
    if (!job->is_white) return REFINE_FRAMES;
    /* Where errors are white every frame more helps. */
    if (!job->is_last) return SNW__SAMPLES_SPREAD;
    double louder = mean_noise(job->actor) / SNW__NOISE_POOR;
    return (int)(SNW__SAMPLES_SPREAD * fmin(fmax(louder * louder, 1), REFINE_FRAMES_MORE));
}

static int track_and_add(snw__refine_job *job, double scale)
{
    int used = 0;
    job->work.turn_count = 0;
    /* The outlier scale of the last rounds, as the tracker has it. */
    bool is_rough = scale > SNW__OUTLIER;
    int step = (is_rough ? 2 : 1) * (1 + job->trial->frame_count / frames_of_round(job));
    /* Turns are kept of frames of the whole trial. */
    int spread = 1 + job->trial->frame_count / step / REFINE_FRAMES;
    int typical = 1 + job->trial->frame_count / step / SNW__SAMPLES_MEDIAN;
    job->work.noise_count = 0;
    memset(job->work.turn_known, 0,
           (size_t)job->actor->skeleton->joint_count * sizeof *job->work.turn_known);
    snw__refine_system_clear(&job->work.system);
    snw__anatomy_begin(&job->anatomy, job->actor, job->landmark);
    snw__gait_prior_clear(&job->gait, job->actor);
    for (int frame = 0; frame < job->trial->frame_count; frame += step) {
        snw_frame view = snw_trial_frame(job->trial, frame);
        if (snw__tracker_solve(job->tracker, &view, job->pose).is_lost) continue;
        add_frame(job, job->is_placed && used % typical == 0);
        snw__anatomy_look(&job->anatomy, job->pose);
        snw__gait_prior_look(&job->gait, &view, job->pose);
        if (used % spread == 0) {
            int joints = job->actor->skeleton->joint_count;
            if (job->work.turn_count != REFINE_FRAMES) {
                memcpy(job->work.turn + (size_t)job->work.turn_count++ * (size_t)joints,
                       job->pose->rotation, (size_t)joints * sizeof *job->work.turn);
            }
        }
        used++;
    }
    return used;
}

/* ---- one round ---------------------------------------------------------------------------- */

/* The skeleton that the definitions say. */
static snw_status remake(snw__refine_job *job, snw_error *error)
{
    snw_actor *actor = job->actor;
    snw_skeleton *next = NULL;
    snw__twists_hold(actor, job->work.def, actor->skeleton->joint_count);
    snw_status status = snw_skeleton_create(job->work.def, actor->skeleton->joint_count,
                                            &actor->allocator, &next, error);
    if (status != SNW_OK) return status;
    snw_skeleton_destroy(actor->skeleton);
    actor->skeleton = next;
    return SNW_OK;
}

/* No marker counts for more than the usual one: the residual of a segment with few markers is small
 * because its pose gives way. */
static void level_noise(snw__refine_job *job)
{
    snw_actor_marker *marker = job->actor->marker;
    int count = job->actor->marker_count;
    for (int m = 0; m < count; m++)
        job->work.sum[m] = marker[m].noise;
    double usual = snw__median(job->work.sum, count);
    for (int m = 0; m < count; m++)
        marker[m].noise = fmax(marker[m].noise, fmax(usual, snw__anatomy_skin(&job->anatomy, m)));
}

static void load_round(snw__refine_job *job)
{
    snw__refine_load_markers(job);
    snw__refine_load_priors(job);
    snw__refine_load_anchors(job);
}

static snw_status solve_round(snw__refine_job *job, snw_error *error)
{
    int n = 3 * job->work.block_count;
    snw__refine_work *work = &job->work;
    int joints = job->actor->skeleton->joint_count;
    for (int j = 0; j < joints; j++)
        work->turns[j] = snw__joint_turns_of(work->turn + j, work->turn_count, joints);
    /* Segments of legs whose own joint and the next one hardly turn: anatomy knows these centres
     * better than skin. */
    const snw__anatomy *anatomy = &job->anatomy;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT && !job->is_white; side++)
        for (int part = SNW_PART_UPLEG; part <= SNW_PART_FOOT; part++) {
            int joint = anatomy->joint[part][side];
            int next = part == SNW_PART_FOOT ? -1 : anatomy->joint[part + 1][side];
            if (joint < 0) continue;
            job->work.stands[joint] = job->work.is_expected[joint] && hardly_turns(job, joint) &&
                                      (next < 0 || hardly_turns(job, next));
        }
    job->is_on_skin |= job->is_filmed && legs_stand(job);
    load_round(job);
    memcpy(job->work.kept, job->work.normal, (size_t)n * (size_t)n * sizeof *job->work.kept);
    /* The noise that a marker shows against the whole body, one coordinate. */
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->work.sum[m] > 0)
            job->actor->marker[m].noise = sqrt(job->work.sum2[m] / (3 * job->work.sum[m]));
    level_noise(job);
    if (snw_cholesky_factor(job->work.normal, n) != SNW_OK ||
        snw_cholesky_solve(job->work.normal, n, job->work.right) != SNW_OK)
        return SNW_OK; /* nothing to improve on */
    snw_actor *actor = job->actor;
    const snw_skeleton *old = actor->skeleton;
    for (int j = 0; j < old->joint_count; j++)
        job->work.def[j] = snw_skeleton_joint_def(old, j);
    for (int b = 0; b < job->work.block_count; b++) {
        const snw__refine_block *block = job->work.block + b;
        snw_joint_def *def = job->work.def + block->joint;
        const double *x = job->work.right + 3 * b;
        snw_vec3 step = snw_vec3_make(x[0], x[1], x[2]);
        for (int k = 0; k < 3; k++)
            job->work.moved[3 * b + k] += x[k];
        if (block->is_bone) def->rest.translation = snw_vec3_add(def->rest.translation, step);
        for (int m = 0; m < actor->marker_count; m++)
            if (moves_marker(block, actor, m))
                actor->marker[m].offset = snw_vec3_add(actor->marker[m].offset, step);
        if (!block->is_bone && block->marker < 0 && def->has_tip)
            def->tip = snw_vec3_add(def->tip, step);
    }
    return remake(job, error);
}

static snw_status run_round(snw__refine_job *job, double scale, snw_error *error)
{
    size_t markers = (size_t)job->actor->marker_count;
    snw_tracker_options options = snw_tracker_options_default();
    options.outlier_scale = scale;
    options.is_continuous = false;
    options.is_adaptive = false; /* the rounds estimate the noise themselves */
    memset(job->work.sum, 0, markers * sizeof(double));
    memset(job->work.sum2, 0, markers * sizeof(double));
    snw_status status = snw_tracker_create_for_trial(job->actor, job->trial, &options,
                                                     &job->actor->allocator, &job->tracker, error);
    if (status == SNW_OK)
        status = snw_pose_create(job->actor->skeleton, &job->actor->allocator, &job->pose, error);
    job->used = status == SNW_OK ? track_and_add(job, scale) : 0;
    snw_pose_destroy(job->pose);
    snw_tracker_destroy(job->tracker);
    job->pose = NULL;
    job->tracker = NULL;
    if (status != SNW_OK || job->used == 0) return status;
    return solve_round(job, error);
}

/* ---- judgement ---------------------------------------------------------------------------- */

/* The covariance of the bone to `joint` where the markers of its parent do not move: without that a
 * turn of the parent's frame, which means nothing, would count as uncertainty. */
static bool find_covariance(snw__refine_job *job, int joint, snw_mat3 *covariance)
{
    snw__refine_work *work = &job->work;
    int n = 3 * work->block_count, parent = job->actor->skeleton->parent[joint];
    int at = 3 * work->bone[joint];
    memcpy(work->normal, work->kept, (size_t)n * (size_t)n * sizeof *work->normal);
    for (int m = 0; m < job->actor->marker_count; m++) {
        int block = work->offset[m];
        /* Metres. What is held for a judgement. */
        for (int k = 0; k < 3 && block >= 0 && job->actor->marker[m].joint == parent; k++)
            work->normal[(3 * block + k) * (n + 1)] += 1 / (SNW__FINEST * SNW__FINEST);
    }
    if (snw_cholesky_factor(work->normal, n) != SNW_OK) return false;
    for (int k = 0; k < 3; k++) {
        memset(work->right, 0, (size_t)n * sizeof *work->right);
        work->right[at + k] = 1;
        if (snw_cholesky_solve(work->normal, n, work->right) != SNW_OK) return false;
        for (int i = 0; i < 3; i++)
            covariance->m[i][k] = work->right[at + i];
    }
    return true;
}

static void judge_joints(snw__refine_job *job, snw__refine_judgement *judged)
{
    int joints = job->actor->skeleton->joint_count;
    if (job->is_placed && job->used > 0) {
        /* The equations of the last round for a judgement: with less belief in what a joint that
         * hardly turned tells, and without the proximal term, which knows nothing. */
        int n = 3 * job->work.block_count;
        double step =
            1 / (REFINE_STEP * REFINE_STEP) - 1 / (REFINE_STEP_JUDGED * REFINE_STEP_JUDGED);
        job->reserve = SIGNAL_RESERVE_JUDGED;
        load_round(job);
        for (int i = 0; i < n; i++)
            job->work.normal[i * (n + 1)] -= step;
        memcpy(job->work.kept, job->work.normal, (size_t)n * (size_t)n * sizeof *job->work.kept);
    }
    for (int j = 1; j < joints && job->work.turn_count > 0; j++) {
        snw_mat3 covariance;
        if (!find_covariance(job, j, &covariance)) continue;
        snw__spectrum3 spectrum = snw__spectrum3_of(covariance);
        for (int k = 0; k < 3; k++)
            judged[j].deviation[k] =
                snw__hypot(sqrt(fmax(spectrum.value[k], 0)), job->work.extent[j]);
        judged[j].is_expected = job->work.is_expected[j];
        judged[j].is_whole = job->is_placed;
        double range = 0;
        for (int a = 0; a < job->work.turn_count; a++)
            for (int b = 0; b < a; b++)
                range = fmax(range, snw_quat_angle_between(job->work.turn[a * joints + j],
                                                           job->work.turn[b * joints + j]));
        judged[j].range = range;
    }
}

/* ---- the start ---------------------------------------------------------------------------- */

static snw_status start(snw__refine_job *job, snw_error *error)
{
    snw_status status =
        snw_pose_create(job->actor->skeleton, &job->actor->allocator, &job->pose, error);
    if (status != SNW_OK) return status;
    snw_pose_forward(job->pose);
    for (int j = 0; j < job->actor->skeleton->joint_count; j++)
        job->work.def[j] = snw_skeleton_joint_def(job->actor->skeleton, j);
    /* A segment with one marker says nothing about the joints at its ends: they begin where anatomy
     * has them. */
    snw__joint_prior prior[SNW__ANATOMY_PRIORS];
    const snw_skeleton *body = job->actor->skeleton;
    snw__anatomy_begin(&job->anatomy, job->actor, job->landmark);
    snw__anatomy_look(&job->anatomy, job->pose);
    int count = snw__anatomy_priors(&job->anatomy, prior);
    for (int k = 0; k < count; k++) {
        int joint = prior[k].joint, parent = body->parent[joint];
        if (snw__anatomy_markers_on(job->actor, joint) <= 1 ||
            snw__anatomy_markers_on(job->actor, parent) <= 1) {
            /* Moves a joint, and nothing else of the body at rest, where all frames are parallel.
             */
            snw_vec3 by = prior[k].off;
            snw_actor *actor = job->actor;
            snw_joint_def *def = job->work.def;
            def[joint].rest.translation = snw_vec3_add(def[joint].rest.translation, by);
            def[joint].tip = snw_vec3_sub(def[joint].tip, by);
            for (int c = joint + 1; c < actor->skeleton->joint_count; c++)
                if (def[c].parent == joint)
                    def[c].rest.translation = snw_vec3_sub(def[c].rest.translation, by);
            for (int m = 0; m < actor->marker_count; m++)
                if (actor->marker[m].joint == joint)
                    actor->marker[m].offset = snw_vec3_sub(actor->marker[m].offset, by);
        }
    }
    snw_pose_destroy(job->pose);
    job->pose = NULL;
    return remake(job, error);
}

static snw_status run(snw__refine_job *job, snw__refine_judgement *judged, snw_error *error)
{
    snw_actor *actor = job->actor;
    list_blocks(job);
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, job, &actor->allocator,
                                          "calibrating the whole body", error);
    if (status != SNW_OK) return status;
    list_blocks(job);
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        job->work.bone[j] = j - 1;
    for (int m = 0; m < actor->marker_count; m++) {
        job->work.offset[m] = -1;
        for (int b = 0; b < job->work.block_count; b++)
            if (moves_marker(job->work.block + b, actor, m)) job->work.offset[m] = b;
    }
    level_noise(job);
    status = start(job, error);
    size_t known = sizeof refine_scales / sizeof *refine_scales;
    size_t rounds = job->is_thin ? REFINE_ROUNDS_THIN : known;
    for (size_t round = 0; round < rounds && status == SNW_OK; round++) {
        job->is_last = round + REFINE_ROUNDS_LAST >= rounds;
        status = run_round(job, refine_scales[round < known ? round : known - 1], error);
    }
    if (status == SNW_OK) judge_joints(job, judged);
    snw__block_release(&actor->allocator, &block);
    return status;
}

static double noise_of_joint(const snw_actor *actor, int joint)
{
    double sum = 0;
    int count = 0;
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != joint) continue;
        sum += actor->marker[m].noise;
        count++;
    }
    return count >= 3 ? sum / count : 0; /* fewer have no shape */
}

/* What the thighs, or the pelvis where they have no shape, show of cameras and skin. */
static double noise_of_skin(const snw__anatomy *anatomy)
{
    const snw_actor *actor = anatomy->actor;
    double noise = 0;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++)
        noise = fmax(noise, noise_of_joint(actor, anatomy->joint[SNW_PART_UPLEG][side]));
    return noise > 0 ? noise : noise_of_joint(actor, anatomy->joint[SNW_PART_HIPS][SNW_SIDE_NONE]);
}

snw_status snw__actor_refine(snw_actor *actor, const snw_trial *trial,
                             const snw__refine_known *known, snw__refine_judgement *judged,
                             snw_error *error)
{
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        judged[j].deviation[0] = -1;
    snw__refine_job job;
    memset(&job, 0, sizeof job);
    job.actor = actor;
    job.trial = trial;
    job.is_rigid = known->is_rigid;
    job.is_white = known->is_white;
    job.slip = known->slip;
    job.chi = known->chi;
    job.landmark = known->label;
    job.is_thin = true;
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        job.is_thin &= snw__anatomy_markers_on(actor, j) < 3;
    job.is_placed = job.is_white && mean_noise(actor) <= SNW__NOISE_POOR &&
                    snw__placement_is_known(actor->skeleton);
    job.reserve = 1;
    snw__anatomy_begin(&job.anatomy, actor, known->label);
    snw__gait_prior_begin(&job.gait, trial, known);
    /* A frame or two, which calibration repeats, show no noise at all. */
    job.is_on_skin =
        trial->frame_count <= ACTOR_FRAMES_STILL || noise_of_skin(&job.anatomy) > SNW__NOISE;
    job.is_filmed = noise_of_skin(&job.anatomy) > SNW__NOISE_MIN;
    return run(&job, judged, error);
}

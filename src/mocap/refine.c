/* Whole-body calibration: joint centres and marker offsets that bring all markers of many frames
 * nearest to the body.
 *
 * With the rotations of a tracked frame held, every marker is linear in what is constant,
 *
 *     x_m = x_root + sum over joints j on the way to m of R_parent(j) t_j + R_limb(m) o_m,
 *
 * so bones t, offsets o and the root's place in every frame follow from one linear least squares;
 * then the frames are tracked again, and so on. The root's places are eliminated frame by frame:
 * with weights w and W = sum w, two unknown blocks a, b with rotations G_a, G_b that carry the
 * marker sets A, B have the normal block
 *
 *     sum over frames of G_a^T G_b (w(A and B) - w(A) w(B) / W).
 *
 * Each round stays near the last one (a proximal term), which holds what the motion does not
 * determine: the place of a joint that hardly turned, the turn of a limb's own frame. */
#include "mocap/refine.h"

#include <string.h>

#include <sinew/dense.h>

#include "base/fail.h"
#include "base/memory.h"
#include "mocap/capture.h"
#include "mocap/tracker.h"

/* Frames of a round, spread over the trial. */
#define REFINE_FRAMES 150
/* The proximal term, per frame and marker: rotations that vary by less than its root, 2.5 degrees,
 * move nothing. */
#define REFINE_PROXIMAL 2e-3
/* Outlier scales of the rounds: wide at first, when the body is still off. */
static const double refine_scales[] = {40, 20, 12, 8, 6};

/* One unknown vector of three. */
typedef struct refine_block {
    int joint;  /* the bone to this joint, or the limb of the offset */
    int marker; /* offset of one marker; -1: of all markers of the limb, or a bone */
    bool is_bone;
    snw_mat3 turn; /* G in the present frame */
    double weight; /* w(A) in the present frame */
    snw_vec3 pull; /* sum w r over A */
} refine_block;

typedef struct refine_work {
    int block_count;
    refine_block *block;
    bool *is_above;     /* (joint_count x joint_count) [a, b]: a is b or above b */
    double *weight;     /* (marker_count) in the present frame; 0 = not seen */
    snw_vec3 *off;      /* (marker_count) residual in the present frame */
    double *sum2;       /* (marker_count) of squared residuals, weighted */
    double *sum;        /* (marker_count) of weights */
    double *normal;     /* (3 block_count)^2 */
    double *right;      /* (3 block_count) */
    snw_joint_def *def; /* (joint_count) */
} refine_work;

typedef struct refine_job {
    snw_actor *actor;
    const snw_trial *trial;
    const bool *is_rigid;
    refine_work work;
    snw_tracker *tracker;
    snw_pose *pose;
} refine_job;

static int list_blocks(const snw_actor *actor, const bool *is_rigid, refine_block *out)
{
    int count = 0;
    for (int j = 1; j < actor->skeleton->joint_count; j++, count++)
        if (out) {
            refine_block bone = {j, -1, true, {{{0}}}, 0, {0, 0, 0}};
            out[count] = bone;
        }
    for (int j = 1; j < actor->skeleton->joint_count; j++) {
        if (!is_rigid[j]) continue;
        if (out) {
            refine_block limb = {j, -1, false, {{{0}}}, 0, {0, 0, 0}};
            out[count] = limb;
        }
        count++;
    }
    for (int m = 0; m < actor->marker_count; m++) {
        if (is_rigid[actor->marker[m].joint]) continue;
        if (out) {
            refine_block marker = {actor->marker[m].joint, m, false, {{{0}}}, 0, {0, 0, 0}};
            out[count] = marker;
        }
        count++;
    }
    return count;
}

static size_t lay_out(refine_work *work, const snw_actor *actor, void *memory)
{
    snw__block block = {(char *)memory, 0};
    size_t joints = (size_t)actor->skeleton->joint_count, markers = (size_t)actor->marker_count;
    size_t unknowns = 3 * (size_t)work->block_count;
    work->block = snw__block_take(&block, (size_t)work->block_count, sizeof(refine_block));
    work->is_above = snw__block_take(&block, joints * joints, sizeof(bool));
    work->weight = snw__block_take(&block, markers, sizeof(double));
    work->off = snw__block_take(&block, markers, sizeof(snw_vec3));
    work->sum2 = snw__block_take(&block, markers, sizeof(double));
    work->sum = snw__block_take(&block, markers, sizeof(double));
    work->normal = snw__block_take(&block, snw__size_mul(unknowns, unknowns), sizeof(double));
    work->right = snw__block_take(&block, unknowns, sizeof(double));
    work->def = snw__block_take(&block, joints, sizeof(snw_joint_def));
    return block.size;
}

/* ---- one frame ---------------------------------------------------------------------------- */

/* Weights and residuals of the markers in the tracked frame. */
static double look(refine_job *job)
{
    const snw_tracker *tracker = job->tracker;
    double total = 0;
    for (int m = 0; m < job->actor->marker_count; m++) {
        const snw_actor_marker *marker = job->actor->marker + m;
        job->work.weight[m] = 0;
        if (tracker->is_seen[m] == 0) continue;
        snw_vec3 at = snw_xform_point(job->pose->world[marker->joint], marker->offset);
        snw_vec3 off = snw_vec3_sub(tracker->seen[m], at);
        double far2 = snw_vec3_length2(off) / (tracker->bound[m] * tracker->bound[m]);
        double share = 1 / ((1 + far2) * (1 + far2));
        job->work.off[m] = off;
        job->work.weight[m] = tracker->mass[m] * share;
        job->work.sum2[m] += share * snw_vec3_length2(off);
        job->work.sum[m] += share;
        total += job->work.weight[m];
    }
    return total;
}

static bool carries(const refine_job *job, const refine_block *block, int marker)
{
    int joint = job->actor->marker[marker].joint, count = job->actor->skeleton->joint_count;
    if (block->is_bone) return job->work.is_above[block->joint * count + joint];
    return block->marker < 0 ? joint == block->joint : marker == block->marker;
}

static void load_blocks(refine_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    for (int b = 0; b < job->work.block_count; b++) {
        refine_block *block = job->work.block + b;
        int frame_of = block->is_bone ? body->parent[block->joint] : block->joint;
        block->turn = snw_mat3_from_quat(job->pose->world[frame_of].rotation);
        block->weight = 0;
        block->pull = snw_vec3_make(0, 0, 0);
        for (int m = 0; m < job->actor->marker_count; m++) {
            if (job->work.weight[m] == 0 || !carries(job, block, m)) continue;
            block->weight += job->work.weight[m];
            block->pull = snw_vec3_add_scaled(block->pull, job->work.weight[m], job->work.off[m]);
        }
    }
}

/* w(A and B): blocks overlap where one bone is above the other block. */
static double shared_weight(const refine_job *job, const refine_block *a, const refine_block *b)
{
    int count = job->actor->skeleton->joint_count;
    const bool *above = job->work.is_above;
    if (a == b) return a->weight;
    if (a->is_bone && above[a->joint * count + b->joint]) return b->weight;
    if (b->is_bone && above[b->joint * count + a->joint]) return a->weight;
    return 0;
}

static void add_frame(refine_job *job, double total)
{
    int count = job->work.block_count, n = 3 * count;
    snw_vec3 pull = {0, 0, 0};
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->work.weight[m] > 0)
            pull = snw_vec3_add_scaled(pull, job->work.weight[m], job->work.off[m]);
    for (int a = 0; a < count; a++) {
        const refine_block *first = job->work.block + a;
        if (first->weight == 0) continue;
        snw_mat3 back = snw_mat3_transpose(first->turn);
        snw_vec3 g =
            snw_mat3_apply(back, snw_vec3_add_scaled(first->pull, -first->weight / total, pull));
        job->work.right[3 * a] += g.x;
        job->work.right[3 * a + 1] += g.y;
        job->work.right[3 * a + 2] += g.z;
        for (int b = 0; b <= a; b++) {
            const refine_block *second = job->work.block + b;
            double w = shared_weight(job, first, second) - first->weight * second->weight / total;
            if (w == 0) continue;
            snw_mat3 part = snw_mat3_mul(back, second->turn);
            for (int k = 0; k < 9; k++)
                job->work.normal[(3 * a + k / 3) * n + 3 * b + k % 3] += w * part.m[k / 3][k % 3];
        }
    }
}

/* ---- one round ---------------------------------------------------------------------------- */

static int track_and_add(refine_job *job)
{
    int used = 0;
    int step = 1 + job->trial->frame_count / REFINE_FRAMES;
    for (int frame = 0; frame < job->trial->frame_count; frame += step) {
        snw_frame view = snw_trial_frame(job->trial, frame);
        if (snw_tracker_step(job->tracker, &view, job->pose).is_lost) continue;
        double total = look(job);
        if (!(total > 0)) continue;
        load_blocks(job);
        add_frame(job, total);
        used++;
    }
    return used;
}

static snw_vec3 solution_of(const refine_job *job, int block)
{
    const double *x = job->work.right + 3 * block;
    return snw_vec3_make(x[0], x[1], x[2]);
}

static snw_status rebuild(refine_job *job, snw_error *error)
{
    snw_actor *actor = job->actor;
    const snw_skeleton *old = actor->skeleton;
    for (int j = 0; j < old->joint_count; j++)
        job->work.def[j] = snw_skeleton_joint_def(old, j);
    for (int b = 0; b < job->work.block_count; b++) {
        const refine_block *block = job->work.block + b;
        snw_vec3 x = solution_of(job, b);
        if (block->is_bone)
            job->work.def[block->joint].rest.translation =
                snw_vec3_add(job->work.def[block->joint].rest.translation, x);
        for (int m = 0; m < actor->marker_count && !block->is_bone; m++)
            if (carries(job, block, m))
                actor->marker[m].offset = snw_vec3_add(actor->marker[m].offset, x);
        if (!block->is_bone && block->marker < 0 && job->work.def[block->joint].has_tip)
            job->work.def[block->joint].tip = snw_vec3_add(job->work.def[block->joint].tip, x);
    }
    snw_skeleton *next = NULL;
    snw_status status =
        snw_skeleton_create(job->work.def, old->joint_count, &actor->allocator, &next, error);
    if (status != SNW_OK) return status;
    snw_skeleton_destroy(actor->skeleton);
    actor->skeleton = next;
    return SNW_OK;
}

/* The noise that a marker shows against the whole body, one coordinate. */
static void measure_noise(refine_job *job)
{
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->work.sum[m] > 0)
            job->actor->marker[m].noise = sqrt(job->work.sum2[m] / (3 * job->work.sum[m]));
}

static snw_status run_round(refine_job *job, double scale, snw_error *error)
{
    size_t n = 3 * (size_t)job->work.block_count, markers = (size_t)job->actor->marker_count;
    snw_tracker_options options = snw_tracker_options_default();
    options.outlier_scale = scale;
    memset(job->work.normal, 0, n * n * sizeof(double));
    memset(job->work.right, 0, n * sizeof(double));
    memset(job->work.sum, 0, markers * sizeof(double));
    memset(job->work.sum2, 0, markers * sizeof(double));
    snw_status status = snw_tracker_create(job->actor, job->trial, &options, &job->actor->allocator,
                                           &job->tracker, error);
    if (status == SNW_OK)
        status = snw_pose_create(job->actor->skeleton, &job->actor->allocator, &job->pose, error);
    int used = status == SNW_OK ? track_and_add(job) : 0;
    snw_pose_destroy(job->pose);
    snw_tracker_destroy(job->tracker);
    job->pose = NULL;
    job->tracker = NULL;
    if (status != SNW_OK || used == 0) return status;
    measure_noise(job);
    for (size_t k = 0; k < n; k++)
        job->work.normal[k * n + k] += REFINE_PROXIMAL * used + 1e-9;
    if (snw_cholesky_factor(job->work.normal, (int)n) != SNW_OK ||
        snw_cholesky_solve(job->work.normal, (int)n, job->work.right) != SNW_OK)
        return SNW_OK; /* nothing to improve on */
    return rebuild(job, error);
}

static void find_above(refine_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    for (int j = 0; j < body->joint_count; j++)
        for (int up = j; up >= 0; up = body->parent[up])
            job->work.is_above[up * body->joint_count + j] = true;
}

snw_status snw__actor_refine(snw_actor *actor, const snw_trial *trial, const bool *is_rigid,
                             snw_error *error)
{
    refine_job job;
    memset(&job, 0, sizeof job);
    job.actor = actor;
    job.trial = trial;
    job.is_rigid = is_rigid;
    job.work.block_count = list_blocks(actor, is_rigid, NULL);
    size_t size = lay_out(&job.work, actor, NULL);
    void *memory = snw__allocate(&actor->allocator, size);
    if (!memory) return snw__fail_memory(error, size, "calibrating the whole body");
    lay_out(&job.work, actor, memory);
    list_blocks(actor, is_rigid, job.work.block);
    find_above(&job);
    snw_status status = SNW_OK;
    for (size_t round = 0; round < sizeof refine_scales / sizeof *refine_scales; round++)
        if (status == SNW_OK) status = run_round(&job, refine_scales[round], error);
    snw__release(&actor->allocator, memory, size);
    return status;
}

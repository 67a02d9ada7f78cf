/* The equations of one round of the whole-body calibration: what the markers say, what anatomy
 * expects, and how far the start is to be believed. */
#include <string.h>

#include "actor/actor.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/placement.h"
#include "calibrate/proportions.h"
#include "calibrate/refine_job.h"
#include "math/symmetric3.h"
#include "person/movement.h"

static double usual_noise(const snw__refine_job *job)
{
    double mean = 0;
    /* Metres. No marker is trusted more than this, whatever its noise says: calibration has its own
     * errors. */
    for (int m = 0; m < job->actor->marker_count; m++)
        mean += fmax(job->actor->marker[m].noise, SNW__NOISE_MIN) / job->actor->marker_count;
    return mean;
}

void snw__refine_load_markers(snw__refine_job *job)
{
    snw__refine_work *work = &job->work;
    int n = 3 * work->block_count;
    double mean = usual_noise(job);
    double worth = job->is_white ? job->used : REFINE_WORTH;
    double variance = mean * mean;
    if (job->is_placed) {
        /* How much larger the variance of markers is than that of their residuals: poses take their
         * part.
         */
        double all = 3.0 * job->actor->marker_count, poses = job->work.system.pose_count;
        variance *= all / fmax(all - poses, 0.25 * all);
    }
    double scale = fmin(1, worth / job->used) / variance;
    for (int i = 0; i < n; i++) {
        for (int k = i; k < n; k++)
            work->normal[k * n + i] = scale * *snw__refine_system_at(&work->system, i, k);
        for (int k = 0; k < i; k++)
            work->normal[k * n + i] = work->normal[i * n + k];
        work->right[i] = scale * *snw__refine_system_right(&work->system, i);
    }
    if (job->is_placed) snw__refine_keep_signal(job, variance);
    for (int i = 0; i < n; i++)
        work->normal[i * n + i] += 1 / (REFINE_STEP * REFINE_STEP);
}

/* Adds s times the matrix to a block of the equations; blocks of the upper triangle do not count.
 */
static void add_block(snw__refine_work *work, int row, int column, double s, const snw_mat3 *a)
{
    int n = 3 * work->block_count;
    if (column > row) return;
    for (int k = 0; k < 9; k++)
        work->normal[(3 * row + k / 3) * n + 3 * column + k % 3] += s * a->m[k / 3][k % 3];
}

void snw__refine_load_anchors(snw__refine_job *job)
{
    snw__refine_work *work = &job->work;
    /* Metres. Standard deviation of the centres and offsets that the calibration began with, where
     * anatomy has nothing better: left to the markers alone, a joint that hardly turns goes where
     * the skin drags it (median of the dance with six markers on each segment: 16 mm; so 2.5 to 5).
     * The same where errors are white: the motion of the whole body knows more than a pair of
     * segments. */
    double anchor = job->is_thin ? REFINE_STEP_JUDGED : job->is_white ? REFINE_STEP : SNW__SKIN;
    for (int b = 0; b < work->block_count; b++) {
        const snw__refine_block *block = work->block + b;
        if (work->is_expected[block->joint]) continue;
        snw_mat3 covariance = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
        if (!job->is_white && !job->is_thin) {
            /* What skin leaves open about an unknown at the start, where something else is expected
             * of it, beside the anchor: a bone ends at its joint's centre and begins at its
             * parent's; offsets begin at their joint's. */
            const snw__joint_turns *turns = job->work.turns;
            const double *slip = job->slip;
            int j = block->joint, frame = block->is_bone ? job->actor->skeleton->parent[j] : j;
            snw_mat3 open;
            memset(&open, 0, sizeof open);
            if (frame > 0 && job->work.is_weighed[frame])
                open = snw__joint_turns_open(turns + frame, slip[frame]);
            if (block->is_bone && job->work.is_weighed[j]) {
                snw_mat3 turn = snw_mat3_from_quat(turns[j].reference);
                for (int k = 0; k < 9; k++)
                    open.m[k / 3][k % 3] +=
                        snw_mat3_mul(snw_mat3_mul(turn, snw__joint_turns_open(turns + j, slip[j])),
                                     snw_mat3_transpose(turn))
                            .m[k / 3][k % 3];
            }
            covariance = open;
        }
        double loose = work->is_surrounded[block->joint] ? REFINE_ANCHOR_PERSON : anchor;
        for (int k = 0; k < 3; k++)
            covariance.m[k][k] += loose * loose;
        snw__spectrum3 spectrum = snw__spectrum3_of(covariance);
        snw_mat3 held;
        memset(&held, 0, sizeof held);
        for (int k = 0; k < 3; k++)
            snw__add_outer(&held, 1 / spectrum.value[k], spectrum.vector[k]);
        const double *moved = work->moved + 3 * b;
        snw_vec3 back = snw_mat3_apply(held, snw_vec3_make(moved[0], moved[1], moved[2]));
        add_block(work, b, b, 1, &held);
        work->right[3 * b] -= back.x;
        work->right[3 * b + 1] -= back.y;
        work->right[3 * b + 2] -= back.z;
    }
}

static void load_prior(snw__refine_job *job, const snw__joint_prior *prior)
{
    snw__refine_work *work = &job->work;
    snw_vec3 pull = snw_mat3_apply(prior->information, prior->off);
    int block[3], count = 0;
    double share[3];
    block[count] = work->bone[prior->joint];
    share[count++] = 1;
    for (int k = 0; k < prior->marker_count; k++) {
        block[count] = work->offset[prior->marker[k]];
        share[count] = -1.0 / prior->marker_count;
        count += block[count] >= 0;
    }
    for (int a = 0; a < count; a++) {
        work->right[3 * block[a]] += share[a] * pull.x;
        work->right[3 * block[a] + 1] += share[a] * pull.y;
        work->right[3 * block[a] + 2] += share[a] * pull.z;
        for (int b = 0; b < count; b++)
            add_block(work, block[a], block[b], share[a] * share[b], &prior->information);
    }
}

/* The centre lies at prior->in_child of the child's frame and should be its origin: all that is
 * written in that frame, its markers' offsets and the bones that begin there, is expected to move
 * the other way. */
static void load_prior_of_child(snw__refine_job *job, const snw__joint_prior *prior)
{
    snw__refine_work *work = &job->work;
    const int *parent = job->actor->skeleton->parent;
    snw_vec3 pull = snw_vec3_scale(prior->in_child, -prior->of_child);
    snw_mat3 information = {{{0}}};
    for (int i = 0; i < 3; i++)
        information.m[i][i] = prior->of_child;
    for (int b = 0; b < work->block_count; b++) {
        const snw__refine_block *block = work->block + b;
        int frame = block->is_bone ? parent[block->joint] : block->joint;
        if (frame != prior->joint) continue;
        work->right[3 * b] += pull.x;
        work->right[3 * b + 1] += pull.y;
        work->right[3 * b + 2] += pull.z;
        add_block(work, b, b, 1, &information);
    }
}

static void load_bone_prior(snw__refine_job *job, const snw__bone_prior *prior)
{
    snw__refine_work *work = &job->work;
    int block[2] = {work->bone[prior->joint], prior->other < 0 ? -1 : work->bone[prior->other]};
    snw_vec3 row[2] = {prior->direction, snw_vec3_neg(prior->of_other)};
    for (int a = 0; a < 2; a++) {
        if (block[a] < 0) continue;
        double pull = prior->information * prior->off;
        work->right[3 * block[a]] += pull * row[a].x;
        work->right[3 * block[a] + 1] += pull * row[a].y;
        work->right[3 * block[a] + 2] += pull * row[a].z;
        for (int b = 0; b < 2; b++) {
            if (block[b] < 0) continue;
            snw_mat3 outer = {{{row[a].x * row[b].x, row[a].x * row[b].y, row[a].x * row[b].z},
                               {row[a].y * row[b].x, row[a].y * row[b].y, row[a].y * row[b].z},
                               {row[a].z * row[b].x, row[a].z * row[b].y, row[a].z * row[b].z}}};
            add_block(work, block[a], block[b], prior->information, &outer);
        }
    }
}

/* A segment's markers are one block where they move together, else one each. */
static void load_placement(snw__refine_job *job, const snw__placement_prior *prior)
{
    snw__refine_work *work = &job->work;
    double share = 1.0 / snw__anatomy_markers_on(job->actor, prior->segment);
    for (int n = 0; n < work->block_count; n++)
        work->share[n] = 0;
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->actor->marker[m].joint == prior->segment && work->offset[m] >= 0)
            work->share[work->offset[m]] += share;
    if (prior->next >= 0) work->share[work->bone[prior->next]] = -0.5;
    double pull = prior->information * prior->off;
    snw_mat3 outer;
    memset(&outer, 0, sizeof outer);
    snw__add_outer(&outer, prior->information, prior->direction);
    for (int a = 0; a < work->block_count; a++) {
        if (work->share[a] == 0) continue;
        work->right[3 * a] += work->share[a] * pull * prior->direction.x;
        work->right[3 * a + 1] += work->share[a] * pull * prior->direction.y;
        work->right[3 * a + 2] += work->share[a] * pull * prior->direction.z;
        for (int b = 0; b <= a; b++)
            if (work->share[b] != 0) add_block(work, a, b, work->share[a] * work->share[b], &outer);
    }
}

void snw__refine_load_priors(snw__refine_job *job)
{
    snw__joint_prior prior[SNW__ANATOMY_PRIORS];
    int count = snw__anatomy_priors(&job->anatomy, prior);
    if (job->is_on_skin) count = snw__gait_prior_add(&job->gait, &job->anatomy, prior, count);
    for (int k = 0; k < count; k++) {
        load_prior(job, prior + k);
        if (prior[k].of_child > 0) load_prior_of_child(job, prior + k);
        job->work.is_expected[prior[k].joint] = true;
        job->work.extent[prior[k].joint] = prior[k].extent;
    }
    snw__bone_prior bone[SNW__BONE_PRIORS];
    double arc = job->is_placed ? REFINE_ARC * usual_noise(job) : HUGE_VAL;
    const snw__joint_turns *turns = job->is_placed ? job->work.signal : job->work.turns;
    int bones = snw__bone_priors(&job->anatomy, turns, arc, bone);
    for (int k = 0; k < bones; k++) {
        if (job->work.is_expected[bone[k].joint]) continue; /* by rules that know better */
        load_bone_prior(job, bone + k);
        job->work.is_weighed[bone[k].joint] = true;
        if (bone[k].other >= 0) job->work.is_weighed[bone[k].other] = true;
    }
    for (int segment = 1; job->is_placed && segment < job->actor->skeleton->joint_count;
         segment++) {
        snw__placement_prior placement[3];
        int rows = snw__placement_priors(job->actor, job->work.turns, segment, placement);
        for (int k = 0; k < rows; k++)
            load_placement(job, placement + k);
        job->work.is_surrounded[segment] = rows > 0;
    }
}

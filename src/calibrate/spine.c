/* A trunk bends in the loins and in the chest, a neck at its base and below the skull. Markers on
 * pelvis, chest and head leave one joint between two of them; published proportions of the spine
 * make it two, with a bone between them that has no marker.
 *
 * The poses of two segments and the length of the bone tell its direction in every frame. About
 * itself it does not turn: "no axial rotation at the lumbar joint" (Dumas & Wojtusch 2018), so the
 * joint at its beginning has two axes and the one at its end three, as many as two segments show.
 * Where the ends are is expected from markers on bones, each by a rule with its standard deviation,
 * and weighed against the motion, which keeps the bone's length (ball_link.h). */
#include "calibrate/spine.h"

#include <string.h>

#include <sinew/geometry.h>

#include "actor/actor.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "calibrate/anatomy.h"
#include "calibrate/ball_link.h"
#include "calibrate/calibrate_constants.h"
#include "label/label_grammar.h"
#include "math/order.h"
#include "math/symmetric3.h"
#include "person/movement.h"
#include "person/regressions.h"

enum {
    SPINE_HIPS,
    SPINE_CHEST,
    SPINE_HEAD,
    SPINE_SEGMENTS
};
static const char *const spine_names[SNW__SPINE_LINKS] = {"Spine", "Neck"};

typedef struct spine_job {
    snw_actor *actor;
    const snw_trial *trial;
    snw__anatomy anatomy;
    snw__anatomy_chest chest;
    snw__anatomy_pelvis pelvis;
    int joint[SPINE_SEGMENTS]; /* of the undivided skeleton */
    double height;
    int frame_count;
    snw_xform *pose[SPINE_SEGMENTS]; /* (frame_count) world_from_segment */
    bool *is_posed[SPINE_SEGMENTS];  /* (frame_count) */
    snw__ball_link_frame *frame;     /* (frame_count) of one link */
    double *far;                     /* (frame_count) */
    snw_vec3 *from, *to;             /* (marker_count) of one segment's fit */
    int *source;                     /* (marker_count) in the trial, or -1 */
    snw_joint_def *def;              /* (joint_count + SNW__SPINE_LINKS) */
    char name[SNW__SPINE_LINKS][2 * SNW_LABEL_SIZE];
    snw__ball_link link[SNW__SPINE_LINKS];
    snw_vec3 bone[SNW__SPINE_LINKS]; /* at rest, in the lower segment's frame */
    snw_vec3 upright;                /* where the head is up, in its frame */
    bool is_divided[SNW__SPINE_LINKS];
} spine_job;

/* ---- which segments ----------------------------------------------------------------------------
 */

static bool hangs(const spine_job *job, int segment)
{
    const snw_skeleton *body = job->actor->skeleton;
    int joint = job->joint[segment], parent = job->joint[segment - 1];
    if (joint < 0 || parent < 0 || body->parent[joint] != parent) return false;
    return body->joint[joint].type == SNW_JOINT_BALL;
}

static bool has_joint(const snw_skeleton *body, const char *bare)
{
    for (int j = 0; j < body->joint_count; j++)
        if (strcmp(snw__bare_label(body->name[j]), bare) == 0) return true;
    return false;
}

/* ---- poses ---------------------------------------------------------------------------------- */

static bool fit_segment(spine_job *job, int joint, int frame, snw_xform *world_from_segment)
{
    int count = 0;
    for (int m = 0; m < job->actor->marker_count; m++) {
        if (job->actor->marker[m].joint != joint) continue;
        int source = job->source[m];
        if (source < 0 || !snw_trial_is_present(job->trial, frame, source)) continue;
        job->from[count] = job->actor->marker[m].offset;
        job->to[count++] = snw_trial_position(job->trial, frame, source);
    }
    snw_fit fit;
    /* Metres. A segment whose markers keep their shape worse shows something else than itself. */
    if (count < 3 || snw_fit_rigid(job->from, job->to, NULL, count, &fit) != SNW_OK ||
        fit.kind != SNW_FIT_UNIQUE || !(fit.rms < SNW__SKIN_MAX))
        return false;
    *world_from_segment = fit.to_from;
    return true;
}

/* ---- what is expected ----------------------------------------------------------------------- */

/* Per cent of the way from C7 to the spines of the pelvis at which the spinous process of a
 * thoracic vertebra lies (Ernst et al. 2013: T4 21, T7 39, T10 54.1, L1 70.9); 0: the label names
 * none. */
static double spinous_process(const char *label)
{
    static const double at[] = {0, 3, 9, 15, 21, 27, 33, 39, 44, 49.1, 54.1, 59.7, SNW__SPINE_T12};
    const char *bare = snw__bare_label(label);
    int number = 0;
    if (*bare++ != 'T') return 0;
    bare += *bare == 'V';
    if (!snw__is_digit(*bare)) return 0;
    for (; snw__is_digit(*bare) && number < 100; bare++)
        number = 10 * number + *bare - '0';
    return *bare == 0 && number >= 7 && number <= 12 ? at[number] : 0;
}

/* T12/L1 from the skin of the back; false: no marker below the shoulder blades tells it. */
static bool find_behind(const spine_job *job, snw_vec3 *place)
{
    const snw_actor_marker *marker = job->actor->marker;
    for (int m = 0; m < job->actor->marker_count; m++) {
        double at = spinous_process(marker[m].name);
        if (marker[m].joint != job->joint[SPINE_CHEST] || !(at > 0)) continue;
        snw_vec3 back = snw_vec3_sub(marker[m].offset, marker[job->chest.c7].offset);
        snw_vec3 right = snw__direction(snw_vec3_cross(job->chest.ahead, job->chest.up));
        snw_vec3 down = snw_quat_rotate(snw_quat_from_axis_angle(right, SNW__SPINE_BACK_TURN),
                                        snw__direction(back));
        snw_vec3 inwards = snw_quat_rotate(snw_quat_from_axis_angle(right, -SNW__SPINE_BACK_ANGLE),
                                           snw_vec3_neg(down));
        *place = snw_vec3_add_scaled(marker[m].offset,
                                     (SNW__SPINE_T12 / at - 1) * snw_vec3_length(back), down);
        *place = snw_vec3_add_scaled(*place, SNW__SPINE_BACK_SHARE * job->chest.depth, inwards);
        return true;
    }
    return false;
}

/* Two rules where there are two: their mean, as uncertain as they differ. */
static void expect_trunk(const spine_job *job, int count, snw__ball_link *link)
{
    snw_vec3 neck = snw__anatomy_neck_base(&job->anatomy, &job->chest), behind;
    link->end[0] = snw__anatomy_loin(&job->pelvis);
    /* L5/S1 in the chest's frame, in the mean of the frames in which the trunk is stretched. */
    snw_vec3 sum = {0, 0, 0};
    double least = 0;
    int used = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int f = 0; f < count; f++) {
            const snw__ball_link_frame *at = job->frame + f;
            snw_vec3 place =
                snw_xform_unpoint(at->second, snw_xform_point(at->first, link->end[0]));
            double far = snw_vec3_distance(place, neck);
            if (pass == 0) job->far[f] = far;
            if (pass == 0 || far < least) continue;
            sum = snw_vec3_add(sum, place);
            used++;
        }
        (void)snw__median(job->far, count); /* sorts */
        least = job->far[(int)((1 - SPINE_STRETCHED) * (count - 1))];
    }
    snw_vec3 low = snw_vec3_scale(sum, 1.0 / used);
    link->end[1] = snw_vec3_lerp(neck, low, SNW__SPINE_CHEST_SHARE);
    link->deviation[0] = SNW__PLACE_SHOULDER;
    link->deviation[1] = SNW__PLACE_ROUGH;
    if (find_behind(job, &behind)) {
        link->deviation[1] =
            fmax(sqrt(0.5) * SNW__PLACE_ROUGH, 0.5 * snw_vec3_distance(link->end[1], behind));
        link->end[1] = snw_vec3_lerp(link->end[1], behind, 0.5);
    }
    link->length = SNW__SPINE_LOIN_LENGTH * job->height;
}

/* Straight below the middle of the head's markers, as the neck carries them on the mean of the
 * frames. Not across the plane of a band: some wear it a third of a right angle higher at the brow
 * (CMU's subject 02), which put the joint 40 mm before the ears. */
static void expect_head(spine_job *job, int count, snw__ball_link *link)
{
    snw_vec3 middle = {0, 0, 0}, low = {0, 0, 0};
    int markers = 0;
    link->end[0] = snw__anatomy_neck_base(&job->anatomy, &job->chest);
    for (int f = 0; f < count; f++)
        low = snw_vec3_lerp(low,
                            snw_xform_unpoint(job->frame[f].second,
                                              snw_xform_point(job->frame[f].first, link->end[0])),
                            1.0 / (f + 1));
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->actor->marker[m].joint == job->joint[SPINE_HEAD])
            middle = snw_vec3_lerp(middle, job->actor->marker[m].offset, 1.0 / ++markers);
    bool is_band = markers >= 4;
    job->upright = snw__direction(snw_vec3_sub(middle, low));
    double length = SNW__SPINE_NECK_LENGTH * job->height;
    link->end[1] =
        is_band ? snw_vec3_add_scaled(middle, -SNW__SPINE_BAND_BELOW * job->height, job->upright)
                : snw_vec3_add_scaled(low, length, job->upright);
    link->deviation[0] = SNW__SPINE_NECK_DEVIATION;
    /* Metres. Below markers that are no band the joint lies towards the neck's base. */
    link->deviation[1] = is_band ? SPINE_BAND_DEVIATION : SNW__PLACE_NEAR;
    link->length = length;
}

static void fit_link(spine_job *job, int k)
{
    snw__ball_link *link = job->link + k;
    /* The frames that show both segments of a link; returns how many. */
    int count = 0;
    for (int f = 0; f < job->frame_count; f++) {
        if (!job->is_posed[k][f] || !job->is_posed[k + 1][f]) continue;
        job->frame[count].first = job->pose[k][f];
        job->frame[count++].second = job->pose[k + 1][f];
    }
    job->is_divided[k] &= count > 0;
    if (!job->is_divided[k]) return;
    memset(link, 0, sizeof *link);
    if (k == 0)
        expect_trunk(job, count, link);
    else
        expect_head(job, count, link);
    link->length_deviation = SNW__SPINE_LENGTH_DEVIATION * link->length;
    snw__ball_link_fit(job->frame, count, link);
    /* The bone as the segments had it in the frame in which it was longest: the rest pose. */
    snw_vec3 longest = {0, 0, 0};
    for (int f = 0; f < count; f++) {
        snw_vec3 end = snw_xform_point(job->frame[f].second, link->end[1]);
        snw_vec3 bone = snw_vec3_sub(snw_xform_unpoint(job->frame[f].first, end), link->end[0]);
        if (snw_vec3_length2(bone) > snw_vec3_length2(longest)) longest = bone;
    }
    job->bone[k] = snw_vec3_scale(snw__direction(longest), link->length);
    job->is_divided[k] = snw_vec3_length2(job->bone[k]) > 0;
}

/* ---- the divided skeleton ------------------------------------------------------------------- */

int snw__spine_joint(const snw__spine *spine, int joint)
{
    for (int k = 0; k < spine->count; k++)
        joint += joint >= spine->link[k].joint;
    return joint;
}

/* Puts the joint of link k before its segment's; those behind count on. */
static void insert_joint(spine_job *job, int k, int joint_count, snw__spine *spine)
{
    int at = snw__spine_joint(spine, job->joint[k + 1]);
    memmove(job->def + at + 1, job->def + at, (size_t)(joint_count - at) * sizeof *job->def);
    /* The joint at the beginning of the bone: bends forward, then aside. */
    const char *segment = job->actor->skeleton->name[job->joint[k + 1]];
    snw_joint_def def = snw_joint_def_default();
    snw_vec3 bone = snw__direction(job->bone[k]);
    snw_vec3 right = k == 0 ? job->pelvis.right : snw_vec3_cross(job->chest.ahead, job->chest.up);
    right = snw_vec3_add_scaled(right, -snw_vec3_dot(right, bone), bone);
    snw_format(job->name[k], sizeof job->name[k], "%.*s%s",
               (int)(snw__bare_label(segment) - segment), segment, spine_names[k]);
    def.name = job->name[k];
    def.rest.translation = job->link[k].end[0];
    def.joint.type = SNW_JOINT_UNIVERSAL;
    def.joint.axis = snw_vec3_unit(right, snw_vec3_perpendicular(bone));
    def.joint.axis2 = snw_vec3_cross(bone, def.joint.axis);
    job->def[at] = def;
    job->def[at].parent = snw__spine_joint(spine, job->joint[k]);
    snw__spine_link *link = spine->link + spine->count++;
    link->joint = at;
    link->child = at + 1;
    memcpy(link->deviation, job->link[k].deviation, sizeof link->deviation);
    for (int j = at + 1; j <= joint_count; j++)
        job->def[j].parent += job->def[j].parent >= at;
    job->def[at + 1].parent = at;
}

static snw_status divide(spine_job *job, snw__spine *spine, snw_error *error)
{
    snw_actor *actor = job->actor;
    snw_skeleton *next = NULL;
    int count = actor->skeleton->joint_count;
    for (int j = 0; j < count; j++)
        job->def[j] = snw_skeleton_joint_def(actor->skeleton, j);
    for (int k = 0; k < SNW__SPINE_LINKS; k++)
        if (job->is_divided[k]) {
            /* The frame of the segment moves to the end of its bone: all that is written in it
             * follows. */
            snw_vec3 end = job->link[k].end[1];
            int segment = job->joint[k + 1];
            for (int j = segment + 1; j < job->actor->skeleton->joint_count; j++)
                if (job->def[j].parent == segment)
                    job->def[j].rest.translation = snw_vec3_sub(job->def[j].rest.translation, end);
            for (int m = 0; m < job->actor->marker_count; m++)
                if (job->actor->marker[m].joint == segment)
                    job->actor->marker[m].offset = snw_vec3_sub(job->actor->marker[m].offset, end);
            job->def[segment].tip = snw_vec3_sub(job->def[segment].tip, end);
            /* A head ends at its top, not at a marker at its side. */
            if (k == 1)
                job->def[segment].tip =
                    snw_vec3_scale(job->upright, SNW__SPINE_VERTEX_ABOVE * job->height);
            job->def[segment].rest.translation = job->bone[k];
            /* the neck begins in the chest's frame */
            if (k == 0) job->link[1].end[0] = snw_vec3_sub(job->link[1].end[0], end);
        }
    for (int k = 0; k < SNW__SPINE_LINKS; k++)
        if (job->is_divided[k]) insert_joint(job, k, count + spine->count, spine);
    for (int m = 0; m < actor->marker_count; m++)
        actor->marker[m].joint = snw__spine_joint(spine, actor->marker[m].joint);
    snw_status status =
        snw_skeleton_create(job->def, count + spine->count, &actor->allocator, &next, error);
    if (status != SNW_OK) return status;
    snw_skeleton_destroy(actor->skeleton);
    actor->skeleton = next;
    return SNW_OK;
}

static void lay_out(void *object, snw__block *block)
{
    spine_job *job = object;
    size_t frames = (size_t)job->frame_count, markers = (size_t)job->actor->marker_count;
    size_t joints = (size_t)job->actor->skeleton->joint_count + SNW__SPINE_LINKS;
    for (int segment = 0; segment < SPINE_SEGMENTS; segment++) {
        job->pose[segment] = snw__block_take(block, frames, sizeof(snw_xform));
        job->is_posed[segment] = snw__block_take(block, frames, sizeof(bool));
    }
    job->frame = snw__block_take(block, frames, sizeof(snw__ball_link_frame));
    job->far = snw__block_take(block, frames, sizeof(double));
    job->from = snw__block_take(block, markers, sizeof(snw_vec3));
    job->to = snw__block_take(block, markers, sizeof(snw_vec3));
    job->source = snw__block_take(block, markers, sizeof(int));
    job->def = snw__block_take(block, joints, sizeof(snw_joint_def));
}

snw_status snw__spine_divide(snw_actor *actor, const snw_trial *trial, const snw_label *label,
                             snw__spine *spine, snw_error *error)
{
    spine_job job;
    snw__block block;
    memset(&job, 0, sizeof job);
    memset(spine, 0, sizeof *spine);
    job.actor = actor;
    job.trial = trial;
    job.frame_count = trial->frame_count < SPINE_FRAMES ? trial->frame_count : SPINE_FRAMES;
    snw__anatomy_begin(&job.anatomy, actor, label);
    /* Chest and pelvis must tell where they are; the head needs nothing but its markers. */
    const int parts[SPINE_SEGMENTS] = {SNW_PART_HIPS, SNW_PART_CHEST, SNW_PART_HEAD};
    for (int segment = 0; segment < SPINE_SEGMENTS; segment++)
        job.joint[segment] = job.anatomy.joint[parts[segment]][SNW_SIDE_NONE];
    bool has_chest = snw__anatomy_find_chest(&job.anatomy, &job.chest);
    bool has_pelvis = snw__anatomy_find_pelvis(&job.anatomy, &job.pelvis);
    job.is_divided[0] = has_chest && has_pelvis && hangs(&job, SPINE_CHEST);
    job.is_divided[1] = has_chest && hangs(&job, SPINE_HEAD);
    for (int k = 0; k < SNW__SPINE_LINKS; k++)
        job.is_divided[k] &= !has_joint(job.actor->skeleton, spine_names[k]);
    job.height = snw__anatomy_height(&job.anatomy);
    if (!(job.is_divided[0] || job.is_divided[1])) return SNW_OK;
    snw_status status =
        snw__block_create(&block, lay_out, &job, &actor->allocator, "dividing a spine", error);
    if (status != SNW_OK) return status;
    for (int m = 0; m < job.actor->marker_count; m++)
        job.source[m] = snw__marker_source(job.actor, job.trial, m);
    for (int f = 0; f < job.frame_count; f++) {
        int at = (int)((int64_t)f * job.trial->frame_count / job.frame_count);
        for (int segment = 0; segment < SPINE_SEGMENTS; segment++)
            job.is_posed[segment][f] =
                job.joint[segment] >= 0 &&
                fit_segment(&job, job.joint[segment], at, job.pose[segment] + f);
    }
    for (int k = 0; k < SNW__SPINE_LINKS; k++)
        fit_link(&job, k);
    if (job.is_divided[0] || job.is_divided[1]) status = divide(&job, spine, error);
    snw__block_release(&actor->allocator, &block);
    return status;
}

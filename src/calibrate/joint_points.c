/* A capture whose points are joints, as programs write them that see people without markers: the
 * tree is known, a bone is as long as the median of the distances between its ends, trunk, head,
 * hands and feet have the median shape of their points. Knees and elbows are hinges: three points
 * and a ball above always allow it. Such points are off by centimetres in every frame, and by
 * others all the time: both are stated with the joints.
 *
 * The body is laid out standing, arms down, x forward, y to the left, z up, and turned to the lab
 * by snw__actor_find_joints. */
#include "calibrate/joint_points.h"

#include <math.h>
#include <string.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/actor_joints.h"
#include "calibrate/calibrate_constants.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "person/regressions.h"
#include "rigid/sampling.h"

/* L5/S1 above and behind the middle of the hips, in distances between them: in widths of the pelvis
 * the hips' centres lie 0.361 beside, 0.278 below and 0.208 behind, L5/S1 0.126 above and 0.264
 * behind the middle of its front spines (Reed, Manary & Schneider 1999, men). */
#define POINTS_LOIN_ABOVE  (0.404 / 0.722)
#define POINTS_LOIN_BEHIND (0.056 / 0.722)

/* ---- points ---------------------------------------------------------------------------------- */

/* Every part of a body that has a point at its beginning or on it. */
enum {
    POINTS_JOINTS_MAX = 16,
    POINTS_CARRIED_MAX = 16 /* points of one head, hand or foot */
};

typedef struct points_job {
    const snw_trial *trial;
    const snw_label *label;
    snw__samples *samples;
    int marker_count;
    double *value;            /* (frame_count) */
    double *local[3];         /* (frame_count) */
    snw_actor_marker *marker; /* (marker_count) */
    double *sum2;             /* (marker_count) squared noise of the bones that end here */
    int *sum_count;           /* (marker_count) */
    int placed_count;
    int joint_count;
    snw_joint_def def[POINTS_JOINTS_MAX];
    snw_vec3 at[POINTS_JOINTS_MAX]; /* of the joint in the standing body */
    snw__block block;
} points_job;

static void lay_out(void *object, snw__block *block)
{
    points_job *job = object;
    size_t frames = (size_t)job->samples->frame_count, markers = (size_t)job->marker_count;
    job->value = snw__block_take(block, frames, sizeof(double));
    for (int i = 0; i < 3; i++)
        job->local[i] = snw__block_take(block, frames, sizeof(double));
    job->marker = snw__block_take(block, markers, sizeof *job->marker);
    job->sum2 = snw__block_take(block, markers, sizeof(double));
    job->sum_count = snw__block_take(block, markers, sizeof(int));
}

/* The point that is the beginning of a part; -1: none. */
static int point_of(const points_job *job, snw_part joint, snw_side side)
{
    for (int m = 0; m < job->marker_count; m++) {
        const snw_label *at = job->label + m;
        if (at->kind == SNW_LABEL_LANDMARK && at->spot == SNW_SPOT_CENTER && at->joint == joint &&
            at->side == side)
            return m;
    }
    return -1;
}

/* Does the part carry points that are no joint's centre? */
static bool is_carried(const points_job *job, int marker, snw_part part, snw_side side)
{
    const snw_label *at = job->label + marker;
    bool is_hand = part == SNW_PART_HAND && snw_part_parent(at->part) == SNW_PART_HAND;
    return at->kind == SNW_LABEL_LANDMARK && at->spot != SNW_SPOT_CENTER &&
           (at->part == part || is_hand) && (side == SNW_SIDE_NONE || at->side == side);
}

static bool find_point(const points_job *job, int frame, int marker, snw_vec3 *out)
{
    if (marker < 0 || !snw__samples_seen(job->samples, frame)[marker]) return false;
    *out = snw__samples_points(job->samples, frame)[marker];
    return true;
}

static void add_noise(points_job *job, int marker, double deviation)
{
    job->sum2[marker] += deviation * deviation;
    job->sum_count[marker]++;
}

/* The robust standard deviation of the values about their median. */
static double deviation_of(double *value, int count, double median)
{
    for (int n = 0; n < count; n++)
        value[n] = fabs(value[n] - median);
    /* A median distance from the median in standard deviations of the normal distribution. */
    return SNW__SIGMA_OF_MEDIAN * snw__median(value, count);
}

/* The length of the bone between two points; both get its noise. 0: never seen together. */
static double find_length(points_job *job, int a, int b)
{
    int count = 0;
    snw_vec3 from, to;
    for (int f = 0; f < job->samples->frame_count; f++)
        if (find_point(job, f, a, &from) && find_point(job, f, b, &to))
            job->value[count++] = snw_vec3_distance(from, to);
    double length = snw__median(job->value, count);
    double noise = deviation_of(job->value, count, length) / sqrt(2);
    if (count == 0) return 0;
    add_noise(job, a, noise);
    add_noise(job, b, noise);
    return length;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* A group of points that keep their shape: in every frame z goes from the origin to `top`, y lies
 * in the half plane of z and of the way from `right` to `left`. */
typedef struct points_shape {
    int origin[2]; /* the point between these; twice the same: it */
    int top[POINTS_CARRIED_MAX], top_count;
    int left, right; /* -1: the group is a line */
} points_shape;

static bool find_mean(const points_job *job, int frame, const int *marker, int count, snw_vec3 *out)
{
    snw_vec3 at, mean = {0, 0, 0};
    for (int n = 0; n < count; n++) {
        if (!find_point(job, frame, marker[n], &at)) return false;
        mean = snw_vec3_lerp(mean, at, 1.0 / (n + 1));
    }
    *out = mean;
    return count > 0;
}

static bool find_frame(const points_job *job, int frame, const points_shape *shape, snw_xform *out)
{
    snw_vec3 origin, top, left, right;
    if (!find_mean(job, frame, shape->origin, 2, &origin) ||
        !find_mean(job, frame, shape->top, shape->top_count, &top))
        return false;
    snw_vec3 z = snw_vec3_sub(top, origin), y = snw_vec3_perpendicular(z);
    if (shape->left >= 0) {
        if (!find_point(job, frame, shape->left, &left) ||
            !find_point(job, frame, shape->right, &right))
            return false;
        y = snw_vec3_sub(left, right);
    }
    snw_vec3 x = snw_vec3_cross(y, z);
    if (!(snw_vec3_length(z) > 0) || !(snw_vec3_length(x) > 0)) return false;
    z = snw_vec3_unit(z, z);
    x = snw_vec3_unit(x, x);
    snw_mat3 turn = snw_mat3_from_columns(x, snw_vec3_cross(z, x), z);
    *out = snw_xform_make(snw_quat_from_mat3(turn), origin);
    return true;
}

/* The median place of a point in the group, whose noise it gets. False: never seen with it. */
static bool find_place(points_job *job, const points_shape *shape, int marker, snw_vec3 *out)
{
    int count = 0;
    snw_vec3 at;
    snw_xform place;
    for (int f = 0; f < job->samples->frame_count; f++) {
        if (!find_point(job, f, marker, &at) || !find_frame(job, f, shape, &place)) continue;
        snw_vec3 local = snw_xform_unpoint(place, at);
        job->local[0][count] = local.x;
        job->local[1][count] = local.y;
        job->local[2][count++] = local.z;
    }
    if (count == 0) return false;
    double middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = snw__median(job->local[i], count);
        add_noise(job, marker, deviation_of(job->local[i], count, middle[i]));
    }
    /* A line has no sides. */
    *out = shape->left >= 0 ? snw_vec3_make(middle[0], middle[1], middle[2])
                            : snw_vec3_make(0, 0, middle[2]);
    return true;
}

/* ---- the body -------------------------------------------------------------------------------- */

static void put_marker(points_job *job, int marker, int joint, snw_vec3 offset)
{
    job->marker[job->placed_count++] =
        (snw_actor_marker){job->trial->marker[marker].name, joint, offset, marker};
}

static int add_joint(points_job *job, snw_part part, snw_side side, int parent, snw_vec3 at)
{
    int joint = job->joint_count++;
    snw_joint_def *def = job->def + joint;
    *def = snw_joint_def_default();
    def->name = snw_part_name(part, side);
    def->parent = parent;
    job->at[joint] = at;
    if (parent < 0) return joint;
    def->joint.type = SNW_JOINT_BALL;
    def->rest.translation = snw_vec3_sub(at, job->at[parent]);
    return joint;
}

/* A last part with all that it carries: head, hand, foot. */
static void add_end(points_job *job, snw_part part, snw_side side, int parent, snw_vec3 at)
{
    points_shape shape;
    memset(&shape, 0, sizeof shape);
    snw_side begin = part == SNW_PART_HEAD ? SNW_SIDE_NONE : side;
    shape.origin[0] = shape.origin[1] = point_of(job, part, begin);
    if (part == SNW_PART_HEAD && shape.origin[0] < 0)
        for (int s = 0; s < 2; s++)
            shape.origin[s] = point_of(job, SNW_PART_ARM, (snw_side)(SNW_SIDE_LEFT + s));
    for (int m = 0; m < job->marker_count && shape.top_count < POINTS_CARRIED_MAX; m++)
        if (is_carried(job, m, part, side)) shape.top[shape.top_count++] = m;
    /* The two points of the group that tell its turn about z best. */
    double best = 0;
    int count = shape.top_count;
    shape.left = shape.right = -1;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            double sum = 0;
            snw_vec3 origin, top, left, right;
            for (int f = 0; f < job->samples->frame_count; f++)
                if (find_mean(job, f, shape.origin, 2, &origin) &&
                    find_mean(job, f, shape.top, count, &top) &&
                    find_point(job, f, shape.top[a], &left) &&
                    find_point(job, f, shape.top[b], &right))
                    sum += snw_vec3_length(snw_vec3_cross(
                        snw_vec3_unit(snw_vec3_sub(top, origin), snw_vec3_make(0, 0, 1)),
                        snw_vec3_sub(left, right)));
            if (!(sum > best)) continue;
            best = sum;
            shape.left = shape.top[a];
            shape.right = shape.top[b];
        }
    snw_vec3 place[POINTS_CARRIED_MAX];
    bool is_known[POINTS_CARRIED_MAX] = {false}, is_any = false;
    for (int n = 0; n < shape.top_count; n++)
        is_any |= is_known[n] = find_place(job, &shape, shape.top[n], place + n);
    if (!is_any) return;
    int joint = add_joint(job, part, side, parent, at);
    snw_joint_def *def = job->def + joint;
    for (int n = 0; n < shape.top_count; n++) {
        if (!is_known[n]) continue;
        put_marker(job, shape.top[n], joint, place[n]);
        if (def->has_tip && snw_vec3_length(place[n]) < snw_vec3_length(def->tip)) continue;
        def->has_tip = true;
        def->tip = place[n];
    }
}

/* Upper part, lower part, end, from the point where the upper one begins at `at`; the bones hang
 * down. */
static void add_limb(points_job *job, const snw_part part[3], snw_side side, int parent,
                     snw_vec3 at, double bend)
{
    int from = point_of(job, part[0], side), joint = parent;
    for (int n = 1; n <= 2; n++) {
        int to = point_of(job, part[n], side);
        double length = to >= 0 ? find_length(job, from, to) : 0;
        if (!(length > 0)) return;
        joint = add_joint(job, part[n - 1], side, joint, at);
        if (n == 2) {
            snw_joint *hinge = &job->def[joint].joint;
            hinge->type = SNW_JOINT_HINGE;
            hinge->axis = snw_vec3_make(0, 1, 0);
            hinge->limit.has_range[0] = true;
            hinge->limit.range[0][0] =
                bend > 0 ? -snw_radians(SNW__KNEE_EXTENSION) : -snw_radians(SNW__ELBOW_FLEXION);
            hinge->limit.range[0][1] =
                bend > 0 ? snw_radians(SNW__ELBOW_FLEXION) : snw_radians(SNW__KNEE_EXTENSION);
        }
        snw_vec3 bone = {0, 0, -length};
        put_marker(job, to, joint, bone);
        job->def[joint].has_tip = true;
        job->def[joint].tip = bone;
        at = snw_vec3_add(at, bone);
        from = to;
    }
    add_end(job, part[2], side, joint, at);
}

/* Chest, head and arms; the chest turns about L5/S1. */
static void add_trunk(points_job *job, const points_shape *trunk, int hips, double width)
{
    static const snw_part arm[] = {SNW_PART_ARM, SNW_PART_FOREARM, SNW_PART_HAND};
    snw_vec3 loin = {-POINTS_LOIN_BEHIND * width, 0, POINTS_LOIN_ABOVE * width};
    snw_vec3 shoulder[2], neck;
    for (int s = 0; s < 2; s++)
        if (trunk->left < 0 || !find_place(job, trunk, trunk->top[s], shoulder + s)) return;
    int chest = add_joint(job, SNW_PART_CHEST, SNW_SIDE_NONE, hips, loin);
    for (int s = 0; s < 2; s++)
        put_marker(job, trunk->top[s], chest, snw_vec3_sub(shoulder[s], loin));
    neck = snw_vec3_lerp(shoulder[0], shoulder[1], 0.5);
    for (int m = 0; m < job->marker_count; m++) {
        snw_vec3 place;
        bool is_neck = m == point_of(job, SNW_PART_HEAD, SNW_SIDE_NONE);
        if (!is_neck && !is_carried(job, m, SNW_PART_CHEST, SNW_SIDE_NONE)) continue;
        if (!find_place(job, trunk, m, &place)) continue;
        put_marker(job, m, chest, snw_vec3_sub(place, loin));
        if (is_neck) neck = place;
    }
    add_end(job, SNW_PART_HEAD, SNW_SIDE_NONE, chest, neck);
    for (int s = 0; s < 2; s++)
        add_limb(job, arm, (snw_side)(SNW_SIDE_LEFT + s), chest, shoulder[s], -1);
}

static bool add_body(points_job *job)
{
    static const snw_part leg[] = {SNW_PART_UPLEG, SNW_PART_LEG, SNW_PART_FOOT};
    points_shape trunk;
    memset(&trunk, 0, sizeof trunk);
    for (int s = 0; s < 2; s++) {
        trunk.origin[s] = point_of(job, SNW_PART_UPLEG, (snw_side)(SNW_SIDE_LEFT + s));
        trunk.top[s] = point_of(job, SNW_PART_ARM, (snw_side)(SNW_SIDE_LEFT + s));
    }
    trunk.top_count = 2;
    trunk.left = trunk.top[0] >= 0 && trunk.top[1] >= 0 ? trunk.top[0] : -1;
    trunk.right = trunk.top[1];
    double width = find_length(job, trunk.origin[0], trunk.origin[1]);
    if (!(width > 0)) return false;
    int hips = add_joint(job, SNW_PART_HIPS, SNW_SIDE_NONE, -1, snw_vec3_make(0, 0, 0));
    /* A pelvis' point lies between the hips, or above them, as each program has it. */
    for (int m = 0; m < job->marker_count; m++) {
        snw_vec3 place;
        if (is_carried(job, m, SNW_PART_HIPS, SNW_SIDE_NONE) && find_place(job, &trunk, m, &place))
            put_marker(job, m, hips, place);
    }
    for (int s = 0; s < 2; s++)
        put_marker(job, trunk.origin[s], hips, snw_vec3_make(0, (s ? -0.5 : 0.5) * width, 0));
    add_trunk(job, &trunk, hips, width);
    for (int s = 0; s < 2; s++)
        add_limb(job, leg, (snw_side)(SNW_SIDE_LEFT + s), hips,
                 snw_vec3_make(0, (s ? -0.5 : 0.5) * width, 0), 1);
    return job->joint_count > 1;
}

/* ---- what is said ---------------------------------------------------------------------------- */

static snw_status make_actor(points_job *job, const snw_allocator *allocator, snw_actor **out,
                             snw_error *error)
{
    snw_skeleton *skeleton = NULL;
    snw__joint_shown shown[POINTS_JOINTS_MAX];
    /* One noise for all points, instead of their numbers: what a bone's length varies by does not
     * tell which of its ends is off, and a knee beside an ankle that is would be believed less than
     * any other point. Metres; no program's points are better, and weights stay finite. */
    double sum2 = 0;
    for (int n = 0; n < job->placed_count; n++) {
        int m = (int)job->marker[n].noise;
        double square = job->sum_count[m] ? job->sum2[m] / job->sum_count[m] : 0;
        sum2 += fmax(square, SNW__NOISE_POOR * SNW__NOISE_POOR);
    }
    double noise = sqrt(sum2 / job->placed_count);
    for (int n = 0; n < job->placed_count; n++)
        job->marker[n].noise = noise;
    const snw_actor_value value = {SNW__JOINT_POINTS_VALUE, &noise, 1};
    const snw__actor_parts parts = {job->marker, job->placed_count, &value, 1};
    memset(shown, 0, sizeof shown);
    snw_status status =
        snw_skeleton_create(job->def, job->joint_count, allocator, &skeleton, error);
    if (status == SNW_OK) status = snw__actor_assemble(skeleton, &parts, allocator, out, error);
    snw_skeleton_destroy(skeleton);
    if (status == SNW_OK) status = snw__actor_find_joints(*out, job->trial, shown, error);
    if (status == SNW_OK) {
        snw_actor *actor = *out;
        for (int j = 1; j < actor->skeleton->joint_count; j++) {
            snw_joint_estimate *estimate = actor->estimate + j;
            estimate->type = actor->skeleton->joint[j].type;
            estimate->axis = actor->skeleton->joint[j].axis;
            estimate->range = shown[j].range;
            estimate->residual = shown[j].residual;
            /* Metres. Hips and knees of three programs lie 30 to 50 mm beside those of markers,
             * always the same way; ankles less (Needham et al. 2021, Scientific Reports 11, 20673).
             */
            estimate->uncertainty = sqrt(SNW__PLACE_NEAR * SNW__PLACE_NEAR + noise * noise);
            snw__joint_estimate_judge(estimate);
        }
        return SNW_OK;
    }
    snw_actor_destroy(*out);
    *out = NULL;
    return status;
}

snw_status snw__actor_from_joints(const snw_trial *trial, const snw_label *label,
                                  const snw_allocator *allocator, snw_actor **out, snw_error *error)
{
    points_job job;
    memset(&job, 0, sizeof job);
    job.trial = trial;
    job.label = label;
    job.marker_count = trial->marker_count;
    snw_allocator memory = snw__allocator_or_default(allocator);
    *out = NULL;
    /* Frames that are looked at, as many as any calibration. */
    snw_status status =
        snw__samples_create(trial, SNW__SAMPLES_CALIBRATE, allocator, &job.samples, error);
    if (status == SNW_OK)
        status = snw__block_create(&job.block, lay_out, &job, &memory, "joints of points", error);
    if (status == SNW_OK)
        status = add_body(&job) ? make_actor(&job, allocator, out, error)
                                : snw__fail(error, SNW_DEGENERATE,
                                            "the hips and a bone below are never seen together");
    snw__block_release(&memory, &job.block);
    snw__samples_destroy(job.samples);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* A style from motions: which joints, which frames, and as how many poses each counts.
 *
 * Frames of one motion resemble each other, so that a long motion tells less than its length says:
 * with n frames of intraclass correlation rho it counts as n / (1 + (n - 1) rho) poses (the design
 * effect of cluster samples, Kish, "Survey Sampling", 1965). */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "style/style_constants.h"
#include "style/style_mixture.h"
#include <sinew/body.h>
#include <sinew/rig.h>

/* ---- style mirror ------------------------------------------------------------------------------
 */

/* The mirror image of a pose: what the left side does, done by the right.
 *
 * People move alike on both sides, so every pose tells of two. Sides are known by the joints' names
 * (sinew/rig.h); the plane goes through the root, its normal from the middle of all right joints to
 * that of all left ones at rest. With R the rest rotation of a joint in the body and W that of the
 * pose, D = W R^-1 is the joint's turn from rest, and its partner k takes the reflected turn:
 *
 *     W_k = reflect(D) R_k,   reflect(w, v) = (w, 2 n (n.v) - v),
 *
 * as axes of turns are axial vectors. */

typedef struct snw__mirror {
    const snw_skeleton *skeleton;
    snw_vec3 normal; /* of the plane, towards the left, in the body's frame */
    int *partner;    /* (joint_count) the mirror image; itself in the middle */
    snw_xform *rest; /* (joint_count) body_from_joint at rest */
} snw__mirror;

/* Takes the arrays for mirror->skeleton, as layouts do. */
static void mirror_lay_out(void *object, snw__block *block)
{
    snw__mirror *mirror = object;
    size_t joints = (size_t)mirror->skeleton->joint_count;
    mirror->partner = snw__block_take(block, joints, sizeof *mirror->partner);
    mirror->rest = snw__block_take(block, joints, sizeof *mirror->rest);
}

/* A vector in the body's frame, reflected. */
static snw_vec3 mirror_vector(const snw__mirror *mirror, snw_vec3 v)
{
    return snw_vec3_add_scaled(v, -2 * snw_vec3_dot(mirror->normal, v), mirror->normal);
}

static snw_side side_of(const snw__mirror *mirror, int joint)
{
    snw_side side;
    (void)snw_rig_part_from_name(mirror->skeleton->name[joint], &side);
    return side;
}

/* False where the body has no two sides of one shape. */
static bool mirror_plan(snw__mirror *mirror)
{
    const snw_skeleton *body = mirror->skeleton;
    for (int j = 0; j < body->joint_count; j++)
        mirror->rest[j] =
            j == 0 ? body->rest[0] : snw_xform_mul(mirror->rest[body->parent[j]], body->rest[j]);
    snw_vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
    int count[2] = {0, 0};
    for (int j = 0; j < mirror->skeleton->joint_count; j++) {
        snw_side side = side_of(mirror, j);
        if (side == SNW_SIDE_NONE) continue;
        int s = side == SNW_SIDE_RIGHT;
        sum[s] = snw_vec3_add(sum[s], mirror->rest[j].translation);
        count[s]++;
    }
    snw_vec3 across = snw_vec3_sub(sum[0], sum[1]);
    if (count[0] == 0 || count[0] != count[1] || !(snw_vec3_length(across) > 0)) return false;
    mirror->normal = snw_vec3_unit(across, mirror->normal);

    for (int j = 0; j < mirror->skeleton->joint_count; j++) {
        /* The joint of the other side under the parent's partner that is nearest to the mirror
         * image and not taken; -1: there is none within the tolerance. */
        snw_side side = side_of(mirror, j);
        snw_vec3 origin = mirror->rest[0].translation;
        snw_vec3 image = snw_vec3_sub(mirror->rest[j].translation, origin);
        image = snw_vec3_add(origin, mirror_vector(mirror, image));
        double least = MIRROR_TOLERANCE * body->size;
        int found = -1;
        for (int k = 0; k < body->joint_count; k++) {
            snw_side other = side_of(mirror, k);
            bool is_other =
                side == SNW_SIDE_NONE ? k == j : other != SNW_SIDE_NONE && other != side;
            bool is_below =
                j == 0 ? k == 0 : k > 0 && body->parent[k] == mirror->partner[body->parent[j]];
            double away = snw_vec3_distance(mirror->rest[k].translation, image);
            if (!is_other || !is_below || !(away < least)) continue;
            if (body->joint[k].type != body->joint[j].type) continue;
            for (int i = 0; i < j; i++)
                is_other &= mirror->partner[i] != k;
            if (!is_other) continue;
            least = away;
            found = k;
        }
        mirror->partner[j] = found;
        if (mirror->partner[j] < 0) return false;
    }
    return true;
}

/* The image stands where the pose stands: roots are the same. world of both is filled. */
static void mirror_pose(const snw__mirror *mirror, snw_pose *pose, snw_pose *image)
{
    const snw_skeleton *body = mirror->skeleton;
    snw_xform root = pose->root;
    pose->root = image->root = snw_xform_identity();
    snw_pose_forward(pose);
    for (int j = 0; j < body->joint_count; j++) {
        int k = mirror->partner[j], above = body->parent[k];
        snw_quat turn =
            snw_quat_mul(pose->world[j].rotation, snw_quat_conjugate(mirror->rest[j].rotation));
        snw_vec3 v = mirror_vector(mirror, snw_vec3_make(turn.x, turn.y, turn.z));
        snw_quat world =
            snw_quat_mul(snw_quat_make(turn.w, -v.x, -v.y, -v.z), mirror->rest[k].rotation);
        snw_quat before = body->rest[k].rotation, other = body->rest[j].rotation;
        if (above >= 0) {
            before = snw_quat_mul(image->world[above].rotation, before);
            other = snw_quat_mul(pose->world[body->parent[j]].rotation, other);
        }
        image->rotation[k] = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(before), world));
        image->slide[k] = snw_quat_unrotate(
            before, mirror_vector(mirror, snw_quat_rotate(other, pose->slide[j])));
        image->world[k].rotation = world;
    }
    pose->root = image->root = root;
    snw_pose_forward(pose);
    snw_pose_forward(image);
}

snw_style_options snw_style_options_default(void)
{
    snw_style_options options = {.component_count = 12,
                                 .dimension_count = 12,
                                 .rate = 20,
                                 .iteration_max = 100,
                                 .shrinkage = 30,
                                 .seed = 1,
                                 .likeness = 0.02,
                                 .is_mirrored = true,
                                 .up = {0, 1, 0}};
    return options;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Everything a style is learned from. */
typedef struct style_source {
    const snw_motion *const *motions;
    int motion_count;
    const snw_style_options *options;
    snw_style draft; /* joints that all motions have */
    int *joint_of;   /* (joint_count of the first skeleton) */
    bool *is_kept;   /* (the same) the joint moves */
    snw__mixture study;
    size_t names;
    int mirrored_count;
} style_source;

static int stride_of(const snw_motion *motion, double rate)
{
    double stride = floor(motion->rate / rate + 0.5);
    return stride < 1 ? 1 : stride > 1e6 ? 1000000 : (int)stride;
}

/* Fills draft.joint where there is room for it; returns how many. */
static void draft_joints(style_source *source)
{
    const snw_skeleton *skeleton = source->motions[0]->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_joint_type type = snw__style_type(skeleton->joint[j].type);
        bool is_everywhere = type != SNW_JOINT_FIXED;
        for (int m = 0; m < source->motion_count && is_everywhere; m++) {
            const snw_skeleton *other = source->motions[m]->skeleton;
            int k = snw_skeleton_find_joint(other, skeleton->name[j]);
            is_everywhere = k >= 0 && snw__style_type(other->joint[k].type) == type;
        }
        if (!is_everywhere) continue;
        snw_style_joint *joint = &source->draft.joint[source->draft.joint_count++];
        joint->name = skeleton->name[j];
        joint->type = type;
        /* The bone: to the first child, or the tip, or the joint's axis. */
        int child = skeleton->first_child[j];
        snw_vec3 to = skeleton->has_tip[j] ? skeleton->tip[j] : snw_vec3_make(0, 0, 0);
        if (child >= 0 && snw_vec3_length(skeleton->rest[child].translation) > 0)
            to = skeleton->rest[child].translation;
        joint->axis = snw_vec3_unit(to, skeleton->joint[j].axis);
        joint->axis2 = snw_vec3_perpendicular(joint->axis);
        joint->first = source->draft.feature_count;
        source->draft.feature_count += snw_joint_type_dof(type);
    }
    source->draft.has_lean = snw_vec3_length(source->options->up) > 0;
    source->draft.up = snw_vec3_unit(source->options->up, source->draft.up);
    if (source->draft.has_lean) source->draft.feature_count += 3;
}

static void draft_lay_out(void *object, snw__block *block)
{
    style_source *source = object;
    size_t joints = (size_t)source->motions[0]->skeleton->joint_count;
    source->draft.joint = snw__block_take(block, joints, sizeof *source->draft.joint);
    source->joint_of = snw__block_take(block, joints, sizeof *source->joint_of);
    source->is_kept = snw__block_take(block, joints, sizeof *source->is_kept);
}

/* The next row of study.x. */
static double *put_features(style_source *source, const snw_pose *pose)
{
    int width = source->draft.feature_count;
    double *x = source->study.x + (size_t)source->study.frames++ * (size_t)width;
    snw_style_features(&source->draft, source->joint_of, pose, x);
    for (int k = 0; k < width; k++)
        if (!isfinite(x[k])) x[k] = 0;
    return x;
}

static void put_frames(style_source *source, const snw_motion *motion, const snw__mirror *mirror,
                       snw_pose *const pose[2])
{
    int first = source->study.frames;
    for (int f = 0; f < motion->frame_count; f += stride_of(motion, source->options->rate)) {
        snw_motion_get(motion, f, pose[0]);
        const double *x = put_features(source, pose[0]);
        if (!mirror) continue;
        mirror_pose(mirror, pose[0], pose[1]);
        double *image = put_features(source, pose[1]);
        source->mirrored_count++;
        if (!source->draft.has_lean) continue;
        int lean = source->draft.feature_count - 3;
        snw_vec3 up = mirror_vector(mirror, snw_vec3_make(x[lean], x[lean + 1], x[lean + 2]));
        image[lean] = up.x;
        image[lean + 1] = up.y;
        image[lean + 2] = up.z;
    }
    int count = source->study.frames - first;
    for (int f = first; f < source->study.frames; f++)
        source->study.count[f] = 1 / (1 + (count - 1) * source->options->likeness);
}

static snw_status read_motion(style_source *source, const snw_motion *motion,
                              const snw_allocator *allocator, snw_error *error)
{
    snw__mirror mirror = {.skeleton = motion->skeleton};
    snw__block block;
    snw_pose *pose[2] = {NULL, NULL};
    snw_status status = snw__block_create(&block, mirror_lay_out, &mirror, allocator,
                                          "the mirror image of a body", error);
    if (status != SNW_OK) return status;
    bool is_mirrored = source->options->is_mirrored && mirror_plan(&mirror);
    for (int k = 0; k < 2 && status == SNW_OK; k++)
        status = snw_pose_create(motion->skeleton, allocator, &pose[k], error);
    if (status == SNW_OK) {
        (void)snw_style_match(&source->draft, motion->skeleton, source->joint_of);
        put_frames(source, motion, is_mirrored ? &mirror : NULL, pose);
    }
    snw_pose_destroy(pose[0]);
    snw_pose_destroy(pose[1]);
    snw__block_release(allocator, &block);
    return status;
}

/* Joints whose features vary; the others' columns are taken out. */
static void keep_moving(style_source *source)
{
    snw__mixture *study = &source->study;
    int width = source->draft.feature_count, kept = 0, lean = source->draft.has_lean ? 3 : 0;
    source->names = 0;
    for (int s = 0; s < source->draft.joint_count; s++) {
        const snw_style_joint *joint = &source->draft.joint[s];
        double variance = 0;
        for (int k = joint->first; k < joint->first + snw_joint_type_dof(joint->type); k++) {
            double sum = 0, square = 0;
            for (int f = 0; f < study->frames; f++)
                sum += study->x[(size_t)f * (size_t)width + (size_t)k] / study->frames;
            for (int f = 0; f < study->frames; f++) {
                double d = study->x[(size_t)f * (size_t)width + (size_t)k] - sum;
                square += d * d / study->frames;
            }
            variance += square;
        }
        source->is_kept[s] = variance > STYLE_STILL * STYLE_STILL;
        if (!source->is_kept[s]) continue;
        kept += snw_joint_type_dof(joint->type);
        source->names += strlen(joint->name) + 1;
    }
    for (int f = 0; f < study->frames; f++) {
        int to = 0;
        for (int s = 0; s < source->draft.joint_count; s++)
            for (int k = 0; k < snw_joint_type_dof(source->draft.joint[s].type); k++)
                if (source->is_kept[s])
                    study->x[(size_t)f * (size_t)(kept + lean) + (size_t)to++] =
                        study->x[(size_t)f * (size_t)width +
                                 (size_t)(source->draft.joint[s].first + k)];
        for (int k = width - lean; k < width; k++)
            study->x[(size_t)f * (size_t)(kept + lean) + (size_t)to++] =
                study->x[(size_t)f * (size_t)width + (size_t)k];
    }
    study->features = kept > 0 ? kept + lean : 0;
}

static snw_status learn(style_source *source, const snw_allocator *allocator, snw_style **out,
                        snw_style_report *report, snw_error *error)
{
    snw__mixture *study = &source->study;
    char *names = NULL;
    snw_status status = SNW_OK;
    double sum = 0;
    /* All features of all frames into study.x, and as how many poses they count. */
    study->frames = 0;
    for (int m = 0; m < source->motion_count && status == SNW_OK; m++)
        status = read_motion(source, source->motions[m], allocator, error);
    if (status != SNW_OK) return status;
    for (int f = 0; f < study->frames; f++)
        sum += study->count[f];
    for (int f = 0; f < study->frames; f++)
        study->count[f] *= study->frames / sum;
    keep_moving(source);
    if (study->features == 0)
        return snw__fail(error, SNW_DEGENERATE, "no joint moves in what is to be learned");
    int joints = 0;
    for (int s = 0; s < source->draft.joint_count; s++)
        joints += source->is_kept[s];
    if (study->dimensions > study->features - 1) study->dimensions = study->features - 1;
    int most = study->frames / (STYLE_FRAMES_EACH * (study->dimensions + 1));
    if (study->components > most) study->components = most > 1 ? most : 1;
    snw_style counts = {.joint_count = joints,
                        .feature_count = study->features,
                        .component_count = study->components,
                        .dimension_count = study->dimensions,
                        .has_lean = source->draft.has_lean,
                        .up = source->draft.up};
    status = snw__style_create(&counts, source->names, allocator, out, &names, error);
    if (status != SNW_OK) return status;
    char *at = names;
    int first = 0, to = 0;
    for (int s = 0; s < source->draft.joint_count; s++) {
        if (!source->is_kept[s]) continue;
        snw_style_joint *joint = &(*out)->joint[to++];
        *joint = source->draft.joint[s];
        joint->first = first;
        first += snw_joint_type_dof(joint->type);
        size_t size = strlen(joint->name) + 1;
        memcpy(at, joint->name, size);
        joint->name = at;
        at += size;
    }
    study->style = *out;
    status = snw__mixture_fit(study, source->options, report);
    report->mirrored_count = source->mirrored_count;
    if (status != SNW_OK)
        return snw__fail(error, status, "the principal components of the motions were not found");
    return SNW_OK;
}

static snw_status check_learning(const snw_motion *const *motions, int motion_count,
                                 const snw_style_options *o, snw_error *error)
{
    const snw__bounds bounds[] = {
        {"component_count of a style", o->component_count, 1, SNW_STYLE_COMPONENT_MAX},
        {"dimension_count of a style", o->dimension_count, 1, SNW_STYLE_DIMENSION_MAX},
        {"rate of a style", o->rate, 1e-6, 1e6},
        {"iteration_max of a style", o->iteration_max, 0, 1000000},
        {"shrinkage of a style", o->shrinkage, 0, 1e9},
        {"likeness of a style", o->likeness, 0, 1},
        {"up.x of a style", o->up.x, -1e6, 1e6},
        {"up.y of a style", o->up.y, -1e6, 1e6},
        {"up.z of a style", o->up.z, -1e6, 1e6},
    };
    if (!motions || motion_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a style is learned from one motion or more");
    for (int m = 0; m < motion_count; m++)
        if (!motions[m]) return snw__fail(error, SNW_INVALID_ARGUMENT, "motion %d is NULL", m);
    return snw__check_bounds(bounds, (int)(sizeof bounds / sizeof *bounds), error);
}

snw_status snw_style_learn(const snw_motion *const *motions, int motion_count,
                           const snw_style_options *options, const snw_allocator *allocator,
                           snw_style **out, snw_error *error)
{
    snw_style_options defaults = snw_style_options_default();
    snw_style_report own;
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a style needs a place to be put");
    *out = NULL;
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    snw_status status = check_learning(motions, motion_count, options, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    style_source source = {.motions = motions, .motion_count = motion_count, .options = options};
    int64_t frames = 0;
    for (int m = 0; m < source.motion_count; m++) {
        int stride = stride_of(source.motions[m], source.options->rate);
        frames += (source.motions[m]->frame_count + stride - 1) / stride;
    }
    if (frames < 2 || frames > INT32_MAX / 8)
        return snw__fail(error, SNW_DEGENERATE, "%lld frames are %s to learn from",
                         (long long)frames, frames < 2 ? "too few" : "too many");
    snw__block draft, block = {NULL, 0, 0};
    status =
        snw__block_create(&draft, draft_lay_out, &source, &memory, "the joints of a style", error);
    if (status != SNW_OK) return status;
    draft_joints(&source);
    source.study = (snw__mixture){.frames = (int)frames * (options->is_mirrored ? 2 : 1),
                                  .features = source.draft.feature_count,
                                  .components = options->component_count,
                                  .dimensions = options->dimension_count,
                                  .shrinkage = options->shrinkage};
    status = snw__block_create(&block, snw__mixture_lay_out, &source.study, &memory,
                               "the frames of a style", error);
    if (status == SNW_OK)
        status = learn(&source, &memory, out, options->report ? options->report : &own, error);
    snw__block_release(&memory, &block);
    snw__block_release(&memory, &draft);
    if (status == SNW_OK) return snw__succeed(error);
    snw_style_destroy(*out);
    *out = NULL;
    return status;
}

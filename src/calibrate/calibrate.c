/* The calibrated actor: tree, joint centres and marker offsets put together as a skeleton.
 *
 * Joint frames lie at the joint centres and are parallel to the lab in one frame of the trial,
 * which so becomes the rest pose: offsets can be read, and a BVH shows a person, not a heap. */
#include <string.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "calibrate/actor_joints.h"
#include "calibrate/body_names.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/calibration.h"
#include "calibrate/joint_candidate.h"
#include "calibrate/joint_estimate.h"
#include "calibrate/joint_points.h"
#include "calibrate/joint_tree.h"
#include "calibrate/refine.h"
#include "calibrate/skin_slide.h"
#include "calibrate/spine.h"
#include "calibrate/still.h"
#include "calibrate/tree_method.h"
#include "center/center.h"
#include "label/bone_name.h"
#include "label/label_grammar.h"
#include "math/kernel.h"
#include "person/movement.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"
#include "segment/segment_methods.h"

/* ---- rest pose ---------------------------------------------------------------------------- */

typedef struct actor_build {
    const snw__samples *samples;
    const snw__rigids *rigids;
    const snw_segments *segments;
    const snw__joint_tree *tree;
    const snw_label *trial_label;     /* (marker_count) */
    const snw__joint_markers *given;  /* (segment_count) markers on the joints */
    bool is_final;                    /* joints stay where a method put them */
    snw_xform *segment_from_joint;    /* (segment_count) */
    int *joint_of;                    /* (segment_count) index in the skeleton, or -1 */
    snw_joint_def *def;               /* (segment_count) */
    snw__joint_shown *shown;          /* (segment_count + SNW__SPINE_LINKS) of the actor's joints */
    bool *is_rigid;                   /* (segment_count) of joint n: markers keep their shape */
    double *chi;                      /* (segment_count) of joint n, for refine.h */
    double *slip;                     /* (segment_count) of joint n, for refine.h */
    snw__refine_judgement *judged;    /* (segment_count) of joint n */
    snw__skin_slide *slide;           /* (segment_count) of joint n */
    double *work;                     /* (segment_count) */
    snw_label *marker_label;          /* (marker_count) of the actor's markers */
    snw__label_name *label;           /* (segment_count) what the segments are called */
    char (*name)[SNW_LABEL_SIZE + 8]; /* (segment_count) of joint n */
    snw_actor_marker *marker;         /* (marker_count of the segments) */
    snw__spine spine;                 /* joints that no segment hangs from by itself */
    const snw_trial *still;           /* the person standing; NULL */
} actor_build;

/* The frame nearest to `frame` that shows both segments; -1 if none does. */
static int nearest_common(const snw__rigid *a, const snw__rigid *b, int frame_count, int frame)
{
    for (int away = 0; away < frame_count; away++)
        for (int side = -1; side <= 1; side += 2) {
            int at = frame + side * away;
            if (at < 0 || at >= frame_count) continue;
            if (a->pose[at].seen_count > 0 && b->pose[at].seen_count > 0) return at;
        }
    return -1;
}

static snw_quat rest_turn(const actor_build *build, int segment, int frame)
{
    const snw__rigid *rigid = build->rigids->segment + segment;
    if (rigid->pose[frame].seen_count > 0)
        return snw_quat_conjugate(rigid->pose[frame].world_from_segment.rotation);
    int up = build->tree->parent[segment];
    if (up < 0) return snw_quat_identity();
    const snw__rigid *parent = build->rigids->segment + up;
    int at = nearest_common(rigid, parent, build->samples->frame_count, frame);
    if (at < 0) return snw_quat_identity();
    snw_quat world_from_parent = snw_quat_mul(parent->pose[at].world_from_segment.rotation,
                                              build->segment_from_joint[up].rotation);
    return snw_quat_mul(snw_quat_conjugate(rigid->pose[at].world_from_segment.rotation),
                        world_from_parent);
}

/* ---- skeleton ----------------------------------------------------------------------------- */

/* Do the segment's markers move on it smoothly, as skin does? Labels of marker sets say so too:
 * there is a person below them. */
static bool moves_on_skin(const actor_build *build, int segment)
{
    const snw__rigid *rigid = build->rigids->segment + segment;
    for (int m = 0; m < rigid->own_count; m++)
        if (build->trial_label[rigid->marker[m]].landmark >= 0) return true;
    return snw__rigid_has_rotation(rigid) &&
           snw__segment_correlation(build->samples, rigid) > ACTOR_CORRELATION;
}

/* Between pelvis, chest, head and arms lie vertebrae and collar bones. Where these have no marker
 * no single centre need be there: two segments that are well seen and whose centres differ by more
 * than noise and skin explain are left free of each other, else what the spine bends would drag the
 * pelvis and, with it, the hips. Limbs have no such bones: there a misfit is a fault, and stays.
 * What bends counts from where it is as much as noise: the misfit's variance is twice the noise's
 * (ten motions of nine people, each person left out: 1.2 of 1.2, 1.5, 2 and 3 times the noise is
 * best, and 1.5 within 3 % of it). */
static bool hides_bones(const actor_build *build, int segment)
{
    int up = build->tree->parent[segment];
    const snw__rigid *rigid = build->rigids->segment;
    if (up < 0 || build->is_final || rigid[segment].own_count < SNW__FRAME_POINTS ||
        rigid[up].own_count < SNW__FRAME_POINTS || moves_on_skin(build, segment) ||
        moves_on_skin(build, up))
        return false;
    snw__bone above, bone;
    return snw__bone_read(build->label[up], &above) && above.chain == SNW__BONE_TRUNK &&
           snw__bone_read(build->label[segment], &bone) &&
           (bone.chain == SNW__BONE_TRUNK || bone.chain == SNW__BONE_ARM) &&
           build->tree->pair[segment].chi * build->tree->pair[segment].chi > SNW__RESERVE;
}

static snw_status make_skeleton(actor_build *build, snw_actor *actor, snw_error *error)
{
    const snw__joint_tree *tree = build->tree;
    for (int n = 0; n < tree->joined_count; n++) {
        int l = tree->order[n], up = tree->parent[l];
        snw_joint_def *def = build->def + n;
        *def = snw_joint_def_default();
        /* Names of segments, made unique by a number. */
        const char *name = build->label[build->tree->order[n]];
        snw_format(build->name[n], sizeof build->name[n], "%s", name);
        for (int k = 0, copy = 2; k < n; k++)
            if (strcmp(build->name[k], build->name[n]) == 0) {
                snw_format(build->name[n], sizeof build->name[n], "%s_%d", name, copy++);
                k = -1;
            }
        build->def[n].name = build->name[n];
        def->parent = up >= 0 ? build->joint_of[up] : -1;
        if (n > 0) {
            def->joint.type = hides_bones(build, l) ? SNW_JOINT_FREE : SNW_JOINT_BALL;
            def->rest.translation =
                snw_xform_unpoint(build->segment_from_joint[up], tree->pair[l].in_first);
        }
        bool is_last = true;
        for (int k = n + 1; k < tree->joined_count; k++)
            is_last &= tree->parent[tree->order[k]] != l;
        if (is_last) {
            /* A last segment ends at its marker farthest from the joint. */
            const snw__rigid *rigid = build->rigids->segment + l;
            double farthest = 0;
            for (int m = 0; m < rigid->own_count; m++) {
                snw_vec3 offset = snw_xform_unpoint(build->segment_from_joint[l], rigid->shape[m]);
                if (snw_vec3_length(offset) <= farthest) continue;
                farthest = snw_vec3_length(offset);
                def->tip = offset;
                def->has_tip = true;
            }
        }
    }
    return snw_skeleton_create(build->def, tree->joined_count, &actor->allocator, &actor->skeleton,
                               error);
}

/* Was the marker seen in any frame that was looked at? */
static bool is_sampled(const snw__samples *samples, int marker)
{
    for (int k = 0; k < samples->frame_count; k++)
        if (snw__samples_seen(samples, k)[marker]) return true;
    return false;
}

/* Where the markers sit; returns how many there are. */
static int place_markers(const actor_build *build, const snw_trial *trial)
{
    int at = 0;
    for (int n = 0; n < build->tree->joined_count; n++) {
        int l = build->tree->order[n];
        const snw__rigid *rigid = build->rigids->segment + l;
        for (int m = 0; m < rigid->own_count; m++) {
            if (!is_sampled(build->samples, rigid->marker[m])) continue;
            build->marker_label[at] = build->trial_label[rigid->marker[m]];
            snw_actor_marker *marker = build->marker + at++;
            marker->name = trial->marker[rigid->marker[m]].name;
            marker->joint = n;
            marker->offset = snw_xform_unpoint(build->segment_from_joint[l], rigid->shape[m]);
            marker->noise = rigid->noise;
        }
    }
    return at;
}

/* ---- estimates ----------------------------------------------------------------------------- */

/* Do the segments of joint n differ by more than noise where one joint should hold them? */
static bool is_soft(const actor_build *build, int n)
{
    return n > 0 && build->def[n].joint.type != SNW_JOINT_FREE &&
           build->tree->pair[build->tree->order[n]].chi > SNW__RESERVE;
}

/* Are errors independent from frame to frame? Not where segments move beyond their noise, and not
 * on skin; a pair or two that the noise has led astray say nothing about the others. */
static bool is_white(const actor_build *build)
{
    int soft = 0, segments = build->tree->joined_count;
    for (int n = 0; n < segments; n++) {
        int l = build->tree->order[n];
        soft += is_soft(build, n) || moves_on_skin(build, l);
    }
    return 4 * soft < segments;
}

/* Metres: how far skin moves the markers of a segment; 0: errors are white. */
static double skin_of(const actor_build *build, int segment)
{
    return moves_on_skin(build, segment) ? build->rigids->segment[segment].noise : 0;
}

/* Does nothing hang from the segment? */
static bool is_end(const actor_build *build, int segment)
{
    for (int n = 1; n < build->tree->joined_count; n++)
        if (build->tree->parent[build->tree->order[n]] == segment) return false;
    return true;
}

/* Metres: what the turn of the bone above a joint leaves open of the joint's place where one marker
 * shows that bone; else 0. Bones turn about the line to the marker, and no joint is farther from
 * the line than from the marker. */
static double open_by_turn(const snw_actor *actor, int joint)
{
    double open = 0;
    for (int m = 0, count = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != actor->skeleton->parent[joint]) continue;
        snw_vec3 place = actor->skeleton->rest[joint].translation;
        open = count++ ? 0
                       : fmin(snw_vec3_length(place) * ESTIMATE_TURN,
                              snw_vec3_distance(place, actor->marker[m].offset));
        if (count > 1) break;
    }
    return open;
}

static void set_estimates(const actor_build *build, snw_actor *actor)
{
    /* How far skin slides with each joint, seen together with the others. */
    int count = build->tree->joined_count;
    for (int n = 1; n < count; n++) {
        int l = build->tree->order[n];
        build->slide[n] =
            snw__skin_slide_find(build->samples, build->rigids->segment + build->tree->parent[l],
                                 build->rigids->segment + l);
    }
    snw__skin_slide_pool(build->slide + 1, count - 1, build->work);
    for (int n = 1; n < build->tree->joined_count; n++) {
        int l = build->tree->order[n], joint = build->joint_of[l];
        snw_joint_estimate *estimate = actor->estimate + joint;
        const snw__rigid *segment_of = build->rigids->segment;
        int up = build->tree->parent[l];
        int own = segment_of[l].own_count, above = segment_of[up].own_count;
        snw__joint_evidence evidence = {build->tree->pair + l,
                                        build->shown + joint,
                                        own < above ? own : above,
                                        own < 3 && above < 3 && is_end(build, l),
                                        build->judged[n].is_expected ||
                                            snw__joint_markers_is_model(build->given + l),
                                        fmax(skin_of(build, l), skin_of(build, up)),
                                        build->slide[n].slope,
                                        open_by_turn(actor, joint)};
        snw__joint_estimate_make(&evidence, actor->skeleton->joint + joint, estimate);
        const snw__alternative *alternative = build->tree->alternative + l;
        if (!snw__alternative_is_near(alternative)) continue;
        int segment = build->joint_of[alternative->segment];
        const char *const *name = actor->skeleton->name;
        estimate->alternative = build->joint_of[alternative->neighbour];
        snw__joint_estimate_add_alternative(estimate, segment == joint ? NULL : name[segment],
                                            name[estimate->alternative]);
    }
    for (int k = 0; k < build->spine.count; k++)
        for (int end = 0; end < 2; end++) {
            const snw__spine_link *link = build->spine.link + k;
            int joint = end == 0 ? link->joint : link->child;
            snw__joint_estimate_place(actor->skeleton->joint + joint, build->shown + joint,
                                      link->deviation[end], actor->estimate + joint);
        }
}

/* The joints of a person's spine that no segment shows; numbers of joints change. */
static snw_status divide_spine(actor_build *build, snw_actor *actor, const snw_trial *trial,
                               snw_error *error)
{
    snw_status status = snw__spine_divide(actor, trial, build->marker_label, &build->spine, error);
    for (int l = 0; l < build->segments->segment_count && status == SNW_OK; l++)
        build->joint_of[l] = snw__spine_joint(&build->spine, build->joint_of[l]);
    return status;
}

/* What the pairs left over, for joints that the whole body never shows. */
static void start_residuals(actor_build *build)
{
    for (int n = 0; n < build->tree->joined_count; n++)
        build->shown[build->joint_of[build->tree->order[n]]].residual =
            build->tree->pair[build->tree->order[n]].residual;
}

/* Segments that are not of this body, of one kind. */
typedef struct actor_others {
    int segments, markers, first;
} actor_others;

static void count_segment(actor_others *others, const actor_build *build, int segment)
{
    if (others->segments++ == 0) others->first = segment;
    others->markers += build->segments->segment[segment].marker_count;
}

static void note_left_out(const actor_build *build, int part, snw_notes *notes)
{
    const snw__joint_tree *tree = build->tree;
    if (tree->actor_count >= 2) {
        actor_others others = {0, 0, 0};
        for (int l = 0; l < build->segments->segment_count; l++)
            if (tree->body[l] >= 0 && tree->body[l] != part && tree->body[l] < tree->actor_count)
                count_segment(&others, build, l);
        const char *name = build->segments->segment[others.first].name;
        snw__note(notes, SNW_NOTE_ACTORS, snw__at_name(others.first, name),
                  "the capture holds %d bodies: this is number %d of %d segments; %d segments (%d "
                  "markers, the first is %s) are of %s",
                  tree->actor_count, part + 1, tree->joined_count, others.segments, others.markers,
                  name, tree->actor_count == 2 ? "the other" : "the others");
    }
    /* Single segments that belong to no actor: what stands still is an object. */
    for (int l = 0; l < build->segments->segment_count; l++) {
        const snw_segment *segment = build->segments->segment + l;
        if (tree->body[l] < tree->actor_count || !tree->is_still[l]) continue;
        snw__note(notes, SNW_NOTE_OBJECT, snw__at_name(l, segment->name),
                  "%s (%d markers) stands still beside the body: an object, left out of it",
                  segment->name, segment->marker_count);
    }
    actor_others others = {0, 0, 0};
    for (int l = 0; l < build->segments->segment_count; l++) {
        bool is_told = tree->body[l] >= 0 && (tree->body[l] < tree->actor_count ||
                                              (tree->is_still[l] && tree->body[l] != part));
        if (tree->parent[l] == SNW_TREE_FREE && !is_told) count_segment(&others, build, l);
    }
    const char *name = build->segments->segment[others.first].name;
    if (others.segments)
        snw__note(notes, SNW_NOTE_SEGMENTS_APART, snw__at_name(others.first, name),
                  "%d segment%s (%d %s, the first is %s) could not be joined: a body of its own, "
                  "or seen too little",
                  others.segments, others.segments == 1 ? "" : "s", others.markers,
                  snw__plural(others.markers, "marker", "markers"), name);
}

/* ---- putting it together ------------------------------------------------------------------ */

static void lay_out_build(void *object, snw__block *block)
{
    actor_build *build = object;
    size_t n = (size_t)build->segments->segment_count;
    build->segment_from_joint = snw__block_take(block, n, sizeof(snw_xform));
    build->joint_of = snw__block_take(block, n, sizeof(int));
    build->def = snw__block_take(block, n, sizeof(snw_joint_def));
    build->shown = snw__block_take(block, n + SNW__SPINE_LINKS, sizeof(snw__joint_shown));
    build->is_rigid = snw__block_take(block, n, sizeof(bool));
    build->slip = snw__block_take(block, n, sizeof(double));
    build->chi = snw__block_take(block, n, sizeof(double));
    build->judged = snw__block_take(block, n, sizeof(snw__refine_judgement));
    build->slide = snw__block_take(block, n, sizeof(snw__skin_slide));
    build->work = snw__block_take(block, n, sizeof(double));
    build->label = snw__block_take(block, n, sizeof(snw__label_name));
    build->name = snw__block_take(block, n, sizeof *build->name);
    build->marker =
        snw__block_take(block, (size_t)build->segments->marker_count, sizeof(snw_actor_marker));
    build->marker_label =
        snw__block_take(block, (size_t)build->segments->marker_count, sizeof(snw_label));
}

/* Are joints alone enough? White noise on rigid segments with three markers and more is dealt with
 * by the pairs; underdetermined segments, skin, and anatomy that labels tell need the whole body.
 */
static bool needs_whole_body(const actor_build *build)
{
    bool needs = false;
    for (int n = 0; n < build->tree->joined_count; n++) {
        int l = build->tree->order[n];
        build->is_rigid[n] = build->rigids->segment[l].marker_count >= 3;
        needs |= !build->is_rigid[n] || is_soft(build, n);
        for (int m = 0; m < build->rigids->segment[l].own_count; m++)
            needs |= build->trial_label[build->rigids->segment[l].marker[m]].spot != SNW_SPOT_BODY;
        /* The whole body, and what is known of any person, help where a pair leaves a joint open.
         */
        needs |= n > 0 && build->tree->pair[l].deviation[1] > ACTOR_OPEN;
    }
    return needs;
}

/* What skin may have moved: between segments that have poses by markers of their own. More than
 * skin moves is a wrong label, and tells nothing. */
static void take_slips(actor_build *build)
{
    const snw__rigid *segment = build->rigids->segment;
    for (int n = 0; n < build->tree->joined_count; n++) {
        int l = build->tree->order[n], up = build->tree->parent[l];
        bool is_pair = n > 0 && segment[l].own_count >= 3 && segment[up].own_count >= 3;
        double slip = is_pair ? build->tree->pair[l].residual : 0;
        /* Metres, rms. Skin slides by 10 to 30 mm on thighs, less elsewhere (Leardini, Chiari,
         * Della Croce & Cappozzo 2005). */
        build->slip[n] = slip < SNW__SKIN_MAX ? slip : 0;
        build->chi[n] = is_pair ? build->tree->pair[l].chi : 1;
    }
}

/* What the whole body knows about its joints replaces what a pair of segments knew; of joints that
 * hardly turned, in directions that the pair left open, if a person's bones are weighed against it;
 * where both segments turn by themselves, the pair knows better how far, and how much its answer
 * varies over the trial, which counts unless anatomy has its say. */
static void take_judgement(const actor_build *build)
{
    for (int n = 1; n < build->tree->joined_count; n++) {
        int l = build->tree->order[n], up = build->joint_of[build->tree->parent[l]];
        const snw__refine_judgement *judged = build->judged + n;
        snw__segment_pair *pair = build->tree->pair + l;
        bool is_rigid = build->is_rigid[n] && build->is_rigid[up];
        if (judged->deviation[0] < 0) continue;
        /* Radians, 15 degrees as in verdicts: joints that turned less hardly moved. */
        bool is_calm = is_rigid && judged->is_whole && pair->range < SNW__HARDLY_TURNED;
        /* Metres: directions in which a pair of segments tells its centre better keep what the pair
         * says of it, as different stretches of the trial do. */
        for (int k = 0; k < 3 && is_calm; k++)
            if (pair->deviation[k] > SNW__SKIN) pair->deviation[k] = judged->deviation[k];
        if (!is_rigid || judged->is_expected) {
            memcpy(pair->deviation, judged->deviation, sizeof pair->deviation);
            pair->scatter = 0;
        }
        if (!is_rigid) pair->range = judged->range;
    }
}

/* Names that the segments have, or else names by their place in the body. */
static snw_status name_segments(actor_build *build, snw_notes *notes, snw_error *error)
{
    if (!snw__segments_are_nameless(build->segments)) {
        for (int l = 0; l < build->segments->segment_count; l++)
            memcpy(build->label[l], build->segments->segment[l].name, sizeof build->label[l]);
        return SNW_OK;
    }
    snw__body_names_kind kind;
    snw_status status =
        snw__body_names(build->tree, build->samples, build->rigids, build->label, &kind, error);
    if (status == SNW_OK && kind == SNW__NAMES_WITHOUT_SIDES)
        snw__note(notes, SNW_NOTE_SIDE_UNKNOWN, SNW__NOWHERE,
                  "which side of the body is left is not clear from the motion");
    return status;
}

static snw_status assemble(actor_build *build, const snw_trial *trial,
                           const snw_allocator *allocator, snw_actor **out, snw_notes *notes,
                           snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_build, build, &memory, "building an actor", error);
    if (status != SNW_OK) return status;
    /* The frame that shows most segments. */
    int rest = 0, best_count = -1;
    for (int frame = 0; frame < build->samples->frame_count; frame++) {
        int count = 0;
        for (int l = 0; l < build->rigids->segment_count; l++)
            count += build->rigids->segment[l].pose[frame].seen_count > 0;
        if (count > best_count) {
            rest = frame;
            best_count = count;
        }
    }
    for (int n = 0; n < build->tree->joined_count; n++) {
        int l = build->tree->order[n];
        build->joint_of[l] = n;
        build->segment_from_joint[l].rotation = rest_turn(build, l, rest);
        build->segment_from_joint[l].translation =
            n ? build->tree->pair[l].in_second : snw_vec3_make(0, 0, 0);
    }
    int markers = place_markers(build, trial);
    snw_actor *actor = snw__actor_take(
        build->marker, markers, build->tree->joined_count + SNW__SPINE_LINKS, allocator, error);
    status = actor ? name_segments(build, notes, error) : SNW_OUT_OF_MEMORY;
    if (status == SNW_OK) status = make_skeleton(build, actor, error);
    if (status == SNW_OK) {
        snw__refine_known known = {
            build->is_rigid,    build->slip,     build->chi,   build->marker_label,
            build->trial_label, is_white(build), build->still, notes};
        if (!build->is_final && needs_whole_body(build)) {
            take_slips(build);
            status = snw__actor_refine(actor, trial, &known, build->judged, error);
            take_judgement(build);
        }
    }
    if (status == SNW_OK && !build->is_final) status = divide_spine(build, actor, trial, error);
    if (status == SNW_OK) {
        start_residuals(build);
        status = snw__actor_find_joints(actor, trial, build->shown, error);
    }
    if (status == SNW_OK) {
        set_estimates(build, actor);
        *out = actor;
    } else {
        snw_actor_destroy(actor);
    }
    snw__block_release(&memory, &block);
    return status;
}

/* The centres by the method that was asked for, if one was. */
static snw_status use_method(const snw_actor_options *options, actor_build *build,
                             snw__joint_tree *tree, snw_notes *notes, snw_error *error)
{
    if (!options->method) return SNW_OK;
    int kept = 0;
    build->is_final = true;
    snw_status status = snw__joint_tree_use_method(tree, build->samples, build->rigids,
                                                   *options->method, &kept, error);
    if (status == SNW_OK && kept)
        snw__note(
            notes, SNW_NOTE_JOINTS_NOT_PLACED, SNW__NOWHERE,
            "%d joint%s not placed by %s, which needs segments of three markers that turn against "
            "each other",
            kept, kept == 1 ? " was" : "s were", snw_center_method_name(*options->method));
    return status;
}

/* Do labels say which marker sits at which joint? */
static bool labels_tell_joints(const snw_segments *segments, const snw_labels *labels)
{
    const snw_label *label = labels ? labels->marker : segments->label;
    for (int m = 0; label && m < segments->marker_count; m++)
        if (label[m].spot != SNW_SPOT_BODY) return true;
    return false;
}

snw_status snw_actor_calibrate(const snw_trial *trial, const snw_segments *segments,
                               const snw_actor_options *options, const snw_allocator *allocator,
                               snw_actor **out, snw_error *error)
{
    snw_notes *notes = options ? options->notes : NULL;
    *out = NULL;
    const snw_label *label = options && options->labels ? options->labels->marker : segments->label;
    if (label && segments->marker_count == trial->marker_count &&
        snw__labels_are_joints(label, trial->marker_count))
        return snw__actor_from_joints(trial, label, allocator, out, error);
    /* Four places of a point make a sphere. */
    if (trial->frame_count >= 1 && trial->frame_count < SNW__CENTER_FRAMES_MIN &&
        labels_tell_joints(segments, options ? options->labels : NULL)) {
        snw_trial *longer = NULL;
        snw_status again = snw__trial_repeat(trial, ACTOR_FRAMES_STILL, allocator, &longer, error);
        if (again == SNW_OK)
            again = snw_actor_calibrate(longer, segments, options, allocator, out, error);
        snw_trial_destroy(longer);
        return again;
    }
    snw__calibration known;
    snw_status status = snw__calibration_begin(&known, trial, segments, options, allocator, error);
    if (status == SNW_OK) {
        actor_build build;
        memset(&build, 0, sizeof build);
        build.samples = known.samples;
        build.rigids = known.rigids;
        build.segments = segments;
        build.tree = known.tree;
        build.trial_label = known.label;
        build.given = known.joint;
        build.still = known.options.still;
        /* What the labels of the other bodies say is not said of this one. */
        const snw__joint_tree *tree = known.tree;
        for (int m = 0; m < segments->marker_count && tree->actor_count > 1; m++) {
            int segment = segments->segment_of[m];
            if (segment >= 0 && tree->body[segment] == known.options.part) continue;
            snw__label_clear(known.label + m);
        }
        note_left_out(&build, known.options.part, notes);
        status = use_method(&known.options, &build, known.tree, notes, error);
        if (status == SNW_OK) status = assemble(&build, trial, allocator, out, notes, error);
    }
    snw__calibration_end(&known);
    return status == SNW_OK ? snw__succeed(error) : status;
}

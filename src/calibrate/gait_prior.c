/* The conventional gait model in the whole-body fit.
 *
 * Laboratories place hips, knees and ankles by regression and chords (subject/gait_model.c). Here
 * that is one more observation: in every frame the model's centre is expressed in the frames of
 * both bones that meet there, and the means over the frames are expected with a standard deviation.
 * The child's side counts too: what the shank's markers say of the knee must not pull the thigh
 * round.
 *
 * Two regressions place the hip. Davis' knows the leg's length, Harrington's the depth of the
 * pelvis; against each other they err by 17 to 38 mm on captures of four laboratories. Where thighs
 * carry wands, the set is the model's own and the expected place lies between the two, else it is
 * Harrington's.
 *
 * Knees and ankles are told by the wand here and by the axis that the motion shows in
 * anatomy_rules.c. The motion of skin turns that axis: on walks the knee then lies 3 to 16 mm
 * before the model's, and never behind it. The model's place is taken, and what the two disagree by
 * is what is not known. Studios use the same labels for a marker anywhere on the thigh: where the
 * wand has the joint on the other side of its own marker, it is none. */
#include "calibrate/gait_prior.h"

#include <string.h>

#include "base/elementary.h"
#include "calibrate/calibrate_constants.h"
#include "label/label_grammar.h"
#include "math/symmetric3.h"
#include "subject/gait.h"

/* With the marker that the centre lies beside: it moves with it. */
static const struct {
    snw_part part;
    double deviation; /* in the fit */
    double error;     /* for the verdict */
    snw__landmark marker;
    snw_gait_marker beside, wand; /* of a chord; the same: none */
} gait_prior_rows[SNW_GAIT_CENTER_COUNT] = {
    /* Metres, standard deviations in the fit. The motion of skin pulls functional centres of
     * walking people by 20 mm and more, always the same way, so that many frames do not help:
     * anatomy must be the firmer of the two (measured on four walks whose files carry centres,
     * docs/see-figures.md). Metres. What such centres are known to be off by, for the verdict:
     * regressions against imaging 10 to 15 mm in all, 8 in a direction (Harrington 2007; Sangeux
     * 2011); a wand is placed to 10 degrees of 60 mm. */
    [SNW_GAIT_CENTER_HIP] = {SNW_PART_UPLEG, PLACE_FIRM, SNW__PLACE_BETWEEN, SNW__LANDMARK_NONE,
                             SNW_GAIT_MARKER_ASI, SNW_GAIT_MARKER_ASI},
    [SNW_GAIT_CENTER_KNEE] = {SNW_PART_LEG, PLACE_HINGE, SNW__PLACE_BETWEEN, SNW__LANDMARK_KNE,
                              SNW_GAIT_MARKER_KNE, SNW_GAIT_MARKER_THI},
    [SNW_GAIT_CENTER_ANKLE] = {SNW_PART_FOOT, PLACE_HINGE, PLACE_BREADTH, SNW__LANDMARK_ANK,
                               SNW_GAIT_MARKER_ANK, SNW_GAIT_MARKER_TIB},
    [SNW_GAIT_CENTER_SHOULDER] = {SNW_PART_ARM, PLACE_FIRM, SNW__PLACE_PALPATED, SNW__LANDMARK_NONE,
                                  SNW_GAIT_MARKER_SHO, SNW_GAIT_MARKER_SHO},
    [SNW_GAIT_CENTER_ELBOW] = {SNW_PART_FOREARM, PLACE_FIRM, SNW__PLACE_PALPATED, SNW__LANDMARK_ELB,
                               SNW_GAIT_MARKER_ELB, SNW_GAIT_MARKER_ELB},
    [SNW_GAIT_CENTER_WRIST] = {SNW_PART_HAND, PLACE_FIRM, SNW__PLACE_PALPATED, SNW__LANDMARK_NONE,
                               SNW_GAIT_MARKER_WRA, SNW_GAIT_MARKER_WRA},
};

/* ---- markers ------------------------------------------------------------------------------ */

void snw__gait_prior_begin(snw__gait_prior *prior, const snw_trial *trial,
                           const snw__refine_known *known)
{
    snw_gait_markers markers;
    memset(prior, 0, sizeof *prior);
    snw__gait_markers_of_labels(trial, known->trial, &markers);
    snw_gait_options options = snw_gait_options_default();
    options.markers = &markers;
    options.hip = SNW_HIP_BY_DAVIS;
    prior->has_model = snw_gait_model_make(trial, known->still, &options, &prior->davis,
                                           known->still ? known->notes : NULL, NULL) == SNW_OK;
    options.hip = SNW_HIP_BY_HARRINGTON;
    prior->has_model =
        prior->has_model && snw_gait_model_make(trial, known->still, &options, &prior->harrington,
                                                NULL, NULL) == SNW_OK;
    /* Do the thighs carry a marker that may be the model's wand? */
    prior->davis_share = (markers.at[SNW_GAIT_MARKER_THI][SNW_SIDE_LEFT] >= 0 &&
                          markers.at[SNW_GAIT_MARKER_THI][SNW_SIDE_RIGHT] >= 0)
                             ? GAIT_PRIOR_DAVIS
                             : 0;
}

/* ---- frames ------------------------------------------------------------------------------- */

void snw__gait_prior_clear(snw__gait_prior *prior, const snw_actor *actor)
{
    const snw_skeleton *body = actor->skeleton;
    for (int k = 0; k < SNW_GAIT_CENTER_COUNT; k++)
        for (int side = 0; side < SNW_SIDES; side++) {
            snw__gait_prior_place *place = &prior->place[k][side];
            memset(place, 0, sizeof *place);
            place->joint = -1;
            const char *name = snw_part_name(
                gait_prior_rows[k].part, side == SNW_SIDE_LEFT ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT);
            for (int j = 1; j < body->joint_count; j++)
                if (strcmp(snw__bare_label(body->name[j]), name) == 0) place->joint = j;
        }
}

/* Does the wand tell the axis better than skin shows it? That follows from how far it stands from
 * the line of its chord: on a stick it does, on the skin it does not. 1 and -1, a vote of the
 * frame; 0: no wand. */
static int vote_for_wand(const snw__gait_prior *prior, const snw_frame *frame,
                         const snw_gait_pose *pose, int k, int side)
{
    snw_vec3 marker, wand;
    snw_gait_marker beside = gait_prior_rows[k].beside, stick = gait_prior_rows[k].wand;
    if (stick == beside || !snw__gait_place(&prior->davis, frame, stick, side, &wand) ||
        !snw__gait_place(&prior->davis, frame, beside, side, &marker))
        return 0;
    snw_vec3 line = snw__direction(snw_vec3_sub(marker, pose->center[k - 1][side]));
    double lever = snw_vec3_length(snw_vec3_cross(snw_vec3_sub(wand, marker), line));
    return SNW__PLACE_BETWEEN < RULE_AXIS_DEVIATION * lever ? 1 : -1;
}

void snw__gait_prior_look(snw__gait_prior *prior, const snw_frame *frame, const snw_pose *pose)
{
    snw_gait_pose davis, harrington;
    if (!prior->has_model) return;
    snw_gait_model_pose(&prior->davis, frame, &davis);
    snw_gait_model_pose(&prior->harrington, frame, &harrington);
    for (int k = 0; k < SNW_GAIT_CENTER_COUNT; k++)
        for (int side = 0; side < SNW_SIDES; side++) {
            snw__gait_prior_place *place = &prior->place[k][side];
            if (place->joint < 0 || !davis.has_center[k][side]) continue;
            snw_vec3 center = davis.center[k][side];
            if (k == SNW_GAIT_CENTER_HIP && harrington.has_center[k][side]) {
                place->apart += snw_vec3_distance(harrington.center[k][side], center);
                center = snw_vec3_lerp(harrington.center[k][side], center, prior->davis_share);
            }
            int parent = pose->skeleton->parent[place->joint];
            snw_vec3 at = snw_xform_unpoint(pose->world[parent], center);
            if (!snw_vec3_is_finite(at)) continue;
            place->count++;
            place->wand += vote_for_wand(prior, frame, &davis, k, side);
            place->in_parent = snw_vec3_add(place->in_parent, at);
            place->square += snw_vec3_length2(at);
            at = snw_xform_unpoint(pose->world[place->joint], center);
            place->in_child = snw_vec3_add(place->in_child, at);
        }
}

/* ---- expectations ------------------------------------------------------------------------- */

/* Information adds up; the model's as far as the two agree. */
static snw__joint_prior between(const snw__joint_prior *rule, snw__joint_prior model, double apart)
{
    double known =
        model.information.m[0][0] / (1 + 0.25 * apart * apart * model.information.m[0][0]);
    double sum[6], inverse[6];
    for (int i = 0, n = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            sum[n++] = rule->information.m[i][k] + (i == k ? known : 0);
    snw_vec3 pull =
        snw_vec3_add_scaled(snw_mat3_apply(rule->information, rule->off), known, model.off);
    if (snw__symmetric3_invert(sum, inverse)) model.off = snw__symmetric3_apply(inverse, pull);
    model.information = rule->information;
    model.of_child = known;
    for (int i = 0; i < 3; i++)
        model.information.m[i][i] += known;
    return model;
}

snw__joint_prior snw__gait_prior_choose(const snw__joint_prior *rule, snw__joint_prior model,
                                        const snw_vec3 *marker, bool is_on_skin)
{
    double apart = snw_vec3_distance(rule->off, model.off);
    snw__joint_prior chosen = is_on_skin ? between(rule, model, apart) : model;
    if (marker &&
        snw_vec3_dot(snw_vec3_sub(rule->off, *marker), snw_vec3_sub(model.off, *marker)) < 0)
        chosen = *rule;
    chosen.extent = snw__hypot(chosen.extent, 0.5 * apart);
    chosen.marker_count = rule->marker_count;
    memcpy(chosen.marker, rule->marker, sizeof chosen.marker);
    return chosen;
}

int snw__gait_prior_add(const snw__gait_prior *prior, const snw__anatomy *anatomy,
                        snw__joint_prior *out, int count)
{
    const snw_actor *actor = anatomy->actor;
    for (int k = 0; prior->has_model && k < SNW_GAIT_CENTER_COUNT; k++)
        for (int side = 0; side < SNW_SIDES; side++) {
            const snw__gait_prior_place *place = &prior->place[k][side];
            if (place->joint < 0 || place->count == 0) continue;
            int at = 0;
            while (at < count && out[at].joint != place->joint)
                at++;
            /* Wrist markers sit on both sides of the joint, or on a bar above it. */
            bool is_between = at < count && out[at].marker_count >= 2;
            if ((is_between && k != SNW_GAIT_CENTER_WRIST) || (at < count && out[at].is_point))
                continue;
            /* What the frames disagree by counts too: a centre that wanders in its bone is known
             * less. */
            snw__joint_prior model;
            memset(&model, 0, sizeof model);
            snw_vec3 mean = snw_vec3_scale(place->in_parent, 1.0 / place->count);
            double wander2 = fmax(0, place->square / place->count - snw_vec3_length2(mean)) / 3;
            model.in_child = snw_vec3_scale(place->in_child, 1.0 / place->count);
            model.joint = place->joint;
            model.off = snw_vec3_sub(mean, actor->skeleton->rest[place->joint].translation);
            for (int i = 0; i < 3; i++)
                model.information.m[i][i] =
                    1 / (gait_prior_rows[k].deviation * gait_prior_rows[k].deviation + wander2);
            model.of_child = model.information.m[0][0];
            double doubt = prior->davis_share > 0 ? place->apart / place->count : 0;
            model.extent = snw__hypot(gait_prior_rows[k].error, 0.25 * doubt);
            /* Two rules of thumb place a shoulder below its marker: neither is the model's own. */
            bool is_rough = place->wand < 0 || k == SNW_GAIT_CENTER_SHOULDER;
            bool is_told_twice = at < count && k != SNW_GAIT_CENTER_HIP;
            int marker = snw__anatomy_marker(
                anatomy, actor->skeleton->parent[place->joint], gait_prior_rows[k].marker,
                side == SNW_SIDE_LEFT ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT);
            snw_vec3 beside = {0, 0, 0};
            if (marker >= 0)
                beside = snw_vec3_sub(actor->marker[marker].offset,
                                      actor->skeleton->rest[place->joint].translation);
            out[at] = is_told_twice ? snw__gait_prior_choose(out + at, model,
                                                             marker >= 0 ? &beside : NULL, is_rough)
                                    : model;
            if (marker >= 0 && !is_told_twice) out[at].marker[out[at].marker_count++] = marker;
            count += at == count;
        }
    return count;
}

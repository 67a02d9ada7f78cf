/* The rules that place joint centres, with their sources and standard deviations. */
#include <string.h>

#include "base/elementary.h"
#include "calibrate/anatomy.h"
#include "calibrate/calibrate_constants.h"
#include "center/center.h"
#include "label/label_grammar.h"
#include "math/symmetric3.h"
#include "person/anthropometry.h"
#include "person/movement.h"
#include "person/regressions.h"

/* ---- tools -------------------------------------------------------------------------------- */

/* Adds up the two bones of the hinges that are whole. */
static double mean_length(const snw__anatomy *anatomy, const snw__anatomy_hinge *hinge)
{
    const double *length = anatomy->actor->skeleton->bone_length;
    double sum = 0;
    int count = 0;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        if (hinge[side].lower < 0) continue;
        sum += length[hinge[side].lower] + length[hinge[side].end];
        count++;
    }
    return count ? sum / count : 0;
}

double snw__anatomy_height(const snw__anatomy *anatomy)
{
    double legs = mean_length(anatomy, anatomy->leg), arms = mean_length(anatomy, anatomy->arm);
    if (legs > 0) return legs / SNW__LENGTH_LEG;
    return arms > 0 ? arms / SNW__LENGTH_ARM : SNW__STATURE;
}

/* The expectation that `joint` lies at `place` of its parent. */
static snw__joint_prior expect(const snw__anatomy *anatomy, int joint, snw_vec3 place,
                               double deviation)
{
    snw__joint_prior prior;
    memset(&prior, 0, sizeof prior);
    prior.joint = joint;
    prior.off = snw_vec3_sub(place, anatomy->actor->skeleton->rest[joint].translation);
    for (int k = 0; k < 3; k++)
        prior.information.m[k][k] = 1 / (deviation * deviation);
    return prior;
}

static void hang_on(snw__joint_prior *prior, int marker)
{
    prior->marker[prior->marker_count++] = marker;
}

/* ---- joints with markers on them ----------------------------------------------------------- */

/* Markers on the parent of a joint that say they are at it, or -1. */
typedef struct rule_spots {
    int at[SNW_SPOT_CENTER + 1]; /* by spot */
} rule_spots;

static rule_spots find_spots(const snw__anatomy *anatomy, snw_part part, int side)
{
    rule_spots spots;
    const snw_actor *actor = anatomy->actor;
    int parent = actor->skeleton->parent[anatomy->joint[part][side]];
    for (int k = 0; k <= SNW_SPOT_CENTER; k++)
        spots.at[k] = -1;
    for (int m = 0; m < actor->marker_count; m++) {
        const snw_label *at = anatomy->landmark + m;
        if (actor->marker[m].joint == parent && at->joint == part && (int)at->side == side &&
            spots.at[at->spot] < 0)
            spots.at[at->spot] = m;
    }
    return spots;
}

/* Says a marker on the parent where the joint is? */
static bool has_spots(const snw__anatomy *anatomy, snw_part part, int side)
{
    if (anatomy->joint[part][side] < 0) return false;
    rule_spots spots = find_spots(anatomy, part, side);
    for (int k = SNW_SPOT_LATERAL; k <= SNW_SPOT_CENTER; k++)
        if (spots.at[k] >= 0) return true;
    return false;
}

double snw__anatomy_skin(const snw__anatomy *anatomy, int marker)
{
    const snw_label *at = anatomy->landmark + marker;
    int hand = anatomy->joint[SNW_PART_HAND][at->side];
    if (at->landmark != SNW__LANDMARK_FRM || hand < 0 ||
        anatomy->actor->marker[marker].joint != anatomy->actor->skeleton->parent[hand])
        return 0;
    rule_spots wrist = find_spots(anatomy, SNW_PART_HAND, (int)at->side);
    /* Metres. A marker in the middle of a forearm stays behind when the wrist turns: by half of 80
     * degrees at 40 mm from the axis at most, a third of that as a deviation. */
    return wrist.at[SNW_SPOT_LATERAL] >= 0 && wrist.at[SNW_SPOT_MEDIAL] >= 0 ? SNW__SKIN : 0;
}

typedef struct rule_axis {
    snw_vec3 inwards; /* as snw__anatomy_inwards gives it */
    double
        deviation; /* radians, where another direction of the body tells it too; infinite: none */
} rule_axis;

/* Half a breadth beside one marker, on the side to which the axis points. */
static snw__joint_prior expect_beside(const snw__anatomy *anatomy, int joint, int marker,
                                      double half, const rule_axis *inwards)
{
    snw_vec3 from = anatomy->actor->marker[marker].offset, axis = snw__direction(inwards->inwards);
    double arc = snw_vec3_length(inwards->inwards);
    snw__joint_prior prior;
    if (arc < SNW__TURN_LEAST) {
        prior = expect(anatomy, joint, from, half);
    } else {
        double turn = fmin(RULE_AXIS_DEVIATION + SNW__TURN_LEAST / arc, inwards->deviation);
        double lost = half * fmin(1, turn);
        /* Metres. Along and across the bone the marker is off by the hand that placed it: 6 to 21
         * mm between examiners (Della Croce, Leardini, Chiari & Cappozzo 2005). */
        prior = expect(anatomy, joint, snw_vec3_add_scaled(from, half, axis),
                       snw__hypot(SNW__PLACE_PALPATED, lost));
        /* Metres. Half a breadth: 5 % of 50 mm, a height guessed to 4 %, and 4 mm of skin and
         * marker. */
        double known = 1 / (PLACE_BREADTH * PLACE_BREADTH);
        snw__add_outer(&prior.information, known - prior.information.m[0][0], axis);
    }
    /* The hand that placed the marker and the skin that carries the axis err the same way in every
     * frame: no number of them makes the centre better known than this. */
    prior.extent = SNW__PLACE_PALPATED;
    hang_on(&prior, marker);
    return prior;
}

typedef struct rule_joint {
    snw_part part;
    int side;
    double breadth;   /* metres, over the bones; 0: one marker beside it says nothing */
    double deviation; /* metres, of the middle between two markers */
    rule_axis axis;
} rule_joint;

/* Returns 1 when the joint's markers tell, else 0. */
static int expect_at_markers(const snw__anatomy *anatomy, const rule_joint *rule,
                             snw__joint_prior *out)
{
    const snw_actor_marker *marker = anatomy->actor->marker;
    int joint = anatomy->joint[rule->part][rule->side];
    rule_spots spots = find_spots(anatomy, rule->part, rule->side);
    int center = spots.at[SNW_SPOT_CENTER], near = spots.at[SNW_SPOT_NEAR];
    int outer = spots.at[SNW_SPOT_LATERAL], inner = spots.at[SNW_SPOT_MEDIAL];
    /* Metres: a marker's ball of 14 mm, which sits on the skin. */
    double half = 0.5 * rule->breadth + (SNW__MARKER_DIAMETER / 2);
    if (center >= 0) {
        *out = expect(anatomy, joint, marker[center].offset, PLACE_FIRM);
        out->is_point = true;
        hang_on(out, center);
    } else if (outer >= 0 && inner >= 0) {
        snw_vec3 middle = snw_vec3_lerp(marker[outer].offset, marker[inner].offset, 0.5);
        *out = expect(anatomy, joint, middle, rule->deviation);
        out->extent = rule->deviation; /* the middle of the bone's knobs is not its axis */
        hang_on(out, outer);
        hang_on(out, inner);
    } else if (outer >= 0 && rule->breadth > 0) {
        *out = expect_beside(anatomy, joint, outer, half, &rule->axis);
    } else if (inner >= 0 && rule->breadth > 0) {
        rule_axis outwards = {snw_vec3_neg(rule->axis.inwards), rule->axis.deviation};
        *out = expect_beside(anatomy, joint, inner, half, &outwards);
    } else if (near >= 0 && rule->part != SNW_PART_ARM) {
        *out = expect(anatomy, joint, marker[near].offset, SNW__PLACE_NEAR);
        hang_on(out, near);
    } else {
        return 0;
    }
    return 1;
}

static rule_axis hinge_axis(const snw__anatomy_fan *fan, int count)
{
    bool is_steady = snw_vec3_length(fan->across) > RULE_STANCE_STEADY * count;
    rule_axis axis = {snw__anatomy_inwards(fan, count),
                      is_steady ? RULE_STANCE_DEVIATION : HUGE_VAL};
    return axis;
}

/* The ankle's axis in the frame of the shank: the knee's, turned about the bone. */
static rule_axis ankle_axis(const snw__anatomy *anatomy, int side)
{
    const snw__anatomy_hinge *leg = anatomy->leg + side;
    snw_vec3 bone = snw__direction(anatomy->actor->skeleton->rest[leg->end].translation);
    double angle = side == SNW_SIDE_LEFT ? -SNW__TIBIAL_TORSION : SNW__TIBIAL_TORSION;
    rule_axis axis = hinge_axis(&leg->of_lower, anatomy->frame_count);
    axis.inwards = snw_quat_rotate(snw_quat_from_axis_angle(bone, angle), axis.inwards);
    return axis;
}

/* The marker beside a hinge needs its axis, which a whole limb shows; two markers, or one at the
 * centre, tell by themselves. */
static int expect_hinge(const snw__anatomy *anatomy, rule_joint rule, bool is_whole,
                        snw__joint_prior *out)
{
    if (anatomy->joint[rule.part][rule.side] < 0) return 0;
    if (!is_whole) rule.breadth = 0;
    return expect_at_markers(anatomy, &rule, out);
}

static int expect_segments(const snw__anatomy *anatomy, int side, snw__joint_prior *out)
{
    const snw__anatomy_hinge *leg = anatomy->leg + side, *arm = anatomy->arm + side;
    double height = snw__anatomy_height(anatomy);
    int count = 0, frames = anatomy->frame_count;
    bool has_leg = leg->lower >= 0, has_arm = arm->lower >= 0;
    rule_axis none = {{0, 0, 0}, HUGE_VAL};
    rule_joint knee = {SNW_PART_LEG, side, SNW__BREADTH_KNEE * height, PLACE_BREADTH,
                       has_leg ? hinge_axis(&leg->of_upper, frames) : none};
    rule_joint ankle = {SNW_PART_FOOT, side, SNW__BREADTH_ANKLE * height, PLACE_BREADTH,
                        has_leg ? ankle_axis(anatomy, side) : none};
    rule_joint elbow = {SNW_PART_FOREARM, side, SNW__BREADTH_ELBOW * height, PLACE_BREADTH,
                        has_arm ? hinge_axis(&arm->of_upper, frames) : none};
    rule_joint wrist = {SNW_PART_HAND, side, 0, SNW__PLACE_BETWEEN, none};
    count += expect_hinge(anatomy, knee, has_leg, out + count);
    count += expect_hinge(anatomy, ankle, has_leg, out + count);
    count += expect_hinge(anatomy, elbow, has_arm, out + count);
    count += expect_hinge(anatomy, wrist, has_arm, out + count);
    return count;
}

/* ---- chest and pelvis ---------------------------------------------------------------------- */

/* From the acromion's marker down to the shoulder, in the frame of the segment that carries it. */
static int expect_shoulder(const snw__anatomy *anatomy, int side, snw__joint_prior *out)
{
    snw__anatomy_chest chest;
    int joint = anatomy->joint[SNW_PART_ARM][side];
    rule_joint center = {SNW_PART_ARM, side, 0, PLACE_FIRM, {{0, 0, 0}, HUGE_VAL}};
    if (joint < 0) return 0;
    if (expect_at_markers(anatomy, &center, out)) return 1;
    int marker = find_spots(anatomy, SNW_PART_ARM, side).at[SNW_SPOT_NEAR];
    if (marker < 0 || !snw__anatomy_find_chest(anatomy, &chest)) return 0;
    snw_vec3 ahead = chest.ahead, up = chest.up;
    if (anatomy->actor->marker[marker].joint == anatomy->joint[SNW_PART_SHOULDER][side]) {
        ahead = snw__direction(anatomy->ahead_of_clavicle[side]);
        up = snw__direction(anatomy->up_of_clavicle[side]);
    }
    double way = SNW__SHOULDER_SHARE * chest.depth;
    snw_vec3 place = anatomy->actor->marker[marker].offset;
    place = snw_vec3_add_scaled(place, way * snw__cos(SNW__SHOULDER_TURN), ahead);
    place = snw_vec3_add_scaled(place, -way * snw__sin(SNW__SHOULDER_TURN), up);
    *out = expect(anatomy, joint, place, SNW__PLACE_SHOULDER);
    hang_on(out, marker);
    return 1;
}

static bool hangs_from(const snw__anatomy *anatomy, int joint, snw_part part)
{
    return joint >= 0 && anatomy->joint[part][SNW_SIDE_NONE] >= 0 &&
           anatomy->actor->skeleton->parent[joint] == anatomy->joint[part][SNW_SIDE_NONE];
}

static int expect_clavicle(const snw__anatomy *anatomy, int side, snw__joint_prior *out)
{
    snw__anatomy_chest chest;
    int joint = anatomy->joint[SNW_PART_SHOULDER][side];
    rule_joint center = {SNW_PART_SHOULDER, side, 0, PLACE_FIRM, {{0, 0, 0}, HUGE_VAL}};
    if (!hangs_from(anatomy, joint, SNW_PART_CHEST)) return 0;
    if (expect_at_markers(anatomy, &center, out)) return 1;
    if (!snw__anatomy_find_chest(anatomy, &chest)) return 0;
    double left = side == SNW_SIDE_LEFT ? SNW__CLAVICLE_ASIDE : -SNW__CLAVICLE_ASIDE;
    snw_vec3 place = snw_vec3_add_scaled(chest.notch, -SNW__CLAVICLE_BEHIND, chest.ahead);
    place = snw_vec3_add_scaled(place, left, snw_vec3_cross(chest.up, chest.ahead));
    *out = expect(anatomy, joint, place, SNW__PLACE_NEAR);
    hang_on(out, chest.front[0]);
    if (chest.front[1] != chest.front[0]) hang_on(out, chest.front[1]);
    return 1;
}

snw_vec3 snw__anatomy_neck_base(const snw__anatomy *anatomy, const snw__anatomy_chest *chest)
{
    double way = SNW__NECK_SHARE * chest->depth;
    snw_vec3 place = anatomy->actor->marker[chest->c7].offset;
    place = snw_vec3_add_scaled(place, way * snw__cos(SNW__NECK_TURN), chest->ahead);
    return snw_vec3_add_scaled(place, way * snw__sin(SNW__NECK_TURN), chest->up);
}

static int expect_neck(const snw__anatomy *anatomy, snw__joint_prior *out)
{
    snw__anatomy_chest chest;
    int joint = anatomy->joint[SNW_PART_HEAD][SNW_SIDE_NONE];
    if (!hangs_from(anatomy, joint, SNW_PART_CHEST) || !snw__anatomy_find_chest(anatomy, &chest))
        return 0;
    *out = expect(anatomy, joint, snw__anatomy_neck_base(anatomy, &chest), SNW__PLACE_ROUGH);
    out->extent = SNW__NECK_EXTENT * snw__anatomy_height(anatomy);
    hang_on(out, chest.c7);
    return 1;
}

bool snw__anatomy_find_pelvis(const snw__anatomy *anatomy, snw__anatomy_pelvis *pelvis)
{
    const snw_actor_marker *marker = anatomy->actor->marker;
    int segment = anatomy->joint[SNW_PART_HIPS][SNW_SIDE_NONE];
    if (segment < 0) return false;
    int left = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_ASI, SNW_SIDE_LEFT);
    int right = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_ASI, SNW_SIDE_RIGHT);
    int left_back = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_PSI, SNW_SIDE_LEFT);
    int right_back = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_PSI, SNW_SIDE_RIGHT);
    int sacrum = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_SACR, SNW_SIDE_NONE);
    if (left_back < 0 || right_back < 0) left_back = right_back = sacrum;
    if (left < 0 || right < 0 || left_back < 0) return false;
    snw_vec3 across = snw_vec3_sub(marker[right].offset, marker[left].offset);
    snw_vec3 front = snw_vec3_lerp(marker[left].offset, marker[right].offset, 0.5);
    snw_vec3 back = snw_vec3_lerp(marker[left_back].offset, marker[right_back].offset, 0.5);
    pelvis->width = snw_vec3_length(across);
    pelvis->right = snw__direction(across);
    snw_vec3 ahead = snw_vec3_sub(front, back);
    ahead = snw_vec3_add_scaled(ahead, -snw_vec3_dot(ahead, pelvis->right), pelvis->right);
    pelvis->depth = snw_vec3_length(ahead) - 2 * (SNW__MARKER_DIAMETER / 2);
    pelvis->ahead = snw__direction(ahead);
    pelvis->up = snw_vec3_cross(pelvis->right, pelvis->ahead);
    pelvis->front = snw_vec3_add_scaled(front, -(SNW__MARKER_DIAMETER / 2), pelvis->ahead);
    return pelvis->width > 0 && pelvis->depth > 0;
}

static snw_vec3 place_in_pelvis(const snw__anatomy_pelvis *pelvis, double right, double ahead,
                                double up)
{
    snw_vec3 place = snw_vec3_add_scaled(pelvis->front, right, pelvis->right);
    place = snw_vec3_add_scaled(place, ahead, pelvis->ahead);
    return snw_vec3_add_scaled(place, up, pelvis->up);
}

snw_vec3 snw__anatomy_loin(const snw__anatomy_pelvis *pelvis)
{
    return place_in_pelvis(pelvis, 0, -SNW__LOIN_BEHIND * pelvis->width,
                           SNW__LOIN_ABOVE * pelvis->width);
}

/* Hips at the centres that a model computed, else by the pelvis; the loins by the pelvis. */
static int expect_at_pelvis(const snw__anatomy *anatomy, snw__joint_prior *out)
{
    snw__anatomy_pelvis pelvis;
    int count = 0, chest = anatomy->joint[SNW_PART_CHEST][SNW_SIDE_NONE];
    bool has_pelvis = snw__anatomy_find_pelvis(anatomy, &pelvis);
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        int joint = anatomy->joint[SNW_PART_UPLEG][side];
        rule_joint center = {SNW_PART_UPLEG, side, 0, PLACE_FIRM, {{0, 0, 0}, HUGE_VAL}};
        if (!hangs_from(anatomy, joint, SNW_PART_HIPS)) continue;
        if (expect_at_markers(anatomy, &center, out + count)) {
            count++;
        } else if (has_pelvis) {
            snw_vec3 hip = snw__hip_harrington(pelvis.depth, pelvis.width);
            snw_vec3 place =
                place_in_pelvis(&pelvis, side == SNW_SIDE_LEFT ? -hip.y : hip.y, hip.x, hip.z);
            /* Clusters of legs without a label at the knee slide with the hip's angle and pull its
             * centre by 20 mm and more, always the same way (as in gait_prior.c): the rule is the
             * firmer of the two. */
            bool is_cluster = !has_spots(anatomy, SNW_PART_LEG, side);
            out[count] =
                expect(anatomy, joint, place, is_cluster ? PLACE_FIRM : SNW__PLACE_PALPATED);
            out[count++].extent = is_cluster ? RULE_HIP_OF_CLUSTER_ERROR : 0;
        }
    }
    if (has_pelvis && hangs_from(anatomy, chest, SNW_PART_HIPS)) {
        out[count] = expect(anatomy, chest, snw__anatomy_loin(&pelvis), SNW__PLACE_NEAR);
        out[count++].extent = SNW__LOIN_EXTENT * snw__anatomy_height(anatomy);
    }
    return count;
}

int snw__anatomy_priors(const snw__anatomy *anatomy, snw__joint_prior out[SNW__ANATOMY_PRIORS])
{
    int count = 0;
    if (anatomy->frame_count == 0) return 0;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        count += expect_segments(anatomy, side, out + count);
        count += expect_clavicle(anatomy, side, out + count);
        count += expect_shoulder(anatomy, side, out + count);
    }
    count += expect_neck(anatomy, out + count);
    return count + expect_at_pelvis(anatomy, out + count);
}

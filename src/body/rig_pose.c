/* The T-pose: how every joint's frame stands when the body makes a T. It comes from the skeleton
 * alone, so that all motions of one person have one rig.
 *
 * Hips are turned by their width, the spine by its height and by the width of the arms; what two
 * sides differ in is made up by the spine and the collar bones, a few degrees each. Below them a
 * bone is laid along its axis (arms to the side, legs down, feet forward). The turn about the bone
 * comes from the axis of the knee or elbow, which lies across the body at the knee and upright at
 * the elbow when palms face down; where no axis is known, from the way the joint rests on its
 * parent. Forearms turn about themselves until thumbs point forward, where something tells them. */
#include <math.h>
#include <string.h>

#include "body/body_constants.h"
#include "body/rig.h"
#include "math/kernel.h"
#include "person/regressions.h"

/* How far the line from ankle to toes falls in a standing foot: 30 degrees to the ball, 20 to the
 * tip; cosine and sine. */
static const double rig_ball_fall[2] = {0.8660254037844386, 0.5};
static const double rig_tip_fall[2] = {0.9396926207859084, 0.3420201433256687};

/* ---- looking at the skeleton -------------------------------------------------------------------
 */

static int find_main_child(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint)
{
    /* What continues each part; a shoulder of the other side does not continue the spine. */
    static const snw_part next[SNW_PART_COUNT][3] = {
        [SNW_PART_HIPS] = {SNW_PART_CHEST, SNW_PART_NECK, SNW_PART_HEAD},
        [SNW_PART_CHEST] = {SNW_PART_CHEST, SNW_PART_NECK, SNW_PART_HEAD},
        [SNW_PART_NECK] = {SNW_PART_NECK, SNW_PART_HEAD, SNW_PART_NONE},
        [SNW_PART_HEAD] = {SNW_PART_HEAD, SNW_PART_NONE, SNW_PART_NONE},
        [SNW_PART_SHOULDER] = {SNW_PART_ARM, SNW_PART_SHOULDER, SNW_PART_NONE},
        [SNW_PART_ARM] = {SNW_PART_FOREARM, SNW_PART_ARM, SNW_PART_HAND},
        [SNW_PART_FOREARM] = {SNW_PART_FOREARM, SNW_PART_HAND, SNW_PART_NONE},
        [SNW_PART_HAND] = {SNW_PART_HAND, SNW_PART_FINGER, SNW_PART_NONE},
        [SNW_PART_FINGER] = {SNW_PART_FINGER, SNW_PART_NONE, SNW_PART_NONE},
        [SNW_PART_UPLEG] = {SNW_PART_LEG, SNW_PART_UPLEG, SNW_PART_FOOT},
        [SNW_PART_LEG] = {SNW_PART_LEG, SNW_PART_FOOT, SNW_PART_NONE},
        [SNW_PART_FOOT] = {SNW_PART_TOE, SNW_PART_FOOT, SNW_PART_NONE},
        [SNW_PART_TOE] = {SNW_PART_TOE, SNW_PART_NONE, SNW_PART_NONE},
    };
    bool is_hip_side = rig[joint].part == SNW_PART_HIPS && rig[joint].side != SNW_SIDE_NONE;
    for (int c = skeleton->first_child[joint]; is_hip_side && c >= 0; c = skeleton->next_sibling[c])
        if (rig[c].part == SNW_PART_UPLEG) return c;
    for (int k = 0; k < 3; k++)
        for (int c = skeleton->first_child[joint]; c >= 0; c = skeleton->next_sibling[c])
            if (rig[c].part != SNW_PART_NONE && rig[c].part == next[rig[joint].part][k]) return c;
    return rig[joint].part == SNW_PART_NONE ? skeleton->first_child[joint] : -1;
}

/* The axis about which the next joint bends: of a hinge its own, towards the larger side of its
 * range; else across the two bones as they rest, where they are bent enough to tell. */
static void find_flexion(const snw_skeleton *skeleton, snw__rig_joint *rig, int joint)
{
    const snw_vec3 none = {0, 0, 0};
    int child = rig[joint].main_child;
    snw_quat rest = skeleton->rest[child].rotation;
    snw_vec3 bone = snw_vec3_unit(rig[joint].bone, none),
             next = snw_vec3_unit(rig[child].bone, none);
    snw_vec3 axis = snw_vec3_cross(bone, snw_quat_rotate(rest, next));
    const snw_joint *hinge = skeleton->joint + child;
    if (hinge->type == SNW_JOINT_HINGE && hinge->limit.has_range[0]) {
        double middle = hinge->limit.range[0][0] + hinge->limit.range[0][1];
        axis = snw_vec3_scale(snw_quat_rotate(rest, hinge->axis), middle < 0 ? -1 : 1);
    } else if (!(snw_vec3_length(axis) > RIG_BEND_LEAST)) {
        return;
    }
    rig[joint].flexion = axis;
    rig[joint].flexion_of_child = snw_quat_unrotate(rest, axis);
}

/* A thumb of the hand that a forearm leads to, in the forearm's frame. */
static void find_thumb(const snw_skeleton *skeleton, snw__rig_joint *rig, int joint)
{
    int hand = rig[joint].main_child;
    if (hand < 0 || rig[hand].part != SNW_PART_HAND) return;
    for (int c = skeleton->first_child[hand]; c >= 0; c = skeleton->next_sibling[c]) {
        if (!snw__rig_is_thumb(skeleton->name[c])) continue;
        snw_vec3 end = snw_vec3_add(skeleton->rest[c].translation,
                                    snw_quat_rotate(skeleton->rest[c].rotation, rig[c].bone));
        rig[joint].thumb = snw_quat_rotate(skeleton->rest[hand].rotation, end);
    }
}

/* A captured hand ends at a marker on its back, half its thickness above its bone: laid along that
 * line, the hand would seem bent back. */
static void lay_hand(const snw_skeleton *skeleton, snw__rig_joint *rig, int hand)
{
    const snw_vec3 none = {0, 0, 0};
    snw__rig_joint *own = rig + hand;
    snw_vec3 thumb =
        snw_quat_unrotate(skeleton->rest[hand].rotation, rig[skeleton->parent[hand]].thumb);
    snw_vec3 back = own->side == SNW_SIDE_LEFT ? snw_vec3_cross(thumb, own->bone)
                                               : snw_vec3_cross(own->bone, thumb);
    double off = fmin((SNW__HAND_THICKNESS + SNW__MARKER_DIAMETER) / 2,
                      SNW__COS_60 * snw_vec3_length(own->bone));
    own->bone = snw_vec3_add_scaled(own->bone, -off, snw_vec3_unit(back, none));
}

void snw__rig_look(const snw_skeleton *skeleton, const snw_vec3 *thumb, snw__rig_joint *rig)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        memset(rig + j, 0, sizeof *rig);
        rig[j].part = snw_rig_part_of(skeleton, j, &rig[j].side);
        for (int p = skeleton->parent[j]; p >= 0; p = skeleton->parent[p])
            rig[j].number += rig[p].part == rig[j].part && rig[p].side == rig[j].side;
        rig[j].t_from_joint = rig[j].t_from_new = snw_quat_identity();
    }
    for (int j = 0; j < skeleton->joint_count; j++) {
        int child = rig[j].main_child = find_main_child(skeleton, rig, j);
        if (child >= 0)
            rig[j].bone = skeleton->rest[child].translation;
        else if (skeleton->has_tip[j])
            rig[j].bone = skeleton->tip[j];
    }
    for (int j = 0; j < skeleton->joint_count; j++) {
        int child = rig[j].main_child;
        bool bends =
            child >= 0 && ((rig[j].part == SNW_PART_ARM && rig[child].part == SNW_PART_FOREARM) ||
                           (rig[j].part == SNW_PART_UPLEG && rig[child].part == SNW_PART_LEG));
        if (bends) find_flexion(skeleton, rig, j);
        if (rig[j].part != SNW_PART_FOREARM || rig[j].side == SNW_SIDE_NONE) continue;
        rig[j].thumb = thumb[rig[j].side];
        if (snw_vec3_length2(rig[j].thumb) > 0 && child >= 0 && rig[child].part == SNW_PART_HAND &&
            rig[child].main_child < 0 && skeleton->has_tip[child])
            lay_hand(skeleton, rig, child);
        if (!(snw_vec3_length2(rig[j].thumb) > 0)) find_thumb(skeleton, rig, j);
    }
}

/* ---- standing in a T ------------------------------------------------------------------------- */

/* The rotation that takes direction a to t_a exactly and b to the side of t_b. */
static snw_quat turn_two(snw_vec3 a, snw_vec3 b, snw_vec3 t_a, snw_vec3 t_b)
{
    const snw_vec3 none = {0, 0, 0};
    snw_vec3 from[3], to[3];
    from[0] = snw_vec3_unit(a, none);
    from[2] = snw_vec3_unit(snw_vec3_cross(from[0], b), none);
    from[1] = snw_vec3_cross(from[2], from[0]);
    to[0] = snw_vec3_unit(t_a, none);
    to[2] = snw_vec3_unit(snw_vec3_cross(to[0], t_b), none);
    to[1] = snw_vec3_cross(to[2], to[0]);
    if (!(snw_vec3_length(from[2]) > 0.5) || !(snw_vec3_length(to[2]) > 0.5))
        return snw_quat_between(a, t_a);
    snw_mat3 turn;
    memset(&turn, 0, sizeof turn);
    for (int k = 0; k < 3; k++) {
        const double f[3] = {from[k].x, from[k].y, from[k].z};
        const double t[3] = {to[k].x, to[k].y, to[k].z};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                turn.m[r][c] += t[r] * f[c];
    }
    return snw_quat_from_mat3(turn);
}

/* Where the bone of a part points in a T; false: the part has no direction of its own. */
static bool bone_direction(const snw__rig_joint *joint, snw_vec3 *direction)
{
    double outward = joint->side == SNW_SIDE_RIGHT ? -1 : 1;
    const double *fall = joint->main_child >= 0 ? rig_ball_fall : rig_tip_fall;
    switch (joint->part) {
    case SNW_PART_HIPS:
    case SNW_PART_CHEST:
    case SNW_PART_NECK:
    case SNW_PART_HEAD:
        *direction = snw_vec3_make(0, 1, 0);
        return joint->side == SNW_SIDE_NONE;
    case SNW_PART_SHOULDER:
    case SNW_PART_ARM:
    case SNW_PART_FOREARM:
    case SNW_PART_HAND:
        *direction = snw_vec3_make(outward, 0, 0);
        return joint->side != SNW_SIDE_NONE;
    case SNW_PART_UPLEG:
    case SNW_PART_LEG:
        *direction = snw_vec3_make(0, -1, 0);
        return true;
    case SNW_PART_FOOT:
        *direction = snw_vec3_make(0, -fall[1], fall[0]);
        return true;
    case SNW_PART_TOE:
        *direction = snw_vec3_make(0, 0, 1);
        return true;
    default:
        return false;
    }
}

/* Where a child leads: its place, or where its bone ends as it rests. Acclaim's hip joints sit in
 * the middle and collar bones start a few centimetres apart: their ends tell left from right. */
static snw_vec3 end_of_child(const snw_skeleton *skeleton, const snw__rig_joint *rig, int child)
{
    snw_vec3 place = skeleton->rest[child].translation;
    bool is_near = snw_vec3_length(place) < 1e-6 || rig[child].part == SNW_PART_SHOULDER;
    if (!is_near) return place;
    return snw_vec3_add(place, snw_quat_rotate(skeleton->rest[child].rotation, rig[child].bone));
}

/* From the right to the left of a pair of children, and the middle between them, in the joint's
 * frame; zero: there is none. */
static snw_vec3 width_of(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint,
                         snw_vec3 *middle)
{
    snw_vec3 width = {0, 0, 0};
    *middle = width;
    int count[3] = {0, 0, 0};
    for (int c = skeleton->first_child[joint]; c >= 0; c = skeleton->next_sibling[c]) {
        if (rig[c].side == SNW_SIDE_NONE || count[rig[c].side]) continue;
        double sign = rig[c].side == SNW_SIDE_LEFT ? 1 : -1;
        snw_vec3 end = end_of_child(skeleton, rig, c);
        width = snw_vec3_add_scaled(width, sign, end);
        *middle = snw_vec3_add_scaled(*middle, 0.5, end);
        count[rig[c].side]++;
    }
    if (count[SNW_SIDE_LEFT] && count[SNW_SIDE_RIGHT]) return width;
    *middle = snw_vec3_make(0, 0, 0);
    return *middle;
}

/* The collar bone of the other side, or -1. */
static int find_other_side(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint)
{
    int parent = skeleton->parent[joint], other = parent < 0 ? -1 : skeleton->first_child[parent];
    while (other >= 0 && (rig[other].part != rig[joint].part || rig[other].side == rig[joint].side))
        other = skeleton->next_sibling[other];
    return other;
}

/* Along the bone as it rests on its parent, which stands. */
static snw_vec3 way_at_rest(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint)
{
    snw_quat base =
        snw_quat_mul(rig[skeleton->parent[joint]].t_from_joint, skeleton->rest[joint].rotation);
    return snw_quat_rotate(base, rig[joint].bone);
}

/* Collar bones of captures that hardly move them begin anywhere: shorter than the way from the
 * middle to where they begin, they are none, and shoulders stay where they rest, both at one height
 * and depth. False: they are laid sideways. */
static bool keeps_rest(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint,
                       snw_vec3 *direction)
{
    int other = find_other_side(skeleton, rig, joint);
    if (rig[joint].part != SNW_PART_SHOULDER || other < 0) return false;
    snw_vec3 own = way_at_rest(skeleton, rig, joint), twin = way_at_rest(skeleton, rig, other);
    snw_vec3 apart = snw_quat_rotate(
        rig[skeleton->parent[joint]].t_from_joint,
        snw_vec3_sub(skeleton->rest[other].translation, skeleton->rest[joint].translation));
    double length = snw_vec3_length(own);
    if (snw_vec3_length(apart) < length + snw_vec3_length(twin)) return false;
    double up = (own.y + twin.y + apart.y) / (2 * length);
    double front = (own.z + twin.z + apart.z) / (2 * length), aside = sqrt(up * up + front * front);
    double most = fmin(1, 0.95 / fmax(aside, 1e-6));
    double out = rig[joint].side == SNW_SIDE_RIGHT ? -1 : 1;
    *direction =
        snw_vec3_make(out * sqrt(1 - most * most * aside * aside), most * up, most * front);
    return true;
}

/* How far a bone rises at rest; 0 where it falls, or does not lead to its side. */
static double rise_of(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint)
{
    snw_vec3 way = way_at_rest(skeleton, rig, joint);
    double out = rig[joint].side == SNW_SIDE_RIGHT ? -way.x : way.x;
    return out > SNW__COS_60 * snw_vec3_length(way) ? fmax(way.y, 0) : 0;
}

/* Half the way to the collar bone of the other side, up and forward, and as far up as both rise at
 * rest: both end at one height and depth. Acclaim's begin low in the chest and rise by 6 cm. Zero
 * where there is none. */
static snw_vec3 half_way_to_other_side(const snw_skeleton *skeleton, const snw__rig_joint *rig,
                                       int joint)
{
    const snw_vec3 none = {0, 0, 0};
    int parent = skeleton->parent[joint], other = find_other_side(skeleton, rig, joint);
    if (other < 0) return none;
    snw_vec3 apart =
        snw_quat_rotate(rig[parent].t_from_joint, snw_vec3_sub(skeleton->rest[other].translation,
                                                               skeleton->rest[joint].translation));
    double rise = (rise_of(skeleton, rig, joint) + rise_of(skeleton, rig, other)) / 2;
    /* What makes two sides equal comes first: together they lean by 30 degrees at most. */
    double shorter = fmin(snw_vec3_length(rig[joint].bone), snw_vec3_length(rig[other].bone));
    double most = SNW__COS_60 * shorter - 0.5 * snw_vec3_length(apart);
    rise = snw_clamp(rise, 0, fmax(most, 0));
    return snw_vec3_make(0, rise + 0.5 * apart.y, 0.5 * apart.z);
}

/* The spine leads back to the plane in the middle, collar bones to one height: what is estimated
 * on two sides is never quite the same, and the difference must not tilt the trunk. */
static snw_vec3 lean_bone(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint,
                          double middle, snw_vec3 direction)
{
    const snw__rig_joint *own = rig + joint;
    snw_vec3 aside = {0, 0, 0};
    if (own->part == SNW_PART_CHEST) aside.x = middle - own->place.x;
    if (own->part == SNW_PART_SHOULDER) aside = half_way_to_other_side(skeleton, rig, joint);
    /* By `aside` across the bone, and else along `direction`. */
    snw_vec3 across = snw_vec3_scale(aside, 1 / snw_vec3_length(own->bone));
    double share = snw_vec3_length(across);
    /* Sine of the most that a bone leans to make up for two sides that differ: 30 degrees. */
    if (share > SNW__COS_60) {
        across = snw_vec3_scale(across, SNW__COS_60 / share);
        share = SNW__COS_60;
    }
    return snw_vec3_add(across, snw_vec3_scale(direction, sqrt(1 - share * share)));
}

static void stand_joint(const snw_skeleton *skeleton, snw__rig_joint *rig, int joint, double middle)
{
    const snw_vec3 left = {1, 0, 0}, up = {0, 1, 0};
    int parent = skeleton->parent[joint];
    snw__rig_joint *own = rig + joint;
    snw_quat base = parent < 0
                        ? skeleton->rest[joint].rotation
                        : snw_quat_mul(rig[parent].t_from_joint, skeleton->rest[joint].rotation);
    snw_vec3 hips, width = width_of(skeleton, rig, joint, &hips), direction;
    bool has_bone = snw_vec3_length(own->bone) > 1e-9;
    bool has_direction = has_bone && bone_direction(own, &direction);
    own->t_from_joint = base;
    if (has_direction && !keeps_rest(skeleton, rig, joint, &direction))
        direction = lean_bone(skeleton, rig, joint, middle, direction);
    if (snw_vec3_length(width) > 1e-6) {
        snw_vec3 height = has_bone ? own->bone : snw_quat_unrotate(base, up);
        /* A chest without neck or head: shoulders stand over where it begins, when they are far
         * enough from there to tell. */
        bool has_height = snw_vec3_length(hips) > SNW__COS_60 * snw_vec3_length(width);
        if (!has_bone && own->part == SNW_PART_CHEST && has_height) height = hips;
        /* The spine begins over the middle of the hips. Where the root is close to that beginning
         * (12 mm in pig_full_walk) the way from the root tells nothing: 60 degrees off there. */
        if (has_bone && own->part == SNW_PART_HIPS) height = snw_vec3_sub(height, hips);
        bool is_level = own->part != SNW_PART_CHEST || !has_direction;
        own->t_from_joint = is_level ? turn_two(width, height, left, up)
                                     : turn_two(own->bone, width, direction, left);
        return;
    }
    if (!has_direction) return;
    if (snw_vec3_length2(own->thumb) > 0) {
        /* Palms down: thumbs forward. The forearm turns about itself for it. */
        own->t_from_joint = turn_two(own->bone, own->thumb, direction, snw_vec3_make(0, 0, 1));
        return;
    }
    snw_vec3 axis = own->flexion;
    if (parent >= 0 && rig[parent].main_child == joint &&
        snw_vec3_length(rig[parent].flexion_of_child) > 0)
        axis = rig[parent].flexion_of_child;
    if (snw_vec3_length(axis) > 0) {
        /* bone x next bone in a T: the knee folds the shank backwards, the elbow the forearm
         * forwards. */
        bool is_leg = own->part == SNW_PART_UPLEG || own->part == SNW_PART_LEG;
        double sign = own->side == SNW_SIDE_RIGHT ? 1 : -1;
        own->t_from_joint = turn_two(own->bone, axis, direction,
                                     is_leg ? snw_vec3_make(1, 0, 0) : snw_vec3_make(0, sign, 0));
    } else
        own->t_from_joint =
            snw_quat_mul(snw_quat_between(snw_quat_rotate(base, own->bone), direction), base);
}

/* Where the plane of symmetry is: between the root and the middle of the legs. */
static double find_middle(const snw_skeleton *skeleton, const snw__rig_joint *rig)
{
    double sum = 0;
    int count = 0;
    for (int c = skeleton->first_child[0]; c >= 0; c = skeleton->next_sibling[c]) {
        if (rig[c].side == SNW_SIDE_NONE) continue;
        sum += snw_quat_rotate(rig[0].t_from_joint, skeleton->rest[c].translation).x;
        count++;
    }
    return count == 2 ? sum / 4 : 0;
}

bool snw__rig_stand(const snw_skeleton *skeleton, snw__rig_joint *rig)
{
    bool has_leg[3] = {false, false, false};
    for (int j = 0; j < skeleton->joint_count; j++)
        if (rig[j].part == SNW_PART_UPLEG) has_leg[rig[j].side] = true;
    if (rig[0].part != SNW_PART_HIPS || !has_leg[SNW_SIDE_LEFT] || !has_leg[SNW_SIDE_RIGHT])
        return false;
    double middle = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        rig[j].place = snw_vec3_make(0, 0, 0);
        if (parent >= 0)
            rig[j].place =
                snw_vec3_add(rig[parent].place, snw_quat_rotate(rig[parent].t_from_joint,
                                                                skeleton->rest[j].translation));
        stand_joint(skeleton, rig, j, middle);
        if (j == 0) middle = find_middle(skeleton, rig);
    }
    return true;
}

/* ---- both sides ------------------------------------------------------------------------------ */

void snw__rig_measure(const snw_skeleton *skeleton, snw__rig_joint *rig)
{
    const snw_vec3 none = {0, 0, 0};
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        rig[j].offset =
            parent < 0 ? none
                       : snw_quat_rotate(rig[parent].t_from_joint, skeleton->rest[j].translation);
        rig[j].place = parent < 0 ? none : snw_vec3_add(rig[parent].place, rig[j].offset);
        bool is_laid = rig[j].part == SNW_PART_HAND && rig[j].main_child < 0;
        rig[j].tip = snw_quat_rotate(rig[j].t_from_joint, is_laid ? rig[j].bone : skeleton->tip[j]);
    }
}

static snw_vec3 mirror(snw_vec3 v)
{
    return snw_vec3_make(-v.x, v.y, v.z);
}

/* The joint in the middle of the body that a limb hangs from. */
static int find_anchor(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint)
{
    while (joint > 0 && rig[joint].side != SNW_SIDE_NONE)
        joint = skeleton->parent[joint];
    return joint;
}

/* The same joint of the other side; -1: there is none. Fingers are many: their names decide. */
static int find_twin(const snw_skeleton *skeleton, const snw__rig_joint *rig, int joint)
{
    const snw__rig_joint *own = rig + joint;
    int anchor = find_anchor(skeleton, rig, joint);
    for (int k = 0; own->side != SNW_SIDE_NONE && k < skeleton->joint_count; k++) {
        const snw__rig_joint *other = rig + k;
        bool is_same = other->part == own->part && other->number == own->number &&
                       other->side != own->side && other->side != SNW_SIDE_NONE &&
                       find_anchor(skeleton, rig, k) == anchor;
        bool is_part = own->part != SNW_PART_NONE && own->part != SNW_PART_FINGER;
        if (is_same && (is_part || snw__rig_is_twin_name(skeleton->name[joint], skeleton->name[k])))
            return k;
    }
    return -1;
}

double snw__rig_crookedness(const snw_skeleton *skeleton, const snw__rig_joint *rig)
{
    double worst = 0, middle = 2 * find_middle(skeleton, rig);
    for (int j = 1; j < skeleton->joint_count; j++) {
        bool is_middle = rig[j].part == SNW_PART_NECK || rig[j].part == SNW_PART_HEAD;
        int twin = rig[j].part == SNW_PART_ARM ? find_twin(skeleton, rig, j) : -1;
        if (is_middle) worst = fmax(worst, fabs(rig[j].place.x - middle));
        if (twin < 0) continue;
        worst = fmax(worst, fabs(rig[j].place.y - rig[twin].place.y));
        worst = fmax(worst, fabs(rig[j].place.z - rig[twin].place.z));
    }
    return worst;
}

double snw__rig_make_equal(const snw_skeleton *skeleton, snw__rig_joint *rig)
{
    double farthest = 0;
    /* Offsets first hold the new place seen from the anchor: `place` is still the measured one. */
    for (int j = 1; j < skeleton->joint_count; j++) {
        int twin = find_twin(skeleton, rig, j);
        if (rig[j].side == SNW_SIDE_NONE) rig[j].offset.x = 0;
        if (twin >= 0) {
            /* Where a joint is seen from its anchor, the mean of both sides. */
            snw_vec3 anchor = rig[find_anchor(skeleton, rig, j)].place;
            snw_vec3 own = snw_vec3_sub(rig[j].place, anchor),
                     other = mirror(snw_vec3_sub(rig[twin].place, anchor));
            rig[j].offset = snw_vec3_scale(snw_vec3_add(own, other), 0.5);
        }
        if (twin < 0 || twin < j || !skeleton->has_tip[j] || !skeleton->has_tip[twin]) continue;
        rig[j].tip = snw_vec3_scale(snw_vec3_add(rig[j].tip, mirror(rig[twin].tip)), 0.5);
        rig[twin].tip = mirror(rig[j].tip);
    }
    for (int j = 1; j < skeleton->joint_count; j++) {
        bool is_pair = find_twin(skeleton, rig, j) >= 0;
        int from = is_pair ? find_anchor(skeleton, rig, j) : skeleton->parent[j];
        snw_vec3 was = rig[j].place;
        rig[j].place = snw_vec3_add(rig[from].place, rig[j].offset);
        rig[j].offset = snw_vec3_sub(rig[j].place, rig[skeleton->parent[j]].place);
        if (rig[j].side == SNW_SIDE_NONE) rig[j].tip.x = 0;
        farthest = fmax(farthest, snw_vec3_distance(was, rig[j].place));
    }
    return farthest;
}

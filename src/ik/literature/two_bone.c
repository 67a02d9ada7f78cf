/* two-bone: a limb of two bones in closed form: shoulder, elbow, hand, with an optional pole for
 * the elbow.
 *
 * 1. The elbow opens until the hand is as far from the shoulder as the target is. With u from
 *    shoulder to elbow and v from elbow to hand, turned by phi about the elbow's axis k,
 *    |u + R v|^2 = distance^2 reads  a cos phi + b sin phi = c  with  a = u.v - (u.k)(v.k),
 *    b = u.(k x v),  c = (distance^2 - |u|^2 - |v|^2)/2 - (u.k)(v.k):
 *    phi = atan2(b, a) +- acos(c / hypot(a, b)). For u and v across k this is the cosine rule. Of
 *    the two, the one inside the limits, then the one nearer to where the elbow is, is taken.
 *    Where the target is too far or too near the elbow opens or folds as far as it goes.
 * 2. The shoulder, a ball, takes the smallest turn that points the hand to the target.
 * 3. With a pole, the limb swivels about the line to the target until the elbow is on its side.
 *
 * The shoulder is a ball, the elbow a hinge, pivot or ball; the joints above stay as they are. */
#include "base/elementary.h"
#include "base/fail.h"
#include "ik/core/bones.h"

typedef struct two_bone_state {
    int reach_goal; /* the position goal */
    int pole_goal;  /* or -1 */
    int shoulder, elbow;
    snw_vec3 elbow_in_shoulder;
    snw_vec3 hand_in_elbow;
} two_bone_state;

/* Finds the limb; false with a sentence when the problem is not one. */
static snw_status find_limb(const snw_ik *ik, two_bone_state *s, snw_error *error)
{
    const snw_skeleton *skeleton = ik->skeleton;
    s->reach_goal = s->pole_goal = -1;
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (snw__goal_is_point(goal) && s->reach_goal < 0)
            s->reach_goal = g;
        else if (snw__goal_row_of(goal)->has_limb && s->pole_goal < 0)
            s->pole_goal = g;
        else if (!snw__goal_is_secondary(goal))
            return snw__fail(error, SNW_UNSUPPORTED,
                             "two-bone takes one position and one pole, goal %d (%s) is too many",
                             g, snw_goal_kind_name(goal->kind));
    }
    if (s->reach_goal < 0)
        return snw__fail(error, SNW_UNSUPPORTED, "two-bone needs a position goal");
    if (skeleton->pin_count > 0 || ik->options.root == SNW_IK_ROOT_FREE)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "two-bone serves a limb on a fixed root and closes no loops");
    s->hand_in_elbow = ik->goal[s->reach_goal].point;
    s->elbow = snw__bones_carrier(skeleton, ik->goal[s->reach_goal].joint, &s->hand_in_elbow);
    if (s->elbow < 0) return snw__fail(error, SNW_UNSUPPORTED, "two-bone: nothing moves the hand");
    s->elbow_in_shoulder = skeleton->rest[s->elbow].translation;
    s->shoulder = snw__bones_carrier(skeleton, skeleton->parent[s->elbow], &s->elbow_in_shoulder);
    return SNW_OK;
}

static snw_status two_bone_check(const snw_ik *ik, snw_error *error)
{
    two_bone_state s;
    const snw_skeleton *skeleton = ik->skeleton;
    snw_status status = find_limb(ik, &s, error);
    if (status != SNW_OK) return status;
    snw_joint_type elbow = skeleton->joint[s.elbow].type;
    if (s.shoulder < 0 || skeleton->joint[s.shoulder].type != SNW_JOINT_BALL)
        return snw__fail(error, SNW_UNSUPPORTED, "two-bone needs a ball joint above joint %s",
                         skeleton->name[s.elbow]);
    if (elbow != SNW_JOINT_BALL && !snw__joint_is_hinge(&skeleton->joint[s.elbow]))
        return snw__fail(error, SNW_UNSUPPORTED,
                         "two-bone needs a hinge or ball as elbow, joint %s is a %s joint",
                         skeleton->name[s.elbow], snw_joint_type_name(elbow));
    if (s.pole_goal < 0) return SNW_OK;
    if (ik->goal[s.pole_goal].chain_root != s.shoulder || ik->goal[s.pole_goal].joint != s.elbow)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "two-bone: the pole of goal %d belongs to another limb", s.pole_goal);
    return SNW_OK;
}

static void *two_bone_layout(const snw_ik *ik, snw__block *block)
{
    two_bone_state *state = snw__block_take(block, 1, sizeof *state);
    if (state != NULL) (void)find_limb(ik, state, NULL);
    return state;
}

void snw__ik_opening_angles(snw_vec3 u, snw_vec3 v, snw_vec3 k, double distance, double angle[2])
{
    double axial = snw_vec3_dot(u, k) * snw_vec3_dot(v, k);
    double a = snw_vec3_dot(u, v) - axial, b = snw_vec3_dot(u, snw_vec3_cross(k, v));
    double c = 0.5 * (distance * distance - snw_vec3_length2(u) - snw_vec3_length2(v)) - axial;
    double size = snw__hypot(a, b);
    double spread = size > 0 ? snw__acos(snw_clamp(c / size, -1, 1)) : 0;
    double middle = size > 0 ? snw__atan2(b, a) : 0;
    angle[0] = snw_wrap_angle(middle + spread);
    angle[1] = snw_wrap_angle(middle - spread);
}

/* The axis a ball elbow bends about, in the world: across the limb's plane; for a straight limb
 * the pole's plane, or the ball's second axis. */
static snw_vec3 bend_axis(const snw_ik *ik, const two_bone_state *s, const snw_goal *goals,
                          const snw_pose *pose, snw_vec3 u, snw_vec3 v)
{
    const snw_joint *elbow = &ik->joint[s->elbow];
    snw_xform world = pose->world[s->elbow];
    if (elbow->type != SNW_JOINT_BALL) return snw_quat_rotate(world.rotation, elbow->axis);
    snw_vec3 across = snw_vec3_cross(u, v);
    double enough = 1e-6 * snw_vec3_length(u) * snw_vec3_length(v);
    if (snw_vec3_length(across) > enough) return snw_vec3_unit(across, across);
    snw_vec3 side = snw_quat_rotate(world.rotation, elbow->axis2);
    if (s->pole_goal >= 0) {
        snw_vec3 pole = snw_vec3_sub(goals[s->pole_goal].position, world.translation);
        if (snw_vec3_length(snw_vec3_cross(pole, u)) > 1e-9 * snw_vec3_length(pole)) side = pole;
    }
    return snw_vec3_unit(snw_vec3_cross(side, u), snw_vec3_perpendicular(u));
}

/* Hand relative to the shoulder. */
static snw_vec3 hand_from_shoulder(const two_bone_state *s, const snw_pose *pose)
{
    snw_vec3 hand = snw_pose_point(pose, s->elbow, s->hand_in_elbow);
    return snw_vec3_sub(hand, pose->world[s->shoulder].translation);
}

static void open_elbow(const snw_ik *ik, const two_bone_state *s, const snw_goal *goals,
                       double distance, snw_pose *pose)
{
    snw_vec3 elbow = pose->world[s->elbow].translation;
    snw_vec3 u = snw_vec3_sub(elbow, pose->world[s->shoulder].translation);
    snw_vec3 v = snw_vec3_sub(snw_pose_point(pose, s->elbow, s->hand_in_elbow), elbow);
    snw_vec3 axis = bend_axis(ik, s, goals, pose, u, v);
    snw_quat before = pose->rotation[s->elbow], best = before;
    double angle[2], least = HUGE_VAL;
    snw__ik_opening_angles(u, v, axis, distance, angle);
    for (int k = 0; k < 2; k++) {
        /* Elbow rotation after a turn by `angle` about the world axis, limits applied. */
        snw_quat world = pose->world[s->elbow].rotation, local = pose->rotation[s->elbow];
        snw_vec3 own = snw_quat_unrotate(world, axis);
        snw_quat turned = snw_quat_mul(local, snw_quat_from_axis_angle(own, angle[k]));
        snw_quat rotation = snw_joint_limit_apply(&ik->joint[s->elbow], turned);
        snw_quat base = snw_quat_mul(pose->world[s->elbow].rotation, snw_quat_conjugate(before));
        snw_vec3 hand = snw_quat_rotate(snw_quat_mul(base, rotation), s->hand_in_elbow);
        double miss = fabs(snw_vec3_length(snw_vec3_add(u, hand)) - distance);
        /* What a limit takes away counts first, then how far the elbow had to move. */
        double cost = miss / ik->size + 1e-9 * snw_quat_angle_between(local, rotation);
        if (cost < least) best = rotation;
        least = fmin(least, cost);
    }
    pose->rotation[s->elbow] = best;
    snw_pose_forward_from(pose, s->elbow);
}

/* Turns the shoulder by a rotation of the world about its centre. */
static void turn_shoulder(const two_bone_state *s, snw_quat turn, snw_pose *pose)
{
    snw_quat world = pose->world[s->shoulder].rotation;
    snw_quat own = snw_quat_mul(snw_quat_conjugate(world), snw_quat_mul(turn, world));
    pose->rotation[s->shoulder] =
        snw_quat_normalize(snw_quat_mul(pose->rotation[s->shoulder], own));
    snw_pose_forward_from(pose, s->shoulder);
}

static void swivel(const snw_ik *ik, const two_bone_state *s, const snw_goal *pole, snw_pose *pose)
{
    snw__ik_swivel now = snw__ik_measure_swivel(ik, pole, pose);
    if (!now.is_defined) return;
    snw_vec3 line = hand_from_shoulder(s, pose);
    turn_shoulder(s, snw_quat_from_axis_angle(snw_vec3_unit(line, now.axis), now.angle), pose);
}

static snw__ik_report two_bone_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                     snw_pose *pose)
{
    const two_bone_state *s = state;
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = SNW_IK_TWO_BONE, .iterations = 1};
    snw_vec3 shoulder = pose->world[s->shoulder].translation;
    snw_vec3 way = snw_vec3_sub(goals[s->reach_goal].position, shoulder);
    open_elbow(ik, s, goals, snw_vec3_length(way), pose);
    turn_shoulder(s, snw_quat_between(hand_from_shoulder(s, pose), way), pose);
    if (s->pole_goal >= 0) swivel(ik, s, &goals[s->pole_goal], pose);
    return report;
}

const snw__ik_method snw__ik_two_bone = {.solver = SNW_IK_TWO_BONE,
                                         .check = two_bone_check,
                                         .layout = two_bone_layout,
                                         .solve = two_bone_solve};

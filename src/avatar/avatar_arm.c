/* One arm: the elbow on its circle by the chosen method, then the joints that put it there.
 *
 * The hand is exact as long as it can be reached. The shoulder rides on the chest by its collar
 * bone, which gives way where it must: towards a shoulder that the capture shows, and where the
 * elbow would otherwise have to move much farther than its hand in one frame. That happens near
 * full stretch, where the elbow circle's radius has an infinite slope, and where a hand stands on
 * the floor while the body moves over it. People's shoulders give way there too. */
#include "avatar/avatar_arm.h"

#include "avatar/avatar_body.h"
#include "avatar/avatar_constants.h"
#include "avatar/elbow.h"
#include "avatar/state_space.h"
#include "avatar/swivel.h"
#include "base/elementary.h"
#include "person/movement.h"

typedef struct arm_reach {
    const snw__avatar_arm_input *in;
    snw_xform hand;    /* world_from_bone */
    snw_vec3 shoulder; /* world */
    snw_elbow_circle circle;
} arm_reach;

static snw_vec3 arm_flat(snw_vec3 v, snw_vec3 axis)
{
    return snw_vec3_add_scaled(v, -snw_vec3_dot(v, axis), axis);
}

static snw_vec3 arm_mirror_if(snw_vec3 v, int side)
{
    return side ? snw__mirror_point(v) : v;
}

/* ---- where the elbow is ------------------------------------------------------------------- */

/* The regression's direction, not yet across the arm, world axes. */
static snw_vec3 regressed_way(const arm_reach *reach)
{
    const snw_avatar_profile *p = reach->in->profile;
    int side = reach->in->side;
    double length = p->upper_arm[side] + p->forearm[side];
    snw_quat chest = snw_quat_conjugate(reach->in->chest.rotation);
    snw_vec3 way = snw_vec3_sub(reach->hand.translation, reach->shoulder);
    double distance = snw_vec3_length(way);
    if (distance > length) way = snw_vec3_scale(way, length / distance);
    snw__swivel_input input;
    input.reach = arm_mirror_if(snw_vec3_scale(snw_quat_rotate(chest, way), 1 / length), side);
    input.hand = snw_quat_mul(chest, reach->hand.rotation);
    if (side) input.hand = snw__mirror_turn(input.hand);
    snw_vec3 guess = snw__swivel_predict(&input, reach->in->has_swivel_extra ? p->swivel : NULL);
    return snw_quat_rotate(reach->in->chest.rotation, arm_mirror_if(guess, side));
}

/* Elevation of the elbow by a method of the literature. */
static double chosen_elevation(const snw__avatar_arm *arm, const arm_reach *reach)
{
    const snw_avatar_options *options = reach->in->options;
    const snw_avatar_profile *profile = reach->in->profile;
    const snw_xform *chest = &reach->in->chest;
    int side = reach->in->side;
    double last = arm->is_running ? arm->elevation : snw_radians(-45);
    switch (options->method) {
    case SNW_AVATAR_ELIMINATE_DOF: {
        /* The open thumb points forward in the T-pose. */
        snw_vec3 thumb = snw_quat_rotate(reach->hand.rotation, snw_vec3_make(0, 0, 1));
        snw_plane plane = {thumb, snw_vec3_dot(thumb, reach->hand.translation)};
        return snw__elbow_from_plane(&reach->circle, plane, last, options->arc_middle,
                                     options->arc_half);
    }
    case SNW_AVATAR_HAND_ELEVATION: {
        snw_vec3 finger = snw_quat_rotate(reach->hand.rotation, snw_vec3_make(side ? -1 : 1, 0, 0));
        double hand = snw__asin(snw_clamp(snw_vec3_dot(finger, options->up), -1, 1));
        const double *line = profile->elevation;
        return snw_radians(line[0] * profile->elevation_sign * snw_degrees(hand) + line[1]);
    }
    case SNW_AVATAR_STATE_SPACE: {
        snw_vec3 elbow, wrist = snw_xform_unpoint(*chest, reach->hand.translation);
        snw_quat turn = snw_quat_mul(snw_quat_conjugate(chest->rotation), reach->hand.rotation);
        snw__space_key key = snw__space_key_make(wrist, turn, side);
        if (!snw__space_find(options->state_space, side, &key, &elbow)) return last;
        return snw_elbow_elevation(&reach->circle, snw_xform_point(*chest, elbow));
    }
    case SNW_AVATAR_PALM_TO_HEAD:
        return snw__elbow_palm_to_head(&reach->circle, reach->shoulder, reach->in->head, last);
    case SNW_AVATAR_POLE:
    default: {
        snw_vec3 pole = snw_quat_rotate(chest->rotation, snw_vec3_make(0, -1, -0.5));
        return snw_elbow_elevation(&reach->circle, snw_vec3_add(reach->circle.center, pole));
    }
    }
}

/* The swivel may not run away from the last one faster than the hand allows. Both are directions
 * across the arm. */
static snw_vec3 bound_swivel(const snw__avatar_arm *arm, const arm_reach *reach, snw_vec3 way)
{
    double speed = reach->in->options->swivel_speed, radius = reach->circle.radius;
    if (!arm->is_running || !(speed > 0) || !(radius > 1e-9)) return way;
    snw_vec3 last =
        arm_flat(snw_quat_rotate(reach->in->chest.rotation, arm->swivel), reach->circle.axis);
    if (snw_vec3_length2(last) < 1e-6) return way;
    last = snw_vec3_unit(last, way);
    double hand = snw_vec3_distance(reach->hand.translation, arm->wrist);
    double most = (speed * hand + ARM_ELBOW_DRIFT * reach->in->dt) / radius;
    /* cos(most) >= 1 - most^2 / 2: most frames end here. */
    if (snw_vec3_dot(way, last) >= 1 - 0.5 * most * most) return way;
    double angle = snw_vec3_angle(last, way);
    if (angle <= most) return way;
    double sign = snw_vec3_dot(snw_vec3_cross(last, way), reach->circle.axis) < 0 ? -1 : 1;
    return snw_quat_rotate(snw_quat_from_axis_angle(reach->circle.axis, sign * most), last);
}

/* ---- the shoulder gives way --------------------------------------------------------------- */

/* Where a collar bone can put the shoulder: about its root, at its length. World. */
static snw_sphere clavicle_sphere(const snw__avatar_arm_input *in)
{
    snw_vec3 root = snw__avatar_clavicle_root(in->profile, in->side);
    snw_sphere sphere = {snw_xform_point(in->chest, root),
                         snw_vec3_distance(root, in->profile->shoulder[in->side])};
    return sphere;
}

/* The elbow nearest to `elbow` within `most` of the last one, at its length from the wrist; the
 * shoulder comes along by as little as it can. False where it cannot. */
static bool give_shoulder(const snw__avatar_arm *arm, arm_reach *reach, double most,
                          snw_vec3 *elbow)
{
    const snw_avatar_profile *p = reach->in->profile;
    int side = reach->in->side;
    double fore = reach->circle.meet == SNW_MEET_CROSS
                      ? p->forearm[side]
                      : snw_vec3_distance(*elbow, reach->hand.translation);
    const snw_sphere near[2] = {{reach->hand.translation, fore}, {arm->elbow, most}};
    snw_vec3 bound, shoulder;
    if (snw_sphere_sphere_nearest(near, *elbow, reach->circle.axis, &bound) != SNW_MEET_CROSS)
        return false;
    const snw_sphere joint[2] = {clavicle_sphere(reach->in), {bound, p->upper_arm[side]}};
    if (snw_sphere_sphere_nearest(joint, reach->shoulder, reach->circle.axis, &shoulder) !=
            SNW_MEET_CROSS ||
        snw_vec3_distance(shoulder, reach->shoulder) > ARM_GIVE)
        return false;
    reach->shoulder = shoulder;
    *elbow = bound;
    return true;
}

/* The same with the shoulder where it is, as far as the wrist stays within SNW__STILL: for an arm
 * stretched along the collar bone, which cannot give way in that direction. */
static bool give_wrist(const snw__avatar_arm *arm, const arm_reach *reach, double most,
                       snw_vec3 *elbow)
{
    const snw_avatar_profile *p = reach->in->profile;
    int side = reach->in->side;
    const snw_sphere near[2] = {{reach->shoulder, p->upper_arm[side]}, {arm->elbow, most}};
    snw_vec3 bound;
    if (snw_sphere_sphere_nearest(near, *elbow, reach->circle.axis, &bound) != SNW_MEET_CROSS ||
        fabs(snw_vec3_distance(bound, reach->hand.translation) - p->forearm[side]) > SNW__STILL)
        return false;
    *elbow = bound;
    return true;
}

/* An elbow that would move too far for its hand (file head) goes as far as it may, and what it
 * hangs from gives way. Where nothing can, it moves farther. */
static snw_vec3 bound_step(snw__avatar_arm *arm, arm_reach *reach, snw_vec3 elbow)
{
    if (!arm->is_running || !(reach->in->options->swivel_speed > 0)) return elbow;
    snw_vec3 way = snw_vec3_sub(reach->hand.translation, arm->wrist);
    arm->step = snw_vec3_lerp(arm->step, way, ARM_STEP_NEW);
    double hand = fmin(snw_vec3_length(way), snw_vec3_length(arm->step));
    /* metres: hand steps below that are shake */
    double most = ARM_STEP_RATIO * fmax(ARM_STEP_SHARE * hand, SNW__STILL);
    double step = snw_vec3_distance(elbow, arm->elbow);
    if (!(step > most) || reach->circle.meet == SNW_MEET_NESTED) return elbow;
    for (int round = 0; round < 10; round++) {
        if (give_shoulder(arm, reach, most, &elbow) || give_wrist(arm, reach, most, &elbow)) break;
        most += 0.2 * (step - most);
    }
    return elbow;
}

/* ---- joints ------------------------------------------------------------------------------- */

/* Frames of collar bone, shoulder, elbow, forearm and wrist from points and the hand's turn. */
static void pose_arm(const snw__avatar_arm *arm, const arm_reach *reach, snw_vec3 elbow,
                     snw_pose *pose)
{
    const snw__avatar_arm_input *in = reach->in;
    int first = SNW__AVATAR_ARM + in->side * SNW__AVATAR_ARM_JOINTS;
    double sign = in->side ? -1 : 1;
    snw_vec3 upper = snw_vec3_unit(snw_vec3_sub(elbow, reach->shoulder), reach->circle.axis);
    snw_vec3 fore = snw_vec3_unit(snw_vec3_sub(reach->hand.translation, elbow), reach->circle.axis);
    snw_vec3 hinge = snw_vec3_cross(upper, fore);
    if (snw_vec3_length2(hinge) < 1e-8) { /* straight: the swivel still says how it would bend */
        snw_vec3 swivel = snw_quat_rotate(in->chest.rotation, arm->swivel);
        hinge = arm_flat(snw_vec3_cross(swivel, reach->circle.axis), upper);
    }
    hinge = snw_vec3_unit(hinge, snw_vec3_perpendicular(upper));
    snw_vec3 x = snw_vec3_scale(upper, sign), y = snw_vec3_scale(hinge, -sign);
    snw_quat shoulder = snw_quat_from_mat3(snw_mat3_from_columns(x, y, snw_vec3_cross(x, y)));
    double angle = snw_vec3_angle(upper, fore);
    snw_quat bend = snw_quat_from_axis_angle(snw_vec3_make(0, -sign, 0), angle);
    snw_quat elbow_turn = snw_quat_mul(shoulder, bend), swing, twist;
    snw_quat hand = snw_quat_mul(snw_quat_conjugate(elbow_turn), reach->hand.rotation);
    /* Forearm first, then wrist: the twist of the inverse is the one applied last there. */
    snw_quat_swing_twist(snw_quat_conjugate(hand), snw_vec3_make(1, 0, 0), &swing, &twist);
    snw_vec3 root = snw__avatar_clavicle_root(in->profile, in->side);
    snw_vec3 rest = snw_vec3_sub(in->profile->shoulder[in->side], root);
    snw_vec3 now = snw_vec3_sub(snw_xform_unpoint(in->chest, reach->shoulder), root);
    snw_quat clavicle =
        snw_vec3_distance(rest, now) < 1e-9 ? snw_quat_identity() : snw_quat_between(rest, now);
    snw_quat world_from_clavicle = snw_quat_mul(in->chest.rotation, clavicle);
    pose->rotation[first] = clavicle;
    pose->rotation[first + 1] = snw_quat_mul(snw_quat_conjugate(world_from_clavicle), shoulder);
    pose->rotation[first + 2] = bend;
    pose->rotation[first + 3] = snw_quat_conjugate(twist);
    pose->rotation[first + 4] = snw_quat_conjugate(swing);
}

void snw__avatar_arm_step(snw__avatar_arm *arm, const snw__avatar_arm_input *in, snw_pose *pose,
                          snw_avatar_report *report)
{
    const snw_avatar_profile *p = in->profile;
    int side = in->side;
    arm_reach reach;
    reach.in = in;
    /* The hand, or where it would be while it is lost: as it was to the chest, at first hanging. */
    if (in->hand)
        reach.hand = *in->hand;
    else {
        if (!arm->is_running) {
            double drop = 0.97 * (p->upper_arm[in->side] + p->forearm[in->side]);
            snw_vec3 low = snw_vec3_add(p->shoulder[in->side], snw_vec3_make(0, -drop, 0.02));
            snw_vec3 inward = snw_vec3_make(0, 0, in->side ? 1 : -1);
            arm->in_chest = snw_xform_make(snw_quat_from_axis_angle(inward, 0.5 * SNW_PI), low);
        }
        reach.hand = snw_xform_mul(in->chest, arm->in_chest);
    }
    arm->in_chest = snw_xform_mul(snw_xform_inverse(in->chest), reach.hand);
    reach.shoulder = snw_xform_point(in->chest, p->shoulder[side]);
    if (in->shoulder)
        reach.shoulder = snw_sphere_nearest(clavicle_sphere(in), *in->shoulder, reach.shoulder);
    snw_sphere upper = {reach.shoulder, p->upper_arm[side]};
    snw_sphere lower = {reach.hand.translation, p->forearm[side]};
    snw_vec3 up = snw_quat_rotate(in->chest.rotation, snw_vec3_make(0, 1, 0));
    snw_vec3 out = snw_quat_rotate(in->chest.rotation, snw_vec3_make(side ? -1 : 1, 0, 0));
    reach.circle = snw_elbow_circle_make(upper, lower, up, out);
    const snw_avatar_options *options = reach.in->options;
    snw_quat chest = reach.in->chest.rotation;
    snw_vec3 way;
    if (options->method == SNW_AVATAR_AUTO) {
        way = regressed_way(&reach);
        if (arm->is_running)
            way = snw_vec3_add_scaled(way, ARM_HOLD, snw_quat_rotate(chest, arm->swivel));
        way = snw_vec3_unit(arm_flat(way, reach.circle.axis), reach.circle.rise);
    } else {
        double elevation = chosen_elevation(arm, &reach);
        elevation = snw_elbow_arc_clamp(elevation, options->arc_middle, options->arc_half);
        way = snw__elbow_way(&reach.circle, elevation);
    }
    way = bound_swivel(arm, &reach, way);
    arm->swivel = snw_quat_unrotate(chest, way);
    arm->elevation = snw_elbow_elevation(&reach.circle, snw_vec3_add(reach.circle.center, way));
    snw_vec3 elbow =
        bound_step(arm, &reach, snw_vec3_add_scaled(reach.circle.center, reach.circle.radius, way));
    pose_arm(arm, &reach, elbow, pose);
    report->is_hand_lost[side] = !in->hand;
    report->is_out_of_reach[side] = reach.circle.meet == SNW_MEET_APART;
    report->elevation[side] = arm->elevation;
    report->elbow_jump[side] = arm->is_running ? snw_vec3_distance(elbow, arm->elbow) : 0;
    arm->elbow = elbow;
    arm->wrist = reach.hand.translation;
    arm->is_running = true;
}

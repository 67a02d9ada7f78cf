/* A pose from world positions of its joints: from the root outwards, each joint is turned so that
 * its children come as near to their positions as its type allows.
 *
 * With x the children's places seen from the joint now and y where they should be, the turn R that
 * minimises sum |R x - y|^2 maximises sum y . R x = tr(R S), S = sum x y^T. All joint types work on
 * S alone: ball and free joints through the eigenvector of procrustes.c, one axis in closed form,
 * two axes by closed-form sweeps over one axis at a time with Newton's step in between. */
#include <sinew/geometry.h>

#include "base/elementary.h"
#include "body/joint_types.h"
#include "body/limit.h"
#include "math/tolerance.h"

typedef struct positions_sums {
    double s[3][3]; /* sum x y^T */
    double scale;   /* sum |x| |y|: no turn gives a larger tr(R S) */
    int count;
    snw_vec3 x, y; /* the last pair added: the only one where count is 1 */
    int child;     /* whose pair that is */
} positions_sums;

static double trace(const positions_sums *sums)
{
    return sums->s[0][0] + sums->s[1][1] + sums->s[2][2];
}

/* u . S v */
static double bilinear(const positions_sums *sums, snw_vec3 u, snw_vec3 v)
{
    const double a[3] = {u.x, u.y, u.z}, b[3] = {v.x, v.y, v.z};
    double sum = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum += a[r] * sums->s[r][c] * b[c];
    return sum;
}

/* sum x cross y: how the sum grows with a small turn. */
static snw_vec3 gradient(const positions_sums *sums)
{
    return snw_vec3_make(sums->s[1][2] - sums->s[2][1], sums->s[2][0] - sums->s[0][2],
                         sums->s[0][1] - sums->s[1][0]);
}

/* The sums with every x turned by `turn`: S becomes turn S. */
static positions_sums turn_sums(const positions_sums *sums, snw_quat turn)
{
    positions_sums out = *sums;
    snw_mat3 r = snw_mat3_from_quat(turn);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.s[i][j] =
                r.m[i][0] * sums->s[0][j] + r.m[i][1] * sums->s[1][j] + r.m[i][2] * sums->s[2][j];
    return out;
}

/* ---- one turn for each joint type ---------------------------------------------------------- */

/* Any rotation. S is also the sum over three pairs, the unit vectors and its own rows. */
static snw_quat best_turn(const positions_sums *sums)
{
    if (sums->count == 1) return snw_quat_between(sums->x, sums->y);
    const snw_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snw_vec3 rows[3];
    snw_fit fit;
    for (int i = 0; i < 3; i++)
        rows[i] = snw_vec3_make(sums->s[i][0], sums->s[i][1], sums->s[i][2]);
    if (snw_fit_rotation(units, rows, NULL, 3, &fit) != SNW_OK) return snw_quat_identity();
    return fit.to_from.rotation;
}

/* Angle about a fixed unit axis: the sum is A + B cos + C sin with B = tr S - a.Sa, C = a.g. Zero
 * where the children lie on the axis and no angle is better than another. */
static double best_angle(const positions_sums *sums, snw_vec3 axis)
{
    double cosine = trace(sums) - bilinear(sums, axis, axis);
    double sine = snw_vec3_dot(axis, gradient(sums));
    /* Bones shorter than this part of the body carry no direction: what is left of it is round-off.
     */
    if (!(snw__hypot(cosine, sine) > SNW__EXACT * sums->scale)) return 0;
    return snw__atan2(sine, cosine);
}

/* Newton's step of the two angles from the exact second derivatives; false, and angles as they
 * were, where the sum is not concave there or the step does not help. */
static bool newton_step(const snw_joint *joint, const positions_sums *sums, double angles[2])
{
    snw_quat rotation = snw__universal_rotation(joint, angles);
    positions_sums turned = turn_sums(sums, rotation);
    snw_vec3 outer = joint->axis, inner = snw_quat_rotate(rotation, joint->axis2);
    snw_vec3 g = gradient(&turned);
    double g0 = snw_vec3_dot(outer, g), g1 = snw_vec3_dot(inner, g), t = trace(&turned);
    double h00 = bilinear(&turned, outer, outer) - t;
    double h11 = bilinear(&turned, inner, inner) - t;
    double h01 = bilinear(&turned, outer, inner) - t * snw_vec3_dot(outer, inner);
    double determinant = h00 * h11 - h01 * h01;
    if (!(h00 < 0 && determinant > SNW__EXACT * sums->scale * sums->scale)) return false;
    double next[2] = {angles[0] - (h11 * g0 - h01 * g1) / determinant,
                      angles[1] - (h00 * g1 - h01 * g0) / determinant};
    positions_sums after = turn_sums(sums, snw__universal_rotation(joint, next));
    if (!(trace(&after) >= t)) return false;
    angles[0] = next[0];
    angles[1] = next[1];
    return true;
}

/* Climbs from `angles` to a maximum; returns the sum there. */
static double climb(const snw_joint *joint, const positions_sums *sums, double angles[2])
{
    /* Two-axis joints: sweeps before giving up. Newton's step ends it after about five; sweeps
     * alone would gain a digit every few rounds. */
    for (int sweep = 0; sweep < SNW__ROUNDS_MAX; sweep++) {
        double before[2] = {angles[0], angles[1]};
        positions_sums turned = turn_sums(sums, snw__universal_rotation(joint, angles));
        angles[0] += best_angle(&turned, joint->axis);
        snw_quat rotation = snw__universal_rotation(joint, angles);
        turned = turn_sums(sums, rotation);
        angles[1] += best_angle(&turned, snw_quat_rotate(rotation, joint->axis2));
        (void)newton_step(joint, sums, angles);
        if (fabs(angles[0] - before[0]) + fabs(angles[1] - before[1]) < 1e-15) break;
    }
    positions_sums at_end = turn_sums(sums, snw__universal_rotation(joint, angles));
    return trace(&at_end);
}

/* The sum has up to two maxima that are far apart (elbow up, elbow down). Starting also a quarter,
 * half and three quarters of a turn away finds the other; the one reached from `angles` wins unless
 * another is truly better. */
static void best_angles(const snw_joint *joint, const positions_sums *sums, double angles[2])
{
    const double start[2] = {angles[0], angles[1]};
    double best_sum = climb(joint, sums, angles);
    for (int i = 1; i < 4; i++) {
        double other[2] = {start[0], start[1] + 0.5 * SNW_PI * i};
        double sum = climb(joint, sums, other);
        /* A better answer in another basin must be better by this part of the best possible sum to
         * be preferred over the one nearest to where the joint was. */
        if (!(sum > best_sum + SNW__SAME * sums->scale)) continue;
        best_sum = sum;
        angles[0] = other[0];
        angles[1] = other[1];
    }
}

/* ---- the walk from the root outwards ------------------------------------------------------- */

static snw_xform frame_above(const snw_pose *pose, int i)
{
    const snw_skeleton *skeleton = pose->skeleton;
    snw_xform above = i == 0 ? pose->root : pose->world[skeleton->parent[i]];
    return snw_xform_mul(above, skeleton->rest[i]);
}

/* Places of the children in the joint's own frame against their positions seen from the frame
 * before the joint's turn, both from the joint's origin. Free children slide to their place by
 * themselves; very short bones say nothing. */
static positions_sums children_of(const snw_pose *pose, const snw_vec3 *positions, int i,
                                  snw_xform world_from_before)
{
    const snw_skeleton *skeleton = pose->skeleton;
    positions_sums sums = {{{0}}, 0, 0, {0, 0, 0}, {0, 0, 0}, -1};
    double shortest = SNW__EXACT * skeleton->size;
    world_from_before.translation = snw_xform_point(world_from_before, pose->slide[i]);
    for (int k = skeleton->first_child[i]; k >= 0; k = skeleton->next_sibling[k]) {
        if (skeleton->joint[k].type == SNW_JOINT_FREE || !snw_vec3_is_finite(positions[k]))
            continue;
        snw_vec3 x = snw_xform_point(skeleton->rest[k], pose->slide[k]);
        snw_vec3 y = snw_xform_unpoint(world_from_before, positions[k]);
        if (!(snw_vec3_length(x) > shortest && snw_vec3_length(y) > shortest)) continue;
        const double a[3] = {x.x, x.y, x.z}, b[3] = {y.x, y.y, y.z};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                sums.s[r][c] += a[r] * b[c];
        sums.scale += snw_vec3_length(x) * snw_vec3_length(y);
        sums.count++;
        sums.x = x;
        sums.y = y;
        sums.child = k;
    }
    return sums;
}

static snw_quat fit_rotation(const snw_joint *joint, const positions_sums *sums, snw_quat start)
{
    positions_sums turned = turn_sums(sums, start);
    turned.x = snw_quat_rotate(start, sums->x);
    if (snw__joint_is_hinge(joint))
        return snw_quat_normalize(snw_quat_mul(
            snw_quat_from_axis_angle(joint->axis, best_angle(&turned, joint->axis)), start));
    if (snw__joint_row_of(joint)->turns_by_parts) {
        double angles[2];
        snw__universal_angles(joint, start, angles);
        best_angles(joint, sums, angles);
        return snw_quat_normalize(snw__universal_rotation(joint, angles));
    }
    if (!snw__joint_row_of(joint)->is_vector) return start;
    return snw_quat_normalize(snw_quat_mul(best_turn(&turned), start));
}

/* A ball joint with one child leaves the twist about that bone open. Where the child is a hinge,
 * the hinge's own children need it: a shoulder must turn the upper arm until the elbow bends in the
 * plane of the wrist. Twist and hinge together are a two-axis joint at the child's origin. Returns
 * the twist, in the ball's frame; none where the segment is straight. */
static snw_quat twist_for_hinge(const snw_pose *pose, const snw_vec3 *positions, int hinge,
                                snw_xform world_from_joint)
{
    const snw_joint *joint = &pose->skeleton->joint[hinge];
    snw_xform rest = pose->skeleton->rest[hinge];
    snw_quat identity = snw_quat_identity();
    positions_sums sums =
        children_of(pose, positions, hinge, snw_xform_mul(world_from_joint, rest));
    snw_vec3 bone = snw_vec3_unit(rest.translation, rest.translation);
    snw_joint both = *joint;
    both.axis = snw_quat_unrotate(rest.rotation, bone);
    both.axis2 = joint->axis;
    if (sums.count == 0) return identity;
    double bend = snw_vec3_length(snw_vec3_cross(both.axis, sums.y));
    double across = snw_vec3_length(snw_vec3_cross(both.axis, both.axis2));
    /* A segment straighter than this (sine of the bend) does not say about which twist it bends; a
     * bone of a metre is then off by a micrometre at most. */
    if (bend < SNW__SINGLE * snw_vec3_length(sums.y) || across < SNW__SINGLE) return identity;
    double angles[2] = {0, snw__hinge_angle(joint, pose->rotation[hinge])};
    if (joint->limit.has_range[0]) /* of the two ways to bend, the one the joint is made for */
        angles[1] = 0.5 * (joint->limit.range[0][0] + joint->limit.range[0][1]);
    best_angles(&both, &sums, angles);
    return snw_quat_from_axis_angle(bone, angles[0]);
}

/* Turns joint i, whose slide is settled, towards its children. */
static void turn_joint(snw_pose *pose, const snw_vec3 *positions, int i)
{
    const snw_joint *joint = &pose->skeleton->joint[i];
    snw_xform above = frame_above(pose, i);
    positions_sums sums = children_of(pose, positions, i, above);
    if (sums.count == 0) return;
    snw_quat rotation = fit_rotation(joint, &sums, pose->rotation[i]);
    bool is_ball = snw__joint_row_of(joint)->is_vector;
    if (is_ball && sums.count == 1 && pose->skeleton->joint[sums.child].type == SNW_JOINT_HINGE) {
        snw_xform world = snw_xform_mul(above, snw_xform_make(rotation, pose->slide[i]));
        rotation = snw_quat_mul(rotation, twist_for_hinge(pose, positions, sums.child, world));
    }
    pose->rotation[i] = snw_quat_normalize(rotation);
}

/* A body whose first joint is fixed turns as a whole: the turn, found in the frame of that joint,
 * goes into the pose's root. */
static void turn_root(snw_pose *pose, const snw_vec3 *positions, snw_twist_mode mode)
{
    if (mode == SNW_TWIST_MINIMAL) pose->root.rotation = snw_quat_identity();
    snw_xform above = frame_above(pose, 0);
    /* Seen from where the joint will be. */
    above.translation = snw_vec3_sub(positions[0], snw_quat_rotate(above.rotation, pose->slide[0]));
    positions_sums sums = children_of(pose, positions, 0, above);
    if (sums.count == 0) return;
    positions_sums turned = turn_sums(&sums, pose->rotation[0]);
    turned.x = snw_quat_rotate(pose->rotation[0], sums.x);
    snw_quat turn = best_turn(&turned);
    snw_quat world_turn =
        snw_quat_mul(snw_quat_mul(above.rotation, turn), snw_quat_conjugate(above.rotation));
    pose->root.rotation = snw_quat_normalize(snw_quat_mul(world_turn, pose->root.rotation));
}

static void place_root(snw_pose *pose, const snw_vec3 *positions, snw_twist_mode mode)
{
    if (!snw_vec3_is_finite(positions[0])) return;
    if (pose->skeleton->joint[0].type == SNW_JOINT_FREE) return;
    if (pose->skeleton->joint[0].type == SNW_JOINT_FIXED) turn_root(pose, positions, mode);
    snw_vec3 place = snw_xform_point(frame_above(pose, 0), pose->slide[0]);
    pose->root.translation =
        snw_vec3_add(pose->root.translation, snw_vec3_sub(positions[0], place));
}

void snw_pose_from_positions(snw_pose *pose, const snw_vec3 *positions, snw_twist_mode mode)
{
    const snw_skeleton *skeleton = pose->skeleton;
    for (int i = 0; i < skeleton->joint_count && mode == SNW_TWIST_MINIMAL; i++) {
        if (!snw_vec3_is_finite(positions[i])) continue;
        pose->rotation[i] = snw_quat_identity();
        pose->slide[i] = snw_vec3_make(0, 0, 0);
    }
    place_root(pose, positions, mode);
    for (int i = 0; i < skeleton->joint_count; i++) {
        if (snw_vec3_is_finite(positions[i])) {
            /* Slides joint i to its position as far as its type can. */
            const snw_joint *joint = &pose->skeleton->joint[i];
            snw_vec3 wanted = snw_xform_unpoint(frame_above(pose, i), positions[i]);
            if (joint->type == SNW_JOINT_FREE) pose->slide[i] = wanted;
            if (joint->type == SNW_JOINT_PRISMATIC && i > 0)
                pose->slide[i] = snw_vec3_scale(joint->axis, snw_vec3_dot(wanted, joint->axis));
            turn_joint(pose, positions, i);
        }
        pose->world[i] =
            snw_xform_mul(frame_above(pose, i), snw_xform_make(pose->rotation[i], pose->slide[i]));
    }
}

/* What the files of joint limits share. Internal.
 *
 * Angles on a circle live in limit.c, points of the swing plane in limit_swing.c, the rotations of
 * each joint type in limit_hinge.c, limit_universal.c and limit_ball.c. */
#ifndef SNW_BODY_LIMIT_H
#define SNW_BODY_LIMIT_H

#include <sinew/body.h>

/* ---- ranges on the circle (limit.c) --------------------------------------------------------- */

typedef struct snw__range_place {
    double value;   /* the angle, or where it is outside the nearer end, as a number in the range */
    double outside; /* distance on the circle to the nearer end, 0 where the range covers it */
} snw__range_place;

/* Where `angle` in [-pi, pi] stands to the range [low, high]. Of several turns that put it inside,
 * the one nearest to [-pi, pi]. */
snw__range_place snw__range_nearest(const double range[2], double angle);
/* True only when angle = turns * atan2(sine, cosine) is surely in the range, without computing it;
 * cosine >= 0, turns > 0. False means "not known". */
bool snw__range_surely_holds(const double range[2], double sine, double cosine, double turns);

/* ---- the swing plane (limit_swing.c) -------------------------------------------------------- */

/* A point of the swing plane, see snw_joint_limit: its length is the angle of the swing. */
typedef struct snw__swing {
    double x, y;
} snw__swing;

/* False where the four angles allow every direction. */
bool snw__cone_binds(const double cone[4]);
/* Inside the irregular cone, or outside it by less than SNW_LIMIT_TOLERANCE. */
bool snw__cone_holds(const double cone[4], snw__swing point);
/* The point of the cone nearest to a point outside it. */
snw__swing snw__cone_nearest(const double cone[4], snw__swing point);

bool snw__window_holds(const snw_joint_limit *limit, snw__swing point);
/* The point of the window's edge nearest to `point`. */
snw__swing snw__window_nearest(const snw_joint_limit *limit, snw__swing point);
/* SNW_OK where the window is a simple polygon that stays off the direction straight behind. */
snw_status snw__window_check(const snw_joint_limit *limit, snw_error *error);

/* ---- joint types ----------------------------------------------------------------------------- */

/* Each takes a unit quaternion with w >= 0. They return true where it is allowed, else false and in
 * *nearest the allowed rotation nearest to it. */
bool snw__hinge_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest);
bool snw__universal_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest);
bool snw__ball_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest);

/* Angles of the joint's rotation nearest to `rotation` without limits, each in [-pi, pi]. */
double snw__hinge_angle(const snw_joint *joint, snw_quat rotation);
void snw__universal_angles(const snw_joint *joint, snw_quat rotation, double angles[2]);
/* R(axis, angles[0]) R(axis2, angles[1]). */
snw_quat snw__universal_rotation(const snw_joint *joint, const double angles[2]);

/* The same rotation as a unit quaternion with w >= 0 (of two half turns always the same one): so q
 * and -q take the same way through every formula. Not finite, zero: identity. */
snw_quat snw__rotation_canonical(snw_quat rotation);

#endif

/* Joint limits as the solvers meet them: the outward normals of the limits a rotation was held at.
 * Internal. */
#ifndef SNW_IK_BOUNDS_H
#define SNW_IK_BOUNDS_H

#include "ik/core/method.h"

/* The outward normal of a limit of a ball. */
typedef struct snw__ik_normal {
    snw_vec3 turn; /* unit, in the joint's own frame: the tangent space of rotation * exp(w) */
    bool is_twist; /* of the twist limit, not of the swing limit */
} snw__ik_normal;

/* Orthonormal normals of the ball limits that turned the rotation `asked` into `allowed`; returns
 * how many, 0 to 2. */
int snw__ik_limit_normals(const snw_joint *joint, snw_quat asked, snw_quat allowed,
                          snw__ik_normal normal[2]);

/* The rotation of a ball that is allowed and still turns what lies along `axis` (unit, in the
 * joint's base) there: `rotation` swivelled about it as little as that takes. Where no swivel is
 * allowed, the one that breaks the limits least, brought inside them. */
snw_quat snw__ik_swivel_inside(const snw_joint *joint, snw_quat rotation, snw_vec3 axis);

/* True when the joint is a ball or free joint with nothing to hold. */
bool snw__ik_joint_is_unlimited(const snw_joint *joint);

#endif

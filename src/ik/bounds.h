/* Joint limits as the solvers meet them: the outward normals of the limits a rotation was held at.
 * Internal. */
#ifndef SNW_IK_BOUNDS_H
#define SNW_IK_BOUNDS_H

#include "ik/method.h"

/* Orthonormal outward normals, in the joint's own frame (the tangent space of rotation * exp(w)),
 * of the ball limits that turned the rotation `asked` into `allowed`; returns how many, 0 to 2. */
int snw__ik_limit_normals(const snw_joint *joint, snw_quat asked, snw_quat allowed,
                          snw_vec3 normal[2]);

/* True when the joint is a ball or free joint with nothing to hold. */
bool snw__ik_joint_is_unlimited(const snw_joint *joint);

#endif

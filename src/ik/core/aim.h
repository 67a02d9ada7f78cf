/* The turn about a given axis that brings points as near to their targets as it can. Internal.
 *
 * For f_k turned by phi about the unit axis u through the origin, the sum of w_k |R f_k - t_k|^2 is
 * least where a cos phi + b sin phi is largest, with
 *     a = sum w_k (f_k . t_k - (f_k . u)(t_k . u)),  b = sum w_k u . (f_k x t_k):  phi = atan2(b,
 * a) (the analytic step of cyclic coordinate descent; in the joint's own axes a = p_x t_x + p_y t_y
 * and b = p_x t_y - p_y t_x). Orientations enter as the three axes of a frame, as directions. */
#ifndef SNW_IK_AIM_H
#define SNW_IK_AIM_H

#include <sinew/math.h>

#include "base/elementary.h"

typedef struct snw__aim {
    snw_vec3 axis; /* unit */
    double a, b;
} snw__aim;

static inline void snw__aim_add(snw__aim *aim, snw_vec3 from, snw_vec3 to, double weight)
{
    double along = snw_vec3_dot(from, aim->axis) * snw_vec3_dot(to, aim->axis);
    aim->a += weight * (snw_vec3_dot(from, to) - along);
    aim->b += weight * snw_vec3_dot(aim->axis, snw_vec3_cross(from, to));
}

/* 0 when nothing asks for a turn (everything lies on the axis). */
static inline double snw__aim_angle(const snw__aim *aim)
{
    return aim->a == 0 && aim->b == 0 ? 0 : snw__atan2(aim->b, aim->a);
}

#endif

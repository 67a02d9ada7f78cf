/* The centre of mass and the ground it stands over. Internal to ik. */
#ifndef SNW_IK_SUPPORT_POLYGON_H
#define SNW_IK_SUPPORT_POLYGON_H

#include <sinew/ik_servo.h>

#include "ik/core/system.h"

typedef struct snw__balance {
    double mass;      /* of the body; 0: not known */
    snw_vec3 *center; /* (joint_count) of each joint's mass, in its frame */
    snw_vec3 *moment; /* (joint_count) mass times place of what hangs on the joint, with it */
    double *below;    /* (joint_count) its mass */
    int edge_count;
    snw_vec3 edge[SNW_IK_SUPPORT_MAX];   /* a point of each */
    snw_vec3 inward[SNW_IK_SUPPORT_MAX]; /* unit, across `up` */
} snw__balance;

void snw__balance_layout(snw__balance *balance, const snw_skeleton *skeleton, snw__block *block);
/* given (joint_count) or NULL. */
void snw__balance_plan(snw__balance *balance, const snw_skeleton *skeleton, const snw_vec3 *given);
snw_vec3 snw__balance_center(const snw__balance *balance, const snw_pose *pose);
/* False when the points have no area across `up`. */
bool snw__balance_set(snw__balance *balance, const snw_vec3 *points, int count, snw_vec3 up);
/* Rows (edge_count x column_count) of how fast the centre moves inwards of each edge, in metres,
 * and how far inside it is; needs columns placed. Returns the least of those, INFINITY without
 * edges. */
double snw__balance_rows(snw__balance *balance, const snw__ik_system *system, const snw_pose *pose,
                         double *row, double *inside);

#endif

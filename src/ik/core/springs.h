/* Preferred poses of free trees: joints as torsion springs under forces at the goals. Internal.
 *
 * Not a method of its own: preferred poses (prefer.c) are looked for here first, where it fits. */
#ifndef SNW_IK_SPRINGS_H
#define SNW_IK_SPRINGS_H

#include "ik/core/goal_kinds.h"

typedef struct snw__ik_springs snw__ik_springs;

/* True when it fits: fixed root, no pins, position goals (at most SNW__IK_SPRINGS_GOALS, and rest
 * goals), every joint above them a ball without limits, or fixed, and none locked or stiff. */
bool snw__ik_springs_fits(const snw_ik *ik);
/* As a method's layout. Call it only when it fits. */
snw__ik_springs *snw__ik_springs_layout(const snw_ik *ik, snw__block *block);

/* What each joint is drawn to, and how firmly. */
typedef struct snw__ik_spring {
    snw_quat rotation; /* preferred, local */
    double weight;     /* of its squared turn; 0: drawn nowhere */
} snw__ik_spring;
typedef snw__ik_spring snw__ik_spring_of(const snw_ik *ik, const snw_goal *goals, int joint);

/* The pose that meets the goals nearest to the preferred one. False, with the pose as it was, when
 * that is not found: a joint is drawn nowhere, or the steps do not converge. Needs world, and
 * leaves it valid. A pose that is its own answer stays bit for bit. */
bool snw__ik_springs_solve(const snw_ik *ik, snw__ik_springs *springs, const snw_goal *goals,
                           snw__ik_spring_of *spring_of, snw_pose *pose, int *iterations);

enum {
    SNW__IK_SPRINGS_GOALS = 4
};

#endif

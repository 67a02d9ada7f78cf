/* The quick solve for trees of free ball joints and position goals. Internal.
 *
 * Not a method of its own: auto tries it where it fits, and goes on with another when it gives up.
 */
#ifndef SNW_IK_FAST_TREE_H
#define SNW_IK_FAST_TREE_H

#include "ik/core/goal_kinds.h"

typedef struct snw__ik_fast_tree snw__ik_fast_tree;

/* True when it fits: fixed root, no pins, only position goals (at most SNW__IK_FAST_GOALS), and
 * every joint above them a ball without limits, or fixed. */
bool snw__ik_fast_tree_fits(const snw_ik *ik);
/* As a method's layout. Call it only when it fits. */
snw__ik_fast_tree *snw__ik_fast_tree_layout(const snw_ik *ik, snw__block *block);
/* REACHED with rotations and world filled, or the pose as near as it came: rotations and world are
 * valid either way. iteration_max bounds the iterations. */
snw__ik_report snw__ik_fast_tree_solve(const snw_ik *ik, snw__ik_fast_tree *tree,
                                       const snw_goal *goals, snw_pose *pose, int iteration_max);

enum {
    SNW__IK_FAST_GOALS = 16
};

#endif

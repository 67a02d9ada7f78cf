/* The shared linear system without its Jacobian: for goals that pull at points and frames of limbs,
 * J^T J is the inertia of a tree, and damped steps cost as much as the body has joints. Internal.
 *
 * Movers are nodes. What limits hold is read from the movers and from system->held, so the active
 * set of system_step.c serves this form as it serves the dense one. */
#ifndef SNW_IK_SYSTEM_TREE_H
#define SNW_IK_SYSTEM_TREE_H

#include "ik/core/system.h"
#include "ik/core/tree_elimination.h"

struct snw__ik_tree {
    snw__tree_node *node; /* (mover_count) */
    snw__spatial *column; /* (column_count) every coordinate, held or not */
    double *draw;         /* (column_count) of the rotations that joints are drawn to */
    snw_vec3 (*basis)[3]; /* (mover_count) of balls: directions that are free, orthonormal */
    int *carrier;         /* (goal_count) the mover that carries the goal; -1: nothing does */
    snw_vec3 origin;      /* of this iteration */
};

/* True when the tree gives what the Jacobian gives (positions, orientations and poses, no pins),
 * the method asks for damped steps only, and there are more rows than columns. */
bool snw__ik_tree_fits(const snw_ik *ik, int row_count, int column_count);
/* Twice, as methods' layouts are. */
snw__ik_tree *snw__ik_tree_layout(const snw_ik *ik, snw__block *block);
/* After the movers are known; mover_of (joint_count) tells which is whose. */
void snw__ik_tree_plan(snw__ik_system *system, const int *mover_of);

/* What the rotations that joints are drawn to add to the energy. */
double snw__ik_tree_hold_energy(const snw__ik_system *system, const snw_pose *pose);
/* From columns and goals: the nodes' loads, and system->gradient. */
void snw__ik_tree_build(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose);
/* system->step, without what is held. False when not even damping makes it definite. */
bool snw__ik_tree_solve_damped(snw__ik_system *system, double lambda);
/* By how much system->step lowers the energy of the linear model. */
double snw__ik_tree_gain(snw__ik_system *system);
/* Sum of squares of the jacobian. Uses the nodes. */
double snw__ik_tree_trace(const snw__ik_system *system);

#endif

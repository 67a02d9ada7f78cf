/* The preferred pose: where joints go as far as goals, pins and limits leave room. Internal.
 *
 * Joints under a rest goal are drawn to rest, the others to the pose that options.prefer names.
 * Every method's answer passes through here. */
#ifndef SNW_IK_PREFER_H
#define SNW_IK_PREFER_H

#include "ik/core/newton.h"
#include "ik/core/springs.h"

struct snw__ik_preference {
    const snw__ik_snapshot *pose; /* of joints without a rest goal; NULL: rest */
    snw__ik_snapshot given;       /* options.preferred */
    bool *has_columns;            /* (joint_count) it moves goals; the others are simply put */
    double *weight;               /* (columns) 0: drawn nowhere */
    double *way;                  /* (columns) to the preferred pose, in steps of the coordinates */
    double *force;                /* (columns) W way + J^T m: what limits hold against */
    double *hessian;              /* matrix, or NULL: too large, a diagonal has to do */
    double *curved;               /* matrix: the hessian before limits are held */
    snw__ik_bend *bend;           /* (movers) of this iteration */
    bool *was_held;               /* (movers) by the last step */
    double *response;             /* (rows x columns) L^-T J^T, row by row and by place on a path */
    double *inverse;              /* (columns) D^-1 */
    double *gram;                 /* (rows x rows) J H^-1 J^T */
    double *multiplier;           /* (rows) */
    snw__ik_springs *springs;     /* or NULL: the body is not free, or has other goals */
    bool is_curved;      /* this step is taken with the hessian, not with the weights alone */
    bool has_multiplier; /* of an earlier step of this solve: curvature is known */
    bool keeps_goals;    /* goals are met and stay so; else they stay as far away as they are */
};

/* Does the problem draw joints anywhere? */
bool snw__ik_has_preference(const snw_ik *ik);
/* Twice, as methods' layouts are. */
snw__ik_preference *snw__ik_preference_layout(const snw_ik *ik, size_t rows, size_t columns,
                                              snw__block *block);
/* After the columns of the system are known. */
void snw__ik_preference_plan(snw__ik_system *system);

/* ---- ways (prefer_way.c) ------------------------------------------------------------------ */

/* Joints that move no goal go to where they are drawn: nothing speaks against it. True when one
 * was elsewhere. World is not updated. */
bool snw__ik_put_others(const snw_ik *ik, const snw_goal *goals, snw_pose *pose);
/* Fills ways and weights of all coordinates; returns the weighted square of the way. */
double snw__ik_fill_way(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose);
snw__ik_spring_of snw__ik_spring_to_preferred;

/* ---- steps (prefer_step.c) ---------------------------------------------------------------- */

/* system->step, from a built system whose ways are filled: with curvature near the goals, where
 * multipliers of the last step are known and say what limits hold; without before. */
void snw__ik_find_preferred_step(snw__ik_system *system, const snw_goal *goals,
                                 const snw_pose *pose);
/* Without curvature, and with as much damping. */
void snw__ik_find_straight_step(snw__ik_system *system, const snw_pose *pose, double damping);

/* ---- solves (prefer.c) -------------------------------------------------------------------- */

/* Goals and preference in one: from the pose to the answer, without any method. False, with the
 * pose as it was, when that does not lead there. Needs world, and leaves it valid. */
bool snw__ik_solve_preferred(const snw_ik *ik, const snw_goal *goals, snw_pose *pose,
                             int *iterations);
/* Draws the joints of a method's answer as far as the goals leave room. */
void snw__ik_draw_to_preferred(const snw_ik *ik, const snw_goal *goals, snw_pose *pose);

#endif

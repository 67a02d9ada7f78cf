/* Strict priorities of goals. Internal.
 *
 * Goals of a level are met as well as all levels before it allow: no step of a lower one is taken
 * that costs a higher one anything, whatever the weights. */
#ifndef SNW_IK_LEVELS_H
#define SNW_IK_LEVELS_H

#include "ik/core/system.h"

struct snw__ik_levels {
    int count;
    int active;     /* the first so many count in this step */
    int *of_goal;   /* (goal_count) 0: first; -1: rest */
    double *energy; /* (count) r.r / 2 of the last measure */
    double *before; /* (count) of the pose that a step started from */
    double *kept;   /* (count) at the end of its own steps */
    double *first;  /* (count) of the answer from the given pose */
    double *met;    /* (count) below this all its goals are met */
    int basis_count;
    double *basis;    /* (rows x columns) orthonormal: what the levels so far have fixed */
    double *reduced;  /* (rows x columns) J of a level there */
    double *gram;     /* (rows x rows) */
    double *work;     /* (rows) */
    int *row;         /* (rows) those of one level */
    snw_goal *higher; /* (goal_count) the goals with all but the first level made light */
    double damping;   /* relative, of this step */
    snw__ik_snapshot answer;
};

/* Do goals differ in priority? */
bool snw__ik_has_levels(const snw_ik *ik);
/* Twice, as methods' layouts are. */
snw__ik_levels *snw__ik_levels_layout(const snw_ik *ik, size_t rows, size_t columns,
                                      snw__block *block);

/* The whole solve: the method is asked for an answer that meets all goals, and where there is none
 * the levels decide. Needs world, and leaves it valid. */
snw__ik_report snw__ik_solve_levels(const snw_ik *ik, const snw_goal *goals, snw_pose *pose);

#endif

/* The iteration the classical Jacobian methods share; they differ in the direction they take.
 * Internal. */
#ifndef SNW_IK_DESCEND_H
#define SNW_IK_DESCEND_H

#include "ik/core/system.h"

typedef struct snw__ik_descent {
    snw_ik_solver solver;
    snw__ik_direction *direction;
    void *context;
    bool has_line_search; /* halve the step until the error falls; else take it as it is */
} snw__ik_descent;

snw__ik_report snw__ik_descend(const snw_ik *ik, const snw__ik_descent *descent,
                               const snw_goal *goals, snw_pose *pose);

/* check() of methods that serve every problem. */
snw_status snw__ik_check_nothing(const snw_ik *ik, snw_error *error);
/* layout() of methods that need nothing but ik->system. */
void *snw__ik_layout_nothing(const snw_ik *ik, snw__block *block);

/* Shrinks system->step so that no coordinate moves by more than `largest`. */
void snw__ik_limit_turn(snw__ik_system *system, double largest);

/* A snw__ik_direction: alpha J^T r with the step length that is best for the linear model,
 * alpha = r.(J J^T r) / |J J^T r|^2 (Buss 2004; with h = J^T r the sign is plus). */
void snw__ik_steepest(snw__ik_system *system, void *context);

/* Takes system->step, halved (*scale) until the energy falls. Returns the largest turn, or 0 with
 * the pose as it was when none helps. Measures where it ends. */
double snw__ik_search_line(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                           double *scale);

#endif

/* Newton steps for goals that cannot be met. Internal.
 *
 * Gauss-Newton leaves out the curvature of the goals, sum r . d2p, which vanishes with the error;
 * where the error stays (a target out of reach, goals that contradict each other) it converges by a
 * constant factor only, and a tracked body creeps for hundreds of solves. With that curvature the
 * last steps are quadratic, and the answer is a point that the next solve recognises as its own. */
#ifndef SNW_IK_NEWTON_H
#define SNW_IK_NEWTON_H

#include "ik/system.h"

typedef struct snw__ik_newton {
    double *curvature;    /* (columns x columns) sum r . d2p, lower triangle; of this iteration */
    double *hessian;      /* (columns x columns) its factor after a step */
    double *plain;        /* (columns x columns) the same before it was damped */
    const snw_pose *pose; /* of this iteration */
    double lambda;        /* damping of the next step */
    bool is_convex;       /* the last hessian was positive definite without help */
} snw__ik_newton;

/* Twice, as methods' layouts are; NULL when the problem is of a form or size it does not serve. */
snw__ik_newton *snw__ik_newton_layout(const snw_ik *ik, size_t columns, snw__block *block);

typedef struct snw__ik_polish {
    int iterations;
    bool is_minimum; /* no step lowers the energy, and none would to second order */
} snw__ik_polish;

/* Newton steps from the pose to the next minimum of the energy inside the limits, or to the goals.
 * Leaves the pose there, measured, world valid. Does nothing where system->newton is NULL. */
snw__ik_polish snw__ik_newton_polish(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                                     int iteration_max);

/* curvature (columns x columns, lower triangle) += sum y . d2f over the rows f of goals and pins as
 * the system scales them, y (row_count). Counts places, planes, frames and pins; aims, poles and
 * values as if they were straight. */
void snw__ik_add_row_curvature(const snw__ik_system *system, const snw_goal *goals,
                               const snw_pose *pose, const double *y, double *curvature);
/* curvature += what limits add that hold a ball against `force` (column_count, downhill): it moves
 * along their curved surface. Lower triangle. */
void snw__ik_add_limit_curvature(const snw__ik_system *system, const snw_pose *pose,
                                 const double *force, double *curvature);
/* m = P m P for the symmetric m (columns x columns): what limits hold has no curvature. */
void snw__ik_project_matrix(const snw__ik_system *system, double *m);

#endif

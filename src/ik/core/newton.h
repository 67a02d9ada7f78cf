/* Newton steps for goals that cannot be met. Internal.
 *
 * Gauss-Newton leaves out the curvature of the goals, sum r . d2p, which vanishes with the error;
 * where the error stays (a target out of reach, goals that contradict each other) it converges by a
 * constant factor only, and a tracked body creeps for hundreds of solves. With that curvature, and
 * with that of the limits it stands at, the last steps are quadratic, and the answer is a point
 * that the next solve recognises as its own. */
#ifndef SNW_IK_NEWTON_H
#define SNW_IK_NEWTON_H

#include "ik/core/system.h"

/* What the limits that hold a ball add to the curvature of the energy. */
typedef struct snw__ik_bend {
    int normal_count; /* the ball was held along so many when it was found */
    double form[6];   /* lower triangle of a symmetric 3x3 form of the ball's turns */
} snw__ik_bend;

typedef struct snw__ik_newton {
    double *full;                 /* matrix: J^T J - sum r . d2p of this iteration, no limit held */
    double *left;                 /* matrix: the same where limits hold, with what they add */
    double *factor;               /* matrix: of that, damped */
    double *right;                /* (columns) what the step was solved for */
    snw__ik_bend *bend;           /* (movers) */
    double *base;                 /* (rows) residual at the foot of the step, limits held */
    snw__ik_snapshot kept, first; /* of a stretched step, and of a window of steps */
    double floor; /* steps that can tell no more than that the energy stays above are not taken */
    const snw_pose *pose; /* of this iteration */
    double lambda;        /* damping, against the mean diagonal */
    double gain;          /* by which the model expects the step to lower the energy */
    bool is_bent;         /* damped more than at first: not definite there, or the step too long */
} snw__ik_newton;

/* Is the problem of a form that it serves? */
bool snw__ik_newton_fits(const snw_ik *ik);
/* Twice, as methods' layouts are. Needs the system's pattern. */
snw__ik_newton *snw__ik_newton_layout(const snw_ik *ik, size_t rows, size_t columns,
                                      snw__block *block);

typedef struct snw__ik_polish {
    int iterations;
    bool is_minimum; /* nothing worth a step is left */
    bool has_crept;  /* ... as the last window of steps brought next to nothing */
} snw__ik_polish;

/* Newton steps from the pose to the next minimum of the energy inside the limits, or to the goals.
 * A pose that is there stays bit for bit. Leaves it measured, world valid. Does nothing where
 * system->newton is NULL. */
snw__ik_polish snw__ik_newton_polish(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                                     int iteration_max);

/* The same, by the window: where one brings next to nothing it is taken back, and the pose counts
 * as a minimum, for from there the same steps bring the same again. So the next solve knows it. */
snw__ik_polish snw__ik_newton_settle(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                                     int iteration_max);

/* Is the measured energy so much below `energy` that it was worth the steps? */
bool snw__ik_newton_goes_on(const snw__ik_system *system, double energy);

/* Is the pose, whose goals are not met, a minimum already? Looks only; leaves it measured. */
bool snw__ik_newton_is_settled(snw__ik_system *system, const snw_goal *goals, snw_pose *pose);

/* m += sum y . d2f over the rows f of goals and pins as the system scales them, y (row_count).
 * Counts places, planes, frames and pins; aims, poles and values as if they were straight. */
void snw__ik_add_row_curvature(const snw__ik_system *system, const snw_goal *goals,
                               const snw_pose *pose, const double *y, double *m);
/* The curvature that the limits of a held ball add which stop `force` (column_count, downhill): it
 * moves along their curved surface. */
snw__ik_bend snw__ik_limit_bend(const snw__ik_system *system, const snw__ik_mover *mover,
                                const snw_pose *pose, const double *force);
/* m += the bend of the mover. */
void snw__ik_add_bend(const snw__ik_system *system, const snw__ik_mover *mover,
                      const snw__ik_bend *bend, double *m);

#endif

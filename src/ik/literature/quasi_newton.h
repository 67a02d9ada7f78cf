/* The iteration that bfgs, dfp, lbfgsb and conjugate-gradient share; they differ in how they
 * remember curvature. Internal. */
#ifndef SNW_IK_QUASI_NEWTON_H
#define SNW_IK_QUASI_NEWTON_H

#include "ik/core/system.h"

/* An approximation H of the inverse second derivative of the energy. */
typedef struct snw__ik_curvature {
    snw_ik_solver solver;
    void *memory;
    /* vector (n) = H vector */
    void (*multiply)(void *memory, int n, double *vector);
    /* Learns from a step s and the change y of the energy's slope; s.y > 0. */
    void (*learn)(void *memory, int n, const double *s, const double *y);
    /* H = scale I */
    void (*forget)(void *memory, int n, double scale);
    double *slope; /* (column_count) before the step */
} snw__ik_curvature;

snw__ik_report snw__ik_quasi_newton(const snw_ik *ik, const snw__ik_curvature *curvature,
                                    const snw_goal *goals, snw_pose *pose);

#endif

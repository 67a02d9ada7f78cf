/* One Levenberg-Marquardt step, for the method `lm` and for solves that weigh their goals anew
 * between steps (the tracker). Internal. */
#ifndef SNW_IK_LM_H
#define SNW_IK_LM_H

#include "ik/core/system.h"

typedef struct snw__ik_lm_state {
    double alpha;         /* damping against the error, follows the gain ratio */
    double alpha_retry;   /* the least after a step that was taken back */
    double damping_least; /* lambda is never below */
    double turn_max;      /* largest turn of a coordinate in one step, radians */
    double lambda;        /* of the last step */
    double expected;      /* energy by which the linear model expected it to be lower after that */
    bool corrects;        /* steps that were too long for their model are corrected; no tree */
    int rejected;         /* steps in a row that were taken back */
} snw__ik_lm_state;

/* One step from a system that was just built: limits held, pose moved, world valid, system measured
 * where the step led. Taken back when it does not lower the energy (then lm->rejected is not 0, and
 * what was measured is not of the pose). Returns the largest turn (or slide in sizes) tried. */
double snw__ik_lm_step(snw__ik_lm_state *lm, snw__ik_system *system, const snw_goal *goals,
                       snw_pose *pose);

#endif

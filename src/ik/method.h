/* The contract between snw_ik_create / snw_ik_solve and the methods. Internal.
 *
 * A method is one row: can it serve the problem, what memory does it need, solve. snw_ik_solve
 * (ik.c) owns everything around it, once for all methods: before: refuses numbers that are not
 * finite, brings the start pose inside its limits, fills world; after:  applies limits a last time,
 * fills world, measures every goal, and only then says REACHED. A method's own opinion decides
 * between UNREACHABLE, STALLED and OUT_OF_ITERATIONS. So no method can return a pose that breaks a
 * limit or claim a goal that is not met. */
#ifndef SNW_IK_METHOD_H
#define SNW_IK_METHOD_H

#include <sinew/ik.h>

#include "base/memory.h"

typedef struct snw__ik_method snw__ik_method;

struct snw_ik {
    const snw_skeleton *skeleton;
    snw_ik_options options;
    int goal_count;
    snw_goal *goal; /* (goal_count) as given at creation: kinds and joints count, numbers do not */
    double size;    /* the body's scale in metres, never 0 */
    const snw__ik_method *method;
    void *state;           /* of the method */
    double *residual;      /* (goal_count) */
    double *turn_residual; /* (goal_count) */
    bool *active_limit;    /* (joint_count) */
    snw_allocator allocator;
    size_t block_size;
};

/* What a method reports. */
typedef struct snw__ik_report {
    snw_ik_outcome outcome; /* REACHED: it believes so */
    snw_ik_solver solver;
    int iterations;
} snw__ik_report;

struct snw__ik_method {
    snw_ik_solver solver;
    /* SNW_OK, or SNW_UNSUPPORTED with a sentence. */
    snw_status (*check)(const snw_ik *ik, snw_error *error);
    /* Takes the method's memory from the block; returns its state (NULL while measuring). Called
     * twice with the same result. Fills what depends only on skeleton, goal kinds and options the
     * second time. */
    void *(*layout)(const snw_ik *ik, snw__block *block);
    /* pose->world is valid on entry and need not be on return. */
    snw__ik_report (*solve)(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose);
};

/* One row per method, by snw_ik_solver; NULL where there is none. */
const snw__ik_method *snw__ik_method_row(snw_ik_solver solver);

/* Residuals of one goal in the pose (world valid): metres (or radians when the goal is a turn) and,
 * for a pose goal, radians. */
void snw__ik_measure_goal(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose,
                          double *residual, double *turn_residual);
/* Worst of residual / tolerance over all goals that count (rest and other secondary goals do not).
 */
double snw__ik_excess(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose);

#endif

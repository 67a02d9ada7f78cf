/* Eight problems side by side: what batch_lm.c and batch_lm_step.c compute for all at once, and
 * batch_lm_lanes.c decides for each alone. Internal to them. */
#ifndef SNW_IK_BATCH_LM_LANES_H
#define SNW_IK_BATCH_LM_LANES_H

#include "ik/batch/batch_lm.h"

#if defined(SNW__LANES_INLINE)

typedef struct batch_lm_frame {
    snw__lanes4 rotation;
    snw__lanes3 place;
} batch_lm_frame;

/* A pose of all lanes. */
typedef struct batch_lm_pose {
    snw__f8 *value;        /* (coordinate_count) */
    snw__lanes4 *turn;     /* (joint_count) free balls: their rotation */
    batch_lm_frame *world; /* (joint_count) */
    snw__lanes4 *before;   /* (joint_count) rotation before the joint's own */
    snw__f8 *residual;     /* (row_room) */
    snw__f8 energy, excess;
} batch_lm_pose;

struct snw__batch_lm_lanes {
    const snw__batch_lm_plan *plan;
    batch_lm_pose now, trial;
    snw__f8 *start, *best; /* (coordinate_count) */
    snw__lanes4 *start_turn, *best_turn;
    snw__lanes3 *axis;     /* (coordinate_count) of this iteration */
    snw__lanes3 *origin;   /* (coordinate_count) */
    snw__f8 *gradient;     /* (coordinate_count) */
    snw__f8 *step;         /* (coordinate_count) */
    snw__f8 *jacobian;     /* (block_room) of every goal: rows x path */
    snw__f8 *matrix;       /* (row_room x row_room) lower half */
    snw__f8 *dual;         /* (row_room) */
    snw__lanes3 *place;    /* (goal_count) targets */
    snw__lanes4 *frame;    /* (goal_count) */
    snw__f8 *offset_scale; /* (goal_count) */
    snw__f8 *turn_scale;   /* (goal_count) */
    snw__f8 alpha, expected;
    snw__i8 is_fresh;    /* the pose to try is a start */
    snw__i8 is_accepted; /* in this iteration */
    snw__batch_lm_state state[SNW__LANES];
    int attempt[SNW__LANES], attempts_reached[SNW__LANES];
    int iterations[SNW__LANES], total[SNW__LANES];
    int accepted[SNW__LANES], rejected[SNW__LANES];
    float reference[SNW__LANES];
    float best_score[SNW__LANES];
};

/* The pose to try of every lane: forward kinematics, residuals, taken where the energy fell. */
void snw__batch_lm_measure(snw__batch_lm_lanes *lanes, snw__lanes_set set);
/* The next pose to try, from where every lane stands. */
void snw__batch_lm_advance(snw__batch_lm_lanes *lanes, snw__lanes_set set);

#endif
#endif

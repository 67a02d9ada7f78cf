/* The general kernel of the batch solve: Levenberg-Marquardt on eight problems at once, in floats,
 * for one topology with limits, several effectors, places and frames. Internal.
 *
 * A problem is solved in the frame of its own root. Lanes share nothing: what a lane does depends
 * on its problem alone, so lanes can be refilled one by one and neither neighbours nor workers can
 * be seen in the answers. Everything is flat arrays over joints (parents first), coordinates and
 * goals; there is no recursion and no allocation. */
#ifndef SNW_IK_BATCH_LM_H
#define SNW_IK_BATCH_LM_H

#include "ik/batch/lanes.h"
#include "ik/core/goal_kinds.h"

enum {
    SNW__BATCH_LM_LANES = 8
};

typedef enum snw__batch_lm_kind {
    SNW__BATCH_LM_FIXED,
    SNW__BATCH_LM_HINGE,     /* pivots too */
    SNW__BATCH_LM_UNIVERSAL, /* two angles */
    SNW__BATCH_LM_SLIDE,
    SNW__BATCH_LM_BALL, /* limited: two coordinates of the swing plane, then the twist */
    SNW__BATCH_LM_FREE_BALL
} snw__batch_lm_kind;

/* A joint above a goal. */
typedef struct snw__batch_lm_joint {
    int joint;  /* of the skeleton */
    int parent; /* in this list, or -1 */
    snw__batch_lm_kind kind;
    int first, count; /* coordinates */
    bool is_turned;   /* rest rotation is not the identity */
    bool has_cone;
    float rest_rotation[4], rest_place[3];
    float axis[3], axis2[3], side[3]; /* side = axis x axis2 */
    float cone[4];
} snw__batch_lm_joint;

typedef struct snw__batch_lm_coordinate {
    float low, high; /* far beyond any angle where there is no limit */
    float unit;      /* of a step: 1, or the body's size for slides */
    bool is_slide;
    int cone; /* 1, 2: first and second of a pair that a cone bounds together; 0: none */
} snw__batch_lm_coordinate;

typedef struct snw__batch_lm_goal {
    int slot; /* of its joint in the list; -1: nothing moves it */
    bool has_place, has_frame, has_aim;
    int row_first, row_count;
    int path_first, path_count; /* coordinates above it, root first */
    int block_first;            /* of its rows of the jacobian */
    float point[3];
    float direction[3]; /* of an aim, unit, in the joint's frame */
} snw__batch_lm_goal;

typedef struct snw__batch_lm_plan {
    int joint_count, coordinate_count, goal_count, row_count, path_total, block_total;
    int row_room, block_room;             /* the most that any goals of these counts need */
    snw__batch_lm_joint *joint;           /* (joint_count) parents first */
    snw__batch_lm_coordinate *coordinate; /* (coordinate_count) */
    snw__batch_lm_goal *goal;             /* (goal_count) */
    int *path;                            /* (path_total) coordinates of every goal */
    int *shared; /* (goal_count x goal_count) coordinates that two goals' paths have in common */
    int scatter_count;
    float *scatter;      /* (scatter_count x coordinate_count) fresh starts */
    float *scatter_turn; /* (scatter_count x joint_count x 4) the same for free balls */
    int rest_count;
    int *rest;        /* (rest_count) joints of the skeleton that no goal moves, but limits may */
    float *sure;      /* (rest_count) radians: turned by less they are inside them; 0: unknown */
    snw_vec3 *anchor; /* (goal_count) in the frame of the root: where its limb begins */
    float size, tolerance, turn_tolerance;
    int iteration_max, start_count;
} snw__batch_lm_plan;

/* Swings of a ball whose twist alone is limited: its coordinates end at a half turn. */
#define SNW__BATCH_LM_SWING_MAX 3.1
/* Fresh starts kept ready; beyond them the scalar solve takes over. */
#define SNW__BATCH_LM_STARTS 24

/* Does the kernel serve this problem? Positions, orientations, poses and aims on trees of fixed
 * joints, hinges, pivots, universals, slides and balls with cones and twist; a fixed root. */
bool snw__batch_lm_fits(const snw_ik *ik);
/* Twice, as layouts are; a plan while measuring holds counts only. scatter_count: how many fresh
 * starts are kept ready, SNW__BATCH_LM_STARTS for lanes. */
void snw__batch_lm_plan_layout(snw__batch_lm_plan *plan, const snw_ik *ik, int start_count,
                               int scatter_count, snw__block *block);

/* ---- the method's numbers, for lanes and devices alike ----------------------------------------
 */

/* As the scalar method has them (ik/core/ik_constants.h). */
#define SNW__BATCH_LM_ALPHA_FIRST ((float)SNW__IK_ALPHA_FIRST)
#define SNW__BATCH_LM_ALPHA_LEAST ((float)SNW__IK_DAMPING_LEAST)
#define SNW__BATCH_LM_ALPHA_MOST  ((float)SNW__IK_DAMPING_MOST)
#define SNW__BATCH_LM_ACCEPT      ((float)SNW__IK_ENOUGH)
/* Least damping against the mean of the diagonal: what floats need for the factorisation. */
#define SNW__BATCH_LM_RIDGE ((float)SNW__SINGLE)
/* Standing at a limit: float steps of an angle of some radians. */
#define SNW__BATCH_LM_AT_LIMIT 1e-5f
/* Beyond any angle: no limit. */
#define SNW__BATCH_LM_FAR 1e6f
/* Body sizes: what a sight is to look at is at the eye, as far as floats see. */
#define SNW__BATCH_LM_EYE ((float)SNW__SINGLE)
/* Reached: this part of the tolerance, so that doubles agree. */
#define SNW__BATCH_LM_REACHED_PART 0.9f
/* A start is given up when its energy falls by less than half in as many accepted steps, when so
 * many steps were taken back, or after a descent's; all starts together get as many as ten. */
#define SNW__BATCH_LM_WINDOW    6
#define SNW__BATCH_LM_PROGRESS  0.5f
#define SNW__BATCH_LM_REJECTED  SNW__IK_ROUNDS
#define SNW__BATCH_LM_PER_START SNW__IK_DESCENT
#define SNW__BATCH_LM_TOTAL     (10 * SNW__BATCH_LM_PER_START)
/* How far the second start is shaken, radians (or that part of the way to a random rotation). */
#define SNW__BATCH_LM_SHAKE 0.5f

/* ---- lanes ---------------------------------------------------------------------------------- */

typedef struct snw__batch_lm_lanes snw__batch_lm_lanes;

/* Memory for eight problems at once, for one worker. */
snw__batch_lm_lanes *snw__batch_lm_lanes_layout(const snw__batch_lm_plan *plan, snw__block *block);

/* Puts the start of joint `slot` of the plan into a lane: its coordinates inside their limits, or
 * the rotation of a free ball. */
void snw__batch_lm_put_joint(snw__batch_lm_lanes *lanes, int lane, int slot, const double values[6],
                             snw_quat rotation);
/* The same from a rotation and a slide inside the limits. */
void snw__batch_lm_put_pose(snw__batch_lm_lanes *lanes, int lane, int slot, const snw_joint *joint,
                            snw_quat rotation, snw_vec3 slide);
/* Is a limited ball surely inside its limits? `values`: of the swing plane, and the twist. */
bool snw__batch_lm_ball_holds(const snw__batch_lm_joint *slot, const snw_joint *joint,
                              const double values[3]);
/* Coordinates as lanes have them. */
void snw__batch_lm_values_of(const snw__batch_lm_joint *slot, const snw_joint *joint,
                             snw_quat rotation, snw_vec3 slide, double values[6]);
/* Puts the goals by their weights, in the frame of the root, and the lane begins. */
void snw__batch_lm_put_goals(snw__batch_lm_lanes *lanes, int lane, const snw_ik *ik,
                             const snw_goal *goals, snw_xform root);

typedef enum snw__batch_lm_state {
    SNW__BATCH_LM_EMPTY,
    SNW__BATCH_LM_BUSY,
    SNW__BATCH_LM_REACHED, /* as far as floats see */
    SNW__BATCH_LM_LOST     /* no start got there */
} snw__batch_lm_state;

/* One iteration of all busy lanes; true while there are any. */
bool snw__batch_lm_iterate(snw__batch_lm_lanes *lanes, snw__lanes_set set);
snw__batch_lm_state snw__batch_lm_state_of(const snw__batch_lm_lanes *lanes, int lane);
/* The answer of a lane that reached, onto the joints of the pose above goals, inside their limits
 * (world not filled). */
void snw__batch_lm_take(const snw__batch_lm_lanes *lanes, int lane, const snw_ik *ik,
                        snw_pose *pose);
/* The coordinates of its joint `slot`, inside their ranges; of angles, sums and slides alone. */
void snw__batch_lm_values(const snw__batch_lm_lanes *lanes, int lane, int slot,
                          const snw_joint *joint, double values[6]);
/* Is the answer the start itself? */
bool snw__batch_lm_is_start(const snw__batch_lm_lanes *lanes, int lane);
/* Empties a lane. */
void snw__batch_lm_drop(snw__batch_lm_lanes *lanes, int lane);

#endif

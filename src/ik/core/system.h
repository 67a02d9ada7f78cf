/* The linear system shared by all Jacobian methods. Internal.
 *
 * Columns are the coordinates the solve may move: those of every joint above a goal or pin, and the
 * six of a free root. Rows are the goals' errors, weighted and free of units: metres divided by the
 * body's size, radians times turn_weight, both times the root of the goal's weight. So one number
 * means the same for a finger and for a crane. Slides count in body sizes too.
 *
 *     snw__ik_system_build(system, goals, pose);       // residual, jacobian
 *     snw__ik_system_step(system, direction, context, pose); // limits held, pose moved, world
 * valid
 *
 * J is d(present)/d(coordinate) and r = target - present, so a step h wants J h = r. */
#ifndef SNW_IK_SYSTEM_H
#define SNW_IK_SYSTEM_H

#include "ik/core/goal_kinds.h"

/* One coordinate: a turn about a world axis through origin, or a slide along it. */
typedef struct snw__ik_column {
    int joint; /* -1: the free root */
    bool is_slide;
    snw_vec3 axis;   /* of this iteration */
    snw_vec3 origin; /* of this iteration */
} snw__ik_column;

typedef enum snw__ik_bound {
    SNW__IK_BOUND_NONE,
    SNW__IK_BOUND_BOX, /* ranges of the coordinates themselves */
    SNW__IK_BOUND_BALL /* swing and twist */
} snw__ik_bound;

/* A joint (or the root) with its columns. */
typedef struct snw__ik_mover {
    int joint; /* -1: the free root */
    int column_first;
    int column_count;
    snw__ik_bound bound;
    bool is_locked;     /* it stays as it is */
    bool is_kept;       /* locked for a while only */
    int normal_count;   /* ball: directions held in this iteration */
    snw_vec3 normal[3]; /* orthonormal, in the joint's frame */
    bool holds_swing;   /* normals are those of the swing limit, */
    bool holds_twist;   /* of the twist limit, or of both */
} snw__ik_mover;

/* The columns that move one point: path_column[first .. first + count). */
typedef struct snw__ik_path {
    int first;
    int count;
} snw__ik_path;

/* A coordinate that goes with another: it has no column of its own in J. */
typedef struct snw__ik_link {
    int follower, leader; /* columns */
    double rate;          /* of the follower, in the units of the columns */
} snw__ik_link;

/* A rotation that a joint is drawn to. */
typedef struct snw__ik_hold {
    snw_quat rotation; /* local */
    double weight;     /* of its squared angle, as the rows are free of units; 0: none */
} snw__ik_hold;

typedef struct snw__ik_tree snw__ik_tree;             /* ik/core/system_tree.h */
typedef struct snw__ik_pattern snw__ik_pattern;       /* ik/core/system_matrix.h */
typedef struct snw__ik_newton snw__ik_newton;         /* ik/core/newton.h */
typedef struct snw__ik_levels snw__ik_levels;         /* ik/core/levels.h */
typedef struct snw__ik_preference snw__ik_preference; /* ik/core/prefer.h */

struct snw__ik_system {
    const snw_ik *ik;
    int row_count;
    int column_count;
    int mover_count;
    snw__ik_column *column; /* (column_count) */
    snw__ik_mover *mover;   /* (mover_count) */
    snw__ik_path *path;     /* (3 per goal: joint, chain_root, chain_tip; then 2 per pin) */
    int *path_column;
    int link_count;
    snw__ik_link *link; /* (link_count) */
    snw__ik_tree *tree; /* NULL: the jacobian is there; else there are no jacobian and no gram */
    snw__ik_pattern *pattern;       /* of hessians; or NULL: too large, or none are needed */
    snw__ik_newton *newton;         /* or NULL */
    snw__ik_levels *levels;         /* or NULL: all goals have one priority */
    snw__ik_preference *preference; /* or NULL: joints are drawn nowhere */
    snw__ik_hold *hold;             /* (joint_count) or NULL; with a tree only */
    double *mobility;               /* (column_count) of each coordinate, or NULL: all alike */
    double *movable;                /* (column_count) a row times mobility; or NULL */
    double *jacobian;               /* (row_count x column_count) */
    int live_count;                 /* rows that have a say where the jacobian was built: */
    int *live;                      /* (row_count) in order; all others are 0 */
    bool *was_live;                 /* (row_count) when it was built before */
    double *residual;               /* (row_count) */
    double *gradient;               /* (column_count) J^T r: downhill */
    double *step;                   /* (column_count) */
    double *held;                   /* (column_count) the part of the step that limits have fixed */
    bool *is_held;                  /* (column_count) boxed columns that stand at their limit */
    double *gram;                   /* (k x k), k = min(row_count, column_count) */
    double *work;                   /* (max(row_count, column_count)) */
    double *predicted;              /* (row_count) residual that the model expects after the step */
    double *secondary; /* (column_count) a step wished for where the goals leave room */
    double *tangent;   /* (dof_count) for snw_pose_step */
    double energy;     /* r.r / 2 of the last residual */
    double excess;     /* worst error / tolerance of the last residual */
    snw__ik_snapshot before, best, start;
    snw__ik_snapshot lowest; /* lm: the minimum of the least energy */
};

/* Twice, as methods' layouts are. */
snw__ik_system *snw__ik_system_layout(const snw_ik *ik, snw__block *block);

/* How a world point moves per unit of the coordinate; slides count in body sizes. */
static inline snw_vec3 snw__ik_column_velocity(const snw__ik_system *system,
                                               const snw__ik_column *column, snw_vec3 point)
{
    if (column->is_slide) return snw_vec3_scale(column->axis, system->ik->size);
    return snw_vec3_cross(column->axis, snw_vec3_sub(point, column->origin));
}

/* Squared. */
static inline snw__ik_row_scale snw__ik_row_scale2_of(const snw_ik *ik, const snw_goal *goal)
{
    return (snw__ik_row_scale){goal->weight / (ik->size * ik->size),
                               goal->weight * goal->turn_weight * goal->turn_weight};
}
/* Fills residual, energy, excess. Needs world. */
void snw__ik_system_measure(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose);
/* The same, and columns, jacobian and gradient; lets go of all held limits. Locked movers have no
 * columns to speak of. */
void snw__ik_system_build(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose);

/* What a follower moves is moved by its leader: in a row (column_count) of coordinates. */
void snw__ik_merge_row(const snw__ik_system *system, double *row);

/* Finds system->step from jacobian and residual. Must leave those two as they are. */
typedef void snw__ik_direction(snw__ik_system *system, void *context);

/* One step with limits by active set: asks for a direction, holds what would leave its limits at
 * the limit, asks again for the rest. Then moves the pose, projects it onto the limits and fills
 * world. jacobian and residual are reduced to what was free. Returns the largest joint turn (or
 * slide in sizes) taken. */
double snw__ik_system_step(snw__ik_system *system, snw__ik_direction *direction, void *context,
                           snw_pose *pose);
/* The first half: system->step without moving the pose. */
void snw__ik_system_find_step(snw__ik_system *system, snw__ik_direction *direction, void *context,
                              const snw_pose *pose);
/* The second half: moves by scale * system->step. */
double snw__ik_system_move(snw__ik_system *system, double scale, snw_pose *pose);

/* step = (J^T J + lambda I)^-1 J^T r, through the smaller of J J^T and J^T J, or along the tree. */
void snw__ik_system_solve_damped(snw__ik_system *system, double lambda);
/* By how much the linear model expects the step of find_step to lower the energy, which was
 * `energy` before. */
double snw__ik_system_expected_gain(snw__ik_system *system, double energy);
/* Sum of squares of the jacobian divided by its smaller side: the mean squared singular value. */
double snw__ik_system_scale(const snw__ik_system *system);
/* Shortens every goal's rows to options.step_max, so that far targets are approached in steps in
 * which the linear model holds. */
void snw__ik_system_clamp_residual(snw__ik_system *system, const snw_goal *goals);

/* out (column_count) = J^T y, y (row_count) */
void snw__ik_system_pull_back(const snw__ik_system *system, const double *y, double *out);
/* out (row_count) = J h, h (column_count) */
void snw__ik_system_push(const snw__ik_system *system, const double *h, double *out);
/* Takes out of v (column_count) what limits hold in this iteration. */
void snw__ik_system_project(const snw__ik_system *system, double *v);
double snw__ik_dot(const double *a, const double *b, int count);

/* Unlocks what was locked for a while (is_kept). */
void snw__ik_system_let_go(snw__ik_system *system);
/* True when r is not small but no coordinate reduces it: a straight limb whose target lies on its
 * line, or the true end of the road. */
bool snw__ik_system_is_stationary(const snw__ik_system *system);
/* Turns every moving joint by about `angle` in a random direction, inside its limits; fills world.
 */
void snw__ik_system_shake(snw__ik_system *system, snw_random *random, double angle, snw_pose *pose);
/* Every moving joint anywhere inside its limits; fills world. */
void snw__ik_system_scatter(snw__ik_system *system, snw_random *random, snw_pose *pose);

#endif

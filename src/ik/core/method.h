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
#include "body/joint_types.h"
#include "ik/core/ik_constants.h"

typedef struct snw__ik_method snw__ik_method;
typedef struct snw__ik_system snw__ik_system; /* ik/core/system.h */
typedef struct snw__ik_prior snw__ik_prior;   /* ik/core/prior.h */

/* A pose without its world. */
typedef struct snw__ik_snapshot {
    snw_xform root;
    snw_quat *rotation; /* (joint_count) */
    snw_vec3 *slide;    /* (joint_count) */
} snw__ik_snapshot;

void snw__ik_snapshot_layout(snw__ik_snapshot *snapshot, size_t joint_count, snw__block *block);
void snw__ik_snapshot_take(snw__ik_snapshot *snapshot, const snw_pose *pose);
/* World is not restored. */
void snw__ik_snapshot_restore(const snw__ik_snapshot *snapshot, snw_pose *pose);
/* Largest turn (or slide in sizes) of a joint since then; a free root does not count. */
double snw__ik_moved_since(const snw_ik *ik, const snw__ik_snapshot *from, const snw_pose *pose);

/* How far a goal's joint can get from the first moving joint above it, whatever limits say. */
typedef struct snw__ik_reach {
    int anchor; /* that joint; -1: nothing moves above the goal */
    double sum; /* of all links from the anchor to the goal's joint; INFINITY with a free slide */
    double longest; /* link */
    bool can_slide; /* a slide moves on the way: links have no fixed length */
    bool can_turn;  /* the goal's joint itself, or a joint above it, turns its `point` */
} snw__ik_reach;

/* A shape that is to stay apart from others, with the frame that carries it: many pairs share it.
 */
typedef struct snw__ik_solid {
    const snw_shape *shape;
    int joint;             /* -1: the world */
    bool is_round;         /* two ends and a radius */
    double around;         /* radius of a ball around it, in this solve; INFINITY: a plane */
    snw_vec3 center, half; /* in its frame, in this solve; half the way between the ends */
    snw_vec3 at, along;    /* the same in the world, when last placed */
} snw__ik_solid;

struct snw_ik {
    const snw_skeleton *skeleton;
    snw_ik_options options;
    const snw_joint *joint; /* (joint_count) the skeleton's; without limits when options say so */
    bool has_control;       /* some joint is locked or stiff: only the system knows of that */
    const double *mobility; /* (joint_count) 1 / stiffness; 0: locked */
    int limited_count;
    const int *limited;     /* (limited_count) joints whose motion type or limits restrict */
    bool has_rest;          /* some goal is SNW_GOAL_REST */
    bool has_followers;     /* a joint that moves a goal or pin follows another */
    bool has_holds;         /* joints may be drawn to rotations: the system is a tree */
    bool is_stuck;          /* shaken starts are known to lead nowhere, in this part of a solve */
    snw__ik_reach *reach;   /* (goal_count) */
    snw__ik_system *system; /* NULL unless the method or a rest goal needs it */
    int goal_count;
    snw_goal *goal; /* (goal_count) as given at creation: kinds and joints count, numbers do not */
    int solid_count;
    snw__ik_solid *solid;   /* (solid_count) or NULL: no goal keeps shapes apart */
    int (*solid_of)[2];     /* (goal_count) of goals that do */
    snw_goal *scaled;       /* (goal_count) of this solve, the heaviest with weight 1 */
    snw__ik_snapshot given; /* the start of this solve, in order */
    double size;            /* the body's scale in metres, never 0 */
    snw__ik_prior *prior;   /* NULL without a style */
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
    bool world_is_valid; /* limits hold and pose->world is the forward kinematics of the pose */
    bool is_final;       /* not reached, and not worth another method: the start, or proven far */
    bool is_stuck;       /* lm: shaken starts led to the first minimum again */
} snw__ik_report;

struct snw__ik_method {
    snw_ik_solver solver;
    bool uses_system; /* ik->system must be there */
    /* SNW_OK, or SNW_UNSUPPORTED with a sentence. */
    snw_status (*check)(const snw_ik *ik, snw_error *error);
    /* Takes the method's memory from the block; returns its state (NULL while measuring). Called
     * twice with the same result. Fills what depends only on skeleton, goal kinds and options the
     * second time. */
    void *(*layout)(const snw_ik *ik, snw__block *block);
    /* pose->world is valid on entry and need not be on return. */
    snw__ik_report (*solve)(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose);
    bool takes_tree; /* it asks the system for damped steps only, never for the jacobian */
};

/* One row per method, by snw_ik_solver; NULL where there is none. */
const snw__ik_method *snw__ik_method_row(snw_ik_solver solver);

/* Lists the shapes of goals that keep them apart, once. */
void snw__ik_plan_solids(snw_ik *ik);
/* Shapes may change between solves and steps: looks at them anew. */
void snw__ik_note_shapes(const snw_ik *ik);
/* Where they are in this pose. Needs world. */
void snw__ik_place_solids(const snw_ik *ik, const snw_pose *pose);
/* The goals with weights relative to the heaviest: what a solve does must not change when all
 * weights are multiplied. Rest goals have a scale of their own (prefer.c). */
const snw_goal *snw__ik_relative_weights(snw_ik *ik, const snw_goal *goals);
/* snw_ik_create of a problem with skeleton, options, goals, goal_count, allocator and has_holds. */
snw_status snw__ik_create(snw_ik *problem, snw_ik **out, snw_error *error);

/* Is the joint `root` itself, or below it? */
bool snw__ik_is_below(const snw_skeleton *skeleton, int joint, int root);

/* A start from which every method can go: finite, unit, inside its limits; fills world. */
void snw__ik_bring_in_order(const snw_ik *ik, snw_pose *pose);

/* ---- what a solve accepts (check.c) --------------------------------------------------------- */

/* Skeleton, options, goals and goal_count of the problem; a sentence that names what is wrong. */
snw_status snw__ik_check_problem(const snw_ik *problem, snw_error *error);
/* A pose of this skeleton whose numbers are those of one? */
bool snw__ik_is_pose_of(const snw_pose *pose, const snw_skeleton *skeleton);
/* Are these goals as planned, with numbers a solve can work with? */
bool snw__ik_goals_are_usable(const snw_ik *ik, const snw_goal *goals);

/* ---- measuring (measure.c) ---------------------------------------------------------------- */

/* What a goal still lacks, as vectors: target minus present. */
typedef struct snw__ik_error {
    snw_vec3 offset; /* metres; plane, side and slide values: in x */
    snw_vec3 turn;   /* rotation vector in the world; pole and angle values: in x */
} snw__ik_error;

/* Rows of offset and of turn a goal of this kind brings into a linear system: 0, 1 or 3 each. */
typedef struct snw__ik_rows {
    int offset;
    int turn;
} snw__ik_rows;

snw__ik_rows snw__ik_goal_rows(const snw_ik *ik, const snw_goal *goal);
snw__ik_error snw__ik_goal_error(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose);
/* The larger of its residuals, each divided by its tolerance. */
double snw__ik_error_excess(const snw_ik *ik, snw__ik_error error);
/* Residual of the half of the goal that is farther from its tolerance: metres or radians. */
double snw__ik_worse_half(const snw_ik *ik, snw__ik_error error);
/* The way point a of the pin must go to meet point b. World, metres. */
snw_vec3 snw__ik_pin_gap(const snw_pin *pin, const snw_pose *pose);

/* Swivel of a limb: see SNW_GOAL_POLE. */
typedef struct snw__ik_swivel {
    bool is_defined;      /* false: limb or pole lies on the line, every swivel is as good */
    snw_vec3 origin;      /* of the limb's root joint */
    snw_vec3 axis;        /* unit, root to tip */
    double length;        /* root to tip */
    snw_vec3 elbow, pole; /* from the line, perpendicular to it */
    double angle;         /* turn about the axis that takes elbow to pole */
} snw__ik_swivel;

snw__ik_swivel snw__ik_measure_swivel(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose);

/* Residuals of one goal in the pose (world valid): metres (or radians when the goal is a turn) and,
 * for a pose goal, radians. */
void snw__ik_measure_goal(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose,
                          double *residual, double *turn_residual);
/* Worst of residual / tolerance over all goals that count (rest and other secondary goals do not)
 * and all pins. 1 or less: reached. */
double snw__ik_excess(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose);
/* The same over the pins alone. */
double snw__ik_pin_excess(const snw_ik *ik, const snw_pose *pose);

/* Where one joint is. */
typedef struct snw__ik_place {
    snw_quat rotation;
    snw_vec3 slide;
} snw__ik_place;

/* From one to the other, per coordinate: radians, and metres times `unit`. */
void snw__ik_joint_way(const snw_joint *joint, const snw__ik_place *from, const snw__ik_place *to,
                       double unit, double *way);

/* A rotation (or slide) of the joint anywhere in its ranges; balls are not brought inside their
 * limits yet. */
void snw__ik_scatter_joint(const snw_joint *joint, double size, snw_random *random,
                           snw_quat *rotation, snw_vec3 *slide);

/* ---- reach (reach.c) ---------------------------------------------------------------------- */

void snw__ik_reach_plan(const snw_ik *ik, snw__ik_reach *reach);
/* True when some goal is farther than its limb is long, or nearer than it can fold. Needs world. */
/* No less is left over, as energies of the system count, whatever the pose; 0 where that is not so.
 */
double snw__ik_unreachable_energy(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose);
bool snw__ik_is_out_of_reach(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose);

/* ---- limits (bounds.c) -------------------------------------------------------------------- */

/* Brings every joint inside its type and limits; true when something changed. World not updated. */
bool snw__ik_apply_limits(const snw_ik *ik, snw_pose *pose);
/* The joint as solves see it, so that its limits can be changed between them; the type must stay.
 */
snw_joint *snw__ik_joint(snw_ik *ik, int joint);
/* Fills active (joint_count) and returns how many joints stand at a limit. */
int snw__ik_find_active_limits(const snw_ik *ik, const snw_pose *pose, bool *active);

#endif

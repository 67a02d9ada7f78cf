/* sinew/ik.h - reaching: one problem and one result for every inverse-kinematics method.
 *
 *     snw_goal goals[1] = {snw_goal_position(hand, snw_vec3_make(0, 0, 0), target)};
 *     snw_ik_options options = snw_ik_options_default();
 *     snw_ik *ik = NULL;
 *     snw_ik_problem problem = {body, goals, 1};
 *     snw_ik_create(&problem, &options, NULL, &ik, &error);        // all memory is taken here
 *     while (running) {
 *         goals[0].position = target;
 *         snw_ik_result result = snw_ik_solve(ik, goals, pose);    // no allocation, lock or NaN
 *     }
 *     snw_ik_destroy(ik);
 *
 * Swap the method by changing options.solver. The given pose is the start (warm start) and receives
 * the answer: root, local rotations (twist kept where the goals leave it free), slides, and world
 * filled. Limits hold in every answer. A snw_ik belongs to one thread at a time; the same input
 * gives the same bits.
 */
#ifndef SINEW_IK_H
#define SINEW_IK_H

#include <sinew/body.h>
#include <sinew/collide.h>
#include <sinew/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- goals -------------------------------------------------------------------------------- */

typedef enum snw_goal_kind {
    SNW_GOAL_POSITION,    /* `point` of the joint comes to `position` */
    SNW_GOAL_ORIENTATION, /* the joint's frame turns to `orientation` (world_from_joint) */
    SNW_GOAL_POSE,        /* both */
    SNW_GOAL_AIM,         /* local `direction`, starting at `point`, points at `position` */
    SNW_GOAL_POLE,  /* the joint (an elbow, a knee) lies on the side of `position`, seen from the
                       line between `chain_root` and `chain_tip`: a swivel, it never pulls along that
                       line */
    SNW_GOAL_LINE,  /* `point` lies on the line through `position` along `direction` */
    SNW_GOAL_PLANE, /* `point` lies in the plane through `position` with normal `direction` */
    SNW_GOAL_SIDE,  /* `point` lies on the side of that plane to which `direction` points, or in it
                       (a floor) */
    SNW_GOAL_VALUE, /* coordinate number `coordinate` of the joint has `value` (radians or metres)
                     */
    SNW_GOAL_REST,  /* joint (-1: all) is drawn to rest as far as the other goals leave room */
    SNW_GOAL_APART, /* `shape`, carried by the joint, and `other`, carried by `chain_root` (-1: the
                       world), keep `value` metres apart or more: they do not pass through each
                       other */
    SNW_GOAL_AXES,  /* as SNW_GOAL_ORIENTATION, but a turn about the x, y or z axis of the joint's
                       frame counts as often as `direction` says, 0 to 1; 0: free about it */
    SNW_GOAL_KIND_COUNT
} snw_goal_kind;

typedef struct snw_goal {
    snw_goal_kind kind;
    int joint;            /* effectors need not be leaves */
    snw_vec3 point;       /* in the joint's frame */
    snw_vec3 position;    /* in the world */
    snw_quat orientation; /* world_from_joint */
    snw_vec3 direction;   /* aim: in the joint's frame; line, plane, side: in the world; axes: three
                             shares; not zero */
    int coordinate;
    double value;
    int chain_root; /* pole: the joint where the limb starts (shoulder, hip); apart: see there */
    int chain_tip;  /* pole: the joint where it ends (wrist, ankle) */
    double weight;  /* 1e-50 to 1e50; how much this goal counts against others when not all can
                       be met; only the ratio of weights counts */
    double turn_weight; /* 1e-50 to 1e50; a turn of one radian counts as turn_weight body sizes of
                           distance */
    const snw_shape *shape; /* apart: in the joint's frame; both must outlive the solve */
    const snw_shape *other; /* in the frame of chain_root, or of the world */
    int priority; /* 0; auto, lm: goals of a higher number are met as well as those of lower
                     ones allow, whatever the weights: a step that would cost those is not taken
                     (none of 800 random trees loses a goal of 0 to others, 3 of 900 poses of arms
                     do; levels that contradict each other cost up to 90 times one); as planned
                     at creation */
} snw_goal;

/* Goals with weight 1 and turn_weight 0.2; apart with weight 1e4, so that where both cannot be had
 * a reach misses by a hundred times what shapes pass through each other. */
SNW_API snw_goal snw_goal_position(int joint, snw_vec3 point, snw_vec3 position);
SNW_API snw_goal snw_goal_orientation(int joint, snw_quat orientation);
SNW_API snw_goal snw_goal_pose(int joint, snw_vec3 point, snw_vec3 position, snw_quat orientation);
SNW_API snw_goal snw_goal_aim(int joint, snw_vec3 point, snw_vec3 direction, snw_vec3 position);
SNW_API snw_goal snw_goal_pole(int joint, int chain_root, int chain_tip, snw_vec3 position);
SNW_API snw_goal snw_goal_line(int joint, snw_vec3 point, snw_vec3 position, snw_vec3 direction);
SNW_API snw_goal snw_goal_plane(int joint, snw_vec3 point, snw_vec3 position, snw_vec3 normal);
SNW_API snw_goal snw_goal_side(int joint, snw_vec3 point, snw_vec3 position, snw_vec3 normal);
SNW_API snw_goal snw_goal_value(int joint, int coordinate, double value);
SNW_API snw_goal snw_goal_rest(int joint);
SNW_API snw_goal snw_goal_axes(int joint, snw_quat orientation, snw_vec3 share);
SNW_API snw_goal snw_goal_apart(int joint, const snw_shape *shape, int other_joint,
                                const snw_shape *other, double margin);

/* A capsule for every bone of a body that knows its masses (a person's are those of the tables):
 * as thick as its mass and the density (kg/m3; people: 1050) ask for, a little off the joints at
 * its ends. Writes the first `room` of them; returns how many there are, 0 without masses. */
SNW_API int snw_body_capsules(const snw_skeleton *skeleton, double density, snw_body_shape *shapes,
                              int room);

/* A goal for every pair of shapes that can meet: not both of one joint or of the world, not of two
 * joints with nothing that moves between them, nor of neighbours or any pair that is nearer than
 * the margin at rest (those may touch). Writes the first `room` of them; returns how many there
 * are. The shapes must outlive the goals. */
SNW_API int snw_goals_apart(const snw_skeleton *skeleton, const snw_body_shape *shapes, int count,
                            double margin, snw_goal *goals, int room);
SNW_API const char *snw_goal_kind_name(snw_goal_kind kind);

/* ---- methods ------------------------------------------------------------------------------ */

/* The one list of methods. X(enumerator, name, text). */
#define SNW_IK_SOLVER_MAP(X)                                                                      \
    X(AUTO, "auto", "picks by the problem and falls back until what is solvable is solved")       \
    X(FABRIK, "fabrik", "forward and backward reaching (Aristidou & Lasenby 2011)")               \
    X(FABRIK_CGA, "fabrik-cga", "FABRIK written in conformal geometric algebra")                  \
    X(CCD, "ccd", "cyclic coordinate descent with an analytic step")                              \
    X(JACOBIAN_TRANSPOSE, "jacobian-transpose", "steepest descent with the exact step length")    \
    X(PSEUDO_INVERSE, "pseudo-inverse", "Moore-Penrose inverse of the Jacobian")                  \
    X(DLS, "dls", "damped least squares (Wampler; Nakamura & Hanafusa 1986)")                     \
    X(SVD_DLS, "svd-dls", "damped least squares through the singular values")                     \
    X(SDLS, "sdls", "selectively damped least squares (Buss & Kim 2005)")                         \
    X(FIK, "fik", "feedback inverse kinematics (Pechev 2008)")                                    \
    X(GAUSS_NEWTON, "gauss-newton", "Gauss-Newton with truncated singular values")                \
    X(LM, "lm", "self-adaptive Levenberg-Marquardt with bounds by active set")                    \
    X(BFGS, "bfgs", "quasi-Newton (Broyden, Fletcher, Goldfarb, Shanno)")                         \
    X(LBFGSB, "lbfgsb", "limited-memory BFGS, steps projected onto the bounds")                   \
    X(PARTICLE, "particle", "sequential Monte Carlo (Courty & Arnaud 2008)")                      \
    X(TRIANGULATION, "triangulation", "cosine rule from the root outwards (Mueller-Cajar 2007)")  \
    X(TWO_BONE, "two-bone", "analytic two-bone limb with a pole")                                 \
    X(DIRECTIONS, "directions", "Newton steps on bone directions: trees of free ball joints")     \
    X(CONJUGATE_GRADIENT, "conjugate-gradient", "conjugate gradients (Polak & Ribiere 1969)")     \
    X(DFP, "dfp", "quasi-Newton (Davidon; Fletcher & Powell 1963)")                               \
    X(POWELL, "powell", "conjugate directions without slopes (Powell 1964)")                      \
    X(NELDER_MEAD, "nelder-mead", "downhill simplex without slopes (Nelder & Mead 1965)")         \
    X(CCD_MASS, "ccd-mass", "coordinate descent, light limbs first (Kulpa & Multon 2005)")        \
    X(SEQUENTIAL, "sequential", "coordinate descent part by part (Unzueta et al. 2008)")          \
    X(INDUCTIVE, "inductive", "a map of postures, then coordinate descent (Kim et al. 2003)")     \
    X(EXTENDED_JACOBIAN, "extended-jacobian", "a second objective at its least (Baillieul 1985)") \
    X(MESH_IK, "mesh-ik", "a mixture of the examples of a style (Sumner et al. 2005)")

typedef enum snw_ik_solver {
#define SNW_IK_SOLVER_ENUM(enumerator, name, text) SNW_IK_##enumerator,
    SNW_IK_SOLVER_MAP(SNW_IK_SOLVER_ENUM)
#undef SNW_IK_SOLVER_ENUM
    SNW_IK_SOLVER_COUNT
} snw_ik_solver;

SNW_API const char *snw_ik_solver_name(snw_ik_solver solver);
SNW_API const char *snw_ik_solver_text(snw_ik_solver solver);
/* A snw_ik_solver; -1 when there is no such name. */
SNW_API int snw_ik_solver_find(const char *name);

/* ---- solving ------------------------------------------------------------------------------ */

typedef enum snw_ik_root {
    SNW_IK_ROOT_FIXED, /* pose->root stays */
    SNW_IK_ROOT_FREE   /* pose->root is solved for too */
} snw_ik_root;

/* Which joints help. Limb: the joints above a goal up to where the body branches. */
typedef enum snw_ik_posture {
    SNW_IK_POSTURE_ALL,  /* all, each as far as it is quick: a reach bends the trunk too */
    SNW_IK_POSTURE_LIMBS /* auto: limbs first; the rest moves only when they alone cannot reach */
} snw_ik_posture;

/* Of the poses that meet the goals, the nearest to a preferred pose among those that can be moved
 * to with the goals met: a closed path that does not change branch ends where it began. A robot arm
 * has several branches (elbow up or down), and the start decides on which the answer is: from six
 * random starts it differs for 57 to 99 of 100 targets of arms, 6 to 11 of a humanoid's. */
typedef enum snw_ik_prefer {
    SNW_IK_PREFER_NOTHING, /* the quickest answer */
    SNW_IK_PREFER_START,   /* the pose each solve starts from: joints turn as little as they can */
    SNW_IK_PREFER_REST,    /* a snw_goal_rest on a joint goes before all of these */
    SNW_IK_PREFER_GIVEN    /* options.preferred */
} snw_ik_prefer;

/* Lengths are in body sizes (skeleton->size), so the same numbers serve a finger and a crane. */
typedef struct snw_ik_options {
    snw_ik_solver solver;
    snw_ik_root root;
    double tolerance;      /* a position goal within tolerance * size is reached; 1e-4. This and
                              the other positive numbers here: 1e-30 to 1e30 */
    double turn_tolerance; /* radians, for orientation, aim and pole; 1e-3 */
    int iteration_max;     /* 500; sweeps, steps or generations, as the method counts */
    int restart_max;       /* auto, lm: fresh starts from other poses when stuck, while
                              iterations last; 64, at most 1e6 */
    int nearest_count;     /* auto, lm: of so many answers the one that turns joints least is
                              taken, while iterations last; 1: the first, 1 to 1e6 */
    double damping;        /* relative damping of dls, svd-dls, fik; 0.05 */
    double step_max;    /* largest pull on a goal in one iteration of the Jacobian methods; 0.25 */
    int particle_count; /* particle: 64 */
    bool use_limits;    /* true; false solves as if no joint had limits */
    bool use_printed;   /* false; true: fabrik treats limits by the rule its authors print, which
                           seldom reaches; for comparison */
    uint64_t seed;      /* of every random choice */
    snw_ik_posture posture; /* SNW_IK_POSTURE_ALL */
    /* auto, lm and the Jacobian methods: */
    int chain_root;            /* -1; else joints that are not at or below this one stay */
    const double *stiffness;   /* (joint_count) or NULL, read at creation: a joint of stiffness 4
                                  takes a quarter of the turn of one of 1 for the same pull; 1e-6 to
                                  1e6, or INFINITY: it stays as it is (a lock) */
    snw_ik_prefer prefer;      /* SNW_IK_PREFER_NOTHING; stiff joints are drawn the more */
    const snw_pose *preferred; /* of this skeleton, copied at creation; NULL unless GIVEN */
    double turn_max; /* INFINITY; no joint turns by more than this in one solve, radians: the answer
                        then lies on the way to the goals, and is OUT_OF_ITERATIONS */
    const snw_style *style; /* NULL; a prior of poses (sinew/style.h), which must outlive the solve:
                               it begins from the pose that style and goals (places, orientations,
                               poses) together make most likely, wherever the given pose is; joints
                               the style does not know stay as given */
    snw_vec3 style_up;      /* +y; which way is up, for styles that know how bodies lean; zero: not
                               known */
    double style_weight;    /* 1; how much the style counts against the goals; 1e-6 to 1e6 */
    uint64_t reserved[1];   /* 0; later versions grow here */
} snw_ik_options;

SNW_API snw_ik_options snw_ik_options_default(void);

typedef enum snw_ik_outcome {
    SNW_IK_REACHED,          /* every goal is within its tolerance */
    SNW_IK_UNREACHABLE,      /* proven out of reach; the answer is as near as the method gets */
    SNW_IK_STALLED,          /* no further progress, goals not met: a conflict or a local minimum */
    SNW_IK_OUT_OF_ITERATIONS /* still moving when iteration_max was spent */
} snw_ik_outcome;

SNW_API const char *snw_ik_outcome_name(snw_ik_outcome outcome);

typedef struct snw_ik_result {
    snw_ik_outcome outcome;
    snw_ik_solver solver;   /* the method that gave the answer; interesting with auto */
    int iterations;         /* over all methods tried */
    int worst_goal;         /* the goal farthest from its tolerance; -1 without goals */
    double worst_residual;  /* its residual: metres, or radians for turns */
    int active_limit_count; /* joints that stand at a limit */
} snw_ik_result;

/* What is to be solved: read at creation; the skeleton must outlive what is created for it. */
typedef struct snw_ik_problem {
    const snw_skeleton *skeleton;
    const snw_goal *goal; /* (goal_count) */
    int goal_count;
} snw_ik_problem;

typedef struct snw_ik snw_ik;

/* Plans the solve of goals of these kinds on these joints; takes all memory. options NULL: the
 * defaults. SNW_UNSUPPORTED with a sentence when the method cannot serve the problem (triangulation
 * with two effectors, say); SNW_INVALID_ARGUMENT when an option or weight is outside its bounds, or
 * the body smaller than 1e-50 m or larger than 1e50, or at rest farther than that from the origin.
 */
SNW_API snw_status snw_ik_create(const snw_ik_problem *problem, const snw_ik_options *options,
                                 const snw_allocator *allocator, snw_ik **out, snw_error *error);
SNW_API void snw_ik_destroy(snw_ik *ik);

/* goals: as many as at creation, of the same kinds, joints, coordinates and chains; their numbers
 * may change. A number that is not finite, or a place beyond 1e100 body sizes, leaves the pose as
 * it was (limits applied) and gives STALLED; so does a goal on other joints than planned. */
SNW_API snw_ik_result snw_ik_solve(snw_ik *ik, const snw_goal *goals, snw_pose *pose);

/* After a solve: residual of every goal (goal_count; metres or radians; a pose goal gives metres,
 * its turn is in turn_residual), and which joints stand at a limit (joint_count). Valid until the
 * next solve. */
SNW_API const double *snw_ik_residual(const snw_ik *ik);
SNW_API const double *snw_ik_turn_residual(const snw_ik *ik);
SNW_API const bool *snw_ik_active_limit(const snw_ik *ik);

/* ---- all answers of an arm ------------------------------------------------------------------- */

/* An arm of six hinges from the body's root to `joint`; one of seven may be held at a value (the
 * third of an arm like the iiwa: the place of its elbow; the last of an arm like the Panda). */
typedef struct snw_ik_arm {
    int joint;         /* whose frame comes to the target */
    int held;          /* a hinge that stays, or -1 */
    double held_value; /* radians */
} snw_ik_arm;

#define SNW_IK_SOLUTIONS_MAX 16

typedef struct snw_ik_solution {
    int joint[6];    /* the hinges, from the root */
    double value[6]; /* their angles: inside the range where a turn of them is, else in (-pi, pi] */
    bool is_allowed; /* all are inside their limits */
} snw_ik_solution;

/* Every pose of the hinges that brings the joint's frame to `target` (in the body's frame: as for a
 * pose whose root is the identity), in closed form, turns of 2 pi not counted: for arms with a
 * spherical wrist (the last three axes meet) whose first two axes meet or whose second and third
 * are parallel, for those that are such an arm seen from the tool (the Panda with its last hinge
 * held), and for arms whose second to fourth axes are parallel and last two meet (Universal
 * Robots). Each is exact to 1e-9 body sizes and radians. At a singular pose one answer stands for
 * all of its line. solutions: room for SNW_IK_SOLUTIONS_MAX; *count 0: out of reach.
 * SNW_UNSUPPORTED with a sentence for other arms. Takes no memory. */
SNW_API snw_status snw_ik_all_solutions(const snw_skeleton *skeleton, const snw_ik_arm *arm,
                                        snw_xform target, snw_ik_solution *solutions, int *count,
                                        snw_error *error);

/* Of seven hinges from the root to `joint` the one to hold so that the other six have a closed
 * form; -1: there are not seven, or none does. The answers of such an arm are curves, and this
 * hinge's value is the way along them: held at one value after the other it samples them. Takes no
 * memory.
 */
SNW_API int snw_ik_redundant_hinge(const snw_skeleton *skeleton, int joint);

/* ---- one step of weighted least squares ------------------------------------------------------ */

/* For solves that change their weights between steps (robust fitting of markers, say). Each step
 * lowers E = 1/2 sum weight |r / size|^2 over all goals (turns as in snw_goal) by one damped
 * Gauss-Newton step (Levenberg-Marquardt), limits kept:
 *
 *     snw_ik_stepper_restart(stepper);
 *     do weigh(goals, pose);                                   // yours
 *     while (snw_ik_stepper_step(stepper, goals, pose).largest_move > 1e-5);
 */
typedef struct snw_ik_stepper_options {
    snw_ik_root root;     /* SNW_IK_ROOT_FREE */
    bool use_limits;      /* true */
    double damping;       /* 0; square metres that resist each radian of a turn, whatever the error:
                             keeps where it is what no goal determines */
    double damping_start; /* 1e-8; damping relative to the error, squared: (J^T J + l I) h = J^T r
                             with l^2 = damping_start * 2 E; follows the gain of the steps */
    double damping_retry; /* 0; the least of it after a step that was taken back */
    double move_max;      /* INFINITY; largest turn in one step, radians, or slide in body sizes */
    bool use_holds; /* false; true: joints may be drawn to rotations (snw_ik_stepper_set_hold).
                       Goals are then positions, orientations and poses, on a body without pins */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_ik_stepper_options;

SNW_API snw_ik_stepper_options snw_ik_stepper_options_default(void);

typedef struct snw_ik_step {
    double energy;        /* E of the pose as it is now, with the weights given */
    double expected_gain; /* by how much the linear model expected the step to lower E */
    double largest_move;  /* of any coordinate in the step that was tried: radians or body sizes */
    double damping;       /* l of that step */
    bool is_rejected;     /* E did not fall: the pose is as it was */
} snw_ik_step;

typedef struct snw_ik_stepper snw_ik_stepper;

/* Goals of every kind but rest; options NULL: the defaults. Takes all memory. */
SNW_API snw_status snw_ik_stepper_create(const snw_ik_problem *problem,
                                         const snw_ik_stepper_options *options,
                                         const snw_allocator *allocator, snw_ik_stepper **out,
                                         snw_error *error);
SNW_API void snw_ik_stepper_destroy(snw_ik_stepper *stepper);
/* Forgets how former steps went: damping is as at the start. */
SNW_API void snw_ik_stepper_restart(snw_ik_stepper *stepper);
/* goals as at creation; a weight of 0 leaves one out. pose: finite and unit, world valid, on entry
 * and on return. Goals with numbers that are not finite, or so large that E is not, are rejected
 * with E infinite and the pose as it was. */
SNW_API snw_ik_step snw_ik_stepper_step(snw_ik_stepper *stepper, const snw_goal *goals,
                                        snw_pose *pose);
/* The limits of a joint as the steps keep them, the skeleton's at first; they may be changed
 * between steps, its type may not. Limits that snw_joint_check would refuse must not be given. */
SNW_API const snw_joint *snw_ik_stepper_joint(const snw_ik_stepper *stepper, int joint);
SNW_API void snw_ik_stepper_set_limit(snw_ik_stepper *stepper, int joint,
                                      const snw_joint_limit *limit);
/* Draws a joint to a local rotation: `weight` square metres times the squared angle between them
 * (the chord 2 sin(angle / 2), to be exact) stand beside the weighted squares of the goals, until
 * set anew; 0: no more. Joints without a goal on them or below stay as they are; slides, and
 * steppers without use_holds, know no holds. */
SNW_API void snw_ik_stepper_set_hold(snw_ik_stepper *stepper, int joint, snw_quat rotation,
                                     double weight);
/* Which joints (joint_count) stand at a limit in the pose; returns how many. */
SNW_API int snw_ik_stepper_active_limits(const snw_ik_stepper *stepper, const snw_pose *pose,
                                         bool *active);

/* ---- many problems at once ------------------------------------------------------------------ */

/* A part of the work: items first to end - 1, by worker `worker` (0 to worker_count - 1). Two parts
 * that run at the same time must not have the same worker. */
typedef void snw_task(void *task_context, int first, int end, int worker);
/* Sees to it that `task` is called for all items, in parts of at least range_min (the last may be
 * smaller), now or later, on any thread; what it returns is handed to finish. */
typedef void *snw_task_enqueue(void *user, snw_task *task, void *task_context, int item_count,
                               int range_min);
/* Returns when all parts have been done. */
typedef void snw_task_finish(void *user, void *handle);

/* The same goals on the same skeleton, many times over, in floats. Two kernels solve eight problems
 * at a time (AVX-512 or AVX2 where the machine has it, the same bits where it has not), at
 * tolerances that floats can hold (4e-6 and more): one for chains of ball joints without limits
 * under one position goal, one for bodies with limits of every kind but windows under places,
 * orientations, poses and aims (auto or lm, a fixed root, no stiffness). All other problems, and
 * the few that the kernels pass on, are solved one by one as by snw_ik_solve. The answers depend on
 * nothing but the problem: not on workers, nor on how the work was shared out. */
typedef struct snw_ik_batch_options {
    snw_ik_options ik;
    int worker_count; /* 1; as many hold memory of their own, up to 256 */
    /* Of your job system, both or none. None: worker_count - 1 threads live as long as the batch
     * (where the system has threads) and sleep between solves. */
    snw_task_enqueue *enqueue;
    snw_task_finish *finish;
    void *task_user;
    bool use_simd;   /* true; false: the kernel without AVX, for comparison */
    int start_count; /* 1; bodies with limits: as many starts for every problem, the given pose and
                        others, of whose answers the one that turns least from the given pose is
                        kept; at most 24 */
    /* NULL or "cpu": the processor. "opencl", "opencl:2": that device of the OpenCL loader, opened
     * at run time; "auto": its first graphics processor, if there is one. A device serves what the
     * second kernel serves, in floats, checked in doubles; without it the processor solves and
     * snw_ik_batch_trouble says why. Answers are the same in every run on one device, and reach
     * the same tolerance, not the same bits, on another. */
    const char *device;
    bool polish; /* false; true: what a device did not reach is solved in doubles as well */
    uint64_t reserved[2]; /* 0; later versions grow here */
} snw_ik_batch_options;

SNW_API snw_ik_batch_options snw_ik_batch_options_default(void);

/* Problem-major arrays of the caller. Start from {0}. */
typedef struct snw_ik_batch_job {
    int problem_count;
    const float *target; /* (problem_count x goal_count x 3) position of every goal, metres */
    float *rotation;     /* (problem_count x joint_count x 4) w, x, y, z: start in, answer out */
    float *slide;        /* (problem_count x joint_count x 3) metres, start in, answer out; NULL
                            when no joint above a goal slides */
    float *root; /* (problem_count x 7) w, x, y, z of the rotation, then the place: where each
                    body stands, and with a free root the answer; NULL: all stand alike */
    const float *orientation; /* (problem_count x goal_count x 4) of every goal that has one; NULL:
                                 as at creation */
    const float *weight;      /* (problem_count x goal_count) of every goal; NULL: as at creation */
    float *value;     /* (problem_count x dof_count) coordinates as snw_joint_values has them: start
                         in, answer out, instead of rotation and slide; or NULL */
    float *residual;  /* (problem_count) out: of the worst goal, metres or radians; or NULL */
    uint8_t *outcome; /* (problem_count) out: a snw_ik_outcome; or NULL */
    bool is_on_device; /* all arrays are buffers of the batch's device (snw_ik_batch_buffer, or
                          cl_mem of its context): nothing is copied, nothing polished; a problem
                          whose numbers cannot be worked with has outcome 255 and stays */
} snw_ik_batch_job;

typedef struct snw_ik_batch snw_ik_batch;

/* As snw_ik_create. What goals say besides what the job gives stays as it is here. */
SNW_API snw_status snw_ik_batch_create(const snw_ik_problem *problem,
                                       const snw_ik_batch_options *options,
                                       const snw_allocator *allocator, snw_ik_batch **out,
                                       snw_error *error);
SNW_API void snw_ik_batch_destroy(snw_ik_batch *batch);
/* root: where all bodies stand when the job has no roots of its own. *reached (or NULL): how many
 * problems were. Nothing is allocated and no thread is started. SNW_INVALID_ARGUMENT, with nothing
 * solved, when the job lacks an array that the answer needs: slides of joints that slide, roots
 * that are free. A batch belongs to one thread at a time. */
SNW_API snw_status snw_ik_batch_solve(snw_ik_batch *batch, snw_xform root,
                                      const snw_ik_batch_job *job, int *reached, snw_error *error);
/* Where the goals of many poses are and how they move: forward kinematics and jacobians. */
typedef struct snw_ik_batch_frames {
    float *frame;    /* (problem_count x goal_count x 7) out: rotation of the goal's joint, w, x, y,
                        z, and the place of the goal's point, both in the world; or NULL */
    float *jacobian; /* (problem_count x goal_count x 6 x dof_count) out: rows of
                        snw_pose_jacobian_point, then of snw_pose_jacobian_turn; or NULL */
} snw_ik_batch_frames;

/* Of the job only problem_count, is_on_device and the poses count (rotation and slide, or value;
 * root), which stay as they are: limits are not applied. On the processor in doubles, by all
 * workers; on a device in floats. Fails as snw_ik_batch_solve does, and when both arrays of
 * `frames` are NULL. */
SNW_API snw_status snw_ik_batch_forward(snw_ik_batch *batch, snw_xform root,
                                        const snw_ik_batch_job *job,
                                        const snw_ik_batch_frames *frames, snw_error *error);
/* A differential step: how far one goes. */
typedef struct snw_ik_batch_pace {
    double dt;             /* seconds, above 0 */
    double gain;           /* the part of a goal's error that is made good per second (at most
                              1 / dt), and the damping, both as snw_ik_servo_options has them; */
    double damping;        /* 0: its defaults */
    const float *velocity; /* (dof_count) that no coordinate exceeds, radians or metres a second,
                              above 0; or NULL */
} snw_ik_batch_pace;

/* Every pose of the job takes one differential step towards its targets: the damped least squares
 * step (Wampler 1986) with damping + |r|^2 / 2 (Sugihara 2011), coordinates at their limits held,
 * shortened as a whole where a velocity asks for it. What thousands of arms side by side need; the
 * servo (sinew/ik_servo.h) has what one body needs besides: accelerations, priorities, bodies that
 * stay apart. The answer is where the poses are; outcome is SNW_IK_REACHED where the goals are
 * within tolerance after the step. On the processor in doubles, by all workers; on a device bodies
 * whose moving joints are hinges, slides and universals, in floats. Else as snw_ik_batch_solve. */
SNW_API snw_status snw_ik_batch_step(snw_ik_batch *batch, snw_xform root,
                                     const snw_ik_batch_job *job, const snw_ik_batch_pace *pace,
                                     int *reached, snw_error *error);
/* How near the shapes of many poses come to each other: (problem_count) out, of each pose the least
 * distance less its margin over the batch's goals SNW_GOAL_APART (snw_goals_apart makes one for
 * every pair that can meet), metres; negative: nearer than they may be. On
 * the processor in doubles, by all workers. A batch that asks for a device has spheres, capsules
 * and planes there, in floats (1e-6 of the body's size), also where its goals are not for a device
 * to solve; what else it has the processor does, and snw_ik_batch_trouble says so. Of the job the
 * same counts as in snw_ik_batch_forward. */
SNW_API snw_status snw_ik_batch_clearance(snw_ik_batch *batch, snw_xform root,
                                          const snw_ik_batch_job *job, float *clearance,
                                          snw_error *error);
/* "opencl", "avx512", "avx2", "neon", "portable" or "one by one": how this batch is solved. */
SNW_API const char *snw_ik_batch_path(const snw_ik_batch *batch);
/* The name of the device that solves, or "". */
SNW_API const char *snw_ik_batch_device(const snw_ik_batch *batch);
/* Why the processor solves (or solved last) what a device was asked for; "" where nothing is wrong.
 */
SNW_API const char *snw_ik_batch_trouble(const snw_ik_batch *batch);
/* Memory for arrays of jobs that the device copies two to three times as fast as other memory; of
 * the batch, released with it, 32 pieces at most. NULL: without a device, or when there is none. */
SNW_API void *snw_ik_batch_memory(snw_ik_batch *batch, size_t size);
/* The same on the device itself, for jobs that lie there, and copies to and from it. */
SNW_API void *snw_ik_batch_buffer(snw_ik_batch *batch, size_t size);
SNW_API snw_status snw_ik_batch_upload(snw_ik_batch *batch, void *buffer, const void *from,
                                       size_t size, snw_error *error);
SNW_API snw_status snw_ik_batch_download(snw_ik_batch *batch, void *to, const void *buffer,
                                         size_t size, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* sinew/ik_servo.h - reaching in time: one step of differential inverse kinematics per tick, and
 * trajectories, under limits of speed, acceleration and jerk.
 *
 *     snw_goal goal = snw_goal_pose(tool, snw_vec3_make(0, 0, 0), place, orientation);
 *     snw_ik_problem problem = {arm, &goal, 1};
 *     snw_ik_servo_options options = snw_ik_servo_options_default();
 *     options.limit.velocity = fastest;                             // (dof_count), yours
 *     snw_ik_servo_create(&problem, &options, NULL, &servo, &error);    // all memory is taken here
 *     while (running) {
 *         goal.position = place;
 *         snw_ik_servo_step(servo, &goal, 0.001, pose);             // no allocation, lock or NaN
 *     }
 *
 * Each step solves a quadratic program for the velocities of all coordinates:
 *
 *     min sum weight |J v - gain error|^2 + damping |v - v0|^2
 *
 * with every limit as a constraint, and goals to stay apart (snw_goal_apart) too; v0 leads to the
 * posture and to manipulability. Goals of a higher priority number use what those of lower ones
 * leave. Ranges of hinges and slides, speeds, accelerations and jerks hold in every step, because a
 * step is only taken from which the joint can still stop in time. A servo belongs to one thread at
 * a time; the same input gives the same bits.
 */
#ifndef SINEW_IK_SERVO_H
#define SINEW_IK_SERVO_H

#include <sinew/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- limits in time ---------------------------------------------------------------------------
 */

/* Of every coordinate as the skeleton counts them (dof_count; radians or metres, and seconds), or
 * NULL: none. INFINITY is none too; else above 0. Of joints that follow others those of the leader
 * count. Read at creation. */
typedef struct snw_rate_limit {
    const double *velocity;
    const double *acceleration;
    const double *jerk; /* needs the acceleration */
} snw_rate_limit;

/* ---- the step ---------------------------------------------------------------------------------
 */

typedef struct snw_ik_servo_options {
    snw_ik_root root;        /* SNW_IK_ROOT_FIXED; a free root has no limits in time */
    bool use_limits;         /* true; false: joints have no ranges */
    snw_rate_limit limit;    /* none */
    double gain;             /* 10; the part of a goal's error that is made good per second, at most
                                1 / dt: INFINITY follows at once what moves less than the limits allow */
    const double *goal_gain; /* (goal_count) or NULL: of each goal instead; read at creation */
    double damping; /* 1e-5; in squared body sizes: what moves the goals less than the root of this
                       per radian stays slow; the squared error of the goals is added to it
                       (Sugihara 2011), so that targets out of reach are no reason to shake */
    const snw_pose *posture;    /* NULL; where the goals leave room joints go there; copied */
    double posture_gain;        /* 1 per second */
    int manipulability_goal;    /* -1; else the goal whose manipulability (Yoshikawa 1985) is raised
                                   where the goals leave room: arms keep away from singular poses */
    double manipulability_gain; /* 0.1 per second */
    const snw_vec3 *mass_center; /* (joint_count) of every joint's mass, in its frame; NULL: half
                                    way to its tip, else to the mean of its children; copied */
    double support_gain;  /* 10; the part of the way to the edge of support, or between shapes that
                             stay apart, that may be used up per second */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_ik_servo_options;

SNW_API snw_ik_servo_options snw_ik_servo_options_default(void);

typedef struct snw_ik_servo_result {
    bool is_reached;       /* every goal is within 1e-4 body sizes and 1e-3 rad after the step */
    int worst_goal;        /* the goal farthest from that; -1 without goals */
    double worst_residual; /* metres, or radians for turns */
    int limited_count;     /* coordinates that a limit holds back in this step */
    int given_up_count;    /* demands of support or of goals to stay apart that other limits did not
                              let hold */
    double support_margin; /* metres from the centre of mass to the nearest edge of support, seen
                              from above; negative outside; INFINITY without support */
} snw_ik_servo_result;

typedef struct snw_ik_servo snw_ik_servo;

/* Goals of every kind but rest; options NULL: the defaults. Takes all memory.
 * SNW_INVALID_ARGUMENT, with a sentence, for limits, gains or postures that are none. */
SNW_API snw_status snw_ik_servo_create(const snw_ik_problem *problem,
                                       const snw_ik_servo_options *options,
                                       const snw_allocator *allocator, snw_ik_servo **out,
                                       snw_error *error);
SNW_API void snw_ik_servo_destroy(snw_ik_servo *servo);
/* Moves the pose by one step of dt seconds and fills world. goals as at creation. The pose is the
 * one that the last step left, or any after a restart; it is brought inside its limits. Goals or dt
 * that are not finite, or dt not above 0, leave it there: the body then stops at once. dt may
 * change from step to step; the promise to stop in time is made for steps that are no longer than
 * before. */
SNW_API snw_ik_servo_result snw_ik_servo_step(snw_ik_servo *servo, const snw_goal *goals, double dt,
                                              snw_pose *pose);
/* The body stands: velocities and accelerations are zero. */
SNW_API void snw_ik_servo_restart(snw_ik_servo *servo);
/* Velocities of the last step, (dof_count), as the skeleton counts coordinates. */
SNW_API const double *snw_ik_servo_velocity(const snw_ik_servo *servo);

#define SNW_IK_SUPPORT_MAX 16

/* From the next step on the centre of mass stays over the hull of these points, seen along `up`; 0
 * points: no more. Needs masses in the skeleton. SNW_INVALID_ARGUMENT when the points have no area.
 */
SNW_API snw_status snw_ik_servo_set_support(snw_ik_servo *servo, const snw_vec3 *points, int count,
                                            snw_vec3 up, snw_error *error);
/* Where it is in a pose (world valid), by the masses and centres of the servo; the origin when
 * there are no masses. */
SNW_API snw_vec3 snw_ik_servo_mass_center(const snw_ik_servo *servo, const snw_pose *pose);

/* ---- trajectories -----------------------------------------------------------------------------
 */

typedef struct snw_trajectory_options {
    snw_rate_limit limit;     /* velocities and accelerations are needed for every coordinate that
                                 moves,     jerks may be left out */
    double root_speed;        /* 1; of a root that moves: metres and radians per second, ... */
    double root_acceleration; /* 2; ... and per second squared */
    double rate;              /* 100; frames per second of the motion */
    uint64_t reserved[4];     /* 0; later versions grow here */
} snw_trajectory_options;

SNW_API snw_trajectory_options snw_trajectory_options_default(void);

/* From one pose to another of the same skeleton, at rest at both ends, each joint on its straight
 * way and all together, as fast as the limits allow (a double S; a trapeze without jerks). */
SNW_API snw_status snw_trajectory_between(const snw_pose *from, const snw_pose *to,
                                          const snw_trajectory_options *options,
                                          const snw_allocator *allocator, snw_motion **out,
                                          snw_error *error);
/* Along the frames of a motion (a path: its timing does not count), at rest at both ends, in the
 * least time that velocities and accelerations allow: by reachability of the squared speed along
 * the path (Pham & Pham 2018). Jerks are not looked at. Between frames the path is a cubic. */
SNW_API snw_status snw_trajectory_along(const snw_motion *path,
                                        const snw_trajectory_options *options,
                                        const snw_allocator *allocator, snw_motion **out,
                                        snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

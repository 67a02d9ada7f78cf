/* sinew/ik_character.h - what games ask of a body that an animation moves: feet on uneven ground,
 * a gaze, a hand that leaves the animation by half, an elbow turned outwards.
 *
 *     snw_feet *feet = NULL;
 *     snw_terrain ground = {ground_at, NULL};                          // how high the floor is
 *     snw_feet_create(body, NULL, NULL, &feet, &error);                // all memory is taken here
 *     snw_feet_place(feet, &ground, 1.0 / 60, 1, pose);                // every frame; no
 * allocation snw_feet_destroy(feet);
 *
 * Poses come with their world filled and leave so; limits hold in them. A snw_feet belongs to one
 * thread at a time.
 */
#ifndef SINEW_IK_CHARACTER_H
#define SINEW_IK_CHARACTER_H

#include <sinew/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- feet on the ground ------------------------------------------------------------------- */

/* The ground under (or over) a place: its height along `up` and its unit normal. False: there is
 * none, the animation stays. */
typedef bool snw_terrain_at(void *context, snw_vec3 place, double *height, snw_vec3 *normal);

typedef struct snw_terrain {
    snw_terrain_at *at;
    void *context;
} snw_terrain;

/* A leg; toes -1: the foot is one piece. */
typedef struct snw_foot {
    int hip, knee, ankle, toes;
} snw_foot;

#define SNW_FOOT_MAX 8

typedef struct snw_feet_options {
    int foot_count;              /* 0: both legs of a person, by the joints' names
                                    (snw_rig_part_of) */
    snw_foot foot[SNW_FOOT_MAX]; /* (foot_count) */
    snw_vec3 up;                 /* +y; unit */
    double floor;                /* 0; height of the level floor that the animation walks on */
    double drop_max;             /* 0.5 m; the pelvis comes down by no more; up without bound */
    double settle;               /* 0.1 s; feet follow a step of the ground within about this time,
                                    0: at once */
    uint64_t reserved[4];        /* 0; later versions grow here */
} snw_feet_options;

SNW_API snw_feet_options snw_feet_options_default(void);

typedef struct snw_feet snw_feet;

/* options NULL: the defaults. SNW_UNSUPPORTED where the body has no legs of those names. */
SNW_API snw_status snw_feet_create(const snw_skeleton *skeleton, const snw_feet_options *options,
                                   const snw_allocator *allocator, snw_feet **out,
                                   snw_error *error);
SNW_API void snw_feet_destroy(snw_feet *feet);

typedef struct snw_feet_result {
    double pelvis_drop; /* metres by which the root came down (up: negative) */
    int reached_count;  /* feet that stand where they should */
    double worst;       /* metres by which one does not */
} snw_feet_result;

/* Feet keep their height over the floor as a height over the ground and take its slope the more the
 * nearer they are to it; the pelvis comes down by as much as the lowest foot asks for, or up with
 * the highest when all go up; toes do not go through the ground. dt: seconds since the last call,
 * 0: the first frame, or a cut. blend: 0 leaves the animation, 1 grounds it. */
SNW_API snw_feet_result snw_feet_place(snw_feet *feet, const snw_terrain *ground, double dt,
                                       double blend, snw_pose *pose);

/* Stairs across the way of a motion, +Y up: level at `floor` up to one run beyond `from`, then a
 * step of `rise` (down: negative) every `run`. */
typedef struct snw_stairs {
    double rise, run;     /* metres */
    double floor;         /* height of the ground that the motion walks on */
    snw_vec3 from, along; /* along: unit, level */
} snw_stairs;

/* On the way that the motion sets out on in its first second; the floor is the lowest that anything
 * of it comes. `pose` is of its body, and is used. */
SNW_API snw_stairs snw_stairs_before(const snw_motion *motion, double rise, double run,
                                     snw_pose *pose);
SNW_API double snw_stairs_height(const snw_stairs *stairs, snw_vec3 place);
/* The stairs, which must stay where they are, as ground. */
SNW_API snw_terrain snw_stairs_terrain(snw_stairs *stairs);
/* The motion over the stairs before it (run 0.05 m or more): snw_feet_place in every frame. */
SNW_API snw_status snw_motion_climb(const snw_motion *motion, double rise, double run,
                                    const snw_allocator *allocator, snw_motion **out,
                                    snw_error *error);

/* ---- gaze --------------------------------------------------------------------------------- */

#define SNW_LOOK_MAX 8

/* Joints from the trunk outwards that share a gaze. */
typedef struct snw_look {
    int joint_count;
    int joint[SNW_LOOK_MAX];    /* (joint_count) the last one looks */
    double share[SNW_LOOK_MAX]; /* (joint_count) of the whole turn, 0 or more */
    snw_vec3 ahead;             /* which way the last one looks, in its frame */
} snw_look;

/* Turns the joints by their shares of the way to the target, and what limits leave by those further
 * out; blend 0 to 1 of the way. Returns the angle that is left, radians. */
SNW_API double snw_look_at(const snw_look *look, snw_vec3 target, double blend, snw_pose *pose);

/* ---- over an animation -------------------------------------------------------------------- */

/* The goal as it lies `blend` of the way (0 to 1) from where the pose has its joint to where it
 * asks it to be: what other tools call the reach of a limb. Places, orientations and poses. */
SNW_API snw_goal snw_goal_blend(const snw_goal *goal, const snw_pose *pose, double blend);

/* Where a pole must be so that the limb chain_root - joint - chain_tip of the goal, with its tip
 * led to `target`, has its middle joint turned by `angle` (radians, about the line from root to
 * target) from where the pose has it. */
SNW_API snw_vec3 snw_pole_place(const snw_goal *pole, const snw_pose *pose, snw_vec3 target,
                                double angle);

#ifdef __cplusplus
}
#endif
#endif

/* What the built-in motions share: the actor's joints, curves in time, random numbers by place.
 * Internal.
 *
 * A motion is a function of time alone: it poses the body for second t from the seed and from
 * nothing that happened before, so any frame can be made by itself. */
#ifndef SNW_SYNTH_STAGE_H
#define SNW_SYNTH_STAGE_H

#include <sinew/synth.h>

/* ---- random numbers by place -------------------------------------------------------------- */

typedef enum snw__synth_purpose {
    SNW__PURPOSE_STYLE,  /* how this person moves */
    SNW__PURPOSE_MOVE,   /* the nth punch, target, gesture */
    SNW__PURPOSE_PLACE,  /* of markers on a segment */
    SNW__PURPOSE_WOBBLE, /* of one marker */
    SNW__PURPOSE_TISSUE, /* wobble that the markers of a segment share */
    SNW__PURPOSE_NOISE,
    SNW__PURPOSE_RESIDUAL,
    SNW__PURPOSE_RAY,
    SNW__PURPOSE_GAP,
    SNW__PURPOSE_VIEW /* one point in one camera */
} snw__synth_purpose;

/* Numbers that depend on the four values and on nothing else. */
snw_random snw__synth_random(uint64_t seed, snw__synth_purpose purpose, int first, int second);

/* ---- curves ------------------------------------------------------------------------------- */

/* 0 up to u = 0, 1 from u = 1, between them 10u^3 - 15u^4 + 6u^5: speed and acceleration are zero
 * at both ends. */
double snw__ease(double u);
/* 0 to 1 with a constant speed in the middle: 1.33 times the mean, where ease has 1.875. */
double snw__travel(double u);
/* 0 at both ends with zero speed and acceleration, 1 in the middle. */
double snw__bump(double u);

typedef struct snw__key {
    double at;
    double value;
} snw__key;

/* Eases from key to key; at rest in each. `at` increases; constant outside. */
double snw__keyed(const snw__key *keys, int count, double at);

/* ---- the actor ---------------------------------------------------------------------------- */

typedef struct snw__arm {
    int clavicle, shoulder, elbow, forearm, wrist;
} snw__arm;

typedef struct snw__leg {
    int hip, knee, ankle, toes;
} snw__leg;

typedef struct snw__performer {
    int spine, chest, neck, head;
    snw__arm arm[2];
    snw__leg leg[2];
    double sole; /* height of the ankle above the floor when the foot is flat, metres */
} snw__performer;

/* Fails when the skeleton is not built like the humanoid preset. */
snw_status snw__actor_find(const snw_skeleton *skeleton, snw__performer *actor, snw_error *error);

/* +1 for the left side, -1 for the right: what is positive towards the left, or inward, mirrors. */
double snw__side_sign(int side);

/* A ball joint by its swing coordinates (see snw_joint_limit) and its twist: for the trunk
 * forward, left, turn to the left; for the left shoulder forward, down, twist inward. Of right
 * segments the last two are mirrored by the caller's side. All radians. */
void snw__set_ball(snw_pose *pose, int joint, int side, const double swing_twist[3]);
/* Hinge, pivot, universal: its angles. */
void snw__set_angles(snw_pose *pose, int joint, double first, double second);

/* Reaches with two bones: upper ball joint, lower hinge, `end` a joint on the straight line through
 * the lower bone. The hinge moves off the line towards `pole`. A target farther than 99.8 % of the
 * segment is approached smoothly. Needs the world of everything above `upper`; fills world of
 * `upper` and of what follows it. */
typedef struct snw__segment_goal {
    int upper, lower, end;
    snw_vec3 target;
    snw_vec3 pole;
} snw__segment_goal;
void snw__segment_reach(snw_pose *pose, const snw__segment_goal *goal);

/* Where a foot is: the floor point below its ankle were it flat there, its heading about +y, and
 * its pitch (heel up is positive). Up to pitch 0 it stands on the heel, beyond on the ball of the
 * foot; `roll` in [0, 1] blends between the two, so that a swinging foot may change without a jolt.
 */
typedef struct snw__footing {
    snw_vec3 base;
    double heading;
    double pitch;
    double roll; /* 0: on the ball; 1: on the heel */
    double toes; /* angle of the toe joint */
} snw__footing;
/* Legs reach their footings; needs the world of the pelvis. */
void snw__stand(const snw__performer *actor, snw_pose *pose, const snw__footing footing[2]);
/* A flat foot. */
snw__footing snw__flat_foot(double x, double z, double heading);

snw_quat snw__turn_x(double angle);
snw_quat snw__turn_y(double angle);
snw_quat snw__turn_z(double angle);

/* ---- the motions -------------------------------------------------------------------------- */

typedef struct snw__stage {
    const snw_skeleton *skeleton;
    const snw_synth_options *options;
    snw__performer actor; /* of humanoid motions */
    int slot_count;       /* of turns in the range exercise, 1.. */
    int *slot;       /* (joint_count) whose turn it is: the depth in the tree, the root with its
                        children */
    double standing; /* height of the root with the lowest joint or tip on the floor, at rest */
} snw__stage;

/* Poses the body at `time`; joints not mentioned stay at rest. World need not be valid. */
typedef void snw__motion_at(const snw__stage *stage, double time, snw_pose *pose);

snw__motion_at snw__walk_at;
snw__motion_at snw__run_at;
snw__motion_at snw__dance_at;
snw__motion_at snw__boxing_at;
snw__motion_at snw__reach_at;
snw__motion_at snw__range_at;
snw__motion_at snw__gestures_at;

/* Foot strikes and foot offs of walk and run within the trial's time. */
snw_status snw__gait_events(const snw_synth_options *options, snw_trial *trial, snw_error *error);

#endif

/* What the files of retarget share: two bodies in their T-pose. Internal to retarget. */
#ifndef SNW_RETARGET_RETARGET_BODY_H
#define SNW_RETARGET_RETARGET_BODY_H

#include <sinew/ik.h>
#include <sinew/person.h>
#include <sinew/retarget.h>

/* Joints of a limb from the trunk outwards, -1 where there is none. */
typedef struct snw__limb {
    int top, middle, end; /* hip knee ankle; shoulder elbow wrist */
    int last;             /* the end, or of a robot the last hinge of ankle or wrist */
    double length;
} snw__limb;

/* A body in its T-pose, whose frames are the world's. */
typedef struct snw__retarget_body {
    const snw_skeleton *skeleton;
    snw_part *part; /* (joint_count) */
    snw_side *side; /* (joint_count) */
    snw__limb leg[SNW_SIDES], arm[SNW_SIDES];
    double ankle_height; /* above the sole in the T-pose */
} snw__retarget_body;

/* Reads parts and limbs; false where hips and both legs are not there. */
bool snw__retarget_body_read(snw__retarget_body *body);

/* A robot with two legs at rest; -1 where it has no arms, chest or head. */
typedef struct snw__biped {
    snw__limb leg[SNW_SIDES], arm[SNW_SIDES];
    int pelvis, chest, head;
    snw_vec3 up, left;
} snw__biped;

/* Of each joint (joint_count). */
typedef struct snw__biped_scratch {
    double *far; /* the farthest that hangs on it, metres */
    int *above;  /* the next joint above that moves, or -1 */
    int *moving; /* joints that move right below */
    int *limbs;  /* of these, those that carry a limb */
    int *next;   /* one of them */
} snw__biped_scratch;

/* `rest`: with its world. False where there are no two legs that are each other's mirror image. */
bool snw__biped_read(const snw_pose *rest, snw_vec3 up, snw__biped_scratch scratch,
                     snw__biped *robot);

enum {
    SNW__REACH_GOALS = 5 * SNW_SIDES + 3
};

/* Least squares for one body, frame after frame. Places of goals among them. */
typedef struct snw__reach {
    snw_ik_stepper *stepper;
    snw_goal goal[SNW__REACH_GOALS];
    int goal_count;
    int ankle[SNW_SIDES], foot[SNW_SIDES], knee[SNW_SIDES], elbow[SNW_SIDES], wrist[SNW_SIDES];
    int pelvis, chest, head;
    snw__biped robot;
} snw__reach;

/* Release it in any case. */
snw_status snw__reach_limited(snw__reach *reach, const snw_skeleton *character,
                              const snw__retarget_body *body, const snw_allocator *from,
                              snw_error *error);
/* Ankles to their places in the world; joints stay near where they are in `pose`. */
void snw__reach_feet(snw__reach *reach, const snw_vec3 ankle[SNW_SIDES], snw_pose *pose);

/* What a robot is to do in a frame, in its own world: turns since rest, ways of limbs. */
typedef struct snw__biped_wish {
    snw_vec3 hips, ankle[SNW_SIDES], thigh[SNW_SIDES], elbow[SNW_SIDES], wrist[SNW_SIDES];
    snw_quat pelvis_turn, chest_turn, head_turn, foot_turn[SNW_SIDES];
} snw__biped_wish;

/* `rest`: with its world. Release it in any case. */
snw_status snw__reach_robot(snw__reach *reach, const snw_pose *rest, const snw__biped *robot,
                            const snw_allocator *from, snw_error *error);
void snw__reach_robot_frame(snw__reach *reach, const snw__biped_wish *wish, const snw_pose *rest,
                            bool is_first, snw_pose *pose);
void snw__reach_release(snw__reach *reach);

/* For joint j of `to`: its counterpart lies between joints low and high of `from`, `share` of the
 * way. low -1: it stays on its parent. */
typedef struct snw__counterpart {
    int low, high;
    double share;
} snw__counterpart;

void snw__retarget_map(const snw__retarget_body *from, const snw__retarget_body *to,
                       snw__counterpart *map);

/* Stances of one ankle: stance[f] is the number of the stance from 1, or 0. */
int snw__find_stances(const snw_vec3 *place, int frame_count, double rate, int *stance);
/* Moves the places of each stance to their middle; the shift fades on both sides. `shift` is
 * scratch of frame_count. Returns the largest way that a stance had been off its middle. */
double snw__plant(snw_vec3 *place, const int *stance, int frame_count, double rate,
                  snw_vec3 *shift);
/* Largest distance of a place from the middle of its stance. */
double snw__slide_of(const snw_vec3 *place, const int *stance, int frame_count);
/* End of the limb to `target` by the bend of its middle and the swing of its top; the end keeps its
 * direction in the world. `side` is where the middle bends to where the limb is straight. Returns
 * how far from the target it ends. */
double snw__limb_reach(snw_pose *pose, const snw__limb *limb, snw_vec3 target, snw_vec3 axis);

#endif

/* What the files of retarget share: two bodies in their T-pose. Internal to retarget. */
#ifndef SNW_RETARGET_RETARGET_BODY_H
#define SNW_RETARGET_RETARGET_BODY_H

#include <sinew/person.h>
#include <sinew/retarget.h>

/* Joints of a limb from the trunk outwards, -1 where there is none. */
typedef struct snw__limb {
    int top, middle, end; /* hip knee ankle; shoulder elbow wrist */
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

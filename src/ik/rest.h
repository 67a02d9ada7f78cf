/* The secondary goal: rest. Internal. */
#ifndef SNW_IK_REST_H
#define SNW_IK_REST_H

#include "ik/method.h"

/* Draws the joints of the rest goals towards rest as far as the other goals, pins and limits leave
 * room. Needs world, and leaves it valid. Every method's answer passes through here. */
void snw__ik_draw_to_rest(const snw_ik *ik, const snw_goal *goals, snw_pose *pose);

#endif

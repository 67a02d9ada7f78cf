/* The skeleton of a hand, its limits and its fingers. Internal. */
#ifndef SNW_HAND_HAND_BODY_H
#define SNW_HAND_HAND_BODY_H

#include "hand/finger.h"

/* wrist; index, middle, ring, little with five joints each; thumb with four. */
enum {
    SNW__HAND_JOINT_COUNT = 25
};

/* Joint of the skeleton that bends finger `finger` at base, middle, outer joint or ends in its tip
 * (which = 0 .. 3). */
int snw__hand_joint(int finger, int which);
snw_status snw__hand_body_create(const snw_hand_profile *profile, const snw_allocator *allocator,
                                 snw_skeleton **out, snw_error *error);
/* Bones and limits (Table 5.1) of a finger; without limits all angles are within half a turn. */
snw__finger snw__hand_finger(const snw_hand_profile *profile, int finger, bool has_limits);
/* Joint rotations of a pose from the angles of one finger. */
void snw__hand_set_angles(snw_side side, int finger, const double angle[4], snw_pose *pose);
/* Flexion of the metacarpal, which starts a tenth of the way out and turns about x, that brings its
 * knuckle as far out of the palm's plane as `knuckle`. */
double snw__hand_metacarpal(const snw_hand_profile *profile, int finger, snw_vec3 knuckle);
void snw__hand_set_metacarpal(int finger, double flexion, snw_pose *pose);
/* The inverse of snw__hand_set_angles. */
void snw__hand_get_angles(snw_side side, int finger, const snw_pose *pose, double angle[4]);

#endif

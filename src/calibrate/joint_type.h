/* What kind of joint a series of rotations shows: fixed, hinge, universal or ball. Internal. */
#ifndef SNW_CALIBRATE_JOINT_TYPE_H
#define SNW_CALIBRATE_JOINT_TYPE_H

#include <sinew/body.h>

/* Rotations of a joint in moments of three frames in a row: samples 3 k, 3 k + 1 and 3 k + 2 follow
 * each other, moments lie anywhere. */
typedef struct snw__joint_track {
    int count; /* of samples, a multiple of three */
    const snw_quat *rotation;
    const bool *is_shown; /* (count) markers tell the rotation */
    snw_vec3 *turn;       /* (count) work: rotation vectors from the mean, in the parent's frame */
    double *off;          /* (count) work */
} snw__joint_track;

typedef struct snw__joint_shape {
    snw_joint_type type;
    snw_vec3 axis;  /* hinge, universal: in the parent's frame */
    snw_vec3 axis2; /* universal: in the joint's own frame */
    snw_quat rest;  /* the rotation nearest to the identity that the type allows */
} snw__joint_shape;

/* `may_be_fixed`: both segments went about in the lab, so that "no turn" means that they are one.
 */
snw__joint_shape snw__joint_shape_find(const snw__joint_track *track, bool may_be_fixed);

#endif

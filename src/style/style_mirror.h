/* The mirror image of a pose. Internal. */
#ifndef SNW_STYLE_STYLE_MIRROR_H
#define SNW_STYLE_STYLE_MIRROR_H

#include <sinew/body.h>

#include "base/memory.h"

typedef struct snw__mirror {
    const snw_skeleton *skeleton;
    snw_vec3 normal; /* of the plane, towards the left, in the body's frame */
    int *partner;    /* (joint_count) the mirror image; itself in the middle */
    snw_xform *rest; /* (joint_count) body_from_joint at rest */
} snw__mirror;

/* Takes the arrays for mirror->skeleton, as layouts do. */
void snw__mirror_lay_out(void *object, snw__block *block);
/* False where the body has no two sides of one shape. */
bool snw__mirror_plan(snw__mirror *mirror);
/* A vector in the body's frame, reflected. */
snw_vec3 snw__mirror_vector(const snw__mirror *mirror, snw_vec3 v);
/* The image stands where the pose stands: roots are the same. world of both is filled. */
void snw__mirror_pose(const snw__mirror *mirror, snw_pose *pose, snw_pose *image);

#endif

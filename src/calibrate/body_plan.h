/* Which segment of an unnamed body is what. Internal. */
#ifndef SNW_CALIBRATE_BODY_PLAN_H
#define SNW_CALIBRATE_BODY_PLAN_H

#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* A person among the segments; segments that are missing are -1. */
typedef struct snw__body_plan {
    bool is_person;
    int pelvis, chest, head; /* chest may be the pelvis, where the trunk is one segment */
    int foot[2], hand[2];    /* last segments of legs and arms; the sides are not known yet */
} snw__body_plan;

/* A tree by its parents: -1 at the root, below -1 for segments that take no part. */
typedef struct snw__plan_tree {
    const snw__samples *samples;
    const snw__rigids *rigids;
    const int *parent; /* (segment_count) */
    snw_vec3 up;       /* zero: not known */
} snw__plan_tree;

/* Not a person: is_person is false. Fails only for want of memory. */
snw_status snw__body_plan_find(const snw__plan_tree *tree, const snw_allocator *allocator,
                               snw__body_plan *plan, snw_error *error);

/* Where a segment is in a frame: the middle of its markers; false when none is seen. */
bool snw__segment_place(const snw__samples *samples, const snw__rigid *rigid, int frame,
                        snw_vec3 *place);

#endif

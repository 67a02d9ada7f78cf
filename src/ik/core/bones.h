/* The bones that goals pull on: a skeleton reduced to straight links between turning points.
 * Internal, for the methods that work on positions (directions, batch, triangulation, two-bone).
 *
 * A joint that turns, and everything that hangs rigidly on it, is one bone when all that the goals
 * need of it is one point: the place where the next turning joint sits, or the goal's point. Fixed
 * joints melt into the bone above; a point at the very centre of a joint does not feel the joint
 * and belongs to the bone above, too. The reduction does not exist when a joint carries two
 * different points (a pelvis with two hips): then the shape of the joint counts, not just its
 * length. */
#ifndef SNW_IK_BONES_H
#define SNW_IK_BONES_H

#include "ik/core/goal_kinds.h"

typedef struct snw__bones {
    int bone_count;
    bool is_chain;    /* one goal, every bone hangs on the one before */
    int *joint;       /* (bone_count) what turns the bone; rising */
    int *parent;      /* (bone_count) an earlier bone, -1: starts where the joint stands */
    int *child_count; /* (bone_count) */
    int *goal;        /* (bone_count) the goal that asks for the bone's end, or -1 */
    double *length;   /* (bone_count) metres, > 0 */
    snw_vec3 *along;  /* (bone_count) unit, in the joint's frame */
    bool *is_limited; /* (bone_count) its joint has limits */
    bool has_limits;  /* some joint has */
    double length_sum;
} snw__bones;

/* The joint that moves a point of `joint` and the point in that joint's frame; -1 when nothing
 * above moves it (the point is then in the body's frame). */
int snw__bones_carrier(const snw_skeleton *skeleton, int joint, snw_vec3 *point);

/* Goals that pull: all but rest. */
int snw__bones_goal_count(const snw_ik *ik);

/* SNW_OK when the problem reduces to bones turned by ball joints (without limits, unless they are
 * welcome), under position goals (rest goals
 * aside); else a sentence that says what stands against it. */
snw_status snw__bones_check(const snw_ik *ik, bool with_limits, snw_error *error);

/* Takes the memory and, the second time, fills it. Only after a check that passed. */
void snw__bones_layout(snw__bones *bones, const snw_ik *ik, snw__block *block);

/* The two turns about the unit axis k that put |u + R v| at `distance`, or one twice when it cannot
 * be (two_bone.c). */
void snw__ik_opening_angles(snw_vec3 u, snw_vec3 v, snw_vec3 k, double distance, double angle[2]);

/* Unit directions of all bones in the pose (world valid). */
void snw__bones_directions(const snw__bones *bones, const snw_pose *pose, snw_vec3 *direction);

/* Turns the joints so that every bone has its new direction, each by the smallest turn seen from
 * its parent: twist is kept. Limits are applied, so bones may end up elsewhere. Fills world on the
 * way. */
void snw__bones_turn(const snw_ik *ik, const snw__bones *bones, const snw_vec3 *direction,
                     snw_pose *pose);

#endif

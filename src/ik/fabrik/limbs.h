/* The moving joints above goals and pins, and the points they carry. Internal, for FABRIK.
 *
 * A limb is a joint that moves together with all that hangs rigidly on it. Its ends are the points
 * that matter: where the next limb's joint sits, goal points, pin points. Fixed joints melt into
 * the limb above. Limbs are in the order of the joints, so parents come first; the ends of a limb
 * are contiguous. */
#ifndef SNW_IK_LIMBS_H
#define SNW_IK_LIMBS_H

#include "ik/core/goal_kinds.h"

typedef struct snw__fabrik_limb {
    int joint;
    int parent;                 /* limb; -1: nothing moves it but a free root */
    int parent_end;             /* which end of the parent it sits on; -1 */
    snw_xform parent_from_rest; /* of the parent limb's joint; unused for the topmost */
    int end_first, end_count;
    bool is_plain;   /* a ball without limits whose ends are all at one point off its centre */
    double length;   /* plain: distance of that point */
    int orientation; /* the goal that fixes its rotation, or -1 */
    snw_quat limb_from_goal_joint; /* rotation from that goal's joint */
} snw__fabrik_limb;

typedef struct snw__limb_end {
    int limb;
    snw_vec3 offset; /* in the limb's frame */
    int child;       /* limb that sits here, or -1 */
    int goal;        /* or -1 */
    int pin;         /* or -1 */
    int pin_mate;    /* the other end of the pin; -1: the pin's other side does not move */
    bool is_pin_b;   /* this end is the pin's point b */
} snw__limb_end;

typedef struct snw__fabrik_limbs {
    int limb_count, end_count;
    bool is_plain; /* all limbs are, no pins */
    bool is_chain; /* plain, and the goal's way up is the only one */
    snw__fabrik_limb *limb;
    snw__limb_end *end;
} snw__fabrik_limbs;

/* Takes the memory and, the second time, fills it. */
void snw__limbs_layout(snw__fabrik_limbs *limbs, const snw_ik *ik, snw__block *block);

/* The moving joint that carries `joint`, itself or above, through fixed joints only; -1: none.
 * frame: on entry a frame in `joint`, on return in the carrier (or the body). */
int snw__limbs_carrier(const snw_skeleton *skeleton, int joint, snw_xform *frame);

#endif

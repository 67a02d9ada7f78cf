/* FABRIK over points, shared between its Euclidean and its conformal form. Internal.
 *
 * The algorithm (fabrik.c) asks for three things of geometry; who answers them is the only
 * difference between the methods fabrik and fabrik-cga. Limbs are planned in limbs.c, swept in
 * fabrik_sweep.c, chains begun in fabrik_chain.c. */
#ifndef SNW_IK_FABRIK_H
#define SNW_IK_FABRIK_H

#include "ik/fabrik/fabrik_links.h"

/* ---- limbs (limbs.c) -------------------------------------------------------------------------
 *
 * The moving joints above goals and pins, and the points they carry. A limb is a joint that moves
 * together with all that hangs rigidly on it. Its ends are the points that matter: where the next
 * limb's joint sits, goal points, pin points. Fixed joints melt into the limb above. Limbs are in
 * the order of the joints, so parents come first; the ends of a limb are contiguous. */

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

/* ---- a method's state (fabrik.c) ------------------------------------------------------------- */

typedef struct snw__fabrik_state {
    snw__fabrik_limbs limbs;
    snw_vec3 *place;            /* (limb_count) where the limb's joint is */
    snw_quat *turn;             /* (limb_count) world rotation of the limb */
    snw_quat *local;            /* (limb_count) rotation of the joint itself */
    snw_vec3 *slide;            /* (limb_count) */
    snw_vec3 *wish;             /* (end_count) where the inward sweep wants the end */
    snw_vec3 *now;              /* (end_count) where the end is */
    snw_vec3 *last;             /* (end_count) one iteration ago */
    snw_vec3 *change;           /* (end_count) what that iteration moved */
    snw_vec3 *kept;             /* (end_count) to return to when a leap did not help */
    snw_vec3 *from, *to;        /* (end_count) scratch of the rotation fit */
    double *weight;             /* (end_count) */
    snw__fabrik_limits *limits; /* or NULL: free ball joints, pins, a free root, slides */
} snw__fabrik_state;

snw_status snw__fabrik_check(const snw_ik *ik, snw_error *error);
void *snw__fabrik_layout(const snw_ik *ik, snw__block *block);
snw__ik_report snw__fabrik_run(const snw_ik *ik, snw__fabrik_state *s,
                               const snw__fabrik_geometry *geometry, const snw_goal *goals,
                               snw_pose *pose);

typedef struct snw__fabrik_solve {
    const snw_ik *ik;
    snw__fabrik_state *s;
    const snw__fabrik_geometry *geometry;
    const snw_goal *goals;
    snw_pose *pose;
    snw_vec3 root_shift; /* of a free root */
    snw_vec3 target;     /* chain: the target, or the nearest point that can be reached */
} snw__fabrik_solve;

/* ---- sweeps (fabrik_sweep.c) -------------------------------------------------------------- */

/* Places, rotations and weights from the pose. */
void snw__fabrik_load(snw__fabrik_solve *f);
/* Into the pose; plain limbs, which are points so far, get their rotations. */
void snw__fabrik_store(snw__fabrik_solve *f);
/* Worst of gap / tolerance over goals and pins. */
double snw__fabrik_worst_gap(const snw__fabrik_solve *f);
void snw__fabrik_sweep_inwards(snw__fabrik_solve *f);
void snw__fabrik_sweep_outwards(snw__fabrik_solve *f);

/* ---- chains (fabrik_chain.c) -------------------------------------------------------------- */

/* What a chain can be told at once. True when there is nothing left to iterate. */
bool snw__fabrik_begin_chain(snw__fabrik_solve *f);
/* Lays a chain that is nearly stretched on the arc whose chord is the way to the target. */
void snw__fabrik_lay_on_arc(snw__fabrik_solve *f);
/* Moves every joint but the base's off its bone, by turns to both sides of one fixed direction
 * across the line. */
void snw__fabrik_push_sideways(snw__fabrik_solve *f, snw_vec3 line, double amount);

#endif

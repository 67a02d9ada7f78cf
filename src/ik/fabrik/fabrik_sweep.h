/* FABRIK over points, one solve of it. Internal: swept in fabrik_sweep.c, chains in fabrik_chain.c,
 * solved in fabrik.c. */
#ifndef SNW_IK_FABRIK_SWEEP_H
#define SNW_IK_FABRIK_SWEEP_H

#include "ik/fabrik/fabrik.h"

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

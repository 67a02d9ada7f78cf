/* FABRIK, shared between its Euclidean and its conformal form. Internal.
 *
 * The algorithm (fabrik.c) asks for three things of geometry; who answers them is the only
 * difference between the methods fabrik and fabrik-cga. */
#ifndef SNW_IK_FABRIK_H
#define SNW_IK_FABRIK_H

#include "ik/fabrik/fabrik_limits.h"
#include "ik/fabrik/limbs.h"

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

#endif

/* The normal equations of a whole body that is pulled at its markers, solved along the tree.
 *
 * Unknown is a small motion of every limb: V = (w, v), a point at q moves by v + w x q. A limb
 * moves like its parent plus a turn u about the joint's centre c: V = V_parent + S u, S u = (u, c x
 * u). A marker at q with weight m and residual r pulls like a mass m: minimising sum m |r - (v + w
 * x q)|^2 is the dynamics of an articulated body with masses at the markers and forces m r, and is
 * solved in the same way, inwards and outwards once (Featherstone, "Rigid Body Dynamics
 * Algorithms", 2008, chapter 7): linear in the number of limbs, no matrix larger than 6x6.
 * Internal.
 *
 * Positions are relative to one origin near the body. */
#ifndef SNW_MOCAP_BODY_SYSTEM_H
#define SNW_MOCAP_BODY_SYSTEM_H

#include <sinew/math.h>

typedef struct snw__spatial {
    snw_vec3 turn;  /* w, or a torque about the origin */
    snw_vec3 shift; /* v, or a force */
} snw__spatial;

/* Symmetric 6x6 in blocks: [tt ts; ts^T ss]. */
typedef struct snw__spatial_matrix {
    double tt[6]; /* xx xy xz yy yz zz */
    double ts[9]; /* row-major */
    double ss[6];
} snw__spatial_matrix;

typedef struct snw__body_node {
    int parent; /* -1: root; parents come first */
    snw_vec3 center;
    snw__spatial_matrix inertia; /* in: sums over the limb's own markers; changed by factor */
    snw__spatial force;          /* in: the same for the pull; changed by solve */
    double damping;              /* added to the joint's diagonal; > 0 */
    double inverse[6];           /* of the joint's 3x3 block */
    double gain[18];             /* inertia S, 6 rows of 3 */
    snw_vec3 pull;               /* S^T force */
    snw__spatial motion;         /* out: V of the limb */
    snw_vec3 turn;               /* out: u of the joint; root: w */
} snw__body_node;

/* No markers, no pull. */
void snw__body_node_clear(snw__body_node *node);
/* A marker at `place` (from the origin) with weight and residual. */
static inline void snw__body_node_add(snw__body_node *node, snw_vec3 q, double m, snw_vec3 r)
{
    double *tt = node->inertia.tt, *ts = node->inertia.ts, *ss = node->inertia.ss;
    snw_vec3 h = snw_vec3_scale(q, m), f = snw_vec3_scale(r, m);
    tt[0] += h.y * q.y + h.z * q.z;
    tt[1] -= h.x * q.y;
    tt[2] -= h.x * q.z;
    tt[3] += h.x * q.x + h.z * q.z;
    tt[4] -= h.y * q.z;
    tt[5] += h.x * q.x + h.y * q.y;
    ts[1] -= h.z;
    ts[2] += h.y;
    ts[3] += h.z;
    ts[5] -= h.x;
    ts[6] -= h.y;
    ts[7] += h.x;
    ss[0] += m;
    ss[3] += m;
    ss[5] += m;
    node->force.turn = snw_vec3_add(node->force.turn, snw_vec3_cross(q, f));
    node->force.shift = snw_vec3_add(node->force.shift, f);
}

/* Inwards: eliminates the joints. False when nothing holds the root. */
bool snw__body_factor(snw__body_node *nodes, int count);
/* Inwards and outwards for the forces in the nodes: fills motion and turn. Needs factor. */
void snw__body_solve(snw__body_node *nodes, int count);

#endif

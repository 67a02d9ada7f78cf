/* The normal equations of a body that is pulled at many points, solved along the tree. Internal.
 *
 * Unknown is a small motion of every limb: V = (w, v), a point at q moves by v + w x q. A limb
 * moves like its parent plus what its joint adds: V = V_parent + S u + held, with one spatial
 * column in S for every free coordinate of the joint: a turn about axis a through c is (a, c x a),
 * a slide along a is (0, a); held is what limits have fixed. A point at q with weight m and
 * residual r pulls like a mass m: minimising
 *
 *     sum m |r - (v + w x q)|^2 + damping |u|^2 + sum hold |u|^2 - 2 draw.u
 *
 * is the dynamics of an articulated body with masses at the points and forces m r, and is solved in
 * the same way, once inwards and once outwards (Featherstone, "Rigid Body Dynamics Algorithms",
 * 2008, chapter 7): linear in the number of limbs, no matrix larger than 6x6.
 *
 * Positions are relative to one origin near the body. */
#ifndef SNW_IK_TREE_ELIMINATION_H
#define SNW_IK_TREE_ELIMINATION_H

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

typedef struct snw__tree_node {
    int parent;               /* -1: its parent stands still; parents come first */
    int column_count;         /* of the joint's coordinates that are free, 0..6 */
    snw__spatial column[6];   /* S */
    double hold;              /* resists the coordinates, beside the damping */
    double draw[6];           /* and pulls at each of them */
    snw__spatial held;        /* motion of the joint that is fixed beforehand */
    snw__spatial_matrix load; /* sums over the limb's own points */
    snw__spatial force;       /* the same for the pull */
    snw__spatial_matrix bulk; /* load of the limb and all below, their joints eliminated */
    snw__spatial pull;        /* the same for what the held motions leave of the force */
    snw__spatial gain[6];     /* bulk S L^-T, with L L^T = S^T bulk S + damping */
    double factor[6][6];      /* L below the diagonal, 1 / L on it */
    double rate[6];           /* L^-1 S^T pull, then u */
    snw__spatial drift;       /* sum of held from the root to here */
    snw__spatial motion;      /* V without the drift */
} snw__tree_node;

static inline double snw__spatial_dot(snw__spatial a, snw__spatial b)
{
    return snw_vec3_dot(a.turn, b.turn) + snw_vec3_dot(a.shift, b.shift);
}

static inline snw__spatial snw__spatial_add_scaled(snw__spatial a, double s, snw__spatial b)
{
    a.turn = snw_vec3_add_scaled(a.turn, s, b.turn);
    a.shift = snw_vec3_add_scaled(a.shift, s, b.shift);
    return a;
}

snw__spatial snw__spatial_matrix_apply(const snw__spatial_matrix *m, snw__spatial v);
/* sum += part */
void snw__spatial_matrix_add(snw__spatial_matrix *sum, const snw__spatial_matrix *part);

/* No points, no pull. */
void snw__tree_node_clear(snw__tree_node *node);
/* A point at q (from the origin) with weight m and residual r. */
void snw__tree_node_add_point(snw__tree_node *node, snw_vec3 q, double m, snw_vec3 r);
/* A frame that lacks the turn r, with weight m. */
void snw__tree_node_add_turn(snw__tree_node *node, double m, snw_vec3 r);

/* Fills rate and motion of every node from column, held, load and force. False when the equations
 * are singular, not even with the damping; nothing is known then. */
bool snw__tree_solve(snw__tree_node *nodes, int count, double damping);

#endif

/* The springs of one solve and the sweep that forces make of them. Internal to springs.c and
 * springs_sweep.c. */
#ifndef SNW_IK_SPRINGS_SWEEP_H
#define SNW_IK_SPRINGS_SWEEP_H

#include "ik/core/fast_tree.h"
#include "ik/core/springs.h"

#define SNW__SPRINGS_ROWS (3 * SNW__IK_SPRINGS_GOALS)

typedef struct snw__springs_node {
    int joint;
    int parent;         /* node; -1: nothing moves above */
    snw_xform base;     /* of the joint before its rotation, in the frame of the node above */
    snw_quat preferred; /* rotation, local */
    snw_quat wanted;    /* base and preferred rotation together */
    double give;        /* 1 / weight; 0: no goal has a lever */
    snw_vec3 force;     /* of the goals beyond */
    snw_vec3 moment;    /* of them about the origin of the world */
    snw_vec3 origin;    /* of this sweep */
    snw_quat rotated;   /* world rotation of this sweep */
    snw_vec3 turn;      /* from the preferred rotation, in the world */
} snw__springs_node;

/* A vector for every component of the forces. */
typedef struct snw__springs_columns {
    double row[3][SNW__SPRINGS_ROWS];
} snw__springs_columns;

/* How the origin of a node and the turn of its frame change per unit of each component. */
typedef struct snw__springs_rate {
    snw__springs_columns origin, turn;
} snw__springs_rate;

struct snw__ik_springs {
    snw__ik_fast_tree *tree;
    int node_count;
    snw__springs_node *node; /* (node_count) parents first */
    snw__springs_rate *rate; /* (node_count) */
    bool *carries;           /* (node_count x goal_count) */
    snw__ik_snapshot start;
    int goal_count;                            /* that pull */
    int goal[SNW__IK_SPRINGS_GOALS];           /* into the goals */
    int tip_node[SNW__IK_SPRINGS_GOALS];       /* the last node above the goal */
    snw_xform tip_from[SNW__IK_SPRINGS_GOALS]; /* the goal's joint in the frame of that node */
    snw_vec3 point[SNW__IK_SPRINGS_GOALS];     /* the goal's, in the frame of that node */
    snw_vec3 target[SNW__IK_SPRINGS_GOALS];
    snw_vec3 force[SNW__IK_SPRINGS_GOALS];
    snw_vec3 missing[SNW__IK_SPRINGS_GOALS]; /* target - tip */
};

/* Forces and moments at every node, from those at the goals. */
void snw__springs_spread(snw__ik_springs *springs);
/* The pose that the forces make, and what the tips then lack; the square of that. Infinite when a
 * joint turns farther than it may. */
double snw__springs_sweep(snw__ik_springs *springs, const snw_xform *root);
/* c (rows x rows) = d tip / d force, of the pose that was swept last. */
void snw__springs_compliance(snw__ik_springs *springs, double *c);

#endif

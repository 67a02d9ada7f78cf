/* Which limbs are joined. Internal. */
#ifndef SNW_CALIBRATE_TOPOLOGY_H
#define SNW_CALIBRATE_TOPOLOGY_H

#include "calibrate/body_plan.h"
#include "calibrate/edge.h"
#include "calibrate/known_joint.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Another way to hold the tree together: `limb` joined to `neighbour`. */
typedef struct snw__rival {
    int limb, neighbour;
    double margin; /* nats by which it is dearer; infinite: there is none, or the body is known */
} snw__rival;

typedef struct snw__tree {
    int limb_count;
    int joined_count; /* limbs in the tree */
    int *order;       /* (joined_count) limbs, parents first; order[0] is the root */
    int *parent;      /* (limb_count) the limb's parent; -1: root; -2: in no tree; -3: in an earlier
                         part */
    snw__pair *pair;  /* (limb_count) joint to the parent (first = parent) */
    snw__rival *rival;   /* (limb_count) of the joint to the parent */
    snw__body_plan plan; /* of limbs that have no names */
    snw_vec3 up;         /* zero: not known */
    snw_allocator allocator;
    size_t block_size;
} snw__tree;

/* Limbs as a calibration sees them. */
typedef struct snw__limbs_seen {
    const snw__samples *samples;
    const snw_limbs *limbs;
    const snw__joint_markers *joint; /* (limb_count) */
    snw__rigids *rigids;
} snw__limbs_seen;

/* What the user may wish. */
typedef struct snw__tree_wish {
    const char *root; /* name of a limb, or NULL */
    int part;         /* which of several bodies, the largest first, from 0 */
    snw_vec3 up;      /* zero: not known */
} snw__tree_wish;

/* Minimum spanning tree over the strain of every possible joint, or the body of a known marker set.
 * Small limbs receive poses. SNW_NOT_FOUND when there are not so many bodies. */
snw_status snw__tree_create(const snw__limbs_seen *seen, const snw__tree_wish *wish,
                            const snw_allocator *allocator, snw__tree **out, snw_error *error);
void snw__tree_destroy(snw__tree *tree);

/* The next best for each joint of a tree that was found by motion. */
void snw__rivals_find(const snw__edges *edges, snw__tree *tree);

#endif

/* Which limbs are joined. Internal. */
#ifndef SNW_CALIBRATE_JOINT_TREE_H
#define SNW_CALIBRATE_JOINT_TREE_H

#include "calibrate/body_plan.h"
#include "calibrate/joint_candidate.h"
#include "calibrate/joint_marker.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Another way to hold the tree together: `limb` joined to `neighbour`. */
typedef struct snw__alternative {
    int limb, neighbour;
    double margin; /* nats by which it is dearer; infinite: there is none, or the body is known */
} snw__alternative;

typedef struct snw__joint_tree {
    int limb_count;
    int joined_count;              /* limbs in the tree */
    int *order;                    /* (joined_count) limbs, parents first; order[0] is the root */
    int *parent;                   /* (limb_count) the limb's parent, or SNW_TREE_ROOT and so on */
    int *body;                     /* (limb_count) which body it is of, from 0; -1: of none */
    bool *is_still;                /* (limb_count) its markers stand still in the lab */
    int body_count;                /* bodies of the capture, actors first */
    int actor_count;               /* of these, actors; 1 at least */
    snw__limb_pair *pair;          /* (limb_count) joint to the parent (first = parent) */
    snw__alternative *alternative; /* (limb_count) of the joint to the parent */
    snw__body_plan plan;           /* of limbs that have no names */
    snw_vec3 up;                   /* zero: not known */
    snw_allocator allocator;
    size_t block_size;
} snw__joint_tree;

/* Limbs as a calibration sees them. */
typedef struct snw__limbs_seen {
    const snw__samples *samples;
    const snw_limbs *limbs;
    const snw__joint_markers *joint; /* (limb_count) */
    snw__rigids *rigids;
} snw__limbs_seen;

/* What the user may request. */
typedef struct snw__tree_request {
    const char *root;  /* name of a limb, or NULL */
    int part;          /* which of several bodies, as capture_bodies.h numbers them */
    const int *parent; /* (limb_count) as in snw_tree; NULL: to be found */
    snw_vec3 up;       /* zero: not known */
} snw__tree_request;

/* Minimum spanning tree over the chi of every possible joint, or the body of a known marker set.
 * Underdetermined limbs receive poses. SNW_NOT_FOUND when there are not so many bodies. */
snw_status snw__joint_tree_create(const snw__limbs_seen *seen, const snw__tree_request *request,
                                  const snw_allocator *allocator, snw__joint_tree **out,
                                  snw_error *error);
void snw__joint_tree_destroy(snw__joint_tree *tree);

/* The limb from which all others are near: branches count by degree, then by markers. degree and
 * distance (limb_count) are room to work in. */
int snw__tree_choose_root(const snw__joint_tree *tree, const snw_limbs *limbs, int *degree,
                          int *distance);
/* Turns the tree so that it hangs from `root`, and sorts it again. */
void snw__tree_hang_from(snw__joint_tree *tree, int root);
/* The next best for each joint of a tree that was found by motion. */
void snw__alternatives_find(const snw__joint_candidates *candidates, snw__joint_tree *tree);

#endif

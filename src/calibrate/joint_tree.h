/* Which segments are joined. Internal. */
#ifndef SNW_CALIBRATE_JOINT_TREE_H
#define SNW_CALIBRATE_JOINT_TREE_H

#include "calibrate/body_plan.h"
#include "calibrate/joint_candidate.h"
#include "calibrate/joint_marker.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Another way to hold the tree together: `segment` joined to `neighbour`. */
typedef struct snw__alternative {
    int segment, neighbour;
    double margin; /* nats by which it is dearer; infinite: there is none, or the body is known */
} snw__alternative;

typedef struct snw__joint_tree {
    int segment_count;
    int joined_count;        /* segments in the tree */
    int *order;              /* (joined_count) segments, parents first; order[0] is the root */
    int *parent;             /* (segment_count) the segment's parent, or SNW_TREE_ROOT and so on */
    int *body;               /* (segment_count) which body it is of, from 0; -1: of none */
    bool *is_still;          /* (segment_count) its markers stand still in the lab */
    int body_count;          /* bodies of the capture, actors first */
    int actor_count;         /* of these, actors; 1 at least */
    snw__segment_pair *pair; /* (segment_count) joint to the parent (first = parent) */
    snw__alternative *alternative; /* (segment_count) of the joint to the parent */
    snw__body_plan plan;           /* of segments that have no names */
    snw_vec3 up;                   /* zero: not known */
    snw_allocator allocator;
    size_t block_size;
} snw__joint_tree;

/* Segments as a calibration sees them. */
typedef struct snw__segments_seen {
    const snw__samples *samples;
    const snw_segments *segments;
    const snw__joint_markers *joint; /* (segment_count) */
    snw__rigids *rigids;
} snw__segments_seen;

/* What the user may request. */
typedef struct snw__tree_request {
    const char *root;  /* name of a segment, or NULL */
    int part;          /* which of several bodies, as capture_bodies_rank numbers them */
    const int *parent; /* (segment_count) as in snw_tree; NULL: to be found */
    snw_vec3 up;       /* zero: not known */
} snw__tree_request;

/* Minimum spanning tree over the chi of every possible joint, or the body of a known marker set.
 * Underdetermined segments receive poses. SNW_NOT_FOUND when there are not so many bodies. */
snw_status snw__joint_tree_create(const snw__segments_seen *seen, const snw__tree_request *request,
                                  const snw_allocator *allocator, snw__joint_tree **out,
                                  snw_error *error);
void snw__joint_tree_destroy(snw__joint_tree *tree);

/* The segment from which all others are near: branches count by degree, then by markers. degree and
 * distance (segment_count) are room to work in. */
int snw__tree_choose_root(const snw__joint_tree *tree, const snw_segments *segments, int *degree,
                          int *distance);
/* Turns the tree so that it hangs from `root`, and sorts it again. */
void snw__tree_hang_from(snw__joint_tree *tree, int root);
/* The next best for each joint of a tree that was found by motion. */
void snw__alternatives_find(const snw__joint_candidates *candidates, snw__joint_tree *tree);

#endif

/* Which limbs are joined. Internal. */
#ifndef SNW_MOCAP_TOPOLOGY_H
#define SNW_MOCAP_TOPOLOGY_H

#include "mocap/pair.h"

typedef struct snw__tree {
    int limb_count;
    int joined_count; /* limbs in the tree */
    int *order;       /* (joined_count) limbs, parents first; order[0] is the root */
    int *parent;      /* (limb_count) the limb's parent; -1: root; -2: not in the tree */
    snw__pair *pair;  /* (limb_count) joint to the parent (first = parent) */
    snw_allocator allocator;
    size_t block_size;
} snw__tree;

/* Minimum spanning tree over the strain of every possible joint, or the body of a known marker set.
 * Small limbs receive poses. root_name may be NULL. */
snw_status snw__tree_create(const snw__capture *capture, snw__rigids *rigids,
                            const snw_limbs *limbs, const char *root_name,
                            const snw_allocator *allocator, snw__tree **out, snw_error *error);
void snw__tree_destroy(snw__tree *tree);

#endif

/* Which segment hangs from which, as data: found from a capture, made by a user, looked at. What
 * the motion says is in joint_tree.c; here is the door to it. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/calibration.h"

/* ---- the object --------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_tree *tree = object;
    size_t n = (size_t)tree->segment_count;
    snw__block_take(block, 1, sizeof *tree);
    tree->parent = snw__block_take(block, n, sizeof(int));
    tree->alternative = snw__block_take(block, n, sizeof(int));
    tree->margin = snw__block_take(block, n, sizeof(double));
    tree->body = snw__block_take(block, n, sizeof(int));
}

/* No alternatives yet. */
static snw_tree *take_tree(const int *parent, int segment_count, const snw_allocator *allocator,
                           snw_error *error)
{
    snw_tree sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.segment_count = segment_count;
    sketch.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    if (snw__block_create(&block, lay_out, &sketch, &sketch.allocator, "a tree of segments",
                          error) != SNW_OK)
        return NULL;
    sketch.block_size = block.size;
    snw_tree *tree = (void *)block.base;
    *tree = sketch;
    for (int l = 0; l < segment_count; l++) {
        tree->parent[l] = parent[l];
        tree->alternative[l] = -1;
        tree->margin[l] = INFINITY;
        tree->body[l] = -1;
    }
    return tree;
}

/* Does the way up from a segment end, at a root? */
static bool reaches_root(const int *parent, int segment_count, int segment)
{
    int steps = 0, at = segment;
    while (at >= 0 && steps++ <= segment_count)
        at = parent[at];
    return at == SNW_TREE_ROOT;
}

snw_status snw_tree_create(const int *parent, int segment_count, const snw_allocator *allocator,
                           snw_tree **out, snw_error *error)
{
    *out = NULL;
    int roots = 0;
    for (int l = 0; l < segment_count; l++) {
        if (parent[l] < SNW_TREE_FREE || parent[l] >= segment_count)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "segment %d: there is no segment %d", l,
                             parent[l]);
        roots += parent[l] == SNW_TREE_ROOT;
    }
    if (roots == 0) return snw__fail(error, SNW_INVALID_ARGUMENT, "no segment is the root");
    for (int l = 0; l < segment_count; l++)
        if (parent[l] != SNW_TREE_FREE && !reaches_root(parent, segment_count, l))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "segment %d hangs from no root", l);
    *out = take_tree(parent, segment_count, allocator, error);
    return *out ? snw__succeed(error) : SNW_OUT_OF_MEMORY;
}

void snw_tree_destroy(snw_tree *tree)
{
    if (!tree) return;
    snw_allocator allocator = tree->allocator;
    snw__release(&allocator, tree, tree->block_size);
}

/* ---- finding ------------------------------------------------------------------------------ */

snw_status snw_tree_find(const snw_trial *trial, const snw_segments *segments,
                         const snw_actor_options *options, const snw_allocator *allocator,
                         snw_tree **out, snw_error *error)
{
    *out = NULL;
    snw__calibration calibration;
    snw_status status =
        snw__calibration_begin(&calibration, trial, segments, options, allocator, error);
    if (status == SNW_OK) {
        snw_tree *tree =
            take_tree(calibration.tree->parent, calibration.tree->segment_count, allocator, error);
        for (int l = 0; tree && l < calibration.tree->segment_count; l++) {
            const snw__alternative *other = calibration.tree->alternative + l;
            tree->body[l] = calibration.tree->body[l];
            if (tree->parent[l] < SNW_TREE_ROOT) tree->parent[l] = SNW_TREE_FREE;
            /* Another segment may be the one to move; what is told here is about the segment
             * itself. */
            if (!(other->margin < HUGE_VAL) || other->segment != l) continue;
            tree->alternative[l] = other->neighbour;
            tree->margin[l] = other->margin;
        }
        if (tree) {
            tree->body_count = calibration.tree->body_count;
            tree->actor_count = calibration.tree->actor_count;
        }
        *out = tree;
        if (!*out) status = SNW_OUT_OF_MEMORY;
    }
    snw__calibration_end(&calibration);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* The shape of a tree of segments: from which segment it hangs, and which other trees would nearly
 * do. */
#include <math.h>
#include <string.h>

#include "calibrate/joint_tree.h"

/* ---- the root ----------------------------------------------------------------------------- */

/* Sum of steps from a segment to all others, from the parents of a tree in order. */
static int total_distance(const snw__joint_tree *tree, int segment, int *distance)
{
    for (int l = 0; l < tree->segment_count; l++)
        distance[l] = -1;
    int steps = 0;
    for (int at = segment; at >= 0; at = tree->parent[at])
        distance[at] = steps++;
    int total = 0;
    for (int n = 0; n < tree->joined_count; n++) {
        int l = tree->order[n];
        if (distance[l] < 0) distance[l] = distance[tree->parent[l]] + 1;
        total += distance[l];
    }
    return total;
}

static bool is_root_name(const char *name)
{
    static const char *const names[] = {"hips", "hip", "pelvis", "root", "waist"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const char *a = name, *b = names[n];
        while (*a && *b && (*a | 0x20) == *b)
            a++, b++;
        if (!*a && !*b) return true;
    }
    return false;
}

int snw__tree_choose_root(const snw__joint_tree *tree, const snw_segments *segments, int *degree,
                          int *distance)
{
    memset(degree, 0, (size_t)tree->segment_count * sizeof(int));
    for (int n = 1; n < tree->joined_count; n++) {
        degree[tree->order[n]]++;
        degree[tree->parent[tree->order[n]]]++;
    }
    int best = tree->order[0];
    double best_cost = HUGE_VAL;
    for (int n = 0; n < tree->joined_count; n++) {
        int l = tree->order[n];
        if (is_root_name(segments->segment[l].name)) return l;
        double cost = total_distance(tree, l, distance) - 0.01 * segments->segment[l].marker_count +
                      (degree[l] < 3 ? tree->joined_count : 0);
        if (cost < best_cost) {
            best = l;
            best_cost = cost;
        }
    }
    return best;
}

void snw__tree_hang_from(snw__joint_tree *tree, int root)
{
    int above = -1;
    for (int at = root; at >= 0;) {
        int up = tree->parent[at];
        tree->parent[at] = above;
        above = at;
        at = up;
    }
    int filled = 0;
    tree->order[filled++] = root;
    for (int n = 0; n < filled; n++)
        for (int l = 0; l < tree->segment_count; l++)
            if (tree->parent[l] == tree->order[n]) tree->order[filled++] = l;
}

/* ---- alternatives ---------------------------------------------------------------------- */

/* Which other neighbour a segment could have: for each joint the next best one that would hold the
 * tree together in its place, and by how much it is dearer. In a minimum spanning tree no edge
 * outside is cheaper than any edge on the way between its ends, so each edge outside bids for all
 * of these. */

/* Is `segment` on the way from `below` to the root? */
static bool is_above(const snw__joint_tree *tree, int segment, int below)
{
    for (int at = below; at >= 0; at = tree->parent[at])
        if (at == segment) return true;
    return false;
}

void snw__alternatives_find(const snw__joint_candidates *candidates, snw__joint_tree *tree)
{
    for (int a = 0; a < tree->joined_count; a++)
        for (int b = 0; b < tree->joined_count; b++) {
            snw__alternative offer = {tree->order[a], tree->order[b], HUGE_VAL};
            if (a != b && tree->parent[offer.segment] != offer.neighbour &&
                tree->parent[offer.neighbour] != offer.segment) {
                double cost = snw__joint_candidate_cost(candidates, offer.segment, offer.neighbour);
                if (cost < HUGE_VAL) {
                    /* The joints from offer.segment up to where the two ways meet. */
                    for (int at = offer.segment; !is_above(tree, at, offer.neighbour);
                         at = tree->parent[at]) {
                        double own = snw__joint_candidate_cost(candidates, at, tree->parent[at]);
                        offer.margin = cost - own;
                        if (own < HUGE_VAL && offer.margin < tree->alternative[at].margin)
                            tree->alternative[at] = offer;
                    }
                }
            }
        }
}

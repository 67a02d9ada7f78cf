/* Which other neighbour a limb could have: for each joint the next best one that would hold the
 * tree together in its place, and by how much it is dearer. In a minimum spanning tree no edge
 * outside is cheaper than any edge on the way between its ends, so each edge outside bids for all
 * of these. */
#include "calibrate/topology.h"

/* Is `limb` on the way from `below` to the root? */
static bool is_above(const snw__tree *tree, int limb, int below)
{
    for (int at = below; at >= 0; at = tree->parent[at])
        if (at == limb) return true;
    return false;
}

static void bid(const snw__edges *edges, snw__tree *tree, snw__rival offer)
{
    double cost = snw__edge_cost(edges, offer.limb, offer.neighbour);
    if (!(cost < HUGE_VAL)) return;
    /* The joints from offer.limb up to where the two ways meet. */
    for (int at = offer.limb; !is_above(tree, at, offer.neighbour); at = tree->parent[at]) {
        double own = snw__edge_cost(edges, at, tree->parent[at]);
        offer.margin = cost - own;
        if (own < HUGE_VAL && offer.margin < tree->rival[at].margin) tree->rival[at] = offer;
    }
}

void snw__rivals_find(const snw__edges *edges, snw__tree *tree)
{
    for (int a = 0; a < tree->joined_count; a++)
        for (int b = 0; b < tree->joined_count; b++) {
            snw__rival offer = {tree->order[a], tree->order[b], HUGE_VAL};
            if (a != b && tree->parent[offer.limb] != offer.neighbour &&
                tree->parent[offer.neighbour] != offer.limb)
                bid(edges, tree, offer);
        }
}

/* Two actors, or an actor and a table: where a capture falls apart into bodies.
 *
 * Any two limbs can be given a joint; it tells something only if each limb moves less against the
 * other than against the lab. That is not enough, because a seated trunk is as good as the lab and
 * its arms are still its own; so what tells nothing must also be far from its limbs, or tear apart
 * while the other limb has a body of its own. */
#include "calibrate/stranger.h"

#include "rigid/rigid_fit.h"

/* Nats by which a joint must explain more than the lab does, to be believed anywhere. */
#define STRANGER_GAIN 3.0
/* Distance of a joint from the markers of its two limbs, in usual distances of neighbours: of one
 * that explains nothing of either limb, and of one that does not explain both (the centre of a
 * hinge may be found anywhere along its axis). Joints of bodies are within 3. */
#define STRANGER_REACH 3.5
#define STRANGER_FAR   6.0
/* Limbs that make a body of their own. */
#define STRANGER_COMPANY 4

/* Does `limb` reach STRANGER_COMPANY limbs, itself one of them, outside the tree, by joints that
 * hold? */
static bool has_company(const snw__edges *edges, const snw__tree *tree, int limb)
{
    int found[STRANGER_COMPANY] = {limb}, count = 1, n = tree->limb_count;
    for (int k = 0; k < count && count < STRANGER_COMPANY; k++)
        for (int l = 0; l < n && count < STRANGER_COMPANY; l++) {
            bool is_known =
                tree->parent[l] != -2 || !(edges->residual[found[k] * n + l] < SNW__TORN);
            for (int m = 0; m < count; m++)
                is_known = is_known || found[m] == l;
            if (!is_known) found[count++] = l;
        }
    return count == STRANGER_COMPANY;
}

bool snw__edge_is_strange(const snw__edges *edges, const snw__tree *tree, int from, int to)
{
    int at = from * tree->limb_count + to;
    double explained = edges->looseness[at] + STRANGER_GAIN;
    bool is_of_both = fmin(edges->in_lab[from], edges->in_lab[to]) > explained;
    bool is_of_one = fmax(edges->in_lab[from], edges->in_lab[to]) > explained;
    if (edges->reach[at] > STRANGER_FAR * edges->scale) return !is_of_both;
    if (is_of_one) return false;
    if (edges->reach[at] > STRANGER_REACH * edges->scale) return true;
    return edges->residual[at] > SNW__TORN && has_company(edges, tree, to);
}

bool snw__joint_is_far(const snw__edges *edges, const snw__rigid *limb, snw_vec3 center)
{
    double nearest = HUGE_VAL;
    for (int m = 0; m < limb->marker_count; m++)
        nearest = fmin(nearest, snw_vec3_distance(limb->shape[m], center));
    return nearest > STRANGER_REACH * edges->scale;
}

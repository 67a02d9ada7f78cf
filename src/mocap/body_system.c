/* Elimination along the tree; see the header for the equations. */
#include "mocap/body_system.h"

#include <string.h>

#include "mocap/symmetric.h"

void snw__body_node_clear(snw__body_node *node)
{
    memset(&node->inertia, 0, sizeof node->inertia);
    memset(&node->force, 0, sizeof node->force);
}

/* A force of the limb, seen as a torque about the joint: S^T (torque, force). */
static snw_vec3 about_joint(snw__spatial f, snw_vec3 center)
{
    return snw_vec3_sub(f.turn, snw_vec3_cross(center, f.shift));
}

/* gain = inertia S, S = [I; [c]]: rows of ts and ss are multiplied by [c] from the right, and a row
 * r of a matrix times [c] is r x c. */
static void find_gain(snw__body_node *node)
{
    const snw__spatial_matrix *a = &node->inertia;
    const double tt[3][3] = {{a->tt[0], a->tt[1], a->tt[2]},
                             {a->tt[1], a->tt[3], a->tt[4]},
                             {a->tt[2], a->tt[4], a->tt[5]}};
    const double ss[3][3] = {{a->ss[0], a->ss[1], a->ss[2]},
                             {a->ss[1], a->ss[3], a->ss[4]},
                             {a->ss[2], a->ss[4], a->ss[5]}};
    for (int i = 0; i < 3; i++) {
        const double *row = a->ts + 3 * i;
        snw_vec3 top = snw_vec3_cross(snw_vec3_make(row[0], row[1], row[2]), node->center);
        snw_vec3 low = snw_vec3_cross(snw_vec3_make(ss[i][0], ss[i][1], ss[i][2]), node->center);
        double *g = node->gain + 3 * i, *h = node->gain + 9 + 3 * i;
        g[0] = tt[i][0] + top.x;
        g[1] = tt[i][1] + top.y;
        g[2] = tt[i][2] + top.z;
        h[0] = a->ts[i] + low.x;
        h[1] = a->ts[3 + i] + low.y;
        h[2] = a->ts[6 + i] + low.z;
    }
}

/* S^T gain + damping, inverted. */
static bool find_inverse(snw__body_node *node)
{
    const double *g = node->gain, *h = node->gain + 9;
    snw_vec3 c = node->center;
    double d[6];
    int at = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++, at++) {
            snw_vec3 column = snw_vec3_make(h[j], h[3 + j], h[6 + j]);
            snw_vec3 moved = snw_vec3_cross(c, column);
            d[at] = g[3 * i + j] - (i == 0 ? moved.x : i == 1 ? moved.y : moved.z);
        }
    d[0] += node->damping;
    d[3] += node->damping;
    d[5] += node->damping;
    return snw__symmetric3_invert(d, node->inverse);
}

/* parent += inertia - gain inverse gain^T. */
static void pass_inertia(const snw__body_node *node, snw__body_node *parent)
{
    double scaled[18]; /* gain inverse */
    const double *g = node->gain;
    for (int i = 0; i < 6; i++) {
        snw_vec3 row = snw__symmetric3_apply(node->inverse,
                                             snw_vec3_make(g[3 * i], g[3 * i + 1], g[3 * i + 2]));
        scaled[3 * i] = row.x;
        scaled[3 * i + 1] = row.y;
        scaled[3 * i + 2] = row.z;
    }
#define PASS_ENTRY(i, j)                                                   \
    (scaled[3 * (i)] * g[3 * (j)] + scaled[3 * (i) + 1] * g[3 * (j) + 1] + \
     scaled[3 * (i) + 2] * g[3 * (j) + 2])
    int at = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++, at++) {
            parent->inertia.tt[at] += node->inertia.tt[at] - PASS_ENTRY(i, j);
            parent->inertia.ss[at] += node->inertia.ss[at] - PASS_ENTRY(i + 3, j + 3);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            parent->inertia.ts[3 * i + j] += node->inertia.ts[3 * i + j] - PASS_ENTRY(i, j + 3);
#undef PASS_ENTRY
}

/* The root's 6x6 in full, factored into its own gain and inverse fields: 36 doubles do not fit, so
 * it is eliminated by blocks: shift first (the masses), then turn. */
static bool factor_root(snw__body_node *root)
{
    snw__spatial_matrix *a = &root->inertia;
    a->ss[0] += root->damping;
    a->ss[3] += root->damping;
    a->ss[5] += root->damping;
    double ss_inverse[6];
    if (!snw__symmetric3_invert(a->ss, ss_inverse)) return false;
    /* gain rows 0..2: ts ss^-1. */
    for (int i = 0; i < 3; i++) {
        snw_vec3 row = snw__symmetric3_apply(
            ss_inverse, snw_vec3_make(a->ts[3 * i], a->ts[3 * i + 1], a->ts[3 * i + 2]));
        root->gain[3 * i] = row.x;
        root->gain[3 * i + 1] = row.y;
        root->gain[3 * i + 2] = row.z;
    }
    memcpy(root->gain + 9, ss_inverse, sizeof ss_inverse);
    double d[6];
    int at = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++, at++)
            d[at] = a->tt[at] + (i == j) * root->damping -
                    (root->gain[3 * i] * a->ts[3 * j] + root->gain[3 * i + 1] * a->ts[3 * j + 1] +
                     root->gain[3 * i + 2] * a->ts[3 * j + 2]);
    return snw__symmetric3_invert(d, root->inverse);
}

static void solve_root(snw__body_node *root)
{
    const double *g = root->gain;
    snw_vec3 f = root->force.shift, t = root->force.turn;
    snw_vec3 reduced = snw_vec3_make(t.x - (g[0] * f.x + g[1] * f.y + g[2] * f.z),
                                     t.y - (g[3] * f.x + g[4] * f.y + g[5] * f.z),
                                     t.z - (g[6] * f.x + g[7] * f.y + g[8] * f.z));
    snw_vec3 w = snw__symmetric3_apply(root->inverse, reduced);
    snw_vec3 back =
        snw_vec3_make(g[0] * w.x + g[3] * w.y + g[6] * w.z, g[1] * w.x + g[4] * w.y + g[7] * w.z,
                      g[2] * w.x + g[5] * w.y + g[8] * w.z);
    root->turn = w;
    root->motion.turn = w;
    root->motion.shift = snw_vec3_sub(snw__symmetric3_apply(g + 9, f), back);
}

bool snw__body_factor(snw__body_node *nodes, int count)
{
    for (int j = count - 1; j > 0; j--) {
        find_gain(nodes + j);
        if (!find_inverse(nodes + j)) return false;
        pass_inertia(nodes + j, nodes + nodes[j].parent);
    }
    return factor_root(nodes);
}

void snw__body_solve(snw__body_node *nodes, int count)
{
    for (int j = count - 1; j > 0; j--) {
        snw__body_node *node = nodes + j, *parent = nodes + node->parent;
        const double *g = node->gain;
        node->pull = about_joint(node->force, node->center);
        snw_vec3 u = snw__symmetric3_apply(node->inverse, node->pull);
        parent->force.turn.x += node->force.turn.x - (g[0] * u.x + g[1] * u.y + g[2] * u.z);
        parent->force.turn.y += node->force.turn.y - (g[3] * u.x + g[4] * u.y + g[5] * u.z);
        parent->force.turn.z += node->force.turn.z - (g[6] * u.x + g[7] * u.y + g[8] * u.z);
        parent->force.shift.x += node->force.shift.x - (g[9] * u.x + g[10] * u.y + g[11] * u.z);
        parent->force.shift.y += node->force.shift.y - (g[12] * u.x + g[13] * u.y + g[14] * u.z);
        parent->force.shift.z += node->force.shift.z - (g[15] * u.x + g[16] * u.y + g[17] * u.z);
    }
    solve_root(nodes);
    for (int j = 1; j < count; j++) {
        snw__body_node *node = nodes + j;
        const snw__spatial *v = &nodes[node->parent].motion;
        const double *g = node->gain;
        snw_vec3 w = v->turn, s = v->shift;
        snw_vec3 held = snw_vec3_make(
            g[0] * w.x + g[3] * w.y + g[6] * w.z + g[9] * s.x + g[12] * s.y + g[15] * s.z,
            g[1] * w.x + g[4] * w.y + g[7] * w.z + g[10] * s.x + g[13] * s.y + g[16] * s.z,
            g[2] * w.x + g[5] * w.y + g[8] * w.z + g[11] * s.x + g[14] * s.y + g[17] * s.z);
        node->turn = snw__symmetric3_apply(node->inverse, snw_vec3_sub(node->pull, held));
        node->motion.turn = snw_vec3_add(w, node->turn);
        node->motion.shift = snw_vec3_add(s, snw_vec3_cross(node->center, node->turn));
    }
}

/* Elimination along the tree; see the header for the equations.
 *
 * With B the bulk of a limb and D = S^T B S + damping = L L^T, the joint's best answer to a motion
 * V of the parent is u = D^-1 S^T (pull - B V). Put into the energy it leaves the parent with B - W
 * W^T and pull - W z, where W = B S L^-T and z = L^-1 S^T pull. */
#include "ik/core/tree_elimination.h"

#include <string.h>

/* ---- spatial algebra ---------------------------------------------------------------------- */

static inline snw_vec3 symmetric_apply(const double a[6], snw_vec3 v)
{
    return snw_vec3_make(a[0] * v.x + a[1] * v.y + a[2] * v.z, a[1] * v.x + a[3] * v.y + a[4] * v.z,
                         a[2] * v.x + a[4] * v.y + a[5] * v.z);
}

static inline snw__spatial apply(const snw__spatial_matrix *m, snw__spatial v)
{
    const double *ts = m->ts;
    snw_vec3 w = v.turn, s = v.shift;
    snw__spatial out = {symmetric_apply(m->tt, w), symmetric_apply(m->ss, s)};
    out.turn.x += ts[0] * s.x + ts[1] * s.y + ts[2] * s.z;
    out.turn.y += ts[3] * s.x + ts[4] * s.y + ts[5] * s.z;
    out.turn.z += ts[6] * s.x + ts[7] * s.y + ts[8] * s.z;
    out.shift.x += ts[0] * w.x + ts[3] * w.y + ts[6] * w.z;
    out.shift.y += ts[1] * w.x + ts[4] * w.y + ts[7] * w.z;
    out.shift.z += ts[2] * w.x + ts[5] * w.y + ts[8] * w.z;
    return out;
}

snw__spatial snw__spatial_matrix_apply(const snw__spatial_matrix *m, snw__spatial v)
{
    return apply(m, v);
}

void snw__spatial_matrix_add(snw__spatial_matrix *sum, const snw__spatial_matrix *part)
{
    for (int i = 0; i < 6; i++) {
        sum->tt[i] += part->tt[i];
        sum->ss[i] += part->ss[i];
    }
    for (int i = 0; i < 9; i++)
        sum->ts[i] += part->ts[i];
}

/* m -= g g^T */
static inline void subtract_square(snw__spatial_matrix *m, const snw__spatial *g)
{
    snw_vec3 t = g->turn, s = g->shift;
    m->tt[0] -= t.x * t.x;
    m->tt[1] -= t.x * t.y;
    m->tt[2] -= t.x * t.z;
    m->tt[3] -= t.y * t.y;
    m->tt[4] -= t.y * t.z;
    m->tt[5] -= t.z * t.z;
    m->ts[0] -= t.x * s.x;
    m->ts[1] -= t.x * s.y;
    m->ts[2] -= t.x * s.z;
    m->ts[3] -= t.y * s.x;
    m->ts[4] -= t.y * s.y;
    m->ts[5] -= t.y * s.z;
    m->ts[6] -= t.z * s.x;
    m->ts[7] -= t.z * s.y;
    m->ts[8] -= t.z * s.z;
    m->ss[0] -= s.x * s.x;
    m->ss[1] -= s.x * s.y;
    m->ss[2] -= s.x * s.z;
    m->ss[3] -= s.y * s.y;
    m->ss[4] -= s.y * s.z;
    m->ss[5] -= s.z * s.z;
}

/* ---- loading ------------------------------------------------------------------------------ */

void snw__tree_node_clear(snw__tree_node *node)
{
    memset(&node->load, 0, sizeof node->load);
    memset(&node->force, 0, sizeof node->force);
    memset(node->draw, 0, sizeof node->draw);
    node->hold = 0;
}

void snw__tree_node_add_point(snw__tree_node *node, snw_vec3 q, double m, snw_vec3 r)
{
    double *tt = node->load.tt, *ts = node->load.ts, *ss = node->load.ss;
    snw_vec3 h = snw_vec3_scale(q, m), f = snw_vec3_scale(r, m);
    tt[0] += h.y * q.y + h.z * q.z;
    tt[1] -= h.x * q.y;
    tt[2] -= h.x * q.z;
    tt[3] += h.x * q.x + h.z * q.z;
    tt[4] -= h.y * q.z;
    tt[5] += h.x * q.x + h.y * q.y;
    ts[1] -= h.z;
    ts[2] += h.y;
    ts[3] += h.z;
    ts[5] -= h.x;
    ts[6] -= h.y;
    ts[7] += h.x;
    ss[0] += m;
    ss[3] += m;
    ss[5] += m;
    node->force.turn = snw_vec3_add(node->force.turn, snw_vec3_cross(q, f));
    node->force.shift = snw_vec3_add(node->force.shift, f);
}

void snw__tree_node_add_turn(snw__tree_node *node, double m, snw_vec3 r)
{
    node->load.tt[0] += m;
    node->load.tt[3] += m;
    node->load.tt[5] += m;
    node->force.turn = snw_vec3_add_scaled(node->force.turn, m, r);
}

/* ---- inwards ------------------------------------------------------------------------------ */

/* L, row by row (Cholesky), and W with it: column j of W is (B S_j - sum over i < j of L_ji W_i) /
 * L_jj, and L_ji = S_j . W_i. */
static inline bool factorise(snw__tree_node *node, double damping, int count)
{
    for (int j = 0; j < count; j++) {
        snw__spatial column = node->column[j], rest = apply(&node->bulk, column);
        double size = damping + node->hold + snw__spatial_dot(column, rest), left = size;
        for (int i = 0; i < j; i++) {
            double entry = snw__spatial_dot(column, node->gain[i]);
            node->factor[j][i] = entry;
            left -= entry * entry;
            rest = snw__spatial_add_scaled(rest, -entry, node->gain[i]);
        }
        /* Below this nothing but round-off is left of the coordinate. */
        if (!(left > 1e-15 * size)) return false;
        node->factor[j][j] = 1 / sqrt(left);
        node->gain[j].turn = snw_vec3_scale(rest.turn, node->factor[j][j]);
        node->gain[j].shift = snw_vec3_scale(rest.shift, node->factor[j][j]);
    }
    return true;
}

static inline bool eliminate(snw__tree_node *node, double damping, int count)
{
    if (!factorise(node, damping, count)) return false;
    for (int j = 0; j < count; j++) {
        double sum = snw__spatial_dot(node->column[j], node->pull) + node->draw[j];
        for (int i = 0; i < j; i++)
            sum -= node->factor[j][i] * node->rate[i];
        node->rate[j] = sum * node->factor[j][j];
    }
    return true;
}

/* What is left of the limb once its joint has given way. */
static inline void pass_on(const snw__tree_node *node, snw__tree_node *parent, int count)
{
    snw__spatial_matrix bulk = node->bulk;
    snw__spatial pull = node->pull;
    for (int j = 0; j < count; j++) {
        subtract_square(&bulk, &node->gain[j]);
        pull = snw__spatial_add_scaled(pull, -node->rate[j], node->gain[j]);
    }
    snw__spatial_matrix_add(&parent->bulk, &bulk);
    parent->pull = snw__spatial_add_scaled(parent->pull, 1, pull);
}

static inline bool step_inwards(snw__tree_node *node, snw__tree_node *parent, double damping,
                                int count)
{
    if (!eliminate(node, damping, count)) return false;
    if (parent) pass_on(node, parent, count);
    return true;
}

/* ---- outwards ----------------------------------------------------------------------------- */

/* L^T u = z - W^T V_parent, from the last coordinate to the first. */
static inline void step_outwards(snw__tree_node *node, const snw__tree_node *parent, int count)
{
    static const snw__spatial still = {{0, 0, 0}, {0, 0, 0}};
    snw__spatial carried = parent ? parent->motion : still;
    node->motion = carried;
    for (int j = count - 1; j >= 0; j--) {
        double u = node->rate[j] - snw__spatial_dot(node->gain[j], carried);
        for (int i = j + 1; i < count; i++)
            u -= node->factor[i][j] * node->rate[i];
        node->rate[j] = u * node->factor[j][j];
        node->motion = snw__spatial_add_scaled(node->motion, node->rate[j], node->column[j]);
    }
}

/* ---- both --------------------------------------------------------------------------------- */

static snw__tree_node *parent_of(snw__tree_node *nodes, int index)
{
    return nodes[index].parent < 0 ? NULL : nodes + nodes[index].parent;
}

bool snw__tree_solve(snw__tree_node *nodes, int count, double damping)
{
    /* What held motions do to the points is taken off their residuals. */
    for (int n = 0; n < count; n++) {
        snw__tree_node *node = nodes + n, *parent = parent_of(nodes, n);
        node->drift = parent ? snw__spatial_add_scaled(parent->drift, 1, node->held) : node->held;
        node->bulk = node->load;
        node->pull = snw__spatial_add_scaled(node->force, -1, apply(&node->load, node->drift));
    }
    /* With the count written out the compiler unrolls all inner loops: hinges and balls are nearly
     * all there is. */
    bool is_good = true;
    for (int n = count - 1; n >= 0 && is_good; n--) {
        snw__tree_node *node = nodes + n, *parent = parent_of(nodes, n);
        if (node->column_count == 3)
            is_good = step_inwards(node, parent, damping, 3);
        else if (node->column_count == 1)
            is_good = step_inwards(node, parent, damping, 1);
        else
            is_good = step_inwards(node, parent, damping, node->column_count);
    }
    if (!is_good) return false;
    for (int n = 0; n < count; n++) {
        snw__tree_node *node = nodes + n, *parent = parent_of(nodes, n);
        if (node->column_count == 3)
            step_outwards(node, parent, 3);
        else
            step_outwards(node, parent, node->column_count);
    }
    return true;
}

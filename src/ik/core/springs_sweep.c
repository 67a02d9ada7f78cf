/* From the root outwards: the pose that forces at the goals make, and how it changes with them.
 * With o the origin of a joint, w its turn from the preferred rotation, h the turn of its frame in
 * the world, p the joint above and A the left Jacobian of SO(3)
 *
 *     w_j = (t - o_j) x f / weight_j,
 *     do_j = do_p + dh_p x (o_j - o_p),   dw_j = ((t - o_j) x df - do_j x f) / weight_j,
 *     dh_j = A(w_j) dw_j + exp(w_j) dh_p. */
#include "ik/core/springs_sweep.h"

#include "base/elementary.h"

/* ---- the pose ------------------------------------------------------------------------------- */

void snw__springs_spread(snw__ik_springs *springs)
{
    for (int n = 0; n < springs->node_count; n++) {
        snw__springs_node *node = &springs->node[n];
        const bool *carries = &springs->carries[(size_t)n * SNW__IK_SPRINGS_GOALS];
        node->force = node->moment = snw_vec3_make(0, 0, 0);
        for (int e = 0; e < springs->goal_count; e++) {
            if (!carries[e]) continue;
            node->force = snw_vec3_add(node->force, springs->force[e]);
            node->moment =
                snw_vec3_add(node->moment, snw_vec3_cross(springs->target[e], springs->force[e]));
        }
    }
}

/* Origin of the node and its world rotation before its turn. */
static snw_quat place_node(const snw__ik_springs *springs, const snw_xform *root,
                           snw__springs_node *node)
{
    const snw__springs_node *above = node->parent < 0 ? NULL : &springs->node[node->parent];
    snw_quat rotation = above ? above->rotated : root->rotation;
    snw_vec3 origin = above ? above->origin : root->translation;
    node->origin = snw_vec3_add(origin, snw_quat_rotate(rotation, node->base.translation));
    return snw_quat_mul(rotation, node->wanted);
}

double snw__springs_sweep(snw__ik_springs *springs, const snw_xform *root)
{
    double left = 0, largest = 0;
    snw__springs_spread(springs);
    for (int n = 0; n < springs->node_count; n++) {
        snw__springs_node *node = &springs->node[n];
        snw_quat before = place_node(springs, root, node);
        snw_vec3 torque = snw_vec3_sub(node->moment, snw_vec3_cross(node->origin, node->force));
        node->turn = snw_vec3_scale(torque, node->give);
        node->rotated = snw_quat_mul(snw_quat_exp(node->turn), before);
        double turn2 = snw_vec3_length2(node->turn);
        if (!(turn2 <= largest)) largest = turn2;
    }
    for (int e = 0; e < springs->goal_count; e++) {
        const snw__springs_node *node = &springs->node[springs->tip_node[e]];
        snw_vec3 tip =
            snw_vec3_add(node->origin, snw_quat_rotate(node->rotated, springs->point[e]));
        springs->missing[e] = snw_vec3_sub(springs->target[e], tip);
        left += snw_vec3_length2(springs->missing[e]);
    }
    return largest <= SNW_PI * SNW_PI ? left : INFINITY;
}

/* ---- how it changes ------------------------------------------------------------------------- */

/* Row by row: x I + y [w] + z w w^T. */
static void fill_matrix(snw_vec3 w, double x, double y, double z, double m[3][3])
{
    snw_vec3 s = snw_vec3_scale(w, y), t = snw_vec3_scale(w, z);
    m[0][0] = x + t.x * w.x;
    m[0][1] = t.x * w.y - s.z;
    m[0][2] = t.x * w.z + s.y;
    m[1][0] = t.y * w.x + s.z;
    m[1][1] = x + t.y * w.y;
    m[1][2] = t.y * w.z - s.x;
    m[2][0] = t.z * w.x - s.y;
    m[2][1] = t.z * w.y + s.x;
    m[2][2] = x + t.z * w.z;
}

/* give * A(w), and exp(w) as a matrix. */
static void fill_turn(snw_vec3 w, double give, double a[3][3], double e[3][3])
{
    double angle2 = snw_vec3_length2(w), sinc = 1 - angle2 / 6, versine = 0.5 - angle2 / 24;
    double cosine = 1 - 0.5 * angle2, third = 1.0 / 6 - angle2 / 120;
    /* Below 1e-3 the next terms of the series are 1e-14 and less. */
    if (angle2 > 1e-6) {
        double angle = sqrt(angle2), sine;
        snw__sin_cos(angle, &sine, &cosine);
        sinc = sine / angle;
        versine = (1 - cosine) / angle2;
        third = (1 - sinc) / angle2;
    }
    fill_matrix(w, give * sinc, give * versine, give * third, a);
    fill_matrix(w, cosine, sinc, versine, e);
}

/* out = u x in, column by column. */
static void cross_columns(snw_vec3 u, const snw__springs_columns *in, int columns,
                          snw__springs_columns *out)
{
    for (int k = 0; k < columns; k++) {
        out->row[0][k] = u.y * in->row[2][k] - u.z * in->row[1][k];
        out->row[1][k] = u.z * in->row[0][k] - u.x * in->row[2][k];
        out->row[2][k] = u.x * in->row[1][k] - u.y * in->row[0][k];
    }
}

/* out = a u + b v, column by column. */
static void turn_columns(double a[3][3], const snw__springs_columns *u, double b[3][3],
                         const snw__springs_columns *v, int columns, snw__springs_columns *out)
{
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < columns; k++)
            out->row[r][k] = a[r][0] * u->row[0][k] + a[r][1] * u->row[1][k] +
                             a[r][2] * u->row[2][k] + b[r][0] * v->row[0][k] +
                             b[r][1] * v->row[1][k] + b[r][2] * v->row[2][k];
}

/* torque += (t_e - o) x each component of the force of goal e. */
static void add_levers(const snw__ik_springs *springs, int n, snw__springs_columns *torque)
{
    const bool *carries = &springs->carries[(size_t)n * SNW__IK_SPRINGS_GOALS];
    for (int e = 0; e < springs->goal_count; e++) {
        if (!carries[e]) continue;
        snw_vec3 lever = snw_vec3_sub(springs->target[e], springs->node[n].origin);
        torque->row[1][3 * e] += lever.z;
        torque->row[2][3 * e] -= lever.y;
        torque->row[0][3 * e + 1] -= lever.z;
        torque->row[2][3 * e + 1] += lever.x;
        torque->row[0][3 * e + 2] += lever.y;
        torque->row[1][3 * e + 2] -= lever.x;
    }
}

/* Of the pose that was swept last. Columns in fours, for the compiler's sake. */
static void fill_rates(snw__ik_springs *springs)
{
    static const snw__springs_rate none = {{{{0}}}, {{{0}}}};
    int columns = (3 * springs->goal_count + 3) / 4 * 4;
    for (int n = 0; n < springs->node_count; n++) {
        const snw__springs_node *node = &springs->node[n];
        const snw__springs_rate *above = node->parent < 0 ? &none : &springs->rate[node->parent];
        snw__springs_rate *rate = &springs->rate[n];
        snw__springs_columns torque;
        double a[3][3], e[3][3];
        snw_vec3 arm = node->parent < 0
                           ? snw_vec3_make(0, 0, 0)
                           : snw_vec3_sub(springs->node[node->parent].origin, node->origin);
        cross_columns(arm, &above->turn, columns, &rate->origin);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < columns; k++)
                rate->origin.row[r][k] += above->origin.row[r][k];
        cross_columns(node->force, &rate->origin, columns, &torque);
        add_levers(springs, n, &torque);
        fill_turn(node->turn, node->give, a, e);
        turn_columns(a, &torque, e, &above->turn, columns, &rate->turn);
    }
}

void snw__springs_compliance(snw__ik_springs *springs, double *c)
{
    int rows = 3 * springs->goal_count;
    fill_rates(springs);
    for (int e = 0; e < springs->goal_count; e++) {
        const snw__springs_node *node = &springs->node[springs->tip_node[e]];
        const snw__springs_rate *rate = &springs->rate[springs->tip_node[e]];
        snw__springs_columns moved;
        snw_vec3 arm = snw_quat_rotate(node->rotated, springs->point[e]);
        cross_columns(snw_vec3_neg(arm), &rate->turn, rows, &moved);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < rows; k++)
                c[(3 * e + r) * rows + k] = rate->origin.row[r][k] + moved.row[r][k];
    }
}

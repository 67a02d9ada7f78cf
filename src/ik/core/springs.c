/* Preferred poses of trees of free balls, by the forces at the goals alone.
 *
 * Every joint is a torsion spring: turned by the rotation vector w from its preferred rotation it
 * holds weight |w|^2 / 2. With multipliers f_e of the goals, forces at the tips, the nearest pose
 * that meets them is in balance,
 *
 *     weight_j w_j = sum over goals e beyond j of (t_e - o_j) x f_e        (world; t: target),
 *
 * because the gradient of |w|^2 / 2 is w itself. The torque at a joint depends on the joints above
 * it only: from the root outwards the forces give the whole pose, and what is left to solve is
 * tip_e(f) = t_e, three equations for each goal whatever the number of joints: single shooting, as
 * for the elastica. It is done by Newton's method, with the derivatives of the sweep carried along
 * (springs_sweep). Two or three steps do, from forces that explain a pose near the answer best:
 * the start, when it is itself nearly in balance (the answer of the frame before), else the
 * preferred pose led to the goals by the damped steps of the quick tree. Lengths are in body
 * sizes. */
#include <sinew/dense.h>

#include "base/elementary.h"
#include "ik/core/fast_tree.h"
#include "ik/core/springs.h"
#include <string.h>

/* ---- springs sweep -----------------------------------------------------------------------------
 */

/* From the root outwards: the pose that forces at the goals make, and how it changes with them.
 * With o the origin of a joint, w its turn from the preferred rotation, h the turn of its frame in
 * the world, p the joint above and A the left Jacobian of SO(3)
 *
 *     w_j = (t - o_j) x f / weight_j,
 *     do_j = do_p + dh_p x (o_j - o_p),   dw_j = ((t - o_j) x df - do_j x f) / weight_j,
 *     dh_j = A(w_j) dw_j + exp(w_j) dh_p. */

#define SNW__SPRINGS_ROWS (3 * SNW__IK_SPRINGS_GOALS)

typedef struct snw__springs_node {
    int joint;
    int parent;         /* node; -1: nothing moves above */
    snw_xform base;     /* of the joint before its rotation, in the frame of the node above */
    snw_quat preferred; /* rotation, local */
    snw_quat wanted;    /* base and preferred rotation together */
    double give;        /* 1 / weight; 0: no goal has a lever */
    snw_vec3 force;     /* of the goals beyond */
    snw_vec3 moment;    /* of them about the origin of the world */
    snw_vec3 origin;    /* of this sweep */
    snw_quat rotated;   /* world rotation of this sweep */
    snw_vec3 turn;      /* from the preferred rotation, in the world */
} snw__springs_node;

/* A vector for every component of the forces. */
typedef struct snw__springs_columns {
    double row[3][SNW__SPRINGS_ROWS];
} snw__springs_columns;

/* How the origin of a node and the turn of its frame change per unit of each component. */
typedef struct snw__springs_rate {
    snw__springs_columns origin, turn;
} snw__springs_rate;

struct snw__ik_springs {
    snw__ik_fast_tree *tree;
    int node_count;
    snw__springs_node *node; /* (node_count) parents first */
    snw__springs_rate *rate; /* (node_count) */
    bool *carries;           /* (node_count x goal_count) */
    snw__ik_snapshot start;
    int goal_count;                            /* that pull */
    int goal[SNW__IK_SPRINGS_GOALS];           /* into the goals */
    int tip_node[SNW__IK_SPRINGS_GOALS];       /* the last node above the goal */
    snw_xform tip_from[SNW__IK_SPRINGS_GOALS]; /* the goal's joint in the frame of that node */
    snw_vec3 point[SNW__IK_SPRINGS_GOALS];     /* the goal's, in the frame of that node */
    snw_vec3 target[SNW__IK_SPRINGS_GOALS];
    snw_vec3 force[SNW__IK_SPRINGS_GOALS];
    snw_vec3 missing[SNW__IK_SPRINGS_GOALS]; /* target - tip */
};

/* ---- the pose ------------------------------------------------------------------------------- */

/* Forces and moments at every node, from those at the goals. */
static void springs_spread(snw__ik_springs *springs)
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

/* The pose that the forces make, and what the tips then lack; the square of that. Infinite when a
 * joint turns farther than it may. */
static double springs_sweep(snw__ik_springs *springs, const snw_xform *root)
{
    double left = 0, largest = 0;
    springs_spread(springs);
    for (int n = 0; n < springs->node_count; n++) {
        snw__springs_node *node = &springs->node[n];
        const snw__springs_node *above = node->parent < 0 ? NULL : &springs->node[node->parent];
        snw_quat rotation = above ? above->rotated : root->rotation;
        snw_vec3 origin = above ? above->origin : root->translation;
        node->origin = snw_vec3_add(origin, snw_quat_rotate(rotation, node->base.translation));
        snw_quat before = snw_quat_mul(rotation, node->wanted);
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
        /* torque += (t_e - o) x each component of the force of goal e. */
        const bool *carries = &springs->carries[(size_t)n * SNW__IK_SPRINGS_GOALS];
        for (int g = 0; g < springs->goal_count; g++) {
            if (!carries[g]) continue;
            snw_vec3 lever = snw_vec3_sub(springs->target[g], springs->node[n].origin);
            torque.row[1][3 * g] += lever.z;
            torque.row[2][3 * g] -= lever.y;
            torque.row[0][3 * g + 1] -= lever.z;
            torque.row[2][3 * g + 1] += lever.x;
            torque.row[0][3 * g + 2] += lever.y;
            torque.row[1][3 * g + 2] -= lever.x;
        }
        fill_turn(node->turn, node->give, a, e);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < columns; k++)
                rate->turn.row[r][k] =
                    a[r][0] * torque.row[0][k] + a[r][1] * torque.row[1][k] +
                    a[r][2] * torque.row[2][k] + e[r][0] * above->turn.row[0][k] +
                    e[r][1] * above->turn.row[1][k] + e[r][2] * above->turn.row[2][k];
    }
}

/* A start that meets the goals must not be nearer than the answer by more than round-off. */
#define SPRINGS_FARTHER (1 + 1e-6)

/* ---- plan --------------------------------------------------------------------------------- */

bool snw__ik_springs_fits(const snw_ik *ik)
{
    int count = 0;
    for (int g = 0; g < ik->goal_count; g++)
        count += !snw__goal_is_secondary(&ik->goal[g]);
    return count <= SNW__IK_SPRINGS_GOALS && !ik->has_control && snw__ik_fast_tree_fits(ik);
}

/* From the frame of the nearest node above (or of the world) to that of `joint`, whose own rotation
 * is left out; lengths in body sizes. */
static int node_above(const snw__ik_springs *springs, const snw_ik *ik, int joint, snw_xform *base)
{
    const snw_skeleton *skeleton = ik->skeleton;
    *base = skeleton->rest[joint];
    int i = skeleton->parent[joint];
    for (; i >= 0 && snw_joint_type_dof(ik->joint[i].type) == 0; i = skeleton->parent[i])
        *base = snw_xform_mul(skeleton->rest[i], *base);
    base->translation = snw_vec3_scale(base->translation, 1 / ik->size);
    for (int n = springs->node_count - 1; n >= 0; n--)
        if (springs->node[n].joint == i) return n;
    return -1;
}

static void fill_plan(snw__ik_springs *springs, const snw_ik *ik)
{
    for (int g = 0; g < ik->goal_count; g++)
        if (!snw__goal_is_secondary(&ik->goal[g])) springs->goal[springs->goal_count++] = g;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        bool *carries = &springs->carries[(size_t)springs->node_count * SNW__IK_SPRINGS_GOALS];
        bool is_any = false;
        if (ik->joint[j].type != SNW_JOINT_BALL) continue;
        for (int e = 0; e < springs->goal_count; e++) {
            carries[e] = snw__ik_is_below(ik->skeleton, ik->goal[springs->goal[e]].joint, j);
            is_any |= carries[e];
        }
        if (!is_any) continue;
        snw__springs_node *node = &springs->node[springs->node_count];
        node->joint = j;
        node->parent = node_above(springs, ik, j, &node->base);
        springs->node_count++;
    }
    for (int e = 0; e < springs->goal_count; e++) {
        int joint = ik->goal[springs->goal[e]].joint;
        springs->tip_from[e] = snw_xform_identity();
        springs->tip_node[e] = -1;
        for (int n = 0; n < springs->node_count; n++)
            if (springs->node[n].joint == joint) springs->tip_node[e] = n;
        if (springs->tip_node[e] < 0)
            springs->tip_node[e] = node_above(springs, ik, joint, &springs->tip_from[e]);
    }
}

snw__ik_springs *snw__ik_springs_layout(const snw_ik *ik, snw__block *block)
{
    size_t joints = (size_t)ik->skeleton->joint_count;
    snw__ik_springs fields = {0};
    snw__ik_springs *springs = snw__block_take(block, 1, sizeof *springs);
    fields.node = snw__block_take(block, joints, sizeof *fields.node);
    fields.rate = snw__block_take(block, joints, sizeof *fields.rate);
    fields.carries = snw__block_take(block, joints * SNW__IK_SPRINGS_GOALS, sizeof(bool));
    snw__ik_snapshot_layout(&fields.start, joints, block);
    fields.tree = snw__ik_fast_tree_layout(ik, block);
    if (!springs) return NULL;
    *springs = fields;
    fill_plan(springs, ik);
    return springs;
}

/* ---- forces that explain a pose ------------------------------------------------------------- */

/* Turns, origins and world rotations from the pose; true when it is the preferred one. */
static bool load_pose(snw__ik_springs *springs, const snw_ik *ik, const snw_pose *pose)
{
    bool is_preferred = true;
    for (int n = 0; n < springs->node_count && is_preferred; n++) {
        const snw__springs_node *node = &springs->node[n];
        is_preferred =
            memcmp(&pose->rotation[node->joint], &node->preferred, sizeof(snw_quat)) == 0;
    }
    if (is_preferred) return true;
    for (int n = 0; n < springs->node_count; n++) {
        snw__springs_node *node = &springs->node[n];
        const snw_xform *world = &pose->world[node->joint];
        snw_quat rotation =
            node->parent < 0 ? pose->root.rotation : springs->node[node->parent].rotated;
        snw_quat before = snw_quat_mul(rotation, node->wanted);
        node->origin = snw_vec3_scale(world->translation, 1 / ik->size);
        node->rotated = world->rotation;
        node->turn = snw_quat_log(snw_quat_mul(world->rotation, snw_quat_conjugate(before)));
    }
    return false;
}

/* block += give ((l.m) I - m l^T), in a matrix whose rows are `stride` long. */
static void add_block(double *block, int stride, double give, snw_vec3 l, snw_vec3 m)
{
    double inner = give * snw_vec3_dot(l, m);
    double *x = block, *y = block + stride, *z = block + 2 * stride;
    m = snw_vec3_scale(m, give);
    x[0] += inner - m.x * l.x;
    x[1] -= m.x * l.y;
    x[2] -= m.x * l.z;
    y[0] -= m.y * l.x;
    y[1] += inner - m.y * l.y;
    y[2] -= m.y * l.z;
    z[0] -= m.z * l.x;
    z[1] -= m.z * l.y;
    z[2] += inner - m.z * l.z;
}

/* a (rows x rows) = J M^-1 J^T, lower triangle, from the levers l and m of two goals, and right = J
 * w; returns the trace. */
static double fill_balance(const snw__ik_springs *springs, double *a, double *right)
{
    int rows = 3 * springs->goal_count;
    double trace = 0;
    memset(a, 0, (size_t)rows * (size_t)rows * sizeof *a);
    memset(right, 0, (size_t)rows * sizeof *right);
    for (int n = 0; n < springs->node_count; n++) {
        const snw__springs_node *node = &springs->node[n];
        const bool *carries = &springs->carries[(size_t)n * SNW__IK_SPRINGS_GOALS];
        if (node->give == 0) continue;
        for (int e = 0; e < springs->goal_count; e++) {
            if (!carries[e]) continue;
            snw_vec3 l = snw_vec3_sub(springs->target[e], node->origin);
            snw_vec3 pull = snw_vec3_cross(node->turn, l);
            right[3 * e] += pull.x;
            right[3 * e + 1] += pull.y;
            right[3 * e + 2] += pull.z;
            for (int g = 0; g <= e; g++) {
                if (!carries[g]) continue;
                snw_vec3 m = snw_vec3_sub(springs->target[g], node->origin);
                add_block(&a[3 * e * rows + 3 * g], rows, node->give, l, m);
            }
        }
    }
    for (int k = 0; k < rows; k++)
        trace += a[k * rows + k];
    return trace;
}

/* How far a pose is off balance. */
typedef struct springs_fit {
    bool is_solved;
    double trace;   /* of J M^-1 J^T */
    double way2;    /* sum of weight |turn|^2 */
    double off2;    /* the same of what the forces do not explain */
    double largest; /* square of the largest of those */
} springs_fit;

/* The forces that explain the turns of a loaded pose best. */
static springs_fit fit_forces(snw__ik_springs *springs)
{
    double a[SNW__SPRINGS_ROWS * SNW__SPRINGS_ROWS], x[SNW__SPRINGS_ROWS];
    int rows = 3 * springs->goal_count;
    springs_fit fit = {.trace = fill_balance(springs, a, x)};
    /* 1e-9: a straight limb has no lever along itself. */
    for (int k = 0; k < rows; k++)
        a[k * rows + k] += 1e-9 * fit.trace + 1e-300;
    fit.is_solved =
        snw_cholesky_factor(a, rows) == SNW_OK && snw_cholesky_solve(a, rows, x) == SNW_OK;
    if (!fit.is_solved) return fit;
    for (int e = 0; e < springs->goal_count; e++)
        springs->force[e] = snw_vec3_make(x[3 * e], x[3 * e + 1], x[3 * e + 2]);
    springs_spread(springs);
    for (int n = 0; n < springs->node_count; n++) {
        const snw__springs_node *node = &springs->node[n];
        snw_vec3 torque = snw_vec3_sub(node->moment, snw_vec3_cross(node->origin, node->force));
        snw_vec3 off = snw_vec3_sub(node->turn, snw_vec3_scale(torque, node->give));
        double off2 = snw_vec3_length2(off), weight = node->give > 0 ? 1 / node->give : 1;
        fit.way2 += weight * snw_vec3_length2(node->turn);
        fit.off2 += weight * off2;
        fit.largest = fmax(fit.largest, off2);
    }
    return fit;
}

/* ---- the solve ---------------------------------------------------------------------------- */

/* Preferred rotations and weights, targets and points of this solve; false when a joint is drawn
 * nowhere or a goal has nothing that moves it. */
static bool begin(snw__ik_springs *springs, const snw_ik *ik, const snw_goal *goals,
                  snw__ik_spring_of *spring_of)
{
    double unit = 1 / ik->size;
    for (int n = 0; n < springs->node_count; n++) {
        snw__springs_node *node = &springs->node[n];
        snw__ik_spring spring = spring_of(ik, goals, node->joint);
        if (!(spring.weight > 0)) return false;
        node->preferred = spring.rotation;
        node->wanted = snw_quat_mul(node->base.rotation, spring.rotation);
        node->give = 1 / spring.weight;
    }
    for (int e = 0; e < springs->goal_count; e++) {
        const snw_goal *goal = &goals[springs->goal[e]];
        int n = springs->tip_node[e];
        if (n < 0) return false;
        snw_vec3 point =
            snw_quat_rotate(springs->tip_from[e].rotation, snw_vec3_scale(goal->point, unit));
        springs->point[e] = snw_vec3_add(springs->tip_from[e].translation, point);
        springs->target[e] = snw_vec3_scale(goal->position, unit);
        if (springs->goal_count == 1 && snw_vec3_length2(springs->point[e]) == 0)
            springs->node[n].give = 0;
    }
    return true;
}

/* Forces of one Newton step: (C^T C + lambda^2) df = C^T missing. */
static bool find_forces(snw__ik_springs *springs, double left, double trace, snw_vec3 *df)
{
    double c[SNW__SPRINGS_ROWS * SNW__SPRINGS_ROWS], a[SNW__SPRINGS_ROWS * SNW__SPRINGS_ROWS],
        x[SNW__SPRINGS_ROWS];
    int rows = 3 * springs->goal_count;
    double damping = SNW__IK_DAMPING_FAR * SNW__IK_DAMPING_FAR * left * trace * trace;
    /* c (rows x rows) = d tip / d force, of the pose that was swept last. */
    fill_rates(springs);
    for (int e = 0; e < springs->goal_count; e++) {
        const snw__springs_node *node = &springs->node[springs->tip_node[e]];
        const snw__springs_rate *rate = &springs->rate[springs->tip_node[e]];
        snw__springs_columns moved;
        snw_vec3 arm = snw_quat_rotate(node->rotated, springs->point[e]);
        cross_columns(snw_vec3_neg(arm), &rate->turn, rows, &moved);
        for (int r = 0; r < 3; r++)
            for (int q = 0; q < rows; q++)
                c[(3 * e + r) * rows + q] = rate->origin.row[r][q] + moved.row[r][q];
    }
    for (int i = 0; i < rows; i++) {
        x[i] = 0;
        for (int k = 0; k <= i; k++)
            a[i * rows + k] = i == k ? damping + 1e-300 : 0;
    }
    for (int r = 0; r < rows; r++) {
        const double *row = &c[r * rows];
        const snw_vec3 *missing = &springs->missing[r / 3];
        double lack = r % 3 == 0 ? missing->x : r % 3 == 1 ? missing->y : missing->z;
        for (int i = 0; i < rows; i++) {
            x[i] += row[i] * lack;
            for (int k = 0; k <= i; k++)
                a[i * rows + k] += row[i] * row[k];
        }
    }
    if (snw_cholesky_factor(a, rows) != SNW_OK || snw_cholesky_solve(a, rows, x) != SNW_OK)
        return false;
    for (int e = 0; e < springs->goal_count; e++)
        df[e] = snw_vec3_make(x[3 * e], x[3 * e + 1], x[3 * e + 2]);
    return true;
}

/* Newton from the forces that are there; true when all tips are at their targets. */
static bool shoot(snw__ik_springs *springs, const snw_xform *root, double last, double trace,
                  int *iterations)
{
    snw_vec3 from[SNW__IK_SPRINGS_GOALS], df[SNW__IK_SPRINGS_GOALS];
    double left = springs_sweep(springs, root);
    for (int step = 0; step < 2 * SNW__IK_ROUNDS; step++, ++*iterations) {
        if (left <= last * last) return true;
        if (!(left < INFINITY) || !find_forces(springs, left, trace, df)) return false;
        double part = 1, next = INFINITY;
        memcpy(from, springs->force, sizeof from);
        for (int k = 0; k <= SNW__IK_ROUNDS; k++, part *= 0.5) {
            for (int e = 0; e < springs->goal_count; e++)
                springs->force[e] = snw_vec3_add_scaled(from[e], part, df[e]);
            next = springs_sweep(springs, root);
            if (next < (1 - 1e-3 * part) * left) break;
        }
        if (!(next < left)) return false;
        left = next;
    }
    return false;
}

/* The pose as swept, and the square of its way from the preferred one. */
static double store(const snw__ik_springs *springs, snw_pose *pose)
{
    double way2 = 0;
    for (int n = 0; n < springs->node_count; n++) {
        const snw__springs_node *node = &springs->node[n];
        snw_quat above =
            node->parent < 0 ? pose->root.rotation : springs->node[node->parent].rotated;
        snw_quat before = snw_quat_mul(above, node->base.rotation);
        pose->rotation[node->joint] =
            snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(before), node->rotated));
        if (node->give > 0) way2 += snw_vec3_length2(node->turn) / node->give;
    }
    snw_pose_forward_from(pose, springs->node[0].joint);
    return way2;
}

bool snw__ik_springs_solve(const snw_ik *ik, snw__ik_springs *springs, const snw_goal *goals,
                           snw__ik_spring_of *spring_of, snw_pose *pose, int *iterations)
{
    snw_xform root = pose->root;
    double tolerance = ik->options.tolerance, last = fmax(SNW__IK_STALL * tolerance, 1e-13);
    root.translation = snw_vec3_scale(root.translation, 1 / ik->size);
    if (!begin(springs, ik, goals, spring_of)) return false;
    springs_fit fit = {0};
    bool is_met = snw__ik_excess(ik, goals, pose) <= 1;
    bool is_preferred = load_pose(springs, ik, pose);
    if (!is_preferred) fit = fit_forces(springs);
    if (is_met && fit.largest <= SNW__IK_STAY * SNW__IK_STAY) return true;
    snw__ik_snapshot_take(&springs->start, pose);
    double way2 = is_met ? fit.way2 : INFINITY;
    bool is_warm = fit.is_solved && fit.off2 <= SNW__IK_SHAKE * SNW__IK_SHAKE * fit.way2;
    bool has_found = is_warm && shoot(springs, &root, last, fit.trace, iterations);
    if (!has_found) {
        /* The preferred pose, led towards the goals. */
        for (int n = 0; n < springs->node_count && !is_preferred; n++)
            pose->rotation[springs->node[n].joint] = springs->node[n].preferred;
        if (!is_preferred) snw_pose_forward_from(pose, springs->node[0].joint);
        *iterations +=
            snw__ik_fast_tree_solve(ik, springs->tree, goals, pose, SNW__IK_TRIES).iterations;
        (void)load_pose(springs, ik, pose);
        fit = fit_forces(springs);
        has_found = fit.is_solved && shoot(springs, &root, last, fit.trace, iterations);
    }
    if (has_found && store(springs, pose) <= SPRINGS_FARTHER * way2 &&
        snw__ik_excess(ik, goals, pose) <= 1)
        return true;
    snw__ik_snapshot_restore(&springs->start, pose);
    snw_pose_forward(pose);
    return false;
}

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
 * (springs_sweep.c). Two or three steps do, from forces that explain a pose near the answer best:
 * the start, when it is itself nearly in balance (the answer of the frame before), else the
 * preferred pose led to the goals by the damped steps of the quick tree. Lengths are in body
 * sizes. */
#include <sinew/dense.h>

#include <string.h>

#include "ik/core/springs_sweep.h"

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

static bool is_on_way(const snw_skeleton *skeleton, int joint, int below)
{
    while (below > joint)
        below = skeleton->parent[below];
    return below == joint;
}

static void add_node(snw__ik_springs *springs, const snw_ik *ik, int joint)
{
    bool *carries = &springs->carries[(size_t)springs->node_count * SNW__IK_SPRINGS_GOALS];
    bool is_any = false;
    if (ik->joint[joint].type != SNW_JOINT_BALL) return;
    for (int e = 0; e < springs->goal_count; e++) {
        carries[e] = is_on_way(ik->skeleton, joint, ik->goal[springs->goal[e]].joint);
        is_any |= carries[e];
    }
    if (!is_any) return;
    snw__springs_node *node = &springs->node[springs->node_count];
    node->joint = joint;
    node->parent = node_above(springs, ik, joint, &node->base);
    springs->node_count++;
}

static void fill_plan(snw__ik_springs *springs, const snw_ik *ik)
{
    for (int g = 0; g < ik->goal_count; g++)
        if (!snw__goal_is_secondary(&ik->goal[g])) springs->goal[springs->goal_count++] = g;
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        add_node(springs, ik, j);
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

static void put_forces(snw__ik_springs *springs, const double *x)
{
    for (int e = 0; e < springs->goal_count; e++)
        springs->force[e] = snw_vec3_make(x[3 * e], x[3 * e + 1], x[3 * e + 2]);
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
    put_forces(springs, x);
    snw__springs_spread(springs);
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
    snw__springs_compliance(springs, c);
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
    double left = snw__springs_sweep(springs, root);
    for (int step = 0; step < 2 * SNW__IK_ROUNDS; step++, ++*iterations) {
        if (left <= last * last) return true;
        if (!(left < INFINITY) || !find_forces(springs, left, trace, df)) return false;
        double part = 1, next = INFINITY;
        memcpy(from, springs->force, sizeof from);
        for (int k = 0; k <= SNW__IK_ROUNDS; k++, part *= 0.5) {
            for (int e = 0; e < springs->goal_count; e++)
                springs->force[e] = snw_vec3_add_scaled(from[e], part, df[e]);
            next = snw__springs_sweep(springs, root);
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

/* The preferred pose, led towards the goals. */
static void lead(snw__ik_springs *springs, const snw_ik *ik, const snw_goal *goals,
                 bool is_preferred, snw_pose *pose, int *iterations)
{
    for (int n = 0; n < springs->node_count && !is_preferred; n++)
        pose->rotation[springs->node[n].joint] = springs->node[n].preferred;
    if (!is_preferred) snw_pose_forward_from(pose, springs->node[0].joint);
    *iterations +=
        snw__ik_fast_tree_solve(ik, springs->tree, goals, pose, SNW__IK_TRIES).iterations;
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
        lead(springs, ik, goals, is_preferred, pose, iterations);
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

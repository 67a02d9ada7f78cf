/* Damped least squares on positions alone, for trees of free ball joints.
 *
 * With three turns at every joint no Jacobian is needed. The column block of joint j for tip e is
 * the cross product with a = p_e - o_j, so J J^T has 3x3 blocks
 *
 *     sum over joints above both e and f of  (a.b) I - b a^T,      a = p_e - o_j, b = p_f - o_j,
 *
 * which depends on the joints only through their count, sum and second moment along the common
 * path: three numbers that grow from parent to child. The joints' turns J^T y come back the same
 * way, from child to parent: w_j = sum p_e x y_e - o_j x sum y_e. Both passes are linear in joints,
 * whatever the number of tips.
 *
 * A turn w is taken as the unit quaternion along (1, w/2): 2 atan(|w|/2) about w, no trigonometry,
 * the same to second order, and never more than half a turn. Damping as in lm: it falls with the
 * error, and grows when a step does not pay. */
#include "ik/core/fast_tree.h"

#include "ik/core/bounds.h"

/* Damping, relative to the mean diagonal of J J^T, is this times the squared error in body sizes:
 * the first step falls short by about as much as the linear model is wrong for it, the last ones
 * are Newton's. [measured] over 1000 upper-body targets: 4.5 iterations for 0.1 to 0.2; 5.2 for
 * 0.02, 4.6 for 0.4, 4.8 with a fixed start of 0.03 that falls tenfold each time. */
#define FAST_DAMPING 0.15

typedef struct fast_node {
    int joint;
    int parent;   /* node; -1: nothing moves above */
    bool is_idle; /* no goal hangs below it with a lever */
} fast_node;

typedef struct fast_state {
    snw_vec3 origin;
    snw_quat turn; /* since the solve began, in the world */
} fast_state;

/* Count, sum and second moment of the origins on the way from the root to a node. */
typedef struct fast_moment {
    double count;
    snw_vec3 sum;
    double xx, yy, zz, xy, xz, yz;
} fast_moment;

typedef struct fast_pull {
    snw_vec3 force;  /* sum of y_e over the tips below */
    snw_vec3 moment; /* sum of p_e x y_e */
} fast_pull;

struct snw__ik_fast_tree {
    int node_count;
    fast_node *node;      /* (node_count) parents first */
    fast_state *state[2]; /* (node_count) now and next */
    fast_moment *moment;  /* (node_count) */
    fast_pull *pull;      /* (node_count) */
    snw_quat *step;       /* (node_count) turns of this step in the world, parents included */
    int goal_count;       /* that pull */
    int *goal;            /* (goal_count) into the problem's goals */
    int *goal_node;       /* (goal_count) the last node above the goal */
    int *meeting;         /* (goal_count x goal_count) the last node above both; -1: none */
    snw_vec3 *tip[2];     /* (goal_count) */
    double *gram;         /* (3 goal_count)^2, lower triangle */
    double *right;        /* (3 goal_count) */
};

/* ---- plan --------------------------------------------------------------------------------- */

bool snw__ik_fast_tree_fits(const snw_ik *ik)
{
    if (ik->options.root != SNW_IK_ROOT_FIXED || ik->skeleton->pin_count > 0) return false;
    int count = 0;
    for (int g = 0; g < ik->goal_count; g++) {
        if (snw__goal_is_secondary(&ik->goal[g])) continue; /* looked after by the solve around */
        if (!snw__goal_is_point(&ik->goal[g])) return false;
        count++;
        for (int i = ik->goal[g].joint; i >= 0; i = ik->skeleton->parent[i]) {
            const snw_joint *joint = &ik->joint[i];
            if (snw_joint_type_dof(joint->type) == 0) continue;
            if (snw__joint_slides(joint) || !snw__ik_joint_is_unlimited(joint)) return false;
        }
    }
    return count >= 1 && count <= SNW__IK_FAST_GOALS;
}

/* Node of the nearest ball joint at or above `joint`; -1: none. */
static int node_above(const snw__ik_fast_tree *tree, const snw_skeleton *skeleton, int joint)
{
    for (int i = joint; i >= 0; i = skeleton->parent[i])
        for (int n = tree->node_count - 1; n >= 0; n--)
            if (tree->node[n].joint == i) return n;
    return -1;
}

snw__ik_fast_tree *snw__ik_fast_tree_layout(const snw_ik *ik, snw__block *block)
{
    size_t joints = (size_t)ik->skeleton->joint_count, goals = (size_t)ik->goal_count;
    snw__ik_fast_tree fields = {0};
    snw__ik_fast_tree *tree = snw__block_take(block, 1, sizeof *tree);
    fields.node = snw__block_take(block, joints, sizeof *fields.node);
    fields.moment = snw__block_take(block, joints, sizeof *fields.moment);
    fields.pull = snw__block_take(block, joints, sizeof *fields.pull);
    fields.step = snw__block_take(block, joints, sizeof *fields.step);
    fields.goal = snw__block_take(block, goals, sizeof(int));
    fields.goal_node = snw__block_take(block, goals, sizeof(int));
    fields.meeting = snw__block_take(block, goals * goals, sizeof(int));
    fields.gram = snw__block_take(block, 9 * goals * goals, sizeof(double));
    fields.right = snw__block_take(block, 3 * goals, sizeof(double));
    for (int k = 0; k < 2; k++) {
        fields.state[k] = snw__block_take(block, joints, sizeof(fast_state));
        fields.tip[k] = snw__block_take(block, goals, sizeof(snw_vec3));
    }
    if (!tree) return NULL;
    *tree = fields;
    const snw_skeleton *skeleton = ik->skeleton;
    for (int i = 0; i < skeleton->joint_count; i++) {
        bool carries_goal = false;
        for (int g = 0; g < ik->goal_count && ik->joint[i].type == SNW_JOINT_BALL; g++)
            carries_goal |= !snw__goal_is_secondary(&ik->goal[g]) &&
                            snw__ik_is_below(skeleton, ik->goal[g].joint, i);
        if (!carries_goal) continue;
        int above = node_above(tree, skeleton, skeleton->parent[i]);
        fast_node *node = &tree->node[tree->node_count++];
        node->joint = i;
        node->parent = above;
    }
    for (int g = 0; g < ik->goal_count; g++) {
        if (snw__goal_is_secondary(&ik->goal[g])) continue;
        tree->goal_node[tree->goal_count] = node_above(tree, skeleton, ik->goal[g].joint);
        tree->goal[tree->goal_count++] = g;
    }
    for (int g = 0; g < tree->goal_count; g++)
        for (int k = 0; k < tree->goal_count; k++) {
            int a = tree->goal_node[g], b = tree->goal_node[k];
            while (a != b)
                if (a > b)
                    a = tree->node[a].parent;
                else
                    b = tree->node[b].parent;
            tree->meeting[g * tree->goal_count + k] = a;
        }
    return tree;
}

/* ---- the linear system -------------------------------------------------------------------- */

/* Block (e, f) of J J^T into gram, whose rows are `stride` long. */
static void fill_block(double *gram, int stride, const fast_moment *m, snw_vec3 a, snw_vec3 b)
{
    snw_vec3 s = m->sum;
    double inner =
        m->count * snw_vec3_dot(a, b) - snw_vec3_dot(snw_vec3_add(a, b), s) + m->xx + m->yy + m->zz;
    /* b a^T summed: column k is b' a_k - s b_k..., written out with u = count b - s. */
    snw_vec3 u = snw_vec3_sub(snw_vec3_scale(b, m->count), s);
    double *x = gram, *y = gram + stride, *z = gram + 2 * stride;
    x[0] = inner - (u.x * a.x - b.x * s.x + m->xx);
    x[1] = -(u.x * a.y - b.x * s.y + m->xy);
    x[2] = -(u.x * a.z - b.x * s.z + m->xz);
    y[0] = -(u.y * a.x - b.y * s.x + m->xy);
    y[1] = inner - (u.y * a.y - b.y * s.y + m->yy);
    y[2] = -(u.y * a.z - b.y * s.z + m->yz);
    z[0] = -(u.z * a.x - b.z * s.x + m->xz);
    z[1] = -(u.z * a.y - b.z * s.y + m->yz);
    z[2] = inner - (u.z * a.z - b.z * s.z + m->zz);
}

/* What one solve works with. */
typedef struct fast_run {
    snw__ik_fast_tree *tree;
    int goal_count;
    const snw_goal *goals;
    double weight[SNW__IK_FAST_GOALS]; /* root of each goal's weight */
    double tolerance2;                 /* metres squared */
    double energy;                     /* weighted squares */
    double worst2;                     /* largest squared distance */
} fast_run;

/* Lower Cholesky of gram + lambda, then right = solution, both in place. False when not positive.
 */
static bool solve_in_place(double *a, double *x, int n, double lambda)
{
    for (int j = 0; j < n; j++) {
        double *row = &a[j * n];
        for (int i = 0; i < j; i++) {
            const double *above = &a[i * n];
            double sum = row[i];
            for (int k = 0; k < i; k++)
                sum -= row[k] * above[k];
            row[i] = sum * above[i]; /* the diagonal holds reciprocals */
        }
        double pivot = row[j] + lambda, value = x[j];
        for (int k = 0; k < j; k++) {
            pivot -= row[k] * row[k];
            value -= row[k] * x[k];
        }
        if (!(pivot > 0)) return false;
        row[j] = 1 / sqrt(pivot);
        x[j] = value * row[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        x[j] *= a[j * n + j];
        for (int k = 0; k < j; k++)
            x[k] -= a[j * n + k] * x[j];
    }
    return true;
}

/* ---- one step ----------------------------------------------------------------------------- */

/* Distances to the targets; fills right with the weighted residual. */
static void measure(fast_run *run, const snw_vec3 *tip)
{
    double *right = run->tree->right;
    run->energy = run->worst2 = 0;
    for (int e = 0; e < run->goal_count; e++) {
        snw_vec3 r = snw_vec3_sub(run->goals[run->tree->goal[e]].position, tip[e]);
        double length2 = snw_vec3_length2(r), w = run->weight[e];
        run->worst2 = fmax(run->worst2, length2);
        run->energy += w * w * length2;
        right[3 * e] = w * r.x;
        right[3 * e + 1] = w * r.y;
        right[3 * e + 2] = w * r.z;
    }
}

/* Sums force and moment of the tips down to the root. */
static void fill_pulls(fast_run *run, const snw_vec3 *tip)
{
    static const fast_pull none = {{0, 0, 0}, {0, 0, 0}};
    snw__ik_fast_tree *tree = run->tree;
    for (int n = 0; n < tree->node_count; n++)
        tree->pull[n] = none;
    for (int e = 0; e < run->goal_count; e++) {
        const double *y = &tree->right[3 * e];
        double w = run->weight[e];
        snw_vec3 force = snw_vec3_make(w * y[0], w * y[1], w * y[2]);
        if (tree->goal_node[e] < 0) continue;
        fast_pull *pull = &tree->pull[tree->goal_node[e]];
        pull->force = snw_vec3_add(pull->force, force);
        pull->moment = snw_vec3_add(pull->moment, snw_vec3_cross(tip[e], force));
    }
    for (int n = tree->node_count - 1; n > 0; n--) {
        int parent = tree->node[n].parent;
        if (parent < 0) continue;
        fast_pull *to = &tree->pull[parent];
        to->force = snw_vec3_add(to->force, tree->pull[n].force);
        to->moment = snw_vec3_add(to->moment, tree->pull[n].moment);
    }
}

/* Turns every joint by its pull; tips and states of `from` into `to`. */
static void turn_joints(fast_run *run, int from, int to)
{
    snw__ik_fast_tree *tree = run->tree;
    const fast_state *now = tree->state[from];
    fast_state *next = tree->state[to];
    snw_quat *turn = tree->step;
    for (int n = 0; n < tree->node_count; n++) {
        const fast_node *node = &tree->node[n];
        int p = node->parent;
        snw_vec3 origin = now[n].origin;
        next[n].origin =
            p < 0 ? origin
                  : snw_vec3_add(next[p].origin,
                                 snw_quat_rotate(turn[p], snw_vec3_sub(origin, now[p].origin)));
        if (node->is_idle) {
            turn[n] = p < 0 ? snw_quat_identity() : turn[p];
        } else {
            const fast_pull *pull = &tree->pull[n];
            snw_vec3 w = snw_vec3_sub(pull->moment, snw_vec3_cross(origin, pull->force));
            /* (1, w/2) made unit. */
            double scale = 1 / sqrt(1 + 0.25 * snw_vec3_length2(w));
            double half = 0.5 * scale;
            snw_quat own = snw_quat_make(scale, half * w.x, half * w.y, half * w.z);
            turn[n] = p < 0 ? own : snw_quat_mul(turn[p], own);
        }
        next[n].turn = snw_quat_mul(turn[n], now[n].turn);
    }
    for (int e = 0; e < run->goal_count; e++) {
        int n = tree->goal_node[e];
        tree->tip[to][e] = tree->tip[from][e];
        if (n < 0) continue;
        snw_vec3 arm = snw_vec3_sub(tree->tip[from][e], now[n].origin);
        tree->tip[to][e] = snw_vec3_add(next[n].origin, snw_quat_rotate(turn[n], arm));
    }
}

/* ---- the solve ---------------------------------------------------------------------------- */

/* Rotations of the pose from the joints' total turns. World is filled. */
static void store(const fast_run *run, const fast_state *state, snw_pose *pose)
{
    const snw__ik_fast_tree *tree = run->tree;
    for (int n = 0; n < tree->node_count; n++) {
        int joint = tree->node[n].joint, p = tree->node[n].parent;
        snw_quat after = pose->world[joint].rotation;
        snw_quat own = state[n].turn;
        if (p >= 0) own = snw_quat_mul(snw_quat_conjugate(state[p].turn), own);
        /* rotation' = before^-1 own after = rotation after^-1 own after */
        snw_vec3 axis = snw_quat_unrotate(after, snw_quat_vector(own));
        snw_quat local = snw_quat_make(own.w, axis.x, axis.y, axis.z);
        pose->rotation[joint] = snw_quat_normalize(snw_quat_mul(pose->rotation[joint], local));
    }
    snw_pose_forward(pose);
}

/* Solves for the turns of one step; false when the system cannot be solved. */
static bool find_turns(fast_run *run, int from, double damping)
{
    snw__ik_fast_tree *tree = run->tree;
    int rows = 3 * run->goal_count;
    double trace = 0;
    static const fast_moment none = {0};
    for (int n = 0; n < tree->node_count; n++) {
        int parent = tree->node[n].parent;
        fast_moment m = parent < 0 ? none : tree->moment[parent];
        snw_vec3 o = tree->state[from][n].origin;
        m.count += 1;
        m.sum = snw_vec3_add(m.sum, o);
        m.xx += o.x * o.x;
        m.yy += o.y * o.y;
        m.zz += o.z * o.z;
        m.xy += o.x * o.y;
        m.xz += o.x * o.z;
        m.yz += o.y * o.z;
        tree->moment[n] = m;
    }
    /* Lower triangle of J J^T, weighted. */
    for (int e = 0; e < run->goal_count; e++)
        for (int f = 0; f <= e; f++) {
            int node = tree->meeting[e * run->goal_count + f];
            double *block = &tree->gram[3 * e * rows + 3 * f];
            fill_block(block, rows, node < 0 ? &none : &tree->moment[node], tree->tip[from][e],
                       tree->tip[from][f]);
            double weight = run->weight[e] * run->weight[f];
            if (weight == 1) continue;
            for (int k = 0; k < 9; k++)
                block[(k / 3) * rows + k % 3] *= weight;
        }
    for (int k = 0; k < rows; k++)
        trace += tree->gram[k * rows + k];
    if (!solve_in_place(tree->gram, tree->right, rows, damping * trace / rows)) return false;
    fill_pulls(run, tree->tip[from]);
    return true;
}

static fast_run begin(const snw_ik *ik, snw__ik_fast_tree *tree, const snw_goal *goals,
                      const snw_pose *pose)
{
    fast_run run = {.tree = tree, .goal_count = tree->goal_count, .goals = goals};
    double tolerance = ik->options.tolerance * ik->size;
    /* A little inside, so that round-off in the pose cannot undo what was reached here. */
    run.tolerance2 = tolerance * tolerance * (1 - 1e-9);
    for (int e = 0; e < run.goal_count; e++)
        run.weight[e] = sqrt(goals[tree->goal[e]].weight);
    for (int n = 0; n < tree->node_count; n++) {
        tree->state[0][n].origin = pose->world[tree->node[n].joint].translation;
        tree->state[0][n].turn = snw_quat_identity();
        tree->node[n].is_idle = true;
    }
    for (int e = 0; e < run.goal_count; e++) {
        const snw_goal *goal = &run.goals[tree->goal[e]];
        tree->tip[0][e] = snw_pose_point(pose, goal->joint, goal->point);
        int n = tree->goal_node[e];
        /* A joint whose own origin is the tip has no lever. */
        if (n >= 0 && snw_vec3_distance(tree->tip[0][e], tree->state[0][n].origin) == 0)
            n = tree->node[n].parent;
        for (; n >= 0 && tree->node[n].is_idle; n = tree->node[n].parent)
            tree->node[n].is_idle = false;
    }
    measure(&run, tree->tip[0]);
    return run;
}

snw__ik_report snw__ik_fast_tree_solve(const snw_ik *ik, snw__ik_fast_tree *tree,
                                       const snw_goal *goals, snw_pose *pose, int iteration_max)
{
    snw__ik_report report = {
        .outcome = SNW_IK_OUT_OF_ITERATIONS, .solver = ik->options.solver, .world_is_valid = true};
    fast_run run = begin(ik, tree, goals, pose);
    double caution = 1; /* grows while steps do not pay */
    double reference = run.energy;
    int from = 0;
    while (run.worst2 > run.tolerance2 && report.iterations < iteration_max) {
        double energy = run.energy;
        if (++report.iterations % SNW__IK_WINDOW == 0) {
            if (energy > SNW__IK_SLOW * reference) break;
            reference = energy;
        }
        double damping = caution * FAST_DAMPING * energy / (ik->size * ik->size);
        if (!find_turns(&run, from, fmax(damping, SNW__IK_PIVOT_LEAST))) break;
        turn_joints(&run, from, 1 - from);
        measure(&run, tree->tip[1 - from]);
        if (run.energy < energy) {
            caution = fmax(0.3 * caution, 1);
            from = 1 - from;
        } else {
            caution *= 10;
            if (caution > SNW__IK_DAMPING_MOST) break;
            measure(&run, tree->tip[from]);
        }
    }
    if (run.worst2 <= run.tolerance2)
        report.outcome = SNW_IK_REACHED;
    else if (report.iterations < iteration_max)
        report.outcome = SNW_IK_STALLED;
    store(&run, tree->state[from], pose);
    return report;
}

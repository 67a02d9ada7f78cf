/* directions: Newton steps on the directions of the bones, for chains and trees of ball joints
 * without limits under position goals. The method auto takes where it applies.
 *
 * With unit vectors n_i as unknowns a goal is linear: base + sum of length_i n_i over its bones =
 * target. Only |n_i| = 1 is not. There are no lever arms, so nothing is badly scaled near full
 * reach and one step costs a few operations per bone.
 *
 * One goal (a chain): of all poses that reach, take the one nearest to the start d_i, the maximum
 * of sum length_i n_i . d_i. Lagrange: n_i = unit(d_i + m) with one and the same vector m for all
 * bones, found by Newton from
 *     sum length_i unit(d_i + m) = target - base,
 * the gradient of the convex function sum length_i |d_i + m| - m . (target - base). The whole chain
 * is first swung about its base so that the tip lies on the ray to the target; m is then nearly
 * along that ray and a formula gives it to a few per cent: were all bones tilted from the ray by
 * the same angle, their cosine c = reach / length would need (c / sqrt(1 - c^2)) times the sideways
 * part along it. Two or three steps do. A small move of the target gives a small m.
 *
 * Several goals: each step asks for tangent moves s_i of least sum length_i |s_i|^2 that close all
 * gaps to first order. Its multipliers obey the equations of a tree of springs: bone i has the
 * compliance M_i = length_i (I - n_i n_i^T); a bone's force is the sum of the forces of the bones
 * on its end. Springs in series add compliance, in parallel stiffness, so one walk inwards and one
 * outwards solve the step in O(bones) with 3x3 inverses at the forks only.
 *
 * Out of reach, inside the hole around the base and straight chains are met in closed form. */
#include <sinew/ik.h>

#include "base/elementary.h"
#include "ik/core/bones.h"

/* A symmetric 3x3 matrix. */
typedef struct directions_sym3 {
    double xx, xy, xz, yy, yz, zz;
} directions_sym3;

typedef struct directions_state {
    snw__bones bones;
    snw_vec3 *start;             /* (bone_count) directions the step starts from */
    snw_vec3 *now;               /* (bone_count) */
    snw_vec3 *best;              /* (bone_count) smallest worst gap so far */
    snw_vec3 *end;               /* (bone_count) place of the bone's end */
    directions_sym3 *own;        /* (bone_count) compliance of the bone */
    directions_sym3 *compliance; /* (bone_count) of the bone and all beyond, seen from its start */
    directions_sym3 *stiffness;  /* (bone_count) sum over the bones on its end */
    snw_vec3 *gap;               /* (bone_count) where the far side wants the bone's end to go */
    snw_vec3 *pull;  /* (bone_count) sum of stiffness times gap of the bones on its end */
    snw_vec3 *force; /* (bone_count) */
    snw_vec3 *shift; /* (bone_count) how far the step moves the bone's end */
    int iteration_max;
} directions_state;

/* [chosen] Longest tangent move in one step: atan(2) = 63 degrees; keeps far targets from folding
 * bones. */
#define DIRECTIONS_STEP_MAX 2.0

static directions_sym3 sym3_add(directions_sym3 a, directions_sym3 b)
{
    directions_sym3 s = {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz,
                         a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
    return s;
}

static snw_vec3 sym3_apply(directions_sym3 a, snw_vec3 v)
{
    return snw_vec3_make(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                         a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

/* False when singular to working precision. */
static bool sym3_invert(directions_sym3 a, directions_sym3 *inverse)
{
    double cxx = a.yy * a.zz - a.yz * a.yz, cxy = a.xz * a.yz - a.xy * a.zz;
    double cxz = a.xy * a.yz - a.xz * a.yy, trace = a.xx + a.yy + a.zz;
    double determinant = a.xx * cxx + a.xy * cxy + a.xz * cxz;
    if (!(determinant > 1e-15 * trace * trace * trace)) return false;
    double s = 1.0 / determinant;
    directions_sym3 r = {cxx * s,
                         cxy * s,
                         cxz * s,
                         (a.xx * a.zz - a.xz * a.xz) * s,
                         (a.xy * a.xz - a.xx * a.yz) * s,
                         (a.xx * a.yy - a.xy * a.xy) * s};
    *inverse = r;
    return true;
}

/* scale (I - n n^T) */
static directions_sym3 across(snw_vec3 n, double scale)
{
    snw_vec3 s = snw_vec3_scale(n, scale);
    directions_sym3 m = {scale - s.x * n.x, -s.x * n.y, -s.x * n.z,
                         scale - s.y * n.y, -s.y * n.z, scale - s.z * n.z};
    return m;
}

/* ---- one goal ------------------------------------------------------------------------------- */

static void align_all(directions_state *s, snw_vec3 direction)
{
    for (int b = 0; b < s->bones.bone_count; b++)
        s->now[b] = direction;
}

static snw_vec3 chain_reach(const snw__bones *bones, const snw_vec3 *direction)
{
    snw_vec3 sum = {0, 0, 0};
    for (int b = 0; b < bones->bone_count; b++)
        sum = snw_vec3_add_scaled(sum, bones->length[b], direction[b]);
    return sum;
}

/* Mean squared sine between the bones and the ray, weighted by length. */
static double sideways2(const directions_state *s, snw_vec3 ray)
{
    double sum = 0;
    for (int b = 0; b < s->bones.bone_count; b++) {
        double along = snw_vec3_dot(s->start[b], ray);
        sum += s->bones.length[b] * (1.0 - along * along);
    }
    return fmax(sum, 0) / s->bones.length_sum;
}

/* True when the multiplier was found; `now` holds the directions either way. */
static bool chain_newton(directions_state *s, snw_vec3 wanted, snw_vec3 m, double tolerance,
                         int *iterations)
{
    double last = HUGE_VAL;
    for (int step = 0; step <= 2 * SNW__IK_ROUNDS; step++) {
        /* now = unit(start + m), the gap that is left and the matrix of Newton's step. */
        snw_vec3 gap = wanted;
        directions_sym3 matrix = {0, 0, 0, 0, 0, 0}, inverse;
        for (int b = 0; b < s->bones.bone_count; b++) {
            snw_vec3 a = snw_vec3_add(s->start[b], m);
            double scale = 1.0 / sqrt(snw_vec3_length2(a) + 1e-30);
            snw_vec3 n = snw_vec3_scale(a, scale);
            s->now[b] = n;
            gap = snw_vec3_add_scaled(gap, -s->bones.length[b], n);
            matrix = sym3_add(matrix, across(n, s->bones.length[b] * scale));
        }
        double left = snw_vec3_length(gap);
        if (left <= tolerance) return true;
        /* Newton from the formula's start shrinks the gap at every step; where it does not, a bone
         * is about to vanish from the sum (start + m = 0) and the tree's step is the better one. */
        if (!(left < 2 * last) || !sym3_invert(matrix, &inverse)) return false;
        if (*iterations >= s->iteration_max) return false;
        m = snw_vec3_add(m, sym3_apply(inverse, gap));
        last = left;
        ++*iterations;
    }
    return false;
}

static double cotangent(double cosine)
{
    return cosine / sqrt(1.0 - cosine * cosine);
}

/* Swings, bends if need be, and finds the multiplier. */
static bool chain_bend(directions_state *s, snw_vec3 wanted, double tolerance, int *iterations)
{
    double length = s->bones.length_sum;
    snw_vec3 reach = chain_reach(&s->bones, s->start);
    snw_vec3 ray = snw_vec3_unit(wanted, snw_vec3_unit(reach, s->start[0]));
    if (snw_vec3_length(reach) > 1e-9 * length && snw_vec3_length(wanted) > 1e-9 * length) {
        snw_mat3 turn = snw_mat3_from_quat(snw_quat_between(reach, ray));
        for (int b = 0; b < s->bones.bone_count; b++)
            s->start[b] = snw_mat3_apply(turn, s->start[b]);
    }
    if (sideways2(s, ray) < 1e-12) {
        /* A straight chain has no side to bend to: give it the shape of an arc in the plane of the
         * ray and a fixed direction across it. What matters is that the bones differ, not by how
         * much. */
        const double half_bend = 0.3; /* radians */
        snw_vec3 side = snw_vec3_perpendicular(ray);
        double walked = 0;
        for (int b = 0; b < s->bones.bone_count; b++) {
            double middle = (walked + 0.5 * s->bones.length[b]) / s->bones.length_sum;
            snw_vec3 bent = snw_vec3_add_scaled(s->start[b], half_bend * (1 - 2 * middle), side);
            s->start[b] = snw_vec3_unit(bent, s->start[b]);
            walked += s->bones.length[b];
        }
        reach = chain_reach(&s->bones, s->start);
    }
    double before = fmin(snw_vec3_length(reach) / length, 1 - 1e-12);
    double after = snw_vec3_length(wanted) / length;
    double m = sqrt(sideways2(s, ray)) * (cotangent(after) - cotangent(before));
    return chain_newton(s, wanted, snw_vec3_scale(ray, m), tolerance, iterations);
}

typedef enum directions_answer {
    DIRECTIONS_DONE,
    DIRECTIONS_TOO_FAR,
    DIRECTIONS_GO_ON
} directions_answer;

static directions_answer solve_chain(directions_state *s, snw_vec3 wanted, double tolerance,
                                     int *iterations)
{
    double distance = snw_vec3_length(wanted), length = s->bones.length_sum;
    int longest = 0;
    for (int b = 1; b < s->bones.bone_count; b++)
        if (s->bones.length[b] > s->bones.length[longest]) longest = b;
    double hole = 2 * s->bones.length[longest] - length;
    snw_vec3 ray = snw_vec3_unit(wanted, s->start[longest]);
    if (distance >= length - 0.5 * tolerance) {
        align_all(s, ray);
        return distance <= length + tolerance ? DIRECTIONS_DONE : DIRECTIONS_TOO_FAR;
    }
    if (distance <= hole + 0.5 * tolerance) {
        /* All bones against the longest one, which points to the target: as near to the base as it
         * gets. */
        align_all(s, snw_vec3_neg(ray));
        s->now[longest] = ray;
        return distance >= hole - tolerance ? DIRECTIONS_DONE : DIRECTIONS_TOO_FAR;
    }
    return chain_bend(s, wanted, tolerance, iterations) ? DIRECTIONS_DONE : DIRECTIONS_GO_ON;
}

/* ---- several goals -------------------------------------------------------------------------- */

/* From the tips inwards: compliance and wish of all that lies beyond each bone's start. False when
 * a fork is singular. */
static bool tree_walk_in(directions_state *s, double damping)
{
    const snw__bones *bones = &s->bones;
    for (int b = bones->bone_count - 1; b >= 0; b--) {
        int parent = bones->parent[b];
        if (bones->goal[b] >= 0) {
            s->compliance[b] = (directions_sym3){damping, 0, 0, damping, 0, damping};
        } else if (bones->child_count[b] > 1) {
            if (!sym3_invert(s->stiffness[b], &s->compliance[b])) return false;
            s->gap[b] = sym3_apply(s->compliance[b], s->pull[b]);
        }
        s->compliance[b] = sym3_add(s->compliance[b], s->own[b]);
        if (parent < 0 || bones->goal[parent] >= 0) continue;
        if (bones->child_count[parent] == 1) {
            s->compliance[parent] = s->compliance[b];
            s->gap[parent] = s->gap[b];
        } else {
            directions_sym3 stiffness;
            if (!sym3_invert(s->compliance[b], &stiffness)) return false;
            s->stiffness[parent] = sym3_add(s->stiffness[parent], stiffness);
            s->pull[parent] = snw_vec3_add(s->pull[parent], sym3_apply(stiffness, s->gap[b]));
        }
    }
    return true;
}

/* From the base outwards: the force in every bone. False when singular; else the square of the
 * largest force. */
static bool tree_walk_out(directions_state *s, double *largest2)
{
    const snw__bones *bones = &s->bones;
    *largest2 = 0;
    for (int b = 0; b < bones->bone_count; b++) {
        int parent = bones->parent[b];
        snw_vec3 from = parent < 0 ? snw_vec3_make(0, 0, 0) : s->shift[parent];
        if (parent >= 0 && bones->child_count[parent] == 1 && bones->goal[parent] < 0) {
            s->force[b] = s->force[parent];
        } else {
            directions_sym3 stiffness;
            if (!sym3_invert(s->compliance[b], &stiffness)) return false;
            s->force[b] = sym3_apply(stiffness, snw_vec3_sub(s->gap[b], from));
            *largest2 = fmax(*largest2, snw_vec3_length2(s->force[b]));
        }
        s->shift[b] = snw_vec3_add(from, sym3_apply(s->own[b], s->force[b]));
    }
    return true;
}

/* Moves `now` along the step, no farther than DIRECTIONS_STEP_MAX. */
static bool tree_step(directions_state *s, double damping)
{
    double largest2;
    if (!tree_walk_in(s, damping) || !tree_walk_out(s, &largest2)) return false;
    double scale = largest2 > DIRECTIONS_STEP_MAX * DIRECTIONS_STEP_MAX
                       ? DIRECTIONS_STEP_MAX / sqrt(largest2)
                       : 1.0;
    for (int b = 0; b < s->bones.bone_count; b++) {
        snw_vec3 n = s->now[b], move = snw_vec3_scale(s->force[b], scale);
        move = snw_vec3_add_scaled(move, -snw_vec3_dot(n, move), n);
        s->now[b] = snw_vec3_unit(snw_vec3_add(n, move), n);
    }
    return true;
}

/* From `now`. Ends with the best directions in `now`. */
static snw_ik_outcome solve_tree(const snw_ik *ik, directions_state *s, const snw_goal *goals,
                                 const snw_pose *pose, int *iterations)
{
    double tolerance = 0.99 * ik->options.tolerance * ik->size, best = HUGE_VAL;
    double mean = s->bones.length_sum / s->bones.bone_count;
    int waited = 0, bends = 0;
    snw_ik_outcome outcome = SNW_IK_OUT_OF_ITERATIONS;
    for (;; ++*iterations) {
        /* Ends, own compliances and gaps at the goals, from `now`. */
        const snw__bones *bones = &s->bones;
        double worst2 = 0;
        for (int b = 0; b < bones->bone_count; b++) {
            snw_vec3 from = bones->parent[b] < 0 ? pose->world[bones->joint[b]].translation
                                                 : s->end[bones->parent[b]];
            s->end[b] = snw_vec3_add_scaled(from, bones->length[b], s->now[b]);
            s->own[b] = across(s->now[b], bones->length[b]);
            s->stiffness[b] = (directions_sym3){0, 0, 0, 0, 0, 0};
            s->pull[b] = snw_vec3_make(0, 0, 0);
            if (bones->goal[b] < 0) continue;
            s->gap[b] = snw_vec3_sub(goals[bones->goal[b]].position, s->end[b]);
            worst2 = fmax(worst2, snw_vec3_length2(s->gap[b]));
        }
        double worst = sqrt(worst2);
        waited++;
        if (worst < best) {
            for (int b = 0; b < s->bones.bone_count; b++)
                s->best[b] = s->now[b];
            if (worst < 0.9 * best) waited = 0;
            best = worst;
        }
        if (worst <= tolerance) return SNW_IK_REACHED;
        if (*iterations >= s->iteration_max) break;
        /* Damping of a hundredth of a bone keeps stretched limbs calm; it fades with the gap so
         * that the last steps are Newton's. */
        double damping = mean * (1e-9 + 0.01 * fmin(1.0, 10 * worst / ik->size));
        if (waited <= SNW__IK_WINDOW && tree_step(s, damping)) continue;
        outcome = SNW_IK_STALLED;
        if (++bends > SNW__IK_TRIES) break;
        /* Bends every bone a little its own way, out of a shape in which no first-order move helps.
         */
        for (int b = 0; b < s->bones.bone_count; b++) {
            snw_vec3 side = snw_vec3_perpendicular(s->best[b]);
            double amount = 0.3 * snw__sin(1.7 * b + 2.3 * bends);
            s->now[b] = snw_vec3_unit(snw_vec3_add_scaled(s->best[b], amount, side), s->best[b]);
        }
        waited = 0;
    }
    for (int b = 0; b < s->bones.bone_count; b++)
        s->now[b] = s->best[b];
    return outcome;
}

/* True when a goal is farther from the base than all its bones together. */
static bool is_too_far(const snw_ik *ik, const directions_state *s, const snw_goal *goals,
                       const snw_pose *pose)
{
    const snw__bones *bones = &s->bones;
    for (int tip = 0; tip < bones->bone_count; tip++) {
        if (bones->goal[tip] < 0) continue;
        double length = 0;
        int first = tip;
        for (int b = tip; b >= 0; b = bones->parent[b]) {
            length += bones->length[b];
            first = b;
        }
        snw_vec3 base = pose->world[bones->joint[first]].translation;
        double distance = snw_vec3_distance(goals[bones->goal[tip]].position, base);
        if (distance > length + ik->options.tolerance * ik->size) return true;
    }
    return false;
}

/* ---- the method ----------------------------------------------------------------------------- */

static void *directions_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    directions_state *state = snw__block_take(block, 1, sizeof *state), s = {0};
    snw__bones_layout(&s.bones, ik, block);
    s.start = snw__block_take(block, n, sizeof *s.start);
    s.now = snw__block_take(block, n, sizeof *s.now);
    s.best = snw__block_take(block, n, sizeof *s.best);
    s.end = snw__block_take(block, n, sizeof *s.end);
    s.own = snw__block_take(block, n, sizeof *s.own);
    s.compliance = snw__block_take(block, n, sizeof *s.compliance);
    s.stiffness = snw__block_take(block, n, sizeof *s.stiffness);
    s.gap = snw__block_take(block, n, sizeof *s.gap);
    s.pull = snw__block_take(block, n, sizeof *s.pull);
    s.force = snw__block_take(block, n, sizeof *s.force);
    s.shift = snw__block_take(block, n, sizeof *s.shift);
    s.iteration_max = ik->options.iteration_max;
    if (state != NULL) *state = s;
    return state;
}

static snw_status directions_check(const snw_ik *ik, snw_error *error)
{
    return snw__bones_check(ik, true, error);
}

/* From the pose to directions that reach, limits left aside. */
static snw_ik_outcome find_directions(const snw_ik *ik, directions_state *s, const snw_goal *goals,
                                      const snw_pose *pose, int *iterations)
{
    directions_answer answer = DIRECTIONS_GO_ON;
    snw__bones_directions(&s->bones, pose, s->start);
    if (s->bones.is_chain) {
        snw_vec3 base = pose->world[s->bones.joint[0]].translation;
        double tolerance = 0.99 * ik->options.tolerance * ik->size;
        int goal = s->bones.goal[s->bones.bone_count - 1];
        answer = solve_chain(s, snw_vec3_sub(goals[goal].position, base), tolerance, iterations);
    }
    if (answer == DIRECTIONS_DONE) return SNW_IK_REACHED;
    if (answer == DIRECTIONS_TOO_FAR) return SNW_IK_UNREACHABLE;
    for (int b = 0; b < s->bones.bone_count; b++)
        s->now[b] = s->start[b];
    snw_ik_outcome outcome = solve_tree(ik, s, goals, pose, iterations);
    if (outcome != SNW_IK_REACHED && is_too_far(ik, s, goals, pose)) return SNW_IK_UNREACHABLE;
    return outcome;
}

/* Limits: reach, go back inside the limits, reach from there: projections onto the two in turn, as
 * long as every round brings the goals nearer. */
static snw_ik_outcome hold_limits(const snw_ik *ik, directions_state *s, const snw_goal *goals,
                                  snw_pose *pose, int *iterations)
{
    double last = HUGE_VAL;
    for (int round = 1; round < SNW__IK_DESCENT; round++) {
        double excess = snw__ik_excess(ik, goals, pose);
        if (excess <= 1) return SNW_IK_REACHED;
        if (!(excess < 0.8 * last)) return SNW_IK_STALLED;
        if (*iterations >= s->iteration_max) break;
        last = excess;
        ++*iterations;
        (void)find_directions(ik, s, goals, pose, iterations);
        snw__bones_turn(ik, &s->bones, s->now, pose);
    }
    return SNW_IK_OUT_OF_ITERATIONS;
}

static snw__ik_report directions_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                       snw_pose *pose)
{
    directions_state *s = state;
    snw__ik_report report = {.solver = SNW_IK_DIRECTIONS, .world_is_valid = true};
    report.outcome = find_directions(ik, s, goals, pose, &report.iterations);
    snw__bones_turn(ik, &s->bones, s->now, pose);
    if (s->bones.has_limits && report.outcome == SNW_IK_REACHED)
        report.outcome = hold_limits(ik, s, goals, pose, &report.iterations);
    return report;
}

const snw__ik_method snw__ik_directions = {.solver = SNW_IK_DIRECTIONS,
                                           .check = directions_check,
                                           .layout = directions_layout,
                                           .solve = directions_solve};

/* FABRIK with joint types and limits (Aristidou & Lasenby 2011; Aristidou, Chrysanthou & Lasenby
 * 2016; the thesis' section 3.4.1): when which sweep, and what to do where they stall.
 *
 * The sweeps themselves re-orient the parent to suit its child and aim by the type of the joint
 * (fabrik_links.c); `sinew bench ik --limits` has them beside the rule as printed. Whenever
 * the two bring less than a few percent, sweeps over single joints (ccd.h) take over, which also
 * turn what cannot steer; the two methods stall at different poses. Where both do, the solve begins
 * again: shaken, then anywhere. */
#include "ik/core/bones.h"
#include "ik/core/bounds.h"
#include "ik/fabrik/fabrik_links.h"
#include "ik/literature/ccd.h"

/* [chosen] An iteration pays when it leaves less than this part of the excess. */
#define FABRIK_LIMITS_PAYS 0.9
/* Radians of the fresh starts that stay near the given pose, and poses looked at for the others. */
static const double fabrik_limits_shake[] = {SNW__IK_SHAKE, SNW__IK_MODEL_RANGE};
#define FABRIK_LIMITS_SHAKES ((int)(sizeof fabrik_limits_shake / sizeof(double)))

/* ---- one iteration -------------------------------------------------------------------------- */

/* What sweeps lower: the root of the sum of the squares of all excesses, in tolerances; 1 or less
 * only where all goals are met. The worst alone would call a sweep useless that helps four of five.
 */
static double excess_of(const snw__fabrik_links_run *run)
{
    double sum = 0, worst = 0;
    for (int g = 0; g < run->ik->goal_count; g++) {
        if (snw__goal_is_secondary(&run->goals[g])) continue;
        double excess =
            snw__ik_error_excess(run->ik, snw__ik_goal_error(run->ik, &run->goals[g], run->pose));
        sum += excess * excess;
        worst = fmax(worst, excess);
    }
    for (int p = 0; p < run->ik->skeleton->pin_count; p++) {
        double gap = snw_vec3_length(snw__ik_pin_gap(&run->ik->skeleton->pin[p], run->pose)) /
                     (run->ik->options.tolerance * run->ik->size);
        sum += gap * gap;
        worst = fmax(worst, gap);
    }
    if (worst <= 1) return worst;
    return sqrt(sum);
}

/* The one goal whose point hangs on the link; -1: there are several. */
static int only_goal(const snw__fabrik_limits *s, int l)
{
    while (s->link[l].end_count == 1) {
        const snw__fabrik_end *end = &s->end[s->link[l].end_first];
        if (end->goal >= 0 || end->child < 0) return end->goal;
        l = end->child;
    }
    return -1;
}

/* Opens the link's joint until its goal's point is as far from the joint above as the target is,
 * and turns that joint to point there: two bones in closed form (two_bone.c). Close to full reach
 * it does at once what sweeps need hundreds of iterations for. */
static void open_joint(const snw__fabrik_links_run *run, int l)
{
    const snw__fabrik_link *link = &run->s->link[l];
    int g = only_goal(run->s, l), above = run->s->link[link->parent].joint;
    const snw_joint *joint = &run->ik->joint[link->joint], *upper = &run->ik->joint[above];
    snw_pose *pose = run->pose;
    if (g < 0 || joint->type == SNW_JOINT_UNIVERSAL) return;
    const snw_goal *goal = &run->goals[g];
    snw_vec3 center = pose->world[link->joint].translation, root = pose->world[above].translation;
    snw_vec3 tip = snw_pose_point(pose, goal->joint, goal->point),
             place = snw__fabrik_wish(run->geometry, goal, tip);
    snw_vec3 u = snw_vec3_sub(center, root), v = snw_vec3_sub(tip, center);
    snw_quat world = pose->world[link->joint].rotation, rotation = pose->rotation[link->joint];
    snw_vec3 axis = joint->type == SNW_JOINT_BALL
                        ? snw_vec3_unit(snw_vec3_cross(u, v), snw_vec3_perpendicular(u))
                        : snw_quat_rotate(world, joint->axis);
    double angle[2];
    snw__ik_opening_angles(u, v, axis, snw_vec3_distance(place, root), angle);
    double turn = fabs(angle[0]) < fabs(angle[1]) ? angle[0] : angle[1];
    snw_vec3 own = snw_quat_unrotate(world, axis);
    pose->rotation[link->joint] = snw_joint_limit_apply(
        joint, snw_quat_normalize(snw_quat_mul(rotation, snw_quat_from_axis_angle(own, turn))));
    snw_pose_forward_from(pose, link->joint);
    if (upper->type != SNW_JOINT_BALL) {
        snw__ccd_turn(run->ik, run->s->ccd, run->goals, pose, above);
        return;
    }
    tip = snw_pose_point(pose, goal->joint, goal->point);
    snw_quat base = snw__fabrik_base_of(pose, above).rotation;
    snw_vec3 way = snw_vec3_sub(place, root);
    snw_quat aimed =
        snw_quat_mul(snw_quat_between(snw_vec3_sub(tip, root), way), pose->world[above].rotation);
    pose->rotation[above] = snw__ik_swivel_inside(
        upper, snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(base), aimed)),
        snw_vec3_unit(snw_quat_unrotate(base, way), upper->axis));
    snw_pose_forward_from(pose, above);
}

/* Both sweeps, and where they do not pay single joints in turn. Returns the excess it leaves. */
static double iterate(const snw__fabrik_links_run *run, double before)
{
    snw__ik_snapshot_take(&run->s->kept, run->pose);
    snw__fabrik_links_sweep(run);
    double after = excess_of(run);
    if (after < FABRIK_LIMITS_PAYS * before || after <= 1) return after;
    if (!(after < before)) {
        snw__ik_snapshot_restore(&run->s->kept, run->pose);
        snw_pose_forward(run->pose);
    }
    /* All joints opened, tips first; taken back when that is no nearer. */
    double closed = fmin(before, after);
    snw__ik_snapshot_take(&run->s->kept, run->pose);
    for (int l = run->s->link_count - 1; l > 0; l--)
        if (run->s->link[l].parent >= 0) open_joint(run, l);
    after = excess_of(run);
    if (!(after < closed)) {
        snw__ik_snapshot_restore(&run->s->kept, run->pose);
        snw_pose_forward(run->pose);
        after = closed;
    }
    if (after < FABRIK_LIMITS_PAYS * before) return after;
    snw__ccd_sweep_outwards(run->ik, run->s->ccd, run->goals, run->pose);
    return excess_of(run);
}

/* ---- leaps ---------------------------------------------------------------------------------- */

/* change = turns since the last iteration; returns its ratio to the change before, along that. */
static double measure_change(const snw__fabrik_links_run *run)
{
    snw__fabrik_limits *s = run->s;
    double both = 0, before = 0;
    for (int j = 0; j < run->ik->skeleton->joint_count; j++) {
        snw_vec3 turn = snw_quat_log(
            snw_quat_mul(snw_quat_conjugate(s->last.rotation[j]), run->pose->rotation[j]));
        both += snw_vec3_dot(turn, s->change[j]);
        before += snw_vec3_length2(s->change[j]);
        s->change[j] = turn;
    }
    snw__ik_snapshot_take(&s->last, run->pose);
    return before > 0 ? both / before : 0;
}

/* Close to full reach and along limits every iteration leaves the same part r of the way: the sum
 * of the series, r / (1 - r) changes, at once (Aitken). Taken back when it does not pay; returns
 * the excess it leaves. */
static double leap(const snw__fabrik_links_run *run, double ratio, double excess)
{
    snw__fabrik_limits *s = run->s;
    double moves = fmin(ratio / (1 - ratio), SNW__FABRIK_LEAP_MAX), largest = 0;
    for (int j = 0; j < run->ik->skeleton->joint_count; j++)
        largest = fmax(largest, snw_vec3_length(s->change[j]));
    if (moves * largest > SNW__IK_MODEL_RANGE) moves = SNW__IK_MODEL_RANGE / largest;
    for (int j = 0; j < run->ik->skeleton->joint_count; j++)
        run->pose->rotation[j] = snw_quat_normalize(snw_quat_mul(
            run->pose->rotation[j], snw_quat_exp(snw_vec3_scale(s->change[j], moves))));
    (void)snw__ik_apply_limits(run->ik, run->pose);
    snw_pose_forward(run->pose);
    double after = excess_of(run);
    if (after < excess) return after;
    snw__ik_snapshot_restore(&s->last, run->pose);
    snw_pose_forward(run->pose);
    return excess;
}

/* ---- attempts ------------------------------------------------------------------------------- */

/* The best of the attempts is in state->best, with this excess. */
typedef struct fabrik_best {
    double excess;
    double better; /* part of that which another must have less than */
    int iterations;
} fabrik_best;

static void note_best(const snw__fabrik_links_run *run, double excess, fabrik_best *best)
{
    if (!(excess < best->better * best->excess) && !(excess <= 1)) return;
    best->excess = excess;
    snw__ik_snapshot_take(&run->s->best, run->pose);
}

/* From the pose until reached, stalled or out of iterations; true when reached. Sweeps need two
 * windows to be judged, and approach frames half as fast as places. */
static bool attempt(const snw__fabrik_links_run *run, fabrik_best *best)
{
    double excess = excess_of(run), reference = excess;
    double own = excess;
    bool has_frame = false;
    for (int l = 0; l < run->s->link_count; l++)
        has_frame |= run->s->link[l].orientation >= 0;
    int window = (has_frame ? 4 : 2) * SNW__IK_WINDOW;
    snw__ik_snapshot_take(&run->s->last, run->pose);
    (void)measure_change(run);
    for (int k = 1; excess > 1 && best->iterations < run->ik->options.iteration_max; k++) {
        note_best(run, excess, best);
        best->iterations++;
        excess = iterate(run, excess);
        double ratio = measure_change(run);
        if (k % SNW__FABRIK_LEAP_EVERY == 0 && ratio > 0.5 && ratio < 0.9999 && excess > 1) {
            excess = leap(run, ratio, excess);
            snw__ik_snapshot_take(&run->s->last, run->pose);
        }
        own = fmin(own, excess);
        if (k % window) continue;
        if (own > SNW__IK_SLOW * reference) break;
        reference = own;
    }
    note_best(run, excess, best);
    return excess <= 1;
}

/* The nearest to the goals of a handful of poses that are random on the ways to goals which are not
 * met, and otherwise the best so far: a finger that fails must not cost the four that do not. */
static void scatter(const snw__fabrik_links_run *run, snw_random *random, bool all)
{
    double least = INFINITY;
    /* Marks the goals that the best pose does not meet, or all every other time. */
    snw__ik_snapshot_restore(&run->s->best, run->pose);
    snw_pose_forward(run->pose);
    for (int g = 0; g < run->ik->goal_count; g++) {
        snw__ik_error error = snw__ik_goal_error(run->ik, &run->goals[g], run->pose);
        run->s->is_chosen[g] = all || snw__ik_error_excess(run->ik, error) > 1;
        if (snw__goal_is_secondary(&run->goals[g])) run->s->is_chosen[g] = false;
    }
    for (int k = 0; k < SNW__IK_SCATTER; k++) {
        snw__ik_snapshot_restore(&run->s->best, run->pose);
        for (int g = 0; g < run->ik->goal_count; g++)
            for (int j = run->s->is_chosen[g] ? run->goals[g].joint : -1; j >= 0;
                 j = run->ik->skeleton->parent[j])
                snw__ik_scatter_joint(&run->ik->joint[j], run->ik->size, random,
                                      &run->pose->rotation[j], &run->pose->slide[j]);
        for (int p = 0; p < run->ik->skeleton->pin_count; p++) {
            const snw_pin *pin = &run->ik->skeleton->pin[p];
            for (int side = 0; side < 2; side++)
                for (int j = side ? pin->joint_b : pin->joint_a; j >= 0;
                     j = run->ik->skeleton->parent[j])
                    snw__ik_scatter_joint(&run->ik->joint[j], run->ik->size, random,
                                          &run->pose->rotation[j], &run->pose->slide[j]);
        }
        (void)snw__ik_apply_limits(run->ik, run->pose);
        snw_pose_forward(run->pose);
        double excess = excess_of(run);
        if (!(excess < least)) continue;
        least = excess;
        snw__ik_snapshot_take(&run->s->kept, run->pose);
    }
    snw__ik_snapshot_restore(&run->s->kept, run->pose);
    snw_pose_forward(run->pose);
}

/* The sweeps alone, from the given pose, for as long as they bring it nearer: on free joints they
 * move no more than they must, and what they end at stays unless another is twice as near or
 * reaches. Goals that contradict each other and move must not make the body jump about. True when
 * they reach. */
static bool sweep_calmly(const snw__fabrik_links_run *run, fabrik_best *best)
{
    double excess = excess_of(run), before = INFINITY;
    while (excess > 1 && excess < (1 - SNW__IK_STALL) * before &&
           best->iterations < run->ik->options.iteration_max) {
        note_best(run, excess, best);
        best->iterations++;
        before = excess;
        snw__fabrik_links_sweep(run);
        excess = excess_of(run);
    }
    note_best(run, excess, best);
    snw__ik_snapshot_restore(&run->s->best, run->pose);
    snw_pose_forward(run->pose);
    if (snw__ik_moved_since(run->ik, &run->s->start, run->pose) < SNW__IK_MODEL_RANGE)
        best->better = 0.5;
    return best->excess <= 1;
}

snw__ik_report snw__fabrik_limits_solve(const snw_ik *ik, snw__fabrik_limits *state,
                                        const snw__fabrik_geometry *geometry, const snw_goal *goals,
                                        snw_pose *pose)
{
    snw__fabrik_links_run run = {ik, state, geometry, goals, pose};
    fabrik_best best = {INFINITY, 1, 0};
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = SNW_IK_FABRIK};
    snw_random random = snw_random_seed(ik->options.seed, 5);
    int restarts = snw__ik_is_out_of_reach(ik, goals, pose) ? 0 : ik->options.restart_max;
    bool has_reached = false;
    double given = excess_of(&run);
    snw__ik_snapshot_take(&state->start, pose);
    snw__ik_snapshot_take(&state->best, pose);
    if (ik->limited_count == 0) has_reached = sweep_calmly(&run, &best);
    for (int k = 0; k <= restarts && !has_reached; k++) {
        if (k > 0) {
            snw__ik_snapshot_restore(&state->start, pose);
            if (k <= FABRIK_LIMITS_SHAKES) {
                double angle = fabrik_limits_shake[k - 1];
                for (int l = 0; l < run.ik->skeleton->joint_count; l++) {
                    const snw_joint *joint = &run.ik->joint[l];
                    double by = snw_random_range(&random, -angle, angle);
                    snw_vec3 turn = snw_vec3_scale(snw_random_direction(&random), by);
                    if (snw_joint_type_dof(joint->type) == 0) continue;
                    run.pose->rotation[l] = snw_joint_limit_apply(
                        joint, snw_quat_normalize(
                                   snw_quat_mul(run.pose->rotation[l], snw_quat_exp(turn))));
                }
                snw_pose_forward(run.pose);
            } else
                scatter(&run, &random, k % 3 == 0);
        }
        has_reached = attempt(&run, &best);
        if (best.iterations >= ik->options.iteration_max) break;
    }
    bool is_nearer = has_reached || best.better < 1 || best.excess < sqrt(SNW__IK_NEARER) * given;
    snw__ik_snapshot_restore(is_nearer ? &state->best : &state->start, pose);
    report.iterations = best.iterations;
    if (!has_reached)
        report.outcome = best.iterations >= ik->options.iteration_max ? SNW_IK_OUT_OF_ITERATIONS
                                                                      : SNW_IK_STALLED;
    return report;
}

/* FABRIK: forward and backward reaching inverse kinematics (Aristidou & Lasenby, Graphical Models
 * 73, 2011), for chains, trees, closed loops, limits and a free root.
 *
 * One iteration is two sweeps. Inwards, from the tips: every end takes the place it wishes for (a
 * goal's target, the middle between two pinned points, or where the limb beyond it wants to sit)
 * and the joint follows, at bone length towards where it was. A joint under several ends takes the
 * weighted mean of what they ask. Outwards, from the base, which goes back to its place (or, with a
 * free root, stays where the sweep put it): every end is pulled back to bone length.
 *
 * Beyond the printed algorithm: chains that cannot be brought on by sweeps (fabrik_chain.c), joint
 * types and limits re-oriented by the child (fabrik_limits.c), and leaps: close to full reach an
 * iteration removes a constant, small part 1 - r of the gap (r to 0.9998), so once two successive
 * moves are parallel the geometric series is summed, r / (1 - r) moves at once (Aitken's
 * extrapolation), and taken back if the gap did not shrink. */
#include "ik/fabrik/fabrik.h"
#include "base/fail.h"
#include "ik/core/bones.h"

/* ---- the problem ---------------------------------------------------------------------------- */

static snw_status check_way_up(const snw_ik *ik, int joint, snw_vec3 point, snw_error *error)
{
    const snw_skeleton *skeleton = ik->skeleton;
    joint = snw__bones_carrier(skeleton, joint, &point);
    while (joint >= 0) {
        /* A joint that sweeps over points cannot steer: a hinge about the very line on which its
         * bone, or the seat of the next joint, lies. */
        snw_vec3 lever = snw_vec3_cross(skeleton->joint[joint].axis, point);
        if (skeleton->joint[joint].type == SNW_JOINT_HINGE &&
            !(snw_vec3_length(lever) > 1e-9 * skeleton->size))
            return snw__fail(error, SNW_UNSUPPORTED,
                             "%s moves points: it cannot steer hinge %s, whose bone is on its axis",
                             snw_ik_solver_name(ik->options.solver), skeleton->name[joint]);
        snw_xform frame = skeleton->rest[joint];
        joint = snw__limbs_carrier(skeleton, skeleton->parent[joint], &frame);
        point = frame.translation;
    }
    return SNW_OK;
}

/* An orientation can be given to a ball without limits, which then just takes it; the joints above
 * would have to be twisted, which points do not tell them. */
static snw_status check_orientation(const snw_ik *ik, int goal, snw_error *error)
{
    snw_xform frame = snw_xform_identity();
    int joint = snw__limbs_carrier(ik->skeleton, ik->goal[goal].joint, &frame);
    if (joint >= 0) {
        const snw_joint *j = &ik->skeleton->joint[joint];
        bool is_limited = j->limit.swing != SNW_SWING_FREE || j->limit.has_twist;
        if (j->type == SNW_JOINT_BALL && !(is_limited && ik->options.use_limits)) return SNW_OK;
        if (j->type == SNW_JOINT_FREE) return SNW_OK;
    }
    return snw__fail(error, SNW_UNSUPPORTED,
                     "%s turns frames on ball joints without limits only, goal %d is on joint %s",
                     snw_ik_solver_name(ik->options.solver), goal,
                     ik->skeleton->name[ik->goal[goal].joint]);
}

snw_status snw__fabrik_check(const snw_ik *ik, snw_error *error)
{
    snw_status status = SNW_OK;
    if (snw__fabrik_limits_fits(ik)) return SNW_OK;
    for (int g = 0; status == SNW_OK && g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (snw__goal_is_secondary(goal)) continue; /* looked after by the solve around */
        if (!snw__goal_is_spatial(goal))
            return snw__fail(
                error, SNW_UNSUPPORTED, "%s moves points and tip orientations, goal %d is %s",
                snw_ik_solver_name(ik->options.solver), g, snw_goal_kind_name(goal->kind));
        if (snw__goal_row_of(goal)->has_frame) status = check_orientation(ik, g, error);
        if (status == SNW_OK) status = check_way_up(ik, goal->joint, goal->point, error);
    }
    for (int p = 0; status == SNW_OK && p < ik->skeleton->pin_count; p++) {
        const snw_pin *pin = &ik->skeleton->pin[p];
        status = check_way_up(ik, pin->joint_a, pin->point_a, error);
        if (status == SNW_OK && pin->joint_b >= 0)
            status = check_way_up(ik, pin->joint_b, pin->point_b, error);
    }
    return status;
}

void *snw__fabrik_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    size_t ends = n + (size_t)ik->goal_count + 2 * (size_t)ik->skeleton->pin_count;
    snw__fabrik_state *state = snw__block_take(block, 1, sizeof *state), s = {0};
    snw__limbs_layout(&s.limbs, ik, block);
    s.place = snw__block_take(block, n, sizeof *s.place);
    s.turn = snw__block_take(block, n, sizeof *s.turn);
    s.local = snw__block_take(block, n, sizeof *s.local);
    s.slide = snw__block_take(block, n, sizeof *s.slide);
    s.wish = snw__block_take(block, ends, sizeof *s.wish);
    s.now = snw__block_take(block, ends, sizeof *s.now);
    s.last = snw__block_take(block, ends, sizeof *s.last);
    s.change = snw__block_take(block, ends, sizeof *s.change);
    s.kept = snw__block_take(block, ends, sizeof *s.kept);
    s.from = snw__block_take(block, ends, sizeof *s.from);
    s.to = snw__block_take(block, ends, sizeof *s.to);
    s.weight = snw__block_take(block, ends, sizeof *s.weight);
    /* Both forms are laid out where the second can serve; which one does is known when the limbs
     * are. */
    if (snw__fabrik_limits_fits(ik)) s.limits = snw__fabrik_limits_layout(ik, block);
    bool has_shapes = false;
    for (int g = 0; g < ik->goal_count; g++)
        has_shapes |= snw__goal_row_of(&ik->goal[g])->has_other;
    if (s.limbs.is_plain && !has_shapes) s.limits = NULL;
    if (state != NULL) *state = s;
    return state;
}

/* ---- leaps ---------------------------------------------------------------------------------- */

static void copy_ends(const snw__fabrik_state *s, snw_vec3 *to, const snw_vec3 *from)
{
    for (int e = 0; e < s->limbs.end_count; e++)
        to[e] = from[e];
}

/* Pulls the ends back to bone length around where they should be. */
static void settle_on(snw__fabrik_solve *f, const snw_vec3 *ends)
{
    copy_ends(f->s, f->s->wish, ends);
    snw__fabrik_sweep_outwards(f);
}

/* The sum of the remaining geometric series at once; true when the gap shrank, else taken back. */
static bool leap(snw__fabrik_solve *f, double ratio, double *gap)
{
    snw__fabrik_state *s = f->s;
    double moves = fmin(ratio / (1.0 - ratio), SNW__FABRIK_LEAP_MAX);
    copy_ends(s, s->kept, s->now);
    for (int e = 0; e < s->limbs.end_count; e++)
        s->wish[e] = snw_vec3_add_scaled(s->now[e], moves, s->change[e]);
    snw__fabrik_sweep_outwards(f);
    double after = snw__fabrik_worst_gap(f);
    bool is_better = after < *gap;
    if (is_better)
        *gap = after;
    else
        settle_on(f, s->kept);
    copy_ends(s, s->last, s->now);
    return is_better;
}

/* ---- the method ------------------------------------------------------------------------------ */

/* Iterates until reached, out of iterations or no longer moving. */
static snw_ik_outcome iterate(snw__fabrik_solve *f, int *iterations)
{
    snw__fabrik_state *s = f->s;
    double gap = snw__fabrik_worst_gap(f);
    int waited = 0, since_leap = 0;
    bool was_pushed = false;
    copy_ends(s, s->last, s->now);
    copy_ends(s, s->change, s->now);
    while (gap > 0.999) {
        double before = gap;
        if (*iterations >= f->ik->options.iteration_max) return SNW_IK_OUT_OF_ITERATIONS;
        ++*iterations;
        snw__fabrik_sweep_inwards(f);
        snw__fabrik_sweep_outwards(f);
        gap = snw__fabrik_worst_gap(f);
        /* change = now - last, last = now, and the ratio of this change to the one before along it.
         */
        double both = 0, earlier = 0;
        for (int e = 0; e < s->limbs.end_count; e++) {
            snw_vec3 change = snw_vec3_sub(s->now[e], s->last[e]);
            both += snw_vec3_dot(change, s->change[e]);
            earlier += snw_vec3_length2(s->change[e]);
            s->change[e] = change;
            s->last[e] = s->now[e];
        }
        double ratio = earlier > 0 ? both / earlier : 0;
        if (s->limbs.is_plain && ++since_leap >= SNW__FABRIK_LEAP_EVERY && ratio > 0.6 &&
            ratio < 0.99999 && gap > 0.999) {
            leap(f, ratio, &gap);
            since_leap = 0;
        }
        if (*iterations == SNW__ROUNDS_MAX && s->limbs.is_chain && gap > 0.999 &&
            f->ik->options.root == SNW_IK_ROOT_FIXED) {
            copy_ends(s, s->kept, s->now);
            snw__fabrik_lay_on_arc(f);
            double after = snw__fabrik_worst_gap(f);
            if (!(after < gap)) settle_on(f, s->kept);
            gap = fmin(gap, after);
        }
        waited = before - gap < 0.01 ? waited + 1 : 0;
        if (waited <= SNW__IK_TRIES) continue;
        if (was_pushed) return SNW_IK_STALLED;
        snw_vec3 ray = snw_vec3_sub(s->now[0], s->place[0]);
        snw__fabrik_push_sideways(f, ray, 0.1);
        was_pushed = true;
        waited = -SNW__IK_TRIES;
    }
    return SNW_IK_REACHED;
}

snw__ik_report snw__fabrik_run(const snw_ik *ik, snw__fabrik_state *s,
                               const snw__fabrik_geometry *geometry, const snw_goal *goals,
                               snw_pose *pose)
{
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = ik->options.solver};
    snw__fabrik_solve f = {ik, s, geometry, goals, pose, {0, 0, 0}, {0, 0, 0}};
    if (s->limits) return snw__fabrik_limits_solve(ik, s->limits, geometry, goals, pose);
    if (s->limbs.limb_count == 0) {
        report.outcome = SNW_IK_STALLED;
        return report;
    }
    snw__fabrik_load(&f);
    if (s->limbs.is_chain && snw__fabrik_begin_chain(&f))
        report.iterations = 1;
    else
        report.outcome = iterate(&f, &report.iterations);
    snw__fabrik_store(&f);
    return report;
}

/* ---- Euclidean geometry --------------------------------------------------------------------- */

static snw_vec3 euclidean_on_sphere(snw_vec3 center, double radius, snw_vec3 toward,
                                    snw_vec3 fallback)
{
    snw_vec3 way = snw_vec3_sub(toward, center);
    double length = snw_vec3_length(way);
    if (!(length > 1e-12 * radius))
        way = snw_vec3_unit(fallback, snw_vec3_make(1, 0, 0)), length = 1;
    return snw_vec3_add_scaled(center, radius / length, way);
}

static snw_vec3 euclidean_on_line(snw_vec3 through, snw_vec3 direction, snw_vec3 point)
{
    double along = snw_vec3_dot(snw_vec3_sub(point, through), direction);
    return snw_vec3_add_scaled(through, along, direction);
}

static snw_vec3 euclidean_on_plane(snw_vec3 through, snw_vec3 normal, snw_vec3 point)
{
    double above = snw_vec3_dot(snw_vec3_sub(point, through), normal);
    return snw_vec3_add_scaled(point, -above, normal);
}

static snw__ik_report fabrik_solve_method(const snw_ik *ik, void *state, const snw_goal *goals,
                                          snw_pose *pose)
{
    static const snw__fabrik_geometry euclidean = {euclidean_on_sphere, euclidean_on_line,
                                                   euclidean_on_plane};
    snw__ik_report report = snw__fabrik_run(ik, state, &euclidean, goals, pose);
    report.solver = SNW_IK_FABRIK;
    return report;
}

const snw__ik_method snw__ik_fabrik = {.solver = SNW_IK_FABRIK,
                                       .check = snw__fabrik_check,
                                       .layout = snw__fabrik_layout,
                                       .solve = fabrik_solve_method};

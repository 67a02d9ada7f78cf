/* Newton steps on the energy of the goals, limits by active set; see newton.h.
 *
 * With c_l = v_l x r for a coordinate l that moves the goal's point by v_l, and a_k the axis of a
 * turn k above l, r . d2p / dk dl = a_k . c_l: turning the velocity v_l about a_k. A slide above
 * does not turn it. Two turns of one ball move together as exp(w), which is symmetric in them. Only
 * what pulls points or turns frames has its curvature counted: positions, orientations, poses,
 * lines, planes and sides.
 *
 * A ball that stands at its limit moves along a curved surface w(t), and what the goals pull on it
 * beyond, g . w'', is curvature too: that of the Lagrangian. It is found by asking the limits
 * themselves, each held one alone, where they let small turns end. It has either sign: in the turns
 * of a ball already the surface of one and the same direction of the bone is a saddle.
 *
 * Damping makes the hessian definite and keeps steps within the range of their model; steps that
 * gain nothing are shortened along the limits. */
#include "ik/core/newton.h"

#include <string.h>

#include "base/elementary.h"
#include "ik/core/system_matrix.h"

/* Radians along a limit by which its curvature is measured, and outwards beside it: a surface whose
 * radius is an eighth is still met. The error goes with the square of the first, and with the
 * tolerance of limits divided by it. */
#define IK_NEWTON_ALONG   (SNW__IK_LIMIT_PROBE / 2)
#define IK_NEWTON_OUTWARD (4 * IK_NEWTON_ALONG * IK_NEWTON_ALONG)

/* What a window of steps brings less than, of the energy, is not worth a step more: some tolerances
 * of what is seen to be a minimum at once. */
#define IK_NEWTON_CREEP (10 * SNW__SINGLE)

enum {
    IK_NEWTON_STEPS = 4 /* that bring more together than the first expects alone */
};

bool snw__ik_newton_fits(const snw_ik *ik)
{
    return ik->method->takes_tree && ik->skeleton->pin_count == 0 && !ik->has_followers;
}

snw__ik_newton *snw__ik_newton_layout(const snw_ik *ik, size_t rows, size_t columns,
                                      snw__block *block)
{
    snw__ik_newton fields = {.floor = INFINITY};
    snw__ik_newton *newton = snw__block_take(block, 1, sizeof *newton);
    fields.full = snw__ik_matrix_layout(columns, block);
    fields.left = snw__ik_matrix_layout(columns, block);
    fields.factor = snw__ik_matrix_layout(columns, block);
    fields.right = snw__block_take(block, columns, sizeof(double));
    fields.bend =
        snw__block_take(block, (size_t)ik->skeleton->joint_count + 1, sizeof *fields.bend);
    fields.base = snw__block_take(block, rows, sizeof(double));
    snw__ik_snapshot_layout(&fields.kept, (size_t)ik->skeleton->joint_count, block);
    snw__ik_snapshot_layout(&fields.first, (size_t)ik->skeleton->joint_count, block);
    if (newton) *newton = fields;
    return newton;
}

/* ---- curvature ---------------------------------------------------------------------------- */

/* Do the two coordinates of one joint turn together, as those of a ball, or one after the other? */
static bool turn_together(const snw__ik_system *system, const snw__ik_column *a,
                          const snw__ik_column *b)
{
    if (a->joint != b->joint) return false;
    return a->joint < 0 || !snw__joint_row_of(&system->ik->joint[a->joint])->turns_by_parts;
}

/* Adds r . d2p of one point over the columns that move it, root first. */
static void add_point(const snw__ik_system *system, const snw__ik_path *path, snw_vec3 point,
                      snw_vec3 residual, double *m)
{
    for (int l = 0; l < path->count; l++) {
        int at = system->path_column[path->first + l];
        const snw__ik_column *column = &system->column[at];
        snw_vec3 c = snw_vec3_cross(snw__ik_column_velocity(system, column, point), residual);
        for (int k = 0; k <= l; k++) {
            int above = system->path_column[path->first + k];
            const snw__ik_column *other = &system->column[above];
            if (other->is_slide) continue;
            double value = snw_vec3_dot(other->axis, c);
            if (above != at && !column->is_slide && turn_together(system, other, column)) {
                snw_vec3 v = snw__ik_column_velocity(system, other, point);
                value = 0.5 * (value + snw_vec3_dot(column->axis, snw_vec3_cross(v, residual)));
            }
            *snw__ik_matrix_entry(system->pattern, m, at, above) += value;
        }
    }
}

/* The same for the frame of a goal: turns k above l make the turn a_k + a_l + 1/2 a_k x a_l. */
static void add_frame(const snw__ik_system *system, const snw__ik_path *path, snw_vec3 y, double *m)
{
    for (int l = 0; l < path->count; l++) {
        int at = system->path_column[path->first + l];
        const snw__ik_column *column = &system->column[at];
        if (column->is_slide) continue;
        snw_vec3 c = snw_vec3_scale(snw_vec3_cross(column->axis, y), 0.5);
        for (int k = 0; k < l; k++) {
            int above = system->path_column[path->first + k];
            const snw__ik_column *other = &system->column[above];
            if (other->is_slide || turn_together(system, other, column)) continue;
            *snw__ik_matrix_entry(system->pattern, m, at, above) += snw_vec3_dot(other->axis, c);
        }
    }
}

/* What the squared angle between the goal's frame and the asked one bends less than a plane would:
 * with its turn phi = angle u its hessian is u u^T + angle/2 cot(angle/2) (I - u u^T). */
static void add_angle(const snw__ik_system *system, const snw__ik_path *path, snw_vec3 phi,
                      double weight, double *m)
{
    double angle = snw_vec3_length(phi), half = 0.5 * angle;
    if (!(angle > 1e-6)) return; /* less than round-off: angle^2 / 12 */
    snw_vec3 u = snw_vec3_scale(phi, 1 / angle);
    double less = weight * (1 - half * snw__cos(half) / snw__sin(half));
    for (int l = 0; l < path->count; l++) {
        int at = system->path_column[path->first + l];
        const snw__ik_column *column = &system->column[at];
        snw_vec3 across = snw_vec3_add_scaled(column->axis, -snw_vec3_dot(column->axis, u), u);
        for (int k = 0; k <= l && !column->is_slide; k++) {
            int above = system->path_column[path->first + k];
            if (system->column[above].is_slide) continue;
            *snw__ik_matrix_entry(system->pattern, m, at, above) +=
                less * snw_vec3_dot(system->column[above].axis, across);
        }
    }
}

/* An aim: sight q and the direction u to its target, which turns as the point moves. */
typedef struct ik_newton_aim {
    snw_vec3 sight, wanted, across; /* q, u, q without its part along u */
    double distance, slope, bend;   /* of half the squared angle over the cosine c = q . u */
} ik_newton_aim;

/* How one coordinate changes them. */
typedef struct ik_newton_aim_rate {
    snw_vec3 point, sight, wanted;
    snw_vec3 turn; /* the row of the jacobian */
    snw_vec3
        couple; /* times the axis of a turn above: what that adds to the second derivative of c */
    double cosine;
} ik_newton_aim_rate;

/* False where half the squared angle has no hessian: straight behind, or on the target. */
static bool take_aim(const snw__ik_system *system, const snw_goal *goal, const snw_pose *pose,
                     ik_newton_aim *aim)
{
    snw_vec3 z = snw_vec3_make(0, 0, 1);
    snw_vec3 way = snw_vec3_sub(goal->position, snw_pose_point(pose, goal->joint, goal->point));
    aim->distance = snw_vec3_length(way);
    aim->wanted = snw_vec3_unit(way, z);
    aim->sight =
        snw_vec3_unit(snw_quat_rotate(pose->world[goal->joint].rotation, goal->direction), z);
    double c = snw_vec3_dot(aim->sight, aim->wanted);
    double s = snw_vec3_length(snw_vec3_cross(aim->sight, aim->wanted)), a = snw__atan2(s, c);
    aim->across = snw_vec3_add_scaled(aim->sight, -c, aim->wanted);
    aim->slope = s > 1e-2 ? -a / s : -(1 + a * a / 6);
    aim->bend = s > 1e-2 ? (1 - a * c / s) / (s * s) : 1.0 / 3 + a * a * 2 / 15;
    return aim->distance > 1e-12 * system->ik->size && (c > 0 || s > 1e-2);
}

static void rate_aim(const snw__ik_system *system, const ik_newton_aim *aim,
                     const snw__ik_column *column, snw_vec3 point, ik_newton_aim_rate *rate)
{
    snw_vec3 u = aim->wanted, zero = snw_vec3_make(0, 0, 0);
    double inverse = 1 / aim->distance;
    rate->point = snw__ik_column_velocity(system, column, point);
    rate->sight = column->is_slide ? zero : snw_vec3_cross(column->axis, aim->sight);
    rate->wanted = snw_vec3_scale(
        snw_vec3_add_scaled(rate->point, -snw_vec3_dot(rate->point, u), u), -inverse);
    rate->turn = snw_vec3_cross(rate->wanted, u); /* = u x velocity / distance */
    if (!column->is_slide)
        rate->turn = snw_vec3_add(
            rate->turn,
            snw_vec3_add_scaled(column->axis, -snw_vec3_dot(column->axis, aim->sight), aim->sight));
    rate->couple = snw_vec3_add_scaled(snw_vec3_cross(rate->sight, u), -inverse,
                                       snw_vec3_cross(rate->point, aim->across));
    rate->cosine = snw_vec3_dot(u, rate->sight) + snw_vec3_dot(aim->sight, rate->wanted);
}

/* The second derivative of c but for what an axis above couples. */
static double bend_cosine(const ik_newton_aim *aim, const ik_newton_aim_rate *k,
                          const ik_newton_aim_rate *l)
{
    snw_vec3 u = aim->wanted;
    double inverse = 1 / aim->distance, c = snw_vec3_dot(aim->sight, u);
    double along = snw_vec3_dot(u, k->point) * snw_vec3_dot(aim->across, l->point) +
                   snw_vec3_dot(u, l->point) * snw_vec3_dot(aim->across, k->point);
    return snw_vec3_dot(k->sight, l->wanted) + snw_vec3_dot(l->sight, k->wanted) -
           along * inverse * inverse - c * snw_vec3_dot(k->wanted, l->wanted);
}

/* What the squared angle of an aim bends less than J^T J says. */
static void add_aim(const snw__ik_system *system, const snw__ik_path *path, const snw_goal *goal,
                    const snw_pose *pose, double *m)
{
    ik_newton_aim aim;
    ik_newton_aim_rate rate[SNW__IK_MATRIX_COLUMNS];
    snw_vec3 point = snw_pose_point(pose, goal->joint, goal->point);
    double weight = snw__ik_row_scale2_of(system->ik, goal).turn;
    if (!take_aim(system, goal, pose, &aim)) return;
    for (int l = 0; l < path->count; l++) {
        int at = system->path_column[path->first + l];
        const snw__ik_column *column = &system->column[at];
        rate_aim(system, &aim, column, point, &rate[l]);
        for (int k = 0; k <= l; k++) {
            int above = system->path_column[path->first + k];
            const snw__ik_column *other = &system->column[above];
            double couple = other->is_slide ? 0 : snw_vec3_dot(other->axis, rate[l].couple);
            if (above != at && !column->is_slide && !other->is_slide &&
                turn_together(system, other, column))
                couple = 0.5 * (couple + snw_vec3_dot(column->axis, rate[k].couple));
            double second = couple + bend_cosine(&aim, &rate[k], &rate[l]);
            *snw__ik_matrix_entry(system->pattern, m, at, above) +=
                weight * (snw_vec3_dot(rate[k].turn, rate[l].turn) - aim.slope * second -
                          aim.bend * rate[k].cosine * rate[l].cosine);
        }
    }
}

static snw_vec3 take_vec3(const double *y, double scale)
{
    return snw_vec3_make(scale * y[0], scale * y[1], scale * y[2]);
}

void snw__ik_add_row_curvature(const snw__ik_system *system, const snw_goal *goals,
                               const snw_pose *pose, const double *y, double *m)
{
    const snw_ik *ik = system->ik;
    const snw__ik_path *path = system->path;
    for (int i = 0; i < ik->goal_count; i++, path += 3) {
        const snw_goal *goal = &goals[i];
        snw__ik_rows rows = snw__ik_goal_rows(ik, goal);
        snw__ik_row_scale scale = snw__ik_row_scale2_of(ik, goal);
        snw_vec3 normal = snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1)), pull;
        const snw__goal_row *kind = snw__goal_row_of(goal);
        bool is_plane = kind->place == SNW__PLACE_PLANE || kind->place == SNW__PLACE_SIDE;
        if (is_plane || rows.offset == 3) {
            pull = is_plane ? snw_vec3_scale(normal, y[0] * sqrt(scale.offset))
                            : take_vec3(y, sqrt(scale.offset));
            if (kind->place == SNW__PLACE_LINE)
                pull = snw_vec3_add_scaled(pull, -snw_vec3_dot(pull, normal), normal);
            add_point(system, path, snw_pose_point(pose, goal->joint, goal->point), pull, m);
        }
        if (kind->has_frame)
            add_frame(system, path, take_vec3(y + rows.offset, sqrt(scale.turn)), m);
        y += rows.offset + rows.turn;
    }
    for (int i = 0; i < ik->skeleton->pin_count; i++, path += 2, y += 3) {
        const snw_pin *pin = &ik->skeleton->pin[i];
        snw_vec3 pull = take_vec3(y, 1 / ik->size);
        add_point(system, &path[0], snw_pose_point(pose, pin->joint_a, pin->point_a), pull, m);
        if (pin->joint_b >= 0)
            add_point(system, &path[1], snw_pose_point(pose, pin->joint_b, pin->point_b),
                      snw_vec3_neg(pull), m);
    }
}

/* ---- the curvature of limits ---------------------------------------------------------------- */

/* Where the limit lets the turn end, seen from `now`. */
static snw_vec3 end_of(const snw_joint *joint, snw_quat now, snw_vec3 turn)
{
    snw_quat asked = snw_quat_mul(now, snw_quat_exp(turn));
    return snw_quat_log(snw_quat_mul(snw_quat_conjugate(now), snw_joint_limit_apply(joint, asked)));
}

/* A ball held at its limits, and a push outwards that keeps it there. */
typedef struct ik_newton_surface {
    snw_joint joint; /* with the limits that hold it only */
    snw_quat now;
    snw_vec3 force; /* that the limits stop */
    snw_vec3 push;
    snw_vec3 middle; /* where the push alone ends */
} ik_newton_surface;

/* -force . w'' along the unit turn t. */
static double curvature_along(const ik_newton_surface *surface, snw_vec3 t)
{
    snw_vec3 step = snw_vec3_scale(t, IK_NEWTON_ALONG);
    snw_vec3 ahead = end_of(&surface->joint, surface->now, snw_vec3_add(surface->push, step));
    snw_vec3 behind = end_of(&surface->joint, surface->now, snw_vec3_sub(surface->push, step));
    snw_vec3 bent = snw_vec3_add_scaled(snw_vec3_add(ahead, behind), -2, surface->middle);
    return -snw_vec3_dot(surface->force, bent) / (IK_NEWTON_ALONG * IK_NEWTON_ALONG);
}

/* form += value * (a b^T + b a^T) / 2 */
static void add_outer(double form[6], double value, snw_vec3 a, snw_vec3 b)
{
    const double u[3] = {a.x, a.y, a.z}, v[3] = {b.x, b.y, b.z};
    for (int r = 0, k = 0; r < 3; r++)
        for (int c = 0; c <= r; c++, k++)
            form[k] += 0.5 * value * (u[r] * v[c] + u[c] * v[r]);
}

/* Over the turns that the held normals leave free: one or two. */
snw__ik_bend snw__ik_limit_bend(const snw__ik_system *system, const snw__ik_mover *mover,
                                const snw_pose *pose, const double *force)
{
    snw__ik_bend bend = {.normal_count = mover->normal_count};
    ik_newton_surface surface = {.joint = system->ik->joint[mover->joint],
                                 .now = pose->rotation[mover->joint]};
    /* The part of the force that the normals stop. */
    snw_vec3 pull = take_vec3(force + mover->column_first, 1);
    snw_vec3 stopped = snw_vec3_make(0, 0, 0);
    for (int k = 0; k < mover->normal_count; k++) {
        double along = snw_vec3_dot(pull, mover->normal[k]);
        if (along > 0) stopped = snw_vec3_add_scaled(stopped, along, mover->normal[k]);
    }
    surface.force = stopped;
    if (mover->normal_count > 2 || !(snw_vec3_length2(surface.force) > 0)) return bend;
    if (!mover->holds_swing) surface.joint.limit.swing = SNW_SWING_FREE;
    if (!mover->holds_twist) surface.joint.limit.has_twist = false;
    surface.push =
        snw_vec3_add_scaled(take_vec3(system->held + mover->column_first, 1), IK_NEWTON_OUTWARD,
                            snw_vec3_unit(surface.force, mover->normal[0]));
    surface.middle = end_of(&surface.joint, surface.now, surface.push);
    if (mover->normal_count == 2) {
        snw_vec3 a = snw_vec3_cross(mover->normal[0], mover->normal[1]);
        add_outer(bend.form, curvature_along(&surface, a), a, a);
        return bend;
    }
    snw_vec3 a = snw_vec3_perpendicular(mover->normal[0]);
    snw_vec3 b = snw_vec3_cross(mover->normal[0], a);
    double aa = curvature_along(&surface, a), bb = curvature_along(&surface, b);
    double between = curvature_along(&surface, snw_vec3_scale(snw_vec3_add(a, b), sqrt(0.5)));
    add_outer(bend.form, aa, a, a);
    add_outer(bend.form, bb, b, b);
    add_outer(bend.form, 2 * between - aa - bb, a, b);
    return bend;
}

void snw__ik_add_bend(const snw__ik_system *system, const snw__ik_mover *mover,
                      const snw__ik_bend *bend, double *m)
{
    for (int r = 0, k = 0; r < 3; r++)
        for (int c = 0; c <= r; c++, k++)
            *snw__ik_matrix_entry(system->pattern, m, mover->column_first + r,
                                  mover->column_first + c) += bend->form[k];
}

/* ---- the step ------------------------------------------------------------------------------- */

static double mean_diagonal(const snw__ik_system *system, const double *m)
{
    const snw__ik_pattern *pattern = system->pattern;
    double sum = 0;
    for (int c = 0; c < system->column_count; c++)
        sum += fabs(m[pattern->first[c] + pattern->depth[c]]) / system->column_count;
    return sum;
}

/* step = (left + lambda I)^-1 right; false where that is not definite or the step too long. */
static bool solve_damped(snw__ik_system *system, double lambda)
{
    snw__ik_newton *newton = system->newton;
    const snw__ik_pattern *pattern = system->pattern;
    double largest = 0;
    memcpy(newton->factor, newton->left, (size_t)pattern->entry_count * sizeof(double));
    for (int c = 0; c < system->column_count; c++)
        newton->factor[pattern->first[c] + pattern->depth[c]] += lambda;
    bool is_definite = snw__ik_matrix_factor(system, newton->factor, SNW__IK_PIVOT_LEAST);
    memcpy(system->step, newton->right, (size_t)system->column_count * sizeof(double));
    snw__ik_matrix_solve(system, newton->factor, system->step);
    for (int c = 0; c < system->column_count; c++)
        largest = fmax(largest, fabs(system->step[c]));
    return is_definite && largest <= SNW__IK_MODEL_RANGE;
}

/* Damped until the model has a minimum within its range. */
static void newton_direction(snw__ik_system *system, void *context)
{
    snw__ik_newton *newton = context;
    /* left = P H P with the curvature of limits, right = P (g - H u) with u what limits have fixed
     * of the step, and what is gained by that. */
    int n = system->column_count;
    memcpy(newton->left, newton->full, (size_t)system->pattern->entry_count * sizeof(double));
    snw__ik_matrix_project(system, newton->left);
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        if (mover->normal_count == 0) continue;
        if (newton->bend[m].normal_count != mover->normal_count)
            newton->bend[m] = snw__ik_limit_bend(system, mover, newton->pose, system->gradient);
        snw__ik_add_bend(system, mover, &newton->bend[m], newton->left);
    }
    snw__ik_matrix_multiply(system, newton->full, system->held, newton->right);
    newton->gain = fmax(snw__ik_dot(system->gradient, system->held, n) -
                            0.5 * snw__ik_dot(newton->right, system->held, n),
                        0);
    for (int c = 0; c < n; c++)
        newton->right[c] = system->gradient[c] - newton->right[c];
    snw__ik_system_project(system, newton->right);
    double mean = mean_diagonal(system, newton->left);
    for (int attempt = 0; attempt < SNW__IK_ROUNDS; attempt++) {
        if (solve_damped(system, newton->lambda * mean)) break;
        newton->is_bent = true;
        newton->lambda = fmin(SNW__IK_DAMPING_FACTOR * newton->lambda, 1);
    }
    newton->gain += 0.5 * snw__ik_dot(newton->right, system->step, system->column_count);
}

/* A small step downhill. */
static void probe_direction(snw__ik_system *system, void *context)
{
    (void)context;
    memcpy(system->step, system->gradient, (size_t)system->column_count * sizeof(double));
    snw__ik_system_project(system, system->step);
    double length = sqrt(snw__ik_dot(system->step, system->step, system->column_count));
    for (int c = 0; length > 0 && c < system->column_count; c++)
        system->step[c] *= SNW__IK_LIMIT_PROBE / length;
}

/* ---- to the minimum ------------------------------------------------------------------------- */

/* From where `scale` times the step led, measured: what the linear model did not see of it is
 * solved for with the same hessian and added (as in lm.c). Leaves the pose there, measured. */
static void correct(snw__ik_system *system, double scale, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_newton *newton = system->newton;
    for (int k = 0; k < system->row_count; k++)
        system->work[k] = system->residual[k] - newton->base[k] +
                          scale * (newton->base[k] - system->predicted[k]);
    snw__ik_system_pull_back(system, system->work, newton->right);
    snw__ik_system_project(system, newton->right);
    snw__ik_matrix_solve(system, newton->factor, newton->right);
    memcpy(system->secondary, system->step, (size_t)system->column_count * sizeof(double));
    for (int c = 0; c < system->column_count; c++)
        system->step[c] = scale * system->step[c] + newton->right[c];
    snw__ik_snapshot_restore(&system->before, pose);
    (void)snw__ik_system_move(system, 1, pose);
    snw__ik_system_measure(system, goals, pose);
    memcpy(system->step, system->secondary, (size_t)system->column_count * sizeof(double));
}

/* A step along which the energy bends down has no end in its model: damping makes it short, and it
 * may lead on far beyond, along a curved valley. From the step taken, measured, to longer ones as
 * long as that pays. */
static void stretch(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_newton *newton = system->newton;
    double largest = 0, energy = system->energy;
    for (int c = 0; c < system->column_count; c++)
        largest = fmax(largest, fabs(system->step[c]));
    snw__ik_snapshot_take(&newton->kept, pose);
    for (double scale = 4; scale * largest <= SNW__IK_MODEL_RANGE; scale *= 4) {
        snw__ik_snapshot_restore(&system->before, pose);
        (void)snw__ik_system_move(system, scale, pose);
        snw__ik_system_measure(system, goals, pose);
        if (!(system->energy < energy)) correct(system, scale, goals, pose);
        if (!(system->energy < energy)) break;
        energy = system->energy;
        snw__ik_snapshot_take(&newton->kept, pose);
    }
    snw__ik_snapshot_restore(&newton->kept, pose);
    snw_pose_forward(pose);
    snw__ik_system_measure(system, goals, pose);
}

/* Moves by the step or a part of it; false, with the pose as it was, when none helps. */
static bool search(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_newton *newton = system->newton;
    double energy = system->energy, scale = 1;
    double slope = snw__ik_dot(system->gradient, system->step, system->column_count);
    snw__ik_snapshot_take(&system->before, pose);
    (void)snw__ik_system_expected_gain(system, energy);
    memcpy(newton->base, system->residual, (size_t)system->row_count * sizeof(double));
    for (int k = 0; k < SNW__IK_ROUNDS && slope > 0; k++, scale *= 0.25) {
        (void)snw__ik_system_move(system, scale, pose);
        snw__ik_system_measure(system, goals, pose);
        if (k == 0 && energy - system->energy < SNW__IK_POOR * slope)
            correct(system, 1, goals, pose);
        if (energy - system->energy > SNW__IK_ENOUGH * scale * slope) {
            double factor = k == 0 ? 1.0 / SNW__IK_DAMPING_FACTOR : SNW__IK_DAMPING_FACTOR;
            newton->lambda = fmax(factor * newton->lambda, SNW__IK_DAMPING_LEAST);
            if (k == 0 && newton->is_bent) stretch(system, goals, pose);
            return true;
        }
        snw__ik_snapshot_restore(&system->before, pose);
    }
    snw_pose_forward(pose);
    return false;
}

/* Begins a step from a pose whose system was just built. What the goals push against its limit is
 * held first: with it the hessian says nothing. */
static void hold_pushed(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    /* full = J^T J - sum r . d2p, of a system that was just built. */
    snw__ik_newton *newton = system->newton;
    memset(newton->full, 0, (size_t)system->pattern->entry_count * sizeof(double));
    const snw_ik *ik = system->ik;
    snw__ik_add_row_curvature(system, goals, pose, system->residual, newton->full);
    for (int i = 0; i < ik->goal_count; i++)
        if (snw__goal_row_of(&goals[i])->has_frame)
            add_angle(system, &system->path[3 * i], snw__ik_goal_error(ik, &goals[i], pose).turn,
                      snw__ik_row_scale2_of(ik, &goals[i]).turn, newton->full);
        else if (snw__goal_row_of(&goals[i])->has_aim)
            add_aim(system, &system->path[3 * i], &goals[i], pose, newton->full);
    for (int k = 0; k < system->pattern->entry_count; k++)
        newton->full[k] = -newton->full[k];
    snw__ik_matrix_add_rows(system, 1, newton->full);
    for (int m = 0; m < system->mover_count; m++)
        newton->bend[m].normal_count = 0;
    newton->pose = pose;
    snw__ik_system_find_step(system, probe_direction, NULL, pose);
}

/* Where several limits meet, holding what a long step would break can leave nothing that leads
 * down: the step that holds only what is pushed against, and slides along the limits, does. */
static bool slide(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system_build(system, goals, pose);
    snw__ik_system_find_step(system, probe_direction, NULL, pose);
    newton_direction(system, system->newton);
    for (int c = 0; c < system->column_count; c++)
        system->step[c] += system->held[c];
    return search(system, goals, pose);
}

/* No more than this part of the energy is to be gained, and the hessian is definite as it is but
 * for what no goal determines. */
static bool is_minimum(const snw__ik_system *system, double part)
{
    const snw__ik_newton *newton = system->newton;
    return newton->gain <= part * system->energy && newton->lambda <= SNW__IK_DAMPING_FIRST;
}

/* Damping to begin with: what only the lightest goal determines must move too. Weights are those of
 * a solve, the heaviest 1. */
static double first_damping(const snw__ik_system *system, const snw_goal *goals)
{
    double least = 1;
    for (int i = 0; i < system->ik->goal_count; i++)
        if (!snw__goal_is_secondary(&goals[i])) least = fmin(least, goals[i].weight);
    return fmax(SNW__IK_DAMPING_FIRST * least, SNW__IK_DAMPING_LEAST);
}

bool snw__ik_newton_is_settled(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    if (!system->newton || system->column_count == 0) return false;
    system->newton->lambda = SNW__IK_DAMPING_FIRST;
    snw__ik_system_build(system, goals, pose);
    hold_pushed(system, goals, pose);
    /* Surely no minimum: g H^-1 g / 2 is at least g.g / 2 over the trace, and limits seldom add
     * tenfold to that. */
    snw__ik_newton *newton = system->newton;
    int n = system->column_count;
    memcpy(newton->right, system->gradient, (size_t)n * sizeof(double));
    snw__ik_system_project(system, newton->right);
    bool is_settled =
        !(snw__ik_dot(newton->right, newton->right, n) >
          20 * SNW__SINGLE * system->energy * mean_diagonal(system, newton->full) * n);
    if (is_settled) {
        snw__ik_system_find_step(system, newton_direction, system->newton, pose);
        is_settled = is_minimum(system, SNW__SINGLE);
    }
    snw__ik_system_measure(system, goals, pose);
    return is_settled;
}

/* Will the minimum not be below the floor, and is it plain whether it is the same one? Steps gain a
 * few times what one expects. */
static bool is_hopeless(const snw__ik_system *system)
{
    const snw__ik_newton *newton = system->newton;
    double end = system->energy - IK_NEWTON_STEPS * newton->gain;
    return end > newton->floor && (SNW__IK_NEARER * system->energy < newton->floor ||
                                   SNW__IK_NEARER * end > newton->floor);
}

snw__ik_polish snw__ik_newton_polish(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                                     int iteration_max)
{
    snw__ik_polish polish = {0, false, false};
    snw__ik_newton *newton = system->newton;
    if (!newton || system->column_count == 0) return polish;
    newton->lambda = first_damping(system, goals);
    for (; polish.iterations < iteration_max; polish.iterations++) {
        snw__ik_system_build(system, goals, pose);
        if (system->excess <= 1) return polish;
        hold_pushed(system, goals, pose);
        newton->is_bent = false;
        snw__ik_system_find_step(system, newton_direction, newton, pose);
        polish.is_minimum = is_minimum(system, SNW__EXACT);
        /* Where several limits meet the hessian stays indefinite, and steps are no longer
         * quadratic. */
        if (polish.is_minimum ||
            (newton->gain <= SNW__SAME * system->energy && newton->lambda > SNW__IK_DAMPING_FIRST))
            break;
        if (is_hopeless(system)) break;
        if (!search(system, goals, pose) && !slide(system, goals, pose)) break;
    }
    snw__ik_system_measure(system, goals, pose);
    return polish;
}

bool snw__ik_newton_goes_on(const snw__ik_system *system, double energy)
{
    return system->energy < (1 - IK_NEWTON_CREEP) * energy;
}

snw__ik_polish snw__ik_newton_settle(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                                     int iteration_max)
{
    snw__ik_newton *newton = system->newton;
    snw__ik_polish all = {0, false, false};
    while (newton && !all.is_minimum && all.iterations < iteration_max) {
        int left = iteration_max - all.iterations;
        double energy = system->energy;
        snw__ik_snapshot_take(&newton->first, pose);
        snw__ik_polish part = snw__ik_newton_polish(system, goals, pose,
                                                    left < SNW__IK_WINDOW ? left : SNW__IK_WINDOW);
        all.iterations += part.iterations;
        all.is_minimum = part.is_minimum;
        if (system->excess <= 1 || part.is_minimum) break;
        if (snw__ik_newton_goes_on(system, energy)) continue;
        all.is_minimum = all.has_crept = true;
        snw__ik_snapshot_restore(&newton->first, pose);
        snw_pose_forward(pose);
        snw__ik_system_measure(system, goals, pose);
    }
    return all;
}

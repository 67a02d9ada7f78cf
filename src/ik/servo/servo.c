/* A step of differential inverse kinematics as a quadratic program; see ik_servo.h. The rows of the
 * goals come from the linear system of all Jacobian methods (ik/core/system.h), the limits in time
 * from rates.h. */
#include <sinew/ik_servo.h>

#include <string.h>

#include "base/fail.h"
#include "ik/core/bounds.h"
#include "ik/servo/manipulability.h"
#include "ik/servo/qp.h"
#include "ik/servo/rates.h"
#include "ik/servo/support_polygon.h"
#include "math/kernel.h"

/* Of rows that are demands of their own: what keeps shapes apart. */
enum {
    SERVO_NO_LEVEL = -1
};

struct snw_ik_servo {
    snw_ik *ik; /* of a Jacobian method: its system is what is wanted */
    snw_ik_servo_options options;
    snw__qp qp;
    snw__rate *rate;  /* (column_count) in the units of the columns */
    double *row_gain; /* (row_count) */
    int *row_level;   /* (row_count) 0: first */
    double *wanted;   /* (row_count) gain times residual */
    double *reached;  /* (row_count) J v of the levels that are solved */
    double *lead;     /* (column_count) v0 */
    double *inside;   /* (SNW_IK_SUPPORT_MAX) */
    double *work;     /* (12 x column_count) of manipulability */
    int *nonzero;     /* (column_count) */
    double *velocity; /* (dof_count) */
    int level_count;
    snw__balance balance;
    snw__ik_snapshot posture;
    snw_allocator allocator;
    snw__block block;
};

/* ---- creating ------------------------------------------------------------------------------- */

snw_ik_servo_options snw_ik_servo_options_default(void)
{
    snw_ik_servo_options options = {.root = SNW_IK_ROOT_FIXED,
                                    .use_limits = true,
                                    .gain = 10,
                                    .damping = 1e-5,
                                    .posture_gain = 1,
                                    .manipulability_goal = -1,
                                    .manipulability_gain = 0.1,
                                    .support_gain = 10};
    return options;
}

static const char *wrong_servo_option(const snw_ik_problem *problem,
                                      const snw_ik_servo_options *options)
{
    const snw_skeleton *skeleton = problem->skeleton;
    for (int i = 0; options->goal_gain && i < problem->goal_count; i++)
        if (!(options->goal_gain[i] > 0)) return "goal_gain";
    if (!(options->gain > 0)) return "gain";
    if (!(options->damping >= 1e-20 && options->damping <= 1e20)) return "damping";
    if (!(options->posture_gain >= 0)) return "posture_gain";
    if (options->manipulability_goal < -1 || options->manipulability_goal >= problem->goal_count)
        return "manipulability_goal";
    if (!(fabs(options->manipulability_gain) <= 1e20)) return "manipulability_gain";
    if (!(options->support_gain > 0)) return "support_gain";
    if (options->posture && !snw__ik_is_pose_of(options->posture, skeleton)) return "posture";
    for (int j = 0; options->mass_center && j < skeleton->joint_count; j++)
        if (!snw_vec3_is_finite(options->mass_center[j])) return "mass_center";
    const double *all[] = {options->limit.velocity, options->limit.acceleration,
                           options->limit.jerk};
    static const char *const name[] = {"limit.velocity", "limit.acceleration", "limit.jerk"};
    for (int n = 0; n < 3; n++)
        for (int k = 0; all[n] && k < skeleton->dof_count; k++)
            if (!(all[n][k] > 0)) return name[n];
    for (int k = 0; options->limit.jerk && k < skeleton->dof_count; k++)
        if (options->limit.jerk[k] < INFINITY &&
            !(options->limit.acceleration && options->limit.acceleration[k] < INFINITY))
            return "limit.jerk";
    return NULL;
}

static void lay_out_servo(void *object, snw__block *block)
{
    snw_ik_servo *servo = object;
    const snw__ik_system *system = servo->ik->system;
    size_t columns = (size_t)system->column_count, rows = (size_t)system->row_count;
    size_t joints = (size_t)servo->ik->skeleton->joint_count;
    int apart = 0;
    for (int i = 0; i < servo->ik->goal_count; i++)
        apart += snw__goal_row_of(&servo->ik->goal[i])->has_other;
    int balls = 0;
    for (int m = 0; m < system->mover_count; m++)
        balls += system->mover[m].bound == SNW__IK_BOUND_BALL;
    int more = SNW_IK_SUPPORT_MAX + apart + 2 * SNW__IK_TRIES * balls;
    snw__qp_layout(&servo->qp, system->column_count, system->row_count + more, block);
    servo->rate = snw__block_take(block, columns, sizeof *servo->rate);
    servo->row_gain = snw__block_take(block, rows, sizeof(double));
    servo->row_level = snw__block_take(block, rows, sizeof(int));
    servo->wanted = snw__block_take(block, rows, sizeof(double));
    servo->reached = snw__block_take(block, rows, sizeof(double));
    servo->lead = snw__block_take(block, columns, sizeof(double));
    servo->inside = snw__block_take(block, SNW_IK_SUPPORT_MAX, sizeof(double));
    servo->work = snw__block_take(block, 12 * columns, sizeof(double));
    servo->nonzero = snw__block_take(block, columns, sizeof(int));
    servo->velocity =
        snw__block_take(block, (size_t)servo->ik->skeleton->dof_count, sizeof(double));
    snw__balance_layout(&servo->balance, servo->ik->skeleton, block);
    snw__ik_snapshot_layout(&servo->posture, joints, block);
}

static double limit_of(const double *limit, int k, double unit)
{
    return limit ? limit[k] / unit : INFINITY;
}

/* A joint that follows has no column of its own. */
static bool is_moved(const snw_ik_servo *servo, const snw__ik_mover *mover)
{
    return !mover->is_locked &&
           (mover->joint < 0 || !servo->ik->skeleton->follow[mover->joint].is_following);
}

/* Pins come first, then the goals by their priorities. */
static void plan_rows(snw_ik_servo *servo, const snw_ik_problem *problem)
{
    const snw_ik *ik = servo->ik;
    int row = 0, pins = ik->skeleton->pin_count;
    servo->level_count = 1;
    for (int i = 0; i < problem->goal_count; i++) {
        snw__ik_rows rows = snw__ik_goal_rows(ik, &ik->goal[i]);
        int level = pins > 0;
        for (int k = 0; k < problem->goal_count; k++) {
            bool is_first = problem->goal[k].priority < problem->goal[i].priority;
            for (int l = 0; l < k && is_first; l++)
                is_first = problem->goal[l].priority != problem->goal[k].priority;
            level += is_first;
        }
        if (snw__goal_row_of(&ik->goal[i])->has_other) level = SERVO_NO_LEVEL;
        if (level >= servo->level_count) servo->level_count = level + 1;
        for (int k = 0; k < rows.offset + rows.turn; k++, row++) {
            servo->row_level[row] = level;
            servo->row_gain[row] =
                servo->options.goal_gain ? servo->options.goal_gain[i] : servo->options.gain;
        }
    }
    for (; row < ik->system->row_count; row++) {
        servo->row_level[row] = 0;
        servo->row_gain[row] = INFINITY;
    }
}

/* The solve whose system is stepped: all goals of one priority, as levels are the servo's. */
static snw_status create_system(snw_ik_servo *servo, const snw_ik_problem *problem,
                                snw_error *error)
{
    size_t size = snw__size_mul((size_t)problem->goal_count, sizeof(snw_goal));
    snw_goal *goals = snw__allocate(&servo->allocator, size ? size : 1);
    if (!goals) return snw__fail_memory(error, size, "the goals of a servo");
    for (int i = 0; i < problem->goal_count; i++) {
        goals[i] = problem->goal[i];
        goals[i].priority = 0;
    }
    snw_ik fields = {.skeleton = problem->skeleton,
                     .options = snw_ik_options_default(),
                     .goal_count = problem->goal_count,
                     .goal = goals,
                     .allocator = servo->allocator};
    fields.options.solver = SNW_IK_DLS;
    fields.options.root = servo->options.root;
    fields.options.use_limits = servo->options.use_limits;
    snw_status status = snw__ik_create(&fields, &servo->ik, error);
    snw__release(&servo->allocator, goals, size ? size : 1);
    return status;
}

static snw_status check_servo(const snw_ik_problem *problem, const snw_ik_servo_options *options,
                              snw_error *error)
{
    snw__place place = SNW__NOWHERE;
    if (!problem || !problem->skeleton || problem->goal_count < 0 ||
        (problem->goal_count > 0 && !problem->goal))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a servo needs a body and goals");
    for (int i = 0; i < problem->goal_count; i++)
        if ((unsigned)problem->goal[i].kind < SNW_GOAL_KIND_COUNT &&
            snw__goal_is_secondary(&problem->goal[i]))
            return snw__fail(error, SNW_UNSUPPORTED,
                             "goal %d: a servo knows no rest goals; give it a posture", i);
    place.name = wrong_servo_option(problem, options);
    if (!place.name) return SNW_OK;
    return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                        "option %s is outside what a servo accepts", place.name);
}

snw_status snw_ik_servo_create(const snw_ik_problem *problem, const snw_ik_servo_options *options,
                               const snw_allocator *allocator, snw_ik_servo **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a servo needs a place to be put");
    *out = NULL;
    snw_ik_servo_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_ik_servo_options_default() : *options;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = check_servo(problem, &chosen, error);
    if (status != SNW_OK) return status;
    snw_ik_servo *servo = snw__allocate(&memory, sizeof *servo);
    if (!servo) return snw__fail_memory(error, sizeof *servo, "a servo");
    *servo = (snw_ik_servo){.options = chosen, .allocator = memory};
    status = create_system(servo, problem, error);
    if (status == SNW_OK)
        status = snw__block_create(&servo->block, lay_out_servo, servo, &memory, "a servo", error);
    if (status != SNW_OK) {
        snw_ik_servo_destroy(servo);
        return status;
    }
    const snw__ik_system *system = servo->ik->system;
    const snw_rate_limit *limit = &servo->options.limit;
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        for (int k = 0; k < mover->column_count; k++) {
            int c = mover->column_first + k;
            int dof = mover->joint < 0 ? 0 : servo->ik->skeleton->dof_first[mover->joint] + k;
            double unit = system->column[c].is_slide ? servo->ik->size : 1;
            servo->rate[c] = (snw__rate){INFINITY, INFINITY, INFINITY, 0, 0, INFINITY, INFINITY};
            if (mover->joint < 0) continue;
            servo->rate[c].velocity_max = limit_of(limit->velocity, dof, unit);
            servo->rate[c].acceleration_max = limit_of(limit->acceleration, dof, unit);
            servo->rate[c].jerk_max = limit_of(limit->jerk, dof, unit);
        }
    }
    plan_rows(servo, problem);
    snw__balance_plan(&servo->balance, servo->ik->skeleton, servo->options.mass_center);
    if (servo->options.posture) snw__ik_snapshot_take(&servo->posture, servo->options.posture);
    memset(servo->qp.was_active, 0, 2 * (size_t)servo->qp.size * sizeof(bool));
    snw_ik_servo_restart(servo);
    *out = servo;
    return SNW_OK;
}

void snw_ik_servo_destroy(snw_ik_servo *servo)
{
    if (!servo) return;
    snw_allocator memory = servo->allocator;
    snw_ik_destroy(servo->ik);
    snw__block_release(&memory, &servo->block);
    snw__release(&memory, servo, sizeof *servo);
}

void snw_ik_servo_restart(snw_ik_servo *servo)
{
    for (int c = 0; c < servo->ik->system->column_count; c++)
        servo->rate[c].velocity = servo->rate[c].acceleration = 0;
    memset(servo->velocity, 0, (size_t)servo->ik->skeleton->dof_count * sizeof(double));
}

const double *snw_ik_servo_velocity(const snw_ik_servo *servo)
{
    return servo->velocity;
}

snw_status snw_ik_servo_set_support(snw_ik_servo *servo, const snw_vec3 *points, int count,
                                    snw_vec3 up, snw_error *error)
{
    bool is_finite = snw_vec3_is_finite(up) && snw_vec3_length(up) > 0;
    if (count == 0) {
        servo->balance.edge_count = 0;
        return snw__succeed(error);
    }
    if (count < 0 || count > SNW_IK_SUPPORT_MAX || !points)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "support is given by 3 to %d points, not %d",
                         SNW_IK_SUPPORT_MAX, count);
    if (!(servo->balance.mass > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a body without masses needs no support");
    for (int i = 0; i < count; i++)
        is_finite &= snw_vec3_length(points[i]) < SNW__IK_FAR;
    if (!is_finite || !snw__balance_set(&servo->balance, points, count, up))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the points of support have no area");
    return snw__succeed(error);
}

snw_vec3 snw_ik_servo_mass_center(const snw_ik_servo *servo, const snw_pose *pose)
{
    return snw__balance_center(&servo->balance, pose);
}

/* ---- one step ------------------------------------------------------------------------------- */

static void fill_lead(snw_ik_servo *servo, double dt, const snw_pose *pose)
{
    const snw__ik_system *system = servo->ik->system;
    memset(servo->lead, 0, (size_t)system->column_count * sizeof(double));
    if (servo->options.posture) {
        /* The way to the posture. */
        for (int m = 0; m < system->mover_count; m++) {
            const snw__ik_mover *mover = &system->mover[m];
            if (mover->joint < 0 || !is_moved(servo, mover)) continue;
            snw__ik_place here = {pose->rotation[mover->joint], pose->slide[mover->joint]};
            snw__ik_place there = {servo->posture.rotation[mover->joint],
                                   servo->posture.slide[mover->joint]};
            snw__ik_joint_way(&servo->ik->joint[mover->joint], &here, &there, 1 / servo->ik->size,
                              &servo->lead[mover->column_first]);
            for (int k = 0; k < mover->column_count; k++)
                servo->lead[mover->column_first + k] *= fmin(servo->options.posture_gain, 1 / dt);
        }
    }
    if (servo->options.manipulability_goal >= 0)
        snw__manipulability_add(system, servo->options.manipulability_goal, pose,
                                servo->options.manipulability_gain, servo->work, servo->lead);
}

/* H, f and equations of one level. */
static void set_level(snw_ik_servo *servo, int level)
{
    const snw__ik_system *system = servo->ik->system;
    snw__qp *qp = &servo->qp;
    int n = qp->size;
    double energy = 0;
    memset(qp->hessian, 0, snw__entries(n, n) * sizeof(double));
    memset(qp->linear, 0, (size_t)n * sizeof(double));
    qp->row_count = qp->equal_count = 0;
    for (int k = 0; k < system->row_count; k++) {
        const double *row = &system->jacobian[snw__entry(k, n, 0)];
        if (servo->row_level[k] == level) {
            /* Into H and f: only its nonzero entries, of which there are few in a tree. */
            int count = 0;
            for (int c = 0; c < n; c++)
                if (row[c] != 0) servo->nonzero[count++] = c;
            for (int i = 0; i < count; i++) {
                int c = servo->nonzero[i];
                double *own = &qp->hessian[snw__entry(c, n, 0)];
                for (int j = 0; j <= i; j++)
                    own[servo->nonzero[j]] += row[c] * row[servo->nonzero[j]];
                qp->linear[c] -= row[c] * servo->wanted[k];
            }
            energy += 0.5 * system->residual[k] * system->residual[k];
        } else if (servo->row_level[k] < level && servo->row_level[k] != SERVO_NO_LEVEL) {
            memcpy(&qp->row[snw__entry(qp->row_count, n, 0)], row, (size_t)n * sizeof(double));
            qp->least[qp->row_count] = servo->reached[k];
            qp->equal_count = ++qp->row_count;
        }
    }
    double damping = servo->options.damping + fmin(energy, 1);
    for (int c = 0; c < n; c++) {
        qp->hessian[snw__entry(c, n, c)] += damping;
        qp->linear[c] -= damping * servo->lead[c];
    }
}

/* A ball that would leave its limits gets a row for each that it meets. */
static bool hold_ball_limits(snw_ik_servo *servo, double dt, const snw_pose *pose)
{
    const snw__ik_system *system = servo->ik->system;
    snw__qp *qp = &servo->qp;
    int before = qp->row_count;
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        const double *v = &qp->x[mover->column_first];
        if (mover->bound != SNW__IK_BOUND_BALL || !is_moved(servo, mover)) continue;
        snw_vec3 w = snw_vec3_scale(snw_vec3_make(v[0], v[1], v[2]), dt);
        snw_quat now = pose->rotation[mover->joint];
        snw_quat asked = snw_quat_mul(now, snw_quat_exp(w));
        snw_quat allowed = snw_joint_limit_apply(&servo->ik->joint[mover->joint], asked);
        snw_vec3 taken = snw_quat_log(snw_quat_mul(snw_quat_conjugate(now), allowed));
        if (snw_vec3_distance(taken, w) <= 1e-3 * snw_vec3_length(w)) continue;
        snw__ik_normal normal[2];
        int count = snw__ik_limit_normals(&servo->ik->joint[mover->joint], asked, allowed, normal);
        for (int k = 0; k < count && qp->row_count < qp->row_max; k++) {
            double *row = &qp->row[snw__entry(qp->row_count, qp->size, 0)];
            const double n[3] = {normal[k].turn.x, normal[k].turn.y, normal[k].turn.z};
            memset(row, 0, (size_t)qp->size * sizeof(double));
            for (int i = 0; i < 3; i++)
                row[mover->column_first + i] = -n[i];
            qp->least[qp->row_count] = -snw_vec3_dot(normal[k].turn, taken) / dt;
            (void)snw__qp_relax_row(qp, qp->row_count++);
        }
    }
    return qp->row_count > before;
}

/* Velocities that keep all limits, level after level; returns the support's margin. */
static double solve_levels(snw_ik_servo *servo, const snw_goal *goals, double dt,
                           const snw_pose *pose, snw_ik_servo_result *result)
{
    const snw__ik_system *system = servo->ik->system;
    snw__qp *qp = &servo->qp;
    double margin = INFINITY;
    for (int level = 0; level < servo->level_count; level++) {
        set_level(servo, level);
        int relaxed = 0;
        margin = snw__balance_rows(&servo->balance, servo->ik->system, pose,
                                   &qp->row[snw__entry(qp->row_count, qp->size, 0)], servo->inside);
        double gain = fmin(servo->options.support_gain, 1 / dt);
        for (int k = 0; k < servo->balance.edge_count; k++) {
            qp->least[qp->row_count] = -gain * servo->inside[k];
            relaxed += snw__qp_relax_row(qp, qp->row_count++);
        }
        /* Shapes come no nearer than their margin: no faster than the part of what is left of the
         * way that `support_gain` allows. */
        for (int i = 0; i < servo->ik->goal_count; i++) {
            if (!snw__goal_row_of(&goals[i])->has_other) continue;
            double *row = &qp->row[snw__entry(qp->row_count, qp->size, 0)];
            memset(row, 0, (size_t)qp->size * sizeof(double));
            double distance = snw__goal_apart_row(servo->ik->system, i, &goals[i], pose, row);
            qp->least[qp->row_count] = -gain * (distance - goals[i].value);
            relaxed += snw__qp_relax_row(qp, qp->row_count++);
        }
        bool is_solved = snw__qp_solve(qp);
        for (int round = 0; round < SNW__IK_TRIES && is_solved; round++) {
            if (!hold_ball_limits(servo, dt, pose)) break;
            is_solved = snw__qp_resume(qp);
        }
        for (int k = 0; k < system->row_count && level + 1 < servo->level_count; k++)
            if (servo->row_level[k] == level)
                servo->reached[k] =
                    snw__dot(&system->jacobian[snw__entry(k, qp->size, 0)], qp->x, qp->size);
        result->given_up_count = relaxed + qp->given_up_count;
    }
    return margin;
}

/* Moves, and keeps what was really taken for the next step. */
static void take_step(snw_ik_servo *servo, double dt, snw_pose *pose, snw_ik_servo_result *result)
{
    snw__ik_system *system = servo->ik->system;
    const snw_skeleton *skeleton = servo->ik->skeleton;
    memset(servo->velocity, 0, (size_t)skeleton->dof_count * sizeof(double));
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        for (int k = 0; k < mover->column_count; k++) {
            int c = mover->column_first + k;
            double unit = system->column[c].is_slide ? servo->ik->size : 1;
            snw__rate *rate = &servo->rate[c];
            double v = is_moved(servo, mover) ? servo->qp.x[c] : 0;
            result->limited_count +=
                servo->qp.low[c] < servo->qp.high[c] &&
                (servo->qp.x[c] <= servo->qp.low[c] || servo->qp.x[c] >= servo->qp.high[c]);
            rate->acceleration = (v - rate->velocity) / dt;
            rate->velocity = v;
            system->step[c] = v * dt;
            if (mover->joint >= 0)
                servo->velocity[skeleton->dof_first[mover->joint] + k] = v * unit;
        }
    }
    for (int k = 0; k < skeleton->follower_count; k++) {
        const snw_follow *follow = &skeleton->follow[skeleton->follower[k]];
        servo->velocity[skeleton->dof_first[skeleton->follower[k]]] =
            follow->factor * servo->velocity[skeleton->dof_first[follow->leader]];
    }
    (void)snw__ik_system_move(system, 1, pose);
}

snw_ik_servo_result snw_ik_servo_step(snw_ik_servo *servo, const snw_goal *goals, double dt,
                                      snw_pose *pose)
{
    snw__ik_system *system = servo->ik->system;
    snw_ik_servo_result result = {.worst_goal = -1, .support_margin = INFINITY};
    snw__ik_bring_in_order(servo->ik, pose);
    if (!snw__ik_goals_are_usable(servo->ik, goals) || !(dt >= 1e-30 && dt <= 1e30)) {
        snw_ik_servo_restart(servo);
        return result;
    }
    snw__ik_note_shapes(servo->ik);
    snw__ik_system_build(system, goals, pose);
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m]; /* bounds of its velocities */
        double values[6] = {0};
        const snw_joint *joint = mover->joint < 0 ? NULL : &servo->ik->joint[mover->joint];
        bool is_box = mover->bound == SNW__IK_BOUND_BOX;
        if (is_box)
            (void)snw_joint_values(joint, pose->rotation[mover->joint], pose->slide[mover->joint],
                                   values);
        for (int k = 0; k < mover->column_count; k++) {
            int c = mover->column_first + k;
            double unit = system->column[c].is_slide ? servo->ik->size : 1;
            snw__rate *rate = &servo->rate[c];
            rate->below = rate->above = INFINITY;
            bool is_turn = unit == 1 && !system->column[c].is_slide;
            if (is_box && joint->limit.has_range[k] &&
                !(is_turn && joint->limit.range[k][1] - joint->limit.range[k][0] >= 2 * SNW_PI)) {
                rate->below = fmax(0, values[k] - joint->limit.range[k][0]) / unit;
                rate->above = fmax(0, joint->limit.range[k][1] - values[k]) / unit;
            }
            if (!is_moved(servo, mover))
                servo->qp.low[c] = servo->qp.high[c] = 0;
            else
                snw__rate_bounds(rate, dt, &servo->qp.low[c], &servo->qp.high[c]);
        }
    }
    for (int k = 0; k < system->row_count; k++)
        servo->wanted[k] = fmin(servo->row_gain[k], 1 / dt) * system->residual[k];
    fill_lead(servo, dt, pose);
    result.support_margin = solve_levels(servo, goals, dt, pose, &result);
    take_step(servo, dt, pose, &result);
    double worst = 0;
    result.worst_goal = servo->ik->goal_count > 0 ? 0 : -1;
    for (int i = 0; i < servo->ik->goal_count; i++) {
        snw__ik_error error = snw__ik_goal_error(servo->ik, &goals[i], pose);
        double excess = snw__ik_error_excess(servo->ik, error);
        if (i > 0 && !(excess > worst)) continue;
        worst = excess;
        result.worst_goal = i;
        result.worst_residual = snw__ik_worse_half(servo->ik, error);
    }
    result.is_reached = fmax(worst, snw__ik_pin_excess(servo->ik, pose)) <= 1;
    return result;
}

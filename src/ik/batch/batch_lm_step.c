/* What all lanes of batch_lm.h do at once, second half of an iteration: the next step from where
 * the lane stands. Rows are few and coordinates many, so the damped normal equations are solved in
 * the space of rows,
 *
 *     (J J^T + lambda I) y = r,   h = J^T y,
 *
 * which is the same step (push-through identity), and r - J h = lambda y gives the energy the model
 * expects: |lambda y|^2 / 2. lambda follows the scalar method (ik/core/lm.c).
 *
 * Limits: coordinates are angles, slides, and for limited balls the swing plane and the twist, so
 * that ranges are boxes and cones are four quarters of ellipses. What stands at its limit and is
 * drawn outwards is left out of the step; what a step carries across is put on the limit. */
#include "ik/batch/batch_lm_forward.h"

#if defined(SNW__LANES_INLINE)

/* Axes of a limited ball: with v the swing's rotation vector, omega = J(v) dv with the left
 * Jacobian of the exponential, J u = a u + b v (v.u) + c v x u. */
SNW__LANES_INLINE void lm_ball_axes(const snw__batch_lm_lanes *lanes, int slot, snw__lanes3 *axis)
{
    const snw__batch_lm_joint *joint = &lanes->plan->joint[slot];
    snw__lanes3 v = snw__batch_lm_swing_vector(joint, lanes->now.value + joint->first);
    snw__f8 square = snw__lanes3_dot(v, v), angle = snw__f8_sqrt(square);
    snw__lanes_turn half = snw__lanes_sincos(angle * 0.5f);
    snw__i8 is_small = angle < 0.05f;
    snw__f8 safe = snw__f8_pick(is_small, snw__f8_set(1.0f), angle);
    snw__f8 a =
        snw__f8_pick(is_small, 1.0f - square * (1.0f / 6), 2.0f * half.sine * half.cosine / safe);
    snw__f8 b = snw__f8_pick(is_small, snw__f8_set(1.0f / 6), (1.0f - a) / (safe * safe));
    snw__f8 c = snw__f8_pick(is_small, 0.5f - square * (1.0f / 24),
                             2.0f * half.sine * half.sine / (safe * safe));
    const snw__lanes3 direction[2] = {
        snw__batch_lm_set3(joint->side),
        snw__lanes3_scale(snw__batch_lm_set3(joint->axis2), snw__f8_set(-1))};
    for (int k = 0; k < 2; k++) {
        snw__lanes3 u = direction[k];
        snw__lanes3 omega =
            snw__lanes3_add_scaled(snw__lanes3_scale(u, a), b * snw__lanes3_dot(v, u), v);
        omega = snw__lanes3_add_scaled(omega, c, snw__lanes3_cross(v, u));
        axis[k] = snw__lanes4_rotate(lanes->now.before[slot], omega);
    }
    axis[2] = snw__lanes4_rotate(lanes->now.world[slot].rotation, snw__batch_lm_set3(joint->axis));
}

SNW__LANES_INLINE void lm_axes(snw__batch_lm_lanes *lanes)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    for (int k = 0; k < plan->joint_count; k++) {
        const snw__batch_lm_joint *joint = &plan->joint[k];
        snw__lanes3 *axis = lanes->axis + joint->first;
        snw__lanes4 before = lanes->now.before[k], world = lanes->now.world[k].rotation;
        for (int c = 0; c < joint->count; c++)
            lanes->origin[joint->first + c] = lanes->now.world[k].place;
        switch (joint->kind) {
        case SNW__BATCH_LM_FIXED:
            break;
        case SNW__BATCH_LM_HINGE:
        case SNW__BATCH_LM_SLIDE:
            axis[0] = snw__lanes4_rotate(before, snw__batch_lm_set3(joint->axis));
            break;
        case SNW__BATCH_LM_UNIVERSAL:
            axis[0] = snw__lanes4_rotate(before, snw__batch_lm_set3(joint->axis));
            /* The second turn does not move its own axis. */
            axis[1] = snw__lanes4_rotate(world, snw__batch_lm_set3(joint->axis2));
            break;
        case SNW__BATCH_LM_BALL:
            lm_ball_axes(lanes, k, axis);
            break;
        case SNW__BATCH_LM_FREE_BALL:
            axis[0] = snw__lanes4_rotate(world, snw__lanes3_set(1, 0, 0));
            axis[1] = snw__lanes4_rotate(world, snw__lanes3_set(0, 1, 0));
            axis[2] = snw__lanes4_rotate(world, snw__lanes3_set(0, 0, 1));
            break;
        }
    }
}

/* How a sight turns against the direction to what it looks at, for a velocity of the eye and a turn
 * about an axis (ik/core/goal_kinds.c, fill_aim_rows). */
typedef struct lm_sight {
    snw__lanes3 sight, wanted;
    snw__f8 per_square; /* 1 / |wanted|^2; 0 at the eye */
} lm_sight;

SNW__LANES_INLINE lm_sight lm_sight_of(const snw__batch_lm_lanes *lanes, int g, snw__lanes3 at)
{
    const snw__batch_lm_goal *goal = &lanes->plan->goal[g];
    snw__lanes4 world = lanes->now.world[goal->slot].rotation;
    snw__lanes3 wanted = snw__lanes3_sub(lanes->place[g], at);
    float nothing = SNW__BATCH_LM_EYE * lanes->plan->size;
    snw__f8 square = snw__lanes3_dot(wanted, wanted), one = snw__f8_set(1);
    snw__i8 is_there = square > nothing * nothing;
    return (lm_sight){
        snw__lanes4_rotate(world, snw__batch_lm_set3(goal->direction)), wanted,
        snw__f8_pick(is_there, one / snw__f8_pick(is_there, square, one), snw__f8_set(0))};
}

SNW__LANES_INLINE snw__lanes3 lm_sight_turn(const lm_sight *s, snw__lanes3 moved, snw__lanes3 axis,
                                            bool is_slide)
{
    snw__lanes3 turn = snw__lanes3_scale(snw__lanes3_cross(s->wanted, moved), s->per_square);
    if (is_slide) return turn;
    snw__lanes3 across = snw__lanes3_add_scaled(axis, -snw__lanes3_dot(axis, s->sight), s->sight);
    return snw__lanes3_add(
        turn, snw__lanes3_pick(s->per_square > 0.0f, across, snw__lanes3_set(0, 0, 0)));
}

/* Rows of one goal, and what they add to the gradient J^T r. */
SNW__LANES_INLINE void lm_goal_rows(snw__batch_lm_lanes *lanes, int g)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    const snw__batch_lm_goal *goal = &plan->goal[g];
    const batch_lm_frame *world = &lanes->now.world[goal->slot];
    const snw__f8 *r = lanes->now.residual + goal->row_first;
    snw__lanes3 at = snw__lanes3_add(
        world->place, snw__lanes4_rotate(world->rotation, snw__batch_lm_set3(goal->point)));
    int count = goal->path_count, rows = goal->row_count;
    lm_sight sight = {snw__lanes3_set(0, 0, 0), snw__lanes3_set(0, 0, 0), snw__f8_set(0)};
    if (goal->has_aim) sight = lm_sight_of(lanes, g, at);
    for (int p = 0; p < count; p++) {
        int c = plan->path[goal->path_first + p], row = 0;
        bool is_slide = plan->coordinate[c].is_slide;
        snw__lanes3 axis = lanes->axis[c];
        snw__f8 *column = lanes->jacobian + goal->block_first + p * rows, sum = lanes->gradient[c];
        snw__lanes3 moved = snw__lanes3_set(0, 0, 0);
        if (goal->has_place || goal->has_aim)
            moved = is_slide ? snw__lanes3_scale(axis, snw__f8_set(plan->coordinate[c].unit))
                             : snw__lanes3_cross(axis, snw__lanes3_sub(at, lanes->origin[c]));
        if (goal->has_place) {
            column[0] = moved.x * lanes->offset_scale[g];
            column[1] = moved.y * lanes->offset_scale[g];
            column[2] = moved.z * lanes->offset_scale[g];
            row = 3;
        }
        if (goal->has_frame || goal->has_aim) {
            snw__f8 scale = is_slide && goal->has_frame ? snw__f8_set(0) : lanes->turn_scale[g];
            if (goal->has_aim) axis = lm_sight_turn(&sight, moved, axis, is_slide);
            column[row] = axis.x * scale;
            column[row + 1] = axis.y * scale;
            column[row + 2] = axis.z * scale;
        }
        for (int k = 0; k < rows; k++)
            sum += column[k] * r[k];
        lanes->gradient[c] = sum;
    }
}

/* The free part of each coordinate: 1, or 0 where it stands at its end and is drawn outwards. */
SNW__LANES_INLINE snw__f8 lm_box_freedom(const snw__batch_lm_coordinate *c, snw__f8 value,
                                         snw__f8 gradient)
{
    snw__i8 is_low = (value <= c->low + SNW__BATCH_LM_AT_LIMIT) & (gradient < 0.0f);
    snw__i8 is_high = (value >= c->high - SNW__BATCH_LM_AT_LIMIT) & (gradient > 0.0f);
    return snw__f8_pick(is_low | is_high, snw__f8_set(0), snw__f8_set(1));
}

/* Outward normal of the cone in the swing plane where the bone stands at it and is drawn out, else
 * zero. */
SNW__LANES_INLINE void lm_cone_normal(const snw__batch_lm_joint *joint, const snw__f8 *value,
                                      const snw__f8 *gradient, snw__f8 normal[2])
{
    snw__f8 a =
        snw__f8_pick(value[0] >= 0.0f, snw__f8_set(joint->cone[0]), snw__f8_set(joint->cone[2]));
    snw__f8 b =
        snw__f8_pick(value[1] >= 0.0f, snw__f8_set(joint->cone[1]), snw__f8_set(joint->cone[3]));
    snw__f8 x = value[0] / a, y = value[1] / b;
    normal[0] = x / a;
    normal[1] = y / b;
    snw__f8 length = snw__f8_sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    snw__i8 is_held = (x * x + y * y >= 1.0f - 4 * SNW__BATCH_LM_AT_LIMIT) & (length > 1e-6f) &
                      (normal[0] * gradient[0] + normal[1] * gradient[1] > 0.0f);
    snw__f8 scale =
        snw__f8_pick(is_held, 1.0f / snw__f8_pick(is_held, length, snw__f8_set(1)), snw__f8_set(0));
    normal[0] *= scale;
    normal[1] *= scale;
}

/* Takes what is held out of the columns, in every goal that has them. */
SNW__LANES_INLINE void lm_hold(snw__batch_lm_lanes *lanes)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    /* What is free of each coordinate, or the normal of its cone. */
    snw__f8 *hold = lanes->step;
    for (int k = 0; k < plan->joint_count; k++) {
        const snw__batch_lm_joint *joint = &plan->joint[k];
        for (int c = joint->first; c < joint->first + joint->count; c++)
            hold[c] = lm_box_freedom(&plan->coordinate[c], lanes->now.value[c], lanes->gradient[c]);
        if (joint->has_cone)
            lm_cone_normal(joint, lanes->now.value + joint->first, lanes->gradient + joint->first,
                           hold + joint->first);
    }
    for (int g = 0; g < plan->goal_count; g++) {
        const snw__batch_lm_goal *goal = &plan->goal[g];
        int rows = goal->row_count;
        for (int p = 0; p < goal->path_count; p++) {
            int c = plan->path[goal->path_first + p];
            snw__f8 *column = lanes->jacobian + goal->block_first + p * rows;
            for (int r = 0; r < rows && plan->coordinate[c].cone == 0; r++)
                column[r] *= hold[c];
            for (int r = 0; r < rows && plan->coordinate[c].cone == 1; r++) {
                snw__f8 along = hold[c] * column[r] + hold[c + 1] * column[rows + r];
                column[r] -= along * hold[c];
                column[rows + r] -= along * hold[c + 1];
            }
        }
    }
}

/* J J^T, by goals: two share the coordinates above where their paths part. */
SNW__LANES_INLINE void lm_matrix(snw__batch_lm_lanes *lanes)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    int width = plan->row_count;
    for (int g = 0; g < plan->goal_count; g++)
        for (int h = 0; h <= g; h++) {
            const snw__batch_lm_goal *a = &plan->goal[g], *b = &plan->goal[h];
            int rows_a = a->row_count, rows_b = b->row_count;
            int count = plan->shared[g * plan->goal_count + h];
            for (int r = 0; r < rows_a; r++)
                for (int s = 0; s < rows_b && (g != h || s <= r); s++) {
                    const snw__f8 *x = lanes->jacobian + a->block_first + r;
                    const snw__f8 *y = lanes->jacobian + b->block_first + s;
                    snw__f8 sum = snw__f8_set(0);
                    for (int p = 0; p < count; p++)
                        sum += x[p * rows_a] * y[p * rows_b];
                    lanes->matrix[(a->row_first + r) * width + b->row_first + s] = sum;
                }
        }
}

/* Cholesky with lambda on the diagonal, forwards and back; returns |y|^2. */
SNW__LANES_INLINE snw__f8 lm_solve(snw__batch_lm_lanes *lanes, snw__f8 lambda)
{
    int n = lanes->plan->row_count;
    snw__f8 *m = lanes->matrix, *y = lanes->dual, sum = snw__f8_set(0);
    for (int r = 0; r < n; r++) {
        snw__f8 rest = lanes->now.residual[r];
        for (int c = 0; c <= r; c++) {
            snw__f8 entry = m[r * n + c];
            for (int k = 0; k < c; k++)
                entry -= m[r * n + k] * m[c * n + k];
            if (c < r) {
                m[r * n + c] = entry * m[c * n + c];
                rest -= m[r * n + c] * y[c];
                continue;
            }
            /* The reciprocal of the diagonal; round-off may have eaten what was left of it. */
            m[r * n + r] = 1.0f / snw__f8_sqrt(snw__batch_lm_larger(entry + lambda, lambda * 0.5f));
        }
        y[r] = rest * m[r * n + r];
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++)
            y[r] -= m[k * n + r] * y[k];
        y[r] *= m[r * n + r];
        sum += y[r] * y[r];
    }
    return sum;
}

/* h = J^T y. */
SNW__LANES_INLINE void lm_direction(snw__batch_lm_lanes *lanes)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    for (int c = 0; c < plan->coordinate_count; c++)
        lanes->step[c] = snw__f8_set(0);
    for (int g = 0; g < plan->goal_count; g++) {
        const snw__batch_lm_goal *goal = &plan->goal[g];
        int rows = goal->row_count;
        const snw__f8 *y = lanes->dual + goal->row_first;
        for (int p = 0; p < goal->path_count; p++) {
            const snw__f8 *column = lanes->jacobian + goal->block_first + p * rows;
            int c = plan->path[goal->path_first + p];
            snw__f8 sum = lanes->step[c];
            for (int r = 0; r < rows; r++)
                sum += column[r] * y[r];
            lanes->step[c] = sum;
        }
    }
}

SNW__LANES_INLINE snw__f8 lm_clamp(snw__f8 value, float low, float high)
{
    value = snw__f8_pick(value < low, snw__f8_set(low), value);
    return snw__f8_pick(value > high, snw__f8_set(high), value);
}

/* Radially onto the cone where it is outside. */
SNW__LANES_INLINE void lm_into_cone(const snw__batch_lm_joint *joint, snw__f8 *value)
{
    snw__f8 a =
        snw__f8_pick(value[0] >= 0.0f, snw__f8_set(joint->cone[0]), snw__f8_set(joint->cone[2]));
    snw__f8 b =
        snw__f8_pick(value[1] >= 0.0f, snw__f8_set(joint->cone[1]), snw__f8_set(joint->cone[3]));
    snw__f8 x = value[0] / a, y = value[1] / b, square = x * x + y * y;
    snw__f8 scale = 1.0f / snw__f8_sqrt(snw__batch_lm_larger(square, snw__f8_set(1)));
    value[0] *= scale;
    value[1] *= scale;
}

/* The pose to try: from where the lane stands by the step, limits kept. Fresh starts stay. */
SNW__LANES_INLINE void lm_move(snw__batch_lm_lanes *lanes)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    for (int k = 0; k < plan->joint_count; k++) {
        const snw__batch_lm_joint *joint = &plan->joint[k];
        snw__f8 moved[3];
        for (int i = 0; i < joint->count; i++) {
            const snw__batch_lm_coordinate *c = &plan->coordinate[joint->first + i];
            moved[i] = lanes->now.value[joint->first + i] + lanes->step[joint->first + i] * c->unit;
            moved[i] = lm_clamp(moved[i], c->low, c->high);
        }
        if (joint->has_cone) lm_into_cone(joint, moved);
        for (int i = 0; i < joint->count; i++)
            lanes->trial.value[joint->first + i] =
                snw__f8_pick(lanes->is_fresh, lanes->trial.value[joint->first + i], moved[i]);
        if (joint->kind != SNW__BATCH_LM_FREE_BALL) continue;
        const snw__f8 *h = lanes->step + joint->first;
        snw__lanes4 q = snw__batch_lm_unit(snw__lanes4_mul(
            lanes->now.turn[k], snw__batch_lm_exp((snw__lanes3){h[0], h[1], h[2]})));
        lanes->trial.turn[k] = snw__lanes4_pick(lanes->is_fresh, lanes->trial.turn[k], q);
    }
}

SNW__LANES_INLINE void lm_advance(snw__batch_lm_lanes *lanes)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    lm_axes(lanes);
    for (int c = 0; c < plan->coordinate_count; c++)
        lanes->gradient[c] = snw__f8_set(0);
    for (int g = 0; g < plan->goal_count; g++)
        lm_goal_rows(lanes, g);
    lm_hold(lanes);
    lm_matrix(lanes);
    snw__f8 trace = snw__f8_set(0);
    for (int r = 0; r < plan->row_count; r++)
        trace += lanes->matrix[r * plan->row_count + r];
    snw__f8 lambda = snw__batch_lm_larger(snw__f8_sqrt(lanes->alpha * 2.0f * lanes->now.energy),
                                          trace * (SNW__BATCH_LM_RIDGE / (float)plan->row_count));
    lambda = snw__batch_lm_larger(lambda, snw__f8_set(1e-12f));
    snw__f8 square = lm_solve(lanes, lambda);
    lanes->expected = lanes->now.energy - 0.5f * lambda * lambda * square;
    lm_direction(lanes);
    lm_move(lanes);
}

SNW__LANES_BUILDS(snw__batch_lm_advance, snw__batch_lm_lanes, lm_advance)

#endif

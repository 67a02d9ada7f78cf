/* What all lanes of batch_lm.h do at once, first half of an iteration: forward kinematics of the
 * pose to try, residuals r (weighted and free of units as in ik/core/system.h), taken when the
 * energy |r|^2 / 2 fell as the model of the step said (batch_lm_step.c); alpha follows the scalar
 * method (ik/core/lm.c). */
#include "ik/batch/batch_lm_forward.h"

#if defined(SNW__LANES_INLINE)

/* ---- residuals ------------------------------------------------------------------------------ */

/* The rotation vector (world) that takes `from` to `to`. */
SNW__LANES_INLINE snw__lanes3 lm_turn_between(snw__lanes4 from, snw__lanes4 to)
{
    snw__lanes4 q = snw__lanes4_mul(to, (snw__lanes4){from.w, -from.x, -from.y, -from.z});
    snw__i8 is_minus = q.w < 0.0f;
    snw__lanes3 v = {q.x, q.y, q.z};
    snw__f8 w = snw__f8_pick(is_minus, -q.w, q.w), length = snw__lanes3_length(v);
    snw__i8 is_small = length < 1e-6f;
    snw__f8 safe = snw__f8_pick(is_small, snw__f8_set(1.0f), length);
    snw__f8 scale =
        snw__f8_pick(is_small, snw__f8_set(2.0f), 2.0f * snw__lanes_atan(safe, w) / safe);
    return snw__lanes3_scale(v, snw__f8_pick(is_minus, -scale, scale));
}

/* The same that turns a sight, of length 1, towards what it is to look at; none where that is at
 * the eye, where no direction is wrong. */
SNW__LANES_INLINE snw__lanes3 lm_aim_between(snw__lanes3 sight, snw__lanes3 wanted, float nothing)
{
    snw__f8 one = snw__f8_set(1.0f), distance = snw__lanes3_length(wanted);
    snw__i8 is_at_eye = distance <= nothing;
    snw__lanes3 to = snw__lanes3_scale(wanted, 1.0f / snw__f8_pick(is_at_eye, one, distance));
    snw__lanes3 axis = snw__lanes3_cross(sight, to);
    snw__f8 sine = snw__lanes3_length(axis), cosine = snw__lanes3_dot(sight, to);
    snw__i8 is_behind = cosine < 0.0f, is_line = sine < 1e-6f;
    snw__f8 angle = snw__lanes_atan(sine, snw__f8_pick(is_behind, -cosine, cosine));
    angle = snw__f8_pick(is_behind, 3.14159265f - angle, angle);
    /* Straight behind any axis across will do. */
    snw__i8 is_x = sight.x * sight.x > 0.5f;
    snw__f8 zero = snw__f8_set(0);
    snw__lanes3 across = {snw__f8_pick(is_x, -sight.y, zero), snw__f8_pick(is_x, sight.x, -sight.z),
                          snw__f8_pick(is_x, zero, sight.y)};
    snw__f8 width = snw__lanes3_length(across);
    snw__f8 scale = snw__f8_pick(is_line, one, angle / snw__f8_pick(is_line, one, sine));
    snw__i8 is_opposite = is_behind & is_line;
    axis = snw__lanes3_pick(is_opposite, across, axis);
    scale = snw__f8_pick(is_opposite, 3.14159265f / snw__f8_pick(is_opposite, width, one), scale);
    return snw__lanes3_scale(axis, snw__f8_pick(is_at_eye, zero, scale));
}

SNW__LANES_INLINE void lm_put_rows(snw__f8 *row, snw__lanes3 v, snw__f8 scale, snw__f8 *energy)
{
    row[0] = v.x * scale;
    row[1] = v.y * scale;
    row[2] = v.z * scale;
    *energy += 0.5f * (row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

SNW__LANES_INLINE void lm_residuals(const snw__batch_lm_lanes *lanes, batch_lm_pose *pose)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    snw__f8 energy = snw__f8_set(0), excess = snw__f8_set(0);
    for (int g = 0; g < plan->goal_count; g++) {
        const snw__batch_lm_goal *goal = &plan->goal[g];
        const batch_lm_frame *world = &pose->world[goal->slot];
        snw__f8 *row = pose->residual + goal->row_first;
        snw__lanes3 at = snw__lanes3_add(
            world->place, snw__lanes4_rotate(world->rotation, snw__batch_lm_set3(goal->point)));
        snw__lanes3 left = snw__lanes3_sub(lanes->place[g], at);
        if (goal->has_place) {
            lm_put_rows(row, left, lanes->offset_scale[g], &energy);
            excess =
                snw__batch_lm_larger(excess, snw__lanes3_length(left) * (1.0f / plan->tolerance));
            row += 3;
        }
        if (goal->has_frame || goal->has_aim) {
            left = goal->has_frame
                       ? lm_turn_between(world->rotation, lanes->frame[g])
                       : lm_aim_between(snw__lanes4_rotate(world->rotation,
                                                           snw__batch_lm_set3(goal->direction)),
                                        left, SNW__BATCH_LM_EYE * plan->size);
            lm_put_rows(row, left, lanes->turn_scale[g], &energy);
            excess = snw__batch_lm_larger(excess,
                                          snw__lanes3_length(left) * (1.0f / plan->turn_tolerance));
        }
    }
    pose->energy = energy;
    pose->excess = excess;
}

/* ---- taking a step or not ------------------------------------------------------------------- */

SNW__LANES_INLINE void lm_adapt(snw__batch_lm_lanes *lanes, snw__f8 rho)
{
    snw__f8 bend = 2.0f * rho - 1.0f;
    snw__f8 factor = snw__batch_lm_larger(snw__f8_set(0.25f), 1.0f - 2.0f * bend * bend * bend);
    factor = snw__f8_pick(factor > 17.0f, snw__f8_set(17.0f), factor);
    snw__f8 alpha =
        snw__batch_lm_larger(snw__f8_set(SNW__BATCH_LM_ALPHA_LEAST), lanes->alpha * factor);
    alpha = snw__f8_pick(alpha > SNW__BATCH_LM_ALPHA_MOST, snw__f8_set(SNW__BATCH_LM_ALPHA_MOST),
                         alpha);
    lanes->alpha = snw__f8_pick(lanes->is_fresh, snw__f8_set(SNW__BATCH_LM_ALPHA_FIRST), alpha);
}

SNW__LANES_INLINE void lm_take(snw__batch_lm_lanes *lanes, snw__i8 mask)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    batch_lm_pose *to = &lanes->now;
    const batch_lm_pose *from = &lanes->trial;
    for (int c = 0; c < plan->coordinate_count; c++)
        to->value[c] = snw__f8_pick(mask, from->value[c], to->value[c]);
    for (int r = 0; r < plan->row_count; r++)
        to->residual[r] = snw__f8_pick(mask, from->residual[r], to->residual[r]);
    for (int k = 0; k < plan->joint_count; k++) {
        to->before[k] = snw__lanes4_pick(mask, from->before[k], to->before[k]);
        to->world[k].rotation =
            snw__lanes4_pick(mask, from->world[k].rotation, to->world[k].rotation);
        to->world[k].place = snw__lanes3_pick(mask, from->world[k].place, to->world[k].place);
        if (plan->joint[k].kind == SNW__BATCH_LM_FREE_BALL)
            to->turn[k] = snw__lanes4_pick(mask, from->turn[k], to->turn[k]);
    }
    to->energy = snw__f8_pick(mask, from->energy, to->energy);
    to->excess = snw__f8_pick(mask, from->excess, to->excess);
}

SNW__LANES_INLINE void lm_measure(snw__batch_lm_lanes *lanes)
{
    snw__batch_lm_forward(lanes->plan, &lanes->trial);
    lm_residuals(lanes, &lanes->trial);
    snw__i8 is_expected = lanes->expected > 0.0f;
    snw__f8 safe = snw__f8_pick(is_expected, lanes->expected, snw__f8_set(1.0f));
    snw__f8 rho = snw__f8_pick(is_expected, (lanes->now.energy - lanes->trial.energy) / safe,
                               snw__f8_set(-1.0f));
    /* NaN compares false and is not taken. */
    lanes->is_accepted = (rho > SNW__BATCH_LM_ACCEPT) | lanes->is_fresh;
    lm_adapt(lanes, rho);
    lm_take(lanes, lanes->is_accepted);
}

SNW__LANES_BUILDS(snw__batch_lm_measure, snw__batch_lm_lanes, lm_measure)

#endif

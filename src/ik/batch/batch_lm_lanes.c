/* Single lanes: a problem is put into a free one, begins again from fresh starts where it is stuck,
 * keeps its best answer, and gives it back. */
#include "ik/batch/batch_lm_lanes.h"

#include <string.h>

#include "base/elementary.h"

#if defined(SNW__LANES_INLINE)

/* ---- memory --------------------------------------------------------------------------------- */

static void pose_layout(batch_lm_pose *pose, const snw__batch_lm_plan *plan, snw__block *block)
{
    size_t joints = (size_t)plan->joint_count;
    pose->value = snw__block_take(block, (size_t)plan->coordinate_count, sizeof *pose->value);
    pose->turn = snw__block_take(block, joints, sizeof *pose->turn);
    pose->world = snw__block_take(block, joints, sizeof *pose->world);
    pose->before = snw__block_take(block, joints, sizeof *pose->before);
    pose->residual = snw__block_take(block, (size_t)plan->row_room, sizeof *pose->residual);
}

snw__batch_lm_lanes *snw__batch_lm_lanes_layout(const snw__batch_lm_plan *plan, snw__block *block)
{
    size_t coordinates = (size_t)plan->coordinate_count, joints = (size_t)plan->joint_count;
    size_t rows = (size_t)plan->row_room, goals = (size_t)plan->goal_count;
    snw__batch_lm_lanes *lanes = snw__block_take(block, 1, sizeof *lanes), l = {.plan = plan};
    pose_layout(&l.now, plan, block);
    pose_layout(&l.trial, plan, block);
    l.start = snw__block_take(block, coordinates, sizeof *l.start);
    l.best = snw__block_take(block, coordinates, sizeof *l.best);
    l.start_turn = snw__block_take(block, joints, sizeof *l.start_turn);
    l.best_turn = snw__block_take(block, joints, sizeof *l.best_turn);
    l.axis = snw__block_take(block, coordinates, sizeof *l.axis);
    l.origin = snw__block_take(block, coordinates, sizeof *l.origin);
    l.gradient = snw__block_take(block, coordinates, sizeof *l.gradient);
    l.step = snw__block_take(block, coordinates, sizeof *l.step);
    l.jacobian = snw__block_take(block, (size_t)plan->block_room, sizeof *l.jacobian);
    l.matrix = snw__block_take(block, rows * rows, sizeof *l.matrix);
    l.dual = snw__block_take(block, rows, sizeof *l.dual);
    l.place = snw__block_take(block, goals, sizeof *l.place);
    l.frame = snw__block_take(block, goals, sizeof *l.frame);
    l.offset_scale = snw__block_take(block, goals, sizeof *l.offset_scale);
    l.turn_scale = snw__block_take(block, goals, sizeof *l.turn_scale);
    if (lanes == NULL) return NULL;
    *lanes = l;
    return lanes;
}

/* ---- what happens to single lanes ----------------------------------------------------------- */

static void set_quat(snw__lanes4 *to, int lane, const float q[4])
{
    to->w[lane] = q[0];
    to->x[lane] = q[1];
    to->y[lane] = q[2];
    to->z[lane] = q[3];
}

static void get_quat(const snw__lanes4 *from, int lane, float q[4])
{
    q[0] = from->w[lane];
    q[1] = from->x[lane];
    q[2] = from->y[lane];
    q[3] = from->z[lane];
}

void snw__batch_lm_values_of(const snw__batch_lm_joint *slot, const snw_joint *joint,
                             snw_quat rotation, snw_vec3 slide, double values[6])
{
    if (slot->kind == SNW__BATCH_LM_BALL) {
        snw_vec3 bone = snw_quat_rotate(rotation, joint->axis);
        double x = bone.x * slot->axis2[0] + bone.y * slot->axis2[1] + bone.z * slot->axis2[2];
        double y = bone.x * slot->side[0] + bone.y * slot->side[1] + bone.z * slot->side[2];
        double sine = sqrt(x * x + y * y);
        double psi = snw__atan2(sine, snw_vec3_dot(bone, joint->axis));
        values[0] = sine > 0 ? psi * x / sine : psi;
        values[1] = sine > 0 ? psi * y / sine : 0;
        values[2] = snw_quat_twist_angle(rotation, joint->axis);
        if (!joint->limit.has_twist) return;
        /* On the turn that the range is on. */
        double middle = 0.5 * (joint->limit.twist[0] + joint->limit.twist[1]);
        values[2] = middle + snw_wrap_angle(values[2] - middle);
        return;
    }
    (void)snw_joint_values(joint, rotation, slide, values);
}

void snw__batch_lm_put_joint(snw__batch_lm_lanes *lanes, int lane, int slot, const double values[6],
                             snw_quat q)
{
    const snw__batch_lm_joint *joint = &lanes->plan->joint[slot];
    for (int c = 0; c < joint->count; c++)
        lanes->start[joint->first + c][lane] = lanes->trial.value[joint->first + c][lane] =
            (float)values[c];
    if (joint->kind != SNW__BATCH_LM_FREE_BALL) return;
    const float turn[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
    set_quat(&lanes->start_turn[slot], lane, turn);
    set_quat(&lanes->trial.turn[slot], lane, turn);
}

void snw__batch_lm_put_pose(snw__batch_lm_lanes *lanes, int lane, int slot, const snw_joint *joint,
                            snw_quat rotation, snw_vec3 slide)
{
    double values[6] = {0};
    if (lanes->plan->joint[slot].kind != SNW__BATCH_LM_FREE_BALL)
        snw__batch_lm_values_of(&lanes->plan->joint[slot], joint, rotation, slide, values);
    snw__batch_lm_put_joint(lanes, lane, slot, values, rotation);
}

void snw__batch_lm_put_goals(snw__batch_lm_lanes *lanes, int lane, const snw_ik *ik,
                             const snw_goal *goals, snw_xform root)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    double heaviest = 0;
    for (int g = 0; g < plan->goal_count; g++)
        heaviest = fmax(heaviest, goals[g].weight);
    for (int g = 0; g < plan->goal_count; g++) {
        snw_vec3 place = snw_xform_unpoint(root, goals[g].position);
        snw_quat q = snw_quat_mul(snw_quat_conjugate(root.rotation), goals[g].orientation);
        const float frame[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
        double share = sqrt(goals[g].weight / heaviest);
        lanes->place[g].x[lane] = (float)place.x;
        lanes->place[g].y[lane] = (float)place.y;
        lanes->place[g].z[lane] = (float)place.z;
        set_quat(&lanes->frame[g], lane, frame);
        lanes->offset_scale[g][lane] = (float)(share / ik->size);
        lanes->turn_scale[g][lane] = (float)(share * goals[g].turn_weight);
    }
    lanes->state[lane] = SNW__BATCH_LM_BUSY;
    lanes->attempt[lane] = lanes->total[lane] = lanes->attempts_reached[lane] = 0;
    lanes->best_score[lane] = INFINITY;
    lanes->iterations[lane] = lanes->accepted[lane] = lanes->rejected[lane] = 0;
    lanes->reference[lane] = INFINITY;
    lanes->is_fresh[lane] = -1;
}

/* Keeps the answer that turns least from the given pose. */
static void keep_best(snw__batch_lm_lanes *lanes, int lane)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    float score = 0, q[4], p[4];
    for (int c = 0; c < plan->coordinate_count; c++) {
        float way = (lanes->now.value[c][lane] - lanes->start[c][lane]) / plan->coordinate[c].unit;
        score += way * way;
    }
    for (int k = 0; k < plan->joint_count; k++) {
        if (plan->joint[k].kind != SNW__BATCH_LM_FREE_BALL) continue;
        get_quat(&lanes->now.turn[k], lane, q);
        get_quat(&lanes->start_turn[k], lane, p);
        float dot = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
        score += 4 * (1 - dot * dot); /* the square of the angle, for small ones */
    }
    lanes->attempts_reached[lane]++;
    if (!(score < lanes->best_score[lane])) return;
    lanes->best_score[lane] = score;
    for (int c = 0; c < plan->coordinate_count; c++)
        lanes->best[c][lane] = lanes->now.value[c][lane];
    for (int k = 0; k < plan->joint_count; k++) {
        get_quat(&lanes->now.turn[k], lane, q);
        set_quat(&lanes->best_turn[k], lane, q);
    }
}

/* Is this start at its end? */
static bool is_stuck(snw__batch_lm_lanes *lanes, int lane)
{
    if (++lanes->iterations[lane] > SNW__BATCH_LM_PER_START) return true;
    if (!lanes->is_accepted[lane]) return ++lanes->rejected[lane] >= SNW__BATCH_LM_REJECTED;
    lanes->rejected[lane] = 0;
    if (++lanes->accepted[lane] % SNW__BATCH_LM_WINDOW) return false;
    float energy = lanes->now.energy[lane];
    bool is_slow = energy > (1 - SNW__BATCH_LM_PROGRESS) * lanes->reference[lane];
    lanes->reference[lane] = energy;
    return is_slow;
}

static void look_at_lane(snw__batch_lm_lanes *lanes, int lane)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    bool is_there = lanes->now.excess[lane] <= SNW__BATCH_LM_REACHED_PART;
    if (is_there) keep_best(lanes, lane);
    if (!is_there && !is_stuck(lanes, lane) && ++lanes->total[lane] < plan->iteration_max &&
        lanes->total[lane] < SNW__BATCH_LM_TOTAL)
        return;
    bool has_any = lanes->attempts_reached[lane] > 0;
    bool is_over = lanes->attempt[lane] >= SNW__BATCH_LM_STARTS ||
                   lanes->total[lane] >= plan->iteration_max ||
                   lanes->total[lane] >= SNW__BATCH_LM_TOTAL ||
                   (has_any && lanes->attempt[lane] + 1 >= plan->start_count);
    if (!is_over) {
        /* The next start of a lane: shaken a little, then anywhere. */
        int which = lanes->attempt[lane]++;
        const float *value = plan->scatter + (size_t)which * (size_t)plan->coordinate_count;
        const float *turn = plan->scatter_turn + (size_t)which * (size_t)plan->joint_count * 4;
        for (int c = 0; c < plan->coordinate_count; c++) {
            const snw__batch_lm_coordinate *range = &plan->coordinate[c];
            float start = lanes->start[c][lane], way = value[c] - start;
            float most = SNW__BATCH_LM_SHAKE * range->unit;
            if (which == 0) way = way > most ? most : way < -most ? -most : way;
            lanes->trial.value[c][lane] = start + way;
        }
        for (int k = 0; k < plan->joint_count; k++) {
            float q[4], length2 = 0;
            get_quat(&lanes->start_turn[k], lane, q);
            for (int i = 0; i < 4; i++) {
                q[i] = which == 0 ? q[i] + 0.25f * turn[4 * k + i] : turn[4 * k + i];
                length2 += q[i] * q[i];
            }
            for (int i = 0; i < 4; i++)
                q[i] /= sqrtf(length2);
            set_quat(&lanes->trial.turn[k], lane, q);
        }
        lanes->iterations[lane] = lanes->accepted[lane] = lanes->rejected[lane] = 0;
        lanes->reference[lane] = INFINITY;
        lanes->is_fresh[lane] = -1;
        return;
    }
    lanes->state[lane] = has_any ? SNW__BATCH_LM_REACHED : SNW__BATCH_LM_LOST;
}

bool snw__batch_lm_iterate(snw__batch_lm_lanes *lanes, snw__lanes_set set)
{
    bool is_busy = false;
    snw__batch_lm_measure(lanes, set);
    lanes->is_fresh = (snw__i8){0, 0, 0, 0, 0, 0, 0, 0};
    for (int lane = 0; lane < SNW__LANES; lane++) {
        if (lanes->state[lane] != SNW__BATCH_LM_BUSY) continue;
        look_at_lane(lanes, lane);
        is_busy |= lanes->state[lane] == SNW__BATCH_LM_BUSY;
    }
    if (is_busy) snw__batch_lm_advance(lanes, set);
    return is_busy;
}

snw__batch_lm_state snw__batch_lm_state_of(const snw__batch_lm_lanes *lanes, int lane)
{
    return lanes->state[lane];
}

void snw__batch_lm_drop(snw__batch_lm_lanes *lanes, int lane)
{
    lanes->state[lane] = SNW__BATCH_LM_EMPTY;
}

bool snw__batch_lm_is_start(const snw__batch_lm_lanes *lanes, int lane)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    bool is_same = true;
    float p[4], q[4];
    for (int c = 0; c < plan->coordinate_count; c++)
        is_same &= lanes->best[c][lane] == lanes->start[c][lane];
    for (int k = 0; k < plan->joint_count; k++) {
        if (plan->joint[k].kind != SNW__BATCH_LM_FREE_BALL) continue;
        get_quat(&lanes->best_turn[k], lane, p);
        get_quat(&lanes->start_turn[k], lane, q);
        is_same &= p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && p[3] == q[3];
    }
    return is_same;
}

bool snw__batch_lm_ball_holds(const snw__batch_lm_joint *slot, const snw_joint *joint,
                              const double values[3])
{
    const double *twist = joint->limit.twist;
    double slack = (double)SNW__BATCH_LM_AT_LIMIT;
    bool holds = values[0] * values[0] + values[1] * values[1] <
                 SNW__BATCH_LM_SWING_MAX * SNW__BATCH_LM_SWING_MAX;
    if (slot->has_cone) {
        double x = values[0] / slot->cone[values[0] >= 0 ? 0 : 2];
        double y = values[1] / slot->cone[values[1] >= 0 ? 1 : 3];
        holds &= x * x + y * y < 1 - slack;
    }
    return holds && (!joint->limit.has_twist ||
                     (values[2] > twist[0] + slack && values[2] < twist[1] - slack));
}

/* A limited ball from the swing plane and the twist: limits are asked only where floats may have
 * left it outside. */
static snw_quat ball_of(const snw__batch_lm_joint *slot, const snw_joint *joint,
                        const double values[3])
{
    const float *a = slot->side, *b = slot->axis2;
    snw_vec3 v =
        snw_vec3_make(values[0] * a[0] - values[1] * b[0], values[0] * a[1] - values[1] * b[1],
                      values[0] * a[2] - values[1] * b[2]);
    snw_quat q = snw_quat_normalize(
        snw_quat_mul(snw_quat_exp(v), snw_quat_from_axis_angle(joint->axis, values[2])));
    return snw__batch_lm_ball_holds(slot, joint, values) ? q : snw_joint_limit_apply(joint, q);
}

void snw__batch_lm_values(const snw__batch_lm_lanes *lanes, int lane, int slot,
                          const snw_joint *joint, double values[6])
{
    const snw__batch_lm_joint *from = &lanes->plan->joint[slot];
    for (int c = 0; c < from->count; c++) {
        /* The ends as doubles, which floats round to either side; angles without ends on their
         * first turn. */
        double value = lanes->best[from->first + c][lane];
        if (joint->limit.has_range[c])
            value = fmin(fmax(value, joint->limit.range[c][0]), joint->limit.range[c][1]);
        else if (from->kind != SNW__BATCH_LM_SLIDE)
            value = snw_wrap_angle(value);
        values[c] = value;
    }
}

void snw__batch_lm_take(const snw__batch_lm_lanes *lanes, int lane, const snw_ik *ik,
                        snw_pose *pose)
{
    const snw__batch_lm_plan *plan = lanes->plan;
    for (int k = 0; k < plan->joint_count; k++) {
        const snw__batch_lm_joint *slot = &plan->joint[k];
        const snw_joint *joint = &ik->joint[slot->joint];
        double values[6] = {0};
        float q[4];
        if (slot->kind == SNW__BATCH_LM_FREE_BALL) {
            get_quat(&lanes->best_turn[k], lane, q);
            pose->rotation[slot->joint] = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
        } else if (slot->kind == SNW__BATCH_LM_BALL) {
            for (int c = 0; c < 3; c++)
                values[c] = lanes->best[slot->first + c][lane];
            pose->rotation[slot->joint] = ball_of(slot, joint, values);
        } else {
            snw__batch_lm_values(lanes, lane, k, joint, values);
            snw_joint_from_values(joint, values, &pose->rotation[slot->joint],
                                  &pose->slide[slot->joint]);
        }
    }
}

#else /* a compiler without vector types: snw__batch_has_kernel says so and none of this is called \
       */

snw__batch_lm_lanes *snw__batch_lm_lanes_layout(const snw__batch_lm_plan *plan, snw__block *block)
{
    (void)plan;
    return snw__block_take(block, 1, 1);
}

void snw__batch_lm_put_joint(snw__batch_lm_lanes *lanes, int lane, int slot, const double values[6],
                             snw_quat rotation)
{
    (void)lanes, (void)lane, (void)slot, (void)values, (void)rotation;
}

void snw__batch_lm_put_pose(snw__batch_lm_lanes *lanes, int lane, int slot, const snw_joint *joint,
                            snw_quat rotation, snw_vec3 slide)
{
    (void)lanes, (void)lane, (void)slot, (void)joint, (void)rotation, (void)slide;
}

void snw__batch_lm_put_goals(snw__batch_lm_lanes *lanes, int lane, const snw_ik *ik,
                             const snw_goal *goals, snw_xform root)
{
    (void)lanes, (void)lane, (void)ik, (void)goals, (void)root;
}

bool snw__batch_lm_is_start(const snw__batch_lm_lanes *lanes, int lane)
{
    (void)lanes, (void)lane;
    return false;
}

void snw__batch_lm_values_of(const snw__batch_lm_joint *slot, const snw_joint *joint,
                             snw_quat rotation, snw_vec3 slide, double values[6])
{
    (void)slot, (void)joint, (void)rotation, (void)slide, (void)values;
}

bool snw__batch_lm_ball_holds(const snw__batch_lm_joint *slot, const snw_joint *joint,
                              const double values[3])
{
    (void)slot, (void)joint, (void)values;
    return false;
}

void snw__batch_lm_values(const snw__batch_lm_lanes *lanes, int lane, int slot,
                          const snw_joint *joint, double values[6])
{
    (void)lanes, (void)lane, (void)slot, (void)joint, (void)values;
}

bool snw__batch_lm_iterate(snw__batch_lm_lanes *lanes, snw__lanes_set set)
{
    (void)lanes, (void)set;
    return false;
}

snw__batch_lm_state snw__batch_lm_state_of(const snw__batch_lm_lanes *lanes, int lane)
{
    (void)lanes, (void)lane;
    return SNW__BATCH_LM_LOST;
}

void snw__batch_lm_drop(snw__batch_lm_lanes *lanes, int lane)
{
    (void)lanes, (void)lane;
}

void snw__batch_lm_take(const snw__batch_lm_lanes *lanes, int lane, const snw_ik *ik,
                        snw_pose *pose)
{
    (void)lanes, (void)lane, (void)ik, (void)pose;
}

#endif

/* ccd: cyclic coordinate descent. Joint after joint, from the tips to the base, takes the one best
 * turn (or slide) for all that hangs on it, in closed form.
 *
 * What hangs on a joint are effectors: a point with the place it should come to, or a frame with
 * the orientation it should take, which counts as the three unit axes of the frame. Hinges use the
 * analytic angle of aim.h; outside the range the bound with the larger a cos + b sin is taken. A
 * ball takes the smallest turn for one point, the Procrustes rotation for several. Slides move by
 * the mean of the gaps along their axis. The joints above a joint do not feel its turn, so one walk
 * of forward kinematics per sweep is enough.
 *
 * Where a sweep no longer helps (a straight limb with the target on its line, a limit in the way),
 * all joints are shaken at random and the sweeps go on, with shakes that shrink; the best pose seen
 * is kept. */
#include <string.h>

#include <sinew/geometry.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "ik/core/aim.h"
#include "ik/core/bounds.h"
#include "ik/literature/ccd.h"

typedef struct ccd_effector {
    int joint;
    bool is_turn;    /* an orientation or aiming direction instead of a place */
    int axis_count;  /* turn: 3 for a frame, 1 for a direction */
    snw_vec3 now[3]; /* the point, or the axes */
    snw_vec3 to[3];  /* where it should come to; axes: unit */
    double weight;
} ccd_effector;

typedef struct ccd_state {
    int effector_count;
    int joint_count; /* that move some effector, tips first */
    int *joint;      /* (joint_count) */
    bool *carries;   /* (skeleton joint_count x effector_max) joint moves effector */
    ccd_effector *effector;
    snw_vec3 *from, *to; /* (3 * effector_max) pairs for the rotation fit */
    double *weight;
    snw_xform best_root;
    snw_quat *best_rotation; /* (skeleton joint_count) */
    snw_vec3 *best_slide;
} ccd_state;

typedef struct ccd_solve_context {
    const snw_ik *ik;
    ccd_state *s;
    const snw_goal *goals;
    snw_pose *pose;
    bool turn_second; /* universal joints turn about their second axis in this visit */
} ccd_solve_context;

/* ---- effectors ------------------------------------------------------------------------------ */

static snw_status ccd_check(const snw_ik *ik, snw_error *error)
{
    for (int g = 0; g < ik->goal_count; g++) {
        snw_goal_kind kind = ik->goal[g].kind;
        if (snw__goal_rows[kind].has_limb || snw__goal_rows[kind].has_other ||
            snw__goal_rows[kind].has_coordinate || snw__goal_rows[kind].has_shares)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "ccd turns points and frames to targets, goal %d is %s", g,
                             snw_goal_kind_name(kind));
    }
    return SNW_OK;
}

/* Two effectors at most per goal and per pin. */
static size_t effector_max(const snw_ik *ik)
{
    return 2 * ((size_t)ik->goal_count + (size_t)ik->skeleton->pin_count);
}

static void add_effector(ccd_state *s, int joint, bool is_turn)
{
    ccd_effector effector = {.joint = joint, .is_turn = is_turn, .weight = 1};
    s->effector[s->effector_count++] = effector;
}

static void *ccd_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count, effectors = effector_max(ik);
    ccd_state *state = snw__block_take(block, 1, sizeof *state), s = {0};
    s.joint = snw__block_take(block, n, sizeof *s.joint);
    s.carries = snw__block_take(block, snw__size_mul(n, effectors), sizeof *s.carries);
    s.effector = snw__block_take(block, effectors, sizeof *s.effector);
    s.from = snw__block_take(block, 3 * effectors, sizeof *s.from);
    s.to = snw__block_take(block, 3 * effectors, sizeof *s.to);
    s.weight = snw__block_take(block, 3 * effectors, sizeof *s.weight);
    s.best_rotation = snw__block_take(block, n, sizeof *s.best_rotation);
    s.best_slide = snw__block_take(block, n, sizeof *s.best_slide);
    if (state == NULL) return NULL;
    /* One effector per goal part and per side of a pin, in the order in which `aim_effectors` fills
     * them. */
    s.effector_count = 0;
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        snw__ik_rows rows = snw__ik_goal_rows(ik, goal);
        if (snw__goal_row_of(goal)->has_other) continue; /* fabrik's, which looks after them */
        if (rows.offset > 0) add_effector(&s, goal->joint, false);
        if (rows.turn > 0) add_effector(&s, goal->joint, true);
    }
    for (int p = 0; p < ik->skeleton->pin_count; p++) {
        add_effector(&s, ik->skeleton->pin[p].joint_a, false);
        add_effector(&s, ik->skeleton->pin[p].joint_b, false);
    }
    const snw_skeleton *skeleton = ik->skeleton;
    size_t stride = effector_max(ik);
    for (int e = 0; e < s.effector_count; e++)
        for (int j = s.effector[e].joint; j >= 0; j = skeleton->parent[j])
            s.carries[(size_t)j * stride + (size_t)e] = true;
    s.joint_count = 0;
    for (int j = skeleton->joint_count - 1; j >= 0; j--) {
        bool moves_some = false;
        for (int e = 0; e < s.effector_count; e++)
            moves_some |= s.carries[(size_t)j * stride + (size_t)e];
        if (moves_some && snw_joint_type_dof(skeleton->joint[j].type) > 0)
            s.joint[s.joint_count++] = j;
    }
    *state = s;
    return state;
}

static void aim_goal(const ccd_solve_context *c, const snw_goal *goal, ccd_effector **next)
{
    snw__ik_rows rows = snw__ik_goal_rows(c->ik, goal);
    if (rows.offset == 0 && rows.turn == 0) return; /* rest: joint may be -1 */
    if (snw__goal_row_of(goal)->has_other) return;
    snw_vec3 point = snw_pose_point(c->pose, goal->joint, goal->point);
    snw_quat turn = c->pose->world[goal->joint].rotation;
    if (rows.offset > 0) {
        (*next)->now[0] = point;
        (*next)->to[0] = snw__goal_place_near(goal, point);
        (*next)->weight = goal->weight;
        ++*next;
    }
    if (rows.turn == 0) return;
    /* One radian of turn counts as turn_weight body sizes of way; three axes turn at once, and a
     * turn by one radian moves two of them by one unit each. */
    double arm = goal->turn_weight * c->ik->size;
    (*next)->weight = goal->weight * arm * arm;
    if (snw__goal_row_of(goal)->has_aim) {
        snw_vec3 ahead = snw_vec3_unit(snw_quat_rotate(turn, goal->direction), point);
        (*next)->axis_count = 1;
        (*next)->now[0] = ahead;
        (*next)->to[0] = snw_vec3_unit(snw_vec3_sub(goal->position, point), ahead);
    } else {
        (*next)->weight *= 0.5;
        ccd_effector *e = *next;
        snw_quat asked = snw_quat_normalize(goal->orientation);
        const snw_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        e->axis_count = 3;
        for (int k = 0; k < 3; k++) {
            e->now[k] = snw_quat_rotate(turn, axis[k]);
            e->to[k] = snw_quat_rotate(asked, axis[k]);
        }
    }
    ++*next;
}

/* Where all effectors are and should be, in the present pose. */
static void aim_effectors(const ccd_solve_context *c)
{
    const snw_skeleton *skeleton = c->ik->skeleton;
    ccd_effector *next = c->s->effector;
    for (int g = 0; g < c->ik->goal_count; g++)
        aim_goal(c, &c->goals[g], &next);
    for (int p = 0; p < skeleton->pin_count; p++, next += 2) {
        const snw_pin *pin = &skeleton->pin[p];
        next[0].now[0] = snw_pose_point(c->pose, pin->joint_a, pin->point_a);
        next[1].now[0] =
            pin->joint_b < 0 ? pin->point_b : snw_pose_point(c->pose, pin->joint_b, pin->point_b);
        next[0].to[0] = next[1].now[0];
        next[1].to[0] = next[0].now[0];
    }
}

/* True for a pin whose two sides both hang on the joint: turning it does nothing to the gap. */
static bool is_carried_pin(const ccd_solve_context *c, const bool *carries, int e)
{
    int first_pin = c->s->effector_count - 2 * c->ik->skeleton->pin_count;
    if (e < first_pin) return false;
    int mate = first_pin + ((e - first_pin) ^ 1);
    return carries[e] && carries[mate];
}

/* ---- one joint ------------------------------------------------------------------------------ */

/* Pairs of vectors from the joint's centre to bring together by turning; returns how many. */
static int gather_pairs(const ccd_solve_context *c, const bool *carries, snw_vec3 center)
{
    ccd_state *s = c->s;
    int count = 0;
    for (int i = 0; i < s->effector_count; i++) {
        const ccd_effector *e = &s->effector[i];
        if (!carries[i] || is_carried_pin(c, carries, i)) continue;
        for (int k = 0; k < (e->is_turn ? e->axis_count : 1); k++, count++) {
            s->from[count] = e->is_turn ? e->now[k] : snw_vec3_sub(e->now[k], center);
            s->to[count] = e->is_turn ? e->to[k] : snw_vec3_sub(e->to[k], center);
            s->weight[count] = e->weight;
        }
    }
    return count;
}

/* The best angle about a world axis. */
static snw__aim aim_about(const ccd_state *s, int count, snw_vec3 axis)
{
    snw__aim aim = {axis, 0, 0};
    for (int k = 0; k < count; k++)
        snw__aim_add(&aim, s->from[k], s->to[k], s->weight[k]);
    return aim;
}

/* Step of a hinge angle now at `value`: the best one, or the better bound when that is outside. */
double snw__aim_bounded_step(const snw__aim *aim, const snw_joint *joint, int which, double value)
{
    double step = snw__aim_angle(aim);
    const double *range = joint->limit.range[which];
    if (!joint->limit.has_range[which]) return step;
    for (int turn = -1; turn <= 1; turn++) {
        double angle = value + step + 2 * SNW_PI * turn;
        if (angle >= range[0] && angle <= range[1]) return angle - value;
    }
    double low = range[0] - value, high = range[1] - value;
    double at_low = aim->a * snw__cos(low) + aim->b * snw__sin(low);
    double at_high = aim->a * snw__cos(high) + aim->b * snw__sin(high);
    return at_low > at_high ? low : high;
}

/* New rotation of a joint that turns; `base` is the world rotation it starts from. */
static snw_quat best_rotation(const ccd_solve_context *c, int j, int count, snw_quat base)
{
    ccd_state *s = c->s;
    const snw_joint *joint = &c->ik->joint[j];
    snw_quat rotation = c->pose->rotation[j];
    if (snw__joint_row_of(joint)->is_vector) {
        snw_quat world = snw_quat_mul(base, rotation), turn = snw_quat_identity();
        snw_fit fit;
        if (count == 1)
            turn = snw_quat_between(s->from[0], s->to[0]);
        else if (snw_fit_rotation(s->from, s->to, s->weight, count, &fit) == SNW_OK)
            turn = fit.to_from.rotation;
        return snw_quat_mul(snw_quat_conjugate(base), snw_quat_mul(turn, world));
    }
    double values[6] = {0};
    (void)snw_joint_values(joint, rotation, c->pose->slide[j], values);
    if (snw__joint_row_of(joint)->turns_by_parts && c->turn_second) {
        /* Its second axis, carried along by the first turn. */
        snw_vec3 axis = snw_quat_rotate(snw_quat_mul(base, rotation), joint->axis2);
        snw__aim aim = aim_about(s, count, axis);
        double step = snw__aim_bounded_step(&aim, joint, 1, values[1]);
        return snw_quat_mul(rotation, snw_quat_from_axis_angle(joint->axis2, step));
    }
    snw__aim aim = aim_about(s, count, snw_quat_rotate(base, joint->axis));
    double step = snw__aim_bounded_step(&aim, joint, 0, values[0]);
    return snw_quat_mul(snw_quat_from_axis_angle(joint->axis, step), rotation);
}

/* Moves everything that hangs on the joint by the rigid motion it has just made. */
static void carry_effectors(const ccd_solve_context *c, const bool *carries, snw_xform motion)
{
    for (int i = 0; i < c->s->effector_count; i++) {
        ccd_effector *e = &c->s->effector[i];
        if (!carries[i]) continue;
        for (int k = 0; k < (e->is_turn ? e->axis_count : 1); k++)
            e->now[k] = e->is_turn ? snw_quat_rotate(motion.rotation, e->now[k])
                                   : snw_xform_point(motion, e->now[k]);
    }
    int first_pin = c->s->effector_count - 2 * c->ik->skeleton->pin_count;
    for (int i = first_pin; i < c->s->effector_count; i++)
        c->s->effector[i].to[0] = c->s->effector[first_pin + ((i - first_pin) ^ 1)].now[0];
}

/* Weighted mean of the gaps of the points that hang on the joint. */
static snw_vec3 mean_gap(const ccd_solve_context *c, const bool *carries)
{
    snw_vec3 sum = {0, 0, 0};
    double total = 0;
    for (int i = 0; i < c->s->effector_count; i++) {
        const ccd_effector *e = &c->s->effector[i];
        if (!carries[i] || e->is_turn || is_carried_pin(c, carries, i)) continue;
        sum = snw_vec3_add_scaled(sum, e->weight, snw_vec3_sub(e->to[0], e->now[0]));
        total += e->weight;
    }
    return total > 0 ? snw_vec3_scale(sum, 1 / total) : sum;
}

static void visit_joint(const ccd_solve_context *c, int j)
{
    const snw_joint *joint = &c->ik->joint[j];
    const bool *carries = c->s->carries + (size_t)j * effector_max(c->ik);
    snw_pose *pose = c->pose;
    /* world_from_joint of the joint with its motion taken off: where its coordinates start. */
    int parent = pose->skeleton->parent[j];
    snw_xform above = parent < 0 ? pose->root : pose->world[parent];
    snw_xform base = snw_xform_mul(above, pose->skeleton->rest[j]);
    snw_xform before = snw_xform_mul(base, snw_xform_make(pose->rotation[j], pose->slide[j]));
    if (joint->type != SNW_JOINT_PRISMATIC) {
        int count = gather_pairs(c, carries, before.translation);
        if (count == 0) return;
        snw_quat rotation = snw_quat_normalize(best_rotation(c, j, count, base.rotation));
        snw_vec3 way = snw_quat_unrotate(base.rotation, c->s->to[0]);
        if (count == 1 && joint->type == SNW_JOINT_BALL && snw_vec3_length(way) > 0)
            pose->rotation[j] = snw__ik_swivel_inside(joint, rotation, snw_vec3_unit(way, way));
        else
            pose->rotation[j] = snw_joint_limit_apply(joint, rotation);
    }
    if (snw__joint_slides(joint)) {
        snw_vec3 gap = snw_quat_unrotate(base.rotation, mean_gap(c, carries));
        pose->slide[j] = snw_joint_limit_apply_slide(joint, snw_vec3_add(pose->slide[j], gap));
    }
    snw_xform after = snw_xform_mul(base, snw_xform_make(pose->rotation[j], pose->slide[j]));
    carry_effectors(c, carries, snw_xform_mul(after, snw_xform_inverse(before)));
}

static void move_joint(ccd_solve_context *c, int j)
{
    c->turn_second = true;
    if (snw__joint_row_of(&c->ik->joint[j])->turns_by_parts) visit_joint(c, j);
    c->turn_second = false;
    visit_joint(c, j);
}

/* ---- sweeps --------------------------------------------------------------------------------- */

/* A free root takes the rigid motion that fits all points to their targets best. */
static void move_root(const ccd_solve_context *c)
{
    ccd_state *s = c->s;
    snw_fit fit;
    int count = 0;
    for (int i = 0; i < c->s->effector_count - 2 * c->ik->skeleton->pin_count; i++) {
        if (s->effector[i].is_turn) continue;
        s->from[count] = s->effector[i].now[0];
        s->to[count] = s->effector[i].to[0];
        s->weight[count++] = s->effector[i].weight;
    }
    if (count == 0 || snw_fit_rigid(s->from, s->to, s->weight, count, &fit) != SNW_OK) return;
    c->pose->root = snw_xform_mul(fit.to_from, c->pose->root);
    c->pose->root.rotation = snw_quat_normalize(c->pose->root.rotation);
    snw_pose_forward(c->pose);
    aim_effectors(c);
}

static void sweep(ccd_solve_context *c)
{
    aim_effectors(c);
    if (c->ik->options.root == SNW_IK_ROOT_FREE) move_root(c);
    for (int i = 0; i < c->s->joint_count; i++)
        move_joint(c, c->s->joint[i]);
    snw_pose_forward(c->pose);
}

void snw__ccd_sweep_outwards(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ccd_solve_context c = {ik, state, goals, pose, false};
    aim_effectors(&c);
    for (int i = c.s->joint_count - 1; i >= 0; i--) {
        move_joint(&c, c.s->joint[i]);
        snw_pose_forward_from(pose, c.s->joint[i]);
    }
}

void snw__ccd_turn(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose, int joint)
{
    ccd_solve_context c = {ik, state, goals, pose, false};
    aim_effectors(&c);
    move_joint(&c, joint);
    snw_pose_forward_from(pose, joint);
}

static void keep_best(const ccd_solve_context *c)
{
    size_t n = (size_t)c->ik->skeleton->joint_count;
    c->s->best_root = c->pose->root;
    memcpy(c->s->best_rotation, c->pose->rotation, n * sizeof *c->s->best_rotation);
    memcpy(c->s->best_slide, c->pose->slide, n * sizeof *c->s->best_slide);
}

static void return_to_best(const ccd_solve_context *c)
{
    size_t n = (size_t)c->ik->skeleton->joint_count;
    c->pose->root = c->s->best_root;
    memcpy(c->pose->rotation, c->s->best_rotation, n * sizeof *c->s->best_rotation);
    memcpy(c->pose->slide, c->s->best_slide, n * sizeof *c->s->best_slide);
}

/* Turns every joint by a random rotation of up to `angle`, inside its limits. */
static void shake(const ccd_solve_context *c, snw_random *random, double angle)
{
    return_to_best(c);
    for (int i = 0; i < c->s->joint_count; i++) {
        int j = c->s->joint[i];
        snw_vec3 axis = snw_random_direction(random);
        double amount = snw_random_range(random, -angle, angle);
        snw_quat turned =
            snw_quat_mul(c->pose->rotation[j], snw_quat_from_axis_angle(axis, amount));
        c->pose->rotation[j] = snw_joint_limit_apply(&c->ik->joint[j], turned);
        snw_vec3 slide = snw_vec3_add_scaled(c->pose->slide[j], amount * 0.1 * c->ik->size, axis);
        c->pose->slide[j] = snw_joint_limit_apply_slide(&c->ik->joint[j], slide);
    }
    snw_pose_forward(c->pose);
}

static snw__ik_report ccd_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                snw_pose *pose)
{
    ccd_solve_context c = {ik, state, goals, pose, false};
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = SNW_IK_CCD};
    snw_random random = snw_random_seed(ik->options.seed, 3);
    double best = HUGE_VAL, mark = HUGE_VAL, angle = 0.8;
    int waited = 0, shakes = 0;
    keep_best(&c); /* also where no excess is below infinity */
    for (;; report.iterations++) {
        double excess = snw__ik_excess(ik, goals, pose);
        if (excess < best) {
            keep_best(&c);
            best = excess;
        }
        if (excess <= 1) return report;
        waited = excess < 0.98 * mark ? 0 : waited + 1;
        if (waited == 0) mark = excess;
        report.outcome = SNW_IK_OUT_OF_ITERATIONS;
        if (report.iterations >= ik->options.iteration_max) break;
        report.outcome = SNW_IK_STALLED;
        if (waited > SNW__IK_WINDOW) {
            if (shakes++ == SNW__IK_SCATTER || snw__ik_is_out_of_reach(ik, goals, pose)) break;
            shake(&c, &random, angle);
            angle *= 0.7;
            waited = 0;
            mark = HUGE_VAL;
        }
        sweep(&c);
    }
    return_to_best(&c);
    return report;
}

const snw__ik_method snw__ik_ccd = {
    .solver = SNW_IK_CCD, .check = ccd_check, .layout = ccd_layout, .solve = ccd_solve};

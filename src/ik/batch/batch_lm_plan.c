/* What the general kernel of the batch needs to know of a body and its goals: see batch_lm.h. */
#include "ik/batch/batch_lm.h"

#include <float.h>
#include <string.h>

#include "base/elementary.h"
#include "ik/batch/batch.h"
#include "ik/batch/batch_kernel.h"

/* Rows beyond which the dense system of the kernel costs more than the scalar tree. */
enum {
    BATCH_LM_ROWS_MAX = 48
};
/* Cones flatter than this are hinges in disguise; floats cannot walk along them. Radians. */
#define BATCH_LM_FLAT 1e-3

bool snw__batch_lm_fits(const snw_ik *ik)
{
    int rows = 0;
    const snw_ik_options *o = &ik->options;
    if (!snw__batch_has_kernel() || ik->goal_count == 0 || ik->skeleton->pin_count > 0 ||
        ik->skeleton->follower_count > 0 || ik->has_control || ik->has_rest || ik->prior)
        return false;
    if ((o->solver != SNW_IK_AUTO && o->solver != SNW_IK_LM) || o->root != SNW_IK_ROOT_FIXED ||
        o->posture != SNW_IK_POSTURE_ALL || o->prefer != SNW_IK_PREFER_NOTHING ||
        o->turn_max < INFINITY || o->tolerance < SNW__BATCH_FINEST ||
        o->turn_tolerance < SNW__BATCH_FINEST)
        return false;
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        bool has_mover = false;
        if (!snw__goal_is_rigid(goal) && !snw__goal_row_of(goal)->has_aim) return false;
        rows += snw__goal_row_of(goal)->rows.offset + snw__goal_row_of(goal)->rows.turn;
        for (int j = goal->joint; j >= 0; j = ik->skeleton->parent[j]) {
            const snw_joint *joint = &ik->joint[j];
            snw_swing_limit swing =
                joint->type == SNW_JOINT_BALL ? joint->limit.swing : SNW_SWING_FREE;
            if (joint->type == SNW_JOINT_FREE || swing == SNW_SWING_POLYGON) return false;
            for (int k = 0; swing == SNW_SWING_CONE && k < 4; k++)
                if (joint->limit.cone[k] < BATCH_LM_FLAT) return false;
            has_mover |= snw_joint_type_dof(joint->type) > 0;
        }
        if (!has_mover) return false;
    }
    return rows <= BATCH_LM_ROWS_MAX;
}

/* ---- joints --------------------------------------------------------------------------------- */

static void put3(float to[3], snw_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void put_range(snw__batch_lm_coordinate *coordinate, bool has_range, const double range[2])
{
    coordinate->low = has_range ? (float)range[0] : -SNW__BATCH_LM_FAR;
    coordinate->high = has_range ? (float)range[1] : SNW__BATCH_LM_FAR;
}

/* What the kernels make of a joint; the other types do not move. */
static const snw__batch_lm_kind batch_lm_kinds[SNW_JOINT_TYPE_COUNT] = {
    [SNW_JOINT_HINGE] = SNW__BATCH_LM_HINGE,         [SNW_JOINT_PIVOT] = SNW__BATCH_LM_HINGE,
    [SNW_JOINT_UNIVERSAL] = SNW__BATCH_LM_UNIVERSAL, [SNW_JOINT_PRISMATIC] = SNW__BATCH_LM_SLIDE,
    [SNW_JOINT_BALL] = SNW__BATCH_LM_BALL,
};

/* Index of a joint in the list, or -1. */
static int slot_of(const snw__batch_lm_plan *plan, int joint)
{
    for (int k = 0; k < plan->joint_count; k++)
        if (plan->joint[k].joint == joint) return k;
    return -1;
}

static void add_joint(snw__batch_lm_plan *plan, const snw_ik *ik, int j)
{
    const snw_joint *joint = &ik->joint[j];
    const snw_skeleton *skeleton = ik->skeleton;
    snw__batch_lm_joint *to = &plan->joint[plan->joint_count];
    *to = (snw__batch_lm_joint){.joint = j,
                                .parent = slot_of(plan, skeleton->parent[j]),
                                .kind = batch_lm_kinds[joint->type],
                                .first = plan->coordinate_count,
                                .count = snw_joint_type_dof(joint->type),
                                .is_turned = !skeleton->rest_is_unrotated[j]};
    if (to->kind == SNW__BATCH_LM_BALL && joint->limit.swing == SNW_SWING_FREE &&
        !joint->limit.has_twist)
        to->kind = SNW__BATCH_LM_FREE_BALL;
    snw_quat r = skeleton->rest[j].rotation;
    const float rotation[4] = {(float)r.w, (float)r.x, (float)r.y, (float)r.z};
    memcpy(to->rest_rotation, rotation, sizeof rotation);
    put3(to->rest_place, skeleton->rest[j].translation);
    /* A ball without a swing limit may have any second axis: the plane needs one across. */
    snw_vec3 axis2 = joint->axis2;
    if (to->kind == SNW__BATCH_LM_BALL && joint->limit.swing == SNW_SWING_FREE)
        axis2 = snw_vec3_perpendicular(joint->axis);
    put3(to->axis, joint->axis);
    put3(to->axis2, axis2);
    put3(to->side, snw_vec3_cross(joint->axis, axis2));
    to->has_cone = joint->type == SNW_JOINT_BALL && joint->limit.swing == SNW_SWING_CONE;
    for (int k = 0; k < 4; k++)
        to->cone[k] = (float)joint->limit.cone[k];
    snw__batch_lm_coordinate *c = &plan->coordinate[to->first];
    for (int k = 0; k < to->count; k++) {
        c[k].is_slide = to->kind == SNW__BATCH_LM_SLIDE;
        c[k].unit = c[k].is_slide ? (float)ik->size : 1;
        c[k].cone = to->has_cone && k < 2 ? k + 1 : 0;
        put_range(&c[k], false, NULL);
        if (to->kind == SNW__BATCH_LM_BALL) {
            double most = to->has_cone
                              ? fmax(joint->limit.cone[k % 2], joint->limit.cone[k % 2 + 2])
                              : SNW__BATCH_LM_SWING_MAX;
            const double swing[2] = {-most, most};
            put_range(&c[k], k < 2 || joint->limit.has_twist, k < 2 ? swing : joint->limit.twist);
        } else if (to->kind != SNW__BATCH_LM_FREE_BALL) {
            const double *range = joint->limit.range[k];
            bool is_round = to->kind != SNW__BATCH_LM_SLIDE && range[1] - range[0] >= 2 * SNW_PI;
            put_range(&c[k], joint->limit.has_range[k] && !is_round, range);
        }
    }
    plan->coordinate_count += to->count;
    plan->joint_count++;
}

static bool is_above_a_goal(const snw_ik *ik, int joint)
{
    for (int g = 0; g < ik->goal_count; g++)
        for (int j = ik->goal[g].joint; j >= joint; j = ik->skeleton->parent[j])
            if (j == joint) return true;
    return false;
}

/* ---- goals ---------------------------------------------------------------------------------- */

static void put_goals(snw__batch_lm_plan *plan, const snw_ik *ik)
{
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        snw__batch_lm_goal *to = &plan->goal[g];
        *to = (snw__batch_lm_goal){.slot = slot_of(plan, goal->joint),
                                   .has_place = snw__goal_row_of(goal)->rows.offset > 0,
                                   .has_frame = snw__goal_row_of(goal)->has_frame,
                                   .has_aim = snw__goal_row_of(goal)->has_aim,
                                   .row_first = plan->row_count,
                                   .path_first = plan->path_total,
                                   .block_first = plan->block_total};
        to->row_count = 3 * (to->has_place + (to->has_frame || to->has_aim));
        put3(to->point, goal->point);
        if (to->has_aim)
            put3(to->direction, snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1)));
        /* Coordinates above its joint, root first. */
        int *path = plan->path + plan->path_total;
        int count = 0, at;
        for (int s = to->slot; s >= 0; s = plan->joint[s].parent)
            count += plan->joint[s].count;
        at = count;
        for (int s = to->slot; s >= 0; s = plan->joint[s].parent)
            for (int k = plan->joint[s].count - 1; k >= 0; k--)
                path[--at] = plan->joint[s].first + k;
        to->path_count = count;
        plan->path_total += to->path_count;
        plan->row_count += to->row_count;
        plan->block_total += to->row_count * to->path_count;
    }
    plan->goal_count = ik->goal_count;
    for (int g = 0; g < plan->goal_count; g++)
        for (int h = 0; h < plan->goal_count; h++) {
            const int *a = plan->path + plan->goal[g].path_first;
            const int *b = plan->path + plan->goal[h].path_first;
            int count = 0;
            while (count < plan->goal[g].path_count && count < plan->goal[h].path_count &&
                   a[count] == b[count])
                count++;
            plan->shared[g * plan->goal_count + h] = count;
        }
}

/* Radians by which the joint may be turned about any axis from rest, where it is inside its limits,
 * without leaving them: neither the swing nor the twist of a rotation is larger than its angle. */
static float sure_turn(const snw_joint *joint)
{
    double least = FLT_MIN; /* rest itself */
    if (joint->type != SNW_JOINT_BALL || joint->limit.swing == SNW_SWING_POLYGON)
        return (float)least;
    least = SNW__BATCH_LM_SWING_MAX;
    for (int k = 0; k < 4 && joint->limit.swing == SNW_SWING_CONE; k++)
        least = fmin(least, joint->limit.cone[k]);
    for (int k = 0; k < 2 && joint->limit.has_twist; k++)
        least = fmin(least, fabs(joint->limit.twist[k]));
    return (float)(0.999 * least);
}

/* Joints that no goal moves, and where limbs begin: all above an anchor is fixed. */
static void put_others(snw__batch_lm_plan *plan, const snw_ik *ik)
{
    for (int n = 0; n < ik->limited_count; n++) {
        int j = ik->limited[n];
        const snw_joint *joint = &ik->joint[j];
        if (is_above_a_goal(ik, j) && snw_joint_type_dof(joint->type) > 0) continue;
        snw_quat q = snw_joint_limit_apply(joint, snw_quat_identity());
        snw_vec3 s = snw_joint_limit_apply_slide(joint, snw_vec3_make(0, 0, 0));
        plan->rest[plan->rest_count] = j;
        bool is_inside = q.w == 1 && snw_vec3_length2(s) == 0;
        plan->sure[plan->rest_count++] = is_inside ? sure_turn(joint) : 0;
    }
    for (int g = 0; g < ik->goal_count; g++) {
        snw_vec3 place = snw_vec3_make(0, 0, 0);
        for (int j = ik->reach[g].anchor; j >= 0; j = ik->skeleton->parent[j])
            place = snw_xform_point(ik->skeleton->rest[j], place);
        plan->anchor[g] = place;
    }
}

/* ---- fresh starts --------------------------------------------------------------------------- */

static void put_scatter(const snw__batch_lm_plan *plan, uint64_t seed)
{
    snw_random random = snw_random_seed(seed, 3);
    for (int s = 0; s < plan->scatter_count; s++)
        for (int k = 0; k < plan->joint_count; k++) {
            /* Anywhere inside the limits. */
            const snw__batch_lm_joint *joint = &plan->joint[k];
            float *value = plan->scatter + (size_t)s * (size_t)plan->coordinate_count;
            float *turn =
                plan->scatter_turn + ((size_t)s * (size_t)plan->joint_count + (size_t)k) * 4;
            for (int i = 0; i < joint->count; i++) {
                const snw__batch_lm_coordinate *c = &plan->coordinate[joint->first + i];
                double widest = joint->kind == SNW__BATCH_LM_SLIDE ? 0.5 * plan->size : SNW_PI;
                double low = c->low > -SNW__BATCH_LM_FAR ? c->low : -widest;
                double high = c->high < SNW__BATCH_LM_FAR ? c->high : widest;
                value[joint->first + i] = (float)snw_random_range(&random, low, high);
            }
            if (joint->kind == SNW__BATCH_LM_BALL) {
                double angle = snw_random_range(&random, 0, 2 * SNW_PI);
                double radius = sqrt(snw_random_unit(&random)), x = snw__cos(angle),
                       y = snw__sin(angle);
                x *= radius *
                     (joint->has_cone ? joint->cone[x >= 0 ? 0 : 2] : SNW__BATCH_LM_SWING_MAX);
                y *= radius *
                     (joint->has_cone ? joint->cone[y >= 0 ? 1 : 3] : SNW__BATCH_LM_SWING_MAX);
                value[joint->first] = (float)x;
                value[joint->first + 1] = (float)y;
            }
            snw_quat q = snw_random_rotation(&random);
            const float rotation[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
            memcpy(turn, rotation, sizeof rotation);
        }
}

/* ---- all ------------------------------------------------------------------------------------ */

void snw__batch_lm_plan_layout(snw__batch_lm_plan *plan, const snw_ik *ik, int start_count,
                               int scatter_count, snw__block *block)
{
    size_t joints = 0, coordinates = 0, goals = (size_t)ik->goal_count, rows = 6 * goals;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        if (!is_above_a_goal(ik, j)) continue;
        joints++;
        coordinates += (size_t)snw_joint_type_dof(ik->joint[j].type);
    }
    snw__batch_lm_plan p = {.size = (float)ik->size,
                            .tolerance = (float)(ik->options.tolerance * ik->size),
                            .turn_tolerance = (float)ik->options.turn_tolerance,
                            .iteration_max = ik->options.iteration_max,
                            .start_count = start_count,
                            .scatter_count = scatter_count};
    p.joint = snw__block_take(block, joints, sizeof *p.joint);
    p.coordinate = snw__block_take(block, coordinates, sizeof *p.coordinate);
    p.goal = snw__block_take(block, goals, sizeof *p.goal);
    p.path = snw__block_take(block, goals * coordinates, sizeof *p.path);
    p.shared = snw__block_take(block, goals * goals, sizeof *p.shared);
    p.scatter = snw__block_take(block, (size_t)scatter_count * coordinates, sizeof *p.scatter);
    p.scatter_turn =
        snw__block_take(block, (size_t)scatter_count * joints * 4, sizeof *p.scatter_turn);
    size_t others = (size_t)ik->limited_count;
    p.rest = snw__block_take(block, others, sizeof *p.rest);
    p.sure = snw__block_take(block, others, sizeof *p.sure);
    p.anchor = snw__block_take(block, goals, sizeof *p.anchor);
    p.row_room = (int)rows;
    p.block_room = (int)(rows * coordinates);
    if (block->base == NULL) {
        p.joint_count = (int)joints;
        p.coordinate_count = (int)coordinates;
        p.goal_count = ik->goal_count;
        *plan = p;
        return;
    }
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        if (is_above_a_goal(ik, j)) add_joint(&p, ik, j);
    put_goals(&p, ik);
    put_others(&p, ik);
    put_scatter(&p, ik->options.seed);
    *plan = p;
}

/* Reduction of a skeleton to the bones that position goals pull on; see bones.h. */
#include "ik/core/bones.h"

#include "base/fail.h"

int snw__bones_carrier(const snw_skeleton *skeleton, int joint, snw_vec3 *point)
{
    for (; joint >= 0; joint = skeleton->parent[joint]) {
        const snw__joint_row *row = snw__joint_row_of(&skeleton->joint[joint]);
        bool has_lever = snw_vec3_length(*point) > SNW__ROUND_OFF * skeleton->size;
        if (row->slide_count > 0 || (row->dof > 0 && has_lever)) break;
        *point = snw_xform_point(skeleton->rest[joint], *point);
    }
    return joint;
}

/* The carrier of the carrier's own place. */
static int carrier_above(const snw_skeleton *skeleton, int joint, snw_vec3 *point)
{
    *point = skeleton->rest[joint].translation;
    return snw__bones_carrier(skeleton, skeleton->parent[joint], point);
}

static bool joint_has_limits(const snw_ik *ik, int joint)
{
    const snw_joint_limit *limit = &ik->skeleton->joint[joint].limit;
    return ik->options.use_limits && (limit->swing != SNW_SWING_FREE || limit->has_twist);
}

/* The point that `joint` carries for any of the goals; false when none does. `is_single` turns
 * false when there are two that differ. */
static bool carried_point(const snw_ik *ik, int joint, snw_vec3 *carried, bool *is_single)
{
    bool found = false;
    *is_single = true;
    for (int g = 0; g < ik->goal_count; g++) {
        if (snw__goal_is_secondary(&ik->goal[g])) continue;
        snw_vec3 point = ik->goal[g].point;
        int carrier = snw__bones_carrier(ik->skeleton, ik->goal[g].joint, &point);
        while (carrier > joint)
            carrier = carrier_above(ik->skeleton, carrier, &point);
        if (carrier != joint) continue;
        if (!found)
            *carried = point;
        else if (snw_vec3_distance(*carried, point) > 1e-12 * ik->skeleton->size)
            *is_single = false;
        found = true;
    }
    return found;
}

int snw__bones_goal_count(const snw_ik *ik)
{
    int count = 0;
    for (int g = 0; g < ik->goal_count; g++)
        count += !snw__goal_is_secondary(&ik->goal[g]);
    return count;
}

static snw_status check_goals(const snw_ik *ik, snw_error *error)
{
    const char *method = snw_ik_solver_name(ik->options.solver);
    if (snw__bones_goal_count(ik) == 0)
        return snw__fail(error, SNW_UNSUPPORTED, "%s needs at least one position goal", method);
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (snw__goal_is_secondary(goal)) continue; /* looked after by the solve around */
        if (!snw__goal_is_point(goal))
            return snw__fail(error, SNW_UNSUPPORTED, "%s serves position goals only, goal %d is %s",
                             method, g, snw_goal_kind_name(goal->kind));
        snw_vec3 point = goal->point;
        int carrier = snw__bones_carrier(ik->skeleton, goal->joint, &point);
        if (carrier < 0)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "%s cannot serve goal %d: no joint moves its point", method, g);
        for (int h = 0; h < g; h++) {
            if (snw__goal_is_secondary(&ik->goal[h])) continue;
            snw_vec3 other = ik->goal[h].point;
            if (snw__bones_carrier(ik->skeleton, ik->goal[h].joint, &other) == carrier)
                return snw__fail(error, SNW_UNSUPPORTED, "%s: goals %d and %d pull on one bone",
                                 method, h, g);
        }
    }
    return SNW_OK;
}

snw_status snw__bones_check(const snw_ik *ik, bool with_limits, snw_error *error)
{
    const char *method = snw_ik_solver_name(ik->options.solver);
    snw_status status = check_goals(ik, error);
    if (status != SNW_OK) return status;
    if (ik->options.root == SNW_IK_ROOT_FREE)
        return snw__fail(error, SNW_UNSUPPORTED, "%s keeps the root fixed", method);
    if (ik->skeleton->pin_count > 0)
        return snw__fail(error, SNW_UNSUPPORTED, "%s does not close loops (the body has pins)",
                         method);
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        snw_vec3 point;
        bool is_single;
        if (!carried_point(ik, j, &point, &is_single)) continue;
        if (ik->skeleton->joint[j].type != SNW_JOINT_BALL)
            return snw__fail(
                error, SNW_UNSUPPORTED, "%s turns ball joints only, joint %s is a %s joint", method,
                ik->skeleton->name[j], snw_joint_type_name(ik->skeleton->joint[j].type));
        if (!with_limits && joint_has_limits(ik, j))
            return snw__fail(error, SNW_UNSUPPORTED,
                             "%s does not serve limits, and joint %s has some", method,
                             ik->skeleton->name[j]);
        if (!is_single)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "%s needs one bone per joint, joint %s carries several", method,
                             ik->skeleton->name[j]);
    }
    return SNW_OK;
}

static void fill_bones(snw__bones *bones, const snw_ik *ik)
{
    int count = 0;
    bones->length_sum = 0;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        snw_vec3 point;
        bool is_single;
        if (!carried_point(ik, j, &point, &is_single)) continue;
        int bone = count++;
        bones->joint[bone] = j;
        bones->goal[bone] = -1;
        bones->is_limited[bone] = joint_has_limits(ik, j);
        bones->has_limits |= bones->is_limited[bone];
        bones->child_count[bone] = 0;
        bones->length[bone] = snw_vec3_length(point);
        bones->along[bone] = snw_vec3_unit(point, snw_vec3_make(1, 0, 0));
        snw_vec3 place;
        int above = carrier_above(ik->skeleton, j, &place);
        bones->parent[bone] = -1;
        for (int b = 0; b < bone; b++)
            if (bones->joint[b] == above) bones->parent[bone] = b;
        if (bones->parent[bone] >= 0) bones->child_count[bones->parent[bone]]++;
        bones->length_sum += bones->length[bone];
    }
    for (int g = 0; g < ik->goal_count; g++) {
        if (snw__goal_is_secondary(&ik->goal[g])) continue;
        snw_vec3 point = ik->goal[g].point;
        int carrier = snw__bones_carrier(ik->skeleton, ik->goal[g].joint, &point);
        for (int b = 0; b < count; b++)
            if (bones->joint[b] == carrier) bones->goal[b] = g;
    }
    bones->bone_count = count;
    bones->is_chain = snw__bones_goal_count(ik) == 1;
}

void snw__bones_layout(snw__bones *bones, const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    snw__bones b = {0};
    b.joint = snw__block_take(block, n, sizeof *b.joint);
    b.parent = snw__block_take(block, n, sizeof *b.parent);
    b.child_count = snw__block_take(block, n, sizeof *b.child_count);
    b.goal = snw__block_take(block, n, sizeof *b.goal);
    b.is_limited = snw__block_take(block, n, sizeof *b.is_limited);
    b.length = snw__block_take(block, n, sizeof *b.length);
    b.along = snw__block_take(block, n, sizeof *b.along);
    if (block->base == NULL) return;
    fill_bones(&b, ik);
    *bones = b;
}

void snw__bones_directions(const snw__bones *bones, const snw_pose *pose, snw_vec3 *direction)
{
    for (int b = 0; b < bones->bone_count; b++)
        direction[b] = snw_quat_rotate(pose->world[bones->joint[b]].rotation, bones->along[b]);
}

/* Smallest rotation between unit vectors by half angles: (1 + cos, cross) made unit needs one
 * square root and no angle. The general one copes with half a turn. */
static snw_quat smallest_turn(snw_vec3 from, snw_vec3 to)
{
    double w = 1.0 + snw_vec3_dot(from, to);
    if (w < 1e-6) return snw_quat_between(from, to);
    snw_vec3 v = snw_vec3_cross(from, to);
    double s = 1.0 / sqrt(w * w + snw_vec3_length2(v));
    return snw_quat_make(w * s, v.x * s, v.y * s, v.z * s);
}

/* World transform of a joint whose frame before its own rotation is `base`. A function of its own:
 * written out in the loop below it costs that a twentieth more. */
static snw_xform turned_world(const snw_pose *pose, int joint, snw_xform parent, snw_quat base)
{
    const snw_skeleton *skeleton = pose->skeleton;
    snw_vec3 place = skeleton->rest[joint].translation, slide = pose->slide[joint];
    if (slide.x != 0 || slide.y != 0 || slide.z != 0)
        place = snw_xform_point(skeleton->rest[joint], slide);
    return snw_xform_make(snw_quat_mul(base, pose->rotation[joint]),
                          snw_xform_point(parent, place));
}

void snw__bones_turn(const snw_ik *ik, const snw__bones *bones, const snw_vec3 *direction,
                     snw_pose *pose)
{
    const snw_skeleton *skeleton = pose->skeleton;
    int bone = 0, next = bones->joint[0];
    for (int j = next; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        snw_xform above = parent < 0 ? pose->root : pose->world[parent];
        snw_quat base = above.rotation;
        if (!skeleton->rest_is_unrotated[j]) base = snw_quat_mul(base, skeleton->rest[j].rotation);
        if (j == next) {
            snw_vec3 before = snw_quat_rotate(pose->rotation[j], bones->along[bone]);
            snw_vec3 after = snw_quat_unrotate(base, direction[bone]);
            /* One Newton step to unit length, enough for a product of two unit quaternions, so that
             * round-off does not pile up over a million warm starts. */
            snw_quat q = snw_quat_mul(smallest_turn(before, after), pose->rotation[j]);
            double s = 1.5 - 0.5 * snw_quat_dot(q, q);
            pose->rotation[j] = snw_quat_make(q.w * s, q.x * s, q.y * s, q.z * s);
            if (bones->is_limited[bone])
                pose->rotation[j] = snw_joint_limit_apply(&ik->joint[j], pose->rotation[j]);
            next = ++bone < bones->bone_count ? bones->joint[bone] : -1;
        }
        pose->world[j] = turned_world(pose, j, above, base);
    }
}

/* Small bodies with any joints and limits, and goals on them: for the targets that reach. */
#ifndef SNW_FUZZ_BODIES_H
#define SNW_FUZZ_BODIES_H

#include "fuzz_numbers.h"

enum {
    JOINTS_MAX = 6,
    GOALS_MAX = 3
};

static snw_skeleton *make_body(fuzz_bytes *bytes)
{
    static const char *const names[JOINTS_MAX] = {"a", "b", "c", "d", "e", "f"};
    snw_joint_def defs[JOINTS_MAX];
    int count = 1 + fuzz_below(bytes, JOINTS_MAX);
    for (int j = 0; j < count; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j ? fuzz_below(bytes, j) : -1;
        defs[j].joint.type = (snw_joint_type)fuzz_below(bytes, 8);
        if (fuzz_byte(bytes) & 1) fuzz_limit(bytes, &defs[j].joint.limit);
        defs[j].rest.translation = fuzz_vector(bytes);
        defs[j].mass = j % 2;
        defs[j].has_tip = fuzz_byte(bytes) & 1;
        defs[j].tip = defs[j].has_tip ? fuzz_vector(bytes) : snw_vec3_make(0, 0, 0);
    }
    snw_pin pin = {0, 0, {0, 0, 0}, {0, 0, 0}};
    int pins = fuzz_below(bytes, 8) == 7;
    if (pins) {
        pin.joint_a = fuzz_below(bytes, count);
        pin.joint_b = fuzz_below(bytes, count + 1) - 1;
        pin.point_a = fuzz_vector(bytes);
        pin.point_b = fuzz_vector(bytes);
    }
    if (count > 1 && fuzz_below(bytes, 8) == 7) {
        snw_follow follow = {true, fuzz_below(bytes, count), fuzz_number(bytes),
                             fuzz_number(bytes)};
        defs[fuzz_below(bytes, count)].follow = follow;
    }
    snw_skeleton *body = NULL;
    snw_error error;
    if (snw_skeleton_create_pinned(&(snw_skeleton_def){defs, count, &pin, pins}, NULL, &body,
                                   &error) != SNW_OK &&
        !error.message[0])
        abort();
    return body;
}

static snw_goal make_goal(fuzz_bytes *bytes, int joint_count)
{
    int joint = fuzz_below(bytes, joint_count);
    static const snw_shape limb = {
        .point_count = 2, .own = {{0, 0, 0}, {0, 0.3, 0}}, .radius = 0.1};
    static const snw_shape crate = {.point_count = 4,
                                    .own = {{0, 0, 0}, {0.4, 0, 0}, {0, 0.4, 0.1}, {0, 0, 0.4}}};
    snw_vec3 place = fuzz_vector(bytes), none = {0, 0, 0}, up = {0, 1, 0};
    snw_goal goals[SNW_GOAL_KIND_COUNT + 1] = {
        snw_goal_position(joint, none, place),
        snw_goal_orientation(joint, snw_quat_identity()),
        snw_goal_pose(joint, none, place, snw_quat_identity()),
        snw_goal_aim(joint, none, up, place),
        snw_goal_pole(joint, 0, joint, place),
        snw_goal_line(joint, none, place, up),
        snw_goal_plane(joint, none, place, up),
        snw_goal_side(joint, none, place, up),
        snw_goal_value(joint, 0, 0),
        snw_goal_rest(joint),
        snw_goal_apart(joint, &limb, -1, &crate, 0.05),
        snw_goal_axes(joint, snw_quat_identity(), snw_vec3_make(1, 0.5, 0))};
    int kind = fuzz_below(bytes, SNW_GOAL_KIND_COUNT + 1);
    snw_goal goal = goals[kind];
    goal.kind = (snw_goal_kind)kind;
    unsigned more = fuzz_byte(bytes);
    if (more & 1) goal.point = fuzz_vector(bytes);
    if (more & 2) goal.orientation = snw_quat_exp(fuzz_vector(bytes));
    if (more & 4) goal.direction = fuzz_vector(bytes);
    if (more & 8) goal.weight = fabs(fuzz_number(bytes));
    if (more & 16) goal.turn_weight = fabs(fuzz_number(bytes));
    goal.coordinate = fuzz_below(bytes, 4);
    goal.value = more & 32 ? fuzz_number(bytes) : 0;
    goal.chain_root = fuzz_below(bytes, joint_count);
    goal.chain_tip = fuzz_below(bytes, joint_count);
    goal.priority = more & 64 ? fuzz_below(bytes, 3) : 0;
    return goal;
}

/* Some goals on a body; returns how many. */
static int make_goals(fuzz_bytes *bytes, int joint_count, snw_goal goals[GOALS_MAX])
{
    int count = 1 + fuzz_below(bytes, GOALS_MAX);
    for (int g = 0; g < count; g++)
        goals[g] = make_goal(bytes, joint_count);
    return count;
}

#endif

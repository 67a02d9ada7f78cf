/* Feet, gaze and blends over an animation: see sinew/ik_character.h. The legs are solved by the
 * goals that every reach uses: a pose of each ankle, and the side of the ground for toes; the
 * pelvis is moved before, so that legs need not be longer than they are. */
#include <sinew/ik_character.h>
#include <sinew/rig.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "ik/core/goal_kinds.h"

struct snw_feet {
    snw_feet_options options;
    const snw_skeleton *skeleton;
    snw_ik *ik;
    int goal_count;
    snw_goal goal[2 * SNW_FOOT_MAX]; /* ankles, then toes */
    int toes_of[SNW_FOOT_MAX];       /* (foot_count) its goal, or -1 */
    double lift[SNW_FOOT_MAX];       /* (foot_count) of the ground under it, as followed so far */
    snw_allocator allocator;
};

snw_feet_options snw_feet_options_default(void)
{
    return (snw_feet_options){.up = {0, 1, 0}, .drop_max = 0.5, .settle = 0.1};
}

/* ---- creating ------------------------------------------------------------------------------- */

static snw_status find_feet(const snw_skeleton *skeleton, snw_feet_options *options,
                            snw_error *error)
{
    static const snw_part part[4] = {SNW_PART_UPLEG, SNW_PART_LEG, SNW_PART_FOOT, SNW_PART_TOE};
    static const char *const what[3] = {"hip", "knee", "ankle"};
    int joint[2][4] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}};
    if (options->foot_count > 0) return SNW_OK;
    for (int j = skeleton->joint_count - 1; j >= 0; j--) { /* the first of a part stays */
        snw_side side = SNW_SIDE_NONE;
        snw_part moved = snw_rig_part_of(skeleton, j, &side);
        for (int k = 0; k < 4 && side != SNW_SIDE_NONE; k++)
            if (moved == part[k]) joint[side][k] = j;
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++)
            if (joint[side][k] < 0)
                return snw__fail(error, SNW_UNSUPPORTED,
                                 "no joint is called as a %s %s is: say which its legs are",
                                 side == SNW_SIDE_LEFT ? "left" : "right", what[k]);
        options->foot[side] =
            (snw_foot){joint[side][0], joint[side][1], joint[side][2], joint[side][3]};
    }
    options->foot_count = 2;
    return SNW_OK;
}

static snw_status check_feet(const snw_skeleton *skeleton, const snw_feet_options *options,
                             snw_error *error)
{
    int n = skeleton->joint_count;
    if (options->foot_count > SNW_FOOT_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a body of %d feet: %d are grounded",
                         options->foot_count, SNW_FOOT_MAX);
    for (int k = 0; k < options->foot_count; k++) {
        const snw_foot *foot = &options->foot[k];
        bool is_leg = foot->hip >= 0 && foot->hip < foot->knee && foot->knee < foot->ankle &&
                      foot->ankle < n && foot->toes < n;
        if (!is_leg)
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "foot %d: hip, knee and ankle are not joints one below another", k);
    }
    double length = snw_vec3_length(options->up);
    if (!(fabs(length - 1) < SNW__SINGLE) || !isfinite(options->floor) ||
        !(options->drop_max >= 0) || !(options->settle >= 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "feet: up must be a unit vector, floor finite, drop_max and settle 0 or "
                         "more");
    return SNW_OK;
}

/* Ankles keep what they are asked; nothing above the hips helps. */
static snw_status plan_legs(snw_feet *feet, snw_error *error)
{
    const snw_feet_options *options = &feet->options;
    snw_ik_options ik = snw_ik_options_default();
    double stiffness[SNW_JOINT_MAX];
    for (int j = 0; j < feet->skeleton->joint_count; j++)
        stiffness[j] = INFINITY;
    for (int k = 0; k < options->foot_count; k++) {
        const snw_foot *foot = &options->foot[k];
        for (int j = foot->ankle; j >= foot->hip && j >= 0; j = feet->skeleton->parent[j])
            stiffness[j] = 1;
        feet->goal[k] = snw_goal_pose(foot->ankle, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0),
                                      snw_quat_identity());
        /* Where an ankle cannot take the slope the foot still stands. */
        feet->goal[k].turn_weight *= feet->goal[k].turn_weight;
        feet->toes_of[k] = -1;
    }
    feet->goal_count = options->foot_count;
    for (int k = 0; k < options->foot_count; k++) {
        int toes = options->foot[k].toes;
        if (toes < 0 || !feet->skeleton->has_tip[toes]) continue;
        stiffness[toes] = 1;
        feet->toes_of[k] = feet->goal_count;
        feet->goal[feet->goal_count++] =
            snw_goal_side(toes, feet->skeleton->tip[toes], snw_vec3_make(0, 0, 0), options->up);
    }
    ik.stiffness = stiffness;
    ik.prefer = SNW_IK_PREFER_START;
    return snw_ik_create(&(snw_ik_problem){feet->skeleton, feet->goal, feet->goal_count}, &ik,
                         &feet->allocator, &feet->ik, error);
}

snw_status snw_feet_create(const snw_skeleton *skeleton, const snw_feet_options *options,
                           const snw_allocator *allocator, snw_feet **out, snw_error *error)
{
    if (!skeleton || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "feet need a skeleton and room for them");
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_feet_options wanted = SNW__WANTS_DEFAULTS(options) ? snw_feet_options_default() : *options;
    *out = NULL;
    snw_status status = find_feet(skeleton, &wanted, error);
    if (status == SNW_OK) status = check_feet(skeleton, &wanted, error);
    if (status != SNW_OK) return status;
    snw_feet *feet = snw__allocate(&memory, sizeof *feet);
    if (!feet) return snw__fail_memory(error, sizeof *feet, "the feet");
    *feet = (snw_feet){.options = wanted, .skeleton = skeleton, .allocator = memory};
    status = plan_legs(feet, error);
    if (status != SNW_OK) {
        snw_feet_destroy(feet);
        return status;
    }
    *out = feet;
    return SNW_OK;
}

void snw_feet_destroy(snw_feet *feet)
{
    if (!feet) return;
    snw_allocator memory = feet->allocator;
    snw_ik_destroy(feet->ik);
    snw__release(&memory, feet, sizeof *feet);
}

/* ---- placing -------------------------------------------------------------------------------- */

/* The ground at a place; the floor of the animation where there is none. */
static double ground_under(const snw_feet *feet, const snw_terrain *ground, snw_vec3 place,
                           snw_vec3 *normal)
{
    double height = feet->options.floor;
    snw_vec3 up = feet->options.up, found = up;
    if (!ground->at(ground->context, place, &height, &found) || !isfinite(height))
        height = feet->options.floor, found = up;
    *normal = snw_vec3_unit(found, up);
    return height;
}

/* Toes stay over the ground as the ankle's foot follows it; what rises by more than it is away is
 * the edge of a step, over which they may stand. */
static void ask_toes(snw_feet *feet, const snw_terrain *ground, int k, const snw_pose *pose)
{
    if (feet->toes_of[k] < 0) return;
    snw_goal *goal = &feet->goal[feet->toes_of[k]];
    snw_vec3 up = feet->options.up, normal, tip = snw_pose_tip(pose, goal->joint);
    snw_vec3 ankle = pose->world[feet->options.foot[k].ankle].translation;
    double under = ground_under(feet, ground, ankle, &normal);
    double rise = ground_under(feet, ground, tip, &normal) - under;
    snw_vec3 way = snw_vec3_sub(tip, ankle);
    way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, up), up);
    if (fabs(rise) > snw_vec3_length(way)) rise = 0, normal = up;
    double height = feet->options.floor + feet->lift[k] + rise;
    goal->position = snw_vec3_add_scaled(tip, height - snw_vec3_dot(tip, up), up);
    goal->direction = normal;
}

snw_feet_result snw_feet_place(snw_feet *feet, const snw_terrain *ground, double dt, double blend,
                               snw_pose *pose)
{
    snw_feet_result result = {0, 0, 0};
    double lowest = INFINITY, settle = feet->options.settle;
    double part = dt > 0 && settle > 0 ? 1 - snw__exp(-dt / settle) : 1;
    blend = snw_clamp(blend, 0, 1);
    for (int k = 0; k < feet->options.foot_count; k++) {
        const snw_foot *foot = &feet->options.foot[k];
        snw_vec3 up = feet->options.up, normal, ankle = pose->world[foot->ankle].translation;
        double lift = ground_under(feet, ground, ankle, &normal) - feet->options.floor;
        feet->lift[k] += part * (lift - feet->lift[k]);
        /* How much a foot stands: 1 up to half a shank over the floor, 0 from a whole one. */
        double shank = snw_vec3_length(feet->skeleton->rest[foot->ankle].translation);
        double over =
            (snw_vec3_dot(ankle, up) - feet->options.floor) / fmax(0.5 * shank, SNW__SINGLE);
        double stands = snw_clamp(2 - over, 0, 1);
        snw_quat slope = snw_quat_slerp(snw_quat_identity(), snw_quat_between(up, normal), stands);
        feet->goal[k].position = snw_vec3_add_scaled(ankle, feet->lift[k], up);
        feet->goal[k].orientation = snw_quat_mul(slope, pose->world[foot->ankle].rotation);
        ask_toes(feet, ground, k, pose);
        feet->goal[k] = snw_goal_blend(&feet->goal[k], pose, blend);
        lowest = fmin(lowest, feet->lift[k]);
    }
    double move = blend * fmax(lowest, -feet->options.drop_max);
    result.pelvis_drop = -move;
    pose->root.translation = snw_vec3_add_scaled(pose->root.translation, move, feet->options.up);
    snw_pose_forward(pose);
    if (blend > 0) (void)snw_ik_solve(feet->ik, feet->goal, pose);
    for (int k = 0; k < feet->options.foot_count; k++) {
        double off = snw_vec3_distance(pose->world[feet->options.foot[k].ankle].translation,
                                       feet->goal[k].position);
        result.reached_count += off <= feet->ik->options.tolerance * feet->skeleton->size;
        result.worst = fmax(result.worst, off);
    }
    return result;
}

/* ---- gaze ----------------------------------------------------------------------------------- */

/* The turn from where the last joint looks to the target, in the world. */
static snw_quat gaze_turn(const snw_look *look, snw_vec3 target, const snw_pose *pose,
                          double *angle)
{
    snw_xform eye = pose->world[look->joint[look->joint_count - 1]];
    snw_vec3 ahead = snw_quat_rotate(eye.rotation, look->ahead);
    snw_vec3 wanted = snw_vec3_sub(target, eye.translation);
    snw_quat turn = snw_quat_between(ahead, wanted);
    *angle = snw_quat_angle_between(turn, snw_quat_identity());
    return turn;
}

double snw_look_at(const snw_look *look, snw_vec3 target, double blend, snw_pose *pose)
{
    double angle = 0, sum = 0, whole;
    if (look->joint_count < 1 || look->joint_count > SNW_LOOK_MAX) return NAN;
    for (int k = 0; k < look->joint_count; k++)
        sum += fmax(look->share[k], 0);
    (void)gaze_turn(look, target, pose, &whole);
    double left = sum;
    for (int k = 0; k < look->joint_count && sum > 0; k++) {
        int j = look->joint[k], parent = pose->skeleton->parent[j];
        double share = fmax(look->share[k], 0), stays = (1 - snw_clamp(blend, 0, 1)) * whole;
        snw_quat turn = gaze_turn(look, target, pose, &angle);
        /* Of what is left to do now, the share of those that are left: the last does the rest. */
        double part = left > 0 && angle > stays ? share / left * (angle - stays) / angle : 0;
        left -= share;
        snw_quat above = parent < 0 ? pose->root.rotation : pose->world[parent].rotation;
        snw_quat base = snw_quat_mul(above, pose->skeleton->rest[j].rotation);
        turn = snw_quat_slerp(snw_quat_identity(), turn, part);
        snw_quat world = snw_quat_mul(turn, pose->world[j].rotation);
        snw_quat local = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(base), world));
        pose->rotation[j] = snw_joint_limit_apply(&pose->skeleton->joint[j], local);
        snw_pose_forward_from(pose, j);
    }
    (void)gaze_turn(look, target, pose, &angle);
    return angle;
}

/* ---- over an animation ---------------------------------------------------------------------- */

snw_goal snw_goal_blend(const snw_goal *goal, const snw_pose *pose, double blend)
{
    snw_goal blended = *goal;
    if ((unsigned)goal->kind >= SNW_GOAL_KIND_COUNT) return blended;
    blend = snw_clamp(blend, 0, 1);
    if (snw__goal_row_of(goal)->place == SNW__PLACE_POINT) {
        snw_vec3 now = snw_pose_point(pose, goal->joint, goal->point);
        blended.position = snw_vec3_add_scaled(now, blend, snw_vec3_sub(goal->position, now));
    }
    if (snw__goal_row_of(goal)->has_frame)
        blended.orientation =
            snw_quat_slerp(pose->world[goal->joint].rotation, goal->orientation, blend);
    return blended;
}

snw_vec3 snw_pole_place(const snw_goal *pole, const snw_pose *pose, snw_vec3 target, double angle)
{
    snw_vec3 root = pose->world[pole->chain_root].translation;
    snw_vec3 tip = pose->world[pole->chain_tip].translation;
    snw_vec3 axis = snw_vec3_unit(snw_vec3_sub(tip, root), snw_vec3_make(0, 1, 0));
    snw_vec3 wanted = snw_vec3_unit(snw_vec3_sub(target, root), axis);
    snw_vec3 middle = snw_vec3_sub(pose->world[pole->joint].translation, root);
    snw_vec3 side = snw_vec3_add_scaled(middle, -snw_vec3_dot(middle, axis), axis);
    /* A straight limb bends to a fixed side. */
    side = snw_vec3_unit(side, snw_vec3_perpendicular(axis));
    side = snw_quat_rotate(snw_quat_between(axis, wanted), side);
    side = snw_quat_rotate(snw_quat_from_axis_angle(wanted, angle), side);
    double half = 0.5 * snw_vec3_distance(target, root);
    snw_vec3 center = snw_vec3_add_scaled(root, half, wanted);
    return snw_vec3_add_scaled(center, pose->skeleton->size, side);
}

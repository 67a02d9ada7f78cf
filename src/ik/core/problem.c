/* The words of the problem: goal makers, default options, and the names of methods and outcomes. */
#include "ik/core/ik_constants.h"
#include <sinew/ik.h>

#include <math.h>
#include <string.h>

#include "math/tolerance.h"

/* ---- goals -------------------------------------------------------------------------------- */

/* A goal of any kind with everything that does not concern it at a harmless value. */
static snw_goal goal_of(snw_goal_kind kind, int joint)
{
    snw_goal goal = {.kind = kind,
                     .joint = joint,
                     .orientation = snw_quat_identity(),
                     .direction = snw_vec3_make(0, 0, 1),
                     .weight = 1,
                     .turn_weight = 0.2};
    return goal;
}

static snw_goal goal_at(snw_goal_kind kind, int joint, snw_vec3 point, snw_vec3 position)
{
    snw_goal goal = goal_of(kind, joint);
    goal.point = point;
    goal.position = position;
    return goal;
}

static snw_goal goal_along(snw_goal_kind kind, int joint, snw_vec3 point, snw_vec3 position,
                           snw_vec3 direction)
{
    snw_goal goal = goal_at(kind, joint, point, position);
    goal.direction = direction;
    return goal;
}

snw_goal snw_goal_position(int joint, snw_vec3 point, snw_vec3 position)
{
    return goal_at(SNW_GOAL_POSITION, joint, point, position);
}

snw_goal snw_goal_orientation(int joint, snw_quat orientation)
{
    snw_goal goal = goal_of(SNW_GOAL_ORIENTATION, joint);
    goal.orientation = orientation;
    return goal;
}

snw_goal snw_goal_pose(int joint, snw_vec3 point, snw_vec3 position, snw_quat orientation)
{
    snw_goal goal = goal_at(SNW_GOAL_POSE, joint, point, position);
    goal.orientation = orientation;
    return goal;
}

snw_goal snw_goal_aim(int joint, snw_vec3 point, snw_vec3 direction, snw_vec3 position)
{
    return goal_along(SNW_GOAL_AIM, joint, point, position, direction);
}

snw_goal snw_goal_pole(int joint, int chain_root, int chain_tip, snw_vec3 position)
{
    snw_goal goal = goal_of(SNW_GOAL_POLE, joint);
    goal.chain_root = chain_root;
    goal.chain_tip = chain_tip;
    goal.position = position;
    return goal;
}

snw_goal snw_goal_line(int joint, snw_vec3 point, snw_vec3 position, snw_vec3 direction)
{
    return goal_along(SNW_GOAL_LINE, joint, point, position, direction);
}

snw_goal snw_goal_plane(int joint, snw_vec3 point, snw_vec3 position, snw_vec3 normal)
{
    return goal_along(SNW_GOAL_PLANE, joint, point, position, normal);
}

snw_goal snw_goal_side(int joint, snw_vec3 point, snw_vec3 position, snw_vec3 normal)
{
    return goal_along(SNW_GOAL_SIDE, joint, point, position, normal);
}

snw_goal snw_goal_value(int joint, int coordinate, double value)
{
    snw_goal goal = goal_of(SNW_GOAL_VALUE, joint);
    goal.coordinate = coordinate;
    goal.value = value;
    return goal;
}

snw_goal snw_goal_rest(int joint)
{
    return goal_of(SNW_GOAL_REST, joint);
}

snw_goal snw_goal_axes(int joint, snw_quat orientation, snw_vec3 share)
{
    snw_goal goal = snw_goal_orientation(joint, orientation);
    goal.kind = SNW_GOAL_AXES;
    goal.direction = share;
    return goal;
}

snw_goal snw_goal_apart(int joint, const snw_shape *shape, int other_joint, const snw_shape *other,
                        double margin)
{
    snw_goal goal = goal_of(SNW_GOAL_APART, joint);
    goal.shape = shape;
    goal.chain_root = other_joint;
    goal.other = other;
    goal.value = margin;
    /* Of 66 poses that cannot be had without touching 8 pass through something with weight 1, 7
     * with 100, none with 1e4, where a miss costs as little as Armijo's part of a step. */
    goal.weight = 1 / SNW__IK_ENOUGH;
    return goal;
}

/* ---- shapes that can meet ----------------------------------------------------------------- */

static snw_placed_shape place_at_rest(const snw_skeleton *skeleton, const snw_body_shape *shape)
{
    snw_placed_shape placed = {&shape->shape, snw_xform_identity()};
    for (int j = shape->joint; j >= 0; j = skeleton->parent[j])
        placed.world = snw_xform_mul(skeleton->rest[j], placed.world);
    return placed;
}

/* The first joint at or above this one that moves, or -1. */
static int mover_of(const snw_skeleton *skeleton, int joint)
{
    while (joint >= 0 && snw_joint_type_dof(skeleton->joint[joint].type) == 0)
        joint = skeleton->parent[joint];
    return joint;
}

static bool can_meet(const snw_skeleton *skeleton, const snw_body_shape *a, const snw_body_shape *b,
                     double margin)
{
    int first = mover_of(skeleton, a->joint), second = mover_of(skeleton, b->joint);
    if (first == second) return false;
    if (a->shape.kind == SNW_SHAPE_PLANE && b->shape.kind == SNW_SHAPE_PLANE) return false;
    bool is_world = a->joint < 0 || b->joint < 0;
    if (!is_world && (mover_of(skeleton, skeleton->parent[first < 0 ? 0 : first]) == second ||
                      mover_of(skeleton, skeleton->parent[second < 0 ? 0 : second]) == first))
        return false;
    snw_placed_shape at[2] = {place_at_rest(skeleton, a), place_at_rest(skeleton, b)};
    snw_contact contact;
    snw_shape_contact(&at[0], &at[1], &contact);
    return is_world || contact.distance >= margin;
}

/* Of a capsule with a core of that length: pi r^2 length + 4/3 pi r^3 = volume, by Newton's steps
 * from the cylinder's radius, above the root of a convex function. */
static double capsule_radius(double length, double volume)
{
    double r = sqrt(volume / (SNW_PI * length));
    for (int k = 0; k < SNW__ROUNDS_MAX; k++) {
        double f = SNW_PI * r * r * (length + 4 * r / 3) - volume;
        double step = f / (SNW_PI * r * (2 * length + 4 * r));
        r -= step;
        if (!(fabs(step) > SNW__SAME * r)) break;
    }
    return r;
}

int snw_body_capsules(const snw_skeleton *skeleton, double density, snw_body_shape *shapes,
                      int room)
{
    int used = 0;
    for (int j = 0; j < skeleton->joint_count && density > 0; j++) {
        /* The end of the bone that a joint carries: its tip, or the farthest of its children. */
        snw_vec3 end = skeleton->has_tip[j] ? skeleton->tip[j] : snw_vec3_make(0, 0, 0);
        for (int child = j + 1; child < skeleton->joint_count; child++)
            if (skeleton->parent[child] == j &&
                snw_vec3_length(skeleton->rest[child].translation) > snw_vec3_length(end))
                end = skeleton->rest[child].translation;
        double length = snw_vec3_length(end);
        if (!(skeleton->mass[j] > 0) || !(length > 0)) continue;
        double radius = capsule_radius(length, skeleton->mass[j] / density);
        /* Half a radius off each end, where neighbours meet, but a core is left. */
        double off = fmin(0.5 * radius / length, 0.4);
        if (used < room)
            shapes[used] =
                (snw_body_shape){j, snw_shape_capsule(snw_vec3_scale(end, off),
                                                      snw_vec3_scale(end, 1 - off), radius)};
        used++;
    }
    return used;
}

int snw_goals_apart(const snw_skeleton *skeleton, const snw_body_shape *shapes, int count,
                    double margin, snw_goal *goals, int room)
{
    int used = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            const snw_body_shape *a = &shapes[i], *b = &shapes[k];
            if (!can_meet(skeleton, a, b, margin)) continue;
            if (used < room)
                goals[used] = a->joint >= 0
                                  ? snw_goal_apart(a->joint, &a->shape, b->joint, &b->shape, margin)
                                  : snw_goal_apart(b->joint, &b->shape, -1, &a->shape, margin);
            used++;
        }
    return used;
}

/* ---- options, methods, outcomes ----------------------------------------------------------- */

snw_ik_options snw_ik_options_default(void)
{
    snw_ik_options options = {.solver = SNW_IK_AUTO,
                              .root = SNW_IK_ROOT_FIXED,
                              .tolerance = 1e-4,
                              .turn_tolerance = 1e-3,
                              .iteration_max = 500,
                              .restart_max = 64,
                              .nearest_count = 1,
                              .damping = 0.05,
                              .step_max = 0.25,
                              .particle_count = 64,
                              .use_limits = true,
                              .seed = 1,
                              .posture = SNW_IK_POSTURE_ALL,
                              .prefer = SNW_IK_PREFER_NOTHING,
                              .chain_root = -1,
                              .turn_max = INFINITY,
                              .style_up = {0, 1, 0},
                              .style_weight = 1};
    return options;
}

typedef struct ik_solver_words {
    const char *name;
    const char *text;
} ik_solver_words;

static const ik_solver_words solver_words[SNW_IK_SOLVER_COUNT] = {
#define IK_SOLVER_ROW(enumerator, name, text) {name, text},
    SNW_IK_SOLVER_MAP(IK_SOLVER_ROW)
#undef IK_SOLVER_ROW
};

const char *snw_ik_solver_name(snw_ik_solver solver)
{
    return (unsigned)solver < SNW_IK_SOLVER_COUNT ? solver_words[solver].name : "unknown";
}

const char *snw_ik_solver_text(snw_ik_solver solver)
{
    return (unsigned)solver < SNW_IK_SOLVER_COUNT ? solver_words[solver].text : "unknown";
}

int snw_ik_solver_find(const char *name)
{
    for (int i = 0; name && i < SNW_IK_SOLVER_COUNT; i++)
        if (strcmp(solver_words[i].name, name) == 0) return i;
    return -1;
}

const char *snw_ik_outcome_name(snw_ik_outcome outcome)
{
    static const char *const name[] = {"reached", "unreachable", "stalled", "out of iterations"};
    return (unsigned)outcome <= SNW_IK_OUT_OF_ITERATIONS ? name[outcome] : "unknown";
}

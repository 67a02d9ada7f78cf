/* What a solve accepts: the bounds of every option and of every number of a goal.
 *
 * Options and what a goal is planned with (kind, joints, weights) are refused when the solve is
 * created, with a sentence; positions and directions change from solve to solve and are looked at
 * there. The bounds keep every product a method forms finite: a distance of SNW__IK_FAR body sizes
 * under the largest weight has a square of 1e250. */
#include "base/fail.h"
#include "ik/core/goal_kinds.h"

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high; /* NaN is not */
}

/* ---- options ------------------------------------------------------------------------------ */

bool snw__ik_is_pose_of(const snw_pose *pose, const snw_skeleton *skeleton)
{
    if (!pose || pose->skeleton->joint_count != skeleton->joint_count) return false;
    bool is_good = is_between(snw_quat_dot(pose->root.rotation, pose->root.rotation), 0.99, 1.01) &&
                   snw_vec3_is_finite(pose->root.translation);
    for (int j = 0; j < skeleton->joint_count; j++)
        is_good &= is_between(snw_quat_dot(pose->rotation[j], pose->rotation[j]), 0.99, 1.01) &&
                   snw_vec3_is_finite(pose->slide[j]);
    return is_good;
}

/* The first option that is outside its bounds, or NULL. */
static const char *wrong_option(const snw_ik_options *options, const snw_skeleton *skeleton)
{
    if ((unsigned)options->solver >= SNW_IK_SOLVER_COUNT) return "solver";
    if ((unsigned)options->root > SNW_IK_ROOT_FREE) return "root";
    if (!is_between(options->tolerance, 1e-30, 1e30)) return "tolerance";
    if (!is_between(options->turn_tolerance, 1e-30, 1e30)) return "turn_tolerance";
    if (options->iteration_max < 0) return "iteration_max";
    if (options->restart_max < 0 || options->restart_max > 1000000) return "restart_max";
    if (options->nearest_count < 1 || options->nearest_count > 1000000) return "nearest_count";
    if (!is_between(options->damping, 0, 1e30)) return "damping";
    if (!is_between(options->step_max, 1e-30, 1e30)) return "step_max";
    if (options->particle_count < 2 || options->particle_count > 1000000) return "particle_count";
    if ((unsigned)options->posture > SNW_IK_POSTURE_LIMBS) return "posture";
    if ((unsigned)options->prefer > SNW_IK_PREFER_GIVEN) return "prefer";
    if (!(options->turn_max >= 1e-30)) return "turn_max";
    if (options->style && !is_between(options->style_weight, 1e-6, 1e6)) return "style_weight";
    if (options->chain_root < -1 || options->chain_root >= skeleton->joint_count)
        return "chain_root";
    for (int j = 0; options->stiffness && j < skeleton->joint_count; j++)
        if (!(is_between(options->stiffness[j], 1e-6, 1e6) || options->stiffness[j] == INFINITY))
            return "stiffness";
    if (options->prefer == SNW_IK_PREFER_GIVEN && !snw__ik_is_pose_of(options->preferred, skeleton))
        return "preferred";
    return NULL;
}

/* ---- goals as planned --------------------------------------------------------------------- */

static bool has_usable_weights(const snw_goal *goal)
{
    return is_between(goal->weight, 1 / SNW__IK_HUGE, SNW__IK_HUGE) &&
           is_between(goal->turn_weight, 1 / SNW__IK_HUGE, SNW__IK_HUGE);
}

static snw_status check_goal(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                             snw_error *error)
{
    if ((unsigned)goal->kind >= SNW_GOAL_KIND_COUNT)
        return snw__goal_refuse(error, index, "%d is not a kind of goal", (int)goal->kind);
    bool may_be_all = snw__goal_row_of(goal)->is_secondary && goal->joint == -1;
    if (!may_be_all && !snw__goal_is_joint(skeleton, goal->joint))
        return snw__goal_refuse(error, index, "joint %d is not in a body of %d joints", goal->joint,
                                skeleton->joint_count);
    if (!has_usable_weights(goal))
        return snw__goal_refuse(error, index, "weights are between %g and %g, not %g and %g",
                                1 / SNW__IK_HUGE, SNW__IK_HUGE, goal->weight, goal->turn_weight);
    snw__goal_check *check = snw__goal_row_of(goal)->check;
    return check ? check(skeleton, goal, index, error) : SNW_OK;
}

snw_status snw__ik_check_problem(const snw_ik *problem, snw_error *error)
{
    const snw_skeleton *skeleton = problem->skeleton;
    if (!skeleton || problem->goal_count < 0 || (problem->goal_count > 0 && !problem->goal))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a solve needs a body and goals");
    if (skeleton->size > 0 && !is_between(skeleton->size, 1 / SNW__IK_HUGE, SNW__IK_HUGE))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a body of %g m cannot be solved: sizes are between %g and %g",
                         skeleton->size, 1 / SNW__IK_HUGE, SNW__IK_HUGE);
    double away = snw_vec3_length(skeleton->rest[0].translation);
    if (!(away <= SNW__IK_HUGE))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a body whose root rests %g m away cannot be solved: %g is the most", away,
                         SNW__IK_HUGE);
    snw__place place = SNW__NOWHERE;
    place.name = wrong_option(&problem->options, skeleton);
    if (place.name)
        return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                            "option %s is outside what a solve accepts", place.name);
    snw_status status = SNW_OK;
    for (int i = 0; status == SNW_OK && i < problem->goal_count; i++)
        status = check_goal(skeleton, &problem->goal[i], i, error);
    return status;
}

/* ---- goals as given ----------------------------------------------------------------------- */

/* Numbers a solve can work with. */
static bool is_usable(const snw_ik *ik, const snw_goal *goal)
{
    double far = SNW__IK_FAR * ik->size;
    double direction2 = snw_vec3_length2(goal->direction);
    if (!has_usable_weights(goal)) return false;
    if (!(snw_vec3_length(goal->point) < far && snw_vec3_length(goal->position) < far))
        return false;
    if (!(fabs(goal->value) < far)) return false;
    if (!snw_quat_is_finite(goal->orientation) || !isfinite(direction2)) return false;
    return !snw__goal_row_of(goal)->needs_direction || direction2 > 0;
}

/* Does a goal ask for what was planned: the same kind on the same joints? */
static bool is_as_planned(const snw_goal *goal, const snw_goal *planned)
{
    if (goal->kind != planned->kind || goal->joint != planned->joint) return false;
    const snw__goal_row *kind = snw__goal_row_of(goal);
    if (kind->has_coordinate && goal->coordinate != planned->coordinate) return false;
    if (kind->has_other && (goal->chain_root != planned->chain_root ||
                            goal->shape != planned->shape || goal->other != planned->other))
        return false;
    return !kind->has_limb ||
           (goal->chain_root == planned->chain_root && goal->chain_tip == planned->chain_tip);
}

bool snw__ik_goals_are_usable(const snw_ik *ik, const snw_goal *goals)
{
    for (int i = 0; i < ik->goal_count; i++)
        if (!is_as_planned(&goals[i], &ik->goal[i]) || !is_usable(ik, &goals[i])) return false;
    return true;
}

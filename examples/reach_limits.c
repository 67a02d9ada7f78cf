/* The same chain with limits: every joint may swing 30 degrees to each side and twist 20.
 * cc reach_limits.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

#define BONES 8

/* A chain along +x; the base may turn freely, the other joints have limits. */
static snw_status make_chain(snw_skeleton **chain, snw_error *error)
{
    static const char *const names[BONES] = {"base", "b1", "b2", "b3", "b4", "b5", "b6", "b7"};
    snw_joint_def defs[BONES];
    for (int i = 0; i < BONES; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        defs[i].joint.type = SNW_JOINT_BALL;
        defs[i].joint.axis = snw_vec3_make(1, 0, 0); /* along the bone */
        defs[i].joint.axis2 = snw_vec3_make(0, 1, 0);
        if (i == 0) continue;
        defs[i].rest.translation = snw_vec3_make(0.1, 0, 0);
        defs[i].joint.limit.swing = SNW_SWING_CONE;
        for (int side = 0; side < 4; side++)
            defs[i].joint.limit.cone[side] = snw_radians(30);
        defs[i].joint.limit.has_twist = true;
        defs[i].joint.limit.twist[0] = -snw_radians(20);
        defs[i].joint.limit.twist[1] = snw_radians(20);
    }
    defs[BONES - 1].has_tip = true;
    defs[BONES - 1].tip = snw_vec3_make(0.1, 0, 0);
    return snw_skeleton_create(defs, BONES, NULL, chain, error);
}

int main(void)
{
    /* The last one is too near for joints that bend by 30 degrees only. */
    static const snw_vec3 targets[] = {{0.2, 0.6, 0.1}, {-0.4, 0.3, 0.3}, {0.05, 0, 0}};
    snw_error error;
    snw_skeleton *chain = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_ik_options options = snw_ik_options_default();
    if (make_chain(&chain, &error) != SNW_OK ||
        snw_pose_create(chain, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_goal goal = snw_goal_position(BONES - 1, chain->tip[BONES - 1], targets[0]);
    snw_ik_problem problem = {chain, &goal, 1};
    if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        goal.position = targets[i];
        snw_pose_reset(pose);
        snw_ik_result result = snw_ik_solve(ik, &goal, pose);
        printf("target %d: %s by %s, %d joints at a limit, limits broken by %g rad\n", i,
               snw_ik_outcome_name(result.outcome), snw_ik_solver_name(result.solver),
               result.active_limit_count, snw_pose_violation(pose));
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(chain);
    return 0;
}

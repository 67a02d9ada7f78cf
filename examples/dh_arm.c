/* A robot arm from its Denavit-Hartenberg table (PUMA 560, Craig's form), and a pose for a target.
 * cc dh_arm.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *arm = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    /* Craig's form: a, alpha, d, theta of each row; the joint's variable is added to theta. */
    const double right = SNW_PI / 2;
    const snw_dh_row rows[6] = {{.a = 0},
                                {.alpha = -right},
                                {.a = 0.4318, .d = 0.1244},
                                {.a = 0.0203, .alpha = -right, .d = 0.4318},
                                {.alpha = right},
                                {.alpha = -right}};
    if (snw_skeleton_from_dh(rows, 6, SNW_DH_MODIFIED, NULL, &arm, &error) != SNW_OK ||
        snw_pose_create(arm, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int tool = arm->joint_count - 1;
    snw_goal goals[2] = {
        snw_goal_position(tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0.4, 0.2, 0.3)),
        snw_goal_orientation(tool, snw_quat_identity())};
    snw_ik_options options = snw_ik_options_default();
    snw_ik_problem problem = {arm, goals, 2};
    if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    printf("%s after %d iterations, %.1e m away\n", snw_ik_outcome_name(result.outcome),
           result.iterations, result.worst_residual);
    for (int j = 0; j < arm->joint_count; j++) {
        double value[6];
        if (snw_joint_values(arm->joint + j, pose->rotation[j], pose->slide[j], value) == 1)
            printf("  %-10s %8.2f degrees\n", arm->name[j], snw_degrees(value[0]));
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
    return result.outcome == SNW_IK_REACHED ? 0 : 1;
}

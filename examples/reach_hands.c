/* A humanoid puts both hands where they are wanted and stays near rest otherwise.
 * cc reach_hands.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_ik_options options = snw_ik_options_default();
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int left = snw_skeleton_find_joint(body, "left_wrist");
    int right = snw_skeleton_find_joint(body, "right_wrist");
    /* Both hands half way from where they are to the chest, and 20 cm in front of it. */
    snw_vec3 chest = pose->world[snw_skeleton_find_joint(body, "chest")].translation;
    snw_vec3 front = snw_vec3_add(chest, snw_vec3_make(0, 0, 0.4));
    snw_goal goals[3] = {snw_goal_position(left, body->tip[left],
                                           snw_vec3_lerp(snw_pose_tip(pose, left), front, 0.5)),
                         snw_goal_position(right, body->tip[right],
                                           snw_vec3_lerp(snw_pose_tip(pose, right), front, 0.5)),
                         snw_goal_rest(-1)};
    goals[1].weight = 2; /* counts more where not both can be met */
    snw_ik_problem problem = {body, goals, 3};
    if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    printf("%s after %d iterations by %s; left %.2f mm, right %.2f mm away\n",
           snw_ik_outcome_name(result.outcome), result.iterations,
           snw_ik_solver_name(result.solver), 1000 * snw_ik_residual(ik)[0],
           1000 * snw_ik_residual(ik)[1]);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return result.outcome == SNW_IK_REACHED ? 0 : 1;
}

/* An elbow that is turned outwards by an angle while the hand stays where it is.
 * cc reach_pole.c $(pkg-config --cflags --libs sinew) -lm */
#include <math.h>
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int shoulder = snw_skeleton_find_joint(body, "left_shoulder");
    int elbow = snw_skeleton_find_joint(body, "left_elbow");
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    /* Well within reach: a straight arm has no elbow to turn. */
    snw_vec3 hand = snw_vec3_add(pose->world[shoulder].translation, snw_vec3_make(0.1, -0.2, 0.3));
    snw_goal goals[2] = {snw_goal_position(wrist, snw_vec3_make(0, 0, 0), hand),
                         snw_goal_pole(elbow, shoulder, wrist, snw_vec3_make(0, 0, 0))};
    snw_ik_options options = snw_ik_options_default();
    if (snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int reached = 0;
    for (int step = 0; step < 4; step++) {
        double angle = step == 0 ? 0 : snw_radians(15);
        goals[1].position = snw_pole_place(&goals[1], pose, hand, angle);
        snw_ik_result result = snw_ik_solve(ik, goals, pose);
        snw_vec3 at = pose->world[elbow].translation;
        printf("%s: elbow at %.0f, %.0f, %.0f mm\n", snw_ik_outcome_name(result.outcome),
               1000 * at.x, 1000 * at.y, 1000 * at.z);
        reached += result.outcome == SNW_IK_REACHED;
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return reached >= 3 ? 0 : 1;
}

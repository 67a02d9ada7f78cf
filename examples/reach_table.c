/* Fingers that rest on a table: each fingertip stays over its plane, wherever the hand is pressed
 * down to, as toes do on the ground.
 * cc reach_table.c $(pkg-config --cflags --libs sinew) -lm */
#include <math.h>
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *hand = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_goal goals[5];
    static const char *const tip[] = {"thumb4", "index5", "middle5", "ring5", "little5"};
    if (snw_preset_create("hand25", NULL, &hand, &error) != SNW_OK ||
        snw_pose_create(hand, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int count = 0;
    snw_vec3 up = {0, 1, 0};
    for (int k = 0; k < 5; k++) {
        int joint = snw_skeleton_find_joint(hand, tip[k]);
        if (joint < 0) continue;
        /* A table 15 mm above where the finger is: it has to bend upwards. */
        snw_vec3 at = pose->world[joint].translation;
        at.y += 0.015;
        goals[count++] = snw_goal_side(joint, snw_vec3_make(0, 0, 0), at, up);
    }
    snw_ik_options options = snw_ik_options_default();
    options.prefer = SNW_IK_PREFER_START;
    if (snw_ik_create(&(snw_ik_problem){hand, goals, count}, &options, NULL, &ik, &error) !=
        SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    double below = 0;
    for (int k = 0; k < count; k++)
        below = fmax(below, goals[k].position.y - pose->world[goals[k].joint].translation.y);
    printf("%d fingertips, %s; the lowest is %.2f mm below the table\n", count,
           snw_ik_outcome_name(result.outcome), 1000 * below);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(hand);
    return count >= 4 && below < 1e-3 ? 0 : 1;
}

/* A gaze that wanders: chest, neck and head share the turn, the head does most, limits hold.
 * cc reach_look.c $(pkg-config --cflags --libs sinew) -lm */
#include <math.h>
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    static const char *const name[] = {"chest", "neck", "head"};
    snw_look look = {.joint_count = 3, .share = {0.2, 0.3, 0.5}, .ahead = {0, 0, 1}};
    for (int k = 0; k < 3; k++)
        look.joint[k] = snw_skeleton_find_joint(body, name[k]);
    snw_vec3 eye = pose->world[look.joint[2]].translation;
    double worst = 0;
    for (int step = 0; step <= 4; step++) {
        double angle = snw_radians(15.0 * step);
        snw_vec3 target = snw_vec3_add(eye, snw_vec3_make(2 * sin(angle), 0.2, 2 * cos(angle)));
        snw_pose_reset(pose); /* here the animation's frame would come */
        snw_pose_forward(pose);
        double left = snw_look_at(&look, target, 1, pose);
        printf("%2.0f degrees aside: ", snw_degrees(angle));
        for (int k = 0; k < 3; k++)
            printf("%s %.0f, ", name[k],
                   snw_degrees(
                       snw_quat_angle_between(pose->rotation[look.joint[k]], snw_quat_identity())));
        printf("%.1f left\n", snw_degrees(left));
        if (step <= 2) worst = fmax(worst, left);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return worst < snw_radians(2) ? 0 : 1;
}

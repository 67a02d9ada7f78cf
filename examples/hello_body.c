/* Builds a ready-made body, bends an elbow and asks where the hand is.
 * cc hello_body.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    if (snw_preset_create("arm7", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int last = body->joint_count - 1;
    snw_vec3 before = snw_pose_tip(pose, last);
    pose->rotation[3] = snw_quat_from_axis_angle(body->joint[3].axis, snw_radians(40));
    snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
    snw_vec3 after = snw_pose_tip(pose, last);
    printf("%s moved by %.1f mm when %s turned\n", body->name[last],
           1000 * snw_vec3_distance(before, after), body->name[3]);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return 0;
}

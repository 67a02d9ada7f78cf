/* A robot arm follows a circle in time, with limits of speed and acceleration.
 * cc reach_servo.c $(pkg-config --cflags --libs sinew) -lm */
#include <math.h>
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *arm = NULL;
    snw_pose *pose = NULL;
    snw_ik_servo *servo = NULL;
    double speed[7], acceleration[7];
    const double bent[7] = {0, -0.5, 0, -0.6, 0, 1.6, 0.8};
    if (snw_preset_create("panda", NULL, &arm, &error) != SNW_OK ||
        snw_pose_create(arm, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int k = 0; k < 7; k++) {
        speed[k] = 2;         /* rad/s */
        acceleration[k] = 15; /* rad/s^2 */
    }
    int tool = arm->joint_count - 1;
    snw_pose_set_values(pose, bent);
    snw_pose_forward(pose);
    snw_xform middle = pose->world[tool];
    snw_goal goal =
        snw_goal_pose(tool, snw_vec3_make(0, 0, 0), middle.translation, middle.rotation);
    snw_ik_problem problem = {arm, &goal, 1};
    snw_ik_servo_options options = snw_ik_servo_options_default();
    options.limit = (snw_rate_limit){speed, acceleration, NULL};
    options.gain = 50;
    options.posture = pose; /* the elbow comes back to where it was */
    if (snw_ik_servo_create(&problem, &options, NULL, &servo, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int step = 0; step <= 2000; step++) { /* two seconds, a thousand steps each */
        double angle = 3.14159265358979 * step / 1000;
        goal.position = snw_vec3_add(middle.translation,
                                     snw_vec3_make(0, 0.1 * sin(angle), 0.1 * (1 - cos(angle))));
        snw_ik_servo_result result = snw_ik_servo_step(servo, &goal, 0.001, pose);
        if (step % 250 == 0)
            printf("%.2f s: %.1f mm behind\n", 0.001 * step, 1000 * result.worst_residual);
    }
    snw_ik_servo_destroy(servo);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
    return 0;
}

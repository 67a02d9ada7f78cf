/* A four-bar linkage: three hinges, the last bone pinned to the ground; the crank is driven.
 * cc reach_loop.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    static const char *const names[3] = {"crank", "coupler", "rocker"};
    static const double length[3] = {1.2, 3.5, 2.5};
    snw_error error;
    snw_joint_def defs[3];
    snw_skeleton *linkage = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_ik_options options = snw_ik_options_default();
    for (int i = 0; i < 3; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        defs[i].joint.type = SNW_JOINT_HINGE; /* about +z */
        if (i > 0) defs[i].rest.translation = snw_vec3_make(length[i - 1], 0, 0);
    }
    /* joint_b = -1: the other side is a place in the world. */
    snw_pin pin = {2, -1, {2.5, 0, 0}, {4, 0, 0}};
    if (snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 3, &pin, 1}, NULL, &linkage, &error) !=
            SNW_OK ||
        snw_pose_create(linkage, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_goal drive = snw_goal_value(0, 0, 0);
    options.tolerance = 1e-6;
    snw_ik_problem problem = {linkage, &drive, 1};
    if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int degrees = 0; degrees < 360; degrees += 45) {
        drive.value = snw_wrap_angle(snw_radians(degrees));
        snw_ik_result result = snw_ik_solve(ik, &drive, pose);
        snw_vec3 end = snw_pose_point(pose, 2, pin.point_a);
        printf("crank %3d: %s, the loop is open by %.1e\n", degrees,
               snw_ik_outcome_name(result.outcome), snw_vec3_distance(end, pin.point_b));
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(linkage);
    return 0;
}

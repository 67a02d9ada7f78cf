/* A hand leaves the animation for a door handle and comes back: each effector has its own blend,
 * the limb's reach; how much the trunk follows is its pull, the other side of the trunk's
 * stiffness. cc reach_blend.c $(pkg-config --cflags --libs sinew) -lm */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <sinew/sinew.h>

/* The wrist's distance from the handle after a solve with this reach and this pull, in metres. */
static double reach(const snw_skeleton *body, snw_pose *pose, double blend, double pull)
{
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    snw_vec3 handle = {0.5, 0.35, 0.75};
    double *stiffness = malloc((size_t)body->joint_count * sizeof *stiffness);
    snw_ik *ik = NULL;
    snw_ik_options options = snw_ik_options_default();
    snw_goal goal = snw_goal_position(wrist, snw_vec3_make(0, 0, 0), handle);
    if (!stiffness) return NAN;
    for (int j = 0; j < body->joint_count; j++)
        stiffness[j] = 1;
    stiffness[snw_skeleton_find_joint(body, "spine")] = 1 / pull;
    stiffness[snw_skeleton_find_joint(body, "chest")] = 1 / pull;
    options.stiffness = stiffness;
    options.prefer = SNW_IK_PREFER_START; /* the animation's pose */
    snw_pose_reset(pose);
    snw_pose_forward(pose);
    goal = snw_goal_blend(&goal, pose, blend);
    if (snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, NULL) == SNW_OK)
        (void)snw_ik_solve(ik, &goal, pose);
    snw_ik_destroy(ik);
    free(stiffness);
    return snw_vec3_distance(pose->world[wrist].translation, handle);
}

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    double last = INFINITY;
    bool is_falling = true;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int spine = snw_skeleton_find_joint(body, "spine");
    for (int k = 0; k <= 4; k++) {
        double left = reach(body, pose, 0.25 * k, 1);
        printf("reach %.2f: %.0f mm from the handle\n", 0.25 * k, 1000 * left);
        is_falling = is_falling && left < last;
        last = left;
    }
    for (double pull = 1; pull > 0.01; pull *= 0.2) {
        (void)reach(body, pose, 1, pull);
        printf("pull %.2f: the spine turns by %.1f degrees\n", pull,
               snw_degrees(snw_quat_angle_between(pose->rotation[spine], snw_quat_identity())));
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return is_falling ? 0 : 1;
}

/* A chain of ten bones follows a target that circles and leaves its reach now and then.
 * cc reach_chain.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_error error;
    snw_skeleton *chain = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_ik_options options = snw_ik_options_default();
    if (snw_preset_chain(11, 0.1, NULL, &chain, &error) != SNW_OK ||
        snw_pose_create(chain, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_goal goal = snw_goal_position(10, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_problem problem = {chain, &goal, 1};
    if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int frame = 0; frame < 60; frame++) {
        double phase = 2 * SNW_PI * frame / 60, distance = 0.9 - 0.3 * cos(2 * phase);
        goal.position = snw_vec3_make(distance * cos(phase), distance * sin(phase), 0.1);
        /* The pose of the last frame is where this one starts. */
        snw_ik_result result = snw_ik_solve(ik, &goal, pose);
        if (frame % 10 == 0)
            printf("frame %2d: %s, %.4f m away, %d iterations by %s\n", frame,
                   snw_ik_outcome_name(result.outcome), result.worst_residual, result.iterations,
                   snw_ik_solver_name(result.solver));
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(chain);
    return 0;
}

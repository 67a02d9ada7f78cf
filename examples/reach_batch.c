/* A thousand chains at once, in floats, eight at a time and on two threads.
 * cc reach_batch.c $(pkg-config --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

#define PROBLEMS 1000
#define JOINTS   11

int main(void)
{
    static float target[PROBLEMS * 3], rotation[PROBLEMS * JOINTS * 4], residual[PROBLEMS];
    snw_error error;
    snw_skeleton *chain = NULL;
    snw_ik_batch *batch = NULL;
    snw_ik_batch_options options = snw_ik_batch_options_default();
    snw_random random = snw_random_seed(1, 0);
    snw_goal goal = snw_goal_position(JOINTS - 1, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    options.worker_count = 2;
    if (snw_preset_chain(JOINTS, 0.1, NULL, &chain, &error) != SNW_OK ||
        snw_ik_batch_create(&(snw_ik_problem){chain, &goal, 1}, &options, NULL, &batch, &error) !=
            SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 0; i < PROBLEMS; i++) {
        snw_vec3 t = snw_vec3_scale(snw_random_direction(&random), 0.8);
        target[i * 3] = (float)t.x;
        target[i * 3 + 1] = (float)t.y;
        target[i * 3 + 2] = (float)t.z;
    }
    for (int i = 0; i < PROBLEMS * JOINTS; i++)
        rotation[i * 4] = 1; /* all start at rest: w = 1 */
    snw_ik_batch_job job = {
        .problem_count = PROBLEMS, .target = target, .rotation = rotation, .residual = residual};
    int reached = 0;
    if (snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, &error) != SNW_OK)
        fprintf(stderr, "%s\n", error.message);
    printf("%d of %d reached (%s)\n", reached, PROBLEMS, snw_ik_batch_path(batch));
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(chain);
    return reached == PROBLEMS ? 0 : 1;
}

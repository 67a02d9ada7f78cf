/* The solved body as a witness: where it carries the markers that the cameras did not see. */
#include <stdlib.h>

#include "fill/fill.h"
#include "input.h"

/* Every marker of the actor in every frame, as the motion carries it; all others missing. */
static snw_status carry_markers(const snw_actor *actor, const snw_motion *motion,
                                const snw_trial *trial, snw_trial **out, snw_error *error)
{
    snw_pose *pose = NULL;
    const char **name = malloc(((size_t)trial->marker_count + 1) * sizeof *name);
    if (!name) return SNW_OUT_OF_MEMORY;
    for (int m = 0; m < trial->marker_count; m++)
        name[m] = trial->marker[m].name;
    snw_name_list names = {name, trial->marker_count};
    snw_status status = snw_pose_create(actor->skeleton, NULL, &pose, error);
    if (status == SNW_OK) status = snw_trial_copy(trial, NULL, out, error);
    for (int frame = 0; status == SNW_OK && frame < trial->frame_count; frame++) {
        snw_motion_get(motion, frame, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < trial->marker_count; m++)
            snw_trial_set(*out, frame, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        for (int m = 0; m < actor->marker_count; m++) {
            int source = snw_actor_find_marker(actor, &names, m);
            if (source >= 0)
                snw_trial_set(*out, frame, source,
                              snw_pose_point(pose, actor->marker[m].joint, actor->marker[m].offset),
                              SNW_SAMPLE_FILLED);
        }
    }
    snw_pose_destroy(pose);
    free(name);
    return status;
}

int cli_fill_body(const cli_arguments *arguments, const snw_trial *trial, snw_notes *notes,
                  snw_trial **out)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    snw_actor *actor = NULL;
    snw_error error = snw_error_none();
    const char *path = cli_value(arguments, "--actor", NULL);
    if (path && !(actor = cli_read_actor(arguments, path))) return CLI_FAILED;
    /* What is filled are the file's own trajectories, whose labels are put right already. */
    options.keeps_zeros = options.skips_join = options.skips_recognition = true;
    options.keeps_swaps = true;
    options.actor = actor;
    options.part = 1;
    snw_status status = snw_solve(trial, &options, NULL, &solution, &error);
    if (status == SNW_OK) {
        const snw_solved_body *body = solution->body;
        cli_add_notes(notes, solution->notes);
        cli_add_notes(notes, body->notes);
        status = carry_markers(body->kept, body->motion, trial, out, &error);
    }
    snw_solution_destroy(solution);
    snw_actor_destroy(actor);
    if (status == SNW_OK) return CLI_DONE;
    return cli_fail(arguments, "%s: no body to fill with: %s", arguments->operand[0],
                    error.message);
}

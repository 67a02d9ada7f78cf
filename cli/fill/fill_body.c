/* The solved body as a witness: where it carries the markers that the cameras did not see. */
#include <stdlib.h>

#include "fill/fill.h"
#include "input.h"

static snw_status calibrate_body(const snw_trial *trial, snw_notes *notes, snw_actor **actor,
                                 snw_error *error)
{
    snw_segments *segments = NULL;
    snw_status status = snw_segments_find(trial, NULL, NULL, &segments, notes, error);
    if (status == SNW_OK)
        status = snw_actor_calibrate(trial, segments, NULL, NULL, actor, notes, error);
    snw_segments_destroy(segments);
    return status;
}

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
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_error error = snw_error_none();
    snw_status status = SNW_OK;
    const char *path = cli_value(arguments, "--actor", NULL);
    if (path) {
        actor = cli_read_actor(arguments, path);
        if (!actor) return CLI_FAILED;
    } else {
        status = calibrate_body(trial, notes, &actor, &error);
    }
    if (status == SNW_OK) status = snw_actor_solve(actor, trial, NULL, NULL, &motion, NULL, &error);
    if (status == SNW_OK) status = carry_markers(actor, motion, trial, out, &error);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    if (status == SNW_OK) return CLI_DONE;
    return cli_fail(arguments, "%s: no body to fill with: %s", arguments->operand[0],
                    error.message);
}

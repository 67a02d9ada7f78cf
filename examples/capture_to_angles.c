/* From a capture of markers to joint angles: solved as `sinew solve` does it, judged, measured.
 * cc capture_to_angles.c $(pkg-config --cflags --libs sinew) && ./a.out [FILE.c3d] */
#include <stdio.h>

#include <sinew/sinew.h>

/* Without a file: a synthetic walk, whose truth is known. */
static snw_status get_trial(const char *path, snw_trial **trial, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    if (path) return snw_read_trial_file(path, NULL, NULL, trial, NULL, error);
    snw_status status = snw_preset_create("humanoid", NULL, &body, error);
    if (status == SNW_OK) status = snw_synth_create(body, NULL, &options, NULL, &synth, error);
    if (status == SNW_OK) status = snw_trial_copy(synth->capture, NULL, trial, error);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return status;
}

int main(int count, char **argument)
{
    snw_error error;
    snw_trial *trial = NULL;
    snw_solution *solution = NULL;
    snw_angles *angles = NULL;
    snw_status status = get_trial(count > 1 ? argument[1] : NULL, &trial, &error);
    if (status == SNW_OK) status = snw_solve(trial, NULL, NULL, &solution, &error);
    if (status == SNW_OK)
        status = snw_angles_from_motion(solution->body->motion, NULL, &angles, &error);
    if (status != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const snw_solved_body *body = solution->body;
    printf("%s: %d joints, markers %.1f mm from the body\n", snw_verdict_name(solution->verdict),
           body->joint_count, 1000 * body->report.residual);
    for (int n = 0; n < body->judgements->count; n++)
        printf("  %s\n", body->judgements->item[n].sentence);
    int knee = snw_angles_find(angles, "left_knee_flexion");
    for (int f = 0; knee >= 0 && f < trial->frame_count; f += trial->frame_count / 8)
        printf("  %5.2f s: left knee bent by %6.1f degrees\n", f / trial->rate,
               snw_degrees(snw_angles_at(angles, f, knee)));
    snw_angles_destroy(angles);
    snw_solution_destroy(solution);
    snw_trial_destroy(trial);
    return knee >= 0 ? 0 : 1;
}

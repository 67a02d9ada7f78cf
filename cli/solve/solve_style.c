/* `sinew solve --style`: segments that nothing shows as a style expects them. */
#include <stdlib.h>

#include "solve/solve.h"
#include "text.h"

snw_tracker_options cli_solve_tracker_options(const solve_job *job)
{
    snw_tracker_options options = snw_tracker_options_default();
    options.style = job->style;
    return options;
}

snw_status cli_solve_match_style(solve_job *job, snw_error *error)
{
    if (!job->style) return SNW_OK;
    job->style_knows = calloc((size_t)job->actor->skeleton->joint_count, sizeof *job->style_knows);
    if (job->style_knows)
        return snw_actor_match_style(job->actor, job->style, NULL, job->style_knows, error);
    error->status = SNW_OUT_OF_MEMORY;
    snw_format(error->message, sizeof error->message, "no memory for the joints of the style");
    return SNW_OUT_OF_MEMORY;
}

void cli_solve_print_style(const solve_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    const bool *is_known = job->style_knows;
    int count = 0, joints = body->joint_count - 1;
    for (int j = 1; j < body->joint_count; j++)
        count += is_known[j];
    printf("the style tells %d of %d joints where nothing shows them", count, joints);
    const char *before = ", not ";
    for (int j = 1; j < body->joint_count; j++) {
        if (is_known[j]) continue;
        printf("%s", before);
        cli_print_text(stdout, body->name[j], 0);
        before = ", ";
    }
    printf("\n");
}

void cli_solve_json_style(cli_json *json, const solve_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    const bool *is_known = job->style_knows;
    cli_json_array(json, "style_joints");
    for (int j = 1; j < body->joint_count; j++)
        if (is_known[j]) cli_json_string(json, NULL, body->name[j]);
    cli_json_end_array(json);
}

/* `sinew solve --style`: limbs that nothing shows as a style expects them. */
#include <stdlib.h>

#include "solve/solve.h"
#include "text.h"

snw_tracker_options cli_solve_tracker_options(const solve_job *job)
{
    snw_tracker_options options = snw_tracker_options_default();
    options.style = job->style;
    return options;
}

/* Whether the style tells each joint (joint_count); NULL: no memory. */
static bool *known_joints(const solve_job *job)
{
    bool *is_known = calloc((size_t)job->actor->skeleton->joint_count, sizeof *is_known);
    if (is_known) (void)snw_actor_match_style(job->actor, job->style, NULL, is_known, NULL);
    return is_known;
}

void cli_solve_print_style(const solve_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    bool *is_known = known_joints(job);
    int count = 0, joints = body->joint_count - 1;
    for (int j = 1; is_known && j < body->joint_count; j++)
        count += is_known[j];
    printf("the style tells %d of %d joints where nothing shows them", count, joints);
    const char *before = ", not ";
    for (int j = 1; is_known && j < body->joint_count; j++) {
        if (is_known[j]) continue;
        printf("%s", before);
        cli_print_text(stdout, body->name[j], 0);
        before = ", ";
    }
    printf("\n");
    free(is_known);
}

void cli_solve_json_style(cli_json *json, const solve_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    bool *is_known = known_joints(job);
    cli_json_array(json, "style_joints");
    for (int j = 1; is_known && j < body->joint_count; j++)
        if (is_known[j]) cli_json_string(json, NULL, body->name[j]);
    cli_json_end_array(json);
    free(is_known);
}

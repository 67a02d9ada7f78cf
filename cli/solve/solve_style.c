/* `sinew solve --style`: segments that nothing shows as a style expects them. */
#include "solve/solve.h"
#include "text.h"

void cli_solve_print_style(const solve_job *job)
{
    const snw_skeleton *body = job->body->actor->skeleton;
    const bool *is_known = job->body->style_knows;
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
    const snw_skeleton *body = job->body->actor->skeleton;
    const bool *is_known = job->body->style_knows;
    cli_json_array(json, "style_joints");
    for (int j = 1; j < body->joint_count; j++)
        if (is_known[j]) cli_json_string(json, NULL, body->name[j]);
    cli_json_end_array(json);
}

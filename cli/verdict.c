/* What to believe of a capture, said before its numbers. */
#include "verdict.h"

#include <string.h>

/* Reasons on the screen; --json has all. */
#define VERDICT_REASONS 4

void cli_print_verdict(const cli_arguments *arguments, const snw_judgements *judgements)
{
    int grave = 0;
    for (int n = 0; n < judgements->count; n++)
        grave += judgements->item[n].verdict != SNW_VERDICT_GREEN;
    for (int n = 0, told = 0; n < judgements->count && told < VERDICT_REASONS; n++)
        if (judgements->item[n].verdict != SNW_VERDICT_GREEN && ++told)
            cli_note(arguments, "%s: %s", snw_verdict_name(judgements->item[n].verdict),
                     judgements->item[n].sentence);
    if (grave > VERDICT_REASONS)
        cli_note(arguments, "%s: and %d more (--json)", snw_verdict_name(judgements->verdict),
                 grave - VERDICT_REASONS);
}

void cli_print_bodies_verdict(const cli_arguments *arguments, const snw_solution *solution)
{
    for (int b = 0; b < solution->body_count; b++)
        if (solution->body[b].judgements)
            cli_print_verdict(arguments, solution->body[b].judgements);
}

int cli_warn_of_red(const cli_arguments *arguments, const snw_trial *trial)
{
    static snw_judgements judgements; /* 26 kB */
    snw_error error;
    memset(&judgements, 0, sizeof judgements);
    if (snw_solve_judge(trial, NULL, &judgements, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    int red = 0;
    while (red < judgements.count && judgements.item[red].verdict == SNW_VERDICT_RED)
        red++;
    judgements.count = red; /* gravest first */
    cli_print_verdict(arguments, &judgements);
    return CLI_DONE;
}

void cli_json_verdict(cli_json *json, const snw_judgements *judgements)
{
    cli_json_string(json, "verdict", snw_verdict_name(judgements->verdict));
    cli_json_array(json, "judgements");
    for (int n = 0; n < judgements->count; n++) {
        cli_json_object(json, NULL);
        cli_json_string(json, "code", snw_judgement_name(judgements->item[n].code));
        cli_json_string(json, "verdict", snw_verdict_name(judgements->item[n].verdict));
        cli_json_string(json, "sentence", judgements->item[n].sentence);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

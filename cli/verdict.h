/* What to believe of a capture, said before its numbers. */
#ifndef SINEW_CLI_VERDICT_H
#define SINEW_CLI_VERDICT_H

#include "command.h"

/* One line for the verdict and each grave reason, before everything else on standard error. */
void cli_print_verdict(const cli_arguments *arguments, const snw_judgements *judgements);
/* The same of every body that was solved on the way to something else. */
void cli_print_bodies_verdict(const cli_arguments *arguments, const snw_solution *solution);
/* For commands that need no whole person (fill, centers): judges the capture and says only why it
 * is not to be believed at all. Returns an exit code. */
int cli_warn_of_red(const cli_arguments *arguments, const snw_trial *trial);
/* "verdict" and "judgements". */
void cli_json_verdict(cli_json *json, const snw_judgements *judgements);

#endif

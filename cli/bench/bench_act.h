/* `sinew bench hand`, `avatar`, `bodies` and `reach-table`. */
#ifndef SINEW_CLI_BENCH_BENCH_ACT_H
#define SINEW_CLI_BENCH_BENCH_ACT_H

#include "command.h"

int bench_bodies(const cli_arguments *arguments);
int bench_hand(const cli_arguments *arguments);
/* Operands after the first are motions; without them, built-in ones are used. */
int bench_avatar(const cli_arguments *arguments);
/* Operands after the first are the joints of one chain; without them, all rows. */
int bench_reach_table(const cli_arguments *arguments);

#endif

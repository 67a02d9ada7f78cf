/* A sign of life for work that takes more than a second, on a terminal only. */
#ifndef SINEW_CLI_PROGRESS_H
#define SINEW_CLI_PROGRESS_H

/* From now until cli_progress_end, once a second, "sinew convert: working, 3 s (Ctrl-C stops,
 * nothing is left behind)" on stderr, in one line that is wiped at the end. Nothing when stderr is
 * not a terminal. */
void cli_progress_begin(const char *command);
void cli_progress_end(void);

#endif

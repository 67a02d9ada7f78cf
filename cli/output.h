/* Files that the command writes itself (pictures, reports, tables): whole or not at all. */
#ifndef SINEW_CLI_OUTPUT_H
#define SINEW_CLI_OUTPUT_H

#include "command.h"

/* Calls `draw` on a memory stream, then writes what it drew to `path` through snw_write_file,
 * overwriting only with the command's --force. Complains itself; returns an exit code. */
int cli_write_whole(const cli_arguments *arguments, const char *path,
                    void (*draw)(FILE *out, const void *context), const void *context);

/* Says, before long work, that `path` is there and would not be overwritten, or is a folder. True
 * when nothing speaks against writing it. */
bool cli_may_write(const cli_arguments *arguments, const char *path);

/* Notes what the format of `path` has no place for: analog channels, events, rotations. */
void cli_note_losses(const cli_arguments *arguments, const snw_trial *trial, const char *path);

/* Complains about a file that could not be written, and names --force where that would help.
 * Returns CLI_FAILED. */
int cli_fail_writing(const cli_arguments *arguments, const snw_error *error);

/* The bytes of a file with a zero behind them (not counted); free() them. NULL when it cannot be
 * read. */
char *cli_read_whole(const char *path, size_t *size);

#endif

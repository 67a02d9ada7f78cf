/* Files that the command writes itself (pictures, reports, tables): whole or not at all. */
#ifndef SINEW_CLI_OUTPUT_H
#define SINEW_CLI_OUTPUT_H

#include "command.h"

/* What `draw` wrote, with a zero behind its `size` bytes; free it. NULL: there was no memory. */
char *cli_draw(bool (*draw)(FILE *out, const void *context), const void *context, size_t *size);

/* Calls `draw` on a memory stream, then writes what it drew to `path` through snw_write_file,
 * overwriting only with the command's --force. `draw` returns false when it had no memory: nothing
 * is written then, nor where the stream itself had none. Complains itself; returns an exit code. */
int cli_write_whole(const cli_arguments *arguments, const char *path,
                    bool (*draw)(FILE *out, const void *context), const void *context);

/* The same for files that belong to the command itself, such as the table of a run over many files:
 * they are replaced without --force. */
int cli_replace_whole(const cli_arguments *arguments, const char *path,
                      bool (*draw)(FILE *out, const void *context), const void *context);

/* Keeps an actor as text. */
int cli_write_actor(const cli_arguments *arguments, const char *path, const snw_actor *actor);

/* Says, before long work, why one of the paths could not be written later: it is there and --force
 * is not given, it is a folder, or two of them are one file by name or by link; a link or a pipe
 * where the user did not write this name. NULL paths are skipped. Returns an exit code. */
int cli_check_outputs(const cli_arguments *arguments, const char *const *path, int count);
/* The same for the values of options; the list ends with NULL. */
int cli_check_output_options(const cli_arguments *arguments, const char *const *options);

/* Refuses, --force or not, to write over what the command reads (an operand, or the file of an
 * option that is not in the list `outputs`, which ends with NULL), unless it is --output
 * (is_output), which holds the input's content in the same format. `path` may be NULL. An exit
 * code. */
int cli_check_not_input(const cli_arguments *arguments, const char *path, bool is_output,
                        const char *const *outputs);

/* Notes what the format of `path` has no place for: analog channels, events, rotations, points that
 * are not among `points`, labels with tabs, line ends or blanks at the start. */
void cli_note_losses(const cli_arguments *arguments, const snw_trial *trial,
                     snw_point_choice points, const char *path);

/* "39 markers, 24 angles", to standard output. */
void cli_print_point_counts(const snw_trial *trial);

/* Complains about a file that could not be written, and names --force where that would help.
 * Returns CLI_FAILED. */
int cli_fail_writing(const cli_arguments *arguments, const snw_error *error);

/* Bytes as the text of a data: address. */
void cli_put_base64(FILE *out, const uint8_t *bytes, size_t size);

/* The bytes of a file with a zero behind them (not counted); free() them. NULL when it cannot be
 * read, and for what is no file and does not end in 64 MiB. */
char *cli_read_whole(const char *path, size_t *size);

#endif

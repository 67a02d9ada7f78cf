/* Reading captures and motions for a subcommand: options that all of them share, notes on stderr,
 * one sentence on failure. */
#ifndef SINEW_CLI_INPUT_H
#define SINEW_CLI_INPUT_H

#include "command.h"

/* Rows for a command's option table. */
#define CLI_LENIENT_OPTION                                                        \
    {                                                                             \
        "--lenient", NULL, NULL, "keep what can be recovered from a damaged file" \
    }
#define CLI_UP_OPTION                                                     \
    {                                                                     \
        "--up", NULL, "AXIS", "which axis points up: x, y, z, -x, -y, -z" \
    }
#define CLI_INPUT_UNIT_OPTION                                                                    \
    {                                                                                            \
        "--input-unit", NULL, "UNIT", "of a file that names none (BVH, ASF, CSV): mm, cm, m, in" \
    }
#define CLI_NO_JOIN_OPTION                                                                \
    {                                                                                     \
        "--no-join", NULL, NULL, "take unlabelled trajectories as markers, pieces or not" \
    }
#define CLI_NO_RECOGNISE_OPTION                                                                   \
    {                                                                                             \
        "--no-recognise", NULL, NULL, "do not look for a person in markers that nobody has named" \
    }
#define CLI_KEEP_ZEROS_OPTION                                                               \
    {                                                                                       \
        "--keep-zeros", NULL, NULL, "samples at exactly 0 0 0 are places, not missing ones" \
    }
#define CLI_FORCE_OPTION                                        \
    {                                                           \
        "--force", "-f", NULL, "overwrite a file that is there" \
    }

#define CLI_FILTER_OPTION                                                                        \
    {                                                                                            \
        "--filter", NULL, "HZ", "low-pass the markers first; auto: cut-off by residual analysis" \
    }

/* A file's content: a capture, a motion or a table of named coordinates, never two of them. */
typedef struct cli_content {
    snw_format_kind format;
    snw_trial *trial;
    snw_motion *motion;
    snw_table *table;
    snw_notes notes;
} cli_content;

/* "z" or "-y" to an axis; complains and returns false when it is none. */
bool cli_parse_up(const cli_arguments *arguments, const char *option, snw_up_axis *up);
/* "cm" to its length in metres; complains and returns false when it is no unit. */
bool cli_parse_unit(const cli_arguments *arguments, const char *option, const char *text,
                    double *metres);
/* snw_read_options from --lenient, --up, --input-unit and --unit (millimetres), as far as the
 * command has them. */
bool cli_read_options(const cli_arguments *arguments, snw_read_options *options);

/* Reads a capture. Notes go to stderr unless `notes` takes them. Complains itself; NULL on failure.
 */
snw_trial *cli_read_trial(const cli_arguments *arguments, const char *path, snw_notes *notes);
/* *trial becomes its low-passed copy where --filter asks for it, which is noted. Complains itself;
 * returns an exit code. */
int cli_filter_trial(const cli_arguments *arguments, snw_trial **trial);
/* What --keep-zeros, --no-join and --no-recognise leave out. */
snw_solve_options cli_prepare_options(const cli_arguments *arguments);
/* *trial becomes the prepared one (snw_solve up to SNW_SOLVE_PREPARED). Notes go to stderr unless
 * `notes` takes them. Complains itself; false on failure. */
bool cli_prepare_trial(const cli_arguments *arguments, const snw_solve_options *options,
                       snw_trial **trial, snw_notes *notes);
/* As if `more` had been noted behind the others. */
void cli_add_notes(snw_notes *notes, const snw_notes *more);
/* cli_read_trial, with samples at exactly 0 0 0 taken as missing unless --keep-zeros is given. */
snw_trial *cli_read_capture(const cli_arguments *arguments, const char *path, snw_notes *notes);
/* cli_read_trial, with zeros, pieces of trajectories and markers that nobody named as `solve` has
 * them; labels stay where they are. */
snw_trial *cli_read_markers(const cli_arguments *arguments, const char *path, snw_notes *notes);
/* Reads whatever the file holds ("-": standard input; pipes too); an AMC takes its body from the
 * ASF file `asf`. False on failure.
 */
bool cli_read_content(const cli_arguments *arguments, const char *path, const char *asf,
                      cli_content *content);
void cli_release_content(cli_content *content);
/* An actor kept before (snw_actor_print). Complains itself; NULL on failure. */
snw_actor *cli_read_actor(const cli_arguments *arguments, const char *path);
/* A style as learn wrote it. Complains itself; NULL on failure. */
snw_style *cli_read_style(const cli_arguments *arguments, const char *path);
/* A ready-made body; complains with the nearest name and returns NULL when there is none. */
snw_skeleton *cli_make_body(const cli_arguments *arguments, const char *name);
void cli_print_notes(const cli_arguments *arguments, const snw_notes *notes);

#endif

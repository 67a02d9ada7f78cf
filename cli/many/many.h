/* One command over many files: a folder or a list in, an output folder, one line for each file and
 * a table of all at the end. Every file is solved by a process of its own, so that none can stop
 * the rest; what is done is kept in a journal, so that a run that was stopped goes on where it was.
 */
#ifndef SINEW_CLI_MANY_H
#define SINEW_CLI_MANY_H

#include "command.h"

/* What a command found in one file: the line on the screen and the row of the table. Numbers that a
 * command does not find are NaN or -1. Plain data: it goes through a pipe. */
typedef struct cli_row {
    int code; /* exit code of the file's own run */
    int frame_count, marker_count, joint_count;
    int lost_count;      /* frames without a pose */
    int uncertain_count; /* joints whose place the motion does not determine */
    double rate;
    double missing_share; /* of samples */
    double residual;      /* metres, rms of markers against the body */
    double outlier_share;
    double seconds;      /* that it took */
    double memory;       /* bytes of its process at the most */
    uint64_t label_hash; /* of all marker names: trials of one marker set have the same */
    char kind[16];       /* "C3D" */
    char verdict[16];    /* one word, or "" */
    char message[240];   /* why it failed, or the gravest reason of the verdict */
} cli_row;

cli_row cli_row_none(void);
/* Fills the row from a capture. */
void cli_row_take_trial(cli_row *row, const snw_trial *trial);
/* Of the samples of markers, 0 to 1. */
double cli_missing_share(const snw_trial *trial);

/* Rows for a command's option table. */
#define CLI_JOBS_OPTION                                                                     \
    {                                                                                       \
        "--jobs", "-j", "N", "many files: so many at once (default: as many as processors)" \
    }
#define CLI_TO_OPTION                                                               \
    {                                                                               \
        "--to", NULL, "ENDING", "many files: what is written into the folder of -o" \
    }

/* Of commands to which --to means something else. */
#define CLI_AS_OPTION                                                               \
    {                                                                               \
        "--as", NULL, "ENDING", "many files: what is written into the folder of -o" \
    }

#define CLI_SHARD_OPTION                                                          \
    {                                                                             \
        "--shard", NULL, "I/N", "many files: the Ith of N shares of them, as 2/5" \
    }
#define CLI_FILES_OPTION                                                               \
    {                                                                                  \
        "--files", NULL, "LIST", "many files: a path in each line (-: standard input)" \
    }

/* "--as" where the command has that, else "--to". */
const char *cli_ending_option(const cli_arguments *arguments);

/* What a command has that runs on many files and writes one for each. */
#define CLI_MANY_OPTIONS \
    CLI_TO_OPTION, CLI_JOBS_OPTION, CLI_SHARD_OPTION, CLI_FILES_OPTION, CLI_FORCE_OPTION

typedef struct cli_many_kind {
    const char *ending;                  /* of --output unless --to says another; NULL: --to must */
    bool output_is_operand;              /* the command takes IN OUT instead of IN -o OUT */
    bool (*takes)(snw_format_kind kind); /* which files of a folder are meant */
    bool is_by_person; /* all files of a person are one run: --person NAME FILES... */
} cli_many_kind;

/* Several operands (more than two where the command takes IN OUT), a folder among them, or an
 * output that is a folder? */
bool cli_is_many(const cli_arguments *arguments, const cli_many_kind *kind);

/* Runs the arguments' command on each file. Complains itself; CLI_FAILED when any file failed. */
int cli_run_many(const cli_arguments *arguments, const cli_many_kind *kind);

#endif

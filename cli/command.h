/* What a subcommand is, and what it may use: parsed arguments, messages, JSON, files written whole.
 *
 * A subcommand is one file with one `const cli_command`, listed in main.c. Exit codes: 0 done, 1
 * could not do it, 2 wrong usage. Results go to stdout, messages to stderr. */
#ifndef SINEW_CLI_COMMAND_H
#define SINEW_CLI_COMMAND_H

#include <stdio.h>

#include <sinew/sinew.h>

enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2
};

/* One option. value NULL: a flag. Options may be given as --name VALUE or --name=VALUE. */
typedef struct cli_option {
    const char *name;  /* "--seed" */
    const char *brief; /* "-s" or NULL */
    const char *value; /* "N": how the value appears in --help */
    const char *help;
} cli_option;

typedef struct cli_arguments cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *summary;       /* one line for `sinew --help` */
    const char *operands;      /* "IN OUT", for the usage line */
    const char *details;       /* paragraphs and examples, printed after the options */
    const cli_option *options; /* ends with a zero row; --help, --json come by themselves */
    int operand_min;
    int operand_max;
    int (*run)(const cli_arguments *arguments); /* NULL: a program of its own, `sinew-NAME` */
} cli_command;

/* ---- arguments ---------------------------------------------------------------------------- */

#define CLI_VALUES_MAX   256
#define CLI_OPERANDS_MAX 16384 /* a shell that expands *.c3d */
#define CLI_JOBS_MAX     256   /* files at once */

struct cli_row;

struct cli_arguments {
    const cli_command *command;
    bool *is_misused;    /* set by cli_misuse: the exit code is then CLI_USAGE, however the failure
                            travels up */
    struct cli_row *row; /* where a run over many files wants to know what was found; else NULL */
    int word_count;
    char **words; /* (word_count) as they were given */
    int operand_count;
    const char *operand[CLI_OPERANDS_MAX];
    int given_count;
    struct {
        const cli_option *option;
        const char *value;
    } given[CLI_VALUES_MAX];
};

/* Parses and checks; prints the complaint itself. Returns CLI_DONE, CLI_USAGE, or -1 when --help
 * was asked and printed. */
int cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments);
void cli_print_help(const cli_command *command, FILE *out);
/* --help and --json, which every command has; ends with a zero row. */
const cli_option *cli_built_in_options(void);
/* The commands in the order of their names; NULL behind the last. */
const cli_command *cli_command_at(int index);

/* The last value given for an option, or `otherwise`. */
const char *cli_value(const cli_arguments *arguments, const char *name, const char *otherwise);
bool cli_flag(const cli_arguments *arguments, const char *name);
/* Values of an option that may be repeated: the nth, or NULL. */
const char *cli_value_at(const cli_arguments *arguments, const char *name, int n);
/* Numbers, checked against a range; on a bad one they complain and return false. *number keeps its
 * value when the option is not given. */
bool cli_number(const cli_arguments *arguments, const char *name, double low, double high,
                double *number);
bool cli_integer(const cli_arguments *arguments, const char *name, int64_t low, int64_t high,
                 int64_t *number);
/* "1,2.5,3" into exactly `count` numbers. */
bool cli_number_list(const char *text, int count, double *numbers);

/* Runs the subcommand words[0] with the rest as its arguments. */
int cli_dispatch(int word_count, char **words);
/* The same, and what was found goes into the row. */
int cli_dispatch_row(int word_count, char **words, struct cli_row *row);

/* Parses the words and runs one command; returns the exit code of the program. */
int cli_run(const cli_command *command, int word_count, char **words, struct cli_row *row);
/* Standard streams that were closed never become a file that is opened later. */
void cli_keep_standard_streams(void);
/* What was printed without a command leaves; an exit code. */
int cli_end_print(void);

/* The licences of all that is inside this command. */
const char *cli_notices(void);

/* ---- messages ----------------------------------------------------------------------------- */

/* "sinew info: walk.c3d: ..." on stderr. Returns CLI_FAILED. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cli_fail(const cli_arguments *arguments, const char *format, ...);
/* The same for wrong usage, with a hint at --help. Returns CLI_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cli_misuse(const cli_arguments *arguments, const char *format, ...);
/* "sinew info: note: ..." on stderr: something worth knowing, not a failure. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void cli_note(const cli_arguments *arguments, const char *format, ...);
/* Is stderr a terminal that can go back in its line, so that progress may be shown? */
bool cli_is_interactive(void);

/* ---- JSON --------------------------------------------------------------------------------- */

/* Writes JSON to a stream, one value after another; commas and indentation by itself. Numbers that
 * are not finite become null. `key` NULL inside arrays and for the outermost value. */
typedef struct cli_json {
    FILE *out;
    int depth;
    bool has_items[32];
    bool is_line; /* all in one line (JSON lines) */
} cli_json;

cli_json cli_json_begin(FILE *out);
cli_json cli_json_begin_line(FILE *out);
void cli_json_object(cli_json *json, const char *key);
void cli_json_array(cli_json *json, const char *key);
void cli_json_end_object(cli_json *json);
void cli_json_end_array(cli_json *json);
void cli_json_string(cli_json *json, const char *key, const char *text);
/* "notes": code, sentence, and the place as far as it is known; "notes_dropped". */
void cli_json_notes(cli_json *json, const snw_notes *notes);
void cli_json_number(cli_json *json, const char *key, double number);
void cli_json_integer(cli_json *json, const char *key, int64_t number);
void cli_json_boolean(cli_json *json, const char *key, bool truth);
/* Numbers on one line: [1, 2, 3]. */
void cli_json_numbers(cli_json *json, const char *key, const double *numbers, int count);

#endif

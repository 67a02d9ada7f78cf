/* A capture of a person and what angles, gait, kinetics and study do alike with it: reading it and
 * its static, the verdict before any number, columns over time and over the cycle. */
#ifndef SINEW_CLI_WALK_H
#define SINEW_CLI_WALK_H

#include "many/many.h"

typedef struct cli_walk {
    const cli_arguments *arguments;
    const char *path;
    snw_trial *trial;
    snw_trial *still; /* NULL: none */
    snw_judgements judgements;
} cli_walk;

/* Of input.h. */
typedef snw_trial *(*cli_trial_reader)(const cli_arguments *arguments, const char *path,
                                       snw_notes *notes);

/* Checks the options of `outputs` (ends with NULL), then reads the first operand and --static.
 * Complains itself; an exit code. Release in any case. */
int cli_walk_read(cli_walk *walk, const cli_arguments *arguments, const char *const *outputs,
                  cli_trial_reader read);
/* The capture's verdict, which is printed. An exit code. */
int cli_walk_judge(cli_walk *walk);
/* What the trials of --functional tell, each read and told. An exit code. */
int cli_walk_functional(const cli_walk *walk, snw_functional *out);

/* Measures of the files of --measures (.mp, .vsk). An exit code. */
int cli_walk_measures(const cli_walk *walk, snw_subject *subject);

#define CLI_MEASURES_OPTION                                                    \
    {                                                                          \
        "--measures", NULL, "FILE", "of the subject: Vicon's .mp or .vsk file" \
    }
#define CLI_STATIC_OPTION                                                           \
    {                                                                               \
        "--static", NULL, "FILE", "the same person standing still: anatomical zero" \
    }
#define CLI_FUNCTIONAL_OPTION                                                                \
    {                                                                                        \
        "--functional", NULL, "FILE",                                                        \
            "hips (SCoRE) and knee axes (SARA) from the person moving them; may be repeated" \
    }
/* What places the joints of the gait model. */
#define CLI_MODEL_OPTIONS CLI_STATIC_OPTION, CLI_MEASURES_OPTION, CLI_FUNCTIONAL_OPTION

/* Writes what was made of the capture, and takes it; `status` and `error` of the making. An exit
 * code. */
int cli_walk_write(const cli_walk *walk, const char *path, snw_trial *made, snw_status status,
                   snw_error *error);
/* What one file gives to the table of many. */
void cli_walk_fill_row(const cli_walk *walk);
void cli_walk_release(cli_walk *walk);
/* "walk.c3d: " and the sentence; CLI_FAILED. */
int cli_walk_fail(const cli_walk *walk, const snw_error *error);

/* "left" and "right". */
extern const char *const cli_side_name[2];

/* A number of a stride. */
typedef struct cli_stride_number {
    const char *name, *title, *unit;
    size_t offset; /* in a snw_stride */
    double factor;
} cli_stride_number;

#define CLI_STRIDE_NUMBERS 12
extern const cli_stride_number cli_stride_numbers[CLI_STRIDE_NUMBERS];
/* In that unit; NaN where the stride does not tell. */
double cli_stride_number_of(const snw_stride *stride, int number);

/* As files and people want it: degrees, or the column's own unit. */
double cli_column_at(const snw_angles *columns, int frame, int column);
/* Least, greatest and mean; returns in how many frames it is known. */
int cli_column_range(const snw_angles *columns, int column, double range[3]);
/* "time" and every column, a row per frame on the file's clock; empty where not known. */
void cli_put_columns(const snw_angles *columns, const snw_trial *trial, FILE *out);
/* A column that begins or ends with a side belongs to that side's cycles, any other to both; the
 * lab's coordinates of the centre of mass to none. */
bool cli_is_in_cycles(const char *name, int side);
/* "percent", then mean and deviation of every column over its side's strides. False: no memory. */
bool cli_put_cycles(const snw_angles *columns, const snw_strides *strides, FILE *out);
/* .mot or .sto with every column. An exit code. */
int cli_write_columns(const cli_walk *walk, const snw_angles *columns, bool is_in_degrees,
                      const char *path);

#endif

/* What `sinew solve` found, as one HTML page that needs nothing else. */
#ifndef SINEW_CLI_REPORT_H
#define SINEW_CLI_REPORT_H

#include "command.h"

/* Everything a report tells of. Owns nothing. */
typedef struct cli_solution {
    const cli_arguments *arguments; /* of the command that found it */
    const char *path;               /* of the capture */
    const snw_trial *trial;
    const snw_actor *actor;
    const snw_motion *motion;
    const snw_notes *notes;
    const snw_solve_report *report;
    const snw_residuals *residuals;
    const snw_judgements *judgements;
    const struct cli_truth *truth; /* NULL: not known */
    bool is_alone;                 /* nobody else is in the capture */
} cli_solution;

/* Writes the page to `path`, overwriting only with --force. Complains itself; an exit code. */
int cli_report_write(const cli_arguments *arguments, const char *path,
                     const cli_solution *solution);

/* Parts of a page that pages of other commands share: all up to the first heading, with the command
 * that was given; one fact of a <dl>; the body over time (needs trial, motion, residuals).
 */
void cli_report_head(const cli_arguments *arguments, const char *path, const char *title,
                     FILE *out);
void cli_report_fact(const char *name, const char *value, FILE *out);
bool cli_report_body(const cli_solution *solution, FILE *out);

/* How the page looks, in parts; NULL behind the last. */
extern const char *const cli_report_style[];

/* List items: what a person should know before using the result. Returns how many. */
int cli_report_judgements(const cli_solution *solution, FILE *out);

/* Joints and their limits, bones, and markers against the body, as tables. */
void cli_report_joints(const cli_solution *solution, FILE *out);
void cli_report_bones(const cli_solution *solution, FILE *out);
void cli_report_markers(const cli_solution *solution, FILE *out);

/* Every joint's turn over time, where there are no angles with a name; false without memory. */
bool cli_report_turns(const cli_solution *solution, FILE *out);

/* How far each joint is from where it really was. */
void cli_report_truth(const cli_solution *solution, FILE *out);

/* The body at several times with the markers that were seen; false where there is no memory. */
bool cli_report_moments(const cli_solution *solution, FILE *out);
/* A picture of the person's surface and what it weighs, where it is a person; false where there is
 * no memory. */
bool cli_report_figure(const cli_solution *solution, FILE *out);
/* The moving body, for browsers that run scripts; false where there is no memory. */
bool cli_report_player(const cli_solution *solution, FILE *out);

#endif

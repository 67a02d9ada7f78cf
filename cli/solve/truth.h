/* A solved motion against joints whose true places are known. */
#ifndef SINEW_CLI_TRUTH_H
#define SINEW_CLI_TRUTH_H

#include "report/report.h"

/* One true joint and the solved joint that stays nearest to it. */
typedef struct cli_truth_match {
    const char *name;
    int joint;
    double rms;     /* metres, over the frames that show the true joint */
    double across;  /* the same across the axis of a hinge: along it the place is free */
    bool is_mutual; /* no other true joint is nearer to that solved joint */
} cli_truth_match;

typedef struct cli_truth {
    snw_trial *trial; /* the true joint centres, as `sinew synth --truth` writes them */
    int match_count;
    int mutual_count;
    cli_truth_match *match; /* (match_count) mutual ones first, each part nearest first */
} cli_truth;

/* Matches every marker of the capture `path` with the solved joints. Complains itself; an exit
 * code. Release in any case. */
int cli_truth_measure(const cli_arguments *arguments, const char *path,
                      const cli_solution *solution, cli_truth *truth);
void cli_truth_release(cli_truth *truth);

void cli_truth_print(const cli_truth *truth, const snw_skeleton *solved);
void cli_truth_json(cli_json *json, const cli_truth *truth, const snw_skeleton *solved);

#endif

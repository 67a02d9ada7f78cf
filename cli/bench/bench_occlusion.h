/* Figure 4.15 of the FABRIK thesis (Aristidou 2010) drawn anew: where an occluded marker and a
 * centre are said to be, how far off that is, and how often it is how far off. */
#ifndef SINEW_CLI_BENCH_OCCLUSION_H
#define SINEW_CLI_BENCH_OCCLUSION_H

#include "command.h"

enum {
    TRACE_FRAMES = 1600, /* hidden in a run */
    TRACE_KINDS = 2      /* a marker of the first segment, its centre with its bones' lengths */
};

/* What one method said in a run; places in metres, NAN where it said nothing. */
typedef struct occlusion_trace {
    const char *name, *class_name; /* of the legend, of the style sheet */
    snw_vec3 place[TRACE_KINDS][TRACE_FRAMES];
    snw_vec3 truth[TRACE_KINDS][TRACE_FRAMES];
    double *error[TRACE_KINDS]; /* of all runs */
    int error_count[TRACE_KINDS];
} occlusion_trace;

/* Room for so many runs; false: no memory. occlusion_trace_release frees it either way. */
bool occlusion_trace_prepare(occlusion_trace *trace, int run_count);
void occlusion_trace_release(occlusion_trace *trace);
/* The n-th hidden frame of a run, whose places stand for the figure if it is the first. */
void occlusion_trace_add(occlusion_trace *trace, int kind, int n, snw_vec3 place, snw_vec3 truth);

typedef struct occlusion_figure {
    double rate; /* frames a second */
    int trace_count, run_count;
    occlusion_trace *trace; /* (trace_count) */
} occlusion_figure;

/* Sorts the errors, prints medians and what the thesis has, and writes the picture. */
int occlusion_figure_write(const cli_arguments *arguments, const char *path,
                           occlusion_figure *figure);

#endif

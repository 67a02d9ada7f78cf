/* What the parts of `sinew solve` share: the job, and the two ways to the motion and out of it. */
#ifndef SINEW_CLI_SOLVE_H
#define SINEW_CLI_SOLVE_H

#include "command.h"
#include "counter.h"
#include "input.h"
#include "solve/truth.h"

/* How long the steps of a live solve took. */
typedef struct solve_times {
    bool is_live;               /* frame by frame, nothing looked at beforehand; else all is zero */
    double median, late, worst; /* seconds in a frame; late: 99 of 100 were faster */
    double total;               /* seconds in all steps */
    size_t memory;              /* bytes the tracker holds */
    int allocation_count;       /* while the frames went through it */
} solve_times;

/* What the smoothing did to all joints: medians, and the range of the places' cut-offs. */
typedef struct solve_smoothing {
    double place_noise;     /* of the raw motion, metres */
    double turn_noise;      /* radians */
    double lowest, highest; /* half-power frequencies, Hz */
} solve_smoothing;

/* One body of a capture. */
typedef struct solve_job {
    int number; /* of the body among those that are solved, from 1 */
    const snw_solution *solution;
    const snw_solved_body *body;
    const snw_notes *notes; /* what was read, done and found; of the first body also the capture */
    solve_times times;
    solve_smoothing smoothing;
    cli_truth truth; /* empty unless asked for */
} solve_job;

/* Every actor of a capture, or the one that was asked for. */
typedef struct solve_bodies {
    snw_solution *solution;
    int count;
    solve_job *job; /* (count) */
} solve_bodies;

#define SOLVE_PATH_SIZE 4096
/* Where the option's file of this body goes: NULL where the option is not given, "out.bvh" of the
 * first body, "out-2.bvh" of the second. */
const char *cli_solve_path(const cli_arguments *arguments, const solve_job *job, const char *option,
                           char buffer[SOLVE_PATH_SIZE]);

/* The files of --output: a motion for each body, or the capture with all the bodies' view of it.
 * Complains itself. */
int cli_solve_write(const cli_arguments *arguments, const solve_bodies *bodies);
/* Complains when a file that was asked for could not be written later. An exit code. */
int cli_solve_check_outputs(const cli_arguments *arguments);
/* The same for the files of the second body and those after it. */
int cli_solve_check_more(const cli_arguments *arguments, const solve_bodies *bodies);

/* How long each live step of all bodies took, and what they allocated. */
typedef struct solve_clock {
    cli_counter counter; /* of the allocator that the solve takes */
    int count, room;
    double *seconds; /* (count) */
    int allocations;
    const snw_style *style; /* NULL: none */
} solve_clock;

/* snw_solve_options.step, with a solve_clock as context. */
snw_track cli_solve_step(void *context, snw_live_body *live, const snw_frame *frame,
                         snw_pose *pose);
/* False where there was no memory for the times. */
bool cli_solve_judge_times(solve_job *job, solve_clock *clock);
void cli_solve_print_live(const solve_job *job);
void cli_solve_json_live(cli_json *json, const solve_job *job);

void cli_solve_print_style(const solve_job *job);
void cli_solve_json_style(cli_json *json, const solve_job *job);

/* False without memory. */
bool cli_solve_sum_smoothing(solve_job *job);
void cli_solve_print_smooth(const solve_job *job);
void cli_solve_json_smooth(cli_json *json, const solve_job *job);

void cli_solve_print(const cli_arguments *arguments, const solve_bodies *bodies);
void cli_solve_json(const cli_arguments *arguments, const solve_bodies *bodies);

#endif

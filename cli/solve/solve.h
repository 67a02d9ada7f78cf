/* What the parts of `sinew solve` share: the job, and the two ways to the motion and out of it. */
#ifndef SINEW_CLI_SOLVE_H
#define SINEW_CLI_SOLVE_H

#include "command.h"
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

/* How the motion was smoothed; all zero: it is raw. */
typedef struct solve_smoothing {
    bool is_smooth;
    double place_noise;     /* of the raw motion, median of the joints, metres */
    double turn_noise;      /* radians */
    double lowest, highest; /* half-power frequencies, Hz */
} solve_smoothing;

/* One body of a capture. */
typedef struct solve_job {
    int number;       /* of the body among those that are solved, from 1 */
    snw_trial *trial; /* of the first body, as the segments are; the others look at them */
    snw_segments *segments;
    snw_actor *actor; /* as this trial shows it */
    snw_actor *kept;  /* as it is kept for the next trial */
    snw_motion *motion;
    snw_notes notes;
    cli_recognition recognition; /* of the first body; nothing for the others */
    snw_slips slips;             /* the same */
    snw_solve_report report;
    solve_times times;
    solve_smoothing smoothing;
    double calibrated; /* seconds of the trial that made the actor; 0: it came from a file */
    snw_residuals *residuals;
    snw_judgements judgements;
    cli_truth truth;   /* empty unless asked for */
    snw_style *style;  /* of the first body, NULL: none; the others look at it */
    bool *style_knows; /* (joint_count) joints that the style tells; NULL: there is none */
    snw_actor_options actor_options;
    snw_center_method method; /* that actor_options points to, unless automatic */
} solve_job;

/* Every actor of a capture, or the one that was asked for. */
typedef struct solve_bodies {
    int count;
    solve_job *job; /* (count) */
} solve_bodies;

/* The body whose verdict is the gravest, the first of them. */
const solve_job *cli_solve_gravest(const solve_bodies *bodies);

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

/* The motion frame by frame, timed. */
snw_status cli_solve_live(solve_job *job, snw_error *error);
void cli_solve_print_live(const solve_job *job);
void cli_solve_json_live(cli_json *json, const solve_job *job);

/* What the tracker is told: the style, where there is one. */
snw_tracker_options cli_solve_tracker_options(const solve_job *job);
/* Finds out which joints the style tells where they are hidden, once there is an actor. */
snw_status cli_solve_match_style(solve_job *job, snw_error *error);
void cli_solve_print_style(const solve_job *job);
void cli_solve_json_style(cli_json *json, const solve_job *job);

/* Puts the smoothed motion in place of the raw one. */
snw_status cli_solve_smooth(solve_job *job, snw_error *error);
void cli_solve_print_smooth(const solve_job *job);
void cli_solve_json_smooth(cli_json *json, const solve_job *job);

void cli_solve_print(const cli_arguments *arguments, const solve_bodies *bodies);
void cli_solve_json(const cli_arguments *arguments, const solve_bodies *bodies);

#endif

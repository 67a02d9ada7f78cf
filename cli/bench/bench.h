/* What the files bench*.c share: cases to measure, rows of results, and the parts of
 * `sinew bench ik`. Lengths are metres inside, in the JSON too. */
#ifndef SINEW_CLI_BENCH_H
#define SINEW_CLI_BENCH_H

#include "command.h"
#include "counter.h"

/* ---- rows --------------------------------------------------------------------------------- */

/* One case measured with one method. */
typedef struct bench_row {
    char case_name[40];
    char solver[40];
    int target_count;
    double median_us, mean_us, p99_us; /* of one solve: the best of the repetitions per target */
    double iterations;                 /* mean */
    double iterations_median;
    double success;          /* share of targets answered as they should be */
    double worst_error;      /* metres or radians, beyond what cannot be avoided; of all answers */
    int64_t violations;      /* answers outside the joints' limits */
    int64_t allocations;     /* during solves */
    int64_t not_finite;      /* answers with NaN or infinity */
    double joint_step_ratio; /* tracking: largest joint step over the target's angular step */
    int reversals;           /* tracking: turns back and forth while out of reach */
    char note[200];
} bench_row;

#define BENCH_ROWS_MAX 1000
typedef struct bench_rows {
    int count;
    bench_row row[BENCH_ROWS_MAX];
} bench_rows;

/* A new row, empty; the last one again when the table is full. */
bench_row *bench_rows_add(bench_rows *rows, const char *case_name, const char *solver);
/* NULL when there is none. */
const bench_row *bench_rows_find(const bench_rows *rows, const char *case_name, const char *solver);
void bench_rows_print(const bench_rows *rows);
void bench_rows_json(cli_json *json, const char *key, const bench_rows *rows);

/* ---- cases -------------------------------------------------------------------------------- */

/* Many problems on one body, all from the same start. */
typedef struct bench_case {
    char name[40];
    snw_skeleton *body;
    snw_pose *start;
    int goal_count;
    int target_count;
    snw_goal *goals;     /* (target_count x goal_count) */
    double *unavoidable; /* (target_count) the smallest error any answer can have, metres */
    double limit;        /* an error up to this counts as reached: metres, radians */
    snw_ik_options options;
} bench_case;

/* The cases by number, until NULL: chain, human, cone, edge-..., loop-..., arm7. */
const char *bench_case_name(int index);
/* folder: of targets.txt, humanoid.txt and cone.txt, or NULL for targets made on the spot. */
snw_status bench_case_create(int index, const char *folder, int target_count, bench_case *out,
                             snw_error *error);
void bench_case_release(bench_case *c);

/* Body, start pose and room for targets; releases everything on failure. Takes the body. */
snw_status bench_case_prepare(bench_case *c, const char *name, snw_skeleton *body, int goal_count,
                              int target_count, snw_error *error);
/* Ball joints along the given offsets, each from the end of the one before; the last has a tip. */
snw_status bench_make_chain(const snw_vec3 *offsets, int count, const snw_joint_limit *limit,
                            snw_skeleton **out, snw_error *error);
/* count offsets of `length` along +x. */
#define BENCH_CHAIN_MAX 1024
snw_status bench_make_straight_chain(int count, double length, const snw_joint_limit *limit,
                                     snw_skeleton **out, snw_error *error);
/* Position goal of the last joint's tip. */
snw_goal bench_tip_goal(const snw_skeleton *body, snw_vec3 target);
/* Four angles of 25 to 35 degrees and a twist of 30 degrees each way. */
snw_joint_limit bench_cone_limit(void);
/* Every joint anywhere in its ranges, or within `spread` radians (and body sizes, for slides) of
 * rest; limits applied, world filled. */
void bench_scatter(snw_pose *pose, snw_random *random, double spread);

/* ---- measuring ---------------------------------------------------------------------------- */

/* Best of this many solves per target, as the yardstick does it. */
#define BENCH_REPETITIONS 5

/* Measures a case with a method, for at most `budget_s` seconds: targets not reached by then are
 * left out, and the row says how many were solved. SNW_UNSUPPORTED fills the note. */
snw_status bench_measure(const bench_case *c, snw_ik_solver solver, double budget_s, bench_row *row,
                         snw_error *error);
/* The error of a pose measured anew, not taken from the solver: the worst goal or open pin. */
double bench_error(const bench_case *c, const snw_goal *goals, snw_pose *pose);
bool bench_pose_is_finite(const snw_pose *pose);

/* True when the option was not given at all, or with this value. */
bool bench_is_asked(const cli_arguments *arguments, const char *option, const char *value);

/* ---- parts of `sinew bench ik` ------------------------------------------------------------- */

/* A target that moves in and out of reach on two paths; adds a row each. */
snw_status bench_tracking(snw_ik_solver solver, double budget_s, bench_rows *rows,
                          snw_error *error);
#define BENCH_TRACKING_CASE "tracking"
/* Many chains at once, in floats; adds rows "batch" and "batch-portable". */
snw_status bench_batch(const char *folder, int target_count, bench_rows *rows, snw_error *error);

/* Runs a peer in the folder of the targets and adds its rows under `name`; false when it does not
 * run or prints nothing we know. */
bool bench_run_peer(const char *name, const char *program, const char *folder, bench_rows *rows);

/* Each returns an exit code. */
/* Prints the goals with figures and verdicts, as JSON when `json` is given; `rounds` holds one
 * table per round. Returns how many are missed. */
int bench_print_goals(cli_json *json, const bench_rows *rounds, int round_count);
int bench_ik(const cli_arguments *arguments);
int bench_ik_tables(const cli_arguments *arguments);
int bench_ik_figures(const cli_arguments *arguments, const char *folder);
/* Random problems among obstacles. */
int bench_ik_apart(const cli_arguments *arguments);
/* What table 3.1 prints for the method; false: it is not in it. */
bool bench_printed(snw_ik_solver solver, double *iterations, double *milliseconds);
int bench_ik_growth(const cli_arguments *arguments, const char *path);
/* Styles on motions of people they were not learned from. */
int bench_style(const cli_arguments *arguments);
/* Keypoints and centroids a second. */
int bench_views(const cli_arguments *arguments);
/* Whole segments of captures hidden, without and with a style. */
int bench_segments(const cli_arguments *arguments);
/* Published robot arms at 1e-5 m and 1e-5 rad. */
int bench_ik_servo(const cli_arguments *arguments);
int bench_ik_robots(const cli_arguments *arguments);
/* Many problems at once on bodies with limits, against one by one. */
int bench_ik_batch(const cli_arguments *arguments);
/* Share of targets reached by kind of limit, with the rule that the thesis prints. */
int bench_ik_limits(const cli_arguments *arguments);
/* Targets out of reach, poses solved again, rest, starts near an answer, closed paths, poles. */
int bench_ik_steady(const cli_arguments *arguments);
int bench_ik_soak(const cli_arguments *arguments, int64_t solve_count);

/* `sinew bench see`: captures in trouble. */
int bench_see(const cli_arguments *arguments);
/* `sinew bench occlusion`, and with --gaps PICTURE. */
int bench_occlusion(const cli_arguments *arguments);
int bench_gaps(const cli_arguments *arguments, const char *picture);
/* Captures of people from the folder SINEW_CORPUS, or the one of --capture. */
int bench_corpus(const cli_arguments *arguments, int run_count);
/* The markers of a trial that are always seen; destroys the trial. Complains itself; NULL on
 * failure. */
snw_trial *bench_pick_complete(const cli_arguments *arguments, snw_trial *trial);

#endif

/* What `sinew ik` is asked and what it answers: shared by the files reach_*.c and ik.c. Lengths on
 * the command line are millimetres and angles degrees; inside they are metres and radians. */
#ifndef SINEW_CLI_REACH_H
#define SINEW_CLI_REACH_H

#include "command.h"

/* Goals of one problem: the pairs of shapes of a humanoid robot with fingers are some 800. */
enum {
    REACH_GOALS_MAX = 1024
};

typedef struct reach_problem {
    char name[200]; /* of the preset, or the file */
    snw_skeleton *body;
    snw_pose *start;
    double rate; /* frames per second of the targets, else of the file */
    snw_ik_options options;
    double *stiffness; /* (joint_count) of the options, or NULL */
    snw_style *style;  /* of the options, or NULL */
    int goal_count;
    snw_goal goal[REACH_GOALS_MAX];
    snw_body_shape *shapes;      /* that goals keep apart, or NULL */
    snw_vec3 *hull_points;       /* of those that are meshes */
    int apart_count;             /* goals that do so */
    int target_first;            /* goals from here on follow markers of `targets` */
    int marker[REACH_GOALS_MAX]; /* (goal_count) marker of the goal, -1: it stays */
    snw_trial *targets;          /* NULL: the goals stay, there is one frame */
    int frame_count;             /* of the answer */
} reach_problem;

/* One method's answer. */
typedef struct reach_answer {
    snw_ik_solver solver;
    bool is_served; /* false: `refusal` says why the method is not for this problem */
    char refusal[256];
    snw_ik *ik;     /* after the last frame */
    snw_pose *pose; /* of the last frame */
    snw_motion *motion;
    snw_ik_result result; /* of the last frame */
    int reached_count;    /* frames */
    double iterations;    /* mean over frames */
    double worst_excess;  /* over frames: the worst goal's residual over its tolerance */
    double violation;     /* largest over frames, see snw_pose_violation */
    double microseconds;  /* median of repeated solves, or over frames */
} reach_answer;

/* ---- reach_problem.c ---------------------------------------------------------------------- */

/* Fills the problem from the command line; complains itself and returns an exit code. Release the
 * problem in any case. */
int reach_problem_read(const cli_arguments *arguments, reach_problem *problem);
void reach_problem_release(reach_problem *problem);
/* How near a position must come, in metres: the library takes a body without size as one metre. */
double reach_tolerance(const reach_problem *problem);

/* ---- reach_goal.c ------------------------------------------------------------------------- */

/* Is this option one that states a goal? */
bool reach_is_goal_option(const char *option_name);
/* The joint called "NAME", or "NAME/tip" for the end of its bone; -1 when there is none. */
int reach_find_joint(const snw_skeleton *body, const char *label, bool *is_tip);
/* Complains that the body has none of that name: the nearest, or those it has. An exit code. */
int reach_complain_joint(const cli_arguments *arguments, const snw_skeleton *body,
                         const char *option, const char *name);
/* Reads "JOINT[/tip]:NUMBERS[:NUMBERS][*WEIGHT]"; complains itself. */
bool reach_parse_goal(const cli_arguments *arguments, const snw_pose *start,
                      const char *option_name, const char *text, snw_goal *goal);
/* "0.12 mm" or "0.3 deg" or both, as the goal measures. */
void reach_format_residual(const snw_skeleton *body, const snw_goal *goal, double residual,
                           double turn_residual, char *text, size_t size);
/* Does the residual of this goal count radians? */
bool reach_goal_is_turn(const snw_skeleton *body, const snw_goal *goal);

/* ---- reach_solve.c ------------------------------------------------------------------------ */

/* Solves all frames with one method. Complains itself unless the method only says that the problem
 * is not for it. */
int reach_solve(const cli_arguments *arguments, const reach_problem *problem, snw_ik_solver solver,
                reach_answer *answer);
void reach_answer_release(reach_answer *answer);
/* The goals as they stand in a frame. `goals` holds those of the frame before. */
void reach_goals_at(const reach_problem *problem, int frame, snw_goal *goals);

/* ---- reach_values.c ----------------------------------------------------------------------- */

/* Coordinates of all joints (joint_count x 6, to be freed) in the last frame, radians and metres:
 * hinges on the turn nearest to the frame before that their range allows, so that they do not jump.
 * Rows of every frame go to `out` where there is one. NULL without memory. */
double *reach_values(const snw_motion *motion, FILE *out);
/* In degrees or millimetres as the file counts (MJCF ref), and which. */
double reach_shown_value(const snw_skeleton *body, int joint, int k, double value);
const char *reach_value_unit(const snw_skeleton *body, int joint, int k);
/* Are its joints those of a file, or hinges, slides and universal joints alone? */
bool reach_is_robot(const snw_skeleton *body);
/* A row of values for each frame of the motion (context), under the joints' names. */
bool reach_write_values(FILE *out, const void *context);

/* ---- reach_solutions.c -------------------------------------------------------------------- */

/* Every answer of an arm to one pose goal. Complains itself; returns an exit code. */
int reach_all_solutions(const cli_arguments *arguments, const reach_problem *problem);

/* ---- reach_map.c -------------------------------------------------------------------------- */

/* --map: what a joint reaches of the space about the body. */
int reach_map(const cli_arguments *arguments, const reach_problem *problem);

/* ---- reach_search.c ----------------------------------------------------------------------- */

/* Answers of six hinges found from many starts, room for SNW_IK_SOLUTIONS_MAX.
 * False where the arm has not six that are not held. */
bool reach_search_solutions(const reach_problem *problem, const snw_ik_arm *arm,
                            snw_ik_solution *solutions, int *count);

/* ---- reach_motion.c ----------------------------------------------------------------------- */

/* --stairs and --gaze: every frame of FILE's motion. */
int reach_over_motion(const cli_arguments *arguments);

/* ---- reach_time.c ------------------------------------------------------------------------- */

/* Follows the goals from the start, which moves, by a servo. */
int reach_step(const cli_arguments *arguments, const reach_problem *problem);
/* From the start to the answer, or along the answers to --targets. */
int reach_trajectory(const cli_arguments *arguments, const reach_problem *problem,
                     const reach_answer *answer);

/* ---- ik.c --------------------------------------------------------------------------------- */

/* To --output, if it is given: a motion, or a table of values. */
int reach_write_motion(const cli_arguments *arguments, const snw_motion *motion);

/* ---- reach_report.c ----------------------------------------------------------------------- */

void reach_print_table(const reach_problem *problem, const reach_answer *answers, int count);
/* Values in the last frame, by joint. */
void reach_print_values(const snw_motion *motion);
void reach_put_values(cli_json *json, const snw_motion *motion);
void reach_print_json(const reach_problem *problem, const reach_answer *answers, int count);

#endif

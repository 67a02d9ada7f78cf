/* What the parts of `sinew bench see` share: a capture solved as `sinew solve` does it, figures and
 * their goals, virtual captures with known truth. Metres inside. */
#ifndef SINEW_CLI_BENCH_SEE_H
#define SINEW_CLI_BENCH_SEE_H

#include "bench/bench.h"

/* ---- figures ----------------------------------------------------------------------------------
 */

typedef struct see_figure {
    char trouble[40];
    char measure[72];
    double value; /* NaN: not measured */
    double goal;
    bool is_least; /* the value must be at least the goal, not at most */
} see_figure;

#define SEE_FIGURES_MAX 120
typedef struct see_figures {
    int count;
    see_figure figure[SEE_FIGURES_MAX];
    const char *only; /* rows of troubles that hold this word alone; NULL: all */
} see_figures;

bool see_is_asked(const see_figures *figures, const char *trouble);
void see_add(see_figures *figures, const char *trouble, const char *measure, double value,
             double goal, bool is_least);
/* Each figure beside its goal, as JSON where that is asked for. */
void see_print(const cli_arguments *arguments, const see_figures *figures);

/* ---- one capture ------------------------------------------------------------------------------
 */

typedef struct see_solved {
    snw_solution *solution;
    const snw_trial *trial; /* of the solution, as those below */
    const snw_actor *actor; /* as it is kept */
    const snw_actor *told;  /* as the motion shows it */
    const snw_motion *motion;
    snw_motion *own; /* a motion in place of the solution's; NULL: none */
    snw_solve_report report;
    snw_vec3 *joint; /* (frame_count x joint_count) */
} see_solved;

/* As `sinew solve` does it; actor: of another trial, or NULL. False, with everything released,
 * where it is refused. */
bool see_solve(const snw_trial *trial, const snw_actor *actor, int part, see_solved *out);
void see_release(see_solved *solved);
snw_vec3 see_joint(const see_solved *solved, int frame, int joint);
/* The motion smoothed over the trial instead of the raw one; false: it stays raw. */
bool see_smooth(see_solved *solved);
/* The motion as the tracker gives it live, frame by frame; false: it stays what it is. */
bool see_live(see_solved *solved);
/* How far the solved joint nearest to a true one is from it (rms), in mm; NaN: there is none. */
double see_nearest_mm(const see_solved *solved, const snw_trial *truth, const char *name);

/* ---- virtual captures ---------------------------------------------------------------------------
 */

typedef enum see_layout {
    SEE_FOUR,         /* markers on every segment */
    SEE_TWO,          /* on every segment */
    SEE_TWO_SEGMENTS, /* on arms and legs, four on the trunk */
    SEE_ONE_ENDS      /* on hands and feet, four elsewhere */
} see_layout;

typedef struct see_trouble {
    const char *name;
    see_layout layout;
    double noise;   /* standard deviation of a coordinate */
    double wobble;  /* skin that slides with the joint's angle */
    double gaps;    /* share of samples */
    int swaps;      /* single markers of both sides that change places for a second */
    bool is_smooth; /* the smoothed motion is scored */
    bool has_slips; /* one marker in eleven slips by 10 to 40 mm, once */
} see_trouble;

/* What came out over all motions. */
typedef struct see_score {
    int joints, within_5, within_20, within_25;
    int stated, within_2_sigma; /* joints with a figure, and those that keep to twice it */
    int certain, certain_wrong; /* off by more than 20 mm */
    int captures, refused;
    int frames, lost;
    int slips, slips_told, slips_wrong; /* marker, moment and distance are right; nothing slipped */
    double error;                       /* sum over joints, metres */
} see_score;

/* A motion with its segments: joints that turn, with a bone to put markers on. */
typedef struct see_body see_body;
/* From a BVH of the CMU database, or NULL for a built-in motion. */
see_body *see_body_create(const char *path, snw_synth_motion_kind motion);
void see_body_destroy(see_body *body);
/* Everything but the right arm keeps `share` of its motion about the mean: a person who waves. */
void see_body_calm(see_body *body, double share);
void see_measure_virtual(const see_body *body, const see_trouble *trouble, see_score *score);

/* ---- actors and time ----------------------------------------------------------------------------
 */

#define SEE_SMOOTHER "smoother"
/* Bodies may be NULL. */
void see_measure_smoother(const see_body *const *bodies, int count, see_figures *figures);
/* Standing, an actor of another trial, ranges. */
void see_measure_actors(see_figures *figures);

/* ---- real captures
 * ------------------------------------------------------------------------------- */

/* All rows that need files. */
void see_measure_corpus(const char *folder, see_figures *figures);

#endif

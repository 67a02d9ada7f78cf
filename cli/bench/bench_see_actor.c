/* Rows of `sinew bench see` about actors and time: a person who stands for half a second, an actor
 * of a static trial on a moving one, more noise and more skin than the actor saw, ranges of the
 * trial that was solved, and the smoother. */
#include <math.h>
#include <string.h>

#include "bench/bench_see.h"

/* Seconds of standing, and of what is then solved. */
#define SEE_STANDING 0.5
#define SEE_MOVING   5.0

typedef struct see_person {
    snw_skeleton *body;
    snw_synth *synth;
} see_person;

/* The same person with the same markers in each: the seed places them. */
static bool make_person(snw_synth_motion_kind motion, double noise, double wobble,
                        see_person *person)
{
    snw_synth_options options = snw_synth_options_default();
    memset(person, 0, sizeof *person);
    options.motion = motion;
    options.seconds = SEE_MOVING;
    options.noise = noise;
    options.wobble = wobble;
    return snw_preset_create("humanoid", NULL, &person->body, NULL) == SNW_OK &&
           snw_synth_create(person->body, NULL, &options, NULL, &person->synth, NULL) == SNW_OK;
}

static void release_person(see_person *person)
{
    snw_synth_destroy(person->synth);
    snw_skeleton_destroy(person->body);
}

static double lost_percent(const see_solved *solved)
{
    int frames = solved->report.frame_count;
    return frames > 0 ? 100.0 * solved->report.lost_count / frames : NAN;
}

/* Frames lost of a motion that is solved with an actor of another trial. */
static double lost_with(const snw_actor *actor, snw_synth_motion_kind motion, double noise,
                        double wobble)
{
    see_person person;
    see_solved solved;
    double lost = NAN;
    if (make_person(motion, noise, wobble, &person) &&
        see_solve(person.synth->capture, actor, 0, &solved)) {
        lost = lost_percent(&solved);
        see_release(&solved);
    }
    release_person(&person);
    return lost;
}

/* ---- standing ------------------------------------------------------------------------------- */

static void measure_standing(see_figures *figures)
{
    static const char *const title = "half a second of standing";
    see_person person;
    see_solved stands;
    if (!see_is_asked(figures, title)) return;
    if (make_person(SNW_SYNTH_REACH, 0.0003, 0.002, &person)) {
        int frames = (int)(SEE_STANDING * person.synth->capture->rate);
        snw_trial window = snw_trial_window(person.synth->capture, 0, frames);
        snw_trial truth = snw_trial_window(person.synth->joint_truth, 0, frames);
        if (see_solve(&window, NULL, 0, &stands)) {
            static const char *const names[] = {"left_hip", "left_knee", "left_ankle"};
            for (int n = 0; n < 3; n++) {
                char measure[72];
                snw_format(measure, sizeof measure, "nearest joint to the true %s, mm", names[n]);
                see_add(figures, title, measure, see_nearest_mm(&stands, &truth, names[n]), 20,
                        false);
            }
            see_add(figures, title, "its actor on a dance: frames lost, %",
                    lost_with(stands.actor, SNW_SYNTH_DANCE, 0.0003, 0.002), 0, false);
            see_add(figures, title, "its actor on a walk: frames lost, %",
                    lost_with(stands.actor, SNW_SYNTH_WALK, 0.0003, 0.002), 0, false);
            see_release(&stands);
        }
    }
    release_person(&person);
}

/* ---- more than the actor saw ---------------------------------------------------------------- */

static void measure_excess(see_figures *figures)
{
    static const char *const title = "more than the actor saw";
    see_person person;
    see_solved made;
    if (!see_is_asked(figures, title)) return;
    if (make_person(SNW_SYNTH_RANGE, 0.0005, 0, &person) &&
        see_solve(person.synth->capture, NULL, 0, &made)) {
        see_add(figures, title, "6 times the noise: frames lost, %",
                lost_with(made.actor, SNW_SYNTH_DANCE, 0.003, 0), 1, false);
        see_add(figures, title, "10 mm of wobble: frames lost, %",
                lost_with(made.actor, SNW_SYNTH_DANCE, 0.0005, 0.010), 1, false);
        see_release(&made);
    }
    release_person(&person);
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* What an actor of a calm start tells of a knee in the whole motion, over what one of the whole
 * motion tells. */
static void measure_ranges(see_figures *figures)
{
    static const char *const title = "ranges";
    see_person person;
    see_solved calm, whole, told;
    if (!see_is_asked(figures, title)) return;
    if (make_person(SNW_SYNTH_RANGE, 0.0003, 0.002, &person) &&
        see_solve(person.synth->capture, NULL, 0, &whole)) {
        int frames = (int)(SEE_STANDING * person.synth->capture->rate);
        snw_trial window = snw_trial_window(person.synth->capture, 0, frames);
        int joint = snw_skeleton_find_joint(whole.actor->skeleton, "LeftLeg");
        double ratio = NAN;
        if (joint >= 0 && see_solve(&window, NULL, 0, &calm)) {
            int same = snw_skeleton_find_joint(calm.actor->skeleton, "LeftLeg");
            if (same >= 0 && see_solve(person.synth->capture, calm.actor, 0, &told)) {
                ratio = 100 * told.told->estimate[same].range / whole.told->estimate[joint].range;
                see_release(&told);
            }
            see_release(&calm);
        }
        see_add(figures, title, "knee with an actor of a calm start, % of what it turned", ratio,
                90, true);
        see_release(&whole);
    }
    release_person(&person);
}

/* ---- the smoother --------------------------------------------------------------------------- */

void see_measure_smoother(const see_body *const *bodies, int count, see_figures *figures)
{
    static const see_trouble rows[] = {{"fine", SEE_FOUR, 0.0005, 0, 0, 0, false, false},
                                       {"noisy", SEE_FOUR, 0.003, 0, 0, 0, false, false}};
    static const char *const titles[] = {"0.5 mm: error over that of the raw motion, worst",
                                         "3 mm: error over that of the raw motion, worst"};
    static const double goals[] = {1.0, 0.85};
    for (int n = 0; n < 2; n++) {
        double worst = NAN;
        for (int k = 0; k < count; k++) {
            see_score raw, smooth;
            see_trouble trouble = rows[n];
            memset(&raw, 0, sizeof raw);
            memset(&smooth, 0, sizeof smooth);
            if (!bodies[k]) continue;
            see_measure_virtual(bodies[k], &trouble, &raw);
            trouble.is_smooth = true;
            see_measure_virtual(bodies[k], &trouble, &smooth);
            double ratio = smooth.error / raw.error;
            if (!(ratio <= worst)) worst = ratio;
        }
        see_add(figures, SEE_SMOOTHER, titles[n], worst, goals[n], false);
    }
}

void see_measure_actors(see_figures *figures)
{
    measure_standing(figures);
    measure_excess(figures);
    measure_ranges(figures);
}

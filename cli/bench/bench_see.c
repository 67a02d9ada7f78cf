/* `sinew bench see`: captures in trouble, real and virtual, each figure beside its goal. */
#include "bench/bench_see.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "input.h"

/* ---- figures ----------------------------------------------------------------------------------
 */

bool see_is_asked(const see_figures *figures, const char *trouble)
{
    return !figures->only || strstr(trouble, figures->only);
}

void see_add(see_figures *figures, const char *trouble, const char *measure, double value,
             double goal, bool is_least)
{
    if (figures->count == SEE_FIGURES_MAX) return;
    see_figure *figure = figures->figure + figures->count++;
    snw_format(figure->trouble, sizeof figure->trouble, "%s", trouble);
    snw_format(figure->measure, sizeof figure->measure, "%s", measure);
    figure->value = value;
    figure->goal = goal;
    figure->is_least = is_least;
}

static bool is_met(const see_figure *figure)
{
    return figure->is_least ? figure->value >= figure->goal : figure->value <= figure->goal;
}

static const char *outcome(const see_figure *figure)
{
    return isnan(figure->value) ? "not measured" : is_met(figure) ? "pass" : "miss";
}

static void print_figures(const see_figures *figures)
{
    int met = 0, missed = 0;
    printf("%-26s %-52s %9s %11s\n", "trouble", "measure", "measured", "goal");
    for (int n = 0; n < figures->count; n++) {
        const see_figure *figure = figures->figure + n;
        bool is_new = n == 0 || strcmp(figure->trouble, figure[-1].trouble) != 0;
        printf("%-26s %-52s ", is_new ? figure->trouble : "", figure->measure);
        if (isnan(figure->value))
            printf("%9s", "-");
        else
            printf("%9.4g", figure->value);
        printf(" %s %8.4g  %s\n", figure->is_least ? ">=" : "<=", figure->goal, outcome(figure));
        met += !isnan(figure->value) && is_met(figure);
        missed += !isnan(figure->value) && !is_met(figure);
    }
    printf("\n%d goals met, %d missed, %d not measured\n", met, missed,
           figures->count - met - missed);
}

static void json_figures(const see_figures *figures)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_array(&json, "figures");
    for (int n = 0; n < figures->count; n++) {
        const see_figure *figure = figures->figure + n;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "trouble", figure->trouble);
        cli_json_string(&json, "measure", figure->measure);
        cli_json_number(&json, "value", figure->value);
        cli_json_number(&json, "goal", figure->goal);
        cli_json_boolean(&json, "at_least", figure->is_least);
        cli_json_string(&json, "outcome", outcome(figure));
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

void see_print(const cli_arguments *arguments, const see_figures *figures)
{
    if (cli_flag(arguments, "--json"))
        json_figures(figures);
    else
        print_figures(figures);
}

/* ---- one capture ------------------------------------------------------------------------------
 */

static bool lay_joints(see_solved *out)
{
    snw_pose *pose = NULL;
    int joints = out->actor->skeleton->joint_count;
    out->joint = malloc((size_t)out->trial->frame_count * (size_t)joints * sizeof *out->joint);
    if (!out->joint || snw_pose_create(out->actor->skeleton, NULL, &pose, NULL) != SNW_OK)
        return false;
    for (int f = 0; f < out->trial->frame_count; f++) {
        snw_motion_get(out->motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 0; j < joints; j++)
            out->joint[(size_t)f * (size_t)joints + (size_t)j] = pose->world[j].translation;
    }
    snw_pose_destroy(pose);
    return true;
}

bool see_solve(const snw_trial *trial, const snw_actor *actor, int part, see_solved *out)
{
    snw_solve_options options = snw_solve_options_default();
    memset(out, 0, sizeof *out);
    options.actor = actor;
    options.part = part + 1;
    if (snw_solve(trial, &options, NULL, &out->solution, NULL) != SNW_OK) return false;
    const snw_solved_body *body = out->solution->body;
    out->trial = out->solution->trial;
    out->actor = body->kept;
    out->told = body->actor;
    out->motion = body->motion;
    out->report = body->report;
    if (lay_joints(out)) return true;
    see_release(out);
    return false;
}

void see_release(see_solved *solved)
{
    free(solved->joint);
    snw_motion_destroy(solved->own);
    snw_solution_destroy(solved->solution);
    memset(solved, 0, sizeof *solved);
}

snw_vec3 see_joint(const see_solved *solved, int frame, int joint)
{
    return solved
        ->joint[(size_t)frame * (size_t)solved->actor->skeleton->joint_count + (size_t)joint];
}

static bool take_motion(see_solved *solved, snw_motion *motion)
{
    snw_motion_destroy(solved->own);
    free(solved->joint);
    solved->motion = solved->own = motion;
    return lay_joints(solved);
}

bool see_smooth(see_solved *solved)
{
    snw_motion *smooth = NULL;
    if (snw_motion_smooth(solved->motion, solved->actor, NULL, &smooth, NULL, NULL) != SNW_OK)
        return false;
    return take_motion(solved, smooth);
}

bool see_live(see_solved *solved)
{
    snw_live_body *live = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    bool is_made = snw_live_body_create_for_trial(solved->actor, solved->trial, NULL, NULL, &live,
                                                  NULL) == SNW_OK &&
                   snw_pose_create(solved->actor->skeleton, NULL, &pose, NULL) == SNW_OK &&
                   snw_motion_create(solved->actor->skeleton, solved->trial->frame_count,
                                     solved->trial->rate, NULL, &motion, NULL) == SNW_OK;
    for (int f = 0; is_made && f < solved->trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(solved->trial, f);
        (void)snw_live_body_step(live, &frame, pose);
        snw_motion_set(motion, f, pose);
    }
    snw_pose_destroy(pose);
    snw_live_body_destroy(live);
    return is_made && take_motion(solved, motion);
}

/* ---- virtual markers ----------------------------------------------------------------------------
 */

typedef struct see_case {
    see_trouble trouble;
    const char *title;
    double least_5, least_20, least_25; /* shares in per cent that are the goal; 0: none */
    bool is_honest; /* 90 % within two stated deviations, 1 % certain and wrong */
} see_case;

static const see_case see_cases[] = {
    {{"plain", SEE_FOUR, 0.0005, 0, 0, 0, false, false}, "none (0.5 mm)", 97, 98, 0, true},
    {{"noise", SEE_FOUR, 0.003, 0, 0, 0, false, false}, "3 mm of noise", 90, 98, 0, true},
    {{"gaps", SEE_FOUR, 0.003, 0, 0.25, 0, false, false}, "3 mm, 25 % gaps", 90, 98, 0, true},
    {{"swaps", SEE_FOUR, 0.0005, 0, 0, 6, false, false}, "six swaps of 1 s", 0, 98, 0, true},
    {{"slips", SEE_FOUR, 0.0005, 0, 0, 0, false, true}, "slips", 90, 98, 0, true},
    {{"slips", SEE_FOUR, 0.003, 0, 0.10, 0, false, true},
     "slips, 3 mm, 10 % gaps",
     90,
     98,
     0,
     true},
    {{"wobble", SEE_FOUR, 0.0005, 0.010, 0, 0, false, false}, "10 mm sliding skin", 0, 0, 0, true},
    {{"two", SEE_TWO_SEGMENTS, 0.0005, 0, 0, 0, false, false},
     "two markers a segment",
     0,
     0,
     0,
     true},
    {{"thin", SEE_TWO, 0.0005, 0, 0, 0, false, false}, "two on every segment", 0, 0, 0, true},
    {{"ends", SEE_ONE_ENDS, 0.0005, 0, 0, 0, false, false}, "one on hands and feet", 0, 0, 0, true},
};

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : NAN;
}

static void add_case(see_figures *figures, const see_case *c, const see_score *score)
{
    const char *title = c->title;
    if (c->least_5 > 0)
        see_add(figures, title, "joints within 5 mm, %", percent(score->within_5, score->joints),
                c->least_5, true);
    if (c->least_20 > 0)
        see_add(figures, title, "joints within 20 mm, %", percent(score->within_20, score->joints),
                c->least_20, true);
    if (c->least_25 > 0)
        see_add(figures, title, "joints within 25 mm, %", percent(score->within_25, score->joints),
                c->least_25, true);
    see_add(figures, title, "within 2 stated deviations, %",
            percent(score->within_2_sigma, score->stated), 90, true);
    see_add(figures, title, "certain and more than 20 mm off, % of all",
            percent(score->certain_wrong, score->joints), 1, false);
    if (c->trouble.has_slips) {
        see_add(figures, title, "slips told with marker, frame and distance, %",
                percent(score->slips_told, score->slips), 90, true);
    }
    see_add(figures, title, "slips told where none is", score->slips_wrong, 0, false);
    see_add(figures, title, "captures refused", score->refused, 0, false);
    see_add(figures, title, "frames lost, %", percent(score->lost, score->frames), 1, false);
}

static void measure_cases(const char *folder, see_figures *figures)
{
    static const char *const files[] = {"02_05", "05_02", "49_06"};
    static const snw_synth_motion_kind motions[] = {SNW_SYNTH_RANGE, SNW_SYNTH_DANCE,
                                                    SNW_SYNTH_BOXING};
    see_score score[sizeof see_cases / sizeof *see_cases];
    see_body *bodies[3];
    memset(score, 0, sizeof score);
    for (int f = 0; f < 3; f++) {
        char path[4096];
        snw_format(path, sizeof path, "%s/bvh/%s.bvh", folder ? folder : "", files[f]);
        see_body *body = see_body_create(folder ? path : NULL, motions[f]);
        bodies[f] = body;
        for (size_t n = 0; body && n < sizeof see_cases / sizeof *see_cases; n++)
            if (see_is_asked(figures, see_cases[n].title))
                see_measure_virtual(body, &see_cases[n].trouble, score + n);
    }
    for (size_t n = 0; n < sizeof see_cases / sizeof *see_cases; n++)
        if (see_is_asked(figures, see_cases[n].title)) add_case(figures, see_cases + n, score + n);
    if (see_is_asked(figures, SEE_SMOOTHER))
        see_measure_smoother((const see_body *const *)bodies, 3, figures);
    for (int f = 0; f < 3; f++)
        see_body_destroy(bodies[f]);
}

/* CMU motions of which everything but the right arm keeps a share: with 0.1 other joints turn by 4
 * to 10 degrees from end to end, with 0.03 by 2 to 4, half of which is noise. */
static void measure_waves(const char *folder, see_figures *figures)
{
    static const char *const files[] = {"02_01", "02_05", "49_06"};
    static const see_case waves[] = {{{"sway", SEE_FOUR, 0.0005, 0, 0, 0, false, false},
                                      "calm: waves and sways",
                                      0,
                                      0,
                                      85,
                                      true},
                                     {{"stand", SEE_FOUR, 0.0005, 0, 0, 0, false, false},
                                      "calm: waves and stands",
                                      0,
                                      0,
                                      85,
                                      true}};
    static const double share[] = {0.1, 0.03};
    for (int n = 0; n < 2; n++) {
        see_score score;
        memset(&score, 0, sizeof score);
        if (!see_is_asked(figures, waves[n].title)) continue;
        for (int f = 0; f < 3; f++) {
            char path[4096];
            snw_format(path, sizeof path, "%s/bvh/%s.bvh", folder, files[f]);
            see_body *body = see_body_create(path, SNW_SYNTH_REACH);
            if (body) {
                see_body_calm(body, share[n]);
                see_measure_virtual(body, &waves[n].trouble, &score);
            }
            see_body_destroy(body);
        }
        add_case(figures, waves + n, &score);
    }
}

/* A person who reaches while the legs stand. */
static void measure_calm(const char *folder, see_figures *figures)
{
    static const see_case calm = {
        {"calm", SEE_FOUR, 0.0005, 0, 0, 0, false, false}, "calm: reaches", 0, 0, 85, true};
    see_score score;
    memset(&score, 0, sizeof score);
    if (folder) measure_waves(folder, figures);
    if (!see_is_asked(figures, calm.title)) return;
    see_body *body = see_body_create(NULL, SNW_SYNTH_REACH);
    if (body) see_measure_virtual(body, &calm.trouble, &score);
    see_body_destroy(body);
    add_case(figures, &calm, &score);
}

/* ---- several bodies -----------------------------------------------------------------------------
 */

static snw_synth *make_synth(snw_skeleton **body, const snw_synth_options *options)
{
    snw_synth *synth = NULL;
    if (snw_preset_create("humanoid", NULL, body, NULL) != SNW_OK) return NULL;
    snw_synth_create(*body, NULL, options, NULL, &synth, NULL);
    return synth;
}

/* Markers of the one, then of the other, or four that stand still and come first. */
static snw_trial *put_together(const snw_trial *one, const snw_trial *other)
{
    int still = other ? 0 : 4, more = other ? other->marker_count : 0;
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = still + one->marker_count + more;
    options.frame_count = one->frame_count;
    options.rate = one->rate;
    snw_trial *trial = NULL;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) return NULL;
    for (int m = 0; m < options.marker_count; m++) {
        int k = m - still, n = k - one->marker_count;
        char name[2 * SNW_LABEL_SIZE];
        if (m < still)
            snw_format(name, sizeof name, "Root:%d", m + 1);
        else
            snw_format(name, sizeof name, "%s%s",
                       !other  ? ""
                       : n < 0 ? "Ann:"
                               : "Joe:",
                       n < 0 ? one->marker[k].name : other->marker[n].name);
        snw_trial_set_marker_name(trial, m, name, NULL);
        for (int f = 0; f < options.frame_count; f++) {
            snw_vec3 place = {1.5 + 0.1 * (m % 2), 0.2 * (m / 2), 0.07 * m};
            if (m >= still && n < 0) place = snw_trial_position(one, f, k);
            if (n >= 0)
                place = snw_vec3_add(snw_trial_position(other, f, n), snw_vec3_make(1, 0, 0.5));
            snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
        }
    }
    return trial;
}

/* Share of the body's markers, in per cent, that a part of the capture holds; NaN: not solved. */
static double markers_found(const snw_trial *trial, int part, int expected)
{
    see_solved solved;
    if (!trial || !see_solve(trial, NULL, part, &solved)) return 0;
    double share = percent(solved.actor->marker_count, expected);
    see_release(&solved);
    return share;
}

static void measure_bodies(see_figures *figures)
{
    if (!see_is_asked(figures, "several bodies")) return;
    snw_skeleton *first_body = NULL, *second_body = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.placement = SNW_SYNTH_RANDOM;
    options.motion = SNW_SYNTH_DANCE;
    options.seconds = 6;
    snw_synth *one = make_synth(&first_body, &options);
    options.motion = SNW_SYNTH_BOXING;
    options.seed = 3;
    snw_synth *other = make_synth(&second_body, &options);
    if (one && other) {
        snw_trial *object = put_together(one->capture, NULL);
        snw_trial *both = put_together(one->capture, other->capture);
        see_add(figures, "several bodies", "an object called Root: markers of the person, %",
                markers_found(object, 0, one->marker_count), 100, true);
        see_add(figures, "several bodies", "two actors: markers of the first, %",
                markers_found(both, 0, one->marker_count), 90, true);
        see_add(figures, "several bodies", "two actors: markers of the second, %",
                markers_found(both, 1, other->marker_count), 90, true);
        snw_trial_destroy(object);
        snw_trial_destroy(both);
    }
    snw_synth_destroy(one);
    snw_synth_destroy(other);
    snw_skeleton_destroy(first_body);
    snw_skeleton_destroy(second_body);
}

/* ---- many markers, the trunk
 * ---------------------------------------------------------------------- */

/* Seconds of the processor for a capture with so many markers on each of 23 segments, which nobody
 * named; 3 s. */
static double seconds_for(int markers)
{
    snw_skeleton *body = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.placement = SNW_SYNTH_RANDOM;
    options.motion = SNW_SYNTH_DANCE;
    options.markers_per_segment = markers;
    options.seconds = 3;
    snw_synth *synth = make_synth(&body, &options);
    see_solved solved;
    for (int m = 0; synth && m < synth->capture->marker_count; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        snw_trial_set_marker_name(synth->capture, m, name, NULL);
    }
    clock_t before = clock();
    if (!synth || !see_solve(synth->capture, NULL, 0, &solved)) return NAN;
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    see_release(&solved);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return seconds;
}

static void measure_growth(see_figures *figures)
{
    if (!see_is_asked(figures, "many markers")) return;
    double few = seconds_for(8), some = seconds_for(16), many = seconds_for(32),
           most = seconds_for(43);
    double power = log(most / some) / log(989.0 / 368);
    see_add(figures, "many markers", "368 against 184: times the cost", some / few, 2.2, false);
    see_add(figures, "many markers", "736 against 368", many / some, 2.2, false);
    see_add(figures, "many markers", "989 against 368 (2.7 times the markers)", most / some, 2.7,
            false);
    see_add(figures, "many markers", "cost as a power of the markers, 368 to 989", power, 1, false);
}

double see_nearest_mm(const see_solved *solved, const snw_trial *truth, const char *name)
{
    int marker = snw_trial_find_marker(truth, name);
    double least = HUGE_VAL;
    for (int j = 1; marker >= 0 && j < solved->actor->skeleton->joint_count; j++) {
        double sum = 0;
        for (int f = 0; f < truth->frame_count; f++)
            sum += snw_vec3_length2(
                snw_vec3_sub(see_joint(solved, f, j), snw_trial_position(truth, f, marker)));
        least = fmin(least, sqrt(sum / truth->frame_count));
    }
    return least < HUGE_VAL ? 1000 * least : NAN;
}

static void measure_trunk(see_figures *figures)
{
    if (!see_is_asked(figures, "trunk of 41 markers")) return;
    snw_skeleton *body = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_DANCE;
    snw_synth *synth = make_synth(&body, &options);
    see_solved solved;
    if (synth && see_solve(synth->capture, NULL, 0, &solved)) {
        static const char *const names[] = {"spine", "chest", "neck", "head"};
        for (int n = 0; n < 4; n++) {
            char measure[72];
            snw_format(measure, sizeof measure, "nearest joint to the true %s, mm", names[n]);
            see_add(figures, "trunk of 41 markers", measure,
                    see_nearest_mm(&solved, synth->joint_truth, names[n]), 30, false);
        }
        see_release(&solved);
    }
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

/* ---- zeros
 * ----------------------------------------------------------------------------------------- */

static void measure_zeros(see_figures *figures)
{
    if (!see_is_asked(figures, "zeros")) return;
    snw_skeleton *body = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_DANCE;
    snw_synth *synth = make_synth(&body, &options);
    see_solved whole, zeros;
    snw_random random = snw_random_seed(2, 2);
    if (synth && see_solve(synth->capture, NULL, 0, &whole)) {
        snw_trial *trial = synth->capture;
        for (int n = 0; n < 120; n++) {
            int m = (int)snw_random_below(&random, (uint32_t)trial->marker_count);
            int f = (int)snw_random_below(&random, (uint32_t)(trial->frame_count - 40));
            for (int k = f; k < f + 40; k++)
                snw_trial_set(trial, k, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MEASURED);
        }
        if (see_solve(trial, NULL, 0, &zeros)) {
            see_add(figures, "zeros", "residual with 10 % of zeros over that without",
                    zeros.report.residual / whole.report.residual, 1.1, false);
            see_release(&zeros);
        }
        see_release(&whole);
    }
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

/* ---- the command -------------------------------------------------------------------------------
 */

int bench_see(const cli_arguments *arguments)
{
    const char *folder = getenv("SINEW_CORPUS");
    if (folder && !*folder) folder = NULL;
    see_figures *figures = calloc(1, sizeof *figures);
    if (!figures) return cli_fail(arguments, "no memory for the figures");
    figures->only = cli_value(arguments, "--case", NULL);
    measure_cases(folder, figures);
    measure_calm(folder, figures);
    measure_bodies(figures);
    measure_growth(figures);
    measure_trunk(figures);
    measure_zeros(figures);
    see_measure_actors(figures);
    if (folder)
        see_measure_corpus(folder, figures);
    else
        cli_note(arguments, "SINEW_CORPUS is not set: built-in motions stand for real ones, and "
                            "rows that need files are left out");
    int code = CLI_DONE;
    if (figures->count == 0)
        code = cli_misuse(arguments, "no trouble is called \"%s\"", figures->only);
    else
        see_print(arguments, figures);
    free(figures);
    return code;
}

/* Rows of `sinew bench see` that need real captures (SINEW_CORPUS): laboratories' own joint
 * centres, actors of another trial, pops, labels taken away, calibration on parts, plausibility. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench_see.h"
#include "clock.h"

static snw_trial *read_capture(const char *folder, const char *name)
{
    char path[4096];
    snw_trial *trial = NULL;
    snw_format(path, sizeof path, "%s/%s", folder, name);
    return snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL) == SNW_OK ? trial : NULL;
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

/* ---- an actor of another trial
 * ---------------------------------------------------------------------- */

static void measure_static(const char *folder, see_figures *figures)
{
    static const char *const pairs[][2] = {
        {"c3d_gait/pig_full_static.c3d", "c3d_gait/pig_full_walk.c3d"},
        {"c3d_functional/biobuddy_right_knee.c3d", "c3d_functional/biobuddy_right_hip.c3d"}};
    if (!see_is_asked(figures, "actor of another trial")) return;
    for (int n = 0; n < 2; n++) {
        snw_trial *first = read_capture(folder, pairs[n][0]),
                  *then = read_capture(folder, pairs[n][1]);
        see_solved made, used;
        double lost = NAN;
        if (first && then && see_solve(first, NULL, 0, &made)) {
            if (see_solve(then, made.actor, 0, &used)) {
                lost = share(used.report.lost_count, used.report.frame_count);
                see_release(&used);
            }
            see_release(&made);
        }
        char measure[72];
        snw_format(measure, sizeof measure, "%s: frames lost, %%", strrchr(pairs[n][1], '/') + 1);
        see_add(figures, "actor of another trial", measure, lost, 0, false);
        snw_trial_destroy(first);
        snw_trial_destroy(then);
    }
}

/* ---- laboratories
 * -------------------------------------------------------------------------------------- */

static int find_point(const snw_trial *trial, char side, const char *name)
{
    for (int m = 0; m < trial->marker_count; m++) {
        const char *colon = strrchr(trial->marker[m].name, ':');
        const char *bare = colon ? colon + 1 : trial->marker[m].name;
        if (bare[0] == side && strcmp(bare + 1, name) == 0) return m;
    }
    return -1;
}

/* Median distance of a solved joint from a point of the file, in mm. */
static double median_mm(const snw_trial *trial, int point, const see_solved *solved, int joint)
{
    double *distance = malloc((size_t)trial->frame_count * sizeof *distance), median = NAN;
    int count = 0;
    for (int f = 0; distance && f < trial->frame_count; f++)
        if (snw_trial_is_present(trial, f, point))
            distance[count++] = 1000 * snw_vec3_distance(snw_trial_position(trial, f, point),
                                                         see_joint(solved, f, joint));
    if (count) median = cli_median(distance, count);
    free(distance);
    return median;
}

/* Hip to hip over what Harrington et al. 2007 have for the breadth of the iliac spines, 2 (0.33 PW
 * + 7.3 mm); less 1, in per cent. NaN: the spines or the hips are not told. */
static double hip_width_off(const see_solved *solved)
{
    static const char *const sides[] = {"LeftUpLeg", "RightUpLeg"};
    const snw_trial *trial = solved->trial;
    int joint[2], spine[2] = {find_point(trial, 'L', "ASI"), find_point(trial, 'R', "ASI")};
    double *breadth = malloc((size_t)trial->frame_count * sizeof *breadth), off = NAN;
    int count = 0;
    for (int k = 0; k < 2; k++)
        joint[k] = snw_skeleton_find_joint(solved->actor->skeleton, sides[k]);
    for (int f = 0; breadth && f < trial->frame_count && spine[0] >= 0 && spine[1] >= 0; f++)
        if (snw_trial_is_present(trial, f, spine[0]) && snw_trial_is_present(trial, f, spine[1]))
            breadth[count++] = snw_vec3_distance(snw_trial_position(trial, f, spine[0]),
                                                 snw_trial_position(trial, f, spine[1]));
    if (count && joint[0] >= 0 && joint[1] >= 0) {
        double wide =
            snw_vec3_distance(see_joint(solved, 0, joint[0]), see_joint(solved, 0, joint[1]));
        off = fabs(100 * (wide / (0.66 * cli_median(breadth, count) + 0.0146) - 1));
    }
    free(breadth);
    return off;
}

static void measure_centres(const char *folder, see_figures *figures)
{
    static const char *const files[] = {
        "c3d_gait/pig_full_walk.c3d", "c3d_gait/pig_sample03_walk.c3d",
        "c3d_gait/pig_sample09_walk.c3d", "c3d_producers/vicon_nexus_CGM24_walk.c3d"};
    static const struct {
        const char *joint, *names[2], *title;
        double goal;
    } rows[] = {{"UpLeg", {"HJC", "FEP"}, "hips: median over files, mm", 15},
                {"Leg", {"KJC", "FEO"}, "knees: median over files, mm", 12},
                {"Foot", {"AJC", "TIO"}, "ankles: median over files, mm", 12}};
    double found[3][16], worst = NAN, widest = NAN;
    int count[3] = {0};
    if (!see_is_asked(figures, "laboratories")) return;
    for (int n = 0; n < 4; n++) {
        snw_trial *trial = read_capture(folder, files[n]);
        see_solved solved;
        if (trial && see_solve(trial, NULL, 0, &solved)) {
            double wide = hip_width_off(&solved);
            if (!isnan(wide)) widest = fmax(isnan(widest) ? 0 : widest, wide);
            for (int r = 0; r < 6; r++) {
                char side = "LR"[r / 3], name[32];
                int point = find_point(trial, side, rows[r % 3].names[0]);
                if (point < 0) point = find_point(trial, side, rows[r % 3].names[1]);
                snw_format(name, sizeof name, "%s%s", r < 3 ? "Left" : "Right", rows[r % 3].joint);
                int joint = snw_skeleton_find_joint(solved.actor->skeleton, name);
                if (point < 0 || joint < 0) continue;
                double off = median_mm(trial, point, &solved, joint);
                found[r % 3][count[r % 3]++] = off;
                worst = fmax(isnan(worst) ? 0 : worst, off);
            }
            see_release(&solved);
        }
        snw_trial_destroy(trial);
    }
    for (int k = 0; k < 3; k++)
        see_add(figures, "laboratories", rows[k].title,
                count[k] ? cli_median(found[k], count[k]) : NAN, rows[k].goal, false);
    see_add(figures, "laboratories", "the farthest of all, mm", worst, 25, false);
    see_add(figures, "laboratories", "hip to hip, off Harrington's, worst, %", widest, 15, false);
}

/* ---- pops
 * ------------------------------------------------------------------------------------------------
 */

static double second_difference(snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    return snw_vec3_length(snw_vec3_add(snw_vec3_sub(a, snw_vec3_scale(b, 2)), c));
}

/* The largest second difference of the markers on two joints about a frame, all seen in frames f -
 * 2 to f + 4; infinite where one is not. */
static double markers_jerk(const see_solved *solved, const int *source, int a, int b, int frame)
{
    double most = -1;
    for (int m = 0; m < solved->actor->marker_count; m++) {
        int on = solved->actor->marker[m].joint, at = source[m];
        if ((on != a && on != b) || at < 0) continue;
        for (int f = frame - 2; f <= frame + 4; f++)
            if (f < 0 || f >= solved->trial->frame_count ||
                !snw_trial_is_present(solved->trial, f, at))
                return HUGE_VAL;
        most = fmax(most, second_difference(snw_trial_position(solved->trial, frame, at),
                                            snw_trial_position(solved->trial, frame + 1, at),
                                            snw_trial_position(solved->trial, frame + 2, at)));
    }
    return most < 0 ? HUGE_VAL : most;
}

/* Frames in which a joint's second difference is above three times that of its markers and 10 mm.
 */
static int count_pops(const see_solved *solved)
{
    const int *parent = solved->actor->skeleton->parent;
    int *source = malloc((size_t)solved->actor->marker_count * sizeof *source), pops = 0;
    for (int m = 0; source && m < solved->actor->marker_count; m++)
        source[m] = snw_trial_find_marker(solved->trial, solved->actor->marker[m].name);
    for (int f = 0; source && f + 2 < solved->trial->frame_count; f++) {
        bool is_pop = false;
        for (int j = 1; j < solved->actor->skeleton->joint_count && !is_pop; j++) {
            double own = second_difference(see_joint(solved, f, j), see_joint(solved, f + 1, j),
                                           see_joint(solved, f + 2, j));
            is_pop = own > 0.010 && own > 3 * markers_jerk(solved, source, j, parent[j], f) + 0.010;
        }
        pops += is_pop;
    }
    free(source);
    return pops;
}

/* ---- labels taken away
 * -------------------------------------------------------------------------------------- */

static bool is_asked_joint(const char *name)
{
    static const char *const words[] = {"UpLeg", "Leg", "Foot", "Arm", "ForeArm", "Hand"};
    if (strcmp(name, "Head") == 0) return true;
    const char *bare = strncmp(name, "Left", 4) == 0    ? name + 4
                       : strncmp(name, "Right", 5) == 0 ? name + 5
                                                        : "";
    for (int n = 0; n < 6; n++)
        if (strcmp(bare, words[n]) == 0) return true;
    return false;
}

/* Every stretch of every marker as a trajectory of its own, in an order that tells nothing. */
static snw_trial *strip_labels(const snw_trial *trial)
{
    int count = 0, at = 0;
    for (int m = 0; m < trial->marker_count; m++)
        for (int f = 0; f < trial->frame_count; f++)
            count += snw_trial_is_present(trial, f, m) &&
                     (f == 0 || !snw_trial_is_present(trial, f - 1, m));
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = count;
    options.frame_count = trial->frame_count;
    options.rate = trial->rate;
    snw_trial *out = NULL;
    int *place = malloc(((size_t)count + 1) * sizeof *place);
    if (!place || count == 0 || snw_trial_create(&options, NULL, &out, NULL) != SNW_OK) {
        free(place);
        return NULL;
    }
    snw_random random = snw_random_seed(1, 1);
    for (int n = 0; n < count; n++)
        place[n] = n;
    for (int n = count - 1; n > 0; n--) {
        int k = (int)snw_random_below(&random, (uint32_t)n + 1), held = place[n];
        place[n] = place[k];
        place[k] = held;
    }
    for (int n = 0; n < count; n++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", n + 1);
        snw_trial_set_marker_name(out, n, name, NULL);
    }
    for (int m = 0; m < trial->marker_count; m++)
        for (int f = 0; f < trial->frame_count; f++) {
            if (!snw_trial_is_present(trial, f, m)) continue;
            if (f == 0 || !snw_trial_is_present(trial, f - 1, m)) at++;
            snw_trial_set(out, f, place[at - 1], snw_trial_position(trial, f, m),
                          SNW_SAMPLE_MEASURED);
        }
    free(place);
    return out;
}

static double joints_apart(const see_solved *a, int joint, const see_solved *b, int other)
{
    double *distance = malloc((size_t)a->trial->frame_count * sizeof *distance), median = HUGE_VAL;
    for (int f = 0; distance && f < a->trial->frame_count; f++)
        distance[f] = snw_vec3_distance(see_joint(a, f, joint), see_joint(b, f, other));
    if (distance) median = cli_median(distance, a->trial->frame_count);
    free(distance);
    return median;
}

/* joints, of these within 20 mm, of these named rightly (within 50 mm). */
static void compare_unlabelled(const see_solved *labelled, const see_solved *stripped, int count[3])
{
    const snw_skeleton *body = labelled->actor->skeleton, *other = stripped->actor->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        if (!is_asked_joint(body->name[j])) continue;
        double nearest = HUGE_VAL;
        for (int k = 0; k < other->joint_count; k++)
            nearest = fmin(nearest, joints_apart(labelled, j, stripped, k));
        int same = snw_skeleton_find_joint(other, body->name[j]);
        count[0]++;
        count[1] += nearest < 0.020;
        count[2] += same >= 0 && joints_apart(labelled, j, stripped, same) < 0.050;
    }
}

static void measure_unlabelled(const char *folder, see_figures *figures)
{
    static const char *const files[] = {
        "c3d_body/cmu_02_01_walk.c3d",        "c3d_body/cmu_02_05_punch.c3d",
        "c3d_body/cmu_85_12_breakdance.c3d",  "c3d_body/cmu_basketball_dec_int.c3d",
        "c3d_body/labelled_prone_to_run.c3d", "c3d_body/vicon_nick_freeform_gaps.c3d",
        "c3d_body/qualisys_rolling_gaps.c3d", "c3d_body/optitrack_tennis_nan.c3d",
        "c3d_gait/pig_full_walk.c3d"};
    int count[3] = {0};
    if (!see_is_asked(figures, "unlabelled bodies")) return;
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        snw_trial *whole = read_capture(folder, files[n]);
        if (!whole) continue;
        snw_trial window = snw_trial_window(whole, 0, 1500);
        see_solved labelled, unlabelled;
        if (see_solve(&window, NULL, 0, &labelled)) {
            /* computed points of the file are no markers of anybody */
            snw_trial *bare = strip_labels(labelled.trial);
            if (bare && see_solve(bare, NULL, 0, &unlabelled)) {
                compare_unlabelled(&labelled, &unlabelled, count);
                see_release(&unlabelled);
            }
            snw_trial_destroy(bare);
            see_release(&labelled);
        }
        snw_trial_destroy(whole);
    }
    see_add(figures, "unlabelled bodies", "joints within 20 mm of the labelled solve, %",
            share(count[1], count[0]), 85, true);
    see_add(figures, "unlabelled bodies", "joints with the right name, %",
            share(count[2], count[0]), 95, true);
}

/* ---- every capture
 * -------------------------------------------------------------------------------------------- */

typedef struct see_sweep {
    int solved, refused, lost, far, longest, pops, live_pops;
    int called[3];   /* by verdict */
    int green_wrong; /* implausible, and called green */
    double worse;    /* the largest ratio of distances: calibrated on everything over on 5 s */
} see_sweep;

/* Mean distance of all samples of a trial from the body that an actor makes of it; NaN: refused.
 * Outliers count: an actor from few frames expects less noise, and leaves out more. */
static double mean_distance(const snw_actor *actor, const snw_trial *trial)
{
    snw_motion *motion = NULL;
    snw_residuals *residuals = NULL;
    double sum = 0;
    size_t count = 0;
    if (snw_actor_solve(actor, trial, NULL, NULL, &motion, NULL) == SNW_OK)
        snw_actor_residuals(actor, trial, motion, NULL, &residuals, NULL);
    if (residuals)
        for (size_t n = 0; n < (size_t)residuals->frame_count * (size_t)residuals->marker_count;
             n++)
            if (residuals->distance[n] == residuals->distance[n]) {
                sum += residuals->distance[n];
                count++;
            }
    snw_residuals_destroy(residuals);
    snw_motion_destroy(motion);
    return count ? sum / (double)count : NAN;
}

/* On the whole trial, with a skeleton from everything over one from 5 s of it with the same
 * segments: the worst of the first, the middle and the last 5 s. */
static double full_over_part(const see_solved *solved)
{
    double worst = NAN;
    const snw_trial *trial = solved->trial;
    if (trial->rate <= 0 || trial->frame_count < 10 * trial->rate) return worst;
    int frames = (int)(5 * trial->rate);
    double full = mean_distance(solved->actor, trial);
    for (int n = 0; n < 3; n++) {
        snw_actor *actor = NULL;
        snw_trial part = snw_trial_window(trial, n * (trial->frame_count - frames) / 2, frames);
        if (snw_actor_calibrate(&part, solved->solution->segments, NULL, NULL, &actor, NULL) ==
                SNW_OK &&
            actor->marker_count == solved->actor->marker_count)
            worst = fmax(worst, full / mean_distance(actor, trial)); /* NaN gives way */
        snw_actor_destroy(actor);
    }
    return worst;
}

/* Share of the frames between the first and the last that show the body which have no pose. */
static double lost_share(const see_solved *solved)
{
    for (int n = 0; n < solved->solution->body->judgements->count; n++) {
        const snw_judgement *item = solved->solution->body->judgements->item + n;
        if (item->code == SNW_JUDGEMENT_LOST_FRAMES) return item->number / item->frame_count;
    }
    return 0;
}

static void sweep_capture(const snw_trial *trial, see_sweep *sweep)
{
    see_solved solved;
    if (!see_solve(trial, NULL, 0, &solved)) {
        sweep->refused++;
        return;
    }
    double longest = 0;
    for (int j = 0; j < solved.actor->skeleton->joint_count; j++)
        longest = fmax(longest, solved.actor->skeleton->bone_length[j]);
    bool is_long = longest > 0.650, is_far = solved.report.residual > 0.020;
    bool is_lost = lost_share(&solved) > 0.05;
    sweep->solved++;
    sweep->called[solved.solution->body->judgements->verdict]++;
    sweep->longest += is_long;
    sweep->far += is_far;
    sweep->lost += is_lost;
    sweep->green_wrong += (is_long || is_far || is_lost) &&
                          solved.solution->body->judgements->verdict == SNW_VERDICT_GREEN;
    sweep->pops += count_pops(&solved);
    double ratio = full_over_part(&solved);
    if (!isnan(ratio)) sweep->worse = fmax(sweep->worse, ratio);
    if (see_live(&solved)) sweep->live_pops += count_pops(&solved);
    see_release(&solved);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void sweep_folder(const char *folder, see_sweep *sweep)
{
    struct dirent **entry = NULL;
    int count = scandir(folder, &entry, NULL, compare_names);
    for (int n = 0; n < count; n++) {
        char path[4096];
        struct stat about;
        snw_format(path, sizeof path, "%s/%s", folder, entry[n]->d_name);
        bool is_there = entry[n]->d_name[0] != '.' && stat(path, &about) == 0;
        free(entry[n]);
        if (!is_there) continue;
        if (S_ISDIR(about.st_mode)) {
            sweep_folder(path, sweep);
        } else if (snw_format_reads_trial(snw_format_from_name(path))) {
            snw_trial *trial = NULL;
            if (snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL) == SNW_OK)
                sweep_capture(trial, sweep);
            snw_trial_destroy(trial);
        }
    }
    free(entry);
}

static void measure_sweep(const char *folder, see_figures *figures)
{
    see_sweep sweep;
    memset(&sweep, 0, sizeof sweep);
    if (!see_is_asked(figures, "every capture")) return;
    sweep_folder(folder, &sweep);
    char measure[72];
    snw_format(measure, sizeof measure,
               "%d solved, %d refused, %d green, %d amber, %d red: wrongly green", sweep.solved,
               sweep.refused, sweep.called[SNW_VERDICT_GREEN], sweep.called[SNW_VERDICT_AMBER],
               sweep.called[SNW_VERDICT_RED]);
    see_add(figures, "every capture", measure, sweep.green_wrong, 0, false);
    see_add(figures, "every capture", "with a bone above 650 mm", sweep.longest, 0, false);
    see_add(figures, "every capture", "with more than 5 % of the body's frames lost", sweep.lost, 0,
            false);
    see_add(figures, "every capture", "with markers above 20 mm from the body", sweep.far, 0,
            false);
    see_add(figures, "every capture", "frames in which a joint pops", sweep.pops, 0, false);
    see_add(figures, "every capture", "the same live, from the past alone", sweep.live_pops, 0,
            false);
    see_add(figures, "every capture", "distance, calibrated on all over on any 5 s, worst",
            sweep.worse > 0 ? sweep.worse : NAN, 1.0, false);
}

void see_measure_corpus(const char *folder, see_figures *figures)
{
    measure_static(folder, figures);
    measure_centres(folder, figures);
    measure_unlabelled(folder, figures);
    measure_sweep(folder, figures);
}

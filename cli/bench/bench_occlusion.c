/* `sinew bench occlusion`: the tables of section 4.8 of the FABRIK thesis (Aristidou 2010) beside
 * ours. Bodies of 15 segments with three markers each walk, dance and box, 480 frames a second; in
 * every run one, two and all markers of three segments vanish for 1600 frames. Errors are distances
 * from what the cameras would have seen, and from the centres that the complete capture gives, as
 * in the thesis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/bench_occlusion.h"
#include "output.h"

enum {
    OCCLUSION_SEGMENTS = 15,
    OCCLUSION_MARKERS = 3 * OCCLUSION_SEGMENTS,
    OCCLUSION_CASES = 3,
    OCCLUSION_HIDDEN = TRACE_FRAMES,
    OCCLUSION_RATE = 480,
    OCCLUSION_SECONDS = 14
};

static const struct {
    const char *segment;
    int neighbour;
} occlusion_segment[OCCLUSION_SEGMENTS] = {
    {"pelvis", -1},     {"chest", 0},       {"head", 1},           {"left_shoulder", 1},
    {"left_elbow", 3},  {"left_wrist", 4},  {"right_shoulder", 1}, {"right_elbow", 6},
    {"right_wrist", 7}, {"left_hip", 0},    {"left_knee", 9},      {"left_ankle", 10},
    {"right_hip", 0},   {"right_knee", 12}, {"right_ankle", 13},
};

/* The first segment of the left arm, right arm, left leg, right leg. */
static const int occlusion_extremity[4] = {3, 6, 9, 12};

/* ---- methods -------------------------------------------------------------------------------- */

typedef struct occlusion_method {
    const char *name;
    int predict; /* snw_predict_method, or -1: offline */
    snw_fill_method fill;
    double thesis[OCCLUSION_CASES][4]; /* marker, worst, centre, worst, in cm; 0: not there */
} occlusion_method;

static const occlusion_method occlusion_methods[] = {
    {"auto", SNW_PREDICT_AUTO, SNW_FILL_AUTO, {{0}}},
    {"vtm-ukf",
     SNW_PREDICT_TURN,
     SNW_FILL_AUTO,
     {{1.2958, 3.5677, 1.0820, 1.7888},
      {3.4737, 7.6584, 1.9867, 2.7845},
      {8.4012, 12.8749, 7.8591, 13.1183}}},
    {"ekf",
     SNW_PREDICT_VELOCITY,
     SNW_FILL_AUTO,
     {{1.3982, 3.8971, 1.2356, 2.1496},
      {3.5331, 8.0145, 2.0302, 3.0098},
      {8.4205, 13.0014, 7.9055, 13.1198}}},
    {"extrapolate",
     SNW_PREDICT_LINE,
     SNW_FILL_AUTO,
     {{1.8574, 4.8811, 1.5874, 3.1147},
      {4.5214, 9.0444, 2.5147, 3.5558},
      {10.5961, 13.8541, 11.5824, 15.2588}}},
    {"circular", SNW_PREDICT_CIRCLE, SNW_FILL_AUTO, {{0}}},
    {"spline",
     -1,
     SNW_FILL_SPLINE,
     {{9.4687, 15.2552, 7.8777, 6.1189},
      {10.5241, 16.8874, 9.3340, 8.5874},
      {11.0010, 17.2282, 12.2514, 20.2111}}},
    {"linear", -1, SNW_FILL_LINEAR, {{0}}},
    {"frame", -1, SNW_FILL_FRAME, {{0}}},
    {"rigid", -1, SNW_FILL_RIGID, {{0}}},
    {"local", -1, SNW_FILL_LOCAL, {{0}}},
    {"pca", -1, SNW_FILL_PCA, {{0}}},
    {"lowrank", -1, SNW_FILL_LOW_RANK, {{0}}},
    {"smooth", -1, SNW_FILL_SMOOTH, {{0}}},
    {"fill auto", -1, SNW_FILL_AUTO, {{0}}},
};
enum {
    OCCLUSION_METHODS = sizeof occlusion_methods / sizeof *occlusion_methods
};

/* ---- sums ----------------------------------------------------------------------------------- */

typedef struct occlusion_sum {
    double count, sum, worst; /* worst: the mean over runs of the largest */
    double runs, run_worst;
} occlusion_sum;

static void add_error(occlusion_sum *sum, double error)
{
    sum->count++;
    sum->sum += error;
    if (error > sum->run_worst) sum->run_worst = error;
}

static void end_run(occlusion_sum *sum)
{
    sum->runs++;
    sum->worst += sum->run_worst;
    sum->run_worst = 0;
}

static double mean_cm(const occlusion_sum *sum)
{
    return sum->count > 0 ? 100 * sum->sum / sum->count : NAN;
}

static double worst_cm(const occlusion_sum *sum)
{
    return sum->runs > 0 ? 100 * sum->worst / sum->runs : NAN;
}

typedef struct occlusion_result {
    occlusion_sum marker[2][OCCLUSION_CASES]; /* without and with rays */
    occlusion_sum center[2][OCCLUSION_CASES];
    occlusion_sum before[2], after[2]; /* centres and bone lengths: at ends, between */
    double covered[3], stated;         /* samples within 1, 2, 3 times the uncertainty, and all */
    double seconds, pairs;             /* of the processor */
    occlusion_trace *trace[2];         /* of the figure, without and with rays; NULL: none */
} occlusion_result;

/* ---- a run ---------------------------------------------------------------------------------- */

typedef struct occlusion_run {
    snw_trial *seen;   /* complete, as measured */
    snw_trial *hidden; /* the same with gaps */
    snw_segments *segments;
    snw_vec3 *center;                  /* (frame_count x segments) of the complete capture */
    double length[OCCLUSION_SEGMENTS]; /* mean between centres before the gap; -1: not rigid */
    double slack[OCCLUSION_SEGMENTS];  /* its standard deviation */
    int segment[OCCLUSION_CASES];
    int first; /* hidden frame */
    snw_vec3 camera;
} occlusion_run;

static void release_run(occlusion_run *run)
{
    free(run->center);
    snw_segments_destroy(run->segments);
    snw_trial_destroy(run->hidden);
    snw_trial_destroy(run->seen);
}

static bool is_hidden(const occlusion_run *run, int frame, int marker)
{
    if (frame < run->first || frame >= run->first + OCCLUSION_HIDDEN) return false;
    for (int c = 0; c < OCCLUSION_CASES; c++)
        if (marker / 3 == run->segment[c] && marker % 3 <= c) return true;
    return false;
}

static snw_status pick_markers(const snw_synth *synth, snw_trial **out, snw_error *error)
{
    int pick[OCCLUSION_MARKERS];
    for (int l = 0; l < OCCLUSION_SEGMENTS; l++)
        for (int n = 0; n < 3; n++) {
            char name[80];
            snw_format(name, sizeof name, "%s_%d", occlusion_segment[l].segment, n + 1);
            pick[3 * l + n] = snw_trial_find_marker(synth->capture, name);
        }
    return snw_trial_pick(synth->capture, pick, OCCLUSION_MARKERS, NULL, out, error);
}

static snw_status make_capture(const snw_skeleton *body, int number, occlusion_run *run,
                               snw_error *error)
{
    static const snw_synth_motion_kind motion[3] = {SNW_SYNTH_WALK, SNW_SYNTH_DANCE,
                                                    SNW_SYNTH_BOXING};
    snw_synth_options options = snw_synth_options_default();
    snw_synth *synth = NULL;
    options.motion = motion[number % 3];
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = 3;
    options.rate = OCCLUSION_RATE;
    options.seconds = OCCLUSION_SECONDS;
    options.seed = 100 + (uint64_t)number;
    snw_status status = snw_synth_create(body, NULL, &options, NULL, &synth, error);
    if (status == SNW_OK) status = pick_markers(synth, &run->seen, error);
    if (status == SNW_OK) status = snw_trial_copy(run->seen, NULL, &run->hidden, error);
    snw_synth_destroy(synth);
    return status;
}

static void hide_markers(int number, occlusion_run *run)
{
    snw_random random = snw_random_seed(77, (uint64_t)number);
    run->first =
        run->seen->frame_count - OCCLUSION_HIDDEN - 200 - (int)snw_random_below(&random, 400);
    for (int c = 0; c < OCCLUSION_CASES; c++)
        run->segment[c] = occlusion_extremity[(number + c) % 4] + (number / 4 + c) % 2;
    for (int frame = run->first; frame < run->first + OCCLUSION_HIDDEN; frame++)
        for (int m = 0; m < OCCLUSION_MARKERS; m++)
            if (is_hidden(run, frame, m))
                snw_trial_set(run->hidden, frame, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    double angle = 2 * SNW_PI * (int)snw_random_below(&random, 24) / 24;
    snw_vec3 middle = snw_trial_position(run->seen, run->first + OCCLUSION_HIDDEN / 2, 0);
    run->camera = snw_vec3_add(middle, snw_vec3_make(4 * cos(angle), 1.3, 4 * sin(angle)));
}

static snw_status make_predictor(const occlusion_run *run, snw_predict_method method,
                                 snw_predictor **out, snw_error *error)
{
    snw_predict_options options = snw_predict_options_default();
    int neighbour[OCCLUSION_SEGMENTS];
    options.method = method;
    for (int l = 0; l < OCCLUSION_SEGMENTS; l++)
        neighbour[l] = occlusion_segment[l].neighbour;
    options.neighbour = neighbour;
    return snw_predictor_create(run->segments, OCCLUSION_RATE, &options, NULL, out, error);
}

/* Centres of a segment and its neighbour keep their distance where a bone lies between them; the
 * frames before the gap tell. More than a centimetre of deviation is no bone: chest to shoulder.
 */
static void measure_bones(occlusion_run *run)
{
    for (int l = 1; l < OCCLUSION_SEGMENTS; l++) {
        double count = 0, sum = 0, square = 0;
        for (int frame = 4 * OCCLUSION_RATE; frame < run->first; frame++) {
            const snw_vec3 *center = run->center + (size_t)frame * OCCLUSION_SEGMENTS;
            double length = snw_vec3_distance(center[l], center[occlusion_segment[l].neighbour]);
            count++;
            sum += length;
            square += length * length;
        }
        double deviation = sqrt(fmax(square / count - sum * sum / (count * count), 0));
        bool is_bone = occlusion_segment[l].neighbour > 0 && deviation < 0.01;
        run->length[l] = is_bone ? sum / count : -1;
        run->slack[l] = 3 * deviation;
    }
}

/* The centres of the complete capture, and the mean lengths between them before the gap. */
static snw_status make_reference(occlusion_run *run, snw_error *error)
{
    int segment_of[OCCLUSION_MARKERS];
    snw_predictor *predictor = NULL;
    for (int m = 0; m < OCCLUSION_MARKERS; m++)
        segment_of[m] = m / 3;
    run->center = calloc((size_t)run->seen->frame_count * OCCLUSION_SEGMENTS, sizeof *run->center);
    snw_status status =
        snw_segments_create(segment_of, OCCLUSION_MARKERS, NULL, NULL, &run->segments, error);
    if (status == SNW_OK) status = make_predictor(run, SNW_PREDICT_TURN, &predictor, error);
    if (status != SNW_OK || !run->center) return status == SNW_OK ? SNW_OUT_OF_MEMORY : status;
    for (int frame = 0; frame < run->seen->frame_count; frame++) {
        snw_frame view = snw_trial_frame(run->seen, frame);
        snw_vec3 *center = run->center + (size_t)frame * OCCLUSION_SEGMENTS;
        snw_predictor_step(predictor, &view, NULL, 0);
        for (int l = 1; l < OCCLUSION_SEGMENTS; l++)
            if (!snw_predictor_center(predictor, l, center + l))
                center[l] = snw_vec3_make(NAN, NAN, NAN);
    }
    measure_bones(run);
    snw_predictor_destroy(predictor);
    return SNW_OK;
}

/* ---- errors --------------------------------------------------------------------------------- */

static void judge_markers(const occlusion_run *run, int frame, const snw_frame *view, int with_rays,
                          occlusion_result *result)
{
    for (int m = 0; m < OCCLUSION_MARKERS; m++) {
        if (!is_hidden(run, frame, m) || view->state[m] == SNW_SAMPLE_MISSING) continue;
        int c = 0;
        while (run->segment[c] != m / 3)
            c++;
        double error =
            snw_vec3_distance(snw_frame_position(view, m), snw_trial_position(run->seen, frame, m));
        add_error(&result->marker[with_rays][c], error);
        if (c == 0 && result->trace[with_rays])
            occlusion_trace_add(result->trace[with_rays], 0, frame - run->first,
                                snw_frame_position(view, m),
                                snw_trial_position(run->seen, frame, m));
        if (with_rays || !view->uncertainty) continue;
        result->stated++;
        for (int k = 0; k < 3; k++)
            result->covered[k] += error <= (k + 1) * (double)view->uncertainty[m];
    }
}

/* Centres of segments with hidden markers, as predicted, and with the bones' lengths restored. */
static void judge_centers(const occlusion_run *run, int frame, const snw_predictor *predictor,
                          int with_rays, occlusion_result *result)
{
    int parent[OCCLUSION_SEGMENTS];
    bool is_fixed[OCCLUSION_SEGMENTS];
    snw_vec3 place[OCCLUSION_SEGMENTS], truth[OCCLUSION_SEGMENTS];
    memcpy(truth, run->center + (size_t)frame * OCCLUSION_SEGMENTS, sizeof truth);
    for (int l = 0; l < OCCLUSION_SEGMENTS; l++) {
        parent[l] = occlusion_segment[l].neighbour;
        is_fixed[l] = true;
        place[l] = truth[l];
        if (l > 0 && !snw_predictor_center(predictor, l, place + l)) return;
        for (int c = 0; c < OCCLUSION_CASES; c++)
            if (run->segment[c] == l || run->segment[c] == parent[l]) is_fixed[l] = false;
    }
    for (int c = 0; c < OCCLUSION_CASES; c++)
        add_error(&result->center[with_rays][c],
                  snw_vec3_distance(place[run->segment[c]], truth[run->segment[c]]));
    snw_bone_lengths bones = {OCCLUSION_SEGMENTS, parent, run->length, run->slack, NULL};
    snw_vec3 restored[OCCLUSION_SEGMENTS];
    memcpy(restored, place, sizeof place);
    snw_bone_lengths_restore(&bones, is_fixed, restored);
    int first = run->segment[0];
    if (result->trace[with_rays])
        occlusion_trace_add(result->trace[with_rays], 1, frame - run->first, restored[first],
                            truth[first]);
    if (with_rays) return;
    for (int l = 1; l < OCCLUSION_SEGMENTS; l++) {
        if (is_fixed[l]) continue;
        bool is_between = false;
        for (int j = l + 1; j < OCCLUSION_SEGMENTS; j++)
            is_between = is_between || (parent[j] == l);
        add_error(&result->before[is_between], snw_vec3_distance(place[l], truth[l]));
        add_error(&result->after[is_between], snw_vec3_distance(restored[l], truth[l]));
    }
}

static int make_rays(const occlusion_run *run, int frame, snw_ray *ray)
{
    int count = 0;
    for (int m = 0; m < OCCLUSION_MARKERS; m++) {
        if (!is_hidden(run, frame, m)) continue;
        ray[count].marker = m;
        ray[count].origin = run->camera;
        ray[count++].direction =
            snw_line_make(run->camera, snw_trial_position(run->seen, frame, m)).direction;
    }
    return count;
}

/* Steps through the trial; `given` has the gaps, or was filled. */
static snw_status judge_trial(const occlusion_run *run, const snw_trial *given,
                              snw_predict_method method, int with_rays, occlusion_result *result,
                              snw_error *error)
{
    snw_predictor *predictor = NULL;
    snw_status status = make_predictor(run, method, &predictor, error);
    if (status != SNW_OK) return status;
    bool is_filled = given != run->hidden;
    for (int frame = 0; frame < run->first + OCCLUSION_HIDDEN; frame++) {
        snw_ray ray[OCCLUSION_MARKERS];
        int ray_count = with_rays ? make_rays(run, frame, ray) : 0;
        snw_frame view = snw_trial_frame(given, frame);
        clock_t start = clock();
        snw_frame out = snw_predictor_step(predictor, &view, ray, ray_count);
        result->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
        result->pairs += OCCLUSION_SEGMENTS - 1;
        if (frame < run->first) continue;
        judge_markers(run, frame, is_filled ? &view : &out, with_rays, result);
        judge_centers(run, frame, predictor, with_rays, result);
    }
    snw_predictor_destroy(predictor);
    return SNW_OK;
}

/* The live auto forwards and backwards. */
static snw_status smooth_run(const occlusion_run *run, snw_trial **out, snw_error *error)
{
    int neighbour[OCCLUSION_SEGMENTS];
    for (int l = 0; l < OCCLUSION_SEGMENTS; l++)
        neighbour[l] = occlusion_segment[l].neighbour;
    snw_predict_job job = {run->segments, neighbour, NULL, 0, true};
    return snw_trial_predict(run->hidden, &job, NULL, NULL, out, error);
}

static snw_status judge_filled(const occlusion_run *run, snw_fill_method method,
                               occlusion_result *result, snw_error *error)
{
    snw_fill_options options = snw_fill_options_default();
    snw_filled *filled = NULL;
    snw_trial *given = NULL;
    snw_status status = SNW_OK;
    options.method = method;
    options.uncertainty_max = 1e9;
    if (method == SNW_FILL_SMOOTH) status = smooth_run(run, &given, error);
    options.body = given;
    if (status == SNW_OK)
        status = snw_trial_fill(run->hidden, &options, NULL, &filled, NULL, error);
    snw_trial_destroy(given);
    if (status != SNW_OK) return status;
    size_t count = (size_t)run->seen->frame_count * OCCLUSION_MARKERS;
    for (size_t n = 0; n < count; n++)
        if (filled->trial->state[n] == SNW_SAMPLE_FILLED)
            filled->trial->state[n] = SNW_SAMPLE_MEASURED;
    status = judge_trial(run, filled->trial, SNW_PREDICT_TURN, 0, result, error);
    result->pairs = 0;
    snw_filled_destroy(filled);
    return status;
}

static void end_runs(occlusion_result *result)
{
    for (int c = 0; c < OCCLUSION_CASES; c++)
        for (int r = 0; r < 2; r++) {
            end_run(&result->marker[r][c]);
            end_run(&result->center[r][c]);
        }
}

/* One method. */
static snw_status judge_run(const occlusion_run *run, int m, occlusion_result *result,
                            snw_error *error)
{
    const occlusion_method *method = occlusion_methods + m;
    snw_status status;
    if (method->predict < 0) {
        status = judge_filled(run, method->fill, result, error);
    } else {
        snw_predict_method how = (snw_predict_method)method->predict;
        status = judge_trial(run, run->hidden, how, 0, result, error);
        if (status == SNW_OK) status = judge_trial(run, run->hidden, how, 1, result, error);
    }
    end_runs(result);
    return status;
}

/* ---- tables --------------------------------------------------------------------------------- */

static void print_pair(double ours, double thesis)
{
    printf(" %7.2f", ours);
    if (thesis > 0)
        printf(" (%5.2f)", thesis);
    else
        printf("        ");
}

static void print_errors(const occlusion_result *result)
{
    static const char *const names[OCCLUSION_CASES] = {"one", "two", "all"};
    printf("Table 4.1: markers of a segment hidden for %d frames; centimetres, the thesis in "
           "brackets\n"
           "%-12s %-4s %15s %15s %15s %15s %12s\n",
           OCCLUSION_HIDDEN, "method", "", "marker", "worst", "centre", "worst", "pairs/s");
    for (int m = 0; m < OCCLUSION_METHODS; m++)
        for (int c = 0; c < OCCLUSION_CASES; c++) {
            const double *thesis = occlusion_methods[m].thesis[c];
            printf("%-12s %-4s", c == 0 ? occlusion_methods[m].name : "", names[c]);
            print_pair(mean_cm(&result[m].marker[0][c]), thesis[0]);
            print_pair(worst_cm(&result[m].marker[0][c]), thesis[1]);
            print_pair(mean_cm(&result[m].center[0][c]), thesis[2]);
            print_pair(worst_cm(&result[m].center[0][c]), thesis[3]);
            if (c == 0 && result[m].pairs > 0)
                printf(" %11.0f", result[m].pairs / result[m].seconds);
            putchar('\n');
        }
}

static void print_rays(const occlusion_result *result)
{
    printf("\nTable 4.2: one marker hidden, without and with the ray of one camera; the thesis: "
           "marker 1.35, 0.26, centre 2.22, 0.56\n%-12s %9s %9s %9s %9s %9s %9s\n",
           "method", "marker", "with ray", "centre", "with ray", "two, ray", "all, ray");
    for (int m = 0; m < OCCLUSION_METHODS; m++) {
        if (occlusion_methods[m].predict < 0) continue;
        printf("%-12s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f\n", occlusion_methods[m].name,
               mean_cm(&result[m].marker[0][0]), mean_cm(&result[m].marker[1][0]),
               mean_cm(&result[m].center[0][0]), mean_cm(&result[m].center[1][0]),
               mean_cm(&result[m].marker[1][1]), mean_cm(&result[m].marker[1][2]));
    }
}

static void print_bones(const occlusion_result *result)
{
    printf("\nTable 4.3: estimated centres before and after bone lengths are restored; the thesis' "
           "vtm-ukf: ends 2.10, 2.04, between 2.01, 1.76\n%-12s %9s %9s %9s %9s\n",
           "method", "ends", "restored", "between", "restored");
    for (int m = 0; m < OCCLUSION_METHODS; m++)
        printf("%-12s %9.3f %9.3f %9.3f %9.3f\n", occlusion_methods[m].name,
               mean_cm(&result[m].before[0]), mean_cm(&result[m].after[0]),
               mean_cm(&result[m].before[1]), mean_cm(&result[m].after[1]));
    printf("\nuncertainty: errors within 1, 2 and 3 times what is stated\n");
    for (int m = 0; m < OCCLUSION_METHODS; m++)
        if (result[m].stated > 0)
            printf("%-12s %5.1f %% %5.1f %% %5.1f %%\n", occlusion_methods[m].name,
                   100 * result[m].covered[0] / result[m].stated,
                   100 * result[m].covered[1] / result[m].stated,
                   100 * result[m].covered[2] / result[m].stated);
}

static void print_occlusion_json(const occlusion_result *result, int run_count)
{
    static const char *const names[OCCLUSION_CASES] = {"one", "two", "all"};
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "runs", run_count);
    cli_json_array(&json, "rows");
    for (int m = 0; m < OCCLUSION_METHODS; m++)
        for (int c = 0; c < OCCLUSION_CASES; c++) {
            cli_json_object(&json, NULL);
            cli_json_string(&json, "method", occlusion_methods[m].name);
            cli_json_string(&json, "hidden", names[c]);
            cli_json_number(&json, "marker_m", mean_cm(&result[m].marker[0][c]) / 100);
            cli_json_number(&json, "marker_worst_m", worst_cm(&result[m].marker[0][c]) / 100);
            cli_json_number(&json, "center_m", mean_cm(&result[m].center[0][c]) / 100);
            cli_json_number(&json, "center_worst_m", worst_cm(&result[m].center[0][c]) / 100);
            cli_json_number(&json, "marker_with_ray_m", mean_cm(&result[m].marker[1][c]) / 100);
            cli_json_number(&json, "center_with_ray_m", mean_cm(&result[m].center[1][c]) / 100);
            cli_json_end_object(&json);
        }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

/* The curves of the figure: method by name, without or with rays. */
static const struct {
    const char *method, *name, *class_name;
    int with_rays;
} occlusion_curve[] = {{"spline", "spline", "spline", 0},
                       {"extrapolate", "extrapolate", "line", 0},
                       {"ekf", "ekf", "velocity", 0},
                       {"vtm-ukf", "vtm-ukf", "turn", 0},
                       {"vtm-ukf", "vtm-ukf, one camera", "ray", 1},
                       {"auto", "auto", "ours", 0}};
#define OCCLUSION_CURVES ((int)(sizeof occlusion_curve / sizeof *occlusion_curve))

/* Every method, or those that have a curve. */
static snw_status judge_runs(int run_count, bool is_figure,
                             occlusion_result result[OCCLUSION_METHODS], snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_status status = snw_preset_create("humanoid", NULL, &body, error);
    for (int n = 0; status == SNW_OK && n < run_count; n++) {
        occlusion_run run;
        memset(&run, 0, sizeof run);
        status = make_capture(body, n, &run, error);
        if (status == SNW_OK) hide_markers(n, &run);
        if (status == SNW_OK) status = make_reference(&run, error);
        for (int m = 0; status == SNW_OK && m < OCCLUSION_METHODS; m++)
            if (!is_figure || result[m].trace[0]) status = judge_run(&run, m, result + m, error);
        release_run(&run);
    }
    snw_skeleton_destroy(body);
    return status;
}

static int draw_figure(const cli_arguments *arguments, const char *path, int run_count)
{
    static const char *const outputs[] = {"--figure", NULL};
    snw_error error = snw_error_none();
    int code = cli_check_output_options(arguments, outputs);
    if (code != CLI_DONE) return code;
    occlusion_result *result = calloc(OCCLUSION_METHODS, sizeof *result);
    occlusion_trace *trace = calloc(OCCLUSION_CURVES, sizeof *trace);
    bool is_ready = result && trace;
    for (int c = 0; is_ready && c < OCCLUSION_CURVES; c++) {
        trace[c].name = occlusion_curve[c].name;
        trace[c].class_name = occlusion_curve[c].class_name;
        is_ready = occlusion_trace_prepare(trace + c, run_count);
        for (int m = 0; m < OCCLUSION_METHODS; m++)
            if (strcmp(occlusion_methods[m].name, occlusion_curve[c].method) == 0)
                result[m].trace[occlusion_curve[c].with_rays] = trace + c;
    }
    occlusion_figure figure = {OCCLUSION_RATE, OCCLUSION_CURVES, run_count, trace};
    if (!is_ready)
        code = cli_fail(arguments, "no memory for %d runs", run_count);
    else if (judge_runs(run_count, true, result, &error) != SNW_OK)
        code = cli_fail(arguments, "%s", error.message);
    else
        code = occlusion_figure_write(arguments, path, &figure);
    for (int c = 0; trace && c < OCCLUSION_CURVES; c++)
        occlusion_trace_release(trace + c);
    free(trace);
    free(result);
    return code;
}

int bench_occlusion(const cli_arguments *arguments)
{
    int64_t run_count = 20;
    snw_error error = snw_error_none();
    const char *picture = cli_value(arguments, "--gaps", NULL);
    const char *drawing = cli_value(arguments, "--figure", NULL);
    if (!cli_integer(arguments, "--runs", 1, 1000, &run_count)) return CLI_USAGE;
    if (picture) return bench_gaps(arguments, picture);
    if (drawing) return draw_figure(arguments, drawing, (int)run_count);
    if (cli_value(arguments, "--capture", NULL)) return bench_corpus(arguments, (int)run_count);
    occlusion_result *result = calloc(OCCLUSION_METHODS, sizeof *result);
    if (!result) return cli_fail(arguments, "no memory for the results");
    snw_status status = judge_runs((int)run_count, false, result, &error);
    if (status == SNW_OK && cli_flag(arguments, "--json")) {
        print_occlusion_json(result, (int)run_count);
    } else if (status == SNW_OK) {
        print_errors(result);
        print_rays(result);
        print_bones(result);
    }
    free(result);
    if (status != SNW_OK) return cli_fail(arguments, "%s", error.message);
    return cli_flag(arguments, "--json") ? CLI_DONE : bench_corpus(arguments, (int)run_count);
}

/* `sinew bench occlusion` on captures of people: cameras are placed around them, an arc of three of
 * the ring at a time, and a segment vanishes as a whole where fewer than two of these see it past
 * the rest of the body. The captures are those of the folder SINEW_CORPUS. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "input.h"
#include "output.h"

enum {
    CORPUS_ARCS = 6,    /* runs for each capture */
    CORPUS_CAMERAS = 3, /* of an arc */
    CORPUS_RING = 24,
    CORPUS_SPARED = 40, /* percent of the frames at the start in which all is seen */
    CORPUS_SHORTEST = 10
};

/* Metres: the ring beyond the body, two heights by turns; half the width of a segment. */
#define CORPUS_DISTANCE 4.0
#define CORPUS_WIDTH    0.08
/* A body that is nearer to the marker than this share of the way is the segment's own neighbour. */
#define CORPUS_NEAR 0.94

static const char *const corpus_capture[] = {
    "c3d_body/cmu_85_12_breakdance.c3d",
    "c3d_body/cmu_02_05_punch.c3d",
    "c3d_body/cmu_02_01_walk.c3d",
    "c3d_functional/biobuddy_right_hip.c3d",
};

typedef struct corpus_run {
    const snw_trial *truth;
    snw_trial *hidden;
    snw_segments *segments;
    int *neighbour;
    int *end;     /* (segment_count x 2) the two markers of each segment that lie farthest apart */
    int *seen_by; /* (frame_count x segment_count) cameras */
    int *last;    /* (frame_count x segment_count) camera that sees it, of 0..CORPUS_CAMERAS */
    snw_frame_ray *ray;
    int ray_count;
    snw_vec3 camera[CORPUS_CAMERAS];
    double hidden_count, longest;
} corpus_run;

typedef struct corpus_sum {
    double count, sum, worst, told;
    double seconds, pairs;
} corpus_sum;

/* ---- what the cameras see
 * ------------------------------------------------------------------------ */

static void place_cameras(corpus_run *run, int arc)
{
    const snw_trial *trial = run->truth;
    snw_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int frame = 0; frame < trial->frame_count; frame += 10)
        for (int m = 0; m < trial->marker_count; m++) {
            snw_vec3 at = snw_trial_position(trial, frame, m);
            low = snw_vec3_make(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
            high = snw_vec3_make(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
        }
    snw_vec3 middle = snw_vec3_lerp(low, high, 0.5);
    double reach = CORPUS_DISTANCE + 0.5 * snw_vec3_distance(low, high);
    for (int c = 0; c < CORPUS_CAMERAS; c++) {
        double angle = 2 * SNW_PI * (arc * CORPUS_RING / CORPUS_ARCS + c) / CORPUS_RING;
        double height = c % 2 == 0 ? 2.5 : 1.2;
        /* Captures here stand on z or on y; the corpus has no other. */
        run->camera[c] = trial->up == SNW_UP_Y
                             ? snw_vec3_make(middle.x + reach * cos(angle), low.y + height,
                                             middle.z + reach * sin(angle))
                             : snw_vec3_make(middle.x + reach * cos(angle),
                                             middle.y + reach * sin(angle), low.z + height);
    }
}

static void find_ends(corpus_run *run)
{
    for (int l = 0; l < run->segments->segment_count; l++) {
        const snw_segment *segment = run->segments->segment + l;
        double widest = -1;
        for (int i = 0; i < segment->marker_count; i++)
            for (int k = 0; k <= i; k++) {
                double d = snw_vec3_distance(snw_trial_position(run->truth, 0, segment->marker[i]),
                                             snw_trial_position(run->truth, 0, segment->marker[k]));
                if (d <= widest) continue;
                widest = d;
                run->end[2 * l] = segment->marker[i];
                run->end[2 * l + 1] = segment->marker[k];
            }
    }
}

static snw_vec3 along_segment(const corpus_run *run, int frame, int l, double share)
{
    return snw_vec3_lerp(snw_trial_position(run->truth, frame, run->end[2 * l]),
                         snw_trial_position(run->truth, frame, run->end[2 * l + 1]), share);
}

static bool is_behind(const corpus_run *run, int frame, int other, snw_vec3 camera, snw_vec3 point)
{
    snw_vec3 way = snw_vec3_sub(point, camera);
    double length2 = snw_vec3_length2(way);
    for (int n = 0; n < 5; n++) {
        snw_vec3 arm = snw_vec3_sub(along_segment(run, frame, other, n / 4.0), camera);
        double share = snw_vec3_dot(arm, way) / length2;
        if (share <= 0 || share >= CORPUS_NEAR) continue;
        if (snw_vec3_length(snw_vec3_add_scaled(arm, -share, way)) < CORPUS_WIDTH) return true;
    }
    return false;
}

static void look(corpus_run *run)
{
    int segments = run->segments->segment_count;
    for (int frame = 0; frame < run->truth->frame_count; frame++)
        for (int l = 0; l < segments; l++) {
            snw_vec3 point = along_segment(run, frame, l, 0.5);
            int *seen_by = run->seen_by + (size_t)frame * (size_t)segments + l;
            *seen_by = 0;
            for (int c = 0; c < CORPUS_CAMERAS; c++) {
                bool is_seen = true;
                for (int other = 0; other < segments && is_seen; other++)
                    is_seen = other == l || !is_behind(run, frame, other, run->camera[c], point);
                if (is_seen) run->last[(size_t)frame * (size_t)segments + (size_t)l] = c;
                *seen_by += is_seen;
            }
        }
}

/* A segment that is hidden for a moment only is one that the next camera has. */
static void hide_segment(corpus_run *run, int l)
{
    size_t segments = (size_t)run->segments->segment_count;
    const snw_segment *segment = run->segments->segment + l;
    int first = run->truth->frame_count * CORPUS_SPARED / 100;
    for (int from = first, to; from < run->truth->frame_count; from = to + 1) {
        for (to = from; to < run->truth->frame_count; to++)
            if (run->seen_by[(size_t)to * segments + (size_t)l] >= 2) break;
        if (to - from < CORPUS_SHORTEST) continue;
        run->longest = fmax(run->longest, to - from);
        for (int frame = from; frame < to; frame++)
            for (int n = 0; n < segment->marker_count; n++) {
                snw_vec3 at = snw_trial_position(run->truth, frame, segment->marker[n]);
                snw_vec3 eye = run->camera[run->last[(size_t)frame * segments + (size_t)l]];
                snw_trial_set(run->hidden, frame, segment->marker[n], at, SNW_SAMPLE_MISSING);
                run->hidden_count++;
                if (run->seen_by[(size_t)frame * segments + (size_t)l] != 1) continue;
                snw_frame_ray *ray = run->ray + run->ray_count++;
                ray->frame = frame;
                ray->ray.marker = segment->marker[n];
                ray->ray.origin = eye;
                ray->ray.direction = snw_line_make(eye, at).direction;
            }
    }
}

static int compare_frames(const void *a, const void *b)
{
    const snw_frame_ray *left = a, *right = b;
    if (left->frame != right->frame) return left->frame < right->frame ? -1 : 1;
    return left->ray.marker < right->ray.marker ? -1 : left->ray.marker > right->ray.marker;
}

/* ---- methods
 * ------------------------------------------------------------------------------------- */

static void add_errors(const corpus_run *run, const snw_trial *made, corpus_sum *sum)
{
    for (int frame = 0; frame < run->truth->frame_count; frame++)
        for (int m = 0; m < run->truth->marker_count; m++) {
            if (snw_trial_is_present(run->hidden, frame, m)) continue;
            sum->count++;
            if (!snw_trial_is_present(made, frame, m)) continue;
            double error = snw_vec3_distance(snw_trial_position(made, frame, m),
                                             snw_trial_position(run->truth, frame, m));
            sum->told++;
            sum->sum += error;
            sum->worst = fmax(sum->worst, error);
        }
}

static snw_status run_predict(const corpus_run *run, snw_predict_method method, int kind,
                              corpus_sum *sum, snw_error *error)
{
    snw_predict_options options = snw_predict_options_default();
    snw_predict_job job = {run->segments, run->neighbour, kind == 1 ? run->ray : NULL,
                           kind == 1 ? run->ray_count : 0, kind == 2};
    snw_trial *made = NULL;
    options.method = method;
    clock_t start = clock();
    snw_status status = snw_trial_predict(run->hidden, &job, &options, NULL, &made, error);
    sum->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    sum->pairs += (double)run->truth->frame_count * (run->segments->segment_count - 1);
    if (status == SNW_OK) add_errors(run, made, sum);
    snw_trial_destroy(made);
    return status;
}

static snw_status run_fill(const corpus_run *run, snw_fill_method method, corpus_sum *sum,
                           snw_error *error)
{
    snw_fill_options options = snw_fill_options_default();
    snw_filled *filled = NULL;
    options.method = method;
    options.uncertainty_max = 1e9;
    snw_status status = snw_trial_fill(run->hidden, &options, NULL, &filled, NULL, error);
    if (status == SNW_OK) add_errors(run, filled->trial, sum);
    snw_filled_destroy(filled);
    return status;
}

typedef struct corpus_result {
    corpus_sum live[SNW_PREDICT_METHOD_COUNT][3]; /* as it is, with rays, both ways */
    corpus_sum fill[SNW_FILL_METHOD_COUNT];
    double hidden_count, longest;
} corpus_result;

static bool needs_no_body(int method)
{
    return method != SNW_FILL_BODY && method != SNW_FILL_SMOOTH;
}

static snw_status run_methods(const corpus_run *run, corpus_result *result, snw_error *error)
{
    snw_status status = SNW_OK;
    result->hidden_count += run->hidden_count;
    result->longest = fmax(result->longest, run->longest);
    for (int m = 0; m < SNW_PREDICT_METHOD_COUNT; m++)
        for (int kind = 0; kind < 3 && status == SNW_OK; kind++)
            status = run_predict(run, (snw_predict_method)m, kind, &result->live[m][kind], error);
    for (int m = 0; m < SNW_FILL_METHOD_COUNT && status == SNW_OK; m++)
        if (needs_no_body(m)) status = run_fill(run, (snw_fill_method)m, result->fill + m, error);
    return status;
}

/* ---- a capture
 * ----------------------------------------------------------------------------------- */

static void release_corpus_run(corpus_run *run)
{
    snw_trial_destroy(run->hidden);
    snw_segments_destroy(run->segments);
    free(run->neighbour);
    free(run->end);
    free(run->seen_by);
    free(run->last);
    free(run->ray);
}

static snw_status run_arc(const snw_trial *truth, int arc, corpus_result *result, snw_error *error)
{
    corpus_run run;
    memset(&run, 0, sizeof run);
    run.truth = truth;
    snw_status status = snw_segments_find(truth, NULL, NULL, &run.segments, NULL, error);
    if (status == SNW_OK) status = snw_trial_copy(truth, NULL, &run.hidden, error);
    if (status == SNW_OK) {
        size_t segments = (size_t)run.segments->segment_count, frames = (size_t)truth->frame_count;
        run.neighbour = malloc((segments + 1) * sizeof(int));
        run.end = calloc(2 * segments + 1, sizeof(int));
        run.seen_by = calloc(frames * segments + 1, sizeof(int));
        run.last = calloc(frames * segments + 1, sizeof(int));
        run.ray = malloc((frames * (size_t)truth->marker_count + 1) * sizeof *run.ray);
        if (!run.neighbour || !run.end || !run.seen_by || !run.last || !run.ray)
            status = SNW_OUT_OF_MEMORY;
    }
    if (status == SNW_OK)
        status = snw_segment_neighbours(truth, run.segments, NULL, run.neighbour, error);
    if (status == SNW_OK) {
        place_cameras(&run, arc);
        find_ends(&run);
        look(&run);
        for (int l = 0; l < run.segments->segment_count; l++)
            hide_segment(&run, l);
        qsort(run.ray, (size_t)run.ray_count, sizeof *run.ray, compare_frames);
        status = run_methods(&run, result, error);
    }
    release_corpus_run(&run);
    return status;
}

static void print_sum(const char *name, const char *how, const corpus_sum *sum)
{
    printf("%-12s %-12s", name, how);
    if (sum->told > 0)
        printf(" %8.2f %8.2f", 100 * sum->sum / sum->told, 100 * sum->worst);
    else
        printf(" %8s %8s", "-", "-");
    printf(" %7.1f", 100 * sum->told / fmax(sum->count, 1));
    if (sum->seconds > 0) printf(" %11.0f", sum->pairs / sum->seconds);
    putchar('\n');
}

static void print_result(const char *name, const snw_trial *trial, const corpus_result *result)
{
    static const char *const kind[3] = {"live", "live, rays", "both ways"};
    printf("\n%s: %d frames, %d markers; %.0f samples hidden, segments for up to %.0f frames; cm\n"
           "%-12s %-12s %8s %8s %7s %11s\n",
           name, trial->frame_count, trial->marker_count, result->hidden_count, result->longest,
           "method", "", "mean", "worst", "told %", "pairs/s");
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < SNW_PREDICT_METHOD_COUNT; m++)
            print_sum(snw_predict_method_name((snw_predict_method)m), kind[k], &result->live[m][k]);
    for (int m = 0; m < SNW_FILL_METHOD_COUNT; m++)
        if (needs_no_body(m))
            print_sum(snw_fill_method_name((snw_fill_method)m), "filled", result->fill + m);
}

static int bench_capture(const cli_arguments *arguments, const char *path, const char *name,
                         int arc_count)
{
    corpus_result result;
    snw_error error = snw_error_none();
    snw_status status = SNW_OK;
    snw_trial *truth = cli_read_trial(arguments, path, NULL);
    if (truth) truth = bench_pick_complete(arguments, truth);
    if (!truth) return CLI_FAILED;
    memset(&result, 0, sizeof result);
    for (int arc = 0; arc < arc_count && status == SNW_OK; arc++)
        status = run_arc(truth, arc * CORPUS_ARCS / arc_count, &result, &error);
    if (status == SNW_OK) print_result(name, truth, &result);
    snw_trial_destroy(truth);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s: %s", path, error.message);
}

int bench_corpus(const cli_arguments *arguments, int run_count)
{
    const char *folder = getenv("SINEW_CORPUS"), *capture = cli_value(arguments, "--capture", NULL);
    int arc_count = run_count < CORPUS_ARCS ? run_count : CORPUS_ARCS, code = CLI_DONE;
    if (capture) return bench_capture(arguments, capture, capture, arc_count);
    if (!folder) {
        printf("\ncaptures of people: skipped, SINEW_CORPUS names no folder\n");
        return CLI_DONE;
    }
    printf("\ncaptures of people, an arc of %d cameras on each of %d sides: segments vanish as "
           "seen from "
           "there\n",
           CORPUS_CAMERAS, arc_count);
    for (size_t n = 0; n < sizeof corpus_capture / sizeof *corpus_capture && code == CLI_DONE;
         n++) {
        char path[4096];
        snw_format(path, sizeof path, "%s/%s", folder, corpus_capture[n]);
        code = bench_capture(arguments, path, corpus_capture[n], arc_count);
    }
    return code;
}

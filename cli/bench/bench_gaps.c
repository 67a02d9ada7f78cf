/* `sinew bench occlusion --gaps`: the error of every way to fill against the length of the gap, for
 * single markers and for a marker with its two nearest neighbours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "draw/chart.h"
#include "input.h"
#include "output.h"

enum {
    GAPS_LENGTHS = 8,
    GAPS_COUNT = 24, /* gaps of each length */
    GAPS_METHODS = 14
};

static const int gaps_length[GAPS_LENGTHS] = {3, 6, 12, 25, 50, 100, 200, 400};

static const struct {
    const char *name;
    int fill;    /* snw_fill_method, or -1 */
    int predict; /* snw_predict_method */
    bool both_ways;
} gaps_method[GAPS_METHODS] = {
    {"auto", SNW_FILL_AUTO, 0, false},
    {"local", SNW_FILL_LOCAL, 0, false},
    {"rigid", SNW_FILL_RIGID, 0, false},
    {"frame", SNW_FILL_FRAME, 0, false},
    {"spline", SNW_FILL_SPLINE, 0, false},
    {"linear", SNW_FILL_LINEAR, 0, false},
    {"pca", SNW_FILL_PCA, 0, false},
    {"lowrank", SNW_FILL_LOW_RANK, 0, false},
    {"smooth", -1, SNW_PREDICT_AUTO, true},
    {"live auto", -1, SNW_PREDICT_AUTO, false},
    {"live vtm-ukf", -1, SNW_PREDICT_TURN, false},
    {"live ekf", -1, SNW_PREDICT_VELOCITY, false},
    {"live extrapolate", -1, SNW_PREDICT_LINE, false},
    {"live circular", -1, SNW_PREDICT_CIRCLE, false},
};

typedef struct gaps_bench {
    snw_trial *truth;
    snw_segments *segments;
    int *neighbour;
    double error[2][GAPS_METHODS][GAPS_LENGTHS]; /* metres; single markers, three together */
} gaps_bench;

/* ---- captures
 * --------------------------------------------------------------------------------------- */

static snw_trial *make_dance(const cli_arguments *arguments)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_trial *trial = NULL;
    snw_error error = snw_error_none();
    options.motion = SNW_SYNTH_DANCE;
    options.seconds = 20;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_synth_create(body, NULL, &options, NULL, &synth, &error) != SNW_OK ||
        snw_trial_copy(synth->capture, NULL, &trial, &error) != SNW_OK)
        cli_fail(arguments, "%s", error.message);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return trial;
}

snw_trial *bench_pick_complete(const cli_arguments *arguments, snw_trial *trial)
{
    int count = 0, *pick = malloc(((size_t)trial->marker_count + 1) * sizeof(int));
    snw_trial *complete = NULL;
    snw_error error = snw_error_none();
    for (int m = 0; pick && m < trial->marker_count; m++)
        if (snw_trial_gaps(trial, m).missing_count == 0 && snw_trial_is_marker(trial, m))
            pick[count++] = m;
    if (!pick || count < 4 || trial->frame_count < 60)
        cli_fail(arguments, "too few markers are seen throughout to hide one");
    else if (snw_trial_pick(trial, pick, count, NULL, &complete, &error) != SNW_OK)
        cli_fail(arguments, "%s", error.message);
    free(pick);
    snw_trial_destroy(trial);
    return complete;
}

/* ---- gaps
 * -------------------------------------------------------------------------------------------- */

/* The marker and, of a group, the two that keep their distance to it best at three times. */
static void choose_group(const snw_trial *trial, int marker, bool is_group, int group[3])
{
    double best[2] = {INFINITY, INFINITY};
    group[0] = marker;
    group[1] = group[2] = -1;
    for (int m = 0; is_group && m < trial->marker_count; m++) {
        double low = INFINITY, high = 0;
        for (int n = 0; n < 9; n++) {
            int frame = n * (trial->frame_count - 1) / 8;
            double d = snw_vec3_distance(snw_trial_position(trial, frame, m),
                                         snw_trial_position(trial, frame, marker));
            low = fmin(low, d);
            high = fmax(high, d);
        }
        if (m == marker || high - low >= best[1]) continue;
        int place = high - low < best[0] ? 0 : 1;
        if (place == 0) {
            best[1] = best[0];
            group[2] = group[1];
        }
        best[place] = high - low;
        group[1 + place] = m;
    }
}

static bool is_free(const snw_trial *hidden, int marker, int first, int length)
{
    for (int frame = first - 5; frame < first + length + 5; frame++)
        if (frame >= 0 && frame < hidden->frame_count &&
            !snw_trial_is_present(hidden, frame, marker))
            return false;
    return true;
}

static void hide_gaps(snw_trial *hidden, const snw_trial *truth, int length, bool is_group)
{
    snw_random random = snw_random_seed(11, (uint64_t)length);
    int made = 0, room = hidden->frame_count - length - 20;
    for (int tries = 0; made < GAPS_COUNT && tries < 2000 && room > 0; tries++) {
        int group[3], first = 10 + (int)snw_random_below(&random, (uint32_t)room);
        bool is_there = true;
        choose_group(truth, (int)snw_random_below(&random, (uint32_t)hidden->marker_count),
                     is_group, group);
        for (int g = 0; g < 3; g++)
            is_there = is_there && (group[g] < 0 || is_free(hidden, group[g], first, length));
        if (!is_there) continue;
        made++;
        for (int g = 0; g < 3; g++)
            for (int n = 0; group[g] >= 0 && n < length; n++)
                snw_trial_set(hidden, first + n, group[g], snw_vec3_make(0, 0, 0),
                              SNW_SAMPLE_MISSING);
    }
}

/* Mean distance of what was made from the truth, over what is hidden. */
static double mean_miss(const snw_trial *truth, const snw_trial *hidden, const snw_trial *made)
{
    double sum = 0, count = 0;
    for (int frame = 0; frame < truth->frame_count; frame++)
        for (int m = 0; m < truth->marker_count; m++) {
            if (snw_trial_is_present(hidden, frame, m) || !snw_trial_is_present(made, frame, m))
                continue;
            sum += snw_vec3_distance(snw_trial_position(truth, frame, m),
                                     snw_trial_position(made, frame, m));
            count++;
        }
    return count > 0 ? sum / count : NAN;
}

static snw_status judge_method(const gaps_bench *bench, const snw_trial *hidden, int method,
                               double *miss, snw_error *error)
{
    snw_status status;
    if (gaps_method[method].fill >= 0) {
        snw_fill_options options = snw_fill_options_default();
        snw_filled *filled = NULL;
        options.method = (snw_fill_method)gaps_method[method].fill;
        options.uncertainty_max = 1e9;
        status = snw_trial_fill(hidden, &options, NULL, &filled, NULL, error);
        if (status == SNW_OK) *miss = mean_miss(bench->truth, hidden, filled->trial);
        snw_filled_destroy(filled);
        return status;
    }
    snw_predict_options options = snw_predict_options_default();
    snw_predict_job job = {bench->segments, bench->neighbour, NULL, 0,
                           gaps_method[method].both_ways};
    snw_trial *made = NULL;
    options.method = (snw_predict_method)gaps_method[method].predict;
    status = snw_trial_predict(hidden, &job, &options, NULL, &made, error);
    if (status == SNW_OK) *miss = mean_miss(bench->truth, hidden, made);
    snw_trial_destroy(made);
    return status;
}

static snw_status judge_lengths(gaps_bench *bench, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int kind = 0; kind < 2; kind++)
        for (int l = 0; l < GAPS_LENGTHS; l++) {
            snw_trial *hidden = NULL;
            for (int m = 0; m < GAPS_METHODS; m++)
                bench->error[kind][m][l] = NAN;
            if (3 * gaps_length[l] > bench->truth->frame_count || status != SNW_OK) continue;
            status = snw_trial_copy(bench->truth, NULL, &hidden, error);
            if (status == SNW_OK) hide_gaps(hidden, bench->truth, gaps_length[l], kind == 1);
            for (int m = 0; status == SNW_OK && m < GAPS_METHODS; m++)
                status = judge_method(bench, hidden, m, &bench->error[kind][m][l], error);
            snw_trial_destroy(hidden);
        }
    return status;
}

/* ---- what comes out
 * ----------------------------------------------------------------------------------- */

static void print_gaps(const gaps_bench *bench)
{
    for (int kind = 0; kind < 2; kind++) {
        printf("%s%-16s", kind ? "\n" : "", kind ? "three together" : "single markers");
        for (int l = 0; l < GAPS_LENGTHS; l++)
            printf(" %8d", gaps_length[l]);
        printf("  frames\n");
        for (int m = 0; m < GAPS_METHODS; m++) {
            printf("%-16s", gaps_method[m].name);
            for (int l = 0; l < GAPS_LENGTHS; l++)
                if (isfinite(bench->error[kind][m][l]))
                    printf(" %8.2f", 1000 * bench->error[kind][m][l]);
                else
                    printf(" %8s", "-");
            printf("%s\n", m == 0 ? "  mm" : "");
        }
    }
}

static bool draw_gaps(FILE *out, const void *context)
{
    const gaps_bench *bench = context;
    cli_chart chart[2];
    const char *names[GAPS_METHODS];
    memset(chart, 0, sizeof chart);
    for (int m = 0; m < GAPS_METHODS; m++)
        names[m] = gaps_method[m].name;
    for (int kind = 0; kind < 2; kind++) {
        chart[kind].title = kind ? "a marker and its two nearest" : "single markers";
        chart[kind].x_label = "length of the gap, frames";
        chart[kind].series_count = GAPS_METHODS;
        for (int m = 0; m < GAPS_METHODS; m++)
            for (int l = 0; l < GAPS_LENGTHS; l++) {
                double error = 1000 * bench->error[kind][m][l];
                if (!(error > 0)) continue;
                int n = chart[kind].point_count[m]++;
                chart[kind].x[m][n] = gaps_length[l];
                chart[kind].y[m][n] = error;
            }
    }
    cli_chart_page page = {"error of filled gaps", "mean error, mm", 2, chart, names};
    cli_chart_draw(&page, out);
    return true;
}

int bench_gaps(const cli_arguments *arguments, const char *picture)
{
    const char *path = cli_value(arguments, "--capture", NULL);
    static const char *const outputs[] = {"--gaps", NULL};
    snw_error error = snw_error_none();
    gaps_bench bench;
    int code = cli_check_output_options(arguments, outputs);
    if (code != CLI_DONE) return code;
    memset(&bench, 0, sizeof bench);
    bench.truth = path ? cli_read_trial(arguments, path, NULL) : make_dance(arguments);
    if (bench.truth) bench.truth = bench_pick_complete(arguments, bench.truth);
    if (!bench.truth) return CLI_FAILED;
    snw_status status = snw_segments_find(bench.truth, NULL, NULL, &bench.segments, NULL, &error);
    if (status == SNW_OK)
        bench.neighbour = malloc(((size_t)bench.segments->segment_count + 1) * sizeof(int));
    if (status == SNW_OK && bench.neighbour)
        status = snw_segment_neighbours(bench.truth, bench.segments, NULL, bench.neighbour, &error);
    if (status == SNW_OK) status = judge_lengths(&bench, &error);
    if (status != SNW_OK) code = cli_fail(arguments, "%s", error.message);
    if (code == CLI_DONE) print_gaps(&bench);
    if (code == CLI_DONE) code = cli_write_whole(arguments, picture, draw_gaps, &bench);
    free(bench.neighbour);
    snw_segments_destroy(bench.segments);
    snw_trial_destroy(bench.truth);
    return code;
}

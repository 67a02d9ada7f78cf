/* Keypoints, centroids and sensors a second, with more and more cameras; best of three. Cameras
 * look at one person who walks; centroids are those of 207 markers. */
#include <stdio.h>

#include "bench/bench.h"
#include "clock.h"
#include "command.h"

enum {
    VIEWS_ROUNDS = 3,
    VIEWS_MARKERS = 9 /* of a segment */
};

typedef struct views_row {
    bool is_keypoints;
    int cameras;
    double goal; /* keypoints, or frames, a second; 0: none */
} views_row;

static const views_row views_rows[] = {
    {true, 4, 1e6}, {true, 8, 0},  {true, 16, 0},  {true, 32, 0},
    {true, 64, 0},  {false, 8, 0}, {false, 16, 0}, {false, 24, 500},
};

/* Seconds of one run; negative: it failed. */
static double run_once(const views_row *row, const snw_synth_views *seen, snw_error *error)
{
    double start = cli_microseconds();
    snw_status status;
    if (row->is_keypoints) {
        snw_trial *trial = NULL;
        status = snw_views_triangulate(seen->views, seen->calibration, NULL, NULL, &trial, error);
        snw_trial_destroy(trial);
    } else {
        snw_reconstruction *made = NULL;
        status = snw_views_reconstruct(seen->views, seen->calibration, NULL, NULL, &made, error);
        snw_reconstruction_destroy(made);
    }
    return status == SNW_OK ? 1e-6 * (cli_microseconds() - start) : -1;
}

static bool run_row(const views_row *row, const snw_skeleton *body, snw_error *error)
{
    snw_synth_options options = snw_synth_options_default();
    snw_synth_view_options look = snw_synth_view_options_default();
    snw_synth *synth = NULL;
    snw_synth_views *seen = NULL;
    options.seconds = row->is_keypoints ? 5 : 4;
    options.rate = row->is_keypoints ? 60 : 120;
    options.camera_count = row->cameras;
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = row->is_keypoints ? 1 : VIEWS_MARKERS;
    look.of_joints = row->is_keypoints;
    if (row->is_keypoints) look.noise = 2;
    double best = -1;
    if (snw_synth_create(body, NULL, &options, NULL, &synth, error) == SNW_OK &&
        snw_synth_views_create(synth, &look, NULL, &seen, error) == SNW_OK)
        for (int round = 0; round < VIEWS_ROUNDS; round++) {
            double seconds = run_once(row, seen, error);
            if (seconds < 0) break;
            if (best < 0 || seconds < best) best = seconds;
        }
    if (best > 0) {
        double points = (double)seen->detection_count * seen->views->point_count / best;
        double rate = row->is_keypoints ? points : seen->views->frame_count / best;
        printf("%-10s %7d %12.0f %10.0f", row->is_keypoints ? "keypoints" : "centroids",
               row->cameras, points, seen->views->frame_count / best);
        if (row->goal > 0) printf("  %8.0f  %s", row->goal, rate >= row->goal ? "met" : "missed");
        putchar('\n');
    }
    snw_synth_views_destroy(seen);
    snw_synth_destroy(synth);
    return best > 0;
}

int bench_views(const cli_arguments *arguments)
{
    snw_skeleton *body = NULL;
    snw_error error;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    printf("%-10s %7s %12s %10s  %8s\n", "views", "cameras", "points/s", "frames/s", "goal");
    int status = CLI_DONE;
    for (size_t n = 0; n < sizeof views_rows / sizeof *views_rows && status == CLI_DONE; n++)
        if (!run_row(views_rows + n, body, &error))
            status = cli_fail(arguments, "%s", error.message);
    snw_skeleton_destroy(body);
    return status;
}

/* `sinew bench hand`: Table 5.2 of Aristidou (thesis 2010) beside ours: time per frame at 100, 10
 * and 3 Hz, on gestures whose joints are known. The thesis measured MATLAB on a 2.2 GHz processor.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/bench_act.h"
#include "clock.h"

typedef struct hand_row {
    double rate, printed_ms, printed_fps;
    snw_hand_method method;
    double microseconds, error_mm, worst_mm;
} hand_row;

/* Joints that count: base, middle and outer joint of each finger. */
static void measure_joints(const snw_motion *motion, const snw_trial *truth, hand_row *row)
{
    static const char *const fingers[] = {"thumb", "index", "middle", "ring", "little"};
    snw_pose *pose = NULL;
    double sum = 0;
    int count = 0;
    if (snw_pose_create(motion->skeleton, NULL, &pose, NULL) != SNW_OK) return;
    for (int k = 0; k < 15; k++) {
        char name[48], mine[48];
        int number = k % 3 + (k < 3 ? 1 : 2);
        snw_format(name, sizeof name, "true_%s%d", fingers[k / 3], number);
        snw_format(mine, sizeof mine, "right_%s%d", fingers[k / 3], number);
        int marker = snw_trial_find_marker(truth, name);
        int joint = snw_skeleton_find_joint(motion->skeleton, mine);
        double here = 0;
        for (int f = 0; f < motion->frame_count && marker >= 0 && joint >= 0; f++) {
            snw_motion_get(motion, f, pose);
            snw_pose_forward(pose);
            here += 1000 * snw_vec3_distance(pose->world[joint].translation,
                                             snw_trial_position(truth, f, marker));
        }
        row->worst_mm = fmax(row->worst_mm, here / motion->frame_count);
        sum += here;
        count += motion->frame_count;
    }
    row->error_mm = sum / count;
    snw_pose_destroy(pose);
}

/* Time of a step alone: the median over the capture, which other programs disturb least. */
static snw_status measure_time(snw_hand *hand, const snw_hand_capture *capture, hand_row *row,
                               snw_error *error)
{
    snw_pose *pose = NULL;
    double *times = malloc(sizeof *times * (size_t)capture->frame_count);
    snw_status status = snw_pose_create(snw_hand_skeleton(hand), NULL, &pose, error);
    snw_hand_reset(hand);
    for (int f = 0; f < capture->frame_count && times && status == SNW_OK; f++) {
        double start = cli_microseconds();
        snw_hand_step(hand, capture->frame + f, pose, NULL);
        times[f] = cli_microseconds() - start;
    }
    if (times && status == SNW_OK)
        row->microseconds = cli_quantile(times, capture->frame_count, 0.5);
    free(times);
    snw_pose_destroy(pose);
    return status;
}

static snw_status run_row(hand_row *row, snw_error *error)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL, *solved = NULL;
    snw_trial *markers = NULL, *truth = NULL;
    snw_hand_capture *capture = NULL;
    snw_hand_profile profile;
    snw_hand_options how = snw_hand_options_default();
    snw_hand *hand = NULL;
    options.motion = SNW_SYNTH_GESTURES;
    options.seconds = 60;
    options.rate = row->rate;
    how.method = row->method;
    snw_status status = snw_preset_create("hand25", NULL, &body, error);
    if (status == SNW_OK) status = snw_synth_motion_create(body, &options, NULL, &motion, error);
    if (status == SNW_OK) status = snw_synth_hand(motion, NULL, NULL, &markers, &truth, error);
    if (status == SNW_OK)
        status = snw_hand_capture_from_trial(markers, SNW_SIDE_RIGHT, NULL, &capture, NULL, error);
    if (status == SNW_OK) status = snw_hand_calibrate(capture, &profile, NULL, error);
    if (status == SNW_OK) status = snw_hand_create(&profile, &how, NULL, &hand, error);
    if (status == SNW_OK) status = snw_hand_solve(hand, capture, NULL, &solved, error);
    if (status == SNW_OK) measure_joints(solved, truth, row);
    if (status == SNW_OK) status = measure_time(hand, capture, row, error);
    snw_motion_destroy(solved);
    snw_hand_destroy(hand);
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(markers);
    snw_trial_destroy(truth);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return status;
}

static void print_rows(const hand_row *rows, int count)
{
    printf("%8s %14s %14s  %-6s %12s %14s %12s %12s\n", "rate Hz", "thesis ms", "thesis fps",
           "method", "us a frame", "frames a s", "mean mm", "worst mm");
    for (int n = 0; n < count; n++)
        printf("%8g %14.4f %14.1f  %-6s %12.2f %14.0f %12.2f %12.2f\n", rows[n].rate,
               rows[n].printed_ms, rows[n].printed_fps, snw_hand_method_name(rows[n].method),
               rows[n].microseconds, 1e6 / rows[n].microseconds, rows[n].error_mm,
               rows[n].worst_mm);
}

int bench_hand(const cli_arguments *arguments)
{
    hand_row rows[] = {
        {100, 1.4311, 69.8, SNW_HAND_FIT, 0, 0, 0},  {10, 1.6251, 61.5, SNW_HAND_FIT, 0, 0, 0},
        {3, 2.2287, 44.8, SNW_HAND_FIT, 0, 0, 0},    {100, 1.4311, 69.8, SNW_HAND_CHAIN, 0, 0, 0},
        {10, 1.6251, 61.5, SNW_HAND_CHAIN, 0, 0, 0}, {3, 2.2287, 44.8, SNW_HAND_CHAIN, 0, 0, 0},
    };
    int count = (int)(sizeof rows / sizeof rows[0]);
    snw_error error;
    for (int n = 0; n < count; n++)
        if (run_row(&rows[n], &error) != SNW_OK) return cli_fail(arguments, "%s", error.message);
    if (!cli_flag(arguments, "--json")) {
        print_rows(rows, count);
        return CLI_DONE;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_array(&json, NULL);
    for (int n = 0; n < count; n++) {
        cli_json_object(&json, NULL);
        cli_json_number(&json, "rate", rows[n].rate);
        cli_json_number(&json, "thesis_ms", rows[n].printed_ms);
        cli_json_string(&json, "method", snw_hand_method_name(rows[n].method));
        cli_json_number(&json, "microseconds", rows[n].microseconds);
        cli_json_number(&json, "mean_mm", rows[n].error_mm);
        cli_json_number(&json, "worst_mm", rows[n].worst_mm);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    return CLI_DONE;
}

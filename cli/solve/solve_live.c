/* `sinew solve --realtime`: the capture as if it came from cameras now. Frames go one by one
 * through the tracker, which knows nothing of those to come, and each step is timed. */
#include <stdlib.h>

#include "clock.h"
#include "counter.h"
#include "solve/solve.h"

/* ---- time ----------------------------------------------------------------------------------- */

/* Sorts the times. */
static void judge_times(double *seconds, int count, solve_times *times)
{
    for (int k = 0; k < count; k++)
        times->total += seconds[k];
    if (count == 0) return;
    times->median = cli_median(seconds, count);
    times->late = seconds[(int)(0.99 * (count - 1))];
    times->worst = seconds[count - 1];
}

/* ---- frames --------------------------------------------------------------------------------- */

typedef struct live_job {
    snw_tracker *tracker;
    snw_pose *pose;
    double *seconds; /* (frame_count) */
    cli_counter *counter;
} live_job;

static void run_frames(const live_job *live, solve_job *job)
{
    int64_t before = live->counter->allocations;
    job->times.memory = (size_t)live->counter->bytes;
    for (int frame = 0; frame < job->trial->frame_count; frame++) {
        snw_frame view = snw_trial_frame(job->trial, frame);
        double start = cli_microseconds();
        snw_track track = snw_tracker_step(live->tracker, &view, live->pose);
        live->seconds[frame] = 1e-6 * (cli_microseconds() - start);
        snw_motion_set(job->motion, frame, live->pose);
        snw_solve_report_add(&job->report, job->actor, &track);
    }
    job->times.allocation_count = (int)(live->counter->allocations - before);
    judge_times(live->seconds, job->trial->frame_count, &job->times);
}

snw_status cli_solve_live(solve_job *job, snw_error *error)
{
    cli_counter counter;
    live_job live = {NULL, NULL, NULL, &counter};
    snw_allocator counted = cli_counting_allocator(&counter);
    snw_tracker_options options = cli_solve_tracker_options(job);
    job->times.is_live = true;
    snw_status status = snw_motion_create(job->actor->skeleton, job->trial->frame_count,
                                          job->trial->rate, NULL, &job->motion, error);
    if (status == SNW_OK)
        status = snw_tracker_create_for_trial(job->actor, job->trial, &options, &counted,
                                              &live.tracker, error);
    if (status == SNW_OK)
        status = snw_pose_create(job->actor->skeleton, &counted, &live.pose, error);
    live.seconds = malloc(((size_t)job->trial->frame_count + 1) * sizeof *live.seconds);
    if (status == SNW_OK && !live.seconds) {
        status = error->status = SNW_OUT_OF_MEMORY;
        snw_format(error->message, sizeof error->message, "no memory to keep the times");
    }
    if (status == SNW_OK) run_frames(&live, job);
    snw_pose_destroy(live.pose);
    snw_tracker_destroy(live.tracker);
    free(live.seconds);
    return status;
}

/* ---- words ---------------------------------------------------------------------------------- */

void cli_solve_print_live(const solve_job *job)
{
    const solve_times *times = &job->times;
    printf("as live: %d frames one by one, none seen beforehand, nothing corrected afterwards\n",
           job->report.frame_count);
    if (job->calibrated <= 0)
        printf("the skeleton came from a file: nothing of this trial was known\n");
    else if (job->calibrated < job->report.frame_count / job->trial->rate)
        printf("the skeleton is from the first %.2f s of this trial\n", job->calibrated);
    else
        printf("the skeleton is from the whole of this trial: the joints' places know the future "
               "(--actor, --calibrate)\n");
    printf("a frame takes %.0f us (median), 99 of 100 at most %.0f us, the worst %.0f us: %.0f "
           "frames a second\n",
           1e6 * times->median, 1e6 * times->late, 1e6 * times->worst,
           times->total > 0 ? job->report.frame_count / times->total : 0);
    printf("memory is flat: %.0f kB taken before the first frame, %d allocations since\n",
           (double)times->memory / 1000, times->allocation_count);
}

void cli_solve_json_live(cli_json *json, const solve_job *job)
{
    const solve_times *times = &job->times;
    cli_json_object(json, "live");
    cli_json_number(json, "calibrated_s", job->calibrated);
    cli_json_number(json, "median_s", times->median);
    cli_json_number(json, "p99_s", times->late);
    cli_json_number(json, "worst_s", times->worst);
    cli_json_number(json, "frames_per_second",
                    times->total > 0 ? job->report.frame_count / times->total : 0);
    cli_json_integer(json, "memory_bytes", (int64_t)times->memory);
    cli_json_integer(json, "allocations_in_steps", times->allocation_count);
    cli_json_end_object(json);
}

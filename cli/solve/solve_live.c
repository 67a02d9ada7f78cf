/* `sinew solve --realtime`: the capture as if it came from cameras now, each step timed. */
#include <stdlib.h>

#include "clock.h"
#include "solve/solve.h"

/* ---- time ----------------------------------------------------------------------------------- */

snw_track cli_solve_step(void *context, snw_live_body *live, const snw_frame *frame, snw_pose *pose)
{
    solve_clock *clock = context;
    int64_t before = clock->counter.allocations;
    double start = cli_microseconds();
    snw_track track = snw_live_body_step(live, frame, pose);
    double seconds = 1e-6 * (cli_microseconds() - start);
    if (clock->count == clock->room) {
        int room = clock->room ? 2 * clock->room : 1024;
        double *more = realloc(clock->seconds, (size_t)room * sizeof *more);
        if (!more) return track;
        clock->seconds = more;
        clock->room = room;
    }
    clock->seconds[clock->count++] = seconds;
    clock->allocations += (int)(clock->counter.allocations - before);
    return track;
}

/* What a live body holds: it is made once more to see. */
static size_t memory_of(const solve_job *job, const snw_style *style)
{
    snw_tracker_options tracker = snw_tracker_options_default();
    snw_live_body_options options = snw_live_body_options_default();
    cli_counter counter;
    snw_allocator counted = cli_counting_allocator(&counter);
    snw_live_body *live = NULL;
    snw_pose *pose = NULL;
    size_t bytes = 0;
    tracker.style = style;
    options.tracker = &tracker;
    if (snw_live_body_create_for_trial(job->body->kept, job->solution->trial, &options, &counted,
                                       &live, NULL) == SNW_OK &&
        snw_pose_create(job->body->kept->skeleton, &counted, &pose, NULL) == SNW_OK)
        bytes = (size_t)counter.bytes;
    snw_pose_destroy(pose);
    snw_live_body_destroy(live);
    return bytes;
}

/* Sorts the times of this body. */
bool cli_solve_judge_times(solve_job *job, solve_clock *clock)
{
    solve_times *times = &job->times;
    int count = job->solution->trial->frame_count, first = (job->number - 1) * count;
    times->is_live = true;
    times->memory = memory_of(job, clock->style);
    times->allocation_count = clock->allocations;
    if (times->memory == 0 || first + count > clock->count) return false;
    if (count == 0) return true;
    double *seconds = clock->seconds + first;
    for (int k = 0; k < count; k++)
        times->total += seconds[k];
    times->median = cli_median(seconds, count);
    times->late = seconds[(int)(0.99 * (count - 1))];
    times->worst = seconds[count - 1];
    return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

void cli_solve_print_live(const solve_job *job)
{
    const solve_times *times = &job->times;
    printf("as live: %d frames one by one, none seen beforehand, nothing corrected afterwards\n",
           job->body->report.frame_count);
    if (job->solution->calibrated <= 0)
        printf("the skeleton came from a file: nothing of this trial was known\n");
    else if (job->solution->calibrated < job->body->report.frame_count / job->solution->trial->rate)
        printf("the skeleton is from the first %.2f s of this trial\n", job->solution->calibrated);
    else
        printf("the skeleton is from the whole of this trial: the joints' places know the future "
               "(--actor, --calibrate)\n");
    printf("a frame takes %.0f us (median), 99 of 100 at most %.0f us, the worst %.0f us: %.0f "
           "frames a second\n",
           1e6 * times->median, 1e6 * times->late, 1e6 * times->worst,
           times->total > 0 ? job->body->report.frame_count / times->total : 0);
    printf("memory is flat: %.0f kB taken before the first frame, %d allocations since\n",
           (double)times->memory / 1000, times->allocation_count);
}

void cli_solve_json_live(cli_json *json, const solve_job *job)
{
    const solve_times *times = &job->times;
    cli_json_object(json, "live");
    cli_json_number(json, "calibrated_s", job->solution->calibrated);
    cli_json_number(json, "median_s", times->median);
    cli_json_number(json, "p99_s", times->late);
    cli_json_number(json, "worst_s", times->worst);
    cli_json_number(json, "frames_per_second",
                    times->total > 0 ? job->body->report.frame_count / times->total : 0);
    cli_json_integer(json, "memory_bytes", (int64_t)times->memory);
    cli_json_integer(json, "allocations_in_steps", times->allocation_count);
    cli_json_end_object(json);
}

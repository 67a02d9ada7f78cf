/* `sinew solve --smooth`: the motion smoothed over the whole trial, and what that did. */
#include "solve/solve.h"

#include <stdlib.h>

#include "clock.h"

/* The median noise of places and turns, and the range of the places' cut-offs. */
static void sum_up(solve_job *job, const snw_smoothing *told, double *work)
{
    solve_smoothing *smoothing = &job->smoothing;
    int count = job->motion->skeleton->joint_count;
    smoothing->lowest = smoothing->highest = told[0].place_cutoff;
    for (int j = 0; j < count; j++) {
        work[j] = told[j].place_noise;
        if (told[j].place_cutoff < smoothing->lowest) smoothing->lowest = told[j].place_cutoff;
        if (told[j].place_cutoff > smoothing->highest) smoothing->highest = told[j].place_cutoff;
    }
    smoothing->place_noise = cli_median(work, count);
    for (int j = 0; j < count; j++)
        work[j] = told[j].turn_noise;
    smoothing->turn_noise = cli_median(work, count);
}

snw_status cli_solve_smooth(solve_job *job, snw_error *error)
{
    size_t joints = (size_t)job->motion->skeleton->joint_count;
    snw_smoothing *told = calloc(joints, sizeof *told);
    double *work = calloc(joints, sizeof *work);
    snw_motion *smooth = NULL;
    snw_status status = SNW_OUT_OF_MEMORY;
    if (told && work)
        status = snw_motion_smooth(job->motion, job->actor, NULL, &smooth, told, error);
    else
        snw_format(error->message, sizeof error->message, "no memory to smooth the motion");
    if (status == SNW_OK) {
        sum_up(job, told, work);
        job->smoothing.is_smooth = true;
        snw_motion_destroy(job->motion);
        job->motion = smooth;
    }
    free(told);
    free(work);
    return status;
}

void cli_solve_print_smooth(const solve_job *job)
{
    const solve_smoothing *smoothing = &job->smoothing;
    printf(
        "smoothed over the whole trial: in the raw motion, which solve writes without --smooth, "
        "joints have %.2f mm and segments %.2f degrees of noise (medians); half power at %.1f to "
        "%.1f Hz\n",
        1000 * smoothing->place_noise, snw_degrees(smoothing->turn_noise), smoothing->lowest,
        smoothing->highest);
    printf("markers lie %.2f mm (rms, outliers too) from the smoothed body\n",
           1000 * job->residuals->rms);
}

void cli_solve_json_smooth(cli_json *json, const solve_job *job)
{
    const solve_smoothing *smoothing = &job->smoothing;
    cli_json_object(json, "smoothed");
    cli_json_number(json, "lowest_cutoff_hz", smoothing->lowest);
    cli_json_number(json, "highest_cutoff_hz", smoothing->highest);
    cli_json_number(json, "raw_place_noise_m", smoothing->place_noise);
    cli_json_number(json, "raw_turn_noise_rad", smoothing->turn_noise);
    cli_json_number(json, "residual_m", job->residuals->rms);
    cli_json_end_object(json);
}

/* `sinew solve --smooth`: what smoothing the motion over the whole trial did. */
#include "solve/solve.h"

#include <stdlib.h>

#include "clock.h"

bool cli_solve_sum_smoothing(solve_job *job)
{
    const snw_solved_body *body = job->body;
    const snw_smoothing *told = body->smoothing;
    solve_smoothing sum = {0, 0, told[0].place_cutoff, told[0].place_cutoff};
    int count = body->joint_count;
    double *work = malloc((size_t)count * sizeof *work);
    if (!work) return false;
    for (int j = 0; j < count; j++) {
        work[j] = told[j].place_noise;
        if (told[j].place_cutoff < sum.lowest) sum.lowest = told[j].place_cutoff;
        if (told[j].place_cutoff > sum.highest) sum.highest = told[j].place_cutoff;
    }
    sum.place_noise = cli_median(work, count);
    for (int j = 0; j < count; j++)
        work[j] = told[j].turn_noise;
    sum.turn_noise = cli_median(work, count);
    free(work);
    job->smoothing = sum;
    return true;
}

void cli_solve_print_smooth(const solve_job *job)
{
    const solve_smoothing sum = job->smoothing;
    printf(
        "smoothed over the whole trial: in the raw motion, which solve writes without --smooth, "
        "joints have %.2f mm and segments %.2f degrees of noise (medians); half power at %.1f to "
        "%.1f Hz\n",
        1000 * sum.place_noise, snw_degrees(sum.turn_noise), sum.lowest, sum.highest);
    printf("markers lie %.2f mm (rms, outliers too) from the smoothed body\n",
           1000 * job->body->residuals->rms);
}

void cli_solve_json_smooth(cli_json *json, const solve_job *job)
{
    const solve_smoothing sum = job->smoothing;
    cli_json_object(json, "smoothed");
    cli_json_number(json, "lowest_cutoff_hz", sum.lowest);
    cli_json_number(json, "highest_cutoff_hz", sum.highest);
    cli_json_number(json, "raw_place_noise_m", sum.place_noise);
    cli_json_number(json, "raw_turn_noise_rad", sum.turn_noise);
    cli_json_number(json, "residual_m", job->body->residuals->rms);
    cli_json_end_object(json);
}

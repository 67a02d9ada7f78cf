/* The deviations of all distances, for those who want to look at them. */
#include <sinew/limb.h>

#include "base/fail.h"
#include "limb/limb_distance.h"
#include "rigid/sampling.h"

/* Frames, spread over the trial: as many as a calibration looks at. */
#define DEVIATION_FRAMES 3000

snw_status snw_marker_deviations(const snw_trial *trial, const snw_allocator *allocator,
                                 double *deviation, snw_error *error)
{
    snw__samples *samples = NULL;
    snw_status status = snw__samples_create(trial, DEVIATION_FRAMES, allocator, &samples, error);
    if (status == SNW_OK) status = snw__marker_deviations(samples, deviation, error);
    snw__samples_destroy(samples);
    return status == SNW_OK ? snw__succeed(error) : status;
}

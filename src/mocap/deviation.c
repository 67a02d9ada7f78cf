/* The deviations of all distances, for those who want to look at them. */
#include "base/fail.h"
#include "mocap/limb_distance.h"

snw_status snw_marker_deviations(const snw_trial *trial, const snw_allocator *allocator,
                                 double *deviation, snw_error *error)
{
    snw__capture *capture = NULL;
    snw_status status = snw__capture_create(trial, snw_actor_options_default().frame_max, allocator,
                                            &capture, error);
    if (status == SNW_OK) status = snw__marker_deviations(capture, deviation, error);
    snw__capture_destroy(capture);
    return status == SNW_OK ? snw__succeed(error) : status;
}

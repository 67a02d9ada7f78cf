/* sinew/measure.h - what a person wants to know of a motion: how far the markers lie from it.
 *
 *     snw_residuals *residuals = NULL;
 *     if (snw_actor_residuals(actor, trial, motion, NULL, &residuals, &error) == SNW_OK)
 *         printf("%.1f mm\n", 1000 * residuals->rms);
 *     snw_residuals_destroy(residuals);
 *
 * An allocator that is NULL means malloc; errors may be NULL. Results are constant once made.
 */
#ifndef SINEW_MEASURE_H
#define SINEW_MEASURE_H

#include <sinew/actor.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One marker of the trial against the body. */
typedef struct snw_marker_residual {
    int joint;       /* that carries it; -1: the marker is not on the body, the rest is zero */
    int seen_count;  /* frames that show it */
    double rms;      /* metres */
    double worst;    /* metres */
    int worst_frame; /* -1: never seen */
} snw_marker_residual;

/* How far each marker lies from where the solved motion carries it. */
typedef struct snw_residuals {
    int marker_count;            /* of the trial */
    int frame_count;             /* the shorter of trial and motion */
    snw_marker_residual *marker; /* (marker_count) */
    float
        *distance; /* (frame_count x marker_count) metres; NaN where there is nothing to compare */
    double *frame_rms; /* (frame_count) metres; NaN where the frame shows no three markers */
    double rms;        /* over all samples; 0 where there is none */
    snw_allocator allocator;
    size_t block_size;
} snw_residuals;

/* motion must be of the actor's skeleton. All samples count, also those that the tracker took for
 * outliers, of frames that show three markers of the body and more: others have no pose. */
SNW_API snw_status snw_actor_residuals(const snw_actor *actor, const snw_trial *trial,
                                       const snw_motion *motion, const snw_allocator *allocator,
                                       snw_residuals **out, snw_error *error);
SNW_API void snw_residuals_destroy(snw_residuals *residuals);

#ifdef __cplusplus
}
#endif
#endif

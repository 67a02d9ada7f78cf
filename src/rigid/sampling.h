/* The samples a calibration looks at. Internal. */
#ifndef SNW_RIGID_SAMPLING_H
#define SNW_RIGID_SAMPLING_H

#include <sinew/trial.h>

/* A spread of frames of a trial as doubles, with samples that cannot be trusted left out. */
typedef struct snw__samples {
    int frame_count;
    int marker_count;
    int run_length;  /* frames that follow each other in the trial; frame_count is a multiple */
    int *frame;      /* (frame_count) which frame of the trial, ascending */
    snw_vec3 *point; /* (frame_count x marker_count) metres; undefined where not seen */
    uint8_t *seen;   /* (frame_count x marker_count) */
    snw_allocator allocator;
    size_t block_size;
} snw__samples;

/* At most frame_max frames, evenly spread. A sample is left out where it is missing, not finite,
 * absurdly far away, or next to a gap: the cameras lose and find a marker with its worst places.
 * Markers that have no other samples keep those beside gaps. */
snw_status snw__samples_create(const snw_trial *trial, int frame_max,
                               const snw_allocator *allocator, snw__samples **out,
                               snw_error *error);
/* Frames of a run, at most: the mean of eight has a third of the noise, and nobody moves much in
 * 1/15 s. */
enum {
    SNW__SAMPLES_RUN = 8
};

/* The same with runs of frames that follow each other, for what needs neighbours in time. A short
 * trial has shorter runs, of one frame at last. */
snw_status snw__samples_create_runs(const snw_trial *trial, int run_max,
                                    const snw_allocator *allocator, snw__samples **out,
                                    snw_error *error);
/* The samples of some of the markers, in the order they are named. */
snw_status snw__samples_pick(const snw__samples *samples, const int *marker, int marker_count,
                             snw__samples **out, snw_error *error);
void snw__samples_destroy(snw__samples *samples);

static inline const snw_vec3 *snw__samples_points(const snw__samples *samples, int frame)
{
    return samples->point + (size_t)frame * (size_t)samples->marker_count;
}

static inline const uint8_t *snw__samples_seen(const snw__samples *samples, int frame)
{
    return samples->seen + (size_t)frame * (size_t)samples->marker_count;
}

/* A sample that may be used at all: present, finite, within 10 km of the origin. */
bool snw__sample_is_usable(const snw_frame *frame, int marker);
bool snw__trial_is_usable(const snw_trial *trial, int frame, int marker);

#endif

/* Small trials out of fuzz bytes: markers that go straight on, with gaps, hostile names and now and
 * then an extreme number. Small, because a thousand runs a second find more than one large one. */
#ifndef SNW_FUZZ_TRIALS_H
#define SNW_FUZZ_TRIALS_H

#include "fuzz_numbers.h"

static inline void fuzz_check_said(snw_status status, const snw_error *error)
{
    if (status != SNW_OK && !error->message[0]) abort();
}

static inline void fuzz_place(snw_trial *trial, int frame, int marker, snw_vec3 place)
{
    size_t n = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    if (!(snw_vec3_length(place) < 1e30)) return;
    trial->sample[n] = (snw_sample){(float)place.x, (float)place.y, (float)place.z, 0};
    trial->state[n] = SNW_SAMPLE_MEASURED;
}

/* NULL where the options are refused. */
static inline snw_trial *fuzz_trial(fuzz_bytes *bytes, int marker_max, int frame_max)
{
    static const char *const labels[] = {"LASI", "RASI", "LPSI", "RPSI", "LKNE", "LTHI", "LANK",
                                         "*12",  "U_3",  "",     "a b",  "x\ty", "\"q",  "LASI"};
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 1 + fuzz_below(bytes, marker_max);
    options.frame_count = 1 + fuzz_below(bytes, frame_max);
    if (fuzz_byte(bytes) >= 0xf0) options.rate = fabs(fuzz_number(bytes));
    snw_trial *trial = NULL;
    snw_error error;
    fuzz_check_said(snw_trial_create(&options, NULL, &trial, &error), &error);
    int missing = (int)(fuzz_byte(bytes) >> 5); /* of eight samples */
    for (int m = 0; trial && m < trial->marker_count; m++) {
        if (fuzz_byte(bytes) & 1)
            snw_trial_set_marker_name(trial, m, labels[fuzz_below(bytes, 14)], NULL);
        snw_vec3 start = snw_vec3_scale(fuzz_vector(bytes), 500);
        snw_vec3 step = snw_vec3_scale(fuzz_vector(bytes), 5);
        for (int f = 0; f < trial->frame_count; f++)
            if ((int)(fuzz_byte(bytes) & 7) >= missing)
                fuzz_place(trial, f, m, snw_vec3_add_scaled(start, f, step));
    }
    return trial;
}

/* What is there is finite. */
static inline void fuzz_check_trial(const snw_trial *trial)
{
    size_t count = (size_t)trial->frame_count * (size_t)trial->marker_count;
    for (size_t n = 0; n < count; n++)
        if (trial->state[n] != SNW_SAMPLE_MISSING &&
            !(isfinite(trial->sample[n].x) && isfinite(trial->sample[n].y) &&
              isfinite(trial->sample[n].z)))
            abort();
}

static inline void fuzz_check_motion(const snw_motion *motion)
{
    size_t count = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (size_t n = 0; n < count; n++)
        if (!snw_quat_is_finite(motion->rotation[n]) || !snw_vec3_is_finite(motion->slide[n]))
            abort();
    for (int f = 0; f < motion->frame_count; f++)
        if (!snw_quat_is_finite(motion->root[f].rotation) ||
            !snw_vec3_is_finite(motion->root[f].translation))
            abort();
}

#endif

/* Two segments, now and then three, of three markers that turn against each other in any way, with
 * noise, gaps and wild samples, in a handful of frames: calibrated or refused with a sentence; the
 * tracker's steps allocate nothing and give finite poses, and now and then the whole trial is
 * solved, measured, judged and smoothed. fuzz_chain has what wants more frames to be seen. */
#include "fuzz_chains.h"

enum {
    CALIBRATE_FRAMES = 5 /* the least; now and then one fewer or more */
};

static snw_trial *make_trial(fuzz_bytes *bytes, int segments)
{
    snw_trial_options options = snw_trial_options_default();
    snw_vec3 local[CHAIN_SEGMENTS * CHAIN_MARKERS], turn[CHAIN_SEGMENTS];
    snw_trial *trial = NULL;
    options.marker_count = segments * CHAIN_MARKERS;
    options.frame_count = CALIBRATE_FRAMES + 1 - fuzz_below(bytes, 16) / 7;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) abort();
    unsigned wild = fuzz_byte(bytes); /* of 256 samples, so many / 16 are somewhere else */
    for (int n = 0; n < options.marker_count; n++)
        local[n] = snw_vec3_scale(fuzz_vector(bytes), 100);
    for (int l = 0; l < segments; l++)
        turn[l] = fuzz_vector(bytes);
    for (int f = 0; f < options.frame_count; f++) {
        snw_xform segment = snw_xform_identity();
        for (int l = 0; l < segments; l++) {
            double angle = f * ((int)fuzz_byte(bytes) - 128) / 256.0;
            snw_xform joint = {snw_quat_exp(snw_vec3_scale(turn[l], angle)), {0, 300, 0}};
            segment = snw_xform_mul(segment, joint);
            for (int m = l * CHAIN_MARKERS; m < (l + 1) * CHAIN_MARKERS; m++) {
                snw_vec3 place = snw_xform_point(segment, local[m]);
                unsigned what = fuzz_byte(bytes);
                if (what < wild / 16) place = snw_vec3_scale(fuzz_vector(bytes), 1000);
                if (what < 255) fuzz_place(trial, f, m, place);
            }
        }
    }
    return trial;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    unsigned what = fuzz_byte(&bytes);
    int segment_of[CHAIN_SEGMENTS * CHAIN_MARKERS];
    snw_trial *trial = make_trial(&bytes, (what & 15) == 1 ? 3 : 2);
    snw_actor_options options = snw_actor_options_default();
    for (int m = 0; m < trial->marker_count; m++)
        segment_of[m] = (what >> 5) == 7 && m % 4 == 0 ? -1 : m / CHAIN_MARKERS;
    options.part = (what & 0x1e) == 0x1e;
    if ((what & 0x70) == 0x70) options.frame_max = 4 + (int)(what & 15);
    chain_job job = {.trial = trial, .segment_of = segment_of, .names = chain_names(&bytes)};
    job.steps = 2;
    job.is_solved = (what & 0x1e) == 2;
    chain_check(&job, &options);
    snw_trial_destroy(trial);
    return 0;
}

/* Three segments, hinges, universal joints or neither, whose skin slides and which are hidden for a
 * while, in as many frames as types of joints and skin want to be seen: calibrated, tracked,
 * solved, measured, judged and smoothed, or refused with a sentence.
 *
 * A calibration of the whole body goes eight times over the frames, forty times where segments have
 * two markers, and solves each: 300 to 1600 solves, 3 to 20 ms. fuzz_calibrate has the thousand
 * runs a second. */
#include "fuzz_chains.h"

enum {
    CHAIN_FRAMES = 40 /* twelve times three in a row, which a joint's type is judged by */
};

/* How a joint stands in a frame: about one axis, one after the other of two, or any. */
static snw_quat joint_turn(unsigned how, int segment, int frame, double angle)
{
    double second = 0.5 * cos(0.17 * frame + segment);
    if (how & 8)
        return snw_quat_mul(snw_quat_exp(snw_vec3_make(angle, 0, 0)),
                            snw_quat_exp(snw_vec3_make(0, 1.6 * second, 0)));
    return snw_quat_exp(snw_vec3_make(angle, how & 1 ? 0 : second, how & 2 ? 0 : angle / 3));
}

static void hide(snw_trial *trial, fuzz_bytes *bytes)
{
    int marker = fuzz_below(bytes, trial->marker_count), width = 1 + fuzz_below(bytes, 6);
    int first = fuzz_below(bytes, CHAIN_FRAMES), end = first + 1 + fuzz_below(bytes, 24);
    for (int m = marker; m < marker + width && m < trial->marker_count; m++)
        for (int f = first; f < end && f < CHAIN_FRAMES; f++)
            snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
}

static snw_trial *make_trial(fuzz_bytes *bytes)
{
    snw_trial_options options = snw_trial_options_default();
    snw_vec3 local[CHAIN_SEGMENTS * CHAIN_MARKERS];
    snw_trial *trial = NULL;
    options.marker_count = CHAIN_SEGMENTS * CHAIN_MARKERS;
    options.frame_count = CHAIN_FRAMES;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) abort();
    unsigned how = fuzz_byte(bytes);
    double slide = fuzz_byte(bytes) / 32.0, noise = fuzz_byte(bytes) / 512.0;
    double swing[CHAIN_SEGMENTS] = {0.8, fuzz_byte(bytes) / 200.0, fuzz_byte(bytes) / 200.0};
    for (int n = 0; n < options.marker_count; n++)
        local[n] = snw_vec3_scale(fuzz_vector(bytes), 100);
    for (int f = 0; f < options.frame_count; f++) {
        snw_xform segment = {snw_quat_exp(snw_vec3_make(0, 0.02 * f, 0)), {10.0 * f, 0, 0}};
        for (int l = 0; l < CHAIN_SEGMENTS; l++) {
            double angle = swing[l] * sin(0.3 * f + l);
            snw_vec3 bone = {0, how & 4 ? 30 : 300, 0};
            if (l)
                segment =
                    snw_xform_mul(segment, snw_xform_make(joint_turn(how, l, f, angle), bone));
            for (int m = l * CHAIN_MARKERS; m < (l + 1) * CHAIN_MARKERS; m++) {
                snw_vec3 place = snw_vec3_add(local[m], snw_vec3_make(0, slide * angle, 0));
                place.z += noise * ((f * 37 + m * 11) % 7 - 3);
                fuzz_place(trial, f, m, snw_xform_point(segment, place));
            }
        }
    }
    for (int n = fuzz_below(bytes, 4); n > 0; n--)
        hide(trial, bytes);
    return trial;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    unsigned what = fuzz_byte(&bytes);
    int segment_of[CHAIN_SEGMENTS * CHAIN_MARKERS];
    snw_trial *trial = make_trial(&bytes);
    snw_actor_options options = snw_actor_options_default();
    for (int m = 0; m < trial->marker_count; m++) /* two markers on every segment, or three */
        segment_of[m] = (what & 4) && m % CHAIN_MARKERS == 2 ? -1 : m / CHAIN_MARKERS;
    chain_job job = {.trial = trial, .segment_of = segment_of, .names = chain_names(&bytes)};
    job.has_tree = what & 2;
    job.steps = 2;
    job.is_solved = true;
    chain_check(&job, &options);
    snw_trial_destroy(trial);
    return 0;
}

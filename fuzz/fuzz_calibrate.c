/* Two limbs, now and then three, of three markers that turn against each other in any way, with
 * noise, gaps and wild samples: calibrated or refused with a sentence; the tracker's steps allocate
 * nothing and give finite poses, and now and then the whole trial is solved, measured, judged and
 * smoothed. */
#include "fuzz_solution.h"

enum {
    CALIBRATE_LIMBS = 3,
    CALIBRATE_MARKERS = 3, /* of each limb */
    CALIBRATE_FRAMES = 5,  /* the least; now and then one fewer or more */
    CALIBRATE_LONG = 48    /* now and then: types of joints, skin and gaps want more to be seen */
};

/* Three limbs, hinges or not, whose skin slides and which are hidden for a while. */
static snw_trial *make_long_trial(fuzz_bytes *bytes)
{
    snw_trial_options options = snw_trial_options_default();
    snw_vec3 local[CALIBRATE_LIMBS * CALIBRATE_MARKERS];
    snw_trial *trial = NULL;
    options.marker_count = CALIBRATE_LIMBS * CALIBRATE_MARKERS;
    options.frame_count = CALIBRATE_LONG;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) abort();
    unsigned how = fuzz_byte(bytes);
    double slide = fuzz_byte(bytes) / 32.0, noise = fuzz_byte(bytes) / 512.0;
    double swing[3] = {0.8, fuzz_byte(bytes) / 200.0, fuzz_byte(bytes) / 200.0};
    for (int n = 0; n < options.marker_count; n++)
        local[n] = snw_vec3_scale(fuzz_vector(bytes), 100);
    for (int f = 0; f < options.frame_count; f++) {
        snw_xform limb = {snw_quat_exp(snw_vec3_make(0, 0.02 * f, 0)), {10.0 * f, 0, 0}};
        for (int l = 0; l < CALIBRATE_LIMBS; l++) {
            double angle = swing[l] * sin(0.3 * f + l);
            snw_vec3 turn = {angle, how & 1 ? 0 : 0.5 * cos(0.17 * f + l), how & 2 ? 0 : angle / 3};
            if (l)
                limb = snw_xform_mul(limb, snw_xform_make(snw_quat_exp(turn),
                                                          snw_vec3_make(0, how & 4 ? 30 : 300, 0)));
            for (int m = l * CALIBRATE_MARKERS; m < (l + 1) * CALIBRATE_MARKERS; m++) {
                snw_vec3 place = snw_vec3_add(local[m], snw_vec3_make(0, slide * angle, 0));
                place.z += noise * ((f * 37 + m * 11) % 7 - 3);
                fuzz_place(trial, f, m, snw_xform_point(limb, place));
            }
        }
    }
    for (int n = fuzz_below(bytes, 4); n > 0; n--) {
        int marker = fuzz_below(bytes, options.marker_count), width = 1 + fuzz_below(bytes, 6);
        int first = fuzz_below(bytes, CALIBRATE_LONG), end = first + 1 + fuzz_below(bytes, 24);
        for (int m = marker; m < marker + width && m < options.marker_count; m++)
            for (int f = first; f < end && f < CALIBRATE_LONG; f++)
                snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
    return trial;
}

static snw_trial *make_trial(fuzz_bytes *bytes, int limbs)
{
    snw_trial_options options = snw_trial_options_default();
    snw_vec3 local[CALIBRATE_LIMBS * CALIBRATE_MARKERS], turn[CALIBRATE_LIMBS];
    snw_trial *trial = NULL;
    options.marker_count = limbs * CALIBRATE_MARKERS;
    options.frame_count = CALIBRATE_FRAMES + 1 - fuzz_below(bytes, 16) / 7;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) abort();
    unsigned wild = fuzz_byte(bytes); /* of 256 samples, so many / 16 are somewhere else */
    for (int n = 0; n < options.marker_count; n++)
        local[n] = snw_vec3_scale(fuzz_vector(bytes), 100);
    for (int l = 0; l < limbs; l++)
        turn[l] = fuzz_vector(bytes);
    for (int f = 0; f < options.frame_count; f++) {
        snw_xform limb = snw_xform_identity();
        for (int l = 0; l < limbs; l++) {
            double angle = f * ((int)fuzz_byte(bytes) - 128) / 256.0;
            snw_xform joint = {snw_quat_exp(snw_vec3_scale(turn[l], angle)), {0, 300, 0}};
            limb = snw_xform_mul(limb, joint);
            for (int m = l * CALIBRATE_MARKERS; m < (l + 1) * CALIBRATE_MARKERS; m++) {
                snw_vec3 place = snw_xform_point(limb, local[m]);
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
    bool is_long = what >= 0xf8;
    int limb_count = (what & 15) == 1 ? 3 : 2, limb_of[CALIBRATE_LIMBS * CALIBRATE_MARKERS];
    snw_trial *trial = is_long ? make_long_trial(&bytes) : make_trial(&bytes, limb_count);
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_actor_options options = snw_actor_options_default();
    snw_limbs *limbs = NULL;
    snw_actor *actor = NULL;
    snw_error error;
    for (int m = 0; m < trial->marker_count; m++)
        limb_of[m] = !is_long && (what >> 5) == 7 && m % 4 == 0 ? -1 : m / CALIBRATE_MARKERS;
    for (int m = 2; is_long && (what & 4) && m < trial->marker_count; m += CALIBRATE_MARKERS)
        limb_of[m] = -1; /* two markers on every limb */
    if (snw_limbs_create(limb_of, trial->marker_count, NULL, &allocator, &limbs, &error) != SNW_OK)
        abort();
    options.part = !is_long && (what & 0x1e) == 0x1e;
    if (!is_long && (what & 0x70) == 0x70) options.frame_max = 4 + (int)(what & 15);
    static const int chain[CALIBRATE_LIMBS] = {SNW_TREE_ROOT, 0, 1};
    snw_tree *tree = NULL;
    if (is_long && (what & 2)) /* somebody knows which limb hangs from which */
        fuzz_check_said(snw_tree_create(chain, limbs->limb_count, &allocator, &tree, &error),
                        &error);
    options.tree = tree;
    if (is_long) { /* the tree that a calibration would use, the given one or its own */
        snw_tree *used = NULL;
        fuzz_check_said(snw_tree_find(trial, limbs, &options, &allocator, &used, &error), &error);
        snw_tree_destroy(used);
    }
    fuzz_check_said(snw_actor_calibrate(trial, limbs, &options, &allocator, &actor, NULL, &error),
                    &error);
    if (actor) fuzz_check_steps(actor, trial, 2, &allocator, &counter);
    if (actor && ((what & 0x1e) == 2 || is_long))
        fuzz_check_solution(actor, trial, SNW_SAMPLE_FILLED, &allocator);
    snw_actor_destroy(actor);
    snw_tree_destroy(tree);
    snw_limbs_destroy(limbs);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}

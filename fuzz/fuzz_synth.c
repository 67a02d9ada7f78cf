/* Any options of a synthetic capture, of small bodies and a person: refused with a sentence, or a
 * capture that is finite where it is seen, as long as its truth, with no more rays than samples. */
#include "fuzz_trials.h"

enum {
    SYNTH_FRAMES = 6
};

static void make_gap(fuzz_bytes *bytes, snw_synth_gap *gap)
{
    static const char *const targets[] = {"LKNE@1+2",        "left_knee/2@any+1", "body/all@2+3",
                                          "left_arm/1@1+99", "trunk@any+2",       "nobody@1+1",
                                          "head/9@0+1",      "right_leg@3+1"};
    snw_error error;
    snw_status status = snw_synth_gap_parse(targets[fuzz_below(bytes, 8)], gap, &error);
    fuzz_check_said(status, &error);
    if (status != SNW_OK) memset(gap, 0, sizeof *gap);
    if (fuzz_byte(bytes) > 200) gap->frame_count = fuzz_below(bytes, 9) - 1;
}

static snw_synth_options make_options(fuzz_bytes *bytes, snw_synth_gap gaps[2])
{
    snw_synth_options options = snw_synth_options_default();
    options.motion = (snw_synth_motion_kind)fuzz_below(bytes, SNW_SYNTH_MOTION_COUNT + 1);
    options.rate = 1 + fuzz_byte(bytes);
    options.seconds = (1 + fuzz_below(bytes, SYNTH_FRAMES)) / options.rate;
    options.placement = (snw_synth_placement)fuzz_below(bytes, 2);
    options.markers_per_segment = fuzz_below(bytes, 5);
    options.camera_count = fuzz_byte(bytes) & 1 ? fuzz_below(bytes, 6) : 0;
    options.gap_count = fuzz_below(bytes, 3);
    options.gap = gaps;
    for (int n = 0; n < options.gap_count; n++)
        make_gap(bytes, gaps + n);
    options.up = (snw_up_axis)fuzz_below(bytes, 5);
    options.seed = fuzz_byte(bytes);
    options.gesture = (snw_synth_gesture)fuzz_below(bytes, SNW_SYNTH_GESTURE_COUNT);
    unsigned more = fuzz_byte(bytes);
    if (more & 1) options.noise = fuzz_number(bytes);
    if (more & 2) options.wobble = fuzz_number(bytes);
    if (more & 4) options.path_radius = 5 + 4 * fuzz_number(bytes);
    if (more & 8) options.camera_distance = 3 * fuzz_number(bytes);
    if (more & 16) options.camera_height = fuzz_number(bytes);
    if (more & 32) options.field_of_view = 2 * fuzz_number(bytes);
    return options;
}

static void check_synth(const snw_synth *synth, fuzz_bytes *bytes)
{
    int camera = synth->camera_count ? fuzz_below(bytes, synth->camera_count) : -1;
    fuzz_check_trial(synth->capture);
    fuzz_check_trial(synth->marker_truth);
    fuzz_check_motion(synth->motion);
    if (synth->capture->frame_count != synth->marker_truth->frame_count) abort();
    if (synth->ray_count > synth->capture->frame_count * synth->marker_count) abort();
    if (camera >= 0 && synth->segment_count > 0) {
        const snw_synth_camera *from = synth->camera + camera;
        const snw_capsule *segment = &synth->segment[0].capsule;
        (void)snw_synth_camera_covers(from, fuzz_vector(bytes));
        (void)snw_capsule_hides(segment, from->world_from_camera.translation, fuzz_vector(bytes));
        double apart = snw_segment_distance(segment->a, segment->b, fuzz_vector(bytes),
                                            snw_vec3_make(0, 1, 0));
        if (apart < 0) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"humanoid", "hand25", "y", "chain10"};
    fuzz_bytes bytes = {data, data + size};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_synth_gap gaps[2];
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL, *again = NULL;
    snw_error error;
    if (snw_preset_create(names[fuzz_below(&bytes, 4)], NULL, &body, NULL) != SNW_OK) abort();
    snw_synth_options options = make_options(&bytes, gaps);
    snw_status status = snw_synth_create(body, NULL, &options, &allocator, &synth, &error);
    fuzz_check_said(status, &error);
    if (synth) check_synth(synth, &bytes);
    if (synth && (fuzz_byte(&bytes) & 1)) /* the same motion once more, as somebody's own */
        fuzz_check_said(snw_synth_create(body, synth->motion, &options, &allocator, &again, &error),
                        &error);
    snw_synth_destroy(again);
    snw_synth_destroy(synth);
    if (counter.live != 0) abort();
    snw_skeleton_destroy(body);
    return 0;
}

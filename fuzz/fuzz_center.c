/* Two segments, now and then with markers, that move in any way: each method of the literature
 * gives a centre that is finite, or a sentence; running sums, points of one marker and frames too.
 */
#include "fuzz_trials.h"

enum {
    CENTER_FRAMES = 16,
    CENTER_MARKERS = 3
};

typedef struct center_capture {
    int frame_count;
    snw_xform parent[CENTER_FRAMES], child[CENTER_FRAMES];
    uint8_t parent_is_valid[CENTER_FRAMES], child_is_valid[CENTER_FRAMES];
    snw_vec3 marker[CENTER_FRAMES * CENTER_MARKERS];
} center_capture;

/* About one axis, two or any, with noise of about a millimetre and wild frames. */
static void make_capture(fuzz_bytes *bytes, center_capture *capture)
{
    unsigned how = fuzz_byte(bytes), wild = fuzz_byte(bytes);
    snw_vec3 axis = fuzz_vector(bytes), place = fuzz_vector(bytes), local[CENTER_MARKERS];
    for (int m = 0; m < CENTER_MARKERS; m++)
        local[m] = snw_vec3_scale(fuzz_vector(bytes), 0.2);
    if (!(snw_vec3_length(axis) < 10)) axis = snw_vec3_make(0, 0, 1);
    if (!(snw_vec3_length(place) < 10) && !(how & 1)) place = snw_vec3_make(0, 0.3, 0);
    capture->frame_count = 3 + fuzz_below(bytes, CENTER_FRAMES - 2);
    for (int f = 0; f < capture->frame_count; f++) {
        double angle = ((int)fuzz_byte(bytes) - 128) / 100.0;
        double other = how & 2 ? ((int)fuzz_byte(bytes) - 128) / 100.0 : 0;
        snw_quat turn = snw_quat_mul(snw_quat_exp(snw_vec3_scale(axis, angle)),
                                     snw_quat_exp(snw_vec3_make(other, 0, 0)));
        if (how & 4) turn = snw_quat_mul(turn, snw_quat_exp(snw_vec3_make(0, angle * other, 0)));
        capture->parent[f] = snw_xform_make(snw_quat_exp(snw_vec3_make(0, 0.1 * f, 0)),
                                            snw_vec3_make(0.05 * f, 0, 0));
        snw_xform in_parent = {turn, snw_vec3_add(place, snw_quat_rotate(turn, local[0]))};
        if (how & 8) in_parent.translation.x += ((int)fuzz_byte(bytes) - 128) / 100000.0;
        if (fuzz_byte(bytes) < wild / 16) in_parent.translation = fuzz_vector(bytes);
        capture->child[f] = snw_xform_mul(capture->parent[f], in_parent);
        capture->parent_is_valid[f] = fuzz_byte(bytes) < 250;
        capture->child_is_valid[f] = fuzz_byte(bytes) < 250;
        for (int m = 0; m < CENTER_MARKERS; m++)
            capture->marker[f * CENTER_MARKERS + m] = snw_xform_point(in_parent, local[m]);
    }
}

static void check_center(snw_status status, const snw_center *center, const snw_error *error)
{
    char verdict[SNW_VERDICT_SIZE];
    fuzz_check_said(status, error);
    if (strlen(snw_center_verdict(center, verdict)) >= SNW_VERDICT_SIZE) abort();
    if (status != SNW_OK) return;
    if (!snw_vec3_is_finite(center->in_parent) || isnan(center->sigma) ||
        !(center->correlation >= 0 && center->correlation < 1))
        abort();
    if (center->undetermined < 0 || center->undetermined > 3) abort();
}

static void try_methods(const center_capture *capture, fuzz_bytes *bytes)
{
    snw_center_options options = snw_center_options_default();
    unsigned how = fuzz_byte(bytes);
    snw_center_data data = {capture->frame_count,
                            how & 1 ? capture->parent : NULL,
                            capture->child,
                            how & 2 ? capture->parent_is_valid : NULL,
                            how & 4 ? capture->child_is_valid : NULL,
                            how & 8 ? 0 : CENTER_MARKERS,
                            how & 8 ? NULL : capture->marker};
    snw_center center;
    snw_error error;
    options.is_robust = how & 16;
    options.correct_bias = how & 32;
    if (how & 64)
        options.parent_rotation_noise =
            snw_segment_rotation_covariance(capture->marker, CENTER_MARKERS, 0.001);
    snw_center_method method = (snw_center_method)fuzz_below(bytes, SNW_CENTER_METHOD_COUNT);
    snw_status status = snw_center_solve(&data, method, &options, &center, &error);
    check_center(status, &center, &error);
}

static void try_sums(const center_capture *capture, fuzz_bytes *bytes)
{
    snw_center_sums sums = snw_center_sums_begin();
    snw_point_sums points = snw_point_sums_begin();
    snw_vec3 place, axis;
    snw_center center;
    snw_xform frame;
    snw_error error;
    for (int f = 0; f < capture->frame_count; f++) {
        unsigned what = fuzz_byte(bytes);
        if (what >= 250) snw_center_sums_skip(&sums);
        if (what == 249) snw_center_sums_fade(&sums, 0.5);
        snw_center_sums_add(&sums, capture->parent[f], capture->child[f]);
        snw_point_sums_add(&points, capture->marker[f * CENTER_MARKERS]);
    }
    snw_status status = snw_center_sums_solve(&sums, NULL, &center, &error);
    check_center(status, &center, &error);
    status = snw_point_sums_solve(&points, &place, &axis, &error);
    fuzz_check_said(status, &error);
    if (status == SNW_OK && !snw_vec3_is_finite(place)) abort();
    if (snw_frame_from_points(capture->marker[0], capture->marker[1], capture->marker[2], &frame) &&
        !(snw_quat_is_finite(frame.rotation) && snw_vec3_is_finite(frame.translation)))
        abort();
}

/* Marker lists of any length, with numbers that are no markers, over markers that stand, go
 * straight on and vanish. */
static void try_view(fuzz_bytes *bytes)
{
    int marker[2][5];
    snw_marker_list lists[2];
    snw_joint_view *view = NULL;
    snw_center center;
    snw_error error;
    snw_trial *trial = fuzz_trial(bytes, 8, CENTER_FRAMES);
    if (!trial) return;
    for (int l = 0; l < 2; l++) {
        lists[l] = (snw_marker_list){marker[l], fuzz_below(bytes, 6)};
        for (int k = 0; k < lists[l].count; k++)
            marker[l][k] = (5 * l + k) % trial->marker_count;
        if (fuzz_byte(bytes) >= 240) marker[l][0] = fuzz_below(bytes, 20) - 5;
    }
    snw_status status = snw_joint_view_create(trial, lists, NULL, &view, &error);
    fuzz_check_said(status, &error);
    if ((status == SNW_OK) != (view != NULL)) abort();
    if (view) {
        if (!(view->parent_noise >= 0) || !(view->child_noise >= 0)) abort();
        status = snw_center_solve(&view->data,
                                  (snw_center_method)fuzz_below(bytes, SNW_CENTER_METHOD_COUNT),
                                  NULL, &center, &error);
        check_center(status, &center, &error);
    }
    snw_joint_view_destroy(view);
    snw_trial_destroy(trial);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int what = fuzz_below(&bytes, 3);
    center_capture capture;
    if (what == 2) {
        try_view(&bytes);
        return 0;
    }
    memset(&capture, 0, sizeof capture);
    make_capture(&bytes, &capture);
    if (what == 0) try_methods(&capture, &bytes);
    if (what == 1) try_sums(&capture, &bytes);
    return 0;
}

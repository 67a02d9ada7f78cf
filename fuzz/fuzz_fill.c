/* Any bytes as a trial with gaps: filled or predicted without a NaN, and what was measured stays.
 */
#include "fuzz_trials.h"

/* Two bytes choose the size; then each sample is one byte: 0 to 63 missing, else coordinates that
 * the byte and the marker's number give, so that few bytes make lines, planes and coinciding
 * markers. */
static void place_sample(snw_trial *trial, int frame, int marker, unsigned byte)
{
    double spread = (byte & 7) / 100.0, large = byte == 255 ? 1e30 : 1;
    if (byte < 64) return;
    snw_vec3 place = {(marker % 3) * 0.1 + spread, (marker / 3) * 0.1,
                      large * (frame + (int)byte) / 500.0};
    snw_trial_set(trial, frame, marker, place, SNW_SAMPLE_MEASURED);
}

/* Three markers each on two segments, of which the second turns about a point of the first: enough
 * frames to learn from, and no more, for the methods that look at all markers and all frames.
 * Bytes: how it turns, then which markers are hidden, from which frame, how long. */
enum {
    SWING_MARKERS = 6,
    SWING_FRAMES = 66,       /* regressions want 60 to learn from */
    SWING_FRAMES_LONG = 118, /* centres of rotation want 100 */
    SWING_RATE = 25          /* live predictors keep no more of the past */
};

static snw_trial *make_swinging(fuzz_bytes *bytes, int frames)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    options.marker_count = SWING_MARKERS;
    options.frame_count = frames;
    options.rate = SWING_RATE;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) abort();
    double noise = fuzz_byte(bytes) / 1e5, pace = 0.05 + fuzz_byte(bytes) / 1000.0;
    snw_vec3 axis = fuzz_vector(bytes), joint = {0.2, 0.05, 0};
    if (!(snw_vec3_length(axis) < 10)) axis = snw_vec3_make(0, 0, 1);
    for (int f = 0; f < frames; f++) {
        snw_quat turn = snw_quat_mul(
            snw_quat_exp(snw_vec3_scale(axis, sin(pace * f))),
            snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), 0.4 * sin(1.7 * pace * f)));
        for (int m = 0; m < SWING_MARKERS; m++) {
            snw_vec3 local = {0.1 * (m % 3 == 1), 0.08 * (m % 3 == 2), 0.03 * (m % 2)};
            snw_vec3 place = local;
            if (m >= SWING_MARKERS / 2) place = snw_vec3_add(joint, snw_quat_rotate(turn, local));
            place.x += 0.01 * f + noise * ((f * 7 + m) % 5 - 2);
            snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
        }
    }
    for (int n = 1 + fuzz_below(bytes, 3); n > 0; n--) {
        int marker = fuzz_below(bytes, SWING_MARKERS), first = fuzz_below(bytes, frames);
        int end = first + 1 + fuzz_below(bytes, frames / 2), width = 1 + fuzz_below(bytes, 3);
        for (int m = marker; m < marker + width && m < SWING_MARKERS; m++)
            for (int f = first; f < end && f < frames; f++)
                snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
    return trial;
}

static void check_filled(const snw_trial *before, const snw_trial *after)
{
    size_t count = (size_t)before->frame_count * (size_t)before->marker_count;
    fuzz_check_trial(after);
    for (size_t n = 0; n < count; n++)
        if (before->state[n] != SNW_SAMPLE_MISSING &&
            memcmp(before->sample + n, after->sample + n, sizeof *after->sample) != 0)
            abort();
}

/* The trial run through a predictor both ways, for the methods that take somebody else's places. */
static snw_trial *predict_all(const snw_trial *trial)
{
    int segment_of[8];
    snw_segments *segments = NULL;
    snw_trial *predicted = NULL;
    for (int m = 0; m < trial->marker_count; m++)
        segment_of[m] = m / 3;
    if (snw_segments_create(segment_of, trial->marker_count, NULL, NULL, &segments, NULL) != SNW_OK)
        abort();
    snw_predict_job job = {segments, NULL, NULL, 0, true};
    (void)snw_trial_predict(trial, &job, NULL, NULL, &predicted, NULL);
    snw_segments_destroy(segments);
    return predicted;
}

static void try_fill(const snw_trial *trial, int method)
{
    snw_fill_options how = snw_fill_options_default();
    snw_trial *given = NULL;
    snw_filled *filled = NULL;
    snw_error error;
    how.method = (snw_fill_method)method;
    if (how.method == SNW_FILL_BODY || how.method == SNW_FILL_SMOOTH) given = predict_all(trial);
    how.body = given;
    fuzz_check_said(snw_trial_fill(trial, &how, NULL, &filled, NULL, &error), &error);
    if (filled) check_filled(trial, filled->trial);
    snw_filled_destroy(filled);
    snw_trial_destroy(given);
}

/* Frame by frame: nothing is allocated, and centres that are told are finite. */
static void try_steps(const snw_trial *trial, const snw_predict_job *job,
                      const snw_predict_options *options)
{
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_predictor *predictor = NULL;
    snw_vec3 center;
    snw_error error;
    snw_predict_options chosen = *options;
    chosen.neighbour = job->neighbour;
    fuzz_check_said(
        snw_predictor_create(job->segments, trial->rate, &chosen, &allocator, &predictor, &error),
        &error);
    for (int f = 0; predictor && f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        long before = counter.calls;
        (void)snw_predictor_step(predictor, &frame, NULL, 0);
        if (counter.calls != before) abort();
        for (int l = 0; l < job->segments->segment_count; l++)
            if (snw_predictor_center(predictor, l, &center) && !snw_vec3_is_finite(center)) abort();
    }
    snw_predictor_destroy(predictor);
    if (counter.live != 0) abort();
}

static void try_predict(const snw_trial *trial, fuzz_bytes *bytes)
{
    int segment_of[12], neighbour[12];
    snw_frame_ray ray = {1, {0, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 1)}};
    snw_segments *segments = NULL;
    snw_trial *predicted = NULL;
    snw_error error;
    for (int m = 0; m < trial->marker_count; m++)
        segment_of[m] = m / 3;
    if (snw_segments_create(segment_of, trial->marker_count, NULL, NULL, &segments, &error) !=
        SNW_OK)
        abort();
    for (int l = 0; l < segments->segment_count; l++)
        neighbour[l] = l - 1;
    ray.ray.direction = snw_vec3_unit(fuzz_vector(bytes), ray.ray.direction);
    snw_predict_job job = {segments, neighbour, &ray, fuzz_below(bytes, 2), fuzz_byte(bytes) & 1};
    snw_predict_options options = snw_predict_options_default();
    options.method = (snw_predict_method)fuzz_below(bytes, SNW_PREDICT_METHOD_COUNT);
    options.history_seconds = 4; /* 30 take time to lay out */
    fuzz_check_said(snw_trial_predict(trial, &job, &options, NULL, &predicted, &error), &error);
    if (predicted) fuzz_check_trial(predicted);
    try_steps(trial, &job, &options);
    snw_trial_destroy(predicted);
    snw_segments_destroy(segments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    unsigned sizes = fuzz_byte(&bytes), what = fuzz_byte(&bytes);
    if (what >= 0xf0 && fuzz_is_one_in(16, data, size)) { /* thirty times as long */
        trial = make_swinging(&bytes, what >= 0xfc ? SWING_FRAMES_LONG : SWING_FRAMES);
        if (what & 1 || what >= 0xfc)
            try_predict(trial, &bytes);
        else
            try_fill(trial, (int)(sizes % SNW_FILL_METHOD_COUNT));
        snw_trial_destroy(trial);
        return 0;
    }
    options.marker_count = 1 + (int)(sizes & 7);
    options.frame_count = 1 + (int)(sizes >> 3) % 16;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) return 0;
    for (int frame = 0; frame < options.frame_count; frame++)
        for (int m = 0; m < options.marker_count; m++)
            place_sample(trial, frame, m,
                         bytes.at < bytes.end ? fuzz_byte(&bytes) : 64 + sizes / 2);
    bytes.at = data;
    if (what & 1)
        try_predict(trial, &bytes);
    else
        try_fill(trial, (int)(what >> 1) % SNW_FILL_METHOD_COUNT);
    snw_trial_destroy(trial);
    return 0;
}

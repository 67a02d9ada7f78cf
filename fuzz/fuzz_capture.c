/* Any small capture through the whole walk: joined, recognised, grouped, calibrated, tracked,
 * filled, written and read again. Every step refuses with a sentence or gives finite answers;
 * nothing leaks. */
#include "fuzz_numbers.h"

static snw_trial *make_trial(fuzz_bytes *bytes)
{
    static const char *const labels[] = {"LASI", "RASI", "LPSI", "RPSI", "LKNE", "LTHI",
                                         "LANK", "*12",  "U_3",  "",     "a b",  "x\ty"};
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 1 + fuzz_below(bytes, 9);
    options.frame_count = 1 + fuzz_below(bytes, 24);
    if (fuzz_byte(bytes) >= 0xf0) options.rate = fabs(fuzz_number(bytes));
    snw_trial *trial = NULL;
    snw_error error;
    if (snw_trial_create(&options, NULL, &trial, &error) != SNW_OK) {
        if (!error.message[0]) abort();
        return NULL;
    }
    int spread = (int)(fuzz_byte(bytes) >> 5);
    for (int m = 0; m < trial->marker_count; m++) {
        if (fuzz_byte(bytes) & 1)
            snw_trial_set_marker_name(trial, m, labels[fuzz_below(bytes, 12)], NULL);
        snw_vec3 start = snw_vec3_scale(fuzz_vector(bytes), 500);
        snw_vec3 step = snw_vec3_scale(fuzz_vector(bytes), 5);
        for (int f = 0; f < trial->frame_count; f++) {
            size_t n = (size_t)f * (size_t)trial->marker_count + (size_t)m;
            if ((int)(fuzz_byte(bytes) & 7) < spread) continue; /* missing */
            snw_vec3 place = snw_vec3_add_scaled(start, f, step);
            if (!(snw_vec3_length(place) < 1e30)) continue;
            trial->sample[n] = (snw_sample){(float)place.x, (float)place.y, (float)place.z, 0};
            trial->state[n] = SNW_SAMPLE_MEASURED;
        }
    }
    return trial;
}

static void check_trial(const snw_trial *trial)
{
    size_t count = (size_t)trial->frame_count * (size_t)trial->marker_count;
    for (size_t n = 0; n < count; n++)
        if (trial->state[n] != SNW_SAMPLE_MISSING &&
            !(isfinite(trial->sample[n].x) && isfinite(trial->sample[n].y) &&
              isfinite(trial->sample[n].z)))
            abort();
}

static void check_said(snw_status status, const snw_error *error)
{
    if (status != SNW_OK && !error->message[0]) abort();
}

static void track(const snw_actor *actor, const snw_trial *trial, const snw_allocator *allocator,
                  fuzz_counter *counter)
{
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    if (snw_pose_create(actor->skeleton, NULL, &pose, &error) != SNW_OK) abort();
    snw_status status =
        snw_tracker_create_for_trial(actor, trial, NULL, allocator, &tracker, &error);
    check_said(status, &error);
    for (int f = 0; status == SNW_OK && f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        long before = counter->calls;
        snw_tracker_step(tracker, &frame, pose);
        if (counter->calls != before) abort();
        fuzz_check_pose(pose);
    }
    snw_tracker_destroy(tracker);
    snw_pose_destroy(pose);
}

static void write_and_read(const snw_trial *trial)
{
    static const snw_format_kind kinds[] = {SNW_FORMAT_C3D, SNW_FORMAT_TRC, SNW_FORMAT_CSV};
    for (int k = 0; k < 3; k++) {
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, NULL);
        snw_error error;
        snw_status status = snw_write_trial(trial, kinds[k], NULL, &sink, &error);
        check_said(status, &error);
        snw_memory_source memory;
        snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
        snw_trial *again = NULL;
        if (status == SNW_OK) {
            check_said(snw_read_trial(&source, NULL, NULL, &again, NULL, &error), &error);
            if (again && again->marker_count == trial->marker_count) check_trial(again);
        }
        snw_trial_destroy(again);
        snw_memory_sink_release(&bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_trial *trial = make_trial(&bytes);
    if (!trial) return 0;
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_joined *joined = NULL;
    snw_limbs *limbs = NULL;
    snw_actor *actor = NULL;
    snw_filled *filled = NULL;
    snw_error error;
    check_said(snw_trial_join(trial, NULL, &allocator, &joined, NULL, &error), &error);
    if (joined) check_trial(joined->trial);
    snw_recognised *recognised = NULL;
    check_said(snw_trial_recognise(trial, &allocator, &recognised, NULL, &error), &error);
    if (recognised && !(isfinite(recognised->cost) && isfinite(recognised->margin))) abort();
    snw_recognised_destroy(recognised);
    snw_limb_options how = snw_limb_options_default();
    how.method = (snw_limb_method)fuzz_below(&bytes, SNW_LIMB_METHOD_COUNT);
    check_said(snw_limbs_find(trial, &how, &allocator, &limbs, NULL, &error), &error);
    if (limbs)
        check_said(snw_actor_calibrate(trial, limbs, NULL, &allocator, &actor, NULL, &error),
                   &error);
    if (actor) track(actor, trial, &allocator, &counter);
    check_said(snw_trial_fill(trial, NULL, &allocator, &filled, NULL, &error), &error);
    if (filled) check_trial(filled->trial);
    write_and_read(trial);
    snw_filled_destroy(filled);
    snw_actor_destroy(actor);
    snw_limbs_destroy(limbs);
    snw_joined_destroy(joined);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}

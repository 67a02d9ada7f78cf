/* A whole person, spoiled in any way, is calibrated, tracked, solved and measured: refused with a
 * sentence, or finite.
 *
 * Fifteen segments and more of 41 to 69 markers are fitted together, eight times over all frames:
 * 20 to 60 ms. Hundreds of markers, which are rare here, take 0.2 s. fuzz_calibrate does the same
 * with two segments a thousand times a second. */
#include "fuzz_people.h"
#include "fuzz_solution.h"

/* What laboratories write into their files about the person. */
static void set_measures(snw_trial *trial, double millimetres)
{
    static const char *const names[] = {"LLegLength", "RLegLength",  "LKneeWidth",
                                        "RKneeWidth", "LAnkleWidth", "RAnkleWidth"};
    for (int n = 0; n < 6; n++) {
        char name[16], none[1] = "";
        float value = (float)(n < 2 ? millimetres : n < 4 ? 100 : 70);
        snw_parameter parameter = {0};
        snw_format(name, sizeof name, "%s", names[n]);
        parameter.name = name;
        parameter.description = none;
        parameter.type = SNW_PARAMETER_FLOAT;
        parameter.byte_count = sizeof value;
        parameter.data = &value;
        (void)snw_trial_set_parameter(trial, "PROCESSING", &parameter, NULL);
    }
}

static void try_calibrate(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator,
                          const fuzz_counter *counter)
{
    snw_center_method method = (snw_center_method)fuzz_below(bytes, SNW_CENTER_METHOD_COUNT);
    snw_actor_options options = snw_actor_options_default();
    snw_segment_options how = snw_segment_options_default();
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_error error;
    unsigned more = fuzz_byte(bytes);
    how.method = (snw_segment_method)fuzz_below(bytes, SNW_SEGMENT_METHOD_COUNT);
    if (fuzz_byte(bytes) & 1) set_measures(trial, 700 + fuzz_byte(bytes));
    if ((more & 5) == 5) how.tolerance = 0.01;
    if (more & 128)
        fuzz_check_said(snw_trial_undo_jumps(trial, more & 1, allocator, NULL, NULL, &error),
                        &error);
    fuzz_check_said(snw_segments_find(trial, &how, allocator, &segments, NULL, &error), &error);
    if (!segments) return;
    if (more & 1)
        fuzz_check_said(snw_trial_undo_swaps(trial, segments, allocator, NULL, NULL, &error),
                        &error);
    if ((more & 6) == 6) options.method = &method;
    if ((more & 24) == 24 && segments->segment_count > 0) options.root = segments->segment[0].name;
    fuzz_check_said(snw_actor_calibrate(trial, segments, &options, allocator, &actor, NULL, &error),
                    &error);
    if (actor) {
        fuzz_check_steps(actor, trial, trial->frame_count, allocator, counter);
        fuzz_check_names(actor, allocator);
        fuzz_check_actor_text(actor);
        if (more & 32)
            fuzz_check_solution(actor, trial, more & 64 ? SNW_SAMPLE_FILLED : SNW_SAMPLE_PREDICTED,
                                allocator);
    }
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_trial *trial = person_make(&bytes, PERSON_FRAMES);
    try_calibrate(trial, &bytes, &allocator, &counter);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}

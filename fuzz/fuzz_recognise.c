/* Some markers of a person, without names and spoiled in any way, are recognised: refused with a
 * sentence, or the numbers are finite and every name is of a marker that had none.
 *
 * A person is looked for upright, lying and on its head, turned about in eight directions, as four
 * plans; the best are improved by some 5000 least-squares steps over 55 unknowns. That takes 0.1 s
 * for eight markers in one frame, half a second for a whole person: the one target of ten runs a
 * second. fuzz_capture recognises six points, a thousand times a second. */
#include "fuzz_people.h"

enum {
    RECOGNISE_FEW = 8,       /* the fewest that are looked at */
    RECOGNISE_FRAMES_FEW = 3 /* as many as a search begins in */
};

/* A few markers from all over the body, now and then all; the trial is taken. */
static snw_trial *some_markers(snw_trial *trial, fuzz_bytes *bytes)
{
    int marker[2 * RECOGNISE_FEW], count = RECOGNISE_FEW + fuzz_below(bytes, RECOGNISE_FEW);
    int first = (int)fuzz_byte(bytes);
    snw_trial *part = NULL;
    if (first == 0xff || trial->marker_count < count) return trial;
    for (int n = 0; n < count; n++)
        marker[n] = (first + n * trial->marker_count / count) % trial->marker_count;
    if (snw_trial_pick(trial, marker, count, NULL, &part, NULL) != SNW_OK) abort();
    snw_trial_destroy(trial);
    return part;
}

static void try_recognise(snw_trial *trial, const snw_allocator *allocator)
{
    snw_recognised *recognised = NULL;
    snw_notes notes = snw_notes_none();
    snw_error error;
    fuzz_check_said(snw_trial_recognise(trial, allocator, &recognised, &notes, &error), &error);
    if (!recognised) return;
    if (!(isfinite(recognised->cost) && isfinite(recognised->margin))) abort();
    if (!(recognised->confidence >= 0 && recognised->confidence <= 1)) abort();
    fuzz_check_said(snw_recognised_name(recognised, trial, &error), &error);
    snw_recognised_destroy(recognised);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_trial *trial = some_markers(person_make(&bytes, RECOGNISE_FRAMES_FEW), &bytes);
    try_recognise(trial, &allocator);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}

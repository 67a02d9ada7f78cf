/* A whole person without names, spoiled in any way, is recognised: refused with a sentence, or the
 * numbers are finite and every name is of a marker that had none.
 *
 * A person is looked for from many sides and in many poses, which takes a second: the one target of
 * less than ten runs a second. fuzz_capture recognises six points, a thousand times a second. */
#include "fuzz_people.h"

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
    snw_trial *trial = person_make(&bytes);
    try_recognise(trial, &allocator);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}

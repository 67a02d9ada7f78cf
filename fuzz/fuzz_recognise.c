/* Some markers of a person, without names and spoiled in any way, are recognised: refused with a
 * sentence, or the numbers are finite and every name is of a marker that had none.
 *
 * A person is looked for upright, lying and on its head, turned about in eight directions, as four
 * plans; the best are improved by some 5000 least-squares steps over 55 unknowns, which takes 0.1
 * to 0.5 s. Under libFuzzer every step is taken once (SINEW_FUZZ_SMALL); the corpus is replayed in
 * full by the tests. */
#include "fuzz_people.h"

enum {
    RECOGNISE_FEW = 8,        /* the fewest that are looked at */
    RECOGNISE_FRAMES_FEW = 3, /* as many as a search begins in */
    RECOGNISE_FRAMES_MORE = 8 /* as many as tell what a program computed */
};

/* A few markers from all over the body, now and then all. */
static snw_trial *make_trial(fuzz_bytes *bytes, int frame_max)
{
    snw_trial *trial = person_make(bytes, frame_max);
    int count = RECOGNISE_FEW + fuzz_below(bytes, RECOGNISE_FEW), first = (int)fuzz_byte(bytes);
    return first == 0xff ? trial : person_part(trial, first, trial->marker_count / count, count);
}

/* Some of the markers become angles, written as if they were places: about the origin, while the
 * person is 3 m away. */
static void add_quantities(snw_trial *trial, fuzz_bytes *bytes)
{
    int count = fuzz_below(bytes, 5);
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++) {
            snw_vec3 place = snw_trial_position(trial, f, m);
            place.x += 3;
            if (m < count)
                place = snw_vec3_make(0.1 * sin(0.9 * f + m), 0.01 * f + 0.02 * m, 0.05 * cos(f));
            if (m < count || snw_trial_is_present(trial, f, m))
                snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
        }
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
    bool has_more = size && data[0] >= 0xf0; /* the kind of person is told by the lower bits */
    snw_trial *trial = make_trial(&bytes, has_more ? RECOGNISE_FRAMES_MORE : RECOGNISE_FRAMES_FEW);
    if (has_more) add_quantities(trial, &bytes);
    try_recognise(trial, &allocator);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}

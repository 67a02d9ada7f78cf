/* What every text reader must survive: cut files, failing memory, hostile sizes; and random trials
 * to write and read back. */
#ifndef SNW_TESTS_READ_CHECKS_H
#define SNW_TESTS_READ_CHECKS_H

#include "check.h"

static inline snw_status read_trial_bytes(const void *bytes, size_t size,
                                          const snw_read_options *options, snw_trial **trial,
                                          snw_notes *notes, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    return snw_read_trial(&source, options, NULL, trial, notes, error);
}

static inline snw_trial *read_trial_text(const char *text, snw_notes *notes)
{
    snw_trial *trial = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (read_trial_bytes(text, strlen(text), NULL, &trial, notes, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return trial;
}

/* The error of a text that must be refused; `part` must be in its sentence. */
static inline snw_error check_trial_refused(const char *text, snw_status status, const char *part)
{
    snw_trial *trial = NULL;
    snw_error error;
    snw_status got = read_trial_bytes(text, strlen(text), NULL, &trial, NULL, &error);
    if (got != status || !strstr(error.message, part)) {
        print_error("%s: %s\n", snw_status_name(got), error.message);
        fail();
    }
    assert_null(trial);
    return error;
}

static inline bool has_note(const snw_notes *notes, const char *part)
{
    for (int n = 0; n < notes->count; n++)
        if (strstr(notes->note[n].text, part)) return true;
    return false;
}

#define check_note(notes, part)                                        \
    do {                                                               \
        if (!has_note(notes, part)) {                                  \
            for (int check_n = 0; check_n < (notes)->count; check_n++) \
                print_error("%s\n", (notes)->note[check_n].text);      \
            print_error("no note says \"%s\"\n", part);                \
            fail();                                                    \
        }                                                              \
    } while (0)

/* One reading call of either kind, for the sweeps below. */
typedef snw_status (*read_call)(const void *bytes, size_t size, bool is_lenient,
                                const snw_allocator *allocator, snw_error *error);

static inline snw_status call_read_trial(const void *bytes, size_t size, bool is_lenient,
                                         const snw_allocator *allocator, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    snw_trial *trial = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status = snw_read_trial(&source, &options, allocator, &trial, &notes, error);
    assert_true((status == SNW_OK) == (trial != NULL));
    snw_trial_destroy(trial);
    return status;
}

static inline snw_status call_read_motion(const void *bytes, size_t size, bool is_lenient,
                                          const snw_allocator *allocator, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    snw_motion *motion = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status = snw_read_motion(&source, &options, allocator, &motion, &notes, error);
    assert_true((status == SNW_OK) == (motion != NULL));
    snw_motion_destroy(motion);
    return status;
}

/* Cut after every byte: a result or a sentence, never a leak. The bytes are copied to a block of
 * exactly that size, so that the sanitizer sees a byte read beyond. */
static inline void check_every_cut(const char *bytes, size_t size, read_call call)
{
    for (size_t cut = 0; cut <= size; cut++) {
        char *copy = (char *)malloc(cut ? cut : 1);
        memcpy(copy, bytes, cut);
        for (int lenient = 0; lenient < 2; lenient++) {
            counting_allocator counter = {0, 0, 0, -1};
            snw_allocator allocator = counting_hook(&counter);
            snw_error error = snw_error_none();
            snw_status status = call(copy, cut, lenient, &allocator, &error);
            assert_int_equal(counter.live, 0);
            assert_int_equal(counter.live_bytes, 0);
            assert_int_equal(error.status, status);
            assert_true(status == SNW_OK || error.message[0]);
        }
        free(copy);
    }
}

/* The nth allocation fails, for every n: SNW_OUT_OF_MEMORY and nothing left. */
static inline void check_every_allocation(const char *bytes, size_t size, read_call call)
{
    for (long n = 0;; n++) {
        assert_true(n < 100000);
        counting_allocator counter = {0, 0, 0, n};
        snw_allocator allocator = counting_hook(&counter);
        snw_error error = snw_error_none();
        snw_status status = call(bytes, size, false, &allocator, &error);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) {
            assert_true(counter.calls <= n && n > 0);
            return;
        }
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
}

/* Peak of live bytes, to see that hostile sizes ask for nothing. */
typedef struct peak_allocator {
    long long live, peak;
} peak_allocator;

static inline void *peak_allocate(void *context, size_t size)
{
    peak_allocator *peak = (peak_allocator *)context;
    peak->live += (long long)size;
    if (peak->live > peak->peak) peak->peak = peak->live;
    return malloc(size);
}

static inline void peak_release(void *context, void *memory, size_t size)
{
    ((peak_allocator *)context)->live -= (long long)size;
    free(memory);
}

static inline void check_bounded_memory(const char *bytes, size_t size, read_call call)
{
    peak_allocator peak = {0, 0};
    snw_allocator allocator = {peak_allocate, peak_release, &peak};
    snw_error error = snw_error_none();
    call(bytes, size, true, &allocator, &error);
    /* The bound the readers promise. */
    assert_true((double)peak.peak <= 64.0 * (double)size + 1048576);
}

/* ---- random trials ------------------------------------------------------------------------ */

typedef struct trial_shape {
    int markers, frames;
    double metres_per_unit;
    const char *unit;
} trial_shape;

static const trial_shape trial_shapes[] = {
    {3, 7, 0.001, "mm"}, {0, 5, 0.001, "mm"},   {4, 0, 0.001, "mm"}, {0, 0, 0.001, "mm"},
    {2, 1, 1, "m"},      {1000, 3, 0.01, "cm"}, {5, 40, 1, "m"},
};
#define TRIAL_SHAPE_COUNT (sizeof trial_shapes / sizeof *trial_shapes)

static inline const char *random_name(snw_random *random, char *buffer, size_t size, int marker)
{
    static const char *const odd[] = {
        "",      "LASI",       "LASI",     "R.Knee.Medial", "a b c", "\xc3\xa9paule", "Sch\xfclter",
        "x,y;z", "say \"hi\"", "Bob:LASI", "A_X",           "1",     "*12",
    };
    uint32_t pick = snw_random_below(random, 2 * sizeof odd / sizeof *odd);
    if (pick < sizeof odd / sizeof *odd) return odd[pick];
    snprintf(buffer, size, "M%d", marker);
    return buffer;
}

/* Gaps, NaN and infinity set behind the back of snw_trial_set, tiny and huge numbers. */
static inline void random_sample(snw_random *random, snw_trial *trial, int frame, int marker)
{
    size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    snw_sample *sample = trial->sample + at;
    uint32_t kind = snw_random_below(random, 10);
    if (kind == 0) return;
    double scale = kind == 1 ? 1e-20 : kind == 2 ? 1e20 : 1500;
    sample->x = (float)snw_random_range(random, -scale, scale);
    sample->y = (float)snw_random_range(random, -scale, scale);
    sample->z = kind == 3 ? 0.0f : (float)snw_random_range(random, -scale, scale);
    sample->quality = 0;
    trial->state[at] = SNW_SAMPLE_MEASURED;
    if (kind == 4) sample->y = NAN;
    if (kind == 5) sample->z = INFINITY;
}

static inline snw_trial *random_trial(snw_random *random, trial_shape shape)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = shape.markers;
    options.frame_count = shape.frames;
    options.rate = (double)(1 + snw_random_below(random, 400)) * 0.5;
    options.metres_per_unit = shape.metres_per_unit;
    options.unit = shape.unit;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    trial->first_frame = (int)snw_random_below(random, 500);
    for (int marker = 0; marker < shape.markers; marker++) {
        char buffer[32];
        assert_int_equal(
            snw_trial_set_marker_name(trial, marker,
                                      random_name(random, buffer, sizeof buffer, marker), NULL),
            SNW_OK);
        for (int frame = 0; frame < shape.frames; frame++)
            random_sample(random, trial, frame, marker);
    }
    return trial;
}

static inline bool sample_is_finite(const snw_trial *trial, int frame, int marker)
{
    size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    const snw_sample *s = trial->sample + at;
    return trial->state[at] != SNW_SAMPLE_MISSING && isfinite(s->x) && isfinite(s->y) &&
           isfinite(s->z);
}

/* The same bits where a sample is finite, missing where it is not. */
static inline void check_same_samples(const snw_trial *written, const snw_trial *read)
{
    assert_int_equal(read->marker_count, written->marker_count);
    assert_int_equal(read->frame_count, written->frame_count);
    for (int frame = 0; frame < written->frame_count; frame++)
        for (int marker = 0; marker < written->marker_count; marker++) {
            size_t at = (size_t)frame * (size_t)written->marker_count + (size_t)marker;
            bool is_there = sample_is_finite(written, frame, marker);
            assert_int_equal(snw_trial_is_present(read, frame, marker), is_there);
            if (is_there)
                assert_memory_equal(written->sample + at, read->sample + at, 3 * sizeof(float));
        }
}

static inline void write_trial_bytes(const snw_trial *trial, snw_format_kind kind,
                                     const snw_write_options *options, snw_memory_sink *memory)
{
    snw_error error;
    snw_sink sink = snw_sink_to_memory(memory, NULL);
    if (snw_write_trial(trial, kind, options, &sink, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        fail();
    }
}

/* 2000 markers over rows of one digit would be gigabytes of samples from 100 kB of text. */
static inline void check_disproportion_refused(const char *head, const char *marker, int row_count)
{
    size_t size = 0;
    char *text = (char *)malloc(200000);
    size += (size_t)sprintf(text, "%s", head);
    for (int n = 0; n < 2000; n++)
        size += (size_t)sprintf(text + size, "%s", marker);
    for (int n = 0; n < row_count; n++)
        size += (size_t)sprintf(text + size, "\n1");
    check_trial_refused(text, SNW_TOO_LARGE, "out of proportion");
    check_bounded_memory(text, size, call_read_trial);
    free(text);
}

#endif

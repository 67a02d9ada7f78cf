/* Random trials for C3D, and writing and reading them in memory. */
#ifndef SNW_TESTS_C3D_TRIALS_H
#define SNW_TESTS_C3D_TRIALS_H

#include "same_trial.h"

#include "io/c3d.h"

/* ---- random trials ------------------------------------------------------------------------ */

typedef struct trial_shape {
    int markers, frames, analog, analog_per_frame, rotations;
    snw_storage storage;
} trial_shape;

static const char *random_name(snw_random *random)
{
    static const char *const names[] = {"",
                                        "LASI",
                                        "LASI",
                                        "Subject:RASI",
                                        "Sch\xc3\xa4"
                                        "del",
                                        "\xe9t\xe9",
                                        "a name with blanks",
                                        "*12",
                                        "0123456789012345678901234567890123456789012345678901234567"
                                        "89012345678901234567890123456789"};
    return names[snw_random_below(random, sizeof names / sizeof *names)];
}

static inline float random_float(snw_random *random)
{
    switch (snw_random_below(random, 12)) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return -0.0f;
    case 3:
        return 1e-42f; /* below the normal numbers */
    case 4:
        return 3e38f;
    default:
        return (float)(1000 * snw_random_normal(random));
    }
}

static inline float random_number(snw_random *random, const trial_shape *shape, float step)
{
    if (!shape->storage.is_integer) return random_float(random);
    int word = (int)snw_random_below(random, 65536) - 32768;
    return (float)(word * (double)step);
}

static inline void fill_samples(snw_random *random, const trial_shape *shape, snw_trial *trial)
{
    for (size_t n = 0; n < (size_t)shape->frames * (size_t)shape->markers; n++) {
        snw_sample *s = trial->sample + n;
        s->x = random_number(random, shape, (float)trial->residual_scale);
        s->y = random_number(random, shape, (float)trial->residual_scale);
        s->z = random_number(random, shape, (float)trial->residual_scale);
        s->quality = (float)((int)snw_random_below(random, 40000) - 7232);
        if (snw_random_below(random, 20) == 0) memset(s, 0, sizeof *s);
        if (s->quality > 32767) s->quality = -1;
        trial->state[n] =
            snw__c3d_is_missing(s) ? (uint8_t)SNW_SAMPLE_MISSING : (uint8_t)SNW_SAMPLE_MEASURED;
    }
    for (int n = 0; n < shape->frames * shape->analog * shape->analog_per_frame; n++)
        trial->analog[n] = random_number(random, shape, 1);
    for (int n = 0; n < shape->frames * shape->rotations * 17; n++)
        trial->rotation[n] = (float)snw_random_normal(random);
}

static inline void fill_names(snw_random *random, snw_trial *trial)
{
    for (int m = 0; m < trial->marker_count; m++)
        assert_int_equal(snw_trial_set_marker_name(trial, m, random_name(random), NULL), SNW_OK);
    for (int c = 0; c < trial->analog_count; c++) {
        trial->analog_channel[c].scale = (double)(float)snw_random_normal(random);
        trial->analog_channel[c].offset = (double)snw_random_below(random, 4096);
    }
}

static inline void add_events(snw_random *random, snw_trial *trial)
{
    int header = (int)snw_random_below(random, 4), group = (int)snw_random_below(random, 4);
    for (int e = 0; e < header + group; e++) {
        snw_event event;
        memset(&event, 0, sizeof event);
        event.is_in_header = e < header;
        /* Sixty-fourths of a second are floats exactly, also with the minutes split off. */
        event.time = snw_random_below(random, 20000) / 64.0;
        event.label = (char *)(e < header ? "RHS" : "Foot Strike");
        event.context = (char *)(e < header ? "" : "Left");
        event.icon = e < header ? 0 : 3;
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
}

static inline snw_trial *random_trial(snw_random *random, const trial_shape *shape)
{
    static const double rates[] = {100, 120, 59.94, 1000};
    static const char *const units[] = {"mm", "m", "cm"};
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = shape->markers;
    options.frame_count = shape->frames;
    options.analog_count = shape->analog;
    options.analog_per_frame = shape->analog_per_frame;
    options.rotation_count = shape->rotations;
    options.rotations_per_frame = 1;
    options.rate = (double)(float)rates[snw_random_below(random, 4)];
    options.unit = units[snw_random_below(random, 3)];
    options.metres_per_unit = snw_unit_length(options.unit);
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    trial->storage = shape->storage;
    trial->residual_scale = (double)0.1f;
    trial->first_frame = 1 + (int)snw_random_below(random, 70000);
    trial->up = (snw_up_axis)(1 + snw_random_below(random, 6));
    fill_samples(random, shape, trial);
    fill_names(random, trial);
    add_events(random, trial);
    return trial;
}

/* ---- writing and reading ------------------------------------------------------------------ */

static inline snw_memory_sink write_bytes(const snw_trial *trial)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return bytes;
}

static inline snw_status read_bytes(const void *bytes, size_t size, bool is_lenient,
                                    snw_trial **trial, snw_notes *notes, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    return snw_read_trial(&source, &options, NULL, trial, notes, error);
}

static inline snw_trial *must_read(const snw_memory_sink *bytes, snw_notes *notes)
{
    snw_trial *trial = NULL;
    snw_error error;
    if (read_bytes(bytes->bytes, bytes->size, false, &trial, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return trial;
}

static inline snw_trial *round_trip(const snw_trial *trial)
{
    snw_memory_sink bytes = write_bytes(trial);
    snw_notes notes = snw_notes_none();
    snw_trial *again = must_read(&bytes, &notes);
    snw_memory_sink_release(&bytes);
    return again;
}

static inline bool has_note(const snw_notes *notes, const char *words)
{
    for (int n = 0; n < notes->count; n++)
        if (strstr(notes->note[n].text, words)) return true;
    return false;
}

#endif

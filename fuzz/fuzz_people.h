/* A whole person of a few frames, made once and then spoiled in any way: markers without names,
 * gaps, exchanged labels, markers and segments that are missing. */
#ifndef SNW_FUZZ_PEOPLE_H
#define SNW_FUZZ_PEOPLE_H

#include "fuzz_trials.h"

enum {
    PERSON_FRAMES = 14,
    PERSON_MARKERS_MAX = 512
};

typedef struct person_kind {
    snw_synth_motion_kind motion;
    snw_synth_placement placement;
    int markers_per_segment;
    double rate, wobble;
} person_kind;

static const person_kind person_kinds[] = {
    {SNW_SYNTH_DANCE, SNW_SYNTH_ANATOMICAL, 4, 10, 0.002},
    {SNW_SYNTH_WALK, SNW_SYNTH_ANATOMICAL, 4, 6, 0.002},
    {SNW_SYNTH_BOXING, SNW_SYNTH_RANDOM, 3, 8, 0.001},
    {SNW_SYNTH_RANGE, SNW_SYNTH_RANDOM, 3, 1, 0},
    {SNW_SYNTH_REACH, SNW_SYNTH_ANATOMICAL, 4, 5, 0.004},
    {SNW_SYNTH_DANCE, SNW_SYNTH_RANDOM, 18, 10, 0.001}, /* hundreds of markers */
};
enum {
    PERSON_KINDS = sizeof person_kinds / sizeof *person_kinds,
    PERSON_MANY = PERSON_KINDS - 1
};

/* The same for every run; made when it is first asked for. */
static inline const snw_synth *person_synth(int kind)
{
    static snw_synth *made[PERSON_KINDS];
    static snw_skeleton *body;
    if (!body && snw_preset_create("humanoid", NULL, &body, NULL) != SNW_OK) abort();
    if (!made[kind]) {
        snw_synth_options options = snw_synth_options_default();
        options.motion = person_kinds[kind].motion;
        options.placement = person_kinds[kind].placement;
        options.markers_per_segment = person_kinds[kind].markers_per_segment;
        options.rate = person_kinds[kind].rate;
        options.seconds = PERSON_FRAMES / options.rate;
        options.wobble = person_kinds[kind].wobble;
        options.up = SNW_UP_Z;
        if (snw_synth_create(body, NULL, &options, NULL, &made[kind], NULL) != SNW_OK) abort();
    }
    return made[kind];
}

static inline const snw_trial *person_find(int kind)
{
    return person_synth(kind)->capture;
}

static inline const snw_motion *person_motion(int kind)
{
    return person_synth(kind)->motion;
}

static inline void person_hide(snw_trial *trial, fuzz_bytes *bytes)
{
    int marker = fuzz_below(bytes, trial->marker_count), first = fuzz_below(bytes, PERSON_FRAMES);
    int count = 1 + fuzz_below(bytes, PERSON_FRAMES), width = 1 + fuzz_below(bytes, 6);
    for (int m = marker; m < marker + width && m < trial->marker_count; m++)
        for (int f = first; f < first + count && f < trial->frame_count; f++)
            snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
}

static inline void person_exchange(snw_trial *trial, fuzz_bytes *bytes)
{
    int a = fuzz_below(bytes, trial->marker_count), b = fuzz_below(bytes, trial->marker_count);
    int first = fuzz_below(bytes, PERSON_FRAMES), count = 1 + fuzz_below(bytes, PERSON_FRAMES);
    for (int f = first; f < first + count && f < trial->frame_count; f++) {
        snw_sample *row = trial->sample + (size_t)f * (size_t)trial->marker_count, kept = row[a];
        row[a] = row[b];
        row[b] = kept;
    }
}

static inline void person_shift(snw_trial *trial, fuzz_bytes *bytes)
{
    int marker = fuzz_below(bytes, trial->marker_count), first = fuzz_below(bytes, PERSON_FRAMES);
    snw_vec3 by = snw_vec3_scale(fuzz_vector(bytes), 0.3);
    for (int f = first; f < trial->frame_count; f++)
        if (snw_vec3_length(by) < 1e6 && snw_trial_is_present(trial, f, marker))
            snw_trial_set(trial, f, marker, snw_vec3_add(snw_trial_position(trial, f, marker), by),
                          SNW_SAMPLE_MEASURED);
}

static inline void person_rename(snw_trial *trial, fuzz_bytes *bytes)
{
    static const char *const labels[] = {"",     "*4",     "LKNE", "RASI",  "box1", "Joe:LANK",
                                         "LKNM", "T10_ba", "LMED", "RHJC",  "SACR", "L.Heel",
                                         "RIEL", "hip_r1", "LSHO", "thigh1"};
    snw_trial_set_marker_name(trial, fuzz_below(bytes, trial->marker_count),
                              labels[fuzz_below(bytes, 16)], NULL);
}

/* What is not of these segments goes: legs alone, an arm, the trunk. */
static inline void person_keep_some(snw_trial *trial, fuzz_bytes *bytes)
{
    static const char *const starts[] = {"L", "R", "LK", "C", "left_", "right_", "LT", "RF"};
    const char *start = starts[fuzz_below(bytes, 8)];
    for (int m = 0; m < trial->marker_count; m++)
        if (strncmp(trial->marker[m].name, start, strlen(start)) == 0)
            for (int f = 0; f < trial->frame_count; f++)
                snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
}

static inline snw_trial *person_make(fuzz_bytes *bytes, int frame_max)
{
    int kind = fuzz_below(bytes, 64), frames = frame_max - fuzz_below(bytes, frame_max);
    if (kind >= PERSON_KINDS) kind %= PERSON_MANY; /* hundreds of markers are rare */
    snw_trial part = snw_trial_window(person_find(kind), 0, frames), *trial = NULL, *other = NULL;
    if (snw_trial_copy(&part, NULL, &trial, NULL) != SNW_OK) abort();
    for (int n = fuzz_below(bytes, 6); n > 0; n--) {
        int how = fuzz_below(bytes, 5);
        if (how == 0) person_hide(trial, bytes);
        if (how == 1) person_exchange(trial, bytes);
        if (how == 2) person_shift(trial, bytes);
        if (how == 3) person_rename(trial, bytes);
        if (how == 4) person_keep_some(trial, bytes);
    }
    unsigned names = fuzz_byte(bytes) & 3;
    if (names == 1 && snw_synth_unlabel(trial, 1, NULL, &other, NULL) == SNW_OK) {
        snw_trial_destroy(trial);
        trial = other;
    }
    for (int m = 0; names == 2 && m < trial->marker_count; m++) { /* whole, and without names */
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        snw_trial_set_marker_name(trial, m, name, NULL);
    }
    return trial;
}

/* `count` of the markers, every `step`th from `first` on; the trial is taken. */
static inline snw_trial *person_part(snw_trial *trial, int first, int step, int count)
{
    int marker[PERSON_MARKERS_MAX];
    snw_trial *part = NULL;
    if (trial->marker_count < count) return trial;
    for (int n = 0; n < count; n++)
        marker[n] = (first + n * step) % trial->marker_count;
    if (snw_trial_pick(trial, marker, count, NULL, &part, NULL) != SNW_OK) abort();
    snw_trial_destroy(trial);
    return part;
}

#endif

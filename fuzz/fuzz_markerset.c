/* Any bytes as labels, a marker set and a correlation file: what the labels say lies in range, the
 * files are refused with a sentence or tell segments of these markers, and nothing stays allocated.
 *
 * Three sections divided by form feeds: the trial's labels, one on a line; a marker set or a list;
 * a correlation file (may be absent). */
#include "fuzz_text.h"

#include "calibrate/bone_parents.h"
#include "label/bone_name.h"
#include "label/label_grammar.h"

#define SET_MARKERS_MAX 64
#define SET_FRAMES      3

/* A copy of its own, so that a byte read past the end is seen. */
typedef struct set_section {
    char *bytes;
    size_t size;
} set_section;

static set_section take_section(const uint8_t **at, const uint8_t *end)
{
    size_t left = (size_t)(end - *at);
    const uint8_t *stop = left ? memchr(*at, '\f', left) : NULL;
    set_section section = {NULL, stop ? (size_t)(stop - *at) : left};
    section.bytes = malloc(section.size ? section.size : 1);
    if (!section.bytes) abort();
    if (section.size) memcpy(section.bytes, *at, section.size);
    *at = stop ? stop + 1 : end;
    return section;
}

static void check_label(const char *label)
{
    snw_label at = snw_label_read(label);
    snw__bone bone;
    if (at.prefix < 0 || (size_t)at.prefix > strlen(label)) abort();
    if ((unsigned)at.part >= SNW_PART_COUNT || (unsigned)at.joint >= SNW_PART_COUNT) abort();
    if (at.kind == SNW_LABEL_LANDMARK && at.landmark < 0) abort();
    snw_label_is_automatic(label);
    snw__bone_read(label, &bone);
}

/* A new string of the line at `at`; its end is where the next one begins. */
static char *take_line(const set_section *labels, size_t *at)
{
    size_t first = *at;
    while (*at < labels->size && labels->bytes[*at] != '\n')
        (*at)++;
    size_t length = *at - first;
    char *line = malloc(length + 1);
    if (!line) abort();
    memcpy(line, labels->bytes + first, length);
    line[length] = 0;
    (*at)++;
    return line;
}

static snw_trial *make_trial(const set_section *labels)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    options.frame_count = SET_FRAMES;
    for (size_t n = 0; n < labels->size; n++)
        options.marker_count += labels->bytes[n] == '\n';
    if (options.marker_count > SET_MARKERS_MAX) options.marker_count = SET_MARKERS_MAX;
    if (snw_trial_create(&options, NULL, &trial, &error) != SNW_OK) return NULL;
    size_t at = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        char *label = take_line(labels, &at);
        check_label(label);
        if (snw_trial_set_marker_name(trial, m, label, &error) != SNW_OK && !error.message[0])
            abort();
        free(label);
        for (int frame = 0; frame < SET_FRAMES; frame++)
            snw_trial_set(trial, frame, m, snw_vec3_make(0.01 * frame * (m % 5), 0.1 * m, m % 3),
                          SNW_SAMPLE_MEASURED);
    }
    return trial;
}

/* Names tell a forest: from every segment the way inwards ends. */
static void check_parents(const snw_segments *segments)
{
    int parent[SET_MARKERS_MAX];
    bool is_still[SET_MARKERS_MAX];
    for (int l = 0; l < segments->segment_count; l++)
        is_still[l] = l % 3 == 0;
    if (!snw__bone_parents(segments, is_still, parent)) return;
    for (int l = 0; l < segments->segment_count; l++) {
        int steps = 0;
        for (int up = l; up >= 0; up = parent[up])
            if (steps++ > segments->segment_count) abort();
    }
}

/* segment_of and the lists of markers tell the same. */
static void check_segments(const snw_segments *segments, const snw_trial *trial)
{
    int listed = 0, members = 0;
    if (segments->marker_count != trial->marker_count || segments->segment_count < 1) abort();
    for (int l = 0; l < segments->segment_count; l++)
        for (int n = 0; n < segments->segment[l].marker_count; n++, listed++)
            if (segments->segment_of[segments->segment[l].marker[n]] != l) abort();
    for (int m = 0; m < segments->marker_count; m++)
        members += segments->segment_of[m] >= 0;
    if (listed != members) abort();
    check_parents(segments);
}

static bool is_shared(const snw_trial *trial, int marker)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (m != marker && strcmp(trial->marker[m].name, trial->marker[marker].name) == 0)
            return true;
    return false;
}

/* A list of segments is read as it was written: each marker whose label is its own is on a segment
 * of the same name. */
static void check_list(const snw_segments *segments, const snw_trial *trial)
{
    size_t size = snw_segments_print(segments, trial, NULL, 0) + 1;
    char *list = malloc(size);
    snw_segments *again = NULL;
    snw_error error;
    if (!list) return;
    if (snw_segments_print(segments, trial, list, size) != size - 1 || strlen(list) != size - 1)
        abort();
    snw_text text = {list, size - 1};
    snw_status status = snw_segments_from_set(trial, text, NULL, NULL, &again, &error);
    text_check_outcome(status, &error, again);
    for (int m = 0; m < trial->marker_count && again; m++) {
        if (segments->segment_of[m] < 0 || is_shared(trial, m)) continue;
        if (again->segment_of[m] < 0) abort();
        if (strcmp(again->segment[again->segment_of[m]].name,
                   segments->segment[segments->segment_of[m]].name) != 0)
            abort();
    }
    snw_segments_destroy(again);
    free(list);
}

static void check_set(const snw_trial *trial, set_section set, const set_section *correlation)
{
    text_memory memory = text_memory_for(set.size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_text set_text = {set.size ? set.bytes : NULL, set.size};
    snw_text names = {correlation->size ? correlation->bytes : NULL, correlation->size};
    char name[SNW_LABEL_SIZE];
    for (int is_correlated = 0; is_correlated < 2; is_correlated++) {
        snw_segments *segments = NULL;
        snw_error error;
        snw_status status = snw_segments_from_set(trial, set_text, is_correlated ? &names : NULL,
                                                  &allocator, &segments, &error);
        text_check_outcome(status, &error, segments);
        if (segments) check_segments(segments, trial);
        if (segments) check_list(segments, trial);
        snw_segments_destroy(segments);
    }
    if (snw_correlation_set_name(names, name) && (!name[0] || strlen(name) >= sizeof name)) abort();
    if (memory.live != 0) abort();
}

static void check_names(const snw_trial *trial)
{
    snw_segment_options options = snw_segment_options_default();
    snw_notes notes = snw_notes_none();
    snw_segments *segments = NULL;
    snw_error error;
    options.method = SNW_SEGMENTS_BY_NAMES;
    snw_status status = snw_segments_find(trial, &options, NULL, &segments, &notes, &error);
    text_check_outcome(status, &error, segments);
    if (segments) check_segments(segments, trial);
    if (segments) check_list(segments, trial);
    snw_segments_destroy(segments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    set_section labels = take_section(&at, end), set = take_section(&at, end);
    set_section correlation = take_section(&at, end);
    snw_trial *trial = make_trial(&labels);
    if (trial) {
        check_set(trial, set, &correlation);
        check_names(trial);
    }
    snw_trial_destroy(trial);
    free(correlation.bytes);
    free(set.bytes);
    free(labels.bytes);
    return 0;
}

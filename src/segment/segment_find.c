/* Which markers move together: the door to the methods, and the result they share. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "label/label_grammar.h"
#include "math/robust.h"
#include "person/movement.h"
#include "rigid/sampling.h"
#include "segment/label_correction.h"
#include "segment/segment_constants.h"
#include "segment/segment_methods.h"

static const struct {
    const char *name;
    const char *text;
} segment_methods[] = {
#define SEGMENT_METHOD_ROW(enumerator, name, text) {name, text},
    SNW_SEGMENT_METHOD_MAP(SEGMENT_METHOD_ROW)
#undef SEGMENT_METHOD_ROW
};

const char *snw_segment_method_name(snw_segment_method method)
{
    return (unsigned)method < SNW_SEGMENT_METHOD_COUNT ? segment_methods[method].name : "unknown";
}

int snw_segment_method_find(const char *name)
{
    for (int n = 0; n < SNW_SEGMENT_METHOD_COUNT; n++)
        if (strcmp(segment_methods[n].name, name) == 0) return n;
    return -1;
}

snw_segment_options snw_segment_options_default(void)
{
    snw_segment_options options = {
        .method = SNW_SEGMENTS_BY_AUTO, .tolerance = -1, .segment_count = -1};
    return options;
}

/* ---- the result --------------------------------------------------------------------------- */

typedef struct segments_sketch {
    snw_segments segments;
    bool has_labels;
    int *markers; /* (marker_count) of all segments, one after the other */
} segments_sketch;

static void lay_out(void *object, snw__block *block)
{
    segments_sketch *sketch = object;
    snw_segments *segments = &sketch->segments;
    size_t markers = (size_t)segments->marker_count;
    snw__block_take(block, 1, sizeof *segments);
    segments->segment =
        snw__block_take(block, (size_t)segments->segment_count, sizeof(snw_segment));
    segments->segment_of = snw__block_take(block, markers, sizeof(int));
    sketch->markers = snw__block_take(block, markers, sizeof(int));
    if (sketch->has_labels) segments->label = snw__block_take(block, markers, sizeof(snw_label));
}

snw_status snw__segments_check(const snw_segments *segments, const snw_trial *trial,
                               snw_error *error)
{
    if (segments->marker_count == trial->marker_count) return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT,
                     "the segments are of %d markers, the trial has %d", segments->marker_count,
                     trial->marker_count);
}

/* As snw_segments_create, with what the labels say (marker_count), or NULL. */
static snw_status segments_make(const int *segment_of, int marker_count, const char *const *names,
                                const snw_label *label, const snw_allocator *allocator,
                                snw_segments **out, snw_error *error)
{
    *out = NULL;
    segments_sketch sketch = {.has_labels = label != NULL};
    snw__block block;
    sketch.segments.marker_count = marker_count;
    for (int m = 0; m < marker_count; m++) {
        if (segment_of[m] < -1 || segment_of[m] >= marker_count)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "marker %d: there is no segment %d", m,
                             segment_of[m]);
        if (segment_of[m] >= sketch.segments.segment_count)
            sketch.segments.segment_count = segment_of[m] + 1;
    }
    if (sketch.segments.segment_count == 0)
        return snw__fail(error, SNW_DEGENERATE, "no marker belongs to a segment");
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = snw__block_create(&block, lay_out, &sketch, &memory, "segments", error);
    if (status != SNW_OK) return status;
    sketch.segments.allocator = memory;
    sketch.segments.block_size = block.size;
    snw_segments *segments = (void *)block.base;
    *segments = sketch.segments;
    memcpy(segments->segment_of, segment_of, (size_t)marker_count * sizeof(int));
    int *next = sketch.markers;
    for (int l = 0; l < segments->segment_count; l++) {
        snw_segment *segment = segments->segment + l;
        segment->marker = next;
        for (int m = 0; m < segments->marker_count; m++)
            if (segments->segment_of[m] == l) *next++ = m;
        segment->marker_count = (int)(next - segment->marker);
        if (names)
            snw_format(segment->name, sizeof segment->name, "%s", names[l]);
        else
            snw_format(segment->name, sizeof segment->name, "segment%d", l + 1);
    }
    if (label) {
        memcpy(segments->label, label, (size_t)marker_count * sizeof *label);
        snw__labels_follow(segments, segments->label);
    }
    *out = segments;
    return snw__succeed(error);
}

snw_status snw_segments_create(const int *segment_of, int marker_count, const char *const *names,
                               const snw_allocator *allocator, snw_segments **out, snw_error *error)
{
    return segments_make(segment_of, marker_count, names, NULL, allocator, out, error);
}

void snw_segments_destroy(snw_segments *segments)
{
    if (!segments) return;
    snw_allocator allocator = segments->allocator;
    snw__release(&allocator, segments, segments->block_size);
}

/* ---- finding ------------------------------------------------------------------------------ */

typedef struct segment_search {
    size_t marker_count;
    int *segment_of;        /* (marker_count) */
    snw__label_name *label; /* (marker_count) */
    const char **name;      /* (marker_count) */
    snw_label *landmark;    /* (marker_count) */
    int *guess;             /* (marker_count) */
    snw_notes *notes;
    snw_allocator allocator;
} segment_search;

static void lay_out_search(void *object, snw__block *block)
{
    segment_search *search = object;
    size_t markers = search->marker_count;
    search->segment_of = snw__block_take(block, markers, sizeof(int));
    search->label = snw__block_take(block, markers, sizeof(snw__label_name));
    search->name = snw__block_take(block, markers, sizeof(char *));
    search->landmark = snw__block_take(block, markers, sizeof(snw_label));
    search->guess = snw__block_take(block, markers, sizeof(int));
}

static bool takes_part(const snw_trial *trial, int marker)
{
    return !snw_trial_gaps(trial, marker).is_never_seen && snw_trial_is_marker(trial, marker);
}

/* Markers that are never seen, and points that are computed, take no part; segments left empty are
 * closed up. */
static int drop_unseen(const snw_trial *trial, segment_search *search, int segment_count)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (!takes_part(trial, m)) search->segment_of[m] = -1;
    int kept = 0;
    for (int l = 0; l < segment_count; l++) {
        int members = 0;
        for (int m = 0; m < trial->marker_count; m++) {
            if (search->segment_of[m] != l) continue;
            search->segment_of[m] = kept;
            members++;
        }
        if (members == 0) continue;
        if (kept != l) memcpy(search->label[kept], search->label[l], sizeof(snw__label_name));
        kept++;
    }
    return kept;
}

static void number_names(segment_search *search, int segment_count)
{
    for (int l = 0; l < segment_count; l++)
        snw_format(search->label[l], sizeof search->label[l], "segment%d", l + 1);
}

static int count_runs(int marker_count)
{
    double runs = SEGMENT_DISTANCES / (1.0 + (double)marker_count * marker_count);
    return runs > SEGMENT_RUNS       ? SEGMENT_RUNS
           : runs < SNW__SAMPLES_MIN ? SNW__SAMPLES_MIN
                                     : (int)runs;
}

static snw_status read_labels(const snw_trial *trial, const snw_segment_options *options,
                              segment_search *search, snw_error *error)
{
    if (!options->labels)
        return snw__labels_of_trial(trial, &search->allocator, search->landmark, error);
    memcpy(search->landmark, options->labels->marker,
           (size_t)trial->marker_count * sizeof *search->landmark);
    return SNW_OK;
}

static snw_status search_by_motion(const snw_trial *trial, const snw_segment_options *options,
                                   segment_search *search, int *segment_count, snw_error *error)
{
    snw__samples *samples = NULL;
    bool is_by_worth = options->method != SNW_SEGMENTS_BY_SPECTRAL && options->tolerance < 0;
    int at_once =
        is_by_worth && trial->marker_count > MANY_MARKERS ? MANY_MARKERS : trial->marker_count;
    snw_status status = read_labels(trial, options, search, error);
    if (status == SNW_OK)
        status = snw__samples_create_runs(trial, count_runs(at_once), &search->allocator, &samples,
                                          error);
    if (status != SNW_OK) return status;
    int markers = 0, computed = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        bool is_computed = search->landmark[m].kind == SNW_LABEL_DERIVED;
        computed += is_computed;
        markers += !is_computed && !snw_trial_gaps(trial, m).is_never_seen;
    }
    if (computed != 0 && markers >= SNW__MARKERS_MIN) {
        for (int frame = 0; frame < samples->frame_count; frame++)
            for (int m = 0; m < trial->marker_count; m++)
                if (search->landmark[m].kind == SNW_LABEL_DERIVED)
                    samples->seen[(size_t)frame * (size_t)trial->marker_count + (size_t)m] = 0;
        snw__note(search->notes, SNW_NOTE_POINTS_COMPUTED, SNW__NOWHERE,
                  "%d computed point%s no marker%s", computed,
                  snw__plural(computed, " is", "s are"), computed == 1 ? "" : "s");
    }
    if (options->method == SNW_SEGMENTS_BY_SPECTRAL)
        status = snw__segments_by_spectrum(samples, options->segment_count, search->segment_of,
                                           segment_count, error);
    else
        status = snw__segments_by_rigidity(samples, options->tolerance, search->segment_of,
                                           segment_count, error);
    if (status == SNW_OK) {
        /* A marker that no sample was taken of takes no part. */
        for (int m = 0; m < samples->marker_count; m++) {
            int frame = 0;
            while (frame < samples->frame_count && !snw__samples_seen(samples, frame)[m])
                frame++;
            if (frame == samples->frame_count) search->segment_of[m] = -1;
        }
    }
    snw__samples_destroy(samples);
    if (status == SNW_OK) number_names(search, *segment_count);
    return status;
}

/* Joint centres that a model computed are taken for what they are, and told. */
static void note_centres(const snw_trial *trial, const segment_search *search)
{
    int count = 0, first = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        bool is_centre = search->landmark[m].kind == SNW_LABEL_LANDMARK &&
                         search->landmark[m].spot == SNW_SPOT_CENTER && search->segment_of[m] >= 0;
        if (is_centre && count++ == 0) first = m;
    }
    if (count)
        snw__note(search->notes, SNW_NOTE_POINTS_COMPUTED,
                  snw__at_name(first, trial->marker[first].name),
                  "%d point%s of joints that a model computed, the first is %s: joints are "
                  "put there",
                  count, snw__plural(count, " is the centre", "s are the centres"),
                  trial->marker[first].name);
}

/* By labels, where the motion does not contradict them; no segments where they do not tell. */
static snw_status search_by_names(const snw_trial *trial, const snw_segment_options *options,
                                  segment_search *search, int *segment_count, snw_error *error)
{
    snw_status status = read_labels(trial, options, search, error);
    if (status != SNW_OK) return status;
    *segment_count =
        snw__segments_by_names(trial, search->landmark, search->segment_of, search->label);
    if (*segment_count == 0) return SNW_OK;
    bool are_joints = snw__labels_are_joints(search->landmark, trial->marker_count);
    if (are_joints) note_centres(trial, search);
    /* Points that are off by centimetres contradict any label. */
    if (options->trusts_labels || are_joints) return SNW_OK;
    snw__named_segments names = {*segment_count,   search->segment_of, search->label,
                                 search->landmark, search->guess,      false};
    snw__samples *samples = NULL;
    /* Frames that labels are compared with. */
    status = snw__samples_create(trial, SNW__SAMPLES_LEARN, &search->allocator, &samples, error);
    if (status != SNW_OK) return status;
    status = snw__labels_correct(samples, trial, &names, search->notes, error);
    snw__samples_destroy(samples);
    if (status == SNW_OK && !names.is_contradicted) note_centres(trial, search);
    if (names.is_contradicted && options->method == SNW_SEGMENTS_BY_AUTO) *segment_count = 0;
    return status;
}

static snw_status search_segments(const snw_trial *trial, const snw_segment_options *options,
                                  segment_search *search, int *segment_count, snw_error *error)
{
    *segment_count = 0;
    snw_status status = SNW_OK;
    if (options->method == SNW_SEGMENTS_BY_AUTO || options->method == SNW_SEGMENTS_BY_NAMES)
        status = search_by_names(trial, options, search, segment_count, error);
    if (status != SNW_OK) return status;
    if (*segment_count == 0 && options->method == SNW_SEGMENTS_BY_NAMES)
        return snw__fail(error, SNW_DEGENERATE,
                         "the labels name no segments: neither numbered nor of a known marker set");
    if (*segment_count == 0)
        status = search_by_motion(trial, options, search, segment_count, error);
    if (status != SNW_OK) return status;
    *segment_count = drop_unseen(trial, search, *segment_count);
    for (int l = 0; l < *segment_count; l++)
        search->name[l] = search->label[l];
    return SNW_OK;
}

snw_status snw_segments_find(const snw_trial *trial, const snw_segment_options *options,
                             const snw_allocator *allocator, snw_segments **out, snw_notes *notes,
                             snw_error *error)
{
    *out = NULL;
    snw_segment_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_segment_options_default() : *options;
    const snw__bounds bounds[] = {
        {"method of the segments", chosen.method, 0, SNW_SEGMENT_METHOD_COUNT - 1},
        {"tolerance of the segments", chosen.tolerance, -1e9, 1e9}, /* negative: chosen */
        {"segment_count", chosen.segment_count, INT32_MIN, trial->marker_count}};
    snw_status allowed = snw__check_bounds(bounds, 3, error);
    if (allowed != SNW_OK) return allowed;
    if (chosen.labels && chosen.labels->marker_count != trial->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the labels are of %d markers, the trial has %d",
                         chosen.labels->marker_count, trial->marker_count);
    int seen = 0;
    for (int m = 0; m < trial->marker_count; m++)
        seen += takes_part(trial, m);
    if (seen == 0 && trial->marker_count > 0)
        return snw__fail(error, SNW_DEGENERATE, "all %d markers are missing in every frame",
                         trial->marker_count);
    if (seen < 3)
        return snw__fail(error, SNW_DEGENERATE,
                         "%d marker%s: a segment needs at least 3 to have a place and a direction",
                         seen, seen == 1 ? "" : "s");
    snw_allocator memory = snw__allocator_or_default(allocator);
    segment_search search = {.marker_count = (size_t)trial->marker_count};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_search, &search, &memory, "finding segments", error);
    if (status != SNW_OK) return status;
    search.allocator = memory;
    search.notes = notes;
    int segment_count;
    status = search_segments(trial, &chosen, &search, &segment_count, error);
    if (status == SNW_OK)
        status = segments_make(search.segment_of, trial->marker_count, search.name, search.landmark,
                               allocator, out, error);
    snw__block_release(&memory, &block);
    return status;
}

/* Which markers move together: the door to the methods, and the result they share. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "label/landmark.h"
#include "limb/label_correction.h"
#include "limb/limb_constants.h"
#include "limb/limb_methods.h"
#include "rigid/sampling.h"

static const struct {
    const char *name;
    const char *text;
} limb_methods[] = {
#define LIMB_METHOD_ROW(enumerator, name, text) {name, text},
    SNW_LIMB_METHOD_MAP(LIMB_METHOD_ROW)
#undef LIMB_METHOD_ROW
};

const char *snw_limb_method_name(snw_limb_method method)
{
    return (unsigned)method < SNW_LIMB_METHOD_COUNT ? limb_methods[method].name : "unknown";
}

int snw_limb_method_find(const char *name)
{
    for (int n = 0; n < SNW_LIMB_METHOD_COUNT; n++)
        if (strcmp(limb_methods[n].name, name) == 0) return n;
    return -1;
}

snw_limb_options snw_limb_options_default(void)
{
    snw_limb_options options = {.method = SNW_LIMBS_BY_AUTO, .tolerance = -1, .limb_count = -1};
    return options;
}

/* ---- the result --------------------------------------------------------------------------- */

typedef struct limbs_sketch {
    snw_limbs limbs;
    bool has_labels;
    int *markers; /* (marker_count) of all limbs, one after the other */
} limbs_sketch;

static void lay_out(void *object, snw__block *block)
{
    limbs_sketch *sketch = object;
    snw_limbs *limbs = &sketch->limbs;
    size_t markers = (size_t)limbs->marker_count;
    snw__block_take(block, 1, sizeof *limbs);
    limbs->limb = snw__block_take(block, (size_t)limbs->limb_count, sizeof(snw_limb));
    limbs->limb_of = snw__block_take(block, markers, sizeof(int));
    sketch->markers = snw__block_take(block, markers, sizeof(int));
    if (sketch->has_labels) limbs->label = snw__block_take(block, markers, sizeof(snw_label));
}

static void share_out(snw_limbs *limbs, const char *const *names, int *next)
{
    for (int l = 0; l < limbs->limb_count; l++) {
        snw_limb *limb = limbs->limb + l;
        limb->marker = next;
        for (int m = 0; m < limbs->marker_count; m++)
            if (limbs->limb_of[m] == l) *next++ = m;
        limb->marker_count = (int)(next - limb->marker);
        if (names)
            snw_format(limb->name, sizeof limb->name, "%s", names[l]);
        else
            snw_format(limb->name, sizeof limb->name, "limb%d", l + 1);
    }
}

snw_status snw__limbs_check(const snw_limbs *limbs, const snw_trial *trial, snw_error *error)
{
    if (limbs->marker_count == trial->marker_count) return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT, "the limbs are of %d markers, the trial has %d",
                     limbs->marker_count, trial->marker_count);
}

snw_status snw__limbs_make(const int *limb_of, int marker_count, const char *const *names,
                           const snw_label *label, const snw_allocator *allocator, snw_limbs **out,
                           snw_error *error)
{
    *out = NULL;
    limbs_sketch sketch = {.has_labels = label != NULL};
    snw__block block;
    sketch.limbs.marker_count = marker_count;
    for (int m = 0; m < marker_count; m++) {
        if (limb_of[m] < -1 || limb_of[m] >= marker_count)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "marker %d: there is no limb %d", m,
                             limb_of[m]);
        if (limb_of[m] >= sketch.limbs.limb_count) sketch.limbs.limb_count = limb_of[m] + 1;
    }
    if (sketch.limbs.limb_count == 0)
        return snw__fail(error, SNW_DEGENERATE, "no marker belongs to a limb");
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = snw__block_create(&block, lay_out, &sketch, &memory, "limbs", error);
    if (status != SNW_OK) return status;
    sketch.limbs.allocator = memory;
    sketch.limbs.block_size = block.size;
    snw_limbs *limbs = (void *)block.base;
    *limbs = sketch.limbs;
    memcpy(limbs->limb_of, limb_of, (size_t)marker_count * sizeof(int));
    share_out(limbs, names, sketch.markers);
    if (label) {
        memcpy(limbs->label, label, (size_t)marker_count * sizeof *label);
        snw__labels_follow(limbs, limbs->label);
    }
    *out = limbs;
    return snw__succeed(error);
}

snw_status snw_limbs_create(const int *limb_of, int marker_count, const char *const *names,
                            const snw_allocator *allocator, snw_limbs **out, snw_error *error)
{
    return snw__limbs_make(limb_of, marker_count, names, NULL, allocator, out, error);
}

void snw_limbs_destroy(snw_limbs *limbs)
{
    if (!limbs) return;
    snw_allocator allocator = limbs->allocator;
    snw__release(&allocator, limbs, limbs->block_size);
}

/* ---- finding ------------------------------------------------------------------------------ */

typedef struct limb_search {
    size_t marker_count;
    int *limb_of;           /* (marker_count) */
    snw__label_name *label; /* (marker_count) */
    const char **name;      /* (marker_count) */
    snw_label *landmark;    /* (marker_count) */
    int *guess;             /* (marker_count) */
    snw_notes *notes;
    snw_allocator allocator;
} limb_search;

static void lay_out_search(void *object, snw__block *block)
{
    limb_search *search = object;
    size_t markers = search->marker_count;
    search->limb_of = snw__block_take(block, markers, sizeof(int));
    search->label = snw__block_take(block, markers, sizeof(snw__label_name));
    search->name = snw__block_take(block, markers, sizeof(char *));
    search->landmark = snw__block_take(block, markers, sizeof(snw_label));
    search->guess = snw__block_take(block, markers, sizeof(int));
}

static bool takes_part(const snw_trial *trial, int marker)
{
    return !snw_trial_gaps(trial, marker).is_never_seen && !snw_trial_is_computed(trial, marker);
}

static int count_seen(const snw_trial *trial)
{
    int count = 0;
    for (int m = 0; m < trial->marker_count; m++)
        count += takes_part(trial, m);
    return count;
}

/* Markers that are never seen, and points that are computed, take no part; limbs left empty are
 * closed up. */
static int drop_unseen(const snw_trial *trial, limb_search *search, int limb_count)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (!takes_part(trial, m)) search->limb_of[m] = -1;
    int kept = 0;
    for (int l = 0; l < limb_count; l++) {
        int members = 0;
        for (int m = 0; m < trial->marker_count; m++) {
            if (search->limb_of[m] != l) continue;
            search->limb_of[m] = kept;
            members++;
        }
        if (members == 0) continue;
        if (kept != l) memcpy(search->label[kept], search->label[l], sizeof(snw__label_name));
        kept++;
    }
    return kept;
}

static void number_names(limb_search *search, int limb_count)
{
    for (int l = 0; l < limb_count; l++)
        snw_format(search->label[l], sizeof search->label[l], "limb%d", l + 1);
}

static int count_runs(int marker_count)
{
    double runs = LIMB_DISTANCES / (1.0 + (double)marker_count * marker_count);
    return runs > LIMB_RUNS ? LIMB_RUNS : runs < LIMB_RUNS_MIN ? LIMB_RUNS_MIN : (int)runs;
}

static void hide_computed(const snw_trial *trial, const limb_search *search, snw__samples *samples)
{
    int markers = 0, computed = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        bool is_computed = search->landmark[m].kind == SNW_LABEL_DERIVED;
        computed += is_computed;
        markers += !is_computed && !snw_trial_gaps(trial, m).is_never_seen;
    }
    if (computed == 0 || markers < LIMB_MARKERS_MIN) return;
    for (int frame = 0; frame < samples->frame_count; frame++)
        for (int m = 0; m < trial->marker_count; m++)
            if (search->landmark[m].kind == SNW_LABEL_DERIVED)
                samples->seen[(size_t)frame * (size_t)trial->marker_count + (size_t)m] = 0;
    snw__note(search->notes, SNW_NOTE_POINTS_COMPUTED, SNW__NOWHERE,
              "%d computed point%s no marker%s", computed, snw__plural(computed, " is", "s are"),
              computed == 1 ? "" : "s");
}

/* A marker that no sample was taken of takes no part. */
static void drop_hidden(const snw__samples *samples, int *limb_of)
{
    for (int m = 0; m < samples->marker_count; m++) {
        int frame = 0;
        while (frame < samples->frame_count && !snw__samples_seen(samples, frame)[m])
            frame++;
        if (frame == samples->frame_count) limb_of[m] = -1;
    }
}

static snw_status read_labels(const snw_trial *trial, const snw_limb_options *options,
                              limb_search *search, snw_error *error)
{
    if (!options->labels)
        return snw__labels_of_trial(trial, &search->allocator, search->landmark, error);
    memcpy(search->landmark, options->labels->marker,
           (size_t)trial->marker_count * sizeof *search->landmark);
    return SNW_OK;
}

static snw_status search_by_motion(const snw_trial *trial, const snw_limb_options *options,
                                   limb_search *search, int *limb_count, snw_error *error)
{
    snw__samples *samples = NULL;
    bool is_by_worth = options->method != SNW_LIMBS_BY_SPECTRAL && options->tolerance < 0;
    int at_once =
        is_by_worth && trial->marker_count > MANY_MARKERS ? MANY_MARKERS : trial->marker_count;
    snw_status status = read_labels(trial, options, search, error);
    if (status == SNW_OK)
        status = snw__samples_create_runs(trial, count_runs(at_once), &search->allocator, &samples,
                                          error);
    if (status != SNW_OK) return status;
    hide_computed(trial, search, samples);
    if (options->method == SNW_LIMBS_BY_SPECTRAL)
        status = snw__limbs_by_spectrum(samples, options->limb_count, search->limb_of, limb_count,
                                        error);
    else
        status =
            snw__limbs_by_rigidity(samples, options->tolerance, search->limb_of, limb_count, error);
    if (status == SNW_OK) drop_hidden(samples, search->limb_of);
    snw__samples_destroy(samples);
    if (status == SNW_OK) number_names(search, *limb_count);
    return status;
}

/* Joint centres that a model computed are taken for what they are, and told. */
static void note_centres(const snw_trial *trial, const limb_search *search)
{
    int count = 0, first = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        bool is_centre = search->landmark[m].kind == SNW_LABEL_LANDMARK &&
                         search->landmark[m].spot == SNW_SPOT_CENTER && search->limb_of[m] >= 0;
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

/* By labels, where the motion does not contradict them; no limbs where they do not tell. */
static snw_status search_by_names(const snw_trial *trial, const snw_limb_options *options,
                                  limb_search *search, int *limb_count, snw_error *error)
{
    snw_status status = read_labels(trial, options, search, error);
    if (status != SNW_OK) return status;
    *limb_count = snw__limbs_by_names(trial, search->landmark, search->limb_of, search->label);
    if (*limb_count == 0) return SNW_OK;
    if (options->trusts_labels) return SNW_OK;
    snw__named_limbs names = {*limb_count,      search->limb_of, search->label,
                              search->landmark, search->guess,   false};
    snw__samples *samples = NULL;
    status = snw__samples_create(trial, LIMB_FRAMES, &search->allocator, &samples, error);
    if (status != SNW_OK) return status;
    status = snw__labels_correct(samples, trial, &names, search->notes, error);
    snw__samples_destroy(samples);
    if (status == SNW_OK && !names.is_contradicted) note_centres(trial, search);
    if (names.is_contradicted && options->method == SNW_LIMBS_BY_AUTO) *limb_count = 0;
    return status;
}

static snw_status search_limbs(const snw_trial *trial, const snw_limb_options *options,
                               limb_search *search, int *limb_count, snw_error *error)
{
    *limb_count = 0;
    snw_status status = SNW_OK;
    if (options->method == SNW_LIMBS_BY_AUTO || options->method == SNW_LIMBS_BY_NAMES)
        status = search_by_names(trial, options, search, limb_count, error);
    if (status != SNW_OK) return status;
    if (*limb_count == 0 && options->method == SNW_LIMBS_BY_NAMES)
        return snw__fail(error, SNW_DEGENERATE,
                         "the labels name no limbs: neither numbered nor of a known marker set");
    if (*limb_count == 0) status = search_by_motion(trial, options, search, limb_count, error);
    if (status != SNW_OK) return status;
    *limb_count = drop_unseen(trial, search, *limb_count);
    for (int l = 0; l < *limb_count; l++)
        search->name[l] = search->label[l];
    return SNW_OK;
}

snw_status snw_limbs_find(const snw_trial *trial, const snw_limb_options *options,
                          const snw_allocator *allocator, snw_limbs **out, snw_notes *notes,
                          snw_error *error)
{
    *out = NULL;
    snw_limb_options chosen = options ? *options : snw_limb_options_default();
    const snw__bounds bounds[] = {
        {"method of the limbs", chosen.method, 0, SNW_LIMB_METHOD_COUNT - 1},
        {"tolerance of the limbs", chosen.tolerance, -1e9, 1e9}, /* negative: chosen */
        {"limb_count", chosen.limb_count, INT32_MIN, trial->marker_count}};
    snw_status allowed = snw__check_bounds(bounds, 3, error);
    if (allowed != SNW_OK) return allowed;
    if (chosen.labels && chosen.labels->marker_count != trial->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the labels are of %d markers, the trial has %d",
                         chosen.labels->marker_count, trial->marker_count);
    int seen = count_seen(trial);
    if (seen == 0 && trial->marker_count > 0)
        return snw__fail(error, SNW_DEGENERATE, "all %d markers are missing in every frame",
                         trial->marker_count);
    if (seen < 3)
        return snw__fail(error, SNW_DEGENERATE,
                         "%d marker%s: a limb needs at least 3 to have a place and a direction",
                         seen, seen == 1 ? "" : "s");
    snw_allocator memory = snw__allocator_or_default(allocator);
    limb_search search = {.marker_count = (size_t)trial->marker_count};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_search, &search, &memory, "finding limbs", error);
    if (status != SNW_OK) return status;
    search.allocator = memory;
    search.notes = notes;
    int limb_count;
    status = search_limbs(trial, &chosen, &search, &limb_count, error);
    if (status == SNW_OK)
        status = snw__limbs_make(search.limb_of, trial->marker_count, search.name, search.landmark,
                                 allocator, out, error);
    snw__block_release(&memory, &block);
    return status;
}

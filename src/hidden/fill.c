/* Fills the gaps of a trial: finds them, takes them in order, writes what was found.
 *
 * Short gaps come first, so that long ones may use what was filled in much shorter ones. Measured
 * samples are copied and never written. */
#include "hidden/fill_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "hidden/hidden_constants.h"
#include "hidden/low_rank.h"

enum {
    FILL_NEIGHBOURS_MAX = 4096 /* markers: 128 MB for their pairs */
};

snw_fill_options snw_fill_options_default(void)
{
    snw_fill_options options;
    memset(&options, 0, sizeof options);
    options.method = SNW_FILL_AUTO;
    options.uncertainty_max = FILL_UNCERTAINTY_MAX;
    return options;
}

/* ---- gaps ---------------------------------------------------------------------------------------
 */

/* Calls for every gap, marker by marker; writes them where there is room. */
static int list_gaps(const snw_trial *trial, snw_filled_gap *gap)
{
    int count = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!snw_point_is_position(trial->marker[m].kind)) continue;
        for (int from = 0; from < trial->frame_count; from++) {
            int to = from;
            while (to < trial->frame_count && !snw_trial_is_present(trial, to, m))
                to++;
            if (to > from && gap) {
                gap[count].marker = m;
                gap[count].first = from;
                gap[count].length = to - from;
                gap[count].method = SNW_FILL_AUTO;
            }
            count += to > from;
            from = to;
        }
    }
    return count;
}

typedef struct fill_place {
    int length, gap;
} fill_place;

static int compare_places(const void *a, const void *b)
{
    const fill_place *left = a, *right = b;
    if (left->length != right->length) return left->length < right->length ? -1 : 1;
    return left->gap < right->gap ? -1 : left->gap > right->gap;
}

/* ---- the work -----------------------------------------------------------------------------------
 */

typedef struct fill_job {
    snw__fill fill;
    const snw_fill_options *options;
    snw_filled *filled;
    fill_place *place;      /* (gap_count) shortest first */
    snw__low_rank low_rank; /* where it is asked for */
} fill_job;

static bool needs_components(const fill_job *job)
{
    return job->filled->gap_count > 0 &&
           (job->options->method == SNW_FILL_PCA || job->options->method == SNW_FILL_LOW_RANK);
}

static void lay_out_fill(void *object, snw__block *block)
{
    fill_job *job = object;
    snw__fill *fill = &job->fill;
    size_t markers = (size_t)fill->marker_count, frames = (size_t)fill->frame_count;
    size_t samples = snw__size_mul(markers, frames);
    fill->position = snw__block_take(block, samples, sizeof(snw_vec3));
    fill->span = snw__block_take(block, samples, sizeof(uint16_t));
    /* A line and a spline need none; of more markers than anybody wears each is filled by itself,
     * for the table of all pairs grows with their square. */
    snw_fill_method method = job->options->method;
    if (method != SNW_FILL_LINEAR && method != SNW_FILL_SPLINE &&
        job->fill.marker_count <= FILL_NEIGHBOURS_MAX)
        fill->cost = snw__block_take(block, snw__size_mul(markers, markers), sizeof(double));
    fill->stamp = snw__block_take(block, frames, sizeof(int));
    fill->row = snw__block_take(block, frames, SNW__FILL_STRIDE * sizeof(double));
    fill->order = snw__block_take(block, markers, sizeof(int));
    fill->train = snw__block_take(block, frames, sizeof(int));
    fill->step = snw__block_take(block, frames, sizeof(int));
    fill->share = snw__block_take(block, frames, SNW__FILL_EDGES * sizeof(double));
    fill->answer = snw__block_take(block, frames, sizeof(snw_vec3));
    fill->doubt = snw__block_take(block, frames, sizeof(float));
    fill->judge = snw__block_take(block, 1, snw__judge_size());
    job->place = snw__block_take(block, (size_t)job->filled->gap_count, sizeof(fill_place));
    if (needs_components(job)) snw__low_rank_lay_out(&job->low_rank, fill, block);
}

static void keep_sample(fill_job *job, const snw_filled_gap *gap, int n, snw_vec3 place,
                        double doubt)
{
    snw_trial *out = job->filled->trial;
    size_t at = snw__fill_at(&job->fill, gap->first + n, gap->marker);
    bool is_given = job->options->method == SNW_FILL_SMOOTH;
    snw_trial_set(out, gap->first + n, gap->marker, place,
                  is_given ? (snw_sample_state)job->options->body->state[at] : SNW_SAMPLE_FILLED);
    out->uncertainty[at] = (float)doubt;
    out->sample[at].quality = snw__computed_quality(out, doubt);
    job->filled->sample_count++;
}

static bool is_answer_sure(const fill_job *job, snw_filled_gap *gap)
{
    gap->uncertainty = 0;
    for (int n = 0; n < gap->length; n++) {
        if (!snw_vec3_is_finite(job->fill.answer[n]) || !isfinite(job->fill.doubt[n])) return false;
        gap->uncertainty = fmax(gap->uncertainty, job->fill.doubt[n]);
    }
    return gap->uncertainty <= job->options->uncertainty_max;
}

static bool is_filled_by(fill_job *job, const snw__gap_model *model, snw_fill_method method,
                         snw_filled_gap *gap)
{
    snw__gap_fill(model, method, gap);
    bool is_sure = gap->outcome == SNW_GAP_FILLED && is_answer_sure(job, gap);
    if (method != SNW_FILL_AUTO || !model->has_frame || gap->outcome != SNW_GAP_FILLED ||
        gap->judged >= SNW__JUDGE_ENOUGH)
        return is_sure;
    /* Where samples drop out everywhere no frames show all neighbours, and nothing judges them; the
     * marker's own path may be surer. */
    double doubt = gap->uncertainty;
    snw__gap_model alone = *model;
    alone.number += job->filled->gap_count;
    alone.has_frame = false;
    alone.feature_count = alone.train_count = 0;
    snw__gap_fill(&alone, method, gap);
    bool is_alone = gap->outcome == SNW_GAP_FILLED && gap->judged >= SNW__JUDGE_ENOUGH &&
                    is_answer_sure(job, gap);
    if (is_alone && (!is_sure || gap->uncertainty < doubt)) return true;
    snw__gap_fill(model, method, gap);
    return gap->outcome == SNW_GAP_FILLED && is_answer_sure(job, gap);
}

static void fill_gap(fill_job *job, int number, snw_filled_gap *gap)
{
    snw__gap_model model;
    if (job->options->gap_max > 0 && gap->length > job->options->gap_max) {
        gap->outcome = SNW_GAP_TOO_LONG;
        return;
    }
    if (gap->length == job->fill.frame_count) {
        gap->outcome = SNW_GAP_UNSEEN;
        return;
    }
    if (job->options->method == SNW_FILL_SMOOTH) {
        /* A predictor's samples are taken as they are, one by one: the first frames of a gap may be
         * told where the last ones are not. */
        const snw_trial *given = job->options->body;
        int kept = 0;
        gap->method = SNW_FILL_SMOOTH;
        gap->share = 1;
        gap->uncertainty = 0;
        for (int n = 0; n < gap->length; n++) {
            int frame = gap->first + n;
            size_t at = snw__fill_at(&job->fill, frame, gap->marker);
            double doubt = given->uncertainty ? (double)given->uncertainty[at] : 0;
            if (!snw_trial_is_present(given, frame, gap->marker) ||
                doubt > job->options->uncertainty_max)
                continue;
            keep_sample(job, gap, n, snw_trial_position(given, frame, gap->marker), doubt);
            gap->uncertainty = fmax(gap->uncertainty, doubt);
            kept++;
        }
        gap->outcome = kept == gap->length ? SNW_GAP_FILLED
                       : kept > 0          ? SNW_GAP_PARTLY
                                           : SNW_GAP_UNSURE;
        job->filled->filled_count += kept == gap->length;
        return;
    }
    snw__gap_model_make(&model, &job->fill, number, gap);
    bool is_sure = is_filled_by(job, &model, job->options->method, gap);
    /* The body was solved with the marker where it is seen, so judged gaps flatter it; it is asked
     * where the neighbours do not tell enough. */
    if (!is_sure && job->options->method == SNW_FILL_AUTO && snw__gap_has(&model, SNW_FILL_BODY))
        is_sure = is_filled_by(job, &model, SNW_FILL_BODY, gap);
    if (is_sure) {
        snw__fill *fill = &job->fill;
        for (int n = 0; n < gap->length; n++) {
            size_t at = snw__fill_at(fill, gap->first + n, gap->marker);
            fill->position[at] = fill->answer[n];
            fill->span[at] =
                (uint16_t)(gap->length < SNW__SPAN_MISSING ? gap->length : SNW__SPAN_MISSING - 1);
            keep_sample(job, gap, n, fill->answer[n], (double)fill->doubt[n]);
        }
        job->filled->filled_count++;
    } else if (gap->outcome == SNW_GAP_FILLED)
        gap->outcome = SNW_GAP_UNSURE;
}

/* One sentence for each gap that stayed open; of a marker that is never seen, just that. */
static void note_gaps(const snw_filled *filled, snw_notes *notes)
{
    const snw_trial *trial = filled->trial;
    for (int g = 0; g < filled->gap_count; g++) {
        const snw_filled_gap *gap = filled->gap + g;
        const char *name = trial->marker[gap->marker].name;
        int first = gap->first + trial->first_frame;
        if (gap->outcome == SNW_GAP_UNSEEN)
            snw__note(notes, SNW_NOTE_GAP_NOT_FILLED,
                      ((snw__place){-1, -1, gap->first, gap->marker, name}),
                      "%.60s is never seen: left missing", name);
        else if (gap->outcome != SNW_GAP_FILLED)
            snw__note(notes, SNW_NOTE_GAP_NOT_FILLED,
                      ((snw__place){-1, -1, gap->first, gap->marker, name}),
                      "%.60s, frames %d-%d: %s%s", name, first, first + gap->length - 1,
                      gap->outcome == SNW_GAP_PARTLY ? "" : "left missing, ",
                      snw_fill_outcome_text(gap->outcome));
    }
    /* One sentence for all of them: a capture may have hundreds. */
    const snw_filled_gap *worst = NULL;
    int count = 0;
    for (int g = 0; g < filled->gap_count; g++) {
        const snw_filled_gap *gap = filled->gap + g;
        if (gap->outcome != SNW_GAP_FILLED || gap->distrusted == 0) continue;
        count++;
        if (!worst || gap->distrusted > worst->distrusted) worst = gap;
    }
    if (!worst) return;
    int first = worst->first + filled->trial->first_frame;
    snw__note(notes, SNW_NOTE_GAP_EDGES_LEFT_OUT, SNW__NOWHERE,
              "%d gap%s filled without samples beside %s, which do not fit; most at %.60s, "
              "frames %d-%d",
              count, snw__plural(count, " was", "s were"), snw__plural(count, "it", "them"),
              filled->trial->marker[worst->marker].name, first, first + worst->length - 1);
}

/* ---- public -------------------------------------------------------------------------------------
 */

void snw_filled_destroy(snw_filled *filled)
{
    if (!filled) return;
    snw_allocator allocator = filled->allocator;
    snw_trial_destroy(filled->trial);
    snw__release(&allocator, filled, filled->block_size);
}

static void lay_out_filled(void *object, snw__block *block)
{
    snw_filled *filled = object;
    snw__block_take(block, 1, sizeof *filled);
    filled->gap = snw__block_take(block, (size_t)filled->gap_count, sizeof *filled->gap);
}

static snw_status make_filled(const snw_trial *trial, const snw_allocator *allocator,
                              snw_filled **out, snw_error *error)
{
    snw_filled sketch = {.gap_count = list_gaps(trial, NULL),
                         .allocator = snw__allocator_or_default(allocator)};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_filled, &sketch, &sketch.allocator,
                                          "the gaps of a trial", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    snw_filled *filled = (void *)block.base;
    *filled = sketch;
    list_gaps(trial, filled->gap);
    status = snw_trial_copy(trial, allocator, &filled->trial, error);
    if (status == SNW_OK) status = snw_trial_need_uncertainty(filled->trial, error);
    if (status != SNW_OK) {
        snw_filled_destroy(filled);
        return status;
    }
    *out = filled;
    return SNW_OK;
}

static snw_status check_body(const snw_trial *trial, const snw_fill_options *options,
                             snw_error *error)
{
    bool needs_body = options->method == SNW_FILL_BODY || options->method == SNW_FILL_SMOOTH;
    if (!options->body && !needs_body) return SNW_OK;
    if (!options->body)
        return snw__fail(error, SNW_UNSUPPORTED, "filling by %s needs %s",
                         snw_fill_method_name(options->method),
                         options->method == SNW_FILL_BODY ? "a solved body" : "what was predicted");
    if (options->body->marker_count == trial->marker_count &&
        options->body->frame_count == trial->frame_count)
        return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT,
                     "the body has %d markers in %d frames, the trial %d in %d",
                     options->body->marker_count, options->body->frame_count, trial->marker_count,
                     trial->frame_count);
}

snw_status snw_trial_fill(const snw_trial *trial, const snw_fill_options *options,
                          const snw_allocator *allocator, snw_filled **out, snw_notes *notes,
                          snw_error *error)
{
    snw_fill_options defaults = snw_fill_options_default();
    *out = NULL;
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    const snw__bounds bounds[] = {
        {"method of the filling", options->method, 0, SNW_FILL_METHOD_COUNT - 1},
        {"gap_max", options->gap_max, 0, INT32_MAX},
        {"uncertainty_max", options->uncertainty_max, 0, INFINITY}};
    snw_status status = snw__check_bounds(bounds, 3, error);
    if (status == SNW_OK) status = check_body(trial, options, error);
    fill_job job;
    memset(&job, 0, sizeof job);
    if (status == SNW_OK) status = make_filled(trial, allocator, &job.filled, error);
    if (status != SNW_OK) return status;
    job.options = options;
    job.fill.trial = trial;
    job.fill.body = options->body;
    job.fill.marker_count = trial->marker_count;
    job.fill.frame_count = trial->frame_count;
    job.fill.rate = trial->rate > 0 ? trial->rate : 100;
    job.fill.margin = FILL_MARGIN;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out_fill, &job, &memory, "filling a trial", error);
    if (status != SNW_OK) {
        snw_filled_destroy(job.filled);
        return status;
    }
    if (job.filled->gap_count > 0) {
        snw_filled *filled = job.filled;
        for (int g = 0; g < filled->gap_count; g++) {
            job.place[g].gap = g;
            job.place[g].length = filled->gap[g].length;
        }
        qsort(job.place, (size_t)filled->gap_count, sizeof *job.place, compare_places);
        for (int frame = 0; frame < job.fill.frame_count; frame++) {
            job.fill.step[frame] = frame;
            for (int m = 0; m < job.fill.marker_count; m++) {
                size_t at = snw__fill_at(&job.fill, frame, m);
                bool is_there = snw_point_is_position(job.fill.trial->marker[m].kind) &&
                                snw_trial_is_present(job.fill.trial, frame, m);
                job.fill.span[at] = is_there ? 0 : SNW__SPAN_MISSING;
                if (is_there) job.fill.position[at] = snw_trial_position(job.fill.trial, frame, m);
            }
        }
        if (job.fill.cost) snw__fill_costs(&job.fill);
        if (needs_components(&job) && snw__low_rank_complete(&job.low_rank))
            job.fill.low_rank = &job.low_rank;
        for (int n = 0; n < filled->gap_count; n++)
            fill_gap(&job, n + 1, filled->gap + job.place[n].gap);
    }
    note_gaps(job.filled, notes);
    snw__block_release(&memory, &block);
    *out = job.filled;
    return snw__succeed(error);
}

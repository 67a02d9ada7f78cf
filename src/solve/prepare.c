/* The capture made ready, in the order that counts: zeros are no places, so they go before anything
 * looks at paths; pieces are joined before a person is sought in them and again when they have
 * names; labels are put right where they lie before anybody asks which marker slipped. */
#include <string.h>

#include <sinew/hidden.h>
#include <sinew/join.h>

#include "base/fail.h"
#include "base/notes.h"
#include "label/label_grammar.h"
#include "math/robust.h"
#include "person/movement.h"
#include "solve/solving.h"

/* Seconds. A spline follows a limb over that within what skin does: people move below 6 Hz (Winter
 * 2009, 3.4), and the filled samples state how sure they are. */
#define PREPARE_DROPOUT SNW__BRIEF
/* Share of the samples. Where so many drop out at random, a segment of three markers is whole in
 * 0.9^3 of the frames, less than three of four. */
#define PREPARE_DROPOUTS SNW__FEW

static bool has_zeros(const snw_trial *trial)
{
    size_t count = (size_t)trial->frame_count * (size_t)trial->marker_count;
    for (size_t n = 0; n < count; n++) {
        const snw_sample *at = trial->sample + n;
        if (at->x == 0 && at->y == 0 && at->z == 0 && trial->state[n] != SNW_SAMPLE_MISSING)
            return true;
    }
    return false;
}

/* The first marker whose label is blank, from `marker` on; -1: none. */
static int blank_from(const snw_trial *trial, int marker)
{
    for (int m = marker; m < trial->marker_count; m++)
        if (!trial->marker[m].name[0]) return m;
    return -1;
}

/* Blank labels are no names, nor one name: each such marker is numbered as programs do it. */
static snw_status number_blank(const snw__solving *s, snw_trial *trial)
{
    snw_status status = SNW_OK;
    for (int m = blank_from(trial, 0); m >= 0 && status == SNW_OK; m = blank_from(trial, m)) {
        char name[16];
        int number = m;
        do
            snw_format(name, sizeof name, "*%d", ++number);
        while (snw_trial_find_marker(trial, name) >= 0);
        status = snw_trial_set_marker_name(trial, m, name, s->error);
    }
    return status;
}

/* The solution's trial becomes the trial of whole markers. */
static snw_status join(snw__solving *s, const snw_trial *from)
{
    snw_joined *joined = NULL;
    snw_status status = snw_trial_join(from, NULL, s->memory, &joined, s->out->notes, s->error);
    if (status != SNW_OK) return status;
    snw_trial_destroy(s->out->trial);
    s->out->trial = joined->trial;
    s->out->join_count += joined->join_count;
    joined->trial = NULL;
    snw_joined_destroy(joined);
    return SNW_OK;
}

/* Samples that drop out at random leave no frame in which a segment is whole, and are not hidden
 * markers: the path on both sides tells them. */
static snw_status bridge_dropouts(snw__solving *s)
{
    snw_solution *out = s->out;
    int most = (int)(PREPARE_DROPOUT * out->trial->rate);
    double samples = (double)out->trial->frame_count * out->trial->marker_count;
    /* Samples that are missing in gaps of at most so many frames between samples that are seen. */
    int64_t missing = 0;
    for (int m = 0; m < out->trial->marker_count; m++) {
        int last = -1;
        for (int f = 0; f < out->trial->frame_count; f++) {
            if (!snw_trial_is_present(out->trial, f, m)) continue;
            int gap = f - last - 1;
            if (last >= 0 && gap <= most) missing += gap;
            last = f;
        }
    }
    if (most < 1 || (double)missing <= PREPARE_DROPOUTS * samples) return SNW_OK;
    snw_fill_options options = snw_fill_options_default();
    options.method = SNW_FILL_SPLINE;
    options.gap_max = most;
    snw_filled *filled = NULL;
    snw_status status = snw_trial_fill(out->trial, &options, s->memory, &filled, NULL, s->error);
    if (status != SNW_OK) return status;
    snw_trial_destroy(out->trial);
    out->trial = filled->trial;
    filled->trial = NULL;
    snw_filled_destroy(filled);
    snw__note(out->notes, SNW_NOTE_DROPOUTS_BRIDGED, SNW__NOWHERE,
              "%.0f %% of the samples drop out for at most %d frame%s here and there: they were "
              "bridged",
              100 * (double)missing / samples, most, snw__plural(most, "", "s"));
    return SNW_OK;
}

static int count_computed(const snw_recognised *recognised)
{
    int count = 0;
    for (int m = 0; m < recognised->marker_count; m++)
        count += strncmp(recognised->marker[m].name, "Computed", 8) == 0;
    return count;
}

/* Markers that nobody named get names; pieces that got one name become one marker. */
static snw_status recognise(snw__solving *s)
{
    snw_recognised *found = NULL;
    snw_solution *out = s->out;
    snw_status status = snw_trial_recognise(out->trial, s->memory, &found, out->notes, s->error);
    if (status == SNW_OK) status = snw_recognised_name(found, out->trial, s->error);
    if (status == SNW_OK)
        out->recognition = (snw_recognition){.is_person = found->is_person,
                                             .point_count = found->point_count,
                                             .named_count = found->named_count,
                                             .computed_count = count_computed(found),
                                             .stature = found->stature,
                                             .confidence = found->confidence,
                                             .plan = found->plan,
                                             .set = found->set};
    snw_recognised_destroy(found);
    bool joins = out->recognition.is_person && !s->options->skips_join;
    return status == SNW_OK && joins ? join(s, out->trial) : status;
}

/* The segments as the labels have them, whatever the motion says; NULL where they say nothing, or
 * where points are joints, each of which leaves its place by centimetres in every frame. */
static snw_status find_labelled(const snw__solving *s, snw_segments **out)
{
    snw_segment_options options = snw_segment_options_default();
    options.method = SNW_SEGMENTS_BY_NAMES;
    options.trusts_labels = true;
    options.labels = s->options->labels;
    snw_status status = snw_segments_find(s->out->trial, &options, s->memory, out, NULL, s->error);
    if (*out && (*out)->label && snw__labels_are_joints((*out)->label, (*out)->marker_count)) {
        snw_segments_destroy(*out);
        *out = NULL;
    }
    return status == SNW_OUT_OF_MEMORY ? status : SNW_OK;
}

/* Markers that exchange their labels, by their paths and by the segments. */
static snw_status undo_swaps(snw__solving *s)
{
    snw_segments *segments = NULL;
    snw_solution *out = s->out;
    bool with_open = !s->options->keeps_open_swaps;
    snw_status status =
        snw_trial_undo_jumps(out->trial, with_open, s->memory, NULL, out->notes, s->error);
    if (status == SNW_OK) status = find_labelled(s, &segments);
    if (status == SNW_OK && segments)
        status = snw_trial_undo_swaps(out->trial, segments, s->memory, NULL, out->notes, s->error);
    snw_segments_destroy(segments);
    return status;
}

/* The judgement, which is the one place that tells, has a finding for each: no notes. */
static snw_status undo_slips(snw__solving *s)
{
    snw_segments *segments = NULL;
    snw_status status = find_labelled(s, &segments);
    if (status == SNW_OK && segments)
        status = snw_trial_undo_slips(s->out->trial, segments, s->memory, &s->out->slips, NULL,
                                      s->error);
    snw_segments_destroy(segments);
    return status;
}

snw_status snw__solve_prepare(snw__solving *s, const snw_trial *given)
{
    const snw_solve_options *options = s->options;
    snw_status status = snw__solve_watch(s, "joining trajectories", 0.02);
    if (status == SNW_OK) {
        /* A large capture is copied only where there is something to drop or to name, or nothing to
         * join.
         */
        snw_solution *out = s->out;
        bool is_joining = !s->options->skips_join && !s->options->prepared;
        bool drops = !s->options->keeps_zeros && !s->options->prepared && has_zeros(given);
        bool is_changed = drops || !is_joining || blank_from(given, 0) >= 0;
        status = SNW_OK;
        if (is_changed) status = snw_trial_copy(given, s->memory, &out->trial, s->error);
        if (status == SNW_OK && is_changed) status = number_blank(s, out->trial);
        if (status == SNW_OK) {
            if (drops) snw_trial_drop_zeros(out->trial, out->notes);
            status = is_joining ? join(s, out->trial ? out->trial : given) : SNW_OK;
        }
    }
    if (status == SNW_OK && !options->prepared && !options->is_live) status = bridge_dropouts(s);
    if (status == SNW_OK && !options->skips_recognition && !options->prepared) {
        status = snw__solve_watch(s, "recognising the person", 0.1);
        if (status == SNW_OK) status = recognise(s);
    }
    /* A body that is given does not need the labels to be of their segments. */
    if (status != SNW_OK || options->actor) return status;
    status = snw__solve_watch(s, "checking labels", 0.2);
    if (status == SNW_OK && !options->keeps_swaps) status = undo_swaps(s);
    /* Live nobody knows what comes after. */
    if (status == SNW_OK && !options->keeps_slips && !options->is_live) status = undo_slips(s);
    return status;
}

/* From trajectories to markers: the door, the result and what is said about it. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "join/join.h"
#include "join/join_constants.h"
#include "label/label_grammar.h"

snw_join_options snw_join_options_default(void)
{
    snw_join_options options = {.ghost_seconds = 0.1};
    return options;
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lay_out_labels(void *object, snw__block *block)
{
    snw__join_work *work = object;
    work->is_automatic = snw__block_take(block, (size_t)work->trial->marker_count, sizeof(bool));
}

static void lay_out_pieces(void *object, snw__block *block)
{
    snw__join_work *work = object;
    size_t pieces = (size_t)work->piece_count, live = (size_t)work->live_max;
    work->piece = snw__block_take(block, pieces, sizeof(snw__piece));
    work->chain = snw__block_take(block, pieces, sizeof(snw__chain));
    work->live = snw__block_take(block, pieces, sizeof(int));
    work->point = snw__block_take(block, work->point_count, sizeof(snw__place3));
    work->rank = snw__block_take(block, pieces, sizeof(int));
    work->about = snw__block_take(block, live + 2, sizeof(snw__about));
    work->choice =
        snw__block_take(block, snw__size_mul(live, SNW__CANDIDATES), sizeof(snw__join_choice));
    work->is_busy = snw__block_take(block, pieces, sizeof(bool));
    work->marker_of = snw__block_take(block, pieces, sizeof(int));
    work->column = snw__block_take(block, pieces + (size_t)work->trial->marker_count, sizeof(int));
}

static void lay_out_result(void *object, snw__block *block)
{
    snw_joined *joined = object;
    snw__block_take(block, 1, sizeof *joined);
    joined->piece = snw__block_take(block, (size_t)joined->piece_count, sizeof(snw_join_piece));
}

void snw_joined_destroy(snw_joined *joined)
{
    if (!joined) return;
    snw_allocator allocator = joined->allocator;
    snw_trial_destroy(joined->trial);
    snw__release(&allocator, joined, joined->block_size);
}

/* ---- the result ------------------------------------------------------------------------------ */

/* The trajectory from which a chain takes its name and its column. */
static int column_of(const snw__join_work *work, int chain)
{
    const snw__chain *at = work->chain + chain;
    if (at->label >= 0) return at->label;
    int first = work->piece[at->head].marker;
    for (int p = at->head; p >= 0; p = work->piece[p].next)
        if (work->piece[p].marker < first) first = work->piece[p].marker;
    return first;
}

/* A point that nobody named, and that flickers or was seen for less than this. */
static bool chain_is_ghost(const snw__join_work *work, int chain, double seconds)
{
    const snw__chain *at = work->chain + chain;
    if (at->label >= 0 || seconds <= 0) return false;
    double rate = work->trial->rate > 0 ? work->trial->rate : 100;
    int frames = 0;
    for (int p = at->head; p >= 0; p = work->piece[p].next)
        frames += work->piece[p].last - work->piece[p].first + 1;
    /* A point that flickers is seen in few of the frames between its gaps. */
    return at->seen_count < seconds * rate || at->seen_count < SNW__MINOR * frames;
}

/* A short piece with the name of a longer chain, which stands elsewhere. */
static bool chain_is_misnamed(const snw__join_work *work, int chain)
{
    const snw__chain *at = work->chain + chain;
    if (at->label < 0) return false;
    for (int t = 0; t < work->piece_count; t++) {
        const snw__chain *other = work->chain + t;
        if (t == chain || other->head < 0 || other->label < 0) continue;
        /* A piece that bears a marker's name but stands elsewhere and is so much shorter was named
         * by mistake; else it is not for us to say which one is right. */
        if (at->seen_count > SNW__FEW * other->seen_count) continue;
        if (strcmp(work->trial->marker[other->label].name, work->trial->marker[at->label].name) ==
            0)
            return snw__chains_may_join(work, chain, t);
    }
    return false;
}

/* Markers in the order of the trajectories that name them. Names that are never seen stay. */
static int list_markers(snw__join_work *work, double ghost_seconds)
{
    /* Which chain holds each piece, in the place of the list of live ones, which is done with. */
    for (int t = 0; t < work->piece_count; t++)
        for (int p = work->chain[t].head; p >= 0; p = work->piece[p].next)
            work->live[p] = t;
    const int *owner = work->live;
    int count = 0, p = 0;
    for (int t = 0; t < work->piece_count; t++)
        work->marker_of[t] = -1;
    for (int m = 0; m < work->trial->marker_count; m++) {
        bool is_seen = p < work->piece_count && work->piece[p].marker == m;
        for (; p < work->piece_count && work->piece[p].marker == m; p++) {
            int t = owner[p];
            if (work->marker_of[t] >= 0 || column_of(work, t) != m) continue;
            if (chain_is_ghost(work, t, ghost_seconds) || chain_is_misnamed(work, t)) continue;
            work->column[count] = m;
            work->marker_of[t] = count++;
        }
        bool is_kept =
            !work->is_automatic[m] || !snw_point_is_position(work->trial->marker[m].kind);
        if (!is_seen && is_kept) work->column[count++] = m;
    }
    return count;
}

/* Does the marker hold its trajectory as it was? Pieces are listed by trajectory. */
static bool is_untouched(const snw__join_work *work, int chain)
{
    int p = work->chain[chain].head, marker = work->piece[p].marker;
    if (p > 0 && work->piece[p - 1].marker == marker) return false;
    for (; work->piece[p].next >= 0; p++)
        if (work->piece[p].next != p + 1 || work->piece[p + 1].marker != marker) return false;
    return p + 1 == work->piece_count || work->piece[p + 1].marker != marker;
}

/* Parts of a trajectory that was cut: "*12", "*12b", "*12c", ... */
static snw_status name_marker(const snw__join_work *work, snw_trial *trial, int marker,
                              snw_error *error)
{
    int part = 0;
    while (part < marker && work->column[marker - part - 1] == work->column[marker])
        part++;
    if (part == 0) return SNW_OK;
    const char *whole = work->trial->marker[work->column[marker]].name;
    char name[SNW_LABEL_SIZE];
    if (part < 26)
        snw_format(name, sizeof name, "%.*s%c", SNW_LABEL_SIZE - 8, whole, 'a' + part);
    else
        snw_format(name, sizeof name, "%.*s-%d", SNW_LABEL_SIZE - 16, whole, part + 1);
    return snw_trial_set_marker_name(trial, marker, name, error);
}

static snw_status fill_trial(const snw__join_work *work, snw_trial *trial, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++)
        status = name_marker(work, trial, m, error);
    for (int t = 0; t < work->piece_count; t++) {
        int marker = work->marker_of[t];
        if (marker < 0 || is_untouched(work, t)) continue;
        for (int f = 0; f < trial->frame_count; f++)
            snw_trial_set(trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        for (int p = work->chain[t].head; p >= 0; p = work->piece[p].next) {
            const snw__piece *piece = work->piece + p;
            for (int f = piece->first; f <= piece->last; f++) {
                size_t source =
                    (size_t)f * (size_t)work->trial->marker_count + (size_t)piece->marker;
                size_t target = (size_t)f * (size_t)trial->marker_count + (size_t)marker;
                if (trial->state[target] != SNW_SAMPLE_MISSING)
                    continue; /* the earlier piece is trusted */
                trial->sample[target] = work->trial->sample[source];
                trial->state[target] = work->trial->state[source];
                if (work->trial->uncertainty)
                    trial->uncertainty[target] = work->trial->uncertainty[source];
            }
        }
    }
    return status;
}

static snw_status create_result(snw__join_work *work, double ghost_seconds,
                                const snw_allocator *allocator, snw_joined **out, snw_error *error)
{
    snw_joined sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.piece_count = work->piece_count;
    sketch.undone_count = work->undone_count;
    sketch.allocator = *allocator;
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_result, &sketch, allocator, "joined trajectories", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    snw_joined *joined = (void *)block.base;
    *joined = sketch;
    int count = list_markers(work, ghost_seconds);
    for (int t = 0; t < work->piece_count; t++) {
        const snw__chain *chain = work->chain + t;
        bool is_left_out = chain->head >= 0 && work->marker_of[t] < 0;
        joined->ghost_count += is_left_out && chain->label < 0;
        joined->misnamed_count += is_left_out && chain->label >= 0;
        for (int p = chain->head; p >= 0; p = work->piece[p].next) {
            const snw__piece *piece = work->piece + p;
            joined->piece[p] =
                (snw_join_piece){piece->marker, piece->first, piece->last, work->marker_of[t]};
            int next = piece->next;
            joined->join_count += next >= 0 && work->piece[next].marker != piece->marker;
        }
    }
    status = snw_trial_pick(work->trial, work->column, count, allocator, &joined->trial, error);
    if (status == SNW_OK) status = fill_trial(work, joined->trial, error);
    if (status != SNW_OK) {
        snw_joined_destroy(joined);
        return status;
    }
    *out = joined;
    return SNW_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Without unnamed trajectories and doubled names there is nothing to find out. */
static bool has_doubt(const snw__join_work *work)
{
    const snw_trial *trial = work->trial;
    for (int m = 0; m < trial->marker_count; m++)
        if (work->is_automatic[m] || snw_trial_find_marker(trial, trial->marker[m].name) != m)
            return true;
    return false;
}

static snw_status join_pieces(snw__join_work *work, const snw_join_options *options,
                              const snw_allocator *allocator, snw_joined **out, snw_error *error)
{
    snw__join_cut(work); /* counts */
    work->live_max = snw__join_live_max(work->piece_count, work->trial->marker_count);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_pieces, work, allocator, "trajectories to join", error);
    if (status != SNW_OK) return status;
    snw__join_cut(work);
    if (has_doubt(work)) {
        snw__join_learn_gaps(work);
        snw__join_own(work);
        snw__join_match(work);
        snw__join_verify(work);
    }
    status = create_result(work, options->ghost_seconds, allocator, out, error);
    snw__block_release(allocator, &block);
    return status;
}

snw_status snw_trial_join(const snw_trial *trial, const snw_join_options *options,
                          const snw_allocator *allocator, snw_joined **out, snw_notes *notes,
                          snw_error *error)
{
    *out = NULL;
    snw_join_options chosen = SNW__WANTS_DEFAULTS(options) ? snw_join_options_default() : *options;
    const snw__bounds bounds = {"ghost_seconds", chosen.ghost_seconds, -1, 1e9};
    snw_status allowed = snw__check_bounds(&bounds, 1, error);
    if (allowed != SNW_OK) return allowed;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__join_work work;
    memset(&work, 0, sizeof work);
    work.trial = trial;
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_labels, &work, &memory,
                                          "the names of trajectories", error);
    if (status != SNW_OK) return status;
    for (int m = 0; m < trial->marker_count; m++)
        work.is_automatic[m] = snw_label_is_automatic(trial->marker[m].name);
    status = join_pieces(&work, &chosen, &memory, out, error);
    snw__block_release(&memory, &block);
    if (status != SNW_OK) return status;
    const snw_joined *joined = *out;
    if (joined->join_count)
        snw__note(
            notes, SNW_NOTE_TRAJECTORIES_JOINED, SNW__NOWHERE,
            "%d of %d trajectories carry on another one (never seen together, the same place on "
            "their segment) and were joined with it: %d markers",
            joined->join_count, trial->marker_count, joined->trial->marker_count);
    if (joined->ghost_count)
        snw__note(notes, SNW_NOTE_POINTS_LEFT_OUT, SNW__NOWHERE,
                  "%d point%s that nobody named %s or %s seen for less than %g s and left out",
                  joined->ghost_count, joined->ghost_count == 1 ? "" : "s",
                  joined->ghost_count == 1 ? "flickers" : "flicker",
                  joined->ghost_count == 1 ? "was" : "were", chosen.ghost_seconds);
    if (joined->misnamed_count) {
        /* The first piece that bears a wrong name. */
        const snw_join_piece *piece = joined->piece;
        while (piece->marker >= 0 || snw_label_is_automatic(trial->marker[piece->trajectory].name))
            piece++;
        snw__note(notes, SNW_NOTE_PIECE_MISNAMED,
                  ((snw__place){-1, -1, piece->first, piece->trajectory,
                                trial->marker[piece->trajectory].name}),
                  "%d piece%s left out: named like a marker that stands elsewhere (%s in frames "
                  "%d-%d)",
                  joined->misnamed_count, joined->misnamed_count == 1 ? " is" : "s are",
                  trial->marker[piece->trajectory].name, piece->first + trial->first_frame,
                  piece->last + trial->first_frame);
    }
    return snw__succeed(error);
}

/* ---- what is left out ------------------------------------------------------------------ */

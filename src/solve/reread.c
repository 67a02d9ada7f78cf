/* Readings of one capture: by its labels; by those that are understood, the other markers by where
 * they sit; by where all of them sit.
 *
 * Labels of no known set can be worse than none: half of them are not understood, and what is left
 * is no body. Labels that were given to the wrong markers are. Where either may be so, a person is
 * sought in the markers as if nobody had named them, and the capture as it came is solved again
 * with what each was recognised as. One score compares the readings (cost_of), the best is kept and
 * told. The markers keep the names that they have. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "judge/judging.h"
#include "label/label_grammar.h"
#include "person/movement.h"
#include "solve/solving.h"

enum {
    REREAD_MARKERS = 3, /* tell how a segment lies: so many that are not understood may hide one */
    REREAD_JOINTS = 13  /* shoulders, elbows, wrists, hips, knees, ankles, head */
};

static int count_great_joints(const snw_solution *solution)
{
    int count = 0;
    for (int b = 0; b < solution->body_count; b++) {
        const snw_skeleton *body = solution->body[b].actor->skeleton;
        for (int j = 1; j < body->joint_count; j++) {
            snw_side side;
            snw_part part = snw_part_read(snw__bare_label(body->name[j]), &side);
            count += part == SNW_PART_HEAD || part == SNW_PART_ARM || part == SNW_PART_FOREARM ||
                     part == SNW_PART_HAND || part == SNW_PART_UPLEG || part == SNW_PART_LEG ||
                     part == SNW_PART_FOOT;
        }
    }
    return count;
}

/* Labels that are not understood by themselves may name a part together, "LeftLeg:1": then no
 * marker of the segment is understood. Beside one that is, it is the motion that put them there. */
static bool is_on_part(const snw_segments *segments, const snw_labels *labels, int marker)
{
    int segment = segments->segment_of[marker];
    snw_side side;
    for (int m = 0; m < labels->marker_count; m++)
        if (segments->segment_of[m] == segment && labels->marker[m].kind != SNW_LABEL_UNKNOWN)
            return false;
    return segment >= 0 &&
           snw_part_read(snw__bare_label(segments->segment[segment].name), &side) != SNW_PART_NONE;
}

/* Was anything of the reading asked for, or known before? */
static bool is_settled(const snw__solving *s)
{
    const snw_solve_options *options = s->options;
    return options->stops_after != SNW_SOLVE_ALL || options->skips_recognition ||
           options->prepared || options->labels || options->segments || options->tree ||
           options->actor || options->marker_set.bytes || options->root || options->part ||
           options->segment_method != SNW_SEGMENTS_BY_AUTO || s->out->recognition.point_count > 0 ||
           s->out->body_count > 1; /* one person is looked for */
}

/* ---- the score ----------------------------------------------------------------------------- */

/* A joint without a name and a marker that nothing is known of are off by a deviation each, a red
 * body by the four that make a bone amber. */
static double cost_of(const snw_solution *solution, int unknown)
{
    int missing = REREAD_JOINTS - count_great_joints(solution);
    /* In squares of deviations: what markers are off by against what skin does, and bones against
     * those of people. */
    double worst = 0;
    for (int b = 0; b < solution->body_count; b++) {
        const snw_solved_body *body = solution->body + b;
        double off = body->report.residual / SNW__SKIN;
        worst = fmax(worst, off * off + snw__plausibility_misfit(body->actor));
    }
    return worst + unknown + (missing > 0 ? missing : 0) +
           (solution->verdict == SNW_VERDICT_RED ? 16 : 0);
}

/* ---- the readings -------------------------------------------------------------------------- */

typedef enum reading_kind {
    READING_BY_LABELS,
    READING_IN_PART, /* labels that are understood, and places of the others */
    READING_BY_PLACE
} reading_kind;

typedef struct reading {
    reading_kind kind;
    snw_solution *solution;
    int unknown;      /* markers that nothing is known of */
    int contradicted; /* labels of another part or side than the marker was recognised on */
} reading;

/* The share that is done does not go back. */
static int watch(void *context, const char *step, double share)
{
    const snw_solve_options *options = context;
    return options->progress(options->progress_context, step, 0.9 + 0.1 * share);
}

static snw_status solve_reading(const snw__solving *s, const snw_solution *raw,
                                const snw_recognised *found, reading *other)
{
    snw_labels *labels = NULL;
    snw_solution prepared = {.notes = raw->notes,
                             .join_count = raw->join_count,
                             .recognition = {.is_person = true,
                                             .point_count = found->point_count,
                                             .named_count = found->named_count,
                                             .stature = found->stature,
                                             .confidence = found->confidence,
                                             .plan = found->plan,
                                             .set = found->set}};
    snw_solve_options options = *s->options;
    snw_status status = snw_labels_read(raw->trial, s->memory, &labels, s->error);
    if (status != SNW_OK) return status;
    /* What the recognised names say; a marker that was not recognised is as one that nobody named.
     */
    for (int m = 0; m < labels->marker_count; m++) {
        const char *name = found->marker[m].name;
        snw_label *label = labels->marker + m;
        bool is_known = label->kind != SNW_LABEL_UNKNOWN;
        if ((is_known && other->kind == READING_IN_PART) || !snw_trial_is_marker(raw->trial, m))
            continue;
        snw_label seen = snw_label_read(name[0] ? name : "*1");
        other->unknown += !name[0];
        other->contradicted +=
            is_known && name[0] && (label->part != seen.part || label->side != seen.side);
        *label = seen;
    }
    options.prepared = &prepared;
    options.labels = labels;
    options.progress = s->options->progress ? watch : NULL;
    options.progress_context = (void *)s->options;
    status = snw_solve(raw->trial, &options, s->memory, &other->solution, s->error);
    snw_labels_destroy(labels);
    return status;
}

/* A red body, or hardly one. */
static bool is_poor(const snw_solution *solution)
{
    return solution->verdict == SNW_VERDICT_RED || 2 * count_great_joints(solution) < REREAD_JOINTS;
}

/* Solves the other readings and keeps the best of all in `best`. */
static snw_status try_readings(const snw__solving *s, const snw_solution *raw,
                               const snw_recognised *found, reading *best)
{
    const reading by_labels = *best;
    snw_status status = SNW_OK;
    for (int kind = by_labels.unknown ? READING_IN_PART : READING_BY_PLACE;
         kind <= READING_BY_PLACE && status == SNW_OK; kind++) {
        reading other = {.kind = (reading_kind)kind};
        status = solve_reading(s, raw, found, &other);
        /* A reading must name no fewer joints and be no graver, and is better by a deviation: the
         * one before it needs less of a reason. Labels that are understood are passed over only
         * where they make no body. */
        bool is_kept =
            status == SNW_OK &&
            (other.solution->verdict <= best->solution->verdict &&
             count_great_joints(other.solution) >= count_great_joints(best->solution) &&
             (other.contradicted < REREAD_MARKERS || is_poor(best->solution)) &&
             cost_of(other.solution, other.unknown) + 1 < cost_of(best->solution, best->unknown));
        snw_solution *lost = is_kept ? best->solution : other.solution;
        if (is_kept) *best = other;
        if (lost != by_labels.solution) snw_solution_destroy(lost);
        /* What cannot be solved in the other way is solved in this. */
        if (status != SNW_OUT_OF_MEMORY && status != SNW_CANCELLED) status = SNW_OK;
    }
    if (best->kind == READING_BY_LABELS) return status;
    char why[64] = "the labels make no body";
    if (by_labels.unknown)
        snw_format(why, sizeof why, "%d labels are not understood", by_labels.unknown);
    snw__note(
        best->solution->notes, SNW_NOTE_LABELS_IGNORED, SNW__NOWHERE,
        "%s: %s by where they sit instead, which names %d of the great joints (%d by the "
        "labels) and is %s (%s by the labels)",
        why, best->kind == READING_IN_PART ? "these markers were read" : "all markers were read",
        count_great_joints(best->solution), count_great_joints(by_labels.solution),
        snw_verdict_name(best->solution->verdict), snw_verdict_name(by_labels.solution->verdict));
    /* Labels that were passed over are never green: whoever gave them meant something. */
    snw_solution *solution = best->solution;
    if (best->contradicted >= REREAD_MARKERS) {
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_UNSURE_PERSON, SNW_VERDICT_AMBER, best->contradicted);
        snw_format(
            item.sentence, sizeof item.sentence,
            "%d labels contradict where their markers sit and were passed over: left and right, "
            "a mirrored capture or shifted labels; name the markers anew",
            best->contradicted);
        snw_judgements_add(solution->body->judgements, &item);
        if (solution->verdict < SNW_VERDICT_AMBER) solution->verdict = SNW_VERDICT_AMBER;
    }
    snw_solution_destroy(by_labels.solution);
    return status;
}

static snw_status reread(snw__solving *s, int unknown)
{
    snw_solution *raw = NULL;
    snw_recognised *found = NULL;
    reading best = {READING_BY_LABELS, s->out, unknown, 0};
    /* The capture without what its labels made of it. */
    snw_solve_options options = *s->options;
    options.keeps_swaps = options.keeps_slips = options.skips_recognition = true;
    options.stops_after = SNW_SOLVE_PREPARED;
    options.progress = NULL;
    snw_status status = snw_solve(s->given, &options, s->memory, &raw, s->error);
    if (status == SNW_OK)
        status = snw_trial_recognise_anew(raw->trial, s->memory, &found, NULL, s->error);
    if (status == SNW_OK && found->is_person) status = try_readings(s, raw, found, &best);
    s->out = best.solution;
    snw_recognised_destroy(found);
    snw_solution_destroy(raw);
    return status == SNW_OUT_OF_MEMORY || status == SNW_CANCELLED ? status : SNW_OK;
}

/* Labels that are not understood, or that make no person: other readings are worth their time. */
snw_status snw__solve_reread(snw__solving *s)
{
    snw_labels *labels = NULL;
    if (is_settled(s)) return SNW_OK;
    snw_status status = snw_labels_read(s->out->trial, s->memory, &labels, s->error);
    if (status != SNW_OK) return status;
    /* Labels that are not understood; 0 where there are fewer markers than joints to be told by
     * them.
     */
    int count = 0, markers = 0;
    for (int m = 0; m < labels->marker_count; m++) {
        if (!snw_trial_is_marker(s->out->trial, m)) continue;
        markers++;
        count +=
            labels->marker[m].kind == SNW_LABEL_UNKNOWN && !is_on_part(s->out->segments, labels, m);
    }
    int unknown = markers < REREAD_JOINTS ? 0 : count;
    snw_labels_destroy(labels);
    if (unknown < REREAD_MARKERS) unknown = 0;
    return is_poor(s->out) || unknown ? reread(s, unknown) : SNW_OK;
}

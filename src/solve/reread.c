/* Readings of one capture: by its labels; by these with left and right exchanged; by those that are
 * understood, the other markers by where they sit; by where all of them sit.
 *
 * Labels of no known set can be worse than none: half of them are not understood, and what is left
 * is no body. Labels that were given to the wrong markers are, and so is a whole set of the other
 * side's. Where one of these may be so, a person is sought in the markers as if nobody had named
 * them, and a few seconds of the capture as it came are solved in each way. One score compares the
 * readings (cost_of); the best is solved whole, kept where it is still better, and told. The
 * markers keep the names that they have. */
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
    REREAD_LIMB = 3,    /* joints */
    REREAD_MARKERS = 3, /* tell how a segment lies: so many that are not understood may hide one */
    REREAD_JOINTS = 13, /* shoulders, elbows, wrists, hips, knees, ankles, head */
    REREAD_SECONDS = 5  /* show a step, a stroke, a reach: what tells one reading from another */
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

/* Was anything of the reading asked for, or a person recognised? A capture that was prepared before
 * is read anew as any other. */
static bool is_settled(const snw__solving *s)
{
    const snw_solve_options *options = s->options;
    return options->stops_after != SNW_SOLVE_ALL || options->skips_recognition || options->labels ||
           options->segments || options->tree || options->actor || options->marker_set.bytes ||
           options->root || options->part || options->segment_method != SNW_SEGMENTS_BY_AUTO ||
           s->out->recognition.point_count > 0 ||
           s->out->body_count > 1; /* one person is looked for */
}

/* ---- the score ----------------------------------------------------------------------------- */

/* In squares of deviations, four of which make a bone amber. */
#define REREAD_GRAVE 16

/* A joint without a name and a marker that nothing is known of are off by a deviation each, a red
 * body and one without any name by the four that make a bone amber. */
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
           (solution->verdict == SNW_VERDICT_RED || missing == REREAD_JOINTS ? REREAD_GRAVE : 0);
}

/* ---- the readings -------------------------------------------------------------------------- */

typedef enum reading_kind {
    READING_BY_LABELS,
    READING_EXCHANGED, /* every label is of the other side */
    READING_IN_PART,   /* labels that are understood, and places of the others */
    READING_BY_PLACE,
    READING_COUNT
} reading_kind;

typedef struct reading {
    reading_kind kind;
    snw_solution *solution;
    int unknown;      /* markers that nothing is known of */
    int contradicted; /* labels of another part or side than the marker was recognised on */
} reading;

typedef struct rereading {
    const snw__solving *s;
    const snw_solution *raw;     /* the capture without what its labels made of it */
    const snw_recognised *found; /* where its markers sit; may be no person */
    bool is_mirrored;            /* pelvis, chest and feet have left on the other side */
    reading by_labels;
} rereading;

/* The share that is done does not go back. */
static int watch(void *context, const char *step, double share)
{
    const snw_solve_options *options = context;
    return options->progress(options->progress_context, step, 0.9 + 0.1 * share);
}

/* What the reading makes of one label. */
static void read_label(const rereading *r, reading *other, int marker, snw_label *label)
{
    bool is_known = label->kind != SNW_LABEL_UNKNOWN;
    if (other->kind == READING_EXCHANGED) {
        other->unknown += !is_known;
        if (!is_known || label->side == SNW_SIDE_NONE) return;
        label->side = label->side == SNW_SIDE_LEFT ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
        other->contradicted++;
        return;
    }
    if (is_known && other->kind == READING_IN_PART) return;
    /* What the recognised names say; a marker that was not recognised is as one that nobody named.
     */
    const char *name = r->found->marker[marker].name;
    snw_label seen = snw_label_read(name[0] ? name : "*1");
    other->unknown += !name[0];
    other->contradicted +=
        is_known && name[0] && (label->part != seen.part || label->side != seen.side);
    *label = seen;
}

/* Solves `trial`, a part of the raw one or all of it. */
static snw_status solve_reading(const rereading *r, const snw_trial *trial, reading *other)
{
    const snw__solving *s = r->s;
    const snw_recognised *found = r->found;
    snw_labels *labels = NULL;
    snw_solution prepared = {.notes = r->raw->notes, .join_count = r->raw->join_count};
    if (other->kind == READING_EXCHANGED)
        prepared.recognition.plan = prepared.recognition.set = "";
    else
        prepared.recognition = (snw_recognition){.is_person = true,
                                                 .point_count = found->point_count,
                                                 .named_count = found->named_count,
                                                 .stature = found->stature,
                                                 .confidence = found->confidence,
                                                 .plan = found->plan,
                                                 .set = found->set};
    snw_solve_options options = *s->options;
    snw_status status = snw_labels_read(trial, s->memory, &labels, s->error);
    if (status != SNW_OK) return status;
    other->unknown = other->contradicted = 0;
    for (int m = 0; m < labels->marker_count; m++)
        if (snw_trial_is_marker(trial, m)) read_label(r, other, m, labels->marker + m);
    options.prepared = &prepared;
    options.labels = labels;
    options.progress = s->options->progress ? watch : NULL;
    options.progress_context = (void *)s->options;
    status = snw_solve(trial, &options, s->memory, &other->solution, s->error);
    snw_labels_destroy(labels);
    return status;
}

/* A red body, or hardly one. */
static bool is_poor(const snw_solution *solution)
{
    return solution->verdict == SNW_VERDICT_RED || 2 * count_great_joints(solution) < REREAD_JOINTS;
}

/* Better by a deviation: the reading before it needs less of a reason. One that is graver must name
 * the joints of a limb more; one that names fewer must be of a body where the other is none. */
static bool is_better(const rereading *r, const reading *other, const reading *best)
{
    double cost = cost_of(best->solution, best->unknown);
    double gain = cost - cost_of(other->solution, other->unknown);
    int more = count_great_joints(other->solution) - count_great_joints(best->solution);
    bool is_graver = other->solution->verdict > best->solution->verdict;
    bool is_cured =
        best->solution->verdict == SNW_VERDICT_RED && other->solution->verdict < SNW_VERDICT_RED;
    if (other->kind == READING_EXCHANGED) return r->is_mirrored && gain > 0 && !is_graver;
    if (more < 0 ? !is_cured : is_graver && more < REREAD_LIMB) return false;
    /* Labels that are understood are passed over only where they make no body. */
    bool is_doubted = is_poor(best->solution) || gain > REREAD_GRAVE;
    return gain > 1 && (other->contradicted < REREAD_MARKERS || is_doubted);
}

/* The better of the two; the other is let go. */
static void keep_better(const rereading *r, reading *best, const reading *other)
{
    snw_solution *lost = other->solution;
    if (other->solution && is_better(r, other, best)) {
        lost = best->solution;
        *best = *other;
    }
    if (lost != r->by_labels.solution) snw_solution_destroy(lost);
}

/* The few seconds that show most of the markers. */
static snw_trial choose_window(const snw_trial *trial)
{
    int64_t most = -1;
    int length = (int)fmin(ceil(REREAD_SECONDS * trial->rate), trial->frame_count), from = 0;
    if (!(trial->rate > 0)) return *trial;
    for (int start = 0; start + length <= trial->frame_count; start += 1 + length / 4) {
        int64_t seen = 0;
        for (int f = start; f < start + length; f++)
            for (int m = 0; m < trial->marker_count; m++)
                seen += snw_trial_is_present(trial, f, m);
        if (seen <= most) continue;
        most = seen;
        from = start;
    }
    return snw_trial_window(trial, from, length);
}

static bool is_tried(const rereading *r, int kind)
{
    if (kind == READING_EXCHANGED) return r->is_mirrored;
    return r->found->is_person && (kind == READING_BY_PLACE || r->by_labels.unknown > 0);
}

/* Solves the other readings and leaves the best of all in `best`. */
static snw_status try_readings(const rereading *r, reading *best)
{
    snw_trial window = choose_window(r->raw->trial);
    snw_status status = SNW_OK;
    *best = r->by_labels;
    for (int kind = READING_EXCHANGED; kind < READING_COUNT; kind++) {
        reading other = {.kind = (reading_kind)kind};
        if (!is_tried(r, kind)) continue;
        status = solve_reading(r, &window, &other);
        keep_better(r, best, &other);
        /* What cannot be solved in the other way is solved in this. */
        if (status == SNW_OUT_OF_MEMORY || status == SNW_CANCELLED) return status;
    }
    if (best->kind == READING_BY_LABELS || window.frame_count == r->raw->trial->frame_count)
        return SNW_OK;
    reading whole = {.kind = best->kind};
    snw_solution_destroy(best->solution);
    *best = r->by_labels;
    status = solve_reading(r, r->raw->trial, &whole);
    keep_better(r, best, &whole);
    return status == SNW_OUT_OF_MEMORY || status == SNW_CANCELLED ? status : SNW_OK;
}

/* ---- what is told -------------------------------------------------------------------------- */

static void warn(snw_solution *solution, const snw_judgement *item)
{
    snw_judgements_add(solution->body->judgements, item);
    if (solution->verdict >= item->verdict) return;
    solution->verdict = item->verdict;
    solution->gravest = 0;
}

static void tell(const rereading *r, const reading *best)
{
    const reading *by_labels = &r->by_labels;
    char why[64] = "the labels make no body";
    if (by_labels->unknown)
        snw_format(why, sizeof why, "%d labels are not understood", by_labels->unknown);
    if (best->kind == READING_EXCHANGED)
        snw__note(best->solution->notes, SNW_NOTE_SIDES_EXCHANGED, SNW__NOWHERE,
                  "left and right are exchanged in all labels, or the capture is mirrored: each "
                  "label was read as the other side's");
    else
        snw__note(best->solution->notes, SNW_NOTE_LABELS_IGNORED, SNW__NOWHERE,
                  "%s: %s by where they sit instead, which names %d of the great joints (%d by the "
                  "labels) and is %s (%s by the labels)",
                  why,
                  best->kind == READING_IN_PART ? "these markers were read"
                                                : "all markers were read",
                  count_great_joints(best->solution), count_great_joints(by_labels->solution),
                  snw_verdict_name(best->solution->verdict),
                  snw_verdict_name(by_labels->solution->verdict));
    /* Labels that were passed over are never green: whoever gave them meant something. */
    if (best->contradicted < REREAD_MARKERS) return;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_UNSURE_PERSON, SNW_VERDICT_AMBER, best->contradicted);
    snw_format(item.sentence, sizeof item.sentence,
               "%d labels contradict where their markers sit and were passed over: left and right, "
               "a mirrored capture or shifted labels; name the markers anew",
               best->contradicted);
    warn(best->solution, &item);
}

/* Labels that are not understood may be all that a pair of limbs has: a body without it is never
 * green. */
static void tell_missing(const reading *best)
{
    static const struct {
        snw_part first, last, beside; /* a body that has the last should have the others */
        const char *name;
    } limb[] = {{SNW_PART_ARM, SNW_PART_HAND, SNW_PART_CHEST, "arms"},
                {SNW_PART_UPLEG, SNW_PART_FOOT, SNW_PART_ARM, "legs"}};
    snw_solution *solution = best->solution;
    const snw_skeleton *body = solution->body->actor->skeleton;
    for (size_t n = 0; n < sizeof limb / sizeof *limb && best->unknown >= REREAD_MARKERS; n++) {
        int count = 0, beside = 0;
        for (int j = 0; j < body->joint_count; j++) {
            snw_side side;
            snw_part part = snw_part_read(snw__bare_label(body->name[j]), &side);
            count += part >= limb[n].first && part <= limb[n].last;
            beside += part == limb[n].beside;
        }
        if (count || !beside) continue;
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_MISSING_LIMB, SNW_VERDICT_AMBER, best->unknown);
        snw_format(item.sentence, sizeof item.sentence,
                   "nothing is known of the %s, and %d labels are not understood: name the markers "
                   "as in docs/marker-sets.md",
                   limb[n].name, best->unknown);
        warn(solution, &item);
    }
}

static snw_status reread(snw__solving *s, int unknown, bool is_mirrored)
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
    if (status == SNW_OK) {
        rereading r = {s, raw, found, is_mirrored, best};
        status = try_readings(&r, &best);
        s->out = best.solution;
        if (best.kind != READING_BY_LABELS) tell(&r, &best);
        if (best.kind != READING_BY_LABELS) snw_solution_destroy(r.by_labels.solution);
        tell_missing(&best);
    }
    snw_recognised_destroy(found);
    snw_solution_destroy(raw);
    return status == SNW_OUT_OF_MEMORY || status == SNW_CANCELLED ? status : SNW_OK;
}

/* Does the body look as if its labels were wrong: bones that no person has, limbs that are not
 * there? */
static bool is_odd(const snw_solution *solution)
{
    for (int b = 0; b < solution->body_count; b++) {
        const snw_judgements *found = solution->body[b].judgements;
        for (int n = 0; found && n < found->count; n++) {
            snw_judgement_code code = found->item[n].code;
            if (found->item[n].verdict != SNW_VERDICT_GREEN &&
                (code == SNW_JUDGEMENT_IMPLAUSIBLE_BONE || code == SNW_JUDGEMENT_UNEQUAL_SIDES ||
                 code == SNW_JUDGEMENT_MISSING_LIMB || code == SNW_JUDGEMENT_FAR_JOINT))
                return true;
        }
    }
    return false;
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
    bool is_mirrored = snw_notes_find(s->out->notes, SNW_NOTE_SIDES_EXCHANGED, 0) >= 0;
    if (!is_poor(s->out) && !unknown && !is_mirrored && !is_odd(s->out)) return SNW_OK;
    return reread(s, unknown, is_mirrored);
}

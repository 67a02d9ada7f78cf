/* Two readings of one capture: by its labels, and by where its markers sit.
 *
 * Labels of no known set can be worse than none: half of them are not understood, and what is left
 * is no body. Where that may be so, a person is sought in the markers as if nobody had named them,
 * and the capture is solved again with what each was recognised as. The second reading is kept
 * where it is better in one respect and worse in none: the gravest judgement, and how many of the
 * thirteen great joints have names. The markers keep the names that they have. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "label/label_grammar.h"
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

/* Does a body carry the marker on a part of a person? Labels that are not understood by themselves
 * may say so together: "LeftLeg:1". */
static bool is_on_part(const snw_solution *solution, int marker)
{
    for (int b = 0; b < solution->body_count; b++) {
        const snw_solved_body *body = solution->body + b;
        int joint = body->residuals->marker[marker].joint;
        snw_side side;
        if (joint >= 0 && snw_part_read(snw__bare_label(body->actor->skeleton->name[joint]),
                                        &side) != SNW_PART_NONE)
            return true;
    }
    return false;
}

/* Labels that are not understood; 0 where there are fewer markers than joints to be told by them.
 */
static int count_unknown(const snw_solution *solution, const snw_labels *labels)
{
    int count = 0, markers = 0;
    for (int m = 0; m < labels->marker_count; m++) {
        if (!snw_trial_is_marker(solution->trial, m)) continue;
        markers++;
        count += labels->marker[m].kind == SNW_LABEL_UNKNOWN && !is_on_part(solution, m);
    }
    return markers < REREAD_JOINTS ? 0 : count;
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

/* What the recognised names say; a marker that was not recognised is as one that nobody named. */
static void relabel(const snw_trial *trial, const snw_recognised *found, snw_labels *labels)
{
    for (int m = 0; m < labels->marker_count; m++) {
        if (!snw_trial_is_marker(trial, m)) continue;
        const char *name = found->marker[m].name;
        labels->marker[m] = snw_label_read(name[0] ? name : "*1");
    }
}

typedef struct reread_watch {
    const snw_solve_options *options;
} reread_watch;

/* The share that is done does not go back. */
static int watch(void *context, const char *step, double share)
{
    const snw_solve_options *options = ((const reread_watch *)context)->options;
    return options->progress(options->progress_context, step, 0.9 + 0.1 * share);
}

/* What was known before segments were sought, and who was recognised. */
static snw_status solve_again(const snw__solving *s, const snw_recognised *found,
                              const snw_labels *labels, snw_solution **other)
{
    snw_solution *out = s->out;
    snw_notes *notes = snw__allocate(&out->allocator, sizeof *notes);
    if (!notes) return snw__fail_memory(s->error, sizeof *notes, "the notes");
    *notes = *out->notes;
    notes->count = s->prepared_note_count;
    snw_solution prepared = {.notes = notes,
                             .join_count = out->join_count,
                             .slips = out->slips,
                             .recognition = {.is_person = true,
                                             .point_count = found->point_count,
                                             .named_count = found->named_count,
                                             .stature = found->stature,
                                             .confidence = found->confidence,
                                             .plan = found->plan,
                                             .set = found->set}};
    reread_watch watched = {s->options};
    snw_solve_options options = *s->options;
    options.prepared = &prepared;
    options.labels = labels;
    options.progress = s->options->progress ? watch : NULL;
    options.progress_context = &watched;
    snw_status status = snw_solve(out->trial, &options, s->memory, other, s->error);
    snw__release(&out->allocator, notes, sizeof *notes);
    return status;
}

static void keep_better(snw__solving *s, snw_solution *other, int unknown)
{
    int before = count_great_joints(s->out), after = count_great_joints(other);
    bool is_better = other->verdict <= s->out->verdict && after >= before &&
                     (other->verdict < s->out->verdict || after > before);
    if (!is_better) {
        snw_solution_destroy(other);
        return;
    }
    snw__note(other->notes, SNW_NOTE_LABELS_IGNORED, SNW__NOWHERE,
              "%d labels are not understood: markers were read by where they sit instead, which "
              "names %d of the great joints (%d by the labels) and is %s (%s by the labels)",
              unknown, after, before, snw_verdict_name(other->verdict),
              snw_verdict_name(s->out->verdict));
    snw_solution_destroy(s->out);
    s->out = other;
}

static snw_status reread(snw__solving *s, snw_labels *labels)
{
    int unknown = count_unknown(s->out, labels);
    bool is_poor = s->out->verdict == SNW_VERDICT_RED || count_great_joints(s->out) < REREAD_JOINTS;
    if (!is_poor || unknown < REREAD_MARKERS) return SNW_OK;
    snw_recognised *found = NULL;
    snw_solution *other = NULL;
    snw_status status = snw_trial_recognise_anew(s->out->trial, s->memory, &found, NULL, s->error);
    if (status == SNW_OK && found->is_person) {
        relabel(s->out->trial, found, labels);
        status = solve_again(s, found, labels, &other);
        if (status == SNW_OK) keep_better(s, other, unknown);
    }
    snw_recognised_destroy(found);
    /* What cannot be solved in the other way is solved in this. */
    return status == SNW_OUT_OF_MEMORY || status == SNW_CANCELLED ? status : SNW_OK;
}

snw_status snw__solve_reread(snw__solving *s)
{
    snw_labels *labels = NULL;
    if (is_settled(s)) return SNW_OK;
    snw_status status = snw_labels_read(s->out->trial, s->memory, &labels, s->error);
    if (status == SNW_OK) status = reread(s, labels);
    snw_labels_destroy(labels);
    return status;
}

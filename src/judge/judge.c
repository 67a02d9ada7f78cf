/* What makes a solved motion doubtful: frames without a pose, a body far from its markers, joints
 * that the motion does not determine, stretches and markers that stand out, markers on no segment.
 */
#include <math.h>
#include <string.h>

#include <sinew/judge.h>
#include <sinew/label.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "judge/judge_constants.h"
#include "judge/judging.h"
#include "label/label_grammar.h"
#include "math/kernel.h"
#include "math/order.h"
#include "person/movement.h"

enum {
    JUDGE_STRETCHES = 5
}; /* so many are told */

/* ---- words ----------------------------------------------------------------------------------- */

const char *snw_verdict_name(snw_verdict verdict)
{
    static const char *const names[] = {"green", "amber", "red"};
    return (unsigned)verdict <= SNW_VERDICT_RED ? names[verdict] : "?";
}

const char *snw_judgement_name(snw_judgement_code code)
{
    static const char *const names[] = {
#define SNW_JUDGEMENT_TEXT(code, name) name,
        SNW_JUDGEMENT_MAP(SNW_JUDGEMENT_TEXT)
#undef SNW_JUDGEMENT_TEXT
    };
    return (unsigned)code < SNW_JUDGEMENT_COUNT ? names[code] : "?";
}

/* ---- the list -------------------------------------------------------------------------------- */

/* What a reader should know first: a body that is none, then one that is far from its markers, then
 * parts of it. */
static int rank_of(snw_judgement_code code)
{
    static const int rank[SNW_JUDGEMENT_COUNT] = {
        [SNW_JUDGEMENT_UNSURE_PERSON] = 0,    [SNW_JUDGEMENT_IMPLAUSIBLE_SIZE] = 1,
        [SNW_JUDGEMENT_IMPLAUSIBLE_BONE] = 2, [SNW_JUDGEMENT_UNEQUAL_SIDES] = 3,
        [SNW_JUDGEMENT_MISSING_LIMB] = 3,     [SNW_JUDGEMENT_JUMP] = 3,
        [SNW_JUDGEMENT_UPSIDE_DOWN] = 1,      [SNW_JUDGEMENT_FROZEN_FRAMES] = 7,
        [SNW_JUDGEMENT_FAR_JOINT] = 4,        [SNW_JUDGEMENT_FAR_BODY] = 5,
        [SNW_JUDGEMENT_LOST_FRAMES] = 6,      [SNW_JUDGEMENT_EMPTY_FRAMES] = 7,
        [SNW_JUDGEMENT_FAR_MARKER] = 8,       [SNW_JUDGEMENT_FAR_STRETCH] = 9,
        [SNW_JUDGEMENT_SLIPPED_MARKER] = 10,  [SNW_JUDGEMENT_UNCERTAIN_JOINT] = 11,
        [SNW_JUDGEMENT_LEFT_OUT_MARKER] = 12};
    return (unsigned)code < SNW_JUDGEMENT_COUNT ? rank[code] : SNW_JUDGEMENT_COUNT;
}

static bool is_before(const snw_judgement *a, const snw_judgement *b)
{
    if (a->verdict != b->verdict) return a->verdict > b->verdict;
    if (a->code != b->code) return rank_of(a->code) < rank_of(b->code);
    bool is_distance = a->code == SNW_JUDGEMENT_FAR_MARKER ||
                       a->code == SNW_JUDGEMENT_FAR_STRETCH ||
                       a->code == SNW_JUDGEMENT_UNCERTAIN_JOINT;
    return is_distance && a->number > b->number;
}

void snw_judgements_add(snw_judgements *judgements, const snw_judgement *item)
{
    if (item->verdict > judgements->verdict) judgements->verdict = item->verdict;
    int at = judgements->count;
    if (at == SNW_JUDGEMENTS_MAX) {
        judgements->dropped++;
        if (!is_before(item, judgements->item + at - 1)) return;
        at--; /* the least grave gives way */
    } else {
        judgements->count++;
    }
    for (; at > 0 && is_before(item, judgements->item + at - 1); at--)
        judgements->item[at] = judgements->item[at - 1];
    judgements->item[at] = *item;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* How much farther points that are joints may lie than markers. */
static double allowance_of(const snw_judged *solution)
{
    return snw__joint_points_noise(solution->actor) > 0 ? JUDGE_POINTS : 1;
}

/* Frames that show three markers of the body and more: how many, the first and the last. */
typedef struct judge_shown {
    int count, first, last;
} judge_shown;

static judge_shown find_shown(const snw_judged *solution)
{
    const snw_residuals *residuals = solution->residuals;
    judge_shown shown = {0, -1, -1};
    for (int f = 0; f < residuals->frame_count; f++) {
        const float *row = residuals->distance + (size_t)f * (size_t)residuals->marker_count;
        int seen = 0;
        for (int m = 0; m < residuals->marker_count && seen < 3; m++)
            seen += row[m] == row[m];
        if (seen < 3) continue;
        if (shown.count++ == 0) shown.first = f;
        shown.last = f;
    }
    return shown;
}

/* Does a frame show three markers of one segment? */
static bool shows_segment(const snw_judged *solution, int frame)
{
    const snw_residuals *residuals = solution->residuals;
    const float *row = residuals->distance + (size_t)frame * (size_t)residuals->marker_count;
    for (int j = 0; j < solution->actor->skeleton->joint_count; j++) {
        int seen = 0;
        for (int m = 0; m < residuals->marker_count; m++)
            seen += residuals->marker[m].joint == j && row[m] == row[m];
        if (seen >= 3) return true;
    }
    return false;
}

/* Frames from `first` on before any segment is seen whole: live, nothing tells a pose there, and
 * that is no fault of the body's. None where no segment ever is. */
static int count_open(const snw_judged *solution, int first)
{
    for (int f = first; f >= 0 && f < solution->residuals->frame_count; f++)
        if (shows_segment(solution, f)) return f - first;
    return 0;
}

static void judge_lost(const snw_judged *solution, snw_judgements *out)
{
    int lost = solution->report->lost_count, frames = solution->report->frame_count;
    if (lost == 0 || frames == 0) return;
    judge_shown shown = find_shown(solution);
    /* Where nothing is seen nobody is to blame, and a person may come and go. */
    int span = shown.count > 0 ? shown.last - shown.first + 1 : frames;
    int within = lost - (frames - span);
    int despite = lost - (frames - shown.count) - count_open(solution, shown.first);
    /* share of frames that show markers, but not this body */
    bool is_red = despite > ANGLE_SPIKES * shown.count || shown.count == 0 || lost == frames;
    if (within <= 0) return;
    snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_LOST_FRAMES,
                                             is_red                             ? SNW_VERDICT_RED
                                             : within > SNW__STRAY_SHARE * span ? SNW_VERDICT_AMBER
                                                                                : SNW_VERDICT_GREEN,
                                             within);
    item.frame_count = span;
    if (is_red && despite > 0 && shown.count > 0)
        snw_format(item.sentence, sizeof item.sentence,
                   "%d of %d frames show markers but not this body: it is of somebody else, or "
                   "markers have changed their places",
                   despite, shown.count);
    else
        snw_format(item.sentence, sizeof item.sentence,
                   "%d %s of %d %s too little for a pose: it is held there, or made up from the "
                   "neighbours",
                   within, snw__plural(within, "frame", "frames"), span,
                   snw__plural(within, "shows", "show"));
    snw_judgements_add(out, &item);
}

/* Before the person comes and after it has gone. */
static void judge_empty(const snw_judged *solution, snw_judgements *out)
{
    const snw_trial *trial = solution->trial;
    if (solution->report->lost_count == 0) return;
    judge_shown shown = find_shown(solution);
    int empty = solution->report->frame_count - (shown.last - shown.first + 1);
    if (shown.count == 0 || empty <= 0) return;
    snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_EMPTY_FRAMES, SNW_VERDICT_GREEN, empty);
    item.frame_count = solution->report->frame_count;
    snw_format(item.sentence, sizeof item.sentence,
               "the body is seen in frames %d to %d only: before and after them its pose is held",
               trial->first_frame + shown.first, trial->first_frame + shown.last);
    snw_judgements_add(out, &item);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static void judge_joints(const snw_judged *solution, snw_judgements *out)
{
    const snw_skeleton *body = solution->actor->skeleton;
    for (int j = 1; j < body->joint_count; j++) {
        const snw_joint_estimate *estimate = solution->actor->estimate + j;
        if (!estimate->is_uncertain) continue;
        /* Trunk and neck stand for many joints: how far these spread is no fault. */
        snw_side side;
        snw_part part = snw_part_read(snw__bare_label(body->name[j]), &side);
        bool is_spine =
            part == SNW_PART_CHEST || part == SNW_PART_HEAD || estimate->is_from_proportions;
        bool is_leg = part == SNW_PART_UPLEG || part == SNW_PART_LEG || part == SNW_PART_FOOT;
        double most = is_leg ? SNW__HIP_ERROR_MAX : JUDGE_UNCERTAIN;
        bool is_grave = !is_spine && !(estimate->uncertainty <= most);
        snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_UNCERTAIN_JOINT,
                                                 is_grave ? SNW_VERDICT_AMBER : SNW_VERDICT_GREEN,
                                                 estimate->uncertainty);
        item.joint = j;
        const char *advice = allowance_of(solution) > 1
                                 ? " only: it is a point that a program took for the joint"
                                 : " only: a trial that moves it more would tell it (--actor)";
        snw_format(item.sentence, sizeof item.sentence,
                   "the centre of %s is known within %.0f mm%s", body->name[j],
                   1000 * estimate->uncertainty,
                   estimate->is_from_proportions ? ", by published proportions"
                   : is_grave                    ? advice
                                                 : "");
        snw_judgements_add(out, &item);
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

typedef struct judge_stretch {
    int from, to; /* frames [from, to) */
    int count;    /* of these, that stand out */
    double peak;  /* metres */
} judge_stretch;

/* Stretches whose rms stands out, the worst JUDGE_STRETCHES of them by peak; such with less than
 * `near` frames between them are one. */
static int find_stretches(const snw_residuals *residuals, double limit, int near,
                          judge_stretch found[JUDGE_STRETCHES])
{
    int count = 0, frames = residuals->frame_count;
    for (int k = 0; k < frames; k++) {
        if (!(residuals->frame_rms[k] > limit)) continue;
        judge_stretch s = {k, k + 1, 0, 0};
        for (; k < frames && k < s.to + near; k++) {
            if (!(residuals->frame_rms[k] > limit)) continue;
            s.peak = fmax(s.peak, residuals->frame_rms[k]);
            s.to = k + 1;
            s.count++;
        }
        int at = count < JUDGE_STRETCHES ? count++ : JUDGE_STRETCHES;
        for (; at > 0 && found[at - 1].peak < s.peak; at--)
            if (at < JUDGE_STRETCHES) found[at] = found[at - 1];
        if (at < JUDGE_STRETCHES) found[at] = s;
    }
    return count;
}

static void judge_stretch_at(const snw_judged *solution, const judge_stretch *s, double median,
                             snw_judgements *out)
{
    const snw_trial *trial = solution->trial;
    snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_FAR_STRETCH,
                                             s->peak > allowance_of(solution) * JUDGE_FAR_STRETCH
                                                 ? SNW_VERDICT_AMBER
                                                 : SNW_VERDICT_GREEN,
                                             s->peak);
    item.frame = s->from;
    item.frame_count = s->to - s->from;
    /* The marker that makes more than half of the squared distances of a stretch; -1: none does. */
    double whole = 0, most = 0;
    int worst = -1;
    for (int m = 0; m < solution->residuals->marker_count; m++) {
        double sum2 = 0;
        for (int k = s->from; k < s->to; k++) {
            double far =
                solution->residuals->distance[snw__entry(k, solution->residuals->marker_count, m)];
            if (far == far) sum2 += far * far;
        }
        whole += sum2;
        if (sum2 > most) {
            most = sum2;
            worst = m;
        }
    }
    item.marker = 2 * most > whole ? worst : -1;
    int first = trial->first_frame + s->from, last = trial->first_frame + s->to - 1;
    char where[80], mostly[96] = "";
    if (first == last)
        snw_format(where, sizeof where, "frame %d", first);
    else if (s->count < item.frame_count)
        snw_format(where, sizeof where, "%d of the frames %d to %d", s->count, first, last);
    else
        snw_format(where, sizeof where, "frames %d to %d", first, last);
    if (item.marker >= 0)
        snw_format(mostly, sizeof mostly, ", mostly %s", trial->marker[item.marker].name);
    snw_format(item.sentence, sizeof item.sentence,
               "in %s (%.2f s) the markers lie up to %.0f mm (rms) from the body%s; "
               "in the median frame %.1f mm",
               where, s->from / solution->motion->rate, 1000 * s->peak, mostly, 1000 * median);
    snw_judgements_add(out, &item);
}

/* ---- markers --------------------------------------------------------------------------------- */

/* Metres. What a marker off its place displaces its segment by: the others hold against it, so that
 * one of four forearm markers that turns with the hand need not be looked at. */
static double displacement_by(const snw_residuals *residuals, int m)
{
    int count = 0;
    for (int k = 0; k < residuals->marker_count; k++)
        count += residuals->marker[k].joint == residuals->marker[m].joint &&
                 residuals->marker[k].seen_count > 0;
    return residuals->marker[m].rms / (count > 2 ? count : 2);
}

static void judge_markers(const snw_judged *solution, const snw_labels *labels, double *room,
                          snw_judgements *out)
{
    const snw_residuals *residuals = solution->residuals;
    int seen = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        if (residuals->marker[m].seen_count) room[seen++] = residuals->marker[m].rms;
    double median = snw__median(room, seen),
           limit = fmax(JUDGE_MARKER_TIMES * median, allowance_of(solution) * SNW__SKIN);
    for (int m = 0; m < residuals->marker_count; m++) {
        const snw_marker_residual *marker = residuals->marker + m;
        if (marker->joint >= 0 && !(marker->rms > limit)) continue;
        bool is_out = marker->joint < 0;
        /* What a program computed beside the markers belongs to no segment. */
        if (is_out && (labels->marker[m].kind == SNW_LABEL_DERIVED ||
                       !snw_trial_is_marker(solution->trial, m)))
            continue;
        snw_judgement item = snw__judgement_make(
            is_out ? SNW_JUDGEMENT_LEFT_OUT_MARKER : SNW_JUDGEMENT_FAR_MARKER,
            is_out || displacement_by(residuals, m) <= allowance_of(solution) * SNW__SKIN
                ? SNW_VERDICT_GREEN
                : SNW_VERDICT_AMBER,
            is_out ? 0 : marker->rms);
        item.marker = m;
        item.joint = marker->joint;
        if (is_out)
            snw_format(item.sentence, sizeof item.sentence, "%s is no part of the body",
                       solution->trial->marker[m].name);
        else
            snw_format(item.sentence, sizeof item.sentence,
                       "%s lies %.0f mm (rms) off its place on %s, the median marker %.1f mm: is "
                       "it labelled rightly, or loose?",
                       solution->trial->marker[m].name, 1000 * marker->rms,
                       solution->actor->skeleton->name[marker->joint], 1000 * median);
        snw_judgements_add(out, &item);
    }
}

snw_status snw_judge_solution(const snw_judged *solution, const snw_allocator *allocator,
                              snw_judgements *out, snw_error *error)
{
    memset(out, 0, sizeof *out);
    if (!solution || !solution->trial || !solution->actor || !solution->motion ||
        !solution->report || !solution->residuals)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a judgement needs the whole solution");
    if (solution->residuals->marker_count > solution->trial->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the residuals are of another capture");
    snw_allocator used = snw__allocator_or_default(allocator);
    size_t frames = (size_t)solution->residuals->frame_count;
    size_t markers = (size_t)solution->residuals->marker_count;
    size_t size = ((frames > markers ? frames : markers) + 1) * sizeof(double);
    snw_labels *labels = NULL;
    snw_status status = snw_labels_read(solution->trial, allocator, &labels, error);
    if (status != SNW_OK) return status;
    double *room = snw__allocate(&used, size);
    if (!room) {
        snw_labels_destroy(labels);
        return snw__fail_memory(error, size, "a median");
    }
    double residual = solution->report->residual, allowed = allowance_of(solution);
    if (residual > allowed * JUDGE_SUSPECT_BODY) {
        bool is_far = residual > allowed * JUDGE_FAR_BODY;
        snw_judgement item = snw__judgement_make(
            SNW_JUDGEMENT_FAR_BODY, is_far ? SNW_VERDICT_RED : SNW_VERDICT_AMBER, residual);
        item.frame_count = solution->report->frame_count;
        snw_format(
            item.sentence, sizeof item.sentence, "markers lie %.0f mm (rms) from the body, %s",
            1000 * residual,
            is_far ? "too far to believe it: segments that are none, markers that changed places, "
                     "or two bodies in one"
                   : "more than skin moves at most of them");
        snw_judgements_add(out, &item);
    }
    judge_lost(solution, out);
    judge_empty(solution, out);
    judge_joints(solution, out);
    snw__judge_plausibility(solution, out);
    snw__judge_motion(solution, out);
    const snw_residuals *residuals = solution->residuals;
    int seen = 0;
    for (int k = 0; k < residuals->frame_count; k++)
        if (isfinite(residuals->frame_rms[k])) room[seen++] = residuals->frame_rms[k];
    double median = snw__median(room, seen);
    judge_stretch found[JUDGE_STRETCHES];
    /* seconds: stretches nearer to each other are one */
    int near = (int)((2 * SNW__BRIEF) * solution->motion->rate) + 1;
    /* metres rms: below it no single marker or frame stands out */
    int count = find_stretches(
        residuals, fmax(JUDGE_TIMES * median, allowance_of(solution) * SNW__SKIN), near, found);
    for (int n = 0; n < count; n++)
        judge_stretch_at(solution, found + n, median, out);
    judge_markers(solution, labels, room, out);
    snw__release(&used, room, size);
    snw_labels_destroy(labels);
    return snw__succeed(error);
}

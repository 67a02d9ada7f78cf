/* Do the markers move as their labels say?
 *
 * A marker of a segment keeps its distances to the segment's other markers, up to skin. Where
 * labels and motion disagree by a wide margin the motion is believed, and a note says so:
 *
 *  - two mirror images exchanged: LTHI keeps its distances to the right thigh, RTHI to the left;
 *  - two segments exchanged: all of the left shank hangs from the right knee;
 *  - a marker on another segment: RFT3 was read as a foot but moves with the hand;
 *  - a marker that moves with nothing is reported and stays, for the solver weighs it down;
 *  - an object beside the person, "Root1" to "Root4" on the floor, bears the name of a segment that
 *    goes about while it stands still: it is left out;
 *  - all sides exchanged: the body would be inside out. Only reported.
 *
 * Markers that the labels do not tell are put on the named segment with which they move, else left
 * out. Where more than a quarter of the markers disagree, the labels mean something else. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "label/label_grammar.h"
#include "math/order.h"
#include "person/movement.h"
#include "rigid/sampling.h"
#include "segment/label_correction.h"
#include "segment/segment_constants.h"
#include "segment/segment_distance.h"

typedef struct correction_job {
    const snw__samples *samples;
    const snw_trial *trial;
    snw__named_segments *names;
    snw_notes *notes;
    int marker_count;
    double *deviation; /* (n x n) of each distance, metres; infinite: not known */
    double *distance;  /* (n x n) mean, metres; infinite: not known */
    double *motion;    /* (n) how far each moves in the lab, rms, metres; negative: never seen */
    bool goes_about;   /* most of the named markers do */
    double *value;     /* (2 n) */
    int disagree_count;
} correction_job;

static const char *label_of(const correction_job *job, int marker)
{
    return job->trial->marker[marker].name;
}

static double deviation_of(const correction_job *job, int a, int b)
{
    return job->deviation[(size_t)a * (size_t)job->marker_count + (size_t)b];
}

static double distance_of(const correction_job *job, int a, int b)
{
    return job->distance[(size_t)a * (size_t)job->marker_count + (size_t)b];
}

/* ---- how well a marker fits a segment ----------------------------------------------------------
 */

typedef struct correction_fit {
    int count;        /* markers of the segment that were seen together with it */
    double deviation; /* the upper median of the distances' deviations, of few the largest */
    double kindly;    /* the lower median: one bad marker among the others is not its fault */
    double nearest;   /* mean distance of the nearest of them */
} correction_fit;

static correction_fit fit_of(const correction_job *job, int marker, int segment)
{
    correction_fit fit = {0, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int k = 0; k < job->marker_count; k++) {
        if (k == marker || job->names->segment_of[k] != segment) continue;
        double deviation = deviation_of(job, marker, k);
        if (!(deviation < HUGE_VAL)) continue;
        job->value[fit.count++] = deviation;
        fit.nearest = fmin(fit.nearest, distance_of(job, marker, k));
    }
    if (fit.count == 0) return fit;
    snw__sort_doubles(job->value, fit.count);
    fit.kindly = job->value[(fit.count - 1) / 2];
    fit.deviation = job->value[fit.count < 4 ? fit.count - 1 : fit.count / 2];
    return fit;
}

static double fit_cost(const correction_fit *fit)
{
    /* What a metre of distance costs against a metre of deviation: of segments that stand still,
     * the nearest. */
    return fit->deviation + SNW__DISTANCE_COST * fit->nearest;
}

/* The segment of two markers or more, other than `except`, with which a marker moves best; -1:
 * none.
 */
static int best_segment(const correction_job *job, int marker, int except, correction_fit *best)
{
    int found = -1;
    *best = (correction_fit){0, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int l = 0; l < job->names->segment_count; l++) {
        if (l == except) continue;
        correction_fit fit = fit_of(job, marker, l);
        /* Metres. Markers of one segment are not all farther from a marker than this. */
        if (fit.count < 2 || fit.nearest > SNW__BONE_MAX || !(fit_cost(&fit) < fit_cost(best)))
            continue;
        *best = fit;
        found = l;
    }
    return found;
}

/* What is usual inside a segment: the median of its markers' fits. */
static double usual_inside(const correction_job *job, int segment, double *value)
{
    int count = 0;
    for (int m = 0; m < job->marker_count; m++) {
        if (job->names->segment_of[m] != segment) continue;
        correction_fit fit = fit_of(job, m, segment);
        if (fit.count > 0) value[count++] = fit.kindly;
    }
    return snw__median(value, count);
}

/* ---- exchanged ------------------------------------------------------------------------------ */

/* Markers a and b change sides and segments; swap and keep tell why, metres. */
static void exchange_pair(correction_job *job, int a, int b, double swap, double keep)
{
    snw__named_segments *names = job->names;
    int one = names->segment_of[a];
    names->segment_of[a] = names->segment_of[b];
    names->segment_of[b] = one;
    names->landmark[a].side = snw_side_other(names->landmark[a].side);
    names->landmark[b].side = snw_side_other(names->landmark[b].side);
    job->disagree_count += 2;
    snw__note(job->notes, SNW_NOTE_LABELS_EXCHANGED, snw__at_name(a, label_of(job, a)),
              "%s and %s look exchanged: each keeps its distances to the other side (%.0f mm "
              "against %.0f mm); they were exchanged back",
              label_of(job, a), label_of(job, b), 1000 * swap, 1000 * keep);
}

static int find_part(const snw__named_segments *names, snw_part part, snw_side side)
{
    for (int l = 0; l < names->segment_count; l++)
        if (strcmp(names->name[l], snw_part_name(part, side)) == 0) return l;
    return -1;
}

/* Does a marker of a side tell where the part of that side begins? One on the joint; for thighs,
 * whose joint has none, one of the pelvis. */
static bool is_guide(const snw_label *at, snw_part part)
{
    if (at->kind != SNW_LABEL_LANDMARK || at->side == SNW_SIDE_NONE) return false;
    return part == SNW_PART_UPLEG ? at->part == SNW_PART_HIPS : at->joint == part;
}

/* How two segments hang from the guides of their sides, mean over all pairs; infinite: not known.
 */
typedef struct correction_hang {
    double distance;
    double deviation;
} correction_hang;

static correction_hang hang(const correction_job *job, snw_part part, const int segment[2],
                            bool is_crossed)
{
    const snw__named_segments *names = job->names;
    correction_hang sum = {0, 0};
    int count = 0;
    for (int g = 0; g < job->marker_count; g++) {
        const snw_label *at = names->landmark + g;
        bool is_right = at->side == SNW_SIDE_RIGHT;
        int other = segment[is_crossed ? !is_right : is_right];
        if (!is_guide(at, part) || names->segment_of[g] == segment[0] ||
            names->segment_of[g] == segment[1])
            continue;
        for (int m = 0; m < job->marker_count; m++) {
            if (names->segment_of[m] != other || !(deviation_of(job, g, m) < HUGE_VAL)) continue;
            sum.distance += distance_of(job, g, m);
            sum.deviation += deviation_of(job, g, m);
            count++;
        }
    }
    sum.distance = count ? sum.distance / count : HUGE_VAL;
    sum.deviation = count ? sum.deviation / count : HUGE_VAL;
    return sum;
}

/* Mean distance of the guides from the other markers of their part on their own side, or on the
 * other one; infinite: not known. */
static double guide_distance(const correction_job *job, snw_part part, bool is_crossed)
{
    const snw__named_segments *names = job->names;
    double sum = 0;
    int count = 0;
    for (int g = 0; g < job->marker_count; g++) {
        const snw_label *at = names->landmark + g;
        if (!is_guide(at, part) || !snw_part_is_paired(at->part)) continue;
        int segment = find_part(names, at->part, is_crossed ? snw_side_other(at->side) : at->side);
        for (int m = 0; m < job->marker_count; m++) {
            if (m == g || names->segment_of[m] != segment || is_guide(names->landmark + m, part) ||
                !(distance_of(job, g, m) < HUGE_VAL))
                continue;
            sum += distance_of(job, g, m);
            count++;
        }
    }
    return count ? sum / count : HUGE_VAL;
}

/* The guides themselves may be exchanged: then they lie away from the rest of their own part, and
 * they change sides instead of all that hangs from them. */
static bool exchange_guides(correction_job *job, snw_part part)
{
    snw__named_segments *names = job->names;
    double keep = guide_distance(job, part, false), swap = guide_distance(job, part, true);
    /* Metres. A segment that is nearer to the other side's joint by this is the other side's
     * segment. */
    if (!(keep < HUGE_VAL) || !(swap + SNW__SKIN_MAX < keep)) return false;
    for (int a = 0; a < job->marker_count; a++) {
        int b = snw__labels_find_own_mirror(job->trial, names->landmark, a);
        if (b > a && is_guide(names->landmark + a, part)) exchange_pair(job, a, b, swap, keep);
    }
    return true;
}

static void exchange_segments(correction_job *job, snw_part part)
{
    snw__named_segments *names = job->names;
    int segment[2] = {find_part(names, part, SNW_SIDE_LEFT),
                      find_part(names, part, SNW_SIDE_RIGHT)};
    if (segment[0] < 0 || segment[1] < 0) return;
    correction_hang keep = hang(job, part, segment, false), swap = hang(job, part, segment, true);
    /* A pelvis marker is too far from the hip for its deviations to tell. */
    bool is_steadier = part == SNW_PART_UPLEG || swap.deviation < keep.deviation;
    if (!(keep.distance < HUGE_VAL) || !(swap.distance + SNW__SKIN_MAX < keep.distance) ||
        !is_steadier || exchange_guides(job, part))
        return;
    for (int m = 0; m < job->marker_count; m++) {
        int side = names->segment_of[m] == segment[1];
        if (names->segment_of[m] != segment[side]) continue;
        names->segment_of[m] = segment[1 - side];
        names->landmark[m].side = snw_side_other(names->landmark[m].side);
    }
    snw__note(job->notes, SNW_NOTE_LABELS_EXCHANGED,
              snw__at_name(segment[0], names->name[segment[0]]),
              "the labels of %s and %s look exchanged: they hang from the other side's joint "
              "(%.0f mm away against %.0f mm); they were exchanged back",
              names->name[segment[0]], names->name[segment[1]], 1000 * swap.distance,
              1000 * keep.distance);
}

/* ---- on another segment ------------------------------------------------------------------------
 */

/* Moves a marker to the segment with which it moves; reports one that moves with none. */
static void correct_marker(correction_job *job, int marker)
{
    snw__named_segments *names = job->names;
    int segment = names->segment_of[marker];
    if (segment < 0) return;
    correction_fit own = fit_of(job, marker, segment), other;
    if (own.count == 0) return;
    int better = best_segment(job, marker, segment, &other);
    /* Metres. Skin, clothes and shoulder blades move a marker on its segment by up to this. */
    bool is_torn = own.kindly > SNW__SKIN_MAX && CORRECTION_RATIO * other.deviation < own.kindly;
    bool is_far = own.nearest > SNW__BONE_MAX && 2 * other.nearest < own.nearest &&
                  other.deviation < fmax(own.kindly, SNW__SKIN_MAX / CORRECTION_RATIO);
    if (better >= 0 && (is_torn || is_far)) {
        job->names->segment_of[marker] = better;
        job->disagree_count++;
        if (is_torn)
            snw__note(job->notes, SNW_NOTE_MARKER_REGROUPED,
                      snw__at_name(marker, label_of(job, marker)),
                      "%s does not move with %s (%.0f mm), but with %s (%.0f mm): it was put there",
                      label_of(job, marker), names->name[segment], 1000 * own.kindly,
                      names->name[better], 1000 * other.deviation);
        else
            snw__note(job->notes, SNW_NOTE_MARKER_REGROUPED,
                      snw__at_name(marker, label_of(job, marker)),
                      "%s is %.0f mm from the rest of %s, but %.0f mm from %s: it was put there",
                      label_of(job, marker), 1000 * own.nearest, names->name[segment],
                      1000 * other.nearest, names->name[better]);
        return;
    }
    /* Metres. A marker that moves with no segment is reported from here on. */
    if (own.kindly < (2 * SNW__SKIN_MAX)) return;
    double usual = usual_inside(job, segment, job->value + job->marker_count);
    /* Of two markers on a segment neither is more to blame than the other: both are told. */
    bool is_odd = own.count == 1 || own.kindly > CORRECTION_RATIO * usual;
    if (!is_odd) return;
    job->disagree_count++;
    snw__note(job->notes, SNW_NOTE_MARKER_OFF_SEGMENT, snw__at_name(marker, label_of(job, marker)),
              "%s does not move with %s: %.0f mm", label_of(job, marker), names->name[segment],
              1000 * own.kindly);
}

/* ---- inside out ----------------------------------------------------------------------------- */

/* Mean of the seen markers of a table's row or a part; false where none is seen. */
typedef struct correction_mean {
    snw_vec3 sum;
    int count;
} correction_mean;

static void add_to(correction_mean *mean, snw_vec3 point)
{
    mean->sum = snw_vec3_add(mean->sum, point);
    mean->count++;
}

static snw_vec3 between(const correction_mean *from, const correction_mean *to)
{
    return snw_vec3_sub(snw_vec3_scale(to->sum, 1.0 / to->count),
                        snw_vec3_scale(from->sum, 1.0 / from->count));
}

/* Positive: left is left, seen from the body; negative: it is not; 0: the frame does not tell. */
static double handedness(const correction_job *job, int frame)
{
    const uint8_t *seen = snw__samples_seen(job->samples, frame);
    const snw_vec3 *point = snw__samples_points(job->samples, frame);
    correction_mean pelvis[2], side[2], chest;
    memset(pelvis, 0, sizeof pelvis);
    memset(side, 0, sizeof side);
    memset(&chest, 0, sizeof chest);
    for (int m = 0; m < job->marker_count; m++) {
        const snw_label *at = job->names->landmark + m;
        if (!seen[m] || at->kind != SNW_LABEL_LANDMARK) continue;
        if (at->landmark == SNW__LANDMARK_ASI) add_to(pelvis, point[m]);
        if (at->landmark == SNW__LANDMARK_PSI || at->landmark == SNW__LANDMARK_SACR)
            add_to(pelvis + 1, point[m]);
        if (at->landmark == SNW__LANDMARK_ASI && at->side != SNW_SIDE_NONE)
            add_to(side + (at->side == SNW_SIDE_RIGHT), point[m]);
        if (at->part == SNW_PART_CHEST || at->part == SNW_PART_HEAD) add_to(&chest, point[m]);
    }
    if (!pelvis[0].count || !pelvis[1].count || !side[0].count || !side[1].count || !chest.count)
        return 0;
    snw_vec3 forwards = between(pelvis + 1, pelvis), leftwards = between(side + 1, side);
    snw_vec3 upwards = between(pelvis + 1, &chest);
    return snw_vec3_dot(snw_vec3_cross(upwards, forwards), leftwards);
}

/* ---- objects that stand still --------------------------------------------------------------- */

static bool is_still(const correction_job *job, int marker)
{
    return job->goes_about && job->motion[marker] >= 0 && job->motion[marker] < SNW__STILL;
}

/* Markers that stand still while others of their segment go about are not on it. */
static void set_objects_apart(correction_job *job)
{
    snw__named_segments *names = job->names;
    int named = 0;
    for (int m = 0; m < job->marker_count; m++) {
        /* Metres, rms: how far a marker moves in the lab; negative where it is seen too shortly to
         * tell. */
        snw_vec3 mean = {0, 0, 0};
        double sum2 = 0;
        int count = 0;
        for (int frame = 0; frame < job->samples->frame_count; frame++) {
            if (!snw__samples_seen(job->samples, frame)[m]) continue;
            snw_vec3 at = snw__samples_points(job->samples, frame)[m];
            snw_vec3 off = snw_vec3_sub(at, mean);
            mean = snw_vec3_lerp(mean, at, 1.0 / ++count);
            sum2 += snw_vec3_dot(off, snw_vec3_sub(at, mean)); /* Welford 1962 */
        }
        job->motion[m] =
            count && count > CORRECTION_SHORT * job->samples->frame_count ? sqrt(sum2 / count) : -1;
        if (job->names->segment_of[m] >= 0 && job->motion[m] >= 0)
            job->value[named++] = job->motion[m];
    }
    /* Metres, rms. What moves less in the lab stands still, more than noise does; what moves more
     * is of something that goes about. */
    job->goes_about = named > 0 && snw__median(job->value, named) > (2 * SNW__SKIN);
    for (int m = 0; m < job->marker_count; m++) {
        int goes = 0, segment = names->segment_of[m];
        if (segment < 0 || !is_still(job, m)) continue;
        for (int k = 0; k < job->marker_count; k++)
            goes += names->segment_of[k] == segment && job->motion[k] > (2 * SNW__SKIN);
        if (goes < 2) continue;
        names->segment_of[m] = -1;
        names->landmark[m].kind = SNW_LABEL_UNKNOWN;
    }
}

/* ---- without a name ------------------------------------------------------------------------- */

/* A line of labels that grows until it is full. */
typedef struct correction_list {
    char text[120];
    int count;
    int marker; /* the only one; -1 when there are several */
} correction_list;

static void list(const correction_job *job, correction_list *list, int marker, int segment)
{
    size_t used = strlen(list->text);
    char item[2 * SNW_LABEL_SIZE + 8];
    list->marker = list->count++ ? -1 : marker;
    snw_format(item, sizeof item, "%s%s%s", label_of(job, marker), segment >= 0 ? " on " : "",
               segment >= 0 ? job->names->name[segment] : "");
    if (used + strlen(item) + 6 < sizeof list->text)
        snw_format(list->text + used, sizeof list->text - used, "%s%s", used ? ", " : "", item);
    else if (used > 2 && strcmp(list->text + used - 2, "..") != 0)
        snw_format(list->text + used, sizeof list->text - used, "..");
}

static snw__place place_of(const correction_job *job, const correction_list *list)
{
    return snw__at_name(list->marker, list->marker >= 0 ? label_of(job, list->marker) : NULL);
}

static void place_unnamed(correction_job *job)
{
    snw__named_segments *names = job->names;
    correction_list placed = {"", 0, -1}, left = {"", 0, -1}, computed = {"", 0, -1};
    correction_list objects = {"", 0, -1};
    for (int m = 0; m < job->marker_count; m++) {
        names->guess[m] = -1;
        if (names->segment_of[m] >= 0 || snw_trial_gaps(job->trial, m).is_never_seen) continue;
        if (names->landmark[m].kind == SNW_LABEL_DERIVED) {
            list(job, &computed, m, -1);
            continue;
        }
        correction_fit fit;
        int segment = best_segment(job, m, -1, &fit);
        double usual =
            segment >= 0 ? usual_inside(job, segment, job->value + job->marker_count) : 0;
        double limit = fmin(fmax(1.5 * usual, CORRECTION_FIT_MIN), CORRECTION_FIT_MAX);
        bool is_placed = segment >= 0 && fit.deviation <= limit;
        if (is_placed) names->guess[m] = segment;
        if (is_placed)
            list(job, &placed, m, segment);
        else
            list(job, is_still(job, m) ? &objects : &left, m, -1);
    }
    for (int m = 0; m < job->marker_count; m++)
        if (names->guess[m] >= 0) names->segment_of[m] = names->guess[m];
    if (computed.count)
        snw__note(job->notes, SNW_NOTE_POINTS_COMPUTED, place_of(job, &computed),
                  "%d computed point%s no marker%s: %s", computed.count,
                  snw__plural(computed.count, " is", "s are"), computed.count == 1 ? "" : "s",
                  computed.text);
    if (placed.count)
        snw__note(job->notes, SNW_NOTE_MARKER_REGROUPED, place_of(job, &placed),
                  "%d label%s the segment, the motion does: %s", placed.count,
                  snw__plural(placed.count, " does not tell", "s do not tell"), placed.text);
    if (objects.count)
        snw__note(job->notes, SNW_NOTE_OBJECT, place_of(job, &objects),
                  "%d marker%s still while the body goes about, and %s left out as objects: %s",
                  objects.count, snw__plural(objects.count, " stands", "s stand"),
                  objects.count == 1 ? "is" : "are", objects.text);
    if (left.count)
        snw__note(job->notes, SNW_NOTE_MARKER_LEFT_OUT, place_of(job, &left),
                  "%d marker%s left out, no named segment moves like %s: %s", left.count,
                  snw__plural(left.count, " is", "s are"), left.count == 1 ? "it" : "them",
                  left.text);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void measure_distances(correction_job *job)
{
    int n = job->marker_count, stride = 1 + job->samples->frame_count / CORRECTION_FRAMES;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            double sum = 0;
            int count = 0;
            for (int frame = 0; frame < job->samples->frame_count; frame += stride) {
                const uint8_t *seen = snw__samples_seen(job->samples, frame);
                const snw_vec3 *point = snw__samples_points(job->samples, frame);
                if (!seen[a] || !seen[b]) continue;
                sum += snw_vec3_distance(point[a], point[b]);
                count++;
            }
            size_t at = (size_t)a * (size_t)n + (size_t)b,
                   mirror = (size_t)b * (size_t)n + (size_t)a;
            job->distance[at] = job->distance[mirror] = count ? sum / count : HUGE_VAL;
        }
}

static void correct(correction_job *job)
{
    int named = 0;
    measure_distances(job);
    set_objects_apart(job);
    job->disagree_count +=
        snw__labels_check_sides(job->samples, job->trial, job->names, job->notes);
    snw__named_segments *names = job->names;
    for (int a = 0; a < job->marker_count; a++) {
        int b = snw__labels_find_own_mirror(job->trial, names->landmark, a);
        if (b > a) {
            /* Two markers with mirrored labels, each of which moves with the other's segment. */
            int one = names->segment_of[a], other = names->segment_of[b];
            if (one != other && one >= 0 && other >= 0) {
                names->segment_of[a] = names->segment_of[b] = -1;
                correction_fit own[2] = {fit_of(job, a, one), fit_of(job, b, other)};
                correction_fit cross[2] = {fit_of(job, a, other), fit_of(job, b, one)};
                double keep = fmin(own[0].kindly, own[1].kindly);
                double swap = fmax(cross[0].deviation, cross[1].deviation);
                bool is_nearer = fmin(own[0].nearest, own[1].nearest) >
                                 CORRECTION_NEARER * fmax(cross[0].nearest, cross[1].nearest);
                bool is_steadier = keep > CORRECTION_EXCHANGED && CORRECTION_RATIO * swap < keep;
                names->segment_of[a] = one;
                names->segment_of[b] = other;
                if (keep < HUGE_VAL && (is_steadier || (is_nearer && swap < keep)))
                    exchange_pair(job, a, b, swap, keep);
            }
        }
    }
    for (int part = 1; part < SNW_PART_COUNT; part++)
        if (snw_part_is_paired((snw_part)part)) exchange_segments(job, (snw_part)part);
    for (int m = 0; m < job->marker_count; m++) {
        named += job->names->segment_of[m] >= 0;
        correct_marker(job, m);
    }
    int count = 0, wrong = 0, stride = 1 + job->samples->frame_count / CORRECTION_FRAMES;
    for (int frame = 0; frame < job->samples->frame_count; frame += stride) {
        double hand = handedness(job, frame);
        count += hand != 0;
        wrong += hand < 0;
    }
    if (count > 0 && wrong >= CORRECTION_MIRRORED * count)
        snw__note(job->notes, SNW_NOTE_SIDES_EXCHANGED, SNW__NOWHERE,
                  "left and right are exchanged in all labels, or the capture is mirrored: the "
                  "pelvis' left is on its right in %d of %d frames",
                  wrong, count);
    job->names->is_contradicted = job->disagree_count > CORRECTION_SHARE * named;
    if (job->names->is_contradicted)
        snw__note(job->notes, SNW_NOTE_LABELS_CONTRADICTED, SNW__NOWHERE,
                  "the labels name %d segments, but %d of %d markers do not move as they say",
                  job->names->segment_count, job->disagree_count, named);
    else
        place_unnamed(job);
}

static void lay_out(void *object, snw__block *block)
{
    correction_job *job = object;
    size_t n = (size_t)job->marker_count;
    job->deviation = snw__block_take(block, snw__size_mul(n, n), sizeof(double));
    job->distance = snw__block_take(block, snw__size_mul(n, n), sizeof(double));
    job->motion = snw__block_take(block, n, sizeof(double));
    job->value = snw__block_take(block, 2 * n, sizeof(double));
}

snw_status snw__labels_correct(const snw__samples *samples, const snw_trial *trial,
                               snw__named_segments *names, snw_notes *notes, snw_error *error)
{
    correction_job job;
    memset(&job, 0, sizeof job);
    job.samples = samples;
    job.trial = trial;
    job.names = names;
    job.notes = notes;
    job.marker_count = trial->marker_count;
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &job, &samples->allocator,
                                          "comparing labels and motion", error);
    if (status != SNW_OK) return status;
    status = snw__marker_deviations(samples, job.deviation, error);
    if (status == SNW_OK) correct(&job);
    snw__block_release(&samples->allocator, &block);
    return status;
}

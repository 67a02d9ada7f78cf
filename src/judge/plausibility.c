/* Is the body one that a person could have?
 *
 * Lengths of segments are shares of stature (person/anthropometry.h). The stature that most bones
 * agree on is their median; a bone that differs from it by more than persons do is said to.
 * Standard deviations of such shares are 4 to 6 % (Pheasant & Haslegrave 2006), joint centres add
 * as much again: 25 % is four of these. */
#include "judge/judging.h"

#include <math.h>
#include <string.h>

#include "judge/judge_constants.h"
#include "label/label_grammar.h"
#include "math/order.h"
#include "person/anthropometry.h"
#include "person/movement.h"

typedef struct plausible_bone {
    snw_part part, to; /* from the joint of one part to that of another, same side */
    double share;      /* of stature */
    const char *name;
} plausible_bone;

static const plausible_bone plausible_bones[] = {
    {SNW_PART_UPLEG, SNW_PART_LEG, SNW__LENGTH_THIGH, "thigh"},
    {SNW_PART_LEG, SNW_PART_FOOT, SNW__LENGTH_SHANK, "shank"},
    {SNW_PART_ARM, SNW_PART_FOREARM, SNW__LENGTH_UPPER_ARM, "upper arm"},
    {SNW_PART_FOREARM, SNW_PART_HAND, SNW__LENGTH_FOREARM, "forearm"}};
static const plausible_bone plausible_spans[] = {
    {SNW_PART_UPLEG, SNW_PART_UPLEG, SNW__LENGTH_HIPS, "hips"},
    {SNW_PART_ARM, SNW_PART_ARM, SNW__LENGTH_SHOULDERS, "shoulders"}};
enum {
    PLAUSIBLE_BONES = sizeof plausible_bones / sizeof *plausible_bones,
    PLAUSIBLE_SPANS = sizeof plausible_spans / sizeof *plausible_spans
};

typedef struct plausible_body {
    const snw_actor *actor;
    int joint[SNW_PART_COUNT][3];      /* [part][side], or -1 */
    double length[PLAUSIBLE_BONES][3]; /* metres; 0: not there */
    double stature;                    /* metres; 0: no person */
} plausible_body;

snw_judgement snw__judgement_make(snw_judgement_code code, snw_verdict verdict, double number)
{
    snw_judgement item;
    memset(&item, 0, sizeof item);
    item.code = code;
    item.verdict = verdict;
    item.joint = item.marker = item.frame = -1;
    item.number = number;
    return item;
}

/* ---- lengths ------------------------------------------------------------------------------ */

/* The distance of two joints of one segment. */
static double span_length(const plausible_body *body, snw_part part)
{
    int left = body->joint[part][SNW_SIDE_LEFT], right = body->joint[part][SNW_SIDE_RIGHT];
    const snw_skeleton *skeleton = body->actor->skeleton;
    if (left < 0 || right < 0) return 0;
    if (skeleton->parent[left] != skeleton->parent[right]) return 0;
    return snw_vec3_distance(skeleton->rest[left].translation, skeleton->rest[right].translation);
}

static void measure_bones(plausible_body *body)
{
    double stature[2 * PLAUSIBLE_BONES];
    int count = 0;
    for (int b = 0; b < PLAUSIBLE_BONES; b++)
        for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
            /* Only bones that are one: the lower joint hangs from the upper. */
            const plausible_bone *bone = plausible_bones + b;
            const snw_skeleton *skeleton = body->actor->skeleton;
            int upper = body->joint[bone->part][side], lower = body->joint[bone->to][side];
            body->length[b][side] = upper < 0 || lower < 0 || skeleton->parent[lower] != upper
                                        ? 0
                                        : snw_vec3_length(skeleton->rest[lower].translation);
            if (body->length[b][side] > 0)
                stature[count++] = body->length[b][side] / plausible_bones[b].share;
        }
    body->stature = count >= 3 ? snw__median(stature, count) : 0;
}

/* ---- what is said ------------------------------------------------------------------------- */

/* The share by which the longer of two lengths exceeds the shorter. */
static double excess_of(double length, double expected)
{
    return (length > expected ? length / expected : expected / length) - 1;
}

static void say_off(const plausible_body *body, const char *what, double length, double share,
                    int joint, snw_judgements *out)
{
    double expected = share * body->stature, excess = excess_of(length, expected);
    bool is_wide = share == plausible_spans[0].share || share == plausible_spans[1].share;
    if (!(excess > (is_wide ? PLAUSIBLE_SPAN : PLAUSIBLE_AMBER))) return;
    bool is_red = excess > (is_wide ? PLAUSIBLE_SPAN_RED : SNW__PROPORTION_MAX - 1);
    snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_IMPLAUSIBLE_BONE,
                                             is_red ? SNW_VERDICT_RED : SNW_VERDICT_AMBER, length);
    item.joint = joint;
    snw_format(item.sentence, sizeof item.sentence,
               "%s %s %.0f mm, a person of this size has about %.0f: its ends are not where "
               "the joints are",
               what, is_wide ? "are apart by" : "measures", 1000 * length, 1000 * expected);
    snw_judgements_add(out, &item);
}

static void judge_size(const plausible_body *body, snw_judgements *out)
{
    if (body->stature == 0) return;
    if (body->stature > SNW__STATURE_TODDLER && body->stature < SNW__STATURE_TALLEST) return;
    bool is_child = body->stature > SNW__STATURE_NEWBORN && body->stature <= SNW__STATURE_TODDLER;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_IMPLAUSIBLE_SIZE,
                            is_child ? SNW_VERDICT_AMBER : SNW_VERDICT_RED, body->stature);
    snw_format(item.sentence, sizeof item.sentence,
               "a person with these bones is %.2f m tall: %sis the unit%s of the file right?",
               body->stature, is_child ? "a small child, or " : "", is_child ? " or scale" : "");
    snw_judgements_add(out, &item);
}

/* ---- heads -------------------------------------------------------------------------------- */

/* Metres. Centres of markers stand 10 mm from the head: a radius of 7, band and hair. */
#define PLAUSIBLE_HEAD_DIAMETER (SNW__GIRTH_HEAD / SNW_PI + 2 * 0.010)
/* Four deviations of two things: heads differ, and bands sit as differently. */
#define PLAUSIBLE_HEAD_TIMES (1 + 4 * 1.414 * SNW__GIRTH_HEAD_DEVIATION / SNW__GIRTH_HEAD)

/* The marker of the head's band; -1: none. */
static int band_marker(const plausible_body *body, snw__landmark landmark, snw_side side)
{
    const snw_actor *actor = body->actor;
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != body->joint[SNW_PART_HEAD][SNW_SIDE_NONE]) continue;
        snw_label label = snw_label_read(actor->marker[m].name);
        if (label.landmark == (int)landmark && label.side == side) return m;
    }
    return -1;
}

/* Of the circle through three points: abc / (2 area). */
static double circle_diameter(snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    double twice_area = snw_vec3_length(snw_vec3_cross(snw_vec3_sub(b, a), snw_vec3_sub(c, a)));
    double sides = snw_vec3_distance(a, b) * snw_vec3_distance(b, c) * snw_vec3_distance(c, a);
    return twice_area > 0 ? sides / twice_area : 0;
}

/* Heads differ less than anything else of people: a band of four markers tells the capture's scale,
 * mean over the four circles through three of them. It may sit high, where a head is narrow: then
 * it tells only of bodies that are too small for grown-up ones by themselves. */
static void judge_head(const plausible_body *body, snw_judgements *out)
{
    snw_vec3 at[4];
    double diameter = 0;
    for (int n = 0; n < 4; n++) {
        int marker = band_marker(body, n < 2 ? SNW__LANDMARK_FHD : SNW__LANDMARK_BHD,
                                 n % 2 ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT);
        if (marker < 0) return;
        at[n] = body->actor->marker[marker].offset;
    }
    for (int n = 0; n < 4; n++)
        diameter += circle_diameter(at[n], at[(n + 1) % 4], at[(n + 2) % 4]) / 4;
    bool is_small = body->stature < SNW__STATURE - 4 * SNW__STATURE_DEVIATION;
    if (diameter < PLAUSIBLE_HEAD_DIAMETER && !is_small) return;
    double off = diameter / PLAUSIBLE_HEAD_DIAMETER;
    if (!(fmax(off, 1 / off) > PLAUSIBLE_HEAD_TIMES)) return;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_IMPLAUSIBLE_SIZE, SNW_VERDICT_AMBER, body->stature);
    item.joint = body->joint[SNW_PART_HEAD][SNW_SIDE_NONE];
    snw_format(item.sentence, sizeof item.sentence,
               "the markers round the head lie on a circle of %.0f mm, those of people on one of "
               "about %.0f: is the unit or scale of the file right?",
               1000 * diameter, 1000 * PLAUSIBLE_HEAD_DIAMETER);
    snw_judgements_add(out, &item);
}

/* From a joint to the nearest marker of its two segments; 0: they have none. */
static double nearest_marker(const plausible_body *body, int joint)
{
    const snw_actor *actor = body->actor;
    const snw_skeleton *skeleton = actor->skeleton;
    double nearest = HUGE_VAL;
    for (int m = 0; m < actor->marker_count; m++) {
        const snw_actor_marker *marker = actor->marker + m;
        if (marker->joint == joint)
            nearest = fmin(nearest, snw_vec3_length(marker->offset));
        else if (marker->joint == skeleton->parent[joint])
            nearest =
                fmin(nearest, snw_vec3_distance(marker->offset, skeleton->rest[joint].translation));
    }
    return nearest < HUGE_VAL ? nearest : 0;
}

/* A joint lies in the body: near some marker of one of its two segments, or of a segment further on
 * where these have none. */
static void judge_far_joints(const plausible_body *body, snw_judgements *out)
{
    const snw_skeleton *skeleton = body->actor->skeleton;
    for (int j = 1; j < skeleton->joint_count && body->stature > 0; j++) {
        double nearest = nearest_marker(body, j);
        if (!(nearest > PLAUSIBLE_FAR_MARKER)) continue;
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_FAR_JOINT, SNW_VERDICT_AMBER, nearest);
        item.joint = j;
        snw_format(item.sentence, sizeof item.sentence,
                   "the centre of %s lies %.0f mm from the nearest marker of its two segments",
                   skeleton->name[j], 1000 * nearest);
        snw_judgements_add(out, &item);
    }
}

/* ---- what that leaves of the joints' uncertainties --------------------------------------------
 */

/* A length is off by more than its ends are said to be: then one of them is not where it is said
 * to be, by half of that at least, and nobody knows which. */
static void doubt_ends(const plausible_body *body, const int *end, int count, double off,
                       double *least)
{
    double variance = 0;
    for (int n = 0; n < count; n++) {
        double stated = body->actor->estimate[end[n]].uncertainty;
        variance += stated * stated;
    }
    if (!(off > PLAUSIBLE_SIGMAS * sqrt(variance))) return;
    for (int n = 0; n < count; n++)
        least[end[n]] = fmax(least[end[n]], off / 2);
}

static plausible_body body_of(const snw_actor *actor)
{
    plausible_body body;
    memset(&body, 0, sizeof body);
    body.actor = actor;
    const snw_skeleton *skeleton = body.actor->skeleton;
    memset(body.joint, -1, sizeof body.joint);
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_side side;
        snw_part part = snw_part_read(snw__bare_label(skeleton->name[j]), &side);
        if (part != SNW_PART_NONE && body.joint[part][side] < 0) body.joint[part][side] = j;
    }
    measure_bones(&body);
    return body;
}

void snw__plausibility_doubt(const snw_actor *actor, double *least)
{
    const snw_skeleton *skeleton = actor->skeleton;
    plausible_body body = body_of(actor);
    for (int j = 0; j < skeleton->joint_count; j++)
        least[j] = 0;
    if (body.stature == 0) return;
    for (int b = 0; b < PLAUSIBLE_BONES; b++) {
        const plausible_bone *bone = plausible_bones + b;
        const double *length = body.length[b];
        const int *upper = body.joint[bone->part], *lower = body.joint[bone->to];
        double expected = bone->share * body.stature;
        for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
            const int end[] = {upper[side], lower[side]};
            if (length[side] > 0 && excess_of(length[side], expected) > PLAUSIBLE_AMBER)
                doubt_ends(&body, end, 2, fabs(length[side] - expected), least);
        }
        double left = length[SNW_SIDE_LEFT], right = length[SNW_SIDE_RIGHT];
        const int ends[] = {upper[SNW_SIDE_LEFT], lower[SNW_SIDE_LEFT], upper[SNW_SIDE_RIGHT],
                            lower[SNW_SIDE_RIGHT]};
        if (left > 0 && right > 0 && excess_of(left, right) > PLAUSIBLE_SIDES)
            doubt_ends(&body, ends, 4, fabs(left - right), least);
    }
    for (int s = 0; s < PLAUSIBLE_SPANS; s++) {
        const int *joint = body.joint[plausible_spans[s].part];
        const int ends[] = {joint[SNW_SIDE_LEFT], joint[SNW_SIDE_RIGHT]};
        double span = span_length(&body, plausible_spans[s].part);
        double expected = plausible_spans[s].share * body.stature;
        if (span > 0 && excess_of(span, expected) > PLAUSIBLE_SPAN)
            doubt_ends(&body, ends, 2, fabs(span - expected), least);
    }
    for (int j = 1; j < skeleton->joint_count; j++) {
        double length = snw_vec3_length(skeleton->rest[j].translation);
        double nearest = nearest_marker(&body, j);
        const int end[] = {skeleton->parent[j], j};
        if (length > SNW__BONE_MAX) doubt_ends(&body, end, 2, length / 2, least);
        if (nearest > PLAUSIBLE_FAR_MARKER) least[j] = fmax(least[j], nearest / 2);
    }
}

/* Squares of deviations: their sum and how many. */
typedef struct plausible_misfit {
    double sum;
    int count;
} plausible_misfit;

/* `tolerated` is four deviations. */
static void add_misfit(plausible_misfit *misfit, double excess, double tolerated)
{
    double off = 4 * excess / tolerated;
    misfit->sum += off * off;
    misfit->count++;
}

double snw__plausibility_misfit(const snw_actor *actor)
{
    plausible_body body = body_of(actor);
    plausible_misfit misfit = {0, 0};
    const snw_skeleton *skeleton = actor->skeleton;
    for (int b = 0; b < PLAUSIBLE_BONES; b++) {
        const plausible_bone *bone = plausible_bones + b;
        double left = body.length[b][SNW_SIDE_LEFT], right = body.length[b][SNW_SIDE_RIGHT];
        for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
            int lower = body.joint[bone->to][side];
            double length = body.length[b][side];
            /* A forearm that hangs from a leg is as wrong as a bone that nobody has. */
            if (lower >= 0 && skeleton->parent[lower] != body.joint[bone->part][side])
                add_misfit(&misfit, PLAUSIBLE_AMBER, PLAUSIBLE_AMBER);
            else if (length > 0 && body.stature > 0)
                add_misfit(&misfit, excess_of(length, bone->share * body.stature), PLAUSIBLE_AMBER);
        }
        if (left > 0 && right > 0) add_misfit(&misfit, excess_of(left, right), PLAUSIBLE_SIDES);
    }
    for (int n = 0; n < PLAUSIBLE_SPANS; n++) {
        double span = span_length(&body, plausible_spans[n].part);
        if (span > 0 && body.stature > 0)
            add_misfit(&misfit, excess_of(span, plausible_spans[n].share * body.stature),
                       PLAUSIBLE_SPAN);
    }
    for (int j = 1; j < skeleton->joint_count; j++)
        if (skeleton->bone_length[j] > SNW__BONE_MAX)
            add_misfit(&misfit,
                       excess_of(skeleton->bone_length[j], SNW__BONE_MAX) + PLAUSIBLE_AMBER,
                       PLAUSIBLE_AMBER);
    return misfit.count ? misfit.sum / misfit.count : 0;
}

void snw__judge_plausibility(const snw_judged *solution, snw_judgements *out)
{
    plausible_body body = body_of(solution->actor);
    judge_size(&body, out);
    judge_head(&body, out);
    if (body.stature > 0) {
        static const char *const sides[] = {"left", "right"};
        for (int b = 0; b < PLAUSIBLE_BONES; b++) {
            for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
                char what[48];
                snw_format(what, sizeof what, "the %s %s", sides[side], plausible_bones[b].name);
                if (body.length[b][side] > 0)
                    say_off(&body, what, body.length[b][side], plausible_bones[b].share,
                            body.joint[plausible_bones[b].to][side], out);
            }
            double left = body.length[b][SNW_SIDE_LEFT], right = body.length[b][SNW_SIDE_RIGHT];
            if (left == 0 || right == 0 || !(excess_of(left, right) > PLAUSIBLE_SIDES)) continue;
            snw_judgement item = snw__judgement_make(
                SNW_JUDGEMENT_UNEQUAL_SIDES,
                excess_of(left, right) > PLAUSIBLE_SIDES_RED ? SNW_VERDICT_RED : SNW_VERDICT_AMBER,
                fabs(left - right));
            snw_format(item.sentence, sizeof item.sentence,
                       "the left %s measures %.0f mm, the right one %.0f: people's sides are alike",
                       plausible_bones[b].name, 1000 * left, 1000 * right);
            snw_judgements_add(out, &item);
        }
        for (int s = 0; s < PLAUSIBLE_SPANS; s++) {
            char what[48];
            double span = span_length(&body, plausible_spans[s].part);
            snw_format(what, sizeof what, "the %s", plausible_spans[s].name);
            if (span > 0)
                say_off(&body, what, span, plausible_spans[s].share,
                        body.joint[plausible_spans[s].part][SNW_SIDE_LEFT], out);
        }
    }
    /* Bones of bodies that are no person, or not known to be one. */
    const snw_skeleton *skeleton = body.actor->skeleton;
    for (int j = 1; j < skeleton->joint_count; j++) {
        double length = snw_vec3_length(skeleton->rest[j].translation);
        /* metres: no bone of a person is longer */
        if (!(length > SNW__BONE_MAX)) continue;
        /* Of a person, or between two parts of one. */
        snw_side side;
        int up = skeleton->parent[j];
        bool is_human =
            (body.stature > 0 && body.stature < SNW__STATURE_TALLEST) ||
            (snw_part_read(snw__bare_label(skeleton->name[j]), &side) != SNW_PART_NONE &&
             snw_part_read(snw__bare_label(skeleton->name[up]), &side) != SNW_PART_NONE);
        snw_judgement item = snw__judgement_make(
            SNW_JUDGEMENT_IMPLAUSIBLE_BONE, is_human ? SNW_VERDICT_RED : SNW_VERDICT_AMBER, length);
        item.joint = j;
        snw_format(item.sentence, sizeof item.sentence,
                   "the bone from %s to %s measures %.0f mm: no bone of a person is as long",
                   skeleton->name[skeleton->parent[j]], skeleton->name[j], 1000 * length);
        snw_judgements_add(out, &item);
    }
    judge_far_joints(&body, out);
}

/* A person in points that nobody named: whether the best answer is believed, and the names that
 * follow. */
#include "recognise/recognise.h"

#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "math/robust.h"
#include "person/movement.h"
#include "recognise/recognise_constants.h"

/* ---- names ---------------------------------------------------------------------------------- */

/* What a cluster on a segment is called: "LTH1". */
static const char *const cluster_names[SNW_PART_COUNT] = {
    [SNW_PART_HIPS] = "PV",       [SNW_PART_CHEST] = "CHEST", [SNW_PART_HEAD] = "HEAD",
    [SNW_PART_SHOULDER] = "SCAP", [SNW_PART_ARM] = "UA",      [SNW_PART_FOREARM] = "FA",
    [SNW_PART_HAND] = "HAND",     [SNW_PART_UPLEG] = "TH",    [SNW_PART_LEG] = "SK",
    [SNW_PART_FOOT] = "FT",
};

/* An earlier point of the same cluster that is a piece of one marker with this one: at the same
 * place, and neither it nor another of its name is seen together with it. -1: none. */
static int earlier_piece(const snw__recognise_work *work, const snw__hypothesis *best,
                         const snw_recognised *recognised, int point)
{
    for (int q = 0; q < point; q++) {
        /* Statures (2 cm): points at no site that are never seen together and so near are pieces of
         * one marker. */
        if (best->choice[q] != best->choice[point] ||
            snw_vec3_distance(best->at[q], best->at[point]) > TRACK_LAST)
            continue;
        bool is_piece = true;
        for (int r = 0; r < point && is_piece; r++)
            is_piece = work->is_apart[r * work->point_count + point] ||
                       strcmp(recognised->marker[work->marker[r]].name,
                              recognised->marker[work->marker[q]].name) != 0;
        if (is_piece) return q;
    }
    return -1;
}

/* Pieces of one marker get one name. */
static void name_markers(const snw__recognise_work *work, const snw__hypothesis *best,
                         snw_recognised *recognised)
{
    static const char *const sides[] = {"L", "R", ""};
    int numbers[SNW__SEGMENT_COUNT] = {0};
    for (int p = 0; p < work->point_count; p++) {
        snw_recognised_marker *marker = recognised->marker + work->marker[p];
        int choice = best->choice[p], segment = snw__choice_segment(work, choice);
        marker->cost = best->price[p];
        if (segment < 0) continue;
        marker->part = snw__segment_of(segment)->part;
        marker->side = snw__segment_side(segment);
        recognised->named_count++;
        if (choice < work->site_count) {
            recognised->site_count++;
            snw_format(marker->name, sizeof marker->name, "%s%s", sides[work->site[choice].side],
                       snw__landmark_at(work->site[choice].row->landmark)->name);
            continue;
        }
        int piece = earlier_piece(work, best, recognised, p);
        if (piece >= 0)
            snw_format(marker->name, sizeof marker->name, "%s",
                       recognised->marker[work->marker[piece]].name);
        else
            snw_format(marker->name, sizeof marker->name, "%s%s%d", sides[marker->side],
                       cluster_names[marker->part], ++numbers[segment]);
    }
}

/* [measured] on the captures that scripts/fit_sites names: marker sets have a doubt of up to 5.7,
 * plates included, markers put at random on motions, three on a segment, 7.2 and more; with two on
 * a segment, of which motion tells little, a walk has 6.0. Part of a body is more easily seen in
 * something else. */
static const double doubt_max[SNW__PLAN_COUNT] = {
    [SNW__PLAN_BODY] = 6.4,
    [SNW__PLAN_LEGS] = 5.0,
    [SNW__PLAN_ARMLESS] = 5.0,
    [SNW__PLAN_UPPER_BODY] = 3.0,
};

/* Distance of the nearest point on a segment from a place there; `but` and other pieces of it are
 * no answer. */
static double nearest_on(const snw__recognise_work *work, const snw__hypothesis *best, int segment,
                         snw_vec3 place, int but)
{
    double least = INFINITY;
    for (int q = 0; q < work->point_count; q++) {
        if (snw__choice_segment(work, best->choice[q]) != segment) continue;
        if (but >= 0 && (q == but || work->is_apart[q * work->point_count + but])) continue;
        least = fmin(least, snw_vec3_distance(best->at[q], place));
    }
    return least;
}

/* Is there a counterpart on the other side? Who marks people marks both sides alike, whatever the
 * set: plates on thighs, too. Markers that were put anywhere seldom have one; where they are dense
 * it must be nearer. A point in the middle is its own. */
static bool is_mirrored(const snw__recognise_work *work, const snw__hypothesis *best, int point)
{
    int segment = snw__choice_segment(work, best->choice[point]);
    if (segment < 0) return false;
    snw_vec3 at = best->at[point], image = {at.x, -at.y, at.z};
    double apart = nearest_on(work, best, segment, at, point);
    return nearest_on(work, best, snw__segment_mirror(segment), image, -1) <
           fmin(RECOGNISE_MIRRORED, apart / 2);
}

/* How well the points sit, each counted by the share of the trial in which it is seen: a marker in
 * pieces is one marker. */
typedef struct recognise_fit {
    double cost;   /* of a whole point */
    double placed; /* share of the points that sit well where marker sets have a marker, or have a
                      counterpart; markers that were put anywhere on a body do so less, and what
                      segments they are on is better told by their motion */
} recognise_fit;

static const char *const plan_names[SNW__PLAN_COUNT] = {
    [SNW__PLAN_BODY] = "whole body",
    [SNW__PLAN_LEGS] = "legs",
    [SNW__PLAN_ARMLESS] = "body without arms",
    [SNW__PLAN_UPPER_BODY] = "upper body",
};

/* ---- the whole ------------------------------------------------------------------------------ */

void snw_recognised_destroy(snw_recognised *recognised)
{
    if (!recognised) return;
    snw_allocator allocator = recognised->allocator;
    snw__release(&allocator, recognised, recognised->block_size);
}

static void lay_out_result(void *object, snw__block *block)
{
    snw_recognised *recognised = object;
    snw__block_take(block, 1, sizeof *recognised);
    recognised->marker =
        snw__block_take(block, (size_t)recognised->marker_count, sizeof(snw_recognised_marker));
}

static snw_status create_result(const snw_trial *trial, const snw_allocator *allocator,
                                snw_recognised **out, snw_error *error)
{
    snw_recognised sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.marker_count = trial->marker_count;
    sketch.allocator = *allocator;
    sketch.plan = sketch.set = "";
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_result, &sketch, allocator, "recognised markers", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    *out = (void *)block.base;
    **out = sketch;
    for (int m = 0; m < trial->marker_count; m++)
        (*out)->marker[m].side = SNW_SIDE_NONE;
    return SNW_OK;
}

/* Names that people gave tell more than shapes. */
static bool is_unnamed(const snw_trial *trial)
{
    int automatic = 0;
    for (int m = 0; m < trial->marker_count; m++)
        automatic += snw_label_is_automatic(trial->marker[m].name);
    return automatic >= RECOGNISE_NAMED * trial->marker_count;
}

/* Names what was computed, and tells. */
static snw_status leave_out_computed(const snw_trial *trial, const snw_allocator *allocator,
                                     snw_recognised *recognised, snw_notes *notes, snw_error *error)
{
    int count[SNW__COMPUTED_COUNT] = {0}, all = 0, number = 0, markers = trial->marker_count;
    size_t size = snw__size_mul((size_t)markers, sizeof(snw__computed_reason));
    snw__computed_reason *reason = snw__allocate(allocator, size);
    if (!reason) return snw__fail_memory(error, size, "reasons");
    snw_status status = snw__computed_points_find(trial, allocator, reason, error);
    for (int m = 0; m < markers && status == SNW_OK; m++) {
        if (reason[m] == SNW__COMPUTED_NOT) continue;
        /* A name for computed points that no marker of the trial has. */
        do
            snw_format((recognised->marker[m].name), 16, "Computed%d", ++number);
        while (snw_trial_find_marker(trial, (recognised->marker[m].name)) >= 0);
        count[reason[m]]++;
        all++;
    }
    snw__release(allocator, reason, size);
    if (all)
        snw__note(notes, SNW_NOTE_POINTS_COMPUTED, SNW__NOWHERE,
                  "%d unnamed points are no markers and are left out: %d stay about the origin or "
                  "away from the body (angles, forces, moments), a coordinate of %d never changes, "
                  "%d are axes at right angles",
                  all, count[SNW__COMPUTED_QUANTITY], count[SNW__COMPUTED_FLAT],
                  count[SNW__COMPUTED_AXIS]);
    return status;
}

static snw_status recognise(const snw_trial *trial, const int *marker,
                            const snw_allocator *allocator, snw_recognised *recognised,
                            snw_error *error)
{
    snw__recognise_work *work = NULL;
    snw_status status =
        snw__recognise_open(trial, marker, recognised->point_count, allocator, &work, error);
    if (status != SNW_OK) return status;
    double margin;
    const snw__hypothesis *best = snw__recognise_search(work, &margin);
    if (best) {
        double all = 0, good = 0, cost = best->points_cost;
        for (int p = 0; p < work->point_count; p++) {
            int count = 0;
            for (int f = 0; f < work->frame_count; f++)
                count += snw__point_is_seen(work, f, p);
            double seen = count / (double)work->frame_count;
            bool is_site = best->choice[p] >= 0 && best->choice[p] < work->site_count;
            bool is_good =
                (is_site && best->price[p] < RECOGNISE_GOOD) || is_mirrored(work, best, p);
            all += seen;
            good += is_good ? seen : 0;
            cost -= (1 - seen) * best->price[p];
        }
        recognise_fit fit = {cost / fmax(all, 1), good / fmax(all, 1)};
        name_markers(work, best, recognised);
        recognised->stature = snw__exp(best->log_stature);
        recognised->margin = margin;
        recognised->cost = fit.cost;
        double doubt = fit.cost + RECOGNISE_ELSEWHERE * (1 - fit.placed);
        recognised->plan = plan_names[best->plan];
        recognised->set = snw__recognise_set(work, best);
        /* That it is a marker set, by its doubt, and that it is not the next best answer, by the
         * margin. */
        double most = doubt_max[best->plan];
        double set = 1 / (1 + snw__exp(snw_clamp((doubt - most) / RECOGNISE_DOUBT_SCALE, -50, 50)));
        recognised->confidence =
            margin > 0 ? set / (1 + snw__exp(fmax(SNW__EVIDENCE_DECISIVE - margin, -50))) : 0;
        recognised->is_person = margin >= SNW__EVIDENCE_DECISIVE &&
                                doubt <= doubt_max[best->plan] &&
                                recognised->named_count >= RECOGNISE_NAMED * work->point_count;
        if (!recognised->is_person) recognised->confidence = fmin(recognised->confidence, 0.5);
    }
    snw__recognise_close(work);
    return SNW_OK;
}

/* ---- several people ------------------------------------------------------------------------- */

/* The points of a capture, parted. */
typedef struct recognise_parts {
    const snw_trial *trial;
    const int *marker; /* (point_count) */
    int point_count;
    int person[SNW__PEOPLE_POINTS];
    int people;
    snw_recognised *found[SNW__PEOPLE_MAX];
} recognise_parts;

/* Looks for a person in the points of one part. */
static snw_status recognise_part(recognise_parts *parts, int part, const snw_recognised *all,
                                 snw_error *error)
{
    int own[SNW__PEOPLE_POINTS], count = 0;
    for (int p = 0; p < parts->point_count; p++)
        if (parts->person[p] == part) own[count++] = parts->marker[p];
    snw_status status = create_result(parts->trial, &all->allocator, parts->found + part, error);
    if (status != SNW_OK) return status;
    if (count > SNW__RECOGNISE_POINTS) return SNW_OK;
    parts->found[part]->point_count = count;
    return recognise(parts->trial, own, &all->allocator, parts->found[part], error);
}

/* Every part is a person, marked like the others: legs and an upper body are one. */
static bool are_people(const recognise_parts *parts)
{
    for (int k = 0; k < parts->people; k++)
        if (!parts->found[k] || !parts->found[k]->is_person ||
            strcmp(parts->found[k]->plan, parts->found[0]->plan) != 0)
            return false;
    return true;
}

/* Looks for a person in every part; takes them where all are. */
static snw_status try_parts(recognise_parts *parts, snw_recognised *recognised, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int k = 0; k < parts->people && status == SNW_OK; k++) {
        status = recognise_part(parts, k, recognised, error);
        if (status == SNW_OK && !parts->found[k]->is_person) break;
    }
    if (status == SNW_OK && are_people(parts)) {
        /* Nothing but what was computed. */
        for (int m = 0; m < recognised->marker_count; m++)
            if (!snw__is_computed(recognised, m))
                recognised->marker[m] = (snw_recognised_marker){.side = SNW_SIDE_NONE};
        recognised->named_count = recognised->site_count = 0;
        for (int k = 0; k < parts->people; k++) {
            /* What was found of one person goes to all, with its number before the names. */
            const snw_recognised *one = parts->found[k];
            for (int m = 0; m < recognised->marker_count; m++) {
                snw_recognised_marker *marker = recognised->marker + m;
                if (!one->marker[m].name[0]) continue;
                *marker = one->marker[m];
                snw_format(marker->name, sizeof marker->name, "P%d:%.12s", (k + 1),
                           one->marker[m].name);
            }
            bool is_first = (k + 1) == 1;
            recognised->is_person = true;
            recognised->named_count += one->named_count;
            recognised->site_count += one->site_count;
            recognised->cost = is_first ? one->cost : fmax(recognised->cost, one->cost);
            recognised->margin = is_first ? one->margin : fmin(recognised->margin, one->margin);
            recognised->confidence =
                is_first ? one->confidence : fmin(recognised->confidence, one->confidence);
            recognised->stature = is_first ? one->stature : recognised->stature;
            recognised->plan = one->plan;
            recognised->set = one->set;
        }
    }
    for (int k = 0; k < parts->people; k++) {
        snw_recognised_destroy(parts->found[k]);
        parts->found[k] = NULL;
    }
    return status;
}

/* The points of a capture that are looked at. */
typedef struct recognise_points {
    int marker[SNW__PEOPLE_POINTS];
    int count;
    double whole; /* markers, each by the share of the trial in which it is seen */
} recognise_points;

/* Where the points are of no person, they may be of several: each is then looked for alone. Those
 * who are clearly apart come before anything is looked for in all points together. */
static snw_status recognise_people(const snw_trial *trial, const recognise_points *points,
                                   bool is_apart, snw_recognised *recognised, snw_error *error)
{
    snw__people_parting people;
    snw_status status = snw__people_open(trial, points->marker, points->count,
                                         &recognised->allocator, &people, error);
    recognise_parts parts = {
        .trial = trial, .marker = points->marker, .point_count = points->count};
    if (status == SNW_OK && is_apart) {
        parts.people = snw__people_part_apart(&people, parts.person);
        if (parts.people > 1) status = try_parts(&parts, recognised, error);
    }
    bool is_many = points->whole > SNW__RECOGNISE_POINTS;
    for (int n = 4; n < 2 * (SNW__PEOPLE_MAX + 1) && status == SNW_OK && !is_apart; n++) {
        parts.people = n / 2;
        if (recognised->is_person || (is_many && n % 2)) continue;
        if (n % 2 == 0 ? snw__people_part_by_cuts(&people, n / 2, parts.person)
                       : snw__people_part_by_spectrum(&people, n / 2, parts.person))
            status = try_parts(&parts, recognised, error);
    }
    snw__block_release(&recognised->allocator, &people.block);
    return status;
}

/* One person, or several. */
static snw_status recognise_points_of(const snw_trial *trial, const recognise_points *points,
                                      bool is_one, snw_recognised *recognised, snw_error *error)
{
    snw_status status = SNW_OK;
    if (!is_one) status = recognise_people(trial, points, true, recognised, error);
    if (status != SNW_OK || recognised->is_person) return status;
    if (points->whole <= SNW__RECOGNISE_POINTS) {
        if (points->count > SNW__RECOGNISE_POINTS) recognised->point_count = SNW__RECOGNISE_POINTS;
        status = recognise(trial, points->marker, &recognised->allocator, recognised, error);
        if (status != SNW_OK || recognised->is_person) return status;
    }
    recognised->point_count = points->count;
    return is_one ? SNW_OK : recognise_people(trial, points, false, recognised, error);
}

static snw_status recognise_trial(const snw_trial *trial, bool ignores_names,
                                  const snw_allocator *allocator, snw_recognised **out,
                                  snw_notes *notes, snw_error *error)
{
    *out = NULL;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = create_result(trial, &memory, out, error);
    if (status != SNW_OK) return status;
    snw_recognised *recognised = *out;
    recognise_points points = {.count = 0};
    if (ignores_names || is_unnamed(trial)) {
        status = leave_out_computed(trial, &memory, recognised, notes, error);
        if (ignores_names) {
            /* What the file says is no marker is none, whatever it does. */
            for (int m = 0; m < trial->marker_count; m++)
                if (!snw_trial_is_marker(trial, m))
                    snw_format(recognised->marker[m].name, sizeof recognised->marker[m].name,
                               "Computed");
        }
        points.count = snw__recognise_points(trial, recognised, points.marker, &points.whole);
    }
    if (points.count >= SNW__MARKERS_MIN) recognised->point_count = points.count;
    if (status == SNW_OK && recognised->point_count && points.whole <= SNW__PEOPLE_POINTS)
        status = recognise_points_of(trial, &points, ignores_names, recognised, error);
    if (status != SNW_OK) {
        snw_recognised_destroy(recognised);
        *out = NULL;
        return status;
    }
    if (recognised->point_count) {
        if (recognised->is_person)
            snw__note(
                notes, SNW_NOTE_PERSON_RECOGNISED, SNW__NOWHERE,
                "a person was recognised in %d of %d unnamed markers (%s, marker set: %s, "
                "stature about %.2f m, confidence %.0f %%): segments and joints are named by that",
                recognised->named_count, recognised->point_count, recognised->plan,
                *recognised->set ? recognised->set : "none that is known", recognised->stature,
                100 * recognised->confidence);
        else
            snw__note(notes, SNW_NOTE_PERSON_NOT_RECOGNISED, SNW__NOWHERE,
                      "no person was recognised in %d unnamed markers: segments come from the "
                      "motion alone",
                      recognised->point_count);
    }
    return snw__succeed(error);
}

snw_status snw_trial_recognise(const snw_trial *trial, const snw_allocator *allocator,
                               snw_recognised **out, snw_notes *notes, snw_error *error)
{
    return recognise_trial(trial, false, allocator, out, notes, error);
}

snw_status snw_trial_recognise_anew(const snw_trial *trial, const snw_allocator *allocator,
                                    snw_recognised **out, snw_notes *notes, snw_error *error)
{
    return recognise_trial(trial, true, allocator, out, notes, error);
}

snw_status snw_recognised_name(const snw_recognised *recognised, snw_trial *trial, snw_error *error)
{
    if (trial->marker_count != recognised->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "%d markers were recognised, but the trial has %d",
                         recognised->marker_count, trial->marker_count);
    for (int m = 0; m < trial->marker_count; m++) {
        bool is_computed = snw__is_computed(recognised, m);
        if (!recognised->marker[m].name[0] || !(recognised->is_person || is_computed) ||
            !snw_label_is_automatic(trial->marker[m].name))
            continue;
        snw_computed_points made = {SNW_POINT_JOINT, trial->unit, m, 1};
        snw_status status = snw_trial_set_marker_name(trial, m, recognised->marker[m].name, error);
        if (status == SNW_OK && is_computed) status = snw_trial_mark_computed(trial, &made, error);
        if (status != SNW_OK) return status;
    }
    return snw__succeed(error);
}

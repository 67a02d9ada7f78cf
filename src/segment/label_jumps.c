/* Labels that two markers exchange for a while, found from their paths alone.
 *
 * In the frame of an exchange each of two markers jumps to where the other one was expected, and
 * when it ends they jump back. Both are expected to go on as they went. No segments are asked, so
 * this finds exchanges inside a segment and on segments of one or two markers, where distances tell
 * nothing (label_swaps.c has the others: exchanges that begin or end while a marker is hidden). Of
 * an exchange without an end the longer side is held to be right, where that is asked for. Nothing
 * is exchanged that does not bring the markers nearer to constant distances from others. */
#include <math.h>
#include <string.h>

#include <sinew/segment.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "math/robust.h"
#include "segment/segment_constants.h"

enum {
    JUMPS_AT_ONCE = 512 /* markers: more than ten people wear */
};

typedef struct jump_marker {
    int seen;          /* frame it was last seen in, -1: never */
    snw_vec3 place;    /* there */
    snw_vec3 velocity; /* metres a frame; 0 where only one frame is known */
    double usual;      /* running mean of how far it lies from where it is expected, metres */
    bool has_jumped;   /* in this frame */
    snw_vec3 expected; /* in this frame */
    int partner;       /* whose label it carries, -1: its own */
    int since;         /* from which frame on */
} jump_marker;

typedef struct jump_job {
    snw_trial *trial;
    jump_marker *marker; /* (marker_count) */
    snw_notes *notes;
    bool with_open;
    int exchanged_count;
} jump_job;

/* ---- is it better so? --------------------------------------------------------------------------
 */

/* Standard deviation of the distance from a to c over frames around [from, to), with b in a's place
 * there where `is_exchanged`. Infinite where too few frames show them. */
static double deviation(const jump_job *job, int a, int b, int c, const int range[2],
                        bool is_exchanged)
{
    const snw_trial *trial = job->trial;
    int reach = range[1] - range[0] > JUMP_REACH ? range[1] - range[0] : JUMP_REACH;
    int first = range[0] > reach ? range[0] - reach : 0;
    int last = trial->frame_count - range[1] > reach ? range[1] + reach : trial->frame_count;
    double count = 0, sum = 0, square = 0;
    for (int frame = first; frame < last; frame += 1 + (last - first) / SNW__SAMPLES_SPREAD) {
        int who = is_exchanged && frame >= range[0] && frame < range[1] ? b : a;
        if (!snw_trial_is_present(trial, frame, who) || !snw_trial_is_present(trial, frame, c))
            continue;
        double d = snw_vec3_distance(snw_trial_position(trial, frame, who),
                                     snw_trial_position(trial, frame, c));
        count++;
        sum += d;
        square += d * d;
    }
    if (count < 10) return INFINITY;
    return sqrt(fmax(square / count - sum * sum / (count * count), 0));
}

/* The deviation from the marker that either path keeps its distance to best. */
static double least_deviation(const jump_job *job, int a, int b, const int range[2],
                              bool is_exchanged)
{
    double least = INFINITY;
    for (int c = 0; c < job->trial->marker_count; c++)
        if (c != a && c != b) least = fmin(least, deviation(job, a, b, c, range, is_exchanged));
    return least;
}

static bool is_better_exchanged(const jump_job *job, int a, int b, const int range[2])
{
    double as_it_is =
        least_deviation(job, a, b, range, false) + least_deviation(job, b, a, range, false);
    double exchanged =
        least_deviation(job, a, b, range, true) + least_deviation(job, b, a, range, true);
    return exchanged < JUMP_BETTER * as_it_is;
}

static void exchange_back(jump_job *job, int a, int b, const int range[2])
{
    snw_trial *trial = job->trial;
    if (!is_better_exchanged(job, a, b, range)) return;
    for (int frame = range[0]; frame < range[1]; frame++) {
        size_t at = (size_t)frame * (size_t)trial->marker_count;
        size_t one = at + (size_t)a, two = at + (size_t)b;
        snw_sample sample = trial->sample[one];
        uint8_t state = trial->state[one];
        trial->sample[one] = trial->sample[two];
        trial->sample[two] = sample;
        trial->state[one] = trial->state[two];
        trial->state[two] = state;
        if (trial->uncertainty) {
            float doubt = trial->uncertainty[one];
            trial->uncertainty[one] = trial->uncertainty[two];
            trial->uncertainty[two] = doubt;
        }
        job->exchanged_count++;
    }
    snw__place place = snw__at_name(a, trial->marker[a].name);
    place.frame = range[0];
    snw__note(job->notes, SNW_NOTE_LABELS_EXCHANGED, place,
              "%s and %s are exchanged in frames %d to %d: exchanged back", trial->marker[a].name,
              trial->marker[b].name, trial->first_frame + range[0],
              trial->first_frame + range[1] - 1);
}

/* ---- jumps --------------------------------------------------------------------------------------
 */

/* How well a marker that jumped stands where the other was expected: distance from there by
 * distance from its own expected place. */
static double fit_at_other(const jump_job *job, int frame, int a, int b)
{
    snw_vec3 at = snw_trial_position(job->trial, frame, a);
    return snw_vec3_distance(at, job->marker[b].expected) /
           snw_vec3_distance(at, job->marker[a].expected);
}

static int find_exchange(const jump_job *job, int frame, int a)
{
    int best = -1;
    double least = JUMP_FIT;
    for (int b = 0; b < job->trial->marker_count; b++) {
        if (b == a || !job->marker[b].has_jumped) continue;
        double fit = fmax(fit_at_other(job, frame, a, b), fit_at_other(job, frame, b, a));
        if (!(fit < least)) continue;
        least = fit;
        best = b;
    }
    return best;
}

/* An exchange without an end: the longer side of it is right. */
static void end_open(jump_job *job, int a)
{
    const snw_trial *trial = job->trial;
    int b = job->marker[a].partner, since = job->marker[a].since, all = trial->frame_count;
    const int before[2] = {0, since}, after[2] = {since, all};
    const int *range = 2 * since < all ? before : after;
    if (b <= a) return; /* none, or told with the other one */
    if (job->with_open) {
        exchange_back(job, a, b, range);
    } else if (is_better_exchanged(job, a, b, range)) {
        snw__place place = snw__at_name(a, trial->marker[a].name);
        place.frame = since;
        snw__note(job->notes, SNW_NOTE_LABELS_EXCHANGED, place,
                  "%s and %s change places in frame %d and do not change back: left as they are",
                  trial->marker[a].name, trial->marker[b].name, trial->first_frame + since);
    }
}

/* The two jumped to each other's place: an exchange begins, or the one that had begun ends. */
static void meet(jump_job *job, int frame, int a, int b)
{
    jump_marker *one = job->marker + a, *two = job->marker + b, kept = *one;
    if (one->partner == b) {
        const int range[2] = {one->since, frame};
        exchange_back(job, a, b, range);
        one->partner = two->partner = -1;
    } else if (one->partner < 0 && two->partner < 0) {
        one->partner = b;
        two->partner = a;
        one->since = two->since = frame;
    } else {
        return; /* three markers in a ring: too much to say whose place is whose */
    }
    /* Each goes on from where the other one was. */
    one->place = two->place, one->velocity = two->velocity;
    one->expected = two->expected, one->usual = two->usual;
    two->place = kept.place, two->velocity = kept.velocity;
    two->expected = kept.expected, two->usual = kept.usual;
    one->has_jumped = two->has_jumped = false;
}

/* Labels that people gave exchange by ones and limbs. Where hundreds jump at once, as in noise, no
 * pair is looked for: pairs grow with the square. */
static bool is_storm(const jump_job *job)
{
    int count = 0;
    for (int m = 0; m < job->trial->marker_count; m++)
        count += job->marker[m].has_jumped;
    return count > JUMPS_AT_ONCE;
}

snw_status snw_trial_undo_jumps(snw_trial *trial, bool with_open, const snw_allocator *allocator,
                                int *exchanged_count, snw_notes *notes, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = snw__size_mul((size_t)trial->marker_count, sizeof(jump_marker));
    jump_job job = {trial, snw__allocate(&memory, size), notes, with_open, 0};
    if (exchanged_count) *exchanged_count = 0;
    if (!job.marker) return snw__fail_memory(error, size, "looking for exchanged labels");
    for (int m = 0; m < trial->marker_count; m++)
        job.marker[m].seen = job.marker[m].partner = -1;
    for (int frame = 0; frame < trial->frame_count; frame++) {
        /* Where each marker is expected, and who is not there. */
        for (int m = 0; m < job.trial->marker_count; m++) {
            jump_marker *marker = job.marker + m;
            marker->has_jumped = false;
            int hidden = frame - marker->seen;
            if (marker->seen < 0 || hidden > JUMP_HIDDEN_MAX ||
                !snw_trial_is_present(job.trial, frame, m))
                continue;
            marker->expected = snw_vec3_add_scaled(marker->place, hidden, marker->velocity);
            double off =
                snw_vec3_distance(snw_trial_position(job.trial, frame, m), marker->expected);
            marker->has_jumped = off > JUMP_LEAST && off > SNW__OUTLIER * marker->usual;
        }
        for (int a = is_storm(&job) ? trial->marker_count : 0; a < trial->marker_count; a++) {
            int b = job.marker[a].has_jumped ? find_exchange(&job, frame, a) : -1;
            if (b >= 0) meet(&job, frame, a, b);
        }
        for (int m = 0; m < job.trial->marker_count; m++) {
            jump_marker *marker = job.marker + m;
            if (!snw_trial_is_present(job.trial, frame, m)) continue;
            snw_vec3 at = snw_trial_position(job.trial, frame, m);
            int hidden = frame - marker->seen;
            bool goes_on = marker->seen >= 0 && hidden <= JUMP_HIDDEN_MAX;
            if (goes_on) {
                double off = snw_vec3_distance(at, marker->expected);
                marker->usual += (off - marker->usual) / JUMP_USUAL_FRAMES;
                marker->velocity = snw_vec3_scale(snw_vec3_sub(at, marker->place), 1.0 / hidden);
            } else {
                marker->velocity = snw_vec3_make(0, 0, 0);
                marker->usual = JUMP_LEAST / SNW__OUTLIER;
            }
            marker->place = at;
            marker->seen = frame;
        }
    }
    for (int m = 0; m < trial->marker_count; m++)
        end_open(&job, m);
    if (exchanged_count) *exchanged_count = job.exchanged_count;
    snw__release(&memory, job.marker, size);
    return snw__succeed(error);
}

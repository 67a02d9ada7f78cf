/* Labels that two markers exchange for a while, found from the shapes of segments and undone.
 *
 * Inside a segment distances hardly change. A marker whose distances to most of its segment's other
 * markers are wrong in a frame is not where its label says. Where two such markers of different
 * segments fit in each other's place, or one fits in the place of a marker that is missing, their
 * labels were exchanged. A segment needs three markers for that: of two, nobody can tell which is
 * wrong. */
#include <math.h>
#include <string.h>

#include <sinew/segment.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "math/kernel.h"
#include "math/order.h"
#include "math/robust.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"
#include "segment/segment_methods.h"

typedef struct swap_job {
    snw_trial *trial;
    const snw_segments *segments;
    int *first;     /* (segment_count + 1) of each segment's pairs in length and bound */
    double *length; /* (pairs) usual distance, metres */
    double *bound;  /* (pairs) how far a distance may be from it */
    /* Frames that usual distances are taken from, at most and at least. */
    double *room; /* (SNW__SAMPLES_SPREAD) */
    int *suspect; /* (marker_count) in one frame */
    int *partner; /* (marker_count) whose label it had in the last frame, -1: its own */
    int *since;   /* (marker_count) since which frame */
    int *until;   /* (marker_count) the last frame in which it had */
    snw_notes *notes;
    int exchanged_count;
} swap_job;

/* ---- usual distances ---------------------------------------------------------------------- */

static size_t pair_count(const snw_segment *segment)
{
    size_t n = (size_t)segment->marker_count;
    /* Markers of a segment below which nobody can tell which of them is wrong. */
    return n >= SNW__FRAME_POINTS ? n * n : 0;
}

static double distance_of(const swap_job *job, int frame, int a, int b)
{
    return snw_vec3_distance(snw_trial_position(job->trial, frame, a),
                             snw_trial_position(job->trial, frame, b));
}

/* The markers by which one of a segment of `count` is judged: all others, or those next to it in
 * the segment's list, in a ring. */
static int opinion_count(int count)
{
    return count - 1 < 2 * SWAP_NEIGHBOURS ? count - 1 : 2 * SWAP_NEIGHBOURS;
}

static int opinion(int count, int n, int k)
{
    return (n + (k % 2 ? count - (k + 1) / 2 : k / 2 + 1)) % count;
}

/* ---- one frame ---------------------------------------------------------------------------- */

/* Does the place of marker `at` fit the segment's nth marker? 1: most of the segment's other
 * markers agree, -1: most do not, 0: too few are seen. */
static int fits(const swap_job *job, int frame, int segment_index, int n, int at)
{
    const snw_segment *segment = job->segments->segment + segment_index;
    int seen = 0, agreed = 0;
    for (int o = 0; o < opinion_count(segment->marker_count); o++) {
        int k = opinion(segment->marker_count, n, o);
        int pair = job->first[segment_index] + n * segment->marker_count + k;
        if (segment->marker[k] == at ||
            !snw__trial_is_usable(job->trial, frame, segment->marker[k]) || job->length[pair] < 0)
            continue;
        double off = distance_of(job, frame, at, segment->marker[k]) - job->length[pair];
        seen++;
        agreed += fabs(off) <= job->bound[pair];
    }
    if (seen < SNW__FRAME_POINTS - 1) return 0;
    return 2 * agreed > seen ? 1 : 2 * agreed < seen ? -1 : 0;
}

/* The place of a marker in its segment; -1: its segment is too small. */
static int place_in_segment(const swap_job *job, int marker)
{
    int l = job->segments->segment_of[marker];
    if (l < 0 || pair_count(job->segments->segment + l) == 0) return -1;
    for (int n = 0; n < job->segments->segment[l].marker_count; n++)
        if (job->segments->segment[l].marker[n] == marker) return n;
    return -1;
}

static bool fits_in_place_of(const swap_job *job, int frame, int marker, int other)
{
    int n = place_in_segment(job, other);
    return n >= 0 && fits(job, frame, job->segments->segment_of[other], n, marker) > 0;
}

static void exchange_samples(swap_job *job, int frame, int a, int b)
{
    snw_trial *trial = job->trial;
    size_t at = (size_t)frame * (size_t)trial->marker_count;
    snw_sample sample = trial->sample[at + (size_t)a];
    uint8_t state = trial->state[at + (size_t)a];
    trial->sample[at + (size_t)a] = trial->sample[at + (size_t)b];
    trial->sample[at + (size_t)b] = sample;
    trial->state[at + (size_t)a] = trial->state[at + (size_t)b];
    trial->state[at + (size_t)b] = state;
    job->exchanged_count++;
}

/* Says that `a` and the marker whose label it had were exchanged, and forgets it. */
static void end_stretch(swap_job *job, int a)
{
    int b = job->partner[a];
    if (b < 0) return;
    snw__place place = snw__at_name(a, job->trial->marker[a].name);
    place.frame = job->since[a];
    snw__note(job->notes, SNW_NOTE_LABELS_EXCHANGED, place,
              "%s and %s are exchanged in frames %d to %d: exchanged back",
              job->trial->marker[a].name, job->trial->marker[b].name,
              job->trial->first_frame + job->since[a], job->trial->first_frame + job->until[a]);
    job->partner[a] = job->partner[b] = -1;
}

/* Is `frame`, with the labels of a and b exchanged, nearer to its neighbour, which is in order,
 * than as it is? For frames in which both segments are so near that distances do not tell. */
static bool carries_on(const swap_job *job, int frame, int neighbour, int a, int b)
{
    if (frame < 0 || frame >= job->trial->frame_count) return false;
    if (!snw__trial_is_usable(job->trial, frame, a) ||
        !snw__trial_is_usable(job->trial, frame, b) ||
        !snw__trial_is_usable(job->trial, neighbour, a) ||
        !snw__trial_is_usable(job->trial, neighbour, b))
        return false;
    snw_vec3 here_a = snw_trial_position(job->trial, frame, a);
    snw_vec3 here_b = snw_trial_position(job->trial, frame, b);
    snw_vec3 there_a = snw_trial_position(job->trial, neighbour, a);
    snw_vec3 there_b = snw_trial_position(job->trial, neighbour, b);
    double as_it_is = snw_vec3_distance(here_a, there_a) + snw_vec3_distance(here_b, there_b);
    return snw_vec3_distance(here_b, there_a) + snw_vec3_distance(here_a, there_b) < as_it_is;
}

/* The marker in whose place a suspect fits, and which fits in its own or is missing. */
static int find_partner(const swap_job *job, int frame, int marker, int suspect_count)
{
    for (int k = 0; k < suspect_count; k++) {
        int other = job->suspect[k];
        if (other == marker ||
            job->segments->segment_of[other] == job->segments->segment_of[marker])
            continue;
        if (fits_in_place_of(job, frame, marker, other) &&
            fits_in_place_of(job, frame, other, marker))
            return other;
    }
    for (int other = 0; other < job->trial->marker_count; other++)
        if (job->segments->segment_of[other] != job->segments->segment_of[marker] &&
            !snw__trial_is_usable(job->trial, frame, other) &&
            fits_in_place_of(job, frame, marker, other))
            return other;
    return -1;
}

static void look_at_frame(swap_job *job, int frame)
{
    int count = 0;
    for (int m = 0; m < job->trial->marker_count; m++) {
        int n = place_in_segment(job, m);
        if (n >= 0 && snw__trial_is_usable(job->trial, frame, m) &&
            fits(job, frame, job->segments->segment_of[m], n, m) < 0)
            job->suspect[count++] = m;
    }
    for (int k = 0; k < count; k++) {
        int marker = job->suspect[k], other = find_partner(job, frame, marker, count);
        if (other < 0) continue;
        exchange_samples(job, frame, marker, other);
        /* The two were exchanged in this frame; so they were before, as long as motion says so. */
        if (job->partner[marker] != other) {
            end_stretch(job, marker);
            end_stretch(job, other);
            job->partner[marker] = other;
            job->partner[other] = marker;
            int since = frame;
            while (carries_on(job, since - 1, since, marker, other))
                exchange_samples(job, --since, marker, other);
            job->since[marker] = job->since[other] = since;
        }
        job->until[marker] = job->until[other] = frame;
        job->suspect[k] = job->suspect[--count]; /* both are in order now */
        for (int n = 0; n < count; n++)
            if (job->suspect[n] == other) job->suspect[n] = job->suspect[--count];
        k = -1;
    }
    for (int m = 0; m < job->trial->marker_count; m++) {
        int other = job->partner[m];
        if (other < 0 || job->until[m] == frame) continue;
        if (carries_on(job, frame, frame - 1, m, other)) {
            exchange_samples(job, frame, m, other);
            job->until[m] = job->until[other] = frame;
        } else {
            end_stretch(job, m);
        }
    }
}

static void lay_out(void *object, snw__block *block)
{
    swap_job *job = object;
    size_t markers = (size_t)job->trial->marker_count, pairs = 0;
    for (int l = 0; l < job->segments->segment_count; l++)
        pairs += pair_count(job->segments->segment + l);
    job->first = snw__block_take(block, (size_t)job->segments->segment_count + 1, sizeof(int));
    job->length = snw__block_take(block, pairs, sizeof(double));
    job->bound = snw__block_take(block, pairs, sizeof(double));
    job->room = snw__block_take(block, SNW__SAMPLES_SPREAD + 1, sizeof(double));
    job->suspect = snw__block_take(block, markers, sizeof(int));
    job->partner = snw__block_take(block, markers, sizeof(int));
    job->since = snw__block_take(block, markers, sizeof(int));
    job->until = snw__block_take(block, markers, sizeof(int));
}

snw_status snw_trial_undo_swaps(snw_trial *trial, const snw_segments *segments,
                                const snw_allocator *allocator, int *exchanged_count,
                                snw_notes *notes, snw_error *error)
{
    if (exchanged_count) *exchanged_count = 0;
    snw_status checked = snw__segments_check(segments, trial, error);
    if (checked != SNW_OK) return checked;
    snw_allocator memory = snw__allocator_or_default(allocator);
    swap_job job;
    memset(&job, 0, sizeof job);
    job.trial = trial;
    job.segments = segments;
    job.notes = notes;
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &job, &memory, "looking for exchanged labels", error);
    if (status != SNW_OK) return status;
    for (int l = 0; l < segments->segment_count; l++)
        job.first[l + 1] = job.first[l] + (int)pair_count(segments->segment + l);
    for (int m = 0; m < trial->marker_count; m++)
        job.partner[m] = -1;
    for (int l = 0; l < job.segments->segment_count; l++) {
        const snw_segment *segment = job.segments->segment + l;
        if (pair_count(segment) == 0) continue;
        int n = segment->marker_count;
        for (int i = 0; i < n; i++)
            for (int o = 0; o < opinion_count(n); o++) {
                int k = opinion(n, i, o), at = job.first[l] + i * n + k;
                int other = job.first[l] + k * n + i;
                if (k < i) continue;
                /* Median and scatter of one distance over the trial. */
                double *length = job.length + at;
                double *bound = job.bound + at;
                int count = 0, step = 1 + job.trial->frame_count / SNW__SAMPLES_SPREAD;
                for (int f = 0; f < job.trial->frame_count; f += step)
                    if (snw__trial_is_usable(job.trial, f, segment->marker[i]) &&
                        snw__trial_is_usable(job.trial, f, segment->marker[k]))
                        job.room[count++] =
                            distance_of(&job, f, segment->marker[i], segment->marker[k]);
                *length = count >= SNW__SAMPLES_MIN ? snw__median(job.room, count) : -1;
                for (int j = 0; j < count; j++)
                    job.room[j] = fabs(job.room[j] - *length);
                *bound = fmax(SNW__OUTLIER * SNW__SIGMA_OF_MEDIAN * snw__median(job.room, count),
                              SWAP_LEAST);
                job.length[other] = job.length[at];
                job.bound[other] = job.bound[at];
            }
    }
    for (int f = 0; f < trial->frame_count; f++)
        look_at_frame(&job, f);
    for (int m = 0; m < trial->marker_count; m++)
        end_stretch(&job, m);
    if (exchanged_count) *exchanged_count = job.exchanged_count;
    snw__block_release(&memory, &block);
    return snw__succeed(error);
}

/* A marker that slips on its segment, is stuck on again elsewhere, or whose label goes to another
 * point of the segment, found from its distances to the segment's other markers.
 *
 * A slip is a step of these distances, and skin makes steps too. Three things tell them apart:
 *
 *  - a slip is sudden: the distances before and after a pause of SLIP_PAUSE differ by (nearly) all
 *    that they differ by on the whole. Drift is slow, and skin follows a joint's angle;
 *  - it lasts: along the direction of the step, what was seen between this slip and the last one
 *    does not overlap with what is seen until the next. Skin comes back with the angle;
 *  - one marker alone slips: the segment's other markers keep their distances, and at least two of
 * the marker's own change, for of a single one nobody can tell which end moved.
 *
 * Steps of all sizes are candidates at first; the least distinct is dropped until all that are left
 * are distinct (bottom-up segmentation; Keogh, Chu, Hart & Pazzani 2001). */
#include "calibrate/marker_slip.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/joint_marker.h"
#include "label/label_grammar.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "rigid/sampling.h"
#include "segment/segment_methods.h"

/* A step of the distances, between samples at - 1 and at. */
typedef struct slip_step {
    int at;
    double change[SNW__SLIP_GROUP - 1]; /* of each distance, metres; 0 where it is not known */
    double apart;  /* 1: all samples before are one place and all after are another; below 0: they
                      overlap */
    bool is_known; /* change and apart are those of the present neighbours */
} slip_step;

typedef struct slip_job {
    snw_trial *trial;
    const snw_segments *segments;
    snw_label *label;          /* (marker_count) */
    int *group;                /* (marker_count + 4) markers of one segment */
    int *frame;                /* (frame_count) that show the marker and two others */
    float *distance;           /* (frame_count x other_count) of these; NaN: not seen */
    double *sum;               /* (frame_count + 1) of one distance, over the samples before */
    int *seen;                 /* (frame_count + 1) how many those are */
    double *square;            /* (frame_count) of the steps of all distances */
    int *known;                /* (frame_count) distances in `square` */
    double room[SLIP_SAMPLES]; /* for order statistics */
    int sample_count;
    int pause, window; /* frames */
    snw__slip_places places;
    slip_step step[SNW__SLIP_PLACES - 1];
    int step_count;
    snw_slips *found;
    snw_notes *notes;
    snw_allocator allocator;
} slip_job;

/* ---- distances --------------------------------------------------------------------------------
 */

static double distance_at(const slip_job *job, int sample, int k)
{
    return job->distance[(size_t)sample * (size_t)job->places.other_count + (size_t)k];
}

/* Running sums of one distance, so that a mean over any window costs the same. */
static void sum_distance(slip_job *job, int k)
{
    job->sum[0] = 0;
    job->seen[0] = 0;
    for (int i = 0; i < job->sample_count; i++) {
        double d = distance_at(job, i, k);
        job->sum[i + 1] = job->sum[i] + (d == d ? d : 0);
        job->seen[i + 1] = job->seen[i] + (d == d);
    }
}

/* How much the summed distance differs between windows of `window` samples, `pause` before and
 * after sample `at`; NaN where too little is seen. */
static double local_change(const slip_job *job, int at, int pause)
{
    int before = at - pause, after = at + pause, window = job->window;
    if (before - window < 0 || after + window > job->sample_count) return NAN;
    int left = job->seen[before] - job->seen[before - window];
    int right = job->seen[after + window] - job->seen[after];
    if (2 * left < window || 2 * right < window) return NAN;
    return (job->sum[after + window] - job->sum[after]) / right -
           (job->sum[before] - job->sum[before - window]) / left;
}

/* ---- candidates -------------------------------------------------------------------------------
 */

static double step_size(const slip_job *job, int at)
{
    return job->known[at] < 2 ? 0 : sqrt(job->square[at] / job->known[at]);
}

static bool is_peak(const slip_job *job, int at)
{
    double size = step_size(job, at);
    int reach = job->window + job->pause;
    for (int i = at - reach; i <= at + reach; i++) {
        if (i < 0 || i >= job->sample_count || i == at) continue;
        double other = step_size(job, i);
        if (other > size || (other == size && i < at)) return false;
    }
    return true;
}

/* Keeps the largest steps, in their order in time. */
static void add_step(slip_job *job, int at)
{
    int count = job->step_count;
    if (count == SNW__SLIP_PLACES - 1) {
        int least = 0;
        for (int n = 1; n < count; n++)
            if (step_size(job, job->step[n].at) < step_size(job, job->step[least].at)) least = n;
        if (step_size(job, at) <= step_size(job, job->step[least].at)) return;
        memmove(job->step + least, job->step + least + 1,
                (size_t)(count - least - 1) * sizeof *job->step);
        count--;
    }
    memset(job->step + count, 0, sizeof *job->step);
    job->step[count].at = at;
    job->step_count = count + 1;
}

/* Metres, rms: how much the distances between the other markers change across the step. */
static double change_of_others(const slip_job *job, int at)
{
    const snw__slip_places *places = &job->places;
    int reach = SLIP_LASTS * job->window, stride = 1 + reach / SNW__SAMPLES_MIN, pairs = 0;
    double square = 0;
    for (int a = 0; a < places->other_count; a++)
        for (int b = a + 1; b < places->other_count; b++) {
            double sum[2] = {0, 0};
            int count[2] = {0, 0};
            for (int i = job->pause; i < job->pause + reach; i += stride)
                for (int side = 0; side < 2; side++) {
                    int sample = side ? at + i : at - 1 - i;
                    if (sample < 0 || sample >= job->sample_count) continue;
                    int f = job->frame[sample];
                    if (!snw__trial_is_usable(job->trial, f, places->other[a]) ||
                        !snw__trial_is_usable(job->trial, f, places->other[b]))
                        continue;
                    sum[side] +=
                        snw_vec3_distance(snw_trial_position(job->trial, f, places->other[a]),
                                          snw_trial_position(job->trial, f, places->other[b]));
                    count[side]++;
                }
            if (!count[0] || !count[1]) continue;
            double change = sum[1] / count[1] - sum[0] / count[0];
            square += change * change;
            pairs++;
        }
    return pairs ? sqrt(square / pairs) : HUGE_VAL;
}

/* ---- is it distinct? ------------------------------------------------------------------------- */

/* Samples [from, to) between a step and its neighbours, without the moment of the slips. */
static void piece_beside(const slip_job *job, int n, bool is_after, int *from, int *to)
{
    int first = is_after ? n : n - 1, last = first + 1;
    *from = first < 0 ? 0 : job->step[first].at + job->pause;
    *to = last >= job->step_count ? job->sample_count : job->step[last].at - job->pause;
}

static int spread_of(int from, int to)
{
    return 1 + (to - from) / SLIP_SAMPLES;
}

static double median_distance(slip_job *job, int from, int to, int k)
{
    int count = 0;
    for (int i = from; i < to; i += spread_of(from, to)) {
        double d = distance_at(job, i, k);
        if (d == d) job->room[count++] = d;
    }
    return count < SNW__SAMPLES_PATH ? NAN : snw__median(job->room, count);
}

/* Where the marker is along the step, mean over a window without the noise: the middle of the place
 * before is -1/2, of that after 1/2. */
static double along_step(const slip_job *job, const slip_step *step, const double *middle,
                         int sample)
{
    double product = 0, square = 0, whole = 0;
    for (int k = 0; k < job->places.other_count; k++) {
        double change2 = step->change[k] * step->change[k], sum = 0;
        int count = 0;
        whole += change2;
        for (int i = sample; i < sample + job->window; i++) {
            double d = distance_at(job, i, k);
            if (d == d) sum += d;
            count += d == d;
        }
        if (2 * count < job->window) continue;
        product += step->change[k] * (sum / count - middle[k]);
        square += change2;
    }
    return 2 * square > whole ? product / square : NAN;
}

/* The share SNW__STRAY_SHARE of the piece that lies nearest to the other side of the step begins
 * here. */
static double tail_of(slip_job *job, const slip_step *step, const double *middle, int from, int to,
                      bool is_after)
{
    int count = 0;
    for (int i = from; i + job->window <= to; i += spread_of(from, to)) {
        double place = along_step(job, step, middle, i);
        if (place == place) job->room[count++] = place;
    }
    if (count == 0) return is_after ? -HUGE_VAL : HUGE_VAL;
    snw__sort_doubles(job->room, count);
    int tail = (int)(SNW__STRAY_SHARE * count);
    return job->room[is_after ? tail : count - 1 - tail];
}

/* Do two distances change, and is the step as large at once as it is on the whole? */
static bool is_sudden(slip_job *job, const slip_step *step)
{
    double product = 0, square = 0, most = 0;
    int clear = 0;
    for (int k = 0; k < job->places.other_count; k++)
        most = fmax(most, fabs(step->change[k]));
    for (int k = 0; k < job->places.other_count; k++) {
        clear += fabs(step->change[k]) > SLIP_SECOND * most;
        sum_distance(job, k);
        double change = local_change(job, step->at, job->pause);
        if (!(change == change)) continue;
        product += change * step->change[k];
        square += step->change[k] * step->change[k];
    }
    return clear >= 2 && product > SLIP_APART_HIDDEN * square;
}

/* How much room there must be between the places. */
static double room_asked(const slip_job *job, const slip_step *step, bool is_with_all)
{
    /* The same with one distance left out, for which there are many choices. */
    if (!is_with_all) return SLIP_APART_HIDDEN;
    int before = step->at - job->pause, after = step->at + job->pause; /* local_change was there */
    int hidden = job->frame[after] - job->frame[before] - 2 * job->pause;
    return hidden > job->window ? SLIP_APART_HIDDEN : SLIP_APART;
}

/* The step without the distance number `without`; -1: with all. */
static double judge_distances(slip_job *job, int n, int without)
{
    slip_step *step = job->step + n;
    double middle[SNW__SLIP_GROUP - 1], square = 0;
    int from[2], to[2], known = 0;
    for (int side = 0; side < 2; side++) {
        piece_beside(job, n, side, from + side, to + side);
        if (to[side] - from[side] < SLIP_LASTS * job->window) return -HUGE_VAL;
    }
    for (int k = 0; k < job->places.other_count; k++) {
        double before = k == without ? NAN : median_distance(job, from[0], to[0], k);
        double after = k == without ? NAN : median_distance(job, from[1], to[1], k);
        bool is_known = before == before && after == after;
        step->change[k] = is_known ? after - before : 0;
        middle[k] = is_known ? (before + after) / 2 : 0;
        square += step->change[k] * step->change[k];
        known += is_known;
    }
    if (known < 2 || !(sqrt(square / known) > SLIP_LEAST_DISTANCES) || !is_sudden(job, step))
        return -HUGE_VAL;
    return tail_of(job, step, middle, from[1], to[1], true) -
           tail_of(job, step, middle, from[0], to[0], false) - room_asked(job, step, without < 0);
}

/* One of the other markers may slip at another time: of three and more one may be left out. */
static void judge_step(slip_job *job, int n)
{
    slip_step *step = job->step + n;
    step->is_known = true;
    step->apart = judge_distances(job, n, -1);
    for (int k = 0; k < job->places.other_count && job->places.other_count > 2; k++) {
        if (step->apart > 0) return;
        step->apart = fmax(step->apart, judge_distances(job, n, k));
    }
}

static void drop_steps(slip_job *job)
{
    while (job->step_count) {
        int worst = 0;
        for (int n = 0; n < job->step_count; n++) {
            if (!job->step[n].is_known) judge_step(job, n);
            if (job->step[n].apart < job->step[worst].apart) worst = n;
        }
        if (job->step[worst].apart > 0) return;
        job->step_count--;
        memmove(job->step + worst, job->step + worst + 1,
                (size_t)(job->step_count - worst) * sizeof *job->step);
        if (worst > 0) job->step[worst - 1].is_known = false;
        if (worst < job->step_count) job->step[worst].is_known = false;
    }
}

/* ---- one marker ------------------------------------------------------------------------------ */

static void take_places(slip_job *job)
{
    snw__slip_places *places = &job->places;
    int last = 0;
    places->place_count = job->step_count + 1;
    places->from[0] = 0;
    for (int n = 0; n < job->step_count; n++) {
        /* The sample at which the distances change most, without a pause. */
        const slip_step *step = job->step + n;
        int reach = job->pause + 1, at = step->at;
        double most = -HUGE_VAL;
        for (int i = step->at - reach; i <= step->at + reach; i++) {
            double product = 0;
            if (i < 1 || i >= job->sample_count) continue;
            for (int k = 0; k < job->places.other_count; k++) {
                /* One sample to either side is not enough under noise; all of the window would be
                 * as good a step later. */
                int before = i - job->pause > 0 ? i - job->pause : 0;
                int after = i + job->pause < job->sample_count ? i + job->pause : job->sample_count;
                for (int s = before; s < after; s++) {
                    double d = distance_at(job, s, k);
                    if (d == d) product += (s < i ? -1 : 1) * step->change[k] * d;
                }
            }
            if (!(product > most)) continue;
            most = product;
            at = i;
        }
        places->from[n + 1] = job->frame[at];
        places->seen[n] = at - last;
        last = at;
    }
    places->seen[job->step_count] = job->sample_count - last;
    places->from[places->place_count] = job->trial->frame_count;
}

static void tell(slip_job *job, const snw_slip *slip)
{
    const char *name = job->trial->marker[slip->marker].name;
    snw__place place = snw__at_name(slip->marker, name);
    place.frame = slip->frame;
    snw__note(job->notes, SNW_NOTE_MARKER_SLIPPED, place,
              "%s moves by %.0f mm on its segment at frame %d and stays there: %s", name,
              1000 * slip->distance, job->trial->first_frame + slip->frame,
              slip->is_left_out ? "left out of the shorter part" : "brought back");
    if (job->found->count < SNW_SLIPS_MAX)
        job->found->item[job->found->count++] = *slip;
    else
        job->found->dropped++;
}

static snw_status look_at_marker(slip_job *job, snw_error *error)
{
    snw_slip slip[SNW__SLIP_PLACES];
    if (!snw_trial_is_marker(job->trial, job->places.marker)) return SNW_OK;
    const snw__slip_places *places = &job->places;
    job->sample_count = 0;
    for (int f = 0; f < job->trial->frame_count; f++) {
        float *row = job->distance + (size_t)job->sample_count * (size_t)places->other_count;
        int count = 0;
        if (!snw__trial_is_usable(job->trial, f, places->marker)) continue;
        snw_vec3 at = snw_trial_position(job->trial, f, places->marker);
        for (int k = 0; k < places->other_count; k++) {
            row[k] = NAN;
            if (!snw__trial_is_usable(job->trial, f, places->other[k])) continue;
            row[k] =
                (float)snw_vec3_distance(at, snw_trial_position(job->trial, f, places->other[k]));
            count++;
        }
        if (count >= 2) job->frame[job->sample_count++] = f;
    }
    if (job->sample_count < 2 * SLIP_LASTS * job->window) return SNW_OK;
    job->step_count = 0;
    memset(job->square, 0, (size_t)job->sample_count * sizeof *job->square);
    memset(job->known, 0, (size_t)job->sample_count * sizeof *job->known);
    for (int k = 0; k < job->places.other_count; k++) {
        sum_distance(job, k);
        for (int i = 0; i < job->sample_count; i++) {
            double change = local_change(job, i, job->pause);
            if (!(change == change)) continue;
            job->square[i] += change * change;
            job->known[i]++;
        }
    }
    for (int i = 0; i < job->sample_count; i++)
        if (step_size(job, i) > SLIP_LEAST_DISTANCES && is_peak(job, i) &&
            SNW__UNUSUAL * change_of_others(job, i) < step_size(job, i))
            add_step(job, i);
    drop_steps(job);
    if (job->step_count == 0) return SNW_OK;
    take_places(job);
    snw_status status = snw__slip_undo(job->trial, &job->places, &job->allocator, slip, error);
    for (int n = 0; n < job->step_count && status == SNW_OK; n++)
        if (slip[n].distance > 0) tell(job, slip + n);
    return status;
}

/* ---- all segments -------------------------------------------------------------------------------
 */

/* A segment's markers, as many at a time as are looked at together; again while some are found, for
 * a slip that is undone no longer hides the next. */
static snw_status look_at_group(slip_job *job, const int *marker, int count, snw_error *error)
{
    snw_status status = SNW_OK;
    int before = -1;
    /* Ends by itself when a round finds nothing. */
    for (int round = 0; round < SNW__MEAN_ROUNDS && job->found->count != before; round++) {
        before = job->found->count;
        for (int n = 0; n < count && status == SNW_OK; n++) {
            job->places.marker = marker[n];
            job->places.other_count = 0;
            for (int k = 0; k < count; k++)
                if (k != n) job->places.other[job->places.other_count++] = marker[k];
            status = look_at_marker(job, error);
        }
    }
    return status;
}

static snw_status look_at_segment(slip_job *job, const snw_segment *segment, snw_error *error)
{
    snw__joint_markers joint = snw__joint_markers_find(segment, job->trial, job->label);
    snw__marker_group group = {0, 0, job->group};
    snw__joint_markers_group(segment, &joint, &group);
    int parts = (group.marker_count + SNW__SLIP_GROUP - 1) / SNW__SLIP_GROUP;
    snw_status status = SNW_OK;
    for (int n = 0; n < parts && status == SNW_OK; n++) {
        int from = n * group.marker_count / parts, to = (n + 1) * group.marker_count / parts;
        if (to - from >= 3) status = look_at_group(job, job->group + from, to - from, error);
    }
    return status;
}

static void lay_out(void *object, snw__block *block)
{
    slip_job *job = object;
    size_t frames = (size_t)job->trial->frame_count, markers = (size_t)job->trial->marker_count;
    job->label = snw__block_take(block, markers, sizeof(snw_label));
    job->group = snw__block_take(block, markers + 4, sizeof(int));
    job->frame = snw__block_take(block, frames, sizeof(int));
    job->distance =
        snw__block_take(block, snw__size_mul(frames + 1, SNW__SLIP_GROUP - 1), sizeof(float));
    job->sum = snw__block_take(block, frames + 1, sizeof(double));
    job->seen = snw__block_take(block, frames + 1, sizeof(int));
    job->square = snw__block_take(block, frames, sizeof(double));
    job->known = snw__block_take(block, frames, sizeof(int));
}

static int frames_of(const snw_trial *trial, double seconds, int least)
{
    double rate = trial->rate > 0 ? trial->rate : 100; /* as most captures have */
    double frames = fmin(seconds * rate, trial->frame_count);
    return frames > least ? (int)frames : least;
}

snw_status snw_trial_undo_slips(snw_trial *trial, const snw_segments *segments,
                                const snw_allocator *allocator, snw_slips *found, snw_notes *notes,
                                snw_error *error)
{
    snw_slips own;
    if (!found) found = &own;
    memset(found, 0, sizeof *found);
    snw_status checked = snw__segments_check(segments, trial, error);
    if (checked != SNW_OK) return checked;
    slip_job job;
    memset(&job, 0, sizeof job);
    job.trial = trial;
    job.segments = segments;
    job.found = found;
    job.notes = notes;
    job.allocator = snw__allocator_or_default(allocator);
    job.pause = frames_of(trial, SLIP_PAUSE, 1);
    job.window = frames_of(trial, SNW__BRIEF, SNW__SAMPLES_MEDIAN);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &job, &job.allocator, "looking for slips", error);
    if (status != SNW_OK) return status;
    if (segments->label)
        memcpy(job.label, segments->label, (size_t)trial->marker_count * sizeof *job.label);
    else
        status = snw__labels_of_trial(trial, &job.allocator, job.label, error);
    for (int l = 0; l < segments->segment_count && status == SNW_OK; l++)
        status = look_at_segment(&job, segments->segment + l, error);
    snw__block_release(&job.allocator, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

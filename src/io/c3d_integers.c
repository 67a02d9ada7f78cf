/* Samples as 16-bit integers times a scale: what goes wrong with either.
 *
 * Two scales: words 7-8 of the header and POINT:SCALE should be the same number, and the parameter
 * is the one to believe. Where they differ, the words in the file fit either: only what was
 * captured can tell. A person's markers span 1 to 2 metres in a frame; if they do so with the
 * header's scale and do not with the parameter's, the header is right.
 *
 * Words that ran over: a coordinate that leaves the range of 16 bits comes back at its other end.
 * No marker crosses the capture volume from one frame to the next: where a step of nearly the whole
 * range is a small one with 65536 added or taken away, and all other steps are small as they are,
 * the coordinate is put back where it was. */
#include <math.h>

#include "io/c3d.h"
#include "math/order.h"
#include "person/movement.h"

/* [chosen] Metres between opposite corners of the box about the markers of a frame: legs of a child
 * of four, and a tall person with stretched arms. */
#define C3D_PERSON_LEAST 0.8
enum {
    C3D_SCALE_LOOK = 101 /* frames looked at, spread over the trial */
};
/* Words of 16 bits. */
#define C3D_WORDS (UINT16_MAX + 1.0)
/* [chosen] So many small steps show that this is a marker's path. */
#define C3D_STEPS_LEAST 10
/* [chosen] Frames. Over a longer gap a person can have walked through the volume. */
#define C3D_OVERFLOW_GAP 10

/* ---- the scale ---------------------------------------------------------------------------- */

/* The diagonal of the box about the samples of a frame, in the file's unit; 0: too few. */
static double frame_span(const snw_trial *trial, int frame)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double sum2 = 0;
    size_t first = (size_t)frame * (size_t)trial->marker_count;
    int seen = 0;
    for (size_t n = first; n < first + (size_t)trial->marker_count; n++) {
        if (trial->state[n] == SNW_SAMPLE_MISSING) continue;
        const double place[3] = {trial->sample[n].x, trial->sample[n].y, trial->sample[n].z};
        seen++;
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], place[axis]);
            high[axis] = fmax(high[axis], place[axis]);
        }
    }
    /* Fewer samples in a frame are a segment or an object, whose size tells nothing. */
    if (seen < SNW__MARKERS_MIN) return 0;
    for (int axis = 0; axis < 3; axis++)
        sum2 += (high[axis] - low[axis]) * (high[axis] - low[axis]);
    return sqrt(sum2);
}

static bool is_person(double span)
{
    return span >= C3D_PERSON_LEAST && span <= SNW__REACH_MAX;
}

void snw__c3d_scale_settle(snw__reading *reading, const snw__c3d_header *header, snw_trial *trial)
{
    double scale = trial->residual_scale, other = fabs((double)header->scale);
    if (!trial->storage.is_integer || !snw__c3d_is_scale(other) ||
        !(fabs(other - scale) > 1e-4 * scale))
        return;
    double metres = snw__c3d_unit(trial);
    /* The median over frames; 0: hardly anything is seen. */
    double spans[C3D_SCALE_LOOK];
    int count = 0, step = trial->frame_count / C3D_SCALE_LOOK + 1;
    for (int frame = 0; frame < trial->frame_count; frame += step) {
        double found = frame_span(trial, frame);
        if (found > 0) spans[count++] = found;
    }
    double span = (count ? snw__median(spans, count) : 0) * (metres > 0 ? metres : 0.001);
    bool is_header = !is_person(span) && is_person(span * other / scale);
    if (is_header) {
        /* Every sample is its word times the scale; the word comes back exactly. */
        size_t total = (size_t)trial->frame_count * (size_t)trial->marker_count;
        for (size_t n = 0; n < total; n++) {
            trial->sample[n].x = (float)(nearbyint(trial->sample[n].x / scale) * other);
            trial->sample[n].y = (float)(nearbyint(trial->sample[n].y / scale) * other);
            trial->sample[n].z = (float)(nearbyint(trial->sample[n].z / scale) * other);
        }
        trial->residual_scale = other;
        snw__note(
            reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(12),
            "the header says %.5f for the scale, the parameters %.5f; the former was taken: the "
            "markers of a frame span %.2f m with it and %.2f m with the latter",
            other, scale, span * other / scale, span);
    } else {
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(12),
                  "the header says %.5f for the scale, the parameters %.5f; the latter was taken",
                  other, scale);
    }
}

/* ---- overflow ----------------------------------------------------------------------------- */

/* Goes through a coordinate of a marker that is `turns` ranges off at its first sample, and writes
 * if asked to. Returns how many samples get another value; -1: its steps are not those of a marker.
 */
static int follow(const snw_trial *trial, int marker, int axis, int turns, bool is_written)
{
    double scale = trial->residual_scale, before = 0;
    int last = -1, moved = 0, small = 0;
    for (int frame = 0; frame < trial->frame_count; frame++) {
        size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
        if (trial->state[at] == SNW_SAMPLE_MISSING) continue;
        snw_sample *sample = trial->sample + at;
        float *value = axis == 0 ? &sample->x : axis == 1 ? &sample->y : &sample->z;
        double word = nearbyint(*value / scale), step = word - before;
        bool is_next = last >= 0 && frame - last <= C3D_OVERFLOW_GAP;
        if (is_next && fabs(step) > C3D_WORDS - SNW__C3D_STEP_MAX)
            turns += step < 0 ? 1 : -1;
        else if (is_next && fabs(step) > SNW__C3D_STEP_MAX)
            return -1;
        else if (last >= 0 && !is_next)
            turns = 0;
        else if (is_next)
            small++;
        before = word;
        last = frame;
        moved += turns != 0;
        if (is_written && turns != 0) *value = (float)((word + turns * C3D_WORDS) * scale);
    }
    return small < C3D_STEPS_LEAST ? -1 : moved;
}

void snw__c3d_overflow_mend(snw__reading *reading, const snw__c3d_layout *layout, snw_trial *trial)
{
    int64_t mended = 0;
    int first = -1;
    if (!layout->is_near_range_end) return;
    for (int m = 0; m < trial->marker_count; m++)
        for (int axis = 0; axis < 3; axis++) {
            int least = follow(trial, m, axis, 0, false), start = 0;
            /* A trial may begin beyond the range: most samples are within. */
            for (int turns = -1; turns <= 1 && least > 0; turns += 2) {
                int moved = follow(trial, m, axis, turns, false);
                if (moved >= least) continue;
                least = moved;
                start = turns;
            }
            if (least <= 0) continue;
            mended += follow(trial, m, axis, start, true);
            if (first < 0) first = m;
        }
    if (mended == 0) return;
    snw__note(reading->notes, SNW_NOTE_VALUE_REPAIRED,
              snw__at_name(first, trial->marker[first].name),
              "%lld %s beyond the range of the file's integers and came back at the other end "
              "(first: %s): put where %s was",
              (long long)mended, snw__plural(mended, "coordinate ran", "coordinates ran"),
              trial->marker[first].name, snw__plural(mended, "it", "each"));
}

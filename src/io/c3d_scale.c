/* Two scales for one file: words 7-8 of the header and POINT:SCALE should be the same number, and
 * the parameter is the one to believe. Where they differ, the words in the file fit either: only
 * what was captured can tell. A person's markers span 1 to 2 metres in a frame; if they do so with
 * the header's scale and do not with the parameter's, the header is right. */
#include <math.h>

#include "io/c3d.h"
#include "math/order.h"

/* [chosen] Metres between opposite corners of the box about the markers of a frame: legs of a child
 * of four, and a tall person with stretched arms. */
#define C3D_PERSON_LEAST 0.8
#define C3D_PERSON_MOST  3.0
/* [chosen] Fewer samples in a frame are a limb or an object, whose size tells nothing. */
#define C3D_PERSON_MARKERS 8
/* Frames looked at, spread over the trial. */
#define C3D_SCALE_LOOK 101

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
    if (seen < C3D_PERSON_MARKERS) return 0;
    for (int axis = 0; axis < 3; axis++)
        sum2 += (high[axis] - low[axis]) * (high[axis] - low[axis]);
    return sqrt(sum2);
}

/* The median over frames; 0: hardly anything is seen. */
static double usual_span(const snw_trial *trial)
{
    double span[C3D_SCALE_LOOK];
    int count = 0, step = trial->frame_count / C3D_SCALE_LOOK + 1;
    for (int frame = 0; frame < trial->frame_count; frame += step) {
        double found = frame_span(trial, frame);
        if (found > 0) span[count++] = found;
    }
    return count ? snw__median(span, count) : 0;
}

static bool is_person(double span)
{
    return span >= C3D_PERSON_LEAST && span <= C3D_PERSON_MOST;
}

/* Every sample is its word times the scale; the word comes back exactly. */
static void take_scale(snw_trial *trial, double scale, double other)
{
    size_t total = (size_t)trial->frame_count * (size_t)trial->marker_count;
    for (size_t n = 0; n < total; n++) {
        trial->sample[n].x = (float)(nearbyint(trial->sample[n].x / scale) * other);
        trial->sample[n].y = (float)(nearbyint(trial->sample[n].y / scale) * other);
        trial->sample[n].z = (float)(nearbyint(trial->sample[n].z / scale) * other);
    }
    trial->residual_scale = other;
}

void snw__c3d_scale_settle(snw__reading *reading, const snw__c3d_header *header, snw_trial *trial)
{
    double scale = trial->residual_scale, other = fabs((double)header->scale);
    if (!trial->storage.is_integer || !snw__c3d_is_scale(other) ||
        !(fabs(other - scale) > 1e-4 * scale))
        return;
    double metres = snw__c3d_unit(trial);
    double span = usual_span(trial) * (metres > 0 ? metres : 0.001);
    bool is_header = !is_person(span) && is_person(span * other / scale);
    if (is_header) {
        take_scale(trial, scale, other);
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

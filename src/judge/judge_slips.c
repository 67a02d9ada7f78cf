/* Markers that slip while a body is given from elsewhere, or comes frame by frame: nothing is
 * calibrated on them then and nothing is brought back, the body goes by the others. What shows is a
 * sudden and lasting step of how far the marker is from its place.
 *
 * The step is where two means explain the distances best (least squares with one change, Page
 * 1955); it is a slip where it is larger than skin moves, where nearly no sample lies on the other
 * side of the middle between the means, and where tenths of a second beside it differ by nearly as
 * much: what drifts does not. */
#include "judge/judging.h"

#include <math.h>

#include "base/notes.h"
#include "math/robust.h"
#include "person/movement.h"

typedef struct slip_track {
    const float *distance; /* of the marker in the first frame */
    size_t stride;
    int frame_count;
} slip_track;

static double distance_at(const slip_track *track, int frame)
{
    return (double)track->distance[(size_t)frame * track->stride];
}

/* The mean of frames [from, to); *count of them were seen. */
static double mean_of(const slip_track *track, int from, int to, int *count)
{
    double sum = 0;
    *count = 0;
    for (int f = from < 0 ? 0 : from; f < to && f < track->frame_count; f++) {
        if (!isfinite(distance_at(track, f))) continue;
        sum += distance_at(track, f);
        ++*count;
    }
    return *count ? sum / *count : NAN;
}

/* The first frame of the second mean, each of at least `least` samples; -1: there are too few. */
static int find_step(const slip_track *track, int least)
{
    int all, before = 0, best = -1;
    double mean = mean_of(track, 0, track->frame_count, &all), sum = 0, most = 0;
    for (int f = 0; f < track->frame_count; f++) {
        double distance = distance_at(track, f);
        if (!isfinite(distance)) continue;
        /* n1 n2 (m1 - m2)^2 / (n1 + n2), of sums about the mean of all. */
        if (before >= least && all - before >= least) {
            double explained = sum * sum * all / ((double)before * (all - before));
            if (explained > most) {
                most = explained;
                best = f;
            }
        }
        sum += distance - mean;
        before++;
    }
    return best;
}

/* Metres from the tenth of a second before frame `at` to the one after. */
static double beside(const slip_track *track, int at, int brief)
{
    int seen;
    return mean_of(track, at, at + brief, &seen) - mean_of(track, at - brief, at, &seen);
}

/* Metres by which the marker moves off its place, or back onto it, at frame `at`; 0: no slip. */
static double slip_at(const slip_track *track, int at, int brief)
{
    int seen, stray = 0, all = 0;
    double before = mean_of(track, 0, at, &seen);
    double after = mean_of(track, at, track->frame_count, &seen);
    double step = after - before, middle = 0.5 * (before + after);
    if (!(fabs(step) > SNW__SKIN)) return 0;
    double left_over2 = 0;
    for (int f = 0; f < track->frame_count; f++) {
        double distance = distance_at(track, f), off = distance - (f < at ? before : after);
        if (!isfinite(distance)) continue;
        all++;
        stray += (distance > middle) != ((f >= at) == (step > 0));
        left_over2 += off * off;
    }
    bool is_sudden = beside(track, at, brief) / step > 1 - SNW__MINOR;
    bool is_calm = left_over2 < all * (SNW__MINOR * step) * (SNW__MINOR * step);
    return is_sudden && is_calm && stray < SNW__RARELY * all ? fabs(step) : 0;
}

static slip_track track_of(const snw_residuals *residuals, int marker)
{
    return (slip_track){residuals->distance + marker, (size_t)residuals->marker_count,
                        residuals->frame_count};
}

/* Do the segment's other markers stay? Where they move as well the segment is off, not a marker. */
static bool is_alone(const snw_residuals *residuals, int marker, int at, int brief, double distance)
{
    for (int m = 0; m < residuals->marker_count; m++) {
        if (m == marker || residuals->marker[m].joint != residuals->marker[marker].joint) continue;
        slip_track track = track_of(residuals, m);
        if (fabs(beside(&track, at, brief)) > SNW__MINOR * distance) return false;
    }
    return true;
}

void snw__judge_slips(const snw_judged *solution, snw_judgements *out)
{
    const snw_residuals *residuals = solution->residuals;
    double rate = solution->motion->rate;
    int brief = (int)ceil(SNW__BRIEF * rate), least = (int)ceil(0.5 * rate);
    for (int m = 0; m < residuals->marker_count; m++) {
        slip_track track = track_of(residuals, m);
        if (residuals->marker[m].joint < 0) continue;
        int at = find_step(&track, least);
        double distance = at < 0 ? 0 : slip_at(&track, at, brief);
        if (distance == 0 || !is_alone(residuals, m, at, brief, distance)) continue;
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_SLIPPED_MARKER, SNW_VERDICT_AMBER, distance);
        item.marker = m;
        item.joint = residuals->marker[m].joint;
        item.frame = at;
        item.frame_count = residuals->frame_count - at;
        snw_format(
            item.sentence, sizeof item.sentence,
            "%s moves by %.0f mm on its segment at frame %d (%.2f s) and stays there: a slip "
            "or another point; the body goes by the other markers",
            solution->trial->marker[m].name, 1000 * distance, solution->trial->first_frame + at,
            rate > 0 ? at / rate : 0);
        snw_judgements_add(out, &item);
    }
}

/* Which answer is best: every start of every plan is followed for a few rounds, the best one and
 * its rival until they settle; then the best is tried anew from its own poses in other frames. */
#include "recognise/recognise.h"

#include "math/robust.h"
#include "recognise/recognise_constants.h"

/* ---- the best hypothesis -------------------------------------------------------------------- */

int snw__choice_segment(const snw__recognise_work *work, int choice)
{
    if (choice < 0) return -1;
    return choice < work->site_count ? work->site[choice].segment : choice - work->site_count;
}

/* Points that two hypotheses put on different segments. */
static int difference(const snw__recognise_work *work, const snw__hypothesis *a,
                      const snw__hypothesis *b)
{
    int count = 0;
    for (int p = 0; p < work->point_count; p++)
        count += snw__choice_segment(work, a->choice[p]) != snw__choice_segment(work, b->choice[p]);
    return count;
}

/* The likeliest answer that puts many points elsewhere; NULL: none. */
static snw__hypothesis *rival_of(snw__recognise_work *work, const snw__hypothesis *best)
{
    snw__hypothesis *rival = NULL;
    for (int k = 0; k < work->hypothesis_count; k++) {
        snw__hypothesis *other = work->hypothesis + k;
        if (difference(work, best, other) <= RECOGNISE_SAME * work->point_count) continue;
        if (!rival || other->cost < rival->cost) rival = other;
    }
    return rival;
}

/* ---- once more from its own poses -------------------------------------------------------------
 */

/* The frame of a stretch that shows most points. */
static int fullest_frame(const snw__recognise_work *work, int first, int end)
{
    int best = first, most = -1;
    for (int f = first; f < end; f++) {
        int seen = 0;
        for (int p = 0; p < work->point_count; p++)
            seen += snw__point_is_seen(work, f, p);
        if (seen <= most) continue;
        most = seen;
        best = f;
    }
    return best;
}

/* A segment that was taken for another in the first frame stays that to the end. In other frames it
 * may be clearer what it is: from the poses that were found there the search begins anew. */
static void mend(snw__recognise_work *work, snw__hypothesis *best)
{
    static const double widths[] = {START_WIDTH, START_RESEED};
    /* Is there something to mend? Not where nearly all points sit well where marker sets have a
     * marker, and not where most are hardly on the body. */
    int good = 0;
    if (best->points_cost > MEND_HOPELESS * work->point_count) return;
    for (int p = 0; p < work->point_count; p++)
        good += best->choice[p] >= 0 && best->choice[p] < work->site_count &&
                best->price[p] < RECOGNISE_GOOD;
    if (!(good < MEND_CLEAR * work->point_count)) return;
    snw__template_pose pose[MEND_FRAMES];
    int frame[MEND_FRAMES];
    for (int n = 0; n < MEND_FRAMES; n++) {
        frame[n] = fullest_frame(work, n * work->frame_count / MEND_FRAMES,
                                 (n + 1) * work->frame_count / MEND_FRAMES);
        pose[n] = work->pose[frame[n]];
    }
    int mended = -1; /* the last try that was better */
    for (int n = 0; n < 2 * MEND_FRAMES; n++) {
        int k = n / 2;
        /* A trial of few frames has the same one again, and the same comes out. */
        if (k > 0 && frame[k] == frame[k - 1] && mended < n - 2) continue;
        /* Is the answer better that is found from this one's pose in a frame? Then it takes its
         * place. */
        double width = widths[n % 2];
        snw__hypothesis *next = work->hypothesis + SNW__RECOGNISE_HYPOTHESES - 1;
        *next = *best;
        next->start_frame = frame[k];
        next->start = pose[k];
        snw__recognise_restart(work, next, width);
        snw__recognise_track(work, next, best->cost + RECOGNISE_GIVE_UP);
        if (!(next->cost < best->cost + SNW__EVIDENCE_DECISIVE) ||
            difference(work, best, next) == 0)
            continue;
        snw__recognise_settle(work, next);
        if (!(next->cost < best->cost - SNW__NAT)) continue;
        *best = *next;
        mended = n;
        for (int i = 0; i < MEND_FRAMES; i++)
            pose[i] = work->pose[frame[i]];
    }
}

/* Best answer and rival settle; the better one. */
static const snw__hypothesis *settled(snw__recognise_work *work, snw__hypothesis *best)
{
    if (!best) return NULL;
    snw__hypothesis *rival = rival_of(work, best);
    snw__recognise_settle(work, best);
    mend(work, best);
    if (!rival || rival->cost > best->cost + RECOGNISE_GIVE_UP) return best;
    snw__recognise_settle(work, rival);
    return rival->cost < best->cost ? rival : best;
}

const snw__hypothesis *snw__recognise_search(snw__recognise_work *work, double *margin)
{
    for (int plan = 0; plan < SNW__PLAN_COUNT; plan++) {
        int max = plan == SNW__PLAN_BODY ? RECOGNISE_BODY_STARTS : RECOGNISE_PART_STARTS;
        work->hypothesis_count += snw__recognise_starts(
            work, (snw__plan)plan, work->hypothesis + work->hypothesis_count, max);
    }
    snw__hypothesis *best = NULL;
    for (int k = 0; k < work->hypothesis_count; k++) {
        snw__recognise_track(work, work->hypothesis + k,
                             best ? best->cost + RECOGNISE_GIVE_UP : INFINITY);
        if (!best || work->hypothesis[k].cost < best->cost) best = work->hypothesis + k;
    }
    const snw__hypothesis *answer = settled(work, best);
    const snw__hypothesis *rival = answer ? rival_of(work, answer) : NULL;
    *margin = rival ? fmin(rival->cost - answer->cost, RECOGNISE_MARGIN_MAX) : RECOGNISE_MARGIN_MAX;
    return answer;
}

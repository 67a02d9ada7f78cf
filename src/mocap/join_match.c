/* Which tracks are joined: those whose evidence is strong and beats every rival by far. A rival is
 * a track that would fit one of the two as well but cannot be the same marker, being seen at the
 * same time. What is in doubt stays apart: a marker in two pieces does less harm than two in one.
 */
#include <stdlib.h>

#include "mocap/join.h"

/* Logarithms of likelihood: what a join needs, and how far ahead of a rival. */
#define MATCH_ENOUGH 7.0
#define MATCH_LEAD   1.0
#define MATCH_MARGIN 5.0
/* The same for a group that fits as a whole: there are more ways in which it could by chance. */
#define MATCH_ENOUGH_SHAPE 10.0
/* Less than this is no rival. */
#define MATCH_FLOOR 1.0
/* The same trajectory, or another of the same name, came back: it takes much to doubt that. */
#define MATCH_SAME_NAME 9.0

static bool is_alive(const snw__join_work *work, int track)
{
    return work->track[track].head >= 0;
}

static void keep_candidate(snw__join_work *work, int track, int other, double score)
{
    snw__candidate *list = snw__about_track(work, track)->candidate;
    int *count = &snw__about_track(work, track)->candidate_count;
    if (*count == SNW__CANDIDATES && list[*count - 1].score >= score) return;
    if (*count < SNW__CANDIDATES) ++*count;
    int n = *count - 1;
    for (; n > 0 && list[n - 1].score < score; n--)
        list[n] = list[n - 1];
    list[n] = (snw__candidate){other, score};
}

static double prior(const snw__join_work *work, int a, int b)
{
    return work->track[a].label >= 0 && work->track[b].label >= 0 ? MATCH_SAME_NAME : 0;
}

typedef double join_judge(snw__join_work *work, int a, int b);

static void find_candidates(snw__join_work *work, join_judge *judge)
{
    for (int n = 0; n < work->live_count; n++)
        work->about[n].candidate_count = 0;
    for (int n = 0; n < work->live_count; n++) {
        for (int k = n + 1; k < work->live_count; k++) {
            int a = work->live[n], b = work->live[k];
            if (!snw__tracks_may_join(work, a, b)) continue;
            double score = prior(work, a, b) + judge(work, a, b);
            if (score < MATCH_FLOOR) continue;
            keep_candidate(work, a, b, score);
            keep_candidate(work, b, a, score);
        }
    }
}

static int living(const snw__join_work *work, int track)
{
    while (!is_alive(work, track))
        track = work->track[track].into;
    return track;
}

/* The best that a track could have without `taken`; nothing at all is worth 0. */
static double second_choice(const snw__join_work *work, int track, int taken)
{
    const snw__about *about = snw__about_track(work, track);
    const snw__candidate *list = about->candidate;
    for (int n = 0; n < about->candidate_count; n++)
        if (living(work, list[n].track) != taken) return list[n].score;
    return 0;
}

/* How far the join of `own` with `other` is ahead of joining `own` with a rival of `other`. Two
 * things must be better: the join itself, and the world in which it is true, where the rival is
 * left to its own best partner, against the world in which `other` is. */
static bool is_ahead(const snw__join_work *work, int own, int other, double score)
{
    const snw__about *about = snw__about_track(work, own);
    const snw__candidate *list = about->candidate;
    for (int n = 0; n < about->candidate_count; n++) {
        int rival = living(work, list[n].track);
        if (rival == other || rival == own || snw__tracks_may_join(work, rival, other)) continue;
        double world = score + second_choice(work, list[n].track, own);
        double rival_world = list[n].score + second_choice(work, other, own);
        if (score - list[n].score < MATCH_LEAD || world - rival_world < MATCH_MARGIN) return false;
    }
    return true;
}

static int compare_choices(const void *left, const void *right)
{
    const snw__join_choice *a = left, *b = right;
    if (a->score != b->score) return a->score < b->score ? 1 : -1;
    if (a->a != b->a) return a->a - b->a;
    return a->b - b->b;
}

static int list_choices(const snw__join_work *work, double enough, snw__join_choice *choice)
{
    int count = 0;
    for (int k = 0; k < work->live_count; k++) {
        int a = work->live[k];
        const snw__candidate *list = work->about[k].candidate;
        for (int n = 0; n < work->about[k].candidate_count; n++)
            if (a < list[n].track && list[n].score >= enough)
                choice[count++] = (snw__join_choice){a, list[n].track, list[n].score};
    }
    qsort(choice, (size_t)count, sizeof *choice, compare_choices);
    return count;
}

/* One pass: every track is joined once at most, because a join changes what is known of it. */
static int join_best(snw__join_work *work, double enough)
{
    snw__join_choice *choice = work->choice;
    int count = list_choices(work, enough, choice), joined = 0;
    for (int t = 0; t < work->piece_count; t++)
        work->is_busy[t] = false;
    for (int n = 0; n < count; n++) {
        const snw__join_choice *at = choice + n;
        if (work->is_busy[at->a] || work->is_busy[at->b]) continue;
        if (!is_ahead(work, at->a, at->b, at->score) || !is_ahead(work, at->b, at->a, at->score))
            continue;
        snw__tracks_join(work, at->a, at->b);
        work->is_busy[at->a] = work->is_busy[at->b] = true;
        joined++;
    }
    return joined;
}

void snw__join_match(snw__join_work *work)
{
    int joined;
    do {
        snw__join_find_companions(work);
        find_candidates(work, snw__join_evidence);
        joined = join_best(work, MATCH_ENOUGH);
        if (joined > 0) continue;
        snw__join_gather_groups(work);
        find_candidates(work, snw__limb_evidence);
        joined = join_best(work, MATCH_ENOUGH_SHAPE);
    } while (joined > 0);
}

/* ---- trajectories that come back under their own name ---------------------------------------- */

/* Some systems put whatever comes next into a column that has become free. Then more than this
 * share of the returns that can be checked are somebody else. */
#define MATCH_REUSED_SHARE 0.1

static bool is_return(const snw__join_work *work, int piece)
{
    int marker = work->piece[piece].marker;
    return piece > 0 && work->piece[piece - 1].marker == marker && work->is_automatic[marker];
}

static bool has_reused_columns(const snw__join_work *work)
{
    int confirmed = 0, refuted = 0;
    for (int n = 1; n < work->piece_count; n++) {
        if (!is_return(work, n)) continue;
        double evidence = snw__companion_evidence(work, n - 1, n);
        confirmed += evidence > 3;
        refuted += evidence < -2;
    }
    return refuted > MATCH_REUSED_SHARE * (confirmed + refuted);
}

void snw__join_own(snw__join_work *work)
{
    bool has_returns = false;
    for (int n = 1; n < work->piece_count && !has_returns; n++)
        has_returns = is_return(work, n);
    if (!has_returns) return;
    snw__join_find_companions(work);
    if (has_reused_columns(work)) return;
    int track = 0;
    for (int n = 1; n < work->piece_count; n++) {
        bool is_same = is_return(work, n) &&
                       snw__companion_evidence(work, n - 1, n) + MATCH_SAME_NAME >= MATCH_ENOUGH;
        if (is_same)
            snw__tracks_join(work, track, n);
        else
            track = n;
    }
}

/* ---- second thoughts --------------------------------------------------------------------------
 */

/* Evidence below which a join is taken back. */
#define MATCH_REFUTED (-1.0)

/* Pieces so short that nothing is known of them are not asked again, nor are returns under an own
 * name when there are so many that asking would take longer than all the rest. */
#define MATCH_RETURNS_MAX 2000

static int frames_of(const snw__piece *piece)
{
    return piece->last - piece->first + 1;
}

static int count_returns(const snw__join_work *work)
{
    int count = 0;
    for (int n = 1; n < work->piece_count; n++)
        count += is_return(work, n);
    return count;
}

/* Is the join of a piece with the next one to be asked again? A person's own is left alone. */
static bool is_asked(const snw__join_work *work, int piece, bool with_returns)
{
    const snw__piece *one = work->piece + piece, *other = work->piece + one->next;
    if (frames_of(one) < 3 || frames_of(other) < 3) return false;
    return one->marker != other->marker || (with_returns && work->is_automatic[one->marker]);
}

/* Whether the track holds at this place, seen from both parts. */
static bool holds(snw__join_work *work, int track, int next)
{
    int rest = snw__track_split(work, track, next);
    work->rank[rest] = work->live_max;
    snw__track_find_companions(work, track);
    snw__track_find_companions(work, rest);
    double evidence = snw__join_evidence(work, track, rest) + prior(work, track, rest);
    if (evidence < MATCH_REFUTED) return false;
    snw__tracks_join(work, track, rest);
    return true;
}

void snw__join_verify(snw__join_work *work)
{
    bool with_returns = count_returns(work) <= MATCH_RETURNS_MAX;
    for (int t = 0; t < work->piece_count; t++) {
        int piece = work->track[t].head;
        while (piece >= 0 && work->piece[piece].next >= 0) {
            int next = work->piece[piece].next;
            if (is_asked(work, piece, with_returns) && !holds(work, t, next)) {
                work->undone_count++;
                break;
            }
            piece = next;
        }
    }
}

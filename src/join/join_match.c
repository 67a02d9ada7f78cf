/* Which chains are joined: those whose evidence is strong and beats every alternative by far. A
 * alternative is a chain that would fit one of the two as well but cannot be the same marker, being
 * seen at the same time. What is in doubt stays apart: a marker in two pieces does less harm than
 * two in one.
 */
#include <stdlib.h>
#include <string.h>

#include "join/join.h"
#include "join/join_constants.h"
#include "math/robust.h"

static bool is_alive(const snw__join_work *work, int chain)
{
    return work->chain[chain].head >= 0;
}

static snw__candidates *found_for(const snw__join_work *work, int chain, snw__join_search search)
{
    return &snw__about_chain(work, chain)->found[search];
}

static void keep_candidate(snw__candidates *list, int other, double score)
{
    if (list->count == SNW__CANDIDATES && list->item[list->count - 1].score >= score) return;
    if (list->count < SNW__CANDIDATES) list->count++;
    int n = list->count - 1;
    for (; n > 0 && list->item[n - 1].score < score; n--)
        list->item[n] = list->item[n - 1];
    list->item[n] = (snw__candidate){other, score};
}

static double prior(const snw__join_work *work, int a, int b)
{
    return work->chain[a].label >= 0 && work->chain[b].label >= 0 ? MATCH_SAME_NAME : 0;
}

static int living(const snw__join_work *work, int chain)
{
    while (!is_alive(work, chain))
        chain = work->chain[chain].into;
    return chain;
}

/* The best that a chain could have without `taken`; nothing at all is worth 0. */
static double second_choice(const snw__join_work *work, const snw__candidates *list, int taken)
{
    for (int n = 0; n < list->count; n++)
        if (living(work, list->item[n].chain) != taken) return list->item[n].score;
    return 0;
}

/* How far the join of `own` with `other` is ahead of joining `own` with a alternative of `other`.
 * Two things must be better: the join itself, and the world in which it is true, where the
 * alternative is left to its own best partner, against the world in which `other` is. */
static bool is_ahead(const snw__join_work *work, int own, const snw__join_choice *choice,
                     snw__join_search search)
{
    const snw__candidates *list = found_for(work, own, search);
    int other = choice->a == own ? choice->b : choice->a;
    double left = second_choice(work, found_for(work, other, search), own);
    for (int n = 0; n < list->count; n++) {
        const snw__candidate *item = list->item + n;
        int alternative = living(work, item->chain);
        if (alternative == other || alternative == own ||
            snw__chains_may_join(work, alternative, other))
            continue;
        double rival_left = second_choice(work, found_for(work, item->chain, search), own);
        double lead = choice->score - item->score;
        if (lead < SNW__NAT || lead + rival_left - left < SNW__EVIDENCE) return false;
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

/* One pass: every chain is joined once at most, because a join changes what is known of it. */
static int join_best(snw__join_work *work, snw__join_search search)
{
    for (int n = 0; n < work->live_count; n++) {
        /* Keeps what still stands: neither of the two has changed. */
        snw__candidates *list = found_for(work, work->live[n], search);
        int kept = 0;
        for (int i = 0; i < list->count && !list->is_stale; i++) {
            int other = list->item[i].chain;
            if (is_alive(work, other) && !found_for(work, other, search)->is_stale)
                list->item[kept++] = list->item[i];
        }
        list->count = kept;
    }
    for (int n = 0; n < work->live_count; n++) {
        int a = work->live[n];
        snw__candidates *of_a = found_for(work, a, search);
        for (int k = n + 1; k < work->live_count; k++) {
            int b = work->live[k];
            snw__candidates *of_b = found_for(work, b, search);
            if (!of_a->is_stale && !of_b->is_stale) continue;
            if (!snw__chains_may_join(work, a, b)) continue;
            double score = prior(work, a, b) + (search == SNW__JOIN_BY_SHAPE
                                                    ? snw__segment_evidence(work, a, b)
                                                    : snw__join_evidence(work, a, b));
            /* Less than this is no alternative. */
            if (score < SNW__NAT) continue;
            keep_candidate(of_a, b, score);
            keep_candidate(of_b, a, score);
        }
    }
    for (int n = 0; n < work->live_count; n++)
        found_for(work, work->live[n], search)->is_stale = false;
    /* The same for a group that fits as a whole: there are more ways in which it could by chance.
     */
    double enough = search == SNW__JOIN_BY_SHAPE ? SNW__EVIDENCE_DECISIVE : MATCH_ENOUGH;
    int count = 0;
    for (int k = 0; k < work->live_count; k++) {
        int a = work->live[k];
        const snw__candidates *list = found_for(work, a, search);
        for (int n = 0; n < list->count; n++)
            if (a < list->item[n].chain && list->item[n].score >= enough)
                work->choice[count++] =
                    (snw__join_choice){a, list->item[n].chain, list->item[n].score};
    }
    qsort(work->choice, (size_t)count, sizeof *work->choice, compare_choices);
    int joined = 0;
    memset(work->is_busy, 0, (size_t)work->piece_count * sizeof(bool));
    for (int n = 0; n < count; n++) {
        const snw__join_choice *at = work->choice + n;
        if (work->is_busy[at->a] || work->is_busy[at->b]) continue;
        if (!is_ahead(work, at->a, at, search) || !is_ahead(work, at->b, at, search)) continue;
        snw__chains_join(work, at->a, at->b);
        work->is_busy[at->a] = work->is_busy[at->b] = true;
        joined++;
    }
    return joined;
}

void snw__join_match(snw__join_work *work)
{
    work->shape_tries_left = MATCH_SHAPE_TRIES;
    snw__join_find_companions(work);
    for (;;) {
        int joined = join_best(work, SNW__JOIN_BY_COMPANIONS);
        if (joined == 0) {
            snw__join_gather_groups(work);
            joined = join_best(work, SNW__JOIN_BY_SHAPE);
        }
        if (joined == 0) return;
        snw__join_renew_companions(work);
    }
}

/* ---- trajectories that come back under their own name ---------------------------------------- */

static bool is_return(const snw__join_work *work, int piece)
{
    int marker = work->piece[piece].marker;
    return piece > 0 && work->piece[piece - 1].marker == marker && work->is_automatic[marker];
}

void snw__join_own(snw__join_work *work)
{
    bool has_returns = false;
    for (int n = 1; n < work->piece_count && !has_returns; n++)
        has_returns = is_return(work, n);
    if (!has_returns) return;
    snw__join_find_companions(work);
    int confirmed = 0, refuted = 0;
    for (int n = 1; n < work->piece_count; n++) {
        if (!is_return(work, n)) continue;
        double evidence = snw__companion_evidence(work, n - 1, n);
        confirmed += evidence > 3;
        refuted += evidence < -2;
    }
    if (refuted > MATCH_REUSED_SHARE * (confirmed + refuted)) return;
    int chain = 0;
    for (int n = 1; n < work->piece_count; n++) {
        bool is_same = is_return(work, n) &&
                       snw__companion_evidence(work, n - 1, n) + MATCH_SAME_NAME >= MATCH_ENOUGH;
        if (is_same)
            snw__chains_join(work, chain, n);
        else
            chain = n;
    }
}

/* ---- second thoughts --------------------------------------------------------------------------
 */

/* Is the join of a piece with the next one to be asked again? A person's own is left alone. */
static bool is_asked(const snw__join_work *work, int piece, bool with_returns)
{
    const snw__piece *one = work->piece + piece, *other = work->piece + one->next;
    if (one->seen_count < 3 || other->seen_count < 3) return false;
    return one->marker != other->marker || (with_returns && work->is_automatic[one->marker]);
}

/* Whether the chain holds at this place, seen from both parts. */
static bool holds(snw__join_work *work, int chain, int next)
{
    int rest = snw__chain_split(work, chain, next);
    work->rank[rest] = work->live_max;
    snw__chain_find_companions(work, chain);
    snw__chain_find_companions(work, rest);
    double evidence = snw__join_evidence(work, chain, rest) + prior(work, chain, rest);
    /* Evidence below which a join is taken back. */
    if (evidence < (-SNW__NAT)) return false;
    snw__chains_join(work, chain, rest);
    return true;
}

void snw__join_verify(snw__join_work *work)
{
    int count = 0;
    for (int n = 1; n < work->piece_count; n++)
        count += is_return(work, n);
    bool with_returns = count <= MATCH_RETURNS_MAX;
    for (int t = 0; t < work->piece_count; t++) {
        int piece = work->rank[t] < work->live_max ? work->chain[t].head : -1;
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

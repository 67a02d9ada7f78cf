/* What speaks for two chains being one marker, as a logarithm of likelihoods.
 *
 * Distances. A chain that is seen beside both (a companion) has a distance to each. On one segment
 * these are equal up to noise and skin; the chance that another point has the same distance is the
 * noise over the size of a segment. Whether a companion is on the same segment is known only after
 * a while, so every distance is judged by a mixture: steady with a probability that grows with the
 * time it was seen to be, loose otherwise. A place has three coordinates, so that however many
 * companions agree they count as three at most.
 *
 * Motion. Over a short gap the end of one and the beginning of the other, both carried on to the
 * middle of the gap with their own velocity, meet; how nearly, is learned from gaps made on purpose
 * in the same trial. */

#include "base/elementary.h"
#include "join/join.h"
#include "join/join_constants.h"
#include "math/order.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "rigid/sampling.h"

/* ---- motion over gaps ------------------------------------------------------------------------ */

static bool place_at(const snw__join_work *work, int piece, int frame, snw_vec3 *point)
{
    const snw__piece *p = work->piece + piece;
    if (frame < p->first || frame > p->last) return false;
    const snw__place3 *place = snw__piece_point(work, piece, frame);
    *point = snw_vec3_make(place->x, place->y, place->z);
    return place->x == place->x;
}

/* The place at `frame` + ahead (frames, negative: before), by the velocity on the far side of
 * `frame`. */
static bool carry_on(const snw__join_work *work, int piece, int frame, double ahead, snw_vec3 *out)
{
    snw_vec3 here, there;
    int side = ahead < 0 ? 1 : -1;
    if (!place_at(work, piece, frame, &here)) return false;
    for (int back = JOIN_BASELINE; back > 0; back--) {
        if (!place_at(work, piece, frame + side * back, &there)) continue;
        *out = snw_vec3_add_scaled(here, fabs(ahead) / back, snw_vec3_sub(here, there));
        return true;
    }
    *out = here;
    return false;
}

/* How far apart the two sides of a gap meet; negative: not to be told. */
static double meeting_error(const snw__join_work *work, int before, int end, int after, int start)
{
    double half = 0.5 * (start - end);
    snw_vec3 left, right;
    bool is_known = carry_on(work, before, end, half > 0 ? half : 1e-9, &left);
    is_known = carry_on(work, after, start, half > 0 ? -half : -1e-9, &right) && is_known;
    return is_known ? snw_vec3_distance(left, right) : -1;
}

/* Median of a coordinate's error over gaps of `length` frames, made in the longest pieces. */
static double learn_gap(const snw__join_work *work, int length)
{
    double error[JOIN_GAP_SAMPLES];
    int count = 0, need = length + 2 * JOIN_BASELINE + 1;
    double room = 0, at = 0;
    for (int n = 0; n < work->piece_count; n++)
        room += fmax(0, work->piece[n].last - work->piece[n].first + 1 - need);
    double step = fmax(1, room / JOIN_GAP_SAMPLES);
    for (int n = 0; n < work->piece_count; n++) {
        const snw__piece *piece = work->piece + n;
        double here = fmax(0, piece->last - piece->first + 1 - need);
        for (; at < here && count < JOIN_GAP_SAMPLES; at += step) {
            int end = piece->first + JOIN_BASELINE + (int)at;
            double one = meeting_error(work, n, end, n, end + length);
            if (one >= 0) error[count++] = one;
        }
        at -= here;
    }
    if (count < 8) return -1;
    return snw__median(error, count) / 1.538; /* median of the Maxwell distribution */
}

void snw__join_learn_gaps(snw__join_work *work)
{
    for (int n = 0; n < SNW__GAP_STEPS; n++) {
        double error = learn_gap(work, 1 << n);
        double before = n ? work->gap_error[n - 1] : 0.0003;
        work->gap_error[n] = error < 0 ? 4 * before : fmax(error, before);
    }
}

/* Errors have long tails (contacts, blows): Student's distribution with three degrees of freedom in
 * three dimensions, against anywhere in the region. */
static double motion_evidence(const snw__join_work *work, int gap, double error)
{
    int step = 0;
    while (step < SNW__GAP_STEPS && 1 << step < gap)
        step++;
    if (step == SNW__GAP_STEPS) return 0;
    double deviation = 1.2 * work->gap_error[step] + 0.0005;
    /* Metres: the region in which a point that is not the marker could be as well, one dimension.
     */
    if (deviation > 0.5 * SNW__ELSEWHERE) return 0;
    double height = 3 * snw__log(SNW__ELSEWHERE / (2.5066 * deviation));
    double z = error / deviation;
    return fmax(-6, height - 3 * snw__log1p(z * z / 3));
}

/* Where a piece of one chain is followed by a piece of the other. */
static double continuity(const snw__join_work *work, int a, int b)
{
    int p = work->chain[a].head, q = work->chain[b].head, last = -1;
    bool last_is_a = false;
    double sum = 0;
    while (p >= 0 || q >= 0) {
        bool is_a = q < 0 || (p >= 0 && work->piece[p].first <= work->piece[q].first);
        int now = is_a ? p : q;
        if (last >= 0 && is_a != last_is_a) {
            const snw__piece *before = work->piece + last, *after = work->piece + now;
            int gap = after->first - before->last;
            if (gap <= 1 << (SNW__GAP_STEPS - 1)) {
                double error = meeting_error(work, last, before->last, now, after->first);
                if (error >= 0) sum += motion_evidence(work, gap, error);
            }
        }
        last = now;
        last_is_a = is_a;
        if (is_a)
            p = work->piece[p].next;
        else
            q = work->piece[q].next;
    }
    return sum;
}

/* ---- companions ------------------------------------------------------------------------------ */

static double learn_noise(snw__join_work *work)
{
    double *value = (double *)(void *)work->choice; /* free until candidates are looked for */
    int count = 0;
    for (int k = 0; k < work->live_count; k++) {
        const snw__about *about = snw__about_chain(work, work->live[k]);
        int steady = 0;
        for (int n = 0; n < about->companion_count; n++) {
            const snw__pair_distance *distance = &about->companion[n].distance;
            if (distance->seconds < JOIN_NOISE_SECONDS || ++steady < 2) continue;
            value[count++] = distance->deviation;
            break;
        }
    }
    if (count == 0) return JOIN_NOISE_MAX;
    return fmin(JOIN_NOISE_MAX, fmax(SNW__NOISE, snw__median(value, count)));
}

void snw__chain_find_companions(snw__join_work *work, int chain)
{
    snw__about_chain(work, chain)->companion_count = 0;
    for (int n = 0; n < work->live_count; n++) {
        int other = work->live[n];
        if (other == chain || work->chain[other].head < 0) continue;
        snw__companion one = {other, 0, snw__pair_measure(work, chain, other)};
        /* Until a distance has been seen this long (seconds) it is thought to vary by this much
         * (metres). */
        if (one.distance.count < PIECE_LIVE_MIN) continue;
        /* How steady a distance is, near ones first among equals. */
        double square = (one.distance.seconds * one.distance.deviation * one.distance.deviation +
                         SNW__SKIN_SECONDS * SNW__SKIN_MAX * SNW__SKIN_MAX) /
                        (one.distance.seconds + SNW__SKIN_SECONDS);
        one.key = sqrt(square) + 0.005 * one.distance.mean;
        snw__companion *list = snw__about_chain(work, chain)->companion;
        int *count = &snw__about_chain(work, chain)->companion_count;
        if (*count == SNW__COMPANIONS && list[*count - 1].key <= one.key) continue;
        if (*count < SNW__COMPANIONS) ++*count;
        int k = *count - 1;
        for (; k > 0 && list[k - 1].key > one.key; k--)
            list[k] = list[k - 1];
        list[k] = one;
    }
}

static void renew(snw__join_work *work, int chain)
{
    snw__chain_find_companions(work, chain);
    for (int search = 0; search < SNW__JOIN_SEARCHES; search++)
        snw__about_chain(work, chain)->found[search].is_stale = true;
}

void snw__join_find_companions(snw__join_work *work)
{
    snw__join_list_live(work);
    for (int n = 0; n < work->live_count; n++)
        renew(work, work->live[n]);
    work->noise = learn_noise(work);
}

void snw__join_renew_companions(snw__join_work *work)
{
    snw__join_drop_dead(work);
    for (int k = 0; k < work->live_count; k++) {
        int chain = work->live[k];
        const snw__about *about = snw__about_chain(work, chain);
        bool is_stale = work->is_busy[chain];
        for (int n = 0; n < about->companion_count && !is_stale; n++)
            is_stale = work->is_busy[about->companion[n].chain];
        if (is_stale) renew(work, chain);
    }
    work->noise = learn_noise(work);
}

/* ---- distances ------------------------------------------------------------------------------- */

static double normal(double x, double deviation)
{
    return snw__exp(-0.5 * x * x / (deviation * deviation)) / (2.5066 * deviation);
}

/* Of two chains that are the same marker, if their distances are the same. */
static double distance_evidence(const snw__join_work *work, const snw__pair_distance *a,
                                const snw__pair_distance *b, double *sharpness)
{
    double seconds = a->seconds + b->seconds;
    double within =
        sqrt((a->seconds * a->deviation * a->deviation + b->seconds * b->deviation * b->deviation) /
             fmax(seconds, 1e-9));
    double spread = fmax(within, work->noise);
    /* Seconds after which skin is somewhere else: means over longer times are better known. */
    double of_mean =
        sqrt(1 / (1 + a->seconds / SNW__SKIN_SECONDS) + 1 / (1 + b->seconds / SNW__SKIN_SECONDS));
    double steady = fmax(of_mean, JOIN_BIAS) * spread + 0.0003;
    double loose = 1.5 * fmax(within, SNW__SKIN_MAX);
    double share =
        within < 3 * work->noise ? JOIN_STEADY_SHARE * seconds / (seconds + SNW__SKIN_SECONDS) : 0;
    double difference = a->mean - b->mean;
    double likelihood =
        share * normal(difference, steady) + (1 - share) * normal(difference, loose);
    double width = share > 0.3 ? steady : loose;
    *sharpness = 1 / (width * width);
    return snw__log(SNW__ELSEWHERE * likelihood + 1e-6);
}

typedef struct join_voices {
    int count;
    int chain[JOIN_VOICES];
    double evidence[JOIN_VOICES];
    double sharpness[JOIN_VOICES];
} join_voices;

static void hear_companions(const snw__join_work *work, int own, int other, int voice_max,
                            join_voices *voices)
{
    const snw__about *about = snw__about_chain(work, own);
    const snw__companion *list = about->companion;
    for (int n = 0; n < about->companion_count && voices->count < voice_max; n++) {
        int chain = list[n].chain, known = 0;
        while (known < voices->count && voices->chain[known] != chain)
            known++;
        if (chain == other || known < voices->count) continue;
        snw__pair_distance pair = snw__pair_measure(work, other, chain);
        if (pair.count < PIECE_LIVE_MIN) continue;
        int v = voices->count++;
        voices->chain[v] = chain;
        voices->evidence[v] =
            distance_evidence(work, &list[n].distance, &pair, &voices->sharpness[v]);
    }
}

/* Sharp voices count more; one counts once at most, all together three times. */
static double sum_voices(const join_voices *voices)
{
    double all = 0, sum = 0;
    for (int v = 0; v < voices->count; v++)
        all += voices->sharpness[v];
    for (int v = 0; v < voices->count; v++)
        sum += fmin(1, 3 * voices->sharpness[v] / all) * voices->evidence[v];
    return sum;
}

double snw__companion_evidence(const snw__join_work *work, int a, int b)
{
    join_voices voices = {0, {0}, {0}, {0}};
    hear_companions(work, a, b, 3, &voices);
    /* Most pairs have nothing to do with each other: three distances tell. */
    if (voices.count >= 3 && sum_voices(&voices) < JOIN_STRANGERS) return JOIN_STRANGERS;
    hear_companions(work, a, b, JOIN_VOICES / 2, &voices);
    hear_companions(work, b, a, JOIN_VOICES, &voices);
    return sum_voices(&voices);
}

double snw__join_evidence(snw__join_work *work, int a, int b)
{
    double companions = snw__companion_evidence(work, a, b);
    return companions > JOIN_STRANGERS ? companions + continuity(work, a, b) : companions;
}

/* ---- segments that vanished whole --------------------------------------------------------- */

/* A segment that vanished as a whole and came back: no companion was seen on both sides, but the
 * shape of the group is the same. The chains about a are laid onto the chains about b so that as
 * many distances as possible agree; every agreement is evidence as above. */

typedef struct segment_puzzle {
    const snw__join_work *work;
    const snw__segment_group *a, *b;
    int image[SNW__GROUP]; /* which of b each of a is laid onto; -1: none */
    int tries_left;
    double best;
} segment_puzzle;

void snw__join_gather_groups(snw__join_work *work)
{
    for (int n = 0; n < work->live_count; n++) {
        snw__about *about = snw__about_chain(work, work->live[n]);
        if (about->found[SNW__JOIN_BY_SHAPE].is_stale) {
            snw__segment_group *group = &about->group;
            group->count = 1;
            group->chain[0] = work->live[n];
            for (int j = 0; j < about->companion_count && group->count < SNW__GROUP; j++) {
                const snw__companion *one = about->companion + j;
                /* Seen together at least so long, seconds: until then everything seems to be of one
                 * segment. Of a distance that is at all one of a segment, metres. */
                if (one->distance.deviation < 3 * work->noise &&
                    one->distance.mean < SNW__BONE_MAX && one->distance.seconds >= SNW__BRIEF)
                    group->chain[group->count++] = one->chain;
            }
            for (int i = 0; i < group->count; i++)
                for (int k = 0; k < i; k++)
                    group->distance[i][k] = group->distance[k][i] =
                        snw__pair_measure(work, group->chain[i], group->chain[k]);
        }
    }
}

/* A companion of both sides is laid onto itself: nothing to learn from two of these. */
static bool is_itself(const segment_puzzle *puzzle, int i, int j)
{
    return puzzle->a->chain[i] == puzzle->b->chain[j];
}

/* What laying i of a onto j of b adds; negative where it contradicts. */
static double addition(const segment_puzzle *puzzle, int i, int j)
{
    double sum = 0, sharpness;
    for (int k = 0; k < i; k++) {
        int image = puzzle->image[k];
        if (image < 0) continue;
        if (image == j) return -1;
        if (is_itself(puzzle, i, j) && is_itself(puzzle, k, image)) continue;
        const snw__pair_distance *one = &puzzle->a->distance[i][k];
        const snw__pair_distance *other = &puzzle->b->distance[j][image];
        if (one->count < 3 || other->count < 3) continue;
        double evidence = distance_evidence(puzzle->work, one, other, &sharpness);
        if (evidence < SHAPE_AGREEMENT) return -1;
        sum += evidence;
    }
    return sum;
}

/* n points that are laid onto others, with r that are laid onto themselves, have so many distances
 * of which only some are free: three coordinates for each, less what moves the group as a whole. */
static double fair_share(double score, int n, int r)
{
    static const int whole[] = {6, 3, 1, 0};
    if (n + r < 3) return 0;
    double distances = 0.5 * n * (n - 1) + n * r, free_count = 3 * n - whole[r < 3 ? r : 3];
    return distances > free_count ? score * free_count / distances : score;
}

static void lay(segment_puzzle *puzzle, int i, double score)
{
    if (i == puzzle->a->count) {
        int laid = 0, itself = 0;
        for (int k = 0; k < i; k++) {
            laid += puzzle->image[k] >= 0;
            itself += puzzle->image[k] >= 0 && is_itself(puzzle, k, puzzle->image[k]);
        }
        puzzle->best = fmax(puzzle->best, fair_share(score, laid - itself, itself));
        return;
    }
    for (int j = 1; j < puzzle->b->count && puzzle->tries_left > 0; j++) {
        if (!is_itself(puzzle, i, j) &&
            !snw__chains_may_join(puzzle->work, puzzle->a->chain[i], puzzle->b->chain[j]))
            continue;
        double more = addition(puzzle, i, j);
        if (!(more > 0)) continue;
        puzzle->tries_left--;
        puzzle->image[i] = j;
        lay(puzzle, i + 1, score + more);
    }
    puzzle->image[i] = -1;
    lay(puzzle, i + 1, score);
}

double snw__segment_evidence(snw__join_work *work, int a, int b)
{
    /* Assignments tried for one pair: shapes rarely allow more than a few. */
    int tries = work->shape_tries_left < SNW__ROUNDS_MAX ? work->shape_tries_left : SNW__ROUNDS_MAX;
    segment_puzzle puzzle = {
        work, &snw__about_chain(work, a)->group, &snw__about_chain(work, b)->group, {0}, tries, 0};
    if (puzzle.a->count < 3 || puzzle.b->count < 3) return 0;
    lay(&puzzle, 1, 0);
    work->shape_tries_left -= tries - puzzle.tries_left;
    return puzzle.best;
}

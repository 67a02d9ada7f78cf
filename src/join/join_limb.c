/* A limb that vanished as a whole and came back: no companion was seen on both sides, but the shape
 * of the group is the same. The tracks about a are laid onto the tracks about b so that as many
 * distances as possible agree; every agreement is evidence as in join_evidence.c. */
#include "join/join.h"

/* Assignments tried for one pair, at most: shapes rarely allow more than a few. */
#define LIMB_TRIES 100
/* Of a distance that is at all one of a limb, metres. */
#define LIMB_REACH 0.6

/* Seen together at least so long, seconds: until then everything seems to be of one limb. */
#define LIMB_SECONDS 0.1

/* Evidence below which a distance does not agree as those of one limb do. */
#define LIMB_AGREEMENT 0.7

typedef struct limb_puzzle {
    const snw__join_work *work;
    const snw__limb_group *a, *b;
    int image[SNW__GROUP]; /* which of b each of a is laid onto; -1: none */
    int tries_left;
    double best;
} limb_puzzle;

static void gather(const snw__join_work *work, int track, snw__about *about)
{
    snw__limb_group *group = &about->group;
    group->count = 1;
    group->track[0] = track;
    for (int n = 0; n < about->companion_count && group->count < SNW__GROUP; n++) {
        const snw__companion *one = about->companion + n;
        if (one->distance.deviation < 3 * work->noise && one->distance.mean < LIMB_REACH &&
            one->distance.seconds >= LIMB_SECONDS)
            group->track[group->count++] = one->track;
    }
    for (int i = 0; i < group->count; i++)
        for (int k = 0; k < i; k++)
            group->distance[i][k] = group->distance[k][i] =
                snw__pair_measure(work, group->track[i], group->track[k]);
}

void snw__join_gather_groups(snw__join_work *work)
{
    for (int n = 0; n < work->live_count; n++) {
        snw__about *about = snw__about_track(work, work->live[n]);
        if (about->found[SNW__JOIN_BY_SHAPE].is_stale) gather(work, work->live[n], about);
    }
}

/* A companion of both sides is laid onto itself: nothing to learn from two of these. */
static bool is_itself(const limb_puzzle *puzzle, int i, int j)
{
    return puzzle->a->track[i] == puzzle->b->track[j];
}

/* What laying i of a onto j of b adds; negative where it contradicts. */
static double addition(const limb_puzzle *puzzle, int i, int j)
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
        double evidence = snw__distance_evidence(puzzle->work, one, other, &sharpness);
        if (evidence < LIMB_AGREEMENT) return -1;
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

static void lay(limb_puzzle *puzzle, int i, double score)
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
            !snw__tracks_may_join(puzzle->work, puzzle->a->track[i], puzzle->b->track[j]))
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

double snw__limb_evidence(snw__join_work *work, int a, int b)
{
    int tries = work->shape_tries_left < LIMB_TRIES ? work->shape_tries_left : LIMB_TRIES;
    limb_puzzle puzzle = {
        work, &snw__about_track(work, a)->group, &snw__about_track(work, b)->group, {0}, tries, 0};
    if (puzzle.a->count < 3 || puzzle.b->count < 3) return 0;
    lay(&puzzle, 1, 0);
    work->shape_tries_left -= tries - puzzle.tries_left;
    return puzzle.best;
}

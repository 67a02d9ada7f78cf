/* Looks for the grouping that is worth most, one change at a time.
 *
 * Changes are: a marker goes to another group or on its own, two groups become one, a group falls
 * into two. The best of all possible changes is made until none is left that gains anything. What a
 * group is worth is measured with rigid bodies in space, which needs many fits; what distances
 * already rule out is not tried. Every answer is kept until one of its groups changes. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "segment/segment_constants.h"
#include "segment/segment_group.h"

typedef struct search_room {
    snw__group_work *room;
    int n;
    int *group_of;      /* (n) */
    int *size;          /* (n) of each group */
    double *worth;      /* (n) of each group */
    double *joined;     /* (n x n) worth of two groups as one; NaN: not known yet */
    double *with;       /* (n x n) row m: of every group with marker m; NaN: not known yet */
    double *without;    /* (n) of a marker's group without it; NaN: not known yet */
    double *split;      /* (n) of the two halves of a group; NaN: not known yet */
    int *member, *half; /* (n) */
    int *before;        /* (n) group_of before a trial */
} search_room;

static void lay_out(void *object, snw__block *block)
{
    search_room *search = object;
    size_t n = (size_t)search->n;
    size_t square = snw__size_mul(n, n);
    search->size = snw__block_take(block, n, sizeof(int));
    search->worth = snw__block_take(block, n, sizeof(double));
    search->joined = snw__block_take(block, square, sizeof(double));
    search->with = snw__block_take(block, square, sizeof(double));
    search->without = snw__block_take(block, n, sizeof(double));
    search->split = snw__block_take(block, n, sizeof(double));
    search->member = snw__block_take(block, n, sizeof(int));
    search->half = snw__block_take(block, n, sizeof(int));
    search->before = snw__block_take(block, n, sizeof(int));
}

/* ---- what a change would be worth ----------------------------------------------------------- */

/* The members of group a, of group b too unless it is negative. */
static int list_members(const search_room *search, int a, int b, int *member)
{
    int count = 0;
    for (int m = 0; m < search->n; m++)
        if (search->group_of[m] == a || (b >= 0 && search->group_of[m] == b)) member[count++] = m;
    return count;
}

static double worth_of(search_room *search, const int *member, int count)
{
    return snw__segment_worth(snw__group_stiffness(search->room, member, count),
                              search->room->scale);
}

/* Can the markers, taken from distances alone and seen with optimism, be worth more than `least`
 * as one group? */
static bool is_promising(const search_room *search, int count, double least)
{
    const snw__distances *distances = search->room->distances;
    double sum = 0, weight = 0;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            int pair = search->member[a] * search->n + search->member[b];
            if (!(distances->slow[pair] < HUGE_VAL)) continue;
            sum += distances->share[pair] * 0.5 * distances->total[pair];
            weight += distances->share[pair];
        }
    if (!(weight > 0)) return false;
    snw__stiffness hope = {SEARCH_OPTIMISM * sum / weight, snw__segment_freedom(count)};
    return snw__segment_worth(hope, search->room->scale) > least;
}

static bool is_exhausted(const search_room *search)
{
    return search->room->sample_count > SEARCH_SAMPLES;
}

static double worth_joined(search_room *search, int a, int b)
{
    double *known = search->joined + (a < b ? a * search->n + b : b * search->n + a);
    if (!isnan(*known)) return *known;
    if (is_exhausted(search)) return -HUGE_VAL;
    int count = list_members(search, a, b, search->member);
    bool is_tried = is_promising(search, count, search->worth[a] + search->worth[b]);
    return *known = is_tried ? worth_of(search, search->member, count) : -HUGE_VAL;
}

static double worth_with(search_room *search, int marker, int group)
{
    double *known = search->with + marker * search->n + group;
    if (!isnan(*known)) return *known;
    if (is_exhausted(search)) return -HUGE_VAL;
    int count = list_members(search, group, -1, search->member);
    search->member[count++] = marker;
    bool is_tried = is_promising(search, count, search->worth[group]);
    return *known = is_tried ? worth_of(search, search->member, count) : -HUGE_VAL;
}

static double worth_without(search_room *search, int marker)
{
    double *known = search->without + marker;
    if (!isnan(*known)) return *known;
    if (is_exhausted(search)) return -HUGE_VAL;
    int count = 0;
    for (int m = 0; m < search->n; m++)
        if (m != marker && search->group_of[m] == search->group_of[marker])
            search->member[count++] = m;
    return *known = worth_of(search, search->member, count);
}

/* The two halves of a group: about the two members whose distance varies most. Members of the
 * second come first in `half`, then the others; returns how many are in the second. */
static int split_members(search_room *search, int group)
{
    const double *slow = search->room->distances->slow;
    int n = search->n, count = list_members(search, group, -1, search->member);
    int far_a = search->member[0], far_b = search->member[1];
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            int pair = search->member[a] * n + search->member[b];
            if (!(slow[pair] < HUGE_VAL) || slow[pair] <= slow[far_a * n + far_b]) continue;
            far_a = search->member[a];
            far_b = search->member[b];
        }
    int second = 0, end = count;
    for (int k = 0; k < count; k++) {
        int m = search->member[k];
        bool is_second = m == far_b || (m != far_a && slow[m * n + far_b] < slow[m * n + far_a]);
        if (is_second)
            search->half[second++] = m;
        else
            search->half[--end] = m;
    }
    return second;
}

static double worth_split(search_room *search, int group)
{
    double *known = search->split + group;
    if (!isnan(*known)) return *known;
    if (is_exhausted(search)) return -HUGE_VAL;
    if (search->size[group] < 4) return *known = -HUGE_VAL;
    int count = search->size[group], second = split_members(search, group);
    return *known = worth_of(search, search->half, second) +
                    worth_of(search, search->half + second, count - second);
}

/* ---- changes -------------------------------------------------------------------------------- */

/* marker >= 0: it goes to group `to`. Else `from` joins `to`, or falls into two where `to` is an
 * empty group. */
typedef struct search_change {
    double gain;
    int marker;
    int from, to;
} search_change;

static void keep_better(search_change *best, double gain, int marker, int from, int to)
{
    if (!(gain > best->gain)) return;
    search_change change = {gain, marker, from, to};
    *best = change;
}

static int empty_group(const search_room *search)
{
    for (int g = 0; g < search->n; g++)
        if (search->size[g] == 0) return g;
    return -1;
}

/* Forgets what was known about a group and measures it anew. */
static void renew(search_room *search, int group)
{
    int n = search->n, count = list_members(search, group, -1, search->member);
    search->size[group] = count;
    search->worth[group] = count ? worth_of(search, search->member, count) : 0;
    search->split[group] = NAN;
    for (int k = 0; k < n; k++) {
        search->joined[group * n + k] = search->joined[k * n + group] = NAN;
        search->with[k * n + group] = NAN;
        if (search->group_of[k] == group) search->without[k] = NAN;
    }
}

static void apply(search_room *search, search_change change)
{
    if (change.marker >= 0) {
        search->group_of[change.marker] = change.to;
    } else if (search->size[change.to] == 0) {
        int second = split_members(search, change.from);
        for (int k = 0; k < second; k++)
            search->group_of[search->half[k]] = change.to;
    } else {
        for (int m = 0; m < search->n; m++)
            if (search->group_of[m] == change.from) search->group_of[m] = change.to;
    }
    renew(search, change.from);
    renew(search, change.to);
}

/* ---- dissolving ----------------------------------------------------------------------------- */

static double total_worth(const search_room *search)
{
    double sum = 0;
    for (int g = 0; g < search->n; g++)
        sum += search->worth[g];
    return sum;
}

/* Sends every member of a small group where it fits best. Three markers of two segments that found
 * each other first are held together by one another: no single one gains by leaving. */
static bool dissolve(search_room *search, int group)
{
    double worth = total_worth(search);
    memcpy(search->before, search->group_of, (size_t)search->n * sizeof(int));
    for (int m = 0; m < search->n; m++)
        if (search->before[m] == group) {
            /* The group that gains most from one marker more, its own where that is not even worth
             * a segment.
             */
            double most = -search->room->scale->segment;
            int home = group;
            for (int g = 0; g < search->n; g++) {
                if (g == group || search->size[g] == 0) continue;
                double gain = worth_with(search, m, g) - search->worth[g];
                if (gain <= most) continue;
                most = gain;
                home = g;
            }
            search_change change = {0, m, group, home};
            if (home != group) apply(search, change);
        }
    if (total_worth(search) > worth + SNW__SAME) return true;
    /* Puts back the groups that were kept before a trial. */
    for (int m = 0; m < search->n; m++) {
        int left = search->group_of[m];
        if (left == search->before[m]) continue;
        search->group_of[m] = search->before[m];
        renew(search, left);
    }
    renew(search, group);
    return false;
}

static bool dissolve_any(search_room *search)
{
    for (int g = 0; g < search->n; g++)
        if (search->size[g] >= 2 && search->size[g] <= SEARCH_SMALL && dissolve(search, g))
            return true;
    return false;
}

/* ---- single markers ------------------------------------------------------------------------- */

/* How far a marker strays from a group's body: variance of its coordinates. */
static double stray(search_room *search, int marker, int group)
{
    int count = list_members(search, group, -1, search->member);
    snw__stiffness alone = snw__group_stiffness(search->room, search->member, count);
    search->member[count++] = marker;
    snw__stiffness both = snw__group_stiffness(search->room, search->member, count);
    double freedom = both.freedom - alone.freedom;
    /* Share of the frames that must show a single marker with the body that it is put on. */
    if (!(freedom > SNW__SEEN_LEAST * 3)) return HUGE_VAL;
    return fmax(both.variance * both.freedom - alone.variance * alone.freedom, 0) / freedom;
}

static void attach_singles(search_room *search)
{
    if (!(search->room->scale->stray > 0) || is_exhausted(search)) return;
    for (int m = 0; m < search->n; m++)
        if (search->size[search->group_of[m]] == 1) {
            /* A marker that no segment explains well still sits on one. It goes to the body from
             * which it strays least. */
            double least = search->room->scale->stray;
            int home = -1;
            for (int g = 0; g < search->n; g++) {
                if (search->size[g] < 3) continue;
                double variance = stray(search, m, g);
                if (!(variance < least)) continue;
                least = variance;
                home = g;
            }
            if (home >= 0) search->group_of[m] = home;
        }
}

snw_status snw__groups_improve(snw__group_work *room, int *group_of, snw_error *error)
{
    search_room search = {.room = room, .n = room->samples->marker_count, .group_of = group_of};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &search, &room->samples->allocator,
                                          "grouping markers", error);
    if (status != SNW_OK) return status;
    for (int g = 0; g < search.n; g++)
        renew(&search, g);
    /* Every change gains, so there is an end; the bound only says that it is near. */
    for (int k = 0; k < 10 * search.n; k++) {
        /* A change must gain this much, nepers a frame: below it is round-off. */
        search_change change = {SNW__SAME, -1, -1, -1};
        int empty = empty_group(&search);
        for (int a = 0; a < search.n; a++) {
            if (search.size[a] == 0) continue;
            for (int b = 0; b < a; b++)
                if (search.size[b] > 0)
                    keep_better(&change,
                                worth_joined(&search, a, b) - search.worth[a] - search.worth[b], -1,
                                a, b);
            if (empty >= 0)
                keep_better(&change, worth_split(&search, a) - search.worth[a], -1, a, empty);
        }
        for (int m = 0; m < search.n; m++) {
            int home = search.group_of[m];
            if (search.size[home] < 2) continue; /* then it is a matter of joining two groups */
            double loss = search.worth[home] - worth_without(&search, m);
            if (empty >= 0)
                keep_better(&change, -search.room->scale->segment - loss, m, home, empty);
            for (int g = 0; g < search.n; g++)
                if (g != home && search.size[g] > 0)
                    keep_better(&change, worth_with(&search, m, g) - search.worth[g] - loss, m,
                                home, g);
        }
        if (change.to >= 0)
            apply(&search, change);
        else if (!dissolve_any(&search))
            break;
    }
    attach_singles(&search);
    snw__block_release(&room->samples->allocator, &block);
    return SNW_OK;
}

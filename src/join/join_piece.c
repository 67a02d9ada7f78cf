/* Pieces and chains: cutting trajectories at their gaps, chaining pieces, and measuring the
 * distance of two chains where both are seen. */
#include <string.h>

#include "join/join.h"
#include "join/join_constants.h"
#include "person/movement.h"
#include "rigid/sampling.h"

/* ---- cutting -------------------------------------------------------------------------------- */

typedef struct piece_reader {
    snw__join_work *work;
    int marker;
    int last, before; /* frames of the last two samples; -1: none */
    snw_vec3 last_point, before_point;
    bool is_open;
} piece_reader;

static bool goes_on(const piece_reader *reader, int frame, snw_vec3 point)
{
    if (!reader->is_open) return false;
    double rate = reader->work->trial->rate;
    double seconds = (frame - reader->last) / (rate > 0 ? rate : 100);
    /* Seconds. Shorter holes do not end a piece: systems bridge them by themselves. */
    if (frame - reader->last > 1 && seconds > SNW__BRIEF) return false;
    if (!reader->work->is_automatic[reader->marker]) return true;
    double jump = frame - reader->last == 1 ? PIECE_STEP : PIECE_JUMP;
    double allowed = fmin(SNW__ELSEWHERE, jump + 0.5 * PIECE_ACCELERATION * seconds * seconds);
    snw_vec3 expected = reader->last_point;
    if (reader->before >= 0) {
        double share = (double)(frame - reader->last) / (reader->last - reader->before);
        snw_vec3 step = snw_vec3_sub(reader->last_point, reader->before_point);
        expected = snw_vec3_add_scaled(expected, share, step);
    } else {
        allowed += SNW__SPRINT * seconds;
    }
    return snw_vec3_distance(expected, point) <= allowed;
}

static void open_piece(piece_reader *reader, int frame)
{
    snw__join_work *work = reader->work;
    if (work->piece)
        work->piece[work->piece_count] =
            (snw__piece){reader->marker, frame, frame, 0, -1, work->point_count};
    work->piece_count++;
    reader->is_open = true;
    reader->before = -1;
}

/* Frames after `reader->last` up to `frame` join the open piece; all but the last are holes. */
static void extend_piece(piece_reader *reader, int frame, snw_vec3 point)
{
    snw__join_work *work = reader->work;
    bool is_first = reader->before < 0 && reader->last < 0;
    size_t steps = is_first ? 1 : (size_t)(frame - reader->last);
    if (work->piece) {
        snw__place3 place = {(float)point.x, (float)point.y, (float)point.z};
        snw__place3 hole = {NAN, NAN, NAN};
        for (size_t n = 0; n < steps; n++)
            work->point[work->point_count + n] = n + 1 == steps ? place : hole;
        work->piece[work->piece_count - 1].last = frame;
        work->piece[work->piece_count - 1].seen_count++;
    }
    work->point_count += steps;
    reader->before = reader->last;
    reader->before_point = reader->last_point;
    reader->last = frame;
    reader->last_point = point;
}

void snw__join_cut(snw__join_work *work)
{
    work->piece_count = 0;
    work->point_count = 0;
    for (int m = 0; m < work->trial->marker_count; m++)
        if (snw_point_is_position(work->trial->marker[m].kind)) {
            piece_reader reader = {work, m, -1, -1, {0, 0, 0}, {0, 0, 0}, false};
            for (int f = 0; f < work->trial->frame_count; f++) {
                snw_frame frame = snw_trial_frame(work->trial, f);
                if (!snw__sample_is_usable(&frame, m)) continue;
                snw_vec3 point = snw_frame_position(&frame, m);
                if (!goes_on(&reader, f, point)) {
                    open_piece(&reader, f);
                    reader.last = -1;
                }
                extend_piece(&reader, f, point);
            }
        }
    if (!work->piece) return;
    int open = -1; /* the chain of the named trajectory at hand: a person's name is not doubted */
    for (int n = 0; n < work->piece_count; n++) {
        const snw__piece *piece = work->piece + n;
        bool is_named = !work->is_automatic[piece->marker];
        work->chain[n] = (snw__chain){
            n, piece->first, piece->last, piece->seen_count, is_named ? piece->marker : -1, -1};
        bool is_same = open >= 0 && work->chain[open].label == work->piece[n].marker;
        if (is_same)
            snw__chains_join(work, open, n);
        else
            open = work->chain[n].label >= 0 ? n : -1;
    }
}

/* ---- chains --------------------------------------------------------------------------------- */

static bool is_same_place(const snw__join_work *work, int a, int b, int first, int last)
{
    for (int f = first; f <= last; f++) {
        const snw__place3 *p = snw__piece_point(work, a, f), *q = snw__piece_point(work, b, f);
        float x = p->x - q->x, y = p->y - q->y, z = p->z - q->z;
        if (x * x + y * y + z * z > (float)(SNW__SKIN * SNW__SKIN)) return false;
    }
    return true;
}

bool snw__chains_may_join(const snw__join_work *work, int a, int b)
{
    const snw__chain *one = work->chain + a, *other = work->chain + b;
    if (!(one->label < 0 || other->label < 0 || one->label == other->label) &&
        (strcmp(work->trial->marker[one->label].name, work->trial->marker[other->label].name) != 0))
        return false;
    if (one->last < other->first || other->last < one->first) return true;
    int p = one->head, q = other->head, shared = 0;
    while (p >= 0 && q >= 0) {
        const snw__piece *left = work->piece + p, *right = work->piece + q;
        int first = left->first > right->first ? left->first : right->first;
        int last = left->last < right->last ? left->last : right->last;
        if (first <= last) {
            shared += last - first + 1;
            if (shared > PIECE_OVERLAP || !is_same_place(work, p, q, first, last)) return false;
        }
        if (left->last < right->last)
            p = left->next;
        else
            q = right->next;
    }
    return true;
}

void snw__chains_join(snw__join_work *work, int a, int b)
{
    snw__chain *one = work->chain + a, *other = work->chain + b;
    int p = one->head, q = other->head, *end = &one->head;
    while (p >= 0 || q >= 0) {
        int *from = p < 0 || (q >= 0 && work->piece[q].first < work->piece[p].first) ? &q : &p;
        *end = *from;
        end = &work->piece[*from].next;
        *from = *end;
    }
    *end = -1;
    if (other->first < one->first) one->first = other->first;
    if (other->last > one->last) one->last = other->last;
    one->seen_count += other->seen_count;
    if (one->label < 0) one->label = other->label;
    other->head = -1;
    other->into = a;
}

static void survey(snw__join_work *work, int chain)
{
    snw__chain *at = work->chain + chain;
    at->first = work->piece[at->head].first;
    at->seen_count = 0;
    at->label = -1;
    for (int p = at->head; p >= 0; p = work->piece[p].next) {
        const snw__piece *piece = work->piece + p;
        at->last = piece->last;
        at->seen_count += piece->seen_count;
        if (at->label < 0 && !work->is_automatic[piece->marker]) at->label = piece->marker;
    }
}

int snw__chain_split(snw__join_work *work, int chain, int piece)
{
    int before = work->chain[chain].head;
    while (work->piece[before].next != piece)
        before = work->piece[before].next;
    int free_place = 0; /* there is one: this chain has two pieces at least */
    while (work->chain[free_place].head >= 0)
        free_place++;
    work->piece[before].next = -1;
    work->chain[free_place].head = piece;
    survey(work, chain);
    survey(work, free_place);
    return free_place;
}

static bool takes_part(const snw__chain *chain, int shortest)
{
    return chain->head >= 0 && (chain->label >= 0 || chain->seen_count >= shortest);
}

static int count_live(const snw__join_work *work, int shortest)
{
    int count = 0;
    for (int t = 0; t < work->piece_count; t++)
        count += takes_part(work->chain + t, shortest);
    return count;
}

int snw__join_live_max(int piece_count, int marker_count)
{
    int64_t most = (int64_t)PIECE_LIVE_MAX + marker_count; /* names always take part */
    return piece_count < most ? piece_count : (int)most;
}

void snw__join_list_live(snw__join_work *work)
{
    int shortest = PIECE_LIVE_MIN;
    while (count_live(work, shortest) > work->live_max)
        shortest += 1 + shortest / 4;
    work->live_count = 0;
    for (int t = 0; t < work->piece_count; t++) {
        bool is_live = takes_part(work->chain + t, shortest);
        work->rank[t] = is_live ? work->live_count : work->live_max + 1;
        if (is_live) work->live[work->live_count++] = t;
    }
}

void snw__join_drop_dead(snw__join_work *work)
{
    int kept = 0;
    for (int n = 0; n < work->live_count; n++)
        if (work->chain[work->live[n]].head >= 0) work->live[kept++] = work->live[n];
    work->live_count = kept;
}

/* ---- distances ------------------------------------------------------------------------------ */

/* Frames in which both are inside their pieces. */
static int shared_count(const snw__join_work *work, int a, int b)
{
    int p = work->chain[a].head, q = work->chain[b].head, count = 0;
    while (p >= 0 && q >= 0) {
        const snw__piece *left = work->piece + p, *right = work->piece + q;
        int first = left->first > right->first ? left->first : right->first;
        int last = left->last < right->last ? left->last : right->last;
        if (first <= last) count += last - first + 1;
        if (left->last < right->last)
            p = left->next;
        else
            q = right->next;
    }
    return count;
}

typedef struct pair_sum {
    int count;
    double shift, sum, squares; /* of distance - shift */
} pair_sum;

static void add_distance(pair_sum *sum, const snw__place3 *p, const snw__place3 *q)
{
    float x = p->x - q->x, y = p->y - q->y, z = p->z - q->z;
    double distance = sqrt((double)(x * x + y * y + z * z));
    if (!(distance < 1e4)) return; /* a hole */
    if (sum->count == 0) sum->shift = distance;
    sum->count++;
    sum->sum += distance - sum->shift;
    sum->squares += (distance - sum->shift) * (distance - sum->shift);
}

snw__pair_distance snw__pair_measure(const snw__join_work *work, int a, int b)
{
    snw__pair_distance pair = {0, 0, 0, 0};
    const snw__chain *one = work->chain + a, *other = work->chain + b;
    if (one->last < other->first || other->last < one->first) return pair;
    int shared = shared_count(work, a, b);
    if (shared == 0) return pair;
    int step = shared / PAIR_SAMPLES > 1 ? shared / PAIR_SAMPLES : 1, skip = step / 2;
    pair_sum sum = {0, 0, 0, 0};
    int p = one->head, q = other->head;
    while (p >= 0 && q >= 0) {
        const snw__piece *left = work->piece + p, *right = work->piece + q;
        int first = left->first > right->first ? left->first : right->first;
        int last = left->last < right->last ? left->last : right->last;
        int f = first + skip;
        for (; f <= last; f += step)
            add_distance(&sum, snw__piece_point(work, p, f), snw__piece_point(work, q, f));
        if (first <= last) skip = f - last - 1;
        if (left->last < right->last)
            p = left->next;
        else
            q = right->next;
    }
    if (sum.count == 0) return pair;
    double mean = sum.sum / sum.count;
    pair.count = sum.count;
    pair.seconds = shared / (work->trial->rate > 0 ? work->trial->rate : 100);
    pair.mean = sum.shift + mean;
    pair.deviation = sqrt(fmax(0, sum.squares / sum.count - mean * mean));
    return pair;
}

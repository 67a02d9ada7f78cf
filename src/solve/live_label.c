/* Which points are an actor's markers.
 *
 * Found: markers of one segment keep their distances, so a triple of points with the distances of
 * three markers of a segment places that segment (a rigid transform). From there the body is grown
 * along its joints: where two segments meet is known from the one that is placed, the markers of
 * the other lie at known distances from there and from each other. The placement that explains most
 * markers is the person, if it explains most of them. Distances agree within what skin moves
 * (person/movement.h) and the markers' own noise.
 *
 * Followed: each marker is expected where it goes on with its speed, a hidden one where the body
 * carries it; the nearest pairs are taken first. */
#include <sinew/solve.h>

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "person/movement.h"

enum {
    LABEL_SEEDS = 3,      /* segments to begin with */
    LABEL_BEAM = 24,      /* placements of each that are grown */
    LABEL_DOUBT_MAX = 10, /* frames in a row that fit badly: the labels are wrong */
    LABEL_REST_FRAMES = 4 /* frames between two searches */
};

typedef struct label_seed {
    snw_xform world;
    double worth; /* markers explained, less what they are off */
} label_seed;

struct snw_live_labels {
    const snw_actor *actor;
    double seconds; /* of a frame */
    int point_max;
    int *first, *count; /* (joint_count) markers of each joint; the actor has them in that order */
    snw_xform *place;   /* (joint_count) */
    bool *is_placed;    /* (joint_count) */
    int *queue;         /* (joint_count) */
    int *found, *best;  /* (marker_count) */
    bool *is_used;      /* (point_max) */
    snw_vec3 *expected, *last, *speed; /* (marker_count) */
    bool *was_seen;                    /* (marker_count) in the last frame */
    bool *is_known;                    /* (marker_count) `last` is a place */
    bool is_following;
    int doubt, rest;
    snw_allocator allocator;
    size_t size;
};

/* ---- memory --------------------------------------------------------------------------------- */

static size_t lay_out(snw_live_labels *l, char *memory)
{
    size_t joints = (size_t)l->actor->skeleton->joint_count, at = sizeof *l;
    size_t markers = (size_t)l->actor->marker_count, points = (size_t)l->point_max;
#define LABEL_ARRAY(field, n)                         \
    do {                                              \
        at = (at + 15) / 16 * 16;                     \
        if (memory) l->field = (void *)(memory + at); \
        at += (n) * sizeof *l->field;                 \
    } while (0)
    LABEL_ARRAY(first, joints);
    LABEL_ARRAY(count, joints);
    LABEL_ARRAY(place, joints);
    LABEL_ARRAY(is_placed, joints);
    LABEL_ARRAY(queue, joints);
    LABEL_ARRAY(found, markers);
    LABEL_ARRAY(best, markers);
    LABEL_ARRAY(is_used, points);
    LABEL_ARRAY(expected, markers);
    LABEL_ARRAY(last, markers);
    LABEL_ARRAY(speed, markers);
    LABEL_ARRAY(was_seen, markers);
    LABEL_ARRAY(is_known, markers);
#undef LABEL_ARRAY
    return at;
}

snw_status snw_live_labels_create(const snw_actor *actor, double rate, int point_max,
                                  const snw_allocator *allocator, snw_live_labels **out,
                                  snw_error *error)
{
    snw_live_labels shape = {.actor = actor, .point_max = point_max};
    int most = 0;
    *out = NULL;
    if (!(rate > 0) || !(rate < INFINITY) || point_max < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "labels of %d points at %g Hz", point_max,
                         rate);
    shape.allocator = snw__allocator_or_default(allocator);
    shape.seconds = 1 / rate;
    shape.size = lay_out(&shape, NULL);
    snw_live_labels *l = snw__allocate(&shape.allocator, shape.size);
    if (!l) return snw__fail_memory(error, shape.size, "labels of points");
    *l = shape;
    (void)lay_out(l, (char *)l);
    for (int m = actor->marker_count - 1; m >= 0; m--) {
        int joint = actor->marker[m].joint;
        l->first[joint] = m;
        if (++l->count[joint] > most) most = l->count[joint];
    }
    if (most < 3) {
        snw_live_labels_destroy(l);
        return snw__fail(error, SNW_DEGENERATE,
                         "no segment has three markers: points without names cannot be told");
    }
    *out = l;
    return snw__succeed(error);
}

void snw_live_labels_destroy(snw_live_labels *labels)
{
    if (!labels) return;
    snw_allocator allocator = labels->allocator;
    snw__release(&allocator, labels, labels->size);
}

/* ---- a segment in the world ------------------------------------------------------------------ */

static snw_vec3 offset_of(const snw_live_labels *l, int marker)
{
    return l->actor->marker[marker].offset;
}

/* How far a distance between two markers of a segment may be off. */
static double slack(const snw_live_labels *l, int a, int b)
{
    double noise = l->actor->marker[a].noise + l->actor->marker[b].noise;
    double most = SNW__SKIN + SNW__UNUSUAL * noise;
    return most < SNW__SKIN_MAX ? most : SNW__SKIN_MAX;
}

/* A right-handed frame: x towards b, z across b and c; false where they lie on a line. */
static bool frame_of(snw_vec3 a, snw_vec3 b, snw_vec3 c, snw_xform *frame)
{
    snw_vec3 x = snw_vec3_sub(b, a), z = snw_vec3_cross(x, snw_vec3_sub(c, a));
    double length = snw_vec3_length(x), across = snw_vec3_length(z);
    if (!(length > 0) || !(across > length * SNW__SKIN)) return false;
    x = snw_vec3_scale(x, 1 / length);
    z = snw_vec3_scale(z, 1 / across);
    snw_vec3 y = snw_vec3_cross(z, x);
    const snw_mat3 turn = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    *frame =
        (snw_xform){.rotation = snw_quat_from_mat3(turn),
                    .translation = snw_vec3_scale(snw_vec3_add(a, snw_vec3_add(b, c)), 1.0 / 3)};
    return true;
}

/* The transform that carries three places of a segment to three points, middle on middle. */
static bool place_three(const snw_vec3 local[3], const snw_vec3 point[3], snw_xform *world)
{
    snw_xform from, to;
    if (!frame_of(local[0], local[1], local[2], &from) ||
        !frame_of(point[0], point[1], point[2], &to))
        return false;
    *world = snw_xform_mul(to, snw_xform_inverse(from));
    return true;
}

/* The free point nearest to where the marker would be, within `reach`; -1. */
static int nearest_point(const snw_live_labels *l, const snw_loose_points *points, snw_vec3 where,
                         double reach, double *distance)
{
    int nearest = -1;
    *distance = reach;
    for (int p = 0; p < points->count; p++) {
        if (l->is_used[p]) continue;
        double d = snw_vec3_distance(points->place[p], where);
        if (d < *distance) *distance = d, nearest = p;
    }
    return nearest;
}

/* Markers that a placed segment explains, less what they are off; into `found` if wanted. */
static double explain(snw_live_labels *l, const snw_loose_points *points, int joint,
                      snw_xform world, int *found)
{
    double worth = 0, distance;
    for (int m = l->first[joint]; m < l->first[joint] + l->count[joint]; m++) {
        double reach = 2 * slack(l, m, m);
        int p = nearest_point(l, points, snw_xform_point(world, offset_of(l, m)), reach, &distance);
        if (p < 0) continue;
        worth += 1 - SNW__HALF * distance / reach;
        if (!found) continue;
        found[m] = p;
        l->is_used[p] = true;
    }
    return worth;
}

/* ---- growing -------------------------------------------------------------------------------- */

/* A segment that is hung at a place. */
typedef struct label_hung {
    int joint;
    snw_vec3 center, local; /* where it hangs: in the world, in its frame */
    snw_quat usual;         /* world rotation if nothing turned */
} label_hung;

/* The rotation that brings one marker to its point with the least turn. */
static snw_xform place_one(const label_hung *hung, snw_vec3 local, snw_vec3 point)
{
    snw_vec3 from = snw_quat_rotate(hung->usual, snw_vec3_sub(local, hung->local));
    snw_xform world = {.rotation = hung->usual, .translation = hung->center};
    snw_vec3 to = snw_vec3_sub(point, hung->center);
    if (snw_vec3_length(from) > SNW__SKIN && snw_vec3_length(to) > SNW__SKIN)
        world.rotation = snw_quat_mul(snw_quat_between(from, to), hung->usual);
    world.translation = snw_vec3_sub(hung->center, snw_quat_rotate(world.rotation, hung->local));
    return world;
}

static void keep_better(snw_live_labels *l, const snw_loose_points *points, const label_hung *hung,
                        snw_xform world, label_seed *best)
{
    /* Of placements that explain as much, the one that turns less. */
    double worth = explain(l, points, hung->joint, world, NULL);
    worth -= SNW__HALF * snw_quat_angle_between(hung->usual, world.rotation) / SNW_PI;
    if (worth > best->worth) *best = (label_seed){world, worth};
}

/* Is the point as far from the centre as the marker is? */
static bool is_at_distance(const label_hung *hung, snw_vec3 local, snw_vec3 point)
{
    double is = snw_vec3_distance(point, hung->center);
    return fabs(is - snw_vec3_distance(local, hung->local)) < SNW__SKIN_MAX;
}

static bool hang(snw_live_labels *l, const snw_loose_points *points, const label_hung *hung,
                 snw_xform *world)
{
    int first = l->first[hung->joint], end = first + l->count[hung->joint];
    label_seed best = {.worth = 0};
    for (int a = first; a < end; a++)
        for (int p = 0; p < points->count; p++) {
            snw_vec3 la = offset_of(l, a), pa = points->place[p];
            if (l->is_used[p] || !is_at_distance(hung, la, pa)) continue;
            keep_better(l, points, hung, place_one(hung, la, pa), &best);
            for (int b = a + 1; b < end; b++)
                for (int q = 0; q < points->count; q++) {
                    snw_vec3 lb = offset_of(l, b), pb = points->place[q];
                    if (l->is_used[q] || q == p || !is_at_distance(hung, lb, pb)) continue;
                    double apart = snw_vec3_distance(la, lb);
                    if (fabs(snw_vec3_distance(pa, pb) - apart) > slack(l, a, b)) continue;
                    const snw_vec3 local[3] = {hung->local, la, lb},
                                   point[3] = {hung->center, pa, pb};
                    snw_xform placed;
                    if (place_three(local, point, &placed))
                        keep_better(l, points, hung, placed, &best);
                }
        }
    *world = best.world;
    return best.worth > 0;
}

/* Segment `joint` from its neighbour `from` that is placed. */
static void grow_to(snw_live_labels *l, const snw_loose_points *points, int from, int joint)
{
    const snw_skeleton *skeleton = l->actor->skeleton;
    bool is_down = skeleton->parent[joint] == from;
    snw_xform world = is_down
                          ? snw_xform_mul(l->place[from], skeleton->rest[joint])
                          : snw_xform_mul(l->place[from], snw_xform_inverse(skeleton->rest[from]));
    label_hung hung = {joint, is_down ? world.translation : l->place[from].translation,
                       is_down ? snw_vec3_make(0, 0, 0) : skeleton->rest[from].translation,
                       world.rotation};
    snw_xform placed;
    if (l->count[joint] > 0 && hang(l, points, &hung, &placed)) world = placed;
    l->place[joint] = world;
    l->is_placed[joint] = true;
    (void)explain(l, points, joint, world, l->found);
}

static int count_found(const snw_live_labels *l, const int *found)
{
    int count = 0;
    for (int m = 0; m < l->actor->marker_count; m++)
        count += found[m] >= 0;
    return count;
}

static void begin_search(snw_live_labels *l, const snw_loose_points *points)
{
    for (int p = 0; p < points->count; p++)
        l->is_used[p] = points->is_taken[p];
    for (int m = 0; m < l->actor->marker_count; m++)
        l->found[m] = -1;
}

static int grow(snw_live_labels *l, const snw_loose_points *points, int seed, snw_xform world)
{
    const snw_skeleton *skeleton = l->actor->skeleton;
    int head = 0, tail = 0;
    begin_search(l, points);
    memset(l->is_placed, 0, (size_t)skeleton->joint_count * sizeof *l->is_placed);
    l->place[seed] = world;
    l->is_placed[seed] = true;
    (void)explain(l, points, seed, world, l->found);
    l->queue[tail++] = seed;
    while (head < tail) {
        int from = l->queue[head++];
        for (int j = 0; j < skeleton->joint_count; j++) {
            bool is_next = skeleton->parent[j] == from || skeleton->parent[from] == j;
            if (!is_next || l->is_placed[j]) continue;
            grow_to(l, points, from, j);
            l->queue[tail++] = j;
        }
    }
    return count_found(l, l->found);
}

/* ---- finding -------------------------------------------------------------------------------- */

/* Placements of a segment by three of its markers, those that are farthest apart. */
static int find_seeds(snw_live_labels *l, const snw_loose_points *points, int joint, int base,
                      label_seed *kept)
{
    int first = l->first[joint], count = 0, n = l->count[joint];
    const int m[3] = {first + base % n, first + (base + 1) % n, first + (base + 2) % n};
    const snw_vec3 local[3] = {offset_of(l, m[0]), offset_of(l, m[1]), offset_of(l, m[2])};
    double apart[3], most[3];
    for (int k = 0; k < 3; k++) {
        apart[k] = snw_vec3_distance(local[k], local[(k + 1) % 3]);
        most[k] = slack(l, m[k], m[(k + 1) % 3]);
    }
    begin_search(l, points);
    for (int a = 0; a < points->count; a++)
        for (int b = 0; b < points->count; b++) {
            snw_vec3 pa = points->place[a], pb = points->place[b];
            if (b == a || l->is_used[a] || l->is_used[b] ||
                fabs(snw_vec3_distance(pa, pb) - apart[0]) > most[0])
                continue;
            for (int c = 0; c < points->count; c++) {
                snw_vec3 pc = points->place[c];
                if (c == a || c == b || l->is_used[c] ||
                    fabs(snw_vec3_distance(pb, pc) - apart[1]) > most[1] ||
                    fabs(snw_vec3_distance(pc, pa) - apart[2]) > most[2])
                    continue;
                const snw_vec3 point[3] = {pa, pb, pc};
                label_seed seed;
                if (!place_three(local, point, &seed.world)) continue;
                seed.worth = explain(l, points, joint, seed.world, NULL);
                int at = count < LABEL_BEAM ? count++ : LABEL_BEAM - 1;
                if (at == LABEL_BEAM - 1 && count == LABEL_BEAM && kept[at].worth >= seed.worth &&
                    kept[at].worth > 0)
                    continue;
                while (at > 0 && kept[at - 1].worth < seed.worth) {
                    kept[at] = kept[at - 1];
                    at--;
                }
                kept[at] = seed;
            }
        }
    return count;
}

/* The nth segment by its number of markers; -1: it has fewer than three. */
static int seed_segment(const snw_live_labels *l, int n)
{
    int joints = l->actor->skeleton->joint_count;
    for (int j = 0; j < joints; j++) {
        int before = 0;
        for (int k = 0; k < joints; k++)
            before += l->count[k] > l->count[j] || (l->count[k] == l->count[j] && k < j);
        if (before == n) return l->count[j] >= 3 ? j : -1;
    }
    return -1;
}

static int find(snw_live_labels *l, const snw_loose_points *points)
{
    label_seed seed[LABEL_BEAM];
    int most = 0, wanted = (int)ceil((1 - SNW__MINOR) * l->actor->marker_count);
    for (int n = 0; n < LABEL_SEEDS && most < wanted; n++) {
        int joint = seed_segment(l, n);
        if (joint < 0) break;
        /* Another three of its markers where the first ones are not all seen. */
        for (int base = 0; base < l->count[joint] && most < wanted; base++) {
            int count = find_seeds(l, points, joint, base, seed);
            for (int k = 0; k < count; k++) {
                int found = grow(l, points, joint, seed[k].world);
                if (found <= most) continue;
                most = found;
                memcpy(l->best, l->found, (size_t)l->actor->marker_count * sizeof *l->best);
            }
        }
    }
    return most >= wanted && most >= 3 ? most : 0;
}

/* ---- following ------------------------------------------------------------------------------ */

static double gate_of(const snw_live_labels *l, int marker)
{
    double surprise = SNW__UNUSUAL * SNW__ACCELERATION * l->seconds * l->seconds;
    double gate = l->was_seen[marker] ? SNW__SKIN + surprise : SNW__SKIN_MAX + surprise;
    return gate < SNW__ELSEWHERE ? gate : SNW__ELSEWHERE;
}

/* The nearest pair of a marker and a point that are both free; false: none is near enough. */
static bool take_nearest(snw_live_labels *l, const snw_loose_points *points)
{
    double nearest = 1;
    int marker = -1, point = -1;
    for (int m = 0; m < l->actor->marker_count; m++) {
        if (l->found[m] >= 0 || !l->is_known[m]) continue;
        double gate = gate_of(l, m), distance;
        int p = nearest_point(l, points, l->expected[m], gate, &distance);
        if (p >= 0 && distance / gate < nearest) {
            nearest = distance / gate;
            marker = m;
            point = p;
        }
    }
    if (marker < 0) return false;
    l->found[marker] = point;
    l->is_used[point] = true;
    return true;
}

static int follow(snw_live_labels *l, const snw_loose_points *points)
{
    begin_search(l, points);
    for (int m = 0; m < l->actor->marker_count; m++)
        l->expected[m] = snw_vec3_add(l->last[m], snw_vec3_scale(l->speed[m], l->seconds));
    /* Markers that are their point's nearest and whose nearest it is need no queue: almost all. */
    int markers = l->actor->marker_count;
    for (int m = 0; m < markers; m++) {
        double distance;
        if (!l->is_known[m] || !l->was_seen[m]) continue;
        int p = nearest_point(l, points, l->expected[m], gate_of(l, m), &distance);
        bool is_mutual = p >= 0;
        for (int k = 0; k < markers && is_mutual; k++)
            is_mutual =
                k == m || !l->is_known[k] ||
                snw_vec3_distance(l->expected[k], points->place[p]) > SNW__RESERVE * distance;
        if (!is_mutual) continue;
        l->found[m] = p;
        l->is_used[p] = true;
    }
    while (take_nearest(l, points)) {
    }
    return count_found(l, l->found);
}

static void remember(snw_live_labels *l, const snw_loose_points *points, bool is_new)
{
    for (int m = 0; m < l->actor->marker_count; m++) {
        int p = l->found[m];
        if (is_new) l->is_known[m] = false;
        if (p >= 0) {
            snw_vec3 place = points->place[p];
            snw_vec3 speed = snw_vec3_scale(snw_vec3_sub(place, l->last[m]), 1 / l->seconds);
            bool goes_on = !is_new && l->was_seen[m];
            l->speed[m] = goes_on ? speed : snw_vec3_make(0, 0, 0);
            l->last[m] = place;
            l->is_known[m] = true;
            points->is_taken[p] = true;
        }
        l->was_seen[m] = p >= 0;
    }
}

int snw_live_labels_step(snw_live_labels *labels, const snw_loose_points *points, int *point_of)
{
    snw_live_labels *l = labels;
    snw_loose_points seen = *points;
    int found = 0, markers = l->actor->marker_count;
    if (seen.count > l->point_max) seen.count = l->point_max;
    if (l->is_following) {
        found = follow(l, &seen);
        /* One frame with too little is a blink; who was away for longer may be anywhere. */
        if (found < 3 && ++l->doubt > LABEL_REST_FRAMES) l->is_following = false;
        if (l->is_following) remember(l, &seen, false);
    }
    if (!l->is_following && --l->rest <= 0) {
        l->rest = LABEL_REST_FRAMES;
        found = find(l, &seen);
        if (found > 0) {
            memcpy(l->found, l->best, (size_t)markers * sizeof *l->found);
            l->is_following = true;
            l->doubt = 0;
            remember(l, &seen, true);
        }
    }
    for (int m = 0; m < markers; m++)
        point_of[m] = l->is_following && found > 0 ? l->found[m] : -1;
    return l->is_following ? found : 0;
}

void snw_live_labels_learn(snw_live_labels *labels, const snw_track *track, const snw_pose *pose)
{
    snw_live_labels *l = labels;
    if (!l->is_following) return;
    bool is_bad = track->is_lost || track->residual > SNW__SKIN_MAX ||
                  track->outlier_count > SNW__MINOR * track->marker_count;
    l->doubt = is_bad ? l->doubt + 1 : 0;
    if (l->doubt > LABEL_DOUBT_MAX) {
        l->is_following = false;
        l->rest = 0;
        return;
    }
    for (int m = 0; m < l->actor->marker_count && !track->is_lost; m++) {
        const snw_actor_marker *marker = &l->actor->marker[m];
        snw_vec3 place = snw_pose_point(pose, marker->joint, marker->offset);
        /* A point that the body does not carry there was another's: labels that changed places. */
        bool is_wrong = l->was_seen[m] && snw_vec3_distance(place, l->last[m]) > SNW__SKIN_MAX;
        if (l->was_seen[m] && !is_wrong) continue;
        snw_vec3 way = snw_vec3_sub(place, l->last[m]);
        bool goes_on = l->is_known[m] && !is_wrong;
        l->speed[m] = goes_on ? snw_vec3_scale(way, 1 / l->seconds) : snw_vec3_make(0, 0, 0);
        l->last[m] = place;
        l->is_known[m] = true;
        l->was_seen[m] = false;
    }
}

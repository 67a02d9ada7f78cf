/* Casanueva's state space (4.3.4.3 and 5.3.3): the hand's place in 256^3 cells of 2 m and its turn
 * in 64^3 cells, by two octrees, one under the leaves of the other, of depth 8 and 6; each leaf
 * holds the mean elbow of the frames that fell into it. A leaf with fewer than 12 hits does not
 * count; where the key's own leaf does not, the search climbs to the deepest node whose subtree
 * counts (12 hits in all) and takes its mean, which is that of the nearest cells.
 *
 * Text: "sinew-state-space 1", then for each leaf: side, six cell numbers, hits, mean elbow. */
#include "avatar/state_space.h"

#include <string.h>

#include "avatar/avatar_constants.h"
#include "base/fail.h"
#include "base/memory.h"
#include "person/movement.h"

enum {
    SPACE_PLACE_DEPTH = 8,
    SPACE_TURN_DEPTH = 6,
};

typedef struct space_node {
    int32_t child[8]; /* 0 = none */
    int32_t hits;
    float sum[3];
} space_node;

struct snw_state_space {
    int node_count, node_capacity;
    space_node *node; /* nodes 0 and 1 are the roots of the left and the right arm */
    snw_allocator allocator;
};

snw__space_key snw__space_key_make(snw_vec3 wrist, snw_quat hand, int side)
{
    (void)side;
    snw__space_key key;
    if (hand.w < 0) hand = snw_quat_neg(hand);
    const double place[3] = {wrist.x, wrist.y, wrist.z}, turn[3] = {hand.x, hand.y, hand.z};
    for (int k = 0; k < 3; k++) {
        /* A metre from the chest either way: more than any arm reaches. */
        double p = floor(128 * (place[k] + 1)), t = floor(32 * (turn[k] + 1));
        key.place[k] = (uint8_t)(p >= 0 ? p <= 255 ? p : 255 : 0);
        key.turn[k] = (uint8_t)(t >= 0 ? t <= 63 ? t : 63 : 0);
    }
    return key;
}

/* Which of the eight children the key takes at a depth. */
static int branch(const snw__space_key *key, int depth)
{
    const uint8_t *cell = depth < SPACE_PLACE_DEPTH ? key->place : key->turn;
    int bit = depth < SPACE_PLACE_DEPTH ? SPACE_PLACE_DEPTH - 1 - depth : SPACE_DEPTH - 1 - depth;
    return (cell[0] >> bit & 1) | (cell[1] >> bit & 1) << 1 | (cell[2] >> bit & 1) << 2;
}

bool snw__space_find(const snw_state_space *space, int side, const snw__space_key *key,
                     snw_vec3 *elbow)
{
    const space_node *best = NULL, *at = &space->node[side];
    for (int depth = 0; at && at->hits >= SPACE_HITS; depth++) {
        best = at;
        int next = depth < SPACE_DEPTH ? at->child[branch(key, depth)] : 0;
        at = next ? &space->node[next] : NULL;
    }
    if (!best) return false;
    *elbow =
        snw_vec3_scale(snw_vec3_make(best->sum[0], best->sum[1], best->sum[2]), 1.0 / best->hits);
    return true;
}

/* ---- filling ------------------------------------------------------------------------------ */

static snw_status need_nodes(snw_state_space *space, int more, snw_error *error)
{
    if (space->node_count + more <= space->node_capacity) return SNW_OK;
    if (space->node_capacity > (1 << 27))
        return snw__fail(error, SNW_TOO_LARGE, "the state space has too many cells");
    int capacity = 2 * space->node_capacity + more;
    size_t size = sizeof *space->node * (size_t)capacity;
    space_node *node = (space_node *)snw__allocate(&space->allocator, size);
    if (!node) return snw__fail_memory(error, size, "the state space");
    if (space->node_count) memcpy(node, space->node, sizeof *node * (size_t)space->node_count);
    snw__release(&space->allocator, space->node, sizeof *node * (size_t)space->node_capacity);
    space->node = node;
    space->node_capacity = capacity;
    return SNW_OK;
}

static snw_status add_state(snw_state_space *space, int side, const snw__space_key *key, int hits,
                            const float sum[3], snw_error *error)
{
    snw_status status = need_nodes(space, SPACE_DEPTH, error);
    if (status != SNW_OK) return status;
    int at = side;
    for (int depth = 0;; depth++) {
        space_node *node = &space->node[at];
        if (hits > INT32_MAX - node->hits)
            return snw__fail(error, SNW_TOO_LARGE, "a cell of the state space has too many hits");
        node->hits += hits;
        for (int k = 0; k < 3; k++)
            node->sum[k] += sum[k];
        if (depth == SPACE_DEPTH) return SNW_OK;
        int which = branch(key, depth);
        if (!node->child[which]) node->child[which] = space->node_count++;
        at = node->child[which];
    }
}

static snw_status create_space(const snw_allocator *allocator, snw_state_space **out,
                               snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_state_space *space = (snw_state_space *)snw__allocate(&memory, sizeof *space);
    if (!space) return snw__fail_memory(error, sizeof *space, "the state space");
    space->allocator = memory;
    snw_status status = need_nodes(space, 64, error);
    space->node_count = 2;
    if (status != SNW_OK)
        snw_state_space_destroy(space);
    else
        *out = space;
    return status;
}

void snw_state_space_destroy(snw_state_space *space)
{
    if (!space) return;
    snw_allocator memory = space->allocator;
    snw__release(&memory, space->node, sizeof *space->node * (size_t)space->node_capacity);
    snw__release(&memory, space, sizeof *space);
}

static bool is_near_chest(snw_vec3 elbow)
{
    return fabs(elbow.x) < SNW__REACH_MAX && fabs(elbow.y) < SNW__REACH_MAX &&
           fabs(elbow.z) < SNW__REACH_MAX;
}

static snw_status add_frame(snw_state_space *space, const snw_avatar_profile *p,
                            const snw_avatar_capture *capture, int f, snw_error *error)
{
    const snw_avatar_frame *frame = capture->frame + f;
    snw_status status = SNW_OK;
    if (!frame->is_present[SNW_AVATAR_CHEST]) return status;
    snw_xform chest = snw_xform_mul(frame->world_from_tracker[SNW_AVATAR_CHEST],
                                    p->tracker_from_bone[SNW_AVATAR_CHEST]);
    for (int side = 0; side < 2 && status == SNW_OK; side++) {
        int role = SNW_AVATAR_LEFT_HAND + side;
        snw_vec3 world = capture->elbow[2 * f + side];
        if (!frame->is_present[role] || !snw_vec3_is_finite(world)) continue;
        snw_xform hand =
            snw_xform_mul(snw_xform_inverse(chest), snw_xform_mul(frame->world_from_tracker[role],
                                                                  p->tracker_from_bone[role]));
        snw_vec3 elbow = snw_xform_unpoint(chest, world);
        if (!is_near_chest(elbow)) continue;
        const float sum[3] = {(float)elbow.x, (float)elbow.y, (float)elbow.z};
        snw__space_key key = snw__space_key_make(hand.translation, hand.rotation, side);
        status = add_state(space, side, &key, 1, sum, error);
    }
    return status;
}

snw_status snw_state_space_create(const snw_avatar_profile *profile,
                                  const snw_avatar_capture *capture, const snw_allocator *allocator,
                                  snw_state_space **out, snw_error *error)
{
    if (!profile || !capture || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "profile, capture or out is NULL");
    *out = NULL;
    if (!capture->elbow)
        return snw__fail(error, SNW_NOT_FOUND, "the capture has no elbows to fill the state space");
    snw_state_space *space = NULL;
    snw_status status = create_space(allocator, &space, error);
    for (int f = 0; status == SNW_OK && f < capture->frame_count; f++)
        status = add_frame(space, profile, capture, f, error);
    if (status != SNW_OK) {
        snw_state_space_destroy(space);
        return status;
    }
    *out = space;
    return snw__succeed(error);
}

/* ---- leaves, as text and counted ---------------------------------------------------------- */

typedef struct space_walk {
    const snw_state_space *space;
    int side;
    void (*visit)(struct space_walk *walk, const snw__space_key *key, const space_node *leaf);
    char *text;
    size_t capacity, size;
    int count;
} space_walk;

static void walk_leaves(space_walk *walk, int at, int depth, snw__space_key key)
{
    const space_node *node = &walk->space->node[at];
    if (depth == SPACE_DEPTH) {
        walk->visit(walk, &key, node);
        return;
    }
    uint8_t *cell = depth < SPACE_PLACE_DEPTH ? key.place : key.turn;
    for (int which = 0; which < 8; which++) {
        if (!node->child[which]) continue;
        snw__space_key next = key;
        uint8_t *to = depth < SPACE_PLACE_DEPTH ? next.place : next.turn;
        for (int k = 0; k < 3; k++)
            to[k] = (uint8_t)(cell[k] << 1 | (which >> k & 1));
        walk_leaves(walk, node->child[which], depth + 1, next);
    }
}

static void walk_all(space_walk *walk)
{
    for (walk->side = 0; walk->side < 2; walk->side++)
        walk_leaves(walk, walk->side, 0, (snw__space_key){{0, 0, 0}, {0, 0, 0}});
}

static void count_leaf(space_walk *walk, const snw__space_key *key, const space_node *leaf)
{
    (void)key;
    walk->count += leaf->hits >= SPACE_HITS;
}

int snw_state_space_cell_count(const snw_state_space *space)
{
    space_walk walk = {space, 0, count_leaf, NULL, 0, 0, 0};
    walk_all(&walk);
    return walk.count;
}

static void put_text(space_walk *walk, const char *line, int length)
{
    if (walk->size + (size_t)length < walk->capacity)
        memcpy(walk->text + walk->size, line, (size_t)length + 1);
    walk->size += (size_t)length;
}

static void print_leaf(space_walk *walk, const snw__space_key *key, const space_node *leaf)
{
    char line[160];
    int length =
        snw_format(line, sizeof line, "%d %d %d %d %d %d %d %d %.5f %.5f %.5f\n", walk->side,
                   key->place[0], key->place[1], key->place[2], key->turn[0], key->turn[1],
                   key->turn[2], leaf->hits, (double)leaf->sum[0] / leaf->hits,
                   (double)leaf->sum[1] / leaf->hits, (double)leaf->sum[2] / leaf->hits);
    put_text(walk, line, length);
}

static const char space_title[] = "sinew-state-space 1\n";

snw_status snw_state_space_print(const snw_state_space *space, char *text, size_t capacity,
                                 size_t *size, snw_error *error)
{
    if (!space || !size || (capacity && !text))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "space, text or size is NULL");
    space_walk walk = {space, 0, print_leaf, text, capacity, 0, 0};
    put_text(&walk, space_title, (int)sizeof space_title - 1);
    walk_all(&walk);
    *size = walk.size;
    if (walk.size >= capacity)
        return snw__fail(error, SNW_TOO_LARGE, "the state space takes %zu bytes", walk.size + 1);
    return snw__succeed(error);
}

/* Eleven numbers of a line; NULL when they are not there. */
static const char *read_leaf(const char *at, const char *end, double n[11])
{
    for (int i = 0; i < 11; i++) {
        while (at < end && *at == ' ')
            at++;
        at = snw_parse_double(at, end, &n[i]);
        if (!at || !isfinite(n[i])) return NULL;
    }
    if (at < end && *at == '\r') at++;
    if (at < end && *at != '\n') return NULL;
    return at < end ? at + 1 : at;
}

static bool is_leaf_valid(const double n[11])
{
    static const double most[8] = {1, 255, 255, 255, 63, 63, 63, INT32_MAX};
    for (int i = 0; i < 8; i++)
        if (!(n[i] >= 0 && n[i] <= most[i]) || n[i] != floor(n[i])) return false;
    return n[7] >= 1 && is_near_chest(snw_vec3_make(n[8], n[9], n[10]));
}

snw_status snw_state_space_parse(const char *text, size_t size, const snw_allocator *allocator,
                                 snw_state_space **out, snw_error *error)
{
    if (!out || (size && !text))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "text or out is NULL");
    *out = NULL;
    size_t head = sizeof space_title - 1;
    if (size < head || memcmp(text, space_title, head) != 0)
        return snw__fail(error, SNW_FORMAT, "this is no state space: its first line is another");
    snw_state_space *space = NULL;
    snw_status status = create_space(allocator, &space, error);
    const char *at = text + head, *end = text + size;
    for (int64_t line = 2; status == SNW_OK && at < end; line++) {
        double n[11];
        at = read_leaf(at, end, n);
        if (!at || !is_leaf_valid(n)) {
            snw__place place = SNW__NOWHERE;
            place.line = line;
            status =
                snw__fail_at(error, SNW_FORMAT, place,
                             "line %lld of the state space is not understood", (long long)line);
            break;
        }
        snw__space_key key;
        float sum[3];
        for (int k = 0; k < 3; k++) {
            key.place[k] = (uint8_t)n[1 + k];
            key.turn[k] = (uint8_t)n[4 + k];
            sum[k] = (float)(n[7] * n[8 + k]);
        }
        status = add_state(space, (int)n[0], &key, (int)n[7], sum, error);
    }
    if (status != SNW_OK) {
        snw_state_space_destroy(space);
        return status;
    }
    *out = space;
    return snw__succeed(error);
}

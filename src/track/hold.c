/* Which joints a frame determines, from the places of the markers that are seen.
 *
 * The points of a limb are its own markers that are seen, and the joint centres of those children
 * whose own points tell where they are. Three points that are not in a line place a limb by
 * themselves. One that hangs from its parent is turned about a known centre: then points off that
 * centre tell its swing, and points off one line through the centre its twist too. */
#include "track/hold.h"

#include <string.h>

#include "actor/actor_match.h"
#include "base/fail.h"
#include "base/memory.h"
#include "center/center.h"
#include "math/symmetric3.h"
#include "rigid/sampling.h"

/* Metres. A point nearer to an axis says nothing of the turn about it: with 1 mm of noise that
 * would be good to 6 degrees. */
#define HOLD_LEVER 0.01

/* Points of one limb: sums about the joint's centre. */
typedef struct hold_points {
    int count;
    snw_vec3 sum;
    snw_mat3 square; /* p p^T */
} hold_points;

static void add_point(hold_points *points, snw_vec3 p)
{
    points->count++;
    points->sum = snw_vec3_add(points->sum, p);
    snw__add_outer(&points->square, 1, p);
}

/* Children come after their parents: by the time a limb is asked, its children are judged. */
static hold_points points_of(const snw__holds *holds, int joint)
{
    const snw_actor *actor = holds->actor;
    const snw_skeleton *body = actor->skeleton;
    hold_points points;
    memset(&points, 0, sizeof points);
    for (int m = 0; m < actor->marker_count; m++)
        if (holds->seen[m] && actor->marker[m].joint == joint)
            add_point(&points, actor->marker[m].offset);
    for (int j = joint + 1; j < body->joint_count; j++)
        if (body->parent[j] == joint && holds->is_fixed[j])
            add_point(&points, body->rest[j].translation);
    return points;
}

/* Three points and more, off one line. */
static bool is_fixed(const hold_points *points)
{
    if (points->count < 3) return false;
    snw_mat3 spread = points->square;
    snw__add_outer(&spread, -1.0 / points->count, points->sum);
    return snw__spectrum3_of(spread).value[1] > HOLD_LEVER * HOLD_LEVER;
}

static int rank_of(const hold_points *points)
{
    snw__spectrum3 spectrum = snw__spectrum3_of(points->square);
    double lever2 = HOLD_LEVER * HOLD_LEVER;
    if (spectrum.value[1] + spectrum.value[2] > lever2) return 3;
    return spectrum.value[0] > lever2 ? 2 : 0;
}

static void judge(snw__holds *holds)
{
    const snw_skeleton *body = holds->actor->skeleton;
    memset(holds->is_above, 0, (size_t)body->joint_count * sizeof(bool));
    for (int m = 0; m < holds->actor->marker_count; m++)
        if (holds->seen[m]) holds->is_above[holds->actor->marker[m].joint] = true;
    for (int j = body->joint_count - 1; j >= 0; j--) {
        hold_points points = points_of(holds, j);
        holds->is_fixed[j] = is_fixed(&points);
        int rank = rank_of(&points);
        if (j == 0) rank = holds->is_fixed[0] ? 3 : 0;
        if (j > 0 && holds->is_above[j]) holds->is_above[body->parent[j]] = true;
        holds->rank[j] = (uint8_t)(rank == 0 && holds->is_above[j] ? 1 : rank);
    }
}

const uint8_t *snw__holds_rank(snw__holds *holds, const snw_frame *frame)
{
    bool is_same = holds->has_rank;
    for (int m = 0; m < holds->actor->marker_count; m++) {
        int source = holds->source[m];
        int seen = source >= 0 && snw__sample_is_usable(frame, source);
        is_same &= seen == holds->seen[m];
        holds->seen[m] = seen;
    }
    if (!is_same) judge(holds);
    holds->has_rank = true;
    return holds->rank;
}

void snw__holds_from_ranks(const snw_skeleton *skeleton, int frame_count, uint8_t *rank)
{
    size_t joints = (size_t)skeleton->joint_count;
    for (size_t j = 0; j < joints; j++) {
        uint8_t best = 0;
        for (int frame = 0; frame < frame_count; frame++)
            if (rank[(size_t)frame * joints + j] > best) best = rank[(size_t)frame * joints + j];
        for (int frame = 0; frame < frame_count; frame++) {
            uint8_t *row = rank + (size_t)frame * joints;
            /* Turned against a parent that is itself not known, a limb is not known either. */
            bool is_hung = j == 0 || row[skeleton->parent[j]] == SNW__HOLD_FULL;
            if (row[j] == 0)
                row[j] = SNW__HOLD_NONE;
            else
                row[j] = row[j] == best && is_hung ? SNW__HOLD_FULL : SNW__HOLD_PART;
        }
    }
}

/* ---- the object ----------------------------------------------------------------------------- */

static size_t lay_out(snw__holds *holds, void *memory)
{
    snw__block block = {memory, 0, 0};
    size_t markers = (size_t)holds->actor->marker_count;
    size_t joints = (size_t)holds->actor->skeleton->joint_count;
    snw__block_take(&block, 1, sizeof *holds);
    holds->source = snw__block_take(&block, markers, sizeof(int));
    holds->seen = snw__block_take(&block, markers, sizeof(int));
    holds->rank = snw__block_take(&block, joints, 1);
    holds->is_above = snw__block_take(&block, joints, sizeof(bool));
    holds->is_fixed = snw__block_take(&block, joints, sizeof(bool));
    return block.size;
}

snw_status snw__holds_create(const snw_actor *actor, const snw_trial *trial,
                             const snw_allocator *allocator, snw__holds **out, snw_error *error)
{
    *out = NULL;
    snw__holds sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.actor = actor;
    sketch.allocator = snw__allocator_or_default(allocator);
    sketch.block_size = lay_out(&sketch, NULL);
    void *memory = snw__allocate(&sketch.allocator, sketch.block_size);
    if (!memory) return snw__fail_memory(error, sketch.block_size, "judging frames");
    lay_out(&sketch, memory);
    for (int m = 0; m < actor->marker_count; m++)
        sketch.source[m] = snw__marker_source(actor, trial, m);
    *out = memory;
    **out = sketch;
    return SNW_OK;
}

void snw__holds_destroy(snw__holds *holds)
{
    if (!holds) return;
    snw_allocator allocator = holds->allocator;
    snw__release(&allocator, holds, holds->block_size);
}

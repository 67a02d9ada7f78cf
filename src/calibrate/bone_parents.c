/* A body by the names of its bones.
 *
 * Bodies differ in how finely they are divided (three spines or one, with a collar or without). So
 * a name gives no parent but a place (label/bone_name.h): a chain, and a rank along it. The parent
 * is the next segment inwards that the capture has. Where a chain begins, legs hang from the lowest
 * bone of the trunk and arms from the highest below the neck. */
#include "calibrate/bone_parents.h"

#include <string.h>

#include <sinew/calibrate.h>

#include "label/bone_name.h"
#include "label/label_grammar.h"

/* Ranks from here on are above the shoulders. */
enum {
    BONE_NECK = 60
};

/* "Joe:Head" and "Joe:Neck" are of one actor. */
static bool is_same_actor(const char *a, const char *b)
{
    size_t length = (size_t)(snw__bare_label(a) - a);
    return length == (size_t)(snw__bare_label(b) - b) && memcmp(a, b, length) == 0;
}

/* Can `up` be inwards of `bone` on its own chain? */
static bool is_inwards(const snw__bone *up, const snw__bone *bone)
{
    if (up->side != bone->side) return false;
    if (bone->chain == SNW__BONE_FINGER && up->chain == SNW__BONE_ARM) return true;
    return up->chain == bone->chain && up->finger == bone->finger && up->rank < bone->rank;
}

/* How near `up` is to `bone`; negative: it cannot carry it. */
static int nearness(const snw__bone *up, const snw__bone *bone)
{
    if (is_inwards(up, bone)) return (up->chain == bone->chain ? 2000 : 1000) + up->rank;
    if (up->chain != SNW__BONE_TRUNK || bone->chain == SNW__BONE_TRUNK) return -1;
    if (bone->chain == SNW__BONE_LEG) return 500 - up->rank;
    return up->rank < BONE_NECK ? 500 + up->rank : 500 - up->rank;
}

/* What stands still while others move, and is no bone or claims the place of one that moves, is an
 * object: a "Root" on the floor beside the "Hips". Of two people one may stand still. */
static bool is_object(const snw_segments *segments, const bool *is_still, int segment)
{
    snw__bone bone, other;
    if (!is_still[segment]) return false;
    if (!snw__bone_read(segments->segment[segment].name, &bone)) return true;
    /* Bones of one kind: "Root" and "Hips2" are. */
    for (int l = 0; l < segments->segment_count; l++)
        if (!is_still[l] &&
            is_same_actor(segments->segment[l].name, segments->segment[segment].name) &&
            snw__bone_read(segments->segment[l].name, &other) &&
            (bone.chain == other.chain && bone.side == other.side && bone.finger == other.finger &&
             bone.rank / 10 == other.rank / 10))
            return true;
    return false;
}

/* False when another segment claims the same place, or nothing carries an arm or a leg. */
static bool find_parent(const snw_segments *segments, const bool *is_still, int segment,
                        int *parent)
{
    snw__bone bone, up;
    int best = -1;
    *parent = SNW_TREE_ROOT;
    if (!snw__bone_read(segments->segment[segment].name, &bone)) return false;
    for (int l = 0; l < segments->segment_count; l++) {
        if (l == segment ||
            !is_same_actor(segments->segment[l].name, segments->segment[segment].name))
            continue;
        if (is_object(segments, is_still, l)) continue;
        if (!snw__bone_read(segments->segment[l].name, &up) ||
            (up.chain == bone.chain && up.side == bone.side && up.finger == bone.finger &&
             up.rank == bone.rank))
            return false;
        int near = nearness(&up, &bone);
        if (near <= best) continue;
        best = near;
        *parent = l;
    }
    return *parent >= 0 || bone.chain == SNW__BONE_TRUNK;
}

bool snw__bone_parents(const snw_segments *segments, const bool *is_still, int *parent)
{
    for (int l = 0; l < segments->segment_count; l++) {
        parent[l] = SNW_TREE_FREE;
        if (is_object(segments, is_still, l)) continue;
        if (!find_parent(segments, is_still, l, parent + l)) return false;
    }
    return true;
}

/* The object: an actor and its memory. */
#include "actor/actor_data.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

static size_t lay_out(snw_actor *actor, int joint_count, void *memory)
{
    snw__block block = {(char *)memory, 0, 0};
    snw__block_take(&block, 1, sizeof *actor);
    actor->marker = snw__block_take(&block, (size_t)actor->marker_count, sizeof(snw_actor_marker));
    actor->finding = snw__block_take(&block, (size_t)joint_count, sizeof(snw_joint_finding));
    return block.size;
}

snw_actor *snw__actor_take(int marker_count, int joint_count, const snw_allocator *allocator,
                           snw_error *error)
{
    snw_actor sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.marker_count = marker_count;
    sketch.allocator = snw__allocator_or_default(allocator);
    sketch.block_size = lay_out(&sketch, joint_count, NULL);
    void *memory = snw__allocate(&sketch.allocator, sketch.block_size);
    if (!memory) {
        snw__fail_memory(error, sketch.block_size, "an actor");
        return NULL;
    }
    lay_out(&sketch, joint_count, memory);
    snw_actor *actor = memory;
    *actor = sketch;
    return actor;
}

void snw_actor_destroy(snw_actor *actor)
{
    if (!actor) return;
    snw_skeleton_destroy(actor->skeleton);
    snw_allocator allocator = actor->allocator;
    snw__release(&allocator, actor, actor->block_size);
}

/* Any bytes as a GLB: body, mesh and character are read or refused; see fuzz_text.h for what must
 * hold. A character's weights sum to 1 and name joints of its body. */
#include "fuzz_text.h"

static void read_character(const uint8_t *data, size_t size)
{
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_memory_source state;
    snw_source source = snw_source_from_memory(&state, data, size);
    snw_character character;
    snw_error error;
    snw_status status = snw_read_character(&source, NULL, &allocator, &character, NULL, &error);
    const snw_motion *motion = character.motion;
    const snw_skin *skin = character.skin;
    if ((status == SNW_OK) != (motion && skin)) abort();
    if (status != SNW_OK && (motion || skin || !error.message[0])) abort();
    for (int v = 0; skin && v < skin->mesh->count.vertex_count; v++) {
        double sum = 0;
        for (int k = 0; k < SNW_SKIN_JOINTS; k++) {
            sum += (double)skin->vertex[v].weight[k];
            if (skin->vertex[v].joint[k] >= motion->skeleton->joint_count) abort();
        }
        if (!(fabs(sum - 1) < 1e-4)) abort();
    }
    snw_character_release(&character);
    if (memory.live) abort();
}

static void read_mesh(const uint8_t *data, size_t size)
{
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_memory_source state;
    snw_source source = snw_source_from_memory(&state, data, size);
    snw_mesh *mesh = NULL;
    snw_error error;
    snw_status status = snw_read_mesh(&source, NULL, &allocator, &mesh, NULL, &error);
    text_check_outcome(status, &error, mesh);
    snw_mesh_destroy(mesh);
    if (memory.live) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!text_is(data, size, SNW_FORMAT_GLB) && !text_is(data, size, SNW_FORMAT_VRM)) return -1;
    read_character(data, size);
    read_mesh(data, size);
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_motion *motion = text_read_motion(data, size, false, &allocator);
    memory.limit = SIZE_MAX; /* writing works in the motion's memory */
    if (motion) text_check_motion_again(motion, SNW_FORMAT_BVH);
    snw_motion_destroy(motion);
    if (memory.live) abort();
    return 0;
}

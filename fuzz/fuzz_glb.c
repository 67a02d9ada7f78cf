/* Any bytes as a GLB: body, mesh and character are read or refused; see fuzz_text.h for what must
 * hold. A character's weights sum to 1 and name joints of its body. */
#include "fuzz_text.h"
#include "mutate_json.h"

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

/* The JSON changes, blanks fill it up to four bytes, and both lengths are put right. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    enum {
        HEAD = 20 /* of the file, 12, and of its first part, 8 */
    };
    static uint8_t json[1 << 16];
    uint64_t state = seed;
    size_t length = 0;
    for (int k = 0; size > HEAD && k < 4; k++)
        length |= (size_t)data[12 + k] << 8 * k;
    if (length == 0 || length > size - HEAD || length + MUTATE_COPY + 4 > sizeof json ||
        mutate_draw(&state, 3) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(json, data + HEAD, length);
    size_t changed = mutate_json(json, length, sizeof json - 4, &state);
    while (changed % 4)
        json[changed++] = ' ';
    size_t whole = mutate_splice(data, size, max_size, HEAD, length, json, changed);
    if (whole == size && changed != length) return size;
    mutate_put(data + 12, (uint32_t)changed, 4, false);
    mutate_put(data + 8, (uint32_t)whole, 4, false);
    return whole;
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

/* Any bytes as a robot's description, URDF or MJCF; see fuzz_text.h for what must hold. */
#include "fuzz_text.h"

/* The same bytes as collision shapes of an arm. */
static void fuzz_shapes(const uint8_t *data, size_t size)
{
    snw_skeleton *arm = NULL;
    snw_body_shape shape[8];
    snw_shape_list list = {.shape = shape, .room = 8};
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, data, size);
    snw_error error = snw_error_none();
    if (snw_preset_create("panda", NULL, &arm, &error) != SNW_OK) abort();
    snw_status status = snw_read_shapes(&source, arm, &list, &error);
    if (status != SNW_OK && !error.message[0]) abort();
    for (int k = 0; status == SNW_OK && k < list.count && k < 8; k++)
        if (snw_shape_check(&shape[k].shape, NULL) != SNW_OK) abort();
    snw_skeleton_destroy(arm);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_shapes(data, size);
    if (text_is(data, size, SNW_FORMAT_MJCF)) return text_fuzz_motion(data, size, SNW_FORMAT_MJCF);
    return text_fuzz_motion(data, size, SNW_FORMAT_URDF);
}

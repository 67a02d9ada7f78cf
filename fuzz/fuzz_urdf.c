/* Any bytes as a robot's description, URDF or MJCF; see fuzz_text.h for what must hold. */
#include "fuzz_text.h"
#include "io/robot_shapes.h"

/* Every file that it names, but none.*, is a wedge. */
static snw_status open_wedge(void *context, const char *path, snw_source *source, snw_error *error)
{
    static const char wedge[] = "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    if (strstr(path, "none.")) {
        *error = snw_error_none();
        return SNW_NOT_FOUND;
    }
    *source = snw_source_from_memory(context, wedge, sizeof wedge - 1);
    return SNW_OK;
}

static void close_wedge(void *context, snw_source *source)
{
    (void)context;
    (void)source;
}

/* The same bytes as collision shapes of an arm. */
static void fuzz_shapes(const uint8_t *data, size_t size)
{
    snw_skeleton *arm = NULL;
    snw_body_shape shape[8];
    snw_vec3 point[20];
    snw_shape_list list = {.shape = shape, .room = 8, .point = point, .point_room = 20};
    snw_memory_source memory, wedge;
    snw_source source = snw_source_from_memory(&memory, data, size);
    snw_error error = snw_error_none();
    if (snw_preset_create("panda", NULL, &arm, &error) != SNW_OK) abort();
    snw__include files = {.main_path = "robots/arm.xml",
                          .open = open_wedge,
                          .close = close_wedge,
                          .context = &wedge,
                          .error = &error};
    snw__shapes shapes = {arm, &list, &files, NULL, &error};
    snw_status status = snw__read_shapes(&source, &shapes);
    if (status != SNW_OK && !error.message[0]) abort();
    if (list.point_count > 20) abort();
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

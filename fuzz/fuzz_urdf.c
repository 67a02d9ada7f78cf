/* Any bytes as a robot's description, URDF or MJCF; see fuzz_text.h for what must hold. */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (text_is(data, size, SNW_FORMAT_MJCF)) return text_fuzz_motion(data, size, SNW_FORMAT_MJCF);
    return text_fuzz_motion(data, size, SNW_FORMAT_URDF);
}

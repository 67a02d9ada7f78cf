/* Any bytes as one of Knight's figures; see fuzz_text.h for what must hold. */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return text_fuzz_motion(data, size, SNW_FORMAT_ATM);
}

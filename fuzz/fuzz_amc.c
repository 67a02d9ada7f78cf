/* Any bytes as an AMC file for a small body; see fuzz_text.h for what must hold. */
#include "fuzz_text.h"

static const char body[] =
    ":units\nlength 0.45\nangle deg\n:root\norder TX TY TZ RX RY RZ\naxis XYZ\n:bonedata\n"
    "begin\nname hip\ndirection 0 -1 0\nlength 3\naxis 0 0 20 XYZ\ndof rx ry rz\nend\n"
    "begin\nname knee\ndirection 0 -1 0\nlength 3\naxis 0 0 20 XYZ\ndof rx\nend\n"
    "begin\nname foot\ndirection 0 0 1\nlength 1\naxis -90 0 20 XYZ\ndof rx rz tx l\nend\n"
    ":hierarchy\nbegin\nroot hip\nhip knee\nknee foot\nend\n";

/* Frames for a body that was read before. */
static void check_alone(const uint8_t *data, size_t size)
{
    snw_memory_source bytes[2];
    snw_source asf = snw_source_from_memory(bytes, body, sizeof body - 1);
    snw_source amc = snw_source_from_memory(bytes + 1, data, size);
    snw_motion *none = NULL, *motion = NULL;
    snw_error error;
    if (snw_read_motion(&asf, NULL, NULL, &none, NULL, &error) != SNW_OK) abort();
    snw_status status = snw_read_acclaim(&(snw_acclaim_sources){NULL, &amc, none->skeleton}, NULL,
                                         NULL, &motion, NULL, &error);
    text_check_outcome(status, &error, motion);
    if (motion) text_check_motion(motion);
    snw_motion_destroy(motion);
    snw_motion_destroy(none);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_alone(data, size);
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        text_memory memory = text_memory_for(size + sizeof body);
        snw_allocator allocator = {text_allocate, text_release, &memory};
        snw_memory_source bytes[2];
        snw_source asf = snw_source_from_memory(bytes, body, sizeof body - 1);
        snw_source amc = snw_source_from_memory(bytes + 1, data, size);
        snw_read_options options = text_options(is_lenient);
        snw_notes notes = snw_notes_none();
        snw_motion *motion = NULL;
        snw_error error;
        snw_status status = snw_read_acclaim(&(snw_acclaim_sources){&asf, &amc, NULL}, &options,
                                             &allocator, &motion, &notes, &error);
        text_check_outcome(status, &error, motion);
        memory.limit = SIZE_MAX;
        if (motion) {
            text_check_motion(motion);
            text_check_motion_again(motion, SNW_FORMAT_AMC);
        }
        snw_motion_destroy(motion);
        if (memory.live != 0) abort();
    }
    return 0;
}

/* The seeds of fuzz_c3d are what our own writer makes; with SINEW_WRITE_SEEDS set they are written
 * anew. A seed that differs means that the writer has changed: write them anew and look at why. */
#include "check.h"

typedef struct seed {
    const char *name;
    int markers, frames, analog, rotations, events;
    snw_storage storage;
} seed;

static const seed seeds[] = {
    {"empty", 0, 0, 0, 0, 0, {SNW_ORDER_INTEL, false}},
    {"float_intel", 3, 4, 2, 0, 2, {SNW_ORDER_INTEL, false}},
    {"float_dec", 3, 4, 2, 0, 2, {SNW_ORDER_DEC, false}},
    {"float_mips", 3, 4, 2, 0, 2, {SNW_ORDER_MIPS, false}},
    {"int_intel", 2, 3, 1, 0, 1, {SNW_ORDER_INTEL, true}},
    {"int_dec", 2, 3, 1, 0, 1, {SNW_ORDER_DEC, true}},
    {"int_mips", 2, 3, 1, 0, 1, {SNW_ORDER_MIPS, true}},
    {"rotations", 0, 2, 0, 2, 0, {SNW_ORDER_INTEL, false}},
    {"labels2", 260, 1, 0, 0, 0, {SNW_ORDER_INTEL, true}},
};

static snw_trial *make_trial(const seed *from)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = from->markers;
    options.frame_count = from->frames;
    options.analog_count = from->analog;
    options.analog_per_frame = 2;
    options.rotation_count = from->rotations;
    options.rotations_per_frame = 1;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    trial->storage = from->storage;
    trial->residual_scale = 0.25;
    trial->up = SNW_UP_Z;
    for (int n = 0; n < from->markers * from->frames; n++)
        if (n % 5)
            snw_trial_set(trial, n / from->markers, n % from->markers,
                          snw_vec3_make(n * 0.25, 0.5, 1), SNW_SAMPLE_MEASURED);
    for (int e = 0; e < 2 * from->events; e++) {
        snw_event event = {e * 0.5, (char *)"RHS", (char *)"", (char *)"", (char *)"", 0, 0, e % 2};
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
    return trial;
}

static void compare_with_file(const char *path, const snw_memory_sink *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is missing", path);
    uint8_t *there = (uint8_t *)malloc(bytes->size + 1);
    size_t size = fread(there, 1, bytes->size + 1, file);
    fclose(file);
    bool is_same = size == bytes->size && memcmp(there, bytes->bytes, size) == 0;
    free(there);
    if (!is_same) fail_msg("%s is not what the writer makes now", path);
}

static void the_seeds_are_what_the_writer_makes(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof seeds / sizeof *seeds; n++) {
        snw_trial *trial = make_trial(seeds + n);
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, NULL);
        char path[512];
        snprintf(path, sizeof path, "%s/fuzz/corpus/c3d/%s.c3d", SINEW_SOURCE_DIR, seeds[n].name);
        assert_int_equal(snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, NULL), SNW_OK);
        if (getenv("SINEW_WRITE_SEEDS"))
            assert_int_equal(snw_write_trial_file(path, true, trial, NULL, NULL), SNW_OK);
        compare_with_file(path, &bytes);
        snw_memory_sink_release(&bytes);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seeds_are_what_the_writer_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

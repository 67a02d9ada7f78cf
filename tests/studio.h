/* Short captures with known truth, for tests. */
#ifndef SNW_TESTS_STUDIO_H
#define SNW_TESTS_STUDIO_H

#include "check.h"

typedef struct studio {
    snw_skeleton *body;
    snw_synth *synth;
} studio;

static inline studio shoot(const char *preset, const snw_synth_options *options)
{
    studio result = {NULL, NULL};
    snw_error error;
    assert_int_equal(snw_preset_create(preset, NULL, &result.body, &error), SNW_OK);
    if (snw_synth_create(result.body, NULL, options, NULL, &result.synth, &error) != SNW_OK)
        print_error("%s\n", error.message);
    assert_non_null(result.synth);
    return result;
}

static inline void leave(studio *result)
{
    snw_synth_destroy(result->synth);
    snw_skeleton_destroy(result->body);
}

static inline snw_synth_options quick_options(void)
{
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 2;
    options.rate = 60;
    return options;
}

/* A float of at most 6000 mm is exact to half a unit in the last place: 0.25 um. */
#define FLOAT_MM 5e-7

#endif

/* OpenSim models: what is written parses as it should, and what cannot be written is named. */
#include "check.h"

static const snw_osim_body osim_bodies[2] = {
    {"pelvis",
     -1,
     "ground_pelvis",
     {0, 0, 0},
     0,
     {{"pelvis_tilt", 1}, {NULL, 1}, {NULL, 1}, {"pelvis_tx", 1}, {NULL, 1}, {NULL, 1}},
     8,
     {0, 0.1, 0},
     {0.1, 0.1, 0.1}},
    {"left thigh/1",
     0,
     "hip_l",
     {-0.05, -0.08, -0.09},
     0.25,
     {{"hip_flexion_l", -1}, {NULL, 1}, {NULL, 1}, {NULL, 1}, {NULL, 1}, {NULL, 1}},
     7,
     {0, -0.2, 0},
     {0.1, 0.1, 0.1}},
};

static char *write_text(const snw_osim_model *model, snw_status expected)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    assert_int_equal(snw_write_osim(model, &sink, &error), expected);
    char *text = calloc(bytes.size + 1, 1);
    if (bytes.size) memcpy(text, bytes.bytes, bytes.size);
    snw_memory_sink_release(&bytes);
    return text;
}

/* Every element that opens closes, in order. */
static void check_nesting(const char *text)
{
    char stack[32][32];
    int depth = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        char name[32];
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '?' || end[-1] == '/') continue;
        bool is_end = at[1] == '/';
        size_t length = strcspn(at + 1 + is_end, " >");
        assert_true(length < sizeof name);
        memcpy(name, at + 1 + is_end, length);
        name[length] = 0;
        if (is_end) {
            assert_true(depth > 0);
            assert_string_equal(stack[--depth], name);
        } else {
            assert_true(depth < 32);
            strcpy(stack[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
}

static void a_model_is_well_formed_and_says_what_it_was_given(void **state)
{
    (void)state;
    static const snw_osim_marker marker = {"L<KNE>", 1, {0.01, -0.4, -0.05}};
    snw_osim_model model = {"walker", "mine & <yours>", 2, osim_bodies, 1, &marker};
    char *text = write_text(&model, SNW_OK);
    check_nesting(text);
    static const char *const parts[] = {
        "<OpenSimDocument Version=\"40000\">",
        "<credits>mine &amp; &lt;yours&gt;</credits>",
        "<Body name=\"left_thigh_1\">",
        "<socket_parent>/bodyset/left_thigh_1</socket_parent>",
        "<orientation>0 0.25 0</orientation>",
        "<Coordinate name=\"hip_flexion_l\">",
        "<coefficients>-1 0</coefficients>",
        "<socket_parent>/ground</socket_parent>",
        "<Marker name=\"L_KNE_\">",
        "<location>0.01 -0.4 -0.05</location>",
    };
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        if (!strstr(text, parts[n])) print_error("not there: %s\n", parts[n]);
        assert_non_null(strstr(text, parts[n]));
    }
    free(text);
}

static void what_is_no_model_is_refused(void **state)
{
    (void)state;
    snw_osim_body loop = osim_bodies[0], huge = osim_bodies[0];
    static const snw_osim_marker lost = {"LKNE", 4, {0, 0, 0}};
    loop.parent = 0;
    huge.place.x = INFINITY;
    const snw_osim_model models[] = {{"m", "", 0, osim_bodies, 0, NULL},
                                     {"m", "", 1, &loop, 0, NULL},
                                     {"m", "", 1, &huge, 0, NULL},
                                     {"m", "", 2, osim_bodies, 1, &lost}};
    for (size_t n = 0; n < sizeof models / sizeof *models; n++)
        free(write_text(models + n, SNW_INVALID_ARGUMENT));
}

/* The bodies of a walk, each hanging from the one above it, and its markers on them. */
static void a_gait_model_is_a_model_of_opensim(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_gait_model gait;
    snw_memory_sink bytes;
    snw_error error;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 1;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    assert_int_equal(snw_gait_model_make(synth->capture, NULL, NULL, &gait, NULL, NULL), SNW_OK);
    if (snw_write_osim_of_gait(synth->capture, &gait, true, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
    static const char *const told[] = {"<Body name=\"pelvis\">",
                                       "<Body name=\"femur_l\">",
                                       "<Body name=\"calcn_r\">",
                                       "name=\"LKNE\"",
                                       "knee_angle_r",
                                       "pelvis_ty"};
    char *text = malloc(bytes.size + 1);
    assert_non_null(text);
    memcpy(text, bytes.bytes, bytes.size);
    text[bytes.size] = 0;
    for (int n = 0; n < 6; n++)
        if (!strstr(text, told[n])) fail_msg("no %s in the model", told[n]);
    free(text);
    snw_memory_sink_release(&bytes);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_well_formed_and_says_what_it_was_given),
        cmocka_unit_test(what_is_no_model_is_refused),
        cmocka_unit_test(a_gait_model_is_a_model_of_opensim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What an avatar's functions refuse: every length of a profile that cannot be, tables of elbows
 * that are none, captures without what is needed, and nothing where something must be. */
#include "check.h"

static snw_avatar_capture still_capture(snw_avatar_frame *frame, int frame_count)
{
    snw_avatar_capture capture;
    memset(&capture, 0, sizeof capture);
    memset(frame, 0, sizeof *frame * (size_t)frame_count);
    capture.frame = frame;
    capture.frame_count = frame_count;
    capture.rate = 100;
    capture.up = snw_vec3_make(0, 1, 0);
    return capture;
}

/* ---- profiles -------------------------------------------------------------------------------- */

static void a_length_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at; /* of a double of the profile */
        bool may_be_zero;
    } rows[] = {{offsetof(snw_avatar_profile, upper_arm[0]), false},
                {offsetof(snw_avatar_profile, upper_arm[1]), false},
                {offsetof(snw_avatar_profile, forearm[0]), false},
                {offsetof(snw_avatar_profile, forearm[1]), false},
                {offsetof(snw_avatar_profile, neck_length), true},
                {offsetof(snw_avatar_profile, spine[0]), true},
                {offsetof(snw_avatar_profile, spine[1]), true},
                {offsetof(snw_avatar_profile, hip_width), true},
                {offsetof(snw_avatar_profile, thigh), false},
                {offsetof(snw_avatar_profile, shank), false},
                {offsetof(snw_avatar_profile, ankle), true}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const double bad[] = {-0.1, NAN, INFINITY, 0};
        for (size_t k = 0; k < 4; k++) {
            snw_avatar_profile profile = snw_avatar_profile_default(1.75);
            snw_avatar *avatar = NULL;
            snw_error error;
            memcpy((char *)&profile + rows[n].at, &bad[k], sizeof bad[k]);
            bool is_good = bad[k] == 0 && rows[n].may_be_zero;
            assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, &error),
                             is_good ? SNW_OK : SNW_INVALID_ARGUMENT);
            assert_true(is_good || strstr(error.message, "length") != NULL);
            snw_avatar_destroy(avatar);
        }
    }
}

static void a_place_that_is_none_is_refused(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        snw_avatar_profile profile = snw_avatar_profile_default(1.75);
        snw_avatar *avatar = NULL;
        if (n == 0) profile.shoulder[1].y = NAN;
        if (n == 1) profile.neck.z = INFINITY;
        if (n == 2) profile.tracker_from_bone[SNW_AVATAR_HEAD].translation.x = NAN;
        if (n == 3) profile.tracker_from_bone[SNW_AVATAR_RIGHT_FOOT].rotation.w = NAN;
        assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, NULL),
                         SNW_INVALID_ARGUMENT);
        assert_null(avatar);
    }
}

/* Nobody is 0.1 or 5 m tall: the average takes their place. */
static void a_stature_that_cannot_be_is_the_average(void **state)
{
    (void)state;
    const double strange[] = {0.1, 5, NAN, -1};
    snw_avatar_profile average = snw_avatar_profile_default(1.75);
    for (size_t n = 0; n < 4; n++) {
        snw_avatar_profile profile = snw_avatar_profile_default(strange[n]);
        check_near(profile.upper_arm[0], average.upper_arm[0], 0);
        check_near(profile.thigh, average.thigh, 0);
    }
}

/* ---- tables of elbows ------------------------------------------------------------------------ */

#define TITLE "sinew-state-space 1\n"

static void a_table_that_is_none_is_refused_by_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        snw_status status;
        int line;
    } rows[] = {
        {"", SNW_FORMAT, -1},
        {"sinew-state-space 2\n", SNW_FORMAT, -1},
        {TITLE "0 1 2 3 4 5 6 12 0.1 0.2\n", SNW_FORMAT, 2},       /* too short */
        {TITLE "0 1 2 3 4 5 6 12 0.1 0.2 0.3 4\n", SNW_FORMAT, 2}, /* too long */
        {TITLE "2 1 2 3 4 5 6 12 0.1 0.2 0.3\n", SNW_FORMAT, 2},   /* a third arm */
        {TITLE "0 256 2 3 4 5 6 12 0.1 0.2 0.3\n", SNW_FORMAT, 2}, /* off the cells */
        {TITLE "0 -1 2 3 4 5 6 12 0.1 0.2 0.3\n", SNW_FORMAT, 2},
        {TITLE "0 1 2 3 64 5 6 12 0.1 0.2 0.3\n", SNW_FORMAT, 2},
        {TITLE "0 1 2 3.5 4 5 6 12 0.1 0.2 0.3\n", SNW_FORMAT, 2}, /* no whole cell */
        {TITLE "0 1 2 3 4 5 6 0 0.1 0.2 0.3\n", SNW_FORMAT, 2},    /* never hit */
        {TITLE "0 1 2 3 4 5 6 12 3.1 0.2 0.3\n", SNW_FORMAT, 2},   /* 3.1 m away */
        {TITLE "0 1 2 3 4 5 6 12 0.1 -11 0.3\n", SNW_FORMAT, 2},
        {TITLE "0 1 2 3 4 5 6 12 0.1 0.2 10\n", SNW_FORMAT, 2},
        {TITLE "0 1 2 3 4 5 6 12 0.1 nan 0.3\n", SNW_FORMAT, 2},
        {TITLE "0 1 2 3 4 5 6 12 0.1 0.2 0.3\nx\n", SNW_FORMAT, 3},
        {TITLE "0 1 2 3 4 5 6 2147483647 0.1 0.2 0.3\n0 1 2 3 4 5 6 1 0.1 0.2 0.3\n", SNW_TOO_LARGE,
         -1},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_state_space *space = NULL;
        snw_error error;
        assert_int_equal(
            snw_state_space_parse(rows[n].text, strlen(rows[n].text), NULL, &space, &error),
            rows[n].status);
        assert_null(space);
        assert_int_equal(error.line, rows[n].line);
        assert_true(error.message[0] != 0);
    }
}

/* Ends of lines as on Windows, blanks, and no end after the last line. */
static void a_table_is_read_as_people_write_it(void **state)
{
    (void)state;
    static const char *const texts[] = {
        TITLE, TITLE "0 1 2 3 4 5 6 12 0.1 0.2 0.3\r\n1 255 255 255 63 63 63 12 0.1 0.2 0.3\r\n",
        TITLE " 0  1 2 3 4 5 6 12 0.1 0.2 0.3\n1 0 0 0 0 0 0 12 -2.9 0.2 0.3"};
    for (int n = 0; n < 3; n++) {
        snw_state_space *space = NULL;
        size_t size = 0;
        char few[8];
        snw_error error;
        assert_int_equal(snw_state_space_parse(texts[n], strlen(texts[n]), NULL, &space, &error),
                         SNW_OK);
        assert_int_equal(snw_state_space_cell_count(space), n ? 2 : 0);
        assert_int_equal(snw_state_space_print(space, few, sizeof few, &size, &error),
                         SNW_TOO_LARGE);
        assert_true(size >= strlen(TITLE));
        assert_int_equal(snw_state_space_print(space, few, sizeof few, NULL, &error),
                         SNW_INVALID_ARGUMENT);
        assert_int_equal(snw_state_space_print(space, NULL, 8, &size, &error),
                         SNW_INVALID_ARGUMENT);
        snw_state_space_destroy(space);
    }
}

/* Elbows that nobody saw, or 10 m from their chest, fill no cell; hands beyond the table's 2 m are
 * in its outermost cells. */
static void only_elbows_of_the_body_fill_cells(void **state)
{
    (void)state;
    enum {
        HITS = 12
    };
    static snw_avatar_frame frame[HITS];
    snw_vec3 elbow[2 * HITS];
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    const struct {
        snw_vec3 wrist, elbow;
        int cells;
    } rows[] = {{{0.3, 0, 0.2}, {0.2, -0.1, 0}, 2}, {{0.3, 0, 0.2}, {NAN, 0, 0}, 0},
                {{0.3, 0, 0.2}, {12, 0, 0}, 0},     {{0.3, 0, 0.2}, {0, -12, 0}, 0},
                {{0.3, 0, 0.2}, {0, 0, 12}, 0},     {{9, -9, 9}, {0.2, -0.1, 0}, 2}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_avatar_capture capture = still_capture(frame, HITS);
        snw_state_space *space = NULL;
        capture.elbow = elbow;
        for (int f = 0; f < HITS; f++)
            for (int side = 0; side < 2; side++) {
                int hand = SNW_AVATAR_LEFT_HAND + side;
                frame[f].is_present[SNW_AVATAR_CHEST] = frame[f].is_present[hand] = true;
                frame[f].world_from_tracker[SNW_AVATAR_CHEST] = snw_xform_identity();
                frame[f].world_from_tracker[hand] = snw_xform_make(
                    snw_quat_make(side ? -1 : 1, 0, 0, 0), rows[n].wrist); /* q is -q */
                elbow[2 * f + side] = rows[n].elbow;
            }
        assert_int_equal(snw_state_space_create(&profile, &capture, NULL, &space, NULL), SNW_OK);
        assert_int_equal(snw_state_space_cell_count(space), rows[n].cells);
        snw_state_space_destroy(space);
        /* Without a hand or a chest nothing is told. */
        for (int f = 0; f < HITS; f++)
            frame[f].is_present[f % 2 ? SNW_AVATAR_CHEST : SNW_AVATAR_LEFT_HAND] = false;
        assert_int_equal(snw_state_space_create(&profile, &capture, NULL, &space, NULL), SNW_OK);
        assert_int_equal(snw_state_space_cell_count(space), 0);
        snw_state_space_destroy(space);
    }
}

/* ---- captures -------------------------------------------------------------------------------- */

static void what_is_not_there_is_told(void **state)
{
    (void)state;
    static snw_avatar_frame frame[30];
    snw_avatar_capture capture = still_capture(frame, 30);
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    snw_avatar_options options = snw_avatar_options_default();
    snw_state_space *space = NULL;
    snw_avatar *avatar = NULL;
    snw_error error;
    assert_int_equal(snw_state_space_create(&profile, &capture, NULL, &space, &error),
                     SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "elbows"));
    assert_int_equal(snw_avatar_learn(&profile, &capture, NULL, &error), SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "elbows"));
    options.method = SNW_AVATAR_STATE_SPACE;
    assert_int_equal(snw_avatar_create(&profile, &options, NULL, &avatar, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "state"));
    /* A start without hands, then without a head. */
    assert_int_equal(snw_avatar_calibrate(&capture, NULL, &profile, NULL, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "head"));
    for (int f = 0; f < 30; f++) {
        frame[f].is_present[SNW_AVATAR_HEAD] = true;
        frame[f].world_from_tracker[SNW_AVATAR_HEAD] = snw_xform_identity();
    }
    assert_int_equal(snw_avatar_calibrate(&capture, NULL, &profile, NULL, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "hands"));
    capture.frame_count = 0;
    assert_int_equal(snw_avatar_calibrate(&capture, NULL, &profile, NULL, &error),
                     SNW_INVALID_ARGUMENT);
}

static void null_is_refused(void **state)
{
    (void)state;
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    static snw_avatar_frame frame[1];
    snw_avatar_capture capture = still_capture(frame, 1);
    snw_state_space *space = NULL;
    snw_avatar *avatar = NULL, *none = NULL;
    snw_motion *motion = NULL;
    snw_actor *actor = NULL;
    size_t size = 0;
    assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, NULL), SNW_OK);
    const snw_status outcomes[] = {
        snw_avatar_create(NULL, NULL, NULL, &none, NULL),
        snw_avatar_create(&profile, NULL, NULL, NULL, NULL),
        snw_avatar_solve(NULL, &capture, NULL, &motion, NULL),
        snw_avatar_solve(avatar, NULL, NULL, &motion, NULL),
        snw_avatar_solve(avatar, &capture, NULL, NULL, NULL),
        snw_avatar_learn(NULL, &capture, NULL, NULL),
        snw_avatar_learn(&profile, NULL, NULL, NULL),
        snw_avatar_calibrate(NULL, NULL, &profile, NULL, NULL),
        snw_avatar_calibrate(&capture, NULL, NULL, NULL, NULL),
        snw_avatar_profile_to_actor(NULL, NULL, &actor, NULL),
        snw_avatar_profile_to_actor(&profile, NULL, NULL, NULL),
        snw_avatar_profile_from_actor(NULL, &profile, NULL),
        snw_state_space_create(NULL, &capture, NULL, &space, NULL),
        snw_state_space_create(&profile, NULL, NULL, &space, NULL),
        snw_state_space_create(&profile, &capture, NULL, NULL, NULL),
        snw_state_space_print(NULL, NULL, 0, &size, NULL),
        snw_state_space_parse(NULL, 5, NULL, &space, NULL),
        snw_state_space_parse(TITLE, strlen(TITLE), NULL, NULL, NULL),
    };
    for (size_t n = 0; n < sizeof outcomes / sizeof *outcomes; n++)
        assert_int_equal(outcomes[n], SNW_INVALID_ARGUMENT);
    assert_null(none);
    assert_int_equal(snw_avatar_role_from_label(NULL), SNW_AVATAR_ROLE_COUNT);
    snw_avatar_destroy(avatar);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void methods_are_found_by_their_names(void **state)
{
    (void)state;
    for (int m = 0; m < SNW_AVATAR_METHOD_COUNT; m++) {
        const char *name = snw_avatar_method_name((snw_avatar_method)m);
        assert_int_equal(snw_avatar_method_find(name), m);
        assert_true(strlen(snw_avatar_method_text((snw_avatar_method)m)) > 10);
    }
    assert_int_equal(snw_avatar_method_find("pol"), -1);
    assert_int_equal(snw_avatar_method_find("poles"), -1);
    assert_string_equal(snw_avatar_method_name(SNW_AVATAR_METHOD_COUNT), "?");
    assert_string_equal(snw_avatar_method_text(SNW_AVATAR_METHOD_COUNT), "?");
    assert_string_equal(snw_avatar_role_name(SNW_AVATAR_ROLE_COUNT), "?");
}

/* Five links and more leave no useful set; a joint must be a word of the table. */
static void chains_off_the_table_are_told(void **state)
{
    (void)state;
    static const char *const five[] = {"S", "F", "F", "S"}, *const three[] = {"FFF", "T"};
    static const char *const wrong[][1] = {{"FX"}, {""}, {NULL}};
    snw_reach_set set;
    snw_error error;
    assert_int_equal(snw_reach_analyse(five, 5, &set, NULL), SNW_OK);
    assert_int_equal(set.shape, SNW_REACH_TOO_LARGE);
    assert_int_equal(snw_reach_analyse(three, 3, &set, NULL), SNW_OK);
    assert_int_equal(snw_reach_analyse(NULL, 2, &set, NULL), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_reach_analyse(five, 0, &set, NULL), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_reach_analyse(five, 2, NULL, NULL), SNW_INVALID_ARGUMENT);
    for (size_t n = 0; n < 3; n++) {
        assert_int_equal(snw_reach_analyse(wrong[n], 2, &set, &error), SNW_INVALID_ARGUMENT);
        assert_true(error.message[0] != 0);
    }
    for (int shape = 0; shape <= SNW_REACH_TOO_LARGE; shape++)
        for (int other = 0; other < shape; other++)
            assert_string_not_equal(snw_reach_shape_name((snw_reach_shape)shape),
                                    snw_reach_shape_name((snw_reach_shape)other));
    assert_string_equal(snw_reach_shape_name((snw_reach_shape)(SNW_REACH_TOO_LARGE + 1)), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_that_cannot_be_is_refused),
        cmocka_unit_test(a_place_that_is_none_is_refused),
        cmocka_unit_test(a_stature_that_cannot_be_is_the_average),
        cmocka_unit_test(a_table_that_is_none_is_refused_by_its_line),
        cmocka_unit_test(a_table_is_read_as_people_write_it),
        cmocka_unit_test(only_elbows_of_the_body_fill_cells),
        cmocka_unit_test(what_is_not_there_is_told),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(methods_are_found_by_their_names),
        cmocka_unit_test(chains_off_the_table_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

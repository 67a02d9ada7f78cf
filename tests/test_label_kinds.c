/* What kind of point: from the lists of a C3D file and from labels, and what follows from it. */
#include "check.h"

static snw_trial *make_trial(const char *const *names, int count, int frames)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = count;
    options.frame_count = frames;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int m = 0; m < count; m++) {
        assert_int_equal(snw_trial_set_marker_name(trial, m, names[m], NULL), SNW_OK);
        for (int f = 0; f < frames; f++)
            snw_trial_set(trial, f, m, snw_vec3_make(0.1 + m, 0.2 + f, 0.3), SNW_SAMPLE_MEASURED);
    }
    return trial;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void labels_of_computed_points_say_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        snw_point_kind kind;
        bool is_in_lab;
    } table[] = {
        {"LASI", SNW_POINT_MARKER, false},
        {"*12", SNW_POINT_MARKER, false},
        {"TOOL1", SNW_POINT_MARKER, false},
        {"LHJC", SNW_POINT_JOINT, false},
        {"CentreOfMass", SNW_POINT_JOINT, false},
        {"V_R.Knee_JC", SNW_POINT_JOINT, false},
        {"LHipAngles", SNW_POINT_ANGLE, false},
        {"Joe:LHipAnglesV", SNW_POINT_ANGLE, false},
        {"RFootProgressAngles", SNW_POINT_ANGLE, false},
        {"LAbsAnkleAngle", SNW_POINT_ANGLE, false},
        {"LKneeForce", SNW_POINT_FORCE, false},
        {"LGroundReactionForce", SNW_POINT_FORCE, true},
        {"RNormalisedGRF", SNW_POINT_FORCE, true},
        {"LGroundReactionMoment", SNW_POINT_MOMENT, true},
        {"RAnkleMoment_CGM_2.4", SNW_POINT_MOMENT, false},
        {"LHipPower", SNW_POINT_POWER, false},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        snw_label label = snw_label_read(table[n].label);
        if (label.point != table[n].kind || label.is_in_lab_axes != table[n].is_in_lab)
            fail_msg("%s is a %s", table[n].label, snw_point_kind_name(label.point));
        assert_int_equal(label.kind == SNW_LABEL_DERIVED, label.point != SNW_POINT_MARKER);
    }
    assert_string_equal(snw_point_kind_name(SNW_POINT_JOINT), "joint centre");
    assert_string_equal(snw_point_kind_name(SNW_POINT_KIND_COUNT), "unknown");
}

static void lists_know_better_than_labels(void **state)
{
    (void)state;
    static const char *const names[] = {"LASI", "RASI", "LHipAngles", "LHJC", "Walk1", "Walk2"};
    snw_trial *trial = make_trial(names, 6, 2);
    for (int m = 0; m < 6; m++)
        assert_true(snw_trial_is_marker(trial, m)); /* nobody has asked yet */
    /* Of two markers and a centre the centre is a marker too; a list's is not. */
    assert_int_equal(snw_trial_find_kinds(trial, NULL), SNW_OK);
    assert_int_equal(trial->marker[2].kind, SNW_POINT_ANGLE);
    assert_int_equal(trial->marker[3].kind, SNW_POINT_MARKER);
    const snw_computed_points center = {SNW_POINT_JOINT, "mm", 3, 1};
    const snw_computed_points scalars = {SNW_POINT_SCALAR, "", 4, 1};
    assert_int_equal(snw_trial_mark_computed(trial, &center, NULL), SNW_OK);
    assert_int_equal(snw_trial_mark_computed(trial, &scalars, NULL), SNW_OK);
    /* A list of the file's own. */
    char list[] = "WALKSWALK ", name[] = "TYPE_GROUPS", own[] = "WALKS", row[] = "Walk2";
    snw_parameter types = {.name = name,
                           .type = SNW_PARAMETER_CHAR,
                           .dimension_count = 3,
                           .dimension = {5, 2, 1},
                           .byte_count = 10,
                           .data = list};
    snw_parameter walks = {.name = own,
                           .type = SNW_PARAMETER_CHAR,
                           .dimension_count = 2,
                           .dimension = {5, 1},
                           .byte_count = 5,
                           .data = row};
    assert_int_equal(snw_trial_set_parameter(trial, "POINT", &types, NULL), SNW_OK);
    assert_int_equal(snw_trial_set_parameter(trial, "POINT", &walks, NULL), SNW_OK);
    assert_int_equal(snw_trial_find_kinds(trial, NULL), SNW_OK);
    static const snw_point_kind kinds[] = {SNW_POINT_MARKER, SNW_POINT_MARKER, SNW_POINT_ANGLE,
                                           SNW_POINT_JOINT,  SNW_POINT_SCALAR, SNW_POINT_OTHER};
    for (int m = 0; m < 6; m++)
        assert_int_equal(trial->marker[m].kind, kinds[m]);
    assert_int_equal(snw_trial_count_kind(trial, SNW_POINT_MARKER), 2);
    const snw_computed_points wrong = {SNW_POINT_MARKER, "mm", 0, 1};
    assert_int_equal(snw_trial_mark_computed(trial, &wrong, NULL), SNW_INVALID_ARGUMENT);
    snw_trial_destroy(trial);
}

/* ---- units and axes ---------------------------------------------------------------------------
 */

static void only_positions_change_with_the_unit_and_vectors_of_the_lab_turn(void **state)
{
    (void)state;
    static const char *const names[] = {"LASI", "LHipAngles", "LGroundReactionForce", "LHipForce"};
    snw_trial *trial = make_trial(names, 4, 1);
    assert_int_equal(snw_trial_find_kinds(trial, NULL), SNW_OK);
    for (int m = 0; m < 4; m++)
        trial->sample[m] = (snw_sample){10, 20, 30, 0};
    snw_trial_set_unit(trial, "m", 1);
    static const float after_unit[][3] = {
        {0.01f, 0.02f, 0.03f}, {10, 20, 30}, {10, 20, 30}, {10, 20, 30}};
    for (int m = 0; m < 4; m++)
        assert_memory_equal(trial->sample + m, after_unit[m], sizeof after_unit[m]);
    trial->up = SNW_UP_Z;
    assert_int_equal(snw_trial_turn_up(trial, SNW_UP_Y, NULL), SNW_OK);
    static const float after_turn[][3] = {
        {0.01f, 0.03f, -0.02f}, {10, 20, 30}, {10, 30, -20}, {10, 20, 30}};
    for (int m = 0; m < 4; m++)
        assert_memory_equal(trial->sample + m, after_turn[m], sizeof after_turn[m]);
    snw_trial_destroy(trial);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static snw_trial *write_and_read(const snw_trial *trial, snw_format_kind format,
                                 const snw_write_options *options)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, format, options, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_memory_source state;
    snw_source source = snw_source_from_memory(&state, bytes.bytes, bytes.size);
    snw_trial *read = NULL;
    if (snw_read_trial(&source, NULL, NULL, &read, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_memory_sink_release(&bytes);
    return read;
}

static const char *const file_names[] = {"LASI", "RASI", "LPSI", "RPSI",       "LTHI",  "LKNE",
                                         "LTIB", "LANK", "LHJC", "LHipAngles", "Score", "Reached"};
enum {
    FILE_POINTS = 12
};

static void a_c3d_file_keeps_kinds_and_a_trc_file_markers(void **state)
{
    (void)state;
    snw_trial *trial = make_trial(file_names, FILE_POINTS, 3);
    assert_int_equal(snw_trial_find_kinds(trial, NULL), SNW_OK);
    trial->marker[10].kind = SNW_POINT_SCALAR; /* no label and no list says so */
    snw_trial *read = write_and_read(trial, SNW_FORMAT_C3D, NULL);
    for (int m = 0; m < FILE_POINTS; m++)
        assert_int_equal(read->marker[m].kind, trial->marker[m].kind);
    assert_int_equal(trial->marker[8].kind, SNW_POINT_JOINT);
    snw_trial_destroy(read);
    static const int counts[] = {9, 10, 12};
    for (int points = SNW_POINTS_MARKERS; points <= SNW_POINTS_ALL; points++) {
        snw_write_options options = snw_write_options_default();
        options.points = (snw_point_choice)points;
        options.metres_per_unit = 1;
        read = write_and_read(trial, SNW_FORMAT_TRC, &options);
        assert_int_equal(read->marker_count, counts[points]);
        int angle = snw_trial_find_marker(read, "LHipAngles");
        assert_int_equal(angle >= 0, points == SNW_POINTS_ALL);
        if (angle >= 0) check_near(read->sample[angle].x, trial->sample[9].x, 0);
        snw_trial_destroy(read);
    }
    snw_trial_destroy(trial);
}

static void zeros_of_a_force_stay_and_gaps_of_an_angle_are_not_filled(void **state)
{
    (void)state;
    static const char *const names[] = {"LASI", "LKneeForce", "LHipAngles"};
    snw_trial *trial = make_trial(names, 3, 40);
    assert_int_equal(snw_trial_find_kinds(trial, NULL), SNW_OK);
    for (int m = 0; m < 2; m++)
        snw_trial_set(trial, 20, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MEASURED);
    snw_trial_set(trial, 21, 2, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    assert_int_equal(snw_trial_drop_zeros(trial, NULL), 1);
    assert_true(snw_trial_is_present(trial, 20, 1));
    snw_filled *filled = NULL;
    assert_int_equal(snw_trial_fill(trial, NULL, NULL, &filled, NULL, NULL), SNW_OK);
    assert_int_equal(filled->gap_count, 1);
    assert_true(snw_trial_is_present(filled->trial, 20, 0));
    assert_false(snw_trial_is_present(filled->trial, 21, 2));
    snw_filled_destroy(filled);
    snw_trial_destroy(trial);
}

/* ---- a walk -----------------------------------------------------------------------------------
 */

static void solve(const snw_trial *trial, snw_motion **motion, snw_actor **actor)
{
    snw_segments *segments = NULL;
    snw_error error;
    if (snw_segments_find(trial, NULL, NULL, &segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(trial, segments, NULL, NULL, actor, &error) != SNW_OK ||
        snw_actor_solve(*actor, trial, NULL, NULL, motion, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_segments_destroy(segments);
}

/* Twelve points with the speeds of angles, as programs add them, beside the 16 markers of a walk:
 * the body and its motion are those of the markers, bit for bit. */
static void speeds_of_angles_beside_a_walk_change_nothing(void **state)
{
    (void)state;
    static const char *const markers[] = {"LASI", "RASI", "LPSI", "RPSI", "LTHI", "LKNE",
                                          "LTIB", "LANK", "LHEE", "LTOE", "RTHI", "RKNE",
                                          "RTIB", "RANK", "RHEE", "RTOE"};
    static const char *const joints[] = {"Hip",    "Knee",         "Ankle",
                                         "Pelvis", "FootProgress", "Thorax"};
    enum {
        MARKERS = 16,
        ANGLES = 12
    };
    char path[1024];
    snw_format(path, sizeof path, "%s/c3d_gait/pig_full_walk.c3d", corpus_folder());
    snw_trial *whole = NULL, *walk = NULL, *both = NULL;
    assert_int_equal(snw_read_trial_file(path, NULL, NULL, &whole, NULL, NULL), SNW_OK);
    int pick[MARKERS + ANGLES];
    for (int m = 0; m < MARKERS; m++) {
        pick[m] = snw_trial_find_marker(whole, markers[m]);
        assert_true(pick[m] >= 0);
    }
    for (int n = 0; n < ANGLES; n++)
        pick[MARKERS + n] = SNW_NEW_MARKER;
    assert_int_equal(snw_trial_pick(whole, pick, MARKERS, NULL, &walk, NULL), SNW_OK);
    snw_trial *made = NULL;
    assert_int_equal(snw_trial_pick(whole, pick, MARKERS + ANGLES, NULL, &made, NULL), SNW_OK);
    for (int n = 0; n < ANGLES; n++) {
        char name[64];
        snw_format(name, sizeof name, "%c%sAnglesV", "LR"[n % 2], joints[n / 2]);
        assert_int_equal(snw_trial_set_marker_name(made, MARKERS + n, name, NULL), SNW_OK);
        for (int f = 0; f < made->frame_count; f++) {
            double phase = 0.06 * f + n;
            snw_trial_set(made, f, MARKERS + n,
                          snw_vec3_make(0.3 * sin(phase), 0.1 * cos(phase), 0.05 * sin(2 * phase)),
                          SNW_SAMPLE_MEASURED);
        }
    }
    both = write_and_read(made, SNW_FORMAT_C3D, NULL);
    assert_int_equal(snw_trial_count_kind(both, SNW_POINT_ANGLE), ANGLES);
    snw_motion *alone = NULL, *beside = NULL;
    snw_actor *actor[2] = {NULL, NULL};
    solve(walk, &alone, &actor[0]);
    solve(both, &beside, &actor[1]);
    assert_int_equal(actor[0]->skeleton->joint_count, actor[1]->skeleton->joint_count);
    assert_int_equal(alone->frame_count, beside->frame_count);
    size_t rotations = (size_t)alone->frame_count * (size_t)actor[0]->skeleton->joint_count;
    assert_memory_equal(alone->rotation, beside->rotation, rotations * sizeof *alone->rotation);
    for (int n = 0; n < 2; n++)
        snw_actor_destroy(actor[n]);
    snw_motion_destroy(alone);
    snw_motion_destroy(beside);
    snw_trial_destroy(whole);
    snw_trial_destroy(walk);
    snw_trial_destroy(made);
    snw_trial_destroy(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_computed_points_say_what_they_are),
        cmocka_unit_test(lists_know_better_than_labels),
        cmocka_unit_test(only_positions_change_with_the_unit_and_vectors_of_the_lab_turn),
        cmocka_unit_test(a_c3d_file_keeps_kinds_and_a_trc_file_markers),
        cmocka_unit_test(zeros_of_a_force_stay_and_gaps_of_an_angle_are_not_filled),
        cmocka_unit_test(speeds_of_angles_beside_a_walk_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

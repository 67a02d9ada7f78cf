/* The conventional gait model against geometry, printed coefficients and the joint centres that
 * Plug-in-Gait itself wrote into real files. */
#include "check.h"

static snw_trial *read_corpus(const char *name)
{
    char path[1024];
    snw_trial *trial = NULL;
    snw_error error;
    snprintf(path, sizeof path, "%s/%s", corpus_folder(), name);
    if (snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return trial;
}

/* ---- the chord ------------------------------------------------------------------------------ */

static void chord_keeps_radius_right_angle_and_rotation(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 1);
    for (int n = 0; n < 500; n++) {
        snw_vec3 hip = {0, 0, 0}, knee, marker = {0.05, 0.02, -0.4};
        double away = 0.02 + 0.1 * snw_random_unit(&random);
        snw_vec3 wand = {0.05 * snw_random_unit(&random), 0.1 + away, -0.2};
        double rotation = 0.6 * (snw_random_unit(&random) - 0.5);
        snw_chord chord = {hip, marker, wand, 0.057, rotation};
        assert_true(snw_chord_center(&chord, &knee));
        snw_vec3 up = snw_vec3_sub(hip, knee), out = snw_vec3_sub(marker, knee);
        check_near(snw_vec3_length(out), 0.057, 1e-15); /* round-off of metres */
        check_near(snw_vec3_dot(up, out), 0, 1e-15);
        /* The angle about the thigh, by a second way: components in a frame on the thigh. */
        up = snw_vec3_unit(up, up);
        snw_vec3 to_wand = snw_vec3_sub(wand, knee);
        to_wand = snw_vec3_add_scaled(to_wand, -snw_vec3_dot(to_wand, up), up);
        snw_vec3 side = snw_vec3_cross(up, to_wand);
        double angle = atan2(snw_vec3_dot(out, side), snw_vec3_dot(out, to_wand));
        check_near(angle, rotation, 1e-12); /* the secant's tolerance is 1e-13 */
    }
}

static void chord_refuses_what_has_no_answer(void **state)
{
    (void)state;
    snw_vec3 center, a = {0, 0, 0}, b = {0, 0, -0.4}, c = {0, 0.1, -0.2}, d = {0, 0, -0.2};
    snw_chord inside = {a, b, c, 0.5, 0}, in_line = {a, b, d, 0.05, 0}, no_radius = {a, b, c, 0, 0};
    assert_false(snw_chord_center(&inside, &center));
    assert_false(snw_chord_center(&in_line, &center));
    assert_false(snw_chord_center(&no_radius, &center));
}

/* ---- Vicon's files -----------------------------------------------------------------------------
 */

static void measures_of_vicons_files_are_read(void **state)
{
    (void)state;
    static const char mp[] =
        "!MKR#2\r\n[Autolabel]\r\n$Bodymass = 72.5\r\n$LKneeWidth = 105\r\n"
        "$RKneeWidth=104\n$LTibialTorsion = 12\n$Unknown = 3\n$LLegLength = 0\n";
    static const char vsk[] = "<?xml version=\"1.0\"?><KinematicModel><Parameters><Parameter "
                              "NAME=\"LAnkleWidth\" VALUE=\"71.5\" PRIOR=\"70\"/><StaticParameter "
                              "NAME='x' /><StaticParameter VALUE=\"1800\" NAME=\"Height\"/>"
                              "<Parameter NAME=\"RAnkleWidth\" VALUE=\"7";
    snw_subject subject;
    snw_notes notes = snw_notes_none();
    memset(&subject, 0, sizeof subject);
    assert_int_equal(snw_subject_read_text(&subject, mp, sizeof mp - 1, &notes), 3);
    assert_int_equal(notes.count, 1); /* the torsion, whose unit nobody knows */
    check_near(subject.value[SNW_SUBJECT_BODY_MASS][0], 72.5, 1e-12);
    check_near(subject.value[SNW_SUBJECT_KNEE_WIDTH][SNW_SIDE_LEFT], 0.105, 1e-12);
    check_near(subject.value[SNW_SUBJECT_KNEE_WIDTH][SNW_SIDE_RIGHT], 0.104, 1e-12);
    assert_int_equal(subject.source[SNW_SUBJECT_KNEE_WIDTH][0], SNW_SUBJECT_GIVEN);
    assert_int_equal(subject.source[SNW_SUBJECT_TIBIAL_TORSION][0], SNW_SUBJECT_UNKNOWN);
    assert_int_equal(subject.source[SNW_SUBJECT_LEG_LENGTH][0], SNW_SUBJECT_UNKNOWN);
    assert_int_equal(snw_subject_read_text(&subject, vsk, sizeof vsk - 1, NULL), 2);
    check_near(subject.value[SNW_SUBJECT_ANKLE_WIDTH][SNW_SIDE_LEFT], 0.0715, 1e-12);
    check_near(subject.value[SNW_SUBJECT_HEIGHT][0], 1.8, 1e-12);
    for (size_t size = 0; size < sizeof vsk; size++) /* cut anywhere */
        snw_subject_read_text(&subject, vsk, size, NULL);
    assert_int_equal(snw_subject_read_text(&subject, "", 0, NULL), 0);
}

/* ---- regressions: worked by hand from the papers' equations, millimetres ----------------------
 */

static void hips_follow_the_printed_regressions(void **state)
{
    (void)state;
    /* width 240, depth 150, legs 900, ASIS - trochanter 67.36, marker radius 7 */
    snw_pelvis_size size = {0.240, 0.150, 0.900, 0.06736, 0.007};
    static const struct {
        snw_hip_regression regression;
        double x, y, z;
    } row[] = {
        /* Davis: C = 0.115*900-15.3 = 88.2; x = C cos.5 sin.314 - 74.36 cos.314 */
        {SNW_HIP_BY_DAVIS, -46.817170827615755, 77.7146674951093, -96.58546873442546},
        {SNW_HIP_BY_HARRINGTON, -0.24 * 150 - 9.9, 0.33 * 240 + 7.3, -0.30 * 240 - 10.9},
        {SNW_HIP_BY_BELL, -0.19 * 240, 0.36 * 240, -0.30 * 240},
    };
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_vec3 left = snw_hip_center(row[n].regression, &size, SNW_SIDE_LEFT);
        snw_vec3 right = snw_hip_center(row[n].regression, &size, SNW_SIDE_RIGHT);
        check_vec3_near(left, snw_vec3_make(row[n].x / 1000, row[n].y / 1000, row[n].z / 1000),
                        1e-7);
        check_vec3_near(right, snw_vec3_make(left.x, -left.y, left.z), 0);
        assert_int_equal(snw_hip_regression_find(snw_hip_regression_name(row[n].regression)),
                         row[n].regression);
    }
    assert_int_equal(snw_hip_regression_find("none"), -1);
}

/* ---- the subject ---------------------------------------------------------------------------- */

static void parameters_are_set_by_vicons_names_and_units(void **state)
{
    (void)state;
    snw_subject subject;
    snw_error error;
    memset(&subject, 0, sizeof subject);
    assert_int_equal(snw_subject_set(&subject, "LKneeWidth", 105, &error), SNW_OK);
    assert_int_equal(snw_subject_set(&subject, "thighrotation", 90, &error), SNW_OK);
    check_near(subject.value[SNW_SUBJECT_KNEE_WIDTH][0], 0.105, 1e-15);
    assert_int_equal(subject.source[SNW_SUBJECT_KNEE_WIDTH][1], SNW_SUBJECT_UNKNOWN);
    for (int side = 0; side < 2; side++)
        check_near(subject.value[SNW_SUBJECT_THIGH_ROTATION][side], SNW_PI / 2, 1e-15);
    assert_int_equal(snw_subject_set(&subject, "LNoseWidth", 1, &error), SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "LNoseWidth"));
    assert_int_equal(snw_subject_set(&subject, "LKneeWidth", -1, &error), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_subject_set(&subject, "LKneeWidth", NAN, &error), SNW_INVALID_ARGUMENT);
}

static void keep_number(snw_trial *trial, const char *name, float value)
{
    char own[32], none[1] = "";
    snprintf(own, sizeof own, "%s", name);
    snw_parameter parameter = {.name = own, .description = none, .type = SNW_PARAMETER_FLOAT};
    parameter.byte_count = sizeof value;
    parameter.data = &value;
    assert_int_equal(snw_trial_set_parameter(trial, "PROCESSING", &parameter, NULL), SNW_OK);
}

static bool has_note(const snw_notes *notes, snw_note_code code, const char *words)
{
    for (int n = 0; n < notes->count; n++)
        if (notes->note[n].code == code && strstr(notes->note[n].text, words)) return true;
    return false;
}

static void units_of_a_file_are_those_that_make_a_person(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        float stored;
        snw_subject_parameter parameter;
        double value; /* 0: not used */
        const char *words;
    } row[] = {
        {"LKneeWidth", 105, SNW_SUBJECT_KNEE_WIDTH, 0.105, NULL},
        {"LKneeWidth", 0.105F, SNW_SUBJECT_KNEE_WIDTH, 0.105, NULL},
        {"LKneeWidth", 10.5F, SNW_SUBJECT_KNEE_WIDTH, 0.105, "centimetres"},
        {"LKneeWidth", 1050, SNW_SUBJECT_KNEE_WIDTH, 0, "fits no person"},
        {"MarkerDiameter", 1.4F, SNW_SUBJECT_MARKER_DIAMETER, 0.014, "centimetres"},
        {"MarkerDiameter", 2, SNW_SUBJECT_MARKER_DIAMETER, 0.002, "millimetres"},
        {"Height", 170, SNW_SUBJECT_HEIGHT, 1.7, "centimetres"},
        {"BodyMass", 70000, SNW_SUBJECT_BODY_MASS, 0, "fits no person"},
        {"LStaticPlantFlex", 0.25F, SNW_SUBJECT_STATIC_PLANTAR_FLEXION, 0.25, NULL},
        {"LStaticPlantFlex", 12.7F, SNW_SUBJECT_STATIC_PLANTAR_FLEXION, 12.7 * SNW_PI / 180,
         "degrees"},
    };
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_trial_options options = snw_trial_options_default();
        snw_trial *trial = NULL;
        snw_subject subject;
        snw_notes notes = snw_notes_none();
        options.marker_count = options.frame_count = 1;
        memset(&subject, 0, sizeof subject);
        assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
        keep_number(trial, row[n].name, row[n].stored);
        int count = snw_subject_read(&subject, trial, SNW_SUBJECT_FROM_FILE, &notes);
        assert_int_equal(count, row[n].value > 0);
        check_near(subject.value[row[n].parameter][0], row[n].value, 1e-6);
        assert_int_equal(notes.count, row[n].words != NULL);
        if (row[n].words) assert_true(has_note(&notes, SNW_NOTE_SUBJECT_ODD, row[n].words));
        double range[2];
        snw_subject_range(row[n].parameter, range);
        if (row[n].value > 0) assert_true(range[0] <= row[n].value && row[n].value <= range[1]);
        snw_trial_destroy(trial);
    }
}

/* One angle of 12.7 says that the one of 0.9 beside it is in degrees too. */
static void degrees_are_those_of_a_whole_file(void **state)
{
    (void)state;
    snw_trial *trial = read_corpus("c3d_producers/vicon_nexus_CGM24_walk.c3d");
    static const char *const angle[] = {"LTibialTorsion", "LStaticPlantFlex", "RStaticRotOff"};
    snw_subject radians, degrees;
    memset(&radians, 0, sizeof radians);
    memset(&degrees, 0, sizeof degrees);
    snw_subject_read(&radians, trial, SNW_SUBJECT_FROM_FILE, NULL);
    keep_number(trial, angle[0], (float)snw_degrees(radians.value[SNW_SUBJECT_TIBIAL_TORSION][0]));
    keep_number(trial, angle[1],
                (float)snw_degrees(radians.value[SNW_SUBJECT_STATIC_PLANTAR_FLEXION][0]));
    keep_number(trial, angle[2], (float)snw_degrees(radians.value[SNW_SUBJECT_STATIC_ROTATION][1]));
    snw_subject_read(&degrees, trial, SNW_SUBJECT_FROM_FILE, NULL);
    check_near(degrees.value[SNW_SUBJECT_TIBIAL_TORSION][0],
               radians.value[SNW_SUBJECT_TIBIAL_TORSION][0], 1e-6);
    check_near(degrees.value[SNW_SUBJECT_STATIC_ROTATION][1],
               radians.value[SNW_SUBJECT_STATIC_ROTATION][1], 1e-6);
    snw_trial_destroy(trial);
}

static void a_given_static_wins_and_anothers_is_noticed(void **state)
{
    (void)state;
    snw_trial *walk = read_corpus("c3d_gait/pig_full_walk.c3d");
    snw_trial *still = read_corpus("c3d_gait/pig_full_static.c3d");
    snw_trial *other = read_corpus("people/pycgm_static.c3d");
    snw_gait_model with, stale;
    snw_notes notes = snw_notes_none();
    const snw_subject_parameter plantar = SNW_SUBJECT_STATIC_PLANTAR_FLEXION;
    assert_int_equal(snw_gait_model_make(walk, still, NULL, &with, &notes, NULL), SNW_OK);
    assert_false(has_note(&notes, SNW_NOTE_STATIC_DIFFERS, ""));
    keep_number(walk, "LStaticPlantFlex", 0.5F);
    assert_int_equal(snw_gait_model_make(walk, still, NULL, &stale, &notes, NULL), SNW_OK);
    assert_int_equal(stale.subject.source[plantar][0], SNW_SUBJECT_FROM_STATIC);
    check_near(stale.subject.value[plantar][0], with.subject.value[plantar][0], 1e-9);
    assert_true(has_note(&notes, SNW_NOTE_STATIC_DIFFERS, "LStaticPlantFlex"));
    notes = snw_notes_none();
    assert_int_equal(snw_gait_model_make(walk, other, NULL, &stale, &notes, NULL), SNW_OK);
    assert_true(has_note(&notes, SNW_NOTE_STATIC_OF_ANOTHER, "another person"));
    snw_trial_destroy(walk);
    snw_trial_destroy(still);
    snw_trial_destroy(other);
}

static void odd_measures_of_the_caller_are_used_and_said(void **state)
{
    (void)state;
    snw_trial *walk = read_corpus("c3d_gait/pig_full_walk.c3d");
    snw_gait_options options = snw_gait_options_default();
    snw_gait_model model;
    snw_notes notes = snw_notes_none();
    assert_int_equal(snw_subject_set(&options.subject, "LKneeWidth", 10.5, NULL), SNW_OK);
    assert_int_equal(snw_gait_model_make(walk, NULL, &options, &model, &notes, NULL), SNW_OK);
    check_near(model.subject.value[SNW_SUBJECT_KNEE_WIDTH][0], 0.0105, 1e-12);
    assert_true(has_note(&notes, SNW_NOTE_SUBJECT_ODD, "LKneeWidth 10.5 mm"));
    snw_trial_destroy(walk);
}

/* ---- what its labels contradict ----------------------------------------------------------------
 */

/* Every marker of the left where that of the right was. */
static void exchange_sides(snw_trial *trial)
{
    for (int left = 0; left < trial->marker_count; left++) {
        char name[64];
        snprintf(name, sizeof name, "R%s", trial->marker[left].name + 1);
        int right = trial->marker[left].name[0] == 'L' ? snw_trial_find_marker(trial, name) : -1;
        for (int f = 0; right >= 0 && f < trial->frame_count; f++) {
            snw_vec3 at = snw_trial_position(trial, f, left);
            snw_trial_set(trial, f, left, snw_trial_position(trial, f, right), SNW_SAMPLE_MEASURED);
            snw_trial_set(trial, f, right, at, SNW_SAMPLE_MEASURED);
        }
    }
}

static void labels_and_units_of_nobody_are_red(void **state)
{
    (void)state;
    snw_judgements *found = calloc(1, sizeof *found);
    snw_trial *walk = read_corpus("c3d_gait/pig_full_walk.c3d");
    snw_judge_labels(walk, found);
    assert_int_equal(found->count, 0);
    assert_int_equal(snw_solve_judge(walk, NULL, found, NULL), SNW_OK);
    assert_int_equal(found->verdict, SNW_VERDICT_GREEN);
    exchange_sides(walk);
    snw_judge_labels(walk, found);
    assert_int_equal(found->verdict, SNW_VERDICT_RED);
    assert_int_equal(found->item[0].code, SNW_JUDGEMENT_UNEQUAL_SIDES);
    assert_non_null(strstr(found->item[0].sentence, "the legs hang upwards"));
    snw_trial_destroy(walk);
    walk = read_corpus("c3d_body/cmu_02_01_walk.c3d"); /* no measures of its own */
    memset(found, 0, sizeof *found);
    for (int f = 0; f < walk->frame_count; f++)
        for (int m = 0; m < walk->marker_count; m++) {
            snw_vec3 at = snw_vec3_scale(snw_trial_position(walk, f, m), 1000);
            snw_trial_set(walk, f, m, at, SNW_SAMPLE_MEASURED);
        }
    snw_judge_labels(walk, found);
    assert_int_equal(found->item[0].code, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE);
    assert_int_equal(found->verdict, SNW_VERDICT_RED);
    snw_trial_destroy(walk);
    free(found);
}

/* ---- against Plug-in-Gait's own centres -------------------------------------------------------
 */

/* Greatest distance of a joint's centre from the file's point of that name, metres. */
static double worst_center(const snw_trial *trial, const snw_gait_model *model,
                           snw_gait_center joint, int side, const char *name)
{
    int point = snw_trial_find_marker(trial, name), count = 0;
    double worst = 0;
    assert_true(point >= 0);
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_gait_pose pose;
        snw_gait_model_pose(model, &frame, &pose);
        if (!pose.has_center[joint][side] || !snw_trial_is_present(trial, f, point)) continue;
        worst = fmax(worst, snw_vec3_distance(pose.center[joint][side],
                                              snw_trial_position(trial, f, point)));
        count++;
    }
    assert_true(count > 20);
    return worst;
}

/* Tolerances: floats of 1 m and parameters stored as floats give 0.001 mm. The ankle of the CGM2.4
 * file was placed with angles that its parameters hold only in part. */
static void centers_are_plug_in_gaits(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double diameter; /* millimetres; not stored in the file */
        double tolerance[3];
    } row[] = {
        {"c3d_gait/pig_full_walk.c3d", 16, {2e-6, 3e-6, 5e-6}},
        {"c3d_producers/vicon_nexus_CGM24_walk.c3d", 14, {2e-6, 3e-6, 1e-4}},
    };
    static const char *const name[3][2] = {{"LFEP", "RFEP"}, {"LFEO", "RFEO"}, {"LTIO", "RTIO"}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_trial *trial = read_corpus(row[n].file);
        snw_gait_options options = snw_gait_options_default();
        snw_gait_model model;
        snw_error error;
        snw_subject_set(&options.subject, "MarkerDiameter", row[n].diameter, &error);
        assert_int_equal(snw_gait_model_make(trial, NULL, &options, &model, NULL, &error), SNW_OK);
        for (int joint = 0; joint < 3; joint++)
            for (int side = 0; side < 2; side++)
                check_near(
                    worst_center(trial, &model, (snw_gait_center)joint, side, name[joint][side]), 0,
                    row[n].tolerance[joint]);
        snw_trial_destroy(trial);
    }
}

/* Without any parameter the hips of an estimated subject stay near: the bound is what issue and
 * docs promise, 20 mm. */
static void centers_of_an_unmeasured_subject_are_near(void **state)
{
    (void)state;
    snw_trial *trial = read_corpus("c3d_gait/pig_sample03_walk.c3d");
    snw_gait_model model;
    snw_notes notes = snw_notes_none();
    snw_error error;
    assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, &notes, &error), SNW_OK);
    assert_true(notes.count > 0);
    assert_int_equal(model.subject.source[SNW_SUBJECT_LEG_LENGTH][0], SNW_SUBJECT_ESTIMATED);
    assert_int_equal(model.subject.source[SNW_SUBJECT_KNEE_WIDTH][0], SNW_SUBJECT_ASSUMED);
    check_near(worst_center(trial, &model, SNW_GAIT_CENTER_HIP, 0, "A22:LFEP"), 0, 0.02);
    check_near(worst_center(trial, &model, SNW_GAIT_CENTER_KNEE, 1, "A22:RFEO"), 0, 0.02);
    check_near(worst_center(trial, &model, SNW_GAIT_CENTER_ANKLE, 0, "A22:LTIO"), 0, 0.02);
    snw_trial_destroy(trial);
}

/* Both files hold what Plug-in-Gait found in the static one; without those parameters the static
 * trial must give them again. */
static void static_trial_gives_plug_in_gaits_foot_offsets(void **state)
{
    (void)state;
    static const snw_subject_parameter offset[] = {SNW_SUBJECT_STATIC_PLANTAR_FLEXION,
                                                   SNW_SUBJECT_STATIC_ROTATION};
    snw_trial *still = read_corpus("c3d_gait/pig_full_static.c3d");
    snw_gait_options options = snw_gait_options_default();
    snw_subject expected;
    snw_gait_model model;
    snw_error error;
    memset(&expected, 0, sizeof expected);
    assert_true(snw_subject_read(&expected, still, SNW_SUBJECT_FROM_FILE, NULL) > 10);
    options.subject = expected;
    for (int n = 0; n < 2; n++)
        for (int side = 0; side < 2; side++)
            options.subject.source[offset[n]][side] = SNW_SUBJECT_UNKNOWN;
    snw_subject_set(&options.subject, "MarkerDiameter", 16, &error);
    for (int g = 0; g < still->group_count; g++) /* out of the reader's way */
        if (strcmp(still->group[g].name, "PROCESSING") == 0) still->group[g].name[0] = '_';
    assert_int_equal(snw_gait_model_make(still, still, &options, &model, NULL, &error), SNW_OK);
    for (int n = 0; n < 2; n++)
        for (int side = 0; side < 2; side++) {
            assert_int_equal(model.subject.source[offset[n]][side], SNW_SUBJECT_FROM_STATIC);
            /* radians; the means are over the same 94 frames */
            check_near(model.subject.value[offset[n]][side], expected.value[offset[n]][side], 1e-6);
        }
    snw_trial_destroy(still);
}

static void two_people_do_not_share_markers(void **state)
{
    (void)state;
    static const char *const name[] = {"Ann:LASI", "Ann:LKNE", "Ben:LASI", "Ben:RASI",
                                       "Ben:SACR", "Ben:LKNE", "Ben:LANK"};
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_gait_markers markers;
    snw_error error;
    options.marker_count = 7;
    options.frame_count = 1;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    for (int m = 0; m < 7; m++)
        snw_trial_set_marker_name(trial, m, name[m], &error);
    snw_gait_markers_find(trial, &markers);
    assert_int_equal(markers.at[SNW_GAIT_MARKER_ASI][SNW_SIDE_LEFT], 2);
    assert_int_equal(markers.at[SNW_GAIT_MARKER_KNE][SNW_SIDE_LEFT], 5);
    assert_true(snw_gait_markers_suffice(&markers));
    snw_trial_destroy(trial);
}

static void a_trial_without_the_markers_is_refused(void **state)
{
    (void)state;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_gait_model model;
    snw_error error;
    options.marker_count = 3;
    options.frame_count = 2;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, NULL, &error), SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "ASI"));
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chord_keeps_radius_right_angle_and_rotation),
        cmocka_unit_test(chord_refuses_what_has_no_answer),
        cmocka_unit_test(measures_of_vicons_files_are_read),
        cmocka_unit_test(hips_follow_the_printed_regressions),
        cmocka_unit_test(parameters_are_set_by_vicons_names_and_units),
        cmocka_unit_test(units_of_a_file_are_those_that_make_a_person),
        cmocka_unit_test(degrees_are_those_of_a_whole_file),
        cmocka_unit_test(a_given_static_wins_and_anothers_is_noticed),
        cmocka_unit_test(odd_measures_of_the_caller_are_used_and_said),
        cmocka_unit_test(labels_and_units_of_nobody_are_red),
        cmocka_unit_test(centers_are_plug_in_gaits),
        cmocka_unit_test(centers_of_an_unmeasured_subject_are_near),
        cmocka_unit_test(static_trial_gives_plug_in_gaits_foot_offsets),
        cmocka_unit_test(two_people_do_not_share_markers),
        cmocka_unit_test(a_trial_without_the_markers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Markers that slip on their segments are found, told and brought back; what skin, drift and noise
 * do is no slip. The capture without the slip is the oracle. */
#include <string.h>

#include "capture_truth.h"

/* From frame `from` on the marker sits elsewhere on its segment, reached within `lasts` frames. */
typedef struct slip_row {
    const char *marker;
    int from, lasts;
    double distance;
} slip_row;

static snw_vec3 slip_direction(int marker)
{
    snw_random random = snw_random_seed((uint64_t)marker + 1, 3);
    return snw_random_direction(&random);
}

static int segment_of(const truth *t, int marker)
{
    return marker * TRUTH_JOINTS / t->trial->marker_count;
}

/* The segment's pose is the true one. */
static void shift_marker(truth *t, const slip_row *row, int to)
{
    int marker = snw_trial_find_marker(t->trial, row->marker);
    snw_pose *pose = NULL;
    assert_true(marker >= 0);
    assert_int_equal(snw_pose_create(t->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = row->from; f < to; f++) {
        if (!snw_trial_is_present(t->trial, f, marker)) continue;
        snw_motion_get(t->motion, f, pose);
        snw_pose_forward(pose);
        double share = fmin((f - row->from + 1.0) / row->lasts, 1);
        snw_vec3 by = snw_vec3_scale(slip_direction(marker), share * row->distance);
        by = snw_quat_rotate(pose->world[segment_of(t, marker)].rotation, by);
        snw_trial_set(t->trial, f, marker,
                      snw_vec3_add(snw_trial_position(t->trial, f, marker), by),
                      SNW_SAMPLE_MEASURED);
    }
    snw_pose_destroy(pose);
}

static snw_slips undo_slips(snw_trial *trial, snw_notes *notes)
{
    snw_segments *segments = NULL;
    snw_slips found;
    snw_segment_options options = snw_segment_options_default();
    options.method = SNW_SEGMENTS_BY_NAMES;
    options.trusts_labels = true;
    assert_int_equal(snw_segments_find(trial, &options, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_trial_undo_slips(trial, segments, NULL, &found, notes, NULL), SNW_OK);
    snw_segments_destroy(segments);
    return found;
}

/* Rms distance of a marker from its path in another trial, over frames that show both. */
static double distance_from(const snw_trial *trial, const snw_trial *clean, int marker)
{
    double sum = 0;
    int count = 0;
    for (int f = 0; f < clean->frame_count; f++) {
        if (!snw_trial_is_present(trial, f, marker) || !snw_trial_is_present(clean, f, marker))
            continue;
        sum += pow(snw_vec3_distance(snw_trial_position(trial, f, marker),
                                     snw_trial_position(clean, f, marker)),
                   2);
        count++;
    }
    return sqrt(sum / count);
}

static void slips_are_told_and_brought_back(void **state)
{
    /* In the middle, early, late, small, large, in 80 ms, under noise and gaps; two on one segment.
     */
    static const struct {
        slip_row slip[2];
        double noise, gaps;
        int count, markers;
    } rows[] = {
        {{{"LeftLeg:4", 300, 1, 0.020}}, 0.0005, 0, 1, 4},
        {{{"RightArm:1", 80, 1, 0.010}}, 0.0005, 0, 1, 4},
        {{{"Chest:3", 530, 1, 0.040}}, 0.0005, 0, 1, 4},
        {{{"Head:4", 250, 8, 0.030}}, 0.0005, 0, 1, 4},
        {{{"LeftUpLeg:1", 300, 1, 0.030}}, 0.002, 0.1, 1, 4},
        {{{"RightLeg:2", 200, 1, 0.020}, {"RightForeArm:1", 350, 1, 0.025}}, 0.0005, 0, 2, 4},
        {{{"Chest:2", 200, 1, 0.020}, {"Chest:4", 400, 1, 0.030}}, 0.0005, 0, 2, 6},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        truth_options options = truth_options_default();
        options.frame_count = 600;
        options.noise = rows[n].noise;
        options.gap_share = rows[n].gaps;
        options.markers_per_segment = rows[n].markers;
        truth clean = truth_make(&options), t = truth_make(&options);
        for (int k = 0; k < rows[n].count; k++) {
            slip_row always = {rows[n].slip[k].marker, 0, 1, rows[n].slip[k].distance};
            shift_marker(&t, rows[n].slip + k, 600);
            /* The place that it had for longest is the one that counts. */
            if (rows[n].slip[k].from < 300) shift_marker(&clean, &always, 600);
        }
        snw_notes notes = snw_notes_none();
        snw_slips found = undo_slips(t.trial, &notes);
        if (found.count != rows[n].count) fail_msg("row %zu: %d slips", n, found.count);
        assert_int_equal(notes.count, found.count);
        for (int k = 0; k < rows[n].count; k++) {
            const slip_row *slip = rows[n].slip + k;
            int marker = snw_trial_find_marker(t.trial, slip->marker);
            int at = found.item[0].marker == marker ? 0 : found.count - 1;
            assert_int_equal(found.item[at].marker, marker);
            if (found.item[at].is_left_out) fail_msg("row %zu: %s is left out", n, slip->marker);
            /* The frame to how long it took, and to gaps; noise of a mean of hundreds of samples.
             */
            if (abs(found.item[at].frame - slip->from) > slip->lasts + (rows[n].gaps > 0 ? 70 : 1))
                fail_msg("row %zu: frame %d", n, found.item[at].frame);
            check_near(found.item[at].distance, slip->distance, 0.001);
            assert_int_equal(notes.note[at].code, SNW_NOTE_MARKER_SLIPPED);
            assert_int_equal(notes.note[at].frame, found.item[at].frame);
            assert_non_null(strstr(notes.note[at].text, slip->marker));
            /* Eight frames of a slip of 30 mm are off by half of it, of 600: 1.7 mm. Of two on one
             * segment the shape that shows the first slip is bent by the second. */
            double off = distance_from(t.trial, clean.trial, marker);
            if (!(off < (rows[n].markers > 4 ? 0.004 : 0.002)))
                fail_msg("row %zu: %s is %.2f mm off", n, slip->marker, 1000 * off);
        }
        truth_free(&clean);
        truth_free(&t);
    }
}

static void a_marker_that_slips_and_comes_back_has_one_place(void **state)
{
    static const slip_row slip = {"LeftUpLeg:2", 200, 1, 0.025};
    truth_options options = truth_options_default();
    options.frame_count = 600;
    truth clean = truth_make(&options), t = truth_make(&options);
    (void)state;
    shift_marker(&t, &slip, 330);
    snw_slips found = undo_slips(t.trial, NULL);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.item[0].frame, 200);
    assert_int_equal(found.item[1].frame, 330);
    int marker = snw_trial_find_marker(t.trial, slip.marker);
    assert_true(distance_from(t.trial, clean.trial, marker) < 0.001);
    /* What was measured at the place that is kept stays as it is. */
    for (int f = 0; f < 600; f++)
        if (f < 200 || f >= 330)
            assert_memory_equal(t.trial->sample + (size_t)f * 44,
                                clean.trial->sample + (size_t)f * 44, 44 * sizeof(snw_sample));
    truth_free(&clean);
    truth_free(&t);
}

/* Of two other markers the turn about their line is not known. */
static void of_three_markers_one_that_slips_is_left_out(void **state)
{
    static const slip_row slip = {"LeftLeg:2", 400, 1, 0.030};
    truth_options options = truth_options_default();
    options.frame_count = 600;
    options.markers_per_segment = 3;
    truth t = truth_make(&options);
    (void)state;
    shift_marker(&t, &slip, 600);
    snw_slips found = undo_slips(t.trial, NULL);
    int marker = snw_trial_find_marker(t.trial, slip.marker);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.item[0].marker, marker);
    assert_true(found.item[0].is_left_out);
    assert_true(found.item[0].distance > 0.008 && found.item[0].distance < 0.031);
    for (int f = 0; f < 600; f++)
        assert_int_equal(snw_trial_is_present(t.trial, f, marker), f < 400);
    truth_free(&t);
}

static void drift_skin_and_noise_are_no_slips(void **state)
{
    /* Three seconds for 30 mm; a marker that goes to and fro with a period of two; wild noise. */
    static const slip_row drift = {"RightUpLeg:3", 150, 300, 0.030};
    truth_options options = truth_options_default();
    (void)state;
    options.frame_count = 600;
    for (int kind = 0; kind < 4; kind++) {
        options.noise = kind == 3 ? 0.004 : 0.0005;
        options.gap_share = kind == 3 ? 0.2 : 0;
        truth t = truth_make(&options);
        if (kind == 1) shift_marker(&t, &drift, 600);
        for (int f = 0; f < 600 && kind == 2; f++) {
            slip_row slide = {"LeftLeg:1", f, 1, 0.020 * sin(0.0314 * f)};
            shift_marker(&t, &slide, f + 1);
        }
        snw_trial *before = NULL;
        assert_int_equal(snw_trial_copy(t.trial, NULL, &before, NULL), SNW_OK);
        snw_slips found = undo_slips(t.trial, NULL);
        if (found.count) fail_msg("kind %d: %d slips", kind, found.count);
        assert_memory_equal(t.trial->sample, before->sample, 600 * 44 * sizeof(snw_sample));
        snw_trial_destroy(before);
        truth_free(&t);
    }
}

/* Rms distance of the solved joints from the true ones, metres. */
static double joint_error(const truth *t)
{
    snw_actor *actor = truth_actor(t->trial);
    snw_motion *motion = NULL;
    snw_pose *pose = NULL;
    double sum = 0;
    int count = 0;
    assert_int_equal(snw_actor_solve(actor, t->trial, NULL, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < t->trial->frame_count; f += 5) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 1; j < TRUTH_JOINTS; j++) {
            int joint = snw_skeleton_find_joint(actor->skeleton, truth_rows[j].name);
            assert_true(joint >= 0);
            sum += pow(
                snw_vec3_distance(pose->world[joint].translation, t->joint[f * TRUTH_JOINTS + j]),
                2);
            count++;
        }
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    return sqrt(sum / count);
}

static void a_calibration_is_as_good_as_without_slips(void **state)
{
    static const slip_row slips[] = {{"LeftLeg:2", 300, 1, 0.030},
                                     {"RightArm:1", 200, 1, 0.040},
                                     {"LeftUpLeg:4", 350, 1, 0.020}};
    truth_options options = truth_options_default();
    (void)state;
    options.frame_count = 600;
    options.has_hinges = false; /* along a hinge's axis the centre is free */
    truth t = truth_make(&options);
    double clean = joint_error(&t);
    for (int k = 0; k < 3; k++)
        shift_marker(&t, slips + k, 600);
    double slipped = joint_error(&t);
    assert_int_equal(undo_slips(t.trial, NULL).count, 3);
    double undone = joint_error(&t);
    print_message("joints: %.2f mm, with slips %.2f, undone %.2f\n", 1000 * clean, 1000 * slipped,
                  1000 * undone);
    assert_true(undone < 1.2 * clean);
    assert_true(slipped > 1.5 * undone);
    truth_free(&t);
}

static void segments_of_another_trial_are_refused(void **state)
{
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    const int segment_of_three[] = {0, 0, 0};
    snw_segments *segments = NULL;
    snw_error error;
    (void)state;
    assert_int_equal(snw_segments_create(segment_of_three, 3, NULL, NULL, &segments, NULL), SNW_OK);
    assert_int_equal(snw_trial_undo_slips(t.trial, segments, NULL, NULL, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "of 3 markers"));
    snw_segments_destroy(segments);
    truth_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_told_and_brought_back),
        cmocka_unit_test(a_marker_that_slips_and_comes_back_has_one_place),
        cmocka_unit_test(of_three_markers_one_that_slips_is_left_out),
        cmocka_unit_test(drift_skin_and_noise_are_no_slips),
        cmocka_unit_test(a_calibration_is_as_good_as_without_slips),
        cmocka_unit_test(segments_of_another_trial_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

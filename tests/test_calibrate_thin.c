/* Two markers on every segment: no segment has a rotation of its own, but the whole body has. */
#include "joint_errors.h"

/* Every joint is turned through its range, markers sit anywhere on rigid segments. */
static snw_synth_options thin_options(int markers_per_segment)
{
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_RANGE;
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = markers_per_segment;
    options.wobble = 0;
    options.rate = 50;
    return options;
}

static void two_markers_on_every_segment_are_enough_where_names_tell_the_tree(void **state)
{
    (void)state;
    snw_synth_options options = thin_options(2);
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_solve_report report;
    snw_tracker_options tracker = snw_tracker_options_default();
    tracker.report = &report;
    snw_error error;
    double error_of[64];
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, &error), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, &error), SNW_OK);
    if (snw_segments_find(synth->capture, NULL, NULL, &segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(synth->capture, segments, NULL, NULL, &actor, &error) != SNW_OK ||
        snw_actor_solve(actor, synth->capture, &tracker, NULL, &motion, &error) != SNW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(actor->marker_count, synth->marker_count);
    assert_int_equal(report.lost_count, 0);
    /* three times the noise of 0.3 mm a coordinate: the body follows the markers */
    assert_true(report.residual < 0.0015);
    int count = measure_errors(actor, motion, synth->joint_truth, error_of), near = 0;
    for (int n = 0; n < count; n++) {
        near += error_of[n] < 0.02;
        /* nothing is called certain that is far off; along an axis no place is claimed */
        const snw_joint_estimate *told = actor->estimate + n + 1;
        if (!told->is_uncertain && !told->is_place_free && !(error_of[n] < 0.02))
            fail_msg("%s is %.1f mm off: %s", actor->skeleton->name[n + 1], 1000 * error_of[n],
                     told->verdict);
    }
    /* nobody can tell the place along an axis; half of the joints turn about more than one */
    assert_true(2 * near > count);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

/* Without names nobody knows which segments are neighbours: a sentence, no actor. */
static void two_markers_without_names_are_refused(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = 2;
    options.seconds = 2;
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_actor *actor = NULL;
    snw_segments *segments = NULL;
    snw_error error;
    int segment_of[64];
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, &error), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, &error), SNW_OK);
    for (int m = 0; m < synth->marker_count; m++)
        segment_of[m] = m / 2;
    assert_int_equal(
        snw_segments_create(segment_of, synth->marker_count, NULL, NULL, &segments, &error),
        SNW_OK);
    assert_int_equal(snw_actor_calibrate(synth->capture, segments, NULL, NULL, &actor, &error),
                     SNW_DEGENERATE);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

/* Knight's N + 2 markers of N segments: pelvis and chest are whole, each segment of a limb has one.
 */
static const struct {
    const char *segment, *part;
    int markers;
} thin_parts[] = {
    {"pelvis", "Hips", 3},
    {"chest", "Chest", 3},
    {"left_hip", "LeftUpLeg", 1},
    {"left_knee", "LeftLeg", 1},
    {"left_ankle", "LeftFoot", 1},
    {"right_hip", "RightUpLeg", 1},
    {"right_knee", "RightLeg", 1},
    {"right_ankle", "RightFoot", 1},
    {"left_shoulder", "LeftArm", 1},
    {"left_elbow", "LeftForeArm", 1},
    {"right_shoulder", "RightArm", 1},
    {"right_elbow", "RightForeArm", 1},
};
enum {
    THIN_PARTS = sizeof thin_parts / sizeof *thin_parts,
    THIN_MARKERS = 16
};

/* The synthetic marker "left_knee_2"; -1: there is none. */
static int synthetic_marker(const snw_trial *trial, const char *segment, int number)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%d", segment, number);
    return snw_trial_find_marker(trial, name);
}

static snw_trial *make_thin(const snw_trial *whole)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *thin = NULL;
    int count = 0;
    options.marker_count = THIN_MARKERS;
    options.frame_count = whole->frame_count;
    options.rate = whole->rate;
    assert_int_equal(snw_trial_create(&options, NULL, &thin, NULL), SNW_OK);
    for (int p = 0; p < THIN_PARTS; p++)
        for (int n = 1; n <= thin_parts[p].markers; n++, count++) {
            char name[64];
            int from = synthetic_marker(whole, thin_parts[p].segment, n);
            assert_true(from >= 0);
            snprintf(name, sizeof name, "%s:%d", thin_parts[p].part, n);
            assert_int_equal(snw_trial_set_marker_name(thin, count, name, NULL), SNW_OK);
            for (int f = 0; f < whole->frame_count; f++)
                snw_trial_set(thin, f, count, snw_trial_position(whole, f, from),
                              SNW_SAMPLE_MEASURED);
        }
    assert_int_equal(count, THIN_MARKERS);
    return thin;
}

/* Names of parts are believed of one marker each: first joints are found, and what the turn of a
 * bone with one marker leaves open at its end is stated. */
static void one_marker_on_each_limb_segment_states_what_is_open(void **state)
{
    (void)state;
    snw_synth_options options = thin_options(3);
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_error error;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, &error), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, &error), SNW_OK);
    snw_trial *thin = make_thin(synth->capture);
    if (snw_segments_find(thin, NULL, NULL, &segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(thin, segments, NULL, NULL, &actor, &error) != SNW_OK ||
        snw_actor_solve(actor, thin, NULL, NULL, &motion, &error) != SNW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(segments->segment_count, THIN_PARTS);
    for (int p = 2; p < THIN_PARTS; p++) {
        int joint = snw_skeleton_find_joint(actor->skeleton, thin_parts[p].part);
        int true_joint = snw_trial_find_marker(synth->joint_truth, thin_parts[p].segment);
        assert_true(joint > 0 && true_joint >= 0);
        double off = joint_error(actor->skeleton, motion, joint, synth->joint_truth, true_joint);
        const snw_joint_estimate *told = actor->estimate + joint;
        bool is_first = strstr(thin_parts[p].part, "UpLeg") || strstr(thin_parts[p].part, "tArm");
        if (!told->is_uncertain || !(off < 2 * told->uncertainty) || (is_first && !(off < 0.06)))
            fail_msg("%s is %.1f mm off: %s", thin_parts[p].part, 1000 * off, told->verdict);
    }
    snw_trial_destroy(thin);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_markers_on_every_segment_are_enough_where_names_tell_the_tree),
        cmocka_unit_test(two_markers_without_names_are_refused),
        cmocka_unit_test(one_marker_on_each_limb_segment_states_what_is_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Two markers on every segment: no segment has a rotation of its own, but the whole body has. */
#include "joint_errors.h"

static void two_markers_on_every_segment_are_enough_where_names_tell_the_tree(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_RANGE;
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = 2;
    options.wobble = 0;
    options.rate = 50;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_markers_on_every_segment_are_enough_where_names_tell_the_tree),
        cmocka_unit_test(two_markers_without_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

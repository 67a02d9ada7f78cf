/* Markers against the solved motion, on a body of two bones whose markers are placed by hand. */
#include "check.h"

#define FRAMES 20

/* Metres: how far marker 1 is moved off the body in every frame, marker 2 in frame 7 only. */
#define OFFSET 0.004
#define JUMP   0.030

/* A body of two joints with three markers, its motion, and the capture of it. */
typedef struct scene {
    snw_skeleton *skeleton;
    snw_motion *motion;
    snw_trial *trial;
    snw_actor_marker marker[3];
} scene;

/* Skeleton and markers of the scene, for as long as it is there. */
static snw_actor actor_of(scene *s)
{
    snw_actor actor;
    memset(&actor, 0, sizeof actor);
    actor.skeleton = s->skeleton;
    actor.marker_count = 3;
    actor.marker = s->marker;
    return actor;
}

static void place_markers(scene *s)
{
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(s->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int k = 0; k < FRAMES; k++) {
        for (int j = 0; j < 2; j++)
            pose->rotation[j] = snw_quat_exp(snw_vec3_make(0.1 * k, 0.05 * j * k, 0.3));
        pose->root.translation = snw_vec3_make(0.01 * k, 1, -0.02 * k);
        snw_motion_set(s->motion, k, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < 3; m++) {
            snw_vec3 at = snw_pose_point(pose, s->marker[m].joint, s->marker[m].offset);
            if (m == 1) at.y += OFFSET;
            if (m == 2 && k == 7) at.x -= JUMP;
            /* The trial's order is not the actor's: 3 names nobody on the body. */
            snw_trial_set(s->trial, k, 2 - m, at, SNW_SAMPLE_MEASURED);
        }
        snw_trial_set(s->trial, k, 3, snw_vec3_make(5, 5, 5), SNW_SAMPLE_MEASURED);
    }
    snw_pose_destroy(pose);
}

static scene make_scene(void)
{
    scene s;
    memset(&s, 0, sizeof s);
    snw_error error;
    assert_int_equal(snw_preset_chain(2, 0.5, NULL, &s.skeleton, &error), SNW_OK);
    assert_int_equal(snw_motion_create(s.skeleton, FRAMES, 100, NULL, &s.motion, &error), SNW_OK);
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 4;
    options.frame_count = FRAMES;
    assert_int_equal(snw_trial_create(&options, NULL, &s.trial, &error), SNW_OK);
    for (int m = 0; m < 3; m++) {
        static const char *const names[] = {"m0", "m1", "m2"};
        s.marker[m].name = names[m];
        s.marker[m].joint = m > 0;
        s.marker[m].offset = snw_vec3_make(0.1, 0.05 * m, -0.02);
        assert_int_equal(snw_trial_set_marker_name(s.trial, 2 - m, s.marker[m].name, &error),
                         SNW_OK);
    }
    place_markers(&s);
    return s;
}

static snw_residuals *measure(scene *s)
{
    snw_actor actor = actor_of(s);
    snw_residuals *residuals = NULL;
    snw_error error;
    if (snw_actor_residuals(&actor, s->trial, s->motion, NULL, &residuals, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return residuals;
}

static void free_scene(scene *s)
{
    snw_trial_destroy(s->trial);
    snw_motion_destroy(s->motion);
    snw_skeleton_destroy(s->skeleton);
}

/* Samples are floats in millimetres near 1000: 6e-5 mm of rounding each way. */
#define ROUNDING 2e-7

static void each_marker_has_the_distance_it_was_moved_by(void **state)
{
    (void)state;
    scene s = make_scene();
    snw_residuals *r = measure(&s);
    assert_int_equal(r->frame_count, FRAMES);
    assert_int_equal(r->marker[3].joint, -1);
    assert_int_equal(r->marker[3].seen_count, 0);
    assert_int_equal(r->marker[2].joint, 0);
    check_near(r->marker[2].rms, 0, ROUNDING);
    check_near(r->marker[1].rms, OFFSET, ROUNDING);
    check_near(r->marker[0].rms, JUMP / sqrt(FRAMES), ROUNDING);
    check_near(r->marker[0].worst, JUMP, ROUNDING);
    assert_int_equal(r->marker[0].worst_frame, 7);
    check_near(r->distance[7 * 4 + 0], JUMP, ROUNDING);
    assert_true(isnan(r->distance[7 * 4 + 3]));
    check_near(r->frame_rms[7], sqrt((JUMP * JUMP + OFFSET * OFFSET) / 3), ROUNDING);
    check_near(r->frame_rms[8], OFFSET / sqrt(3), ROUNDING);
    check_near(r->rms, sqrt((JUMP * JUMP / FRAMES + OFFSET * OFFSET) / 3), ROUNDING);
    snw_residuals_destroy(r);
    free_scene(&s);
}

static void missing_samples_do_not_count(void **state)
{
    (void)state;
    scene s = make_scene();
    for (int m = 0; m < 3; m++)
        snw_trial_set(s.trial, 5, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    snw_trial_set(s.trial, 7, 0, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    snw_residuals *r = measure(&s);
    assert_true(isnan(r->frame_rms[5]));
    assert_int_equal(r->marker[0].seen_count, FRAMES - 2);
    assert_int_equal(r->marker[1].seen_count, FRAMES - 2); /* two markers make no pose */
    assert_true(isnan(r->frame_rms[7]));
    check_near(r->marker[0].rms, 0, ROUNDING);
    check_near(r->marker[1].rms, OFFSET, ROUNDING);
    assert_true(isnan(r->distance[7 * 4 + 0]));
    snw_residuals_destroy(r);
    free_scene(&s);
}

static void a_motion_of_another_body_is_refused(void **state)
{
    (void)state;
    scene s = make_scene();
    snw_actor actor = actor_of(&s);
    snw_skeleton *other = NULL;
    snw_motion *motion = NULL;
    snw_residuals *r = NULL;
    snw_error error;
    assert_int_equal(snw_preset_chain(5, 0.5, NULL, &other, &error), SNW_OK);
    assert_int_equal(snw_motion_create(other, FRAMES, 100, NULL, &motion, &error), SNW_OK);
    assert_int_equal(snw_actor_residuals(&actor, s.trial, motion, NULL, &r, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "5 joints"));
    assert_null(r);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(other);
    free_scene(&s);
}

static void every_failed_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    scene s = make_scene();
    snw_actor actor = actor_of(&s);
    int n = 0;
    for (snw_status status = SNW_OUT_OF_MEMORY; status != SNW_OK; n++) {
        counting_allocator counter = {.fail_at = n};
        snw_allocator hook = counting_hook(&counter);
        snw_residuals *r = NULL;
        snw_error error;
        status = snw_actor_residuals(&actor, s.trial, s.motion, &hook, &r, &error);
        if (status != SNW_OK) {
            assert_int_equal(status, SNW_OUT_OF_MEMORY);
            assert_null(r);
        }
        snw_residuals_destroy(r);
        assert_int_equal(counter.live, 0);
        assert_true(n < 20);
    }
    assert_true(n > 3);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_marker_has_the_distance_it_was_moved_by),
        cmocka_unit_test(missing_samples_do_not_count),
        cmocka_unit_test(a_motion_of_another_body_is_refused),
        cmocka_unit_test(every_failed_allocation_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

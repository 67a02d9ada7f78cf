/* What virtual cameras see and hide, against closed forms, sampling and the definition. */
#include "studio.h"

/* ---- what cameras see --------------------------------------------------------------------- */

static void distances_between_segments_are_those_of_closed_form(void **state)
{
    (void)state;
    static const struct {
        double p[4][3];
        double distance;
    } cases[] = {
        {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}}, 2},   /* crossing above */
        {{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 3, 0}}, 1},    /* end over middle */
        {{{0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {4, 5, 0}}, 5},     /* end to end, 3-4-5 */
        {{{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {3, 1, 0}}, 1},     /* parallel, overlapping */
        {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, 1},     /* in line */
        {{{0, 0, 0}, {0, 0, 0}, {0, 3, 4}, {0, 3, 4}}, 5},     /* points */
        {{{0, 0, 0}, {0, 0, 0}, {-1, 2, 0}, {1, 2, 0}}, 2},    /* point and segment */
        {{{-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}}, 0}, /* meeting */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snw_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = snw_vec3_make(cases[i].p[k][0], cases[i].p[k][1], cases[i].p[k][2]);
        check_near(snw_segment_distance(p[0], p[1], p[2], p[3]), cases[i].distance, 1e-15);
        check_near(snw_segment_distance(p[3], p[2], p[1], p[0]), cases[i].distance, 1e-15);
    }
}

/* Sampling both segments can only find a larger distance, by half a step of each at most. */
static void distances_between_random_segments_agree_with_sampling(void **state)
{
    (void)state;
    enum {
        STEPS = 60
    };
    snw_random random = snw_random_seed(11, 1);
    for (int n = 0; n < CHECK_SAMPLES(400); n++) {
        snw_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = random_away(&random, 0, 2);
        double sampled = 1e9;
        for (int s = 0; s <= STEPS; s++)
            for (int t = 0; t <= STEPS; t++)
                sampled =
                    fmin(sampled, snw_vec3_distance(snw_vec3_lerp(p[0], p[1], (double)s / STEPS),
                                                    snw_vec3_lerp(p[2], p[3], (double)t / STEPS)));
        double found = snw_segment_distance(p[0], p[1], p[2], p[3]);
        assert_true(found <= sampled + 1e-12);
        assert_true(found >= sampled - 4.0 / STEPS);
    }
}

static void a_capsule_hides_what_is_behind_it_and_only_that(void **state)
{
    (void)state;
    const snw_capsule segment = {{0, -1, 0}, {0, 1, 0}, 0.1};
    const snw_vec3 camera = {-3, 0, 0};
    static const struct {
        snw_vec3 marker;
        bool is_hidden;
    } cases[] = {
        {{1, 0, 0}, true},      /* behind */
        {{-0.11, 0, 0}, false}, /* on the near skin */
        {{0.11, 0, 0}, true},   /* on the far skin */
        {{-1, 0, 0}, false},    /* in front */
        {{0, 0, 0.2}, false},   /* beside */
        {{1, 0, 0.2}, false},   /* passes at 0.15 */
        {{1, 0, 0.12}, true},   /* passes at 0.09 */
        {{1, 1.49, 0}, false},  /* over the round end: passes at more than 0.1 */
        {{1, 1.40, 0}, true},   /* through the round end */
        {{0.05, 0, 0}, false},  /* inside: skin gives way */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(snw_capsule_hides(&segment, camera, cases[i].marker), cases[i].is_hidden);
}

static void a_camera_covers_its_square_image(void **state)
{
    (void)state;
    snw_synth_camera camera = {snw_xform_identity(), SNW_PI / 2}; /* edges at 45 degrees */
    assert_true(snw_synth_camera_covers(&camera, snw_vec3_make(0, 0, 2)));
    assert_true(snw_synth_camera_covers(&camera, snw_vec3_make(1.99, -1.99, 2)));
    assert_false(snw_synth_camera_covers(&camera, snw_vec3_make(2.01, 0, 2)));
    assert_false(snw_synth_camera_covers(&camera, snw_vec3_make(0, -2.01, 2)));
    assert_false(snw_synth_camera_covers(&camera, snw_vec3_make(0, 0, -2)));
}

/* The definition again, straight from segments, cameras and truth. A segment is no thicker at its
 * own markers than they allow, 0.005 of the body's size below them. */
static uint64_t seen_by_definition(const snw_synth *synth, const snw_pose *pose, snw_vec3 point,
                                   int joint)
{
    uint64_t seen = 0;
    for (int c = 0; c < synth->camera_count; c++) {
        snw_vec3 from = synth->camera[c].world_from_camera.translation;
        bool is_seen = snw_synth_camera_covers(&synth->camera[c], point);
        for (int i = 0; i < synth->segment_count; i++) {
            snw_capsule segment = synth->segment[i].capsule;
            segment.a = snw_pose_point(pose, synth->segment[i].joint, segment.a);
            segment.b = snw_pose_point(pose, synth->segment[i].joint, segment.b);
            if (synth->segment[i].joint == joint)
                segment.radius =
                    fmin(segment.radius, snw_segment_distance(point, point, segment.a, segment.b) -
                                             0.005 * pose->skeleton->size);
            if (snw_capsule_hides(&segment, from, point)) is_seen = false;
        }
        if (is_seen) seen |= UINT64_C(1) << c;
    }
    return seen;
}

static int bits_of(uint64_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void two_cameras_measure_one_gives_a_ray_none_leaves_nothing(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.motion = SNW_SYNTH_BOXING;
    options.camera_count = 2;
    studio set = shoot("humanoid", &options);
    const snw_synth *synth = set.synth;
    snw_pose *pose = NULL;
    int ray = 0, kinds[3] = {0, 0, 0}, differing = 0;
    assert_int_equal(snw_pose_create(set.body, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < synth->capture->frame_count; f++) {
        snw_motion_get(synth->motion, f, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < synth->marker_count; m++) {
            uint64_t seen = synth->seen[(size_t)f * (size_t)synth->marker_count + (size_t)m];
            snw_vec3 truth = snw_trial_position(synth->marker_truth, f, m);
            differing += seen != seen_by_definition(synth, pose, truth, synth->marker[m].joint);
            int cameras = bits_of(seen);
            kinds[cameras > 2 ? 2 : cameras]++;
            assert_int_equal(snw_trial_is_present(synth->capture, f, m), cameras >= 2);
            if (cameras != 1) continue;
            const snw_synth_ray *found = &synth->ray[ray++];
            assert_int_equal(found->frame, f);
            assert_int_equal(found->marker, m);
            assert_true(seen >> found->camera & 1);
            check_vec3_near(found->origin,
                            synth->camera[found->camera].world_from_camera.translation, 0);
            check_near(snw_vec3_length(found->direction), 1, 1e-15);
            snw_vec3 way = snw_vec3_sub(truth, found->origin);
            double off = snw_vec3_length(snw_vec3_cross(way, found->direction));
            assert_true(off < 6 * options.noise); /* two deviations that are Gaussian */
        }
    }
    assert_int_equal(ray, synth->ray_count);
    assert_true(differing <= 2); /* truth was rounded to float: only grazing rays may change */
    for (int k = 0; k < 3; k++)
        assert_true(kinds[k] > 20); /* or the test has seen nothing */
    snw_pose_destroy(pose);
    leave(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_between_segments_are_those_of_closed_form),
        cmocka_unit_test(distances_between_random_segments_agree_with_sampling),
        cmocka_unit_test(a_capsule_hides_what_is_behind_it_and_only_that),
        cmocka_unit_test(a_camera_covers_its_square_image),
        cmocka_unit_test(two_cameras_measure_one_gives_a_ray_none_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

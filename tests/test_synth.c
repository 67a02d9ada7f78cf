/* Captures with known truth: consistent with the motion, noisy as asked, the same for the same
 * seed. */
#include "studio.h"

/* ---- truth -------------------------------------------------------------------------------- */

static void joint_truth_is_forward_kinematics_of_the_motion(void **state)
{
    (void)state;
    static const snw_up_axis ups[] = {SNW_UP_Y, SNW_UP_Z};
    for (int u = 0; u < 2; u++) {
        snw_synth_options options = quick_options();
        options.up = ups[u];
        studio set = shoot("humanoid", &options);
        snw_pose *pose = NULL;
        assert_int_equal(snw_pose_create(set.body, NULL, &pose, NULL), SNW_OK);
        assert_int_equal(set.synth->joint_truth->up, ups[u]);
        for (int f = 0; f < set.synth->motion->frame_count; f++) {
            snw_motion_get(set.synth->motion, f, pose);
            snw_pose_forward(pose);
            for (int j = 0; j < set.body->joint_count; j++)
                check_vec3_near(snw_trial_position(set.synth->joint_truth, f, j),
                                pose->world[j].translation, 2 * FLOAT_MM);
        }
        assert_string_equal(set.synth->joint_truth->marker[3].name, set.body->name[3]);
        snw_pose_destroy(pose);
        leave(&set);
    }
}

static void markers_without_wobble_are_rigid_on_their_bones(void **state)
{
    (void)state;
    for (int placement = 0; placement < 2; placement++) {
        snw_synth_options options = quick_options();
        options.motion = SNW_SYNTH_DANCE;
        options.placement = (snw_synth_placement)placement;
        options.wobble = 0;
        studio set = shoot("humanoid", &options);
        const snw_synth *synth = set.synth;
        const snw_trial *truth = synth->marker_truth;
        for (int a = 0; a < synth->marker_count; a++) {
            for (int b = 0; b < a; b++) {
                if (synth->marker[a].joint != synth->marker[b].joint) continue;
                double built = snw_vec3_distance(synth->marker[a].place, synth->marker[b].place);
                for (int f = 0; f < truth->frame_count; f += 7)
                    check_near(snw_vec3_distance(snw_trial_position(truth, f, a),
                                                 snw_trial_position(truth, f, b)),
                               built, 4 * FLOAT_MM);
            }
        }
        leave(&set);
    }
}

/* Turning the lab must not change the capture but for its axes: x to y, y to z, z to x. */
static void the_lab_may_have_its_up_along_z(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.camera_count = 5;
    options.noise = 0; /* noise is drawn in the lab's axes */
    studio y_up = shoot("humanoid", &options);
    options.up = SNW_UP_Z;
    studio z_up = shoot("humanoid", &options);
    double highest = 0;
    for (int f = 0; f < y_up.synth->capture->frame_count; f += 5) {
        for (int m = 0; m < y_up.synth->marker_count; m++) {
            assert_int_equal(snw_trial_is_present(y_up.synth->capture, f, m),
                             snw_trial_is_present(z_up.synth->capture, f, m));
            if (!snw_trial_is_present(y_up.synth->capture, f, m)) continue;
            snw_vec3 p = snw_trial_position(y_up.synth->capture, f, m);
            snw_vec3 q = snw_trial_position(z_up.synth->capture, f, m);
            check_vec3_near(q, snw_vec3_make(p.z, p.x, p.y), 4 * FLOAT_MM);
            highest = fmax(highest, q.z);
        }
    }
    check_near(highest, 1.7, 0.15); /* a head of 1.75 m with markers around it */
    leave(&y_up);
    leave(&z_up);
}

static void landmarks_have_names_sides_and_skin(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    studio set = shoot("humanoid", &options);
    const snw_synth *synth = set.synth;
    assert_int_equal(synth->marker_count, 41);
    static const char *const names[] = {"LFHD", "RFHD", "C7",   "T10",  "CLAV", "STRN", "RBAK",
                                        "LSHO", "RELB", "LWRA", "LASI", "RPSI", "LTHI", "RKNE",
                                        "LTIB", "RANK", "LHEE", "RTOE", "LMT5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_true(snw_trial_find_marker(synth->capture, names[i]) >= 0);
    for (int m = 0; m < synth->marker_count; m++)
        assert_int_equal(snw_trial_find_marker(synth->capture, synth->marker[m].name), m);
    static const char *const fleshy[] = {"LFHD", "RUPA", "LFRM", "RFIN", "LTHI", "RTIB", "LMT5"};
    for (size_t n = 0; n < sizeof fleshy / sizeof *fleshy; n++) { /* outside of its own segment */
        const snw_synth_marker *marker =
            synth->marker + snw_trial_find_marker(synth->capture, fleshy[n]);
        for (int i = 0; i < synth->segment_count; i++)
            if (synth->segment[i].joint == marker->joint)
                assert_true(snw_segment_distance(
                                marker->place, marker->place, synth->segment[i].capsule.a,
                                synth->segment[i].capsule.b) > synth->segment[i].capsule.radius);
    }
    leave(&set);
    options.motion = SNW_SYNTH_GESTURES;
    set = shoot("hand25", &options);
    assert_int_equal(set.synth->marker_count, 23);
    assert_true(snw_trial_find_marker(set.synth->capture, "THUMB_TIP") >= 0);
    leave(&set);
}

/* Breadths over the bones of a person of 1.75 m, after Ross & Wilson (1974): 98, 67 and 69 mm; half
 * of them and a marker's radius of 7 mm, give or take four deviations of the hand that places it.
 */
static void bony_landmarks_lie_half_a_joint_from_its_center(void **state)
{
    (void)state;
    static const struct {
        const char *marker, *center;
        double away;
    } rows[] = {{"LKNE", "left_knee", 0.056},   {"RKNE", "right_knee", 0.056},
                {"LELB", "left_elbow", 0.040},  {"RELB", "right_elbow", 0.040},
                {"LANK", "left_ankle", 0.0415}, {"RANK", "right_ankle", 0.0415}};
    snw_synth_options options = quick_options();
    snw_vec3 first = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        options.seed = seed;
        studio set = shoot("humanoid", &options);
        for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
            int joint = snw_skeleton_find_joint(set.body, rows[n].center);
            const snw_synth_marker *marker =
                set.synth->marker + snw_trial_find_marker(set.synth->capture, rows[n].marker);
            assert_int_equal(marker->joint, set.body->parent[joint]);
            check_near(snw_vec3_distance(marker->place, set.body->rest[joint].translation),
                       rows[n].away, 4 * 0.00525);
        }
        /* Another seed, another hand. */
        snw_vec3 knee = set.synth->marker[snw_trial_find_marker(set.synth->capture, "LKNE")].place;
        assert_true(snw_vec3_distance(knee, first) > 1e-4);
        first = knee;
        leave(&set);
    }
}

/* ---- wobble and noise --------------------------------------------------------------------- */

static void wobble_has_the_size_that_was_asked_for(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.motion = SNW_SYNTH_RANGE;
    options.placement = SNW_SYNTH_RANDOM;
    options.seconds = 60;
    options.rate = 10;
    options.wobble = 0;
    studio still = shoot("humanoid", &options);
    options.wobble = 0.004;
    studio soft = shoot("humanoid", &options);
    double sum = 0, count = 0;
    for (int f = 0; f < 600; f++) {
        for (int m = 0; m < soft.synth->marker_count; m++, count++) {
            double way = snw_vec3_distance(snw_trial_position(soft.synth->marker_truth, f, m),
                                           snw_trial_position(still.synth->marker_truth, f, m));
            sum += way * way;
        }
    }
    /* 92 markers with three random waves each over many periods: a few per cent. */
    check_near(sqrt(sum / count), 0.004, 0.0003);
    leave(&still);
    leave(&soft);
}

static void noise_is_gaussian_with_the_deviation_that_was_asked_for(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.seconds = 20;
    options.noise = 0.001;
    studio set = shoot("humanoid", &options);
    double sum = 0, square = 0, fourth = 0, count = 0;
    for (int f = 0; f < set.synth->capture->frame_count; f++) {
        for (int m = 0; m < set.synth->marker_count; m++) {
            snw_vec3 off = snw_vec3_sub(snw_trial_position(set.synth->capture, f, m),
                                        snw_trial_position(set.synth->marker_truth, f, m));
            const double axis[3] = {off.x / 0.001, off.y / 0.001, off.z / 0.001};
            for (int i = 0; i < 3; i++, count++) {
                sum += axis[i];
                square += axis[i] * axis[i];
                fourth += pow(axis[i], 4);
            }
        }
    }
    /* n = 147600 draws: standard errors are 1/sqrt(n) = 0.0026, sqrt(2/n) = 0.0037 and
     * sqrt(96/n) = 0.026; four of each. */
    check_near(sum / count, 0, 0.0104);
    check_near(square / count, 1, 0.0148);
    check_near(fourth / count, 3, 0.104);
    leave(&set);
}

static void more_cameras_see_more_exactly(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.camera_count = 10;
    options.seconds = 6;
    studio set = shoot("humanoid", &options);
    double square[11] = {0}, count[11] = {0};
    for (int f = 0; f < set.synth->capture->frame_count; f++) {
        for (int m = 0; m < set.synth->marker_count; m++) {
            size_t at = (size_t)f * (size_t)set.synth->marker_count + (size_t)m;
            int cameras = 0;
            for (uint64_t bits = set.synth->seen[at]; bits; bits &= bits - 1)
                cameras++;
            if (cameras < 2) continue;
            double way = snw_vec3_distance(snw_trial_position(set.synth->capture, f, m),
                                           snw_trial_position(set.synth->marker_truth, f, m));
            square[cameras] += way * way;
            count[cameras]++;
            assert_int_equal(snw_trial_cameras(set.synth->capture, f, m),
                             set.synth->seen[at] & 127);
            double residual = snw_trial_residual(set.synth->capture, f, m);
            assert_true(residual >= 0 && residual < 6 * options.noise);
        }
    }
    int tested = 0;
    for (int n = 2; n <= 10; n++) {
        if (count[n] < 300) continue;
        tested++;
        double expected = options.noise * options.noise * 2 / n * 3;
        /* The mean of k squares of three coordinates has the relative error sqrt(2 / (3k)). */
        check_near(square[n] / count[n] / expected, 1, 5 * sqrt(2 / (3 * count[n])));
    }
    assert_true(tested >= 4);
    leave(&set);
}

/* ---- seeds -------------------------------------------------------------------------------- */

static size_t sample_bytes(const snw_trial *trial)
{
    return (size_t)trial->frame_count * (size_t)trial->marker_count * sizeof *trial->sample;
}

static void the_same_options_give_the_same_bits(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.camera_count = 4;
    options.placement = SNW_SYNTH_RANDOM;
    studio a = shoot("humanoid", &options), b = shoot("humanoid", &options);
    options.seed++;
    studio c = shoot("humanoid", &options);
    size_t size = sample_bytes(a.synth->capture);
    assert_memory_equal(a.synth->capture->sample, b.synth->capture->sample, size);
    assert_int_equal(a.synth->ray_count, b.synth->ray_count);
    for (int i = 0; i < a.synth->ray_count; i++)
        check_vec3_near(a.synth->ray[i].direction, b.synth->ray[i].direction, 0);
    assert_int_not_equal(memcmp(a.synth->capture->sample, c.synth->capture->sample, size), 0);
    leave(&a);
    leave(&b);
    leave(&c);
}

/* Gaps, or more markers on each segment, must not draw other numbers for what was there. */
static void one_change_does_not_reshuffle_the_rest(void **state)
{
    (void)state;
    const snw_synth_gap gap = {"left_leg", SNW_SYNTH_GAP_ALL, 10, 20};
    snw_synth_options options = quick_options();
    options.camera_count = 6;
    studio plain = shoot("humanoid", &options);
    options.gap_count = 1;
    options.gap = &gap;
    studio gapped = shoot("humanoid", &options);
    size_t samples = sample_bytes(plain.synth->capture) / sizeof(snw_sample), kept = 0;
    for (size_t i = 0; i < samples; i++) {
        if (gapped.synth->capture->state[i] == SNW_SAMPLE_MISSING) continue;
        kept++;
        assert_memory_equal(&plain.synth->capture->sample[i], &gapped.synth->capture->sample[i],
                            sizeof(snw_sample));
    }
    assert_true(kept > samples / 2);
    leave(&plain);
    leave(&gapped);
}

/* ---- events, sources, memory -------------------------------------------------------------- */

/* At its strike a walker's heel comes down: before it the foot moves, after it it stands. */
static void foot_strikes_are_when_feet_strike(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    options.rate = 200;
    options.wobble = 0;
    studio set = shoot("humanoid", &options);
    const snw_trial *truth = set.synth->marker_truth;
    int strikes = 0;
    double last = -1;
    for (int e = 0; e < set.synth->capture->event_count; e++) {
        const snw_event *event = set.synth->capture->event + e;
        assert_true(event->time > last);
        last = event->time;
        int frame = (int)(event->time * 200);
        if (strcmp(event->label, "Foot Strike") != 0 || frame < 20 || frame > 1970) continue;
        int heel = snw_trial_find_marker(truth, event->context[0] == 'L' ? "LHEE" : "RHEE");
        double before = snw_vec3_distance(snw_trial_position(truth, frame - 20, heel),
                                          snw_trial_position(truth, frame - 1, heel));
        double after = snw_vec3_distance(snw_trial_position(truth, frame + 1, heel),
                                         snw_trial_position(truth, frame + 20, heel));
        assert_true(before > 0.10);
        assert_true(after < 0.03);
        strikes++;
    }
    assert_true(strikes >= 15); /* 10 s at 0.55 s a step */
    leave(&set);
}

static void any_motion_of_any_body_can_be_captured(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_synth *synth = NULL;
    snw_error error;
    assert_int_equal(snw_preset_create("arm7", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, 17, 50, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f < 17; f++)
        motion->root[f].translation.x = 0.01 * f;
    snw_synth_options options = snw_synth_options_default();
    assert_int_equal(snw_synth_create(body, motion, &options, NULL, &synth, &error),
                     SNW_UNSUPPORTED); /* no landmarks on a robot */
    assert_null(synth);
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = 3;
    options.wobble = 0;
    assert_int_equal(snw_synth_create(body, motion, &options, NULL, &synth, &error), SNW_OK);
    assert_int_equal(synth->capture->frame_count, 17);
    assert_true(synth->capture->rate == 50);
    for (int m = 0; m < synth->marker_count; m++)
        check_near(snw_vec3_distance(snw_trial_position(synth->marker_truth, 0, m),
                                     snw_trial_position(synth->marker_truth, 16, m)),
                   0.16, 4 * FLOAT_MM);
    snw_synth_destroy(synth);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

static void impossible_options_are_refused(void **state)
{
    (void)state;
    snw_skeleton *body = NULL, *other = NULL;
    snw_motion *motion = NULL;
    snw_synth *synth = NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_preset_create("humanoid", NULL, &other, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(other, 3, 50, NULL, &motion, NULL), SNW_OK);
    snw_synth_options wrong[9];
    for (int i = 0; i < 9; i++)
        wrong[i] = quick_options();
    wrong[0].noise = -1;
    wrong[1].wobble = NAN;
    wrong[2].camera_count = 65;
    wrong[3].camera_distance = 0;
    wrong[4].field_of_view = 4;
    wrong[5].markers_per_segment = 0;
    wrong[6].up = SNW_UP_X;
    wrong[7].camera_height = INFINITY;
    wrong[8].gap_count = -1;
    for (int i = 0; i < 9; i++)
        assert_int_equal(snw_synth_create(body, NULL, &wrong[i], NULL, &synth, NULL),
                         SNW_INVALID_ARGUMENT);
    snw_synth_options options = quick_options();
    assert_int_equal(snw_synth_create(body, motion, &options, NULL, &synth, NULL),
                     SNW_INVALID_ARGUMENT); /* of another skeleton */
    assert_int_equal(snw_synth_create(NULL, NULL, &options, NULL, &synth, NULL),
                     SNW_INVALID_ARGUMENT);
    assert_null(synth);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(other);
    snw_skeleton_destroy(body);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    const snw_synth_gap gap = {"head", 1, 1, 1};
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    snw_synth_options options = quick_options();
    options.seconds = 0.7; /* long enough for a foot off */
    options.rate = 10;
    options.camera_count = 2;
    options.gap_count = 1;
    options.gap = &gap;
    long nth = 0;
    for (;; nth++) {
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator hook = counting_hook(&counter);
        snw_synth *synth = NULL;
        snw_error error;
        snw_status status = snw_synth_create(body, NULL, &options, &hook, &synth, &error);
        if (status == SNW_OK) {
            assert_true(counter.calls <= nth);
            snw_synth_destroy(synth);
        } else {
            assert_int_equal(status, SNW_OUT_OF_MEMORY);
            assert_null(synth);
        }
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
        if (status == SNW_OK) break;
    }
    assert_true(nth > 10);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_truth_is_forward_kinematics_of_the_motion),
        cmocka_unit_test(markers_without_wobble_are_rigid_on_their_bones),
        cmocka_unit_test(the_lab_may_have_its_up_along_z),
        cmocka_unit_test(landmarks_have_names_sides_and_skin),
        cmocka_unit_test(bony_landmarks_lie_half_a_joint_from_its_center),
        cmocka_unit_test(wobble_has_the_size_that_was_asked_for),
        cmocka_unit_test(noise_is_gaussian_with_the_deviation_that_was_asked_for),
        cmocka_unit_test(more_cameras_see_more_exactly),
        cmocka_unit_test(the_same_options_give_the_same_bits),
        cmocka_unit_test(one_change_does_not_reshuffle_the_rest),
        cmocka_unit_test(foot_strikes_are_when_feet_strike),
        cmocka_unit_test(any_motion_of_any_body_can_be_captured),
        cmocka_unit_test(impossible_options_are_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

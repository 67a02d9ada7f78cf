/* From a capture with known truth to the actor and its motion. */
#include "capture_truth.h"

typedef struct solved {
    snw_segments *segments;
    snw_actor *actor;
    snw_motion *motion;
    snw_solve_report report;
    snw_notes notes;
} solved;

static solved solve(const snw_trial *trial)
{
    solved s = {NULL, NULL, NULL, {0}, snw_notes_none()};
    snw_error error;
    snw_actor_options options = snw_actor_options_default();
    snw_tracker_options tracker = snw_tracker_options_default();
    options.notes = &s.notes;
    tracker.report = &s.report;
    if (snw_segments_find(trial, NULL, NULL, &s.segments, &s.notes, &error) != SNW_OK ||
        snw_actor_calibrate(trial, s.segments, &options, NULL, &s.actor, &error) != SNW_OK ||
        snw_actor_solve(s.actor, trial, &tracker, NULL, &s.motion, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return s;
}

static void free_solved(solved *s)
{
    snw_motion_destroy(s->motion);
    snw_actor_destroy(s->actor);
    snw_segments_destroy(s->segments);
}

/* rms distance over all frames of a truth joint to the solved joint `found`. Across the z axis of
 * the truth's joint where it is a hinge: along it the centre is not determined. */
static double joint_error(const truth *t, const solved *s, int joint, int found, bool is_hinge)
{
    snw_pose *pose = NULL, *truth_pose = NULL;
    assert_int_equal(snw_pose_create(s->actor->skeleton, NULL, &pose, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(t->skeleton, NULL, &truth_pose, NULL), SNW_OK);
    double sum = 0;
    for (int f = 0; f < s->motion->frame_count; f++) {
        snw_motion_get(s->motion, f, pose);
        snw_pose_forward(pose);
        snw_motion_get(t->motion, f, truth_pose);
        snw_pose_forward(truth_pose);
        snw_vec3 off =
            snw_vec3_sub(pose->world[found].translation, t->joint[f * TRUTH_JOINTS + joint]);
        snw_vec3 axis = snw_quat_rotate(truth_pose->world[joint].rotation, snw_vec3_make(0, 0, 1));
        if (is_hinge) off = snw_vec3_add_scaled(off, -snw_vec3_dot(off, axis), axis);
        sum += snw_vec3_length2(off);
    }
    snw_pose_destroy(truth_pose);
    snw_pose_destroy(pose);
    return sqrt(sum / s->motion->frame_count);
}

static bool is_hinge(int joint)
{
    return joint == 4 || joint == 6 || joint == 8 || joint == 10;
}

static void named_markers_give_every_joint_to_a_millimetre(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CHECK_CASES(3); seed++) {
        truth_options options = truth_options_default();
        options.seed = seed;
        truth t = truth_make(&options);
        solved s = solve(t.trial);
        assert_int_equal(s.actor->skeleton->joint_count, TRUTH_JOINTS);
        for (int j = 1; j < TRUTH_JOINTS; j++) {
            int found = snw_skeleton_find_joint(s.actor->skeleton, truth_rows[j].name);
            assert_true(found > 0);
            /* The parent is the true one. */
            assert_string_equal(s.actor->skeleton->name[s.actor->skeleton->parent[found]],
                                truth_rows[truth_rows[j].parent].name);
            /* 0.5 mm noise on four markers: each frame's pose is good to about 0.4 mm at a joint
             * 20 cm away; 1 mm holds the centre's own error too. */
            check_near(joint_error(&t, &s, j, found, is_hinge(j)), 0, 0.001);
        }
        /* The residual is the noise: sqrt(3) * 0.5 mm, less what 36 freedoms of 132 absorb. */
        check_near(s.report.residual, 0.00075, 0.00008);
        free_solved(&s);
        truth_free(&t);
    }
}

static void gaps_at_most_double_the_error(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.gap_share = 0.1;
    truth t = truth_make(&options);
    solved s = solve(t.trial);
    for (int j = 1; j < TRUTH_JOINTS; j++) {
        int found = snw_skeleton_find_joint(s.actor->skeleton, truth_rows[j].name);
        assert_true(found > 0);
        check_near(joint_error(&t, &s, j, found, is_hinge(j)), 0, 0.002);
    }
    free_solved(&s);
    truth_free(&t);
}

static void a_knee_is_found_to_be_a_hinge_and_a_still_joint_is_called_uncertain(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    solved s = solve(t.trial);
    int knee = snw_skeleton_find_joint(s.actor->skeleton, "LeftLeg");
    int hip = snw_skeleton_find_joint(s.actor->skeleton, "LeftUpLeg");
    assert_int_equal(s.actor->estimate[knee].type, SNW_JOINT_HINGE);
    assert_int_equal(s.actor->estimate[hip].type, SNW_JOINT_BALL);
    assert_false(s.actor->estimate[hip].is_uncertain);
    free_solved(&s);
    truth_free(&t);
    options.swing = 0.002; /* a tenth of a degree: less than the noise of the rotations */
    t = truth_make(&options);
    s = solve(t.trial);
    for (int j = 1; j < s.actor->skeleton->joint_count; j++) {
        assert_true(s.actor->estimate[j].is_uncertain);
        assert_non_null(strstr(s.actor->estimate[j].verdict, "hardly moved"));
    }
    free_solved(&s);
    truth_free(&t);
}

static void a_wild_frame_and_swapped_markers_hurt_nobody(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    snw_random random = snw_random_seed(7, 7);
    for (int m = 0; m < t.trial->marker_count; m++)
        snw_trial_set(t.trial, 200, m, snw_vec3_scale(snw_random_direction(&random), 5),
                      SNW_SAMPLE_MEASURED);
    for (int f = 100; f < 130; f++) {
        snw_vec3 a = snw_trial_position(t.trial, f, 8), b = snw_trial_position(t.trial, f, 20);
        snw_trial_set(t.trial, f, 8, b, SNW_SAMPLE_MEASURED);
        snw_trial_set(t.trial, f, 20, a, SNW_SAMPLE_MEASURED);
    }
    solved s = solve(t.trial);
    assert_int_equal(s.report.lost_count, 1);
    for (int j = 1; j < TRUTH_JOINTS; j++) {
        int found = snw_skeleton_find_joint(s.actor->skeleton, truth_rows[j].name);
        check_near(joint_error(&t, &s, j, found, is_hinge(j)), 0, 0.002);
    }
    free_solved(&s);
    truth_free(&t);
}

static void bones_keep_their_length_to_the_bit_of_the_arithmetic(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.gap_share = 0.3;
    truth t = truth_make(&options);
    solved s = solve(t.trial);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(s.actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < s.motion->frame_count; f++) {
        snw_motion_get(s.motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 1; j < s.actor->skeleton->joint_count; j++)
            check_near(snw_vec3_distance(pose->world[j].translation,
                                         pose->world[s.actor->skeleton->parent[j]].translation),
                       s.actor->skeleton->bone_length[j], 1e-12);
    }
    snw_pose_destroy(pose);
    free_solved(&s);
    truth_free(&t);
}

/* Hides markers of a segment for good, so that `left` remain. */
static void strip_segment(truth *t, int per, int joint, int left)
{
    for (int m = joint * per + left; m < (joint + 1) * per; m++)
        for (int f = 0; f < t->trial->frame_count; f++)
            snw_trial_set(t->trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
}

static void segments_with_two_markers_and_one_are_joined(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    strip_segment(&t, options.markers_per_segment, 3, 2); /* left arm: two */
    strip_segment(&t, options.markers_per_segment, 6, 1); /* right forearm: one */
    strip_segment(&t, options.markers_per_segment, 7, 2); /* left thigh: two, a leg beyond it */
    solved s = solve(t.trial);
    const snw_skeleton *body = s.actor->skeleton;
    assert_int_equal(body->joint_count, TRUTH_JOINTS);
    static const char *const chains[][2] = {{"LeftArm", "Chest"},
                                            {"LeftForeArm", "LeftArm"},
                                            {"RightForeArm", "RightArm"},
                                            {"LeftUpLeg", "Hips"},
                                            {"LeftLeg", "LeftUpLeg"}};
    for (size_t n = 0; n < sizeof chains / sizeof *chains; n++) {
        int found = snw_skeleton_find_joint(body, chains[n][0]);
        assert_true(found > 0);
        assert_string_equal(body->name[body->parent[found]], chains[n][1]);
    }
    /* Ball joints of stripped segments, from spheres and the whole body: a few millimetres. */
    check_near(joint_error(&t, &s, 3, snw_skeleton_find_joint(body, "LeftArm"), false), 0, 0.004);
    check_near(joint_error(&t, &s, 7, snw_skeleton_find_joint(body, "LeftUpLeg"), false), 0, 0.004);
    check_near(s.report.residual, 0, 0.0015);
    free_solved(&s);
    truth_free(&t);
}

/* A marker of a static trial that was put before the motion. Oracle: where the frame has it. */
static void a_marker_of_one_frame_is_placed_by_that_frame(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.markers_per_segment = 5;
    truth t = truth_make(&options);
    int marker = 8 * options.markers_per_segment; /* the left shank's first */
    for (int f = 0; f < options.frame_count; f++)
        if (f != 77) snw_trial_set(t.trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    solved s = solve(t.trial);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(s.actor->skeleton, NULL, &pose, NULL), SNW_OK);
    snw_motion_get(s.motion, 77, pose);
    snw_pose_forward(pose);
    int found = -1;
    for (int m = 0; m < s.actor->marker_count; m++)
        if (strcmp(s.actor->marker[m].name, t.trial->marker[marker].name) == 0) found = m;
    assert_true(found >= 0);
    const snw_actor_marker *placed = s.actor->marker + found;
    assert_string_equal(s.actor->skeleton->name[placed->joint], truth_rows[8].name);
    /* the frame's own noise is in it, so it fits better than others do */
    check_near(snw_vec3_distance(snw_pose_point(pose, placed->joint, placed->offset),
                                 snw_trial_position(t.trial, 77, marker)),
               0, 0.002);
    snw_pose_destroy(pose);
    free_solved(&s);
    truth_free(&t);
}

/* A marker on a chair that a seated person hardly moves against: 0.8 m from the pelvis, on a sphere
 * about a point halfway. */
static void a_single_marker_far_from_everything_is_no_segment(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    truth t = truth_make(&options);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(t.skeleton, NULL, &pose, NULL), SNW_OK);
    int marker = 6 * options.markers_per_segment; /* of the right forearm only this one is left */
    strip_segment(&t, options.markers_per_segment, 6, 1);
    for (int f = 0; f < options.frame_count; f++) {
        snw_motion_get(t.motion, f, pose);
        snw_pose_forward(pose);
        snw_vec3 beside = {0.02 * cos(0.05 * f), 0.1, -0.85 + 0.03 * sin(0.031 * f)};
        snw_trial_set(t.trial, f, marker, snw_pose_point(pose, 0, beside), SNW_SAMPLE_MEASURED);
    }
    solved s = solve(t.trial);
    for (int j = 0; j < s.actor->skeleton->joint_count; j++)
        assert_true(s.actor->skeleton->bone_length[j] < 0.65);
    for (int m = 0; m < s.actor->marker_count; m++)
        assert_string_not_equal(s.actor->marker[m].name, t.trial->marker[marker].name);
    snw_pose_destroy(pose);
    free_solved(&s);
    truth_free(&t);
}

static void without_names_the_joints_are_found_too(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    truth t = truth_make(&options);
    solved s = solve(t.trial);
    assert_int_equal(s.actor->skeleton->joint_count, TRUTH_JOINTS);
    for (int j = 1; j < TRUTH_JOINTS; j++) {
        double nearest = 1;
        for (int found = 1; found < TRUTH_JOINTS; found++)
            nearest = fmin(nearest, joint_error(&t, &s, j, found, is_hinge(j)));
        check_near(nearest, 0, 0.001);
    }
    free_solved(&s);
    truth_free(&t);
}

/* Two captures side by side in one trial, 2 m apart, markers interleaved. */
static snw_trial *two_people(const truth *a, const truth *b)
{
    snw_trial_options options = snw_trial_options_default();
    int each = a->trial->marker_count;
    options.marker_count = 2 * each;
    options.frame_count = a->trial->frame_count;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int f = 0; f < options.frame_count; f++)
        for (int m = 0; m < each; m++) {
            snw_vec3 other = snw_trial_position(b->trial, f, m);
            other.x += 2;
            snw_trial_set(trial, f, 2 * m, snw_trial_position(a->trial, f, m), SNW_SAMPLE_MEASURED);
            snw_trial_set(trial, f, 2 * m + 1, other, SNW_SAMPLE_MEASURED);
        }
    return trial;
}

static void two_people_fall_apart(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    truth a = truth_make(&options);
    options.seed = 2;
    truth b = truth_make(&options);
    snw_trial *trial = two_people(&a, &b);
    snw_segments *segments = NULL;
    assert_int_equal(snw_segments_find(trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(segments->segment_count, 2 * TRUTH_JOINTS);
    for (int part = 0; part < 3; part++) {
        snw_actor_options chosen = snw_actor_options_default();
        chosen.part = part;
        snw_actor *actor = NULL;
        snw_error error;
        snw_status status = snw_actor_calibrate(trial, segments, &chosen, NULL, &actor, &error);
        assert_int_equal(status, part < 2 ? SNW_OK : SNW_NOT_FOUND);
        if (part == 2) {
            assert_non_null(strstr(error.message, "no body number 3"));
            continue;
        }
        assert_int_equal(actor->skeleton->joint_count, TRUTH_JOINTS);
        /* All markers of one person: even numbers are of the first ("M001", "M003"...). */
        int person = (actor->marker[0].name[3] - '0') % 2;
        for (int m = 0; m < actor->marker_count; m++)
            assert_int_equal((actor->marker[m].name[3] - '0') % 2, person);
        snw_actor_destroy(actor);
    }
    snw_segments_destroy(segments);
    snw_trial_destroy(trial);
    truth_free(&a);
    truth_free(&b);
}

static void too_little_data_gives_a_sentence(void **state)
{
    (void)state;
    static const struct {
        int markers;
        bool is_seen;
        const char *word;
    } rows[] = {{0, true, "0 markers"},
                {1, true, "1 marker:"},
                {2, true, "2 markers"},
                {5, false, "all 5 markers are missing"}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial_options options = snw_trial_options_default();
        options.marker_count = rows[n].markers;
        options.frame_count = 10;
        snw_trial *trial = NULL;
        assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
        for (int f = 0; f < 10 && rows[n].is_seen; f++)
            for (int m = 0; m < rows[n].markers; m++)
                snw_trial_set(trial, f, m, snw_vec3_make(m, f, 0), SNW_SAMPLE_MEASURED);
        snw_error error;
        snw_segments *segments = NULL;
        assert_int_equal(snw_segments_find(trial, NULL, NULL, &segments, NULL, &error),
                         SNW_DEGENERATE);
        assert_null(segments);
        if (!strstr(error.message, rows[n].word)) fail_msg("\"%s\"", error.message);
        snw_trial_destroy(trial);
    }
}

static void running_out_of_memory_anywhere_leaves_nothing_behind(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.frame_count = 40;
    truth t = truth_make(&options);
    for (long nth = 0;; nth += CHECK_STRIDE) {
        assert_true(nth < 200);
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator allocator = counting_hook(&counter);
        snw_segments *segments = NULL;
        snw_actor *actor = NULL;
        snw_motion *motion = NULL;
        snw_error error;
        snw_status status = snw_segments_find(t.trial, NULL, &allocator, &segments, NULL, &error);
        if (status == SNW_OK)
            status = snw_actor_calibrate(t.trial, segments, NULL, &allocator, &actor, &error);
        if (status == SNW_OK)
            status = snw_actor_solve(actor, t.trial, NULL, &allocator, &motion, &error);
        bool is_done = status == SNW_OK;
        if (!is_done) assert_int_equal(error.status, SNW_OUT_OF_MEMORY);
        snw_motion_destroy(motion);
        snw_actor_destroy(actor);
        snw_segments_destroy(segments);
        assert_int_equal(counter.live, 0);
        if (is_done) break;
    }
    truth_free(&t);
}

static void the_same_capture_gives_the_same_bits(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.frame_count = 60;
    truth t = truth_make(&options);
    solved a = solve(t.trial), b = solve(t.trial);
    size_t rotations = (size_t)a.motion->frame_count * (size_t)a.actor->skeleton->joint_count;
    assert_memory_equal(a.motion->rotation, b.motion->rotation, rotations * sizeof(snw_quat));
    assert_memory_equal(a.motion->root, b.motion->root, 60 * sizeof(snw_xform));
    free_solved(&a);
    free_solved(&b);
    truth_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_markers_give_every_joint_to_a_millimetre),
        cmocka_unit_test(gaps_at_most_double_the_error),
        cmocka_unit_test(a_knee_is_found_to_be_a_hinge_and_a_still_joint_is_called_uncertain),
        cmocka_unit_test(a_wild_frame_and_swapped_markers_hurt_nobody),
        cmocka_unit_test(bones_keep_their_length_to_the_bit_of_the_arithmetic),
        cmocka_unit_test(segments_with_two_markers_and_one_are_joined),
        cmocka_unit_test(a_marker_of_one_frame_is_placed_by_that_frame),
        cmocka_unit_test(a_single_marker_far_from_everything_is_no_segment),
        cmocka_unit_test(without_names_the_joints_are_found_too),
        cmocka_unit_test(two_people_fall_apart),
        cmocka_unit_test(too_little_data_gives_a_sentence),
        cmocka_unit_test(running_out_of_memory_anywhere_leaves_nothing_behind),
        cmocka_unit_test(the_same_capture_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

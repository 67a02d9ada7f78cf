/* Joint types and limits from motion: what rotations show, what limits hold, and what a tracker
 * does with them when markers are hidden, wild, or show more than was ever seen. */
#include "capture_truth.h"

#include "calibrate/joint_type.h"
#include "track/joint_range.h"

/* ---- types ----------------------------------------------------------------------------------- */

#define TRACK_MOMENTS 150
#define TRACK_COUNT   (3 * TRACK_MOMENTS)

typedef struct type_case {
    snw_joint_type made; /* how the rotations are made */
    double size, second; /* of the turns about the two axes (ball: and a third), radians */
    double off;          /* turns off the axis of a hinge, radians */
    double noise;        /* radians */
    bool may_be_fixed;
    snw_joint_type found;
} type_case;

/* Radians of 3, 10 and 40 degrees; noise of 0.3 degrees is half a millimetre on four markers. */
static const type_case type_cases[] = {
    {SNW_JOINT_HINGE, 0.7, 0, 0, 0.005, true, SNW_JOINT_HINGE},
    {SNW_JOINT_HINGE, 0.17, 0, 0, 0.005, true, SNW_JOINT_HINGE},
    {SNW_JOINT_HINGE, 0.7, 0, 0, 0, true, SNW_JOINT_HINGE},
    /* It hardly moved: any joint may look like that. */
    {SNW_JOINT_HINGE, 0.05, 0, 0, 0.005, true, SNW_JOINT_BALL},
    /* One degree off the axis is seen under a third of a degree of noise. */
    {SNW_JOINT_HINGE, 0.7, 0, 0.0175, 0.005, true, SNW_JOINT_BALL},
    {SNW_JOINT_UNIVERSAL, 0.5, 0.4, 0, 0.005, true, SNW_JOINT_UNIVERSAL},
    {SNW_JOINT_UNIVERSAL, 0.8, 0.4, 0, 0.005, true, SNW_JOINT_UNIVERSAL},
    /* Small turns leave open which two axes of their plane it has. */
    {SNW_JOINT_UNIVERSAL, 0.3, 0.15, 0, 0.005, true, SNW_JOINT_BALL},
    {SNW_JOINT_UNIVERSAL, 0.5, 0.4, 0, 0, true, SNW_JOINT_UNIVERSAL},
    {SNW_JOINT_UNIVERSAL, 0.05, 0.04, 0, 0.005, true, SNW_JOINT_BALL},
    {SNW_JOINT_BALL, 0.5, 0.4, 0, 0.005, true, SNW_JOINT_BALL},
    {SNW_JOINT_BALL, 0.2, 0.1, 0, 0.005, true, SNW_JOINT_BALL},
    {SNW_JOINT_FIXED, 0, 0, 0, 0.005, true, SNW_JOINT_FIXED},
    /* A body that stood still tells nothing about what is one with what. */
    {SNW_JOINT_FIXED, 0, 0, 0, 0.005, false, SNW_JOINT_BALL},
};

typedef struct type_made {
    snw_vec3 axis, axis2;
    snw_quat mean; /* a mean b: where the series stands */
    snw_quat rotation[TRACK_COUNT];
    bool is_shown[TRACK_COUNT];
} type_made;

static snw_quat noise_turn(double size, snw_random *random)
{
    return snw_quat_exp(random_gaussian(random, size));
}

/* Moments half a second apart in a motion of about one turn a second, at 100 frames a second. */
static void make_track(const type_case *row, snw_random *random, type_made *made)
{
    made->axis = snw_random_direction(random);
    snw_vec3 side = snw_vec3_perpendicular(made->axis);
    made->mean = snw_quat_exp(snw_vec3_scale(snw_random_direction(random), 0.2));
    made->axis2 = snw_quat_unrotate(made->mean, side);
    for (int k = 0; k < TRACK_COUNT; k++) {
        double t = 0.53 * (k / 3) + 0.01 * (k % 3);
        double first = row->size * sin(2.1 * t), second = row->second * sin(3.7 * t + 1);
        double third = row->made == SNW_JOINT_BALL ? row->second * sin(5.3 * t + 2) : 0;
        snw_quat r = snw_quat_mul(snw_quat_from_axis_angle(made->axis, first), made->mean);
        r = snw_quat_mul(r, snw_quat_from_axis_angle(made->axis2, second));
        r = snw_quat_mul(snw_quat_from_axis_angle(side, row->off * sin(4.4 * t)), r);
        r = snw_quat_mul(snw_quat_from_axis_angle(snw_vec3_cross(made->axis, side), third), r);
        made->rotation[k] = snw_quat_mul(r, noise_turn(row->noise, random));
        made->is_shown[k] = k % 7 != 0;
        if (!made->is_shown[k]) made->rotation[k] = snw_random_rotation(random);
    }
}

static double angle_of_lines(snw_vec3 a, snw_vec3 b)
{
    return atan2(snw_vec3_length(snw_vec3_cross(a, b)), fabs(snw_vec3_dot(a, b)));
}

/* As a joint in frames that lie as the shape says, see actor_joints.c. */
static snw_joint joint_of(const snw__joint_shape *shape)
{
    snw_joint joint = {shape->type, shape->axis, snw_quat_rotate(shape->rest, shape->axis2),
                       snw_joint_limit_none()};
    return joint;
}

static void check_shape(const type_case *row, const type_made *made, const snw__joint_shape *shape)
{
    /* The axes of 400 samples with noise of 0.3 degrees on turns of 10 and more. */
    if (row->found == SNW_JOINT_HINGE)
        check_near(angle_of_lines(shape->axis, made->axis), 0, snw_radians(0.5));
    if (row->found == SNW_JOINT_UNIVERSAL) {
        check_near(angle_of_lines(shape->axis, made->axis), 0, snw_radians(2));
        check_near(angle_of_lines(shape->axis2, made->axis2), 0, snw_radians(2));
    }
    snw_joint joint = joint_of(shape);
    for (int k = 0; k < TRACK_COUNT; k++) {
        if (!made->is_shown[k]) continue;
        snw_quat r = snw_quat_mul(made->rotation[k], snw_quat_conjugate(shape->rest));
        /* Six standard deviations of the noise, and the error of the axes. */
        check_near(snw_joint_limit_violation(&joint, r), 0, 6 * row->noise + 1e-3);
    }
}

static void the_least_type_that_explains_the_motion_is_found(void **state)
{
    (void)state;
    static type_made made;
    static snw_vec3 turn[TRACK_COUNT];
    static double off[TRACK_COUNT];
    for (size_t n = 0; n < sizeof type_cases / sizeof *type_cases; n++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            const type_case *row = type_cases + n;
            snw_random random = snw_random_seed(seed, n);
            make_track(row, &random, &made);
            snw__joint_track track = {TRACK_COUNT, made.rotation, made.is_shown, turn, off};
            snw__joint_shape shape = snw__joint_shape_find(&track, row->may_be_fixed);
            if (shape.type != row->found)
                fail_msg("row %zu, seed %d: %s, not %s", n, (int)seed,
                         snw_joint_type_name(shape.type), snw_joint_type_name(row->found));
            check_shape(row, &made, &shape);
        }
}

static void too_few_samples_give_a_ball(void **state)
{
    (void)state;
    static type_made made;
    snw_vec3 turn[30];
    double off[30];
    snw_random random = snw_random_seed(1, 1);
    make_track(&type_cases[0], &random, &made);
    for (int count = 0; count <= 30; count += 3) {
        snw__joint_track track = {count, made.rotation, made.is_shown, turn, off};
        assert_int_equal(snw__joint_shape_find(&track, true).type, SNW_JOINT_BALL);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

#define RANGE_COUNT 400

static snw_joint range_joint(snw_joint_type type, snw_random *random)
{
    snw_joint joint = {type, snw_random_direction(random), {0, 0, 0}, snw_joint_limit_none()};
    joint.axis2 = snw_vec3_perpendicular(joint.axis);
    return joint;
}

static void make_seen(const snw_joint *joint, snw_random *random, snw_quat *rotation)
{
    for (int k = 0; k < RANGE_COUNT; k++) {
        double values[6] = {0};
        for (int c = 0; c < 3; c++)
            values[c] = snw_random_range(random, -0.3, 0.8);
        snw_vec3 slide;
        snw_joint_from_values(joint, values, &rotation[k], &slide);
    }
}

static void limits_hold_what_was_seen_and_not_much_more(void **state)
{
    (void)state;
    static const snw_joint_type types[] = {SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL, SNW_JOINT_BALL};
    for (int n = 0; n < 30; n++) {
        snw_random random = snw_random_seed((uint64_t)n, 2);
        snw_quat rotation[RANGE_COUNT];
        bool is_shown[RANGE_COUNT];
        snw_joint joint = range_joint(types[n % 3], &random);
        make_seen(&joint, &random, rotation);
        for (int k = 0; k < RANGE_COUNT; k++)
            is_shown[k] = k % 50 != 7;
        /* One in two hundred may be wild, and what is not shown does not count. */
        rotation[7] = snw_quat_from_axis_angle(joint.axis, 2);
        rotation[100] = snw_quat_from_axis_angle(joint.axis, 2);
        snw__joint_seen seen = {RANGE_COUNT, rotation, is_shown, SNW__JOINT_MARGIN};
        snw__joint_range_find(&joint, &seen);
        assert_int_equal(snw_joint_check(&joint, NULL), SNW_OK);
        int outside = 0;
        for (int k = 0; k < RANGE_COUNT; k++)
            outside += is_shown[k] && snw_joint_limit_violation(&joint, rotation[k]) > 0;
        /* One for each end of the twist and each quarter of the cone. */
        assert_true(outside <= 6);
        /* Half a turn was never near. */
        assert_true(snw_joint_limit_violation(&joint, rotation[100]) > 0.5);
        if (joint.type == SNW_JOINT_HINGE) {
            /* 400 even samples end within a hundredth or so of 1.1 rad of the ends. */
            check_near(joint.limit.range[0][0], -0.3 - SNW__JOINT_MARGIN, 0.03);
            check_near(joint.limit.range[0][1], 0.8 + SNW__JOINT_MARGIN, 0.03);
        }
    }
}

static void a_bone_that_pointed_everywhere_has_no_limit(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(4, 4);
    snw_quat rotation[RANGE_COUNT];
    bool is_shown[RANGE_COUNT];
    snw_joint joint = range_joint(SNW_JOINT_BALL, &random);
    for (int k = 0; k < RANGE_COUNT; k++) {
        rotation[k] = snw_random_rotation(&random);
        is_shown[k] = true;
    }
    snw__joint_seen seen = {RANGE_COUNT, rotation, is_shown, SNW__JOINT_MARGIN};
    snw__joint_range_find(&joint, &seen);
    for (int k = 0; k < 100; k++)
        check_near(snw_joint_limit_violation(&joint, snw_random_rotation(&random)), 0, 0);
}

static void limits_grow_to_what_is_included_and_never_shrink(void **state)
{
    (void)state;
    static const snw_joint_type types[] = {SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL, SNW_JOINT_BALL};
    for (int n = 0; n < 60; n++) {
        snw_random random = snw_random_seed((uint64_t)n, 3);
        snw_quat rotation[RANGE_COUNT], further;
        bool is_shown[RANGE_COUNT];
        snw_joint joint = range_joint(types[n % 3], &random);
        make_seen(&joint, &random, rotation);
        for (int k = 0; k < RANGE_COUNT; k++)
            is_shown[k] = true;
        snw__joint_seen seen = {RANGE_COUNT, rotation, is_shown, SNW__JOINT_MARGIN};
        snw__joint_range_find(&joint, &seen);
        snw_joint before = joint;
        double values[6] = {snw_random_range(&random, -1.5, 1.5),
                            snw_random_range(&random, -1.2, 1.2),
                            snw_random_range(&random, -1.2, 1.2)};
        snw_vec3 slide;
        snw_joint_from_values(&joint, values, &further, &slide);
        snw__joint_range_include(&joint, further);
        assert_int_equal(snw_joint_check(&joint, NULL), SNW_OK);
        check_near(snw_joint_limit_violation(&joint, further), 0, 1e-8);
        for (int k = 0; k < RANGE_COUNT; k++)
            if (snw_joint_limit_violation(&before, rotation[k]) == 0)
                check_near(snw_joint_limit_violation(&joint, rotation[k]), 0, 1e-8);
    }
}

/* ---- actors ---------------------------------------------------------------------------------- */

static void knees_and_elbows_are_hinges_and_the_rest_balls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        truth_options options = truth_options_default();
        options.seed = seed;
        options.gap_share = seed > 3 ? 0.1 : 0;
        truth t = truth_make(&options);
        snw_actor *actor = truth_actor(t.trial);
        for (int j = 1; j < TRUTH_JOINTS; j++) {
            int at = snw_skeleton_find_joint(actor->skeleton, truth_rows[j].name);
            const snw_joint *joint = actor->skeleton->joint + at;
            bool is_hinge = j == 4 || j == 6 || j == 8 || j == 10;
            assert_true(at > 0);
            assert_int_equal(joint->type, is_hinge ? SNW_JOINT_HINGE : SNW_JOINT_BALL);
            assert_int_equal(actor->estimate[at].type, joint->type);
            if (is_hinge)
                check_near(snw_vec3_distance(actor->estimate[at].axis, joint->axis), 0, 0);
        }
        snw_actor_destroy(actor);
        truth_free(&t);
    }
}

/* Every rotation of a solved motion is one that its joint's type can do. */
static void solved_motions_keep_to_the_types(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.gap_share = 0.2;
    truth t = truth_make(&options);
    snw_actor *actor = truth_actor(t.trial);
    snw_motion *motion = NULL;
    assert_int_equal(snw_actor_solve(actor, t.trial, NULL, NULL, &motion, NULL), SNW_OK);
    int joints = actor->skeleton->joint_count;
    for (int j = 1; j < joints; j++) {
        snw_joint joint = actor->skeleton->joint[j];
        joint.limit = snw_joint_limit_none();
        for (int f = 0; f < motion->frame_count; f++)
            check_near(snw_joint_limit_violation(&joint, motion->rotation[f * joints + j]), 0,
                       SNW_LIMIT_TOLERANCE);
    }
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    truth_free(&t);
}

static double limit_violation(const snw_actor *actor, const snw_pose *pose, int joint)
{
    return snw_joint_limit_violation(actor->skeleton->joint + joint, pose->rotation[joint]);
}

/* The elbow turned to `angle` about its hinge, markers of the forearm with it, in one frame. */
static void bend_forearm(truth *t, const snw_actor *actor, snw_pose *pose, int frame, double angle)
{
    int elbow = snw_skeleton_find_joint(actor->skeleton, "LeftForeArm");
    double values[6] = {angle};
    snw_vec3 slide;
    snw_joint_from_values(actor->skeleton->joint + elbow, values, &pose->rotation[elbow], &slide);
    snw_pose_forward(pose);
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != elbow) continue;
        int at = snw_trial_find_marker(t->trial, actor->marker[m].name);
        snw_trial_set(t->trial, frame, at, snw_pose_point(pose, elbow, actor->marker[m].offset),
                      SNW_SAMPLE_MEASURED);
    }
}

/* Hides all markers of the forearm in a frame but one. */
static void leave_one(truth *t, int frame)
{
    for (int k = 1; k < 4; k++)
        snw_trial_set(t->trial, frame, 4 * 4 + k, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
}

typedef struct elbow_case {
    truth t;
    snw_actor *actor;
    snw_tracker *tracker;
    snw_pose *pose;
    int elbow;
    double beyond; /* an angle that was never seen */
} elbow_case;

/* Tracked up to frame 49; the body stands still in the two that follow. */
static elbow_case elbow_make(void)
{
    elbow_case c;
    truth_options options = truth_options_default();
    c.t = truth_make(&options);
    c.actor = truth_actor(c.t.trial);
    for (int m = 0; m < c.t.trial->marker_count; m++)
        for (int f = 50; f < 52; f++)
            snw_trial_set(c.t.trial, f, m, snw_trial_position(c.t.trial, 49, m),
                          SNW_SAMPLE_MEASURED);
    c.elbow = snw_skeleton_find_joint(c.actor->skeleton, "LeftForeArm");
    assert_true(c.actor->skeleton->joint[c.elbow].limit.has_range[0]);
    c.beyond = c.actor->skeleton->joint[c.elbow].limit.range[0][1] + 0.4;
    assert_int_equal(snw_tracker_create_for_trial(c.actor, c.t.trial, NULL, NULL, &c.tracker, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(c.actor->skeleton, NULL, &c.pose, NULL), SNW_OK);
    for (int f = 0; f < 50; f++) {
        snw_frame frame = snw_trial_frame(c.t.trial, f);
        assert_false(snw_tracker_step(c.tracker, &frame, c.pose).is_lost);
    }
    return c;
}

static void elbow_free(elbow_case *c)
{
    snw_pose_destroy(c->pose);
    snw_tracker_destroy(c->tracker);
    snw_actor_destroy(c->actor);
    truth_free(&c->t);
}

/* Even at the right distance from the elbow. */
static void one_wild_marker_does_not_bend_a_joint_beyond_its_limits(void **state)
{
    (void)state;
    elbow_case c = elbow_make();
    bend_forearm(&c.t, c.actor, c.pose, 50, c.beyond);
    leave_one(&c.t, 50);
    snw_frame frame = snw_trial_frame(c.t.trial, 50);
    assert_false(snw_tracker_step(c.tracker, &frame, c.pose).is_lost);
    check_near(limit_violation(c.actor, c.pose, c.elbow), 0, SNW_LIMIT_TOLERANCE);
    elbow_free(&c);
}

static void markers_that_agree_show_more_than_was_seen_before(void **state)
{
    (void)state;
    elbow_case c = elbow_make();
    bend_forearm(&c.t, c.actor, c.pose, 50, c.beyond);
    bend_forearm(&c.t, c.actor, c.pose, 51, c.beyond);
    leave_one(&c.t, 51);
    snw_frame frame = snw_trial_frame(c.t.trial, 50);
    snw_track track = snw_tracker_step(c.tracker, &frame, c.pose);
    double values[6];
    (void)snw_joint_values(c.actor->skeleton->joint + c.elbow, c.pose->rotation[c.elbow],
                           c.pose->slide[c.elbow], values);
    assert_int_equal(track.outlier_count, 0);
    /* Four markers with noise of half a millimetre on the rest of the body: half a degree. */
    check_near(values[0], c.beyond, 0.01);
    /* From then on that much is known to be possible. */
    frame = snw_trial_frame(c.t.trial, 51);
    (void)snw_tracker_step(c.tracker, &frame, c.pose);
    (void)snw_joint_values(c.actor->skeleton->joint + c.elbow, c.pose->rotation[c.elbow],
                           c.pose->slide[c.elbow], values);
    check_near(values[0], c.beyond, 0.02);
    /* Until the tracker forgets. */
    snw_tracker_reset(c.tracker);
    frame = snw_trial_frame(c.t.trial, 49);
    (void)snw_tracker_step(c.tracker, &frame, c.pose);
    frame = snw_trial_frame(c.t.trial, 51);
    (void)snw_tracker_step(c.tracker, &frame, c.pose);
    check_near(limit_violation(c.actor, c.pose, c.elbow), 0, SNW_LIMIT_TOLERANCE);
    elbow_free(&c);
}

/* rms over all frames and markers */
static double residual_of(const snw_actor *actor, const snw_trial *trial)
{
    snw_motion *motion = NULL;
    snw_residuals *residuals = NULL;
    assert_int_equal(snw_actor_solve(actor, trial, NULL, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_actor_residuals(actor, trial, motion, NULL, &residuals, NULL), SNW_OK);
    double rms = residuals->rms;
    snw_residuals_destroy(residuals);
    snw_motion_destroy(motion);
    return rms;
}

/* An actor from a calm trial in one with turns twice as large; markers sit in the same places, for
 * the seed is the same. */
static void limits_of_a_calm_trial_do_not_hurt_a_wild_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        truth_options options = truth_options_default();
        options.seed = seed;
        options.swing = 0.35;
        truth calm = truth_make(&options);
        options.swing = 0.7;
        truth wild = truth_make(&options);
        snw_actor *from_calm = truth_actor(calm.trial), *from_wild = truth_actor(wild.trial);
        double other = residual_of(from_calm, wild.trial), own = residual_of(from_wild, wild.trial);
        print_message("seed %d: %.2f mm with the calm actor, %.2f mm with its own\n", (int)seed,
                      1000 * other, 1000 * own);
        assert_true(other < 1.2 * own);
        snw_actor_destroy(from_calm);
        snw_actor_destroy(from_wild);
        truth_free(&calm);
        truth_free(&wild);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_type_that_explains_the_motion_is_found),
        cmocka_unit_test(too_few_samples_give_a_ball),
        cmocka_unit_test(limits_hold_what_was_seen_and_not_much_more),
        cmocka_unit_test(a_bone_that_pointed_everywhere_has_no_limit),
        cmocka_unit_test(limits_grow_to_what_is_included_and_never_shrink),
        cmocka_unit_test(knees_and_elbows_are_hinges_and_the_rest_balls),
        cmocka_unit_test(solved_motions_keep_to_the_types),
        cmocka_unit_test(one_wild_marker_does_not_bend_a_joint_beyond_its_limits),
        cmocka_unit_test(markers_that_agree_show_more_than_was_seen_before),
        cmocka_unit_test(limits_of_a_calm_trial_do_not_hurt_a_wild_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

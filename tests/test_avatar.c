/* An upper body from trackers: the elbow circle against verified numbers, Table 4.1 as printed, and
 * properties that hold for every method: hands at their trackers, elbows on their circles, mirror
 * and rigid-motion symmetry, no memory, nothing that is not finite. */
#include "check.h"

/* ---- captures whose truth is known ----------------------------------------------------------- */

#define ARM_UPPER 0.29
#define ARM_FORE  0.18

static const snw_vec3 shoulders[2] = {{0.19, 0.055, 0}, {-0.19, 0.055, 0}};

typedef struct known_capture {
    snw_avatar_capture capture;
    snw_avatar_frame frame[900];
    snw_vec3 elbow[1800];
} known_capture;

/* Trackers sit in their usual places, turned anyhow: `mount` takes the bone's frame to theirs. */
static void set_tracker(snw_avatar_frame *frame, int role, snw_xform bone, snw_vec3 place,
                        snw_quat mount)
{
    frame->is_present[role] = true;
    frame->world_from_tracker[role] =
        snw_xform_make(snw_quat_mul(bone.rotation, mount), snw_xform_point(bone, place));
}

/* The elbow of this person: below and outside the line to the hand. */
static snw_vec3 true_elbow(snw_vec3 shoulder, snw_vec3 wrist, int side)
{
    snw_sphere upper = {shoulder, ARM_UPPER}, lower = {wrist, ARM_FORE};
    snw_elbow_circle circle = snw_elbow_circle_make(upper, lower, snw_vec3_make(0, 1, 0),
                                                    snw_vec3_make(side ? -1 : 1, 0, 0));
    return snw_elbow_at(&circle, snw_radians(-60));
}

/* One second of T-pose, then both hands on smooth paths in front of the body; `scene` moves all. */
static known_capture *make_capture(snw_xform scene, snw_quat mount)
{
    known_capture *made = calloc(1, sizeof *made);
    made->capture.frame_count = 900;
    made->capture.rate = 100;
    made->capture.up = snw_quat_rotate(scene.rotation, snw_vec3_make(0, 1, 0));
    made->capture.frame = made->frame;
    made->capture.elbow = made->elbow;
    made->capture.allocator = snw_allocator_default();
    for (int f = 0; f < 900; f++) {
        snw_avatar_frame *frame = &made->frame[f];
        double t = f < 100 ? 0 : 0.01 * (f - 100);
        frame->time = 0.01 * f;
        snw_xform chest = snw_xform_mul(
            scene, snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 0.3 * sin(t)),
                                  snw_vec3_make(0.2 * sin(0.5 * t), 1.2, 0.1 * t)));
        snw_xform head = snw_xform_mul(
            chest, snw_xform_make(snw_quat_identity(), snw_vec3_make(0, 0.18, -0.01)));
        set_tracker(frame, SNW_AVATAR_CHEST, chest, snw_vec3_make(0, 0.05, 0.12), mount);
        set_tracker(frame, SNW_AVATAR_HEAD, head, snw_vec3_make(0, 0.10, 0.08), mount);
        for (int side = 0; side < 2; side++) {
            double sign = side ? -1 : 1, length = ARM_UPPER + ARM_FORE;
            double share = f < 100 ? 1 : 0.8 + 0.19 * sin(2 * t + side);
            snw_vec3 way = snw_vec3_unit(
                f < 100 ? snw_vec3_make(sign, 0, 0)
                        : snw_vec3_make(sign * (0.3 + 0.3 * sin(t)), -0.6 * cos(1.3 * t), 0.8),
                snw_vec3_make(1, 0, 0));
            snw_vec3 wrist = snw_vec3_add_scaled(shoulders[side], share * length, way);
            snw_vec3 elbow = true_elbow(shoulders[side], wrist, side);
            snw_vec3 fore = snw_vec3_scale(snw_vec3_sub(wrist, elbow), sign);
            snw_quat turn = snw_quat_between(snw_vec3_make(1, 0, 0), fore);
            snw_xform hand = snw_xform_mul(chest, snw_xform_make(turn, wrist));
            set_tracker(frame, SNW_AVATAR_LEFT_HAND + side, hand,
                        snw_vec3_make(sign * 0.03, 0.02, 0), mount);
            made->elbow[2 * f + side] = snw_xform_point(chest, elbow);
        }
    }
    return made;
}

static snw_avatar_profile calibrated(const known_capture *made, bool learns)
{
    snw_avatar_profile profile;
    snw_error error;
    assert_int_equal(snw_avatar_calibrate(&made->capture, NULL, &profile, NULL, &error), SNW_OK);
    if (learns) assert_int_equal(snw_avatar_learn(&profile, &made->capture, NULL, &error), SNW_OK);
    return profile;
}

static snw_vec3 joint_place(const snw_pose *pose, const char *name)
{
    return pose->world[snw_skeleton_find_joint(pose->skeleton, name)].translation;
}

/* ---- circle, arc, line ----------------------------------------------------------------------- */

/* Values of the verified reference, 9 digits: tolerance 1e-8. */
static void elbow_circle_agrees_with_verified_numbers(void **state)
{
    (void)state;
    snw_sphere upper = {{0, 1.4, 0}, 0.3}, lower = {{0.35, 1.2, 0.25}, 0.26};
    snw_vec3 u = snw_vec3_unit(snw_vec3_sub(lower.center, upper.center), upper.center);
    snw_vec3 outward = snw_vec3_cross(u, snw_vec3_make(0, 1, 0));
    snw_elbow_circle circle = snw_elbow_circle_make(upper, lower, snw_vec3_make(0, 1, 0), outward);
    check_vec3_near(circle.center, snw_vec3_make(0.192422222, 1.290044444, 0.137444444), 1e-8);
    check_near(circle.radius, 0.148298648, 1e-8);
    check_vec3_near(snw_elbow_at(&circle, snw_radians(-52.4902)),
                    snw_vec3_make(0.099575674, 1.183374654, 0.182093780), 1e-8);
    check_vec3_near(snw_elbow_at(&circle, 0), snw_vec3_make(0.106225384, 1.290044444, 0.258120018),
                    1e-8);
    for (double e = -3; e <= 3; e += 0.5)
        check_near(snw_elbow_elevation(&circle, snw_elbow_at(&circle, e)), e, 1e-12);
}

static void out_of_reach_is_straight_and_too_near_is_folded(void **state)
{
    (void)state;
    const snw_vec3 up = {0, 1, 0}, out = {1, 0, 0};
    snw_sphere upper = {{0, 0, 0}, 0.3}, far = {{0, 0, 0.9}, 0.2}, near = {{0, 0, 0.05}, 0.2};
    snw_elbow_circle circle = snw_elbow_circle_make(upper, far, up, out);
    assert_int_equal(circle.meet, SNW_MEET_APART);
    check_vec3_near(snw_elbow_at(&circle, 1), snw_vec3_make(0, 0, 0.3), 1e-12);
    circle = snw_elbow_circle_make(upper, near, up, out);
    assert_int_equal(circle.meet, SNW_MEET_NESTED);
    check_vec3_near(snw_elbow_at(&circle, 1), snw_vec3_make(0, 0, 0.3), 1e-12);
}

static void arc_keeps_what_is_inside_and_takes_the_nearer_end(void **state)
{
    (void)state;
    double middle = snw_radians(-45), half = snw_radians(90);
    check_near(snw_elbow_arc_clamp(0.2, middle, half), 0.2, 1e-12);
    check_near(snw_elbow_arc_clamp(snw_radians(60), middle, half), snw_radians(45), 1e-12);
    check_near(snw_elbow_arc_clamp(snw_radians(170), middle, half), snw_radians(-135), 1e-12);
}

/* ---- Table 4.1 ------------------------------------------------------------------------------- */

static void reach_sets_are_those_of_table_4_1(void **state)
{
    (void)state;
    static const struct {
        int links;
        const char *joint[3];
        snw_reach_shape shape, special;
    } rows[] = {
        {1, {NULL, NULL, NULL}, SNW_REACH_POINT, SNW_REACH_POINT},
        {2, {"F", NULL, NULL}, SNW_REACH_CIRCLE, SNW_REACH_CIRCLE},
        {2, {"T", NULL, NULL}, SNW_REACH_CIRCLE, SNW_REACH_CIRCLE},
        {2, {"TT", NULL, NULL}, SNW_REACH_CIRCLE, SNW_REACH_CIRCLE},
        {2, {"FF", NULL, NULL}, SNW_REACH_SPHERE, SNW_REACH_SPHERE},
        {2, {"FT", NULL, NULL}, SNW_REACH_SPHERE, SNW_REACH_SPHERE},
        {2, {"S", NULL, NULL}, SNW_REACH_SPHERE, SNW_REACH_SPHERE},
        {3, {"F", "F", NULL}, SNW_REACH_POINT, SNW_REACH_POINT},
        {3, {"FF", "S", NULL}, SNW_REACH_POINT, SNW_REACH_POINT},
        {3, {"S", "F", NULL}, SNW_REACH_POINT, SNW_REACH_POINT},
        {4, {"F", "F", "T"}, SNW_REACH_TWO_POINTS, SNW_REACH_TWO_POINTS},
        {4, {"FF", "F", "F"}, SNW_REACH_TWO_POINTS, SNW_REACH_CIRCLE},
        {4, {"FF", "F", "FT"}, SNW_REACH_CIRCLE, SNW_REACH_CIRCLE},
        {4, {"TT", "F", "TT"}, SNW_REACH_TWO_POINTS, SNW_REACH_TWO_POINTS},
        {4, {"S", "F", "F"}, SNW_REACH_TWO_POINTS, SNW_REACH_CIRCLE},
        {4, {"S", "F", "TT"}, SNW_REACH_TWO_POINTS, SNW_REACH_CIRCLE},
        {4, {"S", "F", "S"}, SNW_REACH_CIRCLE, SNW_REACH_CIRCLE},
    };
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        snw_reach_set set;
        assert_int_equal(snw_reach_analyse(rows[n].joint, rows[n].links, &set, NULL), SNW_OK);
        assert_int_equal(set.shape, rows[n].shape);
        assert_int_equal(set.special, rows[n].special);
    }
    /* The arm (4.3.3): spherical, flexion, spherical: a circle, and no roll is free. */
    const char *const arm[] = {"S", "F", "S"}, *const loose[] = {"S", "T", "S"};
    snw_reach_set set;
    assert_int_equal(snw_reach_analyse(arm, 4, &set, NULL), SNW_OK);
    assert_false(set.is_roll_free[0] || set.is_roll_free[1]);
    assert_int_equal(snw_reach_analyse(loose, 4, &set, NULL), SNW_OK);
    assert_true(set.is_roll_free[0] && set.is_roll_free[1]);
    const char *const wrong[] = {"X"};
    assert_int_equal(snw_reach_analyse(wrong, 2, &set, NULL), SNW_INVALID_ARGUMENT);
}

/* ---- calibration ----------------------------------------------------------------------------- */

/* The usual places are exactly right here and the arm is nearly straightened, so what is left is
 * the width's prior: 1 cm. */
static void t_pose_gives_offsets_and_arm_length(void **state)
{
    (void)state;
    snw_quat mount = snw_quat_from_axis_angle(snw_vec3_make(1, 2, -1), 1.1);
    snw_xform scene = snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 2.0),
                                     snw_vec3_make(1, 0, -2));
    known_capture *made = make_capture(scene, mount);
    snw_avatar_profile profile = calibrated(made, false);
    for (int side = 0; side < 2; side++) {
        check_near(profile.upper_arm[side] + profile.forearm[side], ARM_UPPER + ARM_FORE, 0.015);
        check_vec3_near(profile.shoulder[side], shoulders[side], 0.015);
    }
    free(made);
}

/* Elbows are exact: what the priors leave is below 4 mm. The wrist never bends here, so that along
 * the forearm its place is the calibration's guess: 15 mm. */
static void elbows_teach_bones_and_wrists(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    snw_avatar_profile profile = calibrated(made, true);
    for (int side = 0; side < 2; side++) {
        check_near(profile.upper_arm[side], ARM_UPPER, 0.004);
        check_near(profile.forearm[side], ARM_FORE, 0.015);
        check_vec3_near(profile.shoulder[side], shoulders[side], 0.004);
    }
    free(made);
}

static void no_t_pose_is_a_sentence(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    made->capture.frame = made->frame + 200;
    made->capture.frame_count = 600;
    snw_avatar_profile profile;
    snw_error error;
    assert_int_equal(snw_avatar_calibrate(&made->capture, NULL, &profile, NULL, &error),
                     SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "T-pose"));
    free(made);
}

/* Both hands as far apart as a T-pose wants, but one of them on the chest. */
static void a_hand_on_the_chest_is_no_t_pose(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
        snw_avatar_profile profile;
        snw_error error;
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
            made->capture.is_at_joint[role] = true; /* so that their places are the joints' */
        for (int f = 0; f < made->capture.frame_count; f++) {
            snw_xform *tracker = made->frame[f].world_from_tracker;
            tracker[SNW_AVATAR_LEFT_HAND + side].translation =
                tracker[SNW_AVATAR_CHEST].translation;
            tracker[SNW_AVATAR_RIGHT_HAND - side].translation.x += side ? 0.4 : -0.4;
        }
        assert_int_equal(snw_avatar_calibrate(&made->capture, NULL, &profile, NULL, &error),
                         SNW_DEGENERATE);
        assert_non_null(strstr(error.message, side ? "right arm" : "left arm"));
        free(made);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Wrists are exact to round-off, or to the 2 mm by which a wrist may give way to a calm elbow;
 * bones keep their lengths to round-off. */
static void hands_are_at_their_trackers_by_every_method(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    snw_avatar_profile profile = calibrated(made, true);
    snw_state_space *space = NULL;
    assert_int_equal(snw_state_space_create(&profile, &made->capture, NULL, &space, NULL), SNW_OK);
    for (int method = 0; method < SNW_AVATAR_METHOD_COUNT; method++) {
        snw_avatar_options options = snw_avatar_options_default();
        snw_avatar *avatar = NULL;
        snw_pose *pose = NULL;
        options.method = (snw_avatar_method)method;
        options.state_space = space;
        assert_int_equal(snw_avatar_create(&profile, &options, NULL, &avatar, NULL), SNW_OK);
        assert_int_equal(snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL), SNW_OK);
        for (int f = 0; f < made->capture.frame_count; f++) {
            snw_avatar_report report;
            snw_avatar_step(avatar, &made->frame[f], pose, &report);
            for (int side = 0; side < 2; side++) {
                int role = SNW_AVATAR_LEFT_HAND + side;
                snw_vec3 wrist = joint_place(pose, side ? "right_wrist" : "left_wrist");
                snw_vec3 elbow = joint_place(pose, side ? "right_elbow" : "left_elbow");
                snw_vec3 shoulder = joint_place(pose, side ? "right_shoulder" : "left_shoulder");
                snw_xform hand = snw_xform_mul(made->frame[f].world_from_tracker[role],
                                               profile.tracker_from_bone[role]);
                check_near(snw_vec3_distance(elbow, shoulder), profile.upper_arm[side], 1e-9);
                check_near(snw_vec3_distance(elbow, wrist), profile.forearm[side], 1e-9);
                if (!report.is_out_of_reach[side])
                    check_vec3_near(wrist, hand.translation, 0.002 + 1e-9);
                int joint =
                    snw_skeleton_find_joint(pose->skeleton, side ? "right_wrist" : "left_wrist");
                check_quat_near(pose->world[joint].rotation, hand.rotation, 1e-7);
            }
        }
        assert_true(snw_pose_violation(pose) < 1e-9);
        snw_pose_destroy(pose);
        snw_avatar_destroy(avatar);
    }
    snw_state_space_destroy(space);
    free(made);
}

/* A hand on a table while the body comes down over it by 12 mm a frame: the elbow goes 2.5 times
 * the least hand step (2 mm) a frame, the hand stays where its tracker is, bones keep their
 * lengths. */
static void an_elbow_does_not_run_ahead_of_a_hand_that_stands(void **state)
{
    (void)state;
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    snw_avatar_report report;
    snw_vec3 last = snw_vec3_make(0, 0, 0);
    assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < 8; f++) {
        snw_avatar_frame frame;
        memset(&frame, 0, sizeof frame);
        frame.time = f / 120.0;
        snw_vec3 place = snw_vec3_make(0, 1.3 - 0.012 * f, 0);
        snw_xform chest = snw_xform_make(snw_quat_identity(), place);
        snw_vec3 reach = snw_vec3_make(0.05, -0.34, 0.2); /* of the first frame's chest */
        snw_vec3 wrist =
            snw_vec3_add(snw_vec3_make(0, 1.3, 0), snw_vec3_add(profile.shoulder[0], reach));
        snw_xform hand =
            snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), -0.5 * SNW_PI), wrist);
        const snw_quat upright = snw_quat_identity();
        snw_xform head = chest;
        head.translation.y += 0.18;
        set_tracker(&frame, SNW_AVATAR_CHEST, chest, snw_vec3_make(0, 0.05, 0.12), upright);
        set_tracker(&frame, SNW_AVATAR_HEAD, head, snw_vec3_make(0, 0.10, 0.08), upright);
        set_tracker(&frame, SNW_AVATAR_LEFT_HAND, hand, snw_vec3_make(0.03, 0.02, 0), upright);
        snw_avatar_step(avatar, &frame, pose, &report);
        snw_vec3 elbow = joint_place(pose, "left_elbow");
        if (f) assert_true(snw_vec3_distance(elbow, last) <= 2.5 * 0.002 + 1e-9);
        check_near(snw_vec3_distance(elbow, joint_place(pose, "left_shoulder")),
                   profile.upper_arm[0], 1e-9);
        check_vec3_near(joint_place(pose, "left_wrist"), wrist, 1e-9);
        last = elbow;
    }
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
}

/* A shoulder that the capture shows is where it is shown, as far as the collar bone reaches. */
static void shoulders_are_followed_where_they_are_shown(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    snw_avatar_profile profile = calibrated(made, false);
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL), SNW_OK);
    snw_avatar_frame frame = made->frame[300];
    snw_avatar_step(avatar, &frame, pose, NULL);
    snw_vec3 rest = joint_place(pose, "left_shoulder");
    frame.has_shoulder[0] = true;
    frame.shoulder[0] = snw_vec3_add(rest, snw_vec3_make(0, 0.03, 0.01));
    snw_avatar_reset(avatar);
    snw_avatar_step(avatar, &frame, pose, NULL);
    /* A shrug of 32 mm at the end of a bone of 170 mm shortens it by 3 mm. */
    check_vec3_near(joint_place(pose, "left_shoulder"), frame.shoulder[0], 0.004);
    frame.shoulder[0].x = NAN;
    snw_avatar_reset(avatar);
    snw_avatar_step(avatar, &frame, pose, NULL);
    check_vec3_near(joint_place(pose, "left_shoulder"), rest, 1e-9);
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
    free(made);
}

/* The printed line: E = 1.364432 H - 52.4902, at H = 30 degrees -11.5572. */
static void hand_elevation_follows_the_printed_line(void **state)
{
    (void)state;
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    check_near(profile.elevation[0] * 30 + profile.elevation[1], -11.55724, 1e-6);
    check_near(profile.elevation[1], -52.4902, 0);
}

static snw_xform mirrored(snw_xform x)
{
    return snw_xform_make(snw_quat_make(x.rotation.w, x.rotation.x, -x.rotation.y, -x.rotation.z),
                          snw_vec3_make(-x.translation.x, x.translation.y, x.translation.z));
}

/* Float regression on inputs that differ by round-off: 1e-5 of a metre. */
static void mirror_image_gives_mirror_image(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    snw_avatar *a = NULL, *b = NULL;
    snw_pose *pa = NULL, *pb = NULL;
    assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &a, NULL), SNW_OK);
    assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &b, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_avatar_skeleton(a), NULL, &pa, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_avatar_skeleton(b), NULL, &pb, NULL), SNW_OK);
    for (int f = 0; f < made->capture.frame_count; f++) {
        snw_avatar_frame other = made->frame[f];
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
            int from = role == SNW_AVATAR_LEFT_HAND    ? SNW_AVATAR_RIGHT_HAND
                       : role == SNW_AVATAR_RIGHT_HAND ? SNW_AVATAR_LEFT_HAND
                                                       : role;
            other.world_from_tracker[role] = mirrored(made->frame[f].world_from_tracker[from]);
        }
        snw_avatar_step(a, &made->frame[f], pa, NULL);
        snw_avatar_step(b, &other, pb, NULL);
        snw_vec3 left = joint_place(pa, "left_elbow");
        check_vec3_near(joint_place(pb, "right_elbow"), snw_vec3_make(-left.x, left.y, left.z),
                        1e-5);
    }
    snw_pose_destroy(pa);
    snw_pose_destroy(pb);
    snw_avatar_destroy(a);
    snw_avatar_destroy(b);
    free(made);
}

static void nothing_that_is_not_finite_leaves(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    snw_avatar_profile profile = calibrated(made, false);
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    snw_random random = snw_random_seed(3, 1);
    assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL), SNW_OK);
    for (int n = 0; n < 4000; n++) {
        snw_avatar_frame frame = made->frame[n % 900];
        double *numbers = (double *)frame.world_from_tracker;
        static const double bad[] = {NAN, INFINITY, -INFINITY, 0, 1e300, -1e-320, 1e5};
        int at = (int)snw_random_below(&random, SNW_AVATAR_ROLE_COUNT * 7);
        numbers[at] = bad[snw_random_below(&random, 7)];
        frame.is_present[snw_random_below(&random, SNW_AVATAR_ROLE_COUNT)] = n % 3 == 0;
        frame.time = n % 50 == 0 ? bad[snw_random_below(&random, 7)] : 0.01 * n;
        snw_avatar_step(avatar, &frame, pose, NULL);
        for (int j = 0; j < pose->skeleton->joint_count; j++) {
            assert_true(snw_vec3_is_finite(pose->world[j].translation));
            assert_true(snw_quat_is_finite(pose->world[j].rotation));
        }
    }
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
    free(made);
}

/* ---- saved and reloaded ---------------------------------------------------------------------- */

static void profile_comes_back_as_it_was(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    snw_avatar_profile profile = calibrated(made, true), back;
    profile.elevation_sign = -1;
    snw_actor *actor = NULL, *again = NULL;
    snw_error error;
    assert_int_equal(snw_avatar_profile_to_actor(&profile, NULL, &actor, &error), SNW_OK);
    size_t size = snw_actor_print(actor, NULL, 0);
    char *text = malloc(size + 1);
    snw_actor_print(actor, text, size + 1);
    assert_int_equal(snw_actor_parse(text, size, NULL, &again, &error), SNW_OK);
    assert_int_equal(snw_avatar_profile_from_actor(again, &back, &error), SNW_OK);
    for (int row = 0; row < SNW_AVATAR_SWIVEL_ROWS; row++)
        assert_memory_equal(profile.swivel[row], back.swivel[row], sizeof back.swivel[row]);
    /* Sums and halves of lengths round once or twice. */
    for (int side = 0; side < 2; side++) {
        check_vec3_near(back.shoulder[side], profile.shoulder[side], 1e-15);
        check_near(back.upper_arm[side], profile.upper_arm[side], 1e-15);
        check_near(back.forearm[side], profile.forearm[side], 1e-15);
    }
    check_vec3_near(back.neck, profile.neck, 1e-15);
    check_near(back.neck_length, profile.neck_length, 1e-15);
    check_near(back.thigh + back.shank + back.ankle, profile.thigh + profile.shank + profile.ankle,
               1e-15);
    check_near(back.chest_height, profile.chest_height, 0);
    check_near(back.elevation_sign, -1, 0);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        assert_int_equal(back.has_tracker[role], profile.has_tracker[role]);
        if (!back.has_tracker[role]) continue;
        check_vec3_near(back.tracker_from_bone[role].translation,
                        profile.tracker_from_bone[role].translation, 0);
        check_quat_near(back.tracker_from_bone[role].rotation,
                        profile.tracker_from_bone[role].rotation, 1e-15);
    }
    /* A hand is no upper body. */
    snw_hand_profile hand = snw_hand_profile_default(SNW_SIDE_LEFT, 0.19);
    snw_actor_destroy(again);
    assert_int_equal(snw_hand_profile_to_actor(&hand, NULL, &again, &error), SNW_OK);
    assert_int_equal(snw_avatar_profile_from_actor(again, &back, &error), SNW_FORMAT);
    assert_int_equal(snw_hand_profile_from_actor(actor, &hand, &error), SNW_FORMAT);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
    free(text);
    free(made);
}

static void state_space_comes_back_and_answers_alike(void **state)
{
    (void)state;
    known_capture *made = make_capture(snw_xform_identity(), snw_quat_identity());
    for (int f = 0; f < 900; f++) /* one place, 900 hits: one cell of each arm counts */
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
            made->frame[f].world_from_tracker[role] = made->frame[300].world_from_tracker[role];
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    snw_state_space *space = NULL, *back = NULL;
    size_t size = 0;
    assert_int_equal(snw_state_space_create(&profile, &made->capture, NULL, &space, NULL), SNW_OK);
    assert_int_equal(snw_state_space_cell_count(space), 2);
    (void)snw_state_space_print(space, NULL, 0, &size, NULL);
    char *text = malloc(size + 1);
    assert_int_equal(snw_state_space_print(space, text, size + 1, &size, NULL), SNW_OK);
    assert_int_equal(snw_state_space_parse(text, size, NULL, &back, NULL), SNW_OK);
    assert_int_equal(snw_state_space_cell_count(back), 2);
    text[size / 2] = 'x';
    snw_state_space *broken = NULL;
    assert_int_equal(snw_state_space_parse(text, size, NULL, &broken, NULL), SNW_FORMAT);
    free(text);
    snw_state_space_destroy(space);
    snw_state_space_destroy(back);
    free(made);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void labels_name_their_trackers(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        snw_avatar_role role;
    } rows[] = {{"head", SNW_AVATAR_HEAD},
                {"Human3:LHAN", SNW_AVATAR_LEFT_HAND},
                {"RightWrist", SNW_AVATAR_RIGHT_HAND},
                {"controller_left", SNW_AVATAR_LEFT_HAND},
                {"R Foot", SNW_AVATAR_RIGHT_FOOT},
                {"Pelvis", SNW_AVATAR_WAIST},
                {"TOOL1", SNW_AVATAR_ROLE_COUNT},
                {"", SNW_AVATAR_ROLE_COUNT}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++)
        assert_int_equal(snw_avatar_role_from_label(rows[n].label), rows[n].role);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elbow_circle_agrees_with_verified_numbers),
        cmocka_unit_test(out_of_reach_is_straight_and_too_near_is_folded),
        cmocka_unit_test(arc_keeps_what_is_inside_and_takes_the_nearer_end),
        cmocka_unit_test(reach_sets_are_those_of_table_4_1),
        cmocka_unit_test(t_pose_gives_offsets_and_arm_length),
        cmocka_unit_test(elbows_teach_bones_and_wrists),
        cmocka_unit_test(no_t_pose_is_a_sentence),
        cmocka_unit_test(a_hand_on_the_chest_is_no_t_pose),
        cmocka_unit_test(hands_are_at_their_trackers_by_every_method),
        cmocka_unit_test(an_elbow_does_not_run_ahead_of_a_hand_that_stands),
        cmocka_unit_test(shoulders_are_followed_where_they_are_shown),
        cmocka_unit_test(hand_elevation_follows_the_printed_line),
        cmocka_unit_test(mirror_image_gives_mirror_image),
        cmocka_unit_test(nothing_that_is_not_finite_leaves),
        cmocka_unit_test(profile_comes_back_as_it_was),
        cmocka_unit_test(state_space_comes_back_and_answers_alike),
        cmocka_unit_test(labels_name_their_trackers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

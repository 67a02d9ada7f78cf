/* The T-pose of people as captures give them: sides that are estimated apart do not tilt it. */
#include <math.h>
#include <string.h>

#include <sinew/sinew.h>

#include "corpus_solve.h"

/* Degrees that a wrist's markers slide over the skin about the bone: 23 in vicon_nick, 15 and less
 * in all others. */
#define PALM_MOST 25.0

typedef struct rest_pose {
    const snw_skeleton *skeleton;
    snw_vec3 place[128];
} rest_pose;

static int find(const rest_pose *rest, const char *name)
{
    return snw_skeleton_find_joint(rest->skeleton, name);
}

static snw_vec3 place_of(const rest_pose *rest, const char *name)
{
    int joint = find(rest, name);
    if (joint < 0) fail_msg("there is no %s", name);
    return rest->place[joint];
}

static void stand(rest_pose *rest, const snw_skeleton *skeleton)
{
    rest->skeleton = skeleton;
    assert_true(skeleton->joint_count <= 128);
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        rest->place[j] = skeleton->rest[j].translation;
        if (parent >= 0) rest->place[j] = snw_vec3_add(rest->place[parent], rest->place[j]);
    }
}

/* The bone from a joint to another points as it should; both sides in the same way. */
static void check_direction(const rest_pose *rest, const char *from, const char *to,
                            snw_vec3 wanted)
{
    if (find(rest, from) < 0 || find(rest, to) < 0) return;
    snw_vec3 bone = snw_vec3_sub(place_of(rest, to), place_of(rest, from));
    check_near(snw_vec3_distance(snw_vec3_unit(bone, wanted), wanted), 0, 1e-6);
}

static void check_limbs(const rest_pose *rest)
{
    static const char *const sides[2] = {"Left", "Right"};
    static const char *const arms[] = {"Arm", "ForeArm", "Hand"};
    static const char *const legs[] = {"UpLeg", "Leg", "Foot"};
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < 2; n++) {
            char from[32], to[32];
            snw_format(from, sizeof from, "%s%s", sides[s], arms[n]);
            snw_format(to, sizeof to, "%s%s", sides[s], arms[n + 1]);
            check_direction(rest, from, to, snw_vec3_make(s ? -1 : 1, 0, 0));
            snw_format(from, sizeof from, "%s%s", sides[s], legs[n]);
            snw_format(to, sizeof to, "%s%s", sides[s], legs[n + 1]);
            check_direction(rest, from, to, snw_vec3_make(0, -1, 0));
        }
}

/* Feet lead forward and down by one angle, and to no side: their soles are flat. */
static void check_feet(const rest_pose *rest)
{
    static const char *const feet[2] = {"LeftFoot", "RightFoot"};
    snw_vec3 toe[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int s = 0; s < 2; s++) {
        int foot = find(rest, feet[s]);
        if (foot < 0 || !rest->skeleton->has_tip[foot]) return;
        toe[s] = snw_vec3_unit(rest->skeleton->tip[foot], snw_vec3_make(0, 0, 0));
        check_near(toe[s].x, 0, 1e-6);
        assert_true(toe[s].z > 0.8);
    }
    check_near(toe[0].y, toe[1].y, 1e-6);
}

static void check_rest(const rest_pose *rest)
{
    snw_vec3 left = place_of(rest, "LeftUpLeg"), right = place_of(rest, "RightUpLeg");
    check_near(left.y, right.y, 0.001);
    double middle = 0.5 * (left.x + right.x);
    if (find(rest, "Neck") >= 0) check_near(place_of(rest, "Neck").x, middle, 0.01);
    if (find(rest, "Head") >= 0) check_near(place_of(rest, "Head").x, middle, 0.01);
    if (find(rest, "LeftShoulder") >= 0 && find(rest, "RightShoulder") >= 0 &&
        find(rest, "LeftArm") >= 0 && find(rest, "RightArm") >= 0) {
        snw_vec3 apart = snw_vec3_sub(place_of(rest, "LeftArm"), place_of(rest, "RightArm"));
        check_near(apart.y, 0, 0.01);
        check_near(apart.z, 0, 0.01);
        /* Upper arms of one person are not at the middle, however short a collar bone is. */
        assert_true(place_of(rest, "LeftArm").x > middle + 0.08);
        assert_true(place_of(rest, "RightArm").x < middle - 0.08);
    }
    check_limbs(rest);
    check_feet(rest);
}

/* Both sides are one: mirrored in the plane through the root, what is in the middle lies in it.
 * Bones that exist on one side only are none of it. */
static void check_equal(const rest_pose *rest)
{
    const snw_skeleton *skeleton = rest->skeleton;
    double middle = rest->place[0].x;
    int pairs = 0;
    for (int j = 1; j < skeleton->joint_count; j++) {
        const char *name = skeleton->name[j];
        char twin[96];
        snw_side side;
        (void)snw_rig_part_of(skeleton, j, &side);
        if (side == SNW_SIDE_NONE) check_near(rest->place[j].x, middle, 1e-9);
        if (strncmp(name, "Left", 4) != 0) continue;
        snw_format(twin, sizeof twin, "Right%s", name + 4);
        int other = find(rest, twin);
        if (other < 0) continue;
        snw_vec3 a = rest->place[j], b = rest->place[other];
        check_near(snw_vec3_distance(a, snw_vec3_make(2 * middle - b.x, b.y, b.z)), 0, 1e-9);
        pairs++;
    }
    assert_true(pairs >= 3); /* the legs */
}

/* The captured markers of a wrist, from the little finger's side to the thumb's, carried into the
 * T-pose with the forearm: thumbs point forward, so palms face down. How far off, degrees; -1: the
 * capture does not show both sides of the wrist. */
static double palm_error(const corpus_solved *solved, const snw_motion *rigged, snw_side side)
{
    static const char *const forearms[SNW_SIDES] = {"LeftForeArm", "RightForeArm"};
    int marker[2] = {-1, -1}, forearm = snw_skeleton_find_joint(rigged->skeleton, forearms[side]);
    const snw_trial *trial = solved->trial;
    for (int m = 0; m < solved->solution->body->actor->marker_count; m++) {
        const char *name = solved->solution->body->actor->marker[m].name;
        snw_label label = snw_label_read(name);
        int spot = label.spot == SNW_SPOT_MEDIAL ? 0 : label.spot == SNW_SPOT_LATERAL ? 1 : -1;
        if (label.joint != SNW_PART_HAND || label.side != side || spot < 0) continue;
        marker[spot] = snw_trial_find_marker(trial, name);
    }
    if (forearm < 0 || marker[0] < 0 || marker[1] < 0) return -1;
    snw_pose *pose = NULL;
    snw_vec3 sum = {0, 0, 0};
    assert_int_equal(snw_pose_create(rigged->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < rigged->frame_count; f++) {
        if (!snw_trial_is_present(trial, f, marker[0]) ||
            !snw_trial_is_present(trial, f, marker[1]))
            continue;
        snw_motion_get(rigged, f, pose);
        snw_pose_forward(pose);
        snw_vec3 across = snw_vec3_sub(snw_trial_position(trial, f, marker[1]),
                                       snw_trial_position(trial, f, marker[0]));
        sum = snw_vec3_add(sum, snw_quat_unrotate(pose->world[forearm].rotation, across));
    }
    snw_pose_destroy(pose);
    return snw_degrees(atan2(fabs(sum.y), sum.z));
}

/* Without and with what the actor knows. */
static double worst_palm[2];
static int palms;

static void check_palms(const corpus_solved *solved, const char *file, bool has_thumbs)
{
    snw_rig_options options = snw_rig_options_default();
    snw_motion *rigged = NULL;
    for (int side = 0; has_thumbs && side < SNW_SIDES; side++)
        options.thumb[side] = snw_actor_thumb(solved->solution->body->actor, (snw_side)side);
    assert_int_equal(snw_motion_to_rig(solved->motion, &options, NULL, &rigged, NULL, NULL),
                     SNW_OK);
    for (int side = 0; side < SNW_SIDES; side++) {
        double error = palm_error(solved, rigged, (snw_side)side);
        palms += error >= 0 && has_thumbs;
        worst_palm[has_thumbs] = fmax(worst_palm[has_thumbs], error);
        if (has_thumbs && error > PALM_MOST)
            fail_msg("%s: palm %d is %.1f degrees off", file, side, error);
    }
    snw_motion_destroy(rigged);
}

static void check_capture(const char *folder, const char *file, bool is_straight)
{
    corpus_solved solved = corpus_solve(folder, file);
    snw_rig_options options = snw_rig_options_default();
    for (int n = 0; n < 2; n++) {
        snw_motion *rigged = NULL;
        snw_error error;
        rest_pose rest;
        options.is_symmetric = n == 1;
        if (snw_motion_to_rig(solved.motion, &options, NULL, &rigged, NULL, &error) != SNW_OK)
            fail_msg("%s: %s", file, error.message);
        stand(&rest, rigged->skeleton);
        if (n == 1) check_equal(&rest);
        if (n == 1 || is_straight) check_rest(&rest);
        snw_motion_destroy(rigged);
    }
    check_palms(&solved, file, false);
    check_palms(&solved, file, true);
    corpus_release(&solved);
}

/* Their sides are estimated so far apart (all are amber or red) that no turn of the joints makes
 * them level: only bones of equal length do. */
static void crooked_people_can_be_made_straight(void **state)
{
    (void)state;
    static const char *const files[] = {
        "c3d_body/labelled_prone_to_run.c3d", "c3d_body/unlabelled_kneel_to_run.c3d",
        "c3d_odd/optitrack_mocap36.c3d", "c3d_producers/optotrak.c3d"};
    for (size_t n = 0; n < sizeof files / sizeof *files; n++)
        check_capture(corpus_folder(), files[n], false);
}

static void people_stand_straight_at_rest(void **state)
{
    (void)state;
    const char *folder = corpus_folder();
    static const char *const files[] = {
        "c3d_body/cmu_02_01_walk.c3d",
        "c3d_body/cmu_02_05_punch.c3d",
        "c3d_body/cmu_85_12_breakdance.c3d",
        "c3d_body/cmu_basketball_dec_int.c3d",
        "c3d_body/optitrack_tennis_nan.c3d",
        "c3d_body/qualisys_rolling_gaps.c3d",
        "c3d_body/vicon_nick_freeform_gaps.c3d",
        "c3d_functional/biobuddy_right_hip.c3d",
        "c3d_functional/biobuddy_right_knee.c3d",
        "c3d_gait/pig_full_static.c3d",
        "c3d_gait/pig_full_walk.c3d",
        "c3d_gait/pig_sample03_walk.c3d",
        "c3d_gait/pig_sample09_walk.c3d",
        "c3d_odd/MACsample.c3d",
        "c3d_odd/badParameterOffset.c3d",
        "c3d_odd/phasespace_sample.c3d",
        "c3d_producers/art_6dof_limbs.c3d",
        "c3d_producers/art_hands.c3d",
        "c3d_producers/codamotion_1997.c3d",
        "c3d_producers/cortex_walk_events.c3d",
        "c3d_producers/nexgen_imu.c3d",
        "c3d_producers/qualisys_walk_events.c3d",
        "c3d_producers/vicon_nexus_CGM24_walk.c3d",
        "c3d_producers/xsens_Basketball.c3d",
        "c3d_variants/Eb015pr.c3d",
        "people/arnold01_walk2.trc",
        "people/cknee_0401.c3d",
        "people/opencap4_DJ1.trc",
        "people/opencap4_static1.trc",
        "people/opencap4_walking1.trc",
        "people/pycgm_move.c3d",
        "people/pycgm_static.c3d",
        "people/sprinter_static.trc",
        "people/tiziana.trc",
        "trc/btk_Gait.trc",
        "trc/motek_ballet.trc",
        "trc/opencap_DJ5_unfiltered.trc",
        "trc/opensim_blanks.trc",
        "trc/opensim_crlf.trc",
        "trc/subject01_walk1.trc",
    };
    for (size_t n = 0; n < sizeof files / sizeof *files; n++)
        check_capture(folder, files[n], true);
    print_message("  %d palms, at most %.1f degrees off; %.1f without the markers\n", palms,
                  worst_palm[1], worst_palm[0]);
    assert_true(palms >= 20);
}

/* ---- feet that stand --------------------------------------------------------------------------
 */

/* A point of a foot over a motion: heel 0, toe 1. The sole is as high as the toe when the foot
 * stands in the T-pose, the heel a third of the way to the toe behind the ankle. */
static void follow_point(const snw_motion *motion, const char *name, int point, snw_vec3 *place)
{
    const snw_skeleton *skeleton = motion->skeleton;
    snw_pose *pose = NULL;
    int foot = snw_skeleton_find_joint(skeleton, name);
    assert_true(foot >= 0 && skeleton->has_tip[foot]);
    assert_int_equal(snw_pose_create(skeleton, NULL, &pose, NULL), SNW_OK);
    snw_vec3 toe = skeleton->tip[foot], heel = {0, toe.y, -toe.z / 3};
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        place[f] = snw_xform_point(pose->world[foot], point ? toe : heel);
    }
    snw_pose_destroy(pose);
}

typedef struct foot_slide {
    double before, after; /* metres, the most of all stances */
    int frames;           /* planted */
} foot_slide;

/* A point is planted while it is slower than 0.15 m/s for a tenth of a second in the motion that
 * was captured, and lies at most 30 mm above the lowest place it has. What rises does not slide. */
static void measure_slide(const snw_vec3 *was, const snw_vec3 *is, const snw_motion *motion,
                          foot_slide *slide)
{
    int count = motion->frame_count, least = (int)(0.1 * motion->rate) + 1;
    double lowest = HUGE_VAL;
    for (int f = 0; f < count; f++)
        lowest = fmin(lowest, was[f].y);
    for (int from = 1, to; from < count - 1; from = to + 1) {
        for (to = from; to < count - 1; to++)
            if (snw_vec3_distance(was[to + 1], was[to - 1]) * motion->rate / 2 > 0.15 ||
                was[to].y > lowest + 0.03)
                break;
        if (to - from < least) continue;
        snw_vec3 middle[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int f = from; f < to; f++) {
            middle[0] = snw_vec3_add_scaled(middle[0], 1.0 / (to - from), was[f]);
            middle[1] = snw_vec3_add_scaled(middle[1], 1.0 / (to - from), is[f]);
        }
        for (int f = from; f < to; f++) {
            slide->before =
                fmax(slide->before, hypot(was[f].x - middle[0].x, was[f].z - middle[0].z));
            slide->after = fmax(slide->after, hypot(is[f].x - middle[1].x, is[f].z - middle[1].z));
        }
        slide->frames += to - from;
    }
}

/* The largest turn of a joint from one frame to the next, in radians. */
static double largest_step(const snw_motion *motion)
{
    double most = 0;
    int joints = motion->skeleton->joint_count;
    for (int n = joints; n < motion->frame_count * joints; n++)
        most =
            fmax(most, snw_quat_angle_between(motion->rotation[n], motion->rotation[n - joints]));
    return most;
}

static void heels_and_toes_that_stand_do_not_slide(void **state)
{
    (void)state;
    const char *folder = corpus_folder();
    static const char *const walks[] = {"c3d_body/cmu_02_01_walk.c3d", "c3d_gait/pig_full_walk.c3d",
                                        "c3d_producers/qualisys_walk_events.c3d",
                                        "people/pycgm_move.c3d", "people/opencap4_walking1.trc"};
    static const char *const feet[] = {"LeftFoot", "RightFoot"};
    for (size_t n = 0; n < sizeof walks / sizeof *walks; n++) {
        corpus_solved solved = corpus_solve(folder, walks[n]);
        snw_rig_options options = snw_rig_options_default();
        snw_motion *was = NULL, *is = NULL;
        options.up = snw_up_direction(solved.trial->up);
        assert_int_equal(snw_motion_to_rig(solved.motion, &options, NULL, &was, NULL, NULL),
                         SNW_OK);
        options.has_foot_lock = true;
        assert_int_equal(snw_motion_to_rig(solved.motion, &options, NULL, &is, NULL, NULL), SNW_OK);
        snw_vec3 *place = calloc((size_t)was->frame_count * 2, sizeof *place);
        assert_non_null(place);
        foot_slide slide = {0, 0, 0};
        for (int k = 0; k < 4; k++) {
            follow_point(was, feet[k / 2], k % 2, place);
            follow_point(is, feet[k / 2], k % 2, place + was->frame_count);
            measure_slide(place, place + was->frame_count, was, &slide);
        }
        double steps[2] = {largest_step(was), largest_step(is)};
        print_message("  %d planted frames: slide %.1f mm, %.1f before; largest turn %.1f, %.1f\n",
                      slide.frames, 1000 * slide.after, 1000 * slide.before, snw_degrees(steps[1]),
                      snw_degrees(steps[0]));
        assert_true(slide.frames > 30);
        assert_true(slide.after <= 0.003);
        assert_true(steps[1] < steps[0] + snw_radians(4)); /* nothing jumps */
        free(place);
        snw_motion_destroy(is);
        snw_motion_destroy(was);
        corpus_release(&solved);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(people_stand_straight_at_rest),
                                       cmocka_unit_test(crooked_people_can_be_made_straight),
                                       cmocka_unit_test(heels_and_toes_that_stand_do_not_slide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A motion on other characters: onto itself nothing changes, a body twice as large goes twice as
 * far, feet that stand stay, names of other programs are understood, frames of other rest poses do
 * not matter. */
#include "check.h"
#include "studio.h"

static snw_motion *walk; /* of the ready-made body, over its own floor */

static int set_up(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_error error;
    options.seconds = 2;
    options.rate = 60;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK) return 1;
    if (snw_synth_motion_create(body, &options, NULL, &walk, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        return 1;
    }
    walk->own_skeleton = body;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    snw_motion_destroy(walk);
    return 0;
}

/* The same body with everything `scale` times as long, and all joints balls. */
static snw_skeleton *make_scaled(double scale)
{
    const snw_skeleton *old = walk->skeleton;
    snw_joint_def *defs = calloc((size_t)old->joint_count, sizeof *defs);
    snw_skeleton *body = NULL;
    for (int j = 0; j < old->joint_count; j++) {
        defs[j] = snw_skeleton_joint_def(old, j);
        defs[j].joint = snw_joint_def_default().joint;
        defs[j].joint.type = SNW_JOINT_BALL;
        defs[j].rest.translation = snw_vec3_scale(defs[j].rest.translation, scale);
        defs[j].tip = snw_vec3_scale(defs[j].tip, scale);
    }
    assert_int_equal(snw_skeleton_create(defs, old->joint_count, NULL, &body, NULL), SNW_OK);
    free(defs);
    return body;
}

static snw_motion *carry(const snw_motion *motion, const snw_skeleton *to, bool has_feet,
                         snw_retarget_report *report)
{
    snw_retarget_options options = snw_retarget_options_default();
    options.has_feet = has_feet;
    snw_motion *out = NULL;
    snw_error error;
    options.report = report;
    if (snw_motion_retarget(motion, to, &options, NULL, &out, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return out;
}

/* Largest distance of any joint between two motions, the second one divided by `scale`. */
static double farthest(const snw_motion *a, const snw_motion *b, double scale, bool flat)
{
    snw_pose *p = NULL, *q = NULL;
    double far = 0;
    assert_int_equal(snw_pose_create(a->skeleton, NULL, &p, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(b->skeleton, NULL, &q, NULL), SNW_OK);
    for (int f = 0; f < a->frame_count; f++) {
        snw_motion_get(a, f, p);
        snw_motion_get(b, f, q);
        snw_pose_forward(p);
        snw_pose_forward(q);
        for (int j = 0; j < a->skeleton->joint_count; j++) {
            snw_vec3 d = snw_vec3_sub(p->world[j].translation,
                                      snw_vec3_scale(q->world[j].translation, 1 / scale));
            if (flat) d.y = 0;
            far = fmax(far, snw_vec3_length(d));
        }
    }
    snw_pose_destroy(p);
    snw_pose_destroy(q);
    return far;
}

/* Round-off of some hundred rotations, in metres. */
#define SAME_PLACE 1e-9

static void onto_itself_nothing_changes_but_planted_feet(void **state)
{
    (void)state;
    snw_skeleton *same = make_scaled(1);
    snw_retarget_report report;
    snw_motion *out = carry(walk, same, false, &report);
    check_near(report.scale, 1, 1e-12);
    assert_int_equal(report.still_count, 0);
    check_near(farthest(walk, out, 1, false), 0, SAME_PLACE);
    snw_motion_destroy(out);
    out = carry(walk, same, true, &report);
    assert_true(report.stance_count >= 2 && report.planted_frame_count > 20);
    assert_true(report.foot_slide_before > 1e-3);
    check_near(report.foot_slide, 0, 1e-6);
    /* Knees that are all but straight move by several times what their ankle does. */
    assert_true(farthest(walk, out, 1, false) < 5 * report.foot_slide_before);
    snw_motion_destroy(out);
    snw_skeleton_destroy(same);
}

static void a_body_twice_as_large_goes_twice_as_far(void **state)
{
    (void)state;
    snw_retarget_report report;
    for (int n = 0; n < 2; n++) {
        double scale = n ? 0.55 : 2;
        snw_skeleton *other = make_scaled(scale);
        snw_motion *out = carry(walk, other, false, &report);
        check_near(report.scale, scale, 1e-9);
        check_near(report.hand_error, 0, SAME_PLACE);
        /* Heights differ by where the floor is; along it everything is scaled. */
        check_near(farthest(walk, out, scale, true), 0, SAME_PLACE);
        snw_motion_destroy(out);
        out = carry(walk, other, true, &report);
        check_near(report.foot_slide, 0, 1e-6);
        check_near(report.foot_error, 0, 1e-6);
        snw_motion_destroy(out);
        snw_skeleton_destroy(other);
    }
}

/* There and back again: the character has other frames at rest and other names. */
static void other_rest_frames_and_names_do_not_matter(void **state)
{
    (void)state;
    snw_rig_options options = snw_rig_options_default();
    for (int n = 0; n < 3; n++) {
        snw_motion *rigged = NULL;
        snw_retarget_report report;
        options.names = n == 0 ? SNW_RIG_MIXAMO : n == 1 ? SNW_RIG_UNREAL : SNW_RIG_VRM;
        options.bone_axis = n == 1 ? 'x' : 'y';
        assert_int_equal(snw_motion_to_rig(walk, &options, NULL, &rigged, NULL, NULL), SNW_OK);
        snw_motion *out = carry(walk, rigged->skeleton, false, &report);
        assert_int_equal(report.still_count, 0);
        check_near(farthest(rigged, out, 1, false), 0, SAME_PLACE);
        snw_motion *back = carry(out, walk->skeleton, false, &report);
        check_near(farthest(walk, back, 1, false), 0, 1e-6); /* limits allow 1e-9 rad */
        snw_motion_destroy(back);
        snw_motion_destroy(out);
        snw_motion_destroy(rigged);
    }
}

static void bodies_without_legs_are_refused(void **state)
{
    (void)state;
    snw_skeleton *arm = NULL;
    snw_motion *out = NULL;
    snw_error error;
    assert_int_equal(snw_preset_create("panda", NULL, &arm, NULL), SNW_OK);
    assert_int_equal(snw_motion_retarget(walk, arm, NULL, NULL, &out, &error), SNW_UNSUPPORTED);
    assert_null(out);
    assert_true(error.message[0]);
    snw_skeleton_destroy(arm);
}

/* The walk of subject 2 on five other skeletons of the corpus: planted feet stay within 5 mm. */
static void a_captured_walk_is_carried_to_five_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"05_02", "09_01", "49_06", "85_12"};
    char path[600];
    const char *folder = corpus_folder();
    snw_motion *captured = NULL;
    snprintf(path, sizeof path, "%s/bvh/02_01.bvh", folder);
    assert_int_equal(snw_read_motion_file(path, NULL, NULL, &captured, NULL, NULL), SNW_OK);
    for (int n = 0; n < 5; n++) {
        snw_motion *other = NULL;
        snw_retarget_report report;
        if (n < 4) {
            snprintf(path, sizeof path, "%s/bvh/%s.bvh", folder, characters[n]);
            assert_int_equal(snw_read_motion_file(path, NULL, NULL, &other, NULL, NULL), SNW_OK);
        }
        snw_motion *out = carry(captured, n < 4 ? other->skeleton : walk->skeleton, true, &report);
        print_message("%s: scale %.3f, slide %.2f mm, ankles off %.2f mm\n",
                      n < 4 ? characters[n] : "humanoid", report.scale, 1000 * report.foot_slide,
                      1000 * report.foot_error);
        assert_true(report.stance_count >= 4);
        assert_true(report.foot_slide < 0.005 && report.foot_error < 0.005);
        assert_true(report.jump < report.jump_before + snw_radians(2));
        snw_motion_destroy(out);
        snw_motion_destroy(other);
    }
    snw_motion_destroy(captured);
}

/* ---- robots ---------------------------------------------------------------------------------- */

enum {
    ROBOT_JOINTS = 1 + 2 * 6 + 1 + 2 * 6 + 2
};

typedef struct robot_hinge {
    const char *name;
    double axis[3], place[3]; /* on the one above: x ahead, y left, z up */
    double low, high;         /* degrees */
} robot_hinge;

/* One side's hinges, as on the left. The right one's y is the other way. */
static const robot_hinge robot_leg[6] = {
    {"hip_yaw", {0, 0, 1}, {0, 0.09, -0.05}, -60, 60},
    {"hip_roll", {1, 0, 0}, {0, 0, -0.03}, -40, 40},
    {"hip_pitch", {0, 1, 0}, {0, 0, -0.03}, -120, 60},
    {"knee", {0, 1, 0}, {0.01, 0, -0.36}, 0, 140},
    {"ankle_pitch", {0, 1, 0}, {-0.01, 0, -0.35}, -60, 50},
    {"ankle_roll", {1, 0, 0}, {0, 0, -0.02}, -30, 30},
};
static const robot_hinge robot_arm[6] = {
    {"shoulder_pitch", {0, 1, 0}, {0, 0.16, 0.30}, -170, 170},
    {"shoulder_roll", {1, 0, 0}, {0, 0.03, 0}, -100, 170},
    {"shoulder_yaw", {0, 0, 1}, {0, 0, -0.03}, -120, 120},
    {"elbow", {0, 1, 0}, {0, 0, -0.22}, -140, 0},
    {"forearm", {0, 0, 1}, {0, 0, -0.21}, -90, 90},
    {"wrist", {0, 1, 0}, {0, 0, -0.02}, -60, 60},
};

static int add_limb(snw_joint_def *defs, char (*name)[32], int first, int parent,
                    const robot_hinge *row, int side)
{
    for (int n = 0; n < 6; n++) {
        snw_joint_def *def = defs + first + n;
        double flip = side ? -1 : 1;
        *def = snw_joint_def_default();
        /* Names that mean nothing. */
        snprintf(name[first + n], sizeof *name, "link_%d", first + n);
        def->name = name[first + n];
        def->parent = n ? first + n - 1 : parent;
        def->rest.translation =
            snw_vec3_make(row[n].place[0], flip * row[n].place[1], row[n].place[2]);
        def->joint.type = SNW_JOINT_HINGE;
        def->joint.axis = snw_vec3_make(row[n].axis[0], row[n].axis[1], row[n].axis[2]);
        bool is_mirrored = side && row[n].axis[1] == 0;
        def->joint.limit.has_range[0] = true;
        def->joint.limit.range[0][0] = snw_radians(is_mirrored ? -row[n].high : row[n].low);
        def->joint.limit.range[0][1] = snw_radians(is_mirrored ? -row[n].low : row[n].high);
    }
    return first + 6;
}

/* +z up, looking along +x; arms hang. */
static snw_skeleton *make_robot(void)
{
    snw_joint_def defs[ROBOT_JOINTS];
    char name[ROBOT_JOINTS][32];
    snw_skeleton *robot = NULL;
    int count = 1;
    defs[0] = snw_joint_def_default();
    defs[0].name = "base";
    defs[0].parent = -1;
    defs[0].joint.type = SNW_JOINT_FIXED;
    for (int side = 0; side < 2; side++)
        count = add_limb(defs, name, count, 0, robot_leg, side);
    int waist = count++;
    defs[waist] = snw_joint_def_default();
    defs[waist].name = "waist";
    defs[waist].parent = 0;
    defs[waist].rest.translation = snw_vec3_make(0, 0, 0.1);
    defs[waist].joint.type = SNW_JOINT_HINGE;
    defs[waist].joint.axis = snw_vec3_make(0, 0, 1);
    for (int side = 0; side < 2; side++)
        count = add_limb(defs, name, count, waist, robot_arm, side);
    snw_error error;
    if (snw_skeleton_create(defs, count, NULL, &robot, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return robot;
}

static snw_motion *carry_to_robot(const snw_motion *motion, const snw_skeleton *robot,
                                  snw_retarget_report *report)
{
    snw_retarget_options options = snw_retarget_options_default();
    snw_motion *out = NULL;
    snw_error error;
    options.character_up = snw_vec3_make(0, 0, 1);
    options.report = report;
    if (snw_motion_retarget(motion, robot, &options, NULL, &out, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return out;
}

static double largest_violation(const snw_motion *motion)
{
    snw_pose *pose = NULL;
    double worst = 0;
    assert_int_equal(snw_pose_create(motion->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        worst = fmax(worst, snw_pose_violation(pose));
    }
    snw_pose_destroy(pose);
    return worst;
}

/* Angle between the ways from one joint to another in both, the robot's axes turned to the walk's:
 * x ahead is z, y left is x, z up is y. */
static double limb_off(const snw_pose *person, const char *top, const char *end,
                       const snw_pose *robot, int robot_top, int robot_end)
{
    snw_vec3 way =
        snw_vec3_sub(person->world[snw_skeleton_find_joint(person->skeleton, end)].translation,
                     person->world[snw_skeleton_find_joint(person->skeleton, top)].translation);
    snw_vec3 own =
        snw_vec3_sub(robot->world[robot_end].translation, robot->world[robot_top].translation);
    own = snw_vec3_make(own.y, own.z, own.x);
    return acos(snw_vec3_dot(way, own) / (snw_vec3_length(way) * snw_vec3_length(own)));
}

/* Nothing is known of its names: legs, arms and sides follow from the tree. Feet stand, limits
 * hold, thighs and upper arms point where the person's do. */
static void a_robot_of_hinges_walks(void **state)
{
    (void)state;
    snw_skeleton *robot = make_robot();
    snw_retarget_report report;
    snw_motion *out = carry_to_robot(walk, robot, &report);
    assert_true(report.stance_count >= 2);
    assert_true(report.foot_slide < 0.005 && report.foot_error < 0.005);
    check_near(report.scale, 0.71 / 0.8, 0.1);
    check_near(largest_violation(out), 0, SNW_LIMIT_TOLERANCE);
    snw_pose *person = NULL, *pose = NULL;
    assert_int_equal(snw_pose_create(walk->skeleton, NULL, &person, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(robot, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < walk->frame_count; f += 10) {
        snw_motion_get(walk, f, person);
        snw_motion_get(out, f, pose);
        snw_pose_forward(person);
        snw_pose_forward(pose);
        /* Legs end where planted feet are, on a pelvis of other breadth. */
        assert_true(limb_off(person, "left_hip", "left_ankle", pose, 3, 5) < snw_radians(12));
        assert_true(limb_off(person, "right_hip", "right_ankle", pose, 9, 11) < snw_radians(12));
        assert_true(limb_off(person, "left_shoulder", "left_elbow", pose, 16, 17) <
                    snw_radians(12));
        assert_true(limb_off(person, "right_shoulder", "right_elbow", pose, 22, 23) <
                    snw_radians(12));
    }
    snw_pose_destroy(person);
    snw_pose_destroy(pose);
    snw_motion_destroy(out);
    snw_skeleton_destroy(robot);
}

static void published_robots_walk_as_a_captured_person_does(void **state)
{
    (void)state;
    static const char *const robots[] = {"urdf/icub_reduced.urdf",    "urdf/romeo_small.urdf",
                                         "urdf/simple_humanoid.urdf", "urdf/talos_reduced.urdf",
                                         "mjcf/unitree_h1/h1.xml",    "mjcf/unitree_g1/g1.xml"};
    const char *folder = corpus_folder();
    char path[600];
    snw_motion *captured = NULL;
    snprintf(path, sizeof path, "%s/bvh/02_01.bvh", folder);
    assert_int_equal(snw_read_motion_file(path, NULL, NULL, &captured, NULL, NULL), SNW_OK);
    for (size_t n = 0; n < sizeof robots / sizeof *robots; n++) {
        snw_motion *robot = NULL;
        snw_retarget_report report;
        snprintf(path, sizeof path, "%s/robots/%s", folder, robots[n]);
        assert_int_equal(snw_read_motion_file(path, NULL, NULL, &robot, NULL, NULL), SNW_OK);
        snw_motion *out = carry_to_robot(captured, robot->skeleton, &report);
        print_message("%s: scale %.3f, slide %.2f mm, ankles off %.2f mm\n", robots[n],
                      report.scale, 1000 * report.foot_slide, 1000 * report.foot_error);
        assert_true(report.foot_slide < 0.005 && report.foot_error < 0.005);
        check_near(largest_violation(out), 0, SNW_LIMIT_TOLERANCE);
        snw_motion_destroy(out);
        snw_motion_destroy(robot);
    }
    snw_motion_destroy(captured);
}

/* Where limits forbid what the other does, feet stand all the same. */
static void limits_do_not_move_standing_feet(void **state)
{
    (void)state;
    snw_skeleton *stiff = make_scaled(1), *body = NULL;
    snw_joint_def *defs = calloc((size_t)stiff->joint_count, sizeof *defs);
    for (int j = 0; j < stiff->joint_count; j++) {
        defs[j] = snw_skeleton_joint_def(stiff, j);
        if (strstr(defs[j].name, "knee") || strstr(defs[j].name, "hip")) {
            defs[j].joint.axis = snw_vec3_make(0, -1, 0);
            defs[j].joint.axis2 = snw_vec3_make(1, 0, 0);
            defs[j].joint.limit.swing = SNW_SWING_CONE;
            for (int k = 0; k < 4; k++)
                defs[j].joint.limit.cone[k] = snw_radians(25);
        }
    }
    snw_retarget_report report;
    assert_int_equal(snw_skeleton_create(defs, stiff->joint_count, NULL, &body, NULL), SNW_OK);
    snw_motion *out = carry(walk, body, true, &report);
    assert_true(report.limited_count > 10);
    assert_true(report.foot_slide < 0.005);
    check_near(largest_violation(out), 0, SNW_LIMIT_TOLERANCE);
    snw_motion_destroy(out);
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(stiff);
    free(defs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onto_itself_nothing_changes_but_planted_feet),
        cmocka_unit_test(a_body_twice_as_large_goes_twice_as_far),
        cmocka_unit_test(other_rest_frames_and_names_do_not_matter),
        cmocka_unit_test(bodies_without_legs_are_refused),
        cmocka_unit_test(a_robot_of_hinges_walks),
        cmocka_unit_test(limits_do_not_move_standing_feet),
        cmocka_unit_test(published_robots_walk_as_a_captured_person_does),
        cmocka_unit_test(a_captured_walk_is_carried_to_five_characters),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* A motion on a rig: every joint stays where it was, the rest pose is a T, names are those of the
 * scheme, joints turn about the axes that an animator expects, standing feet stand. */
#include "check.h"

#define FRAMES 60
/* Metres. Positions are sums of about ten products of unit quaternions: 1e-12 of a body of 2 m. */
#define PLACE_ERROR 1e-11

typedef struct scene {
    snw_skeleton *body;
    snw_motion *motion;
    snw_motion *rig;
} scene;

static snw_quat turn(double x, double y, double z)
{
    return snw_quat_exp(snw_vec3_make(x, y, z));
}

/* A walk on the spot: arms and legs swing, knees and elbows bend, the body moves and turns. */
static void make_motion(scene *s, const char *preset)
{
    memset(s, 0, sizeof *s);
    assert_int_equal(snw_preset_create(preset, NULL, &s->body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(s->body, FRAMES, 60, NULL, &s->motion, NULL), SNW_OK);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(s->body, NULL, &pose, NULL), SNW_OK);
    snw_random random = snw_random_seed(4, 4);
    double *values = calloc((size_t)s->body->dof_count, sizeof *values);
    assert_non_null(values);
    for (int f = 0; f < FRAMES; f++) {
        for (int d = 0; d < s->body->dof_count; d++)
            values[d] = 0.2 + 0.3 * sin(0.1 * f + d) + 0.05 * snw_random_unit(&random);
        snw_pose_set_values(pose, values);
        pose->root = snw_xform_make(turn(0.1, 0.02 * f, 0.05), snw_vec3_make(0.01 * f, 0.9, 0.3));
        snw_motion_set(s->motion, f, pose);
    }
    free(values);
    snw_pose_destroy(pose);
}

static void make_rig(scene *s, const snw_rig_options *options)
{
    snw_error error;
    if (snw_motion_to_rig(s->motion, options, NULL, &s->rig, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
}

static void forget_rig(scene *s)
{
    snw_motion_destroy(s->rig);
    s->rig = NULL;
}

static void release_scene(scene *s)
{
    forget_rig(s);
    snw_motion_destroy(s->motion);
    snw_skeleton_destroy(s->body);
}

/* Every joint and tip of every frame, the first turned and lifted. */
static void check_same_places(const scene *s, snw_quat world, double lift, double tolerance)
{
    snw_pose *before = NULL, *after = NULL;
    assert_int_equal(snw_pose_create(s->body, NULL, &before, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(s->rig->skeleton, NULL, &after, NULL), SNW_OK);
    for (int f = 0; f < FRAMES; f++) {
        snw_motion_get(s->motion, f, before);
        snw_motion_get(s->rig, f, after);
        snw_pose_forward(before);
        snw_pose_forward(after);
        int above = s->rig->skeleton->joint_count - s->body->joint_count; /* Unreal's root */
        for (int j = 0; j < s->body->joint_count; j++) {
            int now = j + above;
            snw_vec3 places[2][2] = {{before->world[j].translation, after->world[now].translation},
                                     {snw_pose_tip(before, j), snw_pose_tip(after, now)}};
            for (int k = 0; k < 2; k++) {
                snw_vec3 wanted = snw_quat_rotate(world, places[k][0]);
                wanted.y += lift;
                check_near(snw_vec3_distance(wanted, places[k][1]), 0, tolerance);
            }
        }
    }
    snw_pose_destroy(before);
    snw_pose_destroy(after);
}

static const char *const presets[] = {"humanoid", "humanoid13"};

static void every_joint_stays_where_it_was(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        scene s;
        make_motion(&s, presets[0]);
        snw_rig_options options = snw_rig_options_default();
        options.bone_axis = "\0xy"[axis];
        options.names = (snw_rig_names)(axis + 1);
        options.has_root = axis == 2;
        make_rig(&s, &options);
        check_same_places(&s, snw_quat_identity(), 0, PLACE_ERROR);
        release_scene(&s);
    }
}

static void another_up_becomes_y(void **state)
{
    (void)state;
    scene s;
    make_motion(&s, presets[0]);
    snw_rig_options options = snw_rig_options_default();
    options.up = snw_vec3_make(0, 0, 1);
    make_rig(&s, &options);
    check_same_places(&s, snw_quat_exp(snw_vec3_make(-SNW_PI / 2, 0, 0)), 0, PLACE_ERROR);
    release_scene(&s);
}

static void check_direction(const snw_pose *rest, const char *from, const char *to, snw_vec3 way)
{
    int a = snw_skeleton_find_joint(rest->skeleton, from);
    int b = snw_skeleton_find_joint(rest->skeleton, to);
    if (a < 0 || b < 0) fail_msg("no joints %s and %s", from, to);
    snw_vec3 bone = snw_vec3_sub(rest->world[b].translation, rest->world[a].translation);
    double along = snw_vec3_dot(snw_vec3_unit(bone, way), way);
    if (!(along > 1 - 1e-9)) fail_msg("%s to %s: %g", from, to, along);
}

static void the_rest_pose_is_a_t_that_faces_z_on_the_floor(void **state)
{
    (void)state;
    scene s;
    make_motion(&s, presets[0]);
    snw_rig_options options = snw_rig_options_default();
    options.names = SNW_RIG_HUMANIK;
    make_rig(&s, &options);
    snw_pose *rest = NULL;
    assert_int_equal(snw_pose_create(s.rig->skeleton, NULL, &rest, NULL), SNW_OK);
    snw_pose_reset(rest);
    snw_vec3 left = {1, 0, 0}, right = {-1, 0, 0}, down = {0, -1, 0};
    check_direction(rest, "LeftArm", "LeftForeArm", left);
    check_direction(rest, "RightArm", "RightForeArm", right);
    check_direction(rest, "LeftForeArm", "LeftHand", left);
    check_direction(rest, "LeftUpLeg", "LeftLeg", down);
    check_direction(rest, "RightLeg", "RightFoot", down);
    int foot = snw_skeleton_find_joint(s.rig->skeleton, "LeftFoot");
    int toe = snw_skeleton_find_joint(s.rig->skeleton, "LeftToeBase");
    assert_true(rest->world[toe].translation.z > rest->world[foot].translation.z + 0.05);
    double lowest = 1;
    for (int j = 0; j < s.rig->skeleton->joint_count; j++) {
        lowest = fmin(lowest, rest->world[j].translation.y);
        lowest = fmin(lowest, snw_pose_tip(rest, j).y);
        /* Without an axis along the bone every frame is the world's. */
        check_near(snw_quat_angle_between(rest->world[j].rotation, snw_quat_identity()), 0, 1e-7);
    }
    check_near(lowest, 0, 1e-9);
    snw_pose_destroy(rest);
    release_scene(&s);
}

/* A knee that bends by an angle is a turn by that angle about +X, an elbow about -Y or +Y. */
static void knees_and_elbows_turn_about_one_axis(void **state)
{
    (void)state;
    static const struct {
        const char *was, *name;
        snw_vec3 axis;
    } cases[] = {{"left_knee", "LeftLeg", {1, 0, 0}},
                 {"right_knee", "RightLeg", {1, 0, 0}},
                 {"left_elbow", "LeftForeArm", {0, -1, 0}},
                 {"right_elbow", "RightForeArm", {0, 1, 0}}};
    scene s;
    make_motion(&s, "humanoid");
    snw_rig_options options = snw_rig_options_default();
    options.names = SNW_RIG_HUMANIK;
    make_rig(&s, &options);
    for (int n = 0; n < 4; n++) {
        int was = snw_skeleton_find_joint(s.body, cases[n].was);
        int now = snw_skeleton_find_joint(s.rig->skeleton, cases[n].name);
        assert_true(was >= 0 && now >= 0);
        double first = 0;
        for (int f = 0; f < FRAMES; f++) {
            snw_quat before = s.motion->rotation[f * s.body->joint_count + was];
            snw_quat after = s.rig->rotation[f * s.rig->skeleton->joint_count + now];
            snw_vec3 bend = snw_quat_log(after);
            double across = snw_vec3_length(snw_vec3_sub(
                bend, snw_vec3_scale(cases[n].axis, snw_vec3_dot(bend, cases[n].axis))));
            check_near(across, 0, 1e-9);
            double value[6];
            snw_joint_values(s.body->joint + was, before, snw_vec3_make(0, 0, 0), value);
            double more = snw_vec3_dot(bend, cases[n].axis) - value[0];
            if (f == 0) first = more; /* the rest of the preset need not be straight */
            check_near(more, first, 1e-9);
        }
    }
    release_scene(&s);
}

static void schemes_name_every_part_once(void **state)
{
    (void)state;
    static const struct {
        snw_rig_names names;
        const char *there[4];
    } cases[] = {
        {SNW_RIG_HUMANIK, {"Hips", "Spine", "Spine1", "RightToeBase"}},
        {SNW_RIG_MIXAMO,
         {"mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:Head", "mixamorig:RightHand"}},
        {SNW_RIG_UNREAL, {"pelvis", "spine_01", "upperarm_l", "ball_r"}},
        {SNW_RIG_BLENDER, {"spine", "spine.003", "spine.004", "spine.006"}},
        {SNW_RIG_BLENDER, {"upper_arm.L", "shin.R", "shoulder.L", "toe.R"}},
        {SNW_RIG_VRM, {"hips", "chest", "leftUpperArm", "rightToes"}}};
    for (int n = 0; n < (int)(sizeof cases / sizeof *cases); n++) {
        scene s;
        make_motion(&s, "humanoid");
        snw_rig_options options = snw_rig_options_default();
        options.names = cases[n].names;
        make_rig(&s, &options); /* a name given twice would be refused by the skeleton */
        for (int k = 0; k < 4; k++)
            if (snw_skeleton_find_joint(s.rig->skeleton, cases[n].there[k]) < 0)
                fail_msg("%s: no %s", snw_rig_names_name(cases[n].names), cases[n].there[k]);
        /* Rigify counts from the hips up to the head: each hangs from a smaller number. */
        const snw_skeleton *rig = s.rig->skeleton;
        for (int j = 1; j < rig->joint_count; j++) {
            const char *above = rig->name[rig->parent[j]];
            if (strncmp(rig->name[j], "spine.", 6) == 0 && strncmp(above, "spine", 5) == 0)
                assert_true(strcmp(above, rig->name[j]) < 0);
        }
        release_scene(&s);
    }
}

/* Names of one side, a blank around each; the other side is the same but for the word. */
static const struct {
    snw_rig_names names;
    const char *left, *right;
    const char *list;
} published[] = {
    /* Autodesk's naming template "HIK" */
    {SNW_RIG_HUMANIK, "Left", "Right",
     " Hips Spine Spine1 Spine2 Spine3 Neck Neck1 Head LeftShoulder LeftArm LeftForeArm LeftHand "
     "LeftUpLeg LeftLeg LeftFoot LeftToeBase "},
    /* a rig that Mixamo delivers */
    {SNW_RIG_MIXAMO, "Left", "Right",
     " mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 mixamorig:Neck "
     "mixamorig:Head mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm "
     "mixamorig:LeftHand mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot "
     "mixamorig:LeftToeBase "},
    /* Unreal's mannequin (SK_Mannequin) */
    {SNW_RIG_UNREAL, "_l", "_r",
     " root pelvis spine_01 spine_02 spine_03 neck_01 head clavicle_l upperarm_l lowerarm_l hand_l "
     "thigh_l calf_l foot_l ball_l "},
    /* Rigify's human metarig; tests/check_blender asks Blender itself */
    {SNW_RIG_BLENDER, ".L", ".R",
     " spine spine.001 spine.002 spine.003 spine.004 spine.005 spine.006 shoulder.L upper_arm.L "
     "forearm.L hand.L thigh.L shin.L foot.L toe.L "},
    /* VRMC_vrm-1.0, humanoid.md */
    {SNW_RIG_VRM, "left", "right",
     " hips spine chest upperChest neck head leftShoulder leftUpperArm leftLowerArm leftHand "
     "leftUpperLeg leftLowerLeg leftFoot leftToes "},
};

static void every_name_is_one_of_the_programs_own(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof published / sizeof *published; n++) {
        scene s;
        make_motion(&s, "humanoid");
        snw_rig_options options = snw_rig_options_default();
        options.names = published[n].names;
        options.has_root = options.names == SNW_RIG_UNREAL;
        make_rig(&s, &options);
        int named = 0;
        for (int j = 0; j < s.rig->skeleton->joint_count; j++) {
            char word[128];
            const char *name = s.rig->skeleton->name[j], *at = strstr(name, published[n].right);
            size_t length = strlen(published[n].right);
            if (at)
                snw_format(word, sizeof word, " %.*s%s%s ", (int)(at - name), name,
                           published[n].left, at + length);
            else
                snw_format(word, sizeof word, " %s ", name);
            /* What no program has a name for, a second joint of the forearm, keeps its own. */
            bool is_kept = snw_skeleton_find_joint(s.body, name) >= 0;
            named += !is_kept;
            if (!is_kept && !strstr(published[n].list, word))
                fail_msg("%s has no %s", snw_rig_names_name(published[n].names), name);
        }
        assert_true(named >= 15);
        release_scene(&s);
    }
}

static void names_of_other_programs_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        snw_part part;
        snw_side side;
    } cases[] = {{"Hips", SNW_PART_HIPS, SNW_SIDE_NONE},
                 {"mixamorig:LeftUpLeg", SNW_PART_UPLEG, SNW_SIDE_LEFT},
                 {"thigh_r", SNW_PART_UPLEG, SNW_SIDE_RIGHT},
                 {"lfemur", SNW_PART_UPLEG, SNW_SIDE_LEFT},
                 {"rtibia", SNW_PART_LEG, SNW_SIDE_RIGHT},
                 {"shin.L", SNW_PART_LEG, SNW_SIDE_LEFT},
                 {"lowerback", SNW_PART_CHEST, SNW_SIDE_NONE},
                 {"thorax", SNW_PART_CHEST, SNW_SIDE_NONE},
                 {"l_uarm_4X4", SNW_PART_ARM, SNW_SIDE_LEFT},
                 {"r_larm_4X4", SNW_PART_FOREARM, SNW_SIDE_RIGHT},
                 {"LeftShoulder", SNW_PART_SHOULDER, SNW_SIDE_LEFT},
                 {"RightHandIndex1", SNW_PART_FINGER, SNW_SIDE_RIGHT},
                 {"LeftToeBase", SNW_PART_TOE, SNW_SIDE_LEFT},
                 {"segment1", SNW_PART_NONE, SNW_SIDE_NONE}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_joint_def def = snw_joint_def_default();
        def.name = cases[n].name;
        def.parent = -1;
        snw_skeleton *body = NULL;
        assert_int_equal(snw_skeleton_create(&def, 1, NULL, &body, NULL), SNW_OK);
        snw_side side;
        snw_part part = snw_rig_part_of(body, 0, &side);
        if (part != cases[n].part || side != cases[n].side)
            fail_msg("%s: part %d side %d", cases[n].name, part, side);
        snw_skeleton_destroy(body);
    }
}

static void what_is_no_person_is_told_and_can_keep_its_rest(void **state)
{
    (void)state;
    scene s;
    make_motion(&s, "chain10");
    snw_error error;
    assert_int_equal(snw_motion_to_rig(s.motion, NULL, NULL, &s.rig, NULL, &error),
                     SNW_UNSUPPORTED);
    assert_null(s.rig);
    snw_rig_options options = snw_rig_options_default();
    options.has_t_pose = false;
    make_rig(&s, &options);
    check_same_places(&s, snw_quat_identity(), 0, PLACE_ERROR);
    release_scene(&s);
}

/* Feet that stand still but for 10 mm of noise: the lock leaves a tenth of their way. */
static void locked_feet_slide_less_and_the_floor_is_met(void **state)
{
    (void)state;
    scene s;
    make_motion(&s, "humanoid");
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(s.body, NULL, &pose, NULL), SNW_OK);
    int knees[2] = {snw_skeleton_find_joint(s.body, "left_knee"),
                    snw_skeleton_find_joint(s.body, "right_knee")};
    for (int f = 0; f < FRAMES; f++) {
        snw_pose_reset(pose);
        for (int k = 0; k < 2; k++) {
            const double bend[6] = {0.4};
            snw_joint_from_values(s.body->joint + knees[k], bend, &pose->rotation[knees[k]],
                                  &pose->slide[knees[k]]);
        }
        pose->root.translation = snw_vec3_make(0.01 * sin(0.2 * f), 1.2, 0);
        snw_motion_set(s.motion, f, pose);
    }
    snw_rig_options options = snw_rig_options_default();
    options.has_foot_lock = options.is_on_floor = true;
    options.names = SNW_RIG_HUMANIK;
    make_rig(&s, &options);
    snw_pose *rigged = NULL;
    assert_int_equal(snw_pose_create(s.rig->skeleton, NULL, &rigged, NULL), SNW_OK);
    int foot = snw_skeleton_find_joint(s.rig->skeleton, "LeftFoot");
    double low = 1, high = -1, floor = 1;
    for (int f = 0; f < FRAMES; f++) {
        snw_motion_get(s.rig, f, rigged);
        snw_pose_forward(rigged);
        low = fmin(low, rigged->world[foot].translation.x);
        high = fmax(high, rigged->world[foot].translation.x);
        for (int j = 0; j < s.rig->skeleton->joint_count; j++)
            floor = fmin(floor, fmin(rigged->world[j].translation.y, snw_pose_tip(rigged, j).y));
    }
    assert_true(high - low < 0.002); /* 0.02 without the lock */
    check_near(floor, 0, 0.003); /* the lock keeps the ankle's height, the toe may move a little */
    snw_pose_destroy(rigged);
    snw_pose_destroy(pose);
    release_scene(&s);
}

/* Unreal's mannequin has "root" on the floor, which stays there, and all else below it. */
static void unreal_has_a_root_that_stays(void **state)
{
    (void)state;
    scene s;
    make_motion(&s, "humanoid");
    snw_rig_options options = snw_rig_options_default();
    options.names = SNW_RIG_UNREAL;
    options.has_root = options.has_foot_lock = true;
    make_rig(&s, &options);
    const snw_skeleton *body = s.rig->skeleton;
    assert_string_equal(body->name[0], "root");
    assert_string_equal(body->name[1], "pelvis");
    assert_int_equal(body->parent[1], 0);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < FRAMES; f++) {
        snw_motion_get(s.rig, f, pose);
        snw_pose_forward(pose);
        check_near(snw_vec3_length(pose->world[0].translation), 0, 0);
        check_near(snw_quat_angle_between(pose->world[0].rotation, snw_quat_identity()), 0, 0);
        assert_true(snw_vec3_length(pose->world[1].translation) > 0.3);
    }
    snw_pose_destroy(pose);
    release_scene(&s);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    scene s;
    make_motion(&s, presets[1]);
    for (int n = 0; n < 3; n++) {
        snw_rig_options options = snw_rig_options_default();
        if (n == 0) options.names = SNW_RIG_NAMES_COUNT;
        if (n == 1) options.bone_axis = 'q';
        if (n == 2) options.up = snw_vec3_make(0, 0, 0);
        assert_int_equal(snw_motion_to_rig(s.motion, &options, NULL, &s.rig, NULL, NULL),
                         SNW_INVALID_ARGUMENT);
    }
    release_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_stays_where_it_was),
        cmocka_unit_test(another_up_becomes_y),
        cmocka_unit_test(the_rest_pose_is_a_t_that_faces_z_on_the_floor),
        cmocka_unit_test(knees_and_elbows_turn_about_one_axis),
        cmocka_unit_test(schemes_name_every_part_once),
        cmocka_unit_test(every_name_is_one_of_the_programs_own),
        cmocka_unit_test(names_of_other_programs_are_understood),
        cmocka_unit_test(what_is_no_person_is_told_and_can_keep_its_rest),
        cmocka_unit_test(locked_feet_slide_less_and_the_floor_is_met),
        cmocka_unit_test(unreal_has_a_root_that_stays),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Poses from world positions: positions come back, twist is kept or minimal, missing positions. */
#include "body_samples.h"

static snw_vec3 *positions_of(const snw_pose *pose)
{
    int n = pose->skeleton->joint_count;
    snw_vec3 *positions = test_calloc((size_t)n, sizeof *positions);
    for (int i = 0; i < n; i++)
        positions[i] = pose->world[i].translation;
    return positions;
}

static snw_skeleton *named(const char *name)
{
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_create(name, NULL, &body, NULL), SNW_OK);
    return body;
}

/* Round-off of a chain 10 deep whose every turn is exact. Where a segment is nearly stretched, half
 * the digits of its angles are lost but not those of its positions. */
#define POSITION_TOLERANCE 1e-9

/* Sum of squared distances. */
static double position_error(const snw_pose *pose, const snw_vec3 *positions)
{
    double sum = 0;
    for (int i = 0; i < pose->skeleton->joint_count; i++) {
        double distance = snw_vec3_distance(pose->world[i].translation, positions[i]);
        sum += distance * distance;
    }
    return sum;
}

/* The positions of `pose` are given to `found`, which must meet them. A root joint that turns by
 * itself needs a root that stands right; a fixed one is found from anywhere. */
static void check_come_back(const snw_pose *pose, snw_pose *found, snw_twist_mode mode)
{
    const snw_skeleton *body = pose->skeleton;
    snw_vec3 *positions = positions_of(pose);
    if (body->joint[0].type != SNW_JOINT_FIXED) found->root = pose->root;
    snw_pose_from_positions(found, positions, mode);
    for (int i = 0; i < body->joint_count; i++) {
        check_vec3_near(found->world[i].translation, positions[i], POSITION_TOLERANCE);
        double length2 = snw_quat_dot(found->rotation[i], found->rotation[i]);
        check_near(length2, 1, 1e-14); /* normalised last */
    }
    for (int i = 0; i < body->joint_count; i++)
        positions[i] = found->world[i].translation;
    snw_pose_forward(found);
    for (int i = 0; i < body->joint_count; i++)
        check_vec3_near(found->world[i].translation, positions[i], 1e-13); /* the same product */
    test_free(positions);
}

/* Poses whose joints are all given by positions come back from anywhere: bodies of ball joints. */
static void ball_bodies_come_back_from_any_start_in_both_modes(void **state)
{
    (void)state;
    static const char *const names[] = {"chain10", "y", "hand26", "humanoid13"};
    for (int p = 0; p < 4; p++) {
        snw_random random = snw_random_seed(20, (uint64_t)p);
        snw_skeleton *body = named(names[p]);
        snw_pose *pose = sample_pose(body), *found = sample_pose(body);
        for (int sample = 0; sample < CHECK_SAMPLES(200); sample++) {
            randomize_pose(pose, &random);
            randomize_pose(found, &random);
            check_come_back(pose, found, sample % 2 ? SNW_TWIST_KEEP : SNW_TWIST_MINIMAL);
        }
        snw_pose_destroy(found);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

/* A stretched segment does not show its twist, on which the foot depends: every hinge is bent. */
static void bend_hinges(snw_pose *pose)
{
    for (int i = 0; i < pose->skeleton->joint_count; i++) {
        const snw_joint *joint = &pose->skeleton->joint[i];
        double values[6];
        if (joint->type != SNW_JOINT_HINGE) continue;
        snw_joint_values(joint, pose->rotation[i], pose->slide[i], values);
        pose->rotation[i] = snw_quat_from_axis_angle(joint->axis, 0.1 + fabs(values[0]));
    }
}

/* With hinges and two-axis joints, from rest: the poses are within a quarter turn of it, so that of
 * two ways to the same direction the right one is the nearer. */
static void bodies_with_hinges_come_back_from_rest(void **state)
{
    (void)state;
    static const char *const names[] = {"hand25", "humanoid"};
    for (int p = 0; p < 2; p++) {
        snw_random random = snw_random_seed(21, (uint64_t)p);
        snw_skeleton *body = named(names[p]);
        snw_pose *pose = sample_pose(body), *found = sample_pose(body);
        for (int sample = 0; sample < CHECK_SAMPLES(400); sample++) {
            randomize_pose(pose, &random);
            bend_hinges(pose);
            snw_pose_apply_limits(pose);
            snw_pose_forward(pose);
            check_come_back(pose, found, SNW_TWIST_MINIMAL);
            snw_pose_copy(found, pose);
            check_come_back(pose, found, SNW_TWIST_KEEP);
        }
        snw_pose_destroy(found);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

/* A parent of the given type and `child_count` children around it; the pose turns the parent. */
static snw_skeleton *star(snw_joint_type type, int child_count, snw_random *random)
{
    static const char *const names[] = {"parent", "a", "b", "c"};
    snw_joint_def defs[4];
    for (int i = 0; i <= child_count; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = i == 0 ? -1 : 0;
        defs[i].rest.translation = snw_vec3_scale(snw_random_direction(random), 0.5);
    }
    defs[0].joint = sample_joint(type, random);
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, child_count + 1, NULL, &body, NULL), SNW_OK);
    return body;
}

static void every_turning_joint_type_meets_reachable_positions_from_any_start(void **state)
{
    (void)state;
    static const snw_joint_type types[] = {SNW_JOINT_FIXED,     SNW_JOINT_HINGE, SNW_JOINT_PIVOT,
                                           SNW_JOINT_UNIVERSAL, SNW_JOINT_BALL,  SNW_JOINT_FREE};
    snw_random random = snw_random_seed(22, 1);
    for (int t = 0; t < 6; t++)
        for (int sample = 0; sample < CHECK_SAMPLES(900); sample++) {
            snw_skeleton *body = star(types[t], 1 + sample % 3, &random);
            snw_pose *pose = sample_pose(body), *found = sample_pose(body);
            randomize_pose(pose, &random);
            randomize_pose(found, &random);
            check_come_back(pose, found, sample % 2 ? SNW_TWIST_KEEP : SNW_TWIST_MINIMAL);
            snw_pose_destroy(found);
            snw_pose_destroy(pose);
            snw_skeleton_destroy(body);
        }
}

/* Out of reach, the answer of a two-axis joint must not be worse than any on a grid of angles. */
static void two_axis_joints_find_the_best_compromise(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(23, 1);
    for (int sample = 0; sample < CHECK_SAMPLES(100); sample++) {
        snw_skeleton *body = star(SNW_JOINT_UNIVERSAL, 2, &random);
        snw_pose *found = sample_pose(body), *tried = sample_pose(body);
        snw_vec3 positions[3];
        for (int i = 0; i < 3; i++)
            positions[i] = snw_random_direction(&random);
        snw_pose_from_positions(found, positions, SNW_TWIST_MINIMAL);
        double error = position_error(found, positions), best = INFINITY;
        for (int step = 0; step < 60 * 60; step++) {
            double angles[2] = {SNW_PI / 30 * (step % 60), SNW_PI / 30 * (step / 60)};
            snw_pose_copy(tried, found);
            snw_pose_set_values(tried, angles);
            snw_pose_forward(tried);
            best = fmin(best, position_error(tried, positions));
        }
        assert_true(error <= best + 1e-12); /* round-off of the sums */
        snw_pose_destroy(tried);
        snw_pose_destroy(found);
        snw_skeleton_destroy(body);
    }
}

static void keep_turns_each_bone_by_the_smallest_rotation(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(24, 1);
    snw_skeleton *body = named("chain10");
    snw_pose *pose = sample_pose(body), *found = sample_pose(body), *kept = sample_pose(body);
    for (int sample = 0; sample < 100; sample++) {
        randomize_pose(pose, &random);
        randomize_pose(found, &random);
        found->root = pose->root;
        snw_pose_forward(found);
        snw_pose_copy(kept, found);
        snw_vec3 *positions = positions_of(pose);
        snw_pose_from_positions(kept, positions, SNW_TWIST_KEEP);
        snw_pose_from_positions(found, positions, SNW_TWIST_MINIMAL);
        /* The first bone: the turn from old to new has no part about either bone direction. */
        snw_vec3 bone = body->rest[1].translation;
        snw_quat expected = snw_quat_between(bone, snw_quat_rotate(found->rotation[0], bone));
        check_quat_near(found->rotation[0], expected, 1e-12); /* round-off */
        test_free(positions);
        /* What the pose has already is kept bit for bit within round-off. */
        positions = positions_of(kept);
        snw_pose_copy(found, kept);
        snw_pose_from_positions(found, positions, SNW_TWIST_KEEP);
        for (int i = 0; i < body->joint_count; i++)
            check_quat_near(found->rotation[i], kept->rotation[i], 1e-12);
        test_free(positions);
    }
    snw_pose_destroy(kept);
    snw_pose_destroy(found);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void longer_distances_than_bones_are_met_in_direction(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_chain(3, 1, NULL, &body, NULL), SNW_OK);
    snw_pose *pose = sample_pose(body);
    const snw_vec3 positions[3] = {{0, 0, 1}, {0, 2, 1}, {0, 2, 5}};
    snw_pose_from_positions(pose, positions, SNW_TWIST_MINIMAL);
    check_vec3_near(pose->world[0].translation, snw_vec3_make(0, 0, 1), 1e-15);
    check_vec3_near(pose->world[1].translation, snw_vec3_make(0, 1, 1), 1e-15);
    snw_vec3 towards = snw_vec3_unit(snw_vec3_make(0, 1, 4), snw_vec3_make(0, 0, 0));
    check_vec3_near(pose->world[2].translation, snw_vec3_add(snw_vec3_make(0, 1, 1), towards),
                    1e-15); /* round-off */
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void slides_follow_and_missing_positions_keep_what_was(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(25, 1);
    snw_skeleton *body = sample_body(28, 25);
    snw_pose *pose = sample_pose(body), *found = sample_pose(body);
    randomize_pose(pose, &random);
    snw_pose_copy(found, pose);
    snw_vec3 *positions = positions_of(pose);
    for (int i = 0; i < body->joint_count; i++) /* free joints find their slide again */
        if (body->joint[i].type == SNW_JOINT_FREE) found->slide[i] = snw_vec3_make(1, 2, 3);
    snw_pose_from_positions(found, positions, SNW_TWIST_KEEP);
    for (int i = 0; i < body->joint_count; i++)
        check_vec3_near(found->world[i].translation, positions[i], POSITION_TOLERANCE);
    for (int i = 0; i < body->joint_count; i++)
        positions[i].y = i % 2 ? NAN : INFINITY;
    snw_pose_copy(found, pose);
    snw_pose_from_positions(found, positions, SNW_TWIST_MINIMAL);
    for (int i = 0; i < body->joint_count; i++) {
        assert_memory_equal(&found->rotation[i], &pose->rotation[i], sizeof pose->rotation[i]);
        assert_memory_equal(&found->slide[i], &pose->slide[i], sizeof pose->slide[i]);
        check_vec3_near(found->world[i].translation, pose->world[i].translation, 1e-13);
    }
    test_free(positions);
    snw_pose_destroy(found);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void absurd_positions_still_give_unit_rotations(void **state)
{
    (void)state;
    static const double sizes[] = {0, 1e-300, 1e-20, 1e20, 1e100, 1e200};
    snw_random random = snw_random_seed(26, 1);
    snw_skeleton *body = sample_body(28, 26);
    snw_pose *pose = sample_pose(body);
    snw_vec3 *positions = test_calloc((size_t)body->joint_count, sizeof *positions);
    for (int sample = 0; sample < 120; sample++) {
        snw_pose_reset(pose);
        for (int i = 0; i < body->joint_count; i++)
            positions[i] = snw_vec3_scale(snw_random_direction(&random), sizes[sample % 6]);
        snw_pose_from_positions(pose, positions, sample % 2 ? SNW_TWIST_KEEP : SNW_TWIST_MINIMAL);
        for (int i = 0; i < body->joint_count; i++) {
            check_near(snw_quat_dot(pose->rotation[i], pose->rotation[i]), 1, 1e-14);
            assert_true(snw_vec3_is_finite(pose->world[i].translation));
        }
    }
    test_free(positions);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* A telescope: a ball joint whose child slides along its bone is met exactly, slide and turn. */
static void a_telescope_reaches_any_position(void **state)
{
    (void)state;
    snw_joint_def defs[2] = {snw_joint_def_default(), snw_joint_def_default()};
    defs[0].name = "mount";
    defs[0].joint.type = SNW_JOINT_BALL;
    defs[1].name = "tube";
    defs[1].parent = 0;
    defs[1].joint.type = SNW_JOINT_PRISMATIC;
    defs[1].rest.translation = snw_vec3_make(0, 0, 0.4);
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, 2, NULL, &body, NULL), SNW_OK);
    snw_pose *pose = sample_pose(body);
    const snw_vec3 positions[2] = {{1, 0, 0}, {1, 3, 4}};
    snw_pose_from_positions(pose, positions, SNW_TWIST_MINIMAL);
    check_vec3_near(pose->world[1].translation, positions[1], 1e-14); /* round-off */
    check_vec3_near(pose->slide[1], snw_vec3_make(0, 0, 4.6), 1e-14);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bodies_come_back_from_any_start_in_both_modes),
        cmocka_unit_test(bodies_with_hinges_come_back_from_rest),
        cmocka_unit_test(every_turning_joint_type_meets_reachable_positions_from_any_start),
        cmocka_unit_test(two_axis_joints_find_the_best_compromise),
        cmocka_unit_test(keep_turns_each_bone_by_the_smallest_rotation),
        cmocka_unit_test(longer_distances_than_bones_are_met_in_direction),
        cmocka_unit_test(slides_follow_and_missing_positions_keep_what_was),
        cmocka_unit_test(absurd_positions_still_give_unit_rotations),
        cmocka_unit_test(a_telescope_reaches_any_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Forward kinematics, Jacobians, steps, coordinates, limits and interpolation of whole bodies. */
#include "body_samples.h"

#define BODY_JOINTS 28 /* every joint type four times */

/* ---- forward kinematics against 4x4 matrices ----------------------------------------------- */

static void forward_kinematics_equals_the_product_of_4x4_matrices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        snw_random random = snw_random_seed(seed, 2);
        snw_skeleton *body = sample_body(BODY_JOINTS, seed);
        snw_pose *pose = sample_pose(body);
        mat4 world[BODY_JOINTS];
        randomize_pose(pose, &random);
        for (int i = 0; i < BODY_JOINTS; i++) {
            mat4 above = i == 0 ? mat4_from(pose->root.rotation, pose->root.translation)
                                : world[body->parent[i]];
            mat4 rest = mat4_from(body->rest[i].rotation, body->rest[i].translation);
            mat4 slide = mat4_from(snw_quat_identity(), pose->slide[i]);
            mat4 turn = mat4_from(pose->rotation[i], snw_vec3_make(0, 0, 0));
            world[i] = mat4_mul(mat4_mul(above, rest), mat4_mul(slide, turn));
            mat4 ours = mat4_from(pose->world[i].rotation, pose->world[i].translation);
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 4; c++)
                    check_near(ours.m[r][c], world[i].m[r][c], 1e-13); /* 28 products deep */
        }
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

static void forward_from_a_joint_updates_that_joint_and_all_after_it(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(3, 2);
    snw_skeleton *body = sample_body(BODY_JOINTS, 3);
    snw_pose *pose = sample_pose(body), *whole = sample_pose(body);
    for (int joint = -1; joint < BODY_JOINTS; joint++) {
        randomize_pose(pose, &random);
        pose->rotation[joint < 0 ? 0 : joint] = snw_random_rotation(&random);
        snw_pose_copy(whole, pose);
        snw_pose_forward_from(pose, joint);
        snw_pose_forward(whole);
        assert_memory_equal(pose->world, whole->world, BODY_JOINTS * sizeof *pose->world);
    }
    snw_pose_destroy(whole);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void moving_the_root_moves_every_point_rigidly(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(4, 2);
    snw_skeleton *body = sample_body(BODY_JOINTS, 4);
    snw_pose *pose = sample_pose(body), *moved = sample_pose(body);
    for (int sample = 0; sample < 100; sample++) {
        snw_xform motion = random_place(&random, 1);
        randomize_pose(pose, &random);
        snw_pose_copy(moved, pose);
        moved->root = snw_xform_mul(motion, pose->root);
        snw_pose_forward(moved);
        for (int i = 0; i < BODY_JOINTS; i++) {
            /* one rounding more per level, a few 1e-16 of lengths below 10 */
            check_vec3_near(snw_pose_tip(moved, i), snw_xform_point(motion, snw_pose_tip(pose, i)),
                            1e-13);
            check_quat_near(moved->world[i].rotation,
                            snw_quat_mul(motion.rotation, pose->world[i].rotation), 1e-13);
        }
    }
    snw_pose_destroy(moved);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void a_tip_is_a_point_of_its_joint_and_the_origin_where_there_is_none(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(5, 2);
    snw_skeleton *body = sample_body(BODY_JOINTS, 5);
    snw_pose *pose = sample_pose(body);
    randomize_pose(pose, &random);
    for (int i = 0; i < BODY_JOINTS; i++) {
        snw_vec3 expected =
            body->has_tip[i] ? snw_pose_point(pose, i, body->tip[i]) : pose->world[i].translation;
        check_vec3_near(snw_pose_tip(pose, i), expected, 0);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- derivatives against central differences ------------------------------------------------ */

/* Step of the central difference: truncation h^2/6 * third derivative (below 10 here) is 2e-11,
 * cancellation 1e-15/h is 1e-10; together below 1e-9. */
#define DIFFERENCE_STEP      1e-5
#define DIFFERENCE_TOLERANCE 1e-9

static void step_one(const snw_pose *pose, int coordinate, double size, snw_pose *stepped)
{
    int dof_count = pose->skeleton->dof_count;
    double *step = test_calloc((size_t)dof_count, sizeof *step);
    step[coordinate] = size;
    snw_pose_copy(stepped, pose);
    snw_pose_step(stepped, step);
    snw_pose_forward(stepped);
    test_free(step);
}

static snw_vec3 column(const double *jacobian, int dof_count, int k)
{
    return snw_vec3_make(jacobian[k], jacobian[dof_count + k], jacobian[2 * dof_count + k]);
}

static void check_jacobians_of(const snw_pose *pose, int joint, snw_pose *plus, snw_pose *minus)
{
    const snw_skeleton *body = pose->skeleton;
    int n = body->dof_count;
    snw_vec3 local = snw_vec3_make(0.2, -0.1, 0.3);
    double *point = test_calloc(3 * (size_t)n, sizeof *point);
    double *turn = test_calloc(3 * (size_t)n, sizeof *turn);
    snw_pose_jacobian_point(pose, joint, local, point);
    snw_pose_jacobian_turn(pose, joint, turn);
    for (int k = 0; k < n; k++) {
        step_one(pose, k, DIFFERENCE_STEP, plus);
        step_one(pose, k, -DIFFERENCE_STEP, minus);
        snw_vec3 moved =
            snw_vec3_sub(snw_pose_point(plus, joint, local), snw_pose_point(minus, joint, local));
        snw_vec3 turned = snw_quat_log(snw_quat_mul(
            plus->world[joint].rotation, snw_quat_conjugate(minus->world[joint].rotation)));
        check_vec3_near(column(point, n, k), snw_vec3_scale(moved, 0.5 / DIFFERENCE_STEP),
                        DIFFERENCE_TOLERANCE);
        check_vec3_near(column(turn, n, k), snw_vec3_scale(turned, 0.5 / DIFFERENCE_STEP),
                        DIFFERENCE_TOLERANCE);
    }
    test_free(turn);
    test_free(point);
}

static void jacobians_equal_central_differences_for_every_joint_type(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        snw_random random = snw_random_seed(seed, 3);
        snw_skeleton *body = sample_body(BODY_JOINTS, seed + 50);
        snw_pose *pose = sample_pose(body), *plus = sample_pose(body), *minus = sample_pose(body);
        randomize_pose(pose, &random);
        for (int joint = 0; joint < BODY_JOINTS; joint++)
            check_jacobians_of(pose, joint, plus, minus);
        snw_pose_destroy(minus);
        snw_pose_destroy(plus);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

static void steps_add_to_the_values_and_keep_rotations_unit(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(6, 3);
    snw_skeleton *body = sample_body(BODY_JOINTS, 6);
    snw_pose *pose = sample_pose(body);
    double *step = test_calloc((size_t)body->dof_count, sizeof *step);
    for (int round = 0; round < CHECK_SAMPLES(20000); round++) {
        for (int k = 0; k < body->dof_count; k++)
            step[k] = snw_random_range(&random, -0.5, 0.5);
        snw_pose_step(pose, step);
    }
    for (int i = 0; i < BODY_JOINTS; i++) {
        double length2 = snw_quat_dot(pose->rotation[i], pose->rotation[i]);
        check_near(length2, 1, 1e-15); /* normalised last: two roundings */
    }
    snw_pose_reset(pose);
    for (int k = 0; k < body->dof_count; k++)
        step[k] = snw_random_range(&random, -0.5, 0.5);
    snw_pose_step(pose, step);
    double *values = test_calloc((size_t)body->dof_count, sizeof *values);
    snw_pose_values(pose, values);
    for (int k = 0; k < body->dof_count; k++)
        check_near(values[k], step[k], 1e-14); /* from rest a step is the value itself */
    test_free(values);
    test_free(step);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- coordinates and limits ----------------------------------------------------------------- */

static void values_survive_the_round_trip_through_a_pose(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 3);
    snw_skeleton *body = sample_body(BODY_JOINTS, 7);
    snw_pose *pose = sample_pose(body);
    double *in = test_calloc((size_t)body->dof_count, sizeof *in);
    double *out = test_calloc((size_t)body->dof_count, sizeof *out);
    for (int sample = 0; sample < 200; sample++) {
        for (int k = 0; k < body->dof_count; k++)
            in[k] = snw_random_range(&random, -1.5, 1.5);
        snw_pose_set_values(pose, in);
        snw_pose_values(pose, out);
        for (int k = 0; k < body->dof_count; k++)
            /* round-off; rotation vectors up to 2.6 long, asin-like steps near pi/2 cost digits */
            check_near(out[k], in[k], 1e-12);
    }
    test_free(out);
    test_free(in);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void values_of_a_body_are_those_of_its_joints_also_when_not_finite(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(10, 3);
    snw_skeleton *body = sample_body(BODY_JOINTS, 10);
    snw_pose *pose = sample_pose(body);
    double *values = test_calloc((size_t)body->dof_count + 6, sizeof *values);
    for (int sample = 0; sample < 100; sample++) {
        for (int k = 0; k < body->dof_count; k++)
            values[k] = sample == 0   ? NAN
                        : sample == 1 ? INFINITY
                                      : snw_random_range(&random, -9, 9);
        for (int i = 0; i < BODY_JOINTS; i++) /* a slide that is not finite stays so */
            if (sample < 2 && body->joint[i].type == SNW_JOINT_FREE)
                memset(values + body->dof_first[i], 0, 6 * sizeof *values);
        snw_pose_set_values(pose, values);
        for (int i = 0; i < BODY_JOINTS; i++) {
            snw_quat rotation;
            snw_vec3 slide;
            snw_joint_from_values(&body->joint[i], values + body->dof_first[i], &rotation, &slide);
            check_quat_near(pose->rotation[i], rotation, 1e-15); /* axis made unit once more */
            check_vec3_near(pose->slide[i], slide, 0);
        }
    }
    test_free(values);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static snw_skeleton *limited_pair(void)
{
    snw_joint_def defs[2] = {snw_joint_def_default(), snw_joint_def_default()};
    defs[0].name = "elbow";
    defs[0].joint.type = SNW_JOINT_HINGE;
    defs[0].joint.limit.has_range[0] = true;
    defs[0].joint.limit.range[0][1] = 2.0;
    defs[1].name = "slider";
    defs[1].parent = 0;
    defs[1].joint.type = SNW_JOINT_PRISMATIC;
    defs[1].joint.limit = defs[0].joint.limit;
    defs[1].rest.translation = snw_vec3_make(4, 0, 0);
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, 2, NULL, &body, NULL), SNW_OK);
    return body;
}

static void limits_of_a_body_are_those_of_its_joints(void **state)
{
    (void)state;
    snw_skeleton *body = limited_pair();
    snw_pose *pose = sample_pose(body);
    const double inside[2] = {1.0, 1.5}, outside[2] = {2.5, 3.0};
    double values[2];
    snw_pose_set_values(pose, inside);
    check_near(snw_pose_violation(pose), 0, 0);
    assert_int_equal(snw_pose_apply_limits(pose), 0);
    snw_pose_set_values(pose, outside);
    check_near(snw_pose_violation(pose), 0.5, 1e-12); /* 0.5 rad beats 1 m / 4 m; round-off */
    assert_int_equal(snw_pose_apply_limits(pose), 2);
    check_near(snw_pose_violation(pose), 0, 1e-12);
    snw_pose_values(pose, values);
    check_near(values[0], 2, SNW_LIMIT_TOLERANCE);
    check_near(values[1], 2, SNW_LIMIT_TOLERANCE);
    pose->rotation[0].w = NAN;
    assert_int_equal(snw_pose_apply_limits(pose), 1);
    assert_true(snw_quat_is_finite(pose->rotation[0]));
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- interpolation -------------------------------------------------------------------------- */

/* A hinge that turns three times as far as a slide is long, and a chain of such joints. */
static void joints_that_follow_stand_where_their_leader_says(void **state)
{
    (void)state;
    snw_joint_def defs[4];
    snw_skeleton *body = NULL;
    snw_error error;
    static const char *const names[] = {"root", "slide", "hinge", "last"};
    for (int j = 0; j < 4; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        defs[j].joint.type = j == 1   ? SNW_JOINT_PRISMATIC
                             : j == 0 ? SNW_JOINT_FIXED
                                      : SNW_JOINT_HINGE;
    }
    defs[1].joint_name = "drive";
    defs[2].follow = (snw_follow){true, 1, 3, 0.5};
    defs[2].joint.limit.has_range[0] = true;
    defs[2].joint.limit.range[0][0] = -1;
    defs[2].joint.limit.range[0][1] = 2;
    defs[3].follow = (snw_follow){true, 2, -0.5, 0};
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, &error), SNW_OK);
    assert_int_equal(snw_skeleton_find_joint(body, "drive"), 1);
    assert_int_equal(body->follower_count, 2);
    check_near(body->joint[1].limit.range[0][0], -0.5, 1e-15); /* (-1 - 0.5) / 3 */
    check_near(body->joint[1].limit.range[0][1], 0.5, 1e-15);
    snw_pose *pose = sample_pose(body);
    double values[3] = {0.2, 0, 0};
    snw_pose_set_values(pose, values);
    check_near(snw_pose_violation(pose), 1.1, 1e-12);
    assert_true(snw_pose_follow(pose));
    snw_pose_values(pose, values);
    check_near(values[1], 1.1, 1e-15);
    check_near(values[2], -0.55, 1e-15);
    check_near(snw_pose_violation(pose), 0, 0);
    values[0] = 7; /* beyond what the hinge allows */
    snw_pose_set_values(pose, values);
    (void)snw_pose_apply_limits(pose);
    snw_pose_values(pose, values);
    check_near(values[0], 0.5, 1e-15);
    check_near(values[1], 2, 1e-14);
    snw_joint_def again = snw_skeleton_joint_def(body, 3);
    assert_int_equal(again.follow.leader, 1);
    check_near(again.follow.factor, -1.5, 0);
    assert_string_equal(snw_skeleton_joint_def(body, 1).joint_name, "drive");
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    /* What cannot be is refused. */
    defs[1].follow = (snw_follow){true, 3, 1, 0};
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, &error), SNW_INVALID_SKELETON);
    assert_non_null(strstr(error.message, "follow each other"));
    defs[1].follow = (snw_follow){true, 0, 1, 0};
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, &error), SNW_INVALID_SKELETON);
    assert_non_null(strstr(error.message, "only hinges"));
    defs[1].follow = (snw_follow){true, 9, 1, 0};
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, &error), SNW_INVALID_SKELETON);
    defs[1].follow = (snw_follow){0};
    defs[1].joint.limit = (snw_joint_limit){.has_range = {true}, .range = {{1, 2}}};
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, &error), SNW_INVALID_SKELETON);
    assert_non_null(strstr(error.message, "nothing in common"));
}

static void interpolation_meets_its_ends_and_takes_the_short_way(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(8, 3);
    snw_skeleton *body = sample_body(BODY_JOINTS, 8);
    snw_pose *a = sample_pose(body), *b = sample_pose(body), *out = sample_pose(body);
    for (int sample = 0; sample < 50; sample++) {
        randomize_pose(a, &random);
        randomize_pose(b, &random);
        for (int flip = 0; flip < 2; flip++) {
            for (int end = 0; end < 2; end++) {
                snw_pose_interpolate(a, b, end, out);
                snw_pose_forward(out);
                const snw_pose *expected = end ? b : a;
                for (int i = 0; i < BODY_JOINTS; i++)
                    /* round-off of one slerp per level */
                    check_vec3_near(out->world[i].translation, expected->world[i].translation,
                                    1e-13);
            }
            snw_pose_interpolate(a, b, 0.25, out);
            for (int i = 0; i < BODY_JOINTS; i++) {
                double whole = snw_quat_angle_between(a->rotation[i], b->rotation[i]);
                double part = snw_quat_angle_between(a->rotation[i], out->rotation[i]);
                check_near(part, 0.25 * whole, 1e-13); /* round-off */
                snw_vec3 quarter = snw_vec3_lerp(a->slide[i], b->slide[i], 0.25);
                check_vec3_near(out->slide[i], quarter, 0);
                /* the second time round with -q, which is the same pose */
                b->rotation[i] = snw_quat_neg(b->rotation[i]);
            }
        }
    }
    snw_pose_destroy(out);
    snw_pose_destroy(b);
    snw_pose_destroy(a);
    snw_skeleton_destroy(body);
}

/* ---- motion --------------------------------------------------------------------------------- */

static void a_motion_keeps_the_frames_it_is_given(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(9, 3);
    snw_skeleton *body = sample_body(BODY_JOINTS, 9);
    snw_pose *pose = sample_pose(body), *back = sample_pose(body);
    snw_motion *motion = NULL;
    assert_int_equal(snw_motion_create(body, 5, 120, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f < 5; f++) {
        snw_motion_get(motion, f, back);
        snw_pose_forward(back);
        snw_pose_reset(pose);
        assert_memory_equal(back->world, pose->world, BODY_JOINTS * sizeof *pose->world);
    }
    randomize_pose(pose, &random);
    snw_motion_set(motion, 3, pose);
    snw_motion_get(motion, 3, back);
    snw_pose_forward(back);
    assert_memory_equal(back->world, pose->world, BODY_JOINTS * sizeof *pose->world);
    snw_motion_get(motion, 4, back);
    check_quat_near(back->rotation[4], snw_quat_identity(), 0);
    snw_motion_destroy(motion);
    snw_pose_destroy(back);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void wrong_motions_and_poses_are_refused(void **state)
{
    (void)state;
    snw_skeleton *body = sample_body(7, 1);
    snw_motion *motion = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    assert_int_equal(snw_pose_create(NULL, NULL, &pose, &error), SNW_INVALID_ARGUMENT);
    assert_string_equal(error.message, "a pose needs a skeleton");
    assert_int_equal(snw_motion_create(NULL, 1, 100, NULL, &motion, &error), SNW_INVALID_ARGUMENT);
    assert_string_equal(error.message, "a motion needs a skeleton");
    assert_int_equal(snw_motion_create(body, -1, 100, NULL, &motion, &error), SNW_INVALID_ARGUMENT);
    assert_string_equal(error.message, "a motion cannot have -1 frames");
    const double rates[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        assert_int_equal(snw_motion_create(body, 1, rates[i], NULL, &motion, &error),
                         SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "it must be above zero"));
    assert_int_equal(snw_motion_create(body, 0, 1, NULL, &motion, &error), SNW_OK);
    snw_motion_destroy(motion);
    snw_motion_destroy(NULL);
    snw_pose_destroy(NULL);
    snw_skeleton_destroy(NULL);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_kinematics_equals_the_product_of_4x4_matrices),
        cmocka_unit_test(forward_from_a_joint_updates_that_joint_and_all_after_it),
        cmocka_unit_test(moving_the_root_moves_every_point_rigidly),
        cmocka_unit_test(a_tip_is_a_point_of_its_joint_and_the_origin_where_there_is_none),
        cmocka_unit_test(jacobians_equal_central_differences_for_every_joint_type),
        cmocka_unit_test(steps_add_to_the_values_and_keep_rotations_unit),
        cmocka_unit_test(values_survive_the_round_trip_through_a_pose),
        cmocka_unit_test(values_of_a_body_are_those_of_its_joints_also_when_not_finite),
        cmocka_unit_test(limits_of_a_body_are_those_of_its_joints),
        cmocka_unit_test(joints_that_follow_stand_where_their_leader_says),
        cmocka_unit_test(interpolation_meets_its_ends_and_takes_the_short_way),
        cmocka_unit_test(a_motion_keeps_the_frames_it_is_given),
        cmocka_unit_test(wrong_motions_and_poses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Feet, gaze and blends against what the eye would check: soles at the ground's height, eyes on the
 * target, shares as asked. */
#include "ik_bodies.h"

#include <sinew/ik_character.h>
#include <sinew/synth.h>

typedef struct slope {
    double rise; /* per metre along x */
    double step; /* height where x > 0 */
} slope;

static bool ground_at(void *context, snw_vec3 place, double *height, snw_vec3 *normal)
{
    const slope *s = context;
    *height = s->rise * place.x + (place.x > 0 ? s->step : 0);
    *normal = snw_vec3_unit(snw_vec3_make(-s->rise, 1, 0), snw_vec3_make(0, 1, 0));
    return true;
}

/* A humanoid that stands with bent knees on a floor at 0. */
static snw_pose *standing(const snw_skeleton *body)
{
    snw_pose *pose = pose_of(body);
    static const char *const names[] = {"left_hip",  "left_knee",  "left_ankle",
                                        "right_hip", "right_knee", "right_ankle"};
    static const double angle[] = {-0.3, 0.6, -0.3};
    for (int k = 0; k < 6; k++) {
        int j = snw_skeleton_find_joint(body, names[k]);
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), angle[k % 3]);
        pose->rotation[j] = snw_joint_limit_apply(&body->joint[j], turn);
    }
    snw_pose_forward(pose);
    int toes = snw_skeleton_find_joint(body, "left_toes");
    pose->root.translation.y -= snw_pose_tip(pose, toes).y;
    snw_pose_forward(pose);
    return pose;
}

static void feet_stand_on_both_sides_of_a_step(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = standing(body), *before = pose_of(body);
    snw_feet *feet = NULL;
    slope ground_shape = {0, -0.15};
    snw_terrain ground = {ground_at, &ground_shape};
    snw_pose_copy(before, pose);
    assert_int_equal(snw_feet_create(body, NULL, NULL, &feet, NULL), SNW_OK);
    snw_feet_result result = snw_feet_place(feet, &ground, 0, 1, pose);
    /* One ankle bends as far as it may: 2.6 mm. */
    assert_true(result.reached_count >= 1 && result.worst < 0.005);
    check_near(result.pelvis_drop, 0.15, 1e-12);
    static const char *const ankles[] = {"left_ankle", "right_ankle"};
    for (int k = 0; k < 2; k++) {
        int j = snw_skeleton_find_joint(body, ankles[k]);
        snw_vec3 was = before->world[j].translation, is = pose->world[j].translation;
        check_near(is.y - was.y, was.x > 0 ? -0.15 : 0, 5e-3);
        check_near(is.x, was.x, 5e-3);
    }
    assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    snw_feet_destroy(feet);
    snw_pose_destroy(pose);
    snw_pose_destroy(before);
    snw_skeleton_destroy(body);
}

static void no_blend_leaves_the_animation(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = standing(body), *before = pose_of(body);
    snw_feet *feet = NULL;
    slope ground_shape = {0.2, 0.1};
    snw_terrain ground = {ground_at, &ground_shape};
    snw_pose_copy(before, pose);
    assert_int_equal(snw_feet_create(body, NULL, NULL, &feet, NULL), SNW_OK);
    (void)snw_feet_place(feet, &ground, 0, 0, pose);
    assert_memory_equal(pose->rotation, before->rotation,
                        (size_t)body->joint_count * sizeof(snw_quat));
    snw_feet_destroy(feet);
    snw_pose_destroy(pose);
    snw_pose_destroy(before);
    snw_skeleton_destroy(body);
}

/* A sudden step is followed by 1 - exp(-t / settle). */
static void a_step_is_followed_in_time(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = standing(body), *animated = pose_of(body);
    snw_feet *feet = NULL;
    slope ground_shape = {0, 0};
    snw_terrain ground = {ground_at, &ground_shape};
    snw_pose_copy(animated, pose);
    assert_int_equal(snw_feet_create(body, NULL, NULL, &feet, NULL), SNW_OK);
    (void)snw_feet_place(feet, &ground, 0, 1, pose);
    ground_shape.step = -0.2;
    for (int n = 1; n <= 10; n++) {
        snw_pose_copy(pose, animated);
        snw_feet_result result = snw_feet_place(feet, &ground, 0.01, 1, pose);
        check_near(result.pelvis_drop, 0.2 * (1 - exp(-0.01 * n / 0.1)), 1e-9);
    }
    snw_feet_destroy(feet);
    snw_pose_destroy(pose);
    snw_pose_destroy(animated);
    snw_skeleton_destroy(body);
}

static void bodies_without_legs_are_refused(void **state)
{
    (void)state;
    snw_skeleton *arm = preset("arm7");
    snw_feet *feet = NULL;
    snw_error error;
    assert_int_equal(snw_feet_create(arm, NULL, NULL, &feet, &error), SNW_UNSUPPORTED);
    assert_null(feet);
    assert_string_equal(error.message,
                        "no joint is called as a left hip is: say which its legs are");
    snw_feet_options options = snw_feet_options_default();
    options.foot_count = 1;
    options.foot[0] = (snw_foot){3, 2, 1, -1};
    assert_int_equal(snw_feet_create(arm, &options, NULL, &feet, &error), SNW_INVALID_ARGUMENT);
    options.foot_count = SNW_FOOT_MAX + 1;
    assert_int_equal(snw_feet_create(arm, &options, NULL, &feet, &error), SNW_INVALID_ARGUMENT);
    snw_skeleton_destroy(arm);
}

static void a_gaze_is_shared_and_met(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    int chest = snw_skeleton_find_joint(body, "chest"),
        neck = snw_skeleton_find_joint(body, "neck"), head = snw_skeleton_find_joint(body, "head");
    snw_look look = {3, {chest, neck, head}, {0.2, 0.3, 0.5}, {0, 0, 1}};
    snw_vec3 eye = pose->world[head].translation;
    snw_vec3 target = snw_vec3_add(eye, snw_vec3_make(1, 0, 2)); /* 26.6 degrees aside */
    double left = snw_look_at(&look, target, 1, pose);
    assert_true(left < 0.02);
    double whole = atan2(1, 2);
    /* The eye moves aside as the trunk turns, so that shares are those of a little less. */
    check_near(snw_quat_angle_between(pose->rotation[chest], snw_quat_identity()), 0.2 * whole,
               0.02);
    snw_pose_reset(pose);
    snw_pose_forward(pose);
    left = snw_look_at(&look, target, 0.5, pose);
    check_near(left, 0.5 * whole, 0.03);
    assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    /* Far behind, limits leave something. */
    left = snw_look_at(&look, snw_vec3_add(eye, snw_vec3_make(0.1, 0, -2)), 1, pose);
    assert_true(left > 0.3 && snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void a_blended_goal_lies_on_the_way(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    snw_vec3 here = pose->world[wrist].translation, there = {0.3, 0.4, 0.4};
    snw_goal goal = snw_goal_position(wrist, snw_vec3_make(0, 0, 0), there);
    snw_goal quarter = snw_goal_blend(&goal, pose, 0.25);
    check_vec3_near(quarter.position, snw_vec3_lerp(here, there, 0.25), 1e-12);
    check_vec3_near(snw_goal_blend(&goal, pose, 0).position, here, 1e-12);
    check_vec3_near(snw_goal_blend(&goal, pose, 7).position, there, 1e-12);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Solved with the pole, the elbow has turned by the angle about the line to the target. */
static void a_pole_angle_turns_the_elbow(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    int shoulder = snw_skeleton_find_joint(body, "left_shoulder"),
        elbow = snw_skeleton_find_joint(body, "left_elbow"),
        wrist = snw_skeleton_find_joint(body, "left_wrist");
    double values[6] = {1.2};
    snw_joint_from_values(&body->joint[elbow], values, &pose->rotation[elbow], &pose->slide[elbow]);
    snw_pose_forward(pose);
    snw_vec3 root = pose->world[shoulder].translation, tip = pose->world[wrist].translation;
    snw_goal pole = snw_goal_pole(elbow, shoulder, wrist, snw_vec3_make(0, 0, 0));
    pole.position = snw_pole_place(&pole, pose, tip, 0.4);
    snw_vec3 axis = snw_vec3_unit(snw_vec3_sub(tip, root), snw_vec3_make(0, 0, 0));
    snw_vec3 was = snw_vec3_cross(axis, snw_vec3_sub(pose->world[elbow].translation, root));
    snw_vec3 asked = snw_vec3_cross(axis, snw_vec3_sub(pole.position, root));
    double angle = atan2(snw_vec3_dot(axis, snw_vec3_cross(was, asked)), snw_vec3_dot(was, asked));
    check_near(angle, 0.4, 1e-9);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Feet that stand do so as high over their step as they stood over the floor, but where toes stand
 * over an edge; the way leads up: with stairs written down here anew. */
static void a_walk_climbs_stairs(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_synth_options options = snw_synth_options_default();
    snw_motion *climb = NULL;
    snw_synth *made = NULL;
    snw_error error;
    options.motion = SNW_SYNTH_WALK;
    options.seconds = 6;
    options.rate = 60;
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &made, &error), SNW_OK);
    const snw_motion *walk = made->motion;
    assert_int_equal(snw_motion_climb(walk, 0.15, 1.2, NULL, &climb, &error), SNW_OK);
    snw_pose *was = pose_of(body), *is = pose_of(body), *before = pose_of(body);
    snw_motion_get(walk, 0, was);
    snw_vec3 from = was->root.translation;
    snw_motion_get(walk, 60, was);
    snw_vec3 along = snw_vec3_sub(was->root.translation, from);
    along.y = 0;
    along = snw_vec3_unit(along, along);
    int stands = 0, right = 0, highest = 0;
    for (int side = 0; side < 2; side++) {
        int ankle = snw_skeleton_find_joint(body, side ? "right_ankle" : "left_ankle");
        for (int f = 12; f < walk->frame_count; f++) {
            snw_motion_get(walk, f - 6, before);
            snw_motion_get(walk, f, was);
            snw_motion_get(climb, f, is);
            snw_pose_forward(before);
            snw_pose_forward(was);
            snw_pose_forward(is);
            snw_vec3 a = was->world[ankle].translation, b = is->world[ankle].translation;
            if (snw_vec3_distance(a, before->world[ankle].translation) > 0.01) continue;
            int step = (int)floor(snw_vec3_dot(snw_vec3_sub(b, from), along) / 1.2);
            stands++;
            highest = step > highest ? step : highest;
            right += fabs(b.y - a.y - 0.15 * (step > 0 ? step : 0)) < 0.005;
            assert_true(snw_pose_violation(is) <= SNW_LIMIT_TOLERANCE);
        }
    }
    if (stands < 100 || right < 0.8 * stands || highest < 2)
        fail_msg("%d of %d, up to step %d", right, stands, highest);
    snw_motion_destroy(climb);
    assert_int_equal(snw_motion_climb(walk, 0.15, 0, NULL, &climb, &error), SNW_INVALID_ARGUMENT);
    assert_null(climb);
    snw_pose_destroy(was);
    snw_pose_destroy(is);
    snw_pose_destroy(before);
    snw_synth_destroy(made);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_climbs_stairs),
        cmocka_unit_test(feet_stand_on_both_sides_of_a_step),
        cmocka_unit_test(no_blend_leaves_the_animation),
        cmocka_unit_test(a_step_is_followed_in_time),
        cmocka_unit_test(bodies_without_legs_are_refused),
        cmocka_unit_test(a_gaze_is_shared_and_met),
        cmocka_unit_test(a_blended_goal_lies_on_the_way),
        cmocka_unit_test(a_pole_angle_turns_the_elbow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

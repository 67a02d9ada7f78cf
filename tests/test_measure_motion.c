/* What a motion shows of the joints, whatever trial calibrated the actor. */
#include <string.h>

#include <sinew/sinew.h>

#include "check.h"

/* A squat: the knee goes from 11 to 97 degrees; the actor saw 3 degrees of it. */
static void ranges_and_verdicts_are_of_the_whole_motion(void **state)
{
    (void)state;
    snw_joint_def def[2];
    for (int j = 0; j < 2; j++) {
        def[j] = snw_joint_def_default();
        def[j].name = j ? "LeftLeg" : "LeftUpLeg";
        def[j].parent = j - 1;
    }
    def[1].rest.translation = snw_vec3_make(0, -0.4, 0);
    def[1].joint.type = SNW_JOINT_HINGE;
    def[1].joint.axis = snw_vec3_make(1, 0, 0);
    snw_skeleton *body = NULL;
    snw_actor *actor = NULL, *told = NULL;
    snw_motion *motion = NULL;
    const snw_actor_marker marker = {"LANK", 1, {0, -0.4, 0}, 0.001};
    assert_int_equal(snw_skeleton_create(def, 2, NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_actor_create(body, &marker, 1, NULL, &actor, NULL), SNW_OK);
    actor->estimate[1].range = snw_radians(3);
    actor->estimate[1].uncertainty = 0.006;
    assert_int_equal(snw_motion_create(actor->skeleton, 201, 100, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f <= 200; f++)
        motion->rotation[2 * f + 1] = snw_quat_from_axis_angle(
            snw_vec3_make(1, 0, 0), snw_radians(54 - 43 * cos(SNW_PI * f / 100)));
    assert_int_equal(snw_actor_describe(actor, motion, NULL, &told, NULL), SNW_OK);
    check_near(told->estimate[1].range, snw_radians(86), 1e-9);
    assert_false(told->estimate[1].is_uncertain);
    assert_non_null(strstr(told->estimate[1].verdict, "86 degrees"));
    /* The end is where a few frames agree, not a single one: 1e-3 rad of a cosine's turning point.
     */
    check_near(told->skeleton->joint[1].limit.range[0][0], snw_radians(11), 1e-3);
    check_near(told->skeleton->joint[1].limit.range[0][1], snw_radians(97), 1e-3);
    /* The actor itself is as it was. */
    check_near(actor->estimate[1].range, snw_radians(3), 0);
    snw_actor_destroy(told);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_and_verdicts_are_of_the_whole_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

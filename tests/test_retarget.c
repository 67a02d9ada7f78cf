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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onto_itself_nothing_changes_but_planted_feet),
        cmocka_unit_test(a_body_twice_as_large_goes_twice_as_far),
        cmocka_unit_test(other_rest_frames_and_names_do_not_matter),
        cmocka_unit_test(bodies_without_legs_are_refused),
        cmocka_unit_test(a_captured_walk_is_carried_to_five_characters),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Bodies that no person has are said to be so. */
#include <string.h>

#include <sinew/sinew.h>

#include "check.h"

/* Legs and arms of a person of 1.7 m; factors change them. */
typedef struct person {
    double left_thigh, right_thigh, shank, upper_arm, forearm, hips, all;
} person;

static const person plausible_person = {1, 1, 1, 1, 1, 1, 1};

static snw_skeleton *make_person(const person *p)
{
    const struct {
        const char *name;
        int parent;
        double x, y;
    } rows[] = {{"Hips", -1, 0, 0},
                {"LeftUpLeg", 0, 0.085 * p->hips, -0.05},
                {"LeftLeg", 1, 0, -0.4165 * p->left_thigh},
                {"LeftFoot", 2, 0, -0.418 * p->shank},
                {"RightUpLeg", 0, -0.085 * p->hips, -0.05},
                {"RightLeg", 4, 0, -0.4165 * p->right_thigh},
                {"RightFoot", 5, 0, -0.418 * p->shank},
                {"Chest", 0, 0, 0.2},
                {"LeftArm", 7, 0.187, 0.25},
                {"LeftForeArm", 8, 0.316 * p->upper_arm, 0},
                {"LeftHand", 9, 0.248 * p->forearm, 0},
                {"RightArm", 7, -0.187, 0.25},
                {"RightForeArm", 11, -0.316 * p->upper_arm, 0},
                {"RightHand", 12, -0.248 * p->forearm, 0}};
    enum {
        COUNT = sizeof rows / sizeof *rows
    };
    snw_joint_def def[COUNT];
    snw_skeleton *body = NULL;
    for (int j = 0; j < COUNT; j++) {
        def[j] = snw_joint_def_default();
        def[j].name = rows[j].name;
        def[j].parent = rows[j].parent;
        def[j].rest.translation = snw_vec3_make(rows[j].x * p->all, rows[j].y * p->all, 0);
        if (j) def[j].joint.type = SNW_JOINT_BALL;
    }
    assert_int_equal(snw_skeleton_create(def, COUNT, NULL, &body, NULL), SNW_OK);
    return body;
}

/* All that judges a body that fits its markers perfectly. */
static snw_judgements judge(const person *p)
{
    snw_skeleton *body = make_person(p);
    snw_actor_marker marker[14];
    for (int j = 0; j < 14; j++)
        marker[j] = (snw_actor_marker){body->name[j], j, {0.01, 0, 0}, 0.001};
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_trial *trial = NULL;
    snw_residuals *residuals = NULL;
    assert_int_equal(snw_actor_create(body, marker, 14, NULL, &actor, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(actor->skeleton, 10, 100, NULL, &motion, NULL), SNW_OK);
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 14;
    options.frame_count = 10;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    snw_pose_forward(pose);
    for (int m = 0; m < 14; m++) {
        assert_int_equal(snw_trial_set_marker_name(trial, m, body->name[m], NULL), SNW_OK);
        for (int f = 0; f < 10; f++)
            snw_trial_set(trial, f, m,
                          snw_vec3_add(snw_xform_point(pose->world[m], marker[m].offset),
                                       snw_vec3_make(1e-5 * f, 0, 0)),
                          SNW_SAMPLE_MEASURED);
    }
    for (int f = 0; f < 10; f++)
        snw_motion_set(motion, f, pose);
    assert_int_equal(snw_actor_residuals(actor, trial, motion, NULL, &residuals, NULL), SNW_OK);
    snw_solve_report report;
    memset(&report, 0, sizeof report);
    report.frame_count = 10;
    report.used_count = 140;
    snw_judged solution = {trial, actor, motion, &report, residuals};
    snw_judgements found;
    assert_int_equal(snw_judge_solution(&solution, NULL, &found, NULL), SNW_OK);
    snw_residuals_destroy(residuals);
    snw_pose_destroy(pose);
    snw_trial_destroy(trial);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
    return found;
}

static void a_person_is_green(void **state)
{
    (void)state;
    snw_judgements found = judge(&plausible_person);
    if (found.verdict != SNW_VERDICT_GREEN) fail_msg("%s", found.item[0].sentence);
}

static void what_no_person_has_is_named(void **state)
{
    (void)state;
    static const struct {
        person p;
        snw_judgement_code code;
        snw_verdict verdict;
        const char *words;
    } rows[] = {
        {{1, 1, 1, 2, 1, 1, 1}, SNW_JUDGEMENT_IMPLAUSIBLE_BONE, SNW_VERDICT_RED, "upper arm"},
        {{1, 1, 1, 1, 0.7, 1, 1}, SNW_JUDGEMENT_IMPLAUSIBLE_BONE, SNW_VERDICT_AMBER, "forearm"},
        {{1, 1, 1, 1, 1, 2.1, 1}, SNW_JUDGEMENT_IMPLAUSIBLE_BONE, SNW_VERDICT_RED, "hips"},
        {{1, 1.2, 1, 1, 1, 1, 1}, SNW_JUDGEMENT_UNEQUAL_SIDES, SNW_VERDICT_AMBER, "thigh"},
        {{1, 1, 1, 1, 1, 1, 10}, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE, SNW_VERDICT_RED, "16.99 m"},
        {{1, 1, 1, 1, 1, 1, 0.4}, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE, SNW_VERDICT_AMBER, "0.68 m"},
        {{1, 1, 1, 1, 1, 1, 0.1}, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE, SNW_VERDICT_RED, "0.17 m"},
        {{1.2, 1.2, 1.6, 1, 1, 1, 1}, SNW_JUDGEMENT_IMPLAUSIBLE_BONE, SNW_VERDICT_RED, "as long"},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_judgements found = judge(&rows[n].p);
        bool is_said = false;
        for (int k = 0; k < found.count; k++)
            is_said |= found.item[k].code == rows[n].code &&
                       found.item[k].verdict == rows[n].verdict &&
                       strstr(found.item[k].sentence, rows[n].words);
        if (!is_said || found.verdict != rows[n].verdict)
            fail_msg("row %zu: %s", n, found.count ? found.item[0].sentence : "nothing");
    }
}

/* The joints of a body, each said to be known within `stated`, as they are described after all. */
static void describe(const person *p, double stated, double uncertainty[14], bool is_uncertain[14])
{
    snw_skeleton *body = make_person(p);
    snw_actor_marker marker[14];
    for (int j = 0; j < 14; j++)
        marker[j] = (snw_actor_marker){body->name[j], j, {0.01, 0, 0}, 0.001};
    snw_actor *actor = NULL, *told = NULL;
    snw_motion *motion = NULL;
    assert_int_equal(snw_actor_create(body, marker, 14, NULL, &actor, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(actor->skeleton, 10, 100, NULL, &motion, NULL), SNW_OK);
    for (int j = 1; j < 14; j++) {
        actor->estimate[j].type = SNW_JOINT_BALL;
        actor->estimate[j].range = 1;
        actor->estimate[j].uncertainty = stated;
    }
    assert_int_equal(snw_actor_describe(actor, motion, NULL, &told, NULL), SNW_OK);
    for (int j = 0; j < 14; j++) {
        uncertainty[j] = told->estimate[j].uncertainty;
        is_uncertain[j] = told->estimate[j].is_uncertain;
    }
    snw_actor_destroy(told);
    snw_actor_destroy(actor);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* Joints as in make_person. The right thigh is 83 mm longer than the left: four joints each known
 * within 2 mm cannot make that, four known within 45 mm can. */
static void ends_of_bones_that_are_none_are_not_certain(void **state)
{
    (void)state;
    static const person unequal = {1, 1.2, 1, 1, 1, 1, 1}, long_arm = {1, 1, 1, 2, 1, 1, 1};
    double uncertainty[14];
    bool is_uncertain[14];
    describe(&unequal, 0.002, uncertainty, is_uncertain);
    for (int j = 1; j < 14; j++) {
        bool is_end = j == 1 || j == 2 || j == 4 || j == 5;
        check_near(uncertainty[j], is_end ? 0.0833 / 2 : 0.002, 1e-9);
        assert_int_equal(is_uncertain[j], is_end);
    }
    describe(&unequal, 0.045, uncertainty, is_uncertain);
    for (int j = 1; j < 14; j++)
        check_near(uncertainty[j], 0.045, 0);
    describe(&plausible_person, 0.002, uncertainty, is_uncertain);
    for (int j = 1; j < 14; j++)
        check_near(uncertainty[j], 0.002, 0);
    describe(&long_arm, 0.002, uncertainty, is_uncertain);
    for (int j = 1; j < 14; j++)
        assert_int_equal(is_uncertain[j], j == 8 || j == 9 || j == 11 || j == 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_green),
        cmocka_unit_test(what_no_person_has_is_named),
        cmocka_unit_test(ends_of_bones_that_are_none_are_not_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Spines and collar bones without markers. Between pelvis, chest, head and arms bend joints that no
 * marker shows, so no single centre is there; the truth of hips, knees and shoulders is that of the
 * synthetic body, of which only the markers on other bones are given. */
#include <string.h>

#include "check.h"

typedef struct clothed {
    snw_skeleton *body;
    snw_synth *synth;
    snw_trial *seen; /* without the markers of spine, neck and collar bones */
    snw_solution *solution;
} clothed;

/* The synthetic body's segments as bones are called, for labels that name a segment and no place on
 * the skin; the others go without markers. */
static const char *const bones[][2] = {
    {"pelvis", "Hips"},
    {"chest", "Spine1"},
    {"head", "Head"},
    {"left_shoulder", "LeftArm"},
    {"right_shoulder", "RightArm"},
    {"left_elbow", "LeftForeArm"},
    {"right_elbow", "RightForeArm"},
    {"left_hip", "LeftUpLeg"},
    {"right_hip", "RightUpLeg"},
    {"left_knee", "LeftLeg"},
    {"right_knee", "RightLeg"},
    {"left_ankle", "LeftFoot"},
    {"right_ankle", "RightFoot"},
};
#define BONES (sizeof bones / sizeof *bones)

/* Takes the markers of the bones, by their names there. */
static snw_trial *clothe(const snw_trial *capture)
{
    snw_trial *seen = NULL;
    int pick[4 * BONES], count = 0;
    for (size_t n = 0; n < BONES; n++)
        for (int k = 1; k <= 4; k++) {
            char name[80];
            snprintf(name, sizeof name, "%s_%d", bones[n][0], k);
            pick[count++] = snw_trial_find_marker(capture, name);
        }
    assert_int_equal(snw_trial_pick(capture, pick, count, NULL, &seen, NULL), SNW_OK);
    for (int m = 0; m < count; m++) {
        char name[80];
        snprintf(name, sizeof name, "%s:%d", bones[m / 4][1], m % 4 + 1);
        assert_int_equal(snw_trial_set_marker_name(seen, m, name, NULL), SNW_OK);
    }
    return seen;
}

static clothed solve_clothed(snw_synth_motion_kind motion, const snw_synth_gap *gap)
{
    clothed c;
    snw_synth_options options = snw_synth_options_default();
    memset(&c, 0, sizeof c);
    options.motion = motion;
    options.seconds = 8;
    options.placement = SNW_SYNTH_RANDOM;
    options.wobble = 0;
    options.gap = gap;
    options.gap_count = gap != NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &c.body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(c.body, NULL, &options, NULL, &c.synth, NULL), SNW_OK);
    c.seen = clothe(c.synth->capture);
    assert_int_equal(snw_solve(c.seen, NULL, NULL, &c.solution, NULL), SNW_OK);
    return c;
}

static void release_clothed(clothed *c)
{
    snw_solution_destroy(c->solution);
    snw_trial_destroy(c->seen);
    snw_synth_destroy(c->synth);
    snw_skeleton_destroy(c->body);
}

/* Root mean square distance of a joint from its truth, metres. */
static double joint_error(const clothed *c, const char *name, const char *of)
{
    const snw_solved_body *body = c->solution->body;
    int joint = snw_skeleton_find_joint(body->actor->skeleton, name);
    int truth = snw_trial_find_marker(c->synth->joint_truth, of);
    snw_pose *pose = NULL;
    double sum = 0;
    assert_true(joint >= 0 && truth >= 0);
    assert_int_equal(snw_pose_create(body->actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < body->motion->frame_count; f++) {
        snw_motion_get(body->motion, f, pose);
        snw_pose_forward(pose);
        double far = snw_vec3_distance(pose->world[joint].translation,
                                       snw_trial_position(c->synth->joint_truth, f, truth));
        sum += far * far;
    }
    snw_pose_destroy(pose);
    return sqrt(sum / body->motion->frame_count);
}

/* Cameras leave 0.3 mm in a marker; three times that is what a centre may be off by where the hips
 * turn (29.6 and 29.9 mm in the dance while the spine was one joint, the markers 78 mm from the
 * body). A boxer's hardly do: there the error is within three of what is stated. */
static void no_bone_without_markers_drags_the_hips(void **state)
{
    (void)state;
    static const snw_synth_motion_kind motions[] = {SNW_SYNTH_DANCE, SNW_SYNTH_RANGE,
                                                    SNW_SYNTH_BOXING};
    static const char *const hips[][2] = {{"LeftUpLeg", "left_hip"}, {"RightUpLeg", "right_hip"}};
    for (int n = 0; n < 3; n++) {
        clothed c = solve_clothed(motions[n], NULL);
        const snw_actor *actor = c.solution->body->actor;
        for (int side = 0; side < 2; side++) {
            int joint = snw_skeleton_find_joint(actor->skeleton, hips[side][0]);
            double bound =
                motions[n] == SNW_SYNTH_BOXING ? 3 * actor->estimate[joint].uncertainty : 0.9e-3;
            check_near(joint_error(&c, hips[side][0], hips[side][1]), 0, bound);
        }
        /* Three coordinates of 0.3 mm are 0.52 mm. */
        check_near(c.solution->body->report.residual, 0, 0.6e-3);
        release_clothed(&c);
    }
}

static void a_joint_that_is_none_is_said_to_be_uncertain(void **state)
{
    (void)state;
    clothed c = solve_clothed(SNW_SYNTH_DANCE, NULL);
    const snw_actor *actor = c.solution->body->actor;
    int free_count = 0;
    for (int j = 1; j < actor->skeleton->joint_count; j++) {
        if (actor->skeleton->joint[j].type != SNW_JOINT_FREE) continue;
        free_count++;
        assert_true(actor->estimate[j].is_uncertain);
        assert_non_null(strstr(actor->estimate[j].verdict, "bones without markers"));
    }
    assert_true(free_count >= 1);
    /* Limbs have no such bones. */
    int knee = snw_skeleton_find_joint(actor->skeleton, "LeftLeg");
    assert_int_not_equal(actor->skeleton->joint[knee].type, SNW_JOINT_FREE);
    release_clothed(&c);
}

/* The actor's text keeps the freedom, and a motion is the same with the actor that is read back. */
static void the_actor_s_text_keeps_it(void **state)
{
    (void)state;
    clothed c = solve_clothed(SNW_SYNTH_RANGE, NULL);
    const snw_actor *actor = c.solution->body->actor;
    snw_actor *again = NULL;
    size_t size = snw_actor_print(actor, NULL, 0);
    char *text = malloc(size + 1);
    assert_non_null(text);
    snw_actor_print(actor, text, size + 1);
    assert_int_equal(snw_actor_parse(text, size, NULL, &again, NULL), SNW_OK);
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        assert_int_equal(again->skeleton->joint[j].type, actor->skeleton->joint[j].type);
    snw_actor_destroy(again);
    free(text);
    release_clothed(&c);
}

/* While the chest is hidden it goes from where it was to where it will be: no frame of it may jump
 * by more than a chest moves in a fiftieth of a second, 4 m/s. */
static void a_chest_that_is_hidden_does_not_jump(void **state)
{
    (void)state;
    snw_synth_gap gap;
    assert_int_equal(snw_synth_gap_parse("chest/all@300+60", &gap, NULL), SNW_OK);
    clothed c = solve_clothed(SNW_SYNTH_DANCE, &gap);
    const snw_solved_body *body = c.solution->body;
    int chest = snw_skeleton_find_joint(body->actor->skeleton, "Spine1");
    snw_pose *pose = NULL;
    snw_vec3 last = {0, 0, 0};
    double most = 0;
    assert_int_equal(snw_pose_create(body->actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 280; f < 380; f++) {
        snw_motion_get(body->motion, f, pose);
        snw_pose_forward(pose);
        snw_vec3 now = pose->world[chest].translation;
        if (f > 280) most = fmax(most, snw_vec3_distance(now, last));
        last = now;
    }
    assert_true(most < 4.0 / 120);
    snw_pose_destroy(pose);
    release_clothed(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bone_without_markers_drags_the_hips),
        cmocka_unit_test(a_joint_that_is_none_is_said_to_be_uncertain),
        cmocka_unit_test(the_actor_s_text_keeps_it),
        cmocka_unit_test(a_chest_that_is_hidden_does_not_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

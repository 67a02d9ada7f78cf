/* The gait model as an expectation of the whole-body fit: whose captures it is taken for, which
 * markers it follows, and that what it expects are the model's own centres. And static trials of a
 * few frames, said again and again. */
#include "allocation_sweep.h"

#include "calibrate/gait_prior.h"
#include "calibrate/still.h"

enum {
    MARKERS_MAX = 64,
    JOINTS = 7
};

static snw_trial *make_walk(void)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_trial *trial = NULL;
    options.seconds = 0.4;
    options.rate = 50;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    assert_int_equal(snw_trial_copy(synth->capture, NULL, &trial, NULL), SNW_OK);
    assert_true(trial->marker_count <= MARKERS_MAX);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return trial;
}

static void read_labels(const snw_trial *trial, snw_label labels[MARKERS_MAX])
{
    for (int m = 0; m < trial->marker_count; m++)
        labels[m] = snw_label_read(trial->marker[m].name);
}

static void set_number(snw_trial *trial, const char *name, float number)
{
    char word[32], none[1] = "";
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    snw_format(word, sizeof word, "%s", name);
    parameter.name = word;
    parameter.description = none;
    parameter.type = SNW_PARAMETER_FLOAT;
    parameter.byte_count = sizeof number;
    parameter.data = &number;
    assert_int_equal(snw_trial_set_parameter(trial, "PROCESSING", &parameter, NULL), SNW_OK);
}

static snw__gait_prior begin(const snw_trial *trial)
{
    snw__gait_prior prior;
    snw_label labels[MARKERS_MAX];
    read_labels(trial, labels);
    snw__gait_prior_begin(&prior, trial, &(snw__refine_known){.trial = labels});
    return prior;
}

/* ---- whose captures -------------------------------------------------------------------------- */

/* What a producer measured or computed beside the markers changes nothing: the markers decide. */
static void the_model_follows_from_the_markers(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        snw_trial *trial = make_walk();
        if (n == 1) set_number(trial, "LKneeWidth", 105);
        if (n == 2) snw_trial_set_marker_name(trial, 8, "Ann:LFEO", NULL); /* of its back */
        if (n == 3)
            snw_trial_set_marker_name(trial, snw_trial_find_marker(trial, "LASI"), "x", NULL);
        assert_int_equal(begin(trial).has_model, n < 3);
        snw_trial_destroy(trial);
    }
}

/* The model's place is taken and what another rule disagrees by is in the verdict; where the two
 * have the joint on opposite sides of its marker, the wand is none. */
static void rules_that_disagree_are_believed_less(void **state)
{
    (void)state;
    const snw_vec3 beside = {0, 0.050, 0};
    snw__joint_prior rule, model;
    memset(&rule, 0, sizeof rule);
    memset(&model, 0, sizeof model);
    model.extent = 0.008;
    rule.extent = 0.010;
    rule.marker[rule.marker_count++] = 7;
    model.information.m[1][1] = 1 / (0.003 * 0.003);
    snw__joint_prior same = snw__gait_prior_choose(&rule, model, &beside, false);
    check_near(same.extent, 0.008, 1e-15);
    check_near(same.information.m[1][1], 1 / (0.003 * 0.003), 1e-6);
    assert_int_equal(same.marker_count, 1);
    assert_int_equal(same.marker[0], 7);
    model.off = snw_vec3_make(0.040, 0, 0);
    snw__joint_prior apart = snw__gait_prior_choose(&rule, model, &beside, false);
    check_near(apart.off.x, 0.040, 1e-15);
    check_near(apart.extent, sqrt(0.008 * 0.008 + 0.020 * 0.020), 1e-12);
    rule.information.m[0][0] = 1 / (0.010 * 0.010);
    rule.information.m[1][1] = rule.information.m[2][2] = rule.information.m[0][0];
    model.information.m[0][0] = model.information.m[2][2] = model.information.m[1][1];
    apart = snw__gait_prior_choose(&rule, model, &beside, true);
    double known = 1 / (0.003 * 0.003 + 0.020 * 0.020);
    check_near(apart.off.x, 0.040 * known / (known + 1 / (0.010 * 0.010)), 1e-12);
    model.off = snw_vec3_make(0, 0.060, 0);
    apart = snw__gait_prior_choose(&rule, model, &beside, false);
    check_near(apart.off.y, 0, 1e-15);
    check_near(apart.extent, sqrt(0.010 * 0.010 + 0.030 * 0.030), 1e-12);
    apart = snw__gait_prior_choose(&rule, model, NULL, false);
    check_near(apart.off.y, 0.060, 1e-15);
}

/* Where the motion showed that two knees are exchanged, the model follows the labels put right. */
static void corrected_labels_are_followed(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    snw_label labels[MARKERS_MAX];
    snw__gait_prior prior;
    int left = snw_trial_find_marker(trial, "LKNE"), right = snw_trial_find_marker(trial, "RKNE");
    set_number(trial, "LKneeWidth", 105);
    read_labels(trial, labels);
    snw_label kept = labels[left];
    labels[left] = labels[right];
    labels[right] = kept;
    snw__gait_prior_begin(&prior, trial, &(snw__refine_known){.trial = labels});
    assert_true(prior.has_model);
    assert_int_equal(prior.davis.markers.at[SNW_GAIT_MARKER_KNE][SNW_SIDE_LEFT], right);
    assert_int_equal(prior.harrington.markers.at[SNW_GAIT_MARKER_KNE][SNW_SIDE_RIGHT], left);
    assert_int_equal(prior.davis.markers.at[SNW_GAIT_MARKER_ANK][SNW_SIDE_LEFT],
                     snw_trial_find_marker(trial, "LANK"));
    snw_trial_destroy(trial);
}

/* Of two people each has its own markers: what the labels of a body do not tell is not found by its
 * name either. */
static void markers_of_others_are_not_taken(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    snw_label labels[MARKERS_MAX];
    snw__gait_prior prior;
    read_labels(trial, labels);
    snw__gait_prior_begin(&prior, trial, &(snw__refine_known){.trial = labels});
    assert_true(prior.has_model);
    snw_label *front = labels + snw_trial_find_marker(trial, "LASI");
    front->landmark = -1;
    front->gait = SNW_GAIT_MARKER_NONE;
    snw__gait_prior_begin(&prior, trial, &(snw__refine_known){.trial = labels});
    assert_false(prior.has_model);
    snw_trial_destroy(trial);
}

/* ---- what is expected ------------------------------------------------------------------------ */

/* A body at rest in the room, with the left knee's marker on its thigh. */
static snw_actor make_actor(snw_skeleton **body, snw_actor_marker *marker)
{
    static const char *const names[JOINTS] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                              "RightUpLeg", "RightLeg",  "RightFoot"};
    snw_joint_def defs[JOINTS];
    snw_actor actor;
    for (int j = 0; j < JOINTS; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j == 0 ? -1 : j == 4 ? 0 : j - 1;
        defs[j].joint.type = SNW_JOINT_BALL;
        defs[j].rest.translation = snw_vec3_make(0.1 * j, 0.2, -0.3);
    }
    assert_int_equal(snw_skeleton_create(defs, JOINTS, NULL, body, NULL), SNW_OK);
    memset(&actor, 0, sizeof actor);
    memset(marker, 0, sizeof *marker);
    actor.skeleton = *body;
    actor.marker = marker;
    actor.marker_count = 1;
    marker->joint = 1;
    return actor;
}

/* Means over the frames of the model's centres, in the frames of both bones; between Davis' and
 * Harrington's hips. A frame without a centre does not count. */
static void expected_are_the_models_centres(void **state)
{
    (void)state;
    const int frames = 10;
    snw_trial *trial = make_walk();
    snw_skeleton *body = NULL;
    snw_actor_marker marker;
    snw_actor actor = make_actor(&body, &marker);
    snw_label beside = snw_label_read("LKNE");
    snw_pose *pose = NULL;
    snw__anatomy anatomy;
    snw__joint_prior out[SNW__ANATOMY_PRIORS];
    set_number(trial, "LKneeWidth", 105);
    snw__gait_prior prior = begin(trial);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    snw_pose_reset(pose);
    snw__gait_prior_clear(&prior, &actor);
    snw_vec3 sum[SNW_GAIT_CENTER_COUNT] = {{0, 0, 0}};
    for (int f = 0; f < frames; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_gait_pose davis, harrington;
        snw_gait_model_pose(&prior.davis, &frame, &davis);
        snw_gait_model_pose(&prior.harrington, &frame, &harrington);
        for (int c = 0; c < SNW_GAIT_CENTER_COUNT; c++) {
            snw_vec3 center = davis.center[c][SNW_SIDE_LEFT];
            if (c == SNW_GAIT_CENTER_HIP)
                center = snw_vec3_lerp(harrington.center[c][SNW_SIDE_LEFT], center, 0.8);
            sum[c] = snw_vec3_add(sum[c], center);
        }
        snw__gait_prior_look(&prior, &frame, pose);
    }
    snw_frame hidden = snw_trial_frame(trial, frames);
    trial->state[frames * trial->marker_count + snw_trial_find_marker(trial, "LASI")] =
        SNW_SAMPLE_MISSING;
    snw__gait_prior_look(&prior, &hidden, pose); /* no pelvis, no hips, no legs */
    snw__anatomy_begin(&anatomy, &actor, &beside);
    memset(out, 0, sizeof out);
    out[0].joint = 1; /* anatomy said something of the left hip, */
    out[1].joint = 4; /* and of the right one, by markers on both its sides */
    out[1].marker_count = 2;
    int count = snw__gait_prior_add(&prior, &anatomy, out, 2);
    assert_int_equal(count, 6);
    static const int center_of[] = {-1, SNW_GAIT_CENTER_HIP, SNW_GAIT_CENTER_KNEE,
                                    SNW_GAIT_CENTER_ANKLE};
    for (int joint = 1; joint < 4; joint++) {
        int c = center_of[joint], at = 0;
        assert_int_equal(prior.place[c][SNW_SIDE_LEFT].count, frames);
        while (out[at].joint != joint)
            at++;
        snw_vec3 mean = snw_vec3_scale(sum[c], 1.0 / frames);
        /* Every bone has the room's axes here. Millimetres of floats, ten of them. */
        check_vec3_near(out[at].off, snw_vec3_sub(mean, pose->world[joint].translation), 1e-12);
        check_vec3_near(out[at].in_child, snw_vec3_sub(mean, pose->world[joint].translation),
                        1e-12);
        assert_true(out[at].of_child > 0 && out[at].information.m[0][0] > 0);
        assert_int_equal(out[at].marker_count, c == SNW_GAIT_CENTER_KNEE);
    }
    assert_int_equal(out[1].marker_count, 2); /* what rests on both sides stays */
    assert_false(out[1].of_child > 0);
    snw__gait_prior_clear(&prior, &actor);
    assert_int_equal(snw__gait_prior_add(&prior, &anatomy, out, 2), 2); /* no frames, no centres */
    prior.has_model = false;
    snw__gait_prior_look(&prior, &hidden, pose);
    assert_int_equal(snw__gait_prior_add(&prior, &anatomy, out, 2), 2);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    snw_trial_destroy(trial);
}

/* ---- a frame that stands for many ------------------------------------------------------------ */

static void frames_are_said_again_with_all_their_names(void **state)
{
    (void)state;
    snw_trial *walk = make_walk(), *longer = NULL;
    snw_error error;
    snw_trial three = snw_trial_window(walk, 4, 3), none = snw_trial_window(walk, 0, 0);
    set_number(walk, "LKneeWidth", 105);
    three = snw_trial_window(walk, 4, 3);
    assert_int_equal(snw__trial_repeat(&three, 20, NULL, &longer, &error), SNW_OK);
    assert_int_equal(longer->frame_count, 20);
    assert_int_equal(longer->up, walk->up);
    check_near(longer->rate, walk->rate, 0);
    check_near(longer->metres_per_unit, walk->metres_per_unit, 0);
    assert_non_null(snw_trial_find_parameter(longer, "PROCESSING", "LKneeWidth"));
    for (int m = 0; m < walk->marker_count; m++) {
        assert_string_equal(longer->marker[m].name, walk->marker[m].name);
        for (int f = 0; f < 20; f++)
            check_vec3_near(snw_trial_position(longer, f, m),
                            snw_trial_position(walk, 4 + f % 3, m), 0);
    }
    snw_trial_destroy(longer);
    assert_int_equal(snw__trial_repeat(&none, 20, NULL, &longer, &error), SNW_DEGENERATE);
    assert_null(longer);
    snw_trial_destroy(walk);
}

static snw_trial *swept; /* what the maker below says again */

MAKER(repeated, snw_trial, snw_trial_destroy, snw__trial_repeat(swept, 5, a, &out, e))

static void no_memory_is_told_and_nothing_stays(void **state)
{
    (void)state;
    static const struct maker makers[] = {{"repeated", make_repeated}};
    swept = make_walk();
    set_number(swept, "LKneeWidth", 105);
    sweep_makers(makers, 1);
    snw_trial_destroy(swept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_follows_from_the_markers),
        cmocka_unit_test(rules_that_disagree_are_believed_less),
        cmocka_unit_test(corrected_labels_are_followed),
        cmocka_unit_test(markers_of_others_are_not_taken),
        cmocka_unit_test(expected_are_the_models_centres),
        cmocka_unit_test(frames_are_said_again_with_all_their_names),
        cmocka_unit_test(no_memory_is_told_and_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The tracker on a body that is given, without any capture: frames are made by hand. */
#include <string.h>

#include "capture_truth.h"

#include <sinew/sinew.h>

/* A trunk with an arm of two bones: four markers on the trunk, three on each bone. */
#define ARM_MARKERS 10

typedef struct scene {
    snw_skeleton *body;
    snw_actor *actor;
    snw_tracker *tracker;
    snw_pose *truth, *pose;
    const char *name[ARM_MARKERS];
    snw_sample sample[ARM_MARKERS];
    uint8_t state[ARM_MARKERS];
    float uncertainty[ARM_MARKERS];
} scene;

static const struct {
    const char *name;
    int joint;
    snw_vec3 offset;
} arm_markers[ARM_MARKERS] = {{"trunk1", 0, {0.1, 0, 0}},     {"trunk2", 0, {-0.1, 0, 0}},
                              {"trunk3", 0, {0, 0.12, 0}},    {"trunk4", 0, {0, 0, 0.1}},
                              {"upper1", 1, {0.05, 0.1, 0}},  {"upper2", 1, {-0.05, 0.2, 0}},
                              {"upper3", 1, {0, 0.15, 0.05}}, {"fore1", 2, {0.04, 0.1, 0}},
                              {"fore2", 2, {-0.04, 0.2, 0}},  {"fore3", 2, {0, 0.15, 0.04}}};

static void begin(scene *s)
{
    snw_joint_def def[3];
    snw_actor_marker marker[ARM_MARKERS];
    memset(s, 0, sizeof *s);
    for (int j = 0; j < 3; j++) {
        def[j] = snw_joint_def_default();
        def[j].name = j == 0 ? "trunk" : j == 1 ? "upper" : "fore";
        def[j].parent = j - 1;
        if (j) def[j].rest.translation = snw_vec3_make(0, j == 1 ? 0.2 : 0.3, 0);
        if (j) def[j].joint.type = j == 1 ? SNW_JOINT_BALL : SNW_JOINT_HINGE;
        def[j].joint.axis = snw_vec3_make(1, 0, 0);
    }
    assert_int_equal(snw_skeleton_create(def, 3, NULL, &s->body, NULL), SNW_OK);
    for (int m = 0; m < ARM_MARKERS; m++) {
        marker[m] = (snw_actor_marker){arm_markers[m].name, arm_markers[m].joint,
                                       arm_markers[m].offset, 0.001};
        s->name[m] = arm_markers[ARM_MARKERS - 1 - m].name; /* frames have another order */
    }
    const snw_name_list names = {s->name, ARM_MARKERS};
    assert_int_equal(snw_actor_create(s->body, marker, ARM_MARKERS, NULL, &s->actor, NULL), SNW_OK);
    assert_int_equal(snw_tracker_create(s->actor, &names, NULL, NULL, &s->tracker, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(s->body, NULL, &s->truth, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(s->body, NULL, &s->pose, NULL), SNW_OK);
}

static void end(scene *s)
{
    snw_pose_destroy(s->pose);
    snw_pose_destroy(s->truth);
    snw_tracker_destroy(s->tracker);
    snw_actor_destroy(s->actor);
    snw_skeleton_destroy(s->body);
}

/* The frame at time t, all markers measured, in millimetres. */
static snw_frame make_frame(scene *s, double t)
{
    s->truth->root = snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.5 * t),
                                    snw_vec3_make(1 + t, 2, 3));
    s->truth->rotation[1] = snw_quat_from_axis_angle(snw_vec3_make(0, 0.6, 0.8), 0.7 * t);
    s->truth->rotation[2] = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), 0.9 * t);
    snw_pose_forward(s->truth);
    for (int m = 0; m < ARM_MARKERS; m++) {
        int at = ARM_MARKERS - 1 - m;
        snw_vec3 p =
            snw_xform_point(s->truth->world[arm_markers[at].joint], arm_markers[at].offset);
        s->sample[m] =
            (snw_sample){(float)(1000 * p.x), (float)(1000 * p.y), (float)(1000 * p.z), 0};
        s->state[m] = SNW_SAMPLE_MEASURED;
        s->uncertainty[m] = 0;
    }
    snw_frame frame = {ARM_MARKERS, t, 0.001, 1, s->sample, s->state, s->uncertainty};
    return frame;
}

static void hide(scene *s, const char *name, snw_sample_state as)
{
    for (int m = 0; m < ARM_MARKERS; m++)
        if (strncmp(s->name[m], name, strlen(name)) == 0) s->state[m] = (uint8_t)as;
}

/* A float of 1000 mm carries 6e-5 mm; the solver stops at 1e-5 rad. */
#define TRACK_TOLERANCE 1e-5

static void names_and_a_unit_are_enough(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    for (double t = 0; t < 1; t += 0.1) {
        snw_frame frame = make_frame(&s, t);
        snw_track track = snw_tracker_step(s.tracker, &frame, s.pose);
        assert_false(track.is_lost);
        assert_int_equal(track.measured_count, ARM_MARKERS);
        for (int j = 0; j < 3; j++)
            check_vec3_near(s.pose->world[j].translation, s.truth->world[j].translation,
                            TRACK_TOLERANCE);
    }
    end(&s);
}

static void a_lost_frame_keeps_the_last_pose_whatever_the_buffer_holds(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    snw_pose *buffer[3] = {NULL, NULL, NULL}, *last = NULL;
    assert_int_equal(snw_pose_create(s.body, NULL, &last, NULL), SNW_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(snw_pose_create(s.body, NULL, &buffer[k], NULL), SNW_OK);
    for (int f = 0; f < 12; f++) {
        snw_pose *out = buffer[f % 3]; /* holds the pose of frame f - 3, or a fresh one */
        snw_frame frame = make_frame(&s, 0.05 * f);
        bool is_hidden = f == 1 || f >= 6;
        if (is_hidden) hide(&s, "", SNW_SAMPLE_MISSING);
        assert_int_equal(snw_tracker_step(s.tracker, &frame, out).is_lost, is_hidden);
        if (!is_hidden) {
            snw_pose_copy(last, out);
            continue;
        }
        assert_memory_equal(&out->root, &last->root, sizeof last->root);
        assert_memory_equal(out->rotation, last->rotation, 3 * sizeof *last->rotation);
        assert_memory_equal(out->world, last->world, 3 * sizeof *last->world);
    }
    for (int k = 0; k < 3; k++)
        snw_pose_destroy(buffer[k]);
    snw_pose_destroy(last);
    end(&s);
}

/* The upper arm's markers 3 mm beside the truth: measured they move the elbow, predicted with 50 mm
 * of uncertainty they hardly do, and without any they count as known to 20 mm. */
static void a_sample_counts_by_its_state_and_uncertainty(void **state)
{
    (void)state;
    static const struct {
        snw_sample_state state;
        float uncertainty;
    } rows[] = {{SNW_SAMPLE_MEASURED, 0},
                {SNW_SAMPLE_PREDICTED, 0.0005F},
                {SNW_SAMPLE_PREDICTED, 0.05F},
                {SNW_SAMPLE_FILLED, 0}};
    double moved[4];
    for (int n = 0; n < 4; n++) {
        scene s;
        begin(&s);
        for (int f = 0; f < 3; f++) {
            snw_frame frame = make_frame(&s, 0.5);
            for (int m = 0; f == 2 && m < ARM_MARKERS; m++) {
                if (strncmp(s.name[m], "upper", 5) != 0) continue;
                s.sample[m].z += 3; /* 3 mm: the forearm, measured, says otherwise */
                s.state[m] = (uint8_t)rows[n].state;
                s.uncertainty[m] = rows[n].uncertainty;
            }
            snw_track track = snw_tracker_step(s.tracker, &frame, s.pose);
            assert_false(track.is_lost);
            if (f == 2)
                assert_int_equal(track.measured_count, rows[n].state == SNW_SAMPLE_MEASURED
                                                           ? ARM_MARKERS
                                                           : ARM_MARKERS - 3);
        }
        moved[n] = snw_vec3_distance(s.pose->world[2].translation, s.truth->world[2].translation);
        end(&s);
    }
    assert_true(moved[0] > 1e-4);                   /* three markers of 1 mm against the rest */
    check_near(moved[1], moved[0], 0.3 * moved[0]); /* half a millimetre more is 1.25 x variance */
    assert_true(moved[2] < 0.01 * moved[0]);        /* 2500 times the variance */
    assert_true(moved[3] < 0.05 * moved[0]);        /* 400 times */
}

static void observed_and_determined_are_two_questions(void **state)
{
    (void)state;
    static const struct {
        const char *hidden;
        snw_sample_state as;
        int joint;
        bool is_observed, is_determined;
        int rank, freedom;
    } rows[] = {{"none", SNW_SAMPLE_MISSING, 0, true, true, 6, 6},
                {"none", SNW_SAMPLE_MISSING, 1, true, true, 3, 3},
                {"none", SNW_SAMPLE_MISSING, 2, true, true, 1, 1},
                {"fore", SNW_SAMPLE_MISSING, 1, true, true, 3, 3},
                {"fore", SNW_SAMPLE_MISSING, 2, false, false, 0, 1},
                /* The forearm's three markers place the elbow: the upper arm's swing is told, not
                 * its twist, and nothing that hangs on an open twist is known. */
                {"upper", SNW_SAMPLE_MISSING, 1, true, false, 2, 3},
                {"upper", SNW_SAMPLE_MISSING, 2, true, false, 1, 1},
                {"trunk", SNW_SAMPLE_MISSING, 0, true, false, 3, 6},
                /* Predictions tell where a segment is; they observe nothing. */
                {"fore", SNW_SAMPLE_PREDICTED, 2, false, true, 1, 1},
                {"", SNW_SAMPLE_MISSING, 0, false, false, 0, 6}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        scene s;
        begin(&s);
        snw_frame frame = make_frame(&s, 0.3);
        hide(&s, rows[n].hidden, rows[n].as);
        snw_tracker_step(s.tracker, &frame, s.pose);
        snw_joint_observability told = snw_tracker_observability(s.tracker, rows[n].joint);
        if (told.is_observed != rows[n].is_observed ||
            told.is_determined != rows[n].is_determined || told.rank != rows[n].rank ||
            told.freedom != rows[n].freedom)
            fail_msg("row %zu: observed %d determined %d rank %d of %d", n, told.is_observed,
                     told.is_determined, told.rank, told.freedom);
        assert_int_equal(snw_tracker_observability(s.tracker, 99).freedom, 0);
        end(&s);
    }
}

/* The calibration saw 0.1 mm, the trial has 3 mm: no frame is lost, the residual tells the truth,
 * and a marker that is 300 mm off is still an outlier. */
static void a_trial_with_more_noise_than_the_calibration_is_tracked(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    for (int m = 0; m < ARM_MARKERS; m++)
        s.actor->marker[m].noise = 1e-4;
    snw_tracker_destroy(s.tracker);
    const snw_name_list names = {s.name, ARM_MARKERS};
    assert_int_equal(snw_tracker_create(s.actor, &names, NULL, NULL, &s.tracker, NULL), SNW_OK);
    snw_random random = snw_random_seed(5, 1);
    int lost = 0;
    double sum2 = 0;
    for (int f = 0; f < 200; f++) {
        snw_frame frame = make_frame(&s, 0.005 * f);
        for (int m = 0; m < ARM_MARKERS; m++) {
            s.sample[m].x += (float)(3 * snw_random_normal(&random));
            s.sample[m].y += (float)(3 * snw_random_normal(&random));
            s.sample[m].z += (float)(3 * snw_random_normal(&random));
        }
        if (f >= 150) s.sample[0].x += 300;
        snw_track track = snw_tracker_step(s.tracker, &frame, s.pose);
        lost += track.is_lost;
        if (f >= 150) assert_int_equal(track.outlier_count, 1);
        sum2 += track.residual * track.residual / 200;
    }
    assert_int_equal(lost, 0);
    /* 30 coordinates less 10 of the pose, 3 mm each: 3 sqrt(20 / 10) = 4.2 mm. */
    check_near(sqrt(sum2), 0.0042, 0.0005);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_a_unit_are_enough),
        cmocka_unit_test(a_lost_frame_keeps_the_last_pose_whatever_the_buffer_holds),
        cmocka_unit_test(a_sample_counts_by_its_state_and_uncertainty),
        cmocka_unit_test(observed_and_determined_are_two_questions),
        cmocka_unit_test(a_trial_with_more_noise_than_the_calibration_is_tracked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

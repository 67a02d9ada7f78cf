/* A capture whose truth is known: a small person that moves in smooth random ways, with markers on
 * every segment, noise and gaps. */
#ifndef SNW_TESTS_CAPTURE_TRUTH_H
#define SNW_TESTS_CAPTURE_TRUTH_H

#include "check.h"

#define TRUTH_JOINTS 11

typedef struct truth_row {
    const char *name;
    int parent;
    double x, y, z;    /* rest place in the parent, metres */
    double ex, ey, ez; /* where the segment ends, metres */
} truth_row;

static const truth_row truth_rows[TRUTH_JOINTS] = {
    {"Hips", -1, 0, 0, 0, 0, 0.12, 0},
    {"Chest", 0, 0, 0.12, 0, 0, 0.4, 0},
    {"Head", 1, 0, 0.45, 0, 0, 0.22, 0},
    {"LeftArm", 1, 0.2, 0.38, 0, 0.3, 0, 0},
    {"LeftForeArm", 3, 0.3, 0, 0, 0.26, 0, 0},
    {"RightArm", 1, -0.2, 0.38, 0, -0.3, 0, 0},
    {"RightForeArm", 5, -0.3, 0, 0, -0.26, 0, 0},
    {"LeftUpLeg", 0, 0.1, -0.05, 0, 0, -0.43, 0},
    {"LeftLeg", 7, 0, -0.43, 0, 0, -0.42, 0},
    {"RightUpLeg", 0, -0.1, -0.05, 0, 0, -0.43, 0},
    {"RightLeg", 9, 0, -0.43, 0, 0, -0.42, 0},
};

typedef struct truth_options {
    int frame_count;
    int markers_per_segment;
    double noise;     /* metres */
    double gap_share; /* of the samples */
    double swing;     /* size of the joints' turns, radians */
    bool is_named;
    bool has_hinges; /* knees and elbows turn about one axis */
    uint64_t seed;
} truth_options;

typedef struct truth {
    snw_skeleton *skeleton;
    snw_motion *motion;
    snw_trial *trial;
    snw_vec3 *joint; /* (frame_count x TRUTH_JOINTS) in the world */
} truth;

static inline truth_options truth_options_default(void)
{
    truth_options options = {400, 4, 0.0005, 0, 0.5, true, true, 1};
    return options;
}

static inline snw_skeleton *truth_skeleton(void)
{
    snw_joint_def defs[TRUTH_JOINTS];
    for (int j = 0; j < TRUTH_JOINTS; j++) {
        const truth_row *row = truth_rows + j;
        defs[j] = snw_joint_def_default();
        defs[j].name = row->name;
        defs[j].parent = row->parent;
        defs[j].joint.type = j ? SNW_JOINT_BALL : SNW_JOINT_FIXED;
        defs[j].rest.translation = snw_vec3_make(row->x, row->y, row->z);
    }
    snw_skeleton *skeleton = NULL;
    assert_int_equal(snw_skeleton_create(defs, TRUTH_JOINTS, NULL, &skeleton, NULL), SNW_OK);
    return skeleton;
}

/* Two slow sines for each coordinate of each joint. */
static inline void truth_move(truth *t, const truth_options *options, snw_random *random)
{
    double rate[TRUTH_JOINTS][3][2], phase[TRUTH_JOINTS][3][2];
    for (int n = 0; n < TRUTH_JOINTS * 6; n++) {
        rate[n / 6][n % 3][n / 3 % 2] = snw_random_range(random, 0.02, 0.06);
        phase[n / 6][n % 3][n / 3 % 2] = snw_random_range(random, 0, 6.28);
    }
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(t->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < options->frame_count; f++) {
        for (int j = 0; j < TRUTH_JOINTS; j++) {
            double w[3];
            for (int k = 0; k < 3; k++)
                w[k] = options->swing * (sin(rate[j][k][0] * f + phase[j][k][0]) +
                                         0.5 * sin(1.7 * rate[j][k][1] * f + phase[j][k][1]));
            bool is_hinge = options->has_hinges && (j == 4 || j == 6 || j == 8 || j == 10);
            snw_vec3 turn =
                is_hinge ? snw_vec3_make(0, 0, 1.5 * w[2]) : snw_vec3_make(w[0], w[1], w[2]);
            if (j)
                pose->rotation[j] = snw_quat_exp(turn);
            else
                pose->root =
                    snw_xform_make(snw_quat_exp(turn), snw_vec3_make(w[1], 1 + 0.1 * w[2], w[0]));
        }
        snw_pose_forward(pose);
        snw_motion_set(t->motion, f, pose);
        for (int j = 0; j < TRUTH_JOINTS; j++)
            t->joint[f * TRUTH_JOINTS + j] = pose->world[j].translation;
    }
    snw_pose_destroy(pose);
}

static inline void truth_mark(truth *t, const truth_options *options, snw_random *random)
{
    snw_pose *pose = NULL;
    int per = options->markers_per_segment;
    snw_vec3 offset[TRUTH_JOINTS * 16];
    assert_true(per <= 16);
    for (int n = 0; n < TRUTH_JOINTS * per; n++) {
        const truth_row *row = truth_rows + n / per;
        snw_vec3 end = snw_vec3_make(row->ex, row->ey, row->ez);
        snw_vec3 side = snw_vec3_cross(snw_vec3_unit(end, end), snw_random_direction(random));
        side = snw_vec3_unit(side, snw_vec3_perpendicular(end));
        double out = snw_random_range(random, 0.045, 0.075);
        double along = snw_random_range(random, 0.15, 0.85);
        offset[n] = snw_vec3_add(snw_vec3_scale(end, along), snw_vec3_scale(side, out));
        char name[64];
        if (options->is_named)
            snw_format(name, sizeof name, "%s:%d", row->name, n % per + 1);
        else
            snw_format(name, sizeof name, "M%03d", n + 1);
        assert_int_equal(snw_trial_set_marker_name(t->trial, n, name, NULL), SNW_OK);
    }
    assert_int_equal(snw_pose_create(t->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < options->frame_count; f++) {
        snw_motion_get(t->motion, f, pose);
        snw_pose_forward(pose);
        for (int n = 0; n < TRUTH_JOINTS * per; n++) {
            snw_vec3 at = snw_pose_point(pose, n / per, offset[n]);
            at.x += options->noise * snw_random_normal(random);
            at.y += options->noise * snw_random_normal(random);
            at.z += options->noise * snw_random_normal(random);
            snw_trial_set(t->trial, f, n, at, SNW_SAMPLE_MEASURED);
        }
    }
    snw_pose_destroy(pose);
}

static inline void truth_hide(truth *t, const truth_options *options, snw_random *random)
{
    double want = options->gap_share * options->frame_count * t->trial->marker_count;
    for (double hidden = 0; hidden < want;) {
        int marker = (int)snw_random_below(random, (uint32_t)t->trial->marker_count);
        int from = (int)snw_random_below(random, (uint32_t)options->frame_count);
        int length = 10 + (int)snw_random_below(random, 60);
        for (int f = from; f < from + length && f < options->frame_count; f++, hidden++)
            snw_trial_set(t->trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
}

static inline truth truth_make(const truth_options *options)
{
    truth t;
    snw_random random = snw_random_seed(options->seed, 5);
    snw_trial_options trial = snw_trial_options_default();
    trial.marker_count = TRUTH_JOINTS * options->markers_per_segment;
    trial.frame_count = options->frame_count;
    t.skeleton = truth_skeleton();
    t.joint = calloc((size_t)options->frame_count * TRUTH_JOINTS, sizeof *t.joint);
    assert_non_null(t.joint);
    assert_int_equal(
        snw_motion_create(t.skeleton, options->frame_count, 100, NULL, &t.motion, NULL), SNW_OK);
    assert_int_equal(snw_trial_create(&trial, NULL, &t.trial, NULL), SNW_OK);
    truth_move(&t, options, &random);
    truth_mark(&t, options, &random);
    truth_hide(&t, options, &random);
    return t;
}

static inline void truth_free(truth *t)
{
    snw_trial_destroy(t->trial);
    snw_motion_destroy(t->motion);
    snw_skeleton_destroy(t->skeleton);
    free(t->joint);
}

/* The actor that a trial gives without any options. */
static inline snw_actor *truth_actor(const snw_trial *trial)
{
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_error error;
    if (snw_segments_find(trial, NULL, NULL, &segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(trial, segments, NULL, NULL, &actor, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_segments_destroy(segments);
    return actor;
}

#endif

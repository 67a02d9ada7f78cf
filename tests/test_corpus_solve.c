/* Real captures: each gives a connected skeleton or a sentence, the markers stay near it, and
 * joints do not jump where markers do not. Needs
 * the corpus that SINEW_CORPUS names. */
#include "corpus_solve.h"

typedef struct capture_row {
    const char *path;
    double residual; /* metres rms, at most; the goal for the CMU trials is 15 mm */
    int joints;      /* at least */
    int jumps;       /* frames in which a joint jumps though its markers do not, at most */
} capture_row;

static const capture_row capture_rows[] = {
    {"c3d_body/cmu_02_01_walk.c3d", 0.015, 15, 0},
    {"c3d_body/cmu_02_05_punch.c3d", 0.015, 15, 0},
    {"c3d_body/cmu_85_12_breakdance.c3d", 0.015, 15, 20},
    {"c3d_body/cmu_basketball_dec_int.c3d", 0.015, 15, 0},
    {"c3d_body/optitrack_tennis_nan.c3d", 0.02, 15, 0},
    {"c3d_body/vicon_nick_freeform_gaps.c3d", 0.02, 15, 0},
    {"c3d_body/optotrak_racing_gaps.c3d", 0.01, 9, 0},
    /* Two markers of its right knee have each other's labels from half of the trial on. */
    {"c3d_functional/biobuddy_right_hip.c3d", 0.0125, 10, 0},
    {"c3d_functional/biobuddy_right_knee.c3d", 0.01, 10, 0},
    {"c3d_producers/qualisys_walk_events.c3d", 0.01, 10, 0},
    /* Points of a model, one at each joint. */
    {"c3d_producers/art_hands.c3d", 0.01, 20, 0},
    {"c3d_producers/art_6dof_limbs.c3d", 0.01, 12, 0},
    {"c3d_producers/xsens_Basketball.c3d", 0.01, 10, 15},
};

static void check_motion(const snw_motion *motion)
{
    size_t rotations = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (size_t n = 0; n < rotations; n++)
        check_near(snw_quat_dot(motion->rotation[n], motion->rotation[n]), 1, 1e-9);
    for (int f = 0; f < motion->frame_count; f++)
        assert_true(snw_vec3_is_finite(motion->root[f].translation));
}

/* Length of the second difference of three points. */
static double bend(const snw_vec3 *at)
{
    snw_vec3 twice = snw_vec3_scale(at[1], 2);
    return snw_vec3_length(snw_vec3_sub(snw_vec3_add(at[0], at[2]), twice));
}

/* The largest bend of the markers of two segments at a frame and its neighbours; INFINITY where one
 * is not seen in five frames around. */
static double bend_of_markers(const corpus_solved *s, int frame, int joint)
{
    int parent = s->actor->skeleton->parent[joint];
    double most = -1;
    for (int m = 0; m < s->actor->marker_count; m++) {
        int segment = s->actor->marker[m].joint;
        if (segment != joint && segment != parent) continue;
        int source = snw_trial_find_marker(s->trial, s->actor->marker[m].name);
        snw_vec3 at[3];
        for (int f = frame - 2; f <= frame + 2; f++) {
            snw_frame view = snw_trial_frame(s->trial, f);
            if (source < 0 || view.state[source] == SNW_SAMPLE_MISSING) return INFINITY;
            if (f >= frame - 1 && f <= frame + 1)
                at[f - frame + 1] = snw_frame_position(&view, source);
        }
        most = fmax(most, bend(at));
    }
    return most < 0 ? INFINITY : most;
}

/* Frames in which a joint's second difference is above three times that of its markers and 10 mm.
 */
static int count_jumps(const corpus_solved *s)
{
    int frames = s->motion->frame_count, joints = s->actor->skeleton->joint_count, count = 0;
    snw_vec3 *at = calloc((size_t)frames * (size_t)joints, sizeof *at);
    snw_pose *pose = NULL;
    assert_non_null(at);
    assert_int_equal(snw_pose_create(s->actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < frames; f++) {
        snw_motion_get(s->motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 0; j < joints; j++)
            at[j * frames + f] = pose->world[j].translation;
    }
    for (int f = 2; f < frames - 2; f++) {
        bool jumps = false;
        for (int j = 1; j < joints && !jumps; j++) {
            double bent = bend(at + j * frames + f - 1);
            jumps = bent > 0.01 && bent > 3 * bend_of_markers(s, f, j) + 0.01;
        }
        count += jumps;
    }
    snw_pose_destroy(pose);
    free(at);
    return count;
}

static void real_captures_give_a_skeleton_near_the_markers(void **state)
{
    (void)state;
    const char *corpus = corpus_folder();
    for (size_t n = 0; n < sizeof capture_rows / sizeof *capture_rows; n++) {
        const capture_row *row = capture_rows + n;
        corpus_solved s = corpus_solve(corpus, row->path);
        assert_true(s.actor->skeleton->joint_count >= row->joints);
        check_near(s.report.residual, 0, row->residual);
        check_motion(s.motion);
        int jumps = count_jumps(&s);
        if (jumps > row->jumps) fail_msg("%s: joints jump in %d frames", row->path, jumps);
        corpus_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_captures_give_a_skeleton_near_the_markers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Real captures: each gives a connected skeleton or a sentence, and the markers stay near it. Needs
 * the corpus that SINEW_CORPUS names. */
#include "corpus_solve.h"

typedef struct capture_row {
    const char *path;
    double residual; /* metres rms, at most; the goal for the CMU trials is 15 mm */
    int joints;      /* at least */
} capture_row;

static const capture_row capture_rows[] = {
    {"c3d_body/cmu_02_01_walk.c3d", 0.015, 15},
    {"c3d_body/cmu_02_05_punch.c3d", 0.015, 15},
    {"c3d_body/cmu_85_12_breakdance.c3d", 0.015, 15},
    {"c3d_body/cmu_basketball_dec_int.c3d", 0.015, 15},
    {"c3d_body/optitrack_tennis_nan.c3d", 0.02, 15},
    {"c3d_body/vicon_nick_freeform_gaps.c3d", 0.02, 15},
    {"c3d_body/optotrak_racing_gaps.c3d", 0.01, 9},
    /* Two markers of its right knee have each other's labels from half of the trial on. */
    {"c3d_functional/biobuddy_right_hip.c3d", 0.0125, 10},
    {"c3d_functional/biobuddy_right_knee.c3d", 0.01, 10},
    {"c3d_producers/qualisys_walk_events.c3d", 0.01, 10},
    {"c3d_producers/xsens_Basketball.c3d", 0.01, 10},
};

static void check_motion(const snw_motion *motion)
{
    size_t rotations = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (size_t n = 0; n < rotations; n++)
        check_near(snw_quat_dot(motion->rotation[n], motion->rotation[n]), 1, 1e-9);
    for (int f = 0; f < motion->frame_count; f++)
        assert_true(snw_vec3_is_finite(motion->root[f].translation));
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

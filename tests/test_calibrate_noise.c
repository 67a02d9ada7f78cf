/* Calibration of a trial whose markers are noisy and often hidden: white noise averages out over
 * the frames, so all of them must have their say. */
#include "capture_truth.h"

/* Rms over all bones of how far their lengths are off, metres. */
static double bones_off(const snw_actor *actor)
{
    double sum2 = 0;
    int count = 0;
    for (int j = 1; j < TRUTH_JOINTS; j++) {
        int found = snw_skeleton_find_joint(actor->skeleton, truth_rows[j].name);
        assert_true(found >= 0);
        if (truth_rows[j].parent == 0) continue; /* the root's own centre is free */
        snw_vec3 bone = snw_vec3_make(truth_rows[j].x, truth_rows[j].y, truth_rows[j].z);
        double off = actor->skeleton->bone_length[found] - snw_vec3_length(bone);
        sum2 += off * off;
        count++;
    }
    return sqrt(sum2 / count);
}

static void bones_of_a_noisy_trial_with_gaps_are_known(void **state)
{
    (void)state;
    double sum2 = 0;
    truth_options options = truth_options_default();
    options.frame_count = 2000;
    options.noise = 0.003;
    options.gap_share = 0.25;
    options.swing = 0.12;
    options.has_hinges = false;
    for (options.seed = 1; options.seed <= CHECK_CASES(3); options.seed++) {
        truth t = truth_make(&options);
        snw_actor *actor = truth_actor(t.trial);
        double off = bones_off(actor);
        print_message("seed %d: bones are off by %.2f mm (rms)\n", (int)options.seed, 1000 * off);
        sum2 += off * off / CHECK_CASES(3);
        snw_actor_destroy(actor);
        truth_free(&t);
    }
    /* 400 of the 2000 frames give 3.3 mm. */
    check_near(sqrt(sum2), 0, 0.0016);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_of_a_noisy_trial_with_gaps_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

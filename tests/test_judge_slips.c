/* A marker that slips while the body is given: told with frame and distance, stored and live. */
#include "check.h"

typedef struct slipping {
    snw_skeleton *body;
    snw_synth *synth;
    snw_solution *first; /* of the capture as it was made: the actor */
} slipping;

static slipping begin(void)
{
    slipping s;
    snw_synth_options options = snw_synth_options_default();
    memset(&s, 0, sizeof s);
    options.motion = SNW_SYNTH_DANCE;
    options.seconds = 6;
    options.placement = SNW_SYNTH_RANDOM;
    assert_int_equal(snw_preset_create("humanoid", NULL, &s.body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(s.body, NULL, &options, NULL, &s.synth, NULL), SNW_OK);
    assert_int_equal(snw_solve(s.synth->capture, NULL, NULL, &s.first, NULL), SNW_OK);
    return s;
}

static void end(slipping *s)
{
    snw_solution_destroy(s->first);
    snw_synth_destroy(s->synth);
    snw_skeleton_destroy(s->body);
}

/* The capture whose marker moves on its segment by `metres` from `frame` on, over so many frames.
 */
static snw_trial *slip(const slipping *s, const char *name, double metres, int frame, int over)
{
    snw_trial *trial = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(snw_trial_copy(s->synth->capture, NULL, &trial, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(s->body, NULL, &pose, NULL), SNW_OK);
    int marker = snw_trial_find_marker(trial, name);
    assert_true(marker >= 0);
    int joint = s->synth->marker[marker].joint;
    for (int f = frame; f < trial->frame_count; f++) {
        double share = fmin(1, (f - frame + 1.0) / over);
        snw_motion_get(s->synth->motion, f, pose);
        snw_pose_forward(pose);
        snw_vec3 by = snw_vec3_scale(snw_vec3_make(0.6, 0, 0.8), share * metres);
        by = snw_quat_rotate(pose->world[joint].rotation, by);
        snw_trial_set(trial, f, marker, snw_vec3_add(snw_trial_position(trial, f, marker), by),
                      SNW_SAMPLE_MEASURED);
    }
    snw_pose_destroy(pose);
    return trial;
}

/* Slips that are told of the trial solved with the actor; *first is one of them. */
static int told(const slipping *s, const snw_trial *trial, bool is_live, snw_judgement *first)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    int count = 0;
    options.actor = s->first->body->actor;
    options.is_live = is_live;
    assert_int_equal(snw_solve(trial, &options, NULL, &solution, NULL), SNW_OK);
    const snw_judgements *all = solution->body->judgements;
    for (int n = 0; n < all->count; n++) {
        if (all->item[n].code != SNW_JUDGEMENT_SLIPPED_MARKER) continue;
        *first = all->item[n];
        count++;
    }
    snw_solution_destroy(solution);
    return count;
}

static void a_slip_is_told_with_an_actor_and_live(void **state)
{
    (void)state;
    slipping s = begin();
    snw_trial *trial = slip(&s, "left_knee_2", 0.03, 400, 1);
    for (int live = 0; live < 2; live++) {
        snw_judgement found;
        assert_int_equal(told(&s, trial, live, &found), 1);
        assert_int_equal(found.marker, snw_trial_find_marker(trial, "left_knee_2"));
        assert_int_equal(found.verdict, SNW_VERDICT_AMBER);
        check_near(found.frame, 400, 1);
        /* Skin of 2 mm and what the other three of the segment give way. */
        check_near(found.number, 0.03, 0.004);
    }
    snw_trial_destroy(trial);
    end(&s);
}

static void nothing_is_told_where_nothing_slips_or_all_drifts(void **state)
{
    (void)state;
    slipping s = begin();
    snw_judgement found;
    assert_int_equal(told(&s, s.synth->capture, false, &found), 0);
    assert_int_equal(told(&s, s.synth->capture, true, &found), 0);
    snw_trial *trial = slip(&s, "left_knee_2", 0.03, 200, 300); /* 12 mm/s is no slip */
    assert_int_equal(told(&s, trial, false, &found), 0);
    snw_trial_destroy(trial);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_is_told_with_an_actor_and_live),
        cmocka_unit_test(nothing_is_told_where_nothing_slips_or_all_drifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

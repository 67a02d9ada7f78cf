/* The whole solve and the live body with memory that is refused at each allocation in turn. */
#include "allocation_sweep.h"
#include "capture_truth.h"

static truth swept;
static const snw_actor *actor;

static snw_status solve(const snw_solve_options *options, const snw_allocator *a, snw_error *e)
{
    snw_solution *out = NULL;
    snw_status status = snw_solve(swept.trial, options, a, &out, e);
    if ((status == SNW_OK) != (out != NULL)) fail_msg("a solution");
    snw_solution_destroy(out);
    return status;
}

static snw_status make_solution(const snw_allocator *a, snw_error *e)
{
    return solve(NULL, a, e);
}

static snw_status make_live_solution(const snw_allocator *a, snw_error *e)
{
    snw_solve_options options = {.is_live = true, .actor = actor};
    return solve(&options, a, e);
}

static snw_status make_smooth_solution(const snw_allocator *a, snw_error *e)
{
    snw_solve_options options = {.is_smooth = true, .actor = actor};
    return solve(&options, a, e);
}

static snw_status make_judged(const snw_allocator *a, snw_error *e)
{
    static snw_judgements found;
    memset(&found, 0, sizeof found);
    return snw_solve_judge(swept.trial, a, &found, e);
}

static snw_status make_live(const snw_allocator *a, snw_error *e)
{
    const char *names[1] = {"LeftLeg:1"};
    snw_name_list list = {names, 1};
    snw_live_body *out = NULL;
    snw_status status = snw_live_body_create(actor, &list, NULL, a, &out, e);
    snw_live_body_destroy(out);
    return status;
}

static snw_status make_live_predicting(const snw_allocator *a, snw_error *e)
{
    snw_live_body *out = NULL;
    snw_segments *segments = NULL;
    snw_live_body_options options = snw_live_body_options_default();
    assert_int_equal(snw_segments_find(swept.trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    options.segments = segments;
    snw_status status = snw_live_body_create_for_trial(actor, swept.trial, &options, a, &out, e);
    snw_live_body_destroy(out);
    snw_segments_destroy(segments);
    return status;
}

/* Plates come from a real capture. */
static snw_trial *plates;
static snw_gait_model gait;
MAKER(kinetics, snw_kinetics, snw_kinetics_destroy,
      snw_kinetics_measure(plates, &gait, NULL, a, &out, e))
static snw_kinetics *moments;
MAKER(kinetics_trial, snw_trial, snw_trial_destroy,
      snw_kinetics_to_trial(moments, plates, a, &out, e))

static void kinetics_leave_nothing_behind(void **state)
{
    (void)state;
    static const struct maker makers[] = {{"kinetics", make_kinetics},
                                          {"kinetics_trial", make_kinetics_trial}};
    char path[1024];
    snw_format(path, sizeof path, "%s/c3d_gait/pig_full_walk.c3d", corpus_folder());
    assert_int_equal(snw_read_trial_file(path, NULL, NULL, &plates, NULL, NULL), SNW_OK);
    assert_int_equal(snw_gait_model_make(plates, NULL, NULL, &gait, NULL, NULL), SNW_OK);
    assert_int_equal(snw_kinetics_measure(plates, &gait, NULL, NULL, &moments, NULL), SNW_OK);
    sweep_makers(makers, 2);
    snw_kinetics_destroy(moments);
    snw_trial_destroy(plates);
}

MAKER(live_labels, snw_live_labels, snw_live_labels_destroy,
      snw_live_labels_create(actor, 100, 50, a, &out, e))
MAKER(live_filter, snw_live_filter, snw_live_filter_destroy,
      snw_live_filter_create(actor->skeleton, 6, 100, a, &out, e))
MAKER(actor_copy, snw_actor, snw_actor_destroy, snw_actor_copy(actor, a, &out, e))

static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    static const struct maker makers[] = {{"solution", make_solution},
                                          {"live solution", make_live_solution},
                                          {"smooth", make_smooth_solution},
                                          {"live", make_live},
                                          {"predicting", make_live_predicting},
                                          {"labels", make_live_labels},
                                          {"filter", make_live_filter},
                                          {"actor copy", make_actor_copy},
                                          {"judged", make_judged}};
    truth_options options = truth_options_default();
    options.frame_count = 40;
    swept = truth_make(&options);
    snw_trial_set(swept.trial, 20, 3, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MEASURED);
    snw_solution *solution = NULL;
    assert_int_equal(snw_solve(swept.trial, NULL, NULL, &solution, NULL), SNW_OK);
    actor = solution->body->kept;
    sweep_makers(makers, sizeof makers / sizeof *makers);
    snw_solution_destroy(solution);
    truth_free(&swept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused_memory_leaves_nothing_behind),
                                       cmocka_unit_test(kinetics_leave_nothing_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

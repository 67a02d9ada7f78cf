/* From a trial's markers to two segments' poses and their joint; and the corpus's functional
 * trials.
 */
#include "check.h"

enum {
    FRAMES = 200,
    PARENT = 4,
    CHILD = 3,
    MARKERS = PARENT + CHILD
};

static const snw_vec3 parent_place[PARENT] = {
    {0.1, 0, 0.02}, {-0.1, 0.01, 0}, {0.08, 0.12, 0}, {-0.07, 0.1, 0.05}};
static const snw_vec3 child_place[CHILD] = {
    {0.03, -0.2, 0}, {-0.05, -0.25, 0.03}, {0, -0.3, -0.06}};
static const snw_vec3 joint_in_parent = {0.05, -0.1, 0.02}; /* of the child: its origin */

static const int parent_index[PARENT] = {0, 1, 2, 3}, child_index[CHILD] = {4, 5, 6};
static const snw_marker_list both[2] = {{parent_index, PARENT}, {child_index, CHILD}};

typedef struct view_case {
    double noise;
    int gap_every;  /* every nth sample is missing; 0 = none */
    int swap_every; /* every nth frame has two markers of the child swapped */
    bool is_hinge;
} view_case;

static snw_trial *make_trial(const view_case *c)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = MARKERS;
    options.frame_count = FRAMES;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    snw_random random = snw_random_seed(5, 1);
    for (int k = 0; k < FRAMES; k++) {
        double t = k / 30.0;
        snw_xform parent = {snw_quat_exp(snw_vec3_make(0.3 * sin(t), t, 0.2 * cos(0.7 * t))),
                            snw_vec3_make(t, 1, 0.1 * sin(3 * t))};
        snw_vec3 turn = {0.6 * sin(2.1 * t), c->is_hinge ? 0 : 0.4 * sin(1.3 * t),
                         c->is_hinge ? 0 : 0.5 * cos(1.7 * t)};
        snw_xform child =
            snw_xform_mul(parent, snw_xform_make(snw_quat_exp(turn), joint_in_parent));
        for (int m = 0; m < MARKERS; m++) {
            int seen_as = m;
            if (c->swap_every && k % c->swap_every == 0 && m >= MARKERS - 2)
                seen_as = 2 * MARKERS - 3 - m;
            snw_vec3 place = m < PARENT ? snw_xform_point(parent, parent_place[m])
                                        : snw_xform_point(child, child_place[m - PARENT]);
            snw_vec3 noise = {snw_random_normal(&random), snw_random_normal(&random),
                              snw_random_normal(&random)};
            bool is_gap = c->gap_every && (k * MARKERS + m) % c->gap_every == 0;
            if (!is_gap)
                snw_trial_set(trial, k, seen_as, snw_vec3_add_scaled(place, c->noise, noise),
                              SNW_SAMPLE_MEASURED);
        }
    }
    return trial;
}

/* The stated centre against the truth, in the lab, frame by frame: the largest distance. */
static double worst_error(const snw_joint_view *view, const snw_center *center)
{
    double worst = 0;
    for (int k = 0; k < FRAMES; k++) {
        double t = k / 30.0;
        snw_xform parent = {snw_quat_exp(snw_vec3_make(0.3 * sin(t), t, 0.2 * cos(0.7 * t))),
                            snw_vec3_make(t, 1, 0.1 * sin(3 * t))};
        if (!view->data.parent_is_valid[k]) continue;
        snw_vec3 found = snw_xform_point(view->data.world_from_parent[k], center->in_parent);
        worst = fmax(worst, snw_vec3_distance(found, snw_xform_point(parent, joint_in_parent)));
    }
    return worst;
}

static void markers_give_the_joint_in_the_lab(void **state)
{
    (void)state;
    const struct {
        view_case c;
        double tolerance; /* metres; the largest of 200 frames: the parent's pose is as noisy as its
                             markers, and the centre lies 0.15 m off */
    } cases[] = {
        /* Samples are floats in millimetres: 1e-4 mm at 7 m. */
        {{0, 0, 0, false}, 1e-5},
        {{0.001, 0, 0, false}, 0.008},
        {{0.001, 9, 0, false}, 0.010},
        {{0.001, 0, 12, false}, 0.008},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_trial *trial = make_trial(&cases[n].c);
        snw_joint_view *view = NULL;
        assert_int_equal(snw_joint_view_create(trial, both, NULL, &view, NULL), SNW_OK);
        for (int m = 0; m < SNW_CENTER_KALMAN; m++) {
            snw_center center;
            assert_int_equal(
                snw_center_solve(&view->data, (snw_center_method)m, NULL, &center, NULL), SNW_OK);
            double worst = worst_error(view, &center);
            if (!(worst <= cases[n].tolerance)) {
                print_error("case %d, %s: off by %g\n", (int)n,
                            snw_center_method_name((snw_center_method)m), worst);
                fail();
            }
            assert_int_equal(center.motion, SNW_JOINT_BALL);
        }
        check_near(view->parent_noise, cases[n].c.noise, 0.1 * cases[n].c.noise + 1e-6);
        snw_joint_view_destroy(view);
        snw_trial_destroy(trial);
    }
}

static void a_child_with_two_markers_still_has_a_centre(void **state)
{
    (void)state;
    view_case c = {0.0005, 0, 0, false};
    snw_trial *trial = make_trial(&c);
    snw_marker_list lists[2] = {{parent_index, PARENT}, {child_index, 2}};
    snw_joint_view *view = NULL;
    snw_center center;
    snw_error error;
    assert_int_equal(snw_joint_view_create(trial, lists, NULL, &view, NULL), SNW_OK);
    assert_null(view->data.world_from_child);
    assert_int_equal(snw_center_solve(&view->data, SNW_CENTER_MVM, NULL, &center, NULL), SNW_OK);
    assert_false(center.has_child);
    assert_true(worst_error(view, &center) < 0.006);
    assert_int_equal(snw_center_solve(&view->data, SNW_CENTER_TWO_SIDED, NULL, &center, &error),
                     SNW_INVALID_ARGUMENT);
    snw_joint_view_destroy(view);
    snw_trial_destroy(trial);
}

static void bad_lists_and_segments_give_a_sentence(void **state)
{
    (void)state;
    view_case c = {0, 0, 0, false};
    snw_trial *trial = make_trial(&c);
    const int outside[3] = {0, 1, MARKERS}, same[3] = {2, 2, 2};
    const struct {
        snw_marker_list lists[2];
        snw_status status;
        const char *words;
    } cases[] = {
        {{{parent_index, 2}, {child_index, 3}},
         SNW_INVALID_ARGUMENT,
         "parent segment has 2 markers"},
        {{{parent_index, 4}, {child_index, 0}},
         SNW_INVALID_ARGUMENT,
         "child segment has 0 markers"},
        {{{outside, 3}, {child_index, 3}}, SNW_INVALID_ARGUMENT, "names marker 7"},
        {{{same, 3}, {child_index, 3}}, SNW_DEGENERATE, "has no pose"},
        {{{parent_index, 65}, {child_index, 3}}, SNW_INVALID_ARGUMENT, "at most 64"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_joint_view *view = NULL;
        snw_error error;
        assert_int_equal(snw_joint_view_create(trial, cases[n].lists, NULL, &view, &error),
                         cases[n].status);
        assert_null(view);
        if (!strstr(error.message, cases[n].words)) {
            print_error("\"%s\" does not say \"%s\"\n", error.message, cases[n].words);
            fail();
        }
    }
    snw_joint_view_destroy(NULL);
    snw_trial_destroy(trial);
}

static void no_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    view_case c = {0, 0, 0, false};
    snw_trial *trial = make_trial(&c);
    bool is_made = false;
    for (long fail_at = 0; !is_made && fail_at < 10; fail_at++) {
        counting_allocator counter = {0, 0, 0, fail_at};
        snw_allocator hook = counting_hook(&counter);
        snw_joint_view *view = NULL;
        snw_error error;
        snw_status status = snw_joint_view_create(trial, both, &hook, &view, &error);
        is_made = status == SNW_OK;
        if (!is_made) assert_int_equal(status, SNW_OUT_OF_MEMORY);
        snw_joint_view_destroy(view);
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
    }
    assert_true(is_made);
    snw_trial_destroy(trial);
}

/* ---- real trials ----------------------------------------------------------------------------- */

/* Indices of the named markers, separated by blanks. */
static snw_marker_list list_of(const snw_trial *trial, const char *names, int *indices)
{
    snw_marker_list list = {indices, 0};
    while (*names) {
        char name[16];
        size_t length = strcspn(names, " ");
        snw_format(name, sizeof name, "%.*s", (int)length, names);
        indices[list.count] = snw_trial_find_marker(trial, name);
        assert_true(indices[list.count++] >= 0);
        names += length + (names[length] == ' ');
    }
    return list;
}

static void functional_trials_slip_no_more_than_score_and_agree(void **state)
{
    (void)state;
    const char *corpus = corpus_folder();
    const struct {
        const char *file, *parent, *child;
        snw_joint_type motion;
        double agreement; /* metres between two-sided and mvm; skin moves both */
    } cases[] = {
        {"biobuddy_right_hip.c3d", "LASIS RASIS LPSIS RPSIS", "RTHI1 RTHI2 RTHI3", SNW_JOINT_BALL,
         0.03},
        {"biobuddy_right_knee.c3d", "RTHI1 RTHI2 RTHI3 RLFE RMFE", "RLEG1 RLEG2 RLEG3 RLM RSPH",
         SNW_JOINT_HINGE, 0.015},
    };
    for (int n = 0; n < 2; n++) {
        char path[512];
        snw_trial *trial = NULL;
        snw_joint_view *view = NULL;
        int parent[8], child[8];
        snw_format(path, sizeof path, "%s/c3d_functional/%s", corpus, cases[n].file);
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL), SNW_OK);
        const snw_marker_list lists[2] = {list_of(trial, cases[n].parent, parent),
                                          list_of(trial, cases[n].child, child)};
        assert_int_equal(snw_joint_view_create(trial, lists, NULL, &view, NULL), SNW_OK);
        snw_center_options score = snw_center_options_default();
        score.is_robust = false;
        score.rank_threshold = 1e-12; /* plain least squares, nothing held back */
        snw_center plain, two_sided, mvm;
        const snw_center_data *data = &view->data;
        assert_int_equal(snw_center_solve(data, SNW_CENTER_TWO_SIDED, &score, &plain, NULL),
                         SNW_OK);
        assert_int_equal(snw_center_solve(data, SNW_CENTER_TWO_SIDED, NULL, &two_sided, NULL),
                         SNW_OK);
        assert_int_equal(snw_center_solve(data, SNW_CENTER_MVM, NULL, &mvm, NULL), SNW_OK);
        assert_true(two_sided.residual <= plain.residual);
        assert_int_equal(two_sided.motion, cases[n].motion);
        check_vec3_near(two_sided.in_parent, mvm.in_parent, cases[n].agreement);
        snw_joint_view_destroy(view);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_give_the_joint_in_the_lab),
        cmocka_unit_test(a_child_with_two_markers_still_has_a_centre),
        cmocka_unit_test(bad_lists_and_segments_give_a_sentence),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
        cmocka_unit_test(functional_trials_slip_no_more_than_score_and_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

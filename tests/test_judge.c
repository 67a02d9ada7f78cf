/* The judgement of a solved motion: each finding is planted by hand, with its place and number. */
#include "check.h"

#define FRAMES  200
#define MARKERS 6

/* A body of two bones at rest, its markers, and residuals that the test writes itself. */
typedef struct scene {
    snw_skeleton *skeleton;
    snw_motion *motion;
    snw_trial *trial;
    snw_actor actor;
    snw_joint_estimate estimate[2];
    snw_solve_report report;
    snw_residuals residuals;
    snw_marker_residual marker[MARKERS];
    float distance[FRAMES * MARKERS];
    double frame_rms[FRAMES];
    snw_judgements found;
} scene;

static void make_scene(scene *s)
{
    memset(s, 0, sizeof *s);
    snw_joint_def defs[2] = {snw_joint_def_default(), snw_joint_def_default()};
    defs[0].name = "hips";
    defs[1].name = "knee";
    defs[0].parent = -1;
    defs[1].parent = 0;
    defs[1].rest.translation = snw_vec3_make(0, -0.4, 0);
    assert_int_equal(snw_skeleton_create(defs, 2, NULL, &s->skeleton, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(s->skeleton, FRAMES, 100, NULL, &s->motion, NULL), SNW_OK);
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = MARKERS;
    sizes.frame_count = FRAMES;
    sizes.rate = 100;
    assert_int_equal(snw_trial_create(&sizes, NULL, &s->trial, NULL), SNW_OK);
    s->trial->first_frame = 11;
    for (int m = 0; m < MARKERS; m++) {
        char name[16];
        snprintf(name, sizeof name, "M%d", m);
        assert_int_equal(snw_trial_set_marker_name(s->trial, m, name, NULL), SNW_OK);
        s->marker[m] = (snw_marker_residual){m % 2, FRAMES, 0.002, 0.004, 3};
    }
    for (int i = 0; i < FRAMES * MARKERS; i++) {
        s->distance[i] = 0.002f;
        s->trial->state[i] = SNW_SAMPLE_MEASURED;
        s->trial->sample[i].x = 1e-4f * (float)i; /* nobody stands still to the bit */
    }
    for (int k = 0; k < FRAMES; k++)
        s->frame_rms[k] = 0.002;
    s->actor.skeleton = s->skeleton;
    s->actor.estimate = s->estimate;
    s->report = (snw_solve_report){.frame_count = FRAMES, .residual = 0.002};
    s->residuals = (snw_residuals){.marker_count = MARKERS,
                                   .frame_count = FRAMES,
                                   .marker = s->marker,
                                   .distance = s->distance,
                                   .frame_rms = s->frame_rms,
                                   .rms = 0.002};
}

static void judge_scene(scene *s)
{
    snw_judged solution = {s->trial, &s->actor, s->motion, &s->report, &s->residuals};
    snw_error error;
    assert_int_equal(snw_judge_solution(&solution, NULL, &s->found, &error), SNW_OK);
}

static void release_scene(scene *s)
{
    snw_trial_destroy(s->trial);
    snw_motion_destroy(s->motion);
    snw_skeleton_destroy(s->skeleton);
}

static void a_clean_solution_is_green_without_a_word(void **state)
{
    (void)state;
    scene s;
    make_scene(&s);
    judge_scene(&s);
    assert_int_equal(s.found.count, 0);
    assert_int_equal(s.found.verdict, SNW_VERDICT_GREEN);
    assert_string_equal(snw_verdict_name(s.found.verdict), "green");
    release_scene(&s);
}

typedef struct planted {
    const char *name;
    void (*plant)(scene *s);
    snw_judgement_code code;
    snw_verdict verdict;
    int joint, marker, frame, frame_count;
    double number;
    const char *word; /* that the sentence must hold */
} planted;

static void plant_far_body(scene *s)
{
    s->report.residual = 0.025;
}

static void plant_suspect_body(scene *s)
{
    s->report.residual = 0.015;
}

static void plant_lost(scene *s)
{
    s->report.lost_count = 60;
}

/* Of 10 lost frames 5 show nothing, amid the others. */
static void plant_hidden(scene *s)
{
    s->report.lost_count = 10;
    for (int k = 90 * MARKERS; k < 95 * MARKERS; k++)
        s->distance[k] = NAN;
}

/* Frames before the person comes and after it has gone: nobody's fault. */
static void plant_empty(scene *s)
{
    s->report.lost_count = 60;
    for (int k = 0; k < FRAMES * MARKERS; k++)
        if (k < 50 * MARKERS || k >= 190 * MARKERS) s->distance[k] = NAN;
}

/* The person comes into the volume: live, nothing tells a pose before a segment is seen whole. Six
 * markers are on two joints by turns. */
static void plant_open(scene *s)
{
    s->report.lost_count = 20;
    for (int m = 0; m < MARKERS; m++)
        s->marker[m].joint = m % 2;
    for (int f = 0; f < 20; f++)
        s->distance[f * MARKERS] = s->distance[f * MARKERS + 1] = NAN;
}

static void plant_all_lost(scene *s)
{
    s->report.lost_count = FRAMES;
}

static void plant_few_lost(scene *s)
{
    s->report.lost_count = 1;
}

static void plant_joint(scene *s)
{
    s->estimate[1].is_uncertain = true;
    s->estimate[1].uncertainty = 0.072;
}

static void plant_steady_joint(scene *s)
{
    s->estimate[1].is_uncertain = true;
    s->estimate[1].uncertainty = 0.012;
}

static void plant_stretch(scene *s)
{
    for (int k = 50; k < 60; k++) {
        s->frame_rms[k] = 0.030;
        s->distance[k * MARKERS + 4] = 0.070f;
    }
}

static void plant_marker(scene *s)
{
    s->marker[2].rms = 0.032;
}

static void plant_stray(scene *s)
{
    s->marker[5].joint = -1;
    s->marker[5].rms = 0;
}

static void every_doubt_is_named_with_its_place_and_number(void **state)
{
    (void)state;
    static const planted cases[] = {
        {"far body", plant_far_body, SNW_JUDGEMENT_FAR_BODY, SNW_VERDICT_RED, -1, -1, -1, FRAMES,
         0.025, "25 mm"},
        {"suspect body", plant_suspect_body, SNW_JUDGEMENT_FAR_BODY, SNW_VERDICT_AMBER, -1, -1, -1,
         FRAMES, 0.015, "15 mm"},
        {"lost", plant_lost, SNW_JUDGEMENT_LOST_FRAMES, SNW_VERDICT_RED, -1, -1, -1, FRAMES, 60,
         "60 of 200 frames show markers but not this body"},
        {"hidden", plant_hidden, SNW_JUDGEMENT_LOST_FRAMES, SNW_VERDICT_AMBER, -1, -1, -1, FRAMES,
         10, "10 frames of 200 show too little"},
        {"open", plant_open, SNW_JUDGEMENT_LOST_FRAMES, SNW_VERDICT_AMBER, -1, -1, -1, FRAMES, 20,
         "20 frames of 200 show too little"},
        {"all lost", plant_all_lost, SNW_JUDGEMENT_LOST_FRAMES, SNW_VERDICT_RED, -1, -1, -1, FRAMES,
         FRAMES, "200 of 200 frames show markers but not this body"},
        {"comes and goes", plant_empty, SNW_JUDGEMENT_EMPTY_FRAMES, SNW_VERDICT_GREEN, -1, -1, -1,
         FRAMES, 60, "seen in frames 61 to 200 only"},
        {"one lost", plant_few_lost, SNW_JUDGEMENT_LOST_FRAMES, SNW_VERDICT_GREEN, -1, -1, -1,
         FRAMES, 1, "1 frame of 200 shows"},
        {"joint", plant_joint, SNW_JUDGEMENT_UNCERTAIN_JOINT, SNW_VERDICT_AMBER, 1, -1, -1, 0,
         0.072, "knee"},
        {"steady joint", plant_steady_joint, SNW_JUDGEMENT_UNCERTAIN_JOINT, SNW_VERDICT_GREEN, 1,
         -1, -1, 0, 0.012, "12 mm"},
        {"stretch", plant_stretch, SNW_JUDGEMENT_FAR_STRETCH, SNW_VERDICT_AMBER, -1, 4, 50, 10,
         0.030, "frames 61 to 70 (0.50 s)"},
        {"marker", plant_marker, SNW_JUDGEMENT_FAR_MARKER, SNW_VERDICT_AMBER, 0, 2, -1, 0, 0.032,
         "M2"},
        {"stray", plant_stray, SNW_JUDGEMENT_LEFT_OUT_MARKER, SNW_VERDICT_GREEN, -1, 5, -1, 0, 0,
         "M5"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const planted *c = cases + n;
        scene s;
        make_scene(&s);
        c->plant(&s);
        judge_scene(&s);
        if (s.found.count != 1) fail_msg("%s: %d findings", c->name, s.found.count);
        const snw_judgement *item = s.found.item;
        assert_int_equal(item->code, c->code);
        assert_int_equal(item->verdict, c->verdict);
        assert_int_equal(s.found.verdict, c->verdict);
        assert_int_equal(item->joint, c->joint);
        assert_int_equal(item->marker, c->marker);
        assert_int_equal(item->frame, c->frame);
        assert_int_equal(item->frame_count, c->frame_count);
        check_near(item->number, c->number, 1e-12);
        if (!strstr(item->sentence, c->word)) fail_msg("%s: %s", c->name, item->sentence);
        release_scene(&s);
    }
}

/* Frames that are lost between the first and the last that show the body are told beside these. */
static void lost_frames_are_those_of_the_body(void **state)
{
    (void)state;
    scene s;
    make_scene(&s);
    for (int k = 0; k < FRAMES * MARKERS; k++)
        if (k < 100 * MARKERS || k / MARKERS == 150) s.distance[k] = NAN;
    s.report.lost_count = 101;
    judge_scene(&s);
    assert_int_equal(s.found.count, 2);
    assert_int_equal(s.found.verdict, SNW_VERDICT_GREEN); /* one of a hundred */
    assert_int_equal(s.found.item[0].code, SNW_JUDGEMENT_LOST_FRAMES);
    check_near(s.found.item[0].number, 1, 0);
    assert_int_equal(s.found.item[0].frame_count, 100);
    assert_int_equal(s.found.item[1].code, SNW_JUDGEMENT_EMPTY_FRAMES);
    check_near(s.found.item[1].number, 100, 0);
    release_scene(&s);
}

/* Between what skin does and what it does not: worth knowing, no more. */
static void what_skin_may_do_is_no_reason_to_doubt(void **state)
{
    (void)state;
    scene s;
    make_scene(&s);
    s.marker[2].rms = 0.015;
    s.frame_rms[70] = 0.018;
    judge_scene(&s);
    assert_int_equal(s.found.count, 2);
    assert_int_equal(s.found.verdict, SNW_VERDICT_GREEN);
    release_scene(&s);
}

/* The body before its parts, whatever was found first. */
static void a_body_that_is_none_comes_before_its_markers(void **state)
{
    (void)state;
    static snw_judgements list;
    static const snw_judgement_code wanted[] = {SNW_JUDGEMENT_IMPLAUSIBLE_BONE,
                                                SNW_JUDGEMENT_LOST_FRAMES, SNW_JUDGEMENT_FAR_MARKER,
                                                SNW_JUDGEMENT_UNCERTAIN_JOINT};
    memset(&list, 0, sizeof list);
    for (int n = 3; n >= 0; n--) {
        snw_judgement item = {.code = wanted[n], .verdict = SNW_VERDICT_AMBER};
        snw_judgements_add(&list, &item);
    }
    for (int n = 0; n < 4; n++)
        assert_int_equal(list.item[n].code, wanted[n]);
    snw_judgement far = {
        .code = SNW_JUDGEMENT_FAR_MARKER, .verdict = SNW_VERDICT_AMBER, .number = 0.3};
    snw_judgements_add(&list, &far);
    check_near(list.item[2].number, 0.3, 0); /* the farthest marker first */
}

static void the_gravest_comes_first_and_stays_when_there_are_too_many(void **state)
{
    (void)state;
    static snw_judgements list;
    memset(&list, 0, sizeof list);
    for (int n = 0; n < SNW_JUDGEMENTS_MAX + 20; n++) {
        snw_judgement item = {.code = SNW_JUDGEMENT_LEFT_OUT_MARKER, .marker = n};
        snw_judgements_add(&list, &item);
    }
    snw_judgement grave = {.code = SNW_JUDGEMENT_FAR_BODY, .verdict = SNW_VERDICT_RED};
    snw_judgements_add(&list, &grave);
    assert_int_equal(list.count, SNW_JUDGEMENTS_MAX);
    assert_int_equal(list.dropped, 21);
    assert_int_equal(list.verdict, SNW_VERDICT_RED);
    assert_int_equal(list.item[0].code, SNW_JUDGEMENT_FAR_BODY);
}

static void half_a_solution_is_refused(void **state)
{
    (void)state;
    snw_judged solution = {NULL, NULL, NULL, NULL, NULL};
    snw_judgements found;
    snw_error error;
    assert_int_equal(snw_judge_solution(&solution, NULL, &found, &error), SNW_INVALID_ARGUMENT);
    assert_int_equal(found.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_solution_is_green_without_a_word),
        cmocka_unit_test(every_doubt_is_named_with_its_place_and_number),
        cmocka_unit_test(lost_frames_are_those_of_the_body),
        cmocka_unit_test(what_skin_may_do_is_no_reason_to_doubt),
        cmocka_unit_test(a_body_that_is_none_comes_before_its_markers),
        cmocka_unit_test(the_gravest_comes_first_and_stays_when_there_are_too_many),
        cmocka_unit_test(half_a_solution_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

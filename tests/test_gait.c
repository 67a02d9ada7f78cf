/* Gait events, strides and mean cycles on a walk made by hand and on real files with events of
 * other programs. */
#include "check.h"

/* ---- a walk made by hand ----------------------------------------------------------------------
 */

#define RATE    100.0
#define FRAMES  400
#define STRIDE  1.0 /* seconds, both feet half a stride apart */
#define STANCE  0.6 /* of the stride on the floor */
#define LENGTH  1.2 /* metres */
#define SPACING 0.16

enum {
    LASI,
    RASI,
    SACR,
    LHEE,
    LTOE,
    RHEE,
    RTOE,
    MARKERS
};

/* Where a foot is: it stands, then swings on with no speed at both ends (a quintic). */
static double foot_way(double phase)
{
    double turns = floor(phase), part = phase - turns;
    if (part < STANCE) return turns * LENGTH;
    double s = (part - STANCE) / (1 - STANCE);
    return (turns + s * s * s * (10 + s * (-15 + 6 * s))) * LENGTH;
}

static snw_trial *make_walk(void)
{
    static const char *const name[MARKERS] = {"LASI", "RASI", "SACR", "LHEE",
                                              "LTOE", "RHEE", "RTOE"};
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    options.marker_count = MARKERS;
    options.frame_count = FRAMES;
    options.rate = RATE;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    trial->up = SNW_UP_Z;
    trial->first_frame = 31; /* events of files count from frame 1 */
    for (int m = 0; m < MARKERS; m++)
        snw_trial_set_marker_name(trial, m, name[m], &error);
    for (int f = 0; f < FRAMES; f++) {
        double t = f / RATE, body = LENGTH * t / STRIDE;
        snw_trial_set(trial, f, LASI, snw_vec3_make(body + 0.1, 0.12, 1), SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, RASI, snw_vec3_make(body + 0.1, -0.12, 1), SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, SACR, snw_vec3_make(body - 0.1, 0, 1), SNW_SAMPLE_MEASURED);
        for (int side = 0; side < 2; side++) {
            /* The left foot strikes at 0.3, 1.3, ... s, the right one half a stride later. */
            double x = foot_way(t / STRIDE - 0.3 - 0.5 * side) + 0.6 + 0.5 * side * LENGTH;
            double y = side ? -SPACING / 2 : SPACING / 2;
            snw_trial_set(trial, f, side ? RHEE : LHEE, snw_vec3_make(x, y, 0.03),
                          SNW_SAMPLE_MEASURED);
            snw_trial_set(trial, f, side ? RTOE : LTOE, snw_vec3_make(x + 0.2, y, 0.02),
                          SNW_SAMPLE_MEASURED);
        }
    }
    return trial;
}

static snw_gait_events *true_events(snw_trial *trial)
{
    snw_gait_events *events = NULL;
    snw_error error;
    for (int side = 0; side < 2; side++)
        for (int n = 0; n < 4; n++)
            for (int off = 0; off < 2; off++) {
                char label[16], context[8], none[1] = "";
                snw_event event;
                memset(&event, 0, sizeof event);
                snprintf(label, sizeof label, "%s", off ? "Foot Off" : "Foot Strike");
                snprintf(context, sizeof context, "%s", side ? "Right" : "Left");
                event.label = label;
                event.context = context;
                event.subject = event.description = none;
                event.time = 0.3 + n + 0.5 * side + (off ? STANCE : 0) + 30 / RATE;
                if (event.time - 30 / RATE < (FRAMES - 1) / RATE)
                    assert_int_equal(snw_trial_add_event(trial, &event, &error), SNW_OK);
            }
    assert_int_equal(snw_gait_events_read(trial, NULL, &events, &error), SNW_OK);
    return events;
}

static double nearest(const snw_gait_events *events, const snw_gait_event *to)
{
    double best = INFINITY;
    for (int n = 0; n < events->count; n++)
        if (events->event[n].kind == to->kind && events->event[n].side == to->side)
            best = fmin(best, fabs(events->event[n].time - to->time));
    return best;
}

/* A foot that stops and starts without a jerk is slower than 0.5 m/s for 30 ms around the instant,
 * and as slow as the body, which is where Zeni's heel is farthest ahead, for 53: hence the bounds.
 */
static void events_of_a_known_walk_are_found(void **state)
{
    (void)state;
    static const double bound[] = {0.06, 0.06, 0.04};
    for (int method = 0; method < SNW_EVENT_METHOD_COUNT; method++) {
        snw_trial *trial = make_walk();
        snw_gait_events *truth = true_events(trial), *found = NULL;
        snw_event_options options = snw_event_options_default();
        snw_error error;
        options.method = (snw_event_method)method;
        assert_int_equal(snw_gait_events_find(trial, &options, NULL, &found, NULL, &error), SNW_OK);
        int near = 0;
        for (int n = 0; n < truth->count; n++)
            near += nearest(found, truth->event + n) < bound[method];
        assert_true(near >= truth->count - 3); /* those at the ends may be cut */
        for (int n = 0; n < found->count; n++)
            if (found->event[n].time > 0.5 && found->event[n].time < 3.3)
                check_near(nearest(truth, found->event + n), 0, bound[method]);
        snw_gait_events_destroy(found);
        snw_gait_events_destroy(truth);
        snw_trial_destroy(trial);
    }
}

static void strides_have_the_numbers_of_the_walk(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    snw_gait_events *events = true_events(trial);
    snw_strides *strides = NULL;
    snw_error error;
    assert_int_equal(snw_strides_measure(trial, events, NULL, &strides, &error), SNW_OK);
    assert_true(strides->count >= 5);
    for (int n = 1; n < strides->count; n++) { /* before the first the other foot has no events */
        const snw_stride *stride = strides->stride + n;
        check_near(stride->time, STRIDE, 1e-6); /* event times are doubles here */
        check_near(stride->cadence, 120, 1e-3);
        check_near(stride->belt, 0, 0);
        check_near(stride->length, LENGTH, 1e-6);
        check_near(stride->speed, LENGTH / STRIDE, 1e-6);
        check_near(stride->step_time, 0.5, 1e-6);
        check_near(stride->step_length, LENGTH / 2, 1e-6);
        check_near(stride->step_width, SPACING, 1e-6);
        check_near(stride->foot_off, STANCE, 1e-6);
        check_near(stride->opposite_strike, 0.5, 1e-6);
        check_near(stride->opposite_off, STANCE - 0.5, 1e-6);
        check_near(stride->single_support, 0.5 - (STANCE - 0.5), 1e-6);
        check_near(stride->double_support, 2 * (STANCE - 0.5), 1e-6);
    }
    snw_strides_destroy(strides);
    snw_gait_events_destroy(events);
    snw_trial_destroy(trial);
}

/* Between the events as they are. */
static snw_strides *strides_of(snw_trial *trial)
{
    snw_gait_events *events = true_events(trial);
    snw_strides *strides = NULL;
    assert_int_equal(snw_strides_measure(trial, events, NULL, &strides, NULL), SNW_OK);
    snw_gait_events_destroy(events);
    return strides;
}

/* The same walk on a belt that takes everything back as fast as the body goes. */
static void strides_on_a_treadmill_are_as_long(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    for (int f = 0; f < FRAMES; f++)
        for (int m = 0; m < MARKERS; m++) {
            snw_vec3 at = snw_trial_position(trial, f, m);
            at.x -= LENGTH / STRIDE * f / RATE;
            snw_trial_set(trial, f, m, at, SNW_SAMPLE_MEASURED);
        }
    snw_strides *strides = strides_of(trial);
    assert_true(strides->count >= 5);
    for (int n = 1; n < strides->count; n++) {
        const snw_stride *stride = strides->stride + n;
        check_near(stride->belt, LENGTH / STRIDE, 1e-5);
        check_near(stride->length, LENGTH, 1e-5);
        check_near(stride->speed, LENGTH / STRIDE, 1e-5);
        check_near(stride->step_length, LENGTH / 2, 1e-5);
        check_near(stride->step_width, SPACING, 1e-6);
    }
    snw_strides_destroy(strides);
    snw_trial_destroy(trial);
}

/* A foot that creeps by centimetres while somebody marches on the spot is on no belt. */
static void who_marches_on_the_spot_is_on_no_treadmill(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    for (int f = 0; f < FRAMES; f++)
        for (int m = 0; m < MARKERS; m++) {
            snw_vec3 at = snw_trial_position(trial, 0, m);
            at.x -= 0.02 * f / RATE;
            snw_trial_set(trial, f, m, at, SNW_SAMPLE_MEASURED);
        }
    snw_strides *strides = strides_of(trial);
    assert_true(strides->count >= 5);
    for (int n = 0; n < strides->count; n++)
        check_near(strides->stride[n].belt, 0, 0);
    snw_strides_destroy(strides);
    snw_trial_destroy(trial);
}

/* In the second half of stance the heel rises and goes ahead, here by 50 mm: a step is between
 * where the heels struck, and two steps in a row are a stride. */
static void a_heel_that_has_left_the_floor_shortens_no_step(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    for (int f = 0; f < FRAMES; f++)
        for (int side = 0; side < 2; side++) {
            double phase = fmod(f / RATE - 0.3 - 0.5 * side + 10, 1.0);
            snw_vec3 heel = snw_trial_position(trial, f, side ? RHEE : LHEE);
            if (phase > 0.4 && phase < 0.9) heel.x += 0.05;
            snw_trial_set(trial, f, side ? RHEE : LHEE, heel, SNW_SAMPLE_MEASURED);
        }
    snw_strides *strides = strides_of(trial);
    for (int n = 1; n < strides->count; n++) {
        check_near(strides->stride[n].step_length, LENGTH / 2, 1e-6);
        check_near(strides->stride[n].length, LENGTH, 1e-6);
    }
    snw_strides_destroy(strides);
    snw_trial_destroy(trial);
}

/* ---- what is no walk ------------------------------------------------------------------------- */

static void give_events(snw_trial *trial, const snw_gait_event *event, int count,
                        snw_strides **strides)
{
    snw_gait_events events = {.count = count};
    events.event = malloc((size_t)count * sizeof *event);
    assert_non_null(events.event);
    memcpy(events.event, event, (size_t)count * sizeof *event);
    assert_int_equal(snw_strides_measure(trial, &events, NULL, strides, NULL), SNW_OK);
    free(events.event);
}

static void what_lies_between_strikes_need_be_no_stride(void **state)
{
    (void)state;
#define L SNW_SIDE_LEFT
#define R SNW_SIDE_RIGHT
    static const struct {
        snw_gait_event event[6];
        int count, strides;
        const char *why;
    } row[] = {
        /* the walk: strike, other off, other strike, off, strike */
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_OFF, R, SNW_EVENT_FROM_MARKERS, 0.4},
          {SNW_FOOT_STRIKE, R, SNW_EVENT_FROM_MARKERS, 0.8},
          {SNW_FOOT_OFF, L, SNW_EVENT_FROM_MARKERS, 0.9},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 1.3}},
         5,
         1,
         ""},
        /* a run: the foot leaves before the other strikes */
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_OFF, L, SNW_EVENT_FROM_MARKERS, 0.7},
          {SNW_FOOT_STRIKE, R, SNW_EVENT_FROM_MARKERS, 0.8},
          {SNW_FOOT_OFF, R, SNW_EVENT_FROM_MARKERS, 1.2},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 1.3}},
         5,
         1,
         ""},
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_OFF, L, SNW_EVENT_FROM_MARKERS, 0.4},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.45}},
         3,
         0,
         "sooner"},
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_OFF, L, SNW_EVENT_FROM_MARKERS, 0.9},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 1.3}},
         3,
         0,
         "other foot"},
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_STRIKE, R, SNW_EVENT_FROM_MARKERS, 0.31},
          {SNW_FOOT_OFF, L, SNW_EVENT_FROM_MARKERS, 0.9},
          {SNW_FOOT_OFF, R, SNW_EVENT_FROM_MARKERS, 0.9},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 1.3}},
         5,
         0,
         "jump"},
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_OFF, R, SNW_EVENT_FROM_MARKERS, 0.4},
          {SNW_FOOT_STRIKE, R, SNW_EVENT_FROM_MARKERS, 0.8},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 1.3}},
         4,
         0,
         "alternate"},
        {{{SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 0.3},
          {SNW_FOOT_STRIKE, R, SNW_EVENT_FROM_MARKERS, 0.8},
          {SNW_FOOT_OFF, R, SNW_EVENT_FROM_MARKERS, 0.85},
          {SNW_FOOT_OFF, L, SNW_EVENT_FROM_MARKERS, 0.9},
          {SNW_FOOT_STRIKE, L, SNW_EVENT_FROM_MARKERS, 1.3}},
         5,
         0,
         "order"},
    };
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_trial *trial = make_walk();
        snw_strides *strides = NULL;
        give_events(trial, row[n].event, row[n].count, &strides);
        assert_int_equal(strides->count, row[n].strides);
        assert_int_equal(strides->is_walk, row[n].strides > 0);
        assert_int_equal(strides->left_out, row[n].strides == 0);
        assert_non_null(strstr(strides->reason, row[n].why));
        snw_strides_destroy(strides);
        snw_trial_destroy(trial);
    }
}

/* Standing, a hip moved on one leg, both feet jumping; and a walk of which no foot strikes twice.
 */
static void who_does_not_walk_has_no_strides(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_walk;
    } row[] = {{"c3d_gait/pig_full_static.c3d", false},
               {"people/pycgm_static.c3d", false},
               {"people/opencap4_static1.trc", false},
               {"c3d_functional/biobuddy_right_hip.c3d", false},
               {"c3d_functional/biobuddy_right_knee.c3d", false},
               {"people/opencap4_DJ1.trc", false},
               {"people/arnold01_walk2.trc", true},
               {"c3d_gait/pig_full_walk.c3d", true}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        char path[1024];
        snw_trial *trial = NULL;
        snw_gait_events *events = NULL;
        snw_strides *strides = NULL;
        snprintf(path, sizeof path, "%s/%s", corpus_folder(), row[n].name);
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL), SNW_OK);
        snw_trial_drop_zeros(trial, NULL);
        assert_int_equal(snw_gait_events_find(trial, NULL, NULL, &events, NULL, NULL), SNW_OK);
        assert_int_equal(snw_strides_measure(trial, events, NULL, &strides, NULL), SNW_OK);
        if (strides->is_walk != row[n].is_walk) print_error("%s: %s\n", path, strides->reason);
        assert_int_equal(strides->is_walk, row[n].is_walk);
        if (!row[n].is_walk) {
            assert_int_equal(strides->count, 0);
            assert_true(strlen(strides->reason) > 10);
        }
        snw_strides_destroy(strides);
        snw_gait_events_destroy(events);
        snw_trial_destroy(trial);
    }
}

static void stored_events_are_read_again_in_place_of_the_old(void **state)
{
    (void)state;
    snw_trial *trial = make_walk();
    snw_gait_events *old = true_events(trial), *again = NULL;
    char label[16] = "Stop", context[8] = "General", none[1] = "";
    snw_event other;
    snw_error error;
    memset(&other, 0, sizeof other);
    other.label = label;
    other.context = context;
    other.subject = other.description = none;
    other.time = 1.5;
    assert_int_equal(snw_trial_add_event(trial, &other, &error), SNW_OK);
    int before = trial->event_count;
    old->event[0].time += 0.01;
    assert_int_equal(snw_gait_events_store(old, trial, &error), SNW_OK);
    assert_int_equal(trial->event_count, before);
    assert_string_equal(trial->event[0].label, "Stop");
    assert_int_equal(snw_gait_events_read(trial, NULL, &again, &error), SNW_OK);
    assert_int_equal(again->count, old->count);
    for (int n = 0; n < old->count; n++) {
        check_near(again->event[n].time, old->event[n].time, 1e-9);
        assert_int_equal(again->event[n].side, old->event[n].side);
        assert_int_equal(again->event[n].kind, old->event[n].kind);
    }
    snw_gait_events_destroy(again);
    snw_gait_events_destroy(old);
    snw_trial_destroy(trial);
}

static void the_mean_cycle_is_that_of_the_strides(void **state)
{
    (void)state;
    /* One column, a sine of one period in each of three strides, with heights 9, 10, 11. */
    snw_angle_column column = {"left_knee_flexion", false, false};
    static double value[301];
    snw_angles angles;
    snw_stride stride[4];
    snw_strides strides;
    snw_cycle cycle;
    memset(&angles, 0, sizeof angles);
    memset(stride, 0, sizeof stride);
    memset(&strides, 0, sizeof strides);
    for (int f = 0; f <= 300; f++)
        value[f] = (9 + fmin(2, f / 100)) * sin(2 * SNW_PI * (f % 100) / 100);
    for (int n = 0; n < 4; n++) {
        stride[n].start = n < 3 ? n : 0;
        stride[n].end = stride[n].start + 1;
        stride[n].time = 1;
        stride[n].side = n < 3 ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
    }
    angles.frame_count = 301;
    angles.rate = 100;
    angles.column_count = 1;
    angles.column = &column;
    angles.value = value;
    strides.count = 4;
    strides.stride = stride;
    snw_cycle_mean(&angles, 0, &strides, SNW_SIDE_LEFT, &cycle);
    assert_int_equal(cycle.count, 3);
    for (int p = 0; p < 100; p++) {
        check_near(cycle.mean[p], 10 * sin(2 * SNW_PI * p / 100), 1e-9);
        check_near(cycle.deviation[p], fabs(sin(2 * SNW_PI * p / 100)), 1e-9);
    }
    value[150] = NAN; /* a stride with a gap is left out */
    snw_cycle_mean(&angles, 0, &strides, SNW_SIDE_LEFT, &cycle);
    assert_int_equal(cycle.count, 2);
    snw_cycle_mean(&angles, 0, &strides, SNW_SIDE_RIGHT, &cycle);
    assert_int_equal(cycle.count, 1);
    /* Beyond the ends of a stride nothing need be known: the frame inside holds. */
    for (int n = 0; n < 4; n++)
        stride[n].time = 0.996;
    value[150] = 0;
    value[200] = NAN;
    snw_cycle_mean(&angles, 0, &strides, SNW_SIDE_LEFT, &cycle);
    assert_int_equal(cycle.count, 3);
    assert_true(isfinite(cycle.mean[0]) && isfinite(cycle.mean[100]));
    value[199] = NAN; /* and one more is a gap */
    snw_cycle_mean(&angles, 0, &strides, SNW_SIDE_LEFT, &cycle);
    assert_int_equal(cycle.count, 2);
}

/* ---- real files --------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The goal: median over all events of all files within 2 frames, and of each file within 3. */
static void events_lie_where_other_programs_have_them(void **state)
{
    (void)state;
    static const char *const file[] = {
        "c3d_gait/pig_full_walk.c3d",           "c3d_gait/pig_sample03_walk.c3d",
        "c3d_gait/pig_sample09_walk.c3d",       "c3d_producers/vicon_nexus_CGM24_walk.c3d",
        "c3d_producers/cortex_walk_events.c3d", "c3d_producers/qualisys_walk_events.c3d"};
    double all[256];
    int count = 0, own_count = 0;
    for (size_t n = 0; n < sizeof file / sizeof *file; n++) {
        char path[1024];
        snw_trial *trial = NULL;
        snw_gait_events *own = NULL, *found = NULL;
        snw_error error;
        snprintf(path, sizeof path, "%s/%s", corpus_folder(), file[n]);
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error), SNW_OK);
        assert_int_equal(snw_gait_events_read(trial, NULL, &own, &error), SNW_OK);
        assert_int_equal(snw_gait_events_find(trial, NULL, NULL, &found, NULL, &error), SNW_OK);
        int first = count;
        own_count += own->count;
        for (int k = 0; k < own->count; k++) {
            double gap = nearest(found, own->event + k) * trial->rate;
            if (gap < 0.25 * trial->rate) all[count++] = gap;
        }
        assert_true(count - first >= own->count - 2);
        qsort(all + first, (size_t)(count - first), sizeof *all, compare);
        check_near(all[first + (count - first) / 2], 0, 3);
        snw_gait_events_destroy(found);
        snw_gait_events_destroy(own);
        snw_trial_destroy(trial);
    }
    assert_true(own_count >= 60);
    qsort(all, (size_t)count, sizeof *all, compare);
    check_near(all[count / 2], 0, 2);
}

/* Plug-in-Gait's own figures in the file: left stride 1.03 s, 116.5 steps/min, foot off 61.17 %,
 * opposite foot off 9.71 % and contact 50.49 %, single support 0.42 s, double 0.21 s. */
static void strides_have_plug_in_gaits_figures(void **state)
{
    (void)state;
    char path[1024];
    snw_trial *trial = NULL;
    snw_gait_events *own = NULL;
    snw_strides *strides = NULL;
    snw_error error;
    snprintf(path, sizeof path, "%s/c3d_gait/pig_full_walk.c3d", corpus_folder());
    assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error), SNW_OK);
    assert_int_equal(snw_gait_events_read(trial, NULL, &own, &error), SNW_OK);
    assert_int_equal(snw_strides_measure(trial, own, NULL, &strides, &error), SNW_OK);
    const snw_stride *left = NULL;
    for (int n = strides->count - 1; n >= 0; n--)
        if (strides->stride[n].side == SNW_SIDE_LEFT) left = strides->stride + n;
    assert_non_null(left);
    check_near(left->time, 1.03, 1e-5); /* the file's floats */
    check_near(left->cadence, 116.50485, 1e-3);
    check_near(left->foot_off, 0.6116505, 1e-5);
    check_near(left->opposite_off, 0.0970874, 1e-5);
    check_near(left->opposite_strike, 0.5048544, 1e-5);
    check_near(left->single_support, 0.42, 1e-5);
    check_near(left->double_support, 0.21, 1e-5);
    /* Plug-in-Gait measures at the toe and not along one line: lengths differ by centimetres. */
    check_near(left->length, 1.1935, 0.02);
    snw_strides_destroy(strides);
    snw_gait_events_destroy(own);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_a_known_walk_are_found),
        cmocka_unit_test(strides_have_the_numbers_of_the_walk),
        cmocka_unit_test(strides_on_a_treadmill_are_as_long),
        cmocka_unit_test(who_marches_on_the_spot_is_on_no_treadmill),
        cmocka_unit_test(a_heel_that_has_left_the_floor_shortens_no_step),
        cmocka_unit_test(what_lies_between_strikes_need_be_no_stride),
        cmocka_unit_test(who_does_not_walk_has_no_strides),
        cmocka_unit_test(stored_events_are_read_again_in_place_of_the_old),
        cmocka_unit_test(the_mean_cycle_is_that_of_the_strides),
        cmocka_unit_test(events_lie_where_other_programs_have_them),
        cmocka_unit_test(strides_have_plug_in_gaits_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

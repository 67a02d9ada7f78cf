/* A live session that goes on: predictor and tracker step through an endless motion while cameras
 * go blind, labels are exchanged, numbers are damaged, units change and the source connects anew.
 * No step takes memory, every pose is finite and unit, and a second after the trouble ends the body
 * is where a session without trouble has it. SINEW_SOAK_SECONDS: how long (default: a fixed number
 * of frames, some seconds). */
#include <time.h>

#include "capture_truth.h"

enum {
    SOAK_FRAMES = 400,   /* of the motion, which is walked to and fro without end */
    SOAK_RECOVERY = 100, /* good frames after a trouble until the body must be right: 1 s */
    SOAK_MARKERS = TRUTH_JOINTS * 4
};

typedef enum soak_trouble {
    SOAK_BLIND,
    SOAK_FEW,
    SOAK_DAMAGED,
    SOAK_HUGE,
    SOAK_EXCHANGED,
    SOAK_ELSEWHERE,
    SOAK_FROZEN,
    SOAK_COLLAPSED,
    SOAK_UNIT,
    SOAK_STATES,
    SOAK_UNCERTAIN,
    SOAK_MIRRORED,
    SOAK_RECONNECT,
    SOAK_TROUBLES
} soak_trouble;

static const char *const soak_trouble_names[SOAK_TROUBLES] = {
    "no marker",       "few markers", "NaN and infinity", "1e30 m",       "exchanged labels",
    "100 m away",      "frozen",      "all in one place", "another unit", "states of any number",
    "any uncertainty", "mirrored",    "connected anew",
};

typedef struct soak {
    truth t;
    snw_segments *segments;
    snw_actor *actor;
    counting_allocator counter;
    snw_predictor *predictor;
    snw_tracker *tracker;
    snw_pose *pose;
    snw_motion *calm; /* the tracker's answer without trouble */
    snw_sample sample[SOAK_MARKERS];
    uint8_t state[SOAK_MARKERS];
    float uncertainty[SOAK_MARKERS];
    snw_random random;
    long frames, troubles[SOAK_TROUBLES];
    double worst; /* joint after a recovery, metres */
} soak;

static void connect(soak *s)
{
    snw_error error;
    snw_allocator hook = counting_hook(&s->counter);
    if (snw_predictor_create(s->segments, 100, NULL, &hook, &s->predictor, &error) != SNW_OK ||
        snw_tracker_create_for_trial(s->actor, s->t.trial, NULL, &hook, &s->tracker, &error) !=
            SNW_OK)
        fail_msg("%s", error.message);
}

static void disconnect(soak *s)
{
    snw_predictor_destroy(s->predictor);
    snw_tracker_destroy(s->tracker);
}

/* To and fro, so that it never jumps. */
static int frame_at(long frame)
{
    int at = (int)(frame % (2 * SOAK_FRAMES - 2));
    return at < SOAK_FRAMES ? at : 2 * SOAK_FRAMES - 2 - at;
}

static snw_frame good_frame(soak *s, int at)
{
    snw_frame view = snw_trial_frame(s->t.trial, at);
    memcpy(s->sample, view.sample, sizeof s->sample);
    memcpy(s->state, view.state, sizeof s->state);
    memset(s->uncertainty, 0, sizeof s->uncertainty);
    view.sample = s->sample;
    view.state = s->state;
    view.uncertainty = NULL;
    view.time = (double)s->frames / 100.0;
    return view;
}

static float soak_number(soak *s)
{
    static const float numbers[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-45f, -1, 0, 1e9f};
    return numbers[snw_random_below(&s->random, sizeof numbers / sizeof *numbers)];
}

static void trouble_sample(soak *s, soak_trouble trouble, int m)
{
    snw_sample *sample = s->sample + m;
    if (trouble == SOAK_BLIND || (trouble == SOAK_FEW && snw_random_below(&s->random, 10)))
        s->state[m] = SNW_SAMPLE_MISSING;
    if (trouble == SOAK_DAMAGED && snw_random_below(&s->random, 2)) sample->y = soak_number(s);
    if (trouble == SOAK_HUGE) sample->x = 1e30f;
    if (trouble == SOAK_EXCHANGED) {
        snw_sample *other = s->sample + snw_random_below(&s->random, SOAK_MARKERS), kept = *sample;
        *sample = *other;
        *other = kept;
    }
    if (trouble == SOAK_ELSEWHERE) sample->z += 100;
    if (trouble == SOAK_COLLAPSED) *sample = s->sample[0];
    if (trouble == SOAK_STATES) s->state[m] = (uint8_t)snw_random_below(&s->random, 256);
    if (trouble == SOAK_UNCERTAIN) s->uncertainty[m] = soak_number(s);
    if (trouble == SOAK_MIRRORED) sample->x = -sample->x;
}

static snw_frame troubled_frame(soak *s, soak_trouble trouble, int at)
{
    snw_frame view = good_frame(s, at);
    for (int m = 0; m < SOAK_MARKERS; m++)
        trouble_sample(s, trouble, m);
    if (trouble == SOAK_UNIT) view.metres_per_unit = soak_number(s);
    if (trouble == SOAK_UNCERTAIN) view.uncertainty = s->uncertainty;
    return view;
}

static bool is_sound(const snw_pose *pose)
{
    bool is = snw_vec3_is_finite(pose->root.translation);
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        snw_quat q = pose->rotation[j];
        double size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        /* 1e-9: what rounding leaves of a unit quaternion after any number of products. */
        is = is && fabs(size - 1) <= 1e-9 && snw_vec3_is_finite(pose->world[j].translation);
    }
    return is;
}

static snw_track soak_step(soak *s, const snw_frame *view)
{
    long calls = s->counter.calls;
    snw_frame whole = snw_predictor_step(s->predictor, view, NULL, 0);
    snw_track track = snw_tracker_step(s->tracker, &whole, s->pose);
    s->frames++;
    assert_int_equal(s->counter.calls, calls);
    assert_true(is_sound(s->pose));
    assert_true(track.residual >= 0 && isfinite(track.residual));
    return track;
}

/* 5 mm: limits that gave way and noise that was seen are remembered, so it is not bit for bit where
 * it was; 1.2 mm is the most that was measured in 25 minutes. */
static void check_recovery(soak *s, const snw_track *track, soak_trouble trouble, int at)
{
    snw_pose *calm = NULL;
    assert_int_equal(snw_pose_create(s->actor->skeleton, NULL, &calm, NULL), SNW_OK);
    snw_motion_get(s->calm, at, calm);
    snw_pose_forward(calm);
    assert_false(track->is_lost);
    for (int j = 0; j < calm->skeleton->joint_count; j++) {
        double off = snw_vec3_distance(calm->world[j].translation, s->pose->world[j].translation);
        if (!(off <= s->worst)) s->worst = off;
        if (!(off <= 0.005))
            fail_msg("1 s after \"%s\" %s is %.1f mm off", soak_trouble_names[trouble],
                     calm->skeleton->name[j], 1e3 * off);
    }
    snw_pose_destroy(calm);
}

static void one_trouble(soak *s, soak_trouble trouble)
{
    int lasts = 1 + (int)snw_random_below(&s->random, 150);
    int start = frame_at(s->frames);
    if (trouble == SOAK_RECONNECT) {
        disconnect(s);
        connect(s);
    }
    for (int n = 0; trouble != SOAK_RECONNECT && n < lasts; n++) {
        snw_frame view =
            troubled_frame(s, trouble, trouble == SOAK_FROZEN ? start : frame_at(s->frames));
        soak_step(s, &view);
    }
    snw_track track = {0};
    int at = 0;
    for (int n = 0; n < SOAK_RECOVERY; n++) {
        at = frame_at(s->frames);
        snw_frame view = good_frame(s, at);
        track = soak_step(s, &view);
    }
    check_recovery(s, &track, trouble, at);
    s->troubles[trouble]++;
}

static void begin(soak *s)
{
    snw_error error;
    memset(s, 0, sizeof *s);
    s->counter.fail_at = -1;
    s->random = snw_random_seed(16, 4);
    truth_options options = truth_options_default();
    options.frame_count = SOAK_FRAMES;
    s->t = truth_make(&options);
    assert_int_equal(s->t.trial->marker_count, SOAK_MARKERS);
    if (snw_segments_find(s->t.trial, NULL, NULL, &s->segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(s->t.trial, s->segments, NULL, NULL, &s->actor, &error) != SNW_OK ||
        snw_pose_create(s->actor->skeleton, NULL, &s->pose, &error) != SNW_OK ||
        snw_motion_create(s->actor->skeleton, SOAK_FRAMES, 100, NULL, &s->calm, &error) != SNW_OK)
        fail_msg("%s", error.message);
    connect(s);
    for (int f = 0; f < SOAK_FRAMES; f++) {
        snw_frame view = good_frame(s, f);
        soak_step(s, &view);
        snw_motion_set(s->calm, f, s->pose);
    }
}

static void end(soak *s)
{
    disconnect(s);
    assert_int_equal(s->counter.live, 0);
    snw_motion_destroy(s->calm);
    snw_pose_destroy(s->pose);
    snw_actor_destroy(s->actor);
    snw_segments_destroy(s->segments);
    truth_free(&s->t);
}

static void a_session_outlives_every_trouble(void **state)
{
    (void)state;
    soak s;
    begin(&s);
    const char *asked = getenv("SINEW_SOAK_SECONDS");
    time_t until = time(NULL) + (asked ? atol(asked) : 0);
    long long held = s.counter.live_bytes;
    for (int n = 0; asked ? time(NULL) < until : n < CHECK_SAMPLES(80) + SOAK_TROUBLES; n++)
        one_trouble(&s, n < SOAK_TROUBLES
                            ? (soak_trouble)n
                            : (soak_trouble)snw_random_below(&s.random, SOAK_TROUBLES));
    assert_true(s.counter.live_bytes == held);
    print_message("%ld frames; 1 s after a trouble the farthest joint is %.2f mm off\n", s.frames,
                  1e3 * s.worst);
    for (int n = 0; n < SOAK_TROUBLES; n++)
        print_message("  %6ld %s\n", s.troubles[n], soak_trouble_names[n]);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_outlives_every_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

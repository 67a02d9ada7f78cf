/* A motion smoothed over the whole trial: against LAPACK on the dense system, against the truth
 * under known noise, and what must not change. */
#include "check.h"
#include "ik_bodies.h"

#include <lapacke.h>

#define SMOOTH_FRAMES 240
#define SMOOTH_RATE   100.0

static snw_motion *motion_of(const snw_skeleton *body, int frames)
{
    snw_motion *motion = NULL;
    assert_int_equal(snw_motion_create(body, frames, SMOOTH_RATE, NULL, &motion, NULL), SNW_OK);
    return motion;
}

static snw_vec3 normal3(snw_random *random, double deviation)
{
    double x = snw_random_normal(random), y = snw_random_normal(random);
    return snw_vec3_scale(snw_vec3_make(x, y, snw_random_normal(random)), deviation);
}

/* Every joint swings about an axis of its own with 0.6 to 1.4 Hz, the root goes about. `noise` in
 * radians of each turn and in 0.1 m of the root's place. */
static void swing(snw_motion *motion, double noise, uint64_t seed)
{
    const snw_skeleton *body = motion->skeleton;
    snw_random random = snw_random_seed(seed, 1);
    for (int f = 0; f < motion->frame_count; f++) {
        double t = f / SMOOTH_RATE;
        snw_vec3 off = normal3(&random, 0.1 * noise);
        motion->root[f].translation =
            snw_vec3_add(snw_vec3_make(sin(4 * t), cos(3 * t), 0.2 * t), off);
        for (int j = 0; j < body->joint_count; j++) {
            double axis = j * 0.7, angle = 0.5 * sin((4 + 5 * fmod(j * 0.37, 1)) * t + j);
            snw_vec3 turn = snw_vec3_make(angle * cos(axis), angle * sin(axis), 0.3 * angle);
            snw_quat shake = snw_quat_exp(normal3(&random, noise));
            motion->rotation[f * body->joint_count + j] = snw_quat_mul(snw_quat_exp(turn), shake);
        }
    }
}

/* Rms distance of all joints from those of the truth. */
static double distance_of(const snw_motion *motion, const snw_motion *truth)
{
    double sum2 = 0;
    int joints = truth->skeleton->joint_count;
    snw_pose *a = pose_of(truth->skeleton), *b = pose_of(truth->skeleton);
    for (int f = 0; f < truth->frame_count; f++) {
        snw_motion_get(motion, f, a);
        snw_motion_get(truth, f, b);
        snw_pose_forward(a);
        snw_pose_forward(b);
        for (int j = 0; j < joints; j++)
            sum2 +=
                snw_vec3_length2(snw_vec3_sub(a->world[j].translation, b->world[j].translation));
    }
    snw_pose_destroy(a);
    snw_pose_destroy(b);
    return sqrt(sum2 / (truth->frame_count * joints));
}

static snw_motion *smooth_of(const snw_motion *raw, snw_smoothing *told)
{
    snw_motion *smooth = NULL;
    assert_int_equal(snw_motion_smooth(raw, NULL, NULL, &smooth, told, NULL), SNW_OK);
    return smooth;
}

/* (I + lambda D^T D) x = y by LAPACK's dposv. */
static void whittaker(double lambda, double *y)
{
    static const double difference[4] = {-1, 3, -3, 1};
    int n = SMOOTH_FRAMES;
    double *a = calloc((size_t)n * (size_t)n, sizeof *a);
    assert_non_null(a);
    for (int i = 0; i < n; i++)
        a[i * n + i] = 1;
    for (int r = 0; r + 3 < n; r++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                a[(r + i) * n + r + k] += lambda * difference[i] * difference[k];
    assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, 1, a, n, y, 1), 0);
    free(a);
}

/* A body that only goes about: its root is the penalised least-squares solution with the lambda of
 * the cut-off that was told. */
static void places_are_penalised_least_squares(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_motion *raw = motion_of(body, SMOOTH_FRAMES);
    snw_smoothing *told = calloc((size_t)body->joint_count, sizeof *told);
    snw_random random = snw_random_seed(5, 1);
    double y[SMOOTH_FRAMES];
    for (int f = 0; f < SMOOTH_FRAMES; f++) {
        double t = f / SMOOTH_RATE;
        y[f] = sin(7 * t) + 0.01 * snw_random_normal(&random);
        double across = 0.01 * snw_random_normal(&random);
        double up = 0.01 * snw_random_normal(&random);
        raw->root[f].translation = snw_vec3_make(y[f], across, up);
    }
    snw_motion *smooth = smooth_of(raw, told);
    double sine = 2 * sin(SNW_PI * told[0].place_cutoff / SMOOTH_RATE);
    whittaker(pow(sine, -6), y);
    for (int f = 0; f < SMOOTH_FRAMES; f++) /* the steps stop at 1e-7 */
        check_near(smooth->root[f].translation.x, y[f], 1e-6);
    /* Of 240 samples the deviation is known to one in twenty-two. */
    check_near(told[0].place_noise, 0.01, 0.0015);
    free(told);
    snw_motion_destroy(smooth);
    snw_motion_destroy(raw);
    snw_skeleton_destroy(body);
}

/* White noise far above the motion's band: at least half of it goes; without noise nothing changes.
 */
static void joints_come_nearer_to_the_truth(void **state)
{
    (void)state;
    static const struct {
        double noise, left; /* radians; error that may be left, of the raw motion's */
    } rows[] = {{0.05, 0.5}, {0.01, 0.5}, {0.002, 0.6}};
    snw_skeleton *body = preset("chain10");
    snw_motion *truth = motion_of(body, SMOOTH_FRAMES), *raw = motion_of(body, SMOOTH_FRAMES);
    swing(truth, 0, 1);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        swing(raw, rows[k].noise, 2 + k);
        snw_motion *smooth = smooth_of(raw, NULL);
        double before = distance_of(raw, truth), after = distance_of(smooth, truth);
        print_message("noise %g: %.3f mm raw, %.3f mm smoothed\n", rows[k].noise, 1000 * before,
                      1000 * after);
        check_near(after / before, 0, rows[k].left);
        snw_motion_destroy(smooth);
    }
    snw_motion *same = smooth_of(truth, NULL);
    check_near(distance_of(same, truth), 0, 1e-5);
    snw_motion_destroy(same);
    snw_motion_destroy(raw);
    snw_motion_destroy(truth);
    snw_skeleton_destroy(body);
}

/* Six markers on every segment, 0.07 m about its joint. */
static snw_actor *marked(const snw_skeleton *body, double noise)
{
    snw_actor_marker marker[6 * 32];
    snw_actor *actor = NULL;
    assert_true(body->joint_count <= 32);
    for (int n = 0; n < 6 * body->joint_count; n++) {
        double out = n % 2 ? 0.07 : -0.07, place[3] = {0, 0, 0};
        place[n / 2 % 3] = out;
        marker[n] =
            (snw_actor_marker){"m", n / 6, snw_vec3_make(place[0], place[1], place[2]), noise};
    }
    assert_int_equal(snw_actor_create(body, marker, 6 * body->joint_count, NULL, &actor, NULL),
                     SNW_OK);
    return actor;
}

/* A motion that shakes in truth looks like a noisy one. Markers of 0.5 mm do not explain it: what
 * is smoothed then is no farther from the truth than what was solved. */
static void a_jerky_motion_is_not_rounded_off(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double shake, noise; /* of the truth and of the solved turns, radians */
    } rows[] = {{"shakes", 0.03, 0.003}, {"shakes, fine markers", 0.03, 0.0005}};
    snw_skeleton *body = preset("chain10");
    snw_motion *truth = motion_of(body, SMOOTH_FRAMES), *raw = motion_of(body, SMOOTH_FRAMES);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        snw_random random = snw_random_seed(9 + k, 1);
        snw_motion *smooth = NULL;
        /* a turn is known to noise of a marker / (0.07 m * sqrt(4 markers off its axis)) */
        snw_actor *actor = marked(body, rows[k].noise * 0.07 * 2);
        swing(truth, rows[k].shake, 7 + k);
        for (int f = 0; f < SMOOTH_FRAMES; f++) {
            raw->root[f] = truth->root[f];
            for (int j = 0; j < body->joint_count; j++) {
                int at = f * body->joint_count + j;
                raw->rotation[at] = snw_quat_mul(truth->rotation[at],
                                                 snw_quat_exp(normal3(&random, rows[k].noise)));
            }
        }
        snw_motion *blind = smooth_of(raw, NULL);
        assert_int_equal(snw_motion_smooth(raw, actor, NULL, &smooth, NULL, NULL), SNW_OK);
        double before = distance_of(raw, truth), after = distance_of(smooth, truth);
        print_message("%s: %.2f mm raw, %.2f mm smoothed, %.2f mm without the markers' noise\n",
                      rows[k].what, 1000 * before, 1000 * after, 1000 * distance_of(blind, truth));
        assert_true(distance_of(blind, truth) > 2 * before);
        assert_true(after <= 1.02 * before);
        snw_motion_destroy(blind);
        snw_motion_destroy(smooth);
        snw_actor_destroy(actor);
    }
    snw_motion_destroy(raw);
    snw_motion_destroy(truth);
    snw_skeleton_destroy(body);
}

/* The whole motion turned: so is the answer. */
static void a_turn_of_all_frames_turns_the_answer(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_motion *raw = motion_of(body, SMOOTH_FRAMES), *turned = motion_of(body, SMOOTH_FRAMES);
    snw_xform by =
        snw_xform_make(snw_quat_exp(snw_vec3_make(0.8, -2, 1.1)), snw_vec3_make(3, -1, 0.5));
    swing(raw, 0.02, 9);
    swing(turned, 0.02, 9);
    for (int f = 0; f < SMOOTH_FRAMES; f++)
        turned->root[f] = snw_xform_mul(by, raw->root[f]);
    snw_motion *a = smooth_of(raw, NULL), *b = smooth_of(turned, NULL);
    for (int f = 0; f < SMOOTH_FRAMES; f++)
        a->root[f] = snw_xform_mul(by, a->root[f]);
    check_near(distance_of(a, b), 0, 1e-6); /* the steps stop at 1e-7 */
    snw_motion_destroy(a);
    snw_motion_destroy(b);
    snw_motion_destroy(raw);
    snw_motion_destroy(turned);
    snw_skeleton_destroy(body);
}

static void few_frames_stay_and_memory_that_fails_is_told(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_motion *raw = motion_of(body, 11), *longer = motion_of(body, 30);
    swing(raw, 0.05, 3);
    swing(longer, 0.05, 3);
    snw_motion *same = smooth_of(raw, NULL);
    check_near(distance_of(same, raw), 0, 0);
    snw_motion_destroy(same);
    for (long n = 0; n < 40; n++) {
        counting_allocator counter = {.fail_at = n};
        snw_allocator allocator = counting_hook(&counter);
        snw_motion *smooth = NULL;
        snw_status status = snw_motion_smooth(longer, NULL, &allocator, &smooth, NULL, NULL);
        assert_true((status == SNW_OK) == (smooth != NULL));
        snw_motion_destroy(smooth);
        assert_int_equal(counter.live, 0);
    }
    snw_motion_destroy(longer);
    snw_motion_destroy(raw);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_penalised_least_squares),
        cmocka_unit_test(joints_come_nearer_to_the_truth),
        cmocka_unit_test(a_jerky_motion_is_not_rounded_off),
        cmocka_unit_test(a_turn_of_all_frames_turns_the_answer),
        cmocka_unit_test(few_frames_stay_and_memory_that_fails_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A bone without markers between two segments: its ends and length from the motion of both. */
#include "check.h"

#include "calibrate/ball_link.h"

enum {
    LINK_FRAMES = 200
};

static const snw_vec3 link_first = {0.01, 0.06, -0.02}, link_second = {0.0, -0.19, 0.03};
#define LINK_TRUE 0.15

/* A bone that swings on the first segment, the second segment that swings on it. */
static void swing(snw__ball_link_frame frame[LINK_FRAMES], double angle)
{
    snw_random random = snw_random_seed(5, 1);
    for (int f = 0; f < LINK_FRAMES; f++) {
        snw_vec3 turn[3];
        for (int k = 0; k < 3; k++) {
            double x = angle * snw_random_normal(&random);
            double y = angle * snw_random_normal(&random);
            double z = angle * snw_random_normal(&random);
            turn[k] = snw_vec3_make(x, y, z);
        }
        frame[f].first = snw_xform_make(snw_quat_exp(turn[0]), snw_vec3_make(0.1 * f, 1, 0));
        snw_quat bone = snw_quat_mul(frame[f].first.rotation, snw_quat_exp(turn[1]));
        snw_vec3 end = snw_vec3_add(snw_xform_point(frame[f].first, link_first),
                                    snw_quat_rotate(bone, snw_vec3_make(0, LINK_TRUE, 0)));
        frame[f].second.rotation = snw_quat_mul(bone, snw_quat_exp(turn[2]));
        frame[f].second.translation =
            snw_vec3_sub(end, snw_quat_rotate(frame[f].second.rotation, link_second));
    }
}

/* 20 mm beside the truth at both ends, 10 % too long. */
static snw__ball_link expected(void)
{
    snw__ball_link link = {{snw_vec3_add(link_first, snw_vec3_make(0.02, 0, 0)),
                            snw_vec3_add(link_second, snw_vec3_make(0, 0, 0.02))},
                           1.1 * LINK_TRUE,
                           {0.02, 0.02},
                           0.015};
    return link;
}

static void without_frames_the_expectation_stays(void **state)
{
    (void)state;
    snw__ball_link link = expected(), was = link;
    snw__ball_link_fit(NULL, 0, &link);
    check_vec3_near(link.end[0], was.end[0], 1e-12); /* metres: round-off */
    check_vec3_near(link.end[1], was.end[1], 1e-12);
    check_near(link.length, was.length, 1e-12);
    check_near(link.deviation[0], 0.02, 1e-12);
}

static void a_motion_that_bends_brings_the_ends_nearer_and_says_so(void **state)
{
    (void)state;
    static const double angles[] = {0.05, 0.2, 0.6};
    double before = 1, said = 1;
    for (int n = 0; n < 3; n++) {
        snw__ball_link_frame frame[LINK_FRAMES];
        snw__ball_link link = expected();
        swing(frame, angles[n]);
        snw__ball_link_fit(frame, LINK_FRAMES, &link);
        double off = snw_vec3_distance(link.end[0], link_first) +
                     snw_vec3_distance(link.end[1], link_second);
        double deviation = link.deviation[0] + link.deviation[1];
        assert_true(off < before && deviation < said);
        assert_true(off < 2 * 2 * deviation);
        before = off;
        said = deviation;
    }
    assert_true(before < 0.010); /* a quarter of the 40 mm that it began with */
}

/* One frame in ten is of another body. */
static void wild_frames_are_weighed_down(void **state)
{
    (void)state;
    snw__ball_link_frame frame[LINK_FRAMES];
    snw__ball_link clean = expected(), wild = expected();
    swing(frame, 0.6);
    snw__ball_link_fit(frame, LINK_FRAMES, &clean);
    for (int f = 0; f < LINK_FRAMES; f += 10)
        frame[f].second.translation.z += 1;
    snw__ball_link_fit(frame, LINK_FRAMES, &wild);
    check_vec3_near(wild.end[0], clean.end[0], 0.003); /* metres: a tenth of the frames is lost */
    check_vec3_near(wild.end[1], clean.end[1], 0.003);
}

static void frames_that_are_no_numbers_change_nothing(void **state)
{
    (void)state;
    snw__ball_link_frame frame[LINK_FRAMES];
    snw__ball_link link = expected();
    swing(frame, 0.6);
    frame[3].second.translation.y = NAN;
    snw__ball_link_fit(frame, LINK_FRAMES, &link);
    assert_true(snw_vec3_is_finite(link.end[0]) && snw_vec3_is_finite(link.end[1]));
    assert_true(link.length > 0 && link.deviation[0] > 0 && link.deviation[1] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_frames_the_expectation_stays),
        cmocka_unit_test(a_motion_that_bends_brings_the_ends_nearer_and_says_so),
        cmocka_unit_test(wild_frames_are_weighed_down),
        cmocka_unit_test(frames_that_are_no_numbers_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

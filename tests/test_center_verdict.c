/* What is said about a joint centre in words. */
#include "check.h"

/* ---- words ---------------------------------------------------------------------------------- */

static void every_verdict_reads_as_a_sentence(void **state)
{
    (void)state;
    const struct {
        snw_joint_type motion;
        int undetermined, rejected_count;
        bool is_bias_guarded;
        double range_deg[3], sigma, axis_sigma_deg;
        const char *words;
    } cases[] = {
        {SNW_JOINT_FIXED,
         3,
         0,
         false,
         {4, 1, 1},
         0.031,
         0,
         "this joint hardly moved: 4.0 degrees; centre uncertain by 31 mm"},
        {SNW_JOINT_FIXED,
         0,
         0,
         false,
         {6.25, 5, 4},
         0.004,
         0,
         "this joint hardly moved: 6.2 degrees; centre uncertain by 4.0 mm"},
        {SNW_JOINT_FIXED,
         0,
         0,
         false,
         {6.25, 5, 4},
         0.002,
         0,
         "this joint hardly moved: 6.2 degrees; centre known within 2.0 mm"},
        {SNW_JOINT_BALL,
         0,
         0,
         false,
         {9, 0, 0},
         0.0028,
         0,
         "this joint hardly moved: 9.0 degrees; centre uncertain by 2.8 mm"},
        {SNW_JOINT_BALL,
         0,
         0,
         false,
         {40, 0, 0},
         0.0028,
         0,
         "a ball joint: turned 40 degrees; centre known within 2.8 mm"},
        {SNW_JOINT_BALL,
         1,
         0,
         false,
         {47, 0, 0},
         0.0016,
         180,
         "almost a hinge: turned 47 degrees; axis known within 1.6 mm, the place along it is not "
         "determined"},
        {SNW_JOINT_HINGE,
         1,
         0,
         false,
         {47, 0, 0},
         0.0003,
         180,
         "a hinge: turned 47 degrees about one axis; axis known within 0.3 mm, the place along it "
         "is not determined"},
        {SNW_JOINT_HINGE,
         1,
         0,
         false,
         {62, 2, 1},
         0.0012,
         0.31,
         "a hinge: turned 62 degrees about one axis; axis known within 1.2 mm and 0.3 degrees, the "
         "place along it is not determined"},
        {SNW_JOINT_HINGE,
         0,
         0,
         false,
         {62, 8, 6},
         0.0125,
         1,
         "a hinge: turned 62 degrees about one axis; centre uncertain by 12 mm"},
        {SNW_JOINT_UNIVERSAL,
         0,
         0,
         false,
         {70, 40, 2},
         0.002,
         1,
         "two axes: turned 70 and 40 degrees; centre known within 2.0 mm"},
        {SNW_JOINT_BALL,
         0,
         3,
         false,
         {80, 45.4, 30},
         0.0008,
         1,
         "a ball joint: turned 80, 45 and 30 degrees; centre known within 0.8 mm; 3 outliers left "
         "out"},
        {SNW_JOINT_BALL,
         0,
         0,
         true,
         {20, 15, 0},
         0.2,
         1,
         "a ball joint: turned 20 and 15 degrees; centre uncertain by 200 mm; noise is as large as "
         "the curvature, so it is pulled towards the markers"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_center center;
        memset(&center, 0, sizeof center);
        center.motion = cases[n].motion;
        center.undetermined = cases[n].undetermined;
        center.rejected_count = cases[n].rejected_count;
        center.is_bias_guarded = cases[n].is_bias_guarded;
        center.sigma = cases[n].sigma;
        center.axis_sigma = snw_radians(cases[n].axis_sigma_deg);
        for (int i = 0; i < 3; i++)
            center.range[i] = snw_radians(cases[n].range_deg[i]);
        char text[SNW_VERDICT_SIZE];
        assert_string_equal(snw_center_verdict(&center, text), cases[n].words);
    }
}

static void the_longest_verdict_fits(void **state)
{
    (void)state;
    snw_center center;
    memset(&center, 0, sizeof center);
    center.motion = SNW_JOINT_HINGE;
    center.undetermined = 1;
    center.is_bias_guarded = true;
    center.rejected_count = INT32_MAX;
    center.range[0] = 2 * SNW_PI;
    center.sigma = 99999;
    center.axis_sigma = SNW_PI;
    char text[SNW_VERDICT_SIZE];
    const char *verdict = snw_center_verdict(&center, text);
    assert_non_null(strstr(verdict, "2147483647 outliers left out"));
}

/* Damaged files place markers 1e300 m away; the digits must not run over what comes after. */
static void a_verdict_of_absurd_numbers_stays_in_its_room(void **state)
{
    (void)state;
    for (int undetermined = 0; undetermined < 4; undetermined++)
        for (int motion = SNW_JOINT_FIXED; motion <= SNW_JOINT_BALL; motion++) {
            struct {
                char text[SNW_VERDICT_SIZE], after[SNW_VERDICT_SIZE];
            } room;
            snw_center center;
            memset(&center, 0, sizeof center);
            memset(&room, 7, sizeof room);
            center.motion = (snw_joint_type)motion;
            center.undetermined = undetermined;
            center.is_bias_guarded = true;
            center.rejected_count = INT32_MAX;
            center.range[0] = center.range[1] = center.range[2] = 1e300;
            center.sigma = 1e305;
            center.axis_sigma = 3;
            snw_center_verdict(&center, room.text);
            assert_non_null(memchr(room.text, 0, sizeof room.text));
            for (size_t n = 0; n < sizeof room.after; n++)
                assert_int_equal(room.after[n], 7);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_reads_as_a_sentence),
        cmocka_unit_test(the_longest_verdict_fits),
        cmocka_unit_test(a_verdict_of_absurd_numbers_stays_in_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* sinew/judge.h: what of joint angles is said, as snw_angles_judge finds it. */
#include "check.h"

#include <sinew/judge.h>

enum {
    FRAMES = 100,
    COLUMNS = 4
};

static snw_angle_column judged_column[COLUMNS];
static double judged_value[FRAMES * COLUMNS];

/* A cosine of each column between its least and its greatest, degrees. */
static snw_angles make_angles(const double low[COLUMNS], const double high[COLUMNS])
{
    static const char *const name[COLUMNS] = {"left_knee_flexion", "left_knee_abduction",
                                              "right_knee_flexion", "right_hip_rotation"};
    snw_angles angles = {.convention = SNW_ANGLES_PIG,
                         .frame_count = FRAMES,
                         .rate = 100,
                         .column_count = COLUMNS,
                         .column = judged_column,
                         .value = judged_value};
    for (int c = 0; c < COLUMNS; c++) {
        snprintf(judged_column[c].name, sizeof judged_column[c].name, "%s", name[c]);
        for (int f = 0; f < FRAMES; f++) {
            /* abduction runs at another pace: no crosstalk */
            double phase = 0.5 - 0.5 * cos((c == 1 ? 6 : 2) * SNW_PI * f / FRAMES);
            judged_value[f * COLUMNS + c] = snw_radians(low[c] + (high[c] - low[c]) * phase);
        }
    }
    return angles;
}

static void angles_have_a_verdict_of_their_own(void **state)
{
    (void)state;
    static const struct {
        double low[COLUMNS], high[COLUMNS];
        snw_verdict verdict;
        snw_judgement_code code; /* of the gravest */
    } row[] = {
        {{0, -3, 0, -10}, {60, 5, 60, 10}, SNW_VERDICT_GREEN, SNW_JUDGEMENT_FAR_BODY},
        {{-30, -3, -25, -10}, {30, 5, 30, 10}, SNW_VERDICT_AMBER, SNW_JUDGEMENT_IMPLAUSIBLE_ANGLE},
        {{0, -65, 0, -10}, {60, 5, 60, 10}, SNW_VERDICT_RED, SNW_JUDGEMENT_IMPLAUSIBLE_ANGLE},
        {{0, -3, 0, 80}, {60, 5, 60, 96}, SNW_VERDICT_RED, SNW_JUDGEMENT_IMPLAUSIBLE_ANGLE},
        {{0, -3, 30, -10}, {60, 5, 90, 10}, SNW_VERDICT_AMBER, SNW_JUDGEMENT_UNEQUAL_ANGLES},
        {{30, -1, 30, 0}, {31, 0, 31, 1}, SNW_VERDICT_AMBER, SNW_JUDGEMENT_BENT_STANDING},
    };
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_angles angles = make_angles(row[n].low, row[n].high);
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        snw_angles_judge(&angles, &found);
        assert_int_equal(found.verdict, row[n].verdict);
        assert_int_equal(found.count > 0, row[n].verdict != SNW_VERDICT_GREEN);
        if (found.count) assert_int_equal(found.item[0].code, row[n].code);
    }
}

/* An axis that is turned by a shows sin(a) of the flexion as abduction. */
static void abduction_that_follows_flexion_is_crosstalk(void **state)
{
    (void)state;
    static const double low[COLUMNS] = {0, 0, 0, 0}, high[COLUMNS] = {60, 0, 60, 10};
    for (int turned = 0; turned < 2; turned++) {
        snw_angles angles = make_angles(low, high);
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        for (int f = 0; f < FRAMES; f++)
            judged_value[f * COLUMNS + 1] =
                sin(snw_radians(turned ? 20 : 5)) * judged_value[f * COLUMNS];
        snw_angles_judge(&angles, &found);
        assert_int_equal(found.count, turned);
        if (turned) assert_int_equal(found.item[0].code, SNW_JUDGEMENT_CROSSTALK);
    }
}

/* OpenSim's columns have other names; gaps have no value. Neither is a knee that stands bent. */
static void a_knee_that_nobody_measured_does_not_stand(void **state)
{
    (void)state;
    static const double low[COLUMNS] = {0, 0, 0, 0}, high[COLUMNS] = {60, 5, 60, 10};
    for (int is_named = 0; is_named < 2; is_named++) {
        snw_angles angles = make_angles(low, high);
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        for (int f = 0; f < FRAMES && is_named; f++)
            judged_value[f * COLUMNS] = NAN;
        if (!is_named) snprintf(judged_column[0].name, sizeof judged_column[0].name, "lost");
        snw_angles_judge(&angles, &found);
        assert_int_equal(found.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_have_a_verdict_of_their_own),
        cmocka_unit_test(abduction_that_follows_flexion_is_crosstalk),
        cmocka_unit_test(a_knee_that_nobody_measured_does_not_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

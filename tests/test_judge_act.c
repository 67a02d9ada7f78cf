/* sinew/judge.h: what speaks against a hand or an upper body. */
#include "check.h"

#include <sinew/judge.h>

enum {
    FRAMES = 100
};

static snw_hand_report hand_report[FRAMES];
static snw_avatar_report avatar_report[FRAMES];

/* Everything seen; fingertips 2 mm off. */
static void see_all(void)
{
    memset(hand_report, 0, sizeof hand_report);
    memset(avatar_report, 0, sizeof avatar_report);
    for (int f = 0; f < FRAMES; f++) {
        hand_report[f].is_palm_determined = true;
        for (int k = 0; k < SNW_HAND_FINGERS; k++) {
            hand_report[f].is_tip_seen[k] = true;
            hand_report[f].residual[k] = 0.002;
        }
    }
}

static void check_finding(const snw_judgements *found, snw_verdict verdict, snw_judgement_code code)
{
    assert_int_equal(found->verdict, verdict);
    assert_int_equal(found->count, verdict != SNW_VERDICT_GREEN);
    if (found->count) assert_int_equal(found->item[0].code, code);
    if (found->count) assert_true(found->item[0].sentence[0] != 0);
}

/* Hands of people are 0.12 to 0.22 m long; those of nobody are told, whatever else is right. */
static void a_hand_has_the_size_of_hands(void **state)
{
    (void)state;
    static const struct {
        double length;
        snw_verdict verdict;
    } row[] = {{0.019, SNW_VERDICT_RED},  {0.08, SNW_VERDICT_AMBER}, {0.15, SNW_VERDICT_GREEN},
               {0.19, SNW_VERDICT_GREEN}, {0.24, SNW_VERDICT_GREEN}, {0.30, SNW_VERDICT_RED},
               {190.0, SNW_VERDICT_RED}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        see_all();
        snw_hand_profile hand = snw_hand_profile_default(SNW_SIDE_LEFT, 0.2);
        int middle = SNW_HAND_MIDDLE;
        hand.base[middle] = snw_vec3_scale(hand.base[middle], row[n].length / 0.2);
        for (int k = 0; k < 3; k++)
            hand.bone[middle][k] *= row[n].length / 0.2;
        snw_judge_hand(&hand, hand_report, FRAMES, &found);
        check_finding(&found, row[n].verdict, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE);
    }
}

/* Of one in five fingertips the distance counts by its square, and only while it is seen. */
static void fingertips_far_from_their_markers_are_told(void **state)
{
    (void)state;
    static const struct {
        double off;
        bool is_seen;
        snw_verdict verdict;
    } row[] = {{0.010, true, SNW_VERDICT_GREEN},
               {0.030, true, SNW_VERDICT_AMBER},
               {0.060, true, SNW_VERDICT_RED},
               {0.060, false, SNW_VERDICT_GREEN}};
    snw_hand_profile hand = snw_hand_profile_default(SNW_SIDE_RIGHT, 0.18);
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        see_all();
        for (int f = 0; f < FRAMES; f++) {
            hand_report[f].residual[2] = row[n].off;
            hand_report[f].is_tip_seen[2] = row[n].is_seen;
        }
        snw_judge_hand(&hand, hand_report, FRAMES, &found);
        check_finding(&found, row[n].verdict, SNW_JUDGEMENT_FAR_BODY);
    }
}

static void frames_without_a_palm_are_told(void **state)
{
    (void)state;
    snw_hand_profile hand = snw_hand_profile_default(SNW_SIDE_RIGHT, 0.18);
    for (int lost = 0; lost <= 100; lost += 20) {
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        see_all();
        for (int f = 0; f < lost; f++)
            hand_report[f].is_palm_determined = false;
        snw_judge_hand(&hand, hand_report, FRAMES, &found);
        check_finding(&found,
                      lost > 90   ? SNW_VERDICT_RED
                      : lost > 30 ? SNW_VERDICT_AMBER
                                  : SNW_VERDICT_GREEN,
                      SNW_JUDGEMENT_LOST_FRAMES);
    }
}

static void arms_have_the_size_of_arms_and_are_alike(void **state)
{
    (void)state;
    static const struct {
        double factor[2];
        snw_verdict verdict;
        snw_judgement_code code;
    } row[] = {{{1, 1}, SNW_VERDICT_GREEN, SNW_JUDGEMENT_FAR_BODY},
               {{1, 1.05}, SNW_VERDICT_GREEN, SNW_JUDGEMENT_FAR_BODY},
               {{1.15, 1}, SNW_VERDICT_AMBER, SNW_JUDGEMENT_UNEQUAL_SIDES},
               {{1, 1.3}, SNW_VERDICT_RED, SNW_JUDGEMENT_UNEQUAL_SIDES}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        static snw_judgements found;
        memset(&found, 0, sizeof found);
        see_all();
        snw_avatar_profile person = snw_avatar_profile_default(1.7);
        for (int side = 0; side < SNW_SIDES; side++) {
            person.upper_arm[side] *= row[n].factor[side];
            person.forearm[side] *= row[n].factor[side];
        }
        snw_judge_avatar(&person, avatar_report, FRAMES, &found);
        check_finding(&found, row[n].verdict, row[n].code);
    }
    static snw_judgements found;
    memset(&found, 0, sizeof found);
    snw_avatar_profile giant = snw_avatar_profile_default(1.7);
    for (int side = 0; side < SNW_SIDES; side++) {
        giant.upper_arm[side] *= 10;
        giant.forearm[side] *= 10;
    }
    snw_judge_avatar(&giant, avatar_report, FRAMES, &found);
    assert_int_equal(found.verdict, SNW_VERDICT_RED);
    assert_int_equal(found.count, 2); /* of each arm */
    assert_int_equal(found.item[0].code, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE);
    /* The stature by Drillis & Contini's shares, 0.186 and 0.146; within round-off. */
    check_near(found.item[0].number, (giant.upper_arm[0] + giant.forearm[0]) / (0.186 + 0.146),
               1e-9);
}

static void trackers_out_of_reach_or_lost_are_told(void **state)
{
    (void)state;
    snw_avatar_profile person = snw_avatar_profile_default(1.7);
    for (int frames = 0; frames <= 100; frames += 20)
        for (int is_lost = 0; is_lost < 2; is_lost++) {
            static snw_judgements found;
            memset(&found, 0, sizeof found);
            see_all();
            for (int f = 0; f < frames; f++)
                *(is_lost ? &avatar_report[f].is_hand_lost[1]
                          : &avatar_report[f].is_out_of_reach[1]) = true;
            snw_judge_avatar(&person, avatar_report, FRAMES, &found);
            check_finding(&found,
                          frames > 90   ? SNW_VERDICT_RED
                          : frames > 30 ? SNW_VERDICT_AMBER
                                        : SNW_VERDICT_GREEN,
                          is_lost ? SNW_JUDGEMENT_LOST_FRAMES : SNW_JUDGEMENT_FAR_BODY);
            if (found.count) assert_non_null(strstr(found.item[0].sentence, "the right arm"));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_has_the_size_of_hands),
        cmocka_unit_test(fingertips_far_from_their_markers_are_told),
        cmocka_unit_test(frames_without_a_palm_are_told),
        cmocka_unit_test(arms_have_the_size_of_arms_and_are_alike),
        cmocka_unit_test(trackers_out_of_reach_or_lost_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

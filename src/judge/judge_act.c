/* Is it a hand, an upper body? Sizes against those of people, sides against each other, how far the
 * answer is from what was seen, how much was seen at all. */
#include <math.h>

#include "judge/judge_constants.h"
#include "judge/judging.h"
#include "math/kernel.h"
#include "math/robust.h"
#include "person/anthropometry.h"
#include "person/movement.h"

/* Lengths that only a small child, or nobody, has: the stature that they make expect. */
static void judge_length(const char *what, double length, double share, snw_judgements *out)
{
    double stature = length / share;
    if (stature > SNW__STATURE_TODDLER && stature < SNW__STATURE_TALLEST) return;
    bool is_child = stature > SNW__STATURE_NEWBORN && stature <= SNW__STATURE_TODDLER;
    snw_judgement item = snw__judgement_make(
        SNW_JUDGEMENT_IMPLAUSIBLE_SIZE, is_child ? SNW_VERDICT_AMBER : SNW_VERDICT_RED, stature);
    snw_format(item.sentence, sizeof item.sentence,
               "%s measures %.0f mm, as that of a person %.2f m tall: is the unit of the file "
               "right, and are the labels?",
               what, 1000 * length, stature);
    snw_judgements_add(out, &item);
}

/* A share of the frames that is worth a look, or too much. */
static void judge_share(snw_judgement_code code, const char *what, int frames, int count,
                        snw_judgements *out)
{
    if (!count || !(frames > SNW__MINOR * count)) return;
    snw_judgement item = snw__judgement_make(
        code, frames > SNW__MOST * count ? SNW_VERDICT_RED : SNW_VERDICT_AMBER, frames);
    item.frame_count = frames;
    snw_format(item.sentence, sizeof item.sentence, "in %d of %d frames %s", frames, count, what);
    snw_judgements_add(out, &item);
}

void snw_judge_hand(const snw_hand_profile *profile, const snw_hand_report *report, int count,
                    snw_judgements *out)
{
    const double *bone = profile->bone[SNW_HAND_MIDDLE];
    double sum = 0;
    int seen = 0, without_palm = 0;
    for (int f = 0; f < count; f++) {
        without_palm += !report[f].is_palm_determined;
        for (int k = 0; k < SNW_HAND_FINGERS; k++) {
            sum += report[f].is_tip_seen[k] * report[f].residual[k] * report[f].residual[k];
            seen += report[f].is_tip_seen[k];
        }
    }
    double rms = sqrt(sum / (seen ? seen : 1));
    judge_length("the hand",
                 snw_vec3_length(profile->base[SNW_HAND_MIDDLE]) + bone[0] + bone[1] + bone[2],
                 SNW__LENGTH_HAND, out);
    if (rms > SNW__SKIN) {
        /* Fingers are 15 mm thick: what is farther off is another finger, or none. */
        snw_judgement item = snw__judgement_make(
            SNW_JUDGEMENT_FAR_BODY, rms > 2 * SNW__SKIN ? SNW_VERDICT_RED : SNW_VERDICT_AMBER, rms);
        snw_format(item.sentence, sizeof item.sentence,
                   "fingertips lie %.0f mm (rms) from their markers: are these labelled rightly, "
                   "and of one hand?",
                   1000 * rms);
        snw_judgements_add(out, &item);
    }
    judge_share(SNW_JUDGEMENT_LOST_FRAMES,
                "wrist or back of the hand are not seen: the palm is carried on from before",
                without_palm, count, out);
}

void snw_judge_avatar(const snw_avatar_profile *profile, const snw_avatar_report *report, int count,
                      snw_judgements *out)
{
    static const char *const arms[] = {"the left arm", "the right arm"};
    double length[SNW_SIDES];
    for (int side = 0; side < SNW_SIDES; side++) {
        char text[96];
        int lost = 0, far = 0;
        for (int f = 0; f < count; f++) {
            lost += report[f].is_hand_lost[side];
            far += report[f].is_out_of_reach[side];
        }
        length[side] = profile->upper_arm[side] + profile->forearm[side];
        judge_length(arms[side], length[side], SNW__LENGTH_ARM, out);
        snw_format(text, sizeof text, "%s is too short for its tracker: was the T-pose one?",
                   arms[side]);
        judge_share(SNW_JUDGEMENT_FAR_BODY, text, far, count, out);
        snw_format(text, sizeof text, "%s has no tracker and keeps its pose", arms[side]);
        judge_share(SNW_JUDGEMENT_LOST_FRAMES, text, lost, count, out);
    }
    double more = fmax(length[0], length[1]) / fmin(length[0], length[1]) - 1;
    if (!(more > PLAUSIBLE_SIDES)) return;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_UNEQUAL_SIDES,
                            more > PLAUSIBLE_SIDES_RED ? SNW_VERDICT_RED : SNW_VERDICT_AMBER,
                            fabs(length[0] - length[1]));
    snw_format(item.sentence, sizeof item.sentence,
               "the left arm measures %.0f mm, the right one %.0f: people's sides are alike",
               1000 * length[0], 1000 * length[1]);
    snw_judgements_add(out, &item);
}

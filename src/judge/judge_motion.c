/* Is it the motion of a whole person? Limbs that are missing, frames that are copies of the one
 * before, jumps that nobody makes. */
#include <math.h>
#include <string.h>

#include "judge/judge_constants.h"
#include "judge/judging.h"
#include "label/label_grammar.h"
#include "math/kernel.h"

/* ---- limbs ----------------------------------------------------------------------------------- */

static const snw_part judge_limbs[] = {SNW_PART_UPLEG, SNW_PART_LEG,     SNW_PART_FOOT,
                                       SNW_PART_ARM,   SNW_PART_FOREARM, SNW_PART_HAND};
enum {
    JUDGE_LIMBS = sizeof judge_limbs / sizeof *judge_limbs
};

typedef struct limb_sides {
    bool has[SNW_PART_COUNT][3];
    bool is_person;
} limb_sides;

static limb_sides find_limbs(const snw_skeleton *body)
{
    limb_sides limbs = {.is_person = false};
    for (int j = 0; j < body->joint_count; j++) {
        snw_side side;
        snw_part part = snw_part_read(snw__bare_label(body->name[j]), &side);
        limbs.has[part][side] = true;
        limbs.is_person |= part != SNW_PART_NONE && side != SNW_SIDE_NONE;
    }
    return limbs;
}

/* Does the limb go on below its part number n? */
static bool goes_on(const limb_sides *limbs, int n)
{
    int end = n < JUDGE_LIMBS / 2 ? JUDGE_LIMBS / 2 : JUDGE_LIMBS;
    for (n++; n < end; n++)
        if (limbs->has[judge_limbs[n]][SNW_SIDE_LEFT] || limbs->has[judge_limbs[n]][SNW_SIDE_RIGHT])
            return true;
    return false;
}

static void tell_missing(snw_part part, snw_side side, int left_out, snw_judgements *out)
{
    snw_side other = side == SNW_SIDE_LEFT ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_MISSING_LIMB, SNW_VERDICT_AMBER, fmax(left_out, 0));
    if (left_out < 0)
        snw_format(item.sentence, sizeof item.sentence,
                   "%s and %s were not found, although what hangs from them was: are there markers "
                   "on them? The joint below stands where the one above is",
                   snw_part_name(part, SNW_SIDE_LEFT), snw_part_name(part, SNW_SIDE_RIGHT));
    else if (left_out)
        snw_format(item.sentence, sizeof item.sentence,
                   "%s and %s were not found, and %d markers are on no segment: are these named "
                   "rightly? (docs/marker-sets.md)",
                   snw_part_name(part, SNW_SIDE_LEFT), snw_part_name(part, SNW_SIDE_RIGHT),
                   left_out);
    else
        snw_format(item.sentence, sizeof item.sentence,
                   "%s was not found although %s was: are its markers seen and named?",
                   snw_part_name(part, side), snw_part_name(part, other));
    snw_judgements_add(out, &item);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Is every marker of the body that is seen in a frame just where it was in the frame before? */
static bool is_copy(const snw_judged *solution, int frame)
{
    const snw_trial *trial = solution->trial;
    int seen = 0;
    for (int m = 0; m < solution->residuals->marker_count; m++) {
        if (solution->residuals->marker[m].joint < 0) continue;
        bool is_here = snw_trial_is_present(trial, frame, m);
        if (is_here != snw_trial_is_present(trial, frame - 1, m)) return false;
        if (!is_here) continue;
        const snw_sample *now = trial->sample + snw__entry(frame, trial->marker_count, m),
                         *before = trial->sample + snw__entry(frame - 1, trial->marker_count, m);
        if (now->x != before->x || now->y != before->y || now->z != before->z) return false;
        seen++;
    }
    return seen >= SNW__FRAME_POINTS;
}

static void judge_jumps(const snw_judged *solution, snw_judgements *out)
{
    const snw_motion *motion = solution->motion;
    int count = 0, worst = -1;
    double most = 0, allowed = JUDGE_JUMP + SNW__RUN_FASTEST / motion->rate;
    if (!find_limbs(solution->actor->skeleton).is_person || !(motion->rate > 0)) return;
    for (int f = 1; f < motion->frame_count; f++) {
        double way =
            snw_vec3_distance(motion->root[f].translation, motion->root[f - 1].translation);
        count += way > allowed;
        if (way <= fmax(most, allowed)) continue;
        most = way;
        worst = f;
    }
    if (!count) return;
    snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_JUMP, SNW_VERDICT_RED, most);
    item.frame = worst;
    item.frame_count = 1;
    snw_format(item.sentence, sizeof item.sentence,
               "the body jumps %.2f m from frame %d to the next, as nobody does (%d such jump%s): "
               "is it one trial, and one rate?",
               most, solution->trial->first_frame + worst - 1, count, count == 1 ? "" : "s");
    snw_judgements_add(out, &item);
}

void snw__judge_motion(const snw_judged *solution, snw_judgements *out)
{
    /* The first part of a limb that is missing is told, not all that hangs from it. */
    limb_sides limbs = find_limbs(solution->actor->skeleton);
    const snw_residuals *residuals = solution->residuals;
    int left_out = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        left_out += residuals->marker[m].joint < 0 && snw_trial_is_marker(solution->trial, m) &&
                    2 * residuals->marker[m].seen_count > residuals->frame_count;
    if (limbs.is_person) {
        for (int n = 0; n < JUDGE_LIMBS; n++) {
            const bool *has = limbs.has[judge_limbs[n]];
            bool left = has[SNW_SIDE_LEFT], right = has[SNW_SIDE_RIGHT];
            /* Markers of a segment: fewer that belong nowhere hide no limb, fewer that stand still
             * no body. */
            bool is_passed = !left && !right && goes_on(&limbs, n);
            if (left == right && (left || left_out < SNW__FRAME_POINTS) && !is_passed) continue;
            if (is_passed)
                tell_missing(judge_limbs[n], SNW_SIDE_LEFT, -1, out);
            else if (left != right)
                tell_missing(judge_limbs[n], left ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT, 0, out);
            else
                tell_missing(judge_limbs[n], SNW_SIDE_LEFT, left_out, out);
            n = n < JUDGE_LIMBS / 2 ? JUDGE_LIMBS / 2 - 1 : JUDGE_LIMBS;
        }
    }
    int frames = solution->motion->frame_count, copies = 0, first = -1;
    for (int f = 1; f < frames && f < solution->trial->frame_count; f++) {
        if (!is_copy(solution, f)) continue;
        if (copies++ == 0) first = f;
    }
    if (frames == 1) {
        snw_judgement one =
            snw__judgement_make(SNW_JUDGEMENT_FROZEN_FRAMES, SNW_VERDICT_AMBER, frames);
        snw_format(one.sentence, sizeof one.sentence,
                   "one frame shows a pose and no motion: joints are placed by anatomy alone");
        snw_judgements_add(out, &one);
    }
    if (!(copies <= SNW__STRAY_SHARE * frames)) {
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_FROZEN_FRAMES, SNW_VERDICT_AMBER, copies);
        item.frame = first;
        item.frame_count = frames;
        snw_format(
            item.sentence, sizeof item.sentence,
            "%d of %d frames are copies of the one before, from frame %d on: the capture stood "
            "still there, or was stretched to another rate",
            copies, frames, solution->trial->first_frame + first);
        snw_judgements_add(out, &item);
    }
    judge_jumps(solution, out);
}

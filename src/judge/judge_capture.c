/* What there is to know of a capture before its bodies: names that were guessed, points that are no
 * markers, markers that slipped. */
#include <string.h>

#include "base/notes.h"
#include "judge/judging.h"
#include "math/robust.h"

/* Where one person in ten that is recognised like this is another, no joint is certain. */
#define CAPTURE_UNSURE_JOINTS SNW__MOST
/* Between these the person may be another one than told, or may have been declined wrongly. */
#define CAPTURE_UNSURE_LEAST SNW__RARELY

void snw__doubt_joints(const snw_recognition *told, snw_actor *actor)
{
    if (!told->is_person || told->confidence >= CAPTURE_UNSURE_JOINTS) return;
    for (int j = 1; j < actor->skeleton->joint_count; j++) {
        snw_joint_estimate *estimate = actor->estimate + j;
        size_t length = strlen(estimate->verdict);
        estimate->is_uncertain = true;
        snw_format(estimate->verdict + length, sizeof estimate->verdict - length,
                   "; the person is not surely recognised");
    }
}

/* Names that were guessed and not surely right are never green. */
static void judge_recognition(const snw_recognition *told, snw_judgements *judgements)
{
    if (!told->point_count || told->confidence < CAPTURE_UNSURE_LEAST ||
        told->confidence > (1 - CAPTURE_UNSURE_LEAST))
        return;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_UNSURE_PERSON, SNW_VERDICT_AMBER, told->confidence);
    snw_format(item.sentence, sizeof item.sentence,
               told->is_person
                   ? "names come from a person recognised with a confidence of %.0f %% only: "
                     "check the sides and the segments, or name the markers"
                   : "a person was suspected in the unnamed markers, but is not sure (%.0f %%): "
                     "segments come from the motion alone",
               100 * told->confidence);
    snw_judgements_add(judgements, &item);
}

void snw__judge_capture(const snw_trial *trial, const snw_recognition *told, const snw_slips *slips,
                        const snw_notes *notes, snw_judgements *out)
{
    /* Measures of another person move hips, knees and ankles by centimetres. */
    for (int n = 0; notes && n < notes->count; n++) {
        if (notes->note[n].code != SNW_NOTE_STATIC_OF_ANOTHER) continue;
        snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_OTHER_PERSON, SNW_VERDICT_AMBER, 0);
        snw_format(item.sentence, sizeof item.sentence, "%s: take this person's own, or none",
                   notes->note[n].text);
        snw_judgements_add(out, &item);
    }
    int cut = trial->cut_frame_count;
    if (cut > 0) {
        snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_CUT_FILE, SNW_VERDICT_AMBER, cut);
        item.frame_count = trial->frame_count;
        snw_format(
            item.sentence, sizeof item.sentence,
            "the file ends after %d of its %lld frames: get it again, or cut the trial there",
            trial->frame_count, (long long)trial->frame_count + cut);
        snw_judgements_add(out, &item);
    }
    judge_recognition(told, out);
    /* What was left out because no marker does what it does. */
    int count = told->computed_count;
    if (count) {
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_LEFT_OUT_MARKER, SNW_VERDICT_GREEN, count);
        snw_format(
            item.sentence, sizeof item.sentence,
            "%d unnamed point%s no marker%s: about the origin or away from the body, a "
            "coordinate that never changes, or axes at right angles, as models write angles, "
            "forces and bones",
            count, snw__plural(count, " is", "s are"), snw__plural(count, "", "s"));
        snw_judgements_add(out, &item);
    }
    for (int n = 0; n < slips->count; n++) {
        const snw_slip *slip = slips->item + n;
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_SLIPPED_MARKER, SNW_VERDICT_AMBER, slip->distance);
        item.marker = slip->marker;
        item.frame = slip->frame;
        item.frame_count = trial->frame_count - slip->frame;
        snw_format(
            item.sentence, sizeof item.sentence,
            "%s moves by %s%.0f mm on its segment at frame %d (%.2f s) and stays there: a slip "
            "or another point; %s",
            trial->marker[slip->marker].name, slip->is_left_out ? "at least " : "",
            1000 * slip->distance, trial->first_frame + slip->frame,
            trial->rate > 0 ? slip->frame / trial->rate : 0,
            slip->is_left_out ? "left out where it sat for less long"
                              : "brought to where it sat for longest");
        snw_judgements_add(out, &item);
    }
}

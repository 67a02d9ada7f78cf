/* What a capture's labels contradict: sizes and sides of the conventional gait model's pelvis and
 * legs, which need no solved body. */
#include <sinew/gait_model.h>

#include "judge/judging.h"

void snw_judge_labels(const snw_trial *trial, snw_judgements *out)
{
    snw_gait_model model;
    if (snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL) != SNW_OK) return;
    /* Legs and pelvis of no person, from the markers' distances: noise, a wrong unit, numbers
     * beyond all measure. Needs no solved body. */
    static const snw_subject_parameter size[] = {SNW_SUBJECT_LEG_LENGTH, SNW_SUBJECT_INTER_ASIS};
    for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
        double value = model.subject.value[size[n]][0], range[2];
        snw_subject_range(size[n], range);
        if (value >= range[0] && value <= range[1]) continue;
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_IMPLAUSIBLE_SIZE, SNW_VERDICT_RED, value);
        snw_format(item.sentence, sizeof item.sentence,
                   value < 1000
                       ? "%s is %.3f m; people have %.2f to %.2f: are unit and labels right?"
                       : "%s is %g m; people have %.2f to %.2f: are unit and labels right?",
                   snw_subject_parameter_name(size[n]), value, range[0], range[1]);
        snw_judgements_add(out, &item);
    }
    /* Left and right exchanged turn the pelvis on its head: by its labels its legs hang upwards.
     * Needs no solved body, which may well be a person: the mirror image of one. */
    int seen = 0, turned = 0;
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_gait_pose pose;
        snw_gait_model_pose(&model, &frame, &pose);
        for (int side = 0; side < SNW_SIDES && pose.has_segment[SNW_SEGMENT_PELVIS][0]; side++) {
            int ankle = model.markers.at[SNW_GAIT_MARKER_ANK][side];
            if (ankle < 0 || frame.state[ankle] == SNW_SAMPLE_MISSING) continue;
            snw_vec3 at = snw_xform_unpoint(pose.world_from_segment[SNW_SEGMENT_PELVIS][0],
                                            snw_frame_position(&frame, ankle));
            seen++;
            turned += at.z > 0;
        }
    }
    if (2 * turned <= seen) return;
    snw_judgement item =
        snw__judgement_make(SNW_JUDGEMENT_UNEQUAL_SIDES, SNW_VERDICT_RED, (double)turned / seen);
    snw_format(item.sentence, sizeof item.sentence,
               "left and right are exchanged, or front and back of the pelvis: by its labels the "
               "legs hang upwards");
    snw_judgements_add(out, &item);
}

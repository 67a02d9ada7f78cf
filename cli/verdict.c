/* What to believe of a capture, said before its numbers. */
#include "verdict.h"

/* Legs and pelvis of no person, from the markers' distances: noise, a wrong unit, numbers beyond
 * all measure. Needs no solved body. */
static void judge_sizes(const snw_trial *trial, snw_judgements *out)
{
    static const snw_subject_parameter size[] = {SNW_SUBJECT_LEG_LENGTH, SNW_SUBJECT_INTER_ASIS};
    snw_gait_model model;
    if (snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL) != SNW_OK) return;
    for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
        double value = model.subject.value[size[n]][0], range[2];
        snw_subject_range(size[n], range);
        if (value >= range[0] && value <= range[1]) continue;
        snw_judgement item = {.code = SNW_JUDGEMENT_IMPLAUSIBLE_SIZE,
                              .verdict = SNW_VERDICT_RED,
                              .joint = -1,
                              .marker = -1,
                              .frame = -1,
                              .number = value};
        snw_format(item.sentence, sizeof item.sentence,
                   value < 1000
                       ? "%s is %.3f m; people have %.2f to %.2f: are unit and labels right?"
                       : "%s is %g m; people have %.2f to %.2f: are unit and labels right?",
                   snw_subject_parameter_name(size[n]), value, range[0], range[1]);
        snw_judgements_add(out, &item);
    }
}

/* Left and right exchanged turn the pelvis on its head: by its labels its legs hang upwards. Needs
 * no solved body, which may well be a person: the mirror image of one. */
static void judge_sides(const snw_trial *trial, snw_judgements *out)
{
    snw_gait_model model;
    int seen = 0, turned = 0;
    if (snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL) != SNW_OK) return;
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
    snw_judgement item = {.code = SNW_JUDGEMENT_UNEQUAL_SIDES,
                          .verdict = SNW_VERDICT_RED,
                          .joint = -1,
                          .marker = -1,
                          .frame = -1,
                          .number = (double)turned / seen};
    snw_format(item.sentence, sizeof item.sentence,
               "left and right are exchanged, or front and back of the pelvis: by its labels the "
               "legs hang upwards");
    snw_judgements_add(out, &item);
}

int cli_judge_capture(const cli_arguments *arguments, const snw_trial *trial, snw_judgements *out)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    snw_error error;
    options.keeps_zeros = options.skips_join = options.skips_recognition = true;
    options.part = 1;
    judge_sizes(trial, out);
    judge_sides(trial, out);
    snw_status status = snw_solve(trial, &options, NULL, &solution, &error);
    if (status == SNW_OUT_OF_MEMORY) return cli_fail(arguments, "%s", error.message);
    if (status != SNW_OK) {
        snw_judgement item = {.code = SNW_JUDGEMENT_FAR_BODY,
                              .verdict = SNW_VERDICT_AMBER,
                              .joint = -1,
                              .marker = -1,
                              .frame = -1};
        snw_format(item.sentence, sizeof item.sentence, "no body could be solved: %s",
                   error.message);
        snw_judgements_add(out, &item);
        return CLI_DONE;
    }
    const snw_judgements *found = solution->body->judgements;
    for (int n = 0; n < found->count; n++)
        if (found->item[n].verdict != SNW_VERDICT_GREEN) snw_judgements_add(out, found->item + n);
    snw_solution_destroy(solution);
    return CLI_DONE;
}

/* Reasons on the screen; --json has all. */
#define VERDICT_REASONS 4

void cli_print_verdict(const cli_arguments *arguments, const snw_judgements *judgements)
{
    int grave = 0;
    for (int n = 0; n < judgements->count; n++)
        grave += judgements->item[n].verdict != SNW_VERDICT_GREEN;
    for (int n = 0, told = 0; n < judgements->count && told < VERDICT_REASONS; n++)
        if (judgements->item[n].verdict != SNW_VERDICT_GREEN && ++told)
            cli_note(arguments, "%s: %s", snw_verdict_name(judgements->item[n].verdict),
                     judgements->item[n].sentence);
    if (grave > VERDICT_REASONS)
        cli_note(arguments, "%s: and %d more (--json)", snw_verdict_name(judgements->verdict),
                 grave - VERDICT_REASONS);
}

void cli_json_verdict(cli_json *json, const snw_judgements *judgements)
{
    cli_json_string(json, "verdict", snw_verdict_name(judgements->verdict));
    cli_json_array(json, "judgements");
    for (int n = 0; n < judgements->count; n++) {
        cli_json_object(json, NULL);
        cli_json_string(json, "code", snw_judgement_name(judgements->item[n].code));
        cli_json_string(json, "verdict", snw_verdict_name(judgements->item[n].verdict));
        cli_json_string(json, "sentence", judgements->item[n].sentence);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

/* Any word as the name of a method, format, unit, part or landmark: found or not, and what is found
 * has that name; every number has a name, also one off the list. */
#include "fuzz_numbers.h"

static void check_named(const char *name)
{
    if (!name || !name[0]) abort();
}

/* What is found is in range and has that name, whatever the case of its letters. */
static void check_found(const char *word, int found, int count, const char *name)
{
    if (found < 0 || found >= count) return;
    if (!name || strlen(name) != strlen(word)) abort();
    for (size_t n = 0; word[n]; n++)
        if ((name[n] | 32) != (word[n] | 32)) abort();
}

static void find_methods(const char *word)
{
    int found = snw_fill_method_find(word);
    check_found(word, found, SNW_FILL_METHOD_COUNT, snw_fill_method_name((snw_fill_method)found));
    found = snw_predict_method_find(word);
    check_found(word, found, SNW_PREDICT_METHOD_COUNT,
                snw_predict_method_name((snw_predict_method)found));
    found = snw_ik_solver_find(word);
    check_found(word, found, SNW_IK_SOLVER_COUNT, snw_ik_solver_name((snw_ik_solver)found));
    found = snw_segment_method_find(word);
    check_found(word, found, SNW_SEGMENT_METHOD_COUNT,
                snw_segment_method_name((snw_segment_method)found));
    found = snw_event_method_find(word);
    check_found(word, found, SNW_EVENT_METHOD_COUNT,
                snw_event_method_name((snw_event_method)found));
    found = snw_angle_convention_find(word);
    check_found(word, found, SNW_ANGLE_CONVENTION_COUNT,
                snw_angle_convention_name((snw_angle_convention)found));
    found = snw_rig_names_find(word);
    check_found(word, found, SNW_RIG_NAMES_COUNT, snw_rig_names_name((snw_rig_names)found));
    found = snw_hip_regression_find(word);
    check_found(word, found, SNW_HIP_REGRESSION_COUNT,
                snw_hip_regression_name((snw_hip_regression)found));
    found = snw_center_method_find(word);
    check_found(word, found, SNW_CENTER_METHOD_COUNT,
                snw_center_method_name((snw_center_method)found));
    found = snw_avatar_method_find(word);
    check_found(word, found, SNW_AVATAR_METHOD_COUNT,
                snw_avatar_method_name((snw_avatar_method)found));
    found = snw_synth_motion_find(word);
    check_found(word, found, SNW_SYNTH_MOTION_COUNT,
                snw_synth_motion_name((snw_synth_motion_kind)found));
}

/* Words that mean something by what they contain. */
static void read_words(const char *word, double value)
{
    snw_subject subject;
    snw_side hand;
    snw_side rig_side;
    snw_side side;
    snw_synth_gap gap;
    snw_error error;
    bool has_side;
    memset(&subject, 0, sizeof subject);
    if (snw_subject_set(&subject, word, value, &error) != SNW_OK) check_named(error.message);
    if (snw_synth_gap_parse(word, &gap, &error) != SNW_OK) check_named(error.message);
    int marker = snw_hand_marker_from_label(word, &hand, &has_side);
    if (marker < -1 || marker >= SNW_HAND_MARKERS) abort();
    if ((unsigned)snw_avatar_role_from_label(word) > SNW_AVATAR_ROLE_COUNT) abort();
    (void)snw_rig_part_from_name(word, &rig_side);
    if ((unsigned)snw_part_read(word, &side) > SNW_PART_COUNT) abort();
    snw_format_kind kind = snw_format_from_name(word);
    check_named(snw_format_name(kind));
    (void)(snw_format_reads_trial(kind) || snw_format_reads_motion(kind));
    (void)(snw_format_writes_trial(kind) || snw_format_writes_motion(kind));
    if (!(snw_unit_length(word) >= 0)) abort();
}

/* Letters of joints between blanks, as many as there are words. */
static void analyse_reach(const char *word)
{
    char copy[64];
    const char *joints[8];
    int count = 0;
    snw_reach_set set;
    snw_error error;
    snw_format(copy, sizeof copy, "%s", word);
    for (char *at = strtok(copy, " "); at && count < 8; at = strtok(NULL, " "))
        joints[count++] = at;
    if (snw_reach_analyse(joints, count + 1, &set, &error) != SNW_OK)
        check_named(error.message);
    else
        check_named(snw_reach_shape_name(set.shape));
}

/* Lists of names answer for every number. */
static void name_numbers(int n)
{
    check_named(snw_status_name((snw_status)n));
    check_named(snw_status_text((snw_status)n));
    check_named(snw_note_code_name((snw_note_code)n));
    check_named(snw_note_code_text((snw_note_code)n));
    check_named(snw_goal_kind_name((snw_goal_kind)n));
    check_named(snw_ik_outcome_name((snw_ik_outcome)n));
    check_named(snw_ik_solver_text((snw_ik_solver)n));
    check_named(snw_hand_method_name((snw_hand_method)n));
    check_named(snw_avatar_role_name((snw_avatar_role)n));
    check_named(snw_avatar_method_text((snw_avatar_method)n));
    if (!snw_angle_convention_text((snw_angle_convention)n)) abort();
    check_named(snw_judgement_name((snw_judgement_code)n));
    check_named(snw_verdict_name((snw_verdict)n));
    if (!snw_subject_source_name((snw_subject_source)n)) abort();
    check_named(snw_synth_gesture_name((snw_synth_gesture)n));
    check_named(snw_joint_type_name((snw_joint_type)n));
    (void)snw_synth_motion_text((snw_synth_motion_kind)n);
    (void)snw_subject_parameter_name((snw_subject_parameter)n);
    if (snw_preset_name(n) && !snw_preset_text(n)) abort();
}

/* The shortest text of a number is that number again; with decimals it is as near as they are. */
static void print_number(double value, int decimals)
{
    char text[SNW_NUMBER_SIZE];
    double again = 0;
    int length = snw_print_double(text, value);
    if (isfinite(value) &&
        (snw_parse_double(text, text + length, &again) != text + length || again != value))
        abort();
    length = snw_print_fixed(text, value, decimals);
    if (length <= 0 || length >= SNW_NUMBER_SIZE || text[length] != 0) abort();
    if (!isfinite(value)) return;
    if (snw_parse_double(text, text + length, &again) != text + length ||
        !(fabs(again - value) <= 0.5000001 * pow(10, -decimals) + 1e-15 * fabs(value)))
        abort();
}

static void find_notes(fuzz_bytes *bytes)
{
    snw_notes notes = snw_notes_none();
    snw_note_code code = (snw_note_code)fuzz_below(bytes, SNW_NOTE_CODE_COUNT + 1);
    int made = 0;
    for (notes.count = fuzz_below(bytes, SNW_NOTES_MAX + 1); made < notes.count; made++)
        notes.note[made].code = (snw_note_code)fuzz_below(bytes, SNW_NOTE_CODE_COUNT);
    int at = snw_notes_find(&notes, code, fuzz_below(bytes, 80) - 8);
    if (at >= 0 && (at >= notes.count || notes.note[at].code != code)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int number = (int)fuzz_byte(&bytes) - 16;
    double value = fuzz_number(&bytes);
    if (!snw_version_check()) abort();
    name_numbers(number);
    print_number(value, (int)(size % 18));
    if (number < 0) find_notes(&bytes);
    size_t length = (size_t)(bytes.end - bytes.at);
    char *word = malloc(length + 1); /* its own block: reading past its end is seen */
    if (!word) return 0;
    if (length) memcpy(word, bytes.at, length);
    word[length] = 0;
    find_methods(word);
    read_words(word, value);
    analyse_reach(word);
    free(word);
    return 0;
}

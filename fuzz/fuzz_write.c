/* Any small trial, motion or table through every writer: refused with a sentence, or what was
 * written is read again, with the labels and the number of frames it had. */
#include "fuzz_trials.h"

static void add_event(snw_trial *trial, fuzz_bytes *bytes)
{
    char words[6][12] = {"Foot Strike", "", "a,b", "\"", "x\n", "General"}, none[1] = "";
    snw_event event = {fuzz_number(bytes),
                       words[fuzz_below(bytes, 6)],
                       words[fuzz_below(bytes, 6)],
                       none,
                       none,
                       0,
                       0,
                       false};
    snw_error error;
    fuzz_check_said(snw_trial_add_event(trial, &event, &error), &error);
}

/* Letters, digits and underscores come back in every format. */
static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_')) return false;
    return name[0] != 0;
}

static void check_again(const snw_trial *trial, const snw_trial *again)
{
    fuzz_check_trial(again);
    if (again->marker_count != trial->marker_count) return; /* markers without a sample may go */
    for (int m = 0; m < trial->marker_count; m++)
        if (is_plain(trial->marker[m].name) &&
            strcmp(trial->marker[m].name, again->marker[m].name) != 0)
            abort();
}

/* Analog channels with any scale and raw value: told as CSV that has a line for every instant. */
static void try_analog(fuzz_bytes *bytes)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_memory_sink written;
    snw_sink sink = snw_sink_to_memory(&written, NULL);
    snw_error error;
    options.frame_count = fuzz_below(bytes, 4);
    options.analog_count = fuzz_below(bytes, 3);
    options.analog_per_frame = fuzz_below(bytes, 4);
    fuzz_check_said(snw_trial_create(&options, NULL, &trial, &error), &error);
    if (!trial) return;
    for (int c = 0; c < trial->analog_count; c++) {
        trial->analog_channel[c].scale = fuzz_number(bytes);
        trial->analog_channel[c].offset = fuzz_number(bytes);
    }
    int instants = trial->frame_count * trial->analog_per_frame, lines = 0;
    for (int n = 0; n < instants * trial->analog_count; n++)
        trial->analog[n] = (float)fuzz_number(bytes);
    snw_status status = snw_write_analog(trial, NULL, &sink, &error);
    fuzz_check_said(status, &error);
    for (size_t n = 0; status == SNW_OK && n < written.size; n++)
        lines += ((const char *)written.bytes)[n] == '\n';
    if (status == SNW_OK && lines < instants) abort();
    snw_memory_sink_release(&written);
    snw_trial_destroy(trial);
}

/* A model of bodies in a chain or not, with names that XML must escape and numbers that are none.
 */
static void try_osim(fuzz_bytes *bytes)
{
    static const char *const names[] = {"pelvis", "a b", "<x>", "\"&'", "", "\n"};
    snw_osim_body body[3];
    snw_osim_marker marker[2];
    snw_memory_sink written;
    snw_sink sink = snw_sink_to_memory(&written, NULL);
    snw_error error;
    memset(body, 0, sizeof body);
    for (int b = 0; b < 3; b++) {
        body[b].name = names[fuzz_below(bytes, 6)];
        body[b].parent = fuzz_byte(bytes) >= 240 ? fuzz_below(bytes, 6) - 2 : b - 1;
        body[b].joint = names[fuzz_below(bytes, 6)];
        body[b].place = fuzz_vector(bytes);
        body[b].twist = fuzz_number(bytes);
        body[b].mass = fuzz_number(bytes);
        for (int a = 0; a < 6; a++)
            body[b].axis[a] =
                (snw_osim_axis){fuzz_byte(bytes) & 1 ? names[fuzz_below(bytes, 6)] : NULL, 1};
    }
    for (int m = 0; m < 2; m++)
        marker[m] = (snw_osim_marker){names[fuzz_below(bytes, 6)], fuzz_below(bytes, 4),
                                      fuzz_vector(bytes)};
    const snw_osim_model model = {names[fuzz_below(bytes, 6)], names[fuzz_below(bytes, 6)],
                                  fuzz_below(bytes, 4),        body,
                                  fuzz_below(bytes, 3),        marker};
    snw_status status = snw_write_osim(&model, &sink, &error);
    fuzz_check_said(status, &error);
    for (size_t n = 0; status == SNW_OK && n + 2 < written.size; n++)
        if (memcmp((const char *)written.bytes + n, "nan", 3) == 0 ||
            memcmp((const char *)written.bytes + n, "<x>", 3) == 0)
            abort();
    snw_memory_sink_release(&written);
}

static void try_trial(fuzz_bytes *bytes)
{
    static const snw_format_kind kinds[] = {SNW_FORMAT_C3D, SNW_FORMAT_TRC, SNW_FORMAT_CSV};
    snw_format_kind kind = kinds[fuzz_below(bytes, 3)];
    snw_trial *trial = fuzz_trial(bytes, 5, 5), *again = NULL;
    snw_memory_sink written;
    snw_sink sink = snw_sink_to_memory(&written, NULL);
    snw_memory_source memory;
    snw_error error;
    if (!trial) return;
    for (int n = fuzz_below(bytes, 3); n > 0; n--)
        add_event(trial, bytes);
    snw_status status = snw_write_trial(trial, kind, NULL, &sink, &error);
    fuzz_check_said(status, &error);
    if (status == SNW_OK) {
        snw_source source = snw_source_from_memory(&memory, written.bytes, written.size);
        fuzz_check_said(snw_read_trial(&source, NULL, NULL, &again, NULL, &error), &error);
    }
    if (again) check_again(trial, again);
    snw_trial_destroy(again);
    snw_memory_sink_release(&written);
    snw_trial_destroy(trial);
}

static snw_skeleton *make_body(fuzz_bytes *bytes)
{
    static const char *const names[] = {"Hips", "a b", "LeftUpLeg", "x\"y", "{", "Hips"};
    snw_joint_def defs[4];
    snw_skeleton *body = NULL;
    snw_error error;
    int count = 1 + fuzz_below(bytes, 4);
    for (int j = 0; j < count; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[fuzz_below(bytes, 6)];
        defs[j].parent = j - 1;
        defs[j].joint.type = (snw_joint_type)fuzz_below(bytes, 8);
        defs[j].rest.translation = fuzz_vector(bytes);
    }
    fuzz_check_said(snw_skeleton_create(defs, count, NULL, &body, &error), &error);
    return body;
}

static snw_motion *make_motion(const snw_skeleton *body, fuzz_bytes *bytes)
{
    snw_motion *motion = NULL;
    if (snw_motion_create(body, 1 + fuzz_below(bytes, 4), 100, NULL, &motion, NULL) != SNW_OK)
        abort();
    for (int n = 0; n < motion->frame_count * body->joint_count; n++) {
        snw_vec3 turn = fuzz_vector(bytes);
        if (snw_vec3_length(turn) < 4) motion->rotation[n] = snw_quat_exp(turn);
    }
    return motion;
}

static void try_table(const snw_motion *motion)
{
    snw_table *table = NULL, *again = NULL;
    snw_memory_sink written;
    snw_sink sink = snw_sink_to_memory(&written, NULL);
    snw_memory_source memory;
    snw_motion *back = NULL;
    snw_error error;
    fuzz_check_said(snw_table_from_motion(motion, SNW_UP_Y, NULL, &table, &error), &error);
    if (table && snw_write_table(table, NULL, &sink, &error) == SNW_OK) {
        snw_source source = snw_source_from_memory(&memory, written.bytes, written.size);
        fuzz_check_said(snw_read_table(&source, NULL, NULL, &again, NULL, &error), &error);
    }
    if (again && again->row_count != table->row_count) abort();
    if (again)
        fuzz_check_said(snw_motion_from_table(again, motion->skeleton, NULL, &back, NULL, &error),
                        &error);
    if (back) fuzz_check_motion(back);
    snw_motion_destroy(back);
    snw_table_destroy(again);
    snw_table_destroy(table);
    snw_memory_sink_release(&written);
}

static void try_motion(fuzz_bytes *bytes)
{
    static const snw_format_kind kinds[] = {SNW_FORMAT_BVH, SNW_FORMAT_ASF, SNW_FORMAT_AMC,
                                            SNW_FORMAT_GLB, SNW_FORMAT_MOT};
    snw_format_kind kind = kinds[fuzz_below(bytes, 5)];
    snw_skeleton *body = make_body(bytes);
    snw_memory_sink written;
    snw_sink sink = snw_sink_to_memory(&written, NULL);
    snw_error error;
    if (!body) return;
    snw_motion *motion = make_motion(body, bytes), *other = NULL;
    snw_write_options options = snw_write_options_default();
    options.up = (snw_up_axis)fuzz_below(bytes, 7);
    options.markers = fuzz_byte(bytes) & 1 ? fuzz_trial(bytes, 3, 6) : NULL;
    fuzz_check_said(snw_write_motion(motion, kind, &options, &sink, &error), &error);
    snw_trial_destroy((snw_trial *)options.markers);
    if (fuzz_byte(bytes) & 1) { /* numbers that are none are refused */
        double kept = motion->root[0].translation.x;
        motion->root[0].translation.x = NAN;
        snw_status status = snw_write_motion(motion, kind, NULL, &sink, &error);
        if (status == SNW_OK && kind != SNW_FORMAT_ASF) abort(); /* which holds no frames */
        motion->root[0].translation.x = kept;
    }
    double rate = 300 * fabs(fuzz_number(bytes));
    if (rate < 1e4)
        fuzz_check_said(snw_motion_resample(motion, rate, NULL, &other, &error), &error);
    if (other) fuzz_check_motion(other);
    snw_angles *angles = NULL;
    fuzz_check_said(snw_angles_from_motion(motion, NULL, &angles, &error), &error);
    snw_angles_destroy(angles);
    try_table(motion);
    snw_trial *places = NULL;
    fuzz_check_said(snw_trial_from_motion(motion, SNW_UP_Y, NULL, &places, &error), &error);
    if (places) fuzz_check_trial(places);
    snw_trial_destroy(places);
    snw_memory_sink_release(&written);
    snw_motion_destroy(other);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    unsigned what = fuzz_byte(&bytes);
    if (what & 1)
        try_trial(&bytes);
    else if (what < 240)
        try_motion(&bytes);
    else if (what < 248)
        try_analog(&bytes);
    else
        try_osim(&bytes);
    return 0;
}

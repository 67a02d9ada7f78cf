/* Readers say what no capture holds, and say nothing of what captures do hold. */
#include "check.h"

static int extreme_count(const snw_notes *notes)
{
    int count = 0;
    for (int n = 0; n < notes->count; n++)
        count += notes->note[n].code == SNW_NOTE_VALUE_EXTREME;
    return count;
}

/* Three markers, of which one goes `far` metres away in its last frame; written and read again. */
static int notes_of_capture(snw_format_kind format, double rate, double far, snw_note *first)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 3;
    options.frame_count = 4;
    options.rate = rate;
    snw_trial *trial = NULL, *again = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int f = 0; f < 4; f++)
        for (int m = 0; m < 3; m++)
            snw_trial_set(trial, f, m, snw_vec3_make(m, f == 3 && m == 1 ? far : 1, 0.5),
                          SNW_SAMPLE_MEASURED);
    snw_memory_sink bytes;
    snw_memory_source memory;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    assert_int_equal(snw_write_trial(trial, format, NULL, &sink, NULL), SNW_OK);
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_notes notes = {0};
    assert_int_equal(snw_read_trial(&source, NULL, NULL, &again, &notes, NULL), SNW_OK);
    int count = extreme_count(&notes);
    for (int n = notes.count - 1; n >= 0; n--)
        if (notes.note[n].code == SNW_NOTE_VALUE_EXTREME) *first = notes.note[n];
    snw_memory_sink_release(&bytes);
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
    return count;
}

static void captures_beyond_belief_are_told(void **state)
{
    (void)state;
    static const struct {
        snw_format_kind format;
        double rate, far;
        int count;
    } cases[] = {
        {SNW_FORMAT_C3D, 100, 2, 0},       {SNW_FORMAT_C3D, 10000, 9000, 0},
        {SNW_FORMAT_C3D, 100, 1e20, 1},    {SNW_FORMAT_C3D, 65536, 1, 1},
        {SNW_FORMAT_C3D, 65536, -1e20, 2}, {SNW_FORMAT_TRC, 100, 1e16, 1},
        {SNW_FORMAT_TRC, 4.3e9, 1, 1},     {SNW_FORMAT_TRC, 1000, 50, 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_note note = {0};
        int count = notes_of_capture(cases[n].format, cases[n].rate, cases[n].far, &note);
        if (count != cases[n].count) print_error("case %zu: %s\n", n, note.text);
        assert_int_equal(count, cases[n].count);
        if (fabs(cases[n].far) > 1e4 && count == 1) {
            assert_string_equal(note.name, "M002");
            assert_int_equal(note.frame, 3);
        }
    }
}

static void bones_beyond_belief_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *offset;
        int count;
    } cases[] = {{"0 10 0", 0}, {"0 9000 0", 0}, {"0 1e18 0", 1}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[512];
        int size = snw_format(text, sizeof text,
                              "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation "
                              "Yrotation\nJOINT b\n{\nOFFSET %s\nCHANNELS 3 Zrotation Xrotation "
                              "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: "
                              "1\nFrame Time: 0.01\n0 0 0 0 0 0\n",
                              cases[n].offset);
        snw_memory_source memory;
        snw_source source = snw_source_from_memory(&memory, text, (size_t)size);
        snw_motion *motion = NULL;
        snw_notes notes = {0};
        snw_error error = {0};
        assert_int_equal(snw_read_motion(&source, NULL, NULL, &motion, &notes, &error), SNW_OK);
        assert_int_equal(extreme_count(&notes), cases[n].count);
        snw_motion_destroy(motion);
    }
}

/* ASF and AMC come through functions of their own. */
static void bones_of_acclaim_beyond_belief_are_told(void **state)
{
    (void)state;
    static const char frames[] = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\na 0\nb 0\n";
    static const char *const length[] = {"10", "1e18"};
    for (int n = 0; n < 2; n++) {
        char text[512];
        int size = snw_format(text, sizeof text,
                              ":version 1.10\n:units\n length 1\n angle deg\n:root\n order TX TY "
                              "TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n"
                              ":bonedata\n begin\n id 1\n name a\n direction 0 1 0\n length %s\n "
                              "axis 0 0 0 XYZ\n dof rx\n end\n begin\n id 2\n name b\n direction 0 "
                              "1 0\n length 1\n axis 0 0 0 XYZ\n dof rx\n end\n:hierarchy\n "
                              "begin\n root a\n a b\n end\n",
                              length[n]);
        snw_memory_source memory[2];
        snw_source asf = snw_source_from_memory(memory, text, (size_t)size);
        snw_source amc = snw_source_from_memory(memory + 1, frames, sizeof frames - 1);
        snw_motion *motion = NULL;
        snw_notes notes = {0};
        snw_error error = {0};
        if (snw_read_acclaim(&(snw_acclaim_sources){&asf, &amc, NULL}, NULL, NULL, &motion, &notes,
                             &error) != SNW_OK)
            fail_msg("%s", error.message);
        assert_int_equal(extreme_count(&notes), n);
        snw_motion_destroy(motion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_beyond_belief_are_told),
        cmocka_unit_test(bones_beyond_belief_are_told),
        cmocka_unit_test(bones_of_acclaim_beyond_belief_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

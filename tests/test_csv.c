/* CSV: the styles that programs write, what is guessed and said, what is refused. */
#include "read_checks.h"

typedef struct csv_case {
    const char *what;
    const char *text;
    int markers, frames, first_frame;
    double rate, metres_per_unit;
    const char *first_name, *last_name;
    double x, y, z;   /* of the last marker in the last frame, in the file's unit */
    const char *note; /* part of a note, or NULL */
    int missing;      /* samples */
} csv_case;

static const csv_case cases[] = {
    {"kinetics toolkit",
     "Time,C7[0],C7[1],C7[2],C7[3],T8[0],T8[1],T8[2],T8[3]\n"
     "0,1,2,3,1,4,5,6,1\n0.02,1,2,3,1,,,,\n0.04,1,2,3,1,1.5,2.5,3.5,1\n",
     2, 3, 1, 50, 1, "C7", "T8", 1.5, 2.5, 3.5, "taken as m", 1},
    {"underscores and units in brackets",
     "Frame,Time (s),LASI_X (mm),LASI_Y (mm),LASI_Z (mm)\n7,0,1,2,3\n8,0.01,4,5,6\n", 1, 2, 7, 100,
     0.001, "LASI", "LASI", 4, 5, 6, NULL, 0},
    {"points and a row of units, quotes",
     "time,\"a.x\",\"a.y\",\"a.z\",b.x,b.y,b.z\n"
     "s,cm,cm,cm,cm,cm,cm\n0,1,2,3,4,5,6\n0.5,1,2,3,7,8,9\n",
     2, 2, 1, 2, 0.01, "a", "b", 7, 8, 9, NULL, 0},
    {"blanks before the axis, semicolons, decimal comma",
     "Time;L ASI X;L ASI Y;L ASI Z\n0,0;1,5;2,5;3,5\n0,1;4,25;5,5;6,5\n", 1, 2, 1, 10, 1, "L ASI",
     "L ASI", 4.25, 5.5, 6.5, "no unit", 0},
    {"Vicon Nexus after a Devices section",
     "Devices\r\n1000\r\n,,Force.Fx\r\nFrame,Sub Frame,Fx\r\n,,N\r\n1,0,5\r\n\r\n"
     "Trajectories\r\n100\r\n,,Bob:LASI,,,Bob:RASI,,\r\nFrame,Sub Frame,X,Y,Z,X,Y,Z\r\n"
     ",,mm,mm,mm,mm,mm,mm\r\n12,0,1,2,3,4,5,6\r\n13,0,1,2,3,,,\r\n14,0,7,8,9,10,11,12\r\n\r\n"
     "Something\r\n1,2,3\r\n",
     2, 3, 12, 100, 0.001, "Bob:LASI", "Bob:RASI", 10, 11, 12, NULL, 1},
    {"OptiTrack Motive",
     "Format Version,1.23,Take Name,walk,Capture Frame Rate,240,Export Frame Rate,120,Length "
     "Units,Meters\n\n"
     ",Type,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,"
     "Marker,Marker,Marker,Marker,Marker,Marker\n"
     ",Name,RB,RB,RB,RB,RB,RB,RB,\"S:A\",\"S:A\",\"S:A\",B,B,B\n,ID,1,1,1,1,1,1,1,2,2,2,3,3,3\n"
     ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Position,Position,"
     "Position,Position,Position,Position\n"
     "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,X,Y,Z,X,Y,Z\n"
     "0,0.0,0,0,0,1,9,9,9,1,2,3,4,5,6\n1,0.008333,0,0,0,1,9,9,9,1,2,3,7,8,9\n",
     2, 2, 0, 120, 1, "S:A", "B", 7, 8, 9, "labelled markers", 0},
    {"Vicon Nexus with velocities",
     "Trajectories\n100\n,,S:A,,,S:A,,,S:B,,\nFrame,Sub Frame,X,Y,Z,X',Y',Z',X,Y,Z\n"
     ",,mm,mm,mm,mm/s,mm/s,mm/s^2,mm,mm,mm\n1,0,1,2,3,9,9,9,4,5,6\n2,0,1,2,3,9,9,9,7,8,9\n",
     2, 2, 1, 100, 0.001, "S:A", "S:B", 7, 8, 9, "3 columns are no marker", 0},
    {"two markers of one name", "Time,A_x,A_y,A_z,A_x,A_y,A_z\n0,1,2,3,4,5,6\n1,1,2,3,7,8,9\n", 2,
     2, 1, 1, 1, "A", "A", 7, 8, 9, "markers 1 and 2 are both called A", 0},
    {"Qualisys TSV without counters",
     "NO_OF_FRAMES\t2\nNO_OF_CAMERAS\t8\nNO_OF_MARKERS\t2\nFREQUENCY\t200\nDESCRIPTION\t--\n"
     "DATA_INCLUDED\t3D\nMARKER_NAMES\tL_heel\tR_heel\n1.0\t2\t3\t4\t5\t6\n0\t0\t0\t7\t8\t9\n",
     2, 2, 1, 200, 0.001, "L_heel", "R_heel", 7, 8, 9, "exactly 0 0 0", 1},
    {"Qualisys TSV with counters",
     "NO_OF_FRAMES\t2\nFREQUENCY\t50\nMARKER_NAMES\tA\tB\nFrame\tTime\tA X\tA Y\tA Z\tB X\tB Y\tB "
     "Z\n"
     "5\t0.00\t1.0\t2\t3\t4\t5\t6\n6\t0.02\t1\t2\t3\t7\t8\t9\n",
     2, 2, 5, 50, 0.001, "A", "B", 7, 8, 9, NULL, 0},
    {"names over every third column", "Frame,LASI,,,RASI,,\n1,1,2,3,4,5,6\n2,1,2,3,7,8,9\n", 2, 2,
     1, 100, 1, "LASI", "RASI", 7, 8, 9, "how many frames", 0},
    {"marker names that are numbers", ",1,,,2,,\nFrame,X,Y,Z,X,Y,Z\n1,1,2,3,4,5,6\n2,1,2,3,7,8,9\n",
     2, 2, 1, 100, 1, "1", "2", 7, 8, 9, NULL, 0},
    {"numbers only", "1,2,3,4,5,6\n1,2,3,7,8,9\n", 2, 2, 1, 100, 1, "M001", "M002", 7, 8, 9,
     "there is no header", 0},
    {"numbers with a frame", "10 1 2 3\n11 7 8 9\n", 1, 2, 10, 100, 1, "M001", "M001", 7, 8, 9,
     "as the frame, then", 0},
    {"numbers with a time", "0.00\t1\t2\t3\n0.05\t7\t8\t9\n", 1, 2, 1, 20, 1, "M001", "M001", 7, 8,
     9, "as the time, then", 0},
    {"whole milliseconds", "time_ms,A_x,A_y,A_z\n0,1,2,3\n17,1,2,3\n33,1,2,3\n50,1,2,3\n", 1, 4, 1,
     60, 1, "A", "A", 1, 2, 3, NULL, 0},
    {"exact milliseconds", "Time (ms),A_x,A_y,A_z\n0,1,2,3\n8,1,2,3\n16,1,2,3\n", 1, 3, 1, 125, 1,
     "A", "A", 1, 2, 3, NULL, 0},
    {"microseconds", "timestamp_us;A_x;A_y;A_z\n0;1;2;3\n20000,0;1;2;3\n", 1, 2, 1, 50, 1, "A", "A",
     1, 2, 3, NULL, 0},
    {"a unit as the label", "Milliseconds,A_x,A_y,A_z\n0,1,2,3\n40,1,2,3\n", 1, 2, 1, 25, 1, "A",
     "A", 1, 2, 3, NULL, 0},
    {"columns that are no markers", "Time,EMG,A_x,A_y,A_z,Fz\n0,5,1,2,3,7\n1,5,1,2,3,7\n", 1, 2, 1,
     1, 1, "A", "A", 1, 2, 3, "2 columns are no marker", 0},
};

static void every_style_is_understood(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const csv_case *c = cases + n;
        print_message("  %s\n", c->what);
        snw_notes notes;
        snw_trial *trial = read_trial_text(c->text, &notes);
        assert_int_equal(trial->marker_count, c->markers);
        assert_int_equal(trial->frame_count, c->frames);
        assert_int_equal(trial->first_frame, c->first_frame);
        check_near(trial->rate, c->rate, 0);
        check_near(trial->metres_per_unit, c->metres_per_unit, 0);
        assert_string_equal(trial->marker[0].name, c->first_name);
        assert_string_equal(trial->marker[c->markers - 1].name, c->last_name);
        const snw_sample *last = trial->sample + c->frames * c->markers - 1;
        /* Small binary fractions are exact in float. */
        check_near(last->x, c->x, 0);
        check_near(last->y, c->y, 0);
        check_near(last->z, c->z, 0);
        if (c->note) check_note(&notes, c->note);
        int missing = 0;
        for (int m = 0; m < c->markers; m++)
            missing += snw_trial_gaps(trial, m).missing_count;
        assert_int_equal(missing, c->missing);
        snw_trial_destroy(trial);
    }
}

/* Two trackers: the second quaternion is twice as long as it should be, the last row has none. The
 * matrix is that of a quarter turn about z. */
static void quaternions_beside_a_marker_are_its_rotation(void **state)
{
    (void)state;
    static const char text[] =
        "time,head_x,head_y,head_z,head_qw,head_qx,head_qy,head_qz,elbow_x,elbow_y,elbow_z\n"
        "0,1,2,3,1,0,0,0,7,8,9\n"
        "0.01,4,5,6,1.4142135623730951,0,0,1.4142135623730951,7,8,9\n"
        "0.02,4,5,6,,,,,7,8,9\n";
    static const float quarter[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    snw_notes notes = snw_notes_none();
    snw_trial *trial = read_trial_text(text, &notes);
    assert_int_equal(trial->marker_count, 2);
    assert_string_equal(trial->marker[1].name, "elbow");
    assert_int_equal(trial->rotation_count, 1);
    assert_string_equal(trial->rotation_label[0].name, "head");
    assert_true(trial->rotation[16] >= 0);
    for (int n = 0; n < 16; n++)
        check_near(trial->rotation[17 + n], quarter[n], 1e-7);
    assert_true(trial->rotation[2 * 17 + 16] < 0);
    check_note(&notes, "not unit");
    snw_trial_destroy(trial);
}

static void the_caller_can_say_the_unit(void **state)
{
    (void)state;
    const char *text = "a_x,a_y,a_z\n1,2,3\n";
    snw_read_options options = snw_read_options_default();
    options.metres_per_unit = 0.0254;
    snw_trial *trial = NULL;
    snw_notes notes = snw_notes_none();
    assert_int_equal(read_trial_bytes(text, strlen(text), &options, &trial, &notes, NULL), SNW_OK);
    check_near(trial->metres_per_unit, 0.0254, 0);
    assert_string_equal(trial->unit, "in");
    assert_false(has_note(&notes, "no unit"));
    snw_trial_destroy(trial);
}

static void what_is_no_marker_table_is_refused(void **state)
{
    (void)state;
    snw_error error = check_trial_refused("Time,speed,force,power\n0,1,2,3\n", SNW_FORMAT,
                                          "no three columns belong to one marker");
    assert_int_equal(error.line, 1);
    error = check_trial_refused("Time,a_x,a_y,a_z\n0,1,2,3\n1,1,oops,3\n", SNW_FORMAT,
                                "\"oops\" of a is not a number");
    assert_int_equal(error.line, 3);
    check_trial_refused("Dear reader, this is a letter, not a table.\n", SNW_FORMAT, "none of");
    static const char wide[] = "\xff\xfeT\0i\0m\0e\0,\0";
    snw_trial *trial = NULL;
    assert_int_equal(read_trial_bytes(wide, sizeof wide - 1, NULL, &trial, NULL, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "UTF-16"));
}

static void random_trials_come_back_bit_for_bit(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < TRIAL_SHAPE_COUNT; shape++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            snw_random random = snw_random_seed(seed, 100 + shape);
            snw_trial *trial = random_trial(&random, trial_shapes[shape]);
            snw_memory_sink memory;
            write_trial_bytes(trial, SNW_FORMAT_CSV, NULL, &memory);
            snw_trial *again = NULL;
            snw_notes notes = snw_notes_none();
            snw_error error;
            if (read_trial_bytes(memory.bytes, memory.size, NULL, &again, &notes, &error) != SNW_OK)
                fail_msg("shape %zu: %s", shape, error.message);
            check_same_samples(trial, again);
            /* The rate is in the times, so two frames are needed to get it back. */
            if (trial->frame_count > 1) check_near(again->rate, trial->rate, 0);
            if (trial->marker_count) check_near(again->metres_per_unit, trial->metres_per_unit, 0);
            if (trial->frame_count) assert_int_equal(again->first_frame, trial->first_frame);
            for (int marker = 0; marker < trial->marker_count; marker++)
                assert_string_equal(again->marker[marker].name, trial->marker[marker].name);
            snw_trial_destroy(again);
            snw_memory_sink_release(&memory);
            snw_trial_destroy(trial);
        }
}

static void cut_files_and_failing_memory_leave_nothing_behind(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        check_every_cut(cases[n].text, strlen(cases[n].text), call_read_trial);
        check_every_allocation(cases[n].text, strlen(cases[n].text), call_read_trial);
    }
}

static void sizes_out_of_proportion_are_refused(void **state)
{
    (void)state;
    check_disproportion_refused("Time", ",a_x,a_y,a_z", 30000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_style_is_understood),
        cmocka_unit_test(quaternions_beside_a_marker_are_its_rotation),
        cmocka_unit_test(the_caller_can_say_the_unit),
        cmocka_unit_test(what_is_no_marker_table_is_refused),
        cmocka_unit_test(random_trials_come_back_bit_for_bit),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing_behind),
        cmocka_unit_test(sizes_out_of_proportion_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Inertial sensors: files by hand, bodies against the motion that the sensors rode on. */
#include "check.h"

/* ---- files ---------------------------------------------------------------------------------- */

static snw_status read_text(const char *text, snw_inertial **out, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_inertial(&source, NULL, NULL, out, NULL, error);
}

static snw_inertial *read_well(const char *text)
{
    snw_inertial *sensors = NULL;
    snw_error error;
    if (read_text(text, &sensors, &error) != SNW_OK) print_error("%s\n", error.message);
    assert_non_null(sensors);
    return sensors;
}

static void a_storage_of_quaternions_is_read(void **state)
{
    (void)state;
    snw_inertial *sensors = read_well("DataRate=50.0\nDataType=Quaternion\nversion=3\nendheader\n"
                                      "time\tpelvis_imu\ttibia_r_imu\n0.0\t1,0,0,0\t0.6,0.8,0,0\n"
                                      "0.02\t0,1,0,0\tnan,nan,nan,nan\n");
    assert_int_equal(sensors->sensor_count, 2);
    assert_int_equal(sensors->frame_count, 2);
    assert_string_equal(sensors->name[1], "tibia_r_imu");
    check_near(sensors->rate, 50, 1e-9);
    check_near(sensors->turn[1].x, 0.8, 1e-15);
    check_near(sensors->turn[2].x, 1, 0);
    check_near(sensors->turn[3].w, 0, 0); /* missing */
    assert_false(sensors->has_acceleration);
    check_vec3_near(sensors->up, snw_vec3_make(0, 0, 1), 0);
    snw_inertial_destroy(sensors);
}

static void xsens_says_accelerations_in_the_world(void **state)
{
    (void)state;
    /* Turned by 90 degrees about x: the sensor's y is up. It rises with 1 m/s2. */
    snw_inertial *sensors = read_well(
        "<?xml version=\"1.0\"?><mvnx><subject frameRate=\"60\"><segments><segment "
        "label=\"Pelvis\" "
        "id=\"1\"/><segment id=\"2\" label=\"T8\"/></segments><frames><frame type=\"identity\">"
        "<orientation>1 0 0 0 1 0 0 0</orientation></frame><frame time=\"0\" type=\"normal\">"
        "<orientation>0.70710678118 0.70710678118 0 0 1 0 0 0</orientation>"
        "<acceleration>0 0 1 0 0 0</acceleration></frame></frames></subject></mvnx>");
    assert_int_equal(sensors->sensor_count, 2);
    assert_int_equal(sensors->frame_count, 1);
    assert_true(sensors->has_acceleration);
    check_near(sensors->rate, 60, 0);
    check_vec3_near(sensors->acceleration[0], snw_vec3_make(0, 10.81, 0), 1e-9);
    check_vec3_near(sensors->acceleration[1], snw_vec3_make(0, 0, 9.81), 1e-9);
    snw_inertial_destroy(sensors);
}

static void csv_comes_back_and_gravity_says_what_is_up(void **state)
{
    (void)state;
    const char *const names[] = {"pelvis", "left thigh"};
    snw_inertial *sensors = NULL, *again = NULL;
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_random random = snw_random_seed(4, 0);
    assert_int_equal(snw_inertial_create(names, 2, 9, NULL, &sensors, NULL), SNW_OK);
    sensors->rate = 120;
    sensors->has_acceleration = true;
    for (int n = 0; n < 18; n++) {
        sensors->turn[n] = snw_random_rotation(&random);
        sensors->acceleration[n] =
            snw_quat_unrotate(sensors->turn[n], snw_vec3_make(0.1, -9.7, 0.2));
    }
    assert_int_equal(snw_write_inertial(sensors, &sink, NULL), SNW_OK);
    char *text = calloc(1, bytes.size + 1);
    memcpy(text, bytes.bytes, bytes.size);
    again = read_well(text);
    check_near(again->rate, 120, 1e-9);
    assert_string_equal(again->name[1], "left_thigh");
    check_vec3_near(again->up, snw_vec3_make(0, -1, 0), 0);
    for (int n = 0; n < 18; n++) {
        check_quat_near(again->turn[n], sensors->turn[n], 1e-6); /* seven decimals */
        check_vec3_near(again->acceleration[n], sensors->acceleration[n], 1e-4);
    }
    free(text);
    snw_memory_sink_release(&bytes);
    snw_inertial_destroy(again);
    snw_inertial_destroy(sensors);
}

static void what_is_wrong_in_a_file_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "no sensors"},
        {"time,a,b\n0,1,2\n", "no sensors"},
        {"DataType=double\nendheader\ntime\ta\n0\t1\n", "DataType=Quaternion"},
        {"DataType=Quaternion\nendheader\na\tb\n", "must start with \"time\""},
        {"DataType=Quaternion\nendheader\ntime\ta\ta\n", "two columns are called a"},
        {"DataType=Quaternion\nendheader\ntime\ta\n0\t1,0,0\n", "has not four numbers"},
        {"DataType=Quaternion\nendheader\ntime\ta\n0\t3,0,0,0\n", "length 3, not 1"},
        {"DataType=Quaternion\nendheader\ntime\ta\n0\n", "ends before a"},
        {"DataType=Quaternion\nendheader\ntime\ta\n0\t1,0,0,0\n", "there is no rate"},
        {"time,a_qw,a_qx,a_qy,a_qz\n0,1,0,0\n", "has 4 of 5 columns"},
        {"time,a_qw,a_qx,a_qy,a_qz\n0,1,0,x,0\n", "\"x\" is no number"},
        {"time,a_qw,a_qx,a_qy,a_qz,a_ax,a_ay,a_az\n0,1,0,0,0,0,0,1\n1,1,0,0,0,0,0,1\n",
         "where gravity is 9.81"},
        {"<mvnx></mvnx>", "no segments or no frames"},
        {"<mvnx><segment label=\"A\"/><frame type=\"normal\"><orientation>1 0</orientation>",
         "has not the turns"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        snw_inertial *sensors = NULL;
        snw_error error;
        assert_int_not_equal(read_text(bad[n].text, &sensors, &error), SNW_OK);
        assert_null(sensors);
        if (strstr(error.message, bad[n].says)) continue;
        print_error("%s does not say %s\n", error.message, bad[n].says);
        fail();
    }
}

/* ---- bodies --------------------------------------------------------------------------------- */

typedef struct ride {
    snw_skeleton *body;
    snw_inertial *sensors;
    snw_motion *truth;
    snw_inertial_sensor told[SNW_INERTIAL_MAX];
} ride;

static void ride_along(ride *out, snw_synth_motion_kind motion, double seconds,
                       const snw_synth_sensor_options *how)
{
    snw_synth_options options = snw_synth_options_default();
    snw_motion *moved = NULL;
    memset(out, 0, sizeof *out);
    options.motion = motion;
    options.seconds = seconds;
    options.rate = 100;
    assert_int_equal(snw_preset_create("humanoid", NULL, &out->body, NULL), SNW_OK);
    assert_int_equal(snw_synth_motion_create(out->body, &options, NULL, &moved, NULL), SNW_OK);
    assert_int_equal(snw_synth_sensors(moved, how, NULL, &out->sensors, &out->truth, NULL), SNW_OK);
    assert_int_equal(out->sensors->sensor_count, 17);
    snw_motion_destroy(moved);
}

static void get_off(ride *at)
{
    snw_motion_destroy(at->truth);
    snw_inertial_destroy(at->sensors);
    snw_skeleton_destroy(at->body);
}

/* Rms angle of the segments with sensors from the truth, degrees, after one heading for all where
 * nothing says where the world's x is; of frames and joints that `seen` does not show, where given.
 */
static double error_of(const ride *at, const snw_motion *motion, bool has_heading,
                       const uint8_t *seen)
{
    snw_pose *p = NULL, *q = NULL;
    const snw_vec3 up = {0, 0, 1};
    double east = 0, north = 0, sum = 0;
    int count = 0;
    assert_int_equal(snw_pose_create(at->body, NULL, &p, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(at->body, NULL, &q, NULL), SNW_OK);
    for (int pass = has_heading; pass < 2; pass++) {
        double angle = has_heading ? 0 : atan2(north, east);
        for (int f = 0; f < motion->frame_count; f += 7) {
            snw_motion_get(at->truth, f, p);
            snw_pose_forward(p);
            snw_motion_get(motion, f, q);
            snw_pose_forward(q);
            for (int s = 0; s < at->sensors->sensor_count; s++) {
                int j = at->told[s].joint;
                snw_quat off =
                    snw_quat_mul(p->world[j].rotation, snw_quat_conjugate(q->world[j].rotation));
                double heading = snw_quat_twist_angle(off, up);
                east += pass ? 0 : cos(heading), north += pass ? 0 : sin(heading);
                if (!pass || (seen && seen[f * at->body->joint_count + j])) continue;
                double left = snw_vec3_length(
                    snw_quat_log(snw_quat_mul(off, snw_quat_from_axis_angle(up, -angle))));
                sum += left * left;
                count++;
            }
        }
    }
    snw_pose_destroy(p);
    snw_pose_destroy(q);
    return snw_degrees(sqrt(sum / count));
}

static snw_motion *solve_ride(ride *at, bool keeps_headings)
{
    snw_inertial_options options = snw_inertial_options_default();
    snw_motion *motion = NULL;
    options.sensor = at->told;
    options.keeps_headings = keeps_headings;
    assert_int_equal(snw_inertial_solve(at->sensors, at->body, &options, NULL, &motion, NULL),
                     SNW_OK);
    return motion;
}

static void perfect_sensors_give_the_motion(void **state)
{
    (void)state;
    snw_synth_sensor_options how = snw_synth_sensor_options_default();
    how.gyro_noise = how.gyro_bias = how.acceleration_noise = how.acceleration_bias = 0;
    how.magnetic_trouble = 0;
    ride run;
    ride_along(&run, SNW_SYNTH_WALK, 10, &how);
    snw_motion *motion = solve_ride(&run, true);
    /* What their filter takes for up while they are accelerated: about a degree. */
    double off = error_of(&run, motion, false, NULL);
    if (!(off < 3)) print_error("%.2f degrees\n", off);
    assert_true(off < 3);
    for (int s = 0; s < 17; s++)
        assert_true(run.told[s].joint >= 0);
    snw_motion_destroy(motion);
    get_off(&run);
}

/* A minute with norths that are 17 degrees off (rms) from place to place. */
static void headings_are_put_right_by_what_neighbours_feel(void **state)
{
    (void)state;
    static const struct {
        snw_synth_motion_kind motion;
        double most; /* degrees: 1.15 times what was measured */
    } rows[] = {{SNW_SYNTH_WALK, 6.5}, {SNW_SYNTH_RUN, 4}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        ride run;
        ride_along(&run, rows[n].motion, 60, NULL);
        snw_motion *kept = solve_ride(&run, true), *put = solve_ride(&run, false);
        double before = error_of(&run, kept, false, NULL), after = error_of(&run, put, false, NULL);
        if (!(after < rows[n].most && after < 0.5 * before))
            print_error("%s: %.2f degrees, with headings as they are %.2f\n",
                        snw_synth_motion_name(rows[n].motion), after, before);
        assert_true(after < rows[n].most && after < 0.5 * before);
        snw_motion_destroy(put);
        snw_motion_destroy(kept);
        get_off(&run);
    }
}

/* Markers with a degree of noise, arms hidden for two seconds of ten: both together are nowhere
 * worse than either. */
static void together_is_better_than_either(void **state)
{
    (void)state;
    static const snw_synth_motion_kind motions[] = {SNW_SYNTH_WALK, SNW_SYNTH_DANCE,
                                                    SNW_SYNTH_BOXING};
    for (size_t n = 0; n < 3; n++) {
        ride run;
        ride_along(&run, motions[n], 27, NULL);
        int frames = run.truth->frame_count, joints = run.body->joint_count;
        uint8_t *seen = calloc((size_t)frames * (size_t)joints, 1);
        snw_random random = snw_random_seed(5, n);
        snw_motion *markers = NULL, *both = NULL, *alone = solve_ride(&run, false);
        snw_pose *pose = NULL, *held = NULL;
        snw_pose_create(run.body, NULL, &pose, NULL);
        snw_pose_create(run.body, NULL, &held, NULL);
        snw_motion_create(run.body, frames, run.truth->rate, NULL, &markers, NULL);
        for (int f = 0; f < frames; f++) {
            snw_motion_get(run.truth, f, pose);
            for (int j = 0; j < joints; j++) {
                snw_part part = snw_rig_part_of(run.body, j, NULL);
                bool is_arm =
                    part == SNW_PART_ARM || part == SNW_PART_FOREARM || part == SNW_PART_HAND;
                bool is_gone = is_arm && f / 100 % 10 >= 6 && f / 100 % 10 < 8;
                if (is_gone)
                    pose->rotation[j] = held->rotation[j];
                else
                    held->rotation[j] = pose->rotation[j];
                seen[f * joints + j] = !is_gone;
                snw_vec3 noise = random_gaussian(&random, 0.02);
                pose->rotation[j] = snw_quat_mul(pose->rotation[j], snw_quat_exp(noise));
            }
            snw_motion_set(markers, f, pose);
        }
        snw_inertial_options options = snw_inertial_options_default();
        options.is_seen = seen;
        assert_int_equal(snw_inertial_fuse(run.sensors, markers, &options, NULL, &both, NULL),
                         SNW_OK);
        for (int hidden = 0; hidden < 2; hidden++) {
            const uint8_t *which = hidden ? seen : NULL;
            double of_both = error_of(&run, both, true, which),
                   of_markers = error_of(&run, markers, true, which),
                   of_sensors = error_of(&run, alone, false, which);
            if (!(of_both < of_markers && of_both < of_sensors && of_both < 3))
                print_error("%s %s: %.2f, markers %.2f, sensors %.2f degrees\n",
                            snw_synth_motion_name(motions[n]), hidden ? "hidden" : "all", of_both,
                            of_markers, of_sensors);
            assert_true(of_both < of_markers && of_both < of_sensors && of_both < 3);
        }
        free(seen);
        snw_pose_destroy(held);
        snw_pose_destroy(pose);
        snw_motion_destroy(both);
        snw_motion_destroy(alone);
        snw_motion_destroy(markers);
        get_off(&run);
    }
}

/* ---- names and refusals --------------------------------------------------------------------- */

static void names_of_several_programs_are_segments(void **state)
{
    (void)state;
    static const char *const names[] = {"pelvis_imu", "femur_r_imu", "LeftLowerLeg",
                                        "T8",         "nothing",     "pelvis"};
    static const char *const joints[] = {"pelvis", "right_hip", "left_knee", "chest", NULL, NULL};
    snw_inertial *sensors = NULL;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_inertial_sensor told[6];
    snw_notes notes = snw_notes_none();
    snw_inertial_options options = snw_inertial_options_default();
    options.sensor = told;
    options.notes = &notes;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_inertial_create(names, 6, 3, NULL, &sensors, NULL), SNW_OK);
    sensors->rate = 100;
    for (int n = 0; n < 18; n++)
        sensors->turn[n] = snw_quat_identity();
    assert_int_equal(snw_inertial_solve(sensors, body, &options, NULL, &motion, NULL), SNW_OK);
    for (int s = 0; s < 6; s++)
        assert_int_equal(told[s].joint, joints[s] ? snw_skeleton_find_joint(body, joints[s]) : -1);
    assert_int_equal(notes.count, 3); /* two left out, and no knee bends */
    snw_motion_destroy(motion);
    /* Missing in the pose; no names; rates that differ. */
    snw_error error;
    memset(sensors->turn, 0, 18 * sizeof *sensors->turn);
    assert_int_equal(snw_inertial_solve(sensors, body, NULL, NULL, &motion, &error),
                     SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "pelvis_imu"));
    snw_inertial_destroy(sensors);
    assert_int_equal(snw_inertial_create(names + 4, 1, 3, NULL, &sensors, NULL), SNW_OK);
    sensors->rate = 100;
    assert_int_equal(snw_inertial_solve(sensors, body, NULL, NULL, &motion, &error), SNW_NOT_FOUND);
    snw_motion *other = NULL;
    assert_int_equal(snw_motion_create(body, 1, 99, NULL, &other, NULL), SNW_OK);
    assert_int_equal(snw_inertial_fuse(sensors, other, NULL, NULL, &motion, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "resample"));
    assert_null(motion);
    snw_motion_destroy(other);
    snw_inertial_destroy(sensors);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_storage_of_quaternions_is_read),
        cmocka_unit_test(xsens_says_accelerations_in_the_world),
        cmocka_unit_test(csv_comes_back_and_gravity_says_what_is_up),
        cmocka_unit_test(what_is_wrong_in_a_file_is_said),
        cmocka_unit_test(perfect_sensors_give_the_motion),
        cmocka_unit_test(headings_are_put_right_by_what_neighbours_feel),
        cmocka_unit_test(together_is_better_than_either),
        cmocka_unit_test(names_of_several_programs_are_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

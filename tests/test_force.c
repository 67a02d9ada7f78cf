/* Force plates: raw channels made from a known force at a known point come back as that. */
#include "check.h"

/* What the foot gets, in the plate's axes (z down): force, place on the surface, free moment. */
static const double plate_force[3] = {12, -35, -700};
static const double plate_place[2] = {0.06, -0.11};
static const double plate_turn = 3.5;

static void set_numbers(snw_trial *trial, const char *name, snw_parameter_type type, int rows,
                        int columns, const double *value)
{
    float numbers[64];
    int16_t integers[64];
    int8_t bytes[64];
    char label[32];
    snw_parameter parameter;
    snw_error error;
    int count = rows * columns;
    memset(&parameter, 0, sizeof parameter);
    for (int n = 0; n < count; n++) {
        numbers[n] = (float)value[n];
        integers[n] = (int16_t)value[n];
        bytes[n] = (int8_t)value[n];
    }
    snprintf(label, sizeof label, "%s", name);
    parameter.name = label;
    parameter.type = type;
    parameter.dimension_count = 2;
    parameter.dimension[0] = (uint8_t)rows;
    parameter.dimension[1] = (uint8_t)columns;
    parameter.byte_count = (size_t)count * (size_t)type; /* a type is called by its size */
    parameter.data = type == SNW_PARAMETER_FLOAT   ? (void *)numbers
                     : type == SNW_PARAMETER_INT16 ? (void *)integers
                                                   : (void *)bytes;
    assert_int_equal(snw_trial_set_parameter(trial, "FORCE_PLATFORM", &parameter, &error), SNW_OK);
}

/* A plate of 0.4 x 0.6 m turned by 30 degrees about the vertical; the corners as C3D wants them. */
static snw_xform lay_plate(double corner[12])
{
    static const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    snw_quat down = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), SNW_PI);
    snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), SNW_PI / 6);
    snw_xform plate = snw_xform_make(snw_quat_mul(turn, down), snw_vec3_make(0.7, -0.2, 0));
    for (int c = 0; c < 4; c++) {
        snw_vec3 at = snw_xform_point(plate, snw_vec3_make(0.2 * sign[c][0], 0.3 * sign[c][1], 0));
        corner[3 * c] = 1000 * at.x;
        corner[3 * c + 1] = 1000 * at.y;
        corner[3 * c + 2] = 1000 * at.z;
    }
    return plate;
}

/* Channels of each type from the wrench, by the format's own definitions, newtons and mm. */
static void raw_channels(int type, const double origin[3], double out[8])
{
    const double *f = plate_force;
    double px = 1000 * plate_place[0], py = 1000 * plate_place[1], tz = 1000 * plate_turn;
    /* About the middle of the surface, then about the sensors' origin: r x F more. */
    double m[3] = {py * f[2], -px * f[2], tz + px * f[1] - py * f[0]};
    memcpy(out, f, 3 * sizeof *f);
    if (type == 1) {
        out[3] = px;
        out[4] = py;
        out[5] = tz;
        return;
    }
    double rx = type == 3 ? 0 : origin[0], ry = type == 3 ? 0 : origin[1], rz = origin[2];
    m[0] += ry * f[2] - rz * f[1];
    m[1] += rz * f[0] - rx * f[2];
    m[2] += rx * f[1] - ry * f[0];
    memcpy(out + 3, m, sizeof m);
    if (type == 4) /* the matrix doubles every channel and takes a tenth of Fx to Mz */
        for (int c = 5; c >= 0; c--)
            out[c] = (out[c] - (c == 5 ? 0.1 * f[0] : 0)) / 2;
    if (type != 3) return;
    double a = origin[0], b = origin[1];
    /* Four vertical sensors with a given sum and two moments: the even solution. */
    double s = f[2] / 4, x = m[0] / (4 * b), y = m[1] / (4 * a);
    double fx = m[2] / (2 * b), sensors[8] = {f[0] / 2 - fx, f[0] / 2 + fx, f[1] / 2,  f[1] / 2,
                                              s + x - y,     s + x + y,     s - x + y, s - x - y};
    memcpy(out, sensors, sizeof sensors);
}

static snw_trial *make_trial(int type, double origin_sign, snw_xform *plate)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    double corner[12], raw[8] = {0}, channel[8], matrix[36] = {0};
    double origin[3] = {type == 3 ? 120 : 2.5, type == 3 ? 200 : -1.5, -41};
    double used = 1, kind = type, zero[2] = {1, 1};
    options.frame_count = 2;
    options.analog_count = 8;
    options.analog_per_frame = 3;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    trial->up = SNW_UP_Z;
    *plate = lay_plate(corner);
    raw_channels(type, origin, raw);
    for (int f = 1; f < 2; f++)
        for (int s = 0; s < 3; s++)
            for (int c = 0; c < 8; c++)
                trial->analog[(f * 3 + s) * 8 + c] = (float)raw[c];
    for (int c = 0; c < 8; c++)
        channel[c] = c + 1;
    for (int n = 0; n < 6; n++)
        matrix[7 * n] = 2;
    matrix[6 * 0 + 5] = 0.2; /* column of Fx, row of Mz */
    for (int n = 0; n < 3; n++)
        origin[n] *= type == 3 && n < 2 ? 1 : origin_sign;
    set_numbers(trial, "USED", SNW_PARAMETER_INT16, 1, 1, &used);
    set_numbers(trial, "TYPE", SNW_PARAMETER_INT16, 1, 1, &kind);
    set_numbers(trial, "ZERO", SNW_PARAMETER_INT16, 2, 1, zero);
    set_numbers(trial, "CORNERS", SNW_PARAMETER_FLOAT, 12, 1, corner);
    set_numbers(trial, "ORIGIN", SNW_PARAMETER_FLOAT, 3, 1, origin);
    set_numbers(trial, "CHANNEL", SNW_PARAMETER_INT16, type == 3 ? 8 : 6, 1, channel);
    if (type == 4) set_numbers(trial, "CAL_MATRIX", SNW_PARAMETER_FLOAT, 6, 6, matrix);
    return trial;
}

/* Raw values are floats: 700 N to 6e-5, so the bound is 2e-4 N and 1e-6 m. */
static void every_type_gives_the_force_back(void **state)
{
    (void)state;
    for (int type = 1; type <= 4; type++)
        for (int sign = -1; sign <= 1; sign += 2) {
            snw_xform at;
            snw_trial *trial = make_trial(type, sign, &at);
            snw_force_plate plate;
            snw_notes notes = snw_notes_none();
            snw_error error;
            assert_int_equal(snw_force_plate_count(trial), 1);
            assert_int_equal(snw_force_plate_read(trial, 0, &plate, &notes, &error), SNW_OK);
            assert_int_equal(notes.count, type != 1 && sign < 0);
            snw_wrench wrench = snw_force_plate_wrench(&plate, trial, 1, 2);
            snw_vec3 force = {plate_force[0], plate_force[1], plate_force[2]};
            check_vec3_near(wrench.force, snw_quat_rotate(at.rotation, force), 2e-4);
            assert_true(wrench.force.z > 699); /* upwards on the foot */
            assert_true(wrench.has_center);
            check_vec3_near(wrench.center,
                            snw_xform_point(at, snw_vec3_make(plate_place[0], plate_place[1], 0)),
                            1e-6);
            check_vec3_near(wrench.free_moment,
                            snw_quat_rotate(at.rotation, snw_vec3_make(0, 0, plate_turn)), 1e-4);
            snw_wrench idle = snw_force_plate_wrench(&plate, trial, 0, 0);
            assert_false(idle.has_center);
            check_vec3_near(idle.center, at.translation, 1e-6);
            snw_trial_destroy(trial);
        }
}

static void zero_frames_are_taken_off_when_asked(void **state)
{
    (void)state;
    snw_xform at;
    snw_trial *trial = make_trial(2, 1, &at);
    snw_force_plate plate;
    snw_error error;
    for (int n = 0; n < 6; n++) /* 5 N on Fz everywhere */
        trial->analog[n * 8 + 2] += 5;
    assert_int_equal(snw_force_plate_read(trial, 0, &plate, NULL, &error), SNW_OK);
    check_near(snw_force_plate_wrench(&plate, trial, 0, 0).force.z, -5, 1e-5);
    assert_int_equal(snw_force_plate_zero(&plate, trial), 1);
    check_near(snw_force_plate_wrench(&plate, trial, 0, 0).force.z, 0, 1e-9);
    check_near(snw_force_plate_wrench(&plate, trial, 1, 0).force.z, 700, 2e-4);
    snw_trial_destroy(trial);
}

static void broken_parameters_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
        snw_status status;
        const char *says;
    } row[] = {{"TYPE", 7, SNW_UNSUPPORTED, "type 7"},
               {"CHANNEL", 99, SNW_FORMAT, "channel 1"},
               {"CORNERS", 1, SNW_FORMAT, "corners"}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_xform at;
        snw_trial *trial = make_trial(2, 1, &at);
        snw_force_plate plate;
        snw_error error;
        set_numbers(trial, row[n].name, SNW_PARAMETER_INT16, 1, 1, &row[n].value);
        assert_int_equal(snw_force_plate_read(trial, 0, &plate, NULL, &error), row[n].status);
        assert_non_null(strstr(error.message, row[n].says));
        assert_int_equal(snw_force_plate_read(trial, 1, &plate, NULL, &error), SNW_NOT_FOUND);
        snw_trial_destroy(trial);
    }
}

/* A surface needs corners that are not in line; a type 4 plate its matrix; and what has no number
 * is no plate. */
static void a_plate_without_its_numbers_is_refused(void **state)
{
    (void)state;
    const double in_line[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}, same[12] = {0}, none = 0;
    const double two = 2, negative[6] = {1, 2, 3, 4, 5, -6};
    snw_xform at;
    snw_force_plate plate;
    snw_error error;
    for (int n = 0; n < 6; n++) {
        snw_trial *trial = make_trial(n == 3 ? 4 : 2, 1, &at);
        if (n == 0) set_numbers(trial, "CORNERS", SNW_PARAMETER_FLOAT, 12, 1, in_line);
        if (n == 1) set_numbers(trial, "CORNERS", SNW_PARAMETER_FLOAT, 12, 1, same);
        if (n == 2) set_numbers(trial, "CHANNEL", SNW_PARAMETER_INT16, 6, 1, negative);
        if (n == 3) set_numbers(trial, "CAL_MATRIX", SNW_PARAMETER_FLOAT, 1, 1, &none);
        if (n == 4) set_numbers(trial, "USED", SNW_PARAMETER_INT16, 1, 1, &none);
        if (n == 5) set_numbers(trial, "USED", SNW_PARAMETER_INT16, 1, 1, &two);
        assert_int_equal(snw_force_plate_count(trial), n != 4); /* USED 2 has one TYPE */
        snw_status expected = n == 4 ? SNW_NOT_FOUND : n == 5 ? SNW_OK : SNW_FORMAT;
        assert_int_equal(snw_force_plate_read(trial, 0, &plate, NULL, &error), expected);
        assert_int_equal(snw_force_plate_read(trial, -1, &plate, NULL, &error), SNW_NOT_FOUND);
        snw_trial_destroy(trial);
    }
}

/* Numbers of one byte, and a plate whose origin nobody wrote: its sensors are in the surface. */
static void small_numbers_and_no_origin_are_taken(void **state)
{
    (void)state;
    const double channel[6] = {1, 2, 3, 4, 5, 6}, nowhere[1] = {0}, surface[3] = {0, 0, 0};
    snw_xform at;
    snw_trial *given = make_trial(2, 1, &at), *less = make_trial(2, 1, &at);
    snw_force_plate a, b;
    snw_error error;
    set_numbers(given, "ORIGIN", SNW_PARAMETER_FLOAT, 3, 1, surface);
    set_numbers(less, "ORIGIN", SNW_PARAMETER_FLOAT, 1, 1, nowhere);
    set_numbers(less, "CHANNEL", SNW_PARAMETER_BYTE, 6, 1, channel);
    assert_int_equal(snw_force_plate_read(given, 0, &a, NULL, &error), SNW_OK);
    assert_int_equal(snw_force_plate_read(less, 0, &b, NULL, &error), SNW_OK);
    snw_wrench first = snw_force_plate_wrench(&a, given, 1, 0);
    snw_wrench second = snw_force_plate_wrench(&b, less, 1, 0);
    check_vec3_near(second.center, first.center, 0);
    check_vec3_near(second.moment, first.moment, 0);
    snw_trial_destroy(given);
    snw_trial_destroy(less);
}

/* Frames that are not there, and samples that are not finite, weigh nothing; nor are they taken for
 * the zero. */
static void what_is_not_finite_weighs_nothing(void **state)
{
    (void)state;
    static const int off[][2] = {{-1, 0}, {2, 0}, {0, -1}, {0, 3}};
    const double zeros[][2] = {{0, 1}, {2, 1}, {5, 6}, {1, 99}};
    const int taken[] = {0, 0, 0, 2};
    snw_xform at;
    snw_trial *trial = make_trial(2, 1, &at);
    snw_force_plate plate;
    snw_error error;
    assert_int_equal(snw_force_plate_read(trial, 0, &plate, NULL, &error), SNW_OK);
    for (size_t n = 0; n < 4; n++) {
        snw_wrench wrench = snw_force_plate_wrench(&plate, trial, off[n][0], off[n][1]);
        check_vec3_near(wrench.force, snw_vec3_make(0, 0, 0), 0);
        assert_false(wrench.has_center);
        set_numbers(trial, "ZERO", SNW_PARAMETER_INT16, 2, 1, zeros[n]);
        assert_int_equal(snw_force_plate_zero(&plate, trial), taken[n]);
    }
    for (int channel = 2; channel < 6; channel += 3) { /* of the force, of the moment */
        float kept = trial->analog[3 * 8 + channel];
        trial->analog[3 * 8 + channel] = NAN;
        assert_int_equal(snw_force_plate_zero(&plate, trial), 0);
        check_vec3_near(snw_force_plate_wrench(&plate, trial, 1, 0).force, snw_vec3_make(0, 0, 0),
                        0);
        assert_true(snw_vec3_length(snw_force_plate_wrench(&plate, trial, 1, 1).force) > 600);
        trial->analog[3 * 8 + channel] = kept;
    }
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_gives_the_force_back),
        cmocka_unit_test(zero_frames_are_taken_off_when_asked),
        cmocka_unit_test(broken_parameters_are_named),
        cmocka_unit_test(a_plate_without_its_numbers_is_refused),
        cmocka_unit_test(small_numbers_and_no_origin_are_taken),
        cmocka_unit_test(what_is_not_finite_weighs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

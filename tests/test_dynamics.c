/* sinew/dynamics.h against closed forms, and on a walk over force plates that carries
 * Plug-in-Gait's own moments. */
#include "check.h"

#include <sinew/dynamics.h>

static const snw_vec3 gravity = {0, 0, -9.80665};

/* Newtons and newton metres of a body of a few kilograms: round-off alone. */
#define EXACT 1e-9

static snw_moving_segment make_shank(void)
{
    snw_moving_segment shank = {.mass = 3.5,
                                .inertia = {0.05, 0.06, 0.008},
                                .rotation = snw_quat_from_axis_angle(snw_vec3_make(1, 2, 3), 0.7),
                                .center = {0.1, 0.2, 0.3}};
    return shank;
}

static void who_falls_freely_has_no_load_in_a_joint(void **state)
{
    (void)state;
    snw_moving_segment shank = make_shank();
    shank.acceleration = gravity;
    snw_load load = snw_segment_balance(&shank, NULL, 0, gravity, snw_vec3_make(0.1, 0.2, 0.7));
    check_vec3_near(load.force, snw_vec3_make(0, 0, 0), EXACT);
    check_vec3_near(load.moment, snw_vec3_make(0, 0, 0), EXACT);
}

/* Turning freely about an axis that is none of its own, a body changes its spin by Euler's
 * equations without any moment: I a = -w x I w. */
static void who_tumbles_freely_needs_no_moment(void **state)
{
    (void)state;
    snw_moving_segment shank = make_shank();
    shank.acceleration = gravity;
    const double *i = shank.inertia;
    snw_vec3 w = {2, -3, 1.5};
    snw_vec3 a = {(i[1] - i[2]) / i[0] * w.y * w.z, (i[2] - i[0]) / i[1] * w.z * w.x,
                  (i[0] - i[1]) / i[2] * w.x * w.y};
    shank.spin = snw_quat_rotate(shank.rotation, w);
    shank.spin_rate = snw_quat_rotate(shank.rotation, a);
    snw_load load = snw_segment_balance(&shank, NULL, 0, gravity, snw_vec3_make(1, 2, 3));
    check_vec3_near(load.force, snw_vec3_make(0, 0, 0), EXACT);
    check_vec3_near(load.moment, snw_vec3_make(0, 0, 0), EXACT);
}

/* A pendulum that swings by itself has no moment at its pivot, and there the force m (l w^2 + g
 * cos) along the rod and m (l a + g sin) across, with (I + m l^2) a = -m g l sin. */
static void a_pendulum_has_no_moment_at_its_pivot(void **state)
{
    (void)state;
    const double length = 0.4, mass = 3.5, inertia = 0.06, g = -gravity.z;
    for (int n = 0; n < 12; n++) {
        double angle = 0.25 * n - 1.4, speed = 0.3 * n;
        double pull = -mass * g * length * sin(angle) / (inertia + mass * length * length);
        snw_vec3 rod = {-sin(angle), 0, -cos(angle)}, across = {-cos(angle), 0, sin(angle)};
        snw_moving_segment bob = {.mass = mass,
                                  .inertia = {0.05, inertia, 0.008},
                                  .rotation =
                                      snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), angle)};
        snw_vec3 pivot = {0.3, -0.2, 1};
        bob.center = snw_vec3_add_scaled(pivot, length, rod);
        bob.spin = snw_vec3_make(0, speed, 0);
        bob.spin_rate = snw_vec3_make(0, pull, 0);
        bob.acceleration = snw_vec3_add(snw_vec3_scale(across, length * pull),
                                        snw_vec3_scale(rod, -length * speed * speed));
        snw_load load = snw_segment_balance(&bob, NULL, 0, gravity, pivot);
        check_vec3_near(load.moment, snw_vec3_make(0, 0, 0), EXACT);
        check_near(snw_vec3_dot(load.force, rod), -mass * (length * speed * speed + g * cos(angle)),
                   EXACT);
        check_near(snw_vec3_dot(load.force, across), mass * (length * pull + g * sin(angle)),
                   EXACT);
    }
}

/* Half of 70 kg on each foot, 30 mm before the ankle: the foot's load comes up through the leg,
 * less what hangs below each joint, and the ankle holds force times arm. */
static void a_standing_person_carries_what_is_above(void **state)
{
    (void)state;
    const double g = -gravity.z, mass[3] = {1.0, 3.3, 7.0}, half = 35;
    const double height[4] = {0.1, 0.5, 0.9, 0};
    snw_load load = {{0.03, 0, 0}, {0, 0, half * g}, {0, 0, 0}};
    double below = 0;
    for (int n = 0; n < 3; n++) {
        snw_vec3 joint = {0, 0, height[n]};
        snw_moving_segment segment = {.mass = mass[n],
                                      .inertia = {0.1, 0.1, 0.01},
                                      .rotation = snw_quat_identity(),
                                      .center = {0, 0, height[n] - 0.05}};
        snw_load up = snw_segment_balance(&segment, &load, 1, gravity, joint);
        below += mass[n];
        check_vec3_near(up.force, snw_vec3_make(0, 0, -(half - below) * g), EXACT);
        /* what is above must hold the arm of 30 mm: plantar flexion, +y */
        check_vec3_near(up.moment, snw_vec3_make(0, 0.03 * half * g, 0), EXACT);
        load.point = up.point;
        load.force = snw_vec3_neg(up.force);
        load.moment = snw_vec3_neg(up.moment);
    }
}

/* ---- a walk ---------------------------------------------------------------------------------- */

static snw_trial *read_corpus(const char *name)
{
    char path[1024];
    snw_trial *trial = NULL;
    snprintf(path, sizeof path, "%s/%s", corpus_folder(), name);
    assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL), SNW_OK);
    snw_trial_drop_zeros(trial, NULL);
    return trial;
}

/* From the strike on the plate to the next there is a whole cycle, and the floor carries the body:
 * its force is upwards, about a body's weight at its most, and none in swing. */
static void cycle_is_told(const snw_kinetics *kinetics, const snw_trial *trial)
{
    snw_gait_events *events = NULL;
    snw_strides *strides = NULL;
    snw_cycle cycle;
    const snw_angles *columns = &kinetics->columns;
    assert_int_equal(snw_gait_events_find(trial, NULL, NULL, &events, NULL, NULL), SNW_OK);
    assert_int_equal(snw_strides_measure(trial, events, NULL, &strides, NULL), SNW_OK);
    snw_cycle_mean(columns, snw_kinetics_find(kinetics, "left_hip_moment_extension"), strides,
                   SNW_SIDE_LEFT, &cycle);
    assert_true(cycle.count >= 1);
    snw_cycle_mean(columns, snw_kinetics_find(kinetics, "left_ground_force_z"), strides,
                   SNW_SIDE_LEFT, &cycle);
    assert_true(cycle.count >= 1);
    double most = 0;
    for (int p = 0; p < SNW_CYCLE_POINTS; p++)
        most = fmax(most, cycle.mean[p]);
    assert_true(most > 0.9 * 9.81 && most < 1.6 * 9.81); /* walking: 1.0 to 1.4 body weights */
    check_near(cycle.mean[85], 0, 1e-12);
    /* braked first, pushed forward later */
    snw_cycle_mean(columns, snw_kinetics_find(kinetics, "left_ground_force_x"), strides,
                   SNW_SIDE_LEFT, &cycle);
    assert_true(cycle.mean[12] < 0 && cycle.mean[50] > 0);
    snw_strides_destroy(strides);
    snw_gait_events_destroy(events);
}

/* rms difference to a number of the file's point over that number's range. */
static double off_by(const snw_kinetics *kinetics, const snw_trial *trial, const char *column,
                     const char *point, int part, double scale)
{
    int c = snw_kinetics_find(kinetics, column), m = snw_trial_find_marker(trial, point), count = 0;
    double sum = 0, low = INFINITY, high = -INFINITY;
    assert_true(c >= 0 && m >= 0);
    for (int f = 0; f < trial->frame_count; f++) {
        const snw_sample *s = trial->sample + (size_t)f * (size_t)trial->marker_count + m;
        double own = (part ? s->z : s->x) / scale, ours = snw_angles_at(&kinetics->columns, f, c);
        if (own == 0 || !isfinite(own) || !isfinite(ours)) continue;
        sum += (ours - own) * (ours - own);
        low = fmin(low, own);
        high = fmax(high, own);
        count++;
    }
    assert_true(count > 100);
    return sqrt(sum / count) / (high - low);
}

static void moments_and_powers_are_near_plug_in_gaits(void **state)
{
    (void)state;
    static const char *const file[2] = {"c3d_gait/pig_full_walk.c3d",
                                        "c3d_producers/vicon_nexus_CGM24_walk.c3d"};
    for (int n = 0; n < 2; n++) {
        snw_trial *trial = read_corpus(file[n]);
        snw_gait_model model;
        snw_kinetics *kinetics = NULL;
        char name[3][64];
        int at = 0;
        while (at < trial->marker_count && !strstr(trial->marker[at].name, "LHipMoment"))
            at++;
        assert_true(at < trial->marker_count);
        int actor = (int)(strstr(trial->marker[at].name, "LHipMoment") - trial->marker[at].name);
        static const char *const own[3] = {"LHipMoment", "LKneeMoment", "LAnklePower"};
        for (int k = 0; k < 3; k++)
            snprintf(name[k], sizeof name[k], "%.*s%s", actor, trial->marker[at].name, own[k]);
        assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL), SNW_OK);
        assert_int_equal(snw_kinetics_measure(trial, &model, NULL, NULL, &kinetics, NULL), SNW_OK);
        /* measured: 0.044 and 0.037, 0.049 and 0.043, 0.008 and 0.011 */
        check_near(off_by(kinetics, trial, "left_hip_moment_extension", name[0], 0, 1000), 0, 0.06);
        check_near(off_by(kinetics, trial, "left_knee_moment_extension", name[1], 0, 1000), 0,
                   0.06);
        check_near(off_by(kinetics, trial, "left_ankle_power", name[2], 1, 1), 0, 0.03);
        cycle_is_told(kinetics, trial);
        snw_kinetics_destroy(kinetics);
        snw_trial_destroy(trial);
    }
}

/* With Plug-in-Gait's own radii of gyration every part of every point correlates with the file's.
 */
static void points_are_signed_as_plug_in_gaits(void **state)
{
    (void)state;
    static const char *const point[] = {"LHipMoment", "LKneeMoment", "LAnkleMoment", "LHipForce",
                                        "LKneeForce", "LAnkleForce", "LHipPower",    "LKneePower"};
    snw_trial *trial = read_corpus("c3d_gait/pig_full_walk.c3d"), *with = NULL;
    snw_kinetics_options options = snw_kinetics_options_default();
    snw_kinetics *kinetics = NULL;
    snw_gait_model model;
    options.is_inertia_pig = true;
    assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL), SNW_OK);
    assert_int_equal(snw_kinetics_measure(trial, &model, &options, NULL, &kinetics, NULL), SNW_OK);
    assert_int_equal(snw_kinetics_to_trial(kinetics, trial, NULL, &with, NULL), SNW_OK);
    for (size_t n = 0; n < sizeof point / sizeof *point; n++) {
        char name[64];
        snprintf(name, sizeof name, "%s_sinew", point[n]);
        int own = snw_trial_find_marker(with, point[n]), ours = snw_trial_find_marker(with, name);
        assert_true(own >= 0 && ours >= 0);
        for (int k = strstr(point[n], "Power") ? 2 : 0; k < 3; k++) {
            double x = 0, y = 0, xx = 0, xy = 0, yy = 0, count = 0;
            for (int f = 0; f < with->frame_count; f++) {
                const snw_sample *row = with->sample + (size_t)f * (size_t)with->marker_count;
                const double a = k == 0 ? row[own].x : k == 1 ? row[own].y : row[own].z;
                const double b = k == 0 ? row[ours].x : k == 1 ? row[ours].y : row[ours].z;
                if (a == 0 || !snw_trial_is_present(with, f, ours)) continue;
                count++;
                x += a;
                y += b;
                xx += a * a;
                xy += a * b;
                yy += b * b;
            }
            assert_true(count > 100);
            double r = (xy - x * y / count) / sqrt((xx - x * x / count) * (yy - y * y / count));
            if (!(r > 0.97)) fail_msg("%s, part %d: r %.3f", point[n], k, r); /* least: 0.980 */
        }
    }
    snw_trial_destroy(with);
    snw_kinetics_destroy(kinetics);
    snw_trial_destroy(trial);
}

/* Whatever the axes, it is one moment: as long in those of two segments, and its parts along the
 * axes that the joint shares with them are theirs. */
static void axes_change_the_parts_of_a_moment_alone(void **state)
{
    (void)state;
    snw_trial *trial = read_corpus("c3d_gait/pig_full_walk.c3d");
    snw_kinetics *by[SNW_MOMENT_AXES_COUNT] = {NULL};
    snw_gait_model model;
    assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL), SNW_OK);
    for (int n = 0; n < SNW_MOMENT_AXES_COUNT; n++) {
        snw_kinetics_options options = snw_kinetics_options_default();
        options.axes = (snw_moment_axes)n;
        assert_int_equal(snw_moment_axes_find(snw_moment_axes_name((snw_moment_axes)n)), n);
        assert_int_equal(snw_kinetics_measure(trial, &model, &options, NULL, &by[n], NULL), SNW_OK);
    }
    assert_int_equal(snw_moment_axes_find("none"), -1);
    int c = snw_kinetics_find(by[0], "left_knee_moment_extension"), count = 0;
    for (int f = 0; f < trial->frame_count; f++) {
        double m[3][3];
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++)
                m[n][k] = snw_angles_at(&by[n]->columns, f, c + k);
        if (!isfinite(m[0][0])) continue;
        double square[2] = {0, 0};
        for (int n = 0; n < 2; n++)
            for (int k = 0; k < 3; k++)
                square[n] += m[n][k] * m[n][k];
        check_near(square[0], square[1], 1e-12); /* round-off of sums of squares near 1 */
        check_near(m[2][0], m[1][0], 1e-12);     /* flexion: about the proximal y */
        check_near(m[2][2], m[0][2], 1e-12);     /* rotation: about the distal z */
        count++;
    }
    assert_true(count > 100);
    for (int n = 0; n < SNW_MOMENT_AXES_COUNT; n++)
        snw_kinetics_destroy(by[n]);
    snw_trial_destroy(trial);
}

/* A sine of one period and 3 W/kg over 2 s does 3 * 2 / pi J/kg and takes as much. */
static void work_is_what_power_adds_up_to(void **state)
{
    (void)state;
    snw_angle_column column = {"left_knee_power", true, false};
    static double value[201];
    snw_angles columns = {.frame_count = 201, .rate = 100, .column_count = 1, .column = &column};
    snw_stride stride = {.side = SNW_SIDE_LEFT, .start = 0, .end = 2, .time = 2};
    double work[2];
    columns.value = value;
    for (int f = 0; f <= 200; f++)
        value[f] = 3 * sin(2 * SNW_PI * f / 200);
    assert_true(snw_stride_work(&columns, 0, &stride, work));
    check_near(work[0], 6 / SNW_PI, 1e-3); /* trapezoids of a hundredth: (pi/50)^2 / 12 of it */
    check_near(work[1], -6 / SNW_PI, 1e-3);
    value[77] = NAN;
    assert_false(snw_stride_work(&columns, 0, &stride, work));
}

static void what_cannot_be_measured_is_said(void **state)
{
    (void)state;
    snw_trial *trial = read_corpus("c3d_gait/pig_sample03_walk.c3d");
    snw_trial *bare = read_corpus("people/arnold01_walk2.trc");
    snw_trial *both = read_corpus("people/pycgm_move.c3d");
    snw_gait_model model;
    snw_kinetics *kinetics = NULL;
    snw_kinetics_options options = snw_kinetics_options_default();
    snw_error error;
    assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL), SNW_OK);
    assert_int_equal(snw_kinetics_measure(trial, &model, NULL, NULL, &kinetics, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "mass"));
    options.mass = 60;
    assert_int_equal(snw_kinetics_measure(trial, &model, &options, NULL, &kinetics, &error),
                     SNW_OK);
    assert_int_equal(kinetics->contact_count, 2);
    snw_kinetics_destroy(kinetics);
    assert_int_equal(snw_gait_model_make(bare, NULL, NULL, &model, NULL, NULL), SNW_OK);
    assert_int_equal(snw_kinetics_measure(bare, &model, &options, NULL, &kinetics, &error),
                     SNW_NOT_FOUND);
    assert_int_equal(snw_gait_model_make(both, NULL, NULL, &model, NULL, NULL), SNW_OK);
    assert_int_equal(snw_kinetics_measure(both, &model, NULL, NULL, &kinetics, &error),
                     SNW_DEGENERATE);
    assert_null(kinetics);
    snw_trial_destroy(trial);
    snw_trial_destroy(bare);
    snw_trial_destroy(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_falls_freely_has_no_load_in_a_joint),
        cmocka_unit_test(who_tumbles_freely_needs_no_moment),
        cmocka_unit_test(a_pendulum_has_no_moment_at_its_pivot),
        cmocka_unit_test(a_standing_person_carries_what_is_above),
        cmocka_unit_test(moments_and_powers_are_near_plug_in_gaits),
        cmocka_unit_test(points_are_signed_as_plug_in_gaits),
        cmocka_unit_test(axes_change_the_parts_of_a_moment_alone),
        cmocka_unit_test(work_is_what_power_adds_up_to),
        cmocka_unit_test(what_cannot_be_measured_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What turns leave open about a joint's centre, against closed forms. */
#include "calibrate/joint_turns.h"
#include "check.h"

enum {
    COUNT = 64
};

/* Even steps of -angle to angle about `axis`, and of a tenth of that about another, seen from a
 * parent that is turned by `from`. */
static snw__joint_turns swing(snw_vec3 axis, snw_vec3 second, double angle, snw_quat from)
{
    static snw_quat turn[COUNT];
    for (int n = 0; n < COUNT; n++) {
        double t = angle * (2.0 * n / (COUNT - 1) - 1), side = n % 2 ? 0.1 * angle : -0.1 * angle;
        snw_quat main_turn = snw_quat_from_axis_angle(axis, t);
        turn[n] =
            snw_quat_mul(from, snw_quat_mul(main_turn, snw_quat_from_axis_angle(second, side)));
    }
    return snw__joint_turns_of(turn, COUNT, 1);
}

static void the_axis_of_a_hinge_is_found_with_its_arc(void **state)
{
    (void)state;
    snw_vec3 x = snw_vec3_make(1, 0, 0), y = snw_vec3_make(0, 1, 0);
    snw_quat from = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.7);
    snw__joint_turns turns = swing(x, y, 0.5, from);
    snw_vec3 axis = snw__joint_turns_axis(&turns);
    /* The rms of even steps over an interval of 1 rad is 1 / sqrt(12). */
    check_near(snw_vec3_length(axis), 1 / sqrt(12), 0.01);
    check_near(fabs(snw_vec3_unit(axis, y).x), 1, 0.01);
    snw_vec3 of_parent = snw_quat_rotate(turns.reference, snw_vec3_unit(axis, y));
    check_near(fabs(of_parent.x), cos(0.7), 0.05);
}

static void turns_about_two_axes_are_no_hinge(void **state)
{
    (void)state;
    snw_vec3 x = snw_vec3_make(1, 0, 0), y = snw_vec3_make(0, 1, 0);
    static snw_quat turn[COUNT];
    for (int n = 0; n < COUNT; n++)
        turn[n] = snw_quat_from_axis_angle(n % 2 ? x : y, 0.5 * (n % 4 < 2 ? 1 : -1));
    snw__joint_turns turns = snw__joint_turns_of(turn, COUNT, 1);
    check_near(snw_vec3_length(snw__joint_turns_axis(&turns)), 0, 0);
}

/* A slip of 5 mm: along the axis only the tenth of a turn across it shows the centre. */
static void a_hinge_leaves_its_centre_open_along_the_axis(void **state)
{
    (void)state;
    snw_vec3 x = snw_vec3_make(1, 0, 0), y = snw_vec3_make(0, 1, 0);
    snw__joint_turns turns = swing(x, y, 0.6, snw_quat_identity());
    snw_mat3 open = snw__joint_turns_open(&turns, 0.005);
    check_near(sqrt(open.m[0][0]), 0.005 / 0.06, 0.01);
    check_near(sqrt(open.m[1][1]), 0.005 / (1.2 / sqrt(12)), 0.001);
    check_near(sqrt(open.m[2][2]), 0.005 / hypot(1.2 / sqrt(12), 0.06), 0.001);
}

static void no_slip_and_no_turns_leave_finite_answers(void **state)
{
    (void)state;
    snw_quat still[3] = {snw_quat_identity(), snw_quat_identity(), snw_quat_identity()};
    snw__joint_turns turns = snw__joint_turns_of(still, 3, 1);
    snw_mat3 shut = snw__joint_turns_open(&turns, 0), open = snw__joint_turns_open(&turns, 1);
    snw__joint_turns none = snw__joint_turns_of(still, 0, 1);
    for (int k = 0; k < 3; k++) {
        check_near(shut.m[k][k], 0, 0);
        check_near(open.m[k][k], 0.15 * 0.15, 1e-12); /* the breadth of a thigh at most */
        check_near(none.spread.m[k][k], 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_axis_of_a_hinge_is_found_with_its_arc),
        cmocka_unit_test(turns_about_two_axes_are_no_hinge),
        cmocka_unit_test(a_hinge_leaves_its_centre_open_along_the_axis),
        cmocka_unit_test(no_slip_and_no_turns_leave_finite_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Joints: names and degrees of freedom, coordinates there and back, and what snw_joint_check says
 * about each kind of nonsense. */
#include "limit_joints.h"

static void types_have_names_and_degrees_of_freedom(void **state)
{
    (void)state;
    static const struct {
        snw_joint_type type;
        const char *name;
        int dof;
    } rows[] = {{SNW_JOINT_FIXED, "fixed", 0},         {SNW_JOINT_HINGE, "hinge", 1},
                {SNW_JOINT_UNIVERSAL, "universal", 2}, {SNW_JOINT_PIVOT, "pivot", 1},
                {SNW_JOINT_BALL, "ball", 3},           {SNW_JOINT_PRISMATIC, "prismatic", 1},
                {SNW_JOINT_FREE, "free", 6},           {SNW_JOINT_TYPE_COUNT, "unknown", 0},
                {(snw_joint_type)-1, "unknown", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(snw_joint_type_name(rows[i].type), rows[i].name);
        assert_int_equal(snw_joint_type_dof(rows[i].type), rows[i].dof);
    }
}

/* ---- coordinates ------------------------------------------------------------------------------
 */

static snw_joint hinge_of(double low_deg, double high_deg)
{
    limit_case source = {.type = SNW_JOINT_HINGE,
                         .axes_apart_deg = 90,
                         .has_range = {true},
                         .range_deg = {{low_deg, high_deg}}};
    return limit_case_joint(&source, snw_quat_identity());
}

static void angles_are_chosen_inside_the_range(void **state)
{
    (void)state;
    static const struct {
        double low_deg, high_deg, turn_deg, expected_deg;
    } rows[] = {
        {0, 350, 10, 10},        {0, 350, -20, 340},    {0, 350, 200, 200},   {0, 350, 349, 349},
        {0, 350, 355, -5},       {-180, 180, 180, 180}, {-350, 0, 20, -340},  {170, 200, -170, 190},
        {-760, -700, 0, -720},   {400, 1200, 10, 730},  {400, 1200, 50, 410}, {-400, 500, 179, 179},
        {-1200, -400, 50, -670}, {-30, 30, 90, 90},     {0, 360, -1, 359},    {30, 30, 390, 30},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snw_joint joint = hinge_of(rows[i].low_deg, rows[i].high_deg);
        double values[6];
        snw_quat q = snw_quat_from_axis_angle(joint.axis, rows[i].turn_deg * DEG);
        for (int sign = 0; sign < 2; sign++, q = snw_quat_neg(q)) {
            assert_int_equal(snw_joint_values(&joint, q, snw_vec3_make(0, 0, 0), values), 1);
            /* A dozen roundings of angles up to 13 rad. */
            check_near(values[0], rows[i].expected_deg * DEG, 1e-14 * 13);
        }
    }
}

static void round_off_at_an_end_of_the_range_stays_at_the_end(void **state)
{
    (void)state;
    snw_joint joint = hinge_of(0, 350);
    double values[6];
    snw_joint_values(&joint, snw_quat_from_axis_angle(joint.axis, -1e-12), snw_vec3_make(0, 0, 0),
                     values);
    assert_true(values[0] == 0);
    joint.limit.has_range[0] = false;
    snw_joint_values(&joint, snw_quat_from_axis_angle(joint.axis, -SNW_PI), snw_vec3_make(0, 0, 0),
                     values);
    assert_true(values[0] == SNW_PI);
}

/* Coordinates inside the limits, ball and free turns shorter than half a turn. */
static void draw_values(const snw_joint *joint, snw_random *random, double values[6])
{
    int dof = snw_joint_type_dof(joint->type);
    for (int i = 0; i < dof; i++) {
        bool has_range = i < 2 && joint->limit.has_range[i] && dof <= 2;
        double low = has_range ? joint->limit.range[i][0] : -1.8;
        double high = has_range ? joint->limit.range[i][1] : 1.8;
        /* One turn: beyond it the choice is not unique. */
        values[i] = snw_random_range(random, low, fmin(high, low + 2 * SNW_PI));
        if (high - low >= 2 * SNW_PI) values[i] = snw_wrap_angle(values[i]);
    }
}

static void values_come_back_from_rotations(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        snw_random random = snw_random_seed(21, (uint64_t)index);
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            double values[6] = {0}, again[6] = {0};
            snw_quat rotation;
            snw_vec3 slide;
            draw_values(&joint, &random, values);
            snw_joint_from_values(&joint, values, &rotation, &slide);
            int dof = snw_joint_values(&joint, rotation, slide, again);
            assert_int_equal(dof, snw_joint_type_dof(joint.type));
            /* Round-off of angles up to 13 rad; axes 35 degrees apart double it. */
            for (int i = 0; i < dof; i++)
                check_near(again[i], values[i], 1e-13);
        }
    }
}

static void rotations_come_back_from_values(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        snw_random random = snw_random_seed(22, (uint64_t)index);
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            snw_quat q = snw_joint_limit_apply(&joint, trouble_rotation(&joint, &random)), again;
            snw_vec3 slide = snw_joint_limit_apply_slide(&joint, snw_random_direction(&random));
            snw_vec3 slide_again;
            double values[6];
            snw_joint_values(&joint, q, slide, values);
            snw_joint_from_values(&joint, values, &again, &slide_again);
            /* What was allowed untouched may be off by the tolerance in each of two ways. */
            check_quat_near(again, q, 3 * SNW_LIMIT_TOLERANCE);
            check_vec3_near(slide_again, slide, SNW_LIMIT_TOLERANCE);
        }
    }
}

static void values_that_are_not_finite_give_rest(void **state)
{
    (void)state;
    const double bad[6] = {NAN, INFINITY, NAN, -INFINITY, NAN, NAN};
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        snw_quat rotation;
        snw_vec3 slide;
        double values[6] = {0};
        snw_joint_from_values(&joint, bad, &rotation, &slide);
        check_quat_near(rotation, snw_quat_identity(), 0);
        check_vec3_near(slide, snw_vec3_make(0, 0, 0), 0);
        snw_joint_values(&joint, snw_quat_make(NAN, 0, 0, 0), snw_vec3_make(NAN, 0, 0), values);
        for (int i = 0; i < 6; i++)
            assert_true(isfinite(values[i]));
    }
}

/* ---- checks -----------------------------------------------------------------------------------
 */

/* Square window around the middle; a good ball joint to spoil. */
static snw_joint good_joint(snw_joint_type type)
{
    limit_case source = {.type = type,
                         .axes_apart_deg = 90,
                         .has_range = {true, true},
                         .range_deg = {{-10, 10}, {-20, 20}},
                         .cone_deg = {10, 20, 30, 40},
                         .window_count = 4,
                         .window_deg = {{-30, -30}, {30, -30}, {30, 30}, {-30, 30}},
                         .has_twist = true,
                         .twist_deg = {-5, 5}};
    return limit_case_joint(&source, snw_quat_identity());
}

static void set_corner(snw_joint *joint, int index, double x, double y)
{
    joint->limit.window[index][0] = x;
    joint->limit.window[index][1] = y;
}

enum {
    spoil_count = 32
};

/* Spoils one thing of a good joint; returns the sentence that must name it, NULL for none. */
static const char *spoil(int what, snw_joint *joint)
{
    static const snw_joint_type types[spoil_count] = {
        [0] = SNW_JOINT_HINGE,     [1] = SNW_JOINT_PIVOT,     [2] = SNW_JOINT_PRISMATIC,
        [3] = SNW_JOINT_HINGE,     [4] = SNW_JOINT_HINGE,     [5] = SNW_JOINT_UNIVERSAL,
        [6] = SNW_JOINT_UNIVERSAL, [7] = SNW_JOINT_UNIVERSAL, [8] = SNW_JOINT_HINGE,
        [9] = SNW_JOINT_UNIVERSAL, [10] = SNW_JOINT_HINGE,    [11] = SNW_JOINT_PRISMATIC,
        [29] = SNW_JOINT_FIXED,    [30] = SNW_JOINT_FREE,     [31] = SNW_JOINT_PRISMATIC};
    *joint =
        good_joint(types[what] != SNW_JOINT_FIXED || what == 29 ? types[what] : SNW_JOINT_BALL);
    joint->limit.swing = what >= 20 && what < 29 ? SNW_SWING_POLYGON : SNW_SWING_CONE;
    snw_vec3 zero = {0, 0, 0};
    switch (what) {
    case 0:
        joint->axis = zero;
        return "the axis is zero";
    case 1:
        joint->axis.x = NAN;
        return "the axis is not finite";
    case 2:
        joint->axis = snw_vec3_make(0, 0, 2);
        return "the axis has length 2, not 1";
    case 3:
        joint->limit.range[0][0] = 1;
        joint->limit.range[0][1] = 0.5;
        return "the range is empty: low 1 is above high 0.5";
    case 4:
        joint->limit.range[0][1] = INFINITY;
        return "the range is not finite";
    case 5:
        joint->axis2 = snw_vec3_neg(joint->axis);
        return "the two axes of the universal joint are parallel";
    case 6:
        joint->axis2 = zero;
        return "the second axis is zero";
    case 7:
        joint->limit.range[1][0] = 1;
        return "the second range is empty: low 1 is above high 0.3490658503988659";
    case 8:
        joint->limit.range[0][1] = 1001;
        return "the range goes beyond 1000";
    case 9:
        joint->limit.range[1][1] = NAN;
        return "the second range is not finite";
    case 10:
        joint->type = (snw_joint_type)77;
        return "77 is no type of joint";
    case 11:
        joint->limit.range[0][0] = 5;
        return "the range is empty: low 5 is above high 0.17453292519943295";
    case 12:
        joint->axis2 = joint->axis;
        return "the second axis of a ball joint with limits is not perpendicular to the first";
    case 13:
        joint->limit.cone[2] = -0.1;
        return "the cone's angle towards -x is -0.1, not in [0, pi]";
    case 14:
        joint->limit.cone[1] = 3.2;
        return "the cone's angle towards +y is 3.2, not in [0, pi]";
    case 15:
        joint->limit.cone[3] = NAN;
        return "the cone's angle towards -y is nan, not in [0, pi]";
    case 16:
        joint->limit.twist[0] = 3;
        return "the range of the twist is empty: low 3 is above high 0.08726646259971647";
    case 17:
        joint->limit.twist[1] = NAN;
        return "the range of the twist is not finite";
    case 18:
        joint->limit.swing = (snw_swing_limit)9;
        return "9 is no kind of swing limit";
    case 19:
        joint->axis = zero;
        return "the axis is zero";
    case 20:
        joint->limit.window_count = 2;
        return "the window has 2 corners, not 3 to 16";
    case 21:
        joint->limit.window_count = 17;
        return "the window has 17 corners, not 3 to 16";
    case 22:
        set_corner(joint, 2, NAN, 0);
        return "corner 2 of the window is not finite";
    case 23:
        set_corner(joint, 1, 3, 1);
        return "corner 1 of the window is straight behind or beyond (3.1622776601683795 rad)";
    case 24:
        set_corner(joint, 1, joint->limit.window[0][0], joint->limit.window[0][1]);
        return "corner 0 of the window and the next are the same";
    case 25: /* a bow tie */
        set_corner(joint, 2, -0.5, 0.5);
        set_corner(joint, 3, 0.5, 0.5);
        return "edges 1 and 3 of the window cross or touch";
    case 26: /* a corner on the opposite edge */
        set_corner(joint, 2, 0, joint->limit.window[0][1]);
        return "edges 0 and 1 of the window cross or touch";
    case 27: /* all on one line */
        for (int i = 0; i < 4; i++)
            set_corner(joint, i, 0.1 * i, 0.2 * i);
        return "edges 0 and 3 of the window cross or touch";
    case 28: /* there and back */
        joint->limit.window_count = 3;
        set_corner(joint, 0, 0, 0);
        set_corner(joint, 1, 1, 0);
        set_corner(joint, 2, 0.5, 0);
        return "edges 0 and 1 of the window cross or touch";
    default: /* axes and ranges that do not count for the type */
        joint->axis2 = zero;
        joint->limit.cone[0] = NAN;
        joint->limit.twist[0] = NAN;
        return NULL;
    }
}

static void check_names_what_is_wrong(void **state)
{
    (void)state;
    for (int what = 0; what < spoil_count; what++) {
        snw_joint joint;
        snw_error error;
        const char *sentence = spoil(what, &joint);
        snw_status status = snw_joint_check(&joint, &error);
        assert_string_equal(error.message, sentence ? sentence : "");
        assert_int_equal(status, sentence ? SNW_INVALID_ARGUMENT : SNW_OK);
        assert_int_equal(error.status, status);
        assert_int_equal(snw_joint_check(&joint, NULL), status);
    }
}

static void check_accepts_every_good_joint(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        snw_error error;
        assert_int_equal(snw_joint_check(&joint, &error), SNW_OK);
        assert_int_equal(error.status, SNW_OK);
    }
    /* A free ball does not look at axis2. */
    snw_joint ball = good_joint(SNW_JOINT_BALL);
    ball.axis2 = ball.axis;
    assert_int_equal(snw_joint_check(&ball, NULL), SNW_OK);
}

static void no_limit_is_no_limit(void **state)
{
    (void)state;
    snw_joint joint = limit_joint(0);
    joint.type = SNW_JOINT_BALL;
    joint.limit = snw_joint_limit_none();
    snw_random random = snw_random_seed(23, 0);
    for (int n = 0; n < 1000; n++) {
        snw_quat q = snw_random_rotation(&random), r = snw_joint_limit_apply(&joint, q);
        assert_memory_equal(&q, &r, sizeof q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_names_and_degrees_of_freedom),
        cmocka_unit_test(angles_are_chosen_inside_the_range),
        cmocka_unit_test(round_off_at_an_end_of_the_range_stays_at_the_end),
        cmocka_unit_test(values_come_back_from_rotations),
        cmocka_unit_test(rotations_come_back_from_values),
        cmocka_unit_test(values_that_are_not_finite_give_rest),
        cmocka_unit_test(check_names_what_is_wrong),
        cmocka_unit_test(check_accepts_every_good_joint),
        cmocka_unit_test(no_limit_is_no_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What snw_joint_limit_apply promises, over many random rotations for every kind of limit: the
 * result is allowed by a second reading of the definition, a second application changes no bit,
 * allowed rotations keep their bits, q and -q agree, and nothing makes it fail. */
#include "limit_joints.h"

/* Rotations for each kind of limit, shared by the cases of that kind. */
enum {
    kind_samples = CHECK_SAMPLES(1000000)
};

/* The kinds as runs of limit_cases, by the name of the first of each. */
static const char *const kind_first[] = {"fixed",
                                         "hinge without range",
                                         "universal without ranges",
                                         "ball without limits",
                                         "cone, circle",
                                         "window, triangle around the middle"};

enum {
    kind_count = sizeof kind_first / sizeof kind_first[0]
};

static bool same_bits(snw_quat a, snw_quat b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Radians by which `q` leaves what the joint allows, by definition, not by the library's formulas.
 */
static double excess(const snw_joint *joint, snw_quat q)
{
    const snw_joint_limit *limit = &joint->limit;
    snw_vec3 axis = joint->axis;
    double point[2], off = 0;
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT: {
        double angle = 2 * atan2(snw_vec3_dot(snw_quat_vector(q), axis), q.w);
        off = snw_vec3_angle(axis, snw_quat_rotate(q, axis));
        return limit->has_range[0] ? fmax(off, circle_excess(limit->range[0], angle)) : off;
    }
    case SNW_JOINT_UNIVERSAL: {
        double values[6];
        snw_quat again;
        snw_vec3 slide;
        snw_joint_values(joint, q, snw_vec3_make(0, 0, 0), values);
        snw_joint_from_values(joint, values, &again, &slide);
        off = snw_quat_angle_between(q, again);
        for (int i = 0; i < 2; i++)
            if (limit->has_range[i]) off = fmax(off, circle_excess(limit->range[i], values[i]));
        return off;
    }
    case SNW_JOINT_BALL:
        swing_plane_point(joint, q, point);
        if (limit->swing == SNW_SWING_CONE) off = cone_excess(limit->cone, point);
        if (limit->swing == SNW_SWING_POLYGON) off = window_excess(limit, point);
        if (limit->has_twist)
            off = fmax(off, circle_excess(limit->twist, snw_quat_twist_angle(q, axis)));
        /* Near straight behind, coordinates that are far apart are rotations that are near: by the
         * factor cos(psi/2). */
        off *= hypot(q.w, snw_vec3_dot(snw_quat_vector(q), axis));
        return off;
    case SNW_JOINT_FREE:
        return 0;
    default:
        return snw_quat_angle_between(q, snw_quat_identity());
    }
}

/* Within 1e-6 of straight behind the second reading does not know the azimuth well enough to say
 * that something is allowed. */
static bool is_behind(const snw_joint *joint, snw_quat q)
{
    return snw_vec3_dot(snw_quat_rotate(q, joint->axis), joint->axis) < -1 + 0.5e-12;
}

/* The second reading costs as much as the rest: it looks at one rotation in five. */
static void check_promises(const char *name, const snw_joint *joint, snw_quat q, int sample)
{
    bool is_read_again = sample % 5 == 0;
    snw_quat r = snw_joint_limit_apply(joint, q);
    snw_quat again = snw_joint_limit_apply(joint, r);
    snw_quat mirrored = snw_joint_limit_apply(joint, snw_quat_neg(q));
    double violation = snw_joint_limit_violation(joint, q);
    bool was_allowed = violation == 0;
    /* Ten times the tolerance: the second reading has its own round-off near straight behind. */
    bool is_good = same_bits(r, again) &&
                   (same_bits(mirrored, snw_quat_neg(r)) || same_bits(mirrored, r)) &&
                   snw_joint_limit_violation(joint, r) == 0 &&
                   (!is_read_again || excess(joint, r) <= 10 * SNW_LIMIT_TOLERANCE) &&
                   fabs(snw_quat_dot(r, r) - 1) <= 1e-12 && (!was_allowed || same_bits(q, r)) &&
                   (was_allowed || is_behind(joint, q) || !is_read_again || excess(joint, q) > 0) &&
                   fabs(violation - snw_quat_angle_between(q, r)) <= 1e-12;
    if (is_good) return;
    print_error("%s: (%.17g %.17g %.17g %.17g) -> (%.17g %.17g %.17g %.17g), again (%.17g %.17g "
                "%.17g %.17g), violation %g then %g, excess %g then %g\n",
                name, q.w, q.x, q.y, q.z, r.w, r.x, r.y, r.z, again.w, again.x, again.y, again.z,
                violation, snw_joint_limit_violation(joint, r), excess(joint, q), excess(joint, r));
    fail();
}

static int case_named(const char *name)
{
    for (int index = 0; index < limit_case_count; index++)
        if (strcmp(limit_cases[index].name, name) == 0) return index;
    fail_msg("no case is called %s", name);
    return -1;
}

static void promises_hold_for_a_million_rotations_of_each_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < kind_count; kind++) {
        int first = case_named(kind_first[kind]);
        int last = kind + 1 < kind_count ? case_named(kind_first[kind + 1]) : limit_case_count;
        for (int index = first; index < last; index++) {
            snw_joint joint = limit_joint(index);
            snw_error error;
            if (snw_joint_check(&joint, &error) != SNW_OK) fail_msg("%s", error.message);
            snw_random random = snw_random_seed(11, (uint64_t)index);
            for (int n = 0; n <= kind_samples / (last - first); n++)
                check_promises(limit_cases[index].name, &joint, trouble_rotation(&joint, &random),
                               n);
        }
    }
}

/* Where the cone's own tip is straight behind, results are near it, and azimuth and twist are known
 * to little more than their sum: swings to within 1e-2..1e-17 of the tip, from all sides. */
static void promises_hold_next_to_a_tip_straight_behind(void **state)
{
    (void)state;
    int index = case_named("cone, to straight behind on one side");
    snw_joint joint = limit_joint(index);
    joint.limit.twist[0] = 0.2; /* straight behind reads as twist 0, outside */
    const double widths[] = {joint.limit.cone[1], 0.05, 0.01, 1e-4, 1e-8, 0};
    snw_vec3 y = snw_vec3_cross(joint.axis, joint.axis2);
    snw_random random = snw_random_seed(14, 0);
    for (int n = 0; n < CHECK_SAMPLES(300000); n++) {
        double psi = SNW_PI - pow(10, snw_random_range(&random, -17, -2));
        double phi = pow(10, snw_random_range(&random, -12, -1)) * (n / 6 % 2 ? 1 : -1);
        /* The swing towards azimuth phi turns about (-sin, cos). */
        snw_vec3 across =
            snw_vec3_add(snw_vec3_scale(joint.axis2, -sin(phi)), snw_vec3_scale(y, cos(phi)));
        double twist = snw_random_range(&random, -0.5, 1.5);
        snw_quat q = snw_quat_mul(snw_quat_from_axis_angle(across, psi),
                                  snw_quat_from_axis_angle(joint.axis, twist));
        joint.limit.cone[1] = joint.limit.cone[3] = widths[n % 6];
        check_promises(limit_cases[index].name, &joint, q, 0);
    }
}

/* Just inside stays, just outside moves: by how much is known. */
static void tolerance_is_where_it_is_said_to_be(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        const limit_case *source = &limit_cases[index];
        if (source->type != SNW_JOINT_HINGE || !source->has_range[0]) continue;
        if (source->range_deg[0][1] - source->range_deg[0][0] >= 360) continue;
        snw_joint joint = limit_joint(index);
        double high = joint.limit.range[0][1];
        snw_quat inside = snw_quat_from_axis_angle(joint.axis, high + 0.9 * SNW_LIMIT_TOLERANCE);
        snw_quat outside = snw_quat_from_axis_angle(joint.axis, high + 1.1 * SNW_LIMIT_TOLERANCE);
        assert_true(snw_joint_limit_violation(&joint, inside) == 0);
        /* Round-off of angles up to 800 degrees: 14 rad * 2^-52. */
        check_near(snw_joint_limit_violation(&joint, outside), 1.1 * SNW_LIMIT_TOLERANCE, 1e-14);
    }
}

static void hostile_quaternions_give_allowed_rotations(void **state)
{
    (void)state;
    static const double parts[] = {-0.0, 1, -1, NAN, INFINITY, 1e200, 1e-200, 4.9e-324, 0.5};
    enum {
        part_count = sizeof parts / sizeof parts[0]
    };
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        for (int code = 0; code < part_count * part_count * part_count * part_count; code++) {
            snw_quat q =
                snw_quat_make(parts[code % part_count], parts[code / part_count % part_count],
                              parts[code / part_count / part_count % part_count],
                              parts[code / part_count / part_count / part_count]);
            snw_quat r = snw_joint_limit_apply(&joint, q);
            assert_true(snw_quat_is_finite(r));
            assert_true(fabs(snw_quat_dot(r, r) - 1) <= 1e-10);
            assert_true(same_bits(r, snw_joint_limit_apply(&joint, r)));
            assert_true(snw_joint_limit_violation(&joint, r) == 0);
            double violation = snw_joint_limit_violation(&joint, q);
            assert_true(violation >= 0 && violation <= SNW_PI + 1e-12);
        }
    }
}

static void rotations_of_any_length_are_read_as_their_direction(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        snw_random random = snw_random_seed(12, (uint64_t)index);
        for (int n = 0; n < 200; n++) {
            snw_quat q = snw_random_rotation(&random);
            double size = pow(10, snw_random_range(&random, -100, 100));
            snw_quat scaled = snw_quat_make(q.w * size, q.x * size, q.y * size, q.z * size);
            /* Rounding of the scaled parts moves the result by some 1e-15, at worst over the
             * distance to straight behind. */
            check_quat_near(snw_joint_limit_apply(&joint, scaled), snw_joint_limit_apply(&joint, q),
                            1e-11);
        }
    }
}

/* For rails of a micrometre as for rails of a kilometre. */
static void slides_are_limited_along_the_axis_only(void **state)
{
    (void)state;
    snw_joint joint = limit_joint(1);
    joint.limit.has_range[0] = true;
    snw_random random = snw_random_seed(13, 0);
    for (int n = 0; n < CHECK_SAMPLES(100000); n++) {
        double rail = pow(10, snw_random_range(&random, -6, 3)), low = -0.2 * rail,
               high = 0.5 * rail;
        joint.limit.range[0][0] = low;
        joint.limit.range[0][1] = high;
        double size = rail * pow(10, snw_random_range(&random, -12, 12));
        snw_vec3 slide = snw_vec3_scale(snw_random_direction(&random), size);
        snw_vec3 r = snw_joint_limit_apply_slide(&joint, slide);
        double along = snw_vec3_dot(slide, joint.axis);
        snw_vec3 expected = snw_vec3_scale(joint.axis, snw_clamp(along, low, high));
        check_vec3_near(r, expected, SNW_LIMIT_TOLERANCE * snw_vec3_length(expected));
        snw_vec3 again = snw_joint_limit_apply_slide(&joint, r);
        assert_memory_equal(&again, &r, sizeof r);
        check_near(snw_joint_limit_violation_slide(&joint, slide), snw_vec3_distance(slide, r),
                   1e-15 * size);
        assert_true(snw_joint_limit_violation_slide(&joint, r) == 0);
    }
}

static void slides_of_other_joints_are_none_or_all(void **state)
{
    (void)state;
    snw_vec3 slide = {1, -2, 3}, zero = {0, 0, 0}, bad = {NAN, 1, 1}, huge = {1e308, 1e308, 1e308};
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        if (joint.type == SNW_JOINT_PRISMATIC) continue;
        bool is_free = joint.type == SNW_JOINT_FREE;
        snw_vec3 r = snw_joint_limit_apply_slide(&joint, slide);
        assert_memory_equal(&r, is_free ? &slide : &zero, sizeof r);
        check_near(snw_joint_limit_violation_slide(&joint, slide), is_free ? 0 : sqrt(14), 1e-15);
    }
    snw_joint rail = limit_joint(1);
    check_vec3_near(snw_joint_limit_apply_slide(&rail, bad), zero, 0);
    assert_true(snw_vec3_is_finite(snw_joint_limit_apply_slide(&rail, huge)));
    assert_true(!isnan(snw_joint_limit_violation_slide(&rail, huge)));
    snw_vec3 far_out = snw_vec3_scale(rail.axis, 12345678.9);
    snw_vec3 kept = snw_joint_limit_apply_slide(&rail, far_out);
    assert_memory_equal(&kept, &far_out, sizeof kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_hold_for_a_million_rotations_of_each_kind),
        cmocka_unit_test(promises_hold_next_to_a_tip_straight_behind),
        cmocka_unit_test(tolerance_is_where_it_is_said_to_be),
        cmocka_unit_test(hostile_quaternions_give_allowed_rotations),
        cmocka_unit_test(rotations_of_any_length_are_read_as_their_direction),
        cmocka_unit_test(slides_are_limited_along_the_axis_only),
        cmocka_unit_test(slides_of_other_joints_are_none_or_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

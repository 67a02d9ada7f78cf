/* The result of a limit is the nearest allowed rotation (against brute force over a grid), depends
 * continuously on the rotation, and fits the printed hand limits (thesis, table 5.1). */
#include "limit_joints.h"

/* ---- nearest ----------------------------------------------------------------------------------
 */

/* The largest |q . r| over a grid of the joint's coordinates; *spacing: between neighbours. */
static double best_of_grid(const snw_joint *joint, snw_quat q, double *spacing)
{
    enum {
        steps = 120
    };
    int dof = snw_joint_type_dof(joint->type);
    double low[2], step[2], best = 0;
    for (int i = 0; i < 2; i++) {
        bool has_range = joint->limit.has_range[i];
        low[i] = has_range ? joint->limit.range[i][0] : -SNW_PI;
        step[i] = ((has_range ? joint->limit.range[i][1] : SNW_PI) - low[i]) / steps;
    }
    *spacing = step[0] + (dof == 2 ? step[1] : 0);
    for (int i = 0; i <= steps; i++) {
        snw_quat first = snw_quat_from_axis_angle(joint->axis, low[0] + i * step[0]);
        for (int j = 0; j <= (dof == 2 ? steps : 0); j++) {
            snw_quat second = dof == 2
                                  ? snw_quat_from_axis_angle(joint->axis2, low[1] + j * step[1])
                                  : snw_quat_identity();
            best = fmax(best, fabs(snw_quat_dot(q, snw_quat_mul(first, second))));
        }
    }
    return best;
}

static void hinge_and_universal_are_nearer_than_any_grid_point(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        int dof = snw_joint_type_dof(joint.type);
        if (dof < 1 || dof > 2 || joint.type == SNW_JOINT_PRISMATIC) continue;
        snw_random random = snw_random_seed(31, (uint64_t)index);
        for (int n = 0; n < CHECK_SAMPLES(dof == 1 ? 2000 : 300); n++) {
            snw_quat q = trouble_rotation(&joint, &random);
            snw_quat r = snw_joint_limit_apply(&joint, q);
            double spacing, best = best_of_grid(&joint, q, &spacing);
            double found = fabs(snw_quat_dot(q, r));
            /* Not worse than any grid point: round-off of the dot product. */
            assert_true(found >= best - 1e-14);
            /* Not better than is possible: some grid point is within half a step of r in each
             * coordinate, that is half the spacing as an angle; half of that in acos. */
            assert_true(acos(fmin(1, best)) <= acos(fmin(1, found)) + 0.25 * spacing + 1e-7);
        }
    }
}

/* Edge point `t` in [0, 1) of the cone, by quarters. */
static void cone_edge(const double cone[4], double t, double point[2])
{
    double angle = 2 * SNW_PI * t, c = cos(angle), s = sin(angle);
    point[0] = c * (c >= 0 ? cone[0] : cone[2]);
    point[1] = s * (s >= 0 ? cone[1] : cone[3]);
}

static void window_edge(const snw_joint_limit *limit, double t, double point[2])
{
    int edge = (int)(t * limit->window_count);
    const double *a = limit->window[edge], *b = limit->window[(edge + 1) % limit->window_count];
    double part = t * limit->window_count - edge;
    point[0] = a[0] + part * (b[0] - a[0]);
    point[1] = a[1] + part * (b[1] - a[1]);
}

static double nearest_edge_sample(const snw_joint_limit *limit, const double point[2])
{
    enum {
        steps = 4096
    };
    double least = HUGE_VAL, edge[2];
    for (int i = 0; i < steps; i++) {
        if (limit->swing == SNW_SWING_CONE)
            cone_edge(limit->cone, (double)i / steps, edge);
        else
            window_edge(limit, (double)i / steps, edge);
        least = fmin(least, hypot(edge[0] - point[0], edge[1] - point[1]));
    }
    return least;
}

static void swings_are_nearer_in_the_swing_plane_than_any_edge_sample(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        if (joint.type != SNW_JOINT_BALL || joint.limit.swing == SNW_SWING_FREE) continue;
        snw_random random = snw_random_seed(32, (uint64_t)index);
        int moved_count = 0;
        for (int n = 0; n < CHECK_SAMPLES(1000); n++) {
            snw_quat q = snw_random_rotation(&random), r = snw_joint_limit_apply(&joint, q);
            double from[2], to[2];
            swing_plane_point(&joint, q, from);
            swing_plane_point(&joint, r, to);
            double moved = hypot(from[0] - to[0], from[1] - to[1]);
            if (moved < 1e-6) continue; /* the swing was allowed */
            moved_count++;
            double sampled = nearest_edge_sample(&joint.limit, from);
            /* 1e-6: results keep that far from straight behind. */
            assert_true(moved <= sampled + 1.1e-6);
            /* The edge is at most 8 * pi long: samples are 8 pi / 4096 apart, the nearest edge
             * point is within half of that of one. */
            assert_true(moved >= sampled - 4 * SNW_PI / 4096);
        }
        if (snw_joint_limit_violation(&joint, snw_quat_from_axis_angle(joint.axis2, 3.1)) > 0)
            assert_true(moved_count > 0);
    }
}

/* The direction of a point of the swing plane. */
static snw_vec3 swing_direction(const snw_joint *joint, const double point[2])
{
    snw_vec3 y = snw_vec3_cross(joint->axis, joint->axis2);
    snw_vec3 turn =
        snw_vec3_add(snw_vec3_scale(joint->axis2, -point[1]), snw_vec3_scale(y, point[0]));
    return snw_quat_rotate(snw_quat_exp(turn), joint->axis);
}

/* By how much the result is further on the sphere of directions than the nearest edge sample, at
 * most, for targets in front. */
static double sphere_excess_in_front(const snw_joint *joint, snw_random *random)
{
    enum {
        steps = 1024
    };
    snw_vec3 edge[steps];
    for (int i = 0; i < steps; i++) {
        double point[2];
        cone_edge(joint->limit.cone, (double)i / steps, point);
        edge[i] = swing_direction(joint, point);
    }
    double worst = 0;
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_quat q = snw_random_rotation(random);
        snw_vec3 target = snw_quat_rotate(q, joint->axis);
        if (snw_joint_limit_violation(joint, q) == 0 || snw_vec3_dot(target, joint->axis) < 0)
            continue;
        snw_vec3 found = snw_quat_rotate(snw_joint_limit_apply(joint, q), joint->axis);
        double least = HUGE_VAL;
        for (int i = 0; i < steps; i++)
            least = fmin(least, snw_vec3_distance(target, edge[i]));
        worst = fmax(worst, snw_vec3_angle(target, found) - 2 * asin(0.5 * least));
    }
    return worst;
}

/* The metric is the swing plane's. How far that is from the nearest direction is a measured figure,
 * held here: a circle is exact, 60 by 20 degrees is off by 1.9 degrees at most in front. */
static void in_front_the_nearest_swing_is_near_the_nearest_direction(void **state)
{
    (void)state;
    limit_case circle = {.type = SNW_JOINT_BALL,
                         .axes_apart_deg = 90,
                         .swing = SNW_SWING_CONE,
                         .cone_deg = {40, 40, 40, 40}};
    limit_case ellipse = circle;
    for (int i = 0; i < 4; i++)
        ellipse.cone_deg[i] = i % 2 ? 20 : 60;
    snw_random random = snw_random_seed(36, 0);
    snw_joint joint = limit_case_joint(&circle, snw_quat_identity());
    assert_true(sphere_excess_in_front(&joint, &random) <= 1e-12);
    joint = limit_case_joint(&ellipse, snw_quat_identity());
    double excess_deg = snw_degrees(sphere_excess_in_front(&joint, &random));
    assert_true(excess_deg > 1 && excess_deg < 2);
}

static void twists_go_to_the_nearer_end_and_swings_stay(void **state)
{
    (void)state;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        if (!joint.limit.has_twist) continue;
        snw_random random = snw_random_seed(33, (uint64_t)index);
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            snw_quat q = snw_random_rotation(&random), r = snw_joint_limit_apply(&joint, q);
            double before = snw_quat_twist_angle(q, joint.axis);
            double after = snw_quat_twist_angle(r, joint.axis);
            double off = circle_excess(joint.limit.twist, before);
            double rho = hypot(q.w, snw_vec3_dot(snw_quat_vector(q), joint.axis));
            /* Angles are known to 1e-16 / rho; rho > 1e-5 for all but 1e-10 of rotations. */
            check_near(fabs(snw_wrap_angle(after - before)), off, 1e-9 + 1e-15 / rho);
            if (joint.limit.swing == SNW_SWING_FREE)
                check_vec3_near(snw_quat_rotate(r, joint.axis), snw_quat_rotate(q, joint.axis),
                                1e-9);
        }
    }
}

/* Half a turn away in every direction all is equally far: the one allowed rotation it still is. */
static void what_is_as_far_as_can_be_comes_back(void **state)
{
    (void)state;
    limit_case held = {
        .type = SNW_JOINT_UNIVERSAL, .axes_apart_deg = 90, .has_range = {true, true}};
    for (int turn = 0; turn < 4; turn++) {
        held.range_deg[0][0] = held.range_deg[0][1] = 90 * turn;
        snw_joint joint = limit_case_joint(&held, snw_quat_identity());
        snw_quat allowed = snw_quat_from_axis_angle(joint.axis, 90 * turn * DEG);
        /* A half turn about axis x axis2: every coefficient of the bilinear form is 0. */
        snw_quat q = snw_quat_mul(allowed, snw_quat_make(0, 0, 1, 0));
        check_quat_near(snw_joint_limit_apply(&joint, q), allowed, 1e-15);
    }
}

/* ---- continuity -------------------------------------------------------------------------------
 */

/* Whether a small change of q may change which point is nearest: the two ends of a range are about
 * equally far, or the direction is within 0.3 rad of straight behind, or the window has two nearest
 * edges. */
static bool is_near_a_tie(const snw_joint *joint, snw_quat q)
{
    const snw_joint_limit *limit = &joint->limit;
    double twist = snw_quat_twist_angle(q, joint->axis);
    double rho = hypot(q.w, snw_vec3_dot(snw_quat_vector(q), joint->axis));
    const double *range = joint->type == SNW_JOINT_BALL ? limit->twist : limit->range[0];
    bool has_range = joint->type == SNW_JOINT_BALL ? limit->has_twist : limit->has_range[0];
    double end_tie = fabs(remainder(twist - range[0], 2 * SNW_PI)) -
                     fabs(remainder(twist - range[1], 2 * SNW_PI));
    if (rho < 0.15 || (has_range && range[0] != range[1] && fabs(end_tie) < 1e-3)) return true;
    if (limit->swing != SNW_SWING_POLYGON) return false;
    double point[2], first = HUGE_VAL, second = HUGE_VAL;
    swing_plane_point(joint, q, point);
    /* Distances to whole edges: a corner is nearest to both its edges without being a tie, so edges
     * that share the nearest point do not count. */
    double nearest[2] = {0, 0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < limit->window_count * 64; i++) {
            double edge[2];
            window_edge(limit, i / (limit->window_count * 64.0), edge);
            double distance = hypot(edge[0] - point[0], edge[1] - point[1]);
            if (pass == 0 && distance < first) {
                first = distance;
                nearest[0] = edge[0];
                nearest[1] = edge[1];
            } else if (pass == 1 && hypot(edge[0] - nearest[0], edge[1] - nearest[1]) > 0.1) {
                second = fmin(second, distance);
            }
        }
    /* Samples are at most 0.04 apart. Far points of the same straight edge are further away by
     * more than this unless the point is far out, where leaving them out costs nothing. */
    return second - first < 0.002;
}

static void small_changes_move_the_result_a_little(void **state)
{
    (void)state;
    /* The swing plane stretches directions by psi / sin(psi) <= 2.84 / sin(2.84) = 9.6 at 0.3 rad
     * from behind; the projection there is a contraction (cone, convex) and the way back
     * contracts. The twist changes by at most 2 / rho = 13.3 times the rotation. 25 is above their
     * sum; the hinge has 1 / rho = 6.7. */
    const double lipschitz = 25, step = 1e-6;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        if (joint.type == SNW_JOINT_UNIVERSAL) continue;
        snw_random random = snw_random_seed(34, (uint64_t)index);
        int tried = 0;
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            snw_quat q = snw_random_rotation(&random);
            snw_vec3 turn = snw_vec3_scale(snw_random_direction(&random), step);
            snw_quat near = snw_quat_mul(q, snw_quat_exp(turn));
            if (is_near_a_tie(&joint, q)) continue;
            tried++;
            check_quat_near(snw_joint_limit_apply(&joint, near), snw_joint_limit_apply(&joint, q),
                            lipschitz * step);
        }
        assert_true(tried > CHECK_SAMPLES(20000) / 4);
    }
}

/* Close to the allowed set the nearest universal rotation is unique. */
static void universal_is_continuous_near_what_it_allows(void **state)
{
    (void)state;
    const double step = 1e-6;
    for (int index = 0; index < limit_case_count; index++) {
        snw_joint joint = limit_joint(index);
        if (joint.type != SNW_JOINT_UNIVERSAL) continue;
        snw_random random = snw_random_seed(35, (uint64_t)index);
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            snw_quat allowed = snw_joint_limit_apply(&joint, snw_random_rotation(&random));
            snw_vec3 away = random_away(&random, 0, 0.2);
            snw_quat q = snw_quat_mul(allowed, snw_quat_exp(away));
            snw_vec3 turn = snw_vec3_scale(snw_random_direction(&random), step);
            snw_quat near = snw_quat_mul(q, snw_quat_exp(turn));
            /* The set bends with a radius of sin(35 deg) = 0.57 at least: at 0.2 from it the
             * projection stretches by 0.57 / (0.57 - 0.2) = 1.5; 4 leaves room for corners. */
            check_quat_near(snw_joint_limit_apply(&joint, near), snw_joint_limit_apply(&joint, q),
                            4 * step);
        }
    }
}

/* ---- known answers ----------------------------------------------------------------------------
 */

/* Table 5.1 in degrees: about -x, +x, +y, -y of the joint; 0, 0 in the second pair: a hinge. */
static const struct {
    const char *joint;
    double about_x_deg[2], about_y_deg[2];
} hand_rows[] = {
    {"F_51", {20, 20}, {30, 40}}, {"F_i2", {10, 85}, {15, 15}}, {"F_52", {5, 30}, {10, 10}},
    {"F_i3", {10, 95}, {0, 0}},   {"F_i4", {10, 90}, {0, 0}},
};

static void check_hand_turn(const snw_joint *joint, snw_vec3 axis, double limit_deg)
{
    for (int degree = 1; degree < 180; degree++) {
        snw_quat q = snw_quat_from_axis_angle(axis, degree * DEG);
        snw_quat r = snw_joint_limit_apply(joint, q);
        double expected_deg = fmin(degree, limit_deg);
        /* Round-off of a few trigonometric functions. */
        check_quat_near(r, snw_quat_from_axis_angle(axis, expected_deg * DEG), 1e-14);
        check_near(snw_joint_limit_violation(joint, q), (degree - expected_deg) * DEG, 1e-14);
    }
}

static void hand_limits_of_the_thesis_clamp_where_the_table_says(void **state)
{
    (void)state;
    const snw_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    for (size_t i = 0; i < sizeof hand_rows / sizeof hand_rows[0]; i++) {
        const double *about_x = hand_rows[i].about_x_deg, *about_y = hand_rows[i].about_y_deg;
        /* The bone along z: turning about +x takes it to -y, about +y to +x. */
        limit_case cone = {.type = SNW_JOINT_BALL,
                           .axes_apart_deg = 90,
                           .swing = SNW_SWING_CONE,
                           .cone_deg = {about_y[0], about_x[0], about_y[1], about_x[1]},
                           .has_twist = true};
        snw_joint joint = limit_case_joint(&cone, snw_quat_identity());
        assert_int_equal(snw_joint_check(&joint, NULL), SNW_OK);
        check_hand_turn(&joint, x, about_x[1]);
        check_hand_turn(&joint, snw_vec3_neg(x), about_x[0]);
        check_hand_turn(&joint, y, about_y[0]);
        check_hand_turn(&joint, snw_vec3_neg(y), about_y[1]);
        if (about_y[0] != 0) continue;
        joint.type = SNW_JOINT_HINGE;
        joint.axis = x;
        joint.limit.has_range[0] = true;
        joint.limit.range[0][0] = -about_x[0] * DEG;
        joint.limit.range[0][1] = about_x[1] * DEG;
        check_hand_turn(&joint, x, about_x[1]);
        /* Backwards beyond half way round the other end is nearer. */
        check_quat_near(snw_joint_limit_apply(&joint, snw_quat_from_axis_angle(x, -175 * DEG)),
                        snw_quat_from_axis_angle(x, about_x[1] * DEG), 1e-14);
    }
}

/* Known nearest points of ellipses, as semi-axes and points in radians. */
static void cone_reaches_known_ellipse_points(void **state)
{
    (void)state;
    /* The first is scaled by half: (3, 2) is further than straight behind. */
    static const double rows[][6] = {{1, 0.5, 1.5, 1, 0.8627056275, 0.2528532185},
                                     {0.5, 2, 1, 1, 0.443028865, 0.927149824}};
    for (int i = 0; i < 2; i++) {
        limit_case cone = {.type = SNW_JOINT_BALL, .axes_apart_deg = 90, .swing = SNW_SWING_CONE};
        snw_joint joint = limit_case_joint(&cone, snw_quat_identity());
        joint.limit.cone[0] = joint.limit.cone[2] = rows[i][0];
        joint.limit.cone[1] = joint.limit.cone[3] = rows[i][1];
        double x = rows[i][2], y = rows[i][3], to[2];
        /* The swing to (x, y) turns about (-y, x). */
        snw_quat q = snw_quat_exp(snw_vec3_make(-y, x, 0));
        swing_plane_point(&joint, snw_joint_limit_apply(&joint, q), to);
        /* Printed to nine decimals. */
        check_near(to[0], rows[i][4], 1e-9);
        check_near(to[1], rows[i][5], 1e-9);
    }
}

/* A half turn is one about an axis and about its opposite, so the bone may have come from either of
 * two opposite sides: the wider one is nearer. */
static void straight_behind_falls_to_the_wider_of_two_sides(void **state)
{
    (void)state;
    limit_case cone = {.type = SNW_JOINT_BALL,
                       .axes_apart_deg = 90,
                       .swing = SNW_SWING_CONE,
                       .cone_deg = {60, 50, 30, 40}};
    /* A frame that is not aligned leaves round-off in place of the zeros of a half turn. */
    snw_quat frame = snw_quat_normalize(snw_quat_make(0.3, -0.5, 0.7, 0.2));
    snw_joint joint = limit_case_joint(&cone, frame);
    /* 7.5: not on an axis, where the two sides could be equal. */
    for (double degree = 7.5; degree < 360; degree += 15) {
        snw_vec3 across =
            snw_quat_rotate(frame, snw_vec3_make(cos(degree * DEG), sin(degree * DEG), 0));
        snw_quat half_turn = snw_quat_make(0, across.x, across.y, across.z);
        /* 1e-7 from straight behind on either side: the result is as near. */
        snw_quat one = snw_quat_from_axis_angle(across, SNW_PI - 1e-7);
        snw_quat two = snw_quat_from_axis_angle(across, -SNW_PI + 1e-7);
        bool is_one =
            snw_joint_limit_violation(&joint, one) < snw_joint_limit_violation(&joint, two);
        check_quat_near(snw_joint_limit_apply(&joint, half_turn),
                        snw_joint_limit_apply(&joint, is_one ? one : two), 1e-6);
    }
    joint = limit_case_joint(&cone, snw_quat_identity());
    /* Straight behind is allowed from +x, and a half turn about y comes from there. */
    joint.limit.cone[0] = SNW_PI;
    assert_true(snw_joint_limit_violation(&joint, snw_quat_make(0, 0, 1, 0)) == 0);
    assert_true(snw_joint_limit_violation(&joint, snw_quat_make(0, 0, -1, 0)) == 0);
    assert_true(snw_joint_limit_violation(&joint, snw_quat_make(0, 1, 0, 0)) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinge_and_universal_are_nearer_than_any_grid_point),
        cmocka_unit_test(swings_are_nearer_in_the_swing_plane_than_any_edge_sample),
        cmocka_unit_test(in_front_the_nearest_swing_is_near_the_nearest_direction),
        cmocka_unit_test(twists_go_to_the_nearer_end_and_swings_stay),
        cmocka_unit_test(what_is_as_far_as_can_be_comes_back),
        cmocka_unit_test(small_changes_move_the_result_a_little),
        cmocka_unit_test(universal_is_continuous_near_what_it_allows),
        cmocka_unit_test(hand_limits_of_the_thesis_clamp_where_the_table_says),
        cmocka_unit_test(cone_reaches_known_ellipse_points),
        cmocka_unit_test(straight_behind_falls_to_the_wider_of_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The shared linear system: every goal kind's rows against finite differences of its residual, and
 * the normals of ball limits against differences of the limits themselves. */
#include "ik_bodies.h"

#include <sinew/dense.h>

#include "ik/core/bounds.h"
#include "ik/core/newton.h"
#include "ik/core/system_matrix.h"

#define SAMPLES 40

static snw_skeleton *zoo_create(void)
{
    snw_joint_def defs[ZOO_JOINTS];
    snw_pin pin = {7, 8, {0.1, 0.2, 0}, {0, 0.1, 0.3}};
    snw_skeleton *body = NULL;
    zoo_fill(defs);
    assert_int_equal(snw_skeleton_create_pinned(&(snw_skeleton_def){defs, ZOO_JOINTS, &pin, 1},
                                                NULL, &body, NULL),
                     SNW_OK);
    return body;
}

static snw_vec3 random_point(snw_random *random)
{
    double z = snw_random_range(random, -1, 1), y = snw_random_range(random, -1, 1);
    return snw_vec3_make(snw_random_range(random, -1, 1), y, z);
}

static void pose_randomise(snw_pose *pose, snw_random *random)
{
    const snw_skeleton *body = pose->skeleton;
    snw_vec3 translation = random_point(random);
    pose->root = snw_xform_make(snw_random_rotation(random), translation);
    for (int i = 0; i < body->joint_count; i++) {
        double values[6];
        for (int k = 0; k < 6; k++)
            values[k] = snw_random_range(random, -1, 1);
        snw_joint_from_values(&body->joint[i], values, &pose->rotation[i], &pose->slide[i]);
    }
    snw_pose_forward(pose);
}

/* A pole on the side where the elbow is: rows of poles near the line are weighed by how near, and
 * exact only where the pole is met. */
static snw_vec3 pole_met(const snw_pose *pose, int elbow, int root, int tip, double along)
{
    snw_vec3 origin = pose->world[root].translation, zero = snw_vec3_make(0, 0, 0);
    snw_vec3 axis = snw_vec3_unit(snw_vec3_sub(pose->world[tip].translation, origin), zero);
    snw_vec3 way = snw_vec3_sub(pose->world[elbow].translation, origin);
    snw_vec3 beside = snw_vec3_add_scaled(way, -snw_vec3_dot(way, axis), axis);
    return snw_vec3_add(origin, snw_vec3_add_scaled(snw_vec3_scale(axis, along), 2, beside));
}

/* One goal of every kind; those of the second half sit elsewhere in the body. */
static int goals_fill(snw_goal *goals, const snw_pose *pose, snw_random *random)
{
    snw_vec3 p = random_point(random), d = snw_random_direction(random);
    /* Near the present frame: rows are exact where the goal is met, and 1e-4 rad is met to within
     * the tolerance below. */
    snw_quat near = snw_quat_mul(snw_quat_exp(snw_vec3_scale(d, 1e-5)), pose->world[7].rotation);
    snw_vec3 eye = snw_pose_point(pose, 6, p);
    snw_vec3 sight = snw_quat_rotate(pose->world[6].rotation, d);
    snw_vec3 floor = snw_vec3_add_scaled(snw_pose_point(pose, 7, p), 0.5, d);
    int n = 0;
    goals[n++] = snw_goal_position(7, p, random_point(random));
    goals[n++] = snw_goal_orientation(7, near);
    goals[n++] = snw_goal_pose(7, p, random_point(random), near);
    goals[n++] = snw_goal_aim(6, p, d, snw_vec3_add_scaled(eye, 1.5, sight));
    goals[n++] = snw_goal_pole(4, 1, 7, pole_met(pose, 4, 1, 7, snw_random_range(random, -2, 2)));
    goals[n++] = snw_goal_line(8, p, random_point(random), d);
    goals[n++] = snw_goal_plane(8, p, random_point(random), d);
    goals[n++] = snw_goal_side(7, p, floor, d);
    /* By axes: exact anywhere within a turn; with a free axis where that is met, whatever the spin.
     */
    snw_quat spun = snw_quat_mul(near, snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 2 * d.x));
    goals[n++] = snw_goal_axes(
        6, snw_quat_mul(snw_quat_exp(snw_vec3_scale(random_point(random), 1.5)), near),
        snw_vec3_make(1, 0.4, 0.2));
    goals[n++] = snw_goal_axes(7, spun, snw_vec3_make(1, 0, 0.5));
    goals[n++] = snw_goal_value(0, 1, 0.3);
    goals[n++] = snw_goal_value(2, 1, 0.3);
    goals[n++] = snw_goal_value(3, 0, 0.3);
    goals[n++] = snw_goal_value(4, 5, 0.3);
    goals[n++] = snw_goal_rest(-1);
    for (int i = 0; i < n; i++)
        goals[i].weight = 0.5 + i;
    return n;
}

/* Residual after coordinate `column` moved by `amount`. */
static void moved_residual(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                           int column, double amount)
{
    memset(system->step, 0, (size_t)system->column_count * sizeof *system->step);
    system->step[column] = amount;
    snw__ik_snapshot_take(&system->start, pose);
    (void)snw__ik_system_move(system, 1, pose);
    snw__ik_system_measure(system, goals, pose);
    snw__ik_snapshot_restore(&system->start, pose);
    snw_pose_forward(pose);
}

static void check_rows(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    double h = 1e-5, plus[72];
    int n = system->column_count;
    for (int c = 0; c < n; c++) {
        moved_residual(system, goals, pose, c, h);
        memcpy(plus, system->residual, (size_t)system->row_count * sizeof *plus);
        moved_residual(system, goals, pose, c, -h);
        for (int k = 0; k < system->row_count; k++) {
            /* r = target - present, so its slope is -J. Differences of step 1e-5 are good to 1e-9
             * of the third derivative; poles near their line have large ones. */
            double slope = (plus[k] - system->residual[k]) / (2 * h);
            double row = system->jacobian[(size_t)k * (size_t)n + (size_t)c];
            check_near(-slope, row, 2e-5 * (1 + fabs(row)));
        }
    }
}

static void rows_are_the_slopes_of_every_goal_kind(void **state)
{
    (void)state;
    snw_skeleton *body = zoo_create();
    snw_pose *pose = NULL;
    snw_goal goals[16];
    snw_random random = snw_random_seed(11, 1);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int sample = 0; sample < CHECK_SAMPLES(SAMPLES); sample++) {
        snw_ik *ik = NULL;
        snw_ik_options options = snw_ik_options_default();
        options.solver = SNW_IK_DLS;
        options.root = SNW_IK_ROOT_FREE;
        pose_randomise(pose, &random);
        int count = goals_fill(goals, pose, &random);
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, goals, count}, &options, NULL, &ik, NULL),
            SNW_OK);
        snw__ik_system_build(ik->system, goals, pose);
        assert_int_equal(ik->system->column_count, 6 + 3 + 1 + 2 + 1 + 6 + 1 + 3 + 3);
        check_rows(ik->system, goals, pose);
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Far from the target the rows of turns are not exact, but J^T r must be the slope of the energy.
 */
static void gradient_is_the_slope_of_the_energy_far_from_the_goal(void **state)
{
    (void)state;
    snw_skeleton *body = zoo_create();
    snw_pose *pose = NULL;
    snw_random random = snw_random_seed(12, 1);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int sample = 0; sample < CHECK_SAMPLES(SAMPLES); sample++) {
        snw_ik *ik = NULL;
        snw_ik_options options = snw_ik_options_default();
        options.solver = SNW_IK_DLS;
        pose_randomise(pose, &random);
        snw_quat turned = snw_random_rotation(&random);
        snw_vec3 target = snw_vec3_scale(random_point(&random), 4);
        snw_vec3 axis = snw_random_direction(&random);
        snw_goal goals[2] = {snw_goal_orientation(7, turned),
                             snw_goal_aim(6, random_point(&random), axis, target)};
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, NULL), SNW_OK);
        snw__ik_system *system = ik->system;
        snw__ik_system_build(system, goals, pose);
        for (int c = 0; c < system->column_count; c++) {
            double h = 1e-5;
            moved_residual(system, goals, pose, c, h);
            double plus = system->energy;
            moved_residual(system, goals, pose, c, -h);
            check_near(-(plus - system->energy) / (2 * h), system->gradient[c], 1e-6);
        }
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* A step across the reported normals must leave the limit by the square of its length only, one
 * along them by the whole. */
static void ball_limit_normals_are_normal(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(13, 1);
    for (int sample = 0; sample < CHECK_SAMPLES(400); sample++) {
        snw_joint joint = {.type = SNW_JOINT_BALL, .axis = {0, 0, 1}, .axis2 = {1, 0, 0}};
        joint.limit = snw_joint_limit_none();
        joint.limit.swing = SNW_SWING_CONE;
        for (int k = 0; k < 4; k++)
            joint.limit.cone[k] = snw_random_range(&random, 0.2, 1.2);
        joint.limit.has_twist = sample % 2 == 0;
        joint.limit.twist[0] = -0.4;
        joint.limit.twist[1] = 0.3;
        snw_quat asked = snw_random_rotation(&random);
        /* Straight behind the nearest point is not unique. */
        if (snw_quat_rotate(asked, joint.axis).z < -0.8) continue;
        snw_quat allowed = snw_joint_limit_apply(&joint, asked);
        snw__ik_normal normal[2];
        snw_vec3 free = snw_random_direction(&random);
        int count = snw__ik_limit_normals(&joint, asked, allowed, normal);
        for (int k = 0; k < count; k++)
            free = snw_vec3_add_scaled(free, -snw_vec3_dot(free, normal[k].turn), normal[k].turn);
        double h = 1e-4;
        snw_quat across = snw_quat_mul(allowed, snw_quat_exp(snw_vec3_scale(free, h)));
        /* h^2 times the curvature of the tightest cone, 1/0.2, and of its corners. */
        check_near(snw_joint_limit_violation(&joint, across), 0, 20 * h * h);
        for (int k = 0; k < count; k++) {
            snw_quat out = snw_quat_mul(allowed, snw_quat_exp(snw_vec3_scale(normal[k].turn, h)));
            assert_true(snw_joint_limit_violation(&joint, out) > 0.2 * h);
        }
    }
}

/* The hessian's rows hold the coordinates above; against dense elimination, limbs and limits
 * included. */
static void the_sparse_factor_solves_as_the_dense_one(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int goal_count;
        const char *joints[5];
    } rows[] = {{"humanoid", 5, {"left_wrist", "head", "left_ankle", "right_wrist", "right_ankle"}},
                {"hand25", 2, {"thumb_tip", "index_tip"}},
                {"arm7", 1, {"tool"}}};
    for (int r = 0; r < (int)(sizeof rows / sizeof *rows); r++) {
        snw_skeleton *body = preset(rows[r].body);
        snw_goal goals[5];
        snw_random random = snw_random_seed(71, 1);
        for (int g = 0; g < rows[r].goal_count; g++) {
            int joint = snw_skeleton_find_joint(body, rows[r].joints[g]);
            if (joint < 0) joint = body->joint_count - 1 - g;
            snw_vec3 target = snw_vec3_scale(snw_random_direction(&random), body->size);
            goals[g] = snw_goal_position(joint, snw_vec3_make(0.01, 0, 0.02), target);
        }
        snw_ik *ik = ik_of(body, goals, rows[r].goal_count, NULL);
        snw_pose *pose = pose_of(body);
        pose_scatter(pose, &random, 0.5);
        snw__ik_system *system = ik->system;
        snw__ik_system_build(system, goals, pose);
        int n = system->column_count;
        const snw__ik_pattern *pattern = system->pattern;
        double *m = test_calloc((size_t)pattern->entry_count, sizeof *m);
        double *dense = test_calloc((size_t)n * (size_t)n, sizeof *dense);
        double *x = test_calloc((size_t)n, sizeof *x), *y = test_calloc((size_t)n, sizeof *y);
        snw__ik_matrix_add_rows(system, 3, m);
        for (int c = 0; c < n; c++) {
            *snw__ik_matrix_entry(pattern, m, c, c) += 0.1;
            x[c] = y[c] = snw_random_range(&random, -1, 1);
        }
        for (int k = 0; k < system->row_count; k++)
            for (int c = 0; c < n * n; c++)
                dense[c] += 3 * system->jacobian[k * n + c / n] * system->jacobian[k * n + c % n];
        for (int c = 0; c < n; c++)
            dense[c * n + c] += 0.1;
        double *product = test_calloc((size_t)n, sizeof *product);
        snw__ik_matrix_multiply(system, m, x, product);
        for (int c = 0; c < n; c++)
            check_near(product[c], snw__ik_dot(&dense[c * n], x, n), 1e-12);
        assert_true(snw__ik_matrix_factor(system, m, 1e-12));
        snw__ik_matrix_solve(system, m, x);
        assert_int_equal(snw_cholesky_factor(dense, n), SNW_OK);
        assert_int_equal(snw_cholesky_solve(dense, n, y), SNW_OK);
        /* Condition 1e3 at most: diagonal 0.1 against rows of length 3. */
        for (int c = 0; c < n; c++)
            check_near(x[c], y[c], 1e-11);
        memset(m, 0, (size_t)pattern->entry_count * sizeof *m);
        snw__ik_matrix_add_rows(system, -1, m);
        assert_false(snw__ik_matrix_factor(system, m, 1e-12));
        test_free(m);
        test_free(dense);
        test_free(x);
        test_free(y);
        test_free(product);
        snw_pose_destroy(pose);
        snw_ik_destroy(ik);
        snw_skeleton_destroy(body);
    }
}

/* The curvature that a limit adds, against the second difference of the energy along the limit:
 * the force is held fixed, the joint slides. */
static void the_bend_of_a_limit_is_that_of_its_surface(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    int hip = snw_skeleton_find_joint(body, "left_hip");
    int ankle = snw_skeleton_find_joint(body, "left_ankle");
    snw_random random = snw_random_seed(72, 1);
    snw_pose *pose = pose_of(body);
    snw_goal goal = snw_goal_position(ankle, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik *ik = ik_of(body, &goal, 1, NULL);
    snw__ik_system *system = ik->system;
    const snw_joint *joint = &ik->joint[hip];
    int tried = 0;
    for (int sample = 0; sample < 200; sample++) {
        snw_quat asked = snw_random_rotation(&random);
        if (snw_quat_rotate(asked, joint->axis).z * joint->axis.z < -0.5) continue;
        snw_quat now = snw_joint_limit_apply(joint, asked);
        snw__ik_normal normal[2];
        if (snw__ik_limit_normals(joint, asked, now, normal) != 1 || normal[0].is_twist) continue;
        pose->rotation[hip] = now;
        snw_pose_forward(pose);
        snw__ik_system_build(system, &goal, pose);
        snw__ik_mover *mover = NULL;
        for (int m = 0; m < system->mover_count; m++)
            if (system->mover[m].joint == hip) mover = &system->mover[m];
        mover->normal_count = 1;
        mover->normal[0] = normal[0].turn;
        mover->holds_swing = true;
        double force[SNW__IK_MATRIX_COLUMNS] = {0};
        double *own = &force[mover->column_first];
        own[0] = normal[0].turn.x;
        own[1] = normal[0].turn.y;
        own[2] = normal[0].turn.z;
        snw__ik_bend bend = snw__ik_limit_bend(system, mover, pose, force);
        /* About the bone itself the direction stays: no curvature there, and -1/2 of the force
         * between that turn and the one along the limit, as in exp(w) they share a half. */
        snw_vec3 z = joint->axis, t = snw_vec3_cross(z, normal[0].turn);
        const double *f = bend.form;
        snw_vec3 fz = snw_vec3_make(f[0] * z.x + f[1] * z.y + f[3] * z.z,
                                    f[1] * z.x + f[2] * z.y + f[4] * z.z,
                                    f[3] * z.x + f[4] * z.y + f[5] * z.z);
        check_near(snw_vec3_dot(fz, z), 0, 2e-3);
        check_near(fabs(snw_vec3_dot(fz, t)), 0.5, 2e-3);
        tried++;
    }
    assert_true(tried > 5);
    snw_pose_destroy(pose);
    snw_ik_destroy(ik);
    snw_skeleton_destroy(body);
}

static double moved_energy(snw__ik_system *system, const snw_goal *goal, snw_pose *pose,
                           const double *way, double amount)
{
    memcpy(system->step, way, (size_t)system->column_count * sizeof *way);
    snw__ik_snapshot_take(&system->start, pose);
    (void)snw__ik_system_move(system, amount, pose);
    snw__ik_system_measure(system, goal, pose);
    snw__ik_snapshot_restore(&system->start, pose);
    snw_pose_forward(pose);
    return system->energy;
}

/* Of places, frames and aims, far from being met: against second differences along random ways. */
static void the_hessian_is_that_of_the_energy(void **state)
{
    (void)state;
    snw_joint_def defs[ZOO_JOINTS];
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(73, 1);
    zoo_fill(defs);
    assert_int_equal(snw_skeleton_create(defs, ZOO_JOINTS, NULL, &body, NULL), SNW_OK);
    snw_pose *pose = pose_of(body);
    for (int sample = 0; sample < 6 * SAMPLES; sample++) {
        snw_vec3 p = random_point(&random), d = snw_random_direction(&random);
        snw_vec3 target = snw_vec3_scale(random_point(&random), 3);
        pose_randomise(pose, &random);
        snw_quat turned = snw_quat_mul(snw_quat_exp(snw_vec3_scale(d, sample % 5 * 0.6)),
                                       pose->world[7].rotation);
        const snw_goal kinds[] = {
            snw_goal_position(7, p, target),     snw_goal_orientation(7, turned),
            snw_goal_pose(7, p, target, turned), snw_goal_aim(7, p, d, target),
            snw_goal_line(7, p, target, d),      snw_goal_plane(7, p, target, d)};
        const snw_goal *goal = &kinds[sample % 6];
        snw_ik *ik = ik_of(body, goal, 1, NULL);
        snw__ik_system *system = ik->system;
        double way[SNW__IK_MATRIX_COLUMNS], bent[SNW__IK_MATRIX_COLUMNS], h = 1e-4;
        for (int c = 0; c < system->column_count; c++)
            way[c] = snw_random_range(&random, -1, 1);
        (void)snw__ik_newton_is_settled(system, goal, pose);
        snw__ik_matrix_multiply(system, system->newton->full, way, bent);
        double form = snw__ik_dot(way, bent, system->column_count);
        double energy = moved_energy(system, goal, pose, way, 0);
        double second = (moved_energy(system, goal, pose, way, h) - 2 * energy +
                         moved_energy(system, goal, pose, way, -h)) /
                        (h * h);
        /* Round-off 1e-16 / h^2 of the energy, and h^2 of the fourth derivative, which grows with
         * the nearness of an aim's target. */
        check_near(second, form, 1e-5 * (1 + fabs(form) + energy));
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_slopes_of_every_goal_kind),
        cmocka_unit_test(gradient_is_the_slope_of_the_energy_far_from_the_goal),
        cmocka_unit_test(ball_limit_normals_are_normal),
        cmocka_unit_test(the_sparse_factor_solves_as_the_dense_one),
        cmocka_unit_test(the_hessian_is_that_of_the_energy),
        cmocka_unit_test(the_bend_of_a_limit_is_that_of_its_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The linear system along the tree: the elimination against the same normal equations written out
 * and solved by LAPACK, and everything the tree does for `lm` against the dense path. */
#include <lapacke.h>

#include "body_samples.h"
#include "check.h"
#include "ik/core/lm.h"
#include "ik/core/system_tree.h"
#include "ik_bodies.h"

extern const snw__ik_method snw__ik_lm;

/* ---- the elimination ---------------------------------------------------------------------- */

#define TREE_NODES 7

static const int tree_parent[TREE_NODES] = {-1, 0, 1, 1, 0, 4, -1};
/* Free root, ball, hinge, nothing, universal, five, a second root that slides. */
static const int tree_columns[TREE_NODES] = {6, 3, 1, 0, 2, 5, 4};
#define TREE_SIZE 21

static snw_vec3 random_vector(snw_random *random, double size)
{
    return snw_vec3_scale(snw_random_direction(random), size);
}

static snw__spatial random_motion(snw_random *random, double size)
{
    snw__spatial s = {random_vector(random, size), random_vector(random, size)};
    return s;
}

static snw_vec3 velocity_at(snw__spatial v, snw_vec3 q)
{
    return snw_vec3_add(v.shift, snw_vec3_cross(v.turn, q));
}

static void tree_fill(snw__tree_node *nodes, snw_random *random)
{
    memset(nodes, 0, TREE_NODES * sizeof *nodes);
    for (int n = 0; n < TREE_NODES; n++) {
        nodes[n].parent = tree_parent[n];
        nodes[n].column_count = tree_columns[n];
        for (int k = 0; k < tree_columns[n]; k++)
            nodes[n].column[k] = random_motion(random, 1);
        nodes[n].held = random_motion(random, 0.1);
        snw__tree_node_clear(nodes + n);
    }
}

/* Adds weight * (row row^T, row value) of one equation over all unknowns. */
typedef struct normal_equations {
    double matrix[TREE_SIZE * TREE_SIZE];
    double right[TREE_SIZE];
} normal_equations;

static void add_equation(normal_equations *equations, const double *row, double value,
                         double weight)
{
    for (int a = 0; a < TREE_SIZE; a++) {
        equations->right[a] += weight * row[a] * value;
        for (int b = 0; b < TREE_SIZE; b++)
            equations->matrix[a * TREE_SIZE + b] += weight * row[a] * row[b];
    }
}

static double part_of(snw_vec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/* The same point or turn, into the node and into the written-out equations. */
static void pull_at(snw__tree_node *nodes, int node, bool is_turn, snw_random *random,
                    normal_equations *equations)
{
    snw_vec3 q = random_vector(random, 0.6), r = random_vector(random, 0.1);
    double mass = snw_random_range(random, 0.2, 2);
    double row[3][TREE_SIZE] = {{0}};
    snw_vec3 left = r;
    for (int n = node; n >= 0; n = tree_parent[n]) {
        int first = 0;
        for (int k = 0; k < n; k++)
            first += tree_columns[k];
        snw__spatial held = nodes[n].held;
        left = snw_vec3_sub(left, is_turn ? held.turn : velocity_at(held, q));
        for (int k = 0; k < tree_columns[n]; k++) {
            snw__spatial s = nodes[n].column[k];
            snw_vec3 v = is_turn ? s.turn : velocity_at(s, q);
            for (int i = 0; i < 3; i++)
                row[i][first + k] = part_of(v, i);
        }
    }
    for (int i = 0; i < 3; i++)
        add_equation(equations, row[i], part_of(left, i), mass);
    if (is_turn)
        snw__tree_node_add_turn(nodes + node, mass, r);
    else
        snw__tree_node_add_point(nodes + node, q, mass, r);
}

static void elimination_agrees_with_lapack(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        snw_random random = snw_random_seed(seed, 1);
        snw__tree_node nodes[TREE_NODES];
        normal_equations equations = {{0}, {0}};
        tree_fill(nodes, &random);
        for (int n = 0; n < 4 * TREE_NODES; n++)
            pull_at(nodes, n % TREE_NODES, n % 5 == 0, &random, &equations);
        for (int a = 0; a < TREE_SIZE; a++)
            equations.matrix[a * TREE_SIZE + a] += 1e-3;
        assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', TREE_SIZE, 1, equations.matrix,
                                       TREE_SIZE, equations.right, 1),
                         0);
        assert_true(snw__tree_solve(nodes, TREE_NODES, 1e-3));
        /* Condition below 1e5, so both are good to about 1e-11. */
        for (int n = 0, at = 0; n < TREE_NODES; n++)
            for (int k = 0; k < tree_columns[n]; k++)
                check_near(nodes[n].rate[k], equations.right[at++], 1e-9);
    }
}

static void a_body_that_nothing_holds_is_refused(void **state)
{
    (void)state;
    snw__tree_node node;
    memset(&node, 0, sizeof node);
    node.parent = -1;
    node.column_count = 6;
    for (int k = 0; k < 3; k++) {
        snw_vec3 axis = snw_vec3_make(k == 0, k == 1, k == 2);
        node.column[k].turn = axis;
        node.column[3 + k].shift = axis;
    }
    assert_false(snw__tree_solve(&node, 1, 0));
    /* One point leaves the turns open; damping settles them. */
    snw__tree_node_add_point(&node, snw_vec3_make(1, 2, 3), 1, snw_vec3_make(0.1, 0, 0));
    assert_false(snw__tree_solve(&node, 1, 0));
    assert_true(snw__tree_solve(&node, 1, 1e-6));
}

/* ---- as part of lm ------------------------------------------------------------------------ */

#define GOALS_MAX 60

/* Points on every bone of the body, three on each, where `pose` has them; some noise, so that not
 * all can be met. */
static int goals_on_bones(const snw_pose *pose, snw_random *random, double noise, snw_goal *goals)
{
    const snw_skeleton *body = pose->skeleton;
    int count = 0;
    for (int j = 0; j < body->joint_count; j++)
        for (int k = 0; k < 3 && count < GOALS_MAX; k++) {
            snw_vec3 point = random_vector(random, 0.1 * body->size);
            snw_vec3 at = snw_vec3_add(snw_pose_point(pose, j, point),
                                       random_vector(random, noise * body->size));
            goals[count] = k == 2 && j % 4 == 1
                               ? snw_goal_pose(j, point, at, pose->world[j].rotation)
                               : snw_goal_position(j, point, at);
            goals[count++].weight = snw_random_range(random, 0.5, 2);
        }
    return count;
}

/* The zoo with limits on most joints; without pins. */
static snw_skeleton *zoo_of_limits(void)
{
    snw_joint_def defs[ZOO_JOINTS];
    snw_skeleton *body = NULL;
    zoo_fill(defs);
    for (int i = 0; i < ZOO_JOINTS; i++) {
        snw_joint_limit *limit = &defs[i].joint.limit;
        if (defs[i].joint.type == SNW_JOINT_BALL) *limit = i == 6 ? window_limit() : cone_limit();
        for (int k = 0; k < 2; k++) {
            limit->has_range[k] = true;
            limit->range[k][0] = -0.4;
            limit->range[k][1] = 0.5;
        }
    }
    assert_int_equal(snw_skeleton_create(defs, ZOO_JOINTS, NULL, &body, NULL), SNW_OK);
    return body;
}

typedef struct tree_case {
    snw_skeleton *body;
    snw_ik_root root;
    double spread; /* of start and target poses, radians */
} tree_case;

static int tree_cases(tree_case *cases)
{
    int n = 0;
    cases[n++] = (tree_case){preset("humanoid"), SNW_IK_ROOT_FREE, 0.3};
    cases[n++] = (tree_case){preset("humanoid"), SNW_IK_ROOT_FIXED, 0.6};
    cases[n++] = (tree_case){zoo_of_limits(), SNW_IK_ROOT_FREE, 0.6};
    cases[n++] = (tree_case){zoo_of_limits(), SNW_IK_ROOT_FIXED, 0.9};
    return n;
}

/* The same problem twice: `along_tree` as lm lays it out, `dense` as a method lays it out that
 * needs the jacobian. */
typedef struct twin {
    snw_ik *along_tree, *dense;
    snw_pose *pose, *other;
    snw_goal goals[GOALS_MAX];
    int goal_count;
} twin;

static twin twin_create(const tree_case *on, snw_random *random)
{
    twin t = {0};
    snw_ik_options options = snw_ik_options_default();
    options.root = on->root;
    /* Tight, so that answers are compared at the end of the road and not on the way. */
    options.tolerance = 1e-9;
    options.restart_max = 0;
    t.pose = pose_of(on->body);
    t.other = pose_of(on->body);
    pose_scatter(t.other, random, on->spread);
    t.goal_count = goals_on_bones(t.other, random, 0.05, t.goals);
    options.solver = SNW_IK_LM;
    t.along_tree = ik_of(on->body, t.goals, t.goal_count, &options);
    options.solver = SNW_IK_DLS;
    t.dense = ik_of(on->body, t.goals, t.goal_count, &options);
    assert_non_null(t.along_tree->system->tree);
    assert_null(t.dense->system->tree);
    pose_scatter(t.pose, random, 0.5 * on->spread);
    snw_pose_copy(t.other, t.pose);
    return t;
}

static void twin_destroy(twin *t)
{
    snw_ik_destroy(t->along_tree);
    snw_ik_destroy(t->dense);
    snw_pose_destroy(t->pose);
    snw_pose_destroy(t->other);
}

static void damped(snw__ik_system *system, void *context)
{
    snw__ik_system_solve_damped(system, *(const double *)context);
}

static int count_held(const snw__ik_system *system)
{
    int count = 0;
    for (int c = 0; c < system->column_count; c++)
        count += system->is_held[c];
    for (int m = 0; m < system->mover_count; m++)
        count += system->mover[m].normal_count;
    return count;
}

static void a_step_with_limits_is_that_of_the_dense_system(void **state)
{
    (void)state;
    tree_case cases[4];
    int case_count = tree_cases(cases), held = 0;
    snw_random random = snw_random_seed(21, 1);
    for (int n = 0; n < case_count; n++)
        for (int sample = 0; sample < 20; sample++) {
            twin t = twin_create(&cases[n], &random);
            snw__ik_system *tree = t.along_tree->system, *dense = t.dense->system;
            double lambda = sample % 2 ? 1e-2 : 1e-5;
            snw__ik_system_build(tree, t.goals, t.pose);
            snw__ik_system_build(dense, t.goals, t.pose);
            double energy = tree->energy;
            check_near(energy, dense->energy, 1e-12 * energy);
            double scale = snw__ik_system_scale(dense);
            /* Sums of some hundred products in another order. */
            check_near(snw__ik_system_scale(tree), scale, 1e-12 * scale);
            for (int c = 0; c < dense->column_count; c++)
                check_near(tree->gradient[c], dense->gradient[c], 1e-12 * sqrt(scale * energy));
            snw__ik_system_find_step(tree, damped, &lambda, t.pose);
            snw__ik_system_find_step(dense, damped, &lambda, t.pose);
            /* Condition up to scale / lambda = 1e6: 1e-10 of steps of about 1. */
            for (int c = 0; c < dense->column_count; c++)
                check_near(tree->step[c], dense->step[c], 1e-8);
            check_near(snw__ik_system_expected_gain(tree, energy),
                       snw__ik_system_expected_gain(dense, energy), 1e-9 * energy);
            assert_int_equal(count_held(tree), count_held(dense));
            held += count_held(tree);
            twin_destroy(&t);
        }
    /* Many limits were met on the way, or this would be a test of something else. */
    assert_true(held > 100);
    for (int n = 0; n < case_count; n++)
        snw_skeleton_destroy(cases[n].body);
}

static void lm_gives_the_same_answer_with_and_without_the_tree(void **state)
{
    (void)state;
    tree_case cases[4];
    int case_count = tree_cases(cases);
    snw_random random = snw_random_seed(22, 1);
    for (int n = 0; n < case_count; n++) {
        for (int sample = 0; sample < 10; sample++) {
            twin t = twin_create(&cases[n], &random);
            snw_ik_result result = snw_ik_solve(t.along_tree, t.goals, t.pose);
            /* The goals as the first solve saw them: weights against the heaviest. */
            snw__ik_report report = snw__ik_lm.solve(t.dense, NULL, t.along_tree->scaled, t.other);
            assert_int_equal(result.iterations, report.iterations);
            /* Rounding of some ten steps, each good to 1e-8. */
            check_vec3_near(t.pose->root.translation, t.other->root.translation, 1e-6);
            for (int j = 0; j < cases[n].body->joint_count; j++) {
                check_quat_near(t.pose->rotation[j], t.other->rotation[j], 1e-6);
                check_vec3_near(t.pose->slide[j], t.other->slide[j], 1e-6);
            }
            check_near(snw_pose_violation(t.pose), 0, SNW_LIMIT_TOLERANCE);
            twin_destroy(&t);
        }
        snw_skeleton_destroy(cases[n].body);
    }
}

/* What the tree cannot say, or says no faster, stays with the jacobian. */
static void other_problems_keep_the_jacobian(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    snw_random random = snw_random_seed(3, 3);
    snw_goal goals[GOALS_MAX + 1];
    int count = goals_on_bones(pose, &random, 0.01, goals);
    snw_ik_options options = snw_ik_options_default();
    goals[count] = snw_goal_rest(-1);
    static const snw_ik_solver solver[] = {SNW_IK_LM, SNW_IK_AUTO, SNW_IK_DLS, SNW_IK_LM,
                                           SNW_IK_LM};
    const int used[] = {count, count, count, count + 1, 1};
    static const bool is_tree[] = {true, true, false, false, false};
    for (int k = 0; k < 5; k++) {
        options.solver = solver[k];
        snw_ik *ik = ik_of(body, goals, used[k], &options);
        assert_int_equal(ik->system->tree != NULL, is_tree[k]);
        (void)snw_ik_solve(ik, goals, pose);
        assert_true(pose_is_finite(pose));
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- large bodies --------------------------------------------------------------------------- */

/* A long limb that branches now and then, of hinges and balls with narrow limits: minima that are
 * wrong in one place are everywhere. */
static snw_skeleton *large_tree(int joint_count, snw_random *random)
{
    snw_joint_def *defs = test_calloc((size_t)joint_count, sizeof *defs);
    char(*names)[16] = test_calloc((size_t)joint_count, sizeof *names);
    for (int i = 0; i < joint_count; i++) {
        bool branches = i > 2 && snw_random_unit(random) < 0.2;
        defs[i] = snw_joint_def_default();
        snw_format(names[i], sizeof names[i], "j%d", i);
        defs[i].name = names[i];
        defs[i].parent = branches ? (int)snw_random_below(random, (uint32_t)i - 1) : i - 1;
        defs[i].joint = sample_joint(i % 2 ? SNW_JOINT_HINGE : SNW_JOINT_BALL, random);
        snw_vec3 direction = snw_random_direction(random);
        defs[i].rest.translation = snw_vec3_scale(direction, snw_random_range(random, 0.05, 0.3));
        snw_joint_limit *limit = &defs[i].joint.limit;
        limit->has_range[0] = i % 2 == 1;
        limit->range[0][0] = snw_random_range(random, -2, -0.1);
        limit->range[0][1] = snw_random_range(random, 0.1, 2);
        if (i % 2) continue;
        limit->swing = SNW_SWING_CONE;
        for (int k = 0; k < 4; k++)
            limit->cone[k] = snw_random_range(random, 0.1, 1.6);
        limit->has_twist = true;
        limit->twist[0] = snw_random_range(random, -1, -0.05);
        limit->twist[1] = snw_random_range(random, 0.05, 1);
    }
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, joint_count, NULL, &body, NULL), SNW_OK);
    test_free(names);
    test_free(defs);
    return body;
}

/* Two hundred joints with a place for every fifth: what a pose inside the limits has is reached
 * from another one, and by the same bits again. 18 of these 20 are, without mends 13. */
static void large_bodies_reach_what_they_can(void **state)
{
    enum {
        JOINTS = 200,
        EVERY = 5,
        CASES = 20
    };
    (void)state;
    snw_random random = snw_random_seed(25, 3);
    int reached = 0;
    for (int k = 0; k < CASES; k++) {
        snw_skeleton *body = large_tree(JOINTS, &random);
        snw_pose *pose = pose_of(body), *other = pose_of(body);
        for (int j = 0; j < JOINTS; j++)
            snw__ik_scatter_joint(&body->joint[j], body->size, &random, &pose->rotation[j],
                                  &pose->slide[j]);
        (void)snw_pose_apply_limits(pose);
        snw_pose_forward(pose);
        snw_goal goals[JOINTS / EVERY];
        int count = 0;
        for (int j = EVERY - 1; j < JOINTS; j += EVERY)
            goals[count++] =
                snw_goal_position(j, snw_vec3_make(0, 0, 0), pose->world[j].translation);
        for (int j = 0; j < JOINTS; j++)
            snw__ik_scatter_joint(&body->joint[j], body->size, &random, &pose->rotation[j],
                                  &pose->slide[j]);
        snw_pose_copy(other, pose);
        snw_ik *ik = ik_of(body, goals, count, NULL);
        snw_ik_result result = snw_ik_solve(ik, goals, pose);
        (void)snw_ik_solve(ik, goals, other);
        reached += result.outcome == SNW_IK_REACHED;
        check_near(snw_pose_violation(pose), 0, SNW_LIMIT_TOLERANCE);
        assert_memory_equal(pose->rotation, other->rotation, JOINTS * sizeof(snw_quat));
        for (int g = 0; result.outcome == SNW_IK_REACHED && g < count; g++)
            assert_true(snw_vec3_distance(pose->world[goals[g].joint].translation,
                                          goals[g].position) <= 1.0001e-4 * body->size);
        snw_ik_destroy(ik);
        snw_pose_destroy(pose);
        snw_pose_destroy(other);
        snw_skeleton_destroy(body);
    }
    print_message("large bodies: %d of %d reached\n", reached, CASES);
    assert_true(reached >= CASES - 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_bodies_reach_what_they_can),
        cmocka_unit_test(elimination_agrees_with_lapack),
        cmocka_unit_test(a_body_that_nothing_holds_is_refused),
        cmocka_unit_test(a_step_with_limits_is_that_of_the_dense_system),
        cmocka_unit_test(lm_gives_the_same_answer_with_and_without_the_tree),
        cmocka_unit_test(other_problems_keep_the_jacobian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The tree elimination against the same normal equations written out and solved by LAPACK. */
#include <lapacke.h>

#include "check.h"
#include "mocap/body_system.h"

#define SYSTEM_JOINTS 6
#define SYSTEM_SIZE   (6 + 3 * (SYSTEM_JOINTS - 1))

static const int system_parent[SYSTEM_JOINTS] = {-1, 0, 1, 1, 0, 4};

typedef struct system_marker {
    int joint;
    snw_vec3 place, residual;
    double mass;
} system_marker;

static snw_vec3 random_vector(snw_random *random, double size)
{
    return snw_vec3_scale(snw_random_direction(random), size);
}

/* Row block d(point)/d(unknowns): root turn, root shift, then joint turns. */
static void fill_row(const snw__body_node *nodes, const system_marker *marker,
                     double row[3][SYSTEM_SIZE])
{
    memset(row, 0, 3 * SYSTEM_SIZE * sizeof(double));
    for (int j = marker->joint; j >= 0; j = system_parent[j])
        for (int k = 0; k < 3; k++) {
            snw_vec3 axis = snw_vec3_make(k == 0, k == 1, k == 2);
            snw_vec3 arm = j ? snw_vec3_sub(marker->place, nodes[j].center) : marker->place;
            snw_vec3 move = snw_vec3_cross(axis, arm);
            int column = j ? 6 + 3 * (j - 1) + k : k;
            row[0][column] = move.x;
            row[1][column] = move.y;
            row[2][column] = move.z;
        }
    for (int k = 0; k < 3; k++)
        row[k][3 + k] = 1;
}

static void elimination_agrees_with_lapack(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        snw_random random = snw_random_seed(seed, 1);
        snw__body_node nodes[SYSTEM_JOINTS];
        memset(nodes, 0, sizeof nodes);
        double normal[SYSTEM_SIZE * SYSTEM_SIZE] = {0}, right[SYSTEM_SIZE] = {0};
        for (int j = 0; j < SYSTEM_JOINTS; j++) {
            nodes[j].parent = system_parent[j];
            nodes[j].center = random_vector(&random, 0.5);
            nodes[j].damping = 1e-3;
            snw__body_node_clear(nodes + j);
        }
        for (int n = 0; n < 3 * SYSTEM_JOINTS; n++) {
            system_marker marker = {n % SYSTEM_JOINTS, random_vector(&random, 0.6),
                                    random_vector(&random, 0.1), snw_random_range(&random, 0.2, 2)};
            double row[3][SYSTEM_SIZE];
            fill_row(nodes, &marker, row);
            const double r[3] = {marker.residual.x, marker.residual.y, marker.residual.z};
            for (int k = 0; k < 3; k++)
                for (int a = 0; a < SYSTEM_SIZE; a++) {
                    right[a] += marker.mass * row[k][a] * r[k];
                    for (int b = 0; b < SYSTEM_SIZE; b++)
                        normal[a * SYSTEM_SIZE + b] += marker.mass * row[k][a] * row[k][b];
                }
            snw__body_node_add(nodes + marker.joint, marker.place, marker.mass, marker.residual);
        }
        for (int a = 0; a < SYSTEM_SIZE; a++)
            normal[a * SYSTEM_SIZE + a] += 1e-3;
        assert_int_equal(
            LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', SYSTEM_SIZE, 1, normal, SYSTEM_SIZE, right, 1), 0);
        assert_true(snw__body_factor(nodes, SYSTEM_JOINTS));
        snw__body_solve(nodes, SYSTEM_JOINTS);
        /* Condition below 1e5, so both are good to about 1e-11. */
        check_vec3_near(nodes[0].motion.turn, snw_vec3_make(right[0], right[1], right[2]), 1e-9);
        check_vec3_near(nodes[0].motion.shift, snw_vec3_make(right[3], right[4], right[5]), 1e-9);
        for (int j = 1; j < SYSTEM_JOINTS; j++) {
            const double *u = right + 6 + 3 * (j - 1);
            check_vec3_near(nodes[j].turn, snw_vec3_make(u[0], u[1], u[2]), 1e-9);
        }
    }
}

static void a_body_without_markers_is_refused(void **state)
{
    (void)state;
    snw__body_node node;
    memset(&node, 0, sizeof node);
    node.parent = -1;
    assert_false(snw__body_factor(&node, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elimination_agrees_with_lapack),
        cmocka_unit_test(a_body_without_markers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Maps of what an effector reaches, against closed forms: a shoulder, an elbow and a wrist without
 * limits hold their hand at every place between the difference and the sum of both bones. */
#include "ik_bodies.h"

#define UPPER 0.3
#define LOWER 0.22
#define HAND  0.09

static snw_skeleton *arm_of(void)
{
    snw_joint_def defs[4];
    static const double length[4] = {0.1, UPPER, LOWER, 0};
    snw_skeleton *body = NULL;
    for (int k = 0; k < 4; k++) {
        defs[k] = snw_joint_def_default();
        defs[k].parent = k - 1;
        defs[k].rest.translation = snw_vec3_make(0, k ? length[k - 1] : 0, 0);
    }
    defs[0].name = "base", defs[0].joint.type = SNW_JOINT_FIXED;
    defs[1].name = "shoulder", defs[1].joint.type = SNW_JOINT_BALL;
    defs[2].name = "elbow", defs[2].joint.type = SNW_JOINT_HINGE;
    defs[2].joint.axis = snw_vec3_make(1, 0, 0);
    defs[2].joint.limit.has_range[0] = true;
    defs[2].joint.limit.range[0][0] = 0;
    defs[2].joint.limit.range[0][1] = SNW_PI;
    defs[3].name = "wrist", defs[3].joint.type = SNW_JOINT_BALL;
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, NULL), SNW_OK);
    return body;
}

/* How far inside the reach of the two bones a place of the wrist is; negative: outside. */
static double depth_of(snw_vec3 wrist)
{
    double distance = snw_vec3_distance(wrist, snw_vec3_make(0, 0.1, 0));
    return fmin(UPPER + LOWER - distance, distance - (UPPER - LOWER));
}

static snw_vec3 cell_center(const snw_reach_map *map, int x, int y, int z)
{
    return snw_vec3_add(map->first, snw_vec3_make(x * map->cell, y * map->cell, z * map->cell));
}

static void places_are_those_of_the_closed_form(void **state)
{
    snw_skeleton *body = arm_of();
    snw_reach_map_options options = snw_reach_map_options_default();
    snw_reach_map *map = NULL;
    int sure = 0;
    (void)state;
    options.direction_count = 0;
    options.cell = 0.05;
    assert_int_equal(snw_reach_map_create(body, 3, &options, NULL, &map, NULL), SNW_OK);
    assert_int_equal(map->orientation_count, 0);
    for (int z = 0; z < map->count[2]; z++)
        for (int y = 0; y < map->count[1]; y++)
            for (int x = 0; x < map->count[0]; x++) {
                double depth = depth_of(cell_center(map, x, y, z));
                float share = map->share[(z * map->count[1] + y) * map->count[0] + x];
                if (fabs(depth) < 2e-3) continue; /* the tolerance is a thousandth of the arm */
                assert_true(share == (depth > 0 ? 1.0f : 0.0f));
                sure++;
            }
    assert_true(sure > 9 * map->count[0] * map->count[1] * map->count[2] / 10);
    /* The shell between two balls; a cell is a tenth of its breadth. */
    double ball = 4 * SNW_PI / 3 * (pow(UPPER + LOWER, 3) - pow(UPPER - LOWER, 3));
    check_near(map->volume / ball, 1, 0.05);
    snw_reach_map_destroy(map);
    snw_skeleton_destroy(body);
}

/* With the hand's length along its own z, the wrist stands behind the place by the direction: the
 * lattice's directions are written out a second time here. */
static void shares_count_the_directions_of_the_closed_form(void **state)
{
    enum {
        DIRECTIONS = 20
    };
    snw_skeleton *body = arm_of();
    snw_reach_map_options options = snw_reach_map_options_default();
    snw_reach_map *map = NULL;
    int compared = 0, partly = 0;
    (void)state;
    options.direction_count = DIRECTIONS;
    options.roll_count = 2;
    options.cell = 0.12;
    options.point = snw_vec3_make(0, 0, HAND);
    assert_int_equal(snw_reach_map_create(body, 3, &options, NULL, &map, NULL), SNW_OK);
    assert_int_equal(map->orientation_count, 2 * DIRECTIONS);
    for (int z = 0; z < map->count[2]; z++)
        for (int y = 0; y < map->count[1]; y++)
            for (int x = 0; x < map->count[0]; x++) {
                int inside = 0, unsure = 0;
                for (int n = 0; n < DIRECTIONS; n++) {
                    double height = 1 - (2 * n + 1.0) / DIRECTIONS, angle = 2.399963229728653 * n;
                    double radius = sqrt(1 - height * height);
                    snw_vec3 d = snw_vec3_make(radius * cos(angle), radius * sin(angle), height);
                    double depth =
                        depth_of(snw_vec3_sub(cell_center(map, x, y, z), snw_vec3_scale(d, HAND)));
                    inside += depth > 0;
                    unsure += fabs(depth) < 2e-3;
                }
                if (unsure) continue;
                float share = map->share[(z * map->count[1] + y) * map->count[0] + x];
                check_near(share, (double)inside / DIRECTIONS, 1e-6);
                partly += inside > 0 && inside < DIRECTIONS;
                compared++;
            }
    assert_true(compared > 400 && partly > 50);
    snw_reach_map_destroy(map);
    snw_skeleton_destroy(body);
}

/* Joint limits take away: an elbow that bends to a right angle at most leaves a hole. */
static void limits_leave_a_hole(void **state)
{
    snw_skeleton *free_arm = arm_of(), *body = NULL;
    snw_joint_def defs[4];
    (void)state;
    for (int k = 0; k < 4; k++)
        defs[k] = snw_skeleton_joint_def(free_arm, k);
    defs[2].joint.limit.range[0][1] = SNW_PI / 2;
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, NULL), SNW_OK);
    snw_reach_map_options options = snw_reach_map_options_default();
    snw_reach_map *map = NULL;
    double least = sqrt(UPPER * UPPER + LOWER * LOWER);
    options.direction_count = 0;
    options.cell = 0.06;
    assert_int_equal(snw_reach_map_create(body, 3, &options, NULL, &map, NULL), SNW_OK);
    for (int n = 0; n < map->count[0]; n++) {
        int middle = map->count[0] / 2;
        snw_vec3 at = cell_center(map, n, middle, middle);
        double distance = snw_vec3_distance(at, snw_vec3_make(0, 0.1, 0));
        if (fabs(distance - least) < 2e-3 || distance > UPPER + LOWER - 2e-3) continue;
        float share = map->share[(middle * map->count[1] + middle) * map->count[0] + n];
        assert_true(share == (distance > least ? 1.0f : 0.0f));
    }
    snw_reach_map_destroy(map);
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(free_arm);
}

static void what_cannot_be_mapped_is_refused(void **state)
{
    snw_skeleton *body = arm_of();
    snw_reach_map_options options = snw_reach_map_options_default();
    snw_reach_map *map = NULL;
    snw_error error;
    (void)state;
    assert_int_equal(snw_reach_map_create(body, 0, NULL, NULL, &map, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "base"));
    assert_int_equal(snw_reach_map_create(body, 4, NULL, NULL, &map, NULL), SNW_INVALID_ARGUMENT);
    options.cell = 1e-4;
    assert_int_equal(snw_reach_map_create(body, 3, &options, NULL, &map, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "too small"));
    options.cell = NAN;
    assert_int_equal(snw_reach_map_create(body, 3, &options, NULL, &map, NULL),
                     SNW_INVALID_ARGUMENT);
    options = snw_reach_map_options_default();
    options.roll_count = 0;
    assert_int_equal(snw_reach_map_create(body, 3, &options, NULL, &map, NULL),
                     SNW_INVALID_ARGUMENT);
    assert_null(map);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_the_closed_form),
        cmocka_unit_test(shares_count_the_directions_of_the_closed_form),
        cmocka_unit_test(limits_leave_a_hole),
        cmocka_unit_test(what_cannot_be_mapped_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Two segments that move about a joint of known place, with and without noise. */
#ifndef SNW_TESTS_CENTER_MOTIONS_H
#define SNW_TESTS_CENTER_MOTIONS_H

#include "check.h"

#define FRAMES_MAX 1000

typedef struct joint_motion {
    int frame_count;
    snw_xform parent[FRAMES_MAX], child[FRAMES_MAX];
} joint_motion;

static const snw_vec3 true_in_parent = {-0.1, 0.3, -0.05};
static const snw_vec3 true_in_child = {0.02, -0.25, -0.1};

/* Places the child so that the joint holds with the given relative rotation. */
static inline void add_frame(joint_motion *motion, snw_xform parent, snw_quat parent_from_child)
{
    int k = motion->frame_count++;
    snw_vec3 center = snw_xform_point(parent, true_in_parent);
    snw_quat rotation = snw_quat_mul(parent.rotation, parent_from_child);
    motion->parent[k] = parent;
    motion->child[k] =
        snw_xform_make(rotation, snw_vec3_sub(center, snw_quat_rotate(rotation, true_in_child)));
}

static inline snw_xform random_pose(snw_random *random)
{
    snw_vec3 translation = random_gaussian(random, 2);
    return snw_xform_make(snw_random_rotation(random), translation);
}

/* Rotations with the given spreads (rad) about x, y, z of the child. */
static inline void fill_motion(snw_random *random, joint_motion *motion, int count, snw_vec3 spread)
{
    motion->frame_count = 0;
    snw_quat rest = snw_quat_exp(snw_vec3_make(0.4, -0.3, 0.8));
    for (int k = 0; k < count; k++) {
        snw_vec3 turn = {spread.x * snw_random_normal(random), spread.y * snw_random_normal(random),
                         spread.z * snw_random_normal(random)};
        add_frame(motion, random_pose(random), snw_quat_mul(rest, snw_quat_exp(turn)));
    }
}

/* What rigid fits to noisy markers give: errors of place and rotation. */
static inline void add_noise(snw_random *random, joint_motion *motion, double place, double turn)
{
    snw_xform *segments[2] = {motion->parent, motion->child};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < motion->frame_count; k++) {
            snw_xform *pose = &segments[side][k];
            pose->translation = snw_vec3_add(pose->translation, random_gaussian(random, place));
            pose->rotation =
                snw_quat_mul(pose->rotation, snw_quat_exp(random_gaussian(random, turn)));
        }
}

static inline snw_center_data data_of(const joint_motion *motion)
{
    snw_center_data data;
    memset(&data, 0, sizeof data);
    data.frame_count = motion->frame_count;
    data.world_from_parent = motion->parent;
    data.world_from_child = motion->child;
    return data;
}

static inline snw_center solve(const joint_motion *motion, const snw_center_options *options)
{
    snw_center_data data = data_of(motion);
    snw_center center;
    snw_error error;
    if (snw_center_solve(&data, SNW_CENTER_TWO_SIDED, options, &center, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return center;
}

static inline snw_center solve_sums(const joint_motion *motion, const snw_center_options *options)
{
    snw_center_sums sums = snw_center_sums_begin();
    for (int k = 0; k < motion->frame_count; k++)
        snw_center_sums_add(&sums, motion->parent[k], motion->child[k]);
    snw_center center;
    assert_int_equal(snw_center_sums_solve(&sums, options, &center, NULL), SNW_OK);
    return center;
}

#endif

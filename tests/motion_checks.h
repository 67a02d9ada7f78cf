/* Random moving bodies, and comparing them by where their joints are. */
#ifndef SNW_TESTS_MOTION_CHECKS_H
#define SNW_TESTS_MOTION_CHECKS_H

#include "read_checks.h"

static inline void release(snw_motion *motion)
{
    snw_skeleton *skeleton = motion->own_skeleton ? NULL : (snw_skeleton *)motion->skeleton;
    snw_motion_destroy(motion);
    snw_skeleton_destroy(skeleton);
}

static inline void write_motion(const snw_motion *motion, snw_format_kind kind, snw_up_axis up,
                                snw_memory_sink *memory)
{
    snw_sink sink = snw_sink_to_memory(memory, NULL);
    snw_write_options options = snw_write_options_default();
    options.up = up;
    snw_error error;
    if (snw_write_motion(motion, kind, &options, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
}

/* The smallest turn that takes `up` to +y. */
static inline snw_quat turn_up(snw_up_axis up)
{
    const snw_vec3 ups[] = {{0, 1, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                            {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return snw_quat_between(ups[up], snw_vec3_make(0, 1, 0));
}

/* World positions of every joint of `a`, turned, against the joint of that name in `b`; a fixed
 * joint that `b` does not have is the tip of its parent there (End Site of a BVH). */
static inline void check_same_world(const snw_motion *a, const snw_motion *b, snw_quat turned)
{
    snw_pose *pose_a = NULL, *pose_b = NULL;
    assert_int_equal(a->frame_count, b->frame_count);
    assert_int_equal(snw_pose_create(a->skeleton, NULL, &pose_a, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(b->skeleton, NULL, &pose_b, NULL), SNW_OK);
    for (int frame = 0; frame < a->frame_count; frame++) {
        snw_motion_get(a, frame, pose_a);
        snw_motion_get(b, frame, pose_b);
        snw_pose_forward(pose_a);
        snw_pose_forward(pose_b);
        for (int j = 0; j < a->skeleton->joint_count; j++) {
            int other = j ? snw_skeleton_find_joint(b->skeleton, a->skeleton->name[j]) : 0;
            snw_vec3 place;
            if (other >= 0) {
                place = pose_b->world[other].translation;
            } else {
                assert_int_equal(a->skeleton->joint[j].type, SNW_JOINT_FIXED);
                const char *parent = a->skeleton->name[a->skeleton->parent[j]];
                int above =
                    a->skeleton->parent[j] ? snw_skeleton_find_joint(b->skeleton, parent) : 0;
                assert_true(above >= 0 && b->skeleton->has_tip[above]);
                place = snw_xform_point(pose_b->world[above], b->skeleton->tip[above]);
            }
            /* The demand is 1e-6 m; angles written in full leave round-off only. */
            check_vec3_near(place, snw_quat_rotate(turned, pose_a->world[j].translation), 1e-12);
        }
    }
    snw_pose_destroy(pose_a);
    snw_pose_destroy(pose_b);
}

/* Random trees with turned rest frames, every joint type, children out of depth-first order. */
static inline snw_motion *random_motion(snw_random *random, int joint_count, int frame_count)
{
    snw_joint_def *defs = (snw_joint_def *)calloc((size_t)joint_count, sizeof *defs);
    char(*names)[16] = (char(*)[16])calloc((size_t)joint_count, 16);
    for (int j = 0; j < joint_count; j++) {
        defs[j] = snw_joint_def_default();
        snprintf(names[j], 16, "j%d", j);
        defs[j].name = names[j];
        defs[j].parent = j ? (int)snw_random_below(random, (uint32_t)j) : -1;
        defs[j].joint.type = (snw_joint_type)snw_random_below(random, SNW_JOINT_TYPE_COUNT);
        defs[j].rest = random_place(random, 0.3);
        defs[j].has_tip = snw_random_below(random, 2);
        defs[j].tip = snw_vec3_make(0.1, 0.2, 0.05);
    }
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    assert_int_equal(snw_skeleton_create(defs, joint_count, NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, frame_count, 60, NULL, &motion, NULL), SNW_OK);
    for (int n = 0; n < frame_count * joint_count; n++) {
        double values[6];
        for (int k = 0; k < 6; k++)
            values[k] = snw_random_range(random, -2, 2);
        snw_joint_from_values(body->joint + n % joint_count, values, motion->rotation + n,
                              motion->slide + n);
    }
    for (int frame = 0; frame < frame_count; frame++)
        motion->root[frame] = random_place(random, 2);
    free(names);
    free(defs);
    return motion;
}

#endif

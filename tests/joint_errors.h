/* How far the joints of a solved body are from true ones of the same names. */
#ifndef SNW_TESTS_JOINT_ERRORS_H
#define SNW_TESTS_JOINT_ERRORS_H

#include "check.h"

/* Metres: how far a joint is from a true one over all frames, root mean square. */
static inline double joint_error(const snw_skeleton *body, const snw_motion *motion, int joint,
                                 const snw_trial *truth, int marker)
{
    snw_pose *pose = NULL;
    double sum2 = 0;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < truth->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        sum2 += snw_vec3_length2(
            snw_vec3_sub(pose->world[joint].translation, snw_trial_position(truth, f, marker)));
    }
    snw_pose_destroy(pose);
    return sqrt(sum2 / truth->frame_count);
}

/* Joints of the solved body and the joints of the same name in the truth: the error of each.
 * Returns how many there are. */
static inline int measure_errors(const snw_actor *actor, const snw_motion *motion,
                                 const snw_trial *truth, double *error_of)
{
    const snw_skeleton *body = actor->skeleton;
    int count = 0;
    for (int j = 1; j < body->joint_count; j++) {
        int marker = snw_trial_find_marker(truth, body->name[j]);
        assert_true(marker >= 0);
        error_of[count++] = joint_error(body, motion, j, truth, marker);
    }
    return count;
}

#endif

/* How far the joints of a solved body are from true ones of the same names. */
#ifndef SNW_TESTS_JOINT_ERRORS_H
#define SNW_TESTS_JOINT_ERRORS_H

#include "check.h"

/* Joints of the solved body and the joints of the same name in the truth, over all frames: the rms
 * distance of each. Returns how many there are. */
static inline int measure_errors(const snw_actor *actor, const snw_motion *motion,
                                 const snw_trial *truth, double *error_of)
{
    const snw_skeleton *body = actor->skeleton;
    snw_pose *pose = NULL;
    int count = 0;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int j = 1; j < body->joint_count; j++) {
        int marker = snw_trial_find_marker(truth, body->name[j]);
        double sum2 = 0;
        assert_true(marker >= 0);
        for (int f = 0; f < truth->frame_count; f++) {
            snw_motion_get(motion, f, pose);
            snw_pose_forward(pose);
            snw_vec3 off =
                snw_vec3_sub(pose->world[j].translation, snw_trial_position(truth, f, marker));
            sum2 += snw_vec3_length2(off);
        }
        error_of[count++] = sqrt(sum2 / truth->frame_count);
    }
    snw_pose_destroy(pose);
    return count;
}

#endif

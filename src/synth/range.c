/* The range-of-motion exercise: every joint of any body through most of its range.
 *
 * Joints take their turns by their depth in the tree, so that mirrored segments move together and
 * only a few joints move at a time, as in a clinical protocol. In its turn a ball joint draws a
 * cone (the "star-arc" of functional calibration moves it in all directions, Camomilla et al. 2006)
 * while it twists; a hinge goes from end to end. The root stays where it is, on legs that do not
 * carry. */
#include "base/elementary.h"
#include "synth/stage.h"
#include "synth/synth_constants.h"

/* A weight that rises and falls in the turn, and the angle that runs in it. */
typedef struct range_moment {
    double weight;
    double angle;
} range_moment;

/* From neutral to a swing between the ends: neutral and target are inside, so is what lies between.
 */
static double sweep(const double range[2], range_moment now, double wave)
{
    double middle = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]);
    double neutral = snw_clamp(0, range[0], range[1]);
    double target = middle + RANGE_REACH * half * wave;
    return neutral + now.weight * (target - neutral);
}

static double sweep_limit(const snw_joint *joint, int which, double free_reach, range_moment now,
                          double wave)
{
    const double open[2] = {-free_reach, free_reach};
    bool is_wide = joint->limit.range[which][1] - joint->limit.range[which][0] > 2 * SNW_PI;
    bool has_range = joint->limit.has_range[which] && !is_wide;
    return sweep(has_range ? joint->limit.range[which] : open, now, wave);
}

static void exercise(const snw_skeleton *skeleton, int index, range_moment now, snw_pose *pose)
{
    const snw_joint *joint = skeleton->joint + index;
    double open = snw_radians(RANGE_FREE_DEG);
    double wave = -snw__cos(now.angle), wave2 = snw__sin(now.angle);
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        snw__set_angles(pose, index, sweep_limit(joint, 0, open, now, wave), 0);
        break;
    case SNW_JOINT_UNIVERSAL:
        snw__set_angles(pose, index, sweep_limit(joint, 0, open, now, wave),
                        sweep_limit(joint, 1, open, now, wave2));
        break;
    case SNW_JOINT_PRISMATIC:
        snw__set_angles(pose, index, sweep_limit(joint, 0, RANGE_SLIDE * skeleton->size, now, wave),
                        0);
        break;
    case SNW_JOINT_BALL: {
        const snw_joint_limit *limit = &joint->limit;
        double cone[4], twist[2];
        for (int i = 0; i < 4; i++)
            cone[i] = limit->swing == SNW_SWING_CONE ? limit->cone[i] : snw_radians(RANGE_FREE_DEG);
        for (int i = 0; i < 2; i++)
            twist[i] = limit->has_twist ? limit->twist[i] : (2 * i - 1) * snw_radians(30);
        /* The ellipse in the box of the four angles, drawn in towards the middle. */
        double along = 0.5 * (cone[0] - cone[2] + (cone[0] + cone[2]) * snw__cos(now.angle));
        double across = 0.5 * (cone[1] - cone[3] + (cone[1] + cone[3]) * snw__sin(now.angle));
        double scale = RANGE_REACH * now.weight;
        double turn = sweep(twist, now, snw__sin(1.5 * now.angle));
        snw_vec3 axis2 = joint->axis2;
        if (limit->swing == SNW_SWING_FREE) axis2 = snw_vec3_perpendicular(joint->axis);
        snw_vec3 side = snw_vec3_cross(joint->axis, axis2);
        snw_vec3 swing = snw_vec3_sub(snw_vec3_scale(side, scale * along),
                                      snw_vec3_scale(axis2, scale * across));
        pose->rotation[index] =
            snw_quat_mul(snw_quat_exp(swing), snw_quat_from_axis_angle(joint->axis, turn));
    } break;
    default: /* fixed: nothing to do; free: carries the whole body and stays */
        break;
    }
    /* Windows are not followed: what leaves them is brought back. */
    if (joint->limit.swing == SNW_SWING_POLYGON)
        pose->rotation[index] = snw_joint_limit_apply(joint, pose->rotation[index]);
}

void snw__range_at(const snw__stage *stage, double time, snw_pose *pose)
{
    const snw_skeleton *skeleton = stage->skeleton;
    double pass = fmin(RANGE_PASS, stage->options->seconds);
    double length = RANGE_OVERLAP * pass / (stage->slot_count + RANGE_OVERLAP - 1);
    double in_pass = fmod(time, pass);
    for (int j = 0; j < skeleton->joint_count; j++) {
        double u = (in_pass - stage->slot[j] * length / RANGE_OVERLAP) / length;
        if (u <= 0 || u >= 1) continue;
        /* Full weight in the middle three fifths. */
        double weight = snw__ease(5 * u) * snw__ease(5 * (1 - u));
        range_moment now = {weight, 2 * SNW_PI * RANGE_TURNS * u};
        exercise(skeleton, j, now, pose);
    }
    pose->root = snw_xform_identity();
    pose->root.translation.y = stage->standing;
    snw_pose_forward(pose);
}

/* Ranges of a person's joints, for those that a calibration did not see move.
 *
 * A static trial shows every joint within a degree. Limits of what was seen would then hold back
 * all that follows, so such joints get what anatomy allows: the ranges of person/regressions.h,
 * from one end to the other, since the rest pose may lie anywhere between, and a little more where
 * soft tissue gives way. Degrees: swing across the bone, twist about it. */
#include "calibrate/anatomical_range.h"

#include <sinew/label.h>

#include "label/label_grammar.h"
#include "person/regressions.h"

static const struct {
    snw_part part;
    double swing_deg, twist_deg;
} anatomical_ranges[] = {
    {SNW_PART_CHEST, SNW__TRUNK_FLEXION + SNW__TRUNK_EXTENSION, 2 * SNW__TRUNK_ROTATION - 10},
    {SNW_PART_HEAD, 2 * SNW__NECK_FLEXION, 2 * SNW__NECK_ROTATION},
    {SNW_PART_SHOULDER, SNW__CLAVICLE_ELEVATION + 15, 2 * SNW__CLAVICLE_PROTRACTION},
    {SNW_PART_ARM, SNW__SHOULDER_FLEXION - 5, SNW__SHOULDER_ROTATION}, /* a cone ends before 180 */
    {SNW_PART_FOREARM, SNW__ELBOW_FLEXION + 5, 2 * SNW__FOREARM_PRONATION},
    {SNW_PART_HAND, SNW__WRIST_FLEXION + SNW__WRIST_EXTENSION, 60},
    {SNW_PART_THUMB, 120, 60},
    {SNW_PART_INDEX, 175, 40},
    {SNW_PART_MIDDLE, 175, 40},
    {SNW_PART_RING, 175, 40},
    {SNW_PART_PINKY, 175, 40},
    {SNW_PART_UPLEG, SNW__HIP_FLEXION + SNW__HIP_EXTENSION, 2 * SNW__HIP_ROTATION},
    {SNW_PART_LEG, SNW__KNEE_FLEXION + SNW__KNEE_EXTENSION + 5, SNW__KNEE_ROTATION + 10},
    {SNW_PART_FOOT, SNW__ANKLE_PLANTAR + SNW__ANKLE_DORSAL + 10, 2 * SNW__ANKLE_INVERSION - 10},
};

bool snw__anatomical_range_set(const char *name, snw_joint *joint)
{
    snw_side side;
    snw_part part = snw_part_read(snw__bare_label(name), &side);
    for (size_t n = 0; n < sizeof anatomical_ranges / sizeof *anatomical_ranges; n++) {
        if (anatomical_ranges[n].part != part) continue;
        double swing = snw_radians(anatomical_ranges[n].swing_deg);
        double twist = snw_radians(anatomical_ranges[n].twist_deg);
        if (joint->type != SNW_JOINT_BALL) {
            joint->limit = snw_joint_limit_none();
            return true;
        }
        joint->limit = snw_joint_limit_none();
        joint->limit.swing = SNW_SWING_CONE;
        for (int side_of_cone = 0; side_of_cone < 4; side_of_cone++)
            joint->limit.cone[side_of_cone] = swing;
        joint->limit.has_twist = true;
        joint->limit.twist[0] = -twist;
        joint->limit.twist[1] = twist;
        return true;
    }
    return false;
}

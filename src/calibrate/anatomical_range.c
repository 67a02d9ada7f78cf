/* Ranges of a person's joints, for those that a calibration did not see move.
 *
 * A static trial shows every joint within a degree. Limits of what was seen would then hold back
 * all that follows, so such joints get what anatomy allows: the ranges of the American Academy of
 * Orthopaedic Surgeons (1965), from one end to the other, since the rest pose may lie anywhere
 * between. Degrees: swing across the bone, twist about it. */
#include "calibrate/anatomical_range.h"

#include <sinew/label.h>

#include "label/label_grammar.h"

static const struct {
    snw_part part;
    double swing_deg, twist_deg;
} anatomical_ranges[] = {
    {SNW_PART_CHEST, 100, 80},    /* flexion 80, extension 20; rotation 45 */
    {SNW_PART_HEAD, 90, 120},     /* flexion and extension 45; rotation 60 */
    {SNW_PART_SHOULDER, 60, 60},  /* clavicle: elevation 45, protraction 30 */
    {SNW_PART_ARM, 175, 160},     /* flexion 180; rotation 70 and 90 */
    {SNW_PART_FOREARM, 155, 160}, /* flexion 150; pronation and supination 80 */
    {SNW_PART_HAND, 150, 60},     /* flexion 80, extension 70 */
    {SNW_PART_THUMB, 120, 60},
    {SNW_PART_INDEX, 175, 40},
    {SNW_PART_MIDDLE, 175, 40},
    {SNW_PART_RING, 175, 40},
    {SNW_PART_PINKY, 175, 40},
    {SNW_PART_UPLEG, 150, 90}, /* flexion 120, extension 30; rotation 45 */
    {SNW_PART_LEG, 150, 50},   /* flexion 135, extension 10; rotation 40 when bent */
    {SNW_PART_FOOT, 80, 60},   /* plantar flexion 50, dorsiflexion 20; inversion 35 */
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

/* What the motion said about a joint: its type, how far it turned, how well its centre is known,
 * and the same in plain words. */
#include "mocap/finding.h"

/* Metres. A centre that is no better known than this is called uncertain. */
#define FINDING_UNCERTAIN 0.005
/* Radians. Joints that turn less are said to have hardly moved: 15 degrees. */
#define FINDING_HARDLY 0.26
/* Radians. Turns below are no motion. */
#define FINDING_STILL 0.035

static snw_joint_type type_of(const snw__pair *pair)
{
    if (pair->range < FINDING_STILL) return SNW_JOINT_FIXED;
    /* An axis counts when it turns a fifth of the main one, or visibly by itself. */
    double floor = fmin(0.2 * pair->spread[0], 2 * FINDING_STILL);
    if (pair->spread[1] < floor) return SNW_JOINT_HINGE;
    return pair->spread[2] < floor ? SNW_JOINT_UNIVERSAL : SNW_JOINT_BALL;
}

void snw__joint_finding_judge(snw_joint_finding *finding)
{
    finding->is_uncertain = !(finding->uncertainty < FINDING_UNCERTAIN);
    double range_deg = snw_degrees(finding->range), off_mm = 1000 * finding->uncertainty;
    if (finding->is_uncertain && finding->range < FINDING_HARDLY)
        snw_format(finding->verdict, sizeof finding->verdict,
                   "this joint hardly moved: %.0f degrees; centre uncertain by %.0f mm", range_deg,
                   off_mm);
    else if (finding->is_uncertain)
        snw_format(finding->verdict, sizeof finding->verdict,
                   "turned %.0f degrees, but its markers do not settle the centre: uncertain by "
                   "%.0f mm",
                   range_deg, off_mm);
    else
        snw_format(finding->verdict, sizeof finding->verdict,
                   "%s, turned %.0f degrees; centre known to %.1f mm",
                   snw_joint_type_name(finding->type), range_deg, off_mm);
}

void snw__joint_finding_make(const snw__pair *pair, snw_joint_finding *finding)
{
    finding->type = type_of(pair);
    finding->axis = snw_vec3_make(pair->axes.m[0][0], pair->axes.m[1][0], pair->axes.m[2][0]);
    finding->range = pair->range;
    finding->residual = pair->residual;
    /* Along a hinge's axis the centre is free, and that is no fault. */
    finding->uncertainty = pair->deviation[finding->type == SNW_JOINT_HINGE ? 1 : 0];
    snw__joint_finding_judge(finding);
}

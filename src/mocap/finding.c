/* What the motion said about a joint: its type, how far it turned, how well its centre is known,
 * and the same in plain words. */
#include "mocap/finding.h"

#include <string.h>

#include "mocap/center.h"

/* Radians. Turns below are no motion. */
#define FINDING_STILL 0.035
/* Nats. Of joints that are preferred to the next best by less, one in seven is wrong; of the others
 * one in eight hundred (synthetic captures, docs/see.md). */
#define FINDING_MARGIN 2.0

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
    snw_center center = snw__center_none(SNW_CENTER_TWO_SIDED);
    center.motion = finding->type;
    center.range[0] = finding->range;
    center.sigma = finding->uncertainty;
    center.axis_sigma = SNW_PI;
    center.undetermined = finding->type == SNW_JOINT_HINGE ? 1 : 0;
    char words[SNW_VERDICT_SIZE];
    snw_format(finding->verdict, sizeof finding->verdict, "%s", snw_center_verdict(&center, words));
    finding->is_uncertain = snw__center_is_uncertain(finding->uncertainty, finding->range);
    finding->rival = -1;
}

void snw__joint_finding_make(const snw__pair *pair, snw_joint_finding *finding)
{
    finding->type = type_of(pair);
    finding->axis = snw_vec3_make(pair->axes.m[0][0], pair->axes.m[1][0], pair->axes.m[2][0]);
    finding->range = pair->range;
    finding->residual = pair->residual;
    /* Along a hinge's axis the centre is free, and that is no fault. */
    double constant = pair->deviation[finding->type == SNW_JOINT_HINGE ? 1 : 0];
    finding->uncertainty = hypot(constant, pair->wander);
    snw__joint_finding_judge(finding);
}

bool snw__rival_is_near(const snw__rival *rival)
{
    return rival->margin < FINDING_MARGIN;
}

void snw__joint_finding_doubt(snw_joint_finding *finding, const char *limb, const char *neighbour)
{
    size_t length = strlen(finding->verdict), room = sizeof finding->verdict - length;
    char *end = finding->verdict + length;
    finding->is_uncertain = true;
    if (limb)
        snw_format(end, room, "; neighbour uncertain: %s could hang from %s instead", limb,
                   neighbour);
    else
        snw_format(end, room, "; neighbour uncertain: could hang from %s", neighbour);
}

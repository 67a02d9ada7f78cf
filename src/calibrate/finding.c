/* What the motion said about a joint: its type, how far it turned, how well its centre is known,
 * and the same in plain words. */
#include "calibrate/finding.h"
#include "base/elementary.h"

#include <string.h>

#include "actor/actor.h"

/* Nats. Of joints that are preferred to the next best by less, one in seven is wrong; of the others
 * one in eight hundred (synthetic captures, docs/see.md). */
#define FINDING_MARGIN 2.0
/* Radians, rms. A second axis that turns more is seen: 4 degrees. */
#define FINDING_ACROSS 0.07

/* Nearly all of the turning was about one axis, whatever type the rest makes of the joint. */
static bool turned_about_one_axis(const snw__pair *pair)
{
    return pair->spread[1] < fmin(0.2 * pair->spread[0], FINDING_ACROSS);
}

void snw__joint_finding_make(const snw__pair *pair, double residual, const snw_joint *joint,
                             snw_joint_finding *finding)
{
    finding->type = joint->type;
    finding->axis = joint->axis;
    finding->range = pair->range;
    finding->residual = residual;
    /* Along the axis of a hinge the centre is free, and that is no fault. */
    finding->is_place_free = joint->type == SNW_JOINT_HINGE || turned_about_one_axis(pair);
    double constant = pair->deviation[finding->is_place_free ? 1 : 0];
    /* In a frame the centre lies between the two limbs' ideas of it: no verdict may be surer than
     * half of what is between them. */
    finding->uncertainty = fmax(snw__hypot(constant, pair->wander), 0.5 * residual);
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

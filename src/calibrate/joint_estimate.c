/* What the motion said about a joint: its type, how far it turned, how well its centre is known,
 * and the same in plain words. */
#include "calibrate/joint_estimate.h"
#include "base/elementary.h"

#include <string.h>

#include "actor/actor.h"
#include "calibrate/calibrate_constants.h"

/* Nearly all of the turning was about one axis, whatever type the rest makes of the joint. */
static bool turned_about_one_axis(const snw__joint_evidence *evidence)
{
    const snw__segment_pair *pair = evidence->pair;
    /* Share of the second axis under which a joint of segments with two markers counts as a hinge:
     * noise about the line of two markers turns such a segment as much. */
    if (evidence->marker_count < 3)
        return evidence->shown->spread[1] < SECOND_AXIS * evidence->shown->spread[0];
    /* Radians, rms. A second axis that turns more is seen: 4 degrees. */
    return pair->spread[1] < fmin(0.2 * pair->spread[0], TURN_SEEN);
}

void snw__joint_estimate_make(const snw__joint_evidence *evidence, const snw_joint *joint,
                              snw_joint_estimate *estimate)
{
    const snw__segment_pair *pair = evidence->pair;
    estimate->type = joint->type;
    estimate->axis = joint->axis;
    estimate->range = pair->range;
    estimate->residual = evidence->shown->residual;
    /* Along the axis of a hinge the centre is free, and that is no fault. */
    estimate->is_place_free = joint->type == SNW_JOINT_HINGE ||
                              (!evidence->is_expected && turned_about_one_axis(evidence));
    double constant = pair->deviation[estimate->is_place_free ? 1 : 0];
    /* In a frame the centre lies between the two segments' ideas of it: no verdict may be surer
     * than half of what is between them. */
    estimate->uncertainty =
        fmax(snw__hypot(constant, pair->scatter), 0.5 * evidence->shown->residual);
    if (!evidence->is_expected) {
        if (evidence->marker_count == 2) estimate->uncertainty *= ESTIMATE_TWO_MARKERS;
        if (evidence->is_thin_end)
            estimate->uncertainty = fmax(estimate->uncertainty, ESTIMATE_THIN_END);
        /* Metres. A segment with one marker shows a sphere about its joint at best, and a pendulum
         * of one joint looks like that of another: never surer than this (measured on virtual
         * markers, docs/see.md). */
        if (evidence->marker_count < 2)
            estimate->uncertainty = fmax(estimate->uncertainty, SNW__PLACE_NEAR);
        estimate->uncertainty = fmax(estimate->uncertainty, evidence->turn);
        estimate->uncertainty = fmax(estimate->uncertainty, ESTIMATE_SKIN * evidence->skin);
        /* Metres: what a joint that hardly turned can be astray by, a segment's breadth. */
        estimate->uncertainty = snw__hypot(
            estimate->uncertainty, fmin(ESTIMATE_SLIDE * evidence->slide, PLACEMENT_RADIUS));
    }
    snw__joint_estimate_judge(estimate);
}

void snw__joint_estimate_place(const snw_joint *joint, const snw__joint_shown *shown,
                               double deviation, snw_joint_estimate *estimate)
{
    memset(estimate, 0, sizeof *estimate);
    estimate->type = joint->type;
    estimate->axis = joint->axis;
    estimate->range = shown->range;
    estimate->residual = shown->residual;
    estimate->uncertainty = fmax(deviation, 0.5 * shown->residual);
    estimate->is_from_proportions = true;
    snw__joint_estimate_judge(estimate);
}

bool snw__alternative_is_near(const snw__alternative *alternative)
{
    return alternative->margin < ESTIMATE_MARGIN;
}

void snw__joint_estimate_add_alternative(snw_joint_estimate *estimate, const char *segment,
                                         const char *neighbour)
{
    size_t length = strlen(estimate->verdict), room = sizeof estimate->verdict - length;
    char *end = estimate->verdict + length;
    estimate->is_uncertain = true;
    if (segment)
        snw_format(end, room, "; neighbour uncertain: %s could hang from %s instead", segment,
                   neighbour);
    else
        snw_format(end, room, "; neighbour uncertain: could hang from %s", neighbour);
}

/* Joints of known marker sets stay near the markers that sit on them. Internal. */
#ifndef SNW_CALIBRATE_JOINT_MARKER_H
#define SNW_CALIBRATE_JOINT_MARKER_H

#include <sinew/segment.h>

#include "center/segment_pair.h"
#include "label/label_grammar.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Markers known to sit on the joint of a segment to its parent. */
typedef struct snw__joint_markers {
    int count; /* 0: none */
    int marker[2];
    int opposite;   /* the same marker of the other side; -1: none */
    double inwards; /* the centre lies this far towards it, metres */
    double reach;   /* and can be this far from there, metres */
} snw__joint_markers;

/* Where the labels name markers on a segment's joint. */
snw__joint_markers snw__joint_markers_find(const snw_segment *segment, const snw_trial *trial,
                                           const snw_label *landmark);
/* Is the joint's centre a point that a model computed? */
bool snw__joint_markers_is_model(const snw__joint_markers *joint);
/* The markers that tell the segment's pose: its own and, where they are too few for a rotation,
 * those on its joint. group->marker has room for two more than the segment has. */
void snw__joint_markers_group(const snw_segment *segment, const snw__joint_markers *joint,
                              snw__marker_group *group);

/* Holds the centre between `parent` and `segment` within reach of the segment's joint markers, if
 * it has any: nothing changes where the motion determines a centre that is near them. */
void snw__joint_markers_shrink(const snw__samples *samples, const snw__joint_markers *joint,
                               const snw__rigid *parent, const snw__rigid *segment,
                               snw__segment_pair *pair);

#endif

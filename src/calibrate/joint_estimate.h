/* What is said about the joints of an actor. Internal. */
#ifndef SNW_CALIBRATE_JOINT_ESTIMATE_H
#define SNW_CALIBRATE_JOINT_ESTIMATE_H

#include <sinew/actor.h>

#include "calibrate/actor_joints.h"
#include "calibrate/joint_tree.h"

/* What the estimate of a joint rests on. */
typedef struct snw__joint_evidence {
    const snw__segment_pair *pair; /* that made the joint */
    const snw__joint_shown *shown; /* by the motion of the finished body */
    int marker_count;              /* of the segment that has fewer */
    bool is_thin_end;              /* nothing hangs from the segment; neither has three markers */
    bool is_expected;              /* anatomy or a model says where the centre is */
    double skin;  /* metres: how far markers of the two segments move on them, rms of a coordinate;
                     0:  errors are white */
    double slide; /* metres per radian: how far they slide in step with the joint (skin_slide.h) */
    double turn;  /* metres: open by the turn of a bone above that has one marker; 0: none */
} snw__joint_evidence;

/* Everything, from the evidence and what the joint was found to be. */
void snw__joint_estimate_make(const snw__joint_evidence *evidence, const snw_joint *joint,
                              snw_joint_estimate *estimate);

/* Of a joint whose centre published proportions tell, with their standard deviation, metres. */
void snw__joint_estimate_place(const snw_joint *joint, const snw__joint_shown *shown,
                               double deviation, snw_joint_estimate *estimate);

/* Is it nearly as good as the joint that was chosen? */
bool snw__alternative_is_near(const snw__alternative *alternative);
/* Adds to the verdict that the joint's segment (NULL), or another beyond it, could hang from a
 * neighbour instead. */
void snw__joint_estimate_add_alternative(snw_joint_estimate *estimate, const char *segment,
                                         const char *neighbour);

#endif

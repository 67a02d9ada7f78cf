/* What it costs to call two segments neighbours. Internal. */
#ifndef SNW_CALIBRATE_JOINT_CANDIDATE_H
#define SNW_CALIBRATE_JOINT_CANDIDATE_H

#include <sinew/calibrate.h>

#include "base/memory.h"
#include "calibrate/calibrate_constants.h"
#include "center/segment_pair.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Beside SNW_TREE_ROOT and SNW_TREE_FREE: the segment is in the tree of another body, found before.
 */
enum {
    SNW__TREE_EARLIER = -3
};

/* All pairs of segments, judged. */
typedef struct snw__joint_candidates {
    const snw__samples *samples;
    const snw__rigids *rigids;
    double scale;         /* usual distance of a segment from the nearest other one, metres */
    double usual_entropy; /* of any two segments, nats */
    int seen_max;         /* largest of seen_count, 1 at least */
    int *seen_count;      /* (segment_count x segment_count) frames that show both */
    double *entropy;      /* (segment_count x segment_count) nats; infinite: not judged */
    double *penalty;      /* (segment_count x segment_count) nats for slips beyond the noise */
    double *reach;    /* (segment_count x segment_count) from the centre to both segments, metres */
    double *apart;    /* (segment_count x segment_count) between the segments' origins, metres */
    double *residual; /* (segment_count x segment_count) metres */
    double *entropy_in_lab; /* (segment_count) entropy against the lab */
    double *correlation; /* (segment_count) of the segment's residuals from frame to frame, 0..1 */
    double *work;        /* (segment_count x segment_count) */
    snw__segment_pose *lab; /* (frame_count) a segment that never moves */
} snw__joint_candidates;

/* Takes the arrays; twice, as all blocks. */
void snw__joint_candidates_lay_out(snw__joint_candidates *candidates, snw__block *block);
/* Judges all segments that have poses, in pairs and against the lab. */
void snw__joint_candidates_judge_all(snw__joint_candidates *candidates);
/* Judges one pair, when a segment has received poses. */
void snw__joint_candidates_judge(snw__joint_candidates *candidates, int i, int j);
/* Nats; infinite where nothing is known. */
double snw__joint_candidate_cost(const snw__joint_candidates *candidates, int i, int j);

/* Would the joint of `from`, in the tree, with `to`, which is not, join two bodies? */
bool snw__joint_candidate_is_foreign(const snw__joint_candidates *candidates, const int *parent,
                                     int from, int to);
/* Is a joint, in the frame of a segment, too far from its markers to be one of the segment? */
bool snw__joint_is_far(const snw__joint_candidates *candidates, const snw__rigid *segment,
                       snw_vec3 center);

/* Correlation of the residuals of a segment's rigid fit from frame to frame, 0..1: skin moves
 * smoothly, noise does not. */
double snw__segment_correlation(const snw__samples *samples, const snw__rigid *rigid);

#endif

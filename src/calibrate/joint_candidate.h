/* What it costs to call two limbs neighbours. Internal. */
#ifndef SNW_CALIBRATE_JOINT_CANDIDATE_H
#define SNW_CALIBRATE_JOINT_CANDIDATE_H

#include <sinew/calibrate.h>

#include "base/memory.h"
#include "center/limb_pair.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Beside SNW_TREE_ROOT and SNW_TREE_FREE: the limb is in the tree of another body, found before. */
#define SNW__TREE_EARLIER (-3)

/* All pairs of limbs, judged. */
typedef struct snw__joint_candidates {
    const snw__samples *samples;
    const snw__rigids *rigids;
    double scale;           /* usual distance of a limb from the nearest other one, metres */
    double usual_entropy;   /* of any two limbs, nats */
    int seen_max;           /* largest of seen_count, 1 at least */
    int *seen_count;        /* (limb_count x limb_count) frames that show both */
    double *entropy;        /* (limb_count x limb_count) nats; infinite: not judged */
    double *penalty;        /* (limb_count x limb_count) nats for slips beyond the noise */
    double *reach;          /* (limb_count x limb_count) from the centre to both limbs, metres */
    double *apart;          /* (limb_count x limb_count) between the limbs' origins, metres */
    double *residual;       /* (limb_count x limb_count) metres */
    double *entropy_in_lab; /* (limb_count) entropy against the lab */
    double *correlation;    /* (limb_count) of the limb's residuals from frame to frame, 0..1 */
    double *work;           /* (limb_count x limb_count) */
    snw__limb_pose *lab;    /* (frame_count) a limb that never moves */
} snw__joint_candidates;

/* Takes the arrays; twice, as all blocks. */
void snw__joint_candidates_lay_out(snw__joint_candidates *candidates, snw__block *block);
/* Judges all limbs that have poses, in pairs and against the lab. */
void snw__joint_candidates_judge_all(snw__joint_candidates *candidates);
/* Judges one pair, when a limb has received poses. */
void snw__joint_candidates_judge(snw__joint_candidates *candidates, int i, int j);
/* Nats; infinite where nothing is known. */
double snw__joint_candidate_cost(const snw__joint_candidates *candidates, int i, int j);

/* Metres (rms). Two limbs that tear their joint apart by more are not joined while anything better
 * may turn up: a foot to the pelvis, when the thigh has two markers and comes later. */
#define SNW__JOINT_RESIDUAL_MAX 0.05

/* Would the joint of `from`, in the tree, with `to`, which is not, join two bodies? */
bool snw__joint_candidate_is_foreign(const snw__joint_candidates *candidates, const int *parent,
                                     int from, int to);
/* Is a joint, in the frame of a limb, too far from its markers to be one of the limb? */
bool snw__joint_is_far(const snw__joint_candidates *candidates, const snw__rigid *limb,
                       snw_vec3 center);

/* Correlation of the residuals of a limb's rigid fit from frame to frame, 0..1: skin moves
 * smoothly, noise does not. */
double snw__limb_correlation(const snw__samples *samples, const snw__rigid *rigid);

#endif

/* The float kernel of the batch solve: chains of free ball joints, eight problems at once.
 * Internal. */
#ifndef SNW_IK_BATCH_H
#define SNW_IK_BATCH_H

#include "ik/batch/lanes.h"
#include "ik/core/bones.h"

/* One joint on the way from the root to the tip. */
typedef struct snw__batch_joint {
    int joint;
    bool is_turned; /* rest rotation is not the identity */
    bool is_bone;
    float rest_rotation[4];
    float rest_place[3];
    float length;    /* bone */
    float offset[3]; /* bone: its end in the joint's frame */
    float bend;      /* bone: how far a straight chain is bent here, radians */
} snw__batch_joint;

typedef struct snw__batch_plan {
    int joint_count; /* of the skeleton */
    int path_count;
    int bone_count;
    snw__batch_joint *path; /* (path_count) root first */
    float length_sum;
    float hole; /* no target nearer to the base can be reached; below 0 without a hole */
    float tolerance;
} snw__batch_plan;

/* What eight problems share and do not. */
typedef struct snw__batch_lanes_job {
    const snw__batch_plan *plan;
    float root_rotation[4];
    float root_place[3];
    const float *target; /* (8 x 3) */
    float *rotation;     /* (8 x joint_count x 4): start in, answer out where solved */
    float residual[8];   /* out: metres from the target */
    uint8_t solved[8];   /* out: 1 = reached or stretched towards it, 0 = left as it was */
    void *scratch;       /* 16-byte aligned, snw__batch_scratch_size */
} snw__batch_lanes_job;

/* Path and constants of the chain. Twice, as layouts are. Only after snw__bones_check passed for a
 * problem with one goal. */
void snw__batch_plan_layout(snw__batch_plan *plan, const snw_ik *ik, snw__block *block);
size_t snw__batch_scratch_size(const snw__batch_plan *plan);
/* False where this build has no kernel; then nothing is solved here. */
bool snw__batch_has_kernel(void);
void snw__batch_solve_lanes(snw__batch_lanes_job *job, snw__lanes_set set);

#endif

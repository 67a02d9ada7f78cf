/* What the rounds of the whole-body calibration share. Internal. */
#ifndef SNW_CALIBRATE_REFINE_JOB_H
#define SNW_CALIBRATE_REFINE_JOB_H

#include "calibrate/anatomy.h"
#include "calibrate/gait_prior.h"
#include "calibrate/joint_turns.h"
#include "calibrate/refine_system.h"
#include "track/tracker.h"

/* One unknown vector of three. */
typedef struct snw__refine_block {
    int joint;  /* the bone to this joint, or the segment of the offset */
    int marker; /* offset of one marker; -1: of all markers of the segment, or a bone */
    bool is_bone;
} snw__refine_block;

typedef struct snw__refine_work {
    int block_count;
    snw__refine_block *block;
    int *bone;               /* (joint_count) block of the bone to this joint, or -1 */
    int *offset;             /* (marker_count) block of its offset, or -1 */
    double *sum2;            /* (marker_count) of squared residuals, weighted */
    double *sum;             /* (marker_count) of weights */
    double *normal;          /* (3 block_count)^2 */
    double *kept;            /* (3 block_count)^2 the equations of the last round, lower triangle */
    snw_quat *turn;          /* (REFINE_FRAMES x joint_count) rotations of the last round */
    int turn_count;          /* frames in `turn` */
    double *right;           /* (3 block_count) */
    double *share;           /* (block_count) of each in an expectation */
    double *moved;           /* (3 block_count) since the start, metres */
    double *pose;            /* (system.pose_count^2) equations of the poses of a frame */
    double *column;          /* (system.pose_count) */
    double (*turn_known)[6]; /* (joint_count) sums of inverse covariances of the turns, in the
                                segment's frame, for markers of variance 1 */
    int noise_count;         /* frames in turn_known */
    snw__joint_turns *turns; /* (joint_count) what `turn` holds of each */
    bool *stands;            /* (joint_count) a segment of a leg whose joints hardly turn */
    snw__joint_turns *signal; /* (joint_count) of these, what is no noise of the poses */
    bool *is_expected;        /* (joint_count) anatomy says where its centre is */
    bool *is_surrounded;      /* (joint_count) the segment's markers tell its bone: placement.h */
    bool *is_weighed;         /* (joint_count) something is expected of its bone */
    double *extent;           /* (joint_count) of the joints that it stands for, metres */
    snw_joint_def *def;       /* (joint_count) */
    snw__refine_system system;
} snw__refine_work;

typedef struct snw__refine_job {
    snw_actor *actor;
    const snw_trial *trial;
    const bool *is_rigid;
    const double *slip;
    const double *chi;
    bool is_white;             /* errors are independent from frame to frame */
    bool is_on_skin;           /* thighs change their shape as flesh does */
    bool is_filmed;            /* there is noise, as cameras have it */
    bool is_placed;            /* little noise, white, and names tell the bones: placement.h */
    double reserve;            /* by which the noise of poses is taken for more than it is */
    int used;                  /* frames of the last round */
    bool is_thin;              /* no segment has three markers: the start is rough */
    bool is_last;              /* this round is one of the last REFINE_ROUNDS_LAST */
    const snw_label *landmark; /* (marker_count) of the actor */
    snw__refine_work work;
    snw__anatomy anatomy;
    snw__gait_prior gait;
    snw_tracker *tracker;
    snw_pose *pose;
} snw__refine_job;

/* The parts of a round's equations, in this order: the markers begin them. */
/* What the markers of the frames used say, in units of their noise, and the proximal term. */
void snw__refine_load_markers(snw__refine_job *job);
/* Adds the frame at hand, whose poses are not eliminated yet, to turn_known. */
void snw__refine_look_at_noise(snw__refine_job *job);
/* Takes from the markers' equations what the noise of rotations only pretends to tell. variance: of
 * a marker's coordinate, square metres. */
void snw__refine_keep_signal(snw__refine_job *job, double variance);
/* What anatomy expects; marks the joints of which it does. */
void snw__refine_load_priors(snw__refine_job *job);
/* Joints of which anatomy says nothing stay near the centres that the calibration began with, as
 * far as the motion told them. */
void snw__refine_load_anchors(snw__refine_job *job);

#endif

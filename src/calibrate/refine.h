/* Joint centres and marker offsets of the whole body at once. Internal. */
#ifndef SNW_CALIBRATE_REFINE_H
#define SNW_CALIBRATE_REFINE_H

#include <sinew/calibrate.h>

/* What the calibration knows about one joint. */
typedef struct snw__refine_judgement {
    double deviation[3]; /* standard deviations of the centre, descending, metres, with the parent's
                            markers held; negative: not known */
    bool is_expected;    /* anatomy says where the centre is */
    bool is_whole;       /* deviation weighs motion against a person's proportions and markers */
    double range;        /* the largest angle between two of its rotations, radians */
} snw__refine_judgement;

/* What is known before it begins. */
typedef struct snw__refine_known {
    const bool *is_rigid; /* (joint_count) the segment's markers keep their shape, move together */
    const double *slip;   /* (joint_count) metres, rms, between what its two segments say of a
                             joint's centre; 0: one of them says nothing by itself */
    const double *chi;    /* (joint_count) the same in units of what the markers' noise explains */
    const snw_label *label; /* (marker_count) of the actor's markers */
    const snw_label *trial; /* (marker_count) of the trial's */
    bool is_white;          /* no segment moves beyond its markers' noise: no skin */
    const snw_trial *still; /* the person standing still; NULL: nobody knows */
    snw_notes *notes;       /* what it contradicts; NULL: nobody asks */
} snw__refine_known;

/* Changes actor->marker offsets and noise, and replaces actor->skeleton by one with other rest
 * translations. judged (joint_count) is written. */
snw_status snw__actor_refine(snw_actor *actor, const snw_trial *trial,
                             const snw__refine_known *known, snw__refine_judgement *judged,
                             snw_error *error);

#endif

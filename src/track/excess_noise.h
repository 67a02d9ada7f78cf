/* How much more the markers of a trial vary than those of the calibration did. Internal.
 *
 * A static trial shows 0.1 mm where walking moves skin by several millimetres: with the noise of
 * the one, every marker of the other would be an outlier. All estimates are variances of a
 * coordinate, square metres, beyond the calibration's. */
#ifndef SNW_TRACK_EXCESS_NOISE_H
#define SNW_TRACK_EXCESS_NOISE_H

#include <sinew/actor.h>

/* A frame as a tracker has it. */
typedef struct snw__excess_frame {
    const snw_actor *actor;
    const int *first;       /* (joint_count + 1) markers of joint j: first[j] .. first[j + 1] - 1 */
    double noise;           /* of the markers in the calibration, mean, metres */
    const double *noise_of; /* (marker_count) of each, metres */
    const snw_vec3 *seen;   /* (marker_count) where it was seen, metres */
    const double *sample_weight; /* (marker_count) weight, 0: not seen */
    const bool *is_measured;     /* (marker_count) */
    double *work;                /* (markers or joints, whichever are more) to work in */
    snw_vec3 *from;              /* (marker_count) to work in */
} snw__excess_frame;

/* The most that is believed: beyond it is another body. */
double snw__excess_most(const snw_actor *actor);
/* From the shapes of segments alone, before there is a pose. */
double snw__excess_of_segments(const snw__excess_frame *frame);
/* From the distances of measured markers to the body, whose world transforms are up to date. */
double snw__excess_of_residuals(const snw__excess_frame *frame, const snw_pose *pose);

#endif

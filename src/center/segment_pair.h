/* The joint between two segments that both have rigid poses. Internal. */
#ifndef SNW_CENTER_SEGMENT_PAIR_H
#define SNW_CENTER_SEGMENT_PAIR_H

#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

typedef struct snw__segment_pair {
    int frame_count;    /* frames in which both segments have a pose */
    snw_vec3 in_first;  /* the centre in the first segment's frame */
    snw_vec3 in_second; /* and in the second's */
    double residual;    /* rms distance between the two, metres */
    double scatter;     /* rms distance of the body's centre from either idea in a frame, metres */
    double chi;         /* the same in units of what the markers' noise explains: 1 for a joint */
    double spread[3];   /* rms turn about the three main axes, descending, radians */
    snw_mat3 axes;      /* columns: those axes in the second segment's frame */
    double slip[6];     /* mean outer product of the distance between the two, square metres */
    double turn_noise2; /* variance of the turns about one axis that is noise, square radians */
    double apart;       /* rms distance of the segments' origins, metres */
    double range;       /* between the two extreme turns about the first axis, radians */
    double
        deviation[3]; /* standard deviation of the centre along its main directions, descending */
} snw__segment_pair;

/* How hard to look: every `stride`th frame, at most `rounds` Newton steps. */
typedef struct snw__segment_pair_effort {
    int stride;
    int rounds;
} snw__segment_pair_effort;

/* False when fewer than 4 frames show both. */
bool snw__segment_pair_find(const snw__rigid *first, const snw__rigid *second, int frame_count,
                            const snw__segment_pair_effort *effort, snw__segment_pair *pair);

#endif

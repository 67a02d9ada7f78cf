/* A bone without markers between two segments with them. Internal. */
#ifndef SNW_CALIBRATE_BALL_LINK_H
#define SNW_CALIBRATE_BALL_LINK_H

#include <sinew/math.h>

/* Both segments in one frame of a trial, world_from_segment. */
typedef struct snw__ball_link_frame {
    snw_xform first, second;
} snw__ball_link_frame;

/* Expected when given, fitted when returned. Metres. */
typedef struct snw__ball_link {
    snw_vec3 end[2];     /* in the first segment's frame, in the second's */
    double length;       /* between them */
    double deviation[2]; /* standard deviation of each end: in every direction of what is expected,
                            in the worst one of what was fitted */
    double length_deviation;
} snw__ball_link;

/* Weighs the expectations against frames (count may be 0). */
void snw__ball_link_fit(const snw__ball_link_frame *frame, int count, snw__ball_link *link);

#endif

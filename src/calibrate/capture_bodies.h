/* The bodies that a capture falls apart into, in the order in which they are numbered. Internal. */
#ifndef SNW_CALIBRATE_CAPTURE_BODIES_H
#define SNW_CALIBRATE_CAPTURE_BODIES_H

#include "rigid/rigid_fit.h"

/* One body, as it was found. */
typedef struct snw__capture_body {
    int number;        /* in the order in which they were found */
    int start;         /* the segment from which it was grown */
    int root;          /* the segment from which it hangs by its names; -1: grown by motion */
    int first;         /* its first segment in the capture's order */
    int segment_count; /* of it */
} snw__capture_body;

/* Puts actors first, in the capture's order, then all else, the largest first. Returns how many
 * actors there are: bodies of FOREIGN_BODY segments and more that have at least half as many as the
 * largest; where there is none, the largest alone. */
int snw__capture_bodies_rank(snw__capture_body *body, int count);

/* Does the segment stand still in the lab, in all frames that show it? */
bool snw__segment_is_still(const snw__samples *samples, const snw__rigid *rigid);

#endif

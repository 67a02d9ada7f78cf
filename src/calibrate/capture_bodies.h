/* The bodies that a capture falls apart into, in the order in which they are numbered. Internal. */
#ifndef SNW_CALIBRATE_CAPTURE_BODIES_H
#define SNW_CALIBRATE_CAPTURE_BODIES_H

#include "rigid/rigid_fit.h"

/* One body, as it was found. */
typedef struct snw__capture_body {
    int number;     /* in the order in which they were found */
    int start;      /* the limb from which it was grown */
    int root;       /* the limb from which it hangs by its names; -1: grown by motion */
    int first;      /* its first limb in the capture's order */
    int limb_count; /* of it */
} snw__capture_body;

/* Puts actors first, in the capture's order, then all else, the largest first. Returns how many
 * actors there are: bodies of FOREIGN_BODY limbs and more that have at least half as many as the
 * largest; where there is none, the largest alone. */
int snw__capture_bodies_rank(snw__capture_body *body, int count);

/* Does the limb stand still in the lab, in all frames that show it? */
bool snw__limb_is_still(const snw__samples *samples, const snw__rigid *rigid);

#endif

/* Where markers sit on the bones of a person. Internal. */
#ifndef SNW_CALIBRATE_PLACEMENT_H
#define SNW_CALIBRATE_PLACEMENT_H

#include <sinew/actor.h>

#include "calibrate/joint_turns.h"

/* One linear expectation about the mean o of a segment's offsets and the bone t to its next joint:
 *     direction . (do - dt / 2) = off, with the information of a normal distribution. */
typedef struct snw__placement_prior {
    int segment;
    int next; /* joint, or -1: the offsets alone */
    snw_vec3 direction;
    double off;         /* metres: expected less present */
    double information; /* per square metre */
} snw__placement_prior;

/* Do names tell which bone every segment is? */
bool snw__placement_is_known(const snw_skeleton *body);

/* What is expected of the markers on the segment of a joint, in three directions; returns how many,
 * 0 or 3. turns (joint_count): how the joints turned. */
int snw__placement_priors(const snw_actor *actor, const snw__joint_turns *turns, int segment,
                          snw__placement_prior out[3]);

#endif

/* What makes an actor, and what belongs to it. Internal. */
#ifndef SNW_ACTOR_ACTOR_H
#define SNW_ACTOR_ACTOR_H

#include <sinew/actor.h>
#include <sinew/trial.h>

/* An actor with copies of the markers, in the order of their joints, and room for the estimates of
 * its joints, all zero; no skeleton yet. NULL when out of memory. */
snw_actor *snw__actor_take(const snw_actor_marker *markers, int marker_count, int joint_count,
                           const snw_allocator *allocator, snw_error *error);

/* What an actor has besides its skeleton. */
typedef struct snw__actor_parts {
    const snw_actor_marker *marker;
    int marker_count;
    const snw_actor_value *value;
    int value_count;
} snw__actor_parts;

/* snw_actor_create and snw_actor_keep in one. */
snw_status snw__actor_assemble(const snw_skeleton *skeleton, const snw__actor_parts *parts,
                               const snw_allocator *allocator, snw_actor **out, snw_error *error);

/* Which marker of the trial is the actor's; see snw_actor_find_marker. */
int snw__marker_source(const snw_actor *actor, const snw_trial *trial, int marker);

/* SNW_INVALID_ARGUMENT when the motion is of another body. */
snw_status snw__check_motion_of(const snw_actor *actor, const snw_motion *motion, snw_error *error);

/* An actor whose markers are joints (calibrate/joint_points.h) keeps their noise under this name.
 */
#define SNW__JOINT_POINTS_VALUE "joint-points"
/* Metres, rms of a coordinate; 0: the markers are markers. */
double snw__joint_points_noise(const snw_actor *actor);

/* is_uncertain and verdict from type, range and uncertainty; no alternative. */
void snw__joint_estimate_judge(snw_joint_estimate *estimate);

#endif

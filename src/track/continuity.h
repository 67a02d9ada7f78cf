/* Joints accelerate no more than their markers do. Internal. */
#ifndef SNW_TRACK_CONTINUITY_H
#define SNW_TRACK_CONTINUITY_H

#include <sinew/track.h>

/* A trial as it was solved. */
typedef struct snw__solved_trial {
    const snw_actor *actor;
    const snw_trial *trial;
    const snw_track *track; /* (frame_count) */
    uint8_t *is_mended;     /* (frame_count) out: frames whose pose was changed */
} snw__solved_trial;

/* Mends the stretches of the motion in which a joint jumps though its markers do not. Lost frames,
 * whose poses are made up, show no jumps. */
snw_status snw__continuity_mend(const snw__solved_trial *solved, const snw_allocator *allocator,
                                snw_motion *motion, snw_error *error);

#endif

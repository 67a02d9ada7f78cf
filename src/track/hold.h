/* How well the markers of a frame determine each joint of an actor. Internal. */
#ifndef SNW_TRACK_HOLD_H
#define SNW_TRACK_HOLD_H

#include <sinew/track.h>

typedef enum snw__hold {
    SNW__HOLD_NONE, /* nothing of the limb and of those below is seen: its turn is made up */
    SNW__HOLD_PART, /* something is seen, in other frames more */
    SNW__HOLD_FULL  /* as well determined as in any frame */
} snw__hold;

/* Judges frame after frame by which markers are seen, whatever the pose. */
typedef struct snw__holds {
    const snw_actor *actor;
    int *source;    /* (marker_count) marker of the trial, or -1 */
    int *seen;      /* (marker_count) 1 or 0: of the last frame that was judged */
    uint8_t *rank;  /* (joint_count) of the same */
    bool *is_above; /* (joint_count) work: a marker on the limb or below is seen */
    bool *is_fixed; /* (joint_count) work: the limb's points alone tell where it is */
    bool has_rank;
    snw_allocator allocator;
    size_t block_size;
} snw__holds;

snw_status snw__holds_create(const snw_actor *actor, const snw_trial *trial,
                             const snw_allocator *allocator, snw__holds **out, snw_error *error);
void snw__holds_destroy(snw__holds *holds);

/* Directions of each joint's turn that the frame's markers tell (joint_count): 0, 2 (all but the
 * twist) or 3; 1: none, but something below is seen. Of the root: 3 when its place is told. */
const uint8_t *snw__holds_rank(snw__holds *holds, const snw_frame *frame);

/* Ranks of all frames (frame_count x joint_count) to snw__hold, in place. */
void snw__holds_from_ranks(const snw_skeleton *skeleton, int frame_count, uint8_t *rank);

#endif

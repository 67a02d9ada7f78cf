/* How well the markers of a frame determine each joint of an actor. Internal. */
#ifndef SNW_TRACK_OBSERVABILITY_H
#define SNW_TRACK_OBSERVABILITY_H

#include <sinew/track.h>

#include "base/memory.h"
#include "label/label_grammar.h"

/* Judges frame after frame by which markers are seen, whatever the pose. */
typedef struct snw__observability {
    const snw_actor *actor;
    uint8_t *is_seen; /* (marker_count) of the last frame that was judged */
    uint8_t *rank;    /* (joint_count) of the same, see snw__observability_rank */
    bool *is_above;   /* (joint_count) work: a marker on the segment or below is seen */
    bool *is_fixed;   /* (joint_count) work: the segment's points alone tell where it is */
    snw_joint_observability *joint; /* (joint_count) the same as users ask for it */
    bool has_rank;
} snw__observability;

/* Takes the arrays; actor is set by the caller. */
void snw__observability_lay_out(snw__observability *seen, snw__block *block);

/* Judges a frame. sample_weight (marker_count): not 0 where there is a sample. */
void snw__observability_judge(snw__observability *seen, const double *sample_weight);

/* Directions of each joint's turn that the frame's markers tell, whatever its type (joint_count):
 * 0, 2 (all but the twist) or 3; 1: none, but something below is seen. Of the root: 3 when its
 * place is told. */
static inline const uint8_t *snw__observability_rank(const snw__observability *seen)
{
    return seen->rank;
}

/* A joint in a frame, compared with all frames of a trial. */
typedef enum snw__determinacy {
    SNW__UNSEEN,  /* nothing of the segment and of those below is seen: its turn is interpolated */
    SNW__PARTIAL, /* something is seen, in other frames more */
    SNW__FULL     /* as well determined as in any frame */
} snw__determinacy;

/* Ranks of all frames (frame_count x joint_count) to snw__determinacy, in place. */
void snw__determinacy_from_ranks(const snw_skeleton *skeleton, int frame_count, uint8_t *rank);

#endif

/* Joints of a live pose accelerate no more than their markers do: see live_continuity.c. Internal.
 */
#ifndef SNW_TRACK_LIVE_CONTINUITY_H
#define SNW_TRACK_LIVE_CONTINUITY_H

#include <sinew/actor.h>

#include "base/memory.h"

/* What was seen and put out in one of the two frames before. */
typedef struct snw__live_frame {
    snw_vec3 *marker; /* (marker_count) where they were seen */
    bool *is_seen;    /* (marker_count) */
    snw_vec3 *place;  /* (joint_count) of the joints in the world */
    snw_quat *turn;   /* (joint_count) their rotations */
    snw_xform root;
} snw__live_frame;

typedef struct snw__live_continuity {
    const snw_actor *actor;
    const snw_vec3 *seen;        /* (marker_count) of the tracker: this frame's samples */
    const double *sample_weight; /* (marker_count) of the tracker: 0 where there is none */
    snw__live_frame before[2];   /* the frame before and the one before that */
    int known;                   /* how many of these are there */
    double *weight;              /* (marker_count) of the markers in the frame before */
    double *marker_d2;           /* (joint_count) */
    bool *does_jump;             /* (joint_count) of the pose that was looked at last */
    bool *is_moved;              /* (joint_count) */
    /* The offset from the solved pose to the one put out, as rotation vectors, radians; at
     * joint_count the root's turn, behind it the root's shift, metres. */
    snw_vec3 *offset; /* (joint_count + 2) */
    snw_vec3 *speed;  /* (joint_count + 2) of the offset, in a frame */
    double rate;      /* of its decay, in a frame; 0: there is no offset */
    double pull;      /* metres: joints may accelerate by so much more while it decays */
} snw__live_continuity;

void snw__live_continuity_lay_out(snw__live_continuity *live, snw__block *block);
/* Nothing is known of frames before. */
void snw__live_continuity_forget(snw__live_continuity *live);
/* The solved pose with what is left of the offset. A lost frame is the frame before once more. */
void snw__live_continuity_put(snw__live_continuity *live, const snw_pose *solved, bool is_lost,
                              snw_pose *out);
/* By how much a joint of `out` (world filled) accelerates beyond its markers, metres; 0: none does.
 */
double snw__live_continuity_jump(snw__live_continuity *live, const snw_pose *out);
/* Where marker m would be seen if its segment went on with it; false where nobody can tell. */
bool snw__live_continuity_carry(const snw__live_continuity *live, int m, snw_vec3 *place);
/* `out` jumps by `jump`; `kept` (overwritten) is the pose of this frame with the weights of the
 * frame before. Where it jumps less, it is put out, and the way to the solved pose begins there. */
void snw__live_continuity_begin(snw__live_continuity *live, const snw_pose *solved, double jump,
                                snw_pose *kept, snw_pose *out);
/* The frame becomes the one before. */
void snw__live_continuity_remember(snw__live_continuity *live, const snw_pose *out);

#endif

/* sinew/actor.h - a skeleton with markers on it, and what is known about each joint: a calibrated
 * person, a hand, a robot with targets.
 *
 *     snw_actor_marker marker = {"wrist", snw_skeleton_find_joint(arm, "wrist"), offset, 0.001};
 *     snw_actor *actor = NULL;
 *     if (snw_actor_create(arm, &marker, 1, NULL, &actor, &error) == SNW_OK)
 *         printf("%d markers on %d joints\n", actor->marker_count, actor->skeleton->joint_count);
 *     snw_actor_destroy(actor);
 *
 * snw_actor_calibrate (sinew/calibrate.h) makes one from a capture. Constant once made: any number
 * of threads may use it. Metres.
 */
#ifndef SINEW_ACTOR_H
#define SINEW_ACTOR_H

#include <sinew/body.h>
#include <sinew/label.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_actor_marker {
    const char *name; /* of any length; the actor keeps a copy */
    int joint;        /* of the skeleton */
    snw_vec3 offset;  /* in the joint's frame */
    double noise;     /* standard deviation of one coordinate about the rigid segment, metres */
} snw_actor_marker;

/* What the data said about one joint. */
typedef struct snw_joint_estimate {
    snw_joint_type type; /* of the skeleton's joint: fixed, hinge, universal or ball, the least that
                            explains the motion; the joint has the limits that were seen */
    snw_vec3 axis;       /* of the joint, in its frame; zero where it is not known */
    double range;        /* how far the joint turned, rest to rest, radians */
    double residual; /* rms distance between the centre as the markers of the two segments have it,
                        each segment fitted by itself to the finished body, metres */
    double uncertainty; /* one standard deviation of the centre in a frame, in its worst direction
                           that matters (along a hinge's axis the place is free), metres; skin
                           counts, what moves in step with the joint by how unlike markers do; at
                           least half of the residual */
    bool is_place_free; /* turned about one axis: where along it the centre is, nothing tells */
    bool is_from_proportions; /* published proportions of the spine tell the centre, not the motion
                               */
    int alternative;   /* joint that could be the neighbour instead of the parent; -1: none */
    bool is_uncertain; /* the motion does not determine the centre or the neighbour */
    char verdict[400]; /* the same in words */
} snw_joint_estimate;

/* Numbers that somebody keeps with an actor under a name, since no joint or marker says them: how
 * far a hand cups its palm, how a tracker is turned on its bone. */
typedef struct snw_actor_value {
    const char *name;
    const double *number; /* (count) finite, below 1e6 */
    int count;
} snw_actor_value;

typedef struct snw_actor {
    snw_skeleton *skeleton;
    int marker_count;
    snw_actor_marker *marker;     /* (marker_count) in the order of their joints */
    snw_joint_estimate *estimate; /* (joint_count); of the root: all zero */
    int value_count;
    snw_actor_value *value; /* (value_count), or NULL */
    snw_allocator allocator;
    size_t block_size, value_size;
} snw_actor;

/* An actor from a skeleton and markers on it, both copied; markers are put in the order of their
 * joints. The joints' estimates are those of a body that was given, not measured.
 * SNW_INVALID_ARGUMENT names the marker that is not on the body. */
SNW_API snw_status snw_actor_create(const snw_skeleton *skeleton, const snw_actor_marker *markers,
                                    int marker_count, const snw_allocator *allocator,
                                    snw_actor **out, snw_error *error);
SNW_API snw_status snw_actor_copy(const snw_actor *actor, const snw_allocator *allocator,
                                  snw_actor **out, snw_error *error);
SNW_API void snw_actor_destroy(snw_actor *actor);

/* Segments with markers of their own: fewer than joints where some are virtual. */
SNW_API int snw_actor_segment_count(const snw_actor *actor);

/* Keeps copies of the values with the actor instead of those it has. SNW_INVALID_ARGUMENT names the
 * value whose numbers cannot be kept. */
SNW_API snw_status snw_actor_keep(snw_actor *actor, const snw_actor_value *values, int value_count,
                                  snw_error *error);
/* NULL: the actor keeps none of that name. */
SNW_API const snw_actor_value *snw_actor_find_value(const snw_actor *actor, const char *name);

/* Which way the thumb lies at a wrist, for snw_rig_options.thumb: from the marker on the little
 * finger's side to that on the thumb's, in the frame of the forearm's joint. Zero where labels do
 * not tell both. */
SNW_API snw_vec3 snw_actor_thumb(const snw_actor *actor, snw_side side);

/* Names, in the order in which something gives them. */
typedef struct snw_name_list {
    const char *const *name; /* (count) */
    int count;
} snw_name_list;

/* Which of the names is the actor's marker: the nth of a name in the actor is the nth in the list.
 * Where none has it, the only one that differs by a prefix on one side (LKNE, Joe:LKNE). -1: none.
 */
SNW_API int snw_actor_find_marker(const snw_actor *actor, const snw_name_list *names, int marker);

/* The actor as text (docs/see.md), to keep it for the next trial of the same person. Writes at most
 * `size` bytes with the terminating zero, like snprintf; returns the length of the whole text. */
SNW_API size_t snw_actor_print(const snw_actor *actor, char *buffer, size_t size);
SNW_API snw_status snw_actor_parse(const char *text, size_t size, const snw_allocator *allocator,
                                   snw_actor **out, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

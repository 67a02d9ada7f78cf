/* sinew/calibrate.h - segments become an actor: a tree, joint centres, anatomy, the whole body
 * fitted.
 *
 *     snw_actor *actor = NULL;
 *     snw_segments_find(trial, NULL, NULL, &segments, NULL, &error); // markers that move together
 *     snw_actor_calibrate(trial, segments, NULL, NULL, &actor, &error); // bones and joints
 *
 * Who knows better which segment hangs from which says so:
 *
 *     snw_tree_create(parent, segments->segment_count, NULL, &tree, &error); // or snw_tree_find
 *     options.tree = tree;
 *
 * Options that are NULL mean `_default()`, an allocator that is NULL means malloc. Notes and errors
 * may be NULL too. Any thread.
 */
#ifndef SINEW_CALIBRATE_H
#define SINEW_CALIBRATE_H

#include <sinew/actor.h>
#include <sinew/center.h>
#include <sinew/segment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A segment's parent, where it is no segment. */
enum {
    SNW_TREE_ROOT = -1, /* the segment is a root */
    SNW_TREE_FREE = -2  /* it takes no part */
};

/* Which segment hangs from which. Constant once made: any number of threads may use it. */
typedef struct snw_tree {
    int segment_count;
    int *parent;      /* (segment_count) a segment, or one of the above */
    int *alternative; /* (segment_count) the segment from which it could hang instead, by its
                         motion; -1: none, or nobody asked the motion */
    double *margin;   /* (segment_count) nats by which that is less likely; infinite where there is
                         none */
    int *body; /* (segment_count) the number of its body among those of the capture, from 0; -1:
                  of none, or nobody asked the motion */
    int body_count;  /* bodies of the capture: actors first, then objects and what else is apart */
    int actor_count; /* of these, actors: four segments and more, half as many as the largest; or 1
                      */
    snw_allocator allocator;
    size_t block_size;
} snw_tree;

typedef struct snw_actor_options {
    const char *root; /* name of the segment that is the root; NULL: chosen */
    int frame_max;    /* frames that the calibration looks at, spread over the trial; 3000 */
    int part;         /* which body, where several fall apart: actors in the capture's order from
                         0, then the rest, the largest first (snw_tree tells how many) */
    const snw_center_method
        *method; /* places the joints, and leaves them there; NULL: the maximum
                    likelihood of both segments' poses, then of the whole body */
    const snw_labels
        *labels;            /* what the names say; NULL: as the segments carry them, or the trial */
    const snw_tree *tree;   /* which segment hangs from which; NULL: found by names or motion */
    snw_notes *notes;       /* NULL; receives what was guessed or left out */
    const snw_trial *still; /* the person standing still, with the gait model's markers: measures
                               and knee axes, see snw_gait_model_make; NULL */
    uint64_t reserved[2];   /* 0; later versions grow here */
} snw_actor_options;

SNW_API snw_actor_options snw_actor_options_default(void);

/* The tree that a calibration with these options would use: that of known bones where all segments
 * have their names, else the minimum spanning tree over the motion of all pairs. One body: segments
 * of others are free. Fails as snw_actor_calibrate does. */
SNW_API snw_status snw_tree_find(const snw_trial *trial, const snw_segments *segments,
                                 const snw_actor_options *options, const snw_allocator *allocator,
                                 snw_tree **out, snw_error *error);
/* A tree of the user's own: parent (segment_count). SNW_INVALID_ARGUMENT: a parent that is no
 * segment, segments that hang in a circle, no root. */
SNW_API snw_status snw_tree_create(const int *parent, int segment_count,
                                   const snw_allocator *allocator, snw_tree **out,
                                   snw_error *error);
SNW_API void snw_tree_destroy(snw_tree *tree);

/* A marker that came to sit at another place of its segment, and stayed there. */
typedef struct snw_slip {
    int marker;
    int frame;        /* the first at the new place, from 0 */
    double distance;  /* metres; where two other markers show the segment: at least so far */
    bool is_left_out; /* samples at places that it had for less long were made missing; otherwise
                         they are where they would have been without the slip, as filled ones */
} snw_slip;

#define SNW_SLIPS_MAX 64
typedef struct snw_slips {
    int count;
    int dropped; /* more than fit */
    snw_slip item[SNW_SLIPS_MAX];
} snw_slips;

/* Finds markers that slip on their segment, are stuck on again elsewhere, or whose label goes to
 * another point of the segment for good: sudden steps of 8 mm and more that last half a second and
 * more on segments that show three markers, joint markers included. The place that the marker had
 * for longest counts; samples at others are brought there, or left out where the segment shows no
 * pose. Comes after labels that were exchanged are put right. found may be NULL. */
SNW_API snw_status snw_trial_undo_slips(snw_trial *trial, const snw_segments *segments,
                                        const snw_allocator *allocator, snw_slips *found,
                                        snw_notes *notes, snw_error *error);

/* Joins segments to a tree, places the joint centres and the markers. Segments without names are
 * called as those of a person ("LeftUpLeg") or by their place in the tree ("A2"). SNW_NOT_FOUND
 * when there is no body number options->part. */
SNW_API snw_status snw_actor_calibrate(const snw_trial *trial, const snw_segments *segments,
                                       const snw_actor_options *options,
                                       const snw_allocator *allocator, snw_actor **out,
                                       snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

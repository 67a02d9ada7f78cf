/* Chains of two or three segments of three markers, for the targets that calibrate them: their
 * names, and what is done with them. */
#ifndef SNW_FUZZ_CHAINS_H
#define SNW_FUZZ_CHAINS_H

#include "fuzz_solution.h"

enum {
    CHAIN_SEGMENTS = 3,
    CHAIN_MARKERS = 3 /* of each segment */
};

/* Names of bones, which tell what bodies look like, or of something else; NULL: the segments have
 * none. */
static inline const char *const *chain_names(fuzz_bytes *bytes)
{
    static const char *const names[][CHAIN_SEGMENTS] = {
        {"Hips", "LeftUpLeg", "LeftLeg"},          {"Chest", "RightArm", "RightForeArm"},
        {"RightArm", "RightForeArm", "RightHand"}, {"Chest", "Neck", "Head"},
        {"LeftLeg", "LeftFoot", "LeftToeBase"},    {"Hips", "box", "Spine1"}};
    int n = fuzz_below(bytes, 8);
    return n > 0 && n < 7 ? names[n - 1] : NULL;
}

/* What a target calibrates. */
typedef struct chain_job {
    const snw_trial *trial;
    const int *segment_of; /* (marker_count) */
    const char *const *names;
    bool has_tree; /* somebody knows which segment hangs from which */
    int steps;     /* of the tracker */
    bool is_solved;
} chain_job;

static inline void chain_check(const chain_job *job, const snw_actor_options *given)
{
    static const int parent[CHAIN_SEGMENTS] = {SNW_TREE_ROOT, 0, 1};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_actor_options options = *given;
    snw_segments *segments = NULL;
    snw_tree *tree = NULL, *used = NULL;
    snw_actor *actor = NULL;
    snw_error error;
    if (snw_segments_create(job->segment_of, job->trial->marker_count, job->names, &allocator,
                            &segments, &error) != SNW_OK)
        abort();
    if (job->has_tree)
        fuzz_check_said(snw_tree_create(parent, segments->segment_count, &allocator, &tree, &error),
                        &error);
    options.tree = tree;
    if (job->is_solved) /* the tree that a calibration would use, the given one or its own */
        fuzz_check_said(snw_tree_find(job->trial, segments, &options, &allocator, &used, &error),
                        &error);
    fuzz_check_said(snw_actor_calibrate(job->trial, segments, &options, &allocator, &actor, &error),
                    &error);
    if (actor) fuzz_check_steps(actor, job->trial, job->steps, &allocator, &counter);
    if (actor && job->is_solved)
        fuzz_check_solution(actor, job->trial, SNW_SAMPLE_FILLED, &allocator);
    snw_actor_destroy(actor);
    snw_tree_destroy(used);
    snw_tree_destroy(tree);
    snw_segments_destroy(segments);
    if (counter.live != 0) abort();
}

#endif

/* sinew/join.h - pieces of trajectories become markers.
 *
 *     snw_joined *joined = NULL;
 *     if (snw_trial_join(raw, NULL, NULL, &joined, NULL, &error) == SNW_OK)
 *         use(joined->trial);
 *     snw_joined_destroy(joined);
 *
 * Options that are NULL mean `_default()`, an allocator that is NULL means malloc. Notes and errors
 * may be NULL too. Constant once made: any number of threads may use it.
 */
#ifndef SINEW_JOIN_H
#define SINEW_JOIN_H

#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_join_options {
    double ghost_seconds; /* what nobody named and is seen shorter than this or flickers is left
                             out; negative: all is kept; 0.1 */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_join_options;

SNW_API snw_join_options snw_join_options_default(void);

/* A trajectory of the raw trial while it is seen without a long gap. */
typedef struct snw_join_piece {
    int trajectory; /* marker of the raw trial */
    int first, last;
    int marker; /* of the joined trial; -1: left out */
} snw_join_piece;

typedef struct snw_joined {
    snw_trial *trial; /* whole markers; all else as in the raw trial */
    int piece_count;
    snw_join_piece *piece; /* (piece_count) by trajectory, then time */
    int join_count;        /* trajectories that follow another one in the same marker */
    int ghost_count;       /* points that nobody named and that were left out */
    int misnamed_count;    /* short pieces left out: named like a marker that stands elsewhere */
    int undone_count;      /* joins that were made and taken back */
    snw_allocator allocator;
    size_t block_size;
} snw_joined;

/* Raw captures hold a marker in many trajectories: it vanishes and comes back as another one.
 * Trajectories that are never seen together and stand at the same place in their segment, or carry
 * on the same motion over a short gap, become one marker. Names that a person gave are kept and
 * never mixed; names that programs give ("*12", "U_3", "M001", "Unidentified 4") are not. Where two
 * could be meant, nothing is joined. A trial of named markers comes out as it went in. */
SNW_API snw_status snw_trial_join(const snw_trial *trial, const snw_join_options *options,
                                  const snw_allocator *allocator, snw_joined **out,
                                  snw_notes *notes, snw_error *error);
SNW_API void snw_joined_destroy(snw_joined *joined);

#ifdef __cplusplus
}
#endif
#endif

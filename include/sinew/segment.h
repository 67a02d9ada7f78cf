/* sinew/segment.h - markers become segments: groups that keep their distances.
 *
 *     snw_segments *segments = NULL;
 *     if (snw_segments_find(trial, NULL, NULL, &segments, NULL, &error) == SNW_OK)
 *         for (int l = 0; l < segments->segment_count; l++)
 *             puts(segments->segment[l].name);
 *     snw_segments_destroy(segments);
 *
 * Options that are NULL mean `_default()`, an allocator that is NULL means malloc. Notes and errors
 * may be NULL too. Segments are constant once made: any number of threads may use them.
 */
#ifndef SINEW_SEGMENT_H
#define SINEW_SEGMENT_H

#include <sinew/label.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_segment {
    char name[SNW_LABEL_SIZE]; /* "LeftLeg", or "segment3" where nothing is known */
    int marker_count;          /* 1 and more */
    int *marker;               /* (marker_count) ascending indices into the trial */
} snw_segment;

typedef struct snw_segments {
    int segment_count;
    snw_segment *segment; /* (segment_count) */
    int marker_count;     /* of the trial */
    int *segment_of;      /* (marker_count) which segment, or -1: the marker takes no part */
    snw_label *label;     /* (marker_count) what the names say, put right where the motion speaks
                             against them; NULL: the segments came from elsewhere, nobody asked */
    snw_allocator allocator;
    size_t block_size;
} snw_segments;

/* The one list of ways to find segments. X(enumerator, name, text). */
#define SNW_SEGMENT_METHOD_MAP(X)                                                          \
    X(AUTO, "auto", "by names where the labels tell, else by rigidity")                    \
    X(NAMES, "names", "by labels: Segment:1, Segment1, or what marker sets and words say") \
    X(RIGIDITY, "rigidity", "by motion: the rigid groups that explain the markers best")   \
    X(SPECTRAL, "spectral", "spectral clustering of distance deviations (Kirk et al. 2005)")

typedef enum snw_segment_method {
#define SNW_SEGMENT_METHOD_ENUM(enumerator, name, text) SNW_SEGMENTS_BY_##enumerator,
    SNW_SEGMENT_METHOD_MAP(SNW_SEGMENT_METHOD_ENUM)
#undef SNW_SEGMENT_METHOD_ENUM
    SNW_SEGMENT_METHOD_COUNT
} snw_segment_method;

SNW_API const char *snw_segment_method_name(snw_segment_method method);
/* -1 when there is no such name. */
SNW_API int snw_segment_method_find(const char *name);

typedef struct snw_segment_options {
    snw_segment_method method;
    double tolerance;  /* rigidity: largest standard deviation of a distance inside a segment,
                          metres;  negative: chosen from the data */
    int segment_count; /* spectral: how many; negative: by the eigengap */
    const snw_labels *labels; /* what the names say; NULL: as snw_labels_read has them */
    bool trusts_labels;       /* names: markers are where their labels say, whatever the motion; for
                                 snw_trial_undo_swaps, which comes before; false */
    uint64_t reserved[4];     /* 0; later versions grow here */
} snw_segment_options;

SNW_API snw_segment_options snw_segment_options_default(void);

/* Groups the markers of a trial. SNW_DEGENERATE with a sentence when there is nothing to group:
 * fewer than 3 markers, all of them missing. */
SNW_API snw_status snw_segments_find(const snw_trial *trial, const snw_segment_options *options,
                                     const snw_allocator *allocator, snw_segments **out,
                                     snw_notes *notes, snw_error *error);
/* segment_of (marker_count): a number 0.. for each marker, -1 = none; names (segment_count) may be
 * NULL. For groups from elsewhere. */
SNW_API snw_status snw_segments_create(const int *segment_of, int marker_count,
                                       const char *const *names, const snw_allocator *allocator,
                                       snw_segments **out, snw_error *error);
SNW_API void snw_segments_destroy(snw_segments *segments);

/* Segments by a list ("LeftUpLeg: LTHI LKNE" on each line, what holds blanks in "quotes") or a
 * marker-set file (WAND and SEGMENT lines) and, where labels differ from the set's, a correlation
 * file ("JOE::LBWT = LBWT ..."; NULL: none), both as in Knight's thesis, section 2.3.3. Segments
 * with the names of docs/marker-sets.md are joined as a person is. SNW_NOT_FOUND when fewer than 3
 * markers are known. */
SNW_API snw_status snw_segments_from_set(const snw_trial *trial, snw_text set,
                                         const snw_text *correlation,
                                         const snw_allocator *allocator, snw_segments **out,
                                         snw_error *error);
/* The segments as a list, to be read by snw_segments_from_set (`--markerset`): writes at most
 * `size` bytes with the terminating zero, like snprintf; returns the length of the whole text.
 * Markers that share a label are on one segment when it is read again. */
SNW_API size_t snw_segments_print(const snw_segments *segments, const snw_trial *trial,
                                  char *buffer, size_t size);
/* Labels that two markers of different segments exchange for a while, as the distances inside the
 * segments show (of three markers and more), are exchanged back, frame by frame, and told with
 * markers and frames. exchanged_count (may be NULL): how often. */
SNW_API snw_status snw_trial_undo_swaps(snw_trial *trial, const snw_segments *segments,
                                        const snw_allocator *allocator, int *exchanged_count,
                                        snw_notes *notes, snw_error *error);
/* The same from the paths alone: two markers that jump into each other's place in one frame and
 * back in a later one are exchanged back in between, whatever segments they are on. Two that do not
 * jump back are told; with_open: and exchanged on the shorter side of the jump, so that either name
 * has one path (nobody knows whose). */
SNW_API snw_status snw_trial_undo_jumps(snw_trial *trial, bool with_open,
                                        const snw_allocator *allocator, int *exchanged_count,
                                        snw_notes *notes, snw_error *error);
/* Standard deviation of the distance of every two markers over the trial, metres: noise inside a
 * segment, motion across a joint. deviation (marker_count x marker_count) is written; infinite
 * where too few frames show both. */
SNW_API snw_status snw_marker_deviations(const snw_trial *trial, const snw_allocator *allocator,
                                         double *deviation, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

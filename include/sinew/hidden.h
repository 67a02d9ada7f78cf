/* sinew/hidden.h - markers that the cameras did not see: filled offline, each with how sure it is.
 *
 *     snw_filled *filled = NULL;
 *     if (snw_trial_fill(trial, NULL, NULL, &filled, NULL, &error) == SNW_OK)
 *         use(filled->trial); // samples that were missing have state SNW_SAMPLE_FILLED
 *     snw_filled_destroy(filled);
 *
 * Measured samples are never changed. What was filled carries an uncertainty in metres: the root
 * mean square distance from the true place that the same filling had where the truth is known. What
 * could not be filled stays missing and is named. Options that are NULL mean `_default()`, an
 * allocator that is NULL means malloc. Notes and errors may be NULL too. docs/hidden-markers.md
 * tells how it works and what it reaches.
 */
#ifndef SINEW_HIDDEN_H
#define SINEW_HIDDEN_H

#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one list of ways to fill a gap. X(enumerator, name, text). */
#define SNW_FILL_METHOD_MAP(X)                                                         \
    X(AUTO, "auto", "all of them, weighted by how they do on gaps of the same length") \
    X(LINEAR, "linear", "a straight line between the last and the next sample")        \
    X(SPLINE, "spline", "cubic spline through the samples on both sides")              \
    X(FRAME, "frame", "cubic spline in the frame of the three most rigid neighbours")  \
    X(RIGID, "rigid", "the marker's place among its neighbours, ends met")             \
    X(LOCAL, "local", "ridge regression on the neighbours, in their frame, ends met")  \
    X(BODY, "body", "where the solved body carries the marker, ends met")

typedef enum snw_fill_method {
#define SNW_FILL_METHOD_ENUM(enumerator, name, text) SNW_FILL_##enumerator,
    SNW_FILL_METHOD_MAP(SNW_FILL_METHOD_ENUM)
#undef SNW_FILL_METHOD_ENUM
    SNW_FILL_METHOD_COUNT
} snw_fill_method;

SNW_API const char *snw_fill_method_name(snw_fill_method method);
/* SNW_FILL_METHOD_COUNT when there is no such name. */
SNW_API snw_fill_method snw_fill_method_find(const char *name);

typedef struct snw_fill_options {
    snw_fill_method method;
    int gap_max;            /* longer gaps stay missing, frames; 0: any length */
    double uncertainty_max; /* what is less sure stays missing, metres; 0.25 */
    const snw_trial *body;  /* the same markers and frames as the solved body carries them; NULL:
                               there is none. Needed by SNW_FILL_BODY, welcome to AUTO */
} snw_fill_options;

SNW_API snw_fill_options snw_fill_options_default(void);

/* Why a gap stayed missing. X(enumerator, text). */
#define SNW_FILL_OUTCOME_MAP(X)                                    \
    X(FILLED, "filled")                                            \
    X(TOO_LONG, "longer than was asked for")                       \
    X(UNSEEN, "the marker is never seen")                          \
    X(ALONE, "too few neighbours are seen, and no samples beside") \
    X(UNSURE, "nothing tells where it was well enough")

typedef enum snw_fill_outcome {
#define SNW_FILL_OUTCOME_ENUM(enumerator, text) SNW_GAP_##enumerator,
    SNW_FILL_OUTCOME_MAP(SNW_FILL_OUTCOME_ENUM)
#undef SNW_FILL_OUTCOME_ENUM
    SNW_FILL_OUTCOME_COUNT
} snw_fill_outcome;

SNW_API const char *snw_fill_outcome_text(snw_fill_outcome outcome);

typedef struct snw_filled_gap {
    int marker;
    int first;  /* frame from 0 */
    int length; /* frames */
    snw_fill_outcome outcome;
    snw_fill_method method; /* that counts most; of a filled gap */
    double share;           /* of that method in the answer, 0..1 */
    double uncertainty;     /* the largest in the gap, metres; of a filled gap */
    int distrusted;         /* samples beside the gap that did not fit and were not built upon */
    int judged;             /* gaps of known truth the judgement rests on */
} snw_filled_gap;

typedef struct snw_filled {
    snw_trial *trial; /* a copy with the filled samples and their uncertainty */
    int gap_count;
    snw_filled_gap *gap;  /* (gap_count) by marker, then frame */
    int filled_count;     /* gaps */
    int64_t sample_count; /* samples filled */
    snw_allocator allocator;
    size_t block_size;
} snw_filled;

/* Fills what is missing. SNW_UNSUPPORTED when SNW_FILL_BODY is asked for without a body. */
SNW_API snw_status snw_trial_fill(const snw_trial *trial, const snw_fill_options *options,
                                  const snw_allocator *allocator, snw_filled **out,
                                  snw_notes *notes, snw_error *error);
SNW_API void snw_filled_destroy(snw_filled *filled);

#ifdef __cplusplus
}
#endif
#endif

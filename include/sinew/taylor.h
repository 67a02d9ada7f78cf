/* sinew/taylor.h - motions as Taylor expansions (Knight 8.1, 8.4): for every freedom and every
 * window of time the coefficients of a polynomial, which can be evaluated at any time with its
 * derivatives, joined, and blended between trials.
 *
 *     snw_taylor *motion = NULL;
 *     snw_taylor_samples walk = {rows, columns, names, times, values, 0};
 *     if (snw_taylor_fit(&walk, 1, NULL, NULL, &motion, &error) == SNW_OK)
 *         speed = snw_taylor_value(motion, knee, 0.5, 0, 1);
 *
 * An expansion of order w in m variables has N = C(w + m, m) terms (Knight 8.1.5). The variables
 * are time, and where there are two, the number that tells trials apart. Constant once made: any
 * number of threads may evaluate it.
 */
#ifndef SINEW_TAYLOR_H
#define SINEW_TAYLOR_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_TAYLOR_ORDER_MAX     12
#define SNW_TAYLOR_VARIABLES_MAX 2

typedef struct snw_taylor_sizes {
    int variable_count; /* m: 1 or 2 */
    int order;          /* w: 0 to SNW_TAYLOR_ORDER_MAX */
    int freedom_count;
    int window_count;
} snw_taylor_sizes;

/* In window n, value of freedom f = sum over terms k of coefficient[k] times the variables from the
 * window's center, each to its power (snw_taylor_power). */
typedef struct snw_taylor {
    snw_taylor_sizes size;
    int term_count;             /* N */
    const char *const *freedom; /* (freedom_count) names */
    double *from, *to;          /* (window_count) seconds; windows follow each other */
    double *center;             /* (window_count x variable_count) */
    double *coefficient;        /* (window_count x freedom_count x term_count) */
    double *error;              /* (window_count x freedom_count) largest of the samples */
    snw_allocator allocator;
    size_t block_size;
} snw_taylor;

/* C(order + variables, variables); 0 outside the bounds above. */
SNW_API int snw_taylor_term_count(int order, int variable_count);
/* Powers of the variables in a term: by their sum, then the first variable's falling. */
SNW_API void snw_taylor_power(int variable_count, int term, int power[SNW_TAYLOR_VARIABLES_MAX]);

/* All zero; names are copied. */
SNW_API snw_status snw_taylor_create(const snw_taylor_sizes *size, const char *const *freedoms,
                                     const snw_allocator *allocator, snw_taylor **out,
                                     snw_error *error);
SNW_API void snw_taylor_destroy(snw_taylor *taylor);

/* A trial: values of freedoms over time. */
typedef struct snw_taylor_samples {
    int row_count;
    int freedom_count;
    const char *const *freedom; /* (freedom_count) */
    const double *time;         /* (row_count) rising */
    const double *value;        /* (row_count x freedom_count) finite */
    double parameter;           /* what tells it from other trials */
} snw_taylor_samples;

typedef struct snw_taylor_options {
    int order;             /* 5 */
    double window;         /* seconds of a window at most; 0: as long as errors allow */
    const double *allowed; /* (freedom_count) largest errors: windows are halved until they hold, or
                              have too few samples; NULL: not halved */
    uint64_t reserved[4];  /* 0; later versions grow here */
} snw_taylor_options;

SNW_API snw_taylor_options snw_taylor_options_default(void);

/* Least squares in each window. One trial makes expansions in time, several make expansions in time
 * and parameter, of lower powers in the latter than there are trials. SNW_INVALID_ARGUMENT where
 * trials have different freedoms or one parameter, SNW_DEGENERATE for too few samples. */
SNW_API snw_status snw_taylor_fit(const snw_taylor_samples *trials, int trial_count,
                                  const snw_taylor_options *options, const snw_allocator *allocator,
                                  snw_taylor **out, snw_error *error);

/* Derivative `derivative` in time (0: the value) at a time and, where there are two variables, a
 * parameter. Before the first window and behind the last one, that window's expansion goes on. */
SNW_API double snw_taylor_value(const snw_taylor *taylor, int freedom, double time,
                                double parameter, int derivative);
/* Largest jump of a freedom from window to window, at the parameter. */
SNW_API double snw_taylor_jump(const snw_taylor *taylor, int freedom, double parameter);

/* `a`, then `b` moved to begin `seconds` behind its end; between them a cubic with the values and
 * speeds of both. Same freedoms, one variable, orders of 3 or more; the result has the higher. */
SNW_API snw_status snw_taylor_join(const snw_taylor *a, const snw_taylor *b, double seconds,
                                   const snw_allocator *allocator, snw_taylor **out,
                                   snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

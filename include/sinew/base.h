/* sinew/base.h - what every other module stands on: status codes, errors, memory, random numbers,
 * number text.
 *
 * A call that can fail returns a snw_status and, when asked, fills a snw_error:
 *
 *     snw_error error;
 *     snw_skeleton *body = NULL;
 *     if (snw_skeleton_create(defs, count, NULL, &body, &error) != SNW_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *
 * Nothing in the library prints, exits or keeps global state. Every function here is safe to call
 * from several threads at once as long as they do not share a mutable argument.
 */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(SNW_SHARED)
#ifdef SNW_BUILDING
#define SNW_API __declspec(dllexport)
#else
#define SNW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SNW_API __attribute__((visibility("default")))
#else
#define SNW_API
#endif

/* Small functions that a compiler should see; the library exports them too, for bindings that
 * cannot read headers (src/exports.c). */
#if !defined(SNW_INLINE)
#define SNW_INLINE static inline
#endif

#define SNW_VERSION_MAJOR 0
#define SNW_VERSION_MINOR 1
#define SNW_VERSION_PATCH 0
/* One number that grows with every version: 100 is 0.1.0. */
#define SNW_VERSION (10000 * SNW_VERSION_MAJOR + 100 * SNW_VERSION_MINOR + SNW_VERSION_PATCH)

/* "0.1.0" and 100: the version of the library that is linked, not of the header. */
SNW_API const char *snw_version(void);
SNW_API int snw_version_number(void);

/* Whether this header and the library that is linked have the same structs: the same major and
 * minor version. A program that loads the library by itself should ask first. */
SNW_INLINE bool snw_version_check(void)
{
    return snw_version_number() / 100 == SNW_VERSION / 100;
}

/* ---- status and error --------------------------------------------------------------------- */

/* The one list of outcomes that are errors. X(name, text). Order is part of the ABI: append only.
 */
#define SNW_STATUS_MAP(X)                                                   \
    X(OK, "no error")                                                       \
    X(OUT_OF_MEMORY, "memory could not be allocated")                       \
    X(INVALID_ARGUMENT, "an argument is outside what the function accepts") \
    X(INVALID_SKELETON, "the joint definitions do not describe a body")     \
    X(NOT_FOUND, "the thing asked for does not exist")                      \
    X(SINGULAR, "the matrix is singular or not positive definite")          \
    X(NOT_CONVERGED, "an iteration did not converge")                       \
    X(DEGENERATE, "the data do not determine an answer")                    \
    X(UNSUPPORTED, "this is valid but not supported here")                  \
    X(IO, "a file or stream could not be opened, read or written")          \
    X(FORMAT, "the content breaks the rules of its format")                 \
    X(TRUNCATED, "the content ends too early")                              \
    X(TOO_LARGE, "a size is above the allowed bound")                       \
    X(EXISTS, "the file exists already")                                    \
    X(CANCELLED, "the work was cancelled")                                  \
    X(INTERNAL, "a fault of the library itself")

typedef enum snw_status {
#define SNW_STATUS_ENUM(name, text) SNW_##name,
    SNW_STATUS_MAP(SNW_STATUS_ENUM)
#undef SNW_STATUS_ENUM
    SNW_STATUS_COUNT
} snw_status;

/* Where and why something failed. Fields that do not apply hold -1 or "". */
typedef struct snw_error {
    snw_status status;
    int64_t byte;      /* offset in the input, from 0; -1 = not known */
    int64_t line;      /* line of the input, from 1; -1 = not known */
    int64_t frame;     /* frame of a trial, from 0; -1 = not known */
    int64_t index;     /* joint, row, marker or argument index, from 0; -1 = not known */
    char name[64];     /* the thing: joint name, marker label, option; "" = none */
    char message[256]; /* one sentence that names the thing and the place */
} snw_error;

/* "the matrix is singular or not positive definite"; never NULL, also for a number off the list. */
SNW_API const char *snw_status_text(snw_status status);

/* "SINGULAR"; never NULL. */
SNW_API const char *snw_status_name(snw_status status);

/* An error that says SNW_OK and no place. */
SNW_API snw_error snw_error_none(void);

/* ---- notes -------------------------------------------------------------------------------- */

/* The one list of kinds of notes. X(name, text). Order is part of the ABI: append only. */
#define SNW_NOTE_MAP(X)                                                                          \
    X(OTHER, "something worth knowing")                                                          \
    X(VALUE_ASSUMED, "the file does not say; a value was assumed")                               \
    X(HEADER_DISAGREES, "the header disagrees with itself or with the content")                  \
    X(CONTENT_CUT, "the content ends early; what is whole was read")                             \
    X(CONTENT_LEFT_OUT, "something was not read")                                                \
    X(CONTENT_DAMAGED, "something is damaged; the rest was read")                                \
    X(VALUE_REPAIRED, "a value cannot be used; it is missing, or the one before is kept")        \
    X(VALUE_EXTREME, "a value is outside what any capture holds")                                \
    X(FRAMES_JUMP, "frame numbers or times are not evenly spaced")                               \
    X(FORM_UNUSUAL, "the content is written in an unusual form")                                 \
    X(COLUMN_MISSING, "a column is not there; its coordinate stays at rest")                     \
    X(LABEL_MADE, "something without a usable name was given one")                               \
    X(LABEL_REPEATED, "several markers have one name")                                           \
    X(LABEL_CUT, "a name is too long and was cut")                                               \
    X(TRAJECTORIES_JOINED, "trajectories were joined to markers")                                \
    X(POINTS_LEFT_OUT, "short or flickering points that nobody named were left out")             \
    X(PIECE_MISNAMED, "a piece is named like a marker that stands elsewhere, and was left out")  \
    X(POINTS_COMPUTED, "points that a program computed are no markers")                          \
    X(LABELS_EXCHANGED, "two labels were exchanged, and exchanged back")                         \
    X(SIDES_EXCHANGED, "left and right are exchanged in all labels, or the capture is mirrored") \
    X(LABELS_CONTRADICTED, "the markers do not move as their labels say")                        \
    X(MARKER_REGROUPED, "a marker was put on the segment with which it moves")                   \
    X(MARKER_OFF_SEGMENT, "a marker does not move with its segment")                             \
    X(MARKER_LEFT_OUT, "a marker moves with no segment and was left out")                        \
    X(SEGMENTS_APART, "segments could not be joined to the body")                                \
    X(SIDE_UNKNOWN, "which side is left is not clear")                                           \
    X(JOINTS_NOT_PLACED, "joints were not placed by the method asked for")                       \
    X(GAP_NOT_FILLED, "a gap stays")                                                             \
    X(GAP_EDGES_LEFT_OUT, "a gap was filled without samples beside it that do not fit")          \
    X(SUBJECT_ASSUMED, "a measure of the person was assumed")                                    \
    X(OBJECT, "something that is no part of the body was left out of it")                        \
    X(ACTORS, "the capture holds several bodies")                                                \
    X(PERSON_RECOGNISED, "a person was recognised in markers that nobody named")                 \
    X(PERSON_NOT_RECOGNISED, "no person was recognised in markers that nobody named")            \
    X(MARKER_SLIPPED, "a marker came to sit at another place of its segment")                    \
    X(SUBJECT_ODD, "a measure of the person is odd, or was kept in another unit")                \
    X(STATIC_DIFFERS, "the static trial and the trial say different things of the person")       \
    X(FUNCTIONAL, "a joint was found by its motion")                                             \
    X(LABELS_IGNORED, "labels are not understood; markers were read by where they sit")          \
    X(DROPOUTS_BRIDGED, "samples drop out here and there; short gaps were bridged")              \
    X(STATIC_OF_ANOTHER, "the static trial looks like another person's")                         \
    X(CAMERA_MOVED, "a camera does not stand where its calibration says")

typedef enum snw_note_code {
#define SNW_NOTE_ENUM(name, text) SNW_NOTE_##name,
    SNW_NOTE_MAP(SNW_NOTE_ENUM)
#undef SNW_NOTE_ENUM
    SNW_NOTE_CODE_COUNT
} snw_note_code;

/* One thing that had to be repaired, guessed or left out: what kind of thing, where, and a sentence
 * for people. The place is told as in snw_error: -1 and "" where it does not apply. */
typedef struct snw_note {
    snw_note_code code;
    int64_t byte;
    int64_t line;
    int64_t frame; /* of the trial, from 0 */
    int64_t index; /* marker, joint or segment, as the code says, from 0 */
    char name[64]; /* its name */
    char text[200];
} snw_note;

/* At most SNW_NOTES_MAX are kept; `dropped` counts the rest. The bound is fixed so that notes need
 * no memory of their own and a hostile file cannot make them grow. */
#define SNW_NOTES_MAX 64
typedef struct snw_notes {
    int count;
    int dropped;
    snw_note note[SNW_NOTES_MAX];
} snw_notes;

/* "VALUE_ASSUMED", and the text of the list; never NULL. */
SNW_API const char *snw_note_code_name(snw_note_code code);
SNW_API const char *snw_note_code_text(snw_note_code code);
/* The first note of this kind at or after number `from`; -1 when there is none. */
SNW_API int snw_notes_find(const snw_notes *notes, snw_note_code code, int from);
SNW_API snw_notes snw_notes_none(void);

/* ---- memory ------------------------------------------------------------------------------- */

/* Where objects take their memory from. Functions that create something take a const
 * snw_allocator *; NULL means malloc and free. The struct is copied into the object. Memory
 * returned by `allocate` must be aligned like malloc's. `allocate` may return NULL; the call then
 * fails with SNW_OUT_OF_MEMORY and leaves nothing behind. */
typedef struct snw_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);
    void *context;
} snw_allocator;

SNW_API snw_allocator snw_allocator_default(void);

/* ---- random numbers ----------------------------------------------------------------------- */

/* PCG-XSH-RR 64/32 (O'Neill 2014). The same seed and stream give the same numbers on any machine.
 */
typedef struct snw_random {
    uint64_t state;
    uint64_t increment;
} snw_random;

SNW_API snw_random snw_random_seed(uint64_t seed, uint64_t stream);
SNW_API uint32_t snw_random_u32(snw_random *random);
/* Unbiased integer in [0, bound); 0 for bound 0. */
SNW_API uint32_t snw_random_below(snw_random *random, uint32_t bound);
/* Uniform in [0, 1) with 53 random bits. */
SNW_API double snw_random_unit(snw_random *random);
/* Uniform in [low, high). */
SNW_API double snw_random_range(snw_random *random, double low, double high);
/* Standard normal (Box-Muller; one value for each call, no hidden state). */
SNW_API double snw_random_normal(snw_random *random);

/* ---- numbers as text, whatever the locale --------------------------------------------------- */

/* Reads one number at the start of [text, end): optional sign, digits, '.', exponent, or
 * "nan"/"inf"/"infinity" in any case. Correctly rounded, half to even; too large gives infinity,
 * too small zero. Returns the first character after the number, or NULL when there is no number;
 * *value is then untouched. Skips no white space; no hexadecimal ("0x1" is 0 followed by "x1");
 * an exponent without digits is not part of the number ("1e" is 1 followed by "e"). */
SNW_API const char *snw_parse_double(const char *text, const char *end, double *value);
/* The same for a decimal integer; NULL also on overflow. */
SNW_API const char *snw_parse_int64(const char *text, const char *end, int64_t *value);

/* Room enough for any number the functions below print, with the terminating zero. */
#define SNW_NUMBER_SIZE 352

/* Shortest text that reads back as the same double ("0.1", "-0", "1e+300", "nan", "inf"); of texts
 * equally short the nearest. Plain from 1e-4 up to below 1e16, else with an exponent of two digits
 * or more. Returns the length without the terminating zero. */
SNW_API int snw_print_double(char buffer[SNW_NUMBER_SIZE], double value);
/* Shortest text that reads back as the same float, also by way of snw_parse_double and a cast. */
SNW_API int snw_print_float(char buffer[SNW_NUMBER_SIZE], float value);
/* Exactly `decimals` (0..17, others are clamped) digits after the point, the exact value correctly
 * rounded, half to even, never an exponent. */
SNW_API int snw_print_fixed(char buffer[SNW_NUMBER_SIZE], double value, int decimals);

/* Locale-free subset of snprintf: %s %.*s %c %d %i %u %x %ld %lld %zu %zd %% with width, '-', '0';
 * %g prints as snw_print_double, %.Nf as snw_print_fixed. Widths above 4096 count as 4096. Always
 * terminates if size > 0; returns the length the whole text would have. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
SNW_API int
snw_format(char *buffer, size_t size, const char *format, ...);
SNW_API int snw_format_list(char *buffer, size_t size, const char *format, va_list arguments);

#ifdef __cplusplus
}
#endif
#endif

/* sinew/label.h - what a marker's name says.
 *
 *     char set[SNW_LABEL_SIZE];
 *     if (snw_correlation_set_name(text, set)) // "MARKERSET vicon512.txt"
 *         puts(set);
 *
 * Which marker sets and spellings are known: docs/marker-sets.md. A label means the same whatever
 * the program's locale. Nothing here allocates; any thread.
 */
#ifndef SINEW_LABEL_H
#define SINEW_LABEL_H

#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_LABEL_SIZE 64

/* Bytes of a text file. */
typedef struct snw_text {
    const char *bytes;
    size_t size;
} snw_text;

/* The file that a correlation names after MARKERSET; false when there is none: the text is a set.
 */
SNW_API bool snw_correlation_set_name(snw_text correlation, char name[SNW_LABEL_SIZE]);

#ifdef __cplusplus
}
#endif
#endif

/* How labels are read. Internal. */
#ifndef SNW_LABEL_LABEL_GRAMMAR_H
#define SNW_LABEL_LABEL_GRAMMAR_H

#include <sinew/label.h>

#include "person/landmark.h"

typedef char snw__label_name[SNW_LABEL_SIZE];

/* The label without its "Actor:" in front. */
const char *snw__bare_label(const char *label);

/* One way to read a name as a side and a stem, the stem in capitals without separators. */
typedef struct snw__label_reading {
    snw_side side;
    char stem[SNW_LABEL_SIZE];
} snw__label_reading;

enum {
    SNW__LABEL_READINGS = 8
};
/* All ways, the likeliest first (label_grammar.c); the first has no side. Returns how many. */
int snw__label_readings(const char *label, snw__label_reading out[SNW__LABEL_READINGS]);

/* What the lists and labels of a trial say of a point, whatever marker[].kind is. */
typedef struct snw__told_kind {
    snw_point_kind kind;
    bool is_in_lab_axes;
} snw__told_kind;

/* Says nothing. */
void snw__label_clear(snw_label *out);

/* out (marker_count). */
snw_status snw__told_kinds(const snw_trial *trial, snw__told_kind *out, snw_error *error);

/* All markers of a trial, each by its label, what the other labels are and, where the label is not
 * enough, its description. out (marker_count). */
snw_status snw__labels_of_trial(const snw_trial *trial, const snw_allocator *allocator,
                                snw_label *out, snw_error *error);

/* Is every point that the labels name a joint, or a point of a head, hand or foot, as programs
 * write them that see people without markers? */
bool snw__labels_are_joints(const snw_label *label, int count);

/* snw_labels_find_mirror among the markers of the same person: those with the same prefix. */
int snw__labels_find_own_mirror(const snw_trial *trial, const snw_label *label, int marker);

/* ASCII, whatever the program's locale: a label means the same everywhere. */
static inline bool snw__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif

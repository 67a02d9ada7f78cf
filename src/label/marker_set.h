/* A marker set as text: on which segment a label sits. Internal. */
#ifndef SNW_LABEL_MARKER_SET_H
#define SNW_LABEL_MARKER_SET_H

#include "label/label_grammar.h"

/* A set or a list, and which label of a capture is which marker of the set. */
typedef struct snw__marker_set {
    const snw_text *text;
    const snw_text *correlation; /* NULL: labels are those of the set */
    bool is_list;
} snw__marker_set;

/* The texts must outlive it. */
snw__marker_set snw__marker_set_open(const snw_text *text, const snw_text *correlation);
/* False when the set does not have the label. */
bool snw__marker_set_find(const snw__marker_set *set, const char *label, snw__label_name segment);

#endif

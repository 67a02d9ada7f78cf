/* Whether the markers move as their labels say. Internal. */
#ifndef SNW_SEGMENT_LABEL_CORRECTION_H
#define SNW_SEGMENT_LABEL_CORRECTION_H

#include "label/label_grammar.h"
#include "rigid/sampling.h"
#include "segment/segment_methods.h"

/* Segments as the labels have them. */
typedef struct snw__named_segments {
    int segment_count;
    int *segment_of;       /* (marker_count) -1: the label does not tell */
    snw__label_name *name; /* (segment_count) */
    snw_label *landmark;   /* (marker_count) */
    int *guess;            /* (marker_count) work */
    bool is_contradicted;  /* so many disagree that the labels mean something else */
} snw__named_segments;

/* Corrects segment_of and the landmarks by the motion, and tells in notes what was corrected. */
snw_status snw__labels_correct(const snw__samples *samples, const snw_trial *trial,
                               snw__named_segments *names, snw_notes *notes, snw_error *error);

/* Pairs of the trunk whose left is the body's right exchange their sides, and notes tell it.
 * Returns how many markers did. label_sides.c */
int snw__labels_check_sides(const snw__samples *samples, const snw_trial *trial,
                            snw__named_segments *names, snw_notes *notes);

#endif

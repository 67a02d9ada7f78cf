/* What a calibration stands on: trusted samples, labels, rigid segments and their tree. Internal.
 */
#ifndef SNW_CALIBRATE_CALIBRATION_H
#define SNW_CALIBRATE_CALIBRATION_H

#include <sinew/calibrate.h>

#include "base/memory.h"
#include "calibrate/joint_tree.h"

typedef struct snw__calibration {
    snw_actor_options options;
    snw__samples *samples;
    snw_label *label;          /* (marker_count) of the trial's markers */
    snw__joint_markers *joint; /* (segment_count) */
    snw__marker_group *group;  /* (segment_count) markers that tell each segment's pose */
    int *marker;               /* (marker_count + 4 segment_count) of the groups */
    int *parent;               /* (segment_count) by names */
    bool *is_still;            /* (segment_count) nothing is */
    snw__rigids *rigids;
    snw__joint_tree *tree;
    snw_allocator allocator;
    snw__block block; /* of label, joint, group and marker */
} snw__calibration;

/* Checks the arguments, reads what is given and finds what is not. Must be ended whatever comes out
 * of it. */
snw_status snw__calibration_begin(snw__calibration *calibration, const snw_trial *trial,
                                  const snw_segments *segments, const snw_actor_options *options,
                                  const snw_allocator *allocator, snw_error *error);
void snw__calibration_end(snw__calibration *calibration);

#endif

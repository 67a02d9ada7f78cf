/* Which foot stands on which plate. Internal. */
#ifndef SNW_DYNAMICS_CONTACT_H
#define SNW_DYNAMICS_CONTACT_H

#include <sinew/dynamics.h>

#include "measure/gait_line.h"

/* The ground under both feet, frame by frame. */
typedef struct snw__ground {
    snw__gait_line line;
    const snw_gait_events *events;
    double cutoff;
    bool zeroes_plates;
    double *work;      /* (6 x samples) */
    snw_load *load[2]; /* (frame_count) on the left and the right foot */
    bool *is_known[2]; /* (frame_count) */
} snw__ground;

/* Fills loads and is_known, and lists the contacts. */
void snw__ground_find(snw__ground *ground, snw_kinetics *out);

#endif

/* What the predictor learned of each marker from the past. Internal. */
#ifndef SNW_HIDDEN_LIVE_LEARNED_H
#define SNW_HIDDEN_LIVE_LEARNED_H

#include "base/memory.h"
#include "hidden/fill.h"

/* How one hidden marker follows the neighbours that are seen. */
typedef struct snw__learned_marker {
    bool is_trained;
    snw__gap_model model;        /* neighbours and frame */
    snw__regression places, few; /* on twelve of them and on eight */
    snw_vec3 slip;               /* what they missed when the marker was last seen */
    double sigma;                /* metres: what they miss, root mean square */
    snw_vec3 *vanished;          /* (marker_count) all markers when this one was last seen */
    uint16_t *vanished_span;     /* (marker_count) */
} snw__learned_marker;

typedef struct snw__learned {
    snw__fill past;  /* the past, thinned; its last frame is the present */
    int capacity;    /* frames of the past that fit */
    int count;       /* that are there */
    int next;        /* where the next one goes */
    int every;       /* frames from one that is kept to the next */
    int since;       /* the last one was kept */
    int cost_row;    /* marker whose costs come next */
    int trained;     /* trainings so far: each has its own number */
    bool has_budget; /* one training a frame */
    snw__moments *moments;
    snw__learned_marker *marker; /* (marker_count) */
} snw__learned;

/* Lays the arrays out in the block. */
void snw__learned_lay_out(snw__learned *learned, int marker_count, int capacity, snw__block *block);
void snw__learned_reset(snw__learned *learned);
/* The present: every marker that is seen, NULL for those that are not. */
void snw__learned_see(snw__learned *learned, const snw_vec3 *place, const bool *is_seen);
/* Where a hidden marker is, after so many seconds; false while that is not known. */
bool snw__learned_guess(snw__learned *learned, int marker, double hidden_seconds, snw_vec3 *place,
                        double *sigma);

#endif

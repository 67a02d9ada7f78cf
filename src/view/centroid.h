/* Markers from points that nobody named: pictures, tracks, new markers. Internal to view.
 *
 * Distortion is undone once; from then on a picture is the plane at depth 1 of its camera. All
 * memory is taken when the tracker is made: a step takes none. */
#ifndef SNW_VIEW_CENTROID_H
#define SNW_VIEW_CENTROID_H

#include "base/memory.h"
#include "person/movement.h"
#include "view/eye.h"

/* Markers that are nearer to each other than that are not told apart: a centimetre. */
#define SNW__MARKER_APART (10 * SNW__NOISE_POOR)

enum {
    SNW__PICTURE_COLUMNS = 256, /* strips in which centroids are looked for */
    SNW__TRACK_VIEWS = 32,      /* sightings of a marker that count in a frame */
    SNW__PARTNERS = 8           /* cameras with which one is paired to find new markers */
};

typedef struct snw__centroid {
    double x, y;
    double variance;     /* of a coordinate */
    int detection;       /* of the views */
    int owner;           /* track, or -1 */
    double off2;         /* of its owner's prediction, in variances */
    int candidate_count; /* pairs that it would be of, while new markers are found */
    bool is_shared;      /* another track would be here too: markers that touch */
} snw__centroid;

typedef struct snw__picture {
    int count;
    snw__centroid *centroid; /* (count) by columns */
    int *first;              /* (SNW__PICTURE_COLUMNS + 1) */
    double low, columns;     /* where column 0 begins, columns per unit */
} snw__picture;

typedef struct snw__centroid_track {
    snw_vec3 place, velocity; /* as the filter has them */
    snw_vec3 seen;            /* by the pictures of this frame alone */
    double spread[3]; /* variance of a coordinate, covariance with its speed, variance of that */
    double residual;  /* rms of this frame, in sigmas */
    int number;       /* counts up */
    int seen_frames;  /* with two views */
    int wait;         /* frames since then */
    int view_count;   /* in this frame; fewer than two: not seen */
    int camera[SNW__TRACK_VIEWS], detection[SNW__TRACK_VIEWS];
} snw__centroid_track;

/* Centroids of several pictures and the place that they show. */
typedef struct snw__centroid_fit {
    int count;
    int camera[SNW__TRACK_VIEWS];
    snw__centroid *seen[SNW__TRACK_VIEWS];
    snw_vec3 place; /* in: from where; out */
    double covariance[6];
    double residual; /* rms, in sigmas */
} snw__centroid_fit;

typedef struct snw__ranked {
    double worth;
    int index;
} snw__ranked;

/* A ray of a pair of cameras, by the plane it has in common with the baseline. */
typedef struct snw__epipolar {
    double angle, tolerance;
    int centroid;
} snw__epipolar;

typedef struct snw__centroid_tracker {
    const snw_cameras *cameras;
    double sigma;   /* pixels */
    double seconds; /* between frames */
    int camera_count, centroid_max, track_max, candidate_max;
    snw__eye *eye;                 /* (camera_count) */
    snw__picture *picture;         /* (camera_count) */
    int (*partner)[SNW__PARTNERS]; /* (camera_count) with whom it is paired, or -1 */
    int track_count, next_number;
    snw__centroid_track *track; /* (track_max) */
    int *claim;                 /* (track_max) of the camera at hand: its centroid, or -1 */
    snw__centroid_fit *fit;     /* (track_max) of the frame at hand */
    int candidate_count;
    snw__centroid_fit *candidate; /* (candidate_max) */
    snw__ranked *rank;            /* (candidate_max) */
    snw__epipolar *epipolar[2];   /* (2 centroid_max) */
    snw_allocator allocator;
    snw__block block;
} snw__centroid_tracker;

typedef struct snw__centroid_sizes {
    const snw_cameras *cameras;
    const bool *is_left_out; /* (camera_count) or NULL */
    int centroid_max;        /* of a picture */
    double sigma, rate;
} snw__centroid_sizes;

snw_status snw__centroid_tracker_create(const snw__centroid_sizes *sizes,
                                        const snw_allocator *allocator, snw__centroid_tracker **out,
                                        snw_error *error);
void snw__centroid_tracker_destroy(snw__centroid_tracker *tracker);
/* Takes the pictures of a frame; tracks that were seen have view_count >= 2. */
void snw__centroid_step(snw__centroid_tracker *tracker, const snw_views *views, int frame);

/* ---- pieces ------------------------------------------------------------------------------- */

/* Fills the pictures. */
void snw__pictures_load(snw__centroid_tracker *tracker, const snw_views *views, int frame);
/* The nearest centroid that `takes` within a radius, or -1. */
typedef bool snw__centroid_taker(const snw__centroid *centroid, double off2, const void *context);
int snw__picture_nearest(const snw__picture *picture, const double at[2], double radius,
                         snw__centroid_taker *takes, const void *context);
/* The place that fits some centroids best, from a start; those that do not fit are dropped and the
 * lists shortened. False where fewer than two remain. */
bool snw__centroid_fit_place(const snw__eye *eye, snw__centroid_fit *fit);
/* New tracks from centroids that have no owner. */
void snw__centroid_find_new(snw__centroid_tracker *tracker);
/* What a fit says of a track in this frame. */
void snw__centroid_keep(snw__centroid_track *track, const snw__centroid_fit *fit);

#endif

/* Trajectories from centroids: what is at hand on the way. Internal to view. */
#ifndef SNW_VIEW_RECONSTRUCT_H
#define SNW_VIEW_RECONSTRUCT_H

#include "view/centroid.h"

/* One track in one frame. */
typedef struct snw__marker_sample {
    snw_vec3 place;
    double residual; /* rms, in sigmas */
    int64_t first;   /* of the sightings */
    int track, frame;
    int view_count;
} snw__marker_sample;

typedef struct snw__marker_sighting {
    int camera, detection;
    float weight; /* 0 to 1: how long the camera has seen it and will */
} snw__marker_sighting;

/* What was followed, by frame. */
typedef struct snw__gathered {
    int track_count;
    int64_t sample_count, sample_capacity, sighting_count, sighting_capacity;
    snw__marker_sample *sample;
    snw__marker_sighting *sighting;
    snw_allocator memory;
} snw__gathered;

typedef struct snw__camera_age {
    double frames;
    int frame; /* the last one */
} snw__camera_age;

typedef struct snw__reconstructing {
    const snw_views *views;
    snw_cameras *cameras; /* our own copy: knocked ones are put right */
    snw_reconstruct_options options;
    double sigma, rate;
    bool *is_left_out;     /* (camera_count) */
    snw__eye *eye;         /* (camera_count) */
    snw__camera_age *age;  /* (camera_count) */
    snw_view_camera *told; /* (camera_count) */
    snw_allocator memory;
} snw__reconstructing;

void snw__gathered_release(snw__gathered *all);
/* Follows markers through all frames, or as many as a calibration looks at; `cameras` that were
 * knocked are put right, `sigma` is how many pixels centroids are off. */
snw_status snw__gather_markers(const snw_views *views, snw_cameras *cameras,
                               const snw_allocator *memory, snw__gathered *all, double *sigma,
                               snw_error *error);
/* Follows all markers from frame `first` up to `end`. */
typedef snw_status snw__follower(snw__reconstructing *r, int first, int end, snw__gathered *all,
                                 snw_error *error);
/* The first look: noise, cameras that were knocked. */
snw_status snw__look_at_cameras(snw__reconstructing *r, snw__follower *follow, snw_error *error);

#endif

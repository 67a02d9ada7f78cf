/* Cameras and points together: bundle adjustment. Internal to view. */
#ifndef SNW_VIEW_BUNDLE_H
#define SNW_VIEW_BUNDLE_H

#include "view/sighting.h"

enum {
    SNW__BUNDLE_POSE = 6, /* parameters of a camera: a turn, a shift in its own frame */
    SNW__BUNDLE_LENS = 8  /* and the logarithm of its focal lengths, and k1 */
};

typedef struct snw__bundle_sighting {
    int camera;
    float weight; /* 0: not believed; set by the solve */
    double pixel[2];
    double sigma;
} snw__bundle_sighting;

typedef struct snw__bundle {
    snw_cameras *cameras;
    int parameters; /* of a camera: SNW__BUNDLE_POSE or SNW__BUNDLE_LENS */
    int point_count;
    snw_vec3 *place; /* (point_count) */
    int *first;      /* (point_count + 1) first sighting of a point */
    snw__bundle_sighting *sighting;
    double cost;     /* out: robust, mean over sightings */
    double residual; /* out: rms of the believed ones, in sigmas, for the freedom that is left */
} snw__bundle;

/* Moves cameras and places to where the sightings fit best. What all of them have in common (place,
 * direction and size of the world) stays about where it was. */
snw_status snw__bundle_solve(snw__bundle *bundle, const snw_allocator *allocator, snw_error *error);

#endif

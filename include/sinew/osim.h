/* sinew/osim.h - a body with markers as an OpenSim model, to go with coordinates in a .mot file.
 *
 *     snw_osim_model model = {"walker", "made by me", body_count, bodies, marker_count, markers};
 *     snw_write_osim(&model, &sink, &error);
 *
 * OpenSim's axes: x forward, y up, z right; metres, radians, kilograms. Everything points into the
 * caller's memory. Any thread.
 */
#ifndef SINEW_OSIM_H
#define SINEW_OSIM_H

#include <sinew/gait_model.h>
#include <sinew/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One of the six motions of a joint. */
typedef struct snw_osim_axis {
    const char *coordinate; /* its name in .mot files; NULL: the joint does not move this way */
    double sign;            /* 1, or -1 where the coordinate counts the other way round */
} snw_osim_axis;

typedef struct snw_osim_body {
    const char *name;
    int parent;            /* a body before it; -1: the ground */
    const char *joint;     /* "hip_r" */
    snw_vec3 place;        /* of the joint in the parent's frame; the body's origin at rest */
    double twist;          /* of the joint's axes about the parent's y */
    snw_osim_axis axis[6]; /* turns about z, then x, then y; slides along x, y, z */
    double mass;
    snw_vec3 mass_center; /* in the body's frame */
    snw_vec3 inertia;     /* about it, along the axes; kg m^2 */
} snw_osim_body;

typedef struct snw_osim_marker {
    const char *name;
    int body;
    snw_vec3 place; /* in the body's frame */
} snw_osim_marker;

typedef struct snw_osim_model {
    const char *name;
    const char *credits;
    int body_count;
    const snw_osim_body *body; /* (body_count) parents first */
    int marker_count;
    const snw_osim_marker *marker; /* (marker_count) */
} snw_osim_model;

/* OpenSim's document format 4.0. SNW_INVALID_ARGUMENT for a parent that does not come before, a
 * marker on no body, or a number that is not finite. */
SNW_API snw_status snw_write_osim(const snw_osim_model *model, const snw_sink *sink,
                                  snw_error *error);
/* The gait model of a trial as an OpenSim model: bodies of the person's size, joints with the
 * coordinates that snw_angles has by the convention opensim, the trial's markers where they sit on
 * average. is_knee_negative: the knee's flexion counts as in gait2392. A body that the trial never
 * shows is left out. Takes memory from the trial's allocator, and gives it back. */
SNW_API snw_status snw_write_osim_of_gait(const snw_trial *trial, const snw_gait_model *model,
                                          bool is_knee_negative, const snw_sink *sink,
                                          snw_error *error);

#ifdef __cplusplus
}
#endif
#endif

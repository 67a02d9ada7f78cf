/* Sums over sightings of one point, for all who fit points to pictures. Internal. */
#ifndef SNW_VIEW_SIGHTING_H
#define SNW_VIEW_SIGHTING_H

#include <sinew/view.h>

/* The pixel of a point in the camera's frame and its derivatives by that; false behind it. */
bool snw__camera_look(const snw_camera *camera, snw_vec3 in_camera, double pixel[2],
                      snw_vec3 by_camera[2]);

/* Squared scale of the robust cost, in sigmas: at SNW_SIGHTING_FAR a sighting counts a
 * twenty-fifth. */
#define SNW__SIGHTING_SCALE2 (0.25 * SNW_SIGHTING_FAR * SNW_SIGHTING_FAR)

/* Where two rays come nearest to each other. */
typedef struct snw__meeting {
    snw_vec3 place;  /* in the middle */
    double depth[2]; /* along each; metres for unit directions */
    double apart;
} snw__meeting;

/* False where they are nearly parallel, or meet behind a camera. */
bool snw__rays_meet(snw_vec3 from_a, snw_vec3 a, snw_vec3 from_b, snw_vec3 b, snw__meeting *out);

/* Normal equations of a point: information xx xy xz yy yz zz, and which way it is drawn. */
typedef struct snw__normal {
    double information[6];
    snw_vec3 pull;
} snw__normal;

/* Squared distance in the picture, in sigmas; infinite behind the camera. */
double snw__sighting_off2(const snw_cameras *cameras, const snw_sighting *seen, snw_vec3 place);
/* Adds a sighting, weighed by Geman & McClure's cost with a squared scale in sigmas. */
void snw__normal_add(snw__normal *normal, const snw_cameras *cameras, const snw_sighting *seen,
                     snw_vec3 place, double scale2);

#endif

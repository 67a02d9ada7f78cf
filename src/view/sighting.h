/* Sums over sightings of one point, for all who fit points to pictures. Internal. */
#ifndef SNW_VIEW_SIGHTING_H
#define SNW_VIEW_SIGHTING_H

#include <sinew/view.h>

/* The pixel of a point in the camera's frame and its derivatives by that; false behind it. */
bool snw__camera_look(const snw_camera *camera, snw_vec3 in_camera, double pixel[2],
                      snw_vec3 by_camera[2]);

/* Views and cameras that belong together, and lists that are whole. */
snw_status snw__views_check(const snw_views *views, const snw_cameras *cameras, snw_error *error);

/* The detection of a picture with most confidence, or -1. */
int snw__views_surest(const snw_views *views, int camera, int frame);

/* Where a pixel lies in the plane at depth 1 without the lens, and how many units of it a pixel is
 * there; false where the lens sends no light. */
bool snw__camera_flatten(const snw_camera *camera, const double pixel[2], double at[2],
                         double *stretch);

/* One standard deviation of a keypoint's coordinate, pixels: about a centimetre at the person, more
 * where the detector is less sure. `place` of the point, or NULL: a metre away. */
double snw__keypoint_sigma(const snw_camera *camera, const snw_vec3 *place, double confidence);

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

typedef struct snw__sightings {
    const snw_sighting *sighting; /* (count) */
    int count;
} snw__sightings;

/* snw_triangulate, ending at a step of `tolerance` metres; false: no two agree. */
bool snw__triangulate(const snw_cameras *cameras, const snw__sightings *seen, const snw_vec3 *near,
                      double tolerance, snw_triangulated *out);

/* Normal equations of a camera's pose: a turn and a shift in its own frame. */
typedef struct snw__camera_equations {
    double a[6][6], b[6];
} snw__camera_equations;

/* Adds a sighting of a point whose place is known, with a squared scale in sigmas. */
void snw__camera_equations_add(snw__camera_equations *e, const snw_camera *camera, snw_vec3 world,
                               const snw_sighting *seen, double scale2);
/* How far a camera is from where it was believed to be, and the note that says so, with how many
 * pixels it was off before and after. */
void snw__camera_moved(const snw_camera *camera, snw_xform before, snw_view_camera *told);
void snw__note_camera_moved(snw_notes *notes, int index, const snw_camera *camera,
                            const snw_view_camera *told, const double off[2]);
/* Solves them and moves the camera; false where they do not say where to. */
bool snw__camera_equations_step(snw__camera_equations *e, snw_camera *camera);

#endif

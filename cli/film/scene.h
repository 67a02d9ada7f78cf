/* Bodies in motion before a camera: what is drawn at a time. */
#ifndef SINEW_CLI_SCENE_H
#define SINEW_CLI_SCENE_H

#include "film/raster.h"

enum {
    FILM_BODIES = 16
};

typedef struct film_body {
    const snw_motion *motion;
    snw_pose *pose;
    const snw_skin *skin; /* NULL: bones */
    float *surface;       /* (vertex_count x 3) of the skin in the pose */
    snw_vec3 *normal;     /* (vertex_count) */
} film_body;

typedef struct film_scene {
    film_body body[FILM_BODIES];
    int body_count;
    const snw_trial *trial; /* markers that are drawn; NULL: none */
    snw_quat turn;          /* y_up_from_world */
    bool is_dark;
    const char *view; /* "corner", "front", ... */
    int first, last;  /* frames of the film */
    double rate;      /* of the motion */
    double floor;     /* height */
    snw_vec3 middle;  /* of what is seen; along the way where the camera goes along */
    snw_vec3 back;    /* from the middle to the eye, unit */
    double distance;
    bool is_following;
} film_scene;

extern const char *const film_views[]; /* ends with NULL */

/* Finds floor, camera and whether it goes along; the bodies and frames are there. */
void film_stage(film_scene *scene, const film_canvas *canvas);
/* One frame into canvas->pixel; false: no memory. */
bool film_draw_frame(film_scene *scene, film_canvas *canvas, int frame);

#endif

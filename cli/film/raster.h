/* Pictures drawn by this program itself: a floor, round bones and surfaces with light, shadow and
 * smooth edges, into plain bytes. Every picture element is drawn FILM_FINE x FILM_FINE times. */
#ifndef SINEW_CLI_RASTER_H
#define SINEW_CLI_RASTER_H

#include <stdint.h>

#include <sinew/sinew.h>

typedef struct film_color {
    double r, g, b; /* 0 to 1, as screens take them */
} film_color;

/* Looks from `eye` along -`back`; the world's up is +Y. */
typedef struct film_camera {
    snw_vec3 eye, right, up, back; /* unit, at right angles */
    double focal;                  /* fine picture elements */
} film_camera;

typedef struct film_canvas {
    int width, height;   /* of the picture */
    int wide, high;      /* of what is drawn */
    uint8_t (*fine)[3];  /* (high x wide) */
    float *depth;        /* (high x wide) metres from the eye */
    uint8_t *shade;      /* (high x wide) of the shadow on the floor */
    uint8_t *row;        /* (max of wide and high) */
    uint8_t (*pixel)[3]; /* (height x width) the picture */
    film_camera camera;
} film_canvas;

/* False without memory. Release in any case. */
bool film_canvas_create(film_canvas *canvas, int width, int height);
void film_canvas_release(film_canvas *canvas);

/* Camera at a distance from `target` in the direction `back`; field of view in radians. */
film_camera film_look(const film_canvas *canvas, snw_vec3 target, snw_vec3 back, double distance,
                      double view_angle);

void film_clear(film_canvas *canvas, film_color background);
/* A grid of squares of `step` metres round `middle`, vanishing at `reach`. */
void film_grid(film_canvas *canvas, snw_vec3 middle, double step, double reach, film_color color);
/* What light from above leaves dark: collect all, then lay it on the floor. */
void film_shadow(film_canvas *canvas, snw_vec3 a, snw_vec3 b, double radius, double floor);
void film_lay_shadow(film_canvas *canvas, film_color color);

typedef struct film_bone {
    snw_vec3 a, b;
    double a_radius, b_radius;
    film_color color;
} film_bone;

void film_draw_bone(film_canvas *canvas, const film_bone *bone);
/* A triangle with a normal at each corner. */
void film_draw_face(film_canvas *canvas, const snw_vec3 place[3], const snw_vec3 normal[3],
                    film_color color);
/* The fine picture into `pixel`. */
void film_finish(film_canvas *canvas);

#endif

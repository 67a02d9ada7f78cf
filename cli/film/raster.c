#include "film/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fine elements in each direction for one of the picture: edges have 9 steps. */
#define FILM_FINE 3
/* Nothing nearer to the eye is drawn: metres. */
#define FILM_NEAR 0.05

bool film_canvas_create(film_canvas *canvas, int width, int height)
{
    memset(canvas, 0, sizeof *canvas);
    canvas->width = width;
    canvas->height = height;
    canvas->wide = width * FILM_FINE;
    canvas->high = height * FILM_FINE;
    size_t fine = (size_t)canvas->wide * (size_t)canvas->high;
    canvas->fine = malloc(fine * sizeof *canvas->fine);
    canvas->depth = malloc(fine * sizeof *canvas->depth);
    canvas->shade = malloc(fine);
    canvas->row = malloc((size_t)(canvas->wide + canvas->high));
    canvas->pixel = malloc((size_t)width * (size_t)height * sizeof *canvas->pixel);
    return canvas->fine && canvas->depth && canvas->shade && canvas->row && canvas->pixel;
}

void film_canvas_release(film_canvas *canvas)
{
    free(canvas->fine);
    free(canvas->depth);
    free(canvas->shade);
    free(canvas->row);
    free(canvas->pixel);
    memset(canvas, 0, sizeof *canvas);
}

film_camera film_look(const film_canvas *canvas, snw_vec3 target, snw_vec3 back, double distance,
                      double view_angle)
{
    film_camera camera;
    const snw_vec3 sideways = {1, 0, 0};
    camera.back = snw_vec3_unit(back, snw_vec3_make(0, 0, 1));
    camera.right = snw_vec3_unit(snw_vec3_cross(snw_vec3_make(0, 1, 0), camera.back), sideways);
    camera.up = snw_vec3_cross(camera.back, camera.right);
    camera.eye = snw_vec3_add_scaled(target, distance, camera.back);
    camera.focal = 0.5 * canvas->high / tan(0.5 * view_angle);
    return camera;
}

/* ---- places in the picture --------------------------------------------------------------------
 */

typedef struct film_point {
    double x, y;  /* fine elements from the upper left corner */
    double depth; /* metres before the eye */
    double scale; /* fine elements for a metre there */
} film_point;

static film_point see(const film_canvas *canvas, snw_vec3 world)
{
    const film_camera *camera = &canvas->camera;
    snw_vec3 d = snw_vec3_sub(world, camera->eye);
    film_point p;
    p.depth = -snw_vec3_dot(d, camera->back);
    p.scale = p.depth > FILM_NEAR ? camera->focal / p.depth : 0;
    p.x = 0.5 * canvas->wide + p.scale * snw_vec3_dot(d, camera->right);
    p.y = 0.5 * canvas->high - p.scale * snw_vec3_dot(d, camera->up);
    return p;
}

/* Rows and columns that a box covers, clipped to the picture. */
typedef struct film_box {
    int left, top, right, bottom; /* the last two are not in it */
} film_box;

static int clip(double value, int most)
{
    return value <= 0 ? 0 : value >= most ? most : (int)value;
}

static film_box box_of(const film_canvas *canvas, const film_point *point, int count, double margin)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int n = 0; n < count; n++) {
        low[0] = fmin(low[0], point[n].x);
        low[1] = fmin(low[1], point[n].y);
        high[0] = fmax(high[0], point[n].x);
        high[1] = fmax(high[1], point[n].y);
    }
    film_box box = {clip(floor(low[0] - margin), canvas->wide),
                    clip(floor(low[1] - margin), canvas->high),
                    clip(ceil(high[0] + margin) + 1, canvas->wide),
                    clip(ceil(high[1] + margin) + 1, canvas->high)};
    return box;
}

static uint8_t byte_of(double value)
{
    return (uint8_t)(value <= 0 ? 0 : value >= 1 ? 255 : 255 * value + 0.5);
}

static void blend(uint8_t pixel[3], film_color color, double share)
{
    const double want[3] = {color.r, color.g, color.b};
    for (int k = 0; k < 3; k++)
        pixel[k] = byte_of(pixel[k] / 255.0 * (1 - share) + want[k] * share);
}

/* Light from the upper left before the picture, a little from everywhere, less at the rim. */
static void put_lit(uint8_t pixel[3], film_color color, double x, double y, double z)
{
    double light = -0.41 * x + 0.70 * y + 0.58 * z;
    double level = 0.58 + 0.42 * light + 0.06 * z;
    double gloss = fmax(0, light - 0.86) * 1.1;
    pixel[0] = byte_of(color.r * level + gloss);
    pixel[1] = byte_of(color.g * level + gloss);
    pixel[2] = byte_of(color.b * level + gloss);
}

/* ---- the floor --------------------------------------------------------------------------------
 */

void film_clear(film_canvas *canvas, film_color background)
{
    uint8_t byte[3] = {byte_of(background.r), byte_of(background.g), byte_of(background.b)};
    size_t count = (size_t)canvas->wide * (size_t)canvas->high;
    for (size_t n = 0; n < count; n++) {
        memcpy(canvas->fine[n], byte, 3);
        canvas->depth[n] = HUGE_VALF;
    }
    memset(canvas->shade, 0, count);
}

/* A piece of a line, as thick as an element of the picture, along its longer direction. */
static void draw_piece(film_canvas *canvas, film_point a, film_point b, film_color color,
                       double share)
{
    bool is_steep = fabs(b.y - a.y) > fabs(b.x - a.x);
    double from = is_steep ? a.y : a.x, to = is_steep ? b.y : b.x;
    double over = is_steep ? a.x : a.y, slope = is_steep ? b.x - a.x : b.y - a.y;
    if (from > to) {
        double other = from;
        over += slope;
        slope = -slope;
        from = to;
        to = other;
    }
    slope = to > from ? slope / (to - from) : 0;
    int length = is_steep ? canvas->high : canvas->wide;
    int breadth = is_steep ? canvas->wide : canvas->high;
    for (int n = clip(ceil(from), length); n < length && n < to; n++) {
        double middle = over + slope * (n - from);
        int first = (int)fmax(-1e6, fmin(1e6, floor(middle - 0.5 * (FILM_FINE - 1))));
        for (int k = first; k < first + FILM_FINE; k++) {
            if (k < 0 || k >= breadth) continue;
            size_t at = is_steep ? (size_t)n * (size_t)canvas->wide + (size_t)k
                                 : (size_t)k * (size_t)canvas->wide + (size_t)n;
            blend(canvas->fine[at], color, share);
        }
    }
}

void film_grid(film_canvas *canvas, snw_vec3 middle, double step, double reach, film_color color)
{
    int lines = (int)(reach / step);
    double start[2] = {step * floor(middle.x / step), step * floor(middle.z / step)};
    for (int axis = 0; axis < 2; axis++)
        for (int n = -lines; n <= lines; n++)
            for (int k = -2 * lines; k < 2 * lines; k++) {
                double along[2] = {0.5 * step * k, 0.5 * step * (k + 1)}, across = step * n;
                film_point p[2];
                double far = hypot(0.5 * (along[0] + along[1]), across) / reach;
                if (far >= 1) continue;
                for (int e = 0; e < 2; e++)
                    p[e] =
                        see(canvas,
                            axis ? snw_vec3_make(start[0] + across, middle.y, start[1] + along[e])
                                 : snw_vec3_make(start[0] + along[e], middle.y, start[1] + across));
                if (p[0].scale > 0 && p[1].scale > 0)
                    draw_piece(canvas, p[0], p[1], color, (1 - far) * (1 - far));
            }
}

/* ---- shadow -----------------------------------------------------------------------------------
 */

enum {
    FILM_ROUND = 8 /* corners of each end of a shadow */
};

static void fill_convex(film_canvas *canvas, const film_point *corner, int count, uint8_t value)
{
    film_box box = box_of(canvas, corner, count, 0);
    for (int y = box.top; y < box.bottom; y++) {
        double from = HUGE_VAL, to = -HUGE_VAL;
        for (int n = 0; n < count; n++) {
            const film_point *a = corner + n, *b = corner + (n + 1) % count;
            if ((a->y <= y) == (b->y <= y)) continue;
            double x = a->x + (b->x - a->x) * (y - a->y) / (b->y - a->y);
            from = fmin(from, x);
            to = fmax(to, x);
        }
        uint8_t *row = canvas->shade + (size_t)y * (size_t)canvas->wide;
        for (int x = clip(ceil(from), canvas->wide); x < canvas->wide && x <= to; x++)
            if (row[x] < value) row[x] = value;
    }
}

void film_shadow(film_canvas *canvas, snw_vec3 a, snw_vec3 b, double radius, double floor)
{
    film_point corner[2 * FILM_ROUND];
    double height = 0.5 * (a.y + b.y) - floor, wide = radius * (1 + 0.6 * fmax(0, height));
    double value = 150 / (1 + 1.6 * fmax(0, height));
    double heading = atan2(b.z - a.z, b.x - a.x);
    for (int n = 0; n < 2 * FILM_ROUND; n++) {
        const snw_vec3 *end = n < FILM_ROUND ? &b : &a;
        double turn = heading - 0.5 * SNW_PI + SNW_PI * (n - (n >= FILM_ROUND)) / (FILM_ROUND - 1);
        corner[n] =
            see(canvas, snw_vec3_make(end->x + wide * cos(turn), floor, end->z + wide * sin(turn)));
        if (!(corner[n].scale > 0)) return;
    }
    fill_convex(canvas, corner, 2 * FILM_ROUND, (uint8_t)value);
}

/* Mean of `2 half + 1` neighbours in a row of bytes that lie `step` apart. */
static void soften(uint8_t *at, int count, int step, int half, uint8_t *copy)
{
    int sum = 0;
    for (int n = 0; n < count; n++)
        copy[n] = at[(size_t)n * (size_t)step];
    for (int n = 0; n < half && n < count; n++)
        sum += copy[n];
    for (int n = 0; n < count; n++) {
        if (n + half < count) sum += copy[n + half];
        if (n - half > 0) sum -= copy[n - half - 1];
        at[(size_t)n * (size_t)step] = (uint8_t)(sum / (2 * half + 1));
    }
}

void film_lay_shadow(film_canvas *canvas, film_color color)
{
    int half = canvas->high / 130 + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int y = 0; y < canvas->high; y++)
            soften(canvas->shade + (size_t)y * (size_t)canvas->wide, canvas->wide, 1, half,
                   canvas->row);
        for (int x = 0; x < canvas->wide; x++)
            soften(canvas->shade + x, canvas->high, canvas->wide, half / 2 + 1, canvas->row);
    }
    size_t count = (size_t)canvas->wide * (size_t)canvas->high;
    for (size_t n = 0; n < count; n++)
        if (canvas->shade[n]) blend(canvas->fine[n], color, canvas->shade[n] / 255.0);
}

/* ---- bodies ----------------------------------------------------------------------------------
 */

void film_draw_bone(film_canvas *canvas, const film_bone *bone)
{
    film_point p[2] = {see(canvas, bone->a), see(canvas, bone->b)};
    if (!(p[0].scale > 0) || !(p[1].scale > 0)) return;
    double radius[2] = {bone->a_radius * p[0].scale, bone->b_radius * p[1].scale};
    film_box box = box_of(canvas, p, 2, fmax(radius[0], radius[1]));
    double along[2] = {p[1].x - p[0].x, p[1].y - p[0].y};
    double square = along[0] * along[0] + along[1] * along[1];
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            double dx = x - p[0].x, dy = y - p[0].y;
            double t = square > 0 ? (dx * along[0] + dy * along[1]) / square : 0;
            t = snw_clamp(t, 0, 1);
            double r = radius[0] + t * (radius[1] - radius[0]);
            dx -= t * along[0];
            dy -= t * along[1];
            double inside = 1 - (dx * dx + dy * dy) / (r * r);
            if (!(inside > 0)) continue;
            double z = sqrt(inside);
            double depth = p[0].depth + t * (p[1].depth - p[0].depth) -
                           z * (bone->a_radius + t * (bone->b_radius - bone->a_radius));
            size_t at = (size_t)y * (size_t)canvas->wide + (size_t)x;
            if (!(depth < (double)canvas->depth[at])) continue;
            canvas->depth[at] = (float)depth;
            put_lit(canvas->fine[at], bone->color, dx / r, -dy / r, z);
        }
}

void film_draw_face(film_canvas *canvas, const snw_vec3 place[3], const snw_vec3 normal[3],
                    film_color color)
{
    const film_camera *camera = &canvas->camera;
    film_point p[3] = {see(canvas, place[0]), see(canvas, place[1]), see(canvas, place[2])};
    if (!(p[0].scale > 0) || !(p[1].scale > 0) || !(p[2].scale > 0)) return;
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (!(area < 0)) return; /* it looks away: y leads down */
    film_box box = box_of(canvas, p, 3, 0);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            double w[3];
            bool is_inside = true;
            for (int k = 0; k < 3; k++) {
                const film_point *a = p + (k + 1) % 3, *b = p + (k + 2) % 3;
                w[k] = ((b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x)) / area;
                is_inside &= w[k] >= 0;
            }
            if (!is_inside) continue;
            double depth = w[0] * p[0].depth + w[1] * p[1].depth + w[2] * p[2].depth;
            size_t at = (size_t)y * (size_t)canvas->wide + (size_t)x;
            if (!(depth < (double)canvas->depth[at])) continue;
            canvas->depth[at] = (float)depth;
            snw_vec3 n = snw_vec3_scale(normal[0], w[0]);
            n = snw_vec3_add_scaled(n, w[1], normal[1]);
            n = snw_vec3_unit(snw_vec3_add_scaled(n, w[2], normal[2]), camera->back);
            put_lit(canvas->fine[at], color, snw_vec3_dot(n, camera->right),
                    snw_vec3_dot(n, camera->up), snw_vec3_dot(n, camera->back));
        }
}

void film_finish(film_canvas *canvas)
{
    for (int y = 0; y < canvas->height; y++)
        for (int x = 0; x < canvas->width; x++) {
            unsigned sum[3] = {0, 0, 0};
            for (int j = 0; j < FILM_FINE; j++)
                for (int i = 0; i < FILM_FINE; i++) {
                    size_t at = (size_t)(y * FILM_FINE + j) * (size_t)canvas->wide +
                                (size_t)(x * FILM_FINE + i);
                    for (int k = 0; k < 3; k++)
                        sum[k] += canvas->fine[at][k];
                }
            for (int k = 0; k < 3; k++)
                canvas->pixel[(size_t)y * (size_t)canvas->width + (size_t)x][k] =
                    (uint8_t)((sum[k] + FILM_FINE * FILM_FINE / 2) / (FILM_FINE * FILM_FINE));
        }
}

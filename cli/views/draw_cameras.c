/* Cameras from above and from the side: where they stand and how wide they look. */
#include <math.h>

#include "draw/markup.h"
#include "views/views.h"

enum {
    PLAN_SIZE = 560,
    PLAN_MARGIN = 60
};

/* One drawing: two directions of the world, the middle and the scale. */
typedef struct plan {
    snw_vec3 right, up, middle;
    double left, scale; /* page pixels; per metre */
} plan;

static void put_point(const plan *p, snw_vec3 world, FILE *out)
{
    snw_vec3 d = snw_vec3_sub(world, p->middle);
    char text[80];
    snw_format(text, sizeof text, "%.1f,%.1f ",
               p->left + PLAN_SIZE / 2.0 + p->scale * snw_vec3_dot(d, p->right),
               PLAN_SIZE / 2.0 - p->scale * snw_vec3_dot(d, p->up));
    fputs(text, out);
}

/* Where the rays of the picture's corners are after some metres. */
static void put_camera(const plan *p, const snw_camera *camera, double reach, FILE *out)
{
    snw_vec3 at = snw_camera_place(camera), corner[4];
    double width = camera->width > 0 ? camera->width : 2 * camera->center_x,
           height = camera->height > 0 ? camera->height : 2 * camera->center_y;
    for (int k = 0; k < 4; k++) {
        const double pixel[2] = {k == 1 || k == 2 ? width : 0, k >= 2 ? height : 0};
        snw_vec3 ray = snw_quat_unrotate(camera->camera_from_world.rotation, (snw_vec3){0, 0, 1});
        snw_camera_ray(camera, pixel, &ray);
        corner[k] = snw_vec3_add_scaled(at, reach, ray);
    }
    for (int k = 0; k < 4; k++) {
        fputs("<polygon fill=\"#2c6fbb\" fill-opacity=\"0.06\" stroke=\"#2c6fbb\" "
              "stroke-width=\"0.7\" points=\"",
              out);
        put_point(p, at, out);
        put_point(p, corner[k], out);
        put_point(p, corner[(k + 1) % 4], out);
        fputs("\"/>\n", out);
    }
    snw_vec3 d = snw_vec3_sub(at, p->middle);
    char text[160];
    snw_format(text, sizeof text, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" fill=\"#2c3e50\">",
               p->left + PLAN_SIZE / 2.0 + p->scale * snw_vec3_dot(d, p->right) + 5,
               PLAN_SIZE / 2.0 - p->scale * snw_vec3_dot(d, p->up) - 5);
    fputs(text, out);
    cli_put_text(camera->name, out);
    fputs("</text>\n", out);
}

bool cli_draw_cameras(FILE *out, const void *context)
{
    const snw_cameras *cameras = context;
    snw_vec3 middle = {0, 0, 0}, up = {0, 0, 0};
    double reach = 0.1;
    for (int c = 0; c < cameras->count; c++) {
        middle = snw_vec3_add_scaled(middle, 1.0 / cameras->count,
                                     snw_camera_place(cameras->camera + c));
        up = snw_vec3_sub(up, snw_quat_unrotate(cameras->camera[c].camera_from_world.rotation,
                                                (snw_vec3){0, 1, 0}));
    }
    for (int c = 0; c < cameras->count; c++)
        reach = fmax(reach, snw_vec3_distance(middle, snw_camera_place(cameras->camera + c)));
    /* Pictures are upright: the axis that most of them have up. */
    up = snw_up_direction(snw_up_nearest(up));
    if (snw_vec3_length(up) == 0) up = (snw_vec3){0, 0, 1};
    snw_vec3 right = snw_vec3_unit(snw_vec3_perpendicular(up), (snw_vec3){1, 0, 0});
    double scale = (PLAN_SIZE - 2.0 * PLAN_MARGIN) / (2 * reach);
    const plan plans[2] = {{right, snw_vec3_cross(up, right), middle, 0, scale},
                           {right, up, middle, PLAN_SIZE, scale}};
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"white\"/>\n<text x=\"12\" y=\"20\" font-size=\"13\">from above</text>\n"
            "<text x=\"%d\" y=\"20\" font-size=\"13\">from the side</text>\n",
            2 * PLAN_SIZE, PLAN_SIZE, PLAN_SIZE + 12);
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < cameras->count; c++)
            put_camera(plans + k, cameras->camera + c, reach, out);
    char text[240];
    snw_format(text, sizeof text,
               "<path d=\"M 12 %d h %.1f\" stroke=\"#2c3e50\" stroke-width=\"2\"/>\n"
               "<text x=\"12\" y=\"%d\" font-size=\"12\">1 m</text>\n</svg>\n",
               PLAN_SIZE - 20, scale, PLAN_SIZE - 26);
    fputs(text, out);
    return true;
}

/* Cameras: from a point of the world to a pixel, with derivatives, and back to a ray.
 *
 * In the camera's frame p, x = p.x / p.z and y = p.y / p.z. Brown (1971): with r2 = x2 + y2,
 *
 *     x' = x (1 + k1 r2 + k2 r4 + k3 r6) + 2 p1 x y + p2 (r2 + 2 x2)
 *     y' = y (1 + k1 r2 + k2 r4 + k3 r6) + p1 (r2 + 2 y2) + 2 p2 x y
 *
 * Kannala & Brandt (2006): with t = atan(r), x' = x / r (t + k1 t3 + k2 t5 + k3 t7 + k4 t9). The
 * pixel is (fx x' + cx, fy y' + cy). */
#include "view/sighting.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"

/* ---- sets --------------------------------------------------------------------------------- */

snw_status snw_cameras_create(int count, const snw_allocator *allocator, snw_cameras **out,
                              snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    *out = NULL;
    if (count < 0 || count > SNW_CAMERAS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d cameras are not 0 to %d", count,
                         SNW_CAMERAS_MAX);
    size_t size = sizeof(snw_cameras) + (size_t)count * sizeof(snw_camera);
    snw_cameras *cameras = snw__allocate(&memory, size);
    if (!cameras) return snw__fail_memory(error, size, "cameras");
    cameras->count = count;
    cameras->camera = (snw_camera *)(cameras + 1);
    cameras->allocator = memory;
    for (int c = 0; c < count; c++) {
        cameras->camera[c].focal_x = cameras->camera[c].focal_y = 1;
        cameras->camera[c].camera_from_world = snw_xform_identity();
    }
    *out = cameras;
    return snw__succeed(error);
}

void snw_cameras_destroy(snw_cameras *cameras)
{
    if (!cameras) return;
    snw_allocator memory = cameras->allocator;
    snw__release(&memory, cameras, sizeof *cameras + (size_t)cameras->count * sizeof(snw_camera));
}

int snw_cameras_find(const snw_cameras *cameras, const char *name)
{
    for (int c = 0; c < cameras->count; c++)
        if (strcmp(cameras->camera[c].name, name) == 0) return c;
    return -1;
}

snw_status snw_cameras_check(const snw_cameras *cameras, snw_error *error)
{
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        snw_vec3 at = camera->camera_from_world.translation;
        const double number[] = {camera->focal_x,
                                 camera->focal_y,
                                 camera->center_x,
                                 camera->center_y,
                                 camera->width,
                                 camera->height,
                                 at.x,
                                 at.y,
                                 at.z};
        bool is_finite = snw_quat_is_finite(camera->camera_from_world.rotation);
        for (size_t k = 0; k < sizeof number / sizeof *number; k++)
            is_finite = is_finite && fabs(number[k]) < 1e9; /* no picture, no room is as large */
        for (int k = 0; k < SNW_CAMERA_LENS; k++)
            is_finite = is_finite && fabs(camera->distortion[k]) < 1e9;
        if (!is_finite || !(camera->focal_x > 0) || !(camera->focal_y > 0))
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, snw__at_name(c, camera->name),
                                "camera %s has no lens or place that can be: focal length %g, %g "
                                "pixels",
                                camera->name[0] ? camera->name : "without a name", camera->focal_x,
                                camera->focal_y);
    }
    return snw__succeed(error);
}

snw_vec3 snw_camera_place(const snw_camera *camera)
{
    return snw_xform_unpoint(camera->camera_from_world, snw_vec3_make(0, 0, 0));
}

/* ---- lenses ------------------------------------------------------------------------------- */

/* Brown and Conrady. */
static void bend_brown(const double *k, double x, double y, double out[2])
{
    double r2 = x * x + y * y, radial = 1 + r2 * (k[0] + r2 * (k[1] + r2 * k[4]));
    out[0] = x * radial + 2 * k[2] * x * y + k[3] * (r2 + 2 * x * x);
    out[1] = y * radial + k[2] * (r2 + 2 * y * y) + 2 * k[3] * x * y;
}

/* What the lens makes of (x, y), and its derivatives: rows of out, columns x and y. */
static void distort_brown(const double *k, const double at[2], double out[2], double by[2][2])
{
    double x = at[0], y = at[1], r2 = x * x + y * y;
    double radial = 1 + r2 * (k[0] + r2 * (k[1] + r2 * k[4]));
    double slope = 2 * (k[0] + r2 * (2 * k[1] + r2 * 3 * k[4])); /* d radial / d r2, times 2 */
    bend_brown(k, x, y, out);
    by[0][0] = radial + x * x * slope + 2 * k[2] * y + 6 * k[3] * x;
    by[0][1] = by[1][0] = x * y * slope + 2 * k[2] * x + 2 * k[3] * y;
    by[1][1] = radial + y * y * slope + 6 * k[2] * y + 2 * k[3] * x;
}

static void distort_fisheye(const double *k, const double at[2], double out[2], double by[2][2])
{
    double r = snw__hypot(at[0], at[1]);
    double t = snw__atan(r), t2 = t * t;
    double bent = t * (1 + t2 * (k[0] + t2 * (k[1] + t2 * (k[2] + t2 * k[3]))));
    double slope =
        (1 + t2 * (3 * k[0] + t2 * (5 * k[1] + t2 * (7 * k[2] + t2 * 9 * k[3])))) / (1 + r * r);
    double share = r > SNW__SAME ? bent / r : 1;
    double turn = r > SNW__SAME ? (slope - share) / (r * r) : 0;
    for (int i = 0; i < 2; i++) {
        out[i] = at[i] * share;
        for (int j = 0; j < 2; j++)
            by[i][j] = (i == j ? share : 0) + at[i] * at[j] * turn;
    }
}

static void distort(const snw_camera *camera, const double at[2], double out[2], double by[2][2])
{
    if (camera->is_fisheye)
        distort_fisheye(camera->distortion, at, out, by);
    else
        distort_brown(camera->distortion, at, out, by);
}

/* ---- pixels ------------------------------------------------------------------------------- */

bool snw__camera_look(const snw_camera *camera, snw_vec3 in_camera, double pixel[2],
                      snw_vec3 by_camera[2])
{
    double out[2], by[2][2];
    if (!(in_camera.z > SNW__SINGLE)) return false;
    const double at[2] = {in_camera.x / in_camera.z, in_camera.y / in_camera.z};
    distort(camera, at, out, by);
    const double focal[2] = {camera->focal_x, camera->focal_y};
    for (int i = 0; i < 2; i++)
        by_camera[i] = snw_vec3_scale(
            snw_vec3_make(by[i][0], by[i][1], -(by[i][0] * at[0] + by[i][1] * at[1])),
            focal[i] / in_camera.z);
    pixel[0] = focal[0] * out[0] + camera->center_x;
    pixel[1] = focal[1] * out[1] + camera->center_y;
    return isfinite(pixel[0]) && isfinite(pixel[1]);
}

bool snw_camera_project_with(const snw_camera *camera, snw_vec3 world, double pixel[2],
                             snw_vec3 derivative[2])
{
    snw_vec3 by_camera[2];
    if (!snw__camera_look(camera, snw_xform_point(camera->camera_from_world, world), pixel,
                          by_camera))
        return false;
    for (int i = 0; i < 2; i++)
        derivative[i] = snw_quat_unrotate(camera->camera_from_world.rotation, by_camera[i]);
    return true;
}

bool snw_camera_project(const snw_camera *camera, snw_vec3 world, double pixel[2])
{
    snw_vec3 in_camera = snw_xform_point(camera->camera_from_world, world), by_camera[2];
    if (camera->is_fisheye) return snw__camera_look(camera, in_camera, pixel, by_camera);
    double out[2];
    if (!(in_camera.z > SNW__SINGLE)) return false;
    bend_brown(camera->distortion, in_camera.x / in_camera.z, in_camera.y / in_camera.z, out);
    pixel[0] = camera->focal_x * out[0] + camera->center_x;
    pixel[1] = camera->focal_y * out[1] + camera->center_y;
    return isfinite(pixel[0]) && isfinite(pixel[1]);
}

bool snw__camera_flatten(const snw_camera *camera, const double pixel[2], double at[2],
                         double *stretch)
{
    const double want[2] = {(pixel[0] - camera->center_x) / camera->focal_x,
                            (pixel[1] - camera->center_y) / camera->focal_y};
    double out[2], by[2][2], off = INFINITY, det = 1;
    at[0] = want[0];
    at[1] = want[1];
    if (camera->is_fisheye) { /* the picture's radius is an angle */
        double bent = snw__hypot(want[0], want[1]);
        double grow = bent > SNW__SAME && bent < SNW_PI / 2 ? snw__tan(bent) / bent : 1;
        at[0] *= grow;
        at[1] *= grow;
    }
    for (int n = 0; n < SNW__ROUNDS_LINEAR && off > SNW__EXACT; n++) {
        distort(camera, at, out, by);
        double e[2] = {want[0] - out[0], want[1] - out[1]};
        det = by[0][0] * by[1][1] - by[0][1] * by[1][0];
        off = fabs(e[0]) + fabs(e[1]);
        if (!isfinite(off) || fabs(det) < SNW__SINGLE) return false;
        at[0] += (by[1][1] * e[0] - by[0][1] * e[1]) / det;
        at[1] += (by[0][0] * e[1] - by[1][0] * e[0]) / det;
    }
    *stretch = 1 / sqrt(fabs(det) * camera->focal_x * camera->focal_y);
    return off <= SNW__EXACT;
}

bool snw_camera_ray(const snw_camera *camera, const double pixel[2], snw_vec3 *direction)
{
    double at[2], stretch;
    if (!snw__camera_flatten(camera, pixel, at, &stretch)) return false;
    snw_vec3 ray = snw_vec3_unit(snw_vec3_make(at[0], at[1], 1), snw_vec3_make(0, 0, 1));
    *direction = snw_quat_unrotate(camera->camera_from_world.rotation, ray);
    return true;
}

/* Pictures without their lenses, and the place that fits several of them. */
#include <math.h>

#include "base/elementary.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "view/centroid.h"

snw__eye snw__eye_of(const snw_camera *camera)
{
    return (snw__eye){snw_mat3_from_quat(camera->camera_from_world.rotation),
                      camera->camera_from_world.translation, snw_camera_place(camera), true};
}

double snw__eye_look(const snw__eye *eye, snw_vec3 p, double at[2])
{
    const double *r = eye->turn.m[0];
    double z = r[6] * p.x + r[7] * p.y + r[8] * p.z + eye->shift.z;
    if (!(z > SNW__SINGLE)) return 0;
    at[0] = (r[0] * p.x + r[1] * p.y + r[2] * p.z + eye->shift.x) / z;
    at[1] = (r[3] * p.x + r[4] * p.y + r[5] * p.z + eye->shift.y) / z;
    return z;
}

/* ---- pictures ----------------------------------------------------------------------------- */

static int column_of(const snw__picture *picture, double x)
{
    double column = (x - picture->low) * picture->columns;
    return column > 0 ? column < SNW__PICTURE_COLUMNS - 1 ? (int)column : SNW__PICTURE_COLUMNS - 1
                      : 0;
}

/* Counted, summed, put in their places: behind the centroids that are being sorted. */
static void sort_columns(snw__picture *picture)
{
    const snw__centroid *from = picture->centroid + picture->count;
    int *first = picture->first;
    for (int k = 0; k <= SNW__PICTURE_COLUMNS; k++)
        first[k] = 0;
    for (int n = 0; n < picture->count; n++)
        first[column_of(picture, from[n].x) + 1]++;
    for (int k = 0; k < SNW__PICTURE_COLUMNS; k++)
        first[k + 1] += first[k];
    for (int n = 0; n < picture->count; n++)
        picture->centroid[first[column_of(picture, from[n].x)]++] = from[n];
    for (int k = SNW__PICTURE_COLUMNS; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
}

static void load(snw__centroid_tracker *t, const snw_views *views, int camera, int frame)
{
    const snw_camera *at = t->cameras->camera + camera;
    const int *list = views->first + (size_t)camera * (size_t)views->frame_count + (size_t)frame;
    snw__picture *picture = t->picture + camera;
    int count = 0, most = t->centroid_max;
    snw__centroid *to = picture->centroid + most; /* the second half of its room */
    double low = INFINITY, high = -INFINITY;
    picture->count = 0;
    if (!t->eye[camera].is_used) return;
    for (int d = list[0]; d < list[1] && count < most; d++) {
        const snw_keypoint *seen = views->keypoint + d;
        double flat[2], stretch;
        if (!(seen->confidence > 0) ||
            !snw__camera_flatten(at, (double[2]){(double)seen->x, (double)seen->y}, flat, &stretch))
            continue;
        double sigma = t->sigma * stretch;
        to[count++] = (snw__centroid){.x = flat[0],
                                      .y = flat[1],
                                      .variance = sigma * sigma,
                                      .detection = d,
                                      .owner = -1,
                                      .off2 = INFINITY};
        low = fmin(low, flat[0]);
        high = fmax(high, flat[0]);
    }
    for (int n = 0; n < count; n++) /* sort_columns wants them right behind */
        picture->centroid[count + n] = to[n];
    picture->count = count;
    picture->low = low;
    picture->columns = high > low ? SNW__PICTURE_COLUMNS / (high - low) : 0;
    sort_columns(picture);
}

void snw__pictures_load(snw__centroid_tracker *t, const snw_views *views, int frame)
{
    for (int c = 0; c < t->camera_count; c++)
        load(t, views, c, frame);
}

int snw__picture_nearest(const snw__picture *picture, const double at[2], double radius,
                         snw__centroid_taker *takes, const void *context)
{
    int best = -1;
    double best2 = radius * radius;
    if (!picture->count) return -1;
    int end = picture->first[column_of(picture, at[0] + radius) + 1];
    for (int n = picture->first[column_of(picture, at[0] - radius)]; n < end; n++) {
        const snw__centroid *centroid = picture->centroid + n;
        double dx = centroid->x - at[0], dy = centroid->y - at[1], off2 = dx * dx + dy * dy;
        if (!(off2 < best2) || !takes(centroid, off2, context)) continue;
        best = n;
        best2 = off2;
    }
    return best;
}

/* ---- places ------------------------------------------------------------------------------- */

/* Adds a centroid to the equations of a place; its squared distance, in variances. */
static double add(snw__normal *normal, const snw__eye *eye, const snw__centroid *seen, snw_vec3 p)
{
    double at[2], z = snw__eye_look(eye, p, at), weight = 1 / seen->variance;
    const double off[2] = {at[0] - seen->x, at[1] - seen->y};
    if (!(z > 0)) return INFINITY;
    const double *ahead = eye->turn.m[2];
    for (int i = 0; i < 2; i++) {
        const double *row = eye->turn.m[i];
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = (row[k] - at[i] * ahead[k]) / z;
        for (int k = 0, n = 0; k < 3; k++)
            for (int l = k; l < 3; l++)
                normal->information[n++] += weight * d[k] * d[l];
        normal->pull =
            snw_vec3_add_scaled(normal->pull, -weight * off[i], snw_vec3_make(d[0], d[1], d[2]));
    }
    return weight * (off[0] * off[0] + off[1] * off[1]);
}

bool snw__centroid_fit_place(const snw__eye *eye, snw__centroid_fit *fit)
{
    while (fit->count >= 2) {
        double worst = 0, sum = 0, step = INFINITY;
        int worst_at = -1;
        for (int round = 0; round < SNW__ROUNDS_NEAR && step > SNW__SINGLE; round++) {
            snw__normal normal = {{0}, {0, 0, 0}};
            worst = sum = 0;
            for (int n = 0; n < fit->count; n++) {
                double off2 = add(&normal, eye + fit->camera[n], fit->seen[n], fit->place);
                if (!(off2 <= worst)) worst = off2, worst_at = n;
                sum += off2;
            }
            if (!isfinite(sum) || !snw__symmetric3_invert(normal.information, fit->covariance))
                return false;
            snw_vec3 move = snw__symmetric3_apply(fit->covariance, normal.pull);
            fit->place = snw_vec3_add(fit->place, move);
            step = snw_vec3_length(move);
        }
        if (!isfinite(step)) return false;
        if (worst <= SNW_SIGHTING_FAR * SNW_SIGHTING_FAR) {
            fit->residual = sqrt(sum / (2 * fit->count - 3));
            return true;
        }
        if (--fit->count < 2) return false;
        fit->camera[worst_at] = fit->camera[fit->count];
        fit->seen[worst_at] = fit->seen[fit->count];
    }
    return false;
}

/* Pictures without their lenses, and the place that fits several of them. */
#include <math.h>

#include "base/elementary.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "view/centroid.h"

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

bool snw__centroid_fit_place(const snw__eye *eye, snw__centroid_fit *fit)
{
    while (fit->count >= 2) {
        double worst = 0, sum = 0, step = INFINITY;
        int worst_at = -1;
        for (int round = 0; round < SNW__ROUNDS_NEAR && step > SNW__SINGLE; round++) {
            snw__normal normal = {{0}, {0, 0, 0}};
            worst = sum = 0;
            for (int n = 0; n < fit->count; n++) {
                const snw__centroid *seen = fit->seen[n];
                const snw__flat flat = {seen->x, seen->y, 1 / seen->variance};
                double off2 = snw__eye_add(&normal, eye + fit->camera[n], &flat, fit->place, 0);
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

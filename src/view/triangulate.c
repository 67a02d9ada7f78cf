/* One point from several sightings: the best of the pairs' points by a robust cost, then Gauss and
 * Newton on the distances in the pictures (Hartley & Zisserman 2004, chapter 12, with Geman &
 * McClure's cost instead of squares). */
#include <math.h>

#include "base/fail.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "view/sighting.h"

enum {
    SIGHTINGS_MAX = 32
};

bool snw__rays_meet(snw_vec3 from_a, snw_vec3 a, snw_vec3 from_b, snw_vec3 b, snw__meeting *out)
{
    snw_vec3 between = snw_vec3_sub(from_b, from_a);
    double cosine = snw_vec3_dot(a, b), sine2 = 1 - cosine * cosine;
    if (!(sine2 > SNW__SINGLE)) return false; /* nearly parallel: a thousandth of a radian */
    double along_a = snw_vec3_dot(between, a), along_b = snw_vec3_dot(between, b);
    out->depth[0] = (along_a - cosine * along_b) / sine2;
    out->depth[1] = (cosine * along_a - along_b) / sine2;
    snw_vec3 on_a = snw_vec3_add_scaled(from_a, out->depth[0], a);
    snw_vec3 on_b = snw_vec3_add_scaled(from_b, out->depth[1], b);
    out->place = snw_vec3_lerp(on_a, on_b, 0.5);
    out->apart = snw_vec3_distance(on_a, on_b);
    return out->depth[0] > 0 && out->depth[1] > 0;
}

double snw__sighting_off2(const snw_cameras *cameras, const snw_sighting *seen, snw_vec3 place)
{
    double pixel[2];
    if (!snw_camera_project(cameras->camera + seen->camera, place, pixel)) return INFINITY;
    double dx = pixel[0] - seen->pixel[0], dy = pixel[1] - seen->pixel[1];
    return (dx * dx + dy * dy) / (seen->sigma * seen->sigma);
}

void snw__normal_add(snw__normal *normal, const snw_cameras *cameras, const snw_sighting *seen,
                     snw_vec3 place, double scale2)
{
    double pixel[2];
    snw_vec3 by[2];
    if (!snw_camera_project_with(cameras->camera + seen->camera, place, pixel, by)) return;
    double precision = 1 / (seen->sigma * seen->sigma);
    double e[2] = {pixel[0] - seen->pixel[0], pixel[1] - seen->pixel[1]};
    double x2 = (e[0] * e[0] + e[1] * e[1]) * precision / scale2;
    double weight = precision * snw__geman_mcclure_weight(x2);
    for (int i = 0; i < 2; i++) {
        const double d[3] = {by[i].x, by[i].y, by[i].z};
        for (int k = 0, n = 0; k < 3; k++)
            for (int l = k; l < 3; l++)
                normal->information[n++] += weight * d[k] * d[l];
        normal->pull = snw_vec3_add_scaled(normal->pull, -weight * e[i], by[i]);
    }
}

static double cost_of(const snw_cameras *cameras, const snw_sighting *sightings, int count,
                      snw_vec3 place)
{
    double sum = 0;
    for (int n = 0; n < count; n++) {
        double off2 = snw__sighting_off2(cameras, sightings + n, place) / SNW__SIGHTING_SCALE2;
        sum += isfinite(off2) ? snw__geman_mcclure_cost(off2) : 1;
    }
    return sum;
}

/* The place where a pair's rays meet that all sightings together like best; the first that is as
 * good as a true one usually is: off by no more than twice the expected square on average. */
static bool best_start(const snw_cameras *cameras, const snw_sighting *sightings, int count,
                       const snw_vec3 *near, snw_vec3 *out)
{
    snw_vec3 ray[SIGHTINGS_MAX], from[SIGHTINGS_MAX];
    bool has_ray[SIGHTINGS_MAX];
    double best = near ? cost_of(cameras, sightings, count, *near) : INFINITY;
    double clean = count * snw__geman_mcclure_cost(2 * 2 / SNW__SIGHTING_SCALE2);
    if (near) *out = *near;
    if (best < clean) return true;
    for (int n = 0; n < count; n++) {
        const snw_camera *camera = cameras->camera + sightings[n].camera;
        has_ray[n] = snw_camera_ray(camera, sightings[n].pixel, ray + n);
        from[n] = snw_camera_place(camera);
    }
    for (int a = 0; a < count && !(best < clean); a++)
        for (int b = a + 1; b < count && !(best < clean); b++) {
            snw__meeting meeting;
            if (!has_ray[a] || !has_ray[b] ||
                !snw__rays_meet(from[a], ray[a], from[b], ray[b], &meeting))
                continue;
            double cost = cost_of(cameras, sightings, count, meeting.place);
            if (!(cost < best)) continue;
            best = cost;
            *out = meeting.place;
        }
    return isfinite(best);
}

bool snw__triangulate(const snw_cameras *cameras, const snw__sightings *seen, const snw_vec3 *near,
                      double tolerance, snw_triangulated *out)
{
    snw_vec3 place = {0, 0, 0};
    int count = seen->count;
    *out = (snw_triangulated){0};
    if (count < 2 || count > SIGHTINGS_MAX) return false;
    bool is_found = best_start(cameras, seen->sighting, count, near, &place);
    for (int n = 0; n < SNW__ROUNDS_LINEAR && is_found; n++) {
        snw_vec3 before = place;
        snw__normal normal = {{0}, {0, 0, 0}};
        for (int k = 0; k < count; k++)
            snw__normal_add(&normal, cameras, seen->sighting + k, place, SNW__SIGHTING_SCALE2);
        is_found = snw__symmetric3_invert(normal.information, out->covariance);
        if (!is_found) break;
        place = snw_vec3_add(place, snw__symmetric3_apply(out->covariance, normal.pull));
        is_found = snw_vec3_is_finite(place);
        if (snw_vec3_distance(before, place) < tolerance) break;
    }
    double sum = 0;
    for (int n = 0; n < count && is_found; n++) {
        double off2 = snw__sighting_off2(cameras, seen->sighting + n, place);
        if (!(off2 <= SNW_SIGHTING_FAR * SNW_SIGHTING_FAR)) continue;
        sum += off2;
        out->agreeing_count++;
        out->agreeing |= (uint32_t)1 << n;
    }
    out->place = place;
    out->residual = sqrt(sum / fmax(1, out->agreeing_count));
    return out->agreeing_count >= 2;
}

snw_status snw_triangulate(const snw_cameras *cameras, const snw_sighting *sightings, int count,
                           const snw_vec3 *near, snw_triangulated *out, snw_error *error)
{
    const snw__sightings seen = {sightings, count};
    *out = (snw_triangulated){0};
    for (int n = 0; n < count; n++)
        if (sightings[n].camera < 0 || sightings[n].camera >= cameras->count ||
            !(sightings[n].sigma > 0))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "sighting %d is of camera %d with a deviation of %g pixels", n,
                             sightings[n].camera, sightings[n].sigma);
    if (count < 2 || count > SIGHTINGS_MAX)
        return snw__fail(error, count < 2 ? SNW_DEGENERATE : SNW_INVALID_ARGUMENT,
                         "%d sightings are not 2 to %d", count, SIGHTINGS_MAX);
    if (!snw__triangulate(cameras, &seen, near, SNW__SAME, out))
        return snw__fail(error, SNW_DEGENERATE, "no two of %d sightings agree on a point", count);
    return snw__succeed(error);
}

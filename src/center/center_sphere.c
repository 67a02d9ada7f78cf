/* Closed forms for the centre of spheres: Knight's Minimum Variance Method, Gamage and Lasenby,
 * and Halvorsen's correction of their bias.
 *
 * For one marker with mean m, S = mean u u^T and g = mean u |u|^2 / 2 (u = p - m) the centre that
 * makes the variance of |p - c|^2 least is m + S^-1 g (Knight, eq. 2.1.3-2.1.6, in its centred
 * form). Several markers about one centre add up (Gamage and Lasenby 2002), here about x0:
 *
 *     (sum k N S) y = sum k N (S (m - x0) + g),   c = x0 + y
 *
 * with k = 1; mvm takes k = 1 / radius^2, since noise moves |p - c|^2 by 2 radius times itself.
 * Noise of variance s2 adds s2 I to S and nothing to g, which pulls the centre towards the markers;
 * S - s2 I takes that out (Halvorsen 2003). s2 comes from the radii about the last centre.
 *
 * Markers on circles (a hinge) leave S without a third eigenvalue: the centre is then sought in the
 * circle's plane alone, which never divides by it. */
#include <string.h>

#include "base/fail.h"
#include "center/center_cloud.h"
#include "center/center_constants.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"

/* ---- samples and radii ---------------------------------------------------------------------- */

double snw__cloud_weight(const snw__cloud *cloud, int k, int n, snw_vec3 *point)
{
    if (!snw__center_marker(cloud->data, k, n, point)) return 0;
    double residual = snw_vec3_distance(*point, cloud->judge.center) - cloud->judge.radius[n];
    return snw__outlier_weight(fabs(residual) / cloud->scale);
}

static void measure_radius(const snw__cloud *cloud, snw__spheres *spheres, int n)
{
    double sum = 0, weight = 0;
    for (int k = 0; k < cloud->data->frame_count; k++) {
        snw_vec3 point;
        double w = snw__cloud_weight(cloud, k, n, &point);
        if (w > 0) sum += w * snw_vec3_distance(point, spheres->center);
        weight += w;
    }
    spheres->weight[n] = weight;
    spheres->radius[n] = weight > 0 ? sum / weight : 0;
}

void snw__cloud_measure(const snw__cloud *cloud, snw__spheres *spheres)
{
    double sum = 0, freedom = -3;
    for (int n = 0; n < cloud->data->marker_count; n++) {
        measure_radius(cloud, spheres, n);
        for (int k = 0; k < cloud->data->frame_count; k++) {
            snw_vec3 point;
            double w = snw__cloud_weight(cloud, k, n, &point);
            if (!(w > 0)) continue;
            double residual = snw_vec3_distance(point, spheres->center) - spheres->radius[n];
            sum += w * residual * residual;
        }
        freedom += fmax(0, spheres->weight[n] - 1);
    }
    spheres->variance = sum / fmax(1, freedom);
}

/* ---- one linear system ---------------------------------------------------------------------- */

typedef struct sphere_system {
    double weight;   /* sum k N */
    snw_vec3 origin; /* x0 */
    snw_mat3 a;      /* sum k N S / weight */
    snw_vec3 b;
    snw_vec3 mean;           /* of the markers' means, weighed like a */
    snw__spectrum3 spectrum; /* of a */
} sphere_system;

/* k of the mvm: 1 / radius^2, known from the second round on. */
static double marker_factor(const snw__cloud *cloud, int n)
{
    double radius = cloud->fit.radius[n];
    bool is_weighted = cloud->method != SNW_CENTER_GAMAGE_LASENBY &&
                       cloud->method != SNW_CENTER_HALVORSEN && cloud->data->marker_count > 1;
    return is_weighted && radius > 0 ? 1 / (radius * radius) : 1;
}

static snw_vec3 common_mean(const snw__cloud *cloud)
{
    snw_vec3 sum = {0, 0, 0};
    double weight = 0;
    for (int n = 0; n < cloud->data->marker_count; n++) {
        double w = cloud->sums[n].weight;
        if (!(w > 0)) continue;
        sum = snw_vec3_add_scaled(sum, w, snw_point_sums_moments(&cloud->sums[n]).mean);
        weight += w;
    }
    return weight > 0 ? snw_vec3_scale(sum, 1 / weight) : sum;
}

/* The normal equations with the noise variance s2 taken out. */
static sphere_system build_system(const snw__cloud *cloud, double s2)
{
    sphere_system system;
    memset(&system, 0, sizeof system);
    system.origin = common_mean(cloud);
    for (int n = 0; n < cloud->data->marker_count; n++) {
        const snw_point_sums *sums = &cloud->sums[n];
        if (!(sums->weight > 0)) continue;
        snw_point_moments moments = snw_point_sums_moments(sums);
        double weight = marker_factor(cloud, n) * sums->weight;
        for (int i = 0; i < 3; i++) {
            moments.s.m[i][i] -= s2;
            for (int j = 0; j < 3; j++)
                system.a.m[i][j] += weight * moments.s.m[i][j];
        }
        snw_vec3 offset = snw_vec3_sub(moments.mean, system.origin);
        snw_vec3 right = snw_vec3_add(snw_mat3_apply(moments.s, offset), moments.g);
        system.b = snw_vec3_add_scaled(system.b, weight, right);
        system.mean = snw_vec3_add_scaled(system.mean, weight, moments.mean);
        system.weight += weight;
    }
    for (int i = 0; i < 9 && system.weight > 0; i++)
        (&system.a.m[0][0])[i] /= system.weight;
    if (system.weight > 0) {
        system.b = snw_vec3_scale(system.b, 1 / system.weight);
        system.mean = snw_vec3_scale(system.mean, 1 / system.weight);
    }
    system.spectrum = snw__spectrum3_of(system.a);
    return system;
}

/* origin + a^-1 b over the `rank` largest eigenvalues. */
static snw_vec3 solve_rank(const sphere_system *system, int rank)
{
    snw_vec3 center = system->origin;
    for (int i = 0; i < rank; i++) {
        double along = snw_vec3_dot(system->spectrum.vector[i], system->b);
        center = snw_vec3_add_scaled(center, along / system->spectrum.value[i],
                                     system->spectrum.vector[i]);
    }
    return center;
}

/* ---- sphere or circle ----------------------------------------------------------------------- */

static snw_status check_motion(const snw__cloud *cloud, const sphere_system *system,
                               snw_error *error)
{
    int64_t count = 0;
    for (int n = 0; n < cloud->data->marker_count; n++)
        if (cloud->sums[n].count > count) count = cloud->sums[n].count;
    if (count < SNW__CENTER_FRAMES_MIN)
        return snw__fail(error, SNW_DEGENERATE,
                         "the child's markers are seen in only %lld frames; a centre needs %d",
                         (long long)count, SNW__CENTER_FRAMES_MIN);
    const double *value = system->spectrum.value;
    /* Markers that stay within a micrometre do not move (m^2). */
    if (!(value[0] > SNW__EXACT))
        return snw__fail(error, SNW_DEGENERATE, "this joint does not move: no centre");
    /* ... and points lie on a line. */
    if (value[1] < SNW__SAME * value[0])
        return snw__fail(error, SNW_DEGENERATE,
                         "the child's markers move on a straight line: no centre");
    return SNW_OK;
}

/* Do the markers run on circles? Knight asks for a condition above 100 alone, but a ball joint that
 * moves little gives flat caps of spheres, too: so the third eigenvalue must also be explained by
 * noise, and the circle must fit the radii as well as the sphere does. */
static bool are_circles(const snw__cloud *cloud, const sphere_system *system)
{
    const double *value = system->spectrum.value;
    /* Below this ratio of eigenvalues the plane is exact, up to round-off. */
    if (value[2] <= SNW__EXACT * value[0]) return true;
    if (value[0] <= SPHERE_PLANAR_CONDITION * value[2]) return false;
    snw__spheres sphere, circle;
    sphere.center = solve_rank(system, 3);
    circle.center = solve_rank(system, 2);
    snw__cloud_measure(cloud, &sphere);
    snw__cloud_measure(cloud, &circle);
    /* A third eigenvalue of up to so many noise variances is noise. Its expectation is one. */
    return value[2] <= CENTER_NOISE_FACTOR * sphere.variance &&
           circle.variance <= CENTER_NOISE_FACTOR * sphere.variance;
}

/* ---- bias ----------------------------------------------------------------------------------- */

/* The fixed point of s2 and the centre, given the smallest eigenvalue in use; false, and cloud->fit
 * untouched, where the guard trips. */
static bool take_out_bias(snw__cloud *cloud, int rank, double smallest)
{
    snw__spheres spheres = cloud->fit;
    for (int round = 0; round < SNW__ROUNDS_MAX; round++) {
        snw_vec3 before = spheres.center;
        /* Halvorsen's correction is used only while s2 is below this part of the smallest
         * eigenvalue: beyond it the corrected matrix is nearly singular (simulated without the
         * guard: the error reaches the radius itself). */
        if (!(spheres.variance < CENTER_GUARD * smallest)) return false;
        sphere_system system = build_system(cloud, spheres.variance);
        spheres.center = solve_rank(&system, rank);
        snw__cloud_measure(cloud, &spheres);
        if (snw_vec3_distance(before, spheres.center) < SNW__SAME) break;
    }
    cloud->fit = spheres;
    return true;
}

/* What noise s2 does to the closed form: s2 A^-1 (mean - c) with A free of noise, bounded where
 * noise is all there is. A filter that is not a closed form is off by its distance from it. */
snw_vec3 snw__cloud_expected_bias(const snw__cloud *cloud)
{
    if (cloud->method == SNW_CENTER_KALMAN)
        return snw_vec3_sub(cloud->fit.center, cloud->closed_form);
    double s2 = cloud->fit.variance;
    snw_vec3 bias = {0, 0, 0};
    sphere_system system = build_system(cloud, 0);
    snw_vec3 pull = snw_vec3_scale(snw_vec3_sub(system.mean, cloud->fit.center), s2);
    for (int i = 0; s2 > 0 && i < (cloud->is_planar ? 2 : 3); i++) {
        double clean = fmax(system.spectrum.value[i] - s2, 0.1 * s2);
        double along = snw_vec3_dot(pull, system.spectrum.vector[i]);
        bias = snw_vec3_add_scaled(bias, along / clean, system.spectrum.vector[i]);
    }
    return bias;
}

snw_status snw__cloud_fit_algebraic(snw__cloud *cloud, snw_error *error)
{
    memset(cloud->fit.radius, 0, sizeof cloud->fit.radius);
    sphere_system system = build_system(cloud, 0);
    snw_status status = check_motion(cloud, &system, error);
    if (status != SNW_OK) return status;
    cloud->is_planar = are_circles(cloud, &system);
    cloud->normal = system.spectrum.vector[2];
    cloud->condition = snw__condition(system.spectrum.value[0], system.spectrum.value[2]);
    int rank = cloud->is_planar ? 2 : 3;
    cloud->fit.center = solve_rank(&system, rank);
    snw__cloud_measure(cloud, &cloud->fit);
    /* Once more with the radii known; unweighted methods get the same again. */
    if (marker_factor(cloud, 0) != 1) {
        system = build_system(cloud, 0);
        cloud->fit.center = solve_rank(&system, rank);
        snw__cloud_measure(cloud, &cloud->fit);
    }
    bool wants_correction =
        cloud->method == SNW_CENTER_HALVORSEN ||
        (cloud->method != SNW_CENTER_GAMAGE_LASENBY && cloud->options->correct_bias);
    cloud->is_bias_guarded =
        wants_correction && !take_out_bias(cloud, rank, system.spectrum.value[rank - 1]);
    return SNW_OK;
}

snw_status snw_point_sums_solve(const snw_point_sums *sums, snw_vec3 *center, snw_vec3 *axis,
                                snw_error *error)
{
    snw__cloud cloud;
    memset(&cloud, 0, sizeof cloud);
    snw_center_data data;
    memset(&data, 0, sizeof data);
    data.marker_count = 1;
    cloud.data = &data;
    cloud.method = SNW_CENTER_MVM;
    cloud.sums[0] = *sums;
    *center = snw_vec3_make(0, 0, 0);
    if (axis) *axis = snw_vec3_make(0, 0, 0);
    sphere_system system = build_system(&cloud, 0);
    snw_status status = check_motion(&cloud, &system, error);
    if (status != SNW_OK) return status;
    const double *value = system.spectrum.value;
    bool is_planar = value[0] > SPHERE_PLANAR_CONDITION * value[2];
    snw_vec3 found = solve_rank(&system, is_planar ? 2 : 3);
    if (!snw_vec3_is_finite(found)) /* cubes of coordinates beyond 1e102 */
        return snw__fail(error, SNW_DEGENERATE, "the points are too far apart for a sphere");
    *center = found;
    if (axis && is_planar) *axis = system.spectrum.vector[2];
    return snw__succeed(error);
}

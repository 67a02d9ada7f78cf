/* Bundle adjustment (Triggs, McLauchlan, Hartley & Fitzgibbon 2000): cameras and points for which
 *
 *     sum over sightings  rho(|pixel - seen|^2 / sigma^2)
 *
 * is least, by Levenberg's and Marquardt's steps. A sighting knows one camera and one point only:
 * with U, V the blocks of cameras and points and W what couples them, points are eliminated one by
 * one (the Schur complement),
 *
 *     (U - W V^-1 W') c = g - W V^-1 h,     p = V^-1 (h - W' c),
 *
 * and what is left is sparse where cameras share no points: L D L' of math/sparse.h. rho is Geman's
 * and McClure's; its scale shrinks from eight times to once. Work grows with points times the
 * square of the cameras that see one. */
#include "view/bundle.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "math/sparse.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"

/* Of one sighting: what its camera and its point have to do with each other. */
typedef struct bundle_block {
    double w[SNW__BUNDLE_LENS][3];
} bundle_block;

/* Of one point. */
typedef struct bundle_point {
    double v[6], inverse[6]; /* xx xy xz yy yz zz */
    snw_vec3 pull;
} bundle_point;

typedef struct bundle_work {
    snw__bundle *bundle;
    int size;            /* of the cameras' equations */
    double scale2;       /* of the robust cost */
    bundle_block *block; /* (sightings) */
    bundle_point *point; /* (point_count) */
    double *a;           /* (size x size) lower triangle */
    double *diagonal;    /* (size) of U, before the points go */
    double *b;           /* (size) */
    bool *is_coupled;    /* (cameras x cameras) lower triangle */
    snw_camera *kept;    /* (cameras) before a step */
    snw_vec3 *kept_place;
    int *start, *row; /* of the sparse matrix */
    double *value;
} bundle_work;

static void lay_out(void *object, snw__block *block)
{
    bundle_work *work = object;
    const snw__bundle *bundle = work->bundle;
    size_t cameras = (size_t)bundle->cameras->count, points = (size_t)bundle->point_count;
    size_t size = (size_t)work->size, entries = snw__size_mul(size, size);
    work->block =
        snw__block_take(block, (size_t)bundle->first[bundle->point_count], sizeof *work->block);
    work->point = snw__block_take(block, points, sizeof *work->point);
    work->a = snw__block_take(block, entries, sizeof *work->a);
    work->diagonal = snw__block_take(block, size, sizeof *work->diagonal);
    work->b = snw__block_take(block, size, sizeof *work->b);
    work->is_coupled = snw__block_take(block, cameras * cameras, sizeof *work->is_coupled);
    work->kept = snw__block_take(block, cameras, sizeof *work->kept);
    work->kept_place = snw__block_take(block, points, sizeof *work->kept_place);
    work->start = snw__block_take(block, size + 1, sizeof *work->start);
    work->row = snw__block_take(block, entries, sizeof *work->row);
    work->value = snw__block_take(block, entries, sizeof *work->value);
}

/* ---- one sighting ------------------------------------------------------------------------- */

/* Distances in the picture and their derivatives by the camera and by the point; false behind it.
 */
typedef struct bundle_row {
    double off[2];
    double by_camera[2][SNW__BUNDLE_LENS];
    snw_vec3 by_point[2];
} bundle_row;

static bool look(const snw__bundle *bundle, const snw__bundle_sighting *seen, snw_vec3 place,
                 bundle_row *row)
{
    const snw_camera *camera = bundle->cameras->camera + seen->camera;
    snw_vec3 local = snw_xform_point(camera->camera_from_world, place), by[2];
    double pixel[2];
    if (!snw__camera_look(camera, local, pixel, by)) return false;
    const double center[2] = {camera->center_x, camera->center_y};
    const double focal[2] = {camera->focal_x, camera->focal_y};
    const double flat[2] = {local.x / local.z, local.y / local.z};
    double r2 = flat[0] * flat[0] + flat[1] * flat[1];
    for (int i = 0; i < 2; i++) {
        snw_vec3 turn = snw_vec3_cross(local, by[i]); /* d(w x p) = w . (p x d) */
        const double d[SNW__BUNDLE_LENS] = {turn.x,
                                            turn.y,
                                            turn.z,
                                            by[i].x,
                                            by[i].y,
                                            by[i].z,
                                            pixel[i] - center[i],
                                            camera->is_fisheye ? 0 : focal[i] * flat[i] * r2};
        memcpy(row->by_camera[i], d, sizeof d);
        row->by_point[i] = snw_quat_unrotate(camera->camera_from_world.rotation, by[i]);
        row->off[i] = pixel[i] - seen->pixel[i];
    }
    return true;
}

static double off2_of(const snw__bundle *bundle, const snw__bundle_sighting *seen, snw_vec3 place)
{
    const snw_sighting at = {seen->camera, {seen->pixel[0], seen->pixel[1]}, seen->sigma};
    return snw__sighting_off2(bundle->cameras, &at, place);
}

static double cost_of(const bundle_work *work)
{
    const snw__bundle *bundle = work->bundle;
    double sum = 0;
    for (int p = 0; p < bundle->point_count; p++)
        for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++) {
            double off2 = off2_of(bundle, bundle->sighting + s, bundle->place[p]) / work->scale2;
            sum += isfinite(off2) ? snw__geman_mcclure_cost(off2) : 1;
        }
    return sum;
}

/* ---- equations ---------------------------------------------------------------------------- */

static void add_sighting(bundle_work *work, int p, int s)
{
    snw__bundle *bundle = work->bundle;
    snw__bundle_sighting *seen = bundle->sighting + s;
    bundle_point *point = work->point + p;
    bundle_block *block = work->block + s;
    bundle_row row;
    int count = bundle->parameters, at = seen->camera * count;
    memset(block, 0, sizeof *block);
    seen->weight = 0;
    if (!look(bundle, seen, bundle->place[p], &row)) return;
    double precision = 1 / (seen->sigma * seen->sigma);
    double off2 = (row.off[0] * row.off[0] + row.off[1] * row.off[1]) * precision;
    double robust = snw__geman_mcclure_weight(off2 / work->scale2), weight = precision * robust;
    seen->weight = (float)robust;
    for (int i = 0; i < 2; i++) {
        const double d[3] = {row.by_point[i].x, row.by_point[i].y, row.by_point[i].z};
        for (int k = 0, n = 0; k < 3; k++)
            for (int l = k; l < 3; l++)
                point->v[n++] += weight * d[k] * d[l];
        point->pull = snw_vec3_add_scaled(point->pull, -weight * row.off[i], row.by_point[i]);
        for (int m = 0; m < count; m++) {
            double c = weight * row.by_camera[i][m];
            work->b[at + m] -= c * row.off[i];
            for (int l = 0; l <= m; l++)
                work->a[(at + m) * work->size + at + l] += c * row.by_camera[i][l];
            for (int l = 0; l < 3; l++)
                block->w[m][l] += c * d[l];
        }
    }
}

/* Takes a point out of the cameras' equations. */
static void eliminate(bundle_work *work, int p)
{
    const snw__bundle *bundle = work->bundle;
    const bundle_point *point = work->point + p;
    int count = bundle->parameters, cameras = bundle->cameras->count;
    snw_vec3 pull = snw__symmetric3_apply(point->inverse, point->pull);
    for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++) {
        int a = bundle->sighting[s].camera;
        if (!(bundle->sighting[s].weight > 0)) continue;
        for (int m = 0; m < count; m++) {
            const double *w = work->block[s].w[m];
            work->b[a * count + m] -= w[0] * pull.x + w[1] * pull.y + w[2] * pull.z;
            snw_vec3 y = snw__symmetric3_apply(point->inverse, snw_vec3_make(w[0], w[1], w[2]));
            for (int o = bundle->first[p]; o < bundle->first[p + 1]; o++) {
                int b = bundle->sighting[o].camera;
                if (b > a || !(bundle->sighting[o].weight > 0)) continue;
                double *to = work->a + (size_t)(a * count + m) * (size_t)work->size + b * count;
                work->is_coupled[a * cameras + b] = true;
                for (int l = 0; l < (a == b ? m + 1 : count); l++) {
                    const double *v = work->block[o].w[l];
                    to[l] -= y.x * v[0] + y.y * v[1] + y.z * v[2];
                }
            }
        }
    }
}

/* The equations of a step with some damping: a share of each diagonal element. */
static void set_up(bundle_work *work, double damping)
{
    const snw__bundle *bundle = work->bundle;
    int cameras = bundle->cameras->count, size = work->size;
    memset(work->a, 0, (size_t)size * (size_t)size * sizeof *work->a);
    memset(work->b, 0, (size_t)size * sizeof *work->b);
    memset(work->is_coupled, 0, (size_t)(cameras * cameras) * sizeof *work->is_coupled);
    for (int p = 0; p < bundle->point_count; p++) {
        memset(work->point + p, 0, sizeof *work->point);
        for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++)
            add_sighting(work, p, s);
    }
    for (int n = 0; n < size; n++) {
        double *diagonal = work->a + (size_t)n * (size_t)size + n;
        work->diagonal[n] = *diagonal;
        *diagonal += damping * *diagonal + SNW__SINGLE;
    }
    for (int p = 0; p < bundle->point_count; p++) {
        bundle_point *point = work->point + p;
        double damped[6];
        memcpy(damped, point->v, sizeof damped);
        for (int k = 0, n = 0; k < 3; n += 3 - k++)
            damped[n] += damping * damped[n] + SNW__SINGLE;
        if (snw__symmetric3_invert(damped, point->inverse))
            eliminate(work, p);
        else
            memset(point->inverse, 0, sizeof point->inverse);
    }
}

/* The cameras' step into work->b. */
static snw_status solve_cameras(bundle_work *work, const snw_allocator *allocator, snw_error *error)
{
    int count = work->bundle->parameters, cameras = work->bundle->cameras->count, entries = 0;
    for (int n = 0; n < work->size; n++) {
        int of = n / count;
        work->start[n] = entries;
        for (int r = n; r < work->size; r++) {
            int camera = r / count;
            if (camera != of && !work->is_coupled[camera * cameras + of]) continue;
            work->row[entries] = r;
            work->value[entries++] = work->a[(size_t)r * (size_t)work->size + (size_t)n];
        }
    }
    work->start[work->size] = entries;
    const snw__sparse matrix = {work->size, work->start, work->row, work->value};
    snw__sparse_factor factor;
    snw_status status = snw__sparse_factor_create(&matrix, allocator, &factor, error);
    if (status != SNW_OK) return status;
    snw__sparse_solve(&factor, work->b);
    snw__sparse_factor_release(&factor);
    return SNW_OK;
}

/* ---- steps -------------------------------------------------------------------------------- */

static void move_camera(snw_camera *camera, const double *by, int count)
{
    snw_quat turn = snw_quat_exp(snw_vec3_make(by[0], by[1], by[2]));
    snw_xform move = snw_xform_make(turn, snw_vec3_make(by[3], by[4], by[5]));
    camera->camera_from_world = snw_xform_mul(move, camera->camera_from_world);
    camera->camera_from_world.rotation = snw_quat_normalize(camera->camera_from_world.rotation);
    if (count < SNW__BUNDLE_LENS) return;
    double grow = snw__exp(snw_clamp(by[6], -1, 1));
    camera->focal_x *= grow;
    camera->focal_y *= grow;
    camera->distortion[0] += by[7];
}

static void move_all(bundle_work *work)
{
    snw__bundle *bundle = work->bundle;
    int count = bundle->parameters;
    for (int p = 0; p < bundle->point_count; p++) {
        snw_vec3 pull = work->point[p].pull;
        for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++)
            for (int m = 0; m < count; m++) {
                const double *w = work->block[s].w[m];
                double by = work->b[bundle->sighting[s].camera * count + m];
                pull = snw_vec3_add_scaled(pull, -by, snw_vec3_make(w[0], w[1], w[2]));
            }
        bundle->place[p] =
            snw_vec3_add(bundle->place[p], snw__symmetric3_apply(work->point[p].inverse, pull));
    }
    for (int c = 0; c < bundle->cameras->count; c++)
        move_camera(bundle->cameras->camera + c, work->b + (size_t)c * (size_t)count, count);
}

static void keep(bundle_work *work, bool brings_back)
{
    snw__bundle *bundle = work->bundle;
    size_t cameras = (size_t)bundle->cameras->count * sizeof *work->kept,
           places = (size_t)bundle->point_count * sizeof *work->kept_place;
    memcpy(brings_back ? bundle->cameras->camera : work->kept,
           brings_back ? work->kept : bundle->cameras->camera, cameras);
    memcpy(brings_back ? bundle->place : work->kept_place,
           brings_back ? work->kept_place : bundle->place, places);
}

static snw_status iterate(bundle_work *work, const snw_allocator *allocator, snw_error *error)
{
    double damping = SNW__SINGLE, cost = cost_of(work);
    for (int n = 0; n < SNW__ROUNDS_MAX; n++) {
        set_up(work, damping);
        keep(work, false);
        snw_status status = solve_cameras(work, allocator, NULL);
        if (status == SNW_OUT_OF_MEMORY)
            return snw__fail_memory(error, (size_t)work->size * sizeof(double), "cameras");
        double after = INFINITY;
        if (status == SNW_OK) {
            move_all(work);
            after = cost_of(work);
        }
        if (after < cost) {
            bool is_done = cost - after < SNW__SINGLE * cost;
            bool is_wide = work->scale2 > SNW__SIGHTING_SCALE2;
            damping = fmax(SNW__SAME, damping / 10);
            cost = after;
            if (is_done && !is_wide) break;
            if (!is_wide) continue;
            work->scale2 = fmax(SNW__SIGHTING_SCALE2, SNW__HALF * work->scale2);
            cost = cost_of(work);
        } else {
            keep(work, true);
            damping *= 10;
            if (!(damping < 1 / SNW__SINGLE)) {
                if (!(work->scale2 > SNW__SIGHTING_SCALE2)) break;
                work->scale2 = SNW__SIGHTING_SCALE2;
                damping = SNW__SINGLE;
                cost = cost_of(work);
            }
        }
    }
    return SNW_OK;
}

static void judge(bundle_work *work)
{
    snw__bundle *bundle = work->bundle;
    double sum = 0;
    int seen = 0;
    bundle->cost = cost_of(work) / fmax(1, bundle->first[bundle->point_count]);
    for (int p = 0; p < bundle->point_count; p++) {
        int here = 0;
        for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++) {
            double off2 = off2_of(bundle, bundle->sighting + s, bundle->place[p]);
            bool is_near = off2 < SNW_SIGHTING_FAR * SNW_SIGHTING_FAR;
            bundle->sighting[s].weight = is_near ? bundle->sighting[s].weight : 0;
            if (!is_near) continue;
            sum += off2;
            here++;
        }
        if (here > 1) seen += 2 * here - 3;
    }
    int freedom = seen - bundle->parameters * bundle->cameras->count;
    bundle->residual = freedom > 0 ? sqrt(sum / freedom) : 0;
}

snw_status snw__bundle_solve(snw__bundle *bundle, const snw_allocator *allocator, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    bundle_work work = {.bundle = bundle};
    snw__block block;
    work.size = bundle->cameras->count * bundle->parameters;
    work.scale2 = 64 * SNW__SIGHTING_SCALE2;
    snw_status status =
        snw__block_create(&block, lay_out, &work, &memory, "cameras and points", error);
    if (status != SNW_OK) return status;
    status = iterate(&work, &memory, error);
    if (status == SNW_OK) judge(&work);
    snw__block_release(&memory, &block);
    return status;
}

/* Two cameras from the points that both see: the essential matrix E, b' E a = 0, by eight points
 * (Longuet-Higgins 1981), the best of many drawings (Fischler & Bolles 1981), and its four
 * readings, of which one has the points before both cameras (Hartley & Zisserman 2004, 9.6). One
 * camera from points whose places are known: the direct linear transform of six, likewise. */
#include "view/relative_pose.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "math/robust.h"
#include "math/tolerance.h"

enum {
    POSE_DRAWINGS = 500, /* with half of the points wrong, one of 256 drawings of eight is right */
    POSE_EIGHT = 8,
    POSE_SIX = 6,
    POSE_WIDE = 12 /* unknowns of the direct linear transform */
};

/* The vector that a list of rows sends nearest to nothing. */
static bool nullvector(const double *rows, int count, int width, double *out)
{
    double square[POSE_WIDE * POSE_WIDE] = {0}, value[POSE_WIDE], vector[POSE_WIDE * POSE_WIDE];
    for (int n = 0; n < count; n++)
        for (int k = 0; k < width; k++)
            for (int l = 0; l <= k; l++)
                square[k * width + l] += rows[n * width + k] * rows[n * width + l];
    if (snw_eigen_symmetric(square, width, value, vector) != SNW_OK) return false;
    memcpy(out, vector + (size_t)((width - 1) * width), (size_t)width * sizeof *out);
    return true;
}

/* Different numbers below `count`. */
static void draw(snw_random *random, int count, int wanted, int *out)
{
    for (int n = 0; n < wanted; n++) {
        bool is_new = false;
        while (!is_new) {
            out[n] = (int)snw_random_below(random, (uint32_t)count);
            is_new = true;
            for (int k = 0; k < n; k++)
                is_new = is_new && out[k] != out[n];
        }
    }
}

/* ---- two cameras -------------------------------------------------------------------------- */

static void essential_row(const snw__common_point *p, double row[9])
{
    const double a[3] = {p->a[0], p->a[1], 1}, b[3] = {p->b[0], p->b[1], 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            row[3 * i + k] = b[i] * a[k];
}

/* Sampson's distance, squared: to first order how far the point is from an exact one. */
static double sampson2(const double e[9], const snw__common_point *p)
{
    const double a[3] = {p->a[0], p->a[1], 1}, b[3] = {p->b[0], p->b[1], 1};
    double ea[3] = {0}, eb[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            ea[i] += e[3 * i + k] * a[k];
            eb[k] += e[3 * i + k] * b[i];
        }
    double off = b[0] * ea[0] + b[1] * ea[1] + b[2] * ea[2];
    return off * off / (ea[0] * ea[0] + ea[1] * ea[1] + eb[0] * eb[0] + eb[1] * eb[1]);
}

static int agree(const double e[9], const snw__common_point *point, int count, double tolerance,
                 bool *is_in)
{
    int agreeing = 0;
    for (int n = 0; n < count; n++) {
        bool is_near = sampson2(e, point + n) < tolerance * tolerance;
        if (is_in) is_in[n] = is_near;
        agreeing += is_near;
    }
    return agreeing;
}

static int before_both(const snw__common_point *point, int count, const bool *is_in,
                       snw_xform second)
{
    int before = 0;
    snw_vec3 origin = {0, 0, 0}, there = snw_xform_unpoint(second, origin);
    for (int n = 0; n < count; n++) {
        snw__meeting meeting;
        const snw__common_point *p = point + n;
        if (is_in && !is_in[n]) continue;
        snw_vec3 a = snw_vec3_unit(snw_vec3_make(p->a[0], p->a[1], 1), origin);
        snw_vec3 b = snw_quat_unrotate(second.rotation, snw_vec3_make(p->b[0], p->b[1], 1));
        before += snw__rays_meet(origin, a, there, snw_vec3_unit(b, origin), &meeting);
    }
    return before;
}

/* Of the four poses that have this essential matrix, the one with most points before both cameras.
 */
static int read_essential(const double e[9], const snw__common_point *point, int count,
                          const bool *is_in, snw_xform *out)
{
    double sigma[3], left[9], right[9];
    snw_svd svd = {.sigma = sigma, .left = left, .right = right};
    int best = 0;
    if (snw_svd_factor(&svd, e, 3, 3) != SNW_OK) return 0;
    for (int reading = 0; reading < 4; reading++) {
        /* R = U W V' or U W' V', t = +-u3. Rows of left and right are the vectors. */
        double w = reading & 1 ? 1 : -1;
        snw_mat3 turn;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                turn.m[i][k] = w * (left[3 + i] * right[k] - left[i] * right[3 + k]) +
                               left[6 + i] * right[6 + k];
        if (snw_mat3_determinant(turn) < 0)
            for (int i = 0; i < 9; i++)
                turn.m[i / 3][i % 3] = -turn.m[i / 3][i % 3];
        double sign = reading & 2 ? 1 : -1;
        snw_xform pose =
            snw_xform_make(snw_quat_from_mat3(turn),
                           snw_vec3_scale(snw_vec3_make(left[6], left[7], left[8]), sign));
        int before = before_both(point, count, is_in, pose);
        if (before <= best) continue;
        best = before;
        *out = pose;
    }
    return best;
}

int snw__relative_pose(const snw__common_point *point, int count, double tolerance, snw_xform *out,
                       bool *is_in)
{
    snw_random random = snw_random_seed((uint64_t)count, 0);
    double best[9] = {0};
    int most = 0;
    if (count < POSE_EIGHT) return 0;
    for (int n = 0; n < POSE_DRAWINGS; n++) {
        int drawn[POSE_EIGHT];
        double rows[POSE_EIGHT * 9], e[9];
        draw(&random, count, POSE_EIGHT, drawn);
        for (int k = 0; k < POSE_EIGHT; k++)
            essential_row(point + drawn[k], rows + (size_t)9 * (size_t)k);
        if (!nullvector(rows, POSE_EIGHT, 9, e)) continue;
        int agreeing = agree(e, point, count, tolerance, NULL);
        if (agreeing <= most) continue;
        most = agreeing;
        memcpy(best, e, sizeof best);
    }
    /* Once more with all that agree, as sums: rows are added one by one. */
    for (int round = 0; round < SNW__MEAN_ROUNDS && most >= POSE_EIGHT; round++) {
        double square[81] = {0}, value[9], vector[81], row[9];
        for (int n = 0; n < count; n++) {
            if (!(sampson2(best, point + n) < tolerance * tolerance)) continue;
            essential_row(point + n, row);
            for (int k = 0; k < 9; k++)
                for (int l = 0; l <= k; l++)
                    square[9 * k + l] += row[k] * row[l];
        }
        if (snw_eigen_symmetric(square, 9, value, vector) != SNW_OK) break;
        int agreeing = agree(vector + 72, point, count, tolerance, NULL);
        if (agreeing < most) break;
        most = agreeing;
        memcpy(best, vector + 72, sizeof best);
    }
    most = agree(best, point, count, tolerance, is_in);
    return most < POSE_EIGHT ? 0 : read_essential(best, point, count, is_in, out);
}

/* ---- one camera ----------------------------------------------------------------------------- */

static int count_near(const snw__placed_point *point, int count, double tolerance, snw_xform pose)
{
    int near = 0;
    for (int n = 0; n < count; n++) {
        snw_vec3 p = snw_xform_point(pose, point[n].place);
        double x = p.x / p.z - point[n].at[0], y = p.y / p.z - point[n].at[1];
        near += p.z > 0 && x * x + y * y < tolerance * tolerance;
    }
    return near;
}

/* From the 3 x 4 matrix of the direct linear transform: its left part is a rotation times a scale.
 */
static bool read_transform(const double m[12], const snw__placed_point *some, snw_xform *out)
{
    double sigma[3], left[9], right[9], part[9];
    snw_svd svd = {.sigma = sigma, .left = left, .right = right};
    for (int i = 0; i < 9; i++)
        part[i] = m[4 * (i / 3) + i % 3];
    if (snw_svd_factor(&svd, part, 3, 3) != SNW_OK || !(sigma[2] > 0)) return false;
    double scale = (sigma[0] + sigma[1] + sigma[2]) / 3;
    snw_mat3 turn;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            turn.m[i][k] = 0;
            for (int n = 0; n < 3; n++)
                turn.m[i][k] += left[3 * n + i] * right[3 * n + k];
        }
    double sign = snw_mat3_determinant(turn) < 0 ? -1 : 1;
    for (int i = 0; i < 9; i++)
        turn.m[i / 3][i % 3] *= sign;
    snw_vec3 shift = snw_vec3_scale(snw_vec3_make(m[3], m[7], m[11]), sign / scale);
    *out = snw_xform_make(snw_quat_from_mat3(turn), shift);
    return snw_xform_point(*out, some->place).z > 0;
}

int snw__resection(const snw__placed_point *point, int count, double tolerance, snw_xform *out)
{
    snw_random random = snw_random_seed((uint64_t)count, 1);
    int most = 0;
    if (count < POSE_SIX) return 0;
    for (int n = 0; n < POSE_DRAWINGS; n++) {
        int drawn[POSE_SIX];
        double rows[2 * POSE_SIX * POSE_WIDE] = {0}, m[POSE_WIDE];
        snw_xform pose;
        draw(&random, count, POSE_SIX, drawn);
        /* About the first point, so that numbers are alike. */
        snw_vec3 middle = point[drawn[0]].place;
        for (int k = 0; k < POSE_SIX; k++) {
            const snw__placed_point *p = point + drawn[k];
            snw_vec3 d = snw_vec3_sub(p->place, middle);
            const double world[4] = {d.x, d.y, d.z, 1};
            for (int i = 0; i < 2; i++)
                for (int l = 0; l < 4; l++) {
                    double *row = rows + (size_t)((2 * k + i) * POSE_WIDE);
                    row[4 * i + l] = world[l];
                    row[8 + l] = -p->at[i] * world[l];
                }
        }
        if (!nullvector(rows, 2 * POSE_SIX, POSE_WIDE, m)) continue;
        snw__placed_point some = point[drawn[1]];
        some.place = snw_vec3_sub(some.place, middle);
        if (!read_transform(m, &some, &pose)) continue;
        pose.translation = snw_vec3_sub(pose.translation, snw_quat_rotate(pose.rotation, middle));
        int near = count_near(point, count, tolerance, pose);
        if (near <= most) continue;
        most = near;
        *out = pose;
    }
    return most;
}

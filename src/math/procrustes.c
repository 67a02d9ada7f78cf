/* The rotation and translation that best carry one set of points onto another.
 *
 * The rotor of the best rotation is the eigenvector of the largest eigenvalue of a symmetric 4x4
 * matrix N built from S = sum w x y^T (Horn, "Closed-form solution of absolute orientation using
 * unit quaternions", J. Opt. Soc. Am. A 4, 1987). In terms of the singular values s1 >= s2 >= |s3|
 * of S (s3 signed by det S) the two largest eigenvalues differ by 2 (s2 + s3): they coincide for
 * collinear points and for mirrored symmetric sets. Every rotor of their common eigenspace then
 * fits equally well; the smallest rotation among them is the one with the largest |w|, the
 * projection of the identity rotor onto that space. */
#include "math/tolerance.h"
#include <sinew/dense.h>
#include <sinew/geometry.h>

/* Points used, their centres, the sizes of the centred sets and the weighted sums. */
typedef struct procrustes_sums {
    int point_count;
    double weight_scale; /* 1 / largest weight, so that sums cannot overflow */
    double weight;
    snw_vec3 from_center, to_center;
    double from_size, to_size; /* largest centred coordinate */
    double roundoff;           /* relative error of centred coordinates, from the offset */
    double s[3][3];            /* sum w x y^T of the centred points divided by their sizes */
} procrustes_sums;

typedef struct procrustes_data {
    const snw_vec3 *from;
    const snw_vec3 *to;
    const double *weights;
    int count;
    bool is_clean; /* known: no point is skipped but for a weight of 0 */
} procrustes_data;

/* fmax of what is not NaN, without a call. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The weight of point i, 0 where it must be skipped. */
static inline double weight_at(const procrustes_data *data, int i)
{
    if (data->is_clean) return data->weights ? data->weights[i] : 1;
    if (!snw_vec3_is_finite(data->from[i]) || !snw_vec3_is_finite(data->to[i])) return 0;
    double weight = data->weights ? data->weights[i] : 1;
    return isnan(weight) ? 0 : weight;
}

static double largest_coordinate(snw_vec3 v)
{
    return larger(fabs(v.x), larger(fabs(v.y), fabs(v.z)));
}

/* Sizes of the centred sets; a set no larger than the round-off of its offset has size 0. */
static void find_sizes(const procrustes_data *data, procrustes_sums *sums)
{
    double from_offset = 0, to_offset = 0;
    for (int i = 0; i < data->count; i++) {
        if (!(weight_at(data, i) > 0)) continue;
        snw_vec3 x = data->from[i], y = data->to[i];
        from_offset = larger(from_offset, largest_coordinate(x));
        to_offset = larger(to_offset, largest_coordinate(y));
        sums->from_size =
            larger(sums->from_size, largest_coordinate(snw_vec3_sub(x, sums->from_center)));
        sums->to_size = larger(sums->to_size, largest_coordinate(snw_vec3_sub(y, sums->to_center)));
    }
    /* 1e-14: some fifty roundings of the running mean. */
    if (sums->from_size <= 1e-14 * from_offset) sums->from_size = 0;
    if (sums->to_size <= 1e-14 * to_offset) sums->to_size = 0;
    if (sums->from_size > 0 && sums->to_size > 0)
        sums->roundoff =
            1e-15 * (from_offset / sums->from_size) + 1e-15 * (to_offset / sums->to_size);
}

static void accumulate(const procrustes_data *data, procrustes_sums *sums)
{
    if (!(sums->from_size > 0 && sums->to_size > 0)) return;
    /* Division, not a reciprocal: 1 / size overflows for subnormal sizes. */
    double from_size = sums->from_size, to_size = sums->to_size;
    for (int i = 0; i < data->count; i++) {
        double weight = weight_at(data, i) * sums->weight_scale;
        if (!(weight > 0)) continue;
        snw_vec3 x = snw_vec3_sub(data->from[i], sums->from_center);
        snw_vec3 y = snw_vec3_sub(data->to[i], sums->to_center);
        double a[3] = {x.x / from_size, x.y / from_size, x.z / from_size};
        double b[3] = {y.x / to_size, y.y / to_size, y.z / to_size};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                sums->s[r][c] += weight * a[r] * b[c];
    }
}

/* N in the basis (w, x, y, z). Texts on rotors state it for the rotor a + B1 e23 + B2 e13 + B3 e12;
 * (w, x, y, z) = (a, -B1, B2, -B3) turns it into Horn's form. Lower triangle only. */
static void build_matrix(double s[3][3], double n[16])
{
    n[0] = s[0][0] + s[1][1] + s[2][2];
    n[4] = s[1][2] - s[2][1];
    n[5] = s[0][0] - s[1][1] - s[2][2];
    n[8] = s[2][0] - s[0][2];
    n[9] = s[0][1] + s[1][0];
    n[10] = -s[0][0] + s[1][1] - s[2][2];
    n[12] = s[0][1] - s[1][0];
    n[13] = s[2][0] + s[0][2];
    n[14] = s[1][2] + s[2][1];
    n[15] = -s[0][0] - s[1][1] + s[2][2];
}

/* The unit element of span(rows 0..count-1 of vectors) with the largest w. Where all have w = 0
 * (half turns), the one with the largest x, then y: any is right, this one is always the same. */
static snw_quat smallest_rotation(const double vectors[16], int count)
{
    for (int axis = 0; axis < 4; axis++) {
        double q[4] = {0, 0, 0, 0};
        for (int i = 0; i < count; i++)
            for (int c = 0; c < 4; c++)
                q[c] += vectors[4 * i + axis] * vectors[4 * i + c];
        /* q[axis] is the squared length of the projection; 1e-16 is (1e-8)^2: below it the
         * eigenvectors' own error decides. */
        if (q[axis] > 1e-16) return snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
    }
    return snw_quat_identity();
}

static snw_status solve_rotation(procrustes_sums *sums, snw_fit *fit)
{
    double n[16] = {0}, values[4], vectors[16];
    build_matrix(sums->s, n);
    snw_status status = snw_eigen_symmetric(n, 4, values, vectors);
    if (status != SNW_OK) return status;
    double size = larger(fabs(values[0]), fabs(values[3]));
    /* Relative gap below which two eigenvalues count as equal: s2 / s1 is (width / length)^2 of the
     * marker set, so this is a width of 3e-5 of the length, far below what markers resolve. */
    double tie = (SNW__SAME + sums->roundoff) * size;
    int tied = 1;
    while (tied < 4 && !(values[0] - values[tied] > tie))
        tied++;
    fit->kind = tied == 1   ? SNW_FIT_UNIQUE
                : tied == 2 ? SNW_FIT_TWIST_UNKNOWN
                            : SNW_FIT_ROTATION_UNKNOWN;
    if (values[0] > 0) fit->separation = (values[0] - values[1]) / values[0];
    fit->to_from.rotation = tied == 4 ? snw_quat_identity()
                            : tied == 1
                                ? snw_quat_make(vectors[0], vectors[1], vectors[2], vectors[3])
                                : smallest_rotation(vectors, tied);
    /* One of q and -q, chosen by the first component that is not zero. */
    snw_quat q = snw_quat_normalize(fit->to_from.rotation);
    bool is_negative = q.w != 0 ? q.w < 0 : q.x != 0 ? q.x < 0 : q.y != 0 ? q.y < 0 : q.z < 0;
    fit->to_from.rotation = is_negative ? snw_quat_neg(q) : q;
    return SNW_OK;
}

/* From the residuals themselves: sqrt(sum|x|^2 + sum|y|^2 - 2 lambda) loses half the digits. */
static double rms_left(const procrustes_data *data, const procrustes_sums *sums, snw_quat rotation)
{
    double scale = larger(sums->from_size, sums->to_size), sum = 0;
    if (!(scale > 0)) return 0;
    for (int i = 0; i < data->count; i++) {
        double weight = weight_at(data, i) * sums->weight_scale;
        if (!(weight > 0)) continue;
        snw_vec3 x = snw_vec3_sub(data->from[i], sums->from_center);
        snw_vec3 y = snw_vec3_sub(data->to[i], sums->to_center);
        snw_vec3 left = snw_vec3_sub(y, snw_quat_rotate(rotation, x));
        sum += weight *
               snw_vec3_length2(snw_vec3_make(left.x / scale, left.y / scale, left.z / scale));
    }
    return scale * sqrt(sum / sums->weight);
}

static snw_status fit_points(procrustes_data *data, bool is_centered, snw_fit *fit)
{
    procrustes_sums sums = {0};
    *fit = (snw_fit){.to_from = snw_xform_identity(), .kind = SNW_FIT_ROTATION_UNKNOWN};
    if (data->count < 0) return SNW_INVALID_ARGUMENT;
    double largest = 0;
    bool is_clean = true;
    for (int i = 0; i < data->count; i++) {
        double weight = data->weights ? data->weights[i] : 1;
        if (weight < 0 || isinf(weight)) return SNW_INVALID_ARGUMENT;
        double given = weight;
        weight = weight_at(data, i);
        is_clean &= weight == given;
        largest = larger(largest, weight);
        sums.point_count += weight > 0;
    }
    if (sums.point_count == 0) return SNW_DEGENERATE;
    data->is_clean = is_clean;
    int exponent;
    frexp(largest, &exponent);
    /* 2^1023 is the largest power of two; weights that small are all subnormal. */
    sums.weight_scale = ldexp(1, exponent < -1022 ? 1023 : -exponent);
    fit->point_count = sums.point_count;
    snw_vec3 from = {0, 0, 0}, to = {0, 0, 0};
    for (int i = 0; i < data->count; i++) {
        double weight = weight_at(data, i) * sums.weight_scale;
        if (!(weight > 0)) continue;
        sums.weight += weight;
        /* Running means: they stay within the range of the points, so they cannot overflow. */
        double share = weight / sums.weight;
        from = snw_vec3_lerp(from, data->from[i], share);
        to = snw_vec3_lerp(to, data->to[i], share);
    }
    sums.from_center = from;
    sums.to_center = to;
    if (!is_centered) sums.from_center = sums.to_center = snw_vec3_make(0, 0, 0);
    find_sizes(data, &sums);
    accumulate(data, &sums);
    snw_status status = solve_rotation(&sums, fit);
    if (status != SNW_OK) return status;
    snw_quat rotation = fit->to_from.rotation;
    fit->rms = rms_left(data, &sums, rotation);
    fit->to_from.translation =
        snw_vec3_sub(sums.to_center, snw_quat_rotate(rotation, sums.from_center));
    if (snw_vec3_is_finite(fit->to_from.translation) && isfinite(fit->rms)) return SNW_OK;
    *fit = (snw_fit){.to_from = snw_xform_identity(), .kind = SNW_FIT_ROTATION_UNKNOWN};
    return SNW_INVALID_ARGUMENT;
}

snw_status snw_fit_rigid(const snw_vec3 *from, const snw_vec3 *to, const double *weights, int count,
                         snw_fit *fit)
{
    procrustes_data data = {from, to, weights, count, false};
    return fit_points(&data, true, fit);
}

snw_status snw_fit_rotation(const snw_vec3 *from, const snw_vec3 *to, const double *weights,
                            int count, snw_fit *fit)
{
    procrustes_data data = {from, to, weights, count, false};
    return fit_points(&data, false, fit);
}

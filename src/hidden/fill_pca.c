/* A hidden marker by the principal components of the markers around it (Gloersen and Federolf
 * 2016).
 *
 * Coordinates are deviations from the mean posture in the body's frame (low_rank.c), each marker
 * weighted by its mean distance d to the hidden one, w = exp(-d^2 / 2 sigma^2), as in the paper.
 * The scores s of the components V with variances L are told by the markers that are seen all
 * through the gap, U, with the noise e that the components leave (Tipping and Bishop 1999):
 *
 *     s = (L^-1 + V_U^T V_U / e)^-1 V_U^T z_U / e,     marker = V_m s
 *
 * which is one linear map of z_U for the whole gap. The paper carries scores from components of the
 * capture without the marker to those of the capture with it; least squares with a prior is the
 * same where the markers tell the scores, and stays calm where they do not. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "hidden/low_rank.h"
#include "math/kernel.h"

/* Metres: the paper's 200 mm. */
#define PCA_SIGMA 0.2
/* Markers beyond three sigma count for a hundredth and less. */
#define PCA_WEIGHT_MIN 0.01
/* Share of the variance that components hold; the paper's threshold. */
#define PCA_SHARE 0.999

enum {
    PCA_SIZE = 3 * SNW__PCA_MARKERS + 3
};

/* The nearest markers that are there all through the gap, with their weights. */
static void choose_markers(const snw__gap_model *model, const snw__low_rank *low, snw__pca_map *map,
                           double *weight)
{
    map->count = 0;
    for (int m = 0; m < model->fill->marker_count; m++) {
        double d = snw_vec3_distance(low->mean[m], low->mean[model->marker]);
        double w = snw__exp(-d * d / (2 * PCA_SIGMA * PCA_SIGMA));
        if (m == model->marker || !low->is_in[m] || w < PCA_WEIGHT_MIN) continue;
        if (map->count == SNW__PCA_MARKERS && w <= weight[map->count - 1]) continue;
        if (!snw__gap_shows(model, m)) continue;
        int place = map->count < SNW__PCA_MARKERS ? map->count++ : map->count - 1;
        for (; place > 0 && weight[place - 1] < w; place--) {
            weight[place] = weight[place - 1];
            map->marker[place] = map->marker[place - 1];
        }
        weight[place] = w;
        map->marker[place] = m;
    }
}

/* The weighted covariance of the chosen markers and, last, the hidden one. */
static void gather_covariance(const snw__low_rank *low, const snw__pca_map *map, int hidden,
                              const double *weight, double *a)
{
    size_t all = 3 * (size_t)low->fill->marker_count;
    int n = 3 * map->count + 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool is_i = i / 3 < map->count, is_j = j / 3 < map->count;
            size_t row = 3 * (size_t)(is_i ? map->marker[i / 3] : hidden) + (size_t)(i % 3);
            size_t column = 3 * (size_t)(is_j ? map->marker[j / 3] : hidden) + (size_t)(j % 3);
            a[i * n + j] = low->covariance[row * all + column] * (is_i ? weight[i / 3] : 1) *
                           (is_j ? weight[j / 3] : 1);
        }
}

/* How many components hold their share, and what variance they leave to a coordinate. */
static int count_components(const double *a, int n, const double *value, int count, double *left)
{
    double total = 0, held = 0;
    int used = 0;
    for (int i = 0; i < n; i++)
        total += a[i * (n + 1)];
    while (used < count && value[used] > 1e-9 * total && held < PCA_SHARE * total)
        held += value[used++];
    *left = fmax((total - held) / n, 1e-8);
    return used;
}

bool snw__pca_learn(const snw__low_rank *low, const snw__gap_model *model, snw__pca_map *map)
{
    double a[PCA_SIZE * PCA_SIZE], vector[SNW__COMPONENTS * PCA_SIZE];
    double work[SNW__COMPONENTS * PCA_SIZE], value[SNW__COMPONENTS], weight[SNW__PCA_MARKERS];
    double told[SNW__COMPONENTS * SNW__COMPONENTS], left;
    if (!low->is_in[model->marker]) return false;
    choose_markers(model, low, map, weight);
    if (map->count < 3) return false;
    int seen = 3 * map->count, n = seen + 3, r = n < SNW__COMPONENTS ? n : SNW__COMPONENTS;
    gather_covariance(low, map, model->marker, weight, a);
    if (!snw__principal(a, n, r, value, vector, work)) return false;
    r = count_components(a, n, value, r, &left);
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            told[k * r + l] =
                snw__dot(vector + k * n, vector + l * n, seen) / left + (k == l ? 1 / value[k] : 0);
    if (r < 1 || !snw__invert(told, r)) return false;
    for (int axis = 0; axis < 3; axis++) {
        double mine[SNW__COMPONENTS], score[SNW__COMPONENTS];
        for (int k = 0; k < r; k++)
            mine[k] = vector[k * n + seen + axis];
        for (int k = 0; k < r; k++)
            score[k] = snw__dot(told + k * r, mine, r);
        for (int i = 0; i < seen; i++) {
            double sum = 0;
            for (int k = 0; k < r; k++)
                sum += score[k] * vector[k * n + i];
            map->weight[i][axis] = sum * weight[i / 3] / left;
        }
    }
    return true;
}

snw_vec3 snw__pca_at(const snw__low_rank *low, const snw__pca_map *map, int marker, int frame)
{
    snw_vec3 place = low->mean[marker];
    for (int n = 0; n < map->count; n++) {
        snw_vec3 d = snw__low_rank_deviation(low, frame, map->marker[n]);
        const double(*w)[3] = map->weight + 3 * n;
        place.x += d.x * w[0][0] + d.y * w[1][0] + d.z * w[2][0];
        place.y += d.x * w[0][1] + d.y * w[1][1] + d.z * w[2][1];
        place.z += d.x * w[0][2] + d.y * w[1][2] + d.z * w[2][2];
    }
    return snw_xform_point(low->pose[frame], place);
}

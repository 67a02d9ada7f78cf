/* A hidden marker by the principal components of the markers around it (Gloersen and Federolf 2016,
 * strategy R2).
 *
 * Every gap has its own components, of the nearest markers that are seen all through it, learned
 * from the frames in which they and the hidden one are all measured. Coordinates are deviations
 * from the mean posture in the body's frame (low_rank.c; the paper takes off the mean path alone,
 * which leaves the body's turns to the components), brought to unit variance and multiplied by w =
 * exp(-d^2 / 2 sigma^2), d the mean distance to the hidden marker, which itself counts little. With
 * V the components of all of them, and U those of the same coordinates with the hidden ones set to
 * zero, the row z of a frame in the gap, hidden ones zero, becomes
 *
 *     z U U^T V V^T
 *
 * (equation 1 of Federolf 2013), which is one linear map of what is seen for the whole gap. */
#include <math.h>
#include <string.h>

#include <sinew/dense.h>
#include <sinew/geometry.h>

#include "base/elementary.h"
#include "hidden/hidden_constants.h"
#include "hidden/low_rank.h"
#include "math/kernel.h"
#include "math/robust.h"

enum {
    PCA_SIZE = 3 * SNW__PCA_MARKERS + 3
};

/* [published] Gloersen and Federolf (2016): metres of sigma, the weight of the hidden marker, and
 * the share of the sum of singular values that components hold. */
static const struct {
    double sigma, hidden, share;
} pca_paper = {0.2, 0.02, 0.99};

typedef struct pca_work {
    double weight[SNW__PCA_MARKERS + 1]; /* of each marker, the hidden one last */
    double mean[PCA_SIZE], scale[PCA_SIZE], row[PCA_SIZE];
    double covariance[PCA_SIZE * PCA_SIZE]; /* weighted, of unit variance before */
    double lost[PCA_SIZE * PCA_SIZE];       /* work of the decomposition */
    double whole[PCA_SIZE * PCA_SIZE];      /* components by row */
    double zeroed[PCA_SIZE * PCA_SIZE];     /* of the coordinates without the hidden ones */
    double value[PCA_SIZE];
} pca_work;

size_t snw__pca_work_size(void)
{
    return sizeof(pca_work);
}

/* Axes of the body, about the mean of the chosen markers. */
static snw_xform frame_of(const snw__low_rank *low, const snw__pca_map *map, int frame)
{
    snw_xform pose = {low->pose[frame].rotation, {0, 0, 0}};
    for (int n = 0; n < map->count; n++) {
        snw_vec3 at = low->place[snw__fill_at(low->fill, frame, map->marker[n])];
        pose.translation = snw_vec3_add_scaled(pose.translation, 1.0 / map->count, at);
    }
    return pose;
}

/* The coordinates of a frame, those of the hidden marker last; false where one is not measured. */
static bool load_row(const snw__low_rank *low, const snw__pca_map *map, int hidden, int frame,
                     double *row)
{
    snw_xform pose;
    for (int n = 0; n <= map->count; n++)
        if (!snw__fill_measured(low->fill, frame, n < map->count ? map->marker[n] : hidden))
            return false;
    pose = frame_of(low, map, frame);
    for (int n = 0; n <= map->count; n++) {
        int m = n < map->count ? map->marker[n] : hidden;
        snw_vec3 at = snw_xform_unpoint(pose, low->place[snw__fill_at(low->fill, frame, m)]);
        row[3 * n] = at.x;
        row[3 * n + 1] = at.y;
        row[3 * n + 2] = at.z;
    }
    return true;
}

/* Means, scales and the covariance of what is scaled and weighted. False: too few frames. */
static bool sum_frames(const snw__low_rank *low, const snw__pca_map *map, int hidden,
                       pca_work *work)
{
    int n = 3 * map->count + 3, count = 0, step = low->fill->frame_count / SNW__SAMPLES_LEARN + 1;
    memset(work->mean, 0, sizeof work->mean);
    memset(work->covariance, 0, sizeof work->covariance);
    for (int frame = 0; frame < low->fill->frame_count; frame += step) {
        if (!load_row(low, map, hidden, frame, work->row)) continue;
        for (int i = 0; i < n; i++) {
            work->mean[i] += work->row[i];
            snw__axpy(work->row[i], work->row, work->covariance + i * n, i + 1);
        }
        count++;
    }
    if (count < PCA_FRAMES_EACH * n) return false;
    for (int i = 0; i < n; i++) {
        work->mean[i] /= count;
        for (int j = 0; j <= i; j++)
            work->covariance[i * n + j] =
                work->covariance[i * n + j] / count - work->mean[i] * work->mean[j];
        /* A coordinate that never changes tells nothing. */
        double deviation = sqrt(fmax(work->covariance[i * (n + 1)], 0));
        work->scale[i] = deviation > 1e-9 ? work->weight[i / 3] / deviation : 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            work->covariance[i * n + j] *= work->scale[i] * work->scale[j];
    return true;
}

/* Components by row, of all coordinates or of the first `seen`; how many hold their share, or 0. */
static int find_components(pca_work *work, int n, int seen, double *components)
{
    double total = 0, held = 0;
    int used = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            work->lost[i * n + j] = i < seen ? work->covariance[i * n + j] : 0;
    if (snw_eigen_symmetric(work->lost, n, work->value, components) != SNW_OK) return 0;
    for (int k = 0; k < n; k++)
        total += sqrt(fmax(work->value[k], 0));
    while (used < n && held < pca_paper.share * total)
        held += sqrt(fmax(work->value[used++], 0));
    return used;
}

bool snw__pca_learn(const snw__low_rank *low, const snw__gap_model *model, snw__pca_map *map)
{
    pca_work *work = low->pca;
    if (!low->is_in[model->marker]) return false;
    /* The nearest markers that are there all through the gap, with their weights. */
    map->count = 0;
    for (int m = 0; m < model->fill->marker_count; m++) {
        double d = snw_vec3_distance(low->mean[m], low->mean[model->marker]);
        double w = snw__exp(-d * d / (2 * pca_paper.sigma * pca_paper.sigma));
        if (m == model->marker || !low->is_in[m] || w < PCA_WEIGHT_MIN) continue;
        if (map->count == SNW__PCA_MARKERS && w <= work->weight[map->count - 1]) continue;
        if (!snw__gap_shows(model, m)) continue;
        int place = map->count < SNW__PCA_MARKERS ? map->count++ : map->count - 1;
        for (; place > 0 && work->weight[place - 1] < w; place--) {
            work->weight[place] = work->weight[place - 1];
            map->marker[place] = map->marker[place - 1];
        }
        work->weight[place] = w;
        map->marker[place] = m;
    }
    for (;; map->count--) {
        if (map->count < 3) return false;
        work->weight[map->count] = pca_paper.hidden;
        if (sum_frames(low, map, model->marker, work)) break;
    }
    int seen = 3 * map->count;
    int whole = find_components(work, seen + 3, seen + 3, work->whole);
    int zeroed = find_components(work, seen + 3, seen, work->zeroed);
    if (whole == 0 || zeroed == 0) return false;
    /* The columns of U U^T V V^T that give the hidden coordinates, between coordinates as they are.
     */
    int count = whole > zeroed ? whole : zeroed;
    int n = seen + 3;
    for (int axis = 0; axis < 3; axis++) {
        double sum[PCA_SIZE] = {0}, back[PCA_SIZE] = {0};
        for (int k = 0; k < count; k++)
            snw__axpy(work->whole[k * n + seen + axis], work->whole + k * n, sum, n);
        for (int k = 0; k < count; k++)
            snw__axpy(snw__dot(work->zeroed + k * n, sum, n), work->zeroed + k * n, back, n);
        double hidden = work->scale[seen + axis];
        for (int i = 0; i < seen; i++)
            map->weight[i][axis] = hidden > 0 ? back[i] * work->scale[i] / hidden : 0;
    }
    for (int i = 0; i < seen; i++)
        map->mean[i] = work->mean[i];
    map->place = snw_vec3_make(work->mean[seen], work->mean[seen + 1], work->mean[seen + 2]);
    return true;
}

snw_vec3 snw__pca_at(const snw__low_rank *low, const snw__pca_map *map, int frame)
{
    snw_vec3 place = map->place;
    snw_xform pose = frame_of(low, map, frame);
    for (int n = 0; n < map->count; n++) {
        const double *mean = map->mean + 3 * n;
        snw_vec3 at = low->place[snw__fill_at(low->fill, frame, map->marker[n])];
        snw_vec3 d =
            snw_vec3_sub(snw_xform_unpoint(pose, at), snw_vec3_make(mean[0], mean[1], mean[2]));
        const double(*w)[3] = map->weight + 3 * n;
        place.x += d.x * w[0][0] + d.y * w[1][0] + d.z * w[2][0];
        place.y += d.x * w[0][1] + d.y * w[1][1] + d.z * w[2][1];
        place.z += d.x * w[0][2] + d.y * w[1][2] + d.z * w[2][2];
    }
    return snw_xform_point(pose, place);
}

/* How rigid a group of markers is, and what that is worth.
 *
 * A grouping is a description of the capture: a segment costs a pose in every frame and then
 * explains its markers up to what is left over. Of n seen markers it explains f = 3n - 6
 * coordinates (2: 1, 1: none). With sigma the deviation left over and R that of the coordinates of
 * a pose, describing them through the segment saves f log(R / sigma) a frame (Rissanen 1978,
 * minimum description length; all that is common to every grouping is left out). The best grouping
 * has the largest sum. Two segments of four markers and sigma become one where their union leaves
 * less than R^(1/3) sigma^(2/3): a segment that is stiff stands less than one that is soft, without
 * any threshold. */
#include "segment/segment_group.h"
#include "base/elementary.h"

#include <sinew/geometry.h>

#include "base/memory.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "rigid/sampling.h"
#include "segment/segment_constants.h"

double snw__segment_worth(snw__stiffness stiffness, const snw__segment_scale *scale)
{
    if (!(stiffness.freedom > 0)) return -scale->segment;
    return 0.5 * stiffness.freedom *
               snw__log(scale->pose / fmax(stiffness.variance, scale->finest)) -
           scale->segment;
}

void snw__group_work_lay_out(void *object, snw__block *block)
{
    snw__group_work *room = object;
    size_t n = (size_t)room->samples->marker_count;
    room->shape = snw__block_take(block, n, sizeof(snw_vec3));
    room->to = snw__block_take(block, n, sizeof(snw_vec3));
    room->sum = snw__block_take(block, n, sizeof(snw_vec3));
    room->weight = snw__block_take(block, n, sizeof(double));
    room->is_shaped = snw__block_take(block, n, sizeof(bool));
    room->count = snw__block_take(block, n, sizeof(int));
    room->left = snw__block_take(block, 2 * SNW__SAMPLES_LEARN, sizeof(double));
    room->freedom = snw__block_take(block, 2 * SNW__SAMPLES_LEARN, sizeof(double));
    room->ratio = snw__block_take(block, 2 * SNW__SAMPLES_LEARN, sizeof(double));
}

typedef struct group_members {
    const int *marker;
    int count;
} group_members;

/* ---- the shape ---------------------------------------------------------------------------- */

/* The frame that shows most of the group is its first shape. */
static void start_shape(snw__group_work *room, group_members group)
{
    int best = 0, best_count = -1;
    for (int frame = 0; frame < room->samples->frame_count && best_count < group.count; frame++) {
        const uint8_t *seen = snw__samples_seen(room->samples, frame);
        int count = 0;
        for (int k = 0; k < group.count; k++)
            count += seen[group.marker[k]];
        if (count <= best_count) continue;
        best_count = count;
        best = frame;
    }
    const snw_vec3 *point = snw__samples_points(room->samples, best);
    const uint8_t *seen = snw__samples_seen(room->samples, best);
    for (int k = 0; k < group.count; k++) {
        room->is_shaped[k] = seen[group.marker[k]];
        room->shape[k] = room->is_shaped[k] ? point[group.marker[k]] : snw_vec3_make(0, 0, 0);
    }
}

/* Marks the markers that a frame shows and the shape has; how many. */
static int read_frame(snw__group_work *room, group_members group, int frame)
{
    const snw_vec3 *point = snw__samples_points(room->samples, frame);
    const uint8_t *seen = snw__samples_seen(room->samples, frame);
    int count = 0;
    for (int k = 0; k < group.count; k++) {
        bool is_used = seen[group.marker[k]] && room->is_shaped[k];
        room->to[k] = point[group.marker[k]];
        room->weight[k] = is_used;
        count += is_used;
    }
    return count;
}

/* One round of generalised Procrustes: a marker that the shape lacks joins it here. */
static void average_shape(snw__group_work *room, group_members group, int frame_max)
{
    int frames = room->samples->frame_count, stride = 1 + frames / frame_max;
    for (int k = 0; k < group.count; k++) {
        room->sum[k] = snw_vec3_make(0, 0, 0);
        room->count[k] = 0;
    }
    for (int frame = 0; frame < frames; frame += stride) {
        snw_fit fit;
        if (read_frame(room, group, frame) < 3 ||
            snw_fit_rigid(room->shape, room->to, room->weight, group.count, &fit) != SNW_OK)
            continue;
        const uint8_t *seen = snw__samples_seen(room->samples, frame);
        for (int k = 0; k < group.count; k++) {
            if (!seen[group.marker[k]]) continue;
            snw_vec3 local = snw_xform_unpoint(fit.to_from, room->to[k]);
            room->sum[k] = snw_vec3_add(room->sum[k], local);
            room->count[k]++;
        }
    }
    for (int k = 0; k < group.count; k++) {
        if (room->count[k] == 0) continue;
        room->shape[k] = snw_vec3_scale(room->sum[k], 1.0 / room->count[k]);
        room->is_shaped[k] = true;
    }
}

void snw__group_shape(snw__group_work *room, const int *member, int count)
{
    group_members group = {member, count};
    start_shape(room, group);
    average_shape(room, group, GROUP_SHAPE_FRAMES / 5);
    average_shape(room, group, GROUP_SHAPE_FRAMES);
}

bool snw__group_pose(snw__group_work *room, const int *member, int count, int frame,
                     snw_xform *pose)
{
    group_members group = {member, count};
    snw_fit fit;
    if (read_frame(room, group, frame) < 3 ||
        snw_fit_rigid(room->shape, room->to, room->weight, count, &fit) != SNW_OK)
        return false;
    *pose = fit.to_from;
    return true;
}

int snw__group_frame_count(const snw__samples *samples)
{
    int stride = 1 + samples->frame_count / SNW__SAMPLES_LEARN;
    return (samples->frame_count + stride - 1) / stride;
}

/* ---- what is left over -------------------------------------------------------------------- */

static double square(double x)
{
    return x * x;
}

/* Sum of the squares that the best rotation and translation leave over, without the rotation
 * itself: sum |x|^2 + sum |y|^2 - 2 lambda with the largest eigenvalue of Horn's matrix, which is a
 * root of x^4 - 2 |S|^2 x^2 - 8 det S x + |S|^4 - 4 |cof S|^2, S = sum x y^T (Theobald, "Rapid
 * calculation of RMSDs using a quaternion-based characteristic polynomial", Acta Cryst. A61,
 * 2005). */
static double squares_left(const snw__group_work *room, int member_count, int seen)
{
    snw_vec3 from = {0, 0, 0}, to = {0, 0, 0};
    for (int k = 0; k < member_count; k++) {
        from = snw_vec3_add_scaled(from, room->weight[k] / seen, room->shape[k]);
        to = snw_vec3_add_scaled(to, room->weight[k] / seen, room->to[k]);
    }
    double s[3][3] = {{0}}, size = 0;
    for (int k = 0; k < member_count; k++) {
        if (room->weight[k] == 0) continue;
        snw_vec3 x = snw_vec3_sub(room->shape[k], from), y = snw_vec3_sub(room->to[k], to);
        double a[3] = {x.x, x.y, x.z};
        size += snw_vec3_length2(x) + snw_vec3_length2(y);
        for (int r = 0; r < 3; r++) {
            s[r][0] += a[r] * y.x;
            s[r][1] += a[r] * y.y;
            s[r][2] += a[r] * y.z;
        }
    }
    double norm2 = 0, cofactor2 = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            norm2 += square(s[r][c]);
            cofactor2 += square(s[r1][c1] * s[r2][c2] - s[r1][c2] * s[r2][c1]);
        }
    double determinant = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) -
                         s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
                         s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
    /* The largest root of x^4 + c2 x^2 + c1 x + c0, all of whose roots are real, from above. */
    double start = 0.5 * size;
    double c2 = -2 * norm2;
    double c1 = -8 * determinant;
    double c0 = square(norm2) - 4 * cofactor2;
    double lambda = start;
    /* Newton steps; five are enough but for markers in a line, where each step halves the error. */
    for (int k = 0; k < SNW__ROUNDS_MAX; k++) {
        double value = ((lambda * lambda + c2) * lambda + c1) * lambda + c0;
        double slope = (4 * lambda * lambda + 2 * c2) * lambda + c1;
        if (!(slope > 0)) break;
        double step = value / slope;
        lambda -= step;
        if (!(fabs(step) > 1e-14 * start)) break;
    }
    return fmax(size - 2 * lambda, 0);
}

/* Squares and freedom over the frames, but for a few wild ones. */
static snw__stiffness pool_frames(snw__group_work *room, int fit_count, int frame_count)
{
    snw__stiffness stiffness = {HUGE_VAL, 0};
    /* Frames that must be left for an answer. */
    if (fit_count < SNW__SAMPLES_MEDIAN) return stiffness;
    for (int k = 0; k < fit_count; k++)
        room->ratio[k] = room->left[k] / room->freedom[k];
    double median = snw__median(room->ratio, fit_count); /* and sorts */
    /* Share of the frames that may be left out as wild, and how many times the median they leave
     * over. Noise alone reaches 16 times in less than one of a thousand. */
    double limit = fmax((RIGIDITY_SIGMAS * RIGIDITY_SIGMAS) * median,
                        room->ratio[(int)((1 - SNW__STRAY_SHARE) * fit_count)]);
    double left = 0, freedom = 0;
    for (int k = 0; k < fit_count; k++) {
        if (room->left[k] > limit * room->freedom[k]) continue;
        left += room->left[k];
        freedom += room->freedom[k];
    }
    stiffness.variance = left / freedom;
    stiffness.freedom = freedom / frame_count;
    return stiffness;
}

/* Two markers are as rigid as their distance; so are more, for want of frames that show three. */
static snw__stiffness distance_stiffness(const snw__group_work *room, group_members group)
{
    const snw__distances *distances = room->distances;
    int n = distances->marker_count;
    snw__stiffness stiffness = {0, 0};
    for (int a = 0; a < group.count; a++)
        for (int b = 0; b < a; b++) {
            int pair = group.marker[a] * n + group.marker[b];
            if (!(distances->slow[pair] < HUGE_VAL)) continue;
            stiffness.variance += distances->share[pair] * 0.5 * distances->total[pair];
            stiffness.freedom += distances->share[pair];
        }
    if (stiffness.freedom > 0)
        stiffness.variance /= stiffness.freedom;
    else
        stiffness.variance = HUGE_VAL;
    return stiffness;
}

snw__stiffness snw__group_stiffness(snw__group_work *room, const int *member, int count)
{
    group_members group = {member, count};
    snw__stiffness stiffness = {HUGE_VAL, 0};
    if (count > 2) {
        int frames = room->samples->frame_count, stride = 1 + frames / SNW__SAMPLES_LEARN;
        int fit_count = 0;
        room->sample_count += (double)group.count * snw__group_frame_count(room->samples);
        snw__group_shape(room, group.marker, group.count);
        for (int frame = 0; frame < frames; frame += stride) {
            int seen = read_frame(room, group, frame);
            if (seen < 3) continue;
            room->left[fit_count] = squares_left(room, group.count, seen);
            room->freedom[fit_count++] = snw__segment_freedom(seen);
        }
        stiffness = pool_frames(room, fit_count, snw__group_frame_count(room->samples));
    }
    if (!(stiffness.freedom > 0)) stiffness = distance_stiffness(room, group);
    /* Markers far apart are less likely on one segment: (distance / reach)^4 of a pose's variance.
     */
    int n = room->distances->marker_count;
    double sum = 0, weight = 0;
    for (int a = 0; a < group.count; a++)
        for (int b = 0; b < a; b++) {
            int pair = group.marker[a] * n + group.marker[b];
            double share = room->distances->share[pair];
            sum += share * snw__far_share(room->distances->length[pair], room->scale->reach);
            weight += share;
        }
    stiffness.variance += weight > 0 ? room->scale->pose * sum / weight : 0;
    return stiffness;
}

/* The reference shape of every segment and its pose in every frame.
 *
 * Generalised Procrustes (Gower 1975) with gaps: start from the frame that shows most markers, fit
 * the shape to every frame (Horn 1987), carry the seen markers back into the segment's frame,
 * average, repeat. A marker that the first frame does not show joins as soon as a fit has seen it.
 *
 * With isotropic noise s on every coordinate, the fit's rotation error has the covariance s^2 K^-1,
 * K = sum (|x|^2 I - x x^T) over the seen markers about their centre, and its translation s^2 / n:
 * that is kept beside each pose for the joint centres. */
#include <sinew/rigid.h>
#include <string.h>

#include <sinew/geometry.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "rigid/rigid_constants.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* ---- one frame ---------------------------------------------------------------------------- */

/* Points of the segment that are both seen and shaped; weights are 1 or 0. */
typedef struct rigid_work {
    size_t largest; /* markers of the segment that has most */
    snw_vec3 *to;   /* (largest) */
    double *weight; /* (largest) */
    bool *is_shaped;
    snw_vec3 *sum;
    int *count;
    /* Frames that shape the segment: noise / sqrt(600) is below anything a calibration can see. */
    double *residual; /* (2 SNW__SAMPLES_SHAPE) */
} rigid_work;

void snw__segment_pose_spread(snw__segment_pose *pose, const snw_vec3 *shape, const double *weight,
                              int count)
{
    snw_vec3 center = {0, 0, 0};
    for (int m = 0; m < count; m++)
        center = snw_vec3_add_scaled(center, weight[m] / pose->seen_count, shape[m]);
    double inertia[6] = {0, 0, 0, 0, 0, 0};
    for (int m = 0; m < count; m++) {
        if (weight[m] == 0) continue;
        snw_vec3 x = snw_vec3_sub(shape[m], center);
        inertia[0] += x.y * x.y + x.z * x.z;
        inertia[1] -= x.x * x.y;
        inertia[2] -= x.x * x.z;
        inertia[3] += x.x * x.x + x.z * x.z;
        inertia[4] -= x.y * x.z;
        inertia[5] += x.x * x.x + x.y * x.y;
    }
    pose->center = center;
    /* A line has no inertia about itself: a turn about it counts as unknown, not as impossible. */
    double width2 = RIGID_WIDTH_MIN * RIGID_WIDTH_MIN;
    inertia[0] += width2;
    inertia[3] += width2;
    inertia[5] += width2;
    if (!snw__symmetric3_invert(inertia, pose->inertia_inverse)) pose->seen_count = 0;
}

static bool fit_frame(const snw__rigid *rigid, const snw__samples *samples, int frame,
                      const rigid_work *work, snw__segment_pose *pose)
{
    const snw_vec3 *point = snw__samples_points(samples, frame);
    const uint8_t *seen = snw__samples_seen(samples, frame);
    int count = 0;
    for (int m = 0; m < rigid->marker_count; m++) {
        bool is_used = seen[rigid->marker[m]] && work->is_shaped[m];
        work->to[m] = point[rigid->marker[m]];
        work->weight[m] = is_used;
        count += is_used;
    }
    snw_fit fit;
    pose->seen_count = 0;
    /* A fit whose rotation is this badly determined (relative gap of eigenvalues) is no pose: a
     * width of about a tenth of the length. */
    if (count < 3 ||
        snw_fit_rigid(rigid->shape, work->to, work->weight, rigid->marker_count, &fit) != SNW_OK ||
        fit.kind != SNW_FIT_UNIQUE || fit.separation < SNW__SEPARATION_MIN)
        return false;
    pose->world_from_segment = fit.to_from;
    pose->residual = fit.rms;
    pose->seen_count = count;
    return true;
}

/* ---- the shape ---------------------------------------------------------------------------- */

static void center_shape(snw__rigid *rigid, const bool *is_shaped)
{
    snw_vec3 mean = {0, 0, 0};
    int count = 0;
    for (int m = 0; m < rigid->marker_count; m++)
        if (is_shaped[m]) mean = snw_vec3_lerp(mean, rigid->shape[m], 1.0 / ++count);
    for (int m = 0; m < rigid->marker_count; m++)
        if (is_shaped[m]) rigid->shape[m] = snw_vec3_sub(rigid->shape[m], mean);
}

/* What an ordinary frame leaves over; frames far above it hold swapped or wild markers. */
static double median_residual(const snw__rigid *rigid, const snw__samples *samples, int stride,
                              const rigid_work *work)
{
    int count = 0;
    for (int frame = 0; frame < samples->frame_count; frame += stride) {
        snw__segment_pose pose;
        if (fit_frame(rigid, samples, frame, work, &pose)) work->residual[count++] = pose.residual;
    }
    return snw__median(work->residual, count);
}

static void average_shape(snw__rigid *rigid, const snw__samples *samples, const rigid_work *work)
{
    memset(work->sum, 0, (size_t)rigid->marker_count * sizeof *work->sum);
    memset(work->count, 0, (size_t)rigid->marker_count * sizeof *work->count);
    int stride = 1 + samples->frame_count / SNW__SAMPLES_SHAPE;
    /* A residual this many times the noise is no noise. */
    double limit = fmax(SNW__OUTLIER * median_residual(rigid, samples, stride, work), 1e-5);
    for (int frame = 0; frame < samples->frame_count; frame += stride) {
        snw__segment_pose pose;
        if (!fit_frame(rigid, samples, frame, work, &pose) || pose.residual > limit) continue;
        const uint8_t *seen = snw__samples_seen(samples, frame);
        for (int m = 0; m < rigid->marker_count; m++) {
            if (!seen[rigid->marker[m]]) continue;
            snw_vec3 local = snw_xform_unpoint(pose.world_from_segment, work->to[m]);
            work->sum[m] = snw_vec3_add(work->sum[m], local);
            work->count[m]++;
        }
    }
    for (int m = 0; m < rigid->marker_count; m++) {
        if (work->count[m] == 0) continue;
        rigid->shape[m] = snw_vec3_scale(work->sum[m], 1.0 / work->count[m]);
        work->is_shaped[m] = true;
    }
    center_shape(rigid, work->is_shaped);
}

/* Noise from the residuals of frames no worse than `limit`: a frame with n markers leaves 3n - 6
 * numbers free. */
static double noise_within(const snw__rigid *rigid, int frame_count, double limit)
{
    double sum = 0;
    int freedom = 0;
    for (int frame = 0; frame < frame_count; frame++) {
        const snw__segment_pose *pose = rigid->pose + frame;
        if (pose->seen_count == 0 || pose->residual > limit) continue;
        sum += pose->residual * pose->residual * pose->seen_count;
        freedom += 3 * pose->seen_count - 6;
    }
    /* Smallest standard deviation believed, metres: simulated markers without noise, rounded to
     * float millimetres. */
    return fmax(freedom > 0 ? sqrt(sum / freedom) : 0, SNW__SINGLE);
}

/* Standard deviation of the pose's rotation, radians. */
static double turn_noise(const snw__rigid *rigid, const snw__segment_pose *pose)
{
    const double *k = pose->inertia_inverse;
    return rigid->noise * sqrt(k[0] + k[3] + k[5]);
}

/* Wild frames, and frames in which the seen markers lie so nearly in a line that the rotation is a
 * guess although other frames show better. */
static void drop_poor_poses(snw__rigid *rigid, int frame_count)
{
    double best = HUGE_VAL;
    for (int frame = 0; frame < frame_count; frame++) {
        const snw__segment_pose *pose = rigid->pose + frame;
        if (pose->seen_count > 0) best = fmin(best, turn_noise(rigid, pose));
    }
    double limit = fmax(SNW__TURN_LEAST, 2 * best);
    rigid->posed_count = 0;
    for (int frame = 0; frame < frame_count; frame++) {
        snw__segment_pose *pose = rigid->pose + frame;
        if (pose->seen_count == 0) continue;
        if (pose->residual > SNW__OUTLIER * rigid->noise || turn_noise(rigid, pose) > limit)
            pose->seen_count = 0;
        rigid->posed_count += pose->seen_count > 0;
    }
}

/* Poses in all frames. Frames far worse than the rest hold swapped or wild markers: they neither
 * count as noise nor as poses. */
static void find_poses(snw__rigid *rigid, const snw__samples *samples, const rigid_work *work)
{
    for (int frame = 0; frame < samples->frame_count; frame++) {
        snw__segment_pose *pose = rigid->pose + frame;
        if (fit_frame(rigid, samples, frame, work, pose))
            snw__segment_pose_spread(pose, rigid->shape, work->weight, rigid->marker_count);
    }
    int stride = 1 + samples->frame_count / SNW__SAMPLES_SHAPE;
    double usual = median_residual(rigid, samples, stride, work);
    rigid->noise = noise_within(rigid, samples->frame_count, SNW__OUTLIER * usual);
    drop_poor_poses(rigid, samples->frame_count);
}

/* ---- all segments ---------------------------------------------------------------------------- */

typedef struct rigids_sketch {
    snw__rigids rigids;
    const snw__marker_group *group; /* (segment_count) */
    size_t frame_count;
} rigids_sketch;

static void lay_out(void *object, snw__block *block)
{
    rigids_sketch *sketch = object;
    snw__rigids *rigids = &sketch->rigids;
    const snw__marker_group *group = sketch->group;
    snw__block_take(block, 1, sizeof *rigids);
    rigids->segment = snw__block_take(block, (size_t)rigids->segment_count, sizeof(snw__rigid));
    for (int l = 0; l < rigids->segment_count; l++) {
        size_t markers = (size_t)group[l].marker_count;
        int *marker = snw__block_take(block, markers, sizeof(int));
        snw_vec3 *shape = snw__block_take(block, markers, sizeof(snw_vec3));
        snw__segment_pose *pose = snw__block_take(block, sketch->frame_count, sizeof *pose);
        if (!pose) continue;
        memcpy(marker, group[l].marker, markers * sizeof *marker);
        rigids->segment[l].own_count = group[l].own_count;
        rigids->segment[l].marker_count = group[l].marker_count;
        rigids->segment[l].marker = marker;
        rigids->segment[l].shape = shape;
        rigids->segment[l].pose = pose;
    }
}

static void lay_out_work(void *object, snw__block *block)
{
    rigid_work *work = object;
    work->to = snw__block_take(block, work->largest, sizeof(snw_vec3));
    work->weight = snw__block_take(block, work->largest, sizeof(double));
    work->is_shaped = snw__block_take(block, work->largest, sizeof(bool));
    work->sum = snw__block_take(block, work->largest, sizeof(snw_vec3));
    work->count = snw__block_take(block, work->largest, sizeof(int));
    work->residual = snw__block_take(block, 2 * SNW__SAMPLES_SHAPE, sizeof(double));
}

static snw_status fill(snw__rigids *rigids, const snw__samples *samples, snw_error *error)
{
    int largest = 0;
    for (int l = 0; l < rigids->segment_count; l++)
        if (rigids->segment[l].marker_count > largest) largest = rigids->segment[l].marker_count;
    rigid_work work = {.largest = (size_t)largest};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_work, &work, &rigids->allocator,
                                          "fitting rigid segments", error);
    if (status != SNW_OK) return status;
    for (int l = 0; l < rigids->segment_count; l++) {
        snw__rigid *rigid = rigids->segment + l;
        /* The frame that shows most of the segment. */
        int start = 0, best_count = -1;
        for (int frame = 0; frame < samples->frame_count && best_count < rigid->marker_count;
             frame++) {
            const uint8_t *seen = snw__samples_seen(samples, frame);
            int count = 0;
            for (int m = 0; m < rigid->marker_count; m++)
                count += seen[rigid->marker[m]];
            if (count > best_count) {
                start = frame;
                best_count = count;
            }
        }
        const snw_vec3 *point = snw__samples_points(samples, start);
        const uint8_t *seen = snw__samples_seen(samples, start);
        for (int m = 0; m < rigid->marker_count; m++) {
            work.is_shaped[m] = seen[rigid->marker[m]];
            rigid->shape[m] = work.is_shaped[m] ? point[rigid->marker[m]] : snw_vec3_make(0, 0, 0);
        }
        center_shape(rigid, work.is_shaped);
        for (int round = 0; round < RIGID_ROUNDS && rigid->marker_count >= 3; round++)
            average_shape(rigid, samples, &work);
        find_poses(rigids->segment + l, samples, &work);
    }
    snw__block_release(&rigids->allocator, &block);
    return SNW_OK;
}

snw_status snw__rigids_create(const snw__samples *samples, const snw__marker_group *group,
                              int count, const snw_allocator *allocator, snw__rigids **out,
                              snw_error *error)
{
    *out = NULL;
    rigids_sketch sketch = {.group = group, .frame_count = (size_t)samples->frame_count};
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    sketch.rigids.segment_count = count;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &memory, "poses of segments", error);
    if (status != SNW_OK) return status;
    sketch.rigids.allocator = memory;
    sketch.rigids.block_size = block.size;
    snw__rigids *rigids = (void *)block.base;
    *rigids = sketch.rigids;
    status = fill(rigids, samples, error);
    if (status != SNW_OK) {
        snw__rigids_destroy(rigids);
        return status;
    }
    *out = rigids;
    return SNW_OK;
}

void snw__rigids_destroy(snw__rigids *rigids)
{
    if (!rigids) return;
    snw_allocator allocator = rigids->allocator;
    snw__release(&allocator, rigids, rigids->block_size);
}

/* ---- frames from few markers ----------------------------------------------------------- */

/* A rigid frame from three points (Knight 2.2; the printed cross products lack the subtraction of
 * the origin that his program makes). */

bool snw_frame_from_points(snw_vec3 origin, snw_vec3 on_x, snw_vec3 in_plane, snw_xform *frame)
{
    snw_vec3 along = snw_vec3_sub(on_x, origin), across = snw_vec3_sub(in_plane, origin);
    double along_length = snw_vec3_length(along), across_length = snw_vec3_length(across);
    double scale = fmax(along_length, across_length);
    /* NaN and infinity fail the comparisons.
     * Relative size below which points coincide or lie on a line. */
    if (!(along_length > SNW__SAME * scale) || !isfinite(scale)) return false;
    snw_vec3 x = snw_vec3_scale(along, 1 / along_length);
    snw_vec3 normal = snw_vec3_cross(across, x);
    double sine_length = snw_vec3_length(normal);
    if (!(sine_length > SNW__SAME * scale)) return false;
    snw_vec3 z = snw_vec3_scale(normal, 1 / sine_length);
    snw_vec3 y = snw_vec3_cross(z, x);
    *frame = snw_xform_make(snw_quat_from_mat3(snw_mat3_from_columns(x, y, z)), origin);
    return true;
}

snw_mat3 snw_segment_rotation_covariance(const snw_vec3 *shape, int count, double sigma)
{
    snw_vec3 mean = {0, 0, 0};
    for (int i = 0; i < count; i++)
        mean = snw_vec3_add_scaled(mean, 1.0 / count, shape[i]);
    snw_mat3 scatter;
    memset(&scatter, 0, sizeof scatter);
    for (int i = 0; i < count; i++)
        snw__add_outer(&scatter, 1, snw_vec3_sub(shape[i], mean));
    snw__spectrum3 spectrum = snw__spectrum3_of(scatter);
    snw_mat3 covariance;
    memset(&covariance, 0, sizeof covariance);
    double total = spectrum.value[0] + spectrum.value[1] + spectrum.value[2];
    for (int i = 0; i < 3; i++) {
        double information = total - spectrum.value[i];
        double variance = SNW_PI * SNW_PI;
        if (information > 1e-9 * total) variance = fmin(variance, sigma * sigma / information);
        snw__add_outer(&covariance, variance, spectrum.vector[i]);
    }
    return covariance;
}

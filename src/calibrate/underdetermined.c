/* Joints and poses of segments with one or two markers (or more in a line).
 *
 * Such a segment has no rotation of its own, but a joint keeps its markers on spheres about the
 * centre in the parent's frame (center_sphere.c, with the bias taken out: Halvorsen 2003). With the
 * centre known, centre and two markers make a frame (Knight 2.2, requirement 2); with one marker
 * the direction is known and the twist follows the parent. */
#include "calibrate/underdetermined.h"

#include <string.h>

#include <sinew/center.h>
#include <sinew/geometry.h>

#include "calibrate/calibrate_constants.h"
#include "person/movement.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

static int used_markers(const snw__rigid *under)
{
    return under->marker_count < SNW__UNDERDETERMINED_MARKERS ? under->marker_count
                                                              : SNW__UNDERDETERMINED_MARKERS;
}

static int gather(const snw__samples *samples, const snw__rigid *under, const snw__rigid *parent,
                  const snw__underdetermined_work *work)
{
    int count = 0, per = used_markers(under);
    int stride = 1 + samples->frame_count / work->sample_max;
    for (int frame = 0; frame < samples->frame_count; frame += stride) {
        const snw_vec3 *point = snw__samples_points(samples, frame);
        const uint8_t *seen = snw__samples_seen(samples, frame);
        if (parent->pose[frame].seen_count == 0) continue;
        for (int m = 0; m < per; m++)
            work->marker[count * per + m] =
                seen[under->marker[m]] ? snw_xform_unpoint(parent->pose[frame].world_from_segment,
                                                           point[under->marker[m]])
                                       : snw_vec3_make(NAN, NAN, NAN);
        count++;
    }
    return count;
}

/* Mean radius of each marker about the centre, and how far radii vary (rms over all). */
typedef struct under_spheres {
    double radius[SNW__UNDERDETERMINED_MARKERS];
    snw_vec3 mean[SNW__UNDERDETERMINED_MARKERS];
    int count[SNW__UNDERDETERMINED_MARKERS];
    double variation;
    int samples;
} under_spheres;

static void measure(const snw_vec3 *marker, int frames, int per, snw_vec3 center,
                    under_spheres *out)
{
    double sum2 = 0;
    memset(out, 0, sizeof *out);
    for (int n = 0; n < frames * per; n++) {
        if (!snw_vec3_is_finite(marker[n])) continue;
        int m = n % per, count = ++out->count[m];
        double radius = snw_vec3_distance(marker[n], center), off = radius - out->radius[m];
        out->radius[m] += off / count; /* Welford's running mean and square sum */
        sum2 += off * (radius - out->radius[m]);
        out->mean[m] = snw_vec3_lerp(out->mean[m], marker[n], 1.0 / count);
        out->samples++;
    }
    out->variation = out->samples ? sqrt(sum2 / out->samples) : HUGE_VAL;
}

static double spheres_cost(const under_spheres *spheres, int per)
{
    double longest = 0;
    for (int m = 0; m < per; m++)
        longest = fmax(longest, spheres->radius[m]);
    if (longest > SNW__BONE_MAX) return HUGE_VAL;
    /* What a metre of radius costs against a metre of residual: of two segments that explain a
     * marker equally well, the nearer one. */
    return spheres->variation + SNW__DISTANCE_COST * longest;
}

double snw__underdetermined_candidate(const snw__samples *samples, const snw__rigid *under,
                                      const snw__rigid *parent,
                                      const snw__underdetermined_work *work,
                                      snw__segment_pair *pair)
{
    int per = used_markers(under), frames = gather(samples, under, parent, work);
    under_spheres spheres;
    memset(pair, 0, sizeof *pair);
    pair->axes = snw_mat3_identity();
    pair->frame_count = frames;
    measure(work->marker, frames, per, snw_vec3_make(0, 0, 0), &spheres);
    if (spheres.samples < 4) return HUGE_VAL;
    snw_vec3 middle = spheres.mean[spheres.count[0] > 0 ? 0 : per - 1];
    /* The parent's nearest marker. */
    snw_vec3 nearest = parent->shape[0];
    for (int m = 1; m < parent->marker_count; m++)
        if (snw_vec3_distance(parent->shape[m], middle) < snw_vec3_distance(nearest, middle))
            nearest = parent->shape[m];
    /* Metres from a single marker to the nearest one of the segment it hangs from. No bone of a
     * person is 0.65 m long: a marker beyond it is on a chair or a table. */
    if (per == 1 && snw_vec3_distance(nearest, middle) > SNW__BONE_MAX) return HUGE_VAL;
    snw_center_data data;
    memset(&data, 0, sizeof data);
    data.frame_count = frames;
    data.marker_count = per;
    data.marker = work->marker;
    snw_center center;
    double best = HUGE_VAL;
    /* Metres. One deviation of a centre that no sphere tells: half the breadth of a segment. */
    pair->deviation[0] = pair->deviation[1] = pair->deviation[2] = PLACEMENT_HALF;
    if (snw_center_solve(&data, SNW_CENTER_HALVORSEN, NULL, &center, NULL) == SNW_OK &&
        snw_vec3_is_finite(center.in_parent)) {
        pair->in_first = center.in_parent;
        pair->range = center.range[0];
        pair->deviation[0] = pair->deviation[1] = center.sigma;
        measure(work->marker, frames, per, pair->in_first, &spheres);
        best = spheres_cost(&spheres, per);
    }
    /* A marker that hardly moves in the parent's frame: the joint lies halfway to its nearest. */
    snw_vec3 between = snw_vec3_lerp(nearest, middle, 0.5);
    under_spheres other;
    measure(work->marker, frames, per, between, &other);
    double cost = spheres_cost(&other, per);
    if (!(best < HUGE_VAL) || cost < best) {
        pair->in_first = between;
        spheres = other;
        best = cost;
    }
    pair->residual = spheres.variation;
    pair->chi = 1;
    return best;
}

/* ---- poses -------------------------------------------------------------------------------- */

/* Centre first, then the markers. */
#define UNDERDETERMINED_POINTS (SNW__UNDERDETERMINED_MARKERS + 1)

typedef struct under_frame {
    snw_vec3 point[UNDERDETERMINED_POINTS];
    double weight[UNDERDETERMINED_POINTS];
    int count; /* markers seen */
} under_frame;

static bool look(const snw__samples *samples, const snw__rigid *under, const snw__rigid *parent,
                 int frame, snw_vec3 center, under_frame *out)
{
    const snw__segment_pose *up = parent->pose + frame;
    const uint8_t *seen = snw__samples_seen(samples, frame);
    out->count = 0;
    if (up->seen_count == 0) return false;
    out->point[0] = snw_xform_point(up->world_from_segment, center);
    out->weight[0] = 1;
    for (int m = 0; m < used_markers(under); m++) {
        out->weight[m + 1] = seen[under->marker[m]];
        out->point[m + 1] = snw__samples_points(samples, frame)[under->marker[m]];
        out->count += seen[under->marker[m]];
    }
    return out->count > 0;
}

/* World from segment: the shape laid on the points; with one marker, from the parent's rotation. */
static bool lay(const snw_vec3 *shape, int points, const under_frame *at, snw_quat parent_rotation,
                snw_xform *world_from_segment)
{
    snw_vec3 turned[UNDERDETERMINED_POINTS];
    for (int n = 0; n < points; n++)
        turned[n] = snw_quat_rotate(parent_rotation, shape[n]);
    snw_fit fit;
    if (snw_fit_rigid(turned, at->point, at->weight, points, &fit) != SNW_OK) return false;
    world_from_segment->rotation = snw_quat_mul(fit.to_from.rotation, parent_rotation);
    world_from_segment->translation = fit.to_from.translation;
    return true;
}

/* Centre and markers in the segment's frame: the first full frame, then the mean over all. */
static void find_shape(const snw__samples *samples, const snw__rigid *under,
                       const snw__rigid *parent, snw_vec3 center,
                       snw_vec3 shape[UNDERDETERMINED_POINTS])
{
    int points = used_markers(under) + 1;
    bool has_start = false;
    snw_vec3 sum[UNDERDETERMINED_POINTS];
    int count = 0;
    memset(sum, 0, sizeof sum);
    for (int pass = 0; pass < 2; pass++)
        for (int frame = 0; frame < samples->frame_count; frame++) {
            under_frame at;
            if (!look(samples, under, parent, frame, center, &at) || at.count + 1 < points)
                continue;
            const snw_xform *up = &parent->pose[frame].world_from_segment;
            snw_xform here = *up;
            if (pass == 0 && has_start) break;
            if (pass == 1 && !lay(shape, points, &at, up->rotation, &here)) continue;
            count += pass;
            has_start = true;
            for (int n = 0; n < points; n++) {
                snw_vec3 local = snw_xform_unpoint(here, at.point[n]);
                if (pass == 0)
                    shape[n] = local;
                else
                    sum[n] = snw_vec3_add(sum[n], local);
            }
        }
    for (int n = 0; n < points && count > 0; n++)
        shape[n] = snw_vec3_scale(sum[n], 1.0 / count);
}

void snw__underdetermined_join(const snw__samples *samples, snw__rigid *under,
                               const snw__rigid *parent, snw__segment_pair *pair)
{
    snw_vec3 shape[UNDERDETERMINED_POINTS];
    int points = used_markers(under) + 1;
    memset(shape, 0, sizeof shape);
    find_shape(samples, under, parent, pair->in_first, shape);
    under->noise = fmax(under->noise, fmax(parent->noise, pair->residual));
    under->posed_count = 0;
    for (int m = 0; m + 1 < points; m++)
        under->shape[m] = shape[m + 1];
    for (int frame = 0; frame < samples->frame_count; frame++) {
        snw__segment_pose *pose = under->pose + frame;
        under_frame at;
        pose->seen_count = 0;
        if (!look(samples, under, parent, frame, pair->in_first, &at) ||
            !lay(shape, points, &at, parent->pose[frame].world_from_segment.rotation,
                 &pose->world_from_segment))
            continue;
        pose->seen_count = at.count + 1;
        snw__segment_pose_spread(pose, shape, at.weight, points);
        under->posed_count += pose->seen_count > 0;
    }
    pair->in_second = shape[0];
}

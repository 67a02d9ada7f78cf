/* What the cameras of a synthetic capture report, and what goes wrong with it: noise of the
 * pictures, markers that touch and are one blob, markers that nobody reports, blobs that are none,
 * clocks that are off, a camera that was knocked after the calibration.
 *
 * A picture is made by a function of camera and frame alone, called twice: to count, and to keep.
 */
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "synth/capture.h"

/* One blob, or one joint of the person. */
typedef struct view_spot {
    double pixel[2];
    double radius; /* pixels */
    int marker, merged;
} view_spot;

typedef struct view_work {
    const snw_synth *synth;
    const snw_trial *points; /* markers or joints */
    const snw_synth_view_options *options;
    snw_synth_views *made;
    view_spot *spot; /* (points and false ones) of the picture at hand */
} view_work;

snw_synth_view_options snw_synth_view_options_default(void)
{
    snw_synth_view_options options = {0};
    options.width = 2048;
    options.noise = SNW_SYNTH_PIXEL_NOISE;
    options.marker_radius = 0.007;
    options.knocked = -1;
    options.seed = 1;
    return options;
}

void snw_synth_views_destroy(snw_synth_views *views)
{
    if (!views) return;
    snw_allocator memory = views->allocator;
    snw_views_destroy(views->views);
    snw_cameras_destroy(views->calibration);
    snw_cameras_destroy(views->cameras);
    snw__release(&memory, views->marker, views->block_size);
    snw__release(&memory, views, sizeof *views);
}

/* ---- cameras ------------------------------------------------------------------------------ */

static void set_camera(const view_work *work, int c)
{
    const snw_synth_view_options *options = work->options;
    const snw_synth_camera *from = work->synth->camera + c;
    snw_camera *camera = work->made->calibration->camera + c;
    snw_random random = snw__synth_random(options->seed, SNW__PURPOSE_VIEW, c, -1);
    snw_format(camera->name, sizeof camera->name, "cam%d", c + 1);
    camera->width = camera->height = options->width;
    camera->focal_x = camera->focal_y = 0.5 * options->width / snw__tan(0.5 * from->field_of_view);
    camera->center_x = camera->center_y = 0.5 * options->width;
    camera->distortion[0] = options->bend;
    camera->camera_from_world = snw_xform_inverse(from->world_from_camera);
    work->made->cameras->camera[c] = *camera;
    double late = snw_random_range(&random, -options->delay, options->delay);
    double drift = snw_random_range(&random, -options->drift, options->drift);
    snw_vec3 axis = snw_random_direction(&random);
    work->made->delay[c] = c ? late / work->points->rate : 0;
    work->made->drift[c] = c ? drift : 0;
    if (c != options->knocked) return;
    snw_xform *now = &work->made->cameras->camera[c].camera_from_world;
    snw_xform knock =
        snw_xform_make(snw_quat_from_axis_angle(axis, options->knock), snw_vec3_make(0, 0, 0));
    *now = snw_xform_mul(knock, *now);
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* Where a point is at a time in frames, by Catmull and Rom (1974). */
static snw_vec3 point_at(const snw_trial *points, int p, double time)
{
    double last = points->frame_count - 1, at = snw_clamp(time, 0, last);
    int f = (int)at;
    double t = at - f;
    snw_vec3 knot[4];
    if (t == 0) return snw_trial_position(points, f, p);
    for (int k = 0; k < 4; k++)
        knot[k] = snw_trial_position(points, (int)snw_clamp(f - 1 + k, 0, last), p);
    const double part[4] = {0.5 * t * (t * (2 - t) - 1), 0.5 * (t * t * (3 * t - 5) + 2),
                            0.5 * t * (t * (4 - 3 * t) + 1), 0.5 * t * t * (t - 1)};
    snw_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        sum = snw_vec3_add_scaled(sum, part[k], knot[k]);
    return sum;
}

static bool see(const view_work *work, int c, int frame, int p, view_spot *out)
{
    const snw_camera *camera = work->made->cameras->camera + c;
    const snw_synth_view_options *options = work->options;
    snw_random random =
        snw__synth_random(options->seed, SNW__PURPOSE_VIEW, p * SNW_SYNTH_CAMERA_MAX + c, frame);
    double time = frame * (1 + work->made->drift[c]) + work->made->delay[c] * work->points->rate;
    int nearest = (int)snw_clamp(time + 0.5, 0, work->points->frame_count - 1);
    size_t sample = (size_t)nearest * (size_t)work->points->marker_count + (size_t)p;
    snw_vec3 where = point_at(work->points, p, time);
    bool is_kept = snw_random_unit(&random) >= options->lost_share;
    if (!options->of_joints && !(work->synth->seen[sample] >> c & 1)) return false;
    if (!is_kept || !snw_camera_project(camera, where, out->pixel)) return false;
    double depth = snw_xform_point(camera->camera_from_world, where).z;
    for (int k = 0; k < 2; k++) {
        out->pixel[k] += options->noise * snw_random_normal(&random);
        if (!(out->pixel[k] >= 0 && out->pixel[k] <= options->width)) return false;
    }
    out->radius = options->marker_radius * camera->focal_x / depth;
    out->marker = p;
    out->merged = -1;
    return true;
}

/* Blobs that touch are one, in their middle. */
static int merge(view_spot *spot, int count)
{
    for (int a = 0; a < count; a++)
        for (int b = count - 1; b > a; b--) {
            double dx = spot[a].pixel[0] - spot[b].pixel[0],
                   dy = spot[a].pixel[1] - spot[b].pixel[1];
            if (!(snw__hypot(dx, dy) < spot[a].radius + spot[b].radius)) continue;
            for (int k = 0; k < 2; k++)
                spot[a].pixel[k] = 0.5 * (spot[a].pixel[k] + spot[b].pixel[k]);
            spot[a].merged = spot[b].marker;
            spot[b] = spot[--count];
        }
    return count;
}

/* Cameras report what they see from the top of the picture down, whoever it is. */
static void sort_down(view_spot *spot, int count)
{
    for (int n = 1; n < count; n++) {
        view_spot one = spot[n];
        int k = n;
        for (; k > 0 && spot[k - 1].pixel[1] > one.pixel[1]; k--)
            spot[k] = spot[k - 1];
        spot[k] = one;
    }
}

static int blobs_of(const view_work *work, int c, int frame)
{
    const snw_synth_view_options *options = work->options;
    snw_random random = snw__synth_random(options->seed, SNW__PURPOSE_VIEW, -1 - c, frame);
    int count = 0;
    for (int p = 0; p < work->points->marker_count; p++)
        count += see(work, c, frame, p, work->spot + count);
    count = merge(work->spot, count);
    int more = (int)(options->false_count + snw_random_unit(&random));
    for (int n = 0; n < more; n++) {
        view_spot *spot = work->spot + count++;
        spot->pixel[0] = snw_random_range(&random, 0, options->width);
        spot->pixel[1] = snw_random_range(&random, 0, options->width);
        spot->marker = spot->merged = SNW_SYNTH_NOBODY;
    }
    sort_down(work->spot, count);
    return count;
}

/* ---- all of them -------------------------------------------------------------------------- */

static void keep_blobs(const view_work *work, int c, int frame)
{
    snw_views *views = work->made->views;
    int count = blobs_of(work, c, frame),
        first = views->first[(size_t)c * (size_t)views->frame_count + (size_t)frame];
    for (int n = 0; n < count; n++) {
        const view_spot *spot = work->spot + n;
        views->keypoint[first + n] =
            (snw_keypoint){(float)spot->pixel[0], (float)spot->pixel[1], 1};
        work->made->marker[first + n] = spot->marker;
        work->made->merged[first + n] = spot->merged;
    }
}

/* One detection with all joints; those that are lost have no confidence. */
static void keep_person(const view_work *work, int c, int frame)
{
    snw_views *views = work->made->views;
    size_t detection = (size_t)c * (size_t)views->frame_count + (size_t)frame;
    snw_keypoint *point = views->keypoint + detection * (size_t)views->point_count;
    view_spot spot;
    work->made->marker[detection] = 0;
    work->made->merged[detection] = SNW_SYNTH_NOBODY;
    for (int p = 0; p < views->point_count; p++)
        if (see(work, c, frame, p, &spot))
            point[p] = (snw_keypoint){(float)spot.pixel[0], (float)spot.pixel[1], 1};
}

static void lay_out(void *object, snw__block *block)
{
    view_work *work = object;
    snw_synth_views *made = work->made;
    size_t cameras = (size_t)work->synth->camera_count, detections = (size_t)made->detection_count;
    made->marker = snw__block_take(block, detections, sizeof *made->marker);
    made->merged = snw__block_take(block, detections, sizeof *made->merged);
    made->delay = snw__block_take(block, cameras, sizeof *made->delay);
    made->drift = snw__block_take(block, cameras, sizeof *made->drift);
}

/* The list of detections, and memory for as many. */
static snw_status count_all(view_work *work, int *first, const snw_allocator *memory,
                            snw_error *error)
{
    const snw_synth *synth = work->synth;
    int frames = work->points->frame_count;
    int64_t count = 0;
    for (int c = 0; c < synth->camera_count; c++)
        for (int f = 0; f < frames; f++) {
            first[(size_t)c * (size_t)frames + (size_t)f] = (int)count;
            count += work->options->of_joints ? 1 : blobs_of(work, c, f);
            if (count > INT32_MAX) return snw__fail(error, SNW_TOO_LARGE, "more than 2^31 points");
        }
    first[(size_t)synth->camera_count * (size_t)frames] = (int)count;
    snw_views_counts counts = {synth->camera_count, frames,
                               work->options->of_joints ? work->points->marker_count : 1,
                               (int)count, NULL};
    static const char *const unnamed[] = {"*"};
    const char *const *names =
        work->options->of_joints ? (const char *const *)synth->motion->skeleton->name : unnamed;
    counts.point = names;
    snw_status status = snw_views_create(&counts, memory, &work->made->views, error);
    if (status != SNW_OK) return status;
    memcpy(work->made->views->first, first,
           ((size_t)synth->camera_count * (size_t)frames + 1) * sizeof *first);
    work->made->views->rate = work->points->rate;
    work->made->views->first_frame = work->points->first_frame;
    work->made->detection_count = (int)count;
    return SNW_OK;
}

static snw_status perform(view_work *work, int *first, const snw_allocator *memory,
                          snw_error *error)
{
    snw_synth_views *made = work->made;
    double delay[2 * SNW_SYNTH_CAMERA_MAX] = {0};
    snw__block block;
    int cameras = work->synth->camera_count;
    snw_status status = snw_cameras_create(cameras, memory, &made->calibration, error);
    if (status == SNW_OK) status = snw_cameras_create(cameras, memory, &made->cameras, error);
    if (status != SNW_OK) return status;
    made->delay = delay; /* until it is known how much memory there must be */
    made->drift = delay + SNW_SYNTH_CAMERA_MAX;
    for (int c = 0; c < cameras; c++)
        set_camera(work, c);
    status = count_all(work, first, memory, error);
    made->delay = made->drift = NULL;
    if (status == SNW_OK)
        status = snw__block_create(&block, lay_out, work, memory, "truth of views", error);
    if (status != SNW_OK) return status;
    made->block_size = block.size;
    for (int c = 0; c < cameras; c++)
        set_camera(work, c);
    for (int c = 0; c < cameras; c++)
        for (int f = 0; f < work->points->frame_count; f++)
            (work->options->of_joints ? keep_person : keep_blobs)(work, c, f);
    return SNW_OK;
}

static snw_status check(const snw_synth *synth, const snw_synth_view_options *options,
                        snw_error *error)
{
    const snw__bounds bounds[] = {
        {"a number of cameras", synth->camera_count, 1, SNW_SYNTH_CAMERA_MAX},
        {"a width in pixels", options->width, 16, 1e5},
        {"a noise in pixels", options->noise, 0, 1e3},
        {"a lens' k1", options->bend, -1, 1},
        {"a radius of markers in metres", options->marker_radius, 0, 1},
        {"a share of lost points", options->lost_share, 0, 1},
        {"a number of false points", options->false_count, 0, 1e4},
        {"a delay in frames", options->delay, 0, 1e4},
        {"a drift of clocks", options->drift, 0, 0.01},
        {"a knocked camera", options->knocked, -1, synth->camera_count - 1},
        {"a knock in radians", options->knock, 0, SNW_PI}};
    return snw__check_bounds(bounds, sizeof bounds / sizeof *bounds, error);
}

snw_status snw_synth_views_create(const snw_synth *synth, const snw_synth_view_options *options,
                                  const snw_allocator *allocator, snw_synth_views **out,
                                  snw_error *error)
{
    const snw_synth_view_options defaults = snw_synth_view_options_default();
    snw_allocator memory = snw__allocator_or_default(allocator);
    *out = NULL;
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    snw_status status = check(synth, options, error);
    if (status != SNW_OK) return status;
    view_work work = {synth, options->of_joints ? synth->joint_truth : synth->marker_truth, options,
                      NULL, NULL};
    size_t spots = (size_t)work.points->marker_count + (size_t)options->false_count + 1;
    size_t pictures =
        snw__size_mul((size_t)synth->camera_count, (size_t)work.points->frame_count) + 1;
    int *first = snw__allocate(&memory, pictures * sizeof *first);
    work.spot = snw__allocate(&memory, spots * sizeof *work.spot);
    work.made = snw__allocate(&memory, sizeof *work.made);
    if (first && work.spot && work.made) {
        work.made->allocator = memory;
        status = perform(&work, first, &memory, error);
        if (status == SNW_OK)
            *out = work.made;
        else
            snw_synth_views_destroy(work.made);
    } else {
        status = snw__fail_memory(error, pictures * sizeof *first, "views");
        snw__release(&memory, work.made, sizeof *work.made);
    }
    snw__release(&memory, work.spot, spots * sizeof *work.spot);
    snw__release(&memory, first, pictures * sizeof *first);
    return status == SNW_OK ? snw__succeed(error) : status;
}

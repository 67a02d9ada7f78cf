/* The whole way from centroids to trajectories of markers.
 *
 * A first look at some hundred frames tells how noisy the pictures are and which camera's centroids
 * nobody else confirms: it was knocked. Where it stands now follows from what the others see. Then
 * all frames are followed, and every sample is placed again: a camera that begins or ends to see a
 * marker counts little at first (its calibration is never exact: with its full weight the marker
 * would jump). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "view/reconstruct.h"

snw_reconstruct_options snw_reconstruct_options_default(void)
{
    return (snw_reconstruct_options){0};
}

void snw_reconstruction_destroy(snw_reconstruction *made)
{
    if (!made) return;
    snw_allocator memory = made->allocator;
    size_t cameras = made->cameras ? (size_t)made->cameras->count : 0;
    snw__release(&memory, made->ray, (size_t)made->ray_count * sizeof *made->ray);
    snw__release(&memory, made->camera, cameras * sizeof *made->camera);
    snw_trial_destroy(made->trial);
    snw_cameras_destroy(made->cameras);
    snw__release(&memory, made, sizeof *made);
}

/* ---- what tracks say ---------------------------------------------------------------------- */

static bool grow(const snw_allocator *memory, void **list, int64_t count, int64_t *capacity,
                 size_t size)
{
    if (count < *capacity) return true;
    int64_t more = *capacity ? 2 * *capacity : SNW__SAMPLES_CALIBRATE;
    char *wider = snw__allocate(memory, snw__size_mul((size_t)more, size));
    if (!wider) return false;
    if (*capacity) memcpy(wider, *list, (size_t)*capacity * size);
    snw__release(memory, *list, (size_t)*capacity * size);
    *list = wider;
    *capacity = more;
    return true;
}

void snw__gathered_release(snw__gathered *all)
{
    snw__release(&all->memory, all->sample, (size_t)all->sample_capacity * sizeof *all->sample);
    snw__release(&all->memory, all->sighting,
                 (size_t)all->sighting_capacity * sizeof *all->sighting);
    all->sample = NULL;
    all->sighting = NULL;
    all->sample_count = all->sample_capacity = all->sighting_count = all->sighting_capacity = 0;
}

static bool gather(snw__gathered *all, const snw__centroid_tracker *t, int frame)
{
    for (int n = 0; n < t->track_count; n++) {
        const snw__centroid_track *track = t->track + n;
        if (!track->view_count) continue;
        if (!grow(&all->memory, (void **)&all->sample, all->sample_count, &all->sample_capacity,
                  sizeof *all->sample))
            return false;
        all->sample[all->sample_count++] =
            (snw__marker_sample){track->view_count > 1 ? track->seen : track->place,
                                 track->residual,
                                 all->sighting_count,
                                 track->number,
                                 frame,
                                 track->view_count};
        for (int k = 0; k < track->view_count; k++) {
            if (!grow(&all->memory, (void **)&all->sighting, all->sighting_count,
                      &all->sighting_capacity, sizeof *all->sighting))
                return false;
            all->sighting[all->sighting_count++] =
                (snw__marker_sighting){track->camera[k], track->detection[k], 1};
        }
    }
    return true;
}

/* Follows all markers through some frames. */
static snw_status follow(snw__reconstructing *r, int first, int end, snw__gathered *all,
                         snw_error *error)
{
    snw__centroid_tracker *t = NULL;
    int most = 1;
    const snw_views *views = r->views;
    for (int64_t n = 0; n < (int64_t)views->camera_count * views->frame_count; n++)
        if (views->first[n + 1] - views->first[n] > most)
            most = views->first[n + 1] - views->first[n];
    const snw__centroid_sizes sizes = {r->cameras, r->is_left_out, most, r->sigma, r->rate};
    snw_status status = snw__centroid_tracker_create(&sizes, &r->memory, &t, error);
    for (int f = first; f < end && status == SNW_OK; f++) {
        snw__centroid_step(t, views, f);
        if (!gather(all, t, f))
            status = snw__fail_memory(error, (size_t)all->sample_count * sizeof *all->sample,
                                      "samples of markers");
    }
    all->track_count = status == SNW_OK ? t->next_number : 0;
    snw__centroid_tracker_destroy(t);
    return status;
}

/* ---- tracks that are markers ---------------------------------------------------------------- */

typedef struct track_summary {
    int first, seen, views; /* index of the first sample, samples with two views, sightings */
    int marker;             /* of the trial, or -1 */
} track_summary;

/* A point that three cameras confirm for a tenth of a second is a marker, one that two see for half
 * a second: rays that meet by accident part sooner. */
static int choose_tracks(const snw__reconstructing *r, const snw__gathered *all,
                         track_summary *track)
{
    int count = 0;
    for (int64_t n = 0; n < all->sample_count; n++) {
        const snw__marker_sample *sample = all->sample + n;
        if (sample->view_count < 2) continue;
        track[sample->track].seen++;
        track[sample->track].views += sample->view_count;
    }
    for (int n = 0; n < all->track_count; n++) {
        double seconds = track[n].seen / r->rate;
        double views = track[n].seen ? (double)track[n].views / track[n].seen : 0;
        bool is_marker = seconds >= (views > 2 + SNW__HALF ? SNW__BRIEF : SNW__SKIN_SECONDS);
        track[n].marker = is_marker ? count++ : -1;
    }
    return count;
}

/* ---- places, for good ----------------------------------------------------------------------- */

/* Samples of one track in their order: (count) indices. */
typedef struct track_samples {
    const int64_t *index;
    int count;
} track_samples;

/* How long a camera has seen the marker, in one direction of time; what it does not see for a while
 * it forgets as fast as it learned. */
static void fade(snw__reconstructing *r, const snw__gathered *all, const track_samples *list,
                 bool is_back)
{
    double ramp = fmax(1, SNW__BRIEF * r->rate);
    for (int c = 0; c < r->views->camera_count; c++)
        r->age[c] = (snw__camera_age){0, -1};
    for (int n = 0; n < list->count; n++) {
        int at = is_back ? list->count - 1 - n : n;
        const snw__marker_sample *sample = all->sample + list->index[at];
        for (int k = 0; k < sample->view_count; k++) {
            snw__marker_sighting *seen = all->sighting + sample->first + k;
            snw__camera_age *age = r->age + seen->camera;
            /* At the ends of the track nothing is there to jump from. */
            int gap = age->frame < 0 ? 0 : abs(sample->frame - age->frame) - 1;
            bool is_new = age->frame < 0;
            age->frames =
                is_new ? (n == 0 ? ramp : 1) : fmin(ramp, fmax(1, age->frames + 1 - 2.0 * gap));
            age->frame = sample->frame;
            seen->weight = (float)fmin((double)seen->weight, age->frames / ramp);
        }
    }
}

static snw__centroid flatten(const snw__reconstructing *r, const snw__marker_sighting *seen)
{
    const snw_keypoint *at = r->views->keypoint + seen->detection;
    double flat[2] = {0, 0}, stretch = 1;
    snw__camera_flatten(r->cameras->camera + seen->camera, (double[]){(double)at->x, (double)at->y},
                        flat, &stretch);
    double sigma = r->sigma * stretch;
    return (snw__centroid){.x = flat[0], .y = flat[1], .variance = sigma * sigma};
}

/* Mean distance of the rays from the place, metres, in steps of the trial's residual; and the
 * cameras that C3D has bits for. */
static float quality_of(const snw__reconstructing *r, const snw__centroid_fit *fit,
                        const snw_trial *trial)
{
    double sum = 0;
    unsigned mask = 0;
    for (int n = 0; n < fit->count; n++) {
        double at[2], z = snw__eye_look(r->eye + fit->camera[n], fit->place, at);
        double dx = at[0] - fit->seen[n]->x, dy = at[1] - fit->seen[n]->y;
        sum += z * sqrt(dx * dx + dy * dy);
        if (fit->camera[n] < 7) mask |= 1u << fit->camera[n];
    }
    double steps = sum / fit->count / (trial->metres_per_unit * trial->residual_scale);
    return (float)(256.0 * mask + fmin(255, floor(steps + 0.5)));
}

static void place_sample(const snw__reconstructing *r, const snw__gathered *all,
                         const snw__marker_sample *sample, snw_trial *trial, int marker)
{
    snw__centroid seen[SNW__TRACK_VIEWS];
    snw__centroid_fit fit = {.count = sample->view_count, .place = sample->place};
    for (int k = 0; k < sample->view_count; k++) {
        const snw__marker_sighting *from = all->sighting + sample->first + k;
        seen[k] = flatten(r, from);
        seen[k].variance /= (double)from->weight;
        fit.camera[k] = from->camera;
        fit.seen[k] = seen + k;
    }
    if (!snw__centroid_fit_place(r->eye, &fit)) return;
    const double *c = fit.covariance;
    snw_trial_set(trial, sample->frame, marker, fit.place, SNW_SAMPLE_MEASURED);
    size_t at = (size_t)sample->frame * (size_t)trial->marker_count + (size_t)marker;
    trial->sample[at].quality = quality_of(r, &fit, trial);
    trial->uncertainty[at] = (float)sqrt((c[0] + c[3] + c[5]) / 3);
}

static void list_ray(const snw__reconstructing *r, const snw__gathered *all,
                     const snw__marker_sample *sample, snw_view_ray *out)
{
    const snw__marker_sighting *seen = all->sighting + sample->first;
    const snw_keypoint *at = r->views->keypoint + seen->detection;
    const snw_camera *camera = r->cameras->camera + seen->camera;
    out->frame = sample->frame;
    out->camera = seen->camera;
    out->origin = snw_camera_place(camera);
    snw_camera_ray(camera, (double[]){(double)at->x, (double)at->y}, &out->direction);
}

/* ---- the result --------------------------------------------------------------------------- */

static snw_status create_trial(const snw__reconstructing *r, int markers, snw_trial **out,
                               snw_error *error)
{
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = markers;
    sizes.frame_count = r->views->frame_count;
    sizes.rate = r->rate;
    snw_status status = snw_trial_create(&sizes, &r->memory, out, error);
    if (status == SNW_OK) status = snw_trial_need_uncertainty(*out, error);
    for (int m = 0; m < markers && status == SNW_OK; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        status = snw_trial_set_marker_name(*out, m, name, error);
    }
    if (status == SNW_OK) {
        (*out)->first_frame = r->views->first_frame;
        (*out)->residual_scale = 1000 * SNW__FINEST; /* millimetres */
    }
    return status;
}

/* `list` has the samples' indices by track, `track[n].first` where a track's begin. */
static snw_status fill(snw__reconstructing *r, const snw__gathered *all, const track_summary *track,
                       const int64_t *list, snw_reconstruction *made, snw_error *error)
{
    int64_t rays = 0;
    for (int64_t n = 0; n < all->sample_count; n++)
        rays += all->sample[n].view_count == 1 && track[all->sample[n].track].marker >= 0;
    made->ray = snw__allocate(&r->memory, (size_t)rays * sizeof *made->ray);
    if (!made->ray) return snw__fail_memory(error, (size_t)rays * sizeof *made->ray, "rays");
    made->ray_count = (int)rays;
    for (int n = 0; n < all->track_count; n++) {
        if (track[n].marker < 0) continue;
        int end = n + 1 < all->track_count ? track[n + 1].first : (int)all->sample_count;
        const track_samples samples = {list + track[n].first, end - track[n].first};
        fade(r, all, &samples, false);
        fade(r, all, &samples, true);
    }
    rays = 0;
    for (int64_t n = 0; n < all->sample_count; n++) {
        const snw__marker_sample *sample = all->sample + n;
        int marker = track[sample->track].marker;
        if (marker < 0) continue;
        if (sample->view_count < 2) {
            made->ray[rays].marker = marker;
            list_ray(r, all, sample, made->ray + rays++);
        } else {
            place_sample(r, all, sample, made->trial, marker);
            made->sighting_count += sample->view_count;
            for (int k = 0; k < sample->view_count; k++)
                made->camera[all->sighting[sample->first + k].camera].sighting_count++;
        }
    }
    return SNW_OK;
}

static snw_status finish(snw__reconstructing *r, const snw__gathered *all, snw_reconstruction *made,
                         snw_error *error)
{
    size_t tracks = (size_t)all->track_count + 1, samples = (size_t)all->sample_count + 1;
    track_summary *track = snw__allocate(&r->memory, tracks * sizeof *track);
    int64_t *list = snw__allocate(&r->memory, samples * sizeof *list);
    snw_status status = SNW_OK;
    if (!track || !list)
        status = snw__fail_memory(error, samples * sizeof *list, "tracks of markers");
    int markers = status == SNW_OK ? choose_tracks(r, all, track) : 0;
    if (status == SNW_OK && !markers)
        status = snw__fail(error, SNW_NOT_FOUND,
                           "no rays of two cameras meet for long: do the points belong to this "
                           "calibration, in this order?");
    if (status == SNW_OK) {
        for (int64_t n = 0; n < all->sample_count; n++)
            track[all->sample[n].track + 1].first++;
        for (int n = 0; n < all->track_count; n++)
            track[n + 1].first += track[n].first;
        for (int64_t n = 0; n < all->sample_count; n++)
            list[track[all->sample[n].track].first++] = n;
        for (int n = all->track_count; n > 0; n--)
            track[n].first = track[n - 1].first;
        track[0].first = 0;
        status = create_trial(r, markers, &made->trial, error);
    }
    if (status == SNW_OK) status = fill(r, all, track, list, made, error);
    snw__release(&r->memory, list, samples * sizeof *list);
    snw__release(&r->memory, track, tracks * sizeof *track);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw__reconstructing *r = object;
    size_t cameras = (size_t)r->views->camera_count;
    r->eye = snw__block_take(block, cameras, sizeof *r->eye);
    r->is_left_out = snw__block_take(block, cameras, sizeof *r->is_left_out);
    r->age = snw__block_take(block, cameras, sizeof *r->age);
    r->told = snw__block_take(block, cameras, sizeof *r->told);
}

snw_status snw__gather_markers(const snw_views *views, snw_cameras *cameras,
                               const snw_allocator *memory, snw__gathered *all, double *sigma,
                               snw_error *error)
{
    snw__reconstructing r;
    snw__block block;
    memset(&r, 0, sizeof r);
    r.views = views;
    r.cameras = cameras;
    r.memory = *memory;
    r.rate = views->rate > 0 ? views->rate : 1 / SNW__BRIEF;
    snw_status status = snw__block_create(&block, lay_out, &r, memory, "markers of views", error);
    if (status != SNW_OK) return status;
    int frames = views->frame_count;
    if (frames > SNW__SAMPLES_CALIBRATE) frames = SNW__SAMPLES_CALIBRATE;
    status = snw__look_at_cameras(&r, follow, error);
    if (status == SNW_OK) status = follow(&r, 0, frames, all, error);
    *sigma = r.sigma;
    snw__block_release(memory, &block);
    return status;
}

static snw_status perform(snw__reconstructing *r, snw_reconstruction *made, snw_error *error)
{
    snw__gathered all = {.memory = r->memory};
    snw_status status = snw__look_at_cameras(r, follow, error);
    if (status == SNW_OK) status = follow(r, 0, r->views->frame_count, &all, error);
    for (int c = 0; c < r->views->camera_count; c++) {
        r->eye[c] = snw__eye_of(r->cameras->camera + c);
        made->camera[c] = r->told[c];
    }
    if (status == SNW_OK) status = finish(r, &all, made, error);
    snw__gathered_release(&all);
    made->noise = r->sigma;
    made->centroid_count = r->views->detection_count;
    return status;
}

snw_status snw_views_reconstruct(const snw_views *views, const snw_cameras *cameras,
                                 const snw_reconstruct_options *options,
                                 const snw_allocator *allocator, snw_reconstruction **out,
                                 snw_error *error)
{
    snw__reconstructing r;
    snw__block block;
    *out = NULL;
    memset(&r, 0, sizeof r);
    r.views = views;
    if (options) r.options = *options;
    r.memory = snw__allocator_or_default(allocator);
    r.rate = views->rate > 0 ? views->rate : 1 / SNW__BRIEF;
    snw_status status = snw__views_check(views, cameras, error);
    if (status == SNW_OK && views->point_count != 1)
        status = snw__fail(error, SNW_INVALID_ARGUMENT,
                           "views of %d points are keypoints: markers are reconstructed from views "
                           "of one point",
                           views->point_count);
    if (status == SNW_OK && !(r.options.noise >= 0 && r.options.noise < 1e3))
        status = snw__fail(error, SNW_INVALID_ARGUMENT, "a noise of %g pixels is not possible",
                           r.options.noise);
    if (status != SNW_OK) return status;
    snw_reconstruction *made = snw__allocate(&r.memory, sizeof *made);
    if (!made) return snw__fail_memory(error, sizeof *made, "markers of views");
    made->allocator = r.memory;
    status = snw__block_create(&block, lay_out, &r, &r.memory, "markers of views", error);
    if (status == SNW_OK) {
        size_t size = (size_t)cameras->count * sizeof *made->camera;
        status = snw_cameras_create(cameras->count, allocator, &made->cameras, error);
        if (status == SNW_OK) {
            memcpy(made->cameras->camera, cameras->camera,
                   (size_t)cameras->count * sizeof *cameras->camera);
            made->camera = snw__allocate(&r.memory, size);
            status = made->camera ? SNW_OK : snw__fail_memory(error, size, "cameras");
        }
        r.cameras = made->cameras;
        if (status == SNW_OK) status = perform(&r, made, error);
        snw__block_release(&r.memory, &block);
    }
    if (status != SNW_OK) {
        snw_reconstruction_destroy(made);
        return status;
    }
    *out = made;
    return snw__succeed(error);
}

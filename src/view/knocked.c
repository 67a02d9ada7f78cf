/* The first look at centroids: how noisy pictures are, which cameras do not stand where they
 * should, and where they stand instead.
 *
 * A camera that was knocked sees as many centroids as the others, but its rays meet nobody's. How
 * far it was turned shows at once: in every frame all differences between where the others' points
 * should appear and where its centroids are; the one that comes again and again is the knock. From
 * there on its pose is fitted to the nearest centroids, in a neighbourhood that shrinks (Besl &
 * McKay 1992). */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/notes.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "view/reconstruct.h"

enum {
    KNOCK_BINS = 128 /* of a difference, in each direction: 0.3 in all, 17 degrees */
};
static const double KNOCK_BIN = SNW__MINOR / KNOCK_BINS;

typedef struct camera_look {
    int sightings, centroids;
} camera_look;

/* ---- who is knocked ------------------------------------------------------------------------- */

static void count_looks(const snw__reconstructing *r, int first, int end, const snw__gathered *all,
                        camera_look *look)
{
    for (int c = 0; c < r->views->camera_count; c++) {
        const int *list = r->views->first + (size_t)c * (size_t)r->views->frame_count;
        look[c] = (camera_look){0, list[end] - list[first]};
    }
    for (int64_t n = 0; n < all->sample_count; n++)
        for (int k = 0; k < all->sample[n].view_count && all->sample[n].view_count > 1; k++)
            look[all->sighting[all->sample[n].first + k].camera].sightings++;
}

static double share_of(const camera_look *look)
{
    return look->centroids ? (double)look->sightings / look->centroids : 0;
}

static double usual_share(const camera_look *look, int count)
{
    double share[SNW_CAMERAS_MAX];
    int known = 0;
    for (int c = 0; c < count; c++)
        if (look[c].centroids >= SNW__SAMPLES_MIN) share[known++] = share_of(look + c);
    return snw__median(share, known);
}

/* One standard deviation of a pixel, from samples that several cameras saw. */
static double noise_of(const snw__reconstructing *r, const snw__gathered *all, snw_error *error)
{
    double *residual =
        snw__allocate(&r->memory, (size_t)(all->sample_count + 1) * sizeof *residual);
    int count = 0, least = 3;
    if (!residual) {
        snw__fail_memory(error, (size_t)all->sample_count * sizeof *residual, "residuals");
        return -1;
    }
    for (int64_t n = 0; n < all->sample_count; n++)
        if (all->sample[n].view_count >= least) residual[count++] = all->sample[n].residual;
    double noise = r->sigma * snw__median(residual, count);
    snw__release(&r->memory, residual, (size_t)(all->sample_count + 1) * sizeof *residual);
    return count ? noise : r->sigma;
}

/* ---- where it stands --------------------------------------------------------------------------
 */

static bool takes_any(const snw__centroid *centroid, double off2, const void *context)
{
    (void)centroid;
    (void)off2;
    (void)context;
    return true;
}

/* Calls for all samples that lie in the picture of a camera, frame by frame. */
typedef struct knock_search {
    snw__reconstructing *r;
    snw__centroid_tracker *pictures; /* with the camera's pictures alone */
    const snw__gathered *all;
    int camera;
    int *votes; /* (KNOCK_BINS x KNOCK_BINS) */
} knock_search;

static void vote(const knock_search *s, const snw__eye *eye, double shift[2])
{
    int frame = -1, best = 0;
    memset(s->votes, 0, KNOCK_BINS * KNOCK_BINS * sizeof *s->votes);
    const snw__picture *picture = s->pictures->picture + s->camera;
    for (int64_t n = 0; n < s->all->sample_count; n++) {
        const snw__marker_sample *sample = s->all->sample + n;
        double at[2];
        if (sample->view_count < 2) continue;
        if (sample->frame != frame)
            snw__pictures_load(s->pictures, s->r->views, frame = sample->frame);
        if (!(snw__eye_look(eye, sample->place, at) > 0)) continue;
        for (int k = 0; k < picture->count; k++) {
            double x = (picture->centroid[k].x - at[0]) / KNOCK_BIN + KNOCK_BINS / 2,
                   y = (picture->centroid[k].y - at[1]) / KNOCK_BIN + KNOCK_BINS / 2;
            if (!(x >= 0 && x < KNOCK_BINS && y >= 0 && y < KNOCK_BINS)) continue;
            int bin = (int)y * KNOCK_BINS + (int)x;
            if (++s->votes[bin] > s->votes[best]) best = bin;
        }
    }
    shift[0] = (best % KNOCK_BINS + 0.5 - KNOCK_BINS / 2) * KNOCK_BIN;
    shift[1] = (best / KNOCK_BINS + 0.5 - KNOCK_BINS / 2) * KNOCK_BIN;
}

/* One fit to the nearest centroids within a radius of where points should appear, moved by a shift;
 * how many there are. */
static int fit_nearest(const knock_search *s, const double shift[2], double radius)
{
    snw_camera *camera = s->r->cameras->camera + s->camera;
    const snw__eye eye = snw__eye_of(camera);
    const snw__picture *picture = s->pictures->picture + s->camera;
    snw__camera_equations e = {{{0}}, {0}};
    int frame = -1, count = 0;
    for (int64_t n = 0; n < s->all->sample_count; n++) {
        const snw__marker_sample *sample = s->all->sample + n;
        double at[2];
        if (sample->view_count < 2) continue;
        if (sample->frame != frame)
            snw__pictures_load(s->pictures, s->r->views, frame = sample->frame);
        if (!(snw__eye_look(&eye, sample->place, at) > 0)) continue;
        const double there[2] = {at[0] + shift[0], at[1] + shift[1]};
        int found = snw__picture_nearest(picture, there, radius, takes_any, NULL);
        if (found < 0) continue;
        const snw_keypoint *pixel = s->r->views->keypoint + picture->centroid[found].detection;
        const snw_sighting seen = {s->camera,
                                   {(double)pixel->x, (double)pixel->y},
                                   radius * camera->focal_x / SNW__UNUSUAL};
        snw__camera_equations_add(&e, camera, sample->place, &seen, INFINITY);
        count++;
    }
    if (count < SNW__SAMPLES_MIN || !snw__camera_equations_step(&e, camera)) return 0;
    return count;
}

/* True where it was put right. */
static bool put_right(const knock_search *s, double usual)
{
    snw__reconstructing *r = s->r;
    snw_camera *camera = r->cameras->camera + s->camera;
    const snw_camera before = *camera;
    const snw__eye eye = snw__eye_of(camera);
    double shift[2], finest = SNW_SIGHTING_FAR * r->sigma / camera->focal_x;
    int count = 0, possible = 0;
    vote(s, &eye, shift);
    double off = camera->focal_x * sqrt(shift[0] * shift[0] + shift[1] * shift[1]);
    double radius = 2 * KNOCK_BIN;
    for (int n = 0; n < SNW__ROUNDS_LINEAR; n++) {
        const double none[2] = {0, 0};
        count = fit_nearest(s, n ? none : shift, radius);
        if (!count) break;
        radius = fmax(finest, radius * SNW__MOST * SNW__MOST);
    }
    for (int64_t n = 0; n < s->all->sample_count; n++)
        possible += s->all->sample[n].view_count > 1;
    /* As many of the others' points are there as cameras usually see of them. */
    if (count > SNW__HALF * SNW__HALF * usual * possible) {
        snw__camera_moved(camera, before.camera_from_world, r->told + s->camera);
        const double pixels[2] = {off, r->sigma};
        snw__note_camera_moved(r->options.notes, s->camera, camera, r->told + s->camera, pixels);
        return true;
    }
    *camera = before;
    return false;
}

static snw_status mend(snw__reconstructing *r, int camera, const snw__gathered *all, double usual,
                       snw_error *error)
{
    bool only_this[SNW_CAMERAS_MAX];
    const size_t size = KNOCK_BINS * KNOCK_BINS * sizeof(int);
    int most = 1;
    for (int c = 0; c < r->views->camera_count; c++)
        only_this[c] = c != camera;
    for (int f = 0; f < r->views->frame_count; f++) {
        const int *list = r->views->first + (size_t)camera * (size_t)r->views->frame_count + f;
        if (list[1] - list[0] > most) most = list[1] - list[0];
    }
    const snw__centroid_sizes sizes = {r->cameras, only_this, most, r->sigma, r->rate};
    knock_search s = {r, NULL, all, camera, snw__allocate(&r->memory, size)};
    snw_status status = s.votes ? SNW_OK : snw__fail_memory(error, size, "a knocked camera");
    if (status == SNW_OK)
        status = snw__centroid_tracker_create(&sizes, &r->memory, &s.pictures, error);
    if (status == SNW_OK && put_right(&s, usual))
        r->is_left_out[camera] = r->told[camera].is_left_out = false;
    snw__centroid_tracker_destroy(s.pictures);
    snw__release(&r->memory, s.votes, size);
    return status;
}

/* ---- the first look -----------------------------------------------------------------------------
 */

static int leave_out(snw__reconstructing *r, const camera_look *look, int count)
{
    int left_out = 0;
    double usual = usual_share(look, count);
    for (int c = 0; c < count; c++) {
        if (r->is_left_out[c] || look[c].centroids < SNW__SAMPLES_MIN) continue;
        if (!(share_of(look + c) < SNW__HALF * usual)) continue;
        r->is_left_out[c] = r->told[c].is_left_out = r->told[c].is_moved = true;
        left_out++;
    }
    return left_out;
}

snw_status snw__look_at_cameras(snw__reconstructing *r, snw__follower *follow, snw_error *error)
{
    camera_look look[SNW_CAMERAS_MAX];
    snw__gathered all = {.memory = r->memory};
    int frames = r->views->frame_count, count = r->views->camera_count;
    int first = frames > SNW__SAMPLES_SPREAD ? (frames - SNW__SAMPLES_SPREAD) / 2 : 0;
    int end = frames > SNW__SAMPLES_SPREAD ? first + SNW__SAMPLES_SPREAD : frames;
    r->sigma = r->options.noise > 0 ? r->options.noise : 1;
    snw_status status = follow(r, first, end, &all, error);
    if (status != SNW_OK) goto done;
    count_looks(r, first, end, &all, look);
    if (count > 2 && leave_out(r, look, count)) { /* again, without those that do not fit */
        snw__gathered_release(&all);
        status = follow(r, first, end, &all, error);
        if (status != SNW_OK) goto done;
    }
    if (!(r->options.noise > 0)) {
        double noise = noise_of(r, &all, error);
        status = noise < 0 ? SNW_OUT_OF_MEMORY : SNW_OK;
        r->sigma = fmax(noise, SNW__RARELY);
    }
    double usual = usual_share(look, count);
    for (int c = 0; c < count && status == SNW_OK; c++) {
        if (!r->is_left_out[c]) continue;
        if (!r->options.keeps_cameras) status = mend(r, c, &all, usual, error);
        if (status == SNW_OK && r->is_left_out[c])
            snw__note(r->options.notes, SNW_NOTE_CAMERA_MOVED,
                      snw__at_name(c, r->cameras->camera[c].name),
                      "camera %s does not fit the others (%.0f of 100 points meet nobody's) and is "
                      "left out",
                      r->cameras->camera[c].name, 100 * (1 - share_of(look + c)));
    }
done:
    snw__gathered_release(&all);
    return status;
}

/* Markers from frame to frame: where each must be now, which centroids are its own, where it is.
 *
 * A track expects its marker where its speed takes it, as surely as hands and feet accelerate (one
 * variance for all three coordinates: Kalman 1960, constant speed). In each picture centroids and
 * tracks choose each other: the nearest pair that both prefer stays (Gale & Shapley 1962), tracks
 * that are old before those that are new. A centroid that two markers would have belongs to both:
 * it counts only for who has no others. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "view/centroid.h"

/* ---- memory ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw__centroid_tracker *t = object;
    size_t cameras = (size_t)t->camera_count, most = (size_t)t->centroid_max;
    size_t tracks = (size_t)t->track_max, candidates = (size_t)t->candidate_max;
    t->eye = snw__block_take(block, cameras, sizeof *t->eye);
    t->picture = snw__block_take(block, cameras, sizeof *t->picture);
    t->partner = snw__block_take(block, cameras, sizeof *t->partner);
    t->track = snw__block_take(block, tracks, sizeof *t->track);
    t->claim = snw__block_take(block, tracks, sizeof *t->claim);
    t->fit = snw__block_take(block, tracks, sizeof *t->fit);
    t->candidate = snw__block_take(block, candidates, sizeof *t->candidate);
    t->rank = snw__block_take(block, candidates, sizeof *t->rank);
    for (int k = 0; k < 2; k++)
        t->epipolar[k] = snw__block_take(block, most, sizeof *t->epipolar[k]);
    for (size_t c = 0; c < cameras; c++) {
        snw__centroid *centroid = snw__block_take(block, 2 * most, sizeof *centroid);
        int *first = snw__block_take(block, SNW__PICTURE_COLUMNS + 1, sizeof *first);
        if (!t->picture) continue; /* measuring */
        t->picture[c].centroid = centroid;
        t->picture[c].first = first;
    }
}

/* Cameras see the same side of a marker, and from different places, where they look in directions
 * that are half a right angle apart: the nearest to that are partners, both ways. */
static void choose_partners(snw__centroid_tracker *t)
{
    for (int a = 0; a < t->camera_count; a++) {
        double cost[SNW__PARTNERS];
        int count = 0;
        for (int b = 0; b < t->camera_count; b++) {
            const double *x = t->eye[a].turn.m[2], *y = t->eye[b].turn.m[2];
            if (b == a || !t->eye[a].is_used || !t->eye[b].is_used) continue;
            double angle =
                snw_vec3_angle(snw_vec3_make(x[0], x[1], x[2]), snw_vec3_make(y[0], y[1], y[2]));
            double off = fabs(angle - SNW_PI / 4);
            int k = count < SNW__PARTNERS ? count++ : SNW__PARTNERS;
            for (; k > 0 && cost[k - 1] > off; k--)
                if (k < SNW__PARTNERS) {
                    cost[k] = cost[k - 1];
                    t->partner[a][k] = t->partner[a][k - 1];
                }
            if (k == SNW__PARTNERS) continue;
            cost[k] = off;
            t->partner[a][k] = b;
        }
        for (; count < SNW__PARTNERS; count++)
            t->partner[a][count] = -1;
    }
}

snw_status snw__centroid_tracker_create(const snw__centroid_sizes *sizes,
                                        const snw_allocator *allocator, snw__centroid_tracker **out,
                                        snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__centroid_tracker *t = snw__allocate(&memory, sizeof *t);
    snw__block block;
    *out = NULL;
    if (!t) return snw__fail_memory(error, sizeof *t, "a tracker of centroids");
    t->cameras = sizes->cameras;
    t->sigma = sizes->sigma;
    t->seconds = 1 / sizes->rate;
    t->camera_count = sizes->cameras->count;
    t->centroid_max = sizes->centroid_max;
    t->track_max = 2 * sizes->centroid_max + SNW__SAMPLES_LOOK;
    t->candidate_max = sizes->centroid_max < UINT16_MAX / SNW__TRACK_VIEWS
                           ? SNW__TRACK_VIEWS * sizes->centroid_max
                           : UINT16_MAX;
    t->allocator = memory;
    snw_status status =
        snw__block_create(&block, lay_out, t, &memory, "a tracker of centroids", error);
    if (status != SNW_OK) {
        snw__release(&memory, t, sizeof *t);
        return status;
    }
    t->block = block;
    for (int c = 0; c < t->camera_count; c++) {
        t->eye[c] = snw__eye_of(t->cameras->camera + c);
        t->eye[c].is_used = !sizes->is_left_out || !sizes->is_left_out[c];
    }
    choose_partners(t);
    *out = t;
    return SNW_OK;
}

void snw__centroid_tracker_destroy(snw__centroid_tracker *t)
{
    if (!t) return;
    snw_allocator memory = t->allocator;
    snw__block_release(&memory, &t->block);
    snw__release(&memory, t, sizeof *t);
}

/* ---- what is expected --------------------------------------------------------------------- */

static void predict(snw__centroid_track *track, double dt)
{
    double *p = track->spread, q = SNW__ACCELERATION * SNW__ACCELERATION * dt * dt;
    track->place = snw_vec3_add_scaled(track->place, dt, track->velocity);
    p[0] += 2 * dt * p[1] + dt * dt * p[2] + dt * dt * q / 4;
    p[1] += dt * p[2] + dt * q / 2;
    p[2] += q;
    track->view_count = 0;
    track->wait++;
}

/* The filter's answer to a place that was seen from here with a variance. */
static void correct(snw__centroid_track *track, snw_vec3 seen, double variance)
{
    double *p = track->spread, gain = p[0] / (p[0] + variance), turn = p[1] / (p[0] + variance);
    snw_vec3 off = snw_vec3_sub(seen, track->place);
    track->place = snw_vec3_add_scaled(track->place, gain, off);
    track->velocity = snw_vec3_add_scaled(track->velocity, turn, off);
    p[2] -= turn * p[1];
    p[1] -= gain * p[1];
    p[0] -= gain * p[0];
}

void snw__centroid_keep(snw__centroid_track *track, const snw__centroid_fit *fit)
{
    const double *c = fit->covariance;
    double variance = (c[0] + c[3] + c[5]) / 3;
    track->seen = fit->place;
    track->residual = fit->residual;
    track->view_count = fit->count;
    for (int n = 0; n < fit->count; n++) {
        track->camera[n] = fit->camera[n];
        track->detection[n] = fit->seen[n]->detection;
    }
    if (!track->seen_frames++) track->spread[0] = variance;
    correct(track, fit->place, variance);
    track->wait = 0;
}

/* ---- whose centroid is whose ---------------------------------------------------------------- */

/* Free, or nearer to this track than to its owner. */
static bool takes_better(const snw__centroid *centroid, double off2, const void *context)
{
    const double *scale2 = context; /* a variance of what the track expects */
    return off2 / *scale2 < centroid->off2;
}

static bool takes_any(const snw__centroid *centroid, double off2, const void *context)
{
    (void)centroid;
    (void)off2;
    (void)context;
    return true;
}

static bool is_old(const snw__centroid_tracker *t, const snw__centroid_track *track)
{
    return track->seen_frames * t->seconds >= SNW__BRIEF;
}

/* A track chooses in a camera; whom it drives away, or -1. */
static int choose(snw__centroid_tracker *t, int camera, int index)
{
    const snw__centroid_track *track = t->track + index;
    snw__picture *picture = t->picture + camera;
    double at[2], z = snw__eye_look(t->eye + camera, track->place, at);
    t->claim[index] = -1;
    if (!(z > 0) || !picture->count) return -1;
    double sigma = t->sigma / t->cameras->camera[camera].focal_x;
    double scale2 = sigma * sigma + track->spread[0] / (z * z);
    double radius = SNW__UNUSUAL * sqrt(scale2);
    int found = snw__picture_nearest(picture, at, radius, takes_better, &scale2);
    if (found < 0) {
        int other = snw__picture_nearest(picture, at, radius, takes_any, NULL);
        if (other >= 0 && is_old(t, track)) picture->centroid[other].is_shared = true;
        return -1;
    }
    snw__centroid *centroid = picture->centroid + found;
    int before = centroid->owner;
    double dx = centroid->x - at[0], dy = centroid->y - at[1];
    centroid->owner = index;
    centroid->off2 = (dx * dx + dy * dy) / scale2;
    t->claim[index] = found;
    return before;
}

/* All tracks of an age choose; later ones find what the earlier left. */
static void match_camera(snw__centroid_tracker *t, int camera)
{
    for (int age = 1; age >= 0; age--) {
        for (int n = 0; n < t->track_count; n++) {
            if (is_old(t, t->track + n) != (age == 1)) continue;
            int next = n;
            while (next >= 0)
                next = choose(t, camera, next);
        }
        for (int n = 0; n < t->picture[camera].count; n++) { /* what is taken stays taken */
            snw__centroid *centroid = t->picture[camera].centroid + n;
            if (centroid->owner >= 0) centroid->off2 = -1;
        }
    }
    for (int n = 0; n < t->track_count; n++) {
        snw__centroid_fit *fit = t->fit + n;
        if (t->claim[n] < 0 || fit->count == SNW__TRACK_VIEWS) continue;
        fit->camera[fit->count] = camera;
        fit->seen[fit->count++] = t->picture[camera].centroid + t->claim[n];
    }
}

/* ---- a frame ------------------------------------------------------------------------------ */

/* Centroids that are shared go last, and out where two others remain. */
static void leave_shared_out(snw__centroid_fit *fit)
{
    int count = 0;
    for (int n = 0; n < fit->count; n++) {
        int camera = fit->camera[n];
        snw__centroid *seen = fit->seen[n];
        if (seen->is_shared) continue;
        fit->camera[n] = fit->camera[count];
        fit->seen[n] = fit->seen[count];
        fit->camera[count] = camera;
        fit->seen[count++] = seen;
    }
    if (count >= 2) fit->count = count;
}

/* The only camera that sees a marker keeps it across its ray. */
static void follow_ray(snw__centroid_tracker *t, snw__centroid_track *track,
                       const snw__centroid_fit *fit)
{
    const snw__eye *eye = t->eye + fit->camera[0];
    const snw__centroid *seen = fit->seen[0];
    snw_vec3 local = snw_vec3_make(seen->x, seen->y, 1);
    snw_vec3 ray = snw_mat3_apply(snw_mat3_transpose(eye->turn), local);
    ray = snw_vec3_unit(ray, ray);
    double depth = snw_vec3_dot(snw_vec3_sub(track->place, eye->place), ray);
    double before = track->spread[0];
    correct(track, snw_vec3_add_scaled(eye->place, depth, ray), seen->variance * depth * depth);
    track->spread[0] = before; /* along the ray nothing is known better */
    track->view_count = 1;
    track->camera[0] = fit->camera[0];
    track->detection[0] = seen->detection;
}

/* A track that nobody confirms ends; the last one takes its place. */
static void end_tracks(snw__centroid_tracker *t)
{
    for (int n = 0; n < t->track_count; n++) {
        const snw__centroid_track *track = t->track + n;
        bool is_lost =
            track->wait * t->seconds > (is_old(t, track) ? SNW__BRIEF : 2 * t->seconds) ||
            !(track->spread[0] < SNW__MARKER_APART * SNW__MARKER_APART) ||
            !snw_vec3_is_finite(track->place);
        if (track->wait && is_lost) t->track[n--] = t->track[--t->track_count];
    }
}

void snw__centroid_step(snw__centroid_tracker *t, const snw_views *views, int frame)
{
    snw__pictures_load(t, views, frame);
    end_tracks(t);
    for (int n = 0; n < t->track_count; n++) {
        predict(t->track + n, t->seconds);
        t->fit[n].count = 0;
        t->fit[n].place = t->track[n].place;
    }
    for (int c = 0; c < t->camera_count; c++)
        match_camera(t, c);
    for (int n = 0; n < t->track_count; n++) {
        snw__centroid_fit *fit = t->fit + n;
        snw__centroid_track *track = t->track + n;
        leave_shared_out(fit);
        bool was_one = fit->count == 1;
        if (snw__centroid_fit_place(t->eye, fit))
            snw__centroid_keep(track, fit);
        else if (was_one)
            follow_ray(t, track, fit);
    }
    snw__centroid_find_new(t);
}

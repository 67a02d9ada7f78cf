/* New markers: centroids of several cameras that nobody owns and whose rays meet.
 *
 * Two rays meet only where they lie in one plane with the line between their cameras (the epipolar
 * plane): the rays of both cameras are sorted by the angle of their planes, and run through side by
 * side. A meeting is looked for in the other cameras' pictures. What most cameras confirm comes
 * first and takes its centroids away from the rest; what two cameras alone see counts only where no
 * other pairing of its centroids is possible. Work grows with cameras and with centroids times
 * their logarithm, as long as a camera has a fixed number of partners and few rays share a plane.
 */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "view/centroid.h"

enum {
    NEW_SURE = 4 /* cameras that see a point: no accident, it need not wait for better ones */
};

static bool takes_free(const snw__centroid *centroid, double off2, const void *context)
{
    (void)off2;
    (void)context;
    return centroid->owner < 0;
}

static int by_angle(const void *a, const void *b)
{
    double x = ((const snw__epipolar *)a)->angle, y = ((const snw__epipolar *)b)->angle;
    return (x > y) - (x < y);
}

static int by_worth(const void *a, const void *b)
{
    const snw__ranked *x = a, *y = b;
    return x->worth != y->worth ? (x->worth < y->worth) - (x->worth > y->worth)
                                : (x->index > y->index) - (x->index < y->index);
}

static snw_vec3 ray_of(const snw__eye *eye, const snw__centroid *centroid)
{
    snw_vec3 local = snw_vec3_make(centroid->x, centroid->y, 1);
    return snw_mat3_apply(snw_mat3_transpose(eye->turn), local);
}

/* Free centroids of a camera by the angle of their epipolar planes about `along`, from `across`. */
static int list_rays(const snw__centroid_tracker *t, int camera, snw_vec3 along, snw_vec3 across,
                     snw__epipolar *out)
{
    const snw__eye *eye = t->eye + camera;
    const snw__picture *picture = t->picture + camera;
    snw_vec3 third = snw_vec3_cross(along, across);
    int count = 0;
    for (int n = 0; n < picture->count; n++) {
        const snw__centroid *centroid = picture->centroid + n;
        if (centroid->owner >= 0) continue;
        snw_vec3 ray = ray_of(eye, centroid);
        double x = snw_vec3_dot(ray, across), y = snw_vec3_dot(ray, third);
        double away = snw__hypot(x, y);
        if (!(away > SNW__SINGLE)) continue; /* along the baseline */
        out[count++] =
            (snw__epipolar){snw__atan2(y, x), SNW__UNUSUAL * sqrt(centroid->variance) / away, n};
    }
    qsort(out, (size_t)count, sizeof *out, by_angle);
    return count;
}

/* Other cameras that see a free centroid where the meeting is. */
static void look_around(const snw__centroid_tracker *t, snw__centroid_fit *fit)
{
    for (int c = 0; c < t->camera_count && fit->count < SNW__TRACK_VIEWS; c++) {
        double at[2];
        if (c == fit->camera[0] || c == fit->camera[1] || !t->picture[c].count) continue;
        if (!(snw__eye_look(t->eye + c, fit->place, at) > 0)) continue;
        double radius = SNW_SIGHTING_FAR * t->sigma / t->cameras->camera[c].focal_x;
        int found = snw__picture_nearest(t->picture + c, at, radius, takes_free, NULL);
        if (found < 0) continue;
        fit->camera[fit->count] = c;
        fit->seen[fit->count++] = t->picture[c].centroid + found;
    }
}

static void start_track(snw__centroid_tracker *t, const snw__centroid_fit *fit)
{
    if (t->track_count == t->track_max) return;
    snw__centroid_track *track = t->track + t->track_count++;
    double speed = SNW__SPRINT / SNW__UNUSUAL;
    *track = (snw__centroid_track){.number = t->next_number++};
    track->spread[2] = speed * speed;
    track->place = fit->place;
    for (int n = 0; n < fit->count; n++)
        fit->seen[n]->owner = t->track_count - 1;
    snw__centroid_keep(track, fit);
}

static bool is_free(const snw__centroid_fit *fit)
{
    for (int n = 0; n < fit->count; n++)
        if (fit->seen[n]->owner >= 0) return false;
    return true;
}

/* Where the rays of a pair of centroids meet, seen by whoever else. */
static void consider(snw__centroid_tracker *t, const int camera[2], const int centroid[2])
{
    snw__meeting meeting;
    snw__centroid_fit fit;
    snw_vec3 ray[2];
    for (int k = 0; k < 2; k++) {
        snw__centroid *seen = t->picture[camera[k]].centroid + centroid[k];
        if (seen->owner >= 0) return;
        ray[k] = snw_vec3_unit(ray_of(t->eye + camera[k], seen), snw_vec3_make(0, 0, 1));
        fit.camera[k] = camera[k];
        fit.seen[k] = seen;
    }
    if (!snw__rays_meet(t->eye[camera[0]].place, ray[0], t->eye[camera[1]].place, ray[1], &meeting))
        return;
    fit.count = 2;
    fit.place = meeting.place;
    look_around(t, &fit);
    if (!snw__centroid_fit_place(t->eye, &fit)) return;
    double deviation = sqrt(fit.covariance[0] + fit.covariance[3] + fit.covariance[5]);
    if (!(deviation < SNW__MARKER_APART)) return; /* nearly along both rays */
    if (fit.count >= NEW_SURE) {
        start_track(t, &fit);
    } else if (t->candidate_count < t->candidate_max) {
        t->rank[t->candidate_count] =
            (snw__ranked){fit.count - fit.residual / SNW_SIGHTING_FAR, t->candidate_count};
        t->candidate[t->candidate_count++] = fit;
    }
}

static void pair(snw__centroid_tracker *t, int a, int b)
{
    const int camera[2] = {a, b};
    int count[2], from = 0;
    snw_vec3 along = snw_vec3_sub(t->eye[b].place, t->eye[a].place);
    if (!(snw_vec3_length(along) > SNW__SINGLE)) return;
    along = snw_vec3_unit(along, along);
    /* Angles count from where camera a looks: they jump behind it. */
    snw_vec3 ahead =
        snw_vec3_make(t->eye[a].turn.m[2][0], t->eye[a].turn.m[2][1], t->eye[a].turn.m[2][2]);
    snw_vec3 across = snw_vec3_unit(snw_vec3_add_scaled(ahead, -snw_vec3_dot(ahead, along), along),
                                    snw_vec3_perpendicular(along));
    for (int k = 0; k < 2; k++)
        count[k] = list_rays(t, camera[k], along, across, t->epipolar[k]);
    double widest = 0;
    for (int n = 0; n < count[1]; n++)
        widest = fmax(widest, t->epipolar[1][n].tolerance);
    for (int n = 0; n < count[0]; n++) {
        const snw__epipolar *one = t->epipolar[0] + n;
        while (from < count[1] && t->epipolar[1][from].angle < one->angle - one->tolerance - widest)
            from++;
        for (int m = from; m < count[1]; m++) {
            const snw__epipolar *other = t->epipolar[1] + m;
            if (other->angle > one->angle + one->tolerance + widest) break;
            if (fabs(other->angle - one->angle) > one->tolerance + other->tolerance) continue;
            consider(t, camera, (int[]){one->centroid, other->centroid});
        }
        /* Tolerances differ: the next one may begin earlier. */
        while (from > 0 && n + 1 < count[0] &&
               t->epipolar[1][from - 1].angle >=
                   t->epipolar[0][n + 1].angle - t->epipolar[0][n + 1].tolerance - widest)
            from--;
    }
}

void snw__centroid_find_new(snw__centroid_tracker *t)
{
    t->candidate_count = 0;
    for (int a = 0; a < t->camera_count; a++)
        for (int k = 0; k < SNW__PARTNERS; k++)
            if (t->partner[a][k] > a) pair(t, a, t->partner[a][k]);
    qsort(t->rank, (size_t)t->candidate_count, sizeof *t->rank, by_worth);
    int n = 0;
    for (; n < t->candidate_count && t->candidate[t->rank[n].index].count > 2; n++)
        if (is_free(t->candidate + t->rank[n].index))
            start_track(t, t->candidate + t->rank[n].index);
    for (int m = n; m < t->candidate_count; m++) {
        const snw__centroid_fit *fit = t->candidate + t->rank[m].index;
        for (int k = 0; k < 2 && is_free(fit); k++)
            fit->seen[k]->candidate_count++;
    }
    for (int m = n; m < t->candidate_count; m++) {
        const snw__centroid_fit *fit = t->candidate + t->rank[m].index;
        if (is_free(fit) && fit->seen[0]->candidate_count == 1 &&
            fit->seen[1]->candidate_count == 1)
            start_track(t, fit);
    }
}

/* The likeliest path of a point: all pictures of all frames together, and what people do.
 *
 *     min sum over sightings rho(|pixel - seen| / sigma) + sum over frames |second difference|^2 /
 * s^2
 *
 * with rho of Geman & McClure, and s the acceleration of hands and feet over the squared rate: no
 * filter, but the one thing that is known of a joint besides its pictures. Sightings that
 * contradict the others and what came before and after count nothing. Gauss-Newton steps on a band
 * matrix; the scale of rho shrinks from eight times to once, by halves (graduated non-convexity,
 * Blake & Zisserman 1987). Work grows with frames times cameras. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/order.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "view/band.h"
#include "view/people.h"

/* One step; the largest move. */
static double step(snw__viewing *v, snw__view_person *person, int point, double scale2,
                   double precision)
{
    int count = person->last - person->first + 1;
    snw_vec3 *place = person->place + (int64_t)point * v->views->frame_count + person->first;
    memset(v->row, 0, (size_t)(3 * count) * sizeof *v->row);
    memset(v->right, 0, (size_t)(3 * count) * sizeof *v->right);
    for (int n = 0; n < count; n++) {
        int frame = person->first + n;
        snw_vec3 here = person->place[(int64_t)point * v->views->frame_count + frame];
        snw__normal normal = {{0}, {0, 0, 0}};
        for (int k = v->seen_first[frame]; k < v->seen_first[frame + 1]; k++)
            snw__eye_add(&normal, v->eye + v->seen[k].camera, &v->seen[k].flat, here, scale2);
        const double pull[3] = {normal.pull.x, normal.pull.y, normal.pull.z};
        for (int i = 0, m = 0; i < 3; i++) {
            v->right[3 * n + i] += pull[i];
            for (int k = i; k < 3; k++)
                v->row[3 * n + k][k - i] += normal.information[m++];
        }
        if (n > 0 && n < count - 1) {
            /* Adds |x[f-1] - 2 x[f] + x[f+1]|^2 / s^2 at frame n of the equations. */
            static const double part[3] = {1, -2, 1};
            snw_vec3 off =
                snw_vec3_add(snw_vec3_add_scaled(place[n - 1], -2, place[n]), place[n + 1]);
            const double e[3] = {off.x, off.y, off.z};
            for (int k = 0; k < 3; k++)
                for (int a = 0; a < 3; a++) {
                    int at = 3 * (n - 1 + a) + k;
                    v->right[at] -= precision * part[a] * e[k];
                    for (int b = 0; b <= a; b++)
                        v->row[at][3 * (a - b)] += precision * part[a] * part[b];
                }
        }
        for (int k = 0; k < 3; k++) /* nothing seen and no neighbour: it stays */
            v->row[3 * n + k][0] += SNW__SINGLE * precision;
    }
    if (!snw__band_solve(v->row, v->right, 3 * count)) return 0;
    double most = 0;
    for (int n = 0; n < count; n++) {
        const double *move = v->right + 3 * n;
        snw_vec3 by = snw_vec3_make(move[0], move[1], move[2]);
        double far = snw_vec3_length(by);
        if (!isfinite(far)) return 0;
        if (far > SNW__ELSEWHERE) by = snw_vec3_scale(by, SNW__ELSEWHERE / far);
        place[n] = snw_vec3_add(place[n], by);
        most = fmax(most, far);
    }
    return most;
}

/* What all cameras saw of a point, without their lenses. */
static void gather(snw__viewing *v, const snw__view_person *person, int point)
{
    int count = 0;
    for (int f = 0; f < v->views->frame_count; f++) {
        v->seen_first[f] = count;
        for (int c = 0; c < v->views->camera_count; c++) {
            snw_sighting seen;
            double at[2], stretch;
            if (!snw__view_sighting(v, person, point, c, f, &seen) ||
                !snw__camera_flatten(v->cameras->camera + c, seen.pixel, at, &stretch))
                continue;
            double sigma = seen.sigma * stretch;
            v->seen[count++] = (snw__path_sight){c, {at[0], at[1], 1 / (sigma * sigma)}};
        }
    }
    v->seen_first[v->views->frame_count] = count;
}

void snw__view_paths(snw__viewing *v, snw__view_person *person)
{
    const snw_views *views = v->views;
    double rate = views->rate > 0 ? views->rate : 1;
    double s = (v->options.is_smooth ? SNW__GRAVITY : SNW__ACCELERATION) / (rate * rate);
    for (int c = 0; c < views->camera_count; c++)
        v->eye[c] = snw__eye_of(v->cameras->camera + c);
    for (int p = 0; p < views->point_count; p++) {
        snw_vec3 *place = person->place + (int64_t)p * views->frame_count;
        const bool *is_placed = person->is_placed + (int64_t)p * views->frame_count;
        /* Frames before the first and after the last known one take its place, those between lie on
         * a line. */
        int first = person->first;
        int last = person->last;
        int known = -1;
        for (int f = first; f <= last; f++) {
            if (!is_placed[f]) continue;
            for (int k = known < 0 ? first : known + 1; k < f; k++)
                place[k] = known < 0 ? place[f]
                                     : snw_vec3_lerp(place[known], place[f],
                                                     (double)(k - known) / (f - known));
            known = f;
        }
        for (int k = known + 1; known >= 0 && k <= last; k++)
            place[k] = place[known];
        if (known < 0) continue;
        gather(v, person, p);
        double scale2 = 64 * SNW__SIGHTING_SCALE2;
        for (int n = 0; n < SNW__ROUNDS_LINEAR; n++) {
            double most = step(v, person, p, scale2, 1 / (s * s));
            if (scale2 <= SNW__SIGHTING_SCALE2 && most < SNW__NOISE_MIN) break;
            scale2 = fmax(SNW__SIGHTING_SCALE2, 0.25 * scale2);
        }
    }
}

/* ---- cameras ------------------------------------------------------------------------------ */

double snw__view_camera_residual(snw__viewing *v, int camera, int stride)
{
    const snw_views *views = v->views;
    int count = 0;
    for (int n = 0; n < v->person_count; n++)
        for (int f = v->person[n].first; f <= v->person[n].last; f += stride)
            for (int p = 0; p < views->point_count; p++) {
                snw__view_person *one = v->person + n;
                int64_t at = (int64_t)p * views->frame_count + f;
                snw_sighting seen;
                if (!one->is_placed[at] || !snw__view_sighting(v, one, p, camera, f, &seen))
                    continue;
                double off =
                    seen.sigma * sqrt(snw__sighting_off2(v->cameras, &seen, one->place[at]));
                if (isfinite(off)) v->sorted[count++] = off;
            }
    v->report.sighting_count += count;
    return count ? snw__median(v->sorted, count) : 0;
}

void snw__view_fit_camera(snw__viewing *v, int camera)
{
    snw_camera *at = v->cameras->camera + camera;
    double scale2 = 64 * SNW__SIGHTING_SCALE2;
    for (int round = 0; round < SNW__ROUNDS_LINEAR; round++) {
        snw__camera_equations e = {{{0}}, {0}};
        for (int n = 0; n < v->person_count; n++)
            for (int f = v->person[n].first; f <= v->person[n].last; f++)
                for (int p = 0; p < v->views->point_count; p++) {
                    snw__view_person *one = v->person + n;
                    int64_t k = (int64_t)p * v->views->frame_count + f;
                    snw_sighting seen;
                    if (one->is_placed[k] && snw__view_sighting(v, one, p, camera, f, &seen))
                        snw__camera_equations_add(&e, at, one->place[k], &seen, scale2);
                }
        if (!snw__camera_equations_step(&e, at)) return;
        scale2 = fmax(SNW__SIGHTING_SCALE2, 0.5 * scale2);
    }
}

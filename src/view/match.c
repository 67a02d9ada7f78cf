/* Who is who: detections of the cameras become people.
 *
 * Frame after frame, each person that is known takes in every camera the detection that lies
 * nearest to where it was; what is left over becomes new people by pairs of detections whose rays
 * meet. Distances are metres at the person, so that nothing depends on lenses and resolutions, and
 * are cut off: a few wrong points do not decide. No subsets of cameras are enumerated: work grows
 * with detections times people, and with pairs of detections that belong to nobody. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "math/robust.h"
#include "person/movement.h"
#include "view/people.h"

/* Points that two detections must have in common: half an arm and a trunk. */
enum {
    MATCH_POINTS = 5
};

static const snw_keypoint *points_of(const snw__viewing *v, int detection)
{
    return v->keypoint + (int64_t)detection * v->views->point_count;
}

double snw__keypoint_sigma(const snw_camera *camera, const snw_vec3 *place, double confidence)
{
    double depth = 1, share = fmax(SNW__RARELY, fmin(1, confidence));
    if (place) depth = fmax(SNW__ELSEWHERE, snw_xform_point(camera->camera_from_world, *place).z);
    return SNW__SKIN * camera->focal_x / (depth * sqrt(share));
}

bool snw__view_sighting(const snw__viewing *v, const snw__view_person *person, int point,
                        int camera, int frame, snw_sighting *out)
{
    int detection = person->detection[(int64_t)camera * v->views->frame_count + frame];
    if (detection < 0 || !isfinite(v->camera_scale[camera])) return false;
    const snw_keypoint *seen = points_of(v, detection) + point;
    if (!(seen->confidence > 0) || !isfinite(seen->x) || !isfinite(seen->y)) return false;
    const snw_camera *at = v->cameras->camera + camera;
    int64_t n = (int64_t)point * v->views->frame_count + frame;
    double sigma = snw__keypoint_sigma(at, person->is_placed[n] ? person->place + n : NULL,
                                       (double)seen->confidence);
    *out = (snw_sighting){camera, {seen->x, seen->y}, v->camera_scale[camera] * sigma};
    return true;
}

/* ---- known people ------------------------------------------------------------------------- */

/* Mean distance, at the person, of a detection's points from those of a person in the frame where
 * it was last seen; of one chain of limbs alone where parts are asked for, with left and right
 * exchanged or not. Infinite where they have too little in common. */
typedef struct match_question {
    const snw__viewing *v;
    const snw__view_person *person;
    int frame; /* of the person's places */
    int camera, detection;
    bool is_exchanged;
    bool (*takes)(const snw_label *label); /* NULL: all points */
} match_question;

static double distance_of(const match_question *q, int least)
{
    const snw__viewing *v = q->v;
    const snw_camera *camera = v->cameras->camera + q->camera;
    const snw_keypoint *seen = points_of(v, q->detection);
    double sum = 0;
    int count = 0;
    for (int p = 0; p < v->views->point_count; p++) {
        int from = q->is_exchanged && v->mirror[p] >= 0 ? v->mirror[p] : p;
        int64_t n = (int64_t)p * v->views->frame_count + q->frame;
        double pixel[2];
        if (!(seen[from].confidence > 0) || !q->person->is_placed[n]) continue;
        if (q->takes && !q->takes(v->label + p)) continue;
        if (!snw_camera_project(camera, q->person->place[n], pixel)) return INFINITY;
        double depth = snw_xform_point(camera->camera_from_world, q->person->place[n]).z;
        double off =
            snw__hypot(pixel[0] - seen[from].x, pixel[1] - seen[from].y) * depth / camera->focal_x;
        sum += isfinite(off) ? fmin(off, 2 * SNW__ELSEWHERE) : 2 * SNW__ELSEWHERE;
        count++;
    }
    return count >= least ? sum / count : INFINITY;
}

double snw__view_distance(const snw__viewing *v, const snw__view_person *person, int camera,
                          int frame, int detection)
{
    return distance_of(&(match_question){v, person, frame, camera, detection, false, NULL},
                       MATCH_POINTS);
}

static void give(snw__viewing *v, int person, int camera, int frame, int detection)
{
    v->person[person].detection[(int64_t)camera * v->views->frame_count + frame] = detection;
    v->owner[detection] = person;
    v->person[person].sighting_count++;
}

/* In one camera: the nearest pair of person and detection, then the next. */
static void match_camera(snw__viewing *v, int camera, int frame, int first_person)
{
    const snw_views *views = v->views;
    double recent = views->rate > 0 ? SNW__SKIN_SECONDS * views->rate : SNW__SAMPLES_MIN;
    for (;;) {
        double best = SNW__ELSEWHERE;
        int person = -1, detection = -1;
        for (int p = first_person; p < v->person_count; p++) {
            const snw__view_person *one = v->person + p;
            if (one->detection[(int64_t)camera * views->frame_count + frame] >= 0) continue;
            if (frame - one->last > recent) continue;
            for (int d = snw__view_first(views, camera, frame);
                 d < snw__view_end(views, camera, frame); d++) {
                if (v->owner[d] >= 0) continue;
                double off = distance_of(
                    &(match_question){v, one, one->last, camera, d, false, NULL}, MATCH_POINTS);
                if (!(off < best)) continue;
                best = off;
                person = p;
                detection = d;
            }
        }
        if (person < 0) return;
        give(v, person, camera, frame, detection);
    }
}

/* ---- left and right ----------------------------------------------------------------------- */

static bool is_leg(const snw_label *label)
{
    return label->part == SNW_PART_UPLEG || label->part == SNW_PART_LEG ||
           label->part == SNW_PART_FOOT || label->part == SNW_PART_TOE ||
           (label->part == SNW_PART_HIPS && label->side != SNW_SIDE_NONE);
}

static bool is_arm(const snw_label *label)
{
    return label->side != SNW_SIDE_NONE && !is_leg(label) && label->part != SNW_PART_HEAD;
}

/* ---- new people --------------------------------------------------------------------------- */

/* Mean distance of the rays of two detections, cut off; infinite where few points are common. */
static double pair_distance(const snw__viewing *v, const int camera[2], const int detection[2],
                            snw__view_person *into, int frame)
{
    const snw_keypoint *a = points_of(v, detection[0]), *b = points_of(v, detection[1]);
    const snw_camera *at[2] = {v->cameras->camera + camera[0], v->cameras->camera + camera[1]};
    double sum = 0;
    int count = 0;
    for (int p = 0; p < v->views->point_count; p++) {
        snw_vec3 ray[2];
        snw__meeting meeting;
        if (!(a[p].confidence > 0) || !(b[p].confidence > 0)) continue;
        bool is_met = snw_camera_ray(at[0], (double[2]){a[p].x, a[p].y}, ray) &&
                      snw_camera_ray(at[1], (double[2]){b[p].x, b[p].y}, ray + 1) &&
                      snw__rays_meet(snw_camera_place(at[0]), ray[0], snw_camera_place(at[1]),
                                     ray[1], &meeting);
        sum += is_met ? fmin(meeting.apart, SNW__ELSEWHERE) : SNW__ELSEWHERE;
        count++;
        if (!into) continue;
        int64_t n = (int64_t)p * v->views->frame_count + frame;
        into->is_placed[n] = is_met && meeting.apart < SNW__ELSEWHERE;
        if (is_met) into->place[n] = meeting.place;
    }
    return count >= MATCH_POINTS ? sum / count : INFINITY;
}

/* The nearest pair of detections that belong to nobody becomes a person, whom other cameras may see
 * too. False: there is none. */
static bool add_person(snw__viewing *v, int frame)
{
    const snw_views *views = v->views;
    double best = SNW__HALF * SNW__ELSEWHERE;
    int camera[2] = {-1, -1}, detection[2] = {-1, -1};
    for (int a = 0; a < views->camera_count; a++)
        for (int d = snw__view_first(views, a, frame); d < snw__view_end(views, a, frame); d++)
            for (int b = a + 1; v->owner[d] < 0 && b < views->camera_count; b++)
                for (int e = snw__view_first(views, b, frame); e < snw__view_end(views, b, frame);
                     e++) {
                    if (v->owner[e] >= 0) continue;
                    const int cameras[2] = {a, b}, pair[2] = {d, e};
                    double off = pair_distance(v, cameras, pair, NULL, frame);
                    if (!(off < best)) continue;
                    best = off;
                    memcpy(camera, cameras, sizeof camera);
                    memcpy(detection, pair, sizeof detection);
                }
    if (camera[0] < 0 || v->person_count == v->person_max) return false;
    int person = v->person_count++;
    snw__view_person *one = v->person + person;
    one->first = one->last = frame;
    pair_distance(v, camera, detection, one, frame);
    for (int k = 0; k < 2; k++)
        give(v, person, camera[k], frame, detection[k]);
    for (int c = 0; c < views->camera_count; c++)
        match_camera(v, c, frame, person);
    return true;
}

/* ---- a frame ------------------------------------------------------------------------------ */

/* Where the person's points are in this frame, from all cameras that see it; where they were where
 * they are not seen. */
static void place_person(snw__viewing *v, snw__view_person *one, int frame)
{
    const snw_views *views = v->views;
    int cameras = 0, last = one->last;
    for (int c = 0; c < views->camera_count; c++)
        cameras += one->detection[(int64_t)c * views->frame_count + frame] >= 0;
    if (cameras < 2) return;
    one->frame_count++;
    one->camera_sum += cameras;
    one->last = frame;
    for (int p = 0; p < views->point_count; p++) {
        int64_t now = (int64_t)p * views->frame_count + frame;
        int64_t before = (int64_t)p * views->frame_count + last;
        snw_sighting sighting[32];
        snw_triangulated found;
        int count = 0;
        if (frame != last) {
            one->is_placed[now] = one->is_placed[before];
            one->place[now] = one->place[before];
        }
        for (int c = 0; c < views->camera_count && count < 32; c++)
            count += snw__view_sighting(v, one, p, c, frame, sighting + count);
        /* A start for the paths: a millimetre is enough. */
        const snw__sightings seen = {sighting, count};
        if (snw__triangulate(v->cameras, &seen, one->is_placed[now] ? &one->place[now] : NULL,
                             SNW__NOISE_POOR, &found)) {
            one->place[now] = found.place;
            one->is_placed[now] = true;
        }
    }
}

void snw__view_match(snw__viewing *v)
{
    const snw_views *views = v->views;
    for (int f = 0; f < views->frame_count; f++) {
        for (int c = 0; c < views->camera_count; c++)
            match_camera(v, c, f, 0);
        for (int p = 0; p < v->person_count; p++)
            for (int c = 0; c < views->camera_count; c++) {
                int d = v->person[p].detection[(int64_t)c * views->frame_count + f];
                if (d >= 0) {
                    /* Detectors take a far leg for the near one: a limb that lies much nearer to
                     * the other one's place of a moment ago is the other one. */
                    bool (*const limb[])(const snw_label *) = {is_leg, is_arm};
                    const snw__view_person *one = v->person + p;
                    for (int n = 0; n < 2; n++) {
                        match_question q = {v, one, one->last, c, d, false, limb[n]};
                        double as_it_is = distance_of(&q, 2);
                        q.is_exchanged = true;
                        double exchanged = distance_of(&q, 2);
                        if (!(exchanged < SNW__HALF * as_it_is) || !isfinite(as_it_is)) continue;
                        snw_keypoint *seen = v->keypoint + (int64_t)d * v->views->point_count;
                        for (int k = 0; k < v->views->point_count; k++) {
                            int m = v->mirror[k];
                            if (m <= k || !limb[n](v->label + k)) continue;
                            snw_keypoint kept = seen[k];
                            seen[k] = seen[m];
                            seen[m] = kept;
                        }
                        v->report.exchanged_count++;
                    }
                }
            }
        while (add_person(v, f))
            continue;
        for (int p = 0; p < v->person_count; p++)
            place_person(v, v->person + p, f);
    }
}

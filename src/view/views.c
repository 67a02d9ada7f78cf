/* What the cameras saw, and the whole way from there to joints over time. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "person/regressions.h"
#include "view/band.h"
#include "view/people.h"

enum {
    VIEW_PEOPLE_MAX = 64,
    VIEW_CAMERA_ROUNDS = 3 /* of points, then cameras: each halves what is left and more */
};

/* ---- views -------------------------------------------------------------------------------- */

static void lay_out_views(void *object, snw__block *block)
{
    snw_views *views = object;
    size_t frames = snw__size_mul((size_t)views->camera_count, (size_t)views->frame_count);
    size_t seen = snw__size_mul((size_t)views->detection_count, (size_t)views->point_count);
    views->point = snw__block_take(block, (size_t)views->point_count, sizeof *views->point);
    views->first = snw__block_take(block, frames + 1, sizeof *views->first);
    views->keypoint = snw__block_take(block, seen, sizeof *views->keypoint);
}

snw_status snw_views_create(const snw_views_counts *counts, const snw_allocator *allocator,
                            snw_views **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    *out = NULL;
    if (counts->camera_count < 0 || counts->camera_count > SNW_CAMERAS_MAX ||
        counts->frame_count < 0 || counts->point_count < 0 || counts->detection_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "%d cameras, %d frames, %d points and %d detections are no views",
                         counts->camera_count, counts->frame_count, counts->point_count,
                         counts->detection_count);
    snw_views *views = snw__allocate(&memory, sizeof *views);
    if (!views) return snw__fail_memory(error, sizeof *views, "views");
    views->camera_count = counts->camera_count;
    views->frame_count = counts->frame_count;
    views->point_count = counts->point_count;
    views->detection_count = counts->detection_count;
    views->first_frame = 1;
    views->allocator = memory;
    snw_status status = snw__block_create(&block, lay_out_views, views, &memory, "views", error);
    if (status != SNW_OK) {
        snw__release(&memory, views, sizeof *views);
        return status;
    }
    views->block_size = block.size;
    for (int p = 0; p < views->point_count; p++)
        views->point[p] = counts->point[p];
    *out = views;
    return snw__succeed(error);
}

void snw_views_destroy(snw_views *views)
{
    if (!views) return;
    snw_allocator memory = views->allocator;
    snw__release(&memory, (void *)views->point, views->block_size);
    snw__release(&memory, views, sizeof *views);
}

int snw__views_surest(const snw_views *views, int camera, int frame)
{
    double most = 0;
    int best = -1;
    for (int d = snw__view_first(views, camera, frame); d < snw__view_end(views, camera, frame);
         d++) {
        double sum = 0;
        for (int p = 0; p < views->point_count; p++)
            sum += (double)views->keypoint[(int64_t)d * views->point_count + p].confidence;
        if (!(sum > most)) continue;
        most = sum;
        best = d;
    }
    return best;
}

snw_view_options snw_view_options_default(void)
{
    return (snw_view_options){0};
}

/* ---- memory ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw__viewing *v = object;
    const snw_views *views = v->views;
    size_t frames = (size_t)views->frame_count, points = (size_t)views->point_count;
    size_t seen = snw__size_mul((size_t)views->detection_count, points);
    v->keypoint = snw__block_take(block, seen, sizeof *v->keypoint);
    v->sorted = snw__block_take(block, seen + (size_t)views->camera_count, sizeof *v->sorted);
    v->label = snw__block_take(block, points, sizeof *v->label);
    v->mirror = snw__block_take(block, points, sizeof *v->mirror);
    v->owner = snw__block_take(block, (size_t)views->detection_count, sizeof *v->owner);
    v->camera_scale = snw__block_take(block, (size_t)views->camera_count, sizeof *v->camera_scale);
    v->person = snw__block_take(block, (size_t)v->person_max, sizeof *v->person);
    v->eye = snw__block_take(block, (size_t)views->camera_count, sizeof *v->eye);
    v->seen =
        snw__block_take(block, snw__size_mul((size_t)views->camera_count, frames), sizeof *v->seen);
    v->seen_first = snw__block_take(block, frames + 1, sizeof *v->seen_first);
    v->row = snw__block_take(block, 3 * frames, sizeof *v->row);
    v->right = snw__block_take(block, 3 * frames, sizeof *v->right);
    for (int n = 0; n < v->person_max; n++) {
        size_t pictures = snw__size_mul((size_t)views->camera_count, frames);
        int *detection = snw__block_take(block, pictures, sizeof *detection);
        snw_vec3 *place = snw__block_take(block, snw__size_mul(points, frames), sizeof *place);
        bool *is_placed = snw__block_take(block, snw__size_mul(points, frames), sizeof *is_placed);
        if (!v->person) continue; /* measuring */
        v->person[n].detection = detection;
        v->person[n].place = place;
        v->person[n].is_placed = is_placed;
    }
}

/* ---- people that count -------------------------------------------------------------------- */

/* Those seen most first; the others are forgotten. */
static void choose_people(snw__viewing *v)
{
    int least = v->views->camera_count > 2 ? 3 : 2, kept = 0;
    for (int n = 0; n < v->person_count; n++) {
        int best = n;
        for (int k = n + 1; k < v->person_count; k++)
            if (v->person[k].sighting_count > v->person[best].sighting_count) best = k;
        snw__view_person one = v->person[best];
        v->person[best] = v->person[n];
        v->person[n] = one;
        bool is_regular = one.frame_count >= SNW__HALF * v->views->frame_count &&
                          one.camera_sum >= (least - SNW__HALF) * one.frame_count;
        if (v->options.person_max > 0 ? n < v->options.person_max && one.frame_count > 0
                                      : is_regular || (n == 0 && one.frame_count > 0))
            kept = n + 1;
    }
    if (v->person_count > kept && !v->options.person_max)
        snw__note(v->options.notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "%d more %s seen by few cameras or for a short time, and left out",
                  v->person_count - kept,
                  snw__plural(v->person_count - kept, "person is", "people are"));
    v->person_count = kept;
}

/* ---- cameras that were knocked ------------------------------------------------------------ */

static void all_paths(snw__viewing *v)
{
    for (int n = 0; n < v->person_count; n++)
        snw__view_paths(v, v->person + n);
}

/* The median over the cameras of what they are off by. */
static double usual_residual(snw__viewing *v, const double *residual)
{
    int count = 0;
    for (int c = 0; c < v->views->camera_count; c++)
        if (residual[c] > 0) v->sorted[count++] = residual[c];
    return snw__median(v->sorted, count);
}

/* A camera that is off by three times as much as the others stands elsewhere: its place follows
 * from where the others see the people. False: nothing is to be done. */
static bool mend_worst(snw__viewing *v, snw_view_camera *told)
{
    double residual[SNW_CAMERAS_MAX];
    int worst = -1;
    for (int c = 0; c < v->views->camera_count; c++) {
        residual[c] = isfinite(v->camera_scale[c]) ? snw__view_camera_residual(v, c, 1) : 0;
        if (!told[c].is_moved && residual[c] > 0 && (worst < 0 || residual[c] > residual[worst]))
            worst = c;
    }
    if (worst < 0 || !(residual[worst] > SNW__UNUSUAL * usual_residual(v, residual))) return false;
    snw_xform before = v->cameras->camera[worst].camera_from_world;
    v->camera_scale[worst] = INFINITY;
    all_paths(v);
    for (int n = 0; n < VIEW_CAMERA_ROUNDS; n++) {
        v->camera_scale[worst] = 1;
        snw__view_fit_camera(v, worst);
        all_paths(v);
    }
    double after = snw__view_camera_residual(v, worst, 1);
    snw_camera *camera = v->cameras->camera + worst;
    told[worst].is_moved = true;
    snw__camera_moved(camera, before, told + worst);
    if (after < SNW__HALF * residual[worst]) {
        const double off[2] = {residual[worst], after};
        snw__note_camera_moved(v->options.notes, worst, camera, told + worst, off);
        return true;
    }
    told[worst].is_left_out = true;
    camera->camera_from_world = before;
    v->camera_scale[worst] = INFINITY;
    snw__note(v->options.notes, SNW_NOTE_CAMERA_MOVED, snw__at_name(worst, camera->name),
              "camera %s does not fit the others (%.0f pixels off) and is left out", camera->name,
              residual[worst]);
    all_paths(v);
    return true;
}

/* Where one camera was knocked the calibration is not of today: the others are put right too, by as
 * little as they are off. */
static void mend_others(snw__viewing *v, const snw_view_camera *told)
{
    snw_xform before[SNW_CAMERAS_MAX];
    bool is_any = false;
    double most = 0;
    for (int c = 0; c < v->views->camera_count; c++) {
        is_any |= told[c].is_moved && !told[c].is_left_out;
        before[c] = v->cameras->camera[c].camera_from_world;
    }
    if (!is_any) return;
    for (int n = 0; n < VIEW_CAMERA_ROUNDS; n++) {
        for (int c = 0; c < v->views->camera_count; c++)
            if (isfinite(v->camera_scale[c])) snw__view_fit_camera(v, c);
        all_paths(v);
    }
    for (int c = 0; c < v->views->camera_count; c++) {
        snw_view_camera by;
        snw__camera_moved(v->cameras->camera + c, before[c], &by);
        if (!told[c].is_moved) most = fmax(most, by.moved_by);
    }
    if (most > SNW__SKIN)
        snw__note(v->options.notes, SNW_NOTE_CAMERA_MOVED, SNW__NOWHERE,
                  "the other cameras are put right by the motion too, by up to %.0f mm",
                  1000 * most);
}

/* ---- the trial ---------------------------------------------------------------------------- */

/* One standard deviation of a coordinate by the cameras of this frame; negative: fewer than two
 * agree. */
static double deviation_of(snw__viewing *v, const snw__view_person *one, int point, int frame)
{
    snw_vec3 place = one->place[(int64_t)point * v->views->frame_count + frame];
    snw__normal normal = {{0}, {0, 0, 0}};
    int count = 0;
    for (int c = 0; c < v->views->camera_count; c++) {
        snw_sighting seen;
        if (!snw__view_sighting(v, one, point, c, frame, &seen)) continue;
        if (!(snw__sighting_off2(v->cameras, &seen, place) < SNW_SIGHTING_FAR * SNW_SIGHTING_FAR)) {
            v->report.far_count++;
            continue;
        }
        snw__normal_add(&normal, v->cameras, &seen, place, SNW__SIGHTING_SCALE2);
        count++;
    }
    double trace = normal.information[0] + normal.information[3] + normal.information[5];
    if (count < 2 || !(trace > 0)) return -1;
    double a[6];
    memcpy(a, normal.information, sizeof a);
    /* The prior keeps what two cameras in one line see from running away. */
    double det = a[0] * (a[3] * a[5] - a[4] * a[4]) - a[1] * (a[1] * a[5] - a[4] * a[2]) +
                 a[2] * (a[1] * a[4] - a[3] * a[2]);
    double minors =
        a[3] * a[5] - a[4] * a[4] + a[0] * a[5] - a[2] * a[2] + a[0] * a[3] - a[1] * a[1];
    double variance = det > 0 ? minors / det / 3 : INFINITY;
    return fmin(sqrt(variance), SNW__ELSEWHERE);
}

static snw_status make_trial(snw__viewing *v, const snw_allocator *allocator, snw_trial **out,
                             snw_error *error)
{
    const snw_views *views = v->views;
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = v->person_count * views->point_count;
    sizes.frame_count = views->frame_count;
    sizes.rate = views->rate > 0 ? views->rate : 1;
    sizes.metres_per_unit = 1;
    sizes.unit = "m";
    snw_trial *trial = NULL;
    snw_status status = snw_trial_create(&sizes, allocator, &trial, error);
    if (status == SNW_OK) status = snw_trial_need_uncertainty(trial, error);
    for (int m = 0; status == SNW_OK && m < sizes.marker_count; m++) {
        char name[SNW_LABEL_SIZE];
        int person = m / views->point_count, point = m % views->point_count;
        if (v->person_count > 1)
            snw_format(name, sizeof name, "P%d:%s", person + 1, views->point[point]);
        else
            snw_format(name, sizeof name, "%s", views->point[point]);
        status = snw_trial_set_marker_name(trial, m, name, error);
        if (status == SNW_OK) {
            const snw__view_person *one = v->person + person;
            double reach = views->rate > 0 ? SNW__SKIN_SECONDS * views->rate : SNW__SAMPLES_MIN;
            int known = -1;
            for (int f = one->first; f <= one->last; f++) {
                int64_t n = (int64_t)point * views->frame_count + f;
                if (!one->is_placed[n]) continue;
                double deviation = deviation_of(v, one, point, f);
                float *sigma = trial->uncertainty + (int64_t)f * trial->marker_count + m;
                if (deviation > 0) {
                    snw_trial_set(trial, f, m, one->place[n], SNW_SAMPLE_MEASURED);
                    *sigma = (float)deviation;
                    for (int k = known + 1; known >= 0 && k < f && f - known <= reach; k++) {
                        double apart = fmin(k - known, f - k) / reach;
                        snw_trial_set(trial, k, m, one->place[n - (f - k)], SNW_SAMPLE_FILLED);
                        trial->uncertainty[(int64_t)k * trial->marker_count + m] =
                            (float)(deviation + apart * SNW__ELSEWHERE);
                    }
                    known = f;
                }
            }
        }
    }
    if (status == SNW_OK) status = snw_trial_find_kinds(trial, error);
    if (status != SNW_OK) {
        snw_trial_destroy(trial);
        return status;
    }
    trial->first_frame = views->first_frame;
    *out = trial;
    return SNW_OK;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Whom the keypoints as they are now show; false: nobody. */
static bool find_people(snw__viewing *v)
{
    const snw_views *views = v->views;
    for (int d = 0; d < views->detection_count; d++)
        v->owner[d] = -1;
    for (int n = 0; n < v->person_max; n++) {
        snw__view_person *one = v->person + n;
        one->sighting_count = one->frame_count = 0;
        one->camera_sum = 0;
        for (int64_t k = 0; k < (int64_t)views->camera_count * views->frame_count; k++)
            one->detection[k] = -1;
        for (int64_t k = 0; k < (int64_t)views->point_count * views->frame_count; k++)
            one->is_placed[k] = false;
    }
    v->person_count = v->report.exchanged_count = 0;
    snw__view_match(v);
    choose_people(v);
    return v->person_count > 0;
}

/* The same, and their paths: how far pictures are off, in what keypoints usually are; infinite:
 * nobody is there. */
static double find_off(snw__viewing *v)
{
    double residual[SNW_CAMERAS_MAX];
    int stride = 1 + v->views->frame_count / SNW__SAMPLES_LOOK;
    if (!find_people(v)) return INFINITY;
    all_paths(v);
    for (int c = 0; c < v->views->camera_count; c++)
        residual[c] = snw__view_camera_residual(v, c, stride) /
                      snw__keypoint_sigma(v->cameras->camera + c, v->person->place, 1);
    return usual_residual(v, residual);
}

static snw_status solve(snw__viewing *v, const snw_allocator *allocator, snw_trial **out,
                        snw_error *error)
{
    snw_view_camera told[SNW_CAMERAS_MAX] = {{0}};
    bool is_smooth = v->options.is_smooth;
    v->options.is_smooth = false; /* cameras are judged by what people did, not by what is calm */
    const snw_views *views = v->views;
    for (int p = 0; p < views->point_count; p++)
        v->label[p] = snw_label_read(views->point[p]);
    for (int p = 0; p < views->point_count; p++)
        v->mirror[p] = snw_labels_find_mirror(v->label, views->point_count, p);
    for (int c = 0; c < views->camera_count; c++)
        v->camera_scale[c] = 1;
    memcpy(v->keypoint, views->keypoint,
           (size_t)views->detection_count * (size_t)views->point_count * sizeof *v->keypoint);
    double off = find_off(v);
    if (off > SNW__UNUSUAL) {
        snw_status status = snw__view_check_turned(v, find_off, off, error);
        if (status != SNW_OK) return status;
    }
    for (int n = 0; !v->options.keeps_cameras && n < v->views->camera_count - 2; n++)
        if (!mend_worst(v, told)) break;
    mend_others(v, told);
    snw__view_tell_strangers(v);
    v->options.is_smooth = is_smooth;
    if (is_smooth) all_paths(v);
    double residual[SNW_CAMERAS_MAX];
    v->report.sighting_count = 0;
    for (int c = 0; c < v->views->camera_count; c++) {
        int before = v->report.sighting_count;
        residual[c] = told[c].residual =
            isfinite(v->camera_scale[c]) ? snw__view_camera_residual(v, c, 1) : 0;
        told[c].sighting_count = v->report.sighting_count - before;
    }
    v->report.residual = usual_residual(v, residual);
    v->report.person_count = v->person_count;
    snw_status status = make_trial(v, allocator, out, error);
    if (status == SNW_OK && v->options.sights) {
        status = snw__view_sights(v, *out, allocator, error);
        if (status != SNW_OK) {
            snw_trial_destroy(*out);
            *out = NULL;
        }
    }
    if (status == SNW_OK && v->options.report) {
        snw_view_camera *camera = v->options.report->camera;
        if (camera) memcpy(camera, told, (size_t)v->views->camera_count * sizeof *camera);
        *v->options.report = v->report;
        v->options.report->camera = camera;
    }
    return status;
}

snw_status snw__views_check(const snw_views *views, const snw_cameras *cameras, snw_error *error)
{
    int64_t count = (int64_t)views->camera_count * views->frame_count;
    if (views->camera_count != cameras->count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "there are views of %d cameras and a calibration of %d",
                         views->camera_count, cameras->count);
    if (views->camera_count < 2 || views->frame_count < 1 || views->point_count < 1)
        return snw__fail(error, SNW_DEGENERATE,
                         "%d cameras with %d frames of %d points: two cameras that see people are "
                         "needed",
                         views->camera_count, views->frame_count, views->point_count);
    if (views->first[0] != 0 || views->first[count] != views->detection_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the views' list of detections is broken");
    for (int64_t n = 0; n < count; n++)
        if (views->first[n] > views->first[n + 1])
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the views' list of detections goes backwards at %lld", (long long)n);
    return snw_cameras_check(cameras, error);
}

snw_status snw_views_triangulate(const snw_views *views, const snw_cameras *cameras,
                                 const snw_view_options *options, const snw_allocator *allocator,
                                 snw_trial **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__viewing v;
    snw__block block;
    *out = NULL;
    memset(&v, 0, sizeof v);
    v.views = views;
    if (options) v.options = *options;
    snw_status status = snw__views_check(views, cameras, error);
    if (status != SNW_OK) return status;
    /* Twice as many people as any camera ever sees at once: some come back as others. */
    int most = 0;
    for (int c = 0; c < views->camera_count; c++)
        for (int f = 0; f < views->frame_count; f++) {
            int here = snw__view_end(views, c, f) - snw__view_first(views, c, f);
            if (here > most) most = here;
        }
    v.person_max = most < VIEW_PEOPLE_MAX / 2 ? 2 * most : VIEW_PEOPLE_MAX;
    status = snw_cameras_create(cameras->count, allocator, &v.cameras, error);
    if (status == SNW_OK) {
        memcpy(v.cameras->camera, cameras->camera, (size_t)cameras->count * sizeof(snw_camera));
        status = snw__block_create(&block, lay_out, &v, &memory, "people in views", error);
        if (status == SNW_OK) {
            status = solve(&v, allocator, out, error);
            snw__block_release(&memory, &block);
        }
    }
    snw_cameras_destroy(v.cameras);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* Cameras from what they see alike: which sightings are of one point, where cameras stand to begin
 * with, all of it together, the size of the world, and what moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/label.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/notes.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "view/bundle.h"
#include "view/reconstruct.h"
#include "view/relative_pose.h"

enum {
    WAND_POINTS = 3
};

typedef struct calibrating {
    const snw_views *views;
    const snw_cameras *start;
    snw_cameras *cameras; /* our own */
    snw_cameras_calibrate_options options;
    snw_allocator memory;
    int point_max, sighting_max;
    snw__bundle bundle;
    int *key;                  /* (point_max) which point of which frame: frame x kinds + kind */
    int kinds;                 /* points of a frame */
    bool *is_placed;           /* (point_max) */
    bool *has_pose;            /* (cameras) */
    double *sorted;            /* (sighting_max) */
    snw_sighting *seen;        /* (cameras) */
    snw__common_point *common; /* (point_max) */
    snw__placed_point *known;  /* (point_max) */
    int *chosen;               /* (cameras x frames) the detection of a picture, or -1 */
} calibrating;

snw_cameras_calibrate_options snw_cameras_calibrate_options_default(void)
{
    return (snw_cameras_calibrate_options){0};
}

void snw_cameras_calibrated_destroy(snw_cameras_calibrated *made)
{
    if (!made) return;
    snw_allocator memory = made->allocator;
    size_t cameras = made->cameras ? (size_t)made->cameras->count : 0;
    snw__release(&memory, made->camera, cameras * sizeof *made->camera);
    snw_cameras_destroy(made->cameras);
    snw__release(&memory, made, sizeof *made);
}

static void lay_out(void *object, snw__block *block)
{
    calibrating *c = object;
    size_t points = (size_t)c->point_max, sightings = (size_t)c->sighting_max;
    size_t cameras = (size_t)c->views->camera_count;
    c->bundle.place = snw__block_take(block, points, sizeof *c->bundle.place);
    c->bundle.first = snw__block_take(block, points + 1, sizeof *c->bundle.first);
    c->bundle.sighting = snw__block_take(block, sightings, sizeof *c->bundle.sighting);
    c->key = snw__block_take(block, points, sizeof *c->key);
    c->is_placed = snw__block_take(block, points, sizeof *c->is_placed);
    c->has_pose = snw__block_take(block, cameras, sizeof *c->has_pose);
    c->sorted = snw__block_take(block, sightings, sizeof *c->sorted);
    c->seen = snw__block_take(block, cameras, sizeof *c->seen);
    c->common = snw__block_take(block, points, sizeof *c->common);
    c->known = snw__block_take(block, points, sizeof *c->known);
    c->chosen = snw__block_take(block, snw__size_mul(cameras, (size_t)c->views->frame_count),
                                sizeof *c->chosen);
}

/* ---- sightings of one point ----------------------------------------------------------------- */

static void begin_point(calibrating *c, int key)
{
    snw__bundle *bundle = &c->bundle;
    int count = bundle->point_count;
    bundle->first[count + 1] = bundle->first[count];
    c->key[count] = key;
}

static void add_sighting(calibrating *c, int camera, const snw_keypoint *seen, double sigma)
{
    snw__bundle *bundle = &c->bundle;
    int *end = bundle->first + bundle->point_count + 1;
    if (*end == c->sighting_max) return;
    bundle->sighting[(*end)++] = (snw__bundle_sighting){
        camera, 1, {(double)seen->x, (double)seen->y}, sigma / sqrt((double)seen->confidence)};
}

/* Kept where two cameras see it. */
static void end_point(calibrating *c)
{
    snw__bundle *bundle = &c->bundle;
    int count = bundle->point_count;
    if (bundle->first[count + 1] - bundle->first[count] >= 2 && count + 1 < c->point_max)
        bundle->point_count++;
}

/* Every how many frames one counts, so that there is room for all. */
static int stride_of(const calibrating *c)
{
    int64_t all = (int64_t)c->views->frame_count * c->kinds;
    return (int)((all + SNW__SAMPLES_CALIBRATE - 1) / SNW__SAMPLES_CALIBRATE);
}

/* Keypoints: of the detections chosen in each picture. A joint is known to about a centimetre,
 * which is this many pixels where the cameras look at it from some metres: only their ratio counts.
 */
static void gather_keypoints(calibrating *c)
{
    const snw_views *views = c->views;
    int stride = stride_of(c);
    for (int f = 0; f < views->frame_count; f += stride)
        for (int p = 0; p < views->point_count; p++) {
            begin_point(c, f * c->kinds + p);
            for (int k = 0; k < views->camera_count; k++) {
                int detection = c->chosen[(size_t)k * (size_t)views->frame_count + (size_t)f];
                if (detection < 0) continue;
                const snw_keypoint *seen =
                    views->keypoint + (size_t)detection * (size_t)views->point_count + p;
                if (seen->confidence > (float)SNW__MINOR)
                    add_sighting(c, k, seen, SNW__SKIN * c->start->camera[k].focal_x / 4);
            }
            end_point(c);
        }
}

/* One person alone is filmed. */
static void choose_surest(calibrating *c)
{
    const snw_views *views = c->views;
    for (int64_t n = 0; n < (int64_t)views->camera_count * views->frame_count; n++)
        c->chosen[n] =
            snw__views_surest(views, (int)(n / views->frame_count), (int)(n % views->frame_count));
}

/* The detection that lies nearest to where the person is, as the cameras were believed to stand. */
static snw_status choose_nearest(calibrating *c, snw_error *error)
{
    const snw_views *views = c->views;
    snw_view_options options = snw_view_options_default();
    snw_trial *trial = NULL;
    options.person_max = 1;
    snw_status status = snw_views_triangulate(views, c->start, &options, &c->memory, &trial, error);
    for (int k = 0; k < views->camera_count && status == SNW_OK; k++)
        for (int f = 0; f < views->frame_count; f++) {
            int64_t n = (int64_t)k * views->frame_count + f;
            double nearest = SNW__ELSEWHERE;
            c->chosen[n] = -1;
            for (int d = views->first[n]; d < views->first[n + 1]; d++) {
                double sum = 0;
                int count = 0;
                for (int p = 0; p < views->point_count; p++) {
                    const snw_keypoint *seen =
                        views->keypoint + (size_t)d * (size_t)views->point_count + p;
                    snw_vec3 at = snw_trial_position(trial, f, p);
                    double pixel[2];
                    if (!(seen->confidence > 0) || !snw_trial_is_present(trial, f, p) ||
                        !snw_camera_project(c->start->camera + k, at, pixel))
                        continue;
                    double depth = snw_xform_point(c->start->camera[k].camera_from_world, at).z;
                    sum += snw__hypot(pixel[0] - (double)seen->x, pixel[1] - (double)seen->y) *
                           depth / c->start->camera[k].focal_x;
                    count++;
                }
                if (!count || !(sum / count < nearest)) continue;
                nearest = sum / count;
                c->chosen[n] = d;
            }
        }
    snw_trial_destroy(trial);
    return status;
}

/* A wand: pictures with one point, or with three in a line, of which the middle one is nearer to
 * the first end. */
static bool read_wand(const calibrating *c, int camera, int frame, snw_keypoint out[WAND_POINTS])
{
    const snw_views *views = c->views;
    const int *list = views->first + (size_t)camera * (size_t)views->frame_count + frame;
    const snw_keypoint *seen = views->keypoint + list[0];
    int middle = -1;
    if (list[1] - list[0] != c->kinds) return false;
    if (c->kinds == 1) {
        out[0] = seen[0];
        return true;
    }
    for (int m = 0; m < WAND_POINTS; m++) {
        const snw_keypoint *a = seen + (m + 1) % 3, *b = seen + (m + 2) % 3;
        double x = (double)(a->x - seen[m].x) * (double)(b->x - seen[m].x),
               y = (double)(a->y - seen[m].y) * (double)(b->y - seen[m].y);
        if (x + y < 0) middle = m; /* the ends lie on its two sides */
    }
    if (middle < 0) return false;
    const snw_keypoint *a = seen + (middle + 1) % 3, *b = seen + (middle + 2) % 3;
    double to_a = snw__hypot((double)(a->x - seen[middle].x), (double)(a->y - seen[middle].y)),
           to_b = snw__hypot((double)(b->x - seen[middle].x), (double)(b->y - seen[middle].y));
    if (fabs(to_a - to_b) < SNW__FEW * (to_a + to_b)) return false; /* seen from an end */
    out[0] = to_a < to_b ? *a : *b;
    out[1] = seen[middle];
    out[2] = to_a < to_b ? *b : *a;
    return true;
}

/* Whether most pictures show so many points. */
static bool shows(const snw_views *views, int points)
{
    int64_t count = 0, seen = 0;
    for (int64_t n = 0; n < (int64_t)views->camera_count * views->frame_count; n++) {
        int here = views->first[n + 1] - views->first[n];
        seen += here > 0;
        count += here == points;
    }
    return (double)count > SNW__HALF * (double)seen;
}

static void gather_wand(calibrating *c)
{
    int stride = stride_of(c);
    for (int f = 0; f < c->views->frame_count; f += stride)
        for (int p = 0; p < c->kinds; p++) {
            begin_point(c, f * c->kinds + p);
            for (int k = 0; k < c->views->camera_count; k++) {
                snw_keypoint wand[WAND_POINTS];
                if (read_wand(c, k, f, wand)) add_sighting(c, k, wand + p, SNW__HALF);
            }
            end_point(c);
        }
}

/* Centroids of a capture: as the tracker matched them, with cameras put right that were knocked. */
static snw_status gather_markers(calibrating *c, snw_error *error)
{
    snw__gathered all = {.memory = c->memory};
    double sigma = 1;
    snw_status status = snw__gather_markers(c->views, c->cameras, &c->memory, &all, &sigma, error);
    int64_t several = 0, taken = 0;
    for (int64_t n = 0; n < all.sample_count; n++)
        several += all.sample[n].view_count > 2;
    int64_t stride = several / SNW__SAMPLES_CALIBRATE + 1;
    for (int64_t n = 0; n < all.sample_count && status == SNW_OK; n++) {
        const snw__marker_sample *sample = all.sample + n;
        if (sample->view_count < 3 || taken++ % stride) continue;
        begin_point(c, sample->frame);
        for (int k = 0; k < sample->view_count; k++) {
            const snw__marker_sighting *seen = all.sighting + sample->first + k;
            add_sighting(c, seen->camera, c->views->keypoint + seen->detection, sigma);
        }
        end_point(c);
    }
    snw__gathered_release(&all);
    for (int k = 0; k < c->views->camera_count; k++)
        c->has_pose[k] = true;
    return status;
}

/* ---- where points and cameras are to begin with ---------------------------------------------- */

static void place_points(calibrating *c)
{
    snw__bundle *bundle = &c->bundle;
    for (int p = 0; p < bundle->point_count; p++) {
        int count = 0;
        snw_triangulated found;
        for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++) {
            const snw__bundle_sighting *from = bundle->sighting + s;
            if (!c->has_pose[from->camera] || count == SNW__TRACK_VIEWS) continue;
            /* Wide enough for poses that are rough. */
            c->seen[count++] = (snw_sighting){
                from->camera, {from->pixel[0], from->pixel[1]}, SNW_SIGHTING_FAR * from->sigma};
        }
        c->is_placed[p] = snw_triangulate(c->cameras, c->seen, count, NULL, &found, NULL) == SNW_OK;
        if (c->is_placed[p]) bundle->place[p] = found.place;
    }
}

static bool flatten(const calibrating *c, const snw__bundle_sighting *seen, double at[2])
{
    double stretch;
    return snw__camera_flatten(c->cameras->camera + seen->camera, seen->pixel, at, &stretch);
}

static const snw__bundle_sighting *sighting_by(const snw__bundle *bundle, int point, int camera)
{
    for (int s = bundle->first[point]; s < bundle->first[point + 1]; s++)
        if (bundle->sighting[s].camera == camera) return bundle->sighting + s;
    return NULL;
}

/* How far a sighting may be off, in the plane at depth 1. */
static double tolerance_of(const calibrating *c, int camera)
{
    const snw__bundle *bundle = &c->bundle;
    return SNW__UNUSUAL * bundle->sighting[0].sigma / c->cameras->camera[camera].focal_x;
}

static int list_common(calibrating *c, int a, int b)
{
    int count = 0;
    for (int p = 0; p < c->bundle.point_count; p++) {
        const snw__bundle_sighting *x = sighting_by(&c->bundle, p, a),
                                   *y = sighting_by(&c->bundle, p, b);
        if (x && y && flatten(c, x, c->common[count].a) && flatten(c, y, c->common[count].b))
            count++;
    }
    return count;
}

/* The pair of cameras of which most points agree, and from really different places. */
static bool place_first_two(calibrating *c)
{
    int best = 0, first = -1, second = -1;
    snw_xform found = snw_xform_identity();
    for (int a = 0; a < c->cameras->count; a++)
        for (int b = a + 1; b < c->cameras->count; b++) {
            snw_xform pose;
            int count = list_common(c, a, b);
            if (count <= best) continue;
            double tolerance = fmax(tolerance_of(c, a), tolerance_of(c, b));
            int agreeing = snw__relative_pose(c->common, count, tolerance, &pose, NULL);
            double turn = snw_vec3_length(snw_quat_log(pose.rotation));
            if (agreeing <= best || !(turn > SNW__MINOR) || !(SNW_PI - turn > SNW__MINOR)) continue;
            best = agreeing;
            found = pose;
            first = a;
            second = b;
        }
    if (first < 0) return false;
    c->cameras->camera[first].camera_from_world = snw_xform_identity();
    c->cameras->camera[second].camera_from_world = found;
    c->has_pose[first] = c->has_pose[second] = true;
    return true;
}

static int list_known(calibrating *c, int camera)
{
    int count = 0;
    for (int p = 0; p < c->bundle.point_count; p++) {
        const snw__bundle_sighting *seen = sighting_by(&c->bundle, p, camera);
        if (!seen || !c->is_placed[p] || !flatten(c, seen, c->known[count].at)) continue;
        c->known[count++].place = c->bundle.place[p];
    }
    return count;
}

/* The bundle of the cameras and points that have places: others are moved behind and kept out. */
static snw_status adjust(calibrating *c, snw_error *error)
{
    snw__bundle *bundle = &c->bundle, part = *bundle;
    int points = 0, sightings = 0;
    size_t count = (size_t)bundle->point_count, seen = (size_t)bundle->first[bundle->point_count];
    size_t size = count * sizeof *part.place + (count + 1) * sizeof *part.first +
                  seen * sizeof *part.sighting;
    snw__bundle_sighting *room = snw__allocate(&c->memory, size);
    if (!room) return snw__fail_memory(error, size, "points of cameras");
    part.sighting = room;
    part.place = (snw_vec3 *)(room + seen);
    part.first = (int *)(part.place + count);
    for (int p = 0; p < bundle->point_count; p++) {
        if (!c->is_placed[p]) continue;
        part.place[points] = bundle->place[p];
        part.first[points++] = sightings;
        for (int s = bundle->first[p]; s < bundle->first[p + 1]; s++)
            if (c->has_pose[bundle->sighting[s].camera])
                part.sighting[sightings++] = bundle->sighting[s];
    }
    part.first[points] = sightings;
    part.point_count = points;
    snw_status status = snw__bundle_solve(&part, &c->memory, error);
    for (int p = 0, n = 0; p < bundle->point_count && status == SNW_OK; p++)
        if (c->is_placed[p]) bundle->place[p] = part.place[n++];
    bundle->residual = part.residual;
    snw__release(&c->memory, room, size);
    return status;
}

/* Cameras one by one, the one that knows most points first. */
static snw_status place_cameras(calibrating *c, snw_error *error)
{
    snw_status status = SNW_OK;
    if (!place_first_two(c))
        return snw__fail(error, SNW_NOT_FOUND,
                         "no two cameras see enough alike from different sides");
    for (int n = 2; n < c->cameras->count && status == SNW_OK; n++) {
        int best = -1, most = 0;
        place_points(c);
        status = adjust(c, error);
        for (int k = 0; k < c->cameras->count; k++) {
            int count = c->has_pose[k] ? 0 : list_known(c, k);
            if (count <= most) continue;
            most = count;
            best = k;
        }
        snw_xform pose;
        int agreeing = 0, count = best < 0 ? 0 : list_known(c, best);
        /* The places of points are rough: twice the tolerance. */
        if (count)
            agreeing = snw__resection(c->known, count, SNW__RESERVE * tolerance_of(c, best), &pose);
        if (agreeing < SNW__SAMPLES_PATH || agreeing < SNW__MINOR * count) {
            for (int k = 0; k < c->cameras->count; k++)
                if (!c->has_pose[k])
                    return snw__fail_at(
                        error, SNW_NOT_FOUND, snw__at_name(k, c->cameras->camera[k].name),
                        "camera %s sees too little that other cameras see: it can not be placed",
                        c->cameras->camera[best < 0 ? k : best].name);
        }
        c->cameras->camera[best].camera_from_world = pose;
        c->has_pose[best] = true;
    }
    return status;
}

/* ---- the world ------------------------------------------------------------------------------ */

/* Median distance of two points of a frame; 0 where they are never together. */
static double distance_of(calibrating *c, int a, int b)
{
    int count = 0;
    for (int p = 0; p < c->bundle.point_count; p++) {
        if (c->key[p] % c->kinds != a || !c->is_placed[p]) continue;
        int other = c->key[p] - a + b;
        for (int step = a < b ? 1 : -1, q = p + step;
             q >= 0 && q < c->bundle.point_count && abs(c->key[q] - c->key[p]) < c->kinds;
             q += step)
            if (c->key[q] == other && c->is_placed[q])
                c->sorted[count++] = snw_vec3_distance(c->bundle.place[p], c->bundle.place[q]);
    }
    return snw__median(c->sorted, count);
}

static int find_point(const snw_views *views, const char *part, snw_side side)
{
    for (int p = 0; p < views->point_count; p++)
        if (strstr(views->point[p], part) && snw_label_read(views->point[p]).side == side) return p;
    return -1;
}

/* Thigh and shank, as the size of the world has them now, over what people of that height have. */
static double size_by_height(calibrating *c)
{
    double found = 0, share = SNW__LENGTH_THIGH + SNW__LENGTH_SHANK;
    int sides = 0;
    for (int s = 0; s < 2; s++) {
        snw_side side = s ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
        int hip = find_point(c->views, "ip", side), knee = find_point(c->views, "nee", side),
            ankle = find_point(c->views, "nkle", side);
        if (hip < 0 || knee < 0 || ankle < 0) continue;
        double length = distance_of(c, hip, knee) + distance_of(c, knee, ankle);
        sides += length > 0;
        found += length;
    }
    return found > 0 ? sides * share * c->options.height / found : 0;
}

/* By how much the world must grow; 0: it is not known. */
static double size_of(calibrating *c)
{
    const snw_cameras_calibrate_options *options = &c->options;
    if (options->height > 0) return size_by_height(c);
    if (options->length > 0) {
        bool is_wand = c->views->point_count == 1;
        double found = distance_of(c, is_wand ? 0 : options->length_point[0],
                                   is_wand ? WAND_POINTS - 1 : options->length_point[1]);
        return found > 0 ? options->length / found : 0;
    }
    if (options->starts_anew) return 0;
    /* Cameras that stayed are as far from each other as before. */
    int count = 0;
    for (int a = 0; a < c->cameras->count; a++)
        for (int b = a + 1; b < c->cameras->count && count < c->sighting_max; b++) {
            double now = snw_vec3_distance(snw_camera_place(c->cameras->camera + a),
                                           snw_camera_place(c->cameras->camera + b)),
                   then = snw_vec3_distance(snw_camera_place(c->start->camera + a),
                                            snw_camera_place(c->start->camera + b));
            if (now > 0 && then > 0) c->sorted[count++] = then / now;
        }
    return snw__median(c->sorted, count);
}

/* old = move (size x): every camera sees what it saw. */
static void move_world(snw_cameras *cameras, snw_xform move, double size)
{
    for (int k = 0; k < cameras->count; k++) {
        snw_xform *pose = &cameras->camera[k].camera_from_world;
        pose->translation = snw_vec3_scale(pose->translation, size);
        *pose = snw_xform_mul(*pose, snw_xform_inverse(move));
    }
}

static snw_xform world_of(const calibrating *c, int k)
{
    return snw_xform_mul(snw_xform_inverse(c->start->camera[k].camera_from_world),
                         c->cameras->camera[k].camera_from_world);
}

/* How far the others are from where they were, as camera k stays: the median, with a metre for a
 * radian. */
static double misfit(calibrating *c, snw_xform move)
{
    int count = 0;
    for (int k = 0; k < c->cameras->count; k++) {
        snw_xform other = world_of(c, k);
        snw_vec3 place = snw_camera_place(c->cameras->camera + k);
        c->sorted[count++] =
            snw_vec3_distance(snw_xform_point(other, place), snw_xform_point(move, place)) +
            snw_quat_angle_between(other.rotation, move.rotation);
    }
    return snw__median(c->sorted, count);
}

/* The world back to where most cameras stand as they did. */
static void return_world(calibrating *c)
{
    snw_xform best = snw_xform_identity();
    double least = INFINITY;
    for (int k = 0; k < c->cameras->count; k++) {
        snw_xform move = world_of(c, k);
        double off = misfit(c, move);
        if (!(off < least)) continue;
        least = off;
        best = move;
    }
    /* The mean over those that agree: one camera alone has its own noise. */
    snw_vec3 turn = {0, 0, 0}, shift = {0, 0, 0};
    int count = 0;
    for (int k = 0; k < c->cameras->count; k++) {
        snw_xform move = world_of(c, k);
        snw_vec3 place = snw_camera_place(c->cameras->camera + k);
        snw_vec3 apart = snw_vec3_sub(snw_xform_point(move, place), snw_xform_point(best, place));
        double angle = snw_quat_angle_between(move.rotation, best.rotation);
        if (snw_vec3_length(apart) + angle > SNW__UNUSUAL * (least + SNW__SINGLE)) continue;
        turn = snw_vec3_add(
            turn, snw_quat_log(snw_quat_mul(move.rotation, snw_quat_conjugate(best.rotation))));
        shift = snw_vec3_add(shift, apart);
        count++;
    }
    if (count) {
        snw_quat mean = snw_quat_exp(snw_vec3_scale(turn, 1.0 / count));
        snw_vec3 middle = {0, 0, 0};
        for (int k = 0; k < c->cameras->count; k++)
            middle = snw_vec3_add_scaled(middle, 1.0 / c->cameras->count,
                                         snw_camera_place(c->cameras->camera + k));
        snw_vec3 to = snw_vec3_add_scaled(snw_xform_point(best, middle), 1.0 / count, shift);
        best.rotation = snw_quat_normalize(snw_quat_mul(mean, best.rotation));
        best.translation = snw_vec3_sub(to, snw_quat_rotate(best.rotation, middle));
    }
    move_world(c->cameras, best, 1);
}

/* A new world: z against the mean of the pictures' down, y where the first camera looks, the origin
 * in the middle of what was seen. */
static void make_world(calibrating *c)
{
    snw_vec3 up = {0, 0, 0}, middle = {0, 0, 0};
    int count = 0;
    for (int k = 0; k < c->cameras->count; k++)
        up = snw_vec3_sub(up, snw_quat_unrotate(c->cameras->camera[k].camera_from_world.rotation,
                                                snw_vec3_make(0, 1, 0)));
    for (int p = 0; p < c->bundle.point_count; p++)
        if (c->is_placed[p]) middle = snw_vec3_add(middle, c->bundle.place[p]), count++;
    middle = snw_vec3_scale(middle, 1.0 / fmax(1, count));
    snw_vec3 z = snw_vec3_unit(up, snw_vec3_make(0, 0, 1));
    snw_vec3 ahead =
        snw_quat_unrotate(c->cameras->camera[0].camera_from_world.rotation, snw_vec3_make(0, 0, 1));
    snw_vec3 y = snw_vec3_unit(snw_vec3_add_scaled(ahead, -snw_vec3_dot(ahead, z), z),
                               snw_vec3_perpendicular(z));
    snw_quat turn =
        snw_quat_conjugate(snw_quat_from_mat3(snw_mat3_from_columns(snw_vec3_cross(y, z), y, z)));
    move_world(c->cameras, snw_xform_make(turn, snw_vec3_neg(snw_quat_rotate(turn, middle))), 1);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void tell(calibrating *c, snw_cameras_calibrated *made)
{
    snw__bundle *bundle = &c->bundle;
    int count = 0;
    for (int k = 0; k < c->cameras->count; k++) {
        int here = 0;
        snw_view_camera *told = made->camera + k;
        for (int p = 0; p < bundle->point_count; p++) {
            const snw__bundle_sighting *seen = sighting_by(bundle, p, k);
            if (!seen || !c->is_placed[p]) continue;
            const snw_sighting at = {k, {seen->pixel[0], seen->pixel[1]}, seen->sigma};
            double off2 = snw__sighting_off2(c->cameras, &at, bundle->place[p]);
            made->far_count += !(off2 < SNW_SIGHTING_FAR * SNW_SIGHTING_FAR);
            c->sorted[here++] = isfinite(off2) ? seen->sigma * sqrt(off2) : 1e6;
        }
        told->sighting_count = here;
        told->residual = snw__median(c->sorted, here);
        made->sighting_count += here;
    }
    for (int k = 0; k < c->cameras->count; k++)
        c->sorted[count++] = made->camera[k].residual;
    made->residual = snw__median(c->sorted, count);
    for (int p = 0; p < bundle->point_count; p++)
        made->point_count += c->is_placed[p];
}

/* What moved since the calibration that was there before: farther than its own fit explains. */
static void tell_moved(calibrating *c, snw_cameras_calibrated *made)
{
    int count = 0;
    for (int k = 0; k < c->cameras->count; k++) {
        snw_view_camera *told = made->camera + k;
        snw__camera_moved(c->cameras->camera + k, c->start->camera[k].camera_from_world, told);
        c->sorted[count++] = told->moved_by + told->turned_by;
    }
    double usual = snw__median(c->sorted, count);
    for (int k = 0; k < c->cameras->count; k++) {
        snw_view_camera *told = made->camera + k;
        told->is_moved =
            told->moved_by + told->turned_by > SNW__OUTLIER * fmax(usual, SNW__NOISE_POOR);
        if (told->is_moved)
            snw__note(c->options.notes, SNW_NOTE_CAMERA_MOVED,
                      snw__at_name(k, c->cameras->camera[k].name),
                      "camera %s stands %.0f mm and %.2f degrees from where it stood",
                      c->cameras->camera[k].name, 1000 * told->moved_by,
                      snw_degrees(told->turned_by));
    }
}

static snw_status gather(calibrating *c, snw_error *error)
{
    snw_status status = SNW_OK;
    bool are_keypoints = c->views->point_count > 1;
    if (are_keypoints && c->options.starts_anew)
        choose_surest(c);
    else if (are_keypoints)
        status = choose_nearest(c, error);
    if (status == SNW_OK && are_keypoints) gather_keypoints(c);
    if (!are_keypoints &&
        (c->options.starts_anew || shows(c->views, 1) || shows(c->views, WAND_POINTS)))
        gather_wand(c);
    else if (!are_keypoints)
        status = gather_markers(c, error);
    if (status == SNW_OK && c->bundle.point_count < SNW__SAMPLES_MIN)
        status = snw__fail(error, SNW_NOT_FOUND,
                           "%d points are seen by several cameras: that is too little to calibrate "
                           "them by",
                           c->bundle.point_count);
    return status;
}

static snw_status calibrate(calibrating *c, snw_cameras_calibrated *made, snw_error *error)
{
    snw_status status = gather(c, error);
    for (int k = 0; k < c->cameras->count && status == SNW_OK; k++)
        c->has_pose[k] = !c->options.starts_anew;
    c->bundle.parameters = SNW__BUNDLE_POSE;
    if (status == SNW_OK && c->options.starts_anew) status = place_cameras(c, error);
    if (status == SNW_OK) {
        place_points(c);
        status = adjust(c, error);
    }
    /* Once more: points that the rough cameras could not place; and the lenses. */
    if (c->options.finds_lens) c->bundle.parameters = SNW__BUNDLE_LENS;
    if (status == SNW_OK) {
        place_points(c);
        status = adjust(c, error);
    }
    if (status != SNW_OK) return status;
    tell(c, made);
    double size = size_of(c);
    if (!(size > 0))
        return snw__fail(error, SNW_DEGENERATE,
                         "the size of the world is not known: a length, or the height of the "
                         "person, is needed, and points that show it");
    move_world(c->cameras, snw_xform_identity(), size);
    for (int p = 0; p < c->bundle.point_count; p++)
        c->bundle.place[p] = snw_vec3_scale(c->bundle.place[p], size);
    if (c->options.starts_anew) {
        make_world(c);
    } else {
        return_world(c);
        tell_moved(c, made);
    }
    return SNW_OK;
}

static snw_status check(const calibrating *c, snw_error *error)
{
    const snw_cameras_calibrate_options *o = &c->options;
    bool is_length_told = o->length > 0 && c->views->point_count > 1;
    const snw__bounds bounds[] = {
        {"a length in metres", o->length, 0, SNW__VOLUME_MAX},
        {"a height in metres", o->height, 0, SNW__STATURE_TALLEST},
        {"the first point of a length", o->length_point[0], 0, c->views->point_count - 1},
        {"the second point of a length", o->length_point[1], 0, c->views->point_count - 1}};
    snw_status status = snw__check_bounds(bounds, is_length_told ? 4 : 2, error);
    if (status == SNW_OK && is_length_told && o->length_point[0] == o->length_point[1])
        status = snw__fail(error, SNW_INVALID_ARGUMENT, "a length goes from one point to another");
    return status;
}

snw_status snw_cameras_calibrate(const snw_cameras *cameras, const snw_views *views,
                                 const snw_cameras_calibrate_options *options,
                                 const snw_allocator *allocator, snw_cameras_calibrated **out,
                                 snw_error *error)
{
    calibrating c;
    snw__block block;
    *out = NULL;
    memset(&c, 0, sizeof c);
    c.views = views;
    c.start = cameras;
    if (options) c.options = *options;
    c.memory = snw__allocator_or_default(allocator);
    snw_status status = snw__views_check(views, cameras, error);
    if (status == SNW_OK) status = check(&c, error);
    if (status != SNW_OK) return status;
    c.kinds = views->point_count > 1 ? views->point_count : shows(views, 1) ? 1 : WAND_POINTS;
    c.point_max = SNW__SAMPLES_CALIBRATE + c.kinds + 1;
    c.sighting_max =
        c.point_max * (cameras->count < SNW__TRACK_VIEWS ? cameras->count : SNW__TRACK_VIEWS);
    snw_cameras_calibrated *made = snw__allocate(&c.memory, sizeof *made);
    if (!made) return snw__fail_memory(error, sizeof *made, "a calibration");
    made->allocator = c.memory;
    size_t size = (size_t)cameras->count * sizeof *made->camera;
    status = snw_cameras_create(cameras->count, allocator, &made->cameras, error);
    if (status == SNW_OK) {
        memcpy(made->cameras->camera, cameras->camera,
               (size_t)cameras->count * sizeof *cameras->camera);
        made->camera = snw__allocate(&c.memory, size);
        status = made->camera ? SNW_OK : snw__fail_memory(error, size, "cameras");
    }
    c.cameras = c.bundle.cameras = made->cameras;
    if (status == SNW_OK)
        status = snw__block_create(&block, lay_out, &c, &c.memory, "a calibration", error);
    if (status == SNW_OK) {
        status = calibrate(&c, made, error);
        snw__block_release(&c.memory, &block);
    }
    if (status != SNW_OK) {
        snw_cameras_calibrated_destroy(made);
        return status;
    }
    *out = made;
    return snw__succeed(error);
}

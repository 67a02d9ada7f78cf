#include "film/scene.h"

#include <math.h>
#include <string.h>

/* Field of view: as a lens that does not bend people. */
#define SCENE_VIEW_ANGLE (26 * SNW_PI / 180)
/* Frames that are looked at for camera and floor. */
#define SCENE_LOOKS 48
/* Metres: bones by their length, and markers. */
#define SCENE_BONE_SHARE 0.11
#define SCENE_BONE_MOST  0.026
#define SCENE_BONE_LEAST 0.004
#define SCENE_HEAD       0.085
#define SCENE_MARKER     0.011

const char *const film_views[] = {"corner", "front", "left", "right", "back", "top", NULL};

static const snw_vec3 view_ways[] = {{0.75, 0.42, 1}, {0, 0.1, 1},  {1, 0.1, 0},
                                     {-1, 0.1, 0},    {0, 0.1, -1}, {0, 1, 0.001}};

typedef struct scene_paint {
    film_color background, grid, shadow, marker, side[3];
} scene_paint;

/* The page's colours: blue on the left of the body, orange on the right. */
static const scene_paint paints[2] = {
    {{0.965, 0.969, 0.976},
     {0.80, 0.82, 0.86},
     {0.62, 0.65, 0.71},
     {0.16, 0.62, 0.48},
     {{0.28, 0.53, 0.87}, {0.92, 0.53, 0.24}, {0.70, 0.73, 0.79}}},
    {{0.071, 0.082, 0.106},
     {0.22, 0.25, 0.31},
     {0.02, 0.03, 0.04},
     {0.25, 0.80, 0.64},
     {{0.40, 0.63, 0.95}, {0.95, 0.60, 0.33}, {0.62, 0.66, 0.73}}}};

/* ---- where everything is -----------------------------------------------------------------------
 */

static void put_pose(film_body *body, int frame)
{
    int last = body->motion->frame_count - 1;
    snw_motion_get(body->motion, frame < last ? frame : last, body->pose);
    snw_pose_forward(body->pose);
}

static snw_vec3 joint_at(const film_scene *scene, const film_body *body, int joint)
{
    return snw_quat_rotate(scene->turn, body->pose->world[joint].translation);
}

static snw_vec3 tip_at(const film_scene *scene, const film_body *body, int joint)
{
    return snw_quat_rotate(scene->turn, snw_pose_tip(body->pose, joint));
}

static bool is_finite(snw_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* From right to left of a body, level: between two joints of one part on both sides. */
static snw_vec3 left_of(const film_scene *scene, const film_body *body)
{
    const snw_skeleton *skeleton = body->motion->skeleton;
    snw_vec3 sum = {0, 0, 0};
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_side side;
        snw_part part = snw_rig_part_of(skeleton, j, &side);
        if (part != SNW_PART_UPLEG && part != SNW_PART_ARM) continue;
        if (side == SNW_SIDE_NONE) continue;
        sum = snw_vec3_add_scaled(sum, side == SNW_SIDE_LEFT ? 1 : -1, joint_at(scene, body, j));
    }
    sum.y = 0;
    return sum;
}

/* Root of all bodies, at the floor's height. */
static snw_vec3 anchor_of(film_scene *scene, int frame)
{
    snw_vec3 sum = {0, 0, 0};
    for (int b = 0; b < scene->body_count; b++) {
        put_pose(scene->body + b, frame);
        sum =
            snw_vec3_add_scaled(sum, 1.0 / scene->body_count, joint_at(scene, scene->body + b, 0));
    }
    sum.y = 0;
    return sum;
}

/* The way of the camera: the anchor's mean over half a second on both sides. */
static snw_vec3 smooth_anchor(film_scene *scene, int frame)
{
    snw_vec3 sum = {0, 0, 0};
    int half = (int)(0.5 * scene->rate), step = half / 6 + 1, count = 0;
    for (int f = frame - half; f <= frame + half; f += step) {
        int near = f < scene->first ? scene->first : f > scene->last ? scene->last : f;
        snw_vec3 anchor = anchor_of(scene, near);
        if (!is_finite(anchor)) continue;
        sum = snw_vec3_add(sum, anchor);
        count++;
    }
    return count ? snw_vec3_scale(sum, 1.0 / count) : sum;
}

typedef struct scene_box {
    snw_vec3 low, high;
} scene_box;

static void widen(scene_box *box, snw_vec3 p)
{
    if (!is_finite(p)) return;
    box->low = snw_vec3_make(fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z));
    box->high =
        snw_vec3_make(fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z));
}

/* Axes of a box: the world's, or those of a picture. */
typedef struct scene_axes {
    snw_vec3 x, y, z, from;
} scene_axes;

static void widen_along(scene_box *box, const scene_axes *axes, snw_vec3 p)
{
    snw_vec3 d = snw_vec3_sub(p, axes->from);
    widen(box, snw_vec3_make(snw_vec3_dot(d, axes->x), snw_vec3_dot(d, axes->y),
                             snw_vec3_dot(d, axes->z)));
}

/* By the ends of the surface along the axes at rest: heads and hands may have no joint. */
static void widen_by_surface(const film_scene *scene, const film_body *body, const scene_axes *axes,
                             scene_box *box)
{
    const snw_skin *skin = body->skin;
    const snw_vec3 *p = skin->mesh->vertex;
    int end[6] = {0};
    for (int v = 0; v < skin->mesh->count.vertex_count; v++) {
        if (p[v].x < p[end[0]].x) end[0] = v;
        if (p[v].x > p[end[1]].x) end[1] = v;
        if (p[v].y < p[end[2]].y) end[2] = v;
        if (p[v].y > p[end[3]].y) end[3] = v;
        if (p[v].z < p[end[4]].z) end[4] = v;
        if (p[v].z > p[end[5]].z) end[5] = v;
    }
    for (int n = 0; n < 6; n++) {
        int joint = skin->vertex[end[n]].joint[0];
        snw_vec3 own = snw_xform_point(snw_xform_inverse(skin->bind[joint]), p[end[n]]);
        snw_vec3 place = snw_xform_point(body->pose->world[joint], own);
        widen_along(box, axes, snw_quat_rotate(scene->turn, place));
    }
}

static void widen_by_bodies(film_scene *scene, int frame, const scene_axes *axes, scene_box *box)
{
    for (int b = 0; b < scene->body_count; b++) {
        put_pose(scene->body + b, frame);
        if (scene->body[b].skin) widen_by_surface(scene, scene->body + b, axes, box);
        for (int j = 0; j < scene->body[b].motion->skeleton->joint_count; j++) {
            widen_along(box, axes, joint_at(scene, scene->body + b, j));
            widen_along(box, axes, tip_at(scene, scene->body + b, j));
        }
    }
}

static double size_of(const scene_box *box)
{
    return snw_vec3_length(snw_vec3_sub(box->high, box->low));
}

static int look_at(const film_scene *scene, int n)
{
    return scene->first + (int)((double)n * (scene->last - scene->first) / SCENE_LOOKS);
}

/* Where the eye is, from the middle: the view, turned to where the people look on the whole. */
static snw_vec3 find_back(film_scene *scene)
{
    snw_vec3 left = {0, 0, 0};
    for (int n = 0; n < SCENE_LOOKS; n++) {
        put_pose(scene->body, look_at(scene, n));
        snw_vec3 own = left_of(scene, scene->body);
        if (is_finite(own)) left = snw_vec3_add(left, own);
    }
    put_pose(scene->body, scene->first);
    snw_vec3 start = left_of(scene, scene->body);
    if (!(snw_vec3_length(left) > 0.3 * SCENE_LOOKS * snw_vec3_length(start))) left = start;
    left = snw_vec3_unit(left, snw_vec3_make(1, 0, 0));
    snw_vec3 up = {0, 1, 0}, forward = snw_vec3_cross(left, up);
    int view = 0;
    while (film_views[view] && strcmp(film_views[view], scene->view) != 0)
        view++;
    snw_vec3 way = view_ways[view];
    snw_vec3 back = snw_vec3_scale(left, way.x);
    back = snw_vec3_add_scaled(back, way.z, forward);
    return snw_vec3_unit(snw_vec3_add_scaled(back, way.y, up), forward);
}

/* The way goes out of the picture of one moment. */
static bool goes_away(film_scene *scene, const scene_axes *world)
{
    const snw_vec3 most = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    scene_box all = {most, snw_vec3_neg(most)}, here = all;
    widen_by_bodies(scene, (scene->first + scene->last) / 2, world, &here);
    for (int n = 0; n <= SCENE_LOOKS; n++)
        widen_by_bodies(scene, look_at(scene, n), world, &all);
    scene->floor = isfinite(all.low.y) ? all.low.y : 0;
    return size_of(&all) > 1.7 * size_of(&here);
}

void film_stage(film_scene *scene, const film_canvas *canvas)
{
    const snw_vec3 most = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, none = {0, 0, 0};
    const scene_axes world = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    scene_box box = {most, snw_vec3_neg(most)};
    scene->is_following = goes_away(scene, &world);
    scene->back = find_back(scene);
    film_camera camera = film_look(canvas, none, scene->back, 1, SCENE_VIEW_ANGLE);
    scene_axes axes = {camera.right, camera.up, camera.back, none};
    for (int n = 0; n <= SCENE_LOOKS; n++) {
        int frame = look_at(scene, n);
        if (scene->is_following) axes.from = smooth_anchor(scene, frame);
        widen_by_bodies(scene, frame, &axes, &box);
    }
    snw_vec3 size = snw_vec3_sub(box.high, box.low), middle = snw_vec3_lerp(box.low, box.high, 0.5);
    scene->middle = snw_vec3_scale(camera.right, middle.x);
    scene->middle = snw_vec3_add_scaled(scene->middle, middle.y, camera.up);
    scene->middle = snw_vec3_add_scaled(scene->middle, middle.z, camera.back);
    double aspect = (double)canvas->width / canvas->height;
    double need = 0.5 * fmax(size.y, size.x / aspect);
    /* A tenth of the picture stays free on each side. */
    scene->distance = fmax(0.2, 1.2 * need / tan(0.5 * SCENE_VIEW_ANGLE)) + 0.5 * size.z;
    if (!is_finite(scene->middle)) scene->middle = none;
    if (!isfinite(scene->distance)) scene->distance = 4;
}

/* ---- drawing -----------------------------------------------------------------------------------
 */

static film_color faded(film_color color, int number)
{
    double share = number % 3 * 0.22; /* the second person is paler than the first */
    film_color out = {color.r + share * (1 - color.r), color.g + share * (1 - color.g),
                      color.b + share * (1 - color.b)};
    return out;
}

static double bone_radius(double length)
{
    return snw_clamp(SCENE_BONE_SHARE * length, SCENE_BONE_LEAST, SCENE_BONE_MOST);
}

typedef void scene_draw(film_scene *scene, film_canvas *canvas, const film_bone *bone);

static void draw_shadow(film_scene *scene, film_canvas *canvas, const film_bone *bone)
{
    film_shadow(canvas, bone->a, bone->b, 1.5 * fmax(bone->a_radius, bone->b_radius), scene->floor);
}

static void draw_bone(film_scene *scene, film_canvas *canvas, const film_bone *bone)
{
    (void)scene;
    film_draw_bone(canvas, bone);
}

static void for_one_bone(film_scene *scene, film_canvas *canvas, film_bone *bone, scene_draw *draw)
{
    if (!is_finite(bone->a) || !is_finite(bone->b)) return;
    draw(scene, canvas, bone);
}

static void for_bones(film_scene *scene, film_canvas *canvas, int number, scene_draw *draw)
{
    film_body *body = scene->body + number;
    const snw_skeleton *skeleton = body->motion->skeleton;
    const scene_paint *paint = paints + scene->is_dark;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_side side;
        snw_part part = snw_rig_part_of(skeleton, j, &side);
        int parent = skeleton->parent[j];
        film_bone bone = {.color = faded(paint->side[side], number)};
        bone.a = bone.b = joint_at(scene, body, j);
        snw_vec3 from = parent >= 0 ? joint_at(scene, body, parent) : bone.a;
        double before = bone_radius(snw_vec3_distance(from, bone.a));
        bone.a_radius = bone.b_radius = 1.2 * before;
        for_one_bone(scene, canvas, &bone, draw);
        if (parent >= 0) {
            bone.b = from;
            bone.a_radius = 0.75 * before;
            bone.b_radius = before;
            for_one_bone(scene, canvas, &bone, draw);
        }
        if (!skeleton->has_tip[j]) continue;
        bone.b = tip_at(scene, body, j);
        double length = snw_vec3_distance(bone.a, bone.b);
        bone.a_radius =
            part == SNW_PART_HEAD ? fmin(0.45 * length, SCENE_HEAD * 0.7) : bone_radius(length);
        bone.b_radius =
            part == SNW_PART_HEAD ? fmin(0.55 * length, SCENE_HEAD) : 0.75 * bone.a_radius;
        if (part == SNW_PART_HEAD) bone.b = snw_vec3_lerp(bone.a, bone.b, 0.7);
        for_one_bone(scene, canvas, &bone, draw);
    }
}

static snw_vec3 corner_of(const film_scene *scene, const film_body *body, int vertex)
{
    const float *at = body->surface + (size_t)vertex * 3;
    return snw_quat_rotate(scene->turn, snw_vec3_make((double)at[0], (double)at[1], (double)at[2]));
}

static bool draw_surface(film_scene *scene, film_canvas *canvas, int number)
{
    film_body *body = scene->body + number;
    const snw_mesh *mesh = body->skin->mesh;
    film_color color = faded((film_color){0.80, 0.71, 0.64}, number);
    if (snw_skin_deform(body->skin, body->pose, SNW_BLEND_DUAL_QUATERNION, body->surface, NULL) !=
        SNW_OK)
        return false;
    memset(body->normal, 0, (size_t)mesh->count.vertex_count * sizeof *body->normal);
    for (int pass = 0; pass < 2; pass++)
        for (int t = 0; t < mesh->count.triangle_count; t++) {
            const int *c = mesh->triangle[t];
            snw_vec3 place[3], normal[3];
            for (int k = 0; k < 3; k++) {
                place[k] = corner_of(scene, body, c[k]);
                normal[k] = body->normal[c[k]];
            }
            if (pass) {
                film_draw_face(canvas, place, normal, color);
                continue;
            }
            snw_vec3 across =
                snw_vec3_cross(snw_vec3_sub(place[1], place[0]), snw_vec3_sub(place[2], place[0]));
            for (int k = 0; k < 3; k++)
                body->normal[c[k]] = snw_vec3_add(body->normal[c[k]], across);
        }
    return true;
}

static void draw_markers(film_scene *scene, film_canvas *canvas, int frame)
{
    const snw_trial *trial = scene->trial;
    if (!trial || frame >= trial->frame_count) return;
    for (int m = 0; m < trial->marker_count; m++) {
        if (trial->state[(size_t)frame * (size_t)trial->marker_count + (size_t)m] ==
            SNW_SAMPLE_MISSING)
            continue;
        if (trial->marker[m].kind != SNW_POINT_MARKER) continue;
        film_bone ball = {.color = paints[scene->is_dark].marker};
        ball.a = ball.b = snw_quat_rotate(scene->turn, snw_trial_position(trial, frame, m));
        ball.a_radius = ball.b_radius = SCENE_MARKER;
        for_one_bone(scene, canvas, &ball, draw_bone);
    }
}

bool film_draw_frame(film_scene *scene, film_canvas *canvas, int frame)
{
    const scene_paint *paint = paints + scene->is_dark;
    snw_vec3 anchor = {0, 0, 0};
    if (scene->is_following) anchor = smooth_anchor(scene, frame);
    snw_vec3 middle = snw_vec3_add(scene->middle, anchor), ground = middle;
    ground.y = scene->floor;
    canvas->camera = film_look(canvas, middle, scene->back, scene->distance, SCENE_VIEW_ANGLE);
    film_clear(canvas, paint->background);
    double reach = fmax(0.6, 0.75 * scene->distance);
    double step = reach > 8 ? 1 : reach > 1.5 ? 0.5 : 0.1;
    film_grid(canvas, ground, step, reach, paint->grid);
    for (int b = 0; b < scene->body_count; b++)
        put_pose(scene->body + b, frame);
    for (int b = 0; b < scene->body_count; b++)
        for_bones(scene, canvas, b, draw_shadow);
    film_lay_shadow(canvas, paint->shadow);
    for (int b = 0; b < scene->body_count; b++) {
        if (!scene->body[b].skin)
            for_bones(scene, canvas, b, draw_bone);
        else if (!draw_surface(scene, canvas, b))
            return false;
    }
    draw_markers(scene, canvas, frame);
    film_finish(canvas);
    return true;
}

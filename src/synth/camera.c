/* Cameras in a ring, and what hides a marker from them. */
#include "base/elementary.h"
#include "synth/capture.h"

/* ---- segments ----------------------------------------------------------------------------- */

static double point_segment(snw_vec3 p, snw_vec3 a, snw_vec3 b)
{
    snw_vec3 way = snw_vec3_sub(b, a);
    double length2 = snw_vec3_length2(way);
    double t = length2 > 0 ? snw_vec3_dot(snw_vec3_sub(p, a), way) / length2 : 0;
    return snw_vec3_distance(p, snw_vec3_add_scaled(a, snw_clamp(t, 0, 1), way));
}

/* The squared distance is convex in both parameters. Its minimum is inside, where the common
 * perpendicular meets both segments, or at an end of one of them; the smallest of the five
 * candidates is it. */
double snw_segment_distance(snw_vec3 a0, snw_vec3 a1, snw_vec3 b0, snw_vec3 b1)
{
    double ends = fmin(fmin(point_segment(a0, b0, b1), point_segment(a1, b0, b1)),
                       fmin(point_segment(b0, a0, a1), point_segment(b1, a0, a1)));
    snw_vec3 u = snw_vec3_sub(a1, a0), v = snw_vec3_sub(b1, b0), w = snw_vec3_sub(a0, b0);
    double uu = snw_vec3_length2(u), vv = snw_vec3_length2(v), uv = snw_vec3_dot(u, v);
    double det = uu * vv - uv * uv;
    if (!(det > 1e-14 * uu * vv)) return ends; /* parallel: an end is as near as any */
    double s = (uv * snw_vec3_dot(v, w) - vv * snw_vec3_dot(u, w)) / det;
    double t = (uu * snw_vec3_dot(v, w) - uv * snw_vec3_dot(u, w)) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return ends;
    return fmin(ends,
                snw_vec3_distance(snw_vec3_add_scaled(a0, s, u), snw_vec3_add_scaled(b0, t, v)));
}

bool snw_capsule_hides(const snw_capsule *capsule, snw_vec3 from, snw_vec3 to)
{
    if (point_segment(to, capsule->a, capsule->b) < capsule->radius) return false;
    return snw_segment_distance(from, to, capsule->a, capsule->b) < capsule->radius;
}

/* ---- cameras ------------------------------------------------------------------------------ */

bool snw_synth_camera_covers(const snw_synth_camera *camera, snw_vec3 point)
{
    snw_vec3 seen = snw_xform_unpoint(camera->world_from_camera, point);
    double edge = seen.z * snw__tan(0.5 * camera->field_of_view);
    return seen.z > 0 && fabs(seen.x) <= edge && fabs(seen.y) <= edge;
}

void snw__cameras_fill(const snw_synth_options *options, const snw_trial *joints,
                       snw_synth_camera *camera)
{
    bool is_z_up = options->up == SNW_UP_Z;
    snw_vec3 up = is_z_up ? snw_vec3_make(0, 0, 1) : snw_vec3_make(0, 1, 0);
    snw_vec3 ahead = is_z_up ? snw_vec3_make(1, 0, 0) : snw_vec3_make(0, 0, 1);
    snw_vec3 left = snw_vec3_cross(up, ahead), low, high;
    /* The box around all joint centres of all frames. */
    low = high = snw_trial_position(joints, 0, 0);
    for (int f = 0; f < joints->frame_count; f++) {
        for (int j = 0; j < joints->marker_count; j++) {
            snw_vec3 p = snw_trial_position(joints, f, j);
            low = snw_vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high = snw_vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        }
    }
    snw_vec3 middle = snw_vec3_lerp(low, high, 0.5), reach = snw_vec3_sub(high, middle);
    double floor_reach = is_z_up ? snw__hypot(reach.x, reach.y) : snw__hypot(reach.x, reach.z);
    double radius = floor_reach + options->camera_distance;
    snw_vec3 foot = snw_vec3_add_scaled(middle, -snw_vec3_dot(middle, up), up);
    for (int c = 0; c < options->camera_count; c++) {
        double angle = 2 * SNW_PI * (c + 0.5) / options->camera_count;
        snw_vec3 place = snw_vec3_add_scaled(foot, options->camera_height, up);
        place = snw_vec3_add_scaled(place, radius * snw__cos(angle), ahead);
        place = snw_vec3_add_scaled(place, radius * snw__sin(angle), left);
        snw_vec3 forward = snw_vec3_unit(snw_vec3_sub(middle, place), snw_vec3_make(1, 0, 0));
        snw_vec3 right =
            snw_vec3_unit(snw_vec3_cross(forward, up), snw_vec3_perpendicular(forward));
        snw_vec3 down = snw_vec3_cross(forward, right);
        camera[c].world_from_camera =
            snw_xform_make(snw_quat_from_mat3(snw_mat3_from_columns(right, down, forward)), place);
        camera[c].field_of_view = options->field_of_view;
    }
}

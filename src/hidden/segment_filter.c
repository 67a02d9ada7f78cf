/* Predicts hidden markers from the rest of their segment (Aristidou 2010, section 4.6).
 *
 * What is known of a hidden marker depends on how many markers of its segment are seen:
 *
 *     three or more   the rigid shape, fitted to all of them
 *     two             the circle of two spheres, nearest to where the last turn carries the marker
 *     one             the last turn about the seen marker
 *     none            the last turn about the centre of rotation that the neighbouring segment
 * shows, or, where that is hidden too, about a centre that moves on
 *
 * A camera's ray replaces the estimate by the nearest point of the ray: to the circle (two seen),
 * to the sphere (one seen), else to the estimate. The result is an observation for the marker's own
 * filter, less sure the less is seen. Distances come from the mean shape, never from estimates,
 * which drift.
 *
 * The anchored form, ours, holds the segment by more: besides its seen markers by the centres of
 * rotation that its neighbours on both sides show. Three such points tell the pose; what they leave
 * open is carried by the neighbour's turn. Shapes and centres are learned in segment_shape.c. */
#include "hidden/segment_filter.h"

#include <math.h>

#include "base/elementary.h"
#include "hidden/hidden_constants.h"
#include "person/movement.h"

/* ---- what the segment says of a hidden marker
 * ------------------------------------------------------------ */

typedef struct segment_guess {
    snw_vec3 place;
    double sigma; /* metres, of the distance: what is stated */
    int level;    /* how far it was inferred, from 1: the filter's noise doubles with each */
} segment_guess;

/* How far a turn may have gone astray since three markers showed it, radians. */
static double angle_astray(const snw__live_segment *segment)
{
    return fmin(sqrt(SEGMENT_ASTRAY * segment->adrift), 1.4);
}

/* The marker's last place, turned with the segment's last turn about a point that was `before` and
 * is `now`. */
static snw_vec3 turned(const snw__live_segment *segment, const snw__live_marker *marker,
                       snw_vec3 before, snw_vec3 now)
{
    return snw_vec3_add(now,
                        snw_quat_rotate(segment->turn, snw_vec3_sub(marker->held_before, before)));
}

static segment_guess guess_rigid(const snw__live *live, const snw__live_segment *segment, int n,
                                 snw_xform pose)
{
    const snw__live_marker *marker = live->marker + segment->marker[n];
    /* A second of what a marker is off its place on the segment is forgotten to a third in this
     * time. */
    double left = snw__exp(-marker->hidden * live->step / SNW__SKIN_SECONDS);
    segment_guess guess;
    guess.level = 1;
    guess.place = snw_xform_point(pose, snw_vec3_add_scaled(segment->shape[n], left, marker->slip));
    /* Metres: noise of a seen marker; the filters of seen markers follow the samples closely. */
    guess.sigma = sqrt(2 * segment->rigidity * (1 - left * left) + SNW__NOISE * SNW__NOISE);
    return guess;
}

/* Is the pose of this segment told by its own markers? */
static bool shows_pose(const snw__live_segment *segment)
{
    return segment->has_pose && segment->seen_count >= (segment->count < 3 ? segment->count : 3);
}

/* Adds a point of the segment, given in its shape, and where it is seen. */
static void add_anchor(snw__live *live, snw_quat rotation, int *count, snw_vec3 local,
                       snw_vec3 world)
{
    live->from[*count] = snw_quat_rotate(rotation, local);
    live->to[(*count)++] = world;
}

/* How far a point lies from what the anchors hold: the lever of a turn that they leave free. */
static double free_lever(const snw__live *live, int count, snw_vec3 point)
{
    snw_vec3 mean = {0, 0, 0}, axis = {0, 1, 0};
    double widest = 0, off = 0;
    for (int a = 0; a < count; a++)
        mean = snw_vec3_add_scaled(mean, 1.0 / count, live->from[a]);
    if (count < 2) return count < 1 ? 1 : snw_vec3_distance(point, mean);
    for (int a = 0; a < count; a++) {
        snw_vec3 arm = snw_vec3_sub(live->from[a], mean);
        if (snw_vec3_length(arm) <= widest) continue;
        widest = snw_vec3_length(arm);
        axis = snw_vec3_unit(arm, axis);
    }
    for (int a = 0; a < count; a++)
        off = fmax(off, snw_vec3_length(snw_vec3_cross(axis, snw_vec3_sub(live->from[a], mean))));
    double lever = snw_vec3_length(snw_vec3_cross(axis, snw_vec3_sub(point, mean)));
    /* Metres: anchors this far off their common axis halve what a twist may do to the others: a
     * centre of rotation is known to a centimetre. */
    return lever * (count < 3 ? 1 : SNW__SKIN / (SNW__SKIN + off));
}

/* The pose that carries the segment's shape to its anchors, turned from `pose` by as little as they
 * ask for. How many anchors there are; without any the pose stays. */
static int fit_anchors(snw__live *live, int index, snw_xform *pose)
{
    snw_fit fit;
    /* Seen markers of the segment, then the centres that neighbours on both sides show. */
    const snw__live_segment *segment = live->segment + index;
    int count = 0;
    for (int n = 0; n < segment->count; n++)
        if (live->marker[segment->marker[n]].is_seen)
            add_anchor(live, pose->rotation, &count, segment->shape[n],
                       live->marker[segment->marker[n]].place);
    if (segment->neighbour >= 0 && segment->has_center &&
        shows_pose(live->segment + segment->neighbour))
        add_anchor(live, pose->rotation, &count, snw_vec3_neg(segment->arm_x),
                   snw__live_center_from(live->segment[segment->neighbour].pose, segment->arm_y));
    for (int l = 0; l < live->segment_count; l++) {
        const snw__live_segment *other = live->segment + l;
        if (other->neighbour == index && other->has_center && shows_pose(other))
            add_anchor(live, pose->rotation, &count, snw_vec3_neg(other->arm_y),
                       snw__live_center_from(other->pose, other->arm_x));
    }
    if (count > 0 && snw_fit_rigid(live->from, live->to, NULL, count, &fit) == SNW_OK) {
        pose->rotation = snw_quat_normalize(snw_quat_mul(fit.to_from.rotation, pose->rotation));
        pose->translation = fit.to_from.translation;
    }
    return count;
}

/* The thesis takes the point of the circle that is nearest to where the last turn carries the
 * marker; a turn about the line of the two seen markers is then told by nothing, and drifts: 2.5 cm
 * in `sinew bench occlusion`. Where neighbours show a centre of rotation it is a third point of the
 * segment, and `held` is where the shape fitted to all of them has the marker (sigma not above 0:
 * they show none). */
static segment_guess guess_circle(const snw__live *live, const snw__live_segment *segment, int n,
                                  const int seen[2], segment_guess held)
{
    const snw__live_marker *marker = live->marker + segment->marker[n];
    snw_sphere sphere[2];
    snw_vec3 mean = {0, 0, 0};
    for (int s = 0; s < 2; s++) {
        const snw__live_marker *other = live->marker + segment->marker[seen[s]];
        sphere[s].center = other->place;
        sphere[s].radius = snw_vec3_distance(segment->shape[n], segment->shape[seen[s]]);
        mean = snw_vec3_add_scaled(mean, 0.5,
                                   turned(segment, marker, other->held_before, other->place));
    }
    if (held.sigma > 0) mean = held.place;
    segment_guess guess;
    guess.level = 2;
    snw_circle circle;
    snw_meet meet = snw_sphere_sphere(sphere[0], sphere[1], &circle);
    snw_sphere_sphere_nearest(sphere, mean, segment->shape[n], &guess.place);
    if (marker->has_ray && meet == SNW_MEET_CROSS && !(held.sigma > 0)) {
        snw_vec3 on_circle;
        snw_line_circle_nearest(marker->ray, circle, &guess.place, &on_circle);
        guess.sigma = sqrt(segment->rigidity + SNW__NOISE * SNW__NOISE);
        return guess;
    }
    guess.sigma = sqrt(2 * segment->rigidity + SNW__NOISE * SNW__NOISE) +
                  fmin(angle_astray(segment) * circle.radius, 1.2 * circle.radius);
    if (held.sigma > 0) guess.sigma = fmin(guess.sigma, held.sigma);
    return guess;
}

static segment_guess guess_sphere(const snw__live *live, const snw__live_segment *segment, int n,
                                  int seen)
{
    const snw__live_marker *marker = live->marker + segment->marker[n];
    const snw__live_marker *other = live->marker + segment->marker[seen];
    snw_sphere sphere = {other->place, snw_vec3_distance(segment->shape[n], segment->shape[seen])};
    segment_guess guess;
    guess.level = 3;
    guess.place = snw_sphere_nearest(
        sphere, turned(segment, marker, other->held_before, other->place), segment->shape[n]);
    guess.sigma = sqrt(2 * segment->rigidity) + SNW__NOISE + angle_astray(segment) * sphere.radius;
    if (!marker->has_ray) return guess;
    snw_point_pair points;
    if (snw_line_sphere(marker->ray, sphere, &points) == SNW_MEET_CROSS)
        guess.place = snw_vec3_distance(points.first, guess.place) <
                              snw_vec3_distance(points.second, guess.place)
                          ? points.first
                          : points.second;
    return guess;
}

/* A segment without a seen marker turns about the centre that its neighbour shows, or that moves
 * on.
 */
static segment_guess guess_hidden(const snw__live *live, const snw__live_segment *segment, int n,
                                  snw_vec3 before, snw_vec3 now)
{
    const snw__live_marker *marker = live->marker + segment->marker[n];
    segment_guess guess;
    guess.level = 4;
    guess.place = turned(segment, marker, before, now);
    if (segment->has_center) {
        snw_sphere sphere = {now, snw_vec3_length(snw_vec3_add(segment->shape[n], segment->arm_x))};
        guess.place = snw_sphere_nearest(sphere, guess.place, segment->shape[n]);
    }
    guess.sigma = angle_astray(segment) * snw_vec3_distance(guess.place, now) +
                  sqrt(segment->rigidity) + SNW__NOISE;
    const snw__live_segment *other =
        segment->neighbour >= 0 ? live->segment + segment->neighbour : NULL;
    if (!segment->has_center || !other || other->seen_count == 0)
        guess.sigma += 0.5 * segment->adrift; /* half a metre a second: a person walks twice that */
    return guess;
}

static void place_marker(snw__live *live, snw__live_marker *marker, segment_guess guess)
{
    if (marker->has_ray) {
        snw_vec3 arm = snw_vec3_sub(guess.place, marker->ray.point);
        double along = fmax(snw_vec3_dot(arm, marker->ray.direction), 0);
        guess.place = snw_vec3_add_scaled(marker->ray.point, along, marker->ray.direction);
        guess.sigma *= 0.58; /* one direction of three is left */
    }
    marker->uncertainty = guess.sigma;
    marker->held = guess.place;
    if (live->is_anchored) {
        marker->place = marker->filter.x = guess.place;
        return;
    }
    snw__filter_update(&marker->filter, live->kind, guess.place, ldexp(SNW__NOISE, guess.level),
                       live->step);
    /* On the ray, whatever the filter says of it: the camera saw that. */
    marker->place = marker->has_ray ? guess.place : marker->filter.x;
}

static void place_by_anchors(snw__live *live, int index)
{
    snw__live_segment *segment = live->segment + index;
    if (segment->shape_frames == 0 || !segment->has_pose) return;
    /* What nothing holds turns as the neighbour does. */
    if (segment->neighbour >= 0 && segment->seen_count < 3) {
        snw_quat turn = live->segment[segment->neighbour].turn;
        segment->pose.rotation = snw_quat_normalize(snw_quat_mul(turn, segment->pose.rotation));
    }
    snw_xform pose = segment->pose;
    int count = fit_anchors(live, index, &pose);
    if (count == 0) pose.translation = snw_vec3_add(pose.translation, segment->center_step);
    for (int n = 0; n < segment->count; n++) {
        snw__live_marker *marker = live->marker + segment->marker[n];
        if (marker->is_seen || !marker->filter.has_state) continue;
        segment_guess guess = guess_rigid(live, segment, n, pose);
        double lever =
            free_lever(live, count, snw_quat_rotate(segment->pose.rotation, segment->shape[n]));
        guess.sigma += angle_astray(segment) * lever + (count == 0 ? 0.5 * segment->adrift : 0);
        place_marker(live, marker, guess);
    }
}

/* ---- a frame
 * -------------------------------------------------------------------------------------- */

/* The thesis lets the last turn go on for as long as the segment is hidden. What two seen markers,
 * or with less the neighbour, show of this frame's turn is nearer the truth soon: the last turn
 * gives way to it.
 */
static void forget_turn(snw__live *live, snw__live_segment *segment)
{
    snw_quat shown = snw_quat_identity();
    snw_fit fit;
    int count = 0;
    if (segment->neighbour >= 0 && live->segment[segment->neighbour].seen_count > 0)
        shown = live->segment[segment->neighbour].turn;
    for (int n = 0; n < segment->count; n++) {
        const snw__live_marker *marker = live->marker + segment->marker[n];
        if (!marker->is_seen) continue;
        live->from[count] = snw_quat_rotate(shown, marker->held_before);
        live->to[count++] = marker->place;
    }
    if (count >= 2 && snw_fit_rigid(live->from, live->to, NULL, count, &fit) == SNW_OK)
        shown = snw_quat_normalize(snw_quat_mul(fit.to_from.rotation, shown));
    /* Seconds in which a turn that nothing shows any more is forgotten to a third; 0.05 to 0.2 give
     * the same errors within 10 %. */
    double left = snw__exp(-segment->adrift / SNW__BRIEF);
    segment->turn = snw_quat_slerp(shown, segment->turn, left);
}

/* Where the segment's shape, held by seen markers and the centres that neighbours show, has a
 * marker. Its sigma is 0 where no centre is shown. */
static segment_guess guess_held(const snw__live *live, const snw__live_segment *segment, int n,
                                snw_xform pose, int anchors)
{
    segment_guess guess = guess_rigid(live, segment, n, pose);
    double lever = free_lever(live, anchors, snw_quat_rotate(pose.rotation, segment->shape[n]));
    guess.sigma = anchors < 3 ? 0 : guess.sigma + angle_astray(segment) * lever;
    return guess;
}

static void place_by_seen(snw__live *live, int index)
{
    snw__live_segment *segment = live->segment + index;
    int seen[3], count = 0, anchors = 0;
    snw_xform pose = segment->pose;
    for (int n = 0; n < segment->count && count < 3; n++)
        if (live->marker[segment->marker[n]].is_seen) seen[count++] = n;
    if (segment->shape_frames == 0) return;
    if (count == 3)
        snw__live_fit_pose(live, segment, true, &pose);
    else
        forget_turn(live, segment);
    if (count == 2) {
        pose.rotation = snw_quat_normalize(snw_quat_mul(segment->turn, pose.rotation));
        anchors = fit_anchors(live, index, &pose);
    }
    for (int n = 0; n < segment->count; n++) {
        snw__live_marker *marker = live->marker + segment->marker[n];
        if (marker->is_seen || !marker->filter.has_state) continue;
        if (count == 3)
            place_marker(live, marker, guess_rigid(live, segment, n, pose));
        else if (count == 2)
            place_marker(
                live, marker,
                guess_circle(live, segment, n, seen, guess_held(live, segment, n, pose, anchors)));
        else
            place_marker(live, marker, guess_sphere(live, segment, n, seen[0]));
    }
}

static void place_hidden_segment(snw__live *live, int index)
{
    snw__live_segment *segment = live->segment + index;
    const snw__live_segment *other =
        segment->neighbour >= 0 ? live->segment + segment->neighbour : NULL;
    snw_vec3 before = segment->is_center_placed ? segment->center : segment->pose.translation;
    snw_vec3 now = snw_vec3_add(before, segment->center_step);
    if (!segment->has_pose) return;
    forget_turn(live, segment);
    if (segment->has_center && segment->is_center_placed && other && other->seen_count > 0)
        now = snw__live_center_from(other->pose, segment->arm_y);
    for (int n = 0; n < segment->count; n++) {
        snw__live_marker *marker = live->marker + segment->marker[n];
        if (marker->filter.has_state)
            place_marker(live, marker, guess_hidden(live, segment, n, before, now));
    }
}

/* Pose, turn and centre of the frame, from all markers as they are placed now. */
static void finish_segment(snw__live *live, int index)
{
    snw__live_segment *segment = live->segment + index;
    snw_xform before = segment->pose;
    bool is_complete = segment->seen_count == segment->count;
    if (segment->shape_frames == 0) {
        if (is_complete && segment->count > 0) snw__live_start_shape(live, segment);
        return;
    }
    snw__live_fit_pose(live, segment, false, &segment->pose);
    segment->turn = snw_quat_mul(segment->pose.rotation, snw_quat_conjugate(before.rotation));
    segment->adrift = segment->seen_count >= 3 || is_complete ? 0 : segment->adrift + live->step;
    /* How the segment carries its centre; the centre itself jumps when it is solved anew, or when
     * another of the two segments tells it. What is not shown any more slows down. */
    if (segment->is_center_placed && segment->seen_count > 0) {
        snw_vec3 local = snw_xform_unpoint(before, segment->center);
        segment->center_step = snw_vec3_sub(snw_xform_point(segment->pose, local), segment->center);
        /* A centre that nothing shows moves on, at no more than a sprinter's speed, metres a
         * second, */
        double length = snw_vec3_length(segment->center_step), longest = SNW__SPRINT * live->step;
        if (length > longest)
            segment->center_step = snw_vec3_scale(segment->center_step, longest / length);
    } else {
        segment->center_step =
            snw_vec3_scale(segment->center_step, snw__exp(-live->step / SEGMENT_GLIDE_SECONDS));
    }
    if (is_complete) snw__live_learn_shape(live, segment);
}

void snw__live_step(snw__live *live)
{
    for (int m = 0; m < live->marker_count; m++) {
        snw__live_marker *marker = live->marker + m;
        snw__filter_predict(&marker->filter, live->kind, live->step);
        if (marker->hidden >= 0) marker->hidden++;
        marker->held_before = marker->held;
        if (!marker->is_seen) continue;
        marker->hidden = 0;
        marker->uncertainty = 0;
        marker->held = marker->place;
        snw__filter_update(&marker->filter, live->kind, marker->place, SNW__NOISE, live->step);
    }
    for (int l = 0; l < live->segment_count; l++) {
        snw__live_segment *segment = live->segment + l;
        segment->seen_count = 0;
        for (int n = 0; n < segment->count; n++)
            segment->seen_count += live->marker[segment->marker[n]].is_seen;
    }
    /* Segments that are seen first, then those that build upon them. */
    for (int pass = 0; pass < 3; pass++)
        for (int l = 0; l < live->segment_count; l++) {
            const snw__live_segment *segment = live->segment + l;
            bool is_complete = segment->seen_count == segment->count;
            if (pass != (is_complete ? 0 : segment->seen_count > 0 ? 1 : 2)) continue;
            if (pass > 0 && live->is_anchored)
                place_by_anchors(live, l);
            else if (pass == 1)
                place_by_seen(live, l);
            else if (pass == 2)
                place_hidden_segment(live, l);
            finish_segment(live, l);
        }
    for (int l = 0; l < live->segment_count; l++) {
        snw__live_segment *segment = live->segment + l;
        snw_vec3 center;
        snw__live_learn_center(live, segment);
        bool is_known = snw__live_center(live, l, &center);
        if (!is_known) center = segment->pose.translation;
        segment->center = center;
        segment->is_center_placed = segment->has_pose;
    }
}

void snw__live_refit(snw__live *live)
{
    for (int l = 0; l < live->segment_count; l++) {
        snw__live_segment *segment = live->segment + l;
        if (segment->seen_count == segment->count || segment->shape_frames == 0) continue;
        snw_xform before = segment->pose;
        snw__live_fit_pose(live, segment, false, &segment->pose);
        /* The turn was from the last frame to the first fit of this one. */
        snw_quat more = snw_quat_mul(segment->pose.rotation, snw_quat_conjugate(before.rotation));
        segment->turn = snw_quat_normalize(snw_quat_mul(more, segment->turn));
        snw__live_center(live, l, &segment->center);
    }
}

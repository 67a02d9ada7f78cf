/* What a live predictor learns of a segment while it is seen: the mean shape of its markers, and
 * the centre of rotation between it and its neighbour.
 *
 * Centres: the two-sided form (Aristidou 2010, 4.12 to 4.14 with the sign of 4.14 put right), in
 * running sums. */
#include "hidden/hidden_constants.h"
#include "hidden/segment_filter.h"

#include <math.h>

#include <sinew/dense.h>

/* ---- shape
 * ---------------------------------------------------------------------------------------- */

void snw__live_start_shape(snw__live *live, snw__live_segment *segment)
{
    snw_vec3 center = {0, 0, 0};
    for (int n = 0; n < segment->count; n++)
        center = snw_vec3_add_scaled(center, 1.0 / segment->count,
                                     live->marker[segment->marker[n]].place);
    for (int n = 0; n < segment->count; n++)
        segment->shape[n] = snw_vec3_sub(live->marker[segment->marker[n]].place, center);
    segment->pose = snw_xform_make(snw_quat_identity(), center);
    segment->turn = snw_quat_identity();
    segment->shape_frames = 1;
    segment->has_pose = true;
}

/* The running mean of the segment's shape, kept about its centroid. */
void snw__live_learn_shape(snw__live *live, snw__live_segment *segment)
{
    int frames = segment->shape_frames < SNW__SAMPLES_CALIBRATE ? ++segment->shape_frames
                                                                : SNW__SAMPLES_CALIBRATE;
    snw_vec3 center = {0, 0, 0};
    double off = 0;
    for (int n = 0; n < segment->count; n++) {
        snw__live_marker *marker = live->marker + segment->marker[n];
        snw_vec3 local = snw_xform_unpoint(segment->pose, marker->place);
        marker->slip = snw_vec3_sub(local, segment->shape[n]);
        off += snw_vec3_length2(marker->slip) / segment->count;
        segment->shape[n] = snw_vec3_add_scaled(segment->shape[n], 1.0 / frames, marker->slip);
        center = snw_vec3_add_scaled(center, 1.0 / segment->count, segment->shape[n]);
    }
    for (int n = 0; n < segment->count; n++)
        segment->shape[n] = snw_vec3_sub(segment->shape[n], center);
    segment->rigidity += (off - segment->rigidity) / frames;
}

/* The pose that carries the shape to the segment's markers; seen ones alone, or all as estimated.
 */
void snw__live_fit_pose(snw__live *live, snw__live_segment *segment, bool seen_alone,
                        snw_xform *pose)
{
    snw_fit fit;
    int count = 0;
    for (int n = 0; n < segment->count; n++) {
        const snw__live_marker *marker = live->marker + segment->marker[n];
        if (seen_alone && !marker->is_seen) continue;
        live->from[count] = snw_quat_rotate(segment->pose.rotation, segment->shape[n]);
        live->to[count++] = marker->held;
    }
    if (snw_fit_rigid(live->from, live->to, NULL, count, &fit) != SNW_OK) return;
    pose->rotation = snw_quat_normalize(snw_quat_mul(fit.to_from.rotation, segment->pose.rotation));
    pose->translation = fit.to_from.translation;
}

/* ---- centres of rotation
 * ---------------------------------------------------------------------------- */

/* C = xbar - Rx a_x, or ybar - Ry a_y. */
snw_vec3 snw__live_center_from(snw_xform pose, snw_vec3 arm)
{
    return snw_vec3_sub(pose.translation, snw_quat_rotate(pose.rotation, arm));
}

bool snw__live_center(const snw__live *live, int index, snw_vec3 *center)
{
    const snw__live_segment *segment = live->segment + index;
    if (!segment->has_center || segment->neighbour < 0) return false;
    const snw__live_segment *other = live->segment + segment->neighbour;
    if (!segment->has_pose || !other->has_pose) return false;
    snw_vec3 mine = snw__live_center_from(segment->pose, segment->arm_x);
    snw_vec3 theirs = snw__live_center_from(other->pose, segment->arm_y);
    /* Who is seen better says more; equally seen, equally much. */
    double share = (segment->seen_count + 0.01) / (segment->seen_count + other->seen_count + 0.02);
    *center = snw_vec3_lerp(theirs, mine, share);
    return true;
}

void snw__live_learn_center(snw__live *live, snw__live_segment *segment)
{
    if (segment->neighbour < 0) return;
    const snw__live_segment *other = live->segment + segment->neighbour;
    bool is_seen = segment->seen_count == segment->count && other->seen_count == other->count;
    if (is_seen && segment->count >= 3 && other->count >= 3 && segment->has_pose &&
        other->has_pose) {
        snw_mat3 x = snw_mat3_from_quat(segment->pose.rotation);
        snw_mat3 y = snw_mat3_from_quat(other->pose.rotation);
        snw_mat3 turn = snw_mat3_mul(snw_mat3_transpose(x), y);
        snw_vec3 b = snw_vec3_sub(segment->pose.translation, other->pose.translation);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                segment->sum_turn.m[i][j] += turn.m[i][j];
        segment->sum_x = snw_vec3_add(segment->sum_x, snw_quat_unrotate(segment->pose.rotation, b));
        segment->sum_y = snw_vec3_add(segment->sum_y, snw_quat_unrotate(other->pose.rotation, b));
        segment->sum_count++;
    }
    bool is_due = segment->sum_count >= SEGMENT_CENTER_FRAMES &&
                  (segment->solved_count == 0 || segment->sum_count >= 1.1 * segment->solved_count);
    if (is_due) {
        /* [ I -M ; -M^T I ] [a_x; a_y] = [beta_x; -beta_y], by eigenvectors: what no motion shows
         * stays 0.
         */
        double a[36] = {0}, value[6], vector[36], right[6], x[6] = {0};
        double share = 1 / segment->sum_count;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                a[i * 6 + j] = a[(i + 3) * 6 + j + 3] = i == j;
                a[i * 6 + j + 3] = -share * segment->sum_turn.m[i][j];
                a[(j + 3) * 6 + i] = -share * segment->sum_turn.m[i][j];
            }
        right[0] = share * segment->sum_x.x, right[1] = share * segment->sum_x.y;
        right[2] = share * segment->sum_x.z, right[3] = -share * segment->sum_y.x;
        right[4] = -share * segment->sum_y.y, right[5] = -share * segment->sum_y.z;
        segment->solved_count = segment->sum_count;
        segment->has_center = false;
        if (snw_eigen_symmetric(a, 6, value, vector) == SNW_OK &&
            !(value[3] < SEGMENT_CENTER_LEAST)) {
            for (int n = 0; n < 6; n++) {
                if (value[n] < SEGMENT_CENTER_LEAST) continue;
                double along = 0;
                for (int i = 0; i < 6; i++)
                    along += vector[n * 6 + i] * right[i] / value[n];
                for (int i = 0; i < 6; i++)
                    x[i] += along * vector[n * 6 + i];
            }
            segment->arm_x = snw_vec3_make(x[0], x[1], x[2]);
            segment->arm_y = snw_vec3_make(x[3], x[4], x[5]);
            segment->has_center = true;
        }
    }
}

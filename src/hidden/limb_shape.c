/* What a live predictor learns of a limb while it is seen: the mean shape of its markers, and the
 * centre of rotation between it and its neighbour.
 *
 * Centres: the two-sided form (Aristidou 2010, 4.12 to 4.14 with the sign of 4.14 put right), in
 * running sums. */
#include "hidden/limb_filter.h"

#include <math.h>

#include <sinew/dense.h>

/* Frames in the mean shape, from which on old ones are forgotten. */
#define LIMB_SHAPE_FRAMES 2000
/* Frames that show a joint's motion before its centre is believed, */
#define LIMB_CENTER_FRAMES 100
/* and the least eigenvalue of the two-sided system: 2.5 degrees of relative motion. */
#define LIMB_CENTER_LEAST 1e-3

/* ---- shape
 * ---------------------------------------------------------------------------------------- */

void snw__live_start_shape(snw__live *live, snw__live_limb *limb)
{
    snw_vec3 center = {0, 0, 0};
    for (int n = 0; n < limb->count; n++)
        center =
            snw_vec3_add_scaled(center, 1.0 / limb->count, live->marker[limb->marker[n]].place);
    for (int n = 0; n < limb->count; n++)
        limb->shape[n] = snw_vec3_sub(live->marker[limb->marker[n]].place, center);
    limb->pose = snw_xform_make(snw_quat_identity(), center);
    limb->turn = snw_quat_identity();
    limb->shape_frames = 1;
    limb->has_pose = true;
}

/* The running mean of the limb's shape, kept about its centroid. */
void snw__live_learn_shape(snw__live *live, snw__live_limb *limb)
{
    int frames = limb->shape_frames < LIMB_SHAPE_FRAMES ? ++limb->shape_frames : LIMB_SHAPE_FRAMES;
    snw_vec3 center = {0, 0, 0};
    double off = 0;
    for (int n = 0; n < limb->count; n++) {
        snw__live_marker *marker = live->marker + limb->marker[n];
        snw_vec3 local = snw_xform_unpoint(limb->pose, marker->place);
        marker->slip = snw_vec3_sub(local, limb->shape[n]);
        off += snw_vec3_length2(marker->slip) / limb->count;
        limb->shape[n] = snw_vec3_add_scaled(limb->shape[n], 1.0 / frames, marker->slip);
        center = snw_vec3_add_scaled(center, 1.0 / limb->count, limb->shape[n]);
    }
    for (int n = 0; n < limb->count; n++)
        limb->shape[n] = snw_vec3_sub(limb->shape[n], center);
    limb->rigidity += (off - limb->rigidity) / frames;
}

/* The pose that carries the shape to the limb's markers; seen ones alone, or all as estimated. */
void snw__live_fit_pose(snw__live *live, snw__live_limb *limb, bool seen_alone, snw_xform *pose)
{
    snw_fit fit;
    int count = 0;
    for (int n = 0; n < limb->count; n++) {
        const snw__live_marker *marker = live->marker + limb->marker[n];
        if (seen_alone && !marker->is_seen) continue;
        live->from[count] = snw_quat_rotate(limb->pose.rotation, limb->shape[n]);
        live->to[count++] = marker->held;
    }
    if (snw_fit_rigid(live->from, live->to, NULL, count, &fit) != SNW_OK) return;
    pose->rotation = snw_quat_normalize(snw_quat_mul(fit.to_from.rotation, limb->pose.rotation));
    pose->translation = fit.to_from.translation;
}

/* ---- centres of rotation
 * ---------------------------------------------------------------------------- */

static void add_to_sums(snw__live_limb *limb, const snw__live_limb *other)
{
    snw_mat3 x = snw_mat3_from_quat(limb->pose.rotation);
    snw_mat3 y = snw_mat3_from_quat(other->pose.rotation);
    snw_mat3 turn = snw_mat3_mul(snw_mat3_transpose(x), y);
    snw_vec3 b = snw_vec3_sub(limb->pose.translation, other->pose.translation);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            limb->sum_turn.m[i][j] += turn.m[i][j];
    limb->sum_x = snw_vec3_add(limb->sum_x, snw_quat_unrotate(limb->pose.rotation, b));
    limb->sum_y = snw_vec3_add(limb->sum_y, snw_quat_unrotate(other->pose.rotation, b));
    limb->sum_count++;
}

/* [ I -M ; -M^T I ] [a_x; a_y] = [beta_x; -beta_y], by eigenvectors: what no motion shows stays 0.
 */
static void solve_center(snw__live_limb *limb)
{
    double a[36] = {0}, value[6], vector[36], right[6], x[6] = {0};
    double share = 1 / limb->sum_count;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            a[i * 6 + j] = a[(i + 3) * 6 + j + 3] = i == j;
            a[i * 6 + j + 3] = -share * limb->sum_turn.m[i][j];
            a[(j + 3) * 6 + i] = -share * limb->sum_turn.m[i][j];
        }
    right[0] = share * limb->sum_x.x, right[1] = share * limb->sum_x.y;
    right[2] = share * limb->sum_x.z, right[3] = -share * limb->sum_y.x;
    right[4] = -share * limb->sum_y.y, right[5] = -share * limb->sum_y.z;
    limb->solved_count = limb->sum_count;
    limb->has_center = false;
    if (snw_eigen_symmetric(a, 6, value, vector) != SNW_OK || value[3] < LIMB_CENTER_LEAST) return;
    for (int n = 0; n < 6; n++) {
        if (value[n] < LIMB_CENTER_LEAST) continue;
        double along = 0;
        for (int i = 0; i < 6; i++)
            along += vector[n * 6 + i] * right[i] / value[n];
        for (int i = 0; i < 6; i++)
            x[i] += along * vector[n * 6 + i];
    }
    limb->arm_x = snw_vec3_make(x[0], x[1], x[2]);
    limb->arm_y = snw_vec3_make(x[3], x[4], x[5]);
    limb->has_center = true;
}

/* C = xbar - Rx a_x, or ybar - Ry a_y. */
snw_vec3 snw__live_center_from(snw_xform pose, snw_vec3 arm)
{
    return snw_vec3_sub(pose.translation, snw_quat_rotate(pose.rotation, arm));
}

bool snw__live_center(const snw__live *live, int index, snw_vec3 *center)
{
    const snw__live_limb *limb = live->limb + index;
    if (!limb->has_center || limb->neighbour < 0) return false;
    const snw__live_limb *other = live->limb + limb->neighbour;
    if (!limb->has_pose || !other->has_pose) return false;
    snw_vec3 mine = snw__live_center_from(limb->pose, limb->arm_x);
    snw_vec3 theirs = snw__live_center_from(other->pose, limb->arm_y);
    /* Who is seen better says more; equally seen, equally much. */
    double share = (limb->seen_count + 0.01) / (limb->seen_count + other->seen_count + 0.02);
    *center = snw_vec3_lerp(theirs, mine, share);
    return true;
}

void snw__live_learn_center(snw__live *live, snw__live_limb *limb)
{
    if (limb->neighbour < 0) return;
    const snw__live_limb *other = live->limb + limb->neighbour;
    bool is_seen = limb->seen_count == limb->count && other->seen_count == other->count;
    if (is_seen && limb->count >= 3 && other->count >= 3 && limb->has_pose && other->has_pose)
        add_to_sums(limb, other);
    bool is_due = limb->sum_count >= LIMB_CENTER_FRAMES &&
                  (limb->solved_count == 0 || limb->sum_count >= 1.1 * limb->solved_count);
    if (is_due) solve_center(limb);
}

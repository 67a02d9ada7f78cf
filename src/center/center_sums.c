/* Running sums of a fixed size, for streams: of the poses of two segments, and of the places of one
 * marker. What is made of them is in center_two_sided.c and center_sphere.c. */
#include <string.h>

#include "center/center.h"
#include "center/center_cloud.h"
#include "math/symmetric3.h"

/* ---- poses of two segments ---------------------------------------------------------------------
 */

snw_center_sums snw_center_sums_begin(void)
{
    snw_center_sums sums;
    memset(&sums, 0, sizeof sums);
    return sums;
}

void snw_center_sums_skip(snw_center_sums *sums)
{
    sums->has_last = false;
}

static void add_matrix(snw_mat3 *sum, double weight, snw_mat3 a)
{
    for (int i = 0; i < 9; i++)
        (&sum->m[0][0])[i] += weight * (&a.m[0][0])[i];
}

static void scale_matrix(snw_mat3 *a, double factor)
{
    for (int i = 0; i < 9; i++)
        (&a->m[0][0])[i] *= factor;
}

void snw__center_sums_add_weighted(snw_center_sums *sums, snw_xform parent_from_child,
                                   double weight)
{
    snw_xform child_from_parent = snw_xform_inverse(parent_from_child);
    sums->frame_count++;
    sums->weight += weight;
    sums->weight2 += weight * weight;
    add_matrix(&sums->rotation, weight, snw_mat3_from_quat(parent_from_child.rotation));
    sums->parent_offset =
        snw_vec3_add_scaled(sums->parent_offset, weight, parent_from_child.translation);
    sums->child_offset =
        snw_vec3_add_scaled(sums->child_offset, weight, child_from_parent.translation);
    sums->offset2 += weight * snw_vec3_length2(parent_from_child.translation);
    if (sums->has_last) {
        snw_quat turn =
            snw_quat_mul(snw_quat_conjugate(parent_from_child.rotation), sums->last.rotation);
        snw_vec3 before = sums->last.translation, after = parent_from_child.translation;
        sums->pair_weight += weight;
        add_matrix(&sums->pair_rotation, weight, snw_mat3_from_quat(parent_from_child.rotation));
        add_matrix(&sums->pair_rotation, weight, snw_mat3_from_quat(sums->last.rotation));
        add_matrix(&sums->pair_turn, weight, snw_mat3_from_quat(turn));
        sums->pair_offset =
            snw_vec3_add_scaled(sums->pair_offset, weight, snw_vec3_add(before, after));
        snw_vec3 cross = snw_vec3_add(snw_quat_unrotate(parent_from_child.rotation, before),
                                      snw_quat_unrotate(sums->last.rotation, after));
        sums->pair_cross = snw_vec3_add_scaled(sums->pair_cross, weight, cross);
        sums->pair_offset2 += weight * snw_vec3_dot(before, after);
    }
    sums->has_last = true;
    sums->last = parent_from_child;
}

void snw_center_sums_add(snw_center_sums *sums, snw_xform world_from_parent,
                         snw_xform world_from_child)
{
    snw_center_data frame;
    memset(&frame, 0, sizeof frame);
    frame.frame_count = 1;
    frame.world_from_parent = &world_from_parent;
    frame.world_from_child = &world_from_child;
    snw_xform parent_from_child;
    if (snw__center_relative(&frame, 0, &parent_from_child))
        snw__center_sums_add_weighted(sums, parent_from_child, 1);
    else
        snw_center_sums_skip(sums);
}

void snw_center_sums_fade(snw_center_sums *sums, double factor)
{
    double keep = snw_clamp(factor, 0, 1);
    sums->weight *= keep;
    sums->weight2 *= keep * keep;
    scale_matrix(&sums->rotation, keep);
    sums->parent_offset = snw_vec3_scale(sums->parent_offset, keep);
    sums->child_offset = snw_vec3_scale(sums->child_offset, keep);
    sums->offset2 *= keep;
    sums->pair_weight *= keep;
    scale_matrix(&sums->pair_rotation, keep);
    scale_matrix(&sums->pair_turn, keep);
    sums->pair_offset = snw_vec3_scale(sums->pair_offset, keep);
    sums->pair_cross = snw_vec3_scale(sums->pair_cross, keep);
    sums->pair_offset2 *= keep;
}

/* ---- places of a marker ------------------------------------------------------------------------
 */

snw_point_sums snw_point_sums_begin(void)
{
    snw_point_sums sums;
    memset(&sums, 0, sizeof sums);
    return sums;
}

void snw__point_sums_add_weighted(snw_point_sums *sums, snw_vec3 point, double weight)
{
    if (sums->count++ == 0) sums->first = point;
    snw_vec3 d = snw_vec3_sub(point, sums->first);
    double x[3] = {d.x, d.y, d.z};
    sums->weight += weight;
    sums->sum = snw_vec3_add_scaled(sums->sum, weight, d);
    sums->cubic = snw_vec3_add_scaled(sums->cubic, weight * snw_vec3_length2(d), d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sums->square[i][j] += weight * x[i] * x[j];
}

void snw_point_sums_add(snw_point_sums *sums, snw_vec3 point)
{
    if (snw_vec3_is_finite(point)) snw__point_sums_add_weighted(sums, point, 1);
}

/* With d = first point to p, a = mean d and D = mean d d^T: S = D - a a^T and
 * g = (mean d|d|^2 - a tr D) / 2 - S a. */
snw_point_moments snw_point_sums_moments(const snw_point_sums *sums)
{
    snw_point_moments moments;
    memset(&moments, 0, sizeof moments);
    if (!(sums->weight > 0)) return moments;
    snw_vec3 a = snw_vec3_scale(sums->sum, 1 / sums->weight);
    moments.mean = snw_vec3_add(sums->first, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            moments.s.m[i][j] = sums->square[i][j] / sums->weight;
    double trace = snw__mat3_trace(moments.s);
    snw__add_outer(&moments.s, -1, a);
    snw_vec3 third = snw_vec3_scale(sums->cubic, 1 / sums->weight);
    moments.g = snw_vec3_scale(snw_vec3_add_scaled(third, -trace, a), 0.5);
    moments.g = snw_vec3_sub(moments.g, snw_mat3_apply(moments.s, a));
    return moments;
}

/* sinew/rigid.h - markers that move as one: their frames, and how well they tell a rotation.
 *
 *     snw_xform world_from_segment;
 *     if (snw_frame_from_points(p0, p1, p2, &world_from_segment))
 *         local = snw_xform_unpoint(world_from_segment, p3);
 *
 * Fits of many points are in sinew/geometry.h (snw_fit_rigid). Nothing here allocates; any thread.
 */
#ifndef SINEW_RIGID_H
#define SINEW_RIGID_H

#include <sinew/math.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_marker_list {
    const int *marker; /* (count) indices into the trial */
    int count;
} snw_marker_list;

/* Covariance of the rotation error of a rigid fit to `count` markers at `shape` (segment frame),
 * each seen with `sigma` metres of noise per axis: sigma^2 (sum |p|^2 I - p p^T)^-1 about the mean.
 * Collinear or too few markers: pi^2 about what is not determined. */
SNW_API snw_mat3 snw_segment_rotation_covariance(const snw_vec3 *shape, int count, double sigma);

/* ---- rigid frames from few markers (Knight 2.2) ------------------------------------------------
 */

/* world_from_segment with x from `origin` to `on_x` and z along (in_plane - origin) cross x, so
 * that in_plane lies at negative y. Three markers: origin p0, on_x p1, in_plane p2. Two markers and
 * a centre r: r, p0, p1. One marker, centre and axis n: r, r + n, p0. False, and *frame untouched,
 * when the points coincide, lie on a line (1e-9 of their distance) or are not finite: the frame is
 * missing then, not the identity. */
SNW_API bool snw_frame_from_points(snw_vec3 origin, snw_vec3 on_x, snw_vec3 in_plane,
                                   snw_xform *frame);

#ifdef __cplusplus
}
#endif
#endif

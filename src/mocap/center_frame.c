/* A rigid frame from three points (Knight 2.2; the printed cross products lack the subtraction of
 * the origin that his program makes). */
#include <sinew/centers.h>

/* Relative size below which points coincide or lie on a line. */
#define FRAME_DEGENERATE 1e-9

bool snw_frame_from_points(snw_vec3 origin, snw_vec3 on_x, snw_vec3 in_plane, snw_xform *frame)
{
    snw_vec3 along = snw_vec3_sub(on_x, origin), across = snw_vec3_sub(in_plane, origin);
    double along_length = snw_vec3_length(along), across_length = snw_vec3_length(across);
    double scale = fmax(along_length, across_length);
    /* NaN and infinity fail the comparisons. */
    if (!(along_length > FRAME_DEGENERATE * scale) || !isfinite(scale)) return false;
    snw_vec3 x = snw_vec3_scale(along, 1 / along_length);
    snw_vec3 normal = snw_vec3_cross(across, x);
    double sine_length = snw_vec3_length(normal);
    if (!(sine_length > FRAME_DEGENERATE * scale)) return false;
    snw_vec3 z = snw_vec3_scale(normal, 1 / sine_length);
    snw_vec3 y = snw_vec3_cross(z, x);
    *frame = snw_xform_make(snw_quat_from_mat3(snw_mat3_from_columns(x, y, z)), origin);
    return true;
}

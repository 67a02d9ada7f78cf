/* A rigid frame from three points (Knight 2.2; the printed cross products lack the subtraction of
 * the origin that his program makes). */
#include <string.h>

#include <sinew/rigid.h>

#include "math/symmetric3.h"

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

snw_mat3 snw_limb_rotation_covariance(const snw_vec3 *shape, int count, double sigma)
{
    snw_vec3 mean = {0, 0, 0};
    for (int i = 0; i < count; i++)
        mean = snw_vec3_add_scaled(mean, 1.0 / count, shape[i]);
    snw_mat3 scatter;
    memset(&scatter, 0, sizeof scatter);
    for (int i = 0; i < count; i++)
        snw__add_outer(&scatter, 1, snw_vec3_sub(shape[i], mean));
    snw__spectrum3 spectrum = snw__spectrum3_of(scatter);
    snw_mat3 covariance;
    memset(&covariance, 0, sizeof covariance);
    double total = spectrum.value[0] + spectrum.value[1] + spectrum.value[2];
    for (int i = 0; i < 3; i++) {
        double information = total - spectrum.value[i];
        double variance = SNW_PI * SNW_PI;
        if (information > 1e-9 * total) variance = fmin(variance, sigma * sigma / information);
        snw__add_outer(&covariance, variance, spectrum.vector[i]);
    }
    return covariance;
}

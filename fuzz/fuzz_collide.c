/* Any two shapes anywhere: refused with a sentence, or a finite distance, the same from both sides,
 * that tells truly how far the two nearest points are apart. */
#include "fuzz_numbers.h"

#include <sinew/collide.h>

enum {
    POINTS_MAX = 12
};

static snw_shape make_shape(fuzz_bytes *bytes, snw_vec3 *points)
{
    int kind = fuzz_below(bytes, 6), count = fuzz_below(bytes, POINTS_MAX + 1);
    for (int k = 0; k < count; k++)
        points[k] = fuzz_vector(bytes);
    snw_vec3 a = fuzz_vector(bytes), b = fuzz_vector(bytes);
    double radius = fuzz_byte(bytes) / 64.0;
    if (kind == 0) return snw_shape_sphere(a, radius);
    if (kind == 1) return snw_shape_capsule(a, b, radius);
    if (kind == 2) return snw_shape_box(a, b);
    if (kind == 3) return snw_shape_plane(a, b);
    return snw_shape_hull(points, count, kind == 4 ? radius : 0);
}

static double extent_of(const snw_shape *shape)
{
    const snw_vec3 *point = shape->point ? shape->point : shape->own;
    double most = shape->radius;
    for (int k = 0; k < shape->point_count; k++)
        most = fmax(most, snw_vec3_length(point[k]));
    return most;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_vec3 points[2][POINTS_MAX];
    snw_shape shape[2];
    snw_placed_shape placed[2];
    snw_error error;
    double scale = 1;
    for (int n = 0; n < 2; n++) {
        shape[n] = make_shape(&bytes, points[n]);
        if (snw_shape_check(&shape[n], &error) != SNW_OK) {
            if (!error.message[0]) abort();
            return 0;
        }
        snw_vec3 place = fuzz_vector(&bytes), turn = fuzz_vector(&bytes);
        if (!(snw_vec3_length(place) < 1e6) || !(snw_vec3_length(turn) < 1e3) ||
            !(extent_of(&shape[n]) < 1e6))
            return 0;
        placed[n] = (snw_placed_shape){&shape[n], snw_xform_make(snw_quat_exp(turn), place)};
        scale += extent_of(&shape[n]) + snw_vec3_length(place);
    }
    if (shape[0].kind == SNW_SHAPE_PLANE && shape[1].kind == SNW_SHAPE_PLANE) return 0;
    snw_contact contact, other;
    snw_shape_contact(&placed[0], &placed[1], &contact);
    snw_shape_contact(&placed[1], &placed[0], &other);
    if (!isfinite(contact.distance) || !(fabs(snw_vec3_length(contact.normal) - 1) < 1e-9)) abort();
    /* Points in a plane and on lines lose half of the digits where shapes just overlap. */
    if (!(fabs(contact.distance - other.distance) <= 1e-6 * scale)) abort();
    snw_vec3 between = snw_vec3_sub(contact.a, contact.b);
    snw_vec3 told = snw_vec3_scale(contact.normal, contact.distance);
    if (!(snw_vec3_distance(between, told) <= 1e-6 * scale)) abort();
    return 0;
}

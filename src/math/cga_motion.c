/* Versors: rotations, translations, dilations, inversions, and what reflections give: the nearest
 * points. */
#include <float.h>

#include <sinew/cga.h>

#include "base/elementary.h"

/* ---- versors ----------------------------------------------------------------------------------
 */

snw_cga snw_cga_rotor(snw_quat rotation)
{
    snw_cga rotor = snw_cga_scalar(rotation.w);
    rotor.c[3] = -rotation.z; /* e1 e2 turns about z */
    rotor.c[5] = rotation.y;  /* e1 e3 = -e3 e1 */
    rotor.c[6] = -rotation.x; /* e2 e3 */
    return rotor;
}

snw_cga snw_cga_translator(snw_vec3 a)
{
    snw_cga half = snw_cga_mul(snw_cga_n(), snw_cga_vector(snw_vec3_scale(a, 0.5)));
    half.c[0] = 1;
    return half;
}

snw_cga snw_cga_motor(snw_xform to_from)
{
    return snw_cga_mul(snw_cga_translator(to_from.translation), snw_cga_rotor(to_from.rotation));
}

snw_cga snw_cga_dilator(double factor)
{
    if (!(factor > 0) || !(factor <= DBL_MAX)) factor = 1;
    double half = -0.5 * snw__log(factor);
    snw_cga dilator = snw_cga_scalar(snw__cosh(half));
    dilator.c[8 + 16] = snw__sinh(half);
    return dilator;
}

snw_cga snw_cga_apply(snw_cga versor, snw_cga a)
{
    return snw_cga_mul(snw_cga_mul(versor, a), snw_cga_reverse(versor));
}

snw_vec3 snw_cga_apply_to_point(snw_cga versor, snw_vec3 x)
{
    snw_vec3 image;
    snw_cga moved = snw_cga_apply(versor, snw_cga_point(x));
    return snw_cga_to_point(moved, &image) == SNW_CGA_REAL ? image : x;
}

/* mirror a mirror / mirror^2 for a vector, with (-1)^grade, so that outer products of points become
 * outer products of their images. */
static snw_cga reflect_in_vector(snw_cga a, snw_cga mirror, double square)
{
    snw_cga image = snw_cga_mul(snw_cga_mul(mirror, a), mirror);
    for (int i = 0; i < 32; i++) {
        bool is_odd = (0x96696996u >> i & 1) != 0;
        image.c[i] /= is_odd ? -square : square;
    }
    return image;
}

snw_cga snw_cga_invert(snw_cga a)
{
    return reflect_in_vector(a, snw_cga_blade(8, 1), 1);
}

snw_status snw_cga_reflect(snw_cga a, snw_cga mirror, snw_cga *image)
{
    snw_plane plane;
    snw_sphere sphere;
    *image = a;
    if (snw_cga_to_plane(mirror, &plane) != SNW_CGA_FLAT &&
        snw_cga_to_sphere(mirror, &sphere) != SNW_CGA_REAL)
        return SNW_DEGENERATE;
    snw_cga vector = snw_cga_dual(snw_cga_grade(mirror, 4));
    *image = reflect_in_vector(a, vector, snw_cga_square(vector));
    return SNW_OK;
}

/* ---- nearest points ---------------------------------------------------------------------------
 */

/* blade X blade for a plane or line is the mirror image of X, times a factor; halfway to it lies
 * the foot. */
static bool read_foot(snw_cga blade, snw_vec3 x, snw_vec3 *foot)
{
    snw_vec3 image;
    snw_cga product = snw_cga_mul(snw_cga_mul(blade, snw_cga_point(x)), blade);
    *foot = x;
    if (snw_cga_to_point(product, &image) != SNW_CGA_REAL) return false;
    *foot = snw_vec3_lerp(x, image, 0.5);
    return true;
}

snw_cga_shape snw_cga_nearest_on_plane(snw_cga plane, snw_vec3 x, snw_vec3 *nearest)
{
    snw_plane read;
    snw_cga_shape shape = snw_cga_to_plane(plane, &read);
    *nearest = x;
    if (shape != SNW_CGA_FLAT) return SNW_CGA_NONE;
    return read_foot(snw_cga_grade(plane, 4), x, nearest) ? SNW_CGA_FLAT : SNW_CGA_NONE;
}

snw_cga_shape snw_cga_nearest_on_line(snw_cga line, snw_vec3 x, snw_vec3 *nearest)
{
    snw_line read;
    snw_cga_shape shape = snw_cga_to_line(line, &read);
    *nearest = x;
    if (shape != SNW_CGA_FLAT) return SNW_CGA_NONE;
    return read_foot(snw_cga_grade(line, 3), x, nearest) ? SNW_CGA_FLAT : SNW_CGA_NONE;
}

/* The line from the centre through `toward` crosses the sphere twice; the crossing nearest to it,
 * which is the one with the larger inner product of the two points. */
static bool read_nearest_crossing(snw_cga sphere, snw_vec3 center, snw_vec3 toward,
                                  snw_vec3 *nearest)
{
    snw_point_pair ends;
    snw_cga line = snw_cga_line_through(center, toward);
    snw_cga crossings = snw_cga_meet(line, 3, sphere, 4);
    if (snw_cga_to_pair(crossings, &ends) != SNW_CGA_REAL) return false;
    snw_cga point = snw_cga_point(toward);
    double first = snw_cga_scalar_product(snw_cga_point(ends.first), point);
    double second = snw_cga_scalar_product(snw_cga_point(ends.second), point);
    *nearest = first > second ? ends.first : ends.second;
    return true;
}

/* A point this close to the centre, in radii, gives no direction: the line through it would be made
 * of round-off. */
static const double no_direction = 1e-9;

snw_cga_shape snw_cga_nearest_on_sphere(snw_cga sphere, snw_vec3 x, snw_vec3 fallback,
                                        snw_vec3 *nearest)
{
    snw_sphere read;
    snw_cga_shape shape = snw_cga_to_sphere(sphere, &read);
    *nearest = shape == SNW_CGA_TOUCH ? read.center : x;
    if (shape != SNW_CGA_REAL) return shape;
    snw_vec3 toward = x;
    if (!(snw_vec3_distance(x, read.center) > no_direction * read.radius)) {
        snw_vec3 direction = snw_vec3_unit(fallback, snw_vec3_make(1, 0, 0));
        toward = snw_vec3_add_scaled(read.center, read.radius, direction);
    }
    bool is_read = read_nearest_crossing(snw_cga_grade(sphere, 4), read.center, toward, nearest);
    return is_read ? SNW_CGA_REAL : SNW_CGA_NONE;
}

snw_cga_shape snw_cga_nearest_on_circle(snw_cga circle, snw_vec3 x, snw_vec3 fallback,
                                        snw_vec3 *nearest)
{
    snw_circle read;
    snw_cga_shape shape = snw_cga_to_circle(circle, &read);
    *nearest = shape == SNW_CGA_TOUCH ? read.center : x;
    if (shape != SNW_CGA_REAL) return shape;
    snw_vec3 toward;
    snw_cga plane = snw_cga_outer(snw_cga_grade(circle, 3), snw_cga_n());
    if (!read_foot(plane, x, &toward)) return SNW_CGA_NONE;
    if (!(snw_vec3_distance(toward, read.center) > no_direction * read.radius)) {
        snw_vec3 across =
            snw_vec3_add_scaled(fallback, -snw_vec3_dot(fallback, read.normal), read.normal);
        if (!(snw_vec3_length(across) > no_direction * snw_vec3_length(fallback)))
            across = snw_vec3_perpendicular(read.normal);
        across = snw_vec3_unit(across, snw_vec3_perpendicular(read.normal));
        toward = snw_vec3_add_scaled(read.center, read.radius, across);
    }
    /* The line lies in the circle's plane, so its meet with the circle is 0. The sphere with the
     * same centre and radius takes the circle's place. */
    snw_cga sphere = snw_cga_sphere((snw_sphere){read.center, read.radius});
    return read_nearest_crossing(sphere, read.center, toward, nearest) ? SNW_CGA_REAL
                                                                       : SNW_CGA_NONE;
}

snw_cga_shape snw_cga_cross_lines(snw_cga a, snw_cga b, snw_vec3 *point)
{
    /* Sine and distance below which lines count as parallel or crossing: the square root of
     * round-off, since both are seen through squares. */
    const double tolerance = 1e-7;
    snw_line line_a, line_b;
    *point = snw_vec3_make(0, 0, 0);
    if (snw_cga_to_line(a, &line_a) != SNW_CGA_FLAT || snw_cga_to_line(b, &line_b) != SNW_CGA_FLAT)
        return SNW_CGA_NONE;
    a = snw_cga_line(line_a);
    b = snw_cga_line(line_b);
    /* The meet of two lines is their distance times the sine, times n; it vanishes in a plane. */
    snw_cga apart = snw_cga_meet(a, 3, b, 3);
    double reach = snw_vec3_length(line_a.point) + snw_vec3_length(line_b.point);
    if (!(fabs(apart.c[8] + apart.c[16]) <= 2 * tolerance * (reach > 1 ? reach : 1)))
        return SNW_CGA_NONE;
    /* a - b a b is the line through the crossing at right angles to b. */
    snw_cga across = snw_cga_grade(snw_cga_sub(a, snw_cga_mul(snw_cga_mul(b, a), b)), 3);
    if (!(snw_cga_square(across) > 4 * tolerance * tolerance)) return SNW_CGA_NONE;
    snw_vec3 foot;
    bool is_read = read_foot(across, line_b.point, &foot) && read_foot(b, foot, &foot);
    if (is_read) *point = foot;
    return is_read ? SNW_CGA_REAL : SNW_CGA_NONE;
}

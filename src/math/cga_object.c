/* Euclidean objects to blades, blades back to Euclidean objects. */
#include <float.h>

#include <sinew/cga.h>

/* Below this part of the sum of squared coefficients a square is round-off: a square is a sum of up
 * to ten products, each a few roundings away from exact. */
static const double round_off = 64 * DBL_EPSILON;

static double coefficient_norm2(const snw_cga *a)
{
    double sum = 0;
    for (int i = 0; i < 32; i++)
        sum += a->c[i] * a->c[i];
    return sum;
}

/* One grade of a, scaled to a largest coefficient of 1, so that squares neither overflow nor
 * vanish; zero where a coefficient is not finite. */
static snw_cga leveled(const snw_cga *a, int grade)
{
    snw_cga part = snw_cga_grade(*a, grade);
    double largest = 0;
    bool is_finite = true;
    for (int i = 0; i < 32; i++) {
        largest = fmax(largest, fabs(part.c[i]));
        is_finite &= isfinite(part.c[i]) != 0;
    }
    if (!is_finite || largest < DBL_MIN) return snw_cga_scalar(0);
    for (int i = 0; i < 32; i++)
        part.c[i] /= largest;
    return part;
}

/* ---- to blades ------------------------------------------------------------------------------ */

snw_cga snw_cga_point(snw_vec3 x)
{
    snw_cga point = snw_cga_vector(x);
    double half_square = 0.5 * snw_vec3_length2(x);
    point.c[8] = half_square - 0.5;
    point.c[16] = half_square + 0.5;
    return point;
}

snw_cga snw_cga_pair(snw_vec3 a, snw_vec3 b)
{
    return snw_cga_outer(snw_cga_point(a), snw_cga_point(b));
}

snw_cga snw_cga_line(snw_line line)
{
    snw_cga point_and_direction =
        snw_cga_outer(snw_cga_point(line.point), snw_cga_vector(line.direction));
    return snw_cga_outer(point_and_direction, snw_cga_n());
}

snw_cga snw_cga_line_through(snw_vec3 a, snw_vec3 b)
{
    return snw_cga_outer(snw_cga_pair(a, b), snw_cga_n());
}

snw_cga snw_cga_circle(snw_circle circle)
{
    snw_plane plane = {circle.normal, snw_vec3_dot(circle.normal, circle.center)};
    snw_sphere sphere = {circle.center, circle.radius};
    return snw_cga_meet(snw_cga_sphere(sphere), 4, snw_cga_plane(plane), 4);
}

snw_cga snw_cga_circle_through(snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    return snw_cga_outer(snw_cga_pair(a, b), snw_cga_point(c));
}

snw_cga snw_cga_plane(snw_plane plane)
{
    snw_cga dual =
        snw_cga_add(snw_cga_vector(plane.normal), snw_cga_scale(snw_cga_n(), plane.offset));
    return snw_cga_undual(dual);
}

snw_cga snw_cga_plane_through(snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    return snw_cga_outer(snw_cga_circle_through(a, b, c), snw_cga_n());
}

snw_cga snw_cga_sphere(snw_sphere sphere)
{
    snw_cga radius = snw_cga_scale(snw_cga_n(), 0.5 * sphere.radius * sphere.radius);
    return snw_cga_undual(snw_cga_sub(snw_cga_point(sphere.center), radius));
}

snw_cga snw_cga_sphere_through(const snw_vec3 points[4])
{
    snw_cga circle = snw_cga_circle_through(points[0], points[1], points[2]);
    return snw_cga_outer(circle, snw_cga_point(points[3]));
}

/* ---- back to points ---------------------------------------------------------------------------
 */

/* a . n of a vector a */
static double inner_n(const snw_cga *a)
{
    return a->c[8] - a->c[16];
}

/* x of a vector weight * (H(x) + anything n); false where the weight is round-off or the result is
 * not finite. */
static bool read_point(const snw_cga *a, snw_vec3 *x)
{
    double weight = -inner_n(a);
    double size2 = coefficient_norm2(a);
    *x = snw_vec3_make(0, 0, 0);
    if (!(weight * weight > DBL_EPSILON * DBL_EPSILON * size2)) return false;
    snw_vec3 read = snw_vec3_make(a->c[1] / weight, a->c[2] / weight, a->c[4] / weight);
    if (!snw_vec3_is_finite(read)) return false;
    *x = read;
    return true;
}

snw_cga_shape snw_cga_to_point(snw_cga a, snw_vec3 *x)
{
    a = leveled(&a, 1);
    return read_point(&a, x) ? SNW_CGA_REAL : SNW_CGA_NONE;
}

/* The centre of a round blade: a n a is a multiple of H(centre). The multiple is divided out. */
static bool read_center(snw_cga a, snw_vec3 *center)
{
    snw_cga product = snw_cga_grade(snw_cga_mul(snw_cga_mul(a, snw_cga_n()), a), 1);
    return read_point(&product, center);
}

/* What the blade `a` of this grade is, and its radius: radius^2 = +-a^2 / (a ^ n)^2. The sign of
 * (a ^ n)^2 is + for the line of a pair and - for the plane of a circle. */
static snw_cga_shape classify(const snw_cga *a, double *radius)
{
    *radius = 0;
    double size2 = coefficient_norm2(a);
    if (!(size2 > 0)) return SNW_CGA_NONE;
    snw_cga carrier = snw_cga_outer(*a, snw_cga_n());
    double carrier2 = fabs(snw_cga_square(carrier)), square = snw_cga_square(*a);
    if (!(carrier2 > round_off * round_off * size2)) return SNW_CGA_FLAT;
    if (fabs(square) <= round_off * size2) return SNW_CGA_TOUCH;
    if (square < 0) return SNW_CGA_IMAGINARY;
    *radius = sqrt(square / carrier2);
    return SNW_CGA_REAL;
}

/* The finite point a of A ^ n or n ^ A at any scale: (B ^ nbar) . N / (2 B . N), N = n ^ nbar. */
static bool read_flat_point(const snw_cga *pair, snw_vec3 *x)
{
    snw_cga nbar = snw_cga_nbar(), big_n = snw_cga_outer(snw_cga_n(), nbar);
    snw_cga above = snw_cga_inner(snw_cga_outer(*pair, nbar), big_n);
    double below = 2 * snw_cga_scalar_product(*pair, big_n);
    *x = snw_vec3_make(0, 0, 0);
    if (!(fabs(below) > DBL_EPSILON * sqrt(coefficient_norm2(pair)))) return false;
    *x = snw_vec3_make(above.c[1] / below, above.c[2] / below, above.c[4] / below);
    return true;
}

snw_cga_shape snw_cga_to_pair(snw_cga a, snw_point_pair *points)
{
    double radius;
    a = leveled(&a, 2);
    points->first = points->second = snw_vec3_make(0, 0, 0);
    snw_cga_shape shape = classify(&a, &radius);
    if (shape == SNW_CGA_NONE) return SNW_CGA_NONE;
    if (shape == SNW_CGA_REAL) {
        /* T = A ^ B. With F = T / sqrt(T^2) and P = (1 + F) / 2: B is P [T.n] and A is -P~ [T.n],
         * up to scale, where P~ = (1 - F) / 2. */
        snw_cga unit = snw_cga_scale(a, 1 / sqrt(snw_cga_square(a)));
        snw_cga step = snw_cga_inner(a, snw_cga_n());
        snw_cga turned = snw_cga_grade(snw_cga_mul(unit, step), 1);
        snw_cga second = snw_cga_add(step, turned), first = snw_cga_sub(step, turned);
        if (read_point(&first, &points->first) && read_point(&second, &points->second))
            return SNW_CGA_REAL;
    }
    snw_vec3 point;
    bool is_read = shape == SNW_CGA_FLAT ? read_flat_point(&a, &point) : read_center(a, &point);
    points->first = points->second = point;
    return is_read ? shape : SNW_CGA_NONE;
}

/* ---- back to flats ----------------------------------------------------------------------------
 */

snw_cga_shape snw_cga_to_line(snw_cga a, snw_line *line)
{
    double radius;
    a = leveled(&a, 3);
    *line = (snw_line){{0, 0, 0}, {1, 0, 0}};
    snw_cga_shape shape = classify(&a, &radius);
    if (shape != SNW_CGA_FLAT) return shape;
    /* p ^ d ^ n + d ^ e ^ ebar: the direction stands beside e ebar, the moment p ^ d beside n. */
    snw_vec3 direction = snw_vec3_make(a.c[1 + 24], a.c[2 + 24], a.c[4 + 24]);
    snw_vec3 moment =
        snw_vec3_make(0.5 * (a.c[6 + 8] + a.c[6 + 16]), -0.5 * (a.c[5 + 8] + a.c[5 + 16]),
                      0.5 * (a.c[3 + 8] + a.c[3 + 16]));
    double length2 = snw_vec3_length2(direction);
    if (!(length2 > round_off * round_off * coefficient_norm2(&a))) return SNW_CGA_NONE;
    line->direction = snw_vec3_scale(direction, 1 / sqrt(length2));
    line->point = snw_vec3_scale(snw_vec3_cross(direction, moment), 1 / length2);
    return SNW_CGA_FLAT;
}

/* The plane of a grade-4 blade that contains n; false if it determines none. */
static bool read_plane(snw_cga blade, snw_plane *plane)
{
    snw_cga dual = snw_cga_dual(leveled(&blade, 4));
    snw_vec3 normal = snw_vec3_make(dual.c[1], dual.c[2], dual.c[4]);
    double length = snw_vec3_length(normal), offset = 0.5 * (dual.c[8] + dual.c[16]);
    *plane = (snw_plane){{0, 0, 1}, 0};
    if (!(length > round_off * fabs(offset)) || !(length > 0)) return false;
    *plane = (snw_plane){snw_vec3_scale(normal, 1 / length), offset / length};
    return true;
}

/* A grade-4 blade by its dual vector s: s.n = 0 for a plane. */
static snw_cga_shape classify_dual_vector(const snw_cga *dual)
{
    double size2 = coefficient_norm2(dual), weight = inner_n(dual), square = snw_cga_square(*dual);
    if (!(size2 > 0)) return SNW_CGA_NONE;
    if (weight * weight <= round_off * round_off * size2) return SNW_CGA_FLAT;
    if (fabs(square) <= round_off * size2) return SNW_CGA_TOUCH;
    return square > 0 ? SNW_CGA_REAL : SNW_CGA_IMAGINARY;
}

snw_cga_shape snw_cga_to_plane(snw_cga a, snw_plane *plane)
{
    snw_cga dual = snw_cga_dual(leveled(&a, 4));
    *plane = (snw_plane){{0, 0, 1}, 0};
    snw_cga_shape shape = classify_dual_vector(&dual);
    if (shape != SNW_CGA_FLAT) return shape;
    return read_plane(a, plane) ? SNW_CGA_FLAT : SNW_CGA_NONE;
}

/* ---- back to rounds ---------------------------------------------------------------------------
 */

snw_cga_shape snw_cga_to_circle(snw_cga a, snw_circle *circle)
{
    a = leveled(&a, 3);
    *circle = (snw_circle){{0, 0, 0}, {0, 0, 1}, 0};
    double radius;
    snw_cga_shape shape = classify(&a, &radius);
    if (shape == SNW_CGA_NONE || shape == SNW_CGA_FLAT) return shape;
    snw_vec3 center;
    snw_plane plane;
    if (!read_center(a, &center) || !read_plane(snw_cga_outer(a, snw_cga_n()), &plane))
        return SNW_CGA_NONE;
    *circle = (snw_circle){center, plane.normal, radius};
    return shape;
}

snw_cga_shape snw_cga_to_sphere(snw_cga a, snw_sphere *sphere)
{
    *sphere = (snw_sphere){{0, 0, 0}, 0};
    snw_cga dual = snw_cga_dual(leveled(&a, 4));
    snw_cga_shape shape = classify_dual_vector(&dual);
    if (shape == SNW_CGA_NONE || shape == SNW_CGA_FLAT) return shape;
    /* s / -(s.n) = H(centre) - radius^2 n / 2, whatever the scale and sign of the blade. */
    if (!read_point(&dual, &sphere->center)) return SNW_CGA_NONE;
    if (shape == SNW_CGA_REAL) sphere->radius = sqrt(snw_cga_square(dual)) / fabs(inner_n(&dual));
    return shape;
}

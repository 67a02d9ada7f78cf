/* Any numbers through the elementary functions, any points, lines, circles, planes and spheres
 * through geometry in Euclidean and in conformal form: the C library agrees about the functions,
 * and nothing that is finite becomes NaN. */
#include "fuzz_numbers.h"

#include "base/elementary.h"
#include "math/order.h"

typedef struct shapes {
    snw_vec3 point[4];
    snw_vec3 direction;
    double radius, offset;
    snw_quat turn;
} shapes;

/* Coordinates below 1e50, as sinew/cga.h asks. */
static double bounded_number(fuzz_bytes *bytes)
{
    double number = fuzz_number(bytes);
    return fabs(number) < 1e50 ? number : 0.5;
}

static snw_vec3 bounded_vector(fuzz_bytes *bytes)
{
    double x = bounded_number(bytes), y = bounded_number(bytes), z = bounded_number(bytes);
    return snw_vec3_make(x, y, z);
}

static shapes make_shapes(fuzz_bytes *bytes)
{
    shapes all;
    for (int n = 0; n < 4; n++)
        all.point[n] = bounded_vector(bytes);
    all.direction = snw_vec3_unit(bounded_vector(bytes), snw_vec3_make(0, 0, 1));
    all.radius = fabs(bounded_number(bytes));
    all.offset = bounded_number(bytes);
    all.turn = snw_quat_exp(bounded_vector(bytes));
    return all;
}

static void check_number(double number)
{
    if (isnan(number)) abort();
}

static void check_place(snw_vec3 place)
{
    if (isnan(place.x) || isnan(place.y) || isnan(place.z)) abort();
}

static void check_blade(snw_cga a)
{
    for (int i = 0; i < 32; i++)
        check_number(a.c[i]);
}

/* ---- elementary functions --------------------------------------------------------------------
 */

/* Two right answers differ by a few units in the last place. */
static void check_same(double ours, double libc)
{
    if (isnan(ours) || isnan(libc)) {
        if (isnan(ours) != isnan(libc)) abort();
        return;
    }
    if (ours != libc && !(fabs(ours - libc) <= 1e-14 * fabs(libc) + 1e-320)) abort();
}

static void try_elementary(fuzz_bytes *bytes)
{
    double x = fuzz_number(bytes), y = fuzz_number(bytes), larger = x * (1 + fuzz_byte(bytes));
    double sorted[3] = {x, y, larger};
    check_same(snw__sin(larger), sin(larger));
    check_same(snw__cos(larger), cos(larger));
    check_same(snw__tan(larger), tan(larger));
    check_same(snw__asin(x), asin(x));
    check_same(snw__acos(x), acos(x));
    check_same(snw__atan(larger), atan(larger));
    check_same(snw__atan2(y, larger), atan2(y, larger));
    check_same(snw__hypot(x, y), hypot(x, y));
    check_same(snw__exp(larger), exp(larger));
    check_same(snw__expm1(x), expm1(x));
    check_same(snw__log(larger), log(larger));
    check_same(snw__log1p(x), log1p(x));
    check_same(snw__cbrt(larger), cbrt(larger));
    check_same(snw__sinh(x), sinh(x));
    check_same(snw__cosh(x), cosh(x));
    check_same(snw__tanh(larger), tanh(larger));
    y = fuzz_byte(bytes) & 1 ? rint(8 * y) : y; /* whole powers of what is negative */
    check_same(snw__pow(larger, y), pow(larger, y));
    if (isnan(x) || isnan(sorted[1])) return;
    qsort(sorted, 3, sizeof *sorted, snw__compare_doubles);
    if (!(sorted[0] <= sorted[1] && sorted[1] <= sorted[2])) abort();
}

/* ---- rotations and random numbers --------------------------------------------------------------
 */

static void try_rotation(fuzz_bytes *bytes)
{
    snw_random random = snw_random_seed(fuzz_byte(bytes), fuzz_byte(bytes));
    snw_quat any = snw_random_rotation(&random), q = snw_quat_exp(bounded_vector(bytes));
    snw_vec3 way = snw_random_direction(&random);
    double angles[3], low = bounded_number(bytes), high = low + fabs(bounded_number(bytes));
    snw_euler_order order = (snw_euler_order)fuzz_below(bytes, SNW_EULER_ORDER_COUNT);
    if (!(fabs(snw_vec3_length(way) - 1) < 1e-12)) abort();
    (void)snw_quat_to_euler(q, order, angles);
    if (!(snw_quat_angle_between(snw_quat_from_euler(order, angles), q) < 1e-7)) abort();
    if (!(fabs(snw_mat3_determinant(snw_mat3_from_quat(any)) - 1) < 1e-12)) abort();
    double inside = snw_random_range(&random, low, high), unit = snw_random_unit(&random);
    if (!(inside >= low && inside <= high && unit >= 0 && unit < 1)) abort();
    check_number(snw_random_normal(&random));
}

/* ---- Euclidean ---------------------------------------------------------------------------------
 */

static void try_nearest(const shapes *s)
{
    snw_sphere sphere = {s->point[0], s->radius};
    snw_plane plane = snw_plane_make(s->direction, s->offset);
    snw_line line = snw_line_make(s->point[0], s->point[1]);
    snw_circle circle = {s->point[0], s->direction, s->radius};
    snw_vec3 on_line, on_circle;
    check_place(snw_sphere_nearest(sphere, s->point[1], s->direction));
    check_place(snw_plane_nearest(plane, s->point[1]));
    check_place(snw_line_nearest(line, s->point[2]));
    check_place(snw_circle_nearest(circle, s->point[2], s->point[3]));
    check_number(snw_line_circle_nearest(line, circle, &on_line, &on_circle));
    circle.center = s->point[2];
    check_number(snw_line_circle_nearest(line, circle, &on_line, &on_circle));
    check_place(on_line);
    check_place(on_circle);
}

static void try_meets(const shapes *s)
{
    snw_sphere spheres[2] = {{s->point[0], s->radius}, {s->point[1], fabs(s->offset)}};
    snw_plane plane = snw_plane_make(s->direction, s->offset);
    snw_line line = {s->point[2], s->direction};
    snw_circle circle;
    snw_point_pair pair;
    snw_two_link_angles both[2];
    snw_vec3 point;
    (void)snw_sphere_sphere_nearest(spheres, s->point[2], s->point[3], &point);
    check_place(point);
    (void)snw_sphere_sphere(spheres[0], spheres[1], &circle);
    (void)snw_plane_circle(plane, circle, &pair);
    check_place(pair.first);
    (void)snw_line_sphere(line, spheres[0], &pair);
    check_place(pair.second);
    (void)snw_circumcircle(s->point[0], s->point[1], s->point[2], &circle);
    check_place(circle.center);
    check_number(circle.radius);
    (void)snw_two_link(s->radius, fabs(s->offset), s->point[0].x, s->point[0].y, both);
    check_number(both[0].first + both[1].second);
}

/* ---- conformal ---------------------------------------------------------------------------------
 */

static void try_algebra(fuzz_bytes *bytes, const shapes *s)
{
    int index = fuzz_below(bytes, 40) - 4, grade = fuzz_below(bytes, 8) - 1;
    snw_cga a = snw_cga_add(snw_cga_blade(index, s->offset), snw_cga_vector(s->point[0]));
    snw_cga b = snw_cga_sub(snw_cga_point(s->point[1]), snw_cga_scalar(s->radius));
    check_blade(snw_cga_mul(a, b));
    check_blade(snw_cga_inner(snw_cga_n(), snw_cga_outer(a, snw_cga_nbar())));
    check_blade(snw_cga_grade(snw_cga_reverse(a), grade));
    check_number(snw_cga_scalar_product(a, a) - snw_cga_square(a));
    snw_cga twice = snw_cga_undual(snw_cga_dual(a));
    for (int i = 0; i < 32; i++)
        if (twice.c[i] != a.c[i]) abort();
}

static void try_motions(const shapes *s)
{
    snw_vec3 x = s->point[0];
    snw_xform move = {s->turn, s->point[1]};
    snw_cga image, mirror = snw_cga_plane(snw_plane_make(s->direction, s->offset));
    check_place(snw_cga_apply_to_point(snw_cga_motor(move), x));
    check_place(snw_cga_apply_to_point(snw_cga_rotor(s->turn), x));
    check_place(snw_cga_apply_to_point(snw_cga_translator(s->point[2]), x));
    check_place(snw_cga_apply_to_point(snw_cga_dilator(s->offset), x));
    check_blade(snw_cga_invert(snw_cga_point(x)));
    (void)snw_cga_reflect(snw_cga_point(x), mirror, &image);
    check_blade(snw_cga_apply(snw_cga_translator(x), image));
    (void)snw_cga_reflect(image, snw_cga_scale(mirror, 0), &image);
}

static void read_blade(snw_cga a, snw_vec3 x, snw_vec3 fallback)
{
    snw_point_pair pair;
    snw_line line;
    snw_circle circle;
    snw_plane plane;
    snw_sphere sphere;
    snw_vec3 point;
    (void)snw_cga_to_point(a, &point);
    check_place(point);
    (void)snw_cga_to_pair(a, &pair);
    check_place(pair.first);
    (void)snw_cga_to_line(a, &line);
    check_place(line.direction);
    (void)snw_cga_to_circle(a, &circle);
    check_number(circle.radius);
    (void)snw_cga_to_plane(a, &plane);
    check_number(plane.offset);
    (void)snw_cga_to_sphere(a, &sphere);
    check_number(sphere.radius);
    (void)snw_cga_nearest_on_plane(a, x, &point);
    check_place(point);
    (void)snw_cga_nearest_on_line(a, x, &point);
    check_place(point);
    (void)snw_cga_nearest_on_sphere(a, x, fallback, &point);
    check_place(point);
    (void)snw_cga_nearest_on_circle(a, x, fallback, &point);
    check_place(point);
}

static void try_objects(fuzz_bytes *bytes, const shapes *s)
{
    const snw_vec3 *p = s->point;
    snw_line line = {p[0], s->direction};
    snw_circle circle = {p[0], s->direction, s->radius};
    snw_sphere sphere = {p[1], s->radius};
    snw_cga object[] = {snw_cga_point(p[0]),
                        snw_cga_pair(p[0], p[1]),
                        snw_cga_line(line),
                        snw_cga_line_through(p[0], p[1]),
                        snw_cga_circle(circle),
                        snw_cga_circle_through(p[0], p[1], p[2]),
                        snw_cga_plane(snw_plane_make(s->direction, s->offset)),
                        snw_cga_plane_through(p[0], p[1], p[2]),
                        snw_cga_sphere(sphere),
                        snw_cga_sphere_through(p)};
    static const int grades[] = {1, 2, 3, 3, 3, 3, 4, 4, 4, 4};
    int count = (int)(sizeof grades / sizeof *grades);
    int a = fuzz_below(bytes, count), b = fuzz_below(bytes, count);
    snw_vec3 point;
    read_blade(object[a], p[2], p[3]);
    read_blade(snw_cga_meet(object[a], grades[a], object[b], grades[b]), p[2], p[3]);
    (void)snw_cga_cross_lines(object[2], object[3], &point);
    check_place(point);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int what = fuzz_below(&bytes, 6);
    if (what == 0) try_elementary(&bytes);
    if (what == 1) try_rotation(&bytes);
    if (what < 2) return 0;
    shapes all = make_shapes(&bytes);
    if (what == 2) try_nearest(&all);
    if (what == 3) try_meets(&all);
    if (what == 4) try_algebra(&bytes, &all);
    if (what == 4) try_motions(&all);
    if (what == 5) try_objects(&bytes, &all);
    return 0;
}

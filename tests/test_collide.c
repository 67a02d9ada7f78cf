/* Distances of convex shapes against a second implementation: all pairs of corners, edges and
 * triangles of the points for shapes that are apart, all planes of corners and edges for those that
 * overlap; and closed forms for spheres, capsules and planes. */
#include "check.h"

#define POINTS_MAX 8

/* ---- brute force ---------------------------------------------------------------------------- */

static double point_triangle(snw_vec3 p, snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    /* Ericson 2005, Real-Time Collision Detection, 5.1.5. */
    snw_vec3 ab = snw_vec3_sub(b, a), ac = snw_vec3_sub(c, a), ap = snw_vec3_sub(p, a);
    double d1 = snw_vec3_dot(ab, ap), d2 = snw_vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return snw_vec3_distance(p, a);
    snw_vec3 bp = snw_vec3_sub(p, b);
    double d3 = snw_vec3_dot(ab, bp), d4 = snw_vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return snw_vec3_distance(p, b);
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return snw_vec3_distance(p, snw_vec3_add_scaled(a, d1 / (d1 - d3), ab));
    snw_vec3 cp = snw_vec3_sub(p, c);
    double d5 = snw_vec3_dot(ab, cp), d6 = snw_vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return snw_vec3_distance(p, c);
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return snw_vec3_distance(p, snw_vec3_add_scaled(a, d2 / (d2 - d6), ac));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return snw_vec3_distance(
            p, snw_vec3_add_scaled(b, (d4 - d3) / (d4 - d3 + d5 - d6), snw_vec3_sub(c, b)));
    double sum = va + vb + vc;
    return snw_vec3_distance(
        p, snw_vec3_add_scaled(snw_vec3_add_scaled(a, vb / sum, ab), vc / sum, ac));
}

static double point_segment(snw_vec3 p, snw_vec3 a, snw_vec3 b)
{
    snw_vec3 along = snw_vec3_sub(b, a);
    double length2 = snw_vec3_length2(along);
    double t = length2 > 0 ? snw_vec3_dot(snw_vec3_sub(p, a), along) / length2 : 0;
    return snw_vec3_distance(p, snw_vec3_add_scaled(a, snw_clamp(t, 0, 1), along));
}

/* Ends against segments, and the two nearest points inside where there are such. */
static double segment_segment(snw_vec3 a, snw_vec3 b, snw_vec3 c, snw_vec3 d)
{
    double least = fmin(fmin(point_segment(a, c, d), point_segment(b, c, d)),
                        fmin(point_segment(c, a, b), point_segment(d, a, b)));
    snw_vec3 u = snw_vec3_sub(b, a), v = snw_vec3_sub(d, c), w = snw_vec3_sub(a, c);
    double uu = snw_vec3_dot(u, u), uv = snw_vec3_dot(u, v), vv = snw_vec3_dot(v, v);
    double uw = snw_vec3_dot(u, w), vw = snw_vec3_dot(v, w), det = uu * vv - uv * uv;
    if (det > 1e-12 * uu * vv) {
        double s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            least = fmin(least, snw_vec3_distance(snw_vec3_add_scaled(a, s, u),
                                                  snw_vec3_add_scaled(c, t, v)));
    }
    return least;
}

typedef struct cloud {
    int count;
    snw_vec3 point[POINTS_MAX];
} cloud;

/* Points and edges of a; the other way round sees the rest. */
static double brute_distance(const cloud *a, const cloud *b)
{
    double least = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            least = fmin(least, snw_vec3_distance(a->point[i], b->point[j]));
            for (int k = 0; k < j; k++) {
                least = fmin(least, point_segment(a->point[i], b->point[j], b->point[k]));
                for (int l = 0; l < k; l++)
                    least = fmin(
                        least, point_triangle(a->point[i], b->point[j], b->point[k], b->point[l]));
                for (int l = 0; l < i; l++)
                    least = fmin(
                        least, segment_segment(a->point[i], a->point[l], b->point[j], b->point[k]));
            }
        }
    return least;
}

/* How far a reaches beyond the lowest of b along the direction: what parts them. */
static double overlap_along(const cloud *a, const cloud *b, snw_vec3 direction)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < a->count; i++)
        low = fmin(low, snw_vec3_dot(a->point[i], direction));
    for (int j = 0; j < b->count; j++)
        high = fmax(high, snw_vec3_dot(b->point[j], direction));
    return high - low;
}

static void try_normal(const cloud *a, const cloud *b, snw_vec3 u, snw_vec3 v, double *least)
{
    snw_vec3 normal = snw_vec3_cross(u, v);
    if (!(snw_vec3_length(normal) > 1e-9 * snw_vec3_length(u) * snw_vec3_length(v))) return;
    normal = snw_vec3_unit(normal, normal);
    *least = fmin(*least, overlap_along(a, b, normal));
    *least = fmin(*least, overlap_along(a, b, snw_vec3_scale(normal, -1)));
}

static double brute_depth(const cloud *a, const cloud *b)
{
    double least = INFINITY;
    const cloud *both[2] = {a, b};
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < both[n]->count; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++)
                    try_normal(a, b, snw_vec3_sub(both[n]->point[i], both[n]->point[k]),
                               snw_vec3_sub(both[n]->point[j], both[n]->point[k]), &least);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < b->count; k++)
                for (int l = 0; l < k; l++)
                    try_normal(a, b, snw_vec3_sub(a->point[i], a->point[j]),
                               snw_vec3_sub(b->point[k], b->point[l]), &least);
    return least;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static snw_vec3 random_vec3(snw_random *random, double size)
{
    double v[3];
    for (int k = 0; k < 3; k++)
        v[k] = snw_random_range(random, -size, size);
    return snw_vec3_make(v[0], v[1], v[2]);
}

/* Points, segments, triangles, tetrahedra, boxes and hulls of up to eight points. */
static snw_shape random_shape(snw_random *random, int kind, snw_vec3 *points)
{
    double radius = kind % 2 ? snw_random_range(random, 0, 0.3) : 0;
    int count = kind < 2 ? 1 : kind < 4 ? 2 : kind < 6 ? 3 : kind < 8 ? 4 : 8;
    if (kind == 8) return snw_shape_box(random_vec3(random, 0.2), snw_vec3_make(0.3, 0.5, 0.2));
    for (int k = 0; k < count; k++)
        points[k] = random_vec3(random, 0.5);
    if (kind == 0 || kind == 1) return snw_shape_sphere(points[0], radius);
    if (kind == 2 || kind == 3) return snw_shape_capsule(points[0], points[1], radius);
    return snw_shape_hull(points, count, radius);
}

static cloud cloud_of(const snw_placed_shape *placed)
{
    cloud out = {.count = placed->shape->point_count};
    for (int k = 0; k < out.count; k++)
        out.point[k] = snw_xform_point(placed->world, placed->shape->point ? placed->shape->point[k]
                                                                           : placed->shape->own[k]);
    return out;
}

static void distances_are_those_of_all_corners_edges_and_faces(void **state)
{
    (void)state;
    int apart = 0, deep = 0;
    for (int n = 0; n < CHECK_SAMPLES(40000); n++) {
        snw_random random = snw_random_seed((uint64_t)n, 7);
        snw_vec3 points[2][POINTS_MAX];
        snw_shape shape[2] = {random_shape(&random, n % 10, points[0]),
                              random_shape(&random, n / 10 % 10, points[1])};
        double away = n % 3 == 0 ? 0.3 : n % 3 == 1 ? 1 : 3;
        snw_placed_shape a = {&shape[0], random_place(&random, away)};
        snw_placed_shape b = {&shape[1], random_place(&random, away)};
        snw_contact contact;
        snw_shape_contact(&a, &b, &contact);
        cloud hulls[2] = {cloud_of(&a), cloud_of(&b)};
        double want =
            fmin(brute_distance(&hulls[0], &hulls[1]), brute_distance(&hulls[1], &hulls[0]));
        double radii = shape[0].radius + shape[1].radius;
        bool is_solid =
            hulls[0].count > 3 || hulls[1].count > 3 || hulls[0].count + hulls[1].count > 4;
        bool is_deep = contact.distance + radii < -1e-9;
        if (is_deep && is_solid) {
            /* Corners, edges and triangles may cut each other and be at 0. */
            want = -brute_depth(&hulls[0], &hulls[1]);
            deep++;
        } else {
            apart++;
        }
        double scale = 1 + snw_vec3_distance(a.world.translation, b.world.translation);
        if (!(fabs(contact.distance + radii - want) <= 1e-9 * scale))
            fail_msg("pair %d (%d and %d points): %.12g, not %.12g", n, hulls[0].count,
                     hulls[1].count, contact.distance + radii, want);
        check_near(snw_vec3_length(contact.normal), 1, 1e-12);
        check_vec3_near(snw_vec3_sub(contact.a, contact.b),
                        snw_vec3_scale(contact.normal, contact.distance), 1e-8);
        snw_contact other; /* the other way round it is the same, mirrored */
        snw_shape_contact(&b, &a, &other);
        check_near(other.distance, contact.distance, 1e-9 * scale);
    }
    assert_true(apart > CHECK_SAMPLES(40000) / 40 && deep > CHECK_SAMPLES(40000) / 80);
}

static void the_normal_is_the_gradient_of_the_distance(void **state)
{
    (void)state;
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_random random = snw_random_seed((uint64_t)n, 8);
        snw_vec3 points[2][POINTS_MAX];
        snw_shape shape[2] = {random_shape(&random, 1 + n % 9, points[0]),
                              random_shape(&random, 1 + n / 9 % 9, points[1])};
        snw_placed_shape a = {&shape[0], random_place(&random, 2)};
        snw_placed_shape b = {&shape[1], random_place(&random, 2)};
        snw_contact contact, moved[2];
        snw_shape_contact(&a, &b, &contact);
        if (contact.distance < 0.05) continue;
        double step = 1e-6;
        snw_vec3 way = snw_random_direction(&random), from = a.world.translation;
        for (int side = 0; side < 2; side++) {
            a.world.translation = snw_vec3_add_scaled(from, side ? step : -step, way);
            snw_shape_contact(&a, &b, &moved[side]);
        }
        check_near((moved[1].distance - moved[0].distance) / (2 * step),
                   snw_vec3_dot(contact.normal, way), 1e-4); /* curvature of edges times the step */
    }
}

static void planes_hold_everything_below_them(void **state)
{
    (void)state;
    snw_shape floor = snw_shape_plane(snw_vec3_make(5, 1, 7), snw_vec3_make(0, 2, 0));
    snw_shape ball = snw_shape_sphere(snw_vec3_make(0, 0, 0), 0.5);
    snw_shape crate = snw_shape_box(snw_vec3_make(0, 0, 0), snw_vec3_make(1, 1, 1));
    snw_xform high = snw_xform_make(snw_quat_identity(), snw_vec3_make(0, 3, 0));
    snw_placed_shape ground = {&floor, snw_xform_identity()}, at = {&ball, high};
    snw_contact contact;
    snw_shape_contact(&at, &ground, &contact);
    check_near(contact.distance, 1.5, 1e-15);
    check_vec3_near(contact.normal, snw_vec3_make(0, 1, 0), 1e-15);
    check_vec3_near(contact.b, snw_vec3_make(0, 1, 0), 1e-15);
    snw_shape_contact(&ground, &at, &contact);
    check_vec3_near(contact.normal, snw_vec3_make(0, -1, 0), 1e-15);
    at.shape = &crate;
    at.world.translation.y = 1.5;
    snw_shape_contact(&at, &ground, &contact);
    check_near(contact.distance, -0.5, 1e-15);
    snw_shape_contact(&ground, &ground, &contact);
    assert_true(contact.distance == -INFINITY);
}

/* Segments that cross, points in each other, flat hulls: a distance of zero and a direction. */
static void degenerate_pairs_have_a_distance_and_a_direction(void **state)
{
    (void)state;
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_shape shapes[] = {
        snw_shape_sphere(zero, 0.1),
        snw_shape_capsule(snw_vec3_make(-1, 0, 0), snw_vec3_make(1, 0, 0), 0.2),
        snw_shape_capsule(snw_vec3_make(0, -1, 0), snw_vec3_make(0, 1, 0), 0),
        snw_shape_capsule(zero, zero, 0.3),
        snw_shape_box(zero, snw_vec3_make(1, 1, 0)),
        snw_shape_box(zero, snw_vec3_make(1, 0, 0)),
        snw_shape_box(zero, snw_vec3_make(1, 1, 1)),
    };
    int count = (int)(sizeof shapes / sizeof *shapes);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            snw_placed_shape a = {&shapes[i], snw_xform_identity()}, b = {&shapes[j], a.world};
            snw_contact contact;
            snw_shape_contact(&a, &b, &contact);
            double radii = shapes[i].radius + shapes[j].radius;
            bool is_solid = i == 6 || j == 6;
            if (!is_solid) check_near(contact.distance, -radii, 1e-12);
            if (is_solid) assert_true(contact.distance <= -radii + 1e-12);
            check_near(snw_vec3_length(contact.normal), 1, 1e-12);
        }
    snw_error error;
    snw_shape wrong = snw_shape_sphere(snw_vec3_make(NAN, 0, 0), 1);
    assert_int_equal(snw_shape_check(&wrong, &error), SNW_INVALID_ARGUMENT);
    wrong = snw_shape_hull(NULL, 0, 0);
    assert_int_equal(snw_shape_check(&wrong, &error), SNW_INVALID_ARGUMENT);
    wrong = snw_shape_capsule(zero, zero, -1);
    assert_int_equal(snw_shape_check(&wrong, &error), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_shape_check(&shapes[4], &error), SNW_OK);
    wrong = snw_shape_plane(zero, snw_vec3_make(0, 0, 3));
    assert_int_equal(snw_shape_check(&wrong, &error), SNW_OK);
}

/* Along any direction it reaches no less far than the points, and no farther than by its radius. */
static void a_hull_of_few_points_holds_many(void **state)
{
    (void)state;
    enum {
        MANY = 3000
    };
    static snw_vec3 point[MANY];
    snw_vec3 kept[64];
    snw_random random = snw_random_seed(9, 9);
    /* A ball, a cube's faces, a disc, a line; and what radius is left of 64 corners. */
    const double most[] = {0.12, 1e-12, 0.005, 1e-12};
    for (int form = 0; form < 4; form++) {
        for (int k = 0; k < MANY; k++) {
            snw_vec3 u = snw_random_direction(&random);
            double wide = fmax(fabs(u.x), fmax(fabs(u.y), fabs(u.z)));
            if (form == 1) u = snw_vec3_scale(u, 1 / wide);
            if (form == 2) u = snw_vec3_unit(snw_vec3_make(u.x, u.y, 0), u);
            if (form == 3) u = snw_vec3_make(u.x, 0, 0);
            if (form == 1 && k < 8)
                u = snw_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
            point[k] = u;
        }
        for (int room = 4; room <= 64; room *= 4) {
            snw_shape hull = snw_shape_hull_around(point, MANY, kept, room);
            assert_int_equal(snw_shape_check(&hull, NULL), SNW_OK);
            assert_true(hull.point_count <= room);
            if (room == 64) assert_true(hull.radius <= most[form]);
            for (int k = 0; k < 500; k++) {
                snw_vec3 along = snw_random_direction(&random);
                double all = -INFINITY, few = -INFINITY;
                for (int p = 0; p < MANY; p++)
                    all = fmax(all, snw_vec3_dot(point[p], along));
                for (int p = 0; p < hull.point_count; p++)
                    few = fmax(few, snw_vec3_dot(kept[p], along));
                assert_true(few + hull.radius >= all - 1e-12);
                assert_true(few <= all + 1e-12);
            }
        }
    }
    snw_vec3 one = snw_vec3_make(1, 2, 3);
    snw_shape hull = snw_shape_hull_around(&one, 1, kept, 4);
    assert_int_equal(hull.point_count, 1);
    check_near(hull.radius, 0, 0);
    assert_int_equal(snw_shape_hull_around(&one, 0, kept, 4).point_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_all_corners_edges_and_faces),
        cmocka_unit_test(the_normal_is_the_gradient_of_the_distance),
        cmocka_unit_test(planes_hold_everything_below_them),
        cmocka_unit_test(degenerate_pairs_have_a_distance_and_a_direction),
        cmocka_unit_test(a_hull_of_few_points_holds_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

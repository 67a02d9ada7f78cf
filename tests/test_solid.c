/* Solids: integrals against closed forms and against Knight's cube of five tetrahedra, checks,
 * repairs, sections, and the mesh formats. */
#include "read_checks.h"
#include "solid_shapes.h"

/* ---- closed forms -------------------------------------------------------------------------------
 */

/* Sums of some 10^4 terms of both signs: 1e-12 of the whole. */
#define EXACT 1e-12

static void a_box_has_the_mass_and_moments_of_a_box(void **state)
{
    (void)state;
    snw_mesh *box = make_box(0.3, 0.5, 0.2, snw_vec3_make(4, -7, 2));
    snw_mass_properties mass;
    assert_int_equal(snw_mesh_mass(box, NULL, &mass, NULL), SNW_OK);
    double m = 1000 * 0.3 * 0.5 * 0.2;
    check_near(mass.mass, m, EXACT * m);
    check_vec3_near(mass.center, snw_vec3_make(4, -7, 2), 1e-12);
    check_near(mass.inertia.m[0][0], m / 12 * (0.5 * 0.5 + 0.2 * 0.2), EXACT * m);
    check_near(mass.inertia.m[1][1], m / 12 * (0.3 * 0.3 + 0.2 * 0.2), EXACT * m);
    check_near(mass.inertia.m[2][2], m / 12 * (0.3 * 0.3 + 0.5 * 0.5), EXACT * m);
    check_near(mass.inertia.m[0][1], 0, EXACT * m);
    check_near(mass.moment[0], m / 12 * (0.3 * 0.3 + 0.5 * 0.5), EXACT * m);
    check_near(fabs(mass.axes.m[2][0]), 1, 1e-12);
    snw_mesh_destroy(box);
}

/* A polyhedron inside the ellipsoid loses volume as 1/n^2; two meshes, one twice as fine, give what
 * is left at infinity (Richardson): the closed form to the fourth order. */
static void ellipsoid_and_torus_converge_to_their_closed_forms(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.2, c = 0.5, R = 0.4, r = 0.1;
    for (int shape = 0; shape < 2; shape++) {
        double volume[2], moment[2];
        for (int n = 0; n < 2; n++) {
            int fine = 80 << n;
            snw_mesh *mesh = shape ? make_torus(R, r, fine) : make_ellipsoid(a, b, c, fine);
            snw_mass_properties mass;
            assert_int_equal(snw_mesh_mass(mesh, NULL, &mass, NULL), SNW_OK);
            volume[n] = mass.volume;
            moment[n] = mass.inertia.m[2][2] / 1000;
            snw_mesh_destroy(mesh);
        }
        double v = shape ? 2 * SNW_PI * SNW_PI * R * r * r : 4.0 / 3 * SNW_PI * a * b * c;
        double i = shape ? v * (R * R + 0.75 * r * r) : v / 5 * (a * a + b * b);
        /* 80 and 160 steps round: the fourth order is (pi/80)^4 = 2e-6. */
        check_near((4 * volume[1] - volume[0]) / 3, v, 3e-6 * v);
        check_near((4 * moment[1] - moment[0]) / 3, i, 3e-6 * i);
    }
}

static void surface_and_tetrahedra_agree_to_twelve_digits(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(27, 1);
    for (int n = 0; n < CHECK_SAMPLES(200); n++) {
        /* The cube of five tetrahedra, bent by a random linear map, somewhere. */
        snw_mesh *cube = make_knight_cube();
        snw_xform place = random_place(&random, 3);
        double stretch = snw_random_range(&random, 0.1, 4);
        for (int v = 0; v < 8; v++) {
            cube->vertex[v].x *= stretch;
            cube->vertex[v] = snw_xform_point(place, cube->vertex[v]);
        }
        snw_mass_options by[2] = {snw_mass_options_default(), snw_mass_options_default()};
        snw_mass_properties mass[2];
        snw_mesh *skin = NULL;
        assert_int_equal(snw_mesh_boundary(cube, NULL, &skin, NULL), SNW_OK);
        assert_int_equal(skin->count.triangle_count, 12);
        for (int k = 0; k < 2; k++) {
            by[k].way = k ? SNW_MASS_TETRAHEDRA : SNW_MASS_SURFACE;
            by[k].gradient = snw_vec3_make(3, -5, 11);
            assert_int_equal(snw_mesh_mass(k ? cube : skin, &by[k], &mass[k], NULL), SNW_OK);
        }
        check_near(mass[0].volume, stretch, EXACT * stretch);
        check_near(mass[0].mass / mass[1].mass, 1, EXACT);
        check_vec3_near(mass[0].center, mass[1].center, 10 * EXACT);
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                check_near(mass[0].inertia.m[j][k], mass[1].inertia.m[j][k],
                           10 * EXACT * mass[1].moment[0]);
        snw_mesh_destroy(skin);
        snw_mesh_destroy(cube);
    }
}

/* The printed numbers of the reference: a tetrahedron of linear density. */
static void a_tetrahedron_of_linear_density_has_the_verified_moments(void **state)
{
    (void)state;
    const snw_vec3 corner[4] = {{.1, .2, -.3}, {1.2, .1, .2}, {.3, .9, .1}, {.2, .4, 1.1}};
    const double linear[4] = {1, 2, .5, 3}, even[4] = {1, 1, 1, 1};
    const snw_vec3 r = {.5, -.2, .3};
    snw_mass_properties mass;
    assert_int_equal(snw_tetrahedron_mass(corner, linear, &mass, NULL), SNW_OK);
    check_near(mass.volume, 0.1665, 1e-15);
    check_vec3_near(mass.center, snw_vec3_make(0.46, 0.383076923, 0.326153846), 1e-9);
    /* M = (tr I / 2) 1 - I about r, divided by the mass; row 1 is printed. */
    snw_mat3 at = snw_mass_inertia_at(&mass, r);
    double trace = at.m[0][0] + at.m[1][1] + at.m[2][2];
    check_near((trace / 2 - at.m[0][0]) / mass.mass, 0.042, 1e-9);
    check_near(-at.m[0][1] / mass.mass, -0.035102564, 1e-9);
    check_near(-at.m[0][2] / mass.mass, -0.008025641, 1e-9);
    assert_int_equal(snw_tetrahedron_mass(corner, even, &mass, NULL), SNW_OK);
    check_vec3_near(mass.center, snw_vec3_make(.45, .4, .275), 1e-15);
    const double q[3][3] = {{.432, .0415, .0005}, {.0415, .094, .0125}, {.0005, .0125, .42}};
    at = snw_mass_inertia_at(&mass, r);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            check_near(at.m[j][k] / mass.mass, q[j][k], 1e-15);
}

static void inertia_under_motion_is_that_of_the_moved_mesh(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(27, 2);
    snw_mesh *mesh = make_torus(0.4, 0.1, 24);
    snw_mass_properties still, moved, again;
    assert_int_equal(snw_mesh_mass(mesh, NULL, &still, NULL), SNW_OK);
    snw_xform place = random_place(&random, 2);
    for (int v = 0; v < mesh->count.vertex_count; v++)
        mesh->vertex[v] = snw_xform_point(place, mesh->vertex[v]);
    assert_int_equal(snw_mesh_mass(mesh, NULL, &again, NULL), SNW_OK);
    moved = snw_mass_moved(&still, place);
    check_vec3_near(moved.center, again.center, 1e-12);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            check_near(moved.inertia.m[j][k], again.inertia.m[j][k], 1e-12 * still.moment[0]);
    /* Momentum about the origin: that of the parts, here of the whole as many small masses. */
    snw_vec3 w = {0.3, -1, 2}, v = {1, 2, 3}, o = {0, 0, 0};
    snw_vec3 momentum = snw_mass_momentum(&again, v, w, o);
    snw_mat3 at = snw_mass_inertia_at(&again, o);
    snw_vec3 drift = snw_vec3_sub(v, snw_vec3_cross(w, again.center)); /* of the origin */
    snw_vec3 other = snw_vec3_add(snw_mat3_apply(at, w),
                                  snw_vec3_scale(snw_vec3_cross(again.center, drift), again.mass));
    check_vec3_near(momentum, other, 1e-9 * snw_vec3_length(other));
    snw_mesh_destroy(mesh);
}

static void two_halves_weigh_what_the_whole_does(void **state)
{
    (void)state;
    snw_mesh *left = make_box(1, 1, 1, snw_vec3_make(-0.5, 0, 0));
    snw_mesh *right = make_box(1, 1, 1, snw_vec3_make(0.5, 0, 0));
    snw_mesh *whole = make_box(2, 1, 1, snw_vec3_make(0, 0, 0));
    snw_mass_properties a, b, c, joined;
    assert_int_equal(snw_mesh_mass(left, NULL, &a, NULL), SNW_OK);
    assert_int_equal(snw_mesh_mass(right, NULL, &b, NULL), SNW_OK);
    assert_int_equal(snw_mesh_mass(whole, NULL, &c, NULL), SNW_OK);
    joined = snw_mass_joined(&a, &b);
    for (int k = 0; k < 3; k++)
        check_near(joined.moment[k], c.moment[k], 1e-12 * c.moment[0]);
    check_vec3_near(joined.center, c.center, 1e-15);
    snw_mesh_destroy(left);
    snw_mesh_destroy(right);
    snw_mesh_destroy(whole);
}

static void regions_have_their_own_density(void **state)
{
    (void)state;
    snw_mesh *cube = make_knight_cube();
    cube->tetrahedron_reference[4] = 7; /* the middle one is a third of the cube */
    const snw_region_density region = {7, 4000};
    snw_mass_options options = snw_mass_options_default();
    options.region = &region;
    options.region_count = 1;
    snw_mass_properties mass;
    assert_int_equal(snw_mesh_mass(cube, &options, &mass, NULL), SNW_OK);
    check_near(mass.mass, 4000.0 / 3 + 2000.0 / 3, 1e-9);
    snw_mesh_destroy(cube);
}

static void what_is_no_solid_is_refused_with_a_sentence(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    snw_mass_properties mass;
    snw_error error;
    snw_mass_options options = snw_mass_options_default();
    options.way = SNW_MASS_SURFACE; /* all zero would mean the defaults */
    options.density = 0;
    assert_int_equal(snw_mesh_mass(box, &options, &mass, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "no mass"));
    options.density = 100;
    options.gradient = snw_vec3_make(0, 1000, 0);
    assert_int_equal(snw_mesh_mass(box, &options, &mass, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "falls to -400"));
    options = snw_mass_options_default();
    options.way = SNW_MASS_TETRAHEDRA;
    assert_int_equal(snw_mesh_mass(box, &options, &mass, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "no tetrahedra"));
    turn_inside_out(box);
    assert_int_equal(snw_mesh_mass(box, NULL, &mass, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "inside out"));
    turn_inside_out(box);
    box->count.triangle_count--;
    assert_int_equal(snw_mesh_mass(box, NULL, &mass, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "open"));
    box->count.triangle_count++;
    box->vertex[3].y = NAN;
    assert_int_equal(snw_mesh_mass(box, NULL, &mass, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "vertex 3"));
    box->vertex[3].y = 0;
    box->triangle[2][1] = 8;
    assert_int_equal(snw_mesh_mass(box, NULL, &mass, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "triangle 2"));
    snw_mesh_destroy(box);
    snw_mesh_counts none = {0, 0, 0, 0};
    assert_int_equal(snw_mesh_create(&none, NULL, &box, NULL), SNW_OK);
    assert_int_equal(snw_mesh_mass(box, NULL, &mass, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "no triangles"));
    snw_mesh_destroy(box);
}

/* ---- checks and repairs
 * ---------------------------------------------------------------------------- */

static snw_mesh_report report_of(const snw_mesh *mesh)
{
    snw_mesh_report report;
    snw_error error;
    if (snw_mesh_check(mesh, NULL, &report, &error) != SNW_OK) fail_msg("%s", error.message);
    return report;
}

static void good_surfaces_have_no_fault(void **state)
{
    (void)state;
    snw_mesh *mesh[3] = {make_box(1, 2, 3, snw_vec3_make(0, 0, 0)), make_torus(0.4, 0.1, 30),
                         make_ellipsoid(1, 2, 3, 20)};
    const int euler[3] = {2, 0, 2};
    for (int n = 0; n < 3; n++) {
        snw_mesh_report report = report_of(mesh[n]);
        assert_true(report.is_closed && report.is_turned_right);
        assert_int_equal(report.euler, euler[n]);
        assert_int_equal(report.shell_count, 1);
        assert_int_equal(report.crossing_count + report.flat_triangle_count + report.hole_count +
                             report.repeated_vertex_count + report.sliver_count,
                         0);
        snw_mesh_destroy(mesh[n]);
    }
}

/* Knight's cube: four corners with right angles, and a regular one of acos(1/3) in the middle. */
static void the_cube_of_five_has_the_angles_it_must(void **state)
{
    (void)state;
    snw_mesh *cube = make_knight_cube();
    snw_mesh_report report = report_of(cube);
    check_near(report.tetrahedron_volume, 1, 1e-15);
    check_near(report.dihedral_low, acos(1 / sqrt(3)), 1e-12);
    check_near(report.dihedral_high, SNW_PI / 2, 1e-12);
    assert_int_equal(report.dihedral[5], 12); /* 54.7 */
    assert_int_equal(report.dihedral[7], 6);  /* 70.5 */
    assert_int_equal(report.turned_tetrahedron_count, 0);
    snw_mesh_destroy(cube);
}

static void every_fault_is_counted_and_repaired(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    snw_mesh *soup = make_soup(box), *fixed = NULL;
    snw_mesh_report report = report_of(soup);
    assert_int_equal(report.boundary_edge_count, 36);
    assert_int_equal(report.shell_count, 12);
    assert_int_equal(report.repeated_vertex_count, 36 - 8);
    snw_mesh_repaired done;
    assert_int_equal(snw_mesh_repair(soup, NULL, NULL, &fixed, &done, NULL), SNW_OK);
    report = report_of(fixed);
    assert_true(report.is_turned_right);
    assert_int_equal(done.merged_vertex_count, 28);
    assert_int_equal(fixed->count.vertex_count, 8);
    snw_mesh_destroy(fixed);
    snw_mesh_destroy(soup);
    /* Every other triangle turned, and one missing. */
    for (int t = 0; t < 12; t += 2) {
        int keep = box->triangle[t][0];
        box->triangle[t][0] = box->triangle[t][1];
        box->triangle[t][1] = keep;
    }
    box->count.triangle_count = 11;
    report = report_of(box);
    assert_false(report.is_closed);
    assert_int_equal(report.hole_count, 1);
    assert_true(report.turned_edge_count > 0);
    assert_int_equal(snw_mesh_repair(box, NULL, NULL, &fixed, &done, NULL), SNW_OK);
    report = report_of(fixed);
    assert_true(report.is_turned_right);
    assert_int_equal(done.filled_hole_count, 1);
    check_near(report.volume, 1, 1e-12);
    snw_mesh_destroy(fixed);
    box->count.triangle_count = 12;
    snw_mesh_destroy(box);
}

/* A whole side is missing: the ring of four gets a middle. */
static void a_hole_of_four_edges_is_filled_flat(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0)), *fixed = NULL;
    box->count.triangle_count = 10;
    snw_mesh_repair_options options = snw_mesh_repair_options_default();
    snw_mesh_repaired done;
    options.hole_edge_max = 3;
    assert_int_equal(snw_mesh_repair(box, &options, NULL, &fixed, &done, NULL), SNW_OK);
    assert_int_equal(done.open_hole_count, 1);
    snw_mesh_destroy(fixed);
    assert_int_equal(snw_mesh_repair(box, NULL, NULL, &fixed, &done, NULL), SNW_OK);
    assert_int_equal(fixed->count.triangle_count, 14);
    snw_mesh_report report = report_of(fixed);
    assert_true(report.is_turned_right);
    check_near(report.volume, 1, 1e-12);
    snw_mesh_destroy(fixed);
    box->count.triangle_count = 12;
    snw_mesh_destroy(box);
}

static void a_cavity_stays_a_cavity_and_a_shell_is_turned(void **state)
{
    (void)state;
    snw_mesh *outer = make_box(3, 3, 3, snw_vec3_make(0, 0, 0));
    snw_mesh *inner = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    for (int turned = 0; turned < 4; turned++) {
        if (turned & 1) turn_inside_out(outer);
        if (turned & 2) turn_inside_out(inner);
        snw_mesh *both = join_meshes(outer, inner), *fixed = NULL;
        assert_int_equal(snw_mesh_repair(both, NULL, NULL, &fixed, NULL, NULL), SNW_OK);
        snw_mesh_report report = report_of(fixed);
        check_near(report.volume, 27 - 1, 1e-12);
        assert_true(report.is_turned_right);
        snw_mesh_destroy(both);
        snw_mesh_destroy(fixed);
        if (turned & 1) turn_inside_out(outer);
        if (turned & 2) turn_inside_out(inner);
    }
    snw_mesh_destroy(outer);
    snw_mesh_destroy(inner);
}

static void crossing_boxes_are_found(void **state)
{
    (void)state;
    snw_mesh *a = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    snw_mesh *b = make_box(1, 1, 1, snw_vec3_make(0.5, 0.4, 0.3));
    snw_mesh *far = make_box(1, 1, 1, snw_vec3_make(1.5, 0.4, 0.3));
    snw_mesh *crossing = join_meshes(a, b), *apart = join_meshes(a, far);
    assert_true(report_of(crossing).crossing_count > 0);
    assert_int_equal(report_of(apart).crossing_count, 0);
    snw_mesh_destroy(a);
    snw_mesh_destroy(b);
    snw_mesh_destroy(far);
    snw_mesh_destroy(crossing);
    snw_mesh_destroy(apart);
}

/* Against all pairs, by the same test of two triangles: the tree forgets none. */
static void the_tree_finds_the_crossings_that_all_pairs_have(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(27, 3);
    for (int n = 0; n < CHECK_SAMPLES(40); n++) {
        snw_mesh *soup = make_random_triangles(&random, 60);
        int found = report_of(soup).crossing_count, counted = 0;
        for (int a = 0; a < 60; a++)
            for (int b = a + 1; b < 60; b++) {
                snw_mesh *pair = take_pair(soup, a, b);
                counted += report_of(pair).crossing_count;
                snw_mesh_destroy(pair);
            }
        assert_int_equal(found, counted);
        snw_mesh_destroy(soup);
    }
}

/* ---- sections
 * ---------------------------------------------------------------------------------------- */

static void sections_have_the_area_and_girth_of_what_they_cut(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 2, 3, snw_vec3_make(0, 0, 0)), *torus = make_torus(0.4, 0.1, 400);
    snw_section *cut = NULL;
    assert_int_equal(snw_mesh_section(box, snw_vec3_make(0, 0, 5), 0.1, NULL, &cut, NULL), SNW_OK);
    assert_int_equal(cut->line_count, 1);
    check_near(cut->area, 2, 1e-12);
    check_near(cut->girth, 6, 1e-12);
    check_vec3_near(cut->center, snw_vec3_make(0, 0, 0.02), 1e-12);
    snw_section_destroy(cut);
    /* In the plane of the ring: two circles, of which the inner one counts negative. */
    assert_int_equal(snw_mesh_section(torus, snw_vec3_make(0, 0, 1), 0, NULL, &cut, NULL), SNW_OK);
    assert_int_equal(cut->line_count, 2);
    assert_true(cut->is_closed[0] && cut->is_closed[1]);
    /* A polygon of 400 corners: (2 pi/400)^2 / 6 of the area is missing. */
    check_near(cut->area, SNW_PI * (0.25 - 0.09), 5e-5);
    snw_section_destroy(cut);
    assert_int_equal(snw_mesh_section(box, snw_vec3_make(0, 0, 1), 9, NULL, &cut, NULL), SNW_OK);
    assert_int_equal(cut->line_count, 0);
    snw_section_destroy(cut);
    /* An open box: the line has two ends. */
    box->count.triangle_count = 10;
    assert_int_equal(snw_mesh_section(box, snw_vec3_make(1, 2, 0.1), 0, NULL, &cut, NULL), SNW_OK);
    int open = 0;
    for (int n = 0; n < cut->line_count; n++)
        open += !cut->is_closed[n];
    assert_int_equal(open, 1);
    snw_section_destroy(cut);
    snw_error error;
    assert_int_equal(snw_mesh_section(box, snw_vec3_make(0, 0, 0), 0, NULL, &cut, &error),
                     SNW_INVALID_ARGUMENT);
    box->count.triangle_count = 12;
    snw_mesh_destroy(box);
    snw_mesh_destroy(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_the_mass_and_moments_of_a_box),
        cmocka_unit_test(ellipsoid_and_torus_converge_to_their_closed_forms),
        cmocka_unit_test(surface_and_tetrahedra_agree_to_twelve_digits),
        cmocka_unit_test(a_tetrahedron_of_linear_density_has_the_verified_moments),
        cmocka_unit_test(inertia_under_motion_is_that_of_the_moved_mesh),
        cmocka_unit_test(two_halves_weigh_what_the_whole_does),
        cmocka_unit_test(regions_have_their_own_density),
        cmocka_unit_test(what_is_no_solid_is_refused_with_a_sentence),
        cmocka_unit_test(good_surfaces_have_no_fault),
        cmocka_unit_test(the_cube_of_five_has_the_angles_it_must),
        cmocka_unit_test(every_fault_is_counted_and_repaired),
        cmocka_unit_test(a_hole_of_four_edges_is_filled_flat),
        cmocka_unit_test(a_cavity_stays_a_cavity_and_a_shell_is_turned),
        cmocka_unit_test(crossing_boxes_are_found),
        cmocka_unit_test(the_tree_finds_the_crossings_that_all_pairs_have),
        cmocka_unit_test(sections_have_the_area_and_girth_of_what_they_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

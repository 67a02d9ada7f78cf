/* Public functions that take an allocator, when it refuses: meshes and skins. See test_allocations.
 */
#include "allocation_sweep.h"
#include "solid_shapes.h"

static snw_mesh *box, *cube;
static snw_skeleton *body;

static snw_status read_box(const snw_allocator *a, snw_mesh **out, snw_error *e)
{
    const char *text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_mesh(&source, NULL, a, out, NULL, e);
}

static snw_status make_tetrahedra(const snw_allocator *a, snw_error *e)
{
    snw_tetrahedra_options options = snw_tetrahedra_options_default();
    snw_mesh *solid = make_box(1, 1, 1, snw_vec3_make(0, 0, 0)), *out = NULL;
    snw_tetrahedra_report report;
    options.cells = 6;
    snw_status status = snw_mesh_tetrahedra(solid, &options, a, &out, &report, e);
    snw_mesh_destroy(out);
    options.way = SNW_TETRAHEDRA_CENTRAL;
    if (status == SNW_OK) {
        status = snw_mesh_tetrahedra(solid, &options, a, &out, NULL, e);
        snw_mesh_destroy(out);
    }
    snw_mesh_destroy(solid);
    return status;
}

static const char *const taylor_names[1] = {"knee"};
static const char taylor_text[] =
    "MOTION a VARIABLES 1 ORDER 3 FREEDOMS 1 knee WINDOWS 1 WINDOW 0 1 "
    "CENTER 0 0 1 2 3 4 ENDMOTION\n";
#define TAYLOR_FILE "test_allocations_bodies.taylor"

static snw_status read_taylor(const snw_allocator *a, snw_taylor **out, snw_error *e)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, taylor_text, sizeof taylor_text - 1);
    return snw_read_taylor(&source, NULL, a, out, e);
}

static snw_status make_taylor_joined(const snw_allocator *a, snw_error *e)
{
    snw_taylor *one = NULL, *out = NULL;
    if (read_taylor(NULL, &one, e) != SNW_OK) return SNW_INTERNAL;
    snw_status status = snw_taylor_join(one, one, 0.5, a, &out, e);
    snw_taylor_destroy(out);
    snw_taylor_destroy(one);
    return status;
}

static const snw_taylor_sizes taylor_size = {1, 3, 1, 2};
static const double taylor_time[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static const snw_taylor_samples taylor_trial = {8, 1, taylor_names, taylor_time, taylor_time, 0};
MAKER(taylor, snw_taylor, snw_taylor_destroy,
      snw_taylor_create(&taylor_size, taylor_names, a, &out, e))
MAKER(taylor_read, snw_taylor, snw_taylor_destroy, read_taylor(a, &out, e))
MAKER(taylor_fit, snw_taylor, snw_taylor_destroy,
      snw_taylor_fit(&taylor_trial, 1, NULL, a, &out, e))
MAKER(taylor_file, snw_taylor, snw_taylor_destroy,
      snw_read_taylor_file(TAYLOR_FILE, NULL, a, &out, e))

static snw_status make_report(const snw_allocator *a, snw_error *e)
{
    snw_mesh_report report;
    return snw_mesh_check(box, a, &report, e);
}

static const snw_mesh_counts counts = {5, 4, 3, 2};

MAKER(mesh_object, snw_mesh, snw_mesh_destroy, snw_mesh_create(&counts, a, &out, e))
MAKER(copy, snw_mesh, snw_mesh_destroy, snw_mesh_copy(box, a, &out, e))
MAKER(boundary, snw_mesh, snw_mesh_destroy, snw_mesh_boundary(cube, a, &out, e))
MAKER(repair, snw_mesh, snw_mesh_destroy, snw_mesh_repair(box, NULL, a, &out, NULL, e))
MAKER(section, snw_section, snw_section_destroy,
      snw_mesh_section(box, snw_vec3_make(0, 0, 1), 0, a, &out, e))

static snw_status make_halves(const snw_allocator *a, snw_error *e)
{
    snw_mesh *whole = NULL;
    snw_mesh_halves out;
    assert_int_equal(snw_mesh_boundary(cube, NULL, &whole, NULL), SNW_OK);
    snw_status status = snw_mesh_split(whole, snw_vec3_make(0, 0, 1), 0.1, a, &out, e);
    snw_mesh_destroy(whole);
    snw_mesh_destroy(out.front);
    snw_mesh_destroy(out.back);
    return status;
}

static snw_status make_figure(const snw_allocator *a, snw_error *e)
{
    snw_figure_options options = snw_figure_options_default();
    snw_mesh *out = NULL;
    options.cell = 0.1;
    snw_status status = snw_figure_create(body, &options, a, &out, NULL, e);
    snw_mesh_destroy(out);
    return status;
}

static const snw_mass_properties no_mass[64];
MAKER(with_masses, snw_skeleton, snw_skeleton_destroy,
      snw_skeleton_with_masses(body, no_mass, a, &out, e))
static snw_status make_weighed(const snw_allocator *a, snw_error *e)
{
    snw_motion *motion = NULL, *out = NULL;
    snw_table *table = NULL;
    snw_figure_options options = snw_figure_options_default();
    options.cell = 0.1;
    if (snw_motion_create(body, 3, 60, NULL, &motion, e) != SNW_OK) return SNW_INTERNAL;
    snw_status status = snw_motion_weigh(motion, NULL, &options, a, &out, e);
    if (status == SNW_OK) status = snw_table_from_momentum(out, a, &table, e);
    snw_table_destroy(table);
    snw_motion_destroy(out);
    snw_motion_destroy(motion);
    return status;
}

MAKER(skin, snw_skin, snw_skin_destroy, snw_skin_create(box, body, NULL, a, &out, e))
static const snw_skin_options with_bends = {.heat = 1, .has_bends = true, .joints = 8};
static snw_status make_bends(const snw_allocator *a, snw_error *e)
{
    snw_mesh *whole = NULL;
    snw_skin *out = NULL;
    assert_int_equal(snw_mesh_boundary(cube, NULL, &whole, NULL), SNW_OK);
    snw_status status = snw_skin_create(whole, body, &with_bends, a, &out, e);
    snw_mesh_destroy(whole);
    snw_skin_destroy(out);
    return status;
}

static snw_status make_carried(const snw_allocator *a, snw_error *e)
{
    snw_motion *motion = NULL, *out = NULL;
    if (snw_motion_create(body, 3, 60, NULL, &motion, e) != SNW_OK) return SNW_INTERNAL;
    snw_status status = snw_motion_retarget(motion, body, NULL, a, &out, e);
    snw_motion_destroy(out);
    snw_motion_destroy(motion);
    return status;
}

/* A file of our own, as memory and as a file. */
static snw_memory_sink character_bytes;
#define CHARACTER_FILE "test_allocations_bodies.glb"

static snw_status make_character(const snw_allocator *a, snw_error *e)
{
    snw_memory_source memory;
    snw_source source =
        snw_source_from_memory(&memory, character_bytes.bytes, character_bytes.size);
    snw_character out;
    snw_status status = snw_read_character(&source, NULL, a, &out, NULL, e);
    snw_character_release(&out);
    return status;
}

static snw_status make_character_file(const snw_allocator *a, snw_error *e)
{
    snw_character out;
    snw_status status = snw_read_character_file(CHARACTER_FILE, NULL, a, &out, NULL, e);
    snw_character_release(&out);
    return status;
}

static snw_skin_vertex tied_to[8]; /* the box's corners */
MAKER(tied, snw_skin, snw_skin_destroy, snw_skin_create_tied(box, body, tied_to, a, &out, e))

static void write_character(void)
{
    snw_motion *motion = NULL;
    snw_error error;
    snw_sink sink = snw_sink_to_memory(&character_bytes, NULL);
    assert_int_equal(snw_motion_create(body, 3, 60, NULL, &motion, &error), SNW_OK);
    assert_int_equal(snw_write_motion(motion, SNW_FORMAT_GLB, NULL, &sink, &error), SNW_OK);
    assert_int_equal(snw_write_motion_file(CHARACTER_FILE, true, motion, NULL, &error), SNW_OK);
    snw_motion_destroy(motion);
    for (int v = 0; v < 8; v++)
        tied_to[v].weight[0] = 1;
}

MAKER(read, snw_mesh, snw_mesh_destroy, read_box(a, &out, e))

static void no_maker_keeps_anything_when_memory_runs_out(void **state)
{
    (void)state;
    static const struct maker makers[] = {
        {"mesh", make_mesh_object},
        {"copy", make_copy},
        {"boundary", make_boundary},
        {"report", make_report},
        {"halves", make_halves},
        {"repair", make_repair},
        {"section", make_section},
        {"taylor", make_taylor},
        {"taylor read", make_taylor_read},
        {"taylor fit", make_taylor_fit},
        {"taylor file", make_taylor_file},
        {"taylor joined", make_taylor_joined},
        {"tetrahedra", make_tetrahedra},
        {"character", make_character},
        {"character file", make_character_file},
        {"tied", make_tied},
        {"read", make_read},
        {"figure", make_figure},
        {"with_masses", make_with_masses},
        {"weighed", make_weighed},
        {"skin", make_skin},
        {"bends", make_bends},
        {"carried", make_carried},
    };
    write_character();
    assert_int_equal(snw_write_file(TAYLOR_FILE, true, taylor_text, sizeof taylor_text - 1, NULL),
                     SNW_OK);
    sweep_makers(makers, sizeof makers / sizeof *makers);
    snw_memory_sink_release(&character_bytes);
    (void)remove(CHARACTER_FILE);
    (void)remove(TAYLOR_FILE);
}

static int set_up(void **state)
{
    (void)state;
    box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    box->count.triangle_count = 10; /* a hole to fill */
    cube = make_knight_cube();
    return snw_preset_create("humanoid", NULL, &body, NULL) != SNW_OK;
}

static int tear_down(void **state)
{
    (void)state;
    snw_mesh_destroy(box);
    snw_mesh_destroy(cube);
    snw_skeleton_destroy(body);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_maker_keeps_anything_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

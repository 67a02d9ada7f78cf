/* The mesh formats: written and read back, real spellings, faults with their sentence, cut files,
 * failing memory, and that no other reader takes them. */
#include "read_checks.h"
#include "solid_shapes.h"

static const snw_format_kind kinds[] = {SNW_FORMAT_MEDIT, SNW_FORMAT_MEDITB, SNW_FORMAT_PLY,
                                        SNW_FORMAT_STL, SNW_FORMAT_OBJ};
enum {
    KINDS = sizeof kinds / sizeof *kinds
};

static snw_status call_read_mesh(const void *bytes, size_t size, bool is_lenient,
                                 const snw_allocator *allocator, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    snw_mesh *mesh = NULL;
    snw_status status = snw_read_mesh(&source, &options, allocator, &mesh, NULL, error);
    assert_true((status == SNW_OK) == (mesh != NULL));
    snw_mesh_destroy(mesh);
    return status;
}

static snw_mesh *read_bytes(const void *bytes, size_t size, snw_notes *notes)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_mesh *mesh = NULL;
    snw_error error;
    if (notes) *notes = snw_notes_none();
    if (snw_read_mesh(&source, NULL, NULL, &mesh, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static snw_memory_sink write_bytes(const snw_mesh *mesh, snw_format_kind kind)
{
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    snw_error error;
    if (snw_write_mesh(mesh, kind, NULL, &sink, &error) != SNW_OK) fail_msg("%s", error.message);
    return memory;
}

static void check_refused(const char *text, snw_status status, const char *part)
{
    snw_error error;
    snw_status got = call_read_mesh(text, strlen(text), false, NULL, &error);
    if (got != status || !strstr(error.message, part))
        fail_msg("%s: %s", snw_status_name(got), error.message);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    snw_mesh *torus = make_torus(0.4, 0.1, 12);
    for (int t = 0; t < torus->count.triangle_count; t++)
        torus->triangle_reference[t] = t / 100;
    for (int n = 0; n < KINDS; n++) {
        snw_memory_sink bytes = write_bytes(torus, kinds[n]);
        snw_memory_source memory;
        snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
        assert_int_equal(snw_detect_format(&source), kinds[n]);
        snw_mesh *back = read_bytes(bytes.bytes, bytes.size, NULL);
        assert_int_equal(back->count.vertex_count, torus->count.vertex_count);
        assert_int_equal(back->count.triangle_count, torus->count.triangle_count);
        double tolerance = kinds[n] == SNW_FORMAT_STL ? 1e-7 : 0; /* floats; else every bit */
        for (int t = 0; t < torus->count.triangle_count; t++)
            for (int k = 0; k < 3; k++)
                check_vec3_near(back->vertex[back->triangle[t][k]],
                                torus->vertex[torus->triangle[t][k]], tolerance);
        if (n < 2 || kinds[n] == SNW_FORMAT_OBJ)
            assert_memory_equal(back->triangle_reference, torus->triangle_reference,
                                (size_t)torus->count.triangle_count * sizeof(int));
        snw_mesh_destroy(back);
        snw_memory_sink_release(&bytes);
    }
    snw_mesh_destroy(torus);
}

static void medit_keeps_tetrahedra_edges_and_references(void **state)
{
    (void)state;
    snw_mesh_counts counts = {8, 1, 0, 5};
    snw_mesh *cube = make_knight_cube(), *more = NULL;
    assert_int_equal(snw_mesh_create(&counts, NULL, &more, NULL), SNW_OK);
    memcpy(more->vertex, cube->vertex, 8 * sizeof *more->vertex);
    memcpy(more->tetrahedron, cube->tetrahedron, 5 * sizeof *more->tetrahedron);
    more->edge[0][1] = 7;
    more->edge_reference[0] = -3;
    more->tetrahedron_reference[2] = 9;
    more->vertex_reference[5] = 4;
    for (int n = 0; n < 2; n++) {
        snw_memory_sink bytes = write_bytes(more, kinds[n]);
        snw_mesh *back = read_bytes(bytes.bytes, bytes.size, NULL);
        assert_int_equal(back->block_size, more->block_size);
        assert_memory_equal(back->vertex, more->vertex, more->block_size);
        snw_mesh_destroy(back);
        snw_memory_sink_release(&bytes);
    }
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    snw_error error;
    assert_int_equal(snw_write_mesh(more, SNW_FORMAT_PLY, NULL, &sink, &error), SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "only MEDIT"));
    snw_memory_sink_release(&memory);
    snw_mesh_destroy(cube);
    snw_mesh_destroy(more);
}

static void files_of_other_programs_are_read(void **state)
{
    (void)state;
    snw_notes notes;
    /* Comments, a quadrilateral, sections that are not known, no End. */
    const char *medit = "# made by hand\nMeshVersionFormatted 1 # floats\n\nDimension\n3\n"
                        "Vertices 4\n0 0 0 1\n1 0 0 1\n1 1 0 1\n0 1 0 1\nCorners\n2\n1\n3\n"
                        "Quadrilaterals\n1\n1 2 3 4 5\nRequiredVertices\n1\n2\n";
    snw_mesh *mesh = read_bytes(medit, strlen(medit), &notes);
    assert_int_equal(mesh->count.triangle_count, 2);
    assert_int_equal(mesh->triangle_reference[1], 5);
    check_note(&notes, "became triangles");
    check_note(&notes, "metres");
    snw_mesh_destroy(mesh);
    const char *obj = "mtllib a.mtl\no one\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nvt 0 0\nvn 0 0 1\n"
                      "usemtl red\nf 1/1/1 2//1 3\ng two\nv 0 1 0\nf -4 -2 -1\nl 1 2 3\n";
    mesh = read_bytes(obj, strlen(obj), &notes);
    assert_int_equal(mesh->count.triangle_count, 2);
    assert_int_equal(mesh->count.edge_count, 2);
    assert_int_equal(mesh->triangle[1][1], 2);
    assert_true(mesh->triangle_reference[0] != mesh->triangle_reference[1]);
    snw_mesh_destroy(mesh);
    const char *ply = "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\n"
                      "property float y\nproperty uchar red\nproperty float z\nelement face 2\n"
                      "property uchar flag\nproperty list uint8 int32 vertex_index\n"
                      "element edge 1\nproperty int a\nend_header\n0 0 255 1\n1 0 0 1\n1 1 0 1\n"
                      "0 1 0 1\n0 4 0 1 2 3\n0 3 0 1 2\n7\n";
    mesh = read_bytes(ply, strlen(ply), &notes);
    assert_int_equal(mesh->count.triangle_count, 3);
    check_vec3_near(mesh->vertex[2], snw_vec3_make(1, 1, 1), 0);
    snw_mesh_destroy(mesh);
    const char *stl = "solid a thing\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n"
                      "   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\n"
                      " facet normal 0 0 1\n  outer loop\n   vertex 0 1 0\n   vertex 1 0 0\n"
                      "   vertex 1 1e0 -0\n  endloop\n endfacet\nendsolid a thing\n";
    mesh = read_bytes(stl, strlen(stl), &notes);
    assert_int_equal(mesh->count.vertex_count, 4);
    snw_mesh_destroy(mesh);
}

/* Big-endian PLY and MEDIT, made byte by byte. */
static void bytes_in_the_other_order_are_read(void **state)
{
    (void)state;
    static const uint8_t medit[] = {0,    0,    0, 1, 0, 0, 0, 1,  0, 0, 0, 3,  0,    0,    0, 20,
                                    0,    0,    0, 3, /* dimension */
                                    0,    0,    0, 4, 0, 0, 0, 48, 0, 0, 0, 1,  0x3f, 0x80, 0, 0,
                                    0x40, 0,    0, 0, /* one vertex */
                                    0xbf, 0x80, 0, 0, 0, 0, 0, 5,  0, 0, 0, 54, 0,    0,    0, 0};
    snw_mesh *mesh = read_bytes(medit, sizeof medit, NULL);
    assert_int_equal(mesh->count.vertex_count, 1);
    check_vec3_near(mesh->vertex[0], snw_vec3_make(1, 2, -1), 0);
    assert_int_equal(mesh->vertex_reference[0], 5);
    snw_mesh_destroy(mesh);
    char ply[200] = "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty short x\n"
                    "property float y\nproperty double z\nend_header\n";
    size_t size = strlen(ply);
    static const uint8_t row[] = {0xff, 0xfe, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0};
    memcpy(ply + size, row, sizeof row);
    mesh = read_bytes(ply, size + sizeof row, NULL);
    check_vec3_near(mesh->vertex[0], snw_vec3_make(-2, 1, 2), 0);
    snw_mesh_destroy(mesh);
}

static void faults_have_a_sentence(void **state)
{
    (void)state;
    check_refused("MeshVersionFormatted 1\nDimension 3\nVertices\n1\n0 0 0 0\nTriangles\n1\n1 2 3 "
                  "0\nEnd\n",
                  SNW_FORMAT, "triangle 0 has vertex 1, there are 1");
    check_refused("MeshVersionFormatted 1\nDimension 4\n", SNW_FORMAT, "dimension is 4");
    check_refused("MeshVersionFormatted 1\nVertices\n3\n0 0 0 0\n", SNW_TRUNCATED, "ends");
    check_refused("MeshVersionFormatted 1\nVertices\n1\n0 nan 0 0\n", SNW_FORMAT, "not finite");
    check_refused("MeshVersionFormatted 1\nVertices\n1\n0 a 0 0\n", SNW_FORMAT, "line 4");
    check_refused("v 0 0 0\nf 1 1\n", SNW_FORMAT, "2 corners");
    check_refused("v 0 0 0\nf 1 2 3\n", SNW_FORMAT, "there are 1");
    check_refused("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\n",
                  SNW_TRUNCATED, "ends inside a row");
    check_refused("ply\nformat ascii 1.0\n", SNW_TRUNCATED, "header does not end");
    check_refused("solid x\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\n", SNW_FORMAT,
                  "1 vertices");
    check_refused("ply\nformat ascii 1.0\nelement vertex 0\nelement nothing 2000000000\n"
                  "end_header\n",
                  SNW_OK, "");
}

/* A file of one kind never becomes another: meshes are no tables of markers, and Knight's figures,
 * pictures and archives are nothing. */
static void meshes_are_no_captures(void **state)
{
    (void)state;
    snw_mesh *torus = make_torus(0.4, 0.1, 12);
    for (int n = 0; n < KINDS; n++) {
        snw_memory_sink bytes = write_bytes(torus, kinds[n]);
        snw_error error = snw_error_none();
        assert_int_equal(call_read_trial(bytes.bytes, bytes.size, false, NULL, &error),
                         SNW_UNSUPPORTED);
        assert_int_equal(call_read_motion(bytes.bytes, bytes.size, false, NULL, &error),
                         SNW_UNSUPPORTED);
        assert_non_null(strstr(error.message, "a mesh"));
        snw_memory_sink_release(&bytes);
    }
    snw_mesh_destroy(torus);
}

static void cut_files_and_refused_memory_leave_nothing(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 2, 3, snw_vec3_make(0, 0, 0));
    for (int n = 0; n < KINDS; n++) {
        snw_memory_sink bytes = write_bytes(box, kinds[n]);
        check_every_cut((const char *)bytes.bytes, bytes.size, call_read_mesh);
        check_every_allocation((const char *)bytes.bytes, bytes.size, call_read_mesh);
        snw_memory_sink_release(&bytes);
    }
    const char *stl = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                      "vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    check_every_cut(stl, strlen(stl), call_read_mesh);
    check_every_allocation(stl, strlen(stl), call_read_mesh);
    snw_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(medit_keeps_tetrahedra_edges_and_references),
        cmocka_unit_test(files_of_other_programs_are_read),
        cmocka_unit_test(bytes_in_the_other_order_are_read),
        cmocka_unit_test(faults_have_a_sentence),
        cmocka_unit_test(meshes_are_no_captures),
        cmocka_unit_test(cut_files_and_refused_memory_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

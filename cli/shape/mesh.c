/* `sinew mesh`: looks at surfaces and solids, repairs, cuts and converts them. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "output.h"
#include "shape/draw_mesh.h"
#include "shape/shape.h"
#include "text.h"

/* ---- info --------------------------------------------------------------------------------------
 */

/* What is wrong, in the order of how much it matters; NULL name ends. */
typedef struct mesh_fault {
    const char *key, *text;
    int count;
} mesh_fault;

enum {
    MESH_FAULTS = 11
};

static void list_faults(const snw_mesh_report *report, mesh_fault fault[MESH_FAULTS])
{
    const mesh_fault faults[MESH_FAULTS] = {
        {"boundary_edges", "edges of one triangle only", report->boundary_edge_count},
        {"crowded_edges", "edges of three triangles or more", report->crowded_edge_count},
        {"turned_edges", "edges whose triangles go the same way", report->turned_edge_count},
        {"inside_out_shells", "shells inside out", report->inside_out_count},
        {"crossings", "pairs of triangles that cut each other", report->crossing_count},
        {"flat_triangles", "triangles without area", report->flat_triangle_count},
        {"repeated_triangles", "triangles that come twice", report->repeated_triangle_count},
        {"slivers", "triangles with an angle below 1 degree", report->sliver_count},
        {"repeated_vertices", "vertices at the place of another", report->repeated_vertex_count},
        {"unused_vertices", "vertices that nothing uses", report->unused_vertex_count},
        {"flat_tetrahedra", "tetrahedra without volume", report->flat_tetrahedron_count},
    };
    memcpy(fault, faults, sizeof faults);
}

static void print_report(const char *path, const snw_mesh *mesh, const snw_mesh_report *report)
{
    snw_vec3 low, high;
    mesh_fault fault[MESH_FAULTS];
    bool has_fault = false;
    snw_mesh_box(mesh, &low, &high);
    list_faults(report, fault);
    cli_print_path(path);
    printf("%d vertices, %d triangles, %d tetrahedra\n", mesh->count.vertex_count,
           mesh->count.triangle_count, mesh->count.tetrahedron_count);
    printf("  box        %g x %g x %g m\n", high.x - low.x, high.y - low.y, high.z - low.z);
    if (mesh->count.triangle_count) {
        printf("  surface    %s, %d shell%s, %d hole%s, Euler %d\n",
               report->is_closed ? report->is_turned_right ? "closed" : "closed, turned wrong"
                                 : "open",
               report->shell_count, cli_s(report->shell_count), report->hole_count,
               cli_s(report->hole_count), report->euler);
        printf("  area       %g m2\n", report->area);
        if (report->is_closed) printf("  volume     %g m3\n", report->volume);
    }
    if (mesh->count.tetrahedron_count) {
        printf("  tetrahedra %g m3, angles between faces %.1f to %.1f degrees\n",
               report->tetrahedron_volume, snw_degrees(report->dihedral_low),
               snw_degrees(report->dihedral_high));
        for (int n = 0; n < SNW_MESH_ANGLE_BINS; n++)
            if (report->dihedral[n])
                printf("             %3d to %3d: %d\n", 10 * n, 10 * n + 10, report->dihedral[n]);
    }
    for (int n = 0; n < MESH_FAULTS; n++) {
        if (!fault[n].count) continue;
        printf("  %-10s %d %s\n", has_fault ? "" : "faults", fault[n].count, fault[n].text);
        has_fault = true;
    }
    if (!has_fault) printf("  no faults\n");
}

static void print_report_json(const snw_mesh *mesh, const snw_mesh_report *report)
{
    mesh_fault fault[MESH_FAULTS];
    snw_vec3 low, high;
    snw_mesh_box(mesh, &low, &high);
    const double box[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
    cli_json json = cli_json_begin(stdout);
    list_faults(report, fault);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "vertices", mesh->count.vertex_count);
    cli_json_integer(&json, "triangles", mesh->count.triangle_count);
    cli_json_integer(&json, "tetrahedra", mesh->count.tetrahedron_count);
    cli_json_numbers(&json, "box", box, 6);
    cli_json_boolean(&json, "is_closed", report->is_closed);
    cli_json_boolean(&json, "is_turned_right", report->is_turned_right);
    cli_json_integer(&json, "shells", report->shell_count);
    cli_json_integer(&json, "holes", report->hole_count);
    cli_json_integer(&json, "euler", report->euler);
    cli_json_number(&json, "area", report->area);
    cli_json_number(&json, "volume",
                    report->is_closed               ? report->volume
                    : mesh->count.tetrahedron_count ? report->tetrahedron_volume
                                                    : NAN);
    cli_json_object(&json, "faults");
    for (int n = 0; n < MESH_FAULTS; n++)
        cli_json_integer(&json, fault[n].key, fault[n].count);
    cli_json_end_object(&json);
    if (mesh->count.tetrahedron_count) {
        cli_json_number(&json, "dihedral_low", snw_degrees(report->dihedral_low));
        cli_json_number(&json, "dihedral_high", snw_degrees(report->dihedral_high));
        cli_json_array(&json, "dihedral_per_10_degrees");
        for (int n = 0; n < SNW_MESH_ANGLE_BINS; n++)
            cli_json_integer(&json, NULL, report->dihedral[n]);
        cli_json_end_array(&json);
    }
    cli_json_end_object(&json);
}

static int show(const cli_arguments *arguments, const char *path, const snw_mesh *mesh)
{
    snw_mesh_report report;
    snw_error error;
    if (snw_mesh_check(mesh, NULL, &report, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", path, error.message);
    if (cli_flag(arguments, "--json"))
        print_report_json(mesh, &report);
    else
        print_report(path, mesh, &report);
    return CLI_DONE;
}

static int info(const cli_arguments *arguments, const snw_mesh *mesh)
{
    static const char *const outputs[] = {"--svg", NULL};
    const char *svg = cli_value(arguments, "--svg", NULL);
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, svg, false, outputs);
    if (status == CLI_DONE) status = show(arguments, arguments->operand[1], mesh);
    if (status == CLI_DONE && svg) status = cli_write_whole(arguments, svg, cli_draw_mesh, mesh);
    return status;
}

/* ---- repair and convert
 * -------------------------------------------------------------------------- */

static int need_output(const cli_arguments *arguments, const char **out)
{
    static const char *const outputs[] = {"--output", NULL};
    *out = cli_value(arguments, "--output", NULL);
    if (!*out)
        return cli_misuse(arguments, "%s needs a file to write: -o OUT", arguments->operand[0]);
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, *out, false, outputs);
    return status;
}

static int repair(const cli_arguments *arguments, const snw_mesh *mesh)
{
    snw_mesh_repair_options options = snw_mesh_repair_options_default();
    snw_mesh_repaired done;
    snw_mesh *fixed = NULL;
    snw_error error;
    const char *out;
    int64_t edges = options.hole_edge_max;
    double merge_mm = 0;
    int status = need_output(arguments, &out);
    if (status != CLI_DONE) return status;
    if (!cli_integer(arguments, "--holes", 0, INT32_MAX, &edges) ||
        !cli_number(arguments, "--merge", 0, 1e9, &merge_mm))
        return CLI_USAGE;
    options.hole_edge_max = (int)edges;
    options.has_hole_filling = edges > 0;
    options.merge_distance = merge_mm / 1000;
    if (snw_mesh_repair(mesh, &options, NULL, &fixed, &done, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[1], error.message);
    status = cli_write_mesh(arguments, out, fixed);
    if (status == CLI_DONE && !cli_flag(arguments, "--json"))
        printf("merged %d vertices, dropped %d triangles, turned %d triangles, %d shells and %d "
               "tetrahedra, filled %d hole%s, left %d open\n",
               done.merged_vertex_count, done.dropped_triangle_count, done.turned_triangle_count,
               done.turned_shell_count, done.turned_tetrahedron_count, done.filled_hole_count,
               cli_s(done.filled_hole_count), done.open_hole_count);
    if (status == CLI_DONE) status = show(arguments, out, fixed);
    snw_mesh_destroy(fixed);
    return status;
}

static int convert(const cli_arguments *arguments, const snw_mesh *mesh)
{
    const char *out;
    int status = need_output(arguments, &out);
    if (status == CLI_DONE) status = cli_write_mesh(arguments, out, mesh);
    if (status == CLI_DONE) status = show(arguments, out, mesh);
    return status;
}

static int surface(const cli_arguments *arguments, const snw_mesh *mesh)
{
    const char *out;
    snw_mesh *boundary = NULL;
    snw_error error;
    int status = need_output(arguments, &out);
    if (status != CLI_DONE) return status;
    if (snw_mesh_boundary(mesh, NULL, &boundary, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[1], error.message);
    status = cli_write_mesh(arguments, out, boundary);
    if (status == CLI_DONE) status = show(arguments, out, boundary);
    snw_mesh_destroy(boundary);
    return status;
}

/* ---- tetrahedra
 * ------------------------------------------------------------------------------------ */

static int tetrahedra(const cli_arguments *arguments, const snw_mesh *mesh)
{
    snw_tetrahedra_options options = snw_tetrahedra_options_default();
    snw_tetrahedra_report report;
    const char *out, *way = cli_value(arguments, "--way", "lattice");
    double cell_mm = 0;
    if (strcmp(way, "central") == 0)
        options.way = SNW_TETRAHEDRA_CENTRAL;
    else if (strcmp(way, "lattice") != 0)
        return cli_misuse(arguments, "--way takes lattice or central, not \"%s\"", way);
    if (!cli_number(arguments, "--cell", 1e-6, 1e9, &cell_mm)) return CLI_USAGE;
    options.cell = cell_mm / 1000;
    int status = need_output(arguments, &out);
    if (status != CLI_DONE) return status;
    snw_mesh *solid = NULL;
    snw_error error;
    if (snw_mesh_tetrahedra(mesh, &options, NULL, &solid, &report, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[1], error.message);
    status = cli_write_mesh(arguments, out, solid);
    if (status == CLI_DONE) status = show(arguments, out, solid);
    if (status == CLI_DONE && !cli_flag(arguments, "--json")) {
        printf("  boundary   within %g mm of the surface, whose volume is %g m3\n",
               1000 * report.distance, report.surface_volume);
        if (options.way == SNW_TETRAHEDRA_CENTRAL)
            printf("  points     %d inserted\n", report.inserted_count);
        else
            printf("  cell       %g mm\n", 1000 * report.cell);
    }
    snw_mesh_destroy(solid);
    return status;
}

/* ---- section
 * --------------------------------------------------------------------------------------- */

typedef struct mesh_drawing {
    const snw_section *section;
    snw_vec3 normal;
} mesh_drawing;

/* Two directions in the plane, so that the normal looks at the reader. */
static void plane_axes(snw_vec3 normal, snw_vec3 *right, snw_vec3 *up)
{
    snw_vec3 y = fabs(normal.y) < 0.9 * snw_vec3_length(normal) ? snw_vec3_make(0, 1, 0)
                                                                : snw_vec3_make(0, 0, -1);
    *right = snw_vec3_unit(snw_vec3_cross(y, normal), snw_vec3_make(1, 0, 0));
    *up = snw_vec3_unit(snw_vec3_cross(normal, *right), snw_vec3_make(0, 1, 0));
}

static bool draw_section(FILE *out, const void *context)
{
    const mesh_drawing *drawing = (const mesh_drawing *)context;
    const snw_section *section = drawing->section;
    snw_vec3 right, up;
    double low[2] = {0, 0}, high[2] = {0, 0};
    plane_axes(drawing->normal, &right, &up);
    for (int n = 0; n < section->point_count; n++) {
        const double x[2] = {snw_vec3_dot(section->point[n], right),
                             -snw_vec3_dot(section->point[n], up)};
        for (int d = 0; d < 2; d++) {
            low[d] = n ? fmin(low[d], x[d]) : x[d];
            high[d] = n ? fmax(high[d], x[d]) : x[d];
        }
    }
    double size = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-9), scale = 400 / size;
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 440 440\" width=\"440\" "
                 "height=\"440\" font-family=\"sans-serif\" font-size=\"12\">\n"
                 "<rect width=\"440\" height=\"440\" fill=\"#fff\"/>\n<path fill=\"#e6b89c\" "
                 "fill-rule=\"evenodd\" stroke=\"#333\" d=\"");
    for (int line = 0; line < section->line_count; line++) {
        for (int n = section->line_first[line]; n < section->line_first[line + 1]; n++)
            fprintf(out, "%c%.2f %.2f ", n == section->line_first[line] ? 'M' : 'L',
                    20 + scale * (snw_vec3_dot(section->point[n], right) - low[0]),
                    20 + scale * (-snw_vec3_dot(section->point[n], up) - low[1]));
        if (section->is_closed[line]) fputs("Z ", out);
    }
    fprintf(out,
            "\"/>\n<text x=\"20\" y=\"434\">%.4g m across, area %.4g m2, girth %.4g m</text>\n"
            "</svg>\n",
            size, section->area, section->girth);
    return true;
}

static void print_section(const cli_arguments *arguments, const snw_section *section)
{
    int open = 0;
    for (int n = 0; n < section->line_count; n++)
        open += !section->is_closed[n];
    if (!cli_flag(arguments, "--json")) {
        cli_print_path(arguments->operand[1]);
        printf("%d line%s (%d open), area %g m2, girth %g m, centre %g %g %g m\n",
               section->line_count, cli_s(section->line_count), open, section->area, section->girth,
               section->center.x, section->center.y, section->center.z);
        return;
    }
    const double center[3] = {section->center.x, section->center.y, section->center.z};
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "lines", section->line_count);
    cli_json_integer(&json, "open_lines", open);
    cli_json_number(&json, "area", section->area);
    cli_json_number(&json, "girth", section->girth);
    cli_json_numbers(&json, "center", center, 3);
    cli_json_end_object(&json);
}

/* --normal and --at; an exit code. */
static int read_plane(const cli_arguments *arguments, snw_vec3 *normal, double *offset)
{
    double n[3] = {0, 1, 0};
    const char *text = cli_value(arguments, "--normal", NULL);
    *offset = 0;
    if (text && !cli_number_list(text, 3, n))
        return cli_misuse(arguments, "--normal takes three numbers, as 0,1,0");
    if (!cli_number(arguments, "--at", -1e6, 1e6, offset)) return CLI_USAGE;
    *normal = snw_vec3_make(n[0], n[1], n[2]);
    double length = snw_vec3_length(*normal);
    if (!(length > 0)) return cli_misuse(arguments, "--normal has no direction");
    *offset *= length;
    return CLI_DONE;
}

/* Two solids, each closed again. */
static int cut(const cli_arguments *arguments, const snw_mesh *mesh)
{
    static const char *const outputs[] = {"--output", "--below", NULL};
    const char *path[2] = {cli_value(arguments, "--output", NULL),
                           cli_value(arguments, "--below", NULL)};
    snw_vec3 normal;
    double offset;
    int status = read_plane(arguments, &normal, &offset);
    if (status == CLI_DONE && !path[0] && !path[1])
        status = cli_misuse(arguments, "it needs a file to write: -o OUT, --below FILE or both");
    if (status == CLI_DONE) status = cli_check_output_options(arguments, outputs);
    for (int n = 0; n < 2 && status == CLI_DONE; n++)
        if (path[n]) status = cli_check_not_input(arguments, path[n], false, outputs);
    if (status != CLI_DONE) return status;
    snw_mesh_halves halves;
    snw_error error;
    if (snw_mesh_split(mesh, normal, offset, NULL, &halves, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[1], error.message);
    snw_mesh *half[2] = {halves.front, halves.back};
    if (!half[0]->count.triangle_count || !half[1]->count.triangle_count)
        status = cli_fail(arguments, "%s: the plane misses the surface", arguments->operand[1]);
    for (int n = 0; n < 2 && status == CLI_DONE; n++) {
        if (!path[n]) continue;
        status = cli_write_mesh(arguments, path[n], half[n]);
        if (status != CLI_DONE) break;
        cli_print_path(path[n]);
        printf("%d vertices, %d triangles\n", half[n]->count.vertex_count,
               half[n]->count.triangle_count);
    }
    for (int n = 0; n < 2; n++)
        snw_mesh_destroy(half[n]);
    return status;
}

static int section(const cli_arguments *arguments, const snw_mesh *mesh)
{
    static const char *const outputs[] = {"--svg", NULL};
    double offset;
    snw_vec3 normal;
    const char *svg = cli_value(arguments, "--svg", NULL);
    int status = read_plane(arguments, &normal, &offset);
    if (status == CLI_DONE) status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, svg, false, outputs);
    if (status != CLI_DONE) return status;
    snw_section *cut = NULL;
    snw_error error;
    mesh_drawing drawing = {NULL, normal};
    if (snw_mesh_section(mesh, normal, offset, NULL, &cut, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[1], error.message);
    drawing.section = cut;
    if (!cut->line_count)
        status = cli_fail(arguments, "%s: the plane misses the surface", arguments->operand[1]);
    if (status == CLI_DONE && svg) status = cli_write_whole(arguments, svg, draw_section, &drawing);
    if (status == CLI_DONE) print_section(arguments, cut);
    snw_section_destroy(cut);
    return status;
}

/* ---- the command
 * -------------------------------------------------------------------------------------- */

static int run_mesh(const cli_arguments *arguments)
{
    static const struct {
        const char *word;
        int (*run)(const cli_arguments *arguments, const snw_mesh *mesh);
    } jobs[] = {{"info", info},       {"repair", repair},         {"convert", convert},
                {"surface", surface}, {"tetrahedra", tetrahedra}, {"section", section},
                {"cut", cut}};
    for (size_t n = 0; n < sizeof jobs / sizeof *jobs; n++) {
        if (strcmp(arguments->operand[0], jobs[n].word) != 0) continue;
        snw_mesh *mesh = cli_read_mesh(arguments, arguments->operand[1]);
        if (!mesh) return CLI_FAILED;
        int status = jobs[n].run(arguments, mesh);
        snw_mesh_destroy(mesh);
        return status;
    }
    return cli_misuse(
        arguments, "it does info, repair, convert, surface, tetrahedra, section or cut, not \"%s\"",
        arguments->operand[0]);
}

static const cli_option mesh_options[] = {
    {"--output", "-o", "OUT",
     "repair, convert, surface, tetrahedra, cut: .mesh .meshb .ply .stl .obj .glb"},
    {"--merge", NULL, "MM", "repair: vertices in one cell of this size become one (default: 0)"},
    {"--holes", NULL, "N", "repair: fill holes of up to N edges (default: 64; 0: none)"},
    {"--way", NULL, "WAY", "tetrahedra: lattice (default), or central: Knight's inserted points"},
    {"--cell", NULL, "MM", "tetrahedra: size of the lattice's cubes (default: box / 40)"},
    {"--normal", NULL, "X,Y,Z", "section, cut: direction of the plane (default: 0,1,0)"},
    {"--at", NULL, "M", "section, cut: metres along that direction (default: 0)"},
    {"--below", NULL, "FILE", "cut: the other half, against that direction"},
    {"--svg", NULL, "FILE", "info: draw it from the front and the left; section: draw the lines"},
    CLI_INPUT_UNIT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_mesh_command = {
    "mesh",
    "look at a surface or solid, repair, cut or convert it",
    "info|repair|convert|surface|tetrahedra|section|cut FILE",
    "FILE is a mesh: MEDIT (.mesh, .meshb), PLY, STL, OBJ or GLB. Most name no unit: metres, "
    "unless\n"
    "--input-unit says otherwise. info tells whether it is closed and turned right, and every "
    "fault;\n"
    "repair merges vertices, drops flat and repeated triangles, turns them alike and outwards, "
    "and\n"
    "fills simple holes; surface is what tetrahedra show of themselves; tetrahedra fill a closed "
    "surface;\n"
    "cut writes what lies on one side of a plane (or both) as a closed surface.\n\n"
    "examples:\n"
    "  sinew mesh info thigh.stl --input-unit mm\n"
    "  sinew mesh repair scan.ply -o whole.ply --holes 200\n"
    "  sinew mesh convert thigh.stl -o thigh.mesh --input-unit mm\n"
    "  sinew mesh tetrahedra thigh.stl -o thigh-solid.mesh --cell 20\n"
    "  sinew mesh section body.ply --normal 0,1,0 --at 1.1 --svg waist.svg\n"
    "  sinew mesh cut body.ply --at 1.1 -o chest.ply --below legs.ply",
    mesh_options,
    2,
    2,
    run_mesh,
};

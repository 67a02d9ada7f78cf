/* `sinew mass`: what a solid weighs, where its centre is, how it resists turning. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "shape/figure.h"
#include "shape/mass_body.h"
#include "shape/shape.h"
#include "text.h"

enum {
    MASS_REGIONS = 64
};

/* "3=1050": a reference and its density. */
static bool read_regions(const cli_arguments *arguments, snw_region_density *region, int *count)
{
    const char *text;
    for (*count = 0; (text = cli_value_at(arguments, "--region", *count)) != NULL; ++*count) {
        const char *end = text + strlen(text), *at;
        int64_t reference;
        if (*count == MASS_REGIONS || !(at = snw_parse_int64(text, end, &reference)) ||
            *at != '=' || reference > INT32_MAX || reference < -INT32_MAX ||
            snw_parse_double(at + 1, end, &region[*count].density) != end) {
            cli_misuse(arguments, "--region takes REFERENCE=DENSITY, not \"%s\"", text);
            return false;
        }
        region[*count].reference = (int)reference;
    }
    return true;
}

static bool read_how(const cli_arguments *arguments, snw_mass_options *options,
                     snw_region_density *region)
{
    static const char *const ways[] = {"auto", "surface", "tetrahedra"};
    const char *way = cli_value(arguments, "--by", "auto");
    const char *gradient = cli_value(arguments, "--gradient", NULL);
    double slope[3];
    int found = -1;
    for (int n = 0; n < 3; n++)
        if (strcmp(way, ways[n]) == 0) found = n;
    if (found < 0) {
        cli_misuse(arguments, "--by takes auto, surface or tetrahedra, not \"%s\"", way);
        return false;
    }
    options->way = (snw_mass_way)found;
    if (!cli_number(arguments, "--density", 0, 1e6, &options->density)) return false;
    if (gradient && !cli_number_list(gradient, 3, slope)) {
        cli_misuse(arguments, "--gradient takes three numbers in kg/m4, as 0,50,0");
        return false;
    }
    if (gradient) options->gradient = snw_vec3_make(slope[0], slope[1], slope[2]);
    options->region = region;
    if (!read_regions(arguments, region, &options->region_count)) return false;
    if (options->density > 0 || options->region_count) return true;
    cli_misuse(arguments, "a density of 0 leaves no mass");
    return false;
}

static void print_mass(const char *path, const snw_mass_properties *mass)
{
    cli_print_path(path);
    printf("%g kg, %g m3, %g kg/m3\n", mass->mass, mass->volume, mass->mass / mass->volume);
    printf("  centre of mass    %g %g %g m\n", mass->center.x, mass->center.y, mass->center.z);
    for (int k = 0; k < 3; k++)
        printf("  %-17s %12g %12g %12g\n", k ? "" : "inertia, kg m2", mass->inertia.m[k][0],
               mass->inertia.m[k][1], mass->inertia.m[k][2]);
    for (int k = 0; k < 3; k++)
        printf("  %-17s %12g about %.6f %.6f %.6f\n", k ? "" : "principal moment", mass->moment[k],
               mass->axes.m[0][k], mass->axes.m[1][k], mass->axes.m[2][k]);
}

static void print_mass_json(const snw_mass_properties *mass)
{
    const double center[3] = {mass->center.x, mass->center.y, mass->center.z};
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_number(&json, "mass", mass->mass);
    cli_json_number(&json, "volume", mass->volume);
    cli_json_numbers(&json, "center", center, 3);
    cli_json_array(&json, "inertia");
    for (int k = 0; k < 3; k++)
        cli_json_numbers(&json, NULL, mass->inertia.m[k], 3);
    cli_json_end_array(&json);
    cli_json_numbers(&json, "moments", mass->moment, 3);
    cli_json_array(&json, "axes");
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {mass->axes.m[0][k], mass->axes.m[1][k], mass->axes.m[2][k]};
        cli_json_numbers(&json, NULL, axis, 3);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

/* Options of the other kind of input would be without effect. */
static int check_kind(const cli_arguments *arguments, bool is_body)
{
    static const char *const of_solid[] = {"--density", "--region", "--gradient", "--by", NULL};
    static const char *const of_body[] = {"--people", "--stature", "--mass", "--girth",
                                          "--cell",   "--output",  "--asf",  NULL};
    const char *const *wrong = is_body ? of_solid : of_body;
    for (; *wrong; wrong++)
        if (cli_flag(arguments, *wrong))
            return cli_misuse(arguments, "%s is for %s, not for %s", *wrong,
                              is_body ? "solids" : "bodies", arguments->operand[0]);
    return CLI_DONE;
}

static int run_mass(const cli_arguments *arguments)
{
    bool is_body = arguments->operand_count > 1 || cli_is_body(arguments->operand[0]);
    int kind = check_kind(arguments, is_body);
    if (kind != CLI_DONE) return kind;
    if (is_body) return cli_mass_of_body(arguments);
    snw_mass_options options = snw_mass_options_default();
    snw_region_density region[MASS_REGIONS];
    snw_mass_properties mass;
    snw_mesh_report report;
    snw_error error;
    const char *path = arguments->operand[0];
    if (!read_how(arguments, &options, region)) return CLI_USAGE;
    snw_mesh *mesh = cli_read_mesh(arguments, path);
    if (!mesh) return CLI_FAILED;
    bool by_surface = options.way == SNW_MASS_SURFACE ||
                      (options.way == SNW_MASS_AUTO && !mesh->count.tetrahedron_count);
    int status = CLI_DONE;
    if (snw_mesh_check(mesh, NULL, &report, &error) != SNW_OK)
        status = cli_fail(arguments, "%s: %s", path, error.message);
    else if (by_surface && mesh->count.triangle_count && !report.is_turned_right)
        status = cli_fail(arguments,
                          "%s is no solid: %d edges of one triangle, %d of three or more, %d "
                          "turned, %d shells inside out (try sinew mesh repair)",
                          path, report.boundary_edge_count, report.crowded_edge_count,
                          report.turned_edge_count, report.inside_out_count);
    else if (snw_mesh_mass(mesh, &options, &mass, &error) != SNW_OK)
        status = cli_fail(arguments, "%s: %s", path, error.message);
    if (status == CLI_DONE && by_surface && report.crossing_count)
        cli_note(arguments,
                 "%d pairs of triangles cut each other: what is inside twice counts twice",
                 report.crossing_count);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_mass_json(&mass);
    else if (status == CLI_DONE)
        print_mass(path, &mass);
    snw_mesh_destroy(mesh);
    return status;
}

static const cli_option mass_options[] = {
    {"--density", NULL, "KG/M3", "of everything that no region names (default: 1000)"},
    {"--region", NULL, "REF=KG/M3", "density of elements of this reference (may be repeated)"},
    {"--gradient", NULL, "X,Y,Z", "density grows by so many kg/m3 for each metre (default: 0,0,0)"},
    {"--by", NULL, "WAY", "auto (default), surface, tetrahedra"},
    {"--output", "-o", "OUT",
     "bodies: .mot .sto: the centre of mass and momentum over time; .atm: with its masses"},
    CLI_FIGURE_OPTIONS,
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_INPUT_UNIT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_mass_command = {
    "mass",
    "mass, centre and inertia of a solid, or of what moves with each joint of a body",
    "FILE [BODY]",
    "FILE is a closed surface or a body of tetrahedra (MEDIT, PLY, STL, OBJ). The integrals are "
    "exact\n"
    "for flat faces and for density that is constant or changes linearly.\n"
    "Of a body (BVH, GLB, VRM, AMC with --asf, a capture, which is solved, or a ready-made one) a "
    "person's\n"
    "surface is made and cut at the joints; with two operands your own closed surface in the rest "
    "pose (a T)\n"
    "of BODY. Densities are Dempster's. A robot (URDF, MJCF) weighs what its file says; before it "
    "its "
    "motion,\n"
    "a table of joint values.\n\n"
    "examples:\n"
    "  sinew mass thigh.stl --input-unit mm --density 1050\n"
    "  sinew mass body.mesh --region 1=1030 --region 2=1070 --json\n"
    "  sinew mass club.ply --density 700 --gradient 0,120,0\n"
    "  sinew mass humanoid --people women --mass 60\n"
    "  sinew mass walk.c3d --mass 78 -o momentum.mot\n"
    "  sinew mass biped.urdf",
    mass_options,
    1,
    2,
    run_mass,
};

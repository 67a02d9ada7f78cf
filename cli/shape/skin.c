/* `sinew skin`: a body to look at. One operand: a person's surface made round the skeleton. Two: a
 * mesh of the user's, tied to the skeleton. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "output.h"
#include "shape/figure.h"
#include "shape/shape.h"
#include "shape/shape_body.h"
#include "text.h"

static void print_figure(const snw_figure_report *report)
{
    printf("  %-14s %9s %9s %9s\n", "part", "litres", "kg", "table");
    for (int n = 0; n < report->segment_count; n++) {
        const snw_figure_segment *s = report->segment + n;
        printf("  %-14s %9.3f %9.3f %9.3f  %+.1f %%\n", snw_part_name(s->part, s->side),
               1000 * s->volume, s->mass, s->table_mass, 100 * (s->mass / s->table_mass - 1));
    }
}

static void print_girths(const snw_figure_report *report)
{
    printf("  girths, mm:");
    for (int n = 0; n < SNW_GIRTH_COUNT; n++)
        printf("%s %s %.0f", n ? "," : "", snw_girth_name((snw_girth)n), 1000 * report->girth[n]);
    printf("\n");
}

static void print_json(const char *out, const snw_mesh *mesh, const snw_figure_report *report)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "output", out);
    cli_json_integer(&json, "vertices", mesh->count.vertex_count);
    cli_json_integer(&json, "triangles", mesh->count.triangle_count);
    if (report) {
        cli_json_number(&json, "stature", report->stature);
        cli_json_number(&json, "mass", report->mass);
        cli_json_number(&json, "volume", report->volume);
        cli_json_array(&json, "segments");
        for (int n = 0; n < report->segment_count; n++) {
            const snw_figure_segment *s = report->segment + n;
            cli_json_object(&json, NULL);
            cli_json_string(&json, "part", snw_part_name(s->part, s->side));
            cli_json_number(&json, "volume", s->volume);
            cli_json_number(&json, "mass", s->mass);
            cli_json_number(&json, "table_mass", s->table_mass);
            cli_json_end_object(&json);
        }
        cli_json_end_array(&json);
        cli_json_object(&json, "girths");
        for (int n = 0; n < SNW_GIRTH_COUNT; n++)
            cli_json_number(&json, snw_girth_name((snw_girth)n), report->girth[n]);
        cli_json_end_object(&json);
    }
    cli_json_end_object(&json);
}

/* Moved and scaled so that its box has the height and the place of the skeleton's. */
static void fit_mesh(snw_mesh *mesh, const snw_skeleton *skeleton)
{
    snw_vec3 low, high, least = {INFINITY, INFINITY, INFINITY}, most = snw_vec3_neg(least);
    snw_pose *pose = NULL;
    if (snw_pose_create(skeleton, NULL, &pose, NULL) != SNW_OK) return;
    snw_pose_reset(pose);
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_vec3 p = snw_pose_tip(pose, j);
        least = snw_vec3_make(fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z));
        most = snw_vec3_make(fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z));
    }
    snw_pose_destroy(pose);
    snw_mesh_box(mesh, &low, &high);
    double scale = high.y > low.y ? (most.y - least.y) / (high.y - low.y) : 1;
    snw_vec3 from = snw_vec3_make((low.x + high.x) / 2, low.y, (low.z + high.z) / 2);
    snw_vec3 to = snw_vec3_make((least.x + most.x) / 2, least.y, (least.z + most.z) / 2);
    for (int v = 0; v < mesh->count.vertex_count; v++)
        mesh->vertex[v] = snw_vec3_add_scaled(to, scale, snw_vec3_sub(mesh->vertex[v], from));
}

/* Of a surface of one's own the references are not parts. */
static snw_status make_weights(const cli_arguments *arguments, const snw_motion *motion,
                               const snw_mesh *mesh, snw_skin **skin, snw_error *error)
{
    snw_skin_options options;
    if (cli_skin_options(arguments, &options) != CLI_DONE) return SNW_INVALID_ARGUMENT;
    options.has_parts = arguments->operand_count < 2;
    return snw_skin_create(mesh, motion->skeleton, &options, NULL, skin, error);
}

/* The surface in one frame of the motion, in place. */
static int pose_mesh(const cli_arguments *arguments, const snw_motion *motion, snw_mesh *mesh)
{
    int64_t frame = 1;
    const char *way = cli_value(arguments, "--blend", "dual");
    snw_blend blend = strcmp(way, "dual") == 0 ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR;
    if (blend == SNW_BLEND_LINEAR && strcmp(way, "linear") != 0)
        return cli_misuse(arguments, "--blend takes dual or linear, not \"%s\"", way);
    if (!cli_integer(arguments, "--frame", 1, motion->frame_count, &frame)) return CLI_USAGE;
    size_t count = (size_t)mesh->count.vertex_count;
    float *place = malloc((count + 1) * 3 * sizeof *place);
    snw_skin *skin = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    snw_status status = SNW_OUT_OF_MEMORY;
    if (place) status = snw_pose_create(motion->skeleton, NULL, &pose, &error);
    if (status == SNW_OK) status = make_weights(arguments, motion, mesh, &skin, &error);
    if (status == SNW_OK) {
        snw_motion_get(motion, (int)frame - 1, pose);
        snw_pose_forward(pose);
        status = snw_skin_deform(skin, pose, blend, place, &error);
    }
    for (size_t v = 0; v < count && status == SNW_OK; v++)
        mesh->vertex[v] =
            snw_vec3_make((double)place[3 * v], (double)place[3 * v + 1], (double)place[3 * v + 2]);
    snw_skin_destroy(skin);
    snw_pose_destroy(pose);
    free(place);
    if (status == SNW_OK) return CLI_DONE;
    return cli_fail(arguments, "%s", place ? error.message : "no memory for the surface");
}

static int write_skinned(const cli_arguments *arguments, const snw_motion *motion,
                         const snw_mesh *mesh, const char *out)
{
    if (!cli_holds_skin(out)) return cli_write_mesh(arguments, out, mesh);
    snw_skin *skin = NULL;
    snw_error error;
    snw_write_options options = snw_write_options_default();
    if (make_weights(arguments, motion, mesh, &skin, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    options.skin = skin;
    options.up = SNW_UP_Y;
    snw_status status =
        snw_write_motion_file(out, cli_flag(arguments, "--force"), motion, &options, &error);
    snw_skin_destroy(skin);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

static int run_with(const cli_arguments *arguments, const snw_motion *motion, const char *out)
{
    snw_figure_report report;
    snw_mesh *mesh = NULL;
    bool is_own = arguments->operand_count > 1;
    int status = CLI_DONE;
    if (is_own) {
        mesh = cli_read_mesh(arguments, arguments->operand[0]);
        if (!mesh) return CLI_FAILED;
        if (!cli_flag(arguments, "--no-fit")) fit_mesh(mesh, motion->skeleton);
    } else {
        status = cli_make_figure(arguments, NULL, motion->skeleton, &mesh, &report);
    }
    if (status == CLI_DONE && cli_flag(arguments, "--frame"))
        status = cli_holds_skin(out)
                     ? cli_misuse(arguments, "--frame is for surfaces, not for %s", out)
                     : pose_mesh(arguments, motion, mesh);
    if (status == CLI_DONE) status = write_skinned(arguments, motion, mesh, out);
    if (status == CLI_DONE && cli_flag(arguments, "--json")) {
        print_json(out, mesh, is_own ? NULL : &report);
    } else if (status == CLI_DONE) {
        cli_print_path(out);
        printf("%d vertices, %d triangles\n", mesh->count.vertex_count, mesh->count.triangle_count);
        if (!is_own) print_figure(&report);
        if (!is_own) print_girths(&report);
    }
    snw_mesh_destroy(mesh);
    return status;
}

static int run_skin(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", NULL};
    const char *out = cli_value(arguments, "--output", NULL);
    if (!out) return cli_misuse(arguments, "it needs a file to write: -o OUT");
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, out, false, outputs);
    snw_skin_options unused;
    if (status == CLI_DONE) status = cli_skin_options(arguments, &unused);
    if (status != CLI_DONE) return status;
    static cli_content content; /* its notes: 19 kB */
    snw_motion *rigged = NULL;
    snw_error error;
    const char *name = arguments->operand[arguments->operand_count - 1];
    snw_rig_options options = snw_rig_options_default();
    options.bone_axis = 'y';
    if (snw_format_from_name(out) == SNW_FORMAT_VRM) options.names = SNW_RIG_VRM;
    snw_motion *motion = cli_read_body(arguments, name, &content);
    bool keeps_rest =
        arguments->operand_count > 1 || (motion && snw_figure_is_hand(motion->skeleton));
    if (!motion) status = CLI_FAILED;
    if (status == CLI_DONE && !keeps_rest &&
        snw_motion_to_rig(motion, &options, NULL, &rigged, NULL, &error) != SNW_OK)
        status = cli_fail(arguments, "%s: %s", name, error.message);
    if (status == CLI_DONE) status = run_with(arguments, rigged ? rigged : motion, out);
    snw_motion_destroy(rigged);
    cli_release_content(&content);
    return status;
}

static const cli_option skin_options[] = {
    {"--output", "-o", "OUT", ".glb: the moving body; .ply .stl .obj .mesh: the surface at rest"},
    CLI_FIGURE_OPTIONS,
    CLI_SKIN_OPTIONS,
    {"--frame", NULL, "N", "the surface in this frame of the motion, from 1, not at rest"},
    {"--blend", NULL, "WAY", "of that surface: dual (default), or linear, as GLB players have it"},
    {"--no-fit", NULL, NULL, "MESH stands where the skeleton does, in metres: leave it there"},
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_INPUT_UNIT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_skin_command = {
    "skin",
    "a body to look at: a person's surface, or your mesh, on a skeleton",
    "[MESH] SKELETON",
    "SKELETON is a motion (BVH, GLB, VRM, AMC with --asf) or a ready-made body (sinew body lists "
    "them). "
    "Alone, a\n"
    "person's surface is made round it: one closed mesh with head, hands and feet, each part as "
    "heavy\n"
    "as the tables say. With MESH (PLY, STL, OBJ, GLB, MEDIT, in the rest pose of the skeleton) "
    "yours "
    "is\n"
    "scaled to the skeleton's height and tied to it. Weights are by heat (Baran & Popovic 2007).\n"
    "Captures: sinew solve walk.c3d -o walk.glb --skin.\n\n"
    "examples:\n"
    "  sinew skin walk.bvh -o walk.glb --people women\n"
    "  sinew skin humanoid -o body.ply --stature 1.80 --mass 75\n"
    "  sinew skin walk.bvh -o fitted.glb --girth waist=920 --girth thigh=560\n"
    "  sinew skin walk.bvh -o step.stl --frame 30 --bends\n"
    "  sinew skin robot.obj walk.bvh -o robot.glb",
    skin_options,
    1,
    2,
    run_skin,
};

/* `sinew body`: what a ready-made body, or the body of a file, is made of. */

#include <stdarg.h>
#include <string.h>

#include "command.h"
#include "draw/picture.h"
#include "input.h"
#include "output.h"
#include "text.h"

/* Ranges of files may have hundreds of digits: what does not fit is cut. */
static void add_words(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    snw_format_list(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void describe_limit(const snw_joint *joint, char *text, size_t size)
{
    const snw_joint_limit *limit = &joint->limit;
    text[0] = 0;
    for (int n = 0; n < 2; n++) {
        if (!limit->has_range[n] || (n == 1 && joint->type != SNW_JOINT_UNIVERSAL)) continue;
        bool is_slide = joint->type == SNW_JOINT_PRISMATIC;
        double low = is_slide ? 1000 * limit->range[n][0] : snw_degrees(limit->range[n][0]);
        double high = is_slide ? 1000 * limit->range[n][1] : snw_degrees(limit->range[n][1]);
        add_words(text, size, "%s%.0f..%.0f%s", text[0] ? ", " : "", low, high,
                  is_slide ? " mm" : "");
    }
    if (joint->type != SNW_JOINT_BALL) return;
    if (limit->swing == SNW_SWING_CONE)
        add_words(text, size, "cone %.0f %.0f %.0f %.0f", snw_degrees(limit->cone[0]),
                  snw_degrees(limit->cone[1]), snw_degrees(limit->cone[2]),
                  snw_degrees(limit->cone[3]));
    if (limit->swing == SNW_SWING_POLYGON)
        add_words(text, size, "window of %d corners", limit->window_count);
    if (limit->has_twist)
        add_words(text, size, "%stwist %.0f..%.0f", text[0] ? ", " : "",
                  snw_degrees(limit->twist[0]), snw_degrees(limit->twist[1]));
}

static void print_table(const snw_skeleton *body)
{
    printf("%d joint%s, %d degrees of freedom, %.3f m from root to farthest tip\n\n",
           body->joint_count, cli_s(body->joint_count), body->dof_count, body->size);
    printf("  # %-16s %-16s %-10s %9s  limits (degrees)\n", "joint", "parent", "type", "bone mm");
    for (int j = 0; j < body->joint_count; j++) {
        char limits[120];
        describe_limit(body->joint + j, limits, sizeof limits);
        printf("%3d ", j);
        cli_print_text(stdout, body->name[j], 17);
        cli_print_text(stdout, body->parent[j] >= 0 ? body->name[body->parent[j]] : "-", 17);
        printf("%-10s %9.1f  %s", snw_joint_type_name(body->joint[j].type),
               1000 * body->bone_length[j], limits);
        if (body->follow[j].is_following) {
            printf("%sfollows ", limits[0] ? ", " : "");
            cli_print_text(stdout, body->joint_name[body->follow[j].leader], 0);
        }
        printf("\n");
    }
}

static void print_json(const char *name, const snw_skeleton *body)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "name", name);
    cli_json_integer(&json, "degrees_of_freedom", body->dof_count);
    cli_json_number(&json, "size_m", body->size);
    cli_json_array(&json, "joints");
    for (int j = 0; j < body->joint_count; j++) {
        char limits[120];
        describe_limit(body->joint + j, limits, sizeof limits);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", body->name[j]);
        if (body->joint_name[j] != body->name[j])
            cli_json_string(&json, "joint_name", body->joint_name[j]);
        if (body->follow[j].is_following)
            cli_json_string(&json, "follows", body->joint_name[body->follow[j].leader]);
        cli_json_integer(&json, "parent", body->parent[j]);
        cli_json_string(&json, "type", snw_joint_type_name(body->joint[j].type));
        cli_json_number(&json, "bone_length_m", body->bone_length[j]);
        cli_json_number(&json, "mass_kg", body->mass[j]);
        cli_json_string(&json, "limits", limits);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static int list_presets(const cli_arguments *arguments)
{
    if (!cli_flag(arguments, "--json")) {
        for (int n = 0; n < snw_preset_count(); n++)
            printf("  %-12s %s\n", snw_preset_name(n), snw_preset_text(n));
        return CLI_DONE;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_array(&json, NULL);
    for (int n = 0; n < snw_preset_count(); n++) {
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", snw_preset_name(n));
        cli_json_string(&json, "text", snw_preset_text(n));
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    return CLI_DONE;
}

static bool draw_rest_pose(FILE *out, const void *context)
{
    const snw_pose *pose = context;
    cli_picture_pose item = {pose, "rest", "#2c3e50"};
    cli_picture picture = {.title = "rest pose", .pose_count = 1, .pose = &item, .has_names = true};
    cli_picture_draw(&picture, out);
    return true;
}

static int write_picture(const cli_arguments *arguments, const snw_skeleton *body)
{
    const char *path = cli_value(arguments, "--svg", NULL);
    if (!path) return CLI_DONE;
    snw_error error;
    snw_pose *pose = NULL;
    if (snw_pose_create(body, NULL, &pose, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    static const char *const outputs[] = {"--svg", NULL};
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_write_whole(arguments, path, draw_rest_pose, pose);
    snw_pose_destroy(pose);
    return status;
}

/* A body of that name, or of the file of that name. Complains itself; NULL on failure. */
static snw_skeleton *find_body(const cli_arguments *arguments, const char *name)
{
    static cli_content content; /* its notes: 19 kB */
    for (int n = 0; n < snw_preset_count(); n++)
        if (strcmp(name, snw_preset_name(n)) == 0) return cli_make_body(arguments, name);
    bool is_file = strpbrk(name, "./\\") != NULL || strcmp(name, "-") == 0;
    if (!is_file) return cli_make_body(arguments, name);
    if (!cli_read_content(arguments, name, NULL, &content)) return NULL;
    cli_print_notes(arguments, &content.notes);
    snw_skeleton *body = content.motion ? content.motion->own_skeleton : NULL;
    if (body) content.motion->own_skeleton = NULL; /* it outlives the motion */
    if (!body) cli_fail(arguments, "%s holds no body (%s)", name, snw_format_name(content.format));
    cli_release_content(&content);
    return body;
}

static int run_body(const cli_arguments *arguments)
{
    if (arguments->operand_count == 0 && cli_flag(arguments, "--svg"))
        return cli_misuse(arguments, "--svg draws one body: say which NAME");
    if (arguments->operand_count == 0) return list_presets(arguments);
    const char *name = arguments->operand[0];
    snw_skeleton *body = find_body(arguments, name);
    if (!body) return CLI_FAILED;
    if (cli_flag(arguments, "--json"))
        print_json(name, body);
    else
        print_table(body);
    int status = write_picture(arguments, body);
    snw_skeleton_destroy(body);
    return status;
}

static const cli_option body_options[] = {
    {"--svg", NULL, "FILE", "also draw the rest pose"},
    {"--force", "-f", NULL, "overwrite FILE"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_body_command = {
    "body",
    "list the ready-made bodies, or the joints, types and limits of one or of a file's",
    "[NAME|FILE]",
    "FILE holds a body: URDF or MJCF (robots), BVH, ASF.\n\n"
    "examples:\n"
    "  sinew body                        the list\n"
    "  sinew body humanoid               its joints\n"
    "  sinew body hand25 --svg hand.svg  and a picture\n"
    "  sinew body robot.urdf             of a file",
    body_options,
    0,
    1,
    run_body,
};

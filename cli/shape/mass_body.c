#include "shape/mass_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "shape/figure.h"
#include "shape/shape.h"
#include "shape/shape_body.h"
#include "text.h"

typedef struct mass_job {
    const cli_arguments *arguments;
    cli_body_motion source;
    cli_content body;         /* a ready-made one */
    const snw_motion *motion; /* that one's or the file's */
    snw_motion *heavy;        /* on the body with its masses */
} mass_job;

static bool is_preset(const char *name)
{
    for (int n = 0; n < snw_preset_count(); n++)
        if (strcmp(name, snw_preset_name(n)) == 0) return true;
    return false;
}

bool cli_is_body(const char *name)
{
    if (is_preset(name)) return true;
    snw_format_kind kind = snw_detect_file(name);
    if (kind == SNW_FORMAT_UNKNOWN) kind = snw_format_from_name(name); /* none there: read on */
    if (kind != SNW_FORMAT_GLB) return kind != SNW_FORMAT_UNKNOWN && !snw_format_reads_mesh(kind);
    /* A GLB is either: it is a body where it holds joints. */
    snw_character character = {NULL, NULL};
    bool is_body = snw_read_character_file(name, NULL, NULL, &character, NULL, NULL) == SNW_OK &&
                   character.motion->skeleton->joint_count > 1;
    snw_character_release(&character);
    return is_body;
}

static int read_body(mass_job *job)
{
    const cli_arguments *arguments = job->arguments;
    const char *name = arguments->operand[arguments->operand_count - 1];
    if (is_preset(name) || cli_is_robot(name)) {
        job->motion = cli_read_body(arguments, name, &job->body);
        return job->motion ? CLI_DONE : CLI_FAILED;
    }
    int status = cli_read_body_motion(arguments, name, &job->source);
    job->motion = job->source.motion;
    return status;
}

/* A surface of one's own stands where the skeleton rests. */
static int weigh_own(mass_job *job, const snw_figure_options *how)
{
    snw_mesh *surface = cli_read_mesh(job->arguments, job->arguments->operand[0]);
    if (!surface) return CLI_FAILED;
    const snw_skeleton *skeleton = job->motion->skeleton;
    size_t size = (size_t)skeleton->joint_count * sizeof(snw_mass_properties);
    snw_mass_properties *mass = malloc(size);
    snw_skeleton *heavy = NULL;
    snw_error error = {.message = "no memory for the masses of the joints"};
    snw_status status = SNW_OUT_OF_MEMORY;
    if (mass) status = snw_figure_masses(surface, skeleton, how, mass, &error);
    if (status == SNW_OK) status = snw_skeleton_with_masses(skeleton, mass, NULL, &heavy, &error);
    if (status == SNW_OK)
        status =
            snw_motion_part(job->motion, 0, job->motion->frame_count, NULL, &job->heavy, &error);
    if (status == SNW_OK)
        job->heavy->skeleton = job->heavy->own_skeleton = heavy;
    else
        snw_skeleton_destroy(heavy);
    free(mass);
    snw_mesh_destroy(surface);
    return status == SNW_OK
               ? CLI_DONE
               : cli_fail(job->arguments, "%s: %s", job->arguments->operand[0], error.message);
}

static double mass_of(const snw_skeleton *skeleton)
{
    double mass = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        mass += skeleton->mass[j];
    return mass;
}

/* A robot weighs what its file says; its motion is that of a table, or there is none. */
static int weigh_robot(mass_job *job, const char *name)
{
    const cli_arguments *arguments = job->arguments;
    static cli_content table; /* its notes: 19 kB */
    const snw_motion *still = job->motion;
    snw_notes notes = snw_notes_none();
    snw_error error;
    int status = CLI_DONE;
    static const char *const of_people[] = {"--people", "--stature", "--mass",
                                            "--girth",  "--cell",    NULL};
    for (const char *const *wrong = of_people; *wrong; wrong++)
        if (cli_flag(arguments, *wrong))
            return cli_misuse(arguments, "%s is for people, not for %s", *wrong, name);
    if (!(mass_of(still->skeleton) > 0))
        return cli_fail(arguments, "%s does not say what its links weigh", name);
    if (arguments->operand_count < 2) {
        if (snw_motion_part(still, 0, still->frame_count, NULL, &job->heavy, &error) != SNW_OK)
            return cli_fail(arguments, "%s: %s", name, error.message);
        return CLI_DONE;
    }
    const char *path = arguments->operand[0];
    if (!cli_read_content(arguments, path, NULL, &table)) return CLI_FAILED;
    cli_print_notes(arguments, &table.notes);
    if (!table.table)
        status =
            cli_fail(arguments, "%s is no motion of a robot: its values by name, as .mot", path);
    else if (snw_motion_from_table(table.table, still->skeleton, NULL, &job->heavy, &notes,
                                   &error) != SNW_OK)
        status = cli_fail(arguments, "%s on %s: %s", path, name, error.message);
    cli_print_notes(arguments, &notes);
    cli_release_content(&table);
    return status;
}

static int weigh(mass_job *job)
{
    snw_figure_options how;
    snw_error error;
    const char *name = job->arguments->operand[job->arguments->operand_count - 1];
    if (cli_is_robot(name)) return weigh_robot(job, name);
    int status = cli_figure_options(job->arguments, cli_capture_of_one(job->source.solution), &how);
    if (status != CLI_DONE) return status;
    if (job->arguments->operand_count > 1) return weigh_own(job, &how);
    if (snw_motion_weigh(job->motion, NULL, &how, NULL, &job->heavy, &error) != SNW_OK)
        return cli_fail(job->arguments, "%s: %s", job->arguments->operand[0], error.message);
    return CLI_DONE;
}

static int write_out(const mass_job *job, const char *path)
{
    snw_table *table = NULL;
    snw_error error;
    snw_status status;
    bool overwrites = cli_flag(job->arguments, "--force");
    if (snw_format_from_name(path) == SNW_FORMAT_ATM) {
        status = snw_write_motion_file(path, overwrites, job->heavy, NULL, &error);
        return status == SNW_OK ? CLI_DONE : cli_fail_writing(job->arguments, &error);
    }
    if (snw_format_from_name(path) != SNW_FORMAT_MOT)
        return cli_misuse(job->arguments, "%s: momentum goes to .mot or .sto, a body to .atm",
                          path);
    if (job->heavy->frame_count < 1)
        return cli_fail(job->arguments, "a body at rest has no momentum to write to %s", path);
    if (snw_table_from_momentum(job->heavy, NULL, &table, &error) != SNW_OK)
        return cli_fail(job->arguments, "%s", error.message);
    status = snw_write_table_file(path, overwrites, table, NULL, &error);
    snw_table_destroy(table);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(job->arguments, &error);
}

static void print_text(const mass_job *job, const char *name)
{
    const snw_skeleton *skeleton = job->heavy->skeleton;
    size_t width = strlen("moves with");
    for (int j = 0; j < skeleton->joint_count; j++)
        if (skeleton->mass[j] > 0 && strlen(skeleton->name[j]) > width)
            width = strlen(skeleton->name[j]);
    cli_print_path(name);
    printf("%.2f kg\n  %-*s %8s  %-23s  %s\n", mass_of(skeleton), (int)width, "moves with", "kg",
           "centre in it, mm", "moments about its axes there, g m2");
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_vec3 c = skeleton->mass_center[j];
        const snw_mat3 *inertia = skeleton->inertia + j;
        if (!(skeleton->mass[j] > 0)) continue;
        printf("  %-*s %8.3f  %7.1f %7.1f %7.1f  %.4g %.4g %.4g\n", (int)width, skeleton->name[j],
               skeleton->mass[j], 1000 * c.x, 1000 * c.y, 1000 * c.z, 1000 * inertia->m[0][0],
               1000 * inertia->m[1][1], 1000 * inertia->m[2][2]);
    }
}

static void print_json(const mass_job *job)
{
    const snw_skeleton *skeleton = job->heavy->skeleton;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_number(&json, "mass", mass_of(skeleton));
    cli_json_array(&json, "joints");
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (!(skeleton->mass[j] > 0)) continue;
        snw_vec3 c = skeleton->mass_center[j];
        const double center[3] = {c.x, c.y, c.z};
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", skeleton->name[j]);
        cli_json_number(&json, "mass", skeleton->mass[j]);
        cli_json_numbers(&json, "center", center, 3);
        cli_json_array(&json, "inertia");
        for (int k = 0; k < 3; k++)
            cli_json_numbers(&json, NULL, skeleton->inertia[j].m[k], 3);
        cli_json_end_array(&json);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

int cli_mass_of_body(const cli_arguments *arguments)
{
    static mass_job job; /* notes: 19 kB each */
    memset(&job, 0, sizeof job);
    job.arguments = arguments;
    static const char *const outputs[] = {"--output", NULL};
    const char *out = cli_value(arguments, "--output", NULL);
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, out, false, outputs);
    if (status == CLI_DONE) status = read_body(&job);
    if (status == CLI_DONE) status = weigh(&job);
    if (status == CLI_DONE && out) status = write_out(&job, out);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(&job);
    else if (status == CLI_DONE)
        print_text(&job, arguments->operand[arguments->operand_count - 1]);
    snw_motion_destroy(job.heavy);
    cli_release_body_motion(&job.source);
    cli_release_content(&job.body);
    return status;
}

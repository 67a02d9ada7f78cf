/* `sinew opensim`: everything that OpenSim's tools want of a capture, on one clock and in one set
 * of axes (y up): markers, forces under each foot, the person's model, and the files that set up
 * its scaling, inverse kinematics and inverse dynamics. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "angles_osim.h"
#include "draw/markup.h"
#include "input.h"
#include "output.h"
#include "walk.h"

enum {
    OPENSIM_MODEL,
    OPENSIM_MARKERS,
    OPENSIM_STATIC,
    OPENSIM_FORCES,
    OPENSIM_LOADS,
    OPENSIM_SCALE,
    OPENSIM_IK,
    OPENSIM_ID,
    OPENSIM_FILES
};

static const char *const opensim_ending[OPENSIM_FILES] = {
    ".osim",      ".trc",       "-static.trc", "-forces.mot",
    "-loads.xml", "-scale.xml", "-ik.xml",     "-id.xml"};

typedef struct opensim_job {
    cli_walk walk;
    snw_gait_model model;
    snw_kinetics *kinetics; /* NULL: no foot's force is known */
    double cutoff;
    char stem[200]; /* "walk" */
    char path[OPENSIM_FILES][4096];
} opensim_job;

/* ---- the folder ------------------------------------------------------------------------------ */

/* walk.c3d into out/walk.osim and so on. */
static int name_files(opensim_job *job)
{
    const cli_arguments *arguments = job->walk.arguments;
    const char *folder = cli_value(arguments, "--output", NULL), *path = arguments->operand[0];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.'), *check[OPENSIM_FILES];
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (!folder) return cli_misuse(arguments, "the files go to a folder: -o FOLDER");
    if (length >= (int)sizeof job->stem || strlen(folder) > 3000)
        return cli_fail(arguments, "%s: the name is too long", path);
    snw_format(job->stem, sizeof job->stem, "%.*s", length, name);
    for (int n = 0; n < OPENSIM_FILES; n++) {
        snw_format(job->path[n], sizeof job->path[n], "%s/%s%s", folder, job->stem,
                   opensim_ending[n]);
        check[n] = job->path[n];
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(arguments, "the folder %s cannot be made: %s", folder, strerror(errno));
    int code = cli_check_outputs(arguments, check, OPENSIM_FILES);
    for (int n = 0; n < OPENSIM_FILES && code == CLI_DONE; n++)
        code = cli_check_not_input(arguments, job->path[n], false, (const char *const[]){NULL});
    return code;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static int turn(const opensim_job *job, snw_trial *trial)
{
    snw_error error;
    if (snw_trial_turn_up(trial, SNW_UP_Y, &error) == SNW_OK) return CLI_DONE;
    return cli_fail(job->walk.arguments, "%s: %s (--up AXIS)", job->walk.path, error.message);
}

static int measure(opensim_job *job)
{
    const cli_arguments *arguments = job->walk.arguments;
    snw_gait_options options = snw_gait_options_default();
    snw_kinetics_options forces = snw_kinetics_options_default();
    snw_functional functional;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    double mass = 0;
    if (!cli_number(arguments, "--mass", 5, 300, &mass) ||
        !cli_number(arguments, "--cutoff", 1, 1000, &forces.cutoff))
        return CLI_USAGE;
    job->cutoff = forces.cutoff;
    int code = cli_walk_judge(&job->walk);
    if (code == CLI_DONE) code = turn(job, job->walk.trial);
    if (code == CLI_DONE && job->walk.still) code = turn(job, job->walk.still);
    if (code == CLI_DONE) code = cli_walk_functional(&job->walk, &functional);
    if (code == CLI_DONE) code = cli_walk_measures(&job->walk, &options.subject);
    if (code != CLI_DONE) return code;
    options.is_medial_used = true;
    options.hip = SNW_HIP_BY_HARRINGTON;
    options.functional = &functional;
    if (mass > 0) snw_subject_set(&options.subject, "BodyMass", mass, NULL);
    if (snw_gait_model_make(job->walk.trial, job->walk.still, &options, &job->model, &notes,
                            &error) != SNW_OK)
        return cli_walk_fail(&job->walk, &error);
    cli_print_notes(arguments, &notes);
    if (!(job->model.subject.value[SNW_SUBJECT_BODY_MASS][0] > 0))
        cli_note(arguments, "the person's mass is not known: the model has 73 kg (--mass KG)");
    forces.mass = 1; /* which foot is on which plate does not depend on it */
    snw_status status =
        snw_kinetics_measure(job->walk.trial, &job->model, &forces, NULL, &job->kinetics, &error);
    if (status == SNW_OUT_OF_MEMORY) return cli_walk_fail(&job->walk, &error);
    if (status != SNW_OK)
        cli_note(arguments, "%s: no loads and no inverse dynamics", error.message);
    return CLI_DONE;
}

/* ---- markers --------------------------------------------------------------------------------- */

static int write_trial(const opensim_job *job, const char *path, const snw_trial *trial)
{
    snw_write_options options = snw_write_options_default();
    snw_error error;
    options.points = SNW_POINTS_MARKERS;
    options.metres_per_unit = 0.001;
    snw_status status = snw_write_trial_file(path, cli_flag(job->walk.arguments, "--force"), trial,
                                             &options, &error);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(job->walk.arguments, &error);
}

/* ---- forces under the feet ------------------------------------------------------------------- */

/* Below this a centre of pressure is noise, newtons; as the contacts of dynamics. */
#define OPENSIM_LOAD 20.0

/* Force and moment about the lab's origin under each foot: (2 x 6 x samples). */
static void sum_plates(const opensim_job *job, double *sum, int64_t samples, double *height)
{
    const snw_trial *trial = job->walk.trial;
    int per = trial->analog_per_frame;
    for (int n = 0; n < job->kinetics->contact_count; n++) {
        const snw_plate_contact *contact = job->kinetics->contact + n;
        snw_force_plate plate;
        if (!contact->is_whole ||
            snw_force_plate_read(trial, contact->plate, &plate, NULL, NULL) != SNW_OK)
            continue;
        *height = plate.world_from_plate.translation.y;
        for (int64_t s = (int64_t)contact->first * per;
             s < ((int64_t)contact->last + 1) * per && s < samples; s++) {
            snw_wrench wrench =
                snw_force_plate_wrench(&plate, trial, (int)(s / per), (int)(s % per));
            snw_vec3 moment = snw_vec3_add(
                wrench.moment, snw_vec3_cross(plate.world_from_plate.translation, wrench.force));
            const double value[6] = {wrench.force.x, wrench.force.y, wrench.force.z,
                                     moment.x,       moment.y,       moment.z};
            double *foot = sum + contact->side * 6 * samples;
            for (int k = 0; k < 6; k++)
                if (isfinite(value[k])) foot[k * samples + s] += value[k];
        }
    }
}

/* Force, centre of pressure on the floor and free moment about its normal. */
static void floor_numbers(const double *foot, int64_t samples, int64_t s, double height,
                          double out[9])
{
    double f[3] = {foot[s], foot[samples + s], foot[2 * samples + s]};
    double m[3] = {foot[3 * samples + s], foot[4 * samples + s], foot[5 * samples + s]};
    memset(out, 0, 9 * sizeof *out);
    if (!(f[1] > OPENSIM_LOAD)) return;
    double x = (m[2] + height * f[0]) / f[1], z = (height * f[2] - m[0]) / f[1];
    memcpy(out, f, sizeof f);
    out[3] = x;
    out[4] = height;
    out[5] = z;
    out[7] = m[1] - z * f[0] + x * f[2];
}

static int write_forces(const opensim_job *job)
{
    static const char *const name[18] = {
        "ground_force_l_vx", "ground_force_l_vy", "ground_force_l_vz", "ground_force_l_px",
        "ground_force_l_py", "ground_force_l_pz", "ground_torque_l_x", "ground_torque_l_y",
        "ground_torque_l_z", "ground_force_r_vx", "ground_force_r_vy", "ground_force_r_vz",
        "ground_force_r_px", "ground_force_r_py", "ground_force_r_pz", "ground_torque_r_x",
        "ground_torque_r_y", "ground_torque_r_z"};
    const snw_trial *trial = job->walk.trial;
    const cli_arguments *arguments = job->walk.arguments;
    int64_t samples = (int64_t)trial->frame_count * trial->analog_per_frame;
    double rate = trial->rate * trial->analog_per_frame, height = 0;
    snw_table *table = NULL;
    snw_error error;
    double *sum = calloc((size_t)(12 * samples) + 1, sizeof *sum);
    if (!sum) return cli_fail(arguments, "no memory for the forces");
    sum_plates(job, sum, samples, &height);
    snw_butterworth filter = snw_butterworth_make(job->cutoff, rate, 2);
    for (int k = 0; k < 12 && samples > 12; k++)
        snw_filter_zero_lag(&filter, sum + k * samples, (int)samples);
    snw_status status = snw_table_create((int)samples, name, 18, NULL, &table, &error);
    if (status == SNW_OK) status = snw_table_set_rate(table, rate, &error);
    for (int64_t s = 0; s < samples && status == SNW_OK; s++) {
        table->time[s] = snw_trial_time(trial, 0) + (double)s / rate;
        for (int side = 0; side < SNW_SIDES; side++)
            floor_numbers(sum + side * 6 * samples, samples, s, height,
                          table->value + s * 18 + 9 * side);
    }
    free(sum);
    if (status == SNW_OK)
        status = snw_write_table_file(job->path[OPENSIM_FORCES], cli_flag(arguments, "--force"),
                                      table, NULL, &error);
    snw_table_destroy(table);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}

/* ---- set-up files ---------------------------------------------------------------------------- */

static void put_element(const char *name, const char *stem, const char *ending, FILE *out)
{
    fprintf(out, "\t\t<%s>", name);
    cli_put_text(stem, out);
    fprintf(out, "%s</%s>\n", ending, name);
}

static void begin_tool(const char *tool, const opensim_job *job, FILE *out)
{
    fprintf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSimDocument Version=\"40000\">\n\t<%s "
        "name=\"",
        tool);
    cli_put_text(job->stem, out);
    fputs("\">\n", out);
}

static void end_tool(const char *tool, FILE *out)
{
    fprintf(out, "\t</%s>\n</OpenSimDocument>\n", tool);
}

static void put_range(const char *name, const snw_trial *trial, FILE *out)
{
    fprintf(out, "\t\t<%s>%.9g %.9g</%s>\n", name, snw_trial_time(trial, 0),
            snw_trial_time(trial, trial->frame_count - 1), name);
}

/* Which markers of the trial the model carries: those of the gait model, as cli_write_osim. */
static void put_tasks(const opensim_job *job, FILE *out)
{
    for (int m = 0; m < SNW_GAIT_MARKER_COUNT; m++)
        for (int side = 0; side < SNW_SIDES; side++) {
            int at = job->model.markers.at[m][side];
            bool is_device = m == SNW_GAIT_MARKER_KAX || m == SNW_GAIT_MARKER_KD1 ||
                             m == SNW_GAIT_MARKER_KD2; /* of the static alone */
            if (at < 0 || is_device) continue;
            fputs("\t\t\t\t<IKMarkerTask name=\"", out);
            cli_put_text(job->walk.trial->marker[at].name, out);
            fputs("\"><apply>true</apply><weight>1</weight></IKMarkerTask>\n", out);
        }
}

static bool draw_loads(FILE *out, const void *context)
{
    const opensim_job *job = context;
    begin_tool("ExternalLoads", job, out);
    fputs("\t\t<objects>\n", out);
    for (int side = 0; side < SNW_SIDES; side++) {
        char letter = "lr"[side];
        fprintf(out,
                "\t\t\t<ExternalForce name=\"%s_foot\">\n\t\t\t\t<applied_to_body>calcn_%c"
                "</applied_to_body>\n\t\t\t\t<force_expressed_in_body>ground"
                "</force_expressed_in_body>\n\t\t\t\t<point_expressed_in_body>ground"
                "</point_expressed_in_body>\n\t\t\t\t<force_identifier>ground_force_%c_v"
                "</force_identifier>\n\t\t\t\t<point_identifier>ground_force_%c_p"
                "</point_identifier>\n\t\t\t\t<torque_identifier>ground_torque_%c_"
                "</torque_identifier>\n\t\t\t</ExternalForce>\n",
                cli_side_name[side], letter, letter, letter, letter);
    }
    fputs("\t\t</objects>\n", out);
    put_element("datafile", job->stem, opensim_ending[OPENSIM_FORCES], out);
    end_tool("ExternalLoads", out);
    return true;
}

static bool draw_scale(FILE *out, const void *context)
{
    const opensim_job *job = context;
    const snw_trial *trial = job->walk.still ? job->walk.still : job->walk.trial;
    double mass = job->model.subject.value[SNW_SUBJECT_BODY_MASS][0];
    begin_tool("ScaleTool", job, out);
    fprintf(out, "\t\t<mass>%.6g</mass>\n\t\t<GenericModelMaker>\n", mass > 0 ? mass : -1);
    put_element("model_file", job->stem, opensim_ending[OPENSIM_MODEL], out);
    fputs("\t\t</GenericModelMaker>\n\t\t<ModelScaler><apply>false</apply></ModelScaler>\n"
          "\t\t<MarkerPlacer>\n\t\t<apply>true</apply>\n\t\t<IKTaskSet>\n\t\t\t<objects>\n",
          out);
    put_tasks(job, out);
    fputs("\t\t\t</objects>\n\t\t</IKTaskSet>\n", out);
    put_element("marker_file", job->stem,
                opensim_ending[job->walk.still ? OPENSIM_STATIC : OPENSIM_MARKERS], out);
    put_range("time_range", trial, out);
    put_element("output_model_file", job->stem, "-placed.osim", out);
    fputs("\t\t</MarkerPlacer>\n", out);
    end_tool("ScaleTool", out);
    return true;
}

static bool draw_ik(FILE *out, const void *context)
{
    const opensim_job *job = context;
    begin_tool("InverseKinematicsTool", job, out);
    put_element("model_file", job->stem, opensim_ending[OPENSIM_MODEL], out);
    fputs("\t\t<IKTaskSet>\n\t\t\t<objects>\n", out);
    put_tasks(job, out);
    fputs("\t\t\t</objects>\n\t\t</IKTaskSet>\n", out);
    put_element("marker_file", job->stem, opensim_ending[OPENSIM_MARKERS], out);
    put_range("time_range", job->walk.trial, out);
    put_element("output_motion_file", job->stem, "-ik.mot", out);
    end_tool("InverseKinematicsTool", out);
    return true;
}

static bool draw_id(FILE *out, const void *context)
{
    const opensim_job *job = context;
    begin_tool("InverseDynamicsTool", job, out);
    put_element("model_file", job->stem, opensim_ending[OPENSIM_MODEL], out);
    put_range("time_range", job->walk.trial, out);
    put_element("external_loads_file", job->stem, opensim_ending[OPENSIM_LOADS], out);
    put_element("coordinates_file", job->stem, "-ik.mot", out);
    fprintf(out,
            "\t\t<lowpass_cutoff_frequency_for_coordinates>%g"
            "</lowpass_cutoff_frequency_for_coordinates>\n",
            job->cutoff);
    put_element("output_gen_force_file", job->stem, "-id.sto", out);
    end_tool("InverseDynamicsTool", out);
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

static int write_all(const opensim_job *job)
{
    const cli_arguments *arguments = job->walk.arguments;
    int code =
        cli_write_osim(arguments, job->path[OPENSIM_MODEL], job->walk.trial, &job->model, false);
    if (code == CLI_DONE) code = write_trial(job, job->path[OPENSIM_MARKERS], job->walk.trial);
    if (code == CLI_DONE && job->walk.still)
        code = write_trial(job, job->path[OPENSIM_STATIC], job->walk.still);
    if (code == CLI_DONE)
        code = cli_write_whole(arguments, job->path[OPENSIM_SCALE], draw_scale, job);
    if (code == CLI_DONE) code = cli_write_whole(arguments, job->path[OPENSIM_IK], draw_ik, job);
    if (code != CLI_DONE || !job->kinetics) return code;
    code = write_forces(job);
    if (code == CLI_DONE)
        code = cli_write_whole(arguments, job->path[OPENSIM_LOADS], draw_loads, job);
    if (code == CLI_DONE) code = cli_write_whole(arguments, job->path[OPENSIM_ID], draw_id, job);
    return code;
}

static void tell_files(const opensim_job *job)
{
    for (int n = 0; n < job->kinetics->contact_count; n++) {
        const snw_plate_contact *contact = job->kinetics->contact + n;
        if (contact->is_whole)
            printf("%s foot on plate %d from %.2f to %.2f s\n", cli_side_name[contact->side],
                   contact->plate + 1, snw_trial_time(job->walk.trial, contact->first),
                   snw_trial_time(job->walk.trial, contact->last));
        else
            printf("plate %d from %.2f to %.2f s is not used: %s\n", contact->plate + 1,
                   snw_trial_time(job->walk.trial, contact->first),
                   snw_trial_time(job->walk.trial, contact->last), contact->why);
    }
}

static int run_opensim(const cli_arguments *arguments)
{
    static const char *const outputs[] = {NULL};
    static opensim_job job; /* its judgements: 26 kB */
    memset(&job, 0, sizeof job);
    job.walk.arguments = arguments;
    int code = name_files(&job);
    if (code != CLI_DONE) return code;
    code = cli_walk_read(&job.walk, arguments, outputs, cli_read_capture);
    if (code == CLI_DONE) code = measure(&job);
    if (code == CLI_DONE) code = write_all(&job);
    if (code == CLI_DONE && job.kinetics) tell_files(&job);
    snw_kinetics_destroy(job.kinetics);
    cli_walk_release(&job.walk);
    return code;
}

static const cli_option opensim_options[] = {
    {"--output", "-o", "FOLDER", "where the files go; made when it is not there"},
    CLI_STATIC_OPTION,
    CLI_MEASURES_OPTION,
    CLI_FUNCTIONAL_OPTION,
    {"--mass", NULL, "KG", "of the person (default: the file's BodyMass)"},
    {"--cutoff", NULL, "HZ", "low pass over forces and, in the set-up, coordinates (default 15)"},
    CLI_LENIENT_OPTION,
    CLI_UP_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_opensim_command = {
    "opensim",
    "a capture as OpenSim's tools want it: markers, forces, model, set-ups",
    "IN -o FOLDER",
    "Of walk.c3d: walk.osim, the person's model with its markers; walk.trc, markers alone;\n"
    "walk-forces.mot, force, centre of pressure and free moment under each foot; walk-loads.xml,\n"
    "which foot it acts on; walk-scale.xml, walk-ik.xml and walk-id.xml set up OpenSim's tools.\n"
    "y is up, times are the capture's own in all of them. Plates that carry no foot alone and\n"
    "whole are left out and told. Run: opensim-cmd run-tool walk-ik.xml, then walk-id.xml.\n\n"
    "examples:\n"
    "  sinew opensim steps.c3d -o steps/ --mass 72\n"
    "  sinew opensim walk.c3d --static standing.c3d -o walk/",
    opensim_options,
    1,
    1,
    run_opensim,
};

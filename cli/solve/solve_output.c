/* What `sinew solve` leaves behind: the files of --output, the table, the JSON. */
#include <string.h>

#include "output.h"
#include "rig.h"
#include "shape/figure.h"
#include "solve/limits.h"
#include "solve/solve.h"
#include "text.h"

/* ---- the file ------------------------------------------------------------------------------- */

int cli_solve_check_outputs(const cli_arguments *arguments)
{
    static const char *const options[] = {"--output", "--save-actor", "--report", "--svg", NULL};
    int code = cli_check_output_options(arguments, options);
    if (code != CLI_DONE) return code;
    const char *path = cli_value(arguments, "--output", NULL);
    snw_format_kind kind = path ? snw_format_from_name(path) : SNW_FORMAT_BVH;
    if (snw_format_writes_motion(kind) || snw_format_writes_trial(kind)) return CLI_DONE;
    return cli_misuse(arguments, "%s: the output must end in .bvh, .glb, .mot, .c3d, .trc or .csv",
                      path);
}

const char *cli_solve_path(const cli_arguments *arguments, const solve_job *job, const char *option,
                           char buffer[SOLVE_PATH_SIZE])
{
    const char *path = cli_value(arguments, option, NULL);
    if (!path || job->number < 2) return path;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = dot && dot != path && dot[-1] != '/' ? (int)(dot - path) : (int)strlen(path);
    snw_format(buffer, SOLVE_PATH_SIZE, "%.*s-%d%s", stem, path, job->number, path + stem);
    return buffer;
}

static const char *const solve_outputs[] = {"--output", "--save-actor", "--report", "--svg"};
enum {
    SOLVE_OUTPUTS = sizeof solve_outputs / sizeof *solve_outputs
};

int cli_solve_check_more(const cli_arguments *arguments, const solve_bodies *bodies)
{
    const char *out = cli_value(arguments, "--output", NULL);
    bool is_view = out && !snw_format_writes_motion(snw_format_from_name(out));
    for (int b = 1; b < bodies->count; b++) {
        char buffer[SOLVE_OUTPUTS][SOLVE_PATH_SIZE];
        const char *path[SOLVE_OUTPUTS];
        for (int n = 0; n < SOLVE_OUTPUTS; n++)
            path[n] = n == 0 && is_view
                          ? NULL
                          : cli_solve_path(arguments, bodies->job + b, solve_outputs[n], buffer[n]);
        int code = cli_check_outputs(arguments, path, SOLVE_OUTPUTS);
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

/* One capture with the joints of all bodies. */
static int write_view(const cli_arguments *arguments, const solve_bodies *bodies, const char *path)
{
    snw_trial *view = NULL;
    snw_error error;
    int code = CLI_DONE;
    for (int b = 0; b < bodies->count; b++) {
        const solve_job *job = bodies->job + b;
        snw_trial *before = view;
        snw_sample_state made = job->times.is_live ? SNW_SAMPLE_PREDICTED : SNW_SAMPLE_FILLED;
        snw_status status =
            snw_actor_trial(&(snw_actor_motion){job->body->actor, job->body->motion, made},
                            before ? before : job->solution->trial, NULL, &view, &error);
        snw_trial_destroy(before);
        if (status != SNW_OK)
            return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    }
    snw_write_options options = snw_write_options_default();
    options.points = SNW_POINTS_POSITIONS; /* the joints are asked for */
    if (snw_write_trial_file(path, cli_flag(arguments, "--force"), view, &options, &error) !=
        SNW_OK)
        code = cli_fail_writing(arguments, &error);
    else
        cli_note_losses(arguments, view, options.points, path);
    snw_trial_destroy(view);
    return code;
}

/* How far the rig was lifted onto the floor: its root against the solved one. */
static double lift_of(const snw_motion *solved, const snw_motion *rigged, snw_vec3 up)
{
    if (solved == rigged || solved->frame_count == 0) return 0;
    snw_xform from = snw_xform_mul(solved->root[0], solved->skeleton->rest[0]);
    snw_xform to = snw_xform_mul(rigged->root[0], rigged->skeleton->rest[0]);
    return to.translation.y - snw_vec3_dot(from.translation, up);
}

/* The markers as they go with the motion: at its rate, lifted with it. */
static snw_status take_markers(const snw_trial *trial, double rate, snw_vec3 lift, snw_trial **out,
                               snw_error *error)
{
    snw_status status = rate > 0 ? snw_trial_resample(trial, rate, NULL, out, error)
                                 : snw_trial_copy(trial, NULL, out, error);
    for (int f = 0; status == SNW_OK && f < (*out)->frame_count; f++)
        for (int m = 0; m < (*out)->marker_count; m++)
            if (snw_trial_is_present(*out, f, m))
                snw_trial_set(*out, f, m, snw_vec3_add(snw_trial_position(*out, f, m), lift),
                              (snw_sample_state)(*out)
                                  ->state[(size_t)f * (size_t)(*out)->marker_count + (size_t)m]);
    return status;
}

/* The person's surface on the rig's skeleton. */
static int make_skin(const cli_arguments *arguments, const solve_job *job, const char *path,
                     const snw_motion *motion, snw_skin **skin)
{
    return cli_holds_skin(path)
               ? cli_make_skin(arguments, cli_capture_of_one(job->solution), motion->skeleton, skin)
               : cli_misuse(arguments, "--skin is for GLB and VRM, not for %s", path);
}

static int write_rigged(const cli_arguments *arguments, const solve_job *job,
                        const snw_motion *solved, double rate)
{
    char buffer[SOLVE_PATH_SIZE];
    const char *path = cli_solve_path(arguments, job, "--output", buffer);
    snw_write_options options = snw_write_options_default();
    snw_error error;
    cli_rigged rigged = {.actor = job->body->actor};
    snw_trial *markers = NULL;
    snw_skin *skin = NULL;
    snw_up_axis up = job->solution->trial->up;
    bool overwrite = cli_flag(arguments, "--force");
    bool has_markers = cli_flag(arguments, "--with-markers");
    int code = cli_rig(arguments, path, solved, up, true, &rigged);
    options.up = rigged.up;
    if (code == CLI_DONE && has_markers && snw_format_from_name(path) != SNW_FORMAT_GLB)
        code = cli_misuse(arguments, "--with-markers is for GLB, not for %s", path);
    if (code == CLI_DONE && has_markers) {
        snw_vec3 upward = snw_up_direction(up != SNW_UP_UNKNOWN ? up : SNW_UP_Y);
        double lift = cli_flag(arguments, "--floor") ? lift_of(solved, rigged.motion, upward) : 0;
        if (take_markers(job->solution->trial, rate, snw_vec3_scale(upward, lift), &markers,
                         &error) != SNW_OK)
            code = cli_fail(arguments, "%s", error.message);
        options.markers = markers;
    }
    if (code == CLI_DONE && cli_flag(arguments, "--skin"))
        code = make_skin(arguments, job, path, rigged.motion, &skin);
    options.skin = skin;
    if (code == CLI_DONE &&
        snw_write_motion_file(path, overwrite, rigged.motion, &options, &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    snw_skin_destroy(skin);
    snw_trial_destroy(markers);
    cli_rig_release(&rigged);
    return code;
}

static int write_motion(const cli_arguments *arguments, const solve_job *job)
{
    const snw_motion *solved = job->body->motion;
    double rate = 0;
    if (!cli_number(arguments, "--rate", 1e-3, 1e6, &rate)) return CLI_FAILED;
    if (!(rate > 0)) return write_rigged(arguments, job, solved, 0);
    snw_motion *part = NULL;
    snw_error error;
    if (snw_motion_resample(solved, rate, NULL, &part, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    int code = write_rigged(arguments, job, part, rate);
    snw_motion_destroy(part);
    return code;
}

int cli_solve_write(const cli_arguments *arguments, const solve_bodies *bodies)
{
    const char *path = cli_value(arguments, "--output", NULL);
    if (!path) return CLI_DONE;
    if (!snw_format_writes_motion(snw_format_from_name(path)))
        return write_view(arguments, bodies, path);
    int code = CLI_DONE;
    for (int b = 0; b < bodies->count && code == CLI_DONE; b++)
        code = write_motion(arguments, bodies->job + b);
    return code;
}

/* ---- what was found ------------------------------------------------------------------------- */

/* One word first, and why; of which body, where there are several. */
static void print_verdict(const snw_judgements *found, int body)
{
    int count = 0;
    while (count < found->count && found->item[count].verdict != SNW_VERDICT_GREEN)
        count++;
    printf("%s: ", snw_verdict_name(found->verdict));
    if (body > 0 && count > 0) printf("body %d: ", body);
    cli_print_text(stdout, count ? found->item[0].sentence : "nothing speaks against it", 0);
    if (count > 1) printf("; %d more reason%s (--report tells)", count - 1, cli_s(count - 1));
    printf("\n");
}

static void json_judgements(cli_json *json, const solve_job *job)
{
    const snw_judgements *found = job->body->judgements;
    cli_json_array(json, "judgements");
    for (int n = 0; n < found->count; n++) {
        const snw_judgement *item = found->item + n;
        cli_json_object(json, NULL);
        cli_json_string(json, "code", snw_judgement_name(item->code));
        cli_json_string(json, "verdict", snw_verdict_name(item->verdict));
        if (item->joint >= 0)
            cli_json_string(json, "joint", job->body->actor->skeleton->name[item->joint]);
        if (item->marker >= 0)
            cli_json_string(json, "marker", job->solution->trial->marker[item->marker].name);
        if (item->frame >= 0)
            cli_json_integer(json, "frame",
                             (int64_t)job->solution->trial->first_frame + item->frame);
        if (item->frame_count > 0) cli_json_integer(json, "frames", item->frame_count);
        cli_json_number(json, "number", item->number);
        cli_json_string(json, "sentence", item->sentence);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

/* Frames without a pose of their own and markers that slipped, unless the first line told. */
static void print_lost_and_slipped(const solve_job *job)
{
    int lost = job->body->report.lost_count;
    const snw_judgements *found = job->body->judgements;
    if (lost && job->times.is_live)
        printf("%d frame%s %s too little: the pose there is the last one\n", lost, cli_s(lost),
               lost == 1 ? "shows" : "show");
    for (int n = 0; n < found->count && !job->times.is_live; n++) {
        const snw_judgement *item = found->item + n;
        bool is_told = n == 0 && item->verdict != SNW_VERDICT_GREEN;
        if (is_told ||
            (item->code != SNW_JUDGEMENT_LOST_FRAMES && item->code != SNW_JUDGEMENT_EMPTY_FRAMES &&
             item->code != SNW_JUDGEMENT_SLIPPED_MARKER))
            continue;
        cli_print_text(stdout, item->sentence, 0);
        printf("\n");
    }
}

static void print_body(const solve_job *job)
{
    const snw_skeleton *body = job->body->actor->skeleton;
    print_verdict(job->body->judgements, 0);
    printf("%d frame%s, %d markers on %d segments; markers lie %.2f mm (rms) from the body\n",
           job->body->report.frame_count, cli_s(job->body->report.frame_count),
           job->body->actor->marker_count, snw_actor_segment_count(job->body->actor),
           1000 * job->body->report.residual);
    if (job->body->sight_count)
        printf("pictures: %d points of them, half within %.1f pixels of the body\n",
               job->body->sight_count, job->body->pixels);
    const snw_recognition *told = &job->solution->recognition;
    if (told->is_person && job->number == 1)
        printf("recognised: %s, marker set: %s, %d of %d unnamed markers (confidence %.0f %%)\n",
               told->plan, *told->set ? told->set : "none that is known", told->named_count,
               told->point_count, 100 * told->confidence);
    print_lost_and_slipped(job);
    if (job->body->style_knows) cli_solve_print_style(job);
    if (job->times.is_live) cli_solve_print_live(job);
    if (job->body->smoothing) cli_solve_print_smooth(job);
    printf("\n%-20s %-20s %9s  verdict; limits in degrees\n", "joint", "parent", "bone mm");
    for (int j = 0; j < body->joint_count; j++) {
        cli_print_text(stdout, body->name[j], 21);
        cli_print_text(stdout, j ? body->name[body->parent[j]] : "-", 20);
        char limits[96];
        printf(" %9.1f  %s%s%s\n", 1000 * body->bone_length[j],
               j ? job->body->actor->estimate[j].verdict : "root", j ? "; " : "",
               j ? cli_limits_text(body->joint + j, limits, sizeof limits) : "");
    }
    if (job->truth.match_count) cli_truth_print(&job->truth, body);
}

void cli_solve_print(const cli_arguments *arguments, const solve_bodies *bodies)
{
    if (bodies->count == 1) {
        print_body(bodies->job);
        return;
    }
    const solve_job *gravest = bodies->job + bodies->solution->gravest;
    print_verdict(gravest->body->judgements, gravest->number);
    printf("%d bodies in this capture; --part N solves one of them alone\n", bodies->count);
    for (int b = 0; b < bodies->count; b++) {
        char buffer[SOLVE_PATH_SIZE];
        const char *path = cli_solve_path(arguments, bodies->job + b, "--output", buffer);
        bool is_own = path && snw_format_writes_motion(snw_format_from_name(path));
        printf("\nbody %d of %d", b + 1, bodies->count);
        if (is_own) printf(", in %s", path);
        printf("\n");
        print_body(bodies->job + b);
    }
}

static void json_body(cli_json *json, const solve_job *job)
{
    const snw_skeleton *body = job->body->actor->skeleton;
    json_judgements(json, job);
    cli_json_integer(json, "frames", job->body->report.frame_count);
    cli_json_integer(json, "lost_frames", job->body->report.lost_count);
    cli_json_integer(json, "markers", job->body->actor->marker_count);
    cli_json_number(json, "residual_m",
                    job->body->report.used_count ? job->body->report.residual : NAN);
    cli_json_number(json, "outlier_share", job->body->report.outlier_share);
    if (job->body->sight_count) {
        cli_json_integer(json, "sightings", job->body->sight_count);
        cli_json_number(json, "residual_px", job->body->pixels);
    }
    if (job->body->style_knows) cli_solve_json_style(json, job);
    if (job->times.is_live) cli_solve_json_live(json, job);
    if (job->body->smoothing) cli_solve_json_smooth(json, job);
    cli_json_array(json, "joints");
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint_estimate *estimate = job->body->actor->estimate + j;
        cli_json_object(json, NULL);
        cli_json_string(json, "name", body->name[j]);
        cli_json_integer(json, "parent", body->parent[j]);
        cli_json_number(json, "bone_length_m", body->bone_length[j]);
        cli_json_string(json, "type", snw_joint_type_name(estimate->type));
        cli_json_number(json, "range_rad", estimate->range);
        if (j) cli_limits_json(json, body->joint + j);
        cli_json_number(json, "residual_m", estimate->residual);
        cli_json_number(json, "uncertainty_m", estimate->uncertainty);
        cli_json_boolean(json, "uncertain", estimate->is_uncertain);
        if (estimate->is_from_proportions) cli_json_boolean(json, "from_proportions", true);
        if (j && estimate->alternative >= 0)
            cli_json_string(json, "alternative", body->name[estimate->alternative]);
        cli_json_string(json, "verdict", estimate->verdict);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
    cli_json_notes(json, job->notes);
    if (job->truth.match_count) cli_truth_json(json, &job->truth, body);
}

static void json_recognition(cli_json *json, const snw_recognition *told)
{
    if (!told->point_count) return;
    cli_json_object(json, "recognised");
    cli_json_boolean(json, "person", told->is_person);
    cli_json_string(json, "plan", told->plan);
    cli_json_string(json, "marker_set", told->set);
    cli_json_number(json, "confidence", told->confidence);
    cli_json_number(json, "stature_m", told->stature);
    cli_json_integer(json, "markers", told->point_count);
    cli_json_integer(json, "named", told->named_count);
    cli_json_integer(json, "computed_points", told->computed_count);
    cli_json_end_object(json);
}

void cli_solve_json(const cli_arguments *arguments, const solve_bodies *bodies)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "verdict", snw_verdict_name(bodies->solution->verdict));
    json_recognition(&json, &bodies->solution->recognition);
    json_body(&json, bodies->job);
    if (bodies->count > 1) cli_json_array(&json, "bodies");
    for (int b = 0; b < bodies->count && bodies->count > 1; b++) {
        char buffer[SOLVE_PATH_SIZE];
        const char *path = cli_solve_path(arguments, bodies->job + b, "--output", buffer);
        if (path && !snw_format_writes_motion(snw_format_from_name(path)))
            path = cli_value(arguments, "--output", NULL);
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "part", b + 1);
        if (path) cli_json_string(&json, "output", path);
        cli_json_string(&json, "verdict",
                        snw_verdict_name(bodies->job[b].body->judgements->verdict));
        json_body(&json, bodies->job + b);
        cli_json_end_object(&json);
    }
    if (bodies->count > 1) cli_json_end_array(&json);
    cli_json_end_object(&json);
}

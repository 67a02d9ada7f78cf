/* What `sinew solve` leaves behind: the file of --output, the table, the JSON. */
#include "output.h"
#include "rig.h"
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

static int write_view(const cli_arguments *arguments, const solve_job *job, const char *path)
{
    snw_trial *view = NULL;
    snw_error error;
    snw_sample_state made = job->times.is_live ? SNW_SAMPLE_PREDICTED : SNW_SAMPLE_FILLED;
    int code = CLI_DONE;
    if (snw_actor_trial(job->actor, job->trial, job->motion, made, NULL, &view, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    if (snw_write_trial_file(path, cli_flag(arguments, "--force"), view, NULL, &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    else
        cli_note_losses(arguments, view, path);
    snw_trial_destroy(view);
    return code;
}

int cli_solve_write(const cli_arguments *arguments, const solve_job *job)
{
    const char *path = cli_value(arguments, "--output", NULL);
    if (!path) return CLI_DONE;
    if (!snw_format_writes_motion(snw_format_from_name(path)))
        return write_view(arguments, job, path);
    snw_write_options options = snw_write_options_default();
    snw_error error;
    cli_rigged rigged;
    bool overwrite = cli_flag(arguments, "--force");
    int code = cli_rig(arguments, path, job->motion, job->trial->up, true, &rigged);
    options.up = rigged.up;
    if (cli_flag(arguments, "--with-markers")) options.markers = job->trial;
    if (code == CLI_DONE && options.markers && snw_format_from_name(path) != SNW_FORMAT_GLB)
        code = cli_misuse(arguments, "--with-markers is for GLB, not for %s", path);
    if (code == CLI_DONE && options.markers && cli_flag(arguments, "--floor"))
        code = cli_misuse(arguments, "--floor moves the body away from its markers");
    if (code == CLI_DONE &&
        snw_write_motion_file(path, overwrite, rigged.motion, &options, &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    cli_rig_release(&rigged);
    return code;
}

/* ---- what was found ------------------------------------------------------------------------- */

/* One word first, and why. */
static void print_verdict(const snw_judgements *found)
{
    int count = 0;
    while (count < found->count && found->item[count].verdict != SNW_VERDICT_GREEN)
        count++;
    printf("%s: ", snw_verdict_name(found->verdict));
    cli_print_text(stdout, count ? found->item[0].sentence : "nothing speaks against it", 0);
    if (count > 1) printf("; %d more reason%s (--report tells)", count - 1, cli_s(count - 1));
    printf("\n");
}

static void json_judgements(cli_json *json, const solve_job *job)
{
    const snw_judgements *found = &job->judgements;
    cli_json_string(json, "verdict", snw_verdict_name(found->verdict));
    cli_json_array(json, "judgements");
    for (int n = 0; n < found->count; n++) {
        const snw_judgement *item = found->item + n;
        cli_json_object(json, NULL);
        cli_json_string(json, "code", snw_judgement_name(item->code));
        cli_json_string(json, "verdict", snw_verdict_name(item->verdict));
        if (item->joint >= 0)
            cli_json_string(json, "joint", job->actor->skeleton->name[item->joint]);
        if (item->marker >= 0)
            cli_json_string(json, "marker", job->trial->marker[item->marker].name);
        if (item->frame >= 0)
            cli_json_integer(json, "frame", (int64_t)job->trial->first_frame + item->frame);
        if (item->frame_count > 0) cli_json_integer(json, "frames", item->frame_count);
        cli_json_number(json, "number", item->number);
        cli_json_string(json, "sentence", item->sentence);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

void cli_solve_print(const solve_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    print_verdict(&job->judgements);
    printf("%d frame%s, %d markers on %d limbs; markers lie %.2f mm (rms) from the body\n",
           job->report.frame_count, cli_s(job->report.frame_count), job->actor->marker_count,
           body->joint_count, 1000 * job->report.residual);
    int lost = job->report.lost_count;
    if (lost)
        printf("%d frame%s %s too little: the pose there is %s\n", lost, cli_s(lost),
               lost == 1 ? "shows" : "show",
               job->times.is_live ? "the last one" : "made up from the neighbours");
    if (job->times.is_live) cli_solve_print_live(job);
    printf("\n%-20s %-20s %9s  verdict; limits in degrees\n", "joint", "parent", "bone mm");
    for (int j = 0; j < body->joint_count; j++) {
        cli_print_text(stdout, body->name[j], 21);
        cli_print_text(stdout, j ? body->name[body->parent[j]] : "-", 20);
        char limits[96];
        printf(" %9.1f  %s%s%s\n", 1000 * body->bone_length[j],
               j ? job->actor->estimate[j].verdict : "root", j ? "; " : "",
               j ? cli_limits_text(body->joint + j, limits, sizeof limits) : "");
    }
}

void cli_solve_json(const solve_job *job)
{
    const snw_skeleton *body = job->actor->skeleton;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    json_judgements(&json, job);
    cli_json_integer(&json, "frames", job->report.frame_count);
    cli_json_integer(&json, "lost_frames", job->report.lost_count);
    cli_json_integer(&json, "markers", job->actor->marker_count);
    cli_json_number(&json, "residual_m", job->report.used_count ? job->report.residual : NAN);
    cli_json_number(&json, "outlier_share", job->report.outlier_share);
    if (job->times.is_live) cli_solve_json_live(&json, job);
    cli_json_array(&json, "joints");
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint_estimate *estimate = job->actor->estimate + j;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", body->name[j]);
        cli_json_integer(&json, "parent", body->parent[j]);
        cli_json_number(&json, "bone_length_m", body->bone_length[j]);
        cli_json_string(&json, "type", snw_joint_type_name(estimate->type));
        cli_json_number(&json, "range_rad", estimate->range);
        if (j) cli_limits_json(&json, body->joint + j);
        cli_json_number(&json, "residual_m", estimate->residual);
        cli_json_number(&json, "uncertainty_m", estimate->uncertainty);
        cli_json_boolean(&json, "uncertain", estimate->is_uncertain);
        if (j && estimate->alternative >= 0)
            cli_json_string(&json, "alternative", body->name[estimate->alternative]);
        cli_json_string(&json, "verdict", estimate->verdict);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_notes(&json, &job->notes);
    if (job->truth.match_count) cli_truth_json(&json, &job->truth, body);
    cli_json_end_object(&json);
}

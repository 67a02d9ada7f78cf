/* `sinew bench avatar`: the elbow methods side by side. Trackers are put on every motion; what a
 * method learns (hand-elevation, state-space) it learns from the other motions, never from the one
 * measured. A last row is `auto` after --calibrate on the person's other motions: files whose names
 * agree up to the first "_" are of one person, and so are the built-in motions. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench_act.h"
#include "clock.h"

#define AVATAR_MOTIONS_MAX 64
#define AVATAR_TAUGHT      SNW_AVATAR_METHOD_COUNT /* the row of auto after --calibrate */
#define AVATAR_ROWS        (SNW_AVATAR_METHOD_COUNT + 1)

typedef struct avatar_motion {
    char name[64];
    snw_avatar_capture *capture;
} avatar_motion;

typedef struct avatar_row {
    double mean_cm, late_cm, swivel_deg, jump, microseconds;
    int frames;
} avatar_row;

static snw_status add_motion(const snw_motion *motion, const char *name, avatar_motion *out,
                             snw_error *error)
{
    snw_synth_tracker_options options = snw_synth_tracker_options_default();
    snw_trial *trial = NULL;
    options.has_elbows = true;
    snw_status status = snw_synth_trackers(motion, &options, NULL, &trial, error);
    if (status == SNW_OK)
        status = snw_avatar_capture_from_trial(trial, NULL, &out->capture, NULL, error);
    snw_format(out->name, sizeof out->name, "%s", name);
    snw_trial_destroy(trial);
    return status;
}

static snw_status add_built_in(snw_synth_motion_kind kind, avatar_motion *out, snw_error *error)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    options.motion = kind;
    snw_status status = snw_preset_create("humanoid", NULL, &body, error);
    if (status == SNW_OK) status = snw_synth_motion_create(body, &options, NULL, &motion, error);
    if (status == SNW_OK) status = add_motion(motion, snw_synth_motion_name(kind), out, error);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return status;
}

/* A file whose numbers are not metres: people are 1.2 to 2.2 m tall, and CMU's unit is 1/0.45
 * inches. */
static void scale_motion(snw_motion *motion, double factor, snw_joint_def *defs)
{
    const snw_skeleton *body = motion->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        defs[j] = snw_skeleton_joint_def(body, j);
        defs[j].rest.translation = snw_vec3_scale(defs[j].rest.translation, factor);
        defs[j].tip = snw_vec3_scale(defs[j].tip, factor);
    }
    for (int f = 0; f < motion->frame_count; f++) {
        motion->root[f].translation = snw_vec3_scale(motion->root[f].translation, factor);
        for (int j = 0; j < body->joint_count; j++) {
            snw_vec3 *slide = &motion->slide[(size_t)f * (size_t)body->joint_count + (size_t)j];
            *slide = snw_vec3_scale(*slide, factor);
        }
    }
}

static snw_status add_file(const char *path, avatar_motion *out, snw_error *error)
{
    snw_skeleton *scaled = NULL;
    snw_motion *motion = NULL;
    const char *slash = strrchr(path, '/');
    snw_status status = snw_read_motion_file(path, NULL, NULL, &motion, NULL, error);
    if (status != SNW_OK) return status;
    const snw_skeleton *body = motion->skeleton;
    /* From the root to the farthest tip it is about 1 m in a grown person. */
    double factor = body->size > 0.6 && body->size < 1.6 ? 1
                    : body->size > 10 && body->size < 30 ? 0.056444
                                                         : 1.05 / body->size;
    snw_joint_def *defs = malloc(sizeof *defs * (size_t)body->joint_count);
    if (defs) {
        scale_motion(motion, factor, defs);
        status = snw_skeleton_create(defs, body->joint_count, NULL, &scaled, error);
    } else {
        status = SNW_OUT_OF_MEMORY;
    }
    if (status == SNW_OK) {
        motion->skeleton = scaled;
        status = add_motion(motion, slash ? slash + 1 : path, out, error);
    }
    free(defs);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(scaled);
    return status;
}

static bool is_same_person(const char *a, const char *b)
{
    size_t size = strcspn(a, "_");
    return (!strchr(a, '_') && !strchr(b, '_')) ||
           (size == strcspn(b, "_") && strncmp(a, b, size) == 0);
}

/* All other motions, or those of the same person, one after the other, elbows and all; its arrays
 * are malloc's. */
static bool join_others(const avatar_motion *motions, int count, int left_out, bool is_own,
                        snw_avatar_capture *joined)
{
    int frames = 0;
    bool is_taken[AVATAR_MOTIONS_MAX];
    for (int n = 0; n < count; n++) {
        is_taken[n] =
            n != left_out && (!is_own || is_same_person(motions[n].name, motions[left_out].name));
        if (is_taken[n]) frames += motions[n].capture->frame_count;
    }
    *joined = *motions[left_out].capture;
    joined->frame = malloc(sizeof *joined->frame * (size_t)(frames ? frames : 1));
    joined->elbow = malloc(sizeof *joined->elbow * 2 * (size_t)(frames ? frames : 1));
    joined->frame_count = frames;
    if (!joined->frame || !joined->elbow) return false;
    int at = 0;
    for (int n = 0; n < count; n++) {
        if (!is_taken[n]) continue;
        const snw_avatar_capture *c = motions[n].capture;
        memcpy(joined->frame + at, c->frame, sizeof *c->frame * (size_t)c->frame_count);
        memcpy(joined->elbow + 2 * at, c->elbow, sizeof *c->elbow * 2 * (size_t)c->frame_count);
        at += c->frame_count;
    }
    return true;
}

static int find_joint(const snw_pose *pose, const char *name)
{
    return snw_skeleton_find_joint(pose->skeleton, name);
}

static snw_status measure(const snw_avatar_capture *capture, const snw_avatar_profile *profile,
                          const snw_avatar_options *options, avatar_row *row, snw_error *error)
{
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    int first = (int)ceil(1.1 * capture->rate), count = 0, turned = 0;
    snw_status status = snw_avatar_create(profile, options, NULL, &avatar, error);
    if (status == SNW_OK) status = snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, error);
    double *errors = malloc(sizeof *errors * 3 * (size_t)capture->frame_count);
    double *times = errors + 2 * (size_t)capture->frame_count;
    if (!errors) status = SNW_OUT_OF_MEMORY;
    for (int f = 0; status == SNW_OK && f < capture->frame_count; f++) {
        snw_avatar_report report;
        double start = cli_microseconds();
        snw_avatar_step(avatar, capture->frame + f, pose, &report);
        times[f] = cli_microseconds() - start;
        for (int side = 0; side < 2 && f >= first; side++) {
            int role = SNW_AVATAR_LEFT_HAND + side;
            snw_vec3 elbow =
                pose->world[find_joint(pose, side ? "right_elbow" : "left_elbow")].translation;
            snw_vec3 shoulder =
                pose->world[find_joint(pose, side ? "right_shoulder" : "left_shoulder")]
                    .translation;
            snw_vec3 wrist =
                pose->world[find_joint(pose, side ? "right_wrist" : "left_wrist")].translation;
            snw_vec3 truth = capture->elbow[2 * f + side], axis = snw_vec3_sub(wrist, shoulder);
            axis = snw_vec3_unit(axis, snw_vec3_make(1, 0, 0));
            snw_vec3 a = snw_vec3_sub(elbow, shoulder), b = snw_vec3_sub(truth, shoulder);
            a = snw_vec3_add_scaled(a, -snw_vec3_dot(a, axis), axis);
            b = snw_vec3_add_scaled(b, -snw_vec3_dot(b, axis), axis);
            errors[count++] = snw_vec3_distance(elbow, truth);
            row->mean_cm += 100 * errors[count - 1];
            if (snw_vec3_length(a) > 0.03 && snw_vec3_length(b) > 0.03) {
                row->swivel_deg += snw_degrees(snw_vec3_angle(a, b));
                turned++;
            }
            double hand =
                snw_vec3_distance(capture->frame[f].world_from_tracker[role].translation,
                                  capture->frame[f - 1].world_from_tracker[role].translation);
            row->jump = fmax(row->jump, report.elbow_jump[side] / fmax(hand, 0.002));
        }
    }
    if (status == SNW_OK && count) {
        row->mean_cm /= count;
        row->late_cm = 100 * cli_quantile(errors, count, 0.95);
        row->swivel_deg /= turned ? turned : 1;
        row->microseconds = cli_quantile(times, capture->frame_count, 0.5);
        row->frames = capture->frame_count;
    }
    free(errors);
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
    return status;
}

/* The profile after --calibrate on the person's other motions, measured; no frames without any. */
static snw_status measure_taught(const avatar_motion *motions, int count, int n,
                                 snw_avatar_profile profile, avatar_row *row, snw_error *error)
{
    const snw_avatar_capture *capture = motions[n].capture;
    snw_avatar_options options = snw_avatar_options_default();
    snw_avatar_capture own;
    snw_status status = join_others(motions, count, n, true, &own) ? SNW_OK : SNW_OUT_OF_MEMORY;
    options.up = capture->up;
    if (status == SNW_OK && own.frame_count) {
        status = snw_avatar_learn(&profile, &own, NULL, error);
        if (status == SNW_OK) status = measure(capture, &profile, &options, row, error);
    }
    free(own.frame);
    free(own.elbow);
    return status;
}

/* One motion by every method. */
static snw_status measure_motion(const avatar_motion *motions, int count, int n,
                                 avatar_row rows[AVATAR_ROWS], snw_error *error)
{
    const snw_avatar_capture *capture = motions[n].capture;
    snw_avatar_capture others;
    snw_avatar_profile profile, taught;
    snw_state_space *space = NULL;
    memset(rows, 0, sizeof *rows * AVATAR_ROWS);
    snw_status status = snw_avatar_calibrate(capture, NULL, &profile, NULL, error);
    bool is_joined = join_others(motions, count, n, false, &others);
    if (status == SNW_OK && !is_joined) status = SNW_OUT_OF_MEMORY;
    if (status == SNW_OK) status = snw_state_space_create(&profile, &others, NULL, &space, error);
    if (status == SNW_OK)
        status = measure_taught(motions, count, n, profile, &rows[AVATAR_TAUGHT], error);
    taught = profile;
    if (status == SNW_OK && others.frame_count) {
        status = snw_avatar_learn(&taught, &others, NULL, error);
        /* Other people's bones are not this one's: of what they teach, only the line is kept. */
        profile.elevation[0] = taught.elevation[0];
        profile.elevation[1] = taught.elevation[1];
    }
    for (int m = 0; m < SNW_AVATAR_METHOD_COUNT && status == SNW_OK; m++) {
        snw_avatar_options options = snw_avatar_options_default();
        options.method = (snw_avatar_method)m;
        options.up = capture->up;
        options.state_space = space;
        status = measure(capture, &profile, &options, &rows[m], error);
    }
    snw_state_space_destroy(space);
    free(others.frame);
    free(others.elbow);
    return status;
}

static void print_row(cli_json *json, const char *motion, int method, const avatar_row *row)
{
    const char *name = method == AVATAR_TAUGHT ? "auto, taught"
                                               : snw_avatar_method_name((snw_avatar_method)method);
    if (row->frames == 0) return;
    if (!json) {
        printf("%-16s %-15s %10.2f %10.2f %10.1f %8.1f %10.2f\n", motion, name, row->mean_cm,
               row->late_cm, row->swivel_deg, row->jump, row->microseconds);
        return;
    }
    cli_json_object(json, NULL);
    cli_json_string(json, "motion", motion);
    cli_json_string(json, "method", name);
    cli_json_number(json, "elbow_mean_cm", row->mean_cm);
    cli_json_number(json, "elbow_95_cm", row->late_cm);
    cli_json_number(json, "swivel_deg", row->swivel_deg);
    cli_json_number(json, "largest_step_ratio", row->jump);
    cli_json_number(json, "microseconds", row->microseconds);
    cli_json_end_object(json);
}

/* Into a sum whose `frames` counts rows; of jumps the largest. */
static void add_row(avatar_row *sum, const avatar_row *row)
{
    sum->mean_cm += row->mean_cm;
    sum->late_cm += row->late_cm;
    sum->swivel_deg += row->swivel_deg;
    sum->jump = fmax(sum->jump, row->jump);
    sum->microseconds += row->microseconds;
    sum->frames++;
}

static snw_status run_all(const avatar_motion *motions, int count, cli_json *json, snw_error *error)
{
    avatar_row rows[AVATAR_ROWS], mean[AVATAR_ROWS];
    memset(mean, 0, sizeof mean);
    if (!json)
        printf("%-16s %-15s %10s %10s %10s %8s %10s\n", "motion", "method", "elbow cm", "95 % cm",
               "swivel deg", "jump", "us a frame");
    for (int n = 0; n < count; n++) {
        snw_status status = measure_motion(motions, count, n, rows, error);
        if (status != SNW_OK) return status;
        for (int m = 0; m < AVATAR_ROWS; m++) {
            print_row(json, motions[n].name, m, &rows[m]);
            if (rows[m].frames) add_row(&mean[m], &rows[m]);
        }
    }
    for (int m = 0; m < AVATAR_ROWS; m++) {
        avatar_row *row = &mean[m];
        double share = row->frames ? 1.0 / row->frames : 0;
        row->mean_cm *= share;
        row->late_cm *= share;
        row->swivel_deg *= share;
        row->microseconds *= share;
        print_row(json, "mean", m, row);
    }
    if (!json)
        printf("jump: largest elbow step over hand step (at least 2 mm). The prior of auto was "
               "fitted on six\nmotions of the CMU database (scripts/fit_swivel_prior): of those "
               "it has seen the elbows.\n");
    return SNW_OK;
}

int bench_avatar(const cli_arguments *arguments)
{
    static const snw_synth_motion_kind kinds[] = {SNW_SYNTH_WALK, SNW_SYNTH_DANCE, SNW_SYNTH_BOXING,
                                                  SNW_SYNTH_REACH};
    avatar_motion motions[AVATAR_MOTIONS_MAX];
    memset(motions, 0, sizeof motions);
    int files = arguments->operand_count - 1, count = files ? files : 4;
    snw_error error = snw_error_none();
    snw_status status = SNW_OK;
    if (count > AVATAR_MOTIONS_MAX)
        return cli_misuse(arguments, "more than %d motions", AVATAR_MOTIONS_MAX);
    for (int n = 0; n < count && status == SNW_OK; n++)
        status = files ? add_file(arguments->operand[n + 1], &motions[n], &error)
                       : add_built_in(kinds[n], &motions[n], &error);
    cli_json json = cli_json_begin(stdout);
    bool is_json = cli_flag(arguments, "--json");
    if (is_json && status == SNW_OK) cli_json_array(&json, NULL);
    if (status == SNW_OK) status = run_all(motions, count, is_json ? &json : NULL, &error);
    if (is_json && status == SNW_OK) cli_json_end_array(&json);
    for (int n = 0; n < count; n++)
        snw_avatar_capture_destroy(motions[n].capture);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s", error.message);
}

#include "solve/truth.h"

#include <stdlib.h>

#include "input.h"
#include "text.h"

/* Sums over frames of one true joint against all solved ones. */
typedef struct truth_sums {
    double *whole;  /* (joint_count) squared metres */
    double *across; /* (joint_count) */
} truth_sums;

static void add_frame(const cli_solution *solution, const snw_pose *pose, snw_vec3 place,
                      truth_sums *sums)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        snw_vec3 d = snw_vec3_sub(pose->world[j].translation, place);
        double whole = snw_vec3_dot(d, d), along = 0;
        if (solution->actor->estimate[j].type == SNW_JOINT_HINGE)
            along = snw_vec3_dot(
                d, snw_quat_rotate(pose->world[j].rotation, solution->actor->estimate[j].axis));
        sums->whole[j] += whole;
        sums->across[j] += fmax(whole - along * along, 0);
    }
}

static cli_truth_match match_one(const cli_solution *solution, const snw_trial *truth, int marker,
                                 snw_pose *pose, truth_sums *sums)
{
    cli_truth_match match = {truth->marker[marker].name, -1, 0, 0, false};
    int joints = pose->skeleton->joint_count, count = 0, frames = truth->frame_count;
    if (solution->motion->frame_count < frames) frames = solution->motion->frame_count;
    for (int j = 0; j < joints; j++)
        sums->whole[j] = sums->across[j] = 0;
    for (int k = 0; k < frames; k++) {
        if (!snw_trial_is_present(truth, k, marker)) continue;
        snw_motion_get(solution->motion, k, pose);
        snw_pose_forward(pose);
        add_frame(solution, pose, snw_trial_position(truth, k, marker), sums);
        count++;
    }
    /* The root's place is a convention, no joint that was found. */
    for (int j = 1; count && j < joints; j++)
        if (match.joint < 0 || sums->whole[j] < sums->whole[match.joint]) match.joint = j;
    if (match.joint >= 0) {
        match.rms = sqrt(sums->whole[match.joint] / count);
        match.across = sqrt(sums->across[match.joint] / count);
    }
    return match;
}

static int by_distance(const void *a, const void *b)
{
    const cli_truth_match *left = a, *right = b;
    if (left->is_mutual != right->is_mutual) return left->is_mutual ? -1 : 1;
    return left->rms < right->rms ? -1 : left->rms > right->rms;
}

/* A true joint inside a segment (a clavicle without markers of its own) has no solved joint: it
 * must not spoil the figure of those that have. */
static void find_mutual(cli_truth *truth)
{
    for (int n = 0; n < truth->match_count; n++) {
        cli_truth_match *match = truth->match + n;
        match->is_mutual = true;
        for (int i = 0; i < truth->match_count; i++)
            if (truth->match[i].joint == match->joint && truth->match[i].rms < match->rms)
                match->is_mutual = false;
        truth->mutual_count += match->is_mutual;
    }
    qsort(truth->match, (size_t)truth->match_count, sizeof *truth->match, by_distance);
}

static int match_all(const cli_arguments *arguments, const cli_solution *solution, cli_truth *truth)
{
    size_t joints = (size_t)solution->actor->skeleton->joint_count;
    double *values = calloc(2 * joints, sizeof *values);
    snw_pose *pose = NULL;
    int status = CLI_DONE;
    truth->match = malloc(((size_t)truth->trial->marker_count + 1) * sizeof *truth->match);
    if (!truth->match || !values ||
        snw_pose_create(solution->actor->skeleton, NULL, &pose, NULL) != SNW_OK) {
        status = cli_fail(arguments, "no memory to compare with the truth");
    } else {
        truth_sums sums = {values, values + joints};
        for (int m = 0; m < truth->trial->marker_count; m++) {
            cli_truth_match match = match_one(solution, truth->trial, m, pose, &sums);
            if (match.joint >= 0) truth->match[truth->match_count++] = match;
        }
        find_mutual(truth);
    }
    snw_pose_destroy(pose);
    free(values);
    return status;
}

int cli_truth_measure(const cli_arguments *arguments, const char *path,
                      const cli_solution *solution, cli_truth *truth)
{
    truth->match_count = truth->mutual_count = 0;
    truth->match = NULL;
    truth->trial = cli_read_trial(arguments, path, NULL);
    if (!truth->trial) return CLI_FAILED;
    int status = match_all(arguments, solution, truth);
    if (status == CLI_DONE && truth->match_count == 0)
        status = cli_fail(arguments, "%s: it shows no joint in the frames of the capture", path);
    return status;
}

void cli_truth_release(cli_truth *truth)
{
    free(truth->match);
    snw_trial_destroy(truth->trial);
}

void cli_truth_print(const cli_truth *truth, const snw_skeleton *solved)
{
    int mutual = truth->mutual_count;
    printf("\n%-20s %-20s %9s %10s\n", "true joint", "solved joint", "rms mm", "across mm");
    for (int n = 0; n < mutual; n++) {
        cli_print_text(stdout, truth->match[n].name, 21);
        cli_print_text(stdout, solved->name[truth->match[n].joint], 20);
        printf(" %9.1f %10.1f\n", 1000 * truth->match[n].rms, 1000 * truth->match[n].across);
    }
    printf(
        "joints lie %.1f mm (median) from the truth, the worst %.1f mm; across: without the part "
        "along a\nhinge's axis, where the motion cannot tell the place\n",
        1000 * truth->match[mutual / 2].rms, 1000 * truth->match[mutual - 1].rms);
    if (mutual < truth->match_count) printf("without a solved joint of their own:");
    for (int n = mutual; n < truth->match_count; n++) {
        fputs(n == mutual ? " " : ", ", stdout);
        cli_print_text(stdout, truth->match[n].name, 0);
    }
    if (mutual < truth->match_count) printf("\n");
}

void cli_truth_json(cli_json *json, const cli_truth *truth, const snw_skeleton *solved)
{
    cli_json_array(json, "truth");
    for (int n = 0; n < truth->match_count; n++) {
        cli_json_object(json, NULL);
        cli_json_string(json, "name", truth->match[n].name);
        cli_json_string(json, "nearest", solved->name[truth->match[n].joint]);
        cli_json_boolean(json, "mutual", truth->match[n].is_mutual);
        cli_json_number(json, "rms_m", truth->match[n].rms);
        cli_json_number(json, "across_m", truth->match[n].across);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

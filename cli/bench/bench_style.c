/* Styles on motions of people they were not learned from: a few joints of a captured pose are
 * given, the others are to be found. Against no prior, the rest pose, one Gaussian and the nearest
 * learned pose; centimetres of the joints that were not given.
 *
 * A file's person is what its name has before the first '_' or '.': all files of a person are left
 * out when it is tested. Where the body stands is given; every solve begins at rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"
#include "input.h"

#define STYLE_FILES_MAX 64
#define STYLE_GOALS_MAX 6
/* Poses tested of each person, evenly over all files, and poses that the nearest is looked for in.
 */
#define STYLE_TESTS   200
#define STYLE_LEARNED 1000

enum {
    STYLE_NONE,
    STYLE_REST,
    STYLE_GAUSSIAN,
    STYLE_NEAREST,
    STYLE_MIXTURE,
    STYLE_WAYS
};

static const char *const style_ways[STYLE_WAYS] = {"no prior", "rest pose", "one Gaussian",
                                                   "nearest pose", "style"};

/* Names in the rigs of CMU, Mixamo and the ready-made humanoid. */
static const char *const style_effectors[STYLE_GOALS_MAX][4] = {
    {"LeftHand", "left_wrist", "LeftWrist", NULL},
    {"RightHand", "right_wrist", "RightWrist", NULL},
    {"Head", "head", NULL, NULL},
    {"LeftFoot", "left_ankle", "LeftAnkle", NULL},
    {"RightFoot", "right_ankle", "RightAnkle", NULL},
    {"Neck1", "neck", "Neck", NULL}};

typedef struct style_file {
    const char *path;
    char person[64];
    cli_content content;
} style_file;

/* One way to find poses, on one body. */
typedef struct style_way {
    snw_ik *ik;
    snw_style *style;                           /* or NULL */
    double sum, likelihood;                     /* of errors, nats */
    double time[STYLE_TESTS * STYLE_FILES_MAX]; /* (poses) microseconds */
    int64_t joints, poses, reached;
} style_way;

typedef struct style_bench {
    style_file file[STYLE_FILES_MAX];
    int file_count;
    int goal_count;
    style_way way[STYLE_WAYS]; /* of the person being tested */
    /* By given joints, person and way: error, microseconds, likelihood, reached. */
    double result[STYLE_GOALS_MAX + 1][STYLE_FILES_MAX][STYLE_WAYS][4];
    const char *person[STYLE_FILES_MAX];
    int persons;
} style_bench;

static void person_of(const char *path, char person[64])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snw_format(person, 64, "%.*s", (int)strcspn(name, "_."), name);
}

static int find_effector(const snw_skeleton *body, int which)
{
    for (int n = 0; n < 4 && style_effectors[which][n]; n++) {
        int joint = snw_skeleton_find_joint(body, style_effectors[which][n]);
        if (joint >= 0) return joint;
    }
    return -1;
}

/* Learns from everybody but `person`. */
static snw_status learn_others(const style_bench *bench, const char *person, int components,
                               snw_style **out, snw_error *error)
{
    const snw_motion *motions[STYLE_FILES_MAX];
    snw_style_options options = snw_style_options_default();
    int count = 0;
    for (int f = 0; f < bench->file_count; f++)
        if (strcmp(bench->file[f].person, person) != 0)
            motions[count++] = bench->file[f].content.motion;
    if (components > 0) options.component_count = components;
    return snw_style_learn(motions, count, &options, NULL, out, error);
}

static int put_goals(const style_bench *bench, const snw_pose *truth, snw_goal *goals)
{
    int count = 0;
    for (int k = 0; k < bench->goal_count; k++) {
        int joint = find_effector(truth->skeleton, k);
        if (joint < 0) continue;
        goals[count++] =
            snw_goal_position(joint, snw_vec3_make(0, 0, 0), truth->world[joint].translation);
    }
    return count;
}

/* The learned pose whose given joints are nearest, put onto the body. */
static void put_nearest(const style_bench *bench, const char *person, const snw_goal *goals,
                        int count, snw_pose *pose, snw_pose *work)
{
    double least = INFINITY;
    int frames = 0;
    for (int f = 0; f < bench->file_count; f++)
        frames += strcmp(bench->file[f].person, person) != 0
                      ? bench->file[f].content.motion->frame_count
                      : 0;
    int stride = frames / STYLE_LEARNED + 1;
    work->root = pose->root;
    for (int f = 0; f < bench->file_count; f++) {
        const snw_motion *motion = bench->file[f].content.motion;
        if (strcmp(bench->file[f].person, person) == 0) continue;
        for (int n = 0; n < motion->frame_count; n += stride) {
            double sum = 0;
            size_t first = (size_t)n * (size_t)motion->skeleton->joint_count;
            memcpy(work->rotation, motion->rotation + first,
                   (size_t)motion->skeleton->joint_count * sizeof *work->rotation);
            snw_pose_forward(work);
            for (int g = 0; g < count; g++)
                sum +=
                    snw_vec3_distance(work->world[goals[g].joint].translation, goals[g].position);
            if (!(sum < least)) continue;
            least = sum;
            memcpy(pose->rotation, work->rotation,
                   (size_t)motion->skeleton->joint_count * sizeof *pose->rotation);
        }
    }
    snw_pose_forward(pose);
}

/* Joints above or at no goal count too: the prior must know them. The root does not. */
static void add_error(const snw_pose *truth, const snw_pose *pose, const snw_goal *goals, int count,
                      style_way *way)
{
    for (int j = 1; j < truth->skeleton->joint_count; j++) {
        bool is_given = truth->skeleton->bone_length[j] == 0;
        for (int g = 0; g < count; g++)
            is_given |= goals[g].joint == j;
        /* Hands and feet beyond the last given joint hang on it and tell of it alone. */
        if (is_given) continue;
        way->sum += snw_vec3_distance(truth->world[j].translation, pose->world[j].translation);
        way->joints++;
    }
    way->poses++;
}

static void test_pose(const style_bench *bench, const char *person, const snw_pose *truth,
                      snw_pose *pose, snw_pose *work, style_way *ways)
{
    snw_goal goals[STYLE_GOALS_MAX + 1];
    int count = put_goals(bench, truth, goals);
    for (int w = 0; w < STYLE_WAYS; w++) {
        snw_pose_reset(pose);
        pose->root = truth->root;
        snw_pose_forward(pose);
        if (w == STYLE_NEAREST) put_nearest(bench, person, goals, count, pose, work);
        goals[count] = snw_goal_rest(-1);
        double before = cli_microseconds();
        snw_ik_result result = snw_ik_solve(ways[w].ik, goals, pose);
        ways[w].time[ways[w].poses] = cli_microseconds() - before;
        ways[w].reached += result.outcome == SNW_IK_REACHED;
        add_error(truth, pose, goals, count, &ways[w]);
        const snw_style *style = ways[STYLE_MIXTURE].style;
        double features[1024];
        int joint_of[1024];
        if (style->feature_count > 1024 || style->joint_count > 1024) continue;
        (void)snw_style_match(style, pose->skeleton, joint_of);
        memset(features, 0, sizeof features);
        snw_style_features(style, joint_of, pose, features);
        ways[w].likelihood += snw_style_log_likelihood(style, features);
    }
}

/* Learns for a person what the ways need. */
static snw_status learn_ways(style_bench *bench, const char *person, snw_error *error)
{
    memset(bench->way, 0, sizeof bench->way);
    snw_status status = learn_others(bench, person, 1, &bench->way[STYLE_GAUSSIAN].style, error);
    if (status == SNW_OK)
        status = learn_others(bench, person, 0, &bench->way[STYLE_MIXTURE].style, error);
    return status;
}

static snw_status make_solves(style_bench *bench, const snw_pose *pose, snw_error *error)
{
    snw_goal goals[STYLE_GOALS_MAX + 1];
    snw_status status = SNW_OK;
    int count = put_goals(bench, pose, goals);
    goals[count] = snw_goal_rest(-1);
    for (int w = 0; w < STYLE_WAYS && status == SNW_OK; w++) {
        snw_ik_options options = snw_ik_options_default();
        options.solver = SNW_IK_LM;
        options.style = bench->way[w].style;
        status = snw_ik_create(&(snw_ik_problem){pose->skeleton, goals, count + (w == STYLE_REST)},
                               &options, NULL, &bench->way[w].ik, error);
    }
    return status;
}

static snw_status test_file(style_bench *bench, const style_file *file, snw_error *error)
{
    const snw_motion *motion = file->content.motion;
    snw_pose *pose[3] = {NULL, NULL, NULL};
    snw_status status = SNW_OK;
    for (int k = 0; k < 3 && status == SNW_OK; k++)
        status = snw_pose_create(motion->skeleton, NULL, &pose[k], error);
    if (status == SNW_OK) status = make_solves(bench, pose[0], error);
    int stride = motion->frame_count / STYLE_TESTS + 1;
    for (int f = stride / 2; f < motion->frame_count && status == SNW_OK; f += stride) {
        snw_motion_get(motion, f, pose[0]);
        snw_pose_forward(pose[0]);
        test_pose(bench, file->person, pose[0], pose[1], pose[2], bench->way);
    }
    for (int w = 0; w < STYLE_WAYS; w++) {
        snw_ik_destroy(bench->way[w].ik);
        bench->way[w].ik = NULL;
    }
    for (int k = 0; k < 3; k++)
        snw_pose_destroy(pose[k]);
    return status;
}

static bool is_first_of_person(const style_bench *bench, int file)
{
    for (int f = 0; f < file; f++)
        if (strcmp(bench->file[f].person, bench->file[file].person) == 0) return false;
    return true;
}

/* All files of one person under `goal_count` given joints. */
static snw_status test_given(style_bench *bench, int first, int goal_count, snw_error *error)
{
    const char *person = bench->file[first].person;
    snw_status status = SNW_OK;
    bench->goal_count = goal_count;
    for (int w = 0; w < STYLE_WAYS; w++) {
        snw_style *style = bench->way[w].style;
        memset(&bench->way[w], 0, sizeof bench->way[w]);
        bench->way[w].style = style;
    }
    for (int f = first; f < bench->file_count && status == SNW_OK; f++)
        if (strcmp(bench->file[f].person, person) == 0)
            status = test_file(bench, &bench->file[f], error);
    for (int w = 0; w < STYLE_WAYS && status == SNW_OK; w++) {
        style_way *way = &bench->way[w];
        double *result = bench->result[goal_count][bench->persons][w], poses = (double)way->poses;
        result[0] = 100 * way->sum / (double)way->joints;
        result[1] = cli_median(way->time, (int)way->poses);
        result[2] = way->likelihood / poses;
        result[3] = 100 * (double)way->reached / poses;
    }
    return status;
}

static snw_status test_person(style_bench *bench, int first, snw_error *error)
{
    snw_status status = learn_ways(bench, bench->file[first].person, error);
    for (int goals = 3; goals <= STYLE_GOALS_MAX && status == SNW_OK; goals++)
        status = test_given(bench, first, goals, error);
    bench->person[bench->persons++] = bench->file[first].person;
    for (int w = 0; w < STYLE_WAYS; w++)
        snw_style_destroy(bench->way[w].style);
    return status;
}

static double mean_of(const style_bench *bench, int goals, int way, int what)
{
    double sum = 0;
    for (int n = 0; n < bench->persons; n++)
        sum += bench->result[goals][n][way][what];
    return sum / bench->persons;
}

static void print_given(const style_bench *bench, int goals)
{
    static const char *const rows[4] = {"mean cm", "us a solve", "log p", "reached %"};
    printf("%d joints given: cm of the others\n  %-10s", goals, "person");
    for (int w = 0; w < STYLE_WAYS; w++)
        printf(" %12s", style_ways[w]);
    for (int n = 0; n < bench->persons; n++) {
        printf("\n  %-10s", bench->person[n]);
        for (int w = 0; w < STYLE_WAYS; w++)
            printf(" %12.2f", bench->result[goals][n][w][0]);
    }
    for (int k = 0; k < 4; k++) {
        printf("\n  %-10s", rows[k]);
        for (int w = 0; w < STYLE_WAYS; w++)
            printf(" %12.2f", mean_of(bench, goals, w, k));
    }
    printf("\n  the style leaves %.0f %% of the error without prior in %.2f times its time\n\n",
           100 * mean_of(bench, goals, STYLE_MIXTURE, 0) / mean_of(bench, goals, STYLE_NONE, 0),
           mean_of(bench, goals, STYLE_MIXTURE, 1) / mean_of(bench, goals, STYLE_NONE, 1));
}

static int test_all(const cli_arguments *arguments, style_bench *bench)
{
    snw_error error = snw_error_none();
    double with = 0, without = 0;
    for (int f = 0; f < bench->file_count; f++)
        if (is_first_of_person(bench, f) && test_person(bench, f, &error) != SNW_OK)
            return cli_fail(arguments, "%s", error.message);
    for (int goals = 3; goals <= STYLE_GOALS_MAX; goals++) {
        print_given(bench, goals);
        with += mean_of(bench, goals, STYLE_MIXTURE, 0);
        without += mean_of(bench, goals, STYLE_NONE, 0);
    }
    printf("over all: %.0f %% of the error without prior\n", 100 * with / without);
    return CLI_DONE;
}

static int read_files(const cli_arguments *arguments, style_bench *bench)
{
    for (int n = 1; n < arguments->operand_count; n++) {
        style_file *file = &bench->file[bench->file_count];
        file->path = arguments->operand[n];
        person_of(file->path, file->person);
        if (!cli_read_content(arguments, file->path, NULL, &file->content)) return CLI_FAILED;
        bench->file_count++;
        if (!file->content.motion || file->content.motion->frame_count < 2)
            return cli_fail(arguments, "%s holds no motion", file->path);
        if (file->content.motion->skeleton->joint_count !=
            bench->file[0].content.motion->skeleton->joint_count)
            return cli_fail(arguments, "%s has another rig than %s", file->path,
                            bench->file[0].path);
        if (find_effector(file->content.motion->skeleton, 0) < 0)
            return cli_fail(arguments, "%s has no joint called LeftHand or left_wrist", file->path);
    }
    int persons = 0;
    for (int f = 0; f < bench->file_count; f++)
        persons += is_first_of_person(bench, f);
    if (persons < 2)
        return cli_misuse(arguments, "style needs motions of two people or more (02_01.bvh and "
                                     "05_02.bvh are of 02 and 05)");
    return CLI_DONE;
}

int bench_style(const cli_arguments *arguments)
{
    style_bench *bench = calloc(1, sizeof *bench);
    if (!bench) return cli_fail(arguments, "no memory");
    int status = arguments->operand_count - 1 > STYLE_FILES_MAX
                     ? cli_misuse(arguments, "at most %d motions", STYLE_FILES_MAX)
                     : read_files(arguments, bench);
    if (status == CLI_DONE) status = test_all(arguments, bench);
    for (int f = 0; f < bench->file_count; f++)
        cli_release_content(&bench->file[f].content);
    free(bench);
    return status;
}

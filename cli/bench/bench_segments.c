/* `sinew bench segments`: whole segments of captures are hidden for a while and solved without and
 * with a style that was learned from other people or from the other half of the same capture;
 * millimetres at the hidden markers and joints.
 *
 * Every capture is solved once as it is: that gives its actor, the joints' places and, on a rig,
 * the motion that styles learn from. Then arms and legs, one, two or an arm and a leg at a time,
 * are hidden in turn in each half. Markers of the hidden segments are compared with where they were
 * measured, joints with where the whole capture has them. A capture's person is what its labels
 * have before the colon, else its name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_see.h"
#include "input.h"

#define SEGMENTS_FILES_MAX 32
/* Seconds that are seen between two gaps, and before the first. */
#define SEGMENTS_SEEN 0.5
/* Seconds of each half that are looked at. */
#define SEGMENTS_MOST 12.0
/* Of the frames of a gap, one in so many is compared. */
#define SEGMENTS_STRIDE 4
enum {
    SEGMENTS_LENGTHS = 5,
    SEGMENTS_SETS = 6,  /* what is hidden, in turn */
    SEGMENTS_TURNS = 1, /* runs over a capture, each begins with another set */
};
static const double segments_seconds[SEGMENTS_LENGTHS] = {0.2, 0.5, 1, 2, 5};
static const char *const segments_hidden[SEGMENTS_SETS][2] = {
    {"LeftArm", NULL},   {"RightUpLeg", NULL},    {"RightArm", NULL},
    {"LeftUpLeg", NULL}, {"LeftArm", "RightArm"}, {"RightArm", "LeftUpLeg"}};

/* Whom the style was learned from. */
enum {
    SEGMENTS_NOBODY,
    SEGMENTS_OTHERS, /* all captures of other people */
    SEGMENTS_OWN,    /* the other half of the same capture */
    SEGMENTS_WAYS
};
static const char *const segments_ways[SEGMENTS_WAYS] = {"no style", "other people", "own style"};

typedef struct segments_file {
    char name[64];
    char person[64];
    see_solved solved; /* as it is */
    snw_motion *rigged;
    int *source; /* (marker_count of the actor) in the trial */
} segments_file;

typedef struct segments_sum {
    double marker, joint; /* metres */
    int64_t markers, joints;
} segments_sum;

/* Which gaps: how long, and which segments the first one hides. */
typedef struct segments_run {
    double seconds;
    int turn;
} segments_run;

typedef struct segments_bench {
    segments_file file[SEGMENTS_FILES_MAX];
    int count;
    snw_style *style[SEGMENTS_WAYS]; /* for the half that is tested */
    /* By capture, length, live, way. */
    segments_sum sum[SEGMENTS_FILES_MAX][SEGMENTS_LENGTHS][2][SEGMENTS_WAYS];
} segments_bench;

/* ---- captures ------------------------------------------------------------------------------- */

static void person_of(segments_file *file)
{
    const char *label = file->solved.trial->marker[0].name, *colon = strchr(label, ':');
    if (colon)
        snw_format(file->person, sizeof file->person, "%.*s", (int)(colon - label), label);
    else
        snw_format(file->person, sizeof file->person, "%s", file->name);
}

static int read_file(const cli_arguments *arguments, const char *path, segments_bench *bench)
{
    segments_file *file = bench->file + bench->count;
    snw_rig_options options = snw_rig_options_default();
    snw_error error;
    const char *slash = strrchr(path, '/');
    snw_format(file->name, sizeof file->name, "%s", slash ? slash + 1 : path);
    snw_trial *trial = cli_read_trial(arguments, path, NULL);
    if (!trial) return CLI_FAILED;
    bool is_solved = see_solve(trial, NULL, 0, &file->solved);
    snw_trial_destroy(trial);
    if (!is_solved) return cli_fail(arguments, "%s was not solved", path);
    bench->count++;
    person_of(file);
    file->source = malloc((size_t)file->solved.actor->marker_count * sizeof *file->source);
    if (!file->source) return cli_fail(arguments, "no memory");
    for (int m = 0; m < file->solved.actor->marker_count; m++)
        file->source[m] =
            snw_trial_find_marker(file->solved.trial, file->solved.actor->marker[m].name);
    if (file->solved.trial->up != SNW_UP_UNKNOWN)
        options.up = snw_up_direction(file->solved.trial->up);
    if (snw_motion_to_rig(file->solved.motion, &options, NULL, &file->rigged, NULL, &error) !=
        SNW_OK)
        return cli_fail(arguments, "%s: %s", path, error.message);
    return CLI_DONE;
}

/* A half of a motion; it looks at the whole. */
static snw_motion half_of(const snw_motion *motion, int half)
{
    snw_motion part = *motion;
    int middle = motion->frame_count / 2;
    size_t first = half ? (size_t)middle : 0, joints = (size_t)motion->skeleton->joint_count;
    part.frame_count = half ? motion->frame_count - middle : middle;
    part.root += first;
    part.rotation += first * joints;
    part.slide += first * joints;
    return part;
}

/* The styles for a half of a capture: from everybody else, and from its other half. */
static int learn_styles(const cli_arguments *arguments, segments_bench *bench, int test, int half)
{
    const snw_motion *motions[SEGMENTS_FILES_MAX];
    const segments_file *file = bench->file + test;
    snw_motion other = half_of(file->rigged, 1 - half);
    const snw_motion *own[1] = {&other};
    snw_error error = snw_error_none();
    int count = 0;
    for (int n = 0; n < bench->count; n++)
        if (strcmp(bench->file[n].person, file->person) != 0)
            motions[count++] = bench->file[n].rigged;
    if (count == 0) return cli_misuse(arguments, "segments needs captures of two people or more");
    if ((!bench->style[SEGMENTS_OTHERS] &&
         snw_style_learn(motions, count, NULL, NULL, &bench->style[SEGMENTS_OTHERS], &error) !=
             SNW_OK) ||
        snw_style_learn(own, 1, NULL, NULL, &bench->style[SEGMENTS_OWN], &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    return CLI_DONE;
}

/* ---- gaps ----------------------------------------------------------------------------------- */

static bool hangs_on(const snw_skeleton *body, int joint, const char *name)
{
    for (; joint >= 0; joint = body->parent[joint])
        if (strcmp(body->name[joint], name) == 0) return true;
    return false;
}

static bool is_in_set(const snw_skeleton *body, int joint, int set)
{
    for (int k = 0; k < 2 && segments_hidden[set][k]; k++)
        if (hangs_on(body, joint, segments_hidden[set][k])) return true;
    return false;
}

/* Which set a frame hides in a run, -1: none. */
static int set_at(int frame, int run, double seconds, double rate)
{
    int seen = (int)ceil(SEGMENTS_SEEN * rate), hidden = (int)ceil(seconds * rate);
    int gap = frame / (seen + hidden), in = frame % (seen + hidden);
    return in < seen ? -1 : (gap + run) % SEGMENTS_SETS;
}

/* A gap of which both ends are seen. */
static bool is_whole(int frame, double seconds, double rate, int frames)
{
    int both = (int)ceil(SEGMENTS_SEEN * rate) + (int)ceil(seconds * rate);
    return (frame / both + 1) * both < frames;
}

/* The half of the trial that is tested; its first frame in the whole is `first`. */
static snw_trial window_of(const segments_file *file, int half, int *first)
{
    const snw_trial *trial = file->solved.trial;
    int middle = trial->frame_count / 2;
    double most = fmin(ceil(SEGMENTS_MOST * trial->rate), trial->frame_count - middle);
    *first = half ? middle : 0;
    return snw_trial_window(trial, *first, half ? (int)most : (int)fmin(most, middle));
}

static void hide(const segments_file *file, snw_trial *trial, int run, double seconds)
{
    const snw_actor *actor = file->solved.actor;
    for (int f = 0; f < trial->frame_count; f++) {
        int set = set_at(f, run, seconds, trial->rate);
        if (set < 0 || !is_whole(f, seconds, trial->rate, trial->frame_count)) continue;
        for (int m = 0; m < actor->marker_count; m++)
            if (is_in_set(actor->skeleton, actor->marker[m].joint, set))
                snw_trial_set(trial, f, file->source[m], snw_vec3_make(0, 0, 0),
                              SNW_SAMPLE_MISSING);
    }
}

/* ---- errors --------------------------------------------------------------------------------- */

static void add_frame(const segments_file *file, int frame, int set, const snw_pose *pose,
                      segments_sum *sum)
{
    const snw_actor *actor = file->solved.actor;
    for (int m = 0; m < actor->marker_count; m++) {
        const snw_actor_marker *marker = actor->marker + m;
        int source = file->source[m];
        if (!is_in_set(actor->skeleton, marker->joint, set) ||
            !snw_trial_is_present(file->solved.trial, frame, source))
            continue;
        sum->marker += snw_vec3_distance(snw_pose_point(pose, marker->joint, marker->offset),
                                         snw_trial_position(file->solved.trial, frame, source));
        sum->markers++;
    }
    for (int j = 1; j < actor->skeleton->joint_count; j++) {
        /* The first joint of a hidden segment is carried by one that is seen. */
        if (!is_in_set(actor->skeleton, actor->skeleton->parent[j], set)) continue;
        sum->joint +=
            snw_vec3_distance(pose->world[j].translation, see_joint(&file->solved, frame, j));
        sum->joints++;
    }
}

/* The motion is of the window that begins at frame `first`. */
static void add_motion(const segments_file *file, const snw_motion *motion, int first,
                       segments_run run, segments_sum *sum)
{
    snw_pose *pose = NULL;
    if (snw_pose_create(motion->skeleton, NULL, &pose, NULL) != SNW_OK) return;
    for (int f = 0; f < motion->frame_count; f++) {
        int set = set_at(f, run.turn, run.seconds, motion->rate);
        if (f % SEGMENTS_STRIDE || set < 0 ||
            !is_whole(f, run.seconds, motion->rate, motion->frame_count))
            continue;
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        add_frame(file, first + f, set, pose, sum);
    }
    snw_pose_destroy(pose);
}

/* ---- solving -------------------------------------------------------------------------------- */

static snw_motion *track(const segments_file *file, const snw_trial *trial,
                         const snw_tracker_options *options)
{
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    const snw_skeleton *body = file->solved.actor->skeleton;
    if (snw_tracker_create_for_trial(file->solved.actor, trial, options, NULL, &tracker, NULL) ==
            SNW_OK &&
        snw_pose_create(body, NULL, &pose, NULL) == SNW_OK &&
        snw_motion_create(body, trial->frame_count, trial->rate, NULL, &motion, NULL) == SNW_OK)
        for (int f = 0; f < trial->frame_count; f++) {
            snw_frame view = snw_trial_frame(trial, f);
            (void)snw_tracker_step(tracker, &view, pose);
            snw_motion_set(motion, f, pose);
        }
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
    return motion;
}

static int test_run(const cli_arguments *arguments, segments_bench *bench, int test, int half,
                    segments_run run, segments_sum sum[2][SEGMENTS_WAYS])
{
    const segments_file *file = bench->file + test;
    int first = 0;
    snw_trial window = window_of(file, half, &first), *trial = NULL;
    snw_error error;
    if (!is_whole(0, run.seconds, window.rate, window.frame_count)) return CLI_DONE;
    if (snw_trial_copy(&window, NULL, &trial, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    hide(file, trial, run.turn, run.seconds);
    for (int k = 0; k < 2 * SEGMENTS_WAYS; k++) {
        snw_tracker_options options = snw_tracker_options_default();
        snw_motion *motion = NULL;
        options.style = bench->style[k / 2];
        if (k % 2)
            motion = track(file, trial, &options);
        else if (snw_actor_solve(file->solved.actor, trial, &options, NULL, &motion, &error) !=
                 SNW_OK)
            cli_note(arguments, "%s: %s", file->name, error.message);
        if (motion) add_motion(file, motion, first, run, &sum[k % 2][k / 2]);
        snw_motion_destroy(motion);
    }
    snw_trial_destroy(trial);
    return CLI_DONE;
}

static int test_capture(const cli_arguments *arguments, segments_bench *bench, int test)
{
    int status = CLI_DONE;
    for (int half = 0; half < 2 && status == CLI_DONE; half++) {
        status = learn_styles(arguments, bench, test, half);
        for (int k = 0; k < SEGMENTS_LENGTHS * SEGMENTS_TURNS && status == CLI_DONE; k++) {
            int length = k / SEGMENTS_TURNS;
            segments_run run = {segments_seconds[length],
                                k % SEGMENTS_TURNS * SEGMENTS_SETS / SEGMENTS_TURNS};
            status = test_run(arguments, bench, test, half, run, bench->sum[test][length]);
        }
        snw_style_destroy(bench->style[SEGMENTS_OWN]);
        bench->style[SEGMENTS_OWN] = NULL;
    }
    snw_style_destroy(bench->style[SEGMENTS_OTHERS]);
    bench->style[SEGMENTS_OTHERS] = NULL;
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

static double mm_of(const segments_sum *sum, bool is_joint)
{
    double all = is_joint ? sum->joint : sum->marker;
    int64_t count = is_joint ? sum->joints : sum->markers;
    return count > 0 ? 1000 * all / (double)count : NAN;
}

static void print_file(const segments_bench *bench, int test)
{
    printf("%s\n", bench->file[test].name);
    for (int length = 0; length < SEGMENTS_LENGTHS; length++)
        for (int live = 0; live < 2; live++) {
            if (bench->sum[test][length][live][0].markers == 0) continue;
            printf("  %-8s %4.1f s", live ? "live" : "offline", segments_seconds[length]);
            for (int way = 0; way < SEGMENTS_WAYS; way++) {
                const segments_sum *sum = &bench->sum[test][length][live][way];
                printf("  %7.1f %7.1f", mm_of(sum, false), mm_of(sum, true));
            }
            printf("\n");
        }
    (void)fflush(stdout);
}

/* Mean over captures, of those that every way has. */
static double mean_of(const segments_bench *bench, int length, int live, int way, bool is_joint)
{
    double sum = 0;
    int count = 0;
    for (int n = 0; n < bench->count; n++) {
        double mm = mm_of(&bench->sum[n][length][live][way], is_joint);
        bool is_common = true;
        for (int w = 0; w < SEGMENTS_WAYS; w++)
            is_common &= bench->sum[n][length][live][w].markers > 0;
        if (!is_common || isnan(mm)) continue;
        sum += mm;
        count++;
    }
    return count ? sum / count : NAN;
}

static void print_means(const segments_bench *bench)
{
    printf("mean over captures\n");
    for (int live = 0; live < 2; live++)
        for (int length = 0; length < SEGMENTS_LENGTHS; length++) {
            printf("  %-8s %4.1f s", live ? "live" : "offline", segments_seconds[length]);
            for (int way = 0; way < SEGMENTS_WAYS; way++)
                printf("  %7.1f %7.1f", mean_of(bench, length, live, way, false),
                       mean_of(bench, length, live, way, true));
            printf("\n");
        }
    printf("\n");
}

/* Never worse than without; in the body's own style clearly better from a second on. */
static void add_goals(const segments_bench *bench, see_figures *figures)
{
    for (int way = 1; way < SEGMENTS_WAYS; way++)
        for (int live = 0; live < 2; live++)
            for (int length = 0; length < SEGMENTS_LENGTHS; length++) {
                char measure[72];
                double with = mean_of(bench, length, live, way, false);
                double without = mean_of(bench, length, live, SEGMENTS_NOBODY, false);
                bool is_long = way == SEGMENTS_OWN && segments_seconds[length] >= 1;
                snw_format(measure, sizeof measure, "%s, %s, %.1f s: %% of the error without",
                           segments_ways[way], live ? "live" : "offline", segments_seconds[length]);
                see_add(figures, "hidden segments", measure, 100 * with / without,
                        is_long ? 90 : 100, false);
            }
}

static const char *const segments_capture[] = {
    "c3d_body/cmu_02_01_walk.c3d",           "c3d_body/cmu_02_05_punch.c3d",
    "c3d_body/cmu_85_12_breakdance.c3d",     "c3d_body/cmu_basketball_dec_int.c3d",
    "c3d_body/vicon_nick_freeform_gaps.c3d", "c3d_gait/pig_full_walk.c3d"};

/* The captures that are named, or those of the corpus. */
static int read_files(const cli_arguments *arguments, segments_bench *bench)
{
    const char *folder = getenv("SINEW_CORPUS");
    int status = CLI_DONE, count = arguments->operand_count - 1;
    if (count > SEGMENTS_FILES_MAX)
        return cli_misuse(arguments, "at most %d captures", SEGMENTS_FILES_MAX);
    for (int n = 0; n < count && status == CLI_DONE; n++)
        status = read_file(arguments, arguments->operand[n + 1], bench);
    if (count > 0) return status;
    if (!folder || !*folder)
        return cli_misuse(arguments, "segments needs captures: name them, or the corpus by "
                                     "SINEW_CORPUS");
    count = (int)(sizeof segments_capture / sizeof *segments_capture);
    for (int n = 0; n < count && status == CLI_DONE; n++) {
        char path[4096];
        snw_format(path, sizeof path, "%s/%s", folder, segments_capture[n]);
        status = read_file(arguments, path, bench);
    }
    return status;
}

static int test_all(const cli_arguments *arguments, segments_bench *bench, see_figures *figures)
{
    bool is_table = !cli_flag(arguments, "--json");
    int status = CLI_DONE;
    if (is_table) {
        printf("%-18s", "markers, joints mm");
        for (int way = 0; way < SEGMENTS_WAYS; way++)
            printf("  %15s", segments_ways[way]);
        printf("\n");
    }
    for (int test = 0; test < bench->count && status == CLI_DONE; test++) {
        status = test_capture(arguments, bench, test);
        if (status == CLI_DONE && is_table) print_file(bench, test);
    }
    if (status != CLI_DONE) return status;
    if (is_table) print_means(bench);
    add_goals(bench, figures);
    see_print(arguments, figures);
    return CLI_DONE;
}

int bench_segments(const cli_arguments *arguments)
{
    segments_bench *bench = calloc(1, sizeof *bench);
    see_figures *figures = calloc(1, sizeof *figures);
    int status = bench && figures ? read_files(arguments, bench) : cli_fail(arguments, "no memory");
    if (status == CLI_DONE) status = test_all(arguments, bench, figures);
    for (int n = 0; bench && n < bench->count; n++) {
        segments_file *file = bench->file + n;
        free(file->source);
        snw_motion_destroy(file->rigged);
        see_release(&file->solved);
    }
    free(figures);
    free(bench);
    return status;
}

/* Labels that are partly or wholly wrong, on real captures: what they name is never less than what
 * is recognised without any, and their joints are those of the right labels. A body without an arm
 * or a leg is never green. */
#include <string.h>

#include <sinew/sinew.h>

#include "corpus_solve.h"

enum {
    LABELS_FRAMES = 240, /* two seconds and more: steps, a punch, a stroke */
    LABELS_NAME = 64
};

/* Captures that hold markers and nothing that a model computed. */
static const char *const labels_files[] = {
    "c3d_body/cmu_02_01_walk.c3d", "c3d_body/cmu_02_05_punch.c3d",
    "c3d_body/optitrack_tennis_nan.c3d", "c3d_body/vicon_nick_freeform_gaps.c3d"};
#define LABELS_FILES (sizeof labels_files / sizeof *labels_files)

static const char *const great_joints[] = {
    "Head",      "LeftArm",    "RightArm", "LeftForeArm", "RightForeArm", "LeftHand", "RightHand",
    "LeftUpLeg", "RightUpLeg", "LeftLeg",  "RightLeg",    "LeftFoot",     "RightFoot"};
#define GREAT_JOINTS ((int)(sizeof great_joints / sizeof *great_joints))

static snw_trial *read_start(const char *path)
{
    char whole[1024];
    snw_trial *trial = NULL, *start = NULL;
    snw_error error;
    snw_format(whole, sizeof whole, "%s/%s", corpus_folder(), path);
    if (snw_read_trial_file(whole, NULL, NULL, &trial, NULL, &error) != SNW_OK)
        fail_msg("%s: %s", path, error.message);
    snw_trial window = snw_trial_window(trial, 0, LABELS_FRAMES);
    assert_int_equal(snw_trial_copy(&window, NULL, &start, NULL), SNW_OK);
    snw_trial_destroy(trial);
    return start;
}

static snw_solution *solve(const snw_trial *trial)
{
    snw_solution *solution = NULL;
    snw_error error;
    if (snw_solve(trial, NULL, NULL, &solution, &error) != SNW_OK) fail_msg("%s", error.message);
    return solution;
}

static int count_named(const snw_solution *solution)
{
    int count = 0;
    for (int n = 0; n < GREAT_JOINTS; n++)
        count += snw_skeleton_find_joint(solution->body->actor->skeleton, great_joints[n]) >= 0;
    return count;
}

/* ---- wrong labels ------------------------------------------------------------------------------
 */

/* Every marker gets the name of the one that is `by` further on. */
static void shift_labels(snw_trial *trial, int by)
{
    int count = trial->marker_count;
    char(*name)[LABELS_NAME] = malloc((size_t)count * sizeof *name);
    assert_non_null(name);
    for (int m = 0; m < count; m++)
        snw_format(name[m], LABELS_NAME, "%s", trial->marker[(m + by) % count].name);
    for (int m = 0; m < count; m++)
        assert_int_equal(snw_trial_set_marker_name(trial, m, name[m], NULL), SNW_OK);
    free(name);
}

/* Of every five markers the first `share` get a name that says nothing, or none as programs give
 * it.
 */
static void spoil_labels(snw_trial *trial, int share, bool is_none)
{
    for (int m = 0; m < trial->marker_count; m++) {
        char name[16];
        snw_format(name, sizeof name, is_none ? "*%d" : "q%dz", m + 1);
        if ((7 * m) % 5 < share)
            assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
    }
}

/* Labels of the other side's markers, for the whole trial; returns how many. */
static int exchange_sides(snw_trial *trial)
{
    int count = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        char name[LABELS_NAME], bare[LABELS_NAME];
        snw_label label = snw_label_read(trial->marker[m].name);
        snw_format(name, sizeof name, "%s", trial->marker[m].name);
        snw_format(bare, sizeof bare, "%s", name + label.prefix);
        if (label.side == SNW_SIDE_NONE || (bare[0] != 'L' && bare[0] != 'R')) continue;
        name[label.prefix] = bare[0] == 'L' ? 'R' : 'L';
        if (snw_trial_find_marker(trial, name) < m) continue;
        int other = snw_trial_find_marker(trial, name);
        char own[LABELS_NAME];
        snw_format(own, sizeof own, "%s", trial->marker[m].name);
        assert_int_equal(snw_trial_set_marker_name(trial, other, own, NULL), SNW_OK);
        assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
        count += 2;
    }
    return count;
}

static bool is_of_arm(const char *name)
{
    snw_label label = snw_label_read(name);
    return label.part >= SNW_PART_ARM && label.part <= SNW_PART_HAND;
}

/* How far apart two solutions have the same joint, metres: the worst joint, mean over the frames.
 */
static double distance_of(const snw_solution *a, const snw_solution *b)
{
    const snw_solution *both[] = {a, b};
    snw_pose *pose[2] = {NULL, NULL};
    double worst = 0;
    for (int k = 0; k < 2; k++)
        assert_int_equal(snw_pose_create(both[k]->body->motion->skeleton, NULL, pose + k, NULL),
                         SNW_OK);
    for (int n = 0; n < GREAT_JOINTS; n++) {
        int at[2], far = 0, frames = a->body->motion->frame_count;
        double sum = 0;
        for (int k = 0; k < 2; k++)
            at[k] = snw_skeleton_find_joint(pose[k]->skeleton, great_joints[n]);
        if (at[0] < 0 || at[1] < 0) continue;
        for (int f = 0; f < frames; f++) {
            for (int k = 0; k < 2; k++) {
                snw_motion_get(both[k]->body->motion, f, pose[k]);
                snw_pose_forward(pose[k]);
            }
            double off = snw_vec3_distance(pose[0]->world[at[0]].translation,
                                           pose[1]->world[at[1]].translation);
            sum += off;
            far += off > 0.1;
        }
        worst = fmax(worst, 2 * far > frames ? 1 : sum / frames);
    }
    snw_pose_destroy(pose[0]);
    snw_pose_destroy(pose[1]);
    return worst;
}

static void wrong_labels_are_never_worse_than_none(void **state)
{
    static const struct {
        const char *what;
        int shift, spoilt;
        bool of_arms;
    } ways[] = {
        {"a fifth says nothing", 0, 1, false},   {"most say nothing", 0, 4, false},
        {"all say nothing", 0, 5, false},        {"all of the arms say nothing", 0, 0, true},
        {"all are the next one's", 1, 0, false}, {"all are another's", 17, 0, false}};
    (void)state;
    for (size_t f = 0; f < LABELS_FILES; f++) {
        snw_trial *right = read_start(labels_files[f]), *bare = read_start(labels_files[f]);
        spoil_labels(bare, 5, true);
        snw_solution *by_labels = solve(right), *by_none = solve(bare);
        int none = count_named(by_none);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            snw_trial *wrong = read_start(labels_files[f]);
            if (ways[w].shift) shift_labels(wrong, ways[w].shift);
            spoil_labels(wrong, ways[w].spoilt, false);
            for (int m = 0; m < wrong->marker_count && ways[w].of_arms; m++) {
                char name[16];
                snw_format(name, sizeof name, "q%dz", m + 1);
                if (is_of_arm(wrong->marker[m].name))
                    assert_int_equal(snw_trial_set_marker_name(wrong, m, name, NULL), SNW_OK);
            }
            snw_solution *solution = solve(wrong);
            double far = distance_of(by_labels, solution);
            print_message("%s, %s: %d great joints (%d without), worst %.0f mm\n", labels_files[f],
                          ways[w].what, count_named(solution), none, 1000 * far);
            assert_true(count_named(solution) >= none);
            /* Recognised joints lie beside those of labels: the least certain one, in the neck or a
             * shoulder, by less than a hand's breadth. */
            assert_true(far < 0.1);
            snw_solution_destroy(solution);
            snw_trial_destroy(wrong);
        }
        snw_solution_destroy(by_none);
        snw_solution_destroy(by_labels);
        snw_trial_destroy(bare);
        snw_trial_destroy(right);
    }
}

/* Whoever exchanged all of them, or mirrored the capture, gets the body that the markers are on,
 * and is told. */
static void a_whole_set_of_the_other_side_is_put_right(void **state)
{
    (void)state;
    for (size_t f = 0; f < LABELS_FILES; f++) {
        snw_trial *right = read_start(labels_files[f]), *wrong = read_start(labels_files[f]);
        int count = exchange_sides(wrong);
        snw_solution *by_labels = solve(right), *solution = solve(wrong);
        double far = distance_of(by_labels, solution);
        print_message("%s, %d labels: worst %.0f mm, %s\n", labels_files[f], count, 1000 * far,
                      snw_verdict_name(solution->verdict));
        assert_true(count > 20);
        assert_true(far < 0.02);
        assert_true(solution->verdict >= SNW_VERDICT_AMBER);
        snw_solution_destroy(solution);
        snw_solution_destroy(by_labels);
        snw_trial_destroy(wrong);
        snw_trial_destroy(right);
    }
}

/* ---- limbs that are not there ------------------------------------------------------------------
 */

/* Takes the markers of a limb away: those that the right labels put on it. */
static void hide_limb(snw_trial *trial, const snw_solution *whole, const char *first,
                      const char *last)
{
    const snw_solved_body *body = whole->body;
    const snw_skeleton *skeleton = body->actor->skeleton;
    int upper = snw_skeleton_find_joint(skeleton, first);
    int lower = snw_skeleton_find_joint(skeleton, last);
    assert_true(upper >= 0 && lower >= 0);
    for (int m = 0; m < trial->marker_count; m++) {
        int joint = body->residuals->marker[m].joint;
        if (joint != upper && joint != lower && (joint < 0 || skeleton->parent[joint] != lower))
            continue;
        for (int f = 0; f < trial->frame_count; f++)
            snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
}

static void a_missing_limb_is_never_green(void **state)
{
    static const char *const limbs[][2] = {
        {"LeftForeArm", "LeftHand"}, {"RightLeg", "RightFoot"}, {"RightArm", "RightForeArm"}};
    (void)state;
    for (size_t f = 0; f < LABELS_FILES; f++) {
        snw_trial *trial = read_start(labels_files[f]);
        snw_solution *whole = solve(trial);
        for (size_t n = 0; n < sizeof limbs / sizeof *limbs; n++) {
            snw_trial *less = read_start(labels_files[f]);
            hide_limb(less, whole, limbs[n][0], limbs[n][1]);
            snw_solution *solution = solve(less);
            print_message("%s without %s: %s\n", labels_files[f], limbs[n][0],
                          snw_verdict_name(solution->verdict));
            assert_true(solution->verdict >= SNW_VERDICT_AMBER);
            snw_solution_destroy(solution);
            snw_trial_destroy(less);
        }
        snw_solution_destroy(whole);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_labels_are_never_worse_than_none),
        cmocka_unit_test(a_whole_set_of_the_other_side_is_put_right),
        cmocka_unit_test(a_missing_limb_is_never_green),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

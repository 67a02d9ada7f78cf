/* Real captures of many laboratories: their labels give the segments of a person, and the tree is a
 * person's. Needs the corpus that SINEW_CORPUS names. */
#include "corpus_solve.h"

#define LEGS  "Hips LeftUpLeg LeftLeg LeftFoot RightUpLeg RightLeg RightFoot "
#define ARMS  "LeftArm LeftForeArm RightArm RightForeArm "
#define HANDS "LeftHand RightHand "
#define BODY_OF_JOINTS                                                                    \
    "Hips LeftUpLeg LeftLeg RightUpLeg RightLeg Chest Head LeftArm LeftForeArm LeftHand " \
    "RightArm RightForeArm RightHand "
#define FINGERS                                                                             \
    "LeftHandThumb LeftHandIndex LeftHandMiddle LeftHandRing LeftHandPinky RightHandThumb " \
    "RightHandIndex RightHandMiddle RightHandRing RightHandPinky"
#define SHOULDERS "LeftShoulder RightShoulder "

typedef struct names_row {
    const char *path;
    const char *segments; /* exactly these, in any order */
    int left_out;         /* markers on no segment, at most: computed, never seen, not understood */
    double residual;      /* metres rms of the solved motion, at most */
} names_row;

/* The residuals are what was measured and half of it more. */
static const names_row names_rows[] = {
    {"c3d_body/cmu_02_01_walk.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.00564},
    {"c3d_body/cmu_85_12_breakdance.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.016},
    {"c3d_body/optitrack_tennis_nan.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.014},
    {"c3d_body/vicon_nick_freeform_gaps.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 1, 0.0146},
    {"c3d_body/labelled_prone_to_run.c3d", LEGS ARMS HANDS "Chest Head", 0, 0.0125},
    {"c3d_body/qualisys_rolling_gaps.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 2, 0.0216},
    {"c3d_functional/biobuddy_right_hip.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.015},
    {"c3d_functional/biobuddy_right_knee.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.00216},
    {"c3d_producers/cortex_walk_events.c3d", LEGS ARMS "Chest Head", 24, 0.00948},
    {"c3d_producers/vicon_nexus_CGM24_walk.c3d", LEGS, 143, 0.00744},
    {"c3d_producers/codamotion_1997.c3d", LEGS, 0, 0.009},
    {"c3d_producers/qualisys_walk_events.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.00576},
    {"c3d_producers/xsens_Basketball.c3d", LEGS ARMS HANDS SHOULDERS "Chest Head", 1, 0.00756},
    {"c3d_producers/art_hands.c3d", BODY_OF_JOINTS SHOULDERS FINGERS, 0, 0.0039},
    {"c3d_variants/Eb015pi.c3d", LEGS, 0, 0.00564},
    {"c3d_odd/MACsample.c3d", LEGS ARMS "Chest", 8, 0.007},
    {"trc/subject01_walk1.trc", LEGS ARMS "Chest Head", 0, 0.00576},
    {"trc/btk_Gait.trc", LEGS ARMS SHOULDERS "Chest", 0, 0.006},
    /* A drop jump with arms thrown up: the clavicles do not follow the shoulders' markers. */
    {"trc/opencap_DJ5_unfiltered.trc", LEGS ARMS SHOULDERS "Chest", 4, 0.0165},
    {"csv/tennis_serve.csv", LEGS ARMS HANDS SHOULDERS "Chest Head", 0, 0.0144},
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static int word_count(const char *words)
{
    int count = 0;
    for (const char *at = words; *at; at += strspn(at, " ")) {
        at += strcspn(at, " ");
        count++;
    }
    return count;
}

static void check_segments(const names_row *row, const snw_segments *segments)
{
    int left_out = 0;
    for (int l = 0; l < segments->segment_count; l++)
        if (!has_word(row->segments, segments->segment[l].name))
            fail_msg("%s: what is %s?", row->path, segments->segment[l].name);
    assert_int_equal(segments->segment_count, word_count(row->segments));
    for (int m = 0; m < segments->marker_count; m++)
        left_out += segments->segment_of[m] < 0;
    if (left_out > row->left_out) fail_msg("%s: %d markers left out", row->path, left_out);
}

static void check_hangs(const snw_skeleton *body, const char *segment, const char *from)
{
    int joint = snw_skeleton_find_joint(body, segment);
    if (joint >= 0) assert_string_equal(body->name[body->parent[joint]], from);
}

/* Shanks hang from thighs, hands from forearms, everything in the end from the hips. */
static void check_tree(const names_row *row, const snw_skeleton *body)
{
    static const char *const parents[][2] = {
        {"LeftUpLeg", "Hips"},
        {"LeftLeg", "LeftUpLeg"},
        {"LeftFoot", "LeftLeg"},
        {"RightUpLeg", "Hips"},
        {"RightLeg", "RightUpLeg"},
        {"RightFoot", "RightLeg"},
        {"Spine", "Hips"},
        {"Neck", "Chest"},
        {"LeftForeArm", "LeftArm"},
        {"LeftHand", "LeftForeArm"},
        {"RightForeArm", "RightArm"},
        {"RightHand", "RightForeArm"},
    };
    bool has_spine = snw_skeleton_find_joint(body, "Spine") >= 0;
    bool has_neck = snw_skeleton_find_joint(body, "Neck") >= 0;
    assert_int_equal(body->joint_count, word_count(row->segments) + has_spine + has_neck);
    assert_string_equal(body->name[0], "Hips");
    check_hangs(body, "Chest", has_spine ? "Spine" : "Hips");
    check_hangs(body, "Head", has_neck ? "Neck" : "Chest");
    for (size_t n = 0; n < sizeof parents / sizeof *parents; n++)
        check_hangs(body, parents[n][0], parents[n][1]);
}

static void labels_of_many_laboratories_give_a_person(void **state)
{
    (void)state;
    const char *corpus = corpus_folder();
    for (size_t n = 0; n < sizeof names_rows / sizeof *names_rows; n++) {
        const names_row *row = names_rows + n;
        corpus_solved s = corpus_solve(corpus, row->path);
        check_segments(row, s.segments);
        check_tree(row, s.actor->skeleton);
        check_near(s.report.residual, 0, row->residual);
        corpus_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_many_laboratories_give_a_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

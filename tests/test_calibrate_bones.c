/* Bodies by the names of their bones: the trees of common skeletons, and names that do not tell. */
#include <string.h>

#include "calibrate/bone_parents.h"
#include "check.h"
#include "label/bone_name.h"

/* "child<parent" each; the root stands alone. Order does not matter to the answer. */
typedef struct bone_body {
    const char *what;
    const char *segment[32];
} bone_body;

static const bone_body bone_bodies[] = {
    {"CMU motions as BVH, collars that never move left out",
     {"Hips",
      "LowerBack<Hips",
      "Spine<LowerBack",
      "Spine1<Spine",
      "Neck<Spine1",
      "Neck1<Neck",
      "Head<Neck1",
      "LeftArm<Spine1",
      "LeftForeArm<LeftArm",
      "LeftFingerBase<LeftForeArm",
      "LThumb<LeftForeArm",
      "RightArm<Spine1",
      "RightForeArm<RightArm",
      "RightHand<RightForeArm",
      "RightHandIndex1<RightHand",
      "RThumb<RightHand",
      "LHipJoint<Hips",
      "LeftUpLeg<LHipJoint",
      "LeftLeg<LeftUpLeg",
      "LeftFoot<LeftLeg",
      "LeftToeBase<LeftFoot",
      "RightUpLeg<Hips",
      "RightLeg<RightUpLeg",
      "RightFoot<RightLeg",
      "RightToeBase<RightFoot"}},
    {"game engines",
     {"Head<Neck", "Neck<UpperChest", "UpperChest<Spine", "Spine<Hips", "Hips",
      "LeftShoulder<UpperChest", "LeftUpperArm<LeftShoulder", "LeftLowerArm<LeftUpperArm",
      "LeftHand<LeftLowerArm", "LeftHandThumb1<LeftHand", "LeftHandThumb2<LeftHandThumb1",
      "LeftHandRing1<LeftHand", "RightUpperLeg<Hips", "RightLowerLeg<RightUpperLeg",
      "RightFoot<RightLowerLeg", "RightToes<RightFoot"}},
    {"segments named after the joints where they begin",
     {"pelvis", "spine<pelvis", "chest<spine", "neck<chest", "head<neck", "left_clavicle<chest",
      "left_shoulder<left_clavicle", "left_elbow<left_shoulder", "left_forearm<left_elbow",
      "left_wrist<left_forearm", "right_hip<pelvis", "right_knee<right_hip",
      "right_ankle<right_knee", "right_toes<right_ankle"}},
    {"sides behind, and sides of one letter",
     {"pelvis", "thigh_l<pelvis", "calf_l<thigh_l", "foot_l<calf_l", "R_Thigh<pelvis",
      "R_Shank<R_Thigh", "R_Foot<R_Shank"}},
    {"two actors",
     {"Ann:Hips", "Joe:Hips", "Ann:LeftUpLeg<Ann:Hips", "Joe:LeftUpLeg<Joe:Hips",
      "Joe:LeftLeg<Joe:LeftUpLeg", "Ann:Head<Ann:Hips"}},
    {"the upper half of a body",
     {"Chest", "Head<Chest", "LeftArm<Chest", "LeftForeArm<LeftArm", "RightArm<Chest"}},
};

static snw_segments *make_segments(const char *const *segment, int count)
{
    char name[32][SNW_LABEL_SIZE];
    const char *names[32];
    int segment_of[32];
    snw_segments *segments = NULL;
    snw_error error;
    for (int l = 0; l < count; l++) {
        snw_format(name[l], sizeof name[l], "%.*s", (int)strcspn(segment[l], "<"), segment[l]);
        names[l] = name[l];
        segment_of[l] = l;
    }
    assert_int_equal(snw_segments_create(segment_of, count, names, NULL, &segments, &error),
                     SNW_OK);
    return segments;
}

static const bool nothing_is_still[32];

static int count_segments(const char *const *segment)
{
    int count = 0;
    while (count < 32 && segment[count])
        count++;
    return count;
}

static void common_skeletons_are_known_by_their_names(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bone_bodies / sizeof *bone_bodies; n++) {
        const bone_body *body = bone_bodies + n;
        int count = count_segments(body->segment), parent[32];
        snw_segments *segments = make_segments(body->segment, count);
        assert_true(snw__bone_parents(segments, nothing_is_still, parent));
        for (int l = 0; l < count; l++) {
            const char *wanted = strchr(body->segment[l], '<');
            if (wanted)
                assert_true(parent[l] >= 0);
            else
                assert_int_equal(parent[l], -1);
            if (wanted) assert_string_equal(segments->segment[parent[l]].name, wanted + 1);
        }
        snw_segments_destroy(segments);
    }
}

/* Then the motion decides. */
static void names_that_do_not_tell_are_not_used(void **state)
{
    static const bone_body bodies[] = {
        {"a name that says nothing", {"Hips", "LeftLeg", "segment3"}},
        {"two of one place", {"Hips", "LeftLeg", "LeftShank"}},
        {"nothing that carries", {"LeftLeg", "LeftFoot"}},
        {"one of two actors is not known", {"Ann:Hips", "Ann:Head", "Joe:Hips", "Joe:box"}},
        {"a side on the trunk", {"Hips", "LeftHead"}},
        {"a leg without a side", {"Hips", "Foot"}},
    };
    (void)state;
    for (size_t n = 0; n < sizeof bodies / sizeof *bodies; n++) {
        int count = count_segments(bodies[n].segment), parent[32];
        snw_segments *segments = make_segments(bodies[n].segment, count);
        assert_false(snw__bone_parents(segments, nothing_is_still, parent));
        snw_segments_destroy(segments);
    }
}

/* A segment that never moves is an object where it is no bone, or doubles one that moves. */
static void what_stands_still_is_no_bone(void **state)
{
    static const struct {
        const char *segment[5];
        int parent[4]; /* of the segments; the first one stands still */
    } rows[] = {
        {{"Root", "Hips", "Head", "LeftLeg", NULL}, {SNW_TREE_FREE, SNW_TREE_ROOT, 1, 1}},
        {{"table", "Hips", "Head", "LeftLeg", NULL}, {SNW_TREE_FREE, SNW_TREE_ROOT, 1, 1}},
        {{"LeftFoot", "Hips", "Head", "LeftLeg", NULL}, {3, SNW_TREE_ROOT, 1, 1}},
    };
    static const bool is_still[4] = {true, false, false, false};
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        int parent[4];
        snw_segments *segments = make_segments(rows[n].segment, 4);
        assert_true(snw__bone_parents(segments, is_still, parent));
        for (int l = 0; l < 4; l++)
            assert_int_equal(parent[l], rows[n].parent[l]);
        snw_segments_destroy(segments);
    }
}

/* Whatever the names, parents that are given make trees: no segment is its own ancestor. */
static void any_names_give_trees(void **state)
{
    static const char *const words[] = {"Hips",    "Spine", "Spine2",  "Neck",   "Head",
                                        "LeftArm", "LHand", "RHand",   "Foot_R", "LThumb",
                                        "LToe1",   "LToe2", "LForeArm"};
    int word_count = (int)(sizeof words / sizeof *words), known = 0;
    snw_random random = snw_random_seed(5, 1);
    (void)state;
    for (int round = 0; round < CHECK_SAMPLES(2000); round++) {
        const char *segment[6];
        int parent[6];
        for (int l = 0; l < 6; l++)
            segment[l] = words[snw_random_below(&random, (uint32_t)word_count)];
        snw_segments *segments = make_segments(segment, 6);
        bool is_known = snw__bone_parents(segments, nothing_is_still, parent);
        known += is_known;
        for (int l = 0; is_known && l < 6; l++) {
            int steps = 0;
            for (int at = l; at >= 0; at = parent[at])
                assert_true(steps++ < 6);
        }
        snw_segments_destroy(segments);
    }
    assert_true(known > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_skeletons_are_known_by_their_names),
        cmocka_unit_test(names_that_do_not_tell_are_not_used),
        cmocka_unit_test(what_stands_still_is_no_bone),
        cmocka_unit_test(any_names_give_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

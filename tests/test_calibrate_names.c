/* Segments without names get those of a person, or of their place in the tree. */
#include <string.h>

#include <sinew/sinew.h>

#include "check.h"

/* The humanoid's segments by the joints where they begin, and what they are to be called. */
static const char *const person_names[][2] = {
    {"pelvis", "Hips"},
    {"spine", "Spine"},
    {"chest", "Chest"},
    {"neck", "Neck"},
    {"head", "Head"},
    {"left_clavicle", "LeftShoulder"},
    {"left_shoulder", "LeftArm"},
    {"left_elbow", "LeftForeArm"},
    {"left_forearm", "LeftForeArmRoll"},
    {"left_wrist", "LeftHand"},
    {"left_hip", "LeftUpLeg"},
    {"left_knee", "LeftLeg"},
    {"left_ankle", "LeftFoot"},
    {"left_toes", "LeftToeBase"},
    {"right_clavicle", "RightShoulder"},
    {"right_shoulder", "RightArm"},
    {"right_elbow", "RightForeArm"},
    {"right_forearm", "RightForeArmRoll"},
    {"right_wrist", "RightHand"},
    {"right_hip", "RightUpLeg"},
    {"right_knee", "RightLeg"},
    {"right_ankle", "RightFoot"},
    {"right_toes", "RightToeBase"},
};
#define PERSON_NAMES ((int)(sizeof person_names / sizeof *person_names))

/* Which segments have markers. */
typedef enum whose {
    ALL,
    LEGS,
    ONE_ARM,
    ONE
} whose;

static bool is_marked(const char *joint, whose part)
{
    switch (part) {
    case LEGS:
        return strstr(joint, "pelvis") || strstr(joint, "hip") || strstr(joint, "knee") ||
               strstr(joint, "ankle");
    case ONE_ARM:
        return strstr(joint, "left_shoulder") || strstr(joint, "left_elbow") ||
               strstr(joint, "left_forearm") || strstr(joint, "left_wrist");
    case ONE:
        return strcmp(joint, "head") == 0;
    default:
        return true;
    }
}

typedef struct scene {
    snw_skeleton *body;
    snw_synth *synth;
    snw_segments *segments; /* by segment, without names */
    snw_actor *actor;
} scene;

static scene make(snw_synth_motion_kind motion, double wobble, uint64_t seed, whose part)
{
    scene made = {NULL, NULL, NULL, NULL};
    snw_synth_options options = snw_synth_options_default();
    snw_error error;
    int segment_of[512];
    options.placement = SNW_SYNTH_RANDOM;
    options.motion = motion;
    options.wobble = wobble;
    options.seed = seed;
    assert_int_equal(snw_preset_create("humanoid", NULL, &made.body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(made.body, NULL, &options, NULL, &made.synth, NULL), SNW_OK);
    for (int m = 0, segment = -1, last = -1; m < made.synth->marker_count; m++) {
        int joint = made.synth->marker[m].joint;
        segment_of[m] = -1;
        if (!is_marked(made.body->name[joint], part)) continue;
        segment += joint != last;
        last = joint;
        segment_of[m] = segment;
    }
    if (snw_segments_create(segment_of, made.synth->marker_count, NULL, NULL, &made.segments,
                            &error) != SNW_OK ||
        snw_actor_calibrate(made.synth->capture, made.segments, NULL, NULL, &made.actor, &error) !=
            SNW_OK)
        fail_msg("%s", error.message);
    return made;
}

static void unmake(scene *made)
{
    snw_actor_destroy(made->actor);
    snw_segments_destroy(made->segments);
    snw_synth_destroy(made->synth);
    snw_skeleton_destroy(made->body);
}

/* The segment on which a solved joint's first marker sits. */
static const char *segment_of(const scene *made, int joint)
{
    for (int n = 0; n < made->actor->marker_count; n++) {
        if (made->actor->marker[n].joint != joint) continue;
        int m = snw_trial_find_marker(made->synth->capture, made->actor->marker[n].name);
        return made->body->name[made->synth->marker[m].joint];
    }
    return "";
}

static int count_right(const scene *made)
{
    int right = 0;
    const snw_skeleton *solved = made->actor->skeleton;
    for (int j = 0; j < solved->joint_count; j++)
        for (int n = 0; n < PERSON_NAMES; n++)
            right += strcmp(person_names[n][0], segment_of(made, j)) == 0 &&
                     strcmp(person_names[n][1], solved->name[j]) == 0;
    return right;
}

static void check_names_differ(const snw_skeleton *solved)
{
    for (int a = 0; a < solved->joint_count; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(solved->name[a], solved->name[b]);
}

static void a_person_without_labels_is_named(void **state)
{
    (void)state;
    /* Where the tree is right all names are; a segment that hangs wrongly takes its neighbours'
     * names with it. */
    static const struct {
        snw_synth_motion_kind motion;
        double wobble;
        int right_min;
    } cases[] = {
        {SNW_SYNTH_DANCE, 0, 23}, {SNW_SYNTH_RANGE, 0.002, 23}, {SNW_SYNTH_WALK, 0.002, 18}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (uint64_t seed = 1; seed <= CHECK_CASES(2); seed++) {
            scene made = make(cases[n].motion, cases[n].wobble, seed, ALL);
            int right = count_right(&made);
            if (right < cases[n].right_min) fail_msg("case %d: %d names right", (int)n, right);
            check_names_differ(made.actor->skeleton);
            unmake(&made);
        }
}

static void legs_alone_are_legs(void **state)
{
    (void)state;
    scene made = make(SNW_SYNTH_WALK, 0, 1, LEGS);
    assert_int_equal(made.actor->skeleton->joint_count, 7);
    assert_int_equal(count_right(&made), 7);
    unmake(&made);
}

static void what_is_no_person_is_named_by_branches(void **state)
{
    (void)state;
    scene made = make(SNW_SYNTH_DANCE, 0, 1, ONE_ARM);
    const snw_skeleton *arm = made.actor->skeleton;
    assert_int_equal(arm->joint_count, 4);
    assert_string_equal(arm->name[0], "Root");
    for (int j = 1; j < arm->joint_count; j++)
        assert_true(arm->name[j][0] == 'A' || arm->name[j][0] == 'B');
    check_names_differ(arm);
    unmake(&made);
    made = make(SNW_SYNTH_DANCE, 0, 1, ONE);
    assert_int_equal(made.actor->skeleton->joint_count, 1);
    assert_string_equal(made.actor->skeleton->name[0], "Root");
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_without_labels_is_named),
        cmocka_unit_test(legs_alone_are_legs),
        cmocka_unit_test(what_is_no_person_is_named_by_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

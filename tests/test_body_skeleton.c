/* Building skeletons: what is copied, every sentence of the validation, memory. */
#include "body_samples.h"

#define TREE_COUNT 4

static void make_tree(snw_joint_def defs[TREE_COUNT])
{
    static const char *const names[TREE_COUNT] = {"hips", "spine", "arm", "leg"};
    static const int parents[TREE_COUNT] = {-1, 0, 1, 0};
    for (int i = 0; i < TREE_COUNT; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = parents[i];
        defs[i].joint.type = SNW_JOINT_BALL;
        defs[i].rest.translation = snw_vec3_make(0, i, 0);
    }
}

static void definitions_come_back_as_they_went_in(void **state)
{
    (void)state;
    snw_joint_def defs[TREE_COUNT];
    make_tree(defs);
    defs[2].has_tip = true;
    defs[2].tip = snw_vec3_make(0, 0.5, 0);
    defs[3].mass = 7;
    defs[3].joint.type = SNW_JOINT_HINGE;
    snw_pin pin = {2, 3, {1, 2, 3}, {4, 5, 6}};
    snw_skeleton *body = NULL;
    snw_error error;
    assert_int_equal(snw_skeleton_create_pinned(&(snw_skeleton_def){defs, TREE_COUNT, &pin, 1},
                                                NULL, &body, &error),
                     SNW_OK);
    assert_int_equal(error.status, SNW_OK);
    assert_int_equal(body->joint_count, TREE_COUNT);
    assert_int_equal(body->dof_count, 3 + 3 + 3 + 1);
    assert_int_equal(body->dof_first[3], 9);
    for (int i = 0; i < TREE_COUNT; i++) {
        snw_joint_def def = snw_skeleton_joint_def(body, i);
        assert_string_equal(def.name, defs[i].name);
        assert_ptr_not_equal(def.name, defs[i].name);
        assert_int_equal(def.parent, defs[i].parent);
        assert_int_equal(def.joint.type, defs[i].joint.type);
        check_vec3_near(def.rest.translation, defs[i].rest.translation, 0);
        check_near(def.mass, defs[i].mass, 0);
        assert_int_equal(snw_skeleton_find_joint(body, defs[i].name), i);
    }
    assert_int_equal(snw_skeleton_find_joint(body, "tail"), -1);
    assert_int_equal(snw_skeleton_find_joint(body, NULL), -1);
    assert_int_equal(body->pin_count, 1);
    check_vec3_near(body->pin[0].point_b, pin.point_b, 0);
    check_near(body->bone_length[0], 0, 0);
    check_near(body->bone_length[2], 2, 0);
    check_near(body->size, 1 + 2 + 0.5, 1e-15); /* spine, arm, its tip; one rounding per sum */
    snw_skeleton_destroy(body);
}

static void children_are_listed_in_ascending_order(void **state)
{
    (void)state;
    snw_skeleton *body = sample_body(200, 6);
    int listed = 0;
    for (int i = 0; i < body->joint_count; i++) {
        int before = i;
        for (int k = body->first_child[i]; k >= 0; k = body->next_sibling[k]) {
            assert_int_equal(body->parent[k], i);
            assert_true(k > before);
            before = k;
            listed++;
        }
    }
    assert_int_equal(listed, body->joint_count - 1); /* all but the root, each under its parent */
    assert_int_equal(body->next_sibling[0], -1);
    snw_skeleton_destroy(body);
}

static void axes_become_unit_and_minus_identity_counts_as_unrotated(void **state)
{
    (void)state;
    snw_joint_def defs[TREE_COUNT];
    make_tree(defs);
    defs[1].joint.type = SNW_JOINT_HINGE;
    defs[1].joint.axis = snw_vec3_make(0, 3, 4);
    defs[2].rest.rotation = snw_quat_make(-1, 0, 0, 0);
    defs[3].rest.rotation = snw_quat_make(0.6, 0.8 + 1e-8, 0, 0);
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, TREE_COUNT, NULL, &body, NULL), SNW_OK);
    check_vec3_near(body->joint[1].axis, snw_vec3_make(0, 0.6, 0.8), 1e-15); /* round-off */
    assert_true(body->rest_is_unrotated[2]);
    assert_false(body->rest_is_unrotated[3]);
    snw_quat q = body->rest[3].rotation;
    check_near(snw_quat_dot(q, q), 1, 1e-15); /* round-off */
    snw_skeleton_destroy(body);
}

/* ---- one way to break a body, and what must be said about it ------------------------------- */

typedef struct broken_body {
    void (*spoil)(snw_joint_def *defs, snw_pin *pin);
    snw_status status;
    int index;
    const char *says;
} broken_body;

static void no_name(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[2].name = NULL;
}
static void empty_name(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].name = "";
}
static void same_name(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[3].name = "spine";
}
static void two_roots(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[2].parent = -1;
}
static void root_has_parent(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[0].parent = 3;
    d[3].parent = -1;
}
static void missing_parent(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[2].parent = 17;
}
static void negative_parent(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[2].parent = -5;
}
static void own_parent(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[2].parent = 2;
}
static void cycle(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].parent = 2;
}
static void late_parent(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[2].parent = 3;
}
static void nan_rest(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].rest.translation.y = NAN;
}
static void infinite_turn(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].rest.rotation.x = INFINITY;
}
static void zero_turn(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[3].rest.rotation.w = 0;
}
static void nan_tip(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[3].has_tip = true;
    d[3].tip.z = NAN;
}
static void negative_mass(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[3].mass = -1;
}
static void nan_mass(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[3].mass = NAN;
}
static void zero_axis(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].joint.type = SNW_JOINT_HINGE;
    d[1].joint.axis = snw_vec3_make(0, 0, 0);
}
static void nan_axis(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].joint.axis.x = NAN;
}
static void unknown_type(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].joint.type = SNW_JOINT_TYPE_COUNT;
}
static void huge_body(snw_joint_def *d, snw_pin *p)
{
    (void)p;
    d[1].rest.translation.x = 1e308;
    d[1].rest.translation.y = 1e308;
}
static void pin_to_nowhere(snw_joint_def *d, snw_pin *p)
{
    (void)d;
    p->joint_b = 9;
}
static void pin_from_the_world(snw_joint_def *d, snw_pin *p)
{
    (void)d;
    p->joint_a = -1;
}
static void pin_to_itself(snw_joint_def *d, snw_pin *p)
{
    (void)d;
    p->joint_b = p->joint_a;
}
static void pin_at_nan(snw_joint_def *d, snw_pin *p)
{
    (void)d;
    p->point_a.x = NAN;
}

static const broken_body broken_bodies[] = {
    {no_name, SNW_INVALID_SKELETON, 2, "joint 2 has no name"},
    {empty_name, SNW_INVALID_SKELETON, 1, "joint 1 has no name"},
    {same_name, SNW_INVALID_SKELETON, 3, "joints 1 and 3 are both named \"spine\""},
    {two_roots, SNW_INVALID_SKELETON, 2,
     "joint 2 \"arm\" has no parent, but \"hips\" is the root already"},
    {root_has_parent, SNW_INVALID_SKELETON, 0, "joint 0 \"hips\" has a parent (joint 3)"},
    {missing_parent, SNW_INVALID_SKELETON, 2,
     "the parent of joint 2 \"arm\" is joint 17, which does not exist: there are 4 joints"},
    {negative_parent, SNW_INVALID_SKELETON, 2, "is joint -5, which does not exist"},
    {own_parent, SNW_INVALID_SKELETON, 2, "joint 2 \"arm\" is its own ancestor"},
    {cycle, SNW_INVALID_SKELETON, 1, "joint 1 \"spine\" is its own ancestor"},
    {late_parent, SNW_INVALID_SKELETON, 2, "is joint 3, which comes later"},
    {nan_rest, SNW_INVALID_SKELETON, 1, "the rest transform of joint 1 \"spine\" is not finite"},
    {infinite_turn, SNW_INVALID_SKELETON, 1,
     "the rest transform of joint 1 \"spine\" is not finite"},
    {zero_turn, SNW_INVALID_SKELETON, 3,
     "\"leg\" is not a unit quaternion: its squared length is 0"},
    {nan_tip, SNW_INVALID_SKELETON, 3, "the tip of joint 3 \"leg\" is not finite"},
    {negative_mass, SNW_INVALID_SKELETON, 3, "the mass of joint 3 \"leg\" is -1"},
    {nan_mass, SNW_INVALID_SKELETON, 3, "the mass of joint 3 \"leg\" is nan"},
    {zero_axis, SNW_INVALID_SKELETON, 1, "joint 1 \"spine\": "},
    {nan_axis, SNW_INVALID_SKELETON, 1, "joint 1 \"spine\": "},
    {unknown_type, SNW_INVALID_SKELETON, 1, "joint 1 \"spine\": "},
    {huge_body, SNW_INVALID_SKELETON, -1, "its size overflows"},
    {pin_to_nowhere, SNW_INVALID_SKELETON, 0, "pin 0 joins joints 2 and 9, but there are 4 joints"},
    {pin_from_the_world, SNW_INVALID_SKELETON, 0, "pin 0 joins joints -1 and 3"},
    {pin_to_itself, SNW_INVALID_SKELETON, 0, "pin 0 joins joint 2 \"arm\" to itself"},
    {pin_at_nan, SNW_INVALID_SKELETON, 0, "a point of pin 0 is not finite"},
};

static void every_broken_body_is_refused_with_a_sentence_that_names_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken_bodies / sizeof broken_bodies[0]; i++) {
        const broken_body *bad = &broken_bodies[i];
        snw_joint_def defs[TREE_COUNT];
        snw_pin pin = {2, 3, {0, 0, 0}, {0, 0, 0}};
        counting_allocator counter = {0, 0, 0, -1};
        snw_allocator hook = counting_hook(&counter);
        snw_skeleton *body = (snw_skeleton *)&pin;
        snw_error error;
        make_tree(defs);
        bad->spoil(defs, &pin);
        snw_status status = snw_skeleton_create_pinned(
            &(snw_skeleton_def){defs, TREE_COUNT, &pin, 1}, &hook, &body, &error);
        if (status != bad->status || error.index != bad->index || !strstr(error.message, bad->says))
            print_error("expected \"%s\", got \"%s\"\n", bad->says, error.message);
        assert_int_equal(status, bad->status);
        assert_int_equal(error.index, bad->index);
        assert_non_null(strstr(error.message, bad->says));
        assert_null(body);
        assert_int_equal(counter.live, 0);
        assert_int_equal(snw_skeleton_create_pinned(&(snw_skeleton_def){defs, TREE_COUNT, &pin, 1},
                                                    NULL, &body, NULL),
                         bad->status);
    }
}

static void wrong_counts_are_refused(void **state)
{
    (void)state;
    snw_joint_def defs[TREE_COUNT];
    snw_pin pin = {2, 3, {0, 0, 0}, {0, 0, 0}};
    snw_skeleton *body = NULL;
    snw_error error;
    make_tree(defs);
    assert_int_equal(snw_skeleton_create(defs, 0, NULL, &body, &error), SNW_INVALID_SKELETON);
    assert_string_equal(error.message, "a body needs at least one joint");
    assert_int_equal(snw_skeleton_create(NULL, 3, NULL, &body, &error), SNW_INVALID_SKELETON);
    assert_int_equal(snw_skeleton_create(defs, SNW_JOINT_MAX + 1, NULL, &body, &error),
                     SNW_TOO_LARGE);
    assert_string_equal(error.message, "a body of 4097 joints is above the limit of 4096");
    assert_int_equal(
        snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 4, NULL, 2}, NULL, &body, &error),
        SNW_INVALID_ARGUMENT);
    assert_int_equal(
        snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 4, &pin, -1}, NULL, &body, &error),
        SNW_INVALID_ARGUMENT);
    assert_int_equal(
        snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 4, &pin, SNW_JOINT_MAX + 1}, NULL,
                                   &body, &error),
        SNW_TOO_LARGE);
    assert_null(body);
}

static void the_largest_body_can_be_built(void **state)
{
    (void)state;
    snw_skeleton *body = sample_body(SNW_JOINT_MAX, 5);
    assert_int_equal(body->joint_count, SNW_JOINT_MAX);
    snw_skeleton_destroy(body);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void objects_are_one_block_and_leave_nothing_behind_when_it_fails(void **state)
{
    (void)state;
    snw_joint_def defs[TREE_COUNT];
    make_tree(defs);
    snw_skeleton *given = NULL;
    assert_int_equal(snw_skeleton_create(defs, TREE_COUNT, NULL, &given, NULL), SNW_OK);
    /* A body's first allocation is for comparing its names and is given back. */
    static const int object_of[] = {0, 0, 1, 2, -1};
    for (long fail_at = 0; fail_at <= 4; fail_at++) {
        counting_allocator counter = {0, 0, 0, fail_at};
        snw_allocator hook = counting_hook(&counter);
        snw_skeleton *body = NULL;
        snw_pose *pose = NULL;
        snw_motion *motion = NULL;
        snw_error error = snw_error_none();
        snw_status made[3] = {snw_skeleton_create(defs, TREE_COUNT, &hook, &body, &error),
                              snw_pose_create(given, &hook, &pose, &error),
                              snw_motion_create(given, 10, 100, &hook, &motion, &error)};
        for (int i = 0; i < 3; i++)
            assert_int_equal(made[i], i == object_of[fail_at] ? SNW_OUT_OF_MEMORY : SNW_OK);
        assert_int_equal(counter.live, fail_at == 4 ? 3 : 2);
        snw_skeleton_destroy(body);
        snw_pose_destroy(pose);
        snw_motion_destroy(motion);
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
    }
    snw_skeleton_destroy(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_come_back_as_they_went_in),
        cmocka_unit_test(children_are_listed_in_ascending_order),
        cmocka_unit_test(axes_become_unit_and_minus_identity_counts_as_unrotated),
        cmocka_unit_test(every_broken_body_is_refused_with_a_sentence_that_names_the_place),
        cmocka_unit_test(wrong_counts_are_refused),
        cmocka_unit_test(the_largest_body_can_be_built),
        cmocka_unit_test(objects_are_one_block_and_leave_nothing_behind_when_it_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

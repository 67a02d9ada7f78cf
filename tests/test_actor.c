/* Actors made from a skeleton and markers on it. */
#include "capture_truth.h"

#include <sinew/sinew.h>

static snw_actor_marker marker_at(const char *name, int joint, double x)
{
    snw_actor_marker marker = {name, joint, {x, 0.02, 0.03}, 0.001};
    return marker;
}

static void markers_come_in_the_order_of_their_joints(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_actor *actor = NULL;
    assert_int_equal(snw_preset_chain(3, 0.2, NULL, &body, NULL), SNW_OK);
    const snw_actor_marker given[] = {marker_at("tip", 2, 1), marker_at("a", 0, 2),
                                      marker_at("middle", 1, 3), marker_at("b", 0, 4)};
    static const char *const expected[] = {"a", "b", "middle", "tip"};
    assert_int_equal(snw_actor_create(body, given, 4, NULL, &actor, NULL), SNW_OK);
    snw_skeleton_destroy(body); /* the actor has a copy */
    for (int m = 0; m < 4; m++)
        assert_string_equal(actor->marker[m].name, expected[m]);
    check_near(actor->marker[1].offset.x, 4, 0);
    assert_int_equal(actor->skeleton->parent[2], 1);
    assert_false(actor->estimate[1].is_uncertain);
    snw_actor_destroy(actor);
}

static void what_is_not_on_the_body_is_named(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_chain(3, 0.2, NULL, &body, NULL), SNW_OK);
    snw_actor_marker good = marker_at("LKNE", 1, 0);
    static const struct {
        int joint;
        double x, noise;
        const char *name;
    } rows[] = {{-1, 0, 0, "m"},
                {99, 0, 0, "m"},
                {0, (double)NAN, 0, "m"},
                {0, 0, -1, "m"},
                {0, 0, (double)NAN, "m"},
                {0, 0, (double)INFINITY, "m"},
                {0, (double)INFINITY, 0, "m"},
                {0, 0, 0, ""},
                {0, 0, 0, NULL}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_actor_marker bad[2] = {good,
                                   {rows[n].name, rows[n].joint, {rows[n].x, 0, 0}, rows[n].noise}};
        snw_actor *actor = NULL;
        snw_error error;
        assert_int_equal(snw_actor_create(body, bad, 2, NULL, &actor, &error),
                         SNW_INVALID_ARGUMENT);
        assert_null(actor);
        assert_int_equal(error.index, 1);
    }
    snw_actor *actor = NULL;
    assert_int_equal(snw_actor_create(body, &good, 0, NULL, &actor, NULL), SNW_INVALID_ARGUMENT);
    snw_skeleton_destroy(body);
}

static void markers_of_one_name_are_told_apart_by_their_order(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_actor *actor = NULL;
    assert_int_equal(snw_preset_chain(2, 0.2, NULL, &body, NULL), SNW_OK);
    const snw_actor_marker given[] = {marker_at("m", 0, 0), marker_at("n", 0, 0),
                                      marker_at("m", 1, 0)};
    const char *const list[] = {"other", "m", "m", "m"};
    const snw_name_list names = {list, 4};
    assert_int_equal(snw_actor_create(body, given, 3, NULL, &actor, NULL), SNW_OK);
    assert_int_equal(snw_actor_find_marker(actor, &names, 0), 1);
    assert_int_equal(snw_actor_find_marker(actor, &names, 1), -1);
    assert_int_equal(snw_actor_find_marker(actor, &names, 2), 2);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
}

/* One trial was exported with the subject's name before its labels, the other without. */
static void a_prefix_on_one_side_hides_no_marker(void **state)
{
    (void)state;
    static const struct {
        const char *actor, *list[3];
        int found;
    } rows[] = {{"LKNE", {"Joe:RKNE", "Joe:LKNE", "Joe:LANK"}, 1},
                {"Joe:LKNE", {"RKNE", "LANK", "LKNE"}, 2},
                {"Joe:LKNE", {"LKNE", "Joe:LKNE", "RKNE"}, 1},      /* the whole name first */
                {"Joe:LKNE", {"Ann:LKNE", "Ann:RKNE", "RKNE"}, -1}, /* of somebody else */
                {"LKNE", {"Ann:LKNE", "Joe:LKNE", "RKNE"}, -1}};    /* of whom? */
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_chain(2, 0.2, NULL, &body, NULL), SNW_OK);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        snw_actor *actor = NULL;
        const snw_actor_marker given = marker_at(rows[r].actor, 0, 0);
        const snw_name_list names = {rows[r].list, 3};
        assert_int_equal(snw_actor_create(body, &given, 1, NULL, &actor, NULL), SNW_OK);
        assert_int_equal(snw_actor_find_marker(actor, &names, 0), rows[r].found);
        snw_actor_destroy(actor);
    }
    snw_skeleton_destroy(body);
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_chain(3, 0.2, NULL, &body, NULL), SNW_OK);
    const snw_actor_marker given = marker_at("m", 1, 0);
    for (long nth = 0;; nth++) {
        assert_true(nth < 20);
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator allocator = counting_hook(&counter);
        snw_actor *actor = NULL;
        snw_status status = snw_actor_create(body, &given, 1, &allocator, &actor, NULL);
        snw_actor_destroy(actor);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_come_in_the_order_of_their_joints),
        cmocka_unit_test(what_is_not_on_the_body_is_named),
        cmocka_unit_test(markers_of_one_name_are_told_apart_by_their_order),
        cmocka_unit_test(a_prefix_on_one_side_hides_no_marker),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What every motion writer must survive: memory that runs out, sinks that fail, numbers that are
 * not finite. */
#include "motion_checks.h"

static const snw_format_kind kinds[] = {SNW_FORMAT_BVH, SNW_FORMAT_ASF, SNW_FORMAT_AMC,
                                        SNW_FORMAT_MOT, SNW_FORMAT_GLB};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

static int drop(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return 0;
}

/* A copy of `motion` that takes its memory from `allocator`; writers use a motion's allocator. */
static snw_motion *copy_motion(const snw_motion *motion, const snw_allocator *allocator)
{
    snw_motion *copy = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(snw_motion_create(motion->skeleton, motion->frame_count, motion->rate,
                                       allocator, &copy, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(motion->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int frame = 0; frame < motion->frame_count; frame++) {
        snw_motion_get(motion, frame, pose);
        snw_motion_set(copy, frame, pose);
    }
    snw_pose_destroy(pose);
    return copy;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(5, 5);
    snw_motion *motion = random_motion(&random, 9, 3);
    for (size_t k = 0; k < KIND_COUNT; k++)
        for (long n = 0;; n++) {
            counting_allocator counter = {0, 0, 0, -1};
            snw_allocator allocator = counting_hook(&counter);
            snw_motion *copy = copy_motion(motion, &allocator);
            long live = counter.live;
            counter.fail_at = counter.calls + n;
            size_t written = 0;
            snw_sink sink = {drop, &written};
            snw_error error;
            snw_status status = snw_write_motion(copy, kinds[k], NULL, &sink, &error);
            assert_int_equal(counter.live, live);
            snw_motion_destroy(copy);
            assert_int_equal(counter.live, 0);
            if (status == SNW_OK) {
                assert_true(n > 0);
                break;
            }
            assert_int_equal(status, SNW_OUT_OF_MEMORY);
            assert_true(n < 100);
        }
    release(motion);
}

typedef struct full_disk {
    size_t room;
} full_disk;

static int write_until_full(void *context, const void *bytes, size_t size)
{
    full_disk *disk = (full_disk *)context;
    (void)bytes;
    if (size > disk->room) return -1;
    disk->room -= size;
    return 0;
}

static void a_sink_that_fails_is_reported(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(6, 6);
    snw_motion *motion = random_motion(&random, 9, 30);
    for (size_t k = 0; k < KIND_COUNT; k++) {
        size_t size = 0;
        snw_sink count = {drop, &size};
        assert_int_equal(snw_write_motion(motion, kinds[k], NULL, &count, NULL), SNW_OK);
        assert_true(size > 100);
        for (size_t room = 0; room < size; room += 1 + size / 7) {
            full_disk disk = {room};
            snw_sink sink = {write_until_full, &disk};
            snw_error error;
            assert_int_equal(snw_write_motion(motion, kinds[k], NULL, &sink, &error), SNW_IO);
            assert_true(error.message[0]);
        }
    }
    release(motion);
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(3, 3);
    for (size_t k = 0; k < KIND_COUNT; k++) {
        if (kinds[k] == SNW_FORMAT_ASF) continue; /* writes the body alone */
        for (int what = 0; what < 3; what++) {
            snw_motion *motion = random_motion(&random, 4, 3);
            if (what == 0) motion->rotation[2 * 4 + 1].x = NAN;
            if (what == 1) motion->slide[2 * 4 + 1].y = INFINITY;
            if (what == 2) motion->root[2].translation.z = NAN;
            size_t size = 0;
            snw_sink sink = {drop, &size};
            snw_error error;
            assert_int_equal(snw_write_motion(motion, kinds[k], NULL, &sink, &error),
                             SNW_INVALID_ARGUMENT);
            assert_int_equal(error.frame, 2);
            assert_string_equal(error.name, what == 2 ? "j0" : "j1");
            assert_int_equal(size, 0);
            release(motion);
        }
    }
}

static void glb_refuses_what_its_floats_cannot_hold(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(8, 8);
    snw_motion *motion = random_motion(&random, 3, 2);
    motion->root[1].translation.x = 1e39;
    size_t size = 0;
    snw_sink sink = {drop, &size};
    snw_error error;
    assert_int_equal(snw_write_motion(motion, SNW_FORMAT_GLB, NULL, &sink, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "too far away"));
    motion->root[1].translation.x = 0;
    motion->rate = 1e60;
    assert_int_equal(snw_write_motion(motion, SNW_FORMAT_GLB, NULL, &sink, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "cannot tell frame 1"));
    release(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(a_sink_that_fails_is_reported),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(glb_refuses_what_its_floats_cannot_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Shared memory of poses: a reader never gets half a frame, whatever the writer does meanwhile. */
#include <sinew/shared_pose.h>

#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

static snw_shared_pose memory;
static atomic_bool is_over;

/* Every number of a frame is the frame's own. */
static void *write_frames(void *context)
{
    (void)context;
    for (int64_t frame = 1; !atomic_load(&is_over); frame++) {
        uint32_t sequence = memory.sequence;
        __atomic_store_n(&memory.sequence, sequence + 1, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
        memory.frame = frame;
        for (int n = 0; n < SNW_SHARED_PEOPLE; n++)
            memory.person[n].joint[SNW_SHARED_JOINTS - 1].place[2] = (float)frame;
        __atomic_store_n(&memory.sequence, sequence + 2, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void a_reader_gets_whole_frames_or_none(void **state)
{
    static snw_shared_pose copy;
    pthread_t writer;
    int whole = 0;
    (void)state;
    assert_false(snw_shared_pose_read(&memory, &copy)); /* nobody has begun */
    memory.magic = SNW_SHARED_MAGIC;
    memory.version = SNW_SHARED_VERSION + 1;
    assert_false(snw_shared_pose_read(&memory, &copy));
    memory.version = SNW_SHARED_VERSION;
    memory.sequence = 3;
    assert_false(snw_shared_pose_read(&memory, &copy)); /* it is being written */
    memory.sequence = 4;
    assert_true(snw_shared_pose_read(&memory, &copy));
#if defined(__SANITIZE_THREAD__)
    skip(); /* a sequence lock reads what is written meanwhile and throws it away */
#endif
    assert_int_equal(pthread_create(&writer, NULL, write_frames, NULL), 0);
    for (int n = 0; n < 20000; n++) {
        if (!snw_shared_pose_read(&memory, &copy)) continue;
        whole++;
        for (int k = 0; k < SNW_SHARED_PEOPLE; k++)
            assert_true(copy.person[k].joint[SNW_SHARED_JOINTS - 1].place[2] == (float)copy.frame);
    }
    atomic_store(&is_over, true);
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_true(snw_shared_pose_read(&memory, &copy)); /* nobody writes: the last frame */
    assert_true(copy.frame == memory.frame && whole >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_reader_gets_whole_frames_or_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

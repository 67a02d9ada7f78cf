/* The system behind one header: files by names of any language, written whole or not at all;
 * threads that wait for each other. */
#include "check.h"

#include <errno.h>

#include "base/platform.h"

#ifndef SNW_NO_FILES

static const char *const platform_name = "größe-ñ-日本.part-of-test.bin";

static void a_name_of_any_language_is_a_name(void **state)
{
    (void)state;
    snw__file_about about;
    snw__file_remove(platform_name);
    assert_false(snw__file_look(platform_name, &about));
    assert_int_equal(snw_write_file(platform_name, false, "one", 3, NULL), SNW_OK);
    assert_true(snw__file_look(platform_name, &about) && about.is_regular && about.size == 3);
    int file = snw__file_open(platform_name, SNW__FILE_READ);
    char bytes[8] = {0};
    assert_int_equal(snw__file_read(file, bytes, sizeof bytes), 3);
    assert_string_equal(bytes, "one");
    assert_true(snw__file_seek(file, 1) && snw__file_read(file, bytes, 1) == 1 && bytes[0] == 'n');
    assert_true(snw__file_close(file));
    snw__file_remove(platform_name);
    assert_false(snw__file_look(platform_name, &about));
}

static void nothing_is_replaced_unasked(void **state)
{
    (void)state;
    snw_error error;
    snw__file_about about;
    assert_int_equal(snw_write_file(platform_name, false, "one", 3, &error), SNW_OK);
    assert_int_equal(snw_write_file(platform_name, false, "three", 5, &error), SNW_EXISTS);
    assert_true(snw__file_look(platform_name, &about) && about.size == 3);
    assert_int_equal(snw_write_file(platform_name, true, "three", 5, &error), SNW_OK);
    assert_true(snw__file_look(platform_name, &about) && about.size == 5);
    int file = snw__file_open(platform_name, SNW__FILE_NEW);
    assert_true(file < 0 && errno == EEXIST);
    snw__file_remove(platform_name);
}

/* Line ends are bytes like others: Windows would make two of one. */
static void bytes_are_as_they_are(void **state)
{
    (void)state;
    static const char lines[] = "a\nb\r\n\x1a"
                                "c";
    char back[16] = {0};
    assert_int_equal(snw_write_file(platform_name, true, lines, sizeof lines, NULL), SNW_OK);
    int file = snw__file_open(platform_name, SNW__FILE_READ);
    assert_int_equal(snw__file_read(file, back, sizeof back), sizeof lines);
    assert_memory_equal(back, lines, sizeof lines);
    (void)snw__file_close(file);
    snw__file_remove(platform_name);
}

static void a_folder_and_nothing_say_what_they_are(void **state)
{
    (void)state;
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(snw_read_trial_file(".", NULL, NULL, &trial, NULL, &error), SNW_IO);
    assert_non_null(strstr(error.message, ". could not be read"));
    assert_int_equal(snw_read_trial_file("no-such-Ünding.c3d", NULL, NULL, &trial, NULL, &error),
                     SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "no-such-Ünding.c3d"));
    assert_int_equal(snw_write_file("no-such-folder/x.bin", false, "x", 1, &error), SNW_NOT_FOUND);
    assert_string_equal(snw__path_name("a/b/c.trc"), "c.trc");
    assert_string_equal(snw__path_name("c.trc"), "c.trc");
}

#endif

#ifndef SNW_NO_THREADS

enum {
    PLATFORM_THREADS = 4,
    PLATFORM_ROUNDS = 2000
};

typedef struct platform_counter {
    snw__mutex mutex;
    snw__signal is_done;
    int count, ended;
} platform_counter;

static void count_up(void *argument)
{
    platform_counter *counter = argument;
    for (int n = 0; n < PLATFORM_ROUNDS; n++) {
        snw__mutex_lock(&counter->mutex);
        counter->count++;
        snw__mutex_unlock(&counter->mutex);
    }
    snw__mutex_lock(&counter->mutex);
    counter->ended++;
    snw__signal_wake_one(&counter->is_done);
    snw__mutex_unlock(&counter->mutex);
}

static void threads_wait_for_each_other(void **state)
{
    (void)state;
    platform_counter counter = {.count = 0};
    snw__thread thread[PLATFORM_THREADS];
    assert_true(snw__mutex_create(&counter.mutex) && snw__signal_create(&counter.is_done));
    for (int n = 0; n < PLATFORM_THREADS; n++)
        assert_true(snw__thread_start(&thread[n], count_up, &counter));
    snw__mutex_lock(&counter.mutex);
    while (counter.ended < PLATFORM_THREADS)
        snw__signal_wait(&counter.is_done, &counter.mutex);
    assert_int_equal(counter.count, PLATFORM_THREADS * PLATFORM_ROUNDS);
    snw__mutex_unlock(&counter.mutex);
    for (int n = 0; n < PLATFORM_THREADS; n++)
        snw__thread_join(&thread[n]);
    snw__signal_destroy(&counter.is_done);
    snw__mutex_destroy(&counter.mutex);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef SNW_NO_FILES
        cmocka_unit_test(a_name_of_any_language_is_a_name),
        cmocka_unit_test(nothing_is_replaced_unasked),
        cmocka_unit_test(bytes_are_as_they_are),
        cmocka_unit_test(a_folder_and_nothing_say_what_they_are),
#endif
#ifndef SNW_NO_THREADS
        cmocka_unit_test(threads_wait_for_each_other),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

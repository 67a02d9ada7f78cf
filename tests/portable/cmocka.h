/* As much of cmocka as the tests use, for machines that have no cmocka: scripts/portable puts this
 * folder first on the include path. A failed check ends the program at once with exit code 1, which
 * needs no setjmp. A test that skips itself goes on with the next one: by setjmp, and on
 * WebAssembly, which has none, by run.mjs, which throws and catches. */
#ifndef SNW_TESTS_PORTABLE_CMOCKA_H
#define SNW_TESTS_PORTABLE_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
};

#define print_message(...) printf(__VA_ARGS__)
#define print_error(...)   printf(__VA_ARGS__)

#define portable_fail(...)                     \
    do {                                       \
        printf("%s:%d: ", __FILE__, __LINE__); \
        printf(__VA_ARGS__);                   \
        printf("\n");                          \
        exit(1);                               \
    } while (0)

#define fail()        portable_fail("failed")
#define fail_msg(...) portable_fail(__VA_ARGS__)
typedef void portable_test(void **state);
#ifdef __wasm__
#define PORTABLE_IMPORT(name) __attribute__((import_module("portable"), import_name(name)))
PORTABLE_IMPORT("run") void portable_try(portable_test *test, void **state);
PORTABLE_IMPORT("skip") _Noreturn void portable_skip(void);
#define skip() portable_skip()
#else
static jmp_buf portable_skipped;
#define skip() longjmp(portable_skipped, 1)
static inline void portable_try(portable_test *test, void **state)
{
    if (!setjmp(portable_skipped)) test(state);
}
#endif

#define assert_true(c)                     \
    do {                                   \
        if (!(c)) portable_fail("%s", #c); \
    } while (0)
#define assert_false(c)               assert_true(!(c))
#define assert_null(p)                assert_true((p) == NULL)
#define assert_non_null(p)            assert_true((p) != NULL)
#define assert_ptr_equal(a, b)        assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b)    assert_true((const void *)(a) != (const void *)(b))
#define assert_int_not_equal(a, b)    assert_true((a) != (b))
#define assert_in_range(v, low, high) assert_true((v) >= (low) && (v) <= (high))
#define assert_int_equal(a, b)                                                              \
    do {                                                                                    \
        long long portable_a = (long long)(a), portable_b = (long long)(b);                 \
        if (portable_a != portable_b)                                                       \
            portable_fail("%s is %lld, expected %s, %lld", #a, portable_a, #b, portable_b); \
    } while (0)
#define assert_string_equal(a, b)                                                       \
    do {                                                                                \
        const char *portable_a = (a), *portable_b = (b);                                \
        if (strcmp(portable_a, portable_b) != 0)                                        \
            portable_fail("%s is \"%s\", expected \"%s\"", #a, portable_a, portable_b); \
    } while (0)
#define assert_string_not_equal(a, b) assert_true(strcmp((a), (b)) != 0)
#define assert_memory_equal(a, b, n)  assert_true(memcmp((a), (b), (n)) == 0)

/* cmocka's own find leaks; here the sanitizers of the host have done that. */
#define test_malloc  malloc
#define test_calloc  calloc
#define test_realloc realloc
#define test_free    free

#define cmocka_unit_test(f) \
    {                       \
#f, f               \
    }
#define cmocka_run_group_tests(tests, setup, teardown) \
    portable_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)

static inline int portable_run(const struct CMUnitTest *tests, size_t count,
                               int (*setup)(void **state), int (*teardown)(void **state))
{
    void *state = NULL;
    if (setup && setup(&state) != 0) portable_fail("the set-up failed");
    for (size_t n = 0; n < count; n++) {
        printf("%s\n", tests[n].name);
        fflush(stdout);
        portable_try(tests[n].test, &state);
    }
    if (teardown && teardown(&state) != 0) portable_fail("the tear-down failed");
    return 0;
}

#endif

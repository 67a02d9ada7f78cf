/* snw_format against snprintf for the subset it promises. */
#include "check.h"

#define CHECK_LIKE_PRINTF(...)                                                                  \
    do {                                                                                        \
        char check_ours[512], check_theirs[512];                                                \
        int check_length = snprintf(check_theirs, sizeof check_theirs, __VA_ARGS__);            \
        assert_int_equal(snw_format(check_ours, sizeof check_ours, __VA_ARGS__), check_length); \
        assert_string_equal(check_ours, check_theirs);                                          \
    } while (0)

static void the_promised_subset_prints_like_snprintf(void **state)
{
    (void)state;
    CHECK_LIKE_PRINTF("plain 100%%");
    CHECK_LIKE_PRINTF("%s|%10s|%-10s|%.2s|%10.2s|%-10.2s|", "abc", "abc", "abc", "abc", "abc",
                      "abc");
    CHECK_LIKE_PRINTF("%.*s|%*s|%-*s|%*s|", 2, "abcdef", 8, "ab", 8, "ab", -8, "ab");
    CHECK_LIKE_PRINTF("%.*s|", -1, "negative precision means none");
    CHECK_LIKE_PRINTF("%c%5c%-5c|", 'a', 'b', 'c');
    CHECK_LIKE_PRINTF("%d %i %5d %-5d| %05d %d", 1, -2, 3, -4, -5, INT32_MIN);
    CHECK_LIKE_PRINTF("%u %x %08x %-8x|", 4294967295u, 48879u, 48879u, 48879u);
    CHECK_LIKE_PRINTF("%ld %lld %lu %llu %llx", -1L, INT64_MIN + 0LL, 1UL, UINT64_MAX + 0ULL,
                      255ULL);
    CHECK_LIKE_PRINTF("%zu %zd %020zd", SIZE_MAX, (ptrdiff_t)-5, (ptrdiff_t)-5);
    CHECK_LIKE_PRINTF("%f %.0f %.3f %10.2f %-10.2f| %010.2f", 1.5, 2.5, -0.0005, 3.14159, 3.14159,
                      -3.14);
    CHECK_LIKE_PRINTF("%5.1f|%05.1f|%-5.1f|", (double)INFINITY, -(double)INFINITY,
                      (double)INFINITY);
    CHECK_LIKE_PRINTF("%g %g %g %12g|", 0.5, -100.0, 1e300, 0.25);
}

static void text_is_cut_at_the_size_and_the_whole_length_returned(void **state)
{
    (void)state;
    char buffer[16], oracle[16];
    for (size_t size = 0; size <= sizeof buffer; size++) {
        memset(buffer, '#', sizeof buffer);
        memset(oracle, '#', sizeof oracle);
        int expected = snprintf(oracle, size, "%s %d", "frame", 123456);
        assert_int_equal(snw_format(buffer, size, "%s %d", "frame", 123456), expected);
        assert_memory_equal(buffer, oracle, sizeof buffer);
    }
    assert_int_equal(snw_format(NULL, 0, "%d", 12345), 5);
}

/* The format is data here, so that the compiler does not judge it. */
static int format_unchecked(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = snw_format_list(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

static void huge_widths_are_bounded(void **state)
{
    (void)state;
    char buffer[32];
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%99999999999999d", 7), 4096);
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%*d", INT32_MAX, 7), 4096);
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%*d", INT32_MIN, 7), 4096);
    assert_int_equal(buffer[0], '7');
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%.99999999999f", 0.5), 19);
}

static void odd_formats_do_no_harm(void **state)
{
    (void)state;
    char buffer[32];
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "abc%"), 3);
    assert_string_equal(buffer, "abc");
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%5"), 0);
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%q"), 1);
    assert_int_equal(format_unchecked(buffer, sizeof buffer, "%s", (char *)NULL), 6);
    assert_string_equal(buffer, "(null)");
    assert_int_equal(format_unchecked(buffer, sizeof buffer, ""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_promised_subset_prints_like_snprintf),
        cmocka_unit_test(text_is_cut_at_the_size_and_the_whole_length_returned),
        cmocka_unit_test(huge_widths_are_bounded),
        cmocka_unit_test(odd_formats_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Number text against the C library in the "C" locale, which is correctly rounded on the platforms
 * the tests run on; shortness against a search over digit counts. */
#include "check.h"

#include <float.h>
#include <locale.h>

#include "base/number_big.h"
#include "base/number_wide.h"

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t random_u64(snw_random *random)
{
    uint64_t high = snw_random_u32(random);
    return high << 32 | snw_random_u32(random);
}

/* A finite double: every bit pattern equally likely, or the kind of numbers that files hold. */
static double random_double(snw_random *random, int kind)
{
    double value;
    switch (kind % 4) {
    case 0:
        do {
            value = from_bits(random_u64(random));
        } while (!isfinite(value));
        return value;
    case 1: {
        static const double steps[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e9};
        double whole = (double)(int32_t)snw_random_u32(random);
        return whole / steps[snw_random_below(random, 8)];
    }
    case 2:
        return (double)(float)snw_random_range(random, -2000, 2000);
    default:
        return snw_random_range(random, -3, 3);
    }
}

static void check_parses_like_strtod(const char *text)
{
    char *stop;
    double expected = strtod(text, &stop), actual = 0;
    const char *after = snw_parse_double(text, text + strlen(text), &actual);
    if (after != stop || to_bits(actual) != to_bits(expected)) {
        print_error("\"%.60s\" gives %.17g, strtod %.17g; %ld characters, strtod %ld\n", text,
                    actual, expected, after ? (long)(after - text) : -1L, (long)(stop - text));
        fail();
    }
}

/* ---- reading ------------------------------------------------------------------------------- */

static void printed_bit_patterns_parse_like_strtod(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(1, 1);
    char text[64];
    for (int n = 0; n < CHECK_SAMPLES(1000000); n++) {
        double value = random_double(&random, n % 5 ? 0 : (int)random.state);
        snprintf(text, sizeof text, "%.*e", 3 + (int)snw_random_below(&random, 25), value);
        check_parses_like_strtod(text);
    }
}

static void random_decimals_parse_like_strtod(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(2, 1);
    char text[128];
    for (int n = 0; n < CHECK_SAMPLES(500000); n++) {
        int length = 0, digits = 1 + (int)snw_random_below(&random, 40);
        int point = (int)snw_random_below(&random, (uint32_t)digits + 1);
        for (int d = 0; d < digits; d++) {
            if (d == point) text[length++] = '.';
            text[length++] = (char)('0' + snw_random_below(&random, 10));
        }
        text[length] = 0;
        if (n % 2) snprintf(text + length, 16, "e%d", (int)snw_random_below(&random, 700) - 360);
        check_parses_like_strtod(text);
    }
}

/* Exactly half way between two neighbours, and a hair to either side, with up to 770 digits. */
static void midpoints_round_to_even_and_their_neighbours_to_the_near_side(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(3, 1);
    static char text[1400];
    for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
        uint64_t bits = random_u64(&random) >> 1;
        if (n % 4 == 0) bits &= (UINT64_C(1) << 54) - 1; /* denormals and their edge */
        if (n % 8 == 1)
            bits = (bits & ~UINT64_C(0x7ff0000000000000)) | UINT64_C(0x4330000000000000);
        double value = from_bits(bits);
        if (!isfinite(value) || value == DBL_MAX) continue;
        /* long double holds the midpoint of two doubles exactly, denormals included. */
        long double middle = ((long double)value + (long double)from_bits(bits + 1)) / 2;
        int length = snprintf(text, sizeof text, "%.1150Lf", middle);
        if (middle > 1e20L) length = snprintf(text, sizeof text, "%.2Lf", middle);
        check_parses_like_strtod(text);
        text[length] = '1';
        text[length + 1] = 0;
        check_parses_like_strtod(text); /* a little above */
        while (length > 0 && (text[length - 1] == '0' || text[length - 1] == '.'))
            length--;
        text[length - 1]--;
        memset(text + length, '9', 12);
        text[length + 12] = 0;
        if (strchr(text, '.')) check_parses_like_strtod(text); /* a little below */
    }
}

static void special_texts_parse_like_strtod(void **state)
{
    (void)state;
    static const char *texts[] = {"0",
                                  "-0",
                                  "+0",
                                  "+1",
                                  "-1",
                                  ".5",
                                  "5.",
                                  "-.5e1",
                                  "5.e1",
                                  "1e",
                                  "1e+",
                                  "1e-",
                                  "1E5",
                                  "1e+05",
                                  "1.5x",
                                  "00012",
                                  "0.00012",
                                  "1e5.5",
                                  "1..2",
                                  "1,5",
                                  "123456789012345678901234567890",
                                  "2.2250738585072011e-308",
                                  "2.2250738585072014e-308",
                                  "4.9406564584124654e-324",
                                  "2.4703282292062327e-324",
                                  "2.4703282292062328e-324",
                                  "2.47e-324",
                                  "1e-324",
                                  "1e-400",
                                  "1e-99999999999999999999",
                                  "1e99999999999999999999",
                                  "0e99999999999999999999",
                                  "1.7976931348623157e308",
                                  "1.7976931348623158e308",
                                  "1.7976931348623159e308",
                                  "1.797693134862315807e308",
                                  "1e308",
                                  "1e309",
                                  "-1e309",
                                  "1e310",
                                  "9007199254740991",
                                  "9007199254740992",
                                  "9007199254740993",
                                  "9007199254740995",
                                  "9007199254740993.0000000001",
                                  "8.5e22",
                                  "1e22",
                                  "1e23",
                                  "9.5367431640625e-07",
                                  "18446744073709551615",
                                  "18446744073709551616",
                                  "99999999999999999999",
                                  "0.1e1",
                                  "1e0000000000000000001",
                                  "6.9294956446009195e15",
                                  "3.518437208883201171875e13",
                                  "INF",
                                  "-inf",
                                  "Infinity",
                                  "+iNFiNITY",
                                  "infinit",
                                  "infx"};
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++)
        check_parses_like_strtod(texts[n]);
}

/* More digits than any midpoint has: the ones behind still count as "more". */
static void very_long_texts_parse_like_strtod(void **state)
{
    (void)state;
    enum {
        SIZE = 6000
    };
    static char text[SIZE + 64];
    static const char *heads[] = {"9007199254740993", "0.1", "1.", "123.456", "9007199254740992.9"};
    for (size_t h = 0; h < sizeof heads / sizeof heads[0]; h++) {
        for (int length = 700; length < SIZE; length += 331) {
            size_t head = (size_t)snprintf(text, sizeof text, "%s%s", heads[h],
                                           strchr(heads[h], '.') ? "" : ".");
            memset(text + head, h == 4 ? '9' : '0', (size_t)length);
            strcpy(text + head + length, "1e-5");
            check_parses_like_strtod(text);
            text[head + (size_t)length + 1] = 0;
            check_parses_like_strtod(text);
            text[head + (size_t)length] = 0;
            check_parses_like_strtod(text);
        }
    }
    memset(text, '7', SIZE);
    strcpy(text + SIZE, "e-5990");
    check_parses_like_strtod(text);
    memset(text, '0', SIZE);
    memcpy(text, "0.", 2);
    strcpy(text + SIZE, "123e+5999");
    check_parses_like_strtod(text);
    text[0] = '1';
    memset(text + 1, '0', SIZE);
    strcpy(text + SIZE, "e-6000");
    check_parses_like_strtod(text);
}

static void what_is_no_number_is_refused_and_leaves_the_value(void **state)
{
    (void)state;
    static const char *texts[] = {"",   "+",   "-",  ".",  "-.",  "e5",  ".e5", " 1",
                                  "x1", "\t1", "in", "na", "nax", "--1", "+-1", "\n"};
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        double value = 42;
        assert_null(snw_parse_double(texts[n], texts[n] + strlen(texts[n]), &value));
        assert_true(value == 42);
    }
}

static void nan_parses_and_hexadecimal_stops_at_the_x(void **state)
{
    (void)state;
    double value = 0;
    const char *nan_text = "-NaN(1)", *hex = "0x10";
    assert_ptr_equal(snw_parse_double(nan_text, nan_text + 7, &value), nan_text + 4);
    assert_true(isnan(value));
    assert_ptr_equal(snw_parse_double(hex, hex + 4, &value), hex + 1);
    assert_true(value == 0);
}

static void reading_never_looks_past_the_end(void **state)
{
    (void)state;
    const char *text = "-12.5e+17";
    static const double expected[] = {0, 0, -1, -12, -12, -12.5, -12.5, -12.5, -12.5e1, -12.5e17};
    static const int used[] = {-1, -1, 2, 3, 4, 5, 5, 5, 8, 9};
    for (int length = 0; length <= 9; length++) {
        char *exact =
            malloc((size_t)length + 1); /* so that the address sanitizer sees an overrun */
        memcpy(exact, text, (size_t)length);
        exact = realloc(exact, length ? (size_t)length : 1);
        double value = 0;
        const char *after = snw_parse_double(exact, exact + length, &value);
        assert_int_equal(after ? (int)(after - exact) : -1, used[length]);
        assert_true(value == expected[length]);
        free(exact);
    }
}

static void integers_parse_to_their_limits_and_not_beyond(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int used; /* -1: refused */
        int64_t value;
    } cases[] = {{"0", 1, 0},
                 {"-0", 2, 0},
                 {"+17", 3, 17},
                 {"12.5", 2, 12},
                 {"007x", 3, 7},
                 {"9223372036854775807", 19, INT64_MAX},
                 {"-9223372036854775808", 20, INT64_MIN},
                 {"9223372036854775808", -1, 0},
                 {"-9223372036854775809", -1, 0},
                 {"99999999999999999999999", -1, 0},
                 {"", -1, 0},
                 {"-", -1, 0},
                 {" 1", -1, 0},
                 {"x", -1, 0}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        int64_t value = 42;
        const char *text = cases[n].text;
        const char *after = snw_parse_int64(text, text + strlen(text), &value);
        assert_int_equal(after ? after - text : -1, cases[n].used);
        assert_int_equal(value, after ? cases[n].value : 42);
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Significant digits of a printed number, without leading and trailing zeros. */
static int significant_digits(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count == 0)) continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

static void check_shortest(double value)
{
    char text[SNW_NUMBER_SIZE], oracle[64];
    int length = snw_print_double(text, value);
    assert_int_equal(length, strlen(text));
    if (to_bits(strtod(text, NULL)) != to_bits(value)) {
        print_error("%.17g printed as %s\n", value, text);
        fail();
    }
    int digits = significant_digits(text);
    if (digits > 1) { /* the nearest text with one digit less is another number */
        snprintf(oracle, sizeof oracle, "%.*e", digits - 2, value);
        if (strtod(oracle, NULL) == value) {
            print_error("%.17g printed as %s, but %s is enough\n", value, text, oracle);
            fail();
        }
        /* With as many digits, the C library's is the nearest. It may fail to read back where the
         * interval is lopsided; then ours is allowed to differ. */
        snprintf(oracle, sizeof oracle, "%.*e", digits - 1, value);
        if (strtod(oracle, NULL) == value && strtold(oracle, NULL) != strtold(text, NULL)) {
            print_error("%.17g printed as %s, but %s is nearer\n", value, text, oracle);
            fail();
        }
    }
}

static void doubles_print_shortest_and_nearest(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(4, 1);
    for (int n = 0; n < CHECK_SAMPLES(1000000); n++)
        check_shortest(random_double(&random, n));
    for (int e = 0; e < 2047; e++) { /* the lopsided ones and their neighbours */
        for (int near = -2; near <= 2; near++)
            if (((uint64_t)e << 52) + 2 > 2)
                check_shortest(from_bits(((uint64_t)e << 52) + (uint64_t)near));
    }
    for (uint64_t bits = 1; bits < 200; bits++)
        check_shortest(from_bits(bits));
    for (int n = 0; n < 64; n++) { /* whole numbers where the scaled ends are whole too */
        check_shortest(ldexp(1, n) + 1);
        check_shortest(pow(5, n % 40) * ldexp(1, n));
        check_shortest(pow(10, n % 23));
    }
    check_shortest(DBL_MAX);
    check_shortest(DBL_MIN);
}

static void floats_print_shortest_and_survive_the_way_through_double(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(5, 1);
    char text[SNW_NUMBER_SIZE], oracle[64];
    int longer = 0;
    for (int n = 0; n < CHECK_SAMPLES(1000000); n++) {
        uint32_t bits = snw_random_u32(&random);
        if (n % 16 == 0) bits &= 0xff800000; /* powers of two */
        float value;
        memcpy(&value, &bits, sizeof value);
        if (n % 4 == 1) value = (float)snw_random_range(&random, -2000, 2000);
        if (!isfinite(value)) continue;
        double back = 42;
        int length = snw_print_float(text, value);
        assert_ptr_equal(snw_parse_double(text, text + length, &back), text + length);
        if (strtof(text, NULL) != value || (float)back != value) {
            print_error("%.9g printed as %s\n", (double)value, text);
            fail();
        }
        int digits = significant_digits(text);
        snprintf(oracle, sizeof oracle, "%.*e", digits > 1 ? digits - 2 : 0, (double)value);
        longer += digits > 1 && strtof(oracle, NULL) == value;
    }
    /* One digit more than the shortest only where the shortest would not survive a double. */
    assert_true(longer <= 2);
}

/* These texts lie so near to the middle between two floats, just below and just above it, that
 * reading them as a double lands on the middle, and the cast then goes to the other float. */
static void floats_whose_shortest_text_fails_through_double_get_another_text(void **state)
{
    (void)state;
    static const char *texts[] = {"7.038531e-26", "8.2381273e-28"};
    for (int n = 0; n < 2; n++) {
        float value = strtof(texts[n], NULL);
        assert_true((float)strtod(texts[n], NULL) != value);
        char text[SNW_NUMBER_SIZE];
        snw_print_float(text, value);
        assert_true((float)strtod(text, NULL) == value && strtof(text, NULL) == value);
    }
}

static void printed_layout_is_as_documented(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {100, "100"},
                 {123456789, "123456789"},
                 {0.0001, "0.0001"},
                 {0.00012345, "0.00012345"},
                 {0.00001, "1e-05"},
                 {0.000012345, "1.2345e-05"},
                 {1e15, "1000000000000000"},
                 {9999999999999998, "9999999999999998"},
                 {1e16, "1e+16"},
                 {1e22, "1e+22"},
                 {1e23, "1e+23"},
                 {1.5e300, "1.5e+300"},
                 {1e300, "1e+300"},
                 {5e-324, "5e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"},
                 {0.30000000000000004, "0.30000000000000004"},
                 {9007199254740993.0, "9007199254740992"},
                 {9.5367431640625e-07, "9.5367431640625e-07"},
                 {(double)NAN, "nan"},
                 {-(double)NAN, "nan"},
                 {(double)INFINITY, "inf"},
                 {-(double)INFINITY, "-inf"}};
    char text[SNW_NUMBER_SIZE];
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_int_equal(snw_print_double(text, cases[n].value), strlen(cases[n].text));
        assert_string_equal(text, cases[n].text);
    }
    snw_print_float(text, 0.1f);
    assert_string_equal(text, "0.1");
    snw_print_float(text, FLT_MAX);
    assert_string_equal(text, "3.4028235e+38");
    snw_print_float(text, 1.4e-45f);
    assert_string_equal(text, "1e-45");
    snw_print_float(text, -(float)INFINITY);
    assert_string_equal(text, "-inf");
}

static void fixed_prints_like_printf(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(6, 1);
    char text[SNW_NUMBER_SIZE], oracle[SNW_NUMBER_SIZE];
    for (int n = 0; n < CHECK_SAMPLES(400000); n++) {
        double value = random_double(&random, n);
        int decimals = (int)snw_random_below(&random, 18);
        if (n % 7 == 0) value = ((int)snw_random_below(&random, 4001) - 2000) / 16.0; /* ties */
        if (n % 7 == 1) value = 1 - ldexp(1, -(int)snw_random_below(&random, 60));    /* carries */
        if (n % 7 == 2) value = ldexp(value, (int)snw_random_below(&random, 400) - 200);
        if (!isfinite(value)) continue;
        int length = snw_print_fixed(text, value, decimals);
        assert_int_equal(length, snprintf(oracle, sizeof oracle, "%.*f", decimals, value));
        assert_string_equal(text, oracle);
    }
    snw_print_fixed(text, -DBL_MAX, 17);
    snprintf(oracle, sizeof oracle, "%.17f", -DBL_MAX);
    assert_string_equal(text, oracle);
    snw_print_fixed(text, 0.125, -3);
    assert_string_equal(text, "0");
    assert_int_equal(snw_print_fixed(text, 0.5, 99), 19);
    snw_print_fixed(text, (double)NAN, 2);
    assert_string_equal(text, "nan");
}

/* ---- locale and parts ------------------------------------------------------------------------ */

/* Where no such locale is installed this still runs, in the "C" locale. */
static void a_locale_with_a_comma_changes_nothing(void **state)
{
    (void)state;
    static const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    const char *chosen = NULL;
    for (size_t n = 0; n < sizeof names / sizeof names[0] && !chosen; n++)
        chosen = setlocale(LC_ALL, names[n]);
    char text[SNW_NUMBER_SIZE];
    double value = 0;
    const char *input = "1.5,2";
    assert_ptr_equal(snw_parse_double(input, input + 5, &value), input + 3);
    assert_true(value == 1.5);
    snw_print_double(text, 1234.5);
    assert_string_equal(text, "1234.5");
    snw_print_fixed(text, 1234.5, 2);
    assert_string_equal(text, "1234.50");
    snw_format(text, sizeof text, "%g %.1f", 0.5, 2.25);
    assert_string_equal(text, "0.5 2.2");
    setlocale(LC_ALL, "C");
}

static void portable_multiplication_equals_the_compilers(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 1);
    for (int n = 0; n < 100000; n++) {
        uint64_t a = random_u64(&random) >> snw_random_below(&random, 64);
        uint64_t b = random_u64(&random) >> snw_random_below(&random, 64);
        if (n % 5 == 0) a = UINT64_MAX - a;
        snw__u128 expected = snw__multiply(a, b), actual = snw__multiply_portable(a, b);
        assert_true(expected.high == actual.high && expected.low == actual.low);
        if (a) assert_int_equal(snw__leading_zeros_portable(a), snw__leading_zeros(a));
    }
}

/* The road that random numbers hardly ever take, tried directly on numbers with known order. */
static void long_integers_compare_exactly(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(8, 1);
    for (int n = 0; n < 2000; n++) {
        int e10 = (int)snw_random_below(&random, 27), zeros = (int)snw_random_below(&random, 40);
        uint64_t five = 1, integer = snw_random_below(&random, 4) + 1;
        for (int k = 0; k < e10; k++)
            five *= 5;
        if (five > UINT64_MAX / 8) continue;
        for (int change = -1; change <= 1; change++) {
            snw__big decimal; /* integer * 10^e10 against (integer * 5^e10 + change) * 2^e10 */
            snw__big_set(&decimal, integer);
            int sign =
                snw__big_compare_scaled(&decimal, e10, integer * five + (uint64_t)change, e10);
            assert_int_equal(sign, -change);
            snw__big_set(&decimal, integer * five + (uint64_t)change); /* both divided by 10^e10 */
            snw__big_shift_left(&decimal, zeros);
            sign = snw__big_compare_scaled(&decimal, -e10, integer, zeros - e10);
            assert_int_equal(sign, change);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_bit_patterns_parse_like_strtod),
        cmocka_unit_test(random_decimals_parse_like_strtod),
        cmocka_unit_test(midpoints_round_to_even_and_their_neighbours_to_the_near_side),
        cmocka_unit_test(special_texts_parse_like_strtod),
        cmocka_unit_test(very_long_texts_parse_like_strtod),
        cmocka_unit_test(what_is_no_number_is_refused_and_leaves_the_value),
        cmocka_unit_test(nan_parses_and_hexadecimal_stops_at_the_x),
        cmocka_unit_test(reading_never_looks_past_the_end),
        cmocka_unit_test(integers_parse_to_their_limits_and_not_beyond),
        cmocka_unit_test(doubles_print_shortest_and_nearest),
        cmocka_unit_test(floats_print_shortest_and_survive_the_way_through_double),
        cmocka_unit_test(floats_whose_shortest_text_fails_through_double_get_another_text),
        cmocka_unit_test(printed_layout_is_as_documented),
        cmocka_unit_test(fixed_prints_like_printf),
        cmocka_unit_test(a_locale_with_a_comma_changes_nothing),
        cmocka_unit_test(portable_multiplication_equals_the_compilers),
        cmocka_unit_test(long_integers_compare_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

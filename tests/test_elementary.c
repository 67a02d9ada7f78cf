/* The elementary functions of base/elementary.h against MPFR at 200 bits: errors in ulp over random
 * arguments of every size, the special values of ISO C Annex F, and the bits themselves. */
#include <inttypes.h>

#include "base/elementary.h"
#include "check.h"

typedef double (*one_argument)(double);
typedef double (*two_arguments)(double, double);

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Both signs, exponents uniform in [low, high]. */
static double any_size(snw_random *random, int low, int high)
{
    int exponent = low + (int)snw_random_below(random, (uint32_t)(high - low + 1));
    double value = ldexp(1 + snw_random_unit(random), exponent);
    return snw_random_below(random, 2) ? -value : value;
}

#if defined(SINEW_HAS_MPFR)
#include <mpfr.h>

typedef int (*mpfr_one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*mpfr_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/* |value - truth| in units of the last place of the truth as a double. */
static double error_in_ulp(double value, const mpfr_t truth)
{
    double near = mpfr_get_d(truth, MPFR_RNDN);
    if (isinf(near) || isinf(value)) return value == near ? 0 : INFINITY;
    double size = fabs(near), ulp = size < 0x1p-1022 ? 0x1p-1074 : 0;
    int exponent;
    if (ulp == 0) {
        frexp(size, &exponent);
        ulp = ldexp(1, exponent - 53);
    }
    mpfr_t difference;
    mpfr_init2(difference, 300);
    mpfr_set_d(difference, value, MPFR_RNDN);
    mpfr_sub(difference, difference, truth, MPFR_RNDN);
    mpfr_div_d(difference, difference, ulp, MPFR_RNDN);
    double off = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return off;
}

/* Arguments x between -2^high and 2^high with exponents from `low`, or within [from, to]. */
typedef struct one_row {
    const char *name;
    one_argument ours;
    mpfr_one truth;
    int low, high;
    double from, to; /* both 0: by exponents */
    double allowed;  /* ulp; what base/elementary.h promises */
} one_row;

static const one_row one_rows[] = {
    {"sin", snw__sin, mpfr_sin, -60, 4, 0, 0, 1},
    {"sin", snw__sin, mpfr_sin, 0, 0, -7, 7, 1},
    {"sin", snw__sin, mpfr_sin, 4, 40, 0, 0, 1},
    {"sin", snw__sin, mpfr_sin, 40, 1023, 0, 0, 1},
    {"cos", snw__cos, mpfr_cos, -60, 4, 0, 0, 1},
    {"cos", snw__cos, mpfr_cos, 0, 0, -7, 7, 1},
    {"cos", snw__cos, mpfr_cos, 4, 1023, 0, 0, 1},
    {"tan", snw__tan, mpfr_tan, 0, 0, -7, 7, 1},
    {"tan", snw__tan, mpfr_tan, -60, 1023, 0, 0, 1},
    {"asin", snw__asin, mpfr_asin, 0, 0, -1, 1, 1},
    {"asin", snw__asin, mpfr_asin, -60, -1, 0, 0, 1},
    {"acos", snw__acos, mpfr_acos, 0, 0, -1, 1, 1},
    {"acos", snw__acos, mpfr_acos, 0, 0, 0.999999, 1, 1},
    {"acos", snw__acos, mpfr_acos, -60, -1, 0, 0, 1},
    {"atan", snw__atan, mpfr_atan, 0, 0, -4, 4, 1},
    {"atan", snw__atan, mpfr_atan, -1022, 1023, 0, 0, 1},
    {"exp", snw__exp, mpfr_exp, 0, 0, -745, 710, 1},
    {"exp", snw__exp, mpfr_exp, 0, 0, -745.2, -707, 1}, /* subnormal answers */
    {"exp", snw__exp, mpfr_exp, -60, 2, 0, 0, 1},
    {"expm1", snw__expm1, mpfr_expm1, 0, 0, -2, 2, 1},
    {"expm1", snw__expm1, mpfr_expm1, -60, 9, 0, 0, 1},
    {"log", snw__log, mpfr_log, 0, 0, 0.4, 3, 1},
    {"log", snw__log, mpfr_log, 0, 0, 0.9999, 1.0001, 1},
    {"log", snw__log, mpfr_log, -1073, 1023, 0, 0, 1},
    {"log1p", snw__log1p, mpfr_log1p, 0, 0, -1, 2, 1},
    {"log1p", snw__log1p, mpfr_log1p, -60, 1023, 0, 0, 1},
    {"cbrt", snw__cbrt, mpfr_cbrt, -1073, 1023, 0, 0, 1},
    {"sinh", snw__sinh, mpfr_sinh, -60, 9, 0, 0, 3},
    {"sinh", snw__sinh, mpfr_sinh, 0, 0, -2, 2, 3},
    {"cosh", snw__cosh, mpfr_cosh, -60, 9, 0, 0, 3},
    {"cosh", snw__cosh, mpfr_cosh, 0, 0, -2, 2, 3},
    {"tanh", snw__tanh, mpfr_tanh, -60, 6, 0, 0, 3},
    {"tanh", snw__tanh, mpfr_tanh, 0, 0, -2, 2, 3},
};

static void functions_of_one_argument_are_within_their_ulps(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(16, 1);
    mpfr_t x, truth;
    mpfr_init2(x, 53);
    mpfr_init2(truth, 200);
    for (size_t r = 0; r < sizeof one_rows / sizeof *one_rows; r++) {
        const one_row *row = &one_rows[r];
        double worst = 0, at = 0;
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            double value = row->from == 0 && row->to == 0
                               ? any_size(&random, row->low, row->high)
                               : snw_random_range(&random, row->from, row->to);
            mpfr_set_d(x, value, MPFR_RNDN);
            row->truth(truth, x, MPFR_RNDN);
            if (mpfr_nan_p(truth)) {
                assert_true(isnan(row->ours(value)));
                continue;
            }
            double off = error_in_ulp(row->ours(value), truth);
            if (!(off <= worst)) {
                worst = off;
                at = value;
            }
        }
        print_message("%-6s largest error %.3f ulp at %.17g\n", row->name, worst, at);
        if (!(worst <= row->allowed)) fail_msg("%s is off by %g ulp", row->name, worst);
    }
    mpfr_clear(x);
    mpfr_clear(truth);
}

typedef struct two_row {
    const char *name;
    two_arguments ours;
    mpfr_two truth;
    int low[2], high[2];
} two_row;

static const two_row two_rows[] = {
    {"atan2", snw__atan2, mpfr_atan2, {-3, -3}, {3, 3}},
    {"atan2", snw__atan2, mpfr_atan2, {-60, -3}, {3, 3}},
    {"atan2", snw__atan2, mpfr_atan2, {-1073, -1073}, {1023, 1023}},
    {"hypot", snw__hypot, mpfr_hypot, {-3, -3}, {3, 3}},
    {"hypot", snw__hypot, mpfr_hypot, {-1073, -1073}, {1023, 1023}},
    {"hypot", snw__hypot, mpfr_hypot, {-1073, -1073}, {-1015, -1015}},
    {"pow", snw__pow, mpfr_pow, {-3, -3}, {3, 3}},
    {"pow", snw__pow, mpfr_pow, {-1073, -10}, {1023, 3}},
    {"pow", snw__pow, mpfr_pow, {-1, 0}, {0, 10}},
};

static void functions_of_two_arguments_are_within_one_ulp(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(16, 2);
    mpfr_t x, y, truth;
    mpfr_init2(x, 53);
    mpfr_init2(y, 53);
    mpfr_init2(truth, 200);
    for (size_t r = 0; r < sizeof two_rows / sizeof *two_rows; r++) {
        const two_row *row = &two_rows[r];
        double worst = 0, at[2] = {0};
        for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
            double a = any_size(&random, row->low[0], row->high[0]);
            double b = any_size(&random, row->low[1], row->high[1]);
            if (row->ours == snw__pow && n % 8) a = fabs(a);
            if (row->ours == snw__pow && a < 0) b = round(b);
            mpfr_set_d(x, a, MPFR_RNDN);
            mpfr_set_d(y, b, MPFR_RNDN);
            row->truth(truth, x, y, MPFR_RNDN);
            double off = error_in_ulp(row->ours(a, b), truth);
            if (!(off <= worst)) {
                worst = off;
                at[0] = a;
                at[1] = b;
            }
        }
        print_message("%-6s largest error %.3f ulp at %.17g, %.17g\n", row->name, worst, at[0],
                      at[1]);
        if (!(worst <= 1)) fail_msg("%s is off by %g ulp", row->name, worst);
    }
    mpfr_clears(x, y, truth, (mpfr_ptr)0);
}

/* Doubles very near to multiples of pi/2, where all digits of the difference come from the far bits
 * of pi: the best rational approximations m 2^e ~ k pi/2, found by walking the multiples. */
static void angles_next_to_multiples_of_a_quarter_turn_keep_all_digits(void **state)
{
    (void)state;
    static const double hard[] = {
        0x1.921fb54442d18p+0,         0x1.921fb54442d18p+1,
        0x1.2d97c7f3321d2p+2,         0x1.5fdbbe9bba775p+3,
        0x1.6ac5b262ca1ffp+849, /* the double nearest to a multiple of pi/2 (Muller 2006, 11.3) */
        6381956970095103.0 * 0x1p797, 1e22,
        0x1.fffffffffffffp1023,       5.319372648326541e+255};
    mpfr_t x, truth;
    mpfr_init2(x, 53);
    mpfr_init2(truth, 200);
    for (size_t n = 0; n < sizeof hard / sizeof *hard; n++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double value = sign * hard[n];
            mpfr_set_d(x, value, MPFR_RNDN);
            mpfr_sin(truth, x, MPFR_RNDN);
            check_near(error_in_ulp(snw__sin(value), truth), 0, 1);
            mpfr_cos(truth, x, MPFR_RNDN);
            check_near(error_in_ulp(snw__cos(value), truth), 0, 1);
            mpfr_tan(truth, x, MPFR_RNDN);
            check_near(error_in_ulp(snw__tan(value), truth), 0, 1);
        }
    mpfr_clears(x, truth, (mpfr_ptr)0);
}
#endif

/* The same double, or both NaN; zeros with their signs. */
static void check_same(const char *what, double actual, double expected)
{
    bool is_same = isnan(expected) ? isnan(actual) : bits_of(actual) == bits_of(expected);
    if (!is_same) fail_msg("%s is %g, expected %g", what, actual, expected);
}
#define CHECK_SAME(actual, expected) check_same(#actual, actual, expected)

static void special_values_are_those_of_annex_f(void **state)
{
    (void)state;
    const double inf = INFINITY, pi = SNW_PI;
    CHECK_SAME(snw__sin(-0.0), -0.0);
    CHECK_SAME(snw__sin(inf), NAN);
    CHECK_SAME(snw__cos(-inf), NAN);
    CHECK_SAME(snw__cos(0), 1);
    CHECK_SAME(snw__tan(-0.0), -0.0);
    CHECK_SAME(snw__asin(1.0000000000000002), NAN);
    CHECK_SAME(snw__asin(-0.0), -0.0);
    CHECK_SAME(snw__acos(1), 0);
    CHECK_SAME(snw__acos(-1), pi);
    CHECK_SAME(snw__atan(inf), pi / 2);
    CHECK_SAME(snw__atan2(0, -0.0), pi);
    CHECK_SAME(snw__atan2(-0.0, -0.0), -pi);
    CHECK_SAME(snw__atan2(-0.0, 0), -0.0);
    CHECK_SAME(snw__atan2(-1, 0), -pi / 2);
    CHECK_SAME(snw__atan2(1, -inf), pi);
    CHECK_SAME(snw__atan2(-1, inf), -0.0);
    CHECK_SAME(snw__atan2(inf, 5), pi / 2);
    CHECK_SAME(snw__atan2(inf, inf), pi / 4);
    CHECK_SAME(snw__atan2(-inf, -inf), -3 * pi / 4);
    CHECK_SAME(snw__atan2(NAN, 1), NAN);
    CHECK_SAME(snw__hypot(NAN, -inf), inf);
    CHECK_SAME(snw__hypot(NAN, 0), NAN);
    CHECK_SAME(snw__hypot(3e300, 4e300), 5e300);
    CHECK_SAME(snw__hypot(0, -0.0), 0);
    CHECK_SAME(snw__exp(-inf), 0);
    CHECK_SAME(snw__exp(inf), inf);
    CHECK_SAME(snw__exp(0), 1);
    CHECK_SAME(snw__exp(709.79), inf);
    CHECK_SAME(snw__expm1(-0.0), -0.0);
    CHECK_SAME(snw__expm1(-inf), -1);
    CHECK_SAME(snw__log(0), -inf);
    CHECK_SAME(snw__log(-1), NAN);
    CHECK_SAME(snw__log(1), 0);
    CHECK_SAME(snw__log(inf), inf);
    CHECK_SAME(snw__log1p(-1), -inf);
    CHECK_SAME(snw__log1p(-0.0), -0.0);
    CHECK_SAME(snw__pow(NAN, 0), 1);
    CHECK_SAME(snw__pow(1, NAN), 1);
    CHECK_SAME(snw__pow(-1, inf), 1);
    CHECK_SAME(snw__pow(-8, 3), -512);
    CHECK_SAME(snw__pow(-8, 1.5), NAN);
    CHECK_SAME(snw__pow(-0.0, -3), -inf);
    CHECK_SAME(snw__pow(-0.0, 3), -0.0);
    CHECK_SAME(snw__pow(-inf, 3), -inf);
    CHECK_SAME(snw__pow(-inf, -2), 0);
    CHECK_SAME(snw__pow(0.5, -inf), inf);
    CHECK_SAME(snw__pow(1.0000000000000002, 1e308), inf);
    CHECK_SAME(snw__pow(2, -1074), 0x1p-1074);
    CHECK_SAME(snw__pow(10, 22), 1e22);
    CHECK_SAME(snw__cbrt(-27), -3);
    CHECK_SAME(snw__cbrt(-0.0), -0.0);
    CHECK_SAME(snw__sinh(-inf), -inf);
    CHECK_SAME(snw__sinh(NAN), NAN);
    CHECK_SAME(snw__cosh(-inf), inf);
    CHECK_SAME(snw__tanh(-inf), -1);
    CHECK_SAME(snw__tanh(-0.0), -0.0);
}

static void sine_and_cosine_together_are_those_apart(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(16, 3);
    for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
        double x = any_size(&random, -60, 1023), sine, cosine;
        snw__sin_cos(x, &sine, &cosine);
        check_same("sine", sine, snw__sin(x));
        check_same("cosine", cosine, snw__cos(x));
    }
}

/* FNV-1a over the bits of many answers: the one number that must be the same on every machine. */
static void the_bits_are_those_of_every_machine(void **state)
{
    (void)state;
    static const one_argument ones[] = {snw__sin,  snw__cos,  snw__tan,   snw__asin, snw__acos,
                                        snw__atan, snw__exp,  snw__expm1, snw__log,  snw__log1p,
                                        snw__cbrt, snw__sinh, snw__cosh,  snw__tanh};
    static const two_arguments twos[] = {snw__atan2, snw__hypot, snw__pow};
    snw_random random = snw_random_seed(16, 4);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int n = 0; n < 20000; n++) {
        double x = any_size(&random, -40, n % 4 ? 3 : 900), y = any_size(&random, -3, 6);
        for (size_t f = 0; f < sizeof ones / sizeof *ones + sizeof twos / sizeof *twos; f++) {
            size_t count = sizeof ones / sizeof *ones;
            double value = f < count ? ones[f](x) : twos[f - count](fabs(x), y);
            uint64_t bits = isnan(value) ? 1 : bits_of(value);
            hash = (hash ^ bits) * UINT64_C(0x100000001b3);
        }
    }
    print_message("hash %016" PRIx64 "\n", hash);
    assert_true(hash == UINT64_C(0x3853b0b8e80e1399));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined(SINEW_HAS_MPFR)
        cmocka_unit_test(functions_of_one_argument_are_within_their_ulps),
        cmocka_unit_test(functions_of_two_arguments_are_within_one_ulp),
        cmocka_unit_test(angles_next_to_multiples_of_a_quarter_turn_keep_all_digits),
#endif
        cmocka_unit_test(special_values_are_those_of_annex_f),
        cmocka_unit_test(sine_and_cosine_together_are_those_apart),
        cmocka_unit_test(the_bits_are_those_of_every_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

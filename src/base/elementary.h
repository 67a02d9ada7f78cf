/* Elementary functions whose bits do not depend on the machine. Internal.
 *
 * A C library may return any neighbour of the true value, and glibc's own answers differ between
 * processors with and without fused multiply-add, between versions, and from musl's. These use
 * additions, multiplications, divisions and square roots alone, which IEEE 754 rounds in one way,
 * so the same input gives the same bits wherever doubles are evaluated as doubles and nothing is
 * fused (see docs/conventions.md). Everything under src/ calls these and never the C library's;
 * tests/check_libm holds that, tests/test_elementary.c measures the errors against MPFR:
 *
 *     function                          largest error in ulp   holds for
 *     sin cos tan                       1                      every finite angle
 *     asin acos atan atan2 hypot        1                      everything
 *     exp expm1 log log1p pow cbrt      1                      everything, subnormal answers too
 *     sinh cosh tanh                    3                      everything
 *
 * Special values are those of ISO C, Annex F; errno and the exception flags mean nothing.
 * fabs, floor, ceil, round, fmod, remainder, frexp, ldexp and sqrt are exact by definition: the C
 * library's serve. */
#ifndef SNW_BASE_ELEMENTARY_H
#define SNW_BASE_ELEMENTARY_H

double snw__sin(double x);
double snw__cos(double x);
double snw__tan(double x);
/* Both, for the price of little more than one. */
void snw__sin_cos(double x, double *sine, double *cosine);

double snw__asin(double x);
double snw__acos(double x);
double snw__atan(double x);
double snw__atan2(double y, double x);
double snw__hypot(double x, double y);

double snw__exp(double x);
double snw__expm1(double x);
double snw__log(double x);
double snw__log1p(double x);
double snw__pow(double x, double y);
double snw__cbrt(double x);
double snw__sinh(double x);
double snw__cosh(double x);
double snw__tanh(double x);

#endif

/* When numbers are the same, and when an iteration has gone on for too long: for every module, in
 * one place. Internal.
 *
 * [derived] of 53 bits, 1.1e-16 for one rounding. */
#ifndef SNW_MATH_TOLERANCE_H
#define SNW_MATH_TOLERANCE_H

#include <float.h>

/* [derived] Relative. What a hundred roundings leave: an exact lock, a touch, a point on a line. */
#define SNW__ROUND_OFF 1e-14
/* [derived] Relative. What ten thousand roundings leave, of sums over a trial: two numbers that
 * differ by less are one. */
#define SNW__EXACT (100 * SNW__ROUND_OFF)
/* [derived] Relative. Unit lengths, right angles, ties and degenerate shapes: three digits above
 * what sums leave, three below what seven digits of text say. */
#define SNW__SAME (1000 * SNW__EXACT)
/* [derived] Relative or metres. What went through single precision or seven digits of text. */
#define SNW__SINGLE 1e-6
/* [derived] Rounds of a mean shape (Gower 1975): each divides the first frame's noise by the square
 * root of their number. */
#define SNW__MEAN_ROUNDS 4
/* Steps of Newton's method from near the answer: each doubles the digits, and six doublings make 64
 * bits of one. */
enum {
    SNW__ROUNDS_NEAR = 6
};
/* [derived] Steps of an iteration that halves what is left: 24 leave what single precision holds.
 */
#define SNW__ROUNDS_LINEAR FLT_MANT_DIG
/* Steps of an iteration that ends by itself after ten or so: only damaged numbers come here. */
enum {
    SNW__ROUNDS_MAX = 100
};

#endif

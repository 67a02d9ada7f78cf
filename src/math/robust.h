/* Robust estimates: values of the normal distribution, the cut, the cost. Internal.
 *
 * The robust cost of Geman & McClure (1987, "Statistical methods for tomographic image
 * reconstruction"), of a squared residual x2 in units of its scale: like x2 near 0, bounded far
 * away. At the scale a residual weighs a quarter. */
#ifndef SNW_MATH_ROBUST_H
#define SNW_MATH_ROBUST_H

/* Values of the normal distribution. Standard deviation over median deviation, 1 / Phi^-1(3/4). */
static const double SNW__SIGMA_OF_MEDIAN = 1.4826;
/* Of a squared distance with three normal coordinates, in variances (chi squared with three degrees
 * of freedom): one in two is larger, and one in a million. */
static const double SNW__CHI2_MEDIAN = 2.366, SNW__CHI2_RARE = 30.66;
/* The same with two: 2 ln 2. */
static const double SNW__CHI2_MEDIAN_TWO = 1.386;
/* [derived] Standard deviations, or medians of as many: what is farther off is no noise (normal:
 * one in five hundred million), but a marker gone wrong. */
#define SNW__OUTLIER (2 * SNW__UNUSUAL)
/* [derived] The same where one of a hundred may be mistaken: three standard deviations. */
#define SNW__UNUSUAL 3.0
/* Logarithms of likelihood ratios, nats. [published] Jeffreys (1961) calls 100 to 1 decisive, which
 * is 4.6: 5 where one question is asked; [derived] 10 where a hundred are, each of which could be
 * answered by chance; what is told apart by less than 1 is the same. */
#define SNW__NAT               1.0
#define SNW__EVIDENCE          5.0
#define SNW__EVIDENCE_DECISIVE (2 * SNW__EVIDENCE)
/* [chosen] Share of the samples that swaps and wild frames are at most, and share of the frames
 * that must show a marker for it to take part. */
#define SNW__STRAY_SHARE 0.02
#define SNW__SEEN_LEAST  0.2
/* [chosen] Shares in words. One in twenty and one in ten may be something else; nearly all are not;
 * a second axis, distance or variance below MINOR of the first is noise, or skin; what is more than
 * HALF [derived] is the majority, or counts as much as all else. */
#define SNW__RARELY 0.05
#define SNW__FEW    (2 * SNW__RARELY)
#define SNW__MINOR  0.3
#define SNW__HALF   (1.0 / 2)
#define SNW__MOST   (1 - SNW__FEW)
/* [chosen] Times: what an estimate from few samples, over a lever, or with skin may be off by. */
#define SNW__RESERVE 2.0
/* [derived] Samples that an estimate needs: a median 6, a path that is filtered as many on either
 * side, a spread 20, of which it is known to 1 / sqrt(40) = 16 %. */
#define SNW__SAMPLES_MEDIAN 6
#define SNW__SAMPLES_PATH   (2 * SNW__SAMPLES_MEDIAN)
#define SNW__SAMPLES_MIN    20
/* Room for samples of a trial that has more. What all frames have in common shows in 60; a spread
 * is known to 6 % from 150 and to 4 % from 400; a mean shape of 600 frames has a twenty-fifth of
 * their noise; 1000 teach twenty components; 3000 are all that a calibration looks at. */
enum {
    SNW__SAMPLES_LOOK = 60,
    SNW__SAMPLES_JUDGE = 150,
    SNW__SAMPLES_SPREAD = 400,
    SNW__SAMPLES_SHAPE = 600,
    SNW__SAMPLES_LEARN = 1000,
    SNW__SAMPLES_CALIBRATE = 3000
};

/* x2 / (1 + x2): between 0 and 1. */
static inline double snw__geman_mcclure_cost(double x2)
{
    return x2 / (1 + x2);
}

/* The derivative of the cost by x2, 1 / (1 + x2)^2: the weight in least squares. */
static inline double snw__geman_mcclure_weight(double x2)
{
    return 1 / ((1 + x2) * (1 + x2));
}

#endif

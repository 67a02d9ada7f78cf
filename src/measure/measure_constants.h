/* The constants of this module in one table; marks as in calibrate_constants.h. What is told of a
 * motion. Internal. */
#ifndef SNW_MEASURE_MEASURE_CONSTANTS_H
#define SNW_MEASURE_MEASURE_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- filter.c ---------------------------------------------------------------------- */

enum {
    /* How far the ends are continued: the filter's memory of one period of the lowest cut-off in
     * use is longer than most captures, so as much as there is and there is room for. */
    FILTER_END_MAX = 200,
    RESIDUAL_STEPS = 40 /* room for cut-offs from 1 Hz to the highest */
};

/* ---- gait_events.c ----------------------------------------------------------------- */

/* [chosen] but where a source stands.
 *     EVENT_CUTOFF      Hz; Zeni et al. use 6: walking has nothing above (Winter 2009, 3.4.3)
 *     EVENT_PROMINENCE  of the range of the signal: a step is at least so much of the longest; half
 *                       steps at the start of a walk are above, wobble in standing is below
 *     STRIDE_SHORTEST   metres; the heel of a walking person swings by more
 *     EVENT_SWING       thresholds of speed that a swinging foot exceeds
 *     EVENT_OFF_SPEED   thresholds of speed at which a toe has left, where place decides the rest
 *     EVENT_SAME        seconds; nearer offs by place and by speed are one
 *     EVENT_TIME_MIN    seconds; a step takes two events a foot and longer: more are not walking */
#define EVENT_CUTOFF     7.0
#define EVENT_PROMINENCE SNW__MINOR
#define EVENT_SWING      SNW__RESERVE
#define EVENT_OFF_SPEED  3.0
#define EVENT_SAME       0.24
#define EVENT_TIME_MIN   (1 / SNW__STEPS_FASTEST)

/* ---- gait_line.c ------------------------------------------------------------------- */

/* [chosen] The way from end to end is at least this share of the way on foot where nobody turns. */
#define LINE_STRAIGHT SNW__MOST

/* ---- gait_strides.c ---------------------------------------------------------------- */

/* [chosen] but where a source stands.
 *     STRIDE_TIME_MAX  seconds; events that lie longer apart are not walking
 *     STRIDE_TIME_MIN  seconds; two steps of the fastest
 *     STRIDE_LONGEST   metres; two of a sprinter's longest steps
 *     STRIDE_SHORTEST  metres along a straight way; a shuffle of 50 mm a step
 *     STRIDE_STEP_MIN  share of a stride that a step of the lame side still has; feet that strike
 *                      together jump: below half of Hsu et al.'s (2003) most uneven strides, 0.3 */
#define STRIDE_TIME_MAX 3.0
#define STRIDE_TIME_MIN (2 / SNW__STEPS_FASTEST)
#define STRIDE_LONGEST  (2 * SNW__STEP_LONGEST)
#define STRIDE_SHORTEST 0.1
#define STRIDE_STEP_MIN (SNW__STEP_LAMEST / 2)

#endif

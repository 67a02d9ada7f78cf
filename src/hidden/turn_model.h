/* The variable turn model of a moving point, and filters of one marker. Internal. */
#ifndef SNW_HIDDEN_TURN_MODEL_H
#define SNW_HIDDEN_TURN_MODEL_H

#include <sinew/math.h>

/* x' = x + f12 v + f13 a,  v' = f22 v + f23 a,  a' = f32 v + f33 a; the same for each axis. */
typedef struct snw__turn {
    double f12, f13, f22, f23, f32, f33;
} snw__turn;

/* alpha: how fast the speed falls, 1/s; omega: how fast the direction turns, rad/s; step: seconds.
 * Both are clamped so that one step neither doubles the speed nor turns by more than 90 degrees. */
snw__turn snw__turn_transition(double alpha, double omega, double step);
/* Covariance that white noise of unit density on the derivative of a adds in a step: xx xv xa vv va
 * aa. */
void snw__turn_noise(double alpha, double omega, double step, double q[6]);
/* alpha and omega of a velocity and an acceleration; both 0 below 1 mm/s, where nothing tells. */
void snw__turn_parameters(snw_vec3 velocity, snw_vec3 acceleration, double *alpha, double *omega);

/* ---- one marker -------------------------------------------------------------------------------
 */

typedef enum snw__filter_kind {
    SNW__FILTER_TURN,     /* variable turn model */
    SNW__FILTER_VELOCITY, /* constant velocity */
    SNW__FILTER_LINE,     /* extrapolation along the last step */
    SNW__FILTER_CIRCLE    /* and with the turn of the last two */
} snw__filter_kind;

enum {
    SNW__FILTER_MEDIAN = 5 /* velocities of the running median */
};

typedef struct snw__marker_filter {
    bool has_state;
    snw_vec3 x, v, a;
    double p[6];                         /* covariance of one axis: xx xv xa vv va aa */
    snw_vec3 last;                       /* the position before x */
    snw_vec3 step;                       /* from before that to last */
    snw_vec3 recent[SNW__FILTER_MEDIAN]; /* velocities, a ring */
    int recent_count;
    snw_vec3 smooth;        /* their median */
    snw_vec3 smooth_before; /* one frame ago */
} snw__marker_filter;

/* Where the marker is expected `step` seconds on; advances the state. */
snw_vec3 snw__filter_predict(snw__marker_filter *filter, snw__filter_kind kind, double step);
/* Takes an observation with this standard deviation. The first one starts the filter. */
void snw__filter_update(snw__marker_filter *filter, snw__filter_kind kind, snw_vec3 seen,
                        double sigma, double step);

#endif

/* Weighted least squares for one finger. Internal. */
#ifndef SNW_HAND_HAND_FIT_H
#define SNW_HAND_HAND_FIT_H

#include "hand/finger.h"

/* What is known of one finger in one frame, in its rest frame. A spread of 0 in `expected_spread`
 * leaves the row out. */
typedef struct snw__fit_rows {
    bool is_seen[3]; /* middle joint, outer joint, tip */
    snw_vec3 place[3];
    double noise;              /* metres, of the places */
    bool has_follow;           /* outer follows middle flexion */
    double expected[4];        /* angles that something else predicts */
    double expected_spread[4]; /* radians, one standard deviation */
} snw__fit_rows;

/* Moves `angle` to the minimum of the weighted squares within the finger's limits. */
void snw__fit_finger(const snw__finger *finger, const snw__fit_rows *rows, double angle[4]);

#endif

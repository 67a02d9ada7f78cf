/* How a joint turned, and what that leaves open about its centre: joint_turns.h. */
#include "calibrate/joint_turns.h"

#include <string.h>

#include "base/elementary.h"
#include "calibrate/calibrate_constants.h"
#include "center/center.h"
#include "math/symmetric3.h"

snw__joint_turns snw__joint_turns_of(const snw_quat *rotation, int count, int stride)
{
    snw__joint_turns turns;
    memset(&turns, 0, sizeof turns);
    turns.reference =
        count > 0 ? rotation[(size_t)(count / 2) * (size_t)stride] : snw_quat_identity();
    snw_vec3 sum = snw_vec3_make(0, 0, 0);
    for (int n = 0; n < count; n++) {
        snw_vec3 turn = snw_quat_log(snw_quat_mul(snw_quat_conjugate(turns.reference),
                                                  rotation[(size_t)n * (size_t)stride]));
        sum = snw_vec3_add(sum, turn);
        snw__add_outer(&turns.spread, 1.0 / count, turn);
    }
    if (count > 0) snw__add_outer(&turns.spread, -1, snw_vec3_scale(sum, 1.0 / count));
    return turns;
}

snw_vec3 snw__joint_turns_axis(const snw__joint_turns *turns)
{
    snw__spectrum3 arc = snw__spectrum3_of(turns->spread);
    if (!(arc.value[1] < TURNS_SECOND * TURNS_SECOND * arc.value[0])) return snw_vec3_make(0, 0, 0);
    return snw_vec3_scale(arc.vector[0], sqrt(arc.value[0]));
}

snw_mat3 snw__joint_turns_open(const snw__joint_turns *turns, double slip)
{
    snw__spectrum3 arc = snw__spectrum3_of(turns->spread);
    double all = arc.value[0] + arc.value[1] + arc.value[2];
    snw_mat3 covariance;
    memset(&covariance, 0, sizeof covariance);
    for (int k = 0; k < 3; k++) {
        double shows = fmax(all - arc.value[k], 0);
        /* Metres. No centre is open by more: the breadth of a thigh. */
        double open = fmin(slip * slip / fmax(shows, TURNS_LEAST * TURNS_LEAST),
                           SNW__CENTER_OPEN * SNW__CENTER_OPEN);
        snw__add_outer(&covariance, open, arc.vector[k]);
    }
    return covariance;
}

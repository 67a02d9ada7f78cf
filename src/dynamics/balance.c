/* Newton's and Euler's equations of one rigid segment (Winter 2009, 5.1 and 7.4). */
#include <sinew/dynamics.h>

snw_load snw_segment_balance(const snw_moving_segment *segment, const snw_load *loads, int count,
                             snw_vec3 gravity, snw_vec3 joint)
{
    /* I about the segment's own axes: the rate of turn of I w is I a + w x I w. */
    snw_quat back = snw_quat_conjugate(segment->rotation);
    snw_vec3 w = snw_quat_rotate(back, segment->spin);
    snw_vec3 a = snw_quat_rotate(back, segment->spin_rate);
    const double *inertia = segment->inertia;
    snw_vec3 turn = {inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z};
    snw_vec3 rate = {inertia[0] * a.x, inertia[1] * a.y, inertia[2] * a.z};
    rate = snw_quat_rotate(segment->rotation, snw_vec3_add(rate, snw_vec3_cross(w, turn)));
    snw_load out = {joint, {0, 0, 0}, rate};
    snw_vec3 inertial = snw_vec3_scale(snw_vec3_sub(segment->acceleration, gravity), segment->mass);
    out.force = inertial;
    out.moment =
        snw_vec3_add(out.moment, snw_vec3_cross(snw_vec3_sub(segment->center, joint), inertial));
    for (int n = 0; n < count; n++) {
        snw_vec3 arm = snw_vec3_sub(loads[n].point, joint);
        out.force = snw_vec3_sub(out.force, loads[n].force);
        out.moment = snw_vec3_sub(out.moment, loads[n].moment);
        out.moment = snw_vec3_sub(out.moment, snw_vec3_cross(arm, loads[n].force));
    }
    return out;
}

/* One-euro (Casiez, Roussel & Vogel, CHI 2012): a first-order low-pass whose cutoff rises with
 * speed, so that it lags by 1 / (2 pi cutoff) at rest (53 ms at 3 Hz) and by less the faster a hand
 * moves. Kalman: constant velocity in its steady state, which is the alpha-beta filter with
 * Kalata's gains (IEEE T. Aerospace 20, 1984); no lag at constant speed. */
#include "avatar/shake.h"
#include "avatar/avatar_constants.h"
#include "person/movement.h"

static double low_pass_share(double cutoff, double dt)
{
    double ratio = 2 * SNW_PI * cutoff * dt;
    return ratio / (ratio + 1);
}

static snw_xform one_euro(snw__shake *shake, double cutoff, snw_xform pose, double dt)
{
    double slow = low_pass_share(1, dt); /* Hz: the paper's default */
    snw_vec3 way = snw_vec3_sub(pose.translation, shake->pose.translation);
    snw_quat turn = snw_quat_mul(pose.rotation, snw_quat_conjugate(shake->pose.rotation));
    snw_vec3 angle = snw_quat_log(turn);
    shake->velocity = snw_vec3_lerp(shake->velocity, snw_vec3_scale(way, 1 / dt), slow);
    shake->spin = snw_vec3_lerp(shake->spin, snw_vec3_scale(angle, 1 / dt), slow);
    double move = low_pass_share(cutoff + SHAKE_SPEED_SLOPE * snw_vec3_length(shake->velocity), dt);
    double spin = low_pass_share(cutoff + SHAKE_SPIN_SLOPE * snw_vec3_length(shake->spin), dt);
    return snw_xform_make(snw_quat_normalize(snw_quat_mul(snw_quat_exp(snw_vec3_scale(angle, spin)),
                                                          shake->pose.rotation)),
                          snw_vec3_lerp(shake->pose.translation, pose.translation, move));
}

static snw_xform alpha_beta(snw__shake *shake, snw_xform pose, double dt)
{
    /* m/s^2: how a hand accelerates
     * metres: shake of a tracker */
    double lambda = SNW__ACCELERATION * dt * dt / SNW__NOISE_POOR; /* tracking index */
    double r = (4 + lambda - sqrt(8 * lambda + lambda * lambda)) / 4;
    double alpha = 1 - r * r, beta = 2 * (2 - alpha) - 4 * sqrt(1 - alpha);
    snw_vec3 ahead = snw_vec3_add_scaled(shake->pose.translation, dt, shake->velocity);
    snw_vec3 rest = snw_vec3_sub(pose.translation, ahead);
    shake->velocity = snw_vec3_add_scaled(shake->velocity, beta / dt, rest);
    snw_quat turned =
        snw_quat_mul(snw_quat_exp(snw_vec3_scale(shake->spin, dt)), shake->pose.rotation);
    snw_vec3 angle = snw_quat_log(snw_quat_mul(pose.rotation, snw_quat_conjugate(turned)));
    shake->spin = snw_vec3_add_scaled(shake->spin, beta / dt, angle);
    return snw_xform_make(
        snw_quat_normalize(snw_quat_mul(snw_quat_exp(snw_vec3_scale(angle, alpha)), turned)),
        snw_vec3_add_scaled(ahead, alpha, rest));
}

snw_xform snw__shake_step(snw__shake *shake, snw_shake_filter filter, double cutoff, snw_xform pose,
                          double dt)
{
    if (!shake->is_running || !(dt > 0) || filter == SNW_SHAKE_NONE) {
        shake->velocity = shake->spin = snw_vec3_make(0, 0, 0);
        shake->pose = pose;
    } else {
        shake->pose = filter == SNW_SHAKE_KALMAN ? alpha_beta(shake, pose, dt)
                                                 : one_euro(shake, cutoff, pose, dt);
    }
    shake->is_running = true;
    return shake->pose;
}

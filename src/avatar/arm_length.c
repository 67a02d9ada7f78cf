/* How long an arm is and where its elbow divides it, from the motion after the T-pose.
 *
 * The length follows from people nearly straightening their arms sooner or later. With the shoulder
 * at x along the line of the arm, length L(x) and r(x) the 98th percentile of wrist distances over
 * L(x),
 *
 *     minimise ((x - x0) / 2 cm)^2 - 2 log(0.8 N(r; 0.987, 0.007) + 0.2 U(0.7..1))
 *
 * where the second part of the mixture stands for those who never do (a runner). Measured on the
 * six motions of scripts/fit_swivel_prior: r = 0.977..0.999 in five, 0.68 and 0.83 in the run.
 *
 * Where the elbow divides the arm shows only in the angle between the forearm, whose direction the
 * hand gives away, and the line to the shoulder: with forearm share s of the length L and wrist
 * distance x L, cos(angle) = (s^2 + x^2 - (1 - s)^2) / (2 s x). The share is the one that fits both
 * arms best over the motion, bent frames counting more, weighed against the usual share. */
#include "avatar/tpose.h"

#include <string.h>

#include "avatar/avatar_constants.h"
#include "avatar/body_plan_avatar.h"
#include "base/elementary.h"
#include "math/robust.h"
#include "person/anthropometry.h"

snw_vec3 snw__avatar_wrist_in_chest(const snw_avatar_profile *profile,
                                    const snw_avatar_frame *frame, int side)
{
    int role = SNW_AVATAR_LEFT_HAND + side;
    snw_xform chest = snw_xform_mul(frame->world_from_tracker[SNW_AVATAR_CHEST],
                                    profile->tracker_from_bone[SNW_AVATAR_CHEST]);
    snw_vec3 wrist = snw_xform_point(frame->world_from_tracker[role],
                                     profile->tracker_from_bone[role].translation);
    return snw_xform_unpoint(chest, wrist);
}

snw__swivel_input snw__avatar_swivel_input(const snw_avatar_profile *profile,
                                           const snw_avatar_frame *frame, int side, double scale)
{
    int role = SNW_AVATAR_LEFT_HAND + side;
    snw_quat chest = snw_quat_mul(frame->world_from_tracker[SNW_AVATAR_CHEST].rotation,
                                  profile->tracker_from_bone[SNW_AVATAR_CHEST].rotation);
    snw_quat hand = snw_quat_mul(frame->world_from_tracker[role].rotation,
                                 profile->tracker_from_bone[role].rotation);
    snw_vec3 wrist = snw__avatar_wrist_in_chest(profile, frame, side);
    snw__swivel_input input;
    input.reach = snw_vec3_scale(snw_vec3_sub(wrist, profile->shoulder[side]), scale);
    input.hand = snw_quat_mul(snw_quat_conjugate(chest), hand);
    if (side == 1) {
        input.reach = snw__mirror_point(input.reach);
        input.hand = snw__mirror_turn(input.hand);
    }
    return input;
}

/* ---- the length of an arm ----------------------------------------------------------------- */

enum {
    LENGTH_BINS = 1500
};

/* [measured] What people do, on the six motions of scripts/fit_swivel_prior: the 98th percentile of
 * reach over length, and how far the shoulder's share of the width (metres), the forearm's share of
 * the arm and, one person left out at a time, the forearm's angle (radians) are off. */
static const struct {
    double straight, straight_spread, width_spread, share_spread, angle_spread;
} length_people = {0.987, 0.007, 0.02, 0.03, 0.078};

/* 98th percentile of the wrist's distance from `shoulder`, metres; 0 without samples. Bins of 1 mm.
 */
static double far_reach(const snw_avatar_capture *capture, const snw_avatar_profile *profile,
                        int side, int first, snw_vec3 shoulder)
{
    int bin[LENGTH_BINS] = {0}, count = 0;
    int step = 1 + (capture->frame_count - first) / SNW__SAMPLES_CALIBRATE;
    int role = SNW_AVATAR_LEFT_HAND + side;
    for (int f = first; f < capture->frame_count; f += step) {
        const snw_avatar_frame *frame = capture->frame + f;
        if (!frame->is_present[role] || !frame->is_present[SNW_AVATAR_CHEST]) continue;
        snw_vec3 wrist = snw__avatar_wrist_in_chest(profile, frame, side);
        double millimetres = 1000 * snw_vec3_distance(wrist, shoulder); /* of a stray: any */
        bin[millimetres < LENGTH_BINS ? (int)millimetres : LENGTH_BINS - 1]++;
        count++;
    }
    int above = 0, n = LENGTH_BINS - 1;
    for (; n > 0 && above + bin[n] <= 0.02 * count; n--)
        above += bin[n];
    return count >= 50 ? 0.001 * (n + 0.5) : 0;
}

snw_vec3 snw__tpose_shoulder_at(const snw__tpose_arm *arm, double x)
{
    double sign = arm->line.x < 0 ? -1 : 1;
    double length = (fabs(arm->wrist.x) - x) / fabs(arm->line.x);
    snw_vec3 shoulder = snw_vec3_add_scaled(arm->wrist, -length, arm->line);
    shoulder.x = sign * x;
    return shoulder;
}

/* The width at which reach and prior agree best (file head). */
double snw__tpose_settle_width(const snw_avatar_capture *capture, const snw_avatar_profile *profile,
                               int side, int first, const snw__tpose_arm *arm)
{
    double half_span = fabs(arm->wrist.x), expected = SNW__SHOULDER_OF_SPAN * half_span;
    double best = expected, least = INFINITY;
    /* Farther off, a runner who never straightens would pass for somebody with broad shoulders. */
    for (double x = expected - 0.045; x <= expected + 0.045; x += 0.001) {
        snw_vec3 shoulder = snw__tpose_shoulder_at(arm, x);
        double reach = far_reach(capture, profile, side, first, shoulder);
        if (!(reach > 0)) return expected;
        double ratio = reach / snw_vec3_distance(arm->wrist, shoulder);
        double off = (ratio - length_people.straight) / length_people.straight_spread;
        double width = (x - expected) / length_people.width_spread;
        double chance =
            LENGTH_STRAIGHT_SHARE * snw__exp(-0.5 * off * off) / length_people.straight_spread +
            (ratio < 1 ? (1 - LENGTH_STRAIGHT_SHARE) / 0.3 : 0) + 1e-9;
        double cost = width * width - 2 * snw__log(chance);
        if (cost < least) {
            least = cost;
            best = x;
        }
    }
    return best;
}

/* ---- where the elbow divides it ------------------------------------------------------------- */

enum {
    LENGTH_SHARES = 101 /* 0.25 to 0.5 */
};

typedef struct length_shares {
    double cost[LENGTH_SHARES]; /* sum of weighted squared angles */
    double weight;
} length_shares;

static double share_at(int n)
{
    return 0.25 + 0.0025 * n;
}

void snw__tpose_divide_arms(const snw_avatar_capture *capture, int first,
                            snw_avatar_profile *profile)
{
    length_shares shares;
    memset(&shares, 0, sizeof shares);
    for (int side = 0; side < 2; side++)
        if (profile->has_tracker[SNW_AVATAR_LEFT_HAND + side]) {
            int step = 1 + (capture->frame_count - first) / SNW__SAMPLES_CALIBRATE;
            int role = SNW_AVATAR_LEFT_HAND + side;
            double length = profile->upper_arm[side] + profile->forearm[side];
            for (int f = first; f < capture->frame_count; f += step) {
                const snw_avatar_frame *frame = capture->frame + f;
                if (!frame->is_present[role] || !frame->is_present[SNW_AVATAR_CHEST]) continue;
                snw__swivel_input input =
                    snw__avatar_swivel_input(profile, frame, side, 1 / length);
                double x = snw_vec3_length(input.reach);
                /* Straight arms have no angle, and strays are beyond what the regression knows. */
                double angle =
                    x < 1 ? snw_vec3_angle(snw__forearm_predict(&input), input.reach) : 0;
                double weight = 1 - x;
                shares.weight += 0.05; /* arms that never bend say little, however long they do */
                if (!(weight > 0) || !(x > 0.05)) continue;
                shares.weight += weight;
                for (int n = 0; n < LENGTH_SHARES; n++) {
                    double s = share_at(n);
                    double cosine = (s * s + x * x - (1 - s) * (1 - s)) / (2 * s * x);
                    double off = snw__acos(snw_clamp(cosine, -1, 1)) - angle;
                    shares.cost[n] +=
                        weight * fmin(off * off, LENGTH_ANGLE_OUTLIER * LENGTH_ANGLE_OUTLIER);
                }
            }
        }
    double share = SNW__FOREARM_OF_ARM, least = INFINITY;
    for (int n = 0; shares.weight > 0 && n < LENGTH_SHARES; n++) {
        double off = (share_at(n) - SNW__FOREARM_OF_ARM) / length_people.share_spread;
        double cost = off * off + shares.cost[n] / shares.weight /
                                      (length_people.angle_spread * length_people.angle_spread);
        if (cost < least) {
            least = cost;
            share = share_at(n);
        }
    }
    for (int side = 0; side < 2; side++) {
        double length = profile->upper_arm[side] + profile->forearm[side];
        profile->forearm[side] = share * length;
        profile->upper_arm[side] = length - profile->forearm[side];
    }
}

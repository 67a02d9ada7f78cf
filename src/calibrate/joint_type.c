/* Hinge, universal or ball: which is the least that explains the rotations?
 *
 * A hinge r = exp(a angle) m leaves two of the three turns away from the mean at zero; a universal
 * joint r = exp(a angle) m exp(b angle2) keeps the angle between a (fixed in the parent) and r b (b
 * fixed in the child): a . r b = c. What a type leaves over is compared with the noise of the same
 * quantity, measured without a model: over three frames in a row the second difference of a motion
 * is small, that of white noise has six times its variance. Off-axis motion that does not stand out
 * of the noise cannot be told from none; any other is kept.
 *
 * A joint that turned little is a ball: a short way along any curve looks like a hinge. */
#include "calibrate/joint_type.h"
#include "base/elementary.h"
#include "calibrate/calibrate_constants.h"
#include "math/kernel.h"
#include "math/robust.h"

#include <string.h>

#include <sinew/dense.h>

/* ---- turns and their noise ---------------------------------------------------------------- */

static snw_quat mean_rotation(const snw__joint_track *track)
{
    snw_quat mean = snw_quat_identity();
    bool has_mean = false;
    for (int pass = 0; pass < 4; pass++) {
        snw_vec3 sum = {0, 0, 0};
        int count = 0;
        for (int k = 0; k < track->count; k++) {
            if (!track->is_shown[k]) continue;
            if (!has_mean) mean = track->rotation[k];
            has_mean = true;
            snw_quat turn = snw_quat_mul(track->rotation[k], snw_quat_conjugate(mean));
            sum = snw_vec3_add(sum, snw_quat_log(turn));
            count++;
        }
        if (count == 0) return mean;
        snw_quat move = snw_quat_exp(snw_vec3_scale(sum, 1.0 / count));
        mean = snw_quat_normalize(snw_quat_mul(move, mean));
    }
    return mean;
}

/* Variance of the white noise in off (count), from second differences; negative: not known. */
static double noise_variance(const snw__joint_track *track)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k + 2 < track->count; k += 3) {
        if (!(track->is_shown[k] && track->is_shown[k + 1] && track->is_shown[k + 2])) continue;
        double bend = track->off[k] - 2 * track->off[k + 1] + track->off[k + 2];
        sum += bend * bend / 6;
        count++;
    }
    /* Moments, complete, that a type is judged by. */
    return count >= SNW__SAMPLES_PATH ? sum / count : -1;
}

static double mean_square(const snw__joint_track *track)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < track->count; k++)
        if (track->is_shown[k]) {
            sum += track->off[k] * track->off[k];
            count++;
        }
    return count ? sum / count : 0;
}

/* Main turns away from the mean. */
typedef struct type_turns {
    snw_quat mean;
    snw_vec3 axis[3];  /* parent's frame, by size of the turn about them */
    double spread2[3]; /* mean square turn */
    double noise2[3];  /* of which noise */
} type_turns;

static bool is_noise(double left2, double noise2)
{
    return left2 <= SNW__RESERVE * noise2 + TYPE_FLOOR * TYPE_FLOOR;
}

/* ---- universal ---------------------------------------------------------------------------- */

typedef struct type_universal {
    snw_vec3 a, b; /* unit: in the parent's frame, in the child's */
    double c;      /* a . r b */
    double cost;   /* mean square of a . r b - c */
} type_universal;

enum {
    TYPE_UNKNOWNS = 5
};

/* The step in a and b, along two perpendiculars each, and in c. */
typedef struct type_step {
    snw_vec3 across[4];
    double normal[TYPE_UNKNOWNS * TYPE_UNKNOWNS];
    double right[TYPE_UNKNOWNS];
} type_step;

static type_step step_of(const snw__joint_track *track, const type_universal *u)
{
    type_step step;
    memset(&step, 0, sizeof step);
    step.across[0] = snw_vec3_perpendicular(u->a);
    step.across[1] = snw_vec3_cross(u->a, step.across[0]);
    step.across[2] = snw_vec3_perpendicular(u->b);
    step.across[3] = snw_vec3_cross(u->b, step.across[2]);
    for (int k = 0; k < track->count; k++) {
        if (!track->is_shown[k]) continue;
        snw_vec3 rb = snw_quat_rotate(track->rotation[k], u->b);
        snw_vec3 ra = snw_quat_unrotate(track->rotation[k], u->a);
        double left = u->c - snw_vec3_dot(u->a, rb);
        const double row[TYPE_UNKNOWNS] = {
            snw_vec3_dot(step.across[0], rb), snw_vec3_dot(step.across[1], rb),
            snw_vec3_dot(step.across[2], ra), snw_vec3_dot(step.across[3], ra), -1};
        for (int i = 0; i < TYPE_UNKNOWNS; i++) {
            step.right[i] += row[i] * left;
            for (int j = 0; j < TYPE_UNKNOWNS; j++)
                step.normal[i * TYPE_UNKNOWNS + j] += row[i] * row[j];
        }
    }
    return step;
}

static void step_universal(const snw__joint_track *track, type_universal *u)
{
    type_step step = step_of(track, u);
    double trace = 0;
    for (int i = 0; i < TYPE_UNKNOWNS; i++)
        trace += step.normal[i * (TYPE_UNKNOWNS + 1)];
    /* A millionth of the curvature: axes stay where no motion settles them. */
    for (int i = 0; i < TYPE_UNKNOWNS; i++)
        step.normal[i * (TYPE_UNKNOWNS + 1)] += 1e-6 * trace + 1e-12;
    if (snw_cholesky_factor(step.normal, TYPE_UNKNOWNS) != SNW_OK ||
        snw_cholesky_solve(step.normal, TYPE_UNKNOWNS, step.right) != SNW_OK)
        return;
    snw_vec3 a = snw_vec3_add_scaled(u->a, step.right[0], step.across[0]);
    snw_vec3 b = snw_vec3_add_scaled(u->b, step.right[2], step.across[2]);
    u->a = snw_vec3_unit(snw_vec3_add_scaled(a, step.right[1], step.across[1]), u->a);
    u->b = snw_vec3_unit(snw_vec3_add_scaled(b, step.right[3], step.across[3]), u->b);
    u->c += step.right[4];
}

/* off (count): how far each rotation is from the universal joint, radians. */
static void fill_universal_off(const snw__joint_track *track, const type_universal *u)
{
    for (int k = 0; k < track->count; k++) {
        if (!track->is_shown[k]) continue;
        snw_vec3 rb = snw_quat_rotate(track->rotation[k], u->b);
        double sine = snw_vec3_length(snw_vec3_cross(u->a, rb));
        track->off[k] = (snw_vec3_dot(u->a, rb) - u->c) / fmax(sine, 0.1);
    }
}

static type_universal fit_universal(const snw__joint_track *track, const type_turns *turns,
                                    int first, int second)
{
    type_universal u = {turns->axis[first], snw_quat_unrotate(turns->mean, turns->axis[second]), 0,
                        0};
    for (int step = 0; step < SNW__ROUNDS_LINEAR; step++)
        step_universal(track, &u);
    fill_universal_off(track, &u);
    u.cost = mean_square(track);
    return u;
}

/* To first order a plane of turns does not tell which of its axes comes first: both are tried. */
static bool find_universal(const snw__joint_track *track, const type_turns *turns,
                           snw__joint_shape *shape)
{
    type_universal u = fit_universal(track, turns, 0, 1), other = fit_universal(track, turns, 1, 0);
    if (other.cost < u.cost) u = other;
    fill_universal_off(track, &u);
    double noise2 = noise_variance(track);
    if (!(noise2 >= 0 && is_noise(u.cost, noise2))) return false;
    if (turns->spread2[0] < TYPE_CLEAR * TYPE_CLEAR * noise2) return false;
    /* To first order a plane of turns has any two axes: only where both turns are large do they
     * show themselves. True when noise leaves neither open by more than SNW__TURN_LEAST. */
    type_step step = step_of(track, &u);
    if (snw_cholesky_factor(step.normal, TYPE_UNKNOWNS) != SNW_OK) return false;
    for (int i = 0; i < 4; i++) {
        double column[TYPE_UNKNOWNS] = {0};
        column[i] = 1;
        if (snw_cholesky_solve(step.normal, TYPE_UNKNOWNS, column) != SNW_OK) return false;
        if (!(noise2 * column[i] < SNW__TURN_LEAST * SNW__TURN_LEAST)) return false;
    }
    /* The identity, turned about both axes' normal until their angle is right. */
    snw_vec3 normal = snw_vec3_cross(u.a, u.b);
    /* sin of the angle between the axes of a universal joint: 30 degrees. */
    if (!(fabs(u.c) < sqrt(1 - SNW__COS_60 * SNW__COS_60))) return false;
    snw_vec3 unit = snw_vec3_unit(normal, snw_vec3_perpendicular(u.a));
    double angle = snw__atan2(snw_vec3_length(normal), snw_vec3_dot(u.a, u.b));
    shape->type = SNW_JOINT_UNIVERSAL;
    shape->axis = u.a;
    shape->axis2 = u.b;
    shape->rest = snw_quat_from_axis_angle(unit, snw__acos(u.c) - angle);
    return true;
}

/* ---- all types ---------------------------------------------------------------------------- */

static bool is_hinge(const type_turns *turns)
{
    double noise2 = turns->noise2[1] + turns->noise2[2];
    /* Radians, rms. A hinge turned this much about its axis: 3.5 degrees, about 12 from end to end.
     */
    return turns->spread2[0] >= TURN_SEEN * TURN_SEEN &&
           turns->spread2[0] >= TYPE_CLEAR * TYPE_CLEAR * noise2 &&
           is_noise(turns->spread2[1] + turns->spread2[2], noise2);
}

static bool is_fixed(const type_turns *turns)
{
    double left2 = 0, noise2 = 0;
    for (int a = 0; a < 3; a++) {
        left2 += turns->spread2[a];
        noise2 += turns->noise2[a];
    }
    return is_noise(left2, noise2) && noise2 < TURN_SEEN * TURN_SEEN / 36;
}

snw__joint_shape snw__joint_shape_find(const snw__joint_track *track, bool may_be_fixed)
{
    snw__joint_shape shape = {SNW_JOINT_BALL, {0, 0, 1}, {1, 0, 0}, snw_quat_identity()};
    type_turns turns;
    double moment[9] = {0}, values[3], vectors[9];
    turns.mean = mean_rotation(track);
    for (int k = 0; k < track->count; k++) {
        if (!track->is_shown[k]) continue;
        snw_quat turn = snw_quat_mul(track->rotation[k], snw_quat_conjugate(turns.mean));
        snw_vec3 r = track->turn[k] = snw_quat_log(turn);
        const double part[3] = {r.x, r.y, r.z};
        for (int i = 0; i < 9; i++)
            moment[i] += part[i / 3] * part[i % 3];
    }
    if (snw_eigen_symmetric(moment, 3, values, vectors) != SNW_OK) return shape;
    for (int a = 0; a < 3; a++) {
        turns.axis[a] = snw_vec3_make(vectors[3 * a], vectors[3 * a + 1], vectors[3 * a + 2]);
        for (int k = 0; k < track->count; k++)
            track->off[k] = snw_vec3_dot(track->turn[k], turns.axis[a]);
        turns.spread2[a] = mean_square(track);
        turns.noise2[a] = noise_variance(track);
        if (turns.noise2[a] < 0) return shape;
    }
    if (may_be_fixed && is_fixed(&turns)) {
        shape.type = SNW_JOINT_FIXED;
        shape.rest = turns.mean;
    } else if (is_hinge(&turns)) {
        shape.type = SNW_JOINT_HINGE;
        shape.axis = turns.axis[0];
        /* exp(a angle) m with the angle that brings it nearest to the identity. */
        double angle = -snw_quat_twist_angle(turns.mean, turns.axis[0]);
        shape.rest = snw_quat_normalize(
            snw_quat_mul(snw_quat_from_axis_angle(turns.axis[0], angle), turns.mean));
    } else if (turns.spread2[0] >= (2 * TURN_SEEN) * (2 * TURN_SEEN) &&
               turns.spread2[1] >= TURN_SEEN * TURN_SEEN) {
        (void)find_universal(track, &turns, &shape);
    }
    return shape;
}

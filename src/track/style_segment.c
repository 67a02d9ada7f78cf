/* Segments that nothing shows, frame after frame, as a style expects them.
 *
 * The style tells the mean of a hidden joint given all that are seen, in every frame anew; what it
 * does not know is how this body departs from it: this person, this way of moving. The departure d,
 * a rotation vector, is known where the joint is seen. It is a Gaussian process with the variance
 * that the style states and the correlation
 *
 *     k(t) = a (1 + t/T) e^(-t/T) + (1 - a) (1 + t/r) e^(-t/r),
 *
 * two Matern processes of order 3/2: one that lasts (the person), one that passes (the movement).
 * With value and slope known at one end of a gap (live) or at both (style_gap.c) its mean is
 *
 *     E d(t) = k(t) d(0) + k'(t) / k''(0) d'(0):
 *
 * at the edge of a gap the joint goes on as it did, and the longer the gap, the more the style
 * counts. This is the product of two Gaussians, what the past says of the joint, whose variance
 * grows with the gap, and what the style says, whose variance does not. Both processes are Markov
 * in value and slope, so that a step needs no memory of the gap's start. */
#include "track/style_segment.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "track/track_constants.h"

/* (1 + t/s) e^(-t/s) and its derivatives, times `share`, are added. */
static void add_matern(double share, double scale, double t, double out[3])
{
    double x = t / scale, e = share * snw__exp(-x);
    out[0] += e * (1 + x);
    out[1] -= e * x / scale;
    out[2] += e * (x - 1) / (scale * scale);
}

void snw__departure_correlation(double seconds, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    add_matern(DEPARTURE_LASTS, DEPARTURE_SLOW, seconds, out);
    add_matern(1 - DEPARTURE_LASTS, DEPARTURE_FAST, seconds, out);
}

double snw__departure_slope_noise(void)
{
    double k[3];
    snw__departure_correlation(0, k);
    return -DEPARTURE_SLOPE * k[2];
}

/* ---- memory --------------------------------------------------------------------------------- */

void snw__style_segments_lay_out(snw__style_segments *segments, snw__block *block)
{
    if (!segments->body.style) return;
    size_t features = (size_t)segments->body.style->feature_count;
    segments->condition.style = segments->body.style;
    snw__style_body_lay_out(&segments->body, block);
    snw__style_condition_lay_out(&segments->condition, block);
    snw__style_moment_lay_out(&segments->body, &segments->now, block);
    snw__style_moment_lay_out(&segments->body, &segments->last, block);
    for (int k = 0; k < 2; k++)
        snw__style_moment_lay_out(&segments->body, &segments->mark[k], block);
    segments->judge.body = &segments->body;
    snw__style_judge_lay_out(&segments->judge, block);
    segments->is_known = snw__block_take(block, features, sizeof *segments->is_known);
    segments->mean = snw__block_take(block, features, sizeof *segments->mean);
    segments->variance = snw__block_take(block, features, sizeof *segments->variance);
    segments->mean_then = snw__block_take(block, features, sizeof *segments->mean_then);
    segments->state = snw__block_take(block, (size_t)segments->body.skeleton->joint_count,
                                      sizeof *segments->state);
}

void snw__style_segments_forget(snw__style_segments *segments)
{
    if (!segments->body.style) return;
    segments->frame = 0;
    segments->last.frame = segments->mark[0].frame = segments->mark[1].frame = -1;
    snw__style_judge_forget(&segments->judge);
    memset(segments->state, 0,
           (size_t)segments->body.skeleton->joint_count * sizeof *segments->state);
}

void snw__style_segments_miss(snw__style_segments *segments)
{
    if (segments->body.style) segments->frame++;
}

snw_status snw__style_segments_begin(snw__style_segments *segments, const snw_allocator *allocator,
                                     snw_error *error)
{
    if (!segments->body.style) return SNW_OK;
    segments->judge.body = &segments->body;
    snw_status status = snw__style_body_match(&segments->body, allocator, error);
    if (status != SNW_OK) return status;
    snw__style_judge_plan(&segments->judge);
    snw__style_segments_forget(segments);
    return SNW_OK;
}

/* ---- one joint ------------------------------------------------------------------------------ */

/* How far the joint was from what the style expects now that it is hidden, at a moment that was. */
static snw_vec3 departure_at(const snw__style_segments *segments, int joint,
                             const snw__style_moment *moment, const double *mean)
{
    snw_quat turn = snw__style_body_turn(&segments->body, joint, moment->rotation[joint]);
    snw_quat expected = snw__style_body_expect(&segments->body, joint, mean, NULL).turn;
    return snw__turn_between(expected, turn);
}

/* The expectation splits value and slope among what lasts and what passes by their variances. */
static void begin_departure(snw__style_joint_state *state, snw_vec3 value, snw_vec3 speed)
{
    double slow2 = DEPARTURE_LASTS / (DEPARTURE_SLOW * DEPARTURE_SLOW);
    double fast2 = (1 - DEPARTURE_LASTS) / (DEPARTURE_FAST * DEPARTURE_FAST);
    double all2 = slow2 + fast2 + snw__departure_slope_noise();
    state->slow = snw_vec3_scale(value, DEPARTURE_LASTS);
    state->fast = snw_vec3_scale(value, 1 - DEPARTURE_LASTS);
    state->slow_speed = snw_vec3_scale(speed, slow2 / all2);
    state->fast_speed = snw_vec3_scale(speed, fast2 / all2);
    state->seconds = 0;
}

/* The mean of a Matern process of order 3/2 after a time. */
static void carry(snw_vec3 *value, snw_vec3 *speed, double scale, double seconds)
{
    double x = seconds / scale, e = snw__exp(-x);
    snw_vec3 before = *value;
    *value = snw_vec3_scale(snw_vec3_add_scaled(snw_vec3_scale(before, 1 + x), seconds, *speed), e);
    *speed =
        snw_vec3_scale(snw_vec3_add_scaled(snw_vec3_scale(*speed, 1 - x), -x / scale, before), e);
}

/* 1 - k^2 - k'^2 / (-k''(0)). */
double snw__departure_open(double seconds)
{
    double k[3], zero[3];
    snw__departure_correlation(seconds, k);
    snw__departure_correlation(0, zero);
    double open = 1 - k[0] * k[0] - k[1] * k[1] / (snw__departure_slope_noise() - zero[2]);
    return fmax(open, 0);
}

/* ---- a frame -------------------------------------------------------------------------------- */

/* A body that departs from its style by more than three of the deviations that this states is not
 * in it: 1, less the farther it is. */
static double plausibility(const snw__style_segments *segments, int joint, snw_vec3 departure)
{
    double told =
        3 * snw__style_body_expect(&segments->body, joint, segments->mean, segments->variance)
                .deviation;
    double far2 = snw_vec3_length2(departure);
    return far2 > told * told ? told * told / far2 : 1;
}

/* Joints that vanish in this frame, or that are expected otherwise because another one did: they go
 * on from where they were. */
static void begin_joints(snw__style_segments *segments, bool has_changed)
{
    const snw__style_moment *last = &segments->last, *mark = &segments->mark[1];
    int joints = segments->body.skeleton->joint_count;
    bool is_needed = has_changed;
    for (int j = 1; j < joints; j++)
        is_needed |= segments->body.style_of[j] >= 0 && !segments->now.is_seen[j] &&
                     !segments->state[j].is_hidden;
    if (!is_needed || last->frame < 0) return;
    snw__style_condition_mean(&segments->condition, last->features, segments->mean_then, NULL);
    for (int j = 1; j < joints; j++) {
        snw__style_joint_state *state = segments->state + j;
        if (segments->body.style_of[j] < 0 || segments->now.is_seen[j] || !state->was_seen)
            continue;
        snw_vec3 value = departure_at(segments, j, last, segments->mean_then);
        if (state->is_hidden) {
            state->fast = snw_vec3_sub(value, state->slow);
            continue;
        }
        begin_departure(state, value, snw_vec3_make(0, 0, 0));
        state->held = snw__style_body_turn(&segments->body, j, last->rotation[j]);
        state->share =
            snw__style_judge_share(&segments->judge, j) * plausibility(segments, j, value);
    }
    if (mark->frame < 0 || mark->frame >= last->frame) return;
    double seconds = (double)(last->frame - mark->frame) / segments->rate;
    snw__style_condition_mean(&segments->condition, mark->features, segments->mean_then, NULL);
    for (int j = 1; j < joints; j++) {
        snw__style_joint_state *state = segments->state + j;
        if (segments->body.style_of[j] < 0 || segments->now.is_seen[j] || state->is_hidden)
            continue;
        if (!state->was_seen || !mark->is_seen[j] || !last->is_seen[j]) continue;
        snw_vec3 value = snw_vec3_add(state->slow, state->fast);
        snw_vec3 change = snw_vec3_sub(value, departure_at(segments, j, mark, segments->mean_then));
        begin_departure(state, value, snw_vec3_scale(change, 1 / seconds));
    }
}

/* The joint as the style expects it and as it departs from that, as far as the style is trusted. */
static void turn_joint(snw__style_segments *segments, int j, const snw_joint *joint, snw_pose *pose)
{
    snw__style_joint_state *state = segments->state + j;
    double seconds = (double)(segments->frame - segments->last.frame) / segments->rate;
    snw__style_expected_turn expected =
        snw__style_body_expect(&segments->body, j, segments->mean, segments->variance);
    snw_quat turn = expected.turn;
    double variance = expected.deviation * expected.deviation;
    if (state->was_seen) {
        carry(&state->slow, &state->slow_speed, DEPARTURE_SLOW, seconds);
        carry(&state->fast, &state->fast_speed, DEPARTURE_FAST, seconds);
        state->seconds += seconds;
        turn = snw_quat_mul(turn, snw_quat_exp(snw_vec3_add(state->slow, state->fast)));
        turn = snw_quat_slerp(state->held, turn, state->share);
        variance = snw__style_judge_left(&segments->judge, j, variance) *
                   snw__departure_open(state->seconds) / snw__departure_open(1);
    }
    snw_quat rotation = snw__style_body_rotation(&segments->body, j, turn);
    if (!snw_quat_is_finite(rotation)) return;
    pose->rotation[j] = snw_joint_limit_apply(joint, rotation);
    state->deviation = sqrt(variance);
    state->is_hidden = true;
}

/* What this frame shows is what the next one goes on from. */
static void keep_moment(snw__style_segments *segments, const snw_pose *pose)
{
    size_t joints = (size_t)segments->body.skeleton->joint_count;
    snw__style_moment *now = &segments->now;
    now->frame = segments->frame++;
    memcpy(now->rotation, pose->rotation, joints * sizeof *now->rotation);
    snw__style_body_features(&segments->body, now->rotation, pose->root.rotation, now->features);
    snw__style_moment_copy(&segments->body, &segments->last, now);
    snw__style_judge_look(&segments->judge, now, segments->rate);
    double apart = SNW__DEPARTURE_SECONDS * segments->rate;
    if (segments->mark[0].frame >= 0 && (double)(now->frame - segments->mark[0].frame) < apart)
        return;
    snw__style_moment_copy(&segments->body, &segments->mark[1], &segments->mark[0]);
    snw__style_moment_copy(&segments->body, &segments->mark[0], now);
}

bool snw__style_segments_step(snw__style_segments *segments, const uint8_t *rank,
                              const snw_ik_stepper *stepper, snw_pose *pose)
{
    int joints = pose->skeleton->joint_count, hidden = 0;
    if (!segments->body.style || segments->is_asleep) return false;
    for (int j = 0; j < joints; j++) {
        segments->now.is_seen[j] = rank[j] > 0;
        hidden += rank[j] == 0 && segments->body.style_of[j] >= 0;
        segments->state[j].deviation = 0;
        if (!segments->now.is_seen[j]) continue;
        segments->state[j].was_seen = true;
        segments->state[j].is_hidden = false;
    }
    int known =
        hidden ? snw__style_body_known(&segments->body, segments->now.is_seen, segments->is_known)
               : 0;
    bool is_told = snw__style_body_is_told(&segments->body, known);
    if (is_told) {
        bool has_changed = snw__style_condition_know(&segments->condition, segments->is_known);
        snw__style_body_features(&segments->body, pose->rotation, pose->root.rotation,
                                 segments->now.features);
        snw__style_condition_mean(&segments->condition, segments->now.features, segments->mean,
                                  segments->variance);
        begin_joints(segments, has_changed);
        for (int j = 1; j < joints; j++)
            if (!segments->now.is_seen[j] && segments->body.style_of[j] >= 0)
                turn_joint(segments, j, snw_ik_stepper_joint(stepper, j), pose);
    }
    keep_moment(segments, pose);
    return is_told;
}

/* One frame of markers in, one pose out.
 *
 * A step has two parts. First a guess: the last rotations of joints whose markers were seen in the
 * frame before; other limbs are turned onto their own markers, from the root outwards, each about
 * its joint. Then Levenberg-Marquardt steps on all joints and the root together (sinew/ik.h), with
 * every marker a goal weighted by its noise and by how far off it is (Geman & McClure 1987: weight
 * 1 / (1
 * + (r/c)^2)^2), so that a swapped or wild marker pulls nobody. Joints are drawn to their last
 * rotations as firmly as their markers rested (motion_prior.c), so that of two answers the body
 * takes the one where it was. Where markers are off in the answer, the guess from the markers alone
 * is tried too. What no marker holds keeps its last rotation. */
#include <string.h>

#include <sinew/geometry.h>
#include <sinew/ik.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "rigid/sampling.h"
#include "track/excess_noise.h"
#include "track/joint_range.h"
#include "track/motion_prior.h"
#include "track/observability.h"
#include "track/tracker.h"

/* Square metres per marker: the pull that keeps an undetermined turn (twist of a limb with one
 * marker) where it is. One millimetre of lever; too small to hold back what markers tell. */
#define TRACKER_DAMPING 1e-6
/* Of lm, whose damping is hardly felt in a step that goes well; one that does not must feel it. */
#define TRACKER_ALPHA_RETRY 1e-2
/* Radians. A larger turn in one step has left the range of its linear model. */
#define TRACKER_TURN_MAX 0.7

/* Metres. Standard deviation of a sample that was filled or predicted by somebody who does not say
 * how well: what is usual for gaps of half a second (docs/hidden-markers.md). */
#define TRACKER_UNSTATED 0.02

/* Variances of a marker's noise, 3 squared: a marker that is off by more than that, or markers that
 * gain more than that together, mean something. */
#define TRACKER_DOUBT 9.0

/* A step that promises less than this, in variances of the noise, moves every coordinate by less
 * than a seventh of its own standard deviation. */
#define TRACKER_GAIN 1e-2

/* Share of a frame's news in the running estimate of excess noise: a third of a second at 100
 * frames a second. */
#define TRACKER_EXCESS_RATE 0.03

/* Widest bounds, in units of the final ones. */
#define TRACKER_EASE_MAX 30

/* Where frames follow each other. Least noise behind an outlier bound, in usual noises of the
 * calibration (a trial that varies more has bounds enough): what skin
 * does in a wide motion is beyond 6 times what it does on average, and a marker that is left out
 * and taken in again makes the body jump. [measured] on seven captures of whole bodies: frames with
 * jumps 1.0 124, 2.0 77 (docs/see.md). */
#define TRACKER_BOUND_LEAST 2.0
/* How many times firmer than by its variance a joint is drawn to its last rotation: what holds
 * markers off their places, skin, lasts for many frames, and noise is estimated without it.
 * [measured] on the same captures: frames with jumps 1 103, 8 77, 16 74; from 16 on a joint of two
 * markers a limb is off (virtual markers on six motions). */
#define TRACKER_FIRM 8.0
/* Outliers. By so much all markers but one must be better off before the body leaves the answer
 * where it was for another. */
#define TRACKER_AFRESH 1.0
/* Radians. Limits give way by so much in a frame, and by what markers travel. */
#define TRACKER_GIVE 0.02

struct snw_tracker {
    const snw_actor *actor;
    snw_tracker_options options;
    int *source;       /* (marker_count) index in the frame, or -1 */
    int *first;        /* (joint_count + 1) markers of joint j: first[j] .. first[j + 1] - 1 */
    double noise;      /* of the markers, mean, metres */
    double *noise_of;  /* (marker_count) of each, metres */
    double *mass;      /* (marker_count) weight of the sample, mean about 1 */
    double *bound;     /* (marker_count) distance at which it counts a quarter, metres */
    snw_vec3 *seen;    /* (marker_count) where it was seen, metres */
    double *is_seen;   /* (marker_count) weight in the fits of limbs: 1 for a measured sample, less
                          for others, 0: there is none */
    bool *is_measured; /* (marker_count) */
    double *stated2;   /* (marker_count) square of the sample's stated uncertainty */
    double excess2;    /* variance of this trial beyond the calibration's, square metres */
    double *work;      /* (markers or joints, whichever are more) */
    snw_vec3 *from, *to; /* (marker_count) of one limb fit */
    snw__observability observability;
    snw__motion_prior prior;
    bool is_warm;            /* some joint is drawn to its last rotation */
    snw_goal *goal;          /* (marker_count) each marker as a position to reach */
    snw_ik_stepper *stepper; /* the whole body under these goals, root free */
    snw_pose *pose;          /* of this frame */
    snw_pose *last;          /* of the frame before: what a lost frame keeps */
    snw_pose *held;          /* of this frame, inside the limits, while wider ones are tried */
    bool *is_held;           /* (joint_count) limbs that hang on a joint at its limit */
    bool *is_active;         /* (joint_count) joints at their limit */
    snw_joint *limited;      /* (joint_count) the joints with limits meanwhile */
    double *cost;            /* (marker_count) of the held pose */
    double *give;            /* (joint_count) how far limits may give way in this frame, radians */
    snw_pose *warm;          /* of this frame, while another guess is tried */
    double *warm_cost;       /* (marker_count) of the warm pose, in outliers */
    bool has_pose;
    bool is_lost; /* the last frame was */
    snw_allocator allocator;
    size_t block_size;
};

snw_tracker_options snw_tracker_options_default(void)
{
    snw_tracker_options options = {.iteration_max = 8,
                                   .tolerance = 1e-5,
                                   .outlier_scale = 6,
                                   .is_adaptive = true,
                                   .is_continuous = true};
    return options;
}

/* ---- first guess -------------------------------------------------------------------------- */

/* Standard deviation of a sample beyond the marker's own noise, metres. */
static double stated_uncertainty(const snw_frame *frame, int source)
{
    double stated = frame->uncertainty ? (double)frame->uncertainty[source] : 0;
    if (stated > 0 && stated < HUGE_VAL) return stated;
    return frame->state[source] == SNW_SAMPLE_MEASURED ? 0 : TRACKER_UNSTATED;
}

/* The observation model: a sample varies by its marker's noise in the calibration, by how much more
 * markers vary in this trial (excess_noise.h), and by what its state and stated uncertainty say,
 * all independent. Weight and outlier bound follow from the sum of variances. */
static void observe(snw_tracker *tracker, const snw_frame *frame, int m)
{
    int source = tracker->source[m];
    double stated = stated_uncertainty(frame, source);
    tracker->seen[m] = snw_frame_position(frame, source);
    tracker->is_measured[m] = frame->state[source] == SNW_SAMPLE_MEASURED;
    tracker->stated2[m] = stated * stated;
}

/* Weights and bounds of the samples under the excess of this trial as it is known now. */
static void weigh_samples(snw_tracker *tracker)
{
    double mean2 = tracker->noise * tracker->noise + tracker->excess2;
    double least = tracker->options.is_continuous ? TRACKER_BOUND_LEAST * tracker->noise : 0;
    double least2 = least * least + tracker->excess2;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        if (tracker->is_seen[m] == 0) continue;
        double noise = tracker->noise_of[m], own2 = noise * noise + tracker->excess2;
        double share = tracker->stated2[m] > 0 ? own2 / (own2 + tracker->stated2[m]) : 1;
        double sigma = sqrt(fmax(own2, least2));
        tracker->is_seen[m] = share;
        tracker->mass[m] = mean2 / own2 * share;
        tracker->bound[m] = tracker->options.outlier_scale * sigma / sqrt(share);
    }
}

static void gather(snw_tracker *tracker, const snw_frame *frame, snw_track *track)
{
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        int source = tracker->source[m];
        tracker->is_seen[m] = 0;
        tracker->is_measured[m] = false;
        if (source < 0 || source >= frame->marker_count || !snw__sample_is_usable(frame, source))
            continue;
        observe(tracker, frame, m);
        tracker->is_seen[m] = 1;
        track->marker_count++;
        track->measured_count += tracker->is_measured[m];
    }
    weigh_samples(tracker);
}

static int count_seen(const snw_tracker *tracker, int joint)
{
    int count = 0;
    for (int m = tracker->first[joint]; m < tracker->first[joint + 1]; m++)
        count += tracker->is_seen[m] > 0;
    return count;
}

/* The outlier bound of a limb's measured markers. */
static double bound_of(const snw_tracker *tracker, int joint)
{
    double noise = tracker->noise_of[tracker->first[joint]];
    if (tracker->excess2 > 0) noise = sqrt(noise * noise + tracker->excess2);
    return tracker->options.outlier_scale * noise;
}

/* The rigid pose of a limb from its own markers; false when they do not tell. */
static bool fit_limb(const snw_tracker *tracker, int joint, snw_xform *world_from_joint)
{
    int first = tracker->first[joint], count = tracker->first[joint + 1] - first;
    if (count_seen(tracker, joint) < 3) return false;
    for (int m = 0; m < count; m++)
        tracker->from[m] = tracker->actor->marker[first + m].offset;
    snw_fit fit;
    if (snw_fit_rigid(tracker->from, tracker->seen + first, tracker->is_seen + first, count,
                      &fit) != SNW_OK ||
        fit.kind != SNW_FIT_UNIQUE || !(fit.rms < bound_of(tracker, joint)))
        return false;
    *world_from_joint = fit.to_from;
    return true;
}

/* Stands the body so that `joint` is at world_from_joint, with the rotations it has. */
static void stand_on(snw_pose *pose, int joint, snw_xform world_from_joint)
{
    const snw_skeleton *body = pose->skeleton;
    snw_xform joint_from_root = snw_xform_identity();
    for (int j = joint; j >= 0; j = body->parent[j]) {
        snw_xform local =
            snw_xform_mul(body->rest[j], snw_xform_make(pose->rotation[j], snw_vec3_make(0, 0, 0)));
        joint_from_root = snw_xform_mul(joint_from_root, snw_xform_inverse(local));
    }
    pose->root = snw_xform_mul(world_from_joint, joint_from_root);
    pose->root.rotation = snw_quat_normalize(pose->root.rotation);
}

/* How far the markers are from the body as it stands, each by no more than 1. */
static double misplaced(snw_tracker *tracker)
{
    double sum = 0;
    snw_pose_forward(tracker->pose);
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        if (tracker->is_seen[m] == 0) continue;
        const snw_goal *goal = tracker->goal + m;
        snw_vec3 at = snw_xform_point(tracker->pose->world[goal->joint], goal->point);
        double bound = TRACKER_EASE_MAX * tracker->bound[m];
        double far2 = snw_vec3_length2(snw_vec3_sub(tracker->seen[m], at)) / (bound * bound);
        sum += far2 / (1 + far2);
    }
    return sum;
}

/* Can no limb have a pose of its own? */
static bool has_thin_limbs(const snw_tracker *tracker)
{
    for (int j = 0; j < tracker->actor->skeleton->joint_count; j++)
        if (tracker->first[j + 1] - tracker->first[j] >= 3) return false;
    return true;
}

/* The root where the whole body, stiff as it stands, is nearest to all markers; false when they do
 * not tell. */
static bool fit_body(snw_tracker *tracker, snw_xform *root)
{
    int count = tracker->actor->marker_count;
    snw_pose_forward(tracker->pose);
    for (int m = 0; m < count; m++)
        tracker->from[m] = snw_xform_point(tracker->pose->world[tracker->goal[m].joint],
                                           tracker->actor->marker[m].offset);
    snw_fit fit;
    if (snw_fit_rigid(tracker->from, tracker->seen, tracker->is_seen, count, &fit) != SNW_OK ||
        fit.kind != SNW_FIT_UNIQUE)
        return false;
    *root = snw_xform_mul(fit.to_from, tracker->pose->root);
    root->rotation = snw_quat_normalize(root->rotation);
    return true;
}

/* Places the root by its own markers; where they do not tell, it stays or stands on the limb that
 * has a pose of its own and brings most markers near. */
static bool place_root(snw_tracker *tracker)
{
    snw_xform world_from_joint, best = tracker->pose->root;
    if (fit_limb(tracker, 0, &world_from_joint)) {
        stand_on(tracker->pose, 0, world_from_joint);
        return true;
    }
    double least = tracker->has_pose ? misplaced(tracker) : INFINITY;
    for (int j = 1; j < tracker->actor->skeleton->joint_count; j++) {
        if (!fit_limb(tracker, j, &world_from_joint)) continue;
        stand_on(tracker->pose, j, world_from_joint);
        double now = misplaced(tracker);
        if (!(now < least)) continue;
        least = now;
        best = tracker->pose->root;
    }
    if (has_thin_limbs(tracker) && fit_body(tracker, &tracker->pose->root)) {
        double now = misplaced(tracker);
        if (now < least) best = tracker->pose->root;
        least = fmin(least, now);
    }
    tracker->pose->root = best;
    return least < INFINITY;
}

/* Fits again with each marker left out in turn; the best of these fits. */
static snw_fit fit_without_one(const snw_tracker *tracker, int joint, snw_fit best)
{
    int first = tracker->first[joint], count = tracker->first[joint + 1] - first;
    for (int m = 0; m < count; m++) {
        snw_fit fit;
        double weight = tracker->is_seen[first + m];
        if (weight == 0) continue;
        tracker->is_seen[first + m] = 0;
        if (snw_fit_rotation(tracker->from, tracker->to, tracker->is_seen + first, count, &fit) ==
                SNW_OK &&
            fit.rms < best.rms)
            best = fit;
        tracker->is_seen[first + m] = weight;
    }
    return best;
}

/* Turns limb `joint` about its joint onto its markers. `guess` is world_from_joint with the last
 * rotation. Returns the turn in the world: the identity where the markers contradict each other. */
static snw_quat turn_onto_markers(const snw_tracker *tracker, int joint, snw_xform guess)
{
    int first = tracker->first[joint], count = tracker->first[joint + 1] - first;
    for (int m = 0; m < count; m++) {
        tracker->from[m] =
            snw_quat_rotate(guess.rotation, tracker->actor->marker[first + m].offset);
        tracker->to[m] = snw_vec3_sub(tracker->seen[first + m], guess.translation);
    }
    snw_fit fit;
    int seen = count_seen(tracker, joint);
    if (seen == 0 || snw_fit_rotation(tracker->from, tracker->to, tracker->is_seen + first, count,
                                      &fit) != SNW_OK)
        return snw_quat_identity();
    double bound = bound_of(tracker, joint);
    if (fit.rms > bound && seen >= 3) fit = fit_without_one(tracker, joint, fit);
    return fit.rms < bound || seen < 3 ? fit.to_from.rotation : snw_quat_identity();
}

/* The rotation as type and limits of the joint allow it; is_held where that is not what the type
 * alone would have. */
static snw_quat allowed(const snw_tracker *tracker, int joint, snw_quat rotation)
{
    snw_joint limited = *snw_ik_stepper_joint(tracker->stepper, joint);
    snw_quat inside = snw_joint_limit_apply(&limited, rotation), typed = rotation;
    limited.limit = snw_joint_limit_none();
    if (limited.type != SNW_JOINT_BALL) typed = snw_joint_limit_apply(&limited, rotation);
    /* 1e-6 rad: nobody sees it. */
    tracker->is_held[joint] = snw_quat_angle_between(inside, typed) > 1e-6;
    return inside;
}

/* Draws the joint to its last rotation as firmly as its markers rested since then; false where they
 * do not tell. Needs the parent's world. */
static bool hold_joint(snw_tracker *tracker, int joint)
{
    int parent = tracker->actor->skeleton->parent[joint];
    double noise2 = tracker->noise * tracker->noise + tracker->excess2, weight = 0;
    snw_xform carry = snw_xform_mul(tracker->pose->world[parent],
                                    snw_xform_inverse(tracker->last->world[parent]));
    double turn2 = snw__motion_prior_turn2(&tracker->prior, joint, carry);
    tracker->give[joint] = INFINITY;
    if (turn2 < INFINITY) {
        tracker->give[joint] = TRACKER_GIVE + sqrt(turn2);
        weight =
            TRACKER_FIRM * noise2 / (turn2 + snw__motion_prior_noise2(&tracker->prior, noise2));
    }
    snw_ik_stepper_set_hold(tracker->stepper, joint, tracker->last->rotation[joint], weight);
    return weight > 0;
}

static void guess_pose(snw_tracker *tracker)
{
    snw_pose *pose = tracker->pose;
    const snw_skeleton *body = pose->skeleton;
    tracker->is_warm = false;
    pose->world[0] = snw_xform_mul(pose->root, body->rest[0]);
    for (int j = 1; j < body->joint_count; j++) {
        snw_xform base = snw_xform_mul(pose->world[body->parent[j]], body->rest[j]);
        snw_xform guess = base;
        guess.rotation = snw_quat_mul(base.rotation, pose->rotation[j]);
        bool is_held = hold_joint(tracker, j);
        tracker->is_warm |= is_held;
        snw_quat turn = is_held ? snw_quat_identity() : turn_onto_markers(tracker, j, guess);
        turn = snw_quat_mul(snw_quat_conjugate(base.rotation), snw_quat_mul(turn, guess.rotation));
        pose->rotation[j] = allowed(tracker, j, snw_quat_normalize(turn));
        guess.rotation = snw_quat_mul(base.rotation, pose->rotation[j]);
        pose->world[j] = guess;
    }
}

/* ---- the whole body ----------------------------------------------------------------------- */

/* Weighs the goals; markers count a quarter at `ease` times their bound. Returns how far the worst
 * marker is off, in bounds. */
static double weigh_markers(snw_tracker *tracker, double ease)
{
    const snw_pose *pose = tracker->pose;
    double worst2 = 0;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        snw_goal *goal = tracker->goal + m;
        goal->weight = 0;
        if (tracker->is_seen[m] == 0) continue;
        snw_vec3 at = snw_xform_point(pose->world[goal->joint], goal->point);
        double far2 = snw_vec3_length2(snw_vec3_sub(tracker->seen[m], at)) /
                      (tracker->bound[m] * tracker->bound[m]);
        if (far2 > worst2) worst2 = far2;
        far2 /= ease * ease;
        goal->weight = tracker->mass[m] * snw__geman_mcclure_weight(far2);
    }
    return sqrt(worst2);
}

/* Where the guess is poor, bounds start wide and close in, or a limb whose guess is off by more
 * than its markers' noise would be taken for a limb of wild markers. */
static int solve_body(snw_tracker *tracker)
{
    double size = tracker->actor->skeleton->size > 0 ? tracker->actor->skeleton->size : 1;
    double ease = TRACKER_EASE_MAX;
    double unit = (tracker->noise * tracker->noise + tracker->excess2) / (size * size);
    int round = 0;
    snw_ik_stepper_restart(tracker->stepper);
    for (int m = 0; m < tracker->actor->marker_count; m++)
        if (tracker->is_seen[m] > 0) tracker->goal[m].position = tracker->seen[m];
    while (round < tracker->options.iteration_max) {
        double worst = weigh_markers(tracker, ease);
        snw_ik_step step = snw_ik_stepper_step(tracker->stepper, tracker->goal, tracker->pose);
        round++;
        bool is_done = step.largest_move < tracker->options.tolerance ||
                       step.expected_gain < TRACKER_GAIN * unit;
        if (is_done && (ease == 1 || worst < 1)) break;
        ease = fmax(1, fmin(ease, worst) / 3);
    }
    return round;
}

/* ---- limits ------------------------------------------------------------------------------- */

/* What marker m costs: Geman & McClure's x^2 / (1 + x^2), in outliers. */
static double cost_in_outliers(const snw_tracker *tracker, int m)
{
    if (tracker->is_seen[m] == 0) return 0;
    const snw_goal *goal = tracker->goal + m;
    snw_vec3 at = snw_xform_point(tracker->pose->world[goal->joint], goal->point);
    return snw__geman_mcclure_cost(snw_vec3_length2(snw_vec3_sub(tracker->seen[m], at)) /
                                   (tracker->bound[m] * tracker->bound[m]));
}

/* The same in variances of its noise. */
static double cost_of(const snw_tracker *tracker, int m)
{
    if (tracker->is_seen[m] == 0) return 0;
    double mean2 = tracker->noise * tracker->noise + tracker->excess2;
    double outlier = tracker->bound[m] * tracker->bound[m] * tracker->mass[m] / mean2;
    return outlier * cost_in_outliers(tracker, m);
}

/* By how much the markers are better off than in the held pose, all but the one that gains most: a
 * single wild marker has no say. */
static double gain_of_all_but_one(const snw_tracker *tracker)
{
    double sum = 0, most = 0;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        double gain = tracker->cost[m] - cost_of(tracker, m);
        sum += gain;
        most = fmax(most, gain);
    }
    return sum - most;
}

/* Marks the limbs that hang on a joint which its limits hold now or held in the guess; false: there
 * are none. */
static bool mark_held(snw_tracker *tracker)
{
    const snw_skeleton *body = tracker->actor->skeleton;
    const bool *is_active = tracker->is_active;
    bool is_any = false;
    (void)snw_ik_stepper_active_limits(tracker->stepper, tracker->pose, tracker->is_active);
    for (int j = 1; j < body->joint_count; j++) {
        tracker->is_held[j] |= is_active[j] || tracker->is_held[body->parent[j]];
        is_any |= tracker->is_held[j];
    }
    return is_any;
}

/* True when at least two markers of limbs that limits hold would rather be elsewhere. A marker on
 * its place costs about 3: one for each coordinate. */
static bool is_held_back(snw_tracker *tracker)
{
    double sum = 0, most = 0;
    if (!mark_held(tracker)) return false;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        tracker->cost[m] = cost_of(tracker, m);
        if (!tracker->is_held[tracker->goal[m].joint]) continue;
        double excess = fmax(tracker->cost[m] - 3, 0);
        sum += excess;
        most = fmax(most, excess);
    }
    return sum - most > TRACKER_DOUBT;
}

/* Widens the limits of a joint towards its rotation without them, as far as they may give way in a
 * frame: all at once would make the body jump. True: they allow that rotation now. */
static bool widen_limit(snw_tracker *tracker, int joint)
{
    snw_quat held = tracker->held->rotation[joint], wanted = tracker->pose->rotation[joint];
    double angle = snw_quat_angle_between(held, wanted), give = tracker->give[joint];
    if (angle > give) wanted = snw_quat_slerp(held, wanted, give / angle);
    snw__joint_range_include(&tracker->limited[joint], wanted);
    return !(angle > give);
}

/* Limits are what was observed so far, and hold for what the markers do not show. Where they hold
 * the body back the frame is solved without them (joints keep their types); if at least two markers
 * are better off by that, the limits have been too narrow, and grow. */
static int look_beyond_limits(snw_tracker *tracker)
{
    const snw_skeleton *body = tracker->actor->skeleton;
    snw_joint_limit none = snw_joint_limit_none();
    snw_pose_copy(tracker->held, tracker->pose);
    for (int j = 0; j < body->joint_count; j++) {
        tracker->limited[j] = *snw_ik_stepper_joint(tracker->stepper, j);
        snw_ik_stepper_set_limit(tracker->stepper, j, &none);
    }
    guess_pose(tracker);
    int rounds = solve_body(tracker);
    bool is_better = gain_of_all_but_one(tracker) > TRACKER_DOUBT, is_whole = true;
    for (int j = 0; j < body->joint_count; j++) {
        if (is_better) is_whole &= widen_limit(tracker, j);
        snw_ik_stepper_set_limit(tracker->stepper, j, &tracker->limited[j].limit);
    }
    if (is_better && is_whole) return rounds;
    snw_pose_copy(tracker->pose, tracker->held);
    return is_better ? rounds + solve_body(tracker) : rounds;
}

/* ---- what the frame says -------------------------------------------------------------------- */

static void measure(const snw_tracker *tracker, snw_track *track)
{
    double sum = 0;
    int used = 0;
    const snw_pose *pose = tracker->pose;
    track->outlier_count = 0;
    /* Predictions tell how well a filter works, not how well the body fits. */
    bool has_measured = track->measured_count > 0;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        if (tracker->is_seen[m] == 0) continue;
        const snw_actor_marker *marker = tracker->actor->marker + m;
        snw_vec3 at = snw_xform_point(pose->world[marker->joint], marker->offset);
        double far = snw_vec3_distance(at, tracker->seen[m]);
        if (far > tracker->bound[m]) {
            track->outlier_count++;
        } else if (tracker->is_measured[m] || !has_measured) {
            sum += far * far;
            used++;
        }
    }
    track->used_count = used;
    track->residual = used > 0 ? sqrt(sum / used) : 0;
}

/* A joint is observed by a measured marker on its limb, or on a limb below. */
static void mark_observed(snw_tracker *tracker, bool is_lost)
{
    const snw_skeleton *body = tracker->actor->skeleton;
    snw_joint_observability *joint = tracker->observability.joint;
    for (int j = 0; j < body->joint_count; j++) {
        joint[j].is_observed = false;
        for (int m = tracker->first[j]; m < tracker->first[j + 1]; m++)
            joint[j].is_observed |= tracker->is_measured[m] && !is_lost;
    }
    for (int j = body->joint_count - 1; j > 0; j--)
        if (joint[j].is_observed) joint[body->parent[j]].is_observed = true;
}

static bool is_finite(const snw_pose *pose)
{
    bool is_good =
        snw_quat_is_finite(pose->root.rotation) && snw_vec3_is_finite(pose->root.translation);
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        is_good &= snw_quat_is_finite(pose->rotation[j]);
    return is_good;
}

/* ---- more noise than the calibration saw ----------------------------------------------------- */

static snw__excess_frame excess_frame(const snw_tracker *tracker)
{
    return (snw__excess_frame){.actor = tracker->actor,
                               .first = tracker->first,
                               .noise = tracker->noise,
                               .noise_of = tracker->noise_of,
                               .seen = tracker->seen,
                               .is_seen = tracker->is_seen,
                               .is_measured = tracker->is_measured,
                               .work = tracker->work,
                               .from = tracker->from};
}

/* ---- the step ----------------------------------------------------------------------------- */

/* The answer from a guess at the frame. False where there is none. */
static bool solve_from_last(snw_tracker *tracker, snw_track *track)
{
    snw_pose_copy(tracker->pose, tracker->last);
    if (!place_root(tracker)) return false;
    guess_pose(tracker);
    track->iterations += solve_body(tracker);
    if (is_held_back(tracker)) track->iterations += look_beyond_limits(tracker);
    return is_finite(tracker->pose);
}

/* By how many outliers the warm pose is worse, all markers but the one that gains most: a limb that
 * fits where it did not. */
static double gain_of_fresh(const snw_tracker *tracker)
{
    double sum = 0, most = 0;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        double gain = tracker->warm_cost[m] - cost_in_outliers(tracker, m);
        sum += gain;
        most = fmax(most, gain);
    }
    return sum - most;
}

/* Solves again as if there had been no frame before; that answer stays if it is clearly better. */
static void look_afresh(snw_tracker *tracker, snw_track *track)
{
    for (int m = 0; m < tracker->actor->marker_count; m++)
        tracker->warm_cost[m] = cost_in_outliers(tracker, m);
    snw_pose_copy(tracker->warm, tracker->pose);
    snw__motion_prior_forget(&tracker->prior);
    bool is_better = solve_from_last(tracker, track) && gain_of_fresh(tracker) > TRACKER_AFRESH;
    if (!is_better) snw_pose_copy(tracker->pose, tracker->warm);
    measure(tracker, track);
}

static void solve_frame(snw_tracker *tracker, snw_track *track)
{
    track->is_lost = true;
    if (!solve_from_last(tracker, track)) return;
    measure(tracker, track);
    if (tracker->is_warm && track->outlier_count > 0) look_afresh(tracker, track);
    /* With most markers off, the frame shows something else than this body. */
    track->is_lost = 2 * track->outlier_count > track->marker_count;
}

/* Solves again where markers are off because all of them vary more than was known: with what the
 * limbs and the residuals show, and while that is not enough with twice as much, up to the most. */
static void solve_with_excess(snw_tracker *tracker, snw_track *track)
{
    double known = tracker->excess2, noise2 = tracker->noise * tracker->noise;
    snw__excess_frame frame = excess_frame(tracker);
    double most = snw__excess_most(tracker->actor), shown = snw__excess_of_limbs(&frame);
    if (track->used_count > 0) shown = fmax(shown, snw__excess_of_residuals(&frame, tracker->pose));
    if (!track->is_lost && !(shown > SNW__EXCESS_DEAD * known)) return;
    do {
        tracker->excess2 = fmin(fmax(shown, 4 * (tracker->excess2 + noise2)), most);
        weigh_samples(tracker);
        solve_frame(tracker, track);
    } while (track->is_lost && tracker->excess2 < most);
    if (track->is_lost) tracker->excess2 = known;
}

snw_track snw_tracker_step(snw_tracker *tracker, const snw_frame *frame, snw_pose *pose)
{
    snw_track track;
    memset(&track, 0, sizeof track);
    track.is_lost = true;
    snw_pose_copy(tracker->last, tracker->pose);
    gather(tracker, frame, &track);
    snw__observability_judge(&tracker->observability, tracker->is_seen);
    if (track.marker_count >= 3) {
        solve_frame(tracker, &track);
        if (tracker->options.is_adaptive &&
            (track.is_lost || 4 * track.outlier_count > track.marker_count))
            solve_with_excess(tracker, &track);
        if (tracker->options.is_adaptive && !track.is_lost) {
            snw__excess_frame seen = excess_frame(tracker);
            double now = snw__excess_of_residuals(&seen, tracker->pose);
            tracker->excess2 += TRACKER_EXCESS_RATE * (now - tracker->excess2);
        }
    }
    if (tracker->options.is_continuous && !track.is_lost)
        snw__motion_prior_remember(&tracker->prior);
    else
        snw__motion_prior_forget(&tracker->prior);
    if (track.is_lost) snw_pose_copy(tracker->pose, tracker->last);
    mark_observed(tracker, track.is_lost);
    tracker->is_lost = track.is_lost;
    tracker->has_pose |= !track.is_lost;
    snw_pose_copy(pose, tracker->pose);
    return track;
}

snw_joint_observability snw_tracker_observability(const snw_tracker *tracker, int joint)
{
    snw_joint_observability told = {false, false, 0, 0};
    if (joint < 0 || joint >= tracker->actor->skeleton->joint_count) return told;
    told = tracker->observability.joint[joint];
    if (tracker->is_lost) {
        told.rank = 0;
        told.is_determined = false;
    }
    return told;
}

const uint8_t *snw__tracker_rank(const snw_tracker *tracker)
{
    return snw__observability_rank(&tracker->observability);
}

snw__observation snw__tracker_observation(const snw_tracker *tracker, int marker)
{
    snw__observation seen = {tracker->seen[marker], tracker->mass[marker], tracker->bound[marker]};
    if (tracker->is_seen[marker] == 0) seen.weight = 0;
    return seen;
}

void snw_tracker_reset(snw_tracker *tracker)
{
    snw_pose_reset(tracker->pose);
    snw__motion_prior_forget(&tracker->prior);
    tracker->has_pose = false;
    tracker->excess2 = 0;
    for (int j = 0; j < tracker->actor->skeleton->joint_count; j++)
        snw_ik_stepper_set_limit(tracker->stepper, j, &tracker->actor->skeleton->joint[j].limit);
}

void snw_tracker_start(snw_tracker *tracker, const snw_pose *pose)
{
    snw_pose_copy(tracker->pose, pose);
    snw_pose_forward(tracker->pose);
    snw__motion_prior_forget(&tracker->prior);
    tracker->has_pose = true;
}

void snw__tracker_start_beside(snw_tracker *tracker, const snw_pose *pose, const snw_frame *frame)
{
    snw_track track = {0};
    snw_tracker_start(tracker, pose);
    gather(tracker, frame, &track);
    if (tracker->options.is_continuous) snw__motion_prior_remember(&tracker->prior);
}

/* ---- making ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_tracker *tracker = object;
    size_t markers = (size_t)tracker->actor->marker_count;
    size_t joints = (size_t)tracker->actor->skeleton->joint_count;
    snw__block_take(block, 1, sizeof *tracker);
    tracker->source = snw__block_take(block, markers, sizeof(int));
    tracker->first = snw__block_take(block, joints + 1, sizeof(int));
    tracker->noise_of = snw__block_take(block, markers, sizeof(double));
    tracker->mass = snw__block_take(block, markers, sizeof(double));
    tracker->bound = snw__block_take(block, markers, sizeof(double));
    tracker->seen = snw__block_take(block, markers, sizeof(snw_vec3));
    tracker->is_seen = snw__block_take(block, markers, sizeof(double));
    tracker->is_measured = snw__block_take(block, markers, sizeof(bool));
    tracker->stated2 = snw__block_take(block, markers, sizeof(double));
    tracker->work = snw__block_take(block, markers > joints ? markers : joints, sizeof(double));
    tracker->from = snw__block_take(block, markers, sizeof(snw_vec3));
    tracker->to = snw__block_take(block, markers, sizeof(snw_vec3));
    snw__observability_lay_out(&tracker->observability, block);
    snw__motion_prior_lay_out(&tracker->prior, block);
    tracker->prior.first = tracker->first;
    tracker->prior.seen = tracker->seen;
    tracker->prior.is_seen = tracker->is_seen;
    tracker->give = snw__block_take(block, joints, sizeof(double));
    tracker->warm_cost = snw__block_take(block, markers, sizeof(double));
    tracker->goal = snw__block_take(block, markers, sizeof(snw_goal));
    tracker->cost = snw__block_take(block, markers, sizeof(double));
    tracker->is_held = snw__block_take(block, joints, sizeof(bool));
    tracker->is_active = snw__block_take(block, joints, sizeof(bool));
    tracker->limited = snw__block_take(block, joints, sizeof(snw_joint));
}

static void prepare(snw_tracker *tracker)
{
    const snw_actor *actor = tracker->actor;
    for (int m = 0; m < actor->marker_count; m++)
        tracker->noise += fmax(actor->marker[m].noise, SNW__MARKER_NOISE_MIN) / actor->marker_count;
    for (int m = 0; m < actor->marker_count; m++) {
        tracker->noise_of[m] = fmax(actor->marker[m].noise, SNW__MARKER_NOISE_MIN);
        tracker->first[actor->marker[m].joint + 1]++;
    }
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        tracker->first[j + 1] += tracker->first[j];
}

/* Every marker a goal, the root free. */
static snw_status make_solver(snw_tracker *tracker, const snw_allocator *allocator,
                              snw_error *error)
{
    const snw_actor *actor = tracker->actor;
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    options.damping = TRACKER_DAMPING;
    options.damping_retry = TRACKER_ALPHA_RETRY;
    options.move_max = TRACKER_TURN_MAX;
    options.use_holds = true;
    for (int m = 0; m < actor->marker_count; m++)
        tracker->goal[m] = snw_goal_position(actor->marker[m].joint, actor->marker[m].offset,
                                             snw_vec3_make(0, 0, 0));
    return snw_ik_stepper_create(actor->skeleton, tracker->goal, actor->marker_count, &options,
                                 allocator, &tracker->stepper, error);
}

/* A tracker that does not know yet which marker is where in a frame. */
static snw_status make_tracker(const snw_actor *actor, const snw_tracker_options *options,
                               const snw_allocator *allocator, snw_tracker **out, snw_error *error)
{
    *out = NULL;
    snw_tracker sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.actor = actor;
    sketch.options = options ? *options : snw_tracker_options_default();
    const snw__bounds bounds[] = {
        {"iteration_max of the tracker", sketch.options.iteration_max, 1, 1e6},
        {"tolerance of the tracker", sketch.options.tolerance, 0, 10},
        {"outlier_scale of the tracker", sketch.options.outlier_scale, 1e-6, 1e12}};
    snw_status allowed = snw__check_bounds(bounds, 3, error);
    if (allowed != SNW_OK) return allowed;
    sketch.observability.actor = actor;
    sketch.prior.actor = actor;
    sketch.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &sketch.allocator, "a tracker", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    snw_tracker *tracker = (void *)block.base;
    *tracker = sketch;
    status = snw_pose_create(actor->skeleton, allocator, &tracker->pose, error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, allocator, &tracker->last, error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, allocator, &tracker->held, error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, allocator, &tracker->warm, error);
    if (status == SNW_OK) status = make_solver(tracker, allocator, error);
    if (status != SNW_OK) {
        snw_tracker_destroy(tracker);
        return status;
    }
    prepare(tracker);
    *out = tracker;
    return snw__succeed(error);
}

snw_status snw_tracker_create(const snw_actor *actor, const snw_name_list *names,
                              const snw_tracker_options *options, const snw_allocator *allocator,
                              snw_tracker **out, snw_error *error)
{
    snw_status status = make_tracker(actor, options, allocator, out, error);
    for (int m = 0; status == SNW_OK && m < actor->marker_count; m++)
        (*out)->source[m] = snw_actor_find_marker(actor, names, m);
    return status;
}

snw_status snw_tracker_create_for_trial(const snw_actor *actor, const snw_trial *trial,
                                        const snw_tracker_options *options,
                                        const snw_allocator *allocator, snw_tracker **out,
                                        snw_error *error)
{
    snw_status status = make_tracker(actor, options, allocator, out, error);
    for (int m = 0; status == SNW_OK && m < actor->marker_count; m++)
        (*out)->source[m] = snw__marker_source(actor, trial, m);
    return status;
}

void snw_tracker_destroy(snw_tracker *tracker)
{
    if (!tracker) return;
    snw_ik_stepper_destroy(tracker->stepper);
    snw_pose_destroy(tracker->warm);
    snw_pose_destroy(tracker->held);
    snw_pose_destroy(tracker->last);
    snw_pose_destroy(tracker->pose);
    snw_allocator allocator = tracker->allocator;
    snw__release(&allocator, tracker, tracker->block_size);
}

/* One frame of markers in, one pose out: the palm from wrist and back markers, then every finger,
 * those whose tip is seen first, so that the hidden ones can follow them. A left hand is solved as
 * the right one it is in the mirror. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "hand/collision.h"
#include "hand/hand_body.h"
#include "hand/hand_chain.h"
#include "hand/hand_constants.h"
#include "hand/hand_fit.h"
#include "hand/palm.h"
#include "hand/transdigital.h"
#include "person/movement.h"

struct snw_hand {
    snw_hand_profile profile;
    snw_hand_options options;
    snw_skeleton *skeleton;
    snw__finger finger[SNW_HAND_FINGERS];
    snw__trans trans[SNW_HAND_FINGERS];
    bool is_learning;
    bool is_running;
    double last_time;
    snw_xform palm;                     /* of the right hand in the mirror, if it is a left one */
    snw_vec3 template_[3];              /* wrist and back markers in the palm's frame */
    double roll;                        /* of the cupped palm in this frame */
    snw_vec3 knuckle[SNW_HAND_FINGERS]; /* in the palm's frame, cupped */
    snw_quat turn[SNW_HAND_FINGERS];    /* palm_from_finger, cupped */
    double metacarpal[SNW_HAND_FINGERS];
    double angle[SNW_HAND_FINGERS][4];
    snw_allocator allocator;
};

const char *snw_hand_method_name(snw_hand_method method)
{
    static const char *const names[] = {"auto", "fit", "chain"};
    return (unsigned)method < SNW_HAND_METHOD_COUNT ? names[method] : "?";
}

snw_hand_options snw_hand_options_default(void)
{
    snw_hand_options options = {.method = SNW_HAND_AUTO,
                                .marker_noise = 0.0007,
                                .has_limits = true,
                                .has_intradigital = true,
                                .has_transdigital = true,
                                .has_inertia = true,
                                .has_collision = true,
                                .has_friction = true};
    return options;
}

/* ---- the palm ----------------------------------------------------------------------------- */

static bool step_palm(snw_hand *hand, const bool is_seen[3], const snw_vec3 place[3])
{
    snw__palm palm;
    bool is_whole = is_seen[0] && is_seen[1] && is_seen[2] &&
                    snw__palm_from_markers(place[0], place[1], place[2], hand->profile.back_share,
                                           hand->profile.back_height, &palm);
    if (is_whole)
        hand->palm = snw_xform_make(snw__palm_turn(&palm), place[0]);
    else {
        /* With one or two of the three markers the palm keeps its turn as far as they allow. */
        int first = -1, second = -1;
        for (int n = 0; n < 3; n++)
            if (is_seen[n]) {
                second = first < 0 ? second : n;
                first = first < 0 ? n : first;
            }
        if (first >= 0) {
            if (second >= 0) {
                snw_vec3 was =
                    snw_quat_rotate(hand->palm.rotation,
                                    snw_vec3_sub(hand->template_[second], hand->template_[first]));
                snw_quat turn = snw_quat_between(was, snw_vec3_sub(place[second], place[first]));
                hand->palm.rotation = snw_quat_normalize(snw_quat_mul(turn, hand->palm.rotation));
            }
            hand->palm.translation = snw_vec3_sub(
                place[first], snw_quat_rotate(hand->palm.rotation, hand->template_[first]));
        }
    }
    return is_whole;
}

static void set_knuckle(snw_hand *hand, int finger, snw_vec3 place)
{
    hand->knuckle[finger] = place;
    hand->metacarpal[finger] = snw__hand_metacarpal(&hand->profile, finger, place);
    snw_quat bend = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), hand->metacarpal[finger]);
    hand->turn[finger] = snw_quat_mul(bend, hand->profile.rest[finger]);
}

/* The knuckles as the thesis finds them: where spheres about two known points meet the palm's
 * plane, each at the distance that calibration measured. The points are the wrist and the marker
 * across the hand: with the one over the same metacarpal the spheres would only just touch. In a
 * cupped palm each knuckle has a plane of its own, through the index finger's metacarpal. */
static void meet_knuckles(snw_hand *hand, const snw_vec3 *place)
{
    const snw_hand_profile *p = &hand->profile;
    snw_vec3 wrist = place[SNW_HAND_WRIST];
    for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++) {
        bool is_near_index = k <= SNW_HAND_MIDDLE;
        int marker = is_near_index ? SNW_HAND_BACK_LITTLE : SNW_HAND_BACK_INDEX;
        snw_vec3 expected = hand->knuckle[k], joint, across = snw_vec3_make(0, 1, 0);
        snw_vec3 rest = is_near_index ? snw__palm_rolled(p, hand->template_[marker], hand->roll)
                                      : hand->template_[marker];
        if (k != SNW_HAND_INDEX)
            across = snw_vec3_unit(snw_vec3_cross(expected, p->base[SNW_HAND_INDEX]), across);
        snw_vec3 normal = snw_quat_rotate(hand->palm.rotation, across);
        snw_plane palm = {normal, snw_vec3_dot(normal, wrist)};
        const snw_sphere spheres[2] = {{wrist, snw_vec3_length(expected)},
                                       {place[marker], snw_vec3_distance(expected, rest)}};
        snw__chain_palm_joint(palm, spheres, snw_xform_point(hand->palm, expected), &joint);
        set_knuckle(hand, k, snw_xform_unpoint(hand->palm, joint));
    }
}

/* ---- fingers ------------------------------------------------------------------------------ */

typedef struct hand_view {
    bool is_seen[SNW_HAND_MARKERS];
    snw_vec3 place[SNW_HAND_MARKERS]; /* mirrored for a left hand */
    double dt;
    const double (*before)[4]; /* angles of the frame before */
} hand_view;

/* A point of the world in the rest frame of a finger. */
static snw_vec3 to_finger(const snw_hand *hand, int finger, snw_vec3 place)
{
    snw_vec3 in_palm = snw_xform_unpoint(hand->palm, place);
    return snw_quat_unrotate(hand->turn[finger], snw_vec3_sub(in_palm, hand->knuckle[finger]));
}

static double bend_of(const double angle[4])
{
    return angle[1] + angle[2];
}

static snw__fit_rows rows_of(const snw_hand *hand, const hand_view *view, int finger)
{
    snw__fit_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.noise = sqrt(hand->options.marker_noise * hand->options.marker_noise +
                      HAND_MODEL_NOISE * HAND_MODEL_NOISE);
    rows.has_follow = hand->options.has_intradigital;
    for (int n = 0; n < 3; n++) {
        int marker = SNW_HAND_JOINTS + 4 * finger + 1 + n;
        rows.is_seen[n] = view->is_seen[marker];
        if (rows.is_seen[n]) rows.place[n] = to_finger(hand, finger, view->place[marker]);
    }
    rows.expected_spread[0] = HAND_SPREAD_USUAL;
    return rows;
}

/* Friction (Aristidou 2010, 5.5.6, after Kaimakis & Lasenby 2009): skin on skin carries a hidden
 * finger aside by half of what the seen one that it touched moved since the frame before. How
 * flexion spreads is learned with that of all fingers. */
static void carry_along(const snw_hand *hand, const hand_view *view, int finger,
                        snw__fit_rows *rows)
{
    if (finger == SNW_HAND_THUMB) return;
    for (int other = finger - 1; other <= finger + 1; other += 2) {
        if (other <= SNW_HAND_THUMB || other >= SNW_HAND_FINGERS) continue;
        if (!view->is_seen[snw_hand_tip_marker(other)] ||
            !snw__hand_fingers_touch(&hand->profile, hand->finger, view->before, finger, other))
            continue;
        rows->expected[0] += 0.5 * (hand->angle[other][0] - view->before[other][0]);
    }
}

static void fit_hidden(snw_hand *hand, const hand_view *view, int finger)
{
    snw__fit_rows rows = rows_of(hand, view, finger);
    double bend[SNW_HAND_FINGERS], suggested[3];
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        bend[k] = bend_of(hand->angle[k]);
    if (hand->options.has_inertia)
        for (int k = 0; k < 4; k++) {
            rows.expected[k] = hand->angle[finger][k];
            rows.expected_spread[k] = HAND_INERTIA_SPREAD;
        }
    if (hand->options.has_transdigital) {
        snw__trans_predict(&hand->trans[finger], finger, bend, view->dt, suggested);
        for (int k = 0; k < 3; k++) {
            rows.expected[k] = suggested[k];
            rows.expected_spread[k] = HAND_TRANS_SPREAD;
        }
    }
    if (hand->options.has_friction && view->before) carry_along(hand, view, finger, &rows);
    snw__fit_finger(&hand->finger[finger], &rows, hand->angle[finger]);
}

/* How far a chain's flexions get in a frame, radians: fast fingers move twice as fast as what costs
 * nothing. 0: it starts from the last ones. */
static double chain_freedom(const snw_hand *hand, const hand_view *view)
{
    if (!hand->is_running) return SNW_PI;
    if (!hand->options.has_intradigital) return 0;
    bool is_calm = hand->options.has_inertia && view->dt > 0;
    return is_calm ? HAND_CALM_SPREAD + 2 * HAND_FLEXION_SPEED * view->dt : SNW_PI;
}

static void fit_seen(snw_hand *hand, const hand_view *view, int finger)
{
    snw__fit_rows rows = rows_of(hand, view, finger);
    double angle[4], spread = hand->is_running ? hand->angle[finger][0] : 0;
    snw__finger_reach(&hand->finger[finger], rows.place[2], spread, angle);
    if (finger != SNW_HAND_THUMB) {
        double bent = snw_clamp(angle[1] / 1.2, 0, 1);
        rows.expected_spread[0] += bent * (HAND_SPREAD_FIST - HAND_SPREAD_USUAL);
    }
    /* A straight finger's joints are all but undetermined: there they stay as they were. */
    for (int i = 1; i < 4 && hand->is_running && view->dt > 0 && hand->options.has_inertia; i++) {
        rows.expected[i] = hand->angle[finger][i];
        rows.expected_spread[i] = HAND_CALM_SPREAD + HAND_FLEXION_SPEED * view->dt;
    }
    snw__fit_finger(&hand->finger[finger], &rows, angle);
    memcpy(hand->angle[finger], angle, sizeof angle);
}

/* Two fingers that are both seen and enter each other give way by half each, as far as their
 * markers let them. */
static void part_seen(snw_hand *hand, const hand_view *view)
{
    for (int k = SNW_HAND_INDEX; k + 1 < SNW_HAND_FINGERS; k++) {
        const double(*angle)[4] = (const double(*)[4])hand->angle;
        if (!view->is_seen[snw_hand_tip_marker(k)] || !view->is_seen[snw_hand_tip_marker(k + 1)])
            continue;
        double apart[2] = {snw__hand_spread_apart(&hand->profile, hand->finger, angle, k, k + 1),
                           snw__hand_spread_apart(&hand->profile, hand->finger, angle, k + 1, k)};
        for (int n = 0; n < 2 && apart[n] != 0; n++) {
            snw__fit_rows rows = rows_of(hand, view, k + n);
            rows.expected[0] = hand->angle[k + n][0] + 0.5 * apart[n];
            rows.expected_spread[0] = HAND_CALM_SPREAD;
            snw__fit_finger(&hand->finger[k + n], &rows, hand->angle[k + n]);
        }
    }
}

static void step_fingers(snw_hand *hand, const hand_view *view)
{
    bool is_chain = hand->options.method == SNW_HAND_CHAIN;
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        int tip = snw_hand_tip_marker(k);
        if (!view->is_seen[tip]) continue;
        if (is_chain)
            snw__chain_finger(&hand->finger[k], to_finger(hand, k, view->place[tip]),
                              chain_freedom(hand, view), hand->angle[k]);
        else
            fit_seen(hand, view, k);
    }
    if (hand->options.has_collision && !is_chain) part_seen(hand, view);
    /* Twice: two hidden fingers follow each other. */
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < SNW_HAND_FINGERS; k++) {
            hand_view once = *view;
            if (round) once.dt = 0;
            if (!view->is_seen[snw_hand_tip_marker(k)]) fit_hidden(hand, &once, k);
        }
    if (hand->options.has_collision)
        snw__hand_separate(&hand->profile, hand->finger, view->is_seen, hand->angle);
    double bend[SNW_HAND_FINGERS];
    bool is_whole = true;
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        bend[k] = bend_of(hand->angle[k]);
        is_whole = is_whole && view->is_seen[snw_hand_tip_marker(k)];
    }
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        if (view->is_seen[snw_hand_tip_marker(k)])
            snw__trans_learn(&hand->trans[k], k, bend, hand->angle[k],
                             is_whole && hand->is_learning ? view->dt : 0);
}

/* ---- the pose ----------------------------------------------------------------------------- */

static void write_pose(const snw_hand *hand, snw_pose *pose)
{
    snw_xform palm = hand->palm;
    if (hand->profile.side == SNW_SIDE_LEFT) {
        snw_quat q = palm.rotation;
        palm =
            snw_xform_make(snw_quat_make(q.w, q.x, -q.y, -q.z), snw__hand_mirror(palm.translation));
    }
    pose->root = palm;
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        snw__hand_set_angles(hand->profile.side, k, hand->angle[k], pose);
        if (k != SNW_HAND_THUMB) snw__hand_set_metacarpal(k, hand->metacarpal[k], pose);
    }
    snw_pose_forward(pose);
}

void snw_hand_step(snw_hand *hand, const snw_hand_frame *frame, snw_pose *pose,
                   snw_hand_report *report)
{
    snw_hand_report own;
    double before[SNW_HAND_FINGERS][4];
    if (!report) report = &own;
    memset(report, 0, sizeof *report);
    hand_view view;
    for (int m = 0; m < SNW_HAND_MARKERS; m++) {
        snw_vec3 p = frame->place[m];
        view.is_seen[m] = frame->is_seen[m] && snw_vec3_is_finite(p) && snw_vec3_length2(p) < 1e12;
        view.place[m] = hand->profile.side == SNW_SIDE_LEFT ? snw__hand_mirror(p) : p;
    }
    view.dt = hand->is_running ? frame->time - hand->last_time : 0;
    /* seconds without frames after which nothing is continued */
    if (!(view.dt >= 0) || view.dt > SNW__SKIN_SECONDS) {
        hand->is_running = hand->is_running && isfinite(view.dt);
        view.dt = 0;
    }
    memcpy(before, hand->angle, sizeof before);
    view.before = hand->is_running ? (const double(*)[4])before : NULL;
    report->is_palm_determined = step_palm(hand, view.is_seen, view.place);
    if (report->is_palm_determined) {
        /* A fist cups the palm: the plane of the markers rolls with the little finger's knuckle.
         * How far that finger is bent shows in the distance of its tip alone, so no turn need be
         * known. */
        const snw_hand_profile *p = &hand->profile;
        int tip = snw_hand_tip_marker(SNW_HAND_LITTLE);
        double flexion = hand->angle[SNW_HAND_LITTLE][2];
        if (view.is_seen[tip] && p->cup != 0) {
            snw_vec3 base = snw_xform_point(hand->palm, p->base[SNW_HAND_LITTLE]);
            flexion = snw__finger_flexion(&hand->finger[SNW_HAND_LITTLE],
                                          snw_vec3_distance(view.place[tip], base));
        }
        hand->roll = snw__palm_roll(p, flexion);
        hand->palm.rotation = snw__palm_flattened(p, hand->palm.rotation, hand->roll);
        for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++)
            set_knuckle(hand, k, snw__palm_cupped(p, k, hand->roll));
        if (hand->options.method == SNW_HAND_CHAIN) meet_knuckles(hand, view.place);
    }
    step_fingers(hand, &view);
    for (int k = 0; k < SNW_HAND_FINGERS && hand->is_running; k++)
        for (int n = 1; n < 4; n++)
            report->largest_flexion_jump =
                fmax(report->largest_flexion_jump, fabs(hand->angle[k][n] - before[k][n]));
    write_pose(hand, pose);
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        int marker = snw_hand_tip_marker(k);
        report->is_tip_seen[k] = view.is_seen[marker];
        if (view.is_seen[marker])
            report->residual[k] = snw_vec3_distance(pose->world[snw__hand_joint(k, 3)].translation,
                                                    frame->place[marker]);
    }
    if (isfinite(frame->time)) hand->last_time = frame->time;
    hand->is_running = true;
}

/* ---- life --------------------------------------------------------------------------------- */

static void forget_motion(snw_hand *hand)
{
    hand->is_running = false;
    hand->last_time = 0;
    hand->palm = snw_xform_identity();
    hand->roll = 0;
    memcpy(hand->knuckle, hand->profile.base, sizeof hand->knuckle);
    memcpy(hand->turn, hand->profile.rest, sizeof hand->turn);
    memset(hand->metacarpal, 0, sizeof hand->metacarpal);
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        static const double relaxed[4] = {0, 0.25, 0.4, 0.27};
        memcpy(hand->angle[k], relaxed, sizeof relaxed);
        snw__finger_clamp(&hand->finger[k], hand->angle[k]);
        hand->trans[k].hidden = 0;
    }
}

void snw_hand_reset(snw_hand *hand)
{
    forget_motion(hand);
    hand->is_learning = true;
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        snw__trans_start(&hand->trans[k], k);
}

static bool is_profile_usable(const snw_hand_profile *p)
{
    bool is_usable = p->back_share > 0.05 && p->back_share < 20 && fabs(p->back_height) < 0.1;
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        double size = snw_quat_dot(p->rest[k], p->rest[k]);
        is_usable = is_usable && snw_vec3_is_finite(p->base[k]) && fabs(size - 1) < 1e-6 &&
                    snw_vec3_length2(p->base[k]) < 1;
        for (int n = 0; n < 3; n++)
            is_usable = is_usable && p->bone[k][n] > 1e-4 && p->bone[k][n] < 1;
    }
    return is_usable;
}

snw_status snw_hand_create(const snw_hand_profile *profile, const snw_hand_options *options,
                           const snw_allocator *allocator, snw_hand **out, snw_error *error)
{
    if (!profile || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "profile or out is NULL");
    *out = NULL;
    if (!is_profile_usable(profile))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the profile has a length that cannot be");
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_hand *hand = (snw_hand *)snw__allocate(&memory, sizeof *hand);
    if (!hand) return snw__fail_memory(error, sizeof *hand, "a hand");
    hand->profile = *profile;
    hand->options = SNW__WANTS_DEFAULTS(options) ? snw_hand_options_default() : *options;
    if (!(hand->options.marker_noise > 1e-6)) hand->options.marker_noise = 1e-6;
    hand->allocator = memory;
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        hand->finger[k] = snw__hand_finger(profile, k, hand->options.has_limits);
    snw__palm_template(&hand->profile, hand->template_);
    snw_status status = snw__hand_body_create(profile, &memory, &hand->skeleton, error);
    if (status != SNW_OK) {
        snw__release(&memory, hand, sizeof *hand);
        return status;
    }
    snw_hand_reset(hand);
    *out = hand;
    return snw__succeed(error);
}

void snw_hand_destroy(snw_hand *hand)
{
    if (!hand) return;
    snw_allocator memory = hand->allocator;
    snw_skeleton_destroy(hand->skeleton);
    snw__release(&memory, hand, sizeof *hand);
}

const snw_skeleton *snw_hand_skeleton(const snw_hand *hand)
{
    return hand->skeleton;
}

/* ---- a whole capture ---------------------------------------------------------------------- */

/* Frames since the tip was last seen (forwards) or until it is seen again (backwards). */
typedef struct hand_gap {
    int since, until;
} hand_gap;

/* Share of the backward answer: 0 where the gap starts, 1 where it ends. */
static double backward_share(hand_gap gap)
{
    if (gap.until == INT32_MAX) return 0;
    if (gap.since == INT32_MAX) return 1;
    double t = (double)gap.since / ((double)gap.since + gap.until);
    return t * t * (3 - 2 * t);
}

static bool hides_fingers(const snw_hand_capture *capture)
{
    for (int f = 0; f < capture->frame_count; f++)
        for (int k = 0; k < SNW_HAND_FINGERS; k++)
            if (!capture->frame[f].is_seen[snw_hand_tip_marker(k)]) return true;
    return false;
}

snw_status snw_hand_solve(snw_hand *hand, const snw_hand_capture *capture,
                          const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    if (!hand || !capture || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "hand, capture or out is NULL");
    *out = NULL;
    snw_pose *pose = NULL, *other = NULL;
    snw_motion *motion = NULL;
    snw_status status = snw_pose_create(hand->skeleton, allocator, &pose, error);
    if (status == SNW_OK) status = snw_pose_create(hand->skeleton, allocator, &other, error);
    if (status == SNW_OK)
        status = snw_motion_create(hand->skeleton, capture->frame_count, capture->rate, allocator,
                                   &motion, error);
    bool is_two_way = status == SNW_OK && hides_fingers(capture);
    if (status == SNW_OK) snw_hand_reset(hand);
    for (int pass = is_two_way ? 0 : 1; status == SNW_OK && pass < 2; pass++) {
        forget_motion(hand); /* the second time with what the first has learned */
        for (int f = 0; f < capture->frame_count; f++) {
            snw_hand_step(hand, capture->frame + f, pose, NULL);
            snw_motion_set(motion, f, pose);
        }
    }
    if (is_two_way) {
        /* Backwards over the frames, with what was learned going forwards. */
        double end = capture->frame_count / capture->rate;
        forget_motion(hand);
        hand->is_learning = false;
        for (int f = capture->frame_count - 1; f >= 0; f--) {
            snw_hand_frame frame = capture->frame[f];
            frame.time = end - frame.time;
            snw_hand_step(hand, &frame, pose, NULL);
            snw_motion_get(motion, f, other);
            for (int k = 0; k < SNW_HAND_FINGERS; k++) {
                double a[4], b[4];
                if (capture->frame[f].is_seen[snw_hand_tip_marker(k)]) continue;
                int marker = snw_hand_tip_marker(k);
                hand_gap gap = {0, 0};
                while (f - gap.since >= 0 && !capture->frame[f - gap.since].is_seen[marker])
                    gap.since++;
                while (f + gap.until < capture->frame_count &&
                       !capture->frame[f + gap.until].is_seen[marker])
                    gap.until++;
                if (f - gap.since < 0) gap.since = INT32_MAX;
                if (f + gap.until >= capture->frame_count) gap.until = INT32_MAX;
                double share = backward_share(gap);
                snw__hand_get_angles(hand->profile.side, k, other, a);
                snw__hand_get_angles(hand->profile.side, k, pose, b);
                for (int n = 0; n < 4; n++)
                    a[n] += share * (b[n] - a[n]);
                snw__hand_set_angles(hand->profile.side, k, a, other);
            }
            snw_motion_set(motion, f, other);
        }
    }
    snw_pose_destroy(pose);
    snw_pose_destroy(other);
    *out = motion;
    return status;
}

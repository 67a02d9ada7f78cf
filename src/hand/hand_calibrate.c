/* A hand's measures from a few seconds of its markers: published proportions, refined by what the
 * motion shows.
 *
 * Knuckles of index and little finger follow from the back markers (palm.c); on which side of the
 * palm those sit shows in fingers that are stretched: on the wrong one they would all be bent back,
 * or bent, by some 12 degrees. A finger's length T follows from how far its tip gets from its
 * knuckle, since everybody opens the hand sooner or later: with r the 98th percentile of those
 * distances, minimise ((T - T0) / (0.08 T0))^2 - 2 log(0.9 N(r / T; 0.9985, 0.003) + 0.1
 * U(0.7..1)). */
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/notes.h"
#include "hand/hand_body.h"
#include "hand/palm.h"
#include "math/robust.h"
#include "person/anthropometry.h"
#include "person/movement.h"

/* Bones of thumb, index, middle, ring and little finger over the whole: fingers are the means of
 * Buchholz et al. (1992) and two captured hands (ART), which agree within 0.02. */
static const double calibrate_shares[SNW_HAND_FINGERS][3] = {
    {0.455, 0.322, 0.223}, {0.504, 0.298, 0.198}, {0.497, 0.308, 0.195},
    {0.489, 0.312, 0.199}, {0.499, 0.293, 0.208},
};

/* [measured] on two captured hands (ART) and the gestures of `sinew synth`: the height of a small
 * marker over the bones of the back (metres), the distance over length of an open finger and its
 * spread, the bend at the knuckle of an open hand (radians). [published] Buchholz et al. (1992):
 * the spread of a finger's length, as a fraction. */
static const struct {
    double back_height, stretched, stretch_spread, flat_bend, length_spread;
} calibrate_people = {0.008, 0.9985, 0.003, 0.05, 0.08};

typedef struct calibrate_job {
    const snw_hand_capture *capture;
    double share, height;
} calibrate_job;

static snw_vec3 marker_at(const calibrate_job *job, int frame, int marker)
{
    snw_vec3 place = job->capture->frame[frame].place[marker];
    return job->capture->side == SNW_SIDE_LEFT ? snw__hand_mirror(place) : place;
}

static bool palm_at(const calibrate_job *job, int frame, snw__palm *palm)
{
    const bool *is_seen = job->capture->frame[frame].is_seen;
    return is_seen[SNW_HAND_WRIST] && is_seen[SNW_HAND_BACK_INDEX] &&
           is_seen[SNW_HAND_BACK_LITTLE] &&
           snw__palm_from_markers(
               marker_at(job, frame, SNW_HAND_WRIST), marker_at(job, frame, SNW_HAND_BACK_INDEX),
               marker_at(job, frame, SNW_HAND_BACK_LITTLE), job->share, job->height, palm);
}

/* ---- knuckles ----------------------------------------------------------------------------- */

/* Mean places of the knuckles in the palm's frame; how many frames show the palm. */
static int mean_knuckles(const calibrate_job *job, snw_vec3 base[SNW_HAND_FINGERS])
{
    int count = 0;
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        base[k] = snw_vec3_make(0, 0, 0);
    for (int f = 0; f < job->capture->frame_count; f++) {
        snw__palm palm;
        if (!palm_at(job, f, &palm)) continue;
        snw_quat turn = snw__palm_turn(&palm);
        for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++)
            base[k] = snw_vec3_add(base[k], snw_quat_unrotate(turn, snw__palm_knuckle(&palm, k)));
        count++;
    }
    for (int k = 0; k < SNW_HAND_FINGERS && count; k++)
        base[k] = snw_vec3_scale(base[k], 1.0 / count);
    return count;
}

/* ---- fingertips from their knuckles ------------------------------------------------------- */

enum {
    CALIBRATE_BINS = 3000,
    /* 0.1 mm: 1 % of a length bends a straight finger by 15 degrees. */
    CALIBRATE_BINS_PER_METRE = 10000
};
enum {
    CALIBRATE_WINDOW_MOST = 64
};

/* Tip from `base` in the palm's frame; false where it is not seen. */
static bool tip_at(const calibrate_job *job, int frame, int finger, snw_vec3 base, snw_vec3 *tip)
{
    snw__palm palm;
    int marker = snw_hand_tip_marker(finger);
    if (!job->capture->frame[frame].is_seen[marker] || !palm_at(job, frame, &palm)) return false;
    snw_vec3 way =
        snw_vec3_sub(marker_at(job, frame, marker), marker_at(job, frame, SNW_HAND_WRIST));
    *tip = snw_vec3_sub(snw_quat_unrotate(snw__palm_turn(&palm), way), base);
    return true;
}

/* 98th percentile of the tip's distance, each the mean over (2 * SNW__BRIEF): of a finger held
 * straight the percentile would else be the noise's. 0 where it is seen too seldom. */
static double far_tip(const calibrate_job *job, int finger, snw_vec3 base)
{
    int bin[CALIBRATE_BINS] = {0}, count = 0, run = 0;
    /* seconds */
    int window = (int)fmin(CALIBRATE_WINDOW_MOST, fmax(1, (2 * SNW__BRIEF) * job->capture->rate));
    double last[CALIBRATE_WINDOW_MOST] = {0}, sum = 0;
    for (int f = 0; f < job->capture->frame_count; f++) {
        snw_vec3 tip;
        if (!tip_at(job, f, finger, base, &tip)) {
            run = 0;
            sum = 0;
            continue;
        }
        double distance = snw_vec3_length(tip);
        sum += distance - (run >= window ? last[run % window] : 0);
        last[run % window] = distance;
        if (++run < window) continue;
        double place = CALIBRATE_BINS_PER_METRE * sum / window;
        bin[place >= 0 && place < CALIBRATE_BINS ? (int)place : CALIBRATE_BINS - 1]++;
        count++;
    }
    int above = 0, n = CALIBRATE_BINS - 1;
    for (; n > 0 && above + bin[n] <= 0.02 * count; n--)
        above += bin[n];
    return count >= SNW__SAMPLES_MIN ? (n + 0.5) / CALIBRATE_BINS_PER_METRE : 0;
}

/* Means over the frames in which a finger is stretched to `least` metres or more. */
typedef struct calibrate_open {
    double bend;   /* of the whole finger towards the palm, radians */
    double spread; /* towards the thumb's side, radians */
    int count;
} calibrate_open;

static calibrate_open open_finger(const calibrate_job *job, int finger, snw_vec3 base, double least)
{
    calibrate_open open = {0, 0, 0};
    for (int f = 0; f < job->capture->frame_count; f++) {
        snw_vec3 tip;
        if (!tip_at(job, f, finger, base, &tip) || snw_vec3_length(tip) < least) continue;
        open.bend += snw__atan2(-tip.y, snw__hypot(tip.x, tip.z));
        open.spread += snw__atan2(tip.x, tip.z);
        open.count++;
    }
    if (open.count) {
        open.bend /= open.count;
        open.spread /= open.count;
    }
    return open;
}

/* How unlike an open hand the stretched fingers are with markers at this height. */
static double height_cost(calibrate_job job, double height)
{
    snw_vec3 base[SNW_HAND_FINGERS];
    double cost = 0;
    job.height = height;
    if (mean_knuckles(&job, base) < SNW__SAMPLES_MIN) return 0;
    for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++) {
        double far = far_tip(&job, k, base[k]);
        calibrate_open open = open_finger(&job, k, base[k], 0.98 * far);
        if (far > 0 && open.count) cost += fabs(open.bend - calibrate_people.flat_bend);
    }
    return cost;
}

/* ---- lengths ------------------------------------------------------------------------------ */

static double settle_length(double expected, double far)
{
    double best = expected, least = INFINITY;
    if (!(far > 0)) return expected;
    for (double t = 0.6 * expected; t <= 1.4 * expected; t += 0.0001) {
        double ratio = far / t,
               off = (ratio - calibrate_people.stretched) / calibrate_people.stretch_spread;
        double size = (t / expected - 1) / calibrate_people.length_spread;
        double chance = SNW__MOST * snw__exp(-0.5 * off * off) / calibrate_people.stretch_spread +
                        (ratio < 1 ? (1 - SNW__MOST) / 0.3 : 0) + 1e-9;
        double cost = size * size - 2 * snw__log(chance);
        if (cost < least) {
            least = cost;
            best = t;
        }
    }
    return best;
}

static void set_bones(snw_hand_profile *profile, int finger, double length)
{
    for (int n = 0; n < 3; n++)
        profile->bone[finger][n] = calibrate_shares[finger][n] * length;
}

static double length_of(const snw_hand_profile *profile, int finger)
{
    return profile->bone[finger][0] + profile->bone[finger][1] + profile->bone[finger][2];
}

/* The thumb is turned so that its tip, at a usual bend, points where it does on average. */
static void measure_thumb(const calibrate_job *job, snw_hand_profile *profile)
{
    snw_vec3 base = profile->base[SNW_HAND_THUMB], sum = snw_vec3_make(0, 0, 0), point[3];
    double far = far_tip(job, SNW_HAND_THUMB, base);
    static const double usual[4] = {0, 0.05, 0.2, 0.4};
    set_bones(profile, SNW_HAND_THUMB, settle_length(length_of(profile, SNW_HAND_THUMB), far));
    for (int f = 0; f < job->capture->frame_count; f++) {
        snw_vec3 tip;
        if (tip_at(job, f, SNW_HAND_THUMB, base, &tip))
            sum = snw_vec3_add(sum, snw_vec3_unit(tip, snw_vec3_make(0, 0, 0)));
    }
    if (!(snw_vec3_length2(sum) > 1)) return;
    snw__finger thumb = snw__hand_finger(profile, SNW_HAND_THUMB, false);
    snw__finger_points(&thumb, usual, point, NULL);
    snw_quat rest = profile->rest[SNW_HAND_THUMB];
    snw_quat turn = snw_quat_between(snw_quat_rotate(rest, point[2]), sum);
    profile->rest[SNW_HAND_THUMB] = snw_quat_mul(turn, rest);
}

/* ---- cupping ------------------------------------------------------------------------------ */

/* Mean square of how far bent fingers lie off their own planes, if the palm cups by `cup`. A bent
 * finger does not spread, so what is left is the roll of the markers' plane. */
static double cup_cost(const calibrate_job *job, const snw_hand_profile *profile, double cup)
{
    snw_hand_profile cupped = *profile;
    snw__finger little = snw__hand_finger(profile, SNW_HAND_LITTLE, false);
    double sum = 0, length;
    int count = 0;
    cupped.cup = cup;
    for (int f = 0; f < job->capture->frame_count; f++) {
        snw__palm palm;
        snw_vec3 tip;
        if (!palm_at(job, f, &palm) ||
            !tip_at(job, f, SNW_HAND_LITTLE, profile->base[SNW_HAND_LITTLE], &tip))
            continue;
        double roll = snw__palm_roll(&cupped, snw__finger_flexion(&little, snw_vec3_length(tip)));
        snw_quat turn = snw__palm_flattened(&cupped, snw__palm_turn(&palm), roll);
        for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++) {
            int marker = snw_hand_tip_marker(k);
            if (!job->capture->frame[f].is_seen[marker]) continue;
            snw_vec3 way =
                snw_vec3_sub(marker_at(job, f, marker), marker_at(job, f, SNW_HAND_WRIST));
            way = snw_vec3_sub(snw_quat_unrotate(turn, way), snw__palm_cupped(&cupped, k, roll));
            length = length_of(profile, k);
            if (snw_vec3_length(way) > 0.65 * length) continue;
            double off = snw_quat_unrotate(profile->rest[k], way).x / length;
            sum += off * off;
            count++;
        }
    }
    return count >= SNW__SAMPLES_MIN ? sum / count : 0;
}

snw_status snw_hand_calibrate(const snw_hand_capture *capture, snw_hand_profile *profile,
                              snw_notes *notes, snw_error *error)
{
    if (!capture || !profile)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "capture or profile is NULL");
    *profile = snw_hand_profile_default(capture->side, SNW__HAND_LENGTH);
    calibrate_job job = {capture, profile->back_share, calibrate_people.back_height};
    snw_vec3 base[SNW_HAND_FINGERS];
    if (height_cost(job, -calibrate_people.back_height) <
        height_cost(job, calibrate_people.back_height) - 0.05)
        job.height = -calibrate_people.back_height;
    if (mean_knuckles(&job, base) < SNW__SAMPLES_MIN)
        return snw__fail(
            error, SNW_DEGENERATE,
            "wrist and both markers on the back of the hand are seen together in fewer "
            "than %d frames",
            SNW__SAMPLES_MIN);
    /* 0.5012: wrist to the knuckle of the index finger, of the average hand's length. */
    double length = snw_vec3_length(base[SNW_HAND_INDEX]) / 0.5012;
    if (!(length > 0.05 && length < 0.6))
        return snw__fail(error, SNW_DEGENERATE,
                         "the hand would be %.0f mm long; is the unit right?", 1000 * length);
    *profile = snw_hand_profile_default(capture->side, length);
    profile->back_height = job.height;
    for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++) {
        profile->base[k] = base[k];
        double far = far_tip(&job, k, profile->base[k]);
        set_bones(profile, k, settle_length(length_of(profile, k), far));
        if (!(far > 0)) continue;
        calibrate_open open = open_finger(&job, k, profile->base[k], 0.9 * far);
        if (open.count < SNW__SAMPLES_MIN) continue;
        double usual = snw_quat_twist_angle(profile->rest[k], snw_vec3_make(0, 1, 0));
        double fan = snw_clamp(open.spread, usual - 0.2, usual + 0.2);
        profile->rest[k] = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), fan);
    }
    measure_thumb(&job, profile);
    double best = 0, least = cup_cost(&job, profile, 0);
    for (double cup = 0.03; least > 0 && cup < 0.36; cup += 0.03) {
        double cost = cup_cost(&job, profile, cup);
        if (cost < 0.98 * least) {
            least = cost;
            best = cup;
        }
    }
    profile->cup = best;
    if (job.height < 0)
        snw__note(notes, -1, -1,
                  "the two markers called back lie on the palm's side, by how the fingers stretch");
    return snw__succeed(error);
}

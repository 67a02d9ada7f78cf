/* What a segment does while it is not seen, or not enough of it.
 *
 * Where something is seen, both passes follow it and differ only in what is not seen (the twist of
 * a segment with one marker): the result goes from the one to the other. Where nothing is seen, the
 * passes stand still at the two ends. The speed there is known, and is forgotten
 * with the time constant tau; of all motions that meet both ends the likeliest has the least
 * integral of (v' + v / tau)^2, so x'''' = x'' / tau^2:
 *
 *     x(t) = A + B t + C e^(-t / tau) + D e^(-(T - t) / tau),
 *
 * a spline in tension (Schweikert 1966): a cubic where the gap is short against tau, a straight
 * line with curved ends where it is long. */
#include "track/gap_motion.h"
#include "base/elementary.h"

#include "track/joint_range.h"
#include "track/observability.h"
#include "track/track_constants.h"

/* With k = tau tanh(T / 2 tau) the ends give B = (d - k (v0 + v1)) / (T - 2 k), and
 * C, D = tau ((B - v0) + E (v1 - B)) / (1 - E^2) and its mirror image, E = e^(-T / tau). */
snw_vec3 snw__gap_curve_at(const snw__gap_curve *curve, double seconds)
{
    double tau = GAP_MOTION_SECONDS, whole = curve->seconds, e = snw__exp(-whole / tau);
    /* T - 2 k is T^3 / 12 tau^2, lost to round-off where a curve is that short. */
    if (!(whole > 1e-3 * tau)) return snw_vec3_scale(curve->distance, seconds / whole);
    double k = tau * snw__tanh(whole / (2 * tau));
    snw_vec3 speeds = snw_vec3_add(curve->near_speed, curve->far_speed);
    snw_vec3 line =
        snw_vec3_scale(snw_vec3_add_scaled(curve->distance, -k, speeds), 1 / (whole - 2 * k));
    snw_vec3 near_bend = snw_vec3_sub(line, curve->near_speed);
    snw_vec3 far_bend = snw_vec3_sub(curve->far_speed, line);
    double scale = tau / (1 - e * e);
    snw_vec3 c = snw_vec3_scale(snw_vec3_add_scaled(near_bend, e, far_bend), scale);
    snw_vec3 d = snw_vec3_scale(snw_vec3_add_scaled(far_bend, e, near_bend), scale);
    /* x(0) = 0 takes out A. */
    snw_vec3 x = snw_vec3_scale(line, seconds);
    x = snw_vec3_add_scaled(x, snw__exp(-seconds / tau) - 1, c);
    return snw_vec3_add_scaled(x, snw__exp(-(whole - seconds) / tau) - e, d);
}

/* ---- one joint ------------------------------------------------------------------------------ */

/* Frames [from, to) of a joint are not held in full. */
typedef struct gap_stretch {
    int joint;
    int from, to;
    bool has_before, has_after;
} gap_stretch;

typedef struct gap_job {
    snw_motion *forward;
    const snw_motion *back;
    const uint8_t *known;
} gap_job;

static snw_quat *rotation_at(const snw_motion *motion, int frame, int joint)
{
    if (joint == 0) return &motion->root[frame].rotation;
    return motion->rotation + (size_t)frame * (size_t)motion->skeleton->joint_count + joint;
}

static int determinacy_at(const gap_job *job, int frame, int joint)
{
    return job->known[(size_t)frame * (size_t)job->forward->skeleton->joint_count + (size_t)joint];
}

/* A place or a turn in frame `frame` as seen from frame `from`. */
typedef snw_vec3 (*gap_look)(const gap_job *job, int joint, int from, int frame);

static snw_vec3 look_turn(const gap_job *job, int joint, int from, int frame)
{
    return snw_quat_log(snw_quat_mul(snw_quat_conjugate(*rotation_at(job->forward, from, joint)),
                                     *rotation_at(job->forward, frame, joint)));
}

static snw_vec3 look_place(const gap_job *job, int joint, int from, int frame)
{
    (void)joint;
    return snw_vec3_sub(job->forward->root[frame].translation,
                        job->forward->root[from].translation);
}

/* Slope of the straight line through the frames from `end` on, away from the stretch, that are held
 * in full; zero where there is only one. */
static snw_vec3 speed_at(const gap_job *job, int joint, int end, int away, gap_look look)
{
    /* Seconds before and after the stretch from which the speeds are taken. */
    int count = (int)ceil(SNW__DEPARTURE_SECONDS * job->forward->rate) + 1, n = 0;
    double sum_t = 0, sum_tt = 0;
    snw_vec3 sum = snw_vec3_make(0, 0, 0), sum_tx = sum;
    for (; n < count; n++) {
        int frame = end + n * away;
        if (frame < 0 || frame >= job->forward->frame_count) break;
        if (determinacy_at(job, frame, joint) != SNW__FULL) break;
        double t = n * away / job->forward->rate;
        snw_vec3 x = look(job, joint, end, frame);
        sum_t += t;
        sum_tt += t * t;
        sum = snw_vec3_add(sum, x);
        sum_tx = snw_vec3_add_scaled(sum_tx, t, x);
    }
    if (n < 2) return snw_vec3_make(0, 0, 0);
    double spread = sum_tt - sum_t * sum_t / n;
    return snw_vec3_scale(snw_vec3_add_scaled(sum_tx, -sum_t / n, sum), 1 / spread);
}

/* The inverse of the right Jacobian (Sola, Deray & Atchuthan 2018, equation 144): w + a x w / 2 + c
 * a x (a x w) with c = (1 - (t / 2) cot(t / 2)) / t^2, t = |a|, which is 1/12 at zero. */
snw_vec3 snw__gap_vector_speed(snw_vec3 a, snw_vec3 w)
{
    double t = snw_vec3_length(a);
    double c = t > 1e-3 ? (1 - 0.5 * t / snw__tan(0.5 * t)) / (t * t) : 1.0 / 12;
    snw_vec3 across = snw_vec3_cross(a, w);
    snw_vec3 speed = snw_vec3_add_scaled(w, 0.5, across);
    return snw_vec3_add_scaled(speed, c, snw_vec3_cross(a, across));
}

static snw__gap_curve curve_of(const gap_job *job, const gap_stretch *s, gap_look look)
{
    snw__gap_curve curve;
    curve.seconds = (s->to - s->from + 1) / job->forward->rate;
    curve.distance = look(job, s->joint, s->from - 1, s->to);
    curve.near_speed = speed_at(job, s->joint, s->from - 1, -1, look);
    curve.far_speed = speed_at(job, s->joint, s->to, 1, look);
    if (look == look_turn) curve.far_speed = snw__gap_vector_speed(curve.distance, curve.far_speed);
    return curve;
}

/* Nothing is seen between the ends. */
static void cross(const gap_job *job, const gap_stretch *s)
{
    snw__gap_curve turn = curve_of(job, s, look_turn);
    snw_quat near = *rotation_at(job->forward, s->from - 1, s->joint);
    for (int frame = s->from; frame < s->to; frame++) {
        double t = (frame - s->from + 1) / job->forward->rate;
        *rotation_at(job->forward, frame, s->joint) =
            snw_quat_normalize(snw_quat_mul(near, snw_quat_exp(snw__gap_curve_at(&turn, t))));
    }
    if (s->joint > 0) return;
    snw__gap_curve way = curve_of(job, s, look_place);
    snw_vec3 start = job->forward->root[s->from - 1].translation;
    for (int frame = s->from; frame < s->to; frame++)
        job->forward->root[frame].translation = snw_vec3_add(
            start, snw__gap_curve_at(&way, (frame - s->from + 1) / job->forward->rate));
}

static snw_vec3 *slide_at(const snw_motion *motion, int frame, int joint)
{
    return motion->slide + (size_t)frame * (size_t)motion->skeleton->joint_count + joint;
}

/* A segment that its joint leaves free drifts from where it was to where it will be. */
static void drift(const gap_job *job, const gap_stretch *s)
{
    if (!s->has_before || job->forward->skeleton->joint[s->joint].type != SNW_JOINT_FREE) return;
    snw_vec3 near = *slide_at(job->forward, s->from - 1, s->joint);
    snw_vec3 far = *slide_at(job->forward, s->to, s->joint);
    for (int frame = s->from; frame < s->to; frame++)
        *slide_at(job->forward, frame, s->joint) =
            snw_vec3_lerp(near, far, (frame - s->from + 1.0) / (s->to - s->from + 1.0));
}

static void make_up(const gap_job *job, const gap_stretch *s)
{
    bool is_dark = s->has_before;
    for (int frame = s->from; frame < s->to; frame++)
        is_dark &= determinacy_at(job, frame, s->joint) == SNW__UNSEEN;
    if (!s->has_after) return; /* the past stays */
    drift(job, s);
    if (is_dark)
        cross(job, s);
    else {
        /* From the past's idea to the future's, slowly at both ends. */
        for (int frame = s->from; frame < s->to; frame++) {
            double t = (frame - s->from + 1.0) / (s->to - s->from + 1.0);
            double share = s->has_before ? t * t * (3 - 2 * t) : 1;
            snw_quat *rotation = rotation_at(job->forward, frame, s->joint);
            *rotation = snw_quat_slerp(*rotation, *rotation_at(job->back, frame, s->joint), share);
            if (s->joint > 0) continue;
            snw_vec3 *place = &job->forward->root[frame].translation;
            *place = snw_vec3_lerp(*place, job->back->root[frame].translation, share);
        }
    }
    /* What was made up keeps to the joint's type and, where nothing is seen, to its limits; those
     * hold both ends, whatever the markers there showed. */
    snw_joint joint = job->forward->skeleton->joint[s->joint];
    if (s->joint == 0) return;
    if (!is_dark) joint.limit = snw_joint_limit_none();
    if (s->has_before)
        snw__joint_range_include(&joint, *rotation_at(job->forward, s->from - 1, s->joint));
    if (s->has_after) snw__joint_range_include(&joint, *rotation_at(job->forward, s->to, s->joint));
    for (int frame = s->from; frame < s->to; frame++) {
        snw_quat *rotation = rotation_at(job->forward, frame, s->joint);
        *rotation = snw_joint_limit_apply(&joint, *rotation);
    }
}

void snw__gap_motion_fill(snw_motion *forward, const snw_motion *back, const uint8_t *known)
{
    gap_job job = {forward, back, known};
    for (int j = 0; j < forward->skeleton->joint_count; j++)
        for (int from = 0; from < forward->frame_count; from++) {
            int to = from;
            while (to < forward->frame_count && determinacy_at(&job, to, j) != SNW__FULL)
                to++;
            gap_stretch stretch = {j, from, to, from > 0, to < forward->frame_count};
            if (to > from) make_up(&job, &stretch);
            from = to;
        }
}
